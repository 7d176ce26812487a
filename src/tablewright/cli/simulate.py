"""``tablewright simulate``: fights by the thousand, with honest figures; what one change does; one of them in full."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from tablewright.cli.failing import INTERRUPTED
from tablewright.cli.labouring import bar, job_from, of_a_job, share_of, staff
from tablewright.cli.problems import line_by_line
from tablewright.cli.screen import print_json
from tablewright.cli.switches import Anyway, AsJson, Cast, Cluster, Options, Packs, Policies, Rounds, Workers
from tablewright.cli.taking import Command
from tablewright.cli.waiting import MOST_SECONDS, OutOfTime, within
from tablewright.cli.words import whole_number
from tablewright.errors import BadInput, nearest, whole

if TYPE_CHECKING:
    from tablewright.lab.jobs import Job

app = typer.Typer(rich_markup_mode=None, add_completion=False)

WANTED = ("won", "lost", "draw")
WAYS = ("auto", "played", "batch")
QUICK_WAYS, QUICK_SCENES = 1_500, 60
"""How many ways, and scenes at once, a fight of two may have to be solved exactly without being asked to."""


@app.command(cls=Command)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCENARIO | PARTY FOES | FILES vs FILES",
            help="A demo such as mars:even, or a scenario's file; or characters, files or SYSTEM:ID, with commas "
            "between them, mars:goblin*3 for three. A wrong name is answered with all that there are.",
        ),
    ] = None,
    *,
    runs: Annotated[str, typer.Option(metavar="N", help="How many fights.")] = "1000",
    seed: Annotated[str, typer.Option(metavar="N", help="Where the dice begin: the same seed gives the same.")] = "1",
    policy: Policies = None,
    until: Annotated[
        str | None, typer.Option(metavar="SHARE", help="Stop when every win chance is known to so much, such as 1%.")
    ] = None,
    change: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHANGE",
            help="What a change does, by fighting with and without it: add:WHO, remove:WHO, policy:WHO=POLICY, "
            "option:NAME=VALUE, set:WHO.FIELD=VALUE, modify:WHO.WHAT+1, rounds=N.",
        ),
    ] = None,
    show: Annotated[
        str | None, typer.Option(metavar="WHICH", help="Tell one fight in full: its number, won, lost or draw.")
    ] = None,
    save: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep the fight of --show, to be replayed by fight --replay.")
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Solve it instead, where it is small enough; else it says why not.")
    ] = False,
    seconds: Annotated[str | None, typer.Option(metavar="N", help="How long --exact may take; 120.")] = None,
    sampled: Annotated[bool, typer.Option("--sampled", help="Do not solve it, however small it is.")] = False,
    path: Annotated[
        str, typer.Option(metavar="PATH", help="played, batch (in lock step, where all are within reach) or auto.")
    ] = "auto",
    option: Options = None,
    pack: Packs = None,
    cast: Cast = None,
    rounds: Rounds = None,
    anyway: Anyway = False,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Fight many times and tell the chances.

    Each comes with its 95 percent interval.
    """
    width = None if until is None else share_of(until, "--until")
    if exact and (sampled or change or show is not None):
        raise BadInput("--exact goes with none of --sampled, --change and --show")
    allowed = MOST_SECONDS if seconds is None else whole_number(seconds, "--seconds", 1, 86_400)
    if seconds is not None and not exact:
        raise BadInput("--seconds is how long --exact may take; whatever is sampled stops with --runs or --until")
    if path not in WAYS:
        raise BadInput(f'--path is "{path:.40}"; allowed are {", ".join(WAYS)}{nearest(path, WAYS)}')
    if path == "batch" and (exact or change or show is not None):
        raise BadInput("--path batch goes with none of --exact, --change and --show: they play fight by fight")
    if show is not None and change:
        raise BadInput("--show and --change cannot be used together: --show tells one fight as it is")
    if save is not None and show is None:
        raise BadInput("--save keeps the fight that --show tells; say which")
    with line_by_line(as_json=as_json):
        given = {"policies": policy, "options": option, "packs": pack, "cast": cast}
        job = job_from(words, given, runs=runs, seed=seed, rounds=rounds, anyway=anyway)
        if show is not None:
            _show(job, show, save, as_json)
        elif change:
            _change(job, change, width, workers, cluster, anyway=anyway, as_json=as_json)
        elif exact:
            _solve(job, as_json=as_json, most=None, seconds=allowed)
        elif path == "auto" and not sampled and cluster is None and _solve(job, as_json=as_json, most=QUICK_WAYS):
            return
        else:
            _simulate(job, path, width, workers, cluster, as_json=as_json)


