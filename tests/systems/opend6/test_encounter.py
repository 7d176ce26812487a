"""Fights as they are played: order, declared actions, waiting, every kind of action, and what it does to people."""

from __future__ import annotations

from typing import Any

import pytest

from systems.opend6.fights import FOE, HERO, answer, begin, last, meeting, person
from tablewright.engine import Choose
from tablewright.errors import RulesSayNo
from tablewright.game.actions import Use
from tablewright.game.ledger import Ledger
from tablewright.game.session import Session
from tablewright.systems.opend6 import system
from tablewright.systems.opend6.aiming import COVER, SIZES, Manner, arm_of, band, difficulty, planned
from tablewright.systems.opend6.encounter import factors, initiative_bonus
from tablewright.systems.opend6.status import level

LEDGER = Ledger.load("opend6")
BOW = [{"item": "short_bow", "place": "hands"}, {"item": "arrow", "count": 5, "place": "pack"}]
MISS = [1, 1, 1, 1]
HIT = [5, 5, 5, 5]


def asked(session: Session) -> tuple[str, ...]:
    question = session.question
    assert isinstance(question, Choose)
    return question.ids


def needed(session: Session, detail: str, who: str = "a", target: str = "b") -> int:
    manner = Manner.parse(detail)
    arm = arm_of(session.scene, who, manner.weapon)
    assert arm is not None
    return difficulty(session.scene, who, target, arm.weapon, manner).tally.total


def ruled(session: Session, who: str, field: str, value: str) -> None:
    session.do("table.rule", who=who, field=field, value=value, reason="for the test")


def fact(session: Session, who: str, what: str, value: str, other: str | None = None) -> None:
    session.do("table.set_fact", who=who, fact=what, value=value, **({"other": other} if other else {}))


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
def test_who_acts_first_stays_first() -> None:
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
    assert planned(bonus.scene, "a", "b", arm.weapon, Manner("short_sword")).bonus.total == 1
    sensed = begin(person(abilities=[{"id": "combat_sense"}]), FOE, surprise=["a"])
    assert not sensed.scene["a"].status.surprised


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
    with pytest.raises(RulesSayNo, match="no_extra_no_carry"):
        session.book.actions.check(session.scene, "a", Use("slash", "b", "short_sword"))


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
def test_whoever_has_waited_dodges_between_roll_and_result() -> None:
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
    with pytest.raises(RulesSayNo, match="move_up"):
        session.do("opend6.move_up", who="b")


@pytest.mark.rule("opend6.initiative.disabled_loses_action")
def test_whoever_cannot_act_loses_the_turn() -> None:
    session = begin(HERO, FOE, FOE)
    answer(session, "1", "slash:b:short_sword", HIT, [6, 6, 5, 6, 6], [2, 1, 1])
    assert level(session.scene, "b") == "dead"
    assert session.seat == "c"


# ---------------------------------------------------------------------- difficulties


@pytest.mark.rule("opend6.gap.range.bands")
@pytest.mark.parametrize(
    ("metres", "expected", "more"),
    [
        (3, "point_blank", -5),
        (4, "short", 0),
        (10, "short", 0),
        (11, "medium", 5),
        (100, "medium", 5),
        (101, "long", 10),
        (250, "long", 10),
        (251, None, None),
    ],
)
def test_ranges(metres: int, expected: str | None, more: int | None) -> None:
    session = begin(
        person(belongings=BOW),
        FOE,
        ground={"kind": "grid", "size": [300, 2]},
        places={"a": {"position": "0,0"}, "b": {"position": f"{metres},0"}},
    )
    arm = arm_of(session.scene, "a", "short_bow")
    assert arm is not None
    assert band(session.scene, "a", "b", arm.weapon) == expected
    if more is not None:
        assert needed(session, "short_bow") == 10 + more
    sword = arm_of(session.scene, "b", "short_sword")
    assert sword is not None
    assert (band(session.scene, "b", "a", sword.weapon) is None) == (metres > 3)


