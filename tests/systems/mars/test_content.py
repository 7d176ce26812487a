"""The starter pack: every row against the lists, what packs may say, and that a wrong one is refused with its line."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.mars.people import LEDGER, library, person, somebody
from tablewright.errors import ProblemListError
from tablewright.game.content.packs import read_pack
from tablewright.systems.mars.character.figures import attack, damage, maximum, stat
from tablewright.systems.mars.content import (
    COMBAT_SKILLS,
    ITEMS,
    KINDS,
    PEOPLE,
    Ammunition,
    AttackStep,
    CheckStep,
    InflictStep,
    InterceptStep,
    Maneuver,
    RallyStep,
    RatingStep,
    Skill,
    Talent,
    Task,
    Weapon,
)
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.values import RollValue

LETTERS = {"B": "bludgeoning", "P": "piercing", "S": "slashing"}


@pytest.mark.rule("mars.gap.weapon.list", "mars.equipment.weapons", "mars.equipment.basic_weapons")
@each_case("name", LEDGER["mars.gap.weapon.list"].data)
def test_every_weapon_hits_and_hurts_as_listed(name: str) -> None:
    row, weapon = LEDGER["mars.gap.weapon.list"].data[name], library().get(Weapon, name)
    with_strength, _, plain = row["damage"].rpartition("STR")
    expected = RollValue.parse(plain.removeprefix("+") or "r0")
    assert with_strength == ""
    one = somebody(STR="r12+1", DEX="r14")
    own = RollValue(12, 1) if "STR" in row["damage"] else RollValue(0)
    assert damage(one, weapon, library()).value == RollValue.merge([own, expected])
    assert weapon.critical == row["critical"]
    assert weapon.types == tuple([LETTERS[letter] for letter in row["types"].split("/")])
    assert weapon.price == row.get("price")
    assert weapon.weight == Fraction(str(row.get("kg", 0)))
    trained = somebody(DEX="r14", skills={skill: RollValue(8) for skill in COMBAT_SKILLS})
    able = COMBAT_SKILLS if row["skills"] == "basic" else tuple(row["skills"].split("/"))
    for skill in COMBAT_SKILLS:
        only = somebody(DEX="r14", skills={skill: RollValue(8)})
        hits = attack(only, weapon, library()).value
        assert hits == (RollValue(22) if skill in able else RollValue(14))
    assert attack(trained, weapon, library()).value == RollValue(22)


@pytest.mark.rule("mars.gap.weapon.improvised")
@pytest.mark.parametrize(("name", "like"), [("chair_leg", "club"), ("broken_bottle", "knife")])
def test_improvised_weapons_are_one_worse_than_what_they_are_like(name: str, like: str) -> None:
    data = LEDGER["mars.gap.weapon.improvised"].data
    improvised, real = library().get(Weapon, name), library().get(Weapon, like)
    one = somebody(skills={"martial": RollValue(6)})
    to_hit = [attack(one, weapon, library()).value for weapon in (improvised, real)]
    harm = [damage(one, weapon, library()).value for weapon in (improvised, real)]
    assert (to_hit[0].n, to_hit[0].modifier) == (to_hit[1].n, to_hit[1].modifier + data["hit"])
    assert (harm[0].n, harm[0].modifier) == (harm[1].n, harm[1].modifier + data["damage"])
    thrown = improvised.features.thrown
    assert thrown is not None
    assert [thrown.near, thrown.far] == list(data["thrown"])


@pytest.mark.rule("mars.gap.weapon.ammunition")
@pytest.mark.parametrize("name", LEDGER["mars.gap.weapon.ammunition"].data)
def test_ammunition(name: str) -> None:
    row, entry = LEDGER["mars.gap.weapon.ammunition"].data[name], library().get(Ammunition, name)
    assert (entry.price, entry.bundle) == (row["price"], row["number"])
    assert entry.weight == Fraction(str(row["kg"]))
    assert name in {weapon.ammunition for weapon in library().of(Weapon)}


def figures_of(steps: tuple[Any, ...]) -> dict[str, Any]:
    """Steps of a maneuver in the words of the ledger."""
    found: dict[str, Any] = {}
    for step in steps:
        if isinstance(step, AttackStep):
            found |= {"hit": step.hit, "damage": step.damage, "threshold": step.threshold, "targets": step.targets}
        elif isinstance(step, CheckStep):
            found["check"] = step.skill
        elif isinstance(step, InflictStep):
            word = {"shaken": "penalty", "unsighted": ""}.get(step.effect, "effect")
            found |= {word: step.value if step.effect == "shaken" else step.effect} if word else {}
            found |= {"rounds": step.rounds} if step.effect == "halved_speed" else {}
        elif isinstance(step, RatingStep):
            found["own_rating"] = step.value
        elif isinstance(step, InterceptStep):
            found["own_rating"] = step.rating
        elif isinstance(step, RallyStep):
            found |= {"bonus": step.value, "metres": step.metres}
    return {name: value for name, value in found.items() if value not in (0, None) and (name, value) != ("targets", 1)}


@pytest.mark.rule("mars.gap.maneuver.list", "mars.maneuver.overview")
@each_case("name", LEDGER["mars.gap.maneuver.list"].data)
def test_every_maneuver_as_listed(name: str) -> None:
    row, entry = dict(LEDGER["mars.gap.maneuver.list"].data[name]), library().get(Maneuver, name)
    assert (entry.stamina, entry.speed, entry.resist) == (row.pop("stamina"), row.pop("speed"), row.pop("resist", None))
    assert entry.skills == row.pop("skills")
    assert entry.type in LEDGER["mars.maneuver.overview"].data["types"]
    boost = dict(row.pop("boost", {}))
    assert figures_of(entry.steps) == row
    if boost:
        assert entry.boost is not None
        assert entry.boost.stamina == boost.pop("stamina")
        assert figures_of(entry.boost.steps) == boost
    else:
        assert entry.boost is None


@pytest.mark.rule("mars.gap.maneuver.boost")
def test_boosts_cost_one_stamina_and_need_r12() -> None:
    data = LEDGER["mars.gap.maneuver.boost"].data
    boosts = [entry.boost for entry in library().of(Maneuver) if entry.boost]
    assert len(boosts) == 5
    assert {(boost.stamina, boost.at) for boost in boosts} == {(data["stamina"], data["at"])}


@pytest.mark.rule("mars.gap.talent.list", "mars.talent.cost")
@each_case("name", LEDGER["mars.gap.talent.list"].data)
def test_every_talent_as_listed(name: str) -> None:
    row, entry = LEDGER["mars.gap.talent.list"].data[name], library().get(Talent, name)
    assert entry.cost == row["cost"]
    assert entry.cost in LEDGER["mars.talent.cost"].data.values()
    assert entry.steps == row.get("steps")
    needs = [f"{each} {entry.needs.stats[each]}" for each in ("STR", "DEX", "INT", "RES") if each in entry.needs.stats]
    needs += [*entry.needs.skills, *(["combat skill"] if entry.needs.combat_skill else [])]
    assert needs == list(row.get("needs", ()))


@pytest.mark.rule("mars.gap.talent.toughness")
@pytest.mark.parametrize(("steps", "bonus"), LEDGER["mars.gap.talent.toughness"].data.items())
def test_toughness_raises_endurance(steps: str, bonus: int) -> None:
    tough, usual = somebody(talents={"toughness": int(steps)}), somebody()
    more = [maximum(one, "endurance", library()).total for one in (tough, usual)]
    assert more[0] - more[1] == bonus


@pytest.mark.rule("mars.gap.check.common_tasks", "mars.gap.check.object_difficulties", "mars.damage.objects")
@pytest.mark.rule("mars.gap.armour.identity_obscuring")
def test_tasks_are_as_hard_as_listed() -> None:
    hidden = {"recognise_masked": LEDGER["mars.gap.armour.identity_obscuring"].data["difficulty"]}
    listed = [LEDGER[f"mars.gap.check.{name}"].data for name in ("common_tasks", "object_difficulties")]
    for name, difficulty in [row for table in (*listed, hidden) for row in table.items()]:
        assert library().get(Task, name).difficulty == difficulty, name
    example = LEDGER["mars.damage.objects"].examples[0]["expect"]
    door = library().get(Task, "break_wood")
    assert (list(door.skills), door.difficulty) == (list(example["skills"]), example["dv"])


def test_everybody_of_the_pack_has_known_things() -> None:
    known = {entry.id for kind in ITEMS for entry in library().of(kind)}
    assert sum(len(library().of(kind)) for kind in ITEMS) == len(known)  # no two items share an id
    for kind in PEOPLE:
        for entry in library().of(kind):
            one = person(entry.id)
            assert {carried.item for carried in one.belongings} <= known
            assert set(one.skills) <= {skill.id for skill in library().of(Skill)}
            assert str(stat(one, "STR", library()).value)


@pytest.mark.rule("mars.frame.options_registry")
@each_case("described", MarsOptions.describe())
def test_every_option_of_the_book_is_there(described: Any) -> None:
    assert len(MarsOptions.describe()) == len(LEDGER["mars.frame.options_registry"].data)
    row = LEDGER["mars.frame.options_registry"].data[described.name]
    assert (described.default, described.rule) == (row["values"][0], row["rule"])
    values = list(row["values"]) if described.choices else [described.low, described.high]
    for value in values:
        options = MarsOptions.from_mapping({described.name: value})
        assert MarsOptions.from_mapping(options.changed()) == options
    if described.choices:
        assert {str(choice) for choice in described.choices} == {str(value) for value in row["values"]}


HEAD = 'pack: {id: mine, title: Mine, version: "1", origin: house}\nsystem: mars\n'


def test_an_own_pack_adds_and_replaces() -> None:
    text = HEAD + (
        "weapons:\n"
        "  - {id: club, name: Great Club, price: 3, damage: r8, types: [bludgeoning], critical: 6, basic: true}\n"
        "  - {id: fang, name: Fang, damage: r4, types: [piercing], critical: 8, skills: [unarmed], natural: true}\n"
        "talents:\n"
        "  - {id: iron_will, name: Iron Will, cost: 4, grants: [{grant: maximum, resource: focus, first: 3}]}\n"
    )
    mine = library().with_pack(read_pack(text, KINDS, library()))
    assert mine.get(Weapon, "club").damage == RollValue(8)
    assert mine.get(Weapon, "fang").natural
    assert library().get(Weapon, "club").damage == RollValue(6)
    willed = somebody(talents={"iron_will": 1})
    assert maximum(willed, "focus", mine).total - maximum(willed, "focus", library()).total == 3


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("weapons: [{id: a, name: A, types: [wet], critical: 1}]", "wet"),
        ("weapons: [{id: a, name: A, types: [fire], critical: 1, features: {parri: r4}}]", 'did you mean "parry"'),
        ("weapons: [{id: a, name: A, types: [fire], critical: 1, damage: two}]", "not a roll value"),
        ("weapons: [{id: a, name: A, types: [fire], critical: 1, ammunition: arow}]", 'did you mean "arrow"'),
        ("talents: [{id: a, name: A, cost: 5, grants: [{grant: alert}]}]", "cost"),
        ("talents: [{id: a, name: A, cost: 4, grants: [{grant: flight}]}]", "flight"),
        ("talents: [{id: a, name: A, cost: 4, grants: [{grant: alert, code: 1}]}]", "unknown field"),
        (
            "maneuvers: [{id: a, name: A, stamina: 1, speed: slow, type: offensive, skills: [martial], steps: []}]",
            "slow",
        ),
        ("archetypes: [{id: a, name: A, talents: {}, skills: [{any_of: [juggling], value: 4}]}]", "juggling"),
    ],
)
def test_a_wrong_pack_is_refused_with_its_line(line: str, problem: str) -> None:
    with pytest.raises(ProblemListError) as refused:
        read_pack(HEAD + line + "\n", KINDS, library(), name="mine.yaml")
    assert any("mine.yaml:3:" in each and problem in each for each in refused.value.problems)
