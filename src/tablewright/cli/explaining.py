"""Questions at the table: the odds of an option, how a roll came about, what a choice is worth."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from rich.text import Text

from tablewright.cli.chart import draw_odds
from tablewright.cli.check import answer_for
from tablewright.cli.keyboard import picked
from tablewright.cli.numbers import fraction, number, percent
from tablewright.cli.odds import Answer
from tablewright.cli.paper import GOOD, HEAD, QUIET, heading, indented, paper
from tablewright.cli.telling import trace_lines
from tablewright.engine import Call, Choose, Roll, Seat, Trace
from tablewright.engine.advice import advise_now
from tablewright.engine.asks import EVERYONE, InContext, Mapped
from tablewright.engine.odds import Odds
from tablewright.errors import BadInput, TablewrightError
from tablewright.game.actions import Use
from tablewright.game.events import GAME_MASTER
from tablewright.game.projection import project_line
from tablewright.game.registry import load_system
from tablewright.game.scene import Live
from tablewright.game.session import Session


class Behind(NamedTuple):
    """The rule behind an option; ``unknown`` are its arguments that the viewer may not know, at their defaults."""

    subject: Any
    unknown: tuple[str, ...] = ()


def odds(session: Session, viewer: str, typed: str) -> None:
    """The exact odds of an option that rolls something."""
    question, option = _option(session, typed)
    who = question.about.get("who")
    if not isinstance(option, Use) or who is None:
        raise BadInput("the odds of a rule's choice are what advise tells")
    behind = rule_behind(session, who, option, viewer)
    if isinstance(behind.subject, Call):
        draw_odds(answer_for(behind.subject))
    else:
        draw_odds(Answer(behind.subject, Odds.from_dist(behind.subject.weigh(), behind.subject.remainder)))
    for name in behind.unknown:
        paper().print(Text(f"{name} is not yours to know; this is as if it were its usual value", style=QUIET))


def rule_behind(session: Session, who: str, use: Use, viewer: str) -> Behind:
    """The first thing that an action rolls, found by beginning it on a scene that is thrown away."""
    rule = session.book.actions.perform(Live(session.scene, session.book), who, use)
    try:
        ask = rule.send(None)
    except StopIteration:
        raise BadInput(f"{use.label or use.id}: nothing is rolled for it") from None
    finally:
        rule.close()
    context: InContext[Any] | None = None
    while isinstance(ask, InContext | Mapped):
        context = ask if isinstance(ask, InContext) else context
        ask = ask.ask
    if context is not None and viewer != GAME_MASTER and context.audience not in (EVERYONE, viewer):
        raise BadInput(f"{use.label or use.id}: its dice are not yours to see")
    if isinstance(ask, Roll):
        return Behind(ask.dice)
    if not isinstance(ask, Call):
        said = f'"{ask.question}" is asked first' if isinstance(ask, Choose) else "it is not one rule"
        raise BadInput(f"{use.label or use.id}: its odds cannot be told at once; {said}")
    if context is None or viewer == GAME_MASTER:
        return Behind(ask)
    return _without_secrets(ask, context, viewer)


def _without_secrets(call: Call[Any], context: InContext[Any], viewer: str) -> Behind:
    """The call with what the viewer may not know at its default."""
    owners = {Seat.ACTOR: context.actor, Seat.OPPONENT: context.opponent}
    secret = [name for name, owner in context.private.items() if owners.get(owner) != viewer]
    secret += [name for name in context.hide if name not in secret]
    if not secret:
        return Behind(call)
    named = dict(call.named_arguments())
    for parameter in call.mechanic.params:
        if parameter.name in secret:
            if parameter.required:
                raise BadInput(f"{call.mechanic.name}: {parameter.name} is the game master's, so are the odds")
            named[parameter.name] = parameter.default
    return Behind(call.mechanic(**named), tuple(secret))


def why(session: Session, viewer: str, typed: str) -> None:
    """How the last roll came about, or the rules behind an option."""
    console = paper()
    ledger = load_system(session.header.system).ledger
    if typed:
        for rule in _rules_of(session, typed):
            if rule in ledger:
                console.print(heading(ledger[rule].title, f"[{rule}]"))
                console.print(indented(ledger[rule].text))
            else:
                console.print(Text(rule))
        return
    for line in reversed(session.log):
        seen = project_line(line, session.scene, viewer) if isinstance(line, Trace) else None
        if seen is not None:
            for said in trace_lines(seen):
                bare = said.lstrip()
                console.print(indented(bare, len(said) - len(bare)))
            for rule in seen["rules"]:
                title = ledger[rule].title if rule in ledger else ""
                console.print(indented(f"[{rule}] {title}".strip(), style=QUIET))
            return
    raise BadInput("nothing has been rolled yet")


def advise(session: Session, viewer: str, typed: str) -> None:
    """What each option of the open choice of a rule is worth."""
    playing, question = session.playing, session.question
    if playing is None or not isinstance(question, Choose) or not playing.calls:
        raise BadInput("advice is for a choice inside a rule; odds N tells the odds of an option")
    context = playing.context
    if context is not None and viewer != GAME_MASTER:
        owners = {Seat.ACTOR: context.actor, Seat.OPPONENT: context.opponent}
        if context.hide or any(owners.get(owner) != viewer for owner in context.private.values()):
            raise BadInput("this rule has numbers in it that are not yours to know; advice would give them away")
    name = typed or None
    objective = playing.calls[0].mechanic.objective(name)[0]
    try:
        situation = advise_now(playing, name).choices[0]
    except (TablewrightError, IndexError) as problem:
        raise BadInput(f"no advice can be given here: {problem}") from None
    chances = all(0 <= worth.value <= 1 for worth in situation.options)
    show = percent if chances else number
    console = paper()
    console.print(Text(f"{objective}, if everything after it is done well:", style=QUIET))
    for worth in situation.options:
        exact = "" if worth.value.denominator == 1 else f"  {fraction(Fraction(worth.value))}"
        best = f"  best by {show(situation.margin)}" if worth.best and situation.margin else ""
        label = {"True": "yes", "False": "no"}.get(worth.id, worth.id)
        console.print(Text(f"  {label}  {show(worth.value)}{exact}{best}", style=f"{HEAD} {GOOD}" if best else ""))


def _option(session: Session, typed: str) -> tuple[Choose[Any], Any]:
    question = session.question
    if not isinstance(question, Choose):
        raise BadInput("no choice is open")
    place = picked(typed, list(question.ids), question.question) if typed else None
    if place is None:
        raise BadInput(f'name an option of "{question.question}" by its number, 1 to {len(question.ids)}')
    return question, question.options[place]


def _rules_of(session: Session, typed: str) -> list[str]:
    question = session.question
    closed = question.closed if isinstance(question, Choose) else ()
    for shut in closed:
        if shut.id == typed:
            return [shut.rule] if shut.rule else [shut.reason]
    _, option = _option(session, typed)
    action = session.book.actions.by_id.get(option.action) if isinstance(option, Use) else None
    if action is None:
        raise BadInput("no rule is named for this option")
    return list(action.rules)
