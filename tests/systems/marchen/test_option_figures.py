"""Figures beside the rule options: the odds of the check that is named, which is the check that a character makes."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from golden.runner import run_here
from systems.marchen.people import SYSTEM, options, plan, somebody
from tablewright.game.system.option_impact import OptionImpact, typical_odds
from tablewright.systems.marchen.character.record import MarchenCharacter
from tablewright.systems.marchen.options import MarchenOptions

BRAVE = somebody(
    physical=2, agility=1, muscle=1, skills={"athletics": 1}, specials=[("athletics", "Climbing", 1)], social=0
)


def impacts(name: str) -> dict[object, OptionImpact]:
    """The values of an option with their figures."""
    return {one.value: one for one in typical_odds(SYSTEM, SYSTEM.options.field(name))}


def words(line: str) -> dict[str, str]:
    """The arguments of a check as typed."""
    return dict([word.split("=") for word in line.split()[1:]])


def success(modifier: int) -> Fraction:
    """The chance of 8 or more with 2d6 and a modifier, face by face."""
    faces = list(product(range(1, 7), repeat=2))
    return Fraction(sum([sum(pair) + modifier >= 8 for pair in faces]), len(faces))


BY_LINE = ("law_level_mode", "characteristic_check_adds_aspect", "check_stack", "circumstance_stack", "repair_check")


@pytest.mark.rule("marchen.option.index")
@pytest.mark.parametrize("name", [*BY_LINE, "sparring_difficulty"])
def test_figures_are_those_of_the_checks_beside_them(name: str) -> None:
    status, out, err = run_here(["rules", "marchen", "--options"], "")
    assert status == 0, err
    told = " ".join(out.split())
    level = {"average": 0, "difficult": -2, "very_difficult": -4}
    for one in impacts(name).values():
        given = words(one.line)
        total = int(given["modifier"]) + int(given.get("dm", 0)) + level[given.get("difficulty", "average")]
        assert one.expected == success(total)
        shown = f"{float(success(total) * 100):.2f}".removesuffix(".00") if success(total) else "0"
        assert f"{shown}% with" in told


def modifier(name: str, value: object) -> int:
    """The modifier of the check that the figures of an option's value are for."""
    return int(words(impacts(name)[value].line)["modifier"])


def added(character: MarchenCharacter, what: str, using: MarchenOptions, **situation: object) -> int:
    """The modifier of a character's check."""
    return plan(character, what, using, **situation).tallies["modifier"].total


@pytest.mark.rule("marchen.check.characteristic", "marchen.check.skill", "marchen.modifier.circumstance")
def test_the_checks_are_those_of_one_character_under_each_value() -> None:
    for adds in (False, True):
        using = options(characteristic_check_adds_aspect=adds)
        assert added(BRAVE, "agility", using) == modifier("characteristic_check_adds_aspect", adds)
    strong = somebody(physical=1, muscle=1, skills={"athletics": 1}, specials=[("athletics", "Climbing", 1)])
    for stack in ("all", "best"):
        found = added(strong, "athletics", options(check_stack=stack), specialization="Climbing")
        assert found == modifier("check_stack", stack)
    for every in (False, True):
        found = added(somebody(), "agility", options(circumstance_stack=every), helps=3)
        assert found == modifier("circumstance_stack", every)


@pytest.mark.rule("marchen.modifier.law_level", "marchen.modifier.law_level_mode")
@pytest.mark.parametrize("mode", ["add", "base"])
def test_the_law_of_the_land_adds_to_the_difficulty_or_is_it(mode: str) -> None:
    given = words(impacts("law_level_mode")[mode].line)
    ready = plan(somebody(agility=3), "agility", options(law_level_mode=mode), law=5, difficulty="difficult")
    found = ready.call.named_arguments()
    assert (found["difficulty"], found["modifier"], found["dm"]) == (
        given["difficulty"],
        int(given["modifier"]),
        int(given.get("dm", 0)),
    )
