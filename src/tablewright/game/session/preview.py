"""Preview of the rule behind an option: the first roll or mechanic it would lead to, as one viewer may see it.

The session itself does not change: the action is started on a scratch copy, and questions before the dice get their
default answers. The command line shows the odds of the result.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from tablewright.engine import Call, Choice, Roll
from tablewright.engine.advice import call_as_seen_by, rest_of_rule
from tablewright.engine.mechanic import Until
from tablewright.engine.progress import HiddenDependencyError
from tablewright.engine.request import EVERYONE, Attributed, Mapped, Request, Swapped
from tablewright.errors import InvalidInputError
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import TurnEnded, TurnStarted
from tablewright.game.scene.game import Game
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.session import Session

_Found: TypeAlias = tuple[Request[Any], Attributed[Any] | None] | None

_MOST_BEFORE = 20
"""Upper bound for answers between an option and its first roll."""


class RulePreview(NamedTuple):
    """The rule behind an option; ``unknown`` names the arguments hidden from the viewer, which are at their defaults.

    ``presumed`` lists, in words, the questions that the actor is still asked before the dice, with their default
    answers; these spend nothing. If the rule is under way, the subject is its rest, and ``like`` the whole of it.
    """

    subject: Any
    unknown: tuple[str, ...] = ()
    presumed: tuple[str, ...] = ()
    like: Call[Any] | None = None


def preview_rule(session: Session, who: str, use: ActionUse, viewer: str) -> RulePreview:
    """The first rule that an option leads to; refused if there is none or the viewer may not see its dice or odds.

    Questions before the rule get their default answers.
    """
    said = use.label or use.id
    action = session.rulebook.actions.by_id.get(use.action)
    presumed: list[str] = []
    whole = session.rulebook.preview(session.scene, who, use) if session.rulebook.preview is not None else None
    if whole is not None:
        return _seen(_unwrapped(whole), said, viewer, presumed)
    found = _on_a_scene_apart(session, who, use, viewer, presumed)
    if found is None and (action is None or action.reaction):
        presumed.clear()
        found = _on_a_session_apart(session, use.id, presumed)
    return _seen(found, said, viewer, presumed)


def preview_option(session: Session, name: str, viewer: str) -> RulePreview:
    """The first rule that any option of the open choice leads to, by the option's id.

    Beside actions these are options that declare what they lead to, and options of a rule under way, whose rest is
    then previewed.
    """
    playing, question = session.playing, session.question
    if playing is None or not isinstance(question, Choice):
        raise InvalidInputError("odds are for the options of a choice, and none is open; ask again at the next one")
    option = question.option(name)
    who = question.details.get("who")
    if isinstance(option, ActionUse) and isinstance(who, str) and question.leads_to is None:
        return preview_rule(session, who, option, viewer)
    presumed: list[str] = []
    said = question.label(option) if not isinstance(option, bool) else "yes" if option else "no"
    if playing.calls:
        apart = Session(session.header, session.rulebook, session.entries)
        apart.choose(name)
        if apart.playing is None or not apart.playing.calls or apart.playing.calls[0] != playing.calls[0]:
            raise InvalidInputError(f"{said}: nothing more is rolled after it")
        return RulePreview(
            rest_of_rule(apart.playing, None if viewer == GAME_MASTER else viewer), like=playing.calls[0]
        )
    if question.leads_to is not None:
        following = question.leads_to(option)
        if isinstance(following, Request):
            return _seen(_unwrapped(following), said, viewer, presumed)
    return _seen(_on_a_session_apart(session, name, presumed), said, viewer, presumed)


def _unwrapped(following: Request[Any]) -> tuple[Request[Any], Attributed[Any] | None]:
    """The request inside its wrappers, and the one that says who sees it."""
    context = None
    while isinstance(following, Attributed | Swapped | Mapped | Until):
        context = following if isinstance(following, Attributed) else context
        following = following.call if isinstance(following, Until) else following.ask
    return following, context


def _seen(found: _Found, said: str, viewer: str, presumed: list[str]) -> RulePreview:
    """A request as a viewer may see it; refused if there is none or its dice or odds are hidden."""
    if found is None:
        asked = f" with the usual answers: {'; '.join(presumed)}" if presumed else ""
        raise InvalidInputError(f"{said}: nothing is rolled for it{asked}")
    ask, context = found
    if context is not None and viewer != GAME_MASTER and context.audience not in (EVERYONE, viewer):
        raise InvalidInputError(f"{said}: its dice are not yours to see")
    if isinstance(ask, Roll):
        return RulePreview(ask.dice, (), tuple(presumed))
    if not isinstance(ask, Call):
        raise InvalidInputError(f"{said}: its odds cannot be told at once; it is not one rule")
    if context is None or viewer == GAME_MASTER:
        return RulePreview(ask, (), tuple(presumed))
    try:
        return RulePreview(
            call_as_seen_by(ask, context, viewer, usual=True), context.unknown_to(viewer), tuple(presumed)
        )
    except HiddenDependencyError as problem:
        hidden = " and ".join(problem.what)
        raise InvalidInputError(f"{ask.mechanic.name}: {hidden} is the game master's, so are the odds") from None


def _on_a_scene_apart(session: Session, who: str, use: ActionUse, viewer: str, presumed: list[str]) -> _Found:
    """Start an action on a scratch scene and stop at the first request that is not a plain choice.

    Choices of the actor before the dice get their defaults and are added to ``presumed``.
    """
    if use.action not in session.rulebook.actions.by_id:
        return None
    rule = session.rulebook.actions.perform(Game(session.scene, session.rulebook), who, use)
    answer: Any = None
    try:
        for _ in range(_MOST_BEFORE):
            asked = ask = rule.send(answer)
            context: Attributed[Any] | None = None
            while isinstance(ask, Attributed | Mapped | Until):
                context = ask if isinstance(ask, Attributed) else context
                ask = ask.call if isinstance(ask, Until) else ask.ask
            if asked is not ask or not isinstance(ask, Choice):
                return ask, context
            answer = ask.options[ask.default]
            if ask.seat in (viewer, session.scene[who].seat) and not _comes_between(ask, who):
                presumed.append(f"{ask.question} {_said(answer, ask)}")
    except StopIteration:
        return None
    finally:
        rule.close()
    return None


def _said(answer: Any, ask: Choice[Any]) -> str:
    """The answer in words."""
    return ("yes" if answer else "no") if isinstance(answer, bool) else ask.label(answer)


def _comes_between(ask: Choice[Any], who: str) -> bool:
    """True if a question offers a reaction to another participant of the same seat."""
    return ask.details.get("kind") == "window" and ask.details.get("who") != who


def _on_a_session_apart(session: Session, name: str, presumed: list[str]) -> _Found:
    """Answer the open question in a copy of the session and find the next roll before the turn changes."""
    apart = Session(session.header, session.rulebook, session.entries)
    asked, begun = apart.seat, len(apart.log)
    apart.choose(name)
    for _ in range(_MOST_BEFORE):
        playing = apart.playing
        if playing is None or any(isinstance(line, TurnStarted | TurnEnded) for line in apart.log[begun:]):
            return None
        if playing.calls:
            return playing.calls[0], playing.context
        question = playing.question
        if not isinstance(question, Choice):
            return (question, playing.context) if isinstance(question, Roll) else None
        if apart.seat == asked:
            presumed.append(f"{question.question} {_said(question.options[question.default], question)}")
        apart.choose(question.ids[question.default])
    return None
