"""The way in: what a visitor finds at home, what a link shows before it is opened, and a demo fight."""

from __future__ import annotations

import re
from typing import Any

import pytest
import segno

from server.serving import Person, Served

SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")


def host(served: Served) -> Person:
    """The host's browser."""
    client = served.client()
    answer = client.post("/v1/enter", json={"token": served.store.host_link()})
    assert answer.json() == {"host": True}
    return Person(served, client, "")


def looked_at(served: Served, token: str) -> dict[str, Any]:
    """The lobby of a link, for a stranger."""
    answer = served.client().post("/v1/link", json={"token": token})
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json()
    return shown


def test_a_stranger_finds_no_table_in_the_lobby_and_the_host_every_one(served: Served) -> None:
    gm = served.campaign("The cellar")
    assert served.client().get("/v1/lobby").json() == {"host": False, "campaigns": []}
    assert gm.client.get("/v1/lobby").json() == {"host": False, "campaigns": []}
    gm.done("scene.begin", scenario="even")
    listed = host(served).client.get("/v1/lobby").json()
    assert listed["host"]
    [one] = [one for one in listed["campaigns"] if one["id"] == gm.campaign]
    assert (one["title"], one["scene"]["form"]) == ("The cellar", "encounter")
    seen = gm.view()["scene"]
    assert one["scene"]["round"] == seen["round"]
    assert [who["name"] for who in one["scene"]["participants"]] == [who["name"] for who in seen["participants"]]


def test_a_link_shows_the_table_and_is_not_used_up(served: Served) -> None:
    gm = served.campaign("The attic")
    for who in ("ann", "bob"):
        gm.done("character.add", character=who)
    token = gm.post("invite", {"role": "player"}).json()["token"]
    for _ in range(2):
        shown = looked_at(served, token)
        assert (shown["open"], shown["asks_name"], shown["campaign"]) == (True, True, "The attic")
        assert (shown["game_master"], shown["system"], shown["name"]) == ("Gwen", "coinfolk", None)
        assert [(one["name"], one["player"]) for one in shown["characters"]] == [("Ann", None), ("Bob", None)]
    named = gm.post("invite", {"role": "player", "name": "Petra"}).json()["token"]
    shown = looked_at(served, named)
    assert (shown["asks_name"], shown["name"], shown["characters"]) == (False, "Petra", [])
    served.enter(named)
    assert looked_at(served, named) == {"open": False}
    assert looked_at(served, "no-such-token-at-all") == {"open": False}
    assert looked_at(served, served.store.host_link()) == {"open": True, "host": True}


def test_a_hidden_character_stands_in_no_link(served: Served) -> None:
    gm = served.campaign("The loft")
    gm.done("character.add", character="ann")
    gm.done("character.add", character="bob", known=False)
    token = gm.post("invite", {"role": "player"}).json()["token"]
    assert [one["name"] for one in looked_at(served, token)["characters"]] == ["Ann"]
    client = served.client()
    refused = client.post("/v1/enter", json={"token": token, "name": "Petra", "character": "bob"})
    assert (refused.status_code, refused.json()["field"]) == (422, "character")


