from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_case import each_case
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import (
    MOST,
    Belongings,
    ItemStack,
    Slot,
    add_item,
    count_of,
    filled,
    load,
    move,
    remove_item,
    restore,
    spend_charges,
    total_weight,
    transfer,
)
from tablewright.game.values import Frozen

RULE = "demo.gear.rule"
HANDS = Slot("hands", 2, takes=lambda item: 2 if item == "bow" else 1)
KIT: Belongings = (ItemStack("arrow", 5), ItemStack("bow", left=0), ItemStack("torch", 3), ItemStack("wand", 2, left=4))

items = st.sampled_from(["arrow", "bow", "torch", "wand"])
places = st.sampled_from(["pack", "hands", "belt"])
entries = st.builds(ItemStack, items, st.integers(1, 6), places, st.none() | st.integers(0, 4))
kits = st.lists(entries, max_size=6).map(tuple)
amounts = st.integers(1, 4)


def counted(belongings: Belongings) -> Counter[str]:
    """Count of each item; contents count as `in <item>`."""
    found: Counter[str] = Counter()
    for carried in belongings:
        found[carried.item] += carried.count
        found[f"in {carried.item}"] += carried.count * (carried.left or 0)
    return +found


def places_of(belongings: Belongings) -> list[str]:
    return [str(carried) for carried in belongings]


def attempt(done: Callable[[], Any]) -> Any:
    """Result of a function, or None if the rules refuse."""
    try:
        return done()
    except IllegalActionError:
        return None


# ---------------------------------------------------------------------- nothing appears or vanishes


@given(kits, items, amounts, places, st.none() | places)
def test_moving_changes_places_alone(kit: Belongings, item: str, count: int, to: str, place: str | None) -> None:
    moved = attempt(lambda: move(kit, item, to, count, place=place, rule=RULE))
    if moved is not None:
        assert counted(moved) == counted(kit)
        assert count_of(moved, item, to) == count_of(kit, item, to) + count
        assert [carried for carried in moved if carried.item != item] == [
            carried for carried in move_nothing(kit) if carried.item != item
        ]


def move_nothing(kit: Belongings) -> Belongings:
    """The kit with entries that are alike joined, as every function leaves it."""
    return remove_item(add_item(kit, "nothing"), "nothing")


@given(kits, items, amounts, places, st.none() | st.integers(0, 3))
def test_adding_and_taking_away_is_nothing(
    kit: Belongings, item: str, count: int, place: str, left: int | None
) -> None:
    more = add_item(kit, item, count, place, left=left)
    assert counted(more) - counted(kit) == +Counter({item: count, f"in {item}": count * (left or 0)})
    assert sum(counted(remove_item(more, item, count)).values()) <= sum(counted(more).values()) - count
    assert count_of(remove_item(more, item, count), item) == count_of(kit, item)


@given(st.tuples(kits, kits), items, amounts, st.none() | places, places)
def test_gifts_are_received(
    both: tuple[Belongings, Belongings], item: str, count: int, place: str | None, to: str
) -> None:
    giver, taker = both
    handed = attempt(lambda: transfer(giver, taker, item, count, place=place, to=to, rule=RULE))
    if handed is not None:
        assert counted(handed[0]) + counted(handed[1]) == counted(giver) + counted(taker)
        assert count_of(handed[1], item, to) == count_of(taker, item, to) + count


@given(kits, amounts, st.integers(0, 6))
def test_loading_moves_ammunition_into_the_weapon(kit: Belongings, amount: int, capacity: int) -> None:
    loaded = attempt(lambda: load(kit, "bow", "arrow", amount, capacity=capacity, rule=RULE))
    if loaded is not None:
        before, after = counted(kit), counted(loaded)
        assert after["bow"] == before["bow"]
        assert after["in bow"] == before["in bow"] + amount
        assert after["arrow"] == before["arrow"] - amount


