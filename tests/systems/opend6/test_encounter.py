"""Fights as they are played: order, declared actions, waiting, and the options of a table."""

from __future__ import annotations

import pytest

from systems.opend6.fights import FOE, HERO, HIT, MISS, begin, meeting, needed, person
from systems.playing import answer, asked, last
from tablewright.engine import Choice, Roll
from tablewright.errors import IllegalActionError
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import OrderSet
from tablewright.systems.opend6.actions.aim import planned
from tablewright.systems.opend6.character.gear import Manner, arm_of
from tablewright.systems.opend6.encounter import factors, first_mover, initiative_bonus
from tablewright.systems.opend6.now import burden, resistance_of
from tablewright.systems.opend6.status import level

# ---------------------------------------------------------------------- order


@pytest.mark.rule("opend6.initiative.no_roll", "opend6.initiative.ties")
def test_order_without_rolling_compares_factor_by_factor() -> None:
    session = begin(person(FOE, skills={"search": "4D"}), person(), person(FOE, skills={"dodge": "6D"}))
    assert session.scene.order == ("b", "a", "c")  # Acumen 3D first, then search, before dodge
    assert factors(session.scene, "b")[:2] == (0, 9)
    first = begin(FOE, person(FOE, abilities=[{"id": "goes_first"}]))
    assert first.scene.order[0] == "b"  # an ability comes before all codes


@pytest.mark.rule("opend6.initiative.ties")
def test_equal_in_everything_players_go_first() -> None:
    both = person(kind="creature", name="Twin"), person()
    assert begin(*both).scene.order == ("b", "a")
    drawn = begin(*both, options={"initiative.final_tie": "random"})
    drawn.type_in([2])  # the second of the two is drawn
    assert drawn.scene.order == ("b", "a")


@pytest.mark.rule("opend6.initiative.ties")
def test_a_hidden_participant_takes_no_part_in_a_draw_by_lot() -> None:
    """Two of one kind drew lots if another kind hid among them, so that everyone could tell."""
    twin = person(kind="creature", name="Twin")
    people = (person(skills={"search": "6D"}), twin, twin, person(kind="creature", name="Lurker"))
    session = begin(*people, options={"initiative.final_tie": "random"}, places={"d": {"hidden": True}})
    assert not isinstance(session.question, Roll)
    assert session.scene.order == ("a", "b", "c", "d")


@pytest.mark.rule("opend6.initiative.method")
def test_a_hidden_newcomer_sets_no_order_that_others_see() -> None:
    session = begin(HERO, FOE)
    session.join({"character": FOE, "id": "lurker", "side": "b", "hidden": True})
    answer(session, "1", "stop", "1", "stop")
    orders = [line for line in session.log if isinstance(line, OrderSet)]
    assert [(line.order, line.to) for line in orders[1:]] == [(session.scene.order, "game master")]
    assert session.scene.round == 2
    assert "lurker" in session.scene.order


@pytest.mark.rule("opend6.initiative.first_action")
def test_a_hidden_participant_is_not_taken_for_the_first_mover() -> None:
    session = meeting(HERO, FOE, places={"a": {"hidden": True}})
    assert first_mover(session.scene) == "b"


@pytest.mark.rule("opend6.initiative.roll", "opend6.initiative.method")
def test_rolled_initiative_every_round_or_once() -> None:
    session = begin(HERO, FOE, options={"initiative.method": "roll_each_round"})
    answer(session, [2, 2, 2], [5, 5])
    assert session.scene.order == ("b", "a")
    for _ in range(2):
        answer(session, "1", "stop")
    answer(session, [4, 4, 4], [2, 3])
    assert (session.scene.round, session.scene.order) == (2, ("a", "b"))
    once = begin(HERO, FOE, options={"initiative.method": "roll_once_per_scene"})
    answer(once, [2, 2, 2], [5, 5], "1", "stop", "1", "stop")
    assert (once.scene.round, once.scene.order, asked(once)[0]) == (
        2,
        ("b", "a"),
        "1",
    )


