"""Records: named tuples that a rule takes whole and callers name field by field."""

from __future__ import annotations

import pickle
from typing import Annotated, Any, Literal, NamedTuple

import pytest

from tablewright.dice import TypedDice
from tablewright.engine import Call, Param, Role, d, mechanic, odds, play
from tablewright.engine.advice import call_as_seen_by
from tablewright.engine.play import Playthrough
from tablewright.engine.process import process
from tablewright.engine.progress import HiddenDependencyError
from tablewright.errors import InvalidInputError, TablewrightError


class Body(NamedTuple):
    """The target of a hit."""

    armour: Annotated[int, Param("damage taken off", 0, 9)] = 0
    health: Annotated[int, Param("health left", 1, 20, unseen=10)] = 10


class Fighter(NamedTuple):
    """One side of a duel."""

    skill: Annotated[int, Param("added to the die", 0, 9)]
    body: Body = Body()
    style: Literal["bold", "wary"] = "bold"


class Table(NamedTuple):
    """Settings of the table."""

    sides: Annotated[int, Param("sides of a die", 2, 20)] = 6


USUAL = Table(8)


@mechanic(rules=["demo.duel.harm"], objectives={"left": int})
async def harm(points: int, body: Body) -> int:
    """Health left after a hit."""
    return max(body.health - max(points + await d(2) - body.armour, 0), 0)


@mechanic(rules=["demo.duel.strike"], objectives={"left": int})
async def strike(mine: Fighter, theirs: Fighter, table: Table = USUAL) -> int:
    """Strike at a foe; a miss leaves all health."""
    if await d(table.sides) + mine.skill <= theirs.skill:
        return theirs.body.health
    return await d(4).into(lambda points: harm(points, theirs.body))


MINE, THEIRS = Fighter(3, style="wary"), Fighter(2, Body(1, 12))


def test_a_field_is_named_alone_where_only_one_record_has_it() -> None:
    assert [(one.name, one.required) for one in strike.params] == [
        ("mine.skill", True),
        ("mine.body.armour", False),
        ("mine.body.health", False),
        ("mine.style", False),
        ("theirs.skill", True),
        ("theirs.body.armour", False),
        ("theirs.body.health", False),
        ("theirs.style", False),
        ("sides", False),
    ]
    assert [one.default for one in strike.params[-1:]] == [8], "a usual record gives the usual fields"
    assert [one.name for one in harm.params] == ["points", "armour", "health"]


def test_one_call_however_it_is_written() -> None:
    call = strike(MINE, THEIRS)
    assert call.arguments == (MINE, THEIRS, Table(8))
    fields: dict[str, Any] = {"mine.skill": 3, "mine.style": "wary", "theirs.skill": 2, "theirs.body": Body(1, 12)}
    assert call == strike(**fields) == strike(mine=MINE, theirs=THEIRS, table=Table(8))
    assert call == strike.read({"mine": {"skill": 3, "style": "wary"}, "theirs.skill": "2", "theirs.body.armour": "1",
                                "theirs.body.health": 12, "table.sides": 8})  # fmt: skip
    assert call == strike(3, 0, 10, "wary", 2, 1, 12, "bold", 8), "field by field in order"
    assert repr(call) == "demo.strike(3, 0, 10, wary, 2, 1, 12, bold, 8)"
    assert strike.arguments_json(call)["theirs.body.health"] == 12
    assert pickle.loads(pickle.dumps(THEIRS)) == THEIRS
    assert harm(1, health=5) == harm(1, body=Body(0, 5)) == harm.read({"points": 1, "body": {"health": "5"}})


def test_the_rule_gets_records_whole() -> None:
    result = play(strike(MINE, THEIRS), TypedDice([8, 4, 2])).result
    assert result == 12 - (4 + 2 - 1)
    assert odds(strike(MINE, THEIRS)).mean < odds(strike(MINE, Fighter(9, Body(1, 12)))).mean


def test_arguments_are_replaced_by_record_or_by_field() -> None:
    call = strike(MINE, THEIRS)
    assert call.with_arguments(sides=4) == strike(MINE, THEIRS, Table(4))
    assert call.with_arguments(theirs=MINE) == strike(MINE, MINE, Table(8))
    with pytest.raises(InvalidInputError, match=r'no parameter "side"; .*; did you mean "sides"'):
        call.with_arguments(side=4)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"mine": Fighter(12), "theirs": THEIRS}, "mine.skill is 12; allowed is a whole number from 0 to 9"),
        ({"mine": Fighter(True), "theirs": THEIRS}, "mine.skill is True"),
        ({"mine": MINE}, r"needs theirs.skill \(a whole number from 0 to 9\)"),
        ({"mine": 3, "theirs": THEIRS}, "mine is 3; allowed is an object with skill, body, style"),
        ({"mine": MINE, "mine.skill": 3, "theirs": THEIRS}, "mine.skill was given twice"),
        ({"mine": {"skil": 3}, "theirs": THEIRS}, "no parameter"),
    ],
)
def test_wrong_fields_are_refused_by_their_path(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        strike(**given)


def test_a_hidden_record_hides_its_fields() -> None:
    call = harm(1, Body(2, 7))
    context = call.by("ann", "bob", private={"body": Role.OPPONENT})
    with pytest.raises(HiddenDependencyError, match="armour"):
        call_as_seen_by(call, context, "ann")  # type: ignore[arg-type]
    assert call_as_seen_by(call, context, "ann", usual=True) == harm(1, Body(0, 10))  # type: ignore[arg-type]
    assert call_as_seen_by(call, context, "bob") == call  # type: ignore[arg-type]


def test_none_in_place_of_a_record_is_refused_when_it_is_declared() -> None:
    @mechanic(rules=["demo.duel.nothing"])
    async def nothing(body: Body | None = None) -> int:
        """Harm nothing."""
        return 0

    with pytest.raises(TypeError, match="give the record a usual value"):
        assert nothing.params


@process(rules=["demo.duel.strike"])
async def fight(game: list[Any], armour: int) -> int:
    """Strike, put on armour between the hit and its harm, and go on."""
    step = await strike(MINE, THEIRS).until(harm).by("ann", "bob")
    if not isinstance(step, Call):
        return step
    game.append(step)
    return await step.with_arguments(armour=armour).by("ann", "bob")


def test_a_process_stops_a_rule_at_a_stage() -> None:
    seen: list[Any] = []
    playing = Playthrough(fight(seen, 5))
    playing.answer((8,))
    playing.answer((4,))
    assert seen == [harm(4, Body(1, 12))]
    playing.answer((2,))
    assert playing.result == 12 - (4 + 2 - 5)
    missed = Playthrough(fight([], 5))
    with pytest.raises(InvalidInputError):
        missed.answer((9,))
    first, second = playing.steps
    assert "gives" not in first.explain(), "a rule that was stopped has no result yet"  # type: ignore[union-attr]
    assert "gives 11" in second.explain()  # type: ignore[union-attr]


def test_a_mechanic_stops_no_other() -> None:
    @mechanic(rules=["demo.duel.both"])
    async def both_stages() -> Any:
        """Stop where only a process may."""
        return await strike(MINE, THEIRS).until(harm)

    with pytest.raises(TablewrightError, match="only a process may stop a call"):
        Playthrough(both_stages())
