"""Conditions, chemicals and diseases by the clock, coated blades, and what a character takes from scene to scene."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, last
from systems.playing import asked as offered
from systems.renaissance.fights import (
    at_home,
    duel,
    fighter,
    held,
    playing,
    then,
    went,
    with_pack,
    with_status,
)
from systems.renaissance.folk import OPTIONS, library, refused
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.checks import Subject
from tablewright.game.play.common_events import ParticipantJoined
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.game.session.views import project_session
from tablewright.game.time.clock import Clock
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.gear import coating_of
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import Job
from tablewright.systems.renaissance.values import DAY

ANN = fighter("Ann", race="human")
BOB = fighter("Bob", ("mace", "main"), race="human")


def passes(session: Session, amount: str, *answers: Any) -> Any:
    """Ann's status some time later."""
    session.do("table.pass_time", amount=amount)
    answer(session, *answers)
    assert session.question is None
    return session.scene["ann"].status


def target(scene: Scene, check: str, **situation: Any) -> int:
    """The target of a check of Ann's."""
    found = rulebook.check(check).read(rulebook.subject(scene["ann"], scene), situation)
    return found.tallies["target"].total


def fray(session: Session) -> int:
    """Ann's Fray."""
    return now(session.scene, "ann").skill("fray").total


def initiative(session: Session) -> int:
    """Ann's INIT."""
    return now(session.scene, "ann").numbers.INIT


# ---------------------------------------------------------------------- bleeding


@pytest.mark.rule(
    "renaissance.condition.bleeding", "renaissance.condition.framework", "renaissance.condition.system_option"
)
def test_bleeding_costs_a_point_a_minute_until_it_is_stopped() -> None:
    session = playing(at_home(ANN, BOB), "renaissance.inflict", who="ann", condition="bleeding")
    assert passes(session, "3 minutes").damage == 3
    then(session, "stop_bleeding", 50, who="ann", by="bob")
    assert passes(session, "10 minutes").damage == 4  # one more during the minute of the task
    without = at_home(ANN, BOB, conditions_system=False)
    assert not went(without, process="renaissance.inflict", who="ann", condition="bleeding").scene["ann"].status.lasting


@pytest.mark.rule("renaissance.condition.bleeding")
@pytest.mark.parametrize(("skill", "more"), [("search", 20), ("perception", 20), ("stealth", 0)])
def test_blood_shows_the_way_to_pursuers(skill: str, more: int) -> None:
    scene = at_home(ANN, BOB)
    bleeds = held(scene, "bob", "bleeding")
    assert target(bleeds, skill, follows="bob") == target(bleeds, skill) + more
    assert target(scene, skill, follows="bob") == target(scene, skill)
    with pytest.raises(InvalidInputError, match="needs a scene"):
        rulebook.check(skill).read(Subject(ANN, OPTIONS, library()), {"follows": "bob"})


# ---------------------------------------------------------------------- potions


def dosed(chemical: str, *answers: Any, **status: Any) -> Session:
    """Ann has something in her blood."""
    scene = with_status(at_home(ANN, BOB), "ann", **status)
    return went(scene, *answers, process="renaissance.dose", who="ann", chemical=chemical)


@pytest.mark.rule("renaissance.chemical.potion", "renaissance.gap.chemical.list")
def test_a_potion_is_drunk_with_a_quick_action() -> None:
    scene = duel(fighter("Ann", ("monster", "pack"), race="human"), BOB)
    before = now(scene, "ann").numbers
    session = went(scene, "drink::monster")
    after = now(session.scene, "ann").numbers
    changes = {
        figure: getattr(after, figure) - getattr(before, figure) for figure in ("DUR", "STR", "WT", "DR", "INIT")
    }
    assert changes == {"DUR": 10, "STR": 10, "WT": 2, "DR": 20, "INIT": 0}
    assert after.aptitudes["SAV"] - before.aptitudes["SAV"] == -10
    assert session.scene["ann"].status.durability == 40
    assert session.scene["ann"].status.spent == {"quick": 1}
    session.do("table.pass_time", amount="1 hour")
    assert session.scene["ann"].status.durability == 30


