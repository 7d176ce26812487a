"""Every process, started and answered at a table: each seat's view is readable after every act."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from conformance.drawing import Below, arguments, one_of, seeded
from conformance.extents import extent_of
from conformance.places import at_length
from conformance.random_play import Play, cast_of, plays
from table.playing import ready_store
from table.test_secrets import SYSTEMS
from tablewright.engine import Process, Roll
from tablewright.errors import TablewrightError
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_system
from tablewright.table.secrecy import check_named

ANSWERS = 60 if at_length() else 6
"""Most answers given to one process."""

TRIES = 200 if at_length() else 25
"""Most draws of arguments until a process can be started with them."""

RUNS = 4 if at_length() else 1
MOST_ASKED = 200 if at_length() else 20
"""Most questions answered while a character is made."""

STARTED = Fraction(3, 4) if at_length() else Fraction(3, 5)
"""Fewest processes of a system that are started in a quiet scene; the rest need wounds, rare gifts or options."""

PREPARED = 12
"""Most times that the processes before another one are started, until that one can be."""

MOST_PLAYS = 200
"""Most fights after which the rest of the processes are tried."""

MOST_FOUGHT = 400
"""Most answers in one of these fights."""


class Seated:
    """A table with a player, a spectator and a campaign of two: the player's character, and one that is hidden."""

    def __init__(self, path: Path, system: str, options: Mapping[str, Any] | None = None) -> None:
        self.system, self.extent = load_system(system), extent_of(system)
        self.store = ready_store(path)
        made = self.store.make_campaign("A table", system, seed=11, options=options)
        _, (self.table, self.gm) = self.store.exchange(made.invitation.token)
        self.player = self._invited("Anna", "player")
        self.seats = (self.gm, self.player, self._invited("Walt", "spectator"))
        people = open_session(load_scenario(f"{system}:together"), seed=1).scene.participants
        self.first = people[0].id
        self.act({"do": "character.add", "character": people[0].character.to_json(), "id": self.first})
        self.act({"do": "seat.hand", "who": self.first, "seat": self.player})
        self.act({"do": "character.add", "character": people[1].character.to_json(), "known": False, "id": "spy"})
        self.table.act(self.player, {"do": "seat.set", "dice": "ask"})

    def _invited(self, name: str, role: str) -> str:
        seat = self.table.invite(self.gm, name=name, role=role).seat
        assert seat is not None
        return seat

    def act(self, command: dict[str, Any]) -> None:
        """The game master does something."""
        self.table.act(self.gm, command)

    def begin(self) -> None:
        """A quiet scene with everyone; one that is still open is over."""
        if self.session is not None:
            self.act({"do": "scene.end", "anyway": True})
        self.act({"do": "scene.begin", "form": "time", "scenario": "together", "who": ["npc-spy"]})

    def play(self, play: Play, form: str, below: Below, missing: frozenset[str]) -> Iterator[str]:
        """A scene of a play's characters: a fight, answered at random to its end or for long, or a quiet one.

        All processes are tried after it.

        Gives the names of the processes that were started; those that are missing are tried in the middle of it too.
        """
        cast = cast_of(play, self.extent)
        self.act({"do": "scene.begin", "form": form, "scenario": cast.to_json(), "who": ["npc-spy"]})
        for number in range(MOST_FOUGHT):
            question = self.session.question if self.session is not None else None
            if question is None:
                break
            for process in self.system.rulebook.processes:
                if process.name in missing and number % 4 == 3 and self.started(process, below, 1):
                    yield process.name
                    question = self.session.question if self.session is not None else None
            if question is not None:
                answer = {"roll": True} if isinstance(question, Roll) else {"option": one_of(question.ids, below)}
                self.act({"do": "answer", **answer})
        self.views()
        for process in self.system.rulebook.processes:
            if not self.ready_to_start:
                return
            if self.prepared(process, below) if process.name in missing else self.started(process, below, TRIES // 20):
                self.answered(below)
                yield process.name

    def prepared(self, process: Process[..., Any], below: Below) -> bool:
        """Start a process after those that come before it; whether it could be started."""
        before = [one for one in self.system.rulebook.processes if one.name in self.extent.before.get(process.name, ())]
        for _ in range(PREPARED if before else 1):
            if self.started(process, below, TRIES // 4 if before else TRIES):
                return True
            for first in before:
                if self.ready_to_start and self.started(first, below, TRIES // 20):
                    self.answered(below)
            if not self.ready_to_start:
                return False
        return False

    @property
    def session(self) -> Session | None:
        """The session of the open scene."""
        sitting = self.table._sitting
        return sitting.session if sitting is not None and sitting.has_scene else None

    @property
    def ready_to_start(self) -> bool:
        """True if a scene is open and nobody is asked."""
        return self.session is not None and self.session.question is None

    @property
    def ready(self) -> bool:
        """True if a scene is open, nobody is asked and nobody in it is dead."""
        session = self.session
        if session is None or not self.ready_to_start or session.scene.ended is not None:
            return False
        return not any(session.rulebook.vitals.dead(one) for one in session.scene.participants)

    def views(self) -> dict[str, Any]:
        """The game master's view, after every seat has looked."""
        seen = [self.table.view(seat, 10**9) for seat in self.seats]
        json.dumps(seen)
        return seen[0]

    def started(self, process: Process[..., Any], below: Below, tries: int = TRIES) -> bool:
        """Start a process with arguments that are drawn until they fit; whether any did."""
        session = self.session
        assert session is not None
        declared = self.extent.arguments.get(process.name)
        learnt: dict[str, Any] = {}
        for _ in range(tries):
            if declared is not None and below(4):
                drawn = dict(declared(session, below))
            else:
                drawn = learnt or arguments(process.params, session, below)
            try:
                check_named(session.rulebook, session.scene, process.name, drawn)
                self.act({"do": "start", "process": process.name, "with": drawn})
            except TablewrightError as refused:
                learnt = _learnt(session, drawn, refused, below)
                continue
            return True
        return False

    def answered(self, below: Below) -> int:
        """Answer whatever is asked, each time by any option; how many answers were given."""
        for number in range(ANSWERS):
            question = self.views()["question"]
            if question is None:
                return number
            options = question.get("options")
            answer = {"roll": True} if options is None else {"option": one_of(options, below)["id"]}
            try:
                self.act({"do": "answer", **answer})
            except TablewrightError:  # an argument that was drawn turns out to be wrong
                self.views()
                return number
        self.views()
        return ANSWERS


def _learnt(session: Session, drawn: dict[str, Any], refused: TablewrightError, below: Below) -> dict[str, Any]:
    """A word that a refusal allows instead of the drawn one."""
    quoted = re.search(r'"([^"]*)"', str(refused))
    named = [name for name, value in drawn.items() if quoted and value == quoted[1]]
    listed = re.search(r"(?:allowed (?:are|is one of):?|t?here are:) (.+)", str(refused))
    missing = re.search(r'there (?:are|is) no (\w+) "', str(refused))
    words = re.findall(r"[\w-]+", listed[1]) if listed else []
    if missing and not words:
        kinds = [kind for kind, _ in session.scene.library.kinds if kind == missing[1]]
        words = [*session.scene.library.ids(*kinds)] or [
            thing.item for one in session.scene.participants for thing in one.belongings
        ]
    return drawn | {named[0]: one_of(words, below)} if named and words and below(8) else {}


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_view_can_be_read_after_any_process(tmp_path: Path, system: str) -> None:
    at = Seated(tmp_path / "tables.db", system)
    book = at.system.rulebook
    started: list[str] = []
    answers = 0
    for run in range(RUNS):
        for process in (book.encounter, *book.processes):
            if not at.ready:
                at.begin()
            below = seeded(system, process.name, run)
            if at.started(process, below):
                started.append(process.name)
                answers += at.answered(below)
    assert len(set(started)) >= len(book.processes) * STARTED, {one.name for one in book.processes} - set(started)
    assert answers > 5
    at.store.close()


@pytest.mark.skipif(not at_length(), reason="make soak plays every process")
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_process_is_started_and_answered(tmp_path: Path, system: str) -> None:
    """Try the processes that a quiet scene refuses after fights of many casts under many options."""
    missing = {one.name for one in load_system(system).rulebook.processes}
    for number, play in enumerate(itertools.islice(plays(load_system(system), extent_of(system)), MOST_PLAYS)):
        at, below = Seated(tmp_path / f"{number}.db", system, dict(play.options)), seeded(system, number)
        form = ("time", "encounter")[number % 2]
        missing -= set(at.play(play, form, below, frozenset(missing)))
        at.store.close()
        if not missing:
            break
    assert not missing


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_character_is_made_in_a_scene(tmp_path: Path, system: str) -> None:
    """Creation shows many forms of data; its first answers are the defaults."""
    for run in range(RUNS):
        at, below = Seated(tmp_path / f"{run}.db", system), seeded(system, "create", run)
        at.begin()
        at.act({"do": "start", "process": at.system.rulebook.create.name})
        for number in range(MOST_ASKED):
            question = at.views()["question"]
            if question is None:
                assert number, "nothing was asked"
                break
            option = one_of(question["options"], below)["id"] if run and question["kind"] == "choice" else None
            answer = {"roll": True} if question["kind"] == "roll" else {"option": option or question["default"]}
            at.act({"do": "answer", **answer})
        at.store.close()
