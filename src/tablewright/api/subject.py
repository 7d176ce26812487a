"""Subjects of questions: a call, a mechanic or its name with arguments, or dice in notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tablewright.dice.outcomes import format_outcome
from tablewright.dice.source import MOST_SEED
from tablewright.engine.mechanic import Call, Mechanic
from tablewright.errors import InvalidInputError, did_you_mean

if TYPE_CHECKING:
    from tablewright.dice.rollable import Rollable


def call_label(call: Call[Any]) -> str:
    """Short form of a call: required arguments by place, others by name if they are not the usual ones.

    >>> from tablewright.game.system.registry import find_mechanic
    >>> call_label(find_mechanic("mars.check")("r16", 14, advantage=1))
    'mars.check(r16, 14, advantage=1)'
    """
    shown: list[str] = []
    for parameter, value in zip(call.mechanic.params, call.values, strict=True):
        if parameter.required:
            shown.append(format_outcome(value))
        elif value != parameter.default:
            shown.append(f"{parameter.name}={format_outcome(value)}")
    return f"{call.mechanic.name}({', '.join(shown)})"


def subject_of(what: object, args: Sequence[Any], named: Mapping[str, Any]) -> Call[Any] | Rollable[Any]:
    """The call or dice that a question is about: a call, a mechanic or its name with arguments, or dice notation."""
    if isinstance(what, Call):
        if args or named:
            raise InvalidInputError(f"{call_label(what)} is a call already; it takes no more arguments")
        return what
    if isinstance(what, Mechanic):
        call: Call[Any] = what(*args, **named)
        return call
    if not isinstance(what, str):
        raise InvalidInputError(
            f'{what!r:.60} is neither a mechanic nor dice; write "4d6kh3", "mars.check" or a mechanic'
        )
    mechanic = mechanic_named(what, arguments=bool(args or named))
    if mechanic is not None:
        return mechanic(*args, **named)
    return dice_of(what)


def dice_of(notation: str) -> Rollable[Any]:
    """Dice in notation."""
    from tablewright.dice.notation import parse_dice  # noqa: PLC0415 - loads the grammar

    return parse_dice(notation)


def mechanic_named(name: str, *, arguments: bool = False) -> Mechanic[..., Any] | None:
    """The mechanic with this name; None if the text can only be dice. With arguments dice are refused."""
    from tablewright.game.rules.entry_points import system_ids  # noqa: PLC0415
    from tablewright.game.system.registry import find_mechanic  # noqa: PLC0415

    first, dot, rest = name.strip().partition(".")
    if dot and (first in system_ids() or (first.isidentifier() and rest.replace(".", "").isidentifier())):
        return find_mechanic(name.strip()[:100])
    if arguments:
        raise InvalidInputError(
            f'"{name:.60}" takes no arguments: a mechanic is named SYSTEM.MECHANIC, systems are '
            f"{', '.join(system_ids())}{did_you_mean(name, system_ids())}"
        )
    return None


def named_arguments(
    what: object, args: Sequence[Any], given: Mapping[str, Any]
) -> tuple[Mechanic[..., Any], dict[str, Any]]:
    """A mechanic, or the one of a name, with its unread arguments by name."""
    mechanic = mechanic_named(what, arguments=True) if isinstance(what, str) else what
    if isinstance(mechanic, Call):
        raise InvalidInputError("a call has fixed arguments; name the mechanic and its ranges")
    if not isinstance(mechanic, Mechanic):
        raise InvalidInputError(f'{what!r:.60} is not a mechanic; write its name, such as "mars.check"')
    names = [parameter.name for parameter in mechanic.params]
    if len(args) > len(names):
        raise InvalidInputError(f"{mechanic.name} takes {len(names)} arguments, {len(args)} were given")
    named = dict(zip(names, args, strict=False))
    twice = [name for name in given if name in named]
    if twice:
        raise InvalidInputError(f"{mechanic.name}: {twice[0]} was given twice", field=twice[0])
    return mechanic, named | dict(given)


def format_result(value: object) -> str:
    """A result for people: yes and no, and nothing where there is none."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nothing" if value is None else format_outcome(value)


def checked_seed(seed: object) -> int:
    """A seed of dice; anything but a whole number within bounds is refused."""
    if type(seed) is not int or not 0 <= seed <= MOST_SEED:
        raise InvalidInputError(
            f"the seed is {seed!r:.60}; allowed is a whole number from 0 to 2**128 - 1", field="seed"
        )
    return seed
