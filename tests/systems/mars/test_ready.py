"""Ready: triggers, readied actions in the middle of a way, what can be readied, and when it lapses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    HERO,
    RIVAL,
    STILL,
    act,
    closed,
    duel,
    effect,
    fighter,
    place,
    session_with,
    with_scene,
    with_status,
)
from systems.mars.people import LEDGER
from systems.playing import answer, asked, events, status
from tablewright.engine import Choice, Trace
from tablewright.errors import InvalidInputError
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.play.common_events import Moved
from tablewright.game.scene.scene import LooseItem, Participant
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.move import _halts
from tablewright.systems.mars.actions.turn import READIABLE, timely_skills
from tablewright.systems.mars.character.record import MarsCharacter, MarsEffect
from tablewright.systems.mars.events.attack import AimedAnew, AttackDeclared, Hit, Missed
from tablewright.systems.mars.events.turn import Acted, ReadyTaken, Walked
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Ready, Turn, Work


def waiting(
    trigger: Any,
    action: str = "attack",
    *,
    at: tuple[int, int] = (11, 10),
    hero: MarsCharacter = HERO,
    hidden: bool = False,
    stamina: int = 5,
    more: Sequence[Participant] = (),
    **mine: Any,
) -> Session:
    """Ann at 10,10 has readied something; it is bob's turn, who stands where it is said."""
    people = [
        place(hero, "party", (10, 10), who="ann", ready=Ready(trigger, action), **mine),
        place(RIVAL, "foes", at, who="bob", hidden=hidden, stamina=stamina),
        *more,
    ]
    return session_with(people, turn="bob")


def going(session: Session, to: str) -> Session:
    """Bob moves to a square; gives the session at the first question that is asked then."""
    session.do("mars.perform", who="bob", use="move")
    return answer(session, f"destination::{to}")


def asks(session: Session) -> tuple[str, str]:
    """The seat and the question; empty when nothing is asked."""
    question = session.question
    if question is None:
        return "", ""
    return str(session.seat), question.question if isinstance(question, Choice) else ""


MOMENT = ("ann", "is this the moment?")


# ---------------------------------------------------------------------- readied actions on a way


@pytest.mark.rule("mars.action.ready")
def test_a_readied_action_meets_who_only_passes() -> None:
    session = going(waiting("enters_reach", at=(7, 11)), "13,11")
    assert asks(session) == MOMENT
    assert session.scene["bob"].position in (cell(9, 9), cell(9, 10), cell(9, 11))  # the first square in reach
    session.choose("go_ahead:bob:attack")
    assert [use for use in asked(session) if ":bob:" in use] == ["attack:bob:club", "attack:bob:unarmed"]
    answer(session, "attack:bob:club", "deflect", 1, 9)
    assert session.question is None
    assert session.scene["bob"].position == cell(13, 11)  # goes on
    assert events(session, Moved)[-1].position == cell(13, 11)
    assert (events(session, Walked)[0].metres, events(session, Walked)[0].sets_out) == (6, False)


@pytest.mark.rule("mars.action.ready")
def test_a_character_who_is_in_reach_from_the_beginning_enters_only_by_coming_back() -> None:
    assert asks(going(waiting("enters_reach", at=(9, 10)), "5,10")) == ("", "")
    assert asks(going(waiting("enters_reach", at=(9, 10)), "9,11")) == ("", "")
    back = going(waiting("enters_reach", at=(8, 10)), "9,10")
    assert asks(back) == MOMENT
    spear = fighter("Ann", ["spear@hands"])
    assert asks(going(waiting("enters_reach", at=(8, 10), hero=spear), "9,10")) == ("", "")
    assert asks(going(waiting("enters_reach", at=(7, 10), hero=spear), "8,10")) == MOMENT


