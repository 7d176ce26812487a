"""``tablewright new``: create a character step by step, at random, from a template or from a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from tablewright.cli.arguments.characters import typed_options
from tablewright.cli.arguments.flags import Options, Packs, Seed
from tablewright.cli.arguments.text import seed_or_drawn, validate_words
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.errors import note
from tablewright.cli.output.problems import report_problems, tell_problems
from tablewright.cli.output.streams import print_json
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.system.registry import load_system
from tablewright.game.system.ruleset import Ruleset

if TYPE_CHECKING:
    from tablewright.game.character.character import Character

DICE = ("drawn", "typed")

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class CreatedCharacter(NamedTuple):
    """A new character, messages about its creation, and the seed if there was one."""

    character: Character
    messages: tuple[str, ...] = ()
    seed: int | None = None


@app.command(cls=TextCommand)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="SYSTEM key=value", help="A system, and arguments of its creation."),
    ] = None,
    *,
    random: Annotated[bool, typer.Option("--random", help="Make every choice at random.")] = False,
    template: Annotated[str | None, typer.Option(metavar="ID", help="Start from a template of the content.")] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="FILE", help="Read a file, check it and update its format.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the templates.")] = False,
    seed: Seed = None,
    dice: Annotated[
        str, typer.Option(metavar="WHICH", help="Dice of creation: drawn by the program, or typed.")
    ] = "drawn",
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Name of the character.")] = None,
    answer: Annotated[
        list[str] | None,
        typer.Option(metavar="STEP=OPTION", help="Answer a step in advance; repeat for several answers in order."),
    ] = None,
    option: Options = None,
    pack: Packs = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="File to write, .yaml or .json.")
    ] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Write the character even if it breaks the rules.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, and ask nothing.")] = False,
) -> None:
    """Create a character."""
    named = validate_words(words or ())
    if not named:
        raise InvalidInputError(f"name a system: {', '.join(system_ids())}")
    ways = [way for way, wanted in (("--random", random), ("--template", template), ("--from", from_)) if wanted]
    if len(ways) > 1:
        raise InvalidInputError(f"{' and '.join(ways)} cannot be used together: a character is made in one way")
    _refuse_unused(ways[0] if ways else "", seed, answer, named[1:], dice)
    with report_problems(as_json=as_json):
        from tablewright.game.scenario.cast import ruleset_of  # noqa: PLC0415  (brings in pydantic)

        setting = ruleset_of(load_system(named[0][:100]), typed_options(option or ()), pack or ())
        if listing:
            _list(setting, as_json)
            return
        if output is not None:
            _writable(Path(output))
        drawn = seed_or_drawn(seed)
        if template is not None:
            made = CreatedCharacter(setting.rulebook.character_of(template, setting.library))
        elif from_ is not None:
            from tablewright.game.character.creation import from_file  # noqa: PLC0415

            made = CreatedCharacter(*from_file(Path(from_), setting.rulebook.character))
        else:
            answers = _answers(answer or ())
            asks = not as_json and not random and (not answers or sys.stdin.isatty())
            if asks and name is None:
                name = _name(setting, named[1:])
            elif random and name is None and not any(word.startswith("name=") for word in named[1:]):
                name = setting.name_for(drawn)
            start = setting.start_creation(_arguments(setting, named[1:]), name)
            made = _by_process(start, setting, answers, drawn, random=random, asks=asks, typed=dice == "typed")
        if name is not None and made.character.name != name:
            made = made._replace(character=made.character.changed(name=name))
    _finish(setting, made, output, anyway=anyway, as_json=as_json)


def _refuse_unused(way: str, seed: str | None, answer: list[str] | None, rest: Sequence[str], dice: str) -> None:
    """Refuse arguments that have no meaning for this way of creation."""
    if dice not in DICE:
        raise InvalidInputError(f'--dice is "{dice:.40}"; allowed are {", ".join(DICE)}')
    if dice == "typed" and way:
        raise InvalidInputError(f"--dice typed is for making a character step by step, not for {way}")
    if way in ("--template", "--from"):
        for what, given in (("--seed", seed), ("--answer", answer), ("key=value", rest)):
            if given:
                raise InvalidInputError(f"{what} is for making a character by its steps, not for {way}")


def _name(setting: Ruleset, words: Sequence[str]) -> str | None:
    """Ask for a name if creation takes one and none was typed; None otherwise."""
    from tablewright.cli.play.creation import ask_name  # noqa: PLC0415  (loads rich)

    usual = [parameter.default for parameter in setting.rulebook.create.params if parameter.name == "name"]
    if not usual or any(word.startswith("name=") for word in words):
        return None
    return ask_name(str(usual[0]) if isinstance(usual[0], str) else "Nobody")


def _arguments(setting: Ruleset, words: Sequence[str]) -> dict[str, object]:
    """Parse creation arguments from key=value words."""
    given: dict[str, object] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            create = setting.rulebook.create
            names = ", ".join([parameter.name for parameter in create.params])
            raise InvalidInputError(
                f'{create.name}: "{word:.60}" is not key=value; its parameters are {names or "none"}'
            )
        given[key.strip().replace("-", "_")] = value
    return given


def _answers(typed: Sequence[str]) -> dict[str, list[str]]:
    answers: dict[str, list[str]] = {}
    for word in typed:
        step, equals, chosen = word.partition("=")
        if not equals or not step.strip() or not chosen.strip():
            raise InvalidInputError(f'--answer is "{word:.60}"; write --answer STEP=OPTION')
        answers.setdefault(step.strip(), []).append(chosen.strip())
    return answers


def _by_process(
    start: Callable[[], Any],
    setting: Ruleset,
    answers: dict[str, list[str]],
    seed: int,
    *,
    random: bool,
    asks: bool,
    typed: bool,
) -> CreatedCharacter:
    from tablewright.dice import SeededDice  # noqa: PLC0415
    from tablewright.game.character.creation import CharacterCreation, at_random  # noqa: PLC0415

    if random:
        return CreatedCharacter(at_random(start, SeededDice(seed), answers), (), seed)
    making = CharacterCreation(start, None if typed else SeededDice(seed))
    if answers:
        making.follow(answers)
    if not making.is_done:
        if not asks:
            raise InvalidInputError(_open(making))
        from tablewright.cli.play.creation import make  # noqa: PLC0415  (loads rich)

        make(making, setting.system)
    rolled = any(not isinstance(entry, str) for entry in making.draft_record)
    return CreatedCharacter(making.result, (), seed if rolled and not typed else None)


def _open(making: Any) -> str:
    """Describe the open question, for input that cannot be interactive."""
    asked = making.to_json()
    if "roll" in asked:
        return f"the dice {asked['roll']} are asked for; leave out --dice typed"
    step = asked["step"]["id"] if asked["step"] else asked["question"]
    allowed = ", ".join([offer["id"] for offer in asked["options"]])
    return f'{step}: "{asked["question"]}" has no answer; add --answer {step}=OPTION, allowed are: {allowed}'


def _list(setting: Ruleset, as_json: bool) -> None:
    """Print the characters in the content that can serve as templates."""
    entries = [(kind, entry) for kind in setting.rulebook.character_kinds for entry in setting.library.of(kind)]
    if as_json:
        told = [{"kind": kind, "id": entry.id, "name": entry.name, "origin": entry.origin} for kind, entry in entries]
        print_json({"system": setting.system.id, "templates": told})
        return
    from tablewright.cli.output.console import definitions, heading, make_console  # noqa: PLC0415  (loads rich)

    console = make_console()
    console.print(heading(setting.system.title, f"{len(entries)} templates"))
    definitions(console, [(entry.id, f"{entry.name} ({kind}, {entry.origin})") for kind, entry in entries])


def _writable(path: Path) -> None:
    """Refuse an unwritable path before any question is asked."""
    from tablewright.game.files.documents import format_of  # noqa: PLC0415

    format_of(path)
    if not path.absolute().parent.is_dir():
        raise InvalidInputError(f"{path}: there is no folder {path.absolute().parent}")


def _finish(setting: Ruleset, made: CreatedCharacter, output: str | None, *, anyway: bool, as_json: bool) -> None:
    """Check legality, write the character and print its sheet."""
    from tablewright.game.character.character import write_character  # noqa: PLC0415
    from tablewright.game.character.sheet import sheet_json  # noqa: PLC0415

    character, book = made.character, setting.rulebook
    legality = book.legality(character, setting.options, setting.library)
    sheet = book.sheet(character, setting.options, setting.library)
    writes = output is not None and (legality.ok or anyway)
    if writes:
        write_character(Path(str(output)), character)
    if as_json:
        told: dict[str, Any] = {"system": setting.system.id, "character": character.to_json()}
        told |= {"legality": legality.to_json(), "messages": list(made.messages), "seed": made.seed}
        print_json(told | {"sheet": sheet_json(sheet), "written": output if writes else None})
    else:
        from tablewright.cli.commands.sheet import text_of  # noqa: PLC0415

        for message in made.messages:
            note(message)
        sys.stdout.write(text_of(sheet))
        told_seed = [f"Seed {made.seed}."] if made.seed is not None else []
        within = ["Ready to play."] if legality.ok else []
        written = [f"Written to {output}."] if writes else []
        if said := " ".join([*within, *written, *told_seed]):
            sys.stdout.write(f"\n{said}\n")
    if legality.ok:
        return
    if not as_json:
        ledger = setting.system.ledger
        lines = [
            f"{violation} {ledger[violation.rule].title}" if violation.rule in ledger else str(violation)
            for violation in legality.violations
        ]
        if output is not None and not writes:
            lines.append(f"{output} is not written: the character is not within the rules (--anyway writes it)")
        tell_problems(lines, IllegalActionError.exit_status, as_json=False)
    raise typer.Exit(IllegalActionError.exit_status)
