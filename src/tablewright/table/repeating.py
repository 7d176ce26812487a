"""Once again under the same key, the same token comes, though nothing has kept it.

An answer with a token in it cannot be kept: whoever reads the database could use it. So the token is not kept but drawn
again, out of three things of which the database has only one: the secret of whoever asks (their cookie, or the link
that they exchange), the key that they made up, and a word that was drawn by lot when they asked first and is kept
beside the rest of the answer. Without the secret the database gives no token; without the database a cookie that was
stolen, and is void by now, gives none either; and the same key from anybody else is another key.

>>> asked = Once("a-cookie-that-was-given", "key-1", "invite player")
>>> invitation, kept = asked.first()
>>> request = asked.request(kept, Invitation(invitation, "player", "anna"))
>>> asked.again((request.digest, request.answer)).token == invitation, invitation in str(request)
(True, False)
"""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64encode
from hashlib import blake2b, sha256
from hmac import digest
from typing import Any, NamedTuple

from tablewright.errors import BadInput
from tablewright.table.database.rows import Request
from tablewright.table.seats import TOKEN_BYTES, Invitation, hash_of, new_token

MOST_LETTERS = 100


class Once(NamedTuple):
    """Somebody asks for a token under a key: with which secret, and for what."""

    secret: str
    key: str
    what: str

    @property
    def owner(self) -> str:
        """Whose key it is, as it may be kept."""
        return f"token {hash_of(self.secret)}"

    @property
    def digest(self) -> str:
        """What is asked for, in short."""
        return blake2b(self.what.encode(), digest_size=16).hexdigest()

    def first(self) -> tuple[str, str]:
        """A token that was never there before, and the word that is kept to draw it again."""
        word = secrets.token_hex(16)
        return self._drawn(word), word

    def _drawn(self, word: str) -> str:
        drawn = digest(self.secret.encode(), f"{word} {self.digest} {self.key}".encode(), sha256)
        return urlsafe_b64encode(drawn[:TOKEN_BYTES]).decode()

    def request(self, word: str, made: Invitation, campaign: str = "") -> Request:
        """What is kept: everything but the token."""
        kept = {"word": word, "role": made.role, "seat": made.seat, "campaign": campaign}
        return Request(self.owner, self.key, self.digest, json.dumps(kept, separators=(",", ":")))

    def again(self, found: tuple[str, str]) -> Invitation:
        """What was answered the first time."""
        kept = self._kept(found)
        return Invitation(self._drawn(kept["word"]), kept["role"], kept["seat"])

    def campaign(self, found: tuple[str, str]) -> str:
        """The campaign that was made the first time."""
        return str(self._kept(found)["campaign"])

    def _kept(self, found: tuple[str, str]) -> dict[str, Any]:
        if found[0] != self.digest:
            raise BadInput("this key was used for something else already", field="key")
        kept: dict[str, Any] = json.loads(found[1])
        return kept


def token_for(asked: Once | None) -> tuple[str, str]:
    """A new token; where it may be asked for again, with the word that is kept."""
    return (new_token(), "") if asked is None else asked.first()


def checked_key(key: str | None, least: int = 1) -> str | None:
    """A key as it may be used."""
    if key is not None and (not least <= len(key) <= MOST_LETTERS or not key.isascii() or not key.isprintable()):
        raise BadInput(f"a key has {least} to {MOST_LETTERS} printable ASCII letters", field="key")
    return key