@pytest.mark.rule("mars.action.ready")
def test_nobody_is_halted_where_others_stand() -> None:
    friend = place(RIVAL, "foes", (9, 11), who="dan")
    session = going(waiting("enters_reach", at=(7, 11), more=(friend,)), "13,11")
    assert asks(session) == MOMENT
    assert session.scene["bob"].position != cell(9, 11)
    scene, straight = waiting("enters_reach", at=(7, 11), more=(friend,)).scene, [cell(x, 11) for x in range(7, 14)]
    halts = [
        halt for halt in _halts(session.rulebook.actions, scene, "bob", straight) if halt.trigger == "enters_reach"
    ]
    assert halts == [(3, "enters_reach", "ann")]


@pytest.mark.rule("mars.action.ready")
def test_a_readied_attack_comes_before_a_character_walks_off() -> None:
    session = going(waiting("moves"), "17,10")
    assert asks(session) == MOMENT
    assert session.scene["bob"].position == cell(11, 10)
    (walked,) = events(session, Walked)
    assert (walked.sets_out, walked.metres, walked.seconds) == (True, 6, 2)
    answer(session, "go_ahead:bob:attack", "attack:bob:club", "deflect", 10, 1, (1, 1))
    assert session.scene["bob"].position == cell(17, 10)
    assert events(session, AttackDeclared)[0].who == "ann"


@pytest.mark.rule("mars.action.ready")
def test_a_readied_attack_waits_until_the_mover_is_near() -> None:
    session = going(waiting("moves", at=(14, 10)), "11,10")
    assert asks(session) == MOMENT
    assert session.scene["bob"].position == cell(11, 10)
    early = going(waiting("moves", "drop_prone", at=(14, 10)), "11,10")
    assert asks(early) == MOMENT
    assert early.scene["bob"].position == cell(14, 10)


@pytest.mark.rule("mars.action.ready")
def test_nothing_is_used_up_where_nothing_can_be_done() -> None:
    session = going(waiting("moves", at=(20, 10)), "19,10")
    assert asks(session) == ("", "")
    assert not events(session, ReadyTaken)
    assert status(session).ready == Ready("moves", "attack")
    assert status(session).turn.reaction
    assert asks(going(waiting("moves", "rise"), "17,10")) == ("", "")
    assert asks(going(waiting("moves", "rise", effects=(MarsEffect("prone"),)), "17,10")) == MOMENT
    struck = duel(HERO, RIVAL, theirs={**STILL, "ready": Ready("attacks", "rise")})
    act(struck, "attack:bob:club", faces=[(1,), (9,)])
    assert status(struck, "bob").ready == Ready("attacks", "rise")
    idle = duel(HERO, RIVAL, apart=9, mine={"ready": Ready("other", "rise")})
    idle.do("mars.encounter")
    assert asks(answer(idle, "end_turn")) == ("bob", "what now?")  # the game master is not asked either


@pytest.mark.rule("mars.action.ready", "mars.action.reaction", "mars.action.extended")
@each_case(
    ("mine", "able"),
    [
        ({"turn": Turn(reaction=False)}, False),
        ({"effects": (MarsEffect("stunned", degree=1),)}, False),
        ({"work": Work("use_skill", "medicine", 180, 6)}, True),  # work does not keep from reacting
    ],
)
def test_a_readied_action_needs_the_reaction(mine: dict[str, Any], able: bool) -> None:
    session = going(waiting("moves", **mine), "17,10")
    assert asks(session) == (MOMENT if able else ("", ""))
    assert not events(session, ReadyTaken)


@pytest.mark.rule("mars.action.ready")
def test_a_friend_sets_nothing_off_and_nor_does_who_is_not_seen() -> None:
    assert asks(going(waiting("moves", hidden=True), "17,10")) == ("", "")
    other = place(fighter("Cid", ["club"]), "foes", (12, 12), who="cid", ready=Ready("moves", "attack"))
    session = going(waiting("attacks", more=(other,)), "11,11")
    assert asks(session) == ("", "")


