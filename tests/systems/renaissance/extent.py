"""Extent of long plays of Renaissance: calls of its processes and checks, casts and troubles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from conformance.drawing import Below, one_of
from conformance.extents import Arguments, Extent
from systems.renaissance.casting import armed, gifted, pikes, troubled
from systems.renaissance.folk import library
from tablewright.game.scene.scene import Participant
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.checks import FIELD_SKILLS, NUMBERS
from tablewright.systems.renaissance.content import Armour, Chemical, Disease, Gear, Skill, StressSource, Weapon
from tablewright.systems.renaissance.status import Status, helpless, stands

# ---------------------------------------------------------------------- how checks are made

SKILLS = tuple([one.id for one in library().of(Skill)])
DIFFICULTIES = ("easy", "average", "hard", "very_hard", "-15")
FIELDS = {
    "art": "poetry",
    "craft": "smith",
    "exotic_skill": "juggling",
    "knowledge": "theology",
    "language": "common",
    "profession": "priest",
    "sport": "rowing",
}
WORDS: tuple[tuple[str, ...], ...] = (
    (),
    ("helpers=2",),
    ("attempt=3",),
    ("minutes=30", "slower=2"),
    ("minutes=30", "faster=1"),
    ("light=dark", "when=sight"),
    ("passive=yes",),
    ("simple=yes",),
    ("common=yes",),
    ("modifier=-20",),
    ("when=hearing",),
)


def _check(name: str) -> Arguments:
    """A character makes a check under some circumstances."""

    def arguments(session: Session, below: Below) -> Mapping[str, Any]:
        words = [f"field={FIELDS[name]}"] if name in FIELD_SKILLS else []
        attack = library().has(Skill, name) and "attack" in library().get(Skill, name).categories
        more = [one for one in one_of(WORDS, below) if not (attack and one.startswith("helpers"))]
        number = name in NUMBERS and any(one.startswith("common") for one in more)
        words += [f"difficulty={one_of(DIFFICULTIES, below)}", *([] if number else more)]
        if below(4) == 0 and name in ("search", "perception"):
            words.append(f"follows={one_of(session.scene.participants, below).id}")
        return {"who": _someone(session, below, _heroes(session)), "situation": words}

    return arguments


def _any_skill(session: Session, below: Below) -> Mapping[str, Any]:
    name = one_of([one for one in SKILLS if one not in FIELD_SKILLS], below)
    found = _check(name)(session, below)
    return {**found, "situation": [f"name={name}", *found["situation"]]}


def _aptitudes(session: Session, below: Below) -> Mapping[str, Any]:
    made = one_of(("WIL*3", "SOM*2", "STR+SOM", "COO+REF+SOM"), below)
    return {"who": _someone(session, below), "situation": [f"formula={made}"]}


# ---------------------------------------------------------------------- how processes are called


def _someone(session: Session, below: Below, able: Iterable[Participant] = ()) -> str:
    """The id of one who is able to, or of anyone if no one is."""
    return one_of(tuple(able) or session.scene.participants, below).id


def _drawn(able: Callable[[Participant], Any], **more: Any) -> Arguments:
    """Arguments for one of whom something holds; functions draw what else there is, in their order."""

    def arguments(session: Session, below: Below) -> Mapping[str, Any]:
        who = _someone(session, below, [one for one in session.scene.participants if able(one)])
        return {"who": who} | {name: given(below) if callable(given) else given for name, given in more.items()}

    return arguments


def _any_of(kind: type[Any]) -> Callable[[Below], str]:
    """One of the entries of a kind."""
    return lambda below: one_of([one.id for one in library().of(kind)], below)


def _hero(one: Participant) -> bool:
    return not one.character.is_creature


def _lives(one: Participant) -> bool:
    return not one.status.dead


def _heroes(session: Session) -> list[Participant]:
    return [one for one in session.scene.participants if _hero(one)]


def _living(session: Session) -> list[Participant]:
    return [one for one in session.scene.participants if _lives(one)]


def _waking(session: Session) -> list[Participant]:
    return [one for one in session.scene.participants if stands(one)]


def _pair(session: Session, below: Below) -> Mapping[str, Any]:
    who = _someone(session, below, _waking(session))
    return {"who": who, "target": one_of([one.id for one in _living(session) if one.id != who] or [who], below)}


def _plan(session: Session, below: Below) -> Mapping[str, Any]:
    who = _someone(session, below, _living(session))
    carer = one_of([one.id for one in session.scene.participants if one.id != who], below)
    return one_of(({"who": who}, {"who": who, "body": carer}, {"who": who, "body": carer, "mind": carer}), below)


def _rest(session: Session, below: Below) -> Mapping[str, Any]:
    return {"days": (1 + below(9), 30 + below(40))[below(2)]}


def _by(session: Session, below: Below, patients: Iterable[Participant]) -> dict[str, Any]:
    return {"who": _someone(session, below, patients), "by": _someone(session, below, _waking(session))}


def _bind(session: Session, below: Below) -> Mapping[str, Any]:
    return _by(session, below, [one for one in _living(session) if one.status.wounds > one.status.tried])


def _stop(session: Session, below: Below) -> Mapping[str, Any]:
    return _by(session, below, [one for one in _living(session) if one.status.has("bleeding")])


def _inflict(session: Session, below: Below) -> Mapping[str, Any]:
    condition = one_of(("bleeding", "burning", "stunned", "prone"), below)
    return {"who": _someone(session, below, _living(session)), "condition": condition}


def _treat(session: Session, below: Below) -> Mapping[str, Any]:
    sick = [one for one in _living(session) if one.status.has("disease")]
    given = _by(session, below, sick)
    held = session.scene[given["who"]].status.held("disease")
    return {**given, "disease": held.source if held is not None else "flu"}


def _task(session: Session, below: Below) -> Mapping[str, Any]:
    begun = [(one.id, job.name) for one in session.scene.participants for job in one.status.jobs if job.task]
    who, task = one_of(begun or [(session.scene.participants[0].id, "none")], below)
    return {"who": who, "task": task}


def _work(session: Session, below: Below) -> Mapping[str, Any]:
    skill = one_of(("medicine", "craft:smith", "athletics"), below)
    return {
        "who": _someone(session, below, _waking(session)),
        "skill": skill,
        "minutes": 5 + below(100),
        "steps": below(7) - 3,
    }


def _sustain(session: Session, below: Below) -> Mapping[str, Any]:
    who = _someone(session, below, _waking(session))
    given = {"what": "fortify", "figure": "SOM"} if "fortify" in session.scene[who].character.powers else {}
    return {"who": who, "what": "keeping watch", **(given if below(2) else {})}


def _stop_sustaining(session: Session, below: Below) -> Mapping[str, Any]:
    who = _someone(session, below, [one for one in session.scene.participants if one.status.sustained])
    sustained = session.scene[who].status.sustained
    return {"who": who, "what": one_of(sustained, below).what if sustained else "keeping watch"}


def _ritual(session: Session, below: Below) -> Mapping[str, Any]:
    tradition, step, work = one_of(
        (
            ("mage", "design", "great fireball"),
            ("psion", "trance", "hear nearby thoughts"),
            ("priest", "research", "river_spirit"),
            ("priest", "research", "mountain_spirit"),
        ),
        below,
    )
    skill = {"mage": "spellcraft", "psion": "control", "priest": "research"}[tradition]
    able = [one for one in _waking(session) if one.character.skills.get(skill, 0) >= 40]
    return {"who": _someone(session, below, able), "tradition": tradition, "step": step, "work": work}


def _things() -> list[str]:
    return [one.id for kind in (Gear, Weapon, Armour, Chemical) for one in library().of(kind) if one.price is not None]


def _owned(session: Session, below: Below, places: tuple[str, ...] = ()) -> dict[str, Any]:
    known = set(_things())
    carried = [
        (one.id, thing.item)
        for one in session.scene.participants
        for thing in one.belongings
        if thing.item in known and (not places or thing.place in places)
    ]
    who, item = one_of(carried or [(session.scene.participants[0].id, "rope")], below)
    return {"who": who, "item": item}


def _give(session: Session, below: Below) -> Mapping[str, Any]:
    return {**_owned(session, below), "to": _someone(session, below)}


def _take(session: Session, below: Below) -> Mapping[str, Any]:
    lying = [one.item for one in session.scene.loose_items] or ["rope"]
    return {"who": _someone(session, below, _waking(session)), "item": one_of(lying, below)}


def _loot(session: Session, below: Below) -> Mapping[str, Any]:
    down = [one for one in session.scene.participants if helpless(one) and one.belongings]
    fallen = _someone(session, below, down)
    had = [thing.item for thing in session.scene[fallen].belongings] or ["rope"]
    return {"who": _someone(session, below, _waking(session)), "fallen": fallen, "item": one_of(had, below)}


def _craft(session: Session, below: Below) -> Mapping[str, Any]:
    equipped = [one for one in session.scene.participants if any(thing.item == "craft_kit" for thing in one.belongings)]
    item = one_of(("rope", "torch", "dagger"), below)
    return {"who": _someone(session, below, equipped), "item": item, "field": "smith", "tools": "craft_kit"}


def _repair(session: Session, below: Below) -> Mapping[str, Any]:
    able = [one for one in session.scene.participants if "corpse_herder" in one.character.classes]
    hurt = [one for one in _living(session) if one.character.race == "corpse" and one.status.damage]
    return {"who": _someone(session, below, able), "minion": _someone(session, below, hurt)}


# ---------------------------------------------------------------------- conditions


def _conditions(status: Status) -> Iterator[str]:
    for held in status.lasting:
        yield held.id
    if status.damage >= status.durability:
        yield "disabled"
    for name in (
        "overwhelmed",
        "dead",
        "insane",
        "incubating",
        "coated",
        "sustained",
        "lost",
        "dur_lost",
        "soothed",
        "bound",
    ):
        if getattr(status, name):
            yield f"{name}!" if name in ("overwhelmed", "dead", "insane") else name
    for name in ("charged", "far", "spread", "free"):
        if getattr(status.turn, name):
            yield name


CONDITIONS = (
    *("prone", "grabbed", "stunned", "bleeding", "burning", "hurried", "guarded", "braced", "feinted", "weaving"),
    *("unaware", "assisted", "rival", "chemical", "disease", "covered", "unconscious", "charmed", "disabled"),
    *("incubating", "coated", "sustained", "lost", "dur_lost", "soothed", "bound", "charged", "far", "spread", "free"),
)


EXTENT = Extent(
    more_conditions=CONDITIONS,
    exempt={"conditions:insane": "half a lifetime of stress: tested by itself"},
    conditions=_conditions,
    never_negative=("damage", "wounds", "stress", "traumas", "luck", "durability", "bound", "tried", "soothed"),
    checks={check.id: _check(check.id) for check in rulebook.checks if check.id not in ("skill", "aptitudes")}
    | {"skill": _any_skill, "aptitudes": _aptitudes},
    arguments={
        "renaissance.touch": _pair,
        "renaissance.indicate": _pair,
        "renaissance.plan": _plan,
        "renaissance.rest": _rest,
        "renaissance.bind_wounds": _bind,
        "renaissance.stop_bleeding": _stop,
        "renaissance.inflict": _inflict,
        "renaissance.expose": _drawn(_lives, disease=_any_of(Disease)),
        "renaissance.treat": _treat,
        "renaissance.dose": _drawn(_lives, chemical=_any_of(Chemical)),
        "renaissance.stress": _drawn(_lives, source=_any_of(StressSource)),
        "renaissance.soothe": _drawn(lambda one: _lives(one) and one.status.traumas),
        "renaissance.finish_task": _task,
        "renaissance.fall": _drawn(_lives, metres=lambda below: 1 + below(12), rolling=lambda below: bool(below(2))),
        "renaissance.work": _work,
        "renaissance.begin_job": _drawn(stands, job="a wall", skill="athletics", shifts=lambda below: 1 + below(5)),
        "renaissance.sustain": _sustain,
        "renaissance.stop_sustaining": _stop_sustaining,
        "renaissance.ritual": _ritual,
        "renaissance.bargain": _drawn(
            lambda one: any("perform" in key for key, _ in one.status.work),
            spirit="glade_spirit",
            offer=lambda below: below(30),
        ),
        "renaissance.charm": lambda session, below: {
            **_drawn(lambda one: "charm" in one.character.powers)(session, below),
            "target": _someone(session, below),
        },
        "renaissance.award": _drawn(_hero, sessions=5, goal=1, good_play=2),
        "renaissance.advance": _drawn(
            lambda one: _hero(one) and one.character.available >= 5, what="skill", name="medicine", ranks=5
        ),
        "renaissance.step_back": _drawn(lambda one: _hero(one) and one.character.advances),
        "renaissance.spend": _drawn(_hero),
        "renaissance.bless": _drawn(bool, power=lambda below: one_of(("green_hand", "stone_skin"), below)),
        "renaissance.buy": _drawn(lambda one: one.character.copper >= 100, item=lambda below: one_of(_things(), below)),
        "renaissance.sell": _owned,
        "renaissance.earn": _drawn(lambda one: one.character.copper >= 5, amount="5"),
        "renaissance.pay": _drawn(lambda one: one.character.copper >= 5, amount="5"),
        "renaissance.gain": _drawn(bool, item=lambda below: one_of(_things(), below)),
        "renaissance.lose": _owned,
        "renaissance.give": _give,
        "renaissance.drop": _owned,
        "renaissance.take_up": _take,
        "renaissance.loot": _loot,
        "renaissance.draw": lambda session, below: _owned(session, below, ("pack",)),
        "renaissance.stow": lambda session, below: _owned(session, below, ("main", "off", "both", "worn")),
        "renaissance.craft": _craft,
        "renaissance.raise_corpse": _drawn(lambda one: "corpse_herder" in one.character.classes, skills=["fray=20"]),
        "renaissance.repair_corpse": _repair,
    },
    before={
        "renaissance.bind_wounds": ("renaissance.fall",),
        "renaissance.stop_bleeding": ("renaissance.inflict",),
        "renaissance.treat": ("renaissance.expose", "renaissance.rest"),
        "renaissance.soothe": ("renaissance.stress",),
        "renaissance.repair_corpse": ("renaissance.raise_corpse", "renaissance.fall"),
    },
    casts={"armed": armed, "gifted": gifted, "troubled": troubled, "pikes": pikes},
)
