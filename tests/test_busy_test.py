"""The tool that runs the tests on a busy machine: it tells of each run, and leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from patience import LIMIT

TOOL = Path(__file__).parents[1] / "tools" / "busy-test"
COMMAND = """
import signal, sys
assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
print("== 2 failed, 13 passed in 1.25s ==" if sys.argv[1] == "fail" else "15 passed in 0.50s")
sys.exit(sys.argv[1] == "fail")
"""


def busy(logs: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the tool with one loop, on a command that only pretends to test something."""
    settings = ["--loops", "1", "--runs", "2", "--logs", str(logs)]
    command = [sys.executable, str(TOOL), *settings, "--", sys.executable, "-c", COMMAND, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)


def test_every_run_is_told_and_a_failure_is_the_exit_status(tmp_path: Path) -> None:
    good, bad = busy(tmp_path, "pass"), busy(tmp_path, "fail")
    assert (good.returncode, bad.returncode, good.stderr, bad.stderr) == (0, 1, "", "")
    for done, told in ((good, "passed: 15 passed"), (bad, "FAILED with status 1: 2 failed, 13 passed")):
        first, second = [line.partition("; wall ")[0] for line in done.stdout.splitlines()]
        assert (first, second) == (f"run 1: {told}", f"run 2: {told}")
    assert "13 passed" in (tmp_path / "busy-test-2.log").read_text()
