"""Queries on uploaded pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection, insert, select

from tablewright.table.database.schema import pictures


class PictureRow(NamedTuple):
    """A stored picture: the hash of its bytes, and the bytes."""

    id: str
    data: bytes


def add_pictures(connection: Connection, campaign: str, rows: list[PictureRow]) -> None:
    """Store pictures of a campaign; one that is already stored stays as it is."""
    for row in rows:
        there = select(pictures.c.id).where(pictures.c.campaign == campaign, pictures.c.id == row.id)
        if connection.execute(there).first() is None:
            connection.execute(insert(pictures).values(campaign=campaign, **row._asdict()))


def picture_of(connection: Connection, campaign: str, id_: str) -> bytes | None:
    """Bytes of a picture; None if it is not stored."""
    wanted = select(pictures.c.data).where(pictures.c.campaign == campaign, pictures.c.id == id_)
    found: bytes | None = connection.execute(wanted).scalar()
    return found


def ids_of(connection: Connection, campaign: str) -> list[str]:
    """Ids of the stored pictures of a campaign, sorted."""
    wanted = select(pictures.c.id).where(pictures.c.campaign == campaign).order_by(pictures.c.id)
    return list(connection.execute(wanted).scalars())


def all_ids(connection: Connection) -> Iterator[tuple[str, str]]:
    """Campaign and id of every stored picture."""
    for row in connection.execute(select(pictures.c.campaign, pictures.c.id).order_by(*pictures.primary_key)):
        yield row.campaign, row.id
