"""Forms of attack, defences and blocks as plain data with a notation."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, NoReturn, Self

from tablewright.errors import InvalidInputError
from tablewright.systems.stage.values import FEWEST_DICE

MOST_REROLLS = 20
"""Upper bound for rerolls of one roll, against runaway work; the book has none, and points run out before."""
SETS = ("dodge", "parry", "counter")
"""Names of defences that set Hit Difficulty by a check."""


def is_opposed(defence: str) -> bool:
    """True if a defence, by its name, makes the attack an opposed check (stage.opposed.basic).

    >>> is_opposed("dodge+acrobat"), is_opposed("cover+awareness"), is_opposed("nothing")
    (True, False, False)
    """
    return defence.partition("+")[0] in SETS


class Notation(NamedTuple):
    """Notation of a choice: its name, then parts behind slashes, each with the letters of its field.

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
            raise InvalidInputError(
                f'"{text[:40]}" is no {self.what}; write a name and its parts, such as {self.sample}'
            )
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
                known = ", ".join([*[f"{one}1" for one in ("", *self.numbers, *self.several)], *self.flags])
                known = known.replace("1", "1d", 1)
                raise InvalidInputError(
                    f'"{part[:20]}" is not part of a {self.what} such as {self.sample}; allowed are {known}'
                )
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
            raise InvalidInputError(f'"{text[:40]}" is no {self.what}; write it as in {self.sample}') from None


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
        "v": "opposed",
        "w": "opposed_flat",
    },
    {"b": "bonuses", "p": "penalties"},
    ("no_parry", "no_dodge", "untrained"),
)
DEFENCES = Notation(
    "defence",
    "dodge/2d/ap1",
    {"f": "flat", "ap": "ap", "c": "points", "o": "others", "l": "least", "r": "reroll", "n": "rerolls"},
    flags=("ally", "bare", "untrained", "dark"),
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
    flags=("untrained",),
)


class Written:
    """A choice that is written in a notation: its name is its id, its label the same for people to read."""

    __slots__ = ()
    notation: ClassVar[Notation]
    name: str

    @property
    def id(self) -> str:
        """Id of the option."""
        return self.name

    @property
    def label(self) -> str:
        """Label for people.

        >>> Form("melee_expert", 4).label, Defence("parry+bare_hands+mobility").label
        ('melee expert', 'parry with bare hands and mobility')
        """
        return self.name.replace("_", " ").replace("+", " with ", 1).replace("+", " and ")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the notation."""
        return cls(**cls.notation.read(text))

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return self.notation.write(self)


class _Form(NamedTuple):
    """Fields of a form of attack (stage.attack.procedure, stage.attack.hit_difficulty)."""

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
    opposed: int = 0
    opposed_flat: int = 0


class Form(Written, _Form):
    """A form of an attack, such as strike/3d/b1: dice, and b free bonus, p free penalty, f and s flat on either roll.

    ``=2`` is a second roll of two dice of its own, so that nothing is split; ``x1`` a die more of damage, ``o1`` a die
    of another kind of damage, ``i3`` armour that is ignored, ``c1`` points that it costs; ``r2`` are points to roll
    again for, ``n1`` says how often. ``v-1`` are dice and ``w-2`` is flat on the first roll once a character defends.
    ``no_parry``, ``no_dodge`` and ``untrained`` say so.

    >>> form = Form.parse("finesse/3d/b1/b2/x1/c1/no_parry")
    >>> form.dice, form.bonuses, form.extra, form.points, form.no_parry, str(form)
    (3, (1, 2), 1, 1, True, 'finesse/3d/b1/b2/x1/c1/no_parry')
    """

    __slots__ = ()
    notation = FORMS

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the notation, which cannot do without dice."""
        given = FORMS.read(text)
        if "dice" not in given:
            raise InvalidInputError(f'"{text[:40]}" has no dice; write them as in {FORMS.sample}')
        return cls(**given)

    @property
    def cost(self) -> str:
        """Dice and price in words (stage.power.announce).

        >>> Form.parse("finesse/3d/b1/b2/x1/c1/no_parry").cost
        '3 dice +3, 1 die more damage, no parry, 1 point'
        """
        more = sum(self.bonuses) - sum(self.penalties) + self.first
        return _listed(
            _dice(self.dice, more),
            f"{_dice(self.extra)} more damage" if self.extra else "",
            f"{_dice(self.other)} of other damage" if self.other else "",
            f"ignores {self.ignores} of armour" if self.ignores else "",
            "no parry" if self.no_parry else "",
            "no dodge" if self.no_dodge else "",
            f"{self.opposed:+d} dice against who defends" if self.opposed else "",
            f"{self.opposed_flat:+d} against who defends" if self.opposed_flat else "",
            _points(self.points),
        )


