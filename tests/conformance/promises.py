"""Promises of every system as checks; each fails with its own name."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, NamedTuple

from conformance.citing import wrongly_caused, wrongly_cited
from conformance.places import at_length
from tablewright.engine import Choice, Roll, Tally, Trace
from tablewright.engine.request import EVERYONE
from tablewright.errors import IllegalActionError, InvalidInputError, TablewrightError
from tablewright.game.narration.projection import project_line, project_question, project_scene
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.checks import Check
from tablewright.game.play.common_events import RoundStarted, TurnStarted
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.scenario.schema import BUILT_IN_POLICIES
from tablewright.game.scene.events import Event
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import (
    GAME_MASTER,
    Visibility,
    field_visibilities,
    hidden_numbers,
    undeclared_fields,
)
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import POLICIES, at_random, best, play_to_end
from tablewright.game.session.record import Entry, JoinEntry, StartEntry
from tablewright.game.session.session import Session
from tablewright.game.session.views import project_session
from tablewright.game.system.registry import load_system

MOST_ANSWERS = 20_000
MOST_WEIGHED = 6 if at_length() else 2
"""Most questions put to the slow policy that weighs every option exactly, for one promise."""
FEW_OPTIONS = 12
"""Most options that the slow policy weighs where there is not much time."""

MOST_RULED = 24 if at_length() else 8
"""At how many questions the game master tries rulings."""

MOST_COMPARED = 120 if at_length() else 60
"""After how many answers two sessions that must look alike are no longer compared."""

ADVICE = "ask whatever the roll was, or take it out of `hidden` of the check, so that it is never secret"


class Broken(AssertionError):
    """A promise that was not kept; the message begins with its name."""


def keep(name: str, holds: bool, why: str) -> None:
    if not holds:
        raise Broken(f"{name}: {why}")


def start(scenario: Scenario, seed: int = 1) -> Session:
    """A session of the scenario with its encounter under way."""
    session = open_session(scenario, seed=seed)
    session.do(session.rulebook.encounter.name)
    return session


def answers(session: Session, most: int = MOST_ANSWERS) -> Iterator[None]:
    """Let chance answer, one answer at a time."""
    for _ in range(most):
        question = session.question
        if question is None:
            return
        if isinstance(question, Roll):
            session.roll()
        else:
            session.choose(question.ids[at_random(session, question)])
        yield


class Moment(NamedTuple):
    """A session after one answer: the scene, how many lines the log has, the open question and the seat it is for."""

    scene: Scene
    lines: int
    question: Roll[Any] | Choice[Any] | None
    seat: str | None


class Played(NamedTuple):
    """A session that chance has played to its end, and what it was like after every answer."""

    session: Session
    moments: list[Moment]


PLAYED: dict[Scenario, Played] = {}
"""Sessions that several promises look at; a test that changes a system puts an empty one in its place."""


def played(scenario: Scenario) -> Played:
    """The session that chance has played to its end; it is shared, so no one may go on with it."""
    known = PLAYED.get(scenario)
    if known is None or known.session.rulebook is not load_system(scenario.system).rulebook:
        session, moments = start(scenario), list[Moment]()
        for _ in answers(session):
            moments.append(Moment(session.scene, len(session.log), session.question, session.seat))
        PLAYED[scenario] = known = Played(session, moments)
    return known


def as_bytes(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True).encode()


# ---------------------------------------------------------------------- the promises


def something_can_always_be_done(scenario: Scenario) -> None:
    """Before the end a seat is asked, and always has an option."""
    name = "something can always be done"
    try:
        moments = played(scenario).moments
    except TablewrightError as error:
        raise Broken(f"{name}: {error}") from None
    for moment in moments:
        asked = moment.question
        keep(name, asked is not None or moment.scene.ended is not None, "nobody is asked, and it has not ended")
        keep(name, not isinstance(asked, Choice) or len(asked.options) > 0, "a question without options")


def play_ends(scenario: Scenario) -> None:
    """Every policy plays to the end; where there is not much time, the slow one at least for a while."""
    for policy in [POLICIES[name] for name in BUILT_IN_POLICIES]:
        session = start(scenario)
        if policy is best and not at_length():
            for _ in range(MOST_WEIGHED):
                if isinstance(session.question, Choice):
                    session.choose(session.question.ids[best(session, session.question)])
                elif session.question is not None:
                    session.roll()
            continue
        try:
            if policy is at_random and played(scenario).session.scene.ended is not None:
                session = played(scenario).session
            else:
                play_to_end(session, {}, otherwise=policy, most=MOST_ANSWERS)
        except TablewrightError as error:
            raise Broken(f"play ends: {policy.__name__}: {error}") from None
        keep("play ends", session.scene.ended is not None, f"{policy.__name__}: nothing is asked, but it has not ended")


def only_what_is_legal_is_offered(scenario: Scenario) -> None:
    """Offered options are legal; closed and unknown ones are refused with a reason and change nothing."""
    name = "only what is legal is offered"
    session = start(scenario)
    for _ in answers(session, 200):
        asked = session.question
        if not isinstance(asked, Choice):
            continue
        before = list(session.log), session.scene
        who = asked.details.get("who")
        for option in asked.options:
            if isinstance(option, ActionUse) and who is not None and option.action in session.rulebook.actions.by_id:
                try:
                    session.rulebook.actions.check(session.scene, who, option)
                except (IllegalActionError, InvalidInputError) as error:
                    raise Broken(f"{name}: {option.id} is offered, but {error}") from None
        unknown = "  " if asked.details.get("own_words") else "no such option"
        for wrong in [unknown, *[closed.id for closed in asked.closed]]:
            if wrong in asked.ids:
                continue
            try:
                session.choose(wrong)
            except (IllegalActionError, InvalidInputError) as error:
                keep(name, len(str(error)) > len(wrong), f"{wrong} is refused without a reason")
            else:
                raise Broken(f"{name}: {wrong} was accepted")
        keep(name, before == (list(session.log), session.scene), "a refused option changed something")
        for closed in asked.closed:
            keep(name, closed.rule is None or closed.rule in _ledger(session), f"{closed.id} cites {closed.rule}")


def _ledger(session: Session) -> Any:
    return load_system(session.header.system).ledger


def every_rule_cited_is_in_the_ledger(scenario: Scenario) -> None:
    """Mechanics, options, actions, processes, checks and violations cite rules of the ledger."""
    wrong = wrongly_cited(scenario)
    keep("every rule cited is in the ledger", not wrong, f"{'; '.join(wrong[:5])}; no such rule is there")


def state_changes_only_by_events(scenario: Scenario) -> None:
    """The events of the log, applied to the first scene, give the present one."""
    session, moments = played(scenario)
    scene, applied = session.header.scene, 0
    for moment in moments:
        for line in session.log[applied : moment.lines]:
            if isinstance(line, Event):
                scene = session.rulebook.apply(scene, line)
        applied = moment.lines
        keep("state changes only by events", scene == moment.scene, "the log does not lead to the present scene")


def the_log_replays(scenario: Scenario) -> None:
    """The record brings about the same facts again, byte for byte."""
    session = played(scenario).session
    try:
        again = Session(session.header, session.rulebook, session.entries)
    except TablewrightError as error:
        raise Broken(f"the log replays: {error}") from None
    keep("the log replays", as_bytes(again.facts) == as_bytes(session.facts), "the facts differ")
    keep("the log replays", again.scene == session.scene, "the scenes differ")


def saving_changes_nothing(scenario: Scenario, most: int = 60) -> None:
    """Saved and loaded after every single answer, a session goes on as if nothing had happened."""
    session = start(scenario)
    for _ in answers(session, most):
        saved = json.loads(json.dumps(session.to_json()))
        loaded = Session(session.header, session.rulebook)
        loaded.resume(saved)
        keep("saving changes nothing", as_bytes(loaded.to_json()) == as_bytes(session.to_json()), "the files differ")
        keep("saving changes nothing", loaded.seat == session.seat, "somebody else is asked")
        keep("saving changes nothing", repr(loaded.question) == repr(session.question), "something else is asked")
        session = loaded


def undo_and_redo(scenario: Scenario) -> None:
    """Undo and redo restore everything; the same rolls show the same faces."""
    session = start(scenario)
    for _ in answers(session, 40):
        pass
    facts, entries = as_bytes(session.facts), list(session.entries)
    count = min(7, len(entries) - 1)
    session.undo(count)
    keep("undo and redo", len(session.entries) == len(entries) - count, "not as many entries are gone as were undone")
    for entry in entries[-count:]:
        if isinstance(entry, tuple):
            session.roll()
            keep("undo and redo", session.entries[-1] == entry, "the same roll shows other faces")
        else:
            session.enter(entry)
    keep("undo and redo", as_bytes(session.facts) == facts, "the facts differ")


def every_field_says_who_may_see_it(scenario: Scenario) -> None:
    """Events and statuses declare the sight of each of their fields, and events name their characters."""
    name = "every field says who may see it"
    session = start(scenario)
    for kind in session.rulebook.apply.kinds.values():
        keep(name, not undeclared_fields(kind), f"{kind.__name__}: {', '.join(undeclared_fields(kind))}")
        declared = dict(field_visibilities(kind))
        for whom in kind.mentions:
            keep(name, whom in declared, f"{kind.__name__} is about {whom}, which it does not have")
    for participant in session.scene.participants:
        kind = type(participant.status)
        keep(name, not undeclared_fields(kind), f"{kind.__name__}: {', '.join(undeclared_fields(kind))}")


def a_ruling_goes_past_the_rules(scenario: Scenario) -> None:
    """The game master sets a number, which stands in the log with its reason and can be undone."""
    session = start(scenario)
    who = session.scene.participants[0]
    numbers = [entry.name for entry in fields(who.status) if type(getattr(who.status, entry.name)) is int]
    for number in numbers:
        wanted = getattr(session.scene[who.id].status, number) + 1
        before = as_bytes(session.facts)
        session.do("table.rule", who=who.id, field=number, value=str(wanted), reason="because I say so")
        keep(
            "a ruling goes past the rules",
            getattr(session.scene[who.id].status, number) == wanted,
            f"{number} is not set",
        )
        keep(
            "a ruling goes past the rules",
            "because I say so" in json.dumps(session.facts[-1]),
            "the reason is not kept",
        )
        session.undo()
        keep("a ruling goes past the rules", as_bytes(session.facts) == before, f"{number} cannot be undone")


def people_come_and_go(scenario: Scenario) -> None:
    """A participant joins on a third side, another leaves, and play still ends."""
    session = start(scenario)
    for _ in answers(session, 10):
        pass
    if session.question is None:
        return
    newcomer = session.scene.participants[-1]
    session.join(
        {
            "character": newcomer.character.to_json(),
            "id": "third",
            "side": "third side",
            "position": None if newcomer.position is None else str(newcomer.position),
        }
    )
    session.do("table.leave", who=newcomer.id, how="fled")
    keep("people come and go", "third" in session.scene and not session.scene[newcomer.id].present, "not done")
    for _ in answers(session):
        pass
    keep("people come and go", session.scene.ended is not None, "it did not end")


def somebody_who_joins_gets_a_turn(scenario: Scenario) -> None:
    """A newcomer acts in the next round at the latest."""
    session = start(scenario)
    for _ in answers(session, 10):
        pass
    if session.question is None:
        return
    session.enter(_newcomer(session, "late"))
    before, looks = len(session.log), session.rulebook.health(session.scene["late"])
    for _ in answers(session):
        since = session.log[before:]
        late = session.scene["late"]
        if any(isinstance(line, TurnStarted) and line.who == "late" for line in since):
            return
        if not late.present or session.rulebook.health(late) != looks:
            return  # out of it, perhaps, before the first turn
        rounds = len([line for line in since if isinstance(line, RoundStarted)])
        keep("somebody who joins gets a turn", rounds < 3, "two whole rounds have passed without one")


def _newcomer(session: Session, who: str) -> JoinEntry:
    """An entrant like the first, for a side and a place."""
    like = session.scene.participants[0]
    place = None if like.position is None else str(like.position)
    return JoinEntry({"character": like.character.to_json(), "id": who, "side": like.side, "position": place})


def the_game_master_can_rule_at_any_question(scenario: Scenario) -> None:
    """At any question a field is set, a participant leaves, another joins; it can be undone, and play goes on."""
    name = "the game master can rule at any question"
    session = start(scenario)
    counts: Counter[str] = Counter()

    def next_of(rulings: list[dict[str, str]], kind: str) -> dict[str, str]:
        counts[kind] += 1
        return rulings[counts[kind] % len(rulings)]

    for number, _ in enumerate(answers(session, MOST_RULED)):
        if session.question is None:
            return
        asked = session.question.details.get("who") if isinstance(session.question, Choice) else None
        whom = asked or session.scene.turn or session.scene.present[number % len(session.scene.present)].id
        everything = list(_rulings(session.scene))
        of_one = [ruling for ruling in everything if ruling["who"] == whom] or everything
        for ruling in (next_of(of_one, f"of {whom}"), next_of(of_one, f"of {whom}"), next_of(everything, "of all")):
            _and_back(name, session, StartEntry("table.rule", ruling))
        _and_back(name, session, StartEntry("table.leave", {"who": whom}))
        _and_back(name, session, _newcomer(session, "newcomer"))


def _rulings(scene: Scene) -> Iterator[dict[str, str]]:
    """Every number up or gone and every truth turned round, of everyone."""
    for one in scene.present:
        for entry in fields(one.status):
            value = getattr(one.status, entry.name)
            wanted = [not value] if type(value) is bool else [value + 1, 0] if type(value) is int else []
            for other in wanted:
                yield {"who": one.id, "field": entry.name, "value": json.dumps(other), "reason": "to see"}


def _and_back(name: str, session: Session, entry: Entry) -> None:
    """Rule, see that play goes on, and take the ruling back."""
    before = as_bytes(session.facts), session.seat, repr(session.question)
    at = f"at {session.seat}: {session.question!r:.80}, {entry!r:.160}"
    try:
        session.enter(entry)
        other = Session(session.header, session.rulebook, session.entries)
        for _ in answers(other, 12):
            pass
    except Exception as error:  # a rule that breaks breaks the promise, however it does so
        raise Broken(f"{name}: {at}: {type(error).__name__}: {error}") from None
    keep(name, other.question is not None or other.scene.ended is not None, f"{at}: nothing is asked any more")
    try:
        session.undo()
    except TablewrightError as error:
        raise Broken(f"{name}: {at}: cannot be undone: {error}") from None
    session.undone.clear()
    now = as_bytes(session.facts), session.seat, repr(session.question)
    keep(name, before == now, f"{at}: it is not as before when undone")


# ---------------------------------------------------------------------- secrets


def hidden_numbers_stay_hidden(scenario: Scenario) -> None:
    """A foe with another hidden number looks the same to a player until it shows."""
    one = start(scenario)
    viewer, foe = _player_and_foe(one)
    first, seen = _Seen(one, viewer, foe.id), list[tuple[Any, bytes]]()
    for _ in answers(one, MOST_COMPARED):
        seen.append((first.to_all(), first.news()))
    for name, sight in field_visibilities(type(foe.status)):
        value = getattr(foe.status, name)
        if sight is Visibility.EVERYONE or type(value) is not int:
            continue
        header = replace(one.header, scene=one.header.scene.with_status(foe.id, **{name: value + 1}))
        _compare(one, seen, Session(header, one.rulebook), viewer, foe.id, name)


class _Seen:
    """A session as it looks: to all, and to one seat since the last time."""

    def __init__(self, session: Session, viewer: str, foe: str) -> None:
        self.session, self.viewer, self.foe, self.lines = session, viewer, foe, 0

    def to_all(self) -> tuple[object, str | None, str]:
        session = self.session
        return session.rulebook.health(session.scene[self.foe]), session.seat, repr(session.question)

    def news(self) -> bytes:
        seen = as_bytes(_seen_since(self.session, self.viewer, self.lines))
        self.lines = len(self.session.log)
        return seen


def _compare(
    one: Session, seen: list[tuple[Any, bytes]], other: Session, viewer: str, foe: str, hidden_number: str
) -> None:
    """Play alike for as long as both look alike: scene, question and news at every answer, the log at the end."""
    name, why = "hidden numbers stay hidden", f"{viewer} can tell the {hidden_number} of {foe}"
    other.do(other.rulebook.encounter.name)
    second = _Seen(other, viewer, foe)
    for entry, (to_all, news) in zip(one.entries[1:], seen, strict=True):
        try:
            other.enter(entry)
        except TablewrightError:
            return
        if to_all != second.to_all():
            return
        keep(name, news == second.news(), why)
    keep(name, as_bytes(project_session(one, viewer)) == as_bytes(project_session(other, viewer)), why)


def _seen_since(session: Session, viewer: str, lines: int) -> list[Any]:
    """The view of one seat: scene, question, and the log after so many lines."""
    news = []
    for number in range(lines, len(session.log)):
        before, after = session.live.scenes_of(number)
        news.append(project_line(session.log[number], after, viewer, before))
    question = project_question(session.playing, session.scene, viewer)
    return [
        project_scene(session.scene, session.rulebook, viewer),
        question,
        [line for line in news if line is not None],
    ]


def a_secret_difficulty_stays_secret(scenario: Scenario) -> None:
    """Two checks against different secret difficulties, with the same dice, look the same to a player."""
    first = open_session(scenario, seed=1)
    viewer, _ = _player_and_foe(first)
    who = next(one.id for one in first.scene.participants if one.seat == viewer)
    asked = [
        one
        for one in first.rulebook.checks
        if all(word.name in one.hidden or not word.required for word in one.situation)
    ]
    for check in asked[:3]:
        for hidden in check.hidden:
            seen = []
            faces: list[list[tuple[int, ...]]] = []
            for difficulty in ("1", "2"):
                session = open_session(scenario, seed=1)
                session.do(
                    "table.call_for_check", who=[who], what=check.id, situation=[f"{hidden}={difficulty}"], secret=True
                )
                while session.question is not None:
                    if isinstance(session.question, Choice):
                        session.choose(session.question.ids[session.question.default])
                    else:
                        session.roll()
                faces.append([entry for entry in session.entries if isinstance(entry, tuple)])
                keep(
                    "a secret difficulty stays secret",
                    difficulty in json.dumps(session.facts),
                    "it was not used at all",
                )
                seen.append(as_bytes(project_session(session, viewer)))
            if faces[0] == faces[1]:
                keep(
                    "a secret difficulty stays secret",
                    seen[0] == seen[1],
                    f"{viewer} can tell the {hidden} of {check.id}",
                )


def _pass_over(session: Session, who: str, viewer: str) -> None:
    """Answer what its own side is asked only because a hidden participant is there, as if it were not."""
    question = session.question
    if isinstance(question, Choice) and session.seat != viewer and any(who in option for option in question.ids):
        others = [option for option in question.ids if who not in option]
        if len(others) == 1:
            session.choose(others[0])
            _idle(session)


def a_hidden_foe_stays_hidden(scenario: Scenario) -> None:
    """A hidden foe that does nothing cannot be noticed by a player's seat."""
    one = start(scenario)
    viewer, foe = _player_and_foe(one)
    lurker = replace(foe, id="lurker", name="Lurker", seat="lurking", hidden=True)
    header = replace(one.header, scene=replace(one.header.scene, participants=(*one.header.scene.participants, lurker)))
    one, other = Session(one.header, one.rulebook), Session(header, one.rulebook)
    one.do(one.rulebook.encounter.name)
    other.do(one.rulebook.encounter.name)
    _idle(other)
    _unnoticed("a hidden foe stays hidden", one, other, viewer, answers(one, 80))


