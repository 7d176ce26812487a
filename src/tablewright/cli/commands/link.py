"""``tablewright link``: create a campaign link from the database, for example to replace a lost one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tablewright.cli.arguments.flags import AsJson, Database
from tablewright.cli.arguments.text import validate_words
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.commands.serve import store_at
from tablewright.cli.output.streams import counted, print_json
from tablewright.errors import InvalidInputError, did_you_mean

if TYPE_CHECKING:
    from tablewright.table import CampaignSummary, Store

ROLES = ("gm", "player", "spectator", "host")

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="CAMPAIGN", help="Id or title of a campaign; without it, list all.")
    ] = None,
    *,
    role: Annotated[str, typer.Option(metavar="ROLE", help=f"{', '.join(ROLES)}.")] = "gm",
    db: Database = None,
    address: Annotated[str, typer.Option(metavar="URL", help="Address of the server.")] = "http://127.0.0.1:8000/",
    renew: Annotated[bool, typer.Option("--renew", help="Revoke older links and cookies.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the campaigns, or create a link to one.

    With --role host the link leads to the list of all campaigns.
    """
    named = validate_words(words or ())
    if role not in ROLES:
        raise InvalidInputError(f'--role is "{role:.40}"; allowed are {", ".join(ROLES)}{did_you_mean(role, ROLES)}')
    if role == "host" and named:
        raise InvalidInputError("the host's link leads to all campaigns; name none")
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
    typer.echo(f"{store.where}: {counted(len(found), 'campaign')}")
    say_campaigns(found)


def say_campaigns(found: list[CampaignSummary]) -> None:
    """Print one line per campaign."""
    for one in found:
        typer.echo(f"  {one.id}  {one.system:12}  {one.title}")


def _chosen(found: list[CampaignSummary], wanted: str) -> str:
    chosen = [one.id for one in found if wanted in (one.id, one.title)]
    if len(chosen) != 1:
        why = "several campaigns are" if chosen else "no campaign is"
        near = did_you_mean(wanted, [one.title for one in found])
        raise InvalidInputError(f'{why} called "{wanted:.60}"; name its id, which `tablewright link` lists{near}')
    return chosen[0]
