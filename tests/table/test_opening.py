"""A campaign of a hundred thousand lines is open in under a second."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from table.playing import Group, group
from tablewright.table import Store, open_store
from tablewright.table.campaign import Campaign, Line, apply, to_snapshot
from tablewright.table.database import rows, schema
from tablewright.table.events import from_plain
from tablewright.table.sitting import SNAPSHOT_EVERY, Sitting

WANTED = 100_000


def copies(store: Store, name: str, wanted: int) -> None:
    """Make a campaign long: the lines of its last scene, which is over, again and again, as if played anew."""
    with rows.reading(store.engine) as connection:
        last = rows.last_of(connection, name) or 0
        everything = list(connection.execute(schema.lines.select().where(schema.lines.c.campaign == name)).mappings())
        told = list(connection.execute(schema.feed.select().where(schema.feed.c.campaign == name)).mappings())
    began = max(row["seq"] for row in everything if row["kind"] == "SceneBegan")
    scene = [dict(row) for row in everything if row["seq"] >= began]
    feeds = [dict(row) for row in told if row["seq"] >= began]
    assert everything[-1]["kind"] == "SceneClosed"
    sitting = Sitting.load(store.engine, name, store.now)
    counts = {viewer: sitting.campaign.counts[viewer] for viewer in sitting.campaign.counts}
    per_scene = {viewer: len([row for row in feeds if row["viewer"] == viewer]) for viewer in counts}
    number, length = 0, len(scene)
    with rows.writing(store.engine) as connection:
        while last < wanted:
            number += 1
            shift = number * length
            lines = [_moved(row, shift, began, number) for row in scene]
            connection.execute(insert(schema.lines), lines)
            moved = [
                row | {"seq": row["seq"] + shift, "number": row["number"] + number * per_scene[row["viewer"]]}
                for row in feeds
            ]
            connection.execute(insert(schema.feed), moved)
            last += length
            sitting.campaign = _told_so_far(sitting, lines, last)
            if number % max(1, SNAPSHOT_EVERY // length) == 0:
                rows.add_snapshot(connection, name, last, sitting.campaign.head, to_snapshot(sitting.campaign))
        connection.execute(schema.campaigns.update().where(schema.campaigns.c.id == name).values(last=last))


def _moved(row: dict[str, Any], shift: int, began: int, number: int) -> dict[str, Any]:
    data = row["data"]
    if row["kind"] in ("SceneBegan", "SceneClosed"):
        data = json.dumps(json.loads(data) | {"scene": f"scene-{number + 1}"})
    parent = row["parent"] + shift if row["seq"] > began else began + shift - 1
    return row | {"seq": row["seq"] + shift, "parent": parent, "data": data}


def _told_so_far(sitting: Sitting, lines: list[dict[str, Any]], last: int) -> Campaign:
    campaign = sitting.campaign
    for row in lines:
        if row["kind"] in ("SceneBegan", "SceneClosed"):  # the others do nothing outside the scene
            event = from_plain(row["kind"], json.loads(row["data"]))
            campaign = apply(campaign, Line(row["seq"], row["parent"], row["at"], row["by"], event), sitting.play_at)
    assert campaign.last == last
    return campaign


def test_a_long_campaign_is_open_in_under_a_second(tmp_path: Path) -> None:
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
    took = []
    for _ in range(3):
        with open_store(tmp_path / "tables.db") as store:
            start = time.perf_counter()
            view = store.table(name).view(anna, cursor - 20)
            took.append(time.perf_counter() - start)
            assert len(view["lines"]) == 20
            assert view["scene"] is not None
            info = store.campaigns()[0]
            assert info.last >= WANTED
            assert len(store.table(name).lines(gm, 50_000, most=100)) == 100
    print("TOOK", took)
    assert min(took) < 1, took
