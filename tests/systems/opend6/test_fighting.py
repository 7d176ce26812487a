"""Attacks as they are played: difficulties, defences, manoeuvres and weapons."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import BOW, FOE, HERO, HIT, LEDGER, MISS, begin, fact, needed, person, ruled
from systems.playing import answer, asked, chances, last
from tablewright.engine import Roll, Trace
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.policies import after_action
from tablewright.game.session.session import Session
from tablewright.systems.opend6.actions.aim import COVER, band, band_at, passive_bonus, planned
from tablewright.systems.opend6.character.gear import SIZES, Manner, arm_of, means_of
from tablewright.systems.opend6.events.attack import Struck
from tablewright.systems.opend6.status import Grip, level

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
@each_case("word", [*COVER, "hidden_100"])
def test_cover(word: str) -> None:
    session = begin(HERO, FOE)
    before = needed(session, "short_sword")
    fact(session, "b", "cover", word)
    if word == "hidden_100":
        answer(session, "1")
        with pytest.raises(IllegalActionError, match="cover"):
            session.rulebook.actions.check(session.scene, "a", ActionUse("slash", "b", "short_sword"))
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
    dice = planned(session.scene, "a", "b", arm.weapon, Manner("short_sword", "called", size)).blow.weapon.dice
    assert dice == 1 + (harder > 0)


@pytest.mark.rule("opend6.gap.attack.hit_location")
@pytest.mark.parametrize("place", ["head", "heart", "arm", "leg", "hand"])
def test_parts_of_the_body(place: str) -> None:
    session = begin(HERO, FOE, options={"attack.hit_locations": True})
    harder, damage = LEDGER["opend6.gap.attack.hit_location"].data["locations"][place]
    arm = arm_of(session.scene, "a", "short_sword")
    assert arm is not None
    plan = planned(session.scene, "a", "b", arm.weapon, Manner("short_sword", "called", place))
    assert (plan.difficulty.total, plan.blow.damage_plain) == (5 + harder, damage)
    assert plan.blow.fifth == (place in ("head", "heart"))


@pytest.mark.rule("opend6.gap.attack.scale")
def test_scale() -> None:
    session = begin(person(scale=6), person(FOE, scale=3))
    assert needed(session, "short_sword") == 5 + 3
    arm = arm_of(session.scene, "b", "short_sword")
    assert arm is not None
    plan = planned(session.scene, "b", "a", arm.weapon, Manner("short_sword"))
    assert (plan.throw.plain, plan.protection.resistance_plain, plan.difficulty.total) == (3, 3, 5)


@pytest.mark.rule("opend6.gap.manoeuvre.list")
@each_case("name", list(LEDGER["opend6.gap.manoeuvre.list"].data))
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
            planned(session.scene, "a", "b", arm.weapon, Manner(weapon, name)).blow.weapon.dice - plain.blow.weapon.dice
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


@pytest.mark.rule("opend6.gap.defence.bare_block", "opend6.gap.defence.blade_parry")
@pytest.mark.parametrize(
    ("defence", "attack"), [("block", "punch:a:unarmed"), ("parry::short_sword", "slash:a:short_sword")]
)
def test_a_hand_that_blocks_a_hand_and_a_blade_that_parries_a_blade_are_unhurt(defence: str, attack: str) -> None:
    session = begin(HERO, FOE)
    answer(session, "1", defence, [5, 5, 5, 5], "1", attack, [2, 2, 2, 2])
    assert not isinstance(session.question, Roll)  # no damage is rolled
    assert (level(session.scene, "a"), level(session.scene, "b")) == ("healthy", "healthy")


@pytest.mark.rule("opend6.gap.defence.blade_parry")
def test_a_bare_hand_that_meets_a_blade_is_cut() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "parry::short_sword", [5, 5, 5, 5], "1", "punch:a:unarmed", [2, 2, 2, 2], [5], [2, 2, 1])
    assert (last(session, "Hurt").who, level(session.scene, "b")) == ("b", "stunned")


@pytest.mark.rule("opend6.gap.defence.blade_parry")
def test_a_bare_hand_that_meets_a_club_is_unhurt() -> None:
    session = begin(person(belongings=[{"item": "club", "place": "hand"}]), FOE)
    answer(session, "1", "parry::club", [5, 5, 5, 5], "1", "punch:a:unarmed", [2, 2, 2, 2])
    assert not isinstance(session.question, Roll)


@pytest.mark.rule("opend6.gap.defence.passive_bonus")
def test_bonus_on_the_passive_defence() -> None:
    nimble = person(FOE, skills={"dodge": "6D+1"})
    assert needed(begin(HERO, nimble), "short_sword") == 5
    assert needed(begin(HERO, nimble, options={"defence.passive_bonus": True}), "short_sword") == 7


@pytest.mark.rule("opend6.gap.defence.passive_bonus")
@pytest.mark.parametrize(
    ("ability", "bonus"),
    [
        ({"id": "increased_attribute", "ranks": 6, "attribute": "agility"}, 1),
        ({"id": "increased_attribute", "ranks": 5, "attribute": "agility"}, 0),
        ({"id": "increased_attribute", "ranks": 12, "attribute": "physique"}, 0),
        ({"id": "skill_bonus", "ranks": 12, "skills": ["dodge"]}, 2),
        ({"id": "skill_bonus", "ranks": 12, "skills": ["climbing"]}, 0),
    ],
)
def test_abilities_add_to_the_passive_defence(ability: dict[str, Any], bonus: int) -> None:
    session = begin(HERO, person(FOE, skills={"dodge": "3D"}, abilities=[ability]))
    assert passive_bonus(session.scene, "b") == bonus


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
    answer(session, "1", "grab:b:unarmed/hold", HIT, [3, 3, 3], "arm")
    assert session.scene["b"].status.grip == Grip("a", "held", "arm")
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
    answer(session, "3", "grab:b:unarmed/hold", [6, 4, 6], [3, 3, 3], "arm", "wait")
    assert session.scene["a"].status.left == 1
    answer(session, "1", "escape:a", [3, 3, 3], [4])  # 1D of 3D
    assert (session.scene["a"].status.left, session.scene["b"].status.grip) == (0, None)


SWORDPLAY = {"slash", "flat", "all_out", "sweep", "lunge", "called_shot", "disarm", "pin_part", "ready_weapon"}
LEGWORK = {"posture", "kick"}


@pytest.mark.rule("opend6.action.grab", "opend6.action.pin", "opend6.gap.manoeuvre.holding")
@pytest.mark.parametrize(
    ("deed", "part", "closed", "still_open"),
    [
        (("grab:b:unarmed/hold", HIT, [3, 3, 3]), "arm", SWORDPLAY, {"kick", "punch", "posture", "grab", "dodge"}),
        (("grab:b:unarmed/hold", HIT, [3, 3, 3]), "leg", LEGWORK, {"slash", "all_out", "called_shot", "parry"}),
        (("pin_part:b:short_sword/pin_part", "25cm", HIT, [3, 3, 3]), "arm", SWORDPLAY, {"kick", "posture"}),
        (("pin_part:b:short_sword/pin_part", "25cm", HIT, [3, 3, 3]), "leg", LEGWORK, {"slash", "sweep"}),
    ],
)
def test_actions_of_a_held_part_are_closed_and_others_open(
    deed: tuple[Any, ...], part: str, closed: set[str], still_open: set[str]
) -> None:
    pack = [{"item": "short_sword", "place": "hand"}, {"item": "long_sword", "place": "pack"}]
    foe = person(FOE, belongings=pack)
    session = begin(HERO, foe)
    answer(session, "1", *deed, part, "1")
    offered = {name.partition(":")[0] for name in asked(session)}
    armed = {name.partition(":")[0] for name in asked(session) if ":unarmed/" not in name}  # the other hand is free
    assert not armed & (closed | {"run_away"})  # the one who is held stays where they are
    assert offered >= still_open
    free = begin(HERO, foe)
    answer(free, "1", "stop", "1")
    assert {name.partition(":")[0] for name in asked(free)} >= closed | {"run_away"}


@pytest.mark.rule("opend6.action.grab")
def test_natural_weapons_bite_while_an_arm_is_held() -> None:
    wolf = person(FOE, belongings=[], natural_weapons=["claws"])
    session = begin(HERO, wolf)
    answer(session, "1", "grab:b:unarmed/hold", HIT, [3, 3, 3], "arm", "1")
    assert any(name.startswith("called_shot:a:claws") for name in asked(session))


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
    answer(session, "1", "pin_part:b:short_sword/pin_part", "25cm", HIT, [3, 3, 3], "arm", "2")
    assert "slash:a:short_sword" not in asked(session)
    answer(session, "escape", [5, 5])  # Physique 2D of 3D against 10
    assert session.scene["b"].status.grip is None


@pytest.mark.rule("opend6.action.disarm")
def test_disarm_knocks_the_weapon_away_unless_a_character_moves_up() -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "disarm:b:short_sword/disarm", HIT, [3, 3, 3], "no")
    assert (session.scene["b"].belongings, session.scene.loose_items[0].item) == ((), "short_sword")
    kept = begin(HERO, FOE)
    answer(kept, "1", "disarm:b:short_sword/disarm", HIT, [3, 2, 2], "yes", "1", [5, 5, 5])
    assert kept.scene["b"].belongings
    assert last(kept, "Declared").moved_up


@pytest.mark.rule("opend6.action.disarm", "opend6.gap.manoeuvre.disarm")
@pytest.mark.parametrize(("faces", "keeps"), [([4, 4, 4], False), ([5, 4, 4], True)])
def test_to_hold_on_takes_more_than_the_damage(faces: list[int], keeps: bool) -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "disarm:b:short_sword/disarm", HIT, [3, 2, 2], "yes", "1", faces)  # 7 + 2 + 3
    assert bool(session.scene["b"].belongings) is keeps
    held = [line for line in session.log if isinstance(line, Trace)][-1]
    assert held.call.named_arguments()["assumed"] == 7 + 2 + 3 + 1, "points are weighed by what is needed"


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
def test_a_trip_puts_a_character_on_the_ground() -> None:
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


@pytest.mark.rule("opend6.action.ready_weapon")
@pytest.mark.parametrize(
    ("drawn", "places"), [("long_bow", ["pack", "pack", "hands"]), ("dagger", ["pack", "hand", "hand"])]
)
def test_drawing_puts_away_what_is_in_the_way(drawn: str, places: list[str]) -> None:
    mine = [
        {"item": "short_sword", "place": "hand"},
        {"item": "buckler", "place": "hand"},
        {"item": drawn, "place": "pack"},
    ]
    session = begin(person(belongings=mine), FOE)
    answer(session, "1", f"ready_weapon::{drawn}")
    found = {one.item: one.place for one in session.scene["a"].belongings}
    assert [found[name] for name in ("short_sword", "buckler", drawn)] == places


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


# ---------------------------------------------------------------------- what bots foresee


@pytest.mark.parametrize("system_", ["wounds", "body_points"])
@pytest.mark.parametrize("defence", ["", "parry::short_sword", "block"])
def test_forecasts_lead_where_play_does(system_: str, defence: str) -> None:
    session = begin(HERO, person(FOE, wounds={"level": "stunned"}), FOE, options={"injury.system": system_})
    if defence:
        session.do("opend6.move_up", who="b")
        answer(session, "1", defence, [5, 4, 4, 4])
    answer(session, "1")
    book, scene = session.rulebook, session.scene
    seen = 0
    for use in book.actions.options(scene, "a"):
        known = book.foresee(scene, "a", use) if isinstance(use, ActionUse) else None
        if known is None or not isinstance(use, ActionUse):
            continue
        seen += 1
        assert chances(known) == chances(after_action(book, scene, "a", use)), use.id
    assert seen > 10


# ---------------------------------------------------------------------- groups


def pack(*heroes: dict[str, Any], second: dict[str, Any] = FOE, **more: Any) -> Session:
    """A foe and another, usually of its kind, against others; the first to act has declared an action."""
    sides = {"c": {"side": "a", "seat": "a"}, "b": {"side": "b"}, "d": {"side": "b"}}
    session = begin(FOE, heroes[0], second, *heroes[1:], places=sides, **more)
    while session.scene.turn not in ("a", "c"):
        answer(session, "1", "stop")
    answer(session, "1")
    return session


@pytest.mark.rule("opend6.group.single_roll")
def test_a_group_attacks_with_one_roll_and_one_damage_roll() -> None:
    slow = person(attributes={"acumen": "1D"})
    session = pack(slow, slow)
    session.do("opend6.group_attack", who=["a", "c"], targets=["b", "d"])
    answer(session, [3, 3, 3, 3], [4, 4, 4], [3, 3, 3], [6, 5, 5, 5])  # 12 hits both; 14 and 2 more; 9, and 21
    told = [line for line in session.log if isinstance(line, Struck)]
    assert [(line.by, line.who, line.hit, line.level) for line in told] == [
        ("a", "b", True, "wounded"),
        ("c", "d", True, "healthy"),
    ]
    assert (session.scene["a"].status.left, session.scene["c"].status.left) == (0, 0)
    assert "c" in session.scene.acted, "whoever attacked with the group has had the turn"


@pytest.mark.rule("opend6.group.single_roll")
def test_each_of_a_group_needs_a_target_and_an_action() -> None:
    slow = person(attributes={"acumen": "1D"})
    session = pack(slow, slow)
    with pytest.raises(InvalidInputError, match="2 attack, and there are 3 targets"):
        session.do("opend6.group_attack", who=["a", "c"], targets=["b", "d", "b"])
    with pytest.raises(InvalidInputError, match="at least two members"):
        session.do("opend6.group_attack", who=["a"], targets=["b"])
    with pytest.raises(IllegalActionError, match="does not belong to a group"):
        session.do("opend6.group_attack", who=["a", "d"], targets=["b"])
    dying = pack(slow, slow, second=person(FOE, wounds={"level": "mortally_wounded", "unconscious": 9}))
    with pytest.raises(IllegalActionError, match="cannot act any more"):
        dying.do("opend6.group_attack", who=["a", "c"], targets=["b"])
    mixed = pack(slow, slow, second=HERO)
    with pytest.raises(IllegalActionError, match="does not belong to a group"):
        mixed.do("opend6.group_attack", who=["a", "c"], targets=["b"])
    with pytest.raises(IllegalActionError, match="is not a target"):
        session.do("opend6.group_attack", who=["a", "c"], targets=["c", "d"])
    with pytest.raises(InvalidInputError, match="has no mace ready, but Short sword"):
        session.do("opend6.group_attack", who=["a", "c"], targets=["b"], weapon="mace")
    alone = pack(slow, slow, options={"group.single_roll": False})
    with pytest.raises(IllegalActionError, match="groups do not roll together"):
        alone.do("opend6.group_attack", who=["a", "c"], targets=["b"])


@pytest.mark.rule("opend6.gap.manoeuvre.list", "opend6.gap.range.bands")
def test_a_lunge_with_a_spear_still_reaches_the_end_of_the_spear() -> None:
    session = begin(person(belongings=[{"item": "spear", "place": "hand"}]), FOE)
    arm = arm_of(session.scene, "a", "spear")
    assert arm is not None
    found = [band_at(session.scene, "a", metres, arm.weapon, 50) for metres in (3, 4, 5, 6)]
    assert found == ["point_blank", "short", "short", None]


@pytest.mark.rule("opend6.gap.manoeuvre.list")
def test_a_lunge_reaches_half_a_metre_farther() -> None:
    session = begin(HERO, FOE)
    arm = arm_of(session.scene, "a", "short_sword")
    assert arm is not None
    for name in LEDGER["opend6.gap.manoeuvre.list"].data:
        means = means_of(session.scene, "a", arm.weapon, Manner("short_sword", name))
        assert means.extra_cm == (50 if name == "lunge" else 0)
