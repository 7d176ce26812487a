"""``tablewright balance``: how many foes, or how strong ones, for a wanted chance to win."""

from __future__ import annotations

from typing import Annotated

import typer

from tablewright.cli.failing import INTERRUPTED
from tablewright.cli.labouring import bar, job_from, of_a_job, share_of, staff
from tablewright.cli.problems import line_by_line
from tablewright.cli.screen import print_json
from tablewright.cli.switches import Anyway, AsJson, Cast, Cluster, Options, Packs, Rounds, Workers
from tablewright.cli.taking import Command
from tablewright.errors import BadInput

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCENARIO | PARTY FOES", help="SYSTEM:NAME or a scenario's file; or characters with commas."
        ),
    ] = None,
    *,
    target: Annotated[str, typer.Option(metavar="SHARE", help="How often the side is to win, such as 70%.")] = "70%",
    side: Annotated[str | None, typer.Option(metavar="SIDE", help="Which side; the first one by default.")] = None,
    who: Annotated[
        str | None, typer.Option(metavar="NAME", help="Search how many there are like this one; the last foe else.")
    ] = None,
    by: Annotated[
        str | None, typer.Option(metavar="CHANGE", help="Search a strength instead: modify:WHO.WHAT+1.")
    ] = None,
    runs: Annotated[str, typer.Option(metavar="N", help="How many fights for each number at most.")] = "1000",
    until: Annotated[str, typer.Option(metavar="SHARE", help="How well each chance is to be known.")] = "2%",
    seed: Annotated[str, typer.Option(metavar="N", help="Where the dice begin.")] = "1",
    policy: Annotated[
        list[str] | None, typer.Option(metavar="SIDE=POLICY", help="How a side or somebody plays.")
    ] = None,
    option: Options = None,
    pack: Packs = None,
    cast: Cast = None,
    rounds: Rounds = None,
    anyway: Anyway = False,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Find the foes for a wanted chance to win.

    Their number is searched, or how strong they are.
    """
    wanted, width = share_of(target, "--target"), share_of(until, "--until")
    if who is not None and by is not None:
        raise BadInput("--who searches a number and --by a strength; say one of them")
    with line_by_line(as_json=as_json):
        given = {"policies": policy, "options": option, "packs": pack, "cast": cast}
        job = job_from(words, given, runs=runs, seed=seed, rounds=rounds, anyway=anyway)
        from tablewright.cli.tallied import all_by_id, demand_tallied  # noqa: PLC0415
        from tablewright.lab.balancing import balance, by_number, by_strength  # noqa: PLC0415
        from tablewright.lab.changing import changed  # noqa: PLC0415

        first = side or job.sides[0]
        foes = [given["id"] for given in job.scenario["participants"] if given["side"] != first]
        if not foes:
            raise BadInput("there is only one side, and nobody to fight")
        if by:
            (step,) = all_by_id([by], job)
            lever = by_strength(job, step, anyway=anyway)
            demand_tallied(changed(job, step, anyway=True))
        else:
            (like,) = all_by_id([f"add:{who or foes[-1]}"], job)
            lever = by_number(job, like.removeprefix("add:"), anyway=anyway)
        with staff(workers, cluster) as staff_of, bar(lever.words) as told:
            found = balance(lever, first, wanted, staff_of, until=width, progress=of_a_job(told))
        if as_json:
            print_json(found.to_json())
        else:
            from tablewright.cli.reckoned import tell_balance  # noqa: PLC0415  (loads rich)

            tell_balance(found)
        if found.cancelled:
            raise typer.Exit(INTERRUPTED)
