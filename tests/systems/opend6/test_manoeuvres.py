"""Manoeuvres in play: holding and escaping, choking, pinning, disarming, entangling, pushing and tripping."""

from __future__ import annotations

from typing import Any

import pytest

from systems.opend6.fights import BOW, FOE, HERO, HIT, begin, kinds, needed, person, plan
from systems.playing import answer, asked, last
from tablewright.engine import Roll, Trace
from tablewright.game.play.common_events import ParticipantLeft
from tablewright.systems.opend6.actions.attack import places_to_aim_at
from tablewright.systems.opend6.character.gear import Manner
from tablewright.systems.opend6.status import Grip, level

SLOW = person(FOE, name="Third", attributes={"acumen": "1D"})


def armed(*items: str, base: dict[str, Any] = HERO, **changes: Any) -> dict[str, Any]:
    """A character with things in hand."""
    return person(base, belongings=[{"item": item, "place": "hand"} for item in items], **changes)


# ---------------------------------------------------------------------- holding


@pytest.mark.rule("opend6.action.grab", "opend6.gap.manoeuvre.escape")
def test_a_grab_holds_an_arm_until_it_is_broken() -> None:
    session = answer(begin(HERO, FOE), "1", "grab:b:unarmed/hold", HIT, [3, 3, 3], "arm", "2")
    assert session.scene["b"].status.grip == Grip("a", "held", "arm")
    assert {"escape:a", "kick:a:unarmed"} <= set(asked(session))
    answer(session, "escape:a", [3, 2])  # 2D of 3D against 2 x 3D: 5 is not enough
    assert session.scene["b"].status.grip is not None
    answer(session, "escape:a", [3, 3])
    assert session.scene["b"].status.grip is None


@pytest.mark.rule("opend6.opposed.action_cost")
def test_a_holder_who_has_waited_opposes_and_pays_an_action() -> None:
    session = answer(begin(HERO, FOE), "3", "grab:b:unarmed/hold", [6, 4, 6], [3, 3, 3], "arm", "wait")
    assert session.scene["a"].status.left == 1
    answer(session, "1", "escape:a", [3, 3, 3], [4])  # 1D of 3D
    assert (session.scene["a"].status.left, session.scene["b"].status.grip) == (0, None)


SWORDPLAY = {"slash", "flat", "all_out", "sweep", "lunge", "called_shot", "disarm", "pin_part", "ready_weapon"}
LEGWORK = {"posture", "kick"}
GRAB = ("grab:b:unarmed/hold", HIT, [3, 3, 3])
PIN = ("pin_part:b:short_sword/pin_part", "25cm", HIT, [3, 3, 3])


@pytest.mark.rule("opend6.action.grab", "opend6.action.pin", "opend6.gap.manoeuvre.holding")
@pytest.mark.parametrize(
    ("deed", "part", "closed", "still_open"),
    [
        (GRAB, "arm", SWORDPLAY, {"kick", "punch", "posture", "grab", "dodge"}),
        (GRAB, "leg", LEGWORK, {"slash", "all_out", "called_shot", "parry"}),
        (PIN, "arm", SWORDPLAY, {"kick", "posture"}),
        (PIN, "leg", LEGWORK, {"slash", "sweep"}),
    ],
    ids=["an arm held", "a leg held", "an arm pinned", "a leg pinned"],
)
def test_actions_of_a_held_part_are_closed_and_others_open(
    deed: tuple[Any, ...], part: str, closed: set[str], still_open: set[str]
) -> None:
    pack = [{"item": "short_sword", "place": "hand"}, {"item": "long_sword", "place": "pack"}]
    foe = person(FOE, belongings=pack)
    session = answer(begin(HERO, foe), "1", *deed, part, "1")
    with_weapons = {name.partition(":")[0] for name in asked(session) if ":unarmed/" not in name}
    assert not with_weapons & (closed | {"run_away"})  # the other hand is free, and whoever is held stays there
    assert kinds(session) >= still_open
    assert kinds(answer(begin(HERO, foe), "1", "stop", "1")) >= closed | {"run_away"}


@pytest.mark.rule("opend6.action.grab")
def test_natural_weapons_bite_while_an_arm_is_held() -> None:
    wolf = person(FOE, belongings=[], natural_weapons=["claws"])
    session = answer(begin(HERO, wolf), "1", *GRAB, "arm", "1")
    assert any(name.startswith("called_shot:a:claws") for name in asked(session))


@pytest.mark.rule("opend6.action.tackle", "opend6.gap.manoeuvre.holding")
def test_a_tackled_one_may_only_speak_or_escape_and_is_hurt_each_round() -> None:
    session = answer(begin(HERO, FOE), "1", "tackle:b:unarmed/tackle", HIT, [2, 2], [2, 2, 2], "1")
    assert kinds(session) <= {"escape", "speak", "glance", "communicate", "yield", "stop"}
    answer(session, "stop", [6, 3, 4], [2, 2, 1])  # Strength Damage 2D at the holder's turn
    assert level(session.scene, "b") == "wounded"


