"""The picture of the rooms shows the imports as they are."""

from __future__ import annotations

from draw_rooms import PICTURE, draw, rows_of, without_shortcuts


def test_the_picture_is_that_of_the_import_graph() -> None:
    assert PICTURE.read_text(encoding="utf-8") == draw(), "run: .venv/bin/python tools/draw_rooms.py"


def test_arrows_that_another_path_implies_are_left_out() -> None:
    imports = {"cli": {"game", "dice"}, "game": {"dice"}, "dice": set[str]()}
    assert without_shortcuts(imports) == {"cli": {"game"}, "game": {"dice"}, "dice": set()}


def test_a_package_stands_below_all_that_import_it() -> None:
    imports = {"cli": {"game"}, "lab": {"game"}, "game": {"dice"}, "dice": set[str]()}
    assert rows_of(imports) == [["cli", "lab"], ["game"], ["dice"]]
