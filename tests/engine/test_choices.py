"""Choices by hand: whose they are, what is known when they are made, and what they are made for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tablewright.dice import Die, Exploding
from tablewright.engine import (
    Choice,
    ClosedOption,
    Role,
    advise,
    become,
    both,
    chance,
    choose,
    d,
    finish,
    mechanic,
    odds,
    roll,
    versus,
)
from tablewright.engine.results import steady
from tablewright.errors import IllegalActionError, InvalidInputError, TablewrightError


@mechanic(rules=["demo.bet.place"])
async def bet(safe: int) -> int:
    """Take what is safe, or roll a die."""
    return safe if await choose(Role.ACTOR, "how", ["safe", "roll"]) == "safe" else await d(6)


@mechanic(rules=["demo.bet.long_shot"])
async def long_shot(safe: int) -> bool:
    """Only a six wins: what the bet alone is worth does not matter."""
    return await bet(safe) == 6


@mechanic(rules=["demo.bet.long_shot"])
async def far_shot(safe: int) -> bool:
    """The same through a narrowed call, a tail call and one more level."""
    return await become(shot_at(safe, 1 if await bet(safe).map(lambda won: won == 6) else 0))


@mechanic(rules=["demo.bet.long_shot"])
async def shot_at(safe: int, won: int) -> bool:
    """Won already, or one more try with the worse die."""
    return True if won else await both(bet(safe), d(2), lambda won, coin: won == 6 and coin == 2)


def test_a_called_choice_serves_the_caller() -> None:
    assert odds(bet(4))[4] == 1
    assert odds(long_shot(4))[True] == Fraction(1, 6)
    assert odds(long_shot(6))[True] == 1


def test_a_called_choice_serves_the_caller_through_maps_joints_and_tail_calls() -> None:
    assert odds(far_shot(4))[True] == Fraction(1, 6) + Fraction(5, 6) * Fraction(1, 12)
    assert odds(far_shot(6))[True] == 1


@mechanic(rules=["demo.bet.finish"])
async def last_bet(safe: int) -> int:
    """The answer of the bet, doubled, is the result."""
    return await finish(bet(safe).map(lambda won: 2 * won))


def test_a_choice_can_be_the_last_ask() -> None:
    assert odds(last_bet(4))[8] == 1
    assert odds(last_bet(3)).mean == 7


@mechanic(rules=["demo.parry.choose"])
async def attack(bonus: int) -> int:
    """The defender sees the roll, then dodges with a coin or takes half."""
    hit = await d(6, plus=bonus)
    if await choose(Role.OPPONENT, "defence", ["dodge", "block"]) == "block":
        return hit // 2
    return hit if await d(2) == 1 else 0


def test_an_opponent_does_what_is_worst_for_the_one_who_acts() -> None:
    """Half of 1 is 0, half of 3 is 1: blocking is never worse than the coin, and better for odd numbers."""
    assert odds(attack(0)).mean == Fraction(0 + 1 + 1 + 2 + 2 + 3, 6)


def test_rolls_before_a_choice_are_known_and_later_ones_are_not() -> None:
    @mechanic(rules=["demo.guess.seen"])
    async def seen() -> bool:
        """Guess a coin that was tossed."""
        coin = await d(2)
        return await choose(Role.ACTOR, "guess", [1, 2]) == coin

    @mechanic(rules=["demo.guess.hidden"])
    async def hidden() -> bool:
        """Guess a coin that will be tossed."""
        guess = await choose(Role.ACTOR, "guess", [1, 2])
        return await d(2) == guess

    assert odds(seen())[True] == 1
    assert odds(hidden())[True] == Fraction(1, 2)


def test_the_game_master_takes_the_default_and_nothing_else() -> None:
    @mechanic(rules=["demo.ruling.make"])
    async def ruling() -> int:
        """Choose for the players' good."""
        return await choose(Role.GAME_MASTER, "how much", [9, 1, 5], default=1)

    assert odds(ruling())[1] == 1
    assert odds(ruling(), policy=lambda ask: 2)[5] == 1


