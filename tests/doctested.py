"""Doctests are looked for only in files that have one: most modules need not be imported to find none."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[object], list[object]]:
    """Leave out modules without an example."""
    found = yield
    if file_path.suffix != ".py" or b">>>" in file_path.read_bytes():
        return found
    return [one for one in found if not isinstance(one, DoctestModule)]
