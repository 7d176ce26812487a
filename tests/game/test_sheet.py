from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.engine import Tally
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.character.sheet import Section, Sheet, SheetEntry, sheet_json, sheet_markdown, sheet_text

DEFENCE = Tally.of("base", 10, "demo.defence.base").add("shield", 2, rule="demo.armour.shield")
ATTACK = Tally.of("skill", 4).add("fine blade", 1)
SKILLS = tuple(SheetEntry(name, rank) for rank, name in enumerate(["Climb", "Brew", "Swim", "Sing", "Haggle", "Ride"]))
ANN = Sheet(
    "Ann",
    "small coiner",
    (
        Section("Figures", (SheetEntry("Defence", tally=DEFENCE), SheetEntry("Luck", 3, rule="demo.luck.start"))),
        Section("Nothing"),
        Section("Skills", SKILLS),
        Section(
            "Weapons",
            columns=("Weapon", "Attack", "Properties"),
            rows=(("sword", ATTACK, "fine"), ("long bow", 3, "both hands, slow to load, bad in the rain")),
        ),
        Section("Notes", text="Born at sea.\n\nFears *rain*."),
    ),
)
anything = st.text(max_size=20)
tallies = st.builds(Tally.of, anything, st.integers(-9, 99))
cells = anything | st.integers() | tallies
tables = st.integers(1, 4).flatmap(
    lambda number: st.builds(
        Section,
        anything,
        columns=st.tuples(*[anything] * number),
        rows=st.lists(st.tuples(*[cells] * number), max_size=4).map(tuple),
        text=anything,
    )
)
lists = st.builds(
    Section,
    anything,
    st.lists(st.builds(SheetEntry, anything, anything | st.integers(), st.none() | tallies, anything), max_size=6).map(
        tuple
    ),
)
sheets = st.builds(Sheet, anything, anything, st.lists(tables | lists, max_size=4).map(tuple))


def test_text() -> None:
    assert sheet_text(ANN, 60) == "\n".join(
        [
            "Ann, small coiner",
            "=" * 60,
            "FIGURES",
            "Defence  12    Luck      3",
            "",
            "SKILLS",
            "Climb   0    Swim    2    Haggle  4",
            "Brew    1    Sing    3    Ride    5",
            "",
            "WEAPONS",
            "Weapon    Attack  Properties",
            "sword          5  fine",
            "long bow       3  both hands, slow to load, bad in the rain",
            "",
            "NOTES",
            "Born at sea.",
            "",
            "Fears *rain*.",
        ]
    )


def test_narrow_text_wraps_and_loses_nothing() -> None:
    drawn = sheet_text(ANN, 40)
    assert max(len(line) for line in drawn.splitlines()) == 40
    assert "long bow       3  both hands, slow to\n                  load, bad in the rain" in drawn
    assert "Swim    2" in drawn


def test_text_explains_on_demand() -> None:
    drawn = sheet_text(ANN, 60, explain=True)
    assert "Defence  12[1]" in drawn
    assert "sword       5[2]" in drawn
    assert drawn.endswith(
        "WHERE IT COMES FROM\n"
        "[1] Defence: 12; base 10 [demo.defence.base]; shield +2\n"
        "    [demo.armour.shield]\n"
        "[2] sword Attack: 5; skill 4; fine blade +1"
    )


def test_markdown() -> None:
    assert sheet_markdown(ANN) == (
        "# Ann\n\n*small coiner*\n\n## Figures\n\n**Defence** 12 · **Luck** 3\n\n## Skills\n\n"
        "**Climb** 0 · **Brew** 1 · **Swim** 2 · **Sing** 3 · **Haggle** 4 · **Ride** 5\n\n## Weapons\n\n"
        "| Weapon | Attack | Properties |\n| --- | --: | --- |\n| sword | 5 | fine |\n"
        "| long bow | 3 | both hands, slow to load, bad in the rain |\n\n"
        "## Notes\n\nBorn at sea.\n\nFears \\*rain\\*.\n"
    )
    explained = sheet_markdown(ANN, explain=True)
    assert "**Defence** 12[^1]" in explained
    assert "| sword | 5[^2] |" in explained
    assert "[^1]: Defence: 12; base 10 \\[demo.defence.base\\]; shield +2 \\[demo.armour.shield\\]\n" in explained


