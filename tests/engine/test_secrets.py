"""Advice tells no one what they may not know, and weighs what a question of a process leads to."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import pytest

from tablewright.engine import (
    Call,
    HiddenDependencyError,
    OptionValue,
    Param,
    Playthrough,
    Role,
    choose,
    d,
    mechanic,
    yes_no,
)
from tablewright.engine.advice import advise_open_choice, best_answer, call_as_seen_by, value_options
from tablewright.errors import TablewrightError

Luck = Annotated[int, Param("luck of the one who acts", 0, 5, unseen=0)]


@mechanic(rules=["demo.secret.strike"])
async def strike(luck: Luck, armour: Annotated[int, Param("armour of the struck", 0, 6)] = 0) -> int:
    """Roll; luck rerolls, before and after the target has taken cover, which costs one."""
    face = await d(6)
    if luck and await yes_no(Role.ACTOR, "spend luck?"):
        face, luck = await d(6), luck - 1
    covered = await yes_no(Role.OPPONENT, "take cover?")
    if luck and await yes_no(Role.ACTOR, "spend more luck?"):
        face = await d(6)
    return max(0, face - 3 - armour) + 1 if covered else max(0, face - armour)


def under_way(luck: int, *answers: Any, armour: int = 0, **said: Any) -> Playthrough[Any]:
    async def meet() -> int:
        context = {"private": {"luck": Role.ACTOR}} | said
        return await strike(luck, armour).by("ann", "bob", **context)

    playing = Playthrough(meet())
    for answer in answers:
        playing.answer(answer)
    return playing


def told(playing: Playthrough[Any], seat: str | None = None) -> list[tuple[str, Fraction, bool]]:
    situation = advise_open_choice(playing, seat=seat).choices[0]
    return [(worth.id, worth.value, worth.best) for worth in situation.options]


def test_advice_is_the_same_whatever_the_hidden_number_is() -> None:
    """Without luck Bob is asked at once, with luck after Ann said no: he must not be able to tell."""
    plain = under_way(0, (1,))
    lucky = [under_way(luck, (1,), "no") for luck in (1, 5)]
    assert [told(playing, "bob") for playing in lucky] == [told(plain, "bob")] * 2
    assert [best_answer(playing, seat="bob") for playing in [plain, *lucky]] == [0, 0, 0]
    assert [best_answer(playing) for playing in [plain, *lucky]] == [0, 1, 1]  # who knows all takes cover
    assert told(plain, "bob") == told(plain)


def test_a_seat_that_knows_a_number_is_advised_by_it() -> None:
    for seat in ("ann", "game master"):
        playing = under_way(1, (1,), "no", "no")
        assert told(playing, seat) == told(playing) == [("no", 1, False), ("yes", Fraction(7, 2), True)]


def test_events_against_an_assumption_are_not_passed_over() -> None:
    """Ann has rerolled, so she had luck: Bob's advice cannot go on as if she had none."""
    for luck in (1, 2):
        with pytest.raises(HiddenDependencyError, match=r"demo\.strike depends here on what this seat may not know"):
            advise_open_choice(under_way(luck, (1,), "yes", (2,)), seat="bob")


def test_advice_needs_an_assumption() -> None:
    playing = under_way(0, (3,), armour=2, hide=["armour"])
    with pytest.raises(HiddenDependencyError, match="armour") as caught:
        advise_open_choice(playing, seat="bob")
    assert caught.value.what == ("armour",)
    assert told(playing, "game master")


def test_dice_that_a_seat_may_not_see_give_no_advice() -> None:
    playing = under_way(1, (3,), audience="game master", private={})
    with pytest.raises(HiddenDependencyError, match="the dice"):
        advise_open_choice(playing, seat="ann")
    assert told(playing, "game master")
    assert told(under_way(1, (3,), audience="ann", private={}), "ann")


