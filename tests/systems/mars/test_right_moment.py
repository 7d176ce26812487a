"""The right moment: readied actions in the middle of a way, what can be readied, and what goes on beside work."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import act, closed, duel, fighter, offered, place, session_with
from systems.playing import asked, events, status
from tablewright.engine import Choice, Trace
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.play.common_events import Moved
from tablewright.game.scene.scene import LooseItem
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.move import _halts, approach, destinations
from tablewright.systems.mars.actions.turn import READIABLE, timely_skills
from tablewright.systems.mars.character.record import MarsCharacter, MarsEffect
from tablewright.systems.mars.events.attack import AimedAnew, AttackDeclared, Defended, Missed
from tablewright.systems.mars.events.turn import Acted, ReadyTaken, Walked
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Ready, Turn, Work

ANN = fighter("Ann", ["club"])
BOB = fighter("Bob", ["club"])
ROUGH = ((cell(11, 10), 2),)


def waiting(
    trigger: Any,
    action: str = "attack",
    *,
    at: tuple[int, int],
    hero: MarsCharacter = ANN,
    hidden: bool = False,
    more: Any = (),
    mine: Any = None,
) -> Session:
    """Ann at 10,10 has readied something; it is bob's turn, who stands where it is said."""
    people = [
        place(hero, "party", (10, 10), who="ann", ready=Ready(trigger, action), **(mine or {})),
        place(BOB, "foes", at, who="bob", hidden=hidden, stamina=5),
        *more,
    ]
    return session_with(people, turn="bob")


def going(session: Session, to: str) -> Session:
    """Bob moves to a square; gives the session at the first question that is asked then."""
    session.do("mars.perform", who="bob", use="move")
    session.choose(f"destination::{to}")
    return session


def asks(session: Session) -> tuple[str, str]:
    """The seat and the question; empty when nothing is asked."""
    question = session.question
    return (
        ("", "") if question is None else (str(session.seat), question.question if isinstance(question, Choice) else "")
    )


MOMENT = ("ann", "is this the moment?")


# ---------------------------------------------------------------------- readied actions on a way


@pytest.mark.rule("mars.action.ready")
def test_a_readied_action_meets_who_only_passes() -> None:
    session = going(waiting("enters_reach", at=(7, 11)), "13,11")
    assert asks(session) == MOMENT
    assert session.scene["bob"].position in (cell(9, 9), cell(9, 10), cell(9, 11))  # the first square in reach
    session.choose("go_ahead:bob:attack")
    assert [use for use in asked(session) if ":bob:" in use] == ["attack:bob:club", "attack:bob:unarmed"]
    session.choose("attack:bob:club")
    while session.question is not None and session.seat != "bob":
        session.roll()
    session.choose("deflect")
    for faces in ((1,), (9,)):
        session.type_in(faces)
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
    friend = place(BOB, "foes", (9, 11), who="dan")
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
    session = going(waiting("moves", at=(11, 10)), "17,10")
    assert asks(session) == MOMENT
    assert session.scene["bob"].position == cell(11, 10)
    (walked,) = events(session, Walked)
    assert (walked.sets_out, walked.metres, walked.seconds) == (True, 6, 2)
    session.choose("go_ahead:bob:attack")
    session.choose("attack:bob:club")
    session.choose("deflect")
    for faces in ((10,), (1,), (1, 1)):
        session.type_in(faces)
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
    assert asks(going(waiting("moves", "rise", at=(11, 10)), "17,10")) == ("", "")
    prone = {"effects": (MarsEffect("prone"),)}
    assert asks(going(waiting("moves", "rise", at=(11, 10), mine=prone), "17,10")) == MOMENT
    spent = {"turn": Turn(reaction=False)}
    assert asks(going(waiting("moves", at=(11, 10), mine=spent), "17,10")) == ("", "")


@pytest.mark.rule("mars.action.ready")
def test_a_friend_sets_nothing_off_and_nor_does_who_is_not_seen() -> None:
    assert asks(going(waiting("moves", at=(11, 10), hidden=True), "17,10")) == ("", "")
    other = place(fighter("Cid", ["club"]), "foes", (12, 12), who="cid", ready=Ready("moves", "attack"))
    session = going(waiting("attacks", at=(11, 10), more=(other,)), "11,11")
    assert asks(session) == ("", "")


