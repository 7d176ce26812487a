"""Ctrl-C and SIGTERM during a fight at the terminal."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any, Literal, Self


class Interrupts:
    """Handler of Ctrl-C and SIGTERM: immediate at an open question, deferred while an answer is computed.

    A signal that was ignored stays ignored.
    """

    def __init__(self) -> None:
        self.asking = False
        self.heard = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()
        return False

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        if self.asking or self.heard:
            raise KeyboardInterrupt
        self.heard = True
