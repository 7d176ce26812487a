"""Dice expressions: frozen values that can be rolled, weighed and printed.

`notation.parse_dice` creates them from text. ``str`` returns the canonical text, which parses to an equal expression.
Dice are thrown from left to right. Expressions are independent of any game: the systems decide what a 1 on the Wild Die
does beyond counting 1, and which die an advantage rerolls.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from operator import eq, ge, gt, le, lt
from typing import NamedTuple

from tablewright.dice import weights as tables
from tablewright.dice.dist import Dist
from tablewright.dice.rollable import MOST_DICE, Exploding, Rollable, Sum, check_dice, exploded
from tablewright.dice.source import Die, Face, TypedDice
from tablewright.errors import InvalidInputError

MOST_NUMBER = 1_000_000_000
"""Upper bound for a number in an expression."""

MOST_THROWS = 100_000
"""Upper bound for the average number of throws of an unlimited reroll, which keeps rolling time short."""

MOST_LABEL = 60
"""Upper bound for the characters of a label."""

EXTRA_DICE = 20
"""Upper bound for extra dice of one exploding die; ``remainder`` is the chance that it cut a chain short."""

D6 = Die(6)


class DiceTerm(NamedTuple):
    """Result of one dice term: all faces in the order thrown, and whether each one counts.

    >>> print(DiceTerm("4d6kh3", None, (5, 3, 1, 6), (True, True, False, True), 14))
    4d6kh3: 5 3 (1) 6 = 14
    """

    text: str
    label: str | None
    faces: tuple[int, ...]
    kept: tuple[bool, ...]
    value: int

    def __str__(self) -> str:
        faces = [str(face) if kept else f"({face})" for face, kept in zip(self.faces, self.kept, strict=True)]
        name = f"{self.text} [{self.label}]" if self.label else self.text
        return f"{name}: {' '.join(faces) or 'no dice'} = {self.value}"


class Expression(Rollable[int]):
    """Base class of values made of dice and numbers."""

    __slots__ = ()

    @abstractmethod
    def throw(self, face: Face, shown: list[DiceTerm], label: str | None = None) -> int:
        """Throw the dice in order, append the result of each dice term to ``shown``, and return the value."""

    @property
    @abstractmethod
    def dice(self) -> int:
        """Number of dice thrown at first, before rerolls and extra dice."""

    @property
    def parts(self) -> tuple[Expression, ...]:
        """Direct subexpressions."""
        return ()

    def read(self, face: Face) -> int:
        """Throw the dice in order and return the value."""
        return self.throw(face, [])

    @property
    def remainder(self) -> Fraction:
        """Exact chance that the cap on extra dice cut any chain short."""
        return 1 - prod([1 - part.remainder for part in self.parts], start=Fraction(1))


def describe(expression: Expression, faces: Iterable[int]) -> list[DiceTerm]:
    """Result of each dice term, given all faces in the order thrown; missing or unused faces are refused.

    >>> from tablewright.dice.notation import parse_dice
    >>> for term in describe(parse_dice("4d6kh3 + 1d8! [fire]"), [5, 3, 1, 6, 8, 2]):
    ...     print(term)
    4d6kh3: 5 3 (1) 6 = 14
    d8! [fire]: 8 2 = 10
    """
    typed = TypedDice(faces)
    shown: list[DiceTerm] = []
    expression.throw(typed.face, shown)
    typed.finish()
    return shown


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """A whole number."""

    value: int

    def __post_init__(self) -> None:
        if type(self.value) is not int or not 0 <= self.value <= MOST_NUMBER:
            raise InvalidInputError(
                f"the number {_short(self.value)} is out of bounds; 0 to {MOST_NUMBER:,} can be written"
            )

    def throw(self, face: Face, shown: list[DiceTerm], label: str | None = None) -> int:
        """Return the number; no die is thrown."""
        return self.value

    @property
    def dice(self) -> int:
        """Always 0."""
        return 0

    def _weigh(self) -> Dist[int]:
        return Dist.of(self.value)

    def __str__(self) -> str:
        return str(self.value)


_RELATIONS: dict[str, Callable[[int, int], bool]] = {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}


class Condition(NamedTuple):
    """Condition on a face: a relation and a number.

    >>> [face for face in range(1, 7) if Condition("<=", 2).holds(face)]
    [1, 2]
    """

    relation: str
    number: int

    def holds(self, face: int) -> bool:
        """True if a face meets the condition."""
        return _RELATIONS[self.relation](face, self.number)


@dataclass(frozen=True, slots=True)
class Pool(Expression):
    """Equal dice ``NdS`` with modifiers, always applied in the order reroll, explode, keep.

    ``rerolls`` lists the faces to throw again, without limit or ``once``; they apply to the extra dice of an explosion
    too. ``explode`` is the condition for an extra die. ``keep`` is the number of dice that count, the highest or
    lowest.
    """

    count: int
    sides: int
    rerolls: tuple[Condition, ...] = ()
    once: bool = False
    explode: Condition | None = None
    keep: int | None = None
    highest: bool = True

    def __post_init__(self) -> None:
        check_dice(self.count, Die(self.sides))
        standing = [face for face in range(1, self.sides + 1) if self.once or not self.unwanted(face)]
        if not standing:
            raise InvalidInputError(
                f"every face of a d{self.sides} would be thrown again, without end; at least one must stand"
            )
        if self.count * self.sides > MOST_THROWS * len(standing):
            raise InvalidInputError(
                f"only {len(standing):,} of {self.sides:,} faces stand: rerolling would take about "
                f"{self.count * self.sides // len(standing):,} throws, at most {MOST_THROWS:,}"
            )
        if self.explode is not None:
            bursting = [face for face in standing if self.explode.holds(face)]
            if len(bursting) == len(standing):
                raise InvalidInputError(
                    "every throw would explode, so the roll never ends; at least one face must not explode"
                )
            if not bursting:
                raise InvalidInputError("no face that can come up explodes; name one that can, for example !>=2")
            if self.keep is not None:
                raise InvalidInputError("exploding dice cannot be kept or dropped")
        if self.keep is not None and (type(self.keep) is not int or not 0 <= self.keep <= self.count):
            raise InvalidInputError(f"{self.keep} of {self.count} dice cannot be kept; 0 to {self.count} can")

    def unwanted(self, face: int) -> bool:
        """True if a face is rerolled."""
        return any(condition.holds(face) for condition in self.rerolls)

    def throw(self, face: Face, shown: list[DiceTerm], label: str | None = None) -> int:
        """Throw each die with its rerolls and extra dice, then apply ``keep``."""
        die = Die(self.sides)
        faces: list[int] = []
        kept: list[bool] = []
        for _ in range(self.count):
            for _ in range(EXTRA_DICE + 1):
                came = face(die)
                faces.append(came)
                kept.append(True)
                while self.rerolls and self.unwanted(came):
                    kept[-1] = False
                    came = face(die)
                    faces.append(came)
                    kept.append(True)
                    if self.once:
                        break
                if self.explode is None or not self.explode.holds(came):
                    break
        if self.keep is not None:
            standing = [at for at, counts in enumerate(kept) if counts]
            standing.sort(key=lambda at: faces[at], reverse=self.highest)
            for at in standing[self.keep :]:
                kept[at] = False
        value = sum([came for came, counts in zip(faces, kept, strict=True) if counts])
        shown.append(DiceTerm(str(self), label, tuple(faces), tuple(kept), value))
        return value

    @property
    def dice(self) -> int:
        """Number of dice as written."""
        return self.count

    @property
    def plain(self) -> bool:
        """True if the dice have no modifiers."""
        return not self.rerolls and self.explode is None and self.keep is None

    def _faces(self) -> list[int]:
        """Weight of each face of one die, after rerolls."""
        sides = self.sides
        if not self.rerolls:
            return [1] * sides
        thrown_again = [self.unwanted(face) for face in range(1, sides + 1)]
        if not self.once:
            return [0 if again else 1 for again in thrown_again]
        second = sum(thrown_again)
        return [second if again else sides + second for again in thrown_again]

    def _bursting(self, faces: list[int]) -> list[int]:
        """Weight of each face that explodes, 0 for the others."""
        explode = self.explode
        return [weight if explode and explode.holds(face) else 0 for face, weight in enumerate(faces, 1)]

    def _weigh(self) -> Dist[int]:
        if self.count == 0 or self.keep == 0:
            return Dist.of(0)
        low, table = 1, self._faces()
        if self.explode is not None:
            low, table = exploded(low, table, self._bursting(table), EXTRA_DICE, self)
        start = next(at for at, weight in enumerate(table) if weight)
        end = next(at for at in range(len(table), 0, -1) if table[at - 1])
        low, table = low + start, table[start:end]
        kept = self.count if self.keep is None else self.keep
        tables.bound(kept * (len(table) - 1) + 1, self.count * sum(table).bit_length(), self)
        if kept < self.count:
            if self.highest:
                weights = tables.highest_kept(table, self.count, kept, self)
            else:
                weights = tables.highest_kept(table[::-1], self.count, kept, self)[::-1]
        elif min(table) == max(table):
            weights = tables.equal_dice(self.count, len(table))
        else:
            weights = tables.power(table, self.count, self)
        return Dist.from_table(low * kept, weights)

    @property
    def remainder(self) -> Fraction:
        """Chance that any die exploded on its last allowed extra die."""
        if self.explode is None or self.count == 0:
            return Fraction(0)
        faces = self._faces()
        cut = Fraction(sum(self._bursting(faces)), sum(faces)) ** (EXTRA_DICE + 1)
        return 1 - (1 - cut) ** self.count

    def __str__(self) -> str:
        text = f"{self.count if self.count != 1 else ''}d{self.sides}"
        for relation, number in self.rerolls:
            text += f"{'ro' if self.once else 'r'}{'' if relation == '=' else relation}{number}"
        if self.explode is not None:
            relation, number = self.explode
            text += "!" if relation == "=" and number == self.sides else f"!{relation}{number}"
        if self.keep is not None:
            text += f"{'kh' if self.highest else 'kl'}{self.keep}"
        return text


@dataclass(frozen=True, slots=True)
class DieCode(Expression):
    """OpenD6 die code ``ND``: N six-sided dice; the last one is the Wild Die, which explodes on 6.

    A 1 on the Wild Die counts as 1, with no further effect.
    """

    count: int

    def __post_init__(self) -> None:
        check_dice(self.count, D6)
        if self.count == 0:
            raise InvalidInputError("a die code has at least one die, the Wild Die: 1D")

    @property
    def _regular(self) -> Sum:
        return Sum.copies(self.count - 1, D6)

    @property
    def _wild(self) -> Exploding:
        return Exploding(D6, 6, EXTRA_DICE)

    def throw(self, face: Face, shown: list[DiceTerm], label: str | None = None) -> int:
        """Throw the regular dice, then the Wild Die until it shows no 6."""
        faces: list[int] = []

        def noted(die: Die) -> int:
            faces.append(face(die))
            return faces[-1]

        value = self._regular.read(noted) + self._wild.read(noted)
        shown.append(DiceTerm(str(self), label, tuple(faces), (True,) * len(faces), value))
        return value

    @property
    def dice(self) -> int:
        """Number of dice, including the Wild Die."""
        return self.count

    def _weigh(self) -> Dist[int]:
        return self._regular.weigh() + self._wild.weigh()

    @property
    def remainder(self) -> Fraction:
        """Remainder of the Wild Die."""
        return self._wild.remainder

    def __str__(self) -> str:
        return f"{self.count}D"


def roll_value_dice(value: int) -> tuple[Die, ...]:
    """Dice of a roll value ``rN``: d10s and one die for the rest; a rest of 2 turns one d10 into a d12.

    >>> [die.sides for die in roll_value_dice(14)], [die.sides for die in roll_value_dice(22)]
    ([10, 4], [12, 10])
    """
    tens, rest = divmod(value, 10)
    if rest == 2 and tens:
        return (Die(12),) + (Die(10),) * (tens - 1)
    return (Die(10),) * tens + ((Die(rest),) if rest else ())


@dataclass(frozen=True, slots=True)
class RollValue(Expression):
    """Roll value ``rN``: dice whose sides add up to N."""

    value: int

    def __post_init__(self) -> None:
        if type(self.value) is not int or not 0 <= self.value <= 10 * MOST_DICE:
            raise InvalidInputError(
                f"roll value {_short(self.value)} is out of bounds; r0 to r{10 * MOST_DICE} can be rolled"
            )

    def throw(self, face: Face, shown: list[DiceTerm], label: str | None = None) -> int:
        """Throw the dice from most to fewest sides."""
        faces = tuple([face(die) for die in roll_value_dice(self.value)])
        shown.append(DiceTerm(str(self), label, faces, (True,) * len(faces), sum(faces)))
        return sum(faces)

    @property
    def dice(self) -> int:
        """Number of dice that make up the value."""
        return len(roll_value_dice(self.value))

    def _weigh(self) -> Dist[int]:
        return Sum(roll_value_dice(self.value)).weigh()

    def __str__(self) -> str:
        return f"r{self.value}"


@dataclass(frozen=True, slots=True)
class Total(Expression):
    """Sum of parts, each with a sign of 1 or -1."""

    terms: tuple[tuple[int, Expression], ...]

    def throw(self, face: Face, shown: list[DiceTerm], label: str | None = None) -> int:
        """Throw each part in order."""
        return sum([sign * part.throw(face, shown, label) for sign, part in self.terms])

    @property
    def dice(self) -> int:
        """Number of dice of all parts."""
        return sum([part.dice for part in self.parts])

    @property
    def parts(self) -> tuple[Expression, ...]:
        """Parts without their signs."""
        return tuple([part for _, part in self.terms])

    def _weigh(self) -> Dist[int]:
        """Weigh equal dice together and convolve the smallest tables first; numbers only shift the result."""
        plus = 0
        alike: dict[tuple[int, int], int] = {}
        with tables.budget():
            weighed: list[Dist[int]] = []
            for sign, part in self.terms:
                bare = part.inner if isinstance(part, Labelled) else part
                if isinstance(bare, Number):
                    plus += sign * bare.value
                elif isinstance(bare, Pool) and bare.plain:
                    alike[sign, bare.sides] = alike.get((sign, bare.sides), 0) + bare.count
                else:
                    weighed.append(bare.weigh() if sign > 0 else -bare.weigh())
            for (sign, sides), count in alike.items():
                same = Pool(count, sides).weigh()
                weighed.append(same if sign > 0 else -same)
            total = Dist.of(0)
            for one in sorted(weighed, key=len):
                total = total + one
            return total + plus

    def __str__(self) -> str:
        wide = any(isinstance(part, Labelled) for part in self.parts)
        text = ""
        for sign, part in self.terms:
            mark = "+" if sign > 0 else "-"
            if text:
                text += f" {mark} " if wide else mark
            elif sign < 0:
                text = mark
            text += f"({part})" if isinstance(part, Total) else str(part)
        return text


@dataclass(frozen=True, slots=True)
class Product(Expression):
    """Product of values."""

    factors: tuple[Expression, ...]

    def throw(self, face: Face, shown: list[DiceTerm], label: str | None = None) -> int:
        """Throw each factor in order."""
        return prod([part.throw(face, shown, label) for part in self.factors])

    @property
    def dice(self) -> int:
        """Number of dice of all factors."""
        return sum([part.dice for part in self.factors])

    @property
    def parts(self) -> tuple[Expression, ...]:
        """Factors in order."""
        return self.factors

    def _weigh(self) -> Dist[int]:
        with tables.budget():
            result = self.factors[0].weigh()
            for part in self.factors[1:]:
                result = result * (part.value if isinstance(part, Number) else part.weigh())
            return result

    def __str__(self) -> str:
        return "*".join([f"({part})" if isinstance(part, (Total, Product)) else str(part) for part in self.factors])


@dataclass(frozen=True, slots=True)
class Labelled(Expression):
    """Part with a label such as a damage type; the label does not affect the value."""

    inner: Expression
    label: str

    def __post_init__(self) -> None:
        label = self.label
        if not label or label != label.strip():
            raise InvalidInputError(
                "the label is empty or begins or ends with a blank; write for example [fire], or nothing"
            )
        if len(label) > MOST_LABEL or not label.isprintable():
            raise InvalidInputError(f"a label has 1 to {MOST_LABEL} printable characters on one line")
        if '"' in label and self._bracketed:
            raise InvalidInputError('a label contains either " or brackets, not both')

    @property
    def _bracketed(self) -> bool:
        return "[" in self.label or "]" in self.label

    def throw(self, face: Face, shown: list[DiceTerm], label: str | None = None) -> int:
        """Throw the part; the innermost label names the dice."""
        return self.inner.throw(face, shown, self.label)

    @property
    def dice(self) -> int:
        """Number of dice of the part."""
        return self.inner.dice

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The labelled part as a 1-tuple."""
        return (self.inner,)

    def _weigh(self) -> Dist[int]:
        return self.inner.weigh()

    def __str__(self) -> str:
        inner = f"({self.inner})" if isinstance(self.inner, (Total, Product, Labelled)) else str(self.inner)
        return f'{inner} "{self.label}"' if self._bracketed else f"{inner} [{self.label}]"


def _short(number: object) -> str:
    return f"of {number.bit_length()} bits" if isinstance(number, int) and number.bit_length() > 64 else repr(number)
