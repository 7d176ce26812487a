"""Traces on the screen: dice, choices, results and their rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.text import Text

from tablewright.cli.output.console import GOOD, HEAD, QUIET, call_heading, heading, indented, make_console
from tablewright.cli.output.numbers import in_plain_words, number
from tablewright.dice import Rollable
from tablewright.engine import Call, PlayResult
from tablewright.game.narration.formatting import format_value
from tablewright.game.system.registry import load_system

if TYPE_CHECKING:
    from tablewright.cli.arguments.answers import Chooser


def tell_dice(dice: Rollable[Any], rolls: Sequence[tuple[Any, tuple[int, ...]]], seed: int | None) -> None:
    """Print rolled dice: result and faces of each roll."""
    console = make_console()
    console.print(heading(str(dice), _seed(seed)))
    for result, faces in rolls:
        line = Text().append(format_value(result), style=HEAD)
        console.print(line.append(f"  {' '.join(map(str, faces))}", style=QUIET))
    totals = [result for result, _ in rolls]
    if len(totals) > 1 and all(type(total) is int for total in totals):
        average = number(Fraction(sum(totals), len(totals)))
        console.print(Text(f"{len(totals)} rolls: {min(totals)} to {max(totals)}, {average} on average"))


def tell_mechanic(call: Call[Any], rolls: list[PlayResult[Any]], chooser: Chooser, seed: int | None) -> None:
    """Print the result and trace of a played mechanic; for several rolls, only the results."""
    console = make_console()
    console.print(call_heading(call, _seed(seed)))
    if len(rolls) == 1:
        (played,) = rolls
        console.print(Text(_shown(played.result), style=f"{HEAD} {GOOD}"))
        for line in played.trace.steps_in_words():
            said = _without_nothing(in_plain_words(line.lstrip())).replace(f"{call.mechanic.system}.", "")
            if not said.startswith("went on with"):
                console.print(indented(said, len(line) - len(line.lstrip())))
        ledger = load_system(call.mechanic.system).ledger
        titles = [ledger[rule].title for rule in played.trace.rules if rule in ledger]
        console.print(indented(f"Rules: {' · '.join(titles)}", 2, style=QUIET))
    else:
        for place, played in enumerate(rolls, start=1):
            console.print(Text(f"{place:>{len(str(len(rolls)))}}  {_shown(played.result)}"))
        counts: dict[Any, int] = {}
        for played in rolls:
            counts[played.result] = counts.get(played.result, 0) + 1
        if len(counts) < len(rolls):
            ranked = sorted(counts.items(), key=lambda pair: -pair[1])[:8]
            console.print(
                Text(
                    "; ".join([f"{count} x {_shown(result)}" for result, count in ranked]),
                    style=QUIET,
                )
            )
    for line in chooser.defaults:
        console.print(Text(line, style=QUIET))


_NOTHING = re.compile(r", [a-z][a-z ]* (?:none|no|nothing)(?=,|;|$)")


def _shown(result: object) -> str:
    return _without_nothing(in_plain_words(format_value(result)))


def _without_nothing(text: str) -> str:
    """A result in words without those of its parts that say nothing.

    >>> _without_nothing("success no, level good, critical failure none, hoped yes")
    'success no, level good, hoped yes'
    """
    return _NOTHING.sub("", text)


def _seed(seed: int | None) -> str:
    return "typed faces" if seed is None else f"seed {seed}"
