"""First tables: campaigns, logs, feeds, snapshots, requests and links."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "campaigns",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("system", sa.String(60), nullable=False),
        sa.Column("made", sa.String(40), nullable=False),
        sa.Column("played", sa.String(40), nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "lines",
        sa.Column("campaign", sa.String(40), primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("parent", sa.BigInteger, nullable=True),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("by", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("bodies", sa.Text, nullable=False),
    )
    op.create_table(
        "feed",
        sa.Column("campaign", sa.String(40), primary_key=True),
        sa.Column("viewer", sa.String(80), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
    )
    op.create_index("feed_by_line", "feed", ["campaign", "seq"])
    op.create_table(
        "snapshots",
        sa.Column("campaign", sa.String(40), primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("head", sa.BigInteger, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )
    op.create_index("snapshots_by_head", "snapshots", ["campaign", "head"])
    op.create_table(
        "requests",
        sa.Column("campaign", sa.String(40), primary_key=True),
        sa.Column("seat", sa.String(80), primary_key=True),
        sa.Column("key", sa.String(120), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "links",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("campaign", sa.String(40), nullable=False),
        sa.Column("seat", sa.String(80), nullable=True),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("form", sa.String(20), nullable=False),
        sa.Column("made", sa.String(40), nullable=False),
        sa.Column("void", sa.String(40), nullable=True),
    )
    op.create_index("links_by_campaign", "links", ["campaign", "seat"])
