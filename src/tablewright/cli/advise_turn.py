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


def answer_turn(path: Path, *, seconds: str | None, as_json: bool) -> None:
    """Resume a saved fight and tell what the open question's options are worth; nothing is written."""
    from tablewright.game.opening import resume_session  # noqa: PLC0415  (loads a whole system)
    from tablewright.lab.turns import MOST_SECONDS, advise_turn  # noqa: PLC0415

    allowed = MOST_SECONDS if seconds is None else seconds_of(seconds)
    session = resume_session(path)
    with waiting("options") as progress:
        advice = advise_turn(session, most_seconds=allowed, progress=progress)
    if as_json:
        print_json(advice.to_json())
    else:
        draw_turn(advice)


def draw_turn(advice: TurnAdvice) -> None:
    """Draw the options, best first, with what they are worth and what they change."""
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.numbers import number, percent  # noqa: PLC0415
    from tablewright.cli.odds_drawing import Stripe, print_stripes  # noqa: PLC0415
    from tablewright.cli.paper import GOOD, QUIET, heading, paper  # noqa: PLC0415

    console = paper()
    show = percent if advice.in_chances else number
    console.print(heading(as_question(advice.question), advice.seat))
    less = ": the less the better" if advice.wants_least else ""
    console.print(Text(f"by {advice.objective}{less}", style=QUIET))
    shown = advice.ranked[:MOST_OFFERS]
    room = max(12, console.width - 40)
    by = f"best by {show(advice.margin)}" if advice.margin else "best, others are as good"
    stripes = [
        Stripe("", [_cut(offer.label or offer.id, room) for offer in shown], left=True),
        Stripe("", [show(offer.value) for offer in shown]),
    ]
    if any(offer.change for offer in shown):
        changes = [f"{float(offer.change):+.4g}" if offer.change else "=" for offer in shown]
        stripes.append(Stripe("changes", changes, QUIET))
    print_stripes(console, [*stripes, Stripe("", [by if offer.best else "" for offer in shown], GOOD, left=True)])
    if len(advice.offers) > len(shown):
        console.print(Text(f"{len(advice.offers) - len(shown)} more; --json has them", style=QUIET))
    if advice.why:
        console.print(Text(f"at a glance only: {advice.why}", style=QUIET))


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 3] + "..."
