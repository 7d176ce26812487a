"""Twin campaigns that differ in one hidden fact: over every address and the live feed a player gets the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import httpx
import pytest
from websockets.sync.client import ClientConnection

from conformance.places import at_length
from patience import LIMIT
from server.serving import Person, Served, heard, serving
from table.playing import Group, group
from table.test_encounters import SCENARIO
from table.test_secrets import (
    DIFFERENCES,
    HIDDEN_PICTURE,
    WRONG,
    Difference,
    a_secret_pack,
    few_plays,
    other_health,
    then_in_public,
)

LOOKS = (
    *("", "?after=1", "?after=5", "?after=9999999", "?most=1", "/lines", "/lines?after=3&most=2"),
    *("/seat", "/log", "/export", "/advice", "/features", "/growth", "/encounters/the-cellar", "/asked/4", "/file"),
    *(f"/pictures/{HIDDEN_PICTURE}", f"/pictures/{'0' * 40}", "/pictures/no-picture"),
    *("/notes", "/notes?most=1", "/notes?before=game-master-1", "/notes?before=anna-1"),
)
SHEETS = ("ann", "bob", "rat", "spy", "npc-spy", "lurker", "nobody")
ODDS: tuple[dict[str, Any], ...] = (
    {"who": "ann", "check": "wit", "situation": {"difficulty": 3}},
    {"who": "ann", "check": "nothing"},
    *({"who": who, "check": "wit"} for who in ("rat", "lurker", "npc-spy", "nobody")),
)
POSTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ahead", {"options": ["wait", "strike:rat", "strike:lurker"]}),
    ("invite", {}),
    ("renew", {"seat": "gwen"}),
    ("revoke", {"seat": "spy"}),
    ("link", {}),
    ("rename", {"title": "Mine"}),
    ("remove", {"title": "The pantry"}),
    *(("odds", body) for body in ODDS),
)


class Twin(NamedTuple):
    """A campaign on a server of its own."""

    served: Served
    group: Group

    def person(self, seat: str) -> Person:
        """The seats with their cookies."""
        client = self.served.client()
        client.headers["Cookie"] = f"tablewright_seat={self.group.cookies[seat]}"
        return Person(self.served, client, self.group.table.id)


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Served]]:
    """Two servers whose clocks stand still."""
    with ExitStack() as stack:
        one, two = (
            stack.enter_context(serving(tmp_path_factory.mktemp("twin"), now=lambda: "2026-03-04T05:06:07Z"))
            for _ in range(2)
        )
        yield one, two


def told(answer: httpx.Response, port: int) -> tuple[Any, ...]:
    """An answer as it went over the line, but for the moment and the server's own address."""
    headers = sorted((name, value) for name, value in answer.headers.items() if name != "date")
    return answer.status_code, headers, answer.content.replace(str(port).encode(), b"port")


def everything(twin: Twin, seat: str) -> list[Any]:
    """Everything that a seat can request."""
    person, port = twin.person(seat), twin.served.port
    found: list[Any] = [told(person.client.get(f"{person.base}{look}"), port) for look in LOOKS]
    found += [told(person.client.get(f"{person.base}/sheets/{who}"), port) for who in SHEETS]
    for number, command in enumerate(WRONG):
        found.append(told(person.post("act", {"command": command}, key=f"w{number}"), port))
    for number, command in enumerate(WRONG[:: 1 if at_length() else 4]):  # the tests of the table try all of them
        found.append(told(person.post("act", {"command": command, "expected": 9_999_999}, key=f"e{number}"), port))
        found.append(told(person.post("preview", {"command": command}), port))
    found += [told(person.post(path, body, key=path), port) for path, body in POSTS]
    found.append(told(person.post("act", {"command": {"do": "throw", "dice": "d6"}}, key="hers"), port))
    with person.live() as line:
        found.append(json.dumps(heard(line, "view")))
        for number, command in enumerate(WRONG):
            line.send(json.dumps({"type": "act", "id": f"{number}", "key": f"l{number}", "command": command}))
            found.append(json.dumps(heard(line, "answer", "problem")))
    question = person.view(2**53)["question"]
    for option in (question or {}).get("options", ())[:12] if question and "id" in question else ():
        command = {"do": "answer", "option": option["id"], "question": "0" * 18}
        found.append(told(person.post("act", {"command": command}, key=f"o{option['id'][:60]}"), port))
    return found


def a_lurker(g: Group, twin: bool) -> None:
    """A hidden participant joins: no list of options, targets or refusals names it."""
    if twin:
        entrant = {"character": "cat", "id": "lurker", "name": "Lurker", "side": "vermin", "hidden": True}
        g.act(g.gm, "join", entrant=entrant)


