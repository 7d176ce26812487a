"""``tablewright sheet``: a character to look at."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated

import typer

from tablewright.cli.people import note_person, person_of
from tablewright.cli.problems import line_by_line
from tablewright.cli.screen import print_json
from tablewright.cli.switches import Options, Packs
from tablewright.cli.taking import Command
from tablewright.cli.words import check_words
from tablewright.errors import BadInput, nearest

FORMATS = ("text", "md", "json")

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE | SYSTEM:ID", help="A character's file, or somebody of a system's content."),
    ] = None,
    *,
    form: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help=f"{', '.join(FORMATS)}; text is the default.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say of every figure where it comes from.")] = False,
    why: Annotated[str | None, typer.Option(metavar="LABEL", help="Say where one figure comes from.")] = None,
    option: Options = None,
    pack: Packs = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON, as --format json.")] = False,
) -> None:
    """Show a character's sheet."""
    named = check_words(words or ())
    if len(named) != 1:
        raise BadInput(f"name one character's file, or SYSTEM:ID; {len(named)} were named")
    if form is not None and form not in FORMATS:
        raise BadInput(f'--format is "{form:.40}"; allowed are {", ".join(FORMATS)}{nearest(form, FORMATS)}')
    with line_by_line(as_json=as_json):
        person = person_of(named[0], option or (), pack or ())
        sheet = person.setting.book.sheet(person.character, person.setting.options, person.setting.library)
    from tablewright.game.sheet import sheet_json, sheet_markdown  # noqa: PLC0415

    note_person(person, option or (), pack or ())
    if why is not None:
        said = sheet.why(why)
        if as_json:
            print_json({"label": why, "why": said.splitlines()})
        else:
            sys.stdout.write(said + "\n")
    elif as_json or form == "json":
        print_json(sheet_json(sheet))
    elif form == "md":
        sys.stdout.write(sheet_markdown(sheet, explain=explain))
    else:
        sys.stdout.write(text_of(sheet, explain=explain))


def text_of(sheet: object, *, explain: bool = False) -> str:
    """A sheet as text as wide as the terminal."""
    from tablewright.game.sheet import LEAST_WIDTH, Sheet, sheet_text  # noqa: PLC0415

    assert isinstance(sheet, Sheet)
    width = max(LEAST_WIDTH, min(100, shutil.get_terminal_size().columns))
    return sheet_text(sheet, width, explain=explain) + "\n"
