"""Famous things with their qualities and banes, and what traits and virtues are good for."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.marchen.acts import ann, done, followed, refused, season
from systems.marchen.fights import duel, fighter
from systems.marchen.people import OPTIONS, alone, data, hero, library, plan, somebody, together, total
from systems.playing import status
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.values import Ranks
from tablewright.systems.marchen.character.figures import armour, qualities_of
from tablewright.systems.marchen.character.record import MarchenCharacter
from tablewright.systems.marchen.content import Armour, Trait, Weapon, item_of
from tablewright.systems.marchen.creation import can_use
from tablewright.systems.marchen.modifiers import aspect_of
from tablewright.systems.marchen.now import arms_of, body
from tablewright.systems.marchen.values import ASPECTS, CHARACTERISTICS, SKILLS

FAMOUS = "marchen.gap.quality.effects"


@pytest.mark.rule("marchen.gap.quality.effects")
@each_case("id_", list(data(FAMOUS)))
def test_famous_things_are_as_the_ledger_has_them(id_: str) -> None:
    item = item_of(id_, library())
    rows = {
        one.name: {"bane": one.bane, "check": one.check, "damage": one.damage, "rating": one.rating}
        for one in item.qualities
    }
    nothing = {"bane": False, "check": 0, "damage": 0, "rating": 0}
    assert rows == {name: nothing | dict(row) for name, row in data(FAMOUS)[id_].items()}
    assert item.price is None


def knowing(item: str, known: int, **fields: Any) -> MarchenCharacter:
    """Ann with a famous thing of which some qualities are known."""
    return fighter("Ann", revealed=Ranks({item: known} if known else {}), **fields)


@pytest.mark.rule("marchen.gap.quality.effects")
@pytest.mark.parametrize(("known", "base", "damage"), [(0, -1, 0), (1, -1, 1), (2, 0, 1)])
def test_a_famous_weapon_counts_as_far_as_it_is_known_and_its_bane_always(known: int, base: int, damage: int) -> None:
    scene = duel(knowing("wolfsbane", known, belongings=(ItemStack("wolfsbane", 1, "hand"),))).scene
    arms, sword = arms_of(scene, "ann")["wolfsbane"], arms_of(scene, "bob")["sword"]
    assert (arms.base, arms.plus, sword.base, sword.plus) == (base, damage, 0, 0)


@pytest.mark.rule("marchen.gap.quality.effects")
def test_famous_armour_and_artefacts_add_what_is_known_of_them() -> None:
    for known, rating in ((0, 4), (1, 5)):
        ann = knowing("dragonhide", known, belongings=(ItemStack("dragonhide", 1, "worn"),))
        assert armour(ann, "physical", OPTIONS, library()).total == rating
        assert body(duel(ann).scene, "ann", "physical").armour == rating
    for known in range(3):
        ann = knowing("silver_horn", known, belongings=(ItemStack("silver_horn"),))
        assert total(ann, "leadership", tools="silver_horn") == total(ann, "leadership") + 1 + known
        qualities = [one.name for one in qualities_of(ann, item_of("silver_horn", library()))]
        assert qualities == ["far-heard", "heartening"][:known]


@pytest.mark.rule("marchen.sojourn.loremaster", "marchen.gap.quality.revealing")
def test_a_lore_master_reveals_one_quality_after_the_other() -> None:
    session = alone(hero(belongings=(ItemStack("wolfsbane", 1, "hand"), ItemStack("rope"))))
    for item, told in (
        ("wolfsbane", "Wolfsbane hides keen and the bane thirsty"),
        ("wolfsbane", "Wolfsbane hides sure and the bane thirsty"),
        ("wolfsbane", "Wolfsbane hides the bane thirsty"),
        ("rope", "Rope and hooks hides nothing more"),
    ):
        season(session, f"loremaster:{item}")
        assert followed(session)[-1] == f"ann: {told}"
    assert ann(session).revealed == {"wolfsbane": 2}
    assert refused(session, "loremaster:crown") == "marchen.sojourn.loremaster"


@pytest.mark.rule("marchen.sojourn.treasury", "marchen.gap.quality.revealing")
def test_items_handed_in_are_known_to_their_people() -> None:
    horn: Any = {"belongings": (ItemStack("silver_horn"),), "kind": "character"}
    people = [somebody(name, culture=culture, **horn) for name, culture in (("Ann", "A"), ("Bob", "A"), ("Cid", "B"))]
    session = together(*people)
    done(session, "season", plans=("ann=treasury:silver_horn", "bob=rest", "cid=rest"))
    known = {one.id: dict(one.character.revealed) for one in session.scene.participants}
    assert known == {"ann": {"silver_horn": 2}, "bob": {"silver_horn": 2}, "cid": {}}
    assert status(session).belongings == ()


@pytest.mark.rule("marchen.gap.career.muster_out")
@each_case("item", [*library().of(Weapon), *library().of(Armour)])
def test_nobody_musters_out_with_what_is_not_for_sale(item: Weapon | Armour) -> None:
    ann = somebody(skills={"melee_combat": 1, "unarmed_combat": 1}, home_tl=13)
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
