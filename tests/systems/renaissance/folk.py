"""People of Renaissance and scenes outside fights, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from systems.playing import in_one_place, of_starter, outside_fights, starter
from tablewright.dice import SeededDice
from tablewright.errors import IllegalActionError
from tablewright.game.character.character import Ranks
from tablewright.game.character.creation import CharacterCreation, at_random
from tablewright.game.content.library import Library
from tablewright.game.content.packs import read_pack
from tablewright.game.play.checks import CheckPlan, Subject
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.figures import Numbers, numbers
from tablewright.systems.renaissance.character.record import Aptitudes, RenaissanceCharacter
from tablewright.systems.renaissance.content import KINDS
from tablewright.systems.renaissance.creation import create
from tablewright.systems.renaissance.options import RenaissanceOptions

OPTIONS = RenaissanceOptions()
LEDGER = Ledger.load("renaissance")


def library() -> Library:
    """The starter pack."""
    return starter("renaissance")


def library_with(text: str) -> Library:
    """The starter pack, and another pack with these entries."""
    head = "pack: {id: own, title: Own, version: '1', origin: house}\nsystem: renaissance\n"
    return library().with_pack(read_pack(head + text, KINDS, library()))


def person(name: str, **changes: Any) -> RenaissanceCharacter:
    """A character of the starter pack, with some fields changed."""
    return of_starter("renaissance", RenaissanceCharacter, name, **changes)


def creature(name: str = "Creature", *, race: str = "corpse", **fields: Any) -> RenaissanceCharacter:
    """A creature of a race without specials that concern checks; aptitudes by their names, skills with ranks."""
    own = {key: fields.pop(key) for key in ("COG", "COO", "INT", "REF", "SAV", "SOM", "WIL") if key in fields}
    fields["skills"] = Ranks(fields.get("skills", {}))
    made: dict[str, Any] = {"name": name, "kind": "creature", "race": race, "aptitudes": Aptitudes(**own), **fields}
    return RenaissanceCharacter(**made)


def figures_of(character: RenaissanceCharacter) -> Numbers:
    """The numbers of a character with nothing but their belongings."""
    return numbers(character, library(), character.belongings, ())


def scene_of(people: Mapping[str, RenaissanceCharacter], options: RenaissanceOptions = OPTIONS) -> Scene:
    """People together in one place."""
    return in_one_place("renaissance", people, options)


def session_of(people: Mapping[str, RenaissanceCharacter], options: RenaissanceOptions = OPTIONS) -> Session:
    """A session of people who do things outside fights."""
    return outside_fights("renaissance", people, options)


def refused(session: Session, process: str, why: str | None = None, **given: Any) -> str | None:
    """The rule by which a process is refused for this reason; nothing has changed then."""
    before = session.scene
    with pytest.raises(IllegalActionError, match=why) as error:
        session.do(f"renaissance.{process}", **given)
    assert session.scene == before
    return error.value.rule


def plan(
    what: str, character: RenaissanceCharacter, options: RenaissanceOptions = OPTIONS, **situation: Any
) -> CheckPlan:
    """A check in a situation, outside of any scene."""
    return rulebook.check(what).read(Subject(character, options, library()), situation)


def goal(what: str, character: RenaissanceCharacter, options: RenaissanceOptions = OPTIONS, **situation: Any) -> int:
    """The target of a check, before its limits."""
    return plan(what, character, options, **situation).tallies["target"].total


def starting(name: str = "New", kind: str = "character", options: RenaissanceOptions = OPTIONS) -> Any:
    """Start of a character's creation."""
    return lambda: create.function(Game(Scene("renaissance", options=options, library=library()), rulebook), name, kind)


def making(**given: Any) -> CharacterCreation[RenaissanceCharacter]:
    """A character in the making, step by step."""
    return CharacterCreation(starting(**given))


def made_at_random(seed: int, **given: Any) -> RenaissanceCharacter:
    """A character whose every choice is drawn."""
    found: RenaissanceCharacter = at_random(starting(**given), SeededDice(seed=seed))
    return found
