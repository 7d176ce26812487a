"""Tables and advice as files: charts (PNG, SVG), CSV and JSON, chosen by the file suffix.

Matplotlib is imported only when a chart is drawn. Equal tables give equal bytes.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.extras import needs_extra
from tablewright.game.files.atomic import write_atomically
from tablewright.game.narration.formatting import label_of
from tablewright.lab.odds.columns import Column, How
from tablewright.lab.odds.ranges import Axis
from tablewright.lab.odds.table import OddsTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from tablewright.lab.odds.advice_curve import AdviceCurve, Curve

Format: TypeAlias = Literal["png", "svg"]

ENDINGS = (".png", ".svg", ".csv", ".json")
MOST_LINES = 12
"""Upper bound for curves or panels in one chart."""

MOST_BARS = 300

_MOST_TICKS = 24
_MOST_WRITTEN = 400
"""Upper bound for cells of a grid that show their numbers."""

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933")
"""Palette distinguishable with colour vision deficiency (Okabe and Ito)."""

_WORDS: dict[How, str] = {
    "expected": "expected",
    "exactly": "chance",
    "at_least": "chance of at least",
    "at_most": "chance of at most",
}
_MOST_INSIDE = 4
"""Upper bound for legend entries inside the panel; more would cover the curves and go below it."""

_LINE = 110
"""Upper bound for characters per legend line below a panel."""

_DASHES = ("-", "--", "-.", ":")


def ending_of(path: Path) -> str:
    """File suffix that selects the format; an unknown one is refused before any computation."""
    ending = path.suffix.casefold()
    if ending not in ENDINGS:
        raise InvalidInputError(
            f'"{path.name:.60}" ends in none of {", ".join(ENDINGS)}{did_you_mean(ending, ENDINGS)}'
        )
    return ending


def check_file(path: Path, *, replace: bool = False) -> None:
    """Refuse a path that cannot be written, or that exists unless ``replace`` is set."""
    ending_of(path)
    folder = path.absolute().parent
    try:
        if not folder.is_dir():
            raise InvalidInputError(f"there is no folder {folder}")
        if path.is_dir():
            raise InvalidInputError(f"{path} is a folder")
        if path.exists() and not replace:
            raise InvalidInputError(f"{path} is there already; name another file, or let it be replaced")
    except (OSError, ValueError):
        raise InvalidInputError(f'"{str(path)[:60]}" cannot be the name of a file') from None


def write_file(path: Path, table: OddsTable | AdviceCurve, *, replace: bool = False) -> None:
    """Write a table or advice in the format of the file suffix, atomically."""
    check_file(path, replace=replace)
    ending = ending_of(path)
    content: str | bytes
    if ending == ".csv":
        content = table.to_csv()
    elif ending == ".json":
        content = json.dumps(table.to_json(), indent=2, ensure_ascii=False) + "\n"
    else:
        content = picture(table, "png" if ending == ".png" else "svg")
    try:
        write_atomically(path, content, replace=replace)
    except FileExistsError:
        raise InvalidInputError(f"{path} is there already; name another file, or let it be replaced") from None
    except OSError as problem:
        raise InvalidInputError(f"{path} cannot be written: {problem.strerror}") from None


def picture(table: OddsTable | AdviceCurve, form: Format = "png") -> bytes:
    """Chart of a table or of advice: bars, curves or heat maps, depending on its axes."""
    with needs_extra("plot"):
        import matplotlib as mpl  # noqa: PLC0415 - loads arrays and fonts
        from matplotlib.figure import Figure as Drawn  # noqa: PLC0415

    with mpl.rc_context({"svg.hashsalt": "tablewright", "svg.fonttype": "path", "text.parse_math": False}):
        figure = Drawn(figsize=(8, 5), dpi=110, layout="constrained")
        if isinstance(table, OddsTable):
            _draw(figure, table)
        else:
            _draw_advice(figure, table)
        written = io.BytesIO()
        metadata: dict[str, Any] = {"Date": None} if form == "svg" else {"Software": None}
        figure.savefig(written, format=form, metadata=metadata)
    return written.getvalue()


def _draw(figure: Figure, table: OddsTable) -> None:
    drawn = len(table.columns) * len(table.cases)
    if len(table.axes) and drawn > MOST_LINES:
        raise InvalidInputError(
            f"{drawn} curves do not fit into one picture, at most {MOST_LINES} do; name fewer outcomes"
        )
    figure.suptitle(title_of(table), fontsize="medium")
    if not table.axes:
        _draw_bars(figure, table)
    elif len(table.axes) == 1:
        _draw_curves(figure, table)
    else:
        _draw_grids(figure, table)


def title_of(table: OddsTable) -> str:
    """Mechanic names and the arguments that all cases share."""
    first = table.cases[0]
    if first.mechanic is None:
        return " / ".join([case.label for case in table.cases])
    shared = [
        f"{name}={label_of(value)}"
        for name, value in first.arguments.items()
        if all(case.arguments.get(name) == value for case in table.cases)
    ]
    names = " / ".join(dict.fromkeys([case.mechanic.name for case in table.cases if case.mechanic is not None]))
    return f"{names}  {' '.join(shared)}".strip()


def _number(value: Fraction | None) -> float:
    return float("nan") if value is None else float(value)


def _scaled(column: Column, values: Sequence[Fraction | None]) -> list[float]:
    """Chances in percent, other numbers unchanged."""
    return [100 * _number(value) if column.is_chance else _number(value) for value in values]


def _draw_bars(figure: Figure, table: OddsTable) -> None:
    """Draw the chance of each outcome as bars, grouped by case."""
    if len(table.columns) > MOST_BARS:
        raise InvalidInputError(
            f"{len(table.columns)} bars do not fit into one picture, at most {MOST_BARS} do; name fewer outcomes"
        )
    panel = figure.subplots()
    width = 0.8 / len(table.cases)
    for number, case in enumerate(table.cases):
        values = [table.value(number, 0, at) for at in range(len(table.columns))]
        sizes = [_scaled(column, [value])[0] for column, value in zip(table.columns, values, strict=True)]
        places = [at + width * (number - (len(table.cases) - 1) / 2) for at in range(len(sizes))]
        panel.bar(places, sizes, width, label=case.label, color=_COLOURS[number % len(_COLOURS)])
    _ticks(panel, [column.label for column in table.columns])
    _side(panel, table.columns, _WORDS[table.how])
    if len(table.cases) > 1:
        panel.legend()


def _draw_curves(figure: Figure, table: OddsTable) -> None:
    """Draw a curve per column and case; for a comparison, add a panel with the differences."""
    compared = len(table.cases) > 1
    panels = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1.4)) if compared else [figure.subplots()]
    axis = table.axes[0]
    several = len(table.columns) > 1
    for number, case in enumerate(table.cases):
        for at, column in enumerate(table.columns):
            colour = _COLOURS[(at if several else number) % len(_COLOURS)]
            style = _DASHES[number % len(_DASHES)] if several else "-"
            names = [name for name, told in ((column.label, several), (case.label, compared)) if told]
            _line(
                panels[0], axis, _scaled(column, table.curve(number, at)), ", ".join(names), colour=colour, style=style
            )
            if compared and number:
                apart = [table.difference(number, point, at) for point in range(len(table.points))]
                _line(panels[1], axis, _scaled(column, apart), "", colour=colour, style=style)
    _side(panels[0], table.columns, _WORDS[table.how])
    if several or compared:
        _names(figure, panels[0])
    if compared:
        panels[1].axhline(0, color="grey", linewidth=0.8)
        panels[1].set_ylabel(f"difference from\n{table.cases[0].label}", fontsize="small")
        panels[1].grid(alpha=0.3)
    panels[-1].set_xlabel(axis.name)
    _along(panels[-1], axis)


def _line(panel: Axes, axis: Axis, values: Sequence[float], label: str, *, colour: str, style: str) -> None:
    places = list(axis.values) if axis.numeric else list(range(len(values)))
    panel.plot(places, values, style, marker="o", markersize=3, color=colour, label=label or None)


def _draw_grids(figure: Figure, table: OddsTable) -> None:
    """Draw a heat map per case and column, and one per difference from the first case."""
    down, across = table.axes
    shape = len(down.values), len(across.values)
    panels: list[tuple[str, Column, list[Fraction | None], bool]] = []
    for at, column in enumerate(table.columns):
        for number, case in enumerate(table.cases):
            names = [case.label] if len(table.cases) > 1 else []
            panels.append((", ".join([column.label, *names]), column, list(table.curve(number, at)), False))
        for number in range(1, len(table.cases)):
            apart = [table.difference(number, point, at) for point in range(len(table.points))]
            panels.append((f"{column.label}: difference", column, apart, True))
    wide = min(3, len(panels))
    high = -(-len(panels) // wide)
    figure.set_size_inches(max(8.0, 4.5 * wide), max(5.0, 4.0 * high))
    drawn = figure.subplots(high, wide, squeeze=False)
    for place, (name, column, values, apart_) in enumerate(panels):
        panel = drawn[place // wide][place % wide]
        scaled = _scaled(column, values)
        rows = [scaled[row * shape[1] : (row + 1) * shape[1]] for row in range(shape[0])]
        most = max([abs(value) for value in scaled if value == value] or [1.0]) or 1.0  # noqa: PLR0124 - not a number
        limits = (-most, most) if apart_ else (0.0, 100.0) if column.is_chance else (None, None)
        image = panel.imshow(rows, aspect="auto", cmap="PuOr" if apart_ else "viridis", vmin=limits[0], vmax=limits[1])
        figure.colorbar(image, ax=panel, label="percent" if column.is_chance else None)
        panel.set_title(name, fontsize="small")
        panel.set_xlabel(across.name)
        panel.set_ylabel(down.name)
        _ticks(panel, across.labels)
        _ticks(panel, down.labels, upright=True)
        if len(scaled) <= _MOST_WRITTEN:
            _write_numbers(panel, rows)


def _write_numbers(panel: Axes, rows: Sequence[Sequence[float]]) -> None:
    for down, row in enumerate(rows):
        for across, value in enumerate(row):
            said = "-" if value != value else f"{value:.3g}"  # noqa: PLR0124 - not a number
            panel.text(across, down, said, ha="center", va="center", fontsize=6, color="white", bbox=_BOX)


_BOX = {"facecolor": "black", "alpha": 0.35, "linewidth": 0, "pad": 0.8}


def _side(panel: Axes, columns: Sequence[Column], words: str = "") -> None:
    """Label the vertical axis with the only column or the view, in percent for chances."""
    chances = all(column.is_chance for column in columns)
    label = columns[0].label if len(columns) == 1 else words
    panel.set_ylabel(f"{label} (percent)".strip() if chances else label)
    if chances:
        panel.set_ylim(bottom=0)
    panel.grid(alpha=0.3)


def _names(figure: Figure, panel: Axes, title: str | None = None) -> None:
    """Draw the legend: inside the panel for few curves, else below it."""
    labels = panel.get_legend_handles_labels()[1]
    if len(labels) <= _MOST_INSIDE:
        panel.legend(fontsize="small", title=title)
        return
    beside = max(1, min(4, _LINE // (max(map(len, labels)) + 6)))
    figure.legend(fontsize="small", title=title, loc="outside lower center", ncols=beside)


def _along(panel: Axes, axis: Axis) -> None:
    if not axis.numeric:
        _ticks(panel, axis.labels)


def _ticks(panel: Axes, labels: Sequence[str], *, upright: bool = False) -> None:
    """Label every tick, or every n-th if there are many."""
    step = -(-len(labels) // _MOST_TICKS)
    places = list(range(0, len(labels), step))
    said = [labels[place][:24] for place in places]
    if upright:
        panel.set_yticks(places, said)
        return
    crowded = sum(map(len, said)) > 60
    turned: dict[str, Any] = {"rotation": 45, "ha": "right"} if crowded else {}
    panel.set_xticks(places, said, **turned)


def _draw_advice(figure: Figure, advice: AdviceCurve) -> None:
    """Draw the value of each option over the unknown value; dotted lines mark switches of the best option."""
    curve = advice.curves[0] if advice.curves else None
    if curve is None or len(advice.axes) != 1:
        raise InvalidInputError("a picture of advice needs one unknown value and a choice")
    panel = figure.subplots()
    axis = advice.axes[0]
    figure.suptitle(f"{advice.mechanic.name}: {curve.question}?", fontsize="medium")
    chance = Column(advice.objective, advice.is_chance)
    for number, option in enumerate(_drawn(curve)):
        values = _scaled(chance, curve.worths(option))
        best = curve.ever_best(option)
        style = _DASHES[number // len(_COLOURS) % len(_DASHES)]
        label = f"{option} (best somewhere)" if best else option
        _line(panel, axis, values, label, colour=_COLOURS[number % len(_COLOURS)], style=style)
    for switch in curve.switches:
        before, after = [_place(axis, place) for place in (switch.before, switch.after)]
        panel.axvline((before + after) / 2, color="grey", linestyle=":", linewidth=1)
    _side(panel, [chance])
    _names(figure, panel, "option")
    panel.set_xlabel(axis.name)
    _along(panel, axis)


def _drawn(curve: Curve) -> Sequence[str]:
    """Options to draw, those that are best at some point first, up to ``MOST_LINES``."""
    rank: Callable[[str], bool] = lambda option: not curve.ever_best(option)  # noqa: E731
    return sorted(curve.options, key=rank)[:MOST_LINES]


def _place(axis: Axis, place: int) -> float:
    return float(axis.values[place]) if axis.numeric else float(place)
