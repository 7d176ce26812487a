"""``tablewright restore``: everything of a copy that ``backup`` made, into a new database of either kind."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tablewright.cli.link import say_campaigns
from tablewright.cli.screen import print_json
from tablewright.cli.switches import AsJson, Database
from tablewright.cli.taking import Command
from tablewright.cli.words import check_words
from tablewright.errors import BadInput

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(
    words: Annotated[list[str] | None, typer.Argument(metavar="FILE", help="The copy.")] = None,
    *,
    campaign: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this one, by its id or title, in place of what is there.")
    ] = None,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """Bring back everything of a copy, or one campaign.

    Everything goes into a database that has no campaigns yet; one campaign also into one that has others.
    """
    from tablewright.table import open_store  # noqa: PLC0415  (loads the database)

    named = check_words(words or ())
    if len(named) != 1:
        raise BadInput("name one file that `tablewright backup` has made")
    if not Path(named[0]).is_file():
        raise BadInput(f"there is no file {named[0]:.200}")
    with open_store(db, serve=True) as store:
        found = store.restore(Path(named[0]), campaign)
        where, damaged = store.where, store.damaged_at
    if as_json:
        kept = {} if damaged is None else {"damaged": str(damaged)}
        print_json({"database": where, "copy": named[0], **kept, "campaigns": [one._asdict() for one in found]})
    else:
        typer.echo(f"{where}: {len(found)} campaigns, {sum(one.last for one in found)} lines")
        say_campaigns(found)
        if damaged is not None:
            typer.echo(f"the damaged file is kept as {damaged}")
