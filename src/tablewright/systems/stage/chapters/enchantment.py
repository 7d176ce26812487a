"""Magic that takes hours: learning spells and enchanting items."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from tablewright.engine import Param, process
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean
from tablewright.game.character.belongings import Belongings, ItemStack, with_one
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.play.time_passage import AtPeace, advance_time
from tablewright.game.play.trade import ItemId
from tablewright.game.scene.game import Game
from tablewright.game.values import freeze
from tablewright.systems.stage.belongings import TRADE
from tablewright.systems.stage.character.costs import levels_to_learn, may_learn
from tablewright.systems.stage.character.figures import (
    ENCHANTMENTS,
    ENERGY,
    added,
    enchantments_in,
    energy_in,
    is_whole,
)
from tablewright.systems.stage.character.gear import item_of
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.content import Armour, Enchantment, Item, Spell, Weapon
from tablewright.systems.stage.events.fight import Hurt, emit_harm
from tablewright.systems.stage.values import HOUR, titled

Situation = Annotated[tuple[str, ...], Param("words of the situation, each as name=value")]


GOES_INTO: dict[str, tuple[type[Item], str]] = {
    "weapon": (Weapon, "a weapon"),
    "armour": (Armour, "armour"),
    "item": (Item, "any item"),
}


def enchanted(mine: Belongings, item: str, enchantment: Enchantment, energy: int) -> Belongings:
    """The belongings with one more enchantment in a thing; its energy adds up (stage.magic.combine_enchantments)."""
    one = _thing(mine, item)
    inside = dict(energy_in(one))
    inside[enchantment.energy] = inside.get(enchantment.energy, 0) + energy
    more = {**dict(one.more), ENCHANTMENTS: [*enchantments_in(one), enchantment.id], ENERGY: inside}
    return with_one(mine, mine.index(one), replace(one, count=1, more=freeze(more)))


def _thing(mine: Belongings, item: str) -> ItemStack:
    for one in mine:
        if one.item == item and is_whole(one):
            return one
    message = f'"{item:.40}" is not among the belongings{did_you_mean(item, [one.item for one in mine])}'
    raise IllegalActionError(message, rule="stage.magic.enchant_check")


@process(rules=["stage.magic.app_enchant", "stage.magic.enchant_check", "stage.magic.sacrifice"])
async def enchant(
    game: Game,
    who: AtPeace,
    enchantment: Annotated[str, Param("the enchantment, by id")],
    item: ItemId,
    core: Annotated[int, Param("core points of the sacrifice that are used", 1, 100)],
    sacrifice: Annotated[str, Param("the id of the sacrifice; empty for a creature that is not played")] = "",
    situation: Situation = (),
) -> bool:
    """Put an enchantment into a thing: an hour and a point for every core point; the sacrifice dies in any case."""
    from tablewright.game.session.processes import check  # noqa: PLC0415 - it runs over rulebooks

    library, options = game.scene.library, game.scene.options
    found = library.get(Enchantment, enchantment)
    character: StageCharacter = game[who].character
    if found.id not in character.enchantments:
        known = ", ".join([library.get(Enchantment, one).name for one in character.enchantments]) or "no enchantment"
        raise IllegalActionError(
            f"{character.name} does not know {found.name}, but {known}", rule="stage.magic.learn_limit"
        )
    if not may_learn(found, character):
        raise IllegalActionError(f"{found.name} needs {levels_to_learn(found)}", rule="stage.magic.learn_limit")
    thing, (kind, wanted) = item_of(item, library), GOES_INTO[found.goes_in]
    if not isinstance(thing, kind):
        message = f"{thing.name} takes no {found.name}, which goes into {wanted}"
        raise IllegalActionError(message, rule="stage.gap.magic.enchantments")
    inside = sum(energy_in(_thing(game[who].belongings, item)).values())
    full = core + sum([part.changed for part in added(f"sacrifice.{found.school}", character, options, library)])
    if full < found.core:
        message = f"{found.name} needs {found.core} {found.energy.title()}, the sacrifice yields {full}"
        raise IllegalActionError(message, rule="stage.gap.magic.enchantments")
    complexity = thing.complexity
    if inside + full > complexity:
        message = f"Complexity {complexity} holds no {inside + full} core points"
        raise IllegalActionError(message, rule="stage.magic.app_enchant")
    if sacrifice:
        _demand_victim(game, who, sacrifice, found, core)
    await advance_time(game, core * HOUR, cause="stage.magic.app_enchant")
    words = (f"circle={found.circle}", f"core={core}", f"complexity={complexity}", *situation)
    result = await check(game, who, f"{found.school}.enchant", words)
    if sacrifice:
        victim = game[sacrifice].status
        left = victim.stamina + victim.vitality
        emit_harm(game, Hurt(who=game[sacrifice].id, damage=left, source="sacrificed", cause="stage.magic.sacrifice"))
    if result.success:
        made = enchanted(game[who].belongings, item, found, full)
        TRADE.change(game, who, f"puts {found.name} into {item}", made, cause="stage.magic.enchant_check")
    return bool(result.success)


def _demand_victim(game: Game, who: str, sacrifice: str, found: Enchantment, core: int) -> None:
    victim = game[sacrifice]
    if victim.id == who:
        name = game.scene.display_name(who)
        raise InvalidInputError(f"{name} enchants and cannot be the sacrifice; name another one", field="sacrifice")
    game.refuse_if(victim.status.dead, victim.id, "is dead", "stage.magic.sacrifice")
    left = getattr(victim.status, found.energy)
    if left < core:
        message = f"{game.scene.display_name(victim.id)} has {left} {found.energy.title()}, not {core}"
        raise IllegalActionError(message, rule="stage.magic.sacrifice")


@process(rules=["stage.magic.app_learn", "stage.magic.learn_limit"])
async def learn(
    game: Game,
    who: AtPeace,
    what: Annotated[str, Param("the spell or enchantment, by id")],
    skill: Annotated[str, Param("the skill it is learned with; empty for its own")] = "",
    situation: Situation = (),
) -> bool:
    """Learn a spell or an enchantment: a leveled check against 3 times its circle, eight hours less the second roll."""
    from tablewright.game.session.processes import check  # noqa: PLC0415

    library = game.scene.library
    found: Spell | Enchantment = library.get(Spell if library.has(Spell, what) else Enchantment, what)
    used = skill or found.schools[0]
    if used not in found.schools:
        able = " or ".join([titled(school) for school in found.schools])
        raise IllegalActionError(
            f"{found.name} is learned with {able}, not {titled(used)}", rule="stage.magic.app_learn"
        )
    character: StageCharacter = game[who].character
    if not may_learn(found, character):
        raise IllegalActionError(f"{found.name} needs {levels_to_learn(found)}", rule="stage.magic.learn_limit")
    if what in (*character.spells, *character.enchantments):
        raise IllegalActionError(f"{found.name} is known already", rule="stage.magic.app_learn")
    result = await check(game, who, f"{used}.learn", (f"circle={found.circle}", *situation))
    if result.success:
        now: StageCharacter = game[who].character
        field = "spells" if isinstance(found, Spell) else "enchantments"
        learned = now.changed(**{field: (*getattr(now, field), what)}, learned=now.learned + 1)
        told = f"learns {found.name}"
        game.emit(CharacterChanged(who=who, what=told, character=learned, cause="stage.magic.app_learn"))
    return bool(result.success)


PROCESSES = (enchant, learn)
