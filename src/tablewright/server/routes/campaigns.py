"""Routes of campaigns: entering by a link, views, commands, undo and invitations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Annotated, Any
from unicodedata import combining, normalize

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from tablewright.game.character.sheet import sheet_json, sheet_markdown
from tablewright.server import schemas as models
from tablewright.server.admission import Route
from tablewright.server.callers import COOKIE, HOST_COOKIE, cookie_path
from tablewright.server.context import (
    CampaignId,
    Here,
    Host,
    HostOnly,
    Key,
    NeededKey,
    Seated,
    ask,
    asker_of,
)
from tablewright.table import (
    CreatedCampaign,
    NotFoundError,
    TokenRequest,
    export_campaign,
    export_seen,
    import_campaign,
)
from tablewright.table import advice as weighing

router = APIRouter(route_class=Route, tags=["campaigns"])

YEAR = 365 * 24 * 3600
NDJSON = "application/x-ndjson"
FILE = {"requestBody": {"required": True, "content": {NDJSON: {"schema": {"type": "string"}}}}}
After = Annotated[int, Query(ge=0, le=2**53)]
Most = Annotated[int, Query(ge=1, le=500)]


# ---------------------------------------------------------------------- entering


@router.post("/enter")
async def enter(body: models.EnterRequest, response: Response, here: Here, key: Key = None) -> dict[str, Any]:
    """Exchange the token of a link for a cookie; a link works once, an open invitation stays valid.

    With a key of at least 22 letters, a retry within ten minutes returns the same cookie.
    """
    host = await here.in_thread(lambda: here.store.exchange_host(body.token, key=key))
    if host is not None:
        _set(response, HOST_COOKIE, host, "/v1", secure=here.settings.secure)
        return {"host": True}
    cookie, entry = await here.in_thread(
        lambda: here.store.exchange(body.token, name=body.name, character=body.character, key=key)
    )
    _set(response, COOKIE, cookie, cookie_path(entry.table.id), secure=here.settings.secure)
    about = await here.in_thread(lambda: entry.table.seat(entry.seat))
    return {"host": False, "id": entry.table.id, **about}


@router.post("/campaigns/{campaign}/leave")
async def leave(
    campaign: CampaignId, request: Request, response: Response, key: NeededKey, here: Here
) -> dict[str, Any]:
    """Void this browser's cookie."""
    cookie = request.cookies.get(COOKIE)
    if cookie:
        await here.in_thread(lambda: here.store.leave(cookie))
    response.delete_cookie(COOKIE, path=cookie_path(campaign))
    return {}


def _set(response: Response, name: str, value: str, path: str, *, secure: bool) -> None:
    response.set_cookie(name, value, max_age=YEAR, path=path, httponly=True, samesite="strict", secure=secure)


# ---------------------------------------------------------------------- host


@router.get("/campaigns", dependencies=[HostOnly])
async def campaigns(here: Here) -> dict[str, Any]:
    """List every campaign; for the host only."""
    found = await here.in_thread(here.store.campaigns)
    return {"campaigns": [one._asdict() for one in found]}


@router.post("/campaigns", status_code=201)
async def make_campaign(body: models.NewCampaign, key: NeededKey, host: Host, here: Here) -> dict[str, Any]:
    """Create a campaign; the response has the link of its game master, which is shown only once."""
    asked = TokenRequest(host, key, f"make {body.model_dump_json()}")
    made = await here.in_thread(
        lambda: here.store.make_campaign(
            body.title, body.system, game_master=body.game_master, options=dict(body.options), asked=asked
        )
    )
    return {"id": made.table.id, "token": made.invitation.token}


