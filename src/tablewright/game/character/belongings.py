"""Belongings: item stacks with place and charges, changed by pure functions.

Belongings are a tuple of `ItemStack`. Every function returns a new tuple and keeps the order: an added item joins an
equal stack or comes last, and a moved part stays next to its source. Functions refuse with `IllegalActionError`, which
gives the reason and the rule that the caller passed, and then change nothing.

>>> hers = add_item(add_item((), "arrow", 12), "bow", left=0)
>>> hers = move(hers, "bow", Slot("hands", 2, takes=lambda item: 2))
>>> hers = load(hers, "bow", "arrow", capacity=1)
>>> [str(carried) for carried in hers]
['11 arrow (pack)', 'bow (hands, 1 left)']
>>> spend_charges(hers, "bow")[1].left
0
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tablewright.engine.tally import Tally
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean
from tablewright.game.values import KEPT, Frozen, thaw

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

MOST = 1_000_000_000
"""Upper bound for counts, charges, prices and weights."""

MOST_TEXT = 200
PACK = "pack"
"""Default place of items."""

HANDS_AT = {"hand": 1, "hands": 2}
"""Hands that an item fills by its place, for systems with two equal hands."""

_NOTHING: Frozen[Any] = Frozen()


@dataclass(frozen=True, slots=True)
class ItemStack:
    """One stack of belongings: `count` of an item in the same place and state.

    `left` is what each item still holds: charges, loaded ammunition, durability; None for items that hold nothing.
    `more` keeps unknown fields of the file.
    """

    item: str
    count: int = 1
    place: str = PACK
    left: int | None = None
    more: Frozen[Any] = field(default=_NOTHING, repr=False)

    def __post_init__(self) -> None:
        _whole("count", self.count, 1)
        if self.left is not None:
            _whole("left", self.left, 0)

    def to_json(self) -> dict[str, Any]:
        """The stack as a file holds it."""
        left = {} if self.left is None else {"left": self.left}
        kept: dict[str, Any] = thaw(self.more)
        return {"item": self.item, "count": self.count, "place": self.place, **left, **kept}

    def is_like(self, other: ItemStack) -> bool:
        """True if two stacks differ in count only."""
        return (self.item, self.place, self.left, self.more) == (other.item, other.place, other.left, other.more)

    def __str__(self) -> str:
        return self.told(self.item)

    def told(self, name: str) -> str:
        """The stack with the name of its item, such as "2 Dagger (pack)"."""
        left = "" if self.left is None else f", {self.left} left"
        return (f"{self.count} " if self.count > 1 else "") + f"{name} ({self.place}{left})"

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema as cs  # noqa: PLC0415  (only files need it)

        word = cs.str_schema(min_length=1, max_length=MOST_TEXT)
        fields = {
            "item": cs.typed_dict_field(word),
            "count": cs.typed_dict_field(cs.int_schema(ge=1, le=MOST), required=False),
            "place": cs.typed_dict_field(word, required=False),
            "left": cs.typed_dict_field(cs.nullable_schema(cs.int_schema(ge=0, le=MOST)), required=False),
        }
        entry = cs.typed_dict_schema(
            fields, extra_behavior="allow", extras_schema=KEPT.__get_pydantic_core_schema__(Any, handler)
        )
        made = cs.no_info_after_validator_function(_from_fields, entry)
        return cs.json_or_python_schema(
            json_schema=made,
            python_schema=cs.union_schema([cs.is_instance_schema(cls), made]),
            serialization=cs.plain_serializer_function_ser_schema(cls.to_json),
        )


Belongings: TypeAlias = tuple[ItemStack, ...]
Weight: TypeAlias = Callable[[str], int]
"""Function from an item id to the weight of one item, in the system's smallest unit."""


def _one(_item: str) -> int:
    return 1


class Slot(NamedTuple):
    """A place with limited room: two hands, one head, a quiver of twenty.

    `takes` gives the room that one item fills. Without `holds` there is no limit.
    """

    place: str
    holds: int | None = None
    takes: Callable[[str], int] = _one


