"""People and scenes for the tests of Märchen Engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from game.opened import open_characters
from systems.playing import dice_in
from tablewright.engine import Choice, Roll
from tablewright.game.content.library import Library
from tablewright.game.narration.entries import entries
from tablewright.game.play.checks import CheckPlan, Subject
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_system
from tablewright.game.system.rulebook import Rulebook
from tablewright.game.system.shipped_content import shipped_library
from tablewright.game.values import Frozen
from tablewright.systems.marchen.character.record import MarchenCharacter, Scores, Specialization
from tablewright.systems.marchen.events.recovery import Followed
from tablewright.systems.marchen.options import MarchenOptions

SYSTEM = load_system("marchen")
LEDGER = Ledger.load("marchen")
OPTIONS = MarchenOptions()


def library() -> Library:
    """The content of the system."""
    return shipped_library(SYSTEM)


def book() -> Rulebook:
    """The rules of the system."""
    return SYSTEM.rulebook


def data(rule_id: str) -> Any:
    """The data of a rule."""
    return LEDGER[rule_id].data


def options(**changed: Any) -> MarchenOptions:
    """The options of a table that differ from the usual ones."""
    return MarchenOptions(**changed)


def template(id_: str) -> MarchenCharacter:
    """A character of the starter pack."""
    return cast("MarchenCharacter", book().character_of(id_, library()))


def somebody(name: Any = "Ann", *, specials: Any = (), **fields: Any) -> MarchenCharacter:
    """A character by the names of scores and fields."""
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


def plan(character: MarchenCharacter, what: str, using: MarchenOptions = OPTIONS, **situation: Any) -> CheckPlan:
    """The plan of a check."""
    words = {key: str(value) for key, value in situation.items()}
    return book().check(what).read(Subject(character, using, library()), words)


def total(character: MarchenCharacter, what: str, using: MarchenOptions = OPTIONS, **situation: Any) -> int:
    """The modifier of a check without its difficulty."""
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
            assert isinstance(session.question, Choice)
            session.choose(named.pop(0))
    assert not left
    assert not named
    return session.result


def told(session: Session) -> str:
    """The whole narration for the game master as one text."""
    return " ".join([str(entry.headline) for entry in entries(session.live, session.rulebook, GAME_MASTER)])


def followed(session: Session) -> list[str]:
    """Results that are told in their own words, each with the id of its participant."""
    return [f"{line.who}: {line.what}" for line in session.log if isinstance(line, Followed)]