@pytest.mark.rule("opend6.gap.range.physique")
def test_ranges_by_strength() -> None:
    rocks = person(belongings=[{"item": "rock", "place": "hand", "count": 2}])
    session = begin(
        rocks,
        FOE,
        ground={"kind": "grid", "size": [30, 2]},
        places={"a": {"position": "0,0"}, "b": {"position": "12,0"}},
    )
    arm = arm_of(session.scene, "a", "rock")
    assert arm is not None
    assert band(session.scene, "a", "b", arm.weapon) == "long"  # 4 x 3D = 12: short 10, medium 11, long 12


@pytest.mark.rule("opend6.gap.cover.list")
@pytest.mark.parametrize("word", [*COVER, "hidden_100"])
def test_cover(word: str) -> None:
    session = begin(HERO, FOE)
    before = needed(session, "short_sword")
    fact(session, "b", "cover", word)
    if word == "hidden_100":
        answer(session, "1")
        with pytest.raises(RulesSayNo, match="cover"):
            session.book.actions.check(session.scene, "a", Use("slash", "b", "short_sword"))
    else:
        assert needed(session, "short_sword") - before == LEDGER["opend6.gap.cover.list"].data[word]


@pytest.mark.rule("opend6.gap.attack.circumstances", "opend6.gap.attack.least")
def test_other_circumstances() -> None:
    data = LEDGER["opend6.gap.attack.circumstances"].data
    session = begin(HERO, FOE)
    assert needed(session, "short_sword") == 5
    ruled(session, "b", "posture", "crouched")
    assert needed(session, "short_sword") == 5 + data["crouched"]
    ruled(session, "b", "posture", "prone")
    assert needed(session, "short_sword") == 3  # 5 - 6, but never below 3
    ruled(session, "b", "posture", "standing")
    fact(session, "a", "blinded", "true")
    assert needed(session, "short_sword") == 5 + data["attacker_blinded"]
    fact(session, "a", "from_behind", "true", "b")
    assert needed(session, "short_sword") == 5
    club = begin(person(belongings=[{"item": "broken_bottle", "place": "hand"}]), FOE)
    assert needed(club, "broken_bottle") == 5 + data["improvised"]


@pytest.mark.rule("opend6.gap.attack.unwieldy")
def test_unwieldy_weapons() -> None:
    sword = person(belongings=[{"item": "long_sword", "place": "hand"}])
    assert needed(begin(sword, FOE), "long_sword") == 10
    assert needed(begin(sword, FOE, options={"attack.unwieldy": False}), "long_sword") == 5


@pytest.mark.rule("opend6.gap.attack.called_shot")
@pytest.mark.parametrize("size", list(SIZES))
def test_called_shots(size: str) -> None:
    session = begin(HERO, FOE)
    harder = LEDGER["opend6.gap.attack.called_shot"].data["difficulty"][size]
    assert needed(session, f"short_sword/called/{size}") == 5 + harder
    arm = arm_of(session.scene, "a", "short_sword")
    assert arm is not None
    dice = planned(session.scene, "a", "b", arm.weapon, Manner("short_sword", "called", size)).added.dice
    assert dice == 1 + (harder > 0)


@pytest.mark.rule("opend6.gap.attack.hit_location")
@pytest.mark.parametrize("place", ["head", "heart", "arm", "leg", "hand"])
def test_parts_of_the_body(place: str) -> None:
    session = begin(HERO, FOE, options={"attack.hit_locations": True})
    harder, damage = LEDGER["opend6.gap.attack.hit_location"].data["locations"][place]
    arm = arm_of(session.scene, "a", "short_sword")
    assert arm is not None
    plan = planned(session.scene, "a", "b", arm.weapon, Manner("short_sword", "called", place))
    assert (plan.difficulty.tally.total, plan.damage_plain) == (5 + harder, damage)
    assert plan.fifth == (place in ("head", "heart"))


