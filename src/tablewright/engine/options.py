"""Roles of deciders, and open and closed options of a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from tablewright.dice.outcomes import format_outcome

T = TypeVar("T")


class Role(Enum):
    """Role of the decider inside a mechanic; actors maximise the objective, opponents minimise it.

    Allies share the objective of their side. The game master has none and takes the default. A mechanic asks a role,
    as in ``choose(Role.ACTOR, ...)``.

    >>> import tablewright as tw
    >>> @tw.mechanic(rules=["demo.gamble.again"])
    ... async def gamble() -> int:
    ...     "A die, which may be thrown once more."
    ...     first = await tw.d(6)
    ...     answer = await tw.choose(tw.Role.ACTOR, "throw again?", ["keep", "again"])
    ...     return await tw.d(6) if answer == "again" else first
    >>> tw.odds(gamble())
    <Odds demo.gamble(): 1 to 6, mean 4.25>
    >>> Role.ALLY.across
    <Role.OPPONENTS_ALLY: "opponent's ally">
    """

    ACTOR = "actor"
    OPPONENT = "opponent"
    ALLY = "ally"
    OPPONENTS_ALLY = "opponent's ally"
    GAME_MASTER = "game master"

    @property
    def across(self) -> Role:
        """The same role on the other side."""
        return _ACROSS.get(self, self)


_ACROSS = {
    Role.ACTOR: Role.OPPONENT,
    Role.OPPONENT: Role.ACTOR,
    Role.ALLY: Role.OPPONENTS_ALLY,
    Role.OPPONENTS_ALLY: Role.ALLY,
}


@dataclass(frozen=True, slots=True)
class ClosedOption:
    """An option that cannot be taken now, with the reason and the id of the rule."""

    id: str
    reason: str
    rule: str | None = None
    label: str = ""


class OptionList(Generic[T]):
    """Open options, and a function that finds the closed ones on demand."""

    __slots__ = ("closed", "open")

    def __init__(self, open_: Sequence[T], closed: Callable[[], Iterable[ClosedOption]]) -> None:
        self.open = open_
        self.closed = closed


def option_id(option: object) -> str:
    """Stable id of an option: its ``id`` attribute if it has one, else its text.

    >>> option_id(3), option_id("parry")
    ('3', 'parry')
    """
    own = getattr(option, "id", None)
    return own if isinstance(own, str) else format_outcome(option)
