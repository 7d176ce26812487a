"""Armour and load: ratings, penalties, reduction, encumbrance."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import fighter
from systems.mars.people import LEDGER, library, rolled, scene_of, somebody, wearing
from tablewright.engine import Tally
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Ranks
from tablewright.systems.mars.character.costs import language_cost
from tablewright.systems.mars.character.figures import (
    armour_penalty,
    armour_rating,
    attack,
    capacity,
    carrying_size,
    damage,
    damage_reduction,
    encumbrance,
    lifting,
    load_carried,
    secondary,
    speed,
)
from tablewright.systems.mars.character.gear import worn
from tablewright.systems.mars.character.record import MarsCharacter, MarsEffect
from tablewright.systems.mars.content import (
    SIZES,
    Armour,
    Weapon,
)
from tablewright.systems.mars.now import now
from tablewright.systems.mars.recovery import half_up
from tablewright.systems.mars.values import Rolled, Throw

# ---------------------------------------------------------------------- armour


@pytest.mark.rule("mars.equipment.armour_penalty")
@each_case(
    ("strength", "piece", "penalty"),
    [
        ("r10+1", "full_plate", -3),
        ("r12", "chainmail", 0),
        ("r13", "chainmail", 0),
        ("r11", "chainmail", -1),
        ("r10", "chainmail", -1),
    ],
)
def test_the_armour_penalty_is_half_of_what_is_missing_rounded_up(strength: str, piece: str, penalty: int) -> None:
    found = armour_penalty(wearing(piece, STR=strength), library())  # full plate needs 16, chainmail 12
    assert found.total == penalty
    assert len(found.parts) == (1 if penalty else 0)  # what is light enough is not named


@pytest.mark.rule("mars.equipment.armour_penalty")
def test_only_the_largest_penalty_counts_and_only_where_the_book_says() -> None:
    bare = somebody(STR="r8", skills={"athletics": rolled("r4")})
    clad = bare.changed(
        belongings=(ItemStack("full_plate", place="worn"), ItemStack("large_shield", place="hand", left=15))
    )
    assert armour_penalty(clad, library()).total == -4
    assert attack(clad, library().get(Weapon, "club"), library()).value == rolled("r10-4")
    assert damage(clad, library().get(Weapon, "club"), library()).value == rolled("r14")
    assert secondary(clad, "DEF", library()).value == rolled("r10+1")  # 5 of armour, less 4
    assert secondary(clad, "EVA", library()).value == rolled("r10+1")
    for name in ("INIT", "FORT", "WILL"):
        assert secondary(clad, name, library()).value == secondary(bare, name, library()).value
    assert speed(clad, library()).total == speed(bare, library()).total - 4


@pytest.mark.rule("mars.effect.stat_changes")
def test_a_temporary_change_does_not_make_armour_lighter() -> None:
    clad = wearing("chainmail", STR="r10")
    effects = (MarsEffect("stat_change", stat="STR", value=9),)
    assert secondary(clad, "DEF", library(), effects=effects).value == rolled("r10+2")  # 3, less 1


@pytest.mark.rule("mars.gap.armour.list", "mars.equipment.armour_slots")
@each_case("name", LEDGER["mars.gap.armour.list"].data)
def test_every_piece_of_armour_protects_as_listed(name: str) -> None:
    row = LEDGER["mars.gap.armour.list"].data[name]
    piece = library().get(Armour, name)
    place = "hand" if piece.is_shield else "worn"
    strong = {"STR": "r20"}
    bare, clad = somebody(**strong), wearing(name, place=place, **strong)
    assert armour_rating(clad, library()).total == row["AR"]
    assert damage_reduction(clad, library()).total == row["DR"]
    for defence in ("DEF", "EVA"):
        got = secondary(clad, defence, library()).maximum - secondary(bare, defence, library()).maximum
        assert got == row["AR"]
    assert armour_penalty(wearing(name, place=place, STR="r8-6"), library()).total == -max(0, -(-(row["STR"] - 2) // 2))
    assert (piece.price, piece.weight, "+".join(piece.slots)) == (row["price"], Fraction(str(row["kg"])), row["slots"])
    features = (str(piece.features.parry) if piece.features.parry else None, piece.block, piece.durability)
    assert features == (row.get("parry"), row.get("block"), row.get("durability"))
    stowed = wearing(name, place="pack", **strong)
    assert (armour_rating(stowed, library()).total, damage_reduction(stowed, library()).total) == (0, 0)


@pytest.mark.rule("mars.gap.armour.shields")
def test_a_broken_shield_gives_no_armour_rating() -> None:
    whole = somebody(belongings=(ItemStack("medium_shield", place="hand", left=1),))
    broken = somebody(belongings=(ItemStack("medium_shield", place="hand", left=0),))
    assert [armour_rating(one, library()).total for one in (whole, broken)] == [1, 0]
    assert library().get(Armour, "buckler").block is None


@pytest.mark.rule("mars.gap.armour.critical_defense")
@pytest.mark.parametrize(("name", "defense"), [("half_helm", 1), ("full_helm", 1), ("padded", 0)])
def test_helms_defend_against_critical_hits(name: str, defense: int) -> None:
    assert worn(wearing(name).belongings, library()).critical_defense == defense


@pytest.mark.rule("mars.gap.armour.limited_vision", "mars.gap.armour.noisy", "mars.gap.armour.locking_grip")
@each_case(
    ("pieces", "one", "when", "net"),
    [
        (["full_helm"], "perception", (), -1),
        (["full_helm"], "athletics", (), 0),
        (["half_helm"], "perception", (), 0),
        (["full_helm"], "agility", ("silent_movement",), 0),
        (["full_plate"], "agility", ("silent_movement",), -1),
        (["full_plate"], "agility", (), 0),
        (["full_plate"], "athletics", ("silent_movement",), 0),
        (["vambraces"], "agility", ("silent_movement",), -1),
        (["gauntlets"], "agility", ("silent_movement",), -1),
        (["plated_boots"], "agility", ("silent_movement",), -1),
        (["full_plate", "gauntlets", "plated_boots"], "agility", ("silent_movement",), -1),  # several count once
        (["gauntlets"], "athletics", ("disarming",), 1),
        (["gauntlets"], "athletics", (), 0),
        (["vambraces"], "athletics", ("disarming",), 0),
    ],
)
def test_effects_of_armour_on_checks(pieces: list[str], one: str, when: Any, net: int) -> None:
    throw = now(scene_of({"ann": wearing(*pieces, STR="r20")}), "ann").skill(one, when)
    assert throw.advantage - throw.disadvantage == net


@pytest.mark.rule("mars.gap.dice.passive_advantage")
@pytest.mark.parametrize("example", LEDGER["mars.gap.dice.passive_advantage"].examples)
def test_advantage_on_a_passive_value(example: Any) -> None:
    given = example["given"]
    source = (("luck", 1, None),)
    pros, cons = (source if given["net"] > 0 else ()), (source if given["net"] < 0 else ())
    throw = Throw(Rolled.of("skill", rolled(given["roll"])), pros, cons)
    assert throw.passive().value == (0, example["expect"])


@pytest.mark.rule("mars.frame.rounding")
@pytest.mark.parametrize("example", LEDGER["mars.frame.rounding"].examples)
def test_fractions_are_rounded_down(example: Any) -> None:
    assert Tally.of("x", example["given"]["value"]).scale(Fraction(1, 2), "half").total == example["expect"]


@pytest.mark.rule("mars.frame.rounding")
def test_rounding_up_instead() -> None:
    up = {
        "armour_penalty": -armour_penalty(wearing("chainmail", STR="r10+1"), library()).total,  # half of 1
        "sickness_health_loss": half_up(1),
        "sickness_recovery_loss": half_up(1),
        "language_cost": language_cost(6) - 1,  # half of 3 is 2
    }
    assert set(up) == set(LEDGER["mars.frame.rounding"].data["round_up"])
    assert set(up.values()) == {1}


# ---------------------------------------------------------------------- carrying


@pytest.mark.rule("mars.carry.capacity")
@pytest.mark.parametrize("example", LEDGER["mars.carry.capacity"].examples)
def test_carrying_capacity(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    one = somebody(STR=given["STR"], skills={"athletics": rolled(given["athletics"])}, size=given["size"].lower())
    assert capacity(one, library()).total == expect["light"] * 1000
    assert capacity(one, library(), heavy=True).total == expect["heavy"] * 1000


@pytest.mark.rule("mars.carry.capacity")
def test_capacity_counts_athletics_without_strength_and_no_temporary_change() -> None:
    one = somebody(STR="r12")
    assert capacity(one, library()).total == 36_000
    assert capacity(somebody(STR="r8-9"), library()).total == 0


@pytest.mark.rule("mars.carry.size_multiplier")
@each_case("size", SIZES)
def test_capacity_by_size(size: Any) -> None:
    exact = Fraction(27_000) * Fraction(str(LEDGER["mars.carry.size_multiplier"].data[size.replace("_", " ").title()]))
    one = somebody(STR="r8+1", size=size)
    assert capacity(one, library(), rounding="exact").total == exact
    assert capacity(one, library(), rounding="floor").total == exact // 1000 * 1000


@pytest.mark.rule("mars.carry.encumbrance")
@pytest.mark.parametrize("example", LEDGER["mars.carry.encumbrance"].examples)
def test_loads_beyond_capacity(example: Any) -> None:
    one = somebody(STR="r12", skills={"athletics": rolled("r4")})  # 48 and 80 kg
    load = (ItemStack("cloak", example["given"]["load"]),)
    assert load_carried(load, library()).total == example["given"]["load"] * 1000
    assert encumbrance(one, library(), load) == example["expect"]


@pytest.mark.rule("mars.carry.lifting")
@pytest.mark.parametrize(("how", "factor"), LEDGER["mars.carry.lifting"].data.items())
def test_lifting_and_dragging(how: str, factor: int) -> None:
    one = somebody(STR="r12", skills={"athletics": rolled("r4")})
    assert lifting(one, library(), how).total == 80_000 * factor


@pytest.mark.rule("mars.gap.talent.other_stat", "mars.gap.ancestry.abilities")
def test_strong_backs_carry_as_if_larger() -> None:
    assert carrying_size(MarsCharacter(name="X", ancestry="dwarf"), library()) == "large"
    both = MarsCharacter(name="X", ancestry="dwarf", talents=Ranks({"weightlifter": 1}))
    assert carrying_size(both, library()) == "very_large"
    assert carrying_size(somebody(size="huge", talents={"weightlifter": 1}), library()) == "huge"


@pytest.mark.rule("mars.carry.encumbrance", "mars.effect.overencumbered", "mars.move.speed_modifiers")
@pytest.mark.parametrize(
    ("torches", "word"), [(48, "none"), (49, "encumbered"), (80, "encumbered"), (81, "overencumbered")]
)
def test_the_load_may_be_as_heavy_as_the_capacity(torches: int, word: str) -> None:
    one = fighter("Ann", STR="r10", skills={"athletics": "r6"}, pack={"torch": torches})  # 16 times 3 kg, or 5 kg
    assert encumbrance(one, library(), one.belongings) == word
