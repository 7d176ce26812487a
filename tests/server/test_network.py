"""A second machine in the local network: a network namespace joins by the link and uploads a picture."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from patience import LIMIT
from server.serving import process
from table.drawing import drawn
from tablewright.table import open_store

IP = shutil.which("ip") or shutil.which("ip", path="/usr/sbin:/sbin")

GUEST = """
import json, sys
import httpx
from websockets.sync.client import connect

address, _, token = sys.argv[1].partition("/#")
with httpx.Client(base_url=address, timeout=float(sys.argv[3])) as browser:
    me = browser.post("/v1/enter", json={"token": token}, headers={"Origin": address}).json()
    here = f"/v1/campaigns/{me['id']}"
    headers = {"Content-Type": "application/octet-stream", "Idempotency-Key": "1"}
    sent = browser.post(f"{here}/pictures", content=open(sys.argv[2], "rb").read(), headers=headers)
    shown = browser.get(f"{here}/pictures/{sent.json()['id']}")
    cookies = "; ".join([f"{one.name}={one.value}" for one in browser.cookies.jar])
    live = f"ws{address.removeprefix('http')}{here}/live?after=0"
    with connect(live, additional_headers={"Cookie": cookies}, open_timeout=float(sys.argv[3])) as feed:
        kinds = {json.loads(feed.recv(timeout=float(sys.argv[3])))["type"] for _ in range(2)}
    page = browser.get("/").status_code
print(json.dumps({"role": me["role"], "picture": shown.headers["content-type"], "kinds": sorted(kinds), "page": page}))
"""


def ip(*words: str) -> None:
    """Change the network of this machine."""
    subprocess.run([str(IP), *words], check=True, capture_output=True)


@pytest.fixture
def neighbour() -> Iterator[tuple[str, str]]:
    """A namespace with a cable to this machine: its name, and the address of this machine in the cable."""
    number = os.getpid()
    name, here, there = f"tw-{number}", f"twa{number}", f"twb{number}"
    network = f"10.231.{number % 250}"
    try:
        ip("netns", "add", name)
    except (subprocess.CalledProcessError, FileNotFoundError, PermissionError):
        pytest.skip("needs the right to make network namespaces")
    try:
        ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name)
        ip("address", "add", f"{network}.1/30", "dev", here)
        ip("link", "set", here, "up")
        ip("-n", name, "address", "add", f"{network}.2/30", "dev", there)
        ip("-n", name, "link", "set", there, "up")
        yield name, f"{network}.1"
    finally:
        ip("netns", "del", name)  # the cable goes with it


@pytest.mark.skipif(IP is None, reason="needs ip")
def test_a_second_machine_joins_by_the_link(neighbour: tuple[str, str], tmp_path: Path) -> None:
    name, address = neighbour
    db, picture = str(tmp_path / "tables.db"), tmp_path / "picture.png"
    picture.write_bytes(drawn())
    with open_store(db) as store, process(store, db, "--public", "--no-demo", host=address) as served:
        (link,) = [line.split()[1] for line in served.said if line.startswith("host ")]
        assert link.startswith(f"http://{address}:{served.port}/#")
        table = store.make_campaign("Across the street", "mars", game_master="Gwen").table
        token = table.invite("gwen", name="Petra").token
        command = [str(IP), "netns", "exec", name, sys.executable, "-c", GUEST]
        command += [f"{link.partition('#')[0]}#{token}", str(picture), str(LIMIT)]
        came = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)
        assert came.returncode == 0, came.stderr
        told = json.loads(came.stdout)
    assert told == {"role": "player", "picture": "image/webp", "kinds": ["presence", "view"], "page": 200}
