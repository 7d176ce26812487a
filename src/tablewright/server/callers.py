"""Callers of the API, and the cookies that identify them."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.table import Table

COOKIE = "tablewright_seat"
HOST_COOKIE = "tablewright_host"
MOST_COOKIE = 200
"""Upper bound for the length of a cookie that is looked up."""


@dataclass(frozen=True)
class Caller:
    """A caller with a seat: the table, the seat, and the cookie that opens it."""

    table: Table
    seat: str
    cookie: str


def cookie_path(campaign: str) -> str:
    """Cookie path of a campaign, so that one browser can hold several seats."""
    return f"/v1/campaigns/{campaign}"
