"""Activities of a season: what each needs and gives."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.acts import ann, done, followed, later, refused, season, told, why_not
from systems.marchen.people import DAY, OPTIONS, alone, hero, hurt, together, total
from systems.playing import examples, status
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.systems.marchen.chapters.seasons.requirements import in_sanctuary
from tablewright.systems.marchen.character.figures import current
from tablewright.systems.marchen.character.record import Condition, Holding, Raise, Wounds
from tablewright.systems.marchen.now import arms_of
from tablewright.systems.marchen.status import sanctuaries
from tablewright.systems.marchen.values import SkillId

# ---------------------------------------------------------------------- base


@pytest.mark.rule("marchen.season.training")
def test_training_takes_a_trainer_and_adds_up_however_it_is_written() -> None:
    session = alone(hero(skills={"stealth": 0}))
    assert ann(season(session, "training:stealth")).level("stealth") == 1
    session.do("marchen.arrive", place="the wild")
    assert refused(session, "training:athletics") == "marchen.season.training"
    slow = together(hero(skills={"ranged_combat": 1}), training_seasons_per_level=8)
    for name in ("Bow", "bow", " BOW "):
        slow.do("marchen.train", who="ann", skill="ranged_combat", specialization=name)
    assert [one.seasons for one in ann(slow).studies] == [3]


@pytest.mark.rule("marchen.season.name_an_heir", "marchen.season.epilogue", "marchen.season.court_a_spouse")
def test_an_heir_and_a_spouse_once_and_an_epilogue_only_after_the_heir() -> None:
    session = alone()
    assert refused(session, "epilogue:sage") == "marchen.season.epilogue"
    season(session, "name_an_heir:Hans")
    assert ann(session).heir == "Hans"
    assert refused(session, "name_an_heir:Grete") == "marchen.season.name_an_heir"
    season(session, "court_a_spouse:Rosa")
    assert (ann(session).spouse, dict(ann(session).connections)) == ("Rosa", {"Rosa": 3})
    assert refused(session, "court_a_spouse:Lena") == "marchen.season.court_a_spouse"
    season(session, "epilogue:sage")
    assert ann(session).retired == "sage"


# ---------------------------------------------------------------------- sojourn


@pytest.mark.rule("marchen.sojourn.gain_trait", "marchen.gap.career.check")
def test_a_new_trait_takes_the_place_of_one_that_the_owner_names_but_never_of_a_scar() -> None:
    scar = Condition(name="social scar", aspect="social", permanent=True)
    scarred = hero(traits=("social scar", "grim"), wounds=Wounds(conditions=(scar,)))
    two = hero(traits=("grim", "tall"))
    for character, plan, answers, traits in (
        (two, "gain_trait:grim>merry", [], ("tall", "merry")),
        (two, "gain_trait:merry", ["tall"], ("grim", "merry")),
        (hero(traits=("grim",)), "gain_trait:merry", [], ("merry",)),
        (hero(), "gain_trait:merry", [], ("merry",)),
        (scarred, "gain_trait:merry", [], ("social scar", "merry")),
    ):
        assert ann(season(alone(character), plan, answers=answers)).traits == traits
    for plan in ("social scar>merry", "tall>merry", "grim", "grim>"):
        assert refused(alone(scarred), f"gain_trait:{plan}") == "marchen.sojourn.gain_trait"


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
    nothing = "ann: Open New Sanctuary comes to nothing: not all companions have chosen it"
    assert (nothing in followed(session)) is not expect["sanctuary"]


@pytest.mark.rule("marchen.sojourn.open_sanctuary", "marchen.recover.heal_corruption")
def test_a_sanctuary_is_one_in_the_next_scene_too() -> None:
    session = alone()
    session.do("marchen.arrive", place="Rivendell", sanctuary=True)
    again = later(session)
    for place, safe in (("Rivendell", True), ("Bree", False)):
        again.do("marchen.arrive", place=place)
        assert in_sanctuary(again.scene) is safe


@pytest.mark.rule("marchen.sojourn.receive_title")
def test_a_title_is_received_abroad_once_and_brings_a_house() -> None:
    rule = "marchen.sojourn.receive_title"
    session = season(alone(), "receive_title:the Tsar")
    assert (ann(session).titles, [one.culture for one in ann(session).holdings]) == (("the Tsar",), ["the Tsar"])
    for plan in ("receive_title:the Tsar", "receive_title:Rhineland", "receive_title"):
        assert refused(session, plan) == rule
    done(session, "arrive", place="Köln")  # no one else's land
    assert refused(session, "receive_title:the Doge") == rule
    done(session, "arrive", place="Venice", culture="Venice")
    assert ann(season(session, "receive_title")).titles == ("the Tsar", "Venice")
    done(session, "arrive", place="Köln", culture="Rhineland")
    assert refused(session, "receive_title") == rule


@pytest.mark.rule("marchen.sojourn.raise_standard_of_living")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.sojourn.raise_standard_of_living"))
def test_living_well_is_paid_by_the_month_and_lasts_two_seasons(given: Any, expect: Any) -> None:
    plan = f"standard_of_living:{given['bonus']}"
    session = season(alone(hero(treasure=expect["treasure"])), plan)  # the last that there is
    assert ann(session).treasure == 0
    assert "comes to nothing" not in told(session)
    assert [(one.value, one.phases) for one in ann(session).raises] == [(expect["social_bonus"], expect["phases"] - 1)]
    season(session, "rest")
    assert ann(session).raises == ()
    assert refused(session, plan) == "marchen.sojourn.raise_standard_of_living"
    halfway = alone(hero(treasure=10))
    halfway.do("marchen.undertake", who="ann", plan="standard_of_living:1")
    halfway.do("marchen.season")
    assert ann(halfway).treasure == 7  # the third month is paid before the season ends


@pytest.mark.rule("marchen.sojourn.raise_standard_of_living")
def test_a_plainer_life_does_not_take_away_what_was_paid_for() -> None:
    session = season(alone(hero(treasure=9)), "standard_of_living:2")
    session.do("marchen.undertake", who="ann", plan="standard_of_living:1")
    season(session, "standard_of_living:1")
    assert [(one.value, one.phases) for one in ann(session).raises] == [(1, 1)]
    both = hero(raises=tuple([Raise(aspect="social", value=v, phases=1, source="living") for v in (1, 2)]))
    assert current(both, "social", OPTIONS).total == 2
    again = season(alone(hero(treasure=20)), "standard_of_living:1")
    season(again, "standard_of_living:2")
    assert [(one.value, one.phases) for one in ann(again).raises] == [(2, 1)]


@pytest.mark.rule("marchen.sojourn.raise_standing", "marchen.aspect.current_and_maximum")
def test_standing_is_raised_at_home_up_to_the_highest() -> None:
    session = season(alone(hero(treasure=42)), "raise_standing")
    assert ann(session).treasure == 30
    done(session, "arrive", place="Lübeck", culture="Hanse")
    assert refused(session, "raise_standing") == "marchen.sojourn.raise_standing"
    with pytest.raises(IllegalActionError, match="not at home") as no:
        session.do("marchen.raise_standing", who="ann")
    assert no.value.rule == "marchen.sojourn.raise_standing"
    done(session, "arrive", place="Köln", culture="Rhineland")
    done(session, "raise_standing", who="ann")
    assert ann(session).treasure == 6
    assert refused(alone(hero(social=4, treasure=99)), "raise_standing") == "marchen.aspect.current_and_maximum"
    both = together(hero(social=3, treasure=99), hero("Bob", wounds=hurt(physical=3)))
    both.do("marchen.undertake", who="ann", plan="raise_standing")
    done(both, "season", plans=["bob=recovery"])
    assert (ann(both).treasure, status(both, "bob").physical) == (51, 0)


@pytest.mark.rule("marchen.sojourn.research_lore")
def test_as_many_facts_as_levels_of_success() -> None:
    session = season(alone(hero(skills={"social_sciences": 0})), "research_lore:the ruin", [6, 5])
    assert "ann: 2 facts about the ruin" in followed(session)
    none = season(alone(hero(skills={"social_sciences": 0})), "research_lore:the ruin", [3, 4])
    assert "ann: 0 facts about the ruin" in followed(none)


@pytest.mark.rule("marchen.sojourn.tend_holding", "marchen.option.mythic_levels")
def test_a_holding_yields_by_the_better_of_two_rolls_and_teaches_its_specialty_however_it_is_written() -> None:
    mill = Holding(name="The mill", culture="Rhineland", specialty="milling")
    for skill, level, mythic, learned, lifted in (
        (1, 1, False, 2, 1),
        (1, 3, False, 4, 2),  # mastery lifts the skill
        (2, 4, False, 4, 2),
        (2, 4, True, 5, 2),
    ):
        known: dict[str, Any] = {
            "skills": {"bureaucracy": 0, "engineering": skill},
            "specials": [("engineering", "Milling", level)],
        }
        session = season(
            alone(hero(holdings=(mill,), **known), mythic_levels=mythic), "tend_holding:The mill", [1, 1, 6, 5]
        )
        assert (ann(session).treasure, ann(session).level("engineering")) == (3 + 2, lifted)
        assert ann(session).specializations[0].level == learned
        assert refused(session, "tend_holding:castle") == "marchen.sojourn.tend_holding"


@pytest.mark.rule("marchen.sojourn.treasury", "marchen.aspect.current_and_maximum")
def test_an_item_handed_in_is_worth_a_point_of_standing_for_good_up_to_the_highest() -> None:
    session = season(alone(hero(belongings=(ItemStack("lute"),))), "treasury:lute")
    assert status(session).belongings == ()
    assert [(one.what, one.value) for one in ann(session).changes] == [("social", 1)]
    top = alone(hero(social=4, belongings=(ItemStack("lute"),)))
    assert refused(top, "treasury:lute") == "marchen.aspect.current_and_maximum"
    assert [one.item for one in status(top).belongings] == ["lute"]


@pytest.mark.rule("marchen.sojourn.write_song")
def test_a_song_helps_once_until_the_next_season_in_whatever_scene() -> None:
    session = season(alone(), "write_song:The Ford")
    session.do("marchen.sing", who="ann", song="The Ford")
    assert [one.dm for one in status(session).nexts] == [1]
    again = later(session)
    with pytest.raises(IllegalActionError, match="sung since the last season") as no:
        again.do("marchen.sing", who="ann", song="The Ford")
    assert no.value.rule == "marchen.sojourn.write_song"
    season(again, "rest")
    again.do("marchen.sing", who="ann", song="The Ford")


@pytest.mark.rule("marchen.sojourn.gain_virtue", "marchen.sojourn.gain_cultural_virtue")
def test_virtues_of_others_anywhere_and_of_your_own_at_home() -> None:
    session = season(season(alone(), "gain_virtue:patience"), "gain_cultural_virtue:courage")
    assert ann(session).virtues == ("patience", "courage")
    assert refused(session, "gain_virtue:patience") == "marchen.sojourn.gain_virtue"
    session.do("marchen.arrive", place="Lyon", culture="Burgundy")
    assert refused(session, "gain_cultural_virtue:thrift") == "marchen.sojourn.gain_cultural_virtue"


@pytest.mark.rule("marchen.sojourn.confer_with_sage", "marchen.specialization.cap")
def test_a_sage_halves_the_cost_and_teaches_nothing_that_is_mastered() -> None:
    rule = "marchen.sojourn.confer_with_sage"
    session = season(alone(hero(experience=2, skills={"social_sciences": 0})), "confer_with_sage:Lore")
    assert (ann(session).level("social_sciences"), ann(session).available) == (1, 0)
    assert refused(session, "confer_with_sage:Lore") == rule
    assert ann(season(alone(), "confer_with_sage:hobby/chess")).traits == ("chess",)
    skill: SkillId = "physical_sciences_survival"
    master = hero(skills={skill: 2}, specials=[(skill, "Navigation", 4)], experience=99)
    assert refused(alone(master), "confer_with_sage:Travel") == "marchen.specialization.cap"
    able = hero(skills={skill: 1}, specials=[(skill, "Navigation", 3)], experience=8)
    session = season(alone(able), "confer_with_sage:Travel")
    assert (ann(session).level(skill), ann(session).available) == (2, 0)
    assert refused(alone(able.changed(experience=7)), "confer_with_sage:Travel") == rule


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


@pytest.mark.rule("marchen.sojourn.artificer")
def test_an_item_is_fitted_once_for_six_treasure_and_helps_with_it() -> None:
    own = (ItemStack("lockpicks", 1, "pack"), ItemStack("sword", 1, "hand"))
    armed = hero(skills={"sleight_of_hand": 0}, treasure=12, belongings=own, home_tl=1)
    session = season(alone(armed), "artificer:sword/damage")
    assert (ann(session).treasure, arms_of(session.scene, "ann")["sword"].plus) == (6, 1)
    assert refused(session, "artificer:sword/check") == "marchen.sojourn.artificer"
    checked = season(alone(armed), "artificer:sword/check")
    base = arms_of(alone(armed).scene, "ann")["sword"].base
    assert arms_of(checked.scene, "ann")["sword"].base == base + 1
    assert refused(alone(armed.changed(treasure=5)), "artificer:sword/check") == "marchen.sojourn.artificer"
    picks = season(alone(armed), "artificer:lockpicks/check")
    assert total(ann(picks), "sleight_of_hand", tools="lockpicks") == 2
    assert "not a weapon" in why_not(alone(armed), "season", plans=["ann=artificer:lockpicks/damage"])
    asked = alone(armed)
    asked.do("marchen.season")
    ids = [each for each in asked.question.ids if each.startswith("artificer")]  # type: ignore[union-attr]
    assert ids == ["artificer::lockpicks/check", "artificer::sword/check", "artificer::sword/damage"]


@pytest.mark.rule("marchen.sojourn.guard")
def test_guarding_is_paid_by_levels_and_can_go_wrong() -> None:
    watchful = hero(skills={"perception": 0})
    assert ann(season(alone(watchful), "guard", [6, 5])).treasure == 5
    wounded = season(alone(watchful), "guard", [1, 2, 4, 1, 2])
    assert (ann(wounded).treasure, status(wounded).physical) == (3, 4)
    quiet = season(alone(watchful), "guard", [1, 4])
    assert status(quiet).physical == 0


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
@pytest.mark.rule("marchen.connection.ranks")
def test_social_activities_change_ranks() -> None:
    for met in ({}, {"Otto": 0}):  # a connection is made with the indifferent too
        session = alone(hero(connections=met))
        for plan, rank in (("make_connection", 1), ("forge_bond", 2), ("aid_connection", 4)):
            assert ann(season(session, f"{plan}:Otto")).connections["Otto"] == rank
        process = alone(hero(connections=met))
        done(process, "make_connection", who="ann", person="Otto")
        assert ann(process).connections["Otto"] == 1
    assert refused(alone(), "forge_bond:Udo") == "marchen.connection.forge_bond"
    for rank in (-4, -1, 1, 4):
        assert refused(alone(hero(connections={"Otto": rank})), "make_connection:Otto") == "marchen.connection.make"


# ---------------------------------------------------------------------- recover


@pytest.mark.rule("marchen.recover.recovery", "marchen.recover.hearten", "marchen.connection.hearten")
def test_recovery_and_hearten() -> None:
    def after(plan: str, damage: Any, *conditions: Condition) -> tuple[dict[str, int], list[str]]:
        wounds = Wounds.model_validate({"damage": damage, "conditions": conditions})
        session = season(alone(hero(wounds=wounds)), plan)
        return dict(status(session).damage), [one.name for one in status(session).conditions]

    poisoned, shamed = Condition(name="Poisoned", aspect="physical"), Condition(name="Shamed", aspect="social")
    for given, expect in examples("marchen.recover.recovery"):
        assert after("recovery", given["damage"], poisoned) == (expect["damage"], [])
    damage, left = after("hearten", {"social": 7, "mental": 2}, shamed, poisoned)
    assert (damage["social"], damage["mental"], left) == (0, 2, ["Poisoned"])


@pytest.mark.rule("marchen.recover.resupply", "marchen.sojourn.receive_title")
def test_resupply_with_the_standing_that_counts_there() -> None:
    for given, expect in examples("marchen.recover.resupply"):
        session = season(alone(hero(supply=given["supply"])), "resupply", [6, given["effect"] + 8 - 6])
        assert ann(session).supply == expect["supply"]
    assert ann(season(alone(hero(supply=4)), "resupply", [6, 5])).supply == 5
    for culture, titles, supply in (("", (), 4), ("Hanse", (), 3), ("Hanse", ("Hanse",), 4)):
        stranger = alone(hero(social=2, supply=3, titles=titles))
        stranger.do("marchen.arrive", place="here", culture=culture)
        assert ann(season(stranger, "resupply", [3, 3])).supply == supply  # 6 and 2 are enough, 6 alone is not


@pytest.mark.rule("marchen.recover.repair")
@pytest.mark.parametrize(("option", "left"), [("intellect", 3), ("engineering", 2)])
def test_repair_goes_by_intellect_or_by_engineering(option: str, left: int) -> None:
    broken = hero(belongings=(ItemStack("lute", 1, "pack", 1),), skills={"engineering": 0}, reasoning=-2)
    session = season(alone(broken, repair_check=option), "repair:lute", [6, 5])
    assert status(session).belongings[0].left == left
    assert refused(alone(), "repair:lute") == "marchen.recover.repair"


@pytest.mark.rule("marchen.recover.heal_corruption", "marchen.skill.aliases")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.recover.heal_corruption"))
def test_corruption_is_healed_by_craft_or_song_with_two_rolls_in_a_sanctuary(given: Any, expect: Any) -> None:
    haunted = Condition(name="Haunted", aspect="spiritual")
    wounds = Wounds.model_validate({"damage": {"spiritual": given["spiritual_damage"]}, "conditions": [haunted]})
    session = alone(hero(wounds=wounds, skills={"performance": 0}))
    session.do("marchen.arrive", place="Rivendell", sanctuary=True)
    season(session, "heal_corruption:performance", [6, 5, 4, 4])  # great, then plain
    assert (status(session).spiritual, status(session).conditions) == (expect["spiritual_damage"], ())
    singer = hero(wounds=wounds, skills={"performance": 0}, manners=1)
    once = season(alone(singer), "heal_corruption:performance", [6, 6])
    assert status(once).spiritual == given["spiritual_damage"] - 6
    for art, skill in (("Craft", "engineering"), ("Song", "performance"), ("", "performance")):
        for skills, left in (({skill: 0}, 7), ({"arcana": 4}, 9)):
            healed = season(alone(hero(skills=skills, wounds=hurt(spiritual=9))), f"heal_corruption:{art}", [4, 4])
            assert status(healed).spiritual == left


@pytest.mark.rule("marchen.recover.there_and_back_again")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.recover.there_and_back_again"))
def test_there_and_back_again_burns_a_point_of_the_spirit(given: Any, expect: Any) -> None:
    one = hero(spiritual=given["spiritual_maximum"], wounds=hurt(**given["damage"]))
    session = season(alone(one), "there_and_back_again")
    assert dict(status(session).damage) == expect["damage"]
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
    assert [one.item for one in status(session).belongings] == ["clothing"]
    failed = alone(hero(supply=4))
    done(failed, "overcome_destruction", [3, 4], who="ann")
    assert ann(failed).supply == 0
