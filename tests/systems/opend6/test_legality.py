"""Characters outside the rules: every violation with its rule, and purchases that are priced again."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.people import (
    OPTIONS,
    C,
    after,
    buy,
    buy_all,
    do,
    improving,
    library,
    person,
    random_character,
    session_of,
    somebody,
)
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Ranks
from tablewright.systems.opend6.character.costs import Spent, first_disadvantages, spent
from tablewright.systems.opend6.character.record import Advance, OpenD6Character, OwnAbility, Specialisation
from tablewright.systems.opend6.legality import legality
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.values import DieCode

POINTS = OpenD6Options(creation_method="creation_points")


def violations(character: OpenD6Character, options: OpenD6Options = OPTIONS) -> set[str]:
    """The rules that a character breaks."""
    return set(legality(character, options, library()).rules)


def raised(character: OpenD6Character, **codes: str) -> OpenD6Character:
    """A character with other attributes."""
    return character.changed(attributes=character.attributes.changed(**{name: C(one) for name, one in codes.items()}))


def wrong(character: OpenD6Character) -> list[str]:
    """Violations of the rules by a character."""
    return [f"{one.where}: {one.message}" for one in legality(character, OPTIONS, library()).violations]


def grown(*advances: dict[str, Any], **changes: Any) -> OpenD6Character:
    """A ranger after an adventure, with things that were bought."""
    bought = tuple([Advance(**{"interval": 1, **one}) for one in advances])
    return person("ranger", **{"interval": 1, "advances": bought, **changes})


def skilled(name: str, code: str) -> OpenD6Character:
    """The slayer with a skill of another code."""
    hedda = person("slayer")
    return hedda.changed(skills=hedda.skills.put(name, C(code)))


def test_templates_are_within_the_rules() -> None:
    for name in ("slayer", "gladiator", "ranger", "healer"):
        assert legality(person(name), OPTIONS, library()).explain() == "within the rules"


@pytest.mark.rule("opend6.gap.creation.attribute_dice", "opend6.gap.creation.attribute_limits")
def test_attributes_out_of_bounds() -> None:
    hedda = person("slayer")
    assert violations(raised(hedda, coordination="3D+2")) == {"opend6.gap.creation.attribute_dice"}
    assert violations(raised(hedda, coordination="3D")) == {"opend6.gap.creation.attribute_dice"}
    wide = raised(hedda, intellect="5D+1", coordination="0D+2", acumen="2D+2")
    assert len([one for one in legality(wide, OPTIONS, library()).violations if "attribute_limits" in one.rule]) == 2


@pytest.mark.rule("opend6.gap.creation.skill_dice", "opend6.gap.creation.skill_limits", "opend6.gap.skill.start")
@each_case(
    ("name", "code", "broken", "kept"),
    [
        ("mettle", "3D+1", {"creation.skill_dice"}, set()),
        ("mettle", "2D", {"creation.skill_dice"}, {"skill.start"}),
        ("mettle", "1D", {"skill.start"}, set()),
        ("melee_combat", "7D", {"creation.skill_limits"}, set()),
        ("melee_combat", "6D+2", set(), {"creation.skill_limits"}),
        ("knitting", "3D", {"skill.list"}, set()),
    ],
)
def test_skills_out_of_bounds(name: str, code: str, broken: set[str], kept: set[str]) -> None:
    found = {rule.removeprefix("opend6.gap.") for rule in violations(skilled(name, code))}
    assert found >= broken
    assert not found & kept


@pytest.mark.rule("opend6.gap.creation.skill_limits", "opend6.gap.creation.experienced")
@each_case(("years", "part", "limited"), [(0, 0, True), (1, 0, False), (0, 1, False)])
@each_case("method", ["defined_limits", "creation_points"])
def test_skills_of_the_experienced_have_no_limit(years: int, part: int, limited: bool, method: Any) -> None:
    found = violations(skilled("melee_combat", "7D").changed(years=years, part_time_years=part, method=method))
    assert ("opend6.gap.creation.skill_limits" in found) is limited


@pytest.mark.rule("opend6.gap.creation.specialisations", "opend6.gap.creation.skill_limits")
def test_specialisations_out_of_bounds() -> None:
    sela = person("ranger")
    first, second, third = sela.specialisations
    begun = sela.changed(specialisations=(first, second, third.changed(adds=C("0D+2"))))
    assert violations(begun) == {"opend6.gap.creation.specialisations"}
    much = sela.changed(specialisations=(first.changed(adds=C("4D")), second.changed(adds=C("5D")), third))
    assert "opend6.gap.creation.skill_limits" in violations(much)
    twice = sela.changed(specialisations=(first, first, second))
    assert "opend6.gap.creation.specialisations" in violations(twice)


@pytest.mark.rule("opend6.gap.creation.extranormal_skills")
def test_extranormal_skills_need_the_attribute() -> None:
    hedda = person("slayer")
    for without in (skilled("alteration", "1D"), hedda.changed(extranormal="magic"), raised(hedda, extranormal="1D")):
        assert "opend6.gap.creation.extranormal_skills" in violations(without)
    wizard = somebody(extranormal="magic", extranormal_code="2D", alteration="3D")
    assert "opend6.gap.creation.extranormal_skills" not in violations(wizard)
    assert "opend6.gap.creation.extranormal_skills" in violations(wizard.changed(extranormal="miracles"))


@pytest.mark.rule("opend6.gap.creation.points", "opend6.gap.creation.disadvantages")
def test_points_and_disadvantages_out_of_bounds() -> None:
    whole = Spent(attributes=6, skills=3, specialisations=9, options=5, disadvantages=2)
    assert whole.points() == 2 * 4 + 1 + 1 + 5 - 2
    begun = Spent(attributes=7, skills=4, specialisations=10, options=0, disadvantages=0)
    assert begun.points() == 3 * 4 + 2 + 2  # a die that is begun is bought whole
    one = random_character(1, POINTS).changed(disadvantages=Ranks({}))
    assert violations(one.changed(disadvantages=Ranks({"Debt": 1})), POINTS) == {"opend6.gap.creation.points"}
    for ranks, years, wrong in ((10, 0, False), (11, 0, True), (11, 1, False)):
        found = violations(one.changed(disadvantages=Ranks({"Debt": ranks}), years=years), POINTS)
        assert ("opend6.gap.creation.disadvantages" in found) is wrong


@pytest.mark.rule("opend6.gap.ability.cost", "opend6.gap.ability.list")
@each_case(
    ("own", "wrong"),
    [
        ({"id": "increased_attribute"}, True),
        ({"id": "increased_attribute", "attribute": "agility"}, False),
        ({"id": "skill_bonus", "skills": ("hide", "search")}, True),
        ({"id": "skill_bonus", "skills": ("hide", "hide", "search")}, True),
        ({"id": "skill_bonus", "skills": ("hide", "stealth", "search")}, False),
        ({"id": "combat_sense", "ranks": 2}, True),
        ({"id": "hardiness", "attribute": "agility"}, True),
    ],
)
def test_abilities_name_what_they_concern(own: dict[str, Any], wrong: bool) -> None:
    assert ("opend6.gap.ability.cost" in violations(somebody(abilities=(OwnAbility(**own),)))) is wrong
    assert "opend6.gap.ability.list" in violations(somebody(abilities=(OwnAbility(id="flight"),)))


SWORD, AXE = ItemStack("long_sword", place="hand"), ItemStack("battle_axe", place="hands")
SHIELD, SUIT = ItemStack("small_shield", place="hand"), ItemStack("plate_mail", place="worn")


@pytest.mark.rule("opend6.gap.equipment.carrying", "opend6.gap.armour.layering")
@each_case(
    ("belongings", "broken"),
    [
        ((SWORD, SHIELD, SUIT), set()),
        ((SWORD, AXE), {"opend6.gap.equipment.carrying"}),
        ((ItemStack("battle_axe", place="hand"), SWORD), {"opend6.gap.equipment.carrying"}),
        ((ItemStack("rope", place="attic"),), {"opend6.gap.equipment.carrying"}),
        ((ItemStack("ropes"),), {"opend6.gap.equipment.carrying"}),
        ((ItemStack("hides", place="worn"), SUIT), {"opend6.gap.armour.layering"}),
        ((ItemStack("buckler", place="hand", count=2),), {"opend6.gap.armour.layering"}),
        ((ItemStack("buckler", place="worn"),), {"opend6.gap.armour.layering"}),
    ],
)
def test_hands_and_suits(belongings: tuple[ItemStack, ...], broken: set[str]) -> None:
    assert violations(somebody(kind="creature", belongings=belongings)) == broken


@pytest.mark.rule("opend6.gap.creation.equipment", "opend6.fate.moral_code")
def test_a_new_character_has_a_moral_code_and_no_more_than_a_week_buys() -> None:
    hedda = person("slayer")
    least = next(silver for silver in range(300) if violations(hedda.changed(silver=silver)))
    rich = hedda.changed(silver=least - 1)
    assert violations(rich) == set()
    assert violations(rich.changed(silver=least)) == {"opend6.gap.creation.equipment"}
    assert violations(rich.changed(silver=least, traded=True)) == set()
    second = rich.changed(belongings=(*rich.belongings, ItemStack("dagger")))
    assert violations(second.changed(silver=least - 8)) == {"opend6.gap.creation.equipment"}  # one of them is free
    assert violations(second.changed(silver=least - 9)) == set()
    assert violations(hedda.changed(moral_code=" ")) == {"opend6.fate.moral_code"}


@pytest.mark.rule("opend6.gap.creation.move")
@each_case(
    ("name", "value"),
    [
        ("move", 40),
        ("move", 9),
        ("scale", 10),
        ("natural_weapons", ("bite",)),
        ("wound_levels", 4),
        ("important", True),
    ],
)
def test_figures_of_their_own_are_for_those_of_the_game_master(name: str, value: Any) -> None:
    said = f"{name}: is written for those of the game master alone"
    assert said in wrong(person("ranger", **{name: value}))
    assert said not in wrong(person("ranger", kind="npc", **{name: value}))


# ---------------------------------------------------------------------- what was paid


@pytest.mark.rule("opend6.gap.advancement.skill", "opend6.gap.advancement.ability", "opend6.gap.advancement.attribute")
def test_everything_that_was_bought_is_priced_again() -> None:
    session = improving("ranger", disadvantages=Ranks({"Debt": 2}))
    before = wrong(after(session, "ann"))
    buy_all(
        session,
        ("skill", "dodge"),
        ("skill", "swimming"),
        ("specialisation", "climbing", {"subject": "walls"}),
        ("funds", "funds"),
        ("ability", "hardiness"),
        ("ability", "increased_attribute", {"concerning": ("agility",)}),
        ("advantage", "Fame", {"rank": 2}),
        ("disadvantage", "Enemy", {"rank": 2}),
        ("bought_off", "Debt"),
    )
    buy(session, "attribute", "agility", [5, 5, 5, 5], [2, 2, 2])
    do(session, "end_adventure", who="ann")
    session = session_of({"ann": after(session, "ann").changed(improvable=("dodge", "climbing"))})
    one = buy_all(
        session,
        ("skill", "dodge"),
        ("specialisation", "climbing", {"subject": "Walls"}),
        ("ability", "hardiness"),
        ("bought_off", "Enemy"),
    )
    assert wrong(one) == before
    for at, advance in enumerate(one.advances):
        for by in (-1, 1):
            paid = advance.changed(cost=advance.cost + by)
            cheap = one.changed(advances=(*one.advances[:at], paid, *one.advances[at + 1 :]))
            found = [problem for problem in wrong(cheap) if problem.startswith(f"advances[{at}]")]
            assert [problem.partition(", ")[2] for problem in found] == [f"{paid.cost} were paid"], advance


@pytest.mark.rule("opend6.gap.advancement.upper_limit")
def test_half_is_paid_where_the_upper_limit_test_failed() -> None:
    session = improving("ranger")
    one = buy(session, "attribute", "agility", [2, 2, 2, 2], [5, 5, 5])
    assert one.advances[-1].pips == 0
    assert wrong(one) == wrong(person("ranger"))
    cheap = one.changed(advances=(one.advances[0].changed(cost=one.advances[0].cost - 1),))
    assert len(wrong(cheap)) == len(wrong(one)) + 1


@pytest.mark.rule("opend6.gap.advancement.skill", "opend6.gap.advancement.not_both")
@each_case(
    ("times", "now", "found"),
    [
        ((1, 1), 1, ["advances[1]: dodge was improved before in the same time"]),
        ((1, 2), 2, []),
        ((1, 2), 1, ["advances[1]: there was no time 2 between adventures"]),
        ((0, 1), 1, ["advances[0]: there was no time 0 between adventures"]),
    ],
)
def test_one_step_between_two_adventures(times: tuple[int, int], now: int, found: list[str]) -> None:
    skills = person("ranger").skills
    codes = [DieCode.of_pips(skills["dodge"].in_pips + pips) for pips in range(3)]
    bought = [
        {"what": "skill", "name": "dodge", "cost": code.dice, "interval": time}
        for code, time in zip(codes, times, strict=False)
    ]
    assert wrong(grown(*bought, skills=skills.put("dodge", codes[2]), interval=now)) == found
    arrows = {"what": "specialisation", "name": "dodge", "subject": "arrows", "cost": -(-codes[1].dice // 2)}
    special = (*person("ranger").specialisations, Specialisation(skill="dodge", subject="arrows", adds=C("0D+1")))
    both = grown(bought[0] | {"interval": 1}, arrows, skills=skills.put("dodge", codes[1]), specialisations=special)
    assert wrong(both) == ["advances[1]: dodge and a specialisation were both improved"]


@pytest.mark.rule("opend6.gap.advancement.disadvantage")
def test_two_disadvantages_in_one_time_and_more_than_ten_ranks_are_told() -> None:
    gained = [{"what": "disadvantage", "name": name, "cost": -3} for name in ("Enemy", "Fear")]
    ranks = Ranks({"Enemy": 1, "Fear": 1})
    found = wrong(grown(*gained, disadvantages=ranks))
    assert found == ["advances[1]: another disadvantage was gained in the same time"]
    assert wrong(grown(gained[0], {**gained[1], "interval": 2}, disadvantages=ranks, interval=2)) == []
    many = {"what": "disadvantage", "name": "Enemy", "cost": -33}
    held = "disadvantages: 11 is out of range"
    assert any(one.startswith(held) for one in wrong(grown(many, disadvantages=Ranks({"Enemy": 11}))))


@pytest.mark.rule("opend6.cp.spent_and_earned")
@each_case(
    ("advance", "changes"),
    [
        ({"what": "skill", "name": "swimming"}, {}),
        ({"what": "skill", "name": "flying_high"}, {}),
        ({"what": "specialisation", "name": "dodge", "subject": "arrows"}, {}),
        ({"what": "attribute", "name": "magic"}, {}),
        ({"what": "funds", "name": "funds"}, {}),
        ({"what": "ability", "name": "hardiness"}, {}),
        ({"what": "ability", "name": "nothing"}, {"abilities": (OwnAbility(id="nothing"),)}),
        ({"what": "advantage", "name": "Fame"}, {}),
        ({"what": "disadvantage", "name": "Enemy"}, {}),
        ({"what": "bought_off", "name": "Debt"}, {"disadvantages": Ranks({"Debt": 1})}),
        ({"what": "bought_off", "name": "Debt", "cost": 9}, {}),
    ],
)
def test_missing_items_were_not_bought(advance: dict[str, Any], changes: dict[str, Any]) -> None:
    found = wrong(grown({"cost": 10, **advance}, **changes))
    assert f"advances[0]: {advance['name']} is not there as it was bought" in found


@pytest.mark.rule("opend6.gap.advancement.disadvantage", "opend6.gap.creation.skill_dice")
def test_a_disadvantage_that_came_and_went_was_none_of_the_beginning() -> None:
    session = improving("ranger")
    before = spent(after(session, "ann"), library())
    assert wrong(buy(session, "disadvantage", "Enemy", rank=2)) == []
    do(session, "end_adventure", who="ann")
    one = buy(session, "bought_off", "Enemy")
    assert wrong(one) == []
    assert spent(one, library()) == before
    debt = person("ranger", disadvantages=Ranks({"Debt": 2}))
    assert first_disadvantages(debt) == 2
    off = {"what": "bought_off", "name": "Debt", "cost": 20}
    again = {"what": "disadvantage", "name": "Debt", "cost": -3}
    assert first_disadvantages(grown(off)) == 2
    assert first_disadvantages(grown(off, again, disadvantages=Ranks({"Debt": 1}))) == 2
    assert first_disadvantages(grown(off, again, {**off, "cost": 10})) == 2
    assert first_disadvantages(grown(again, {**off, "cost": 10}, disadvantages=Ranks({"Fear": 3}))) == 3


@pytest.mark.rule("opend6.gap.creation.disadvantages", "opend6.gap.advancement.disadvantage")
def test_disadvantages_that_were_bought_off_count_among_those_of_the_beginning() -> None:
    off = {"what": "bought_off", "name": "Enemy", "cost": 20}
    many = grown(off, disadvantages=Ranks({"Debt": 9}))
    assert any(one.startswith("disadvantages") for one in wrong(many))
    assert not any(one.startswith("disadvantages") for one in wrong(grown(off, disadvantages=Ranks({"Debt": 8}))))
