"""Server process: on the loopback address by default; logs are JSON lines without secrets."""

from __future__ import annotations

import gc
import json
import logging
import os
import socket
import sys
import threading
import time
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import uvicorn

from tablewright.errors import InvalidInputError
from tablewright.server.app import make_app
from tablewright.server.http_protocol import http_protocol
from tablewright.server.settings import Settings
from tablewright.table import Store

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERY_INTERFACE = ("0.0.0.0", "::")


class JsonLines(logging.Formatter):
    """Log formatter for JSON lines: the time, the level, the message and its fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Format one record as a line."""
        told = {"at": self.formatTime(record), "level": record.levelname.lower(), "said": record.getMessage()}
        told |= getattr(record, "told", {})
        if record.exc_info:
            told["fault"] = self.formatException(record.exc_info)
        return json.dumps(told)


def log_config(*, requests: bool = False) -> dict[str, Any]:
    """Logging configuration: errors to the standard error stream, and every request if wanted."""
    loggers = {"uvicorn": "WARNING", "tablewright": "INFO" if requests else "WARNING"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonLines}},
        "handlers": {"err": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stderr"}},
        "loggers": {name: {"handlers": ["err"], "level": level, "propagate": False} for name, level in loggers.items()},
    }


def hosts_of(host: str, port: int) -> tuple[str, ...]:
    """Allowed values of the Host header: the printed ones only."""
    names = LOOPBACK[:2] if host in (*LOOPBACK, *EVERY_INTERFACE) else (host,)
    named = [f"[{name}]" if ":" in name else name for name in names]
    return tuple([f"{name}:{port}" for name in named] + ([*named] if port == 80 else []))


def network_address() -> str | None:
    """Address of this machine in its network, or None if it has none. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        try:
            opened.connect(("192.0.2.1", 9))  # reserved for documentation: only the route is looked up
            found = str(opened.getsockname()[0])
        except OSError:
            return None
    return None if ip_address(found).is_loopback or ip_address(found).is_unspecified else found


class PublicAddress(NamedTuple):
    """Address under which a proxy offers the server: its URL, and the Host header that browsers send."""

    url: str
    host: str

    @property
    def is_secure(self) -> bool:
        """True if browsers reach the server by HTTPS."""
        return self.url.startswith("https:")


def public_address(text: str) -> PublicAddress:
    """Read the public address of a server; refuse anything but a host name with http or https.

    >>> public_address("https://Table.example.org")
    PublicAddress(url='https://table.example.org/', host='table.example.org')
    >>> public_address("https://table.example.org:8443/").host
    'table.example.org:8443'
    """
    try:
        split = urlsplit(text.lower())
        port = split.port
    except ValueError:
        split, port = urlsplit(""), None
    if split.scheme not in ("http", "https") or not split.hostname or split.path not in ("", "/") or split.query:
        raise InvalidInputError(
            f'invalid address "{text:.80}"; write it as https://table.example.org/, without a path', field="--address"
        )
    name = f"[{split.hostname}]" if ":" in split.hostname else split.hostname
    usual = {"http": 80, "https": 443}[split.scheme]
    host = name if port in (None, usual) else f"{name}:{port}"
    return PublicAddress(f"{split.scheme}://{host}/", host)


def bound(host: str, port: int) -> socket.socket:
    """Open a socket bound to an address; refuse with the reason if that fails."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((host, port))
    except (OSError, OverflowError) as problem:
        opened.close()
        reason = getattr(problem, "strerror", None) or str(problem)
        raise InvalidInputError(f"{host}:{port} cannot be used: {reason}; --port chooses another") from None
    return opened


SWITCHING = 0.001
"""Thread switch interval in seconds; short, because the event loop waits for other threads to yield."""

COLLECTING = 60.0
YOUNG = (5_000, 20)
"""Seconds between two searches of the whole memory for unused cycles, and thresholds for those of new objects."""


def prepare_process(connections: int) -> None:
    """Set up this process for many connections.

    Threads switch often, unused memory is collected rarely, and more files may be open.
    """
    sys.setswitchinterval(SWITCHING)
    collect_rarely()
    try:
        import resource  # noqa: PLC0415  (missing on Windows)
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections if hard == resource.RLIM_INFINITY else min(connections, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def collect_rarely() -> None:
    """Search the whole memory for unused cycles once a minute only, and never the modules and rules loaded so far.

    Every act waits meanwhile. Python would search it several times a minute on a busy server, which takes longer the
    more campaigns are loaded.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG, 1_000_000)

    def collect() -> None:
        while True:
            time.sleep(COLLECTING)
            gc.collect()

    threading.Thread(target=collect, name="collector", daemon=True).start()


def proxy_of(address: str) -> str:
    """Address of a proxy in normal form; refuse an invalid one."""
    try:
        return str(ip_address(address))
    except ValueError:
        raise InvalidInputError(
            f'"{address:.60}" is not an address of a proxy; name one as 192.168.0.2', field="--proxy"
        ) from None


def server_for(store: Store, settings: Settings, *, log: bool = False) -> tuple[uvicorn.Server, Any]:
    """The configured server, and its application."""
    os.environ.setdefault("UV_USE_IO_URING", "0")  # libuv has aborted with it; from libuv 1.49 on this is ignored
    app = make_app(store, settings)
    config = uvicorn.Config(
        app,
        http=http_protocol(settings.limits.head_seconds),
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        log_config=log_config(requests=log),
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=settings.limits.frame_bytes * 4,
        ws_per_message_deflate=False,  # lines are short: compression per reader costs more than it saves
        timeout_graceful_shutdown=5,
        server_header=False,
        date_header=True,
    )
    return uvicorn.Server(config), app