@pytest.mark.rule("opend6.gap.manoeuvre.holding", "opend6.gap.ability.increased_attribute", "opend6.gap.attack.scale")
@pytest.mark.parametrize(
    ("holder", "size", "minds", "answers", "hurt"),
    [
        ({}, 0, "on_request", ([5, 5],), "healthy"),  # 10 against 12
        ({"abilities": 6}, 0, "on_request", ([5, 5],), "wounded"),
        ({"abilities": 2}, 0, "on_request", ([5, 5],), "healthy"),
        ({"abilities": 3}, 0, "on_request", ([5, 5],), "stunned"),
        ({"character_points": 1}, 0, "always", ([5, 5], "yes", [4]), "stunned"),
        ({"fate_points": 1}, 0, "always", ("fate", [5, 5, 5, 5]), "wounded"),
        ({"kind": "creature", "scale": 6}, 0, "on_request", ([5, 5],), "wounded"),
        ({"kind": "creature", "scale": 3}, 0, "on_request", ([5, 5],), "stunned"),
        ({"kind": "creature", "scale": 6}, 4, "on_request", ([5, 5],), "healthy"),
    ],
)
def test_a_choke_hurts_with_everything_that_counts_for_damage(
    holder: dict[str, Any], size: int, minds: str, answers: tuple[Any, ...], hurt: str
) -> None:
    ranks = holder.get("abilities")
    strong = [{"id": "increased_attribute", "ranks": ranks, "attribute": "physique"}] if ranks else []
    session = begin(
        person(**(holder | {"abilities": strong})),
        person(FOE, scale=size),
        options={"points.asked": minds},
        statuses={"b": {"grip": Grip("a", "choked", "neck")}},
    )
    answer(session, *answers, [4, 4, 4])
    assert level(session.scene, "b") == hurt
    assert (session.scene["a"].status.character_points, session.scene["a"].status.fate_points) == (0, 0)


@pytest.mark.rule("opend6.gap.manoeuvre.list", "opend6.gap.attack.hit")
def test_a_target_that_dies_of_a_grab_is_not_held() -> None:
    session = begin(person(skills={"lifting": "7D"}), FOE, FOE)
    answer(session, "1", "grab:b:unarmed/hold", HIT, [6, 6, 6, 6, 5], [1, 1, 1])
    assert level(session.scene, "b") == "dead"
    assert (session.scene["b"].status.grip, session.seat) == (None, "c")


@pytest.mark.rule("opend6.gap.manoeuvre.holding")
def test_a_character_who_has_fallen_is_let_go() -> None:
    fallen = person(FOE, wounds={"level": "mortally_wounded"})
    session = begin(HERO, fallen, FOE, statuses={"b": {"grip": Grip("a", "tackled", "")}})
    assert last(session, "Released").by == "a"
    assert session.scene["b"].status.grip is None


@pytest.mark.rule("opend6.action.grab", "opend6.gap.encounter.end")
@pytest.mark.parametrize("by_ruling", [False, True])
def test_a_character_who_leaves_holds_nobody_any_more(by_ruling: bool) -> None:
    session = begin(HERO, person(FOE, attributes={"acumen": "5D"}), SLOW)
    answer(session, "2", "grab:a:unarmed/hold", [5, 5, 5], [3, 3, 3], "arm")
    assert session.scene["a"].status.grip == Grip("b", "held", "arm")
    if by_ruling:
        session.do("table.leave", who="b")
    else:
        answer(session, "yield")
    assert any(isinstance(line, ParticipantLeft) for line in session.log)
    assert session.scene["a"].status.grip is None


@pytest.mark.rule("opend6.gap.manoeuvre.entangle", "opend6.gap.manoeuvre.escape")
@pytest.mark.parametrize("deed", ["escape::break", "let_go"])
def test_a_net_and_a_grip_are_two_things(deed: str) -> None:
    session = begin(HERO, FOE, statuses={"a": {"grip": Grip("b", "held", "leg"), "tangled": 5}})
    answer(session, *(["1", "stop", "1", "let_go:a"] if deed == "let_go" else ["1", deed, [3, 3, 3]]))
    status = session.scene["a"].status
    assert (status.grip is None, status.tangled) == ((True, 5) if deed == "let_go" else (False, 0))


# ---------------------------------------------------------------------- pinning


