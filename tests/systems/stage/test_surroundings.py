"""Surroundings: darkness and ground in a fight, water and falls, heat, tools, and the costs of contests."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.playing import events, go, status, words
from systems.stage.fights import act, closed, duel, fighter, offered, place, playing, scene_with, session_with
from systems.stage.people import OPTIONS, numbers, person, plan, session_of, somebody
from tablewright.errors import IllegalActionError
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.index import ACTIONS
from tablewright.systems.stage.now import pool, with_tools

ONE = {"dice for the first roll": "1"}


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
    wolf = person("wolf")
    people = [place(wolf, "party", (5, 5), who="ann"), place(fighter(), "foes", (12, 12), who="bob")]
    session = session_with(people, ground=blocked)
    every = [use for use in ACTIONS.options(session.scene, "ann") if isinstance(use, ActionUse)]
    use = next(use for use in every if use.action == "move" and use.detail == to)
    assert ACTIONS.by_id["move"].price_of(session.scene, "ann", use)["ap"] == ap


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
    whole = session.scene["wolf"].status.stamina
    go(session, "stage.expose", who="wolf", rounds=50 * whole - 50, place="heat")
    assert (session.scene["wolf"].status.stamina, session.scene["wolf"].status.unconscious) == (1, "")
    go(session, "stage.expose", who="wolf", rounds=50, place="heat")
    assert session.scene["wolf"].status.unconscious == "heat"


@pytest.mark.rule("stage.power_effect.recovery", "stage.upkeep.rest_need")
def test_meditation_counts_as_sleep() -> None:
    session = session_of({"bob": somebody(5, powers=("meditation",))})
    go(session, "stage.live", who="bob", days=1, sleep=0)
    assert session.scene["bob"].status.day.awake == 24
    go(session, "stage.meditate", who="bob")
    assert (session.scene["bob"].status.day.awake, session.scene["bob"].status.day.short) == (0, 0)


# ---------------------------------------------------------------------- tools


def hospital(*tools: str, ailing: str = "") -> Session:
    doctor = somebody(medicine=3, agility=2, perception=1, has=tools)
    people = [
        place(doctor, "party", who="doc"),
        place(somebody(agility=4, perception=1, academics=1), "party", who="pat", stamina=0, vitality=2),
    ]
    return playing(scene_with(people, begun=False))


@pytest.mark.rule("stage.gap.equipment.tools")
@each_case("key", ["surgery", "treatment", "first_aid", "reanimate", "cure"])
@each_case("tools", [(), ("medicine_kit",), ("fine_medicine_kit",)])
def test_care_is_given_with_the_tools_at_hand(key: str, tools: tuple[str, ...]) -> None:
    session = hospital(*tools)
    made = pool(session.scene, "doc", f"medicine.{key}", flat=with_tools(session.scene, "doc", f"medicine.{key}"))
    assert (made.dice.total, made.flat.total) == (3, {0: -2, 12: 0, 17: 1}[sum([len(tool) for tool in tools])])


@pytest.mark.rule("stage.guile.disable", "stage.gap.equipment.tools")
def test_a_trap_is_disarmed_with_lockpicks_or_for_a_penalty() -> None:
    bare = somebody(guile=2, perception=1, academics=1)
    session = session_of({"bob": bare})
    with pytest.raises(IllegalActionError, match="needs tools"):
        session.do("stage.disarm_trap", who="bob", kind="arrow_trap")
    go(session, "stage.disarm_trap", who="bob", kind="arrow_trap", improvised=True, faces=[[1, 1], [4]])
    able = session_of({"bob": bare.changed(belongings=somebody(has=["lockpicks"]).belongings)})
    scene = able.scene
    assert sum([part.changed for part in with_tools(scene, "bob", "guile.disable")]) == 0
    assert sum([part.changed for part in with_tools(session.scene, "bob", "guile.disable", improvised=True)]) == -2
    assert numbers(plan(bare, "guile.disable", thing="arrow_trap", improvised="yes"))[2] == -2


@pytest.mark.rule("stage.medicine.cure")
def test_a_cure_counts_for_the_attack_after_its_hours() -> None:
    session = hospital("medicine_kit")
    go(session, "stage.infect", who="pat", ailment="the_shivers", faces=[[3]])
    before = session.scene.clock.now
    go(session, "stage.cure", healer="doc", patient="pat", ailment="the_shivers", hours=2, faces=[[6, 5, 4]])
    lines = words(session)
    assert session.scene["pat"].status.sicknesses[0].helped == 15
    assert session.scene.clock.now - before == 600
    assert "treated" in lines[-1]
    with pytest.raises(IllegalActionError, match="cannot be both healer and patient"):
        session.do("stage.cure", healer="pat", patient="pat", ailment="the_shivers")


# ---------------------------------------------------------------------- contests


def contest(mine: str, theirs: str, options: Any = OPTIONS, **status_of_ann: Any) -> Session:
    runner = somebody(athletics=3, perception=1, academics=1, powers=("athlete", "the_zone"))
    people = [place(runner, "party", who="ann", **status_of_ann), place(runner, "foes", who="bob")]
    session = playing(scene_with(people, options=options, begun=False))
    session.do(
        "table.contest",
        who="ann",
        what="athletics.pursue",
        against="bob",
        situation=f"powers={mine}" if mine else "",
        other_situation=f"powers={theirs}" if theirs else "",
    )
    return session


@pytest.mark.rule("stage.power.payment")
@pytest.mark.parametrize(("mine", "theirs", "spent"), [("athlete", "athlete", (1, 1)), ("", "athlete", (0, 1))])
def test_both_sides_of_a_contest_pay_for_their_powers(mine: str, theirs: str, spent: tuple[int, int]) -> None:
    session = contest(mine, theirs)
    before = [session.scene[who].status.stamina for who in ("ann", "bob")]
    session.type_in([1] * (5 if theirs else 4))
    session.type_in([1] * (4 if mine else 3))
    after = [session.scene[who].status.stamina for who in ("ann", "bob")]
    assert (before[0] - after[0], before[1] - after[1]) == spent


@pytest.mark.rule("stage.power.payment")
def test_a_contest_refuses_what_cannot_be_paid() -> None:
    frugal = OPTIONS.put("spend_last_core", "forbid")
    with pytest.raises(IllegalActionError, match="costs"):
        contest("athlete", "", frugal, stamina=0, vitality=1)
