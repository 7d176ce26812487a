"""``tablewright simulate``: simulate thousands of fights, compare a change, show one fight in full."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from tablewright.cli.arguments.flags import Anyway, AsJson, Cast, Cluster, Options, Packs, Policies, Rounds, Workers
from tablewright.cli.arguments.jobs import job_from, open_executor, progress_teller, share_of
from tablewright.cli.arguments.text import whole_number
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.errors import INTERRUPTED
from tablewright.cli.output.problems import report_problems
from tablewright.cli.output.progress import MOST_SECONDS, OutOfTimeError, bar, within
from tablewright.cli.output.streams import print_json
from tablewright.errors import InvalidInputError, did_you_mean, parse_whole_number

if TYPE_CHECKING:
    from tablewright.lab.fights.job import Job

app = typer.Typer(rich_markup_mode=None, add_completion=False)

WANTED = ("won", "lost", "draw")
NARROW, MOST_FIGHTS = 0.03, "1000"
"""When a simulation without ``--runs`` stops: by the half width of its intervals, and by its fights."""
QUICK_WAYS, QUICK_SCENES = 1_500, 60
"""Upper bounds for paths and simultaneous scenes of a fight that is solved exactly without ``--exact``."""


@app.command(cls=TextCommand)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCENARIO | PARTY FOES | FILES vs FILES",
            help="A scenario such as mars:even or a file; or characters as files or SYSTEM:ID, separated by commas, "
            "with mars:goblin*3 for three. An unknown name lists all names.",
        ),
    ] = None,
    *,
    runs: Annotated[
        str | None,
        typer.Option(metavar="N", help="Number of fights (default: until chances are known to within 3%, or 1000)."),
    ] = None,
    seed: Annotated[
        str, typer.Option(metavar="N", help="Seed of the dice; the same seed repeats the same fights.")
    ] = "1",
    policy: Policies = None,
    until: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="Stop once every win chance is known to within this share, such as 1%."),
    ] = None,
    change: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHANGE",
            help="Compare fights with and without a change: add:WHO, remove:WHO, policy:WHO=POLICY, "
            "option:NAME=VALUE, set:WHO.FIELD=VALUE, modify:WHO.WHAT+1, rounds=N.",
        ),
    ] = None,
    show: Annotated[
        str | None, typer.Option(metavar="WHICH", help="Show one fight in full: a number, won, lost or draw.")
    ] = None,
    save: Annotated[
        str | None, typer.Option(metavar="FILE", help="Save the fight of --show, for fight --replay.")
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Solve the fight exactly, or report why it is too large.")
    ] = False,
    seconds: Annotated[
        str | None, typer.Option(metavar="N", help="Time limit of --exact in seconds (default: 120).")
    ] = None,
    sampled: Annotated[
        bool, typer.Option("--sampled", help="Never solve exactly, even if the fight is small.")
    ] = False,
    details: Annotated[
        bool, typer.Option("--details", help="Show the range of every figure and the sources of damage.")
    ] = False,
    option: Options = None,
    pack: Packs = None,
    cast: Cast = None,
    rounds: Rounds = None,
    anyway: Anyway = False,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Simulate many fights and show the chances.

    Each figure comes with its 95 percent interval. Without --runs it stops when the win chances are known, which are
    then corrected for the luck of the dice.
    """
    width = None if until is None else share_of(until, "--until")
    if exact and (sampled or change or show is not None):
        raise InvalidInputError("--exact goes with none of --sampled, --change and --show")
    allowed = MOST_SECONDS if seconds is None else whole_number(seconds, "--seconds", 1, 86_400)
    if seconds is not None and not exact:
        raise InvalidInputError("--seconds limits --exact; sampled fights stop with --runs or --until")
    if show is not None and change:
        raise InvalidInputError("--show and --change cannot be used together: --show tells one fight as it is")
    if save is not None and show is None:
        raise InvalidInputError("--save keeps the fight that --show tells; say which")
    with report_problems(as_json=as_json):
        given = {"policies": policy, "options": option, "packs": pack, "cast": cast}
        job = job_from(words, given, runs=runs or MOST_FIGHTS, seed=seed, rounds=rounds, anyway=anyway)
        if not change and (runs is None or width is not None):
            job, width = job.as_mirrored(), width or NARROW
        if show is not None:
            _show(job, show, save, as_json)
        elif change:
            _change(job, change, width, workers, cluster, anyway=anyway, as_json=as_json)
        elif exact:
            _solve(job, as_json=as_json, most=None, seconds=allowed)
        elif not sampled and cluster is None and _solve(job, as_json=as_json, most=QUICK_WAYS):
            return
        else:
            _simulate(job, width, workers, cluster, details=details, as_json=as_json)


