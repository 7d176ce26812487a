"""Many fights at once: chances with intervals, the effect of a change, balance and sweeps."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, Unpack

from tablewright.api.arguments import Packs, check_argument, check_named, checked
from tablewright.api.fight import Bots, Fight, Side, read_bots, scenario_of, session_policy, title_of
from tablewright.api.results import Exportable, Heading, Table, axes_for, format_percent, percent_axis
from tablewright.api.turn import name_of
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.session.policies import register_policy
from tablewright.lab.fights.balance import Balance as BalanceSearch
from tablewright.lab.fights.balance import balance as search_balance
from tablewright.lab.fights.balance import by_number, by_strength
from tablewright.lab.fights.change_names import all_by_id, demand_tallied
from tablewright.lab.fights.changes import changed
from tablewright.lab.fights.executors import Executor, SerialExecutor, workers_for
from tablewright.lab.fights.intervals import Interval, share
from tablewright.lab.fights.job import job_of
from tablewright.lab.fights.paired import Difference, compare_change
from tablewright.lab.fights.replay import look_for, replay_fight
from tablewright.lab.fights.simulation import Progress
from tablewright.lab.fights.simulation import Result as JobResult
from tablewright.lab.fights.simulation import simulate as run_job
from tablewright.lab.fights.sweep import MOST_CASES, SweepCase, SweepGrid, cases_of, read_grid
from tablewright.lab.fights.sweep import sweep as run_sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Told: TypeAlias = Callable[[int, int], None]
"""Callback with the numbers of finished fights and of all fights."""

DRAW = "draw"


def _percent(interval: Interval) -> str:
    bounds = f"{format_percent(interval.low, 1)} to {format_percent(interval.high, 1)}"
    return f"{format_percent(interval.value, 1)} ({bounds})"


class Simulation(Exportable):
    """Many fights of one scenario: the win chance of each side with its 95 percent interval, and a row for everyone.

    ``stopped`` is empty, or the reason for an early end: ``until`` (known well enough), ``cancelled`` or ``endless``.

    >>> import tablewright as tw
    >>> many = tw.simulate("mars:fighter", "mars:goblin*2", runs=20, workers=1)
    >>> many.fights, many.won("party").value > 0.5, many.fight(0).over
    (20, True, True)
    """

    def __init__(self, title: str, result: JobResult, workers: str = "") -> None:
        self._fill(title=title, result=result, workers=workers or result.workers)

    title: str
    result: JobResult
    workers: str
    """Description of the processes that fought."""

    @property
    def fights(self) -> int:
        """Number of fights fought."""
        return self.result.counts.fights

    @property
    def wins(self) -> dict[str, Interval]:
        """Win chance of each side, and of a draw if there was one, with its interval."""
        return {side or DRAW: interval for side, interval in self.result.wins.items()}

    @checked
    def won(self, side: str) -> Interval:
        """Win chance of one side; an unknown side is refused."""
        if side not in self.wins:
            known = f"{', '.join(self.wins)}{did_you_mean(side, self.wins)}"
            raise InvalidInputError(f'there is no side "{side:.40}"; there are: {known}', field="side")
        return self.wins[side]

    @property
    def rounds(self) -> Interval:
        """Mean number of rounds with its interval."""
        return self.result.counts.rounds.mean(0)

    @property
    def stopped(self) -> str:
        """Reason for an early end; empty if all fights were fought."""
        return self.result.stopped

    @property
    def digest(self) -> str:
        """Short hash of all totals; equal simulations have equal digests."""
        return self.result.digest

    @property
    def table(self) -> Table:
        """One row for each participant: how often it falls and dies, and the damage it deals and takes on average."""
        counts, job = self.result.counts, self.result.job
        sides = {str(one["id"]): str(one["side"]) for one in job.scenario["participants"]}
        headings = [Heading("who"), Heading("side"), Heading("falls", "chance"), Heading("falls_low", "chance")]
        headings += [Heading("falls_high", "chance"), Heading("dies", "chance")]
        headings += [Heading("dealt", "number"), Heading("taken", "number")]
        rows = []
        for who in self.result.people:
            person = counts.people[who]
            falls, dies = share(person.fell, self.fights), share(person.died, self.fights)
            means = [count.filled(self.fights).mean(0).value for count in (person.dealt, person.taken)]
            rows.append((who, sides.get(who, ""), falls.value, falls.low, falls.high, dies.value, *means))
        return Table(repr(self).strip("<>"), headings, rows)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the win chance of each side as a bar with its interval."""
        return _bars(axes_for(ax), self.wins, self.title)

    def fight(self, which: int | str = 0) -> Fight:
        """One of the fights, whole: by its number, or the first that the first side ``won``, ``lost``, or ``draw``."""
        job = self.result.job
        if isinstance(which, str) and which not in ("won", "lost", "draw"):
            raise InvalidInputError(f'"{which:.40}" is not a fight; give a number, "won", "lost" or "draw"')
        if not isinstance(which, str):
            check_argument("which", which, "int")
        seen = look_for(job, which) if isinstance(which, str) else replay_fight(job, which)
        return Fight.of_session(seen.trial)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Simulation) and (self.result.job, self.digest) == (other.result.job, other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        wins = ", ".join([f"{side} {_percent(interval)}" for side, interval in self.wins.items()])
        return f"<Simulation {self.title}, {self.fights:,} fights: {wins}>"


class Change(Exportable):
    """Effect of a change on every win chance, fight by fight with the same dice, with its 95 percent interval.

    >>> import tablewright as tw
    >>> better = tw.what_if("mars:fighter", "mars:goblin*3", change="modify:aldith.attack+4", runs=20, workers=1)
    >>> better.before.fights, better.change, better.wins["party"].low > 0
    (20, 'modify:aldith.attack+4', True)
    """

    def __init__(self, change: str, difference: Difference, title: str, workers: str = "") -> None:
        self._fill(change=change, difference=difference, title=title, workers=workers or difference.before.workers)

    change: str
    difference: Difference
    title: str
    workers: str

    @property
    def before(self) -> Simulation:
        """The fights without the change."""
        return Simulation(self.title, self.difference.before, self.workers)

    @property
    def after(self) -> Simulation:
        """The fights with the change."""
        return Simulation(f"{self.title}, {self.change}", self.difference.after, self.workers)

    @property
    def wins(self) -> dict[str, Interval]:
        """Change of each side's win chance, as a share."""
        return {side or DRAW: interval for side, interval in sorted(self.difference.won.items())}

    @property
    def table(self) -> Table:
        """One row for each side: its win chance before and after, and the difference with its interval."""
        headings = [Heading("side"), Heading("before", "chance"), Heading("after", "chance")]
        headings += [Heading(name, "points") for name in ("difference", "low", "high")]
        before, after = self.before.wins, self.after.wins
        rows = [
            (side, _value(before, side), _value(after, side), found.value, found.low, found.high)
            for side, found in self.wins.items()
        ]
        return Table(f"{self.title}: {self.change}", headings, rows)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the change of each win chance as a bar with its interval."""
        drawn = _bars(axes_for(ax), self.wins, f"{self.title}: {self.change}")
        drawn.set_ylim(auto=True)
        return drawn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Change) and (self.change, self.before, self.after) == (
            other.change,
            other.before,
            other.after,
        )

    def __hash__(self) -> int:
        return hash((self.change, self.before.digest, self.after.digest))

    def __repr__(self) -> str:
        said = [
            f"{side} {100 * found.value:+.1f} points ({100 * found.low:+.1f} to {100 * found.high:+.1f})"
            for side, found in self.wins.items()
        ]
        return f"<Change {self.change}: {', '.join(said)}>"


class Balance(Exportable):
    """Search for the number or strength of foes that gives a wanted win chance.

    >>> import tablewright as tw
    >>> search = tw.balance("marchen:even", target=0.5, runs=10, workers=1)
    >>> search
    <Balance how many like Bandit: 2, party win 60.0% (31.3% to 83.2%)>
    >>> search.best, search.reached, search.table.columns
    (2, True, ('number', 'wins', 'low', 'high', 'fights'))
    """

    def __init__(self, search: BalanceSearch) -> None:
        self._fill(search=search)

    search: BalanceSearch

    @property
    def best(self) -> int:
        """The number whose win chance is nearest to the target."""
        return self.search.best

    @property
    def chance(self) -> Interval:
        """Win chance at the best number."""
        return self.search.chance(self.best)

    @property
    def reached(self) -> bool:
        """True if the target lies within the interval of the best number."""
        return self.search.reached

    @property
    def why(self) -> str:
        """Reason that the target was not enclosed; empty if it was."""
        return self.search.why

    @property
    def table(self) -> Table:
        """One row for each number tried."""
        headings = [Heading("number", "number"), *[Heading(name, "chance") for name in ("wins", "low", "high")]]
        rows = [(number, *self.search.chance(number)) for number in sorted(self.search.tried)]
        caption = f"{self.search.lever.words}, wanted {format_percent(self.search.target, 1)}"
        return Table(
            caption,
            [*headings, Heading("fights", "number")],
            [(*row, self.search.tried[row[0]].counts.fights) for row in rows],
            axis="number",
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the win chance at each number tried, with its interval and the target."""
        drawn = axes_for(ax)
        rows = [(number, *self.search.chance(number)) for number in sorted(self.search.tried)]
        errors = [[value - low for _, value, low, _ in rows], [high - value for _, value, _, high in rows]]
        drawn.errorbar(
            [row[0] for row in rows], [row[1] for row in rows], errors, marker="o", color="#0072b2", capsize=4
        )
        drawn.axhline(self.search.target, color="#d55e00", linestyle="--")
        drawn.set_xlabel(self.search.lever.words)
        drawn.set_title(f"{self.search.side} win")
        percent_axis(drawn)
        return drawn

    def __repr__(self) -> str:
        search = self.search
        return f"<Balance {search.lever.words}: {self.best}, {search.side} win {_percent(self.chance)}>"


class Sweep(Exportable):
    """Win chances of every combination of changes.

    >>> import tablewright as tw
    >>> cases = tw.sweep("mars:fighter", "mars:goblin", axes={"foes": ["", "add:goblin"]}, runs=10, workers=1)
    >>> cases, [one.title for one in cases.simulations]
    (<Sweep mars:fighter vs mars:goblin: 2 cases>, ['as it is', 'add:goblin'])
    """

    def __init__(self, title: str, results: Sequence[tuple[SweepCase, JobResult]]) -> None:
        self._fill(title=title, results=tuple(results))

    title: str
    results: tuple[tuple[SweepCase, JobResult], ...]

    @property
    def simulations(self) -> tuple[Simulation, ...]:
        """One simulation for each case."""
        return tuple(
            [Simulation(", ".join(case.labels.values()) or self.title, result) for case, result in self.results]
        )

    @property
    def table(self) -> Table:
        """One row for each case: its labels and the win chance of each side with its interval."""
        labels = list(dict.fromkeys([name for case, _ in self.results for name in case.labels]))
        sides = list(dict.fromkeys([side for _, result in self.results for side in result.job.sides]))
        headings = [Heading(name) for name in labels]
        for side in sides:
            headings += [Heading(f"{side}_{name}", "chance") for name in ("wins", "low", "high")]
        rows = [
            [case.labels.get(name, "") for name in labels]
            + [figure for side in sides for figure in result.wins.get(side, (None,) * 3)]
            for case, result in self.results
        ]
        return Table(self.title, headings, rows)

    def __len__(self) -> int:
        return len(self.results)

    def __repr__(self) -> str:
        return f"<Sweep {self.title}: {len(self.results)} cases>"


def _value(wins: Mapping[str, Interval], side: str) -> float:
    return wins[side].value if side in wins else 0.0


def _bars(ax: Axes, wins: Mapping[str, Interval], title: str) -> Axes:
    values = [interval.value for interval in wins.values()]
    errors = [
        [value.value - value.low for value in wins.values()],
        [value.high - value.value for value in wins.values()],
    ]
    ax.bar(range(len(wins)), values, yerr=errors, capsize=6, color="#0072b2")
    ax.set_xticks(range(len(wins)), list(wins))
    ax.set_title(title)
    percent_axis(ax)
    return ax


# ---------------------------------------------------------------------- running


class SimulationSettings(TypedDict, total=False):
    """Settings of simulations, all by name.

    ``bots`` are policies as a :class:`Fight` takes them (default: ``"careful"``), ``options`` rule options by name,
    ``packs`` further content, ``rounds`` the limit after which a fight is a draw. ``workers`` is the number of
    processes (default: one per core); the result is the same for any number. ``until`` stops once every chance is known
    to within this share; every second fight then throws the opposite dice, and chances are corrected for luck.
    ``progress`` is called with the numbers of finished fights and of all. ``anyway`` allows characters that break the
    rules of creation.
    """

    bots: Bots | None
    options: Mapping[str, object] | None
    packs: Packs
    rounds: int | None
    workers: int | None
    until: float | None
    progress: Told | None
    anyway: bool


class _Job:
    """Job of a fight given as words and characters, with its title and the executor for it."""

    def __init__(self, who: Sequence[Side], runs: int, seed: int, settings: SimulationSettings) -> None:
        check_named(settings, {"runs": "int", "seed": "int"} | SimulationSettings.__annotations__)
        for name, number in (("runs", runs), ("seed", seed)):
            if type(number) is not int:
                raise InvalidInputError(f"{name} is {number!r:.40}; allowed is a whole number", field=name)
        scenario = scenario_of(
            who, packs=settings.get("packs", ()), options=settings.get("options"), rounds=settings.get("rounds")
        ).scenario
        entrants = [(entrant.id, entrant.side, entrant.name) for entrant in scenario.entrants]
        policies = read_bots(settings.get("bots"), entrants)
        names = {who: how if isinstance(how, str) else _registered(how) for who, how in policies.items()}
        self._own = [name_of(how) for how in policies.values() if not isinstance(how, str)]
        self._workers = settings.get("workers")
        self.anyway = settings.get("anyway", False)
        self.job = job_of(scenario, runs=runs, seed=seed, policies=names, anyway=self.anyway)
        self.title = title_of(who)

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """Executor for the job: functions of the caller's program and small jobs stay in this process."""
        alone = bool(self._own) or (self._workers is None and self.job.chunks == 1)
        with opened(SerialExecutor() if alone else workers_for(self._workers)) as found:
            yield found

    @property
    def workers(self) -> str:
        """Description of the executor where it is not the usual one."""
        return f"one process, since {self._own[0]} is a function of this program" if self._own else ""


@contextmanager
def opened(executor: Executor) -> Iterator[Executor]:
    """Close an executor after its use."""
    try:
        yield executor
    finally:
        executor.close()


_POLICIES: dict[Any, str] = {}


def _registered(how: Any) -> str:
    """Name under which a function answers in jobs of this process."""
    if how not in _POLICIES:
        _POLICIES[how] = register_policy(session_policy(how), name_of(how))
    return _POLICIES[how]


def _told(settings: SimulationSettings) -> Callable[[Progress], None] | None:
    progress = settings.get("progress")
    return None if progress is None else (lambda now: progress(now.counts.fights, now.job.runs))


def simulate(*who: Side, runs: int = 1000, seed: int = 1, **settings: Unpack[SimulationSettings]) -> Simulation:
    """Fight many times and count: ``simulate("mars:even")``, or two sides of words or characters.

    The same seed gives the same fights. A script needs no ``__main__`` guard.

    >>> import tablewright as tw
    >>> tw.simulate("mars:fighter", "mars:goblin*2", runs=20, workers=1).fights
    20
    """
    fought = _Job(who, runs, seed, settings)
    until = settings.get("until")
    job = fought.job if until is None else fought.job.as_mirrored()
    with fought.executor() as executor:
        result = run_job(job, executor, until=until, progress=_told(settings))
    return Simulation(fought.title, result, fought.workers)


@checked
def what_if(
    *who: Side, change: str | Sequence[str], runs: int = 1000, seed: int = 1, **settings: Unpack[SimulationSettings]
) -> Change:
    """Fight in pairs, with and without a change, with the same dice.

    Changes are ``add:WHO``, ``remove:WHO``, ``policy:WHO=POLICY``, ``option:NAME=VALUE``, ``set:WHO.FIELD=VALUE``,
    ``modify:WHO.WHAT+1`` and ``rounds=N``.

    >>> import tablewright as tw
    >>> better = tw.what_if("mars:fighter", "mars:goblin*3", change="modify:aldith.attack+4", runs=10, workers=1)
    >>> better.wins["party"].value > 0
    True
    """
    fought = _Job(who, runs, seed, settings)
    changes = [change] if isinstance(change, str) else list(change)
    other = changed(fought.job, ", ".join(all_by_id(changes, fought.job)), anyway=fought.anyway)
    demand_tallied(other)
    with fought.executor() as executor:
        found = compare_change(fought.job, other, executor, until=settings.get("until"), progress=_told(settings))
    return Change(", ".join(changes), found, fought.title, fought.workers)


@checked
def balance(
    *who: Side,
    target: float = 0.7,
    side: str | None = None,
    like: str | None = None,
    by: str | None = None,
    runs: int = 1000,
    seed: int = 1,
    **settings: Unpack[SimulationSettings],
) -> Balance:
    """Search the number of foes, or their strength, for a wanted win chance of a side (default: the first).

    ``like`` names the participant to multiply (default: the last foe); ``by`` searches a strength instead, in steps
    such as ``modify:goblin.attack+1``. The chances of the two nearest numbers are known to within 5 points, unless
    ``until`` is given; of the others only whether they give more or less than wanted.

    >>> import tablewright as tw
    >>> tw.balance("mars:fighter", "mars:goblin", target=0.5, runs=10, workers=1).best > 1
    True
    """
    fought = _Job(who, runs, seed, settings)
    job = fought.job.as_mirrored()
    first = side or job.sides[0]
    foes = [str(one["id"]) for one in job.scenario["participants"] if one["side"] != first]
    if not foes:
        raise InvalidInputError("there is only one side, and nobody to fight")
    if like is not None and by is not None:
        raise InvalidInputError("like searches a number and by a strength; give one of them")
    if by is not None:
        (step,) = all_by_id([by], job)
        lever = by_strength(job, step, anyway=fought.anyway)
        demand_tallied(changed(job, step, anyway=True))
    else:
        (added,) = all_by_id([f"add:{like or foes[-1]}"], job)
        lever = by_number(job, added.removeprefix("add:"), anyway=fought.anyway)
    until = settings.get("until", 0.05)
    with fought.executor() as executor:
        return Balance(search_balance(lever, first, target, executor, until=until, progress=_told(settings)))


@checked
def sweep(
    *who: Side,
    axes: Mapping[str, Sequence[str]] | None = None,
    output: str | Path | None = None,
    runs: int = 1000,
    seed: int = 1,
    **settings: Unpack[SimulationSettings],
) -> Sweep:
    """Simulate every combination of changes: ``axes={"foes": ["", "add:goblin"], "how": ["", "policy:foes=best"]}``.

    An empty change leaves the fight as it is. ``output`` keeps the results in a file, and the same call resumes it.
    Without axes the one word is the file of a grid, as ``tablewright sweep`` takes it.

    >>> import tablewright as tw
    >>> tw.sweep("mars:fighter", "mars:goblin", axes={"foes": ["", "add:goblin"]}, runs=10, workers=1).table.columns
    ('foes', 'party_wins', 'party_low', 'party_high', 'foes_wins', 'foes_low', 'foes_high')
    """
    progress = settings.get("progress")
    told = None if progress is None else (lambda done, of, _: progress(done, of))
    if axes is None:
        path = who[0] if len(who) == 1 else None
        if not isinstance(path, str):
            raise InvalidInputError("name axes of changes, or the file of a grid alone")
        grid = read_grid(Path(path))
        file = Path(output) if output is not None else Path(path).with_suffix(".sweep")
        with opened(workers_for(settings.get("workers"))) as executor:
            return Sweep(grid.title, run_sweep(grid, file, executor, progress=told))
    fought = _Job(who, runs, seed, settings)
    grid = SweepGrid(fought.title, tuple(_cases(fought, axes)), settings.get("until"))
    with tempfile.TemporaryDirectory() as folder, fought.executor() as executor:
        file = Path(folder, "sweep") if output is None else Path(output)
        return Sweep(grid.title, run_sweep(grid, file, executor, progress=told))


def _cases(fought: _Job, axes: Mapping[str, Sequence[str]]) -> list[SweepCase]:
    """Cases of all combinations of the axes; their changes are validated before the first fight."""
    for name, values in axes.items():
        if not isinstance(values, list | tuple) or not all(isinstance(value, str) for value in values):
            raise InvalidInputError(f"the axis {name:.40} is not a list of changes", field="axes")
    size = prod([len(values) for values in axes.values()])
    if not 1 <= size <= MOST_CASES:
        raise InvalidInputError(f"the axes give {size:,} cases; allowed are 1 to {MOST_CASES:,}", field="axes")
    by_id = {name: [value and all_by_id([value], fought.job)[0] for value in values] for name, values in axes.items()}
    cases = cases_of(fought.job, by_id, anyway=fought.anyway)
    for case in cases:
        demand_tallied(case.job)
    return cases
