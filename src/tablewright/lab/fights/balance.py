"""Search for the number or strength of enemies that gives a wanted win chance.

All numbers are tried with the same seed, which makes neighbouring results differ by the number and not by luck. The
search assumes that more or stronger participants on one side never help the other side. On the way it only needs to
know on which side of the target a number lies, which a sequential test tells from few fights.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.scenario.cast import nobody_called
from tablewright.game.scene.scene import capitalised
from tablewright.lab.fights.changes import changed
from tablewright.lab.fights.executors import Executor
from tablewright.lab.fights.intervals import Interval
from tablewright.lab.fights.job import Job
from tablewright.lab.fights.simulation import Progress, Result, SideTest, simulate

MOST_FOES = 40
MOST_STEPS = 40
_STEP = re.compile(r"(?P<what>(?:set|modify):.+?)(?P<sign>[+-])(?P<number>[0-9]{1,6})\Z")


@dataclass(frozen=True)
class Lever:
    """The searched number: its range, its present value, and the job for each value.

    ``helps`` is the side that gains from more of it, ``harms`` the side that loses. If both are empty, more of it is
    harder for the side in question. ``supposed`` marks a guessed direction: the search also tries the other one, as
    long as it does not move away from the target.
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
        """Direction that makes the fight harder for a side: 1 or -1."""
        return -1 if side == self.helps or (self.harms and side != self.harms) else 1


@dataclass
class Balance:
    """Tried numbers with their results, and the number nearest to the target.

    ``between`` holds two numbers with the target between them, neighbours if the search finished. It is None if the
    chance stays on one side of the target; ``why`` then names what ended the search. The numbers in ``measured`` have a
    chance as narrow as wanted; of the others only the side of the target is known.
    """

    side: str
    target: float
    lever: Lever
    tried: dict[int, Result] = field(default_factory=dict)
    cancelled: bool = False
    between: tuple[int, int] | None = None
    why: str = ""
    measured: set[int] = field(default_factory=set)

    @property
    def job(self) -> Job:
        """The unchanged job."""
        return self.lever.job(self.lever.now)

    def chance(self, number: int) -> Interval:
        """Win chance at a tried number."""
        return self.tried[number].counts.share_won(self.side)

    @property
    def best(self) -> int:
        """The number with the nearest chance; a tie goes to the one nearest to the present value.

        Once the target is enclosed, it is one of the two neighbours.
        """
        return min(
            self.tried if self.between is None else self.between,
            key=lambda number: (abs(self.chance(number).value - self.target), abs(number - self.lever.now), number),
        )

    @property
    def reached(self) -> bool:
        """True if the target lies within the interval of the best number."""
        chance = self.chance(self.best)
        return chance.low <= self.target <= chance.high

    def to_json(self) -> dict[str, Any]:
        """The search as JSON."""
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
                str(number): self.chance(number).to_json()
                | {"fights": self.tried[number].counts.fights, "measured": number in self.measured}
                for number in sorted(self.tried)
            },
        }


def by_number(job: Job, who: str, *, anyway: bool = False) -> Lever:
    """Lever over the number of participants like ``who``: same side, character and policy; names may differ."""
    people = job.scenario["participants"]
    found = [given for given in people if given["id"] == who]
    if not found:
        known = [str(given["id"]) for given in people]
        raise nobody_called(who, known)
    side = found[0]["side"]
    ours = [given for given in people if given["side"] == side]
    alike = [str(given["id"]) for given in ours if _kind(given) == _kind(found[0])]
    now = len(alike)

    def job_for(number: int) -> Job:
        words = [f"add:{who}"] * (number - now) + [f"remove:{one}" for one in alike[number:]]
        return changed(job, ", ".join(words), anyway=anyway) if words else job

    low = 0 if len(ours) > now else 1
    kind = capitalised(str(found[0].get("name") or found[0]["character"]["name"]))
    return Lever(f"how many like {kind}", low, max(now, MOST_FOES), now, job_for, helps=side)


def _kind(given: Mapping[str, Any]) -> str:
    """Comparison key of a participant: character without its name, and policy."""
    plain = {name: part for name, part in given["character"].items() if name != "name"}
    return json.dumps([plain, given["policy"]], sort_keys=True)