# ---------------------------------------------------------------------- queries


def count_of(belongings: Iterable[ItemStack], item: str, place: str | None = None) -> int:
    """Count of an item in one place or in all."""
    return sum([carried.count for carried in belongings if carried.item == item and place in (None, carried.place)])


def hands_taken(belongings: Iterable[ItemStack]) -> int:
    """Number of full hands."""
    return sum([HANDS_AT.get(carried.place, 0) * carried.count for carried in belongings])


def filled(belongings: Iterable[ItemStack], room: Slot) -> int:
    """Room taken in a slot."""
    return sum([room.takes(carried.item) * carried.count for carried in belongings if carried.place == room.place])


def total_weight(
    belongings: Iterable[ItemStack],
    weight: Weight,
    *,
    label: str = "load",
    but: Container[str] = (),
    rule: str | None = None,
) -> Tally:
    """Total weight, item by item; items in the places `but` do not count.

    >>> total_weight((ItemStack("rope"), ItemStack("torch", 3)), {"rope": 50, "torch": 10}.__getitem__).total
    80
    """
    weights: dict[str, int] = {}
    for carried in belongings:
        if carried.place not in but:
            one = _whole(f"the weight of {carried.item}", weight(carried.item), 0)
            weights[carried.item] = weights.get(carried.item, 0) + one * carried.count
    return Tally.of(label, 0, rule).add_all([(item, total, None) for item, total in weights.items()])


def listed_worth(belongings: Iterable[ItemStack], known: Mapping[str, Any], free: Iterable[ItemStack]) -> Fraction:
    """List price of belongings, whose entries have a `price` for a `bundle`; items that were `free` count nothing."""
    given = Counter({one.item: one.count for one in free})
    total = Fraction(0)
    for carried in belongings:
        found, gift = known.get(carried.item), min(given[carried.item], carried.count)
        if found is not None and found.price is not None:
            given[carried.item] -= gift
            total += Fraction(found.price) * (carried.count - gift) / found.bundle
    return total


# ---------------------------------------------------------------------- gains and losses


def add_item(
    belongings: Belongings,
    item: str,
    count: int = 1,
    place: str | Slot = PACK,
    *,
    left: int | None = None,
    rule: str | None = None,
) -> Belongings:
    """Add items to a place; refused if a slot has no room for them."""
    room = _room(place)
    _whole("count", count, 1)
    _make_room(belongings, room, item, count, rule)
    return _join(belongings, ItemStack(item, count, room.place, left))


def remove_item(
    belongings: Belongings, item: str, count: int = 1, place: str | None = None, *, rule: str | None = None
) -> Belongings:
    """Remove items from one place, or from any, first stacks first.

    >>> remove_item((ItemStack("torch", 3),), "torch", 4, rule="demo.gear.use")
    Traceback (most recent call last):
    tablewright.errors.IllegalActionError: 4 torch are needed, there are 3 [demo.gear.use]
    """
    return _without(belongings, _parts(belongings, item, count, place, rule))


def transfer(
    giver: Belongings,
    taker: Belongings,
    item: str,
    count: int = 1,
    *,
    place: str | None = None,
    to: str | Slot = PACK,
    rule: str | None = None,
) -> tuple[Belongings, Belongings]:
    """Give items with their charges to another; return the belongings of both."""
    room = _room(to)
    parts = _parts(giver, item, count, place, rule)
    _make_room(taker, room, item, count, rule)
    for _, part in parts:
        taker = _join(taker, replace(part, place=room.place))
    return _without(giver, parts), taker


# ---------------------------------------------------------------------- places


