"""Differences between two packs or libraries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from tablewright.game.content.library import Library, Pack
from tablewright.game.files.documents import Step, dotted


class EntryChange(NamedTuple):
    """One changed field of an entry; `field` is the path inside the entry."""

    kind: str
    id: str
    field: str
    before: Any
    after: Any

    def __str__(self) -> str:
        before, after = (json.dumps(value, ensure_ascii=False) for value in (self.before, self.after))
        return f"{self.kind} {self.id}: {self.field}: {before} > {after}"


@dataclass(frozen=True)
class Diff:
    """Differences between two packs or libraries."""

    added: tuple[tuple[str, str], ...]
    removed: tuple[tuple[str, str], ...]
    changed: tuple[EntryChange, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    def __str__(self) -> str:
        lines = [f"{kind} {id_}: added" for kind, id_ in self.added]
        lines += [f"{kind} {id_}: removed" for kind, id_ in self.removed]
        return "\n".join([*lines, *map(str, self.changed)])

    def to_json(self) -> dict[str, Any]:
        """The differences as plain JSON."""
        return {
            "added": [{"kind": kind, "id": id_} for kind, id_ in self.added],
            "removed": [{"kind": kind, "id": id_} for kind, id_ in self.removed],
            "changed": [change._asdict() for change in self.changed],
        }


def diff(before: Pack | Library, after: Pack | Library) -> Diff:
    """Added and removed entries, and changed fields."""
    old, new = before.by_id, after.by_id
    changed: list[EntryChange] = []
    for kind, id_ in old.keys() & new.keys():
        if old[kind, id_] != new[kind, id_]:
            first, second = (entry.model_dump(mode="json") for entry in (old[kind, id_], new[kind, id_]))
            changed += [EntryChange(kind, id_, *rest) for rest in _changes((), first, second)]
    return Diff(
        tuple([key for key in new if key not in old]),
        tuple([key for key in old if key not in new]),
        tuple(sorted(changed, key=lambda change: change[:3])),
    )


def _changes(path: tuple[Step, ...], before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys([*before, *after]):
            yield from _changes((*path, name), before.get(name), after.get(name))
    elif before != after:
        yield dotted(path), before, after
