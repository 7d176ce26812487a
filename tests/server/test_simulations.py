"""Simulations over the network: intermediate figures, cancelling, and the same results as on the command line."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from patience import wait_until
from server.serving import Served
from tablewright.game.scenario.loader import load_scenario, read_scenario
from tablewright.lab.fights.job import job_of
from tablewright.lab.fights.paired import compare_change
from tablewright.lab.fights.simulation import simulate
from tablewright.server.problems import BusyError
from tablewright.server.settings import Limits
from tablewright.server.simulations import UNWATCHED_SECONDS, SimulationJobs
from tablewright.server.tasks import QUESTIONS
from tablewright.server.worker_pool import Asker, WorkerPool

FIGHTS = 80
"""Fights of a simulation of several chunks."""


def begun(client: httpx.Client, key: str, **body: Any) -> httpx.Response:
    """Begin a simulation."""
    return client.post("/v1/jobs", json=body, headers={"Idempotency-Key": key})


def until(client: httpx.Client, job: str, *states: str) -> dict[str, Any]:
    """Wait until it is so far."""
    told: dict[str, Any] = {}

    def is_so_far() -> bool:
        told.update(client.get(f"/v1/jobs/{job}").json())
        return told["state"] in states

    wait_until(is_so_far, f"the simulation is {' or '.join(states)}")
    return told


def test_a_simulation_gives_the_figures_of_the_lab(served: Served) -> None:
    client = served.client()
    answer = begun(client, "one", scenario="coinfolk:together", runs=24, seed=5)
    assert answer.status_code == 202, answer.text
    assert begun(client, "one", scenario="coinfolk:together", runs=24, seed=5).json() == answer.json()
    told = until(client, answer.json()["id"], "done")
    own = simulate(job_of(load_scenario("coinfolk:together"), runs=24, seed=5))
    assert told["result"]["digest"] == own.digest
    assert told["result"]["won"] == own.to_json()["won"]


def test_errors_are_refused_before_the_first_fight(served: Served) -> None:
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
    wait_until(lambda: client.get(f"/v1/jobs/{job}").json().get("result", {}).get("fights"), "a fight is fought")
    told = client.delete(f"/v1/jobs/{job}").json()
    assert told["state"] == "cancelled", "the next one has room at once"
    assert 0 < told["result"]["fights"] < 20_000
    assert told["result"]["stopped"] == "cancelled"


def test_a_simulation_is_its_owners(served: Served) -> None:
    gm = served.campaign()
    gm.client.headers["Cookie"] = gm.cookies
    job = begun(gm.client, "mine", scenario="coinfolk:together", runs=20).json()["id"]
    assert served.client().get(f"/v1/jobs/{job}").status_code == 404
    assert served.client().delete(f"/v1/jobs/{job}").status_code == 404
    assert gm.client.get(f"/v1/jobs/{job}").status_code == 200


def test_a_change_is_fought_in_pairs(served: Served) -> None:
    client = served.client()
    before = load_scenario("coinfolk:together").to_json()
    rat = next(one for one in before["participants"] if one["id"] == "rat")
    after = before | {"participants": [*before["participants"], rat | {"id": "rat-9"}]}
    answer = begun(client, "pairs", scenario=after, before=before, runs=24, seed=5)
    assert answer.status_code == 202, answer.text
    told = until(client, answer.json()["id"], "done")
    own = compare_change(
        job_of(read_scenario(before), runs=24, seed=5), job_of(read_scenario(after), runs=24, seed=5)
    ).to_json()
    assert told["difference"] == own["difference"]
    assert told["before"]["won"] == own["before"]["won"]
    assert told["result"]["won"] == own["after"]["won"]
    refused = begun(client, "other", scenario="coinfolk:together", before="mars:even", runs=10)
    assert refused.status_code == 422
    assert refused.json()["field"] == "before"


def test_a_fight_is_shown_again(served: Served) -> None:
    client = served.client()
    job = begun(client, "again", scenario="coinfolk:together", runs=20, seed=5).json()["id"]
    result = until(client, job, "done")["result"]
    for side, numbers in result["examples"].items():
        answer = client.get(f"/v1/jobs/{job}/fights/{numbers[0]}")
        assert answer.status_code == 200, answer.text
        told = answer.json()
        assert told["winner"] == (None if side == "draw" else side)
        assert told["lines"][-1]["kind"] == "end"
        assert any(line["kind"] == "rule" and line["fact"]["steps"] for line in told["lines"])
    assert client.get(f"/v1/jobs/{job}/fights/20").status_code == 422
    assert served.client().get(f"/v1/jobs/{job}/fights/1").status_code == 200  # the same address


def test_chances_to_hit_of_both_sides(served: Served) -> None:
    client = served.client()
    known: list[str] = []
    sides: dict[str, list[float]] = {}
    told: dict[str, Any] = {}
    for _ in range(20):
        told = client.post("/v1/meetings", json={"scenario": "coinfolk:together", "known": known}).json()
        for one in told["people"]:
            known.append(one["who"])
            sides.setdefault(one["side"], []).append(one["hits"])
        if told["complete"]:
            break
    assert told["complete"]
    assert set(sides) == {"folk", "vermin"}
    assert all(0 < chance < 1 for found in sides.values() for chance in found)
    assert len(known) == len(set(known))


def test_the_first_figures_come_after_the_first_fight() -> None:
    asked: list[range] = []

    class Fighting(WorkerPool):
        """A stand-in that answers at once and records the request."""

        async def ask(self, client: Asker, question: str, body: dict[str, Any], *_: Any, **__: Any) -> Any:
            if question == "fights":
                asked.append(body["numbers"])
            return QUESTIONS[question](body)

    async def fought() -> dict[str, Any]:
        jobs = SimulationJobs(Limits())
        jobs._workers = Fighting(0, jobs.limits)
        body = {"scenario": "coinfolk:together", "runs": FIGHTS, "seed": 5, "policies": {}, "options": {}}
        body |= {"anyway": False}
        job = await jobs.start(Asker("me", "here", is_known=False), {**body, "before": None}, None)
        assert job.task is not None
        await job.task
        return job.to_json()

    told = asyncio.run(fought())
    assert asked[0] == range(1)
    assert [number for numbers in asked for number in numbers] == list(range(FIGHTS))
    lab = job_of(load_scenario("coinfolk:together"), runs=FIGHTS, seed=5)
    ends = {lab.numbers(chunk).stop for chunk in range(lab.chunks)}
    assert ends <= {numbers.stop for numbers in asked}, "a chunk is never run past: it is where one may stop"
    assert told["result"]["digest"] == simulate(lab).digest


def test_a_simulation_that_nobody_looks_at_gives_way() -> None:
    class Endless(WorkerPool):
        """A stand-in whose fights never end."""

        async def ask(self, client: Asker, question: str, body: dict[str, Any], *_: Any, **__: Any) -> Any:
            return await asyncio.Event().wait() if question == "fights" else QUESTIONS[question](body)

    async def begun_twice() -> tuple[str, str]:
        jobs, me = SimulationJobs(Limits(jobs=1)), Asker("me", "here", is_known=True)
        jobs._workers = Endless(0, jobs.limits)
        body = {"scenario": "coinfolk:together", "runs": 5, "seed": 5, "policies": {}, "options": {}, "anyway": False}
        asked: dict[str, Any] = {**body, "before": None}
        first = await jobs.start(me, asked, None)
        await asyncio.sleep(0)  # it begins
        with pytest.raises(BusyError):
            await jobs.start(me, asked, None)
        assert first.state == "running", "its page has just looked"
        first.looked -= 2 * UNWATCHED_SECONDS
        with pytest.raises(BusyError):
            await jobs.start(me, asked, None)
        assert first.task is not None
        await first.task
        second = await jobs.start(me, asked, None)
        assert second.task is not None
        jobs.stop()  # before it has begun
        await asyncio.wait([second.task])
        await asyncio.sleep(0)
        return first.state, second.state

    assert asyncio.run(begun_twice()) == ("cancelled", "cancelled"), "its record says how it ended"


def test_a_simulation_that_a_fault_ends_is_not_running() -> None:
    class Faulty(WorkerPool):
        """A stand-in whose fights end with a fault of the program."""

        async def ask(self, client: Asker, question: str, body: dict[str, Any], *_: Any, **__: Any) -> Any:
            if question == "fights":
                raise ValueError("no such thing")
            return QUESTIONS[question](body)

    async def begun_once() -> dict[str, Any]:
        jobs, me = SimulationJobs(Limits(jobs=1)), Asker("me", "here", is_known=True)
        jobs._workers = Faulty(0, jobs.limits)
        body = {"scenario": "coinfolk:together", "runs": 5, "seed": 5, "policies": {}, "options": {}, "anyway": False}
        job = await jobs.start(me, {**body, "before": None}, None)
        assert job.task is not None
        await asyncio.wait([job.task])
        await asyncio.sleep(0)
        assert isinstance(job.task.exception(), ValueError)
        assert jobs.running == 0
        return job.to_json()

    assert asyncio.run(begun_once())["state"] == "failed"
