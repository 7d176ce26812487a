"""Duels for the tests of Märchen Engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from systems.marchen.people import somebody, together
from systems.playing import answer as go_on
from tablewright.engine import Choice
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.systems.marchen.character.record import MarchenCharacter
from tablewright.systems.marchen.now import arms_of, situation
from tablewright.systems.marchen.status import Objective, UnderWay, chronicle

SWORD = (ItemStack("sword", 1, "hand"),)
STRUCK, STRUCK_BACK = UnderWay("ann", "bob", "sword", "strike"), UnderWay("bob", "ann", "sword", "strike")


def fighter(name: str, **fields: Any) -> MarchenCharacter:
    """A fighter with no modifiers."""
    given = {"skills": {"melee_combat": 0, "athletics": 0}, "home_tl": 1, "belongings": SWORD} | fields
    return somebody(name, **given)


def duel(ann: MarchenCharacter | None = None, bob: MarchenCharacter | None = None, **options: Any) -> Session:
    """Two who are on different sides, before their fight."""
    session = together(ann or fighter("Ann"), bob or fighter("Bob"), **options)
    session.do("table.change_sides", who="bob", side="foes")
    return session


def three(*people: MarchenCharacter, foes: Iterable[str] = ("bob",), **options: Any) -> Session:
    """Ann, Bob and Cid, of whom Bob or others are foes, before their fight."""
    session = together(*(people or (fighter("Ann"), fighter("Bob"), fighter("Cid"))), **options)
    for who in foes:
        session.do("table.change_sides", who=who, side="foes")
    return session


def objective(session: Session) -> Objective:
    """The objective of the fight."""
    found = chronicle(session.scene).objective
    assert found is not None
    return found


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


def spot(ann_: Any = None, bob: Any = None) -> Session:
    """A duel in which both are in a bad spot; Ann acts first."""
    session = duel(ann_, bob)
    session.do("marchen.encounter")
    return go_on(session, [3, 4], [3, 3])


def on_a_line(session: Session, **places: int) -> Scene:
    """A scene with participants on a long line, by metres."""
    scene = replace(session.scene, ground=Grid(size=(120, 1)))
    for who, at in places.items():
        scene = scene.with_participant(replace(scene[who], position=cell(at, 0)))
    return scene
