"""``tablewright verify``: check line by line that a database holds what was written to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablewright.cli.arguments.flags import AsJson, Database
from tablewright.cli.arguments.text import validate_words
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.commands.serve import store_at
from tablewright.cli.output.progress import waiting
from tablewright.cli.output.streams import counted, print_json
from tablewright.errors import InvalidInputError
from tablewright.extras import needs_extra

if TYPE_CHECKING:
    from tablewright.table.database.verification import CampaignCheck, Report

DAMAGED = 1

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    words: Annotated[list[str] | None, typer.Argument(metavar="DATABASE", help="A file, or a PostgreSQL URL.")] = None,
    *,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """Check every line of every campaign.

    The database may be in use. A damaged campaign is closed, the others stay open, and the exit status is 1.
    """
    with needs_extra("server"):
        from tablewright.table.database.location import address_of  # noqa: PLC0415  (loads the database)

    named = validate_words(words or ())
    if len(named) > 1 or (named and db is not None):
        raise InvalidInputError("name one database")
    where = named[0] if named else db
    url = address_of(where)
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).is_file():
        raise InvalidInputError(f"there is no file {url.database}")
    with store_at(where) as store, waiting("Checking lines") as step:
        report = store.verify(step)
        shown = store.where
    if as_json:
        print_json({"database": shown, **_plain(report)})
    else:
        _say(shown, report)
    if not report.is_whole:
        raise typer.Exit(DAMAGED)


def _plain(report: Report) -> dict[str, Any]:
    return {
        "whole": report.is_whole,
        "campaigns": [
            {
                "id": one.info.id,
                "title": one.info.title,
                "lines": one.info.last,
                "whole": one.damage is None,
                "damage": None if one.damage is None else one.damage._asdict(),
            }
            for one in report.campaigns
        ],
        "problems": list(report.problems),
    }


def _say(where: str, report: Report) -> None:
    total = sum(one.info.last for one in report.campaigns)
    damaged = [one for one in report.campaigns if one.damage is not None]
    typer.echo(f"{where}: {counted(len(report.campaigns), 'campaign')}, {total:,} lines")
    for one in damaged:
        say_damage(one)
    for problem in report.problems:
        typer.echo(f"  {problem}")
    if damaged:
        typer.echo("what is damaged is closed; `tablewright restore FILE --campaign ID` brings it back from a copy")
    elif report.is_whole:
        typer.echo("everything is as it was written")


def say_damage(one: CampaignCheck) -> None:
    """Print the damage of a campaign in one line."""
    assert one.damage is not None
    since = f", since {one.damage.since}" if one.damage.since else ""
    typer.echo(f'  {one.info.id}  "{one.info.title}" is damaged at line {one.damage.line}{since}: {one.damage.what}')
