"""Playing: dice and choices are answered one by one, wrong answers change nothing, and all of it can be read again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from math import erfc, sqrt
from typing import Any, NamedTuple

import pytest

from each_case import each_case
from tablewright.dice import Die, Dist, Exploding, Keep, SeededDice, TypedDice
from tablewright.engine import (
    Call,
    Choice,
    Playthrough,
    Role,
    RollStep,
    Tally,
    Trace,
    again,
    become,
    both,
    certain,
    choose,
    d,
    finish,
    mechanic,
    minus,
    odds,
    play,
    replay,
    roll,
    sample,
    versus,
)
from tablewright.errors import IllegalActionError, InvalidInputError, TablewrightError


class Side(Enum):
    A = "the first"
    B = "the second"


class Blow(NamedTuple):
    hit: bool
    damage: int


@mechanic(rules=["demo.check.resolve"])
async def check(target: int) -> int:
    """The number rolled, or -1 for a failure."""
    number = await d(100)
    return number if number <= target else -1


@mechanic(rules=["demo.opposed.resolve"])
async def opposed(a: int, b: int) -> Side:
    """The higher success wins; ties are rolled afresh."""
    sign = await versus(check(a), check(b))
    if sign == 0:
        await again()
    return Side.A if sign > 0 else Side.B


@mechanic(rules=["demo.strike.resolve", "demo.strike.armour"])
async def strike(skill: int, armour: int) -> Blow:
    """A blow, dodged or not, against armour."""
    if not await check(skill).map(lambda number: number > 0):
        return Blow(False, 0)
    if await choose(Role.OPPONENT, "defence", ["stand", "dodge"], default="dodge") == "dodge" and await d(2) == 1:
        return Blow(False, 0)
    return Blow(True, max(0, await minus(roll(Exploding(Die(6), on=6, most=3)), d(4, plus=armour))))


@mechanic(rules=["demo.rest.sleep"])
async def rest(hours: int, found: int) -> int:
    """Hour by hour, as a chain."""
    if hours == 0:
        return found
    return await roll(Keep(2, Die(3), 1)).into(lambda best: rest(hours - 1, found + best))


@mechanic(rules=["demo.rest.sleep"])
async def night(hours: int) -> int:
    """A rest, doubled at the end."""
    return await finish(rest(hours, 0).map(lambda found: 2 * found))


@mechanic(rules=["demo.pair.roll"])
async def pair() -> tuple[int, int]:
    """Two results at once; sixes go on with another rule."""
    first, second = await both(d(6), check(50).map(lambda n: int(n > 0)), lambda a, b: (a, b))
    return await become(late(second)) if first == 6 else (first, second)


@mechanic(rules=["demo.pair.late"])
async def late(second: int) -> tuple[int, int]:
    """Another rule."""
    return (10 * await d(2), second)


RULES: list[Call[Any]] = [check(60), opposed(60, 65), strike(70, 1), rest(3, 0), night(2), pair()]


def to_bytes(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


# ---------------------------------------------------------------------- the same again


@pytest.mark.parametrize("call", RULES, ids=repr)
def test_a_record_brings_about_the_same_byte_for_byte(call: Call[Any]) -> None:
    for seed in range(20):
        played = play(call, SeededDice(seed))
        stored = json.loads(to_bytes(played.record))
        again_played = replay(call, stored)
        assert to_bytes(again_played.trace.to_json()) == to_bytes(played.trace.to_json())
        assert to_bytes(again_played.record) == to_bytes(played.record)
        assert again_played.trace.explain() == played.trace.explain()
        assert again_played.result == played.result


@pytest.mark.parametrize("call", RULES, ids=repr)
def test_typed_faces_give_the_same_as_generated_ones(call: Call[Any]) -> None:
    for seed in range(20):
        played = play(call, SeededDice(seed))
        faces = [face for answer in played.record if isinstance(answer, tuple) for face in answer]
        typed = play(call, TypedDice(faces))
        assert typed == played
        with pytest.raises(InvalidInputError, match="left over: 1"):
            play(call, TypedDice([*faces, 1]))
        with pytest.raises(InvalidInputError, match="needs another"):
            play(call, TypedDice(faces[:-1]))


def test_the_same_seed_plays_the_same_and_another_does_not() -> None:
    results = [play(rest(30, 0), SeededDice(seed)).record for seed in (1, 1, 2)]
    assert results[0] == results[1] != results[2]


def test_records_that_do_not_fit_are_refused() -> None:
    played = play(strike(70, 1), TypedDice([10, 2, 5, 1]))
    assert played.record == ((10,), "dodge", (2,), (5,), (1,))
    with pytest.raises(InvalidInputError, match="ends too early: roll d4"):
        replay(strike(70, 1), played.record[:-1])
    with pytest.raises(InvalidInputError, match="goes on after the end: 1 answers are left over"):
        replay(strike(70, 1), [*played.record, (1,)])
    with pytest.raises(InvalidInputError, match='the record says "dodge", but roll d100 is asked'):
        replay(strike(70, 1), ["dodge"])
    with pytest.raises(InvalidInputError, match="no roll is asked for now"):
        replay(strike(70, 1), [(10,), (3,)])
    with pytest.raises(InvalidInputError, match=r'unknown option "doge".*did you mean "dodge"'):
        replay(strike(70, 1), [(10,), "doge"])
    with pytest.raises(InvalidInputError, match="face 1 is 101"):
        replay(strike(70, 1), [(101,)])


# ---------------------------------------------------------------------- one answer at a time


def snapshot(playing: Playthrough[Any]) -> tuple[Any, ...]:
    return playing.question, list(playing.record), list(playing.steps), list(playing.asked_of_call), playing.seat


@each_case(
    "wrong",
    [
        lambda playing: playing.type_in([]),
        lambda playing: playing.type_in([1, 2]),
        lambda playing: playing.type_in([0]),
        lambda playing: playing.type_in([101]),
        lambda playing: playing.type_in([True]),
        lambda playing: playing.type_in(["7"]),
        lambda playing: playing.type_in([2.0]),
        lambda playing: playing.choose(0),
        lambda playing: playing.answer("dodge"),
        lambda playing: playing.roll(TypedDice([])),
        lambda playing: playing.set_outcome("101", "because"),
    ],
)
def test_a_wrong_answer_to_a_roll_changes_nothing(wrong: Callable[[Playthrough[Blow]], None]) -> None:
    playing = Playthrough(strike(70, 1))
    before = snapshot(playing)
    with pytest.raises(InvalidInputError):
        wrong(playing)
    assert snapshot(playing) == before
    playing.type_in([71])
    assert playing.result == Blow(False, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda playing: playing.choose(2),
        lambda playing: playing.choose(-1),
        lambda playing: playing.choose(True),
        lambda playing: playing.choose("dodge"),
        lambda playing: playing.answer("duck"),
        lambda playing: playing.answer((3,)),
        lambda playing: playing.roll(SeededDice(1)),
        lambda playing: playing.set_outcome("dodge", "because"),
    ],
)
def test_a_wrong_answer_to_a_choice_changes_nothing(wrong: Callable[[Playthrough[Blow]], None]) -> None:
    playing = Playthrough(strike(70, 1))
    playing.type_in([70])
    assert playing.seat == "opponent"
    before = snapshot(playing)
    with pytest.raises((InvalidInputError, IllegalActionError)):
        wrong(playing)
    assert snapshot(playing) == before
    playing.answer("dodge")
    playing.type_in([1])
    assert playing.result == Blow(False, 0)


def test_there_is_no_result_before_the_end_and_no_answer_after_it() -> None:
    playing = Playthrough(check(50))
    with pytest.raises(TablewrightError, match="has not ended: it waits for roll d100"):
        _ = playing.result
    playing.type_in([50])
    assert (playing.result, playing.question) == (50, None)
    with pytest.raises(InvalidInputError, match="no roll is asked for now"):
        playing.type_in([50])


def test_a_rule_that_fails_stays_failed() -> None:
    @mechanic(rules=["demo.broken.rule"])
    async def broken() -> int:
        """Fails on a one."""
        if await d(6) == 1:
            raise ZeroDivisionError("on purpose")
        return await d(6)

    playing = Playthrough(broken())
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        playing.type_in([1])
    assert playing.broken
    with pytest.raises(InvalidInputError, match="no roll is asked"):
        playing.type_in([2])
    with pytest.raises(TablewrightError, match="failed and has no result"):
        _ = playing.result


def test_one_option_is_no_question() -> None:
    @mechanic(rules=["demo.choice.single"])
    async def single() -> str:
        """Nothing to choose."""
        return await choose(Role.ACTOR, "which", ["only"])

    def never(ask: Choice[Any]) -> int:
        raise AssertionError(ask)

    assert play(single(), chooser=never).record == ()
    assert odds(single(), policy=never)["only"] == 1


def test_an_outcome_can_be_set_without_dice() -> None:
    playing = Playthrough(check(50))
    playing.set_outcome("12", "the die fell off the table")
    assert playing.result == 12


# ---------------------------------------------------------------------- who is asked, and what is told


def test_seats_and_tallies_come_from_the_asker() -> None:
    skill = Tally.of("Blades", 60, rule="demo.check.skill").add("dark", -10)

    async def attack() -> Blow:
        return await strike(skill.total, 0).by("Ada", against="Bo", audience="Ada", tallies={"skill": skill})

    playing = Playthrough(attack())
    assert (playing.seat, playing.audience) == ("Ada", "Ada")
    playing.type_in([50])
    assert playing.seat == "Bo"
    playing.answer("stand")
    playing.type_in([3])
    playing.type_in([4])
    assert playing.result == Blow(True, 0)
    (trace,) = playing.steps
    told = trace.to_json()
    assert (told["actor"], told["opponent"], told["audience"]) == ("Ada", "Bo", "Ada")
    assert told["tallies"]["skill"]["total"] == 50
    assert told["steps"][1] == {"choice": "defence", "seat": "Bo", "option": "stand"}


def test_a_trace_tells_every_die_choice_rule_and_result() -> None:
    played = play(strike(70, 1), TypedDice([10, 2, 6, 2, 1]))
    assert played.trace.explain(lambda rule: rule.upper()).splitlines() == [
        "demo.strike: skill 70, armour 1",
        "  demo.check: target 70",
        "    rolled d100: 10 = 10",
        "    gives 10",
        "  opponent chose dodge (defence)",
        "  rolled d2: 2 = 2",
        "  rolled d6!: 6 2 = 8",
        "  rolled d4+1: 1 = 2",
        "  gives hit True, damage 6",
        "  [demo.strike.resolve] DEMO.STRIKE.RESOLVE",
        "  [demo.strike.armour] DEMO.STRIKE.ARMOUR",
        "  [demo.check.resolve] DEMO.CHECK.RESOLVE",
    ]
    assert played.trace.to_json() == {
        "mechanic": "demo.strike",
        "arguments": {"skill": 70, "armour": 1},
        "rules": ["demo.strike.resolve", "demo.strike.armour"],
        "steps": [
            {
                "mechanic": "demo.check",
                "arguments": {"target": 70},
                "rules": ["demo.check.resolve"],
                "steps": [{"roll": "d100", "faces": [10], "outcome": 10}],
                "result": 10,
            },
            {"choice": "defence", "seat": "opponent", "option": "dodge"},
            {"roll": "d2", "faces": [2], "outcome": 2},
            {"roll": "d6!", "faces": [6, 2], "outcome": 8},
            {"roll": "d4+1", "faces": [1], "outcome": 2},
        ],
        "result": {"hit": True, "damage": 6},
    }


def test_a_trace_tells_where_a_rule_was_left() -> None:
    played = play(pair(), TypedDice([6, 51, 2]))
    assert played.result == (20, 0)
    assert played.trace.rules == ("demo.pair.roll", "demo.check.resolve", "demo.pair.late")
    assert "went on with demo.late(0)" in played.trace.explain()
    afresh = play(opposed(60, 65), TypedDice([61, 66, 3, 2]))
    assert afresh.result is Side.A
    assert "  rerolled" in afresh.trace.explain().splitlines()
    assert {"again": "demo.opposed"} in afresh.trace.to_json()["steps"]


# ---------------------------------------------------------------------- frequencies


def unlikely(counted: Counter[Any], exact: Dist[Any]) -> float:
    """The chance of so large a chi-square, by Wilson and Hilferty; rare outcomes are put together."""
    drawn = sum(counted.values())
    assert set(counted) <= set(exact.outcomes)
    groups: list[tuple[float, int]] = []
    rare, rarely = 0.0, 0
    for outcome, chance in exact.fractions():
        if float(chance) * drawn < 8:
            rare, rarely = rare + float(chance) * drawn, rarely + counted[outcome]
        else:
            groups.append((float(chance) * drawn, counted[outcome]))
    if rare >= 8:
        groups.append((rare, rarely))
    else:
        groups[-1] = (groups[-1][0] + rare, groups[-1][1] + rarely)
    free = len(groups) - 1
    chi_square = sum([(seen - wanted) ** 2 / wanted for wanted, seen in groups])
    if free == 0:
        return 1.0
    normal = ((chi_square / free) ** (1 / 3) - (1 - 2 / (9 * free))) / sqrt(2 / (9 * free))
    return erfc(normal / sqrt(2)) / 2


def test_the_chi_square_would_notice() -> None:
    fair = Dist.uniform(1, 6)
    assert unlikely(Counter(dict.fromkeys(range(1, 7), 1000)), fair) > 0.9
    assert unlikely(Counter({face: 1_000 + 40 * (face - 3) for face in range(1, 7)}), fair) < 0.001


@pytest.mark.parametrize("call", RULES, ids=repr)
def test_played_results_are_as_frequent_as_the_odds_say(call: Call[Any]) -> None:
    dice = SeededDice(7)
    counted = Counter([play(call, dice).result for _ in range(4_000)])
    assert unlikely(counted, odds(call, policy=lambda ask: ask.default)) > 1e-6


@pytest.mark.parametrize("call", [*RULES, rest(20, 0)], ids=repr)
def test_sampled_results_are_as_frequent_as_the_odds_say(call: Call[Any]) -> None:
    exact = odds(call, policy=lambda ask: ask.default)
    drawn = sample(call, 50_000, SeededDice(3), policy=lambda ask: ask.default)
    assert len(drawn) == 50_000
    assert unlikely(Counter(drawn), exact) > 1e-6


def test_samples_are_the_same_for_the_same_dice_and_go_on_with_them() -> None:
    dice = SeededDice(5)
    first, second = sample(check(50), 40, dice), sample(check(50), 40, dice)
    assert first != second
    assert first == sample(check(50), 40, SeededDice(5))
    assert sample(check(50), 0, dice) == []
    assert sample(strike(100, 0), 5, dice, lambda blow: -blow.damage)[0] in odds(strike(100, 0), lambda b: -b.damage)
    for wrong in (-1, 10**9, 2.5, True):
        with pytest.raises(InvalidInputError, match="samples are out of bounds"):
            sample(check(50), wrong, dice)  # type: ignore[arg-type]


def test_long_tables_are_sampled_too() -> None:
    """More than 64 bits of weights: 30 dice have 6**30 ways."""

    @mechanic(rules=["demo.many.dice"])
    async def many() -> int:
        """Thirty dice."""
        return await d(6, 30)

    exact = odds(many())
    assert exact.total > 2**64
    assert unlikely(Counter(sample(many(), 20_000, SeededDice(2))), exact) > 1e-6
    assert exact.mean == Fraction(105)


# ---------------------------------------------------------------------- whose dice are whose


@mechanic(rules=["demo.seats.two"])
async def two_sides() -> int:
    """Each side throws its own die."""
    return await roll(Keep(2, Die(6), 1)) - await roll(Keep(1, Die(8), 1), Role.OPPONENT)


def test_dice_belong_to_a_side() -> None:
    async def process(other: str | None) -> int:
        return await two_sides().by("ann", other)

    playing: Playthrough[int] = Playthrough(process("rat"))
    assert playing.seat == "ann"
    playing.type_in([3, 5])
    assert playing.seat == "rat"
    assert playing.trace_so_far().steps[0].to_json()["faces"] == [3, 5]
    playing.type_in([2])
    assert playing.result == 3
    alone: Playthrough[int] = Playthrough(process(None))
    alone.type_in([3, 5])
    assert alone.seat == "ann"  # a seat has to throw them


# ---------------------------------------------------------------------- results that are certain


@mechanic(rules=["demo.swing.harm"])
async def injury(degree: int) -> tuple[int, int]:
    """Roll the harm of a hit."""
    return await finish(d(10, degree).map(lambda points: (degree, points)))


@mechanic(rules=["demo.swing.hit"])
async def swing() -> tuple[int, int]:
    """A hit goes on to its harm, a miss ends at once."""
    return await d(4).into(lambda face: injury(face - 2) if face > 2 else certain((0, 0)))


def test_a_certain_result_ends_a_rule_in_odds_and_in_play() -> None:
    expected = {(0, 0): Fraction(1, 2)}
    expected |= {(1, points): Fraction(1, 40) for points in range(1, 11)}
    expected |= {(2, points): Fraction(10 - abs(11 - points), 400) for points in range(2, 21)}
    assert dict(odds(swing()).fractions()) == expected
    missed, hit = Playthrough(swing()), Playthrough(swing())
    missed.answer((1,))
    hit.answer((3,))
    assert missed.question is None
    assert missed.result == (0, 0)
    (trace,) = missed.steps
    assert isinstance(trace, Trace)
    assert [type(step) for step in trace.steps] == [RollStep]
    assert repr(hit.question) == "roll d10"


def test_states_with_equal_outcomes_of_different_types_are_refused() -> None:
    @mechanic(rules=["demo.swing.truth"])
    async def truth(plain: bool) -> tuple[object, int]:
        """Numbers up to 20, beside 1 or True."""
        return await finish(d(20).map(lambda face: (1 if plain else True, face)))

    @mechanic(rules=["demo.swing.mixed"])
    async def mixed() -> tuple[object, int]:
        """Results that Python takes for equal."""
        return await d(2).into(lambda face: truth(face == 1))

    with pytest.raises(TablewrightError, match="which Python takes for equal"):
        odds(mixed())