class _Defence(NamedTuple):
    """Fields of a defence (stage.attack.defensive, stage.attack.hit_difficulty)."""

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
    dark: bool = False
    rerolls: int = 0


class Defence(Written, _Defence):
    """A way to set Hit Difficulty, such as dodge/2d/ap1: dice, f flat, ap and c points of Stamina that it costs.

    ``o2`` are points of other tracks. Its name begins with dodge, parry or counter; one without dice only adds to the
    Difficulty. ``l4`` is what a tumble has set, which counts where it is higher; ``r2`` are points to roll again for,
    and ``n1`` says how often an ally can. ``ally`` says that it is another's, ``bare`` that Size and cover do not count
    with it, ``dark`` that nothing is seen: it comes to nothing with a chance of one half.

    >>> parry = Defence.parse("parry/2d/f1/c1")
    >>> parry.dice, parry.flat, parry.points, str(Defence.parse("dodge/2d/ap1/ally"))
    (2, 1, 1, 'dodge/2d/ap1/ally')
    """

    __slots__ = ()
    notation = DEFENCES

    @property
    def cost(self) -> str:
        """Dice and price in words (stage.attack.defensive).

        >>> Defence.parse("parry/2d/f1/c1").cost, Defence.parse("dodge/2d/l5/ap1/o1").cost, Defence("nothing").cost
        ('2 dice +1, 1 Stamina', '2 dice, at least 5, 1 AP, 1 point', '')
        """
        return _listed(
            _dice(self.dice, self.flat),
            f"at least {self.least}" if self.least else "",
            "Size and cover do not count" if self.bare else "",
            "in the dark" if self.dark else "",
            _price(self.ap, self.points, self.others),
        )

    @property
    def kind(self) -> str:
        """True if it is a dodge, a parry, a counter, or only cover."""
        return self.name.partition("+")[0]


NOTHING = Defence("nothing")


class _Block(NamedTuple):
    """Fields of a block (stage.defense.block, stage.defense.deflect)."""

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
    untrained: bool = False


class Block(Written, _Block):
    """A way to make Defense Points, such as block/2d/m9/c1: dice, f flat, m the most they can be, c points it costs.

    ``t2`` is a block that is rolled twice. An ``ally`` who deflects brings a Resistance of their own (``r1``); ``a3``
    absorbs so much without a roll. Where a table lets any check botch, an ``untrained`` one can.

    >>> Block.parse("block/2d/m9").most, str(Block.parse("deflect/2d/m9/ap1/c2/r1"))
    (9, 'deflect/2d/m9/ap1/c2/r1')
    """

    __slots__ = ()
    notation = BLOCKS

    @property
    def cost(self) -> str:
        """Dice and price in words (stage.defense.block).

        >>> Block.parse("block/2d/m9").cost, Block.parse("deflect/2d/m9/ap1/c2/r1").cost
        ('2 dice, at most 9, 1 Stamina', '2 dice, at most 9, Resistance 1, 1 AP, 2 Stamina')
        >>> Block.parse("endure/a3/c0/o2").cost, NO_BLOCK.cost
        ('stops 3, 2 points', '')
        """
        return _listed(
            _dice(self.dice, self.flat),
            "twice" if self.times > 1 else "",
            f"at most {self.most}" if self.most else "",
            f"Resistance {self.resistance}" if self.resistance else "",
            f"stops {self.absorbs}" if self.absorbs else "",
            _price(self.ap, self.points, self.others),
        )


NO_BLOCK = Block("no", points=0)


def _dice(number: int, flat: int = 0) -> str:
    if not number:
        return f"{flat:+d}" if flat else ""
    return f"{number} {'die' if number == 1 else 'dice'}" + (f" {flat:+d}" if flat else "")


