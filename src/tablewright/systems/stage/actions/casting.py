"""Which spells somebody can cast now, and how: by which skill, out of whose Focus, as which element."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tablewright.engine.tally import Part
from tablewright.game.actions import Use
from tablewright.game.belongings import Carried
from tablewright.game.remembering import of_scene
from tablewright.game.scene import Participant, Scene
from tablewright.systems.stage.character.record import HAND, HANDS
from tablewright.systems.stage.content import Element, Spell
from tablewright.systems.stage.now import effects, pool, powers
from tablewright.systems.stage.powers import Permit, Usable
from tablewright.systems.stage.status import same_cube, stands


class Casting(NamedTuple):
    """How a spell is cast: with which skill, out of a Focus or not, as which element, with which power.

    ``lent`` are the dice of those who help, ``thing`` what is touched.
    """

    spell: Spell
    school: str
    focus: bool = False
    element: Element | None = None
    power: Usable | None = None
    lent: tuple[Part, ...] = ()
    thing: Carried | None = None


# ---------------------------------------------------------------------- which


def known_spells(scene: Scene, who: str) -> Iterator[tuple[Spell, bool]]:
    """The spells that somebody can cast now, and whether it is only out of an ally's Focus."""
    if scene.options.magic == "off":
        return
    character = scene[who].character
    for id_ in character.spells:
        if scene.library.has(Spell, id_):
            yield scene.library.get(Spell, id_), False
    shared = [permit.school for _, permit in effects(scene, who, Permit) if permit.what == "share_focus"]
    if not shared:
        return
    found = dict.fromkeys(character.spells)
    for ally in _with_a_focus(scene, who):
        for id_ in ally.character.prepared:
            spell = scene.library.get(Spell, id_)
            learnable = all(character.level(school) >= spell.circle for school in spell.schools)
            lent = any(school in shared for school in spell.schools) and in_focus(scene, ally.id, spell)
            if id_ not in found and learnable and lent:
                found[id_] = None
                yield spell, True


def _with_a_focus(scene: Scene, who: str) -> list[Participant]:
    """Allies in the same cube who could lend what is prepared in their Focus (stage.power_effect.focus)."""
    mine = [one for one in scene.participants if one.id != who and one.side == scene[who].side and stands(one)]
    return [one for one in mine if one.character.prepared and same_cube(scene, who, one.id)]


def out_of_a_focus(scene: Scene, who: str, spell: Spell) -> bool:
    """Whether a spell is cast out of a Focus: one's own, or an ally's by a power."""
    if in_focus(scene, who, spell):
        return True
    shared = [permit.school for _, permit in effects(scene, who, Permit) if permit.what == "share_focus"]
    if not any(school in shared for school in spell.schools):
        return False
    return any(in_focus(scene, ally.id, spell) for ally in _with_a_focus(scene, who))


def in_focus(scene: Scene, who: str, spell: Spell) -> bool:
    """Whether a spell is prepared in the Focus that somebody has in hand (stage.magic.focus)."""
    character, status = scene[who].character, scene[who].status
    if spell.id not in character.prepared or not character.focus:
        return False
    return any(one.item == character.focus and one.place in (HAND, HANDS) for one in status.belongings)


def best_school(scene: Scene, who: str, spell: Spell) -> str:
    """The skill that a spell is cast with: its own, of a compound one the better (stage.magic.cast_skill)."""
    if len(spell.schools) == 1:
        return spell.schools[0]
    return max(spell.schools, key=lambda school: pool(scene, who, f"{school}.cast").dice.total)


def casting_of(scene: Scene, who: str, use: Use) -> Casting | None:
    """How a use casts; None where the spell or the power is not there."""
    return casting_named(scene, who, str(use.detail))


@of_scene
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
