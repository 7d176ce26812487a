"""Difficulties of attacks: distance, cover, circumstances, called shots, sizes, manoeuvres and rolled modifiers."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import (
    BOW,
    FOE,
    HERO,
    LEDGER,
    begin,
    fact,
    field,
    meeting,
    needed,
    person,
    plan,
    ruled,
    weapon,
)
from systems.opend6.people import C
from systems.playing import answer, last
from tablewright.errors import IllegalActionError
from tablewright.game.play.actions import ActionUse
from tablewright.systems.opend6.actions.aim import COVER, HIDDEN, band, band_at
from tablewright.systems.opend6.character.gear import SIZES, Manner, means_of
from tablewright.systems.opend6.mechanics.blows import Against
from tablewright.systems.opend6.prospects import prospect
from tablewright.systems.opend6.status import Defence


@pytest.mark.rule("opend6.gap.range.bands", "opend6.gap.attack.circumstances")
@each_case(
    ("metres", "name", "standing", "lying"),
    [
        (3, "point_blank", 5, 3),
        (4, "short", 10, 4),
        (10, "short", 10, 4),
        (11, "medium", 15, 21),
        (100, "medium", 15, 21),
        (101, "long", 20, 26),
        (250, "long", 20, 26),
        (251, None, None, None),
    ],
)
def test_a_shot_is_harder_with_the_distance_and_easier_at_the_lying_only_up_to_short_range(
    metres: int, name: str | None, standing: int | None, lying: int | None
) -> None:
    session = begin(person(belongings=BOW), FOE, **field(a="0,0", b=f"{metres},0"))
    assert band(session.scene, "a", "b", weapon(session, "short_bow")) == name
    assert (band(session.scene, "b", "a", weapon(session, "short_sword", "b")) is None) is (metres > 3)
    if name is None:
        return
    assert needed(session, "short_bow") == standing
    foreseen = prospect(session.scene, "a", "b", "short_bow").promise.hits
    ruled(session, "b", "posture", "prone")
    assert needed(session, "short_bow") == lying
    assert (prospect(session.scene, "a", "b", "short_bow").promise.hits > foreseen) is (metres <= 10)


@pytest.mark.rule("opend6.gap.cover.list")
@each_case(("word", "harder"), LEDGER["opend6.gap.cover.list"].data.items())
def test_cover_makes_an_attack_harder_or_impossible(word: str, harder: int | None) -> None:
    session = begin(HERO, FOE)
    before = needed(session, "short_sword")
    fact(session, "b", "cover", word)
    if word == HIDDEN:
        with pytest.raises(IllegalActionError, match="cover"):
            session.rulebook.actions.check(session.scene, "a", ActionUse("slash", "b", "short_sword"))
    else:
        assert needed(session, "short_sword") - before == harder == COVER[word]


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
@each_case("size", list(SIZES))
def test_a_smaller_target_is_harder_to_hit_and_hurts_more(size: str) -> None:
    session = begin(HERO, FOE)
    harder = LEDGER["opend6.gap.attack.called_shot"].data["difficulty"][size]
    assert needed(session, f"short_sword/called/{size}") == 5 + harder
    assert plan(session, f"short_sword/called/{size}").blow.weapon.dice == 1 + (harder > 0)


@pytest.mark.rule("opend6.gap.attack.hit_location")
@each_case(("place", "figures"), LEDGER["opend6.gap.attack.hit_location"].data["locations"].items())
def test_parts_of_the_body(place: str, figures: tuple[int, int]) -> None:
    session = begin(HERO, FOE, options={"attack.hit_locations": True})
    found = plan(session, f"short_sword/called/{place}")
    assert (found.difficulty.total - 5, found.blow.damage_plain) == tuple(figures)
    assert found.blow.fifth is (place in ("torso", "head", "heart"))


@pytest.mark.rule("opend6.gap.attack.scale")
def test_the_smaller_hit_more_easily_and_resist_less() -> None:
    session = begin(person(scale=6), person(FOE, scale=3))
    assert needed(session, "short_sword") == 5 + 3
    found = plan(session, "short_sword", "b", "a")
    assert (found.throw.plain, found.protection.resistance_plain, found.difficulty.total) == (3, 3, 5)


@pytest.mark.rule("opend6.gap.manoeuvre.list")
@each_case(("name", "row"), LEDGER["opend6.gap.manoeuvre.list"].data.items())
def test_manoeuvres_differ_in_difficulty_damage_and_reach(name: str, row: Any) -> None:
    session = begin(HERO, FOE)
    arm = "short_sword" if name in ("all_out", "sweep", "lunge") else "unarmed"
    assert needed(session, f"{arm}/{name}") == max(3, 5 + row["difficulty"])
    if "dice" in row:
        plain = plan(session, arm).blow.weapon.dice
        assert plan(session, f"{arm}/{name}").blow.weapon.dice == plain + row["dice"]
    means = means_of(session.scene, "a", weapon(session, "short_sword"), Manner("short_sword", name))
    assert means.extra_cm == (50 if name == "lunge" else 0)


@pytest.mark.rule("opend6.gap.manoeuvre.list", "opend6.gap.range.bands")
def test_a_lunge_with_a_spear_still_reaches_the_end_of_the_spear() -> None:
    session = begin(person(belongings=[{"item": "spear", "place": "hand"}]), FOE)
    found = [band_at(session.scene, "a", metres, weapon(session, "spear"), 50) for metres in (3, 4, 5, 6)]
    assert found == ["point_blank", "short", "short", None]


@pytest.mark.rule("opend6.gap.manoeuvre.list", "opend6.fate.external_not_doubled")
@pytest.mark.parametrize("physique", ["2D", "5D"])
def test_a_flip_does_what_the_ground_does(physique: str) -> None:
    found = plan(begin(person(attributes={"physique": physique}), FOE), "unarmed/flip").blow
    assert (found.damage, found.weapon, found.strength_bonus) == (C("0D"), C("3D"), 0)


@pytest.mark.rule("opend6.gap.attack.surprise", "opend6.result.fifth_damage")
@pytest.mark.parametrize(("manoeuvre", "harmless"), [("disarm", True), ("entangle", True), ("", False)])
def test_holds_do_no_harm(manoeuvre: str, harmless: bool) -> None:
    assert plan(meeting(HERO, FOE), f"short_sword/{manoeuvre}").blow.harmless is harmless


@pytest.mark.rule("opend6.result.fifth_damage")
@pytest.mark.parametrize(("value", "adding"), [("all", "abc"), ("important_characters", "ac"), ("off", "")])
def test_owner_of_the_result_points_that_add_to_damage(value: str, adding: str) -> None:
    session = begin(HERO, FOE, person(FOE, important=True), options={"result.damage_bonus": value})
    found = [plan(session, "short_sword", who, target).blow.fifth for who, target in ("ab", "ba", "ca")]
    assert found == [who in adding for who in "abc"]


# ---------------------------------------------------------------------- rolled modifiers


@pytest.mark.rule("opend6.gap.attack.modifier_style")
def test_modifiers_are_rolled_where_the_table_rolls_them() -> None:
    session = begin(HERO, FOE, options={"attack.rolled_modifiers": True})
    answer(session, "1", "lunge:b:short_sword/lunge", [6, 2], [4, 3, 3, 2])  # 5 + 8 against 12
    assert not last(session, "Struck").hit
    assert needed(session, "short_sword/lunge") == 5


@pytest.mark.rule("opend6.gap.attack.modifier_style", "opend6.gap.attack.least")
def test_rolled_modifiers_go_on_what_is_below_three_before_it_is_lifted() -> None:
    """A defence of 3 at point blank is -2; crouching is a die on top of that."""
    session = begin(HERO, person(FOE, attributes={"acumen": "5D"}), options={"attack.rolled_modifiers": True})
    answer(session, "1", "posture::crouched", "dodge", [1, 1, 1, 1], "1")
    assert session.scene["b"].status.defence == Defence(3, "dodge")
    assert plan(session, "short_sword").against == Against(-2, 1)


@pytest.mark.rule("opend6.gap.attack.least", "opend6.gap.attack.modifier_style")
@pytest.mark.parametrize(("shown", "hit"), [(2, False), (3, True)])
def test_dice_that_make_it_easier_leave_three_where_points_are_minded(shown: int, hit: bool) -> None:
    """10 less 5 at point blank, and 2D less because the foe lies on the ground: with 10 on the dice it would be -5."""
    weak = person(attributes={"agility": "1D"}, skills={"melee_combat": "1D"}, character_points=1)
    options = {"attack.rolled_modifiers": True, "points.asked": "always", "untrained.modifier": 0}
    session = begin(weak, person(FOE, attributes={"acumen": "1D"}), options=options)
    ruled(session, "b", "posture", "prone")
    answer(session, "1", "slash:b:short_sword", [5, 5], "nothing", [shown])
    answer(session, *([[1, 1, 1], "no", [5, 5, 5]] if hit else ["no"]))
    assert last(session, "Struck").hit is hit