@pytest.mark.rule("opend6.action.pin", "opend6.gap.manoeuvre.pinning")
@pytest.mark.parametrize(("faces", "loose"), [([4, 5], False), ([4, 6], True)])
def test_a_pinned_part_is_torn_loose_with_ten(faces: list[int], loose: bool) -> None:
    session = answer(begin(HERO, FOE), "1", *PIN, "arm", "2", "escape", faces)  # Physique 2D of 3D
    assert (session.scene["b"].status.grip is None) is loose


@pytest.mark.rule("opend6.gap.manoeuvre.pinning")
@pytest.mark.parametrize("shot", [True, False])
def test_an_arrow_holds_fast_when_its_archer_has_left(shot: bool) -> None:
    session = begin(person(belongings=BOW if shot else []), FOE, SLOW)
    weapon = "short_bow" if shot else "unarmed"
    answer(session, "2", f"pin_part:b:{weapon}/pin_part", "25cm", [5, 5, 5], [3, 3, 3] if shot else [3, 3], "arm")
    grip = Grip("a", "pinned", "arm", shot)
    assert session.scene["b"].status.grip == grip
    assert ("let_go:b" in asked(session)) is not shot
    session.do("table.leave", who="a")
    assert session.scene["b"].status.grip == (grip if shot else None)


@pytest.mark.rule("opend6.gap.weapon.edges", "opend6.action.pin")
@pytest.mark.parametrize(
    ("held", "with_what"),
    [
        (["mace"], "unarmed"),
        (["dagger"], "dagger"),
        (["dagger", "club"], "dagger"),
        (["sling", "sling_stone"], "unarmed"),
        ([], "unarmed"),
    ],
)
def test_cloth_is_pinned_with_a_point_and_a_part_with_bare_hands(held: list[str], with_what: str) -> None:
    session = answer(begin(armed(*held), FOE), "1")
    assert [one for one in asked(session) if one.startswith("pin_part:")] == [f"pin_part:b:{with_what}/pin_part"]


# ---------------------------------------------------------------------- disarming


@pytest.mark.rule("opend6.action.disarm", "opend6.gap.manoeuvre.disarm", "opend6.turn.move_up")
def test_disarming_knocks_the_weapon_away_unless_a_character_moves_up_to_hold_on() -> None:
    session = answer(begin(HERO, FOE), "1", "disarm:b:short_sword/disarm", HIT, [3, 3, 3], "no")
    assert (session.scene["b"].belongings, session.scene.loose_items[0].item) == ((), "short_sword")
    kept = answer(begin(HERO, FOE), "1", "disarm:b:short_sword/disarm", HIT, [3, 2, 2], "yes")
    assert asked(kept)[:5] == ("1", "2", "3", "4", "5")
    answer(kept, "2", [6, 3, 4])  # Physique with two of three dice
    assert (bool(kept.scene["b"].belongings), last(kept, "Declared").moved_up) == (True, True)
    status = kept.scene["b"].status
    assert (status.declared, status.left, "b" in kept.scene.acted) == (2, 1, True)
    assert (kept.seat, "communicate" in asked(kept)) == ("b", True)
    assert answer(kept, "communicate").scene.round == 2


@pytest.mark.rule("opend6.action.disarm", "opend6.gap.manoeuvre.disarm")
@pytest.mark.parametrize(("faces", "keeps"), [([4, 4, 4], False), ([5, 4, 4], True)])
def test_to_hold_on_takes_more_than_the_damage(faces: list[int], keeps: bool) -> None:
    session = begin(HERO, FOE)
    answer(session, "1", "disarm:b:short_sword/disarm", HIT, [3, 2, 2], "yes", "1", faces)  # 7 + 2 + 3
    assert bool(session.scene["b"].belongings) is keeps
    held = [line for line in session.log if isinstance(line, Trace)][-1]
    assert held.call.named_arguments()["assumed"] == 7 + 2 + 3 + 1, "points are weighed by what is needed"


@pytest.mark.rule("opend6.gap.manoeuvre.disarm", "opend6.action.disarm")
@pytest.mark.parametrize(
    ("mine", "held", "left", "dropped"),
    [
        (["short_sword"], ["buckler", "short_sword"], ["buckler"], "short_sword"),
        (["short_sword"], ["buckler"], [], "buckler"),
        ([], ["short_sword"], [], "short_sword"),  # disarmed with bare hands
    ],
)
def test_a_weapon_drops_before_a_shield(mine: list[str], held: list[str], left: list[str], dropped: str) -> None:
    session = begin(armed(*mine), armed(*held, base=FOE))
    weapon = mine[0] if mine else "unarmed"
    answer(session, "1", f"disarm:b:{weapon}/disarm", HIT, [3, 3, 3] if mine else [3, 3], "no")
    assert [one.item for one in session.scene["b"].belongings] == left
    assert [one.item for one in session.scene.loose_items] == [dropped]


