"""Processes: a state that changes only by events, played step by step and enumerated exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from tablewright.dice import Dist, TypedDice
from tablewright.engine import (
    Choice,
    Playthrough,
    Role,
    TooComplexError,
    Trace,
    World,
    again,
    become,
    choose,
    d,
    distribution_after,
    finish,
    mechanic,
    odds,
    process,
    states_after_step,
)
from tablewright.errors import InvalidInputError, TablewrightError


class Duel(NamedTuple):
    """Two fighters' health, and what is left of luck."""

    me: int
    you: int
    luck: int


class Hurt(NamedTuple):
    who: str
    much: int


class Luck(NamedTuple):
    spent: int


def apply(duel: Duel, event: Hurt | Luck) -> Duel:
    if isinstance(event, Luck):
        return duel._replace(luck=duel.luck - event.spent)
    left = max(0, getattr(duel, event.who) - event.much)
    return duel._replace(**{event.who: left})


@mechanic(rules=["demo.strike.damage"])
async def damage(lucky: bool) -> int:
    """A die, of which the one who acts may reroll a one by luck."""
    face = await d(4)
    if face == 1 and lucky and await choose(Role.ACTOR, "reroll", [True, False]):
        return -await d(4)
    return face


@process(rules=["demo.turn.take"])
async def turn(game: World[Duel, Any], wild: bool) -> str:
    """Strike once, or twice and be struck back; after each event the state is read again."""
    action = await choose("me", "action", ["rest", "strike", "flurry"])
    if action == "rest":
        game.emit(Hurt("me", -1))
        return action
    for _ in range(2 if action == "flurry" else 1):
        dealt = await damage(game.state.luck > 0)
        if dealt < 0:
            game.emit(Luck(1))
        game.emit(Hurt("you", abs(dealt)))
    if action == "flurry" or wild:
        game.emit(Hurt("me", await d(2)))
    return action


def always(name: str, *, reroll: bool) -> Any:
    def policy(ask: Choice[Any]) -> int:
        wanted = str(reroll) if ask.question == "reroll" else name
        return ask.ids.index(wanted)

    return policy


def test_a_process_is_played_like_a_rule_and_reads_the_state_again() -> None:
    game: World[Duel, Any] = World(Duel(5, 5, 1), apply)
    playing = Playthrough(turn(game, False), game.log)
    playing.answer("flurry")
    playing.type_in([1])
    assert playing.seat == "actor"
    playing.answer("True")
    playing.type_in([3])
    playing.type_in([1])  # luck is used up: no one is asked
    playing.type_in([2])
    assert playing.result == "flurry"
    assert game.state == Duel(3, 1, 0)
    events = [entry for entry in game.log if isinstance(entry, (Hurt, Luck))]
    assert events == [Luck(1), Hurt("you", 3), Hurt("you", 1), Hurt("me", 2)]
    assert [entry.result for entry in game.log if isinstance(entry, Trace)] == [-3, 1]
    assert playing.record == ["flurry", (1,), "True", (3,), (1,), (2,)]


def test_one_step_is_enumerated_exactly() -> None:
    start = Duel(5, 9, 1)
    exact = distribution_after(lambda game: turn(game, True), start, apply, always("strike", reroll=False))
    assert dict(exact.fractions()) == {
        Duel(5 - back, 9 - hit, 1): Fraction(1, 8) for back in (1, 2) for hit in (1, 2, 3, 4)
    }
    lucky = distribution_after(lambda game: turn(game, False), start, apply, always("strike", reroll=True))
    assert dict(lucky.fractions()) == {Duel(5, 9 - hit, 1): Fraction(1, 4) for hit in (2, 3, 4)} | {
        Duel(5, 9 - hit, 0): Fraction(1, 16) for hit in (1, 2, 3, 4)
    }
    assert (
        distribution_after(lambda game: turn(game, False), start, apply, always("rest", reroll=False))[Duel(6, 9, 1)]
        == 1
    )


def test_enumeration_agrees_with_play() -> None:
    """Every way through, played with typed dice and weighed by hand."""
    start = Duel(3, 4, 1)
    counted: dict[Duel, Fraction] = {}

    def follow(faces: tuple[int, ...], chance: Fraction) -> None:
        game: World[Duel, Any] = World(start, apply)
        playing, typed = Playthrough(turn(game, True)), TypedDice(faces)
        used = 0
        while playing.question is not None:
            if isinstance(playing.question, Choice):
                playing.choose(always("flurry", reroll=True)(playing.question))
            elif used < len(faces):
                playing.roll(typed)
                used += 1
            else:
                sides = len(playing.question.dice.weigh())
                for face in range(1, sides + 1):
                    follow((*faces, face), chance / sides)
                return
        counted[game.state] = counted.get(game.state, Fraction(0)) + chance

    follow((), Fraction(1))
    exact = distribution_after(lambda game: turn(game, True), start, apply, always("flurry", reroll=True))
    assert dict(exact.fractions()) == counted
    assert sum(counted.values()) == 1


