"""Jobs: a scenario with policies, a seed and a number of runs, split into chunks.

A job is self-contained plain data and means the same in every process and on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tablewright.dice.source import MOST_SEED
from tablewright.errors import InvalidInputError, ProblemListError, TablewrightError
from tablewright.game.play.common_events import Modified
from tablewright.game.scenario.cast import assign
from tablewright.game.scenario.loader import read_scenario
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import POLICIES, USUAL, find_policy, load_policy
from tablewright.game.session.session import SessionHeader
from tablewright.game.system.registry import load_system
from tablewright.lab.fights.totals import FightTotals
from tablewright.lab.fights.trial import Arena

MOST_RUNS = 10_000_000
MOST_CHUNK = 50
PIECES, MIRRORED_PIECES = 100, 250
"""Chunks of a job with few runs. A mirrored job stops early, and its first figures are to come soon."""


@dataclass(frozen=True)
class Job:
    """A simulation as data.

    ``scenario`` is the scenario's plain data with the character and policy of every participant. ``modifiers`` are
    numbers added to a named tally: (name, number, participant id or None for all). In a ``mirrored`` job every second
    fight throws the opposite faces of the one before it, and win chances are corrected for luck; its runs are even.
    """

    scenario: Mapping[str, Any]
    seed: int
    runs: int
    modifiers: tuple[tuple[str, int, str | None], ...] = ()
    mirrored: bool = False

    def as_mirrored(self) -> Job:
        """The same job with mirrored dice; its runs are rounded up to whole pairs."""
        return replace(self, mirrored=True, runs=self.runs + self.runs % 2)

    @property
    def chunk(self) -> int:
        """Fights per chunk; it depends on the job alone, never on the executor."""
        if self.mirrored:
            return 2 * max(1, min(MOST_CHUNK, self.runs // MIRRORED_PIECES) // 2)
        return max(1, min(MOST_CHUNK, self.runs // PIECES))

    @property
    def chunks(self) -> int:
        """Number of chunks."""
        return -(-self.runs // self.chunk)

    def numbers(self, chunk: int) -> range:
        """Fight numbers of one chunk."""
        return range(chunk * self.chunk, min(self.runs, (chunk + 1) * self.chunk))

    @property
    def title(self) -> str:
        """Title of the scenario."""
        return str(self.scenario["title"])

    @property
    def system(self) -> str:
        """Id of the system."""
        return str(self.scenario["system"])

    @property
    def sides(self) -> tuple[str, ...]:
        """Sides in order of appearance."""
        return tuple(dict.fromkeys([str(given["side"]) for given in self.scenario["participants"]]))

    @property
    def policies(self) -> dict[str, str]:
        """Policy names by participant id."""
        return {given["id"]: given["policy"] for given in self.scenario["participants"]}

    @property
    def tactics(self) -> dict[str, str]:
        """Description of each policy in use, by name."""
        names = dict.fromkeys(self.policies.values())
        return {name: words_of_policy(name) for name in names}

    def to_text(self) -> str:
        """Serialise the job; equal jobs give equal texts."""
        plain = {"scenario": self.scenario, "seed": self.seed, "runs": self.runs, "modifiers": self.modifiers}
        if self.mirrored:
            plain["mirrored"] = True
        return json.dumps(plain, sort_keys=True, separators=(",", ":"))

    @staticmethod
    def from_text(text: str) -> Job:
        """Parse a job.

        The ``path`` that version 0.1 could write is ignored: every job is played.
        """
        plain = json.loads(text)
        modifiers = tuple([(what, value, who) for what, value, who in plain["modifiers"]])
        return Job(plain["scenario"], plain["seed"], plain["runs"], modifiers, plain.get("mirrored", False))

    @property
    def id(self) -> str:
        """Short hash of the job."""
        return blake2b(self.to_text().encode(), digest_size=8).hexdigest()

    def ring(self) -> Arena:
        """Open the scenario as an arena, with the modifiers applied."""
        policies = {who: load_policy(name) for who, name in self.policies.items()}
        scenario = read_scenario(self.scenario, folder=Path("/"), policies=POLICIES)
        opened = open_session(scenario, seed=0)
        scene = opened.scene
        for what, value, who in self.modifiers:
            scene = opened.rulebook.apply(
                scene, Modified(who=who, what=what, value=value, reason="supposed", cause="lab")
            )
        header = SessionHeader(opened.header.system, opened.header.version, scene, 0, {"scenario": self.scenario})
        return Arena(header, opened.rulebook, policies, self.seed, mirrored=self.mirrored)


def job_of(
    scenario: Scenario,
    *,
    runs: int = 1_000,
    seed: int = 1,
    policies: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
    rounds: int | None = None,
    modifiers: Sequence[tuple[str, int, str | None]] = (),
    anyway: bool = False,
) -> Job:
    """Build a job from a scenario; rule violations are refused before the first fight.

    ``policies`` are by participant or side; others keep the scenario's policy, or get the default policy. ``anyway``
    allows characters that break the creation rules.
    """
    if not 1 <= runs <= MOST_RUNS:
        raise InvalidInputError(f"runs is {runs}; allowed are 1 to {MOST_RUNS:,}", field="runs")
    if not 0 <= seed <= MOST_SEED:
        raise InvalidInputError(f"the seed is {seed}; allowed are 0 to 2**128 - 1", field="seed")
    if options:
        kind = load_system(scenario.system).options
        scenario = replace(scenario, options=kind.from_mapping(scenario.options.to_mapping() | dict(options)))
    if rounds is not None:
        scenario = replace(scenario, rounds=rounds)
    if scenario.ends == "game_master":
        raise InvalidInputError(
            "this scenario ends only by a ruling of the game master, and nobody rules here", field="ends"
        )
    chosen = {entrant.id: entrant.policy or USUAL for entrant in scenario.entrants}
    for name in (policies or {}).values():
        find_policy(name)
    chosen |= assign(policies or {}, [(entrant.id, entrant.side, entrant.name) for entrant in scenario.entrants])
    entrants = tuple([replace(entrant, policy=chosen[entrant.id]) for entrant in scenario.entrants])
    opened = open_session(replace(scenario, entrants=entrants), seed=0)
    library, problems = opened.scene.library, []
    for one in opened.scene.participants:
        found = opened.rulebook.legality(one.character, opened.scene.options, library)
        problems += [f"{one.id}: {violation}" for violation in found.violations]
    if problems and not anyway:
        raise ProblemListError(problems)
    plain = json.loads(json.dumps(opened.header.source["scenario"]))
    return Job(plain, seed, runs, tuple(modifiers))


def words_of_policy(name: str) -> str:
    """Description of a policy, from its docstring.

    >>> words_of_policy("aggressive")
    'the option that promises most harm, whatever it costs'
    """
    said = (find_policy(name).__doc__ or name).partition("\n")[0].rstrip(".")
    return said[:1].lower() + said[1:]


@lru_cache(maxsize=8)
def ring_of(text: str) -> Arena:
    """Arena of a serialised job, cached for its next chunk."""
    return Job.from_text(text).ring()


def fight_chunk(text: str, chunk: int) -> str:
    """Fight one chunk of a job and return its totals as text; executors run this function."""
    return fight_some(text, _job(text).numbers(chunk))


def fight_some(text: str, numbers: range) -> str:
    """Fight the given fight numbers of a job."""
    with naming_the_fight():
        counts = ring_of(text).count(numbers)
    return json.dumps(counts.to_json(), separators=(",", ":"))


@contextmanager
def naming_the_fight() -> Iterator[None]:
    """Context manager that adds the fight number to errors, as picklable text."""
    try:
        yield
    except TablewrightError as problem:
        raise TablewrightError("; ".join([*getattr(problem, "__notes__", []), str(problem)])) from None
    except Exception as problem:
        told = [*getattr(problem, "__notes__", []), f"{type(problem).__name__}: {problem}"]
        raise RuntimeError("; ".join(told)) from problem


@lru_cache(maxsize=8)
def _job(text: str) -> Job:
    return Job.from_text(text)


def counts_of(text: str) -> FightTotals:
    """Parse the totals of a chunk."""
    return FightTotals.from_json(json.loads(text))
