"""Hands: brandishing, taking up, shields, slots and the weapons that can be wielded."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    FOE,
    HERO,
    RIVAL,
    act,
    closed,
    duel,
    fighter,
    offered,
    with_scene,
)
from systems.mars.people import OPTIONS, alone, do, library, somebody
from systems.playing import events, status
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.scene import LooseItem
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.hands import Grip, grip_worth, grips, in_hand, taken_up
from tablewright.systems.mars.bots import rate
from tablewright.systems.mars.character.figures import armour_penalty, secondary
from tablewright.systems.mars.character.gear import natural_place, slots_taken
from tablewright.systems.mars.character.record import MarsCharacter
from tablewright.systems.mars.content import Armour, Weapon
from tablewright.systems.mars.events.turn import HandsChanged
from tablewright.systems.mars.legality import legality
from tablewright.systems.mars.now import now

EMPTY = fighter("Ann")


@pytest.mark.rule("mars.action.brandish")
def test_brandishing() -> None:
    session = duel(fighter(hold=["club"], pack={"mace": 1, "spear": 1, "small_shield": 1}), FOE)
    act(session, "brandish", choices={"wield": "wield::mace@hand+small_shield@hand"})
    held = {(one.item, one.place) for one in status(session).belongings if one.place != "pack"}
    assert held == {("mace", "hand"), ("small_shield", "hand")}
    assert status(session).turn.seconds == 6
    act(session, "brandish", choices={"wield": "wield::spear@hands"})
    assert [one.key for one in now(session.scene, "ann").wielded] == ["spear", "unarmed"]
    assert [one for one in status(session).belongings if one.item == "small_shield"] == [
        ItemStack("small_shield", left=10)
    ]


def with_lying(session: Session, *things: LooseItem) -> Session:
    """The session with loose items on the ground."""
    return with_scene(session, loose_items=things)


@pytest.mark.rule("mars.action.brandish")
def test_items_within_reach_are_taken_in_hand_for_free() -> None:
    near, far = LooseItem("club", "bob", None, cell(11, 11)), LooseItem("mace", "bob", None, cell(12, 10))
    session = with_lying(duel(EMPTY, RIVAL), near, far)
    session.do("mars.perform", who="ann", use="brandish")  # the club is all there is
    assert session.question is None
    (changed,) = events(session, HandsChanged)
    assert (changed.picked_up, changed.seconds, changed.free) == ((near,), 0, True)
    assert status(session).belongings == (ItemStack("club", 1, "hand"),)
    assert (status(session).turn.seconds, status(session).turn.free) == (6, False)
    assert session.scene.loose_items == (far,)
    assert closed(with_lying(duel(EMPTY, RIVAL), far), "brandish") == ("nothing else to wield", "mars.action.brandish")


@pytest.mark.rule("mars.action.brandish")
def test_things_from_the_pack_and_from_the_ground_together() -> None:
    first, second = LooseItem("knife", "bob", None, cell(10, 10)), LooseItem("knife", "ann", None, cell(10, 11))
    hero = fighter("Ann", ["mace"], pack={"small_shield": 1})
    session = with_lying(duel(hero, RIVAL), first, second)
    held = {str(grip) for grip in grips(session.scene, "ann")}
    assert {"knife and knife", "knife and small shield", "knife and mace", "mace in both hands"} <= held
    pair = next(grip for grip in grips(session.scene, "ann") if str(grip) == "knife and knife")
    belongings, lifted = taken_up(session.scene, "ann", pair)
    assert lifted == (first, second)
    assert str(in_hand(belongings)) == "knife and knife"
    assert [one.place for one in belongings if one.item == "mace"] == ["pack"]
    gone = with_lying(session, first)
    assert taken_up(gone.scene, "ann", pair)[1] == (first,)
    shield = LooseItem("small_shield", "bob", 4, cell(10, 10))
    session = with_lying(duel(EMPTY, RIVAL), shield)
    session.do("mars.perform", who="ann", use="brandish")
    assert status(session).belongings == (ItemStack("small_shield", 1, "hand", 4),)


@pytest.mark.rule("mars.action.brandish")
def test_an_unarmed_bot_takes_up_what_lies_there() -> None:
    lies = LooseItem("club", "bob", None, cell(10, 10))
    assert rate(with_lying(duel(EMPTY, RIVAL), lies).scene, "ann", ActionUse("brandish")).harm == 450
    far = LooseItem("club", "bob", None, cell(20, 10))
    assert rate(with_lying(duel(EMPTY, RIVAL), far).scene, "ann", ActionUse("brandish")).harm == -40


@pytest.mark.rule("mars.action.interact")
@each_case(
    ("held", "where"),
    [
        ((), "hand"),
        ((ItemStack("club", place="hand"),), "hand"),
        ((ItemStack("club", place="hand"), ItemStack("dagger", place="hand")), "pack"),
        ((ItemStack("dagger", 2, place="hand"),), "pack"),
        ((ItemStack("greatsword", place="hands"),), "pack"),
        ((ItemStack("club", place="pack"), ItemStack("padded", place="worn")), "hand"),
    ],
)
def test_the_nearer_of_two_things_is_taken_up_into_a_free_hand(held: Any, where: str) -> None:
    far, near = LooseItem("small_shield", "bob", 2, cell(30, 30)), LooseItem("small_shield", "bob", 7, cell(10, 11))
    session = with_lying(duel(EMPTY, FOE, mine={"belongings": held}), far, near)
    act(session, "take::small_shield")
    assert ItemStack("small_shield", 1, where, 7) in status(session).belongings
    assert session.scene.loose_items == (far,)
    assert events(session, HandsChanged)[0].picked_up == (near,)
    assert status(session).turn.seconds == 4
    assert "take::small_shield" not in offered(session)


@pytest.mark.rule("mars.action.brandish")
@each_case(("knives", "pairs"), [(1, 0), (2, 1), (3, 1)])
def test_two_of_a_kind_are_wielded_only_by_who_has_two(knives: int, pairs: int) -> None:
    scene = duel(fighter("Ann", ["club"], pack={"knife": knives}), FOE).scene
    held = [grip.held for grip in grips(scene, "ann")]
    assert held.count((("knife", "hand"), ("knife", "hand"))) == pairs
    assert held.count((("club", "hand"), ("knife", "hand"))) == 1
    assert len(held) == len(set(held))


@pytest.mark.rule("mars.action.brandish")
@each_case(
    ("held", "worth"),
    [
        ((), 0),
        ((("dagger", "hand"),), 4 + 8),  # damage r4, finesse r8
        ((("mace", "hand"),), 8),  # damage r8, martial not trained
        ((("mace", "hands"),), 8 + 1),
        ((("knife", "hand"),), 4 + 8),  # a basic weapon goes with any trained skill
        ((("small_shield", "hand"),), 4),
        ((("dagger", "hand"), ("small_shield", "hand")), 4 + 8 + 4),
        ((("dagger", "hand"), ("mace", "hand")), 4 + 8),  # the better of two
        ((("mace", "hand"), ("dagger", "hand")), 4 + 8),
    ],
)
def test_first_offered_weapon_to_wield(held: Any, worth: int) -> None:
    scene = duel(fighter("Ann", skills={"finesse": "r8"}), FOE).scene
    assert grip_worth(scene, "ann", Grip(held)) == worth


@pytest.mark.rule("mars.gap.weapon.list", "mars.action.brandish")
def test_two_of_a_kind_are_told_apart_and_bare_hands_are_always_there() -> None:
    both = now(duel(fighter("Ann", ["dagger", "dagger"]), FOE).scene, "ann")
    assert [one.key for one in both.wielded] == ["dagger", "dagger#2", "unarmed"]
    assert [one.hands for one in both.wielded] == [1, 1, 0]
    two = now(duel(fighter("Ann", ["greatsword@hands"]), FOE).scene, "ann")
    assert [(one.key, one.hands) for one in two.wielded] == [("greatsword", 2), ("unarmed", 0)]
    stack = (ItemStack("dagger", 2, place="hand"), ItemStack("knife", place="pack"))
    three = now(duel(FOE, FOE, mine={"belongings": stack}).scene, "ann")
    assert [one.key for one in three.wielded] == ["dagger", "dagger#2", "unarmed"]


@pytest.mark.rule("mars.gap.armour.list", "mars.defence.block")
def test_the_best_shield_blocks() -> None:
    def best(*shields: tuple[str, int]) -> tuple[str, int] | None:
        things = tuple([ItemStack(item, place="hand", left=left) for item, left in shields])
        found = now(duel(FOE, FOE, mine={"belongings": things}).scene, "ann").blocking
        return None if found is None else (found.item, found.left)

    assert best(("small_shield", 10), ("medium_shield", 1)) == ("medium_shield", 1)
    assert best(("medium_shield", 1), ("small_shield", 10)) == ("medium_shield", 1)
    assert best(("small_shield", 3), ("small_shield", 5)) == ("small_shield", 5)
    assert best(("small_shield", 3), ("medium_shield", 0)) == ("small_shield", 3)  # a broken one blocks nothing
    assert best(("small_shield", 0)) is None
    assert best(("small_shield", 1)) == ("small_shield", 1)


@pytest.mark.rule("mars.defence.parry", "mars.gap.armour.list")
def test_weapons_that_can_parry_best_first() -> None:
    def parries(*things: tuple[str, int | None]) -> list[str]:
        held = tuple([ItemStack(item, place="hand", left=left) for item, left in things])
        here = now(duel(FOE, FOE, mine={"belongings": held}).scene, "ann")
        return [f"{item} {value}" for item, value in here.parries]

    assert parries(("straight_sword", None), ("buckler", None)) == ["buckler r10", "straight_sword r6"]
    assert parries(("small_shield", 10), ("straight_sword", None)) == ["small_shield r6", "straight_sword r6"]
    assert parries(("small_shield", 1), ("club", None))[0] == "small_shield r6"
    assert "small_shield r6" in parries(("small_shield", 0), ("club", None))  # broken, which spoils the blocking alone


@pytest.mark.rule("mars.gap.weapon.reach")
def test_the_longest_melee_weapon_reaches_farthest() -> None:
    def reach(*hold: str) -> int:
        return now(duel(fighter("Ann", hold), FOE).scene, "ann").reach

    assert reach() == 1
    assert reach("club") == 1
    assert reach("shortbow@hands") == 1  # a bow does not reach, bare hands do
    long = next(weapon for weapon in duel(HERO, FOE).scene.library.of(Weapon) if weapon.features.reach == 2)
    assert reach(f"{long.id}@hands", "knife") == 2


# ---------------------------------------------------------------------- shields


def holding(*shields: tuple[str, int], **fields: Any) -> MarsCharacter:
    things = tuple([ItemStack(name, place="hand", left=left) for name, left in shields])
    return somebody(belongings=things, **fields)


@pytest.mark.rule("mars.equipment.armour_penalty", "mars.gap.armour.shields")
def test_a_broken_shield_weighs_as_much() -> None:
    for left in (15, 0):
        assert armour_penalty(holding(("large_shield", left), STR="r8"), library()).total == -2
    stowed = somebody(STR="r8", belongings=(ItemStack("large_shield", left=15),))
    assert armour_penalty(stowed, library()).total == 0


@pytest.mark.rule("mars.equipment.armour_slots")
def test_there_is_one_slot_for_shields() -> None:
    both = holding(("medium_shield", 12), ("large_shield", 15), STR="r12")
    assert secondary(both, "DEF", library()).value.modifier == 1
    assert slots_taken(both.belongings, library())["shield"] == 2
    assert "2 things are in the slot shield" in legality(both, OPTIONS, library()).explain()
    for pair in ((("small_shield", 9), ("large_shield", 15)), (("large_shield", 15), ("small_shield", 9))):
        assert secondary(holding(*pair, STR="r12"), "DEF", library()).value.modifier == 1
    one = holding(("small_shield", 0), ("large_shield", 15), STR="r12")
    assert secondary(one, "DEF", library()).value.modifier == 1
    shield, helm = library().get(Armour, "small_shield"), library().get(Armour, "half_helm")
    assert natural_place(holding(("buckler", 0)).belongings, shield, library()) == "pack"
    assert natural_place((), shield, library()) == "hand"
    assert natural_place(both.belongings, helm, library()) == "worn"


@pytest.mark.rule("mars.equipment.armour_slots", "mars.action.brandish")
def test_nobody_takes_two_shields_in_hand() -> None:
    hero = fighter("Ann", pack={"small_shield": 1, "buckler": 1, "club": 1})
    held = [str(grip) for grip in grips(duel(hero, RIVAL).scene, "ann")]
    assert "buckler and small shield" not in held
    assert {"buckler", "buckler and club", "club and small shield"} <= set(held)
    session = alone(hero)
    with pytest.raises(IllegalActionError, match="one shield can be held at a time"):
        do(session, "mars.brandish", who="ann", wielded=("small_shield", "buckler"))
    do(session, "mars.brandish", who="ann", wielded=("club", "buckler"))
    for mine, where in ((["buckler"], "pack"), (["club"], "hand"), ([], "hand"), (["club", "knife"], "pack")):
        lying = with_lying(duel(fighter("Ann", mine), RIVAL), LooseItem("small_shield", "bob", 3, cell(10, 10)))
        act(lying, "take::small_shield")
        assert [one.place for one in status(lying).belongings if one.item == "small_shield"] == [where]


@pytest.mark.rule("mars.action.brandish")
def test_items_in_hand_in_words() -> None:
    assert str(Grip(())) == "nothing"
    assert str(Grip((("club", "hand"),))) == "club"
    assert str(Grip((("knife", "hand"), ("spear", "hands")))) == "knife and spear in both hands"