def test_options_that_a_policy_does_not_take_cost_nothing() -> None:
    async def long_list(game: World[int, int]) -> None:
        for _ in range(60):
            game.emit(await choose("me", "which", range(1_000)))
        game.emit(await d(6))

    exact = distribution_after(long_list, 0, lambda state, event: state + event, lambda ask: 3)
    assert exact.outcomes == range(181, 187)


def test_forbidden_acts_of_a_step() -> None:
    async def chooses(game: World[int, int]) -> None:
        game.emit(await choose("me", "which", [1, 2]))

    async def calls_a_chooser(game: World[int, int]) -> None:
        game.emit(await damage(True))

    async def decided(game: World[int, int]) -> None:
        game.emit(await choose("me", "which", [1]))

    def add(state: int, event: int) -> int:
        return state + event

    unhashable: Any = [1]
    for step in (chooses, calls_a_chooser):
        with pytest.raises(TablewrightError, match=r"asks for choices \((which|reroll)\); a policy must make them"):
            distribution_after(step, 0, add)
    assert distribution_after(decided, 0, add)[1] == 1
    with pytest.raises(TablewrightError, match="must be a hashable value"):
        distribution_after(chooses, unhashable, lambda state, event: state, lambda ask: 0)


@pytest.mark.parametrize("leaving", [again(), become(damage(False)), d(6).into(lambda _: damage(False)), finish(d(6))])
def test_a_process_cannot_be_left_for_a_mechanic(leaving: Any) -> None:
    async def step(game: World[int, int]) -> None:
        game.emit(await leaving)

    with pytest.raises(TablewrightError, match="a process cannot be left"):
        distribution_after(step, 0, lambda state, event: state + event)
    with pytest.raises(TablewrightError, match="a process cannot be left"):
        Playthrough(step(World(0, lambda state, event: state + event)))


def test_processes_have_names_and_typed_parameters() -> None:
    assert (turn.name, turn.summary.partition(",")[0]) == ("demo.turn", "Strike once")
    assert [parameter.name for parameter in turn.params] == ["wild"]
    game: World[Duel, Any] = World(Duel(5, 5, 0), apply)
    playing = Playthrough(turn.read(game, {"wild": "yes"}))
    playing.answer("strike")
    playing.type_in([4])
    playing.type_in([1])
    assert game.state == Duel(4, 1, 0)
    with pytest.raises(InvalidInputError, match='has no parameter "wld"; its parameters are wild; did you mean "wild"'):
        Playthrough(turn.read(game, {"wld": "yes"}))
    with pytest.raises(InvalidInputError, match="wild is 1; allowed is yes or no"):
        Playthrough(turn(game, 1))  # type: ignore[arg-type]


def test_a_step_with_more_ways_than_allowed_is_refused() -> None:
    """The limit counts the ways through the step itself; what a mechanic inside it has taken does not matter."""

    async def step(game: World[int, int]) -> None:
        game.emit(await d(6) * 10 + await d(6))

    def add(state: int, event: int) -> int:
        return state + event

    assert len(states_after_step(step, 0, add, most=36)) == 36
    with pytest.raises(TooComplexError, match="more than 35 ways"):
        states_after_step(step, 0, add, most=35)


def test_a_step_with_far_more_ways_than_allowed_is_refused_early() -> None:
    runs: list[int] = []

    async def wide(game: World[Duel, Any]) -> None:
        runs.append(1)
        for _ in range(8):
            game.emit(Hurt("me", await d(6)))

    async def wide_at_first(game: World[Duel, Any]) -> None:
        if await d(100) == 1:
            game.emit(Hurt("me", await d(60)))

    with pytest.raises(TooComplexError, match="more than 160 ways"):
        states_after_step(wide, Duel(99, 99, 0), apply, most=160)
    assert len(runs) < 40
    after = states_after_step(wide_at_first, Duel(99, 99, 0), apply, most=160)
    assert len(after) == 61
    assert sum([weight for _, weight in after]) == 6_000


def test_a_strategy_runs_only_what_it_chooses() -> None:
    """The other option would be refused; exact odds of the same rule by value are."""
    asked: list[str] = []

    @mechanic(rules=["demo.many.dice"])
    async def many() -> int:
        "More ways than can be followed."
        return sum([await d(100) for _ in range(6)])

    @mechanic(rules=["demo.many.choose"])
    async def either() -> int:
        "One die or many."
        taken = await choose(Role.ACTOR, "how many", ["one", "many"])
        asked.append(taken)
        return await d(6) if taken == "one" else await many()

    assert odds(either(), policy=lambda ask: 0) == Dist.uniform(1, 6)
    assert set(asked) == {"one"}
    with pytest.raises(TooComplexError):
        odds(either())
