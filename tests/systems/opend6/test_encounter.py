"""Fights: order and surprise, rounds, declared actions, complications, the options of a table, groups."""

from __future__ import annotations

from typing import Any

import pytest

from systems.opend6.fights import FOE, HERO, HIT, MISS, begin, meeting, person, plan, pool
from systems.playing import answer, asked, events, last
from tablewright.engine import Choice, Roll
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import OrderSet
from tablewright.game.session.session import Session
from tablewright.systems.opend6.encounter import factors, first_mover, initiative_bonus
from tablewright.systems.opend6.status import level

# ---------------------------------------------------------------------- order


@pytest.mark.rule("opend6.initiative.no_roll", "opend6.initiative.ties")
def test_order_without_rolling_compares_factor_by_factor() -> None:
    session = begin(person(FOE, skills={"search": "4D"}), person(), person(FOE, skills={"dodge": "6D"}))
    assert session.scene.order == ("b", "a", "c")  # Acumen 3D first, then search, before dodge
    assert factors(session.scene, "b")[:2] == (0, 9)
    first = begin(FOE, person(FOE, abilities=[{"id": "goes_first"}]))
    assert first.scene.order[0] == "b"  # an ability comes before all codes


LOTS = {"initiative.final_tie": "random"}


@pytest.mark.rule("opend6.initiative.ties")
def test_equal_in_everything_players_go_first_or_lots_are_drawn() -> None:
    both = person(kind="creature", name="Twin"), person()
    assert begin(*both).scene.order == ("b", "a")
    drawn = begin(*both, options=LOTS)
    drawn.type_in([2])  # the second of the two is drawn
    assert drawn.scene.order == ("b", "a")


@pytest.mark.rule("opend6.initiative.ties")
def test_a_hidden_participant_takes_no_part_in_a_draw_by_lot() -> None:
    """Two of one kind drew lots if another kind hid among them, so that everyone could tell."""
    twin = person(kind="creature", name="Twin")
    people = (person(skills={"search": "6D"}), twin, twin, person(kind="creature", name="Lurker"))
    session = begin(*people, options=LOTS, places={"d": {"hidden": True}})
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


@pytest.mark.rule("opend6.initiative.roll", "opend6.initiative.method", "opend6.initiative.first_action")
def test_rolled_initiative_every_round_or_once_or_never() -> None:
    session = answer(begin(HERO, FOE, options={"initiative.method": "roll_each_round"}), [2, 2, 2], [5, 5])
    assert session.scene.order == ("b", "a")
    answer(session, "1", "stop", "1", "stop", [4, 4, 4], [2, 3])
    assert (session.scene.round, session.scene.order) == (2, ("a", "b"))
    once = begin(HERO, FOE, options={"initiative.method": "roll_once_per_scene"})
    answer(once, [2, 2, 2], [5, 5], "1", "stop", "1", "stop")
    assert (once.scene.round, once.scene.order, asked(once)[0]) == (2, ("b", "a"), "1")
    first = begin(HERO, FOE, options={"initiative.method": "first_action"}, start={"first": "b"})
    assert first.scene.order == ("b", "a")
    assert answer(first, "1", "stop", "1", "stop").scene.order == ("b", "a")
    hidden = meeting(HERO, FOE, places={"a": {"hidden": True}})
    assert first_mover(hidden.scene) == "b"


@pytest.mark.rule("opend6.initiative.bonus")
@pytest.mark.parametrize(("value", "bonus"), [("off", 0), ("cumulative", 3), ("best_only", 2)])
def test_the_optional_bonus(value: str, bonus: int) -> None:
    ability = {"id": "skill_bonus", "ranks": 6, "skills": ["search"]}
    quick = person(attributes={"agility": "4D"}, skills={"search": "5D"}, abilities=[ability])
    scene = meeting(quick, FOE, options={"initiative.bonus": value}).scene
    assert [initiative_bonus(scene, who) for who in "ab"] == [bonus, 0]  # one for each 4D of Agility