def a_hidden_newcomer_stays_hidden(scenario: Scenario) -> None:
    """A foe that joins unseen in the middle of a fight changes nothing that a player's seat gets: no line, no order."""
    one, other = start(scenario), start(scenario)
    viewer, foe = _player_and_foe(one)
    rest = _passes(one, 3)
    for _ in itertools.takewhile(lambda _: one.scene.round < 2, rest):
        other.enter(one.entries[-1])
    other.enter(one.entries[-1])
    place = {} if foe.position is None else {"position": str(foe.position)}
    entrant = {"character": foe.character.to_json(), "id": "lurker", "name": "Lurker", "side": foe.side, **place}
    other.join(entrant | {"seat": "lurking", "hidden": True})
    _idle(other)
    _unnoticed("a hidden newcomer stays hidden", one, other, viewer, rest)


def _passes(session: Session, rounds: int) -> Iterator[None]:
    """Let everyone pass for some rounds, one answer at a time."""
    while session.question is not None and session.scene.round <= rounds:
        if isinstance(session.question, Roll):
            session.roll()
        else:
            session.choose(_passing(session))
        yield


def _passing(session: Session) -> str:
    """The answer that does nothing, or else the default."""
    assert isinstance(session.question, Choice)
    idle = [name for name in session.question.ids if name.partition(":")[0] == session.rulebook.pass_action]
    return idle[0] if idle else session.question.ids[session.question.default]


