"""People of OpenD6 and scenes outside fights, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from systems.playing import answer, in_one_place, of_starter, outside_fights, starter
from tablewright.dice import SeededDice
from tablewright.errors import IllegalActionError
from tablewright.game.character.character import Frozen, read_character
from tablewright.game.character.creation import CharacterCreation, at_random
from tablewright.game.content.library import Library
from tablewright.game.play.checks import CheckPlan, Subject
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.systems.opend6.book import rulebook
from tablewright.systems.opend6.character.record import Attributes, OpenD6Character
from tablewright.systems.opend6.checks import CHECKS
from tablewright.systems.opend6.content import ATTRIBUTES
from tablewright.systems.opend6.creation import create
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.values import DieCode

OPTIONS = OpenD6Options()
LEDGER = Ledger.load("opend6")
C = DieCode.parse


def library() -> Library:
    """The starter pack."""
    return starter("opend6")


def person(name: str, **changes: Any) -> OpenD6Character:
    """A character of the starter pack, with some fields changed."""
    return of_starter("opend6", OpenD6Character, name, **changes)


def somebody(name: str = "Somebody", **fields: Any) -> OpenD6Character:
    """A character with codes by name, such as agility="3D+1" and climbing="4D"; attributes are 2D otherwise."""
    codes = {key: C(value) for key, value in fields.items() if isinstance(value, str) and key in ATTRIBUTES}
    known = {one.id for one in library().of("skills")}
    skills = {key: C(value) for key, value in fields.items() if key in known}
    special = {"extranormal": C(fields.pop("extranormal_code"))} if "extranormal_code" in fields else {}
    rest = {key: value for key, value in fields.items() if key not in codes and key not in skills}
    base = {"name": name, "attributes": Attributes(**codes, **special), "skills": Frozen(skills), "moral_code": "none"}
    return OpenD6Character(**{**base, **rest})


def subject_of(character: OpenD6Character, options: OpenD6Options = OPTIONS) -> Subject:
    """A character outside of any scene."""
    return Subject(character, options, library())


def planned(character: OpenD6Character, what: str, options: OpenD6Options = OPTIONS, **situation: object) -> CheckPlan:
    """The plan of a check for a situation told in words."""
    check = next(one for one in CHECKS if one.id == what)
    told = {name: value if isinstance(value, (str, list)) else str(value).lower() for name, value in situation.items()}
    return check.read(subject_of(character, options), told)


def arguments(plan: CheckPlan) -> Mapping[str, Any]:
    """Arguments of the mechanic of a plan."""
    found: Mapping[str, Any] = plan.call.named_arguments()
    return found


def refused(rule: str, *given: Any, **situation: Any) -> None:
    """Assert that a check cannot be made by a rule."""
    with pytest.raises(IllegalActionError) as caught:
        planned(*given, **situation)
    assert caught.value.rule == f"opend6.{rule}", caught.value


def scene_of(people: Mapping[str, OpenD6Character], options: OpenD6Options = OPTIONS) -> Scene:
    """People together in one place."""
    return in_one_place("opend6", people, options)


def session_of(people: Mapping[str, OpenD6Character], options: OpenD6Options = OPTIONS, seed: int = 1) -> Session:
    """A session of people who do things outside fights."""
    return outside_fights("opend6", people, options, seed)


def do(session: Session, process: str, *answers: str | Sequence[int], **given: Any) -> Session:
    """Start a process and answer what it asks."""
    session.do(f"opend6.{process}", **given)
    return answer(session, *answers)


def after(session: Session, who: str) -> OpenD6Character:
    """The character as it goes out of the scene."""
    found: OpenD6Character = rulebook.export_character(session.scene, who)
    return found


def improving(name: str = "", options: OpenD6Options = OPTIONS, **fields: Any) -> Session:
    """Ann, or one of the starter pack, between two adventures with points to spend and everything used."""
    known = tuple([one.id for one in library().of("skills")])
    fields = {"interval": 1, "character_points": 500, "improvable": known} | fields
    return session_of({"ann": person(name, **fields) if name else somebody("Ann", **fields)}, options)


def buy(session: Session, what: str, name: str, *answers: Any, **more: Any) -> OpenD6Character:
    """Ann after she has bought something."""
    do(session, "advance", *answers, who="ann", what=what, name=name, **more)
    return after(session, "ann")


def buy_all(session: Session, *things: tuple[Any, ...]) -> OpenD6Character:
    """Ann after several purchases: what, its name, and fields that go with it."""
    for what, name, *more in things:
        buy(session, what, name, **(more[0] if more else {}))
    return after(session, "ann")


def making(name: str = "Nobody", options: OpenD6Options = OPTIONS, **given: int) -> CharacterCreation[OpenD6Character]:
    """A character in the making."""
    return CharacterCreation(lambda: _create(name, options, given))


def budget(making_: CharacterCreation[OpenD6Character]) -> tuple[int, int]:
    """Points of a step: the total and the remainder."""
    assert making_.budget is not None
    return making_.budget.total, making_.budget.left


def closed(making_: CharacterCreation[OpenD6Character]) -> dict[str, str]:
    """Reasons of the closed options of a step."""
    return {one.id: one.reason for one in making_.closed}


def offered(making_: CharacterCreation[OpenD6Character]) -> list[str]:
    """The options of a step."""
    return [one.id for one in making_.options]


def random_character(seed: int, options: OpenD6Options = OPTIONS, **given: int) -> OpenD6Character:
    """A character made at random."""
    made: OpenD6Character = at_random(lambda: _create("Random", options, given), SeededDice(seed))
    return made


def _create(name: str, options: OpenD6Options, given: Mapping[str, int]) -> Any:
    return create.function(Game(Scene("opend6", options=options, library=library()), rulebook), name, **given)


def from_text(text: str) -> OpenD6Character:
    """A character from the text of a file."""
    return read_character(text, OpenD6Character).character


def rows(rule: str) -> Iterable[tuple[str, Any]]:
    """The rows of a table of the ledger."""
    return list(LEDGER[rule].data.items())
