"""HTTP protocol that closes a connection if the head of a request does not arrive in time.

uvicorn waits for the rest of a request forever. The request guard refuses a body that does not arrive.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

_Base: Any = AutoHTTPProtocol


def http_protocol(head_seconds: float) -> type[asyncio.Protocol]:
    """Protocol class for uvicorn, with a limit in seconds for the head of a request."""

    class Prompt(_Base):  # type: ignore[misc]
        """HTTP connection that closes if the head of a request is late."""

        late: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._time_head()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._time_head()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_timing()
            super().connection_lost(exc)

        def _time_head(self) -> None:
            """Start the timer while a head is awaited; between two requests uvicorn's keep-alive timeout applies."""
            is_at_work = self.cycle is not None and not self.cycle.response_complete
            is_upgraded = self.transport.get_protocol() is not self
            if is_at_work or is_upgraded or self.timeout_keep_alive_task is not None:
                self._stop_timing()
            elif self.late is None:
                self.late = self.loop.call_later(head_seconds, self.transport.close)

        def _stop_timing(self) -> None:
            if self.late is not None:
                self.late.cancel()
                self.late = None

    return Prompt