@pytest.mark.rule("opend6.gap.attack.scale")
def test_scale() -> None:
    session = begin(person(scale=6), person(FOE, scale=3))
    assert needed(session, "short_sword") == 5 + 3
    arm = arm_of(session.scene, "b", "short_sword")
    assert arm is not None
    plan = planned(session.scene, "b", "a", arm.weapon, Manner("short_sword"))
    assert (plan.plain, plan.resistance_bonus, plan.difficulty.tally.total) == (3, 3, 5)


@pytest.mark.rule("opend6.gap.manoeuvre.list")
@pytest.mark.parametrize("name", list(LEDGER["opend6.gap.manoeuvre.list"].data))
def test_manoeuvres(name: str) -> None:
    session = begin(HERO, FOE)
    row = LEDGER["opend6.gap.manoeuvre.list"].data[name]
    weapon = "short_sword" if name in ("all_out", "sweep", "lunge") else "unarmed"
    assert needed(session, f"{weapon}/{name}") == max(3, 5 + row["difficulty"])
    arm = arm_of(session.scene, "a", weapon)
    assert arm is not None
    if "dice" in row:
        plain = planned(session.scene, "a", "b", arm.weapon, Manner(weapon))
        assert (
            planned(session.scene, "a", "b", arm.weapon, Manner(weapon, name)).added.dice - plain.added.dice
            == row["dice"]
        )


# ---------------------------------------------------------------------- defence


@pytest.mark.rule("opend6.gap.defence.partial", "opend6.gap.defence.full", "opend6.gap.defence.skills")
@pytest.mark.parametrize(
    ("use", "skill"), [("dodge", "dodge"), ("parry::short_sword", "melee_combat"), ("block", "fighting")]
)
def test_active_defence(use: str, skill: str) -> None:
    session = begin(HERO, FOE)
    answer(session, "1", use, [2, 2, 2, 2])
    assert session.scene["a"].status.defence[:3] == (8, skill, False)  # it counts even below 10
    answer(session, "1")
    assert needed(session, "short_sword", "b", "a") == 3
    full = begin(HERO, FOE)
    answer(full, "1", f"full_{use}", [2, 2, 2, 2])
    assert full.scene["a"].status.defence.total == 18
    several = begin(HERO, FOE)
    answer(several, "2")
    assert f"full_{use}" not in asked(several)
    bare = begin(person(belongings=[]), FOE)
    answer(bare, "1")
    assert not [name for name in asked(bare) if name.startswith("parry")]


@pytest.mark.rule("opend6.gap.defence.lasts")
def test_a_defence_lasts_until_the_next_turn() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "dodge", [4, 4, 4, 4], "1", "stop")
    assert session.scene["a"].status.defence is None


@pytest.mark.rule("opend6.gap.defence.bare_block")
def test_a_blade_blocked_barehanded_still_cuts() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "block", [5, 5, 5, 5], "1", "slash:a:short_sword", [2, 2, 2, 2], [5], [2, 2, 1])
    assert last(session, "Hurt").by == "short_sword"  # 1D+2 alone: 7 against 5
    assert level(session.scene, "a") == "stunned"


@pytest.mark.rule("opend6.gap.defence.blade_parry")
def test_a_bare_hand_that_meets_a_blade_is_cut() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "parry::short_sword", [5, 5, 5, 5], "1", "punch:a:unarmed", [2, 2, 2, 2], [5], [2, 2, 1])
    assert (last(session, "Hurt").who, level(session.scene, "b")) == ("b", "stunned")


@pytest.mark.rule("opend6.gap.defence.passive_bonus")
def test_bonus_on_the_passive_defence() -> None:
    nimble = person(FOE, skills={"dodge": "6D+1"})
    assert needed(begin(HERO, nimble), "short_sword") == 5
    assert needed(begin(HERO, nimble, options={"defence.passive_bonus": True}), "short_sword") == 7


@pytest.mark.rule("opend6.gap.defence.free_partial")
def test_the_game_master_may_grant_a_dodge() -> None:
    session = begin(HERO, FOE, options={"defence.free_partial": "ask"})
    answer(session, "1", "slash:b:short_sword")
    assert session.seat == "game master"
    answer(session, "yes", [4, 4, 4, 4])
    assert (session.scene["b"].status.defence.total, session.scene["b"].status.declared) == (16, 0)


