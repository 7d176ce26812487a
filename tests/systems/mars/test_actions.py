"""The basic actions in a scene: time and costs, the attack from declaration to loss, cover, rage and first aid."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    DOWN,
    FOE,
    HERO,
    SKILLED,
    STILL,
    act,
    closed,
    duel,
    effect,
    fighter,
    offered,
    place,
    session_with,
    under_attack,
    with_turn,
)
from systems.mars.people import LEDGER
from systems.playing import answer, events, last, status
from tablewright.engine import Trace
from tablewright.errors import IllegalActionError
from tablewright.game.character.character import Ranks
from tablewright.game.ground.bands import Together
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.scene.game import Game
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.aim import aim
from tablewright.systems.mars.actions.attack import resolve
from tablewright.systems.mars.actions.index import ACTIONS
from tablewright.systems.mars.actions.requirements import time_needed
from tablewright.systems.mars.book import rulebook
from tablewright.systems.mars.character.record import MarsCharacter, MarsEffect
from tablewright.systems.mars.events.attack import AttackDeclared, Hit, Missed
from tablewright.systems.mars.events.effects import MarsEffectGained
from tablewright.systems.mars.events.turn import Acted
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Status, Turn, fight
from tablewright.systems.mars.values import Degree, RollValue


def parts(session: Session, name: str, mechanic: str = "mars.attack") -> dict[str, int]:
    """The parts of a tally in the last played call of a mechanic."""
    traces = [line for line in session.log if isinstance(line, Trace) and line.call.mechanic.name == mechanic]
    tally = traces[-1].tallies[name]
    return {tally.label: tally.base} | {part.label: part.changed for part in tally.parts}


# ---------------------------------------------------------------------- time


@pytest.mark.rule("mars.action.speeds", "mars.action.free")
@pytest.mark.parametrize(
    "example", [*LEDGER["mars.action.speeds"].examples, *LEDGER["mars.action.free"].examples], ids=str
)
def test_actions_with_enough_time(example: Any) -> None:
    turn, legal = Turn.begun(0), True
    status_now = Status(1, 1, 1, 1, turn=turn)
    for speed in example["given"]:
        seconds, free = time_needed(status_now, speed)
        legal = legal and seconds <= status_now.turn.seconds
        turn = status_now.turn
        status_now = replace(
            status_now, turn=turn._replace(seconds=turn.seconds - seconds, free=turn.free and not free)
        )
    assert legal is example["expect"]["legal"]
    if legal:
        assert status_now.turn.seconds == example["expect"]["seconds_left"]


@pytest.mark.rule("mars.action.speeds", "mars.time.round")
def test_a_turn_has_six_seconds() -> None:
    session = duel(SKILLED, FOE, theirs=STILL)
    for _ in range(3):
        act(session, "attack:bob:club", faces=[(1, 1), (9,)])
    assert status(session).turn.seconds == 0
    assert closed(session, "attack") == ("takes 2 s, no time is left", "mars.action.speeds")
    with pytest.raises(IllegalActionError, match=r"no time is left \[mars.action.speeds\]"):
        act(session, "attack:bob:club")


@pytest.mark.rule("mars.action.free")
def test_the_second_free_action_takes_two_seconds() -> None:
    session = duel(SKILLED, FOE, theirs=STILL)
    act(session, "drop_prone")
    assert (status(session).turn.seconds, status(session).turn.free) == (6, False)
    act(session, "brandish")  # empty hands are all there is besides the club
    assert status(session).turn.seconds == 4


@pytest.mark.rule("mars.action.speeds")
@each_case(
    ("seconds", "swift", "standard"),
    [(6, True, True), (4, True, True), (3, True, False), (2, True, False), (1, False, False)],
)
def test_actions_with_just_enough_time(seconds: int, swift: bool, standard: bool) -> None:
    trained = fighter("Ann", ["club"], skills={"medicine": "r4"})
    dying = (MarsEffect("dying"), MarsEffect("unconscious"))
    session = with_turn(duel(trained, FOE, theirs={"effects": dying, "health": -1}), seconds=seconds)
    assert ("stabilise:bob" in offered(session)) is standard
    assert ("attack:bob:club" in offered(with_turn(duel(HERO, FOE), seconds=seconds))) is swift


@pytest.mark.rule("mars.action.list")
@each_case(("name", "row"), LEDGER["mars.action.list"].data.items())
def test_every_basic_action_is_there_with_its_speed(name: str, row: dict[str, Any]) -> None:
    action = ACTIONS.by_id["rise" if name == "rise_from_prone" else name]
    speeds = row["speed"] if isinstance(row["speed"], list) else [row["speed"]]
    assert action.reaction is any("reaction" in speed for speed in speeds)
    words = {"swift": "2 s", "standard": "4 s", "free": "free", "none": "nothing", "free_reaction": "1 stamina"}
    if isinstance(action.cost_text, str) and row["speed"] != "variable":
        assert words[speeds[0]] in action.cost_text
    assert all(rule in LEDGER for rule in action.rules)


# ---------------------------------------------------------------------- attacking


@pytest.mark.rule("mars.attack.procedure", "mars.defence.deflection_default", "mars.attack.hit")
@each_case(
    ("faces", "degree", "damage", "left"),
    [
        # 13 against 7: a success by 6; 11 damage, no armour; endurance 10, then health
        ([(9, 4), (7,), (8, 3)], Degree.SUCCESS, 11, (0, 9)),
        ([(2, 1), (9,), (8, 3)], Degree.GRAZE, 5, (5, 10)),
        ([(1, 1), (9,)], None, 0, (10, 10)),
    ],
)
def test_an_attack_in_a_scene(faces: Any, degree: Degree | None, damage: int, left: tuple[int, int]) -> None:
    session = act(duel(SKILLED, FOE, theirs=STILL), "attack:bob:club", faces=faces)
    assert [(one.degree, one.damage) for one in events(session, Hit)] == ([(degree, damage)] if degree else [])
    assert bool(events(session, Missed)) is (degree is None)
    assert (status(session, "bob").endurance, status(session, "bob").health) == left
    assert status(session).turn.seconds == 4
    assert fight(session.scene).incoming == ()


@pytest.mark.rule("mars.attack.multiple_attack_penalty")
def test_misses_count_and_maneuvers_too() -> None:
    session = duel(fighter(hold=["mace"], skills={"martial": "r8"}, maneuvers=("heavy_strike",)), FOE, theirs=STILL)
    act(session, "attack:bob:mace", faces=[(1, 1), (9,)])
    assert last(session, AttackDeclared).blow.attack == RollValue(18)
    act(session, "maneuver:bob:heavy_strike/mace", faces=[(1, 1), (9,)])
    assert last(session, AttackDeclared).blow.attack == RollValue(18, -5)
    assert parts(session, "attack")["an earlier attack"] == -4
    act(session, "attack:bob:mace", faces=[(1, 1), (9,)])
    assert last(session, AttackDeclared).blow.attack == RollValue(18, -8)
    assert parts(session, "attack")["2 earlier attacks"] == -8


@pytest.mark.rule("mars.attack.procedure")
@pytest.mark.parametrize("dead", [True, False], ids=["dead", "gone"])
def test_a_blow_at_the_dead_or_gone_misses(dead: bool) -> None:
    scene = duel(HERO, FOE).scene
    blow = aim(scene, "ann", *now(scene, "ann").arms["club"], "bob").blow
    struck = scene.with_status("bob", dead=dead)
    game = Game(under_attack(struck.with_participant(replace(struck["bob"], present=dead)), blow), rulebook)
    with pytest.raises(StopIteration) as ended:
        resolve(game).send(None)
    assert ended.value.value.degree is Degree.FAILURE
    assert not fight(game.scene).incoming


# ---------------------------------------------------------------------- the others


@pytest.mark.rule("mars.action.drop_prone", "mars.action.rise")
def test_dropping_prone_and_rising() -> None:
    session = duel(SKILLED, FOE)
    speed = now(session.scene, "ann").speed.total
    act(session, "drop_prone")
    assert effect(session, "ann", "prone")
    assert now(session.scene, "ann").speed.total == speed // 2
    assert "drop_prone" not in offered(session)
    act(session, "rise")
    assert not effect(session, "ann", "prone")
    assert now(session.scene, "ann").speed.total == speed
    assert status(session).turn.seconds == 4
    assert closed(session, "rise") == ("not prone", "mars.action.rise")


@pytest.mark.rule("mars.action.seek_cover", "mars.action.seek_cover_moving")
@pytest.mark.parametrize("example", LEDGER["mars.action.seek_cover_moving"].examples)
def test_seeking_cover(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    wall = Grid(size=(40, 40), blocked=(cell(9, 9),) if given["obstacle"] else ())
    session = with_turn(duel(SKILLED, FOE, ground=wall), moves=given["moves_this_turn"])
    if not expect["allowed"]:
        assert closed(session, "seek_cover")[1] == "mars.action.seek_cover"
        return
    act(session, "seek_cover")
    assert status(session).turn.seconds == {"free": 6, "swift": 4}[expect["speed"]]
    cover = effect(session, "ann", "cover")
    assert cover is not None
    assert (cover.turn_of, cover.until) == ("ann", 2)


@pytest.mark.rule("mars.action.seek_cover", "mars.action.seek_cover_moving")
@each_case(
    ("moves", "wall", "rule"),
    [
        (0, False, None),
        (1, False, None),
        (2, False, "mars.action.seek_cover_moving"),
        (3, False, "mars.action.seek_cover_moving"),
        (1, True, "mars.action.seek_cover"),
        (2, True, "mars.action.seek_cover_moving"),
    ],
)
def test_cover_beside_a_wall_and_cover_on_the_run_are_two_rules(moves: int, wall: bool, rule: str | None) -> None:
    ground = Grid(size=(40, 40), blocked=(cell(9, 9),) if wall else ())
    session = with_turn(duel(HERO, FOE, ground=ground), moves=moves)
    assert ("seek_cover" in offered(session)) is (rule is not None)
    if rule is not None:
        act(session, "seek_cover")
        assert [event.cause for event in events(session, MarsEffectGained)] == [rule]


@pytest.mark.rule("mars.action.interact")
def test_a_thing_that_several_can_use_is_offered_once_and_only_to_them() -> None:
    facts = Facts().set("object", "*", "lever").set("object", "ann", "lever").set("object", "bob", "gate")
    session = duel(SKILLED, FOE, facts=facts)
    assert [one for one in offered(session) if one.startswith("interact")] == ["interact::lever"]
    act(session, "interact::lever")
    assert status(session).turn.seconds == 4
    assert last(session, Acted).detail == "lever"


@pytest.mark.rule("mars.action.special", "mars.gap.talent.second_wind", "mars.rest.abilities")
@pytest.mark.parametrize("steps", [1, 2])
def test_a_second_wind_for_every_step(steps: int) -> None:
    tough = fighter("Ann", RES="r12+1", talents={"second_wind": steps})
    used: Ranks = Ranks({})
    for number, (endurance, after) in enumerate(((2, 9), (12, 13))[:steps]):  # half of 13, rounded up
        session = act(duel(tough, FOE, mine={"endurance": endurance, "used": used}), "second_wind")
        assert status(session).endurance == after  # not above the maximum
        assert status(session).turn.seconds == 4
        assert closed(session, "second_wind") == ("once a turn", "mars.gap.talent.second_wind")
        used = status(session).used
        assert used["second_wind"] == number + 1
    session = duel(tough, FOE, mine={"endurance": 2, "used": used})
    assert closed(session, "second_wind")[0] == "used up until the next rest"


@pytest.mark.rule("mars.action.special", "mars.gap.talent.rage")
@pytest.mark.parametrize("steps", [1, 2, 3, 4])
@pytest.mark.parametrize("wear", [[], ["padded"]], ids=["bare", "clad"])
def test_rage(steps: int, wear: list[str]) -> None:
    gained = LEDGER["mars.gap.talent.rage"].data[str(steps)]
    session = duel(fighter("Ann", ["club"], wear, STR="r12", INT="r8", talents={"rage": steps}), FOE)
    before = now(session.scene, "ann")
    act(session, "rage")
    after = now(session.scene, "ann")
    assert after.stat("STR").value.modifier - before.stat("STR").value.modifier == gained
    assert after.damage(after.wielded[0], "melee").value.modifier == gained
    less = after.reduction("slashing").total - before.reduction("slashing").total
    assert less == ((gained + 1) // 2 if wear else gained)
    for name in ("DEF", "EVA"):
        assert after.roll(name).value.modifier - before.roll(name).value.modifier == -2
    assert (status(session).focus, status(session).concentration) == (8 - 2, "rage")
    assert status(session).health == 12  # a temporary change leaves the maxima alone


@pytest.mark.rule("mars.gap.talent.rage", "mars.concentration.single")
def test_rage_takes_its_toll_and_ends_with_the_concentration() -> None:
    raging = fighter("Ann", ["club"], STR="r12", talents={"rage": 1})
    session = duel(raging, FOE, mine={"stamina": 1, "endurance": 5})
    session.do("mars.encounter")
    answer(session, "rage", "end_turn")  # no toll in the turn in which it began
    assert status(session).stamina == 1
    answer(session, "end_turn", "end_turn", "True")  # the first is bob's
    assert status(session).stamina == 0
    answer(session, "end_turn", "end_turn")
    assert status(session).endurance == 4  # no stamina: 1 damage that nothing prevents
    answer(session, "end_turn", "let_go")
    assert status(session).effects == ()


@pytest.mark.rule("mars.gap.recovery.stabilise", "mars.effect.dying", "mars.skill.complex_gate")
def test_stabilising_a_neighbour() -> None:
    healer = fighter("Ann", INT="r12", skills={"medicine": "r6"})

    def beside_the_dying(one: MarsCharacter = healer, at: tuple[int, int] = (5, 5)) -> Session:
        effects = (MarsEffect("dying", failures=2), *DOWN)
        people = [
            place(one, "party", at, who="ann"),
            place(SKILLED, "party", (6, 5), who="cid", health=-3, endurance=0, effects=effects),
            place(FOE, "foes", (20, 20), who="bob"),
        ]
        return session_with(people)

    for faces, dying in (((5, 4), True), ((6, 4), False)):  # r18: 9, and 10
        session = act(beside_the_dying(), "stabilise:cid", faces=[faces])
        assert bool(effect(session, "cid", "dying")) is dying
        assert effect(session, "cid", "unconscious")
        assert (status(session, "cid").health, status(session).turn.seconds) == (-3, 2)
    assert closed(beside_the_dying(SKILLED), "stabilise") == ("not trained in medicine", "mars.skill.complex_gate")
    far = ("not within 1 m", "mars.gap.recovery.stabilise")
    assert closed(beside_the_dying(at=(4, 5)), "stabilise") == far


def test_a_bystander_in_the_way_does_not_matter_together() -> None:
    people = [place(SKILLED, "party", None, who="ann"), place(FOE, "foes", None, who="bob", **STILL)]
    session = session_with(people, ground=Together())
    act(session, "attack:bob:club", faces=[(9, 4), (7,), (8, 3)])
    assert events(session, Hit)
    assert closed(session, "move") == ("there is nowhere to go", "mars.move.speed_modifiers")


def test_loot_of_a_fight_is_gathered() -> None:
    session = duel(fighter("Ann", ["javelin"], DEX="r20"), FOE, apart=4, theirs={**STILL, "endurance": 0, "health": 1})
    session.do("mars.encounter")
    answer(session, "attack:bob:javelin/thrown", (9, 9), 1, (9, 6))
    assert session.scene.ended == "party win"
    assert [one.item for one in status(session).belongings] == ["javelin"]
