"""Simulations over the network: figures on the way, cancelled at will, the same as on the command line."""

from __future__ import annotations

import time
from typing import Any

import httpx

from server.serving import Served
from tablewright.game.scenario import load_scenario
from tablewright.lab.jobs import job_of
from tablewright.lab.simulating import simulate


def begun(client: httpx.Client, key: str, **body: Any) -> httpx.Response:
    """Begin a simulation."""
    return client.post("/v1/jobs", json=body, headers={"Idempotency-Key": key})


def until(client: httpx.Client, job: str, *states: str) -> dict[str, Any]:
    """Wait until it is so far."""
    told: dict[str, Any] = {}
    for _ in range(1200):
        told = client.get(f"/v1/jobs/{job}").json()
        if told["state"] in states:
            return told
        time.sleep(0.1)
    raise AssertionError(told)


def test_a_simulation_gives_the_figures_of_the_lab(served: Served) -> None:
    client = served.client()
    answer = begun(client, "one", scenario="coinfolk:together", runs=60, seed=5)
    assert answer.status_code == 202, answer.text
    assert begun(client, "one", scenario="coinfolk:together", runs=60, seed=5).json() == answer.json()
    told = until(client, answer.json()["id"], "done")
    own = simulate(job_of(load_scenario("coinfolk:together"), runs=60, seed=5))
    assert told["result"]["digest"] == own.digest
    assert told["result"]["won"] == own.to_json()["won"]


def test_what_is_wrong_is_refused_before_the_first_fight(served: Served) -> None:
    client = served.client()
    for key, body in (
        ("a", {"scenario": "coinfolk:nowhere"}),
        ("b", {"scenario": "/etc/passwd"}),
        ("c", {"scenario": "coinfolk:even", "runs": 10**9}),
        ("d", {"scenario": "coinfolk:even", "policies": {"*": "clever"}}),
        ("e", {"scenario": {"system": "coinfolk", "participants": [{"character": "../x.yaml", "side": "a"}]}}),
    ):
        answer = begun(client, key, **body)
        assert answer.status_code == 422, (body, answer.text)


def test_a_simulation_is_cancelled_and_keeps_what_is_done(served: Served) -> None:
    client = served.client()
    job = begun(client, "long", scenario="coinfolk:even", runs=20_000).json()["id"]
    while not client.get(f"/v1/jobs/{job}").json().get("result", {}).get("fights"):
        time.sleep(0.05)
    client.delete(f"/v1/jobs/{job}")
    told = until(client, job, "cancelled")
    assert 0 < told["result"]["fights"] < 20_000
    assert told["result"]["stopped"] == "cancelled"


def test_a_simulation_is_its_owners(served: Served) -> None:
    gm = served.campaign()
    gm.client.headers["Cookie"] = gm.cookies
    job = begun(gm.client, "mine", scenario="coinfolk:together", runs=20).json()["id"]
    assert served.client().get(f"/v1/jobs/{job}").status_code == 404
    assert served.client().delete(f"/v1/jobs/{job}").status_code == 404
    assert gm.client.get(f"/v1/jobs/{job}").status_code == 200
