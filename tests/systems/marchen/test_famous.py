"""Famous things with their qualities and banes, and what traits and virtues are good for."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.fights import duel, fighter
from systems.marchen.people import OPTIONS, data, done, followed, library, plan, somebody, together, total
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.values import Ranks
from tablewright.systems.marchen.character.figures import armour, qualities_of
from tablewright.systems.marchen.content import Armour, Trait, Weapon, item_of
from tablewright.systems.marchen.creation import can_use
from tablewright.systems.marchen.modifiers import aspect_of
from tablewright.systems.marchen.now import arms_of, body
from tablewright.systems.marchen.values import ASPECTS, CHARACTERISTICS, SKILLS

FAMOUS = "marchen.gap.quality.effects"


@pytest.mark.rule("marchen.gap.quality.effects")
@pytest.mark.parametrize("id_", list(data(FAMOUS)))
def test_famous_things_are_as_the_ledger_has_them(id_: str) -> None:
    rows = {one.name: one for one in item_of(id_, library()).qualities}
    assert list(rows) == list(data(FAMOUS)[id_])
    for name, row in data(FAMOUS)[id_].items():
        found = rows[name]
        assert (found.bane, found.check, found.damage, found.rating) == (
            row.get("bane", False),
            row.get("check", 0),
            row.get("damage", 0),
            row.get("rating", 0),
        )
    assert item_of(id_, library()).price is None


@pytest.mark.rule("marchen.gap.quality.effects")
@pytest.mark.parametrize(("known", "base", "damage"), [(0, -1, 0), (1, -1, 1), (2, 0, 1)])
def test_a_famous_weapon_counts_as_far_as_it_is_known_and_its_bane_always(known: int, base: int, damage: int) -> None:
    held = (ItemStack("wolfsbane", 1, "hand"),)
    ann = fighter("Ann", belongings=held, revealed=Ranks({"wolfsbane": known} if known else {}))
    arms = arms_of(duel(ann).scene, "ann")["wolfsbane"]
    assert (arms.base, arms.plus) == (base, damage)
    bob = arms_of(duel(ann).scene, "bob")["sword"]
    assert (bob.base, bob.plus) == (0, 0)


@pytest.mark.rule("marchen.gap.quality.effects")
@pytest.mark.parametrize(("known", "rating"), [(0, 4), (1, 5)])
def test_famous_armour(known: int, rating: int) -> None:
    worn = (ItemStack("dragonhide", 1, "worn"),)
    ann = fighter("Ann", belongings=worn, revealed=Ranks({"dragonhide": known} if known else {}))
    assert armour(ann, "physical", OPTIONS, library()).total == rating
    assert body(duel(ann).scene, "ann", "physical").armour == rating


@pytest.mark.rule("marchen.gap.quality.effects")
def test_an_artefact_in_use_adds_what_is_known_of_it() -> None:
    for known in range(3):
        owner = somebody(
            belongings=(ItemStack("silver_horn"),), revealed=Ranks({"silver_horn": known} if known else {})
        )
        assert total(owner, "leadership", tools="silver_horn") == total(owner, "leadership") + 1 + known
        assert [one.name for one in qualities_of(owner, item_of("silver_horn", library()))] == [
            "far-heard",
            "heartening",
        ][:known]


@pytest.mark.rule("marchen.sojourn.loremaster", "marchen.gap.quality.revealing")
def test_a_lore_master_reveals_one_quality_after_the_other() -> None:
    session = together(somebody(kind="character", belongings=(ItemStack("wolfsbane", 1, "hand"), ItemStack("rope"))))
    told = []
    for _ in range(3):
        done(session, "season", plans=("ann=loremaster:wolfsbane",))
        told.append(followed(session)[-1])
    assert told == [
        "ann: Wolfsbane hides keen and the bane thirsty",
        "ann: Wolfsbane hides sure and the bane thirsty",
        "ann: Wolfsbane hides the bane thirsty",
    ]
    assert session.scene["ann"].character.revealed == {"wolfsbane": 2}
    done(session, "season", plans=("ann=loremaster:rope",))
    assert session.scene["ann"].character.revealed == {"wolfsbane": 2}


@pytest.mark.rule("marchen.sojourn.treasury", "marchen.gap.quality.revealing")
def test_items_handed_in_are_known_to_their_people() -> None:
    horn: Any = {"belongings": (ItemStack("silver_horn"),), "kind": "character"}
    people = [somebody(name, culture=culture, **horn) for name, culture in (("Ann", "A"), ("Bob", "A"), ("Cid", "B"))]
    session = together(*people)
    done(session, "season", plans=("ann=treasury:silver_horn", "bob=rest", "cid=rest"))
    known = {one.id: dict(one.character.revealed) for one in session.scene.participants}
    assert known == {"ann": {"silver_horn": 2}, "bob": {"silver_horn": 2}, "cid": {}}
    assert session.scene["ann"].status.belongings == ()


@pytest.mark.rule("marchen.gap.career.muster_out")
def test_nobody_musters_out_with_what_is_not_for_sale() -> None:
    ann = somebody(skills={"melee_combat": 1, "unarmed_combat": 1}, home_tl=13)
    every: list[Weapon | Armour] = [*library().of(Weapon), *library().of(Armour)]
    for item in every:
        skilled = isinstance(item, Armour) or item.skill != "ranged_combat"
        assert can_use(ann, item) == (item.price is not None and skilled)


@pytest.mark.rule("marchen.gap.trait.use")
def test_a_trait_or_virtue_that_speaks_for_a_check_is_one_reason_of_help() -> None:
    ann = somebody(traits=("Well travelled", "Merry"), virtues=("Hospitality",))
    plain = total(ann, "etiquette")
    assert total(ann, "etiquette", trait="hospitality") == plain + 1
    assert total(ann, "etiquette", trait="Well travelled", helps=2) == plain + 1  # help counts once
    assert total(ann, "etiquette", trait="merry", hampers=1) == plain
    with pytest.raises(IllegalActionError, match="no trait and no virtue") as refused:
        plan(ann, "etiquette", trait="Bravery")
    assert refused.value.rule == "marchen.gap.trait.use"


@pytest.mark.rule("marchen.gap.trait.use")
@pytest.mark.parametrize("trait", library().of(Trait), ids=lambda trait: trait.id)
def test_every_trait_of_the_content_helps_with_what_it_is_for(trait: Trait) -> None:
    ann = somebody(traits=(trait.name,))
    of_aspect = [one for one in (*ASPECTS, *CHARACTERISTICS, *SKILLS) if aspect_of(one) == trait.aspect]
    meant = trait.skills or of_aspect
    for what in (*ASPECTS, *CHARACTERISTICS, *SKILLS):
        if what in meant:
            assert total(ann, what, trait=trait.name) == total(ann, what) + 1
        else:
            with pytest.raises(IllegalActionError, match="no help"):
                plan(ann, what, trait=trait.name)