def _unnoticed(name: str, one: Session, other: Session, viewer: str, rest: Iterator[None]) -> None:
    """Play both alike, as long as nothing that is open to all depends on the lurker."""
    told = [0, 0]
    for number, _ in enumerate(rest):
        if any(isinstance(entry, str) and "lurker" in entry for entry in one.entries[-1:]):
            return
        try:
            other.enter(one.entries[-1])
            _idle(other)
            _pass_over(other, "lurker", viewer)
        except TablewrightError:
            return
        if one.question is None or other.question is None:
            return
        both = (one, other)
        seen = [as_bytes(_seen_since(session, viewer, lines)) for session, lines in zip(both, told, strict=True)]
        if number % 10 == 0:  # all of the log too, not only what is new
            seen = [as_bytes(project_session(session, viewer)) for session in both]
        keep(name, seen[0] == seen[1], f"{viewer} can tell that somebody lurks")
        told = [len(session.log) for session in both]


def a_hidden_reactor_is_not_betrayed(scenario: Scenario) -> None:
    """While a hidden character is asked, a player is not told which seat is waited for."""
    first = open_session(scenario, seed=1)
    viewer, foe = _player_and_foe(first)
    lurker = replace(foe, hidden=True, seat="lurking")
    session = Session(replace(first.header, scene=first.header.scene.with_participant(lurker)), first.rulebook)
    session.do(session.rulebook.encounter.name)
    for _ in answers(session, 300):
        if session.seat == "lurking" and session.scene[lurker.id].hidden:
            seen = json.dumps(project_session(session, viewer)["question"])
            told = "lurking" in seen or lurker.id in seen
            keep("a hidden reactor is not betrayed", not told, f"{viewer} is told: {seen}")


