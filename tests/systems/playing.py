"""Running a process of a session with typed dice and named choices, for the tests of every system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tablewright.engine import Choose, Roll
from tablewright.errors import ManyProblems
from tablewright.game.options import Options
from tablewright.game.session import Session


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


def takes(options: type[Options], name: str, value: int) -> bool:
    """Whether a number option takes a value."""
    try:
        options.from_mapping({name: value})
    except ManyProblems:
        return False
    return True