def by_strength(job: Job, step: str, *, anyway: bool = False) -> Lever:
    """Lever over a number, in steps of a change such as set:raiders.grit+1 or modify:raiders.attack+1.

    It assumes that more of the number helps the participants who have it.
    """
    read = _STEP.match(step)
    if read is None:
        raise InvalidInputError(f'"{step:.60}" is not a step; write set:WHO.FIELD+1 or modify:WHO.WHAT+1', field="by")
    size = int(read["sign"] + read["number"])
    if not size:
        raise InvalidInputError(f'"{step:.60}" is a step of nothing', field="by")
    changed(job, step, anyway=True)  # raises on an invalid change
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
    workers: Executor | None = None,
    *,
    until: float | None = 0.05,
    progress: Callable[[Progress], None] | None = None,
) -> Balance:
    """Search for the number at which a side wins as often as wanted.

    Steps grow from the present value until two numbers enclose the target, then bisection narrows them to neighbours.
    Each number is fought only until a sequential test tells on which side of the target it lies, or until its chance is
    known to within ``until``; the neighbours always go on until then. A number that the rules or the scenario refuse
    ends that direction; ``why`` says so.
    """
    if not 0 < target < 1:
        raise InvalidInputError(
            f"the target is {target}; allowed is a share above 0 and below 1, such as 0.7", field="target"
        )
    first = lever.job(lever.now)
    if side not in first.sides:
        known = f"{', '.join(first.sides)}{did_you_mean(side, first.sides)}"
        raise InvalidInputError(f'there is no side "{side:.40}"; there are: {known}', field="side")
    search = _Search(Balance(side, target, lever), workers, until, progress)
    try:
        search.run()
    except KeyboardInterrupt:
        if not any(result.counts.fights for result in search.found.tried.values()):
            raise
        search.found.cancelled = True
    return search.found


class _Search:
    """A search for the number of foes; its results are in ``found``."""

    def __init__(
        self,
        found: Balance,
        workers: Executor | None,
        until: float | None,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.found = found
        self._workers, self._until, self._progress = workers, until, progress
        self._test = SideTest(found.side, found.target)

    def run(self) -> None:
        """Find neighbours and measure them; a measurement that refutes its test sends the search on."""
        while True:
            self._enclose()
            between = self.found.between
            wanted = [self.found.best] if between is None else list(between)
            wanted = [number for number in wanted if number not in self.found.measured]
            if not wanted:
                return
            for number in wanted:
                self._measure(number)

    def _fight(self, number: int, job: Job, **when: Any) -> None:
        before = self.found.tried.get(number)
        after = None if before is None else before.counts
        result = simulate(job, self._workers, after=after, progress=self._progress, **when)
        self.found.tried[number] = result
        if result.stopped == "cancelled":
            raise KeyboardInterrupt

    def _measure(self, number: int) -> None:
        self._fight(number, self.found.lever.job(number), until=self._until)
        self.found.measured.add(number)

    def _is_above(self, number: int) -> bool | None:
        """True if a number gives the target or more; None, with ``why`` set, if it is not allowed."""
        found = self.found
        if number not in found.tried:
            try:
                job = found.lever.job(number)
            except InvalidInputError as refusal:
                found.why = f"{number} is not allowed: {refusal.message}"
                return None
            self._fight(number, job, until=self._until, test=self._test)
            if found.tried[number].stopped in ("until", ""):
                found.measured.add(number)  # too near to the target for the test, and known well enough
        if number in found.measured:
            return found.chance(number).value >= found.target
        return self._test.is_above(found.tried[number].counts)

    def _enclose(self) -> None:
        """Find two neighbours that enclose the target, from what is known and by tests."""
        found, lever = self.found, self.found.lever
        above = self._is_above(lever.now)
        if above is None:
            raise InvalidInputError("the scenario itself is not allowed")
        towards = lever.harder(found.side) if above else -lever.harder(found.side)
        found.between = self._reach(towards)
        if found.between is None and lever.supposed:
            why = found.why
            found.between = self._reach(-towards, only_nearer=True)
            found.why = "" if found.between is not None else why
        if found.between is None:
            return
        near, far = found.between
        while abs(far - near) > 1:
            middle = (near + far) // 2
            is_above = self._is_above(middle)
            if is_above is None:
                return
            near, far = (middle, far) if is_above == above else (near, middle)
            found.between = near, far

    def _reach(self, towards: int, *, only_nearer: bool = False) -> tuple[int, int] | None:
        """Two numbers in a direction that enclose the target; None, with ``why`` set, if there are none."""
        found, lever = self.found, self.found.lever
        above, before = self._is_above(lever.now), self._distance(lever.now)
        end, reach = lever.now, 1
        while True:
            is_above, following = None, end
            while is_above is None and reach:  # halve the step until the rules allow it
                following = min(lever.high, max(lever.low, end + towards * reach))
                if following == end:
                    more = "more than" if towards > 0 else "fewer than"
                    found.why = f"{more} {end} are not tried"
                    return None
                is_above = self._is_above(following)
                reach //= 2 if is_above is None else 1
            if is_above is None:
                return None
            if is_above != above:
                found.why = ""
                return end, following
            distance = self._distance(following)
            if only_nearer and distance > before:
                return None
            end, before, reach = following, distance, reach * 2

    def _distance(self, number: int) -> float:
        return abs(self.found.chance(number).value - self.found.target)
