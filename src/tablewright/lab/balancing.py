"""How many foes, or how strong ones, give a wanted chance to win: a search over one number, fight by fight.

Every number is tried with the same seed, so that neighbours differ by what the number does and not by luck. The search
goes by the rule that more on one side, or stronger ones, are never better for the other side.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
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
    """What is moved: a number from ``low`` to ``high``, where it stands now, and the job for each.

    ``helps`` is the side that is better off with more of it, ``harms`` the one that is worse off. Where neither is said
    more of it is harder for whoever is asked about. ``supposed`` means that it may be the other way round: then the
    other direction is tried as well, for as long as it does not lead away.
    """

    words: str
    low: int
    high: int
    now: int
    job: Callable[[int], Job]
    helps: str = ""
    harms: str = ""
    supposed: bool = False

    def harder(self, side: str) -> int:
        """Which direction is the harder one for a side, 1 or -1."""
        return -1 if side == self.helps or (self.harms and side != self.harms) else 1


@dataclass
class Balance:
    """What was tried, by number, and the number that comes nearest to what is wanted.

    ``between`` are two numbers with what is wanted between them, neighbours where the search came to its end; None
    where the chance stays on one side of it, and ``why`` says what ended the search there.
    """

    side: str
    target: float
    lever: Lever
    tried: dict[int, Result] = field(default_factory=dict)
    cancelled: bool = False
    between: tuple[int, int] | None = None
    why: str = ""

    @property
    def job(self) -> Job:
        """The job as it is given."""
        return self.lever.job(self.lever.now)

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
        job = self.job
        return {
            "title": job.title,
            "system": job.system,
            "seed": job.seed,
            "runs": job.runs,
            "policies": job.policies,
            "tactics": job.tactics,
            "side": self.side,
            "target": self.target,
            "lever": self.lever.words,
            "best": self.best,
            "chance": self.chance(self.best).to_json(),
            "reached": self.reached,
            "between": None if self.between is None else sorted(self.between),
            "why": self.why,
            "cancelled": self.cancelled,
            "tried": {
                str(number): self.chance(number).to_json() | {"fights": self.tried[number].counts.fights}
                for number in sorted(self.tried)
            },
        }


def by_number(job: Job, who: str, *, anyway: bool = False) -> Lever:
    """Move how many there are like somebody: all of a side who have the same character, whatever they are called."""
    people = job.scenario["participants"]
    found = [given for given in people if given["id"] == who]
    if not found:
        known = [str(given["id"]) for given in people]
        raise BadInput(f'nobody is called "{who:.40}"; there are: {", ".join(known)}', field="who")
    side = found[0]["side"]
    ours = [given for given in people if given["side"] == side]
    alike = [str(given["id"]) for given in ours if _kind(given) == _kind(found[0])]
    now = len(alike)

    def job_for(number: int) -> Job:
        words = [f"add:{who}"] * (number - now) + [f"remove:{one}" for one in alike[number:]]
        return changed(job, ", ".join(words), anyway=anyway) if words else job

    low = 0 if len(ours) > now else 1
    return Lever(f"how many like {who}", low, max(now, MOST_FOES), now, job_for, helps=side)


def _kind(given: Mapping[str, Any]) -> str:
    """What tells one kind of participant from another: the character but for its name, and how it plays."""
    plain = {name: part for name, part in given["character"].items() if name != "name"}
    return json.dumps([plain, given["policy"]], sort_keys=True)


def by_strength(job: Job, step: str, *, anyway: bool = False) -> Lever:
    """Move a number by steps, as a change says it: set:raiders.grit+1, modify:raiders.attack+1.

    More of it is supposed to be good for those who have it.
    """
    read = _STEP.match(step)
    if read is None:
        raise BadInput(f'"{step:.60}" is no step; write set:WHO.FIELD+1 or modify:WHO.WHAT+1', field="by")
    size = int(read["sign"] + read["number"])
    if not size:
        raise BadInput(f'"{step:.60}" is a step of nothing', field="by")
    changed(job, step, anyway=True)  # refuses what is no change at all
    whom = read["what"].partition(":")[2].partition(".")[0]
    sides = {str(given["side"]) for given in job.scenario["participants"] if whom in (given["id"], given["side"])}
    side = sides.pop() if len(sides) == 1 else ""

    def job_for(number: int) -> Job:
        return changed(job, f"{read['what']}{size * number:+d}", anyway=anyway) if number else job

    helps, harms = (side, "") if size > 0 else ("", side)
    return Lever(f"steps of {step}", -MOST_STEPS, MOST_STEPS, 0, job_for, helps, harms, supposed=True)


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
    neighbours. A number that the rules or the scenario do not allow is the end of that direction, and is told.
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
            except BadInput as refusal:
                found.why = f"{number} is not allowed: {refusal.message}"
                return None
            found.tried[number] = simulate(job, workers, until=until, progress=progress)
            if found.tried[number].stopped == "cancelled":
                raise KeyboardInterrupt
        return found.chance(number).value

    now = chance(lever.now)
    if now is None:
        raise BadInput("the scenario itself is not allowed")
    above = now >= target
    towards = lever.harder(found.side) if above else -lever.harder(found.side)
    found.between = _reach(found, chance, towards)
    if found.between is None and lever.supposed:
        why = found.why
        found.between = _reach(found, chance, -towards, only_nearer=True)
        found.why = "" if found.between is not None else why
    if found.between is None:
        return
    near, far = found.between
    while abs(far - near) > 1:
        middle = (near + far) // 2
        value = chance(middle)
        if value is None:
            return
        near, far = (middle, far) if (value >= target) == above else (near, middle)
        found.between = near, far


def _reach(
    found: Balance, chance: Callable[[int], float | None], towards: int, *, only_nearer: bool = False
) -> tuple[int, int] | None:
    """Two numbers in a direction with what is wanted between them; None where there are none, and why."""
    lever, target = found.lever, found.target
    before = found.chance(lever.now).value
    above = before >= target
    end, reach = lever.now, 1
    while True:
        value, following = None, end
        while value is None and reach:  # as far as it is allowed
            following = min(lever.high, max(lever.low, end + towards * reach))
            if following == end:
                more = "more than" if towards > 0 else "fewer than"
                found.why = f"{more} {end} are not tried"
                return None
            value = chance(following)
            reach //= 2 if value is None else 1
        if value is None:
            return None
        if (value >= target) != above:
            found.why = ""
            return end, following
        if only_nearer and abs(value - target) > abs(before - target):
            return None
        end, before, reach = following, value, reach * 2
