"""How many foes, or how strong ones, give a wanted chance to win: a search over one number, fight by fight.

Every number is tried with the same seed, so that neighbours differ by what the number does and not by luck. The search
goes by the rule that more foes, or stronger ones, are never better for the party.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tablewright.errors import BadInput
from tablewright.lab.changing import changed
from tablewright.lab.intervals import Interval
from tablewright.lab.jobs import Job
from tablewright.lab.simulating import Progress, Result, simulate
from tablewright.lab.workers import Workers

MOST_FOES = 40
MOST_STEPS = 40
_STEP = re.compile(r"(?P<what>(?:set|modify):.+?)(?P<sign>[+-])(?P<number>[0-9]{1,6})\Z")


@dataclass(frozen=True)
class Lever:
    """What is moved: a number from ``low`` to ``high``, where it stands now, and the job for each."""

    words: str
    low: int
    high: int
    now: int
    job: Callable[[int], Job]


@dataclass
class Balance:
    """What was tried, by number, and the number that comes nearest to what is wanted."""

    side: str
    target: float
    lever: Lever
    tried: dict[int, Result] = field(default_factory=dict)
    cancelled: bool = False

    def chance(self, number: int) -> Interval:
        """The chance to win with a number that was tried."""
        return self.tried[number].counts.share_won(self.side)

    @property
    def best(self) -> int:
        """The number whose chance is nearest; of equally near ones the one nearest to where it stands now."""
        return min(
            self.tried,
            key=lambda number: (abs(self.chance(number).value - self.target), abs(number - self.lever.now), number),
        )

    @property
    def reached(self) -> bool:
        """Whether what is wanted lies within the interval of the best number."""
        chance = self.chance(self.best)
        return chance.low <= self.target <= chance.high

    def to_json(self) -> dict[str, Any]:
        """Everything as JSON."""
        return {
            "side": self.side,
            "target": self.target,
            "lever": self.lever.words,
            "best": self.best,
            "chance": self.chance(self.best).to_json(),
            "reached": self.reached,
            "cancelled": self.cancelled,
            "tried": {
                str(number): self.chance(number).to_json() | {"fights": self.tried[number].counts.fights}
                for number in sorted(self.tried)
            },
        }


def by_number(job: Job, who: str, *, anyway: bool = False) -> Lever:
    """Move how many there are like somebody."""
    people = job.scenario["participants"]
    found = [given for given in people if given["id"] == who]
    if not found:
        known = [str(given["id"]) for given in people]
        raise BadInput(f'nobody is called "{who:.40}"; there are: {", ".join(known)}', field="who")
    others = [given for given in people if given["side"] == found[0]["side"] and given["id"] != who]

    def job_for(number: int) -> Job:
        if number == 1:
            return job
        return changed(job, f"remove:{who}" if not number else ", ".join([f"add:{who}"] * (number - 1)), anyway=anyway)

    return Lever(f"how many like {who}", 0 if others else 1, MOST_FOES, 1, job_for)


def by_strength(job: Job, step: str, *, anyway: bool = False) -> Lever:
    """Move a number by steps, as a change says it: set:raiders.grit+1, modify:raiders.attack+1."""
    read = _STEP.match(step)
    if read is None:
        raise BadInput(f'"{step:.60}" is no step; write set:WHO.FIELD+1 or modify:WHO.WHAT+1', field="by")
    size = int(read["sign"] + read["number"])
    if not size:
        raise BadInput(f'"{step:.60}" is a step of nothing', field="by")
    changed(job, step, anyway=True)  # refuses what is no change at all

    def job_for(number: int) -> Job:
        return changed(job, f"{read['what']}{size * number:+d}", anyway=anyway) if number else job

    return Lever(f"steps of {step}", -MOST_STEPS, MOST_STEPS, 0, job_for)


def balance(
    lever: Lever,
    side: str,
    target: float,
    workers: Workers | None = None,
    *,
    until: float | None = 0.02,
    progress: Callable[[Progress], None] | None = None,
) -> Balance:
    """Search the number with which a side wins as often as wanted.

    From where it stands now steps grow until the wanted chance lies between two numbers, which are then halved down to
    neighbours. A number that the rules or the scenario do not allow is the end of that direction.
    """
    if not 0 < target < 1:
        raise BadInput(f"the target is {target}; allowed is a share above 0 and below 1, such as 0.7", field="target")
    first = lever.job(lever.now)
    if side not in first.sides:
        raise BadInput(f'there is no side "{side:.40}"; there are: {", ".join(first.sides)}', field="side")
    found = Balance(side, target, lever)
    try:
        _search(found, workers, until, progress)
    except KeyboardInterrupt:
        if not any(result.counts.fights for result in found.tried.values()):
            raise
        found.cancelled = True
    return found


def _search(
    found: Balance, workers: Workers | None, until: float | None, progress: Callable[[Progress], None] | None
) -> None:
    lever, target = found.lever, found.target

    def chance(number: int) -> float | None:
        if number not in found.tried:
            try:
                job = lever.job(number)
            except BadInput:
                return None
            found.tried[number] = simulate(job, workers, until=until, progress=progress)
            if found.tried[number].stopped == "cancelled":
                raise KeyboardInterrupt
        return found.chance(number).value

    now = chance(lever.now)
    if now is None:
        raise BadInput("the scenario itself is not allowed")
    easier, harder = (lever.now, None) if now >= target else (None, lever.now)
    towards = 1 if easier is not None else -1
    reach, end = 1, lever.now
    while easier is None or harder is None:
        following = min(lever.high, max(lever.low, end + towards * reach))
        value = chance(following) if following != end else None
        while value is None and reach > 1:  # not so far: as far as it is allowed
            reach //= 2
            following = min(lever.high, max(lever.low, end + towards * reach))
            value = chance(following) if following != end else None
        if value is None:
            return
        if value >= target:
            easier = following
        else:
            harder = following
        end, reach = following, reach * 2
    while abs(harder - easier) > 1:
        middle = (easier + harder) // 2
        value = chance(middle)
        if value is None:
            return
        easier, harder = (middle, harder) if value >= target else (easier, middle)
