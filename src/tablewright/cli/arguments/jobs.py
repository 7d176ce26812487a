"""Shared parts of the simulation commands: job, executor and progress."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tablewright.cli.arguments.text import AGAINST, rounds_given, seed_or_drawn, validate_words, whole_number
from tablewright.errors import InvalidInputError

if TYPE_CHECKING:
    from tablewright.lab.fights.executors import Executor
    from tablewright.lab.fights.job import Job
    from tablewright.lab.fights.simulation import Progress

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
    """Build the job of a command line; it is validated before the first fight.

    ``given`` holds the repeatable options by name.
    """
    from tablewright.cli.arguments.characters import options_of  # noqa: PLC0415
    from tablewright.cli.arguments.scenarios import policies_typed, scenario_of  # noqa: PLC0415  (brings in pydantic)
    from tablewright.game.scenario.cast import SIDES  # noqa: PLC0415
    from tablewright.game.system.registry import load_system  # noqa: PLC0415
    from tablewright.lab.fights.job import MOST_RUNS, job_of  # noqa: PLC0415

    policies, options, packs, cast = [given.get(name) or () for name in ("policies", "options", "packs", "cast")]
    number, start, limit = whole_number(runs, "--runs", 1, MOST_RUNS), seed_or_drawn(seed), rounds_given(rounds)
    scenario, _ = scenario_of(against(validate_words(words or ())), packs, cast, SIDES)
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
    """Expand PARTY FOES to FILES vs FILES: lists with commas, and `goblin*3` for three.

    >>> against(["ann.yaml,bob.yaml", "demo:rat*2"])
    ['ann.yaml', 'bob.yaml', 'vs', 'demo:rat', 'demo:rat']
    >>> against(["demo:even"])
    ['demo:even']
    """
    if len(words) < 2:
        return list(words)
    if AGAINST not in words:
        if len(words) > 2:
            raise InvalidInputError(f"{len(words)} words were given; name a scenario, PARTY FOES, or FILES vs FILES")
        words = [words[0], AGAINST, words[1]]
    from tablewright.game.scenario.cast import expand_words  # noqa: PLC0415  (brings in pydantic)

    return [one for word in words for one in ([word] if word == AGAINST else expand_words(word))]


def share_of(text: str, name: str) -> float:
    """Parse a share between 0 and 1, typed as a number or in percent.

    >>> share_of("70%", "--target"), share_of("0.01", "--until")
    (0.7, 0.01)
    """
    percent, share = _PERCENT.match(text.strip()), _SHARE.match(text.strip())
    number = float(percent["number"]) / 100 if percent else float(text) if share else 0.0
    if not 0 < number < 1:
        raise InvalidInputError(f'{name} is "{text:.40}"; allowed is a share such as 1% or 0.01', field=name)
    return number


@contextmanager
def open_executor(workers: str | None, cluster: str | None, job: Job | None = None) -> Iterator[Executor]:
    """Open an executor for a job; small jobs run serially."""
    from tablewright.lab.fights.executors import MOST_WORKERS, workers_for  # noqa: PLC0415

    count = None if workers is None else whole_number(workers, "--workers", 1, MOST_WORKERS)
    if count is None and cluster is None and job is not None and job.chunks == 1:
        count = 1
    found = workers_for(count, cluster)
    try:
        yield found
    finally:
        found.close()


def progress_teller(told: Callable[[int, int, float, str], None] | None) -> Callable[[Progress], None] | None:
    """Callback that shows the progress of a job on a bar, with the first side's chance to win so far."""
    if told is None:
        return None
    from tablewright.game.narration.common_sayings import wins  # noqa: PLC0415
    from tablewright.game.narration.voices import side_name  # noqa: PLC0415
    from tablewright.lab.fights.job import ring_of  # noqa: PLC0415

    names: dict[str, str] = {}

    def tell(progress: Progress) -> None:
        side = progress.job.sides[0]
        chance = progress.counts.share_won(side)
        if side not in names:
            names[side] = wins(side_name(ring_of(progress.job.to_text()).header.scene, side))
        word = f"{names[side]} {chance.value:.0%} so far ({chance.low:.0%} to {chance.high:.0%})"
        told(progress.counts.fights, progress.job.runs, progress.seconds, word)

    return tell
