"""Tables of the database, as the newest migration leaves them.

JSON is stored as plain ASCII text, which keeps the bytes identical on SQLite and PostgreSQL.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, MetaData, String, Table, Text

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
"""Campaigns, one row each.

``last`` is the last line of the log; a writer moves it from exactly the line that it saw. ``hash`` is the hash of that
line. ``closed`` is the reason why the campaign cannot be opened: damage, or an unfinished import.
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
"""Append-only log.

``bodies`` are the texts for viewers, as JSON. ``hash`` is the link in the chain (``database/hash_chain.py``).
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
"""Feed of each viewer, numbered per viewer: the line and the index of the body."""

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
"""Campaign states after some lines, for faster loading. They can be rebuilt from the log."""

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
"""Responses by seat and key; a repeated request gets the same response and has no second effect.

A response with a token is stored without the token. Only the holder of the cookie or link that requested it gets it
again, and ``seat`` then holds the hash of that secret. Rows that belong to no campaign, such as the creation of one,
have an empty campaign id.
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
"""Hashes of the tokens that open a seat: ``link`` (once), ``invitation`` (open to anyone), ``cookie``.

Tokens of the host have an empty campaign id.
"""

pictures = Table(
    "pictures",
    metadata,
    Column("campaign", String(40), primary_key=True),
    Column("id", String(40), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
"""Uploaded pictures as WebP files, named by their hash. The log says who uploaded them and who may see them."""
