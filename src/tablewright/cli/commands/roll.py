"""``tablewright roll``: roll dice, or play a mechanic and show its trace."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import typer

from tablewright.api.rolls import LimitedDice
from tablewright.cli.arguments.answers import Chooser
from tablewright.cli.arguments.flags import Answers, AsJson, Faces, Seed
from tablewright.cli.arguments.text import faces_of, seed_or_drawn, subject_of, whole_number
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.errors import note
from tablewright.cli.output.streams import print_json
from tablewright.dice import Die, Rollable, SeededDice, TypedDice
from tablewright.engine import Call, PlayResult, play
from tablewright.engine.json_values import to_json
from tablewright.engine.report import subject_json
from tablewright.errors import InvalidInputError

MOST_TIMES = 1_000

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class ThrownDice(NamedTuple):
    """Result of rolled dice, with the faces in the order they were needed."""

    result: Any
    faces: tuple[int, ...]


@app.command(cls=TextCommand)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SYSTEM.MECHANIC key=value | DICE", help="A mechanic and its arguments, or dice: 4d6kh3."
        ),
    ] = None,
    *,
    seed: Seed = None,
    faces: Faces = None,
    times: Annotated[str, typer.Option(metavar="N", help=f"Number of rolls, up to {MOST_TIMES}.")] = "1",
    choose: Answers = None,
    as_json: AsJson = False,
) -> None:
    """Roll dice, or play a mechanic."""
    subject = subject_of(words or ())
    count = whole_number(times, "--times", 1, MOST_TIMES)
    source, drawn = _source(seed, faces, count)
    hand = LimitedDice(source)
    chooser = Chooser(choose or (), may_ask=not as_json)
    rolls: list[ThrownDice] | list[PlayResult[Any]]
    if isinstance(subject, Call):
        rolls = [play(subject, hand, chooser) for _ in range(count)]
    elif choose:
        raise InvalidInputError("--choose is for mechanics; dice ask nothing")
    else:
        rolls = [_throw(subject, hand) for _ in range(count)]
    hand.finish()
    if as_json:
        print_json(_roll_json(subject, rolls, drawn, chooser))
        return
    from tablewright.cli.views.trace import tell_dice, tell_mechanic  # noqa: PLC0415  (loads rich)

    if isinstance(subject, Call):
        tell_mechanic(subject, [played for played in rolls if isinstance(played, PlayResult)], chooser, drawn)
    else:
        tell_dice(subject, [thrown for thrown in rolls if isinstance(thrown, ThrownDice)], drawn)
    for unasked in chooser.unasked:
        note(f'nobody asked "{unasked}"')


def _source(seed: str | None, faces: str | None, times: int) -> tuple[SeededDice | TypedDice, int | None]:
    """Dice source, and the seed if there is one."""
    if faces is None:
        drawn = seed_or_drawn(seed)
        return SeededDice(drawn), drawn
    if seed is not None:
        raise InvalidInputError("--faces and --seed cannot be used together: dice are either typed or drawn")
    if times > 1:
        raise InvalidInputError("--faces are for one roll; leave out --times")
    return TypedDice(faces_of(faces)), None


def _throw(dice: Rollable[Any], hand: LimitedDice) -> ThrownDice:
    faces: list[int] = []

    def keep(die: Die) -> int:
        faces.append(hand.face(die))
        return faces[-1]

    return ThrownDice(dice.read(keep), tuple(faces))


def _roll_json(
    subject: Call[Any] | Rollable[Any],
    rolls: list[ThrownDice] | list[PlayResult[Any]],
    seed: int | None,
    chooser: Chooser,
) -> dict[str, Any]:
    told = subject_json(subject) | {"seed": seed}
    if isinstance(subject, Call):
        told["choices"] = [made._asdict() for made in chooser.made]
        told["unasked"] = list(chooser.unasked)
    told["rolls"] = [_one_json(roll) for roll in rolls]
    return told


def _one_json(roll: ThrownDice | PlayResult[Any]) -> dict[str, Any]:
    if isinstance(roll, ThrownDice):
        return {"result": to_json(roll.result), "faces": list(roll.faces)}
    record = [to_json(answer) for answer in roll.record]
    return {"result": to_json(roll.result), "trace": roll.trace.to_json(), "record": record}
