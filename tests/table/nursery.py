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

from forked import Forked
from patience import LIMIT


class Nursery:
    """A process that forks children which are killed, and what they say; it has everything imported.

    With ``preloaded`` it is a program of its own, into which a library is loaded before all others.
    """

    def __init__(self, module: str, preloaded: Path | None = None) -> None:
        path = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "sixth"), *sys.path]
        env = os.environ | {"PYTHONPATH": os.pathsep.join(path)}
        heard, asking = os.pipe()
        hearing, said = os.pipe()
        self.process: Forked | subprocess.Popen[bytes]
        if preloaded is None:
            self.process = Forked([], streams=(heard, said, 2), env=env, calls=f"{module}:nursery")
        else:
            env["LD_PRELOAD"] = str(preloaded)
            self.process = subprocess.Popen([sys.executable, "-m", module], stdin=heard, stdout=said, env=env)
        os.close(heard)
        os.close(said)
        self.asking, self.hearing = os.fdopen(asking, "w"), os.fdopen(hearing)
        self.said: Queue[dict[str, Any]] = Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        for line in self.hearing:
            self.said.put(json.loads(line))

    def bear(self, **given: Any) -> int:
        self.asking.write(json.dumps(given) + "\n")
        self.asking.flush()
        born = self.said.get(timeout=LIMIT)
        assert born["kind"] == "born", born
        return int(born["pid"])

    def until_gone(self) -> Iterator[dict[str, Any]]:
        while (said := self.said.get(timeout=LIMIT))["kind"] != "gone":
            yield said

    def stop(self) -> None:
        self.asking.close()
        self.process.wait(LIMIT)
        self.reader.join(LIMIT)
        self.hearing.close()
