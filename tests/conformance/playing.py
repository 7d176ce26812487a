"""One play of a system: checks in free play, an encounter to its end, every process; and what has occurred in it.

>>> Play.parse("coinfolk:easy --policy careful").words
'coinfolk:easy --policy careful --seed 1'
"""

from __future__ import annotations

import argparse
import json
import shlex
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from pathlib import Path
from time import process_time
from typing import Any

from conformance.drawing import Below, arguments, seeded, situation
from conformance.extents import Extent, extent_of
from tablewright.dice import Dice
from tablewright.engine import Choose, Roll
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.actions import Use
from tablewright.game.advancing import KEEP_THE_REST
from tablewright.game.content import library_of
from tablewright.game.creation import at_random
from tablewright.game.events import Event
from tablewright.game.frozen import freeze
from tablewright.game.opening import open_session
from tablewright.game.policies import policy_named
from tablewright.game.registry import load_system
from tablewright.game.scenario import Scenario, load_scenario
from tablewright.game.scene import Live, Scene
from tablewright.game.session import Session
from tablewright.game.system import System

MOST_ANSWERS = 20_000
MOST_BOUGHT = 150
"""After so many answers at one time whoever is offered to be done with it is done: points may be without end."""

TRIES = 12
"""How often a process is tried with other arguments in one play before the rules' refusal is taken for an answer."""

OWN = "own"


@dataclass(frozen=True)
class Play:
    """One play: which scenario with which characters, options and policy, from which seed."""

    scenario: str
    policy: str = "random"
    seed: int = 1
    cast: str = OWN
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def words(self) -> str:
        """What follows the command."""
        words = [self.scenario, "--policy", self.policy, "--seed", str(self.seed)]
        words += [] if self.cast == OWN else ["--cast", self.cast]
        for name, value in self.options:
            words += ["--option", f"{name}={json.dumps(value)}"]
        return shlex.join(words)

    @property
    def command(self) -> str:
        """The command that repeats it."""
        return f"PYTHONPATH=$PYTHONPATH:tests:tests/sixth .venv/bin/python -m conformance.exhaustive {self.words}"

    @staticmethod
    def parse(words: str) -> Play:
        """The play that a command repeats.

        >>> Play.parse("coinfolk:easy --policy careful --option ducking=never").options
        (('ducking', 'never'),)
        """
        return play_from(parser().parse_args(shlex.split(words)))


class Failed(AssertionError):
    """A play in which something went wrong; the message has the command that repeats it."""

    def __init__(self, play: Play, problem: str) -> None:
        super().__init__(f"{problem}\nrepeat it with:\n  {play.command}")
        self.play = play
        self.problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        """As it was made: another process may have played."""
        return Failed, (self.play, self.problem)


@dataclass
class Tale:
    """What has occurred so far: for each kind of thing how often each of them."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    """The kinds of content that have shown in the options and events of encounters."""

    lasting: set[str] = field(default_factory=set)
    """The ids of what has lasted in anybody's status."""

    plays: int = 0
    seconds: float = field(default=0.0, compare=False)
    """How much of the processor the plays have taken."""

    def note(self, kind: str, name: str, times: int = 1) -> None:
        """Something occurred."""
        self.counts.setdefault(kind, Counter())[name] += times

    def seen(self, kind: str) -> Counter[str]:
        """How often each thing of a kind occurred."""
        return self.counts.get(kind, Counter())

    def add(self, other: Tale) -> None:
        """What occurred elsewhere occurred here too."""
        for kind, counts in other.counts.items():
            self.counts.setdefault(kind, Counter()).update(counts)
        self.shown |= other.shown
        self.lasting |= other.lasting
        self.plays += other.plays
        self.seconds += other.seconds


def entries(system: System) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for kind, entry in library_of(system).by_id:
        found.setdefault(kind, []).append(entry)
    return {kind: tuple(ids) for kind, ids in found.items()}


def play(one: Play, tale: Tale | None = None, extent: Extent | None = None) -> Session:
    """Play once: checks in free play, the encounter to its end, then every process; note what occurred."""
    noted = tale or Tale()
    system_id = one.scenario.partition(":")[0]
    began = process_time()
    try:
        return _Player(one, noted, extent or extent_of(system_id)).play()
    except Failed:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        at = f"{Path(last.filename).name}:{last.lineno}"
        raise Failed(one, f"{type(error).__name__}: {error} ({at})") from error
    finally:
        noted.seconds += process_time() - began


