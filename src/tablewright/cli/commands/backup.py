"""``tablewright backup``: copy the database, also while it is being served."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tablewright.cli.arguments.flags import AsJson, Database
from tablewright.cli.arguments.text import validate_words
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.commands.serve import store_at
from tablewright.cli.output.errors import note
from tablewright.cli.output.streams import print_json
from tablewright.errors import InvalidInputError

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    words: Annotated[list[str] | None, typer.Argument(metavar="FILE", help="File to write the copy to.")] = None,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """Copy the whole database into one file.

    The database may be in use. An existing file is not replaced.
    """
    named = validate_words(words or ())
    if len(named) != 1:
        raise InvalidInputError("name one file that the copy goes to")
    with store_at(db) as store:
        store.backup(Path(named[0]))
        where, damaged = store.where, [one.title for one in store.campaigns() if one.closed is not None]
    if damaged:
        note(f"damaged campaigns are in the copy as they are: {', '.join(damaged)}")
    if as_json:
        print_json({"database": where, "copy": named[0]})
    else:
        typer.echo(f"{where} is copied to {named[0]}")
