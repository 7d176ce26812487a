"""Advice: every choice in its place, with what each option is worth."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction

import pytest

from tablewright.dice import Dist, SeededDice
from tablewright.engine import Playthrough, Role, advise, again, become, choose, d, mechanic, odds
from tablewright.engine.advice import advise_open_choice, best_answer
from tablewright.engine.odds import forget
from tablewright.errors import InvalidInputError


@mechanic(rules=["demo.pig.turn"])
async def hold_or_roll(points: int, goal: int) -> int:
    """Roll on or stop; a one loses everything, and the goal is enough."""
    if points >= goal:
        return points
    if await choose(Role.ACTOR, "go on", ["stop", "roll"]) == "stop":
        return points
    face = await d(6)
    return 0 if face == 1 else await become(hold_or_roll(points + face, goal))


@mechanic(rules=["demo.pig.against"])
async def against(goal: int, other: int) -> bool:
    """Beat another seat's number."""
    return await hold_or_roll(0, goal).map(lambda points: points > other)


def test_a_chain_is_advised_state_by_state() -> None:
    advice = advise(hold_or_roll(0, 40))
    asked = {situation.given[-1] if situation.given else "": situation for situation in advice.choices}
    assert len(advice.choices) == len(asked)
    first = advice.choices[0]
    assert (first.question, first.seat, first.given, str(first.chance)) == ("go on", "actor", (), "1")
    assert first.best.id == "roll"
    assert first.best.value == advice.value == odds(hold_or_roll(0, 40)).mean
    # with 20 points a roll may win 4 on average, and loses 20 in one of six: as good as stopping
    at = asked["on with demo.hold_or_roll(20, 40)"]
    assert [worth.value for worth in at.options] == [20, Fraction(20)]
    assert at.margin == 0
    assert asked["on with demo.hold_or_roll(19, 40)"].best.id == "roll"
    assert (
        not any("(25, 40)" in given for given in asked if given)
        or asked["on with demo.hold_or_roll(25, 40)"].best.id == "stop"
    )


def test_states_that_are_reached_on_several_ways_are_listed_once_with_all_their_chance() -> None:
    advice = advise(hold_or_roll(0, 12))
    (four,) = [s for s in advice.choices if s.given and s.given[-1] == "on with demo.hold_or_roll(4, 12)"]
    assert four.chance == Fraction(1, 6) + Fraction(1, 36)  # a four, or two twos


def test_the_value_of_the_caller_decides_inside_a_called_rule() -> None:
    cautious, bold = advise(against(40, 3)), advise(against(40, 30))
    assert cautious.value == odds(against(40, 3))[True] > bold.value == odds(against(40, 30))[True]
    first = bold.choices[0]
    assert [worth.value for worth in first.options] == [0, bold.value]


def test_a_rule_without_choices_is_only_worth_something() -> None:
    @mechanic(rules=["demo.plain.die"])
    async def die() -> int:
        """A die."""
        return await d(6)

    assert advise(die()).choices == ()
    assert advise(die()).value == Fraction(7, 2)


def test_many_situations_are_listed_only_in_part() -> None:
    @mechanic(rules=["demo.many.choices"])
    async def many() -> int:
        """A choice after every number."""
        number = await d(100, 3)
        return number if await choose(Role.ACTOR, "keep", [False, True]) else 150

    advice = advise(many())
    assert (len(advice.choices), advice.complete) == (200, False)
    assert advice.value == odds(many()).mean


def test_a_rare_choice_behind_a_long_chain_is_found() -> None:
    @mechanic(rules=["demo.long.chain"])
    async def long(left: int, at: int) -> int:
        """Forty steps, each on several ways, and one choice at the end of them all."""
        if left == 0:
            return at if at < 40 else await choose(Role.ACTOR, "bonus", [0, 100])
        return await d(6).into(lambda face: long(left - 1, at + int(face > 2)))

    advice = advise(long(40, 0))
    (only,) = advice.choices
    assert only.chance == Fraction(2, 3) ** 40
    assert [(worth.id, worth.best) for worth in only.options] == [("0", False), ("100", True)]


def test_choices_in_a_rule_that_starts_again() -> None:
    @mechanic(rules=["demo.again.choose"])
    async def patient(cost: int) -> int:
        """Pay for another roll as often as one likes, by a coin's favour."""
        face = await d(6)
        if await choose(Role.ACTOR, "again", ["yes", "no"]) == "yes" and await d(4) > cost:
            await again()
        return face

    advice = advise(patient(1))
    assert len(advice.choices) == 6
    taken = [situation.best.id for situation in advice.choices]
    assert taken == ["yes"] * 4 + ["no"] * 2
    # v = 11/6 + 4/6 (3/4 v + 1/4 2.5)  =>  v = 27/6; five is more than 3/4 v + 5/4, four is less
    assert advice.value == odds(patient(1)).mean == Fraction(9, 2)
    assert all(situation.chance == Fraction(1, 6) for situation in advice.choices)


def test_advice_is_json() -> None:
    written = json.loads(json.dumps(advise(hold_or_roll(30, 40)).to_json()))
    assert written["mechanic"] == "demo.hold_or_roll"
    assert written["arguments"] == {"points": 30, "goal": 40}
    options = written["choices"][0]["options"]
    assert [option["option"] for option in options] == ["stop", "roll"]
    assert [option["exact"] for option in options] == ["30", "85/3"]
    assert [option["best"] for option in options] == [True, False]


