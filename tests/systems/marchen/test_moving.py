"""Moving in a fight: by metres, away from foes, towards friends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from systems.marchen.fights import begun, duel, fighter, on_a_line, ruled, three
from systems.marchen.people import book
from systems.playing import answer as go_on
from systems.playing import asked, status
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.marchen.actions.move import away, reach_of
from tablewright.systems.marchen.now import in_melee, threatened
from tablewright.systems.marchen.values import METRES


def placed(ground: Grid, **places: tuple[int, int] | None) -> Session:
    """Ann and Bob in their places, before their fight."""
    session = duel(fighter("Ann"), fighter("Bob"))
    scene = replace(session.scene, ground=ground)
    for who, at in places.items():
        scene = scene.with_participant(replace(scene[who], position=None if at is None else cell(*at)))
    return Session(SessionHeader("marchen", "0.1.0", scene, 1), book())


def on_a_field() -> Session:
    """Ann and Bob on a field of nine by twelve, ten metres apart."""
    return placed(Grid(size=(9, 12)), ann=(4, 0), bob=(4, 10))


@pytest.mark.rule("marchen.gap.movement.metres", "marchen.gap.fight.aim")
def test_one_may_go_anywhere_that_a_move_leads_to_and_loses_the_aim() -> None:
    session = go_on(begun(on_a_field()), "aim", "move::elsewhere")
    places = {one.partition("::")[2] for one in asked(session)}
    assert places == {f"{x},{y}" for x in range(9) for y in range(7)} - {"4,0"}
    go_on(session, "destination::1,6")
    assert session.scene["ann"].position == cell(1, 6)
    assert (status(session).spent.get("minor", 0), status(session).aim) == (2, 0)
    crouched = go_on(ruled(begun(on_a_field()), "ann", stance="crouched"), "move::elsewhere")
    assert "destination::4,3" in asked(crouched)
    assert "destination::4,4" not in asked(crouched)


@pytest.mark.rule("marchen.gap.movement.metres")
@pytest.mark.parametrize("way", [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)])
def test_away_leads_along_whatever_line_is_open(way: tuple[int, int]) -> None:
    line = [(10 + step * way[0], 10 + step * way[1]) for step in range(-1, 8)]
    walls = tuple([cell(x, y) for x in range(21) for y in range(21) if (x, y) not in line])
    session = placed(Grid(size=(21, 21), blocked=walls, corners=True), ann=(10, 10), bob=line[0])
    assert away(session.scene, "ann") == cell(*line[7])  # six metres
    begun(session)
    go_on(session, "move::away")
    assert session.scene["ann"].position == cell(*line[7])


@pytest.mark.rule("marchen.gap.movement.metres", "marchen.time.combat_actions")
@pytest.mark.parametrize(("apart", "pressed"), [(METRES["reach"], True), (METRES["reach"] + 1, False)])
def test_away_is_offered_to_anyone_who_a_foe_can_reach(apart: int, pressed: bool) -> None:
    session = begun(placed(Grid(size=(30, 1)), ann=(10, 0), bob=(10 - apart, 0)))
    assert ("move::away" in asked(session)) is pressed


@pytest.mark.rule("marchen.gap.movement.metres")
def test_obstacles_on_the_way_away() -> None:
    corridor = Grid(size=(30, 1))
    wall = Grid(size=(30, 1), blocked=(cell(13, 0),))
    mud = Grid(size=(30, 1), difficult=tuple([(cell(x, 0), 2) for x in range(30)]))
    for ground, end in ((corridor, 16), (wall, 12), (mud, 13)):
        session = placed(ground, ann=(10, 0), bob=(9, 0))
        assert away(session.scene, "ann") == cell(end, 0)
    cornered = [(x, y) for x in range(3) for y in range(3) if x != y]
    past = Grid(size=(3, 3), blocked=tuple([cell(*one) for one in cornered]), corners=False)
    assert away(placed(past, ann=(1, 1), bob=(0, 0)).scene, "ann") is None
    field = placed(Grid(size=(21, 21)), ann=(10, 10), bob=(9, 10))
    assert away(field.scene, "ann") == cell(16, 10)  # of places as far off, the first by the clock
    assert away(placed(Grid(size=(9, 9)), ann=(0, 0), bob=(5, 5)).scene, "ann") is None  # others are as near as this


@pytest.mark.rule("marchen.gap.movement.metres")
def test_the_nearest_foe_is_what_one_moves_away_from() -> None:
    scene = replace(on_a_line(three(foes=("bob", "cid")), ann=10, bob=9, cid=29), ground=Grid(size=(30, 1)))
    assert away(scene, "ann") == cell(16, 0)  # seven from Bob, thirteen from Cid
    far = scene.with_participant(replace(scene["bob"], position=cell(10, 0)))
    assert away(far.with_participant(replace(far["ann"], position=cell(0, 0))), "ann") is None  # in the corner


@pytest.mark.rule("marchen.gap.fight.dms", "marchen.gap.range.threatened")
@pytest.mark.parametrize(("metres", "touch"), [(1, True), (2, True), (3, False)])
def test_touch_is_two_metres(metres: int, touch: bool) -> None:
    scene = on_a_line(three(), ann=0, bob=40, cid=40 + metres)
    assert in_melee(scene, "ann", "bob") is touch  # Cid is near him
    assert [threatened(scene, who) for who in ("cid", "ann")] == [touch, False]
    assert in_melee(scene, "cid", "bob") is False


@pytest.mark.rule("marchen.gap.movement.metres")
def test_nobody_moves_towards_whom_no_step_leads_or_without_a_place() -> None:
    walled = Grid(size=(30, 1), blocked=(cell(3, 0),))
    swamp = Grid(size=(30, 1), difficult=tuple([(cell(x, 0), 7) for x in range(30)]))  # a step is more than a move
    for ground in (walled, swamp):
        session = begun(placed(ground, ann=(0, 0), bob=(10, 0)))
        assert "move:bob" not in asked(session)
        with pytest.raises(IllegalActionError, match="no way leads to Bob") as refused:
            book().actions.check(session.scene, "ann", ActionUse("move", "bob"))
        assert refused.value.rule == "marchen.gap.movement.metres"
    free = go_on(begun(placed(Grid(size=(30, 1)), ann=(0, 0), bob=(10, 0))), "move:bob")
    assert free.scene["ann"].position == cell(6, 0)
    for session in (begun(placed(Grid(size=(21, 21)), ann=None, bob=(3, 3))), begun(duel())):
        assert not [one for one in asked(session) if one.startswith("move")]


@pytest.mark.rule("marchen.gap.movement.metres")
@pytest.mark.parametrize(("metres", "far"), [(10, False), (11, True)])
def test_friends_are_gone_to_where_they_are_beyond_reach(metres: int, far: bool) -> None:
    scene = on_a_line(three(), ann=0, cid=metres, bob=60)
    labels = [use.target for use in book().actions.by_id["move"].uses_for(scene, "ann")]
    assert ("cid" in labels) is far
    assert "bob" in labels


@pytest.mark.rule("marchen.gap.movement.metres", "marchen.gap.weapon.list")
def test_the_longest_weapon_says_how_near_one_has_to_come() -> None:
    for held, metres in ((("sword", "spear"), 3), (("spear", "sword"), 3), (("sword",), 2), (("bow",), 2), ((), 2)):
        ann = fighter("Ann", belongings=tuple([ItemStack(item, 1, "hand") for item in held]))
        assert reach_of(duel(ann).scene, "ann") == metres