def a_secret_difficulty_asks_nothing(scenario: Scenario) -> None:
    """Two checks against different secret difficulties ask a player the same, answer by answer."""
    name = "a secret difficulty asks nothing"
    first = open_session(scenario, seed=1)
    viewer, _ = _player_and_foe(first)
    who = next(one for one in first.scene.participants if one.seat == viewer)
    for check in first.rulebook.checks:
        for hidden in check.hidden:
            sessions = _easy_and_hard(first, check, who.id, hidden)
            for _ in range(200 if sessions else 0):
                easy, hard = sessions
                asked = [project_session(session, viewer)["question"] for session in (easy, hard)]
                keep(
                    name, asked[0] == asked[1], f"{check.id}: {viewer} can tell the {hidden} by what is asked; {ADVICE}"
                )
                if easy.question is None:
                    break
                if isinstance(easy.question, Roll):
                    easy.roll()
                else:
                    easy.choose(easy.question.ids[-1])
                try:
                    hard.enter(easy.entries[-1])
                except TablewrightError:
                    raise Broken(
                        f"{name}: {check.id}: something else is asked with another {hidden}; {ADVICE}"
                    ) from None


def _easy_and_hard(first: Session, check: Check, who: str, hidden: str) -> list[Session]:
    """The same check with the lowest and the highest difficulty that it takes, where it takes two."""
    subject, taken = first.rulebook.subject(first.scene[who], first.scene), []
    for value in ("0", "1", "2", "4", "7", "10", "12", "15", "20", "25", "30"):
        try:
            check.read(subject, {hidden: value})
        except TablewrightError:
            continue
        taken.append(value)
    sessions = []
    for value in (taken[0], taken[-1]) if len(taken) > 1 else ():
        session = Session(first.header, first.rulebook)
        session.do("table.check", who=who, what=check.id, situation=[f"{hidden}={value}"], secret=True)
        sessions.append(session)
    return sessions


