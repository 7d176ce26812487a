"""Content as data: packs of weapons, armours, powers and creatures; files that hold no code.

A system declares its kinds as models derived from `ContentEntry`; models inside an entry derive from `EntryPart`. A
pack is a YAML or JSON file, or a folder of them with the header in `pack.yaml`:

    pack: {id: harbour, title: Harbour gear, version: "1", origin: house}
    system: coinfolk
    weapons:
      - {id: gaff, name: Gaff, damage: 3}

A `Library` is the starter pack of a system followed by the user's own packs, which add entries or replace them by id.
The error for a wrong pack lists all problems at once, each with file, line and column.

>>> from pydantic import Field
>>> from tablewright.game.content.entries import ContentEntry
>>> from tablewright.game.content.packs import read_pack
>>> class Weapon(ContentEntry):
...     damage: int = Field(ge=0, le=12)
>>> pack = read_pack('{pack: {id: a, title: A, version: "1"}, system: coinfolk, weapons: [{id: gaff, damage: 13}]}',
...                  {"weapons": Weapon})
Traceback (most recent call last):
tablewright.errors.ProblemListError: pack:1:69: weapons[0].name: missing
pack:1:69: weapons[0].origin: missing
pack:1:88: weapons[0].damage: 13 is not allowed, allowed is 12 or less
"""
