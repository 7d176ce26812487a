"""Legality: every violation is named with its rule, and grown characters are checked as they were made."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.mars.people import OPTIONS, alone, character, do, library, person, veteran
from tablewright.engine import ClosedOption
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.values import Frozen
from tablewright.systems.mars.advancement import purchases
from tablewright.systems.mars.character.record import Advance, Change, MarsCharacter, OwnTrait, Printed
from tablewright.systems.mars.content import STATS, Maneuver
from tablewright.systems.mars.legality import as_made, learnable, legality, slots_for, unharmed
from tablewright.systems.mars.values import RollValue

VIOLATIONS: list[tuple[dict[str, Any], str, str]] = [
    ({"ancestry": "gnome"}, "ancestry", "mars.character.ancestry"),
    ({"size": "huge"}, "size", "mars.stat.size"),
    ({"ancestry_stats": ("STR",)}, "ancestry_stats", "mars.character.ancestry"),
    ({"ancestry_stats": ("STR", "STR")}, "ancestry_stats", "mars.character.ancestry"),
    ({"ancestry_skill": ""}, "ancestry_skill", "mars.character.ancestry"),
    ({"ancestry_skill": "athletics"}, "ancestry_skill", "mars.character.ancestry"),
    ({"native": ("common",)}, "native", "mars.skill.languages"),
    ({"native": ("elven", "dwarven")}, "native", "mars.skill.languages"),
    ({"background": "prince"}, "background", "mars.character.background"),
    ({"background_skills": ("agility",)}, "background_skills", "mars.character.background"),
    (
        {"background": "commoner", "background_skills": ("agility", "craft")},
        "background_skills",
        "mars.character.background",
    ),
    ({"archetype": "bard"}, "archetype", "mars.character.archetype"),
    ({"archetype_skills": ("unarmed",)}, "archetype_skills", "mars.character.archetype"),
    ({"skills": {"martial": RollValue(10)}}, "skills.martial", "mars.character.archetype"),
    ({"skills": {"juggling": RollValue(4)}}, "skills", "mars.skill.basic"),
    ({"motivation": " "}, "motivation", "mars.character.motivation"),
    ({"maneuvers": ("heavy_strike", "brace")}, "maneuvers", "mars.maneuver.number_known"),
    ({"maneuvers": ("heavy_strike", "brace", "brace")}, "maneuvers", "mars.maneuver.number_known"),
    ({"maneuvers": ("heavy_strike", "brace", "double_shot")}, "maneuvers", "mars.maneuver.overview"),
    ({"maneuvers": ("heavy_strike", "brace", "juggle")}, "maneuvers", "mars.maneuver.overview"),
    ({"talents": {"toughness": 2, "extra_maneuver": 1}}, "talents.toughness", "mars.talent.repeat_cost"),
    ({"talents": {"toughness": 1, "extra_maneuver": 1, "diehard": 1}}, "talents.diehard", "mars.talent.requirements"),
    ({"belongings": (ItemStack("longbow of doom"),)}, "belongings", "mars.equipment.availability"),
    (
        {"belongings": (ItemStack("padded", place="worn"), ItemStack("leather", place="worn"))},
        "belongings",
        "mars.equipment.armour_slots",
    ),
    ({"belongings": (ItemStack("knife", 3, "hand"),)}, "belongings", "mars.action.brandish"),
    ({"belongings": (ItemStack("knife", 1, "teeth"),)}, "belongings", "mars.action.brandish"),
]


@each_case(("changes", "where", "rule"), VIOLATIONS)
def test_every_violation_is_named_with_its_rule(changes: dict[str, Any], where: str, rule: str) -> None:
    report = legality(person("fighter", **changes), OPTIONS, library())
    assert (where, rule) in [(found.where, found.rule) for found in report.violations]


@pytest.mark.rule("mars.stat.primary", "mars.character.starting_stats")
@each_case(
    ("values", "rule"),
    [
        ("r6 r10 r8 r10", "mars.stat.primary"),
        ("r22 r10 r8 r10", "mars.stat.primary"),
        ("r13 r10 r8 r10", "mars.stat.primary"),
        ("r12+1 r10 r8 r10", "mars.stat.primary"),
        ("r14 r10 r8 r10", "mars.character.starting_stats"),
        ("r10 r10 r8 r10", "mars.character.starting_stats"),
        ("r12 r10 r8 r10", None),
        ("r10 r12 r10 r8", None),  # they may be given to any stat
        ("r8 r12 r10 r10", None),
    ],
)
def test_stats_start_as_the_book_says(values: str, rule: str | None) -> None:
    one = person("fighter")
    stats = dict(zip(STATS, map(RollValue.parse, values.split()), strict=True))
    report = legality(one.changed(stats=one.stats.changed(**stats)), OPTIONS, library())
    assert report.ok if rule is None else rule in report.rules


@pytest.mark.rule("mars.advancement.spending", "mars.advancement.tracking")
def test_purchases_are_repeated_and_compared() -> None:
    one = person("fighter", experience=20, opportunity=2)
    step = Advance(what="skill", name="athletics", cost=4, opportunity=1)
    twice = one.changed(
        advances=(step, step.changed(cost=5)), skills=one.skills.put("athletics", RollValue(10)), experience=20
    )
    assert "same opportunity" in legality(twice, OPTIONS, library()).explain()
    dear = twice.changed(advances=(step.changed(cost=6),))
    assert "advances[0]: athletics costs 4, 6 were paid" in legality(dear, OPTIONS, library()).explain()
    unknown = one.changed(advances=(Advance(what="stat", name="LUCK", cost=1),), stats=one.stats)
    assert '"LUCK" is not a stat' in legality(unknown, OPTIONS, library()).explain()


@pytest.mark.rule("mars.character.archetype")
def test_an_archetype_is_checked_as_the_character_was_made_and_never_again() -> None:
    """INT 11 of the magister was there at the beginning; a lasting curse does not make him illegal."""
    cursed = person("magister", changes=(Change(what="INT", value=-4, source="a curse"),))
    assert "mars.character.archetype" not in legality(cursed, OPTIONS, library()).rules


@pytest.mark.rule("mars.gap.archetype.custom")
def test_a_custom_archetype_may_have_one_great_talent() -> None:
    wrong = person(
        "fighter",
        archetype="custom",
        archetype_spread=(6, 6, 6, 6, 6),
        archetype_skills=("martial", "athletics", "medicine", "charisma", "perception"),
        archetype_talents=("second_wind",),
        skills={name: RollValue(6) for name in ("martial", "athletics", "medicine", "charisma", "perception")},
        talents={"second_wind": 1},
        maneuvers=("brace",),
        ancestry_stats=("STR", "RES"),
    )
    assert legality(wrong, OPTIONS, library()).ok
    two = wrong.changed(archetype_talents=("second_wind", "toughness"), talents={"second_wind": 1, "toughness": 1})
    assert "mars.gap.archetype.custom" in legality(two, OPTIONS, library()).rules
    bad = wrong.changed(archetype_skills=("martial", "athletics", "perception", "charisma", "agility"))
    assert "1 complex skills, at least 2 are needed" in legality(bad, OPTIONS, library()).explain()


def problems(**changes: Any) -> list[str]:
    """The rules that the reference character breaks with some changes."""
    return [violation.rule for violation in legality(person("fighter", **changes), OPTIONS, library()).violations]


@pytest.mark.rule("mars.advancement.checkpoints", "mars.advancement.tracking")
@each_case(
    ("experience", "checkpoints", "rules"),
    [
        (0, (), []),
        (50, ("STR",), []),
        (49, ("STR",), ["mars.advancement.checkpoints"]),
        (150, ("STR", "STR", "DEX"), []),
        (150, ("STR", "STR", "STR"), ["mars.advancement.checkpoints"]),
        (100, ("STR", "STR"), []),
    ],
)
def test_checkpoints_that_were_reached(experience: int, checkpoints: tuple[str, ...], rules: list[str]) -> None:
    assert problems(experience=experience, checkpoints=checkpoints) == rules


@pytest.mark.rule("mars.advancement.spending", "mars.advancement.tracking")
@each_case(
    ("experience", "opportunity", "cost", "rules"),
    [
        (4, 1, 4, []),
        (5, 2, 4, []),
        (3, 1, 4, ["mars.advancement.tracking"]),
        (4, 0, 4, ["mars.advancement.spending"]),
        (9, 1, 3, ["mars.advancement.skill_cost"]),
        (9, 1, 5, ["mars.advancement.skill_cost"]),
    ],
)
def test_purchases_were_paid_for_in_time(experience: int, opportunity: int, cost: int, rules: list[str]) -> None:
    skills = person("fighter").skills.put("athletics", RollValue(8))
    bought = (Advance(what="skill", name="athletics", cost=cost, opportunity=1),)
    assert problems(experience=experience, opportunity=opportunity, advances=bought, skills=skills) == rules


@pytest.mark.rule("mars.character.trait")
@each_case(
    ("traits", "more", "legal"),
    [
        ((OwnTrait(id="eidetic_memory"),), {}, True),
        ((OwnTrait(name="Lucky"),), {}, True),
        ((OwnTrait(text="falls on her feet"),), {}, True),
        ((OwnTrait(name=" ", text=" "),), {}, False),
        ((), {}, False),
        ((), {"experience": 100}, False),
        ((OwnTrait(name="Lucky"), OwnTrait(name="Bold")), {}, False),
        ((OwnTrait(name="Lucky"), OwnTrait(name="Bold")), {"experience": 1}, True),  # more may be given later
        ((OwnTrait(name="Lucky"), OwnTrait(name="Bold")), {"opportunity": 1}, True),
    ],
)
def test_a_character_is_made_with_one_trait(traits: tuple[OwnTrait, ...], more: dict[str, int], legal: bool) -> None:
    assert problems(traits=traits, **more) == ([] if legal else ["mars.character.trait"])


@pytest.mark.rule("mars.equipment.starting_money")
@each_case(("money", "traded", "legal"), [(0, False, True), (10, False, True), (11, False, False), (500, True, True)])
def test_remaining_and_spent_points_add_up_to_fifty_until_there_was_trade(
    money: int, traded: bool, legal: bool
) -> None:
    # armour 20, sword 5, shield 15
    assert problems(money=money, traded=traded) == ([] if legal else ["mars.equipment.starting_money"])


@pytest.mark.rule("mars.talent.repeat_cost", "mars.character.archetype")
def test_gifts_of_an_archetype_may_not_be_missing() -> None:
    found = legality(person("fighter", talents={"extra_maneuver": 1}), OPTIONS, library())
    assert ("talents.toughness", "mars.talent.repeat_cost") in [(one.where, one.rule) for one in found.violations]
    untrained = person("fighter", skills=person("fighter").skills.drop("medicine"))
    assert "skills.medicine: untrained where archetype and experience give r6" in wrong(untrained)


@pytest.mark.rule("mars.advancement.spending")
def test_nobody_was_made_with_less_than_nothing() -> None:
    bought = tuple([Advance(what="stat", name="STR", cost=8, opportunity=number) for number in range(1, 6)])
    one = person("fighter")
    stats = one.stats.model_copy(update={"STR": RollValue(8)})
    assert RollValue(0) == as_made(one.changed(stats=stats, advances=bought)).stats.STR


@pytest.mark.rule("mars.character.archetype", "mars.advancement.language_cost")
@each_case(
    ("changes", "fields"),
    [
        ({}, []),
        ({"archetype_talents": ("toughness",)}, ["archetype"]),
        ({"archetype_spread": (8, 6, 6, 4, 4)}, ["archetype"]),
        ({"skills": person("fighter").skills.drop("perception")}, ["skills.perception"]),
        ({"skills": person("fighter").skills.put("sleight", RollValue(4))}, ["skills.sleight"]),
        ({"languages": Frozen({"elven": RollValue(4)})}, ["languages.elven"]),
    ],
)
def test_purchases_outside_the_archetype_are_named(changes: dict[str, Any], fields: list[str]) -> None:
    report = legality(person("fighter", **changes), OPTIONS, library())
    assert [violation.where for violation in report.violations] == fields


def wrong(one: MarsCharacter) -> list[str]:
    """Violations of the rules by a character."""
    return [f"{found.where}: {found.message}" for found in legality(one, OPTIONS, library()).violations]


def learned_in() -> MarsCharacter:
    """A fighter who knows every maneuver that can be learned with what is trained."""
    one = veteran(1_000)
    while True:
        more = one.changed(
            talents=one.talents.put("extra_maneuver", one.talents["extra_maneuver"] + 1),
            advances=(*one.advances, Advance(what="talent", name="extra_maneuver", cost=0)),
        )
        able = learnable(more, library())
        if not able:
            return one
        one = more.changed(maneuvers=(*one.maneuvers, able[0].id))


@pytest.mark.rule("mars.maneuver.number_known")
def test_room_for_a_maneuver_is_not_sold_where_none_is_left() -> None:
    full = learned_in().changed(advances=())
    found = {one.id: one for one in purchases(alone(full).scene, "ann")}
    shut = found["talent:extra_maneuver"]
    assert isinstance(shut, ClosedOption)
    assert (shut.reason, shut.rule) == ("no maneuver is left to learn", "mars.maneuver.number_known")
    with pytest.raises(IllegalActionError, match="no maneuver is left to learn"):
        alone(full).do("mars.advance", who="ann", what="talent", name="extra_maneuver")
    one_less = full.changed(maneuvers=full.maneuvers[:-1])
    assert [one.id for one in learnable(one_less, library())] == [full.maneuvers[-1]]
    assert not isinstance({one.id: one for one in purchases(alone(full).scene, "ann")}["stat:STR"], ClosedOption)


@pytest.mark.rule("mars.maneuver.number_known")
def test_fewer_maneuvers_than_there_is_room_for_where_no_other_can_be_learned() -> None:
    full = learned_in()
    room = full.changed(talents=full.talents.put("extra_maneuver", full.talents["extra_maneuver"] + 1))
    assert len(slots_for(room, library())) == len(room.maneuvers) + 1
    assert not [one for one in wrong(room) if one.startswith("maneuvers")]
    lacking = room.changed(maneuvers=room.maneuvers[1:])
    assert f"maneuvers: {len(lacking.maneuvers)} maneuvers, allowed are {len(full.maneuvers) + 1}" in wrong(lacking)
    every = tuple([one.id for one in library().of(Maneuver)])
    assert any(one.startswith(f"maneuvers: {len(every)} maneuvers") for one in wrong(full.changed(maneuvers=every)))


@pytest.mark.rule("mars.talent.requirements", "mars.effect.stat_changes")
def test_a_loss_for_good_takes_no_talent_that_was_bought_before() -> None:
    session = alone(veteran())
    do(session, "mars.advance", who="ann", what="talent", name="weightlifter")
    bought = character(session)
    assert wrong(bought) == []
    hurt = bought.changed(changes=(Change(what="STR", value=-1, source="a curse"),))
    assert wrong(hurt) == []
    session = alone(veteran(changes=hurt.changes))
    with pytest.raises(IllegalActionError, match="Weightlifter needs maximum STR 13, it is 12"):
        session.do("mars.advance", who="ann", what="talent", name="weightlifter")
    gift = Change(what="DEX", value=1, source="a gift")
    assert unharmed(hurt.changed(changes=(*hurt.changes, gift))).changes == (gift,)


@pytest.mark.rule("mars.skill.languages", "mars.advancement.spending")
def test_a_language_is_one_however_it_is_written() -> None:
    elven: dict[str, Any] = {"what": "language", "name": "elven", "cost": 2}
    known = veteran(languages=Frozen({"elven": RollValue(4)}), advances=(Advance(**elven),))
    assert wrong(known) == []
    twice = known.changed(
        languages=Frozen({"elven": RollValue(4), " Elven": RollValue(4)}),
        advances=(Advance(**elven), Advance(**{**elven, "name": " Elven"})),
    )
    found = wrong(twice)
    assert 'languages: "elven" stands there 2 times' in found
    assert "advances[1]:  Elven was advanced before in the same opportunity" in found
    native = known.changed(
        languages=Frozen({"Common": RollValue(4)}), advances=(Advance(**{**elven, "name": "Common"}),)
    )
    assert "languages.Common: is native" in wrong(native)
    assert "advances[0]: Common is native" in wrong(native)


@pytest.mark.rule("mars.gap.creature.printed", "mars.stat.resource_maxima")
@pytest.mark.parametrize(
    ("name", "value"), [("rank", "legendary"), ("printed", Printed(health=200)), ("weapons", ("bite",))]
)
def test_printed_figures_are_for_creatures(name: str, value: Any) -> None:
    found = wrong(person("fighter", **{name: value}))
    assert f"{name}: is written for creatures alone" in found
    assert f"{name}: is written for creatures alone" not in wrong(person("fighter", kind="creature", **{name: value}))
