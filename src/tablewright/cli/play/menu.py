"""Menus for choices: few options one per line, many grouped by action.

The key shown before an option selects it: a number, or line and option number such as 3.2. Ids always work, and so do
words or their beginnings: ``attack wolf``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from tablewright.cli.output.console import MOST_ROWS, NAME, QUIET, closed_options, indented, options, packed, reasons
from tablewright.cli.output.streams import counted
from tablewright.cli.play.keyboard import keys_of, picked
from tablewright.engine import Choice
from tablewright.errors import InvalidInputError
from tablewright.game.narration.phrases import article
from tablewright.game.narration.question import QuestionDraft
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.session import Session

MOST_SHOWN = 12
"""Upper bound for options or rows shown at once; the rest is behind the word *all*."""
FEW = 15
"""Upper bound for options listed one per line; more are grouped by action."""
_COMPACT = 14
"""Width up to which labels, such as squares, are all shown, several on a line."""
_MOST_ROWS_OF_ONE = 6
"""Upper bound for menu rows of one action, split by detail."""
_LEAST_ROWS = 3
_MOST_NAMED = 5
_LEAST_LETTERS = 2
_LIKE = 0.75
_WORD = re.compile(r"[^\W_]+")
_ACTION = re.compile(r"[a-z ]+ action")
_OF_A_LINE = re.compile(r"([0-9]{1,4})(?:\s*[.:]\s*|\s+)([0-9]{1,4})")


class MenuRow(NamedTuple):
    """One row: the indices of its options, their common title, and a distinguishing name for each."""

    ways: tuple[int, ...]
    title: str
    names: tuple[str, ...]
    cost: str
    of_people: bool = False
    key: str = ""
    """Action and detail of the row: it keeps its number through a turn."""


class MenuShape(NamedTuple):
    """Rows of the menus of one turn, in order: a number means the same row until the turn ends."""

    turn: tuple[str | None, int]
    rows: tuple[tuple[str, str], ...]
    """Key and title of each row."""


class Menu:
    """Options of one choice with the keys that select them.

    ``worded`` has the labels, chances and costs of the options in words. ``shape`` is that of the turn's menus so far.
    """

    def __init__(
        self,
        question: Choice[Any],
        title_of: Callable[[str], str] = str,
        called: Callable[[str], str] = str,
        worded: QuestionDraft | None = None,
        shape: MenuShape | None = None,
    ) -> None:
        self._called = called
        self.question = question.question
        self.ids = list(question.ids)
        words = {} if worded is None else {one.id: one for one in worded.options}
        self.labels = _told_apart(
            [
                words[id_].label if id_ in words else _usual_label(question, option)
                for id_, option in zip(question.ids, question.options, strict=True)
            ]
        )
        self.costs = [
            words[id_].costs if id_ in words else question.cost_text(option)
            for id_, option in zip(question.ids, question.options, strict=True)
        ]
        self.chances = [words[id_].chance if id_ in words else "" for id_ in self.ids]
        self.gives = [words[id_].gives if id_ in words else "" for id_ in self.ids]
        self._shape = shape
        self._uses = [option for option in question.options if isinstance(option, ActionUse)]
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

    def _rows(self) -> tuple[MenuRow, ...]:
        """Options grouped by action; empty if they are few or if grouping does not help."""
        known = self._shape.rows if self._shape is not None else ()
        if (len(self.ids) <= FEW and not known) or len(self._uses) < len(self.ids):
            return ()
        by_action: dict[str, list[int]] = {}
        for place, use in enumerate(self._uses):
            by_action.setdefault(use.action, []).append(place)
        parts = [part for places in by_action.values() for part in self._parts(places)]
        if not known and not _LEAST_ROWS <= len(parts) < len(self.ids):
            return ()
        rows = {row.key: row for row in map(self._row, parts)}
        kept = [rows.pop(key, MenuRow((), title, (), "", key=key)) for key, title in known]
        return (*kept, *rows.values())

    def shape_in(self, turn: tuple[str | None, int]) -> MenuShape | None:
        """Shape of this menu for the next one of the turn; None if it is not divided into rows."""
        return MenuShape(turn, tuple([(row.key, row.title) for row in self.rows])) if self.rows else None

    def _parts(self, places: list[int]) -> list[list[int]]:
        """Split an action with several targets and details by detail, if the parts stay useful."""
        if any(self._uses[place].target is None for place in places):
            return [places]
        by_detail: dict[str | None, list[int]] = {}
        for place in places:
            by_detail.setdefault(self._uses[place].detail, []).append(place)
        parts = list(by_detail.values())
        alone = len([part for part in parts if len(part) == 1])
        return parts if alone < min(2, len(parts)) and len(parts) <= _MOST_ROWS_OF_ONE else [places]

    def _row(self, places: list[int]) -> MenuRow:
        labels = [self.labels[place] for place in places]
        costs = [self.costs[place] for place in places]
        uses = [self._uses[place] for place in places]
        details = {use.detail for use in uses} if all(use.target is not None for use in uses) else set()
        key = f"{uses[0].action}:{details.pop() or ''}" if len(details) == 1 else uses[0].action
        if len(places) == 1:
            return MenuRow(tuple(places), labels[0], (labels[0],), costs[0], key=key)
        of_people = self._by_target(places, labels)
        title, names = of_people or in_common(labels, self._titles[places[0]])
        if len(set(costs)) == 1:
            return MenuRow(tuple(places), title, tuple(names), costs[0], of_people is not None, key)
        priced = [f"{name} ({cost})" if cost else name for name, cost in zip(names, costs, strict=True)]
        return MenuRow(tuple(places), title, tuple(priced), "", key=key)

    def _by_target(self, places: list[int], labels: list[str]) -> tuple[str, list[str]] | None:
        """Common title and target names, if the labels differ only by target; else None."""
        names = [self._called(self._uses[place].target or "") for place in places]
        titles = {label.replace(name, "...") if name else label for label, name in zip(labels, names, strict=True)}
        return (titles.pop(), names) if len(titles) == 1 and len(set(names)) == len(names) else None

    # ------------------------------------------------------------------ what was typed

    def exactly(self, typed: str) -> int | MenuRow | None:
        """The option selected by number, id or full label, a row with several options, or None."""
        ends = [id_.rpartition(":")[2].casefold() for id_ in self.ids]
        if not typed.isdigit() and typed not in self.ids and ends.count(typed.casefold()) == 1:
            return ends.index(typed.casefold())  # such as a square or a weapon
        if not self.rows:
            return picked(typed, self.ids, self.question, self.labels)
        of_a_line = _OF_A_LINE.fullmatch(typed)
        number, way = (of_a_line[1], of_a_line[2]) if of_a_line else (typed, "")
        if number.isascii() and number.isdigit():
            if len(number) > 4 or not 1 <= int(number) <= len(self.rows):
                raise InvalidInputError(f"There is no {number:.20}; the list goes from 1 to {len(self.rows)}.")
            row = self.rows[int(number) - 1]
            if not row.ways:
                raise InvalidInputError(f"{row.title} is not possible any more this turn.")
            if not way:
                return row if len(row.ways) > 1 else row.ways[0]
            return self.of_row(row, way)
        return picked(typed, self.ids, self.question, self.labels)

    def of_row(self, row: MenuRow, way: str) -> int:
        """An option of a row by its 1-based number."""
        if len(way) > 4 or not 1 <= int(way) <= len(row.ways):
            raise InvalidInputError(f"There is no {way:.20}; {row.title} has 1 to {len(row.ways)}.")
        return row.ways[int(way) - 1]

    def meant(self, typed: str) -> int | MenuRow | None:
        """The only option that fits the typed words: whole, abbreviated or misspelt; a row if they fit all of it.

        None if nothing fits.
        """
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

    def _several(self, typed: str, found: list[int]) -> MenuRow:
        for row in self.rows:
            if list(row.ways) == found:
                return row
        named = [f"{self.keys[place]} {self.labels[place]}" for place in found[:_MOST_NAMED]]
        more = f", and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        raise InvalidInputError(f'"{typed:.40}" could be {", ".join(named)}{more}.')

    def _fits(self, place: int, wanted: Sequence[str], fits: Callable[[str, Sequence[str]], bool]) -> bool:
        said = self._said(place)
        return all(fits(word, said) for word in wanted)

    def _said(self, place: int) -> list[str]:
        """All words that can select an option, those of its id first."""
        return [*_WORD.findall(self.ids[place].casefold()), *_WORD.findall(self.labels[place].casefold())]

    # ------------------------------------------------------------------ drawing

    def draw(self, console: Console, closed: Sequence[Mapping[str, Any]]) -> None:
        """Print the options and the closed ones; what is beyond the first twelve is behind the word *all*."""
        if not self.rows:
            is_compact = max(map(cell_len, self.labels)) <= _COMPACT
            shown = len(self.ids) if len(self.ids) <= FEW or is_compact else MOST_SHOWN
            width = self._draw_options(console, range(shown))
            if shown < len(self.ids):
                hint = f"{len(self.ids) - shown} more: all"
                console.print(indented(hint, width + 2, style=QUIET))
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
        hidden = len([row for row in self.rows if row.ways]) - len(self._shown())
        notes = [f"each {article(cost) if _ACTION.fullmatch(cost) else cost}, unless it says otherwise"] if cost else []
        notes += [f"{hidden} more, and {len(closed)} unavailable: all"] if hidden else []
        notes += [f"{counted(len(closed), 'action')} unavailable (all lists them)"] if closed and not hidden else []
        if notes:
            console.print(indented("; ".join(notes), width + 2, style=QUIET))

    def _shown(self) -> list[int]:
        """Places of the rows that are drawn: the first twelve that are open, the last one always among them."""
        usable = [place for place, row in enumerate(self.rows) if row.ways]
        return usable if len(usable) <= MOST_SHOWN else [*usable[: MOST_SHOWN - 1], usable[-1]]

    def _draw_options(self, console: Console, places: Sequence[int], keys: Sequence[str] = ()) -> int:
        """Print options in columns: name, chance and cost; return the width of the keys."""
        given = [f"{self.labels[place]}{', ' if self.gives[place] else ''}{self.gives[place]}" for place in places]
        chances = [self.chances[place] for place in places]
        column = max(map(cell_len, chances), default=0)
        notes = [
            f"{chance:<{column}}  {self.costs[place]}".rstrip() if chance else self.costs[place]
            for place, chance in zip(places, chances, strict=True)
        ]
        own = keys or [self.keys[place] for place in places]
        return options(console, list(zip(given, notes, strict=True)), own, all_below=bool(column))

    def _lines(self, room: int, width: int, *, tight: int) -> list[Text]:
        """Lines of the menu; a higher ``tight`` shortens long rows to the number of their options."""
        names, cost = self._said_once()
        lines: list[Text] = []
        if names:
            lines += packed([[Text(f"{' ' * (width + 2)}... is", style=QUIET), *_numbered(names)]], room, width + 2)
        cells = []
        shown = set(self._shown())
        for number, row in enumerate(self.rows, start=1):
            if number - 1 not in shown:
                continue
            head, ways = self._cell(number, row, width, names, cost)
            size = sum([part.cell_len + 1 for part in (*head, *ways)])
            if ways and tight and size > (room if tight == 1 else room // 2):
                ways = [Text(f"[{len(ways)}]")]
            cells.append([*head, *ways] if tight < 3 else [_cut([*head, *ways], room // 2)])
        return [*lines, *packed(cells, room, width + 2)]

    def _said_once(self) -> tuple[tuple[str, ...], str]:
        """Target names shared by several rows, and the cost of at least half of the rows."""
        about = Counter([row.names for row in self.rows if row.of_people])
        names, times = about.most_common(1)[0] if about else ((), 0)
        costs = Counter([row.cost for row in self.rows])
        cost, often = costs.most_common(1)[0]
        return names if times > 1 else (), cost if 2 * often >= len(self.rows) else ""

    def _cell(
        self, number: int, row: MenuRow, width: int, names: tuple[str, ...], cost: str
    ) -> tuple[list[Text], list[Text]]:
        """Title and options of one row as unbreakable parts, without the shared names and cost."""
        head = [Text(f"{number:>{width}}  ").append(row.title, style=NAME)]
        if row.cost != cost and (row.cost or len(row.ways) == 1):
            head.append(Text(f"({row.cost or 'free'})", style=QUIET))
        return head, _numbered(row.names) if len(row.ways) > 1 and row.names != names else []

    def in_order(self, places: Iterable[int]) -> list[int]:
        """Places of options in the order of the rows of the menu."""
        rank = {place: at for at, place in enumerate([way for row in self.rows for way in row.ways])}
        return sorted(places, key=lambda place: rank.get(place, place))

    def draw_row(self, console: Console, row: MenuRow) -> None:
        """Print all options of one row."""
        self._draw_options(console, row.ways, [str(way) for way in range(1, len(row.ways) + 1)])

    def draw_all(self, console: Console, closed: Sequence[Mapping[str, Any]]) -> None:
        """Print every option on its own line, and the reasons of closed ones."""
        places = self.in_order(range(len(self.ids)))
        offers = [(self.labels[place], self.costs[place]) for place in places]
        width = options(console, offers, [self.keys[place] for place in places], all_below=True)
        reasons(console, closed, width)


def menu_of(
    session: Session, question: Choice[Any], worded: QuestionDraft | None = None, shape: MenuShape | None = None
) -> Menu:
    """Menu of a session's choice, with action titles and participant names; ``shape`` counts only within its turn."""
    actions = session.rulebook.actions.by_id
    if shape is not None and (shape.turn != turn_of(session) or question.key != "what now?"):
        shape = None
    return Menu(
        question,
        lambda action: actions[action].title if action in actions else action,
        session.scene.display_name,
        worded,
        shape,
    )