@pytest.mark.rule("mars.action.ready")
def test_a_character_who_falls_on_the_way_stays_there() -> None:
    weak = waiting("enters_reach", at=(7, 11))
    weak = Session(
        replace(weak.header, scene=weak.scene.with_status("bob", endurance=0, health=1, stamina=0)), weak.rulebook
    )
    going(weak, "13,11")
    weak.choose("go_ahead:bob:attack")
    weak.choose("attack:bob:club")
    for faces in ((10,), (1,), (5, 5)):
        weak.type_in(faces)
    assert weak.question is None
    assert not status(weak, "bob").conscious
    assert weak.scene["bob"].position in (cell(9, 9), cell(9, 10), cell(9, 11))


@pytest.mark.rule("mars.action.ready", "mars.attack.sneak")
def test_a_character_who_comes_to_light_by_attacking_appears() -> None:
    session = waiting("appears", at=(11, 10), hidden=True)
    session.do("mars.perform", who="bob", use="attack:ann:club")
    assert asks(session) == MOMENT
    assert events(session, AttackDeclared)
    seen = waiting("appears", at=(11, 10))
    seen.do("mars.perform", who="bob", use="attack:ann:club")
    assert asks(seen) != MOMENT


# ---------------------------------------------------------------------- what can be readied


@pytest.mark.rule("mars.action.ready")
def test_every_action_that_takes_up_to_four_seconds_can_be_readied() -> None:
    session = duel(ANN, BOB)
    session.do("mars.perform", who="ann", use="ready")
    session.choose("ready_for::moves")
    assert isinstance(session.question, Choice)
    able = {one.removeprefix("ready_to::") for one in (*asked(session), *[one.id for one in session.question.closed])}
    assert able == set(READIABLE)
    everything = {action.id for action in session.rulebook.actions if not action.reaction}
    assert everything - able == {"ready", "delay", "end_turn", "work_on", "give_up", "let_go"}


@pytest.mark.rule("mars.action.ready")
@pytest.mark.parametrize(
    ("hero", "missing"),
    [
        (ANN, {"maneuver", "second_wind", "rage", "trip", "stabilise", "reload"}),
        (fighter("Ann", ["staff"]), {"maneuver", "second_wind", "rage", "stabilise", "reload"}),
        (fighter("Ann", skills={"medicine": "r4"}), {"maneuver", "second_wind", "rage", "trip", "hurl", "reload"}),
    ],
)
def test_only_what_the_character_can_do_is_readied(hero: MarsCharacter, missing: set[str]) -> None:
    session = duel(hero, BOB)
    session.do("mars.perform", who="ann", use="ready")
    session.choose("ready_for::moves")
    assert {one.removeprefix("ready_to::") for one in asked(session)} == set(READIABLE) - missing


@pytest.mark.rule("mars.action.ready")
@pytest.mark.parametrize("word", ["yes", "no"])
def test_a_trigger_of_their_own_choice_is_the_game_masters_word(word: str) -> None:
    session = duel(ANN, BOB, apart=9)
    session.do("mars.encounter")
    session.choose("ready")
    session.choose("ready_for::other")
    session.choose("ready_to::drop_prone")
    session.choose("end_turn")
    assert session.seat == "game master"  # bob's turn has begun
    session.choose(word)
    assert asks(session)[0] == ("ann" if word == "yes" else "bob")
    if word == "yes":
        session.choose("go_ahead:bob:drop_prone")
        assert status(session).has("prone")
        assert not status(session).turn.reaction
    else:
        assert status(session).ready == Ready("other", "drop_prone")


