"""Command lines that start at once: forked from a process that has imported the program and the server.

To import them takes a second of a processor; to fork a process that has done so takes a hundredth. Each command line
has streams, environment, folder and process of its own, and ends as any other does. One thing differs: a forked server
starts its workers with the first question. Workers of a server in this process start the same way.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from patience import LIMIT

LIBRARIES = (
    *("anyio._backends._asyncio", "httpx", "lark", "logging.config", "rich.progress", "yaml", "uvloop"),
    *("uvicorn.lifespan.on", "uvicorn.loops.uvloop", "uvicorn.protocols.http.h11_impl"),
    "uvicorn.protocols.websockets.websockets_sansio_impl",
)
"""Modules that the program loads only when a command or a server begins to work."""

_MOST_BYTES = 1 << 17
"""Upper bound for a request: arguments and environment."""


@cache
def _parent() -> socket.socket:
    """The line to the process that forks the others; it ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, __file__, str(theirs.fileno())]
    parent = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
    theirs.close()

    def end() -> None:
        ours.close()
        parent.wait(LIMIT)

    atexit.register(end)
    return ours


class Forked:
    """A command line that was started; used as a `subprocess.Popen` is."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        streams: tuple[int, ...],
        env: Mapping[str, str],
        folder: Path | None = None,
        in_terminal: bool = False,
        is_worker: bool = False,
        calls: str | None = None,
    ) -> None:
        """Start a command line; ``calls`` is a function, as ``module:name``, that gets the words instead."""
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        about = {
            "argv": list(argv),
            "env": dict(env),
            "folder": str(folder or Path.cwd()),
            "in_terminal": in_terminal,
            "is_worker": is_worker,
            "calls": calls,
        }
        socket.send_fds(_parent(), [json.dumps(about).encode()], [theirs.fileno(), *streams])
        theirs.close()
        self._line.settimeout(LIMIT)
        self.pid = int(self._line.recv(100))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit status, or None while it runs."""
        if self.returncode is None:
            self._line.settimeout(0)
            with suppress(BlockingIOError):
                self._hear()
        return self.returncode

    def wait(self, limit: float = LIMIT) -> int:
        """Wait for the end; the exit status."""
        if self.returncode is None:
            self._line.settimeout(limit)
            self._hear()
        assert self.returncode is not None
        return self.returncode

    def _hear(self) -> None:
        self.returncode = int(self._line.recv(100))
        self._line.close()

    def terminate(self) -> None:
        """Ask it to end."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def forget(self) -> None:
        """Hear no more of it."""
        self._line.close()


# ---------------------------------------------------------------------- in the process that forks


def _fork_all(asking: socket.socket) -> None:
    """Fork a process for every request; each of them starts one command line and waits for its end."""
    while True:
        text, files, _, _ = socket.recv_fds(asking, _MOST_BYTES, 4)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not text:
            break
        if os.fork() == 0:
            asking.close()
            _start(json.loads(text), socket.socket(fileno=files[0]), files[1:])
        for file in files:
            os.close(file)
    with suppress(ChildProcessError):
        while True:
            os.wait()


def _start(about: dict[str, Any], line: socket.socket, streams: list[int]) -> None:
    """Start a command line, say its number, and its exit status when it has ended."""
    pid = os.fork()
    if pid == 0:
        line.close()
        status = 1
        try:
            status = _work(about, streams[0]) if about["is_worker"] else _run(about, streams)
            sys.stdout.flush()
        finally:
            os._exit(status)
    for file in streams:
        os.close(file)
    line.send(str(pid).encode())
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with suppress(BrokenPipeError):
        line.send(str(status).encode())
    os._exit(0)


def _work(about: dict[str, Any], pipe: int) -> int:
    """Answer questions of a server until its pipe is closed."""
    from tablewright.server.worker_pool import _serve

    sys.path[:] = about["argv"]
    _serve(Connection(pipe))
    return 0


def _run(about: dict[str, Any], streams: list[int]) -> int:
    """Run a command line in this process, with everything that a new process begins with."""
    if about["in_terminal"]:
        os.setsid()
    for number, file in enumerate(streams):
        os.dup2(file, number)
        os.close(file)
    if about["in_terminal"]:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(about["env"])
    os.chdir(about["folder"])
    sys.path[0:1] = ["", *about["env"].get("PYTHONPATH", "").split(os.pathsep)]
    sys.argv = ["tablewright", *about["argv"]]
    sys.stdin, sys.stdout = open(0, encoding="utf-8"), open(1, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
    status = 0
    if about["calls"] is None:
        from tablewright.cli import main

        status = main()
    else:
        module, _, name = about["calls"].partition(":")
        getattr(import_module(module), name)(*about["argv"])
    atexit._run_exitfuncs()  # as any program ends: its own processes are waited for, and their locks removed
    return status


def script(path: str) -> None:
    """Run a file as the main program."""
    runpy.run_path(path, run_name="__main__")


if __name__ == "__main__":
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # as the program itself does before it imports anything
    import tablewright.cli.commands.fight
    import tablewright.cli.commands.serve
    import tablewright.cli.program
    import tablewright.server.app
    import tablewright.server.tasks
    from server.late_workers import LateWorkers

    for name in LIBRARIES:
        import_module(name)
    vars(tablewright.server.app)["WorkerPool"] = LateWorkers
    gc.freeze()  # nothing of this is ever garbage, and no child needs to look through it
    _fork_all(socket.socket(fileno=int(sys.argv[1])))
