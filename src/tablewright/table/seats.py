"""Tokens, ids and names: who may sit where. A token is shown once; only its hash is kept."""

from __future__ import annotations

import re
import secrets
import unicodedata
from base64 import b32encode
from collections.abc import Collection, Iterable
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import NamedTuple

from tablewright.errors import BadInput

TOKEN_BYTES = 24
_ID_LETTERS = 6
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


def slug(name: str) -> str:
    """A name as the beginning of an id: letters and digits, with a hyphen between words."""
    words = "".join([letter if letter.isalnum() else " " for letter in name.casefold()]).split()
    return "-".join(words)[:40] or "somebody"


def seat_id(name: str, taken: Collection[str]) -> str:
    """An id for a seat made of a name; it stays when the name changes.

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
    """An id that cannot be guessed and that tells nothing of how many other things there are.

    It follows from the campaign's seed, which nobody is shown, and from what it is ``about``.

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
"""Letters that look like nothing at all, though they count as letters or signs."""

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
"""Letters of other alphabets, and digits, that look like Latin letters, by the letter that they look like."""

_SEEN_AS = str.maketrans({letter: latin for latin, letters in _ALIKE.items() for letter in letters})


@lru_cache(maxsize=4_096)
def looks(name: str) -> str:
    """A name reduced to how it looks: two names that people could take for each other have the same.

    Case, blanks, punctuation, accents, width and the alphabet of letters that look the same make no difference.

    >>> looks("Game Master") == looks("gаme-MASTER") == looks("Ｇame  Mаster")
    True
    >>> looks("Anna") == looks("Anne")
    False
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).translate(_SEEN_AS).casefold())
    seen = "".join([letter for letter in plain if unicodedata.category(letter)[0] in "LNS"])
    return seen.replace("i", "l").replace("rn", "m").replace("vv", "w") or plain


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of some names that a name could be taken for."""
    wanted = looks(name)
    return next((other for other in others if looks(other) == wanted), None)


def checked_name(name: str) -> str:
    """A name as it is kept; one with letters that cannot be seen or printed is refused."""
    plain = " ".join(name.split())
    if not 1 <= len(plain) <= 60:
        raise BadInput(f"a name has 1 to 60 letters, not {len(plain)}", field="name")
    check_seen(plain)
    return plain


def check_seen(name: str, field: str = "name") -> None:
    """Refuse a name with letters that cannot be seen: control and format characters, blanks of other kinds."""
    for letter in name:
        if letter != " " and (unicodedata.category(letter)[0] in "CZ" or letter in _INVISIBLE):
            raise BadInput(f"U+{ord(letter):04X} cannot be seen in a name; allowed are letters and signs", field=field)
