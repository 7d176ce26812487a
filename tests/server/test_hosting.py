"""Administration of a table by its host: rename, export, delete."""

from __future__ import annotations

import itertools
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from server.serving import Person, Served, heard, shut

_KEYS = itertools.count(1)


class Host:
    """The host of the server."""

    def __init__(self, served: Served) -> None:
        self.client = served.client()
        assert self.client.post("/v1/enter", json={"token": served.store.host_link()}).json() == {"host": True}

    def post(self, campaign: str, path: str, body: dict[str, Any], key: str | None = None) -> httpx.Response:
        """Send something about a campaign."""
        headers = {"Idempotency-Key": key or f"host-{next(_KEYS)}"}
        return self.client.post(f"/v1/campaigns/{campaign}/{path}", json=body, headers=headers)

    def titles(self) -> list[str]:
        """Titles of the tables."""
        return [one["title"] for one in self.client.get("/v1/campaigns").json()["campaigns"]]


@pytest.fixture
def host(served: Served) -> Host:
    """A client with the host's cookie."""
    return Host(served)


def test_a_table_is_renamed_for_everyone_at_once(served: Served, host: Host) -> None:
    gm = served.campaign("The pantry to be renamed")
    with gm.live(after=gm.view()["cursor"]) as line:
        heard(line, "view")
        answer = host.post(gm.campaign, "rename", {"title": " The  attic "}, key="rename-1")
        assert (answer.status_code, answer.json()) == (200, {"id": gm.campaign, "title": "The attic"})
        seen = heard(line, "view")
    assert seen["campaign"]["title"] == "The attic"
    assert [one["text"] for one in seen["lines"]] == ["this table is called The attic from now on"]
    assert "The attic" in host.titles()
    assert "The pantry to be renamed" not in host.titles()
    again = host.post(gm.campaign, "rename", {"title": " The  attic "}, key="rename-1")
    assert again.json() == answer.json()
    for wrong in ({"title": ""}, {"title": "  "}, {"title": "x" * 61}, {}):
        assert host.post(gm.campaign, "rename", wrong).status_code == 422


def test_a_table_is_removed_by_its_name_and_everyone_is_told(served: Served, host: Host) -> None:
    gm = served.campaign("The pantry to be removed")
    ann = gm.invite("Ann")
    link = gm.post("invite", {"role": "player", "name": "Late"}).json()["token"]
    wrong = host.post(gm.campaign, "remove", {"title": "The pantry"})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "title")
    assert ann.view()["campaign"]["title"] == "The pantry to be removed"
    with ann.live() as line:
        heard(line, "view")
        title = {"title": "The pantry to be removed"}
        assert host.post(gm.campaign, "remove", title, key="remove-1").status_code == 200
        with pytest.raises(ConnectionClosed):
            heard(line, "nothing more")
    assert line.close_code == shut(ann) == 4404
    assert host.post(gm.campaign, "remove", title, key="remove-1").status_code == 200, "asked again it is done already"
    assert host.post(gm.campaign, "remove", title).status_code == 404
    assert "The pantry to be removed" not in host.titles()
    assert ann.client.get(ann.base).status_code == 404
    assert gm.act("throw", dice="d6").status_code == 404
    assert served.client().post("/v1/enter", json={"token": link}).status_code == 404


def test_the_file_of_a_table_brings_it_back_as_a_new_one(served: Served, host: Host) -> None:
    gm = served.campaign("The pantry to be kept")
    gm.done("character.add", character="ann")
    host.post(gm.campaign, "rename", {"title": "The kept pantry"})
    kept = host.client.get(f"/v1/campaigns/{gm.campaign}/file")
    assert (kept.status_code, kept.headers["content-type"]) == (200, "application/x-ndjson")
    assert kept.headers["content-disposition"] == 'attachment; filename="the-kept-pantry.ndjson"'
    assert host.post(gm.campaign, "remove", {"title": "The kept pantry"}).status_code == 200
    headers = {"Idempotency-Key": "bring-back", "Content-Type": "application/x-ndjson"}
    brought = host.client.post("/v1/campaigns/import", content=kept.content, headers=headers)
    assert brought.status_code == 201
    back = served.enter(brought.json()["token"])
    assert back.view()["campaign"]["title"] == "The kept pantry"
    assert [one["name"] for one in back.view()["characters"]] == ["Ann"]
    assert host.client.get(f"/v1/campaigns/{gm.campaign}/file").status_code == 404


def test_only_the_host_does_so(served: Served) -> None:
    gm = served.campaign("The guarded pantry")
    everybody: list[Person | httpx.Client] = [gm, gm.invite("Ann"), served.client()]
    for one in everybody:
        client = one.client if isinstance(one, Person) else one
        for path, body in (("rename", {"title": "Mine"}), ("remove", {"title": "The guarded pantry"})):
            headers = {"Idempotency-Key": "mine"}
            answer = client.post(f"/v1/campaigns/{gm.campaign}/{path}", json=body, headers=headers)
            assert answer.status_code == 403, path
        assert client.get(f"/v1/campaigns/{gm.campaign}/file").status_code == 403
    assert gm.view()["campaign"]["title"] == "The guarded pantry"


def test_files_are_called_after_what_they_hold(served: Served, host: Host) -> None:
    gm = served.campaign('Käthe\'s "Krämer"\\../etc')
    ann = gm.invite("Ann Ö.")

    def called(one: httpx.Client, where: str) -> str:
        return one.get(f"/v1/campaigns/{gm.campaign}/{where}").headers["content-disposition"]

    assert called(host.client, "file") == 'attachment; filename="kathe-s-kramer-etc.ndjson"'
    assert called(gm.client, "export") == 'attachment; filename="kathe-s-kramer-etc.ndjson"'
    assert called(ann.client, "export") == 'attachment; filename="kathe-s-kramer-etc-ann-o.ndjson"'
    host.post(gm.campaign, "rename", {"title": "酒場"})
    assert called(host.client, "file") == f'attachment; filename="{gm.campaign}.ndjson"'
