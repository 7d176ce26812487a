"""Plays a system until everything that can occur has occurred, counts it, and says how to repeat whatever fails.

    python -m conformance.exhaustive SYSTEM [--plays N] [--seed N] [--on]
    python -m conformance.exhaustive SYSTEM:SCENARIO --policy P --seed N [--cast C] [--option NAME=VALUE ...]

The first form plays a system out and reports; the second repeats one play. (`make soak` runs it for long.)
"""

from __future__ import annotations

import argparse
import itertools
import json
import shlex
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from conformance.drawing import Below, arguments, seeded, situation
from conformance.extents import Extent, extent_of, lasting_ids
from tablewright.dice import Dice
from tablewright.engine import Choose, Roll
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.actions import Use
from tablewright.game.common import common
from tablewright.game.creation import at_random
from tablewright.game.events import Event
from tablewright.game.frozen import freeze
from tablewright.game.opening import open_session
from tablewright.game.options import OptionField, Options
from tablewright.game.policies import POLICIES, policy_named
from tablewright.game.registry import load_all, load_system
from tablewright.game.scenario import Scenario, load_scenario, scenario_names
from tablewright.game.scene import Live, Scene
from tablewright.game.session import Session
from tablewright.game.system import System

MOST_ANSWERS = 20_000
TRIES = 12
"""How often a process is tried with other arguments in one play before the rules' refusal is taken for an answer."""

MOST_SHOWN = 16
"""How many of the answers inside rules a report shows: those given most often."""

SLOW = "best"
"""The policy that weighs every option exactly: every promise is kept by it too, but here it has few plays."""

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
        return _play(_parser().parse_args(shlex.split(words)))


class Failed(AssertionError):
    """A play in which something went wrong; the message has the command that repeats it."""

    def __init__(self, play: Play, problem: str) -> None:
        super().__init__(f"{problem}\nrepeat it with:\n  {play.command}")
        self.play = play
        self.problem = problem


@dataclass
class Tale:
    """What has occurred so far: for each kind of thing how often each of them."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    """The kinds of content that have shown in the options and events of encounters."""

    lasting: set[str] = field(default_factory=set)
    """The ids of what has lasted in anybody's status."""

    plays: int = 0

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


# ---------------------------------------------------------------------- what must occur


def wanted(system: System, extent: Extent, tale: Tale) -> dict[str, tuple[str, ...]]:
    """Everything that must occur, by kind. A kind of content counts as soon as one entry shows in a fight."""
    book = system.book
    must: dict[str, tuple[str, ...]] = {
        "actions": tuple([action.id for action in book.actions]),
        "events": tuple([kind.__name__ for kind in book.apply.by_kind if kind not in common.by_kind]),
        "conditions": (*_conditions(system), *_lasting(system, extent, tale)),
        "options": tuple([_option_value(*pair) for pair in option_values(system.options)]),
        "checks": tuple([check.id for check in book.checks]),
        "processes": tuple([process.name for process in book.processes]),
    }
    seen = {*extent.carried, *extent.shows, *tale.shown}
    must |= {kind: ids for kind, ids in _entries(system).items() if kind in seen}
    for kind, words in extent.more.items():
        must[kind] = (*must.get(kind, ()), *words)
    return {
        kind: tuple([name for name in names if not {f"{kind}:{name}", f"{kind}:*"} & set(extent.exempt)])
        for kind, names in must.items()
    }


def missing(system: System, extent: Extent, tale: Tale) -> dict[str, tuple[str, ...]]:
    """What must occur and has not, by kind."""
    lacking = {
        kind: tuple([name for name in names if not tale.seen(kind)[name]])
        for kind, names in wanted(system, extent, tale).items()
    }
    return {kind: names for kind, names in lacking.items() if names}


def option_values(options: type[Options]) -> list[tuple[OptionField, Any]]:
    """Every value of every option; of a number the two ends, the usual value and what lies beside it."""
    return [(described, value) for described in options.describe() for value in _values(described)]


def _values(described: OptionField) -> list[Any]:
    if described.choices:
        return list(described.choices)
    usual = described.default if isinstance(described.default, int) else 0
    low = usual - 5 if described.low is None else described.low
    high = usual + 5 if described.high is None else described.high
    numbers = sorted({low, max(low, min(usual, high)), high})
    return [None, *numbers] if described.or_none else numbers


def _option_value(described: OptionField, value: Any) -> str:
    return f"{described.name}={json.dumps(value)}"


def _entries(system: System) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for kind, entry in _library(system).by_id:
        found.setdefault(kind, []).append(entry)
    return {kind: tuple(ids) for kind, ids in found.items()}


def _library(system: System) -> Any:
    from tablewright.game.content import library_of

    return library_of(system)


def _conditions(system: System) -> Iterator[str]:
    """The conditions that a status names: what is true or false, and what has one of several names."""
    kinds = dict.fromkeys(
        [
            type(one.status)
            for name in scenario_names(system.id)
            for one in open_session(load_scenario(f"{system.id}:{name}"), seed=0).scene.participants
        ]
    )
    for kind in kinds:
        hints = get_type_hints(kind)
        for entry in fields(kind):
            for value in _named_values(hints[entry.name]):
                yield entry.name if value is True else f"{entry.name}={value}"


def _lasting(system: System, extent: Extent, tale: Tale) -> list[str]:
    """The ids of what lasts, as far as the code writes them out or somebody was seen with them."""
    return sorted(lasting_ids(system.id) | tale.lasting) if extent.conditions is None else []


def _named_values(annotation: Any) -> tuple[Any, ...]:
    if annotation is bool:
        return (True,)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return tuple([member.value for member in annotation])
    return get_args(annotation) if get_origin(annotation) is Literal else ()


