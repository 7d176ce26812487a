"""Seasons: plans, what they need, choices of the player, interruptions, the calendar."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.acts import ann, followed, later, month, refused, refused_by, season, told, week
from systems.marchen.fights import SWORD, ruled
from systems.marchen.people import DAY, DEAD, alone, data, hero, hurt, library, together
from systems.playing import answer as go_on
from systems.playing import asked, status
from tablewright.cli.program import run
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.session.session import Session
from tablewright.game.session.views import project_session
from tablewright.systems.marchen.belongings import conditions_of
from tablewright.systems.marchen.chapters.seasons.catalogue import GROUPS, MONTHLY, OWN_WORDS, SCALES, SEASONAL, WEEKLY
from tablewright.systems.marchen.character.record import Boon, Condition, Holding, Wounds
from tablewright.systems.marchen.content import Skill
from tablewright.systems.marchen.events.recovery import Followed
from tablewright.systems.marchen.values import SKILLS

# ---------------------------------------------------------------------- plans


@pytest.mark.rule("marchen.action.scales")
def test_as_many_actions_as_the_book_has_and_one_for_each_unit() -> None:
    said = data("marchen.action.scales")
    assert len(MONTHLY) + 1 == said["monthly"]["actions"]  # a journey is a process of its own
    assert len(WEEKLY) == said["weekly"]["actions"]
    assert {"base", "sojourn", "social", "recover"} == set(GROUPS.values())
    session = alone()
    month(session, "gather_information", [4, 4])
    assert session.scene.clock.now == 30 * DAY
    week(session, "honoring_the_fallen:Otto")
    assert session.scene.clock.now == 37 * DAY
    assert refused_by(session, "month", plans=["ann=go_riding", "ann=go_hunting"]) == "marchen.action.scales"


@pytest.mark.rule("marchen.season.sojourn", "marchen.season.recover", "marchen.recover.sojourn")
def test_a_season_is_one_activity_of_either_list_and_takes_three_months() -> None:
    session = alone(hero(wounds=hurt(physical=5)))
    session.do("marchen.season")
    assert session.question is not None
    groups = {GROUPS[one.split(":")[0]] for one in session.question.ids if one != "rest"}  # type: ignore[union-attr]
    assert {"base", "sojourn", "social", "recover"} <= groups
    session.choose("recovery")
    assert (session.scene.clock.now, status(session).physical) == (90 * DAY, 0)
    assert status(session).plan == ""


def test_plans_are_secret_until_the_season_is_over() -> None:
    views = []
    for plan in ("recovery", "hearten"):
        session = together(hero("Ann"), hero("Bob"))
        for who in ("ann", "bob"):
            session.do("table.rule", who=who, field="seat", value=who, reason="players")
        session.do("marchen.undertake", who="ann", plan=plan)
        views.append(project_session(session, "bob"))
    assert views[0] == views[1]


@pytest.mark.rule("marchen.interrupted.trigger")
def test_an_interrupted_season_bears_no_fruit_and_says_so() -> None:
    weak = hero(skills={"athletics": 0}, wounds=hurt(physical=12))
    quiet = alone(weak)
    quiet.do("marchen.undertake", who="ann", plan="training:athletics")
    quiet.do("marchen.season", plans=[])
    assert ann(quiet).level("athletics") == 1
    session = together(weak, hero("Bob"))
    session.do("marchen.undertake", who="ann", plan="training:athletics")
    session.do("marchen.season")  # waits for Bob
    session.do("marchen.hurt", who="ann", dice=1)
    go_on(session, [1], [1, 1], [4, 4], "rest")
    assert ann(session).level("athletics") == 0
    assert "ann: Training comes to nothing: the season was interrupted" in followed(session)
    assert "Season 1 is over." in told(session)


@pytest.mark.rule("marchen.sojourn.meet_patron", "marchen.connection.ranks")
@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ("meet_patron", "say which: the Abbess"),
        ("meet_patron:the Abess", 'Ann has no patron the Abess; there are the Abbess; did you mean "the Abbess"?'),
        ("forge_bond:Udo", "Ann has no connection Udo; there are Otto"),
        ("tend_holding:a mill", "Ann has no holding a mill"),
        ("treasury:crown", "Ann has no thing crown; there are sword"),
        ("confer_with_sage:hobby/chess", "chess is a trait of Ann already"),
        ("repair", "Ann has nothing to repair"),
        ("repair:sword", "Ann has nothing to repair: sword"),
        ("write_song:The Toll", "the company has a song The Toll already"),
    ],
)
def test_a_plan_is_refused_with_what_there_is(plan: str, reason: str) -> None:
    fields: dict[str, Any] = {
        "patrons": ("the Abbess",),
        "connections": {"Otto": 1},
        "traits": ("chess",),
        "belongings": SWORD,
    }
    session = together(hero(**fields), hero("Bob", songs=("The Toll",)))
    with pytest.raises(IllegalActionError) as error:
        session.do("marchen.undertake", who="ann", plan=plan)
    title = SCALES["season"].by_id[plan.partition(":")[0]].title
    assert error.value.message == f"{title}: {reason}"


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


@pytest.mark.rule("marchen.connection.compel", "marchen.connection.test", "marchen.season.epilogue")
def test_impossible_plans_are_refused_before_the_season() -> None:
    known = hero(connections={"Max": 1}, heir="Rosa")
    with pytest.raises(InvalidInputError, match="recovery"):
        alone(known).do("marchen.season", plans=["ann=recover"])
    assert refused(alone(known), "compel_connection:Max/arcana") == "marchen.connection.compel"
    assert refused(alone(known), "test_connection:Max/nonsense") == "marchen.connection.test"
    assert refused(alone(known), "epilogue:emperor") == refused(alone(known), "epilogue") == "marchen.season.epilogue"
    assert refused(alone(known), "secure_advantage:nonsense", "week") == "marchen.week.secure_advantage"
    assert ann(season(alone(known), "test_connection:Max/Sword", [1, 2])).connections["Max"] == -3
    assert ann(season(alone(known), "epilogue:sage")).retired == "sage"


def test_every_activity_can_be_offered_and_has_a_rule() -> None:
    session = alone(hero(patrons=("the Count",), connections={"Otto": 1}, holdings=(Holding(name="mill"),)))
    for scale, activities in {"season": SEASONAL, "month": MONTHLY, "week": WEEKLY}.items():
        offered = {one.id.split(":")[0] for one in SCALES[scale].options(session.scene, "ann")}
        assert offered <= {one.id for one in activities}
        assert len(offered) >= len(activities) - 6


# ---------------------------------------------------------------------- choices of the player


def season_begun(character: Any) -> Session:
    """A season in which Ann is asked what she does."""
    session = alone(character)
    session.do("marchen.season")
    return session


@pytest.mark.rule("marchen.season.training", "marchen.specialization.study")
def test_everything_can_be_trained() -> None:
    known = [("melee_combat", "Spear", 3), ("melee_combat", "Whip", 4)]
    session = season_begun(hero(skills={"melee_combat": 1, "athletics": 0}, specials=known))
    offered = [one.removeprefix("training::") for one in asked(session) if one.startswith("training")]
    assert offered == [
        *[skill for skill in SKILLS if skill != "melee_combat"],
        "melee_combat/Spear",
        "melee_combat/another",
    ]
    session.choose("training::style")
    assert (ann(session).level("style"), ann(session).level("athletics")) == (0, 0)
    known_one = season_begun(hero(skills={"melee_combat": 1}, specials=known))
    known_one.choose("training::melee_combat/Spear")
    assert ann(known_one).level("melee_combat") == 3


@pytest.mark.rule("marchen.season.training", "marchen.skill.specialization_scope")
@pytest.mark.parametrize("name", ["Halberd", "Billhook of old"])
def test_a_new_specialization_is_named_in_your_own_words(name: str) -> None:
    session = season_begun(hero(skills={"melee_combat": 1}, specials=[("melee_combat", "Spear", 3)]))
    session.choose("training::melee_combat/another")
    names = library().get(Skill, "melee_combat").named
    assert asked(session) == tuple([one for one in names if one != "Spear"])
    session.choose(name)
    assert [(one.name, one.level) for one in ann(session).specializations] == [("Spear", 3), (name, 1)]


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
    session = season_begun(hero())
    session.choose(activity)
    assert asked(session) == (activity.partition("::")[2],)
    session.choose("Otto")
    assert getattr(ann(session), field) == kept
    assert {one for one in OWN_WORDS if one not in SCALES["season"].by_id} == set()


@pytest.mark.rule("marchen.sojourn.gain_virtue")
def test_a_name_that_cannot_be_is_asked_for_again() -> None:
    session = season_begun(hero(virtues=("courage",)))
    session.choose("gain_virtue::hospitality")
    session.choose("courage")
    assert "ann: courage: courage is a virtue of Ann already" in followed(session)
    (line,) = [one for one in session.log if isinstance(one, Followed)]
    assert line.to == session.scene["ann"].seat
    session.choose("x" * 61)
    assert ann(session).virtues == ("courage", "x" * 60)


@pytest.mark.rule("marchen.sojourn.research_lore", "marchen.sojourn.drum_up_support", "marchen.season.sojourn")
def test_research_and_support_are_named() -> None:
    session = season_begun(hero(social=1, treasure=9))
    for step in ("drum_up_support::one issue", "the bridge"):
        session.choose(step)
    assert [(one.issue, one.value, one.phases) for one in ann(session).raises] == [("the bridge", 1, 1)]
    assert ann(session).treasure == 5  # a sixth of 24
    lore = season_begun(hero(skills={"social_sciences": 0}))
    for answer in ("research_lore::this place", "old kings"):
        lore.choose(answer)
    lore.type_in([4, 4])
    assert "ann: 1 fact about old kings" in followed(lore)
    assert told(lore).endswith("Season 1 is over. Ann chose Research Lore (old kings).")


@pytest.mark.rule("marchen.connection.compel")
def test_connections_are_compelled_in_one_of_three_ways() -> None:
    session = season_begun(hero(connections={"Bob": 1}, skills={"deception": 2}))
    ways = [one for one in asked(session) if one.startswith("compel_connection")]
    assert ways == [f"compel_connection::Bob/{skill}" for skill in ("persuasion", "deception", "intimidation")]
    session.choose("compel_connection::Bob/deception")
    session.type_in([2, 3])  # 5 + 2 + 1
    assert ann(session).connections == {"Bob": 1}


WOUNDED, SHAKEN = Condition(name="Wounded", aspect="physical"), Condition(name="Shaken", aspect="mental")
SHAMED, DISGRACED = Condition(name="Shamed", aspect="social"), Condition(name="Disgraced", aspect="social")


@pytest.mark.rule("marchen.recover.recovery", "marchen.recover.hearten")
@pytest.mark.parametrize(
    ("plan", "held", "answers", "left"),
    [
        ("recovery", (WOUNDED, SHAKEN, SHAMED), ["Shaken"], ["Wounded", "Shamed"]),
        ("recovery", (WOUNDED, SHAKEN), ["Wounded"], ["Shaken"]),
        ("hearten", (SHAMED, DISGRACED, WOUNDED), ["Disgraced"], ["Shamed", "Wounded"]),
        ("recovery", (WOUNDED, WOUNDED), [], ["Wounded"]),  # equal ones: no one is asked
        ("recovery", (), [], []),
    ],
)
def test_which_condition_goes_is_your_own_to_say(plan: str, held: Any, answers: list[str], left: list[str]) -> None:
    session = season(alone(hero(wounds=Wounds(conditions=held))), plan, answers=answers)
    assert [one.name for one in status(session).conditions] == left


@pytest.mark.rule("marchen.recover.repair")
def test_the_rest_of_a_repair_goes_to_other_items() -> None:
    worn = {"sword": ("hand", 3), "mail": ("worn", 2), "lute": ("pack", 3)}
    for items, plan, faces, answers, left in (
        (("sword", "mail", "lute"), "repair:sword", [6, 6], ["mail"], [None, None, None]),  # 14: four levels
        (("sword", "mail", "lute"), "repair:sword", [3, 3], [], [None, 2, 3]),
        (("sword", "mail", "lute"), "repair:mail", [6, 3], [], [3, None, 3]),  # 11: two levels
        (("sword",), "repair:sword", [6, 6], [], [None]),
    ):
        able = hero(belongings=tuple([ItemStack(item, 1, *worn[item]) for item in items]), intellect=2)
        session = season(alone(able), plan, faces, answers)
        found = {one.item: one.left for one in status(session).belongings}
        assert found == dict(zip(items, left, strict=True))
    assert [conditions_of((ItemStack("mail", 1, "worn", 2),), item) for item in ("mail", "rope")] == [2, 0]


@pytest.mark.rule("marchen.sojourn.write_song")
def test_a_song_is_named_in_own_words_at_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    song = "what do you do this season?=write_song::a new song"
    words = ["do", "marchen.season", "marchen:soldier", "--choose", song]
    assert run([*words, "--choose", "what is the song called?=The Long Ford"]) == 0
    assert "Write a Song (The Long Ford)" in capsys.readouterr().out


# ---------------------------------------------------------------------- the calendar


@pytest.mark.rule("marchen.time.frames", "marchen.gap.face.outcomes")
def test_four_seasons_are_a_year_in_however_many_scenes_but_not_for_the_dead() -> None:
    session = ruled(together(hero(age=30, boons=(Boon(name="old"),)), hero("Bob", age=30)), "bob", **DEAD)
    for number in range(1, 9):
        session = later(session)
        season(session, "rest")
        assert ann(session).age == 30 + number // 4
    assert (ann(session).boons, session.scene["bob"].character.age) == ((), 30)


@pytest.mark.rule("marchen.sojourn.raise_standard_of_living", "marchen.time.frames")
@pytest.mark.parametrize(
    "steps", [["360 days"], ["1 month"] * 12, ["100 days"] * 3 + ["60 days"], ["89 days", "1 day", "270 days"]]
)
def test_people_age_and_raises_end_with_the_calendar_in_however_many_scenes(steps: list[str]) -> None:
    session = season(alone(hero(treasure=10)), "standard_of_living:1")
    age, passed = ann(session).age, 0
    for step in steps:
        seasons = 1 + passed // 90
        assert (ann(session).seasons, len(ann(session).raises)) == (seasons % 4, 1 if seasons == 1 else 0)
        session.do("table.pass_time", amount=step)
        passed += 30 if "month" in step else int(step.split()[0])
        session = later(session)
    assert (ann(session).age, ann(session).seasons, ann(session).raises) == (age + 1, 1, ())
