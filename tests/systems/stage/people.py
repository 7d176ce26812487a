"""People of The Stage and scenes outside fights, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from systems.playing import in_one_place, of_starter, outside_fights, starter
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Frozen, Ranks
from tablewright.game.content.library import Library
from tablewright.game.play.checks import CheckPlan, Subject
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.values import SKILLS

OPTIONS = StageOptions()


def library() -> Library:
    """The starter pack."""
    return starter("stage")


def person(name: str, **changes: Any) -> StageCharacter:
    """A character of the starter pack, with some fields changed."""
    return of_starter("stage", StageCharacter, name, **changes)


def somebody(level: int = 0, *, has: Any = (), name: Any = "Somebody", **fields: Any) -> StageCharacter:
    """A human creature with all skills at a level, or with those named; ``has`` are things such as ``spear@hand``."""
    skills: dict[str, int] = {skill: fields.pop(skill) for skill in SKILLS if skill in fields}
    every: dict[str, int] = dict.fromkeys(SKILLS, level) if level else {}
    things = [ItemStack(item, place=place or "pack") for item, _, place in [word.partition("@") for word in has]]
    given = {"name": name, "kind": "creature", "race": "human", "belongings": tuple(things), **fields}
    choices = Frozen({key: tuple(value) for key, value in given.pop("choices", {}).items()})
    return StageCharacter(**given, choices=choices, skills=Ranks({**every, **skills}))


def ordinary(**fields: Any) -> StageCharacter:
    """A character with Body 3, Mind 2 and Soul 1."""
    return somebody(**{"athletics": 1, "close_combat": 2, "medicine": 2, "perception": 1, **fields})


def alone(character: StageCharacter, options: StageOptions = OPTIONS) -> Subject:
    """A character outside of any scene."""
    return Subject(character, options, library())


def scene_of(people: Mapping[str, StageCharacter], options: StageOptions = OPTIONS) -> Scene:
    """People together in one place."""
    return in_one_place("stage", people, options)


def session_of(people: Mapping[str, StageCharacter], options: StageOptions = OPTIONS, seed: int = 1) -> Session:
    """A session of people who do things outside fights."""
    return outside_fights("stage", people, options, seed)


def plan(
    character: StageCharacter, key: str, options: Any = OPTIONS, scene: Any = None, **situation: object
) -> CheckPlan:
    """A check of a character in a situation told in words."""
    subject = alone(character, options)
    if scene is not None:
        subject = rulebook.subject(next(one for one in scene.participants if one.character == character), scene)
    return rulebook.check(key).read(subject, {name: str(value) for name, value in situation.items()})


def numbers(planned: CheckPlan) -> tuple[str, int, int, int | None]:
    """Numbers of a plan: the mechanic, its dice, the flat modifier and the Difficulty."""
    named = planned.call.named_arguments()
    modifier = named.get("modifier")
    if modifier is None:
        modifier = sum(named["bonuses"]) - sum(named["penalties"])
    return planned.call.mechanic.name.partition(".")[2], named["dice"], modifier, named.get("difficulty")


def refused(why: str, done: Callable[..., Any], *given: Any, **named: Any) -> None:
    """Assert that something is refused for a reason, which is a pattern."""
    with pytest.raises((IllegalActionError, InvalidInputError), match=why):
        done(*given, **named)