def test_of_equal_options_the_first_is_taken() -> None:
    @mechanic(rules=["demo.tie.choose"])
    async def tie(swap: bool) -> str:
        """Two ways that are worth the same, one of them in floats a hair less."""
        ways = ["tenths", "whole"] if swap else ["whole", "tenths"]
        if await choose(Role.ACTOR, "which", ways) == "whole":
            return "w"
        return "t" if await d(10) <= 3 else "u"

    worth = {"w": Fraction(1, 1), "t": Fraction(1, 3), "u": Fraction(1, 3) * Fraction(27, 7)}.__getitem__
    assert Fraction(3, 10) * worth("t") + Fraction(7, 10) * worth("u") == worth("w")
    assert odds(tie(False), worth)["w"] == 1
    assert odds(tie(True), worth)["t"] == Fraction(3, 10)


def test_a_joint_ask_is_answered_in_turn_where_a_character_chooses() -> None:
    @mechanic(rules=["demo.contest.decide"])
    async def contest() -> int:
        """The second to go knows what the first one has."""
        return await versus(d(6), bet(4))

    # against 1 to 3 four is enough; against 4 it ties, and rolling would lose more often than win; against 5 and 6
    # four loses, and a roll may still win with a 6 or tie
    exact = odds(contest(), lambda sign: -sign)
    assert exact[-1] == Fraction(3, 6) + Fraction(1, 6) * Fraction(1, 6)
    assert exact[0] == Fraction(1, 6) * (1 + Fraction(1, 6) + Fraction(1, 6))


def test_objectives_are_named_or_given_or_the_result_itself() -> None:
    @mechanic(rules=["demo.aim.take"], objectives={"low": lambda n: -n, "high": lambda n: n})
    async def aim() -> int:
        """One or six."""
        return await choose(Role.ACTOR, "which", [6, 1, 3])

    assert odds(aim())[1] == 1
    assert odds(aim(), "high")[6] == 1
    assert odds(aim(), lambda n: int(n == 3))[3] == 1
    with pytest.raises(InvalidInputError, match=r'no objective "hihg".*did you mean "high"'):
        odds(aim(), "hihg")
    with pytest.raises(InvalidInputError, match='no objective "high"'):
        odds(long_shot(3), "high")

    @mechanic(rules=["demo.aim.word"])
    async def word() -> str:
        """Choose without an objective."""
        return await choose(Role.ACTOR, "which", ["a", "b"])

    with pytest.raises(InvalidInputError, match="declares no objective"):
        odds(word())
    assert odds(word(), policy=lambda ask: 1)["b"] == 1


def test_an_unknown_objective_is_refused_even_where_nobody_chooses() -> None:
    @mechanic(rules=["demo.aim.none"])
    async def plain() -> int:
        """A die."""
        return await d(6)

    with pytest.raises(InvalidInputError, match='no objective "luck"'):
        odds(plain(), "luck")


@pytest.mark.parametrize("answer", [2, -1, True, "safe", None])
def test_a_policy_must_answer_with_a_position(answer: Any) -> None:
    with pytest.raises(TablewrightError, match="must give a position from 0 to 1"):
        odds(bet(3), policy=lambda ask: answer)


def test_the_answers_of_a_policy_are_not_remembered_beyond_the_question() -> None:
    position = 0

    def changing(ask: Choice[Any]) -> int:
        return position

    assert odds(long_shot(6), policy=changing)[True] == 1
    position = 1
    assert odds(long_shot(6), policy=changing)[True] == Fraction(1, 6)


def test_a_remainder_reaches_through_narrowed_decisions() -> None:
    @mechanic(rules=["demo.burst.choose"])
    async def burst() -> int:
        """An exploding die, or nothing."""
        return await roll(Exploding(Die(2), on=2, most=1)) if await choose(Role.ACTOR, "how", [True, False]) else 0

    @mechanic(rules=["demo.burst.choose"])
    async def high() -> bool:
        """Three or more."""
        return await burst().map(lambda total: total >= 3)

    @mechanic(rules=["demo.burst.choose"])
    async def twice() -> bool:
        """One of two."""
        return await both(high(), high(), lambda a, b: a or b)

    assert odds(burst()).remainder == Fraction(1, 4)
    assert odds(high()).remainder == Fraction(1, 4)
    assert odds(twice()).remainder == Fraction(1, 2)