def move(
    belongings: Belongings,
    item: str,
    to: str | Slot,
    count: int = 1,
    *,
    place: str | None = None,
    rule: str | None = None,
) -> Belongings:
    """Move items to another place: draw a weapon, stow it in the pack, wear it.

    Items are taken from `place`, or from any place other than the destination.
    """
    room = _room(to)
    if place == room.place:
        raise IllegalActionError(f"{item} is already in {room.place}", rule=rule)
    outside = [position for position, carried in enumerate(belongings) if carried.place != room.place]
    if place is None and not any(belongings[position].item == item for position in outside):
        if count_of(belongings, item):
            raise IllegalActionError(f"{item} is already in {room.place}", rule=rule)
        raise _not_owned(belongings, item, None, rule)
    parts = _parts(belongings, item, count, place, rule, but=room.place)
    _make_room(belongings, room, item, count, rule)
    moved = list(belongings)
    for position, part in reversed(parts):
        source = moved[position]
        there = replace(part, place=room.place)
        rest = [replace(source, count=source.count - part.count)] if source.count > part.count else []
        moved[position : position + 1] = [*rest, there]
    return _merged(moved)


# ---------------------------------------------------------------------- charges and ammunition


def spend_charges(
    belongings: Belongings,
    item: str,
    amount: int = 1,
    place: str | None = None,
    *,
    gone_when_empty: bool = False,
    rule: str | None = None,
) -> Belongings:
    """Use up charges of an item (shots, durability), or whole items if they hold nothing.

    One item pays the whole `amount`: the first one with enough left. An empty item stays unless `gone_when_empty`.
    """
    _whole("amount", amount, 1)
    own = _own(belongings, item, place, rule)
    if all(carried.left is None for _, carried in own):
        return remove_item(belongings, item, amount, place, rule=rule)
    for position, carried in own:
        if carried.left is not None and carried.left >= amount:
            changed = replace(carried, count=1, left=carried.left - amount)
            return with_one(belongings, position, None if gone_when_empty and not changed.left else changed)
    most = max(carried.left or 0 for _, carried in own)
    raise IllegalActionError(f"{item} has {most} left, {amount} needed", rule=rule)


def restore(
    belongings: Belongings, item: str, amount: int = 1, *, most: int, place: str | None = None, rule: str | None = None
) -> Belongings:
    """Recharge or repair the emptiest item, up to `most`; more is refused."""
    _whole("amount", amount, 1)
    own = [(place_of, carried) for place_of, carried in _own(belongings, item, place, rule) if carried.left is not None]
    if not own:
        raise IllegalActionError(f"{item} holds nothing that could be restored", rule=rule)
    position, emptiest = min(own, key=lambda found: (found[1].left, found[0]))
    before = emptiest.left or 0
    if before + amount > most:
        raise IllegalActionError(f"{item} holds at most {most}: it has {before}, {amount} more do not fit", rule=rule)
    return with_one(belongings, position, replace(emptiest, count=1, left=before + amount))


def load(
    belongings: Belongings,
    weapon: str,
    ammunition: str,
    amount: int = 1,
    *,
    capacity: int,
    place: str | None = None,
    rule: str | None = None,
) -> Belongings:
    """Load `amount` of ammunition into the emptiest weapon, which holds at most `capacity`; more is refused."""
    _whole("amount", amount, 1)
    position, carried = _emptiest(belongings, weapon, place, rule)
    before = carried.left or 0
    if before + amount > capacity:
        raise IllegalActionError(
            f"no room in {weapon}: it holds {before} of {capacity}, {amount} more do not fit", rule=rule
        )
    loaded = with_one(belongings, position, replace(carried, count=1, left=before + amount))
    return remove_item(loaded, ammunition, amount, rule=rule)


# ---------------------------------------------------------------------- helpers


def _from_fields(fields: dict[str, Any]) -> ItemStack:
    own = {name: fields.pop(name) for name in ("item", "count", "place", "left") if name in fields}
    return ItemStack(**own, more=Frozen(fields) if fields else _NOTHING)


def _whole(what: str, number: int, low: int) -> int:
    if type(number) is not int or not low <= number <= MOST:
        raise InvalidInputError(f"{what} is {number!r:.40}, allowed are whole numbers from {low} to {MOST:,}")
    return number


