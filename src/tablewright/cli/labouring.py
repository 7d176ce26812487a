"""What the commands of the lab share: from words to a job, who does the work, and how far it has come."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tablewright.cli.words import check_words, rounds_given, seed_or_drawn, whole_number
from tablewright.errors import BadInput

if TYPE_CHECKING:
    from tablewright.lab.jobs import Job
    from tablewright.lab.simulating import Progress
    from tablewright.lab.workers import Workers

AGAINST = "vs"
SIDES = ("party", "foes", *"cdefghijklmnopqrstuvwxyz")
MOST_OF_ONE = 100
_TIMES = re.compile(r"(?P<who>.+)\*(?P<count>[0-9]{1,4})\Z")
_PERCENT = re.compile(r"(?P<number>[0-9]{1,3}(?:\.[0-9]{1,6})?)\s*%\Z")
_SHARE = re.compile(r"0?\.[0-9]{1,8}\Z")


def job_from(
    words: Sequence[str] | None,
    given: Mapping[str, Sequence[str] | None],
    *,
    runs: str,
    seed: str,
    rounds: str | None,
    anyway: bool,
) -> Job:
    """The job that a command line describes, checked before the first fight; the lists that can be typed are given."""
    from tablewright.cli.arena import policies_typed, scenario_of  # noqa: PLC0415  (brings in pydantic)
    from tablewright.cli.people import options_of  # noqa: PLC0415
    from tablewright.game.registry import load_system  # noqa: PLC0415
    from tablewright.lab.jobs import MOST_RUNS, job_of  # noqa: PLC0415

    policies, options, packs, cast = [given.get(name) or () for name in ("policies", "options", "packs", "cast")]
    number, start, limit = whole_number(runs, "--runs", 1, MOST_RUNS), seed_or_drawn(seed), rounds_given(rounds)
    scenario, _ = scenario_of(against(check_words(words or ())), packs, cast, SIDES)
    entrants = [(entrant.id, entrant.side, entrant.name) for entrant in scenario.entrants]
    return job_of(
        scenario,
        runs=number,
        seed=start,
        policies=policies_typed(policies, entrants),
        options=options_of(load_system(scenario.system), options).changed() if options else {},
        rounds=limit,
        anyway=anyway,
    )


def against(words: Sequence[str]) -> list[str]:
    """PARTY FOES as FILES vs FILES: each is a list with commas, and `goblin*3` is three of them.

    >>> against(["ann.yaml,bob.yaml", "demo:rat*2"])
    ['ann.yaml', 'bob.yaml', 'vs', 'demo:rat', 'demo:rat']
    >>> against(["demo:even"])
    ['demo:even']
    """
    if len(words) < 2:
        return list(words)
    if AGAINST not in words:
        if len(words) > 2:
            raise BadInput(f"{len(words)} words were given; name a scenario, PARTY FOES, or FILES vs FILES")
        words = [words[0], AGAINST, words[1]]
    everybody: list[str] = []
    for word in words:
        for one in [part.strip() for part in word.split(",") if part.strip()] if word != AGAINST else [word]:
            several = _TIMES.match(one)
            if several is None:
                everybody.append(one)
                continue
            count = int(several["count"])
            if not 1 <= count <= MOST_OF_ONE:
                raise BadInput(f'"{one:.60}": allowed are 1 to {MOST_OF_ONE} of one kind')
            everybody += [several["who"]] * count
    return everybody


def share_of(text: str, name: str) -> float:
    """A share above 0 and below 1, typed as one or in percent.

    >>> share_of("70%", "--target"), share_of("0.01", "--until")
    (0.7, 0.01)
    """
    percent, share = _PERCENT.match(text.strip()), _SHARE.match(text.strip())
    number = float(percent["number"]) / 100 if percent else float(text) if share else 0.0
    if not 0 < number < 1:
        raise BadInput(f'{name} is "{text:.40}"; allowed is a share such as 1% or 0.01', field=name)
    return number


@contextmanager
def staff(workers: str | None, cluster: str | None, job: Job | None = None) -> Iterator[Workers]:
    """Whoever does the work, for as long as it takes; a job of few fights is not worth starting processes for."""
    from tablewright.lab.workers import MOST_WORKERS, workers_for  # noqa: PLC0415

    count = None if workers is None else whole_number(workers, "--workers", 1, MOST_WORKERS)
    if count is None and cluster is None and job is not None and job.chunks == 1:
        count = 1
    found = workers_for(count, cluster)
    try:
        yield found
    finally:
        found.close()


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int, float, str], None] | None]:
    """A bar on the error stream, where that is a terminal: how much is done, the rate, the time left, and a word."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns: tuple[Any, ...] = (
        TextColumn(what, markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[told]}", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as shown:
        task = shown.add_task(what, total=None, told="")

        def tell(done: int, of: int, seconds: float, word: str) -> None:
            rate = done / seconds if seconds else 0.0
            left = (of - done) / rate if rate else 0.0
            pace = f"{rate:,.0f}/s, {_time(left)} left  " if of else ""  # nobody knows how much there is to solve
            shown.update(task, completed=done, total=of or None, told=f"{pace}{word}")

        yield tell


def of_a_job(told: Callable[[int, int, float, str], None] | None) -> Callable[[Progress], None] | None:
    """A bar as the lab wants to tell it: with the running interval of the first side's chance."""
    if told is None:
        return None

    def tell(progress: Progress) -> None:
        side = progress.job.sides[0]
        chance = progress.counts.share_won(side)
        word = f"{side} {chance.value:.1%} ({chance.low:.1%} to {chance.high:.1%})"
        told(progress.counts.fights, progress.job.runs, progress.seconds, word)

    return tell


def _time(seconds: float) -> str:
    """A time in words.

    >>> _time(5), _time(125), _time(7300)
    ('5 s', '2 min', '2 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6_000 else f"{seconds / 3_600:.0f} h"
