"""Settings of a server: its addresses, and all its limits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """Limits for requests; a request beyond them is refused with the reason."""

    body_bytes: int = 64_000
    act_bytes: int = 400_000
    content_bytes: int = 2_000_000
    picture_bytes: int = 6_000_000
    picture_seconds: float | None = 20.0
    file_bytes: int = 200_000_000
    body_values: int = 40_000
    body_depth: int = 50
    bytes_a_second: float = 1_000_000.0
    burst_bytes: int = 8_000_000
    value_bytes: int = 50
    """Extra bytes that each value of a body counts for the rate limit, because decoding costs per value."""
    head_seconds: float = 10.0
    body_seconds: float = 20.0
    least_bytes_a_second: float = 10_000.0
    """Minimum speed in bytes per second of a body that takes longer than ``body_seconds``."""
    frame_bytes: int = 64_000
    requests_a_second: float = 40.0
    burst: int = 200
    answer_bytes: int = 2_000_000
    messages_a_second: float = 10.0
    messages_at_once: int = 50
    """Rate limit of a seat over all its live connections."""
    odds_seconds: float | None = 5.0
    odds_waiting: int = 32
    odds_at_once: int = 2
    odds_of_address: int = 8
    odds_of_strangers: int = 16
    waiting: int = 200
    waiting_of_table: int = 32
    expected_seconds: float = 0.25
    waiting_seconds: float = 0.75
    """Upper bounds for waiting work in all, at one table, and in seconds, expected and at most; beyond them a request
    gets a 503."""
    sockets: int = 2_000
    sockets_of_seat: int = 8
    jobs: int = 4
    jobs_at_once: int = 2
    jobs_of_strangers: int = 3
    """Upper bounds for running simulations of one client, and of all unknown clients; one place is left for others."""
    jobs_kept: int = 50


@dataclass(frozen=True)
class Settings:
    """Addresses and resources of the server.

    ``hosts`` are the allowed values of the Host header, with port; other requests are refused. ``X-Forwarded-For`` and
    ``X-Forwarded-Proto`` count only from the addresses in ``proxies``.
    """

    hosts: tuple[str, ...] = ("127.0.0.1:8000", "localhost:8000")
    workers: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    limits: Limits = Limits()
    secure: bool = False
    proxies: tuple[str, ...] = ()

    @property
    def origins(self) -> frozenset[str]:
        """Allowed origins of unsafe requests."""
        return frozenset([f"{scheme}://{host}" for host in self.hosts for scheme in ("http", "https")])
