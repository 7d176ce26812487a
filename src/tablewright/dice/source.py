"""Sources of faces: a seeded counter-based generator, and faces typed in from real dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b
from struct import Struct
from typing import NamedTuple, TypeAlias

from tablewright.errors import InvalidInputError

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
        """Highest face."""
        return self.low + self.sides - 1

    def read(self, shown: object) -> int | None:
        """Return the face for a typed number, or None if the die has no such face.

        On a die from 0, the number after its highest face counts as 0, because real dice may be numbered from 1.

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
"""Function that returns the face of one thrown die; a rollable calls it once per die, in order."""


_unpack = Struct("<8Q").unpack
_FAIR = {limit: 2**64 - 2**64 % limit for limit in range(1, 101)}
"""For small limits, the number below which 64 random bits give all remainders equally often."""

MOST_SEED = 2**128 - 1
"""Upper bound for seeds from users; derived seeds (of a trial or a table) may be larger."""


class SeededDice:
    """Deterministic generator of faces, defined by seed, stream and branch.

    Every block of 64 bytes is the keyed BLAKE2b hash of (stream, branch, k, block) under the seed. The k-th roll of a
    stream needs no earlier roll. Streams of one seed are independent of each other.

    >>> SeededDice(seed=7).face(Die(20)) == SeededDice(seed=7).face(Die(20))
    True
    >>> dice = SeededDice(seed=7)
    >>> [dice.face(Die(6)) for _ in range(8)]
    [6, 4, 3, 2, 1, 3, 1, 5]
    """

    __slots__ = ("_block", "_key", "_prefix", "_words", "branch", "seed", "stream")

    def __init__(self, seed: int | bytes = 0, stream: str = "scene", branch: int = 0, k: int = 0) -> None:
        if isinstance(seed, bytes):
            raw = seed
        else:
            if type(seed) is not int or seed < 0 or seed.bit_length() > 512:
                raise InvalidInputError(f"a seed is a whole number from 0 to 2**512, not {seed!r}")
            raw = seed.to_bytes(64, "little").rstrip(b"\0")
        self.seed = seed
        self.stream = stream
        self.branch = branch
        self._key = raw if len(raw) <= 64 else blake2b(raw).digest()
        self._prefix = f"{len(stream)}:{stream}/{branch}/{k}/".encode()
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        """Next 64 random bits."""
        if not self._words:
            message = self._prefix + self._block.to_bytes(8, "little")
            self._words = list(_unpack(blake2b(message, key=self._key).digest()))
            self._words.reverse()
            self._block += 1
        return self._words.pop()

    def below(self, limit: int) -> int:
        """Uniform whole number from 0 to ``limit - 1``, for a limit of any size."""
        fair = _FAIR.get(limit)
        if fair is not None and type(limit) is int:
            while (number := self._word()) >= fair:
                pass
            return number % limit
        if type(limit) is not int or limit <= 0:
            raise InvalidInputError(f"a limit is a whole number of 1 or more, not {limit!r}")
        words = max(1, (limit.bit_length() + 63) // 64)
        space = 1 << 64 * words
        below = space - space % limit
        while True:
            number = self._word()
            for _ in range(words - 1):
                number = number << 64 | self._word()
            if number < below:
                return number % limit

    def face(self, die: Die) -> int:
        """Throw one die."""
        return die.low + self.below(die.sides)

    def fork(self, stream: str) -> SeededDice:
        """Dice with the same seed on another stream; draws there do not affect this stream."""
        return SeededDice(self.seed, stream, self.branch)


class TypedDice:
    """Faces typed in from real dice, used in order; missing and unused faces are refused.

    >>> typed = TypedDice([3, 5])
    >>> typed.face(Die(6)), typed.face(Die(6))
    (3, 5)
    >>> typed.face(Die(6))
    Traceback (most recent call last):
        ...
    tablewright.errors.InvalidInputError: 2 faces were given, but the roll needs another d6
    """

    __slots__ = ("_faces", "_used")

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = tuple(faces)
        self._used = 0

    def face(self, die: Die) -> int:
        """Next typed face, checked against the die."""
        if self._used == len(self._faces):
            given = f"{len(self._faces)} face{'' if len(self._faces) == 1 else 's'}"
            verb = "was" if len(self._faces) == 1 else "were"
            raise InvalidInputError(f"{given} {verb} given, but the roll needs another {die}")
        shown = self._faces[self._used]
        face = die.read(shown)
        if face is None:
            raise InvalidInputError(f"face {self._used + 1} is {shown!r}, but a {die} shows {die.low} to {die.high}")
        self._used += 1
        return face

    def finish(self) -> None:
        """Refuse unused faces."""
        if self._used < len(self._faces):
            left = ", ".join(map(str, self._faces[self._used :]))
            raise InvalidInputError(
                f"{len(self._faces)} faces were given, but only {self._used} are needed; left over: {left}"
            )
