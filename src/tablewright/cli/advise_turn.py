"""``tablewright advise FILE``: what each option of the open question of a saved fight is worth to whoever is asked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tablewright.cli.odds_tables import seconds_of
from tablewright.cli.screen import as_question, print_json
from tablewright.cli.waiting import waiting

if TYPE_CHECKING:
    from tablewright.lab.turns import TurnAdvice

MOST_OFFERS = 12
MOST_SECONDS = 20
"""Default limit in seconds for all options of one question (``--seconds``)."""


def answer_turn(path: Path, *, seconds: str | None, as_json: bool) -> None:
    """Resume a saved fight and tell what the open question's options are worth; nothing is written."""
    from tablewright.game.opening import resume_session  # noqa: PLC0415  (loads a whole system)
    from tablewright.lab.deadline import Deadline  # noqa: PLC0415
    from tablewright.lab.turns import advise_turn  # noqa: PLC0415

    allowed = seconds_of(seconds, MOST_SECONDS)
    session = resume_session(path)
    with waiting("options") as progress:
        advice = advise_turn(session, deadline=Deadline(allowed), progress=progress)
    if as_json:
        print_json(advice.to_json())
    else:
        draw_turn(advice)


def draw_turn(advice: TurnAdvice) -> None:
    """Draw the options, best first, with what they are worth and what they change."""
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.numbers import lead, number, percent  # noqa: PLC0415
    from tablewright.cli.paper import GOOD, HEAD, QUIET, heading, paper, table  # noqa: PLC0415

    console = paper()
    show = percent if advice.in_chances else number
    console.print(heading(as_question(advice.question), advice.seat))
    less = ": the less the better" if advice.wants_least else ""
    console.print(Text(f"by {advice.objective}{less}", style=QUIET))
    shown = advice.ranked[:MOST_OFFERS]
    by = f"best by {lead(advice.margin, show)}" if advice.margin else "best, a tie"
    changes = any(offer.change for offer in shown)
    rows = table(("", "names"), ("", "number"), *([("changes", "number")] if changes else []), ("", "name"))
    rows.show_header = changes
    for offer in shown:
        style = f"{HEAD} {GOOD}" if offer.best else ""
        cells = [Text(offer.label or offer.id, style=style), Text(show(offer.value), style=style)]
        if changes:
            cells.append(Text(f"{float(offer.change):+.4g}" if offer.change else "=", style=QUIET))
        rows.add_row(*cells, Text(by if offer.best else "", style=style))
    console.print(rows)
    if len(advice.offers) > len(shown):
        console.print(Text(f"{len(advice.offers) - len(shown)} more; --json has them", style=QUIET))
    if advice.why:
        console.print(Text(f"at a glance only: {advice.why}", style=QUIET))
