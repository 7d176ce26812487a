"""Requirements of activities: the ways that the rules name, places, and how often."""

from __future__ import annotations

import pytest

from systems.marchen.people import ann, done
from systems.marchen.test_seasons import alone, hero, month, refused, season
from tablewright.engine import Choice
from tablewright.systems.marchen.character.record import Holding


@pytest.mark.rule("marchen.month.field_of_heroes", "marchen.month.sparring", "marchen.recover.heal_corruption")
@pytest.mark.parametrize(
    ("scale", "rule", "activity", "good", "bad"),
    [
        ("month", "marchen.month.field_of_heroes", "field_of_heroes", "bows", "Arcana"),
        ("month", "marchen.month.field_of_heroes", "field_of_heroes", "", "Sword"),
        ("month", "marchen.month.sparring", "sparring", "spear", "Axe"),
        ("month", "marchen.month.sparring", "sparring", "", "Persuasion"),
        ("season", "marchen.recover.heal_corruption", "heal_corruption", "Craft", "arcana"),
        ("season", "marchen.recover.heal_corruption", "heal_corruption", "", "social"),
    ],
)
def test_rolled_dice_are_those_the_rule_names(scale: str, rule: str, activity: str, good: str, bad: str) -> None:
    assert refused(alone(), f"{activity}:{bad}", scale) == rule
    played = {"month": month, "season": season}[scale]
    played(alone(), f"{activity}:{good}", [6, 6])


@pytest.mark.rule("marchen.recover.heal_corruption", "marchen.skill.aliases")
def test_corruption_is_healed_by_craft_or_song() -> None:
    for art, skill in (("Craft", "engineering"), ("Song", "performance"), ("", "performance")):
        skilled = hero(skills={skill: 0}, wounds={"damage": {"spiritual": 9}})
        assert season(alone(skilled), f"heal_corruption:{art}", [4, 4]).scene["ann"].status.spiritual == 7
        other = hero(skills={"arcana": 4}, wounds={"damage": {"spiritual": 9}})
        assert season(alone(other), f"heal_corruption:{art}", [4, 4]).scene["ann"].status.spiritual == 9


@pytest.mark.rule("marchen.connection.compel", "marchen.connection.test", "marchen.season.epilogue")
def test_impossible_plans_are_refused_before_the_season() -> None:
    known = hero(connections={"Max": 1}, heir="Rosa")
    assert refused(alone(known), "compel_connection:Max/arcana") == "marchen.connection.compel"
    assert refused(alone(known), "test_connection:Max/nonsense") == "marchen.connection.test"
    assert refused(alone(known), "epilogue:emperor") == refused(alone(known), "epilogue") == "marchen.season.epilogue"
    assert refused(alone(known), "secure_advantage:nonsense", "week") == "marchen.week.secure_advantage"
    assert ann(season(alone(known), "test_connection:Max/Sword", [1, 2])).connections["Max"] == -3
    assert ann(season(alone(known), "epilogue:sage")).retired == "sage"


@pytest.mark.rule("marchen.sojourn.receive_title")
def test_a_title_is_received_once_and_not_at_home() -> None:
    session = season(alone(), "receive_title:the Tsar")
    assert ann(session).titles == ("the Tsar",)
    for plan in ("receive_title:the Tsar", "receive_title:Rhineland", "receive_title"):
        assert refused(session, plan) == "marchen.sojourn.receive_title"
    done(session, "arrive", place="Köln")  # no one else's land
    assert refused(session, "receive_title:the Doge") == "marchen.sojourn.receive_title"
    done(session, "arrive", place="Venice", culture="Venice")
    assert ann(season(session, "receive_title")).titles == ("the Tsar", "Venice")


@pytest.mark.rule("marchen.sojourn.confer_with_sage")
def test_a_character_who_confers_says_which_lore_it_is() -> None:
    scholar = hero(skills={"social_sciences": 1}, specials=[("social_sciences", "History", 2)], experience=50)
    session = alone(scholar)
    session.do("marchen.season")
    assert isinstance(session.question, Choice)
    session.choose("confer_with_sage::Lore/History")
    assert [(one.name, one.level) for one in ann(session).specializations] == [("History", 3)]
    assert ann(session).available == 44  # 12 for level 3, of which a half
    other = season(alone(scholar), "confer_with_sage:Lore/Law")
    assert [(one.name, one.level) for one in ann(other).specializations] == [("History", 2), ("Law", 1)]


@pytest.mark.rule("marchen.sojourn.tend_holding", "marchen.option.mythic_levels")
def test_a_holding_teaches_its_specialty_however_it_is_written_and_as_far_as_there_are_levels() -> None:
    mill = Holding(name="The mill", culture="Rhineland", specialty="farming")
    for level, mythic, learned in ((1, False, 2), (4, False, 4), (4, True, 5)):
        farmer = hero(
            skills={"life_sciences": 1 if level < 4 else 2},
            specials=[("life_sciences", "Farming", level)],
            holdings=(mill,),
        )
        session = season(alone(farmer, mythic_levels=mythic), "tend_holding:The mill", [4, 4, 4, 4])
        assert ann(session).specializations[0].level == learned
