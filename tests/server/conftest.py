"""One server for all tests that need nothing special of it; each has campaigns of its own there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.serving import Served, serving


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A running server."""
    with serving(tmp_path_factory.mktemp("served")) as running:
        yield running
