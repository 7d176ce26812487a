"""Files of the lab: pictures that are pictures, the same bytes for the same table, and nothing replaced unasked."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from patience import LIMIT
from tablewright.engine import d, mechanic
from tablewright.errors import InvalidInputError
from tablewright.game.system.registry import find_mechanic
from tablewright.lab import View, advice_curve, compare, odds_table, picture, write_file


@mechanic(rules=["demo.check.roll"])
async def check(target: int, sides: int = 6) -> bool:
    """Roll the target or less."""
    return await d(sides) <= target


def names_in(folder: Path) -> list[str]:
    return sorted([path.name for path in folder.iterdir()])


def heights(line: Any) -> list[float]:
    return [float(height) for height in line.get_ydata()]


PICTURED: dict[str, Any] = {
    "curve": odds_table(check, {"target": "1..6"}),
    "one": odds_table(check, {"target": "2"}),
    "grid": odds_table(check, {"target": "1..3", "sides": "4,6,8"}),
    "compared": compare(check, {"target": "1..6"}, {"sides": 8}, {"sides": 10}),
    "compared-grid": compare(check, {"target": "1..3", "sides": "4..8..2"}, {"target": 2}),
    "degrees": odds_table(find_mechanic("mars.check"), {"roll_value": "r8..r16..2", "difficulty": "9"}),
    "bars": odds_table(find_mechanic("mars.check"), {"roll_value": "r16", "difficulty": "9"}),
    "advice": advice_curve(find_mechanic("stage.leveled"), {"dice": "5", "difficulty": "5..15"}, weights="even"),
}
DRAWN_AGAIN = ("grid", "bars", "advice")
"""One of each kind of panel: numbers in cells, bars and curves."""


@pytest.mark.parametrize("name", PICTURED)
def test_a_picture_is_one_and_always_the_same(name: str) -> None:
    table = PICTURED[name]
    png = picture(table, "png")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    assert width >= 800
    assert height >= 500
    svg = picture(table, "svg")
    assert ET.fromstring(svg).tag.endswith("svg")
    if name in DRAWN_AGAIN:
        assert picture(table, "svg") == svg


def test_a_picture_says_what_its_numbers_are_and_covers_no_curve() -> None:
    """Beside the curves stands what they are; where there are many, their names stand below the panels."""
    from matplotlib.figure import Figure

    from tablewright.lab.odds import charts as pictures

    given = {"roll_value": "r16", "difficulty": "8..14..2"}
    for view, said in ((View(), "chance (percent)"), (View("at_least"), "chance of at least (percent)")):
        figure = Figure()
        pictures._draw(figure, odds_table(find_mechanic("mars.check"), given, view))
        (panel,) = figure.axes
        assert panel.get_ylabel() == said
        assert panel.get_legend() is not None
    figure = Figure(layout="constrained")
    pictures._draw(figure, compare(find_mechanic("mars.check"), given, {"advantage": 1}))
    assert figure.axes[0].get_legend() is None
    (names,) = figure.legends
    assert len(names.get_texts()) == 8


def test_a_curve_runs_through_the_numbers() -> None:
    from matplotlib.figure import Figure

    from tablewright.lab.odds import charts as pictures

    figure = Figure()
    table = compare(check, {"target": "1..4"}, {"sides": 8})
    pictures._draw(figure, table)
    above, below = figure.axes
    lines = [heights(line) for line in above.get_lines()]
    assert lines == [[pytest.approx(100 * n / sides) for n in range(1, 5)] for sides in (6, 8)]
    assert heights(below.get_lines()[0]) == [pytest.approx(100 * (n / 8 - n / 6)) for n in range(1, 5)]


def test_names_are_not_read_as_formulas() -> None:
    table = odds_table(check, {"target": "1..6"})
    odd = type(table)(table.cases, table.axes, table.how, (type(table.columns[0])("$x_1$ & <b>", True),), table.cells)
    assert ET.fromstring(picture(odd, "svg")).tag.endswith("svg")


def test_too_many_curves_are_refused() -> None:
    table = odds_table(find_mechanic("mars.roll"), {"roll_value": "r16,r18"}, View("exactly"))
    with pytest.raises(InvalidInputError, match="curves do not fit into one picture"):
        picture(table)


def test_files_are_written_whole_and_never_replaced_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = odds_table(check, {"target": "1..3"})
    for ending in ("png", "svg", "csv", "json"):
        path = tmp_path / f"odds.{ending}"
        write_file(path, table)
        before = path.read_bytes()
        with pytest.raises(InvalidInputError, match="is there already"):
            write_file(path, table)
        assert path.read_bytes() == before
        write_file(path, table, replace=True)
    assert json.loads((tmp_path / "odds.json").read_text())["cells"][2]["values"][0]["exact"] == "1/2"
    assert (tmp_path / "odds.csv").read_text().splitlines()[0] == "target,yes,yes (exact)"
    assert names_in(tmp_path) == ["odds.csv", "odds.json", "odds.png", "odds.svg"]
    monkeypatch.setattr(os, "fsync", _full)
    with pytest.raises(InvalidInputError, match="cannot be written: No space left"):
        write_file(tmp_path / "more.csv", table)
    assert not (tmp_path / "more.csv").exists()
    assert len(names_in(tmp_path)) == 4


def _full(_: int) -> None:
    raise OSError(28, "No space left on device")


def test_a_file_that_comes_in_between_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "odds.csv"
    really = os.fsync

    def meanwhile(handle: int) -> None:
        path.write_text("mine")
        really(handle)

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(InvalidInputError, match="is there already"):
        write_file(path, odds_table(check, {"target": "1..3"}))
    assert path.read_text() == "mine"
    assert names_in(tmp_path) == ["odds.csv"]


@pytest.mark.parametrize(
    ("name", "said"),
    [("odds.gif", "ends in none of .png"), ("odds", "ends in none of"), ("none/odds.csv", "there is no folder")],
)
def test_unwritable_files_are_refused(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        write_file(tmp_path / name, odds_table(check, {"target": "1..3"}))


def test_only_a_picture_loads_matplotlib() -> None:
    program = """
import sys
from tablewright.lab import advice_curve, compare, odds_table, picture, advise_turn
from tablewright.game.system.registry import find_mechanic
table = odds_table(find_mechanic("mars.check"), {"roll_value": "r16", "difficulty": "8..10"})
table.to_csv(), table.to_json()
print("matplotlib" in sys.modules, "numpy" in sys.modules)
picture(table)
print("matplotlib" in sys.modules, "matplotlib.pyplot" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=LIMIT)
    assert done.stdout.split() == ["False", "False", "True", "False"]
