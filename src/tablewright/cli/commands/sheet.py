"""``tablewright sheet``: show a character's sheet."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated

import typer

from tablewright.cli.arguments.characters import note_person, person_of
from tablewright.cli.arguments.flags import Options, Packs
from tablewright.cli.arguments.text import validate_words
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.problems import report_problems
from tablewright.cli.output.streams import print_json
from tablewright.errors import InvalidInputError, did_you_mean

FORMATS = ("text", "md", "json")

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE | SYSTEM:ID", help="A character's file, or a character of a system's content."),
    ] = None,
    *,
    form: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help=f"{', '.join(FORMATS)} (default: text).")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Explain every number.")] = False,
    why: Annotated[str | None, typer.Option(metavar="LABEL", help="Explain one number.")] = None,
    option: Options = None,
    pack: Packs = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, as --format json does.")] = False,
) -> None:
    """Show a character's sheet."""
    named = validate_words(words or ())
    if len(named) != 1:
        raise InvalidInputError(f"name one character's file, or SYSTEM:ID; {len(named)} were named")
    if form is not None and form not in FORMATS:
        raise InvalidInputError(
            f'--format is "{form:.40}"; allowed are {", ".join(FORMATS)}{did_you_mean(form, FORMATS)}'
        )
    with report_problems(as_json=as_json):
        person = person_of(named[0], option or (), pack or ())
        sheet = person.ruleset.rulebook.sheet(person.character, person.ruleset.options, person.ruleset.library)
    from tablewright.game.character.sheet import sheet_json, sheet_markdown  # noqa: PLC0415

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
    """A sheet as text, fitted to the terminal width."""
    from tablewright.game.character.sheet import LEAST_WIDTH, Sheet, sheet_text  # noqa: PLC0415

    assert isinstance(sheet, Sheet)
    width = max(LEAST_WIDTH, min(100, shutil.get_terminal_size().columns))
    return sheet_text(sheet, width, explain=explain) + "\n"
