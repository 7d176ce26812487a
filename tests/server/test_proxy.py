"""A table behind a real reverse proxy with TLS: links, cookies and the live feed work under the public address."""

from __future__ import annotations

import json
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from patience import LIMIT, wait_until
from server.serving import Served, free_port, process
from table.drawing import drawn
from tablewright.table import open_store

PAGE = Path(__file__).parents[2] / "docs" / "internet.md"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")

pytestmark = pytest.mark.skipif(not NGINX or not shutil.which("openssl"), reason="needs nginx and openssl")


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[tuple[Served, str, ssl.SSLContext]]:
    """A server behind nginx, set up as the page on play over the internet says; its address and a context for TLS."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*words.split(), *files], check=True, capture_output=True)
    port = free_port()
    address = f"https://localhost:{port}"
    db = str(tmp_path / "tables.db")
    said = ("--no-demo", "--address", address, "--proxy", "127.0.0.1")
    with open_store(db) as store, process(store, db, *said) as served:
        (shown,) = re.findall(r"^```nginx\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        site = (
            shown.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
            .replace("table.example.org;", "localhost;")
            .replace("/etc/ssl/table.pem", str(certificate))
            .replace("/etc/ssl/table.key", str(key))
            .replace("127.0.0.1:8000", f"127.0.0.1:{served.port}")
        )
        names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        folders = "".join([f"{name}_temp_path {tmp_path / name};\n" for name in names])
        config = tmp_path / "nginx.conf"
        config.write_text(
            f"daemon off;\npid {tmp_path / 'pid'};\nerror_log {tmp_path / 'errors'};\n"
            f"events {{}}\nhttp {{\naccess_log off;\n{folders}{site}}}\n"
        )
        running = subprocess.Popen([str(NGINX), "-c", str(config), "-e", str(tmp_path / "errors")])
        trusted = ssl.create_default_context(cafile=str(certificate))

        def answers() -> bool:
            try:
                return httpx.get(f"{address}/health", verify=trusted, timeout=LIMIT).status_code == 200
            except httpx.TransportError:
                return False

        try:
            wait_until(answers, "the proxy answers")
            yield served, address, trusted
        finally:
            running.terminate()
            running.wait(LIMIT)


def test_links_cookies_and_the_live_feed_work_behind_tls(behind: tuple[Served, str, ssl.SSLContext]) -> None:
    served, address, trusted = behind
    (link,) = [line.split()[1] for line in served.said if line.startswith("host ")]
    assert link.startswith(f"{address}/#")
    with httpx.Client(base_url=address, verify=trusted, headers={"Origin": address}, timeout=LIMIT) as browser:
        entered = browser.post("/v1/enter", json={"token": link.partition("#")[2]})
        assert entered.json() == {"host": True}
        assert "; Secure" in entered.headers["set-cookie"]
        key, new = {"Idempotency-Key": "1"}, {"title": "Behind a proxy", "system": "coinfolk"}
        browser.post("/v1/campaigns", json=new, headers=key)
        campaign = browser.get("/v1/campaigns").json()["campaigns"][0]["id"]
        token = browser.post(f"/v1/campaigns/{campaign}/link", json={"role": "gm"}, headers=key).json()["token"]
        assert browser.post("/v1/enter", json={"token": token}).json()["role"] == "gm"
        binary = {"Content-Type": "application/octet-stream", "Idempotency-Key": "2"}
        picture = browser.post(f"/v1/campaigns/{campaign}/pictures", content=drawn(), headers=binary).json()["id"]
        assert browser.get(f"/v1/campaigns/{campaign}/pictures/{picture}").headers["content-type"] == "image/webp"
        cookies = "; ".join([f"{cookie.name}={cookie.value}" for cookie in browser.cookies.jar])
        live = f"wss://{address.partition('://')[2]}/v1/campaigns/{campaign}/live?after=0"
        sent, origin = {"Cookie": cookies}, Origin(address)
        with connect(live, ssl=trusted, origin=origin, additional_headers=sent, open_timeout=LIMIT) as feed:
            kinds = {json.loads(feed.recv(timeout=LIMIT))["type"] for _ in range(2)}
        assert kinds == {"presence", "view"}
