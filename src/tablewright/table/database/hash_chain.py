"""Hash chain of a log: each hash covers the line, the viewers of its bodies, and the previous hash.

A line that was altered, removed or moved does not fit the hashes around it. The campaign stores the last hash, which
also reveals a truncated log. The form of a hash cannot change without a migration.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

FIRST = ""
"""The hash before the first line."""

Places = Mapping[str, Sequence[int]]
"""For each viewer, the indexes of the bodies that they see of a line, in order."""


class StoredLine(NamedTuple):
    """A line as stored: ``data`` and ``bodies`` are compact JSON."""

    seq: int
    parent: int | None
    at: str
    by: str
    kind: str
    data: str
    bodies: str
    hash: str = ""


def hash_of_line(before: str, line: StoredLine, places: Places) -> str:
    """Hash of a line whose predecessor has the hash ``before``."""
    told = {viewer: list(places[viewer]) for viewer in sorted(places) if places[viewer]}
    parts = (before, short_json(line[:5]), line.data, line.bodies, short_json(told))
    return blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()


def hash_of_snapshot(seq: int, head: int, data: str) -> str:
    """Hash of a snapshot."""
    return blake2b(f"{seq}\n{head}\n{data}".encode(), digest_size=16).hexdigest()


def short_json(value: object) -> str:
    """Encode a value as compact JSON in ASCII."""
    return json.dumps(value, separators=(",", ":"))
