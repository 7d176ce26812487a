"""``tablewright check``: from a character and a situation to the tally, the exact odds and, on demand, the roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablewright.cli.choosing import Chooser
from tablewright.cli.failing import note
from tablewright.cli.people import Person, command_line, note_person, person_of
from tablewright.cli.problems import line_by_line
from tablewright.cli.roll import Hand
from tablewright.cli.screen import print_json
from tablewright.cli.switches import AsJson, Options, Packs
from tablewright.cli.taking import Command
from tablewright.cli.words import check_words, faces_of, seed_or_drawn
from tablewright.dice import Dice, Typed
from tablewright.engine import Call, Played, play
from tablewright.engine.reporting import answer_for, odds_json
from tablewright.engine.values import to_json
from tablewright.errors import BadInput, nearest
from tablewright.game.registry import load_system, system_ids

if TYPE_CHECKING:
    from tablewright.game.checks import Check, Plan

_NAMED = 12
"""How many checks an error names."""

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE WHAT key=value", help="Whose check, which one, and the words of the situation."),
    ] = None,
    *,
    roll: Annotated[bool, typer.Option("--roll", help="Roll it after the odds.")] = False,
    faces: Annotated[str | None, typer.Option(metavar="3,5", help="Roll it with the faces of real dice.")] = None,
    seed: Annotated[str | None, typer.Option(metavar="N", help="Roll it with this seed.")] = None,
    choose: Annotated[
        list[str] | None,
        typer.Option(metavar="QUESTION=OPTION", help="Answer a question of the roll; its beginning is enough."),
    ] = None,
    listing: Annotated[
        bool, typer.Option("--list", help="List every check and every word of a situation; a system's id will do.")
    ] = False,
    option: Options = None,
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """The target, the odds and the roll of a character's check."""
    named = check_words(words or ())
    if not named:
        raise BadInput("name a character's file, a check and the situation: FILE WHAT key=value ...; --list lists them")
    if listing and named[0] in system_ids():
        _list(load_system(named[0]).book.checks, named[1:], named[0], as_json)
        return
    with line_by_line(as_json=as_json):
        person = person_of(named[0], option or (), pack or ())
    note_person(person, option or (), pack or ())
    book = person.setting.book
    if listing:
        _list(book.checks, named[1:], named[0], as_json)
        return
    if len(named) < 2:
        raise BadInput(f"name a check of {person.character.name}: {_some(book.checks, named[0])}")
    check = check_named(named[1], book.checks, named[0])
    plan = plan_of(person, check, situation_of(named[2:], check))
    rolls = roll or faces is not None or seed is not None
    if choose and not rolls:
        raise BadInput("--choose is for a roll; add --roll")
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
    from tablewright.cli.chart import draw_odds  # noqa: PLC0415  (loads rich)
    from tablewright.cli.situations import draw_plan  # noqa: PLC0415
    from tablewright.cli.story import tell_mechanic  # noqa: PLC0415

    played = _rolled(plan.call, source, chooser) if faces is not None else None  # these dice lie on the table already
    draw_plan(person.character.name, check, plan)
    draw_odds(answer)
    if rolls:
        played = played or _rolled(plan.call, source, chooser)
        typer.echo()
        tell_mechanic(plan.call, [played], chooser, drawn)
        for unasked in chooser.unasked:
            note(f'nobody asked "{unasked}"')


def plan_of(person: Person, check: Check, given: dict[str, str]) -> Plan:
    """The check of somebody in a situation, ready to be rolled."""
    from tablewright.game.checks import Subject  # noqa: PLC0415

    return check.read(Subject(person.character, person.setting.options, person.setting.library), given)


def situation_of(words: Sequence[str], check: Check) -> dict[str, str]:
    """The words of a situation: ``key=value``, or the name alone of something that is so or not."""
    from tablewright.engine.parameters import Flag  # noqa: PLC0415

    flags = [parameter.name for parameter in check.situation if isinstance(parameter.kind, Flag)]
    names = [parameter.name for parameter in check.situation]
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        key = key.strip().replace("-", "_")
        if not equals and key in flags:
            value = "yes"
        elif not equals or not key:
            known_ones = f"its words are {', '.join(names)}" if names else "it takes no words"
            raise BadInput(f'{check.id}: "{word:.60}" is not key=value; {known_ones}{nearest(key, names)}')
        if key in given:
            raise BadInput(f"{check.id}: {key:.60} is given twice", field=key)
        given[key] = value
    return given


def _source(seed: str | None, faces: str | None) -> tuple[Dice | Typed, int | None]:
    if faces is not None:
        if seed is not None:
            raise BadInput("--faces and --seed cannot be used together: dice are either typed or drawn")
        return Typed(faces_of(faces)), None
    drawn = seed_or_drawn(seed)
    return Dice(drawn), drawn


def _rolled(call: Call[Any], source: Dice | Typed, chooser: Chooser) -> Played[Any]:
    hand = Hand(source)
    played = play(call, hand, chooser)
    hand.finish()
    return played


def _roll_json(played: Played[Any], seed: int | None, chooser: Chooser) -> dict[str, Any]:
    return {
        "seed": seed,
        "result": to_json(played.result),
        "trace": played.trace.to_json(),
        "record": [to_json(answer) for answer in played.record],
        "choices": [made._asdict() for made in chooser.made],
        "unasked": list(chooser.unasked),
    }


def check_named(typed: str, checks: Sequence[Check], whose: str) -> Check:
    """The check that is meant by its id, or by its title in whatever case, where only one has it.

    ``whose`` is what was typed for the character or the system, to be named in a command that lists all.
    """
    wanted = _plain(typed)
    ways = ([one for one in checks if one.id == typed], [one for one in checks if _plain(one.id) == wanted])
    for found in (*ways, [one for one in checks if _plain(one.title) == wanted]):
        if len(found) == 1:
            return found[0]
        if found:
            raise BadInput(
                f'several checks are called "{typed:.40}"; say which: {", ".join([one.id for one in found])}'
            )
    known = [name for one in checks for name in dict.fromkeys([one.id, one.title])]
    raise BadInput(f'there is no check "{typed:.40}"; there are {_some(checks, whose)}{nearest(typed, known)}')


def _plain(name: str) -> str:
    """A name without regard to case, and to whether its words are joined."""
    return " ".join(name.casefold().replace("_", " ").split())


def _some(checks: Sequence[Check], whose: str) -> str:
    """The first checks by id; where there are more, how many, and the command that lists them."""
    named = ", ".join([check.id for check in checks[:_NAMED]])
    more = f" and {len(checks) - _NAMED} more" if len(checks) > _NAMED else ""
    return f"{named}{more}; all with their words: {command_line('check', whose, '--list')}"


def _list(checks: Sequence[Check], named: Sequence[str], whose: str, as_json: bool) -> None:
    """All checks with their words, or those that are named."""
    ids = [check_named(name, checks, whose).id for name in named]
    wanted = [check for check in checks if not named or check.id in ids]
    if as_json:
        print_json({"checks": [_check_json(check) for check in wanted]})
        return
    from tablewright.cli.situations import draw_checks  # noqa: PLC0415  (loads rich)

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