@pytest.mark.rule("opend6.initiative.first_action")
def test_a_character_who_acts_first_stays_first() -> None:
    session = begin(HERO, FOE, options={"initiative.method": "first_action"}, start={"first": "b"})
    assert session.scene.order == ("b", "a")
    answer(session, "1", "stop", "1", "stop")
    assert session.scene.order == ("b", "a")


@pytest.mark.rule("opend6.initiative.bonus")
def test_the_optional_bonus() -> None:
    quick = person(
        attributes={"agility": "4D"},
        skills={"search": "5D"},
        abilities=[{"id": "skill_bonus", "ranks": 6, "skills": ["search"]}],
    )
    found = {}
    for value in ("off", "cumulative", "best_only"):
        found[value] = initiative_bonus(meeting(quick, FOE, options={"initiative.bonus": value}).scene, "a")
    assert found == {"off": 0, "cumulative": 3, "best_only": 2}
    slow = meeting(person(attributes={"agility": "3D"}), FOE, options={"initiative.bonus": "cumulative"})
    assert initiative_bonus(slow.scene, "a") == 0  # one for each 4D of Agility


@pytest.mark.rule("opend6.initiative.not_an_action", "opend6.map.exempt_rolls")
def test_initiative_damage_and_resistance_take_no_penalty() -> None:
    session = begin(HERO, FOE, options={"initiative.method": "roll_each_round"})
    answer(session, [4, 4, 4], [2, 2], "3", "slash:b:short_sword", [6, 4, 5], [3, 3, 3], [3, 3, 3])
    struck = last(session, "Struck")
    assert struck.hit  # the attack had 2D of 4D, damage 3D+2 and resistance 3D all of theirs
    assert session.scene["a"].status.taken == 1


@pytest.mark.rule("opend6.gap.attack.surprise")
def test_surprise() -> None:
    session = begin(HERO, FOE, surprise=["a"])
    assert session.scene.order == ("b", "a")
    bonus = begin(HERO, FOE, surprise=["b"], options={"attack.surprise": "bonus_die"})
    arm = arm_of(bonus.scene, "a", "short_sword")
    assert arm is not None
    assert planned(bonus.scene, "a", "b", arm.weapon, Manner("short_sword")).throw.bonus.dice == 1
    sensed = begin(person(abilities=[{"id": "combat_sense"}]), FOE, surprise=["a"])
    assert not sensed.scene["a"].status.surprised


@pytest.mark.rule("opend6.gap.attack.surprise")
@pytest.mark.parametrize("method", ["no_roll", "first_action", "roll_once_per_scene"])
def test_a_character_who_surprises_others_goes_first_in_the_first_round_only(method: str) -> None:
    quick = person(attributes={"acumen": "5D"})
    start = {"start": {"first": "a"}} if method == "first_action" else {}
    session = begin(quick, FOE, options={"initiative.method": method}, surprise=["a"], **start)
    if method == "roll_once_per_scene":
        answer(session, [3, 3, 3, 3, 3], [3, 3])
    assert session.scene.order == ("b", "a")
    for order in (("a", "b"), ("a", "b")):
        answer(session, "1", "stop", "1", "stop")
        assert session.scene.order == order
    assert session.seat == "a"


@pytest.mark.rule("opend6.gap.attack.surprise", "opend6.initiative.ties")
def test_the_order_after_a_surprise_takes_no_new_lots() -> None:
    twin = person(HERO, name="Twin")
    session = begin(HERO, twin, twin, surprise=["a"], options={"initiative.final_tie": "random"})
    while not isinstance(session.question, Choice):
        session.roll()
    order = session.scene.order
    assert order[-1] == "a"
    answer(session, "1", "stop", "1", "stop", "1", "stop")
    assert isinstance(session.question, Choice)
    assert (session.scene.round, session.scene.order) == (2, order)
    told = begin(HERO, FOE, surprise=["b"], options={"attack.surprise": "bonus_die"})
    answer(told, "1", "stop", "1", "stop")
    assert len([line for line in told.log if isinstance(line, OrderSet)]) == 1


# ---------------------------------------------------------------------- turns


@pytest.mark.rule("opend6.time.round", "opend6.time.sequential")
def test_rounds_of_five_seconds_one_after_the_other() -> None:
    session = begin(HERO, FOE)
    assert session.seat == "a"
    answer(session, "1", "stop")
    assert session.seat == "b"
    answer(session, "1", "stop")
    assert (session.scene.round, session.scene.clock.now) == (2, 5)