# ---------------------------------------------------------------------- what manoeuvres do


@pytest.mark.rule("opend6.action.grab", "opend6.gap.manoeuvre.escape")
def test_a_grab_holds_an_arm_until_it_is_broken() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "grab:b:unarmed/hold", HIT, [3, 3, 3])
    assert session.scene["b"].status.grip == ("a", "held", "arm")
    answer(session, "2")
    offered = asked(session)
    assert "escape:a" in offered
    assert "kick:a:unarmed" in offered
    assert "slash:a:short_sword" not in offered
    answer(session, "escape:a", [3, 2])  # 2D of 3D against 2 x 3D: 5 is not enough
    assert session.scene["b"].status.grip is not None
    answer(session, "escape:a", [3, 3])
    assert session.scene["b"].status.grip is None


@pytest.mark.rule("opend6.opposed.action_cost")
def test_a_holder_who_has_waited_opposes_and_pays_an_action() -> None:
    session = begin(HERO, FOE)
    answer(session, "3", "grab:b:unarmed/hold", [6, 4, 6], [3, 3, 3], "wait")
    assert session.scene["a"].status.left == 1
    answer(session, "1", "escape:a", [3, 3, 3], [4])  # 1D of 3D
    assert (session.scene["a"].status.left, session.scene["b"].status.grip) == (0, None)


@pytest.mark.rule("opend6.action.tackle", "opend6.gap.manoeuvre.holding")
def test_a_tackled_one_may_only_speak_or_escape_and_is_hurt_each_round() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "tackle:b:unarmed/tackle", HIT, [2, 2], [2, 2, 2], "1")
    actions = {name.partition(":")[0] for name in asked(session)}
    assert actions <= {"escape", "speak", "glance", "communicate", "yield", "stop"}
    answer(session, "stop", [6, 3, 4], [2, 2, 1])  # Strength Damage 2D at the holder's turn
    assert level(session.scene, "b") == "wounded"


@pytest.mark.rule("opend6.action.pin")
def test_a_pinned_part_cannot_be_used() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "pin_part:b:short_sword/pin_part", "25cm", HIT, [3, 3, 3], "2")
    assert "slash:a:short_sword" not in asked(session)
    answer(session, "escape", [5, 5])  # Physique 2D of 3D against 10
    assert session.scene["b"].status.grip is None


@pytest.mark.rule("opend6.action.disarm")
def test_disarm_knocks_the_weapon_away_unless_somebody_moves_up() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "disarm:b:short_sword/disarm", "25cm", HIT, [3, 3, 3], "no")
    assert (session.scene["b"].belongings, session.scene.lying[0].item) == ((), "short_sword")
    kept = begin(HERO, FOE)
    answer(kept, "1", "disarm:b:short_sword/disarm", "25cm", HIT, [3, 2, 2], "yes", [5, 5, 5])
    assert kept.scene["b"].belongings
    assert last(kept, "Declared").moved_up


@pytest.mark.rule("opend6.gap.manoeuvre.entangle")
def test_entangled_by_the_damage_total() -> None:
    session = begin(person(belongings=[{"item": "bullwhip", "place": "hand"}]), FOE)
    answer(session, "1", "entangle:b:bullwhip/entangle", HIT, [3, 2, 3])
    strength = session.scene["b"].status.tangled
    assert strength == 8 + 2  # and two for ten result points
    answer(session, "1", "escape::slip", [4, 3, 3])
    assert session.scene["b"].status.tangled == 0


@pytest.mark.rule("opend6.gap.manoeuvre.limits")
def test_the_stronger_are_neither_pushed_nor_tripped() -> None:
    session = begin(HERO, person(FOE, attributes={"physique": "3D+1"}))
    answer(session, "1")
    assert not [name for name in asked(session) if name.startswith(("push", "trip"))]


