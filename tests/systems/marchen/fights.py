"""Duels for the tests of Märchen Engine."""

from __future__ import annotations

from typing import Any

from systems.marchen.people import somebody, together
from tablewright.engine import Choice
from tablewright.game.character.belongings import ItemStack
from tablewright.game.session.session import Session
from tablewright.systems.marchen.character.record import MarchenCharacter
from tablewright.systems.marchen.now import (
    arms_of,
    situation,
)

SWORD = (ItemStack("sword", 1, "hand"),)


def fighter(name: str, **fields: Any) -> MarchenCharacter:
    """A fighter with no modifiers."""
    given = {"skills": {"melee_combat": 0, "athletics": 0}, "home_tl": 1, "belongings": SWORD} | fields
    return somebody(name, **given)


def duel(ann: MarchenCharacter | None = None, bob: MarchenCharacter | None = None, **options: Any) -> Session:
    """Two who are on different sides, before their fight."""
    session = together(ann or fighter("Ann"), bob or fighter("Bob"), **options)
    session.do("table.change_sides", who="bob", side="foes")
    return session


def begun(session: Session, first: int = 6, second: int = 4) -> Session:
    """A duel after the fray is entered: Ann acts first, both in control for rolls of 4 and more."""
    session.do("marchen.encounter")
    session.type_in([first, first])
    session.type_in([second, second])
    return session


def offered(session: Session) -> list[str]:
    """The actions that are offered now."""
    assert isinstance(session.question, Choice)
    return sorted({one.split(":")[0] for one in session.question.ids})


def closed(session: Session) -> dict[str, str | None]:
    """The actions that are closed, with the rule that closes them."""
    assert isinstance(session.question, Choice)
    return {one.id: one.rule for one in session.question.closed}


def ruled(session: Session, who: str, **fields: Any) -> Session:
    """A session after the game master has set some fields."""
    for name, value in fields.items():
        word = value if isinstance(value, str) else str(value).lower()
        session.do("table.rule", who=who, field=name, value=word, reason="a test")
    return session


def parts(session: Session, who: str, target: str, arms: str) -> dict[str, int]:
    """The DMs of the situation of an attack, without those that are nothing."""
    found = situation(session.scene, who, target, arms_of(session.scene, who)[arms])
    return {label: value for label, value, _ in found if value}
