"""Spells that a participant can cast or sustain at this moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tablewright.engine.tally import Part
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import Checked
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import Effect, EffectGained
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.stage.actions.checks import once_for_all, plainly, with_powers
from tablewright.systems.stage.actions.requirements import able, end_of_next_turn
from tablewright.systems.stage.actions.turn import assisted
from tablewright.systems.stage.character.costs import may_learn
from tablewright.systems.stage.character.figures import enchantments_in, surface_of
from tablewright.systems.stage.character.record import HAND, HANDS
from tablewright.systems.stage.content import Element, Enchantment, Spell
from tablewright.systems.stage.effects import Usable
from tablewright.systems.stage.now import other_prices, permits, pool, powers, price_of
from tablewright.systems.stage.status import same_cube, stands
from tablewright.systems.stage.values import SCHOOLS, SURFACE


class Casting(NamedTuple):
    """One way to cast a spell: the skill, the Focus, the element, the power.

    ``lent`` are the dice of those who help, ``thing`` what is touched.
    """

    spell: Spell
    school: str
    focus: bool = False
    element: Element | None = None
    power: Usable | None = None
    lent: tuple[Part, ...] = ()
    thing: ItemStack | None = None


# ---------------------------------------------------------------------- which


def known_spells(scene: Scene, who: str) -> Iterator[tuple[Spell, bool]]:
    """The spells that a character can cast now, and whether it is only out of an ally's Focus."""
    if scene.options.magic == "off":
        return
    character = scene[who].character
    for id_ in character.spells:
        if scene.library.has(Spell, id_):
            yield scene.library.get(Spell, id_), False
    shared = [permit.school for _, permit in permits(scene, who, "share_focus")]
    if not shared:
        return
    found = dict.fromkeys(character.spells)
    for ally in _with_a_focus(scene, who):
        for id_ in ally.character.prepared:
            spell = scene.library.get(Spell, id_)
            lent = any(school in shared for school in spell.schools) and in_focus(scene, ally.id, spell)
            if id_ not in found and may_learn(spell, character) and lent:
                found[id_] = None
                yield spell, True


def _with_a_focus(scene: Scene, who: str) -> list[Participant]:
    """Allies in the same cube who could lend what is prepared in their Focus (stage.power_effect.focus)."""
    mine = [one for one in scene.participants if one.id != who and one.side == scene[who].side and stands(one)]
    return [one for one in mine if one.character.prepared and same_cube(scene, who, one.id)]


def out_of_a_focus(scene: Scene, who: str, spell: Spell) -> bool:
    """True if a spell is cast out of a Focus: one's own, or an ally's by a power."""
    if in_focus(scene, who, spell):
        return True
    shared = [permit.school for _, permit in permits(scene, who, "share_focus")]
    if not any(school in shared for school in spell.schools):
        return False
    return any(in_focus(scene, ally.id, spell) for ally in _with_a_focus(scene, who))


def in_focus(scene: Scene, who: str, spell: Spell) -> bool:
    """True if a spell is prepared in the Focus that a character has in hand (stage.magic.focus)."""
    character, status = scene[who].character, scene[who].status
    if spell.id not in character.prepared or not character.focus:
        return False
    return any(one.item == character.focus and one.place in (HAND, HANDS) for one in status.belongings)


def best_school(scene: Scene, who: str, spell: Spell) -> str:
    """The skill that a spell is cast with: its own, of a compound one the better (stage.magic.cast_skill)."""
    if len(spell.schools) == 1:
        return spell.schools[0]
    return max(spell.schools, key=lambda school: pool(scene, who, f"{school}.cast").dice.total)


def casting_of(scene: Scene, who: str, use: ActionUse) -> Casting | None:
    """The way of a use to cast; None if its spell or power is gone."""
    return casting_named(scene, who, str(use.detail))


@cached_on_scene
def casting_named(scene: Scene, who: str, detail: str) -> Casting | None:
    name, _, power = detail.partition("+")
    id_, _, element = name.partition("=")
    id_, _, wanted = id_.partition("@")
    for spell, borrowed in known_spells(scene, who):
        if spell.id == id_:
            form = next((one for one in spell.elements if one.name == element), None)
            used = powers(scene, who).get(power) if power else None
            school = wanted if wanted in spell.schools else best_school(scene, who, spell)
            return Casting(spell, school, borrowed or out_of_a_focus(scene, who, spell), form, used)
    return None


UPKEEP = 2  # stage.magic.concentration
SPELL = "spell:"
"""Prefix of the source of an effect that a spell maintains."""


# ---------------------------------------------------------------------- keeping up


def _kept_up(scene: Scene, who: str) -> list[tuple[str, Effect]]:
    return [
        (one.id, held)
        for one in scene.participants
        for held in one.status.lasting
        if held.by == who and held.source.startswith(SPELL) and held.until.round == scene.round
    ]


