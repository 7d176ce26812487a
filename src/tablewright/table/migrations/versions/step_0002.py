"""Hash chain of every log, and the reason of closure of a campaign."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from tablewright.table.database.hash_chain import FIRST, StoredLine, hash_of_line, hash_of_snapshot

revision = "0002"
down_revision = "0001"

AT_ONCE = 500

_CAMPAIGNS = sa.text("SELECT id, last FROM campaigns")
_LINES = sa.text(
    'SELECT seq, parent, "at", "by", kind, data, bodies FROM lines '
    "WHERE campaign = :campaign AND seq > :low AND seq <= :high ORDER BY seq"
)
_PLACES = sa.text(
    "SELECT seq, viewer, place FROM feed "
    "WHERE campaign = :campaign AND seq > :low AND seq <= :high ORDER BY seq, viewer, number"
)
_SET_LINE = sa.text("UPDATE lines SET hash = :hash WHERE campaign = :campaign AND seq = :seq")
_SET_CAMPAIGN = sa.text("UPDATE campaigns SET hash = :hash WHERE id = :campaign")
_SNAPSHOTS = sa.text("SELECT campaign, seq FROM snapshots")
_SNAPSHOT = sa.text("SELECT head, data FROM snapshots WHERE campaign = :campaign AND seq = :seq")
_SET_SNAPSHOT = sa.text("UPDATE snapshots SET hash = :hash WHERE campaign = :campaign AND seq = :seq")


def upgrade() -> None:
    """Add the columns, and hash the existing lines and snapshots."""
    for table in ("campaigns", "lines", "snapshots"):
        op.add_column(table, sa.Column("hash", sa.String(32), nullable=False, server_default=""))
    op.add_column("campaigns", sa.Column("closed", sa.Text, nullable=True))
    connection = op.get_bind()
    for campaign, last in connection.execute(_CAMPAIGNS).all():
        hash_lines(connection, campaign, last)
    for campaign, seq in connection.execute(_SNAPSHOTS).all():
        one = {"campaign": campaign, "seq": seq}
        head, data = connection.execute(_SNAPSHOT, one).one()
        connection.execute(_SET_SNAPSHOT, one | {"hash": hash_of_snapshot(seq, head, data)})


def hash_lines(connection: sa.Connection, campaign: str, last: int) -> None:
    """Set the hash of every line of a log, and of the campaign."""
    hash_ = FIRST
    for low in range(0, last, AT_ONCE):
        some = {"campaign": campaign, "low": low, "high": low + AT_ONCE}
        places: dict[int, dict[str, list[int]]] = {}
        for seq, viewer, place in connection.execute(_PLACES, some):
            places.setdefault(seq, {}).setdefault(viewer, []).append(place)
        changed = []
        for row in connection.execute(_LINES, some).all():
            hash_ = hash_of_line(hash_, StoredLine(*row), places.get(row.seq, {}))
            changed.append({"campaign": campaign, "seq": row.seq, "hash": hash_})
        if changed:
            connection.execute(_SET_LINE, changed)
    connection.execute(_SET_CAMPAIGN, {"campaign": campaign, "hash": hash_})