@pytest.mark.rule("opend6.initiative.not_an_action", "opend6.map.exempt_rolls")
def test_initiative_damage_and_resistance_take_no_penalty() -> None:
    session = begin(HERO, FOE, options={"initiative.method": "roll_each_round"})
    answer(session, [4, 4, 4], [2, 2], "3", "slash:b:short_sword", [6, 4, 5], [3, 3, 3], [3, 3, 3])
    struck = last(session, "Struck")
    assert struck.hit  # the attack had 2D of 4D, damage 3D+2 and resistance 3D all of theirs
    assert session.scene["a"].status.taken == 1


@pytest.mark.rule("opend6.gap.attack.surprise")
def test_surprise_takes_the_first_turn_or_gives_a_die() -> None:
    assert begin(HERO, FOE, surprise=["a"]).scene.order == ("b", "a")
    bonus = begin(HERO, FOE, surprise=["b"], options={"attack.surprise": "bonus_die"})
    assert plan(bonus, "short_sword").throw.bonus.dice == 1
    assert not begin(person(abilities=[{"id": "combat_sense"}]), FOE, surprise=["a"]).scene["a"].status.surprised


@pytest.mark.rule("opend6.gap.attack.surprise")
@pytest.mark.parametrize("method", ["no_roll", "first_action", "roll_once_per_scene"])
def test_a_character_who_surprises_others_goes_first_in_the_first_round_only(method: str) -> None:
    quick = person(attributes={"acumen": "5D"})
    start = {"start": {"first": "a"}} if method == "first_action" else {}
    session = begin(quick, FOE, options={"initiative.method": method}, surprise=["a"], **start)
    if method == "roll_once_per_scene":
        answer(session, [3, 3, 3, 3, 3], [3, 3])
    assert session.scene.order == ("b", "a")
    for _ in range(2):
        assert answer(session, "1", "stop", "1", "stop").scene.order == ("a", "b")


@pytest.mark.rule("opend6.gap.attack.surprise", "opend6.initiative.ties")
def test_the_order_after_a_surprise_takes_no_new_lots() -> None:
    twin = person(HERO, name="Twin")
    session = begin(HERO, twin, twin, surprise=["a"], options=LOTS)
    while not isinstance(session.question, Choice):
        session.roll()
    order = session.scene.order
    assert order[-1] == "a"
    answer(session, "1", "stop", "1", "stop", "1", "stop")
    assert isinstance(session.question, Choice)
    assert (session.scene.round, session.scene.order) == (2, order)
    told = answer(begin(HERO, FOE, surprise=["b"], options={"attack.surprise": "bonus_die"}), "1", "stop", "1", "stop")
    assert len([line for line in told.log if isinstance(line, OrderSet)]) == 1


# ---------------------------------------------------------------------- turns


@pytest.mark.rule("opend6.time.round", "opend6.time.sequential")
def test_rounds_of_five_seconds_one_after_the_other() -> None:
    session = begin(HERO, FOE)
    for who in "ab":
        assert session.seat == who
        answer(session, "1", "stop")
    assert (session.scene.round, session.scene.clock.now) == (2, 5)


@pytest.mark.rule("opend6.turn.declare_count", "opend6.turn.no_extra_no_carry")
def test_no_actions_are_added_and_none_is_carried_over() -> None:
    session = answer(begin(HERO, FOE), "2", "slash:b:short_sword", [2, 1, 1])
    assert session.scene["a"].status.left == 1
    answer(session, "stop", "1", "stop")
    assert (session.scene.round, session.scene["a"].status.declared) == (2, 0)
    answer(session, "1", "slash:b:short_sword", MISS)
    with pytest.raises(IllegalActionError, match="no_extra_no_carry"):
        session.rulebook.actions.check(session.scene, "a", ActionUse("slash", "b", "short_sword"))


@pytest.mark.rule("opend6.initiative.disabled_loses_action")
def test_a_character_who_cannot_act_loses_the_turn() -> None:
    session = answer(begin(HERO, FOE, FOE), "1", "slash:b:short_sword", HIT, [6, 6, 5, 6, 6], [2, 1, 1])
    assert level(session.scene, "b") == "dead"
    assert session.seat == "c"


