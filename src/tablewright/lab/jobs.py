"""A job: a scenario to be fought so and so many times, by which policies, from which seed. It is cut into chunks.

A job is plain data with everything in it, so that it means the same in every process and on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablewright.dice.source import MOST_SEED
from tablewright.errors import BadInput, ManyProblems, TablewrightError, nearest
from tablewright.game.common import Modified
from tablewright.game.opening import open_session
from tablewright.game.policies import policy_named
from tablewright.game.registry import load_system
from tablewright.game.scenario import Scenario, read_scenario
from tablewright.game.session import Header
from tablewright.lab.counts import Counts
from tablewright.lab.fights import Ring

if TYPE_CHECKING:
    from tablewright.lab.batch.running import Batch

MOST_RUNS = 10_000_000
MOST_CHUNK = 50
MOST_BATCH_CHUNK = 20_000
PATHS = ("played", "batch")
USUAL = "careful"


@dataclass(frozen=True)
class Job:
    """``scenario`` is the plain data of one, with everybody's character, option and policy in it.

    ``modifiers`` are numbers that are added to what is tallied under a name: (name, number, participant or None).
    ``path`` is ``played``, one fight after the other, or ``batch``, thousands in lock step from tables; the dice of the
    two are not the same.
    """

    scenario: Mapping[str, Any]
    seed: int
    runs: int
    modifiers: tuple[tuple[str, int, str | None], ...] = ()
    path: str = "played"

    @property
    def chunk(self) -> int:
        """How many fights are one piece of work: it depends on the number of runs alone, never on who does it."""
        if self.path == "batch":
            return min(MOST_BATCH_CHUNK, -(-self.runs // 4))
        return max(1, min(MOST_CHUNK, self.runs // 100))

    @property
    def chunks(self) -> int:
        """How many pieces there are."""
        return -(-self.runs // self.chunk)

    def numbers(self, chunk: int) -> range:
        """The numbers of the fights of one piece."""
        return range(chunk * self.chunk, min(self.runs, (chunk + 1) * self.chunk))

    @property
    def title(self) -> str:
        """What the scenario is called."""
        return str(self.scenario["title"])

    @property
    def system(self) -> str:
        """The system it is of."""
        return str(self.scenario["system"])

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, in order."""
        return tuple(dict.fromkeys([str(given["side"]) for given in self.scenario["participants"]]))

    @property
    def policies(self) -> dict[str, str]:
        """The policy of everybody."""
        return {given["id"]: given["policy"] for given in self.scenario["participants"]}

    @property
    def tactics(self) -> dict[str, str]:
        """What each policy that somebody plays by does, in words."""
        names = dict.fromkeys(self.policies.values())
        return {name: words_of_policy(name) for name in names}

    def to_text(self) -> str:
        """The job as text: equal jobs give equal texts."""
        plain = {"scenario": self.scenario, "seed": self.seed, "runs": self.runs, "modifiers": self.modifiers}
        if self.path != "played":
            plain["path"] = self.path
        return json.dumps(plain, sort_keys=True, separators=(",", ":"))

    @staticmethod
    def from_text(text: str) -> Job:
        """A job from its text."""
        plain = json.loads(text)
        modifiers = tuple([(what, value, who) for what, value, who in plain["modifiers"]])
        return Job(plain["scenario"], plain["seed"], plain["runs"], modifiers, plain.get("path", "played"))

    @property
    def id(self) -> str:
        """A short name that only this job has."""
        return blake2b(self.to_text().encode(), digest_size=8).hexdigest()

    def ring(self) -> Ring:
        """The scenario opened, to be fought."""
        scenario = read_scenario(self.scenario, folder=Path("/"))
        opened = open_session(scenario, seed=0)
        scene = opened.scene
        for what, value, who in self.modifiers:
            scene = opened.book.apply(scene, Modified(who=who, what=what, value=value, reason="supposed", cause="lab"))
        header = Header(opened.header.system, opened.header.version, scene, 0, {"scenario": self.scenario})
        policies = {who: policy_named(name) for who, name in self.policies.items()}
        return Ring(header, opened.book, policies, self.seed)


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
    """A job from a scenario; whatever is not within the rules is refused here, before the first fight.

    ``policies`` are by participant or side; whoever is not named plays as the scenario says, else carefully. What is
    not within the rules of making characters can be fought ``anyway``, to see what it would do.
    """
    if not 1 <= runs <= MOST_RUNS:
        raise BadInput(f"runs is {runs}; allowed are 1 to {MOST_RUNS:,}", field="runs")
    if not 0 <= seed <= MOST_SEED:
        raise BadInput(f"the seed is {seed}; allowed are 0 to 2**128 - 1", field="seed")
    if options:
        kind = load_system(scenario.system).options
        scenario = replace(scenario, options=kind.from_mapping(scenario.options.to_mapping() | dict(options)))
    if rounds is not None:
        scenario = replace(scenario, rounds=rounds)
    if scenario.ends == "game_master":
        raise BadInput("this scenario ends only by a ruling of the game master, and nobody rules here", field="ends")
    chosen = {entrant.id: entrant.policy or USUAL for entrant in scenario.entrants}
    chosen |= policies_by_id(policies or {}, [(entrant.id, entrant.side) for entrant in scenario.entrants])
    entrants = tuple([replace(entrant, policy=chosen[entrant.id]) for entrant in scenario.entrants])
    opened = open_session(replace(scenario, entrants=entrants), seed=0)
    library, problems = opened.scene.library, []
    for one in opened.scene.participants:
        found = opened.book.legality(one.character, opened.scene.options, library)
        problems += [f"{one.id}: {violation}" for violation in found.violations]
    if problems and not anyway:
        raise ManyProblems(problems)
    plain = json.loads(json.dumps(opened.header.source["scenario"]))
    return Job(plain, seed, runs, tuple(modifiers))


