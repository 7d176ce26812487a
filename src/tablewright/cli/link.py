"""``tablewright link``: a new link to a campaign, for whoever has the database, where theirs was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tablewright.cli.screen import print_json
from tablewright.cli.serve import store_at
from tablewright.cli.switches import AsJson, Database
from tablewright.cli.taking import Command
from tablewright.cli.words import check_words
from tablewright.errors import BadInput, nearest

if TYPE_CHECKING:
    from tablewright.table import Info, Store

ROLES = ("gm", "player", "spectator", "host")

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="CAMPAIGN", help="Its id or title; without it, all are listed.")
    ] = None,
    *,
    role: Annotated[str, typer.Option(metavar="ROLE", help=f"{', '.join(ROLES)}.")] = "gm",
    db: Database = None,
    address: Annotated[
        str, typer.Option(metavar="URL", help="Where the server is reached.")
    ] = "http://127.0.0.1:8000/",
    renew: Annotated[bool, typer.Option("--renew", help="Make older links void, and cookies.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the campaigns, or make a new link to one.

    With --role host the link leads to the list of all.
    """
    named = check_words(words or ())
    if role not in ROLES:
        raise BadInput(f'--role is "{role:.40}"; allowed are {", ".join(ROLES)}{nearest(role, ROLES)}')
    if role == "host" and named:
        raise BadInput("the host's link leads to all campaigns; name none")
    with store_at(db) as store:
        if not named and role != "host":
            _list(store, as_json=as_json)
            return
        if role == "host":
            told, token = {"role": role}, store.host_link(renew=renew)
        else:
            campaign = _chosen(store.campaigns(), " ".join(named))
            told = {"campaign": campaign, "role": role}
            token = store.table(campaign).host_link(role, renew=renew).token
    link = f"{address}#{token}"
    if as_json:
        print_json({**told, "link": link})
    else:
        typer.echo(link)


def _list(store: Store, *, as_json: bool) -> None:
    found = store.campaigns()
    if as_json:
        print_json({"database": store.where, "campaigns": [one._asdict() for one in found]})
        return
    typer.echo(f"{store.where}: {len(found)} campaigns")
    say_campaigns(found)


def say_campaigns(found: list[Info]) -> None:
    """Campaigns, a line each."""
    for one in found:
        typer.echo(f"  {one.id}  {one.system:12}  {one.title}")


def _chosen(found: list[Info], wanted: str) -> str:
    chosen = [one.id for one in found if wanted in (one.id, one.title)]
    if len(chosen) != 1:
        why = "several campaigns are" if chosen else "no campaign is"
        near = nearest(wanted, [one.title for one in found])
        raise BadInput(f'{why} called "{wanted:.60}"; name its id, which `tablewright link` lists{near}')
    return chosen[0]
