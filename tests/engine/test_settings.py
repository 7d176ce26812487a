"""Settings declared once and spelled out in the signature of every rule that takes them."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import pytest

from tablewright.engine import Param, d, mechanic, odds, play
from tablewright.engine.settings import flatten_settings
from tablewright.errors import InvalidInputError


class Table(NamedTuple):
    """Settings of a roll."""

    sides: Annotated[int, Param("sides of a die", 2, 20)] = 6
    ties: Annotated[Literal["win", "lose"], Param("what a tie means")] = "win"


PLAIN = Table()


@mechanic(rules=["demo.check.settings"])
@flatten_settings
async def check(target: int, table: Table = PLAIN, plus: int = 0) -> bool:
    """Roll a die and reach the target."""
    shown = await d(table.sides) + plus
    return shown > target or (shown == target and table.ties == "win")


def test_every_setting_is_a_parameter_in_its_place() -> None:
    assert [(one.name, one.about, one.required) for one in check.params] == [
        ("target", "", True),
        ("sides", "sides of a die", False),
        ("ties", "what a tie means", False),
        ("plus", "", False),
    ]
    assert check.documentation == "Roll a die and reach the target."
    assert check.name == "demo.check"
    assert check.schema()["result"] == {"type": "boolean"}


def test_calls_are_flat_however_they_are_made() -> None:
    call = check(4, 8, "lose", 1)
    assert call == check(4, ties="lose", sides=8, plus=1) == check(4, *Table(8, "lose"), plus=1)
    assert call == check.read({"target": "4", "sides": "8", "ties": "lose", "plus": "1"})
    assert call.named_arguments() == {"target": 4, "sides": 8, "ties": "lose", "plus": 1}
    assert check(4) == check(4, 6, "win", 0)


def test_the_rule_gets_them_together() -> None:
    assert str(odds(check(4))[True]) == "1/2"
    assert str(odds(check(4, ties="lose"))[True]) == "1/3"
    assert str(odds(check(4, 8, "lose", 1))[True]) == "5/8"
    assert play(check(4, sides=4, plus=3)).trace.call == check(4, 4, "win", 3)


def test_wrong_settings_are_refused_like_all_arguments() -> None:
    with pytest.raises(InvalidInputError, match="sides is 30"):
        check(4, sides=30)
    with pytest.raises(InvalidInputError, match="ties"):
        check(4, ties="draw")
    with pytest.raises(InvalidInputError):
        check(4, table=PLAIN)


class Stance(NamedTuple):
    """Stance of a fighter."""

    bonus: int = 0
    lucky: bool = False


STEADY = Stance()


@mechanic(rules=["demo.strike.settings"])
@flatten_settings
async def strike(target: int, stance: Stance = STEADY, table: Table = PLAIN, plus: int = 0) -> bool:
    """Roll a die with what one's stance gives."""
    return stance.lucky or await d(table.sides) + stance.bonus + plus >= target


def test_several_groups_stand_beside_each_other() -> None:
    assert [one.name for one in strike.params] == ["target", "bonus", "lucky", "sides", "ties", "plus"]
    assert strike(6, *Stance(2), *Table(10), 1) == strike(6, bonus=2, sides=10, plus=1)
    assert str(odds(strike(6, bonus=2, sides=10, plus=1))[True]) == "4/5"
    assert odds(strike(9, lucky=True))[True] == 1


def test_two_settings_cannot_share_a_name() -> None:
    async def twice(sides: int, table: Table = PLAIN) -> int:
        return sides

    with pytest.raises(TypeError, match="two settings of the name sides"):
        flatten_settings(twice)


def test_a_rule_without_settings_needs_no_spelling_out() -> None:
    async def plain(target: int) -> int:
        return target

    with pytest.raises(TypeError, match="no named tuple"):
        flatten_settings(plain)
