"""Many people at many tables, acting as fast as they can: nothing is refused, lost or doubled; bench/ tells how fast.

All the while one more asks for the dearest odds that are allowed, without pause.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

LOAD = Path(__file__).parents[2] / "bench" / "load.py"


def loading() -> Any:
    """The load program."""
    spec = spec_from_file_location("load", LOAD)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["load"] = module
    spec.loader.exec_module(module)
    return module


def test_twenty_people_at_ten_tables_lose_nothing() -> None:
    """`make soak` has more people, for long. A browser of other tests may keep a loop running in this thread."""
    with ThreadPoolExecutor(1) as thread:
        told = thread.submit(loading().measure, tables=10, people=2, seconds=0, acts=5, busy=True).result()
    assert told["acts"] == 100
    assert told["refused"] == 0, told["first_refusal"]
    assert told["not_seen_by_all"] == 0
    assert told["seen_too_often_or_too_seldom"] == 0
    assert told["in_the_log"] == told["acts"] - told["shed"]
