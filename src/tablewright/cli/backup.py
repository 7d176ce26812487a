"""``tablewright backup``: a copy of the database, also while it is being served."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tablewright.cli.failing import note
from tablewright.cli.screen import print_json
from tablewright.cli.serve import store_at
from tablewright.cli.switches import AsJson, Database
from tablewright.cli.taking import Command
from tablewright.cli.words import check_words
from tablewright.errors import BadInput

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(
    words: Annotated[list[str] | None, typer.Argument(metavar="FILE", help="Where the copy goes.")] = None,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """Copy the whole database into one file.

    It may be in use meanwhile; a file that is there is not replaced.
    """
    named = check_words(words or ())
    if len(named) != 1:
        raise BadInput("name one file that the copy goes to")
    with store_at(db) as store:
        store.backup(Path(named[0]))
        where, damaged = store.where, [one.title for one in store.campaigns() if one.closed is not None]
    if damaged:
        note(f"damaged campaigns are in the copy as they are: {', '.join(damaged)}")
    if as_json:
        print_json({"database": where, "copy": named[0]})
    else:
        typer.echo(f"{where} is copied to {named[0]}")
