"""``make bench``: every row measured side by side in one run, written to ``bench/RESULTS.md``.

``make bench BEFORE=CHECKOUT`` also measures an earlier version beside this one; CHECKOUT is a compiled checkout of it.
It takes about twenty minutes and shows each row as it is found. ``--quick`` tries the program and writes nothing.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
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
    import interval_rows  # noqa: PLC0415
    import marchen_rows  # noqa: PLC0415
    import mars_rows  # noqa: PLC0415
    import opend6_rows  # noqa: PLC0415
    import renaissance_rows  # noqa: PLC0415
    import rule_rows  # noqa: PLC0415
    import stage_rows  # noqa: PLC0415

    quick = "--quick" in sys.argv
    given = [word for word in sys.argv[1:] if word != "--quick"]
    of = before.versions(Path(given[0]).resolve() if given else None)
    systems = (mars_rows, renaissance_rows, opend6_rows, stage_rows, marchen_rows)
    rules = [*rule_rows.rows(), *[row for system in systems for row in system.rows()]]
    dice = list(_dice_rows())
    sections = (  # those that play in this process come last, so that exact odds begin with less in memory
        ("Fights a second", FIGHTS_TOLD, before.fights_a_second(of, quick=quick)),
        ("The most careful policy", BEST_TOLD, before.seconds_of_best(of, quick=quick)),
        ("Seconds to an answer", KNOWN_TOLD, before.seconds_to_know(of, quick=quick)),
        ("Exact odds of dice", ODDS_TOLD, _table(_measured(dice[:1] if quick else dice, 10.0))),
        ("Exact odds of whole rules", "", _table(_measured(rules[:1] if quick else rules, 1.0))),
        ("Starting", STARTING_TOLD, _starts(of, times=1 if quick else 7)),
        ("Sampling and playing", "", _others()),
        ("Intervals that cover", INTERVALS_TOLD, interval_rows.lines(quick=quick)),
        ("Steps of learning agents", AGENTS_TOLD, iter(agent_rows.lines())),
    )
    lines = [*_head()]
    for number, (title, told, table) in enumerate(sections, 1):
        print(f"[{number} of {len(sections)}] {title}", file=sys.stderr, flush=True)
        lines += ["", f"## {title}", "", *([told, ""] if told else [])]
        for line in table:
            print(line, flush=True)
            lines.append(line)
    if quick:
        print("nothing is written: these figures only try the program", file=sys.stderr)
    else:
        RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


FIGHTS_TOLD = (
    "Whole fights in one second of processor time of one process: both versions in turn, fight by fight, the first "
    "twelve not counted. Records differ where rules or ratings have changed; such fights may be longer or shorter."
)
BEST_TOLD = "Processor seconds of one fight from a start with empty caches, `best` on both sides."
KNOWN_TOLD = (
    "Seconds of the clock with two workers, starting included: until every win chance is known to within 5 points, and "
    "until `balance` has found how many foes give the wanted chance."
)
INTERVALS_TOLD = (
    "Without `--runs` the dice are mirrored in pairs and the chance is corrected for luck. Fights in 200 mirrored "
    "pairs, 2,000 samples of 100 pairs drawn from them: 95 of 100 intervals should cover. *Worth* is how many plainly "
    "counted fights one such fight stands for; plain intervals are of 100 independent fights."
)
ODDS_TOLD = (
    "Every answer is worked out by all libraries in one process and compared: the same outcomes with the same "
    "fractions. Processor time with all caches emptied, in turn, the median of several; *remembered* means asked again."
)
STARTING_TOLD = "Processor time of a whole process, the median of seven."
AGENTS_TOLD = (
    "Steps in a second of processor time, by masked random actions. A step is one choice of a whole rule book, with "
    "what bots, dice and rules do until the next one, and its observation."
)


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
    yield "| | tablewright | icepool | dyce | times the faster peer | remembered |"
    yield "|---|---:|---:|---:|---:|---:|"
    behind: list[str] = []
    for row, found, aim in measured:
        cells = [row.name, *map(_shown, (found.ours, found.icepool, found.dyce))]
        cells += [_times(found.ratio), _shown(found.remembered)]
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
        "Written by `make bench BEFORE=CHECKOUT`, in one run by one interpreter. Before it began, the load of the "
        f"machine over five minutes was {os.getloadavg()[1]:.1f}."
    )
    yield ""
    yield f"{datetime.now(UTC):%Y-%m-%d}, {_processor()}, {os.cpu_count()} cores, {platform.system()},"
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


COMMANDS = (
    "odds renaissance.opposed a=60 b=65 --json",
    "sheet mars:fighter",
    "new mars --random --seed 3",
    "check mars:fighter athletics difficulty=10",
    "do mars.complex_challenge mars:fighter tasks=sleight:14 turns=2 --seed 3",
    "rules wild die",
)


def _starts(of: Mapping[str, Path], times: int) -> Iterator[str]:
    """What starting costs in each version, and imports of the peers."""
    yield f"| | {' | '.join(of)} |"
    yield f"|---|{'---:|' * len(of)}"
    bare = process_seconds("-c", "pass", times=times)
    found = [process_seconds("-c", "import tablewright.engine", times=times, path=one / "src") for one in of.values()]
    yield _start_row("`import tablewright.engine`, beyond an empty process", [seconds - bare for seconds in found])
    for command in COMMANDS:
        words = ("-m", "tablewright.cli", *command.split())
        found = [process_seconds(*words, times=times, path=one / "src") for one in of.values()]
        yield _start_row(f"`tablewright {command}`", found)
    peers = [process_seconds("-c", f"import {name}", times=times) - bare for name in ("icepool", "dyce")]
    yield ""
    yield f"For comparison: `import icepool` takes {_shown(peers[0])}, `import dyce` {_shown(peers[1])}."


def _start_row(name: str, found: Iterable[float | None]) -> str:
    return f"| {' | '.join([name, *map(_shown, found)])} |"


if __name__ == "__main__":
    main()