def _points(number: int) -> str:
    return f"{number} point{'s' if number > 1 else ''}" if number else ""


def _price(ap: int, stamina: int, others: int) -> str:
    return _listed(f"{ap} AP" if ap else "", f"{stamina} Stamina" if stamina else "", _points(others))


def _listed(*parts: str) -> str:
    return ", ".join([part for part in parts if part])


# ---------------------------------------------------------------------- in the middle of an attack


class Unwritten:
    """An intermediate value of an attack: shown in traces, never typed."""

    __slots__ = ()

    @staticmethod
    def parse(text: str) -> NoReturn:
        """Refuse to read it."""
        raise InvalidInputError(f'"{text[:40]}" cannot be read: it is made by an attack; ask for stage.attack')

    def json_text(self) -> str:
        """Visible part in a few words."""
        return str(self)


class _Blow(NamedTuple):
    """Fields of a blow (stage.attack.procedure)."""

    form: Form
    first_dice: int
    second_dice: int
    first: int = 0
    second: int = 0


class Blow(Unwritten, _Blow):
    """An attack whose form is chosen and whose pool is split."""

    __slots__ = ()

    @property
    def words(self) -> dict[str, str]:
        """Both rolls, for the one who is asked how to defend (stage.attack.procedure).

        >>> Blow(Form("plain", 3, extra=1), 2, 1, first=1).words
        {'to hit': '2 dice +1', 'damage': '1 die and 1 die'}
        """
        second = _dice(self.second_dice, self.second) or "1"
        return {
            "to hit": _dice(self.first_dice, self.first),
            "damage": f"{second} and {_dice(self.form.extra)}" if self.form.extra else second,
        }

    def against(self, way: Defence) -> Blow:
        """The same once a target has chosen: the defender makes it an opposed check (stage.opposed.basic).

        What counts in opposed checks alone changes the first roll, as the pool is split before that is known.

        >>> Blow(Form("plain", 3, opposed=-1, opposed_flat=-2), 2, 1).against(Defence("dodge", 2))[1:4]
        (1, 1, -2)
        """
        more, flat = self.form.opposed, self.form.opposed_flat
        if not way.dice or not (more or flat):
            return self
        return self._replace(first_dice=max(FEWEST_DICE, self.first_dice + more), first=self.first + flat)

    def __str__(self) -> str:
        return f"{self.form.name} {self.first_dice}d{self.first:+d} and {self.second_dice}d{self.second:+d}"


class _Shield(NamedTuple):
    """Fields of a shield (stage.damage.order, stage.defense.block)."""

    resistance: int = 0
    blocks: tuple[Block, ...] = ()
    deflections: tuple[Block, ...] = ()
    absorptions: tuple[Block, ...] = ()
    left: int = 9
    may_pay_last: bool = True
    ap: int = 9
    others: int = 9
    ally_ap: int = 9
    botches: bool = False


class Shield(Unwritten, _Shield):
    """Ways to stop the damage of a hit, to choose from.

    What the target has left to pay with is its own affair and is not shown: ``left`` of the Body, ``others`` of another
    track, ``ap``; an ally who comes between has ``ally_ap``. With ``botches`` a block by an untrained can be botched.
    """

    __slots__ = ()

    def can_be_botched(self, way: Block) -> bool:
        """True if a 1 spoils a block: no one has learnt it, and the table lets any check botch (stage.check.botch)."""
        return self.botches and way.untrained

    def after(self, way: Defence | Block, more: int = 0) -> Shield:
        """The same once the target has paid for a way, and some points more (stage.action.reaction).

        >>> Shield(left=3, ap=1).after(Defence("dodge", 2, ap=1))[4:8]
        (3, True, 0, 9)
        """
        return self._replace(
            left=max(0, self.left - way.points - more),
            ap=max(0, self.ap - way.ap),
            others=max(0, self.others - way.others),
        )

    def after_ally(self, way: Defence) -> Shield:
        """The same once an ally has defended for the target: what they have no AP left for is no way to deflect."""
        left = self.ally_ap - way.ap
        return self._replace(deflections=tuple([each for each in self.deflections if each.ap <= left]))

    def __str__(self) -> str:
        ways = [way.name for way in (*self.deflections, *self.blocks, *self.absorptions)]
        return " ".join([f"Resistance {self.resistance}", *ways])
