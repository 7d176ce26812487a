"""Commands are run in this process, or in one of their own, beside an invented system that has one of everything."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

import pytest

from forked import Forked
from patience import LIMIT
from tablewright.cli.program import run

INVENTED = Path(__file__).parent / "invented"


class Ran(NamedTuple):
    """Exit status and output of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The output as JSON."""
        return json.loads(self.out)


class Runner:
    """Runs the program: a call runs it in this process, `process` and `interpreter` in one of its own."""

    def __call__(self, *argv: str, encoding: str = "utf-8", columns: int = 80) -> Ran:
        """Run in this process."""
        streams = [io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n") for _ in range(2)]
        before = os.environ.get("COLUMNS")
        os.environ["COLUMNS"] = str(columns)
        try:
            with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
                status = run(argv)
        finally:
            os.environ.pop("COLUMNS")
            if before is not None:
                os.environ["COLUMNS"] = before
        texts = []
        for stream in streams:
            stream.flush()
            written = stream.buffer
            assert isinstance(written, io.BytesIO)
            texts.append(written.getvalue().decode(encoding))
        return Ran(status, *texts)

    def process(self, *argv: str, typed: str = "", env: Mapping[str, str] | None = None) -> Ran:
        """Run in a process of its own, which is forked."""
        environment = os.environ | {"PYTHONPATH": str(INVENTED)} | dict(env or {})
        with ExitStack() as stack:
            streams = [stack.enter_context(TemporaryFile()) for _ in range(3)]
            streams[0].write(typed.encode())
            streams[0].seek(0)
            status = Forked(argv, streams=tuple([one.fileno() for one in streams]), env=environment).wait()
            texts = [os.pread(one.fileno(), os.fstat(one.fileno()).st_size, 0).decode() for one in streams[1:]]
        return Ran(status, *texts)

    def interpreter(self, *argv: str, typed: str = "", env: Mapping[str, str] | None = None) -> Ran:
        """Run in an interpreter of its own, as from a shell."""
        environment = os.environ | {"PYTHONPATH": str(INVENTED), "PYTHONIOENCODING": "utf-8"} | dict(env or {})
        done = subprocess.run(
            [sys.executable, "-m", "tablewright.cli", *argv],
            input=typed.encode(),
            capture_output=True,
            env=environment,
            timeout=LIMIT,
            check=False,
        )
        encoding = environment["PYTHONIOENCODING"].partition(":")[0]
        return Ran(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding))


@pytest.fixture(scope="module")
def tw() -> Iterator[Runner]:
    """Runs commands; the invented system is installed as long as a module's tests run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(INVENTED)
        yield Runner()