def _simulate(
    job: Job, until: float | None, workers: str | None, cluster: str | None, *, details: bool, as_json: bool
) -> None:
    from tablewright.lab.fights.simulation import simulate  # noqa: PLC0415

    with open_executor(workers, cluster, job) as who, bar(job.title) as told:
        result = simulate(job, who, until=until, progress=progress_teller(told))
    if not result.counts.fights:
        raise KeyboardInterrupt
    if as_json:
        print_json(result.to_json())
    else:
        from tablewright.cli.views.simulation import tell_result  # noqa: PLC0415  (loads rich)

        tell_result(result, details=details)
    if result.stopped == "endless":
        raise InvalidInputError(f"this fight cannot end, so no more were fought: {result.why_no_end}")
    if result.stopped == "cancelled":
        raise typer.Exit(INTERRUPTED)


def _solve(job: Job, *, as_json: bool, most: int | None, seconds: float = MOST_SECONDS) -> bool:
    """Solve a fight exactly if that is cheap or requested; return whether it was solved."""
    from tablewright.lab.fights.exact import FightTooLargeError, solve  # noqa: PLC0415

    if most is not None and len(job.scenario["participants"]) > 2:
        return False
    try:
        with bar(job.title) as told:
            tell = None if told is None else (lambda left: told(0, 0, 0.0, f"{float(left):.2e} open"))
            if most is None:
                with within(seconds):
                    solved = solve(job, told=tell)
            else:
                solved = solve(job, most=most, widest=QUICK_SCENES, told=tell)
    except FightTooLargeError:
        if most is None:
            raise
        return False
    except OutOfTimeError:
        raise FightTooLargeError(
            f"it is not solved after {seconds:g} seconds; allow more with --seconds, shorten it with --rounds, "
            "or have it fought many times: without --exact"
        ) from None
    if as_json:
        print_json(solved.to_json())
    else:
        from tablewright.cli.views.simulation import tell_solved  # noqa: PLC0415  (loads rich)

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
    from tablewright.lab.fights.change_names import all_by_id, demand_tallied  # noqa: PLC0415
    from tablewright.lab.fights.changes import changed  # noqa: PLC0415
    from tablewright.lab.fights.paired import compare_change  # noqa: PLC0415

    words = ", ".join(changes)
    other = changed(job, ", ".join(all_by_id(changes, job)), anyway=anyway)
    demand_tallied(other)
    with open_executor(workers, cluster, job) as who, bar(words) as told:
        found = compare_change(job, other, who, until=until, progress=progress_teller(told))
    if not found.pairs.before.fights:
        raise KeyboardInterrupt
    if as_json:
        print_json({"change": words} | found.to_json())
    else:
        from tablewright.cli.views.simulation import tell_difference  # noqa: PLC0415  (loads rich)

        tell_difference(found, words)
    if found.stopped == "cancelled":
        raise typer.Exit(INTERRUPTED)


def _show(job: Job, which: str, save: str | None, as_json: bool) -> None:
    """Print one fight in full: by number, or the first with the wanted result for the first side."""
    from pathlib import Path  # noqa: PLC0415

    from tablewright.lab.fights.replay import look_for, replay_fight  # noqa: PLC0415

    if which in WANTED:
        began = time.monotonic()
        with bar(f"one that was {which}") as told:
            tell = None if told is None else (lambda done: told(done, job.runs, time.monotonic() - began, ""))
            seen = look_for(job, which, tell)
    elif (number := parse_whole_number(which)) is not None:
        seen = replay_fight(job, number)
    else:
        raise InvalidInputError(
            f'--show is "{which:.40}"; allowed are {", ".join(WANTED)} or a number{did_you_mean(which, WANTED)}'
        )
    if save is not None:
        path = Path(save)
        if path.exists() or not path.absolute().parent.is_dir():
            raise InvalidInputError(f"--save: {path} is there already, or its folder is not")
        seen.trial.save(path)
    if as_json:
        print_json(seen.to_json())
        return
    from tablewright.cli.play.fight import TerminalFight  # noqa: PLC0415  (loads rich)

    bout = TerminalFight(seen.trial, dice="auto", kept=None, resumed=True)
    bout.tell_all()
    bout.say(f"fight {seen.number} of seed {job.seed}: {seen.winner or 'nobody'} won after {seen.rounds} rounds")