@pytest.mark.rule("opend6.turn.declare_count", "opend6.turn.no_extra_no_carry")
def test_no_actions_are_added_and_none_is_carried_over() -> None:
    session = begin(HERO, FOE)
    answer(session, "2", "slash:b:short_sword", [2, 1, 1])
    assert session.scene["a"].status.left == 1
    answer(session, "stop", "1", "stop")
    assert (session.scene.round, session.scene["a"].status.declared) == (2, 0)
    answer(session, "1", "slash:b:short_sword", MISS)
    with pytest.raises(IllegalActionError, match="no_extra_no_carry"):
        session.rulebook.actions.check(session.scene, "a", ActionUse("slash", "b", "short_sword"))


@pytest.mark.rule("opend6.turn.waiting")
def test_a_wait_takes_an_action_and_lets_one_act_later() -> None:
    session = begin(HERO, FOE)
    answer(session, "2", "wait")
    assert (session.seat, session.scene["a"].status.left) == ("b", 1)
    answer(session, "1", "communicate")
    assert (session.seat, asked(session)[0]) == ("a", "go_on_waiting")
    answer(session, "slash:b:short_sword", [2, 1, 1])  # a die less, for the wait counts
    assert session.scene["a"].status.left == 0


@pytest.mark.rule("opend6.turn.interrupt", "opend6.gap.defence.lasts")
def test_a_character_who_has_waited_dodges_between_roll_and_result() -> None:
    session = begin(HERO, FOE)
    answer(session, "2", "wait", "1", "slash:a:short_sword", [4, 4, 4, 4])
    assert session.seat == "a"
    assert "dodge" in asked(session)
    answer(session, "dodge", [6, 6, 5, 5, 5])  # 3D of 4D: 27, less 5 at point blank
    assert not last(session, "Struck").hit
    let = begin(HERO, FOE)
    answer(let, "2", "wait", "1", "slash:a:short_sword", [4, 4, 4, 4], "let_be", [3, 3, 3], [3, 3, 3])
    assert last(let, "Struck").hit


@pytest.mark.rule("opend6.turn.move_up")
def test_a_turn_moved_up_takes_the_action_of_the_round() -> None:
    session = begin(HERO, FOE)
    session.do("opend6.move_up", who="b")
    answer(session, "1", "dodge", [3, 3, 3, 3])
    assert ("b" in session.scene.acted, session.scene.turn, session.seat) == (True, "a", "a")
    with pytest.raises(IllegalActionError, match="move_up"):
        session.do("opend6.move_up", who="b")


@pytest.mark.rule("opend6.initiative.disabled_loses_action")
def test_a_character_who_cannot_act_loses_the_turn() -> None:
    session = begin(HERO, FOE, FOE)
    answer(session, "1", "slash:b:short_sword", HIT, [6, 6, 5, 6, 6], [2, 1, 1])
    assert level(session.scene, "b") == "dead"
    assert session.seat == "c"


# ---------------------------------------------------------------------- options in every value


@pytest.mark.rule("opend6.result.fifth_damage")
@pytest.mark.parametrize(
    ("value", "hero", "foe", "captain"),
    [("all", True, True, True), ("important_characters", True, False, True), ("off", False, False, False)],
)
def test_owner_of_the_result_points_that_add_to_damage(value: str, hero: bool, foe: bool, captain: bool) -> None:
    session = begin(HERO, FOE, person(FOE, important=True), options={"result.damage_bonus": value})
    found = []
    for who, target in (("a", "b"), ("b", "a"), ("c", "a")):
        arm = arm_of(session.scene, who, "short_sword")
        assert arm is not None
        found.append(planned(session.scene, who, target, arm.weapon, Manner("short_sword")).blow.fifth)
    assert found == [hero, foe, captain]


@pytest.mark.rule("opend6.gap.attack.modifier_style")
def test_modifiers_are_rolled_where_the_table_rolls_them() -> None:
    session = begin(HERO, FOE, options={"attack.rolled_modifiers": True})
    answer(session, "1", "lunge:b:short_sword/lunge", [6, 2], [4, 3, 3, 2])  # 5 + 8 against 12
    assert not last(session, "Struck").hit
    assert needed(session, "short_sword/lunge") == 5


