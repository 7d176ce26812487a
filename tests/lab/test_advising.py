"""Advice over unknown values against worths that are counted here: option by option, and policy by policy."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from itertools import count, product
from typing import Any

import pytest

from tablewright.engine import Role, TooComplexError, advise, again, become, choose, d, mechanic, odds, versus, yes_no
from tablewright.errors import InvalidInputError
from tablewright.game.system.registry import find_mechanic
from tablewright.lab import Deadline, advice_curve
from tablewright.lab.odds import unknowns as hidden
from tablewright.lab.odds.unknowns import MOST_HIDDEN, Possible, with_unknown


def ways(dice: int) -> list[int]:
    return [sum(faces) for faces in product(range(1, 7), repeat=dice)]


def split(dice: int, first: int, difficulty: int) -> Fraction:
    """Value of splitting dice between hitting and damage, counted face by face."""
    hits = Fraction(sum(total >= difficulty for total in ways(first)), 6**first)
    return hits * (Fraction(7, 2) * (dice - first) or 1)


def test_number_of_dice_against_a_hidden_difficulty() -> None:
    advice = advice_curve(find_mechanic("stage.leveled"), {"dice": "6", "difficulty": "5..20"}, weights="even")
    (curve,) = advice.curves
    assert curve.options == ("1", "2", "3", "4", "5", "6")
    best = []
    for at, difficulty in enumerate(range(5, 21)):
        worths = {str(first): split(6, first, difficulty) for first in range(1, 7)}
        assert {option: curve.worths(option)[at] for option in curve.options} == worths
        ranked = sorted(worths.values(), reverse=True)
        assert curve.margin(at) == ranked[0] - ranked[1]
        best.append(max(worths, key=worths.__getitem__))
    assert list(curve.best) == best
    values = advice.axes[0].values
    assert [(one.old, one.new, values[one.before], values[one.after]) for one in curve.switches] == [
        ("2", "3", 6, 7),
        ("3", "4", 10, 11),
        ("4", "5", 15, 16),
    ]
    assert advice.blind is not None
    (unknown,) = advice.blind.choices
    means = [sum([split(6, first, low) for low in range(5, 21)], Fraction(0)) / 16 for first in range(1, 7)]
    assert [worth.value for worth in unknown.options] == means
    assert unknown.best.value == max(means) == advice.blind.value
    assert advice.blind.worth_of_knowing == sum([worth for worth in advice.values if worth], Fraction(0)) / 16 - max(
        means
    )


def test_weights_change_what_is_best() -> None:
    rule = find_mechanic("stage.leveled")
    low = advice_curve(rule, {"dice": "6", "difficulty": "5..20"}, weights=[9] * 2 + [0] * 14).blind
    high = advice_curve(rule, {"dice": "6", "difficulty": "5..20"}, weights=[0] * 14 + [9] * 2).blind
    dice = advice_curve(rule, {"dice": "6", "difficulty": "3..18"}, weights="3d6").blind
    assert low is not None
    assert high is not None
    assert dice is not None
    assert (low.choices[0].best.id, high.choices[0].best.id) == ("2", "5")
    assert dice.weights == tuple([ways(3).count(total) for total in range(3, 19)])
    expected = max(
        [sum([ways(3).count(low) * split(6, first, low) for low in range(3, 19)], Fraction(0)) for first in range(1, 7)]
    )
    assert dice.value == expected / 216


@mechanic(rules=["demo.climb.try"])
async def climb(height: int) -> int:
    """Throw a die, go on with a second one or stay; only who is over the height has won anything."""
    first = await d(4)
    if not await yes_no(Role.ACTOR, "go on?"):
        return first if first >= height else 0
    second = await d(4)
    if second == 1:
        return 0
    doubled = await choose(Role.ACTOR, "how far?", ["once", "twice"])
    total = first + second
    if doubled == "twice":
        return 2 * total if total >= height + 2 else 0
    return total if total >= height else 0


def by_policy(heights: dict[int, int], plan: dict[Any, str]) -> Fraction:
    """Value of a fixed plan that ignores the height."""
    total = Fraction(0)
    for height, weight in heights.items():
        for first in range(1, 5):
            if plan[first] == "no":
                total += Fraction(weight, 4) * (first if first >= height else 0)
                continue
            for second in range(2, 5):
                both = first + second
                if plan[first, second] == "twice":
                    worth = 2 * both if both >= height + 2 else 0
                else:
                    worth = both if both >= height else 0
                total += Fraction(weight, 16) * worth
    return total / sum(heights.values())


def best_plan(heights: dict[int, int]) -> Fraction:
    """The best of all plans, found by trying them; each first throw can be planned by itself."""
    total = Fraction(0)
    for first in range(1, 5):
        plans: list[dict[Any, str]] = [{first: "no"}]
        plans += [
            {first: "yes", **{(first, second): how for second, how in zip((2, 3, 4), hows, strict=True)}}
            for hows in product(("once", "twice"), repeat=3)
        ]
        rest = {other: "no" for other in range(1, 5) if other != first}
        without = [by_policy(heights, {**rest, **plan}) for plan in plans]
        base = by_policy(heights, {**rest, first: "no"})
        total += max(without) - base
    return by_policy(heights, dict.fromkeys(range(1, 5), "no")) + total


@pytest.mark.parametrize("heights", [{2: 1, 3: 1, 4: 1, 5: 1, 6: 1}, {3: 5, 6: 2}, {1: 1, 8: 9}, {4: 1}])
def test_no_choice_depends_on_what_nobody_knows(heights: dict[int, int]) -> None:
    calls = [Possible(weight, str(height), climb(height)) for height, weight in heights.items()]
    blind = advise(with_unknown(calls, int), lambda worth: worth)
    assert blind.value == best_plan(heights)
    knowing = sum([weight * odds(climb(height)).mean for height, weight in heights.items()], Fraction(0))
    assert blind.value <= knowing / sum(heights.values())
    asked = [one.given for one in blind.choices if one.question == "go on?"]
    assert asked == [(f"roll d4: {face}",) for face in range(1, 5)]


def test_lessons_of_the_rule() -> None:
    @mechanic(rules=["demo.door.open"])
    async def door(lock: int) -> int:
        """Try the lock; it says whether it is a hard one, then force it or leave it."""
        hard = lock > 2
        if hard and await choose(Role.ACTOR, "it is a hard one", ["force", "leave"]) == "force":
            return 10 if lock == 3 else -2
        if not hard and await choose(Role.ACTOR, "it is an easy one", ["force", "leave"]) == "force":
            return 1 if lock == 1 else -2
        return 0

    advice = advice_curve(door, {"lock": "1..4"}, weights="even")
    assert advice.blind is not None
    found = {one.question: {worth.id: worth.value for worth in one.options} for one in advice.blind.choices}
    assert found == {
        "it is an easy one": {"force": Fraction(-1, 2), "leave": 0},
        "it is a hard one": {"force": Fraction(4), "leave": 0},
    }
    assert advice.blind.value == 2
    assert advice.blind.knowing == Fraction(11, 4)
    assert [one.given for one in advice.blind.choices] == [
        ("roll what is learnt: so it is lock 1, lock 2",),
        ("roll what is learnt: so it is lock 3, lock 4",),
    ]


def test_rules_within_rules_and_the_other_side() -> None:
    @mechanic(rules=["demo.cup.hide"])
    async def look(cup: int) -> int:
        """Choose a cup."""
        return 1 if await choose(Role.ACTOR, "which", [1, 2]) == cup else 0

    @mechanic(rules=["demo.cup.both"])
    async def both(cup: int) -> int:
        """Both sides look, and dice decide a little as well."""
        mine = await look(cup)
        yours = await look(cup).by_opponent()
        sign = await versus(d(2), d(2))
        return await become(settle(mine - yours, sign))

    @mechanic(rules=["demo.cup.settle"])
    async def settle(ahead: int, sign: int) -> int:
        """Add up."""
        return ahead + sign

    calls = [Possible(3, "left", both(1)), Possible(1, "right", both(2))]
    blind = advise(with_unknown(calls, int), lambda worth: worth)
    assert blind.value == 0  # both take the likelier cup
    assert {(one.seat, one.best.id) for one in blind.choices} == {("actor", "1"), ("opponent", "1")}


def test_a_rule_without_end_is_told_as_far_as_it_goes() -> None:
    @mechanic(rules=["demo.loop.round"])
    async def loop(goal: int) -> int:
        """Choose, then throw until something happens."""
        how = await choose(Role.ACTOR, "how", ["small", "large"])
        face = await d(6 if how == "small" else 8)
        if face == 1:
            await again()
        return int(face >= goal)

    advice = advice_curve(loop, {"goal": "2..8"}, weights="even")
    assert advice.blind is not None
    assert not advice.blind.exact
    large = [Fraction(8 - goal + 1, 7) for goal in range(2, 9)]
    assert advice.blind.choices[0].best.id == "large"
    assert advice.values == tuple(large)


def test_an_oversized_choice_is_told_as_the_first_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    @mechanic(rules=["demo.two.steps"])
    async def steps(goal: int) -> int:
        """Choose a die, throw it, and perhaps once more."""
        sides = await choose(Role.ACTOR, "which", [4, 6])
        face = await d(sides)
        if await yes_no(Role.ACTOR, "again?"):
            face = await d(sides)
        return face if face <= goal else 0

    given: dict[str, object] = {"goal": "3..5"}
    whole = advice_curve(steps, given, weights="even").blind
    assert whole is not None
    assert whole.exact
    assert whole.worth_of_knowing > 0
    monkeypatch.setattr(hidden, "MOST_STEPS", 5)
    part = advice_curve(steps, given, weights="even").blind
    assert part is not None
    assert not part.exact
    assert [one.question for one in part.choices] == ["which"]
    assert part.value >= whole.value  # as if the goal were known afterwards


def test_a_tie_is_no_switch() -> None:
    @mechanic(rules=["demo.tie.take"])
    async def take(gain: int) -> int:
        """Three, or the gain, or three again."""
        how = await choose(Role.ACTOR, "what", ["three", "gain"])
        return 3 if how == "three" else gain

    (curve,) = advice_curve(take, {"gain": "5,4,3,2,3,4"}).curves
    assert curve.best == (
        "gain",
        "gain",
        "gain",
        "three",
    )
    (curve,) = advice_curve(take, {"gain": "1..5"}).curves
    assert curve.best == ("three", "three", "three", "gain", "gain")
    assert [(one.before, one.after) for one in curve.switches] == [(2, 3)]


def test_two_unknown_values_give_a_map_of_the_best() -> None:
    advice = advice_curve(find_mechanic("stage.leveled"), {"dice": "4..5", "difficulty": "5..14..3"})
    (curve,) = advice.curves
    counted = [
        max(range(1, dice + 1), key=lambda first: split(dice, first, difficulty))
        for dice in (4, 5)
        for difficulty in (5, 8, 11, 14)
    ]
    assert list(curve.best) == list(map(str, counted))


def test_csv_and_json_hold_every_worth() -> None:
    advice = advice_curve(find_mechanic("stage.leveled"), {"dice": "3", "difficulty": "5..7"}, weights="1,2,1")
    rows = list(csv.DictReader(io.StringIO(advice.to_csv())))
    assert len(rows) == 9
    assert {row["option"] for row in rows if row["best"] == "yes"} == set(advice.curves[0].best)
    assert Fraction(rows[0]["worth (exact)"]) == split(3, 1, 5)
    told = advice.to_json()
    assert told["questions"][0]["best"] == list(advice.curves[0].best)
    assert told["not_knowing"]["weights"] == [1, 2, 1]
    assert told["points"][1]["at"] == {"difficulty": 6}


@pytest.mark.parametrize(
    ("given", "weights", "said"),
    [
        ({"dice": "6", "difficulty": "12"}, None, "nothing is unknown"),
        ({"dice": "6", "difficulty": "5..9"}, "1,2", "2 weights were given for 5 values of difficulty"),
        ({"dice": "6", "difficulty": "5..9"}, "0,0,0,0,0", "at least one weight must be more than 0"),
        ({"dice": "6", "difficulty": "5..9"}, "1,-2,1,1,1", "weights are whole numbers"),
        ({"dice": "6", "difficulty": "5..9"}, "3d6", "3d6 can also come to 3"),
        ({"dice": "5..6", "difficulty": "5..9"}, "even", "weights are for one argument"),
    ],
)
def test_errors_are_told(given: dict[str, object], weights: str | None, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        advice_curve(find_mechanic("stage.leveled"), given, weights=weights)


def test_the_work_is_bounded() -> None:
    with pytest.raises(InvalidInputError, match="6,250 points are too many"):
        advice_curve(find_mechanic("stage.leveled"), {"dice": "6..30", "difficulty": "1..250"})
    many = [Possible(1, str(height), climb(height)) for height in range(MOST_HIDDEN + 1)]
    with pytest.raises(InvalidInputError, match="201 unknown values are too many"):
        with_unknown(many, int)
    with pytest.raises(InvalidInputError, match=r"2 of 9 points took 15 seconds"):
        advice_curve(climb, {"height": "1..9"}, deadline=Deadline(15, clock=count(0, 10).__next__))
    unknown = with_unknown(many[:9], int, deadline=Deadline(15, clock=count(0, 10).__next__))
    with pytest.raises(TooComplexError, match=r"climb takes more than 15 seconds for 9 unknown values"):
        advise(unknown, lambda worth: worth)
