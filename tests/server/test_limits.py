"""Limits besides bodies and rates, the worker pool, and metrics."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from golden.runner import run_here
from server.serving import Served, heard, shut
from tablewright.server import tasks
from tablewright.server.settings import Limits

OPPOSED = {"mechanic": "renaissance.opposed", "arguments": {"a": 60, "b": 65}}
ASKED: list[tuple[str, dict[str, Any], list[str]]] = [
    ("odds", OPPOSED, ["renaissance.opposed", "a=60", "b=65"]),
    ("odds", {"dice": "4d6kh3"}, ["4d6kh3"]),
    (
        "advice",
        {"mechanic": "stage.leveled", "arguments": {"dice": 4, "difficulty": 8}},
        ["stage.leveled", "dice=4", "difficulty=8"],
    ),
]


@pytest.mark.parametrize(("path", "body", "words"), ASKED, ids=["mechanic", "dice", "advice"])
def test_the_answer_is_the_json_of_the_command_line(
    served: Served, path: str, body: dict[str, Any], words: list[str]
) -> None:
    told = served.client().post(f"/v1/{path}", json=body).json()
    assert told == by_command({"advice": "advise"}.get(path, path), *words)


def by_command(*words: str) -> dict[str, Any]:
    """JSON output of the command line."""
    status, out, error = run_here([*words, "--json"], "")
    assert status == 0, error
    told: dict[str, Any] = json.loads(out)
    return told


def test_looked_up_figures_use_the_same_words(served: Served) -> None:
    """Command and server each add a little of their own; whatever both tell is the same."""
    client = served.client()
    rule, mechanic = "mars.check.graze_meaning", "mars.check"
    made = client.post("/v1/characters/random", json={"system": "coinfolk", "seed": 3}).json()
    for told, said, names in (
        (client.get(f"/v1/rules/{rule}").json(), by_command("rules", rule), {"rule", "citation", "kind", "users"}),
        (
            client.get(f"/v1/mechanics/{mechanic}").json(),
            by_command("mechanics", mechanic),
            {"documentation", "parameters", "objectives", "rules"},
        ),
        (made, by_command("new", "coinfolk", "--random", "--seed", "3"), {"character", "sheet", "legality"}),
    ):
        shared = set(told) & set(said)
        assert names <= shared
        assert {name: told[name] for name in shared} == {name: said[name] for name in shared}


def test_questions_are_worked_out_in_other_processes(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers answer while the event loop could not."""

    def here(*_: Any) -> Any:
        raise AssertionError("worked out on the server's own process")

    for name in ("odds_json", "answer_for", "answer_for_dice", "advise", "at_random", "typical_odds", "advice_on"):
        monkeypatch.setattr(tasks, name, here)
    client, headers = served.client(), {"Idempotency-Key": "elsewhere"}
    for path, body in (
        ("odds", {"dice": "3d6"}),
        ("odds", {"mechanic": "mars.check", "arguments": {"roll_value": "r16", "difficulty": 14}}),
        ("advice", {"mechanic": "stage.leveled", "arguments": {"dice": 4, "difficulty": 8}}),
        ("characters/random", {"system": "coinfolk", "seed": 3}),
        ("jobs", {"scenario": "coinfolk:together", "runs": 5}),
    ):
        answer = client.post(f"/v1/{path}", json=body, headers=headers)
        assert answer.status_code in (200, 202), (path, answer.text)
    assert client.get("/v1/systems/coinfolk/options").status_code == 200


def test_a_seat_has_so_many_connections(served: Served) -> None:
    gm, most = served.campaign(), Limits().sockets_of_seat
    with ExitStack() as stack:
        lines = [stack.enter_context(gm.live()) for _ in range(most)]
        for line in lines:
            heard(line, "view")
        assert shut(gm) == 4429
        lines[0].close()
        other = gm.invite("Ann")
        with other.live() as line:
            heard(line, "view")  # another seat has its own


def test_a_line_under_another_name_is_refused(served: Served) -> None:
    gm = served.campaign()
    with pytest.raises(InvalidStatus), gm.live(Host="rebound.example"):
        pass
    with pytest.raises(InvalidStatus), gm.live(0, latest=None, changes=False, **{"Sec-Fetch-Site": "cross-site"}):
        pass
    with gm.live(Origin=served.url) as line:
        heard(line, "view")


def test_so_many_simulations_run_at_once(served: Served) -> None:
    client, most = served.client(), Limits().jobs
    began: list[str] = []
    statuses: list[int] = []
    for number in range(most + 2):
        body = {"scenario": "coinfolk:even", "runs": 20_000}
        answer = client.post("/v1/jobs", json=body, headers={"Idempotency-Key": f"many-{number}"})
        statuses.append(answer.status_code)
        began += [answer.json()["id"]] if answer.status_code == 202 else []
    for job in began:
        client.delete(f"/v1/jobs/{job}")
    assert statuses[-1] == 429
    assert len(began) <= most


def test_counts_name_nobody(served: Served) -> None:
    gm = served.campaign("The secret pantry")
    with gm.live() as line:
        heard(line, "view")
        gm.done("throw", dice="2d6")
        assert served.client().get("/metrics").status_code == 403
        assert gm.client.get("/metrics").status_code == 403, "how much is done would tell of what is done unseen"
        host = served.client()
        host.post("/v1/enter", json={"token": served.store.host_link()})
        host.headers["Cookie"] = f"tablewright_host={host.cookies['tablewright_host']}"
        told = host.get("/metrics").text
        counts = dict(row.split() for row in told.splitlines())
        assert int(counts["tablewright_connections"]) >= 1
        assert int(counts["tablewright_acts_total"]) >= 1
    for secret in ("secret", "Gwen", "gwen", gm.campaign, gm.cookies.partition("=")[2]):
        assert secret not in told
    health = served.client().get("/health").json()
    assert health["status"] == "well"
