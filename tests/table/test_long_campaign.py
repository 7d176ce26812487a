"""Opening a long campaign reads only a small part of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sqlalchemy import text

from conformance.places import at_length
from patience import at_most_calls
from table.playing import Group, group, hash_again
from tablewright.table import Store, open_store
from tablewright.table.campaign import apply, to_snapshot
from tablewright.table.database import queries, snapshot_queries
from tablewright.table.database.hash_chain import short_json
from tablewright.table.events import from_plain, to_plain
from tablewright.table.loaded_campaign import SNAPSHOT_EVERY, LoadedCampaign

WANTED = 100_000 if at_length() else 10_000
MOST_CALLS = 50_000
"""Function calls for opening a campaign and looking at its end, however long it is: reading a line takes a dozen."""


def copies(store: Store, name: str, wanted: int) -> None:
    """Make a campaign long: the lines of its last scene, which is over, again and again, as if played again."""
    sitting = LoadedCampaign.load(store.engine, name, store.now)
    campaign = sitting.campaign
    chapter = campaign.play.chapters[-1]
    with queries.reading(store.engine) as connection:
        ends = [row.line for row in queries.rows_of(connection, name, [chapter.began, campaign.last])]
        numbers = queries.numbers_of(connection, name, chapter.began, campaign.last)
    assert [line.event.kind for line in ends] == ["SceneBegan", "SceneClosed"]
    per_scene: dict[str, list[int]] = {}
    for viewer, told_as, _ in numbers:
        per_scene.setdefault(viewer, []).append(told_as)
    first, last, length = chapter.began, campaign.last, campaign.last - chapter.began + 1
    with queries.writing(store.engine) as connection:
        for number in range(1, (wanted - last) // length + 2):
            shift = {"shift": number * length, "first": first, "last": last, "name": name}
            connection.execute(text(LINES), shift)
            for viewer, told in per_scene.items():
                stretch = {"low": min(told), "high": max(told), "viewer": viewer}
                connection.execute(text(FEED), shift | stretch | {"more": number * len(told)})
            for line in ends:
                plain = to_plain(line.event) | {"scene": f"scene-{number + 1}"}
                event = from_plain(line.event.kind, plain)
                moved = replace(line, seq=line.seq + number * length, event=event)
                campaign = apply(campaign, moved, sitting.play_at)
                row = {"data": short_json(to_plain(event)), "seq": moved.seq, "name": name}
                connection.execute(text("UPDATE lines SET data = :data WHERE campaign = :name AND seq = :seq"), row)
            if number % max(1, SNAPSHOT_EVERY // length) == 0:
                snapshot_queries.add_snapshot(connection, name, campaign.last, campaign.head, to_snapshot(campaign))
        connection.execute(text("UPDATE campaigns SET last = :last"), {"last": campaign.last})
    hash_again(store, name)


LINES = """
INSERT INTO lines SELECT campaign, seq + :shift, CASE WHEN seq = :first THEN seq + :shift - 1 ELSE parent + :shift END,
"at", "by", kind, data, bodies, hash FROM lines WHERE campaign = :name AND seq BETWEEN :first AND :last
"""
FEED = """
INSERT INTO feed SELECT campaign, viewer, number + :more, seq + :shift, place FROM feed
WHERE campaign = :name AND viewer = :viewer AND number BETWEEN :low AND :high AND seq BETWEEN :first AND :last
"""


def test_a_long_campaign_is_opened_without_reading_all_of_it(tmp_path: Path) -> None:
    with open_store(tmp_path / "tables.db") as store:
        g: Group = group(store)
        g.begin()
        g.until(g.anna)
        for _ in range(60):
            if g.question() is None:
                break
            g.answer()
        g.act(g.gm, "scene.end", anyway=True)
        copies(store, g.table.id, WANTED)
        g.table.forget()
        g.begin()
        for _ in range(20):
            if g.question() is not None:
                g.answer()
        name, anna, gm = g.table.id, g.anna, g.gm
        cursor = g.table.cursor(anna)
    with open_store(tmp_path / "tables.db") as store:
        with at_most_calls(MOST_CALLS):
            view = store.table(name).view(anna, cursor - 20)
        assert len(view["lines"]) == 20
        assert view["scene"] is not None
        info = store.campaigns()[0]
        assert info.last >= WANTED
        assert len(store.table(name).lines(gm, WANTED // 2, most=100)) == 100