@pytest.mark.rule("renaissance.core.stacking", "renaissance.chemical.framework", "renaissance.gap.chemical.list")
def test_two_doses_of_stim_count_twice_each_for_its_hour() -> None:
    session = dosed("stim")
    usual, found = initiative(session) - 2, []
    passes(session, "20 minutes")
    then(session, "dose", who="ann", chemical="stim")
    for amount in ("39 minutes", "1 minute", "19 minutes", "1 minute"):
        found.append(initiative(session) - usual)
        passes(session, amount)
    assert found == [4, 4, 2, 2]
    assert initiative(session) == usual


@pytest.mark.rule("renaissance.gap.chemical.list", "renaissance.injury.negate")
def test_healing_and_numbing_draughts() -> None:
    session = dosed("healing_draught", damage=9)
    assert target(session.scene, "resist_disease") == 2 * 30 + 10
    assert passes(session, "23 hours").damage == 9
    assert passes(session, "1 hour").damage == 9 - 1 - 1  # and a day of rest
    assert target(session.scene, "resist_disease") == 2 * 30
    session = dosed("numbing", wounds=2)
    numb = (fray(session), initiative(session))
    passes(session, "1 hour")
    assert numb == (fray(session) + 10, initiative(session) - 2)


@pytest.mark.rule("renaissance.gap.chemical.list")
def test_the_healing_potion_heals_by_the_hour_and_then_a_wound() -> None:
    session = dosed("healing_potion", damage=8, wounds=2)
    for hour in range(1, 9):
        assert passes(session, "1 hour").damage == 8 - hour
    status = passes(session, "3 hours")
    assert (status.damage, status.wounds) == (0, 2)
    assert passes(session, "1 hour").wounds == 1  # after twelve hours
    status = passes(dosed("healing_potion", damage=20, wounds=2), "12 hours")
    assert (status.damage, status.wounds) == (8, 2)  # only once the damage is gone


@pytest.mark.rule("renaissance.chemical.potion", "renaissance.chemical.poison")
def test_potions_and_poisons_of_your_own_are_used_up_outside_of_combat() -> None:
    ann = fighter("Ann", ("dagger", "off"), ("stim", "pack"), ("blade_venom", "pack"), race="human")
    session = went(at_home(ann), process="renaissance.dose", who="ann", chemical="stim", own=True)
    assert session.scene["ann"].status.has("chemical")
    for why, given in (
        ("Ann has no Stim", {"chemical": "stim", "own": True}),
        ('holds no "mace"; in hand: dagger@off', {"chemical": "blade_venom", "weapon": "mace", "own": True}),
        ("Stim is not for weapons", {"chemical": "stim", "weapon": "dagger@off"}),
    ):
        refused(session, "dose", why, who="ann", **given)
    then(session, "dose", who="ann", chemical="blade_venom", weapon="dagger", own=True)
    status = session.scene["ann"].status
    assert status.coated == (("dagger@off", "blade_venom"),)
    assert [one.item for one in status.belongings] == ["dagger"]
    with pytest.raises(IllegalActionError):
        went(duel(ann, BOB), process="renaissance.dose", who="ann", chemical="stim", own=True)


# ---------------------------------------------------------------------- poisons


@pytest.mark.rule("renaissance.chemical.framework", "renaissance.chemical.poison", "renaissance.injury.damage_track")
def test_a_poison_has_an_onset_a_resistance_check_and_a_duration() -> None:
    session = dosed("blade_venom")
    dead = playing(with_status(session.scene, "ann", dead=True, damage=60), "table.pass_time", amount="2 turns")
    assert dead.question is None  # the dead resist nothing any more
    assert passes(session, "3 seconds", 61, 8, 10).damage == 8  # DUR x2 = 60: failed
    assert passes(session, "1 minute", 5).damage == 13
    assert passes(dosed("blade_venom"), "3 seconds", 60, 8).damage == 4  # half


@pytest.mark.rule("renaissance.gap.chemical.list", "renaissance.chemical.framework")
def test_scour_in_the_cup_eats_for_ten_turns() -> None:
    session = dosed("swallowed_scour", (1, 1, 1))
    assert session.scene["ann"].status.damage == 3
    for turn in range(2, 11):
        assert passes(session, "3 seconds", (1, 1, 1)).damage == 3 * turn
    assert passes(session, "1 minute").damage == 30  # ten times 3 and no more


GLOOM = """chemicals:
  - id: gloom
    name: Gloom
    nature: poison
    duration: 3600
    resist: WIL
    spares: %s
    grants: [{grant: bonus, what: any, value: -15}, {grant: figure, figure: INIT, value: -1}]
    tolls: [{dv: 1d10+1, every: 60, first: true}]
"""


