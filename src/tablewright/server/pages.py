"""The web page, as it was built into the package; every address that is no other is the page's own."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, PlainTextResponse, Response

from tablewright.table import NotFound

BUILT = Path(__file__).parent / "web"
FOREVER = "public, max-age=31536000, immutable"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}


def add_pages(app: FastAPI, folder: Path = BUILT) -> None:
    """Serve the built page; without one there is a line that says how to build it."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str) -> Response:
        if path.startswith("v1/") or path == "v1":
            raise NotFound("there is nothing at this address")
        if path in files and path != "index.html":
            lasting = {"Cache-Control": FOREVER} if path.startswith("assets/") else None
            kind = TYPES.get(Path(path).suffix) or mimetypes.guess_type(path)[0]
            return FileResponse(files[path], media_type=kind, headers=lasting)
        if path.startswith("assets/"):
            raise NotFound("there is nothing at this address")
        if "index.html" not in files:
            return PlainTextResponse("The web page is not built; make web builds it. The API is under /v1.\n")
        return FileResponse(files["index.html"], media_type="text/html", headers={"Cache-Control": "no-cache"})