@pytest.mark.rule("opend6.gap.range.physique")
@pytest.mark.parametrize(
    ("metres", "faces", "more"),
    [
        (12, [4, 4, 4], 10),  # exactly as far as it goes: long range
        (12, [4, 4, 3], None),
        (12, [5, 4, 4], 5),  # short 11, medium 12, long 13
        (12, [5, 5, 4], 0),
        (15, [5, 5, 5], 10),  # further than four metres a die
    ],
)
def test_a_throw_goes_as_far_as_it_is_rolled(metres: int, faces: list[int], more: int | None) -> None:
    rocks = person(belongings=[{"item": "rock", "place": "hand", "count": 2}])
    ground = {"kind": "grid", "size": [30, 2]}
    places = {"a": {"position": "0,0"}, "b": {"position": f"{metres},0"}}
    session = begin(rocks, FOE, ground=ground, places=places, options={"range.physique": "rolled"})
    answer(session, "1", "throw:b:rock", faces)
    if more is None:
        assert not last(session, "Struck").hit
        return
    assert last(session, "RangeRolled").metres == sum(faces)
    total = [2, 3, 3, 2] if more == 0 else [5, 4, 4, 2] if more == 5 else [5, 5, 5, 5]
    assert sum(total) == 10 + more
    answer(session, total, [3, 3], [3, 3, 3])
    assert last(session, "Struck").hit
    assert session.scene["a"].status.thrown == 0


@pytest.mark.rule("opend6.gap.range.physique")
@pytest.mark.parametrize(("metres", "offered"), [(18, True), (19, False)])
def test_a_throw_is_tried_as_far_as_it_goes_without_another_six(metres: int, offered: bool) -> None:
    rocks = person(belongings=[{"item": "rock", "place": "hand", "count": 2}])
    places = {"a": {"position": "0,0"}, "b": {"position": f"{metres},0"}}
    ground = {"kind": "grid", "size": [30, 2]}
    session = begin(rocks, FOE, ground=ground, places=places, options={"range.physique": "rolled"})
    answer(session, "1")
    assert ("throw:b:rock" in asked(session)) is offered


@pytest.mark.rule("opend6.gap.resistance.negative")
def test_a_resistance_below_zero_may_burden_everything() -> None:
    for value, less in (("zero", 0), ("add_to_all_difficulties", 4)):
        session = begin(HERO, FOE, options={"resistance.negative": value})
        session.do("table.modify", what="resistance", value=-4, reason="cursed", who="a")
        arm = arm_of(session.scene, "a", "short_sword")
        assert arm is not None
        assert planned(session.scene, "a", "b", arm.weapon, Manner("short_sword")).throw.plain == -less
    clothed = person(belongings=[{"item": "padded_leather", "place": "worn"}])
    session = begin(clothed, FOE, options={"resistance.negative": "add_to_all_difficulties"})
    session.do("table.modify", what="resistance", value=-4, reason="cursed", who="a")
    assert resistance_of(session.scene, "a").armour.dice == 1
    assert burden(session.scene, "a") == 0  # a die of armour keeps the total above zero


@pytest.mark.rule("opend6.wild.cf_complication")
@pytest.mark.parametrize("when", ["now", "later"])
def test_a_complication_is_told_or_held_back(when: str) -> None:
    session = begin(HERO, FOE, options={"wild.critical_failure": "complication"})
    answer(session, "1", "slash:b:short_sword", [1, 1, 1, 1], when)
    told = last(session, "Complicated")
    assert (told.severity, told.deferred) == ("moderate", when == "later")
    assert len(session.scene.system_state.complications) == (when == "later")


