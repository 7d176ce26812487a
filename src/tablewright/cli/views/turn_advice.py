"""``tablewright advise FILE``: values of the options of a saved fight's open choice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablewright.cli.output.progress import waiting
from tablewright.cli.output.streams import print_json
from tablewright.cli.views.odds_answer import seconds_of
from tablewright.engine import Choice
from tablewright.game.narration.phrases import sentence
from tablewright.game.scene.scene import ActingSeat

if TYPE_CHECKING:
    from tablewright.game.session.session import Session
    from tablewright.lab.fights.turn_advice import TurnAdvice

MOST_OFFERS = 12
MOST_SECONDS = 20
"""Default limit in seconds for all options of one choice (``--seconds``)."""


def answer_turn(path: Path, *, seconds: str | None, as_json: bool) -> None:
    """Resume a saved fight and print advice on its open choice; nothing is written."""
    from tablewright.game.session.opening import resume_session  # noqa: PLC0415  (loads a whole system)
    from tablewright.lab.deadline import Deadline  # noqa: PLC0415
    from tablewright.lab.fights.turn_advice import advise_turn  # noqa: PLC0415

    allowed = seconds_of(seconds, MOST_SECONDS)
    session = resume_session(path)
    with waiting("Weighing options") as progress:
        advice = advise_turn(session, deadline=Deadline(allowed), progress=progress)
    if as_json:
        print_json(advice.to_json())
    else:
        draw_turn(advice, session, session.seat or "")


def draw_turn(advice: TurnAdvice, session: Session, viewer: str) -> None:
    """Draw the options, best first, with their chances and costs; the values only sort them."""
    from tablewright.game.narration.voices import sayings_of  # noqa: PLC0415
    from tablewright.game.session.promises import promises  # noqa: PLC0415

    question = session.question
    costs = {} if not isinstance(question, Choice) else dict(zip(question.ids, _costs(question), strict=True))
    told = promises(session, viewer, sayings_of(session.scene.system))
    rows = [(one.label or one.id, told.get(one.id, ""), costs.get(one.id, "")) for one in advice.ranked]
    draw_ranked(name_of(session), rows, [float(one.value) for one in advice.ranked])
    if advice.why:
        from rich.text import Text  # noqa: PLC0415  (loads rich)

        from tablewright.cli.output.console import QUIET, make_console  # noqa: PLC0415

        make_console().print(Text(f"At a glance only: {sentence(advice.why)}", style=QUIET))


def _costs(question: Choice[Any]) -> list[str]:
    texts = [question.cost_text(option) for option in question.options]
    return ["" if text == "nothing" else text for text in texts]


def name_of(session: Session) -> str:
    """Display name of the participant who is asked; empty if a seat plays several."""
    question, scene = session.question, session.scene
    who = question.details.get("who") if isinstance(question, Choice) else None
    if who is None:
        seat = session.seat
        own = [one.id for one in scene.present if one.seat == seat]
        who = seat.who if isinstance(seat, ActingSeat) else own[0] if len(own) == 1 else None
    return scene.display_name(who) if who is not None and who in scene else ""


def how_clearly(margin: float, spread: float) -> str:
    """Distance of the best option from the next, in words.

    >>> how_clearly(3, 10), how_clearly(0.1, 10), how_clearly(1, 10), how_clearly(0, 10)
    (', clearly', ', by a little', '', ', or another that is as good')
    """
    if not margin:
        return ", or another that is as good"
    share = margin / spread
    return ", clearly" if share >= 0.25 else ", by a little" if share < 0.05 else ""


def how_good(value: float, best: float, spread: float) -> str:
    """An option beside the best one, in words; ``spread`` is the distance from the best to the worst.

    >>> [how_good(value, 10, 10) for value in (10, 9.8, 8, 0)]
    ['as good', 'a little worse', 'worse', 'much worse']
    """
    behind = abs(best - value) / spread if spread else 0
    if not behind:
        return "as good"
    return "a little worse" if behind < 0.05 else "worse" if behind < 0.25 else "much worse"


def draw_ranked(who: str, rows: Sequence[tuple[str, str, str]], values: Sequence[float]) -> None:
    """Print the best option in a sentence, and the first options with their promises, costs and how good they are.

    Rows and values are in the same order, the best first.
    """
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.output.console import GOOD, HEAD, QUIET, make_console, table  # noqa: PLC0415

    console = make_console()
    best = rows[0][0]
    whom = f" for {who}" if who else ""
    spread = max(values) - min(values)
    clearly = how_clearly(min([abs(values[0] - value) for value in values[1:]], default=0), spread)
    console.print(Text(f"Best{whom}: {best[:1].lower()}{best[1:]}{clearly}.", style=HEAD))
    listed = table(("", "names"), ("", "names"), ("", "names"), ("", "text"), head=False)
    for place, (label, promise, cost) in enumerate(rows[:MOST_OFFERS]):
        beside = how_good(values[place], values[0], spread) if place else "best"
        style = GOOD if not place else ""
        listed.add_row(Text(label, style=style), Text(promise), Text(cost, style=QUIET), Text(beside, style=style))
    console.print(listed)
    if len(rows) > MOST_OFFERS:
        console.print(Text(f"{len(rows) - MOST_OFFERS} more, none of them better.", style=QUIET))