def turn_of(session: Session) -> tuple[str | None, int]:
    """The turn that is under way: its participant and the round."""
    return session.scene.turn, session.scene.round


def in_common(labels: Sequence[str], title: str) -> tuple[str, list[str]]:
    """Common title of labels, and the distinguishing part of each.

    >>> in_common(["Shoot at Wolf: Bow", "Shoot at Orc: Bow"], "Attack")
    ('Shoot at ...: Bow', ['Wolf', 'Orc'])
    >>> in_common(["Move to 1,2", "Move next to Ann"], "Move")
    ('Move ...', ['to 1,2', 'next to Ann'])
    >>> in_common(["Stunt: climb, at the full rate", "Stunt: vault, at the base rate"], "Stunt")
    ('Stunt: ...', ['climb, at the full rate', 'vault, at the base rate'])
    >>> in_common(["Crouch", "Stand up"], "Stance")
    ('Stance', ['Crouch', 'Stand up'])
    >>> in_common(["Turn the tide against Ann", "Turn the fray around"], "Turn the tide")
    ('Turn the tide ...', ['against Ann', 'Turn the fray around'])
    """
    start = _start_of(labels)
    start = start[: start.rfind(" ") + 1]
    if len(start.split()) > 1 and title.startswith(start):
        return f"{title} ...", [label.removeprefix(f"{title} ") for label in labels]
    rests = [label[len(start) :] for label in labels]
    end = _start_of([rest[::-1] for rest in rests])[::-1]
    cut = next((at for at, letter in enumerate(end) if letter in " :"), len(end))
    end = end[cut:].rstrip()
    if " " not in end.strip() and not end.startswith(":"):
        end = ""  # a single word belongs to the names
    names = [rest[: len(rest) - len(end)] if end else rest for rest in rests]
    if not start or not all(name.strip() for name in names):
        return title, list(labels)
    return f"{start.rstrip()} ...{end}", [name.strip() for name in names]