def _room(place: str | Slot) -> Slot:
    return place if isinstance(place, Slot) else Slot(place)


def _some(item: str, count: int) -> str:
    return f"{count} {item}" if count > 1 else item


def _make_room(belongings: Belongings, room: Slot, item: str, count: int, rule: str | None) -> None:
    if room.holds is None:
        return
    needed = room.takes(item) * count
    taken = filled(belongings, room)
    if taken + needed > room.holds:
        full = f"{room.place}: full" if taken >= room.holds else f"{room.place}: {room.holds - taken} free"
        raise IllegalActionError(
            f"no room for {_some(item, count)} in {full}, {needed} needed ({room.holds} in all)", field=item, rule=rule
        )


def _not_owned(belongings: Belongings, item: str, place: str | None, rule: str | None) -> IllegalActionError:
    known = dict.fromkeys([carried.item for carried in belongings])
    if place is not None and item in known:
        where = ", ".join(dict.fromkeys([carried.place for carried in belongings if carried.item == item]))
        return IllegalActionError(f"{item} is not in {place} but in {where}", field=item, rule=rule)
    return IllegalActionError(
        f'"{item:.60}" is not among the belongings{did_you_mean(item, known)}', field=item, rule=rule
    )


def _own(belongings: Belongings, item: str, place: str | None, rule: str | None) -> list[tuple[int, ItemStack]]:
    """Stacks of an item with their positions; refused if there are none."""
    own = [
        (position, carried)
        for position, carried in enumerate(belongings)
        if carried.item == item and place in (None, carried.place)
    ]
    if not own:
        raise _not_owned(belongings, item, place, rule)
    return own


def _emptiest(belongings: Belongings, item: str, place: str | None, rule: str | None) -> tuple[int, ItemStack]:
    return min(_own(belongings, item, place, rule), key=lambda found: (found[1].left or 0, found[0]))


def _parts(
    belongings: Belongings, item: str, count: int, place: str | None, rule: str | None, *, but: str | None = None
) -> list[tuple[int, ItemStack]]:
    """Positions and partial stacks that add up to `count` of an item; refused if there are too few."""
    _whole("count", count, 1)
    wanted = count
    parts: list[tuple[int, ItemStack]] = []
    for position, carried in _own(belongings, item, place, rule):
        if carried.place == but:
            continue
        part = min(wanted, carried.count)
        if part:
            parts.append((position, replace(carried, count=part)))
            wanted -= part
    if wanted:
        raise IllegalActionError(f"{count} {item} are needed, there are {count - wanted}", field=item, rule=rule)
    return parts


def _without(belongings: Belongings, parts: list[tuple[int, ItemStack]]) -> Belongings:
    taken = {position: part.count for position, part in parts}
    kept = []
    for position, carried in enumerate(belongings):
        rest = carried.count - taken.get(position, 0)
        if rest:
            kept.append(carried if rest == carried.count else replace(carried, count=rest))
    return tuple(kept)


def with_one(belongings: Belongings, position: int, changed: ItemStack | None) -> Belongings:
    """Replace one item of the stack at a position by its changed form (None removes it), next to the rest."""
    source = belongings[position]
    rest = [replace(source, count=source.count - 1)] if source.count > 1 else []
    put = [changed] if changed is not None else []
    return _merged([*belongings[:position], *rest, *put, *belongings[position + 1 :]])


def _join(belongings: Belongings, gained: ItemStack) -> Belongings:
    return _merged([*belongings, gained])


def _merged(entries: Iterable[ItemStack]) -> Belongings:
    """Join equal stacks at the position of the first."""
    merged: list[ItemStack] = []
    places: dict[tuple[Any, ...], int] = {}
    for carried in entries:
        key = (carried.item, carried.place, carried.left, carried.more)
        known = places.setdefault(key, len(merged))
        if known == len(merged):
            merged.append(carried)
        else:
            merged[known] = replace(merged[known], count=merged[known].count + carried.count)
    return tuple(merged)
