"""``make bench``: every row measured side by side in one run, written to ``bench/RESULTS.md``.

``make bench BEFORE=CHECKOUT`` also measures an earlier version beside this one; CHECKOUT is a compiled checkout of it.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from fighting import encounter_lines
from measure import Measured, Row, forget_everything, measure, process_seconds
from measure import seconds as timed

from tablewright.dice import SeededDice
from tablewright.engine import odds, play, sample
from tablewright.systems.renaissance.mechanics.checks import opposed

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"


def main() -> None:
    import agent_rows  # noqa: PLC0415 - after the warnings of the libraries are out of the way
    import before  # noqa: PLC0415
    import lab_rows  # noqa: PLC0415
    import marchen_rows  # noqa: PLC0415
    import mars_rows  # noqa: PLC0415
    import opend6_rows  # noqa: PLC0415
    import peers  # noqa: PLC0415
    import renaissance_rows  # noqa: PLC0415
    import rule_rows  # noqa: PLC0415
    import stage_rows  # noqa: PLC0415

    systems = (mars_rows, renaissance_rows, opend6_rows, stage_rows, marchen_rows)

    sections = [
        ("Dice", list(_measured(_dice_rows(), 10.0))),
        (
            "Whole rules",
            list(_measured([*rule_rows.rows(), *[row for system in systems for row in system.rows()]], 1.0)),
        ),
    ]
    lines = [*_head(), ""]
    for title, measured in sections:
        if measured:
            lines += [f"## {title}", "", *_table(measured), ""]
    if len(sys.argv) > 1:
        earlier = Path(sys.argv[1]).resolve()
        lines += ["## An earlier version and this one", "", *before.lines(earlier), ""]
    lines += ["## Whole fights", "", *encounter_lines(*[system.FIGHT for system in systems]), ""]
    lines += ["## Fights of the lab", "", *lab_rows.lines(), ""]
    lines += ["## Games of others", "", *peers.lines(), ""]
    lines += ["## Steps of learning agents", "", *agent_rows.lines(), ""]
    lines += ["## Sampling, starting, playing", "", *_others(), ""]
    RESULTS.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


def _dice_rows() -> Iterable[Row]:
    """The rows of ``dice_rows.py``."""
    if importlib.util.find_spec("dice_rows") is None:
        return ()
    import dice_rows  # noqa: PLC0415

    return [
        Row(row.name, row.ours, row.icepool, row.dyce, row.check, getattr(row, "why", "")) for row in dice_rows.ROWS
    ]


def _measured(rows: Iterable[Row], aim: float) -> Iterator[tuple[Row, Measured, float]]:
    for row in rows:
        print(f"{row.name} ...", file=sys.stderr, flush=True)
        yield row, measure(row), aim


def _table(measured: Iterable[tuple[Row, Measured, float]]) -> Iterator[str]:
    yield "| | tablewright | icepool | dyce | times the faster peer | remembered | times the faster peer, remembered |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    behind: list[str] = []
    for row, found, aim in measured:
        cells = [row.name, *map(_shown, (found.ours, found.icepool, found.dyce))]
        cells += [_times(found.ratio), _shown(found.remembered), _times(found.ratio_remembered)]
        yield f"| {' | '.join(cells)} |"
        if found.ratio is not None and found.ratio < aim:
            kind = "behind the faster peer" if found.ratio < 1 else f"ahead, but less than {aim:g} times"
            behind.append(f"- *{row.name}* is {kind}: {row.why or 'no reason is known yet.'}")
    if behind:
        yield ""
        yield from behind


def _shown(seconds: float | None) -> str:
    if seconds is None:
        return ""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:,.1f}" if ratio < 100 else f"{ratio:,.0f}"


def _head() -> Iterator[str]:
    packages = ", ".join([f"{name} {version(name)}" for name in ("tablewright", "icepool", "dyce", "numpy")])
    yield "# Benchmarks"
    yield ""
    yield (
        "Written by `make bench`. Every answer is worked out by all libraries in one process and compared: the same "
        "outcomes with the same fractions. The first columns are measured from nothing, with the caches of all of them "
        "emptied, in turn, the median of several, in processor time; *remembered* means asked again."
    )
    yield ""
    yield f"{datetime.now(UTC):%Y-%m-%d}, {_processor()}, {os.cpu_count()} cores, {platform.system()}, "
    yield f"Python {platform.python_version()} {_build()}, {packages}."


def _build() -> str:
    """How this Python was built; a build with optimizations runs fights 1.1 to 1.2 times as fast."""
    if sys.base_prefix == "/usr":
        return "as the distribution builds it"
    given = sysconfig.get_config_var("CONFIG_ARGS") or ""
    told = [f"{'with' if flag in given else 'without'} {flag}" for flag in ("--enable-optimizations", "--with-lto")]
    return f"built {told[0]} and {told[1]}"


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


# ---------------------------------------------------------------------- what has no peer of the same kind

DRAWS = 100_000


def _others() -> Iterator[str]:
    yield "| | tablewright | peer | |"
    yield "|---|---:|---:|---|"
    call = opposed(60, 65)
    exact = odds(call)
    chances = [float(chance) for _, chance in exact.fractions()]
    generator = np.random.default_rng(1)

    def ours() -> Any:
        return sample(call, DRAWS, SeededDice(1))

    def theirs() -> Any:
        return [exact.outcomes[at] for at in generator.choice(len(chances), DRAWS, p=chances)]

    def faces() -> Any:
        """What NumPy alone would do: throw all the dice, again and again where nobody has won."""
        a, b = generator.integers(0, 100, DRAWS), generator.integers(0, 100, DRAWS)
        while True:
            own, other = np.where(a <= 60, a, -1), np.where(b <= 65, b, -1)
            tied = own == other
            if not tied.any():
                return own > other
            a[tied], b[tied] = generator.integers(0, 100, tied.sum()), generator.integers(0, 100, tied.sum())

    drawn, table, thrown = timed(ours), timed(theirs), timed(faces)
    what = f"{DRAWS:,} draws of an opposed check"
    yield f"| {what} | {_shown(drawn)} | {_shown(table)} | NumPy from the same table, as a list |"
    yield f"| {what} | {_shown(drawn)} | {_shown(thrown)} | NumPy throwing all dice, as an array |"

    def played() -> None:
        dice = SeededDice(1)
        for _ in range(1_000):
            play(call, dice)

    forget_everything()
    yield f"| one opposed check played, with its trace | {_shown(timed(played) / 1_000)} | | |"
    yield from _starts()


COMMANDS = (
    "odds renaissance.opposed a=60 b=65 --json",
    "sheet mars:fighter",
    "new mars --random --seed 3",
    "check mars:fighter athletics difficulty=10",
    "do mars.complex_challenge mars:fighter tasks=sleight:14 turns=2 --seed 3",
    "rules wild die",
)


def _starts() -> Iterator[str]:
    """What starting costs."""
    bare = process_seconds("-c", "pass")
    imports = [process_seconds("-c", f"import {name}") - bare for name in ("tablewright.engine", "icepool", "dyce")]
    yield f"| `import tablewright.engine` | {_shown(imports[0])} | {_shown(imports[1])} | `import icepool` |"
    yield f"| `import tablewright.engine` | {_shown(imports[0])} | {_shown(imports[2])} | `import dyce` |"
    whole = process_seconds("-c", "import tablewright")
    yield f"| a process that only imports `tablewright` | {_shown(whole)} | {_shown(bare)} | an empty Python process |"
    for command in COMMANDS:
        taken = process_seconds("-m", "tablewright.cli", *command.split())
        yield f"| `tablewright {command}`, all of it | {_shown(taken)} | | |"


if __name__ == "__main__":
    main()
