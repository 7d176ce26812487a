"""``tablewright check``: tally, exact odds and optional roll of a character's check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablewright.api.rolls import LimitedDice
from tablewright.cli.arguments.answers import Chooser
from tablewright.cli.arguments.characters import command_line, note_person, person_of
from tablewright.cli.arguments.flags import AsJson, Options, Packs
from tablewright.cli.arguments.text import faces_of, seed_or_drawn, validate_words
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.errors import note
from tablewright.cli.output.problems import report_problems
from tablewright.cli.output.streams import print_json
from tablewright.dice import SeededDice, TypedDice
from tablewright.engine import Call, PlayResult, play
from tablewright.engine.json_values import to_json
from tablewright.engine.report import answer_for, odds_json
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.system.registry import load_system

if TYPE_CHECKING:
    from tablewright.game.play.checks import Check, CheckPlan
    from tablewright.game.scenario.cast import NamedCharacter

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE WHAT key=value", help="A character's file, a check, and its situation."),
    ] = None,
    *,
    roll: Annotated[bool, typer.Option("--roll", help="Roll after showing the odds.")] = False,
    faces: Annotated[str | None, typer.Option(metavar="3,5", help="Roll with these faces of real dice.")] = None,
    seed: Annotated[str | None, typer.Option(metavar="N", help="Roll with this seed.")] = None,
    choose: Annotated[
        list[str] | None,
        typer.Option(metavar="QUESTION=OPTION", help="Answer a question of the roll; its first words are enough."),
    ] = None,
    listing: Annotated[
        bool, typer.Option("--list", help="List all checks with their situations, for a character or a system's id.")
    ] = False,
    option: Options = None,
    pack: Packs = None,
    details: Annotated[
        bool, typer.Option("--details", help="Show every part of the numbers, all odds and the rules.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the target and the odds of a character's check, and roll it."""
    named = validate_words(words or ())
    if not named:
        raise InvalidInputError(
            "name a character's file, a check and the situation: FILE WHAT key=value ...; --list lists them"
        )
    if listing and named[0] in system_ids():
        _list(load_system(named[0]).rulebook.checks, named[1:], named[0], as_json)
        return
    with report_problems(as_json=as_json):
        person = person_of(named[0], option or (), pack or ())
    note_person(person, option or (), pack or ())
    book = person.ruleset.rulebook
    if listing:
        _list(book.checks, named[1:], named[0], as_json)
        return
    if len(named) < 2:
        raise InvalidInputError(f"name a check of {person.character.name}: {_some(book.checks, named[0])}")
    from tablewright.game.narration.voices import titled  # noqa: PLC0415

    check = check_named(named[1], book.checks, named[0])
    check = titled(check, person.ruleset.system.id, person.ruleset.options)
    plan = plan_of(person, check, situation_of(named[2:], check))
    rolls = roll or faces is not None or seed is not None
    if choose and not rolls:
        raise InvalidInputError("--choose is for a roll; add --roll")
    source, drawn = _source(seed, faces)
    answer = answer_for(plan.call)
    chooser = Chooser(choose or (), may_ask=not as_json)
    if as_json:
        told = {"character": person.character.name, "check": check.id, "title": check.title, "rules": list(check.rules)}
        told["tallies"] = {name: tally.to_json() for name, tally in plan.tallies.items()}  # type: ignore[assignment]
        told["odds"] = odds_json(answer)  # type: ignore[assignment]
        told["hint"] = plan.hint
        if rolls:
            told["roll"] = _roll_json(_rolled(plan.call, source, chooser), drawn, chooser)  # type: ignore[assignment]
        print_json(told)
        return
    from tablewright.cli.views.check import draw_plan, draw_promise, draw_roll  # noqa: PLC0415
    from tablewright.cli.views.odds_chart import draw_odds  # noqa: PLC0415  (loads rich)
    from tablewright.cli.views.trace import tell_mechanic  # noqa: PLC0415

    # typed faces are played first: an invalid one is refused before anything is printed
    played = _rolled(plan.call, source, chooser) if faces is not None else None
    name, ruleset = person.character.name, person.ruleset
    if details:
        draw_plan(name, check, plan)
        draw_odds(answer)
    else:
        draw_promise(name, check, plan, answer, ruleset.system.id)
    if rolls:
        played = played or _rolled(plan.call, source, chooser)
        if details:
            typer.echo()
            tell_mechanic(plan.call, [played], chooser, drawn)
        else:
            draw_roll(name, check, played, ruleset)
            if drawn is not None:
                typer.echo(f"Seed {drawn}.")
        for unasked in chooser.unasked:
            note(f'nobody asked "{unasked}"')


