"""How a server is set up: where it may be reached, how much one may ask of it. All limits stand here."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """How much may be sent and asked for; beyond it there is a refusal that says so."""

    body_bytes: int = 64_000
    act_bytes: int = 400_000
    content_bytes: int = 2_000_000
    file_bytes: int = 200_000_000
    body_values: int = 40_000
    body_depth: int = 50
    bytes_a_second: float = 1_000_000.0
    burst_bytes: int = 8_000_000
    value_bytes: int = 50
    """How many bytes a value of a body counts as, besides its own: decoding costs by the value."""
    head_seconds: float = 10.0
    body_seconds: float = 20.0
    least_bytes_a_second: float = 10_000.0
    """How fast a body has to arrive that takes longer than ``body_seconds``."""
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
    waiting_seconds: float = 0.75
    """How much work at tables may wait in all, at one table, and for how long; what is beyond is refused with 503."""
    sockets: int = 2_000
    sockets_of_seat: int = 8
    jobs: int = 4
    jobs_at_once: int = 2
    jobs_of_strangers: int = 3
    """How many simulations run of one client, and of all clients without a seat: one place is left for the others."""
    jobs_kept: int = 50


@dataclass(frozen=True)
class Settings:
    """Where the server may be reached and what it may use.

    ``hosts`` are the names, with port, that may stand in a Host header; requests for others are refused. Only from
    the addresses in ``proxies`` do ``X-Forwarded-For`` and ``X-Forwarded-Proto`` count.
    """

    hosts: tuple[str, ...] = ("127.0.0.1:8000", "localhost:8000")
    workers: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    limits: Limits = Limits()
    secure: bool = False
    proxies: tuple[str, ...] = ()

    @property
    def origins(self) -> frozenset[str]:
        """The origins that may send something."""
        return frozenset([f"{scheme}://{host}" for host in self.hosts for scheme in ("http", "https")])
