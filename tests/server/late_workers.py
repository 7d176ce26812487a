"""Workers of a server that start with the first question."""

from __future__ import annotations

from typing import Any

from tablewright.server.worker_pool import WorkerPool


class LateWorkers(WorkerPool):
    """Workers that start with the first question: most tests ask none, and a process takes a second to start."""

    def start(self) -> None:
        """Wait for a question."""

    async def ask(self, *about: Any, **more: Any) -> Any:
        """Ask as usual, of processes that are started by now."""
        if not self._all:
            super().start()
        return await super().ask(*about, **more)
