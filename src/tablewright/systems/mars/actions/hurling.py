"""Throwing what was not made for it: any weapon in hand flies as if it were meant to, though not far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablewright.engine import choose
from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.scene import Live, Scene
from tablewright.systems.mars.actions.attack import strike, targets, why_out_of_range
from tablewright.systems.mars.actions.costs import AWAKE, NOT_BUSY, ONE_CHECK, SWIFTLY, time_spent
from tablewright.systems.mars.aiming import aim
from tablewright.systems.mars.now import Wielded, now

HURL = "mars.gap.weapon.improvised"


def hurled(scene: Scene, who: str) -> Iterator[Wielded]:
    """What somebody holds that can be thrown, though it was not made for it; what shoots is no missile itself."""
    for wielded in now(scene, who).wielded:
        if not wielded.bare and wielded.manners == ("melee",):
            yield wielded


def throws(scene: Scene, who: str) -> Iterator[Use]:
    """Everything that somebody could throw so, at everybody who is near enough."""
    for wielded in hurled(scene, who):
        for foe in targets(scene, who):
            if why_out_of_range(scene, who, wielded, "thrown", foe.id) is None:
                yield Use("hurling", foe.id, wielded.key, f"{wielded.weapon.name} at {scene.called(foe.id)}", "2 s")


def _something(scene: Scene, who: str, use: Use) -> str | None:
    if next(hurled(scene, who), None) is None:
        return "nothing in hand to throw"
    return None if next(throws(scene, who), None) is not None else "nobody is near enough"


async def _hurl(game: Live, who: str, use: Use) -> None:
    taken = await choose(
        game.seat(who), "throw what, and at whom?", lambda: list(throws(game.scene, who)), about={"who": who}
    )
    wielded = now(game.scene, who).weapon(str(taken.detail))
    assert wielded is not None
    aimed = aim(game.scene, who, wielded, "thrown", str(taken.target))
    await strike(game, aimed, cost=time_spent(game[who].status, "swift"), wielded=wielded, cause=HURL)


def hurling_actions() -> Sequence[Action]:
    """The actions of this room."""
    requirements = (AWAKE, NOT_BUSY, ONE_CHECK, Requirement(HURL, _something, once=True), SWIFTLY)
    return (Action("hurl", "Hurl what is in hand", (HURL, "mars.gap.weapon.thrown"), _hurl, requirements, None, "2 s"),)
