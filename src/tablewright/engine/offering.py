"""What a choice offers: options that may be taken, and those that may not, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from tablewright.dice.dist import show_outcome

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Closed:
    """An option that cannot be taken now, with the reason and the rule that says so."""

    id: str
    reason: str
    rule: str | None = None
    label: str = ""


class Offer(Generic[T]):
    """Options that may be taken; what is closed beside them, and why, is found out when somebody looks."""

    __slots__ = ("closed", "open")

    def __init__(self, open_: Sequence[T], closed: Callable[[], Iterable[Closed]]) -> None:
        self.open = open_
        self.closed = closed


def option_id(option: object) -> str:
    """The stable id of an option: its own ``id`` where it has one, else what is shown of it.

    >>> option_id(3), option_id("parry")
    ('3', 'parry')
    """
    own = getattr(option, "id", None)
    return own if isinstance(own, str) else show_outcome(option)