def bots_do_not_know_hidden_numbers(scenario: Scenario) -> None:
    """A player's bot answers the same whatever hidden number a foe has, as long as both look the same to the player."""
    first = start(scenario)
    viewer, foe = _player_and_foe(first)
    weighed = 0
    for name in hidden_numbers(foe.status):
        value = getattr(foe.status, name)
        header = replace(first.header, scene=first.header.scene.with_status(foe.id, **{name: value + 1}))
        one, other = Session(first.header, first.rulebook), Session(header, first.rulebook)
        one.do(one.rulebook.encounter.name)
        other.do(one.rulebook.encounter.name)
        for _ in answers(one, 60):
            try:
                other.enter(one.entries[-1])
            except TablewrightError:
                break
            if (one.seat, repr(one.question)) != (other.seat, repr(other.question)):
                break
            if one.seat != viewer or not isinstance(one.question, Choice) or not isinstance(other.question, Choice):
                continue
            if as_bytes(project_session(one, viewer)) != as_bytes(project_session(other, viewer)):
                break
            for policy in [POLICIES[name] for name in BUILT_IN_POLICIES]:
                if policy is best:
                    if weighed == MOST_WEIGHED or (len(one.question.options) > FEW_OPTIONS and not at_length()):
                        continue
                    weighed += 1
                taken = policy(one, one.question), policy(other, other.question)
                why = f"{policy.__name__} of {viewer} answers {one.question!r:.60} by the {name} of {foe.id}"
                keep("bots do not know hidden numbers", taken[0] == taken[1], why)


