"""A damaged campaign is closed over the network too, and the others go on."""

from __future__ import annotations

from sqlalchemy import text

from server.serving import Served, heard


def test_a_damaged_campaign_is_closed_and_others_go_on(served: Served) -> None:
    broken, other = served.campaign(), served.campaign()
    broken.done("note.write", text="the innkeeper is a spy", to="self")
    with broken.live() as live:
        heard(live, "view")
        with served.store.engine.begin() as connection:
            change = "UPDATE lines SET data = replace(data, 'spy', 'fox') WHERE campaign = :id"
            connection.execute(text(change), {"id": broken.campaign})
        report = served.store.verify()
        assert [one.info.id for one in report.campaigns if one.damage is not None] == [broken.campaign]
        for address in ("", "/lines", "/export"):
            answer = broken.client.get(f"/v1/campaigns/{broken.campaign}{address}")
            assert (answer.status_code, "damaged" in answer.json()["detail"]) == (503, True)
            assert "fox" not in answer.text
    assert broken.act("throw", dice="2d6").status_code == 503
    assert other.done("throw", dice="2d6")["lines"]
    assert served.client().get("/health").status_code == 200
