"""People and scenes for the tests of Märchen Engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from systems.playing import dice_in
from tablewright.engine import Choose, Roll
from tablewright.game.checks import Plan, Subject
from tablewright.game.content import Library, library_of
from tablewright.game.frozen import Frozen
from tablewright.game.ledger import Ledger
from tablewright.game.opening import open_characters
from tablewright.game.registry import load_system
from tablewright.game.rulebook import Rulebook
from tablewright.game.session import Session
from tablewright.systems.marchen.character import MarchenCharacter, Scores, Specialization
from tablewright.systems.marchen.options import MarchenOptions

SYSTEM = load_system("marchen")
LEDGER = Ledger.load("marchen")
OPTIONS = MarchenOptions()


def library() -> Library:
    """The content of the system."""
    return library_of(SYSTEM)


def book() -> Rulebook:
    """The rules of the system."""
    return SYSTEM.book


def data(rule_id: str) -> Any:
    """The data of a rule."""
    return LEDGER[rule_id].data


def options(**changed: Any) -> MarchenOptions:
    """The options of a table that differ from the usual ones."""
    return MarchenOptions(**changed)


def template(id_: str) -> MarchenCharacter:
    """Somebody of the starter pack."""
    return cast("MarchenCharacter", book().character_of(id_, library()))


def somebody(name: Any = "Ann", *, specials: Any = (), **fields: Any) -> MarchenCharacter:
    """Somebody with scores by their names and all else by the fields of a character."""
    names = Scores.model_fields
    scores = Scores(**{key: fields.pop(key) for key in list(fields) if key in names})
    skills = Frozen(fields.pop("skills", {}))
    studied = tuple([Specialization(skill=skill, name=word, level=level) for skill, word, level in specials])
    given = {"kind": "opponent", "generation": "npc"} | fields
    return MarchenCharacter(name=name, scores=scores, skills=skills, specializations=studied, **given)


def ann(session: Session) -> MarchenCharacter:
    """Ann as she is now."""
    found: MarchenCharacter = session.scene["ann"].character
    return found


def plan(character: MarchenCharacter, what: str, using: MarchenOptions = OPTIONS, **situation: Any) -> Plan:
    """The plan of a check."""
    words = {key: str(value) for key, value in situation.items()}
    return book().check(what).read(Subject(character, using, library()), words)


def total(character: MarchenCharacter, what: str, using: MarchenOptions = OPTIONS, **situation: Any) -> int:
    """Everything that is added to a check but the difficulty."""
    return plan(character, what, using, **situation).tallies["modifier"].total


def together(*characters: MarchenCharacter, seed: int = 1, **changed: Any) -> Session:
    """A scene of some characters, by the names that they have."""
    named = [(one.name.lower(), one) for one in characters]
    return open_characters(SYSTEM, named, seed=seed, options=changed)


def done(session: Session, process: str, faces: Iterable[int] = (), answers: Iterable[str] = (), **given: Any) -> Any:
    """Do something with typed dice and named answers; what it gives."""
    session.do(process if "." in process else f"marchen.{process}", **given)
    left, named = list(faces), list(answers)
    while session.question is not None:
        if isinstance(session.question, Roll):
            number = len(dice_in(session.question))
            session.type_in(left[:number])
            del left[:number]
        else:
            assert isinstance(session.question, Choose)
            session.choose(named.pop(0))
    assert not left
    assert not named
    return session.result
