"""Uploads over the network: hostile files, headers, access by seat, and secrets that reach no one else."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection

from patience import LIMIT
from server.serving import Person, Served
from table.drawing import HOSTILE, drawn
from tablewright.table.pictures import encode_picture

BINARY = {"Content-Type": "application/octet-stream"}


def upload(person: Person, data: bytes, use: str = "handout", key: str = "", **headers: str) -> httpx.Response:
    """Send a picture."""
    sent = BINARY | {"Idempotency-Key": key or f"upload-{hash(data)}-{use}"} | headers
    return person.client.post(f"{person.base}/pictures", params={"use": use}, content=data, headers=sent)


@pytest.fixture(scope="module")
def table(served: Served) -> tuple[Person, Person, Person, Person]:
    """A game master, two players and a spectator."""
    gm = served.campaign("The gallery")
    anna, ben, walt = gm.invite("Anna"), gm.invite("Ben"), gm.invite("Walt", "spectator")
    gm.done("character.add", character="ann", seat="anna")
    return gm, anna, ben, walt


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_get_one_line_or_become_harmless(table: tuple[Person, ...], name: str) -> None:
    gm, *_ = table
    make, why = HOSTILE[name]
    data = make()
    answer = upload(gm, data)
    if not why:
        assert answer.status_code == 201, answer.text
        assert gm.client.get(f"{gm.base}/pictures/{answer.json()['id']}").content == encode_picture(data).data
        return
    assert answer.status_code in (413, 422)
    assert answer.headers["content-type"] == "application/problem+json"
    assert why in answer.json()["detail"]
    assert "\n" not in answer.json()["detail"]


def test_a_picture_is_served_safely_and_kept_for_good(table: tuple[Person, ...]) -> None:
    gm, *_ = table
    id_ = upload(gm, drawn("navy")).json()["id"]
    answer = gm.client.get(f"{gm.base}/pictures/{id_}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/webp"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "immutable" in answer.headers["cache-control"]
    assert "private" in answer.headers["cache-control"]
    assert answer.content.startswith(b"RIFF")


def test_only_seats_upload_and_only_bytes(table: tuple[Person, ...], served: Served) -> None:
    gm, anna, _, walt = table
    stranger = served.client().post(
        f"{gm.base}/pictures", content=drawn(), headers=BINARY | {"Idempotency-Key": "stranger"}
    )
    assert stranger.status_code == 404
    assert upload(walt, drawn()).status_code == 403
    for kind in ("text/plain", "multipart/form-data", "application/x-www-form-urlencoded", "image/svg+xml"):
        assert upload(anna, drawn(), key="form", **{"Content-Type": kind}).status_code == 415
    assert upload(anna, drawn(), key="site", Origin="http://evil.example").status_code == 403
    missing = anna.client.post(f"{anna.base}/pictures", content=drawn(), headers=BINARY)
    assert "Idempotency-Key" in missing.json()["detail"]
    assert upload(anna, drawn(), use="wallpaper").status_code == 422
    act = anna.client.post(f"{anna.base}/act", content=b"{}", headers=BINARY | {"Idempotency-Key": "act"})
    assert act.status_code == 415, "bytes are for pictures alone"


def test_the_same_key_uploads_once(table: tuple[Person, ...]) -> None:
    _, anna, *_ = table
    first = upload(anna, drawn("orange"), key="twice")
    assert upload(anna, drawn("orange"), key="twice").json() == first.json()
    assert upload(anna, drawn("purple"), key="twice").status_code == 422


def test_a_hidden_and_an_unknown_picture_are_refused_alike(table: tuple[Person, ...]) -> None:
    gm, anna, ben, walt = table
    hidden = upload(gm, drawn("maroon")).json()["id"]
    for person in (anna, ben, walt):
        answers = [person.client.get(f"{person.base}/pictures/{one}") for one in (hidden, "0" * 40)]
        assert [one.status_code for one in answers] == [404, 404]
        assert answers[0].content == answers[1].content
    assert gm.client.get(f"{gm.base}/pictures/..%2f..%2fsecret").status_code in (404, 422)


PLANTED = ("wexling", "drombar", "tiskel")
"""Words in a whisper, in the title of a handout and in its text."""

HIDDEN = "lurkbold"
"""Id of a hidden participant."""


def everything(line: ClientConnection, last: str) -> str:
    """Every message of a live connection as it came, up to the one that holds the last words said."""
    found = ""
    while last not in found:
        found += str(line.recv(timeout=LIMIT))
    return found


def refusals(person: Person, who: str) -> list[tuple[int, str]]:
    """The answers to requests about a participant, without the id."""
    answers = [
        person.client.get(f"{person.base}/sheets/{who}"),
        person.act("token.place", who=who, x=1, y=1),
        person.act("portrait.set", who=who, picture=None),
        person.act("say", text="hm", who=who),
    ]
    return [(one.status_code, one.text.replace(who, "")) for one in answers]


def reached(person: Person, pictures: list[str], ids: list[str]) -> list[str]:
    """Every secret that a seat finds at any address, in any refusal and in its file."""
    looks = (
        *("", "?after=1", "/lines", "/notes", "/log", "/export", "/file", "/seat", "/sheets/ann", "/encounters/x"),
        *("/advice", "/features", "/growth", "/asked/1"),
    )
    told = [person.client.get(f"{person.base}{look}").text for look in looks]
    told += [person.client.get(f"/v1/{elsewhere}").text for elsewhere in ("campaigns", "lobby", "imports")]
    for who, unknown in zip(*[refusals(person, one) for one in (HIDDEN, "nobody")], strict=True):
        assert who == unknown, "someone hidden is refused like someone who is not there"
    check = {"what": "wit", "who": HIDDEN, "situation": []}
    told += [
        person.post(path, {"command": {"do": "say", "text": "hm"}, **check}).text
        for path in ("odds", "preview", "ahead")
    ]
    commands: list[dict[str, Any]] = [
        *({"do": do, "id": id_} for id_ in [*ids, "handout-none"] for do in ("handout.hide", "handout.drop")),
        *({"do": "handout.show", "id": id_, "seats": "everyone"} for id_ in [*ids, "handout-none"]),
        *({"do": "portrait.set", "who": "ann", "picture": one} for one in pictures),
        {"do": "say", "text": "/w Nobody hello"},
        {"do": "undo.ask", "line": 1_000_000},
    ]
    for command in commands:
        answer = person.act(**command)
        assert answer.status_code in (403, 404, 422)
        told.append(answer.text)
    told += [person.client.get(f"{person.base}/pictures/{one}").text for one in pictures]
    return [secret for secret in (*PLANTED, *pictures, *ids, HIDDEN.title()) if secret in "".join(told)]


def test_whisper_handout_and_hidden_token_reach_nobody_else(served: Served) -> None:
    gm = served.campaign("Secrets at the table")
    anna, ben, walt = gm.invite("Anna"), gm.invite("Ben"), gm.invite("Walt", "spectator")
    gm.done("character.add", character="ann", seat="anna")
    gm.done("character.add", character="bob", seat="ben")
    gm.done("scene.begin", scenario="together")
    gm.done(
        "join", entrant={"character": "rat", "id": HIDDEN, "name": HIDDEN.title(), "hidden": True, "side": "vermin"}
    )
    with ben.live() as his, ben.live(changes=True) as again, walt.live() as watching, anna.live() as hers:
        pictures = [upload(gm, drawn(colour)).json()["id"] for colour in ("khaki", "coral")]
        gm.done("handout.keep", title=f"The {PLANTED[1]} map", text=f"the {PLANTED[2]} gate", picture=pictures[0])
        ids = [gm.view()["handouts"][0]["id"]]
        gm.done("handout.show", id=ids[0], seats=["anna"])
        gm.done("portrait.set", who=HIDDEN, picture=pictures[1])
        gm.done("map.set", picture=upload(gm, drawn("olive"), "map").json()["id"])
        gm.done("token.place", who=HIDDEN, x=300, y=200)
        anna.done("say", text=f"the {PLANTED[0]} is near", to="gm")
        gm.done("say", text=f"/w Anna keep the {PLANTED[0]} quiet")
        hers.send(json.dumps({"type": "writing"}))
        gm.done("handout.hide", id=ids[0])
        gm.done("handout.show", id=ids[0], seats=["anna"])
        gm.done("say", text="that is all")
        lines = {"ben": his, "ben, by changes": again, "walt": watching, "anna": hers}
        frames = {name: everything(line, "that is all") for name, line in lines.items()}
    for name in ("ben", "ben, by changes", "walt"):
        assert [one for one in (*PLANTED, *pictures, *ids, HIDDEN) if one in frames[name].casefold()] == [], name
    assert reached(ben, pictures, ids) == reached(walt, pictures, ids) == []
    assert [one for one in (*PLANTED, pictures[0], *ids) if one not in frames["anna"]] == [], "its reader has all of it"
    assert pictures[1] not in frames["anna"]
    assert anna.client.get(f"{anna.base}/pictures/{pictures[0]}").status_code == 200
    whole = gm.client.get(f"{gm.base}/export", timeout=LIMIT).text
    assert all(one in whole for one in (*PLANTED, *pictures, *ids))


def test_the_file_of_a_campaign_travels_with_its_pictures(served: Served) -> None:
    gm = served.campaign("A journey")
    gm.done("character.add", character="ann")
    picture = upload(gm, drawn("gold"), "portrait").json()["id"]
    gm.done("portrait.set", who="ann", picture=picture)
    file = gm.client.get(f"{gm.base}/export").content
    host = served.client()
    assert host.post("/v1/enter", json={"token": served.store.host_link()}).json() == {"host": True}
    headers = {"Content-Type": "application/x-ndjson", "Idempotency-Key": "journey"}
    made = host.post("/v1/campaigns/import", content=file, headers=headers).json()
    again = served.enter(made["token"])
    assert again.view()["portraits"] == {"ann": picture}
    pictures = [one.client.get(f"{one.base}/pictures/{picture}").content for one in (gm, again)]
    assert pictures[0] == pictures[1]
    assert pictures[0].startswith(b"RIFF")
