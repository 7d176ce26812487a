"""Magic that takes hours: learning spells and enchanting items."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from tablewright.engine import Param, process
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import Belongings, ItemStack
from tablewright.game.content.library import Library
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.play.time_passage import AtPeace, advance_time
from tablewright.game.play.trade import ItemId
from tablewright.game.scene.game import Game
from tablewright.game.values import freeze
from tablewright.systems.stage.belongings import TRADE
from tablewright.systems.stage.character.costs import may_learn, may_learn_enchantment
from tablewright.systems.stage.character.figures import ENCHANTMENTS, ENERGY, added, enchantments_in, energy_in
from tablewright.systems.stage.character.gear import item_of
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.content import Armour, Enchantment, Spell, Weapon
from tablewright.systems.stage.events.fight import Hurt, emit_harm
from tablewright.systems.stage.values import HOUR, titled

Situation = Annotated[tuple[str, ...], Param("words of the situation, each as name=value")]


def fits(enchantment: Enchantment, item: str, library: Library) -> bool:
    """True if an enchantment can be put into a thing of this kind."""
    found = item_of(item, library)
    kind = {"weapon": Weapon, "armour": Armour}.get(enchantment.goes_in)
    return kind is None or isinstance(found, kind)


def enchanted(mine: Belongings, item: str, enchantment: Enchantment, energy: int) -> Belongings:
    """The belongings with one more enchantment in a thing; its energy adds up (stage.magic.combine_enchantments)."""
    for at, one in enumerate(mine):
        if one.item == item and one.left != 0:
            inside = dict(energy_in(one))
            inside[enchantment.energy] = inside.get(enchantment.energy, 0) + energy
            more = {**dict(one.more), ENCHANTMENTS: [*enchantments_in(one), enchantment.id], ENERGY: inside}
            made = replace(one, count=1, more=freeze(more))
            rest = [replace(one, count=one.count - 1)] if one.count > 1 else []
            return (*mine[:at], *rest, made, *mine[at + 1 :])
    raise IllegalActionError(f'"{item:.40}" is not among the belongings', rule="stage.magic.enchant_check")


def _thing(mine: Belongings, item: str) -> ItemStack:
    for one in mine:
        if one.item == item and one.left != 0:
            return one
    raise IllegalActionError(f'"{item:.40}" is not among the belongings', rule="stage.magic.enchant_check")


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
    if found.id not in character.enchantments or not may_learn_enchantment(found, character):
        raise IllegalActionError(f"{found.name} is not known", rule="stage.magic.learn_limit")
    if not fits(found, item, library):
        raise IllegalActionError(
            f"{found.name} goes into a thing of the kind {found.goes_in}", rule="stage.gap.magic.enchantments"
        )
    inside = sum(energy_in(_thing(game[who].belongings, item)).values())
    full = core + sum([part.changed for part in added(f"sacrifice.{found.school}", character, options, library)])
    if full < found.core:
        message = f"{found.name} needs {found.core} {found.energy}, the sacrifice yields {full}"
        raise IllegalActionError(message, rule="stage.gap.magic.enchantments")
    complexity = item_of(item, library).complexity
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
        raise InvalidInputError("the caster cannot be the sacrifice", field="sacrifice")
    if victim.status.dead:
        raise game.scene.cannot(victim.id, "is dead", "stage.magic.sacrifice")
    left = getattr(victim.status, found.energy)
    if left < core:
        message = f"{game.scene.display_name(victim.id)} has {left} {found.energy}, not {core}"
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
    spell = library.get(Spell, what) if library.has(Spell, what) else None
    found = spell or library.get(Enchantment, what)
    schools: tuple[str, ...] = spell.schools if spell is not None else (library.get(Enchantment, what).school,)
    used = skill or schools[0]
    if used not in schools:
        raise IllegalActionError(f"{found.name} is learned with {' or '.join(schools)}", rule="stage.magic.app_learn")
    character: StageCharacter = game[who].character
    able = (
        may_learn(spell, character)
        if spell is not None
        else may_learn_enchantment(library.get(Enchantment, what), character)
    )
    if not able:
        needed = " and ".join([f"{titled(school)} {found.circle}" for school in schools])
        raise IllegalActionError(f"{found.name} needs {needed}", rule="stage.magic.learn_limit")
    if what in (*character.spells, *character.enchantments):
        raise IllegalActionError(f"{found.name} is known already", rule="stage.magic.app_learn")
    result = await check(game, who, f"{used}.learn", (f"circle={found.circle}", *situation))
    if result.success:
        now: StageCharacter = game[who].character
        learned = (
            now.changed(spells=(*now.spells, what), learned=now.learned + 1)
            if spell is not None
            else now.changed(enchantments=(*now.enchantments, what), learned=now.learned + 1)
        )
        told = f"learns {found.name}"
        game.emit(CharacterChanged(who=who, what=told, character=learned, cause="stage.magic.app_learn"))
    return bool(result.success)


PROCESSES = (enchant, learn)
