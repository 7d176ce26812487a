"""The tables of the database, as the newest migration leaves them.

Whatever is JSON is kept as plain text in ASCII, so that both kinds of database keep the very same bytes.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, String, Table, Text

metadata = MetaData()

campaigns = Table(
    "campaigns",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("title", Text, nullable=False),
    Column("system", String(60), nullable=False),
    Column("made", String(40), nullable=False),
    Column("played", String(40), nullable=False),
    Column("last", BigInteger, nullable=False),
    Column("hash", String(32), nullable=False, server_default=""),
    Column("closed", Text, nullable=True),
)
"""``last`` is the last line of the log: whoever appends moves it, from the very line that they saw. ``hash`` is its
hash; ``closed`` is why the campaign cannot be opened: it is damaged, or not imported as a whole yet.
"""

lines = Table(
    "lines",
    metadata,
    Column("campaign", String(40), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("parent", BigInteger, nullable=True),
    Column("at", String(40), nullable=False),
    Column("by", String(80), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("data", Text, nullable=False),
    Column("bodies", Text, nullable=False),
    Column("hash", String(32), nullable=False, server_default=""),
)
"""The log. Nothing in it is ever changed or removed. ``bodies`` are what the line tells, ``hash`` is its place in the
chain (``database/chain.py``).
"""

feed = Table(
    "feed",
    metadata,
    Column("campaign", String(40), primary_key=True),
    Column("viewer", String(80), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    Column("place", Integer, nullable=False),
    Index("feed_by_line", "campaign", "seq"),
)
"""What each viewer has to see, counted by what that viewer sees: which body of which line."""

snapshots = Table(
    "snapshots",
    metadata,
    Column("campaign", String(40), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("head", BigInteger, nullable=False),
    Column("data", Text, nullable=False),
    Column("hash", String(32), nullable=False, server_default=""),
    Index("snapshots_by_head", "campaign", "head"),
)
"""The campaign as it was after a line, so that not everything is read to open it. They can be made again."""

requests = Table(
    "requests",
    metadata,
    Column("campaign", String(40), primary_key=True),
    Column("seat", String(80), primary_key=True),
    Column("key", String(120), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("answer", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
)
"""What a seat was answered under which key: asked again, it gets the same answer, and nothing happens twice.

An answer with a token in it is kept without the token, for whoever has the cookie or link that it was asked with: then
``seat`` names the hash of that. What belongs to no campaign, as a new one, has an empty name for it.
"""

links = Table(
    "links",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("campaign", String(40), nullable=False),
    Column("seat", String(80), nullable=True),
    Column("role", String(20), nullable=False),
    Column("form", String(20), nullable=False),
    Column("made", String(40), nullable=False),
    Column("void", String(40), nullable=True),
    Index("links_by_campaign", "campaign", "seat"),
)
"""Hashes of the tokens that open a seat: ``link`` (once), ``invitation`` (for whoever comes), ``cookie``.

Those of whoever started the server have no campaign.
"""
