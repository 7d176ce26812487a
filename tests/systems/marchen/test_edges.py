"""Rules that meet the table: a fight saved in the middle of a blow, places, months, secrets."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.marchen.fights import begun, duel, fighter, ruled
from systems.marchen.people import book, data, library, plan, somebody, together
from systems.playing import answer as go_on
from tablewright.engine import Choice, odds
from tablewright.engine.options import ClosedOption
from tablewright.errors import IllegalActionError
from tablewright.game.character.character import Ranks
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.costs import ActionEconomy, Cost
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session, SessionHeader
from tablewright.game.session.views import project_session
from tablewright.systems.marchen.actions.index import ACTIONS
from tablewright.systems.marchen.actions.move import away
from tablewright.systems.marchen.actions.requirements import foes_of
from tablewright.systems.marchen.character.record import MarchenCharacter
from tablewright.systems.marchen.content import Weapon
from tablewright.systems.marchen.events.fight import TurnOfAnOunce
from tablewright.systems.marchen.mechanics.checks import TRIVIALLY, aided, check, passive
from tablewright.systems.marchen.mechanics.harm import Wound, wounded
from tablewright.systems.marchen.now import in_melee, threatened
from tablewright.systems.marchen.status import UnderWay, chronicle
from tablewright.systems.marchen.values import METRES, tech_difference

# ---------------------------------------------------------------------- a blow that is under way


def picked_up(session: Session) -> Session:
    """The fight gone on with from its scene alone, as if the record were lost."""
    fresh = Session(SessionHeader("marchen", "0.1.0", session.scene, 1), book())
    fresh.do("marchen.encounter")
    return fresh


@pytest.mark.rule("marchen.gap.fight.reactions", "marchen.ounces.strike")
def test_a_strike_waits_in_the_scene_for_the_answer() -> None:
    session = go_on(begun(duel()), "strike:bob:sword")
    assert chronicle(session.scene).blow == UnderWay("ann", "bob", "sword", "strike")
    again = picked_up(session)
    assert isinstance(again.question, Choice)
    assert (again.question.details["who"], again.question.ids) == ("bob", ("none", "dodge"))
    for played in (session, again):
        go_on(played, "dodge", [5, 4], [2, 2, 2], [1, 2])
        assert played.scene["bob"].status.physical == 6  # 9 - 1: a tie
        assert played.scene["bob"].status.reactions == 1
        assert chronicle(played.scene).blow is None
        assert played.scene["ann"].status.spent.get("significant", 0) == 1  # not paid twice


@pytest.mark.rule("marchen.puncti.end_the_fight")
def test_the_fate_of_the_foe_is_asked_again() -> None:
    session = go_on(ruled(begun(duel()), "bob", physical=6), "end_the_fight:bob:sword")
    again = picked_up(session)
    assert isinstance(again.question, Choice)
    assert again.question.question == "what becomes of the foe?"
    later = picked_up(go_on(again, "yields"))
    assert chronicle(later.scene).blow == UnderWay("ann", "bob", "sword", "end_the_fight", "yields")
    go_on(later, "none", [6, 5], [1, 1, 1], [1, 2], [4, 4])
    assert later.scene.ended == "party win"


@pytest.mark.rule("marchen.ounces.strike")
def test_nothing_comes_of_a_blow_at_a_character_who_fell_before_it() -> None:
    session = go_on(begun(duel()), "strike:bob:sword")
    ruled(session, "bob", down=True)
    go_on(session, "none")
    assert chronicle(session.scene).blow is None
    assert session.scene.ended == "party win"


# ---------------------------------------------------------------------- places


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


@pytest.mark.rule("marchen.gap.movement.metres")
def test_one_may_go_anywhere_that_a_move_leads_to() -> None:
    session = go_on(begun(on_a_field()), "move::elsewhere")
    assert isinstance(session.question, Choice)
    places = {one.partition("::")[2] for one in session.question.ids}
    assert places == {f"{x},{y}" for x in range(9) for y in range(7)} - {"4,0"}
    go_on(session, "destination::1,6")
    assert session.scene["ann"].position == cell(1, 6)
    assert session.scene["ann"].status.spent.get("minor", 0) == 1
    crouched = go_on(ruled(begun(on_a_field()), "ann", stance="crouched"), "move::elsewhere")
    assert isinstance(crouched.question, Choice)
    assert "destination::4,3" in crouched.question.ids
    assert "destination::4,4" not in crouched.question.ids


@pytest.mark.rule("marchen.gap.fight.aim", "marchen.gap.movement.metres")
def test_going_elsewhere_loses_the_aim() -> None:
    session = go_on(begun(on_a_field()), "aim", "move::elsewhere", "destination::4,1")
    assert session.scene["ann"].status.aim == 0


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
    assert isinstance(session.question, Choice)
    assert ("move::away" in session.question.ids) is pressed


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
    session = together(fighter("Ann"), fighter("Bob"), fighter("Cid"))
    for who in ("bob", "cid"):
        session.do("table.change_sides", who=who, side="foes")
    scene = replace(session.scene, ground=Grid(size=(30, 1)))
    for who, at in (("ann", 10), ("bob", 9), ("cid", 29)):
        scene = scene.with_participant(replace(scene[who], position=cell(at, 0)))
    assert away(scene, "ann") == cell(16, 0)  # seven from Bob, thirteen from Cid
    far = scene.with_participant(replace(scene["bob"], position=cell(10, 0)))
    assert away(far.with_participant(replace(far["ann"], position=cell(0, 0))), "ann") is None  # in the corner


@pytest.mark.rule("marchen.gap.fight.dms", "marchen.gap.range.threatened")
@pytest.mark.parametrize(("metres", "touch"), [(1, True), (2, True), (3, False)])
def test_touch_is_two_metres(metres: int, touch: bool) -> None:
    session = together(fighter("Ann"), fighter("Bob"), fighter("Cid"))
    session.do("table.change_sides", who="bob", side="foes")
    scene = replace(session.scene, ground=Grid(size=(60, 1)))
    for who, at in (("ann", 0), ("bob", 40), ("cid", 40 + metres)):
        scene = scene.with_participant(replace(scene[who], position=cell(at, 0)))
    assert in_melee(scene, "ann", "bob") is touch  # Cid is near him
    assert threatened(scene, "cid") is touch
    assert not threatened(scene, "ann")
    assert in_melee(scene, "cid", "bob") is False


@pytest.mark.rule("marchen.gap.movement.metres")
def test_nobody_moves_towards_whom_no_step_leads() -> None:
    walled = Grid(size=(30, 1), blocked=(cell(3, 0),))
    swamp = Grid(size=(30, 1), difficult=tuple([(cell(x, 0), 7) for x in range(30)]))  # a step is more than a move
    for ground in (walled, swamp):
        session = begun(placed(ground, ann=(0, 0), bob=(10, 0)))
        assert isinstance(session.question, Choice)
        assert "move:bob" not in session.question.ids
        with pytest.raises(IllegalActionError, match="no way leads to Bob") as refused:
            book().actions.check(session.scene, "ann", ActionUse("move", "bob"))
        assert refused.value.rule == "marchen.gap.movement.metres"
    free = go_on(begun(placed(Grid(size=(30, 1)), ann=(0, 0), bob=(10, 0))), "move:bob")
    assert free.scene["ann"].position == cell(6, 0)


@pytest.mark.rule("marchen.gap.movement.metres")
def test_a_character_who_has_no_place_moves_nowhere() -> None:
    lost = placed(Grid(size=(21, 21)), ann=None, bob=(3, 3))
    nowhere = begun(duel())
    for session in (begun(lost), nowhere):
        assert isinstance(session.question, Choice)
        assert not [one for one in session.question.ids if one.startswith("move")]


# ---------------------------------------------------------------------- months


@pytest.mark.rule("marchen.time.frames")
@pytest.mark.parametrize("days", [28, 30, 31])
def test_a_month_that_is_typed_has_the_days_of_the_table(days: int) -> None:
    session = together(somebody(), month_days=days)
    session.do("table.pass_time", amount="1 month")
    assert session.scene.clock.now == days * 86_400 * 8
    assert book().calendar_of(session.scene.options).show(session.scene.clock.now) == "1 month"
    session.do("table.pass_time", amount="1 season")
    assert session.scene.clock.now == 4 * days * 86_400 * 8


# ---------------------------------------------------------------------- secrets


@pytest.mark.rule("marchen.difficulty.trivial")
def test_a_trivial_task_kept_secret_is_rolled_and_succeeds_whatever_is_shown() -> None:
    seen = []
    for difficulty in ("trivial", "easy"):
        session = together(somebody())
        session.do("table.check", who="ann", what="muscle", situation=(f"difficulty={difficulty}",), secret=True)
        session.type_in([1, 1])
        assert (session.result == TRIVIALLY) == (difficulty == "trivial")
        seen.append(json.dumps(project_session(session, "ann"), sort_keys=True))
    assert seen[0] == seen[1]
    open_ = together(somebody())
    open_.do("table.check", who="ann", what="muscle", situation=("difficulty=trivial",))
    assert open_.question is None


@pytest.mark.rule("marchen.difficulty.trivial")
def test_veiled_dice_count_for_nothing_on_trivial_tasks_alone() -> None:
    assert odds(check(difficulty="trivial", modifier=-9, trivial="veiled")) == odds(check(difficulty="trivial"))
    assert odds(check(difficulty="easy", trivial="veiled")) == odds(check(difficulty="easy"))
    assert odds(aided((0,), difficulty="trivial", modifier=-9, trivial="veiled"))[TRIVIALLY] == 1
    assert odds(passive(difficulty="trivial", modifier=-20, trivial="veiled"))[TRIVIALLY] == 1


# ---------------------------------------------------------------------- what is refused


def _acts(session: Session, use: ActionUse) -> None:
    book().actions.check(session.scene, "ann", use)


def _does(*people: MarchenCharacter, process: str, **given: Any) -> None:
    together(*people).do(f"marchen.{process}", **given)


BEGINNER = somebody(skills={"stealth": 1})
REFUSED: dict[str, Callable[[], object]] = {
    "specialization_below_skill_1": lambda: _does(
        somebody(skills={"stealth": 0}, experience=99),
        process="advance",
        who="ann",
        what="specialization",
        name="Shadowing",
        skill="stealth",
    ),
    "levels_above_4": lambda: _does(
        somebody(skills={"stealth": 2}, specials=[("stealth", "Shadowing", 4)], experience=99),
        process="advance",
        who="ann",
        what="specialization",
        name="Shadowing",
        skill="stealth",
    ),
    "aid_below_gate": lambda: _does(
        BEGINNER, BEGINNER.changed(name="Bob"), process="aid", who=("ann", "bob"), what="stealth"
    ),
    "chain_below_gate": lambda: _does(BEGINNER, process="chain", tasks=("ann:stealth", "ann:athletics")),
    "pool_below_gate": lambda: _does(BEGINNER, process="pool", who=("ann",), what="stealth"),
    "epilogue_without_heir": lambda: _does(BEGINNER, process="write_epilogue", who="ann"),
    "second_heir": lambda: _does(somebody(heir="Oliver"), process="name_heir", who="ann", heir="Hans"),
    "three_rows": lambda: plan(BEGINNER, "stealth", frame="watch", rows=3),
    "past_the_table": lambda: plan(BEGINNER, "stealth", frame="season", rows=1),
    "strike_in_a_bad_spot": lambda: _acts(begun(duel(), 3, 2), ActionUse("strike", "bob", "sword")),
    "clash_in_control": lambda: _acts(begun(duel()), ActionUse("clash", "bob", "sword")),
    "second_turn_of_the_tide": lambda: _acts(
        ruled(begun(duel(), 3, 2), "ann", turned=True), ActionUse("turn_the_tide", "bob", "sword")
    ),
}


@pytest.mark.rule("marchen.gap.refusal.list")
@each_case("name", list(data("marchen.gap.refusal.list")))
def test_forbidden_acts_are_refused_by_their_rule(name: str) -> None:
    with pytest.raises(IllegalActionError) as refused:
        REFUSED[name]()
    assert refused.value.rule == data("marchen.gap.refusal.list")[name]


def test_of_two_who_are_called_alike_an_option_says_which() -> None:
    session = together(fighter("Ann"), fighter("Bob"), fighter("Cid"))
    for who in ("bob", "cid"):
        session.do("table.change_sides", who=who, side="foes")
    twins = replace(session.scene["cid"], name="Bob")
    scene = session.scene.with_participant(twins)

    def labels(scene: Scene) -> set[str]:
        return {scene.display_name(one.id) for one in foes_of(scene, "ann")}

    assert labels(scene) == {"Bob 1", "Bob 2"}
    assert labels(session.scene) == {"Bob", "Cid"}
    assert labels(scene.with_participant(replace(twins, hidden=True))) == {"Bob"}  # no one learns of who is hidden


@pytest.mark.rule("marchen.ounces.face_defeat")
@pytest.mark.parametrize(("metres", "closed"), [(1, True), (2, True), (3, False)])
def test_a_foe_in_touch_bars_the_way_out(metres: int, closed: bool) -> None:
    scene = replace(begun(duel()).scene, ground=Grid(size=(60, 1)))
    for who, at in (("ann", 20), ("bob", 20 + metres)):
        scene = scene.with_participant(replace(scene[who], position=cell(at, 0)))
    reasons = [one.reason for one in ACTIONS.options(scene, "ann") if isinstance(one, ClosedOption)]
    assert ("a foe in touch bars the way out" in reasons) is closed


@pytest.mark.rule("marchen.time.combat_actions")
def test_the_rest_of_a_turn_is_cached_by_everything_spent() -> None:
    session = together(fighter("Ann"))
    patterns = ({"significant": 1, "minor": 1}, {"minor": 3})
    quick, plain = TurnOfAnOunce(patterns), ActionEconomy(patterns)
    for spent in ({}, {"minor": 1}, {"minor": 2}, {"minor": 3}, {"significant": 1}, {"significant": 1, "minor": 1}):
        scene = session.scene.with_status("ann", spent=Ranks(spent))
        for price in (Cost.of(significant=1), Cost.of(minor=1)):
            assert quick.short(scene, "ann", price) == plain.short(scene, "ann", price), (spent, price)


@pytest.mark.rule("marchen.gap.damage.formula")
def test_a_hit_without_dice_uses_no_armour_up() -> None:
    with pytest.raises(StopIteration) as done:
        wounded(0, 3, 1, 2, 0, "dice").send(None)
    assert done.value.value == Wound(2, 0)


@pytest.mark.rule("marchen.gap.fight.dms", "marchen.tech.difference_dm")
def test_a_weapon_of_which_nothing_is_said_is_no_technology() -> None:
    sword = library().get(Weapon, "sword")
    given = {name: value for name, value in sword.model_dump(mode="json").items() if name != "tl"}
    plain = Weapon.model_validate_json(json.dumps(given))
    assert (tech_difference(0, plain.tl), tech_difference(0, sword.tl)) == (0, -1)