def test_dice_are_read_again_by_what_is_supposed() -> None:
    @mechanic(rules=["demo.secret.target"])
    async def hit(target: Annotated[int, Param("what is needed", 1, 6, unseen=4)]) -> bool:
        """Roll at least the target, perhaps once more."""
        missed = await d(6).map(lambda face: face < target)
        if await yes_no(Role.ACTOR, "once more?"):
            missed = await d(6).map(lambda face: face < target)
        return not missed

    async def meet(target: int) -> bool:
        return await hit(target).by("ann", hide=["target"])

    worths = []
    for target in (1, 2, 6):
        playing = Playthrough(meet(target))
        playing.type_in([3])
        worths.append(told(playing, "ann"))
        if target > 1:
            assert told(playing)[1][1] == Fraction(7 - target, 6)
    assert worths == [[("no", 0, False), ("yes", Fraction(1, 2), True)]] * 3


def test_a_call_as_a_seat_supposes_it() -> None:
    context: Any = strike(3, 2).by("ann", "bob", private={"luck": Role.ACTOR})
    assert call_as_seen_by(strike(3, 2), context, "bob") == strike(0, 2)
    assert call_as_seen_by(strike(3, 2), context, "ann") == call_as_seen_by(strike(3, 2), None, "bob") == strike(3, 2)


def test_only_what_is_allowed_can_be_supposed() -> None:
    @mechanic(rules=["demo.secret.bounds"])
    async def bounded(luck: Annotated[int, Param("luck", 0, 5, unseen=9)]) -> int:
        """Nothing much."""
        return luck

    with pytest.raises(TypeError, match="luck cannot be supposed to be 9"):
        _ = bounded.params


# ---------------------------------------------------------------------- what a question leads to


@mechanic(rules=["demo.split.roll"], objectives={"total": int, "six": lambda total: int(total == 6)})
async def total(dice: int, luck: Luck = 0) -> int:
    """Roll dice; luck counts."""
    return await d(6, dice) + luck


def weighed(ask: Any, seat: str | None = None) -> list[OptionValue]:
    situation = value_options(ask, seat)
    assert situation is not None
    return list(situation.options)


def test_each_option_is_worth_what_it_leads_to() -> None:
    asked = choose("ann", "how many?", [1, 2], leads_to=total)
    assert [(worth.value, worth.best) for worth in weighed(asked)] == [(Fraction(7, 2), False), (7, True)]
    sixes = weighed(choose("ann", "how many?", [1, 2], leads_to=total, objective="six"))
    assert [(worth.value, worth.best) for worth in sixes] == [(Fraction(1, 6), True), (Fraction(5, 36), False)]
    assert value_options(choose("ann", "how many?", [1, 2])) is None


def test_a_character_who_stands_on_the_other_side_takes_the_least() -> None:
    asked = choose("bob", "how many?", [2, 1, 0], leads_to=lambda dice: total(dice).by_opponent() if dice else 5)
    assert [(worth.value, worth.best) for worth in weighed(asked)] == [(7, False), (Fraction(7, 2), True), (5, False)]


def test_forecasts_are_made_without_secrets() -> None:
    def leads_to(dice: int) -> Any:
        return total(dice, 5 if dice == 1 else 0).by("ann", "bob", private={"luck": Role.ACTOR}).by_opponent()

    asked = choose("bob", "how many?", [2, 1], leads_to=leads_to)
    assert [worth.value for worth in weighed(asked, "ann")] == [7, Fraction(17, 2)]
    assert [worth.value for worth in weighed(asked, "bob")] == [7, Fraction(7, 2)]


def test_a_question_can_lead_only_to_a_call_or_a_worth() -> None:
    for wrong in ("a word", d(6)):
        with pytest.raises(TablewrightError, match="can lead only to a call or a worth"):
            value_options(choose("ann", "how?", [1, 2], leads_to=lambda _, wrong=wrong: wrong))  # type: ignore[misc]
    assert isinstance(total(1), Call)
