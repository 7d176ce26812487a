"""Idempotent requests for tokens: the same key gives the same token, although no token is stored.

A response with a token must not be stored, because a reader of the database could use the token. Instead, the token is
derived again from the caller's secret (a cookie, or the link being exchanged), the caller's key, and a random word that
is drawn on the first request and stored with the rest of the response. The database alone yields no token without the
secret. A stolen cookie that is void by now yields none without the database. The same key from another caller is a
different key.

>>> asked = TokenRequest("a-cookie-that-was-given", "key-1", "invite player")
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

from tablewright.errors import InvalidInputError
from tablewright.table.database.queries import StoredResponse
from tablewright.table.tokens import TOKEN_BYTES, Invitation, hash_of, new_token

MOST_LETTERS = 100


class TokenRequest(NamedTuple):
    """A request for a token under a key: the caller's secret, and a description of the request."""

    secret: str
    key: str
    what: str

    @property
    def owner(self) -> str:
        """Owner of the key, as stored: a hash of the secret."""
        return f"token {hash_of(self.secret)}"

    @property
    def digest(self) -> str:
        """Short hash of the request."""
        return blake2b(self.what.encode(), digest_size=16).hexdigest()

    def first(self) -> tuple[str, str]:
        """A new token, and the random word to store for deriving it again."""
        word = secrets.token_hex(16)
        return self._drawn(word), word

    def _drawn(self, word: str) -> str:
        drawn = digest(self.secret.encode(), f"{word} {self.digest} {self.key}".encode(), sha256)
        return urlsafe_b64encode(drawn[:TOKEN_BYTES]).decode()

    def request(self, word: str, made: Invitation, campaign: str = "") -> StoredResponse:
        """The response to store, without the token."""
        kept = {"word": word, "role": made.role, "seat": made.seat, "campaign": campaign}
        return StoredResponse(self.owner, self.key, self.digest, json.dumps(kept, separators=(",", ":")))

    def again(self, found: tuple[str, str]) -> Invitation:
        """The invitation of the first response, with its token derived again."""
        kept = self._kept(found)
        return Invitation(self._drawn(kept["word"]), kept["role"], kept["seat"])

    def campaign(self, found: tuple[str, str]) -> str:
        """The campaign of the first response."""
        return str(self._kept(found)["campaign"])

    def _kept(self, found: tuple[str, str]) -> dict[str, Any]:
        if found[0] != self.digest:
            raise InvalidInputError("this key was used for another request already; make a new one", field="key")
        kept: dict[str, Any] = json.loads(found[1])
        return kept


def token_for(asked: TokenRequest | None) -> tuple[str, str]:
    """A new token, and the word to store; the word is empty without a request."""
    return (new_token(), "") if asked is None else asked.first()


def checked_key(key: str | None, least: int = 1) -> str | None:
    """Return a valid key unchanged; refuse others."""
    if key is not None and (not least <= len(key) <= MOST_LETTERS or not key.isascii() or not key.isprintable()):
        raise InvalidInputError(f"a key has {least} to {MOST_LETTERS} printable ASCII letters", field="key")
    return key
