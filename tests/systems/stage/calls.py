"""Arguments for checks and processes of The Stage in random play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeAlias

from conformance.drawing import Below, one_of
from conformance.extents import Arguments
from systems.stage.people import library
from tablewright.game.character.belongings import ItemStack
from tablewright.game.content.entries import ContentEntry
from tablewright.game.scene.scene import Participant
from tablewright.game.session.session import Session
from tablewright.systems.stage.chapters.hazards import PLACES
from tablewright.systems.stage.content import Ailment, Application, Armour, Enchantment, Gear, Lock, Spell, Trap, Weapon
from tablewright.systems.stage.effects import Power
from tablewright.systems.stage.status import lost
from tablewright.systems.stage.values import SCHOOLS, SKILLS

POWERS = tuple(library().of(Power))

# ---------------------------------------------------------------------- how checks are made


def _check(one: Application) -> Arguments:
    """Make a check: with words that its Difficulty needs, some circumstance, and a power where one helps."""

    def arguments(session: Session, below: Below) -> Mapping[str, Any]:
        people = [each for each in session.scene.participants if not each.character.vehicle]
        who = one_of(people, below)
        words = [f"difficulty={one_of(('average', '7', 'difficult'), below)}", "improvised=yes"]
        if one.check == "spell":
            known = [(each, spell) for each in people for spell in each.character.spells if _of(spell, one.skill)]
            if known:
                who, spell = one_of(known, below)
                words.append(f"spell={spell}")
        said = [each.name for each in one.circumstances if each.by is None]
        if said and below(2):
            words.append(f"when={one_of(said, below)}")
        helps = [power for power in who.character.powers if power in _announced_for(one.key)]
        if helps and below(3):
            words.append(f"powers={one_of(helps, below)}")
        return {"who": who.id, "situation": words}

    return arguments


def _of(spell: str, skill: str) -> bool:
    return skill in library().get(Spell, spell).schools


@cache
def _announced_for(key: str) -> frozenset[str]:
    words = {key, key.partition(".")[0], "any_check"}
    found = []
    for power in POWERS:
        text = str(power.effects)
        if power.when in ("announced", "reaction", "action") and any(f"'{word}'" in text for word in words):
            found.append(power.id)
    return frozenset(found)


def _other(session: Session, below: Below) -> Mapping[str, Any]:
    one = one_of([each for each in library().of(Application) if each.check != "spell"], below)
    found = _check(one)(session, below)
    return {**found, "situation": [f"of={one.key}", *found["situation"]]}


# ---------------------------------------------------------------------- how processes are called


def _people(session: Session) -> list[Participant]:
    return [one for one in session.scene.participants if one.status.integrity is None]


def _able(session: Session) -> list[Participant]:
    return [one for one in _people(session) if one.status.able] or _people(session)


def _who(session: Session, below: Below) -> str:
    return one_of(_able(session), below).id


def _two(session: Session, below: Below) -> tuple[str, str]:
    one = _who(session, below)
    others = [other.id for other in _people(session) if other.id != one]
    return one, one_of(others or [one], below)


Draw: TypeAlias = Callable[[Session, Below], Any]


def _drawn(**arguments: Draw) -> Arguments:
    """Arguments that are drawn one by one, each by itself."""
    return lambda session, below: {name: draw(session, below) for name, draw in arguments.items()}


def _given(value: Any) -> Draw:
    return lambda session, below: value


def _out_of(*values: Any) -> Draw:
    return lambda session, below: one_of(values, below)


def _entry(kind: type[ContentEntry]) -> Draw:
    return _out_of(*[one.id for one in library().of(kind)])


def _that(holds: Callable[[Participant], bool], *, alive: bool = False) -> Draw:
    """One of those for whom something holds, or anyone who is able."""

    def draw(session: Session, below: Below) -> str:
        found = [one.id for one in (_able(session) if alive else _people(session)) if holds(one)]
        return one_of(found or [_who(session, below)], below)

    return draw


def _pair(one: str, other: str, **more: Draw) -> Arguments:
    """Two people under these names, and what else is drawn."""

    def arguments(session: Session, below: Below) -> Mapping[str, Any]:
        return {**dict(zip((one, other), _two(session, below), strict=True)), **_drawn(**more)(session, below)}

    return arguments


def _ranked(session: Session, below: Below) -> list[str]:
    return list(_two(session, below))


def _everybody(session: Session, below: Below) -> list[str]:
    return [one.id for one in _people(session)]


def _lying(session: Session, below: Below) -> str:
    return one_of([one.item for one in session.scene.loose_items] or ["spear"], below)


def _caster(session: Session, below: Below) -> str:
    able = [one for one in _able(session) if any(one.character.level(school) for school in SCHOOLS)]
    return one_of(able or _able(session), below).id


CARE = _pair("healer", "patient")
CORE, TRICK = _out_of("sanity", "spirit"), _out_of("fetch", "guard", "come")
TRAP = _drawn(who=_who, kind=_entry(Trap))
LIGHT = [one.id for kind in (Gear, Weapon, Armour) for one in library().of(kind) if one.encumbrance <= 1]
IMPROVISED = _given(["improvised=yes"])


def _masterwork(session: Session, below: Below) -> Mapping[str, Any]:
    able = [one.id for one in _able(session) if "magnum_opus" in one.character.powers]
    track = one_of(("sanity", "spirit"), below)
    hurt = [one.id for one in _people(session) if not one.status.dead and lost(session.scene, one.id, track)]
    patient = one_of(hurt, below) if hurt else _who(session, below)
    return {"who": one_of(able or [_who(session, below)], below), "patient": patient, "track": track}


def _sick(session: Session) -> list[tuple[str, str]]:
    return [(one.id, case.ailment) for one in _people(session) for case in one.status.sicknesses]


def _cure(session: Session, below: Below) -> Mapping[str, Any]:
    patient, ailment = one_of(_sick(session) or [(_who(session, below), "mind_fever")], below)
    return {"healer": _who(session, below), "patient": patient, "ailment": ailment}


def _antidote(session: Session, below: Below) -> Mapping[str, Any]:
    who, ailment = one_of(_sick(session) or [(_who(session, below), "mind_fever")], below)
    return {"who": who, "ailment": ailment}


def _expose(session: Session, below: Below) -> Mapping[str, Any]:
    place = one_of(tuple(PLACES), below)
    return {"who": _who(session, below), "place": place, "rounds": PLACES[place].period * (1 + below(3))}


def _break(session: Session, below: Below) -> Mapping[str, Any]:
    thing = one_of([*[one.id for one in library().of(Lock)], "club", "rope"], below)
    held = [
        (one.id, carried.item)
        for one in _able(session)
        for carried in one.status.belongings
        if carried.place in ("hand", "hands") and library().has(Weapon, carried.item)
    ]
    who, weapon = one_of(held or [(_who(session, below), "unarmed")], below)
    announced = [name for name in session.scene[who].character.powers if name == "combat_engineer"]
    return {"who": who, "thing": thing, "weapon": weapon, "announce": announced[0] if announced else ""}


def _advance(session: Session, below: Below) -> Mapping[str, Any]:
    what = one_of(("skill", "power"), below)
    name = one_of(SKILLS, below) if what == "skill" else one_of([one.id for one in POWERS if one.tier == 1], below)
    return {"who": _who(session, below), "what": what, "name": name}


def _things(session: Session, *places: str) -> list[tuple[str, ItemStack]]:
    return [
        (one.id, carried)
        for one in _people(session)
        for carried in one.status.belongings
        if not places or carried.place in places
    ]


def _thing(*places: str) -> Arguments:
    def arguments(session: Session, below: Below) -> Mapping[str, Any]:
        found = _things(session, *places) or [(_who(session, below), ItemStack("rope"))]
        who, carried = one_of(found, below)
        return {"who": who, "item": carried.item}

    return arguments


def _worn(session: Session, below: Below) -> Mapping[str, Any]:
    pieces = [(who, one) for who, one in _things(session, "pack", "belt") if library().has(Gear, one.item)]
    who, carried = one_of(pieces or [(_who(session, below), ItemStack("clothes"))], below)
    return {"who": who, "item": carried.item}


def _broken(session: Session, below: Below) -> Mapping[str, Any]:
    marked = [(who, one) for who, one in _things(session) if one.left is not None]
    who, carried = one_of(marked or [(_who(session, below), ItemStack("club"))], below)
    return {"who": who, "item": carried.item, "situation": ["improvised=yes"]}


def _supplies(session: Session, below: Below) -> Mapping[str, Any]:
    fed = [who for who, one in _things(session) if one.item in ("ration", "water")]
    return {"who": one_of(fed or [_who(session, below)], below), "food": below(2), "water": below(2)}


def _prepare(session: Session, below: Below) -> Mapping[str, Any]:
    able = [one for one in _able(session) if "focus" in one.character.powers and one.character.spells]
    one = one_of(able or _able(session), below)
    things = [carried.item for carried in one.status.belongings] or ["wand"]
    return {"who": one.id, "spells": list(one.character.spells[:1]), "item": one_of(things, below)}


def _used_to(session: Session, below: Below) -> Mapping[str, Any]:
    able = [
        (one, power) for one in _able(session) for power in ("item_affinity", "style") if power in one.character.powers
    ]
    one, power = one_of(able or [(_able(session)[0], "item_affinity")], below)
    things = [carried.item for carried in one.status.belongings] or ["club"]
    return {"who": one.id, "power": power, "item": one_of(things, below)}


def _enchant(session: Session, below: Below) -> Mapping[str, Any]:
    able = [one for one in _able(session) if one.character.enchantments]
    one = one_of(able or _able(session), below)
    names = one.character.enchantments or ("keen_edge",)
    items = [carried.item for carried in one.status.belongings] or ["club"]
    victims = ["", *[each.id for each in _people(session) if each.id != one.id]]
    chosen = library().get(Enchantment, one_of(names, below))
    return {
        "who": one.id,
        "enchantment": chosen.id,
        "item": one_of(items, below),
        "core": chosen.core,
        "sacrifice": one_of(victims, below) if below(2) else "",
    }


def _practise(session: Session, below: Below) -> Mapping[str, Any]:
    mounts = [one.id for one in session.scene.participants if "mind" in one.status.lacks]
    return {"who": _who(session, below), "mount": one_of(mounts or [_who(session, below)], below), "hours": 2}


def _sabotage(session: Session, below: Below) -> Mapping[str, Any]:
    owner, carried = one_of(_things(session) or [(_who(session, below), ItemStack("club"))], below)
    return {"who": _who(session, below), "owner": owner, "item": carried.item, "situation": ["improvised=yes"]}


def _loot(session: Session, below: Below) -> Mapping[str, Any]:
    fallen = [one for one in _people(session) if not one.status.able and one.status.belongings]
    if not fallen:
        return {"who": _who(session, below), "fallen": _who(session, below)}
    one = one_of(fallen, below)
    return {"who": _who(session, below), "fallen": one.id, "item": one_of(one.status.belongings, below).item}


CHECKS: Mapping[str, Arguments] = {one.key: _check(one) for one in library().of(Application)} | {"application": _other}
PROCESSES: Mapping[str, Arguments] = {
    "stage.ranking": _drawn(who=_ranked, what=_out_of("athletics.compete", "speechcraft.discuss")),
    "stage.recompose": _drawn(who=_who),
    "stage.meditate": _drawn(who=_that(lambda one: "meditation" in one.character.powers, alive=True)),
    "stage.masterwork": _masterwork,
    "stage.surgery": CARE,
    "stage.core_treatment": _pair("healer", "patient", core=CORE),
    "stage.treatment": CARE,
    "stage.first_aid": CARE,
    "stage.reanimate": _drawn(healer=_who, patient=_that(lambda one: bool(one.status.dead))),
    "stage.infect": _drawn(who=_who, ailment=_entry(Ailment)),
    "stage.cure": _cure,
    "stage.antidote": _antidote,
    "stage.expose": _expose,
    "stage.shelter": _drawn(who=_that(lambda one: True)),
    "stage.trap": TRAP,
    "stage.disarm_trap": TRAP,
    "stage.break_object": _break,
    "stage.award": _drawn(challenges=_given(10), who=_everybody),
    "stage.advance": _advance,
    "stage.step_back": _drawn(who=_that(lambda one: bool(one.character.advances))),
    "stage.draw": _thing("belt", "pack"),
    "stage.stow": _thing("hand", "hands", "worn"),
    "stage.wear": _worn,
    "stage.take": _drawn(who=_who, item=_out_of(*LIGHT)),
    "stage.repair": _broken,
    "stage.craft": _drawn(who=_who, item=_out_of("club", "sling", "torch"), situation=IMPROVISED),
    "stage.use_supplies": _supplies,
    "stage.prepare": _prepare,
    "stage.get_used_to": _used_to,
    "stage.enchant": _enchant,
    "stage.learn": _drawn(what=_out_of(*library().ids(Spell, Enchantment)), who=_caster),
    "stage.train": _drawn(who=_who, animal=_that(lambda one: "mind" in one.status.lacks), trick=TRICK),
    "stage.practise": _practise,
    "stage.forage": _drawn(who=_who, situation=_out_of(*[[f"difficulty={number}"] for number in range(4, 8)])),
    "stage.sabotage": _sabotage,
    "stage.pursue": _pair("who", "pursued", cubes=_out_of(*range(6))),
    "stage.loot": _loot,
    "stage.take_up": _drawn(who=_who, item=_lying),
}
