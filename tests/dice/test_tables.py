"""The loops everything fast is made of: both ways of making a table agree, bounds cut in, memory stays bounded."""

from __future__ import annotations

import threading
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.dice import Die, Dist, Keep, Sum
from tablewright.dice import weights as tables
from tablewright.dice.rollable import Weights
from tablewright.errors import InvalidInputError

faces = st.lists(st.integers(0, 4), min_size=1, max_size=5).filter(any)


def kept_by_hand(weights: list[int], count: int, keep: int) -> list[int]:
    """The kept sums of all rolls, one by one."""
    result = [0] * (keep * (len(weights) - 1) + 1)
    for roll in product(range(len(weights)), repeat=count):
        result[sum(sorted(roll)[count - keep :])] += prod([weights[face] for face in roll])
    return result


@given(faces | st.integers(1, 6).map(lambda sides: [1] * sides), st.integers(1, 5), st.data())
@settings(max_examples=50, deadline=None)
def test_kept_dice_are_those_of_all_rolls_packed_and_as_lists(
    weights: list[int], count: int, data: st.DataObject
) -> None:
    keep = data.draw(st.integers(1, count))
    expected = kept_by_hand(weights, count, keep)
    assert tables.highest_kept(weights, count, keep) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "_PACKED_KEEP", 0)
        assert tables.highest_kept(weights, count, keep) == expected


@pytest.mark.parametrize(("count", "sides", "keep"), [(40, 20, 20), (9, 100, 4), (100, 6, 50)])
def test_packed_and_listed_agree_where_nobody_counts_by_hand(
    count: int, sides: int, keep: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_PACKED_KEEP", 10**9)
    packed = tables.highest_kept([1] * sides, count, keep)
    monkeypatch.setattr(tables, "_PACKED_KEEP", 0)
    assert tables.highest_kept([1] * sides, count, keep) == packed
    assert sum(packed) == sides**count


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 200), st.integers(0, 200))
@settings(max_examples=30, deadline=None)
def test_long_tables_sum_like_short_ones(long: int, short: int, bits: int, other_bits: int) -> None:
    one = [(index * 7 + 3) ** 2 << bits for index in range(long)]
    other = [(index * 5) % 11 << other_bits for index in range(short)]
    expected = [0] * (long + short - 1)
    for at, weight in enumerate(one):
        for offset, factor in enumerate(other, at):
            expected[offset] += weight * factor
    assert tables.convolve(one, other) == tables.convolve(other, one) == expected


def test_gaps_are_not_taken_for_an_even_die_whose_span_is_its_total() -> None:
    gapped = Dist({0: 1, 1: 2, 3: 1})  # four weights in all over a span of four
    assert gapped.times(1) == gapped
    assert gapped.times(2) == gapped + gapped


def test_a_budget_is_shared_by_all_tables_made_in_it() -> None:
    share = tables.MOST_WORK * 0.6
    tables.bound_work(share, "one")
    tables.bound_work(share, "another")
    with tables.budget():
        tables.bound_work(share, "one")
        with pytest.raises(InvalidInputError, match="another is too large"), tables.budget():
            tables.bound_work(share, "another")
    tables.bound_work(share, "afterwards")


@pytest.mark.parametrize(
    ("entries", "bits", "said"),
    [(200_001, 1, "different totals"), (1, 14_001, "digits"), (200_000, 700, "MB")],
)
def test_bounds_name_what_is_too_large(entries: int, bits: int, said: str) -> None:
    tables.bound(200_000, 600, "just small enough")
    with pytest.raises(InvalidInputError, match=f"it is too large for exact odds: .*{said}"):
        tables.bound(entries, bits, "it")


def test_the_longest_weight_allowed_can_still_be_printed() -> None:
    assert len(str(2**tables.MOST_BITS)) < 4_300


def test_the_cache_is_bounded_in_bytes_and_drops_the_oldest_first() -> None:
    weighed = Weights(most_bytes=100_000)
    rolls = [Sum.copies(count, Die(6)) for count in range(1, 80)]
    first = [weighed(roll) for roll in rolls]
    assert weighed(rolls[-1]) is first[-1]
    assert weighed(rolls[0]) is not first[0]
    assert weighed(rolls[0]) == first[0]
    assert 0 < weighed._bytes <= 100_000
    assert weighed._bytes == sum([size for _, size in weighed._known.values()])
    weighed.cache_clear()
    assert not weighed._known
    assert weighed._bytes == 0


def test_remembering_from_several_threads_keeps_count() -> None:
    weighed = Weights(most_bytes=200_000)
    wrong: list[int] = []

    def work() -> None:
        wrong.extend([count for count in range(2, 60) if weighed(Keep(count, Die(6), 1)).total != 6**count])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert weighed._bytes == sum([size for _, size in weighed._known.values()])
