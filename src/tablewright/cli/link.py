"""``tablewright link``: a new link to a campaign, for whoever has the database, where theirs was lost."""

from __future__ import annotations

from typing import Annotated

import typer

from tablewright.cli.screen import print_json
from tablewright.cli.serve import store_at
from tablewright.cli.switches import AsJson, Database
from tablewright.cli.taking import Command
from tablewright.cli.words import check_words
from tablewright.errors import BadInput, nearest

ROLES = ("gm", "player", "spectator")

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="CAMPAIGN", help="Its id or title; without it, all are listed.")
    ] = None,
    role: Annotated[str, typer.Option(metavar="ROLE", help=f"{', '.join(ROLES)}.")] = "gm",
    db: Database = None,
    address: Annotated[
        str, typer.Option(metavar="URL", help="Where the server is reached.")
    ] = "http://127.0.0.1:8000/",
    as_json: AsJson = False,
) -> None:
    """List the campaigns, or make a new link to one."""
    named = check_words(words or ())
    if role not in ROLES:
        raise BadInput(f'--role is "{role:.40}"; allowed are {", ".join(ROLES)}{nearest(role, ROLES)}')
    with store_at(db) as store:
        found = store.campaigns()
        if not named:
            if as_json:
                print_json({"database": store.where, "campaigns": [one._asdict() for one in found]})
            else:
                typer.echo(f"{store.where}: {len(found)} campaigns")
                for one in found:
                    typer.echo(f"  {one.id}  {one.system:12}  {one.title}")
            return
        wanted = " ".join(named)
        chosen = [one for one in found if wanted in (one.id, one.title)]
        if len(chosen) != 1:
            known = [one.title for one in found]
            why = "several campaigns are" if chosen else "no campaign is"
            raise BadInput(f'{why} called "{wanted:.60}"; name its id{nearest(wanted, known)}')
        link = f"{address}#{store.table(chosen[0].id).host_link(role).token}"
    if as_json:
        print_json({"campaign": chosen[0].id, "role": role, "link": link})
    else:
        typer.echo(link)
