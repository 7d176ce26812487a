"""``tablewright roll``: throw dice, or play a mechanic and show how its result came about."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import typer

from tablewright.cli.choosing import Chooser
from tablewright.cli.failing import note
from tablewright.cli.screen import print_json
from tablewright.cli.switches import Answers, AsJson, Faces, Seed
from tablewright.cli.taking import Command
from tablewright.cli.words import faces_of, seed_or_drawn, subject_of, whole_number
from tablewright.dice import Dice, Die, Rollable, Typed
from tablewright.engine import Call, Played, play
from tablewright.engine.reporting import subject_json
from tablewright.engine.values import to_json
from tablewright.errors import BadInput

MOST_TIMES = 1_000
MOST_FACES = 50_000
"""How many dice one command may throw, all its rolls together."""

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Hand:
    """Throws the dice, from a seed or from typed faces, and counts them: a rule that never ends is stopped."""

    def __init__(self, source: Dice | Typed) -> None:
        self._source = source
        self._thrown = 0

    def face(self, die: Die) -> int:
        """The face of one thrown die."""
        self._thrown += 1
        if self._thrown > MOST_FACES:
            raise BadInput(f"this needs more than {MOST_FACES:,} dice, and may never end")
        return self._source.face(die)

    def finish(self) -> None:
        """Refuse typed faces that no die used."""
        if isinstance(self._source, Typed):
            self._source.finish()


class Thrown(NamedTuple):
    """Dice that were thrown: what they come to, and the faces in the order they were needed."""

    result: Any
    faces: tuple[int, ...]


@app.command(cls=Command)
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
    times: Annotated[str, typer.Option(metavar="N", help=f"Roll so often, up to {MOST_TIMES}.")] = "1",
    choose: Answers = None,
    as_json: AsJson = False,
) -> None:
    """Roll dice, or play a mechanic."""
    subject = subject_of(words or ())
    count = whole_number(times, "--times", 1, MOST_TIMES)
    source, drawn = _source(seed, faces, count)
    hand = Hand(source)
    chooser = Chooser(choose or (), may_ask=not as_json)
    rolls: list[Thrown] | list[Played[Any]]
    if isinstance(subject, Call):
        rolls = [play(subject, hand, chooser) for _ in range(count)]
    elif choose:
        raise BadInput("--choose is for mechanics; dice ask nothing")
    else:
        rolls = [_throw(subject, hand) for _ in range(count)]
    hand.finish()
    if as_json:
        print_json(_roll_json(subject, rolls, drawn, chooser))
        return
    from tablewright.cli.story import tell_dice, tell_mechanic  # noqa: PLC0415  (loads rich)

    if isinstance(subject, Call):
        tell_mechanic(subject, [played for played in rolls if isinstance(played, Played)], chooser, drawn)
    else:
        tell_dice(subject, [thrown for thrown in rolls if isinstance(thrown, Thrown)], drawn)
    for unasked in chooser.unasked:
        note(f'nobody asked "{unasked}"')


def _source(seed: str | None, faces: str | None, times: int) -> tuple[Dice | Typed, int | None]:
    """Where faces come from, and the seed if there is one."""
    if faces is None:
        drawn = seed_or_drawn(seed)
        return Dice(drawn), drawn
    if seed is not None:
        raise BadInput("--faces and --seed cannot be used together: dice are either typed or drawn")
    if times > 1:
        raise BadInput("--faces are for one roll; leave out --times")
    return Typed(faces_of(faces)), None


def _throw(dice: Rollable[Any], hand: Hand) -> Thrown:
    faces: list[int] = []

    def keep(die: Die) -> int:
        faces.append(hand.face(die))
        return faces[-1]

    return Thrown(dice.read(keep), tuple(faces))


def _roll_json(
    subject: Call[Any] | Rollable[Any], rolls: list[Thrown] | list[Played[Any]], seed: int | None, chooser: Chooser
) -> dict[str, Any]:
    told = subject_json(subject) | {"seed": seed}
    if isinstance(subject, Call):
        told["choices"] = [made._asdict() for made in chooser.made]
        told["unasked"] = list(chooser.unasked)
    told["rolls"] = [_one_json(roll) for roll in rolls]
    return told


def _one_json(roll: Thrown | Played[Any]) -> dict[str, Any]:
    if isinstance(roll, Thrown):
        return {"result": to_json(roll.result), "faces": list(roll.faces)}
    record = [to_json(answer) for answer in roll.record]
    return {"result": to_json(roll.result), "trace": roll.trace.to_json(), "record": record}
