"""Advancement: awards, the price of every step, limits, once per opportunity, checkpoints, talents, stepping back."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.mars.people import OPTIONS, alone, character, do, left, library, person, session_of, somebody
from systems.playing import status
from tablewright.engine import Choice, ClosedOption
from tablewright.errors import IllegalActionError
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.mars.advancement import purchases, refusal, session_experience
from tablewright.systems.mars.character.costs import (
    checkpoints_reached,
    language_cost,
    next_step,
    price,
    skill_cost,
    skill_limit,
    stat_cost,
)
from tablewright.systems.mars.character.figures import maximum
from tablewright.systems.mars.character.record import Change, MarsCharacter, Stats, Wounds
from tablewright.systems.mars.legality import legality
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.values import RollValue

LEDGER = Ledger.load("mars")


def veteran(experience: int = 100, name: str = "fighter", **changes: Any) -> MarsCharacter:
    return person(name, experience=experience, opportunity=1, **changes)


# ---------------------------------------------------------------------- awards


@pytest.mark.rule("mars.advancement.session_xp")
@pytest.mark.parametrize("example", LEDGER["mars.advancement.session_xp"].examples)
def test_experience_for_a_session(example: Any) -> None:
    given = example["given"]
    tally = session_experience(given["motivations_met"], major_goal=given["major_goal"])
    assert tally.total == example["expect"]


@pytest.mark.rule("mars.advancement.session_xp", "mars.advancement.tracking")
def test_everybody_gets_the_same_and_bonuses_may_differ() -> None:
    two = session_of({"ann": person("fighter"), "bob": person("rogue"), "rat": person("goblin")})
    do(two, "mars.award", motivations=2, bonus=1)
    assert [character(two, who).experience for who in ("ann", "bob", "rat")] == [6, 6, 0]
    do(two, "mars.reward", who="bob", experience=2)
    assert (character(two, "bob").experience, character(two, "bob").available) == (8, 8)
    assert character(two, "ann").opportunity == 1
    do(two, "mars.award", who=("ann",), major_goal=True)
    assert [character(two, who).experience for who in ("ann", "bob")] == [12, 8]


@pytest.mark.rule("mars.advancement.tracking")
def test_new_characters_have_no_experience_and_what_is_left_is_gained_less_spent() -> None:
    assert (person("fighter").experience, person("fighter").spent) == (0, 0)
    session = do(alone(veteran(10)), "mars.advance", who="ann", what="skill", name="athletics")
    assert (character(session).experience, character(session).spent, character(session).available) == (10, 4, 6)


# ---------------------------------------------------------------------- prices


@pytest.mark.rule("mars.advancement.skill_cost")
@pytest.mark.parametrize("value", range(4, 21, 2))
def test_skill_steps_cost_what_the_tables_say(value: int) -> None:
    data = LEDGER["mars.advancement.skill_cost"].data
    for kind, is_complex in (("basic", False), ("complex", True)):
        assert skill_cost(value, complex_skill=is_complex) == data[f"{kind}_step"][str(value)]
        total = sum([skill_cost(each, complex_skill=is_complex) for each in range(4, value + 1, 2)])
        assert total == data[f"{kind}_total"][str(value)]


@pytest.mark.rule("mars.advancement.complex_first_step")
@pytest.mark.parametrize("example", LEDGER["mars.advancement.complex_first_step"].examples)
def test_the_first_step_of_a_complex_skill_costs_more(example: Any) -> None:
    given = example["given"]
    nobody = somebody()
    assert price(nobody, "skill", given["skill"], library()).cost.total == example["expect"]
    assert price(nobody, "skill", "martial", library()).cost.total == 4


@pytest.mark.rule("mars.advancement.skill_cost")
def test_the_worked_example_of_a_skill_step() -> None:
    one = somebody(skills={"agility": RollValue(8)})
    assert price(one, "skill", "agility", library()).cost.total == 5


@pytest.mark.rule("mars.advancement.language_cost")
@pytest.mark.parametrize("value", range(4, 21, 2))
def test_language_steps_cost_half(value: int) -> None:
    data = LEDGER["mars.advancement.language_cost"].data
    assert language_cost(value) == data["step"][str(value)]
    assert sum([language_cost(each) for each in range(4, value + 1, 2)]) == data["total"][str(value)]


@pytest.mark.rule("mars.advancement.stat_cost")
@pytest.mark.parametrize("value", range(10, 21, 2))
def test_stat_steps_cost_their_value(value: int) -> None:
    data = LEDGER["mars.advancement.stat_cost"].data
    assert stat_cost(value) == data["step"][str(value)]
    assert sum([stat_cost(each) for each in range(10, value + 1, 2)]) == data["total"][str(value)]
    one = somebody(STR=f"r{value - 2}")
    assert price(one, "stat", "STR", library()).cost.total == value


@pytest.mark.rule("mars.talent.repeat_cost")
@pytest.mark.parametrize("example", LEDGER["mars.talent.repeat_cost"].examples)
def test_a_talent_costs_one_more_for_every_time_it_is_owned(example: Any) -> None:
    given = example["given"]
    one = somebody(talents={given["talent"]: given["owned"]} if given["owned"] else {})
    assert price(one, "talent", given["talent"], library()).cost.total == example["expect"]


@pytest.mark.rule("mars.talent.repeat_cost")
def test_a_talent_of_the_archetype_counts_as_owned_once() -> None:
    assert price(person("fighter"), "talent", "toughness", library()).cost.total == 5
    assert price(person("rogue"), "talent", "toughness", library()).cost.total == 4


def test_steps_go_from_nothing_to_r4_and_then_by_two() -> None:
    assert [next_step(value) for value in (0, 4, 6, 18)] == [4, 6, 8, 20]


# ---------------------------------------------------------------------- limits


@pytest.mark.rule("mars.advancement.skill_limit")
def test_a_skill_goes_as_far_as_its_stat() -> None:
    assert skill_limit(somebody(RES="r12"), "charisma", library()).total == 12
    session = alone(veteran(skills={"charisma": RollValue(10)}))
    with pytest.raises(IllegalActionError, match="cannot go beyond r10"):
        do(session, "mars.advance", who="ann", what="skill", name="charisma")


@pytest.mark.rule("mars.advancement.skill_limit_bonus")
def test_bonuses_raise_the_limit() -> None:
    one = MarsCharacter(
        name="X",
        stats=Stats(STR=RollValue(10)),
        changes=(Change(what="STR", value=2), Change(what="athletics", value=1)),
    )
    assert skill_limit(one, "athletics", library()).total == 16


@pytest.mark.rule("mars.advancement.skill_limit_bonus")
def test_penalties_never_lower_the_limit() -> None:
    mixed = MarsCharacter(
        name="X",
        stats=Stats(STR=RollValue(10)),
        changes=(Change(what="STR", value=2), Change(what="STR", value=-3), Change(what="athletics", value=1)),
    )
    assert skill_limit(mixed, "athletics", library()).total == 16
    assert skill_limit(mixed, "athletics", library(), "net_modifier").total == 12
    cursed = mixed.changed(changes=(Change(what="STR", value=-3),))
    assert [
        skill_limit(cursed, "athletics", library(), word).total for word in ("positive_sources", "net_modifier")
    ] == [
        10,
        10,
    ]


@pytest.mark.rule("mars.advancement.skill_limit_bonus")
@pytest.mark.parametrize(("cap", "limit"), [(20, 20), (30, 24)])
def test_no_skill_goes_beyond_the_cap(cap: int, limit: int) -> None:
    great = somebody(STR="r20", changes=(Change(what="athletics", value=2),))
    assert skill_limit(great, "athletics", library(), hard_cap=cap).total == limit
    at_the_top = veteran(
        stats=Stats(STR=RollValue(20)), skills={"athletics": RollValue(20)}, changes=(Change(what="STR", value=3),)
    )
    options = MarsOptions(skill_hard_cap=cap)  # type: ignore[arg-type]
    refused = refusal(alone(at_the_top, options).scene, "ann", "skill", "athletics")
    assert (refused is None) is (cap == 30)


@pytest.mark.rule("mars.advancement.skill_limit_bonus")
@pytest.mark.parametrize(("option", "allowed"), [("positive_sources", True), ("net_modifier", False)])
def test_the_option_about_bonuses_decides_what_can_be_bought(option: Any, allowed: bool) -> None:
    mixed = veteran(
        skills={"athletics": RollValue(12)},
        background="scoundrel",
        ancestry_stats=(),
        changes=(Change(what="STR", value=1), Change(what="STR", value=-1)),
    )
    scene = alone(mixed, MarsOptions(skill_limit_bonuses=option)).scene
    assert (refusal(scene, "ann", "skill", "athletics") is None) is allowed


@pytest.mark.rule("mars.advancement.language_no_limit")
def test_languages_have_no_limit_by_stat() -> None:
    one = veteran(200, stats=Stats(INT=RollValue(8)), languages={"elven": RollValue(18)})
    session = do(alone(one), "mars.advance", who="ann", what="language", name="elven")
    assert character(session).languages["elven"] == RollValue(20)
    with pytest.raises(IllegalActionError, match="native"):
        do(alone(left(session).changed(opportunity=2)), "mars.advance", who="ann", what="language", name="elven")
    with pytest.raises(IllegalActionError, match="native"):
        do(alone(one), "mars.advance", who="ann", what="language", name="common")


@pytest.mark.rule("mars.advancement.stat_cost")
def test_r20_is_the_highest_stat() -> None:
    with pytest.raises(IllegalActionError, match="highest step"):
        do(alone(veteran(stats=Stats(STR=RollValue(20)))), "mars.advance", who="ann", what="stat", name="STR")


# ---------------------------------------------------------------------- buying


@pytest.mark.rule("mars.advancement.spending")
def test_each_thing_once_per_opportunity_and_others_beside_it() -> None:
    session = alone(veteran(40))
    do(session, "mars.advance", who="ann", what="skill", name="athletics")
    do(session, "mars.advance", who="ann", what="talent", name="toughness")
    with pytest.raises(IllegalActionError, match="since the last session"):
        do(session, "mars.advance", who="ann", what="skill", name="athletics")
    do(session, "mars.award")
    do(session, "mars.advance", who="ann", what="skill", name="athletics")
    assert character(session).skills["athletics"] == RollValue(10)
    assert [advance.cost for advance in character(session).advances] == [4, 5, 5]
    assert legality(left(session), OPTIONS, library()).ok


@pytest.mark.rule("mars.advancement.spending")
def test_nothing_is_bought_before_a_session_has_ended() -> None:
    with pytest.raises(IllegalActionError, match=r"after a session; mars\.award ends one"):
        do(alone(person("fighter", experience=50)), "mars.advance", who="ann", what="skill", name="athletics")


@pytest.mark.rule("mars.advancement.tracking")
def test_unaffordable_items_are_refused_and_change_nothing() -> None:
    session = alone(veteran(13))
    before = session.scene
    with pytest.raises(IllegalActionError, match=r"STR costs 14 experience and \w+ has 13") as refused:
        do(session, "mars.advance", who="ann", what="stat", name="STR")
    assert refused.value.rule == "mars.advancement.tracking"
    assert session.scene == before


@pytest.mark.rule("mars.advancement.stat_cost", "mars.stat.resource_behaviour")
def test_the_worked_example_of_a_stat_step() -> None:
    session = do(alone(veteran(14)), "mars.advance", who="ann", what="stat", name="STR")
    assert RollValue(14) == character(session).stats.STR
    assert character(session).available == 0
    assert status(session).health == 15  # it was full, and stays full


@pytest.mark.rule("mars.stat.resource_behaviour")
def test_damage_stays_under_a_higher_maximum() -> None:
    session = do(alone(veteran(14, wounds=Wounds(health=3))), "mars.advance", who="ann", what="stat", name="STR")
    assert status(session).health == 3


@pytest.mark.rule("mars.maneuver.number_known")
def test_a_combat_skill_gives_a_maneuver_at_every_second_step() -> None:
    one = veteran(60, stats=Stats(STR=RollValue(12), DEX=RollValue(12), INT=RollValue(8), RES=RollValue(8)))
    session = alone(one)
    do(session, "mars.advance", who="ann", what="skill", name="martial")  # r10: none
    assert len(character(session).maneuvers) == 3
    do(session, "mars.award")
    do(session, "mars.advance", who="ann", what="skill", name="martial", choices=["feint"])  # r12
    assert character(session).maneuvers[-1] == "feint"
    do(session, "mars.advance", who="ann", what="skill", name="unarmed", choices=["concussive_strike"])  # r4
    assert character(session).maneuvers[-1] == "concussive_strike"


@pytest.mark.rule("mars.advancement.spending")
def test_events_during_the_choice_of_a_maneuver_are_kept() -> None:
    session = alone(veteran(60))
    before = character(session).experience
    session.do("mars.advance", who="ann", what="skill", name="ranged")
    session.do("mars.reward", who="ann", experience=7)
    session.choose("double_shot")
    assert character(session).experience == before + 7
    assert character(session).maneuvers[-1] == "double_shot"


@pytest.mark.rule("mars.maneuver.number_known", "mars.maneuver.overview")
def test_only_maneuvers_of_the_skill_are_offered() -> None:
    session = alone(veteran(60))
    session.do("mars.advance", who="ann", what="skill", name="ranged")
    assert isinstance(session.question, Choice)
    closed = {shut.id for shut in session.question.closed}
    assert "double_shot" in session.question.ids
    assert {"heavy_strike", "wild_strike"} <= closed
    with pytest.raises(IllegalActionError):
        session.choose("wild_strike")
    session.choose("double_shot")
    assert legality(left(session), OPTIONS, library()).ok


@pytest.mark.rule("mars.talent.requirements")
def test_talents_are_open_to_everybody_who_meets_their_requirements() -> None:
    session = alone(veteran(60))
    with pytest.raises(IllegalActionError, match="needs maximum RES 13"):
        do(session, "mars.advance", who="ann", what="talent", name="diehard")
    with pytest.raises(IllegalActionError, match="needs maximum INT 11"):
        do(session, "mars.advance", who="ann", what="talent", name="teamwork")
    do(session, "mars.advance", who="ann", what="talent", name="weightlifter")  # no talent of a fighter
    assert character(session).talents["weightlifter"] == 1


@pytest.mark.rule("mars.talent.requirements")
def test_a_talent_may_need_a_trained_skill() -> None:
    untrained = veteran(60, stats=Stats(DEX=RollValue(12)), skills={})
    with pytest.raises(IllegalActionError, match="training in perception"):
        do(alone(untrained), "mars.advance", who="ann", what="talent", name="danger_sense")


@pytest.mark.rule("mars.talent.repeat_cost")
def test_a_talent_has_only_so_many_steps() -> None:
    with pytest.raises(IllegalActionError, match="9 times"):
        do(alone(veteran(60, talents={"toughness": 9})), "mars.advance", who="ann", what="talent", name="toughness")


@pytest.mark.rule("mars.advancement.story_gate")
@pytest.mark.parametrize("gate", [False, True])
def test_the_game_master_may_have_to_agree(gate: bool) -> None:
    options = MarsOptions(advancement_story_gate=gate)
    yes = ["yes"] if gate else []
    session = do(alone(veteran(), options), "mars.advance", who="ann", what="skill", name="athletics", choices=yes)
    assert character(session).skills["athletics"] == RollValue(8)
    if gate:
        session = alone(veteran(), options)
        session.do("mars.advance", who="ann", what="skill", name="athletics")
        assert session.seat == "game master"
        with pytest.raises(IllegalActionError, match="does not agree"):
            session.choose("no")
        assert character(session).skills["athletics"] == RollValue(6)


@pytest.mark.parametrize(("what", "name"), [("stat", "LUCK"), ("skill", "juggling"), ("talent", "fame")])
def test_unknown_things_are_refused(what: str, name: str) -> None:
    with pytest.raises(IllegalActionError, match="there is no"):
        do(alone(veteran()), "mars.advance", who="ann", what=what, name=name)


@pytest.mark.parametrize(("name", "allowed"), [("x" * 60, True), ("x" * 61, False), (" ", False)])
def test_a_language_has_a_name_of_usual_length(name: str, allowed: bool) -> None:
    assert (refusal(alone(veteran()).scene, "ann", "language", name) is None) is allowed


# ---------------------------------------------------------------------- checkpoints


@pytest.mark.rule("mars.advancement.checkpoints")
def test_a_checkpoint_for_every_fifty_points_gained() -> None:
    data = LEDGER["mars.advancement.checkpoints"].data
    assert checkpoints_reached(149) == 2
    assert [checkpoints_reached(points) for points in (0, 49, 50, 400, 1000)] == [0, 0, 1, 8, 8]
    session = alone(veteran(149))
    do(session, "mars.checkpoint", who="ann", stat="RES")
    do(session, "mars.checkpoint", who="ann", stat="RES")
    assert maximum(character(session), "endurance", library()).total == 15 + data["per_stat_max"]
    assert status(session).endurance == 17
    with pytest.raises(IllegalActionError, match="next checkpoint is at 150"):
        do(session, "mars.checkpoint", who="ann", stat="INT")
    assert character(session).spent == 0
    assert legality(left(session), OPTIONS, library()).ok


@pytest.mark.rule("mars.advancement.checkpoints")
def test_each_stat_at_most_twice() -> None:
    session = alone(veteran(400, checkpoints=("STR", "STR")))
    with pytest.raises(IllegalActionError, match="2 times already"):
        do(session, "mars.checkpoint", who="ann", stat="STR")
    everything = veteran(900, checkpoints=("STR", "STR", "DEX", "DEX", "INT", "INT", "RES", "RES"))
    with pytest.raises(IllegalActionError, match="every checkpoint"):
        do(alone(everything), "mars.checkpoint", who="ann", stat="STR")


@pytest.mark.rule("mars.advancement.checkpoints", "mars.advancement.skill_limit_bonus")
def test_a_checkpoint_raises_the_skill_limit() -> None:
    plain, raised = somebody(STR="r10"), somebody(STR="r10", checkpoints=("STR",))
    assert [skill_limit(one, "athletics", library()).total for one in (plain, raised)] == [10, 12]


# ---------------------------------------------------------------------- stepping back, and everything at once


@pytest.mark.rule("mars.advancement.spending")
@pytest.mark.parametrize(
    ("what", "name", "choices"),
    [
        ("stat", "STR", []),
        ("skill", "athletics", []),
        ("skill", "ranged", ["double_shot"]),
        ("language", "orc", []),
        ("talent", "toughness", []),
        ("talent", "extra_maneuver", ["feint"]),
        ("talent", "weightlifter", []),
    ],
)
def test_stepping_back_gives_everything_back(what: str, name: str, choices: list[str]) -> None:
    session = alone(veteran())
    before = left(session)
    do(session, "mars.advance", who="ann", what=what, name=name, choices=choices)
    assert left(session) != before
    do(session, "mars.step_back", who="ann")
    assert left(session) == before


@pytest.mark.rule("mars.advancement.spending")
def test_only_what_was_bought_since_the_last_session_can_be_taken_back() -> None:
    session = alone(veteran())
    with pytest.raises(IllegalActionError, match="nothing yet"):
        do(session, "mars.step_back", who="ann")
    do(session, "mars.advance", who="ann", what="skill", name="athletics")
    do(session, "mars.award")
    with pytest.raises(IllegalActionError, match="before the last session"):
        do(session, "mars.step_back", who="ann")


def test_spending_shows_everything_with_its_cost_or_the_reason() -> None:
    session = alone(veteran(12))
    session.do("mars.spend", who="ann")
    assert isinstance(session.question, Choice)
    offered = {option.id: option.cost for option in session.question.options}
    assert offered["skill:athletics"] == 4
    assert offered["stat:RES"] == 12
    closed = {shut.id: shut for shut in session.question.closed}
    assert closed["stat:STR"].reason == "STR costs 14 experience and Aldith has 12"
    assert closed["talent:diehard"].rule == "mars.talent.requirements"
    session.choose("skill:athletics")
    assert "skill:athletics" in {shut.id for shut in session.question.closed}
    session.choose("done")
    assert character(session).spent == 4


def test_everything_offered_can_be_bought_and_stays_legal() -> None:
    grown = veteran(60, checkpoints=("STR",))
    offers = [one for one in purchases(alone(grown).scene, "ann") if not isinstance(one, ClosedOption)]
    assert len(offers) > 10
    for offer in offers:
        session = alone(grown)
        what, _, name = offer.id.partition(":")
        session.do("mars.advance", who="ann", what=what, name=name)
        if isinstance(session.question, Choice):
            session.choose(session.question.ids[0])
        assert legality(left(session), OPTIONS, library()).explain() == "within the rules"
        assert character(session).spent == offer.cost


def test_money_has_nothing_to_do_with_experience() -> None:
    assert veteran().money == Fraction(10)
