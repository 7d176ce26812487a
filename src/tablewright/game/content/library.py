"""Packs and the library that combines them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar, overload

from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.content.entries import ContentEntry

MOST_PACKS = 50

E = TypeVar("E", bound=ContentEntry)


@dataclass(frozen=True)
class Pack:
    """A loaded pack: its header and its entries by kind, in file order."""

    id: str
    title: str
    version: str
    system: str
    source: str = ""
    licence: str = ""
    entries: tuple[tuple[str, tuple[ContentEntry, ...]], ...] = field(default=(), repr=False)

    def of(self, kind: str) -> tuple[ContentEntry, ...]:
        """Entries of one kind."""
        return dict(self.entries).get(kind, ())

    @cached_property
    def by_id(self) -> dict[tuple[str, str], ContentEntry]:
        """Entries by kind and id."""
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
    """The content of a game: packs in order; later packs add entries or replace those with the same id."""

    system: str
    kinds: tuple[tuple[str, type[ContentEntry]], ...]
    packs: tuple[Pack, ...] = ()

    def __hash__(self) -> int:
        return hash((self.system, self.packs))

    @cached_property
    def _merged(self) -> dict[str, dict[str, tuple[ContentEntry, Pack]]]:
        merged: dict[str, dict[str, tuple[ContentEntry, Pack]]] = {kind: {} for kind, _ in self.kinds}
        for pack in self.packs:
            for kind, entries in pack.entries:
                for entry in entries:
                    merged[kind][entry.id] = (entry, pack)
        return merged

    @cached_property
    def _quick(self) -> dict[type[ContentEntry] | str, dict[str, ContentEntry]]:
        """Entries by id, under the name and under the model of their kind; hot: read at every attack."""
        quick: dict[type[ContentEntry] | str, dict[str, ContentEntry]] = {}
        for name, model in self.kinds:
            quick[name] = quick[model] = {id_: entry for id_, (entry, _) in self._merged[name].items()}
        return quick

    @cached_property
    def by_id(self) -> dict[tuple[str, str], ContentEntry]:
        """Entries by kind and id."""
        return {(kind, id_): entry for kind, found in self._merged.items() for id_, (entry, _) in found.items()}

    @overload
    def get(self, kind: type[E], id_: str) -> E: ...
    @overload
    def get(self, kind: str, id_: str) -> ContentEntry: ...
    def get(self, kind: type[E] | str, id_: str) -> ContentEntry:
        """The entry of a kind (list name or model) with an id; unknown ids are refused."""
        try:
            return self._quick[kind][id_]
        except KeyError:
            return self._found(kind, id_)[0]

    @overload
    def of(self, kind: type[E]) -> tuple[E, ...]: ...
    @overload
    def of(self, kind: str) -> tuple[ContentEntry, ...]: ...
    def of(self, kind: type[E] | str) -> tuple[ContentEntry, ...]:
        """Entries of a kind; a replacement keeps the position of the entry it replaces."""
        return tuple(self._quick[self._name(kind)].values())

    def ids(self, *kinds: type[ContentEntry] | str) -> tuple[str, ...]:
        """Ids of all entries of one or several kinds, in order."""
        return tuple([id_ for kind in kinds for id_ in self._quick[self._name(kind)]])

    def of_any(self, kinds: tuple[str, ...], model: type[E]) -> Mapping[str, E]:
        """Entries of several kinds by id, all instances of `model`; the first one wins where ids collide."""
        known = self._of_any.get(kinds)
        if known is None:
            found: dict[str, E] = {}  # stored only when complete: threads share a library
            for entry in [entry for kind in kinds for entry in self.of(kind)]:
                if not isinstance(entry, model):
                    raise TypeError(f"{entry.id} is no {model.__name__}")
                found.setdefault(entry.id, entry)
            known = self._of_any.setdefault(kinds, found)
        return known

    def one_of_any(self, kinds: tuple[str, ...], model: type[E], id_: str, *, rule: str | None = None) -> E:
        """The entry of one of several kinds with an id; an unknown item is refused."""
        known = self.of_any(kinds, model)
        found = known.get(id_)
        if found is None:
            raise InvalidInputError(f'there is no item "{id_:.60}"{did_you_mean(id_, known)}', field="item", rule=rule)
        return found

    @cached_property
    def _of_any(self) -> dict[tuple[str, ...], dict[str, Any]]:
        return {}

    def has(self, kind: type[ContentEntry] | str, id_: str) -> bool:
        """True if the library has this entry."""
        return id_ in self._merged[self._name(kind)]

    def pack_of(self, kind: type[ContentEntry] | str, id_: str) -> Pack:
        """The pack that an entry comes from."""
        return self._found(kind, id_)[1]

    def find(self, id_: str) -> tuple[tuple[str, ContentEntry], ...]:
        """Entries of any kind with this id, each with its kind."""
        return tuple([(kind, found[id_][0]) for kind, found in self._merged.items() if id_ in found])

    def with_pack(self, pack: Pack) -> Library:
        """Copy of the library with one more pack at the end."""
        if pack.system != self.system:
            raise InvalidInputError(f'pack "{pack.id}" is for the system "{pack.system}", not for "{self.system}"')
        if any(known.id == pack.id for known in self.packs):
            raise InvalidInputError(f'there are two packs "{pack.id}"')
        if len(self.packs) >= MOST_PACKS:
            raise InvalidInputError(f"there are already {MOST_PACKS} packs, no more can be used at once")
        return Library(self.system, self.kinds, (*self.packs, pack))

    @cached_property
    def _names(self) -> dict[type[ContentEntry] | str, str]:
        names: dict[type[ContentEntry] | str, str] = {}
        for name, model in self.kinds:
            names.setdefault(name, name)
            names.setdefault(model, name)
        return names

    def _name(self, kind: type[ContentEntry] | str) -> str:
        if kind in self._names:
            return self._names[kind]
        names = [name for name, _ in self.kinds]
        asked = kind if isinstance(kind, str) else kind.__name__
        raise InvalidInputError(
            f'there is no kind of content "{asked:.40}"{did_you_mean(asked, names)} (kinds: {", ".join(names)})'
        )

    def _found(self, kind: type[ContentEntry] | str, id_: str) -> tuple[ContentEntry, Pack]:
        name = self._name(kind)
        known = self._merged[name]
        try:
            return known[id_]
        except KeyError:
            pass
        close = did_you_mean(id_, known)
        if not close:
            by_name = {entry.name: entry.id for entry, _ in known.values()}
            meant = next((by_name[word] for word in by_name if f'"{word}"' in did_you_mean(id_, [word])), None)
            close = f'; did you mean "{meant}"?' if meant else ""
        raise InvalidInputError(f'there is no "{id_:.60}" among the {name.replace("_", " ")}{close}', field=name)
