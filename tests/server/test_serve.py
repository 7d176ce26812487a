"""`tablewright serve` as a process of its own: what it prints, what it refuses, and that it goes on where it was."""

from __future__ import annotations

import io
import json
import re
import socket
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import pytest
import segno

from golden.runner import run_here
from patience import LIMIT
from server.serving import free_port, heard, process
from table.playing import group
from tablewright.server import runner
from tablewright.server.runner import hosts_of
from tablewright.table import open_store


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are looked up in /proc")
def test_no_socket_is_watched_by_io_uring(tmp_path: Path) -> None:
    """Libuv has aborted servers that used it while connections closed."""
    db = tmp_path / "tables.db"
    with open_store(db) as store, process(store, str(db)) as served:
        assert served.process is not None
        files = []
        for file in Path(f"/proc/{served.process.pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # closed since it was listed
                files.append(str(file.readlink()))
    assert any("eventpoll" in file for file in files)
    assert not any("io_uring" in file for file in files)


def test_a_server_prints_its_links_and_goes_on_where_it_was(tmp_path: Path) -> None:
    db = tmp_path / "tables.db"
    with open_store(db) as store:
        with process(store, str(db)) as served:
            g = group(store)
            said = dict(re.split(r" {2,}", line, maxsplit=1) for line in served.said[:-1])
            assert said["database"] == str(db)
            assert said["address"] == f"{served.url}/"
            link = said["host"].partition("#")
            assert link[0] == f"{served.url}/"
            host = served.client()
            assert host.post("/v1/enter", json={"token": link[2]}).json() == {"host": True}
            assert [one["title"] for one in host.get("/v1/campaigns").json()["campaigns"]] == ["The pantry"]
            assert served.client().post("/v1/enter", json={"token": link[2]}).status_code == 404, "it is used up"
            new = {"title": "New", "system": "coinfolk"}
            made = host.post("/v1/campaigns", json=new, headers={"Idempotency-Key": "new"}).json()
            status, _, error = run_here(["serve", "--db", str(db), "--port", str(free_port())], "")
            assert (status, "served already" in error) == (2, True)
            with pytest.raises(ConnectionRefusedError):  # without `--host` only the loopback's own address is open
                socket.create_connection(("127.0.0.2", served.port), timeout=LIMIT).close()
            anna, gm = (served.person(g.cookies[seat], g.table.id) for seat in (g.anna, g.gm))
            gm.done("scene.begin", scenario="together", bots={"bob": "careful", "vermin": "careful"})
            asked = anna.view()["question"]
            anna.done("answer", option=asked["options"][0]["id"], question=asked["id"])
            with anna.live() as line:
                seen = heard(line, "view")
            status, _, error = run_here(["backup", str(tmp_path / "copy.db"), "--db", str(db)], "")
            assert status == 0, error
            gm.done("note.write", text="after the copy")
        with process(store, str(db)) as served:
            browser = served.client()
            browser.headers["Cookie"] = f"tablewright_host={host.cookies['tablewright_host']}"
            same = browser.post("/v1/campaigns", json=new, headers={"Idempotency-Key": "new"}).json()
            assert same == made, "neither the host's cookie nor their keys end with the process"
            anna, gm = (served.person(g.cookies[seat], g.table.id) for seat in (g.anna, g.gm))
            with anna.live(after=seen["cursor"]) as line:
                now = heard(line, "view")
            assert now["question"] == seen["question"], "in the middle of a turn"
            assert [one["text"] for one in now["lines"]] == ["Gwen: after the copy"]
            lost = ["link", "The", "pantry", "--role", "gm", "--db", str(db), "--address", f"{served.url}/"]
            status, printed, error = run_here(lost, "")
            assert status == 0, error
            newly = served.enter(printed.strip().partition("#")[2])
            assert newly.view()["you"]["seat"] == g.gm
    with open_store(tmp_path / "copy.db") as copy:
        table = copy.table(g.table.id)
        assert table.view(g.anna)["question"] == seen["question"]
        assert "after the copy" not in str(table.view(g.gm)["notes"])
        assert table.is_as_the_log_says()


def test_the_demo_campaigns_are_made_once_and_logs_have_no_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The database is made on the first start, where `TABLEWRIGHT_DB` says."""
    db = tmp_path / "new" / "tables.db"
    monkeypatch.setenv("TABLEWRIGHT_DB", str(db))
    titles: list[list[str]] = []
    kept = ""
    for _ in range(2):
        with process(None, None, "--demo") as served:
            assert f"database  {db}" in served.said
            with open_store(db) as store:
                titles.append(sorted(one.system for one in store.campaigns()))
                token = store.table(store.campaigns()[0].id).host_link().token
            gm = served.enter(token)
            gm.done("throw", dice="2d6")
            assert served.client().post("/v1/enter", json={"token": "x" * 32}).status_code == 404
            served.client().get("/v1/campaigns/nothing?token=hidden")
        kept += capfd.readouterr().err
        for secret in (token, gm.cookies.partition("=")[2], "hidden"):
            assert secret not in kept
    assert titles[0] == titles[1] == [*sorted({*titles[0]})]
    assert {"marchen", "mars", "opend6", "renaissance", "stage"} <= {*titles[0]}


def test_every_request_is_a_line_of_the_log_without_secrets(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    db = str(tmp_path / "tables.db")
    with open_store(db) as store, process(store, db, "--no-demo", "--log") as served:
        link = next(line for line in served.said if line.startswith("host ")).partition("#")[2]
        host = served.client()
        host.post("/v1/enter", json={"token": link})
        g = group(store)
        gm = served.person(g.cookies[g.gm], g.table.id)
        gm.done("note.write", text="the cat is the queen", to="self", key="a-key-of-mine")
        token = gm.post("invite", {"role": "player", "name": "Zoe"}, key="another-key").json()["token"]
        assert served.client().get(f"{gm.base}?token={token}").status_code == 404
        assert served.client().get("/health", headers={"Host": "rebound.example"}).status_code == 421
        with gm.live() as line:
            heard(line, "view")
    said = capfd.readouterr().err
    lines = [json.loads(line) for line in said.splitlines()]
    told = [(line.get("method"), line.get("address"), line.get("status")) for line in lines]
    for wanted in (
        ("post", "/v1/enter", 200),
        ("post", "/v1/campaigns/{campaign}/act", 200),
        ("post", "/v1/campaigns/{campaign}/invite", 200),
        ("get", "/v1/campaigns/{campaign}", 404),
        ("get", "elsewhere", 421),
    ):
        assert wanted in told
    assert any(method == "websocket" and "live" in address for method, address, _ in told if address)
    assert all({"at", "level", "said"} <= set(line) for line in lines)
    for secret in (link, host.cookies["tablewright_host"], *g.cookies.values(), token, g.table.id, "queen", "a-key"):
        assert secret not in said
    for name in ("Zoe", "Gwen", "gwen", "token="):
        assert name not in said


def test_others_are_let_in_only_where_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "network_address", lambda: None)
    for words, told in (
        (("--host", "192.0.2.7"), "say --public"),
        (("--public",), "--public needs the address"),
        (("--public", "--host", "0.0.0.0"), "--public needs the address"),
        (("--address", "table.example.org"), "invalid address"),
        (("--address", "https://table.example.org/path"), "without a path"),
        (("--address", "https://table.example.org:port/"), "invalid address"),
        (("--port", "0"), "--port"),
    ):
        status, _, error = run_here(["serve", "--db", str(tmp_path / "tables.db"), *words], "")
        assert status == 2
        assert told in error
    assert not (tmp_path / "tables.db").exists()


def pixels(line: str) -> list[str]:
    """The two rows of a code that a line of half blocks draws, as digits: 1 is dark."""
    return ["".join(["01"[letter in dark] for letter in line]) for dark in (" ▄", " ▀")]


def test_in_public_the_address_is_drawn_and_only_it_is_answered(tmp_path: Path) -> None:
    """127.0.0.2 stands for the address of this machine in a network: it is none of the loopback's names."""
    db = str(tmp_path / "tables.db")
    with open_store(db) as store, process(store, db, "--public", "--no-demo", host="127.0.0.2") as served:
        assert f"address   http://127.0.0.2:{served.port}/" in served.said
        drawn = [row for line in served.said if re.search("[▀▄█]", line) for row in pixels(line)]
        code = io.StringIO()
        segno.make(f"http://127.0.0.2:{served.port}/", micro=False).save(code, kind="txt", border=4)
        wanted = [row for row in code.getvalue().splitlines() if "1" in row]
        assert [row for row in drawn if "1" in row][: len(wanted)] == wanted, "it leads to the printed address"
        client = served.client()
        assert client.get("/health").status_code == 200
        for other in (f"127.0.0.1:{served.port}", f"localhost:{served.port}", "127.0.0.2", "rebound.example"):
            assert client.get("/health", headers={"Host": other}).status_code == 421, other


@pytest.mark.parametrize(
    ("host", "port", "hosts"),
    [
        ("127.0.0.1", 8000, ("127.0.0.1:8000", "localhost:8000")),
        ("192.168.0.10", 8000, ("192.168.0.10:8000",)),
        ("fd00::1", 8000, ("[fd00::1]:8000",)),
        ("192.168.0.10", 80, ("192.168.0.10:80", "192.168.0.10")),
        ("0.0.0.0", 8000, ("127.0.0.1:8000", "localhost:8000")),
    ],
)
def test_the_names_that_are_printed_are_those_that_are_answered(host: str, port: int, hosts: tuple[str, ...]) -> None:
    assert hosts_of(host, port) == hosts


def test_behind_a_proxy_the_public_address_is_printed_answered_and_kept_to_https(tmp_path: Path) -> None:
    db = str(tmp_path / "tables.db")
    words = ("--no-demo", "--address", "https://table.example.org", "--proxy", "127.0.0.1")
    with open_store(db) as store, process(store, db, *words) as served:
        (link,) = [line.split()[1] for line in served.said if line.startswith("host ")]
        assert link.startswith("https://table.example.org/#")
        assert any(re.search("[▀▄█]", line) for line in served.said)
        client = served.client()
        sent = {"Host": "table.example.org", "Origin": "https://table.example.org", "X-Forwarded-Proto": "https"}
        entered = client.post("/v1/enter", json={"token": link.partition("#")[2]}, headers=sent)
        assert entered.json() == {"host": True}
        assert "; Secure" in entered.headers["set-cookie"]
        other = sent | {"Origin": "https://elsewhere.example"}
        assert client.post("/v1/enter", json={"token": "x"}, headers=other).status_code == 403
        assert client.get("/health").status_code == 200, "for a check on the machine itself"


def test_the_address_in_the_network_is_one_that_others_can_reach() -> None:
    found = runner.network_address()
    assert found is None or not ip_address(found).is_loopback


def test_in_public_the_machine_finds_its_own_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """192.0.2.7 is not an address of this machine, so that listening at it is refused by name."""
    monkeypatch.setattr(runner, "network_address", lambda: "192.0.2.7")
    status, _, error = run_here(["serve", "--public", "--db", str(tmp_path / "tables.db")], "")
    assert (status, "192.0.2.7:8000 cannot be used" in error) == (2, True)
