"""Arms and the DMs of a fight: ranges, cover, aim, armour, every weapon and every assault."""

from __future__ import annotations

import json
from typing import Any

import pytest

from each_case import each_case
from systems.marchen.acts import done
from systems.marchen.fights import SWORD, begun, closed, duel, fighter, on_a_line, parts, ruled, three
from systems.marchen.people import OPTIONS, book, data, library, template
from systems.playing import answer as go_on
from systems.playing import asked, status
from tablewright.game.character.belongings import ItemStack
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.marchen.actions.move import pace
from tablewright.systems.marchen.character.figures import handling
from tablewright.systems.marchen.content import Assault, Creature, Person, Weapon
from tablewright.systems.marchen.now import advantage_now, arms_of, attack_dm, body, range_dm, strikes_back
from tablewright.systems.marchen.values import METRES, tech_difference

# ---------------------------------------------------------------------- DMs of a fight


ARCHER = {"skills": {"ranged_combat": 0, "melee_combat": 0}, "belongings": (ItemStack("bow", 1, "hand"),)}


@pytest.mark.rule("marchen.gap.fight.dms")
def test_cover_light_and_stance() -> None:
    said = data("marchen.gap.fight.dms")
    for fact in ("cover", "light"):
        for word, dm in said[fact].items():
            session = begun(duel())
            session.do("table.set_fact", who="bob", fact=fact, value=word)
            assert parts(session, "ann", "bob", "sword") == {fact: dm}
    assert parts(ruled(begun(duel()), "bob", stance="prone"), "ann", "bob", "sword") == {"prone target": 2}


@pytest.mark.rule("marchen.gap.fight.dms")
@pytest.mark.parametrize(("metres", "dm"), [(2, {"prone target": 2}), (3, {}), (20, {}), (21, {"prone target": -2})])
def test_a_prone_target_is_easy_in_touch_and_hard_from_afar(metres: int, dm: dict[str, int]) -> None:
    session = ruled(duel(fighter("Ann", belongings=(ItemStack("bow", 1, "hand"),))), "bob", stance="prone")
    placed = Session(SessionHeader("marchen", "0.1.0", on_a_line(session, ann=0, bob=metres), 1), book())
    assert parts(placed, "ann", "bob", "bow") == dm


@pytest.mark.rule("marchen.gap.fight.dms", "marchen.gap.range.threatened")
def test_shooting_into_a_melee_and_with_a_foe_in_touch() -> None:
    session = three(fighter("Ann", **ARCHER), fighter("Cid"), fighter("Bob"))
    bow = arms_of(session.scene, "ann")["bow"]
    assert parts(session, "ann", "bob", "bow") == {"into a melee": -2}
    assert parts(session, "cid", "bob", "sword") == {}  # only what is shot can hit a friend
    assert parts(session, "bob", "ann", "sword") == {}
    assert advantage_now(session.scene, "ann", bow) == "disadvantage"
    ruled(session, "bob", down=True)
    assert advantage_now(session.scene, "ann", bow) == "none"
    assert parts(duel(fighter("Ann", **ARCHER)), "ann", "bob", "bow") == {}
    session = three(fighter("Ann", **ARCHER), fighter("Cid"), fighter("Bob"))
    session.do("table.hide", who="cid")  # the DM would tell Bob that someone hides in touch
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
    assert status(session).aim == 3
    hit = go_on(session, "strike:ann:sword", "none", [4, 4], [1, 1, 1], [1, 2])
    assert status(hit).aim == 0
    full = ruled(begun(duel()), "ann", aim=6)
    assert closed(full)["aim"] == "marchen.gap.fight.aim"
    assert attack_dm(full.scene, "ann", "bob", arms_of(full.scene, "ann")["sword"]) == 6
    go_on(full, "strike:bob:sword", "none", [1, 3], [1, 1, 1], [1, 2])
    assert status(full).aim == 0


@pytest.mark.rule("marchen.check.characteristic")
@pytest.mark.parametrize(("adds", "effect", "endure"), [(False, 0, 1), (True, 2, 3)])
def test_characteristic_checks_of_a_fight_may_add_the_aspect(adds: bool, effect: int, endure: int) -> None:
    ann = fighter("Ann", physical=2, stamina=1)
    session = begun(duel(ann, characteristic_check_adds_aspect=adds), 4, 1)
    assert status(session).effect == effect
    assert body(session.scene, "ann", "physical").bearing.endure == endure