def _simulate(
    job: Job, path: str, until: float | None, workers: str | None, cluster: str | None, *, as_json: bool
) -> None:
    from tablewright.lab.simulating import simulate  # noqa: PLC0415

    why = "as it was asked for"
    if path != "played":
        from tablewright.lab.batch import on_path  # noqa: PLC0415

        with bar("finding out whether tables pay"):
            job, why = on_path(job, path)
    with staff(workers, cluster, job) as who, bar(job.title) as told:
        result = simulate(job, who, until=until, progress=of_a_job(told))
    if not result.counts.fights:
        raise KeyboardInterrupt
    if as_json:
        print_json(result.to_json() | {"path": job.path, "why_path": why})
    else:
        from tablewright.cli.reckoned import tell_result  # noqa: PLC0415  (loads rich)

        tell_result(result)
        if path != "played" and (job.path == "batch" or why):
            from tablewright.cli.paper import paper  # noqa: PLC0415  (loads rich)

            paper().print(f"{job.path} path: {why}")
    if result.stopped == "endless":
        raise BadInput(f"this fight cannot end, so no more were fought: {result.why_no_end}")
    if result.stopped == "cancelled":
        raise typer.Exit(INTERRUPTED)


def _solve(job: Job, *, as_json: bool, most: int | None, seconds: float = MOST_SECONDS) -> bool:
    """Solve a fight where that is little work, or where it was asked for; whether it was."""
    from tablewright.lab.solving import TooLarge, solve  # noqa: PLC0415

    if most is not None and len(job.scenario["participants"]) > 2:
        return False
    try:
        with bar(job.title) as told:
            tell = None if told is None else (lambda left: told(0, 0, 0.0, f"{float(left):.2e} open"))
            if most is None:
                from tablewright.lab.batch.exactly import solve_exactly  # noqa: PLC0415  (loads arrays)

                with within(seconds):
                    solved = solve_exactly(job, tell)
            else:
                solved = solve(job, most=most, widest=QUICK_SCENES, told=tell)
    except TooLarge:
        if most is None:
            raise
        return False
    except OutOfTime:
        raise TooLarge(
            f"it is not solved after {seconds:g} seconds; allow more with --seconds, shorten it with --rounds, "
            "or have it fought many times: without --exact"
        ) from None
    if as_json:
        print_json(solved.to_json())
    else:
        from tablewright.cli.reckoned import tell_solved  # noqa: PLC0415  (loads rich)

        tell_solved(solved)
    return True


def _change(
    job: Job,
    changes: list[str],
    until: float | None,
    workers: str | None,
    cluster: str | None,
    *,
    anyway: bool,
    as_json: bool,
) -> None:
    from tablewright.cli.tallied import all_by_id, demand_tallied  # noqa: PLC0415
    from tablewright.lab.changing import changed  # noqa: PLC0415
    from tablewright.lab.pairs import difference  # noqa: PLC0415

    words = ", ".join(changes)
    other = changed(job, ", ".join(all_by_id(changes, job)), anyway=anyway)
    demand_tallied(other)
    with staff(workers, cluster, job) as who, bar(words) as told:
        found = difference(job, other, who, until=until, progress=of_a_job(told))
    if not found.pairs.before.fights:
        raise KeyboardInterrupt
    if as_json:
        print_json({"change": words} | found.to_json())
    else:
        from tablewright.cli.reckoned import tell_difference  # noqa: PLC0415  (loads rich)

        tell_difference(found, words)
    if found.stopped == "cancelled":
        raise typer.Exit(INTERRUPTED)


def _show(job: Job, which: str, save: str | None, as_json: bool) -> None:
    """One fight in full: by its number, or the first that came out as wanted for the first side."""
    from pathlib import Path  # noqa: PLC0415

    from tablewright.lab.looking import look_at, look_for  # noqa: PLC0415

    if which in WANTED:
        began = time.monotonic()
        with bar(f"one that was {which}") as told:
            tell = None if told is None else (lambda done: told(done, job.runs, time.monotonic() - began, ""))
            seen = look_for(job, which, tell)
    elif (number := whole(which)) is not None:
        seen = look_at(job, number)
    else:
        raise BadInput(f'--show is "{which:.40}"; allowed are {", ".join(WANTED)} or a number{nearest(which, WANTED)}')
    if save is not None:
        path = Path(save)
        if path.exists() or not path.absolute().parent.is_dir():
            raise BadInput(f"--save: {path} is there already, or its folder is not")
        seen.trial.save(path)
    if as_json:
        print_json(seen.to_json())
        return
    from tablewright.cli.bout import Bout  # noqa: PLC0415  (loads rich)

    bout = Bout(seen.trial, dice="auto", kept=None, resumed=True)
    bout.tell_all()
    bout.say(f"fight {seen.number} of seed {job.seed}: {seen.winner or 'nobody'} won after {seen.rounds} rounds")
