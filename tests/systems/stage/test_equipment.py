"""Things: Size and hands, Integrity, material, Resistance, loads, range increments, armour sets, the starter lists."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from systems.stage.people import OPTIONS, alone, library, numbers, person, plan, refused, scene_of, somebody
from tablewright.engine.tally import Part
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import ANYONE
from tablewright.game.rules.ledger import Ledger
from tablewright.game.values import freeze
from tablewright.systems.stage.belongings import damage_to, damaged, mended
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.character.figures import (
    Limits,
    armour_set,
    can_damage,
    figures,
    first_increment,
    furthest,
    hands_for,
    load,
    load_limits,
    load_penalty,
    range_penalty,
    resistance,
    too_much_energy,
)
from tablewright.systems.stage.character.gear import item_of
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.content import GRADES, Armour, Weapon
from tablewright.systems.stage.modifiers import limits_now, rolled
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.sheet import sheet

LEDGER = Ledger.load("stage")


def exact(number: Any) -> Fraction:
    return Fraction(str(number))


# ---------------------------------------------------------------------- the lists


@pytest.mark.rule("stage.gap.equipment.armour", "stage.equipment.armor")
def test_armour_that_is_not_worn_or_broken_stops_nothing() -> None:
    for armour in library().of(Armour):
        place = "hand" if armour.is_shield else "worn"
        for where, left in (("pack", None), ("belt", None), ("worn" if place == "hand" else "hand", None), (place, 0)):
            carried = somebody(9).changed(belongings=(ItemStack(armour.id, place=where, left=left),))
            assert armour_set(carried, OPTIONS, library()).total == 0


@pytest.mark.rule("stage.gap.equipment.armour", "stage.equipment.armor")
def test_maxima_add_up_and_resistance_does_not() -> None:
    (example,) = LEDGER["stage.gap.equipment.armour"].examples
    guard = person("guard")
    assert {one.item for one in guard.belongings} == {*example["given"]["worn"], *example["given"]["also"]}
    assert armour_set(guard, OPTIONS, library()).total == example["expect"]["max_defense_points"]
    assert resistance(guard, OPTIONS, library()).total == example["expect"]["resistance"]
    assert load(guard, OPTIONS, library()) == example["expect"]["load"]
    both = guard.changed(belongings=(ItemStack("plate_harness", place="worn"), ItemStack("mail_shirt", place="worn")))
    assert resistance(both, OPTIONS, library()).total == 2
    assert resistance(both, StageOptions(resistance_stacking="sum"), library()).total == 3
    bear = person("bear").changed(belongings=(ItemStack("mail_shirt", place="worn"),))
    assert resistance(bear, OPTIONS, library()).total == 2  # the hide, and the mail


@pytest.mark.rule("stage.magic.cast_skill", "stage.magic.cast_check")
def test_a_spell_is_cast_with_its_own_skill() -> None:
    caster = somebody(3, spells=("flare", "searing_hand"))
    for school in ("infusion", "projection"):
        assert numbers(plan(caster, f"{school}.cast", spell="searing_hand", difficulty=3))[0] == "leveled"
    refused("Flare is cast with Projection, not Infusion", plan, caster, "infusion.cast", spell="flare", difficulty=3)
    with pytest.raises(IllegalActionError, match="does not know Wither, but Flare, Searing Hand"):
        plan(caster, "infusion.cast", spell="wither", difficulty=3)
    assert numbers(plan(caster, "projection.cast", spell="flare", size=7))[3] == 3
    assert numbers(plan(somebody(3, spells=("blink",)), "apportation.cast", spell="blink"))[3] == 6  # its own


# ---------------------------------------------------------------------- enchanted things


def enchanted(item: str, place: str, *names: str, **energy: int) -> ItemStack:
    return ItemStack(item, place=place, more=freeze({"enchantments": list(names), "energy": energy}))


def with_things(*things: ItemStack, **fields: Any) -> StageCharacter:
    return somebody(**fields).changed(belongings=things)


@pytest.mark.rule("stage.magic.use_limits")
def test_the_energy_of_wielded_items_is_limited_by_levels() -> None:
    for example in LEDGER["stage.magic.use_limits"].examples:
        given = example["given"]
        things = [enchanted("wand", "hand", "returning", **dict(one)) for one in given["items"]]
        one = with_things(*things, guile=given["body"], academics=given["mind"], perception=given["soul"])
        over = too_much_energy(one, one.belongings, OPTIONS, library())
        assert (not over) is example["expect"]["usable"]
        stored = one.changed(belongings=tuple([ItemStack(x.item, place="pack", more=x.more) for x in things]))
        assert not too_much_energy(stored, stored.belongings, OPTIONS, library())


@pytest.mark.rule("stage.gap.character.starting_equipment", "stage.encumbrance.loads")
def test_the_sheet_lists_other_items_than_weapons_and_all_magic_ones() -> None:
    """Weapons without magic stand among the attacks, and armour has a table of its own."""
    keen, plain = enchanted("short_sword", "hand", "keen_edge", vitality=1), ItemStack("spear", place="pack")
    shown = sheet(with_things(keen, plain, ItemStack("rope", place="pack", count=2)), OPTIONS, library())
    (carried,) = [section for section in shown.sections if section.title == "Belongings"]
    things = [(one.label, one.value, one.note) for one in carried.entries if one.rule is None and one.tally is None]
    assert things == [("Short sword", 1, "hand, keen_edge"), ("Rope, 10 m", 2, "pack"), ("Load", "4", "")]


@pytest.mark.rule("stage.magic.enchantment_types", "stage.gap.magic.enchantments", "stage.magic.use_limits")
def test_passive_enchantments_work_while_they_are_wielded() -> None:
    sword = library().get(Weapon, "short_sword")
    keen = enchanted("short_sword", "hand", "keen_edge", vitality=1)
    fighter = with_things(keen, close_combat=2, guile=1)
    attack = rolled(alone(fighter), "close_combat.attack", weapon=sword)
    assert attack.flat.total == 1
    assert rolled(alone(fighter), "brawl.attack").flat.total == 0  # it is the sword's edge
    assert (
        rolled(alone(fighter), "close_combat.attack", weapon=library().get(Weapon, "club")).flat.total == 1
    )  # the club's own
    sheathed = with_things(enchanted("short_sword", "belt", "keen_edge", vitality=1), close_combat=2)
    assert rolled(alone(sheathed), "close_combat.attack", weapon=sword).flat.total == 0
    weak = with_things(enchanted("short_sword", "hand", "keen_edge", vitality=4), close_combat=2, guile=1)
    assert rolled(alone(weak), "close_combat.attack", weapon=sword).flat.total == 0
    mail = with_things(enchanted("mail_shirt", "worn", "hardening", vitality=2), guile=6)
    assert resistance(mail, OPTIONS, library()).total == 2
    assert resistance(mail, StageOptions(magic="off"), library()).total == 1
    ring = with_things(enchanted("wand", "hand", "vigour", vitality=2), guile=6)
    assert (figures(ring, OPTIONS, library()).stamina, resistance(ring, OPTIONS, library()).total) == (8, 0)
    calm = with_things(enchanted("wand", "hand", "clear_mind", sanity=2), academics=2, perception=2)
    assert rolled(alone(calm), "perception.detect").flat.total == 1
    assert rolled(alone(calm), "academics.knowledge").flat.total == 0
    active = with_things(enchanted("wand", "hand", "warding", sanity=2), academics=2)
    assert not rolled(alone(active), "academics.knowledge").flat.parts


@pytest.mark.rule("stage.magic.combine_enchantments", "stage.modifier.special_flat")
def test_several_enchantments_add_up_as_far_as_the_level() -> None:
    sword = library().get(Weapon, "short_sword")
    for times, bonus in ((1, 1), (2, 2), (3, 3)):
        keen = enchanted("short_sword", "hand", *["keen_edge"] * times, vitality=times)
        fighter = with_things(keen, close_combat=3)
        assert rolled(alone(fighter), "close_combat.attack", weapon=sword).flat.total == bonus
    for level, stamina in ((4, 8), (6, 10)):  # two times 2, but no more than the Body level; the energy is 4
        vigorous = with_things(enchanted("wand", "hand", "vigour", "vigour", vitality=4), guile=level)
        assert figures(vigorous, OPTIONS, library()).stamina == stamina
    three = with_things(enchanted("wand", "hand", "vigour", "vigour", "vigour", vitality=4), guile=4)
    assert figures(three, OPTIONS, library()).stamina == 8


# ---------------------------------------------------------------------- properties of things


@pytest.mark.rule("stage.equipment.size")
def test_hands_that_an_item_takes() -> None:
    for example in LEDGER["stage.equipment.size"].examples:
        given = example["given"]
        assert hands_for(given["weapon_size"], given["creature_size"]) == example["expect"]["hands"]
    assert [hands_for(size, 6) for size in (4, 5, 6, 7)] == [1, 2, 2, None]
    assert [hands_for(size, 8) for size in (6, 7, 8, 9)] == [1, 2, 2, None]


@pytest.mark.rule("stage.equipment.material")
def test_only_an_equal_or_superior_material_damages() -> None:
    for grade, names in LEDGER["stage.equipment.material"].data["grades"].items():
        assert {GRADES[name] for name in names} == {int(grade)}
    for example in LEDGER["stage.equipment.material"].examples:
        given = example["given"]
        assert can_damage(GRADES[given["attacker"]], GRADES[given["item"]]) is example["expect"]["can_damage"]
    assert {GRADES[name] for name in ("cloth", "leather", "glass")} == {1}
    sword = item_of("long_sword", library())
    assert damage_to(sword, 5, "iron") == 0
    assert damage_to(sword, 5, "steel") == 4
    assert damage_to(sword, 5, None) == 4  # a spell is of no material


@pytest.mark.rule("stage.equipment.resistance", "stage.equipment.integrity")
def test_damage_to_things() -> None:
    shield, mail = item_of("small_shield", library()), item_of("mail_shirt", library())
    assert (damage_to(shield, 3, "steel"), damage_to(mail, 3, "steel"), damage_to(mail, 1, "steel")) == (3, 2, 0)
    assert damage_to(mail, 3, "steel", bypass=True) == 3
    mine = (ItemStack("small_shield", place="hand"), ItemStack("rope"))
    hit = damaged(mine, "small_shield", 4, library())
    assert hit[0].left == 2
    gone = damaged(hit, "small_shield", 4, library())
    assert gone[0].left == 0
    whole = mended(gone, "small_shield", library())
    assert whole[0] == mine[0]
    alike = (ItemStack("small_shield", 2, left=1),)
    assert sorted([(one.count, one.left) for one in mended(alike, "small_shield", library())], key=str) == [
        (1, 1),
        (1, None),
    ]


@pytest.mark.rule("stage.encumbrance.loads")
def test_loads_and_what_they_cost() -> None:
    limits = Limits(4, 8, 12)
    rows = {4: (0, 0), 4.5: (0, 0), 5: (1, 0), 8: (4, 0), 9: (4, 1), 12: (4, 4)}
    for weighs, expected in rows.items():
        assert load_penalty(exact(weighs), limits)[:2] == expected
    assert load_penalty(exact(9), limits, "dice_only")[:2] == (0, 1)
    assert load_penalty(exact(8), limits, "dice_only")[:2] == (4, 0)
    assert [load_penalty(exact(weighs), limits).too_much for weighs in (12, 12.5)] == [False, True]
    carrier = somebody(guile=4, academics=2).changed(belongings=(ItemStack("rope", 9),))
    throw = rolled(alone(carrier), "academics.knowledge")
    assert (throw.dice.total, throw.flat.total) == (1, -4)
    assert throw.penalties == (4,)
    only = rolled(alone(carrier, StageOptions(max_load_penalty="dice_only")), "academics.knowledge")
    assert (only.dice.total, only.flat.total) == (1, 0)


@pytest.mark.rule("stage.modifier.special_flat", "stage.check.distribution")
def test_free_bonuses_are_cut_where_special_ones_pass_their_limit() -> None:
    few = alone(somebody(guile=3))
    parts = [Part("height", 2, None, "mundane"), Part("song", 2, None, "special"), Part("spell", 3, None, "special")]
    throw = rolled(few, "guile.sneak", flat=[*parts, Part("mud", -1, None, "penalty")])
    assert throw.flat.total == 2 + 3 - 1
    assert (throw.bonuses, throw.penalties) == ((2, 2, 1), (1,))
    much = rolled(few, "guile.sneak", flat=[*parts, Part("charm", 3, None, "special")])
    assert (much.bonuses, sum(much.bonuses)) == ((2, 2, 1), much.flat.total)
    free = rolled(alone(somebody(guile=9)), "guile.sneak", flat=parts)
    assert free.bonuses == (2, 2, 3)


@pytest.mark.rule("stage.encumbrance.size")
def test_capacity_by_size() -> None:
    for size, changes in LEDGER["stage.encumbrance.size"].data.items():
        one = somebody(4, size=int(size))  # Body level 32
        limits = [tally.total for tally in load_limits(one, OPTIONS, library())]
        assert limits == [max(1, 32 * times + change) for times, change in zip((1, 2, 3), changes, strict=True)]
    tiny = somebody(guile=1, size=4)
    assert [tally.total for tally in load_limits(tiny, OPTIONS, library())] == [1, 1, 1]
    half = [tally.total for tally in load_limits(somebody(guile=5), OPTIONS, library(), Fraction(1, 2))]
    assert half == [2, 5, 7]


@pytest.mark.rule("stage.environment.gravity", "stage.environment.heat")
@pytest.mark.parametrize(
    ("fact", "value", "limits"),
    [
        ("gravity", "normal", (5, 10, 15)),
        ("gravity", "very_high", (1, 1, 1)),
        ("gravity", "high", (2, 5, 7)),
        ("gravity", "low", (10, 20, 30)),
        ("gravity", "very_low", (50, 100, 150)),
        ("gravity", "zero", None),
        ("heat", True, (2, 5, 7)),
    ],
)
def test_sources_of_a_changed_load(fact: str, value: Any, limits: tuple[int, ...] | None) -> None:
    scene = scene_of({"ann": somebody(guile=5, name="Ann").changed(belongings=(ItemStack("rope", 4),))})
    scene = replace(scene, facts=scene.facts.set(fact, ANYONE, value))
    subject = rulebook.subject(scene["ann"], scene)
    assert limits_now(subject) == limits
    over = 0 if limits is None else max(0, min(4, limits[1]) - limits[0])
    assert rolled(subject, "guile.sneak").flat.total == -over


@pytest.mark.rule("stage.equipment.range_increment", "stage.terrain.high_ground")
def test_range_increments() -> None:
    for example in LEDGER["stage.equipment.range_increment"].examples:
        given = example["given"]
        assert range_penalty(given["distance"], given["increment"]) == example["expect"]["penalty_dice"]
    assert [range_penalty(distance, 3, 1) for distance in (6, 7, 9, 10)] == [0, 1, 1, 2]
    assert first_increment(5, 2) == 15  # two doublings make it three times as long
    assert (furthest(3, 10), furthest(3, 1), furthest(3, 10, 1)) == (30, 3, 33)
    low, high = StageOptions(max_increments=1), StageOptions(max_increments=100)
    assert furthest(5, low.max_increments) == 5
    assert furthest(5, high.max_increments) == 500
