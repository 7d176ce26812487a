"""One server for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.serving import Served, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A running server."""
    with serving(tmp_path_factory.mktemp("served")) as running:
        yield running
