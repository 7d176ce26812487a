"""Queries on links: invitations, cookies of seats and the links of the host."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, insert, select, update

from tablewright.table.database.schema import links

MOST_HASHES = 50
"""Upper bound for cookies looked up in one statement."""

HOST = ""
"""Campaign id of rows that belong to no campaign: links, cookies and keys of the host."""

_LINK = select(links).where(links.c.hash == bindparam("hash"), links.c.void.is_(None))


class LinkRow(NamedTuple):
    """A stored token: its hash, and the seat or role that it opens."""

    hash: str
    campaign: str
    seat: str | None
    role: str
    form: str
    made: str
    void: str | None


def link_of(connection: Connection, hash_: str) -> LinkRow | None:
    """The link of a valid token, by its hash; None if it is void or unknown."""
    found = connection.execute(_LINK, {"hash": hash_}).first()
    return None if found is None else LinkRow(*found)


def seats_of(connection: Connection, campaign: str, hashes: Sequence[str]) -> dict[str, str]:
    """The seats of a campaign that cookies open, by the hash of the cookie; void cookies are left out."""
    found: dict[str, str] = {}
    wanted = list(dict.fromkeys(hashes))
    for start in range(0, len(wanted), MOST_HASHES):
        some = wanted[start : start + MOST_HASHES]
        asked = {"campaign": campaign} | {f"hash_{place}": hash_ for place, hash_ in enumerate(some)}
        found |= {hash_: seat for hash_, seat in connection.execute(_opened_by(len(some)), asked) if seat is not None}
    return found


@cache
def _opened_by(count: int) -> Select[Any]:
    """Select statement for a number of hashes."""
    c = links.c
    hashes: list[Any] = [bindparam(f"hash_{place}") for place in range(count)]
    return select(c.hash, c.seat).where(
        c.hash.in_(hashes), c.campaign == bindparam("campaign"), c.form == "cookie", c.void.is_(None)
    )


def link_ever(connection: Connection, hash_: str) -> LinkRow | None:
    """The link of a token, even if it is void; None if it is unknown."""
    found = connection.execute(select(links).where(links.c.hash == hash_)).first()
    return None if found is None else LinkRow(*found)


def void_host_links(connection: Connection, at: str, *, before: str, forms: Sequence[str]) -> None:
    """Void the host's links that were made up to a moment."""
    old = (links.c.campaign == HOST) & links.c.form.in_(forms) & (links.c.made <= before) & links.c.void.is_(None)
    connection.execute(update(links).where(old).values(void=at))


def void_link(connection: Connection, hash_: str, at: str) -> bool:
    """Void one token; return True if it was valid until now."""
    gone = connection.execute(update(links).where(links.c.hash == hash_, links.c.void.is_(None)).values(void=at))
    return gone.rowcount == 1


def add_link(connection: Connection, link: LinkRow) -> None:
    """Store the hash of a token."""
    connection.execute(insert(links).values(**link._asdict()))


def void_links(connection: Connection, campaign: str, seats: Sequence[str], at: str) -> None:
    """Void every token of some seats; an empty name stands for open invitations."""
    for seat in seats:
        whose = links.c.seat.is_(None) if not seat else links.c.seat == seat
        gone = update(links).where(links.c.campaign == campaign, whose, links.c.void.is_(None))
        connection.execute(gone.values(void=at))
