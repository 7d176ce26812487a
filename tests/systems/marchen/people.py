"""People and scenes for the tests of Märchen Engine."""

from __future__ import annotations

from typing import Any, cast

from game.opened import open_characters
from tablewright.game.content.library import Library
from tablewright.game.play.checks import CheckPlan, Subject
from tablewright.game.rules.ledger import Ledger
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_system
from tablewright.game.system.rulebook import Rulebook
from tablewright.game.system.shipped_content import shipped_library
from tablewright.game.values import Frozen
from tablewright.systems.marchen.character.record import MarchenCharacter, Scores, Specialization, Wounds
from tablewright.systems.marchen.mechanics.dice import DICE
from tablewright.systems.marchen.options import Core, MarchenOptions

SYSTEM = load_system("marchen")
LEDGER = Ledger.load("marchen")
OPTIONS = MarchenOptions()
OUTCOMES = "marchen.gap.face.outcomes"
PUNCTI, WATCH, DAY = 15 * 60 * 8, 4 * 3600 * 8, 24 * 3600 * 8
DEAD: dict[str, Any] = {"fate": "dead", "down": True, "conscious": False}
OUT: dict[str, Any] = {"down": True, "conscious": False}


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


def hero(name: str = "Ann", **fields: Any) -> MarchenCharacter:
    """A character with nothing that adds anything, trained in nothing unless said."""
    return somebody(name, **({"kind": "character", "culture": "Rhineland"} | fields))


def alone(session_of: MarchenCharacter | None = None, **options: Any) -> Session:
    """A session with one character."""
    return together(session_of or hero(), **options)


def hurt(**damage: int) -> Wounds:
    """Wounds with so much damage."""
    return Wounds.model_validate({"damage": damage})


def faces(core: Core, total: int) -> list[int]:
    """Faces of the core's dice that add up to a total."""
    number, sides = DICE[core]
    shown = []
    for left in range(number - 1, -1, -1):
        shown.append(min(sides, total - left))
        total -= shown[-1]
    return shown
