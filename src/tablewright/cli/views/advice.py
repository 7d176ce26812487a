"""Advice on the screen: each choice with the value of every option as bar and number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rich.console import Console
from rich.text import Text

from tablewright.cli.output.console import BAR, GOOD, HEAD, QUIET, call_heading, heading, indented, make_console, table
from tablewright.cli.output.numbers import bar, fraction, in_plain_words, lead, number, percent
from tablewright.cli.output.streams import as_question, counted, writes_unicode
from tablewright.engine import Advice, DecisionPoint, OptionValue, Role
from tablewright.game.narration.formatting import format_value
from tablewright.game.narration.phrases import dice_words, option_words

MOST_GROUPS = 8
FEW_GROUPS = 3
"""Upper bound for groups drawn in full; the others are summarised by their best option."""
MOST_OPTIONS = 30
MOST_CASES = 6
_NO_BAR_BELOW = 50
_SHORTEST_BAR = 6
_WENT_ON = "on with "
_ANSWERED = re.compile(r"^(\w+\.\w+)\(.*\): ")
"""A finished call in the history; its arguments are known from the earlier choice."""
_CALLED = re.compile(r"\w+\.\w+\((?:([a-z]\w*)\b)?.*\)")
"""A call that follows; its first argument in words, such as a degree, tells what has happened."""


_CHOSEN = re.compile(r"choose (.+): (.+)")
"""An answer in the history."""


class Group(NamedTuple):
    """Decision points with the same choice and equal values of every option."""

    situations: tuple[DecisionPoint, ...]

    @property
    def first(self) -> DecisionPoint:
        """A representative; the members differ only in their history."""
        return self.situations[0]

    @property
    def chance(self) -> Fraction:
        """Probability that one of them comes up."""
        return sum([situation.chance for situation in self.situations], Fraction(0))


def draw_advice(advice: Advice) -> None:
    """Draw every choice with the values of its options."""
    console = make_console()
    console.print(call_heading(advice.call))
    show, objective = _worth_shower(advice), advice.objective.replace("_", " ")
    if not advice.choices:
        console.print(Text(f"nobody chooses anything here; {objective}: {show(advice.value)} expected"))
        return
    exact = "" if advice.value.denominator == 1 else f" ({fraction(advice.value)})"
    console.print(Text(f"{objective}: {show(advice.value)}{exact} expected if every choice is the best"))
    groups = grouped(advice.choices)
    drawn = groups if len(groups) <= MOST_GROUPS else _likeliest(groups)
    for group in drawn:
        console.print()
        _draw_group(console, group, show)
    left = [group for group in groups if group not in drawn]
    if left or not advice.complete:
        console.print()
        for line in _in_short(left):
            console.print(Text(line))
        console.print(Text(f"--json lists {'all' if advice.complete else 'the first 200'} situations", style=QUIET))


def _likeliest(groups: Sequence[Group]) -> list[Group]:
    """The first group and the most probable others, in order."""
    often = sorted(groups[1:], key=lambda group: -group.chance)[: FEW_GROUPS - 1]
    return [group for group in groups if group is groups[0] or group in often]


def _in_short(groups: Sequence[Group]) -> Iterator[str]:
    """Summary of the groups that are not drawn, by question, with how often each option is best."""
    questions: dict[str, list[Group]] = {}
    for group in groups:
        questions.setdefault(group.first.question, []).append(group)
    for question, members in questions.items():
        often = sum([group.chance for group in members], Fraction(0))
        best: dict[str, Fraction] = {}
        for group in members:
            name = shown_option(group.first.best)
            best[name] = best.get(name, Fraction(0)) + group.chance
        ranked = sorted(best.items(), key=lambda pair: -pair[1])[:MOST_CASES]
        parts = [f"{name} {percent(chance / often)}" for name, chance in ranked] if often else list(best)
        cases = counted(len(members), "more situation")
        yield f"{as_question(question)}  in {cases} the best is: {', '.join(parts)}"


def grouped(choices: Sequence[DecisionPoint]) -> list[Group]:
    """Group decision points with equal choices and values, in order of appearance."""
    groups: dict[tuple[Any, ...], list[DecisionPoint]] = {}
    for situation in choices:
        worths = tuple([(option.id, option.value) for option in situation.options])
        groups.setdefault((situation.question, situation.seat, worths), []).append(situation)
    return [Group(tuple(members)) for members in groups.values()]


def _worth_shower(advice: Advice) -> Any:
    """Formatter of values: percent if the objective is a chance, else numbers."""
    return percent if advice.call.mechanic.is_chance(advice.objective) else number


def _draw_group(console: Console, group: Group, show: Any) -> None:
    situation = group.first
    often = "" if group.chance == 1 else f"comes up {percent(group.chance)} of the time"
    whose = f"{situation.seat}: the less the better" if situation.seat == Role.OPPONENT.value else situation.seat
    console.print(heading(as_question(situation.question), f"{whose}  {often}".strip()))
    _draw_cases(console, group)
    options = situation.options
    if len({option.value for option in options}) == 1:
        names = ", ".join([shown_option(option) for option in options[:8]]) + (", ..." if len(options) > 8 else "")
        console.print(indented(f"no difference: {show(options[0].value)} with {names}"))
        return
    kept = options if len(options) <= MOST_OPTIONS else _near_best(options)
    lowest, highest = min([o.value for o in options]), max([o.value for o in options])
    longest = max([len(shown_option(option)) for option in kept])
    width = min(30, console.width - 40, console.width - longest - 36)
    unicode = writes_unicode()
    columns = [("", "name"), ("", "number"), ("", "bar"), ("", "text")]
    has_bars = console.width >= _NO_BAR_BELOW and width >= _SHORTEST_BAR
    if not has_bars:
        columns.remove(("", "bar"))
    rows = table(*columns, head=False)
    base = min(lowest, Fraction(0))
    span = highest - base
    for option in kept:
        style = f"{HEAD} {GOOD}" if option.best else ""
        exact = "" if option.value.denominator == 1 else fraction(option.value)
        mark = _mark(situation, show) if option.best else ""
        share = float((option.value - base) / span) if span else 0.0
        cells = [Text(shown_option(option), style=style), Text(show(option.value), style=style)]
        if has_bars:
            cells.append(Text(bar(share, width, unicode=unicode).ljust(width), style=GOOD if option.best else BAR))
        rows.add_row(*cells, Text(f"{exact}  {mark}".strip() if exact or mark else "", style=style or QUIET))
    console.print(rows)
    if len(kept) < len(options):
        console.print(Text(f"{len(options) - len(kept)} worse options are left out", style=QUIET))


def _draw_cases(console: Console, group: Group) -> None:
    """Print the histories that lead to a group, up to ``MOST_CASES``."""
    if group.chance == 1:
        return  # it always comes up
    cases = [*dict.fromkeys([case for one in group.situations if one.given and (case := _case(one))])]
    for case in cases[:MOST_CASES]:
        console.print(indented(f"with {case}" if group.first.about else f"after: {case}", style=QUIET))
    if len(cases) > MOST_CASES:
        console.print(indented(f"or in {len(cases) - MOST_CASES} other ways", style=QUIET))


def _case(situation: DecisionPoint) -> str:
    """Knowledge at a decision point: the details of its question, or else the dice and answers before it."""
    if situation.about:
        return ", ".join([f"{name.replace('_', ' ')} {format_value(value)}" for name, value in situation.about])
    given = situation.given
    start = max([place for place, step in enumerate(given) if step.startswith(_WENT_ON)], default=0)
    steps = [_ANSWERED.sub(r"\1: ", step).removeprefix(_WENT_ON) for step in given[start:]]
    told = [_as_told(in_plain_words(step)) for step in steps if not _CALLED.fullmatch(step)]
    told = told or [in_plain_words(found[1]) for step in steps if (found := _CALLED.fullmatch(step)) and found[1]]
    return " · ".join(told) if writes_unicode() else " | ".join(told)


def _as_told(step: str) -> str:
    """A step of a rule as a person tells it.

    >>> _as_told("choose spend Luck: no"), _as_told("roll 4D with the Wild Die first: 12")
    ('spend Luck? no', '4D: 12')
    """
    if chosen := _CHOSEN.fullmatch(step):
        return f"{chosen[1].rstrip('?')}? {chosen[2]}"
    return dice_words(step.removeprefix("roll "))


def _near_best(options: Sequence[OptionValue]) -> list[OptionValue]:
    """Options around the best one, in order, up to ``MOST_OPTIONS``."""
    place = next(place for place, option in enumerate(options) if option.best)
    start = max(0, min(place - MOST_OPTIONS // 2, len(options) - MOST_OPTIONS))
    return list(options[start : start + MOST_OPTIONS])


def shown_option(option: OptionValue) -> str:
    """Label of an option, or its id in words; yes or no for booleans."""
    if isinstance(option.option, bool):
        return format_value(option.option)
    label = getattr(option.option, "label", None)
    return label if isinstance(label, str) and label else option_words(option.id)


def _mark(situation: DecisionPoint, show: Any) -> str:
    ties = [
        shown_option(option) for option in situation.options if option.value == situation.best.value and not option.best
    ]
    if ties:
        return f"best, as good as {', '.join(ties[:3])}{', ...' if len(ties) > 3 else ''}"
    return f"best by {lead(situation.margin, show)}" if situation.margin else "best"