@router.post("/campaigns/import", status_code=201, openapi_extra=FILE)
async def import_one(request: Request, key: NeededKey, host: Host, here: Here) -> dict[str, Any]:
    """Import a campaign from its file; the response has a link for its game master, which is shown only once.

    ``GET /v1/imports`` with the same key shows how far it is; others write to their tables meanwhile.
    """
    text = await request.body()
    total = text.count(b"\n")

    def note(done: int, of: int | None) -> None:
        here.imports[host, key] = (done, of or total)

    def bring() -> CreatedCampaign:
        asked = TokenRequest(host, key, f"import {sha256(text).hexdigest()}")
        return import_campaign(here.store, text, asked=asked, progress=note)

    note(0, None)
    try:
        made = await here.in_thread(bring)
    finally:
        here.imports.pop((host, key), None)
    return {"id": made.table.id, "token": made.invitation.token}


@router.get("/imports")
async def import_progress(
    host: Host, here: Here, key: Annotated[str, Query(min_length=1, max_length=100)]
) -> dict[str, Any]:
    """Progress of the import that the host sent under a key: lines done, and lines in all; null once it has ended."""
    found = here.imports.get((host, key))
    return {"progress": None if found is None else {"done": found[0], "total": found[1]}}


@router.post("/campaigns/{campaign}/link")
async def host_link(campaign: CampaignId, key: NeededKey, host: Host, here: Here) -> dict[str, Any]:
    """Create a new link for the game master's seat, for example after losing the old one."""
    asked = TokenRequest(host, key, "link")
    made = await here.in_thread(lambda: here.store.table(campaign).host_link("gm", asked=asked))
    return {"id": campaign, "token": made.token}


@router.post("/campaigns/{campaign}/rename")
async def rename(campaign: CampaignId, body: models.Titled, key: NeededKey, host: Host, here: Here) -> dict[str, Any]:
    """Rename a campaign; all its seats are notified."""
    asked = TokenRequest(host, key, f"rename {body.model_dump_json()}")
    title = await here.in_thread(lambda: here.store.table(campaign).rename(body.title, asked=asked))
    return {"id": campaign, "title": title}


@router.get("/campaigns/{campaign}/file", response_class=StreamingResponse, dependencies=[HostOnly])
async def whole_file(campaign: CampaignId, here: Here) -> StreamingResponse:
    """Export the whole campaign as one file with all its secrets, for backup or import."""
    title = await here.in_thread(lambda: here.store.table(campaign).title)  # refuses before sending
    return _file(export_campaign(here.store, campaign), title, campaign)


@router.post("/campaigns/{campaign}/remove")
async def remove(campaign: CampaignId, body: models.Titled, key: NeededKey, host: Host, here: Here) -> dict[str, Any]:
    """Delete a campaign for good, with its log, seats and links; ``title`` must match its title."""
    asked = TokenRequest(host, key, f"remove {campaign} {body.model_dump_json()}")
    await here.in_thread(lambda: here.store.remove_campaign(campaign, body.title, asked=asked))
    return {}


# ---------------------------------------------------------------------- views


@router.get("/campaigns/{campaign}", response_model=dict[str, Any])
async def view(sitter: Seated, here: Here, after: After = 0, most: Most = 500) -> Response:
    """Feed items of the seat after a cursor, and the current state of the table."""
    return await here.read(sitter.table, lambda: sitter.table.view(sitter.seat, after, most=most))


@router.get("/campaigns/{campaign}/lines", response_model=dict[str, Any])
async def lines(sitter: Seated, here: Here, after: After = 0, most: Most = 500) -> Response:
    """Feed items after a cursor with their entries, without the state."""
    return await here.read(sitter.table, lambda: sitter.table.history(sitter.seat, after, most=most))


@router.get("/campaigns/{campaign}/notes")
async def notes(
    sitter: Seated, here: Here, before: Annotated[str, Query(max_length=120)] | None = None, most: Most = 100
) -> dict[str, Any]:
    """The last notes that the seat may read, or those before one; ``older_notes`` is the number of older ones."""
    return await here.at_table(sitter.table, lambda: sitter.table.notes(sitter.seat, before, most=most))


@router.get("/campaigns/{campaign}/seat")
async def seat(sitter: Seated, here: Here) -> dict[str, Any]:
    """Data about the caller's seat, also while it waits for approval."""
    return await here.at_table(sitter.table, lambda: sitter.table.seat(sitter.seat))


