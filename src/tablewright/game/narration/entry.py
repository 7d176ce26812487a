"""Entries: everything that belongs to one action, as people read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias


class Named(NamedTuple):
    """A display name inside a sentence, with the id of its participant."""

    text: str
    id: str

    def __str__(self) -> str:
        return self.text


Part: TypeAlias = str | Named


class Sentence(NamedTuple):
    """One or more sentences as parts: plain text and names.

    >>> str(Sentence((Named("Ann", "ann"), " waits.")))
    'Ann waits.'
    """

    parts: tuple[Part, ...] = ()

    def __str__(self) -> str:
        return "".join([str(part) for part in self.parts])

    def __bool__(self) -> bool:
        return any(map(str, self.parts))

    def to_json(self) -> list[dict[str, str]]:
        """The parts as JSON; adjacent texts are joined."""
        told: list[dict[str, str]] = []
        for part in self.parts:
            if isinstance(part, Named):
                told.append({"text": part.text, "id": part.id})
            elif told and "id" not in told[-1]:
                told[-1]["text"] += part
            elif part:
                told.append({"text": part})
        return told


def joined(sentences: Iterable[Sentence], between: str = " ") -> Sentence:
    """Several sentences as one."""
    parts: list[Part] = []
    for sentence in sentences:
        if sentence:
            parts += [between, *sentence.parts] if parts else sentence.parts
    return Sentence(tuple(parts))


class Face(NamedTuple):
    """One face of a throw."""

    value: int
    dropped: bool = False
    again: bool = False
    """A further throw of the die before it."""
    wild: bool = False
    was: int | None = None
    """The face before a reroll or flip."""

    def to_json(self) -> dict[str, Any]:
        """The value and the marks that are set."""
        marks = {name: True for name in ("dropped", "again", "wild") if getattr(self, name)}
        return {"value": self.value} | marks | ({} if self.was is None else {"was": self.was})


class DiceThrow(NamedTuple):
    """One throw of dice: its purpose, faces and total."""

    what: str
    faces: tuple[Face, ...]
    total: int | None
    whose: str = ""
    """Display name of the participant who threw, or empty for the one who acts."""
    dice: str = ""
    plus: int = 0
    against: str = ""
    came: str = ""

    def to_json(self) -> dict[str, Any]:
        """The throw as JSON."""
        return self._asdict() | {"faces": [face.to_json() for face in self.faces]}

    def text(self, *, named: bool = True) -> str:
        """The throw as text; ``named`` adds the name of the thrower.

        >>> DiceThrow("to hit", (Face(7), Face(7)), 12, plus=-2, against="11", came="by 1").text()
        'to hit [7 7]-2 = 12 against 11, by 1'
        """
        shown = f"{self.whose}'s {self.what}" if self.whose and named and self.what else self.what
        shown = shown or self.whose * named
        if self.faces:
            shown += f" [{_faces(self.faces)}]{f'{self.plus:+d}' if self.plus else ''}"
        if self.total is not None and (len(self.faces) != 1 or self.plus or self.faces[0].value != self.total):
            shown += f" = {self.total}" if self.faces else f" {self.total}"
        shown += f" against {self.against}" if self.against else ""
        return (shown + (f", {self.came}" if self.came else "")).lstrip()


def _faces(faces: Iterable[Face]) -> str:
    """Faces in order; a further throw of a die follows a plus sign, a dropped one stands in parentheses."""
    shown = ""
    for face in faces:
        text = f"{face.value}" if face.was is None else f"{face.was}>{face.value}"
        text = f"({text})" if face.dropped else text
        shown += f"+{text}" if face.again and shown else f" {text}" if shown else text
    return shown


class Consequence(NamedTuple):
    """A change that an entry tells; ``sort`` is harm, heal, state, place, gear or out."""

    who: str
    name: str
    sort: str
    text: str
    amount: int | None = None


class Expense(NamedTuple):
    """An amount spent, and the participant who spent it."""

    who: str
    name: str
    """Display name, or empty for the one who acts."""
    text: str

    def __str__(self) -> str:
        return f"{self.name}: {self.text}" if self.name else self.text


class Reason(NamedTuple):
    """A node of the tree behind *Why?*."""

    text: str
    amount: str = ""
    rule: str | None = None
    title: str = ""
    parts: tuple[Reason, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The tree as JSON."""
        return self._asdict() | {"parts": [part.to_json() for part in self.parts]}


class Entry(NamedTuple):
    """Everything that belongs to one action, made for one viewer from the lines of the log.

    ``kind`` is action, check, order, round, turn, time, ruling, talk or end. ``lines`` are the first and the last line
    that it stands for. ``notes`` are remarks for the quiet line that are neither throws nor costs. ``may_grow`` marks a
    plain move, or an event that several people share: the next lines may add to it.
    """

    kind: str
    lines: tuple[int, int]
    who: str
    headline: Sentence
    dice: tuple[DiceThrow, ...] = ()
    after: tuple[Consequence, ...] = ()
    costs: tuple[Expense, ...] = ()
    notes: tuple[str, ...] = ()
    why: Reason | None = None
    scene: str = ""
    may_grow: bool = False

    @property
    def quiet(self) -> str:
        """Throws, remarks and costs on one line; the costs of each participant together."""
        paid: dict[str, list[str]] = {}
        for cost in self.costs:
            paid.setdefault(cost.name, []).append(cost.text)
        spent = [f"{name}: {', '.join(texts)}" if name else ", ".join(texts) for name, texts in paid.items()]
        purposes = [throw.what for throw in self.dice]
        several = len({throw.whose for throw in self.dice if throw.whose}) > 1
        thrown = [throw.text(named=several or purposes.count(throw.what) > 1) for throw in self.dice]
        return " · ".join([*thrown, *self.notes, *spent])

    def to_json(self) -> dict[str, Any]:
        """The entry as the protocol has it."""
        return {
            "kind": self.kind,
            "lines": list(self.lines),
            "scene": self.scene,
            "who": self.who,
            "headline": self.headline.to_json(),
            "dice": [throw.to_json() for throw in self.dice],
            "after": [one._asdict() for one in self.after],
            "costs": [one._asdict() for one in self.costs],
            "quiet": self.quiet,
            "why": None if self.why is None else self.why.to_json(),
        }
