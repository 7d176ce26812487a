"""Commands about characters and fights are run on coinfolk, the small sixth system of the tests."""

from __future__ import annotations

import os
import pty
import re
import select
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from forked import Forked
from patience import LIMIT

if TYPE_CHECKING:
    from cli.conftest import Runner

SIXTH = Path(__file__).parents[2] / "sixth"

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """One run of the program in a pseudo-terminal, as for a person at the keyboard, Ctrl-C included."""

    def __init__(self, folder: Path, *argv: str, columns: int = 80) -> None:
        self._master, slave = pty.openpty()
        environment = os.environ | {"PYTHONPATH": str(SIXTH), "COLUMNS": str(columns), "TERM": "xterm", "NO_COLOR": "1"}
        self._process = Forked(argv, streams=(slave, slave, slave), env=environment, folder=folder, in_terminal=True)
        os.close(slave)
        self.shown = ""
        self._read_to = 0

    def until(self, *endings: str) -> str:
        """Wait until what is shown ends with one of some texts; gives what was added since the last time."""
        while not self._text().endswith(endings):
            assert self._more(), f"nothing more comes, but not {endings}:\n{self._text()}"
        return self._new()

    def type(self, line: str) -> None:
        """Type a line and Enter."""
        os.write(self._master, f"{line}\n".encode())
        self._swallow(line)

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        os.write(self._master, b"\x03")

    def end(self) -> tuple[int, str]:
        """Wait for the end; gives the exit status and what was added since the last time."""
        while self._more():
            pass
        return self._process.wait(LIMIT), self._new()

    def _swallow(self, line: str) -> None:
        """Wait for the echo of what was typed, so that it is not taken for an answer."""
        before = self._read_to
        while f"{line}\n" not in self._text()[before:] and self._more():
            pass

    def _text(self) -> str:
        return _ESCAPES.sub("", self.shown).replace("\r", "")

    def _new(self) -> str:
        text = self._text()
        added, self._read_to = text[self._read_to :], len(text)
        return added

    def _more(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], LIMIT)
        if not ready:
            return False
        try:
            raw = os.read(self._master, 65_536)
        except OSError:  # the other side is closed
            return False
        self.shown += raw.decode("utf-8", "replace")
        return bool(raw)

    def close(self) -> None:
        """End it, whatever it does."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._master)


Terminals: TypeAlias = Callable[..., Terminal]


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Terminals]:
    """Starts the program in terminals, all of them in one folder."""
    started: list[Terminal] = []

    def start(*argv: str, columns: int = 80) -> Terminal:
        started.append(Terminal(tmp_path, *argv, columns=columns))
        return started[-1]

    yield start
    for terminal in started:
        terminal.close()


@pytest.fixture(scope="module")
def folk(tw: Runner) -> Iterator[Runner]:
    """Runs commands; coinfolk is installed as long as a module's tests run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SIXTH)
        yield tw


@pytest.fixture
def ann(folk: Runner, tmp_path: Path) -> Path:
    """A file with Ann in it: grit 3, wit 3, a knife."""
    path = tmp_path / "ann.yaml"
    assert folk("new", "coinfolk", "--template", "ann", "-o", str(path)).status == 0
    return path
