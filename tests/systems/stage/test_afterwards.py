"""Aftermath: death, insanity, coma; rest and care; needs, travel, environments, falls, traps, ailments."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.playing import events, go, status
from systems.stage.fights import BOOK, act, duel, offered, place, session_with
from systems.stage.people import OPTIONS, person, session_of, somebody
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.scene.game import Game
from tablewright.systems.stage.chapters.hazards import place_at
from tablewright.systems.stage.events.fight import Attacked, Hurt, emit_harm
from tablewright.systems.stage.recovery import distance_covered, free_minutes
from tablewright.systems.stage.status import stands
from tablewright.systems.stage.values import DAY, HOUR


def one(**fields: Any) -> Any:
    """A character with Body 3, Mind 2 and Soul 1."""
    return somebody(**{"athletics": 1, "close_combat": 2, "medicine": 2, "perception": 1, **fields})


def together(*options: Any, **patient: Any) -> Any:
    doctor = one(has=["medicine_kit"])
    people = [place(doctor, "party", who="ann"), place(one(), "party", who="bob", **patient)]
    return session_with(people, begun=False, **({"options": options[0]} if options else {}))


# ---------------------------------------------------------------------- zero core


@pytest.mark.rule("stage.resource.death", "stage.medicine.reanimate")
@pytest.mark.parametrize(("sets", "spirit"), [("all_core", 1), ("vitality_only", 0)])
def test_the_dead_come_back_with_one_point(sets: str, spirit: int) -> None:
    options = OPTIONS.put("reanimate_sets", sets)
    session = together(options, stamina=0, vitality=0, spirit=0, died=0)
    assert status(session, "bob").dead
    assert not stands(session.scene["bob"])
    go(session, "table.pass_time", amount="4 rounds")
    go(session, "stage.reanimate", healer="ann", patient="bob", faces=[[3, 1]])
    bob = status(session, "bob")
    assert (bob.vitality, bob.spirit, bob.stamina) == (1, spirit, 0)
    assert status(session).intellect == 1
    late = together(options, stamina=0, vitality=0, died=0)
    go(late, "table.pass_time", amount="5 rounds")
    go(late, "stage.reanimate", healer="ann", patient="bob", faces=[[3, 1]])
    assert status(late, "bob").dead


@pytest.mark.rule("stage.resource.insanity", "stage.resource.coma")
def test_the_insane_go_on_and_the_comatose_lie() -> None:
    mad = duel(one(), one(), mine={"sanity": 0})
    assert status(mad).insane
    assert stands(mad.scene["ann"])
    gone = duel(one(), one(), mine={"spirit": 0})
    assert status(gone).comatose
    assert not stands(gone.scene["ann"])
    wolf = duel(person("wolf"), one())
    assert (status(wolf).insane, status(wolf).sanity) == (False, 0)


@pytest.mark.rule("stage.resource.spend")
@pytest.mark.parametrize(("last", "allowed"), [("allow", True), ("forbid", False)])
def test_a_cost_beyond_the_surface_takes_core_points(last: str, allowed: bool) -> None:
    options = OPTIONS.put("spend_last_core", last)
    session = duel(one(powers=("athlete",)), one(agility=1), options=options, mine={"stamina": 0, "vitality": 1})
    found = [use for use in offered(session) if use == "tumble"]
    assert bool(found) is allowed
    if allowed:
        act(session, "tumble", faces=[[1]])
        assert status(session).dead


# ---------------------------------------------------------------------- rest and care


@pytest.mark.rule("stage.healing.surface", "stage.upkeep.rest_need")
@pytest.mark.parametrize(("hours", "stamina"), [(8, 3), (7, 0)])
def test_eight_hours_restore_the_surface_and_fewer_nothing(hours: int, stamina: int) -> None:
    session = together(stamina=0, vitality=2, intellect=0)
    go(session, "stage.rest", who="bob", hours=hours)
    bob = status(session, "bob")
    assert (bob.stamina, bob.vitality, bob.intellect) == (stamina, 2, 2 if stamina else 0)


@pytest.mark.rule("stage.healing.recompose", "stage.gap.time.day_change")
@pytest.mark.parametrize(("scope", "will"), [("one_track", 0), ("all_tracks", 1)])
def test_recomposing_once_a_day(scope: str, will: int) -> None:
    session = together(OPTIONS.put("recompose_scope", scope), stamina=0, will=0)
    go(session, "stage.recompose", who="bob", track="stamina")
    assert (status(session, "bob").stamina, status(session, "bob").will) == (3, will)
    with pytest.raises(IllegalActionError, match="has recomposed today already"):
        go(session, "stage.recompose", who="bob", track="will")
    session = session_of({"bob": one()}, OPTIONS.put("recompose_scope", scope))
    for _ in range(2):
        go(session, "table.rule", who="bob", field="stamina", value="0", reason="a run")
        go(session, "stage.recompose", who="bob", track="stamina")
        go(session, "table.pass_time", amount="1 day")
    with pytest.raises(IllegalActionError, match="has nothing to restore: Stamina"):
        go(session, "stage.recompose", who="bob", track="stamina")


@pytest.mark.rule("stage.healing.recompose")
def test_nobody_recomposes_in_an_encounter() -> None:
    with pytest.raises(IllegalActionError, match="in the middle of an encounter"):
        go(duel(one(), one(), mine={"stamina": 0}), "stage.recompose", who="ann")


@pytest.mark.rule("stage.medicine.surgery", "stage.healing.core")
def test_surgery_restores_all_vitality_or_hurts() -> None:
    session = together(vitality=1)
    go(session, "stage.surgery", healer="ann", patient="bob", faces=[[2], [3]], choices={"dice for": "1"})
    assert status(session, "bob").vitality == 3
    assert session.scene.clock.now == 5 * HOUR
    failed = together(vitality=1)
    go(failed, "stage.surgery", healer="ann", patient="bob", faces=[[1], [2]], choices={"dice for": "1"})
    assert (status(failed, "bob").stamina, status(failed, "bob").vitality) == (1, 1)
    assert failed.scene.clock.now == 8 * HOUR
    with pytest.raises(IllegalActionError, match="cannot be both healer and patient"):
        go(together(), "stage.surgery", healer="ann", patient="ann")


@pytest.mark.rule("stage.healing.core")
def test_sanity_and_spirit_are_treated_where_the_table_has_it() -> None:
    session = together(sanity=1)
    go(session, "stage.core_treatment", healer="ann", patient="bob", faces=[[1], [6]], choices={"dice for": "1"})
    assert status(session, "bob").sanity == 2
    assert session.scene.clock.now == 2 * HOUR
    with pytest.raises(IllegalActionError, match="only spells"):
        go(
            together(OPTIONS.put("core_treatment", "none"), sanity=1),
            "stage.core_treatment",
            healer="ann",
            patient="bob",
        )


@pytest.mark.rule("stage.medicine.treatment", "stage.medicine.first_aid")
def test_treatment_and_first_aid() -> None:
    session = together(stamina=1, vitality=2)
    go(session, "stage.treatment", healer="ann", patient="bob", faces=[[2], [1]], choices={"dice for": "1"})
    assert status(session, "bob").stamina == 2
    go(session, "stage.first_aid", healer="ann", patient="bob", faces=[[3, 3]])
    assert status(session, "bob").first_aid
    assert status(session).intellect == 0
    go(session, "stage.fall", who="bob", metres=10, faces=[[3]], choices={"land?": "no"})
    assert not status(session, "bob").first_aid


@pytest.mark.rule("stage.power_effect.recovery")
def test_an_hour_of_meditation_is_a_night() -> None:
    session = session_with([place(one(powers=("meditation",)), "party", who="ann", stamina=0)], begun=False)
    go(session, "stage.meditate", who="ann")
    assert (status(session).stamina, session.scene.clock.now) == (3, HOUR)
    with pytest.raises(IllegalActionError, match="has used Meditation today already"):
        go(session, "stage.meditate", who="ann")
    twice = session_with([place(one(powers=("resolve",)), "party", who="ann", stamina=0, will=0)], begun=False)
    go(twice, "stage.recompose", who="ann")
    go(twice, "stage.recompose", who="ann", track="will")
    with pytest.raises(IllegalActionError, match="has recomposed today already"):
        go(twice, "stage.recompose", who="ann")


# ---------------------------------------------------------------------- needs and travel


@pytest.mark.rule("stage.upkeep.thirst")
def test_after_two_days_thirst_hurts_each_hour() -> None:
    session = session_with([place(one(athletics=6), "party", who="ann")], begun=False)
    go(session, "stage.live", who="ann", days=2, water=False)
    assert status(session).stamina == 8
    session.do("stage.live", who="ann", days=1, water=False, sleep=0)
    assert status(session).dead
    dry = session_with([place(one(athletics=6, brawl=6, agility=6, guile=6), "party", who="ann")], begun=False)
    go(dry, "stage.live", who="ann", days=3, water=False)
    assert dict(status(dry).blocked)["thirst"]["stamina"] == 24
    assert status(dry).stamina == 26 - 24
    go(dry, "stage.live", who="ann", days=1)
    assert "thirst" not in status(dry).blocked


@pytest.mark.rule("stage.upkeep.hunger")
def test_after_two_days_hunger_hurts_each_day() -> None:
    session = session_with([place(one(athletics=6), "party", who="ann")], begun=False)
    go(session, "stage.live", who="ann", days=4, food=False)
    assert (status(session).stamina, dict(status(session).blocked)["hunger"]["stamina"]) == (6, 2)
    step = session_with([place(one(athletics=6), "party", who="ann")], begun=False)
    for _ in range(4):
        go(step, "stage.live", who="ann", days=1, food=False)
    assert status(step) == status(session)


@pytest.mark.rule("stage.upkeep.awake")
def test_thirty_hours_awake_cost_two_points_of_body_and_mind() -> None:
    four = one(athletics=2)  # Body level 4
    session = session_with([place(four, "party", who="ann")], begun=False)
    go(session, "stage.live", who="ann", days=1, sleep=0)
    assert (status(session).stamina, status(session).intellect) == (4, 2)
    day = status(session).day
    go(session, "table.pass_time", amount="1 hour")
    awake = session_with([place(four, "party", who="ann", day=day.changed(awake=28))], begun=False)
    go(awake, "stage.live", who="ann", days=1, sleep=22)
    assert status(awake).day.awake == 2
    short = session_with([place(one(), "party", who="ann", day=day.changed(awake=0, short=4))], begun=False)
    go(short, "stage.live", who="ann", days=1, sleep=4)
    assert status(short).dead


@pytest.mark.rule("stage.travel.modes", "stage.travel.speed_use")
def test_beyond_what_a_day_allows_travel_tires() -> None:
    assert [free_minutes(2, mode) for mode in ("walk", "run", "sprint")] == [600, 120, 20]
    session = session_with([place(one(), "party", who="ann")], begun=False)
    go(session, "stage.travel", who="ann", minutes=540)
    assert status(session).stamina == 3
    go(session, "stage.travel", who="ann", minutes=119)
    assert status(session).stamina == 2
    go(session, "stage.travel", who="ann", minutes=1)
    assert status(session).stamina == 1
    go(session, "stage.travel", who="ann", minutes=20, mode="sprint")
    assert status(session).stamina == 0


@pytest.mark.rule("stage.travel.speed_table")
def test_distances_by_speed() -> None:
    assert distance_covered(1, "walk", 480) == 36
    assert distance_covered(9, "sprint", 60) == Fraction(243, 2)
    assert distance_covered(10, "sprint", 60) == 135
    assert distance_covered(10, "sprint", 60, "printed") == 125
    assert distance_covered(50, "walk", 60) == 225
    assert distance_covered(50, "walk", 60, "printed") == 270
    assert distance_covered(40, "run", 60, "printed") == 270


# ---------------------------------------------------------------------- places that harm


@pytest.mark.rule("stage.environment.cold", "stage.environment.extreme_cold", "stage.environment.extreme_cold_range")
def test_cold_bites_by_the_clock_and_shelter_comes_first() -> None:
    session = session_with([place(one(), "party", who="ann")], begun=False)
    go(session, "stage.expose", who="ann", place="cold", rounds=149)
    assert status(session).stamina == 1
    go(session, "stage.expose", who="ann", place="cold", rounds=50)
    assert (status(session).stamina, status(session).unconscious) == (0, "cold")
    go(session, "stage.rest", who="ann")
    assert status(session).stamina == 0
    go(session, "stage.shelter", who="ann")
    go(session, "stage.rest", who="ann")
    assert (status(session).stamina, status(session).unconscious) == (3, "")
    ice = session_with([place(one(), "party", who="ann")], begun=False)
    go(ice, "stage.expose", who="ann", place="extreme_cold", rounds=2)
    assert status(ice).stamina == 1
    clad = one(has=["protective_clothing@worn"])
    warm = session_with([place(clad, "party", who="ann")], begun=False)
    go(warm, "stage.expose", who="ann", place="extreme_cold", rounds=9)
    assert status(warm).stamina == 3
    assert [place_at(degrees) for degrees in (-51, -50, 0, 1)] == ["extreme_cold", "cold", "cold", None]


@pytest.mark.rule("stage.environment.heat", "stage.environment.extreme_heat")
def test_heat_takes_body_and_mind() -> None:
    session = session_with([place(one(), "party", who="ann")], begun=False)
    go(session, "stage.expose", who="ann", place="heat", rounds=100)
    assert (status(session).stamina, status(session).intellect, status(session).unconscious) == (1, 0, "heat")
    fire = session_with([place(one(), "party", who="ann")], begun=False)
    go(fire, "stage.expose", who="ann", place="extreme_heat", rounds=1)
    assert (status(fire).stamina, status(fire).intellect) == (2, 1)
    by_degrees = session_of({"ann": somebody(2)})
    go(by_degrees, "stage.expose", who="ann", celsius=120, rounds=1)
    assert events(by_degrees, "Hurt")[0].source == "extreme heat"
    ways: tuple[dict[str, Any], ...] = ({}, {"place": "cold", "celsius": -60})
    for both in ways:
        with pytest.raises(InvalidInputError, match="say one of both"):
            go(by_degrees, "stage.expose", who="ann", rounds=1, **both)
    with pytest.raises(IllegalActionError, match="20 degrees are harmless"):
        go(by_degrees, "stage.expose", who="ann", celsius=20, rounds=1)
    assert [place_at(degrees) for degrees in (49, 50, 100, 101)] == [None, "heat", "heat", "extreme_heat"]


@pytest.mark.rule("stage.environment.radiation_low", "stage.environment.radiation_high")
def test_radiation_sickens() -> None:
    session = session_with([place(one(), "party", who="ann")], begun=False)
    go(session, "stage.expose", who="ann", place="radiation_low", rounds=DAY, faces=[[2]])
    assert not status(session).sicknesses
    go(session, "stage.expose", who="ann", place="radiation_low", rounds=DAY, faces=[[1], [6, 6, 6, 6, 6, 6]])
    assert [case.ailment for case in status(session).sicknesses] == ["radiation_sickness"]
    high = session_with([place(one(), "party", who="ann")], begun=False)
    go(high, "stage.expose", who="ann", place="radiation_high", rounds=5, faces=[[1, 1, 1, 1, 1, 1]])
    assert (status(high).stamina, len(status(high).sicknesses)) == (2, 1)


@pytest.mark.rule("stage.gap.recovery.waking")
def test_a_character_who_fainted_wakes_with_a_point_after_the_cause_or_within_an_hour() -> None:
    people = [
        place(one(), "party", who="ann", stamina=0, unconscious="heat"),
        place(one(has=["medicine_kit"]), "party", who="bob"),
    ]
    session = session_with(people, begun=False)
    go(session, "stage.treatment", healer="bob", patient="ann", faces=[[3], [1]], choices={"dice for": "1"})
    assert status(session).unconscious == ""
    alone = session_with(people[:1], begun=False)
    go(alone, "stage.shelter", who="ann")
    go(alone, "table.pass_time", amount="1 hour")
    assert status(alone).unconscious == ""


@pytest.mark.rule("stage.environment.falling", "stage.athletics.land")
def test_a_fall_doubles_its_dice_and_landing_takes_off() -> None:
    session = session_with([place(one(athletics=2), "party", who="ann")], begun=False)
    go(session, "stage.fall", who="ann", metres=30, faces=[[1, 1, 1, 1], [2, 1]], choices={"land?": "yes"})
    assert status(session).stamina == 4 - 1
    go(session, "stage.fall", who="ann", metres=4)
    assert status(session).stamina == 3


@pytest.mark.rule("stage.environment.gravity")
@pytest.mark.parametrize(
    ("gravity", "damage"), [("very_high", 30), ("high", 6), ("normal", 3), ("low", 1), ("very_low", 0)]
)
def test_gravity_counts_before_landing(gravity: str, damage: int) -> None:
    session = session_with([place(one(athletics=6), "party", who="ann")], begun=False)
    go(session, "stage.fall", who="ann", metres=10, gravity=gravity, faces=[[3]], choices={"land?": "no"})
    assert events(session, "Hurt")[0].damage == damage


@pytest.mark.rule("stage.environment.gravity")
def test_without_gravity_no_fall_hurts() -> None:
    session = session_with([place(one(athletics=6), "party", who="ann")], begun=False)
    go(session, "stage.fall", who="ann", metres=10, gravity="zero", choices={"land?": "no"})
    assert not any(hurt.damage for hurt in events(session, "Hurt"))


# ---------------------------------------------------------------------- traps


@pytest.mark.rule("stage.trap.spot", "stage.trap.attack", "stage.trap.table")
def test_a_character_who_does_not_notice_a_trap_is_attacked_with_its_split() -> None:
    session = session_with([place(one(), "party", who="ann")], begun=False)
    go(session, "stage.trap", who="ann", kind="arrow_trap", faces=[[4]])
    assert session.result is False
    go(session, "stage.trap", who="ann", kind="arrow_trap", faces=[[3], [3], [5]], choices={"how to defend": "nothing"})
    assert (events(session, "Attacked")[0].damage, session.result) == (5, True)
    mine = session_with([place(one(agility=1), "party", who="ann")], begun=False)
    go(mine, "stage.trap", who="ann", kind="landmine", faces=[[5], [6], [1, 1, 1]], choices={"how to defend": "dodge"})
    assert not events(mine, "Attacked")[0].hit


@pytest.mark.rule("stage.trap.attack")
@pytest.mark.parametrize("ambush", [False, True])
def test_a_trap_that_was_not_noticed_may_count_as_an_ambush(ambush: bool) -> None:
    options = OPTIONS.put("trap_ambush", ambush)
    session = session_with([place(one(agility=1), "party", who="ann", options=options)], begun=False, options=options)
    choices = {} if ambush else {"how to defend": "nothing"}
    go(session, "stage.trap", who="ann", kind="arrow_trap", looks=False, faces=[[1]], choices=choices)
    assert [one.who for one in events(session, "Attacked")] == ["ann"]


@pytest.mark.rule("stage.trap.disarm", "stage.guile.disable")
@pytest.mark.parametrize(("face", "springs"), [(3, True), (4, False)])
def test_a_failed_disarming_sets_it_off_half_the_time(face: int, springs: bool) -> None:
    session = session_with([place(one(guile=1, has=["lockpicks"]), "party", who="ann")], begun=False)
    more = [[1]] if springs else []
    choices = {"how to defend": "nothing"} if springs else {}
    go(session, "stage.disarm_trap", who="ann", kind="arrow_trap", faces=[[4], [face], *more], choices=choices)
    assert bool(events(session, "Attacked")) is springs
    go(session, "stage.disarm_trap", who="ann", kind="arrow_trap", faces=[[5]])
    assert session.result is True
    with pytest.raises(IllegalActionError, match="cannot be disarmed"):
        go(session, "stage.disarm_trap", who="ann", kind="cave_in")


# ---------------------------------------------------------------------- ailments


@pytest.mark.rule("stage.poison.incubation", "stage.poison.attack", "stage.poison.effect")
def test_an_ailment_attacks_after_its_incubation_and_then_by_its_interval() -> None:
    session = session_with([place(one(perception=2), "party", who="ann")], begun=False)
    go(session, "stage.infect", who="ann", ailment="blackheart_disease", faces=[[2]])  # will 2 + spirit 2
    go(session, "table.pass_time", amount="2 hours", faces=[[2, 1]])
    assert status(session).sicknesses[0].withstood == 1
    go(session, "table.pass_time", amount="1 day", faces=[[2, 2], [3]])
    assert (status(session).will, status(session).spirit) == (0, 1)
    assert (status(session).sicknesses[0].withstood, dict(status(session).sicknesses[0].harm)) == (
        0,
        {"spirit": 1, "will": 2},
    )


@pytest.mark.rule("stage.poison.cure", "stage.poison.effect")
def test_as_many_attacks_withstood_as_its_level_cure_it_and_its_effects_fade() -> None:
    session = session_with([place(one(), "party", who="ann")], begun=False)
    go(session, "stage.infect", who="ann", ailment="skinflake_disease", faces=[[1]])
    go(session, "table.pass_time", amount="1 day", faces=[[6, 6]])
    assert status(session).counters == 1
    go(session, "table.pass_time", amount="2 days", faces=[[1, 1], [1, 1]])
    assert status(session).sicknesses[0].cured
    assert status(session).counters == 1
    go(session, "table.pass_time", amount="1 day")
    assert (status(session).counters, status(session).sicknesses) == (0, ())


@pytest.mark.rule("stage.medicine.cure")
@pytest.mark.parametrize(("stacking", "helped"), [("add", 7), ("best", 4)])
def test_treatment_adds_to_the_difficulty(stacking: str, helped: int) -> None:
    session = together(OPTIONS.put("cure_stacking", stacking))
    go(session, "stage.infect", who="bob", ailment="skinflake_disease", faces=[[6]])
    go(session, "stage.cure", healer="ann", patient="bob", ailment="skinflake_disease", faces=[[2, 2]])
    go(session, "stage.cure", healer="ann", patient="bob", ailment="skinflake_disease", faces=[[2, 1]])
    assert status(session, "bob").sicknesses[0].helped == helped


@pytest.mark.rule("stage.mount.control", "stage.poison.attack")
@pytest.mark.parametrize(("pair", "strikes"), [("current", True), ("maximum", False)])
def test_a_pair_of_tracks_is_what_is_left_or_the_maximum(pair: str, strikes: bool) -> None:
    options = OPTIONS.put("pair_difficulty", pair)
    session = session_with([place(one(), "party", who="ann", options=options, stamina=0)], begun=False, options=options)
    go(session, "stage.infect", who="ann", ailment="skinflake_disease", faces=[[1]])
    go(session, "table.pass_time", amount="1 day", faces=[[2, 1]])
    assert bool(status(session).counters) is strikes


@pytest.mark.rule("stage.medicine.first_aid", "stage.medicine.treatment")
@pytest.mark.parametrize(
    ("lost", "care"),
    [
        ({}, set()),
        ({"stamina": 23}, {"treat:cat"}),
        ({"vitality": 23}, {"first_aid:cat"}),
        ({"vitality": 23, "first_aid": True}, set()),
        ({"stamina": 0, "vitality": 0}, {"reanimate:cat"}),
    ],
    ids=["whole", "tired", "wounded", "bandaged", "dead"],
)
def test_care_is_offered_to_those_who_need_it(lost: dict[str, Any], care: set[str]) -> None:
    session = duel(somebody(3), somebody(3), place(somebody(3), "party", who="cat", **lost))
    found = {use for use in offered(session) if use.startswith(("first_aid", "treat", "reanimate"))}
    assert {use for use in found if use.endswith(":cat")} == care
    for use in care:
        before = status(session)
        act(session, use, faces=[[1, 1], [1]] if use == "treat:cat" else [[1, 1, 1]])
        left = status(session)
        assert (before.ap - left.ap, before.intellect - left.intellect) == (3, 1), "AP and Intellect for each of them"


@pytest.mark.rule("stage.medicine.first_aid")
@pytest.mark.parametrize(("damage", "kept"), [(0, True), (1, False)])
def test_only_a_blow_that_hurts_ends_first_aid(damage: int, kept: bool) -> None:
    session = duel(somebody(3, has=["spear@hand"]), somebody(3), theirs={"ap": 0, "first_aid": True, "vitality": 20})
    struck = Attacked(who="bob", by="ann", what="spear", hit=True, damage=damage)
    assert BOOK.apply(session.scene, struck)["bob"].status.first_aid is kept


@pytest.mark.rule("stage.resource.damage_overflow", "stage.resource.death", "stage.medicine.first_aid")
@pytest.mark.parametrize(("damage", "vitality", "fallen"), [(25, 2, ""), (27, 0, "Somebody 2 is dead")])
def test_acts_other_than_attacks_take_the_last_point_and_say_who_fell(damage: int, vitality: int, fallen: str) -> None:
    session = duel(somebody(3), somebody(3), theirs={"stamina": 24, "vitality": 3})
    game = Game(session.scene, BOOK)
    emit_harm(game, Hurt(who="bob", damage=damage, source="a fall"))
    (hurt,) = game.log
    assert (game["bob"].status.stamina, game["bob"].status.vitality) == (0, vitality)
    assert (hurt.fallen, hurt.narrate().endswith("; Somebody 2 is dead")) == (fallen, bool(fallen))