def words_of_policy(name: str) -> str:
    """What a policy does, in words.

    >>> words_of_policy("aggressive")
    'the option that promises most harm, whatever it costs'
    """
    said = (policy_named(name).__doc__ or name).partition("\n")[0].rstrip(".")
    return said[:1].lower() + said[1:]


def policies_by_id(given: Mapping[str, str], entrants: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Policies by participant from policies by participant, by side, or for everybody (under ``*``)."""
    chosen: dict[str, str] = {}
    known = list(dict.fromkeys([side for _, side in entrants] + [who for who, _ in entrants]))
    for whom, name in given.items():
        policy_named(name)
        found = [who for who, side in entrants if whom in ("*", who, side)]
        if not found:
            hint = nearest(whom, known)
            raise BadInput(f'nobody is called "{whom:.40}"; there are: {", ".join(known)}{hint}', field="policy")
        chosen |= dict.fromkeys(found, name)
    return chosen


@lru_cache(maxsize=8)
def ring_of(text: str) -> Ring:
    """The opened scenario of a job, kept for the next chunk of it."""
    return Job.from_text(text).ring()


@lru_cache(maxsize=2)
def batch_of(text: str) -> Batch:
    """The tables of a job, kept for the next chunk of it."""
    from tablewright.lab.batch.running import Batch  # noqa: PLC0415 - numpy is loaded where it is needed

    return Batch(Job.from_text(text).ring())


def fight_chunk(text: str, chunk: int) -> str:
    """Fight one piece of a job and give what was counted, as text: the work that is sent to workers."""
    return fight_some(text, _job(text).numbers(chunk))


def fight_some(text: str, numbers: range) -> str:
    """Fight some of a job's fights by their numbers."""
    with naming_the_fight():
        counts = (batch_of if _job(text).path == "batch" else ring_of)(text).count(numbers)
    return json.dumps(counts.to_json(), separators=(",", ":"))


@contextmanager
def naming_the_fight() -> Iterator[None]:
    """Whatever goes wrong in a fight says in which, in words that go from process to process."""
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


def counts_of(text: str) -> Counts:
    """What a chunk has counted."""
    return Counts.from_json(json.loads(text))
