"""Fine points of a fight: who can react, who loses which round, who falls when, what turns the tide, what breaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.marchen.fights import SWORD, begun, closed, duel, fighter, offered, ruled
from systems.marchen.people import ann, book, done, followed, options, somebody, together, told
from systems.marchen.test_seasons import hero
from systems.playing import answer as go_on
from tablewright.engine import Choice, Playthrough, Roll
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.game import Game
from tablewright.game.session.session import Session
from tablewright.systems.marchen.actions.attack import answering
from tablewright.systems.marchen.actions.maneuvers import MOVES
from tablewright.systems.marchen.bots import FALLS_ANYWAY, rate, value
from tablewright.systems.marchen.chapters.life import married
from tablewright.systems.marchen.chapters.magic import cast_deed, too_far
from tablewright.systems.marchen.character.figures import score
from tablewright.systems.marchen.harm import DIES
from tablewright.systems.marchen.mechanics.checks import CheckResult
from tablewright.systems.marchen.mechanics.dice import Degree
from tablewright.systems.marchen.mechanics.harm import all_or_nothing
from tablewright.systems.marchen.mechanics.turn import ticks_of
from tablewright.systems.marchen.status import Help, at_the_same_moment, chronicle
from tablewright.systems.marchen.values import CHARACTERISTICS_OF


def reacts(session: Session) -> bool:
    """True if a participant is asked for a reaction."""
    return isinstance(session.question, Choice) and session.question.question == "react?"


def spot(ann_: Any = None, bob: Any = None) -> Session:
    """A duel in which both are in a bad spot; Ann acts first."""
    session = duel(ann_, bob)
    session.do("marchen.encounter")
    return go_on(session, [3, 4], [3, 3])


# ---------------------------------------------------------------------- answering a clash


@pytest.mark.rule("marchen.ounces.secure_advantage", "marchen.ounces.clash")
def test_a_character_who_answers_a_clash_uses_up_what_waits_for_them() -> None:
    session = go_on(spot(), "secure_advantage:ann", [6, 6], "hold")
    ruled(session, "ann", hindered=True)
    assert [one.dm for one in session.scene["ann"].status.nexts] == [1]
    go_on(session, "clash:ann:sword", [2, 2], [6, 6, 2, 2], [1, 1, 1], [1, 2])  # 4 against the worse set, 4 + 1
    assert session.scene["bob"].status.physical == 3
    status = session.scene["ann"].status
    assert (status.nexts, status.hindered) == ((), False)


@pytest.mark.rule("marchen.gap.fight.minor_actions", "marchen.gap.fight.aim", "marchen.ounces.clash")
def test_an_answer_by_crossbow_is_a_shot_like_any_other() -> None:
    bow = fighter("Bob", skills={"ranged_combat": 0}, home_tl=2, belongings=(ItemStack("crossbow", 1, "hand"),))
    session = ruled(spot(bob=bow), "bob", aim=3)
    go_on(session, "clash:bob:sword", [1, 1], [6, 6, 6, 6])
    assert isinstance(session.question, Roll)
    go_on(session, [1, 1], [1, 2])
    bob = session.scene["bob"].status
    assert (bob.unloaded, bob.aim) == (("crossbow",), 0)
    left = answering(session.scene, "bob", "ann", "physical")[0]
    assert left is not None
    assert left.id == "unarmed"


@pytest.mark.rule("marchen.gap.fight.aim")
def test_a_character_who_gets_out_of_the_way_of_a_clash_keeps_aim() -> None:
    empty = fighter("Bob", belongings=(ItemStack("crossbow", 1, "hand"),), home_tl=2, skills={"ranged_combat": 0})
    session = ruled(spot(bob=empty), "bob", aim=3)
    session.do("table.rule", who="bob", field="unloaded", value='["crossbow"]', reason="shot")
    go_on(session, "clash:bob:sword", [1, 1], [6, 6])
    assert (session.scene["bob"].status.aim, session.scene["bob"].status.unloaded) == (3, ("crossbow",))


@pytest.mark.rule("marchen.gap.fight.aim")
@pytest.mark.parametrize(("faces", "aim"), [([4, 4], 0), ([3, 4], 3)])
def test_aim_is_lost_on_being_hit_also_where_armour_stops_it(faces: list[int], aim: int) -> None:
    plated = fighter("Bob", belongings=(*SWORD, ItemStack("combat_armor", 1, "worn")))
    session = ruled(begun(duel(bob=plated)), "bob", aim=3)
    go_on(session, "strike:bob:sword", "none", faces)
    if isinstance(session.question, Roll):
        go_on(session, [1, 1, 1])
    assert (session.scene["bob"].status.aim, session.scene["bob"].status.physical) == (aim, 0)


@pytest.mark.rule("marchen.check.characteristic", "marchen.ounces.clash")
def test_words_are_resisted_as_any_characteristic_check() -> None:
    bob = fighter("Bob", mental=3, acuity=1)
    for adds, total in ((False, 1), (True, 4)):
        session = duel(fighter("Ann", skills={"intimidation": 1}), bob, characteristic_check_adds_aspect=adds)
        assert answering(session.scene, "bob", "ann", "mental")[:2] == (None, total)
        waiting = session.scene.with_status("bob", nexts=(Help("a plan", 2),))
        assert answering(waiting, "bob", "ann", "mental")[1] == total + 2


# ---------------------------------------------------------------------- the unseen and the surprised


@pytest.mark.rule("marchen.gap.fight.reactions")
def test_nobody_reacts_to_a_blow_of_a_character_unseen() -> None:
    session = go_on(begun(duel()), "hold")
    session.do("table.hide", who="bob")
    go_on(session, "strike:ann:sword")
    blow = chronicle(session.scene).blow
    assert blow is not None
    assert blow.unseen
    assert isinstance(session.question, Roll)
    assert not session.scene["bob"].hidden
    go_on(session, [1, 4])
    seen = go_on(begun(duel()), "hold", "strike:ann:sword")
    assert isinstance(seen.question, Choice)


@pytest.mark.rule("marchen.gap.fight.reactions")
def test_forecasts_of_the_unseen_are_without_reactions() -> None:
    session = go_on(begun(duel()), "hold")
    seen = book().foresee(session.scene, "bob", ActionUse("strike", "ann", "sword"))
    session.do("table.hide", who="bob")
    unseen = book().foresee(session.scene, "bob", ActionUse("strike", "ann", "sword"))
    assert seen is not None
    assert unseen is not None
    assert {scene["ann"].status.reactions for scene, _ in unseen} == {0}
    assert {scene["ann"].status.reactions for scene, _ in seen} <= {0, 1}


@pytest.mark.rule("marchen.puncti.enter_the_fray", "marchen.gap.fight.reactions")
def test_a_character_who_enters_badly_loses_the_round_but_may_react() -> None:
    session = duel()
    session.do("marchen.encounter")
    go_on(session, [1, 2], [4, 4])
    status = session.scene["ann"].status
    assert (status.loses_round, status.surprised) == (1, False)
    go_on(session, "strike:ann:sword")
    assert reacts(session)


@pytest.mark.rule("marchen.gap.fight.surprise", "marchen.gap.fight.reactions")
def test_the_surprised_react_from_the_second_round_on() -> None:
    session = duel()
    session.do("table.hide", who="bob")
    session.do("marchen.encounter")
    session.do("table.reveal", who="bob")
    assert session.scene["ann"].status.surprised
    go_on(session, "strike:ann:sword")
    assert not reacts(session)
    go_on(session, [3, 4], "hold")
    assert (session.scene.round, session.scene.turn) == (2, "bob")
    status = session.scene["ann"].status
    assert (status.surprised, status.loses_round) == (False, 0)
    go_on(session, "strike:ann:sword")
    assert reacts(session)


@pytest.mark.rule("marchen.puncti.enter_the_fray")
def test_a_character_who_comes_later_and_badly_loses_the_round_of_coming() -> None:
    session = together(fighter("Ann"), fighter("Bob"), fighter("Cid"))
    session.do("table.change_sides", who="bob", side="foes")
    session.do("table.leave", who="cid")
    session.do("marchen.encounter")
    go_on(session, [5, 5], [4, 4])
    session.do("table.rule", who="cid", field="present", value="true", reason="comes back")
    go_on(session, "hold", "hold", [1, 2])
    assert (session.scene.round, session.scene["cid"].status.loses_round) == (2, 2)
    go_on(session, "hold", "hold")
    assert (session.scene.round, session.scene.turn) == (3, "ann")
    go_on(session, "hold", "hold")
    assert session.scene.turn == "cid"


@pytest.mark.rule("marchen.gap.fight.surprise")
def test_after_a_fight_nobody_is_surprised_any_more() -> None:
    session = duel()
    session.do("table.hide", who="bob")
    session.do("marchen.encounter")
    go_on(session, "surrender")
    status = session.scene["ann"].status
    assert (status.surprised, status.loses_round) == (False, 0)


# ---------------------------------------------------------------------- at the same moment


def tied() -> Session:
    """A duel of two who act at the same moment, in which Ann is listed first and Bob has taken all he can."""
    return ruled(begun(duel(), 4, 4), "bob", physical=12)


FELLING = ["strike:bob:sword", "none", [4, 4], [2, 2, 2], [1, 3]]


@pytest.mark.rule("marchen.puncti.enter_the_fray")
def test_a_character_who_falls_to_one_of_the_same_rank_acts_first() -> None:
    session = go_on(tied(), *FELLING, [1, 4])  # Fail: down and out with a condition
    bob = session.scene["bob"].status
    assert (bob.falling, bob.down, bob.dying) == (("physical fail",), False, "")
    assert "bob: acts at the same moment, and falls then" in followed(session)
    assert [rate(session.scene, "ann", ActionUse(how, "bob", "sword")) for how in ("strike", "clash")] == [
        FALLS_ANYWAY
    ] * 2
    standing = session.scene.with_status("bob", falling=())
    assert value(session.scene, "party") > value(standing, "party")
    go_on(session, "hold")
    assert session.scene.turn == "bob"
    go_on(session, "strike:ann:sword", "none", [5, 5], [2, 2, 2], [1, 2], "hold")
    assert session.scene["ann"].status.physical == 6
    bob = session.scene["bob"].status
    assert (bob.down, bob.conscious, bob.dying, bob.falling) == (True, False, "watch", ())
    assert session.scene.ended == "party win"


@pytest.mark.rule("marchen.puncti.enter_the_fray", "marchen.gap.fight.end")
def test_two_who_tie_may_both_fall() -> None:
    session = go_on(tied(), *FELLING, [1, 1], "hold")
    ruled(session, "ann", physical=12)
    go_on(session, "strike:ann:sword", "none", [5, 4], [2, 2, 2], [1, 3], [1, 4])
    assert session.scene["ann"].status.down
    bob = session.scene["bob"].status
    assert (bob.fate, session.scene.ended) == ("dead", "nobody stands")


@pytest.mark.rule("marchen.puncti.enter_the_fray")
@pytest.mark.parametrize("agile", [-1, 1])
def test_a_character_who_is_slower_or_has_acted_falls_at_once(agile: int) -> None:
    session = duel(bob=fighter("Bob", agility=agile))
    session.do("marchen.encounter")
    go_on(session, [5, 4], [5, 5] if agile < 0 else [4, 4])
    ruled(session, "bob", physical=12)
    assert [session.scene[who].status.effect for who in ("ann", "bob")] == [1, 1]
    if session.scene.turn == "bob":
        go_on(session, "hold")
    go_on(session, *FELLING, [1, 4])
    assert (session.scene["bob"].status.down, session.scene["bob"].status.falling) == (True, ())


@pytest.mark.rule("marchen.puncti.enter_the_fray", "marchen.puncti.end_the_fight")
def test_the_felled_act_first_as_well_and_those_who_leave_fall() -> None:
    session = tied()
    go_on(session, "end_the_fight:bob:sword", "felled", "none", [6, 5], [1, 1, 1], [6, 6], [6, 6], "hold")
    assert session.scene["bob"].status.falling == ("felled",)
    assert not session.scene["bob"].status.down
    go_on(session, "surrender")
    assert session.scene["bob"].status.down


@pytest.mark.rule("marchen.puncti.enter_the_fray")
def test_characters_who_share_a_moment() -> None:
    scene = tied().scene
    assert at_the_same_moment(scene, "bob")
    assert not at_the_same_moment(scene, "ann")  # whose turn it is
    for field, word in (("down", True), ("loses_round", 1), ("effect", 1)):
        assert not at_the_same_moment(scene.with_status("bob", **{field: word}), "bob")
    assert at_the_same_moment(scene.with_status("bob", loses_round=2), "bob")
    assert not at_the_same_moment(duel().scene, "bob")


# ---------------------------------------------------------------------- turning the tide, ending the fight


@pytest.mark.rule("marchen.ounces.turn_the_tide")
def test_the_tide_can_be_turned_by_any_move() -> None:
    session = spot()
    session.do("marchen.set_objective", name="the bridge", steps=2)
    assert isinstance(session.question, Choice)
    ids = [one for one in session.question.ids if one.startswith("turn_the_tide")]
    assert ids == [
        "turn_the_tide:bob:sword",
        "turn_the_tide::gain_ground/position",
        "turn_the_tide::gain_ground/objective",
        "turn_the_tide::take_defensive_action",
        "turn_the_tide:ann:secure_advantage",
        "turn_the_tide:bob:compel",
    ]
    assert book().foresee(session.scene, "ann", ActionUse("turn_the_tide", "bob", "compel")) is None
    assert book().foresee(session.scene, "ann", ActionUse("turn_the_tide", "bob", "sword")) is not None
    for move in MOVES:
        assert rate(session.scene, "ann", ActionUse("turn_the_tide", "bob", move)).cost == 8


@pytest.mark.rule("marchen.ounces.turn_the_tide")
@pytest.mark.parametrize(
    "move",
    [
        ("turn_the_tide:bob:sword", "none", [4, 3], [2, 2, 2], [1, 2]),
        ("turn_the_tide:bob:sword", "none", [1, 1], [1, 1, 1], [1, 2]),
        ("turn_the_tide::gain_ground/position", [3, 4]),
        ("turn_the_tide:ann:secure_advantage", [6, 6]),
    ],
)
def test_turning_the_tide_takes_the_initiative_from_the_foe(move: tuple[Any, ...]) -> None:
    session = ruled(begun(duel(), 3, 2), "bob", in_control=True)
    assert not session.scene["ann"].status.in_control
    go_on(session, *move)
    assert not session.scene["bob"].status.in_control


@pytest.mark.rule("marchen.ounces.turn_the_tide", "marchen.ounces.gain_ground")
def test_ground_is_gained_by_turning_the_tide() -> None:
    session = go_on(spot(), "turn_the_tide::gain_ground/position", [3, 4])  # 7 + 1: a tie
    status = session.scene["ann"].status
    assert (status.in_control, status.turned, [one.dm for one in status.nexts]) == (True, True, [1])
    failed = go_on(spot(), "turn_the_tide::gain_ground/position", [3, 3])
    status = failed.scene["ann"].status
    assert (status.in_control, status.turned, status.nexts) == (False, True, ())
    assert "Ann fails to gain ground and is in a bad spot." in told(failed)
    bridge = spot()
    bridge.do("marchen.set_objective", name="the bridge", steps=2)
    go_on(bridge, "turn_the_tide::gain_ground/objective", [4, 4])
    objective = chronicle(bridge.scene).objective
    assert objective is not None
    assert objective.of("party") == 1
    go_on(bridge, "hold", "hold")
    assert closed(bridge)["turn_the_tide"] == "marchen.fight.control"


@pytest.mark.rule("marchen.ounces.turn_the_tide", "marchen.ounces.take_defensive_action")
def test_an_objective_is_taken_by_turning_the_tide() -> None:
    session = spot()
    session.do("marchen.set_objective", name="the bridge", steps=1)
    go_on(session, "turn_the_tide::take_defensive_action", [3, 4])
    objective = chronicle(session.scene).objective
    assert objective is not None
    assert (objective.taken_by, session.scene["ann"].status.in_control) == ("party", True)
    failed = go_on(spot(), "turn_the_tide::take_defensive_action", [3, 3])
    assert (failed.scene["ann"].status.in_control, failed.scene["ann"].status.lasting) == (False, ())


@pytest.mark.rule("marchen.ounces.turn_the_tide", "marchen.ounces.secure_advantage")
def test_a_tide_that_does_not_turn_counts_as_costly() -> None:
    for faces, control, dms in (([5, 5], True, []), ([3, 6], False, [-3]), ([6, 6], True, [1])):  # untrained, and +1
        status = go_on(spot(), "turn_the_tide:ann:secure_advantage", faces).scene["ann"].status
        assert (status.in_control, [one.dm for one in status.nexts]) == (control, dms)
    worst, failed = (
        CheckResult(-6, Degree.CATASTROPHIC, -4, False, True),
        CheckResult(-1, Degree.FAIL, -2, False, False),
    )
    assert (all_or_nothing(worst), all_or_nothing(failed)[1:3]) == (worst, (Degree.COSTLY, -3))
    tie = CheckResult(0, Degree.TIE, 0, True, False)
    assert all_or_nothing(tie) == tie


@pytest.mark.rule("marchen.ounces.turn_the_tide", "marchen.puncti.compel")
def test_a_foe_can_be_talked_down_by_turning_the_tide() -> None:
    won = go_on(spot(), "turn_the_tide:bob:compel", [6, 5], [4, 4])  # 11 - 3 + 1 against 8
    assert (won.scene["bob"].present, won.scene.ended) == (False, "party win")
    lost = go_on(spot(), "turn_the_tide:bob:compel", [6, 4], [5, 4])  # 8 against 9
    status = lost.scene["ann"].status
    assert (status.in_control, status.turned, lost.scene["bob"].status.compelled) == (False, True, True)
    assert "Ann fails to turn the tide and is in a bad spot." in told(lost)
    calm = begun(duel(), 3, 4)
    go_on(calm, "hold")
    assert isinstance(calm.question, Choice)
    assert "turn_the_tide:bob:compel" not in calm.question.ids
    assert "turn_the_tide:bob:sword" in calm.question.ids


@pytest.mark.rule("marchen.puncti.end_the_fight")
def test_a_fight_can_be_ended_by_words() -> None:
    session = ruled(begun(duel(fighter("Ann", skills={"persuasion": 1, "melee_combat": 0}))), "bob", social=6)
    assert "end_the_fight" in offered(session)
    go_on(session, "end_the_fight:bob:snub", "yields", [6, 5], [1], [1, 2])
    assert (session.scene["bob"].present, session.scene.ended) == (False, "party win")


# ---------------------------------------------------------------------- things that break


def thrown(left: int | None) -> Session:
    """A duel in which Ann has thrown a spear as badly as can be."""
    spear = (ItemStack("spear", 1, "hand", left),)
    session = begun(duel(fighter("Ann", home_tl=0, belongings=spear), fighter("Bob", belongings=())))
    go_on(session, "strike:bob:spear/thrown", "none", [1, 1, 1, 1])
    while isinstance(session.question, Roll):
        session.roll()
    return session


@pytest.mark.rule("marchen.ounces.strike", "marchen.resource.tracks")
def test_a_thrown_weapon_takes_its_condition_along_or_goes_to_pieces() -> None:
    session = thrown(None)
    assert [(one.item, one.left) for one in session.scene.loose_items] == [("spear", 3)]
    assert session.scene["ann"].status.belongings == ()
    assert (thrown(1).scene.loose_items, thrown(1).scene["ann"].status.belongings) == ((), ())


@pytest.mark.rule("marchen.ounces.strike")
def test_the_item_in_hand_breaks() -> None:
    daggers = (ItemStack("dagger", 1, "hand"), ItemStack("dagger", 1, "pack", 3))
    session = begun(duel(fighter("Ann", home_tl=0, belongings=daggers), fighter("Bob", belongings=())))
    go_on(session, "strike:bob:dagger", "none", [1, 1])
    while isinstance(session.question, Roll):
        session.roll()
    left = {one.place: one.left for one in session.scene["ann"].status.belongings}
    assert left == {"hand": 3, "pack": 3}


# ---------------------------------------------------------------------- dying, ends and what lasts


def time_left(*faces: list[int]) -> tuple[str, int | None]:
    """Ticks left for a participant who has faced the end some times."""
    session = ruled(together(hero()), "ann", physical=13)
    for each in faces:
        done(session, "face_the_end", each, who="ann")
    return session.scene["ann"].status.dying, session.scene.clock.left(DIES, who="ann")


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_a_further_wound_never_gives_more_time() -> None:
    costly, fail = [2, 1], [1, 3]
    soon, late = ("puncti", ticks_of("puncti")), ("watch", ticks_of("watch"))
    assert (time_left(costly), time_left(fail)) == (soon, late)
    assert (time_left(costly, fail), time_left(fail, [2, 2])) == (soon, soon)


@pytest.mark.rule("marchen.watch.first_aid", "marchen.gap.face.check", "marchen.gap.threshold.end")
def test_a_bad_treatment_may_be_the_end_of_those_who_are_down() -> None:
    healer = hero(skills={"life_sciences": 0})
    session = ruled(together(healer, somebody("Bob")), "bob", physical=23, down=True)
    done(session, "first_aid", [1, 1], who="ann", patient="bob")
    assert (session.scene["bob"].status.physical, session.scene["bob"].status.fate) == (24, "dead")
    close = ruled(together(healer, somebody("Bob")), "bob", physical=12, down=True)
    done(close, "first_aid", [1, 1, 4, 3], who="ann", patient="bob")  # faced: Fail in Style
    assert [one.name for one in close.scene["bob"].status.conditions] == ["Wounded"]
    below = ruled(together(healer, somebody("Bob")), "bob", physical=11, down=True)
    done(below, "first_aid", [1, 1], who="ann", patient="bob")
    assert below.scene["bob"].status.physical == 12


@pytest.mark.rule("marchen.watch.first_aid", "marchen.gap.face.outcomes")
@pytest.mark.parametrize(("faces", "dying"), [([4, 3], "watch"), ([4, 4], "")])
def test_first_aid_saves_the_dying_by_a_success(faces: list[int], dying: str) -> None:
    healer = hero(skills={"life_sciences": 0})
    session = ruled(together(healer, somebody("Bob")), "bob", physical=20, down=True, dying="watch")
    done(session, "first_aid", faces, who="ann", patient="bob")
    assert session.scene["bob"].status.dying == dying


@pytest.mark.rule("marchen.aspect.current_and_maximum", "marchen.gap.face.outcomes")
def test_an_outcast_falls_no_lower_than_the_scale() -> None:
    for before, after in ((-3, -4), (0, -2), (-4, -4)):
        session = together(hero(social=before))
        done(session, "face_the_end", [1, 1], who="ann", aspect="social")
        assert score(ann(session), "social", options()).total == after
    scarred = together(hero(muscle=-4, agility=-4, stamina=-4))
    done(scarred, "face_the_end", [1, 2], who="ann")
    assert [score(ann(scarred), name, options()).total for name in CHARACTERISTICS_OF["physical"]] == [-4] * 3
    assert ann(scarred).changes == ()


@pytest.mark.rule("marchen.season.court_a_spouse")
def test_a_marriage_takes_nothing_away() -> None:
    for rank, after in ((4, 4), (3, 3), (1, 3), (-2, 3)):
        assert married(hero(connections={"Eva": rank}), "Eva").connections["Eva"] == after
    assert married(hero(), "Eva").connections["Eva"] == 3


@pytest.mark.rule("marchen.gap.casting.depths")
@pytest.mark.parametrize(("metres", "near"), [(20, True), (21, False)])
def test_a_deed_reaches_as_far_as_one_can_catch(metres: int, near: bool) -> None:
    scene = replace(together(hero(skills={"arcana": 2}), somebody("Bob")).scene, ground=Grid(size=(40, 1)))
    for who, at in (("ann", 0), ("bob", metres)):
        scene = scene.with_participant(replace(scene[who], position=cell(at, 0)))
    assert too_far(scene, "ann", "bob") is not near
    game = Game(scene, book())
    deed: dict[str, Any] = {"skill": "arcana", "depth": "shape", "purpose": "harm", "target": "bob"}
    if near:
        assert isinstance(Playthrough(cast_deed(game, "ann", **deed), game.log).question, Roll)
        return
    with pytest.raises(IllegalActionError, match="too far"):
        Playthrough(cast_deed(game, "ann", **deed), game.log)
    aside = deed | {"purpose": "other"}
    assert isinstance(Playthrough(cast_deed(game, "ann", **aside), game.log).question, Roll)


@pytest.mark.rule("marchen.gap.casting.depths", "marchen.gap.face.outcomes")
def test_a_down_character_does_no_deeds() -> None:
    session = ruled(together(hero(skills={"arcana": 2})), "ann", down=True)
    with pytest.raises(IllegalActionError) as no:
        session.do("marchen.cast_deed", who="ann", skill="arcana")
    assert no.value.rule == "marchen.gap.face.outcomes"
