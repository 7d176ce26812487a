"""Questions over the network: the same exact answers as from the library, and refusals that name the value."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any

import pytest

from server.forked_workers import ForkedWorkers
from server.serving import Served
from tablewright.errors import InvalidInputError
from tablewright.server.problems import AnswerTimeoutError
from tablewright.server.settings import Limits
from tablewright.server.tasks import QUESTIONS
from tablewright.server.worker_pool import Asker, WorkerPool

ANN, BO, CY = (Asker(name, name, is_known=True) for name in ("ann", "bo", "cy"))


def asked(served: Served, path: str, **body: Any) -> tuple[int, dict[str, Any]]:
    """Send a question."""
    answer = served.client().post(f"/v1/{path}", json=body)
    return answer.status_code, answer.json()


def test_odds_are_exact(served: Served) -> None:
    status, told = asked(served, "odds", mechanic="renaissance.opposed", arguments={"a": 90, "b": 75})
    assert status == 200
    assert told["arguments"]["a"] == 90
    assert "1029/1618" in str(told)
    status, told = asked(served, "odds", dice="2d6")
    assert [row["exact"] for row in told["outcomes"]][:3] == ["1/36", "1/18", "1/12"]


def test_odds_over_a_range(served: Served) -> None:
    status, told = asked(
        served, "odds/table", mechanic="mars.check", arguments={"roll_value": "r16", "difficulty": "8..10"}
    )
    assert status == 200, told
    assert "9/20" in str(told)


def test_advice(served: Served) -> None:
    status, told = asked(served, "advice", mechanic="stage.leveled", arguments={"dice": 5, "difficulty": 10})
    assert status == 200
    assert sum(option["best"] for option in told["choices"][0]["options"]) == 1


@pytest.mark.parametrize(
    ("path", "body", "field", "words"),
    [
        ("odds", {"mechanic": "mars.chekc"}, None, 'did you mean "mars.check"'),
        ("odds", {"mechanic": "mars.check", "arguments": {"roll_value": "r16", "difficulty": "?"}}, "difficulty", "?"),
        ("odds", {}, "mechanic", "either a mechanic or dice"),
        ("odds", {"dice": "2d*"}, None, "2d*"),
        ("odds", {"dice": "2d6", "more": 1}, "more", "unknown field"),
        ("characters", {"system": "coinfolk"}, "character", "send one of"),
        ("characters", {"system": "coinfolks", "template": "ann"}, None, "coinfolk"),
        ("packs", {"system": "coinfolk", "pack": "title: ["}, None, "pack:2"),
    ],
)
def test_misunderstood_words_are_named(
    served: Served, path: str, body: dict[str, Any], field: str | None, words: str
) -> None:
    answer = served.client().post(f"/v1/{path}", json=body)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told.get("field") == field
    assert words.casefold() in told["detail"].casefold()


def test_a_question_that_takes_too_long_is_stopped_and_others_are_answered() -> None:
    async def both() -> tuple[dict[str, Any], int]:
        workers = WorkerPool(1, Limits(odds_seconds=None))
        workers.start()
        try:
            (slow,) = workers._all
            await slow.begun()
            os.kill(slow.process.pid or 0, signal.SIGSTOP)  # it will never answer
            with pytest.raises(AnswerTimeoutError, match=r"more than 0\.001 seconds"):
                await workers.ask(ANN, "options", {"system": "mars"}, 0.001)
            dice: dict[str, Any] = {"mechanic": None, "dice": "d6", "arguments": {}, "objective": None}
            return await workers.ask(ANN, "odds", dice), workers.stopped
        finally:
            workers.stop()

    told, stopped = asyncio.run(both())
    assert (told["mean_exact"], stopped) == ("7/2", 1)


def test_an_answer_has_a_part_of_the_time_that_its_question_may_take() -> None:
    table: dict[str, Any] = {
        "mechanic": "mars.check",
        "arguments": {"roll_value": "r16", "difficulty": "8..10"},
        "view": "auto",
    }
    table |= {"of": None, "objective": None, "option": None, "values": None, "beside": []}
    assert len(QUESTIONS["odds_table"](table | {"seconds": None})["cells"]) == 3
    with pytest.raises(InvalidInputError, match="1 of 3 cells took"):
        QUESTIONS["odds_table"](table | {"seconds": -1})
    advice = {"mechanic": "stage.leveled", "arguments": {"dice": "3", "difficulty": "5..7"}, "objective": None}
    with pytest.raises(InvalidInputError, match="1 of 3 points took"):
        QUESTIONS["advice"](advice | {"weights": None, "seconds": -1})
    meeting = {"scenario": "coinfolk:together", "known": []}
    whole, part = [QUESTIONS["meetings"](meeting | {"seconds": seconds}) for seconds in (None, -1)]
    assert whole["complete"]
    assert part == {"people": whole["people"][:1], "complete": False}


def test_questions_at_once_are_limited() -> None:
    async def many() -> list[str]:
        workers = ForkedWorkers(1, Limits(odds_seconds=None, odds_at_once=2, odds_waiting=3))
        workers.start()
        dice: dict[str, Any] = {"mechanic": None, "dice": "d6", "arguments": {}, "objective": None}
        try:
            asked = [workers.ask(who, "odds", dice) for who in (ANN, ANN, ANN, BO, CY)]
            answers = await asyncio.gather(*asked, return_exceptions=True)
        finally:
            workers.stop()
        return [type(answer).__name__ for answer in answers]

    assert asyncio.run(many()) == ["dict", "dict", "BusyError", "dict", "BusyError"]


def test_a_character_is_checked_made_at_random_and_step_by_step(served: Served) -> None:
    status, told = asked(served, "characters", system="coinfolk", template="ann")
    assert status == 200
    assert told["legality"]["ok"]
    changed = {**told["character"], "hat": "red"}
    status, again = asked(served, "characters", system="coinfolk", character=changed)
    assert "hat" in " ".join(again["messages"])
    status, told = asked(served, "characters/random", system="coinfolk", seed=3, name="Bo")
    assert told["character"]["name"] == "Bo"
    assert told["legality"]["ok"]
    answers: list[str] = []
    for _ in range(60):
        status, told = asked(served, "characters/making", system="coinfolk", seed=1, name="Cy", answers=answers)
        assert status == 200, told
        if told["done"]:
            break
        answers.append(told["options"][-1]["id"])
    assert told["made"]["character"]["name"] == "Cy"
    status, told = asked(served, "characters/making", system="coinfolk", seed=1, name="Cy", answers=answers[:-1])
    assert not told["done"]


def test_looking_up(served: Served) -> None:
    client = served.client()
    ids = [one["id"] for one in client.get("/v1/systems").json()["systems"]]
    assert "mars" in ids
    mars = client.get("/v1/systems/mars").json()
    assert "even" in mars["scenarios"]
    assert any(check["id"] == "skill" for check in mars["checks"])
    assert client.get("/v1/mechanics/mars.check").json()["name"] == "mars.check"
    found = client.get("/v1/rules", params={"words": "wild die"}).json()["rules"]
    assert any(rule["id"].startswith("opend6.") for rule in found)
    rule = client.get(f"/v1/rules/{found[0]['id']}").json()
    assert rule["citation"]
    assert client.get("/v1/systems/mars/content/weapons").json()["entries"]
    assert client.get("/v1/systems/mars/scenarios/even").json()
    for path in ("systems/mers", "mechanics/mars.nothing", "rules/mars.nothing.at_all", "systems/mars/content/hats"):
        answer = client.get(f"/v1/{path}")
        assert answer.status_code == 404
        assert answer.json()["title"] == "not found"


def test_the_options_of_a_mechanic(served: Served) -> None:
    client = served.client()
    told = client.get("/v1/mechanics/mars.contest/options").json()
    assert told["mechanic"] == "mars.contest"
    options = {one["name"]: one for one in told["options"]}
    assert options["contest_tie"]["parameter"] == "contest_tie"
    assert "reroll" in options["contest_tie"]["choices"]
    # what changes another roll says which, under each of its values
    passive = options["passive_rolls"]
    assert passive["parameter"] is None
    assert [(one["value"], one["mechanic"]) for one in passive["typical"]][:2] == [
        ("none", "mars.opposed"),
        ("npc_defence", "mars.check"),
    ]
    assert passive["typical"][1]["arguments"]["difficulty"] == 7
    # every line can be asked for as it stands
    asks = [one for option in options.values() for one in option["typical"][:2] if "refused" not in one]
    assert len(asks) > 10
    for one in asks[:6]:
        status, odds = asked(served, "odds", mechanic=one["mechanic"], arguments=one["arguments"])
        assert status == 200, odds
    assert client.get("/v1/mechanics/mars.nothing/options").status_code == 404


@pytest.mark.parametrize("system", ["coinfolk", "stage"])
def test_a_character_made_without_a_name_gets_one(served: Served, system: str) -> None:
    client = served.client()
    asked = {"system": system, "seed": 11}
    made = client.post("/v1/characters/random", json=asked).json()
    name = made["character"]["name"]
    ready = [one["name"] for one in client.get(f"/v1/systems/{system}").json()["templates"]]
    assert name not in ("Nobody", *ready)
    assert made["sheet"]["title"] == name
    assert client.post("/v1/characters/random", json=asked).json() == made
    names = {
        client.post("/v1/characters/random", json=asked | {"seed": seed}).json()["sheet"]["title"] for seed in range(5)
    }
    assert len(names) > 2
    named = client.post("/v1/characters/random", json=asked | {"name": "Jörg"}).json()
    assert named["sheet"]["title"] == "Jörg"
    assert {**named["character"], "name": name} == made["character"]
