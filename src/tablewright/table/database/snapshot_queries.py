"""Queries for snapshots of campaigns; a damaged snapshot is never read."""

from __future__ import annotations

from sqlalchemy import Connection, func, insert, select

from tablewright.table.database.hash_chain import hash_of_snapshot
from tablewright.table.database.schema import snapshots


def add_snapshot(connection: Connection, campaign: str, seq: int, head: int, data: bytes) -> None:
    """Store a snapshot of the campaign after a line; an existing one stays."""
    there = select(snapshots.c.seq).where(snapshots.c.campaign == campaign, snapshots.c.seq == seq)
    if connection.execute(there).first() is None:
        text_, hash_ = data.decode(), hash_of_snapshot(seq, head, data.decode())
        values = {"campaign": campaign, "seq": seq, "head": head, "data": text_, "hash": hash_}
        connection.execute(insert(snapshots).values(**values))


def newest_snapshot(connection: Connection, campaign: str, until: int) -> str | None:
    """Newest undamaged snapshot up to a line, or None."""
    c = snapshots.c
    while True:
        wanted = select(c.seq, c.head, c.data, c.hash).where(c.campaign == campaign, c.seq <= until)
        row = connection.execute(wanted.order_by(c.seq.desc()).limit(1)).first()
        if row is None or row.hash == hash_of_snapshot(row.seq, row.head, row.data):
            return None if row is None else str(row.data)
        until = row.seq - 1


def snapshot_heads(connection: Connection, campaign: str, low: int, high: int) -> dict[int, int]:
    """Newest snapshot line of each head between two lines, by head."""
    wanted = select(snapshots.c.head, func.max(snapshots.c.seq)).where(
        snapshots.c.campaign == campaign, snapshots.c.head.between(low, high)
    )
    return {row[0]: row[1] for row in connection.execute(wanted.group_by(snapshots.c.head))}


def snapshot_at(connection: Connection, campaign: str, seq: int) -> str | None:
    """The snapshot of a line; None if it is damaged."""
    c = snapshots.c
    wanted = select(c.seq, c.head, c.data, c.hash).where(c.campaign == campaign, c.seq == seq)
    row = connection.execute(wanted).one()
    return str(row.data) if row.hash == hash_of_snapshot(row.seq, row.head, row.data) else None
