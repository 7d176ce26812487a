"""What can be chosen in an attack, as plain data with a notation: forms of attack, defences, ways to block."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

from tablewright.errors import BadInput


def _parts(text: str, what: str) -> tuple[str, list[str]]:
    name, *parts = [part.strip() for part in text.strip().split("/")]
    if not name:
        raise BadInput(f'"{text[:40]}" is no {what}; write a name and its parts, such as {_SAMPLES[what]}')
    return name, parts


_SAMPLES = {"form": "strike/3d/b1", "defence": "dodge/2d/ap1", "block": "block/2d/m9/c1"}


def _number(text: str, part: str, what: str) -> int:
    try:
        return int(part)
    except ValueError:
        raise BadInput(f'"{text[:40]}" is no {what}; write it as in {_SAMPLES[what]}') from None


class Form(NamedTuple):
    """A form of an attack, such as strike/3d/b1: dice, and b free bonus, p free penalty, f and s flat on either roll.

    ``=2`` is a second roll of two dice of its own, so that nothing is split; ``x1`` a die more of damage, ``o1`` a die
    of another kind of damage, ``i3`` armour that is ignored, ``c1`` points that it costs. ``no_parry``, ``no_dodge``
    and ``untrained`` say so.
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
        name, parts = _parts(text, "form")
        given: dict[str, Any] = {}
        for part in parts:
            if part in ("no_parry", "no_dodge", "untrained"):
                given[part] = True
            elif part.endswith("d"):
                given["dice"] = _number(text, part[:-1], "form")
            elif part[:1] in ("b", "p"):
                key = "bonuses" if part[0] == "b" else "penalties"
                given[key] = (*given.get(key, ()), _number(text, part[1:], "form"))
            elif part[:1] in _FORM_KEYS:
                given[_FORM_KEYS[part[0]]] = _number(text, part[1:], "form")
            else:
                raise BadInput(f'"{part[:20]}" is no part of a form of attack such as {_SAMPLES["form"]}')
        if "dice" not in given:
            raise BadInput(f'"{text[:40]}" has no dice; write them as in {_SAMPLES["form"]}')
        return Form(name, **given)

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        parts = [
            self.name,
            f"{self.dice}d",
            *[f"b{one}" for one in self.bonuses],
            *[f"p{one}" for one in self.penalties],
        ]
        parts += [
            f"{key}{now}" for key, field in _FORM_KEYS.items() if (now := getattr(self, field)) != _FORM_UNSAID[field]
        ]
        return "/".join([*parts, *[word for word in ("no_parry", "no_dodge", "untrained") if getattr(self, word)]])


_FORM_KEYS = {
    "f": "first",
    "s": "second",
    "=": "own_second",
    "x": "extra",
    "o": "other",
    "i": "ignores",
    "c": "points",
}
_FORM_UNSAID = {"own_second": -1, "first": 0, "second": 0, "extra": 0, "other": 0, "ignores": 0, "points": 0}


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
        name, parts = _parts(text, "defence")
        given: dict[str, Any] = {}
        for part in parts:
            if part in ("ally", "bare", "untrained"):
                given[part] = True
            elif part.endswith("d"):
                given["dice"] = _number(text, part[:-1], "defence")
            elif part.startswith("ap"):
                given["ap"] = _number(text, part[2:], "defence")
            elif part[:1] in _DEFENCE_KEYS:
                given[_DEFENCE_KEYS[part[0]]] = _number(text, part[1:], "defence")
            else:
                raise BadInput(f'"{part[:20]}" is no part of a defence such as {_SAMPLES["defence"]}')
        return Defence(name, **given)

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        parts = [self.name, *([f"{self.dice}d"] if self.dice else []), *([f"f{self.flat}"] if self.flat else [])]
        parts += [*([f"ap{self.ap}"] if self.ap else []), *([f"c{self.points}"] if self.points else [])]
        parts += [f"o{self.others}"] if self.others else []
        parts += [*([f"l{self.least}"] if self.least else []), *([f"r{self.reroll}"] if self.reroll else [])]
        return "/".join([*parts, *[word for word in ("ally", "bare", "untrained") if getattr(self, word)]])


_DEFENCE_KEYS = {"f": "flat", "c": "points", "o": "others", "l": "least", "r": "reroll"}
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

        >>> Block.parse("block/2d/m9").most, str(Block.parse("deflect/2d/m9/ap1/c1/r1"))
        (9, 'deflect/2d/m9/ap1/c1/r1')
        """
        name, parts = _parts(text, "block")
        given: dict[str, Any] = {}
        for part in parts:
            if part.endswith("d"):
                given["dice"] = _number(text, part[:-1], "block")
            elif part.startswith("ap"):
                given["ap"] = _number(text, part[2:], "block")
            elif part[:1] in _BLOCK_KEYS:
                given[_BLOCK_KEYS[part[0]]] = _number(text, part[1:], "block")
            else:
                raise BadInput(f'"{part[:20]}" is no part of a block such as {_SAMPLES["block"]}')
        return Block(name, **given)

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        parts = [self.name, *([f"{self.dice}d"] if self.dice else []), *([f"f{self.flat}"] if self.flat else [])]
        parts += [*([f"m{self.most}"] if self.most else []), *([f"t{self.times}"] if self.times > 1 else [])]
        parts += [*([f"ap{self.ap}"] if self.ap else []), f"c{self.points}"]
        parts += [
            *([f"r{self.resistance}"] if self.resistance else []),
            *([f"a{self.absorbs}"] if self.absorbs else []),
        ]
        return "/".join(parts)


_BLOCK_KEYS = {
    "f": "flat",
    "m": "most",
    "t": "times",
    "c": "points",
    "r": "resistance",
    "a": "absorbs",
    "o": "others",
}
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
