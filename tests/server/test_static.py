"""The page is served as built; all of its addresses lead to it, and nothing outside its folder is served."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from tablewright.server.app import refusals
from tablewright.server.static import add_pages


class Asked:
    """An application that is asked without a server."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    def get(self, path: str, encodings: str = "identity") -> httpx.Response:
        """Response for an address."""

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
                return await client.get(path, headers={"Accept-Encoding": encodings})

        return asyncio.run(ask())


@pytest.fixture
def built(tmp_path: Path) -> Asked:
    """A page with a script."""
    (tmp_path / "secret.txt").write_text("no")
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Tablewright</title>")
    (folder / "assets" / "page-1.js").write_text("export {}")
    (folder / "assets" / "page-1.js.gz").write_bytes(gzip.compress(b"export {}"))
    app = FastAPI()
    add_pages(app, folder)
    refusals(app)
    return Asked(app)


@pytest.mark.parametrize("path", ["/", "/odds", "/c/abc/play", "/index.html"])
def test_every_address_of_the_page_is_the_page(built: Asked, path: str) -> None:
    answer = built.get(path)
    assert answer.text.startswith("<!doctype html>")
    assert answer.headers["cache-control"] == "no-cache"


def test_the_browser_keeps_its_assets(built: Asked) -> None:
    answer = built.get("/assets/page-1.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]


def test_a_compressed_copy_goes_to_anyone_who_accepts_it(built: Asked) -> None:
    for encodings, encoding in (("gzip, br", "gzip"), ("br", None), ("gzip;q=0", None), ("identity", None)):
        answer = built.get("/assets/page-1.js", encodings)
        assert answer.headers.get("content-encoding") == encoding
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.text == "export {}"


@pytest.mark.parametrize("path", ["/v1/nothing", "/assets/other.js", "/assets/../secret.txt"])
def test_nothing_else_is_there(built: Asked, path: str) -> None:
    answer = built.get(path)
    assert answer.status_code == 404 or answer.text.startswith("<!doctype html>")
    assert answer.text != "no"


def test_without_a_built_page_the_answer_says_how_to_build_it(tmp_path: Path) -> None:
    app = FastAPI()
    add_pages(app, tmp_path)
    assert "make web" in Asked(app).get("/").text
