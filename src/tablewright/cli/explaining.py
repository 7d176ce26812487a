"""Questions at the table: the odds of an option, how a roll came about, what a choice is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rich.text import Text

from tablewright.cli.advise_turn import draw_turn
from tablewright.cli.chart import draw_odds
from tablewright.cli.heard import closed_to, who_is_asked
from tablewright.cli.keyboard import called, closed_by
from tablewright.cli.menu import Menu, Row, menu_of
from tablewright.cli.numbers import fraction, lead, number, percent
from tablewright.cli.paper import GOOD, HEAD, QUIET, heading, indented, options, paper
from tablewright.cli.waiting import waiting
from tablewright.engine import Call, Choose, DependsOnHidden, Situation, Trace
from tablewright.engine.advice import advise_now, weigh_options
from tablewright.engine.odds import Odds
from tablewright.engine.reporting import Answer, answer_for
from tablewright.engine.values import to_json
from tablewright.errors import BadInput, TablewrightError
from tablewright.game.actions import Use
from tablewright.game.previewing import Behind, rule_behind
from tablewright.game.projection import project_line
from tablewright.game.registry import load_system
from tablewright.game.session import Session
from tablewright.game.telling import Usual, trace_lines

_MOST_SECONDS = 10.0
"""How long all options of a turn may take; where it is not enough their ratings are told."""


def odds(session: Session, viewer: str, typed: str) -> None:
    """The exact odds of an option that rolls something; without a number those of all options, a line each."""
    question = session.question
    if not typed and isinstance(question, Choose):
        menu = menu_of(session, question)
        _odds_of_all(session, viewer, question, menu, range(len(menu.ids)))
        return
    question, option = _option(session, typed)
    if isinstance(option, Row):
        _odds_of_all(session, viewer, question, menu_of(session, question), option.ways)
        return
    who = question.about.get("who")
    if not isinstance(option, Use) or who is None:
        raise BadInput("the odds of a rule's choice are what advise tells")
    behind = rule_behind(session, who, option, viewer)
    if isinstance(behind.subject, Call):
        draw_odds(answer_for(behind.subject), brief=True)
    else:
        draw_odds(Answer(behind.subject, Odds.from_dist(behind.subject.weigh(), behind.subject.remainder)))
    _say_what_is_presumed(behind)


def _say_what_is_presumed(behind: Behind) -> None:
    console = paper()
    console.print(Text("whatever others are asked before the dice, they are taken to do the usual", style=QUIET))
    for said in behind.presumed:
        console.print(Text(said, style=QUIET))
    if behind.unknown:
        names = ", ".join([name.replace("_", " ") for name in behind.unknown])
        console.print(Text(f"not yours to know, and taken to be as usual: {names}", style=QUIET))


def _odds_of_all(session: Session, viewer: str, question: Choose[Any], menu: Menu, places: Iterable[int]) -> None:
    """What the first rule behind each of some options promises, by everything that it can be judged by."""
    who = question.about.get("who")
    rows: dict[str, tuple[str, str]] = {}
    unknown: dict[str, None] = {}
    presumed: dict[str, None] = {}
    for place in places:
        option = question.options[place]
        if not isinstance(option, Use) or who is None:
            raise BadInput("the odds of a rule's choice are what advise tells")
        try:
            behind = rule_behind(session, who, option, viewer)
        except BadInput:
            continue
        unknown |= dict.fromkeys(behind.unknown)
        presumed |= dict.fromkeys([said.partition("?")[0] for said in behind.presumed])
        if isinstance(behind.subject, Call):
            rows[menu.keys[place]] = (option.label, _promise(behind.subject))
    if not rows:
        raise BadInput("nothing is rolled at once for any of these options")
    options(paper(), list(rows.values()), list(rows), all_below=True)
    asked = tuple([f"{question}? as usual" for question in presumed])
    _say_what_is_presumed(Behind(None, tuple(unknown), asked))


def _promise(call: Call[Any]) -> str:
    """The expected value of a rule by each of its objectives, chances as such."""
    answer = answer_for(call).odds
    parts = []
    for name, value in call.mechanic.objectives.items():
        mean = answer.expected(value)
        if mean:
            show = percent if call.mechanic.is_chance(name) else number
            parts.append(f"{name.replace('_', ' ')} {show(mean)}")
    return ", ".join(parts) or "nothing that counts"


def why(session: Session, viewer: str, typed: str) -> None:
    """How the roll under way or the last one came about, or why an option is closed, or the rules behind one."""
    console = paper()
    ledger = load_system(session.header.system).ledger
    if typed:
        reason, rules = _rules_of(session, viewer, typed)
        if reason:
            console.print(Text(reason))
        for rule in rules:
            if rule in ledger:
                console.print(heading(ledger[rule].title, f"[{rule}]"))
                console.print(indented(ledger[rule].text))
        return
    seen = _under_way(session, viewer) or _last_rolled(session, viewer)
    if seen is None:
        raise BadInput("nothing has been rolled yet")
    for said in trace_lines(seen, _usual(session)):
        bare = said.lstrip()
        console.print(indented(bare, len(said) - len(bare)))
    for rule in seen["rules"]:
        title = ledger[rule].title if rule in ledger else ""
        console.print(indented(f"[{rule}] {title}".strip(), style=QUIET))


def _under_way(session: Session, viewer: str) -> dict[str, Any] | None:
    """The rule that waits for dice or a choice, as far as it has come."""
    playing = session.playing
    if playing is None or not playing.calls or playing.context is None:
        return None
    return project_line(playing.trace_so_far(), session.scene, viewer)


def _last_rolled(session: Session, viewer: str) -> dict[str, Any] | None:
    lines = [line for line in reversed(session.log) if isinstance(line, Trace)]
    return next((seen for line in lines if (seen := project_line(line, session.scene, viewer)) is not None), None)


def _usual(session: Session) -> Usual:
    mechanics = {mechanic.name: mechanic for mechanic in load_system(session.header.system).mechanics}

    def usual(name: str) -> dict[str, Any]:
        known = mechanics[name].params if name in mechanics else ()
        return {one.name: to_json(one.default) for one in known if not one.required}

    return usual


def advise(session: Session, viewer: str, typed: str) -> None:
    """What each option of the open choice is worth, by its rule or by where an action can lead."""
    playing, question = session.playing, session.question
    if playing is None or not isinstance(question, Choose):
        raise BadInput("advice is for choices, and none is open")
    try:
        if playing.calls:
            name = typed or None
            mechanic = playing.calls[0].mechanic
            objective, in_chances = mechanic.objective(name)[0], mechanic.is_chance(name)
            situation = advise_now(playing, name, seat=viewer).choices[0]
        else:
            weighed = weigh_options(question, viewer)
            if weighed is None:
                _weigh(session, viewer)
                return
            situation, objective = weighed, question.objective or "by what is rolled next"
            in_chances = weighed.in_chances
    except DependsOnHidden as problem:
        what = ", ".join(problem.what).replace("_", " ")
        raise BadInput(f"advice would give away what is not yours to know ({what})") from None
    except (TablewrightError, IndexError) as problem:
        raise BadInput(f"no advice can be given here: {problem}") from None
    _say_what_it_is_worth(question, situation, objective, percent if in_chances else number)


def _say_what_it_is_worth(
    question: Choose[Any], situation: Situation, objective: str, show: Callable[[Fraction], str]
) -> None:
    console = paper()
    console.print(Text(f"{objective}, if everything after it is done well:", style=QUIET))
    for worth in situation.options:
        exact = "" if worth.value.denominator == 1 else f"  {fraction(Fraction(worth.value))}"
        best = f"  best by {lead(situation.margin, show)}" if worth.best and situation.margin else ""
        label = {"True": "yes", "False": "no"}.get(worth.id, question.label(worth.option))
        console.print(Text(f"  {label}  {show(worth.value)}{exact}{best}", style=f"{HEAD} {GOOD}" if best else ""))


def _weigh(session: Session, viewer: str) -> None:
    """What each action is worth by the system's value of where it can lead; by its rating where that is too much."""
    from tablewright.lab.deadline import Deadline  # noqa: PLC0415
    from tablewright.lab.turns import advise_turn  # noqa: PLC0415  (loaded when it is asked for)

    with waiting("options") as progress:
        advice = advise_turn(session, seat=viewer, deadline=Deadline(_MOST_SECONDS), progress=progress)
    draw_turn(replace(advice, seat=who_is_asked(session, viewer)))


def _option(session: Session, typed: str) -> tuple[Choose[Any], Any]:
    """The option that is meant, or a line of several ways to do one thing."""
    question = session.question
    if not isinstance(question, Choose):
        raise BadInput("no choice is open")
    menu = menu_of(session, question)
    place = menu.exactly(typed) if typed else None
    if place is None and typed:
        place = menu.meant(typed)
    if place is None:
        raise BadInput(f'name an option of "{question.question}" by its number, 1 to {len(menu.numbers)}')
    return question, place if isinstance(place, Row) else question.options[place]


def _rules_of(session: Session, viewer: str, typed: str) -> tuple[str, list[str]]:
    """Why an option is closed, if it is, and the rules behind it."""
    shut = closed_by(typed, closed_to(session, viewer))
    if shut is not None:
        return f"{called(shut)}: {shut.reason}", [shut.rule] if shut.rule else []
    question, option = _option(session, typed)
    if isinstance(option, Row):
        option = question.options[option.ways[0]]
    action = session.book.actions.by_id.get(option.action) if isinstance(option, Use) else None
    if action is None:
        raise BadInput("no rule is named for this option")
    return "", list(action.rules)
