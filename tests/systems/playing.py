"""What the tests of every system begin with: its people, its processes with typed dice, what is open and closed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

from tablewright.engine import Choose, Roll
from tablewright.errors import ManyProblems
from tablewright.game.actions import Actions, Use
from tablewright.game.character import Character
from tablewright.game.content import Library, library_of
from tablewright.game.options import Options
from tablewright.game.registry import load_system
from tablewright.game.scene import Scene
from tablewright.game.session import Header, Session

C = TypeVar("C", bound=Character)


@cache
def starter(system: str) -> Library:
    """The starter pack of a system."""
    return library_of(load_system(system))


def of_starter(system: str, kind: type[C], name: str, /, **changes: Any) -> C:
    """Somebody of a starter pack, with some fields changed."""
    character = load_system(system).book.character_of(name, starter(system))
    assert isinstance(character, kind)
    return character.changed(**changes) if changes else character


def in_one_place(system: str, people: Mapping[str, Character], options: Options) -> Scene:
    """People of one side together in a scene outside fights."""
    book, content = load_system(system).book, starter(system)
    everybody = [book.participant(one, options, content, id=who, side="party", seat=who) for who, one in people.items()]
    return book.begun(Scene(system, tuple(everybody), options=options, library=content))


def outside_fights(system: str, people: Mapping[str, Character], options: Options, seed: int = 1) -> Session:
    """A session of people who do things outside fights."""
    return Session(Header(system, "0.1.0", in_one_place(system, people, options), seed), load_system(system).book)


def chances(weighted: Iterable[tuple[Scene, int]]) -> dict[Scene, Fraction]:
    """The chance of each scene, from scenes with their weights."""
    found: Counter[Scene] = Counter()
    for scene, weight in weighted:
        found[scene] += weight
    return {scene: Fraction(weight, found.total()) for scene, weight in found.items()}


def why_closed(
    actions: Actions, session: Session, who: str, action: str, *, reactions: bool = False
) -> tuple[str, str | None]:
    """Why somebody cannot take an action at all, and the rule."""
    for one in actions.offers(session.scene, who, reactions=reactions):
        if not isinstance(one, Use) and one.id == action:
            return one.reason, one.rule
    raise AssertionError(f"{action} is not closed")


def go(
    session: Session,
    process: str,
    *,
    faces: Iterable[Sequence[int]] = (),
    choices: Mapping[str, str | Sequence[str]] | None = None,
    **arguments: Any,
) -> Session:
    """Run a process with typed dice; choices by the question's first words, else the default. All dice are used up."""
    rolls = [list(one) for one in faces]
    wanted = {key: [value] if isinstance(value, str) else list(value) for key, value in (choices or {}).items()}
    session.do(process, **arguments)
    while session.question is not None:
        question = session.question
        if isinstance(question, Roll):
            assert rolls, f"a roll was not typed: {question} in {session.playing and session.playing.calls}"
            session.type_in(rolls.pop(0))
        else:
            assert isinstance(question, Choose)
            key = next((key for key in wanted if question.question.startswith(key) and wanted[key]), None)
            session.choose(question.ids[question.default] if key is None else wanted[key].pop(0))
    assert not rolls, f"{rolls} were not asked for"
    assert not any(wanted.values()), f"{wanted} were not asked for"
    return session


def dice_in(question: Roll[Any]) -> int:
    """The number of dice that a roll asks for."""
    shown: list[Any] = []

    def face(die: Any) -> int:
        shown.append(die)
        return 1

    question.dice.read(face)
    return len(shown)


def takes(options: type[Options], name: str, value: int) -> bool:
    """Whether a number option takes a value."""
    try:
        options.from_mapping({name: value})
    except ManyProblems:
        return False
    return True
