"""Choices that can also be answered in the seat's own words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from tablewright.engine import Choice, ClosedOption, Role
from tablewright.errors import InvalidInputError

T = TypeVar("T")

MOST_LETTERS = 200
"""Upper bound for the length of an answer in the seat's own words."""


class FreeTextChoice(Choice[T]):
    """Choice whose options are suggestions: any other text is an answer too.

    ``in_words`` makes an option of the text, with the text as its id. Text that matches an option except for case is
    that option. ``details["own_words"]`` tells every surface to offer a field for the text.
    """

    __slots__ = ("_in_words",)

    def __init__(
        self,
        seat: Role | str,
        question: str,
        options: Iterable[T],
        *,
        in_words: Callable[[str], T],
        closed: Iterable[ClosedOption] = (),
        details: Mapping[str, Any] | None = None,
    ) -> None:
        self._in_words = in_words
        shown = {**(details or {}), "own_words": True}
        super().__init__(seat, question, options, closed=closed, details=shown, even_alone=True)

    def option(self, name: str) -> T:
        known = [*self.ids, *[closed.id for closed in self.closed]]
        if name in known:
            return super().option(name)
        if not name.strip() or len(name) > MOST_LETTERS:
            raise InvalidInputError(
                f'"{self.question}" is answered with 1 to {MOST_LETTERS} letters, or with an option'
            )
        alike = [one for one in known if one.casefold() == name.strip().casefold()]
        return super().option(alike[0]) if alike else self._in_words(name)

    def offer(self, text: str) -> int:
        """Add an answer in own words to the options and return its position, for callers that answer by position."""
        option = self.option(text)
        if option not in self.options:
            self.options = (*self.options, option)
            self._ids = None
        return self.options.index(option)
