"""More than can be done soon is refused at once, and nothing of it is done."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from time import thread_time
from typing import Any

import pytest

from patience import LIMIT, wait_until
from server.serving import Person, Served, heard, serving
from tablewright.server.problems import OverloadedError
from tablewright.server.settings import Limits
from tablewright.server.write_queue import Queue
from tablewright.table import Store, Table, loaded_campaign


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


def test_work_that_has_waited_too_long_is_not_begun() -> None:
    now, done = 0.0, []
    queue = Queue(Limits(waiting_seconds=1), clock=lambda: now)
    soon, late = (queue.in_time(lambda: done.append(now)) for _ in range(2))
    soon()
    now = 1.5
    with pytest.raises(OverloadedError):
        late()
    assert (done, queue.shed) == ([0.0], 1)


class Moving:
    """A queue with a clock of its own, whose pieces are finished one by one."""

    def __init__(self, at_once: int, **limits: Any) -> None:
        self.now = 0.0
        self.queue = Queue(Limits(**limits), clock=lambda: self.now, at_once=at_once)
        self.ends: list[asyncio.Event] = []
        self.tasks: list[asyncio.Task[str]] = []

    async def add(self, count: int) -> list[str]:
        """Let pieces of as many tables arrive; gives what became of each at once."""
        new = []
        for _ in range(count):
            end = asyncio.Event()
            new.append(asyncio.create_task(self._take(f"table {len(self.tasks)}", end)))
            self.ends.append(end)
            self.tasks.append(new[-1])
        await asyncio.sleep(0)
        return [task.result() if task.done() else "waits" for task in new]

    async def _take(self, table: str, end: asyncio.Event) -> str:
        try:
            await self.queue.take(table, end.wait)
        except OverloadedError:
            self.ends.remove(end)
            return "shed"
        return "done"

    async def finish(self, count: int, seconds: float) -> None:
        """Finish the oldest pieces, each after a time."""
        for _ in range(count):
            self.now += seconds
            self.ends.pop(0).set()
            await asyncio.sleep(0)
            await asyncio.sleep(0)


def test_work_that_would_wait_too_long_is_refused_on_arrival() -> None:
    """A refusal does not wait for its turn: the length and the pace of the queue tell how long that would be."""

    async def played() -> None:
        moving = Moving(4, expected_seconds=0.25)
        queue = moving.queue
        assert await moving.add(60) == ["waits"] * 60, "nothing is known of the pace yet"
        await moving.finish(50, 0.0625)
        assert 0.05 < queue.pace < 0.0625
        assert (queue.length, queue.expected_seconds) == (10, 6 * queue.pace)
        assert await moving.add(1) == ["shed"], "it would wait for six pieces"
        await moving.finish(3, 0.0625)
        assert await moving.add(3) == ["waits", "waits", "shed"], "as many as are done within the time"
        before = queue.pace
        await moving.finish(9, 0.0625)
        assert (queue.length, queue.expected_seconds) == (0, 0.0)
        moving.now += 1_000
        assert await moving.add(4) == ["waits"] * 4
        await moving.finish(4, 10)
        assert queue.pace == pytest.approx(before, abs=0.01), "where nothing waits, nothing is learned"
        assert queue.shed == 2

    asyncio.run(played())


def test_a_queue_that_stands_still_takes_no_more() -> None:
    async def played() -> None:
        moving = Moving(2, expected_seconds=0.25)
        assert await moving.add(4) == ["waits"] * 4
        moving.now += 0.1
        assert await moving.add(1) == ["waits"]
        moving.now += 0.1
        assert await moving.add(1) == ["shed"], "three wait, and nothing has moved"
        await moving.finish(5, 0)
        assert await moving.add(1) == ["waits"]
        await moving.finish(1, 0)
        assert moving.queue._lines == {}

    asyncio.run(played())


def test_a_full_server_refuses_before_it_looks_up_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    enter = Store.enter

    def noted(store: Store, cookie: str) -> Any:
        looked.append(cookie)
        return enter(store, cookie)

    monkeypatch.setattr(Store, "enter", noted)
    with serving(tmp_path) as served:
        gm = served.campaign()
        gm.view()
        assert looked
        looked.clear()
        monkeypatch.setattr(Queue, "is_full", property(lambda queue: True))
        refused = gm.act("throw", dice="d6")
        assert (refused.status_code, refused.headers["retry-after"], refused.json()["title"]) == (503, "1", "busy")
        assert looked == []
        monkeypatch.undo()
        assert gm.act("throw", dice="d6").status_code == 200


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


def test_a_refusal_takes_less_than_a_tenth_of_a_second(tmp_path: Path) -> None:
    """The writer is blocked and the queue full, so nothing is waited for; the clock is that of the server's thread.

    It counts what the refusal itself takes and stands still while other programs have the processor.
    """
    with serving(tmp_path, Limits(waiting_of_table=1, waiting=1, waiting_seconds=LIMIT)) as served:
        gm = served.campaign()
        gm.view()
        stack, spent = served.app.middleware_stack, list[float]()

        async def timed(scope: Any, receive: Any, send: Any) -> None:
            begun = thread_time()
            await stack(scope, receive, send)
            spent.append(thread_time() - begun)

        acting = threading.Thread(target=lambda: gm.act("throw", dice="d6", key="waits"))
        other = served.person(gm.cookies.partition("=")[2], gm.campaign)
        with served.store.writer._turn:
            acting.start()
            wait_until(lambda: served.app.state.context.queue.length == 1, "the queue is full")
            served.app.middleware_stack = timed
            refused = [other.act("throw", dice="d8") for _ in range(20)]
            served.app.middleware_stack = stack
        acting.join(LIMIT)
    assert {(answer.status_code, answer.headers["retry-after"]) for answer in refused} == {(503, "1")}
    assert len(spent) == len(refused)
    assert max(spent) < 0.1


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
