"""Extent of OpenD6 in random play: calls of its processes and checks, participants and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args

from conformance.drawing import Below, one_of
from conformance.extents import Arguments, Extent
from systems.opend6.people import library
from systems.playing import character_in, with_character
from tablewright.game.character.belongings import Belongings, ItemStack
from tablewright.game.ground.facts import ANYONE, Facts
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.scene.scene import Participant
from tablewright.game.session.session import Session
from tablewright.systems.opend6.actions.aim import COVER, HIDDEN
from tablewright.systems.opend6.book import rulebook
from tablewright.systems.opend6.character.record import OpenD6Character
from tablewright.systems.opend6.content import (
    Ability,
    Ammunition,
    Armour,
    Gear,
    Hazard,
    Item,
    Skill,
    Task,
    Toughness,
    Weapon,
)
from tablewright.systems.opend6.status import SHAKEN, STUNNED, Hold, Status, is_dying
from tablewright.systems.opend6.values import WOUND_LEVELS

# ---------------------------------------------------------------------- who meets whom


WEAPONS = tuple([one for one in library().of(Weapon) if not one.natural])
SUITS = tuple([one for one in library().of(Armour) if not one.shield])
SHIELDS = tuple([one for one in library().of(Armour) if one.shield])
GEAR = tuple([one.id for one in library().of(Gear)])
NATURAL = ("bite", "claws")


def _armed(number: int) -> Belongings:
    """Other arms and armour: the weapon of this number, and whatever there is beside it."""
    weapon = WEAPONS[number % len(WEAPONS)]
    held = [ItemStack(weapon.id, 2 if weapon.skill == "throwing" else 1, "hands" if weapon.hands > 1 else "hand")]
    if weapon.ammunition is not None:
        held.append(ItemStack(weapon.ammunition, (12, 2, 1)[number % 3]))
    if weapon.hands < 2 and number % 2:
        held.append(ItemStack(SHIELDS[number // 2 % len(SHIELDS)].id, place="hand"))
    suit = SUITS[number % len(SUITS)]
    spare = WEAPONS[(number + 11) % len(WEAPONS)]
    tools = [ItemStack(GEAR[(2 * number + more) % len(GEAR)]) for more in range(2)]
    more = [] if spare.id == weapon.id else [ItemStack(spare.id)]
    return (*held, ItemStack(suit.id, place="worn"), *more, *tools)


def armed(scenario: Scenario, number: int) -> Scenario:
    """The same people with other arms and armour, which come up in turn; one of them fights with what it is."""
    entrants = []
    people = len(scenario.entrants)
    for place, entrant in enumerate(scenario.entrants):
        own = character_in("opend6", entrant)
        skills = own.skills
        for skill in ("marksmanship", "throwing", "melee_combat"):
            skills = skills.put(skill, max(own.skills.get(skill, own.attributes.agility), own.attributes.agility))
        changed = own.changed(belongings=_armed(number * people + place), skills=skills)
        if place == number % people:
            changed = own.changed(belongings=(), natural_weapons=(NATURAL[number % 2],))
        entrants.append(with_character(entrant, changed))
    return replace(scenario, entrants=tuple(entrants))


AILMENTS: tuple[dict[str, Any], ...] = (
    {"level": "wounded"},
    {},
    {"level": "stunned"},
    {"level": "severely_wounded"},
    {"weakened": 1},
    {},
    {"level": "incapacitated"},
    {},
)
ABILITIES: tuple[dict[str, Any], ...] = (
    {"id": "fast_reactions", "ranks": 2},
    {"id": "goes_first"},
    {"id": "skill_bonus", "ranks": 1, "skills": ["dodge", "melee_combat", "fighting"]},
    {"id": "combat_sense"},
    {"id": "increased_attribute", "ranks": 2, "attribute": "agility"},
    {"id": "hardiness", "ranks": 1},
)
WAYS = ("swim", "climb", "", "swim", "")
TERRAINS = ("", "moderate", "rough", "very_rough", "hazardous", "very_hazardous", "easy")
SCALES = (0, 3, -3, 6, -6, 8)


def troubled(scenario: Scenario, number: int) -> Scenario:
    """The same people surprised by each other, in water, smoke and darkness, wounded, gifted and of other sizes."""
    first, second = scenario.sides[number % 2], scenario.sides[(number + 1) % 2]
    entrants = []
    facts = Facts().set("goes_first", scenario.entrants[0].id, True)
    covers = (*COVER, HIDDEN)
    for place, entrant in enumerate(scenario.entrants):
        own = character_in("opend6", entrant)
        turn = number * 3 + place
        wounds = own.wounds.changed(**AILMENTS[turn % len(AILMENTS)])
        ability = library().get(Ability, ABILITIES[turn % len(ABILITIES)]["id"])
        gifted = [one for one in own.abilities if one.id != ability.id]
        kept = [one.model_dump(mode="json") for one in gifted]
        given = {**own.to_json(), "abilities": [*kept, ABILITIES[turn % len(ABILITIES)]]}
        made = OpenD6Character.model_validate(given)
        changed = made.changed(
            wounds=wounds,
            scale=SCALES[turn % len(SCALES)],
            important=not turn % 2,
            character_points=1 + turn % 7,
            fate_points=1 + turn % 3,
        )
        hidden = number % 3 == 2 and entrant.side == first
        side = "strays" if number % 4 == 3 and place == len(scenario.entrants) - 1 else entrant.side
        entrants.append(replace(with_character(entrant, changed), hidden=hidden, side=side))
        if place % 2:
            facts = facts.set("cover", entrant.id, covers[turn % len(covers)])
        if place % 3 == 1:
            facts = facts.set("thrown", entrant.id, str(8 + turn % 9))
            facts = facts.set("vehicle", entrant.id, ("yes", "12")[turn % 2])
        for what, words in (("movement", WAYS), ("terrain", TERRAINS)):
            if words[turn % len(words)]:
                facts = facts.set(what, entrant.id, words[turn % len(words)])
    facts = facts.set("blinded", scenario.entrants[number % 4].id, True)
    facts = facts.set("light", ANYONE, ("poor_light", "moonlight", "darkness")[number % 3])
    sides = tuple(dict.fromkeys([one.side for one in entrants]))
    changed_scenario = replace(scenario, entrants=tuple(entrants), facts=facts, sides=sides)
    if number % 3 == 0:
        return replace(changed_scenario, surprised=tuple([one.id for one in entrants if one.side == second]))
    return changed_scenario


# ---------------------------------------------------------------------- how checks are made


def _check(skill: str) -> Arguments:
    """A character makes a check of a skill: often one of its common tasks, under some circumstances."""

    def arguments(session: Session, below: Below) -> Mapping[str, Any]:
        tasks = [one.id for one in library().of(Task) if not one.skills or skill in one.skills]
        words = [f"circumstances={_circumstance(skill, below)}"] if below(2) else []
        if tasks and below(4):
            place = below(len(tasks)) + len(session.log)  # draws are alike in many plays, what has happened is not
            words.append(f"task={tasks[place % len(tasks)]}")
        else:
            words.append(f"difficulty={one_of(DIFFICULTIES, below)}")
        words += one_of(MANNERS, below)
        able = _able(session, skill)
        return {"situation": words, "who": one_of(able or session.scene.participants, below).id}

    return arguments


def _circumstance(skill: str, below: Below) -> str:
    fitting = [one.id for one in library().of("circumstances") if not one.skills or skill in one.skills]  # type: ignore[attr-defined]
    return one_of(fitting, below)


def _able(session: Session, skill: str) -> list[Participant]:
    if skill in ("magic", "miracles") or not library().has(Skill, skill):
        return []
    return [one for one in session.scene.participants if skill in one.character.skills]


def _any_skill(session: Session, below: Below) -> Mapping[str, Any]:
    skill = one_of(SKILLS, below)
    found = _check(skill)(session, below)
    return {**found, "situation": [f"name={skill}", *found["situation"]]}


def _extranormal(skill: str) -> Arguments:
    """A character with the gift makes the check; who has none gets it for this play."""

    def arguments(session: Session, below: Below) -> Mapping[str, Any]:
        gifted = [one for one in session.scene.participants if one.character.attributes.extranormal.dice]
        who = one_of(gifted or session.scene.participants, below).id
        return {"who": who, "situation": [f"difficulty={one_of(DIFFICULTIES, below)}"]}

    return arguments


DIFFICULTIES = ("easy", "moderate", "difficult", "very_difficult", "12", "1")
MANNERS: tuple[list[str], ...] = (
    [],
    [],
    ["spend=yes"],
    ["time=2"],
    ["time=1/2"],
    ["helper_points=4"],
    ["wild_die_only=yes"],
)
SKILLS = tuple([one.id for one in library().of(Skill)])
CHECKED = [check.id for check in rulebook.checks if check.id != "skill"]


# ---------------------------------------------------------------------- how processes are called


def _somebody(session: Session, below: Below, able: Iterable[Participant] = ()) -> str:
    """The id of one who is able to, or of anyone if no one is."""
    return one_of(tuple(able) or session.scene.participants, below).id


def _heroes(session: Session) -> list[Participant]:
    return [one for one in session.scene.participants if not one.character.is_creature]


def _waking(session: Session) -> list[Participant]:
    return [one for one in session.scene.participants if not one.status.wounds.unconscious]


def _treat(session: Session, below: Below) -> Mapping[str, Any]:
    hurt = [one for one in session.scene.participants if one.status.wounds.level not in ("healthy", "dead")]
    lost = [one for one in session.scene.participants if one.status.wounds.body_points is not None]
    who = _somebody(session, below, hurt or lost)
    return {"who": who, "healer": _somebody(session, below, [one for one in _waking(session) if one.id != who])}


def _rest(session: Session, below: Below) -> Mapping[str, Any]:
    alive = [one for one in session.scene.participants if one.status.wounds.level != "dead"]
    activity = one_of(("full_rest", "light_activity", "strenuous"), below)
    return {
        "who": _somebody(session, below, alive),
        "days": 1 + below(40),
        "activity": activity,
        "double": not below(3),
    }


def _notice(session: Session, below: Below) -> Mapping[str, Any]:
    return {"who": _somebody(session, below, _heroes(session)), "total": 5 + below(15)}


def _dying(session: Session, below: Below) -> Mapping[str, Any]:
    lying = [one for one in session.scene.participants if is_dying(one)]
    return {"who": _somebody(session, below, lying), "minutes": 1 + below(2)}


def _wounds(session: Session, below: Below) -> Mapping[str, Any]:
    """A character is better, worse or without senses, as wounds are counted at the table."""
    one = one_of(session.scene.participants, below)
    if session.scene.options.injury_system != "wounds":
        return {"who": one.id, "body_points": below(12) - 2}
    return {"who": one.id, "level": one_of(WOUND_LEVELS[:5], below), "unconscious": below(3)}


def _hazard(session: Session, below: Below) -> Mapping[str, Any]:
    what = one_of([one.id for one in library().of(Hazard)], below)
    return {"who": _somebody(session, below), "what": what, "metres": below(20), "acrobatics": bool(below(2))}


def _smash(session: Session, below: Below) -> Mapping[str, Any]:
    toughness = one_of([one.id for one in library().of(Toughness)], below)
    return {"damage": f"{2 + below(6)}D", "toughness": toughness}


def _judge(session: Session, below: Below) -> Mapping[str, Any]:
    spent = [one for one in session.scene.participants if one.status.fate_spent]
    return {"who": _somebody(session, below, spent), "stance": one_of(("supports", "neutral", "against"), below)}


def _related(session: Session, below: Below) -> Mapping[str, Any]:
    who = _somebody(session, below)
    return {"who": who, "related": "agility", "what": "physique", "at_once": bool(below(2)), "situation": []}


def _helped(session: Session, below: Below) -> Mapping[str, Any]:
    who, helper = session.scene.participants[0].id, session.scene.participants[1].id
    return {"who": who, "what": "physique", "helpers": [helper], "situation": ["difficulty=moderate"]}


def _group(session: Session, below: Below) -> Mapping[str, Any]:
    alike: dict[str, list[str]] = {}
    for one in session.scene.participants:
        alike.setdefault(one.character.name, []).append(one.id)
    most = max(alike.values(), key=len)
    return {"who": most, "what": "agility", "difficulties": [5 + below(15)]}


def _task(session: Session, below: Below) -> Mapping[str, Any]:
    return {"who": _somebody(session, below), "what": "agility", "task": f"door {below(3)}", "difficulty": "difficult"}


def _award(session: Session, below: Below) -> Mapping[str, Any]:
    return {"who": _somebody(session, below, _heroes(session)), "challenging": 20, "goal": True, "fun": "2"}


def _of_hero(session: Session, below: Below) -> Mapping[str, Any]:
    return {"who": _somebody(session, below, _heroes(session))}


def _train(session: Session, below: Below) -> Mapping[str, Any]:
    return {"who": _somebody(session, below, _heroes(session)), "skill": one_of(SKILLS, below)}


def _advance(session: Session, below: Below) -> Mapping[str, Any]:
    rich = [one for one in _heroes(session) if one.character.improvable and one.status.character_points > 3]
    who = _somebody(session, below, rich or _heroes(session))
    names = session.scene[who].character.improvable or ("dodge",)
    what = one_of(("skill", "skill", "ability", "disadvantage"), below)
    if what == "ability":
        return {"who": who, "what": what, "name": "hardiness"}
    if what == "disadvantage":
        return {"who": who, "what": "new_disadvantage", "name": "Enemy", "rank": 1}
    return {"who": who, "what": what, "name": one_of(names, below)}


def _item(session: Session, below: Below) -> Mapping[str, Any]:
    carried = [(one.id, thing.item) for one in session.scene.participants for thing in one.belongings]
    who, item = one_of(carried or [(session.scene.participants[0].id, "dagger")], below)
    return {"who": who, "item": item}


def _bought(session: Session, below: Below) -> Mapping[str, Any]:
    cheap = [one.id for kind in (Gear, Weapon, Ammunition, Armour) for one in library().of(kind) if _cheap(one)]
    rich = [one for one in session.scene.participants if one.character.silver >= 8]
    return {"who": _somebody(session, below, rich), "item": one_of(cheap, below)}


def _cheap(item: Item) -> bool:
    return item.price is not None and item.price <= 8


def _any_item(session: Session, below: Below) -> Mapping[str, Any]:
    every = [one.id for kind in (Gear, Weapon, Ammunition, Armour) for one in library().of(kind)]
    return {"who": _somebody(session, below), "item": one_of(every, below)}


def _money(session: Session, below: Below) -> Mapping[str, Any]:
    rich = [one for one in session.scene.participants if one.character.silver >= 1]
    return {"who": _somebody(session, below, rich), "amount": "1"}


def _give(session: Session, below: Below) -> Mapping[str, Any]:
    return {**_item(session, below), "to": _somebody(session, below)}


def _take(session: Session, below: Below) -> Mapping[str, Any]:
    lying = [one.item for one in session.scene.loose_items] or ["dagger"]
    return {"who": _somebody(session, below, _waking(session)), "item": one_of(lying, below)}


def _loot(session: Session, below: Below) -> Mapping[str, Any]:
    down = [one for one in session.scene.participants if one.status.wounds.level == "dead" and one.belongings]
    out = [one for one in session.scene.participants if one.status.wounds.unconscious and one.belongings]
    return {"who": _somebody(session, below, _waking(session)), "fallen": _somebody(session, below, down or out)}


def _load(session: Session, below: Below) -> Mapping[str, Any]:
    empty = [(one.id, weapon) for one in session.scene.participants for weapon in one.status.unloaded]
    who, weapon = one_of(empty or [(session.scene.participants[0].id, "long_bow")], below)
    return {"who": who, "weapon": weapon}


def _owned(session: Session, kind: type[Item], place: str = "") -> list[tuple[str, str]]:
    """Owners of a kind of thing, each with the thing, anywhere or in one place."""
    return [
        (one.id, thing.item)
        for one in session.scene.participants
        for thing in one.belongings
        if library().has(kind, thing.item) and place in ("", thing.place)
    ]


def _wield(session: Session, below: Below) -> Mapping[str, Any]:
    who, item = one_of(_owned(session, Weapon) or [(session.scene.participants[0].id, "dagger")], below)
    return {"who": who, "wielded": [item]}


def _worn(place: str) -> Arguments:
    def arguments(session: Session, below: Below) -> Mapping[str, Any]:
        suits = _owned(session, Armour, place) or [(session.scene.participants[0].id, "soft_leather")]
        who, item = one_of(suits, below)
        return {"who": who, "item": item}

    return arguments


# ---------------------------------------------------------------------- conditions


COUNTED = ("tangled", "unbalanced", "unloaded", "aim", "prepared", "quick", "raced", "run_up", "missed", "thrown")


def _conditions(status: Status) -> Iterator[str]:
    yield f"wounds={status.wounds.level}"
    if status.grip is not None:
        yield f"grip={status.grip.how}"
    if status.wounds.unconscious:
        yield "unconscious"
    if status.wounds.body_points is not None and status.wounds.body_points <= 0:
        yield "without Body Points"
    yield from [held.id for held in status.lasting]
    yield from [name for name in COUNTED if getattr(status, name)]
    if status.defence is not None:
        yield "full defence" if status.defence.full else "defence"


def _together(session: Session, below: Below) -> Mapping[str, Any]:
    """An attack of the character whose turn it is with another of the same side."""
    people = session.scene.participants
    leader = next((one for one in people if one.id == session.scene.turn), people[0])
    friends = [one.id for one in people if one.side == leader.side and one.id != leader.id] or [leader.id]
    foes = [one.id for one in people if one.side != leader.side] or [leader.id]
    return {"who": [leader.id, one_of(friends, below)], "targets": [one_of(foes, below)]}


CONDITIONS = (
    *[f"wounds={one}" for one in WOUND_LEVELS],
    *[f"grip={one}" for one in get_args(Hold)],
    *("unconscious", "without Body Points", STUNNED, SHAKEN, "full defence", "defence"),
    *COUNTED,
)
EXTENT = Extent(
    more_conditions=CONDITIONS,
    exempt={
        f"processes:opend6.{name}": "only in the middle of a round, where no process but the fight is played"
        for name in ("move_up", "group_attack", "burn_fate")
    },
    conditions=_conditions,
    never_negative=("character_points", "fate_points", "left", "moved", "raced", "missed"),
    checks={name: _check(name) for name in CHECKED}
    | {"skill": _any_skill}
    | {name: _extranormal(name) for name in CHECKED if name in ("magic", "miracles")},
    arguments={
        "opend6.group_attack": _together,
        "opend6.rest": _rest,
        "opend6.treat": _treat,
        "opend6.notice": _notice,
        "opend6.dying": _dying,
        "opend6.set_wounds": _wounds,
        "opend6.hazard": _hazard,
        "opend6.smash": _smash,
        "opend6.judge_fate": _judge,
        "opend6.related_check": _related,
        "opend6.helped_check": _helped,
        "opend6.group_check": _group,
        "opend6.try_task": _task,
        "opend6.award": _award,
        "opend6.end_adventure": _of_hero,
        "opend6.train": _train,
        "opend6.advance": _advance,
        "opend6.step_back": _of_hero,
        "opend6.spend": _of_hero,
        "opend6.buy": _bought,
        "opend6.sell": _item,
        "opend6.earn": _money,
        "opend6.pay": _money,
        "opend6.gain": _any_item,
        "opend6.lose": _item,
        "opend6.give": _give,
        "opend6.drop": _item,
        "opend6.take_up": _take,
        "opend6.loot": _loot,
        "opend6.load": _load,
        "opend6.wield": _wield,
        "opend6.wear": _worn("pack"),
        "opend6.take_off": _worn("worn"),
    },
    casts={"armed": armed, "troubled": troubled},
)
