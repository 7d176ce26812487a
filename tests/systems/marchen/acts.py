"""Acts of people in the tests of Märchen Engine, their narration, and refusals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from systems.marchen.people import OUTCOMES, book, together
from systems.playing import dice_in
from tablewright.engine import Choice, Roll
from tablewright.errors import IllegalActionError
from tablewright.game.narration.entries import entries
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.session import Session
from tablewright.systems.marchen.character.record import MarchenCharacter
from tablewright.systems.marchen.events.recovery import Followed


def ann(session: Session) -> MarchenCharacter:
    """Ann as she is now."""
    found: MarchenCharacter = session.scene["ann"].character
    return found


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


def later(session: Session, **changed: Any) -> Session:
    """The next scene of the same people, as they go out of the last one."""
    return together(*[book().export_character(session.scene, one.id) for one in session.scene.present], **changed)


def refused_by(session: Session, process: str, **given: Any) -> str | None:
    """The rule by which something is refused."""
    with pytest.raises(IllegalActionError) as no:
        session.do(f"marchen.{process}", **given)
    return no.value.rule


def why_not(session: Session, process: str, **given: Any) -> str:
    """The reason and the rule by which something is refused."""
    with pytest.raises(IllegalActionError) as no:
        session.do(f"marchen.{process}", **given)
    return str(no.value)


def refusal(session: Session, process: str, **given: Any) -> str:
    """The refusal by the outcomes of facing the end, or of the dead by the process itself; nothing changes."""
    before = session.scene
    with pytest.raises(IllegalActionError) as no:
        session.do(f"marchen.{process}", **given)
    own = next((one.rules[0] for one in session.rulebook.processes if one.name == f"marchen.{process}"), OUTCOMES)
    assert no.value.rule in (OUTCOMES, own)
    assert session.scene == before
    return str(no.value.message)


# ---------------------------------------------------------------------- seasons, months and weeks


def season(session: Session, plan: str, faces: Any = (), answers: Any = ()) -> Session:
    """A season in which Ann does something."""
    done(session, "season", faces, answers, plans=[f"ann={plan}"])
    return session


def month(session: Session, plan: str, faces: Any = (), answers: Any = ()) -> Session:
    """A month in which Ann does something."""
    done(session, "month", faces, answers, plans=[f"ann={plan}"])
    return session


def week(session: Session, plan: str, faces: Any = (), answers: Any = ()) -> Session:
    """A week in which Ann does something."""
    done(session, "week", faces, answers, plans=[f"ann={plan}"])
    return session


def refused(session: Session, plan: str, scale: str = "season") -> str | None:
    """The rule by which a plan is refused; nothing changes."""
    before = session.scene
    with pytest.raises(IllegalActionError) as no:
        session.do(f"marchen.{scale}", plans=[f"ann={plan}"])
    assert session.scene == before
    return no.value.rule
