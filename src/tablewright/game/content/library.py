"""Packs that were read, and the library that they make up together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar, overload

from tablewright.errors import BadInput, nearest
from tablewright.game.content.entries import Entry

MOST_PACKS = 50

E = TypeVar("E", bound=Entry)


@dataclass(frozen=True)
class Pack:
    """A pack that was read: its header and its entries by kind, in the order of its files."""

    id: str
    title: str
    version: str
    system: str
    source: str = ""
    licence: str = ""
    entries: tuple[tuple[str, tuple[Entry, ...]], ...] = field(default=(), repr=False)

    def of(self, kind: str) -> tuple[Entry, ...]:
        """The entries of one kind."""
        return dict(self.entries).get(kind, ())

    @cached_property
    def by_id(self) -> dict[tuple[str, str], Entry]:
        """Every entry by kind and id."""
        return {(kind, entry.id): entry for kind, entries in self.entries for entry in entries}

    def __len__(self) -> int:
        return sum(len(entries) for _, entries in self.entries)

    def to_json(self) -> dict[str, Any]:
        """The pack as plain JSON, in the form of a pack file."""
        plain: dict[str, Any] = {"pack": {"id": self.id, "title": self.title, "version": self.version}}
        plain["system"] = self.system
        for name in ("source", "licence"):
            if getattr(self, name):
                plain[name] = getattr(self, name)
        return plain | {kind: [entry.to_json() for entry in entries] for kind, entries in self.entries if entries}


@dataclass(frozen=True)
class Library:
    """The content of a game: packs in order, a later one adding entries or replacing those with the same id."""

    system: str
    kinds: tuple[tuple[str, type[Entry]], ...]
    packs: tuple[Pack, ...] = ()

    def __hash__(self) -> int:
        return hash((self.system, self.packs))

    @cached_property
    def _merged(self) -> dict[str, dict[str, tuple[Entry, Pack]]]:
        merged: dict[str, dict[str, tuple[Entry, Pack]]] = {kind: {} for kind, _ in self.kinds}
        for pack in self.packs:
            for kind, entries in pack.entries:
                for entry in entries:
                    merged[kind][entry.id] = (entry, pack)
        return merged

    @cached_property
    def _quick(self) -> dict[type[Entry] | str, dict[str, Entry]]:
        """The entries by id, under the name of their kind and under its model: asked for at every attack."""
        quick: dict[type[Entry] | str, dict[str, Entry]] = {}
        for name, model in self.kinds:
            quick[name] = quick[model] = {id_: entry for id_, (entry, _) in self._merged[name].items()}
        return quick

    @cached_property
    def by_id(self) -> dict[tuple[str, str], Entry]:
        """Every entry by kind and id."""
        return {(kind, id_): entry for kind, found in self._merged.items() for id_, (entry, _) in found.items()}

    @overload
    def get(self, kind: type[E], id_: str) -> E: ...
    @overload
    def get(self, kind: str, id_: str) -> Entry: ...
    def get(self, kind: type[E] | str, id_: str) -> Entry:
        """The entry of a kind (by the name of its list, or by its model) with an id."""
        try:
            return self._quick[kind][id_]
        except KeyError:
            return self._found(kind, id_)[0]

    @overload
    def of(self, kind: type[E]) -> tuple[E, ...]: ...
    @overload
    def of(self, kind: str) -> tuple[Entry, ...]: ...
    def of(self, kind: type[E] | str) -> tuple[Entry, ...]:
        """Every entry of a kind; a replaced entry keeps the place of the one it replaces."""
        return tuple(self._quick[self._name(kind)].values())

    def ids(self, *kinds: type[Entry] | str) -> tuple[str, ...]:
        """The id of every entry of a kind, or of several kinds one after the other."""
        return tuple([id_ for kind in kinds for id_ in self._quick[self._name(kind)]])

    def of_any(self, kinds: tuple[str, ...], model: type[E]) -> Mapping[str, E]:
        """Every entry of several kinds, all of one model or its kin, by its id; of two with one id the first."""
        known = self._of_any.get(kinds)
        if known is None:
            found: dict[str, E] = {}  # kept only when it is whole: threads share a library
            for entry in [entry for kind in kinds for entry in self.of(kind)]:
                if not isinstance(entry, model):
                    raise TypeError(f"{entry.id} is no {model.__name__}")
                found.setdefault(entry.id, entry)
            known = self._of_any.setdefault(kinds, found)
        return known

    @cached_property
    def _of_any(self) -> dict[tuple[str, ...], dict[str, Any]]:
        return {}

    def has(self, kind: type[Entry] | str, id_: str) -> bool:
        """Whether there is such an entry."""
        return id_ in self._merged[self._name(kind)]

    def pack_of(self, kind: type[Entry] | str, id_: str) -> Pack:
        """The pack that an entry is from."""
        return self._found(kind, id_)[1]

    def find(self, id_: str) -> tuple[tuple[str, Entry], ...]:
        """The entries with an id, of whatever kind, each with its kind."""
        return tuple([(kind, found[id_][0]) for kind, found in self._merged.items() if id_ in found])

    def with_pack(self, pack: Pack) -> Library:
        """With one more pack, after the others."""
        if pack.system != self.system:
            raise BadInput(f'pack "{pack.id}" is for the system "{pack.system}", not for "{self.system}"')
        if any(known.id == pack.id for known in self.packs):
            raise BadInput(f'there are two packs "{pack.id}"')
        if len(self.packs) >= MOST_PACKS:
            raise BadInput(f"there are already {MOST_PACKS} packs, no more can be used at once")
        return Library(self.system, self.kinds, (*self.packs, pack))

    @cached_property
    def _names(self) -> dict[type[Entry] | str, str]:
        names: dict[type[Entry] | str, str] = {}
        for name, model in self.kinds:
            names.setdefault(name, name)
            names.setdefault(model, name)
        return names

    def _name(self, kind: type[Entry] | str) -> str:
        if kind in self._names:
            return self._names[kind]
        names = [name for name, _ in self.kinds]
        asked = kind if isinstance(kind, str) else kind.__name__
        raise BadInput(f'there is no kind of content "{asked:.40}"{nearest(asked, names)} (kinds: {", ".join(names)})')

    def _found(self, kind: type[Entry] | str, id_: str) -> tuple[Entry, Pack]:
        name = self._name(kind)
        known = self._merged[name]
        try:
            return known[id_]
        except KeyError:
            pass
        close = nearest(id_, known)
        if not close:
            by_name = {entry.name: entry.id for entry, _ in known.values()}
            meant = next((by_name[word] for word in by_name if f'"{word}"' in nearest(id_, [word])), None)
            close = f'; did you mean "{meant}"?' if meant else ""
        raise BadInput(f'there are no {name} "{id_:.60}"{close}', field=name)