def test_big_weights_do_not_overflow() -> None:
    @mechanic(rules=["demo.bet.hundreds"])
    async def hundreds() -> int:
        """Hundreds of dice, whose weights no float can hold."""
        total = await d(6, 600)
        return total if await choose(Role.ACTOR, "keep", [True, False]) else 2_100

    assert odds(hundreds()).at_least(2_100) == 1


# ---------------------------------------------------------------------- the question itself


def test_defaults_are_found_by_value_and_kind() -> None:
    assert choose("gm", "which", ["a", "b"]).default == 0
    assert choose("gm", "which", ["a", "b"], default="b").default == 1
    kinds: list[Any] = [1, True]
    assert choose("gm", "which", kinds, default=True).default == 1
    assert choose("gm", "which", ["a", None], default=None).default == 1
    with pytest.raises(TablewrightError, match="is not an option: 'c'"):
        choose("gm", "which", ["a", "b"], default="c")


def test_a_question_needs_options_with_different_names() -> None:
    with pytest.raises(TablewrightError, match="offers no option"):
        choose("gm", "which", [])
    with pytest.raises(TablewrightError, match="at most 1,000"):
        choose("gm", "which", range(1_001))
    with pytest.raises(TablewrightError, match="two options of one name: 1, 1"):
        _ = choose("gm", "which", [1, "1"]).ids


def test_the_id_of_one_option_is_had_without_the_others() -> None:
    class Named:
        """Says when its id is made."""

        def __init__(self, name: str) -> None:
            self.name = name

        @property
        def id(self) -> str:
            made.append(self.name)
            return self.name

    made: list[str] = []
    ask = choose("gm", "which", [Named("a"), Named("b"), Named("c")])
    assert (ask.id_at(1), made) == ("b", ["b"])
    assert (ask.ids, [ask.id_at(at) for at in range(3)]) == (("a", "b", "c"), ["a", "b", "c"])
    assert made == ["b", "a", "b", "c"], "and once they are known they are not made again"


def test_options_can_be_found_again() -> None:
    ready = ["a", "b", "c"]
    ask: Choice[str] = choose(
        "gm", "which", lambda: [*ready, ClosedOption("d", "too far", "demo.reach.far")], default="c"
    )
    assert (ask.options, ask.default) == (("a", "b", "c"), 2)
    with pytest.raises(IllegalActionError, match="too far"):
        ask.option("d")
    with pytest.raises(InvalidInputError, match='unknown option "aa"; choose one of: a, b, c'):
        ask.option("aa")
    ready.remove("c")
    ask.renew()
    assert (ask.options, ask.ids, ask.default) == (("a", "b"), ("a", "b"), 0)
    ready.clear()
    with pytest.raises(TablewrightError, match="offers no option"):
        ask.renew()
    assert ask.options == ("a", "b")


def test_duplicate_names_are_refused_by_advice_too() -> None:
    @mechanic(rules=["demo.same.choose"])
    async def same() -> int:
        """Two options that look alike."""
        return 1 if await choose(Role.ACTOR, "which", ["x", "x"]) == "x" else 2

    with pytest.raises(TablewrightError, match="two options of one name"):
        advise(same())


@mechanic(rules=["demo.word.last"])
async def last_word() -> str:
    """One of two words, the later one in the alphabet first and seldom."""
    return await finish(d(6).map(lambda face: "zebra" if face == 1 else "ant"))


@mechanic(rules=["demo.word.last"], objectives={"zebras": chance(lambda word: int(word == "zebra"))})
async def word_or_none() -> str:
    """Ask for a word, or take none."""
    if await choose(Role.ACTOR, "a word?", [True, False]):
        return await become(last_word())
    return "none"


def test_a_state_that_ends_after_a_choice_keeps_its_weights() -> None:
    assert odds(word_or_none())["zebra"] == Fraction(1, 6)
    assert odds(word_or_none(), policy=lambda ask: 0)["ant"] == Fraction(5, 6)
    assert [one.value for one in advise(word_or_none()).choices[0].options] == [Fraction(1, 6), 0]


def test_odds_by_a_steady_strategy_are_remembered() -> None:
    asked = 0

    @steady
    def safe(ask: Choice[Any]) -> int:
        nonlocal asked
        asked += 1
        return 0

    first = odds(long_shot(6), policy=safe)
    before = asked
    assert odds(long_shot(6), policy=safe) is first
    assert asked == before > 0
