"""Recovering for a season: body and mind, heart, supply, things, the spirit; and starting again from nothing."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.engine import choose
from tablewright.game.common import BelongingsChanged
from tablewright.game.scene import Live, Scene
from tablewright.systems.marchen import life
from tablewright.systems.marchen.activities import add_supply, character_of, heal, in_sanctuary, lose_condition
from tablewright.systems.marchen.belongings import better, conditions_of
from tablewright.systems.marchen.character import score
from tablewright.systems.marchen.character.figures import limits
from tablewright.systems.marchen.degrees import Grade
from tablewright.systems.marchen.requiring import one_of
from tablewright.systems.marchen.suffering import grade_of, levels_of_success
from tablewright.systems.marchen.trying import rolled
from tablewright.systems.marchen.values import ASPECTS, meant_by

HEALED_BY_SONG = {Grade.FAILURE: 0, Grade.SUCCESS: 2, Grade.GREAT_SUCCESS: 4, Grade.EXTRAORDINARY_SUCCESS: 6}


async def hearten(game: Live, who: str, detail: str) -> None:
    """Social damage is gone, and a social condition."""
    cause = "marchen.recover.hearten"
    heal(game, who, "social", game[who].status.social, cause)
    await lose_condition(game, who, ("social",), cause)


async def recovery(game: Live, who: str, detail: str) -> None:
    """Physical and mental damage are gone, and one such condition."""
    cause = "marchen.recover.recovery"
    heal(game, who, "physical", game[who].status.physical, cause)
    heal(game, who, "mental", game[who].status.mental, cause)
    await lose_condition(game, who, ("physical", "mental"), cause)


async def resupply(game: Live, who: str, detail: str) -> None:
    """Supply for each level of success."""
    result = await rolled(game, who, "social", life.strangeness(character_of(game.scene, who), game.scene))
    add_supply(game, who, levels_of_success(result), "marchen.recover.resupply")


def is_worn(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that something needs repair."""
    return one_of(worn_things(scene, who), detail, f"{scene.called(who)} has nothing to repair:", owns="worn are")


def worn_things(scene: Scene, who: str) -> Iterator[str]:
    """What needs repair."""
    yield from dict.fromkeys([one.item for one in scene[who].status.belongings if one.left is not None])


async def mend(game: Live, who: str, detail: str) -> None:
    """Things lose a condition for each level of success: the one that was meant, then others."""
    cause = "marchen.recover.repair"
    result = await rolled(game, who, game.scene.options.repair_check)
    left = levels_of_success(result)
    while left and (worn := _worn(game, who)):
        meant = [detail] if detail in worn else worn
        item = await choose(game.seat(who), "what else is repaired?", meant, about={"who": who})
        mine = game[who].status.belongings
        spent = min(left, conditions_of(mine, item))
        if spent:
            mended = better(mine, item, spent)
            game.emit(BelongingsChanged(who=who, what=f"repairs {item}", belongings=mended, cause=cause))
            left -= spent


def _worn(game: Live, who: str) -> list[str]:
    mine = game[who].status.belongings
    return [item for item in worn_things(game.scene, who) if conditions_of(mine, item)]


async def corruption(game: Live, who: str, detail: str) -> None:
    """Spiritual damage falls by song or craft; in a sanctuary it is tried twice."""
    cause = "marchen.recover.heal_corruption"
    for _ in range(2 if in_sanctuary(game.scene) else 1):
        result = await rolled(game, who, meant_by(detail or "Song").what)
        grade = grade_of(result)
        heal(game, who, "spiritual", HEALED_BY_SONG[grade], cause)
        if grade in (Grade.GREAT_SUCCESS, Grade.EXTRAORDINARY_SUCCESS):
            await lose_condition(game, who, ("spiritual",), cause)


def can_burn(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that there is a point of the spirit to burn."""
    lowest = limits(scene.options)[0]
    now = score(character_of(scene, who), "spiritual", scene.options).total
    return None if now > lowest else f"the spiritual score is at {lowest}, the least"


async def there_and_back(game: Live, who: str, detail: str) -> None:
    """All damage is gone, for a point of the spirit."""
    cause = "marchen.recover.there_and_back_again"
    for aspect in ASPECTS:
        heal(game, who, aspect, getattr(game[who].status, aspect), cause)
    changed = life.permanently(
        character_of(game.scene, who), "spiritual", -1, "there and back again", game.scene.options
    )
    life.became(game, who, "spiritual -1 for good", changed, cause=cause)