@pytest.mark.rule("renaissance.chemical.framework")
@pytest.mark.parametrize(
    ("spares", "rolled", "less", "slower", "damage"),
    [("half", 21, 15, 1, 6), ("half", 20, 7, 0, 3), ("all", 20, 0, 0, 0), ("all", 21, 15, 1, 6)],
)
def test_a_character_who_resists_is_spared_half_or_all(
    spares: str, rolled: int, less: int, slower: int, damage: int
) -> None:
    scene = with_pack(at_home(ANN, BOB), GLOOM % spares)
    before = playing(scene, "renaissance.luck", who="bob", why="session")
    session = went(scene, rolled, *([5] if damage else []), process="renaissance.dose", who="ann", chemical="gloom")
    if session.question is not None:
        answer(session, 0)  # stays upright
    status = session.scene["ann"].status
    assert fray(session) == fray(before) - less - 10 * status.wounds
    assert initiative(session) == initiative(before) - slower
    assert status.damage == damage


# ---------------------------------------------------------------------- coated blades

VENOM = (("dagger", "blade_venom"),)
DAGGERS = fighter("Ann", ("dagger", "main"), ("dagger", "pack"), race="human")
CID = fighter("Cid", race="human")


def coated(session: Session, who: str = "ann") -> Any:
    """The coatings of a character's blades."""
    return session.scene[who].status.coated


@pytest.mark.rule("renaissance.chemical.weapon_poison")
def test_a_coated_weapon_poisons_with_the_first_wound() -> None:
    ann = fighter("Ann", ("short_sword", "main"), ("blade_venom", "pack"))
    scene = duel(ann, fighter("Bob", ("plate", "worn"), race="human"))
    strike = ("attack:bob:short_sword", "plain", 20, 99)
    session = went(scene, "coat::blade_venom/short_sword", "end_turn", "end_turn", *strike, (1, 1))
    assert session.scene["bob"].status.wounds == 0
    assert coated(session)
    answer(session, "end_turn", "end_turn", *strike, (9, 9), 10)
    assert last(session, "Attacked").poisoned == "blade_venom"
    assert coated(session) == ()
    assert session.scene.clock.left("onset", who="bob") == 3


@pytest.mark.rule("renaissance.chemical.weapon_poison", "renaissance.ranged.rules")
def test_two_blades_of_a_kind_are_coated_each_by_itself() -> None:
    ann = fighter("Ann", ("dagger", "main"), ("dagger", "off"), ("blade_venom", "pack"))
    ways = offered(playing(duel(ann, BOB)))
    coats = ["coat::blade_venom/dagger", "coat::blade_venom/dagger@off"]
    assert [one for one in ways if one.startswith("coat")] == coats
    scene = with_status(held(duel(ann, BOB), "bob", "unaware"), "ann", coated=(("dagger@off", "blade_venom"),))
    main = went(scene, "attack:bob:dagger", "plain", 20, 9, 0)
    assert (last(main, "Attacked").poisoned, coated(main)) == ("", (("dagger@off", "blade_venom"),))
    off = went(scene, "attack:bob:dagger@off", "plain", 20, 9, 0)
    assert (last(off, "Attacked").poisoned, coated(off)) == ("blade_venom", ())
    thrown = went(scene, "attack:bob:dagger@off~thrown_weapons", "plain", 99)
    assert [one.place for one in thrown.scene["ann"].status.belongings] == ["main", "pack"]
    assert coated(thrown) == (("dagger@ground", "blade_venom"),)  # it went with the blade
    single = with_status(scene, "ann", belongings=(ItemStack("dagger", 1, "main"),))
    assert last(went(single, "attack:bob:dagger", "plain", 20, 9, 0), "Attacked").poisoned == "blade_venom"


@pytest.mark.rule("renaissance.chemical.weapon_poison")
def test_a_coated_blade_that_wounds_nobody_is_coated_where_it_lies() -> None:
    scene = with_status(duel(DAGGERS, CID, 2), "ann", coated=VENOM)
    session = went(scene, "attack:cid:dagger~thrown_weapons", "plain", 99)
    assert coated(session) == (("dagger@ground", "blade_venom"),)
    answer(session, "draw::dagger", "end_turn")
    assert coating_of_the_hand(session.scene) == ""  # the other one of the kind
    answer(session, "pick_up::dagger")
    assert (coated(session), coated(session, "cid")) == ((), VENOM)
    assert (session.scene.loose_items, [one.item for one in session.scene["cid"].status.belongings]) == ((), ["dagger"])
    wounds = went(scene, "attack:cid:dagger~thrown_weapons", "plain", 40, 99, 9, 0)
    assert (last(wounds, "Attacked").poisoned, coated(wounds)) == ("blade_venom", ())