# ---------------------------------------------------------------------- one play


def play(one: Play, tale: Tale | None = None, extent: Extent | None = None) -> Session:
    """Play once: checks in free play, the encounter to its end, then every process; note what occurred."""
    noted = tale or Tale()
    system_id = one.scenario.partition(":")[0]
    try:
        return _Player(one, noted, extent or extent_of(system_id)).play()
    except Failed:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        at = f"{Path(last.filename).name}:{last.lineno}"
        raise Failed(one, f"{type(error).__name__}: {error} ({at})") from error


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
        for _ in range(MOST_ANSWERS):
            asked = session.question
            if asked is None:
                return
            if isinstance(asked, Roll):
                session.roll()
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
        for kind, ids in _entries(self.system).items():
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
        self.tale.shown |= {kind for kind, ids in _entries(self.system).items() if self.words.keys() & set(ids)}

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
        people = [entry.id for kind in system.book.people for entry in _library(system).of(kind)]
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
        scene = Scene(system=system.id, options=options, library=_library(system))
        return system.book.create.read(Live(scene, system.book), {})

    return at_random(start, Dice(seed, "creation"))


# ---------------------------------------------------------------------- all plays


def plays(system: System, extent: Extent, seed: int = 1) -> Iterator[Play]:
    """Plays without end, the ones that show most first: the chosen, each scenario and policy, each option, mixtures."""
    yield from map(Play.parse, extent.first)
    scenarios = [f"{system.id}:{name}" for name in scenario_names(system.id)]
    casts = [OWN, "people", "random", *extent.casts]
    if not scenarios:
        return
    quick = [policy for policy in POLICIES if policy != SLOW]
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
    """One cast after the other, each with a number of its own where it has several."""
    name = casts[number % len(casts)]
    return OWN if name == OWN else f"{name}:{number // len(casts)}"


def play_out(
    system: System,
    *,
    most: int | None = None,
    seed: int = 1,
    stop: bool = True,
    failures: list[Failed] | None = None,
) -> tuple[Tale, Extent]:
    """Play a system until everything has occurred (or on to the end, if it is not to stop), at most so many times.

    The first failure is raised; where a list is given, failures are put there instead and play goes on.
    """
    extent, tale = extent_of(system.id), Tale()
    for one in itertools.islice(plays(system, extent, seed), most or extent.plays):
        try:
            play(one, tale, extent)
        except Failed as failed:
            if failures is None:
                raise
            failures.append(failed)
        if stop and tale.plays >= 12 and not missing(system, extent, tale):
            break
    return tale, extent


def report(system: System, extent: Extent, tale: Tale) -> str:
    """What occurred and how often, and what never did, as Markdown."""
    lines = [f"{system.title}: {tale.plays} plays", ""]
    lacking = missing(system, extent, tale)
    for kind, names in wanted(system, extent, tale).items():
        counts = tale.seen(kind)
        shown = ", ".join([f"{name} {counts[name]}" for name in names if counts[name]])
        lines.append(f"- {kind}, {len(names) - len(lacking.get(kind, ()))} of {len(names)}: {shown or 'none'}")
    answers = tale.seen("answers")
    often = ", ".join([f"{name} {count}" for name, count in sorted(answers.most_common(MOST_SHOWN))])
    lines.append(f"- answers inside rules, {len(answers)} different: {often}")
    lines += [f"- never: {kind}: {', '.join(names)}" for kind, names in lacking.items()]
    lines += [f"- exempt: {name}: {why}" for name, why in extent.exempt.items()]
    return "\n".join(lines)


def _read_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="conformance.exhaustive", description=__doc__)
    parser.add_argument("what", help="SYSTEM, SYSTEM:SCENARIO, or all")
    parser.add_argument("--plays", type=int, default=None, help="how many plays at most")
    parser.add_argument("--on", action="store_true", help="play on after everything has occurred")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--policy", default="random")
    parser.add_argument("--cast", default=OWN)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    return parser


def _play(given: argparse.Namespace) -> Play:
    options = tuple([(name, _read_value(value)) for name, _, value in [o.partition("=") for o in given.option]])
    return Play(given.what, given.policy, given.seed, given.cast, options)


def main(argv: list[str]) -> int:
    """Play out a system, all of them, or one play; the status says whether anything never occurred."""
    given = _parser().parse_args(argv)
    if ":" in given.what:
        session = play(_play(given))
        sys.stdout.write(f"{session.scene.ended}: {len(session.log)} lines, round {session.scene.round}\n")
        return 0
    playable = [system for system in load_all().systems if system.rulebook is not None]
    lacking = False
    for system in playable if given.what == "all" else [load_system(given.what)]:
        failures: list[Failed] = []
        tale, extent = play_out(system, most=given.plays, seed=given.seed, stop=not given.on, failures=failures)
        sys.stdout.write(report(system, extent, tale) + "\n\n" + told(failures))
        lacking |= bool(failures) or (system.is_finished and bool(missing(system, extent, tale)))
    return int(lacking)


def told(failures: Sequence[Failed]) -> str:
    """What went wrong, how often, and the first command that repeats each."""
    return "".join(
        [f"{len(found)} times {problem}\n  {found[0].play.command}\n\n" for problem, found in _alike(failures).items()]
    )


def _alike(failures: Sequence[Failed]) -> dict[str, list[Failed]]:
    """Failures by what went wrong, names and numbers aside."""
    found: dict[str, list[Failed]] = {}
    for failed in failures:
        at = failed.problem.rpartition(" (")[2]
        known = next((problem for problem in found if problem.rpartition(" (")[2] == at), failed.problem)
        found.setdefault(known, []).append(failed)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
