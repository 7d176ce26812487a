"""The open question of a session: who is asked, its options in words, odds, advice and the story so far."""

from __future__ import annotations

from collections.abc import Mapping
from time import thread_time
from typing import Any

from tablewright.api.advice import Advice, advice_on_turn
from tablewright.api.odds import Odds, odds_of_call, odds_of_dice
from tablewright.api.option import Option
from tablewright.api.subject import call_label
from tablewright.engine import Call, Choice
from tablewright.game.narration.entries import entries
from tablewright.game.narration.phrases import option_words
from tablewright.game.narration.projection import project_question
from tablewright.game.narration.question import QuestionDraft, word_question
from tablewright.game.scene.scene import ActingSeat
from tablewright.game.session.policies import Policy as SessionPolicy
from tablewright.game.session.policies import careful
from tablewright.game.session.preview import preview_option
from tablewright.game.session.session import Session
from tablewright.lab.deadline import Deadline
from tablewright.lab.fights.turn_advice import advise_turn


def option_odds(session: Session, name: str, viewer: str) -> Odds[Any]:
    """Exact odds of the first rule that an option leads to, as a viewer may know it."""
    behind = preview_option(session, name, viewer)
    if not isinstance(behind.subject, Call):
        return odds_of_dice(behind.subject)
    if behind.like is not None:
        return odds_of_call(behind.subject, label=f"{call_label(behind.like)}, from here", like=behind.like)
    return odds_of_call(behind.subject)


def turn_advice(session: Session, seconds: float) -> Advice[Any]:
    """Advice on the open choice of a session for its seat."""
    found = advise_turn(session, deadline=Deadline(seconds, clock=thread_time))
    who = asked_of(session)
    name = session.scene.display_name(who) if who is not None and who in session.scene else str(session.seat)
    return advice_on_turn(name, found)


def options_of(question: Choice[Any], worded: QuestionDraft | None = None) -> tuple[Option, ...]:
    """Options of a choice, in the words of a question for people if they are given."""
    words = {} if worded is None else {one.id: one for one in worded.options}
    found = []
    for name, option in zip(question.ids, question.options, strict=True):
        told = words.get(name)
        if told is None:
            cost = question.cost_text(option)
            found.append(Option(name, option_words(question.label(option)), "" if cost == "nothing" else cost))
        else:
            found.append(Option(name, told.label, ", ".join([part for part in (told.gives, told.costs) if part])))
    return tuple(found)


def question_in_words(session: Session, viewer: str) -> QuestionDraft | None:
    """The open question in words for a viewer; None if none is open or another seat is asked."""
    question = session.question
    seen = project_question(session.playing, session.scene, viewer)
    if question is None or seen is None or "waiting" in seen:
        return None
    key = question.key if isinstance(question, Choice) else ""
    return word_question(key, seen, session.scene, session.rulebook, viewer, game=session.live)


def asked_of(session: Session) -> str | None:
    """Participant who has to answer, or the seat if it is none of them."""
    question, seat = session.question, session.seat
    if question is None or seat is None:
        return None
    who = question.details.get("who") if isinstance(question, Choice) else None
    if isinstance(who, str) and who in session.scene:
        return who
    return seat.who if isinstance(seat, ActingSeat) else str(seat)


def waits_for(session: Session) -> str:
    """Asked participant and question, in a few words."""
    who = asked_of(session)
    if who is None:
        return "nobody is asked"
    name = session.scene.display_name(who) if who in session.scene else who
    question = session.question
    said = question.question if isinstance(question, Choice) else f"roll {question.dice}" if question else ""
    return f"{name} is asked: {said}"


def bot_for(session: Session, answers: Mapping[str, SessionPolicy]) -> SessionPolicy | None:
    """Policy that answers the open question; None if a participant without a bot has to answer.

    A seat that no participant has, such as the game master's, answers as careful bots do.
    """
    who = asked_of(session)
    if who in answers:
        return answers[str(who)]
    people = [one.id for one in session.scene.participants if one.id == who or one.seat == session.seat]
    if not people:
        return careful
    return answers.get(people[0])


def narration(session: Session, viewer: str, since: int = 0, *, dice: bool = False) -> str:
    """The log of a session in sentences for a viewer, one line for each action; ``dice`` adds a line of throws."""
    told: list[str] = []
    for entry in entries(session.live, session.rulebook, viewer, since):
        if entry.kind == "turn":
            continue  # every sentence names who acts
        told.append(str(entry.headline) if entry.kind in ("round", "end") else f"  {entry.headline}")
        if dice and entry.quiet:
            told.append(f"    {entry.quiet}")
    return "\n".join(told)


def heading_of(session: Session, viewer: str) -> str:
    """The open question of a session in sentences for a viewer; empty if none is open."""
    worded = question_in_words(session, viewer)
    return "" if worded is None else str(worded.heading)
