"""Routes of the way in: what a visitor finds at home, what a link leads to, and a fight to try."""

from __future__ import annotations

from contextlib import suppress
from itertools import groupby
from typing import Any

import segno
from fastapi import APIRouter, Request

from tablewright.errors import TablewrightError
from tablewright.server import schemas as models
from tablewright.server.admission import Route
from tablewright.server.context import Context, Here, Host, NeededKey, is_host
from tablewright.server.demo import start_demo_fight
from tablewright.table import TokenRequest

router = APIRouter(route_class=Route, tags=["campaigns"])

MOST_LOOKED_AT = 12
"""Upper bound for the tables whose open scene is shown in the host's list: those played last."""


@router.get("/lobby")
async def lobby(request: Request, here: Here) -> dict[str, Any]:
    """True if the caller is the host; for the host also every campaign, the last played first, with its open scene."""
    if not await is_host(request):
        return {"host": False, "campaigns": []}
    return {"host": True, "campaigns": await here.in_thread(lambda: _campaigns(here))}


def _campaigns(here: Context) -> list[dict[str, Any]]:
    found = []
    for place, one in enumerate(here.store.campaigns()):
        plain = one._asdict() | {"scene": None}
        if place < MOST_LOOKED_AT and one.closed is None:
            with suppress(TablewrightError):  # a damaged table is listed without its scene
                plain["scene"] = here.store.table(one.id).overview()
        found.append(plain)
    return found


@router.post("/link")
async def look_at_link(body: models.LinkRequest, here: Here) -> dict[str, Any]:
    """Look at a link without using it up: table, game, game master and free characters."""
    return await here.in_thread(lambda: here.store.look_at_link(body.token))


@router.post("/link/code")
async def link_code(body: models.LinkRequest, request: Request, here: Here) -> dict[str, Any]:
    """Draw a link as a QR code: modules per side, and an SVG path of the dark ones.

    The link leads to the origin of the request; its token is neither checked nor used up.
    """
    origin = request.headers.get("origin") or f"{request.url.scheme}://{request.headers['host']}"
    return await here.in_thread(lambda: _drawn(f"{origin}/#{body.token}"))


def _drawn(address: str) -> dict[str, Any]:
    code = segno.make(address, micro=False)
    runs = []
    for y, row in enumerate(code.matrix):
        x = 0
        for is_dark, cells in groupby(row):
            width = len(list(cells))
            runs += [f"M{x} {y}h{width}v1h-{width}z"] if is_dark else []
            x += width
    return {"size": len(code.matrix), "path": "".join(runs)}


@router.post("/campaigns/demo", status_code=201)
async def demo(body: models.DemoRequest, key: NeededKey, host: Host, here: Here) -> dict[str, Any]:
    """Begin a demo fight in a campaign of its own; the response has the link of its game master."""
    asked = TokenRequest(host, key, f"demo {body.model_dump_json()}")
    made = await here.in_thread(lambda: start_demo_fight(here.store, body.system, body.scenario, asked))
    return {"id": made.table.id, "token": made.invitation.token}
