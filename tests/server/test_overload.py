"""More than can be done soon is refused at once, and nothing of it is done."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from patience import LIMIT, wait_until
from server.serving import Person, Served, heard, serving
from tablewright.server.problems import OverloadedError
from tablewright.server.settings import Limits
from tablewright.server.write_queue import Queue
from tablewright.table import Table, loaded_campaign


def test_the_queue_of_a_table_and_of_all_has_an_end() -> None:
    done: list[str] = []

    async def waited() -> tuple[list[str], int, dict[str, Any]]:
        queue, go = Queue(Limits(waiting_of_table=2, waiting=3)), asyncio.Event()

        async def work(name: str) -> None:
            await go.wait()
            done.append(name)

        async def take(table: str, name: str, *, may_shed: bool = True) -> str:
            try:
                await queue.take(table, lambda: work(name), may_shed=may_shed)
            except OverloadedError:
                return "shed"
            return "done"

        names = [("a", "1"), ("a", "2"), ("a", "3"), ("b", "4"), ("b", "5"), ("c", "6")]
        tasks = [asyncio.create_task(take(*one)) for one in names]
        tasks.append(asyncio.create_task(take("c", "news", may_shed=False)))
        await asyncio.sleep(0)
        assert [task.done() for task in tasks] == [False, False, True, False, True, True, False], "at once"
        go.set()
        return await asyncio.gather(*tasks), queue.shed, queue._lines

    found, shed, left = asyncio.run(waited())
    assert found == ["done", "done", "shed", "done", "shed", "shed", "done"]
    assert done == ["1", "4", "news", "2"], "one at a time at each table, in order"
    assert (shed, left) == (3, {})


def test_what_has_waited_too_long_is_not_begun() -> None:
    now, done = 0.0, []
    queue = Queue(Limits(waiting_seconds=1), clock=lambda: now)
    soon, late = (queue.in_time(lambda: done.append(now)) for _ in range(2))
    soon()
    now = 1.5
    with pytest.raises(OverloadedError):
        late()
    assert (done, queue.shed) == ([0.0], 1)


class Held:
    """A table that is slow: acts wait in it until they are let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go, self.entered = threading.Event(), threading.Event()
        act = Table.act

        def slowly(table: Table, *given: Any, **more: Any) -> Any:
            self.entered.set()
            assert self.go.wait(LIMIT)
            return act(table, *given, **more)

        monkeypatch.setattr(Table, "act", slowly)


def test_an_act_too_many_is_refused_and_may_be_sent_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path, Limits(waiting_of_table=1, waiting_seconds=LIMIT)) as served:
        gm = served.campaign()
        other = served.campaign("Another table")
        before = gm.view()["last"]
        held = Held(monkeypatch)
        first: list[int] = []
        acting = threading.Thread(target=lambda: first.append(gm.act("throw", dice="d6", key="one").status_code))
        acting.start()
        assert held.entered.wait(LIMIT)
        again = served.person(gm.cookies.partition("=")[2], gm.campaign)
        refused = again.act("throw", dice="d8", key="two")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        assert refused.json()["title"] == "busy"
        with other.live() as line:
            heard(line, "view")  # another table is none the worse
        held.go.set()
        acting.join(LIMIT)
        assert first == [200]
        assert again.act("throw", dice="d8", key="two").status_code == 200
        assert [one["fact"]["dice"] for one in gm.view(before)["lines"]] == ["d6", "d8"]
        host = served.client()
        host.post("/v1/enter", json={"token": served.store.host_link()})
        host.headers["Cookie"] = f"tablewright_host={host.cookies['tablewright_host']}"
        assert "tablewright_shed_total 1\n" in host.get("/metrics").text


def test_the_answer_comes_while_the_writer_is_blocked_and_the_queue_is_full(tmp_path: Path) -> None:
    """Nothing can be written, so nothing in the queue can move: a refusal that comes has not waited for it."""
    with serving(tmp_path, Limits(waiting_of_table=2, waiting=3, waiting_seconds=LIMIT)) as served:
        full, other, third = [served.campaign(title) for title in ("Full", "Other", "Third")]
        queue = served.app.state.context.queue
        again = served.person(full.cookies.partition("=")[2], full.campaign)
        waiting = [full, again, other]
        answers: list[int] = []

        def throw(person: Person, key: str) -> None:
            answers.append(person.act("throw", dice="d6", key=key).status_code)

        threads = [threading.Thread(target=throw, args=(person, f"{n}")) for n, person in enumerate(waiting)]
        with served.store.writer._turn:  # as a disk that does not answer
            for thread in threads[:2]:
                thread.start()
            wait_until(lambda: queue.length == 2, "the queue of one table is full")
            refused = [served.person(full.cookies.partition("=")[2], full.campaign).act("throw", dice="d8")]
            threads[2].start()
            wait_until(lambda: queue.length == 3, "the queue of all tables is full")
            refused.append(third.act("throw", dice="d8", key="third"))
            assert answers == [], "the writer is blocked still"
            assert (queue.length, queue.shed) == (3, 2)
        assert [(answer.status_code, answer.headers["retry-after"]) for answer in refused] == [(503, "1")] * 2
        for thread in threads:
            thread.join(LIMIT)
        assert answers == [200] * 3
        assert third.act("throw", dice="d8", key="third").status_code == 200
        assert [one["fact"]["dice"] for one in full.view()["lines"] if "dice" in one["fact"]] == ["d6", "d6"]


def test_over_a_live_connection_it_is_told_under_its_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path, Limits(waiting_of_table=1, waiting_seconds=LIMIT)) as served:
        gm = served.campaign()
        with gm.live() as one, gm.live() as two:
            heard(one, "view")
            heard(two, "view")
            held = Held(monkeypatch)
            for line, key in ((one, "1"), (two, "2")):
                act = {"type": "act", "id": key, "key": key, "command": {"do": "throw", "dice": "d6"}}
                line.send(json.dumps(act))
                assert held.entered.wait(LIMIT)
            told = heard(two, "problem")
            assert (told["id"], told["problem"]["status"], told["problem"]["after"]) == ("2", 503, 1)
            held.go.set()
            assert heard(one, "answer")["id"] == "1"


def test_bots_let_others_through(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fight of bots alone is told in pieces, and the act of another person stands between two of them."""
    monkeypatch.setattr(loaded_campaign, "MOST_AT_ONCE", 2)
    gm = served.campaign("Bots alone")
    go, entered = threading.Event(), threading.Event()
    further = Table.go_further

    def held(table: Table) -> bool:
        if table.id == gm.campaign and not entered.is_set():
            entered.set()
            assert go.wait(LIMIT)
        return further(table)

    monkeypatch.setattr(Table, "go_further", held)
    gm.done("scene.begin", scenario="together", bots={"folk": "careful", "vermin": "careful"})
    assert entered.wait(LIMIT), "the act was answered before the bots had done everything"
    with gm.live(after=gm.served.store.table(gm.campaign).cursor("gwen")) as line:
        act = {"type": "act", "id": "1", "key": "1", "command": {"do": "note.write", "text": "meanwhile"}}
        line.send(json.dumps(act))
        wait_until(lambda: served.app.state.context.queue.length, "the act waits for its turn")
        go.set()
        assert heard(line, "answer")["id"] == "1"
        while not heard(line, "view")["scene"]["ended"]:
            pass
    lines = gm.view()["lines"]
    note = next(place for place, one in enumerate(lines) if "meanwhile" in one.get("text", ""))
    assert any(one.get("scene") for one in lines[:note])
    assert any(one.get("scene") for one in lines[note:])