@pytest.mark.rule("mars.action.ready", "mars.gap.weapon.trip", "mars.maneuver.improvise")
@pytest.mark.parametrize("action", ["trip", "improvise", "take", "interact", "douse", "use_skill", "stabilise"])
def test_readied_actions_can_be_done_at_once(action: str) -> None:
    hero = fighter("Ann", ["staff"], skills={"martial": "r8", "medicine": "r4"})
    friend = place(
        BOB, "party", (9, 10), who="dan", effects=(MarsEffect("dying"), MarsEffect("unconscious")), health=-1
    )
    burning = {"effects": (MarsEffect("burning", degree=1),)} if action == "douse" else {}
    session = waiting("moves", action, at=(11, 10), hero=hero, more=(friend,), mine=burning)
    facts = Facts().set("water", "ann", True).set("object", "ann", "lever")
    scene = replace(session.scene, facts=facts, loose_items=(LooseItem("club", "bob", None, cell(10, 10)),))
    session = Session(replace(session.header, scene=scene), session.rulebook)
    going(session, "17,10")
    assert asks(session) == MOMENT
    assert session.scene["bob"].position == cell(11, 10)


@pytest.mark.rule("mars.action.ready", "mars.gap.weapon.reload")
def test_full_round_actions_cannot_be_readied() -> None:
    hero = fighter("Ann", ["crossbow@hands"], pack={"bolt": 5})
    session = waiting("moves", "reload", at=(11, 10), hero=hero)
    empty = tuple([replace(one, left=0) if one.place == "hands" else one for one in status(session).belongings])
    session = Session(
        replace(session.header, scene=session.scene.with_status("ann", belongings=empty)), session.rulebook
    )
    assert asks(going(session, "17,10")) == ("", "")