@pytest.mark.rule("opend6.gap.manoeuvre.disarm", "opend6.gap.attack.called_shot")
@pytest.mark.parametrize(
    ("item", "place", "harder"),
    [("dagger", "hand", 3), ("long_sword", "hand", 0), ("short_bow", "hands", 0), ("buckler", "hand", 3)],
)
def test_a_disarmed_item_has_its_own_size(item: str, place: str, harder: int) -> None:
    session = begin(HERO, person(FOE, belongings=[{"item": item, "place": place}]))
    (size,) = places_to_aim_at(session.scene, Manner.parse("short_sword/disarm"), "b")
    assert needed(session, f"short_sword/disarm/{size}") == 5 + harder
    answer(session, "1", "disarm:b:short_sword/disarm")
    assert isinstance(session.question, Roll)  # no one is asked for the size


@pytest.mark.rule("opend6.action.disarm", "opend6.action.pin", "opend6.gap.manoeuvre.list")
def test_actions_of_bare_hands() -> None:
    session = answer(begin(armed(), FOE), "1")
    assert kinds(session) >= {"disarm", "pin_part", "called_shot", "all_out", "sweep"}


# ---------------------------------------------------------------------- entangling, pushing and tripping


@pytest.mark.rule("opend6.gap.manoeuvre.entangle", "opend6.action.list")
def test_a_whip_is_thrown_to_entangle_by_the_damage_total() -> None:
    session = begin(armed("bullwhip", skills={"throwing": "5D"}), FOE)
    found = plan(session, "bullwhip/entangle")
    assert (found.skill, str(found.throw.code), plan(session, "bullwhip").skill) == ("throwing", "5D", "melee_combat")
    session = answer(begin(armed("bullwhip"), FOE), "1", "entangle:b:bullwhip/entangle", HIT, [3, 2, 3])
    assert session.scene["b"].status.tangled == 8 + 2  # and two for ten result points
    answer(session, "1", "escape::slip", [4, 3, 3])
    assert session.scene["b"].status.tangled == 0
    weak = begin(armed("bullwhip", attributes={"physique": "1D"}), FOE, options={"result.damage_bonus": "off"})
    answer(weak, "1", "entangle:b:bullwhip/entangle", HIT, [1, 1])
    assert weak.scene["b"].status.tangled == 1, "the least damage entangles too"


@pytest.mark.rule("opend6.gap.manoeuvre.entangle", "opend6.gap.manoeuvre.list")
def test_a_target_that_leaves_after_the_roll_is_not_entangled() -> None:
    session = begin(armed("bullwhip"), FOE, FOE, options={"wild.critical_failure": "complication"})
    answer(session, "1", "entangle:b:bullwhip/entangle", [1, 6, 6, 6], [3, 3, 3])
    session.do("table.leave", who="b")
    answer(session, "later")
    assert session.scene["b"].status.tangled == 0


@pytest.mark.rule("opend6.gap.manoeuvre.list", "opend6.gap.manoeuvre.limits")
def test_a_trip_puts_a_character_on_the_ground_who_is_neither_tripped_nor_flipped_again() -> None:
    session = answer(begin(HERO, FOE), "2")
    downs = {"flip:b:unarmed/flip", "trip:b:unarmed/knockdown"}
    assert downs <= set(asked(session))
    answer(session, "trip:b:unarmed/knockdown", [5, 5, 5])
    assert (session.scene["b"].status.posture, session.scene["b"].status.unbalanced) == ("prone", 2)
    assert not downs & set(asked(session))
    assert "push:b:unarmed/push" in asked(session)
    answer(session, "stop", "2", "stand_up", "slash:a:short_sword", [4])  # 4D, less one for two actions, two for it
    assert session.scene["b"].status.unbalanced == 0


@pytest.mark.rule("opend6.gap.manoeuvre.limits")
def test_the_stronger_are_neither_pushed_nor_tripped() -> None:
    session = answer(begin(HERO, person(FOE, attributes={"physique": "3D+1"})), "1")
    assert not kinds(session) & {"push", "trip"}


# ---------------------------------------------------------------------- natural weapons


@pytest.mark.rule("opend6.action.list")
def test_a_character_who_fights_with_teeth_has_no_bare_hands() -> None:
    dog = person(belongings=[], natural_weapons=["bite"])
    session = answer(begin(dog, FOE), "1")
    assert {"punch", "tackle", "push"} <= kinds(session)
    assert not {"kick", "grab", "choke", "flip", "trip"} & kinds(session)
    answer(session, "punch:b:bite", [2, 2, 2, 2], [3, 3, 3], [5, 5, 5])
    assert (last(session, "Struck").weapon, last(session, "Struck").harm) == ("bite", False)
