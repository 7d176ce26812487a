"""A server that is killed, forked quickly from a process that has everything imported."""

from __future__ import annotations

import asyncio

from table import dying
from tablewright.server.runner import bound, server_for
from tablewright.server.settings import Limits, Settings
from tablewright.table import open_store

LIMITS = Limits(requests_a_second=100_000, burst=100_000, burst_bytes=10**9)


def serve(where: str, port: int) -> None:
    """Serve a database until killed; no one asks for odds, so no process works them out."""
    store = open_store(where, serve=True)
    server, _ = server_for(store, Settings(hosts=(f"127.0.0.1:{port}",), workers=0, limits=LIMITS))
    listening = bound("127.0.0.1", port)

    async def run() -> None:
        serving = asyncio.create_task(server.serve([listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        dying.say("ready")
        await serving

    asyncio.run(run())


def nursery() -> None:
    """Bear one server after the other."""
    dying.nursery(serve)
