"""The rule behind an option: what would be rolled first if it were taken, as one seat may know it.

Nothing happens in the session itself: the action is begun on a scene apart, and whatever others are asked before the
dice takes its default. The command line shows the odds of it, and so will every other surface.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from tablewright.engine import Call, Choose, Roll
from tablewright.engine.advice import DependsOnHidden, as_seen_by
from tablewright.engine.asks import EVERYONE, Ask, InContext, Mapped
from tablewright.errors import BadInput
from tablewright.game.actions import Use
from tablewright.game.common import TurnEnded, TurnStarted
from tablewright.game.events import GAME_MASTER
from tablewright.game.scene import Live
from tablewright.game.session import Session

_MOST_BEFORE = 20
"""How many answers may come between an option and the first thing that is rolled for it."""


class Behind(NamedTuple):
    """The rule behind an option; ``unknown`` are its arguments that the viewer may not know, at their defaults.

    ``presumed`` is what the actor is still asked before the dice, in words, with the usual answer: nothing is spent.
    """

    subject: Any
    unknown: tuple[str, ...] = ()
    presumed: tuple[str, ...] = ()


def rule_behind(session: Session, who: str, use: Use, viewer: str) -> Behind:
    """The first rule that an option leads to; whatever others are asked before it takes its default."""
    said = use.label or use.id
    action = session.book.actions.by_id.get(use.action)
    presumed: list[str] = []
    found = _on_a_scene_apart(session, who, use, viewer, presumed)
    if found is None and (action is None or action.reaction):
        presumed.clear()
        found = _on_a_session_apart(session, use, presumed)
    if found is None:
        asked = f" with the usual answers: {'; '.join(presumed)}" if presumed else ""
        raise BadInput(f"{said}: nothing is rolled for it{asked}")
    ask, context = found
    if context is not None and viewer != GAME_MASTER and context.audience not in (EVERYONE, viewer):
        raise BadInput(f"{said}: its dice are not yours to see")
    if isinstance(ask, Roll):
        return Behind(ask.dice, (), tuple(presumed))
    if not isinstance(ask, Call):
        raise BadInput(f"{said}: its odds cannot be told at once; it is not one rule")
    if context is None or viewer == GAME_MASTER:
        return Behind(ask, (), tuple(presumed))
    try:
        return Behind(as_seen_by(ask, context, viewer, usual=True), context.unknown_to(viewer), tuple(presumed))
    except DependsOnHidden as problem:
        hidden = " and ".join(problem.what)
        raise BadInput(f"{ask.mechanic.name}: {hidden} is the game master's, so are the odds") from None


_Found: TypeAlias = tuple[Ask[Any], InContext[Any] | None] | None


def _on_a_scene_apart(session: Session, who: str, use: Use, viewer: str, presumed: list[str]) -> _Found:
    """Begin an action on a scene that is thrown away, up to the first thing that is not for others to choose.

    What the actor is asked itself before the dice, how it is meant or what is spent on it, is presumed to be as usual.
    """
    if use.action not in session.book.actions.by_id:
        return None
    rule = session.book.actions.perform(Live(session.scene, session.book), who, use)
    answer: Any = None
    try:
        for _ in range(_MOST_BEFORE):
            asked = ask = rule.send(answer)
            context: InContext[Any] | None = None
            while isinstance(ask, InContext | Mapped):
                context = ask if isinstance(ask, InContext) else context
                ask = ask.ask
            if asked is not ask or not isinstance(ask, Choose):
                return ask, context
            answer = ask.options[ask.default]
            if ask.seat in (viewer, session.scene[who].seat) and not _comes_between(ask, who):
                presumed.append(f"{ask.question} {_said(answer, ask)}")
    except StopIteration:
        return None
    finally:
        rule.close()
    return None


def _said(answer: Any, ask: Choose[Any]) -> str:
    """An answer in words."""
    return ("yes" if answer else "no") if isinstance(answer, bool) else ask.label(answer)


def _comes_between(ask: Choose[Any], who: str) -> bool:
    """Whether a question goes to a companion who may come between, decided for by the same seat as the actor."""
    return ask.about.get("kind") == "window" and ask.about.get("who") != who


def _on_a_session_apart(session: Session, use: Use, presumed: list[str]) -> _Found:
    """Answer the open question in a copy of the session and see what is rolled next, before anybody else acts."""
    apart = Session(session.header, session.book, session.entries)
    asked, begun = apart.seat, len(apart.log)
    apart.choose(use.id)
    for _ in range(_MOST_BEFORE):
        playing = apart.playing
        if playing is None or any(isinstance(line, TurnStarted | TurnEnded) for line in apart.log[begun:]):
            return None
        if playing.calls:
            return playing.calls[0], playing.context
        question = playing.question
        if not isinstance(question, Choose):
            return (question, playing.context) if isinstance(question, Roll) else None
        if apart.seat == asked:
            presumed.append(f"{question.question} {_said(question.options[question.default], question)}")
        apart.choose(question.ids[question.default])
    return None