def _idle(session: Session) -> None:
    """Whenever the lurker is asked, it does nothing."""
    while session.seat == "lurking":
        if isinstance(session.question, Roll):
            session.roll()
            continue
        session.choose(_passing(session))


def _player_and_foe(session: Session) -> tuple[str, Any]:
    player = next(one for one in session.scene.participants if one.seat not in (GAME_MASTER, EVERYONE))
    return player.seat, session.scene.enemies(player.id)[0]


def an_encounter_goes_on_from_the_scene(scenario: Scenario) -> None:
    """Whenever a seat is asked what to do, the scene alone is enough: started on it, the encounter asks the same."""
    name = "an encounter goes on from the scene"
    session, moments = played(scenario)
    for moment in moments[:400]:
        question = moment.question
        if not isinstance(question, Choice) or not any(_is_idle(session, option) for option in question.options):
            continue
        again = Session(replace(session.header, scene=moment.scene), session.rulebook)
        again.do(session.rulebook.encounter.name)
        asked = again.question
        same = isinstance(asked, Choice) and (asked.question, asked.ids) == (question.question, question.ids)
        keep(
            name,
            same and again.seat == moment.seat and again.scene == moment.scene,
            f"{moment.seat} is asked {question!r}, started again {again.seat} is asked {asked!r}",
        )


