"""Aftermath: death, insanity, coma; rest and care; needs, travel, environments, falls, traps, ailments."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.playing import events, go, status, words
from systems.stage.fights import BOOK, act, duel, offered, place, playing, session_with, undisturbed
from systems.stage.people import OPTIONS, ordinary, person, refused, scene_of, session_of, somebody
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Ranks
from tablewright.game.ground.facts import Facts
from tablewright.game.scene.arrival import enter_scene
from tablewright.game.scene.game import Game
from tablewright.game.session.session import Session
from tablewright.game.values import Frozen
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.character.record import Wounds
from tablewright.systems.stage.events.fight import Attacked, Hurt, emit_harm
from tablewright.systems.stage.recovery import distance_covered, free_minutes
from tablewright.systems.stage.status import stands
from tablewright.systems.stage.values import HOUR


def together(*options: Any, **patient: Any) -> Any:
    """Ann, who has tools for medicine, and Bob, the patient."""
    doctor = ordinary(has=["medicine_kit"])
    people = [place(doctor, "party", who="ann"), place(ordinary(), "party", who="bob", **patient)]
    return session_with(people, begun=False, **({"options": options[0]} if options else {}))


def care(session: Session, process: str, *faces: list[int]) -> Any:
    """Let Ann care for Bob, with a die for the first of two rolls; return his status."""
    split = {"dice for": "1"} if len(faces) == 2 else {}
    go(session, process, healer="ann", patient="bob", faces=faces, choices=split)
    return status(session, "bob")


@pytest.mark.rule("stage.resource.death", "stage.medicine.reanimate")
@pytest.mark.parametrize(("sets", "spirit"), [("all_core", 1), ("vitality_only", 0)])
def test_the_dead_come_back_with_one_point(sets: str, spirit: int) -> None:
    for rounds, dead in ((4, False), (5, True)):
        session = together(OPTIONS.put("reanimate_sets", sets), stamina=0, vitality=0, spirit=0, died=0)
        assert (status(session, "bob").dead, stands(session.scene["bob"])) == (True, False)
        go(session, "table.pass_time", amount=f"{rounds} rounds")
        bob = care(session, "stage.reanimate", [3, 1])
        assert bob.dead is dead
        if not dead:
            assert (bob.vitality, bob.spirit, bob.stamina) == (1, spirit, 0)
        assert status(session).intellect == 1


@pytest.mark.rule("stage.resource.insanity", "stage.resource.coma")
def test_the_insane_go_on_and_the_comatose_lie() -> None:
    mad, gone = [duel(ordinary(), ordinary(), mine={track: 0}) for track in ("sanity", "spirit")]
    assert (status(mad).insane, stands(mad.scene["ann"])) == (True, True)
    assert (status(gone).comatose, stands(gone.scene["ann"])) == (True, False)
    wolf = duel(person("wolf"), ordinary())
    assert (status(wolf).insane, status(wolf).sanity) == (False, 0)


@pytest.mark.rule("stage.resource.spend")
@pytest.mark.parametrize(("last", "allowed"), [("allow", True), ("forbid", False)])
def test_a_cost_beyond_the_surface_takes_core_points(last: str, allowed: bool) -> None:
    options = OPTIONS.put("spend_last_core", last)
    session = duel(
        ordinary(powers=("athlete",)), ordinary(agility=1), options=options, mine={"stamina": 0, "vitality": 1}
    )
    assert ("tumble" in offered(session)) is allowed
    if allowed:
        assert status(act(session, "tumble", faces=[[1]])).dead


@pytest.mark.rule("stage.healing.surface", "stage.upkeep.rest_need")
@pytest.mark.parametrize(("hours", "stamina"), [(8, 3), (7, 0)])
def test_eight_hours_restore_the_surface_and_fewer_nothing(hours: int, stamina: int) -> None:
    session = go(together(stamina=0, vitality=2, intellect=0), "stage.rest", who="bob", hours=hours)
    bob = status(session, "bob")
    assert (bob.stamina, bob.vitality, bob.intellect) == (stamina, 2, 2 if stamina else 0)


@pytest.mark.rule("stage.healing.recompose", "stage.gap.time.day_change")
@pytest.mark.parametrize(("scope", "will"), [("one_track", 0), ("all_tracks", 1)])
def test_recomposing_once_a_day(scope: str, will: int) -> None:
    session = together(OPTIONS.put("recompose_scope", scope), stamina=0, will=0)
    go(session, "stage.recompose", who="bob", track="stamina")
    assert (status(session, "bob").stamina, status(session, "bob").will) == (3, will)
    refused("has recomposed today already", go, session, "stage.recompose", who="bob", track="will")
    session = session_of({"bob": ordinary()}, OPTIONS.put("recompose_scope", scope))
    for _ in range(2):
        go(session, "table.rule", who="bob", field="stamina", value="0", reason="a run")
        go(session, "stage.recompose", who="bob", track="stamina")
        go(session, "table.pass_time", amount="1 day")
    refused("has nothing to restore: Stamina", go, session, "stage.recompose", who="bob", track="stamina")


@pytest.mark.rule("stage.medicine.surgery", "stage.healing.core")
def test_surgery_restores_all_vitality_or_hurts() -> None:
    for first, second, left, hours in (([2], [3], (3, 3), 5), ([1], [2], (1, 1), 8)):
        session = together(vitality=1)
        bob = care(session, "stage.surgery", first, second)
        assert ((bob.stamina, bob.vitality), session.scene.clock.now) == (left, hours * HOUR)
    refused("cannot be both healer and patient", go, together(), "stage.surgery", healer="ann", patient="ann")


@pytest.mark.rule("stage.healing.core")
def test_sanity_and_spirit_are_treated_where_the_table_has_it() -> None:
    session = together(sanity=1)
    assert care(session, "stage.core_treatment", [1], [6]).sanity == 2
    assert session.scene.clock.now == 2 * HOUR
    refused("only spells", care, together(OPTIONS.put("core_treatment", "none"), sanity=1), "stage.core_treatment")


@pytest.mark.rule("stage.medicine.treatment", "stage.medicine.first_aid", "stage.healing.surface")
def test_treatment_and_first_aid() -> None:
    session = together(stamina=1, vitality=2)
    assert care(session, "stage.treatment", [2], [1]).stamina == 2
    assert care(session, "stage.first_aid", [3, 3]).first_aid
    assert status(session).intellect == 0
    go(session, "stage.fall", who="bob", metres=10, faces=[[3]], choices={"land?": "no"})
    assert not status(session, "bob").first_aid
    nearly = together(stamina=2)
    care(nearly, "stage.treatment", [2], [6])
    assert [one.amount for one in events(nearly, "Restored")] == [1], "it is told how much comes back"


@pytest.mark.rule("stage.power_effect.recovery")
def test_an_hour_of_meditation_is_a_night() -> None:
    session = go(undisturbed(ordinary(powers=("meditation",)), stamina=0), "stage.meditate", who="ann")
    assert (status(session).stamina, session.scene.clock.now) == (3, HOUR)
    refused("has used Meditation today already", go, session, "stage.meditate", who="ann")
    twice = undisturbed(ordinary(powers=("resolve",)), stamina=0, will=0)
    for track in ("stamina", "will"):
        go(twice, "stage.recompose", who="ann", track=track)
    refused("has recomposed today already", go, twice, "stage.recompose", who="ann")


@pytest.mark.rule("stage.upkeep.thirst")
def test_after_two_days_thirst_hurts_each_hour() -> None:
    session = go(undisturbed(ordinary(athletics=6)), "stage.live", who="ann", days=2, water=False)
    assert status(session).stamina == 8
    go(session, "stage.live", who="ann", days=1, water=False, sleep=0)
    assert status(session).dead
    sturdy = ordinary(athletics=6, brawl=6, agility=6, guile=6)
    dry = go(undisturbed(sturdy), "stage.live", who="ann", days=3, water=False)
    assert (dict(status(dry).blocked)["thirst"]["stamina"], status(dry).stamina) == (24, 26 - 24)
    go(dry, "stage.live", who="ann", days=1)
    assert "thirst" not in status(dry).blocked


@pytest.mark.rule("stage.upkeep.hunger")
def test_after_two_days_hunger_hurts_each_day() -> None:
    session = go(undisturbed(ordinary(athletics=6)), "stage.live", who="ann", days=4, food=False)
    assert (status(session).stamina, dict(status(session).blocked)["hunger"]["stamina"]) == (6, 2)
    step = undisturbed(ordinary(athletics=6))
    for _ in range(4):
        go(step, "stage.live", who="ann", days=1, food=False)
    assert status(step) == status(session)


@pytest.mark.rule("stage.upkeep.awake")
def test_thirty_hours_awake_cost_two_points_of_body_and_mind() -> None:
    four = ordinary(athletics=2)  # Body level 4
    session = go(undisturbed(four), "stage.live", who="ann", days=1, sleep=0)
    assert (status(session).stamina, status(session).intellect) == (4, 2)
    day = status(session).day
    awake = go(undisturbed(four, day=day.changed(awake=28)), "stage.live", who="ann", days=1, sleep=22)
    assert status(awake).day.awake == 2
    short = go(undisturbed(ordinary(), day=day.changed(awake=0, short=4)), "stage.live", who="ann", days=1, sleep=4)
    assert status(short).dead


@pytest.mark.rule("stage.travel.modes", "stage.travel.speed_use")
def test_beyond_what_a_day_allows_travel_tires() -> None:
    assert [free_minutes(2, mode) for mode in ("walk", "run", "sprint")] == [600, 120, 20]
    session = undisturbed(ordinary())
    for minutes, mode, left in ((540, "walk", 3), (119, "walk", 2), (1, "walk", 1), (20, "sprint", 0)):
        go(session, "stage.travel", who="ann", minutes=minutes, mode=mode)
        assert status(session).stamina == left


@pytest.mark.rule("stage.travel.speed_table")
def test_distances_by_speed() -> None:
    assert distance_covered(1, "walk", 480) == 36
    assert [distance_covered(speed, "sprint", 60) for speed in (9, 10)] == [Fraction(243, 2), 135]
    assert distance_covered(50, "walk", 60) == 225
    printed = {(10, "sprint"): 125, (50, "walk"): 270, (40, "run"): 270}
    assert {key: distance_covered(*key, 60, "printed") for key in printed} == printed


@pytest.mark.rule("stage.gap.recovery.waking")
def test_a_character_who_fainted_wakes_with_a_point_after_the_cause_or_within_an_hour() -> None:
    session = together(stamina=0, unconscious="heat")
    assert care(session, "stage.treatment", [3], [1]).unconscious == ""
    alone = go(undisturbed(ordinary(), stamina=0, unconscious="heat"), "stage.shelter", who="ann")
    go(alone, "table.pass_time", amount="1 hour")
    assert status(alone).unconscious == ""


@pytest.mark.rule("stage.mount.control", "stage.poison.attack")
@pytest.mark.parametrize(("pair", "strikes"), [("current", True), ("maximum", False)])
def test_a_pair_of_tracks_is_what_is_left_or_the_maximum(pair: str, strikes: bool) -> None:
    options = OPTIONS.put("pair_difficulty", pair)
    session = session_with(
        [place(ordinary(), "party", who="ann", options=options, stamina=0)], begun=False, options=options
    )
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
def test_only_a_blow_that_hurts_ends_first_aid() -> None:
    session = duel(somebody(3, has=["spear@hand"]), somebody(3), theirs={"ap": 0, "first_aid": True, "vitality": 20})
    for damage, kept_on in ((0, True), (1, False)):
        struck = Attacked(who="bob", by="ann", what="spear", hit=True, damage=damage)
        assert BOOK.apply(session.scene, struck)["bob"].status.first_aid is kept_on


@pytest.mark.rule("stage.resource.damage_overflow", "stage.resource.death", "stage.medicine.first_aid")
@pytest.mark.parametrize(("damage", "vitality", "fallen"), [(25, 2, ""), (27, 0, "Somebody 2 is dead")])
def test_acts_other_than_attacks_take_the_last_point_and_say_who_fell(damage: int, vitality: int, fallen: str) -> None:
    session = duel(somebody(3), somebody(3), theirs={"stamina": 24, "vitality": 3})
    game = Game(session.scene, BOOK)
    emit_harm(game, Hurt(who="bob", damage=damage, source="a fall"))
    (hurt,) = game.log
    assert (game["bob"].status.stamina, game["bob"].status.vitality) == (0, vitality)
    assert (hurt.fallen, hurt.narrate().endswith("; Somebody 2 is dead")) == (fallen, bool(fallen))


@pytest.mark.rule("stage.environment.heat", "stage.upkeep.supplies")
@pytest.mark.parametrize(("facts", "left"), [(Facts(), 2), (Facts().set("heat", "bob", "yes"), 1)])
def test_heat_doubles_the_need_for_water(facts: Facts, left: int) -> None:
    bob = somebody(2).changed(belongings=(ItemStack("water", 3),))
    session = session_with([place(bob, "party", who="bob")], facts=facts, begun=False)
    go(session, "stage.use_supplies", who="bob", food=0, water=1)
    assert [one.count for one in status(session, "bob").belongings] == [left]


@pytest.mark.rule("stage.upkeep.thirst", "stage.upkeep.hunger", "stage.upkeep.supplies")
@pytest.mark.parametrize(("need", "item", "lost"), [("water", "water", 24), ("food", "ration", 1)])
def test_points_lost_to_thirst_and_hunger_come_back_after_a_meal(need: str, item: str, lost: int) -> None:
    """A third day without drink takes a point an hour, one without food a point."""
    session = session_of({"ann": somebody(6, has=[f"{item}@pack"])})
    whole = status(session).stamina
    without: dict[str, Any] = {need: False}
    meal: dict[str, Any] = {"food": 0, "water": 0, need: 1}
    go(session, "stage.live", who=["ann"], days=3, **without)
    go(session, "stage.rest", who=["ann"])
    assert status(session).stamina == whole - lost
    go(session, "stage.use_supplies", who="ann", **meal)
    assert (status(session).day.thirst, status(session).day.hunger) == (0, 0)
    go(session, "stage.rest", who=["ann"])
    assert status(session).stamina == whole


@pytest.mark.rule("stage.encounter.flow", "stage.medicine.cure", "stage.resource.death")
@each_case(
    ("state", "process", "told"),
    [
        ("unconscious", "stage.cure", {"healer": "ann", "patient": "bob", "ailment": "skinflake_disease"}),
        ("unconscious", "stage.ranking", {"who": ("ann", "bob")}),
        ("unconscious", "stage.disarm_trap", {"who": "ann", "kind": "arrow_trap"}),
        ("unconscious", "stage.break_object", {"who": "ann", "thing": "spear"}),
        ("unconscious", "stage.wear", {"who": "ann", "item": "padded_coat"}),
        ("unconscious", "stage.use_supplies", {"who": "ann"}),
        ("dead", "stage.rest", {"who": "ann"}),
        ("dead", "stage.live", {"who": "ann"}),
        ("dead", "stage.recompose", {"who": "ann"}),
        ("dead", "stage.travel", {"who": "ann", "minutes": 60}),
        ("dead", "table.check", {"who": "ann", "what": "guile.sneak", "situation": []}),
    ],
)
def test_the_unconscious_and_the_dead_do_nothing_outside_of_encounters(
    state: str, process: str, told: dict[str, Any]
) -> None:
    wounds: Any = {"unconscious": "knocked out"} if state == "unconscious" else {"stamina": 0, "vitality": 0, "died": 0}
    session = session_of({"ann": somebody(2, has=["padded_coat", "lockpicks"]), "bob": somebody(2)})
    go(session, "stage.infect", who="bob", ailment="skinflake_disease", faces=[[1]])
    fallen = playing(session.scene.with_status("ann", **wounds))
    before = status(fallen)
    refused("is dead|can do nothing", go, fallen, process, **told)
    assert status(fallen) == before


@pytest.mark.rule("stage.medicine.first_aid")
def test_first_aid_needs_something_to_suppress_and_is_over_with_it() -> None:
    session = session_of({"ann": somebody(medicine=3, academics=1, agility=1), "bob": somebody(2)})
    refused("no counters", care, session, "stage.first_aid")
    go(session, "table.rule", who="bob", field="vitality", value="14", reason="a fall")
    assert care(session, "stage.first_aid", [6, 6, 6]).first_aid
    go(session, "stage.surgery", healer="ann", patient="bob", faces=[[6, 6], [6]])
    assert not status(session, "bob").first_aid


def kept(session: Session, who: str = "ann") -> Any:
    """A character as they go out of a scene."""
    return rulebook.export_character(session.scene, who)


@pytest.mark.rule("stage.gap.time.day_change", "stage.healing.recompose")
def test_a_day_goes_on_from_scene_to_scene() -> None:
    ann = somebody(2).changed(wounds=Wounds(stamina=0, will=0))
    session = go(session_of({"ann": ann}), "stage.recompose", who="ann")
    for left in (24, 16, 8):
        ann = kept(session)
        assert [(one.what, one.left) for one in ann.pending] == [("midnight", left * HOUR)]
        session = playing(enter_scene(scene_of({"ann": ann}), "ann"))
        go(session, "stage.rest", who="ann")
    ann = kept(session)
    assert (ann.day.used, ann.pending) == (Ranks(), ())  # a new day has begun, and nothing is left to reckon


@pytest.mark.rule("stage.travel.modes", "stage.gap.time.day_change")
def test_walking_after_midnight_counts_for_the_new_day() -> None:
    session = session_of({"ann": somebody(agility=9, perception=1, academics=1)})
    go(session, "table.pass_time", amount="20 hours")
    go(session, "stage.travel", who="ann", minutes=14 * 60)  # four hours, and ten: two too many
    assert status(session).stamina == 9 - 2
    assert status(session).day.travelled == Ranks({"walk": 600})


@pytest.mark.rule("stage.travel.modes", "stage.healing.surface", "stage.upkeep.hunger")
def test_companions_rest_walk_and_live_in_the_same_time() -> None:
    people = {"ann": somebody(2), "bob": somebody(2), "wolf": person("wolf")}
    session = go(session_of(people), "table.rule", who="bob", field="stamina", value="0", reason="a run")
    go(session, "stage.rest")
    assert (status(session, "bob").stamina, session.scene.clock.now) == (16, 8 * HOUR)
    go(session, "stage.travel", minutes=60, who=("ann", "wolf"))
    assert [one.result for one in events(session, "Checked")] == ["4.5 km"] * 2  # as fast as the slowest
    assert session.scene.clock.now == 9 * HOUR
    assert not status(session, "bob").day.travelled
    go(session, "stage.live", days=3, food=False, who=("ann", "bob"))
    assert session.scene.clock.now == 81 * HOUR
    assert (status(session, "bob").blocked, status(session, "wolf").blocked) == (
        Frozen({"hunger": Ranks({"stamina": 1})}),
        Frozen(),
    )
    go(session, "stage.expose", rounds=50, place="cold", who=("ann", "wolf"))
    assert [one.who for one in events(session, "Hurt")][-2:] == ["ann", "wolf"]


@pytest.mark.rule("stage.upkeep.thirst", "stage.resource.death")
def test_a_character_who_dies_of_thirst_is_not_rested_afterwards() -> None:
    session = session_of({"ann": somebody(agility=4, perception=1, academics=1)})
    go(session, "stage.live", who="ann", days=3, water=False)
    assert status(session).dead
    assert session.scene.clock.now == (48 + 8) * HOUR
    assert words(session)[-1].endswith("is dead")


@pytest.mark.rule("stage.medicine.reanimate", "stage.medicine.first_aid", "stage.resource.death")
def test_the_long_dead_are_not_brought_back_and_nobody_gives_them_first_aid() -> None:
    people = [place(somebody(3), "party", who="ann"), place(somebody(1), "party", who="bob", vitality=0, died=-40_000)]
    session = session_with([*people, place(somebody(1), "foes", who="eve")])
    act(session, "reanimate:bob", faces=[[6, 6, 6]])
    assert (events(session, "Tried")[0].success, status(session, "bob").dead) == (False, True)
    peace = session_with(people, begun=False)
    refused(r"Somebody 2 is dead", go, peace, "stage.first_aid", healer="ann", patient="bob")


@pytest.mark.rule("stage.gap.recovery.waking", "stage.healing.surface")
@pytest.mark.parametrize(("cause", "wakes"), [("drowning", True), ("cold", True), ("knocked out", False)])
def test_a_rest_restores_the_unconscious_and_wakes_who_has_fainted(cause: str, wakes: bool) -> None:
    ann = somebody(2, name="Ann")
    session = session_of({"ann": ann.changed(wounds=ann.wounds.changed(stamina=0, unconscious=cause))})
    session.do("stage.rest", who="ann")
    assert (status(session).stamina, session.scene.clock.now) == (16, 8 * HOUR)
    assert (status(session).unconscious == "") is wakes


LONG = [
    ("stage.rest", {"who": "ann"}),
    ("stage.recompose", {"who": "ann"}),
    ("stage.meditate", {"who": "ann"}),
    ("stage.masterwork", {"who": "ann", "patient": "cat"}),
    ("stage.surgery", {"healer": "ann", "patient": "cat"}),
    ("stage.core_treatment", {"healer": "ann", "patient": "cat"}),
    ("stage.treatment", {"healer": "ann", "patient": "cat"}),
    ("stage.first_aid", {"healer": "ann", "patient": "cat"}),
    ("stage.live", {"who": "ann"}),
    ("stage.travel", {"who": "ann", "minutes": 60}),
    ("stage.draw", {"who": "ann", "item": "spear"}),
    ("stage.stow", {"who": "ann", "item": "club"}),
    ("stage.wear", {"who": "ann", "item": "mail_shirt"}),
    ("stage.craft", {"who": "ann", "item": "club"}),
    ("stage.forage", {"who": "ann", "situation": ["difficulty=average"]}),
    ("stage.sabotage", {"who": "ann", "owner": "cat", "item": "club"}),
    ("stage.learn", {"who": "ann", "what": "flare"}),
]


@pytest.mark.rule("stage.healing.surface", "stage.equipment.retrieve", "stage.travel.modes")
@each_case(("process", "arguments"), LONG)
def test_long_works_are_refused_in_an_encounter(process: str, arguments: dict[str, Any]) -> None:
    ann = somebody(6, powers=("meditation", "magnum_opus"), has=["spear", "club@hand", "mail_shirt", "medicine_kit"])
    cat = somebody(2, has=["club@hand"])
    people = [place(ann, "party", who="ann"), place(cat, "party", who="cat", stamina=0, vitality=9, sanity=9)]
    session = session_with([*people, place(somebody(1), "foes", who="bob")])
    refused("not in the middle of an encounter", session.do, process, **arguments)