@pytest.mark.rule("opend6.initiative.disabled_loses_action")
@pytest.mark.parametrize("method", ["no_roll", "first_action", "roll_once_per_scene", "roll_each_round"])
def test_fallen_characters_have_no_place_in_the_order(method: str) -> None:
    dead = person(FOE, wounds={"level": "dead"})
    session = begin(HERO, dead, FOE, options={"initiative.method": method})
    orders = []
    for number in (1, 2):
        while not isinstance(session.question, Choice):
            session.roll()
        orders.append([line.order for line in events(session, "OrderSet")])
        assert (session.scene.round, set(session.scene.order)) == (number, {"a", "c"})
        answer(session, "1", "stop", "1", "stop")
    assert len(orders[1]) == len(orders[0]) + (method == "roll_each_round")
    assert all("b" not in order for order in orders[1])


# ---------------------------------------------------------------------- options in every value


COMPLICATION = {"wild.critical_failure": "complication"}


@pytest.mark.rule("opend6.wild.cf_complication")
@pytest.mark.parametrize("when", ["now", "later"])
def test_a_complication_is_told_or_held_back(when: str) -> None:
    session = answer(begin(HERO, FOE, options=COMPLICATION), "1", "slash:b:short_sword", [1, 1, 1, 1], when)
    told = last(session, "Complicated")
    assert (told.severity, told.deferred) == ("moderate", when == "later")
    assert len(session.scene.system_state.complications) == (when == "later")


@pytest.mark.rule("opend6.wild.cf_complication")
@pytest.mark.parametrize("minds", ["on_request", "always"])
@pytest.mark.parametrize(
    ("faces", "severity"),
    [([1, 3, 3, 4], "serious"), ([1, 3, 4, 4], "moderate"), ([1, 5, 5, 5], "moderate"), ([1, 6, 5, 5], "minor")],
)
def test_result_points_set_the_severity_of_a_complication(faces: list[int], severity: str, minds: str) -> None:
    session = begin(person(fate_points=int(minds == "always")), FOE, options=COMPLICATION | {"points.asked": minds})
    answer(session, "1", "called_shot:b:short_sword/called", "5cm")  # 17 to hit
    answer(session, *(["nothing"] if minds == "always" else []), faces)
    while not (isinstance(session.question, Choice) and "now" in asked(session)):
        answer(session, asked(session)[0]) if isinstance(session.question, Choice) else session.roll()
    answer(session, "now")
    assert last(session, "Complicated").severity == severity


@pytest.mark.rule("opend6.wild.cf_complication", "opend6.wild.critical_failure")
def test_every_roll_of_a_fight_may_bring_a_complication() -> None:
    hero = person(skills={"acrobatics": "4D", "running": "4D"})
    session = begin(hero, FOE, options=COMPLICATION)
    answer(session, "4", "use_skill::acrobatics", "nobody", "total", [1], "later")
    assert (last(session, "Complicated").severity, last(session, "Checked").result) == ("", "1")
    answer(session, "dodge", [1], "now", "glance")
    assert session.scene.system_state.complications == ("a: of unknown weight",)
    escaping = answer(begin(hero, FOE, options=COMPLICATION), "1", "run_away", [1, 2, 2, 2], "now")
    assert last(escaping, "Complicated").severity == "minor"  # 7 against 6: away, but
    asking = begin(HERO, FOE, options={"wild.critical_failure": "ask"})
    answer(asking, "1", "slash:b:short_sword", [1, 6, 6, 6])
    assert (asking.seat, asked(asking)) == ("game master", ("cancel", "complication"))


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


