"""Ready with its triggers, Delay, and extended actions that go on for turns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import BOOK, act, closed, duel, effect, fighter, offered, place, session_with
from systems.playing import events, status
from tablewright.errors import IllegalActionError
from tablewright.game.ground.position import cell
from tablewright.game.play.common_events import Checked
from tablewright.game.rules.ledger import Ledger
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.events.attack import AttackDeclared, Hit, Missed
from tablewright.systems.mars.events.encounter import Delayed
from tablewright.systems.mars.events.turn import ReadyTaken, WorkedOn
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Ready, Turn, Work

LEDGER = Ledger.load("mars")
HERO = fighter("Ann", ["club"], DEX="r10")
FOE = fighter("Bob", DEX="r10", hold=["club"])
STILL: dict[str, Any] = {"stamina": 0}


# ---------------------------------------------------------------------- ready


@pytest.mark.rule("mars.action.ready")
def test_readying_takes_a_standard_action() -> None:
    (example,) = LEDGER["mars.action.ready"].examples
    session = duel(HERO, FOE, apart=9)
    choices = {"wait for what": "ready_for::enters_reach", "to do what": "ready_to::attack"}
    act(session, "ready", choices=choices)
    assert status(session).ready == Ready("enters_reach", "attack")
    assert status(session).turn.seconds == 2
    assert example["expect"]["cost_now"] == "standard"
    assert closed(session, "ready")[1] == "mars.action.speeds"


def lying_in_wait(trigger: str, action: str = "attack", apart: int = 9, **how: Any) -> Session:
    """It is bob's turn, and ann has readied something."""
    ready = {"ready": Ready(trigger, action)}  # type: ignore[arg-type]
    return duel(HERO, FOE, apart=apart, turn="bob", mine={**ready, **how.pop("mine", {})}, theirs=STILL, **how)


@pytest.mark.rule("mars.action.ready", "mars.attack.multiple_attack_penalty")
def test_a_readied_attack_meets_who_comes_near() -> None:
    session = lying_in_wait("enters_reach", apart=5, mine={"turn": Turn(attacks=2, weapon="club")})
    act(
        session,
        "move:ann",
        who="bob",
        choices={"is this": "go_ahead:bob:attack"},
        faces=[(9,), (5,), (1, 1)],
    )
    blow = events(session, AttackDeclared)[-1]
    assert (blow.who, blow.target, blow.seconds, blow.blow.attack.modifier) == ("ann", "bob", 0, 0)
    assert not blow.counted
    assert not status(session).turn.reaction
    assert status(session).ready is None
    assert [one.over for one in events(session, ReadyTaken)] == [False, True]


@pytest.mark.rule("mars.action.ready")
def test_a_readied_attack_comes_before_what_triggers_it() -> None:
    session = lying_in_wait("attacks", apart=1)
    session = Session(
        replace(session.header, scene=session.scene.with_status("bob", health=1, endurance=0)), session.rulebook
    )
    act(session, "attack:ann:club", who="bob", choices={"is this": "go_ahead:bob:attack"}, faces=[(9,), (2,), (3, 3)])
    assert [one.who for one in events(session, Hit)] == ["bob"]
    assert [(one.who, one.reason) for one in events(session, Missed)] == [("ann", "cannot go on")]
    waited = lying_in_wait("attacks", apart=1, mine=STILL)
    act(waited, "attack:ann:club", who="bob", choices={"is this": "wait_on"}, faces=[(1,), (9,)])
    assert status(waited).ready is not None  # it waits on


@pytest.mark.rule("mars.action.ready", "mars.action.reaction")
def test_a_readied_action_needs_the_reaction() -> None:
    session = lying_in_wait("moves", mine={"turn": Turn(reaction=False)})
    act(session, "move:ann", who="bob")  # no one is asked
    assert not events(session, ReadyTaken)
    stunned = lying_in_wait("moves", mine={"effects": (MarsEffect("stunned", degree=1),)})
    act(stunned, "move:ann", who="bob")
    assert not events(stunned, ReadyTaken)


@pytest.mark.rule("mars.action.ready")
@pytest.mark.parametrize("action", ["drop_prone", "step", "seek_cover", "brandish"])
def test_other_things_can_be_readied(action: str) -> None:
    session = lying_in_wait("moves", action)
    session = Session(
        replace(session.header, scene=session.scene.with_status("ann", turn=Turn(moves=2))), session.rulebook
    )
    act(session, "move:ann", who="bob", choices={"is this": f"go_ahead:bob:{action}"})
    assert len(events(session, ReadyTaken)) == 2
    assert (status(session).turn.reaction, status(session).turn.reacting) == (False, False)
    changed = {
        "drop_prone": bool(effect(session, "ann", "prone")),
        "step": session.scene["ann"].position != cell(10, 10),
        "seek_cover": bool(effect(session, "ann", "cover")),
        "brandish": all(one.place == "pack" for one in status(session).belongings),
    }
    assert changed[action]
    assert status(session).stamina == 10