@router.get("/campaigns/{campaign}/sheets/{who}")
async def sheet(sitter: Seated, here: Here, who: str) -> dict[str, Any]:
    """Sheet of a character, for its owner and the game master."""
    found = await here.at_table(sitter.table, lambda: sitter.table.sheet(sitter.seat, who[:120]))
    return {"sheet": sheet_json(found), "markdown": sheet_markdown(found)}


@router.get("/campaigns/{campaign}/encounters/{name}")
async def encounter(sitter: Seated, here: Here, name: str) -> dict[str, Any]:
    """A prepared encounter, for the game master only."""
    return await here.at_table(sitter.table, lambda: sitter.table.encounter(sitter.seat, name[:120]))


@router.get("/campaigns/{campaign}/log", response_class=PlainTextResponse)
async def log(sitter: Seated, here: Here) -> PlainTextResponse:
    """The log as the seat may read it, as Markdown: the recap of a session."""
    text = await here.at_table(sitter.table, lambda: _markdown(sitter))
    return PlainTextResponse(text, media_type="text/markdown; charset=utf-8")


def _markdown(sitter: Any) -> str:
    told: list[str] = [f"# {_escaped(sitter.table.seat(sitter.seat)['campaign'])}", ""]
    after = 0
    while found := sitter.table.lines(sitter.seat, after):
        after = found[-1]["number"]
        told += [f"- {_escaped(str(line['text']))}" for line in found if line.get("text")]
    return "\n".join(told) + "\n"


def _escaped(text: str) -> str:
    return "".join([f"\\{letter}" if letter in "\\`*_{}[]<>#|~" else letter for letter in text.replace("\n", " ")])


# ---------------------------------------------------------------------- odds and advice


@router.post("/campaigns/{campaign}/odds")
async def odds(body: models.CheckAt, request: Request, sitter: Seated, here: Here) -> dict[str, Any]:
    """Tally and exact odds of a check at the table, from what the seat may know; rolls nothing."""
    wanted = await here.at_table(
        sitter.table,
        lambda: sitter.table.check_wanted(sitter.seat, body.who, body.check, body.situation, plus=body.plus),
    )
    call = wanted.call
    asked = {"mechanic": call.mechanic.name, "arguments": call.mechanic.arguments_json(call)}
    whole = {**asked, "dice": None, "objective": None}
    exact = await here.workers.ask(await asker_of(request), "odds", whole)
    return weighing.told(wanted, exact)


@router.get("/campaigns/{campaign}/advice", response_model=dict[str, Any])
async def advice(request: Request, sitter: Seated, here: Here, first: bool = False) -> Response:
    """The value of each option of the open question, if the seat may answer it.

    ``first`` asks for what is known within a second; ``left_out`` then names the options that take longer.
    """
    asked = await here.at_table(sitter.table, lambda: sitter.table.question_wanted(sitter.seat))
    return await ask(here, request, "advice_at_table", {"asked": asked, "first": first})


@router.get("/campaigns/{campaign}/features", response_model=dict[str, Any])
async def features(request: Request, sitter: Seated, here: Here, odds: bool = True) -> Response:
    """Numbers that describe each option of the open question, for learned policies of the seat that may answer it."""
    asked = await here.at_table(sitter.table, lambda: sitter.table.question_wanted(sitter.seat))
    return await ask(here, request, "features_at_table", {"asked": asked, "odds": odds})


@router.post("/campaigns/{campaign}/ahead", response_model=dict[str, Any])
async def ahead(body: models.OptionsAhead, request: Request, sitter: Seated, here: Here) -> Response:
    """The choices that options of the open question lead to before any dice, for the seat that may answer it."""
    asked = await here.at_table(sitter.table, lambda: sitter.table.question_wanted(sitter.seat))
    return await ask(here, request, "follow_ups_at_table", {"asked": asked, "options": body.options})


