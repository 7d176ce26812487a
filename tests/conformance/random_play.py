"""Random play of a system: fights, checks and processes with random answers. Nothing particular must happen in it.

    python -m conformance.random_play SYSTEM|all [--plays N] [--seed N] [--jobs N]
    python -m conformance.random_play SYSTEM:SCENARIO --policy P --seed N [--cast C] [--option NAME=VALUE ...]

The first form plays a system N times and lists the failures; the second repeats one play. `make soak` plays for long.
"""

from __future__ import annotations

import argparse
import itertools
import json
import shlex
import sys
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

from conformance.drawing import Below, arguments, seeded, situation
from conformance.extents import Extent, extent_of
from tablewright.dice import SeededDice
from tablewright.engine import Choice, Roll
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.creation import at_random
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.purchases import KEEP_THE_REST
from tablewright.game.rules.options import RuleOption, RuleOptions
from tablewright.game.scenario.loader import load_scenario, scenario_names
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.scenario.schema import BUILT_IN_POLICIES
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import find_policy
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_all, load_system
from tablewright.game.system.shipped_content import shipped_library
from tablewright.game.system.system import System
from tablewright.game.values import freeze

MOST_ANSWERS = 20_000
MOST_BOUGHT = 150
"""Number of answers after which the player stops buying: points may be without end."""

TRIES = 12
"""Number of random arguments with which a check or process is tried before a refusal is accepted."""

OWN = "own"
SLOW = "best"
"""The policy that computes every option exactly; it gets few plays."""

REPORT_EVERY = 10
"""Seconds between two progress lines of a long run."""


@dataclass(frozen=True)
class Play:
    """One play: scenario, policy, seed, cast and options."""

    scenario: str
    policy: str = "random"
    seed: int = 1
    cast: str = OWN
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def command(self) -> str:
        """The command that repeats the play."""
        words = [self.scenario, "--policy", self.policy, "--seed", str(self.seed)]
        words += [] if self.cast == OWN else ["--cast", self.cast]
        for name, value in self.options:
            words += ["--option", f"{name}={json.dumps(value)}"]
        program = "PYTHONPATH=$PYTHONPATH:tests:tests/sixth .venv/bin/python -m conformance.random_play"
        return f"{program} {shlex.join(words)}"


class Failed(AssertionError):
    """A play in which something went wrong; the message has the command that repeats it."""

    def __init__(self, play: Play, problem: str) -> None:
        super().__init__(f"{problem}\nrepeat it with:\n  {play.command}")
        self.play = play
        self.problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        return Failed, (self.play, self.problem)


@dataclass
class Report:
    """Counts over several plays: actions taken, checks made and processes finished."""

    plays: int
    counts: Counter[str]

    def __str__(self) -> str:
        seldom = ", ".join([f"{name} {count}" for name, count in self.counts.most_common()[:-9:-1]])
        return f"{self.plays} plays, {self.counts.total():,} actions, checks and processes; rarest: {seldom or 'none'}"


# ---------------------------------------------------------------------- one play


def play(one: Play, counts: Counter[str] | None = None, extent: Extent | None = None) -> Session:
    """Play once: checks in free play, the encounter to its end, then every process."""
    system_id = one.scenario.partition(":")[0]
    try:
        return _Player(one, Counter() if counts is None else counts, extent or extent_of(system_id)).play()
    except Failed:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        at = f"{Path(last.filename).name}:{last.lineno}"
        raise Failed(one, f"{type(error).__name__}: {error} ({at})") from error


