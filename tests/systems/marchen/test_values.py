"""The words of the book against the ledger: aspects, characteristics, skills, levels, aliases, technology."""

from __future__ import annotations

import pytest

from each_case import each_case
from systems.marchen.people import LEDGER, data, library, options
from systems.playing import examples
from tablewright.errors import InvalidInputError
from tablewright.systems.marchen.content import Technology
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.values import (
    ASPECT_NAMES,
    ASPECT_OF,
    ASPECTS,
    CHARACTERISTIC_OF,
    CHARACTERISTICS,
    CHARACTERISTICS_OF,
    CONNECTED,
    CONNECTION_LABELS,
    GATES,
    LEAST_RANK,
    LEVELS,
    METRES,
    MOST_RANK,
    SKILL_ASPECT,
    SKILLS,
    SkillLevel,
    alias_of,
    cap,
    tech_difference,
    tl_code,
    years_to,
)


@pytest.mark.rule("marchen.aspect.list")
def test_aspects_and_their_characteristics() -> None:
    found = data("marchen.aspect.list")
    assert found["aspects"] == ASPECTS
    assert dict(found["characteristics"]) == CHARACTERISTICS_OF
    assert {scale: dict(names) for scale, names in found["display_names"].items()} == ASPECT_NAMES


@pytest.mark.rule("marchen.characteristic.list")
def test_characteristics() -> None:
    found = data("marchen.characteristic.list")
    assert tuple(found) == CHARACTERISTICS
    assert {name: row["aspect"] for name, row in found.items()} == ASPECT_OF


@pytest.mark.rule("marchen.skill.tree")
def test_the_tree_of_skills() -> None:
    tree = data("marchen.skill.tree")
    rows = [
        (skill, characteristic, aspect)
        for aspect, chars in tree.items()
        for characteristic, three in chars.items()
        for skill in three
    ]
    assert len(rows) == 36
    assert rows == [(skill, CHARACTERISTIC_OF[skill], SKILL_ASPECT[skill]) for skill in SKILLS]


@pytest.mark.rule("marchen.skill.level_table")
@pytest.mark.parametrize("row", data("marchen.skill.level_table"), ids=lambda row: str(row["level"]))
def test_levels(row: dict[str, object]) -> None:
    level = LEVELS[int(str(row["level"]))]
    assert level.level == row["level"] == row["bonus"]
    assert level.traditional == row["traditional"]
    assert (level.modern or None, level.years or None) == (row["modern"], row["years"])
    assert level.privilege == (row["privilege"] or "specializations at level 0")


@pytest.mark.rule("marchen.advancement.study_time")
def test_years_of_study() -> None:
    found = data("marchen.advancement.study_time")
    for level, years in found["cumulative_years_to_level"].items():
        assert years_to(int(level)) == years
    assert years_to(3) - years_to(2) == found["years_per_level"]
    assert years_to(None) == 0


@pytest.mark.rule("marchen.skill.level_gates")
def test_gates_are_those_of_the_table() -> None:
    assert dict(data("marchen.skill.level_gates")["gates"]) == GATES
    for privilege, level in GATES.items():
        assert LEVELS[level].privilege == privilege


@pytest.mark.rule("marchen.skill.cap", "marchen.option.mythic_levels")
def test_the_cap() -> None:
    assert (cap(False), cap(True)) == (4, 6)
    assert cap(options().mythic_levels) == 4


@pytest.mark.rule("marchen.skill.notation")
def test_notation() -> None:
    (given, expect), (back, meant) = examples("marchen.skill.notation")
    assert str(SkillLevel(given["skill"], given["level"])) == expect["text"]
    assert SkillLevel.parse(back["text"]) == (meant["skill"], meant["level"])
    assert SkillLevel.parse("Drive / Ride / Pilot-3") == ("Drive / Ride / Pilot", 3)
    assert SkillLevel.parse("Knot-Tying-1") == ("Knot-Tying", 1)
    for wrong in ("Athletics", "-2", "Athletics-x", "Athletics-"):
        with pytest.raises(InvalidInputError, match=r"marchen\.skill\.notation"):
            SkillLevel.parse(wrong)


