"""``tablewright new``: make a character step by step, at random, from a template or from a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from tablewright.cli.failing import note
from tablewright.cli.people import setting_of
from tablewright.cli.problems import line_by_line, tell_problems
from tablewright.cli.screen import print_json
from tablewright.cli.switches import Options, Packs, Seed
from tablewright.cli.taking import Command
from tablewright.cli.words import check_words, seed_or_drawn
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.registry import load_system, system_ids
from tablewright.game.setting import Setting

if TYPE_CHECKING:
    from tablewright.game.character import Character

DICE = ("drawn", "typed")

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Made(NamedTuple):
    """A character that was made, what there is to say about how, and the seed where there was one."""

    character: Character
    messages: tuple[str, ...] = ()
    seed: int | None = None


@app.command(cls=Command)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="SYSTEM key=value", help="A system, and what its creation asks to be told beforehand."),
    ] = None,
    *,
    random: Annotated[bool, typer.Option("--random", help="Make every choice at random.")] = False,
    template: Annotated[str | None, typer.Option(metavar="ID", help="Take somebody of the content.")] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="FILE", help="Read a file, check it and bring it up to date.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the templates.")] = False,
    seed: Seed = None,
    dice: Annotated[
        str, typer.Option(metavar="WHICH", help="Dice of creation: drawn, or typed in as they fall.")
    ] = "drawn",
    name: Annotated[str | None, typer.Option(metavar="NAME", help="What the character is called.")] = None,
    answer: Annotated[
        list[str] | None,
        typer.Option(metavar="STEP=OPTION", help="Answer a step beforehand; of one step several in order."),
    ] = None,
    option: Options = None,
    pack: Packs = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write it: .yaml or .json.")
    ] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Write it even if it is not within the rules.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON; nothing is asked.")] = False,
) -> None:
    """Make a character."""
    named = check_words(words or ())
    if not named:
        raise BadInput(f"name a system: {', '.join(system_ids())}")
    ways = [way for way, wanted in (("--random", random), ("--template", template), ("--from", from_)) if wanted]
    if len(ways) > 1:
        raise BadInput(f"{' and '.join(ways)} cannot be used together: a character is made in one way")
    _refuse_unused(ways[0] if ways else "", seed, answer, named[1:], dice)
    with line_by_line(as_json=as_json):
        setting = setting_of(load_system(named[0][:100]), option or (), pack or ())
        if listing:
            _list(setting, as_json)
            return
        if output is not None:
            _writable(Path(output))
        drawn = seed_or_drawn(seed)
        if template is not None:
            made = Made(setting.book.character_of(template, setting.library))
        elif from_ is not None:
            from tablewright.game.creation import from_file  # noqa: PLC0415

            made = Made(*from_file(Path(from_), setting.book.character))
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
    """What was typed and would mean nothing is refused."""
    if dice not in DICE:
        raise BadInput(f'--dice is "{dice:.40}"; allowed are {", ".join(DICE)}')
    if dice == "typed" and way:
        raise BadInput(f"--dice typed is for making a character step by step, not for {way}")
    if way in ("--template", "--from"):
        for what, given in (("--seed", seed), ("--answer", answer), ("key=value", rest)):
            if given:
                raise BadInput(f"{what} is for making a character by its steps, not for {way}")


def _name(setting: Setting, words: Sequence[str]) -> str | None:
    """Ask for a name where creation takes one and none was typed."""
    from tablewright.cli.making import ask_name  # noqa: PLC0415  (loads rich)

    usual = [parameter.default for parameter in setting.book.create.params if parameter.name == "name"]
    if not usual or any(word.startswith("name=") for word in words):
        return None
    return ask_name(str(usual[0]) if isinstance(usual[0], str) else "Nobody")


def _arguments(setting: Setting, words: Sequence[str]) -> dict[str, object]:
    """What creation is told beforehand, from words of the form key=value."""
    given: dict[str, object] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            create = setting.book.create
            names = ", ".join([parameter.name for parameter in create.params])
            raise BadInput(f'{create.name}: "{word:.60}" is not key=value; its parameters are {names or "none"}')
        given[key.strip().replace("-", "_")] = value
    return given


def _answers(typed: Sequence[str]) -> dict[str, list[str]]:
    answers: dict[str, list[str]] = {}
    for word in typed:
        step, equals, chosen = word.partition("=")
        if not equals or not step.strip() or not chosen.strip():
            raise BadInput(f'--answer is "{word:.60}"; write --answer STEP=OPTION')
        answers.setdefault(step.strip(), []).append(chosen.strip())
    return answers


def _by_process(
    start: Callable[[], Any],
    setting: Setting,
    answers: dict[str, list[str]],
    seed: int,
    *,
    random: bool,
    asks: bool,
    typed: bool,
) -> Made:
    from tablewright.dice import Dice  # noqa: PLC0415
    from tablewright.game.creation import Creating, at_random  # noqa: PLC0415

    if random:
        return Made(at_random(start, Dice(seed), answers), (), seed)
    making = Creating(start, None if typed else Dice(seed))
    if answers:
        making.follow(answers)
    if not making.is_done:
        if not asks:
            raise BadInput(_open(making))
        from tablewright.cli.making import make  # noqa: PLC0415  (loads rich)

        make(making, setting.system)
    rolled = any(not isinstance(entry, str) for entry in making.draft_record)
    return Made(making.result, (), seed if rolled and not typed else None)


def _open(making: Any) -> str:
    """What is still asked, for whoever cannot be asked."""
    asked = making.to_json()
    if "roll" in asked:
        return f"the dice {asked['roll']} are asked for; leave out --dice typed"
    step = asked["step"]["id"] if asked["step"] else asked["question"]
    allowed = ", ".join([offer["id"] for offer in asked["options"]])
    return f'{step}: "{asked["question"]}" has no answer; add --answer {step}=OPTION, allowed are: {allowed}'


def _list(setting: Setting, as_json: bool) -> None:
    """The people of the content, who can be templates."""
    entries = [(kind, entry) for kind in setting.book.people for entry in setting.library.of(kind)]
    if as_json:
        told = [{"kind": kind, "id": entry.id, "name": entry.name, "origin": entry.origin} for kind, entry in entries]
        print_json({"system": setting.system.id, "templates": told})
        return
    from tablewright.cli.paper import definitions, heading, paper  # noqa: PLC0415  (loads rich)

    console = paper()
    console.print(heading(setting.system.title, f"{len(entries)} templates"))
    definitions(console, [(entry.id, f"{entry.name} ({kind}, {entry.origin})") for kind, entry in entries])


def _writable(path: Path) -> None:
    """Refuse a file that could not be written before anybody is asked anything."""
    from tablewright.game.yaml_lines import format_of  # noqa: PLC0415

    format_of(path)
    if not path.absolute().parent.is_dir():
        raise BadInput(f"{path}: there is no folder {path.absolute().parent}")


def _finish(setting: Setting, made: Made, output: str | None, *, anyway: bool, as_json: bool) -> None:
    """Say whether it is within the rules, write it, and show it."""
    from tablewright.game.character import write_character  # noqa: PLC0415
    from tablewright.game.sheet import sheet_json  # noqa: PLC0415

    character, book = made.character, setting.book
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
        from tablewright.cli.sheet import text_of  # noqa: PLC0415

        for message in made.messages:
            note(message)
        sys.stdout.write(text_of(sheet))
        told_seed = [f"seed {made.seed}"] if made.seed is not None else []
        within = ["within the rules"] if legality.ok else []
        written = [f"written to {output}"] if writes else []
        if said := ", ".join([*within, *told_seed, *written]):
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
        tell_problems(lines, RulesSayNo.exit_status, as_json=False)
    raise typer.Exit(RulesSayNo.exit_status)
