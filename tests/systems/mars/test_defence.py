"""Defences in a scene: deflection, evading, parrying, blocking, passive values, reactions and who may take them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    BOOK,
    CAPTAIN,
    DOWN,
    FOE,
    HERO,
    RIVAL,
    SKILLED,
    STILL,
    act,
    aimed,
    calls,
    duel,
    effect,
    fighter,
    under_attack,
)
from systems.mars.people import do, person, session_of, somebody
from systems.playing import answer, asked, events, last, status
from tablewright.engine import ClosedOption, Roll, Trace
from tablewright.errors import IllegalActionError
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.aim import defending
from tablewright.systems.mars.actions.index import ACTIONS
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.events.attack import Defended, Hit, Missed
from tablewright.systems.mars.events.effects import MarsEffectGained
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import fight
from tablewright.systems.mars.values import Degree, RollValue

# ---------------------------------------------------------------------- defending


@pytest.mark.rule("mars.defence.evade", "mars.action.free_reaction")
def test_evading_costs_stamina_and_may_be_done_again_and_again() -> None:
    session = duel(SKILLED, FOE, theirs={"stamina": 2})
    for left in (1, 0):
        act(session, "attack:bob:club", faces=[(3, 2), (9,)], choices={"how to defend": "evade"})
        assert status(session, "bob").stamina == left
        assert events(session, Missed)  # a graze is a failure for who evades
    act(session, "attack:bob:club", faces=[(1, 1), (9,)])  # no stamina, so no one is asked
    assert status(session, "bob").turn.reaction


@pytest.mark.rule("mars.defence.evade", "mars.action.reaction")
@each_case(("decision", "prone"), [("drop_down", True), ("stay", False)])
def test_after_evading_a_character_may_drop(decision: str, prone: bool) -> None:
    choices = {"how to defend": "evade::drop", "drop prone": decision}  # it is decided once the dice are seen
    session = act(duel(SKILLED, FOE), "attack:bob:club", faces=[(3, 2), (9,)], choices=choices)
    assert bool(effect(session, "bob", "prone")) is prone


@pytest.mark.rule("mars.defence.evade", "mars.action.reaction")
def test_after_evading_a_character_may_step_aside_once() -> None:
    session = duel(SKILLED, FOE)
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
    session = duel(SKILLED, fighter(hold=["straight_sword"], RES="r10"))
    act(session, "attack:bob:club", faces=[(3, 2), (5, 6)], choices={"how to defend": "parry::straight_sword"})
    trace = [line for line in session.log if isinstance(line, Trace)][-1]
    given = trace.call.named_arguments()
    assert (given["declared"], given["deflection"], given["parry"]) == ("parry", RollValue(10), RollValue(6))
    (met,) = trace.steps
    assert isinstance(met, Trace)
    assert met.call.named_arguments()["defence"] == RollValue(16)
    assert met.call.named_arguments()["grazing"] is False
    assert status(session, "bob").stamina == 9
    bare = duel(SKILLED, FOE)
    bare.do("mars.perform", who="ann", use="attack:bob:club")
    with pytest.raises(IllegalActionError, match=r"nothing to parry with \[mars.defence.parry\]"):
        bare.choose("parry")


SHIELDED = fighter(hold=["small_shield"], RES="r10")


@pytest.mark.rule("mars.defence.block", "mars.defence.block_damage")
def test_blocking_in_a_scene() -> None:
    session = duel(SKILLED, SHIELDED)
    act(session, "attack:bob:club", faces=[(9, 4), (7,), (8, 3)], choices={"block": "block"})
    hit = last(session, Hit)
    assert (hit.damage, hit.shield, hit.item) == (0, 8, "small_shield")  # 11 less 3
    assert status(session, "bob").stamina == 9
    assert [one.left for one in status(session, "bob").belongings if one.item == "small_shield"] == [2]
    act(session, "attack:bob:club", faces=[(5, 6), (5,), (8, 3)], choices={"block": "block"})
    hit = last(session, Hit)
    assert (hit.shield, hit.damage) == (2, 8)  # momentum: 13 less 3, of which 2 are stopped
    act(session, "attack:bob:club", faces=[(9, 8), (1,), (8, 3)])  # broken: no one is asked
    assert now(session.scene, "bob").blocking is None


@pytest.mark.rule("mars.gap.fight.facing", "mars.action.reaction", "mars.effect.stunned")
@each_case(
    ("facts", "effects"),
    [(Facts().set("behind", "ann", "yes", "bob"), ()), (Facts(), (MarsEffect("stunned", degree=1),))],
)
def test_an_attack_from_behind_or_on_the_stunned_cannot_be_blocked(facts: Facts, effects: Any) -> None:
    session = duel(SKILLED, SHIELDED, facts=facts, theirs={"effects": effects})
    session.do("mars.perform", who="ann", use="attack:bob:club")
    if not effects:
        session.choose("deflect")
    answer(session, (9, 4), 7, (4, 4))  # the damage is rolled at once
    assert session.question is None
    assert last(session, Hit).damage == 8


@pytest.mark.rule("mars.action.reaction")
@pytest.mark.parametrize("allowed", [True, False])
def test_defending_on_their_own_turn(allowed: bool) -> None:
    scene = duel(SKILLED, SHIELDED, options=MarsOptions(own_turn_defence=allowed), turn="bob").scene
    (offer, *_) = ACTIONS.options(under_attack(scene, aimed(scene)), "bob", reactions=True, among=("evade",))
    assert isinstance(offer, ActionUse) is allowed
    if isinstance(offer, ClosedOption):
        assert offer.rule == "mars.action.reaction"


@pytest.mark.rule("mars.attack.procedure")
def test_a_defence_declared_after_the_roll() -> None:
    session = duel(SKILLED, FOE, options=MarsOptions(defence_declaration="after_attack_roll"))
    session.do("mars.perform", who="ann", use="attack:bob:club")
    answer(session, (9, 4))
    blow = fight(session.scene).blow
    assert blow is not None
    assert blow.total == 13
    answer(session, "evade", 6, (8, 3))
    assert last(session, Hit).degree is Degree.CRITICAL


@pytest.mark.rule("mars.dice.passive_use", "mars.gap.dice.passive_advantage")
@each_case(
    ("passive", "attacker", "target", "effects", "attack", "deflection"),
    [
        ("none", "character", "creature", (), "r10", "r14"),
        ("npc_defence", "character", "creature", (), "r10", "r0+7"),
        ("npc_defence", "creature", "character", (), "r10", "r14"),
        ("all_npc", "creature", "character", (), "r0+5", "r14"),
        # two dice less
        ("all_npc", "character", "creature", (MarsEffect("debilitation", stat="RES"),), "r10", "r0+5"),
    ],
)
def test_passive_values_for_creatures(
    passive: Any, attacker: Any, target: Any, effects: Any, attack: str, deflection: str
) -> None:
    one, other = HERO.changed(kind=attacker), fighter("Bob", RES="r14", kind=target)
    session = duel(one, other, theirs={**STILL, "effects": effects}, options=MarsOptions(passive_rolls=passive))
    session.do("mars.perform", who="ann", use="attack:bob:club")
    assert session.playing is not None
    given = session.playing.calls[0].named_arguments()
    assert (str(given["attack"]), str(given["deflection"])) == (attack, deflection)


@pytest.mark.rule("mars.defence.evade", "mars.effect.prone")
def test_a_plain_evasion_leaves_the_choice_to_drop_until_after_the_dice() -> None:
    session = duel(HERO, FOE)
    session.do("mars.perform", who="ann", use="attack:bob:club")
    question: Any = session.question
    labels = {one: use.label for one, use in zip(question.ids, question.options, strict=True)}
    assert labels["evade::drop"] == "Evade"
    assert labels["evade"] == "Evade and stay standing"  # fights saved by earlier versions hold this answer
    answer(session, "evade::drop", 1, 9)
    assert asked(session) == ("stay", "drop_down")
    lying = duel(HERO, FOE, theirs={"effects": (MarsEffect("prone"),)})
    lying.do("mars.perform", who="ann", use="attack:bob:club")
    assert asked(lying) == ("deflect", "evade", "evade::step")
    answer(lying, "evade", (1, 1), 9)
    assert lying.question is None  # no one is asked to drop


@pytest.mark.rule("mars.effect.overencumbered", "mars.defence.evade")
def test_a_character_who_cannot_move_cannot_step_aside() -> None:
    for kind, able in (("encumbered", True), ("overencumbered", False)):
        session = duel(HERO, RIVAL, theirs={"effects": (MarsEffect(kind),)})  # type: ignore[arg-type]
        session.do("mars.perform", who="ann", use="attack:bob:club")
        assert ("evade::step" in asked(session)) is able
        assert "evade" in asked(session)
        assert not events(session, Defended)


@pytest.mark.rule("mars.defence.evade")
@each_case("how", ["evade", "evade::step"])
def test_a_character_who_is_felled_while_evading_neither_drops_nor_steps(how: str) -> None:
    session = duel(SKILLED, FOE, theirs={"endurance": 0, "health": 1})
    act(session, "attack:bob:club", faces=[(9, 8), (1,), (4, 4)], choices={"how to defend": how})
    assert status(session, "bob").has("unconscious")
    assert session.scene["bob"].position == cell(11, 10)
    assert not [event for event in events(session, MarsEffectGained) if event.cause == "mars.defence.evade"]


@pytest.mark.rule("mars.dice.passive_use")
@pytest.mark.parametrize(("option", "rolled"), [("none", "r20+1"), ("all_npc", "r0+11")])
def test_an_attack_that_is_taken_up_again_is_rolled_as_it_would_have_been(option: Any, rolled: str) -> None:
    session = duel(person("bandit"), CAPTAIN, options=MarsOptions(passive_rolls=option), theirs=STILL)
    session = Session(replace(session.header, scene=under_attack(session.scene, aimed(session.scene))), BOOK)
    session.do("mars.encounter")
    while isinstance(session.question, Roll) and not calls(session):
        session.roll()
    assert str(calls(session)[-1]["attack"]) == rolled


@pytest.mark.rule("mars.dice.odd_values", "mars.dice.passive_use")
@pytest.mark.parametrize(("odd", "expected"), [("literal", "r0+5"), ("even_plus_one", "r0+6")])
def test_the_passive_value_of_an_odd_roll_value_follows_its_reading(odd: Any, expected: str) -> None:
    options = MarsOptions(odd_roll_values=odd, passive_rolls="npc_defence", helpless_defence="passive")
    beast = somebody("Beast", RES="r11")
    for effects in ((), DOWN):
        scene = duel(CAPTAIN, beast, theirs={"effects": effects}, options=options).scene
        assert str(defending(scene, aimed(scene)).value) == expected
    asked = session_of({"ann": beast}, options)
    do(asked, "table.check", who="ann", what="RES", situation=["passive=yes"], faces=[()])
    assert str(calls(asked, "mars.check")[-1]["roll_value"]) == expected