@pytest.mark.rule("opend6.wild.cf_complication")
@pytest.mark.parametrize("minds", ["never", "always"])
@pytest.mark.parametrize(
    ("faces", "severity"),
    [([1, 3, 3, 4], "serious"), ([1, 3, 4, 4], "moderate"), ([1, 5, 5, 5], "moderate"), ([1, 6, 5, 5], "minor")],
)
def test_result_points_set_the_severity_of_a_complication(faces: list[int], severity: str, minds: str) -> None:
    options = {"wild.critical_failure": "complication", "points.asked": "always" if minds == "always" else "on_request"}
    session = begin(person(fate_points=int(minds == "always")), FOE, options=options)
    answer(session, "1", "called_shot:b:short_sword/called", "5cm")  # 17 to hit
    if minds == "always":
        answer(session, "nothing")
    answer(session, faces)
    while "now" not in (session.question.ids if isinstance(session.question, Choice) else ()):
        answer(session, asked(session)[0]) if isinstance(session.question, Choice) else session.roll()
    answer(session, "now")
    assert last(session, "Complicated").severity == severity


@pytest.mark.rule("opend6.wild.cf_complication")
def test_every_roll_of_a_fight_may_bring_a_complication() -> None:
    hero = person(skills={"acrobatics": "4D", "running": "4D"})
    session = begin(hero, FOE, options={"wild.critical_failure": "complication"})
    answer(session, "4", "use_skill::acrobatics", "nobody", "total", [1], "later")
    assert (last(session, "Complicated").severity, last(session, "Checked").result) == ("", "1")
    answer(session, "dodge", [1], "now", "glance")
    assert session.scene.system_state.complications == ("a: of unknown weight",)
    escaping = begin(hero, FOE, options={"wild.critical_failure": "complication"})
    answer(escaping, "1", "run_away", [1, 2, 2, 2], "now")  # 7 against 6: away, but
    assert last(escaping, "Complicated").severity == "minor"


@pytest.mark.rule("opend6.wild.critical_failure")
def test_the_game_master_is_asked_about_a_critical_failure() -> None:
    session = begin(HERO, FOE, options={"wild.critical_failure": "ask"})
    answer(session, "1", "slash:b:short_sword", [1, 6, 6, 6])
    assert (session.seat, asked(session)) == ("game master", ("cancel", "complication"))


@pytest.mark.rule("opend6.fate.climactic", "opend6.fate.climax_repeat")
def test_a_fate_point_for_the_whole_round() -> None:
    session = begin(person(fate_points=2), FOE)
    answer(session, "2", "burn_fate", "dodge", [3] * 7, "communicate")  # twice 4D, less one for two actions
    assert (session.scene["a"].status.fate_points, session.scene["a"].status.defence.total) == (1, 21)
    answer(session, "1", "stop", "1")
    assert not session.scene["a"].status.climactic
    assert "burn_fate" not in asked(session)  # once a session


@pytest.mark.rule("opend6.gap.ability.fast_reactions")
def test_fast_reactions_give_an_action_without_penalty() -> None:
    session = begin(person(abilities=[{"id": "fast_reactions"}]), FOE)
    answer(session, "1", "fast_reactions", "slash:b:short_sword", MISS)  # all four dice
    assert session.scene["a"].status.fast_reactions_used == 1
    answer(session, "slash:b:short_sword", MISS)
    assert (session.seat, session.scene["a"].status.declared) == ("b", 2)


@pytest.mark.rule("opend6.turn.declare_count")
@pytest.mark.parametrize(("code", "most"), [("4D", 12), ("9D", 12), ("14D+2", 15)])
def test_more_actions_may_be_declared_than_there_are_dice(code: str, most: int) -> None:
    session = begin(person(skills={"fighting": code}), FOE)
    assert asked(session) == tuple([str(number) for number in range(1, most + 1)])
    answer(session, str(most))
    assert session.scene["a"].status.left == most
    assert {"communicate", "wait"} <= set(asked(session))  # neither takes a die
    assert not [name for name in asked(session) if name.startswith(("punch", "dodge"))]


@pytest.mark.rule("opend6.cp.timing", "opend6.initiative.points")
def test_character_points_go_on_initiative_before_and_after_the_roll() -> None:
    options = {"initiative.method": "roll_each_round", "points.asked": "always"}
    session = begin(person(character_points=4), FOE, options=options)
    answer(session, "1", [2, 2, 2, 5], "yes", [6, 3], "no")
    status = session.scene["a"].status
    assert (status.initiative, status.character_points) == (2 + 2 + 2 + 5 + 6 + 3, 2)


