"""Connections that are closed when a request's head does not arrive in time.

uvicorn waits for the rest of a request without end; a body that does not arrive is refused by the guard.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

_Base: Any = AutoHTTPProtocol


def http_protocol(head_seconds: float) -> type[asyncio.Protocol]:
    """The protocol class for uvicorn, with the seconds that the head of a request may take."""

    class Prompt(_Base):  # type: ignore[misc]
        """An HTTP connection that is closed when the head of a request is late."""

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
            """Time the head that is awaited; between two requests the keep-alive timeout of uvicorn counts."""
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
