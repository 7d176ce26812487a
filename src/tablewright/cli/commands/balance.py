"""``tablewright balance``: find the number or strength of enemies for a wanted win chance."""

from __future__ import annotations

from typing import Annotated

import typer

from tablewright.cli.arguments.flags import Anyway, AsJson, Cast, Cluster, Options, Packs, Rounds, Workers
from tablewright.cli.arguments.jobs import job_from, open_executor, progress_teller, share_of
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.errors import INTERRUPTED
from tablewright.cli.output.problems import report_problems
from tablewright.cli.output.progress import bar
from tablewright.cli.output.streams import print_json
from tablewright.errors import InvalidInputError

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCENARIO | PARTY FOES", help="SYSTEM:NAME, a scenario's file, or characters separated by commas."
        ),
    ] = None,
    *,
    target: Annotated[str, typer.Option(metavar="SHARE", help="Wanted win chance, such as 70%.")] = "70%",
    side: Annotated[str | None, typer.Option(metavar="SIDE", help="Side that is to win (default: the first).")] = None,
    who: Annotated[
        str | None, typer.Option(metavar="NAME", help="Participant to multiply (default: the last foe).")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(metavar="CHANGE", help="Search a strength instead, in steps such as modify:WHO.WHAT+1."),
    ] = None,
    runs: Annotated[str, typer.Option(metavar="N", help="Maximum number of fights for each number tried.")] = "1000",
    until: Annotated[
        str, typer.Option(metavar="SHARE", help="How well to know the chances of the two nearest numbers.")
    ] = "5%",
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of the dice.")] = "1",
    policy: Annotated[
        list[str] | None, typer.Option(metavar="SIDE=POLICY", help="Policy of a side or participant.")
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
    """Find the foes for a wanted win chance.

    The search varies their number or their strength.
    """
    wanted, width = share_of(target, "--target"), share_of(until, "--until")
    if who is not None and by is not None:
        raise InvalidInputError("--who searches a number and --by a strength; say one of them")
    with report_problems(as_json=as_json):
        given = {"policies": policy, "options": option, "packs": pack, "cast": cast}
        job = job_from(words, given, runs=runs, seed=seed, rounds=rounds, anyway=anyway).as_mirrored()
        from tablewright.lab.fights.balance import balance, by_number, by_strength  # noqa: PLC0415
        from tablewright.lab.fights.change_names import all_by_id, demand_tallied  # noqa: PLC0415
        from tablewright.lab.fights.changes import changed  # noqa: PLC0415

        first = side or job.sides[0]
        foes = [given["id"] for given in job.scenario["participants"] if given["side"] != first]
        if not foes:
            raise InvalidInputError("there is only one side, and nobody to fight")
        if by:
            (step,) = all_by_id([by], job)
            lever = by_strength(job, step, anyway=anyway)
            demand_tallied(changed(job, step, anyway=True))
        else:
            (like,) = all_by_id([f"add:{who or foes[-1]}"], job)
            lever = by_number(job, like.removeprefix("add:"), anyway=anyway)
        with open_executor(workers, cluster) as staff_of, bar(lever.words) as told:
            found = balance(lever, first, wanted, staff_of, until=width, progress=progress_teller(told))
        if as_json:
            print_json(found.to_json())
        else:
            from tablewright.cli.views.simulation import tell_balance  # noqa: PLC0415  (loads rich)

            tell_balance(found)
        if found.cancelled:
            raise typer.Exit(INTERRUPTED)
