"""Lists in pages and options in groups, so that an answer stays short enough for a language model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from tablewright.api.option import Option
from tablewright.errors import InvalidInputError, did_you_mean

T = TypeVar("T")

PAGE = 20
"""Items of a page."""

FEW = 16
"""Upper bound for options that are listed one by one; more are grouped by action."""

EXAMPLES = 2
"""Options of each group that are shown with it."""

MOST_GROUPS = 14
MOST_LINES = 30
MOST_TEXT = 2_400
"""Upper bounds for the lines and the characters of the story in one answer."""


class ListPage(NamedTuple):
    """One page of a list."""

    items: tuple[Any, ...]
    page: int
    pages: int
    total: int

    def to_json(self, name: str, convert: Callable[[Any], Any] = lambda one: one) -> dict[str, Any]:
        """The page as plain data, its items under a name."""
        return {
            name: [convert(item) for item in self.items],
            "page": self.page,
            "pages": self.pages,
            "total": self.total,
        }

    @property
    def more(self) -> str:
        """Hint at the other pages; empty if there is one page."""
        return "" if self.pages <= 1 else f"Page {self.page} of {self.pages}, {self.total} in all."


def page_of(items: Sequence[T], page: int, size: int = PAGE) -> ListPage:
    """A page of a list, counted from 1; a number beyond the last page is refused.

    >>> page_of("abcde", 2, size=2)
    ListPage(items=('c', 'd'), page=2, pages=3, total=5)
    """
    pages = max(1, -(-len(items) // size))
    if not 1 <= page <= pages:
        raise InvalidInputError(f"page is {page}; allowed are 1 to {pages}", field="page")
    return ListPage(tuple(items[(page - 1) * size : page * size]), page, pages, len(items))


class OptionGroup(NamedTuple):
    """Options of one action."""

    name: str
    options: tuple[Option, ...]


def groups_of(options: Sequence[Option]) -> tuple[OptionGroup, ...]:
    """Options grouped by action, in the order of their first option.

    >>> groups_of([Option("hit:rat"), Option("wait"), Option("hit:cat")])[0].options
    (Option(id='hit:rat', label='', cost=''), Option(id='hit:cat', label='', cost=''))
    """
    found: dict[str, list[Option]] = {}
    for option in options:
        found.setdefault(option.id.partition(":")[0], []).append(option)
    return tuple([OptionGroup(name, tuple(row)) for name, row in found.items()])


def find_group(name: str, options: Sequence[Option]) -> OptionGroup:
    """A group by name; an unknown name is refused with the nearest one."""
    groups = groups_of(options)
    for group in groups:
        if group.name == name:
            return group
    known = [group.name for group in groups]
    raise InvalidInputError(
        f'there is no group "{name:.40}"; there are {", ".join(known)}{did_you_mean(name, known)}', field="group"
    )


def option_json(option: Option) -> dict[str, str]:
    """An option as plain data; an empty cost is left out."""
    return {"id": option.id, "label": option.label} | ({"cost": option.cost} if option.cost else {})


def option_line(option: Option) -> str:
    """An option on one line: its id to answer with, its label, its cost."""
    cost = f" (cost: {option.cost})" if option.cost else ""
    return f"- `{option.id}` {option.label}{cost}"


def options_json(options: Sequence[Option]) -> dict[str, Any]:
    """Options one by one if they are few, else in groups with the first of each."""
    if len(options) <= FEW:
        return {"options": [option_json(option) for option in options]}
    groups = groups_of(options)
    shown = groups[:MOST_GROUPS]
    examples = EXAMPLES if len(groups) * EXAMPLES <= MOST_GROUPS else 1
    told: dict[str, Any] = {
        "groups": [
            {"group": one.name, "options": len(one.options)}
            | {"examples": [option_json(option) for option in one.options[:examples]]}
            for one in shown
        ]
    }
    if len(groups) > len(shown):
        told["more_groups"] = [group.name for group in groups[MOST_GROUPS:]]
    return told


def options_text(told: Mapping[str, Any], game: str) -> str:
    """Options in the form of :func:`options_json` as text."""
    if "options" in told:
        rows = [option_line(Option(one["id"], one["label"], one.get("cost", ""))) for one in told["options"]]
        return "Options:\n" + "\n".join(rows)
    rows = []
    for group in told["groups"]:
        rows += [option_line(Option(one["id"], one["label"], one.get("cost", ""))) for one in group["examples"]]
        left = group["options"] - len(group["examples"])
        if left:
            rows[-1] += f" (+{left})"
    if told.get("more_groups"):
        rows.append(f"Further groups: {', '.join(told['more_groups'])}")
    more = (
        f'options(game="{game}", group=ACTION) lists all of one action, such as group="{told["groups"][0]["group"]}".'
    )
    return "Options, the first of each action, and how many more it has:\n" + "\n".join([*rows, more])


def last_lines(lines: Sequence[str], most: int = MOST_TEXT) -> tuple[list[str], int]:
    """The last lines of a story that fit into ``most`` characters, and the number of those before them."""
    kept: list[str] = []
    size = 0
    for line in reversed(lines):
        size += len(line) + 1
        if len(kept) >= MOST_LINES or (kept and size > most):
            break
        kept.append(line)
    return kept[::-1], len(lines) - len(kept)
