"""Static files of the web page, as built into the package; all other addresses return the page itself.

The build writes compressed copies beside each text file (``.br``, ``.gz``); a client gets the smallest that it accepts.
"""

from __future__ import annotations

import mimetypes
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response

from tablewright.table import NotFoundError

BUILT = Path(__file__).parent / "web"
FOREVER = "public, max-age=31536000, immutable"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
"""Encodings by preference, with the suffix of the compressed copy."""


def add_pages(app: FastAPI, folder: Path = BUILT) -> None:
    """Serve the built page, or a hint on how to build it."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}

    def sent(path: str, request: Request, cache: str, kind: str | None) -> FileResponse:
        accepted = accepted_encodings(request.headers.get("accept-encoding", ""))
        headers = {"Cache-Control": cache}
        file = files[path]
        copies = [(name, files[path + suffix]) for name, suffix in ENCODINGS if path + suffix in files]
        if copies:
            headers["Vary"] = "Accept-Encoding"
        for name, copy in copies:
            if name in accepted:
                headers["Content-Encoding"] = name
                file = copy
                break
        return FileResponse(file, media_type=kind, headers=headers)

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        if path.startswith("v1/") or path == "v1":
            raise NotFoundError("there is nothing at this address")
        if path in files and path != "index.html":
            kind = TYPES.get(Path(path).suffix) or mimetypes.guess_type(path)[0]
            return sent(path, request, FOREVER if path.startswith("assets/") else "no-cache", kind)
        if path.startswith("assets/"):
            raise NotFoundError("there is nothing at this address")
        if "index.html" not in files:
            return PlainTextResponse("The web page is not built; make web builds it. The API is under /v1.\n")
        return sent("index.html", request, "no-cache", "text/html")


def accepted_encodings(header: str) -> frozenset[str]:
    """Encodings that a client accepts; one with weight 0 is refused.

    >>> sorted(accepted_encodings("gzip, br;q=0.5, zstd;q=0"))
    ['br', 'gzip']
    """
    found = set()
    for part in header.lower()[:500].split(","):
        name, _, weight = part.partition(";")
        if weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000"):
            found.add(name.strip())
    return frozenset(found - {""})
