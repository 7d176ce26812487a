"""``tablewright sweep``: a grid of scenarios as one job, that can be killed and gone on with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tablewright.cli.failing import INTERRUPTED
from tablewright.cli.labouring import bar, staff
from tablewright.cli.problems import line_by_line
from tablewright.cli.screen import print_json
from tablewright.cli.switches import AsJson, Cluster, Workers
from tablewright.cli.taking import Command

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(
    grid: Annotated[
        str,
        typer.Argument(
            metavar="GRID",
            help="A YAML file: scenarios (a list), runs, and axes, each a list of changes as simulate --change knows "
            'them, "" for none.',
        ),
    ],
    *,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Where it is kept; beside the grid by default.")
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Fight a whole grid of scenarios.

    The same command goes on with one that was killed.
    """
    with line_by_line(as_json=as_json):
        from tablewright.cli.tallied import demand_tallied  # noqa: PLC0415
        from tablewright.lab.sweeping import read_grid, sweep  # noqa: PLC0415  (brings in pydantic)

        path = Path(grid)
        read = read_grid(path)
        by_name = {what: case.job for case in reversed(read.cases) for what, _, _ in case.job.modifiers}
        for job in by_name.values():
            demand_tallied(job)
        kept = Path(output) if output is not None else path.with_suffix(".sweep")
        with staff(workers, cluster) as who, bar(read.title) as told:
            tell = None if told is None else (lambda done, of, seconds: told(done, of, seconds, ""))
            results = sweep(read, kept, who, progress=tell)
        if as_json:
            cases = [{"labels": dict(case.labels)} | result.to_json() for case, result in results]
            print_json({"title": read.title, "grid": read.id, "kept": str(kept), "cases": cases})
        else:
            from tablewright.cli.reckoned import tell_sweep  # noqa: PLC0415  (loads rich)

            tell_sweep(read.title, results)
        if any(result.stopped == "cancelled" for _, result in results):
            raise typer.Exit(INTERRUPTED)
