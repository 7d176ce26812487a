"""Requests that come twice, late, in the wrong order, or when there is no room: nothing is doubled, forked or lost."""

from __future__ import annotations

import json
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from websockets.exceptions import ConnectionClosed

from server.serving import Person, Served, heard, serving
from table.playing import Group, group
from tablewright.table import view as seeing


class Seated:
    """A group whose people come over the network."""

    def __init__(self, served: Served) -> None:
        self.group: Group = group(served.store)
        self.gm, self.anna, self.ben = (
            served.person(self.group.cookies[seat], self.group.table.id)
            for seat in (self.group.gm, self.group.anna, self.group.ben)
        )


@pytest.fixture
def seated(served: Served) -> Seated:
    """A fight in which Anna is asked."""
    everybody = Seated(served)
    everybody.group.begin()
    everybody.group.until(everybody.group.anna)
    return everybody


def sent(person: Person, **message: Any) -> dict[str, Any]:
    """Send a message over a live connection of its own; gives the reply."""
    with person.live(after=2**53) as line:
        line.send(json.dumps({"type": "act", "id": "1", **message}))
        return heard(line, "answer", "problem")


def test_repeated_requests_happen_once_wherever_they_are_sent(seated: Seated) -> None:
    anna = seated.anna
    question = anna.view()["question"]
    command = {"do": "answer", "option": question["options"][0]["id"], "question": question["id"]}
    before = seated.group.table.cursor(seated.group.gm)
    first = sent(anna, key="mine", command=command)
    after = seated.group.table.cursor(seated.group.gm)
    assert after > before
    again = sent(anna, key="mine", command=command)
    over_http = anna.post("act", {"command": command}, key="mine").json()
    assert first["type"] == "answer"
    assert again == first
    assert {"cursor": first["cursor"], "lines": first["lines"]} == over_http
    assert seated.group.table.cursor(seated.group.gm) == after


def test_late_acts_conflict_and_change_nothing(seated: Seated) -> None:
    anna, g = seated.anna, seated.group
    seen, question = anna.view()["last"], anna.view()["question"]
    stale = {"do": "answer", "option": question["options"][0]["id"], "question": question["id"]}
    anna.done("answer", option="wait", question=question["id"])
    cursor = g.table.cursor(g.gm)
    for body in (
        {"command": stale},
        {"command": {"do": "throw", "dice": "d6"}, "expected": seen},
        {"command": {"do": "throw", "dice": "d6"}, "expected": anna.view()["last"] + 1},
        {"command": {"do": "throw", "dice": "d6"}, "expected": 0},
    ):
        late = anna.post("act", body)
        assert late.status_code in (403, 409), late.text
        if late.status_code == 409:
            assert late.json()["cursor"] == anna.view()["last"], "how much there is to see now"
    assert g.table.cursor(g.gm) == cursor


def test_answers_come_from_any_device(seated: Seated) -> None:
    """Two browsers of one seat, and the game master for an absent player."""
    g = seated.group
    one, two = seated.anna, seated.anna.served.person(g.cookies[g.anna], g.table.id)
    assert one.view() == two.view()
    question = one.view()["question"]
    with one.live(after=2**53) as line:
        heard(line, "view")
        two.done("answer", option="wait", question=question["id"])
        assert heard(line, "view")["lines"], "the other device hears of it"
    g.until(g.ben)
    asked = seated.gm.view(2**53)["question"]
    assert asked["seat"] == g.ben
    seated.gm.done("answer", option=asked["default"], question=asked["id"])


def test_an_answer_can_be_taken_back_until_another_seat_acts(seated: Seated) -> None:
    anna, ben = seated.anna, seated.ben
    question = anna.view()["question"]
    anna.done("answer", option="wait", question=question["id"])
    assert anna.view()["can"]["take_back"]
    anna.done("take_back")
    assert anna.view()["question"] == question
    anna.done("answer", option="wait", question=question["id"])
    ben.done("throw", dice="d6")
    assert anna.view()["can"]["take_back"], "dice besides the game are no answer to it"
    seated.group.answer("wait")
    assert not anna.view()["can"]["take_back"]
    assert anna.act("take_back").status_code == 409
    anna.done("undo.ask", line=anna.view()["last"] - 1, reason="a slip")
    assert seated.gm.view()["lines"][-1]["fact"]["event"] == "UndoAsked", "what cannot be taken back is asked for"