def coating_of_the_hand(scene: Scene) -> str:
    """The coating of the dagger in Ann's main hand."""
    status = scene["ann"].status
    return coating_of(status.coated, status.belongings, "dagger", "main")[1]


@pytest.mark.rule("renaissance.chemical.weapon_poison")
def test_a_coated_blade_that_is_dropped_or_struck_from_the_hand_keeps_its_coating() -> None:
    scene = duel(fighter("Ann", ("dagger", "off"), race="human"), BOB)
    session = went(with_status(scene, "ann", coated=(("dagger@off", "blade_venom"),)), "drop_item::dagger@off")
    assert coated(session) == (("dagger@ground", "blade_venom"),)
    answer(session, "pick_up::dagger")
    assert coated(session) == VENOM
    assert coating_of_the_hand(session.scene) == "blade_venom"
    struck = with_status(duel(BOB, DAGGERS), "ann", coated=VENOM)
    assert coated(went(struck, "maneuver:ann:disarm/dagger", 40, 99)) == (("dagger@ground", "blade_venom"),)


# ---------------------------------------------------------------------- diseases


@pytest.mark.rule("renaissance.disease.exposure", "renaissance.chemical.weapon_poison")
@pytest.mark.parametrize(("resisted", "caught"), [(99, ("flu",)), (10, ())])
def test_a_blade_coated_with_a_disease_infects_the_wounded(resisted: int, caught: tuple[str, ...]) -> None:
    flu = {"who": "ann", "disease": "flu"}
    session = went(at_home(DAGGERS, BOB), process="renaissance.expose", weapon="dagger", **flu)
    assert coated(session) == (("dagger", "flu"),)
    refused(session, "expose", "in hand: dagger", weapon="mace", **flu)
    scene = with_status(duel(DAGGERS, BOB), "ann", coated=coated(session))
    fight = went(scene, "attack:bob:dagger", "plain", 20, 99, 10, 0, resisted)
    assert fight.scene["bob"].status.incubating == caught
    assert coated(fight) == ()
    assert last(fight, "Attacked").poisoned == ""  # no one learns of it


def exposed(disease: str, rolled: int) -> Session:
    """Ann is exposed to a disease."""
    return went(at_home(ANN, BOB), rolled, process="renaissance.expose", who="ann", disease=disease)


@pytest.mark.rule("renaissance.disease.course", "renaissance.disease.framework", "renaissance.disease.flu")
def test_the_flu_from_infection_to_its_end() -> None:
    assert exposed("flu", 60).scene["ann"].status.incubating == ()  # DUR x2
    session = exposed("flu", 61)
    assert project_session(session, "ann") == project_session(exposed("flu", 60), "ann")  # no one knows
    before = fray(session)
    assert passes(session, "1 day").has("disease")
    assert fray(session) == before - 10
    assert passes(session, "2 days").has("disease")
    status = passes(session, "1 day")
    assert (status.has("disease"), status.damage) == (False, 0)


@pytest.mark.rule("renaissance.disease.black_death")
def test_the_black_death_from_infection_to_its_end() -> None:
    assert exposed("black_death", 30).scene["ann"].status.incubating == ()  # DUR
    session = exposed("black_death", 31)
    passes(session, "2 days")
    session.do("table.pass_time", amount="8 days")
    for day in range(7):
        answer(session, 4)  # each day 1d10, less a point that heals
        assert session.scene["ann"].status.damage == 3 + 3 * day - (day == 6)  # the tenth day ends as well
    assert session.question is None
    assert session.scene["ann"].status.lasting == ()


@pytest.mark.rule("renaissance.disease.raking_cough")
def test_the_raking_cough_from_infection_to_death() -> None:
    session = exposed("raking_cough", 61)
    for month in range(6):
        assert passes(session, "30 days").durability == 30 - 5 * month
    assert now(session.scene, "ann").numbers.WT == 1
    assert passes(session, "30 days").dead


