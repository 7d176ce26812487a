"""Arms and the DMs of a fight: ranges, cover, aim, armour, every weapon and every assault."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.marchen.fights import SWORD, begun, closed, duel, fighter, parts, ruled
from systems.marchen.people import OPTIONS, book, data, library, options, template, together
from systems.playing import answer as go_on
from tablewright.engine import Choice
from tablewright.engine.odds import expected_value
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.systems.marchen.actions.attack import SUPPOSED, strike_call, worth_of_reactions
from tablewright.systems.marchen.actions.move import pace
from tablewright.systems.marchen.character.record import MarchenCharacter
from tablewright.systems.marchen.content import Assault, Creature, Person, Weapon
from tablewright.systems.marchen.now import (
    advantage_now,
    arms_of,
    attack_dm,
    body,
    dice_of_damage,
    range_dm,
    strikes_back,
)
from tablewright.systems.marchen.status import UnderWay
from tablewright.systems.marchen.values import METRES

# ---------------------------------------------------------------------- DMs of a fight


ARCHER = {"skills": {"ranged_combat": 0, "melee_combat": 0}, "belongings": (ItemStack("bow", 1, "hand"),)}


@pytest.mark.rule("marchen.gap.fight.dms")
def test_cover_light_and_stance() -> None:
    said = data("marchen.gap.fight.dms")
    for word, dm in said["cover"].items():
        session = begun(duel())
        session.do("table.set_fact", who="bob", fact="cover", value=word)
        assert parts(session, "ann", "bob", "sword") == {"cover": dm}
    for word, dm in said["light"].items():
        session = begun(duel())
        session.do("table.set_fact", who="bob", fact="light", value=word)
        assert parts(session, "ann", "bob", "sword") == {"light": dm}
    assert parts(ruled(begun(duel()), "bob", stance="prone"), "ann", "bob", "sword") == {"prone target": 2}


@pytest.mark.rule("marchen.gap.fight.dms", "marchen.gap.range.threatened")
def test_shooting_into_a_melee_and_with_a_foe_in_touch() -> None:
    session = together(fighter("Ann", **ARCHER), fighter("Cid"), fighter("Bob"))
    session.do("table.change_sides", who="bob", side="foes")
    bow = arms_of(session.scene, "ann")["bow"]
    assert parts(session, "ann", "bob", "bow") == {"into a melee": -2}
    assert parts(session, "cid", "bob", "sword") == {}  # only what is shot can hit a friend
    assert parts(session, "bob", "ann", "sword") == {}
    assert advantage_now(session.scene, "ann", bow) == "disadvantage"
    ruled(session, "bob", down=True)
    assert advantage_now(session.scene, "ann", bow) == "none"
    alone = duel(fighter("Ann", **ARCHER))
    assert parts(alone, "ann", "bob", "bow") == {}


@pytest.mark.rule("marchen.gap.fight.dms")
def test_a_comrade_in_hiding_makes_no_melee() -> None:
    """The DM of an archer told its target that someone hides in touch."""
    session = together(fighter("Ann", **ARCHER), fighter("Cid"), fighter("Bob"))
    session.do("table.change_sides", who="bob", side="foes")
    session.do("table.hide", who="cid")
    assert parts(session, "ann", "bob", "bow") == {}


@pytest.mark.rule("marchen.gap.range.bands")
def test_ranges_go_one_band_beyond() -> None:
    scene = duel(fighter("Ann", belongings=(*SWORD, ItemStack("bow", 1, "hand"), ItemStack("spear", 1, "hand")))).scene
    arms = arms_of(scene, "ann")
    assert [range_dm(arms["sword"], metres) for metres in (2, 3)] == [0, None]
    assert [range_dm(arms["spear"], metres) for metres in (3, 4)] == [0, None]
    assert [range_dm(arms["spear/thrown"], metres) for metres in (20, 21, 40, 41)] == [0, -3, -3, None]
    assert [range_dm(arms["bow"], metres) for metres in (100, 101, 1000, 1001)] == [0, -3, -3, None]
    assert METRES["catch"] == 20


@pytest.mark.rule("marchen.gap.fight.aim")
def test_aim_adds_up_and_is_lost_on_being_hit_and_on_attacking() -> None:
    session = go_on(begun(duel()), "aim", "aim", "aim")
    assert session.scene["ann"].status.aim == 3
    hit = go_on(session, "strike:ann:sword", "none", [4, 4], [1, 1, 1], [1, 2])
    assert hit.scene["ann"].status.aim == 0
    full = ruled(begun(duel()), "ann", aim=6)
    assert closed(full)["aim"] == "marchen.gap.fight.aim"
    assert attack_dm(full.scene, "ann", "bob", arms_of(full.scene, "ann")["sword"]) == 6
    go_on(full, "strike:bob:sword", "none", [1, 3], [1, 1, 1], [1, 2])
    assert full.scene["ann"].status.aim == 0


@pytest.mark.rule("marchen.gap.fight.minor_actions")
def test_stances_drawing_and_loading() -> None:
    ann = fighter(
        "Ann",
        belongings=(ItemStack("crossbow", 1, "hand"), ItemStack("dagger", 1, "pack")),
        skills={"ranged_combat": 0},
    )
    session = begun(duel(ann))
    assert pace(session.scene, "ann") == 6
    go_on(session, "stance::crouched")
    assert pace(session.scene, "ann") == data("marchen.gap.fight.minor_actions")["crouched"]
    shot = begun(duel(ann))
    go_on(shot, "strike:bob:crossbow", "none", [5, 4, 5, 5], [1, 1], [1, 2])
    assert shot.scene["ann"].status.unloaded == ("crossbow",)
    go_on(shot, "reload::crossbow")
    assert shot.scene["ann"].status.unloaded == ()
    stowed = go_on(begun(duel(ann)), "stow::crossbow", "draw::dagger")
    assert [(one.item, one.place) for one in stowed.scene["ann"].status.belongings] == [
        ("crossbow", "pack"),
        ("dagger", "hand"),
    ]


@pytest.mark.rule("marchen.ounces.strike", "marchen.ounces.clash", "marchen.fight.control")
def test_weapons_to_strike_back_with() -> None:
    def back(*held: str, special: int = 2, far: bool = False) -> str | None:
        """By skill and twice the dice: a sword is worth 6, a bow 4 and its specialization, a dagger less."""
        things = tuple([ItemStack(item, 1, "hand") for item in held])
        skills = {"melee_combat": 0, "ranged_combat": 1}
        specials = [("ranged_combat", "Bow", special)] if special else []
        session = duel(fighter("Ann", belongings=things, skills=skills, specials=specials))
        if far:
            scene = replace(session.scene, ground=Grid(size=(60, 1)))
            for who, at in (("ann", 0), ("bob", 50)):
                scene = scene.with_participant(replace(scene[who], position=cell(at, 0)))
        else:
            scene = session.scene
        found = strikes_back(scene, "ann", "bob")
        return None if found is None else found.id

    assert (back("dagger", "sword"), back("sword", "dagger")) == ("sword", "sword")
    assert (back("sword", "bow"), back("bow", "sword")) == ("sword", "bow")  # of equals the first
    assert (back("sword", "bow", special=3), back("bow", "sword", special=1)) == ("bow", "sword")
    assert (back("sword", "bow", far=True), back("sword", "spear", far=True)) == ("bow", None)
    unloaded = ruled(duel(fighter("Ann", belongings=(ItemStack("bow", 1, "hand"),))), "ann", unloaded='["bow"]')
    assert strikes_back(unloaded.scene, "ann", "bob").id == "unarmed"  # type: ignore[union-attr]


@pytest.mark.rule("marchen.gap.fight.minor_actions")
def test_weapons_and_shields_can_be_drawn() -> None:
    packed = tuple([ItemStack(item) for item in ("dagger", "shield", "mail", "rope")])
    session = begun(duel(fighter("Ann", belongings=(*SWORD, *packed))))
    assert isinstance(session.question, Choice)
    drawn = [one for one in session.question.ids if one.startswith(("draw", "stow"))]
    assert drawn == ["draw::dagger", "draw::shield", "stow::sword"]


@pytest.mark.rule("marchen.ounces.turn_the_tide", "marchen.gap.fight.reactions")
@pytest.mark.parametrize(("how", "dm"), [("strike", 0), ("turn_the_tide", 1)])
def test_reactions_are_weighed_against_the_attack_as_it_is(how: str, dm: int) -> None:
    session = begun(duel(), 4, 4)
    arms = arms_of(session.scene, "ann")["sword"]
    worth = worth_of_reactions(session.scene, UnderWay("ann", "bob", "sword", how), arms)
    attack = attack_dm(session.scene, "ann", "bob", arms) + dm
    call = strike_call(session.scene, "ann", "bob", arms, attack, tide=bool(dm)).with_arguments(**SUPPOSED._asdict())
    assert worth("none") == -expected_value(call, "harm")
    dodged = call.with_arguments(modifier=attack - 1, reaction="dodge")
    assert worth("dodge") == -expected_value(dodged, "harm")  # a reaction costs something, and that counts


def test_a_thrown_weapon_lies_on_the_ground() -> None:
    ann = fighter("Ann", belongings=(ItemStack("spear", 1, "hand"),), home_tl=0)
    session = begun(duel(ann))
    go_on(session, "strike:bob:spear/thrown", "none", [4, 4, 4, 4], [1, 1, 1], [1, 2])
    assert session.scene["ann"].status.belongings == ()
    assert [one.item for one in session.scene.loose_items] == ["spear"]


@pytest.mark.rule("marchen.check.characteristic")
@pytest.mark.parametrize(("adds", "effect", "endure"), [(False, 0, 1), (True, 2, 3)])
def test_characteristic_checks_of_a_fight_may_add_the_aspect(adds: bool, effect: int, endure: int) -> None:
    ann = fighter("Ann", physical=2, stamina=1)
    session = begun(duel(ann, characteristic_check_adds_aspect=adds), 4, 1)
    assert session.scene["ann"].status.effect == effect
    assert body(session.scene, "ann", "physical").bearing.endure == endure


@pytest.mark.rule("marchen.gap.armour.list", "marchen.gap.armour.natural")
def test_armour_is_worn_and_other_aspects_have_their_own() -> None:
    ann = fighter("Ann", acuity=2, identity=-1, mystery=3, belongings=(*SWORD, ItemStack("mail", 1, "worn")))
    scene = duel(ann).scene
    assert [body(scene, "ann", aspect).armour for aspect in ("physical", "mental", "social", "spiritual")] == [
        5,
        2,
        0,
        3,
    ]


@pytest.mark.rule("marchen.tech.difference_dm")
def test_weapons_of_another_time_are_harder_to_use() -> None:
    bases = [arms_of(duel(fighter("Ann", home_tl=tl)).scene, "ann")["sword"].base for tl in (0, 1, 3)]
    assert bases == [-1, 0, -2]
    assert arms_of(duel(fighter("Ann", home_tl=9, belongings=())).scene, "ann")["unarmed"].base == -3  # untrained alone


@each_case(
    "id_",
    [
        "dagger",
        "cudgel",
        "spear",
        "blade",
        "sword",
        "cutlass",
        "broadsword",
        "halberd",
        "pike",
        "bow",
        "crossbow",
        "revolver",
        "rifle",
        "shotgun",
        "submachinegun",
        "assault_rifle",
        "laser_rifle",
    ],
)
@pytest.mark.rule("marchen.gap.weapon.list", "marchen.gap.damage.formula")
def test_every_weapon_does_its_dice(id_: str) -> None:
    weapon = book_weapon(id_)
    ann = fighter("Ann", home_tl=weapon.tl, belongings=(ItemStack(id_, 1, "hand"),), skills={weapon.skill: 0}, muscle=2)
    scene = duel(ann).scene
    arms = arms_of(scene, "ann")[id_]
    assert (arms.dice, arms.tier, arms.band, arms.reach) == (weapon.dice, weapon.tier, weapon.band, weapon.reach)
    assert arms.plus == (2 if weapon.skill == "melee_combat" else 0)
    assert arms.base == 2
    assert [one.plus for one in arms_of(scene, "ann").values() if one.thrown] == [2] * (weapon.thrown is not None)


def book_weapon(id_: str) -> Weapon:
    """A weapon of the starter pack."""
    found: Weapon = duel().scene.library.get(Weapon, id_)
    return found


@pytest.mark.parametrize(
    "id_",
    [
        f"{one}"
        for one in (
            "snub",
            "public_insult",
            "scandal",
            "fright",
            "terror",
            "psychic_assault",
            "minor_curse",
            "curse",
            "damnation",
        )
    ],
)
@pytest.mark.rule("marchen.gap.assault.levels")
def test_every_assault_hurts_its_aspect_by_its_dice(id_: str) -> None:
    assault = duel().scene.library.get(Assault, id_)
    ann = fighter("Ann", skills={assault.skills[-1]: assault.dice})
    session = begun(duel(ann))
    needed = 8 - assault.dice
    go_on(session, f"strike:bob:{id_}", [needed - 1, 1], [2] * assault.dice, [1, 2])
    status = session.scene["bob"].status
    assert getattr(status, assault.aspect) == 2 * assault.dice
    assert status.physical == 0


@pytest.mark.rule("marchen.tech.difference_dm", "marchen.attack.is_skill_check")
@each_case("entry", [*library().of("templates"), *library().of("creatures")])
def test_the_sheet_has_the_attacks_of_the_fight(entry: Person | Creature) -> None:
    one = template(entry.id).changed(name="Ann")
    scene = duel(one).scene
    shown = {row[0]: row[1].total for row in _attacks(one)}
    fought = {arms.name: arms.base for arms in arms_of(scene, "ann").values() if arms.item and not arms.thrown}
    assert fought.items() <= shown.items()


def _attacks(one: MarchenCharacter) -> list[Any]:
    sheet = book().sheet(one, OPTIONS, library())
    return [row for section in sheet.sections if section.title == "Weapons" for row in section.rows]


@pytest.mark.rule("marchen.gap.damage.tiers")
def test_an_assault_has_a_tier_instead_of_dice_where_damage_goes_by_tiers() -> None:
    scene = together(fighter("Ann", skills={"deception": 1}), fighter("Bob")).scene
    by_tiers = replace(scene, options=options(damage_model="tiers"))
    found = {name: dice_of_damage(by_tiers, arms) for name, arms in arms_of(by_tiers, "ann").items()}
    assert {name: dice for name, dice in found.items() if library().has(Assault, name)} == {"snub": 1, "fright": 1}
