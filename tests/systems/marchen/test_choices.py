"""Choices of the player in a season: names, skills, ways, conditions, repairs."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.people import ann, done, followed, library, together
from systems.marchen.test_seasons import alone, hero, hurt, refused, season
from tablewright.cli.program import run
from tablewright.engine import Choice
from tablewright.game.character.belongings import ItemStack
from tablewright.game.session.session import Session
from tablewright.systems.marchen.belongings import conditions_of
from tablewright.systems.marchen.chapters.seasons.catalogue import OWN_WORDS, SCALES
from tablewright.systems.marchen.character.record import Condition, Wounds
from tablewright.systems.marchen.content import Skill
from tablewright.systems.marchen.events.recovery import Followed
from tablewright.systems.marchen.values import SKILLS, SkillId


def asked(session: Session) -> list[str]:
    """Ids of the options that are open."""
    assert isinstance(session.question, Choice)
    return list(session.question.ids)


def begun(character: Any) -> Session:
    """A season in which Ann is asked what she does."""
    session = alone(character)
    session.do("marchen.season")
    return session


# ---------------------------------------------------------------------- training


@pytest.mark.rule("marchen.season.training", "marchen.specialization.study")
def test_everything_can_be_trained() -> None:
    known = [("melee_combat", "Spear", 3), ("melee_combat", "Whip", 4)]
    session = begun(hero(skills={"melee_combat": 1, "athletics": 0}, specials=known))
    offered = [one.removeprefix("training::") for one in asked(session) if one.startswith("training")]
    assert offered == [
        *[skill for skill in SKILLS if skill != "melee_combat"],
        "melee_combat/Spear",
        "melee_combat/another",
    ]
    session.choose("training::style")
    assert (ann(session).level("style"), ann(session).level("athletics")) == (0, 0)
    known_one = begun(hero(skills={"melee_combat": 1}, specials=known))
    known_one.choose("training::melee_combat/Spear")
    assert ann(known_one).level("melee_combat") == 3


@pytest.mark.rule("marchen.season.training", "marchen.skill.specialization_scope")
@pytest.mark.parametrize("name", ["Halberd", "Billhook of old"])
def test_a_new_specialization_is_named_in_your_own_words(name: str) -> None:
    session = begun(hero(skills={"melee_combat": 1}, specials=[("melee_combat", "Spear", 3)]))
    session.choose("training::melee_combat/another")
    names = library().get(Skill, "melee_combat").named
    assert asked(session) == [one for one in names if one != "Spear"]
    session.choose(name)
    assert [(one.name, one.level) for one in ann(session).specializations] == [("Spear", 3), (name, 1)]


# ---------------------------------------------------------------------- names


@pytest.mark.rule("marchen.season.name_an_heir", "marchen.season.court_a_spouse", "marchen.sojourn.write_song")
@pytest.mark.parametrize(
    ("activity", "field", "kept"),
    [
        ("name_an_heir::a young relative", "heir", "Otto"),
        ("court_a_spouse::a sweetheart", "spouse", "Otto"),
        ("write_song::a new song", "songs", ("Otto",)),
        ("gain_virtue::hospitality", "virtues", ("Otto",)),
        ("gain_cultural_virtue::steadfastness", "virtues", ("Otto",)),
        ("gain_trait::well travelled", "traits", ("Otto",)),
        ("make_connection::a new acquaintance", "connections", {"Otto": 1}),
    ],
)
def test_people_and_works_have_names_of_your_own(activity: str, field: str, kept: Any) -> None:
    session = begun(hero())
    session.choose(activity)
    assert asked(session) == [activity.partition("::")[2]]
    session.choose("Otto")
    assert getattr(ann(session), field) == kept
    assert {one for one in OWN_WORDS if one not in SCALES["season"].by_id} == set()


@pytest.mark.rule("marchen.sojourn.gain_virtue")
def test_a_name_that_cannot_be_is_asked_for_again() -> None:
    session = begun(hero(virtues=("courage",)))
    session.choose("gain_virtue::hospitality")
    session.choose("courage")
    assert "ann: courage: courage is a virtue of Ann already" in followed(session)
    (line,) = [one for one in session.log if isinstance(one, Followed)]
    assert line.to == session.scene["ann"].seat
    session.choose("x" * 61)
    assert ann(session).virtues == ("courage", "x" * 60)


@pytest.mark.rule("marchen.sojourn.research_lore", "marchen.sojourn.drum_up_support")
def test_research_and_support_are_named() -> None:
    session = begun(hero(treasure=9))
    for step in ("drum_up_support::one issue", "the bridge"):
        session.choose(step)
    assert [one.issue for one in ann(session).raises] == ["the bridge"]
    lore = begun(hero(skills={"social_sciences": 0}))
    for answer in ("research_lore::this place", "old kings"):
        lore.choose(answer)
    lore.type_in([4, 4])
    assert "ann: 1 fact about old kings" in followed(lore)


@pytest.mark.rule("marchen.connection.compel")
def test_connections_are_compelled_in_one_of_three_ways() -> None:
    session = begun(hero(connections={"Bob": 1}, skills={"deception": 2}))
    ways = [one for one in asked(session) if one.startswith("compel_connection")]
    assert ways == [f"compel_connection::Bob/{skill}" for skill in ("persuasion", "deception", "intimidation")]
    session.choose("compel_connection::Bob/deception")
    session.type_in([2, 3])  # 5 + 2 + 1
    assert ann(session).connections == {"Bob": 1}


# ---------------------------------------------------------------------- what is closed


@pytest.mark.rule("marchen.sojourn.raise_standing", "marchen.aspect.current_and_maximum")
def test_the_highest_standing_cannot_be_raised() -> None:
    rule = "marchen.aspect.current_and_maximum"
    assert refused(alone(hero(social=4, treasure=99)), "raise_standing") == rule
    session = season(alone(hero(social=3, treasure=99)), "raise_standing")
    assert ann(session).treasure == 51
    session = together(hero(social=3, treasure=99), hero("Bob", wounds=hurt(physical=3)))
    session.do("marchen.undertake", who="ann", plan="raise_standing")
    done(session, "season", plans=["bob=recovery"])
    assert session.scene["bob"].status.physical == 0


@pytest.mark.rule("marchen.sojourn.confer_with_sage", "marchen.specialization.cap")
def test_a_sage_teaches_nothing_that_is_mastered() -> None:
    skill: SkillId = "physical_sciences_survival"
    master = hero(skills={skill: 2}, specials=[(skill, "Navigation", 4)], experience=99)
    assert refused(alone(master), "confer_with_sage:Travel") == "marchen.specialization.cap"
    able = hero(skills={skill: 1}, specials=[(skill, "Navigation", 3)], experience=8)
    session = season(alone(able), "confer_with_sage:Travel")
    assert (ann(session).level(skill), ann(session).available) == (2, 0)
    poor = hero(skills={skill: 1}, specials=[(skill, "Navigation", 3)], experience=7)
    assert refused(alone(poor), "confer_with_sage:Travel") == "marchen.sojourn.confer_with_sage"


# ---------------------------------------------------------------------- conditions and repair

WOUNDED, SHAKEN = Condition(name="Wounded", aspect="physical"), Condition(name="Shaken", aspect="mental")
SHAMED, DISGRACED = Condition(name="Shamed", aspect="social"), Condition(name="Disgraced", aspect="social")


@pytest.mark.rule("marchen.recover.recovery", "marchen.recover.hearten")
@pytest.mark.parametrize(
    ("plan", "held", "goes", "left"),
    [
        ("recovery", (WOUNDED, SHAKEN, SHAMED), "Shaken", ["Wounded", "Shamed"]),
        ("recovery", (WOUNDED, SHAKEN), "Wounded", ["Shaken"]),
        ("hearten", (SHAMED, DISGRACED, WOUNDED), "Disgraced", ["Shamed", "Wounded"]),
    ],
)
def test_which_condition_goes_is_your_own_to_say(plan: str, held: Any, goes: str, left: list[str]) -> None:
    session = season(alone(hero(wounds=Wounds(conditions=held))), plan, answers=[goes])
    assert [one.name for one in session.scene["ann"].status.conditions] == left


@pytest.mark.rule("marchen.recover.recovery")
def test_of_equal_conditions_one_goes_without_a_question() -> None:
    session = season(alone(hero(wounds=Wounds(conditions=(WOUNDED, WOUNDED)))), "recovery")
    assert [one.name for one in session.scene["ann"].status.conditions] == ["Wounded"]
    assert season(alone(), "recovery").scene["ann"].status.conditions == ()


@pytest.mark.rule("marchen.recover.repair")
def test_the_rest_of_a_repair_goes_to_other_items() -> None:
    worn = (ItemStack("sword", 1, "hand", 3), ItemStack("mail", 1, "worn", 2), ItemStack("lute", 1, "pack", 3))
    able = hero(belongings=worn, intellect=2)
    session = season(alone(able), "repair:sword", [6, 6], ["mail"])  # 14: four levels
    left = {one.item: one.left for one in session.scene["ann"].status.belongings}
    assert left == {"sword": None, "mail": None, "lute": None}
    once = season(alone(able), "repair:sword", [3, 3])
    assert {one.item: one.left for one in once.scene["ann"].status.belongings} == {"sword": None, "mail": 2, "lute": 3}
    twice = season(alone(able), "repair:mail", [6, 3], [])  # 11: two levels
    assert {one.item: one.left for one in twice.scene["ann"].status.belongings} == {"sword": 3, "mail": None, "lute": 3}
    alone_worn = hero(belongings=(ItemStack("sword", 1, "hand", 3),), intellect=2)
    whole = season(alone(alone_worn), "repair:sword", [6, 6])
    assert conditions_of(whole.scene["ann"].status.belongings, "sword") == 0
    assert conditions_of(worn, "mail") == 2
    assert conditions_of(worn, "rope") == 0


@pytest.mark.rule("marchen.sojourn.write_song")
def test_a_song_is_named_in_own_words_at_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    song = "what do you do this season?=write_song::a new song"
    words = ["do", "marchen.season", "marchen:soldier", "--choose", song]
    assert run([*words, "--choose", "what is the song called?=The Long Ford"]) == 0
    assert "Write a Song (The Long Ford)" in capsys.readouterr().out