@pytest.mark.rule("opend6.gap.manoeuvre.list")
def test_a_trip_puts_somebody_on_the_ground() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "trip:b:unarmed/knockdown", HIT)
    assert (session.scene["b"].status.posture, session.scene["b"].status.unbalanced) == ("prone", 2)
    answer(session, "2", "stand_up")
    answer(session, "slash:a:short_sword", [4])  # 4D, less one for two actions and two for the trip
    assert session.scene["b"].status.unbalanced == 0


# ---------------------------------------------------------------------- weapons


@pytest.mark.rule("opend6.gap.weapon.reload", "opend6.action.ready_weapon")
def test_a_bow_is_readied_with_an_action_and_arrows_are_used_up() -> None:
    session = begin(person(belongings=BOW), FOE)
    answer(session, "3", "shoot:b:short_bow", [2, 1])
    assert "shoot:b:short_bow" not in asked(session)
    answer(session, "ready_weapon::short_bow", "shoot:b:short_bow", [2, 1])
    assert [one.count for one in session.scene["a"].belongings if one.item == "arrow"] == [3]


@pytest.mark.rule("opend6.map.equipment_limit", "opend6.gap.weapon.reload")
def test_crossbows_shoot_once_a_round() -> None:
    light = person(belongings=[{"item": "light_crossbow", "place": "hands"}, {"item": "bolt", "count": 5}])
    session = begin(light, FOE)
    answer(session, "3", "shoot:b:light_crossbow", [2, 1])
    assert "ready_weapon::light_crossbow" not in asked(session)
    heavy = person(belongings=[{"item": "heavy_crossbow", "place": "hands"}, {"item": "bolt", "count": 5}])
    other = begin(heavy, FOE)
    answer(other, "1", "shoot:b:heavy_crossbow", MISS, "1", "stop", "2")
    assert "ready_weapon::heavy_crossbow" not in asked(other)


@pytest.mark.rule("opend6.gap.attack.aiming")
def test_aiming_gives_a_die_a_round_and_takes_the_round() -> None:
    session = begin(person(belongings=BOW), FOE)
    answer(session, "1", "aim:b", "1", "stop", "1", "shoot:b:short_bow", [1, 1, 1, 1, 1])
    assert not last(session, "Struck").hit
    several = begin(person(belongings=BOW), FOE)
    answer(several, "2")
    assert "aim:b" not in asked(several)


# ---------------------------------------------------------------------- moving and free actions


def field(metres: int, **more: Any) -> Session:
    return begin(
        HERO,
        FOE,
        ground={"kind": "grid", "size": [60, 3]},
        places={"a": {"position": "0,1"}, "b": {"position": f"{metres},1"}},
        **more,
    )


@pytest.mark.rule("opend6.free.movement", "opend6.action.move", "opend6.gap.movement.free")
def test_half_the_move_is_free_and_more_an_action() -> None:
    session = field(30)
    answer(session, "1", "step:b")
    assert (str(session.scene["a"].position), session.scene["a"].status.left) == ("5,1", 1)
    assert not [name for name in asked(session) if name.startswith("step")]
    answer(session, "move:b")
    assert (str(session.scene["a"].position), session.scene["a"].status.left) == ("15,1", 0)
    always = field(30, options={"move.always_action": True})
    answer(always, "1")
    assert not [name for name in asked(always) if name.startswith("step")]


@pytest.mark.rule("opend6.gap.movement.running", "opend6.gap.movement.maximum")
def test_running_takes_a_roll() -> None:
    session = field(50)
    answer(session, "1", "run:b")
    assert asked(session) == ("2", "3", "4")
    answer(session, "4", [5, 5, 5])
    assert str(session.scene["a"].position) == "40,1"
    slow = field(50)
    answer(slow, "1", "run:b", "4", [4, 5, 5])
    assert str(slow.scene["a"].position) == "10,1"
    free = field(50, options={"move.maximum": False})
    answer(free, "1", "run:b")
    assert "5" in asked(free)


@pytest.mark.rule("opend6.gap.movement.terrain")
def test_rough_ground_takes_a_roll_and_a_metre_is_free() -> None:
    session = field(30)
    fact(session, "a", "terrain", "rough")
    answer(session, "1", "step:b")
    assert str(session.scene["a"].position) == "1,1"
    answer(session, "move:b", [3, 3, 3])  # 9 against 10: half the way
    assert str(session.scene["a"].position) == "6,1"


