"""Deeds of the spirit in a fight: sensing and shaping take one significant action."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.remembering import by_identity
from tablewright.game.scene import Live, Scene
from tablewright.systems.marchen.actions.common import FIGHTING, SIGNIFICANT, TURN, UP, foes_of
from tablewright.systems.marchen.character import MarchenCharacter
from tablewright.systems.marchen.content import Depth
from tablewright.systems.marchen.magic import CAST, LEVEL, adept_in, depth_named, too_far, work_magic
from tablewright.systems.marchen.values import SkillId

QUICK = ("sense", "shape")
"""The depths that take one significant action; the others take a puncti or a watch."""


@by_identity
def ways_of(character: MarchenCharacter, library: object) -> tuple[tuple[str, SkillId], ...]:
    """The depths that somebody reaches within a turn, each with the skill for it, the deeper first."""
    found: list[tuple[str, SkillId]] = []
    for name in reversed(QUICK):
        skill = adept_in(character, depth_named(name, library).depth)  # type: ignore[arg-type]
        if skill is not None:
            found.append((name, skill))
    return tuple(found)


def _harms(scene: Scene, who: str) -> Iterator[Use]:
    if not ways_of(scene[who].character, scene.library):
        return
    for foe in foes_of(scene, who):
        for depth, _ in ways_of(scene[who].character, scene.library):
            yield Use("cast_harm", foe.id, depth, f"{depth.title()}: harm {scene.called(foe.id)}")


def _heals(scene: Scene, who: str) -> Iterator[Use]:
    if not ways_of(scene[who].character, scene.library):
        return
    side = scene[who].side
    for one in scene.participants:
        if one.side == side and one.present and one.status.physical and not one.status.fate:
            for depth, _ in ways_of(scene[who].character, scene.library):
                yield Use("cast_heal", one.id, depth, f"{depth.title()}: heal {scene.called(one.id)}")


def _near(scene: Scene, who: str, use: Use) -> str | None:
    return f"{scene.called(str(use.target))} is too far away" if too_far(scene, who, str(use.target)) else None


def _deep(scene: Scene, who: str, use: Use) -> str | None:
    if any(depth == use.detail for depth, _ in ways_of(scene[who].character, scene.library)):
        return None
    return f"no spiritual skill of {scene.called(who)} goes as deep as {use.detail}"


def _skill(scene: Scene, who: str, depth: str) -> tuple[Depth, SkillId]:
    skill = dict(ways_of(scene[who].character, scene.library))[depth]
    return depth_named(depth, scene.library), skill


async def _harm(game: Live, who: str, use: Use) -> None:
    depth, skill = _skill(game.scene, who, str(use.detail))
    await work_magic(game, who, str(use.target), skill, depth, "harm", "physical")


async def _heal(game: Live, who: str, use: Use) -> None:
    depth, skill = _skill(game.scene, who, str(use.detail))
    await work_magic(game, who, str(use.target), skill, depth, "heal", "physical")


def _cost(scene: Scene, who: str, use: Use) -> str:
    """An action, and what a success takes out of the spirit (marchen.gap.casting.price)."""
    spirit = depth_named(str(use.detail), scene.library).cost
    return f"significant action, {spirit} spiritual damage" if spirit else "significant action"


REQUIRES = (UP, FIGHTING, Requirement(LEVEL, _deep), Requirement(CAST, _near))


CASTING = (
    Action(
        "cast_harm",
        "Harm by the spirit",
        (CAST, "marchen.gap.casting.price"),
        _harm,
        REQUIRES,
        _harms,
        cost=_cost,
        price=SIGNIFICANT,
        price_rule=TURN,
    ),
    Action(
        "cast_heal",
        "Heal by the spirit",
        (CAST, "marchen.gap.casting.price"),
        _heal,
        REQUIRES,
        _heals,
        cost=_cost,
        price=SIGNIFICANT,
        price_rule=TURN,
    ),
)