@pytest.mark.rule("mars.action.ready")
@pytest.mark.parametrize("expiry", ["next_own_turn", "encounter_end"])
def test_when_a_readied_action_lapses(expiry: Any) -> None:
    session = duel(HERO, FOE, apart=9, options=MarsOptions(ready_expiry=expiry))
    session.do("mars.encounter")
    session.choose("ready")
    session.choose("ready_for::attacks")
    session.choose("ready_to::attack")
    session.choose("end_turn")
    session.choose("end_turn")  # bob's
    assert status(session).ready is not None
    session.choose("begin_turn")
    assert (status(session).ready is None) is (expiry == "next_own_turn")


# ---------------------------------------------------------------------- delay


def three(**how: Any) -> Session:
    """Ann, bob and cid, far apart, in this order; ann's turn has just come."""
    people = [
        place(HERO, "party", (1, 1), who="ann"),
        place(FOE, "foes", (20, 20), who="bob"),
        place(HERO, "party", (5, 1), who="cid"),
    ]
    options = MarsOptions(**how)
    session = session_with(people, options=options)
    # the order without delays follows from initiative: ann, bob, cid
    scene = session.scene
    for who, rolled in (("ann", 20), ("bob", 15), ("cid", 10)):
        scene = scene.with_status(who, initiative=rolled)
    return Session(replace(session.header, scene=replace(scene, options=options)), session.rulebook)


@pytest.mark.rule("mars.action.delay")
@pytest.mark.parametrize("persists", [False, True])
def test_delaying(persists: bool) -> None:
    session = three(delay_persists=persists)
    session.do("mars.encounter")
    assert "delay" in offered(session)
    session.choose("delay")
    session.choose("delay_after:bob")
    assert session.scene.order == ("bob", "ann", "cid")
    assert session.seat == "bob"
    session.choose("end_turn")
    assert session.seat == "ann"
    assert status(session).turn.seconds == 6
    assert closed(session, "delay") == ("delayed once in this round already", "mars.action.delay")
    session.choose("end_turn")
    session.choose("end_turn")
    assert session.scene.round == 2
    assert session.scene.order == (("bob", "ann", "cid") if persists else ("ann", "bob", "cid"))
    assert "delay" in offered(session, session.scene.turn or "")


@pytest.mark.rule("mars.action.delay")
def test_a_character_who_has_acted_does_not_delay() -> None:
    session = three()
    session.do("mars.encounter")
    session.choose("drop_prone")
    assert closed(session, "delay") == ("the turn has begun already", "mars.action.delay")


@pytest.mark.rule("mars.action.delay", "mars.time.duration")
def test_effects_of_a_turn_wait_for_the_delayed_turn() -> None:
    session = three()
    burning = (MarsEffect("burning", degree=1), MarsEffect("blind", turn_of="ann", until=1))
    scene = session.scene.with_status("ann", effects=burning, earlier=None, turn=Turn(reaction=False))
    session = Session(replace(session.header, scene=scene), session.rulebook)
    session.do("mars.encounter")
    session.choose("delay")  # asked before anything happens
    session.choose("delay_after:cid")
    assert effect(session, "ann", "blind")
    assert not status(session).turn.reaction
    session.choose("end_turn")
    session.choose("end_turn")
    session.type_in((2,))  # once in a round: now it burns
    assert effect(session, "ann", "blind") is None
    assert status(session).turn.reaction
    assert len(events(session, Delayed)) == 1


@pytest.mark.rule("mars.action.delay", "mars.effect.unconscious")
def test_the_unconscious_may_delay_though_nothing_waits_for_their_turn() -> None:
    session = three()
    down = session.scene.with_status("ann", effects=(MarsEffect("unconscious"),), earlier=None, turn=Turn())
    session = Session(replace(session.header, scene=down), session.rulebook)
    session.do("mars.encounter")
    assert session.seat == "ann"
    session.choose("delay")
    session.choose("delay_after:bob")
    assert session.scene.turn == "bob"


@pytest.mark.rule("mars.action.delay", "mars.effect.unconscious")
def test_the_dying_may_delay() -> None:
    session = three()
    dying = {
        "effects": (MarsEffect("dying"), MarsEffect("unconscious"), MarsEffect("prone")),
        "health": -2,
        "endurance": 0,
    }
    scene = session.scene.with_status("ann", **dying, earlier=None, turn=Turn())
    session = Session(replace(session.header, scene=scene), session.rulebook)
    session.do("mars.encounter")
    session.choose("delay")
    session.choose("delay_after:bob")
    assert session.seat == "bob"


