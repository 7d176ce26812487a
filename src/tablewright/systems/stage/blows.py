"""What can be chosen in an attack, as plain data with a notation: forms of attack, defences, ways to block."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

from tablewright.errors import BadInput


class Notation(NamedTuple):
    """How a choice is written: its name, then parts behind slashes, each with the letters of the field it is for.

    ``numbers`` are the letters of whole numbers and ``several`` those that may come more than once; dice are written
    as 3d. ``flags`` are words that are true where they stand. What is as usual is left out.
    """

    what: str
    sample: str
    numbers: dict[str, str]
    several: dict[str, str] = {}
    flags: tuple[str, ...] = ()

    def read(self, text: str) -> dict[str, Any]:
        """The fields that a text gives.

        >>> DEFENCES.read("dodge/2d/ap1/ally")
        {'name': 'dodge', 'dice': 2, 'ap': 1, 'ally': True}
        """
        name, *parts = [part.strip() for part in text.strip().split("/")]
        if not name:
            raise BadInput(f'"{text[:40]}" is no {self.what}; write a name and its parts, such as {self.sample}')
        given: dict[str, Any] = {"name": name}
        for part in parts:
            if part in self.flags:
                given[part] = True
                continue
            letters, number = ("d", part[:-1]) if part.endswith("d") else self._split(part)
            if letters in self.several:
                field = self.several[letters]
                given[field] = (*given.get(field, ()), self._number(text, number))
            elif letters == "d" or letters in self.numbers:
                given["dice" if letters == "d" else self.numbers[letters]] = self._number(text, number)
            else:
                raise BadInput(f'"{part[:20]}" is no part of a {self.what} such as {self.sample}')
        return given

    def write(self, value: Any) -> str:
        """The text that gives the same fields again."""
        usual, parts = value._field_defaults, [value.name]
        if value.dice != usual.get("dice"):
            parts.append(f"{value.dice}d")
        for letters, field in self.several.items():
            parts += [f"{letters}{one}" for one in getattr(value, field)]
        for letters, field in self.numbers.items():
            if getattr(value, field) != usual[field]:
                parts.append(f"{letters}{getattr(value, field)}")
        return "/".join([*parts, *[word for word in self.flags if getattr(value, word)]])

    def _split(self, part: str) -> tuple[str, str]:
        for letters in sorted((*self.numbers, *self.several), key=len, reverse=True):
            if part.startswith(letters):
                return letters, part[len(letters) :]
        return "", part

    def _number(self, text: str, number: str) -> int:
        try:
            return int(number)
        except ValueError:
            raise BadInput(f'"{text[:40]}" is no {self.what}; write it as in {self.sample}') from None


FORMS = Notation(
    "form of attack",
    "strike/3d/b1",
    {
        "f": "first",
        "s": "second",
        "=": "own_second",
        "x": "extra",
        "o": "other",
        "i": "ignores",
        "c": "points",
        "r": "reroll",
        "n": "rerolls",
    },
    {"b": "bonuses", "p": "penalties"},
    ("no_parry", "no_dodge", "untrained"),
)
DEFENCES = Notation(
    "defence",
    "dodge/2d/ap1",
    {"f": "flat", "ap": "ap", "c": "points", "o": "others", "l": "least", "r": "reroll"},
    flags=("ally", "bare", "untrained"),
)
BLOCKS = Notation(
    "block",
    "block/2d/m9/c1",
    {
        "f": "flat",
        "m": "most",
        "t": "times",
        "ap": "ap",
        "c": "points",
        "r": "resistance",
        "a": "absorbs",
        "o": "others",
    },
)


class Form(NamedTuple):
    """A form of an attack, such as strike/3d/b1: dice, and b free bonus, p free penalty, f and s flat on either roll.

    ``=2`` is a second roll of two dice of its own, so that nothing is split; ``x1`` a die more of damage, ``o1`` a die
    of another kind of damage, ``i3`` armour that is ignored, ``c1`` points that it costs; ``r2`` are points to roll
    again for, ``n1`` says how often. ``no_parry``, ``no_dodge`` and ``untrained`` say so.
    """

    name: str
    dice: int
    bonuses: tuple[int, ...] = ()
    penalties: tuple[int, ...] = ()
    first: int = 0
    second: int = 0
    own_second: int = -1
    extra: int = 0
    other: int = 0
    ignores: int = 0
    points: int = 0
    no_parry: bool = False
    no_dodge: bool = False
    untrained: bool = False
    reroll: int = 0
    rerolls: int = 0

    @property
    def id(self) -> str:
        """What it is called as an option."""
        return self.name

    @staticmethod
    def parse(text: str) -> Form:
        """Read the notation.

        >>> form = Form.parse("finesse/3d/b1/b2/x1/c1/no_parry")
        >>> form.dice, form.bonuses, form.extra, form.points, form.no_parry, str(form)
        (3, (1, 2), 1, 1, True, 'finesse/3d/b1/b2/x1/c1/no_parry')
        """
        given = FORMS.read(text)
        if "dice" not in given:
            raise BadInput(f'"{text[:40]}" has no dice; write them as in {FORMS.sample}')
        return Form(**given)

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return FORMS.write(self)


class Defence(NamedTuple):
    """A way to set Hit Difficulty, such as dodge/2d/ap1: dice, f flat, ap and c points of Stamina that it costs.

    ``o2`` are points of other tracks. Its name begins with dodge, parry or counter; one without dice only adds to the
    Difficulty. ``l4`` is what a tumble has set, which counts where it is higher; ``r2`` are points to roll again for.
    ``ally`` says that it is another's, ``bare`` that Size and cover do not count with it.
    """

    name: str
    dice: int = 0
    flat: int = 0
    ap: int = 0
    points: int = 0
    others: int = 0
    least: int = 0
    reroll: int = 0
    ally: bool = False
    bare: bool = False
    untrained: bool = False

    @property
    def id(self) -> str:
        """What it is called as an option."""
        return self.name

    @property
    def cost(self) -> str:
        """What it costs, in words."""
        return _cost(self.ap, self.points + self.others)

    @property
    def kind(self) -> str:
        """Whether it is a dodge, a parry, a counter, or only cover."""
        return self.name.partition("+")[0]

    @staticmethod
    def parse(text: str) -> Defence:
        """Read the notation.

        >>> parry = Defence.parse("parry/2d/f1/c1")
        >>> parry.dice, parry.flat, parry.points, str(Defence.parse("dodge/2d/ap1/ally"))
        (2, 1, 1, 'dodge/2d/ap1/ally')
        """
        return Defence(**DEFENCES.read(text))

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return DEFENCES.write(self)


NOTHING = Defence("nothing")


class Block(NamedTuple):
    """A way to make Defense Points, such as block/2d/m9/c1: dice, f flat, m the most they can be, c points it costs.

    ``t2`` is a block that is rolled twice. An ``ally`` who deflects brings a Resistance of their own (``r1``); ``a3``
    absorbs so much without a roll.
    """

    name: str
    dice: int = 0
    flat: int = 0
    most: int = 0
    times: int = 1
    ap: int = 0
    points: int = 1
    resistance: int = 0
    absorbs: int = 0
    others: int = 0

    @property
    def id(self) -> str:
        """What it is called as an option."""
        return self.name

    @property
    def cost(self) -> str:
        """What it costs, in words."""
        return _cost(self.ap, self.points + self.others)

    @staticmethod
    def parse(text: str) -> Block:
        """Read the notation.

        >>> Block.parse("block/2d/m9").most, str(Block.parse("deflect/2d/m9/ap1/c2/r1"))
        (9, 'deflect/2d/m9/ap1/c2/r1')
        """
        return Block(**BLOCKS.read(text))

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return BLOCKS.write(self)


NO_BLOCK = Block("no", points=0)


def _cost(ap: int, points: int) -> str:
    said = [*([f"{ap} AP"] if ap else []), *([f"{points} point{'s' if points > 1 else ''}"] if points else [])]
    return ", ".join(said)


# ---------------------------------------------------------------------- in the middle of an attack


def unwritten(text: str) -> NoReturn:
    """Refuse to read what only an attack makes."""
    raise BadInput(f'"{text[:40]}" cannot be read: it is made by an attack; ask for stage.attack')


class Blow(NamedTuple):
    """An attack whose form is chosen and whose pool is split."""

    form: str
    first_dice: int
    second_dice: int
    first: int = 0
    second: int = 0
    extra: int = 0
    other: int = 0
    ignores: int = 0
    points: int = 0
    no_parry: bool = False
    no_dodge: bool = False
    untrained: bool = False
    reroll: int = 0
    rerolls: int = 0

    @staticmethod
    def parse(text: str) -> NoReturn:
        """It is never written by hand."""
        unwritten(text)

    def json_text(self) -> str:
        """The form, and the dice of both rolls."""
        return str(self)

    def __str__(self) -> str:
        return f"{self.form} {self.first_dice}d{self.first:+d} and {self.second_dice}d{self.second:+d}"


class Shield(NamedTuple):
    """What stands between a hit and the tracks of the target, all to be chosen from."""

    resistance: int = 0
    blocks: tuple[Block, ...] = ()
    deflections: tuple[Block, ...] = ()
    absorptions: tuple[Block, ...] = ()
    left: int = 9
    may_pay_last: bool = True

    @staticmethod
    def parse(text: str) -> NoReturn:
        """It is never written by hand."""
        unwritten(text)

    def json_text(self) -> str:
        """What can be seen of it: what the target has left to pay with is its own affair."""
        return str(self)

    def __str__(self) -> str:
        ways = [way.name for way in (*self.deflections, *self.blocks, *self.absorptions)]
        return " ".join([f"Resistance {self.resistance}", *ways])