@pytest.mark.rule("marchen.skill.aliases")
@each_case("name", list(data("marchen.skill.aliases")))
def test_aliases(name: str) -> None:
    row = data("marchen.skill.aliases")[name]
    found = alias_of(name)
    assert found.skill == row.get("skill")
    assert found.specialization == row.get("specialization", "")
    assert found.characteristic == row.get("characteristic")


def test_own_names_come_first_and_strange_ones_are_refused() -> None:
    assert alias_of("Melee Combat").skill == "melee_combat"
    assert alias_of("agility").characteristic == "agility"
    assert alias_of("axe") == ("melee_combat", "Axe/Mace", None)
    with pytest.raises(InvalidInputError, match="Gambling"):
        alias_of("Gamblin")


@pytest.mark.rule("marchen.connection.ranks")
def test_connection_ranks() -> None:
    found = data("marchen.connection.ranks")
    assert (min(CONNECTION_LABELS), max(CONNECTION_LABELS)) == (found["min"], found["max"])
    assert found["connected"] == CONNECTED
    assert CONNECTION_LABELS == {
        -4: "Vindictive",
        -3: "Hostile",
        -2: "Unfriendly",
        -1: "Dislike",
        0: "Indifferent",
        1: "Amiable",
        2: "Friendly",
        3: "Affectionate",
        4: "Devoted",
    }
    assert all(
        f"{rank} {label}" in LEDGER["marchen.connection.ranks"].ruling for rank, label in CONNECTION_LABELS.items()
    )
    assert (min(CONNECTION_LABELS), max(CONNECTION_LABELS)) == (LEAST_RANK, MOST_RANK)


@pytest.mark.rule("marchen.tech.difference_dm")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.tech.difference_dm"))
def test_technology_differences(given: dict[str, int], expect: dict[str, int]) -> None:
    assert tech_difference(given["user_tl"], given["object_tl"]) == expect["dm"]


@pytest.mark.rule("marchen.tech.table", "marchen.tech.higher")
def test_technology_levels() -> None:
    rows = data("marchen.tech.table")
    entries = library().of(Technology)
    assert len(rows) == len(entries) == 16
    for row, entry in zip(rows, entries, strict=True):
        told = (entry.tl, entry.code, entry.descriptor, entry.analogue, entry.year, entry.hallmark)
        assert told == tuple(row[name] for name in ("tl", "code", "descriptor", "analogue", "year", "hallmark"))
        assert tl_code(entry.tl) == entry.code
    assert [tl_code(tl) for tl in (16, 17, 18, 22, 23)] == ["G", "H", "J", "N", "P"]
    with pytest.raises(InvalidInputError, match=r"marchen\.tech\.higher"):
        tl_code(-1)


@pytest.mark.rule("marchen.gap.range.bands")
def test_range_bands() -> None:
    assert METRES == {"touch": 2, "reach": 10, "catch": 20, "rock": 40, "see": 100, "hear": 1_000}


@pytest.mark.rule("marchen.option.index")
def test_every_option_of_the_ledger_is_an_option() -> None:
    described = {field.name: field for field in MarchenOptions.describe()}
    for name, row in data("marchen.option.index").items():
        field = described[name]
        assert (field.default, field.rule) == (row["default"], row["rule"])
        if name != "max_helpers":
            assert set(field.choices) == set(row["values"])
    assert (described["max_helpers"].low, described["max_helpers"].or_none) == (0, True)
    with pytest.raises(InvalidInputError, match="unknown"):
        MarchenOptions.from_mapping({"cores": "2d6"})
    with pytest.raises(InvalidInputError, match="allowed are"):
        MarchenOptions.from_mapping({"core": "5d5"})