@pytest.mark.rule("mars.action.ready")
def test_a_character_who_falls_on_the_way_stays_there() -> None:
    weak = with_status(waiting("enters_reach", at=(7, 11), stamina=0), "bob", endurance=0, health=1)
    answer(going(weak, "13,11"), "go_ahead:bob:attack", "attack:bob:club", 10, 1, (5, 5))
    assert weak.question is None
    assert not status(weak, "bob").conscious
    assert weak.scene["bob"].position in (cell(9, 9), cell(9, 10), cell(9, 11))


@pytest.mark.rule("mars.action.ready", "mars.attack.sneak")
@pytest.mark.parametrize("hidden", [True, False])
def test_a_character_who_comes_to_light_by_attacking_appears(hidden: bool) -> None:
    session = waiting("appears", hidden=hidden)
    session.do("mars.perform", who="bob", use="attack:ann:club")
    assert (asks(session) == MOMENT) is hidden
    assert events(session, AttackDeclared)


# ---------------------------------------------------------------------- what can be readied


@pytest.mark.rule("mars.action.ready")
@pytest.mark.parametrize(
    ("hero", "missing"),
    [
        (HERO, {"maneuver", "second_wind", "rage", "trip", "stabilise", "reload"}),
        (fighter("Ann", ["staff"]), {"maneuver", "second_wind", "rage", "stabilise", "reload"}),
        (fighter("Ann", skills={"medicine": "r4"}), {"maneuver", "second_wind", "rage", "trip", "hurl", "reload"}),
    ],
    ids=["armed", "with a staff", "a healer"],
)
def test_actions_of_up_to_four_seconds_can_be_readied(hero: MarsCharacter, missing: set[str]) -> None:
    session = duel(hero, RIVAL)
    session.do("mars.perform", who="ann", use="ready")
    session.choose("ready_for::moves")
    assert isinstance(session.question, Choice)
    able = {one.removeprefix("ready_to::") for one in asked(session)}
    assert able == set(READIABLE) - missing
    assert able | {one.id.removeprefix("ready_to::") for one in session.question.closed} == set(READIABLE)
    everything = {action.id for action in session.rulebook.actions if not action.reaction}
    assert everything - set(READIABLE) == {"ready", "delay", "end_turn", "work_on", "give_up", "let_go"}


@pytest.mark.rule("mars.action.ready")
@pytest.mark.parametrize("word", ["yes", "no"])
@pytest.mark.parametrize("words", ["", "Bob hums a song"])
def test_a_trigger_of_their_own_choice_is_the_game_masters_word(words: str, word: str) -> None:
    session = duel(HERO, RIVAL, apart=9)
    session.do("mars.encounter")
    answer(session, "ready", f" {words} " if words else "ready_for::other", "ready_to::drop_prone", "end_turn")
    assert status(session).ready == Ready("other", "drop_prone", words)
    question = session.question
    assert isinstance(question, Choice)
    assert session.seat == "game master"  # bob's turn has begun
    assert question.details == {"who": "ann", "actor": "bob"} | ({"words": words} if words else {})
    # where no person is the game master, whoever chose the words judges them
    assert question.ids[question.default] == ("yes" if words else "no")
    session.choose(word)
    assert asks(session) == (MOMENT if word == "yes" else ("bob", "what now?"))
    if word == "yes":
        session.choose("go_ahead:bob:drop_prone")
        assert (status(session).has("prone"), status(session).turn.reaction) == (True, False)
    assert (status(session).ready is None) is (word == "yes")
    assert Session(session.header, session.rulebook, session.entries).scene == session.scene


@pytest.mark.rule("mars.action.ready")
@pytest.mark.parametrize("words", ["", "   ", "x" * 201])
def test_a_trigger_is_one_to_two_hundred_letters(words: str) -> None:
    session = duel(HERO, RIVAL)
    session.do("mars.perform", who="ann", use="ready")
    with pytest.raises(InvalidInputError, match="1 to 200 letters"):
        session.choose(words)
    answer(session, "READY_FOR::MOVES", "ready_to::attack")  # a listed trigger in any case
    assert status(session).ready == Ready("moves", "attack")


