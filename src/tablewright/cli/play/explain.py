"""The commands odds, why and advise of a fight at the terminal."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rich.text import Text

from tablewright.cli.output.console import HEAD, QUIET, heading, indented, make_console, options
from tablewright.cli.play.keyboard import called, closed_by
from tablewright.cli.play.log import closed_to
from tablewright.cli.play.menu import Menu, MenuRow, menu_of
from tablewright.cli.views.odds_chart import draw_odds
from tablewright.cli.views.story import draw_reason
from tablewright.cli.views.turn_advice import RankedOption, draw_ranked, name_of, weigh_and_draw
from tablewright.engine import Call, Choice, DecisionPoint, HiddenDependencyError
from tablewright.engine.advice import advise_open_choice, value_options
from tablewright.engine.odds import Odds
from tablewright.engine.report import OddsReport, answer_for
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.narration.draft import EntryDraft, LineSeen
from tablewright.game.narration.entries import about_line, entries
from tablewright.game.narration.phrases import average, sentence
from tablewright.game.narration.projection import project_line, project_question
from tablewright.game.narration.question import word_question
from tablewright.game.narration.sayings import Sayings
from tablewright.game.narration.voices import sayings_of, voice_for
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.preview import RulePreview, preview_rule
from tablewright.game.session.promises import AVERAGES, figures_of_call, figures_of_options, promise_words
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_system

_MOST_SECONDS = 10.0
"""Upper bound, in seconds of processor time, for valuing all options of a turn; until then ratings are shown."""


def odds(session: Session, viewer: str, typed: str) -> None:
    """Print the exact odds of an option that rolls; without a number, one line for each option."""
    question = session.question
    if not typed and isinstance(question, Choice):
        menu = _worded_menu(session, viewer, question)
        _odds_of_all(session, viewer, question, menu, range(len(menu.ids)))
        return
    question, option = _option(session, viewer, typed)
    if isinstance(option, MenuRow):
        _odds_of_all(session, viewer, question, _worded_menu(session, viewer, question), option.ways)
        return
    who = question.details.get("who")
    if not isinstance(option, ActionUse) or who is None:
        raise InvalidInputError(
            "Chances, where the rules give them, stand beside these options; advise says which is best."
        )
    behind = preview_rule(session, who, option, viewer)
    if isinstance(behind.subject, Call):
        draw_odds(answer_for(behind.subject), brief=True)
    else:
        draw_odds(OddsReport(behind.subject, Odds.from_dist(behind.subject.weigh(), behind.subject.remainder)))
    _say_what_is_presumed(behind)


def _say_what_is_presumed(behind: RulePreview) -> None:
    console = make_console()
    console.print(Text("Assumes that everyone answers and defends as usual.", style=QUIET))
    if behind.unknown:
        console.print(Text("Some of it is hidden from you; there the usual is assumed.", style=QUIET))


def _odds_of_all(session: Session, viewer: str, question: Choice[Any], menu: Menu, places: Collection[int]) -> None:
    """Print the expected values of the first mechanic behind each option, by each of its objectives."""
    who = question.details.get("who")
    rows: dict[str, tuple[str, str]] = {}
    unknown: dict[str, None] = {}
    presumed: dict[str, None] = {}
    for place in menu.in_order(places):
        option = question.options[place]
        if not isinstance(option, ActionUse) or who is None:
            raise InvalidInputError(
                "Chances, where the rules give them, stand beside these options; advise says which is best."
            )
        try:
            behind = preview_rule(session, who, option, viewer)
        except InvalidInputError:
            continue
        unknown |= dict.fromkeys(behind.unknown)
        presumed |= dict.fromkeys([said.partition("?")[0] for said in behind.presumed])
        if isinstance(behind.subject, Call):
            told = promise_words(figures_of_call(behind.subject), sayings_of(session.header.system))
            if told:
                rows[menu.keys[place]] = (menu.labels[place], told)
    if not rows:
        raise InvalidInputError("Nothing is rolled at once for any of these options.")
    options(make_console(), list(rows.values()), list(rows), all_below=True)
    asked = tuple([f"{question}? as usual" for question in presumed])
    _say_what_is_presumed(RulePreview(None, tuple(unknown), asked))
    if len(places) > len(rows):
        make_console().print(Text("Options without a chance to tell are left out.", style=QUIET))


def why(session: Session, viewer: str, typed: str) -> None:
    """Explain the current or last roll; with an option, its closing reason or its rules."""
    console = make_console()
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
    seen = _under_way(session, viewer)
    if seen is not None:
        _explain_rule(session, viewer, seen)
        return
    told = [entry for entry in entries(session.live, session.rulebook, viewer) if entry.dice or entry.why]
    if not told:
        raise InvalidInputError("Nothing has been rolled yet; why NAME tells the rules of an option.")
    last = told[-1]
    console.print(Text(str(last.headline), style=HEAD))
    if last.quiet:
        console.print(indented(last.quiet, style=QUIET))
    if last.why is not None:
        draw_reason(console, last.why, 2)


def _explain_rule(session: Session, viewer: str, seen: dict[str, Any]) -> None:
    """Explain the rule that waits for an answer: its dice so far, and the numbers behind it."""
    console = make_console()
    voice, sayings = voice_for(session.scene, session.rulebook, viewer), sayings_of(session.header.system)
    about = about_line(session.playing.trace_so_far() if session.playing else None, session.scene, viewer)
    draft = EntryDraft([LineSeen(0, 0, seen, "", about)], voice, sayings)
    asked = project_question(session.playing, session.scene, viewer)
    if asked is not None and "waiting" not in asked:
        key = session.question.key if isinstance(session.question, Choice) else ""
        heading_of = word_question(key, asked, session.scene, session.rulebook, viewer, game=session.live).heading
        console.print(Text(str(heading_of), style=HEAD))
    elif about.get("actor"):
        console.print(Text(f"{voice.name(about['actor'])} rolls.", style=HEAD))
    told = draft.under_way()
    if told.quiet:
        console.print(indented(told.quiet, style=QUIET))
    if told.why is not None:
        draw_reason(console, told.why, 2)
    titles = [voice.title(rule) for rule in seen["rules"]]
    console.print(indented("Rules: " + ", ".join([title for title in dict.fromkeys(titles) if title]), style=QUIET))


def _under_way(session: Session, viewer: str) -> dict[str, Any] | None:
    """Projected trace of the mechanic that waits for dice or a choice; None if there is none."""
    playing = session.playing
    if playing is None or not playing.calls or playing.context is None:
        return None
    return project_line(playing.trace_so_far(), session.scene, viewer)


def advise(session: Session, viewer: str, typed: str) -> None:
    """Print the best option of the open choice, and the chances of each."""
    playing, question = session.playing, session.question
    if playing is None or not isinstance(question, Choice):
        raise InvalidInputError("Advice is for choices; roll the dice first.")
    try:
        if playing.calls:
            situation: DecisionPoint | None = advise_open_choice(playing, typed or None, seat=viewer).choices[0]
        else:
            situation = value_options(question, viewer)
            if situation is None:
                weigh_and_draw(session, viewer, _MOST_SECONDS)
                return
    except HiddenDependencyError:
        raise InvalidInputError("Advice would give away what is not yours to know.") from None
    except (TablewrightError, IndexError):
        raise InvalidInputError("The rules do not say which of these is better. Your call.") from None
    assert situation is not None
    _rank(session, viewer, situation)


def _rank(session: Session, viewer: str, situation: DecisionPoint) -> None:
    question, sayings = session.question, sayings_of(session.header.system)
    assert isinstance(question, Choice)
    figures, in_all = figures_of_options(session, viewer), _in_all(session, sayings)
    menu = _worded_menu(session, viewer, question)
    least = situation.best.value == min([one.value for one in situation.options])
    ranked = sorted(situation.options, key=lambda one: (not one.best, one.value if least else -one.value))
    rows = []
    for one in ranked:
        place, known = menu.ids.index(one.id), figures.get(one.id, ())
        weighed = in_all.format(n=average(one.value)) if in_all else ""
        promise = ", ".join([part for part in (promise_words(known, sayings), weighed) if part])
        cost = menu.costs[place]
        told = weighed or f"{promise}|{cost}"
        rows.append(RankedOption(menu.labels[place], promise, cost, float(one.value), told, known))
    draw_ranked(name_of(session), rows, wants_least=least)


def _in_all(session: Session, sayings: Sayings) -> str:
    """Template for an objective that is neither a chance nor plain damage."""
    playing = session.playing
    if playing is None or not playing.calls:
        return ""
    mechanic = playing.calls[0].mechanic
    name = mechanic.objective(None)[0]
    if mechanic.is_chance() or name in AVERAGES:
        return ""
    return sayings.promises.get(f"{mechanic.name}.{name}", "")


def _worded_menu(session: Session, viewer: str, question: Choice[Any]) -> Menu:
    asked = project_question(session.playing, session.scene, viewer)
    assert asked is not None
    worded = word_question(question.key, asked, session.scene, session.rulebook, viewer, game=session.live)
    return menu_of(session, question, worded)


def _option(session: Session, viewer: str, typed: str) -> tuple[Choice[Any], Any]:
    """The selected option, or a menu row with several options."""
    question = session.question
    if not isinstance(question, Choice):
        raise InvalidInputError("Odds and rules are for options; roll the dice first.")
    menu = _worded_menu(session, viewer, question)
    place = menu.exactly(typed) if typed else None
    if place is None and typed:
        place = menu.meant(typed)
    if place is None:
        unknown = f'There is no option "{typed:.40}". ' if typed else ""
        raise InvalidInputError(f"{unknown}Name one by its number, from 1 to {len(menu.numbers)}, or by its words.")
    return question, place if isinstance(place, MenuRow) else question.options[place]


def _rules_of(session: Session, viewer: str, typed: str) -> tuple[str, list[str]]:
    """Reason that closes an option (empty if it is open), and its rules."""
    shut = closed_by(typed, closed_to(session, viewer))
    if shut is not None:
        return f"{called(shut)}: {sentence(shut.reason)}", [shut.rule] if shut.rule else []
    question, option = _option(session, viewer, typed)
    if isinstance(option, MenuRow):
        option = question.options[option.ways[0]]
    action = session.rulebook.actions.by_id.get(option.action) if isinstance(option, ActionUse) else None
    if action is None:
        raise InvalidInputError("No rule is named for this option; why alone explains the last roll.")
    return "", list(action.rules)