@given(kits, items, amounts)
def test_using_up_takes_exactly_what_is_used(kit: Belongings, item: str, amount: int) -> None:
    used = attempt(lambda: spend_charges(kit, item, amount, rule=RULE))
    if used is not None:
        spent = counted(kit) - counted(used)
        holding = any(carried.left is not None for carried in kit if carried.item == item)
        assert spent == ({f"in {item}": amount} if holding else {item: amount})
        if holding:
            again = restore(used, item, amount, most=100)
            assert counted(again) == counted(kit)


@given(kits, items, places)
def test_the_order_is_stable(kit: Belongings, item: str, to: str) -> None:
    moved = attempt(lambda: move(kit, item, to, rule=RULE))
    if moved is not None:
        assert list(dict.fromkeys([carried.item for carried in moved])) == list(
            dict.fromkeys([carried.item for carried in kit])
        )
        assert len({(carried.item, carried.place, carried.left) for carried in moved}) == len(moved)


# ---------------------------------------------------------------------- one by one


def test_drawing_and_stowing() -> None:
    drawn = move(KIT, "torch", HANDS)
    assert places_of(drawn) == [
        "5 arrow (pack)", "bow (pack, 0 left)", "2 torch (pack)", "torch (hands)", "2 wand (pack, 4 left)",
    ]  # fmt: skip
    assert filled(drawn, HANDS) == 1
    assert places_of(move(drawn, "torch", "pack")) == places_of(KIT)
    both = move(drawn, "wand", HANDS)
    assert filled(both, HANDS) == 2


def test_a_bow_needs_both_hands() -> None:
    assert filled(move(KIT, "bow", HANDS), HANDS) == 2
    with pytest.raises(IllegalActionError) as refusal:
        move(move(KIT, "torch", HANDS), "bow", HANDS, rule=RULE)
    assert str(refusal.value) == f"no room for bow in hands: 1 free, 2 needed (2 in all) [{RULE}]"
    with pytest.raises(IllegalActionError, match=r"no room for torch in hands: full, 1 needed \(2 in all\)"):
        move(move(KIT, "bow", HANDS), "torch", HANDS)
    with pytest.raises(IllegalActionError, match=r"no room for 3 torch in hands: 2 free, 3 needed"):
        add_item((), "torch", 3, HANDS)


@each_case(
    ("refused", "why"),
    [
        (lambda: move(KIT, "lamp", "hands", rule=RULE), '"lamp" is not among the belongings'),
        (lambda: move(KIT, "torhc", "hands", rule=RULE), '"torhc" is not among the belongings; did you mean "torch"?'),
        (lambda: move(KIT, "torch", "pack", rule=RULE), "torch is already in pack"),
        (lambda: move(KIT, "torch", "pack", place="pack", rule=RULE), "torch is already in pack"),
        (lambda: move(KIT, "torch", "belt", place="hands", rule=RULE), "torch is not in hands but in pack"),
        (lambda: move(KIT, "torch", "belt", 4, rule=RULE), "4 torch are needed, there are 3"),
        (lambda: remove_item(KIT, "torch", 1, "hands", rule=RULE), "torch is not in hands but in pack"),
        (lambda: remove_item((*KIT, ItemStack("hat", place="head")), "torch", 1, "hands", rule=RULE),
         "torch is not in hands but in pack"),
        (lambda: spend_charges(KIT, "wand", 5, rule=RULE), "wand has 4 left, 5 needed"),
        (lambda: spend_charges(KIT, "arrow", 6, rule=RULE), "6 arrow are needed, there are 5"),
        (lambda: restore(KIT, "torch", most=3, rule=RULE), "torch holds nothing that could be restored"),
        (lambda: restore(KIT, "wand", 2, most=5, rule=RULE), "wand holds at most 5: it has 4, 2 more do not fit"),
        (lambda: load(KIT, "bow", "arrow", 2, capacity=1, rule=RULE),
         "no room in bow: it holds 0 of 1, 2 more do not fit"),
        (lambda: load(KIT, "bow", "bolt", capacity=1, rule=RULE), '"bolt" is not among the belongings'),
        (lambda: load(KIT, "bow", "arrow", 6, capacity=9, rule=RULE), "6 arrow are needed, there are 5"),
        (lambda: transfer(KIT, (), "torch", 3, to=HANDS, rule=RULE),
         "no room for 3 torch in hands: 2 free, 3 needed (2 in all)"),
    ],
)  # fmt: skip
def test_refusals_say_why_and_by_which_rule(refused: Callable[[], Any], why: str) -> None:
    with pytest.raises(IllegalActionError) as refusal:
        refused()
    assert str(refusal.value) == f"{why} [{RULE}]"


