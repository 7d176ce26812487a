"""Scenes for the tests of fights: few people, everything typed in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablewright.game.opening import open_session
from tablewright.game.scenario import read_scenario
from tablewright.game.session import Session

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


def meeting(*people: dict[str, Any], options: dict[str, Any] | None = None, **more: Any) -> Session:
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
    return open_session(read_scenario(plain | more, folder=Path("/")), seed=1)


def begin(*people: dict[str, Any], options: dict[str, Any] | None = None, **more: Any) -> Session:
    """The same with the fight under way."""
    session = meeting(*people, options=options, **more)
    session.do("opend6.encounter")
    return session


def answer(session: Session, *given: Any) -> Session:
    """Answer questions: words are choices, lists are dice."""
    for one in given:
        if isinstance(one, list):
            session.type_in(one)
        else:
            session.choose(str(one))
    return session


def last(session: Session, kind: str) -> Any:
    """The last event of a kind."""
    return [line for line in session.log if type(line).__name__ == kind][-1]
