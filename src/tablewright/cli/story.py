"""How a roll came about, told line by line: dice, choices, results and the rules behind them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.text import Text

from tablewright.cli.numbers import number
from tablewright.cli.paper import GOOD, HEAD, QUIET, call_heading, heading, indented, paper
from tablewright.dice import Rollable
from tablewright.engine import Call, Played
from tablewright.game.registry import load_system
from tablewright.game.wording import shown

if TYPE_CHECKING:
    from tablewright.cli.choosing import Chooser
    from tablewright.cli.roll import Thrown


def tell_dice(dice: Rollable[Any], rolls: list[Thrown], seed: int | None) -> None:
    """Show what dice came to."""
    console = paper()
    console.print(heading(str(dice), _seed(seed)))
    for thrown in rolls:
        line = Text().append(shown(thrown.result), style=HEAD)
        console.print(line.append(f"  {' '.join(map(str, thrown.faces))}", style=QUIET))
    totals = [thrown.result for thrown in rolls]
    if len(totals) > 1 and all(type(total) is int for total in totals):
        average = number(Fraction(sum(totals), len(totals)))
        console.print(Text(f"{len(totals)} rolls: {min(totals)} to {max(totals)}, {average} on average"))


def tell_mechanic(call: Call[Any], rolls: list[Played[Any]], chooser: Chooser, seed: int | None) -> None:
    """Show the result of a played mechanic and its trace; of many, only what each came to."""
    console = paper()
    console.print(call_heading(call, _seed(seed)))
    if len(rolls) == 1:
        (played,) = rolls
        console.print(Text(shown(played.result), style=f"{HEAD} {GOOD}"))
        title = load_system(call.mechanic.system).ledger
        lines = played.trace.explain(lambda rule: title[rule].title if rule in title else "").splitlines()
        for line in lines:
            said = line.lstrip()
            console.print(indented(said, len(line) - len(said), style=QUIET if said.startswith("[") else ""))
    else:
        for place, played in enumerate(rolls, start=1):
            console.print(Text(f"{place:>{len(str(len(rolls)))}}  {shown(played.result)}"))
        counts: dict[Any, int] = {}
        for played in rolls:
            counts[played.result] = counts.get(played.result, 0) + 1
        if len(counts) < len(rolls):
            ranked = sorted(counts.items(), key=lambda pair: -pair[1])[:8]
            console.print(Text("; ".join([f"{count} x {shown(result)}" for result, count in ranked]), style=QUIET))
    for question, option in dict.fromkeys(
        (made.question, made.option) for made in chooser.made if made.by == "default"
    ):
        console.print(
            Text(f'nobody was asked "{question}": {option} by default (--choose "{question}=...")', style=QUIET)
        )


def _seed(seed: int | None) -> str:
    return "typed faces" if seed is None else f"seed {seed}"