def a_kept_encounter(g: Group, twin: bool) -> None:
    """The game master has prepared something."""
    if twin:
        g.act(g.gm, "encounter.keep", title="The cellar", scenario=SCENARIO)


HIDDEN = [*DIFFERENCES, a_lurker, a_kept_encounter]


def test_every_address_of_a_campaign_is_compared(servers: tuple[Served, Served]) -> None:
    """One that is new has to be added to what twins are asked; those that end a seat or ask the host are not here."""
    document = servers[0].client().get("/v1/openapi.json").json()
    start = "/v1/campaigns/{campaign}"
    there = {path.removeprefix(start).strip("/").partition("/")[0] for path in document["paths"] if start in path}
    asked = {look.strip("/").partition("?")[0].partition("/")[0] for look in LOOKS} | {path for path, _ in POSTS}
    assert there - asked == {"act", "preview", "sheets", "leave"}, "the first three are asked too, the last ends a seat"


@pytest.mark.parametrize("difference", few_plays(HIDDEN), ids=lambda one: one.__name__)
def test_a_player_gets_the_same_bytes(servers: tuple[Served, Served], difference: Difference) -> None:
    twins = [Twin(served, group(served.store, id=f"twin-{difference.__name__}", seed=99)) for served in servers]
    for twin, is_other in zip(twins, (False, True), strict=True):
        twin.group.begin()
        twin.group.until(twin.group.anna)
        difference(twin.group, is_other)
        then_in_public(twin.group)
    for seat in (twins[0].group.anna, twins[0].group.watcher):
        one, two = [everything(twin, seat) for twin in twins]
        assert len(one) > 60
        assert one == two
    gm = twins[0].group.gm
    views = [twin.person(gm).client.get(twin.person(gm).base).content for twin in twins]
    assert views[0] != views[1], "the game master can tell them apart"


UNSEEN = [one for one in HIDDEN if one not in (other_health, a_secret_pack)]
"""The others leave a trace: that there was a ruling, without its number, and that another scene begins."""


@pytest.mark.parametrize("difference", few_plays(UNSEEN), ids=lambda one: one.__name__)
def test_a_player_hears_nothing_of_what_happens_unseen(servers: tuple[Served, Served], difference: Difference) -> None:
    """A line that is open all the while tells nothing of it: not even that a message came."""
    twins = [Twin(served, group(served.store, id=f"live-{difference.__name__}", seed=99)) for served in servers]
    told: list[list[str]] = []
    for twin, is_other in zip(twins, (False, True), strict=True):
        g = twin.group
        g.begin()
        g.until(g.anna)
        with (
            twin.person(g.gm).live() as his_own,
            twin.person(g.anna).live() as hers,
            twin.person(g.watcher).live() as his,
        ):
            for line in (his_own, hers, his):
                heard(line, "view")
            before = g.table.cursor(g.gm)
            difference(g, is_other)
            assert not is_other or before < g.table.cursor(g.gm), "the game master sees that something happened"
            if before < g.table.cursor(g.gm):  # by now a message that should not come would be on its way
                while heard(his_own, "view")["cursor"] <= before:
                    pass
                for seat in (g.anna, g.watcher):
                    twin.person(seat).view()
            g.act(g.gm, "throw", dice="3d20")
            told.append([text for line in (hers, his) for text in until_told(line, "3d20")])
    assert len(told[0]) == 2, "what everybody sees, and before it nothing"
    assert told[0] == told[1]


def until_told(line: ClientConnection, words: str) -> list[str]:
    """Every message, as it came, up to the one that tells of something; who is there does not count."""
    found: list[str] = []
    while not found or words not in found[-1]:
        message = str(line.recv(timeout=LIMIT))
        found += [message] if json.loads(message)["type"] != "presence" else []
    return found


def test_the_key_of_another_seat_gives_nothing_of_its_answer(servers: tuple[Served, Served]) -> None:
    twin = Twin(servers[0], group(servers[0].store, id="keys", seed=3))
    gm, anna = twin.person(twin.group.gm), twin.person(twin.group.anna)
    body = {"command": {"do": "throw", "dice": "7d6", "audience": "blind"}}
    first = gm.post("act", body, key="shared")
    assert first.json()["lines"]
    second = anna.post("act", body, key="shared")
    assert second.json()["lines"] == []  # hers is another throw, and blind
    invited = gm.post("invite", {"role": "spectator", "name": "Zed"}, key="shared-invite")
    stolen = anna.post("invite", {"role": "spectator", "name": "Zed"}, key="shared-invite")
    assert (invited.status_code, stolen.status_code) == (200, 403)
    assert invited.json()["token"] not in stolen.text
