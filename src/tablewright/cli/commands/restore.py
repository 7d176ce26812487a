"""``tablewright restore``: load a backup into a new database, SQLite or PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tablewright.cli.arguments.flags import AsJson, Database
from tablewright.cli.arguments.text import validate_words
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.commands.link import say_campaigns
from tablewright.cli.output.streams import counted, print_json
from tablewright.errors import InvalidInputError

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    words: Annotated[list[str] | None, typer.Argument(metavar="FILE", help="File written by backup.")] = None,
    *,
    campaign: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Restore one campaign, by id or title, replacing the present one."),
    ] = None,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """Restore a backup, or one campaign of it.

    A whole backup needs a database without campaigns. A single campaign also goes into a database with others.
    """
    from tablewright.table import open_store  # noqa: PLC0415  (loads the database)

    named = validate_words(words or ())
    if len(named) != 1:
        raise InvalidInputError("name one file that `tablewright backup` has made")
    if not Path(named[0]).is_file():
        raise InvalidInputError(f"there is no file {named[0]:.200}")
    with open_store(db, serve=True) as store:
        found = store.restore(Path(named[0]), campaign)
        where, damaged = store.where, store.damaged_at
    if as_json:
        kept = {} if damaged is None else {"damaged": str(damaged)}
        print_json({"database": where, "copy": named[0], **kept, "campaigns": [one._asdict() for one in found]})
    else:
        typer.echo(f"{where}: {counted(len(found), 'campaign')}, {sum(one.last for one in found):,} lines")
        say_campaigns(found)
        if damaged is not None:
            typer.echo(f"the damaged file is kept as {damaged}")
