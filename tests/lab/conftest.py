"""Workers that the tests of the lab share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tablewright.lab.fights.executors import ProcessExecutor


@pytest.fixture(scope="package")
def pool() -> Iterator[ProcessExecutor]:
    """Two processes."""
    made = ProcessExecutor(2)
    yield made
    made.close()