@pytest.mark.rule("mars.action.ready", "mars.check.duration", "mars.action.use_skill")
@pytest.mark.parametrize(("seconds", "able"), [(4, True), (5, False)])
def test_only_skills_of_up_to_four_seconds_are_readied(seconds: int, able: bool) -> None:
    options = MarsOptions(basic_skill_seconds=seconds, complex_skill_seconds=6)
    healer = fighter("Ann", ["club"], skills={"medicine": "r4"})
    people = [
        place(healer, "party", (10, 10), who="ann", options=options, ready=Ready("moves", "use_skill")),
        place(BOB, "foes", (11, 10), who="bob", options=options),
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


# ---------------------------------------------------------------------- beside work


def at_work(turn: Turn | None = None, **status: Any) -> Session:
    """Ann is in the middle of an extended action."""
    mine: dict[str, Any] = {"work": Work("use_skill", "medicine", 180, 6), **status}
    session = duel(fighter("Ann", ["club"], pack={"knife": 1}), BOB, apart=3, mine=mine)
    scene = session.scene.with_status("ann", turn=turn) if turn is not None else session.scene
    return Session(replace(session.header, scene=scene), session.rulebook)


BUSY = ("busy with medicine", "mars.action.extended")


@pytest.mark.rule("mars.action.extended", "mars.action.free")
def test_the_first_free_action_goes_on_beside_work_and_no_other() -> None:
    session = at_work()
    assert {"step", "drop_prone", "brandish"} <= set(offered(session))
    act(session, "step", choices={"step where": "destination::10,11"})
    assert status(session).turn.seconds == 6
    assert status(session).work == Work("use_skill", "medicine", 180, 6)
    for action in ("step", "drop_prone", "brandish", "move", "attack", "rise"):
        if action in ("drop_prone", "brandish", "step", "move"):
            assert closed(session, action) == BUSY
        with pytest.raises(IllegalActionError):
            act(session, {"attack": "attack:bob:club", "move": "move:bob"}.get(action, action))
    slow = at_work(effects=(MarsEffect("halved_speed"), MarsEffect("prone"), MarsEffect("encumbered")))
    assert closed(slow, "step") == BUSY  # 1 m, and so no free step


@pytest.mark.rule("mars.action.extended", "mars.action.seek_cover_moving")
def test_cover_beside_work_where_it_is_free() -> None:
    moved = Turn.begun(0)._replace(moves=2, seconds=2)
    assert "seek_cover" in offered(at_work(moved))
    assert closed(at_work(moved._replace(free=False)), "seek_cover") == BUSY
    wall = at_work()
    scene = replace(wall.scene, facts=Facts().set("obstacle", "ann", True))
    beside_a_wall = Session(replace(wall.header, scene=scene), wall.rulebook)
    assert closed(beside_a_wall, "seek_cover") == BUSY


@pytest.mark.rule("mars.action.extended", "mars.action.ready")
def test_work_does_not_keep_from_reacting() -> None:
    session = waiting("moves", at=(11, 10), mine={"work": Work("use_skill", "medicine", 180, 6)})
    assert asks(going(session, "17,10")) == MOMENT


# ---------------------------------------------------------------------- edges of moving


@pytest.mark.rule("mars.effect.blind", "mars.move.difficult_terrain")
def test_the_blind_are_not_slowed_twice() -> None:
    rough = Grid(size=(40, 40), difficult=tuple([(cell(x, y), 2) for x in range(40) for y in range(40)]))
    blind = {"effects": (MarsEffect("blind"),)}
    for ground in (rough, Grid(size=(40, 40))):
        scene = duel(ANN, BOB, apart=20, mine=blind, ground=ground).scene
        assert max(at.x - 10 for at in destinations(scene, "ann")) == 3
        path = approach(scene, "ann", "bob")
        assert path is not None
        assert path.end.x == 13
    seeing = duel(ANN, BOB, apart=20, ground=rough).scene
    assert max(at.x - 10 for at in destinations(seeing, "ann")) == 3
    lost = duel(ANN, BOB, mine=blind).scene
    nowhere = replace(lost, participants=tuple([replace(one, position=None) for one in lost.participants]))
    assert approach(nowhere, "ann", "bob") is None
    assert destinations(nowhere, "ann") == []


@pytest.mark.rule("mars.move.free_step_limit")
@pytest.mark.parametrize(
    ("speed", "rough", "free"), [(2, True, False), (2, False, True), (3, True, True), (1, False, False)]
)
def test_the_ground_that_is_entered_makes_a_step_slow(speed: int, rough: bool, free: bool) -> None:
    slow = fighter("Ann", ["club"], kind="creature", printed={"speed": speed})
    for ground, to in ((Grid(size=(40, 40), difficult=ROUGH), "11,10"), (Grid(size=(40, 40)), "11,10")):
        if bool(ground.difficult) is not rough:
            continue
        session = duel(slow, BOB, apart=9, ground=ground)
        act(session, "step", choices={"step where": f"destination::{to}"})
        assert (status(session).turn.seconds, status(session).turn.free) == ((6, False) if free else (4, True))
    left = Grid(size=(40, 40), difficult=((cell(10, 10), 2),))
    session = duel(slow, BOB, apart=9, ground=left)
    act(session, "step", choices={"step where": "destination::11,10"})
    assert status(session).turn.seconds == (6 if speed > 1 else 4)


@pytest.mark.rule("mars.move.free_step_limit")
def test_only_steps_for_which_there_is_time_are_offered() -> None:
    slow = fighter("Ann", ["club"], kind="creature", printed={"speed": 2})
    session = duel(slow, BOB, apart=9, ground=Grid(size=(40, 40), difficult=ROUGH))
    late = Session(
        replace(session.header, scene=session.scene.with_status("ann", turn=Turn(free=True))), session.rulebook
    )
    late.do("mars.perform", who="ann", use="step")
    assert "destination::11,10" not in asked(late)
    assert "destination::9,10" in asked(late)
    everywhere = tuple([(cell(x, y), 2) for x in (9, 10, 11) for y in (9, 10, 11)])
    session = duel(slow, BOB, apart=9, ground=Grid(size=(40, 40), difficult=everywhere))
    none = Session(
        replace(session.header, scene=session.scene.with_status("ann", turn=Turn(free=True))), session.rulebook
    )
    assert closed(none, "step") == ("takes 2 s, no time is left", "mars.move.free_step_limit")


@pytest.mark.rule("mars.move.action")
def test_a_move_of_one_metre_is_free() -> None:
    session = duel(ANN, BOB, apart=2)
    (use,) = [use for use in session.rulebook.actions.options(session.scene, "ann", among=("move",)) if "bob" in use.id]
    assert use.cost_text == "free"  # type: ignore[union-attr]
    act(session, "move:bob")
    assert (status(session).turn.seconds, status(session).turn.free, status(session).turn.moves) == (6, False, 1)
    far = duel(ANN, BOB, apart=3)
    (use,) = [use for use in far.rulebook.actions.options(far.scene, "ann", among=("move",)) if "bob" in use.id]
    assert use.cost_text == "2 s"  # type: ignore[union-attr]
    act(far, "move:bob")
    assert (status(far).turn.seconds, status(far).turn.free) == (4, True)
    near = duel(ANN, BOB, apart=9)
    act(near, "move", choices={"where to": "destination::10,11"})
    assert status(near).turn.seconds == 6
    act(near, "move", choices={"where to": "destination::10,10"})  # no free action is left, and it is the second Move
    assert (status(near).turn.seconds, status(near).stamina) == (4, 9)


@pytest.mark.rule("mars.effect.overencumbered", "mars.defence.evade")
def test_a_character_who_cannot_move_cannot_step_aside() -> None:
    for kind, able in (("encumbered", True), ("overencumbered", False)):
        session = duel(ANN, BOB, theirs={"effects": (MarsEffect(kind),)})  # type: ignore[arg-type]
        session.do("mars.perform", who="ann", use="attack:bob:club")
        assert ("evade::step" in asked(session)) is able
        assert "evade" in asked(session)
        assert not events(session, Defended)


# ---------------------------------------------------------------------- ready for an attack


@pytest.mark.rule("mars.action.ready", "mars.attack.hit")
def test_a_character_who_was_ready_to_move_is_not_there_any_more() -> None:
    session = duel(ANN, BOB, theirs={"ready": Ready("attacks", "move")})
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
        place(BOB, "foes", (9, 1), who="bob", ready=Ready("attacks", deed), stamina=0),
    ]
    session = session_with(people, ground=Grid(size=(20, 20), blocked=(cell(9, 2),)))
    choices = {"is this": f"go_ahead:ann:{deed}"}
    act(session, "attack:bob:shortbow", choices=choices, faces=[(1,), (10,)])
    (anew,) = events(session, AimedAnew)
    assert (anew.blow.advantage, anew.blow.disadvantage) == (1, 1)  # it came unseen, and that still counts
    (trace,) = [one for one in session.log if isinstance(one, Trace)]
    given = trace.call.named_arguments()
    assert (given["advantage"], given["disadvantage"]) == (1, 1)


