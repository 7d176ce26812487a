"""Schema of a scenario file."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from tablewright.game.content.entries import EntryPart, wrong
from tablewright.game.files.documents import quote
from tablewright.game.ground.facts import ANYONE
from tablewright.game.rules.entry_points import announced_policies
from tablewright.game.scenario.scenario import Ending
from tablewright.game.time.calendar import MOST_TICKS

BUILT_IN_POLICIES = ("random", "aggressive", "careful", "best")
MOST_PARTICIPANTS = 200
MOST_SIDES = 20
MOST_ROUNDS = 10_000


def policy_names() -> tuple[str, ...]:
    """Names of the policies that everyone may use: the built-in ones, then those that installed packages register."""
    return (*BUILT_IN_POLICIES, *[name for name in sorted(announced_policies()) if name not in BUILT_IN_POLICIES])


def _text_or_mapping(value: object) -> object:
    if isinstance(value, dict) or (isinstance(value, str) and 0 < len(value) <= 300):
        return value
    raise wrong(f"{quote(value)} is not a character: an id, a file or a mapping")


def _text_or_texts(value: object) -> object:
    if isinstance(value, str) or (isinstance(value, list) and all(isinstance(part, str) for part in value)):
        return value
    raise wrong(f'{quote(value)} is not a position: text such as "3,4", or a list of them')


def _word_or_number(value: object) -> object:
    if isinstance(value, str | int):
        return value
    raise wrong(f"{quote(value)} is not a value of a fact: a word, a whole number, true or false")


def _word(text: str) -> str:
    if re.fullmatch(r"[^\W_][\w-]{0,59}", text):
        return text
    raise wrong(f"{quote(text)} is not a word: letters, digits, - and _, at most 60 in all")


_Name = Annotated[str, Field(min_length=1, max_length=60)]
_Word = Annotated[str, AfterValidator(_word)]


class ParticipantFile(EntryPart):
    """A participant in a scenario file; several alike with `count`."""

    character: Annotated[Any, AfterValidator(_text_or_mapping)]
    side: _Word
    count: int = Field(default=1, ge=1, le=100)
    id: _Word | None = None
    name: _Name | None = None
    seat: _Name | None = None
    position: Annotated[Any, AfterValidator(_text_or_texts)] = ""
    hidden: bool = False
    policy: _Name | None = None


class FactFile(EntryPart):
    """A fact in a scenario file; `who` and `against` may be participants, sides or everyone (`*`)."""

    what: _Name
    who: _Name
    against: _Name = ANYONE
    value: Annotated[Any, AfterValidator(_word_or_number)]


class ScenarioFile(EntryPart):
    """A scenario file."""

    title: _Name
    system: _Name
    participants: tuple[ParticipantFile, ...] = Field(max_length=MOST_PARTICIPANTS)
    about: str = Field(default="", max_length=5_000)
    options: dict[str, Any] = Field(default_factory=dict, max_length=500)
    packs: tuple[Annotated[str, Field(min_length=1, max_length=300)], ...] = Field(default=(), max_length=50)
    ground: Any = "together"
    sides: tuple[_Word, ...] = Field(default=(), max_length=MOST_SIDES)
    side_names: dict[_Word, _Name] = Field(default_factory=dict, max_length=MOST_SIDES)
    surprise: tuple[_Name, ...] = Field(default=(), max_length=MOST_PARTICIPANTS)
    facts: tuple[FactFile, ...] = Field(default=(), max_length=500)
    start: dict[str, Any] = Field(default_factory=dict, max_length=100)
    rounds: int = Field(default=100, ge=1, le=MOST_ROUNDS)
    ends: Ending = "last_side"
    now: int = Field(default=0, ge=0, le=MOST_TICKS)