def test_markdown_of_hostile_names() -> None:
    hostile = "<script>|*x*\n# y [a](b)"
    sheet = Sheet(
        hostile, sections=(Section(hostile, (SheetEntry(hostile, hostile, note=hostile),), (hostile,), ((hostile,),)),)
    )
    drawn = sheet_markdown(sheet)
    assert "<script>" not in drawn.replace("\\<script\\>", "")
    assert len([line for line in drawn.splitlines() if line.startswith("#")]) == 2
    table = [line for line in drawn.splitlines() if line.startswith("|")]
    assert [line.replace("\\|", "").count("|") for line in table] == [2, 2, 2]
    assert sheet_markdown(Sheet("1. x", sections=(Section("- a", text="- b\n\n2) c"),))) == (
        "# 1\\. x\n\n## \\- a\n\n\\- b\n\n2\\) c\n"
    )


def test_json() -> None:
    plain = sheet_json(ANN)
    assert json.loads(json.dumps(plain)) == plain
    figures, _, _, weapons, notes = plain["sections"]
    assert figures["entries"][0]["value"] == 12
    assert figures["entries"][0]["tally"]["parts"][0]["rule"] == "demo.armour.shield"
    assert figures["entries"][1] == {"label": "Luck", "value": 3, "tally": None, "note": "", "rule": "demo.luck.start"}
    assert weapons["rows"][0][0] == {"value": "sword", "tally": None}
    assert weapons["rows"][0][1]["value"] == 5
    assert notes["text"].startswith("Born")


def test_why() -> None:
    assert ANN.why("defence") == DEFENCE.explain()
    assert ANN.why("sword attack") == ATTACK.explain()
    assert ANN.why("luck") == "Luck is 3 [demo.luck.start]"
    with pytest.raises(InvalidInputError, match='there is no "defense" on the sheet; did you mean "Defence"'):
        ANN.why("defense")


def test_wrong_sheets() -> None:
    with pytest.raises(TablewrightError, match='section "Weapons": a row has 1 cells, there are 2 columns'):
        Section("Weapons", columns=("a", "b"), rows=(("x",),))
    for width in (19, 501):
        with pytest.raises(InvalidInputError, match="allowed are 20 to 500"):
            sheet_text(ANN, width)


def test_a_full_character_fits_on_one_page() -> None:
    full = Sheet(
        "Somebody",
        "tall coiner",
        (
            Section("Stats", tuple(SheetEntry(f"Stat {n}", tally=DEFENCE) for n in range(12))),
            Section("Figures", tuple(SheetEntry(f"Figure {n}", n) for n in range(18))),
            Section("Skills", tuple(SheetEntry(f"A skill with a name {n}", n) for n in range(36))),
            Section(
                "Weapons", columns=("Weapon", "Hit", "Damage"), rows=tuple((f"weapon {n}", 3, "2d6") for n in range(5))
            ),
            Section("Belongings", tuple(SheetEntry(f"thing {n}", n) for n in range(20))),
            Section("Notes", text="Born at sea. " * 20),
        ),
    )
    assert len(sheet_text(full, 80).splitlines()) <= 60


@given(sheets, st.integers(20, 90), st.booleans())
def test_any_sheet_can_be_drawn(sheet: Sheet, width: int, explain: bool) -> None:
    json.dumps(sheet_json(sheet))
    sheet_markdown(sheet, explain=explain)
    drawn = sheet_text(sheet, width, explain=explain)
    assert all(letter.isprintable() or letter == "\n" for letter in drawn)
    for line in drawn.splitlines():
        columns = sum([2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line])
        assert columns <= 2 * max(width, 40)
    hash(sheet)
