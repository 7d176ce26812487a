"""Children that are killed: a process that forks them quickly, as the tests see it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import Any

from patience import LIMIT


class Nursery:
    """A process that forks children which are killed, and what they say; it has everything imported."""

    def __init__(self, module: str) -> None:
        path = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "sixth"), *sys.path]
        self.process = subprocess.Popen(
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path)},
            text=True,
        )
        self.said: Queue[dict[str, Any]] = Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.put(json.loads(line))

    def bear(self, **given: Any) -> int:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(given) + "\n")
        self.process.stdin.flush()
        born = self.said.get(timeout=LIMIT)
        assert born["kind"] == "born", born
        return int(born["pid"])

    def until_gone(self) -> Iterator[dict[str, Any]]:
        while (said := self.said.get(timeout=LIMIT))["kind"] != "gone":
            yield said

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(LIMIT)
        self.reader.join(LIMIT)
        assert self.process.stdout is not None
        self.process.stdout.close()
