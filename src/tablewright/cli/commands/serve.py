"""``tablewright serve``: serve the table to browsers from this machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tablewright.cli.arguments.flags import Database
from tablewright.cli.arguments.text import whole_number
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.errors import InvalidInputError
from tablewright.extras import needs_extra

if TYPE_CHECKING:
    from tablewright.table import Store

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    *,
    db: Database = None,
    host: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Address to listen on (default: 127.0.0.1; with --public, this machine's)."
        ),
    ] = None,
    port: Annotated[str, typer.Option(metavar="N", help="Port to listen on.")] = "8000",
    public: Annotated[bool, typer.Option("--public", help="Accept connections from the network.")] = False,
    demo: Annotated[bool, typer.Option(help="Fill an empty database with one demo campaign per system.")] = True,
    address: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Public address behind a proxy, such as https://table.example.org/."),
    ] = None,
    proxy: Annotated[
        list[str] | None, typer.Option(metavar="ADDRESS", help="Trust the X-Forwarded-For header of this proxy.")
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Log every request as a line of JSON.")] = False,
) -> None:
    """Serve the table: campaigns, seats, live play and the web page."""
    with needs_extra("server"):
        from tablewright.server.demo import make_demos  # noqa: PLC0415  (loads the server)
        from tablewright.server.runner import (  # noqa: PLC0415
            EVERY_INTERFACE,
            LOOPBACK,
            bound,
            hosts_of,
            network_address,
            prepare_process,
            proxy_of,
            public_address,
            server_for,
        )
        from tablewright.server.settings import Settings  # noqa: PLC0415
        from tablewright.table import open_store  # noqa: PLC0415

    number = whole_number(port, "--port", 1, 65_535)
    behind = None if address is None else public_address(address)
    if host is None:
        host = (network_address() if public and behind is None else None) or LOOPBACK[0]
    if public and (host in LOOPBACK or (host in EVERY_INTERFACE and behind is None)):
        raise InvalidInputError(
            "--public needs the address of this machine in your network: --public --host 192.168.0.10"
        )
    if not public and host not in LOOPBACK:
        raise InvalidInputError(f"{host:.60} can be reached by others; say --public if that is meant")
    proxies = tuple([proxy_of(one) for one in proxy or ()])
    with bound(host, number) as listening, open_store(db, serve=True) as store:
        _say(f"database  {store.where}")
        if store.copied_to is not None:
            _say(f"copy      {store.copied_to} (before the migration)")
        if store.report is not None and not store.report.is_whole:
            _say("damaged   `tablewright verify` says what; campaigns that are damaged are closed")
        if demo:
            for made in make_demos(store):
                _say(f"made      {made.title}")
        hosts = hosts_of(host, number)
        if behind is not None:
            hosts = (behind.host, *hosts)
        settings = Settings(hosts=hosts, proxies=proxies, secure=behind is not None and behind.is_secure)
        prepare_process(settings.limits.sockets * 2)
        server, application = server_for(store, settings, log=log)
        printed = f"http://{hosts[0]}/" if behind is None else behind.url
        token = application.state.context.host_token
        _say(f"address   {printed}")
        _say(f"host      {printed}#{token}" if token else "host      no room on the disk for a link")
        if public or behind is not None:
            _draw_code(printed)
        _say("stop with Ctrl-C")
        try:
            server.run(sockets=[listening])
        except KeyboardInterrupt:
            _say("stopped")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _draw_code(address: str) -> None:
    """Print the address as a QR code."""
    import segno  # noqa: PLC0415

    segno.make(address, micro=False).terminal(sys.stdout, compact=True)


def store_at(db: str | None) -> Store:
    """Open the named database without serving it."""
    from tablewright.table import open_store  # noqa: PLC0415  (loads the database)

    return open_store(db)
