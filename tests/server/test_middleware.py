"""Every request passes the middleware: host name, origin, size and rate are checked."""

from __future__ import annotations

import http.client
from pathlib import Path

import pytest

from patience import LIMIT
from server.serving import Served, serving
from tablewright.server.middleware import RateLimiter
from tablewright.server.settings import Limits


def test_only_the_printed_names_are_answered(served: Served) -> None:
    answer = served.client().get("/v1/systems", headers={"Host": "rebound.example"})
    assert answer.status_code == 421
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://elsewhere.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
)
def test_requests_from_another_site_are_refused(served: Served, headers: dict[str, str]) -> None:
    answer = served.client().post("/v1/odds", json={"dice": "d6"}, headers=headers)
    assert answer.status_code == 403
    own = served.client().post("/v1/odds", json={"dice": "d6"}, headers={"Origin": served.url})
    assert own.status_code == 200


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"])
def test_a_form_is_refused(served: Served, kind: str) -> None:
    answer = served.client().post("/v1/odds", content=b'{"dice": "d6"}', headers={"Content-Type": kind})
    assert answer.status_code == 415


def test_too_large_a_body_is_refused_before_it_is_read(served: Served) -> None:
    answer = served.client().post("/v1/odds", content=b" " * 2_000_001, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


def test_too_large_a_body_in_pieces_is_refused_too(served: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=LIMIT)
    connection.request(
        "POST",
        "/v1/odds",
        body=iter([b" " * 100_000] * 25),
        headers={"Content-Type": "application/json"},
        encode_chunked=True,
    )
    assert connection.getresponse().status == 413
    connection.close()


def test_a_body_nested_without_end_is_no_fault_of_the_server(served: Served) -> None:
    for body in (b"[" * 100_000, b'{"a":' * 50_000, b"\xff\xfe", b"{"):
        answer = served.client().post("/v1/odds", content=body, headers={"Content-Type": "application/json"})
        assert 400 <= answer.status_code < 500, body[:10]


def test_pages_keep_to_themselves(served: Served) -> None:
    headers = served.client().get("/v1/systems").headers
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"


def test_a_client_that_asks_too_often_waits() -> None:
    now = 0.0
    rates = RateLimiter(rate=2, burst=3, clock=lambda: now)
    assert [rates.wait("a") for _ in range(4)] == [None, None, None, 1]
    assert rates.wait("b") is None
    now = 0.5
    assert [rates.wait("a"), rates.wait("a")] == [None, 1]


def test_the_limit_is_said(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(requests_a_second=1, burst=5)) as served:
        client = served.client()
        answers = [client.get("/health") for _ in range(7)]
        assert answers[0].status_code == 200
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) >= 1
