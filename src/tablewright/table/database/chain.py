"""The chain of a log: every line has a hash, made of the line, of who is told what of it, and of the hash before it.

A line that was altered, removed or moved does not fit the hashes around it. The last hash stands with the campaign, so
that a log that was cut short is found too. The form of a hash cannot change without a migration.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

FIRST = ""
"""The hash before the first line."""

Places = Mapping[str, Sequence[int]]
"""The bodies that each viewer is told of a line, in order."""


class StoredLine(NamedTuple):
    """A line as it is stored: ``data`` and ``bodies`` are JSON in its shortest form."""

    seq: int
    parent: int | None
    at: str
    by: str
    kind: str
    data: str
    bodies: str
    hash: str = ""


def hash_of_line(before: str, line: StoredLine, places: Places) -> str:
    """The hash of a line that follows the line with the hash ``before``."""
    told = {viewer: list(places[viewer]) for viewer in sorted(places) if places[viewer]}
    parts = (before, short_json(line[:5]), line.data, line.bodies, short_json(told))
    return blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()


def hash_of_snapshot(seq: int, head: int, data: str) -> str:
    """The hash of a snapshot."""
    return blake2b(f"{seq}\n{head}\n{data}".encode(), digest_size=16).hexdigest()


def short_json(value: object) -> str:
    """JSON in its shortest form, in ASCII."""
    return json.dumps(value, separators=(",", ":"))
