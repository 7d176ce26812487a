"""Legal choices: attacks on the fallen, bare hands, two equal weapons, combined powers, steps, training."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import events, status
from systems.stage.fights import act, closed, duel, fighter, offered, place, playing, session_with
from systems.stage.people import library, person, somebody
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import Facts
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.effects import Effect, until_turn_of
from tablewright.game.scene.scene import LooseItem
from tablewright.systems.stage.actions.aim import blocks, forms
from tablewright.systems.stage.actions.defences import defences
from tablewright.systems.stage.bots import POOR, rate
from tablewright.systems.stage.chapters.spells import SPELL, casting_of, upkeeps
from tablewright.systems.stage.content import Spell
from tablewright.systems.stage.effects import Power
from tablewright.systems.stage.now import arm_named

ONE = {"dice for the first roll": "1"}


# ---------------------------------------------------------------------- the fallen


@pytest.mark.rule("stage.attack.hit_difficulty", "stage.attack.procedure")
@pytest.mark.parametrize(
    ("lies", "open_"), [({"unconscious": "a blow"}, True), ({"spirit": 0}, True), ({"vitality": 0}, False), ({}, True)]
)
def test_the_fallen_can_be_attacked_and_the_dead_cannot(lies: dict[str, Any], open_: bool) -> None:
    session = duel(fighter(), fighter(agility=3), place(fighter(), "foes", who="cat"), theirs=lies)
    assert ("attack:bob:spear" in offered(session)) is open_
    assert ("power_attack:bob:spear" in offered(session)) is open_
    assert ("non_lethal:bob:spear" in offered(session)) is (open_ and not lies)
    if lies and open_:
        act(session, "attack:bob:spear", faces=[[3], [1, 1]], choices=ONE)
        assert events(session, "Attacked")[0].hit
        assert rate(session.scene, "ann", ActionUse("attack", "bob", "spear")) == POOR
        assert rate(session.scene, "ann", ActionUse("attack", "cat", "spear")) != POOR


@pytest.mark.rule("stage.defense.deflect")
@pytest.mark.parametrize(("lies", "able"), [({"unconscious": "a blow"}, True), ({"vitality": 0}, False)])
def test_allies_deflect_for_the_fallen(lies: dict[str, Any], able: bool) -> None:
    cat = fighter(defense=3, has=["mail_shirt@worn"])
    found = blocks(
        duel(fighter(), fighter(defense=1, has=["padded_coat@worn"]), place(cat, "foes", who="cat"), theirs=lies).scene,
        "bob",
        "body",
    )
    assert (found.ally, found.blocks) == ("cat" if able else "", ())


@pytest.mark.rule("stage.defense.deflect", "stage.mount.defend", "stage.power_effect.defend_other")
def test_a_rider_has_the_help_of_allies_where_the_mount_gives_none() -> None:
    cat = fighter(defense=3, agility=2, powers=("interference",), has=["mail_shirt@worn"])
    for mount_ap, defender in ((0, "cat"), (3, "hor")):
        people = [
            place(fighter(), "foes", who="ann"),
            place(fighter(survival=2), "party", who="bob", rides="hor"),
            place(person("riding_horse"), "party", who="hor", ap=mount_ap),
            place(cat, "party", who="cat"),
        ]
        scene = session_with(people).scene
        assert blocks(scene, "bob", "body").ally == "cat"
        assert defences(scene, "bob", "ann", melee=False).ally == defender


# ---------------------------------------------------------------------- with what


@pytest.mark.rule("stage.attack.disarm")
@pytest.mark.parametrize(("use", "dice"), [("disarm:bob", 1), ("disarm:bob:brawl", 5)])
def test_a_character_who_is_armed_may_disarm_with_bare_hands(use: str, dice: int) -> None:
    ann = somebody(brawl=5, close_combat=1, perception=1, academics=1, has=["dagger@hand"])
    session = duel(ann, fighter())
    act(session, use, faces=[[6] * dice], choices={"how to defend": "nothing"})
    assert status(session).ap == 1
    held = {one.item: one.place for one in status(session).belongings}
    assert held == ({"dagger": "hand"} if dice == 1 else {"dagger": "hand", "spear": "hand"})


@pytest.mark.rule("stage.attack.disarm", "stage.equipment.size")
@pytest.mark.parametrize(("has", "where"), [(["small_shield@hand", "dagger@belt"], "pack"), ([], "hands")])
def test_a_weapon_that_was_won_needs_free_hands(has: list[str], where: str) -> None:
    ann = somebody(brawl=5, perception=1, academics=1, has=has)
    session = duel(ann, fighter(has=["great_sword@hands"]))
    act(session, "disarm:bob", faces=[[6] * 5], choices={"how to defend": "nothing"})
    assert next(one.place for one in status(session).belongings if one.item == "great_sword") == where


@pytest.mark.rule("stage.power_effect.attack_form")
@pytest.mark.parametrize(("count", "open_"), [(1, False), (2, True)])
def test_two_weapons_of_one_kind_are_two(count: int, open_: bool) -> None:
    ann = somebody(close_combat=3, perception=1, academics=1, powers=("two_weapon_fighting",))
    session = duel(ann.changed(belongings=(ItemStack("dagger", count, "hand"),)), fighter())
    assert ("attack:bob:dagger+two_weapon_fighting" in offered(session)) is open_


@pytest.mark.rule("stage.magic.app_cast")
def test_a_power_changes_a_spell_of_every_element() -> None:
    mage = somebody(6, spells=("flare",), powers=("quick_flame",))
    quick = [use for use in offered(duel(mage, fighter())) if use.endswith("+quick_flame")]
    elements = {one.name for one in library().get(Spell, "flare").elements}
    assert {use.partition("=")[2].partition("+")[0] for use in quick} == elements
    assert len(elements) == 3


@pytest.mark.rule("stage.power.reuse", "stage.modifier.special_flat")
def test_flat_bonuses_of_two_skills_are_announced_together() -> None:
    own = fighter(agility=2, guile=3, powers=("finesse", "surprise_attack", "melee_expert"))
    scene = duel(own, fighter()).scene
    arm = arm_named(scene, "ann", "spear")
    assert arm is not None
    found = {form.name: form for form in forms(scene, "ann", arm, "bob").forms}
    both = found["finesse+surprise_attack"]
    assert (sorted(both.bonuses), both.points) == ([2, 3], 2)
    assert "finesse+melee_expert" in found


@pytest.mark.rule("stage.magic.app_counter", "stage.power_effect.ap_cost")
@pytest.mark.parametrize(("ap", "names"), [(0, ["counter+voiding_symbol"]), (1, ["counter", "counter+voiding_symbol"])])
def test_a_counter_for_no_ap_needs_none(ap: int, names: list[str]) -> None:
    bob = somebody(6, powers=("voiding_symbol",))
    scene = duel(somebody(6), bob, theirs={"ap": ap}).scene
    school = next(one.skill for one in library().of(Power) if one.id == "voiding_symbol")
    found = [way.name for way in defences(scene, "bob", "ann", melee=False, school=school).ways]
    assert [name for name in found if name.startswith("counter")] == names
    assert ("dodge" in found) is (ap == 1)


# ---------------------------------------------------------------------- steps, training, loads


@pytest.mark.rule("stage.movement.cubes", "stage.agility.dodge_rules")
def test_a_character_who_dodged_may_step_next_to_a_character_in_the_cube() -> None:
    people = [
        place(fighter(), "foes", (5, 5), who="ann", beside=("bob",)),
        place(fighter(agility=2), "party", (5, 5), who="bob", beside=("ann",)),
        place(fighter(), "party", (5, 5), who="cat"),
        place(fighter(), "party", (6, 5), who="dan"),
    ]
    session = session_with(people)
    choices = {**ONE, "how to defend": "dodge", "move after": "step:cat"}
    act(session, "attack:bob:spear", faces=[[6, 6], [1]], choices=choices)
    assert status(session, "bob").beside == ("cat",)
    session = session_with(people)
    with pytest.raises(Exception, match="step:dan"):
        act(session, "attack:bob:spear", faces=[[6, 6], [1]], choices={**choices, "move after": "step:dan"})


@pytest.mark.rule("stage.check.minimum", "stage.medicine.first_aid")
def test_tricks_and_care_need_no_training() -> None:
    session = duel(fighter(), fighter(), place(fighter(), "party", who="cat", vitality=1, stamina=1))
    for use in ("first_aid:cat", "treat:cat", "bluff:bob", "insult:bob", "bully:bob", "distract:bob"):
        assert use in offered(session)
    for poor in (ActionUse("bluff", "bob"), ActionUse("first_aid", "cat")):
        assert rate(session.scene, "ann", poor) == POOR
    act(session, "bluff:bob", faces=[[1], [2]])
    assert status(session, "bob").ap == 2


@pytest.mark.rule("stage.encumbrance.loads", "stage.equipment.retrieve")
@pytest.mark.parametrize(("gravity", "open_"), [("very_low", True), ("low", False), ("", False)])
def test_nobody_takes_up_more_than_the_maximum_load(gravity: str, open_: bool) -> None:
    weak = somebody(agility=1, perception=1, academics=1, has=["great_sword@pack"])
    facts = Facts().set("gravity", "ann", gravity) if gravity else Facts()
    session = duel(weak, fighter(), facts=facts)

    scene = replace(session.scene, loose_items=(LooseItem("great_sword", "bob"),))
    lying = playing(scene)
    assert ("take_up::great_sword" in offered(lying)) is open_
    if not open_:
        assert closed(lying, "take_up")[1] == "stage.encumbrance.loads"


# ---------------------------------------------------------------------- what the rules let people choose


@pytest.mark.rule("stage.magic.concentration", "stage.power_effect.spell_modifier")
@pytest.mark.parametrize(
    ("own", "prices"),
    [
        ((), {"": {"ap": 2}}),
        (("battle_meditation",), {"": {"ap": 1}}),
        (("battle_mage",), {"": {"ap": 2}, "battle_mage": {"intellect": 1}}),
        (("battle_meditation", "battle_mage"), {"": {"ap": 1}, "battle_mage": {"intellect": 1}}),
    ],
)
def test_a_spell_is_kept_up_for_ap_or_for_a_point_as_the_caster_likes(own: Any, prices: dict[str, Any]) -> None:
    session = duel(somebody(3, powers=own, spells=("ward",)), fighter())
    assert {name: dict(price.amounts) for name, price in upkeeps(session.scene, "ann", "ward").items()} == prices
    ward = Effect("ward", until_turn_of(session.scene, "ann", 0, edge="end"), by="ann", source=f"{SPELL}ward")
    session = duel(somebody(3, powers=own, spells=("ward",)), fighter(), mine={"lasting": (ward,)})
    uses = [use for use in offered(session) if use.startswith("concentrate")]
    assert uses == [f"concentrate:ann:ward{'+' if name else ''}{name}" for name in prices]
    if "battle_mage" in prices:
        before = status(session).intellect
        act(session, uses[-1])
        assert (status(session).ap, before - status(session).intellect) == (3, 1)


@pytest.mark.rule("stage.opposed.basic", "stage.manipulation.insult")
@pytest.mark.parametrize(("answer", "dice"), [("perception.intuition", 1), ("manipulation.insult", 3), ("", 3)])
def test_the_target_chooses_what_it_resists_with(answer: str, dice: int) -> None:
    session = duel(somebody(2), fighter(manipulation=3))
    choices = {"resist with what?": answer} if answer else {}
    act(session, "insult:bob", faces=[[6] * dice, [1, 1]], choices=choices)
    assert events(session, "Tried")[0].defence == ("intuition" if dice == 1 else "insult")


@pytest.mark.rule("stage.magic.cast_skill")
def test_a_spell_of_two_skills_is_cast_with_either() -> None:
    spell = next(one for one in library().of(Spell) if len(one.schools) > 1)
    better, other = spell.schools
    mage = somebody(**{better: 5, other: 4}, perception=1, spells=(spell.id,))
    session = duel(mage, fighter(), mine={"stamina": 1})
    casts = [use for use in offered(session) if use.startswith("cast")]
    assert any(f"{spell.id}@{other}" in use for use in casts)
    assert not any(f"{spell.id}@{better}" in use for use in casts)
    for use in casts:
        target, detail = use.split(":")[1:3]
        casting = casting_of(session.scene, "ann", ActionUse("cast", target or None, detail))
        assert casting is not None
        assert casting.school == (other if "@" in detail else better)


@pytest.mark.rule("stage.equipment.retrieve")
def test_lights_and_wands_are_drawn_and_tools_are_not() -> None:
    session = duel(somebody(2, has=["torch@belt", "wand@pack", "medicine_kit@pack", "ration@pack"]), fighter())
    assert [use for use in offered(session) if use.startswith("draw")] == ["draw::torch", "draw::wand"]
    assert rate(session.scene, "ann", ActionUse("draw", detail="torch")) == POOR
    act(session, "draw::torch")
    assert next(one.place for one in status(session).belongings if one.item == "torch") == "hand"
