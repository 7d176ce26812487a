"""Rules beside blows: Fast Healing while time passes, days of rest and of work, flames, warnings, full hands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, events
from systems.playing import asked as offered
from systems.renaissance.fights import at_home, closed, fighter, goal, held, playing, scene_with, went, with_status
from systems.renaissance.folk import library, person, session_of, somebody
from tablewright.engine import Trace
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.content.packs import read_pack
from tablewright.game.scene.evolve import evolve
from tablewright.systems.renaissance.content import KINDS
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import Plan

ANN = fighter("Ann", ("short_sword", "main"))
MINUTE, DAY = 60, 86_400


# ---------------------------------------------------------------------- Fast Healing


@pytest.mark.rule("renaissance.healing.fast_healing_ref", "renaissance.gap.state.fast_healing")
def test_fast_healing_goes_on_while_time_passes() -> None:
    scene = with_status(at_home(fighter("Orc", race="orc"), ANN), "orc", damage=25, wounds=2)
    session = playing(with_status(scene, "ann", damage=9), "table.pass_time", amount="1 minute")
    assert (session.scene["orc"].status.damage, session.scene["ann"].status.damage) == (5, 9)
    session.do("table.pass_time", amount="2 turns")
    assert session.scene["orc"].status.damage == 3
    session.do("table.pass_time", amount="1 minute")
    assert (session.scene["orc"].status.damage, session.scene["orc"].status.wounds) == (0, 2)
    session.do("renaissance.rest", days=1)
    assert session.scene["orc"].status.wounds == 1


@pytest.mark.rule("renaissance.gap.state.fast_healing")
def test_in_combat_fast_healing_waits_for_their_own_turn() -> None:
    orc = fighter("Orc", race="orc")
    scene = with_status(scene_with((orc, 5, 5), (ANN, 15, 5)), "orc", damage=9)
    session = went(scene, "end_turn", "end_turn")
    assert session.scene.turn == "orc"
    assert session.scene["orc"].status.damage == 7  # two turns begun, and nothing for the round between
    dead = with_status(at_home(orc, ANN), "orc", damage=80, dead=True)
    assert playing(dead, "table.pass_time", amount="1 hour").scene["orc"].status.damage == 80


@pytest.mark.rule("renaissance.gap.power.list", "renaissance.action.sustained")
def test_heal_needs_no_check_outside_of_combat() -> None:
    veyra = person("psion")
    session = session_of({"ann": veyra})
    session.do("renaissance.sustain", who="ann", what="heal")
    assert now(session.scene, "ann").numbers.fast_healing == 2


# ---------------------------------------------------------------------- flames and warnings


@pytest.mark.rule("renaissance.gap.hazard.chemicals", "renaissance.gap.hazard.fire")
def test_flames_ask_nobody_whether_they_stand() -> None:
    scene = scene_with((fighter("Ann", ("cocktail", "main")), 5, 5), (fighter("Bob"), 10, 5), (fighter("Cid"), 30, 5))
    session = went(with_status(scene, "bob", damage=28), "attack:bob:cocktail", 20, 8)
    status = session.scene["bob"].status
    assert (status.damage >= 30, status.dead, status.has("burning")) == (True, False, True)


@pytest.mark.rule("renaissance.gap.state.ambush")
def test_a_shouted_warning_wakes_every_friend() -> None:
    scene = scene_with((ANN, 5, 5), (fighter("Bob"), 6, 5), (fighter("Cid"), 30, 5))
    scene = held(scene.with_participant(replace(scene["cid"], side=scene["ann"].side)), "cid", "unaware")
    session = answer(playing(scene), "warn")
    assert not session.scene["cid"].status.has("unaware")
    assert "warn" not in offered(session), "everybody knows"


@pytest.mark.rule("renaissance.gap.state.ambush")
@pytest.mark.parametrize("struck", [True, False])
def test_an_unaware_character_is_warned_by_harm_of_this_round_alone(struck: bool) -> None:
    scene = scene_with((ANN, 5, 5), (fighter("Bob"), 6, 5), (fighter("Cid"), 30, 5))
    scene = with_status(held(scene, "cid", "unaware"), "bob", damage=5, wounds=1)  # of days ago
    blow = ("attack:bob:short_sword", "plain", 28, 99, (1, 1), 10) if struck else ()
    session = answer(playing(scene), *blow, "end_turn", "end_turn", "end_turn")
    assert session.scene.round == 2
    assert session.scene["cid"].status.has("unaware") is not struck


# ---------------------------------------------------------------------- days


@pytest.mark.rule("renaissance.healing.care_physical", "renaissance.healing.care_mental")
@pytest.mark.parametrize("works", [True, False])
def test_care_is_for_days_of_rest(works: bool) -> None:
    scene = with_status(at_home(fighter("Ann", race="human"), ANN.changed(name="Doc")), "ann", damage=9, stress=9)
    scene = with_status(scene, "ann", plan=Plan("", "doc", "doc"))
    session = playing(scene, "renaissance.rest", days=1)
    assert (session.scene["ann"].status.damage, session.scene["ann"].status.stress) == (6, 6)
    if works:
        session.do("renaissance.work", who="ann", skill="athletics", minutes=60)
        answer(session, 20)
    session.do("renaissance.rest", days=1)
    left = 5 if works else 3
    assert (session.scene["ann"].status.damage, session.scene["ann"].status.stress) == (left, left)


SMITH = somebody("Ann", COG=15, luck=0, skills={"craft:smith": 30}, belongings=(ItemStack("craft_kit"),))


@pytest.mark.rule("renaissance.gap.money.crafting", "renaissance.action.job", "renaissance.mode.down_time")
@pytest.mark.parametrize(("rolled", "seconds"), [(45, 24 * DAY + 480 * MINUTE), (46, 6 * DAY + 120 * MINUTE)])
def test_a_shift_of_making_something_is_a_day(rolled: int, seconds: int) -> None:
    session = session_of({"ann": SMITH})
    session.do("renaissance.craft", who="ann", item="shop", field="smith")
    answer(session, rolled)
    assert session.scene.clock.now == seconds


@pytest.mark.rule("renaissance.gap.money.crafting", "renaissance.mode.down_time_tasks")
def test_making_small_things_takes_hours_of_the_day() -> None:
    session = session_of({"ann": SMITH})
    for _ in range(4):
        session.do("renaissance.craft", who="ann", item="rope", field="smith")
        answer(session, 45)
    with pytest.raises(IllegalActionError, match="0 minutes left for tasks today"):
        session.do("renaissance.craft", who="ann", item="rope", field="smith")
    session.do("renaissance.rest", days=1)
    session.do("renaissance.craft", who="ann", item="rope", field="smith")


@pytest.mark.rule("renaissance.chemical.framework", "renaissance.injury.damage_track")
def test_the_dead_resist_nothing_any_more() -> None:
    human = fighter("Ann", race="human")
    session = playing(at_home(human, ANN.changed(name="Doc")), "renaissance.dose", who="ann", chemical="blade_venom")
    later = evolve(session.scene, clock=session.scene.clock)
    dead = playing(with_status(later, "ann", dead=True, damage=60), "table.pass_time", amount="2 turns")
    assert dead.question is None
    assert playing(later, "table.pass_time", amount="2 turns").question is not None


@pytest.mark.rule("renaissance.disease.treatment", "renaissance.gap.race.list")
def test_a_gnoll_s_stomach_counts_when_a_disease_is_treated() -> None:
    text = "pack: {id: more, title: More, version: '1'}\nsystem: renaissance\ndiseases:\n"
    text += "  - {id: bad_meat, name: Bad meat, origin: house, resist: DUR, onset: 0, duration: 9, food_borne: true}\n"
    both = library().with_pack(read_pack(text, KINDS))
    scene = evolve(at_home(fighter("Ann", race="gnoll"), ANN.changed(name="Doc")), library=both)
    session = playing(scene, "renaissance.expose", who="ann", disease="bad_meat")
    answer(session, 56)  # DUR 35 and 20 against what was eaten
    assert session.scene["ann"].status.has("disease")
    session.do("renaissance.treat", who="ann", by="doc", disease="bad_meat")
    answer(session, 20, 65)  # and 10 for the treatment
    assert not session.scene["ann"].status.has("disease")


# ---------------------------------------------------------------------- hands


@pytest.mark.rule("renaissance.gap.state.grabbed", "renaissance.maneuver.grab")
def test_only_beasts_grab_with_full_hands() -> None:
    for race, items, free in (
        ("gnoll", (("halberd", "both"),), False),
        ("gnoll", (("mace", "main"),), True),
        ("wolf", (), True),
        ("frozen_horror", (), True),
    ):
        scene = scene_with((fighter("Ann", *items, race=race), 5, 5), (fighter("Bob"), 6, 5))
        assert ("maneuver:bob:grab" in offered(playing(scene))) is free, race


@pytest.mark.rule("renaissance.gap.state.grabbed")
def test_a_hand_that_holds_a_character_holds_nothing_else() -> None:
    grabber = fighter("Ann", ("mace", "main"), ("dagger", "pack"), powers=("fireball",))
    scene = scene_with((grabber, 5, 5), (fighter("Bob"), 6, 5), (fighter("Cid"), 5, 6))
    assert {"maneuver:cid:grab", "draw::dagger", "use_power::fireball"} <= set(offered(playing(scene)))
    holding = held(scene, "bob", "grabbed", by="ann", source="ann")
    found = set(offered(playing(holding)))
    assert not {"maneuver:cid:grab", "draw::dagger", "use_power::fireball"} & found


@pytest.mark.rule("renaissance.maneuver.grab", "renaissance.grab.rule_option")
@pytest.mark.parametrize(("rule", "minds"), [("maneuver", False), ("mos_over_str", True)])
def test_actions_of_a_grabbed_character(rule: Any, minds: bool) -> None:
    ann = fighter("Ann", ("mace", "main"), classes=("duelist",), powers=("master",))
    scene = scene_with((ann, 5, 5), (fighter("Bob"), 6, 5), grab_rule=rule)
    session = playing(held(scene, "ann", "grabbed", by="bob", source="bob"))
    mental = {"sustain::master", "name_rival"}
    assert mental & set(offered(session)) == (mental if minds else set())
    assert "escape" in offered(session)
    assert closed(session)["attack"][1] == "renaissance.maneuver.grab"


# ---------------------------------------------------------------------- what adds up, and what is seen


@pytest.mark.rule("renaissance.core.stacking", "renaissance.chemical.framework")
def test_two_doses_count_twice_each_for_its_time() -> None:
    scene = at_home(fighter("Ann", race="human"), ANN.changed(name="Doc"))
    usual, found = now(scene, "ann").numbers.INIT, []
    session = playing(scene, "renaissance.dose", who="ann", chemical="stim")
    session.do("table.pass_time", amount="20 minutes")
    session.do("renaissance.dose", who="ann", chemical="stim")
    for _ in range(4):
        found.append(now(session.scene, "ann").numbers.INIT - usual)
        session.do("table.pass_time", amount="20 minutes")
    assert found == [4, 4, 2, 0]


@pytest.mark.rule("renaissance.core.stacking", "renaissance.gap.hazard.fire")
def test_acid_eats_while_flames_burn() -> None:
    scene = scene_with((ANN, 5, 5), (fighter("Bob"), 10, 5))
    scene = held(scene, "bob", "burning", source="scour", data="2d10", by="ann")
    scene = held(scene, "bob", "burning", source="cocktail", data="1d10+2", by="ann")
    session = went(scene, "end_turn", (1, 2), 3)
    assert [(one.by, one.damage) for one in events(session, "Hurt")] == [("scour", 3), ("fire", 5)]
    assert session.scene["bob"].status.damage == 8


@pytest.mark.rule("renaissance.gap.race.senses")
@pytest.mark.parametrize(("race", "less"), [("human", 0), ("corpse", 30), ("frozen_horror", 30)])
def test_infrared_sees_only_what_is_warm(race: str, less: int) -> None:
    scene = scene_with((fighter("Ann", ("mace", "main"), race="dwarf"), 5, 5), (fighter("Bob", race=race), 6, 5))
    dark = replace(scene, facts=scene.facts.set("light", "bob", "dark"))
    assert goal(scene, "mace") - goal(dark, "mace") == less


@pytest.mark.rule("renaissance.gap.power.list", "renaissance.movement.one_per_turn")
def test_a_character_who_has_moved_weaves_without_a_second_move() -> None:
    ann = fighter("Ann", ("mace", "main"), powers=("weave",))
    scene = scene_with((ann, 5, 5), (fighter("Bob"), 15, 5))
    session = went(scene, "move", "toward:bob")
    assert "use_power::weave" in offered(session)
    here = session.scene["ann"].position
    answer(session, "use_power::weave")
    assert (session.scene["ann"].status.has("weaving"), session.scene["ann"].position) == (True, here)
    assert session.scene.turn == "bob" or "end_turn" in offered(session)


@pytest.mark.rule(
    "renaissance.action.check_at_start", "renaissance.action.failed_task_time", "renaissance.modifier.retry"
)
@pytest.mark.parametrize(
    ("given", "rolled", "goal_", "seconds"),
    [
        ({}, (30, 20), 60, 300),
        ({}, (20, 30), 60, 60),
        ({"attempt": 2}, (30, 20), 50, 300),
        ({"steps": 2}, (30, 20), 80, 600),
    ],
)
def test_charming_is_a_task_like_others(given: Any, rolled: tuple[int, int], goal_: int, seconds: int) -> None:
    ann = fighter("Ann", powers=("charm",), skills={"persuasion": 40})
    session = playing(at_home(ann, fighter("Bob")), "renaissance.charm", who="ann", target="bob", **given)
    assert session.scene.clock.now == 0  # the check comes first
    answer(session, *rolled)
    told = [line for line in session.log if isinstance(line, Trace)][-1].tallies["a"]
    assert (told.total, session.scene.clock.now) == (goal_, seconds)
    assert session.scene["bob"].status.has("charmed") is (rolled[0] > rolled[1])


@pytest.mark.rule("renaissance.gap.power.list", "renaissance.area.blast_no_defense", "renaissance.ranged.scatter_when")
def test_an_exploding_ball_is_thrown_as_a_blast() -> None:
    mage = fighter("Ann", ("ball_of_fire", "main"), powers=("fireball", "exploding_fireball"))
    scene = scene_with((mage, 5, 5), (fighter("Bob"), 8, 5), (fighter("Cid"), 9, 5))
    session = playing(scene)
    assert {"attack:bob:ball_of_fire", "attack:bob:ball_of_fire~explodes"} <= set(offered(session))
    answer(session, "attack:bob:ball_of_fire~explodes", 20, (6, 6))  # no one defends
    answer(session, 10, 10)
    assert [(one.who, one.damage, one.doer) for one in events(session, "Hurt")] == [
        ("bob", 12, "ann"),
        ("cid", 10, "ann"),
    ]
    assert not session.scene.loose_items
    assert not session.scene["ann"].status.belongings
    missed = went(
        scene, "attack:bob:ball_of_fire~explodes", 95, 7, 3, (6, 6)
    )  # three squares west: at its maker's feet
    assert not [one for one in events(missed, "Hurt") if one.who == "ann"]
    plain = fighter("Ann", ("ball_of_fire", "main"), powers=("fireball",))
    other = playing(scene_with((plain, 5, 5), (fighter("Bob"), 8, 5)))
    assert "attack:bob:ball_of_fire~explodes" not in offered(other)
