"""A campaign over the network: coming in by a link, acting, seeing, undoing, following it live."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from patience import LIMIT
from server.serving import Person, Served, heard, serving, shut
from tablewright.server.routes import campaigns
from tablewright.table import export as campaign_export
from tablewright.table import import_campaign


def pantry(served: Served) -> tuple[Person, Person]:
    """A game master and a player with a character."""
    gm = served.campaign()
    gm.done("character.add", character="ann")
    ann = gm.invite("Ann")
    gm.done("seat.hand", who="ann", seat=ann.view()["you"]["seat"])
    return gm, ann


def test_from_a_link_to_a_thrown_die(served: Served) -> None:
    token = served.store.make_campaign("The pantry", "coinfolk", game_master="Gwen").invitation.token
    gm = served.enter(token)
    cookie = next(iter(gm.client.cookies.jar))
    assert cookie.path == f"/v1/campaigns/{gm.campaign}"
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "strict"
    told = gm.done("throw", dice="2d6")
    assert re.search(r"2d6", told["lines"][0]["text"])
    assert gm.view()["lines"][-1]["text"] == told["lines"][0]["text"]
    again = served.client().post("/v1/enter", json={"token": token})
    assert again.status_code == 404  # a link is used up
    assert token not in again.text


def test_the_same_key_does_nothing_twice(served: Served) -> None:
    gm, ann = pantry(served)
    first = gm.act("throw", dice="3d6", key="once")
    second = gm.act("throw", dice="3d6", key="once")
    assert first.json() == second.json()
    assert sum("3d6" in str(line.get("text")) for line in gm.view()["lines"]) == 1
    other = gm.act("throw", dice="4d6", key="once")
    assert (other.status_code, other.json()["field"]) == (422, "key")
    theirs = ann.act("throw", dice="3d6", key="once")  # another seat's key is another key
    assert theirs.status_code == 200
    assert theirs.json() != first.json()
    one = gm.post("invite", {"role": "player", "name": "Bo"}, key="invite")
    two = gm.post("invite", {"role": "player", "name": "Bo"}, key="invite")
    assert one.json() == two.json()
    assert [seat["name"] for seat in gm.view()["seats"]].count("Bo") == 1
    none = gm.client.post(f"{gm.base}/act", json={"command": {"do": "throw", "dice": "d6"}})
    assert (none.status_code, none.json()["field"]) == (422, "key")


def test_a_seat_that_has_not_seen_everything_gets_a_conflict(served: Served) -> None:
    gm, ann = pantry(served)
    seen = ann.view()["cursor"]
    gm.done("throw", dice="d6")
    late = ann.act("throw", dice="d6", expected=seen)
    assert late.status_code == 409
    assert late.json()["cursor"] == seen + 1
    assert late.json()["view"] == ann.view(after=seen), "the fresh state comes with the refusal"
    assert [line["number"] for line in late.json()["view"]["lines"]] == [seen + 1]
    assert ann.act("throw", dice="d6", expected=seen + 1).status_code == 200


def test_two_at_once_never_fork_the_log(served: Served) -> None:
    gm, ann = pantry(served)
    seen = {"gm": gm.view()["cursor"], "ann": ann.view()["cursor"]}
    statuses: list[int] = []

    def throw(person: Person, cursor: int) -> None:
        statuses.append(person.act("throw", dice="d6", expected=cursor).status_code)

    threads = [threading.Thread(target=throw, args=pair) for pair in ((gm, seen["gm"]), (ann, seen["ann"]))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, 409]


def test_a_player_may_not_do_what_is_the_game_masters(served: Served) -> None:
    gm, ann = pantry(served)
    for do, more in (
        ("scene.begin", {"scenario": "coinfolk:even"}),
        ("seat.remove", {"seat": gm.view()["you"]["seat"]}),
        ("setting.set", {"name": "odds", "value": "everyone"}),
        ("undo", {"line": 1}),
        ("character.drop", {"who": "ann"}),
    ):
        answer = ann.act(do, **more)
        assert answer.status_code in (403, 409), (do, answer.text)
    for path, body in (("invite", {}), ("renew", {"seat": ""}), ("revoke", {"seat": ""})):
        assert ann.post(path, body).status_code == 403, path
    assert ann.client.get("/v1/campaigns").status_code == 403
    assert gm.client.get("/v1/campaigns").status_code == 403  # no seat sees the list, only the host


def test_ids_cannot_be_guessed(served: Served) -> None:
    """At every address of a campaign, one that is not there and one that is not yours are refused in the same words."""
    gm, ann = pantry(served)
    other = served.campaign("Another")
    stolen = served.client()
    stolen.headers["Cookie"] = ann.cookies
    document = served.client().get("/v1/openapi.json").json()
    asked = 0
    for path, methods in document["paths"].items():
        if "{campaign}" not in path or path.endswith("/leave"):
            continue
        for method in methods:

            def answer(who: httpx.Client, campaign: str, path: str = path, method: str = method) -> httpx.Response:
                address = path.format(campaign=campaign, who="ann", name="ann", line=1, picture="0" * 40)
                body = BODIES.get(path.rpartition("/")[2], {}) if method == "post" else None
                return who.request(method, address, headers={"Idempotency-Key": "guess"}, json=body)

            answers = [
                answer(served.client(), gm.campaign),
                answer(ann.client, other.campaign),
                answer(stolen, other.campaign),  # a cookie opens one campaign
                answer(ann.client, "nothing"),
            ]
            assert {one.status_code for one in answers} == {403 if path.endswith(HOSTS) else 404}, path
            assert len({one.content for one in answers}) == 1, path
            asked += 1
    assert asked >= 16


HOSTS = ("/link", "/rename", "/remove", "/file")
"""Requests of the host alone: everyone else is refused, whether or not there is such a campaign."""

BODIES: dict[str, dict[str, Any]] = {
    "act": {"command": {"do": "throw", "dice": "d6"}},
    "preview": {"command": {"do": "undo", "line": 1}},
    "odds": {"who": "ann", "check": "wit"},
    "renew": {"seat": "ann"},
    "revoke": {"seat": "ann"},
    "rename": {"title": "Mine"},
    "remove": {"title": "The pantry"},
}


def test_odds_and_advice_at_the_table(served: Served) -> None:
    gm, ann = pantry(served)
    gm.done("scene.begin", scenario="together", bots={"vermin": "careful"})
    told = ann.post("odds", {"who": "ann", "check": "wit", "situation": {"difficulty": 3}})
    assert told.status_code == 200, told.text
    assert sum(row["probability"] for row in told.json()["odds"]["outcomes"]) == pytest.approx(1)
    assert ann.post("odds", {"who": "rat", "check": "wit"}).status_code == 404
    question = ann.view()["question"]
    for _ in range(60):
        question = ann.view()["question"]
        if question is not None and question.get("kind") == "choice" and "id" in question:
            break
        (ann if question and "id" in question else gm).done("answer", roll=True)
    advice = ann.client.get(f"{ann.base}/advice")
    assert advice.status_code == 200, advice.text
    assert advice.json()["question"] == question["question"]
    assert advice.json()["id"] == question["id"]


def test_undo_shows_first_and_happens_when_confirmed(served: Served) -> None:
    gm, ann = pantry(served)
    before = gm.view()["scene"]
    gm.done("scene.begin", form="time", who=["ann"])
    number = gm.view()["lines"][-1]["number"]
    shown = gm.post("preview", {"command": {"do": "undo", "line": number}})
    assert shown.status_code == 200, shown.text
    confirmed = gm.act("undo", line=number, confirm=shown.json()["confirm"])
    assert confirmed.status_code == 200, confirmed.text
    assert gm.view()["scene"] == before
    assert ann.post("preview", {"command": {"do": "undo", "line": 1}}).status_code == 403


def test_a_guest_by_invitation_waits(served: Served) -> None:
    gm = served.campaign()
    token = gm.post("invite", {"role": "player"}).json()["token"]
    guest = served.enter(token, name="Bo")
    assert guest.client.get(guest.base).status_code == 403
    assert guest.client.get(f"{guest.base}/seat").json()["approved"] is False
    assert guest.act("throw", dice="d6").status_code == 403
    assert shut(guest) == 4403, "come back when the game master has approved"
    waiting = next(seat for seat in gm.view()["seats"] if seat["name"] == "Bo")
    gm.done("seat.approve", seat=waiting["id"])
    assert guest.view()["you"]["name"] == "Bo"


@pytest.mark.parametrize("path", ["revoke", "renew"])
def test_a_revoked_or_renewed_seat_is_shut_at_once(served: Served, path: str) -> None:
    gm, ann = pantry(served)
    with ann.live() as line:
        heard(line, "view")
        assert gm.post(path, {"seat": ann.view()["you"]["seat"]}).status_code == 200
        with pytest.raises(ConnectionClosed) as closed:
            heard(line, "nothing more")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404
    assert ann.client.get(ann.base).status_code == 404
    assert shut(ann) == 4404


def test_everyone_is_told_what_happens(served: Served) -> None:
    gm, ann = pantry(served)
    with ann.live() as hers, gm.live() as his:
        first = heard(hers, "view")
        heard(his, "view")
        his.send('{"type": "act", "id": "7", "key": "a", "command": {"do": "throw", "dice": "2d8"}}')
        assert heard(his, "answer")["id"] == "7"
        news = heard(hers, "view")
        assert [line["number"] for line in news["lines"]] == [first["cursor"] + 1]
        assert "2d8" in news["lines"][0]["text"]
        hers.send('{"type": "ping", "id": "x"}')
        assert heard(hers, "pong")["id"] == "x"


def test_coming_back_gives_exactly_what_was_missed(served: Served) -> None:
    gm, ann = pantry(served)
    with ann.live() as line:
        seen = heard(line, "view")["cursor"]
    for _ in range(7):
        gm.done("throw", dice="d6")
    with ann.live(after=seen) as line:
        missed = heard(line, "view")
    assert [one["number"] for one in missed["lines"]] == list(range(seen + 1, seen + 8))
    assert missed["lines"] == ann.view(after=seen)["lines"]
    for latest, first in ((3, seen + 5), (0, None), (500, 1)):
        with ann.live(latest=latest) as line:
            newest = heard(line, "view")
        assert newest["cursor"] == newest["last"] == seen + 7
        assert next((one["number"] for one in newest["lines"]), None) == first


def test_presence_is_told(served: Served) -> None:
    gm, ann = pantry(served)
    hers, his = ann.view()["you"]["seat"], gm.view()["you"]["seat"]
    with gm.live() as line:
        with ann.live():
            while heard(line, "presence")["seats"] != sorted((hers, his)):
                pass
        while heard(line, "presence")["seats"] != [his]:
            pass


def test_others_are_told_who_is_writing(served: Served) -> None:
    gm, ann = pantry(served)
    hers = ann.view()["you"]["seat"]
    elsewhere, before = served.campaign("Another table"), gm.view()["last"]
    with gm.live() as his, ann.live() as line, ann.live() as again, elsewhere.live() as other:
        for one in (his, line, again, other):
            heard(one, "view")
        line.send(json.dumps({"type": "writing"}))
        assert heard(his, "writing") == {"type": "writing", "seat": hers}
        for one, who in ((line, ann), (again, ann), (other, elsewhere)):
            one.send(json.dumps({"type": "ping", "id": "1"}))
            kinds = set()
            while "pong" not in kinds:
                kinds.add(json.loads(one.recv(timeout=LIMIT))["type"])
            assert "writing" not in kinds, who.campaign
    assert gm.view()["last"] == before, "nothing of it is kept"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '"act"',
        '{"type": "shout"}',
        '{"type": "act"}',
        '{"type": "act", "key": "k", "command": {"do": 1}}',
        "[" * 5_000,
        '{"type": "ping", "id": "' + "x" * 70_000 + '"}',
    ],
)
def test_a_message_that_is_not_understood_is_refused_and_the_line_stays(served: Served, text: str) -> None:
    gm = served.campaign()
    with gm.live() as line:
        heard(line, "view")
        line.send(text)
        told = heard(line, "problem")["problem"]
        assert told["status"] == 422
        line.send(b"\x00\xff")
        heard(line, "problem")
        line.send('{"type": "ping"}')
        heard(line, "pong")


def test_a_line_of_another_site_or_without_a_seat_is_refused(served: Served) -> None:
    gm = served.campaign()
    with pytest.raises(InvalidStatus), gm.live(Origin="https://elsewhere.example"):
        pass
    token = gm.post("invite", {"role": "player"}).json()["token"]
    waiting = served.enter(token, "Bo")
    assert code_of(waiting) == 4403, "until the game master approves"
    gm.done("seat.approve", seat=waiting.client.get(f"{waiting.base}/seat").json()["seat"])
    with waiting.live() as line:
        heard(line, "view")
    gm.client.cookies.clear()
    assert code_of(gm) == 4404


def code_of(person: Person) -> int:
    """The code with which a connection is closed at once."""
    with person.live() as line, pytest.raises(ConnectionClosed) as closed:
        line.recv(timeout=LIMIT)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def test_the_log_can_be_taken_home(served: Served) -> None:
    gm, ann = pantry(served)
    gm.done("note.write", text="*the* <b>rat</b>", to="everyone")
    text = ann.client.get(f"{ann.base}/log").text
    assert text.startswith("# The pantry\n")
    assert "<b>" not in text


def test_a_campaign_moves_to_another_server(served: Served) -> None:
    gm, _ = pantry(served)
    gm.done("throw", dice="2d6")
    text = gm.client.get(f"{gm.base}/export").text
    host = served.client()
    assert host.post("/v1/enter", json={"token": served.store.host_link()}).json() == {"host": True}
    headers = {"Idempotency-Key": "move", "Content-Type": "application/x-ndjson"}
    answer = host.post("/v1/campaigns/import", content=text, headers=headers)
    assert answer.status_code == 201, answer.text
    assert host.post("/v1/campaigns/import", content=text, headers=headers).json() == answer.json()
    moved = served.enter(answer.json()["token"])
    assert moved.campaign != gm.campaign
    assert [line["text"] for line in moved.view()["lines"]] == [line["text"] for line in gm.view()["lines"]]
    listed = host.get("/v1/campaigns").json()["campaigns"]
    assert gm.campaign in [one["id"] for one in listed]
    made = host.post("/v1/campaigns", json={"title": "New", "system": "coinfolk"}, headers={"Idempotency-Key": "new"})
    assert made.status_code == 201
    assert served.enter(made.json()["token"]).view()["campaign"]["title"] == "New"


def test_an_import_tells_how_far_it_is_while_others_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The import is held between two slices: its progress can be read, and another table can write."""
    monkeypatch.setattr(campaign_export, "CHUNK", 3)
    go, held = threading.Event(), threading.Event()
    brought = import_campaign

    def slowly(*given: Any, progress: Callable[[int, int | None], None], **more: Any) -> Any:
        def told(done: int, total: int | None) -> None:
            progress(done, total)
            if done >= 6 and not held.is_set():
                held.set()
                assert go.wait(LIMIT)

        return brought(*given, progress=told, **more)

    monkeypatch.setattr(campaigns, "import_campaign", slowly)
    with serving(tmp_path) as served:
        gm = served.campaign("To be moved")
        for number in range(8):
            gm.done("note.write", text=f"note {number}")
        text = gm.client.get(f"{gm.base}/export").text
        total = len(text.splitlines()) - 1
        other = served.campaign("Playing on")
        host = served.client()
        host.post("/v1/enter", json={"token": served.store.host_link()})
        answers: list[httpx.Response] = []

        def send() -> None:
            headers = {"Content-Type": "application/x-ndjson", "Idempotency-Key": "moving"}
            answers.append(host.post("/v1/campaigns/import", content=text, headers=headers))

        assert host.get("/v1/imports?key=moving").json() == {"progress": None}
        sending = threading.Thread(target=send)
        sending.start()
        assert held.wait(LIMIT)
        far = host.get("/v1/imports?key=moving").json()["progress"]
        assert 0 < far["done"] < far["total"] == total
        assert host.get("/v1/imports?key=another").json() == {"progress": None}
        assert other.client.get("/v1/imports?key=moving").status_code == 403
        assert other.act("throw", dice="d6").status_code == 200
        assert answers == [], "the import is still held"
        go.set()
        sending.join(LIMIT)
        assert [one.status_code for one in answers] == [201]
        assert host.get("/v1/imports?key=moving").json() == {"progress": None}


def test_an_import_that_takes_too_long_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(0, 10**9, 1_000))
    brought = import_campaign
    monkeypatch.setattr(
        campaigns, "import_campaign", lambda *given, **more: brought(*given, **more, clock=lambda: next(times))
    )
    monkeypatch.setattr(campaign_export, "CHUNK", 3)
    with serving(tmp_path) as served:
        gm = served.campaign("Too long")
        for number in range(8):
            gm.done("note.write", text=f"note {number}")
        text = gm.client.get(f"{gm.base}/export").text
        host = served.client()
        host.post("/v1/enter", json={"token": served.store.host_link()})
        headers = {"Content-Type": "application/x-ndjson", "Idempotency-Key": "long"}
        refused = host.post("/v1/campaigns/import", content=text, headers=headers)
        assert refused.status_code == 422
        assert "longer than 15 minutes; nothing of it was kept" in refused.json()["detail"]
        assert len(served.store.campaigns()) == 1