@each_case(
    "nonsense",
    [
        lambda: add_item(KIT, "torch", 0),
        lambda: add_item(KIT, "torch", -1),
        lambda: add_item(KIT, "torch", MOST + 1),
        lambda: remove_item(KIT, "torch", 0),
        lambda: move(KIT, "torch", "hands", 0),
        lambda: spend_charges(KIT, "wand", 0),
        lambda: spend_charges(KIT, "wand", -3),
        lambda: restore(KIT, "wand", -1, most=9),
        lambda: load(KIT, "bow", "arrow", -1, capacity=3),
        lambda: ItemStack("torch", True),
        lambda: ItemStack("torch", left=-1),
        lambda: total_weight(KIT, lambda _: -1),
    ],
)
def test_nonsense_is_refused(nonsense: Callable[[], Any]) -> None:
    with pytest.raises(InvalidInputError, match="allowed are whole numbers from"):
        nonsense()


def test_using_one_of_several() -> None:
    used = spend_charges(KIT, "wand", 3)
    assert places_of(used)[-2:] == ["wand (pack, 4 left)", "wand (pack, 1 left)"]
    assert places_of(restore(used, "wand", 3, most=4)) == places_of(KIT)
    assert places_of(spend_charges(used, "wand", 1, gone_when_empty=True))[-2:] == [
        "wand (pack, 3 left)",
        "wand (pack, 1 left)",
    ]
    gone = spend_charges((ItemStack("wand", left=1),), "wand", gone_when_empty=True)
    assert gone == ()
    assert spend_charges((ItemStack("wand", left=1),), "wand") == (ItemStack("wand", left=0),)


def test_a_weapon_without_a_count_counts_as_empty() -> None:
    assert load((ItemStack("sling"), ItemStack("stone", 2)), "sling", "stone", capacity=1) == (
        ItemStack("sling", left=1),
        ItemStack("stone", 1),
    )


def test_things_that_are_said_to_be_different_stay_apart() -> None:
    gift = ItemStack("torch", more=Frozen({"from": "Bo"}))
    both = move((ItemStack("torch"), gift), "torch", "hands", 2)
    assert len(both) == 2
    assert both[1].more == {"from": "Bo"}
    assert gift.to_json() == {"item": "torch", "count": 1, "place": "pack", "from": "Bo"}
    assert gift.is_like(ItemStack("torch", 9, more=gift.more))
    assert not gift.is_like(ItemStack("torch"))


def test_the_burden_explains_itself() -> None:
    weights = {"arrow": 1, "bow": 20, "torch": 10, "wand": 5}
    tally = total_weight(KIT, weights.__getitem__, rule=RULE)
    assert tally.total == 5 + 20 + 30 + 10
    assert total_weight(KIT, lambda _: 0).total == 0
    assert tally.base == total_weight((), weights.__getitem__).total == 0
    assert "torch +30" in tally.explain()
    assert tally.rule == RULE
    ridden = move(KIT, "torch", "horse", 2)
    assert total_weight(ridden, weights.__getitem__, but={"horse"}).total == tally.total - 20
