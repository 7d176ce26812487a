"""A whole campaign as one file, and back."""

from __future__ import annotations

from tablewright.table.store import Store
from tablewright.table.table import Table


def export_campaign(store: Store, campaign: str) -> str:
    """The campaign with all its secrets, for the game master and the host, as the text of one file."""
    raise NotImplementedError


def import_campaign(store: Store, text: str | bytes) -> Table:
    """A campaign from the text of a file."""
    raise NotImplementedError