@pytest.mark.rule("opend6.map.penalty", "opend6.gap.wound.incapacitated")
@pytest.mark.parametrize(("declared", "dice"), [("1", 3), ("2", 2), ("3", 1)])
def test_several_actions_take_dice_from_the_roll_to_stay_awake(declared: str, dice: int) -> None:
    strong = person(FOE, skills={"melee_combat": "6D"})
    session = begin(person(attributes={"acumen": "5D"}), strong)
    answer(session, declared, "communicate")
    while session.seat == "a":
        answer(session, "communicate" if "communicate" in asked(session) else "stop")
    answer(session, "1", "slash:a:short_sword", [2] * 6, [4, 4, 4], [2, 2, 2])
    assert level(session.scene, "a") == "incapacitated"
    assert isinstance(session.question, Roll)
    assert str(session.question.dice).startswith(f"{dice}D")


@pytest.mark.rule("opend6.map.penalty", "opend6.map.zero_rule", "opend6.gap.wound.incapacitated")
def test_nobody_stays_awake_without_a_die_left() -> None:
    strong = person(FOE, skills={"melee_combat": "6D"})
    session = begin(HERO, strong, FOE)
    answer(session, "4", "communicate", "stop", "1", "slash:a:short_sword", [2] * 6, [4, 4, 4], [2, 2, 2])
    assert session.scene["a"].status.wounds.unconscious


@pytest.mark.rule("opend6.initiative.roll", "opend6.gap.wound.penalties")
@pytest.mark.parametrize(("hurt", "dice"), [(1, 2), (2, 1)])
def test_a_group_rolls_like_the_one_in_the_middle_of_it(hurt: int, dice: int) -> None:
    wounded = person(FOE, wounds={"level": "wounded"})
    band = [*[wounded] * hurt, *[FOE] * (3 - hurt)]
    seats = {one: {"seat": "band"} for one in "bcd"}
    session = begin(HERO, *band, options={"initiative.method": "roll_each_round"}, places=seats)
    answer(session, [3, 3, 3])
    assert isinstance(session.question, Roll)
    assert str(session.question.dice).startswith(f"{dice}D")


@pytest.mark.rule("opend6.simplify.quick", "opend6.map.zero_rule")
def test_nobody_is_asked_for_dice_where_none_are_thrown() -> None:
    session = begin(HERO, FOE, options={"dice.simplification": "quick"})
    answer(session, "1", "slash:b:short_sword")  # 16 against 5; 3 times 4, two and three more, against 9
    assert level(session.scene, "b") == "wounded"
    weak = person(attributes={"agility": "1D"}, skills={"melee_combat": "1D+2"})
    pips = begin(weak, FOE, options={"dice.zero_rule": "exactly_zero"})
    answer(pips, "2", "slash:b:short_sword")  # 2 against 5
    assert not last(pips, "Struck").hit


@pytest.mark.rule("opend6.simplify.quick")
def test_the_game_masters_side_is_converted_and_heroes_roll() -> None:
    options = {"dice.simplification": "quick", "dice.quick_for": "game_master"}
    session = begin(HERO, FOE, options=options)
    answer(session, "1", "slash:b:short_sword", [3, 3, 3, 3], [4, 4, 4])  # 12, 2 and 2 more, against 9
    assert level(session.scene, "b") == "wounded"
    answer(session, "1", "slash:a:short_sword", [4, 4, 3])  # 3D are left: 9 hits; 9, 2 and 1 more
    assert last(session, "Struck").hit
    assert level(session.scene, "a") == "stunned"


@pytest.mark.rule("opend6.simplify.quick")
def test_heroes_are_converted_and_the_game_masters_side_rolls() -> None:
    options = {"dice.simplification": "quick", "dice.quick_for": "players"}
    session = begin(HERO, FOE, options=options)
    answer(session, "1", "slash:b:short_sword", [4, 5, 4])  # 16 hits; 12, 2 and 3 more
    assert level(session.scene, "b") == "wounded"
    answer(session, "1", "slash:a:short_sword", [5, 5, 5], [4, 4, 3])  # a hero's resistance of 3D counts 12
    assert last(session, "Struck").hit
    assert level(session.scene, "a") == "stunned"
