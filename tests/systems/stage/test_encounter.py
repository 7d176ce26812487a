"""Encounters: groups and their order, turns, AP, interruptions, long actions, moving, mounts, water, and the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, events, go, status
from systems.stage.fights import (
    ONE,
    TWO,
    act,
    asked,
    closed,
    duel,
    fighter,
    held_by,
    next_round,
    offered,
    place,
    playing,
    scene_with,
    session_with,
)
from systems.stage.people import OPTIONS, person, refused, somebody
from tablewright.cli.arguments.scenarios import open_fight
from tablewright.engine import Choice, Playthrough, Roll
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.play.effects import OPEN_END, Duration, Effect
from tablewright.game.scene.scene import SceneSetup
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.aim import Way
from tablewright.systems.stage.actions.move import move_ap
from tablewright.systems.stage.actions.requirements import ambushes
from tablewright.systems.stage.actions.strike import aimed
from tablewright.systems.stage.encounter import may_run
from tablewright.systems.stage.mechanics.turn import loses_heart
from tablewright.systems.stage.now import arms, hit_difficulty
from tablewright.systems.stage.status import adjacent, stands


def three(**how: Any) -> Any:
    people = [
        place(fighter(agility=1), "party", who="ann"),
        place(fighter(agility=3), "party", who="amy"),
        place(fighter(), "foes", who="bob"),
    ]
    return session_with(people, **how)


@pytest.mark.rule("stage.encounter.flow", "stage.encounter.round", "stage.action.ap")
def test_everybody_has_one_turn_a_round_and_all_ap_come_back_after_it() -> None:
    session = three(begun=False)
    session.do("stage.encounter")
    answer(session, [6, 6, 6], [1])
    assert session.scene.order == ("amy", "ann", "bob")
    session.choose("crouch")
    assert status(session, "amy").ap == 2
    session.choose("end_turn")
    assert (status(session, "amy").ap, session.scene.turn) == (3, "ann")
    answer(session, "end_turn", "end_turn")
    assert (session.scene.round, session.scene.turn) == (2, "amy")
    assert session.scene.clock.now == 1  # a round is the smallest unit of the clock: 12 seconds


@pytest.mark.rule("stage.encounter.member_order")
def test_a_group_fixes_its_order_before_the_first_round() -> None:
    session = three(begun=False, start=SceneSetup(more=(("ask", True),)))
    session.do("stage.encounter")
    assert session.question is not None
    assert session.question.question == "who of party acts next?"
    answer(session, "ann", [6], [1])
    assert session.scene.order == ("ann", "amy", "bob")


@pytest.mark.rule("stage.encounter.flow")
def test_the_fallen_keep_their_place_and_skip_their_turn() -> None:
    session = three()
    session.do("table.rule", who="amy", field="unconscious", value='"a blow"', reason="to see")
    session.do("stage.encounter")
    session.choose("end_turn")
    assert (session.scene.turn, "amy" in session.scene.order) == ("bob", True)


@pytest.mark.rule("stage.encounter.begin_end", "stage.gap.encounter.end")
def test_it_ends_when_one_side_is_down_or_gone() -> None:
    session = go(three(), "table.rule", who="bob", field="stamina", value="0", reason="to see")
    act(session, "yield", who="bob")
    assert not stands(session.scene["bob"])
    session.do("stage.encounter")
    assert session.scene.ended == "party win"
    far = act(duel(fighter(), fighter(), apart=6), "flee")
    assert not far.scene["ann"].present
    assert closed(duel(fighter(), fighter(), apart=5), "flee")[1] == "stage.gap.encounter.end"


@pytest.mark.rule("stage.gap.encounter.flight")
@pytest.mark.parametrize(("face", "runs"), [(3, False), (4, True)])
def test_people_of_the_game_master_run_at_no_stamina(face: int, runs: bool) -> None:
    session = duel(fighter(), fighter(), turn="bob", theirs={"stamina": 0})
    session.do("stage.encounter")
    session.type_in([face])
    assert session.scene["bob"].present is not runs


def test_a_low_roll_against_running_is_the_lucky_one() -> None:
    asked_now = Playthrough(loses_heart()).question
    assert isinstance(asked_now, Roll)
    assert asked_now.worth is not None
    assert [asked_now.worth(face) for face in range(1, 7)] == [0, 0, 0, -200, -200, -200]


@pytest.mark.rule("stage.action.prepare_interruption", "stage.action.interruption")
def test_a_prepared_interruption_is_one_ap_apart_from_the_others() -> None:
    session = act(duel(fighter(), fighter(), theirs={"ap": 3}), "prepare")
    assert status(session).ap == 0
    held = held_by(session, "prepared")
    assert (held.until.whose, held.until.edge, held.until.round) == ("ann", "end", 2)
    go(session, "table.rule", who="", field="turn", value='"bob"', reason="bob's turn")
    assert "attack:bob:spear" in offered(session)
    assert closed(session, "power_attack") == ("costs 2 AP, 1 left", "stage.action.ap")
    act(session, "attack:bob:spear", faces=[[1]], choices=ONE)
    assert status(session).held("prepared") is None
    assert not any(use.startswith("attack") for use in offered(session))


@pytest.mark.rule("stage.movement.cubes")
def test_a_move_goes_as_many_cubes_as_the_speed_score() -> None:
    session = act(duel(fighter(), fighter(), apart=3), "move::6,6")
    assert (str(session.scene["ann"].position), status(session).ap) == ("6,6", 2)
    with pytest.raises(IllegalActionError):
        act(session, "move::8,6")
    horse = duel(person("riding_horse"), fighter(), apart=3)
    assert "move:bob" in offered(horse)
    same = OPTIONS.put("adjacency", "same_cube")
    for options, beside in ((OPTIONS, False), (same, True)):
        scene = duel(fighter(), fighter(), apart=0, options=options).scene
        assert adjacent(scene, "ann", "bob") is beside


@pytest.mark.rule("stage.movement.impediments", "stage.environment.gravity", "stage.environment.darkness")
def test_doubled_moves_double_once_but_gravity_and_darkness_multiply() -> None:
    session = duel(fighter(), fighter(), apart=1)
    assert move_ap(session.scene, "ann") == 1
    assert move_ap(session.scene, "ann", slow=True) == 2
    prone = duel(fighter(), fighter(), apart=1, mine={"stance": "prone"}).scene
    assert move_ap(prone, "ann", slow=True) == 2
    heavy = duel(fighter(), fighter(), apart=1, facts=Facts().set("gravity", "ann", "very_high")).scene
    assert (move_ap(heavy, "ann"), move_ap(heavy, "bob")) == (3, 1)
    dark = duel(fighter(), fighter(), apart=1, facts=Facts().set("darkness", "ann", 1)).scene
    assert move_ap(dark, "ann", slow=True) == 4
    mud = Grid(size=(20, 20), shared=True, difficult=((cell(6, 5), 2),))
    slow = act(duel(fighter(), fighter(), apart=3, ground=mud), "move::6,5")
    assert status(slow).ap == 1


@pytest.mark.rule("stage.agility.tumble")
@pytest.mark.parametrize(("stacking", "hit"), [("add", False), ("highest", True)])
def test_a_tumble_sets_hit_difficulty_until_the_end_of_the_next_turn(stacking: str, hit: bool) -> None:
    session = duel(fighter(agility=1), fighter(), options=OPTIONS.put("tumble_stacking", stacking))
    act(session, "tumble", faces=[[4]])
    assert (status(session).ap, status(session).stamina) == (1, 2)
    defended = {"dice for the first roll": "2", "how to defend": "dodge"}
    faces = [[3], [6, 1], *([[1]] if hit else [])]
    act(session, "attack:ann:spear", who="bob", faces=faces, choices=defended)
    assert events(session, "Attacked")[0].hit is hit  # 4 and 3 and 3, or 4 and 3, against 7
    act(session, "attack:ann:spear", who="bob", faces=[[5, 1]], choices=TWO)
    assert not events(session, "Attacked")[1].hit
    act(session, "attack:ann:spear", who="bob", faces=[[6, 1], [1]], choices=TWO)
    assert events(session, "Attacked")[2].hit


@pytest.mark.rule("stage.environment.swimming", "stage.environment.drowning")
def test_two_failed_swims_take_under_and_then_one_drowns() -> None:
    session = duel(fighter(athletics=1), fighter(), facts=Facts().set("swimming", "ann", 9))
    act(session, "crouch", faces=[[6]])
    assert (status(session).stance, status(session).ap, status(session).failures) == ("standing", 2, 1)
    act(session, "crouch", faces=[[6]])
    assert status(session).under == 1
    for turns in range(1, 4):
        go(session, "table.rule", who="", field="turn", value="null", reason="on")
        go(session, "table.rule", who="", field="acted", value='["bob"]', reason="on")
        session.do("stage.encounter")
        assert (status(session).under, bool(status(session).unconscious)) == (1 + turns, turns >= 3)  # Body level 3
        if session.question is not None:
            session.undo()
            break
    assert status(session).vitality >= 0


@pytest.mark.rule("stage.initiative.one_sided")
def test_a_fight_of_files_can_say_who_opens_hostilities() -> None:
    """The opener acts first in its group, and its result is the highest that its dice allow."""
    session = open_fight(["stage:guard", "vs", "stage:arlef", "stage:brynh"], opens="Brynh", seed=1)
    while session.scene["brynh"].status.initiative is None:
        assert session.question is not None
        session.roll() if isinstance(session.question, Roll) else session.choose(session.question.ids[-1])
    assert session.scene["brynh"].status.initiative == 6
    assert [who for who in session.scene.order if who != "guard"] == ["brynh", "arlef"]


@pytest.mark.rule("stage.initiative.one_sided", "stage.initiative.ambush")
def test_an_opener_who_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidInputError, match='nobody is called "gard"; there are: a, b, guard, arlef'):
        open_fight(["stage:guard", "vs", "stage:arlef"], opens="gard", seed=1)
    refused("MARS has no rule about who opens hostilities", open_fight, ["mars:even"], opens="party", seed=1)
    for name in ("opens", "ambush"):
        session = duel(fighter(), fighter(), begun=False)
        refused(f'{name}: "foe" is not here; .*did you mean "foes"', session.do, "stage.encounter", **{name: "foe"})


def ambushed(*surprised: str) -> Session:
    """Arlef and Brynh come upon two guards, of whom some are unaware; dice 3 for the heroes, 5 for the guards."""
    people = [
        place(person("arlef"), "heroes", who="arlef"),
        place(person("brynh"), "heroes", who="brynh"),
        place(person("guard"), "foes", who="near"),
        place(person("guard"), "foes", who="far"),
    ]
    session = session_with(people, begun=False, start=SceneSetup(surprised=surprised))
    session.do("stage.encounter")
    for faces in ([2, 1], [5], None):
        if isinstance(session.question, Choice) and session.question.question == "announce a power?":
            session.choose("pass")
        if faces is not None:
            session.type_in(faces)
    return session


@pytest.mark.rule("stage.initiative.ambush", "stage.attack.ambush")
@pytest.mark.parametrize(
    ("surprised", "initiative", "over"), [((), 3, []), (("near",), 3, ["near"]), (("near", "far"), 6, ["near", "far"])]
)
def test_an_ambush_counts_against_those_who_are_unaware(
    surprised: tuple[str, ...], initiative: int, over: list[str]
) -> None:
    session = ambushed(*surprised)
    assert status(session, "arlef").initiative == initiative
    for hero in ("arlef", "brynh"):
        assert [guard for guard in ("near", "far") if ambushes(session.scene, hero, guard)] == over
    assert not any(ambushes(session.scene, guard, "arlef") for guard in ("near", "far"))


@pytest.mark.rule("stage.attack.ambush", "stage.initiative.ambush_defence")
@pytest.mark.parametrize(("seen_by", "dodges"), [((), False), (("bob",), True)])
def test_a_character_who_is_aware_of_an_ambush_defends_as_usual(seen_by: tuple[str, ...], dodges: bool) -> None:
    arm = Way(arms(duel(fighter(), fighter()).scene, "ann")[0])
    session = duel(fighter(), fighter(), mine={"ambush": True, "seen_by": seen_by})
    found = aimed(session.scene, "ann", "bob", arm).met.ways
    assert ("dodge" in [way.name for way in found]) is dodges


@pytest.mark.rule("stage.guile.sneak", "stage.attack.ambush")
@pytest.mark.parametrize(
    ("faces", "hidden", "over"), [((1, 1), True, ["bob", "cat"]), ((6, 1), False, ["cat"]), ((6, 6), False, [])]
)
def test_a_character_who_is_noticed_by_some_still_surprises_the_others(
    faces: tuple[int, int], hidden: bool, over: list[str]
) -> None:
    facts = Facts().set("cover", "ann", "2", "bob").set("cover", "ann", "2", "cat")
    session = duel(somebody(2), somebody(1), place(somebody(1), "foes", (6, 5), who="cat"), apart=1, facts=facts)
    act(session, "hide", faces=[[2, 2], *[[face] for face in faces]])
    assert session.scene["ann"].hidden is hidden
    assert [foe for foe in ("bob", "cat") if ambushes(session.scene, "ann", foe)] == over


@pytest.mark.rule("stage.agility.tumble")
def test_a_worse_tumble_counts_once_the_better_one_is_over() -> None:
    session = act(duel(fighter(agility=2), fighter()), "tumble", faces=[[6, 5]])
    later = next_round(session)
    act(later, "tumble", faces=[[1, 2]])
    assert hit_difficulty(later.scene, "ann", "bob").tally.total == 11 + 3
    (worse,) = [one for one in status(later).lasting if one.until.round == 3]
    assert hit_difficulty(later.scene.with_status("ann", lasting=(worse,)), "ann", "bob").tally.total == 3 + 3


@pytest.mark.rule("stage.agility.tumble")
@pytest.mark.parametrize(("roll", "prone"), [([4, 4, 3], True), ([4, 3, 3], False)])
def test_the_higher_of_tumble_and_dodge_counts_against_a_trip_too(roll: list[int], prone: bool) -> None:
    options = OPTIONS.put("tumble_stacking", "highest")
    tumbling = {"lasting": (Effect("tumbling", Duration(2, "bob"), 8),)}
    session = duel(somebody(brawl=3, perception=1, academics=1), fighter(agility=2), options=options, theirs=tumbling)
    act(session, "trip:bob", faces=[[1, 1, 1], roll], choices={"how to defend": "dodge"})  # 8 and 3 for Size
    assert (status(session, "bob").stance == "prone") is prone


@pytest.mark.rule("stage.agility.initiative", "stage.power.announce", "stage.power_effect.skill_die")
@pytest.mark.parametrize(("opens", "total"), [("", 6), ("ann", 12)])
def test_powers_can_be_announced_for_initiative(opens: str, total: int) -> None:
    session = duel(fighter(agility=1, powers=("acrobat",)), fighter(), begun=False)
    session.do("stage.encounter", opens=opens)
    assert asked(session).details == {"who": "ann", "kind": "window", "for": "Agility (initiative)"}
    session.choose("announce::acrobat")
    faces: list[list[int]] = [[3, 3], [1]] if not opens else [[1]]
    for roll in faces:
        session.type_in(roll)
    assert [one.total for one in events(session, "InitiativeRolled")] == [total, 1]
    assert status(session).stamina == 2


@pytest.mark.rule("stage.gap.encounter.flight", "stage.brawl.grapple")
@pytest.mark.parametrize(("held", "runs"), [(True, False), (False, True)])
def test_nobody_runs_who_is_held(held: bool, runs: bool) -> None:
    lasting = (Effect("held", OPEN_END, by="bob"),) if held else ()
    session = duel(somebody(1), somebody(1), mine={"stamina": 0, "lasting": lasting})
    assert may_run(session.scene, "ann") is runs


@pytest.mark.rule("stage.initiative.simultaneous")
@pytest.mark.parametrize(
    ("faces", "order"),
    [
        ([[5, 5], [5, 5], [4, 3], [1, 2], [2, 3]], ("bb", "aa", "cc")),
        ([[5, 5], [5, 5], [6, 6], [6, 6], [2, 3]], ("cc", "aa", "bb")),
        ([[5, 5], [5, 5], [5, 5], [1, 2], [1, 2], [1, 1], [6, 6], [5, 6]], ("aa", "bb", "cc")),
    ],
)
def test_tied_groups_roll_again_between_them_alone(faces: list[list[int]], order: tuple[str, ...]) -> None:
    people = [place(fighter(agility=2), who, who=who) for who in ("aa", "bb", "cc")]
    session = session_with(people, begun=False)
    session.do("stage.encounter")
    for each in faces:
        session.type_in(each)
    assert session.scene.order == order
    assert [event.total for event in events(session, "InitiativeRolled")] == [sum(each) for each in faces[:3]]


@pytest.mark.rule("stage.initiative.simultaneous")
@pytest.mark.parametrize(
    ("faces", "order", "hidden"),
    [
        ([[3, 3]], ("bob", "ann", "new"), False),
        ([[4, 4]], ("bob", "new", "ann"), False),
        ([[6, 1], [2, 2], [2, 1]], ("bob", "ann", "new"), False),
        ([[6, 1], [2, 2], [3, 3]], ("bob", "new", "ann"), False),
        ([[5, 5], [1, 1], [3, 3]], ("new", "bob", "ann"), False),
        ([[5, 5]], ("bob", "new", "ann"), True),  # a second roll would tell that someone hides
    ],
)
def test_a_newcomer_with_the_same_result_rolls_against_that_group(
    faces: list[list[int]], order: tuple[str, ...], hidden: bool
) -> None:
    people = [
        place(fighter(agility=2), "foes", who="bob", initiative=10, hidden=hidden),
        place(fighter(agility=2), "party", who="ann", initiative=7),
        place(fighter(agility=2), "others", who="new"),
    ]
    session = playing(replace(scene_with(people), order=("bob", "ann"), turn=None, acted=("bob", "ann")))
    session.do("stage.encounter")
    answer(session, *faces)
    assert session.scene.order == order