class _Player:
    """A player of everyone for one play."""

    def __init__(self, one: Play, counts: Counter[str], extent: Extent) -> None:
        self.one = one
        self.counts = counts
        self.extent = extent
        self.below: Below = seeded(one.scenario, one.seed)
        self.policy = find_policy(one.policy)
        self.session = open_session(cast_of(one, extent), seed=one.seed)

    def play(self) -> Session:
        session, book = self.session, self.session.rulebook
        for check in book.checks:
            self._check(check)
        session.do(book.encounter.name)
        self._answer()
        if session.scene.ended is None:
            raise Failed(self.one, "no question is open, but the encounter has not ended")
        for process in book.processes:
            self._process(process)
        return session

    def _answer(self) -> None:
        """Answer until no question is open."""
        session = self.session
        for answered in range(MOST_ANSWERS):
            question = session.question
            if question is None:
                return
            if isinstance(question, Roll):
                session.roll()
            elif answered > MOST_BOUGHT and KEEP_THE_REST in question.options:
                session.choose(KEEP_THE_REST.id)
            else:
                self._choose(question)
            self._check_status()
        raise Failed(self.one, f"it does not end: {MOST_ANSWERS:,} answers were given (round {session.scene.round})")

    def _choose(self, question: Choice[Any]) -> None:
        place = self.policy(self.session, question)
        option = question.options[place]
        if isinstance(option, ActionUse):
            self.counts[option.action] += 1
        self.session.choose(question.ids[place])

    def _check_status(self) -> None:
        """Refuse numbers below zero."""
        for one in self.session.scene.participants:
            for name in self.extent.never_negative:
                value = getattr(one.status, name)
                if value < 0:
                    raise Failed(self.one, f"{one.id} has {name} {value}")

    def _check(self, check: Any) -> None:
        """Make a check in a situation that the rules allow."""
        who = self.session.scene.participants[self.below(len(self.session.scene.participants))].id
        given = self.extent.checks.get(check.id)
        for _ in range(TRIES):
            words = situation(check.situation, self.session, self.below)
            named = {"who": who, "situation": words} | dict(given(self.session, self.below) if given else {})
            if self._do("table.check", {"what": check.id, **named}):
                self.counts[check.id] += 1
                return

    def _process(self, process: Any) -> None:
        """Run a process with arguments that the rules allow."""
        given = self.extent.arguments.get(process.name)
        for _ in range(TRIES):
            named = given(self.session, self.below) if given else arguments(process.params, self.session, self.below)
            if self._do(process.name, named):
                self.counts[process.name] += 1
                return

    def _do(self, name: str, given: Mapping[str, Any]) -> bool:
        """Run something to its end; return False and undo it if the rules refuse."""
        entries = len(self.session.entries)
        try:
            self.session.do(name, **given)
            self._answer()
        except (InvalidInputError, IllegalActionError):
            if len(self.session.entries) > entries:
                self.session.undo(len(self.session.entries) - entries)
            return False
        return True


def cast_of(one: Play, extent: Extent) -> Scenario:
    """The scenario of a play with its cast and options."""
    scenario = load_scenario(one.scenario)
    system = load_system(scenario.system)
    values = scenario.options.changed() | dict(one.options)
    return _cast(replace(scenario, options=system.options.from_mapping(values)), system, one.cast, extent)


def _cast(scenario: Scenario, system: System, cast: str, extent: Extent) -> Scenario:
    """The scenario with its own characters, with characters of the pack, with random ones, or with a declared cast."""
    name, _, number = cast.partition(":")
    if name == OWN:
        return scenario
    if name in extent.casts:
        return extent.casts[name](scenario, int(number))
    start = int(number)
    if name == "people":
        people = [entry.id for kind in system.rulebook.character_kinds for entry in shipped_library(system).of(kind)]
        taken: list[Any] = [people[(start + place) % len(people)] for place in range(len(scenario.entrants))]
    elif name == "random":
        taken = [
            freeze(_made(system, scenario.options, start * 100 + place).to_json())
            for place in range(len(scenario.entrants))
        ]
    else:
        raise InvalidInputError(
            f'unknown cast "{cast}"; choose {", ".join([OWN, "people:N", "random:N", *extent.casts])}'
        )
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
        scene = Scene(system=system.id, options=options, library=shipped_library(system))
        return system.rulebook.create.read(Game(scene, system.rulebook), {})

    return at_random(start, SeededDice(seed, "creation"))


# ---------------------------------------------------------------------- many plays


def option_values(options: type[RuleOptions]) -> list[tuple[RuleOption, Any]]:
    """Every value of every option; of a number the two ends and the default."""
    return [(described, value) for described in options.describe() for value in _values(described)]


def _values(described: RuleOption) -> list[Any]:
    if described.choices:
        return list(described.choices)
    usual = described.default if isinstance(described.default, int) else 0
    low = usual - 5 if described.low is None else described.low
    high = usual + 5 if described.high is None else described.high
    numbers = sorted({low, max(low, min(usual, high)), high})
    return [None, *numbers] if described.or_none else numbers


