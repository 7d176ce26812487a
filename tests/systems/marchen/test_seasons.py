"""Seasons, months and weeks: plans, what they need, and what they give."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.people import ann, book, data, done, followed, somebody, together, told
from systems.playing import examples
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.session.session import Session
from tablewright.game.session.views import project_session
from tablewright.systems.marchen.chapters.seasons.catalogue import GROUPS, MONTHLY, SCALES, SEASONAL, WEEKLY
from tablewright.systems.marchen.character.record import (
    Boon,
    Condition,
    Holding,
    MarchenCharacter,
    Specialization,
    Wounds,
)
from tablewright.systems.marchen.now import arms_of
from tablewright.systems.marchen.status import sanctuaries

DAY = 24 * 3600 * 8


def hero(name: str = "Ann", **fields: Any) -> MarchenCharacter:
    """A character with nothing that adds anything, trained in nothing unless said."""
    return somebody(name, **({"kind": "character", "culture": "Rhineland"} | fields))


def alone(session_of: MarchenCharacter | None = None, **options: Any) -> Session:
    """A session with one character."""
    return together(session_of or hero(), **options)


def season(session: Session, plan: str, faces: Any = (), answers: Any = ()) -> Session:
    """A season in which Ann does something."""
    done(session, "season", faces, answers, plans=[f"ann={plan}"])
    return session


def month(session: Session, plan: str, faces: Any = (), answers: Any = ()) -> Session:
    """A month in which Ann does something."""
    done(session, "month", faces, answers, plans=[f"ann={plan}"])
    return session


def week(session: Session, plan: str, faces: Any = (), answers: Any = ()) -> Session:
    """A week in which Ann does something."""
    done(session, "week", faces, answers, plans=[f"ann={plan}"])
    return session


def hurt(**damage: int) -> Wounds:
    """Wounds with so much damage."""
    return Wounds.model_validate({"damage": damage})


def refused(session: Session, plan: str, scale: str = "season") -> str | None:
    """The rule by which a plan is refused; nothing changes."""
    before = session.scene
    with pytest.raises(IllegalActionError) as no:
        session.do(f"marchen.{scale}", plans=[f"ann={plan}"])
    assert session.scene == before
    return no.value.rule


# ---------------------------------------------------------------------- the frame


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
    with pytest.raises(IllegalActionError) as twice:
        session.do("marchen.month", plans=["ann=go_riding", "ann=go_hunting"])
    assert twice.value.rule == "marchen.action.scales"


@pytest.mark.rule("marchen.season.sojourn", "marchen.season.recover", "marchen.recover.sojourn")
def test_a_season_is_one_activity_of_either_list_and_takes_three_months() -> None:
    session = alone(hero(wounds=hurt(physical=5)))
    session.do("marchen.season")
    assert session.question is not None
    groups = {GROUPS[one.split(":")[0]] for one in session.question.ids if one != "rest"}  # type: ignore[union-attr]
    assert {"base", "sojourn", "social", "recover"} <= groups
    session.choose("recovery")
    assert (session.scene.clock.now, session.scene["ann"].status.physical) == (90 * DAY, 0)
    assert session.scene["ann"].status.plan == ""


def test_plans_are_secret_until_the_season_is_over() -> None:
    views = []
    for plan in ("recovery", "hearten"):
        session = together(hero("Ann"), hero("Bob"))
        for who in ("ann", "bob"):
            session.do("table.rule", who=who, field="seat", value=who, reason="players")
        session.do("marchen.undertake", who="ann", plan=plan)
        views.append(project_session(session, "bob"))
    assert views[0] == views[1]


def test_an_interrupted_season_bears_no_fruit() -> None:
    session = alone(hero(skills={"athletics": 0}, wounds=hurt(physical=12)))
    session.do("marchen.undertake", who="ann", plan="training:athletics")
    session.do("marchen.season", plans=[])
    assert ann(session).level("athletics") == 1
    session = together(hero(skills={"athletics": 0}, wounds=hurt(physical=12)), hero("Bob"))
    session.do("marchen.undertake", who="ann", plan="training:athletics")
    session.do("marchen.season")  # waits for Bob
    done_faces = [1, 1, 1, 4, 4]
    session.do("marchen.hurt", who="ann", dice=1)
    for faces in ([done_faces[0]], done_faces[1:3], done_faces[3:]):
        session.type_in(faces)
    session.choose("rest")
    assert ann(session).level("athletics") == 0
    assert "Season 1 is over." in told(session)


def test_a_year_older_after_four_seasons_and_helps_of_old_are_gone() -> None:
    session = alone(hero(age=30, boons=(Boon(name="old"),)))
    for _ in range(4):
        season(session, "rest")
    assert (ann(session).age, ann(session).boons) == (31, ())


def test_unknown_activities_are_refused_by_name() -> None:
    with pytest.raises(InvalidInputError, match="recovery"):
        alone().do("marchen.season", plans=["ann=recover"])


# ---------------------------------------------------------------------- base and sojourn


@pytest.mark.rule("marchen.season.training")
def test_training_raises_a_level_where_there_is_a_trainer() -> None:
    session = season(alone(hero(skills={"stealth": 0})), "training:stealth")
    assert ann(session).level("stealth") == 1
    nobody = alone(hero(skills={"stealth": 0}))
    nobody.do("marchen.arrive", place="the wild")
    assert refused(nobody, "training:stealth") == "marchen.season.training"


@pytest.mark.rule("marchen.season.name_an_heir", "marchen.season.epilogue")
def test_an_heir_once_and_an_epilogue_only_after_it() -> None:
    session = alone()
    assert refused(session, "epilogue:sage") == "marchen.season.epilogue"
    season(session, "name_an_heir:Hans")
    assert ann(session).heir == "Hans"
    assert refused(session, "name_an_heir:Grete") == "marchen.season.name_an_heir"
    season(session, "epilogue:sage")
    assert ann(session).retired == "sage"


@pytest.mark.rule("marchen.season.court_a_spouse")
def test_a_spouse_is_a_connection_of_rank_three() -> None:
    session = season(alone(), "court_a_spouse:Rosa")
    assert (ann(session).spouse, dict(ann(session).connections)) == ("Rosa", {"Rosa": 3})
    assert refused(session, "court_a_spouse:Lena") == "marchen.season.court_a_spouse"


@pytest.mark.rule("marchen.sojourn.gain_trait")
def test_a_new_trait_takes_the_place_of_an_old_one() -> None:
    session = season(alone(hero(traits=("grim", "tall"))), "gain_trait:grim>merry")
    assert ann(session).traits == ("tall", "merry")


@pytest.mark.rule("marchen.sojourn.meet_patron", "marchen.sojourn.influence_patron")
def test_patrons_counsel_and_act() -> None:
    known = hero(patrons=("the Count",), skills={"persuasion": 0})
    session = season(alone(known), "meet_patron:the Count")
    assert [(one.dm, one.uses) for one in ann(session).boons] == [(1, 1)]
    assert refused(session, "meet_patron:the King") == "marchen.sojourn.meet_patron"
    acts = season(alone(known), "influence_patron:the Count", [4, 4])
    assert "ann: the Count acts" in followed(acts)
    idle = season(alone(known), "influence_patron:the Count", [3, 4])
    assert "ann: the Count does nothing about it" in followed(idle)


@pytest.mark.rule("marchen.sojourn.open_sanctuary")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.sojourn.open_sanctuary"))
def test_a_sanctuary_takes_everybody(given: Any, expect: Any) -> None:
    names = ["Ann", "Bob", "Cid", "Dan"][: given["companions"]]
    session = together(*[hero(name) for name in names])
    session.do("marchen.arrive", place="Rivendell")
    plans = ["open_sanctuary" if at < given["choosing"] else "rest" for at in range(len(names))]
    session.do("marchen.season", plans=[f"{name.lower()}={plan}" for name, plan in zip(names, plans, strict=True)])
    assert ("Rivendell" in sanctuaries(session.scene)) is expect["sanctuary"]


@pytest.mark.rule("marchen.sojourn.receive_title")
def test_a_title_is_for_foreigners_and_brings_a_house() -> None:
    session = alone()
    session.do("marchen.arrive", place="Lyon", culture="Burgundy")
    season(session, "receive_title")
    assert (ann(session).titles, [one.culture for one in ann(session).holdings]) == (("Burgundy",), ["Burgundy"])
    assert refused(session, "receive_title") == "marchen.sojourn.receive_title"
    session.do("marchen.arrive", place="Köln", culture="Rhineland")
    assert refused(session, "receive_title") == "marchen.sojourn.receive_title"


@pytest.mark.rule("marchen.sojourn.raise_standard_of_living")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.sojourn.raise_standard_of_living"))
def test_living_well_is_paid_by_the_month_and_lasts_two_seasons(given: Any, expect: Any) -> None:
    session = alone(hero(treasure=10))
    season(session, f"standard_of_living:{given['bonus']}")
    assert ann(session).treasure == 10 - expect["treasure"]
    assert [(one.value, one.phases) for one in ann(session).raises] == [(expect["social_bonus"], expect["phases"] - 1)]
    season(session, "rest")
    assert ann(session).raises == ()
    assert refused(alone(hero(treasure=5)), "standard_of_living:2") == "marchen.sojourn.raise_standard_of_living"
    halfway = alone(hero(treasure=10))
    halfway.do("marchen.undertake", who="ann", plan="standard_of_living:1")
    halfway.do("marchen.season")
    assert ann(halfway).treasure == 7  # the third month is paid before the season ends


@pytest.mark.rule("marchen.sojourn.raise_standard_of_living", "marchen.time.frames")
@pytest.mark.parametrize("steps", [["360 days"], ["1 month"] * 12, ["100 days"] * 3 + ["60 days"]])
def test_people_age_and_raises_end_with_the_calendar(steps: list[str]) -> None:
    session = season(alone(hero(treasure=10)), "standard_of_living:1")
    age = ann(session).age
    assert (ann(session).seasons, len(ann(session).raises)) == (1, 1)
    for step in steps:
        session.do("table.pass_time", amount=step)
    assert (ann(session).age, ann(session).seasons, ann(session).raises) == (age + 1, 1, ())


@pytest.mark.rule("marchen.sojourn.raise_standard_of_living", "marchen.time.frames")
def test_days_between_seasons_add_up_from_scene_to_scene() -> None:
    session = season(alone(hero(treasure=10)), "standard_of_living:1")
    session.do("table.pass_time", amount="89 days")
    assert (ann(session).seasons, len(ann(session).raises)) == (1, 1)
    later = alone(book().export_character(session.scene, "ann"))
    later.do("table.pass_time", amount="1 day")
    assert (ann(later).seasons, ann(later).raises) == (2, ())


@pytest.mark.rule("marchen.sojourn.raise_standing")
def test_standing_is_raised_at_home() -> None:
    session = season(alone(hero(treasure=12)), "raise_standing")
    assert ann(session).treasure == 0
    session.do("marchen.arrive", place="Lyon", culture="Burgundy")
    assert refused(session, "raise_standing") == "marchen.sojourn.raise_standing"


@pytest.mark.rule("marchen.sojourn.research_lore")
def test_as_many_facts_as_levels_of_success() -> None:
    session = season(alone(hero(skills={"social_sciences": 0})), "research_lore:the ruin", [6, 5])
    assert "ann: 2 facts about the ruin" in followed(session)
    none = season(alone(hero(skills={"social_sciences": 0})), "research_lore:the ruin", [3, 4])
    assert "ann: 0 facts about the ruin" in followed(none)


@pytest.mark.rule("marchen.sojourn.drum_up_support")
def test_support_in_one_matter_costs_a_sixth() -> None:
    session = season(alone(hero(social=1, treasure=9)), "drum_up_support:the mill")
    assert ann(session).treasure == 9 - 4  # a sixth of 24
    assert [(one.issue, one.value, one.phases) for one in ann(session).raises] == [("the mill", 1, 1)]


@pytest.mark.rule("marchen.sojourn.loremaster")
def test_a_loremaster_speaks_of_what_one_has() -> None:
    session = season(alone(hero(belongings=(ItemStack("lute"),))), "loremaster:lute")
    assert "ann: Lute hides nothing more" in followed(session)
    assert refused(session, "loremaster:crown") == "marchen.sojourn.loremaster"


@pytest.mark.rule("marchen.sojourn.tend_holding")
def test_a_holding_yields_by_the_better_of_two_rolls_and_teaches_its_specialty() -> None:
    mill = Holding(name="mill", specialty="Milling")
    smith = hero(
        skills={"bureaucracy": 0, "engineering": 1}, specials=[("engineering", "Milling", 1)], holdings=(mill,)
    )
    session = season(alone(smith), "tend_holding:mill", [1, 1, 6, 5])
    assert ann(session).treasure == 3 + 2
    assert ann(session).specialization("engineering", "Milling").level == 2  # type: ignore[union-attr]
    assert refused(session, "tend_holding:castle") == "marchen.sojourn.tend_holding"
    for level, skill in ((3, 1), (4, 2)):  # up to mastery
        old = smith.changed(
            skills={"bureaucracy": 0, "engineering": skill},
            specializations=(Specialization(skill="engineering", name="Milling", level=level),),
        )
        taught = season(alone(old), "tend_holding:mill", [1, 1, 6, 5])
        assert ann(taught).specialization("engineering", "Milling").level == 4  # type: ignore[union-attr]
        assert ann(taught).skills["engineering"] == 2


@pytest.mark.rule("marchen.sojourn.treasury")
def test_an_item_handed_in_is_worth_a_point_of_standing_for_good() -> None:
    session = season(alone(hero(belongings=(ItemStack("lute"),))), "treasury:lute")
    assert session.scene["ann"].status.belongings == ()
    assert [(one.what, one.value) for one in ann(session).changes] == [("social", 1)]


@pytest.mark.rule("marchen.sojourn.treasury", "marchen.aspect.current_and_maximum")
def test_the_treasury_takes_nothing_from_who_stands_at_the_top() -> None:
    session = alone(hero(social=4, belongings=(ItemStack("lute"),)))
    assert refused(session, "treasury:lute") == "marchen.aspect.current_and_maximum"
    assert [one.item for one in session.scene["ann"].status.belongings] == ["lute"]


@pytest.mark.rule("marchen.sojourn.write_song")
def test_a_song_helps_once_until_the_next_season() -> None:
    session = season(alone(), "write_song:The Ford")
    session.do("marchen.sing", who="ann", song="The Ford")
    assert [one.dm for one in session.scene["ann"].status.nexts] == [1]
    with pytest.raises(IllegalActionError) as again:
        session.do("marchen.sing", who="ann", song="The Ford")
    assert again.value.rule == "marchen.sojourn.write_song"
    season(session, "rest")
    session.do("marchen.sing", who="ann", song="The Ford")


@pytest.mark.rule("marchen.sojourn.gain_virtue", "marchen.sojourn.gain_cultural_virtue")
def test_virtues_of_others_anywhere_and_of_your_own_at_home() -> None:
    session = season(season(alone(), "gain_virtue:patience"), "gain_cultural_virtue:courage")
    assert ann(session).virtues == ("patience", "courage")
    assert refused(session, "gain_virtue:patience") == "marchen.sojourn.gain_virtue"
    session.do("marchen.arrive", place="Lyon", culture="Burgundy")
    assert refused(session, "gain_cultural_virtue:thrift") == "marchen.sojourn.gain_cultural_virtue"


@pytest.mark.rule("marchen.sojourn.confer_with_sage")
def test_a_sage_halves_the_cost_or_shares_a_hobby() -> None:
    session = season(alone(hero(experience=2, skills={"social_sciences": 0})), "confer_with_sage:Lore")
    assert (ann(session).level("social_sciences"), ann(session).available) == (1, 0)
    assert refused(session, "confer_with_sage:Lore") == "marchen.sojourn.confer_with_sage"
    assert ann(season(alone(), "confer_with_sage:hobby/chess")).traits == ("chess",)


@pytest.mark.rule("marchen.sojourn.artificer")
def test_an_item_is_fitted_once_for_six_treasure() -> None:
    armed = hero(treasure=12, belongings=(ItemStack("sword", 1, "hand"),), home_tl=1)
    session = season(alone(armed), "artificer:sword/damage")
    assert (ann(session).treasure, arms_of(session.scene, "ann")["sword"].plus) == (6, 1)
    assert refused(session, "artificer:sword/check") == "marchen.sojourn.artificer"
    checked = season(alone(armed), "artificer:sword/check")
    base = arms_of(alone(armed).scene, "ann")["sword"].base
    assert arms_of(checked.scene, "ann")["sword"].base == base + 1
    assert refused(alone(armed.changed(treasure=5)), "artificer:sword/check") == "marchen.sojourn.artificer"


@pytest.mark.rule("marchen.sojourn.guard")
def test_guarding_is_paid_by_levels_and_can_go_wrong() -> None:
    watchful = hero(skills={"perception": 0})
    assert ann(season(alone(watchful), "guard", [6, 5])).treasure == 5
    wounded = season(alone(watchful), "guard", [1, 2, 4, 1, 2])
    assert (ann(wounded).treasure, wounded.scene["ann"].status.physical) == (3, 4)
    quiet = season(alone(watchful), "guard", [1, 4])
    assert quiet.scene["ann"].status.physical == 0


@pytest.mark.rule("marchen.sojourn.patrol_wild", "marchen.month.gather_firewood", "marchen.week.feast_with_lord")
@pytest.mark.parametrize(
    ("scale", "plan", "trait", "skills", "aspect"),
    [
        ("season", "patrol_wild", "Wilderness-lore", ("physical_sciences_survival",), None),
        ("month", "gather_firewood", "Firemaking", ("physical_sciences_survival", "ruggedness"), None),
        ("week", "feast_with_lord", "Merry", (), "social"),
    ],
)
def test_the_benefit_of_a_trait_counts_twice_for_who_has_it(
    scale: str, plan: str, trait: str, skills: tuple[str, ...], aspect: str | None
) -> None:
    for traits, uses in (((), 1), ((trait,), 2)):
        session = alone(hero(traits=traits))
        done(session, scale, plans=[f"ann={plan}"])
        (boon,) = ann(session).boons
        assert (boon.name, boon.uses, boon.dm, boon.skills, boon.aspect) == (trait, uses, 1, skills, aspect)


@pytest.mark.rule("marchen.connection.make", "marchen.connection.forge_bond", "marchen.connection.aid")
def test_social_activities_change_ranks() -> None:
    session = season(season(season(alone(), "make_connection:Otto"), "forge_bond:Otto"), "aid_connection:Otto")
    assert ann(session).connections["Otto"] == 1 + 1 + 2
    assert refused(session, "forge_bond:Udo") == "marchen.connection.forge_bond"
    assert refused(session, "make_connection:Otto") == "marchen.connection.make"


# ---------------------------------------------------------------------- recover


@pytest.mark.rule("marchen.recover.recovery")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.recover.recovery"))
def test_recovery(given: Any, expect: Any) -> None:
    sick = Condition(name="Poisoned", aspect="physical")
    wounds = Wounds.model_validate({"damage": given["damage"], "conditions": [sick]})
    session = season(alone(hero(wounds=wounds)), "recovery")
    status = session.scene["ann"].status
    assert dict(status.damage) == expect["damage"]
    assert status.conditions == ()


@pytest.mark.rule("marchen.recover.hearten", "marchen.connection.hearten")
def test_hearten() -> None:
    conditions = [Condition(name="Shamed", aspect="social"), Condition(name="Sick", aspect="physical")]
    wounds = Wounds.model_validate({"damage": {"social": 7, "mental": 2}, "conditions": conditions})
    status = season(alone(hero(wounds=wounds)), "hearten").scene["ann"].status
    assert (status.social, status.mental, [one.name for one in status.conditions]) == (0, 2, ["Sick"])


@pytest.mark.rule("marchen.recover.resupply")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.recover.resupply"))
def test_resupply(given: Any, expect: Any) -> None:
    total = given["effect"] + 8
    session = season(alone(hero(supply=given["supply"])), "resupply", [6, total - 6])
    assert ann(session).supply == expect["supply"]
    assert ann(season(alone(hero(supply=4)), "resupply", [6, 5])).supply == 5


@pytest.mark.rule("marchen.recover.repair")
@pytest.mark.parametrize(("option", "faces", "left"), [("intellect", (6, 5), 3), ("engineering", (6, 5), 2)])
def test_repair_goes_by_intellect_or_by_engineering(option: str, faces: tuple[int, int], left: int) -> None:
    broken = hero(belongings=(ItemStack("lute", 1, "pack", 1),), skills={"engineering": 0}, reasoning=-2)
    session = season(alone(broken, repair_check=option), "repair:lute", faces)
    assert session.scene["ann"].status.belongings[0].left == left
    assert refused(alone(), "repair:lute") == "marchen.recover.repair"


@pytest.mark.rule("marchen.recover.heal_corruption")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.recover.heal_corruption"))
def test_corruption_is_healed_by_two_rolls_in_a_sanctuary(given: Any, expect: Any) -> None:
    haunted = Condition(name="Haunted", aspect="spiritual")
    wounds = Wounds.model_validate({"damage": {"spiritual": given["spiritual_damage"]}, "conditions": [haunted]})
    session = alone(hero(wounds=wounds, skills={"performance": 0}))
    session.do("marchen.arrive", place="Rivendell", sanctuary=True)
    season(session, "heal_corruption:performance", [6, 5, 4, 4])  # great, then plain
    status = session.scene["ann"].status
    assert (status.spiritual, status.conditions) == (expect["spiritual_damage"], ())
    singer = hero(wounds=wounds, skills={"performance": 0}, manners=1)
    once = season(alone(singer), "heal_corruption:performance", [6, 6])
    assert once.scene["ann"].status.spiritual == given["spiritual_damage"] - 6


@pytest.mark.rule("marchen.recover.there_and_back_again")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.recover.there_and_back_again"))
def test_there_and_back_again_burns_a_point_of_the_spirit(given: Any, expect: Any) -> None:
    one = hero(spiritual=given["spiritual_maximum"], wounds=hurt(**given["damage"]))
    session = season(alone(one), "there_and_back_again")
    assert dict(session.scene["ann"].status.damage) == expect["damage"]
    assert [(change.what, change.value) for change in ann(session).changes] == [("spiritual", -1)]
    rule = "marchen.recover.there_and_back_again"
    assert refused(alone(hero(spiritual=-4)), "there_and_back_again") == rule
    session.do("marchen.arrive", place="Lyon", culture="Burgundy")
    assert refused(session, "there_and_back_again") == rule


@pytest.mark.rule("marchen.interrupted.overcome_destruction")
def test_starting_again_from_nothing_takes_a_season() -> None:
    session = alone(hero(belongings=(ItemStack("sword", 1, "hand"),), supply=4))
    done(session, "overcome_destruction", [6, 5], who="ann")
    assert (ann(session).supply, session.scene.clock.now) == (1 + 2, 90 * DAY)
    assert [one.item for one in session.scene["ann"].status.belongings] == ["clothing"]
    failed = alone(hero(supply=4))
    done(failed, "overcome_destruction", [3, 4], who="ann")
    assert ann(failed).supply == 0


# ---------------------------------------------------------------------- months


@pytest.mark.rule("marchen.month.gather_information")
def test_clues() -> None:
    session = month(alone(hero(skills={"investigation": 0})), "gather_information:the theft", [6, 5])
    assert "ann: 2 clues about the theft" in followed(session)


@pytest.mark.rule("marchen.month.collect_herbs")
def test_herbs_are_doses() -> None:
    session = month(alone(hero(skills={"life_sciences": 0})), "collect_herbs", [6, 5])
    assert [(one.item, one.count) for one in session.scene["ann"].status.belongings] == [("herbs", 2)]
    assert month(alone(), "collect_herbs", [4, 4]).scene["ann"].status.belongings == ()  # untrained


@pytest.mark.rule("marchen.month.field_of_heroes")
@pytest.mark.parametrize(("faces", "off"), [((4, 3), 0), ((4, 4), 3), ((6, 5), 6), ((6, 6), 6)])
def test_discounts_do_not_add_up(faces: tuple[int, int], off: int) -> None:
    session = month(alone(hero(skills={"athletics": 0})), "field_of_heroes:Athletics", faces)
    assert ann(session).discount == off
    better = alone(hero(skills={"athletics": 1}, muscle=1, discount=3))
    assert ann(month(better, "field_of_heroes:Athletics", [6, 6])).discount == 12
    assert ann(month(better, "field_of_heroes:Athletics", [3, 3])).discount == 12


@pytest.mark.rule("marchen.month.go_hunting")
def test_hunting() -> None:
    hunter = hero(supply=1, skills={"physical_sciences_survival": 0})
    assert ann(month(alone(hunter), "go_hunting", [6, 5])).supply == 3
    mauled = month(alone(hunter), "go_hunting", [1, 1, 5, 1, 2])
    assert (ann(mauled).supply, mauled.scene["ann"].status.physical) == (1, 5)


@pytest.mark.rule("marchen.month.go_to_market")
def test_the_market_sells_what_is_named_where_there_is_one() -> None:
    session = month(alone(hero(treasure=3)), "go_to_market:lute")
    assert (ann(session).treasure, [one.item for one in session.scene["ann"].status.belongings]) == (1, ["lute"])
    assert refused(session, "go_to_market:lute", "month") == "marchen.month.go_to_market"
    wild = alone(hero(treasure=3))
    wild.do("marchen.arrive", place="the wild")
    assert refused(wild, "go_to_market:lute", "month") == "marchen.month.go_to_market"


@pytest.mark.rule("marchen.month.climb_mountains")
def test_mountains_give_a_view_or_a_fall() -> None:
    climber = hero(skills={"athletics": 0})
    assert [one.name for one in ann(month(alone(climber), "climb_mountains", [4, 4])).boons] == ["a view"]
    fallen = month(alone(climber), "climb_mountains", [1, 2, 3, 3, 1, 2])
    assert fallen.scene["ann"].status.physical == 6


@pytest.mark.rule("marchen.month.delve")
def test_delving_counts_the_first_time_only() -> None:
    low = alone(hero(spiritual=2, current={"spiritual": 1}))
    assert "spiritual" not in ann(month(low, "delve:gain")).current
    assert refused(low, "delve:gain", "month") == "marchen.month.delve"
    healed = month(alone(hero(wounds=hurt(spiritual=5))), "delve:heal")
    assert healed.scene["ann"].status.spiritual == 3
    assert "spiritual" not in ann(month(alone(hero(spiritual=2)), "delve:gain")).current  # never above the maximum


@pytest.mark.rule("marchen.month.go_riding")
def test_riding_clears_the_mind() -> None:
    rider = hero(wounds=hurt(mental=5), skills={"athletics": 0})
    assert month(alone(rider), "go_riding", [6, 5]).scene["ann"].status.mental == 3


@pytest.mark.rule("marchen.month.sparring")
@pytest.mark.parametrize(
    ("mode", "faces", "gain"),
    [("very_difficult", (6, 6), 1), ("average", (4, 4), 1), ("average", (6, 5), 2), ("literal_18", (6, 6), 0)],
)
def test_sparring(mode: str, faces: tuple[int, int], gain: int) -> None:
    session = month(alone(hero(skills={"athletics": 0}), sparring_difficulty=mode), "sparring:Athletics", faces)
    assert [one.value for one in ann(session).raises] == [gain] * bool(gain)
    if not gain:
        status = session.scene["ann"].status
        (_, expect), *_ = examples("marchen.month.sparring")
        assert (status.physical, status.mental) == (expect["physical_damage"], expect["mental_damage"])
        assert ann(session).experience == expect["experience"]


@pytest.mark.rule("marchen.month.sparring")
def test_a_literal_eighteen() -> None:
    strong = hero(skills={"athletics": 3}, muscle=3)
    session = month(alone(strong, sparring_difficulty="literal_18"), "sparring:Athletics", [6, 6])
    assert [one.value for one in ann(session).raises] == [1]


@pytest.mark.rule("marchen.month.journey")
def test_a_journey_by_the_month_costs_supply_or_harm_where_it_goes_wrong() -> None:
    walker = {"skills": {"physical_sciences_survival": 0}, "supply": 1}
    session = together(hero("Ann", **walker), hero("Bob", **walker))
    done(session, "undertake_journey", [4, 4, 1, 1], months=1)
    assert session.scene.clock.now == 30 * DAY
    done(session, "undertake_journey", [3, 3, 1, 1, 4, 1, 2], ["supply", "harm"], months=1)
    assert (ann(session).supply, session.scene["bob"].status.physical) == (0, 4)


# ---------------------------------------------------------------------- weeks


@pytest.mark.rule("marchen.week.secure_advantage")
def test_preparations_are_the_sigma_later() -> None:
    session = week(alone(hero(skills={"insight": 0})), "secure_advantage:insight", [6, 5])
    assert [(one.name, one.dm) for one in ann(session).boons] == [("an advantage in Insight", 2)]


@pytest.mark.rule("marchen.week.honoring_the_fallen")
def test_honouring_the_fallen_may_go_beyond_the_maximum() -> None:
    session = week(alone(hero(spiritual=2)), "honoring_the_fallen:Otto")
    assert ann(session).current["spiritual"] == 3


@pytest.mark.rule("marchen.week.honor_your_people")
@pytest.mark.parametrize(("faces", "left"), [((4, 3), 10), ((4, 4), 7), ((6, 5), 4)])
def test_songs_for_the_ancestors(faces: tuple[int, int], left: int) -> None:
    singer = hero(skills={"performance": 0}, wounds=hurt(spiritual=10))
    assert week(alone(singer), "honor_your_people", faces).scene["ann"].status.spiritual == left


@pytest.mark.rule("marchen.week.feast_with_lord")
def test_a_feast_takes_a_sanctuary_with_a_lord() -> None:
    session = alone()
    session.do("marchen.arrive", place="Rivendell", features=["lord"])
    assert refused(session, "feast_with_lord", "week") == "marchen.week.feast_with_lord"
    session.do("marchen.arrive", place="Rivendell", features=["lord"], sanctuary=True)
    week(session, "feast_with_lord")
    session.do("marchen.arrive", place="Bree", sanctuary=True)
    assert refused(session, "feast_with_lord", "week") == "marchen.week.feast_with_lord"


def test_every_activity_can_be_offered_and_has_a_rule() -> None:
    session = alone(hero(patrons=("the Count",), connections={"Otto": 1}, holdings=(Holding(name="mill"),)))
    for scale, activities in {"season": SEASONAL, "month": MONTHLY, "week": WEEKLY}.items():
        offered = {one.id.split(":")[0] for one in SCALES[scale].options(session.scene, "ann")}
        assert offered <= {one.id for one in activities}
        assert len(offered) >= len(activities) - 6


@pytest.mark.rule("marchen.time.frames")
@pytest.mark.parametrize("days", [28, 30, 31])
def test_a_season_is_three_months_of_the_table(days: int) -> None:
    session = season(alone(hero(treasure=9), month_days=days), "standard_of_living:1")
    assert session.scene.clock.now == 3 * days * DAY
    assert ann(session).treasure == 6
