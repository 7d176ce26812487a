"""Surroundings: darkness and ground in a fight, water and falls, heat, tools, and the costs of contests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.playing import answer, events, go, status, words
from systems.stage.fights import ONE, act, ap_of, closed, duel, fighter, offered, place, session_with, undisturbed
from systems.stage.people import OPTIONS, numbers, ordinary, person, plan, refused, session_of, somebody
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.move import move_ap
from tablewright.systems.stage.chapters.hazards import place_at
from tablewright.systems.stage.modifiers import applications
from tablewright.systems.stage.now import pool, with_tools
from tablewright.systems.stage.values import DAY

# ---------------------------------------------------------------------- darkness


@pytest.mark.rule("stage.environment.darkness")
@pytest.mark.parametrize(("face", "hit"), [(3, True), (4, False)])
@pytest.mark.parametrize("defence", ["dodge", "parry"])
def test_a_defence_in_the_dark_comes_to_nothing_half_the_time_and_is_paid(defence: str, face: int, hit: bool) -> None:
    session = duel(fighter(), fighter(agility=2), facts=Facts().set("darkness", "bob", True))
    before = status(session, "bob")
    rolls = [[face], *([] if hit else [[6, 6]]), [3], *([[1, 1]] if hit else [])]
    act(session, "attack:bob:spear", faces=rolls, choices={**ONE, "how to defend": defence})
    assert events(session, "Attacked")[0].hit is hit
    after = status(session, "bob")
    assert before.ap - after.ap == (defence == "dodge")
    lost = 2 if hit else 0
    assert before.stamina + before.vitality - after.stamina - after.vitality == lost + (defence == "parry")


@pytest.mark.rule("stage.environment.darkness")
def test_whirlwinds_and_special_attacks_meet_a_defence_in_the_dark_as_well() -> None:
    session = duel(fighter(brawl=2), fighter(agility=2), facts=Facts().set("darkness", "bob", True))
    act(session, "trip:bob", faces=[[3], [2, 1]], choices={"how to defend": "dodge"})
    assert events(session, "Tried")[0].success
    ann = fighter(close_combat=6, powers=("whirlwind_attack",), has=["great_sword@hands"])
    session = duel(ann, fighter(agility=2), facts=Facts().set("darkness", "bob", True))
    choices = {"dice for the first roll": "7", "how to defend": "dodge"}
    act(session, "attack:bob:great_sword+whirlwind_attack", faces=[[4], [6, 6], [1] * 7], choices=choices)
    assert not events(session, "Attacked")[0].hit


# ---------------------------------------------------------------------- ground


@pytest.mark.rule("stage.attack.charge")
@pytest.mark.parametrize(
    ("fact", "value", "open_"),
    [
        ("balancing", 5, False),
        ("swimming", 5, False),
        ("darkness", True, False),
        ("gravity", "high", False),
        ("gravity", "low", True),
        ("height", 5, True),
    ],
)
def test_nobody_charges_where_moving_is_slow(fact: str, value: Any, open_: bool) -> None:
    session = duel(fighter(), fighter(), apart=1, facts=Facts().set(fact, "ann", value))
    assert ("charge:bob:spear" in offered(session)) is open_
    if not open_:
        assert closed(session, "charge")[1] == "stage.attack.charge"


@pytest.mark.rule("stage.movement.impediments")
@pytest.mark.parametrize(
    ("walls", "to", "ap"),
    [((), "7,5", 1), (((6, 4), (6, 6)), "7,5", 2), ((), "6,5", 2), ((), "6,4", 1), (((6, 4), (6, 6)), "6,5", 2)],
)
def test_difficult_ground_counts_on_the_way_where_no_other_way_is_as_short(
    walls: tuple[tuple[int, int], ...], to: str, ap: int
) -> None:
    blocked = Grid(size=(20, 20), shared=True, blocked=tuple([cell(*at) for at in walls]), difficult=((cell(6, 5), 2),))
    people = [place(person("wolf"), "party", (5, 5), who="ann"), place(fighter(), "foes", (12, 12), who="bob")]
    assert ap_of(session_with(people, ground=blocked), f"move::{to}") == ap


@pytest.mark.rule("stage.movement.impediments")
@pytest.mark.parametrize(("at", "ap"), [((5, 5), 2), ((6, 6), 1)])
def test_a_step_within_a_difficult_cube_is_slow(at: tuple[int, int], ap: int) -> None:
    ground = Grid(size=(20, 20), shared=True, difficult=((cell(*at), 2),))
    session = duel(fighter(), fighter(), apart=0, mine={"beside": ("bob",)}, theirs={"beside": ("ann",)}, ground=ground)
    act(session, "move::away")
    assert status(session).ap == 3 - ap


# ---------------------------------------------------------------------- water and falls


@pytest.mark.rule("stage.environment.drowning")
@pytest.mark.parametrize(("under", "then"), [(0, 1), (3, 3)])
def test_a_character_who_is_under_water_gets_no_new_breath_by_failing(under: int, then: int) -> None:
    facts = Facts().set("swimming", "ann", 12)
    session = duel(fighter(), fighter(), mine={"under": under, "failures": 1}, facts=facts)
    act(session, "crouch", faces=[[1]])
    assert status(session).under == then


@pytest.mark.rule("stage.environment.falling", "stage.athletics.land", "stage.environment.gravity")
@pytest.mark.parametrize(
    ("gravity", "land", "faces", "lost", "ap"),
    [("normal", "yes", [[5, 4], [1, 1, 1, 2]], 4, 1), ("low", "no", [[5, 4]], 4, 2), ("high", "no", [[1, 2]], 6, 2)],
)
def test_a_character_who_falls_in_a_fight_may_land_and_gravity_counts(
    gravity: str, land: str, faces: list[list[int]], lost: int, ap: int
) -> None:
    facts = Facts().set("climbing", "ann", 30).set("height", "ann", 20).set("gravity", "ann", gravity)
    own = fighter(athletics=4, agility=4)
    session = duel(own, fighter(), mine={"failures": 1}, facts=facts)
    before = status(session).stamina
    act(session, "crouch", faces=[[1, 1, 1, 1], *faces], choices={"land?": land})
    assert before - status(session).stamina == lost
    assert (status(session).ap, status(session).stance) == (ap, "prone")


@pytest.mark.rule("stage.environment.falling")
def test_a_slip_at_no_height_hurts_nobody() -> None:
    facts = Facts().set("balancing", "ann", 30).set("height", "ann", 4)
    session = duel(fighter(agility=2), fighter(), mine={"failures": 1}, facts=facts)
    act(session, "crouch", faces=[[1, 1]])
    assert not events(session, "Hurt")
    assert status(session).stance == "prone"


# ---------------------------------------------------------------------- heat, meditation


@pytest.mark.rule("stage.environment.heat", "stage.gap.creature.missing_attributes")
def test_animals_do_not_faint_for_want_of_a_mind() -> None:
    session = session_of({"wolf": person("wolf")})
    whole = status(session, "wolf").stamina
    for rounds, left, cause in ((50 * whole - 50, 1, ""), (50, 0, "heat")):
        go(session, "stage.expose", who="wolf", rounds=rounds, place="heat")
        assert (status(session, "wolf").stamina, status(session, "wolf").unconscious) == (left, cause)


@pytest.mark.rule("stage.power_effect.recovery", "stage.upkeep.rest_need")
def test_meditation_counts_as_sleep() -> None:
    session = session_of({"bob": somebody(5, powers=("meditation",))})
    go(session, "stage.live", who="bob", days=1, sleep=0)
    assert session.scene["bob"].status.day.awake == 24
    go(session, "stage.meditate", who="bob")
    assert (session.scene["bob"].status.day.awake, session.scene["bob"].status.day.short) == (0, 0)


# ---------------------------------------------------------------------- tools


def hospital(*tools: str) -> Session:
    """A doctor with tools and a patient who has lost points, outside of fights."""
    doctor = place(somebody(medicine=3, agility=2, perception=1, has=tools), "party", who="doc")
    patient = somebody(agility=4, perception=1, academics=1)
    return session_with([doctor, place(patient, "party", who="pat", stamina=0, vitality=2)], begun=False)


@pytest.mark.rule("stage.gap.equipment.tools")
@each_case("key", ["surgery", "treatment", "first_aid", "reanimate", "cure"])
@each_case(("tools", "flat"), [((), -2), (("medicine_kit",), 0), (("fine_medicine_kit",), 1)])
def test_care_is_given_with_the_tools_at_hand(key: str, tools: tuple[str, ...], flat: int) -> None:
    scene = hospital(*tools).scene
    made = pool(scene, "doc", f"medicine.{key}", flat=with_tools(scene, "doc", f"medicine.{key}"))
    assert (made.dice.total, made.flat.total) == (3, flat)


@pytest.mark.rule("stage.guile.disable", "stage.gap.equipment.tools")
def test_a_trap_is_disarmed_with_lockpicks_or_for_a_penalty() -> None:
    bare, equipped = [somebody(guile=2, perception=1, academics=1, has=has) for has in ((), ("lockpicks",))]
    session = session_of({"bob": bare})
    refused("needs tools", session.do, "stage.disarm_trap", who="bob", kind="arrow_trap")
    go(session, "stage.disarm_trap", who="bob", kind="arrow_trap", improvised=True, faces=[[1, 1], [4]])
    for character, improvised, flat in ((equipped, False, 0), (bare, True, -2)):
        parts = with_tools(session_of({"bob": character}).scene, "bob", "guile.disable", improvised=improvised)
        assert sum([part.changed for part in parts]) == flat
    assert numbers(plan(bare, "guile.disable", thing="arrow_trap", improvised="yes"))[2] == -2


@pytest.mark.rule("stage.medicine.cure")
def test_a_cure_counts_for_the_attack_after_its_hours() -> None:
    session = go(hospital("medicine_kit"), "stage.infect", who="pat", ailment="the_shivers", faces=[[3]])
    cure: dict[str, Any] = {"patient": "pat", "ailment": "the_shivers"}
    before = session.scene.clock.now
    go(session, "stage.cure", healer="doc", hours=2, faces=[[6, 5, 4]], **cure)
    assert session.scene["pat"].status.sicknesses[0].helped == 15
    assert session.scene.clock.now - before == 600
    assert "treated" in words(session)[-1]
    refused("cannot be both healer and patient", session.do, "stage.cure", healer="pat", **cure)


# ---------------------------------------------------------------------- contests


def contest(mine: str, theirs: str, options: Any = OPTIONS, **status_of_ann: Any) -> Session:
    """A chase outside of fights, with powers announced by those who pursue and flee."""
    runner = somebody(athletics=3, perception=1, academics=1, powers=("athlete", "the_zone"))
    people = [place(runner, "party", who="ann", **status_of_ann), place(runner, "foes", who="bob")]
    session = session_with(people, options=options, begun=False)
    said = [f"powers={power}" if power else "" for power in (mine, theirs)]
    chase = {"what": "athletics.pursue", "against": "bob"}
    session.do("table.contest", who="ann", situation=said[0], other_situation=said[1], **chase)
    return session


@pytest.mark.rule("stage.power.payment")
@pytest.mark.parametrize(("mine", "theirs", "spent"), [("athlete", "athlete", [1, 1]), ("", "athlete", [0, 1])])
def test_both_sides_of_a_contest_pay_for_their_powers(mine: str, theirs: str, spent: list[int]) -> None:
    session = contest(mine, theirs)
    before = [status(session, who).stamina for who in ("ann", "bob")]
    answer(session, [1] * (5 if theirs else 4), [1] * (4 if mine else 3))
    assert [had - status(session, who).stamina for who, had in zip(("ann", "bob"), before, strict=True)] == spent


@pytest.mark.rule("stage.power.payment")
def test_a_contest_refuses_what_cannot_be_paid() -> None:
    frugal = OPTIONS.put("spend_last_core", "forbid")
    refused("costs", contest, "athlete", "", frugal, stamina=0, vitality=1)


@pytest.mark.rule("stage.movement.impediments", "stage.athletics.swim")
@pytest.mark.parametrize(("factor", "ap"), [(1, 1), (2, 2), (3, 3)])
def test_a_slow_mode_costs_as_much_as_its_application_says(factor: int, ap: int) -> None:
    facts = Facts().set("swimming", "ann", "5")
    scene = duel(fighter(), fighter(), apart=3, facts=facts).scene
    swim = applications(scene.library)["athletics.swim"].model_copy(update={"move_factor": factor})
    packs = [
        replace(
            pack,
            entries=tuple(
                [(kind, tuple([swim if one.id == swim.id else one for one in every])) for kind, every in pack.entries]
            ),
        )
        for pack in scene.library.packs
    ]
    assert move_ap(replace(scene, library=replace(scene.library, packs=tuple(packs))), "ann") == ap


# ---------------------------------------------------------------------- places that harm


@pytest.mark.rule("stage.environment.cold", "stage.environment.extreme_cold", "stage.environment.extreme_cold_range")
def test_cold_bites_by_the_clock_and_shelter_comes_first() -> None:
    session = go(undisturbed(ordinary()), "stage.expose", who="ann", place="cold", rounds=149)
    assert status(session).stamina == 1
    go(session, "stage.expose", who="ann", place="cold", rounds=50)
    assert (status(session).stamina, status(session).unconscious) == (0, "cold")
    go(session, "stage.rest", who="ann")
    assert status(session).stamina == 0
    go(session, "stage.shelter", who="ann")
    go(session, "stage.rest", who="ann")
    assert (status(session).stamina, status(session).unconscious) == (3, "")
    ice = go(undisturbed(ordinary()), "stage.expose", who="ann", place="extreme_cold", rounds=2)
    assert status(ice).stamina == 1
    clad = ordinary(has=["protective_clothing@worn"])
    warm = go(undisturbed(clad), "stage.expose", who="ann", place="extreme_cold", rounds=9)
    assert status(warm).stamina == 3
    assert [place_at(degrees) for degrees in (-51, -50, 0, 1)] == ["extreme_cold", "cold", "cold", None]


@pytest.mark.rule("stage.environment.heat", "stage.environment.extreme_heat")
def test_heat_takes_body_and_mind() -> None:
    session = go(undisturbed(ordinary()), "stage.expose", who="ann", place="heat", rounds=100)
    assert (status(session).stamina, status(session).intellect, status(session).unconscious) == (1, 0, "heat")
    fire = go(undisturbed(ordinary()), "stage.expose", who="ann", place="extreme_heat", rounds=1)
    assert (status(fire).stamina, status(fire).intellect) == (2, 1)
    by_degrees = go(session_of({"ann": somebody(2)}), "stage.expose", who="ann", celsius=120, rounds=1)
    assert events(by_degrees, "Hurt")[0].source == "extreme heat"
    ways: tuple[dict[str, Any], ...] = ({}, {"place": "cold", "celsius": -60})
    for both in ways:
        refused("say one of both", go, by_degrees, "stage.expose", who="ann", rounds=1, **both)
    refused("20 degrees are harmless", go, by_degrees, "stage.expose", who="ann", celsius=20, rounds=1)
    assert [place_at(degrees) for degrees in (49, 50, 100, 101)] == [None, "heat", "heat", "extreme_heat"]


@pytest.mark.rule("stage.environment.radiation_low", "stage.environment.radiation_high")
def test_radiation_sickens() -> None:
    session = undisturbed(ordinary())
    go(session, "stage.expose", who="ann", place="radiation_low", rounds=DAY, faces=[[2]])
    assert not status(session).sicknesses
    go(session, "stage.expose", who="ann", place="radiation_low", rounds=DAY, faces=[[1], [6, 6, 6, 6, 6, 6]])
    assert [case.ailment for case in status(session).sicknesses] == ["radiation_sickness"]
    high = undisturbed(ordinary())
    go(high, "stage.expose", who="ann", place="radiation_high", rounds=5, faces=[[1, 1, 1, 1, 1, 1]])
    assert (status(high).stamina, len(status(high).sicknesses)) == (2, 1)


@pytest.mark.rule("stage.environment.falling", "stage.athletics.land")
def test_a_fall_doubles_its_dice_and_landing_takes_off() -> None:
    session = undisturbed(ordinary(athletics=2))
    go(session, "stage.fall", who="ann", metres=30, faces=[[1, 1, 1, 1], [2, 1]], choices={"land?": "yes"})
    assert status(session).stamina == 4 - 1
    go(session, "stage.fall", who="ann", metres=4)
    assert status(session).stamina == 3


@pytest.mark.rule("stage.environment.gravity")
@pytest.mark.parametrize(
    ("gravity", "damage"), [("very_high", 30), ("high", 6), ("normal", 3), ("low", 1), ("very_low", 0), ("zero", 0)]
)
def test_gravity_counts_before_landing(gravity: str, damage: int) -> None:
    session = undisturbed(ordinary(athletics=6))
    faces = [] if gravity == "zero" else [[3]]
    go(session, "stage.fall", who="ann", metres=10, gravity=gravity, faces=faces, choices={"land?": "no"})
    assert sum([hurt.damage for hurt in events(session, "Hurt")]) == damage
