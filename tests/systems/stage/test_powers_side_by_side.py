"""Powers beside each other: what is ignored twice, uses of one power by several or for several things, more targets."""

from __future__ import annotations

import pytest

from systems.playing import status
from systems.stage.fights import act, closed, duel, offered, place, session_with
from systems.stage.people import OPTIONS, somebody
from tablewright.game.character.belongings import ItemStack
from tablewright.systems.stage.now import pool
from tablewright.systems.stage.values import SCHOOLS, SKILLS


@pytest.mark.rule("stage.power_effect.war_cry", "stage.power_effect.ignore_disability")
@pytest.mark.parametrize(("lost", "before"), [(2, 3), (5, 1), (9, 1)])
def test_counters_that_are_ignored_anyway_are_not_given_back_twice(lost: int, before: int) -> None:
    ann = somebody(3, powers=("war_cry", "athletes_constitution"))
    session = duel(ann, somebody(3), mine={"vitality": 24 - lost})
    assert pool(session.scene, "ann", "brawl.attack").dice.total == before
    act(session, "power::war_cry", faces=[[1]])
    assert pool(session.scene, "ann", "brawl.attack").dice.total == 3


@pytest.mark.rule("stage.power_effect.convert_disability", "stage.power_effect.ignore_disability")
def test_last_stand_turns_counters_that_are_ignored_into_dice_once() -> None:
    amy = somebody(3, powers=("athletes_constitution",))
    people = [
        place(somebody(3, powers=("last_stand",)), "party", who="ann"),
        place(amy, "party", who="amy", vitality=22),
    ]
    session = session_with([*people, place(somebody(3), "foes", who="bob")])
    act(session, "power:amy:last_stand")
    assert pool(session.scene, "amy", "brawl.attack").dice.total == 5


@pytest.mark.rule("stage.power_effect.low_load_bonus")
def test_lightweight_works_under_a_light_load_alone() -> None:
    ann = somebody(agility=2, guile=1, perception=1, academics=1, powers=("lightweight",))
    laden = ann.changed(belongings=(ItemStack("plate_harness", place="worn"),))
    session = duel(laden, somebody(1))
    assert closed(session, "power") == ("too much load", "stage.power.reuse")
    session = duel(ann, somebody(1))
    act(session, "power::lightweight")
    assert pool(session.scene, "ann", "agility.dodge").flat.total == 2
    heavy = session.scene.with_status("ann", belongings=laden.belongings)
    assert pool(heavy, "ann", "agility.dodge").flat.total == -3  # the load alone


@pytest.mark.rule("stage.power_effect.target_penalty", "stage.opposed.basic")
def test_two_users_of_a_power_each_hinder_against_themselves() -> None:
    loud = somebody(3, powers=("bring_it_on",))
    session = duel(loud, somebody(3), place(loud, "party", who="amy"))
    for who in ("ann", "amy", "ann"):
        act(session, "power::bring_it_on", who=who)
    for who in ("ann", "amy"):
        against = pool(session.scene, "bob", "perception.intuition", against=who, words=("opposed",))
        assert against.dice.total == 2
    assert pool(session.scene, "bob", "perception.intuition").dice.total == 3


@pytest.mark.rule("stage.power_effect.target_penalty", "stage.power_effect.group_bonus")
def test_any_skill_can_be_named_and_several_one_after_the_other() -> None:
    session = duel(somebody(3, powers=("discourage",)), somebody(3))
    uses = [use for use in offered(session) if use.startswith("power:bob:discourage=")]
    assert {use.partition("=")[2] for use in uses} == set(SKILLS)
    for skill in ("brawl", "survival", "brawl"):
        act(session, f"power:bob:discourage={skill}")
    pools = [pool(session.scene, "bob", key).dice.total for key in ("brawl.attack", "survival.track", "agility.dodge")]
    assert pools == [2, 2, 3]
    dull = duel(somebody(3, powers=("discourage",)), somebody(3), options=OPTIONS.put("magic", "off"))
    named = {use.partition("=")[2] for use in offered(dull) if use.startswith("power:bob:discourage=")}
    assert named == set(SKILLS) - set(SCHOOLS)


@pytest.mark.rule("stage.power_effect.dice_per_resource")
def test_of_dice_bought_twice_the_most_count() -> None:
    session = duel(somebody(5, powers=("braggadocio",)), somebody(1), mine={"ap": 9})
    for points in (2, 4, 1):
        act(session, f"power::braggadocio={points}")
    assert pool(session.scene, "ann", "brawl.attack").dice.total == 9


@pytest.mark.rule("stage.power_effect.more_targets", "stage.power_effect.target_penalty")
def test_inspire_fear_reaches_more_in_the_cube_than_the_level() -> None:
    ann = somebody(1, intimidate=2, powers=("bring_it_on", "inspire_fear"))
    session = session_with([place(ann, "party", who="ann"), *[place(somebody(1), "foes", who=f) for f in "bcd"]])
    will = status(session).will
    act(session, "power::bring_it_on", choices={"who is reached?": ["b", "d"], "another target?": "c"})
    assert [status(session, foe).held("bring_it_on") is not None for foe in "bcd"] == [True, True, True]
    assert will - status(session).will == 2


@pytest.mark.rule("stage.power_effect.area_damage", "stage.check.botch")
def test_a_botched_outburst_fails_against_everybody() -> None:
    options = OPTIONS.put("power_prerequisites", "none")
    ann = somebody(creativity=1, agility=1, academics=1, powers=("rage",))
    session = duel(ann, somebody(1), options=options)
    act(session, "power::rage", faces=[[1], [1]])  # a 1 reaches 1, but it is a botch
    assert status(session, "bob").will == 8
