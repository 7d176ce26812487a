"""Boundaries of a metre or a point in fights, and ties between several targets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from systems.marchen.fights import SWORD, begun, duel, fighter, parts, ruled
from systems.marchen.people import OPTIONS, book, somebody, template, together
from systems.playing import answer as go_on
from tablewright.engine import Playthrough
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session, SessionHeader
from tablewright.game.values import Ranks
from tablewright.systems.marchen.actions.move import reach_of
from tablewright.systems.marchen.belongings import better
from tablewright.systems.marchen.chapters.seasons.activities import lose_condition
from tablewright.systems.marchen.character.costs import lowered_by
from tablewright.systems.marchen.character.gear import worse
from tablewright.systems.marchen.character.record import Advance, Change, Condition, Wounds
from tablewright.systems.marchen.events.fight import Healed
from tablewright.systems.marchen.mechanics.harm import Suffered
from tablewright.systems.marchen.status import hurt_by


def on_a_line(session: Session, **places: int) -> Scene:
    """A scene with participants on a long line, by metres."""
    scene = replace(session.scene, ground=Grid(size=(120, 1)))
    for who, at in places.items():
        scene = scene.with_participant(replace(scene[who], position=cell(at, 0)))
    return scene


def refused(scene: Scene, use: ActionUse) -> str | None:
    """The rule by which Ann may not do something in her fight, or nothing."""
    try:
        book().actions.check(replace(scene, order=("ann", "bob"), round=1), "ann", use)
    except IllegalActionError as problem:
        return problem.rule
    return None


# ---------------------------------------------------------------------- metres


@pytest.mark.rule("marchen.gap.fight.dms")
@pytest.mark.parametrize(("metres", "dm"), [(2, {"prone target": 2}), (3, {}), (20, {}), (21, {"prone target": -2})])
def test_a_prone_target_is_easy_in_touch_and_hard_from_afar(metres: int, dm: dict[str, int]) -> None:
    session = ruled(duel(fighter("Ann", belongings=(ItemStack("bow", 1, "hand"),))), "bob", stance="prone")
    placed = Session(SessionHeader("marchen", "0.1.0", on_a_line(session, ann=0, bob=metres), 1), book())
    assert parts(placed, "ann", "bob", "bow") == dm


@pytest.mark.rule("marchen.gap.casting.depths")
@pytest.mark.parametrize(("metres", "rule"), [(20, None), (21, "marchen.gap.casting.depths")])
def test_the_spirit_reaches_as_far_as_a_voice(metres: int, rule: str | None) -> None:
    session = duel(fighter("Ann", skills={"theurgy": 1}))
    scene = on_a_line(session, ann=0, bob=metres)
    assert refused(scene, ActionUse("cast_harm", "bob", "sense")) == rule


@pytest.mark.rule("marchen.gap.movement.metres")
@pytest.mark.parametrize(("metres", "far"), [(10, False), (11, True)])
def test_friends_are_gone_to_where_they_are_beyond_reach(metres: int, far: bool) -> None:
    session = together(fighter("Ann"), fighter("Cid"), fighter("Bob"))
    session.do("table.change_sides", who="bob", side="foes")
    scene = on_a_line(session, ann=0, cid=metres, bob=60)
    labels = [use.target for use in book().actions.by_id["move"].uses_for(scene, "ann")]
    assert ("cid" in labels) is far
    assert "bob" in labels


@pytest.mark.rule("marchen.gap.movement.metres", "marchen.gap.weapon.list")
def test_the_longest_weapon_says_how_near_one_has_to_come() -> None:
    for held, metres in ((("sword", "spear"), 3), (("spear", "sword"), 3), (("sword",), 2), (("bow",), 2), ((), 2)):
        ann = fighter("Ann", belongings=tuple([ItemStack(item, 1, "hand") for item in held]))
        assert reach_of(duel(ann).scene, "ann") == metres


# ---------------------------------------------------------------------- who and what is meant


@pytest.mark.rule("marchen.gap.casting.depths")
def test_characters_who_can_be_healed() -> None:
    healer = template("healer").changed(name="Ann")
    session = together(healer, fighter("Bob"), fighter("Cid"), fighter("Dan"), fighter("Eva"))
    session.do("table.change_sides", who="bob", side="foes")
    for who in ("bob", "cid", "dan"):
        ruled(session, who, physical=3)
    ruled(session, "dan", fate="dead")
    healed = {use.target for use in book().actions.by_id["cast_heal"].uses_for(session.scene, "ann")}
    assert healed == {"cid"}  # not the foe, the dead, the unhurt
    session.do("table.leave", who="cid")
    assert not list(book().actions.by_id["cast_heal"].uses_for(session.scene, "ann"))


@pytest.mark.rule("marchen.gap.weapon.list")
def test_the_item_in_hand_is_thrown() -> None:
    held = (ItemStack("dagger", 1, "pack", 4), ItemStack("shield", 1, "hand"), ItemStack("dagger", 1, "hand", 2))
    session = begun(duel(fighter("Ann", belongings=held)))
    go_on(session, "strike:bob:dagger/thrown", "none", [5, 4, 5, 4])
    assert [(one.item, one.left) for one in session.scene.loose_items] == [("dagger", 2)]
    left = [(one.item, one.place) for one in session.scene["ann"].status.belongings]
    assert left == [("dagger", "pack"), ("shield", "hand")]


# ---------------------------------------------------------------------- points


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_consequences_of_facing_the_end_go_at_the_threshold() -> None:
    scene = duel().scene.with_status("ann", physical=13, weight=Ranks({"physical": 2, "mental": 1}))
    recovered = hurt_by(scene, "ann", "physical", Suffered(3, 0, False, "succeed_in_style"))["ann"].status
    assert (recovered.physical, dict(recovered.weight)) == (12, {"mental": 1})
    beyond = hurt_by(scene, "ann", "physical", Suffered(1, 0, False, "tie"))["ann"].status
    assert (beyond.physical, dict(beyond.weight)) == (14, {"physical": 2, "mental": 1})
    for amount, weight in ((1, {"mental": 1}), (0, {"physical": 2, "mental": 1})):
        healed = book().apply(scene, Healed(who="ann", aspect="physical", amount=amount, cause="x"))["ann"].status
        assert dict(healed.weight) == weight


@pytest.mark.rule("marchen.gap.healing.rest")
@pytest.mark.parametrize(("amount", "down"), [(1, False), (0, True)])
def test_a_down_character_stands_up_at_the_threshold(amount: int, down: bool) -> None:
    scene = duel(fighter("Ann", belongings=SWORD)).scene.with_status("ann", physical=13, down=True, conscious=False)
    status = book().apply(scene, Healed(who="ann", aspect="physical", amount=amount, cause="x"))["ann"].status
    assert (status.down, status.conscious) == (down, not down)
    also = scene.with_status("ann", mental=13)
    assert book().apply(also, Healed(who="ann", aspect="physical", amount=9, cause="x"))["ann"].status.down


# ---------------------------------------------------------------------- things, steps and conditions


@pytest.mark.rule("marchen.resource.tracks", "marchen.recover.repair")
def test_of_several_things_the_worst_is_worn_down_and_mended() -> None:
    two = (ItemStack("sword", 1, "hand", 3), ItemStack("sword", 1, "pack", 1))
    assert sorted([one.left or 0 for one in better(two, "sword", 1)]) == [2, 3]
    assert sorted([one.left or 0 for one in worse(two, "sword", 1)]) == [3]  # the other is destroyed
    sound = (ItemStack("sword", 1, "hand"), ItemStack("sword", 1, "pack", 3))
    assert [(one.place, one.left) for one in worse(sound, "sword", 1)] == [("hand", None), ("pack", 2)]
    assert [(one.place, one.left) for one in better(sound, "sword", 1)] == [("hand", None), ("pack", None)]


@pytest.mark.rule("marchen.gap.advancement.costs")
def test_stepping_back_takes_the_last_of_equal_steps() -> None:
    bought = Change(what="faith", value=1, source="advancement")
    gift = Change(what="faith", value=1, source="gift")
    last = Advance(what="characteristic", name="faith", cost=10)
    one = somebody(changes=(bought, gift, bought), advances=(last, last))
    assert lowered_by(one, last, OPTIONS).changes == (bought, gift)


@pytest.mark.rule("marchen.resource.tracks")
def test_recovering_takes_a_condition_of_the_aspect_and_no_scar() -> None:
    scar = Condition(name="Lamed", aspect="physical", permanent=True)
    shame = Condition(name="Ashamed", aspect="social")
    wound = Condition(name="Wounded", aspect="physical")
    session = together(somebody(wounds=Wounds(conditions=(scar, shame, wound))))
    game = Game(session.scene, book())
    Playthrough(lose_condition(game, "ann", ("physical",), "x"), game.log)
    assert game["ann"].status.conditions == (scar, shame)
    Playthrough(lose_condition(game, "ann", ("physical",), "x"), game.log)
    assert game["ann"].status.conditions == (scar, shame)
