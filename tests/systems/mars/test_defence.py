"""Defences in a scene: deflection, evading, parrying, blocking, passive values, reactions and who may take them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import act, aimed, duel, effect, fighter, place, session_with
from systems.playing import asked, events, status
from tablewright.engine import Choice, Trace
from tablewright.errors import IllegalActionError
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.systems.mars.actions.index import ACTIONS
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.events.attack import Hit, Missed
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import fight
from tablewright.systems.mars.values import Degree, RollValue

HERO = fighter("Ann", ["club"], STR="r10", DEX="r10", RES="r10", skills={"martial": "r8"})
FOE = fighter("Bob", STR="r10", DEX="r10", RES="r10")
STILL: dict[str, Any] = {"stamina": 0}
"""Without stamina no one evades or parries, so no question is asked."""


# ---------------------------------------------------------------------- defending


@pytest.mark.rule("mars.defence.evade", "mars.action.free_reaction")
def test_evading_costs_stamina_and_may_be_done_again_and_again() -> None:
    session = duel(HERO, FOE, theirs={"stamina": 2})
    for left in (1, 0):
        act(session, "attack:bob:club", faces=[(3, 2), (9,)], choices={"how to defend": "evade"})
        assert status(session, "bob").stamina == left
        assert events(session, Missed)  # a graze is a failure for who evades
    act(session, "attack:bob:club", faces=[(1, 1), (9,)])  # no stamina, so no one is asked
    assert status(session, "bob").turn.reaction


@pytest.mark.rule("mars.defence.evade", "mars.action.reaction")
def test_after_evading_one_may_drop_or_step_aside() -> None:
    session = duel(HERO, FOE)
    choices = {"how to defend": "evade::drop", "drop prone": "drop_down"}
    act(session, "attack:bob:club", faces=[(3, 2), (9,)], choices=choices)
    assert effect(session, "bob", "prone")
    session = duel(HERO, FOE)
    choices = {"how to defend": "evade::drop", "drop prone": "stay"}
    act(session, "attack:bob:club", faces=[(3, 2), (9,)], choices=choices)  # it is decided once the dice are seen
    assert not effect(session, "bob", "prone")
    session = duel(HERO, FOE)
    choices = {"how to defend": "evade::step", "step where": "destination::11,11"}
    act(session, "attack:bob:club", faces=[(9, 8), (1,), (4, 4)], choices=choices)
    assert session.scene["bob"].position == cell(11, 11)  # whether or not it was hit
    assert not status(session, "bob").turn.reaction
    act(session, "drop_prone")
    session.do("mars.perform", who="ann", use="attack:bob:club")
    with pytest.raises(IllegalActionError, match="reaction of this round is used up"):
        ACTIONS.check(session.scene, "bob", ActionUse("evade", detail="step"))


@pytest.mark.rule("mars.defence.parry", "mars.gap.weapon.parry")
def test_parrying_adds_the_value_of_the_item() -> None:
    session = duel(HERO, fighter(hold=["straight_sword"], RES="r10"))
    act(session, "attack:bob:club", faces=[(3, 2), (5, 6)], choices={"how to defend": "parry::straight_sword"})
    trace = [line for line in session.log if isinstance(line, Trace)][-1]
    given = trace.call.named_arguments()
    assert (given["declared"], given["deflection"], given["parry"]) == ("parry", RollValue(10), RollValue(6))
    (met,) = trace.steps
    assert isinstance(met, Trace)
    assert met.call.named_arguments()["defence"] == RollValue(16)
    assert met.call.named_arguments()["grazing"] is False
    assert status(session, "bob").stamina == 9
    bare = duel(HERO, FOE)
    bare.do("mars.perform", who="ann", use="attack:bob:club")
    with pytest.raises(IllegalActionError, match=r"nothing to parry with \[mars.defence.parry\]"):
        bare.choose("parry")


SHIELDED = fighter(hold=["small_shield"], RES="r10")


@pytest.mark.rule("mars.defence.block", "mars.defence.block_damage")
def test_blocking_in_a_scene() -> None:
    session = duel(HERO, SHIELDED)
    act(session, "attack:bob:club", faces=[(9, 4), (7,), (8, 3)], choices={"block": "block"})
    hit = events(session, Hit)[-1]
    assert (hit.damage, hit.shield, hit.item) == (0, 8, "small_shield")  # 11 less 3
    assert status(session, "bob").stamina == 9
    shield = next(one for one in status(session, "bob").belongings if one.item == "small_shield")
    assert shield.left == 2
    act(session, "attack:bob:club", faces=[(5, 6), (5,), (8, 3)], choices={"block": "block"})
    hit = events(session, Hit)[-1]
    assert (hit.shield, hit.damage) == (2, 8)  # momentum: 13 less 3, of which 2 are stopped
    act(session, "attack:bob:club", faces=[(9, 8), (1,), (8, 3)])  # broken: no one is asked
    assert now(session.scene, "bob").blocking is None


@pytest.mark.rule("mars.gap.fight.facing", "mars.defence.block")
def test_an_attack_from_behind_cannot_be_blocked() -> None:
    session = duel(HERO, SHIELDED, facts=Facts().set("behind", "ann", "yes", "bob"))
    session.do("mars.perform", who="ann", use="attack:bob:club")
    session.choose("deflect")
    session.type_in((9, 4))
    session.type_in((7,))
    session.type_in((4, 4))  # the damage is asked for at once: there is only one thing to do
    assert session.question is None


@pytest.mark.rule("mars.gap.armour.shields")
def test_a_buckler_parries_but_does_not_block() -> None:
    me = now(duel(fighter(hold=["buckler"]), FOE).scene, "ann")
    assert me.blocking is None
    assert me.parries == (("buckler", RollValue(10)),)


@pytest.mark.rule("mars.action.reaction", "mars.effect.stunned")
def test_a_stunned_character_does_not_react() -> None:
    session = duel(HERO, SHIELDED, theirs={"effects": (MarsEffect("stunned", degree=1),)})
    act(session, "attack:bob:club", faces=[(9, 4), (7,), (8, 3)])
    assert events(session, Hit)[-1].damage == 11


@pytest.mark.rule("mars.action.reaction")
@pytest.mark.parametrize("allowed", [True, False])
def test_defending_on_their_own_turn(allowed: bool) -> None:
    options = MarsOptions(own_turn_defence=allowed)
    session = duel(HERO, SHIELDED, options=options, turn="bob")
    scene = session.scene
    blow = aimed(scene)
    under_attack = replace(scene, system_state=replace(fight(scene), incoming=(blow,)))
    offers = ACTIONS.options(under_attack, "bob", reactions=True, among=("evade",))
    assert any(isinstance(one, ActionUse) for one in offers) is allowed
    if not allowed:
        assert offers[0].rule == "mars.action.reaction"  # type: ignore[union-attr]


@pytest.mark.rule("mars.attack.procedure")
def test_a_defence_declared_after_the_roll() -> None:
    session = duel(HERO, FOE, options=MarsOptions(defence_declaration="after_attack_roll"))
    session.do("mars.perform", who="ann", use="attack:bob:club")
    session.type_in((9, 4))
    assert session.question is not None
    blow = fight(session.scene).blow
    assert blow is not None
    assert blow.total == 13
    session.choose("evade")
    session.type_in((6,))
    session.type_in((8, 3))
    assert events(session, Hit)[-1].degree is Degree.CRITICAL


@pytest.mark.rule("mars.dice.passive_use", "mars.gap.dice.passive_advantage")
def test_passive_values_for_creatures() -> None:
    creature = fighter("Beast", RES="r14", kind="creature")
    rolled = duel(HERO, creature, theirs=STILL)
    act(rolled, "attack:bob:club", faces=[(9, 4), (1, 1), (8, 3)])
    passive = duel(HERO, creature, theirs=STILL, options=MarsOptions(passive_rolls="npc_defence"))
    act(passive, "attack:bob:club", faces=[(9, 4), (), (8, 3)])
    trace = next(line for line in passive.log if isinstance(line, Trace))
    assert trace.call.named_arguments()["deflection"] == RollValue(0, 7)
    hindered = duel(
        HERO,
        creature,
        theirs={**STILL, "effects": (MarsEffect("debilitation", stat="RES"),)},
        options=MarsOptions(passive_rolls="all_npc"),
    )
    act(hindered, "attack:bob:club", faces=[(9, 4), (), (8, 3)])
    trace = next(line for line in hindered.log if isinstance(line, Trace))
    assert trace.call.named_arguments()["deflection"] == RollValue(0, 5)  # two dice less
    beast = duel(fighter(hold=["club"], kind="creature", DEX="r10"), FOE, options=MarsOptions(passive_rolls="all_npc"))
    act(beast, "attack:bob:club", faces=[(), (2,), (8, 3)])
    trace = next(line for line in beast.log if isinstance(line, Trace))
    assert trace.call.named_arguments()["attack"] == RollValue(0, 5)


@pytest.mark.rule("mars.effect.overencumbered", "mars.gap.maneuver.list")
def test_a_character_who_cannot_move_does_not_step_in() -> None:
    guard = fighter("Cid", ["club"], skills={"martial": "r4"}, maneuvers=("intercept",))
    for load, is_asked in (((), True), ((MarsEffect("overencumbered"),), False)):
        people = [
            place(fighter("Ann", ["club"]), "foes", (10, 10), who="ann"),
            place(fighter("Bob"), "party", (11, 10), who="bob"),
            place(guard, "party", (12, 10), who="cid", effects=load),
        ]
        session = session_with(people)
        session.do("mars.perform", who="ann", use="attack:bob:club")
        question: Any = session.question
        assert (question.question == "react?") is is_asked


@pytest.mark.rule("mars.defence.evade", "mars.effect.prone")
def test_a_plain_evasion_leaves_the_choice_to_drop_until_after_the_dice() -> None:
    session = duel(fighter("Ann", ["club"]), fighter("Bob"))
    session.do("mars.perform", who="ann", use="attack:bob:club")
    question: Any = session.question
    labels = {one: use.label for one, use in zip(question.ids, question.options, strict=True)}
    assert labels["evade::drop"] == "Evade"
    assert labels["evade"] == "Evade and stay standing"  # fights saved by earlier versions hold this answer
    session.choose("evade::drop")
    for faces in ((1,), (9,)):
        session.type_in(faces)
    assert asked(session) == ("stay", "drop_down")


@pytest.mark.rule("mars.defence.evade", "mars.effect.prone")
def test_a_character_who_lies_on_the_ground_does_not_drop() -> None:
    session = duel(fighter("Ann", ["club"]), fighter("Bob"), theirs={"effects": (MarsEffect("prone"),)})
    session.do("mars.perform", who="ann", use="attack:bob:club")
    question: Any = session.question
    assert question.ids == ("deflect", "evade", "evade::step")
    go_on = [(1, 1), (9,)]
    session.choose("evade")
    while session.question is not None:  # no one is asked to drop
        assert not isinstance(session.question, Choice)
        session.type_in(go_on.pop(0))
