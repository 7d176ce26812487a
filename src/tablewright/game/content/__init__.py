"""Packs: content as data. Weapons, armours, powers, creatures are entries of files that nothing in them can execute.

A system declares its kinds as models that derive from `Entry`; what is inside an entry derives from `Part`. A pack is a
YAML or JSON file, or a folder of them with the header in `pack.yaml`:

    pack: {id: harbour, title: Harbour gear, version: "1", origin: house}
    system: coinfolk
    weapons:
      - {id: gaff, name: Gaff, damage: 3}

A `Library` is the starter pack of a system and a user's own packs after it, which add entries or replace them by id.
Whatever is wrong with a pack is reported at once, each with file, line and column.

>>> class Weapon(Entry):
...     damage: int = Field(ge=0, le=12)
>>> pack = read_pack('{pack: {id: a, title: A, version: "1"}, system: coinfolk, weapons: [{id: gaff, damage: 13}]}',
...                  {"weapons": Weapon})
Traceback (most recent call last):
tablewright.errors.ManyProblems: pack:1:69: weapons[0].name: missing
pack:1:69: weapons[0].origin: missing
pack:1:88: weapons[0].damage: 13 is not allowed, allowed is 12 or less
"""

from __future__ import annotations

from pydantic import Field

from tablewright.game.content.comparing import Change, Diff, diff
from tablewright.game.content.entries import Amount, Entry, Kinds, Part, Refers
from tablewright.game.content.library import Library, Pack
from tablewright.game.content.reading import library_of, load_pack, load_shipped_pack, read_pack
from tablewright.game.frozen import WRITTEN, Frozen, Written

__all__ = [
    "WRITTEN",
    "Amount",
    "Change",
    "Diff",
    "Entry",
    "Field",
    "Frozen",
    "Kinds",
    "Library",
    "Pack",
    "Part",
    "Refers",
    "Written",
    "diff",
    "library_of",
    "load_pack",
    "load_shipped_pack",
    "read_pack",
]
