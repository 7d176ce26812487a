"""Routes of pictures: upload, and download by seats that may see them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from tablewright.server.admission import Route
from tablewright.server.context import Here, NeededKey, Seated, asker_of
from tablewright.table.pictures import MEDIA, EncodedPicture, Use

router = APIRouter(route_class=Route, tags=["campaigns"])

BYTES = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
HEADERS = {
    "Cache-Control": "private, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Content-Disposition": "inline; filename=picture.webp",
}
"""Headers of a picture: a browser keeps it for good, and runs nothing in it."""

PictureId = Annotated[str, Path(pattern=r"^[0-9a-f]{40}$")]


@router.post("/campaigns/{campaign}/pictures", status_code=201, openapi_extra=BYTES)
async def upload(
    request: Request, key: NeededKey, sitter: Seated, here: Here, use: Annotated[Use, Query()] = "handout"
) -> dict[str, Any]:
    """Upload a picture: PNG, JPEG, WebP or GIF as raw bytes. It is stored as WebP, without metadata.

    ``use`` sets the size: a portrait is at most 512 pixels long, a handout 1,600 and a map 2,048.
    """
    data = await request.body()
    asked = {"data": data, "use": use}
    limit = here.settings.limits.picture_seconds
    found = await here.workers.ask(await asker_of(request), "picture", asked, limit)
    picture = EncodedPicture(**found)
    return await here.at_table(
        sitter.table, lambda: sitter.table.add_picture(sitter.seat, picture, key=key, cookie=sitter.cookie)
    )


@router.get("/campaigns/{campaign}/pictures/{picture}", response_class=Response)
async def picture(sitter: Seated, here: Here, picture: PictureId) -> Response:
    """A picture as WebP, if the seat may see it."""
    data = await here.at_table(sitter.table, lambda: sitter.table.picture(sitter.seat, picture))
    return Response(data, media_type=MEDIA, headers=HEADERS)