def _cut(parts: Sequence[Text], room: int) -> Text:
    """Join parts into one line, truncated to the available width."""
    line = Text(" ").join(parts)
    if line.cell_len >= room:
        line.truncate(room - 4)
        line.rstrip()
        line.append("...")
    return line


def _numbered(names: Sequence[str]) -> list[Text]:
    return [Text(f".{way} ").append(name, style=NAME) for way, name in enumerate(names, start=1)]


def _start_of(texts: Sequence[str]) -> str:
    """Longest common prefix."""
    first, last = min(texts), max(texts)
    return first[: next((at for at, letter in enumerate(first) if letter != last[at]), len(first))]


def _usual_label(question: Choice[Any], option: Any) -> str:
    """Label of an option without words of its own."""
    return ("Yes" if option else "No") if isinstance(option, bool) else question.label(option)


def _told_apart(labels: Sequence[str]) -> list[str]:
    """Labels of the options; the second of two equal ones, such as two daggers, says so.

    >>> _told_apart(["Dagger", "Dagger", "Bow"])
    ['Dagger', 'Dagger, the second', 'Bow']
    """
    often: Counter[str] = Counter()
    found = []
    for label in labels:
        often[label] += 1
        found.append(label if often[label] == 1 else f"{label}, the {_ORDINALS.get(often[label], f'{often[label]}th')}")
    return found


_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def _whole(word: str, said: Sequence[str]) -> bool:
    return word in said


def _begun(word: str, said: Sequence[str]) -> bool:
    return word in said or (not word.isdigit() and any(other.startswith(word) for other in said))


def _nearly(word: str, said: Sequence[str]) -> bool:
    return _begun(word, said) or (len(word) > 3 and bool(get_close_matches(word, said, 1, _LIKE)))
