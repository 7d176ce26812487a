"""Extent of random play of MARS: arguments of processes and checks, and casts in trouble."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, get_args

from conformance.drawing import Below, one_of
from conformance.extents import Arguments, Extent
from systems.mars.people import library
from systems.playing import character_in, with_character
from tablewright.game.character.belongings import Belongings, ItemStack
from tablewright.game.ground.facts import ANYONE, Facts
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.scene.scene import Participant
from tablewright.game.session.session import Session
from tablewright.game.values import freeze
from tablewright.systems.mars.character.figures import can_use
from tablewright.systems.mars.character.record import EFFECTS, MarsEffect
from tablewright.systems.mars.content import Armour, Currency, DamageType, Gear, Skill, Slot, Task, Weapon, When
from tablewright.systems.mars.status import Status
from tablewright.systems.mars.values import RollValue

# ---------------------------------------------------------------------- who meets whom


WEAPONS = tuple([one for one in library().of(Weapon) if not one.natural])
CROSSBOW = [one.id for one in WEAPONS].index("crossbow")


def _armed(number: int, belongings: Belongings) -> Belongings:
    """Other arms and armour than one's own: the weapon of this number, and whatever there is beside it."""
    weapon = WEAPONS[number % len(WEAPONS)]
    features = weapon.features
    held = [ItemStack(weapon.id, place="hands" if features.two_handed else "hand")]
    if weapon.ammunition is not None:
        held.append(ItemStack(weapon.ammunition, (12, 2, 1)[number % 3]))
    shields = [one for one in library().of(Armour) if one.is_shield]
    if not features.two_handed:
        shield = shields[number // 2 % len(shields)]
        left = shield.durability and (shield.durability, 3)[number // 8 % 2]
        held.append(ItemStack(shield.id, place="hand", left=left) if number % 3 else ItemStack(weapon.id, place="hand"))
    pieces = [_piece(slot, number) for slot in ("body", "head", "arms", "legs")]
    tools = [one.id for one in library().of(Gear) if one.tools_for]
    kept = [one for one in belongings if library().has(Gear, one.item) and one.item not in tools]
    return (*held, *pieces, ItemStack(tools[number % len(tools)]), *kept)


def _piece(slot: Slot, number: int) -> ItemStack:
    fitting = [one for one in library().of(Armour) if slot == one.slots[0]]
    return ItemStack(fitting[number % len(fitting)].id, place="worn")


def armed(scenario: Scenario, number: int) -> Scenario:
    """The cast with other arms and armour by turns; they can mend them, and know some Giantish."""
    entrants = []
    for place, entrant in enumerate(scenario.entrants):
        own = character_in("mars", entrant)
        skills = own.skills.put("craft", RollValue(8))
        people = len(scenario.entrants)
        arms = CROSSBOW if place == number % people else number * people + place  # the slowest to use is always there
        belongings = _armed(arms, own.belongings)
        languages = own.languages.put("giantish", RollValue(8))
        entrants.append(with_character(entrant, own.changed(belongings=belongings, skills=skills, languages=languages)))
    return replace(scenario, entrants=tuple(entrants))


def troubled(scenario: Scenario, number: int) -> Scenario:
    """The cast surprised by each other, with water and things to use around, each with an affliction."""
    first, second = scenario.sides[number % 2], scenario.sides[(number + 1) % 2]
    entrants = []
    for place, entrant in enumerate(scenario.entrants):
        afflictions = [AFFLICTIONS[(number * 3 + place) % len(AFFLICTIONS)]]
        if (number + place) % 2:
            afflictions.append(MarsEffect("burning", degree=4))
        own = character_in("mars", entrant)
        wounds = own.wounds.changed(effects=(*own.wounds.effects, *afflictions))
        hidden = number % 3 == 2 and entrant.side == first
        side = "strays" if number % 4 == 3 and place == len(scenario.entrants) - 1 else entrant.side
        entrants.append(replace(with_character(entrant, own.changed(wounds=wounds)), hidden=hidden, side=side))
    facts = Facts().set("water", ANYONE, True).set("object", ANYONE, "lever")
    for what, value in ((), (("terrain", "difficult"),), (("movement", "swim"),), (("obstacle", True),))[number % 4]:
        facts = facts.set(what, scenario.entrants[0].id, value)
    sides = tuple(dict.fromkeys([one.side for one in entrants]))
    changed = replace(scenario, entrants=tuple(entrants), facts=facts, sides=sides)
    if number % 3 == 0:
        return replace(changed, surprised=tuple([one.id for one in entrants if one.side == second]))
    return replace(changed, start=freeze({"sneaking": first})) if number % 3 == 1 else changed


AFFLICTIONS = (
    MarsEffect("blind"),
    MarsEffect("sickness", degree=2, source="ague", left=86_400),
    MarsEffect("debilitation", stat="STR"),
    MarsEffect("stunned", degree=2),
    MarsEffect("encumbered"),
    MarsEffect("enhancement", stat="DEX"),
    MarsEffect("overencumbered"),
    MarsEffect("prone"),
    MarsEffect("stat_change", stat="RES", value=-2, source="grief"),
)


# ---------------------------------------------------------------------- how checks are made


def _check(skill: str) -> Arguments:
    """A skill check of a character who can make it, often a common task under a circumstance."""

    def arguments(session: Session, below: Below) -> Mapping[str, Any]:
        able = [one.id for one in session.scene.participants if can_use(one.character, skill, library())]
        tasks = [one.id for one in library().of(Task) if skill in one.skills]
        words = [f"when={one_of(WHEN, below)}", f"advantage={below(3)}"]
        if tasks and below(6):
            words.append(f"task={one_of(tasks, below)}")
        else:
            words.append(f"difficulty={one_of(DIFFICULTIES, below)}")
        return {"situation": words} | ({"who": one_of(able, below)} if able else {})

    return arguments


def _language(session: Session, below: Below) -> Mapping[str, Any]:
    learned = [(one.id, name) for one in session.scene.participants for name in one.character.languages]
    who, name = one_of(learned or [(one.id, "giantish") for one in session.scene.participants], below)
    tasks = [one.id for one in library().of(Task) if one.language]
    return {"who": who, "situation": [f"name={name}", f"task={one_of(tasks, below)}"]}


def _any_skill(session: Session, below: Below) -> Mapping[str, Any]:
    skill = one_of(SKILLS, below)
    found = _check(skill)(session, below)
    return {**found, "situation": [f"name={skill}", *found["situation"]]}


WHEN: tuple[When, ...] = get_args(When)
DIFFICULTIES = ("everyday", "hard", "absurd", "12")
SKILLS = tuple([one.id for one in library().of(Skill)])


# ---------------------------------------------------------------------- how processes are called


def _somebody(session: Session, below: Below, able: Iterable[Participant]) -> str:
    """The id of one who is able to, or of anyone if no one is."""
    return one_of(tuple(able) or session.scene.participants, below).id


def _everybody(session: Session) -> tuple[Participant, ...]:
    return tuple([one for one in session.scene.participants if not one.status.dead])


def _challenge(session: Session, below: Below) -> Mapping[str, Any]:
    tasks = [f"{one_of(SKILLS, below)}:{5 + below(15)}" for _ in range(1 + below(3))]
    return {"tasks": tasks, "turns": 1 + below(6)}


def _afflict(session: Session, below: Below) -> Mapping[str, Any]:
    more = {"rounds": 1 + below(5)} if below(2) else {}
    return {"who": _somebody(session, below, _everybody(session)), "effect": one_of(EFFECT_WORDS, below), **more}


EFFECT_WORDS = (
    *("blind", "burning:2", "debilitation:INT", "encumbered", "enhancement:STR", "halved_speed", "overencumbered"),
    *("prone", "shaken:-2", "sickness:3", "stat_change:DEX:1", "stunned:1", "unconscious"),
)


def _relieve(session: Session, below: Below) -> Mapping[str, Any]:
    affected = [one for one in _everybody(session) if one.status.effects]
    who = _somebody(session, below, affected)
    effects = session.scene[who].status.effects
    return {"who": who, "effect": one_of(effects, below).kind if effects else "prone"}


def _disturb(session: Session, below: Below) -> Mapping[str, Any]:
    return {"who": _somebody(session, below, [one for one in _everybody(session) if one.status.has("unconscious")])}


def _hazard(session: Session, below: Below) -> Mapping[str, Any]:
    kind = one_of(get_args(DamageType), below)
    return {
        "who": _somebody(session, below, ()),
        "damage": f"r{2 * below(10)}",
        "kind": kind,
        "nonlethal": not below(3),
    }


def _load(session: Session, below: Below) -> Mapping[str, Any]:
    loaded = [one.id for one in library().of(Weapon) if one.features.reload is not None]
    empty = [
        (one.id, carried.item)
        for one in session.scene.participants
        for carried in one.status.belongings
        if carried.item in loaded and not carried.left
    ]
    who, weapon = one_of(empty or [(session.scene.participants[0].id, loaded[0])], below)
    return {"who": who, "weapon": weapon}


def _repair(session: Session, below: Below) -> Mapping[str, Any]:
    broken = [
        (one.id, carried.item)
        for one in _able(session, "craft")
        for carried in one.status.belongings
        if library().has(Armour, carried.item)
        and carried.left is not None
        and carried.left < (library().get(Armour, carried.item).durability or 0)
    ]
    who, item = one_of(broken or [(session.scene.participants[0].id, "small_shield")], below)
    return {"who": who, "item": item, "workshop": bool(below(2))}


def _able(session: Session, skill: str) -> list[Participant]:
    return [one for one in session.scene.participants if can_use(one.character, skill, library())]


def _craft(session: Session, below: Below) -> Mapping[str, Any]:
    item = one_of([one.id for kind in (Gear, Armour, Weapon) for one in library().of(kind)], below)
    related = one_of(("background", "archetype", "skillset"), below)
    who = _somebody(session, below, _able(session, "craft"))
    return {"who": who, "item": item, "difficulty": below(20), "related": related, "workshop": True}


def _find(session: Session, below: Below) -> Mapping[str, Any]:
    able = [one for one in session.scene.participants if one.character.talents.get("always_prepared", 0)]
    cheap = [one.id for kind in (Gear, Weapon) for one in library().of(kind) if one.price and one.price <= 4]
    return {"who": _somebody(session, below, able), "item": one_of(cheap, below)}


def _money(session: Session, below: Below) -> Mapping[str, Any]:
    currency = one_of([one.id for one in library().of(Currency)], below)
    return {"who": _somebody(session, below, ()), "amount": f"{1 + below(9)} {currency}"}


def _group(session: Session, below: Below) -> Mapping[str, Any]:
    skill = one_of(SKILLS, below)
    able = [one.id for one in _able(session, skill)] or [session.scene.participants[0].id]
    return {"who": able[:3], "skill": skill, "mode": one_of(("best", "worst"), below)}


def _days(session: Session, below: Below) -> Mapping[str, Any]:
    able = [one.id for one in _everybody(session) if not one.status.has("dying")]
    healers = ["", *[one.id for one in _able(session, "medicine") if one.status.conscious]]
    return {"who": able, "days": 1 + below(9), "healer": one_of(healers, below), "fed": bool(below(2))}


# ---------------------------------------------------------------------- conditions


def _effects(status: Status) -> list[str]:
    return [effect.kind for effect in status.effects]


EXTENT = Extent(
    more_conditions=EFFECTS,
    conditions=_effects,
    never_negative=("endurance", "stamina", "focus"),
    checks={skill: _check(skill) for skill in SKILLS} | {"language": _language, "skill": _any_skill},
    arguments={
        "mars.complex_challenge": _challenge,
        "mars.group_check": _group,
        "mars.hazard": _hazard,
        "mars.afflict": _afflict,
        "mars.relieve": _relieve,
        "mars.disturb": _disturb,
        "mars.days_of_rest": _days,
        "mars.earn": _money,
        "mars.pay": _money,
        "mars.load": _load,
        "mars.repair": _repair,
        "mars.craft": _craft,
        "mars.find": _find,
    },
    casts={"armed": armed, "troubled": troubled},
)