@router.get("/campaigns/{campaign}/growth", response_model=dict[str, Any])
async def growth(request: Request, sitter: Seated, here: Here) -> Response:
    """The changes that each purchase of the open question makes to the sheet, for the seat that may answer it."""
    asked = await here.at_table(sitter.table, lambda: sitter.table.question_wanted(sitter.seat, odds=False))
    return await ask(here, request, "growth_at_table", {"asked": asked})


# ---------------------------------------------------------------------- commands


@router.post("/campaigns/{campaign}/act")
async def act(body: models.ActRequest, key: NeededKey, sitter: Seated, here: Here) -> dict[str, Any]:
    """Execute a command; the response comes when it is on disk. ``expected`` is the cursor that the seat has seen.

    A conflict error includes the current state and the feed items after that cursor.
    """
    return await here.act(sitter, body.command, key, body.expected, show=True)


@router.post("/campaigns/{campaign}/preview")
async def preview(body: models.PreviewRequest, sitter: Seated, here: Here) -> dict[str, Any]:
    """Preview of an undo or a changed line, and the code that confirms it."""
    return await here.at_table(sitter.table, lambda: sitter.table.preview(sitter.seat, body.command))


@router.get("/campaigns/{campaign}/asked/{line}")
async def asked(sitter: Seated, here: Here, line: Annotated[int, Path(ge=1, le=2**53)]) -> dict[str, Any]:
    """The question at a changeable line, with all its options; for the game master only."""
    return await here.at_table(sitter.table, lambda: sitter.table.asked_at(sitter.seat, line))


@router.post("/campaigns/{campaign}/invite")
async def invite(body: models.InviteRequest, key: NeededKey, sitter: Seated, here: Here) -> dict[str, Any]:
    """Create a link to the table; its token is shown only once."""
    asked = TokenRequest(sitter.cookie, key, f"invite {body.model_dump_json()}")
    made = await here.at_table(
        sitter.table, lambda: sitter.table.invite(sitter.seat, role=body.role, name=body.name, asked=asked)
    )
    return made._asdict()


@router.post("/campaigns/{campaign}/renew")
async def renew(body: models.Whose, key: NeededKey, sitter: Seated, here: Here) -> dict[str, Any]:
    """Create a new link for a seat; all older links and cookies become void."""
    asked = TokenRequest(sitter.cookie, key, f"renew {body.seat}")
    made = await here.at_table(sitter.table, lambda: sitter.table.renew(sitter.seat, body.seat, asked=asked))
    here.rooms.wake(sitter.table.id)
    return made._asdict()


@router.post("/campaigns/{campaign}/revoke")
async def revoke(body: models.Whose, key: NeededKey, sitter: Seated, here: Here) -> dict[str, Any]:
    """Void all links and cookies of a seat."""
    asked = TokenRequest(sitter.cookie, key, f"revoke {body.seat}")
    await here.at_table(sitter.table, lambda: sitter.table.revoke(sitter.seat, body.seat, asked=asked))
    here.rooms.wake(sitter.table.id)
    return {}


@router.get("/campaigns/{campaign}/export", response_class=StreamingResponse)
async def export(sitter: Seated, here: Here) -> StreamingResponse:
    """Export to one file: the whole campaign for a game master, the own feed for any other seat."""
    about = await here.at_table(sitter.table, lambda: sitter.table.seat(sitter.seat))
    if not about["approved"]:
        raise NotFoundError("there is no such campaign, or no seat of yours in it; open the link of your game master")
    is_master = about["role"] == "gm"
    pieces = export_campaign(here.store, sitter.table.id) if is_master else export_seen(sitter.table, sitter.seat)
    title = about["campaign"] if is_master else f"{about['campaign']} {about['name']}"
    return _file(pieces, title, sitter.table.id)


def _file(pieces: Iterable[str], title: str, otherwise: str) -> StreamingResponse:
    """File download, named after its title in ASCII letters."""
    plain = "".join(one for one in normalize("NFKD", title).lower() if not combining(one))
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or otherwise
    headers = {"Content-Disposition": f'attachment; filename="{name}.ndjson"'}
    return StreamingResponse(pieces, media_type=NDJSON, headers=headers)