def plan_of(person: NamedCharacter, check: Check, given: dict[str, str]) -> CheckPlan:
    """The check of a character in a situation, ready to roll."""
    from tablewright.game.play.checks import Subject  # noqa: PLC0415

    return check.read(Subject(person.character, person.ruleset.options, person.ruleset.library), given)


def situation_of(words: Sequence[str], check: Check) -> dict[str, str]:
    """Parse a situation from ``key=value`` words, or bare names of flags."""
    from tablewright.engine.parameter_types import BoolType  # noqa: PLC0415

    flags = [parameter.name for parameter in check.situation if isinstance(parameter.kind, BoolType)]
    names = [parameter.name for parameter in check.situation]
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        key = key.strip().replace("-", "_")
        if not equals and key in flags:
            value = "yes"
        elif not equals or not key:
            known_ones = f"its words are {', '.join(names)}" if names else "it takes no words"
            raise InvalidInputError(
                f'{check.id}: "{word:.60}" is not key=value; {known_ones}{did_you_mean(key, names)}'
            )
        if key in given:
            raise InvalidInputError(f"{check.id}: {key:.60} is given twice", field=key)
        given[key] = value
    return given


def _source(seed: str | None, faces: str | None) -> tuple[SeededDice | TypedDice, int | None]:
    if faces is not None:
        if seed is not None:
            raise InvalidInputError("--faces and --seed cannot be used together: dice are either typed or drawn")
        return TypedDice(faces_of(faces)), None
    drawn = seed_or_drawn(seed)
    return SeededDice(drawn), drawn


def _rolled(call: Call[Any], source: SeededDice | TypedDice, chooser: Chooser) -> PlayResult[Any]:
    hand = LimitedDice(source)
    played = play(call, hand, chooser)
    hand.finish()
    return played


def _roll_json(played: PlayResult[Any], seed: int | None, chooser: Chooser) -> dict[str, Any]:
    return {
        "seed": seed,
        "result": to_json(played.result),
        "trace": played.trace.to_json(),
        "record": [to_json(answer) for answer in played.record],
        "choices": [made._asdict() for made in chooser.made],
        "unasked": list(chooser.unasked),
    }


def check_named(typed: str, checks: Sequence[Check], whose: str) -> Check:
    """Find a check by id or title; an error ends with the command that lists the checks of ``whose``."""
    from tablewright.game.play.checks import find_check  # noqa: PLC0415

    return find_check(typed, checks, _all_checks(whose))


def _some(checks: Sequence[Check], whose: str) -> str:
    """First checks by id, the number of further ones, and the command that lists them."""
    from tablewright.game.play.checks import some_checks  # noqa: PLC0415

    return some_checks(checks) + _all_checks(whose)


def _all_checks(whose: str) -> str:
    return f"; all with their words: {command_line('check', whose, '--list')}"


def _list(checks: Sequence[Check], named: Sequence[str], whose: str, as_json: bool) -> None:
    """Print all checks with their situation words, or only the named ones."""
    ids = [check_named(name, checks, whose).id for name in named]
    wanted = [check for check in checks if not named or check.id in ids]
    if as_json:
        print_json({"checks": [_check_json(check) for check in wanted]})
        return
    from tablewright.cli.views.check import draw_checks  # noqa: PLC0415  (loads rich)

    draw_checks(wanted)


def _check_json(check: Check) -> dict[str, Any]:
    return {
        "id": check.id,
        "title": check.title,
        "rules": list(check.rules),
        "situation": [
            {"name": word.name, "required": word.required, "allowed": word.kind.allowed()} | word.schema()
            for word in check.situation
        ],
    }
