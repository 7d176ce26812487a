"""The counts of what has been played, as the page of a system shows them."""

from __future__ import annotations

import re
from pathlib import Path

from conformance.exhaustive import wanted
from conformance.extents import Extent
from conformance.playing import Tale
from tablewright.game.system import System

HEADING = "## What has been played\n"
_COUNTED = re.compile(r"(?:After|In the)\s+[\d,]+ plays[^:]*:\n\n(?:\|.*\n)+")


def table(system: System, extent: Extent, tale: Tale) -> str:
    """For each kind of thing how many of how many have occurred, how often in all, and the rarest."""
    lines = ["| | occurred | how often | rarest |", "|---|---:|---:|---|"]
    for kind, names in wanted(system, extent, tale).items():
        seen = {name: tale.seen(kind)[name] for name in names if tale.seen(kind)[name]}
        if not names:
            continue
        rarest = min(seen, key=lambda name: seen[name]) if seen else "none"
        words = re.sub(r'[_"]', lambda found: " " if found[0] == "_" else "", rarest)
        times = f", {seen[rarest]:,}" if seen else ""
        lines.append(f"| {kind} | {len(seen)} of {len(set(names))} | {sum(seen.values()):,} | {words}{times} |")
    return "\n".join(lines) + "\n"


def write_counts(page: Path, system: System, extent: Extent, tale: Tale) -> bool:
    """Put the counts in the place of the old ones, below their heading; whether the page has such a place."""
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    before, heading, after = text.partition(HEADING)
    if not heading or _COUNTED.search(after) is None:
        return False
    told = f"After\n{tale.plays:,} plays:\n\n{table(system, extent, tale)}"
    page.write_text(before + heading + _COUNTED.sub(lambda _: told, after, count=1), encoding="utf-8")
    return True