@pytest.mark.rule("opend6.initiative.roll", "opend6.gap.wound.penalties")
@pytest.mark.parametrize(("hurt", "dice"), [(1, "2D"), (2, "1D")])
def test_a_group_rolls_like_the_one_in_the_middle_of_it(hurt: int, dice: str) -> None:
    wounded = person(FOE, wounds={"level": "wounded"})
    seats = {one: {"seat": "band"} for one in "bcd"}
    options = {"initiative.method": "roll_each_round"}
    session = begin(HERO, *[wounded] * hurt, *[FOE] * (3 - hurt), options=options, places=seats)
    assert pool(answer(session, [3, 3, 3])) == dice


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
@pytest.mark.parametrize(
    ("quick_for", "mine", "theirs"),
    [
        # 12 hits, 2 and 2 more against 9; with a die less 9 hits, 9 and 2 and 1 more
        ("game_master", ([3, 3, 3, 3], [4, 4, 4]), ([4, 4, 3],)),
        # 16 hits, 12 and 2 and 3 more; a hero's resistance of 3D counts 12
        ("players", ([4, 5, 4],), ([5, 5, 5], [4, 4, 3])),
    ],
)
def test_one_side_is_converted_and_the_other_rolls(
    quick_for: str, mine: tuple[list[int], ...], theirs: tuple[list[int], ...]
) -> None:
    session = begin(HERO, FOE, options={"dice.simplification": "quick", "dice.quick_for": quick_for})
    answer(session, "1", "slash:b:short_sword", *mine)
    assert level(session.scene, "b") == "wounded"
    answer(session, "1", "slash:a:short_sword", *theirs)
    assert last(session, "Struck").hit
    assert level(session.scene, "a") == "stunned"


# ---------------------------------------------------------------------- groups that attack together


def pack(*heroes: dict[str, Any], second: dict[str, Any] = FOE, **more: Any) -> Session:
    """A foe and another, usually of its kind, against others; the first to act has declared an action."""
    sides = {"c": {"side": "a", "seat": "a"}, "b": {"side": "b"}, "d": {"side": "b"}}
    session = begin(FOE, heroes[0], second, *heroes[1:], places=sides, **more)
    while session.scene.turn not in ("a", "c"):
        answer(session, "1", "stop")
    answer(session, "1")
    return session


SLOW = person(attributes={"acumen": "1D"})
DYING = person(FOE, wounds={"level": "mortally_wounded", "unconscious": 9})


@pytest.mark.rule("opend6.group.single_roll")
def test_a_group_attacks_with_one_roll_and_one_damage_roll() -> None:
    session = pack(SLOW, SLOW)
    session.do("opend6.group_attack", who=["a", "c"], targets=["b", "d"])
    answer(session, [3, 3, 3, 3], [4, 4, 4], [3, 3, 3], [6, 5, 5, 5])  # 12 hits both; 14 and 2 more; 9, and 21
    told = [(line.by, line.who, line.hit, line.level) for line in events(session, "Struck")]
    assert told == [("a", "b", True, "wounded"), ("c", "d", True, "healthy")]
    assert (session.scene["a"].status.left, session.scene["c"].status.left) == (0, 0)
    assert "c" in session.scene.acted, "whoever attacked with the group has had the turn"


@pytest.mark.rule("opend6.group.single_roll")
@pytest.mark.parametrize(
    ("given", "second", "options", "refusal"),
    [
        ({"targets": ["b", "d", "b"]}, FOE, {}, "2 attack, and there are 3 targets"),
        ({"who": ["a"]}, FOE, {}, "at least two members"),
        ({"who": ["a", "d"]}, FOE, {}, "does not belong to a group"),
        ({}, DYING, {}, "cannot act any more"),
        ({}, HERO, {}, "does not belong to a group"),
        ({"targets": ["c", "d"]}, FOE, {}, "is not a target"),
        ({"weapon": "mace"}, FOE, {}, "has no mace ready, but Short sword"),
        ({}, FOE, {"group.single_roll": False}, "groups do not roll together"),
    ],
)
def test_each_of_a_group_needs_a_target_and_an_action(
    given: dict[str, Any], second: dict[str, Any], options: dict[str, Any], refusal: str
) -> None:
    session = pack(SLOW, SLOW, second=second, options=options)
    with pytest.raises((InvalidInputError, IllegalActionError), match=refusal):
        session.do("opend6.group_attack", **({"who": ["a", "c"], "targets": ["b"]} | given))