@pytest.mark.rule("mars.action.ready", "mars.gap.weapon.trip", "mars.maneuver.improvise")
@pytest.mark.parametrize("action", ["trip", "improvise", "take", "interact", "douse", "use_skill", "stabilise"])
def test_readied_actions_can_be_done_at_once(action: str) -> None:
    hero = fighter("Ann", ["staff"], skills={"martial": "r8", "medicine": "r4"})
    friend = place(
        RIVAL, "party", (9, 10), who="dan", effects=(MarsEffect("dying"), MarsEffect("unconscious")), health=-1
    )
    burning = (MarsEffect("burning", degree=1),) if action == "douse" else ()
    session = waiting("moves", action, hero=hero, more=(friend,), effects=burning)
    facts = Facts().set("water", "ann", True).set("object", "ann", "lever")
    session = with_scene(session, facts=facts, loose_items=(LooseItem("club", "bob", None, cell(10, 10)),))
    going(session, "17,10")
    assert asks(session) == MOMENT
    assert session.scene["bob"].position == cell(11, 10)


@pytest.mark.rule("mars.action.ready", "mars.gap.weapon.reload")
def test_full_round_actions_cannot_be_readied() -> None:
    hero = fighter("Ann", ["crossbow@hands"], pack={"bolt": 5})
    session = waiting("moves", "reload", hero=hero)
    empty = tuple([replace(one, left=0) if one.place == "hands" else one for one in status(session).belongings])
    assert asks(going(with_status(session, belongings=empty), "17,10")) == ("", "")


@pytest.mark.rule("mars.action.ready", "mars.check.duration", "mars.action.use_skill")
@pytest.mark.parametrize(("seconds", "able"), [(4, True), (5, False)])
def test_only_skills_of_up_to_four_seconds_are_readied(seconds: int, able: bool) -> None:
    options = MarsOptions(basic_skill_seconds=seconds, complex_skill_seconds=6)
    healer = fighter("Ann", ["club"], skills={"medicine": "r4"})
    people = [
        place(healer, "party", (10, 10), who="ann", options=options, ready=Ready("moves", "use_skill")),
        place(RIVAL, "foes", (11, 10), who="bob", options=options),
    ]
    session = going(session_with(people, options=options, turn="bob"), "17,10")
    assert (asks(session) == MOMENT) is able
    if able:
        session.choose("go_ahead:bob:use_skill")
        assert "which_skill::medicine" not in asked(session)
        session.choose("which_skill::agility")
        session.choose("moderate")
        session.type_in((9,))
        assert events(session, Acted)[0].seconds == 0
    on_turn = session_with(people, options=options, turn="ann")
    assert "medicine" in [one.id for one in timely_skills(on_turn.scene, "ann")]


# ---------------------------------------------------------------------- ready for an attack


@pytest.mark.rule("mars.action.ready", "mars.attack.hit")
def test_a_character_who_was_ready_to_move_is_not_there_any_more() -> None:
    session = duel(HERO, RIVAL, theirs={"ready": Ready("attacks", "move")})
    choices = {"is this": "go_ahead:ann:move", "where to": "destination::14,10"}
    act(session, "attack:bob:club", choices=choices)  # nothing is rolled
    assert [(one.who, one.reason) for one in events(session, Missed)] == [("bob", "out of reach")]
    assert status(session).turn.attacks == 1


