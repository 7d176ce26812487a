"""The table: campaigns that last, people with seats and secrets. Everything a server or a program needs is here.

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

``open_store`` gives a ``Store``; it lists and makes campaigns, turns tokens into seats and tells of changes. A
``Table`` is one campaign: ``view`` and ``lines`` say what a seat has to see, ``act`` does what it asks for, ``preview``
shows what an undo or a changed line would do. What is refused is a ``TablewrightError``: ``BadInput`` (not
understood), ``RulesSayNo`` (the rules forbid it), ``Forbidden`` (not this seat), ``NotFound``, ``Conflict`` (something
happened first), ``StoreFull``, ``StoreDamaged`` and ``StoreRefused`` (the database).
"""

from __future__ import annotations

from tablewright.table.campaign import Role, Seat
from tablewright.table.commands import COMMANDS, AnyCommand, Command, read_command
from tablewright.table.doing import SETTINGS
from tablewright.table.files import export_campaign, export_seen, import_campaign
from tablewright.table.refusals import Conflict, Forbidden, NotFound, StoreDamaged, StoreFull, StoreRefused
from tablewright.table.repeating import Once
from tablewright.table.seats import Invitation
from tablewright.table.store import Entry, Info, Made, Store, Subscription, open_store
from tablewright.table.table import Table

__all__ = [
    "COMMANDS",
    "SETTINGS",
    "AnyCommand",
    "Command",
    "Conflict",
    "Entry",
    "Forbidden",
    "Info",
    "Invitation",
    "Made",
    "NotFound",
    "Once",
    "Role",
    "Seat",
    "Store",
    "StoreDamaged",
    "StoreFull",
    "StoreRefused",
    "Subscription",
    "Table",
    "export_campaign",
    "export_seen",
    "import_campaign",
    "open_store",
    "read_command",
]
