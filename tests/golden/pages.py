"""Pages that show commands with their output, which tests run and compare.

A block of the language `console` holds commands behind `$ ` and their output below. Text that a person types stands
behind the prompts, as on a screen. `$ cat FILE` of a file that is not there creates it with the text below.
`make pages` (`python -m golden.pages --write PAGE`) and `TABLEWRIGHT_WRITE_PAGES=1 pytest FILE` record the output
again; without `--write` it is compared.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path

from golden.runner import PROGRAM, empty_folder, run_here

DOCS = Path(__file__).parents[2] / "docs"
BUG = 70
WRITES = "TABLEWRIGHT_WRITE_PAGES"
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
_PROMPT = re.compile(
    r"^(?:>|which of \d+\? >|What is your character called\? \(Enter: decide later\)"
    r"|.*\((?:Enter rolls; or type the dice|type the dice, or roll|Enter starts over)\):)(?: (.*))?$",
    re.MULTILINE,
)


def commands_of(block: str) -> list[tuple[str, str]]:
    """Each command of a block with the answer below it."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


def answer(command: str, shown: str) -> str:
    """Output of a command now, with the text behind the prompts of the page typed in."""
    words = shlex.split(command)
    if words[0] == "cat":
        file = Path(words[1])
        if not file.exists():
            file.write_text(shown, encoding="utf-8")
        return file.read_text(encoding="utf-8")
    assert words[0] == PROGRAM, command
    typed = "".join([f"{line.strip()}\n" for line in _PROMPT.findall(shown)])
    status, out, err = run_here(words[1:], typed)
    assert status != BUG, f"{command}\n{err}"  # never written to a page
    lines = [line.rstrip() for line in (out + err).splitlines()]
    return "\n".join(lines).rstrip("\n") + "\n" if lines else ""


def check_page(page: Path) -> list[str]:
    """Run every command of a page in order, in the present folder, and compare; gives the commands.

    With ``TABLEWRIGHT_WRITE_PAGES=1`` the answers are recorded instead.
    """
    text = page.read_text(encoding="utf-8")
    writes = os.environ.get(WRITES) == "1"
    seen: list[str] = []
    for block in _BLOCK.findall(text):
        written = ""
        for command, shown in commands_of(block):
            now = answer(command, shown)
            written += f"$ {command}\n{now}"
            seen.append(command)
            assert writes or now.rstrip("\n") == shown.rstrip("\n"), command
        text = text.replace(block, written)
    if writes:
        page.write_text(text, encoding="utf-8")
    return seen


def words_on(page: Path) -> list[list[str]]:
    """The words of every command of a page, which are all run and compared first, in an empty folder."""
    with empty_folder():
        return [shlex.split(command)[1:] for command in check_page(page)]


def programs_in(commands: Sequence[Sequence[str]]) -> list[str]:
    """Commands shown on a page, in order: odds, new, fight ..."""
    return list(dict.fromkeys([words[0] for words in commands]))


def main(argv: Sequence[str]) -> int:
    """Check pages, or record their answers again."""
    parser = ArgumentParser(prog="golden.pages", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="+", type=Path, metavar="PAGE")
    parser.add_argument("--write", action="store_true", help="record the answers again")
    given = parser.parse_args(argv)
    os.environ[WRITES] = "1" if given.write else "0"
    for page in [page.resolve(strict=True) for page in given.page]:
        with empty_folder():
            sys.stdout.write(f"{len(check_page(page))} commands  {page}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