@pytest.mark.rule("mars.action.ready", "mars.effect.prone", "mars.action.seek_cover")
@pytest.mark.parametrize("deed", ["drop_prone", "seek_cover"])
def test_a_character_who_was_ready_for_an_arrow_is_harder_to_hit(deed: str) -> None:
    archer = fighter("Ann", ["shortbow@hands"], pack={"arrow": 3})
    people = [
        place(archer, "party", (1, 1), who="ann", hidden=True),
        place(RIVAL, "foes", (9, 1), who="bob", ready=Ready("attacks", deed), stamina=0),
    ]
    session = session_with(people, ground=Grid(size=(20, 20), blocked=(cell(9, 2),)))
    choices = {"is this": f"go_ahead:ann:{deed}"}
    act(session, "attack:bob:shortbow", choices=choices, faces=[(1,), (10,)])
    (anew,) = events(session, AimedAnew)
    assert (anew.blow.advantage, anew.blow.disadvantage) == (1, 1)  # it came unseen, and that still counts
    (trace,) = [one for one in session.log if isinstance(one, Trace)]
    given = trace.call.named_arguments()
    assert (given["advantage"], given["disadvantage"]) == (1, 1)


# ---------------------------------------------------------------------- costs and effects


@pytest.mark.rule("mars.action.ready")
def test_readying_takes_a_standard_action() -> None:
    (example,) = LEDGER["mars.action.ready"].examples
    assert example["expect"]["cost_now"] == "standard"
    choices = {"wait for what": "ready_for::enters_reach", "to do what": "ready_to::attack"}
    session = act(duel(HERO, RIVAL, apart=9), "ready", choices=choices)
    assert status(session).ready == Ready("enters_reach", "attack")
    assert status(session).turn.seconds == 2
    assert closed(session, "ready")[1] == "mars.action.speeds"


@pytest.mark.rule("mars.action.ready", "mars.attack.multiple_attack_penalty")
def test_a_readied_attack_takes_no_time_and_no_penalty() -> None:
    session = waiting("enters_reach", at=(15, 10), stamina=0, turn=Turn(attacks=2, weapon="club"))
    choices = {"is this": "go_ahead:bob:attack"}
    act(session, "move:ann", who="bob", choices=choices, faces=[(9,), (5,), (1, 1)])
    declared = events(session, AttackDeclared)[-1]
    assert (declared.who, declared.target, declared.seconds, declared.blow.attack.modifier) == ("ann", "bob", 0, 0)
    assert not declared.counted
    assert not status(session).turn.reaction
    assert status(session).ready is None
    assert [one.over for one in events(session, ReadyTaken)] == [False, True]


@pytest.mark.rule("mars.action.ready")
def test_a_readied_attack_comes_before_what_triggers_it() -> None:
    session = with_status(waiting("attacks", stamina=0), "bob", health=1, endurance=0)
    choices = {"is this": "go_ahead:bob:attack"}
    act(session, "attack:ann:club", who="bob", choices=choices, faces=[(9,), (2,), (3, 3)])
    assert [one.who for one in events(session, Hit)] == ["bob"]
    assert [(one.who, one.reason) for one in events(session, Missed)] == [("ann", "cannot go on")]
    waited = with_status(waiting("attacks"), stamina=0)
    act(waited, "attack:ann:club", who="bob", choices={"is this": "wait_on"}, faces=[(1,), (9,)])
    assert status(waited).ready is not None  # it waits on


@pytest.mark.rule("mars.action.ready")
@pytest.mark.parametrize("action", ["drop_prone", "step", "seek_cover", "brandish"])
def test_other_things_can_be_readied(action: str) -> None:
    session = waiting("moves", action, at=(19, 10), turn=Turn(moves=2))
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
    session = duel(HERO, RIVAL, apart=9, options=MarsOptions(ready_expiry=expiry))
    session.do("mars.encounter")
    answer(session, "ready", "ready_for::attacks", "ready_to::attack", "end_turn", "end_turn")  # the last is bob's
    assert status(session).ready is not None
    session.choose("begin_turn")
    assert (status(session).ready is None) is (expiry == "next_own_turn")