def plays(system: System, extent: Extent, seed: int = 1) -> Iterator[Play]:
    """Endless plays: each scenario with each policy, each value of each option, then mixtures."""
    scenarios = [f"{system.id}:{name}" for name in scenario_names(system.id)]
    casts = [OWN, "people", "random", *extent.casts]
    if not scenarios:
        return
    quick = [policy for policy in BUILT_IN_POLICIES if policy != SLOW]
    for scenario in scenarios:
        for policy in quick:
            yield Play(scenario, policy, seed)
    values = option_values(system.options)
    for place, (described, value) in enumerate(values):
        yield Play(
            scenarios[place % len(scenarios)], "random", seed, _numbered(casts, place), ((described.name, value),)
        )
    below = seeded(system.id, seed)
    for number in itertools.count(len(values)):
        mixed = [pair for pair in values if below(3) == 0]
        yield Play(
            scenarios[below(len(scenarios))],
            SLOW if number % 40 == 0 else (*quick, "random", "random")[below(len(quick) + 2)],
            seed + number,
            _numbered(casts, number),
            tuple({described.name: value for described, value in mixed}.items()),
        )


def _numbered(casts: Sequence[str], number: int) -> str:
    name = casts[number % len(casts)]
    return OWN if name == OWN else f"{name}:{number // len(casts)}"


def play_all(
    candidates: Iterable[Play],
    *,
    failures: list[Failed] | None = None,
    jobs: int = 1,
    progress: Callable[[Report], None] | None = None,
) -> Report:
    """Play all candidates. The first failure is raised; with a list of failures they are put there and play goes on."""
    report = Report(0, Counter())
    for counts, failed in _played(candidates, jobs):
        if failed is not None and failures is None:
            raise failed
        if failed is not None and failures is not None:
            failures.append(failed)
            continue
        report.plays += 1
        report.counts += counts
        if progress is not None:
            progress(report)
    return report


def _played(candidates: Iterable[Play], jobs: int) -> Iterator[tuple[Counter[str], Failed | None]]:
    """Counts and failure of each play, in the order of the plays."""
    if jobs == 1:
        yield from map(_play_alone, candidates)
        return
    pool, running = ProcessPoolExecutor(jobs), deque[Future[tuple[Counter[str], Failed | None]]]()
    try:
        for one in candidates:
            running.append(pool.submit(_play_alone, one))
            if len(running) > 2 * jobs:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _play_alone(one: Play) -> tuple[Counter[str], Failed | None]:
    counts = Counter[str]()
    try:
        play(one, counts)
    except Failed as failed:
        return counts, failed
    return counts, None


# ---------------------------------------------------------------------- the command


def main(argv: list[str]) -> int:
    """Play one play, a system, or all systems; the status says whether a play failed."""
    parser = argparse.ArgumentParser(prog="conformance.random_play", description=__doc__)
    parser.add_argument("what", help="SYSTEM, SYSTEM:SCENARIO, or all")
    parser.add_argument("--plays", type=int, default=100, help="number of plays (default 100)")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes (default 1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--policy", default="random")
    parser.add_argument("--cast", default=OWN)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args(argv)
    if ":" in given.what:
        options = tuple([(name, _read_value(value)) for name, _, value in [o.partition("=") for o in given.option]])
        session = play(Play(given.what, given.policy, given.seed, given.cast, options))
        sys.stdout.write(f"{session.scene.ended}: {len(session.log)} lines, round {session.scene.round}\n")
        return 0
    playable = [system for system in load_all().systems if system.rulebook_module is not None]
    failures: list[Failed] = []
    for system in playable if given.what == "all" else [load_system(given.what)]:
        candidates = itertools.islice(plays(system, extent_of(system.id), given.seed), given.plays)
        found: list[Failed] = []
        report = play_all(candidates, failures=found, jobs=given.jobs, progress=_progress(system, found))
        sys.stdout.write(f"{system.title}: {report}\n\n{describe(found)}")
        failures += found
    return int(bool(failures))


def _read_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _progress(system: System, failures: Sequence[Failed]) -> Callable[[Report], None]:
    """Print a line on the error stream every few seconds."""
    began = printed = monotonic()

    def progress(report: Report) -> None:
        nonlocal printed
        now = monotonic()
        if now - printed >= REPORT_EVERY:
            printed = now
            sys.stderr.write(f"{system.id}: {report.plays} plays in {now - began:.0f} s, {len(failures)} failures\n")

    return progress


def describe(failures: Sequence[Failed]) -> str:
    """Each problem with its number and the first command that repeats it."""
    alike: dict[str, list[Failed]] = {}
    for failed in failures:
        at = failed.problem.rpartition(" (")[2]
        known = next((problem for problem in alike if problem.rpartition(" (")[2] == at), failed.problem)
        alike.setdefault(known, []).append(failed)
    return "".join([f"{len(found)} times {problem}\n  {found[0].play.command}\n\n" for problem, found in alike.items()])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