def test_a_person_let_in_plays_their_chosen_character(served: Served) -> None:
    gm = served.campaign("The yard")
    for who in ("ann", "bob"):
        gm.done("character.add", character=who)
    token = gm.post("invite", {"role": "player"}).json()["token"]
    people = []
    for name in ("Petra", "Jonas"):
        client = served.client()
        entered = client.post("/v1/enter", json={"token": token, "name": name, "character": "ann"}).json()
        assert not entered["approved"]
        people.append(Person(served, client, entered["id"]))
    waiting = {one["name"]: one for one in gm.view()["seats"] if not one["approved"]}
    assert {one["wants"] for one in waiting.values()} == {"ann"}
    gm.done("seat.approve", seat=waiting["Petra"]["id"])
    assert people[0].view()["you"]["characters"] == ["ann"]
    assert all("wants" not in one for one in people[0].view()["seats"])
    assert [one["player"] for one in looked_at(served, token)["characters"]] == ["Petra", None]
    gm.done("seat.approve", seat=waiting["Jonas"]["id"])  # it is not free any more
    assert people[1].view()["you"]["characters"] == []
    refused = served.client().post("/v1/enter", json={"token": token, "name": "Lena", "character": "ann"})
    assert (refused.status_code, refused.json()["field"]) == (422, "character")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_demo_fight_begins_once_and_the_other_side_is_played(served: Served, system: str) -> None:
    someone = host(served)
    body, headers = {"system": system, "scenario": "even"}, {"Idempotency-Key": f"a-long-enough-key-for-{system}"}
    made = [someone.client.post("/v1/campaigns/demo", json=body, headers=headers) for _ in range(2)]
    assert [one.status_code for one in made] == [201, 201]
    assert made[0].json() == made[1].json()
    gm = served.enter(made[0].json()["token"])
    seen = gm.view()
    assert seen["scene"]["form"] == "encounter"
    party = {
        one["side"] for one in seen["scene"]["participants"] if one["id"] in {who["id"] for who in seen["characters"]}
    }
    assert len(party) == 1
    others = [one for one in seen["scene"]["participants"] if one["side"] not in party]
    assert others
    assert {one["seat"].partition(":")[0] for one in others} == {"bot"}


def test_only_the_host_begins_a_demo_fight(served: Served) -> None:
    headers = {"Idempotency-Key": "another-long-enough-key"}
    body = {"system": "mars", "scenario": "even"}
    assert served.client().post("/v1/campaigns/demo", json=body, headers=headers).status_code == 403
    answer = host(served).client.post("/v1/campaigns/demo", json=body | {"scenario": "nowhere"}, headers=headers)
    assert answer.status_code == 404


def test_scenarios_have_titles_and_say_what_they_are_about(served: Served) -> None:
    client = served.client()
    for system in SYSTEMS:
        found = client.get(f"/v1/systems/{system}/scenarios").json()["scenarios"]
        assert {"even", "together"} <= {one["name"] for one in found}
        for one in found:
            assert one["title"]
            assert one["about"]
            assert sum(side["count"] for side in one["sides"]) > 1


def test_a_search_tells_the_words_in_a_snippet_and_counts_every_game(served: Served) -> None:
    client = served.client()
    told = client.get("/v1/rules", params={"words": "parry", "system": "mars"}).json()
    assert {one["system"] for one in told["rules"]} == {"mars"}
    assert told["counts"]["mars"] == len(told["rules"])
    assert told["counts"]["stage"] > 0
    assert sum("parr" in one["snippet"].lower() for one in told["rules"]) >= len(told["rules"]) // 2
    assert all(len(one["snippet"]) < 200 for one in told["rules"])


def test_a_rule_names_its_terms(served: Served) -> None:
    told = served.client().get("/v1/rules/mars.attack.procedure").json()
    assert told["terms"]
    for term in told["terms"]:
        assert term["text"] in told["rule"]
        assert served.client().get(f"/v1/rules/{term['rule']}").json()["title"] == term["title"]


def modules(code: dict[str, Any]) -> list[list[int]]:
    """The dark modules of a drawn code as 1."""
    found = [[0] * code["size"] for _ in range(code["size"])]
    drawn = re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", code["path"])
    assert "".join([f"M{x} {y}h{width}v1h-{back}z" for x, y, width, back in drawn]) == code["path"]
    for x, y, width, back in drawn:
        assert width == back
        for at in range(int(x), int(x) + int(width)):
            found[int(y)][at] = 1
    return found


def test_a_link_is_drawn_as_a_code_that_leads_where_the_page_is(served: Served) -> None:
    gm = served.campaign("The scullery")
    token = gm.post("invite", {"role": "player", "name": "Petra"}).json()["token"]
    for origin in (None, f"http://table.test:{served.port}"):
        answer = served.client().post(
            "/v1/link/code", json={"token": token}, headers={} if origin is None else {"Origin": origin}
        )
        assert answer.status_code == 200, answer.text
        expected = segno.make(f"{origin or served.url}/#{token}", micro=False)
        assert modules(answer.json()) == [list(row) for row in expected.matrix]
    assert looked_at(served, token)["open"], "a drawn link is not used up"
