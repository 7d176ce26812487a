"""Sources of faces: a fair, repeatable generator without hidden state, and typed faces, used up exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.dice import (
    BestOf,
    Die,
    Exploding,
    Face,
    Keep,
    PoolHighest,
    PoolShowing,
    Rollable,
    SeededDice,
    Sum,
    TypedDice,
)
from tablewright.errors import InvalidInputError

SEED = 20_240_501
"""Any other would do; fixed, so that a fair generator never fails by chance."""

D6 = Die(6)


def chi_square(counts: Counter[object], cells: int, draws: int) -> float:
    expected = draws / cells
    missing = cells - len(counts)
    return sum([(count - expected) ** 2 / expected for count in counts.values()]) + missing * expected


def limit(cells: int) -> float:
    """About the 99.9 % point of chi-square (Wilson and Hilferty)."""
    free = cells - 1
    return float(free * (1 - 2 / (9 * free) + 3.09 * (2 / (9 * free)) ** 0.5) ** 3)


def draws_of(dice: SeededDice, count: int, die: Die = D6) -> list[int]:
    return [dice.face(die) for _ in range(count)]


@pytest.mark.parametrize("die", [Die(2), Die(6), Die(10), Die(20), Die(100, low=0), Die(3, low=-1)])
def test_every_face_is_equally_likely(die: Die) -> None:
    shown = Counter[object](draws_of(SeededDice(SEED), 20_000, die))
    assert set(shown) == set(range(die.low, die.high + 1))
    assert chi_square(shown, die.sides, 20_000) < limit(die.sides)


def test_neighbouring_faces_are_independent() -> None:
    faces = draws_of(SeededDice(SEED), 36_001)
    assert chi_square(Counter[object](pairwise(faces)), 36, 36_000) < limit(36)


@pytest.mark.parametrize(
    "pair",
    [
        lambda k: (SeededDice(SEED, "scene", 0, k), SeededDice(SEED, "gm", 0, k)),
        lambda k: (SeededDice(SEED, "scene", 0, k), SeededDice(SEED, "scene", 1, k)),
        lambda k: (SeededDice(SEED, "scene", 0, k), SeededDice(SEED, "scene", 0, k + 1)),
        lambda k: (SeededDice(SEED, "scene", 0, k), SeededDice(SEED + 1, "scene", 0, k)),
        lambda k: (SeededDice(SEED, "scene", 1, k), SeededDice(SEED, "scene/1", 0, k)),
    ],
    ids=["stream", "branch", "k", "seed", "a stream that looks like a branch"],
)
def test_streams_branches_rolls_and_seeds_are_independent(pair: object) -> None:
    assert callable(pair)
    seen = Counter[object]()
    for k in range(7_200):
        one, other = pair(k)
        seen[one.face(D6), other.face(D6)] += 1
    assert chi_square(seen, 36, 7_200) < limit(36)


@given(st.integers(0, 2**512 - 1), st.text(max_size=20), st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_same_key_gives_the_same_faces(seed: int, stream: str, branch: int, k: int) -> None:
    faces = draws_of(SeededDice(seed, stream, branch, k), 20)
    assert faces == draws_of(SeededDice(seed, stream, branch, k), 20)
    assert all(1 <= face <= 6 for face in faces)


def test_no_hidden_state_between_generators() -> None:
    alone = draws_of(SeededDice(SEED), 50)
    one, other = SeededDice(SEED), SeededDice(SEED, "gm")
    mixed = []
    for _ in range(50):
        mixed.append(one.face(D6))
        other.face(Die(100))
        one.fork("bot:2").face(D6)
    assert mixed == alone


def test_a_fork_is_the_stream_of_that_name() -> None:
    assert draws_of(SeededDice(SEED, "scene", 3).fork("gm"), 20) == draws_of(SeededDice(SEED, "gm", 3), 20)


def test_distinct_seeds_have_distinct_keys() -> None:
    seeds: list[int | bytes] = [0, 1, 256, 2**128, 2**512 - 1, b"\x01\x00", b"x" * 64, b"x" * 65, b"x" * 66]
    drawn = {tuple(draws_of(SeededDice(seed), 30)) for seed in seeds}
    assert len(drawn) == len(seeds)
    assert draws_of(SeededDice(256), 30) == draws_of(SeededDice(b"\x00\x01"), 30)  # a number is its bytes, lowest first


@pytest.mark.parametrize("seed", [-1, 2**512, 2**600, True, 1.0, "7", None])
def test_a_seed_is_a_whole_number_or_bytes(seed: object) -> None:
    with pytest.raises(InvalidInputError, match="seed"):
        SeededDice(seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("top", [1, 2, 2**64 - 1, 2**64, 2**64 + 1, 2**65, 3 * 2**200, 10**400])
def test_below_reaches_any_limit_evenly(top: int) -> None:
    dice = SeededDice(SEED)
    drawn = [dice.below(top) for _ in range(600)]
    assert all(0 <= number < top for number in drawn)
    if top > 1:
        halves = Counter[object](number * 2 >= top for number in drawn)
        assert chi_square(halves, 2, 600) < limit(2)
    if top > 2**64:
        assert chi_square(Counter[object](number * 8 // top for number in drawn), 8, 600) < limit(8)
        assert len(set(drawn)) == 600


@pytest.mark.parametrize("top", [0, -1, -(10**30)])
def test_below_refuses_an_empty_range(top: int) -> None:
    with pytest.raises(InvalidInputError, match="limit"):
        SeededDice(SEED).below(top)


# ---------------------------------------------------------------------- typed faces

ROLLABLES: list[Rollable[object]] = [
    Sum.of(6, 6, 10, plus=3),
    Keep(5, Die(6), 3),
    Keep(5, Die(6), 3, highest=False),
    PoolHighest(4, Die(8)),
    PoolShowing(4, Die(6)),
    Exploding(Die(4), on=3),
    BestOf(Sum.of(6, 6), 3),
]


def recorded(rollable: Rollable[object], face: Face) -> tuple[object, list[int]]:
    faces: list[int] = []

    def keep(die: Die) -> int:
        faces.append(face(die))
        return faces[-1]

    return rollable.read(keep), faces


@pytest.mark.parametrize("rollable", ROLLABLES, ids=str)
def test_typed_faces_give_what_the_generated_ones_gave(rollable: Rollable[object]) -> None:
    for k in range(50):
        outcome, faces = recorded(rollable, SeededDice(SEED, k=k).face)
        typed = TypedDice(faces)
        assert rollable.read(typed.face) == outcome
        typed.finish()
        assert outcome in rollable.weigh()


@pytest.mark.parametrize("rollable", ROLLABLES, ids=str)
def test_a_missing_and_a_left_over_face_are_refused(rollable: Rollable[object]) -> None:
    _, faces = recorded(rollable, SeededDice(SEED).face)
    with pytest.raises(InvalidInputError, match="needs another d"):
        rollable.read(TypedDice(faces[:-1]).face)
    typed = TypedDice([*faces, 1])
    rollable.read(typed.face)
    with pytest.raises(InvalidInputError, match="left over: 1"):
        typed.finish()


@pytest.mark.parametrize(
    ("faces", "die"),
    [([0], D6), ([7], D6), ([-1], D6), ([True], D6), ([1.0], D6), (["1"], D6), ([None], D6), ([101], Die(100, low=0))],
)
def test_a_face_that_the_die_does_not_show_is_refused(faces: Sequence[object], die: Die) -> None:
    with pytest.raises(InvalidInputError, match=f"face 1 is .*, but a {die} shows {die.low} to {die.high}"):
        TypedDice(faces).face(die)  # type: ignore[arg-type]


def test_a_die_from_0_may_be_one_that_counts_from_1() -> None:
    assert [TypedDice([shown]).face(Die(100, low=0)) for shown in (100, 99, 1, 0)] == [0, 99, 1, 0]


def test_the_lowest_and_the_highest_face_are_allowed() -> None:
    typed = TypedDice([0, 99, 1])
    assert [typed.face(Die(100, low=0)), typed.face(Die(100, low=0)), typed.face(Die(1))] == [0, 99, 1]
    typed.finish()
