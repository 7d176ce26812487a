"""Scenes for the tests of fights: few people, everything typed in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from systems.playing import asked
from tablewright.engine import Roll
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scenario.loader import read_scenario
from tablewright.game.session.opening import open_session
from tablewright.game.session.session import Session
from tablewright.systems.opend6.actions.aim import Attack, difficulty, planned
from tablewright.systems.opend6.character.gear import Manner, arm_of
from tablewright.systems.opend6.content import Weapon

LEDGER = Ledger.load("opend6")
HERO: dict[str, Any] = {
    "system": "opend6",
    "rules": "0.1.0",
    "name": "Hero",
    "attributes": {
        "agility": "3D",
        "coordination": "3D",
        "physique": "3D",
        "intellect": "3D",
        "acumen": "3D",
        "charisma": "3D",
    },
    "skills": {"melee_combat": "4D", "dodge": "4D", "fighting": "4D", "marksmanship": "4D", "throwing": "4D"},
    "character_points": 0,
    "fate_points": 0,
    "belongings": [{"item": "short_sword", "place": "hand"}],
}
FOE: dict[str, Any] = HERO | {"name": "Foe", "kind": "creature", "attributes": HERO["attributes"] | {"acumen": "2D"}}


def person(base: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """A character with some fields changed; attributes and skills are added to those there are."""
    made = dict(base or HERO)
    for name, value in changes.items():
        made[name] = made.get(name, {}) | value if name in ("attributes", "skills") else value
    return made


def field(**positions: str) -> dict[str, Any]:
    """A field of squares of a metre, and who stands where on it, such as ``a="0,1"``."""
    farthest = max([int(position.partition(",")[0]) for position in positions.values()])
    ground = {"kind": "grid", "size": [farthest + 10, 5]}
    return {"ground": ground, "places": {who: {"position": position} for who, position in positions.items()}}


def meeting(
    *people: dict[str, Any],
    options: dict[str, Any] | None = None,
    statuses: dict[str, dict[str, Any]] | None = None,
    **more: Any,
) -> Session:
    """A scene of people against each other: the first on side a, all others on side b."""
    entrants = [
        {"character": one, "id": "abcdefgh"[at], "side": "a" if at == 0 else "b", "seat": "abcdefgh"[at]}
        for at, one in enumerate(people)
    ]
    plain = {
        "title": "test",
        "system": "opend6",
        "ground": "together",
        "participants": entrants,
        "options": {"initiative.method": "no_roll"} | (options or {}),
    }
    for at, change in more.pop("places", {}).items():
        entrants["abcdefgh".index(at)] |= change
    session = open_session(read_scenario(plain | more, folder=Path("/")), seed=1)
    scene = session.scene
    for who, changes in (statuses or {}).items():
        scene = scene.with_status(who, **changes)
    return Session(replace(session.header, scene=scene), session.rulebook) if statuses else session


def begin(*people: dict[str, Any], **more: Any) -> Session:
    """The same with the fight under way."""
    session = meeting(*people, **more)
    session.do("opend6.encounter")
    return session


BOW = [{"item": "short_bow", "place": "hands"}, {"item": "arrow", "count": 5, "place": "pack"}]
MISS = [1, 1, 1, 1]
HIT = [5, 5, 5, 5]


def kinds(session: Session) -> set[str]:
    """The actions that are offered, whatever they are aimed at."""
    return {name.partition(":")[0] for name in asked(session)}


def pool(session: Session) -> str:
    """The dice of the open roll, such as ``4D``."""
    assert isinstance(session.question, Roll)
    return str(session.question.dice).partition("D")[0] + "D"


def weapon(session: Session, name: str, who: str = "a") -> Weapon:
    """A weapon that a participant has ready."""
    arm = arm_of(session.scene, who, name)
    assert arm is not None
    return arm.weapon


def needed(session: Session, detail: str, who: str = "a", target: str = "b") -> int:
    """The difficulty of an attack, such as ``short_sword/called/head``."""
    manner = Manner.parse(detail)
    return difficulty(session.scene, who, target, weapon(session, manner.weapon, who), manner).tally.total


def plan(session: Session, detail: str, who: str = "a", target: str = "b") -> Attack:
    """Everything that goes into an attack."""
    manner = Manner.parse(detail)
    return planned(session.scene, who, target, weapon(session, manner.weapon, who), manner)


def ruled(session: Session, who: str, field: str, value: str) -> None:
    """The game master sets something."""
    session.do("table.rule", who=who, field=field, value=value, reason="for the test")


def fact(session: Session, who: str, what: str, value: str, other: str | None = None) -> None:
    """The game master says how something is."""
    session.do("table.set_fact", who=who, fact=what, value=value, **({"other": other} if other else {}))
