"""Tokens, ids and names of seats. A token is shown once; only its hash is stored."""

from __future__ import annotations

import re
import secrets
import unicodedata
from base64 import b32encode
from collections.abc import Collection, Iterable
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import NamedTuple

from tablewright.errors import InvalidInputError

TOKEN_BYTES = 24
_ID_LETTERS = 6
_RESERVED = frozenset({"everyone", "table", "somebody", "actor", "opponent", "ally", "gm", "public", "self", "blind"})


class Invitation(NamedTuple):
    """A token that opens a seat, or an open invitation to ask for one. It is shown only once."""

    token: str
    role: str
    seat: str | None = None

    def __repr__(self) -> str:
        return f"Invitation(token='...', role={self.role!r}, seat={self.seat!r})"


def new_token() -> str:
    """Random token that is safe in a URL."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_of(token: str) -> str:
    """Hash to store for a token; empty if malformed. Tokens have 192 random bits, and a plain hash is safe."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{16,128}", token):
        return ""
    return sha256(token.encode()).hexdigest()


def slug(name: str) -> str:
    """A name as the start of an id: letters and digits, with hyphens between words."""
    words = "".join([letter if letter.isalnum() else " " for letter in name.casefold()]).split()
    return "-".join(words)[:40] or "somebody"


def seat_id(name: str, taken: Collection[str]) -> str:
    """Id of a seat, made from a name; it stays the same when the name changes.

    >>> seat_id("Anna Maria", ["anna-maria"]), seat_id("Table", []), seat_id("!", [])
    ('anna-maria-2', 'table-2', 'somebody-2')
    """
    base = slug(name)
    wanted, number = base, 1
    while wanted in taken or wanted in _RESERVED:
        number += 1
        wanted = f"{base}-{number}"
    return wanted


def unguessable_id(base: str, seed: str, about: str, taken: Collection[str]) -> str:
    """Unguessable id that does not reveal the number of other objects.

    It is derived from the campaign's secret seed and from ``about``.

    >>> unguessable_id("note", "00" * 16, "note|the public|3", [])
    'note-5sb37l'
    """
    number, wanted = 0, ""
    while not wanted or wanted in taken:
        found = blake2b(f"{about}|{number}".encode(), key=bytes.fromhex(seed), digest_size=5).digest()
        wanted = f"{base}-{b32encode(found).decode().lower()[:_ID_LETTERS]}"
        number += 1
    return wanted


# ---------------------------------------------------------------------- names

_INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that are invisible."""

_ALIKE = {
    "a": "аɑα",
    "b": "ЬВΒ",
    "c": "сСϲ",
    "d": "ԁ",
    "e": "еЕΕ",
    "g": "ɡ",
    "h": "һНΗ",
    "i": "іІїιΙı",
    "j": "јЈ",
    "k": "кКκΚ",
    "l": "ӏӀ1|łŁ",
    "m": "мМΜ",
    "n": "ηΝ",
    "o": "оОοΟ0øØσ",
    "p": "рРρΡ",
    "s": "ѕЅ",
    "t": "тТτΤ",
    "u": "υ",
    "v": "νѵ",
    "w": "ѡω",
    "x": "хХχΧ",
    "y": "уУγΥ",
    "z": "Ζ",
    "A": "АΑ",
}
"""Letters of other alphabets, and digits, that look like Latin letters, by that Latin letter."""

_SEEN_AS = str.maketrans({letter: latin for latin, letters in _ALIKE.items() for letter in letters})


@lru_cache(maxsize=4_096)
def looks(name: str) -> str:
    """Visual form of a name: equal for two names that people could confuse.

    It ignores case, blanks, punctuation, accents, width, and the alphabet of letters that look the same.

    >>> looks("Game Master") == looks("gаme-MASTER") == looks("Ｇame  Mаster")
    True
    >>> looks("Anna") == looks("Anne")
    False
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).translate(_SEEN_AS).casefold())
    seen = "".join([letter for letter in plain if unicodedata.category(letter)[0] in "LNS"])
    return seen.replace("i", "l").replace("rn", "m").replace("vv", "w") or plain


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of some names that looks like a name, or None."""
    wanted = looks(name)
    return next((other for other in others if looks(other) == wanted), None)


def checked_name(name: str) -> str:
    """Normalise the blanks of a name; refuse invisible or unprintable letters."""
    plain = " ".join(name.split())
    if not 1 <= len(plain) <= 60:
        raise InvalidInputError(f"a name has 1 to 60 letters, not {len(plain)}", field="name")
    check_seen(plain)
    return plain


def check_seen(name: str, field: str = "name") -> None:
    """Refuse a name with invisible letters: control and format characters, and unusual blanks."""
    for letter in name:
        if letter != " " and (unicodedata.category(letter)[0] in "CZ" or letter in _INVISIBLE):
            raise InvalidInputError(
                f"U+{ord(letter):04X} cannot be seen in a name; allowed are letters and signs", field=field
            )
