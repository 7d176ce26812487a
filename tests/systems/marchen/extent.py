"""What a played-out Märchen Engine has shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from conformance.extents import Extent, Shows
from systems.marchen.calls import CALLS, CHECKS
from systems.marchen.casts import CONDITIONS, armed, settled, troubled
from tablewright.game.events import Event
from tablewright.game.scene import Scene
from tablewright.systems.marchen.catalogue import MONTHLY, SEASONAL, WEEKLY
from tablewright.systems.marchen.content import Armour, Assault
from tablewright.systems.marchen.events import Harmed, Maneuvered, Struck
from tablewright.systems.marchen.magic import CAST
from tablewright.systems.marchen.seasons import SeasonEnded, Spent
from tablewright.systems.marchen.status import Status
from tablewright.systems.marchen.tables import DEGREES


def _conditions(status: Status) -> list[str]:
    return [one.name for one in status.conditions]


def _weapons(scene: Scene, event: Event | None) -> Iterator[str]:
    if isinstance(event, Struck) and not scene.library.has(Assault, event.arms):
        yield event.arms.partition("/")[0]


def _assaults(scene: Scene, event: Event | None) -> Iterator[str]:
    if isinstance(event, Struck) and scene.library.has(Assault, event.arms):
        yield event.arms


def _armour(scene: Scene, event: Event | None) -> Iterator[str]:
    """What somebody wears or holds before them who is struck."""
    if isinstance(event, Struck):
        for carried in scene[event.who].status.belongings:
            if carried.place != "pack" and scene.library.has(Armour, carried.item):
                yield carried.item


def _degrees(scene: Scene, event: Event | None) -> Iterator[str]:
    if isinstance(event, Struck):
        yield event.degree


def _reactions(scene: Scene, event: Event | None) -> Iterator[str]:
    if isinstance(event, Struck):
        yield event.reaction


def _outs(scene: Scene, event: Event | None) -> Iterator[str]:
    if isinstance(event, Struck) and event.out:
        yield event.out


def _faces(scene: Scene, event: Event | None) -> Iterator[str]:
    if isinstance(event, Struck) and event.hurt.face:
        yield event.hurt.face
    if isinstance(event, Harmed) and event.suffered.face:
        yield event.suffered.face


def _depths(scene: Scene, event: Event | None) -> Iterator[str]:
    if isinstance(event, Maneuvered) and event.cause == CAST:
        yield event.what.partition(" ")[0].lower()


def _activities(scene: Scene, event: Event | None) -> Iterator[str]:
    plans: list[str] = []
    if isinstance(event, SeasonEnded):
        plans = list(event.plans)
    elif isinstance(event, Spent):
        plans = [f"{event.scale}/{event.plan}"]
    for plan in plans:
        yield plan.partition(":")[0]


SHOWS: Mapping[str, Shows] = {
    "weapons": _weapons,
    "armour": _armour,
    "assaults": _assaults,
    "degrees": _degrees,
    "reactions": _reactions,
    "outs": _outs,
    "faces": _faces,
    "depths": _depths,
    "activities": _activities,
}
WORDS = tuple([degree.value for degree in DEGREES])
FIRST = Path(__file__).with_name("plays.txt")
"""The plays that together show everything, one in each line; `python -m conformance.choosing marchen` chooses them."""

EXTENT = Extent(
    more={
        "conditions": tuple([one.name for one in CONDITIONS]),
        "degrees": (*WORDS, "won", "lost"),
        "reactions": ("none", "dodge", "parry"),
        "outs": ("felled", "yields", "flees"),
        "faces": WORDS,
        "activities": (
            *[one.id for one in SEASONAL],
            *[f"month/{one.id}" for one in MONTHLY],
            *[f"week/{one.id}" for one in WEEKLY],
        ),
    },
    conditions=_conditions,
    shows=SHOWS,
    carried=("gear",),
    never_negative=("physical", "mental", "social", "spiritual", "aim", "reactions", "soaked"),
    checks=CHECKS,
    arguments=CALLS,
    casts={"armed": armed, "troubled": troubled, "settled": settled},
    first=tuple(FIRST.read_text(encoding="utf-8").splitlines()),
    plays=120,
)