def _is_idle(session: Session, option: Any) -> bool:
    return isinstance(option, ActionUse) and option.action == session.rulebook.pass_action


def tallies_explain_the_numbers(scenario: Scenario) -> None:
    """The tally of an argument adds up to the argument."""
    name = "tallies explain the numbers"
    for line in played(scenario).session.log:
        if isinstance(line, Trace):
            given = line.call.named_arguments()
            for what, tally in line.tallies.items():
                rule = line.call.mechanic.name
                keep(name, what in given, f"{rule} has no {what}, but a tally of it")
                said = f"{rule} {what} is {given[what]}, its tally comes to {tally.reads or tally.total}"
                keep(name, _explains(tally, given[what]), said)


def _explains(tally: Tally, argument: object) -> bool:
    """Tell whether a tally comes to the number that an argument has, as it is written."""
    notation = getattr(argument, "json_text", None)
    if notation is not None:
        return bool(tally.reads) and tally.reads == str(notation())
    return not isinstance(argument, int) or tally.total == argument


def every_cause_is_a_rule_of_the_ledger(scenario: Scenario) -> None:
    """Events of fights, of checks and of simple deeds are caused by rules of the book, or by rulings."""
    name = "every cause is a rule of the ledger"
    for session in (played(scenario).session, *_done_outside(scenario)):
        wrong = wrongly_caused(load_system(scenario.system), session.log)
        keep(name, not wrong, f"{'; '.join(wrong[:5])}; no such rule is there")


