"""League of policies: each meets each other on every side of one fight, and their win rates come with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from tablewright.errors import InvalidInputError
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.session.policies import load_policy
from tablewright.lab.fights.executors import Executor
from tablewright.lab.fights.intervals import Interval, share
from tablewright.lab.fights.job import Job, job_of
from tablewright.lab.fights.simulation import Progress, simulate
from tablewright.lab.fights.totals import NOBODY, FightTotals

MOST_POLICIES = 20
"""Upper bound for the policies of a league; twenty meet in 190 pairings."""


@dataclass(frozen=True)
class Pairing:
    """Fights between two policies, half of them with the sides exchanged."""

    first: str
    second: str
    fights: int
    won: int
    lost: int

    @property
    def drawn(self) -> int:
        """Number of draws."""
        return self.fights - self.won - self.lost

    @property
    def chance(self) -> Interval:
        """Share of the fights that the first policy won."""
        return share(self.won, self.fights)

    def reversed(self) -> Pairing:
        """The same fights as the second policy counts them."""
        return Pairing(self.second, self.first, self.fights, self.lost, self.won)


@dataclass(frozen=True)
class Standing:
    """Results of one policy against all others."""

    policy: str
    fights: int
    won: int
    drawn: int

    @property
    def chance(self) -> Interval:
        """Share of its fights that the policy won."""
        return share(self.won, self.fights)


@dataclass(frozen=True)
class League:
    """Results of a league: every pairing, and the table of all policies."""

    title: str
    seed: int
    policies: tuple[str, ...]
    pairings: tuple[Pairing, ...]

    def between(self, first: str, second: str) -> Pairing:
        """The pairing of two policies, counted for the first."""
        for one in self.pairings:
            if (one.first, one.second) == (first, second):
                return one
            if (one.second, one.first) == (first, second):
                return one.reversed()
        raise InvalidInputError(f'"{first:.60}" and "{second:.60}" did not meet')

    @property
    def standings(self) -> tuple[Standing, ...]:
        """One row for each policy, the one with most wins first; equals in the order of entry."""
        rows = []
        for policy in self.policies:
            met = [self.between(policy, other) for other in self.policies if other != policy]
            rows.append(
                Standing(
                    policy,
                    sum([one.fights for one in met]),
                    sum([one.won for one in met]),
                    sum([one.drawn for one in met]),
                )
            )
        return tuple(sorted(rows, key=lambda row: -row.chance.value))

    def to_json(self) -> dict[str, Any]:
        """Standings and pairings as plain data."""
        return {
            "title": self.title,
            "seed": self.seed,
            "standings": [
                {"policy": one.policy, "fights": one.fights, "won": one.won, "drawn": one.drawn}
                | {"chance": one.chance.to_json()}
                for one in self.standings
            ],
            "pairings": [
                {"first": one.first, "second": one.second, "fights": one.fights, "won": one.won, "lost": one.lost}
                | {"drawn": one.drawn, "chance": one.chance.to_json()}
                for one in self.pairings
            ],
        }


def play_league(
    scenario: Scenario,
    policies: Sequence[str],
    executor: Executor,
    *,
    runs: int = 200,
    seed: int = 1,
    anyway: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> League:
    """Let each policy fight each other one ``runs`` times, half of them with the sides exchanged.

    One policy plays the first side of the scenario, the other one all other sides. Both halves throw the same dice.
    """
    names = tuple(dict.fromkeys(policies))
    if len(names) != len(policies):
        raise InvalidInputError("a policy is named twice", field="policies")
    if not 2 <= len(names) <= MOST_POLICIES:
        raise InvalidInputError(
            f"{len(names)} policies are not a league; allowed are 2 to {MOST_POLICIES}", field="policies"
        )
    if runs % 2:
        raise InvalidInputError(f"runs is {runs}; allowed is an even number, since sides are exchanged", field="runs")
    for name in names:
        load_policy(name)
    sides = tuple(dict.fromkeys([entrant.side for entrant in scenario.entrants]))
    if len(sides) < 2:
        raise InvalidInputError("there is only one side, and nobody to fight")

    def job(first: str, others: str) -> Job:
        entrants = [replace(one, policy=first if one.side == sides[0] else others) for one in scenario.entrants]
        return job_of(replace(scenario, entrants=tuple(entrants)), runs=runs // 2, seed=seed, anyway=anyway)

    def fight(first: str, others: str) -> FightTotals:
        result = simulate(job(first, others), executor, progress=progress)
        if result.stopped == "cancelled":
            raise KeyboardInterrupt
        return result.counts

    pairings = []
    for first, second in combinations(names, 2):
        here, there = fight(first, second), fight(second, first)
        own, theirs = here.won.get(sides[0], 0), there.won.get(sides[0], 0)
        won = own + there.fights - theirs - there.won.get(NOBODY, 0)
        lost = theirs + here.fights - own - here.won.get(NOBODY, 0)
        pairings.append(Pairing(first, second, here.fights + there.fights, won, lost))
    return League(scenario.title, seed, names, tuple(pairings))
