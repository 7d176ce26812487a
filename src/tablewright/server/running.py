"""Running the server: on the loopback unless another address is named; logs are lines of JSON without secrets."""

from __future__ import annotations

import json
import logging
import socket
import sys
from ipaddress import ip_address
from typing import Any

import uvicorn

from tablewright.errors import BadInput
from tablewright.server.app import make_app
from tablewright.server.connecting import http_protocol
from tablewright.server.settings import Settings
from tablewright.table import Store

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class JsonLines(logging.Formatter):
    """A line of the log as JSON: the time, how grave it is, what is said, and what belongs to it."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        told = {"at": self.formatTime(record), "level": record.levelname.lower(), "said": record.getMessage()}
        told |= getattr(record, "told", {})
        if record.exc_info:
            told["fault"] = self.formatException(record.exc_info)
        return json.dumps(told)


def log_config(*, requests: bool = False) -> dict[str, Any]:
    """How the server logs: to the standard error stream, what goes wrong, and where that is wanted every request."""
    loggers = {"uvicorn": "WARNING", "tablewright": "INFO" if requests else "WARNING"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonLines}},
        "handlers": {"err": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stderr"}},
        "loggers": {name: {"handlers": ["err"], "level": level, "propagate": False} for name, level in loggers.items()},
    }


def hosts_of(host: str, port: int) -> tuple[str, ...]:
    """The names that the server may be called by: the printed ones and no others."""
    names = LOOPBACK[:2] if host in LOOPBACK else (host,)
    named = [f"[{name}]" if ":" in name else name for name in names]
    return tuple([f"{name}:{port}" for name in named] + ([*named] if port == 80 else []))


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there, or a refusal that says why not."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((host, port))
    except (OSError, OverflowError) as problem:
        opened.close()
        reason = getattr(problem, "strerror", None) or str(problem)
        raise BadInput(f"{host}:{port} cannot be used: {reason}; --port chooses another") from None
    return opened


SWITCHING = 0.001
"""After how many seconds a thread lets another one go on: the event loop waits for it with everybody's messages."""


def prepare_process(connections: int) -> None:
    """Set this process up for many people: threads take turns quickly, and many files may be open."""
    sys.setswitchinterval(SWITCHING)
    try:
        import resource  # noqa: PLC0415  (there is none on Windows)
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections if hard == resource.RLIM_INFINITY else min(connections, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def proxy_of(address: str) -> str:
    """The address of a proxy, or a refusal of what is none."""
    try:
        return str(ip_address(address))
    except ValueError:
        raise BadInput(f'"{address:.60}" is no address of a proxy; name one as 192.168.0.2', field="--proxy") from None


def server_for(store: Store, settings: Settings, *, log: bool = False) -> tuple[uvicorn.Server, Any]:
    """The server that is to run, and its application."""
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
        ws_per_message_deflate=False,  # lines are short, and packing each for each reader costs more than it saves
        timeout_graceful_shutdown=5,
        server_header=False,
        date_header=True,
    )
    return uvicorn.Server(config), app
