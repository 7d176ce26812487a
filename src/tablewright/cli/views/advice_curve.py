"""``tablewright advise`` over unknown values: the best option at each value, its switches, and blind advice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from tablewright.cli.arguments.text import arguments_of, call_of, names_mechanic, validate_words
from tablewright.cli.output.errors import note
from tablewright.cli.output.progress import waiting
from tablewright.cli.output.streams import as_question, print_json
from tablewright.cli.views.changes import near
from tablewright.cli.views.odds_answer import paths_of, seconds_of
from tablewright.errors import InvalidInputError
from tablewright.game.narration.formatting import label_of
from tablewright.game.system.registry import find_mechanic
from tablewright.lab.deadline import Deadline
from tablewright.lab.odds.advice_curve import AdviceCurve, Blind, Curve, advice_curve
from tablewright.lab.odds.charts import write_file

if TYPE_CHECKING:
    from rich.console import Console

    from tablewright.engine import DecisionPoint

MOST_QUESTIONS = 4
MOST_OPTIONS = 9
_MOST_CURVES = 6

Shower = Callable[[Fraction], str]


def answer_curve(
    words: Sequence[str],
    objective: str | None,
    weights: str | None,
    output: Sequence[str],
    *,
    replace: bool,
    seconds: str | None,
    as_json: bool,
) -> None:
    """Compute advice over unknown values; print it or its JSON, and write files."""
    paths = paths_of(output, replace=replace)
    if not words or not names_mechanic(words[0]):
        call_of(words)  # raises and lists the known names
    mechanic = find_mechanic(words[0][:100])
    given = arguments_of(validate_words(words)[1:], mechanic)
    deadline = Deadline(seconds_of(seconds))
    with waiting("Weighing choices") as progress:
        advice = advice_curve(mechanic, given, objective, weights=weights, progress=progress, deadline=deadline)
    for path in paths:
        write_file(path, advice, replace=replace)
    if as_json:
        print_json(advice.to_json())
    else:
        draw_advice_curve(advice)
    if paths:
        note(f"written to {', '.join([near(path.absolute()) for path in paths])}")


def draw_advice_curve(advice: AdviceCurve) -> None:
    """Draw every choice over the unknown values, in order."""
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.output.console import QUIET, heading, make_console  # noqa: PLC0415
    from tablewright.cli.output.numbers import number, percent  # noqa: PLC0415

    if not advice.curves:
        raise InvalidInputError(f"nobody chooses anything in {advice.mechanic.name}; `tablewright odds` shows its odds")
    console = make_console()
    show: Shower = percent if advice.is_chance else number
    fixed = " ".join([f"{name}={label_of(value)}" for name, value in advice.fixed.items()])
    console.print(heading(advice.mechanic.name, f"{fixed}  for the best {advice.objective}".strip()))
    matter = [one for one in advice.curves if any(one.margin(at) for at in range(len(advice.points)))]
    drawn = matter[:MOST_QUESTIONS] or advice.curves[:1]
    for curve in drawn:
        console.print()
        console.print(
            heading(as_question(curve.question), f"{curve.seat}{': the less the better' * curve.wants_least}")
        )
        if curve.given:
            console.print(Text(f"  after {' / '.join(curve.given)}", style=QUIET))
        if len(advice.axes) == 1:
            _draw_over_one(console, advice, curve, show)
        else:
            _draw_over_two(console, advice, curve)
    left = len(advice.curves) - len(drawn)
    if left or not advice.complete:
        more = "more situations with a choice"
        idle = len(advice.curves) - len(matter) - (not matter)
        made = f", in {idle} of them it makes no difference what" if idle else ""
        console.print()
        console.print(Text(f"{left}{'' if advice.complete else ' or'} {more}{made}; --json has them", style=QUIET))
    for place, reason in advice.refused[:3]:
        where = " ".join([f"{name}={label_of(value)}" for name, value in advice.points[place].items()])
        console.print(Text(f"- at {where}: {reason}"))
    if advice.blind is not None:
        _draw_blind(console, advice, advice.blind, show)


def _draw_over_one(console: Console, advice: AdviceCurve, curve: Curve, show: Shower) -> None:
    """Draw a row per value with each option's value, the best one marked, and the switches below."""
    from rich.text import Text  # noqa: PLC0415

    from tablewright.cli.views.curve import Series, draw_curve  # noqa: PLC0415
    from tablewright.cli.views.odds_table import print_stripes  # noqa: PLC0415

    axis = advice.axes[0]
    print_stripes(console, _stripes(console, advice, curve, show))
    for line in best_stretches(advice, curve):
        console.print(Text(line))
    told = [option for option in curve.options if curve.ever_best(option)][:_MOST_CURVES]
    if len(axis.values) >= 5 and len(told) > 1:
        console.print()
        draw_curve(console, axis, [Series(name, curve.worths(name)) for name in told], is_chance=advice.is_chance)


