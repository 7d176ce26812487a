"""Tokens and names: who may sit where. A token is shown once; only its hash is kept."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from hashlib import sha256
from typing import NamedTuple

from tablewright.errors import BadInput

TOKEN_BYTES = 24
_RESERVED = frozenset({"everyone", "table", "somebody", "actor", "opponent", "ally", "gm", "public", "self", "blind"})


class Invitation(NamedTuple):
    """A token that opens a seat, or lets somebody ask for one. This is the only time it is shown."""

    token: str
    role: str
    seat: str | None = None

    def __repr__(self) -> str:
        return f"Invitation(token='...', role={self.role!r}, seat={self.seat!r})"


def new_token() -> str:
    """A token that nobody can guess, of letters that can stand in a link."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_of(token: str) -> str:
    """What is kept of a token. It has 192 random bits, so that a plain hash cannot be turned round."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{16,128}", token):
        return ""
    return sha256(token.encode()).hexdigest()


def seat_id(name: str, taken: Collection[str]) -> str:
    """An id for a seat made of a name; it stays when the name changes.

    >>> seat_id("Anna Maria", ["anna-maria"]), seat_id("Table", []), seat_id("!", [])
    ('anna-maria-2', 'table-2', 'somebody-2')
    """
    base = "-".join("".join([letter if letter.isalnum() else " " for letter in name.casefold()]).split())[:40]
    base = base or "somebody"
    wanted, number = base, 1
    while wanted in taken or wanted in _RESERVED:
        number += 1
        wanted = f"{base}-{number}"
    return wanted


def checked_name(name: str) -> str:
    """A person's name as it is kept."""
    plain = " ".join(name.split())
    if not 1 <= len(plain) <= 60 or any(ord(letter) < 32 or 0xD800 <= ord(letter) < 0xE000 for letter in plain):
        raise BadInput("a name has 1 to 60 letters that can be printed", field="name")
    return plain
