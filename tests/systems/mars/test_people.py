"""The people of the starter pack: figures, languages and gear that follow from what is written of them."""

from __future__ import annotations

import pytest

from each_case import each_case
from systems.mars.fights import duel, fighter, offered
from systems.mars.people import library, person
from tablewright.errors import InvalidInputError
from tablewright.systems.mars.character.figures import damage_reduction, language, maximum, secondary
from tablewright.systems.mars.now import now


@pytest.mark.rule("mars.gap.armour.list")
@pytest.mark.parametrize("name", ["guard", "fighter"])
def test_shields_are_whole_at_first(name: str) -> None:
    assert {thing.item: thing.left for thing in person(name).belongings if thing.left is not None} == {
        "small_shield": 10
    }


@pytest.mark.rule("mars.gap.creature.printed")
@pytest.mark.parametrize(
    ("name", "size", "endurance", "deflection", "evasion", "reduction"),
    [
        ("bandit_captain", "medium", 13 + 10, "r12+4", "r12+4", 3),  # four steps of toughness; leather and half helm
        ("orc_raider", "medium", 13 + 10, "r12+3", "r12+2", 2),  # an orc's RES is one better
    ],
)
def test_creatures_without_printed_figures_have_those_of_their_gear(
    name: str, size: str, endurance: int, deflection: str, evasion: str, reduction: int
) -> None:
    one = person(name)
    assert one.size == size
    assert maximum(one, "endurance", library()).total == endurance
    assert str(secondary(one, "DEF", library()).value) == deflection
    assert str(secondary(one, "EVA", library()).value) == evasion
    assert damage_reduction(one, library()).total == reduction


SPEAKING = {
    "bandit": ["common"],
    "guard": ["common"],
    "goblin": ["common"],
    "wolf": [],
    "bandit_captain": ["common"],
    "orc_raider": ["common", "orc"],
    "fighter": ["common", "dwarven"],
    "berserker": ["common", "orc"],
    "ranger": ["common", "elven"],
    "rogue": ["common", "elven"],
    "assassin": ["common", "orc"],
    "magister": ["common", "dwarven"],
}


@pytest.mark.rule("mars.skill.languages", "mars.gap.creature.list")
@each_case(("name", "spoken"), SPEAKING.items())
def test_everybody_speaks_their_own_languages_without_a_roll(name: str, spoken: list[str]) -> None:
    speaker = person(name)
    for one in ("common", "dwarven", "elven", "orc"):
        if one in spoken:
            assert language(speaker, one, library()) is None
        else:
            with pytest.raises(InvalidInputError, match="does not know the language"):
                language(speaker, one, library())


@pytest.mark.rule("mars.gap.creature.list", "mars.gap.creature.printed")
def test_abilities_of_a_wolf_for_one_purpose() -> None:
    wolf = person("wolf")
    session = duel(wolf, fighter())
    me = now(session.scene, "ann")
    assert str(me.skill("agility", ("silent_movement",)).value) == "r18+1"
    assert str(me.skill("agility", ("hiding",)).value) == "r18+1"
    assert str(me.skill("agility").value) == "r12+1"  # it is not for falls, nor against being tripped
    assert [one for one in offered(session) if "crippling" in one] == ["maneuver:bob:crippling_strike/wolf_bite"]
