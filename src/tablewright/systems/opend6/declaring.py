"""How many actions somebody takes in a round: what may be declared, what it costs, and the question."""

from __future__ import annotations

from typing import Any, NamedTuple

from tablewright.engine import choose
from tablewright.game.rounds import MOST_DEEDS
from tablewright.game.scene import Live, Scene
from tablewright.systems.opend6.character import figures
from tablewright.systems.opend6.events import Declared
from tablewright.systems.opend6.pools import penalty_dice
from tablewright.systems.opend6.status import Status, is_here, level, wound_penalty

COUNT = "opend6.turn.declare_count"


def most_actions(scene: Scene, who: str) -> int:
    """How many actions may be declared: those in which a die of the best code is left, and one in which none is."""
    status: Status = scene[who].status
    codes = figures(scene[who].character, scene.library).codes
    best = max(codes.values()).dice * (2 if status.fate or status.climactic else 1)
    return min(MOST_DEEDS, best + status.quick + 1)


class Number(NamedTuple):
    """A number of actions that can be declared, and the dice that each of their rolls then lacks."""

    actions: int
    less: int

    @property
    def id(self) -> str:
        """The number."""
        return str(self.actions)

    @property
    def label(self) -> str:
        """How many there are, in words."""
        return f"{self.actions} action{'s' if self.actions > 1 else ''}"

    @property
    def cost(self) -> str:
        """What it takes from every roll of the round, in words."""
        return f"each roll at -{self.less}D" if self.less else "no penalty"


async def declare(game: Live, who: str, *, moved_up: bool = False) -> None:
    """How many actions somebody takes in this round: asked once, at the first of them."""
    from tablewright.systems.opend6.bots import worth_of_actions  # noqa: PLC0415 - bots know all actions

    scene = game.scene
    allotment = 1 + scene[who].status.quick
    numbers = [Number(count, penalty_dice(count, allotment)) for count in range(1, most_actions(scene, who) + 1)]
    taken = await choose(
        game.seat(who),
        "how many actions this round?",
        numbers,
        about={"who": who, **_hurt(scene, who)},
        leads_to=lambda number: worth_of_actions(scene, who, number.actions),
    )
    if is_here(game.scene, who):
        game.emit(Declared(who=who, actions=taken.actions, moved_up=moved_up, cause=COUNT))


def _hurt(scene: Scene, who: str) -> dict[str, Any]:
    """What injuries take from every roll, for whoever is asked."""
    dice = wound_penalty(scene, who)
    return {level(scene, who).replace("_", " "): f"-{dice}D"} if dice else {}
