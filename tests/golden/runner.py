"""Golden plays: text files of commands with everything they answer, written by one command and compared byte for byte.

    # a comment
    $ tablewright new coinfolk --random --seed 7 -o rita.yaml
      what it answers, indented by two spaces
    $ tablewright fight coinfolk:together --seat ann=me --seed 3
    < 1
      lines that begin with < are typed; (exit 1) follows where a command fails, ! begins what goes to the error stream

Every file begins in an empty folder of its own. Comments and lines that begin with $ or < are written by people, all
else is answered. `python -m golden.runner [FILE ...]` writes the answers of these files anew, or of all there are.
"""

from __future__ import annotations

import io
import os
import shlex
import sys
import tempfile
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from conformance.places import TESTS, golden_of
from tablewright.cli.program import run
from tablewright.game.registry import system_ids

PROGRAM = "tablewright"
SCREEN = {"COLUMNS": "80", "LINES": "24", "NO_COLOR": "1", "TERM": "dumb"}
TOLD, TYPED, ANSWERED, ERROR = "$ ", "< ", "  ", "! "


@dataclass(frozen=True)
class Command:
    """One command of a golden play: the comments before it, what was typed, and the line in the file."""

    before: tuple[str, ...]
    line: str
    typed: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """The arguments of the program."""
        program, *words = shlex.split(self.line)
        if program != PROGRAM:
            raise ValueError(f'a golden play is made of {PROGRAM} commands alone, not "{self.line}"')
        return words


def golden_files() -> list[Path]:
    """Every golden play of the tests, and those of third parties' systems."""
    found = [*TESTS.glob("**/golden/*.txt"), *[file for system_id in system_ids() for file in golden_of(system_id)]]
    return sorted({file.resolve() for file in found})


def commands(text: str) -> tuple[list[Command], tuple[str, ...]]:
    """The commands of a golden play, and the comments after the last; the answers are left out."""
    found: list[Command] = []
    before: list[str] = []
    for line in text.splitlines():
        if line.startswith(TOLD):
            found.append(Command(tuple(before), line.removeprefix(TOLD), ()))
            before = []
        elif line.startswith(TYPED) or line == TYPED.strip():
            if not found or before:
                raise ValueError(f'"{line}" is typed before any command')
            last = found[-1]
            found[-1] = Command(last.before, last.line, (*last.typed, line[len(TYPED) :]))
        elif line.startswith("#"):
            before.append(line)
        elif line and not line.startswith(ANSWERED):
            raise ValueError(f'"{line}" is neither a comment, a command, typed nor answered')
    return found, tuple(before)


def played(text: str) -> str:
    """A golden play with every answer as it is now."""
    lines: list[str] = []
    found, after = commands(text)
    with empty_folder():
        for command in found:
            if lines:
                lines.append("")
            lines += [*command.before, TOLD + command.line, *[(TYPED + typed).rstrip() for typed in command.typed]]
            lines += [(ANSWERED + answer).rstrip() for answer in _answer(command)]
    return "\n".join([*lines, *after]) + "\n"


def _answer(command: Command) -> Iterator[str]:
    status, out, err = run_here(command.words, "".join([f"{line}\n" for line in command.typed]))
    yield from out.splitlines()
    yield from [ERROR + line for line in err.splitlines()]
    if status:
        yield f"(exit {status})"


def run_here(words: Sequence[str], typed: str) -> tuple[int, str, str]:
    """Run the program in this process; gives its status and both its streams."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2)]
    stdin = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")
    try:
        with _environment(SCREEN), redirect_stdout(streams[0]), redirect_stderr(streams[1]):
            status = run(words)
    finally:
        sys.stdin = stdin
    texts = []
    for stream in streams:
        stream.flush()
        written = stream.buffer
        assert isinstance(written, io.BytesIO)
        texts.append(written.getvalue().decode())
    return status, texts[0], texts[1]


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def empty_folder() -> Iterator[Path]:
    """An empty folder as the present one for a while."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="golden-") as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(here)


def main(argv: Sequence[str]) -> int:
    """Write golden plays anew: those named, or all."""
    parser = ArgumentParser(prog="golden.runner", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="*", type=Path, metavar="FILE", help="a golden play to be written anew")
    named: list[Path] = parser.parse_args(argv).file
    for file in named:
        if not file.is_file():
            parser.error(f"there is no file {file}; a new one holds the commands alone")
    for file in [name.resolve() for name in named] or golden_files():
        text = file.read_text(encoding="utf-8")
        now = played(text)
        file.write_text(now, encoding="utf-8")
        sys.stdout.write(f"{'unchanged' if now == text else 'written'}  {file}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