@pytest.mark.rule("opend6.gap.movement.jumping")
def test_leaping() -> None:
    session = field(30)
    answer(session, "1", "leap", "2", [5, 5, 5], "5,1")
    assert str(session.scene["a"].position) == "5,1"


@pytest.mark.rule("opend6.free.definition", "opend6.free.list", "opend6.action.communicate")
def test_a_few_words_are_free_and_a_plan_is_not() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "speak")
    assert session.scene["a"].status.left == 1
    answer(session, "glance", [3, 3, 3])
    assert session.scene["a"].status.left == 1
    answer(session, "communicate")
    assert session.scene["a"].status.left == 0


@pytest.mark.rule("opend6.action.catch")
def test_catching_what_was_thrown() -> None:
    session = begin(HERO, FOE)
    fact(session, "a", "thrown", "14")
    answer(session, "1")
    assert {"catch::14", "catch::5"} <= set(asked(session))
    answer(session, "catch::14", [4, 4, 3, 3])
    assert "catches it" in last(session, "Taken").on


@pytest.mark.rule("opend6.gap.encounter.fleeing", "opend6.gap.encounter.end")
def test_running_away_ends_the_fight() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "run_away", [2, 2, 1], "1", "stop", "1", "run_away", [2, 2, 2])
    assert session.scene.ended == "b win"


@pytest.mark.rule("opend6.action.list")
def test_every_action_of_the_list_can_be_taken() -> None:
    words = {
        "ready a weapon": "ready_weapon",
        "throw a weapon or object": "throw",
        "use a skill or ability": "use_skill",
        "waiting": "wait",
    }
    for row in LEDGER["opend6.action.list"].data["actions"]:
        name = words.get(row["name"].lower(), row["name"].lower().replace(" ", "_"))
        assert name in system.book.actions.by_id, row["name"]


# ---------------------------------------------------------------------- injuries


@pytest.mark.rule("opend6.gap.wound.penalties", "opend6.gap.wound.stunned")
def test_what_wounds_take() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "slash:b:short_sword", HIT, [3, 3, 3], [4, 4, 4])  # 11 + 3 against 12: stunned
    assert level(session.scene, "b") == "stunned"
    answer(session, "1", "slash:a:short_sword", [1, 2, 2], "1", "stop", "1", "slash:a:short_sword", [1, 2, 2])
    answer(session, "1", "stop", "1", "slash:a:short_sword", MISS)  # the die is back after the next round
    hurt = begin(person(wounds={"level": "severely_wounded"}), FOE)
    answer(hurt, "1", "slash:b:short_sword", [2, 1])
    only = begin(HERO, FOE, options={"injury.stunned": "defend_only"})
    answer(only, "1", "slash:b:short_sword", HIT, [3, 3, 3], [4, 4, 4], "1")
    assert not [name for name in asked(only) if name.startswith("slash")]
    assert "dodge" in asked(only)


@pytest.mark.rule("opend6.gap.wound.incapacitated")
def test_incapacitated_people_keep_going_or_fall() -> None:
    session = begin(HERO, FOE, FOE)
    answer(session, "1", "slash:b:short_sword", HIT, [5, 5, 5], [3, 4, 4], [5, 5, 5])  # 17 + 3 - 11 = 9; 15 is enough
    assert (level(session.scene, "b"), session.seat) == ("incapacitated", "b")
    other = begin(HERO, FOE, FOE)
    answer(other, "1", "slash:b:short_sword", HIT, [5, 5, 5], [3, 4, 4], [4, 5, 5])
    assert other.seat == "c"
    answer(other, "1", "stop", [3] * 10)
    assert other.scene["b"].status.wounds.unconscious == 30
    assert other.scene.clock.left("wakes", who="b") == 30 * 60 - 5


