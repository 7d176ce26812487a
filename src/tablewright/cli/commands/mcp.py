"""``tablewright mcp``: serve tools for language models by the Model Context Protocol."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tablewright.cli.arguments.text import whole_number
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.errors import InvalidInputError

app = typer.Typer(rich_markup_mode=None, add_completion=False)

PORT = "8765"
LOOPBACK = "127.0.0.1"


@app.command(cls=TextCommand)
def command(
    *,
    http: Annotated[
        bool, typer.Option("--http", help="Serve streamable HTTP instead of standard input and output.")
    ] = False,
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Address to listen on with --http (default: 127.0.0.1).")
    ] = None,
    port: Annotated[
        str | None, typer.Option(metavar="N", help=f"Port to listen on with --http (default: {PORT}).")
    ] = None,
) -> None:
    """Serve tools for language models: rules, odds, characters, fights, seats at live tables.

    A client such as an editor or a chat program starts this command itself and speaks to it by standard input.
    """
    if not http and (host is not None or port is not None):
        raise InvalidInputError("--host and --port go with --http; without it a client speaks by standard input")
    number = whole_number(port or PORT, "--port", 1, 65_535)
    from tablewright.agents.mcp.server import make_server  # noqa: PLC0415  (an extra)

    server = make_server()
    if http:
        where = host or LOOPBACK
        sys.stderr.write(f"MCP at http://{where}:{number}/mcp; stop with Ctrl+C\n")
        sys.stderr.flush()
        server.run("streamable-http", host=where, port=number)
    else:
        server.run("stdio")
