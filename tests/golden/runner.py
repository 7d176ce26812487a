"""Golden plays: text files of commands with everything they answer, written by one command and compared byte for byte.

    # a comment: the reason for the command below it
    $ tablewright new coinfolk --random --seed 7 -o rita.yaml
      the answer, indented by two spaces
    # a fight by hand
    $ tablewright fight coinfolk:together --seat ann=me --seed 3
    < 1
      lines that begin with < are typed; ! begins what goes to the error stream
    # exits 1: Rita has too few marks
    $ tablewright do coinfolk.advance rita.yaml stat=wit
      ! error: ...
      (exit 1)

Every file begins in an empty folder of its own. Comments and lines that begin with $ or < are written by people, all
else is answered. A command must succeed unless the comment directly above it says which status it exits with.
`python -m golden.runner [FILE ...]` writes the answers of these files again, or of all files; a file in which a command
exits otherwise is left as it is.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
import tempfile
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path

from conformance.places import TESTS, golden_of
from tablewright.cli.program import run
from tablewright.game.rules.entry_points import system_ids

PROGRAM = "tablewright"
SCREEN = {"COLUMNS": "80", "LINES": "24", "NO_COLOR": "1", "TERM": "dumb"}
TOLD, TYPED, ANSWERED, ERROR = "$ ", "< ", "  ", "! "
_DECLARED = re.compile(r"# exits (\d+): \S.*")
_EXITED = re.compile(r"\(exit (\d+)\)")


@dataclass(frozen=True)
class Command:
    """One command of a golden play: the comments above it, the typed lines and the recorded answer."""

    before: tuple[str, ...]
    line: str
    typed: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()

    @property
    def expected(self) -> int:
        """The status that the comment directly above the command declares; 0 without such a comment."""
        for place, comment in enumerate(self.before, 1):
            declared = _DECLARED.fullmatch(comment)
            if declared is not None and place == len(self.before):
                return int(declared[1])
            if comment.startswith("# exits "):
                raise ValueError(f'"{comment}": directly above the command, as in "# exits 1: the reason"')
        return 0

    @property
    def status(self) -> int:
        """The status in the recorded answer."""
        exited = _EXITED.fullmatch(self.answer[-1]) if self.answer else None
        return 0 if exited is None else int(exited[1])

    @property
    def wrong(self) -> str | None:
        """The complaint about a command whose recorded status is not the expected one; None where it is."""
        if self.status == self.expected:
            return None
        said = "; ".join([line.removeprefix(ERROR) for line in self.answer if line.startswith(ERROR)])
        return f"exits {self.status}, not {self.expected}: {self.line}{f' ({said})' if said else ''}"

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
    """The commands of a golden play, and the comments after the last."""
    found: list[Command] = []
    before: list[str] = []
    for line in text.splitlines():
        if line.startswith(TOLD):
            found.append(Command(tuple(before), line.removeprefix(TOLD)))
            before = []
        elif line.startswith(TYPED) or line == TYPED.strip():
            if not found or before:
                raise ValueError(f'"{line}" is typed before any command')
            found[-1] = replace(found[-1], typed=(*found[-1].typed, line[len(TYPED) :]))
        elif line.startswith("#"):
            before.append(line)
        elif line and not line.startswith(ANSWERED):
            raise ValueError(f'"{line}" is neither a comment, a command, typed nor answered')
        elif line and found:
            found[-1] = replace(found[-1], answer=(*found[-1].answer, line.removeprefix(ANSWERED)))
    return found, tuple(before)


def wrong_exits(text: str) -> list[str]:
    """The complaints about all commands of a golden play whose recorded status is not the expected one."""
    return [command.wrong for command in commands(text)[0] if command.wrong is not None]


def played(text: str) -> str:
    """A golden play with the answers that its commands give now."""
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
    """Write the answers of golden plays: those named, or all."""
    parser = ArgumentParser(prog="golden.runner", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="*", type=Path, metavar="FILE", help="a golden play to write")
    named: list[Path] = parser.parse_args(argv).file
    for file in named:
        if not file.is_file():
            parser.error(f"there is no file {file}; a new one holds the commands alone")
    failed = False
    for file in [name.resolve() for name in named] or golden_files():
        text = file.read_text(encoding="utf-8")
        try:
            now = played(text)
            wrong = wrong_exits(now)
        except ValueError as error:
            parser.error(f"{file}: {error}")
        failed = failed or bool(wrong)
        if not wrong:
            file.write_text(now, encoding="utf-8")
        sys.stdout.write(f"{'not written' if wrong else 'unchanged' if now == text else 'written'}  {file}\n")
        sys.stdout.write("".join([f"  {line}\n" for line in wrong]))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