def _stripes(console: Console, advice: AdviceCurve, curve: Curve, show: Shower) -> list[Any]:
    from tablewright.cli.output.console import GOOD, QUIET  # noqa: PLC0415
    from tablewright.cli.views.odds_table import Stripe  # noqa: PLC0415

    axis = advice.axes[0]
    first = Stripe(axis.name, list(axis.labels))
    best = ["-" if name is None else _said(name) for name in curve.best]
    margins = [_by(curve, at, show) for at in range(len(axis.values))]
    last = [Stripe("best", best, GOOD, left=True), Stripe("by", margins, QUIET)]
    options = sorted(curve.options, key=lambda name: not curve.ever_best(name))[:MOST_OPTIONS]
    columns = []
    for name in [option for option in curve.options if option in options]:
        worths = curve.worths(name)
        cells = ["-" if worth is None else show(worth) for worth in worths]
        marked = [f"{cell}{'*' if name == best else ' '}" for cell, best in zip(cells, curve.best, strict=True)]
        columns.append(Stripe(f"{_said(name)[:24]} ", marked))
    if sum([stripe.width + 2 for stripe in (first, *columns, *last)]) <= console.width:
        return [first, *columns, *last]
    worth = [Stripe("worth", ["-" if value is None else show(value) for value in advice.values])]
    return [first, *last, *worth] if curve is advice.curves[0] else [first, *last]


def _by(curve: Curve, at: int, show: Shower) -> str:
    from tablewright.cli.output.numbers import lead  # noqa: PLC0415

    situation = curve.situations[at]
    if situation is None or len(situation.options) < 2:
        return ""
    return lead(situation.margin, show) if situation.margin else "a tie"


def _said(option: str) -> str:
    return {"True": "yes", "False": "no"}.get(option, option)


def best_stretches(advice: AdviceCurve, curve: Curve) -> list[str]:
    """Sentences that name the best option of each interval of values."""
    labels = advice.axes[0].labels
    lines = []
    for name, places in groupby([at for at, one in enumerate(curve.best) if one is not None], curve.best.__getitem__):
        first, *rest = places
        where = f"{labels[first]} to {labels[rest[-1]]}" if rest else labels[first]
        lines.append(f"{advice.axes[0].name} {where}: {_said(name or '')} is best")
    return lines


def _draw_over_two(console: Console, advice: AdviceCurve, curve: Curve) -> None:
    """Draw the best option in every cell of a grid."""
    from tablewright.cli.views.odds_table import draw_grid  # noqa: PLC0415

    down, across = advice.axes
    best = ["-" if name is None else _said(name) for name in curve.best]
    draw_grid(console, (down.name, down.labels), (across.name, across.labels), "the best option", best)


def _draw_blind(console: Console, advice: AdviceCurve, blind: Blind, show: Shower) -> None:
    """Draw the best choice without knowing the value, and the value of knowing it."""
    from rich.text import Text  # noqa: PLC0415

    from tablewright.cli.output.console import QUIET, heading  # noqa: PLC0415

    axis = advice.axes[0]
    console.print()
    told = f"{axis.name} unknown, each value as likely as it weighs"
    console.print(heading("Without knowing", told))
    matter = sorted([one for one in blind.choices if one.margin], key=lambda one: -one.chance)
    drawn = matter[:MOST_QUESTIONS] or blind.choices[:1]
    for situation in drawn:
        _draw_situation(console, situation, show)
    if len(blind.choices) > len(drawn):
        console.print(Text(f"{len(blind.choices) - len(drawn)} more situations; --json has them", style=QUIET))
    more = "" if blind.exact else " (as if it were known after the first choice)"
    console.print(Text(f"{advice.objective}: {show(blind.value)} expected{more}"))
    gain = show(blind.worth_of_knowing) if blind.worth_of_knowing else "nothing"
    console.print(Text(f"to know {axis.name} beforehand would be worth {gain}"))


def _draw_situation(console: Console, situation: DecisionPoint, show: Shower) -> None:
    from rich.text import Text  # noqa: PLC0415

    from tablewright.cli.output.console import GOOD, QUIET  # noqa: PLC0415
    from tablewright.cli.output.numbers import fraction, lead  # noqa: PLC0415
    from tablewright.cli.views.odds_table import Stripe, print_stripes  # noqa: PLC0415

    console.print(Text(f"{as_question(situation.question)}  {situation.seat}"))
    if situation.given:
        console.print(Text(f"  after {' / '.join(situation.given)}", style=QUIET))
    options = situation.options
    marks = [
        (f"best by {lead(situation.margin, show)}" if situation.margin else "best") if one.best else ""
        for one in options
    ]
    print_stripes(
        console,
        [
            Stripe("", [f"  {_said(one.id)}" for one in options], left=True),
            Stripe("", [show(one.value) for one in options]),
            Stripe(
                "", ["" if one.value.denominator == 1 else fraction(one.value) for one in options], QUIET, left=True
            ),
            Stripe("", marks, GOOD, left=True),
        ],
    )