def test_a_client_that_was_away_for_long_gets_everything_once(seated: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than fits into one message comes in several, without a gap and without anything twice."""
    monkeypatch.setattr(seeing, "MOST_LINES", 5)
    seen = seated.anna.view(2**53)["last"]
    for number in range(1, 24):
        seated.group.act(seated.group.ben, "throw", dice=f"d6+{number}")
    found: list[dict[str, Any]] = []
    with seated.anna.live(after=seen) as line:
        while len(found) < 23:
            message = heard(line, "view")
            assert 0 < len(message["lines"]) <= 5
            found += message["lines"]
    assert [one["number"] for one in found] == list(range(seen + 1, seen + 24))
    assert [one["fact"]["dice"] for one in found] == [f"d6+{number}" for number in range(1, 24)]


def test_a_client_that_asks_for_changes_gets_only_changes(seated: Seated) -> None:
    """Put together they are the view, for every seat; what has not changed is not sent again."""
    everybody = (seated.gm, seated.anna, seated.ben)
    with ExitStack() as stack:
        lines = [stack.enter_context(one.live(after=2**53, changes=True)) for one in everybody]
        known = [heard(line, "view", "changes") for line in lines]
        assert [one["type"] for one in known] == ["view"] * 3
        seated.anna.done("note.write", text="for everybody")
        question = seated.anna.view()["question"]
        seated.anna.done("answer", option="wait", question=question["id"])
        for place, person in enumerate(everybody):
            now = person.view(after=2**53)
            while known[place]["cursor"] < now["last"]:
                message = heard(lines[place], "view", "changes")
                assert message["type"] == "changes"
                assert "settings" not in message
                assert len(message["lines"]) > 0
                known[place] |= message
            names = [name for name in now if name not in ("lines", "entries")]
            assert {name: known[place][name] for name in names} == {name: now[name] for name in names}


def test_a_fault_in_one_view_keeps_nothing_from_the_others(seated: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = seeing.entries

    def faulty(sitting: Any, seat: Any, *more: Any) -> list[dict[str, Any]]:
        if seat.id == seated.group.ben:
            raise TypeError("a fault")
        return entries(sitting, seat, *more)

    with seated.anna.live(after=2**53) as anna, seated.ben.live(after=2**53) as ben:
        heard(anna, "view")
        heard(ben, "view")
        monkeypatch.setattr(seeing, "entries", faulty)
        seated.group.act(seated.group.gm, "throw", dice="d6")
        assert heard(anna, "view")["lines"]
        with suppress(ConnectionClosed):
            while True:
                heard(ben, "view")
        assert ben.close_code == 4503


def test_without_room_the_action_is_refused_and_everything_can_be_read(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        seated = Seated(served)
        seen = seated.anna.view()

        def no_room(connection: Any, *_: Any) -> None:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

        event.listen(served.store.engine, "begin", no_room)
        statuses = [seated.anna.act("note.write", text="x" * 9_000).status_code for _ in range(12)]
        assert statuses[-1] == 507
        refused = seated.anna.act("note.write", text="x" * 9_000).json()
        assert refused["title"] == "no room on the disk"
        kept = seated.anna.view(after=seen["last"])["lines"]
        assert len(kept) == statuses.count(200)
        with seated.anna.live(after=seen["last"]) as line:
            assert heard(line, "view")["lines"] == kept
        event.remove(served.store.engine, "begin", no_room)


# ---------------------------------------------------------------------- files


def test_a_player_takes_home_what_they_have_seen(seated: Seated) -> None:
    g = seated.group
    seated.gm.done("note.write", text="the cat is the queen", to="self")
    seated.gm.done("throw", dice="9d6", audience="blind")
    answer = seated.anna.client.get(f"{seated.anna.base}/export")
    assert answer.status_code == 200
    header, *lines, last = [json.loads(line) for line in answer.text.splitlines()]
    view = seated.anna.view()
    assert (header["tablewright"], header["seat"], header["lines"]) == ("seat", g.anna, view["last"])
    assert lines == view["lines"]
    assert last["now"] == {
        name: value for name, value in view.items() if name not in ("cursor", "last", "lines", "entries")
    }
    for secret in ("the cat is the queen", "9d6", '"seed"', '"parent"'):
        assert secret not in answer.text
        assert secret in seated.gm.client.get(f"{seated.gm.base}/export").text
    host = seated.anna.served.client()
    host.post("/v1/enter", json={"token": seated.anna.served.store.host_link()})
    headers = {"Idempotency-Key": "seen", "Content-Type": "application/x-ndjson"}
    refused = host.post("/v1/campaigns/import", content=answer.text, headers=headers)
    assert refused.status_code == 422
    assert "what one seat has seen" in refused.json()["detail"]


def test_a_player_brings_a_character_within_the_rules(seated: Seated) -> None:
    plain = next(one["character"] for one in seated.anna.view()["characters"] if one["id"] == "ann")
    giant = plain | {"name": "Giant", "grit": 9}
    refused = seated.anna.act("character.add", character=giant)
    assert refused.status_code == 409
    told = refused.json()
    assert told["rule"].startswith("coinfolk.creation.")
    assert "grit" in told["field"]
    assert "9" in told["detail"]
    assert seated.gm.act("character.add", character=giant).status_code == 200, "the game master may"
    seated.gm.done("setting.set", name="players_legal", value=False)
    seated.anna.done("character.add", character=giant | {"name": "Titan"})
    assert "titan" in seated.anna.view()["you"]["characters"]