@pytest.mark.rule("marchen.tech.difference_dm", "marchen.gap.fight.dms")
def test_weapons_of_another_time_are_harder_to_use() -> None:
    bases = [arms_of(duel(fighter("Ann", home_tl=tl)).scene, "ann")["sword"].base for tl in (0, 1, 3)]
    assert bases == [-1, 0, -2]
    assert arms_of(duel(fighter("Ann", home_tl=9, belongings=())).scene, "ann")["unarmed"].base == -3  # untrained alone
    sword = library().get(Weapon, "sword")
    given = {name: value for name, value in sword.model_dump(mode="json").items() if name != "tl"}
    plain = Weapon.model_validate_json(json.dumps(given))  # a weapon of which nothing is said is no technology
    assert (tech_difference(0, plain.tl), tech_difference(0, sword.tl)) == (0, -1)


# ---------------------------------------------------------------------- arms in hand


@pytest.mark.rule("marchen.gap.fight.minor_actions")
def test_stances_drawing_and_loading() -> None:
    held = (ItemStack("crossbow", 1, "hand"), ItemStack("dagger", 1, "pack"))
    ann = fighter("Ann", belongings=held, skills={"ranged_combat": 0})
    session = begun(duel(ann))
    assert pace(session.scene, "ann") == 6
    go_on(session, "stance::crouched")
    assert pace(session.scene, "ann") == data("marchen.gap.fight.minor_actions")["crouched"]
    shot = begun(duel(ann))
    go_on(shot, "strike:bob:crossbow", "none", [5, 4, 5, 5], [1, 1], [1, 2])
    assert status(shot).unloaded == ("crossbow",)
    go_on(shot, "reload::crossbow")
    assert status(shot).unloaded == ()
    stowed = go_on(begun(duel(ann)), "stow::crossbow", "draw::dagger")
    assert [(one.item, one.place) for one in status(stowed).belongings] == [("crossbow", "pack"), ("dagger", "hand")]
    packed = tuple([ItemStack(item) for item in ("dagger", "shield", "mail", "rope")])
    armed = begun(duel(fighter("Ann", belongings=(*SWORD, *packed))))
    drawn = [one for one in asked(armed) if one.startswith(("draw", "stow"))]
    assert drawn == ["draw::dagger", "draw::shield", "stow::sword"]


@pytest.mark.rule("marchen.ounces.strike", "marchen.ounces.clash", "marchen.fight.control")
@pytest.mark.parametrize(
    ("held", "special", "metres", "found"),
    [
        # by skill and twice the dice: a sword is worth 6, a bow 4 and its specialization, a dagger less
        (("dagger", "sword"), 2, 1, "sword"),
        (("sword", "dagger"), 2, 1, "sword"),
        (("sword", "bow"), 2, 1, "sword"),  # of equals the first
        (("bow", "sword"), 2, 1, "bow"),
        (("sword", "bow"), 3, 1, "bow"),
        (("bow", "sword"), 1, 1, "sword"),
        (("sword", "bow"), 2, 50, "bow"),
        (("sword", "spear"), 2, 50, None),
    ],
)
def test_weapons_to_strike_back_with(held: tuple[str, ...], special: int, metres: int, found: str | None) -> None:
    things = tuple([ItemStack(item, 1, "hand") for item in held])
    known = {"skills": {"melee_combat": 0, "ranged_combat": 1}, "specials": [("ranged_combat", "Bow", special)]}
    scene = duel(fighter("Ann", belongings=things, **known)).scene
    scene = on_a_line(duel(fighter("Ann", belongings=things, **known)), ann=0, bob=metres) if metres > 1 else scene
    arms = strikes_back(scene, "ann", "bob")
    assert (None if arms is None else arms.id) == found
    unloaded = ruled(duel(fighter("Ann", belongings=(ItemStack("bow", 1, "hand"),))), "ann", unloaded='["bow"]')
    assert strikes_back(unloaded.scene, "ann", "bob").id == "unarmed"  # type: ignore[union-attr]


@pytest.mark.rule("marchen.gap.fight.reactions", "marchen.tech.difference_dm", "marchen.gap.weapon.list")
def test_only_items_in_hand_have_conditions() -> None:
    ann = fighter("Ann", belongings=(), natural=("claws",))
    arms = arms_of(begun(duel(ann)).scene, "ann")["claws"]
    claws = library().get(Weapon, "claws")
    assert handling(ann, claws) == handling(ann, claws, 0) != handling(ann, claws, 1)
    assert not [part for part in arms.parts if "conditions" in part[0]]


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