@pytest.mark.rule("opend6.gap.wound.mortally", "opend6.gap.wound.minutes")
def test_the_dying_roll_from_the_first_minute_on() -> None:
    session = begin(HERO, FOE, person(FOE, wounds={"level": "mortally_wounded"}))
    for _ in range(11):
        answer(session, "1", "stop", "1", "stop")
    answer(session, "1", "stop", "1", "stop")  # round 12: a minute is complete
    answer(session, [1, 1, 1])  # 0 after the 1 and the highest die are dropped... and 1 left
    assert session.scene["c"].status.dying_rounds == 12


@pytest.mark.rule("opend6.gap.body_points.zero", "opend6.gap.body_points.loss")
def test_without_body_points_somebody_is_dying() -> None:
    frail = person(FOE, body_points=6)
    session = begin(HERO, frail, FOE, options={"injury.system": "body_points"})
    answer(session, "1", "slash:b:short_sword", HIT, [3, 2, 2])  # 9 + 3 = 12: minus the maximum
    assert session.scene["b"].status.wounds.level == "dead"
    other = begin(HERO, person(FOE, body_points=8), FOE, options={"injury.system": "body_points"})
    answer(other, "1", "slash:b:short_sword", HIT, [3, 2, 2])
    assert (other.scene["b"].status.wounds.body_points, other.book.health(other.scene["b"])) == (-4, "dying")


@pytest.mark.rule("opend6.gap.damage.killing_blow")
@pytest.mark.parametrize(("on", "after"), [(True, "dead"), (False, "mortally_wounded")])
def test_killing_blows(on: bool, after: str) -> None:
    session = begin(HERO, FOE, FOE, options={"injury.killing_blow": on})
    answer(session, "1", "slash:b:short_sword", HIT, [5, 5, 5], [2, 3, 2])  # 20 - 7 = 13
    assert level(session.scene, "b") == after


@pytest.mark.rule("opend6.gap.damage.massive")
@pytest.mark.parametrize("on", [True, False])
def test_massive_damage_shakes(on: bool) -> None:
    session = begin(HERO, FOE, options={"injury.massive_damage": on})
    answer(session, "1", "slash:b:short_sword", HIT, [3, 3, 3], [2, 3, 2], "1")  # 14 - 7: wounded
    assert bool([name for name in asked(session) if name.startswith("slash")]) is not on


@pytest.mark.rule("opend6.gap.resistance.max")
def test_at_most_six_dice_resist() -> None:
    tank = person(FOE, attributes={"physique": "5D"}, belongings=[{"item": "plate_mail", "place": "worn"}])
    for on, dice in ((False, 8), (True, 6)):
        scene = meeting(HERO, tank, options={"resistance.max": on}).scene
        arm = arm_of(scene, "a", "short_sword")
        assert arm is not None
        plan = planned(scene, "a", "b", arm.weapon, Manner("short_sword"))
        assert plan.physique.dice + plan.armour.dice == dice


@pytest.mark.rule("opend6.free.player_actions")
def test_resisting_damage_is_no_action() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "slash:b:short_sword", HIT, [3, 3, 3], [5, 5, 5])
    assert (session.scene["b"].status.declared, session.scene["b"].status.taken) == (0, 0)


@pytest.mark.parametrize("system_", ["wounds", "body_points", "body_points_with_levels"])
@pytest.mark.parametrize("method", ["first_action", "roll_once_per_scene", "roll_each_round", "no_roll"])
def test_the_even_fight_ends_under_every_injury_system_and_method(system_: str, method: str) -> None:
    from tablewright.game.opening import open_session
    from tablewright.game.policies import careful, play_on
    from tablewright.game.scenario import load_scenario

    scenario = load_scenario("opend6:together")
    options = scenario.options.put("injury.system", system_).put("initiative.method", method)
    from dataclasses import replace

    session = open_session(replace(scenario, options=options), seed=3)
    session.do("opend6.encounter")
    assert play_on(session, {}, otherwise=careful)
    assert session.scene.ended


