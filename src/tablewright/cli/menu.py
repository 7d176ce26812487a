"""The options of a question under somebody's fingers: few one below the other, of many those of one action on a line.

Whatever is shown before an option is what takes it: a number, or the number of a line and that of a way in it: 3.2.
Ids always work, and so do words, whole or begun: ``attack wolf``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from rich.console import Console
from rich.text import Text

from tablewright.cli.keyboard import keys_of, picked
from tablewright.cli.paper import MOST_ROWS, NAME, QUIET, closed_options, indented, options, packed, reasons
from tablewright.cli.screen import counted
from tablewright.engine import Choose
from tablewright.errors import BadInput
from tablewright.game.actions import Use
from tablewright.game.session import Session

FEW = 15
"""So many options stand one below the other; of more those of one action share a line."""
_MOST_ROWS_OF_ONE = 6
"""Into how many lines one action may fall, by what it is done with."""
_LEAST_ROWS = 3
_MOST_NAMED = 5
_LEAST_LETTERS = 2
_LIKE = 0.75
_WORD = re.compile(r"[^\W_]+")
_OF_A_LINE = re.compile(r"([0-9]{1,4})(?:\s*[.:]\s*|\s+)([0-9]{1,4})")


class Row(NamedTuple):
    """One line: the places of its options, what they have in common, and what tells each from the others."""

    ways: tuple[int, ...]
    title: str
    names: tuple[str, ...]
    cost: str
    of_people: bool = False


class Menu:
    """The options of one question with what is typed for each."""

    def __init__(
        self, question: Choose[Any], title_of: Callable[[str], str] = str, called: Callable[[str], str] = str
    ) -> None:
        self._called = called
        self.question = question.question
        self.ids = list(question.ids)
        self.labels = _told_apart(question)
        self.costs = [question.cost(option) for option in question.options]
        self._uses = [option for option in question.options if isinstance(option, Use)]
        self._titles = [title_of(use.action) for use in self._uses]
        self.rows = self._rows()
        if self.rows:
            self.keys = [""] * len(self.ids)
            for number, row in enumerate(self.rows, start=1):
                for way, place in enumerate(row.ways, start=1):
                    self.keys[place] = str(number) if len(row.ways) == 1 else f"{number}.{way}"
            self.numbers = [str(number) for number in range(1, len(self.rows) + 1)]
        else:
            self.numbers = self.keys = keys_of(self.ids, self.labels)

    # ------------------------------------------------------------------ how it is divided

    def _rows(self) -> tuple[Row, ...]:
        """The options by action; none where they are few, or where that would be no help."""
        if len(self.ids) <= FEW or len(self._uses) < len(self.ids):
            return ()
        by_action: dict[str, list[int]] = {}
        for place, use in enumerate(self._uses):
            by_action.setdefault(use.action, []).append(place)
        parts = [part for places in by_action.values() for part in self._parts(places)]
        return tuple([self._row(part) for part in parts]) if _LEAST_ROWS <= len(parts) < len(self.ids) else ()

    def _parts(self, places: list[int]) -> list[list[int]]:
        """One action, or where it is done to several with several things each of them by itself."""
        if any(self._uses[place].target is None for place in places):
            return [places]
        by_detail: dict[str | None, list[int]] = {}
        for place in places:
            by_detail.setdefault(self._uses[place].detail, []).append(place)
        parts = list(by_detail.values())
        alone = len([part for part in parts if len(part) == 1])
        return parts if alone < min(2, len(parts)) and len(parts) <= _MOST_ROWS_OF_ONE else [places]

    def _row(self, places: list[int]) -> Row:
        labels = [self.labels[place] for place in places]
        costs = [self.costs[place] for place in places]
        if len(places) == 1:
            return Row(tuple(places), labels[0], (labels[0],), costs[0])
        of_people = self._by_target(places, labels)
        title, names = of_people or in_common(labels, self._titles[places[0]])
        if len(set(costs)) == 1:
            return Row(tuple(places), title, tuple(names), costs[0], of_people is not None)
        priced = [f"{name} ({cost})" if cost else name for name, cost in zip(names, costs, strict=True)]
        return Row(tuple(places), title, tuple(priced), "")

    def _by_target(self, places: list[int], labels: list[str]) -> tuple[str, list[str]] | None:
        """What is done to each of several, if all that tells the labels apart is whom they name."""
        names = [self._called(self._uses[place].target or "") for place in places]
        titles = {label.replace(name, "...") if name else label for label, name in zip(labels, names, strict=True)}
        return (titles.pop(), names) if len(titles) == 1 and len(set(names)) == len(names) else None

    # ------------------------------------------------------------------ what was typed

    def exactly(self, typed: str) -> int | Row | None:
        """The option that is typed by its number, its id or all it is called; a line where that has several."""
        ends = [id_.rpartition(":")[2].casefold() for id_ in self.ids]
        if not typed.isdigit() and typed not in self.ids and ends.count(typed.casefold()) == 1:
            return ends.index(typed.casefold())  # a square, a weapon
        if not self.rows:
            return picked(typed, self.ids, self.question, self.labels)
        of_a_line = _OF_A_LINE.fullmatch(typed)
        number, way = (of_a_line[1], of_a_line[2]) if of_a_line else (typed, "")
        if number.isascii() and number.isdigit():
            if len(number) > 4 or not 1 <= int(number) <= len(self.rows):
                raise BadInput(f'"{self.question}" has the lines 1 to {len(self.rows)}, not {number:.20}')
            row = self.rows[int(number) - 1]
            if not way:
                return row if len(row.ways) > 1 else row.ways[0]
            return self.of_row(row, way)
        return picked(typed, self.ids, self.question, self.labels)

    def of_row(self, row: Row, way: str) -> int:
        """One of the ways of a line, by its number."""
        if len(way) > 4 or not 1 <= int(way) <= len(row.ways):
            raise BadInput(f"{row.title}: the ways are 1 to {len(row.ways)}, not {way:.20}")
        return row.ways[int(way) - 1]

    def meant(self, typed: str) -> int | Row | None:
        """The one option that words can only mean: whole, begun, or nearly right; a line where they mean all of it."""
        wanted = _WORD.findall(typed.casefold())[:20]
        letters = [word for word in wanted if not word.isdigit()]
        if not letters or min(map(len, letters)) < _LEAST_LETTERS:
            return None
        for fits in (_whole, _begun, _nearly):
            found = [place for place in range(len(self.ids)) if self._fits(place, wanted, fits)]
            first = [place for place in found if fits(wanted[0], self._said(place)[:1])]
            found = first or found
            if len(found) == 1:
                return found[0]
            if found:
                return self._several(typed, found)
        return None

    def _several(self, typed: str, found: list[int]) -> Row:
        for row in self.rows:
            if list(row.ways) == found:
                return row
        named = [f"{self.keys[place]} {self.labels[place]}" for place in found[:_MOST_NAMED]]
        more = f", and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        raise BadInput(f'"{typed:.40}" could be {", ".join(named)}{more}')

    def _fits(self, place: int, wanted: Sequence[str], fits: Callable[[str, Sequence[str]], bool]) -> bool:
        said = self._said(place)
        return all(fits(word, said) for word in wanted)

    def _said(self, place: int) -> list[str]:
        """Every word by which an option can be called, what is done first."""
        return [*_WORD.findall(self.ids[place].casefold()), *_WORD.findall(self.labels[place].casefold())]

    # ------------------------------------------------------------------ drawing

    def draw(self, console: Console, closed: Sequence[Mapping[str, Any]]) -> None:
        """The options, and what is closed."""
        if not self.rows:
            width = options(console, list(zip(self.labels, self.costs, strict=True)), self.keys)
            closed_options(console, closed, width, "why NAME says why")
            return
        width = len(str(len(self.rows)))
        lines = self._lines(console.width, width, tight=0)
        for tight in (1, 2, 3):
            if len(lines) > MOST_ROWS:
                lines = self._lines(console.width, width, tight=tight)
        for line in lines:
            console.print(line, soft_wrap=True)
        cost = self._said_once()[1]
        notes = [f"what names no cost takes {cost}"] if cost else []
        notes += [f"{counted(len(closed), 'action')} cannot be taken now"] if closed else []
        console.print(indented("; ".join([*notes, "all lists everything and why"]), width + 2, style=QUIET))

    def _lines(self, room: int, width: int, *, tight: int) -> list[Text]:
        """The lines of the list; where they are too many, of those that go on only how many ways they have."""
        names, cost = self._said_once()
        lines: list[Text] = []
        if names:
            lines += packed([[Text(f"{' ' * (width + 2)}... is", style=QUIET), *_numbered(names)]], room, width + 2)
        cells = []
        for number, row in enumerate(self.rows, start=1):
            head, ways = self._cell(number, row, width, names, cost)
            size = sum([part.cell_len + 1 for part in (*head, *ways)])
            if ways and tight and size > (room if tight == 1 else room // 2):
                ways = [Text(f"[{len(ways)}]")]
            cells.append([*head, *ways] if tight < 3 else [_cut([*head, *ways], room // 2)])
        return [*lines, *packed(cells, room, width + 2)]

    def _said_once(self) -> tuple[tuple[str, ...], str]:
        """Whom most lines are about, and what most of them cost."""
        about = Counter([row.names for row in self.rows if row.of_people])
        names, times = about.most_common(1)[0] if about else ((), 0)
        costs = Counter([row.cost for row in self.rows])
        cost, often = costs.most_common(1)[0]
        return names if times > 1 else (), cost if 2 * often >= len(self.rows) else ""

    def _cell(
        self, number: int, row: Row, width: int, names: tuple[str, ...], cost: str
    ) -> tuple[list[Text], list[Text]]:
        """One line and its ways, in parts that are not torn apart; what is said for all is not said again."""
        head = [Text(f"{number:>{width}}  ").append(row.title, style=NAME)]
        if row.cost != cost and (row.cost or len(row.ways) == 1):
            head.append(Text(f"({row.cost or 'nothing'})", style=QUIET))
        return head, _numbered(row.names) if len(row.ways) > 1 and row.names != names else []

    def draw_row(self, console: Console, row: Row) -> None:
        """All ways of one line."""
        offers = [(self.labels[place], self.costs[place]) for place in row.ways]
        options(console, offers, [str(way) for way in range(1, len(offers) + 1)])

    def draw_all(self, console: Console, closed: Sequence[Mapping[str, Any]]) -> None:
        """Everything, one below the other, and why what is closed is."""
        width = options(console, list(zip(self.labels, self.costs, strict=True)), self.keys, all_below=True)
        reasons(console, closed, width)


def menu_of(session: Session, question: Choose[Any]) -> Menu:
    """The options of a question of a session as they are shown and typed."""
    actions = session.book.actions.by_id
    return Menu(question, lambda action: actions[action].title if action in actions else action, session.scene.called)


def in_common(labels: Sequence[str], title: str) -> tuple[str, list[str]]:
    """What labels have in common, and what tells each from the others.

    >>> in_common(["Shoot at Wolf: Bow", "Shoot at Orc: Bow"], "Attack")
    ('Shoot at ...: Bow', ['Wolf', 'Orc'])
    >>> in_common(["Move to 1,2", "Move next to Ann"], "Move")
    ('Move ...', ['to 1,2', 'next to Ann'])
    >>> in_common(["Crouch", "Stand up"], "Stance")
    ('Stance', ['Crouch', 'Stand up'])
    """
    start = _start_of(labels)
    start = start[: start.rfind(" ") + 1]
    rests = [label[len(start) :] for label in labels]
    end = _start_of([rest[::-1] for rest in rests])[::-1]
    cut = next((at for at, letter in enumerate(end) if letter in " :"), len(end))
    end = end[cut:].rstrip()
    names = [rest[: len(rest) - len(end)] if end else rest for rest in rests]
    if not start or not all(name.strip() for name in names):
        return title, list(labels)
    return f"{start.rstrip()} ...{end}", [name.strip() for name in names]


def _cut(parts: Sequence[Text], room: int) -> Text:
    """Parts on one line, cut short where there is no room."""
    line = Text(" ").join(parts)
    if line.cell_len >= room:
        line.truncate(room - 4)
        line.rstrip()
        line.append("...")
    return line


def _numbered(names: Sequence[str]) -> list[Text]:
    return [Text(f".{way} ").append(name, style=NAME) for way, name in enumerate(names, start=1)]


def _start_of(texts: Sequence[str]) -> str:
    """The letters with which all of some texts begin."""
    first, last = min(texts), max(texts)
    return first[: next((at for at, letter in enumerate(first) if letter != last[at]), len(first))]


def _told_apart(question: Choose[Any]) -> list[str]:
    """What each option is called; where several are called the same, such as two daggers, what they are by id too."""
    labels = [
        ("yes" if option else "no") if isinstance(option, bool) else question.label(option)
        for option in question.options
    ]
    alike = Counter(labels)
    return [
        f"{label} [{id_.rpartition(':')[2].replace('_', ' ')}]" if alike[label] > 1 else label
        for label, id_ in zip(labels, question.ids, strict=True)
    ]


def _whole(word: str, said: Sequence[str]) -> bool:
    return word in said


def _begun(word: str, said: Sequence[str]) -> bool:
    return word in said or (not word.isdigit() and any(other.startswith(word) for other in said))


def _nearly(word: str, said: Sequence[str]) -> bool:
    return _begun(word, said) or (len(word) > 3 and bool(get_close_matches(word, said, 1, _LIKE)))