# ---------------------------------------------------------------------- in the middle of a played rule


def test_advice_in_the_middle_knows_what_was_rolled() -> None:
    playing = Playthrough(against(40, 30))
    playing.answer("roll")
    playing.type_in([6])
    now = advise_open_choice(playing)
    assert now.value == odds(hold_or_roll(6, 40), lambda points: int(points > 30)).at_least(31)
    assert best_answer(playing) == 1
    playing.answer("roll")
    playing.set_outcome("5", "the game master says so")
    assert advise_open_choice(playing).value == odds(hold_or_roll(11, 40), lambda points: int(points > 30)).at_least(31)


def test_following_the_advice_to_the_end() -> None:
    dice = SeededDice(3)
    playing = Playthrough(hold_or_roll(0, 40))
    while playing.question is not None:
        if playing.question.__class__.__name__ == "Roll":
            playing.roll(dice)
        else:
            playing.choose(best_answer(playing))
    assert playing.result == 0 or playing.result >= 20


def test_there_is_no_advice_where_nothing_is_asked() -> None:
    playing = Playthrough(hold_or_roll(50, 40))
    with pytest.raises(InvalidInputError, match="no rule is under way"):
        advise_open_choice(playing)


class _HigherHalf:
    """The same by formula, for a seat that wants the highest number."""

    deciding = True
    remainder = Fraction(0)
    work = 1

    def __init__(self, faces: int) -> None:
        self.faces = faces

    def support(self) -> Sequence[int]:
        return range(1, self.faces + 1)

    def best(self, value: object) -> Dist[int]:
        return Dist.uniform(1, self.faces).map(lambda face: max(face, self.faces // 2))


@mechanic(rules=["demo.pick.roll"], closed=_HigherHalf)
async def picked(faces: int) -> int:
    """Roll a die and keep it, or take half of its faces."""
    rolled = await d(faces)
    return rolled if await choose(Role.ACTOR, "keep it?", [True, False]) else faces // 2


def test_behind_a_closed_form_the_rule_itself_is_advised_on() -> None:
    advice = advise(picked(6))
    assert advice.value == odds(picked(6)).mean == Fraction(3 * 3 + 4 + 5 + 6, 6)
    assert [situation.best.option for situation in advice.choices] == [False, False, True, True, True, True]


def test_behind_a_closed_form_a_policy_is_asked() -> None:
    assert odds(picked(6), policy=lambda ask: 1) == Dist.of(3)


@mechanic(rules=["demo.dice.second"], objectives={"points": lambda points: points})
async def second(first: int) -> int:
    "Another die is thrown, and then the higher or the lower counts."
    runs.append("second")
    rolled = await d(6)
    keep = await choose(Role.ACTOR, "which", ["low", "high"])
    return await become(third(max(first, rolled) if keep == "high" else min(first, rolled)))


@mechanic(rules=["demo.dice.third"], objectives={"points": lambda points: points})
async def third(points: int) -> int:
    "A last die may be added."
    return points + (await d(6) if await choose(Role.ACTOR, "more", ["no", "yes"]) == "yes" else 0)


@mechanic(rules=["demo.dice.doubled"], objectives={"points": lambda points: points})
async def doubled(points: int) -> int:
    "Double or triple the throw."
    return points * await choose(Role.ACTOR, "how often", [2, 3])


@mechanic(rules=["demo.dice.all"], objectives={"points": lambda points: points})
async def all_of_them() -> int:
    "One die after the other."
    runs.append("all")
    first = await d(6)
    return await second(first).into(doubled)


runs: list[str] = []


def test_the_rest_of_a_rule_runs_from_the_last_call_begun() -> None:
    playing = Playthrough(all_of_them())
    for answer in [(2,), (5,)]:
        playing.answer(answer)
    runs.clear()
    now = advise_open_choice(playing)
    assert now.value == 3 * (5 + Fraction(7, 2))
    assert [(worth.id, worth.value) for worth in now.choices[0].options] == [
        ("low", 3 * (2 + Fraction(7, 2))),
        ("high", 3 * (5 + Fraction(7, 2))),
    ]
    assert runs.count("all") == 1
    assert runs.count("second") > 1
    playing.answer("high")
    assert best_answer(playing) == 1
    playing.answer("yes")
    playing.answer((1,))
    assert best_answer(playing) == 1
    assert advise_open_choice(playing).value == 18


@mechanic(rules=["demo.stake.throw"])
async def thrown_again() -> int:
    """A die, which may be thrown again."""
    face = await d(6)
    return face if await choose(Role.ACTOR, "keep?", ["keep", "again"]) == "keep" else await d(6)


@mechanic(rules=["demo.stake.double"], objectives={"worth": int})
async def staked() -> int:
    """Such a die, and then perhaps the double of it."""
    face = await thrown_again()
    runs.append("after")
    return face * await d(2)


def test_values_of_a_part_are_worked_out_once_for_all_dice() -> None:
    forget()
    answers = []
    for face in (2, 5):
        playing = Playthrough(staked())
        playing.type_in([face])
        runs.clear()
        answers.append(best_answer(playing))
        assert bool(runs) == (face == 2)
        if face == 5:
            forget()
            assert best_answer(playing) == 0
            assert runs
    assert answers == [1, 0]