def test_points_are_asked_for_of_whoever_minds_them() -> None:
    rich = person(character_points=3, fate_points=1)
    session = begin(rich, FOE)
    answer(session, "1", "use_points::yes", "slash:b:short_sword")
    assert asked(session) == ("nothing", "1_points", "2_points", "3_points", "fate")
    answer(session, "nothing", MISS, "no")
    assert session.scene["a"].status.character_points == 3
    spent = begin(rich, FOE)
    answer(
        spent,
        "1",
        "use_points::yes",
        "slash:b:short_sword",
        "fate",
        [2, 1, 1, 1, 1, 1, 1, 1],
        [3, 3, 3],
        "no",
        [5, 5, 5],
    )
    assert (spent.scene["a"].status.fate_points, last(spent, "Struck").hit) == (0, True)


# ---------------------------------------------------------------------- options in every value


@pytest.mark.rule("opend6.result.fifth_damage")
@pytest.mark.parametrize(
    ("value", "hero", "foe", "captain"),
    [("all", True, True, True), ("important_characters", True, False, True), ("off", False, False, False)],
)
def test_whose_result_points_add_to_damage(value: str, hero: bool, foe: bool, captain: bool) -> None:
    session = begin(HERO, FOE, person(FOE, important=True), options={"result.damage_bonus": value})
    found = []
    for who, target in (("a", "b"), ("b", "a"), ("c", "a")):
        arm = arm_of(session.scene, who, "short_sword")
        assert arm is not None
        found.append(planned(session.scene, who, target, arm.weapon, Manner("short_sword")).fifth)
    assert found == [hero, foe, captain]


@pytest.mark.rule("opend6.gap.attack.modifier_style")
def test_modifiers_are_rolled_where_the_table_rolls_them() -> None:
    session = begin(HERO, FOE, options={"attack.rolled_modifiers": True})
    answer(session, "1", "lunge:b:short_sword/lunge", [6, 2], [4, 3, 3, 2])  # 5 + 8 against 12
    assert not last(session, "Struck").hit
    assert needed(session, "short_sword/lunge") == 5


@pytest.mark.rule("opend6.gap.range.physique")
@pytest.mark.parametrize(("faces", "hit"), [([4, 4, 4], True), ([4, 4, 3], False)])
def test_a_throw_goes_as_far_as_it_is_rolled(faces: list[int], hit: bool) -> None:
    rocks = person(belongings=[{"item": "rock", "place": "hand", "count": 2}])
    ground = {"kind": "grid", "size": [30, 2]}
    places = {"a": {"position": "0,0"}, "b": {"position": "12,0"}}
    session = begin(rocks, FOE, ground=ground, places=places, options={"range.physique": "rolled"})
    answer(session, "1", "throw:b:rock", faces)
    if hit:
        answer(session, [5, 5, 5, 5], [3, 3], [3, 3, 3])
    assert last(session, "Struck").hit is hit


@pytest.mark.rule("opend6.gap.resistance.negative")
def test_a_resistance_below_zero_may_burden_everything() -> None:
    for value, less in (("zero", 0), ("add_to_all_difficulties", 4)):
        session = begin(HERO, FOE, options={"resistance.negative": value})
        session.do("table.modify", what="resistance", value=-4, reason="cursed", who="a")
        arm = arm_of(session.scene, "a", "short_sword")
        assert arm is not None
        assert planned(session.scene, "a", "b", arm.weapon, Manner("short_sword")).plain == -less


@pytest.mark.rule("opend6.wild.cf_complication")
@pytest.mark.parametrize("when", ["now", "later"])
def test_a_complication_is_told_or_held_back(when: str) -> None:
    session = begin(HERO, FOE, options={"wild.critical_failure": "complication"})
    answer(session, "1", "slash:b:short_sword", [1, 1, 1, 1], when)
    told = last(session, "Complicated")
    assert (told.severity, told.deferred) == ("serious", when == "later")
    assert len(session.scene.extra.complications) == (when == "later")


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
    answer(session, "2", "fast_reactions", "slash:b:short_sword", MISS)  # all four dice
    assert session.scene["a"].status.fast_reactions_used == 1