@pytest.mark.rule("mars.action.ready")
@pytest.mark.parametrize("word", ["yes", "no"])
def test_a_trigger_in_the_players_own_words_is_shown_to_the_game_master(word: str) -> None:
    session = duel(ANN, BOB, apart=9)
    session.do("mars.encounter")
    session.choose("ready")
    session.choose(" Bob hums a song ")
    session.choose("ready_to::drop_prone")
    assert status(session).ready == Ready("other", "drop_prone", "Bob hums a song")
    session.choose("end_turn")
    question = session.question
    assert isinstance(question, Choice)
    assert session.seat == "game master"
    assert question.details == {"who": "ann", "actor": "bob", "words": "Bob hums a song"}
    assert question.ids[question.default] == "yes"  # where no person is the game master, its owner judges
    session.choose(word)
    assert asks(session) == (("ann", "is this the moment?") if word == "yes" else ("bob", "what now?"))
    if word == "yes":
        session.choose("go_ahead:bob:drop_prone")
        assert status(session).has("prone")
        assert status(session).ready is None
    again = Session(session.header, session.rulebook, session.entries)
    assert again.scene == session.scene


@pytest.mark.rule("mars.action.ready")
@pytest.mark.parametrize("words", ["", "   ", "x" * 201])
def test_a_trigger_is_one_to_two_hundred_letters(words: str) -> None:
    session = duel(ANN, BOB)
    session.do("mars.perform", who="ann", use="ready")
    with pytest.raises(InvalidInputError, match="1 to 200 letters"):
        session.choose(words)
    session.choose("READY_FOR::MOVES")  # a listed trigger in any case
    session.choose("ready_to::attack")
    assert status(session).ready == Ready("moves", "attack")
