"""Clients that try to use the server up: large bodies, forged cookies, half-sent requests, many simulations."""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request

from golden.runner import run_here
from patience import LIMIT, wait_until
from server.serving import Served, heard, serving
from tablewright.errors import InvalidInputError
from tablewright.game.scenario.loader import load_scenario
from tablewright.lab.fights.job import job_of
from tablewright.server.admission import _TEXT, check_shape
from tablewright.server.http_protocol import http_protocol
from tablewright.server.middleware import RateLimiter
from tablewright.server.problems import BusyError
from tablewright.server.settings import Limits
from tablewright.server.simulations import SimulationJobs
from tablewright.server.worker_pool import Asker, WorkerPool, _written

JSON = {"Content-Type": "application/json", "Idempotency-Key": "large"}
DICE: dict[str, Any] = {"mechanic": None, "dice": "d6", "arguments": {}, "objective": None}


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths whose bodies were decoded."""
    found: list[str] = []
    decode = Request.json

    async def watched(self: Request) -> Any:
        found.append(self.url.path)
        return await decode(self)

    monkeypatch.setattr(Request, "json", watched)
    return found


def nested(size: int) -> bytes:
    """A body of many empty lists."""
    return b'{"command": [' + b",".join([b"[]"] * (size // 3)) + b"]}"


# ---------------------------------------------------------------------- bodies


@pytest.mark.parametrize("path", ["act", "preview", "invite", "odds", "rename"])
def test_a_body_without_access_is_never_decoded(served: Served, decoded: list[str], path: str) -> None:
    campaign = served.campaign().campaign
    decoded.clear()
    for body in (nested(60_000), b"{}"):
        answer = served.client().post(f"/v1/campaigns/{campaign}/{path}", content=body, headers=JSON)
        assert answer.status_code in (403, 404)
    forged = {**JSON, "Cookie": "tablewright_seat=made-up; tablewright_host=made-up"}
    assert served.client().post(f"/v1/campaigns/{campaign}/{path}", content=b"{}", headers=forged).status_code >= 403
    assert decoded == []


def test_many_values_are_refused_before_they_are_decoded(served: Served, decoded: list[str]) -> None:
    gm, limits = served.campaign(), Limits()
    decoded.clear()
    for client, path in ((served.client(), "/v1/characters"), (gm.client, f"{gm.base}/act")):
        answer = client.post(path, content=nested(3 * limits.body_values), headers=JSON)
        assert answer.status_code == 422
        assert f"at most {limits.body_values:,}" in answer.json()["detail"]
        deep = client.post(path, content=b'{"a":' * 200 + b"1" + b"}" * 200, headers=JSON)
        assert deep.status_code == 422
        assert f"more than {limits.body_depth} levels" in deep.json()["detail"]
    assert decoded == []
    assert gm.act("throw", dice="d6").status_code == 200
    assert decoded == [f"{gm.base}/act"]


@pytest.mark.parametrize(
    ("path", "most"),
    [("/v1/odds", 64_000), ("/v1/enter", 64_000), ("/v1/campaigns/x/act", 400_000), ("/v1/packs", 2_000_000)],
)
def test_every_route_has_a_bound_of_its_own(served: Served, path: str, most: int) -> None:
    answer = served.client().post(path, content=b" " * (most + 1), headers=JSON)
    assert answer.status_code == 413
    assert f"{most:,}" in answer.json()["detail"]
    assert served.client().post(path, content=b" " * most, headers=JSON).status_code != 413


def test_a_pack_of_the_largest_size_still_arrives(served: Served) -> None:
    gm = served.campaign()
    text = "# " + "ä," * 99_990 + "\n"
    answer = gm.act("pack.add", pack=text)
    assert answer.status_code == 422, "it is no pack, but it was read"
    assert "pack" in answer.json()["detail"]


def test_marks_within_a_text_are_no_values() -> None:
    limits = Limits(body_values=6, body_depth=2)
    assert check_shape(b'{"a": "[[[,,,:\\"[[[", "b": [1]}', limits) == 6
    for bad in (b"[1,2,3,4,5,6]", b'{"a":[[{"b":1}]]}', b"[" * 5, b"]" * 5):
        with pytest.raises(InvalidInputError):
            check_shape(bad, limits)


def test_a_text_without_an_end_is_walked_once() -> None:
    assert len(_TEXT.findall(b'"' + b'\\"' * 1_000)) == 1
    assert len(_TEXT.findall(b'"' + b'\\"' * 1_000 + b"\\")) == 1


def test_bytes_and_values_are_counted_in_the_rate_limit(tmp_path: Path) -> None:
    few = Limits(bytes_a_second=0.001, burst_bytes=10_000, value_bytes=50)
    with serving(tmp_path, few) as served:
        client = served.client()
        ask = {"mechanic": "no.such", "arguments": {}}
        assert client.post("/v1/odds", json=ask | {"objective": "x" * 100}).status_code == 422
        assert client.post("/v1/odds", content=nested(600), headers=JSON).status_code == 422, "over the limit by this"
        refused = client.post("/v1/odds", json=ask)
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        assert client.get("/v1/systems").status_code == 200, "nothing is sent with it"


def test_an_amount_may_exceed_what_is_left_once() -> None:
    now = 0.0
    rates = RateLimiter(rate=10, burst=100, clock=lambda: now)
    assert [rates.wait("a", 150), rates.wait("a", 1)] == [None, 5]
    now = 5.1
    assert [rates.wait("a", 0), rates.wait("a", 1)] == [None, None]


def test_a_seat_is_limited_wherever_it_sends_from(tmp_path: Path) -> None:
    limits = Limits(requests_a_second=0.001, burst=9, messages_a_second=0.001, messages_at_once=3)
    with serving(tmp_path, limits, proxies=("127.0.0.1",)) as served:
        gm = served.campaign()
        away: list[dict[str, Any]] = [{"X-Forwarded-For": f"198.51.100.{number}"} for number in range(10)]
        answers = [gm.client.get(f"{gm.base}/seat", headers=one).status_code for one in away]
        assert answers == [200] * 9 + [429]
        assert gm.client.get("/v1/systems", headers=away[0]).status_code == 200, "the address may still ask"
        with ExitStack() as stack:
            lines = [stack.enter_context(gm.live(**one)) for one in away[:4]]
            for line in lines:
                line.send('{"type": "ping", "id": "1"}')
            told = [heard(line, "pong", "problem") for line in lines]
        assert sorted([one["type"] for one in told]) == ["pong", "pong", "pong", "problem"]
        assert [one["id"] for one in told] == ["1"] * 4, "also what is refused is told under its id"


# ---------------------------------------------------------------------- questions and simulations


def test_a_cookie_that_opens_nothing_makes_no_client(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Asker] = []

    async def note(client: Asker, *_: Any) -> bytes:
        asked.append(client)
        return b"{}"

    monkeypatch.setattr(served.app.state.context.workers, "ask_text", note)
    client = served.client()
    for cookie in (
        "tablewright_seat=a",
        "tablewright_seat=b",
        "tablewright_host=c",
        "",
        "tablewright_seat=" + "x" * 999,
    ):
        assert client.post("/v1/odds", json={"dice": "d6"}, headers={"Cookie": cookie}).status_code == 200
    assert set(asked) == {Asker("address 127.0.0.1", "127.0.0.1", is_known=False)}
    gm = served.campaign()
    client.post("/v1/odds", json={"dice": "d6"}, headers={"Cookie": gm.cookies})
    assert asked[-1].is_known
    assert gm.campaign in asked[-1].id


async def outcomes(workers: WorkerPool, askers: list[Asker]) -> list[str]:
    """Outcomes of questions that are never answered: they wait, or are refused at once."""
    tasks = [asyncio.create_task(workers.ask(one, "odds", DICE)) for one in askers]
    await asyncio.sleep(0)
    found = ["waits" if not task.done() else type(task.exception()).__name__ for task in tasks]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return found


def test_questions_are_bounded_for_an_address_and_for_all_strangers() -> None:
    limits = Limits(odds_at_once=1, odds_of_address=2, odds_of_strangers=3, odds_waiting=5)
    seats = [Asker(f"seat {number}", "home", is_known=True) for number in range(3)]
    strangers = [Asker(f"address {number}", f"{number}", is_known=False) for number in range(4)]
    other = Asker("seat at work", "work", is_known=True)

    async def both() -> tuple[list[str], list[str], list[str]]:
        one, two = WorkerPool(0, limits), WorkerPool(0, limits)
        at_home = await outcomes(one, seats)
        again = await outcomes(one, seats)  # those that were cancelled are counted no more
        return at_home, again, await outcomes(two, [*strangers, other])

    at_home, again, mixed = asyncio.run(both())
    assert at_home == again == ["waits", "waits", "BusyError"]
    assert mixed == ["waits", "waits", "waits", "BusyError", "waits"]


def test_simulations_of_strangers_leave_a_place() -> None:
    class Endless(WorkerPool):
        """A process that never comes to an end."""

        async def ask(self, client: Asker, question: str, body: dict[str, Any], *_: Any, **__: Any) -> Any:
            if question != "job":
                await asyncio.Event().wait()
            return {"text": text, "chunks": 1}

    text = job_of(load_scenario("coinfolk:together"), runs=10, seed=1).to_text()

    async def started() -> list[str]:
        jobs = SimulationJobs(Limits(jobs=4, jobs_at_once=2, jobs_of_strangers=3))
        jobs._workers = Endless(0, jobs.limits)
        found = [await begun(jobs, Asker(owner, owner, is_known=False)) for owner in ("a", "a", "a", "b", "c")]
        found.append(await begun(jobs, Asker("seat", "a", is_known=True)))
        jobs.stop()
        return found

    async def begun(jobs: SimulationJobs, owner: Asker) -> str:
        try:
            await jobs.start(owner, {}, None)
        except BusyError:
            return "busy"
        return "begun"

    assert asyncio.run(started()) == ["begun", "begun", "busy", "begun", "busy", "begun"]


def test_many_outcomes_are_told_by_pages(served: Served) -> None:
    client = served.client()
    refused = client.post("/v1/odds", json={"dice": "200d100"})
    assert refused.status_code == 422
    assert "19,801 outcomes" in refused.json()["detail"]
    assert "after and most" in refused.json()["detail"]
    pages = [client.post("/v1/odds", json={"dice": "20d6", "after": after, "most": 40}).json() for after in (0, 40, 80)]
    whole = client.post("/v1/odds", json={"dice": "20d6"}).json()
    assert [row for page in pages for row in page["outcomes"]] == whole["outcomes"]
    assert [page["page"] for page in pages] == [{"after": after, "of": 101} for after in (0, 40, 80)]
    assert "page" not in whole
    far = client.post("/v1/odds", json={"dice": "200d100", "after": 9_900, "most": 2})
    assert [row["outcome"] for row in far.json()["outcomes"]] == [10_100, 10_101]
    assert len(far.content) < 10_000


def test_an_answer_has_a_bound() -> None:
    assert _written({"a": "ä"}, 100) == '{"a":"ä"}'.encode()
    with pytest.raises(InvalidInputError, match="10 bytes, and at most 9"):
        _written({"a": "ä"}, 9)


# ---------------------------------------------------------------------- connections


def answer_to(served: Served, sent: bytes) -> bytes:
    """Everything that the server sends before it closes the connection."""
    came = b""
    with socket.create_connection(("127.0.0.1", served.port), timeout=LIMIT) as line, suppress(ConnectionError):
        line.sendall(sent)
        while piece := line.recv(10_000):
            came += piece
    return came


def test_a_head_that_does_not_arrive_closes_the_connection(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(head_seconds=0.2)) as served:
        for first in (b"", b"GET /health HT", b"GET /health HTTP/1.1\r\nHost: "):
            assert answer_to(served, first) == b"", first
        one_and_a_half = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\nGET /hea".encode()
        wait_until(  # on a busy machine the first head may be late as well
            lambda: answer_to(served, one_and_a_half).startswith(b"HTTP/1.1 200"),
            "the first is answered, and the second is not waited for",
        )


def test_a_body_that_does_not_arrive_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(body_seconds=0.2)) as served:
        head = f"POST /v1/odds HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nContent-Type: application/json\r\n"
        answer = answer_to(served, f'{head}Content-Length: 20\r\n\r\n{{"dice"'.encode())
        assert answer.startswith(b"HTTP/1.1 408")
        assert b"too slowly" in answer
        asked = served.client()
        wait_until(lambda: asked.post("/v1/odds", json={"dice": "d6"}).status_code == 200, "a whole body is taken")


def test_a_request_that_its_client_closes_is_no_fault(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("tablewright.server.requests", "uvicorn.error"):
        caplog.set_level(logging.INFO, logger=name)
    requests, faults = (logging.getLogger(name) for name in ("tablewright.server.requests", "uvicorn.error"))
    requests.addHandler(caplog.handler)
    faults.addHandler(caplog.handler)
    head = f"POST /v1/odds HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as half:
        half.sendall(f'{head}Content-Length: 20\r\n\r\n{{"dice"'.encode())

    def statuses() -> list[int]:
        told: list[Any] = [getattr(one, "told", None) for one in caplog.records]
        return [one["status"] for one in told if isinstance(one, dict)]

    try:
        wait_until(statuses, "the request is noted")
    finally:
        requests.removeHandler(caplog.handler)
        faults.removeHandler(caplog.handler)
    assert set(statuses()) == {499}
    assert not [one for one in caplog.records if one.levelno >= logging.ERROR], "a closed page is no fault"


def test_a_connection_at_work_has_no_deadline() -> None:
    begun: list[str] = []
    connection: Any = object.__new__(http_protocol(10))
    connection.cycle, connection.timeout_keep_alive_task = None, None
    connection.transport = SimpleNamespace(get_protocol=lambda: connection, close=None)
    timer = SimpleNamespace(cancel=lambda: begun.append("stopped"))

    def call_later(*_: Any) -> Any:
        begun.append("timed")
        return timer

    connection.loop = SimpleNamespace(call_later=call_later)
    connection._time_head()
    connection._time_head()
    assert begun == ["timed"], "what trickles in gets no more time"
    connection.cycle = SimpleNamespace(response_complete=False)
    connection._time_head()
    assert begun == ["timed", "stopped"], "a request is worked on"
    connection.cycle = None
    connection._time_head()
    connection.transport.get_protocol = lambda: "WebSocket"
    connection._time_head()
    assert begun == ["timed", "stopped"] * 2, "a WebSocket is open as long as it likes"


@pytest.mark.parametrize(("proxies", "last"), [((), 429), (("10.0.0.1",), 429), (("127.0.0.1",), 200)])
def test_a_forwarded_address_counts_only_from_a_named_proxy(
    tmp_path: Path, proxies: tuple[str, ...], last: int
) -> None:
    with serving(tmp_path, Limits(requests_a_second=0.001, burst=3), proxies=proxies) as served:
        client = served.client()
        answers = [client.get("/health", headers={"X-Forwarded-For": f"198.51.100.{n}"}) for n in range(4)]
        assert [one.status_code for one in answers] == [200, 200, 200, last]


def test_a_proxy_is_named_by_its_address() -> None:
    status, _, error = run_here(["serve", "--proxy", "everybody"], "")
    assert status == 2
    assert '"everybody"' in error