@pytest.mark.rule("renaissance.disease.treatment", "renaissance.gap.disease.defaults")
@pytest.mark.parametrize(("resisted", "ill"), [(60, False), (61, True)])  # 60 + 10 - 10
def test_treatment_gives_one_more_check_at_ten_more_once_a_day(resisted: int, ill: bool) -> None:
    session = exposed("flu", 61)
    passes(session, "1 day")
    then(session, "treat", 50, resisted, who="ann", by="bob", disease="flu")
    assert session.scene["ann"].status.has("disease") is ill
    assert session.scene.clock.now == DAY + 3_600
    if ill:
        refused(session, "treat", "once a day", who="ann", by="bob", disease="flu")


@pytest.mark.rule("renaissance.disease.treatment", "renaissance.gap.race.list")
def test_a_gnoll_s_stomach_counts_when_a_disease_is_treated() -> None:
    meat = "diseases:\n  - {id: bad_meat, name: Bad meat, resist: DUR, onset: 0, duration: 9, food_borne: true}\n"
    scene = with_pack(at_home(fighter("Ann", race="gnoll"), BOB), meat)
    session = went(scene, 56, process="renaissance.expose", who="ann", disease="bad_meat")  # DUR 35 and 20
    assert session.scene["ann"].status.has("disease")
    then(session, "treat", 20, 65, who="ann", by="bob", disease="bad_meat")  # and 10 for the treatment
    assert not session.scene["ann"].status.has("disease")


# ---------------------------------------------------------------------- from scene to scene


def elsewhere(session: Session) -> Session:
    """Another scene, at another time, into which Ann comes as she left the first."""
    character = session.rulebook.export_character(session.scene, "ann")
    other = rulebook.open_scene(replace(at_home(BOB), clock=Clock(500_000)))
    comes = rulebook.participant(character, other.options, library(), id="ann", side="party", seat="ann")
    scene = rulebook.apply(other, ParticipantJoined(who="ann", name="Ann", side="party", participant=comes))
    return playing(scene, "renaissance.luck", who="bob", why="session")


@pytest.mark.rule("renaissance.chemical.framework")
def test_a_potion_ends_after_its_time_also_where_a_character_goes_elsewhere() -> None:
    session = dosed("stim")
    passes(session, "20 minutes")
    there = elsewhere(session)
    assert passes(there, "39 minutes").has("chemical")
    assert not passes(there, "1 minute").has("chemical")


@pytest.mark.rule("renaissance.disease.course", "renaissance.disease.black_death", "renaissance.disease.flu")
def test_a_disease_goes_on_elsewhere_and_ends_on_its_day() -> None:
    session = exposed("black_death", 31)
    passes(session, "4 days", 4, 4)  # three of onset, and two of seven
    there = elsewhere(session)
    assert there.scene["ann"].status.has("unconscious")
    assert passes(there, "5 days", *[4] * 5).has("disease")
    status = passes(there, "1 day")
    assert (status.has("disease"), status.has("unconscious")) == (False, False)
    there = elsewhere(exposed("flu", 61))
    assert there.scene["ann"].status.incubating == ("flu",)  # which does not show yet
    assert passes(there, "1 day").has("disease")
    assert not passes(there, "3 days").has("disease")


@pytest.mark.rule("renaissance.chemical.weapon_poison", "renaissance.action.job")
def test_coated_blades_and_unfinished_work_go_along_and_effects_in_rounds_do_not() -> None:
    jobs = (Job("a wall", 1_200, True), Job("a chair", 480_000))
    scene = with_status(at_home(ANN, BOB), "ann", coated=VENOM, work=(("rain/mage/design", 3),), jobs=jobs)
    status = elsewhere(playing(scene, "renaissance.plan", who="ann", job="a wall")).scene["ann"].status
    assert (status.coated, status.work) == (VENOM, (("rain/mage/design", 3),))
    assert (status.jobs, status.plan.what) == (jobs, "a wall")
    ground = (("dagger@ground", "blade_venom"), ("mace@ground", "blade_venom"))
    left = playing(with_status(at_home(DAGGERS, BOB), "ann", coated=ground), "renaissance.plan", who="ann")
    assert elsewhere(left).scene["ann"].status.coated == VENOM  # only what was taken along
    scene = held(duel(ANN, BOB), "ann", "burning", "bleeding")
    kept = rulebook.export_character(scene, "ann").harm.held
    assert [one.id for one in kept] == ["bleeding"]
