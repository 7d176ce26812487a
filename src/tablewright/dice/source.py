"""Where faces come from: a seeded, counter-based generator, or the faces a person typed in from real dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import NamedTuple, TypeAlias

from tablewright.errors import BadInput

MOST_SIDES = 10_000


class Die(NamedTuple):
    """One die with equally likely faces ``low`` to ``low + sides - 1``.

    >>> str(Die(6)), str(Die(100, low=0))
    ('d6', 'd0..99')
    """

    sides: int
    low: int = 1

    @property
    def high(self) -> int:
        """The highest face."""
        return self.low + self.sides - 1

    def read(self, shown: object) -> int | None:
        """The face that a number somebody typed stands for, None where there is no such face.

        A die from 0 may be one that counts from 1: the number after its highest face is the 0.

        >>> Die(100, low=0).read(100), Die(6).read(3), Die(6).read(7)
        (0, 3, None)
        """
        if type(shown) is not int:
            return None
        if self.low == 0 and shown == self.sides:
            return 0
        return shown if self.low <= shown <= self.high else None

    def __str__(self) -> str:
        return f"d{self.sides}" if self.low == 1 else f"d{self.low}..{self.high}"


Face: TypeAlias = Callable[[Die], int]
"""Gives the face of one thrown die: how a reading asks for its dice, one after the other."""


MOST_SEED = 2**128 - 1
"""The largest seed that people give; what is made of one (a fight of many, a table) may be larger."""


class Dice:
    """A generator of faces: the same seed, stream and branch always give the same faces, wherever they are drawn.

    Every block of 64 bytes is the keyed BLAKE2b of (stream, branch, k, block) under the seed, so there is no hidden
    state: dice can be had for the k-th roll of a stream without making the rolls before it. Streams of one seed are
    independent of each other.

    >>> Dice(seed=7).face(Die(20)) == Dice(seed=7).face(Die(20))
    True
    >>> dice = Dice(seed=7)
    >>> [dice.face(Die(6)) for _ in range(8)]
    [6, 4, 3, 2, 1, 3, 1, 5]
    """

    __slots__ = ("_block", "_key", "_prefix", "_words", "branch", "seed", "stream")

    def __init__(self, seed: int | bytes = 0, stream: str = "scene", branch: int = 0, k: int = 0) -> None:
        if isinstance(seed, bytes):
            raw = seed
        else:
            if type(seed) is not int or seed < 0 or seed.bit_length() > 512:
                raise BadInput(f"a seed is a whole number from 0 to 2**512, not {seed!r}")
            raw = seed.to_bytes(64, "little").rstrip(b"\0")
        self.seed = seed
        self.stream = stream
        self.branch = branch
        self._key = raw if len(raw) <= 64 else blake2b(raw).digest()
        self._prefix = f"{len(stream)}:{stream}/{branch}/{k}/".encode()
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        """The next 64 random bits."""
        if not self._words:
            message = self._prefix + self._block.to_bytes(8, "little")
            raw = blake2b(message, key=self._key).digest()
            self._words = [int.from_bytes(raw[at : at + 8], "little") for at in range(56, -8, -8)]
            self._block += 1
        return self._words.pop()

    def below(self, limit: int) -> int:
        """A whole number from 0 to ``limit - 1``, every one equally likely, for a limit of any size."""
        if type(limit) is not int or limit <= 0:
            raise BadInput(f"a limit is a whole number of 1 or more, not {limit!r}")
        words = max(1, (limit.bit_length() + 63) // 64)
        space = 1 << 64 * words
        fair = space - space % limit
        while True:
            number = self._word()
            for _ in range(words - 1):
                number = number << 64 | self._word()
            if number < fair:
                return number % limit

    def face(self, die: Die) -> int:
        """The face of one thrown die."""
        return die.low + self.below(die.sides)

    def fork(self, stream: str) -> Dice:
        """Dice of the same seed on another stream: what is drawn there changes nothing here."""
        return Dice(self.seed, stream, self.branch)


class Typed:
    """Faces that a person typed in from real dice, used in order and used up exactly.

    >>> typed = Typed([3, 5])
    >>> typed.face(Die(6)), typed.face(Die(6))
    (3, 5)
    >>> typed.face(Die(6))
    Traceback (most recent call last):
        ...
    tablewright.errors.BadInput: 2 faces were given, but the roll needs another d6
    """

    __slots__ = ("_faces", "_used")

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = tuple(faces)
        self._used = 0

    def face(self, die: Die) -> int:
        """The next typed face, checked against the die it is for."""
        if self._used == len(self._faces):
            given = f"{len(self._faces)} face{'' if len(self._faces) == 1 else 's'}"
            verb = "was" if len(self._faces) == 1 else "were"
            raise BadInput(f"{given} {verb} given, but the roll needs another {die}")
        shown = self._faces[self._used]
        face = die.read(shown)
        if face is None:
            raise BadInput(f"face {self._used + 1} is {shown!r}, but a {die} shows {die.low} to {die.high}")
        self._used += 1
        return face

    def finish(self) -> None:
        """Refuse faces that no die used."""
        if self._used < len(self._faces):
            left = ", ".join(map(str, self._faces[self._used :]))
            raise BadInput(f"{len(self._faces)} faces were given, but only {self._used} are needed; left over: {left}")
