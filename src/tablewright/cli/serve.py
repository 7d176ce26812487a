"""``tablewright serve``: the table for everybody's browser, from this machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tablewright.cli.switches import Database
from tablewright.cli.taking import Command
from tablewright.cli.words import whole_number
from tablewright.errors import BadInput

if TYPE_CHECKING:
    from tablewright.table import Store

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(
    *,
    db: Database = None,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[str, typer.Option(metavar="N", help="The port to listen at.")] = "8000",
    public: Annotated[bool, typer.Option("--public", help="Let others in this network come; needs --host.")] = False,
    demo: Annotated[bool, typer.Option(help="Fill an empty database with one campaign a system.")] = True,
    proxy: Annotated[
        list[str] | None, typer.Option(metavar="ADDRESS", help="Believe the X-Forwarded-For of this proxy.")
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Write a line of JSON for every request.")] = False,
) -> None:
    """Serve the table: campaigns, seats, live play and the web page."""
    from tablewright.server.demo import make_demos  # noqa: PLC0415  (loads the server)
    from tablewright.server.running import LOOPBACK, bound, hosts_of, prepare_process, proxy_of, server_for  # noqa: PLC0415
    from tablewright.server.settings import Settings  # noqa: PLC0415
    from tablewright.table import open_store  # noqa: PLC0415

    number = whole_number(port, "--port", 1, 65_535)
    if public and host in (*LOOPBACK, "0.0.0.0", "::"):
        raise BadInput("--public needs the address of this machine in your network: --public --host 192.168.0.10")
    if not public and host not in LOOPBACK:
        raise BadInput(f"{host:.60} can be reached by others; say --public if that is meant")
    proxies = tuple([proxy_of(one) for one in proxy or ()])
    listening = bound(host, number)
    with open_store(db, serve=True) as store:
        _say(f"database  {store.where}")
        if store.copied_to is not None:
            _say(f"copy      {store.copied_to} (before the migration)")
        if store.report is not None and not store.report.is_whole:
            _say("damaged   `tablewright verify` says what; campaigns that are damaged are closed")
        if demo:
            for made in make_demos(store):
                _say(f"made      {made.title}")
        hosts = hosts_of(host, number)
        settings = Settings(hosts=hosts, proxies=proxies)
        prepare_process(settings.limits.sockets * 2)
        server, application = server_for(store, settings, log=log)
        address = f"http://{hosts[0]}/"
        token = application.state.context.host_token
        _say(f"address   {address}")
        _say(f"host      {address}#{token}" if token else "host      no room on the disk for a link")
        if public:
            _draw_code(address)
        _say("stop with Ctrl-C")
        try:
            server.run(sockets=[listening])
        except KeyboardInterrupt:
            _say("stopped")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _draw_code(address: str) -> None:
    """The address as something to point a phone at."""
    import segno  # noqa: PLC0415

    segno.make(address, micro=False).terminal(sys.stdout, compact=True)


def store_at(db: str | None) -> Store:
    """The database that a command names, without serving it."""
    from tablewright.table import open_store  # noqa: PLC0415  (loads the database)

    return open_store(db)
