"""Intercepting: who steps in for an ally, what the blow becomes, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    CAPTAIN,
    DOWN,
    FOE,
    HERO,
    RIVAL,
    act,
    calls,
    fighter,
    knight,
    offered,
    place,
    session_with,
    with_status,
)
from systems.playing import answer, events, last, status
from tablewright.engine import Choice
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.policies import POLICIES
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.aim import aim, turned
from tablewright.systems.mars.bots import rate
from tablewright.systems.mars.character.record import MarsCharacter, MarsEffect
from tablewright.systems.mars.events.attack import AttackDeclared, Hit, Intercepted
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Incoming, Turn, fight
from tablewright.systems.mars.values import RollValue

STEPS_IN = fighter("Cid", ["club"], maneuvers=("intercept",), skills={"martial": "r4"})
PRONE = {"effects": (MarsEffect("prone"),)}


@pytest.mark.rule("mars.gap.maneuver.list", "mars.action.reaction")
def test_intercept() -> None:
    shielded = fighter("Cid", ["small_shield"], maneuvers=("intercept",), skills={"martial": "r4"})
    people = [
        place(knight(), "party", (10, 10), who="ann"),
        place(FOE, "foes", (11, 10), who="bob"),
        place(shielded, "foes", (11, 11), who="cid"),
    ]
    choices = {"react": "intercept:bob:intercept", "how to defend": "parry::small_shield", "block": "block"}
    session = act(session_with(people), "attack:bob:mace", faces=[(9, 8), (4, 3), (4, 4)], choices=choices)
    stepped = last(session, Intercepted)
    assert (stepped.who, stepped.ally, stepped.stamina) == ("cid", "bob", 1)
    assert [str(session.scene[who].position) for who in ("bob", "cid")] == ["11,11", "11,10"]
    (given,) = calls(session)
    assert (given["deflection"], given["parry"]) == (RollValue(10, 2), RollValue(6))  # +2 for stepping in
    assert last(session, Hit).who == "cid"
    assert status(session, "cid").stamina == 8  # the parry cost nothing then, to block as well costs as usual
    assert not status(session, "cid").turn.reaction
    assert not [use for use in offered(session, "cid", reactions=True) if use.startswith("intercept")]
    crowd = session_with([*people, replace(people[2], id="dot", seat="dot", position=cell(12, 10))])
    act(crowd, "attack:bob:mace", faces=[(9, 8), (4, 3), (4, 4)], choices=choices)
    assert [one.who for one in events(crowd, Intercepted)] == ["cid"], "one alone steps in"
    for how, left in (("deflect", 9), ("evade", 8)):  # without a parry it is the block that costs nothing
        alone = session_with(people)
        act(alone, "attack:bob:mace", faces=[(9, 8), (1,), (4, 4)], choices={**choices, "how to defend": how})
        assert status(alone, "cid").stamina == left


# ---------------------------------------------------------------------- the blow that is intercepted


def asked_to_step_in(
    *,
    attacker: MarsCharacter = HERO,
    use: str = "attack:bob:club",
    cid: MarsCharacter = STEPS_IN,
    cid_at: tuple[int, int] = (11, 11),
    turn: Turn | None = None,
    bobs: Mapping[str, Any] = {},
    cids: Mapping[str, Any] = {},
) -> Session:
    """Ann attacks bob, and cid, who stands beside him, is asked."""
    people = [
        place(attacker, "party", (10, 10), who="ann"),
        place(RIVAL, "foes", (11, 10), who="bob", **bobs),
        place(cid, "foes", cid_at, who="cid", **cids),
    ]
    session = session_with(people)
    session = session if turn is None else with_status(session, turn=turn)
    session.do("mars.perform", who="ann", use=use)
    return session


def blows(**how: Any) -> tuple[Incoming, Incoming, Session]:
    """The blow as it was declared against bob, and as it comes when cid has stepped in."""
    session = answer(asked_to_step_in(**how), "intercept:bob:intercept")
    blow = fight(session.scene).blow
    assert blow is not None
    assert blow.target == "cid"
    return events(session, AttackDeclared)[0].blow, blow, session


@pytest.mark.rule("mars.gap.maneuver.list", "mars.effect.prone", "mars.gap.armour.critical_defense")
@pytest.mark.parametrize(
    ("bobs", "cids", "clad", "advantage", "threshold"),
    [
        (PRONE, {}, ["half_helm"], 0, 8),
        ({}, PRONE, [], 1, 7),
        ({"surprised": True}, {}, [], 0, 7),
        ({}, {"effects": (MarsEffect("blind"),)}, [], 1, 7),
    ],
    ids=["prone ally", "prone", "surprised ally", "blind"],
)
def test_a_character_who_steps_in_is_attacked_as_they_stand(
    bobs: Any, cids: Any, clad: list[str], advantage: int, threshold: int
) -> None:
    cid = fighter("Cid", ["club"], clad, maneuvers=("intercept",), skills={"martial": "r4"})
    _, blow, session = blows(bobs=bobs, cid=cid, cids=cids)
    assert (blow.advantage, blow.threshold, blow.rating) == (advantage, threshold, 2)
    scene = session.scene.with_status("ann", turn=session.header.scene["ann"].status.turn)
    from_the_beginning = aim(scene, "ann", now(scene, "ann").wielded[0], "melee", "cid").blow
    for name in ("attack", "damage", "advantage", "disadvantage", "threshold", "kind", "sneak"):
        assert getattr(blow, name) == getattr(from_the_beginning, name), name
    if isinstance(session.question, Choice):
        session.choose("deflect")
    answer(session, (5, 5) if advantage else 5, 4, (3, 3))
    (given,) = calls(session)
    assert (given["advantage"], given["threshold"]) == (advantage, threshold)
    assert last(session, Hit).who == "cid"


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.weapon.momentum", "mars.gap.weapon.cleave")
@each_case(
    ("weapon", "attacked", "to_hit", "damage"),
    [
        ("club", ("bob",), (-3, -3), (2, 0)),  # momentum is against bob alone
        ("battleaxe", ("bob",), (-4, 0), (0, 0)),  # cid is a new target, which the axe cleaves
        ("battleaxe", ("dot",), (0, 0), (0, 0)),
    ],
)
def test_earlier_attacks_count_for_the_interceptor(
    weapon: str, attacked: tuple[str, ...], to_hit: tuple[int, int], damage: tuple[int, int]
) -> None:
    earlier = Turn.begun(0)._replace(seconds=4, attacks=1, attacked=attacked, hit=("bob",), weapon=weapon)
    declared, blow, _ = blows(attacker=fighter("Ann", [weapon]), use=f"attack:bob:{weapon}", turn=earlier)
    assert (declared.attack.modifier, blow.attack.modifier) == to_hit
    assert (declared.damage.modifier, blow.damage.modifier) == damage
    better = blow._replace(attack=RollValue(blow.attack.n, blow.attack.modifier + 2))
    assert turned(blow._replace(total=9), blow, better).total == 11


@pytest.mark.rule("mars.gap.maneuver.list", "mars.damage.types")
@each_case(("maneuver", "kind", "more"), [("concussive_strike", "bludgeoning", -1), ("heavy_strike", None, 2)])
def test_a_maneuver_keeps_what_it_does_against_who_steps_in(maneuver: str, kind: str | None, more: int) -> None:
    swordsman = fighter("Ann", ["straight_sword"], skills={"martial": "r8"}, maneuvers=(maneuver,))
    declared, blow, session = blows(attacker=swordsman, use=f"maneuver:bob:{maneuver}/straight_sword")
    assert (blow.attack, blow.damage, blow.maneuver) == (declared.attack, declared.damage, maneuver)
    assert blow.damage.modifier == more
    assert kind in (None, blow.kind)
    assert last(session, Intercepted).blow.target == "cid"


@pytest.mark.rule("mars.gap.maneuver.list")
def test_a_character_who_steps_in_stands_before_a_thrown_weapon_that_has_left_the_hand() -> None:
    _, blow, _ = blows(attacker=fighter("Ann", ["knife"]), use="attack:bob:knife/thrown", cids=PRONE)
    assert (blow.disadvantage, blow.advantage) == (1, 0)


# ---------------------------------------------------------------------- who may step in


@pytest.mark.rule("mars.gap.maneuver.list", "mars.effect.overencumbered")
@each_case(
    ("how", "is_asked"),
    [
        ({}, True),
        ({"cid_at": (11, 12)}, False),  # not next to bob
        ({"cids": {"effects": (MarsEffect("overencumbered"),)}}, False),  # cannot move
    ],
)
def test_an_ally_who_is_near_and_can_move_steps_in(how: dict[str, Any], is_asked: bool) -> None:
    question = asked_to_step_in(**how).question
    assert isinstance(question, Choice)
    assert question.question == ("react?" if is_asked else "how to defend?")


@pytest.mark.rule("mars.action.reaction")
def test_a_blow_that_is_let_be_costs_no_reaction() -> None:
    session = asked_to_step_in()
    before = status(session, "cid")
    after = status(answer(session, "let_be"), "cid")
    assert (after.stamina, after.turn.reaction) == (before.stamina, True)


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.fight.map")
@pytest.mark.parametrize(("over", "is_asked"), [((11, 10), False), ((12, 11), True)], ids=["over him", "beside him"])
def test_nobody_steps_in_where_a_character_stands_over_the_fallen(over: tuple[int, int], is_asked: bool) -> None:
    people = [
        place(CAPTAIN, "party", (10, 10), who="ann"),
        place(RIVAL, "foes", (11, 10), who="bob", effects=DOWN, health=0, endurance=0),
        place(STEPS_IN, "foes", (11, 11), who="cid"),
        place(RIVAL, "party", over, who="dan"),
    ]
    session = session_with(people)
    session.do("mars.perform", who="ann", use="attack:bob:mace")
    assert isinstance(session.question, Choice) is is_asked
    assert (session.seat == "cid") is is_asked
    if is_asked:
        promise = rate(session.scene, "cid", ActionUse("intercept", "bob", "intercept"))
        assert promise.safety > promise.cost


@pytest.mark.rule("mars.gap.maneuver.list", "mars.defence.parry")
@pytest.mark.parametrize("able", [True, False])
def test_bots_step_in_where_it_spares_more_than_it_costs(able: bool) -> None:
    strong = fighter("Cid", ["buckler"], ["chainmail"], STR="r12", maneuvers=("intercept",), skills={"martial": "r4"})
    attacker = fighter("Ann", ["mace"], skills={"martial": "r12"})
    session = asked_to_step_in(
        attacker=attacker, use="attack:bob:mace", cid=strong if able else fighter("Cid", RES="r8")
    )
    use = ActionUse("intercept", "bob", "intercept")
    promise = rate(session.scene, "cid", use)
    assert promise.cost == (
        200 if able else 300
    )  # stamina and the reaction; it is improvised by who has not learned it
    assert (promise.safety > promise.cost) is able
    assert isinstance(session.question, Choice)
    best = session.question.ids[POLICIES["careful"](session, session.question)]
    assert best == (use.id if able else "let_be")


@pytest.mark.rule("mars.gap.maneuver.list", "mars.move.action")
def test_a_character_who_was_relieved_on_the_way_does_not_walk_into_the_other() -> None:
    guard = fighter("Ann", ["mace"], skills={"martial": "r4"}, maneuvers=("opportunity_strike",))
    people = [
        place(RIVAL, "foes", (9, 9), who="bob"),
        place(guard, "party", (10, 10), who="ann"),
        place(fighter("Cid", maneuvers=("intercept",), skills={"martial": "r4"}), "foes", (11, 12), who="cid"),
    ]
    session = session_with(people, turn="bob")
    choices = {
        "where to?": "destination::10,11",
        "react?": ["opportunity:bob:opportunity_strike/mace", "intercept:bob:intercept"],
    }
    act(session, "move", who="bob", faces=[(1, 1), (10,)], choices=choices)
    assert [str(session.scene[who].position) for who in ("bob", "cid")] == ["11,12", "10,11"]