class _Player:
    """Somebody who plays once and notes what occurs."""

    def __init__(self, one: Play, tale: Tale, extent: Extent) -> None:
        self.one = one
        self.tale = tale
        self.extent = extent
        scenario = load_scenario(one.scenario)
        self.system = load_system(scenario.system)
        self.below: Below = seeded(one.scenario, one.seed)
        self.policy = policy_named(one.policy)
        values = scenario.options.changed() | dict(one.options)
        scenario = replace(scenario, options=self.system.options.from_mapping(values))
        scenario = _cast(scenario, self.system, one.cast, extent)
        self.session = open_session(scenario, seed=one.seed)
        self.words = Counter([one.character for one in scenario.entrants if isinstance(one.character, str)])
        self.fought = 0
        self.was: dict[str, tuple[Any, frozenset[str]]] = {}

    def play(self) -> Session:
        session, book = self.session, self.session.book
        for check in book.checks:
            self._check(check)
        session.do(book.encounter.name)
        self._answer()
        if session.scene.ended is None:
            raise Failed(self.one, "nothing is asked, but it has not ended")
        self.fought = len(session.log)
        for process in book.processes:
            self._process(process)
        self._note()
        return session

    def _answer(self) -> None:
        """Answer until nothing is asked any more."""
        session = self.session
        for given in range(MOST_ANSWERS):
            asked = session.question
            if asked is None:
                return
            if isinstance(asked, Roll):
                session.roll()
            elif given > MOST_BOUGHT and KEEP_THE_REST in asked.options:
                session.choose(KEEP_THE_REST.id)
            else:
                self._choose(asked)
            self._look()
        raise Failed(self.one, f"it does not end: {MOST_ANSWERS:,} answers were given (round {session.scene.round})")

    def _choose(self, asked: Choose[Any]) -> None:
        place = self.policy(self.session, asked)
        option = asked.options[place]
        if isinstance(option, Use):
            self.tale.note("actions", option.action)
            self.words.update([part for part in (option.target, option.detail) if part])
            self.words.update((option.detail or "").split(":"))
        else:
            self.tale.note("answers", f"{asked.question} {asked.ids[place]}")
            self.words[asked.ids[place]] += 1
        self.session.choose(asked.ids[place])

    def _look(self) -> None:
        """What can be seen of everybody's status after an answer."""
        for one in self.session.scene.participants:
            for name in self.extent.never_negative:
                value = getattr(one.status, name)
                if value < 0:
                    raise Failed(self.one, f"{one.id} has {name} {value}")

    def _check(self, check: Any) -> None:
        """Somebody makes the check in a situation that the rules allow."""
        who = self.session.scene.participants[self.below(len(self.session.scene.participants))].id
        given = self.extent.checks.get(check.id)
        for _ in range(TRIES):
            words = situation(check.situation, self.session, self.below)
            named = {"who": who, "situation": words} | dict(given(self.session, self.below) if given else {})
            if self._done("table.check", {"what": check.id, **named}):
                self.tale.note("checks", check.id)
                self.words.update([word.partition("=")[2] for word in named["situation"]])
                return

    def _process(self, process: Any) -> None:
        """Go through a process with arguments that the rules allow."""
        given = self.extent.arguments.get(process.name)
        for _ in range(TRIES):
            named = given(self.session, self.below) if given else arguments(process.params, self.session, self.below)
            if self._done(process.name, named):
                self.tale.note("processes", process.name)
                return

    def _done(self, name: str, given: Mapping[str, Any]) -> bool:
        """Whether something could be done; what the rules forbid in the middle of it is taken back."""
        entries = len(self.session.entries)
        try:
            self.session.do(name, **given)
            self._answer()
        except (BadInput, RulesSayNo):
            if len(self.session.entries) > entries:
                self.session.undo(len(self.session.entries) - entries)
            return False
        return True

    def _note(self) -> None:
        """What the whole log and the scenes on the way to its end have shown."""
        session, tale = self.session, self.tale
        scene = session.header.scene
        self._look_at(scene, None)
        for place, line in enumerate(session.log):
            if place == self.fought:
                self._shown()
            if isinstance(line, Event):
                scene = session.book.apply(scene, line)
                tale.note("events", line.kind)
                self.words.update(_texts(line.to_json()))
                self._look_at(scene, line)
        if self.fought >= len(session.log):
            self._shown()
        for name, value in session.scene.options.to_mapping().items():
            tale.note("options", f"{name}={json.dumps(value)}")
        for kind, ids in entries(self.system).items():
            for entry in ids if kind not in self.extent.shows else ():
                if self.words[entry]:
                    tale.note(kind, entry, self.words[entry])
        for one in session.scene.participants:
            for carried in one.belongings:
                for kind in self.extent.carried:
                    if session.scene.library.has(kind, carried.item):
                        tale.note(kind, carried.item)
        for kind, words in self.extent.more.items():
            for word in words if kind not in {"conditions", *self.extent.shows} else ():
                if self.words[word]:
                    tale.note(kind, word, self.words[word])
        tale.plays += 1

    def _shown(self) -> None:
        """Which kinds of content the encounter has shown."""
        self.tale.shown |= {kind for kind, ids in entries(self.system).items() if self.words.keys() & set(ids)}

    def _look_at(self, scene: Scene, event: Event | None) -> None:
        """What a scene shows after an event: conditions that begin, and what the system says."""
        for kind, shows in self.extent.shows.items():
            for name in shows(scene, event):
                self.tale.note(kind, name)
        for one in scene.participants:
            status, before = self.was.get(one.id, (None, frozenset()))
            if one.status is not status:
                after = frozenset(self._conditions_of(one.status))
                for name in sorted(after - before):
                    self.tale.note("conditions", name)
                self.was[one.id] = one.status, after

    def _conditions_of(self, status: Any) -> Iterator[str]:
        for entry in fields(status):
            value = getattr(status, entry.name)
            if value is True:
                yield entry.name
            elif isinstance(value, str | Enum):
                yield f"{entry.name}={value.value if isinstance(value, Enum) else value}"
        if self.extent.conditions is not None:
            yield from self.extent.conditions(status)
            return
        for held in getattr(status, "lasting", ()):
            self.tale.lasting.add(held.id)
            yield held.id


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        if ":" in value:
            yield from value.split(":")
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def _cast(scenario: Scenario, system: System, cast: str, extent: Extent) -> Scenario:
    """The scenario with its own characters, with people of the content, with ones made at random, or as declared."""
    name, _, number = cast.partition(":")
    if name == OWN:
        return scenario
    if name in extent.casts:
        return extent.casts[name](scenario, int(number))
    start = int(number)
    if name == "people":
        people = [entry.id for kind in system.book.people for entry in library_of(system).of(kind)]
        taken: list[Any] = [people[(start + place) % len(people)] for place in range(len(scenario.entrants))]
    elif name == "random":
        taken = [
            freeze(_made(system, scenario.options, start * 100 + place).to_json())
            for place in range(len(scenario.entrants))
        ]
    else:
        raise BadInput(f'"{cast}" is no cast; allowed are {OWN}, people:N, random:N')
    return replace(
        scenario,
        entrants=tuple(
            [
                replace(entrant, character=character, document=None)
                for entrant, character in zip(scenario.entrants, taken, strict=True)
            ]
        ),
    )


def _made(system: System, options: Any, seed: int) -> Any:
    def start() -> Any:
        scene = Scene(system=system.id, options=options, library=library_of(system))
        return system.book.create.read(Live(scene, system.book), {})

    return at_random(start, Dice(seed, "creation"))


def _read_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def parser(description: str = "") -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="conformance.exhaustive", description=description)
    parser.add_argument("what", help="SYSTEM, SYSTEM:SCENARIO, or all")
    parser.add_argument("--plays", type=int, default=None, help="how many plays at most")
    parser.add_argument("--on", action="store_true", help="play on after everything has occurred")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--policy", default="random")
    parser.add_argument("--cast", default=OWN)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    return parser


def play_from(given: argparse.Namespace) -> Play:
    options = tuple([(name, _read_value(value)) for name, _, value in [o.partition("=") for o in given.option]])
    return Play(given.what, given.policy, given.seed, given.cast, options)