def _done_outside(scenario: Scenario) -> Iterator[Session]:
    """A session for each check and each process that needs nothing but a name; refused ones are left out."""
    first = open_session(scenario, seed=1)
    viewer, _ = _player_and_foe(first)
    who = next(one.id for one in first.scene.participants if one.seat == viewer)
    processes = [
        one.name for one in first.rulebook.processes if {word.name for word in one.params if word.required} <= {"who"}
    ]
    started = [("table.check", {"who": who, "what": check.id}) for check in first.rulebook.checks]
    started += [(process, {"who": who}) for process in processes]
    for process, arguments in started:
        session = Session(first.header, first.rulebook)
        try:
            session.do(process, **arguments)
            for _ in answers(session, 40):
                pass
        except TablewrightError:
            continue
        yield session


PROMISES: tuple[Callable[[Scenario], None], ...] = (
    something_can_always_be_done,
    play_ends,
    only_what_is_legal_is_offered,
    state_changes_only_by_events,
    the_log_replays,
    saving_changes_nothing,
    undo_and_redo,
    every_rule_cited_is_in_the_ledger,
    every_field_says_who_may_see_it,
    a_ruling_goes_past_the_rules,
    people_come_and_go,
    hidden_numbers_stay_hidden,
    a_secret_difficulty_stays_secret,
    a_hidden_foe_stays_hidden,
    a_hidden_newcomer_stays_hidden,
    somebody_who_joins_gets_a_turn,
    the_game_master_can_rule_at_any_question,
    a_hidden_reactor_is_not_betrayed,
    a_secret_difficulty_asks_nothing,
    bots_do_not_know_hidden_numbers,
    an_encounter_goes_on_from_the_scene,
    tallies_explain_the_numbers,
    every_cause_is_a_rule_of_the_ledger,
)
