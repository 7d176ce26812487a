"""Many environments side by side in worker processes, stepped together.

A worker steps its share of the environments for one message, so that the cost of messages is spread. A fight that ends
is begun again at once with the next seed.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from tablewright.agents.environment import FightEnv
from tablewright.agents.menu import SLOTS
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.extras import needs_extra
from tablewright.lab.fights.executors import WorkerContext, worker_context
from tablewright.lab.fights.option_features import WIDTH

with needs_extra("rl"):
    import numpy as np

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from numpy.typing import NDArray

MOST_ENVIRONMENTS = 4096
MOST_WORKERS = 256
MOST_EMPTY = 100
"""Upper bound for fights in a row that ask no agent."""

_END = "end"
"""Message at which a worker ends."""


@dataclass(frozen=True)
class Batch:
    """State of all environments after a step; the first axis counts the environments.

    ``agents`` are indices of the agents that are asked. ``ended`` marks environments whose fight ended with this step;
    their ``rewards``, one for each agent, are those of the end, and their observation is the first of a new fight.
    """

    observations: NDArray[np.float32]
    masks: NDArray[np.int8]
    agents: NDArray[np.int64]
    rewards: NDArray[np.float32]
    ended: NDArray[np.bool_]


class _Share(NamedTuple):
    """Environments of one worker: the numbers of the first and of the next one after the last."""

    first: int
    end: int


class VectorRunner:
    """Environments of one fight in worker processes: ``VectorRunner("mars:even", environments=16, workers=2)``.

    Fight ``k`` of environment ``i`` has the seed ``seed + i + k * environments``; the results are the same for any
    number of workers. Further settings are those of :func:`tablewright.agents.env`; policies must be names, since they
    are sent to the workers. Workers are forked where this process has no other threads, else spawned.
    """

    def __init__(
        self, *who: Any, environments: int = 16, workers: int | None = None, seed: int = 1, **settings: Any
    ) -> None:
        count = workers if workers is not None else min(environments, multiprocessing.cpu_count())
        for name, number, most in (("environments", environments, MOST_ENVIRONMENTS), ("workers", count, MOST_WORKERS)):
            if type(number) is not int or not 1 <= number <= most:
                raise InvalidInputError(f"{name} is {number!r:.40}; allowed are 1 to {most:,}", field=name)
        model = FightEnv(*who, **settings)  # refuses wrong settings here, with a plain error
        self.agents = tuple(model.possible_agents)
        self.environments = environments
        bounds = [environments * place // count for place in range(count + 1)]
        self._shares = [_Share(*pair) for pair in pairwise(bounds) if pair[0] < pair[1]]
        self._lines: list[Connection] = []
        self._processes: list[Any] = []
        context: Any = worker_context()
        for share in self._shares:
            here, there = context.Pipe()
            seeds = range(seed + share.first, seed + share.end)
            inherited = () if isinstance(context, WorkerContext) else (*self._lines, here)
            given = (there, inherited, (who, settings), seeds, environments)
            process = context.Process(target=_work, args=given, daemon=True)
            process.start()
            there.close()
            self._lines.append(here)
            self._processes.append(process)

    def reset(self) -> Batch:
        """Begin the first fights."""
        return self._asked([None] * len(self._shares))

    def step(self, actions: Sequence[int] | NDArray[Any]) -> Batch:
        """Take one action in each environment."""
        if len(actions) != self.environments:
            raise InvalidInputError(f"{len(actions)} actions were given; there are {self.environments} environments")
        return self._asked([[int(action) for action in actions[share.first : share.end]] for share in self._shares])

    def _asked(self, parts: Sequence[Any]) -> Batch:
        try:
            for line, part in zip(self._lines, parts, strict=True):
                line.send(part)
            found = [line.recv() for line in self._lines]
        except (EOFError, OSError):
            self.close()
            raise TablewrightError("a worker process of the environments has died") from None
        problems = [part for part in found if isinstance(part, str)]
        if problems:
            raise InvalidInputError(problems[0])
        return Batch(*[np.concatenate(column) for column in zip(*found, strict=True)])

    def close(self) -> None:
        """Stop the workers."""
        for line in self._lines:
            with suppress(OSError):
                line.send(_END)
            line.close()
        for process in self._processes:
            process.join()
        self._lines, self._processes = [], []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _work(line: Connection, inherited: Sequence[Connection], fight: tuple[Any, Any], seeds: range, stride: int) -> None:
    """Step the environments of one worker until it is told to end, or its parent is gone.

    ``inherited`` are the ends of the parent that a forked worker holds too; a line with one of them open never closes.
    """
    for end in inherited:
        end.close()
    who, settings = fight
    environments = [FightEnv(*who, **settings) for _ in seeds]
    upcoming = list(seeds)
    while True:
        try:
            actions = line.recv()
        except (EOFError, OSError):
            return
        if actions == _END:
            return
        try:
            answer: Any = _stepped(environments, upcoming, actions, stride)
        except TablewrightError as problem:
            answer = str(problem)
        line.send(answer)


def _stepped(
    environments: Sequence[FightEnv], upcoming: list[int], actions: Sequence[int] | None, stride: int
) -> tuple[Any, ...]:
    """Observations, masks, asked agents, rewards and ends of some environments after a step, or after a reset."""
    count = len(environments)
    seen, masks = np.zeros((count, SLOTS, WIDTH), np.float32), np.zeros((count, SLOTS), np.int8)
    asked, ended = np.zeros(count, np.int64), np.zeros(count, np.bool_)
    rewards = np.zeros((count, len(environments[0].possible_agents)), np.float32)
    for place, one in enumerate(environments):
        if actions is not None:
            one.step(actions[place])
            ended[place] = all(one.terminations.values())
        if actions is None or ended[place]:
            if actions is not None:
                rewards[place] = [one.rewards[agent] for agent in one.possible_agents]
            for _ in range(MOST_EMPTY):  # a fight may be over before its first choice
                one.reset(seed=upcoming[place])
                upcoming[place] += stride
                if not all(one.terminations.values()):
                    break
            else:
                raise TablewrightError(f"{MOST_EMPTY} fights in a row ended before an agent was asked")
        agent = one.agent_selection
        asked[place] = one.possible_agents.index(agent)
        observed = one.observe(agent)
        seen[place], masks[place] = observed["observation"], observed["action_mask"]
    return seen, masks, asked, rewards, ended
