"""Persistent campaigns with seats and secrets: the public names that a server or a program needs.

>>> from tempfile import TemporaryDirectory
>>> from tablewright.table import open_store
>>> folder = TemporaryDirectory()
>>> store = open_store(f"{folder.name}/tables.db")
>>> made = store.make_campaign("The toll bridge", "coinfolk", game_master="Gwen")
>>> cookie, entry = store.exchange(made.invitation.token)
>>> table, gwen = store.enter(cookie)
>>> answer = table.act(gwen, {"do": "character.add", "character": "ann"}, key="1")
>>> [line["text"] for line in answer["lines"]]
['Ann is part of the campaign']
>>> table.view(gwen)["characters"][0]["name"]
'Ann'
>>> store.close()
>>> folder.cleanup()

``open_store`` returns a ``Store``, which lists and creates campaigns, exchanges tokens for seats and notifies
subscribers of changes. A ``Table`` is one campaign: ``view`` and ``lines`` return what a seat may see, ``act`` executes
a command, and ``preview`` shows the effect of an undo or a changed line. All errors are ``TablewrightError``:
``InvalidInputError``, ``IllegalActionError`` (the rules forbid it), ``ForbiddenError`` (not this seat),
``NotFoundError``, ``ConflictError`` (a change that the seat has not seen), and for the database ``StoreFullError``,
``StoreDamagedError`` and ``StoreError``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tablewright.extras import needs_extra

if TYPE_CHECKING:
    from tablewright.table.campaign import Seat, SeatRole
    from tablewright.table.commands import COMMANDS, AnyCommand, Command, read_command
    from tablewright.table.errors import (
        ConflictError,
        ForbiddenError,
        NotFoundError,
        StoreDamagedError,
        StoreError,
        StoreFullError,
    )
    from tablewright.table.export import export_campaign, export_seen, import_campaign
    from tablewright.table.handlers.settings import SETTINGS
    from tablewright.table.idempotency import TokenRequest
    from tablewright.table.store import CampaignSummary, CreatedCampaign, SeatAccess, Store, Subscription, open_store
    from tablewright.table.table import Table
    from tablewright.table.tokens import Invitation

__all__ = [
    "COMMANDS",
    "SETTINGS",
    "AnyCommand",
    "CampaignSummary",
    "Command",
    "ConflictError",
    "CreatedCampaign",
    "ForbiddenError",
    "Invitation",
    "NotFoundError",
    "Seat",
    "SeatAccess",
    "SeatRole",
    "Store",
    "StoreDamagedError",
    "StoreError",
    "StoreFullError",
    "Subscription",
    "Table",
    "TokenRequest",
    "export_campaign",
    "export_seen",
    "import_campaign",
    "open_store",
    "read_command",
]

_MODULES = {
    "COMMANDS": "commands",
    "SETTINGS": "handlers.settings",
    "AnyCommand": "commands",
    "CampaignSummary": "store",
    "Command": "commands",
    "ConflictError": "errors",
    "CreatedCampaign": "store",
    "ForbiddenError": "errors",
    "Invitation": "tokens",
    "NotFoundError": "errors",
    "Seat": "campaign",
    "SeatAccess": "store",
    "SeatRole": "campaign",
    "Store": "store",
    "StoreDamagedError": "errors",
    "StoreError": "errors",
    "StoreFullError": "errors",
    "Subscription": "store",
    "Table": "table",
    "TokenRequest": "idempotency",
    "export_campaign": "export",
    "export_seen": "export",
    "import_campaign": "export",
    "open_store": "store",
    "read_command": "commands",
}
"""Public names with the modules that define them; the database is loaded with the first name that needs it."""


def __getattr__(name: str) -> Any:
    """Load a public name on first use."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with needs_extra("server"):
        value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
