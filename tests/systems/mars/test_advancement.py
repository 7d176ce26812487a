"""Advancement: awards, the price of every step, limits, once per opportunity, checkpoints, talents, stepping back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from itertools import accumulate
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import with_scene
from systems.mars.people import (
    LEDGER,
    OPTIONS,
    alone,
    character,
    do,
    left,
    library,
    person,
    session_of,
    somebody,
    veteran,
)
from systems.playing import status, words
from tablewright.engine import Choice, ClosedOption
from tablewright.errors import IllegalActionError
from tablewright.game.character.creation import CreationOption
from tablewright.systems.mars.advancement import called, purchases, refusal, session_experience
from tablewright.systems.mars.character.costs import (
    checkpoints_due,
    checkpoints_reached,
    language_cost,
    next_step,
    price,
    skill_cost,
    skill_limit,
    stat_cost,
)
from tablewright.systems.mars.character.figures import maximum
from tablewright.systems.mars.character.record import Change, Stats, Wounds
from tablewright.systems.mars.legality import beyond, legality
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.values import RollValue

STAT, LANGUAGE, REPEAT = "mars.advancement.stat_cost", "mars.skill.languages", "mars.talent.repeat_cost"
NEEDS, SKILL = "mars.talent.requirements", "mars.advancement.skill_limit"

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


@pytest.mark.rule("mars.advancement.skill_cost", "mars.advancement.language_cost", "mars.advancement.stat_cost")
@each_case(
    ("rule", "kind", "cost"),
    [
        ("skill_cost", "basic_", lambda value: skill_cost(value, complex_skill=False)),
        ("skill_cost", "complex_", lambda value: skill_cost(value, complex_skill=True)),
        ("language_cost", "", language_cost),
        ("stat_cost", "", stat_cost),
        ("stat_cost", "", lambda value: price(somebody(STR=f"r{value - 2}"), "stat", "STR", library()).cost.total),
    ],
)
def test_steps_cost_what_the_tables_say(rule: str, kind: str, cost: Callable[[int], int]) -> None:
    data = LEDGER[f"mars.advancement.{rule}"].data
    steps = {value: cost(int(value)) for value in data[f"{kind}step"]}
    assert steps == dict(data[f"{kind}step"])
    totals = {value: total for value, total in data[f"{kind}total"].items() if total}  # a stat begins at r8
    assert dict(zip(steps, accumulate(steps.values()), strict=True)) == totals


@pytest.mark.rule("mars.advancement.complex_first_step", "mars.advancement.skill_cost")
def test_steps_go_from_nothing_to_r4_and_then_by_two() -> None:
    assert [next_step(value) for value in (0, 2, 4, 6, 18)] == [4, 4, 6, 8, 20]


@pytest.mark.rule("mars.advancement.complex_first_step")
@pytest.mark.parametrize("example", LEDGER["mars.advancement.complex_first_step"].examples)
def test_the_first_step_of_a_complex_skill_costs_more(example: Any) -> None:
    given = example["given"]
    nobody = somebody()
    assert price(nobody, "skill", given["skill"], library()).cost.total == example["expect"]
    assert price(nobody, "skill", "martial", library()).cost.total == 4


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


# ---------------------------------------------------------------------- limits


@pytest.mark.rule("mars.advancement.skill_limit_bonus", "mars.advancement.skill_limit", "mars.advancement.checkpoints")
@each_case(
    ("changes", "limits"),
    [
        ([], (10, 10)),
        ([("STR", 2), ("athletics", 1)], (16, 16)),
        ([("STR", 2), ("STR", -3), ("athletics", 1)], (16, 12)),
        ([("STR", -3)], (10, 10)),  # penalties never lower the limit
    ],
)
def test_bonuses_raise_the_limit(changes: list[tuple[str, int]], limits: tuple[int, int]) -> None:
    one = somebody(STR="r10", changes=tuple([Change(what=what, value=value) for what, value in changes]))
    ways = ("positive_sources", "net_modifier")
    assert tuple([skill_limit(one, "athletics", library(), way).total for way in ways]) == limits
    raised = skill_limit(one.changed(checkpoints=("STR",)), "athletics", library())
    assert raised.total == limits[0] + 2


@pytest.mark.rule("mars.advancement.skill_limit_bonus")
@each_case(("cap", "limit"), [(20, 20), (30, 24)])
def test_no_skill_goes_beyond_the_cap(cap: Any, limit: int) -> None:
    great = somebody(STR="r20", changes=(Change(what="athletics", value=2),))
    assert skill_limit(great, "athletics", library(), hard_cap=cap).total == limit
    at_the_top = veteran(
        stats=Stats(STR=RollValue(20)), skills={"athletics": RollValue(20)}, changes=(Change(what="STR", value=3),)
    )
    scene = alone(at_the_top, MarsOptions(skill_hard_cap=cap)).scene
    assert (refusal(scene, "ann", "skill", "athletics") is None) is (cap == 30)


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


@pytest.mark.rule("mars.advancement.stat_cost", "mars.skill.languages", "mars.talent.repeat_cost")
@each_case(
    ("fields", "what", "name", "rules"),
    [
        ({"STR": "r18"}, "stat", "STR", []),
        ({"STR": "r20"}, "stat", "STR", [STAT]),
        ({"languages": {"elven": 18}}, "language", "elven", []),
        ({"languages": {"elven": 20}}, "language", "elven", [LANGUAGE]),
        ({"languages": {}}, "language", "elven", []),
        ({"native": ("elven",)}, "language", "elven", [LANGUAGE]),
        ({"talents": {"toughness": 8}}, "talent", "toughness", []),
        ({"talents": {"toughness": 9}}, "talent", "toughness", [REPEAT]),
        ({}, "talent", "toughness", []),
        ({"STR": "r12", "skills": {"athletics": 4}}, "talent", "weightlifter", [NEEDS]),
        ({"STR": "r14", "skills": {"athletics": 4}}, "talent", "weightlifter", []),
        ({"STR": "r14"}, "talent", "weightlifter", [NEEDS]),
        ({"STR": "r10", "skills": {"athletics": 8}}, "skill", "athletics", []),
        ({"STR": "r10", "skills": {"athletics": 10}}, "skill", "athletics", [SKILL]),
    ],
)
def test_the_last_step_that_can_be_bought(fields: dict[str, Any], what: Any, name: str, rules: list[str]) -> None:
    given: dict[str, Any] = {
        key: {one: RollValue(n) for one, n in value.items()} if key in ("languages", "skills") else value
        for key, value in fields.items()
    }
    one = somebody(**given)
    assert [rule for _, rule in beyond(one, what, name, OPTIONS, library())] == rules


@pytest.mark.rule("mars.advancement.language_no_limit")
def test_languages_have_no_limit_by_stat() -> None:
    one = veteran(200, stats=Stats(INT=RollValue(8)), languages={"elven": RollValue(18)})
    session = do(alone(one), "mars.advance", who="ann", what="language", name="elven")
    assert character(session).languages["elven"] == RollValue(20)
    with pytest.raises(IllegalActionError, match="native"):
        do(alone(left(session).changed(opportunity=2)), "mars.advance", who="ann", what="language", name="elven")
    with pytest.raises(IllegalActionError, match="native"):
        do(alone(one), "mars.advance", who="ann", what="language", name="common")


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


@pytest.mark.rule("mars.advancement.spending", "mars.advancement.checkpoints")
@pytest.mark.parametrize(
    ("process", "arguments"),
    [
        ("advance", {"what": "skill", "name": "athletics"}),
        ("checkpoint", {"stat": "STR"}),
        ("spend", {}),
        ("step_back", {}),
    ],
)
def test_nobody_grows_in_the_middle_of_a_fight_or_when_dead(process: str, arguments: dict[str, str]) -> None:
    with pytest.raises(IllegalActionError, match="in the middle of an encounter") as error:
        with_scene(alone(veteran()), round=1).do(f"mars.{process}", who="ann", **arguments)
    assert error.value.rule == f"mars.advancement.{'checkpoints' if process == 'checkpoint' else 'spending'}"
    with pytest.raises(IllegalActionError, match="Aldith is dead"):
        alone(veteran(wounds=Wounds(dead=True))).do(f"mars.{process}", who="ann", **arguments)


@pytest.mark.rule("mars.advancement.tracking")
def test_unaffordable_items_are_refused_and_change_nothing() -> None:
    session = alone(veteran(13))
    before = session.scene
    with pytest.raises(IllegalActionError, match=r"STR costs 14 experience and \w+ has 13") as refused:
        do(session, "mars.advance", who="ann", what="stat", name="STR")
    assert refused.value.rule == "mars.advancement.tracking"
    assert session.scene == before


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


@pytest.mark.rule("mars.maneuver.number_known", "mars.maneuver.overview", "mars.advancement.spending")
def test_only_maneuvers_of_the_skill_are_offered_and_events_during_the_choice_are_kept() -> None:
    session = alone(veteran(60))
    session.do("mars.advance", who="ann", what="skill", name="ranged")
    assert isinstance(session.question, Choice)
    closed = {shut.id for shut in session.question.closed}
    assert "double_shot" in session.question.ids
    assert {"heavy_strike", "wild_strike"} <= closed
    with pytest.raises(IllegalActionError):
        session.choose("wild_strike")
    session.do("mars.reward", who="ann", experience=7)
    session.choose("double_shot")
    assert character(session).experience == 60 + 7
    assert character(session).maneuvers[-1] == "double_shot"
    assert legality(left(session), OPTIONS, library()).ok


@pytest.mark.rule("mars.talent.requirements")
def test_talents_are_open_to_everybody_who_meets_their_requirements() -> None:
    session = alone(veteran(60))
    for name, need in (("diehard", "maximum RES 13"), ("teamwork", "maximum INT 11")):
        with pytest.raises(IllegalActionError, match=f"needs {need}"):
            do(session, "mars.advance", who="ann", what="talent", name=name)
    do(session, "mars.advance", who="ann", what="talent", name="weightlifter")  # no talent of a fighter
    assert character(session).talents["weightlifter"] == 1
    untrained = alone(veteran(60, stats=Stats(DEX=RollValue(12)), skills={}))
    with pytest.raises(IllegalActionError, match="training in perception"):
        do(untrained, "mars.advance", who="ann", what="talent", name="danger_sense")


@pytest.mark.rule("mars.advancement.story_gate")
@pytest.mark.parametrize(("gate", "word"), [(False, None), (True, "yes"), (True, "no")])
def test_the_game_master_may_have_to_agree(gate: bool, word: str | None) -> None:
    session = alone(veteran(), MarsOptions(advancement_story_gate=gate))
    session.do("mars.advance", who="ann", what="skill", name="athletics")
    assert session.seat == ("game master" if gate else None)
    if word is not None:
        with pytest.raises(IllegalActionError, match="does not agree") if word == "no" else nullcontext():
            session.choose(word)
    assert character(session).skills["athletics"] == RollValue(6 if word == "no" else 8)


@each_case(("what", "name"), [("stat", "LUCK"), ("skill", "juggling"), ("talent", "fame")])
def test_unknown_things_are_refused(what: str, name: str) -> None:
    with pytest.raises(IllegalActionError, match="there is no"):
        do(alone(veteran()), "mars.advance", who="ann", what=what, name=name)


@each_case(("name", "allowed"), [("x" * 60, True), ("x" * 61, False), (" ", False)])
def test_a_language_has_a_name_of_usual_length(name: str, allowed: bool) -> None:
    assert (refusal(alone(veteran()).scene, "ann", "language", name) is None) is allowed


@pytest.mark.rule("mars.skill.languages", "mars.advancement.language_cost")
def test_new_languages_can_be_bought_and_are_the_same_however_they_are_written() -> None:
    session = alone(veteran(20, languages={"Old Tongue": RollValue(4)}))
    offers = {one.id: one for one in purchases(session.scene, "ann") if one.id.startswith("language:")}
    assert next(iter(offers)) == "language:Old Tongue"
    assert "language:common" not in offers
    offer = offers["language:elven"]
    assert isinstance(offer, CreationOption)
    assert (offer.label, offer.cost) == ("Elven to r4", 2)
    assert refusal(session.scene, "ann", "language", "COMMON") == ("common is native", "mars.skill.languages")
    assert called(character(session), "language", "old  tongue") == "Old Tongue"
    assert called(character(session), "skill", "Martial") == "Martial"
    do(session, "mars.advance", who="ann", what="language", name=" Elven ")
    do(session, "mars.advance", who="ann", what="language", name="old tongue")
    assert dict(character(session).languages) == {"Old Tongue": RollValue(6), "elven": RollValue(4)}


# ---------------------------------------------------------------------- checkpoints


@pytest.mark.rule("mars.advancement.checkpoints")
def test_a_checkpoint_for_every_fifty_points_gained() -> None:
    points = {0: 0, 49: 0, 50: 1, 99: 1, 100: 2, 399: 7, 400: 8, 1000: 8}
    assert {experience: checkpoints_reached(experience) for experience in points} == points
    data = LEDGER["mars.advancement.checkpoints"].data
    session = alone(veteran(149))
    do(session, "mars.checkpoint", who="ann", stat="RES")
    do(session, "mars.checkpoint", who="ann", stat="RES")
    assert maximum(character(session), "endurance", library()).total == 15 + data["per_stat_max"]
    assert status(session).endurance == 17
    with pytest.raises(IllegalActionError, match="next checkpoint is at 150"):
        do(session, "mars.checkpoint", who="ann", stat="INT")
    assert character(session).spent == 0
    assert legality(left(session), OPTIONS, library()).ok


@pytest.mark.rule("mars.advancement.checkpoints", "mars.advancement.tracking")
def test_each_stat_at_most_twice() -> None:
    session = alone(veteran(200, checkpoints=("STR", "STR", "DEX")))
    found = {one.id: one for one in purchases(session.scene, "ann") if one.id.startswith("checkpoint")}
    assert [name for name, one in found.items() if isinstance(one, ClosedOption)] == ["checkpoint:STR"]
    assert len(found) == 4
    with pytest.raises(IllegalActionError, match="was chosen 2 times already"):
        do(session, "mars.checkpoint", who="ann", stat="STR")
    everything = veteran(900, checkpoints=("STR", "STR", "DEX", "DEX", "INT", "INT", "RES", "RES"))
    with pytest.raises(IllegalActionError, match="every checkpoint"):
        do(alone(everything), "mars.checkpoint", who="ann", stat="STR")
    assert [checkpoints_due(veteran(experience)) for experience in (49, 200)] == [0, 4]


@pytest.mark.rule("mars.advancement.checkpoints")
def test_checkpoints_that_are_due_are_told_and_offered() -> None:
    session = alone(person("fighter"))
    do(session, "mars.award", bonus=46)
    assert checkpoints_due(character(session)) == 0
    do(session, "mars.reward", who="ann", experience=1)
    assert "a checkpoint is due" not in words(session)[-2]
    assert "1 experience; a checkpoint is due" in words(session)[-1]
    do(session, "mars.award")
    assert "3 experience; a checkpoint is due" in words(session)[-1]
    session.do("mars.spend", who="ann")
    session.choose("checkpoint:DEX")
    session.choose("done")
    assert character(session).checkpoints == ("DEX",)
    assert character(session).spent == 0
    assert [one.id for one in purchases(session.scene, "ann") if one.id.startswith("checkpoint")] == []


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
def test_stepping_back_takes_one_purchase_and_leaves_the_others() -> None:
    session = alone(veteran(60))
    before = [left(session)]
    for what, name in (("skill", "athletics"), ("talent", "toughness"), ("stat", "RES")):
        do(session, "mars.advance", who="ann", what=what, name=name)
        before.append(left(session))
    for earlier in reversed(before[:-1]):
        do(session, "mars.step_back", who="ann")
        assert left(session) == earlier


@pytest.mark.rule("mars.stat.resource_behaviour", "mars.advancement.spending", "mars.advancement.stat_cost")
@pytest.mark.parametrize(("health", "after"), [(13, 15), (12, 12), (1, 1)], ids=["full", "hurt", "badly hurt"])
def test_a_full_resource_stays_full_under_a_higher_maximum_and_back(health: int, after: int) -> None:
    session = alone(veteran(14, wounds=Wounds(health=health)))
    do(session, "mars.advance", who="ann", what="stat", name="STR")
    assert (character(session).stats.STR, character(session).available) == (RollValue(14), 0)
    assert status(session).health == after
    do(session, "mars.step_back", who="ann")
    assert status(session).health == health


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