def test_a_delay_gives_no_second_reaction() -> None:
    session = three()
    scene = session.scene.with_status("ann", earlier=None, turn=Turn(reaction=False))
    session = Session(replace(session.header, scene=scene), session.rulebook)
    session.do("mars.encounter")
    assert status(session).turn.reaction  # the turn has begun
    session.choose("delay")
    session.choose("delay_after:cid")
    assert not status(session).turn.reaction  # and has not after all


# ---------------------------------------------------------------------- extended actions


HEALER = fighter("Ann", INT="r12", skills={"medicine": "r6"})


def tending(mode: str = "accumulate_seconds", seconds: int = 14) -> Session:
    """A skill of several turns, begun with four seconds left."""
    options = MarsOptions(extended_action_mode=mode, complex_skill_seconds=seconds)  # type: ignore[arg-type]
    session = duel(HEALER, FOE, apart=20, options=options)
    scene = session.scene.with_status("ann", turn=Turn.begun(0)._replace(seconds=4))
    session = Session(replace(session.header, scene=scene), session.rulebook)
    session.do("mars.encounter")
    return session


@pytest.mark.rule("mars.action.extended", "mars.action.use_skill")
def test_an_extended_action_adds_up_seconds() -> None:
    session = tending()
    session.choose("use_skill")
    session.choose("which_skill::medicine")
    assert status(session).work == Work("use_skill", "medicine", 14, 4)
    assert [use for use in offered(session) if use.partition(":")[0] in ("attack", "move", "rise", "ready")] == []
    assert closed(session, "attack") == ("busy with medicine", "mars.action.extended")
    session.choose("end_turn")
    session.choose("end_turn")
    session.choose("begin_turn")
    session.choose("work_on")
    assert status(session).work == Work("use_skill", "medicine", 14, 10)
    assert not events(session, Checked)
    session.choose("end_turn")
    session.choose("end_turn")
    session.choose("begin_turn")
    session.choose("work_on")
    session.choose("easy")
    session.type_in((5, 5))
    assert events(session, Checked)
    assert status(session).work is None
    assert status(session).turn.seconds == 2  # the rest of the turn is free


@pytest.mark.rule("mars.action.extended")
def test_extended_actions_in_whole_turns() -> None:
    session = tending("whole_turns")
    session.choose("use_skill")
    with pytest.raises(IllegalActionError, match="it starts with a full turn"):
        session.choose("which_skill::medicine")
    session.choose("which_skill::agility")
    session.choose("moderate")
    session.roll()
    assert status(session).work is None
    session.choose("end_turn")
    session.choose("end_turn")
    session.choose("use_skill")
    session.choose("which_skill::medicine")
    assert status(session).work == Work("use_skill", "medicine", 18, 6)


@pytest.mark.rule("mars.action.extended")
def test_an_extended_action_may_be_given_up_on_their_own_turn() -> None:
    session = tending()
    session.choose("use_skill")
    session.choose("which_skill::medicine")
    act_elsewhere = duel(HEALER, FOE, turn="bob", mine={"work": Work("use_skill", "medicine", 14, 4)})
    with pytest.raises(IllegalActionError, match="only on your own turn"):
        act(act_elsewhere, "give_up")
    session.choose("give_up")
    assert status(session).work is None
    assert events(session, WorkedOn)[-1].given_up


@pytest.mark.rule("mars.action.extended", "mars.action.reaction")
def test_a_busy_character_keeps_reactions_and_a_free_action() -> None:
    busy = {"work": Work("use_skill", "medicine", 180, 6)}
    session = duel(HERO, FOE, theirs=busy)
    act(session, "attack:bob:club", faces=[(3,), (9,)], choices={"how to defend": "evade"})
    assert status(session, "bob").work is not None
    own = duel(HEALER, FOE, mine=busy)
    act(own, "drop_prone")
    assert status(own).work is not None


@pytest.mark.rule("mars.action.delay", "mars.effect.stunned")
@pytest.mark.parametrize(
    ("waits", "faces"),
    [(MarsEffect("stunned", degree=2), []), (MarsEffect("burning", degree=1), [(1,)]), (MarsEffect("dying"), [(1, 1)])],
)
def test_effects_of_a_turn_start_come_once(waits: MarsEffect, faces: list[tuple[int, ...]]) -> None:
    session = duel(HERO, FOE, mine={"effects": (waits,), "health": -2})
    scene = replace(session.scene, turn=None).with_status("ann", turn=Turn(), earlier=None)
    session = Session(SessionHeader("mars", "0.1.0", scene, 1), BOOK)
    session.do("mars.encounter")
    session.choose("begin_turn")
    for thrown in faces:
        session.type_in(list(thrown))
    question: Any = session.question
    assert "delay" not in question.ids
    assert closed(session, "delay") == ("the turn has begun already", "mars.action.delay")