def _concentrations(scene: Scene, who: str) -> Iterator[ActionUse]:
    for target, held in _kept_up(scene, who):
        label = f"Keep up {held.id.replace('_', ' ')} on {scene.display_name(target)}"
        yield ActionUse("concentrate", target, held.id, label=label)
        for power in upkeeps(scene, who, held.id):
            if power:
                name = powers(scene, who)[power].power.name
                yield ActionUse("concentrate", target, f"{held.id}+{power}", label=f"{label}: {name}")


def upkeeps(scene: Scene, who: str, spell: str) -> dict[str, Cost]:
    """2 AP, or 1 by a power; and by another none, for a point a turn, as the caster likes (stage.magic.concentration).

    The price without a name is the one that takes no points; those are of the spell's own surface track.
    """
    known = other_prices(scene, who, "concentrate")
    plain = [price.ap for one, price in known if one.power.special != "upkeep"]
    found = {"": Cost.of(ap=min([UPKEEP, *plain]))}
    for one, price in known:
        if one.power.special == "upkeep":
            surface = surface_of(scene.library.get(Spell, spell).schools[0], scene.library)
            found[one.id] = Cost.of(ap=price.ap, **{surface: 1})
    return found


def _upkeep_price(scene: Scene, who: str, use: ActionUse) -> Cost:
    spell, _, power = str(use.detail).partition("+")
    return upkeeps(scene, who, spell).get(power, Cost.of(ap=UPKEEP))


@able("Keep up a spell", "stage.magic.concentration", uses=_concentrations, cost=_upkeep_price)
async def _concentrate(game: Game, who: str, use: ActionUse) -> None:
    for target, held in _kept_up(game.scene, who):
        if target == use.target and held.id == str(use.detail).partition("+")[0]:
            longer = Effect(
                held.id, end_of_next_turn(game.scene, who), held.degree, by=who, source=held.source, data=held.data
            )
            game.emit(EffectGained(who=target, what=longer, cause="stage.magic.concentration"))


# ---------------------------------------------------------------------- detecting


def _detections(scene: Scene, who: str) -> Iterator[ActionUse]:
    if scene.options.magic == "off":
        return
    for school in SCHOOLS:  # who has no level rolls the minimum die (stage.check.minimum)
        yield ActionUse("detect", detail=school, label=f"Detect magic: {school.title()}")
        for one, _ in other_prices(scene, who, f"{school}.detect"):
            yield ActionUse("detect", detail=f"{school}+{one.id}", label=f"Detect magic: {one.power.name}")


def _detect_price(scene: Scene, who: str, use: ActionUse) -> Cost:
    school, _, power = str(use.detail).partition("+")
    surface = SURFACE[scene.library.get("skills", school).attribute]
    found = powers(scene, who).get(power)
    if found is None:
        return Cost.of(ap=3, **{surface: 1})
    return Cost.of(**{surface: 1}) + price_of(found.power)


@able("Detect magic", "stage.magic.app_detect", uses=_detections, cost=_detect_price)
async def _detect(game: Game, who: str, use: ActionUse) -> None:
    """One roll: the circle to find an effect of the skill in one's cube, three times the circle to know it."""
    rule = "stage.magic.app_detect"
    school = str(use.detail).partition("+")[0]
    key = f"{school}.detect"
    lent, _ = await assisted(game, who, key, _detect_price(game.scene, who, use)["ap"])
    made = await with_powers(game, who, key, plainly(game, who, key, dice=lent))
    rolled = await once_for_all(game, who, made)
    found: list[str] = []
    for one in game.scene.participants:
        if not one.present or not same_cube(game.scene, who, one.id):
            continue
        if one.hidden and one.side != game[who].side:
            continue  # no one is betrayed by what is on them before they are seen
        for name, circle, schools in _magic_on(game.scene, one):
            own = school in schools or game.scene.options.detect_scope == "all_magic"
            if own and rolled.reaches(circle):
                what = name if rolled.reaches(3 * circle) else "magic"
                found.append(f"{what} on {game.scene.display_name(one.id)}")
    result = ", ".join(dict.fromkeys(found)) or "nothing"
    game.emit(Checked(who=who, what=key, result=result, cause=rule))


def _magic_on(scene: Scene, one: Participant) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """The magic on a character: spells that last, and enchantments in what they carry; name, circle and skills."""
    for held in one.status.lasting:
        if scene.library.has(Spell, held.id):
            spell = scene.library.get(Spell, held.id)
            yield spell.name, spell.circle, spell.schools
    for carried in one.status.belongings:
        for id_ in enchantments_in(carried):
            if scene.library.has(Enchantment, id_):
                found = scene.library.get(Enchantment, id_)
                yield f"{found.name} in {carried.item.replace('_', ' ')}", found.circle, found.schools


KEEPING_UP = (_concentrate, _detect)
