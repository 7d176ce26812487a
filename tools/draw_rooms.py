"""Draw the rooms and the packages of the game, with their imports, as docs/rooms.svg."""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path
from typing import TypeAlias

import grimp

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "rooms.svg"
WIDTH, HEIGHT, GAP, STEP, MARGIN = 120, 30, 24, 74, 24
STYLE = "font: 14px system-ui, sans-serif; fill: #1d2733"

Imports: TypeAlias = dict[str, set[str]]
"""Packages with the packages that each imports."""


def imports_inside(graph: grimp.ImportGraph, parent: str) -> Imports:
    """Imports between the packages of a parent package; plain modules of the parent are left out."""
    packages = {name for name in graph.find_children(parent) if graph.find_children(name)}
    return {
        one.rpartition(".")[2]: {
            other.rpartition(".")[2]
            for other in packages
            if other != one and graph.direct_import_exists(importer=one, imported=other, as_packages=True)
        }
        for one in packages
    }


def without_shortcuts(imports: Imports) -> Imports:
    """Imports without those that also lead over another package: the arrows worth drawing."""
    return {
        one: {other for other in others if not any(other in _below(imports, third) for third in others - {other})}
        for one, others in imports.items()
    }


def _below(imports: Imports, one: str) -> set[str]:
    return set().union(*[{other} | _below(imports, other) for other in imports[one]])


def rows_of(imports: Imports) -> list[list[str]]:
    """Packages in rows: each below the lowest package that imports it and near it; others above what they use."""
    importers = {one: [other for other in imports if one in imports[other]] for one in imports}
    depths: dict[str, int] = {}

    def depth(one: str) -> int:
        if one not in depths:
            depths[one] = 1 + max(map(depth, importers[one]), default=-1)
        return depths[one]

    lowest = max(map(depth, imports))
    for one in imports:
        if not importers[one] and imports[one]:
            depths[one] = min([depths[other] for other in imports[one]]) - 1
    rows: list[list[str]] = []
    centres: dict[str, float] = {}
    for level in range(lowest + 1):
        drawn = {one: [centres[other] for other in importers[one] if depths[other] == level - 1] for one in imports}
        row = [one for one in imports if depths[one] == level]
        row.sort(key=lambda one: (sum(drawn[one]) / len(drawn[one]) if drawn[one] else 0, one))
        centres |= {one: place - (len(row) - 1) / 2 for place, one in enumerate(row)}
        rows.append(row)
    return rows


def draw_column(title: str, imports: Imports, left: int, width: int) -> list[str]:
    """Elements of one column: a title, boxes in rows and arrows down to what they import."""
    rows, middle = rows_of(imports), left + width // 2
    places: dict[str, tuple[int, int]] = {}
    for level, row in enumerate(rows):
        start = middle - (len(row) * WIDTH + (len(row) - 1) * GAP) // 2
        for place, name in enumerate(row):
            places[name] = (start + place * (WIDTH + GAP), MARGIN + 30 + level * STEP)
    lines = [f'<text x="{middle}" y="{MARGIN + 6}" text-anchor="middle" font-weight="bold">{escape(title)}</text>']
    for one, others in sorted(without_shortcuts(imports).items()):
        for other in sorted(others):
            (x, y), (to_x, to_y) = places[one], places[other]
            bend = (to_y - y - HEIGHT) // 2
            x, y, to_x, to_y = x + WIDTH // 2, y + HEIGHT, to_x + WIDTH // 2, to_y - 6
            curve = f"M{x},{y} C{x},{y + bend} {to_x},{to_y - bend} {to_x},{to_y}"
            lines.append(f'<path d="{curve}" fill="none" stroke="#7b8794" marker-end="url(#arrow)"/>')
    for name, (x, y) in sorted(places.items()):
        box = f'x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5"'
        lines.append(f'<rect {box} fill="#e8eef4" stroke="#52606d"/>')
        lines.append(f'<text x="{x + WIDTH // 2}" y="{y + 20}" text-anchor="middle">{name}</text>')
    return lines


def draw() -> str:
    """The picture as SVG text."""
    graph = grimp.build_graph("tablewright", cache_dir=None)
    rooms, game = imports_inside(graph, "tablewright"), imports_inside(graph, "tablewright.game")
    columns = [("rooms of tablewright", rooms), ("packages of game", game)]
    lines, left, height = [], MARGIN, 0
    for title, imports in columns:
        rows = rows_of(imports)
        width = max([len(row) * (WIDTH + GAP) for row in rows])
        lines += draw_column(title, imports, left, width)
        left, height = left + width + 2 * MARGIN, max(height, len(rows) * STEP)
    height += 2 * MARGIN
    arrow = '<marker id="arrow" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left} {height}" style="{STYLE}" role="img">',
        "<title>Imports between the rooms of Tablewright and between the packages of its game room</title>",
        f'<defs>{arrow}<path d="M0,0 L8,4 L0,8 z" fill="#7b8794"/></marker></defs>',
        f'<rect width="{left}" height="{height}" fill="#ffffff"/>',
    ]
    return "\n".join([*head, *lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
    sys.stdout.write(f"{PICTURE.relative_to(ROOT)}\n")
