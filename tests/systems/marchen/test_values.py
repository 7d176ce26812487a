"""The words of the book against the ledger: aspects, characteristics, skills, levels, aliases, technology."""

from __future__ import annotations

import pytest

from systems.marchen.people import LEDGER, data, library
from systems.playing import examples
from tablewright.errors import InvalidInputError
from tablewright.systems.marchen.content import Technology
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


@pytest.mark.rule("marchen.aspect.list", "marchen.characteristic.list", "marchen.skill.tree")
def test_the_tree_of_aspects_characteristics_and_skills() -> None:
    aspects, characteristics = data("marchen.aspect.list"), data("marchen.characteristic.list")
    assert aspects["aspects"] == ASPECTS
    assert dict(aspects["characteristics"]) == CHARACTERISTICS_OF
    assert {scale: dict(names) for scale, names in aspects["display_names"].items()} == ASPECT_NAMES
    assert tuple(characteristics) == CHARACTERISTICS
    assert {name: row["aspect"] for name, row in characteristics.items()} == ASPECT_OF
    rows = [
        (skill, characteristic, aspect)
        for aspect, chars in data("marchen.skill.tree").items()
        for characteristic, three in chars.items()
        for skill in three
    ]
    assert rows == [(skill, CHARACTERISTIC_OF[skill], SKILL_ASPECT[skill]) for skill in SKILLS]


@pytest.mark.rule("marchen.skill.level_table", "marchen.skill.level_gates", "marchen.advancement.study_time")
def test_levels_their_gates_and_their_years_of_study() -> None:
    for row in data("marchen.skill.level_table"):
        level = LEVELS[row["level"]]
        assert level.level == row["level"] == row["bonus"]
        assert level.traditional == row["traditional"]
        assert (level.modern or None, level.years or None) == (row["modern"], row["years"])
        assert level.privilege == (row["privilege"] or "specializations at level 0")
    assert dict(data("marchen.skill.level_gates")["gates"]) == GATES
    assert all(LEVELS[level].privilege == privilege for privilege, level in GATES.items())
    study = data("marchen.advancement.study_time")
    assert {int(level): years_to(int(level)) for level in study["cumulative_years_to_level"]} == {
        int(level): years for level, years in study["cumulative_years_to_level"].items()
    }
    assert years_to(3) - years_to(2) == study["years_per_level"]
    assert years_to(None) == 0


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
def test_aliases() -> None:
    for name, row in data("marchen.skill.aliases").items():
        assert alias_of(name) == (row.get("skill"), row.get("specialization", ""), row.get("characteristic"))
    assert alias_of("Melee Combat").skill == "melee_combat"  # own names come first
    assert alias_of("agility").characteristic == "agility"
    assert alias_of("axe") == ("melee_combat", "Axe/Mace", None)
    with pytest.raises(InvalidInputError, match="Gambling"):
        alias_of("Gamblin")


@pytest.mark.rule("marchen.connection.ranks")
def test_connection_ranks() -> None:
    found = data("marchen.connection.ranks")
    assert (found["min"], found["max"], found["connected"]) == (LEAST_RANK, MOST_RANK, CONNECTED)
    assert list(CONNECTION_LABELS) == list(range(LEAST_RANK, MOST_RANK + 1))
    ruling = LEDGER["marchen.connection.ranks"].ruling
    assert all(f"{rank} {label}" in ruling for rank, label in CONNECTION_LABELS.items())


@pytest.mark.rule("marchen.tech.difference_dm", "marchen.gap.range.bands", "marchen.skill.cap")
def test_technology_differences_bands_of_range_and_the_highest_level() -> None:
    for given, expect in examples("marchen.tech.difference_dm"):
        assert tech_difference(given["user_tl"], given["object_tl"]) == expect["dm"]
    assert METRES == {"touch": 2, "reach": 10, "catch": 20, "rock": 40, "see": 100, "hear": 1_000}
    assert (cap(False), cap(True)) == (4, 6)


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