@pytest.mark.rule("marchen.gap.armour.list", "marchen.gap.armour.natural")
def test_hide_and_armour_together_may_be_more_than_any_blow() -> None:
    dressed = fighter("Bob", hide=30, belongings=(ItemStack("battle_dress", 1, "worn"),))
    session = begun(duel(fighter("Ann"), dressed))
    go_on(session, "strike:bob:sword", "none", [4, 5], [6, 6, 6])
    assert status(session, "bob").physical == 0
    done(duel(fighter("Ann"), dressed), "fight_battle", [6, 6, 1, 1, 1, 1, 1], side="party", against="foes")


# ---------------------------------------------------------------------- every weapon and assault


@each_case("weapon", [one for one in library().of(Weapon) if not one.natural and one.price is not None])
@pytest.mark.rule("marchen.gap.weapon.list", "marchen.gap.damage.formula")
def test_every_weapon_does_its_dice(weapon: Weapon) -> None:
    held = (ItemStack(weapon.id, 1, "hand"),)
    ann = fighter("Ann", home_tl=weapon.tl, belongings=held, skills={weapon.skill: 0}, muscle=2)
    every = arms_of(duel(ann).scene, "ann")
    arms = every[weapon.id]
    assert (arms.dice, arms.tier, arms.band, arms.reach) == (weapon.dice, weapon.tier, weapon.band, weapon.reach)
    assert (arms.plus, arms.base) == (2 if weapon.skill == "melee_combat" else 0, 2)
    assert [one.plus for one in every.values() if one.thrown] == [2] * (weapon.thrown is not None)


@each_case("assault", library().of(Assault))
@pytest.mark.rule("marchen.gap.assault.levels")
def test_every_assault_hurts_its_aspect_by_its_dice(assault: Assault) -> None:
    session = begun(duel(fighter("Ann", skills={assault.skills[-1]: assault.dice})))
    needed = 8 - assault.dice
    go_on(session, f"strike:bob:{assault.id}", [needed - 1, 1], [2] * assault.dice, [1, 2])
    assert getattr(status(session, "bob"), assault.aspect) == 2 * assault.dice
    assert status(session, "bob").physical == 0


@pytest.mark.rule("marchen.gap.assault.levels")
@pytest.mark.parametrize(
    ("skill", "level", "dice"),
    [
        ("persuasion", 0, {"snub": 1}),
        ("persuasion", 1, {"snub": 1}),
        ("persuasion", 2, {"public_insult": 2}),
        ("theurgy", 3, {"damnation": 3}),
        ("intimidation", 2, {"public_insult": 2, "terror": 2}),
    ],
)
def test_assaults_take_levels_in_the_skill_itself(skill: str, level: int, dice: dict[str, int]) -> None:
    scene = duel(fighter("Ann", skills={skill: level}, specials=[(skill, "Deep", 3)])).scene
    assert {arms.id: arms.dice for arms in arms_of(scene, "ann").values() if arms.aspect != "physical"} == dice
    assert {one.id: one.dice for one in library().of(Assault)} == data("marchen.gap.assault.levels")["dice"]


@pytest.mark.rule("marchen.gap.assault.levels", "marchen.check.skill")
def test_an_assault_is_a_check_of_its_skill_and_nothing_else() -> None:
    gifted = fighter("Ann", social=1, personality=2, muscle=3, skills={"persuasion": 1, "etiquette": 1, "deception": 0})
    arms = arms_of(duel(gifted, fighter("Bob", skills={"persuasion": 0})).scene, "ann")["snub"]
    assert [(label, value) for label, value, _ in arms.parts] == [("social", 1), ("personality", 2), ("Persuasion", 1)]
    assert (arms.skill, arms.base, arms.plus, arms.reach, arms.band) == ("persuasion", 4, 0, 0, "catch")
    assert (arms.melee, arms.thrown, arms.reload, arms.parries, arms.item) == (False, False, False, False, "")
    plain = arms_of(duel(bob=fighter("Bob", skills={"deception": 0, "etiquette": 0})).scene, "bob")["snub"]
    assert (plain.skill, plain.base, plain.parts) == ("deception", 0, ())  # of equals the first that is listed


@pytest.mark.rule("marchen.tech.difference_dm", "marchen.attack.is_skill_check")
@each_case("entry", [*library().of("templates"), *library().of("creatures")])
def test_the_sheet_has_the_attacks_of_the_fight(entry: Person | Creature) -> None:
    one = template(entry.id).changed(name="Ann")
    (table,) = [part for part in book().sheet(one, OPTIONS, library()).sections if part.title == "Weapons"]
    rows: Any = table.rows
    shown = {row[0]: row[1].total for row in rows}
    every = arms_of(duel(one).scene, "ann").values()
    assert {arms.name: arms.base for arms in every if arms.item and not arms.thrown}.items() <= shown.items()
