"""Rolls: dice and rules played once, and played again from their record."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast, overload

from tablewright.api.arguments import check_argument
from tablewright.api.subject import call_label, checked_seed, format_result, subject_of
from tablewright.dice.source import Die, SeededDice, TypedDice
from tablewright.engine.mechanic import Call, Mechanic
from tablewright.engine.play import Answer, PlayResult, SetOutcome
from tablewright.engine.play import play as play_call
from tablewright.engine.play import replay as replay_call
from tablewright.engine.request import roll as await_roll
from tablewright.errors import InvalidInputError, unknown_option

if TYPE_CHECKING:
    from tablewright.dice.rollable import Rollable
    from tablewright.engine.choice import Choice
    from tablewright.engine.trace import Trace

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Played(Generic[T_co]):
    """One play of a rule or roll of dice: the result, the trace of all steps, and the record that replays it.

    >>> import tablewright as tw
    >>> played = tw.roll("mars.check", "r16", 14, seed=1)
    >>> played, played.faces
    (<Played mars.check(r16, 14): failure (1 4)>, (1, 4))
    """

    def __init__(self, label: str, played: PlayResult[T_co], seed: int | None = None) -> None:
        self.label = label
        self.seed = seed
        self._played = played

    @property
    def result(self) -> T_co:
        """The result."""
        return self._played.result

    @property
    def trace(self) -> Trace:
        """Dice, called rules and choices, in order."""
        return self._played.trace

    @property
    def record(self) -> tuple[Answer, ...]:
        """Faces and chosen options; :func:`replay` takes them."""
        return self._played.record

    @property
    def faces(self) -> tuple[int, ...]:
        """Faces of all dice, in order."""
        return tuple([face for answer in self.record if isinstance(answer, tuple) for face in answer])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Played) and (self.result, self.record) == (other.result, other.record)

    def __hash__(self) -> int:
        return hash((self.label, self.record))

    def __str__(self) -> str:
        return format_result(self.result)

    def __repr__(self) -> str:
        faces = f" ({' '.join(map(str, self.faces[:20]))})" if self.faces else ""
        return f"<Played {self.label}: {format_result(self.result)}{faces}>"


async def _thrown(dice: Any) -> Any:
    return await await_roll(dice)


_THROW: Mechanic[..., Any] = Mechanic("dice.roll", _thrown, (), {})


MOST_THROWN = 50_000
"""Upper bound for the dice of one roll."""


class LimitedDice:
    """Seeded or typed dice that stop a rule without end."""

    def __init__(self, source: SeededDice | TypedDice) -> None:
        self._source = source
        self._thrown = 0

    def face(self, die: Die) -> int:
        """Throw one die."""
        self._thrown += 1
        if self._thrown > MOST_THROWN:
            raise InvalidInputError(f"this needs more than {MOST_THROWN:,} dice, and may never end")
        return self._source.face(die)

    def finish(self) -> None:
        """Refuse typed faces that no die used."""
        if isinstance(self._source, TypedDice):
            self._source.finish()


@overload
def roll(what: Call[T], /, *, seed: int | None = None, faces: Sequence[int] | None = None) -> Played[T]: ...
@overload
def roll(what: Mechanic[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Played[T]: ...
@overload
def roll(what: str, /, *, seed: int | None = None, faces: Sequence[int] | None = None) -> Played[int]: ...
@overload
def roll(
    what: str,
    /,
    *args: object,
    seed: int | None = None,
    faces: Sequence[int] | None = None,
    choose: Mapping[str, object] | None = None,
    **named: object,
) -> Played[Any]: ...
def roll(
    what: Any, /, *args: Any, seed: Any = None, faces: Any = None, choose: Any = None, **named: Any
) -> Played[Any]:
    """Roll dice or play a rule. The same ``seed`` gives the same result; ``faces`` are those of real dice.

    ``choose`` answers questions by their first words; others get their usual answer.

    >>> import tablewright as tw
    >>> tw.roll("4d6kh3", seed=7), tw.roll("2d6", faces=[3, 5]).result
    (<Played 4d6kh3: 13 (6 4 3 2)>, 8)
    """
    check_argument("faces", faces, "Sequence[int] | None")
    check_argument("choose", choose, "Mapping[str, object] | None")
    subject = subject_of(what, args, named)
    call, label = _playable(subject)
    if faces is not None and seed is not None:
        raise InvalidInputError("faces and seed cannot be used together: dice are either typed or drawn")
    if faces is not None:
        typed = LimitedDice(TypedDice(list(faces)))
        played = play_call(call, typed, _chooser(choose))
        typed.finish()
        return Played(label, played)
    drawn = secrets.randbits(32) if seed is None else checked_seed(seed)
    return Played(label, play_call(call, LimitedDice(SeededDice(drawn)), _chooser(choose)), drawn)


def replay(what: Any, /, *args: Any, record: Sequence[Answer], **named: Any) -> Played[Any]:
    """Play a rule again from the record of an earlier play.

    >>> import tablewright as tw
    >>> first = tw.roll("mars.check", "r16", 14, seed=1)
    >>> tw.replay("mars.check", "r16", 14, record=first.record) == first
    True
    """
    check_record(record)
    call, label = _playable(subject_of(what, args, named))
    return Played(label, replay_call(call, record))


def check_record(record: object) -> None:
    """Refuse anything but a list of faces, options and set outcomes."""
    listed = isinstance(record, list | tuple) and not isinstance(record, Call)
    if not listed or not all(isinstance(answer, tuple | str | SetOutcome) for answer in cast("Any", record)):
        raise InvalidInputError(f"record is {record!r:.60}; allowed is the record of a roll", field="record")


def _playable(subject: Call[Any] | Rollable[Any]) -> tuple[Call[Any], str]:
    if isinstance(subject, Call):
        return subject, call_label(subject)
    return Call(_THROW, (subject,)), str(subject)


def _chooser(given: Mapping[str, object] | None) -> Callable[[Choice[Any]], int]:
    answers = {question.casefold(): answer for question, answer in (given or {}).items()}

    def choose(ask: Choice[Any]) -> int:
        for question, answer in answers.items():
            if ask.question.casefold().startswith(question):
                wanted = [
                    place for place, option in enumerate(ask.options) if option == answer or ask.ids[place] == answer
                ]
                if not wanted:
                    raise unknown_option(str(answer), ask.ids)
                return wanted[0]
        return ask.default

    return choose
