"""``tablewright sweep``: run a grid of scenarios as one job that can be resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tablewright.cli.arguments.flags import AsJson, Cluster, Workers
from tablewright.cli.arguments.jobs import open_executor
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.errors import INTERRUPTED
from tablewright.cli.output.problems import report_problems
from tablewright.cli.output.progress import bar
from tablewright.cli.output.streams import print_json

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    grid: Annotated[
        str,
        typer.Argument(
            metavar="GRID",
            help="A YAML file: scenarios (a list), runs, and axes, each a list of changes as in simulate "
            '--change, or "" for none.',
        ),
    ],
    *,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="File for the results (default: beside the grid)."),
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a whole grid of scenarios.

    The same command resumes an interrupted sweep.
    """
    with report_problems(as_json=as_json):
        from tablewright.lab.fights.change_names import demand_tallied  # noqa: PLC0415
        from tablewright.lab.fights.sweep import read_grid, sweep  # noqa: PLC0415  (brings in pydantic)

        path = Path(grid)
        read = read_grid(path)
        by_name = {what: case.job for case in reversed(read.cases) for what, _, _ in case.job.modifiers}
        for job in by_name.values():
            demand_tallied(job)
        kept = Path(output) if output is not None else path.with_suffix(".sweep")
        with open_executor(workers, cluster) as who, bar(read.title) as told:
            tell = None if told is None else (lambda done, of, seconds: told(done, of, seconds, ""))
            results = sweep(read, kept, who, progress=tell)
        if as_json:
            cases = [{"labels": dict(case.labels)} | result.to_json() for case, result in results]
            print_json({"title": read.title, "grid": read.id, "kept": str(kept), "cases": cases})
        else:
            from tablewright.cli.views.simulation import tell_sweep  # noqa: PLC0415  (loads rich)

            tell_sweep(read.title, results)
        if any(result.stopped == "cancelled" for _, result in results):
            raise typer.Exit(INTERRUPTED)
