"""Random legal play with everything a table does to it in between, and what must hold after every step.

A script is a list of steps, each the name of something that is done and a number from which its details are drawn; the
same script on the same scenario does the same again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeAlias

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.drawing import Below, arguments, faces, one_of, seeded, situation
from conformance.extents import extent_of
from conformance.promises import as_bytes, keep
from tablewright.engine import Choice, Roll
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.scenario.loader import load_scenario, scenario_names
from tablewright.game.scene.events import Event
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import POLICIES, play_to_end
from tablewright.game.session.processes import find_process
from tablewright.game.session.session import Session
from tablewright.game.session.views import project_session

Step: TypeAlias = tuple[str, int]
Script: TypeAlias = Sequence[Step]

SOME = 12
"""Answers that a step of plain play gives."""

NUMBERS = ("0", "1", "-1", "2", "7", "99")
"""Numbers set by rulings."""

ANYTHING = ("7", "true", "null", "word", "[]", '["nobody"]', "0,1")
"""Other values set by rulings: refused where they are of the wrong kind."""


class Table:
    """A session that steps are taken on; each is refused and changes nothing, or is done and leaves all in order."""

    def __init__(self, scenario: str, seed: int = 1) -> None:
        self.scenario = load_scenario(scenario)
        self.session = open_session(self.scenario, seed=seed)
        self.extent = extent_of(self.scenario.system)
        self.done: list[str] = []
        self.bent = False

    # ------------------------------------------------------------------ steps

    def take(self, script: Script) -> None:
        """Take every step of a script, looking at everything after each."""
        for name, number in script:
            self.step(name, number)
            self.look(name)
        self.replays()

    def step(self, name: str, number: int) -> None:
        """Take one step; what is refused must leave everything as it was."""
        before, scene, asked = self._state(), self.session.scene, repr(self.session.question)
        try:
            STEPS[name](self, seeded(name, number))
        except (InvalidInputError, IllegalActionError) as refused:
            self.done.append(f"{name} refused: {refused}")
            keep("a refusal changes nothing", str(refused).strip() != "", f"{name} is refused without a reason")
            keep("a refusal changes nothing", self._state() == before, f"{name} changed the record")
            keep("a refusal changes nothing", self.session.scene == scene, f"{name} changed the scene")
            keep("a refusal changes nothing", repr(self.session.question) == asked, f"{name} changed the question")
        else:
            self.done.append(name)

    def _state(self) -> bytes:
        return as_bytes(self.session.to_json())

    def answer(self, below: Below) -> None:
        """Answer what is asked, with dice of the session or by any option; nothing asked, the encounter goes on."""
        asked = self.session.question
        if asked is None:
            self.session.do(self.session.rulebook.encounter.name)
            return
        self._legally(lambda: one_of(asked.ids, below) if isinstance(asked, Choice) else "")

    def _legally(self, option: Callable[[], str]) -> None:
        """Give a legal answer: only where the game master has bent the rules may it be refused."""
        try:
            if isinstance(self.session.question, Roll):
                self.session.roll()
            else:
                self.session.choose(option())
        except (InvalidInputError, IllegalActionError) as refused:
            keep("a legal answer is taken", self.bent, str(refused))
            raise

    def several(self, below: Below) -> None:
        """Go on playing for a while."""
        for _ in range(below(SOME) + 1):
            if self.session.question is None:
                return
            entries = len(self.session.entries)
            try:
                self.answer(below)
            except (InvalidInputError, IllegalActionError):
                keep("a refusal changes nothing", len(self.session.entries) == entries, "an entry was kept")
                return

    def bots(self, below: Below) -> None:
        """Let a bot answer."""
        policy = POLICIES[one_of(("random", "aggressive", "careful"), below)]
        asked = self.session.question
        if asked is not None:
            self._legally(lambda: asked.ids[policy(self.session, asked)] if isinstance(asked, Choice) else "")

    def typed(self, below: Below) -> None:
        """Type the faces of real dice."""
        asked = self.session.question
        self.session.type_in(faces(asked, below) if isinstance(asked, Roll) else [1])

    def wrong(self, below: Below) -> None:
        """Give an answer that cannot be right."""
        asked, session = self.session.question, self.session
        closed = [shut.id for shut in asked.closed if shut.id not in asked.ids] if isinstance(asked, Choice) else []
        wrongs: list[Callable[[], None]] = [
            lambda: session.choose("x" * 201),  # too long for free text too
            lambda: session.choose(""),
            lambda: session.type_in([0, -1, 10**9]),
            lambda: session.set_outcome("no such outcome", "a test"),
            lambda: session.undo(10**6),
            lambda: session.do("no.such_process"),
            lambda: session.do("table.leave"),
            lambda: session.do("table.leave", who="nobody"),
            lambda: session.do("table.check", who=session.scene.participants[0].id, what="no such check"),
            lambda: session.do("table.rule", field="no such field", value="1", reason="a test"),
            lambda: session.do("table.rule", field="round", value="1", reason=" "),
            lambda: session.join({"character": "nobody at all"}),
            lambda: session.join({"hat": "red"}),
            *[lambda name=name: session.choose(name) for name in closed],
        ]
        one_of(wrongs, below)()
        raise AssertionError("a wrong answer was accepted")

    def outcome(self, below: Below) -> None:
        """The game master says what a roll comes out as."""
        asked = self.session.question
        if not isinstance(asked, Roll):
            raise InvalidInputError("no roll is asked for")
        self.session.set_outcome(str(one_of(asked.dice.weigh().outcomes, below)), "a test")

    def rule(self, below: Below) -> None:
        """The game master sets anything to anything of its kind."""
        scene = self.session.scene
        people = [one.id for one in scene.participants]
        who = one_of([None, *people], below)
        if who is None:
            field = one_of(("round", "order", "acted", "turn"), below)
            value = {"round": "3", "turn": one_of([*people, "null"], below)}.get(field, json.dumps(people[: below(5)]))
        else:
            status = [entry.name for entry in fields(scene[who].status)]
            field = one_of([*status, *status, "side", "seat", "hidden", "present"], below)
            present = getattr(scene[who].status if field in status else scene[who], field)
            value = _another(present, below)
        if below(4) == 0:
            value = one_of(ANYTHING, below)
        self.bent = True
        self.session.do("table.rule", who=who, field=field, value=value, reason="a test")

    def modify(self, below: Below) -> None:
        """The game master adds a number to something, or takes it away again."""
        words = [*self.session.rulebook.actions.by_id, *[check.id for check in self.session.rulebook.checks]]
        who = one_of([None, *[one.id for one in self.session.scene.participants]], below)
        name = one_of(("table.modify", "table.unmodify"), below)
        self.bent = True
        value = {"value": below(9) - 4} if name == "table.modify" else {}
        self.session.do(name, what=one_of(words, below), reason="a test", who=who, **value)

    def join(self, below: Below) -> None:
        """Let a character of the content join."""
        session = self.session
        people = [entry.id for kind in session.rulebook.character_kinds for entry in session.scene.library.of(kind)]
        place = one_of(session.scene.participants, below).position
        session.join(
            {
                "character": one_of(people, below),
                "side": one_of([*session.scene.sides, "third side"], below),
                "seat": one_of(["newcomer", GAME_MASTER], below),
                "position": None if place is None else str(place),
                "hidden": below(4) == 0,
            }
        )

    def table(self, below: Below) -> None:
        """Start a process that every table has, with arguments that may be wrong."""
        names = ("leave", "change_sides", "hide", "reveal", "set_fact", "pass_time", "end")
        self._process(f"table.{one_of(names, below)}", below)

    def check(self, below: Below) -> None:
        """Make a check at any moment, or call for checks of several."""
        if not self.session.rulebook.checks:
            raise InvalidInputError("there are no checks")
        kind = one_of(self.session.rulebook.checks, below)
        words = situation(kind.situation, self.session, below)
        people = [one.id for one in self.session.scene.participants]
        if below(2):
            audience = one_of(("public", "gm", "blind", "self"), below)
            who = one_of(people, below)
            self.session.do(
                "table.check", who=who, what=kind.id, situation=words, audience=audience, secret=bool(below(2))
            )
        elif below(2):
            other, theirs = one_of(people, below), one_of(self.session.rulebook.checks, below)
            who, blind = one_of(people, below), bool(below(4) == 0)
            self.session.do(
                "table.contest", who=who, what=kind.id, against=other, with_what=theirs.id, situation=words, blind=blind
            )
        else:
            several = [one_of(people, below) for _ in range(1 + below(3))]
            self.session.do("table.call_for_check", who=several, what=kind.id, situation=words, secret=bool(below(2)))

    def option(self, below: Below) -> None:
        """The table plays by another variant from now on."""
        field = one_of(self.session.scene.options.describe(), below)
        value = one_of(field.choices or (field.low, field.high, None), below)
        self.session.do("table.set_option", name=field.name, value=str(value), reason="to see")

    def process(self, below: Below) -> None:
        """A process of the system, in the middle of everything."""
        if not self.session.rulebook.processes:
            raise InvalidInputError("there are no processes")
        self._process(one_of(self.session.rulebook.processes, below).name, below)

    def _process(self, name: str, below: Below) -> None:
        given: Mapping[str, Any] = arguments(find_process(self.session.rulebook, name).params, self.session, below)
        self.session.do(name, **given)

    def undo(self, below: Below) -> None:
        """Take back some of the last entries."""
        self.session.undo(1 + below(6))

    def undo_and_redo(self, below: Below) -> None:
        """Take back some of the last entries and enter them once more: nothing has changed."""
        session = self.session
        entries, facts, scene = list(session.entries), as_bytes(session.facts), session.scene
        count = 1 + below(6)
        session.undo(count)
        for entry in entries[-count:]:
            if isinstance(entry, tuple):
                session.roll()
                keep("undo then redo equals before", session.entries[-1] == entry, "a roll shows other faces")
            else:
                session.enter(entry)
        keep("undo then redo equals before", as_bytes(session.facts) == facts, "the facts differ")
        keep("undo then redo equals before", session.scene == scene, "the scenes differ")

    def save(self, below: Below) -> None:
        """Save, and go on with what was loaded."""
        saved = json.loads(json.dumps(self.session.to_json()))
        loaded = Session(self.session.header, self.session.rulebook)
        loaded.resume(saved)
        keep("saving changes nothing", as_bytes(loaded.to_json()) == as_bytes(saved), "the files differ")
        keep("saving changes nothing", loaded.seat == self.session.seat, "somebody else is asked")
        keep("saving changes nothing", repr(loaded.question) == repr(self.session.question), "something else is asked")
        self.session = loaded

    # ------------------------------------------------------------------ what must hold

    def look(self, after: str) -> None:
        """Check the invariants."""
        session = self.session
        scene = session.header.scene
        for line in session.log:
            if isinstance(line, Event):
                scene = session.rulebook.apply(scene, line)
        keep("the log leads to the scene", scene == session.scene, f"not after {after}")
        asked = session.question
        if isinstance(asked, Choice):
            keep("a question can be answered", len(asked.ids) > 0, f"no options after {after}")
            keep(
                "a question can be answered",
                len(set(asked.ids)) == len(asked.ids),
                f"two options of one name: {asked.ids}",
            )
            keep("a question can be answered", 0 <= asked.default < len(asked.ids), "the default is not an option")
        elif asked is not None:
            keep("a question can be answered", len(faces(asked, seeded(after))) >= 0, "the dice cannot be thrown")
        for viewer in self.seats():
            json.dumps(project_session(session, viewer))
        for one in session.scene.participants if not self.bent else ():
            for name in self.extent.never_negative:
                value = getattr(one.status, name)
                keep("no pool is below zero", value >= 0, f"{one.id} has {name} {value} after {after}")

    def seats(self) -> list[str]:
        """All viewers: the seats of the participants, the game master, and a viewer without a seat."""
        return list(dict.fromkeys([one.seat for one in self.session.scene.participants] + [GAME_MASTER, "a visitor"]))

    def replays(self) -> None:
        """The record brings about the same once more."""
        session = self.session
        again = Session(session.header, session.rulebook, session.entries)
        keep("replay equals play", as_bytes(again.facts) == as_bytes(session.facts), "the facts differ")
        keep("replay equals play", again.scene == session.scene, "the scenes differ")
        keep("replay equals play", repr(again.question) == repr(session.question), "something else is asked")

    def ends(self) -> None:
        """Let bots play the session to its end."""
        play_to_end(self.session, {}, otherwise=POLICIES["random"], most=5_000)


def _another(present: Any, below: Below) -> str:
    """Another value of the same kind, as a game master types it."""
    if isinstance(present, bool):
        return json.dumps(bool(below(2)))
    if isinstance(present, int):
        return one_of(NUMBERS, below)
    if isinstance(present, str):
        return one_of((present, "a third side"), below)
    return json.dumps([] if isinstance(present, tuple) else None)


STEPS: Mapping[str, Callable[[Table, Below], None]] = {
    name: getattr(Table, name)
    for name in (
        "several",
        "answer",
        "bots",
        "typed",
        "wrong",
        "outcome",
        "check",
        "process",
        "table",
        "option",
        "rule",
        "modify",
        "join",
        "undo",
        "undo_and_redo",
        "save",
    )
}


def take(scenario: str, script: Script, seed: int = 1) -> Table:
    """Begin an encounter and take a script of steps on it."""
    table = Table(scenario, seed)
    table.session.do(table.session.rulebook.encounter.name)
    table.take(script)
    return table


scripts = st.lists(st.tuples(st.sampled_from(list(STEPS)), st.integers(0, 999)), min_size=1, max_size=14)


def fuzz(system_id: str, examples: int, *, always_the_same: bool = True) -> None:
    """Take so many random scripts on the scenarios of a system; one that fails is made as short as it goes."""
    scenarios = st.sampled_from([f"{system_id}:{name}" for name in scenario_names(system_id)])

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=always_the_same,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        print_blob=False,
    )
    @given(scenario=scenarios, script=scripts, seed=st.integers(0, 999))
    def holds(scenario: str, script: Script, seed: int) -> None:
        take(scenario, script, seed)

    holds()
