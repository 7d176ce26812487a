"""Prices: what an action takes, declared once, from which follow the requirement, the payment and the words.

A price is an amount of each of some *purses*. How a purse is looked into and paid from is said by :class:`Purses`: as a
rule a purse is a whole number in the status, such as the action points and the stamina of The Stage or the points of
OpenD6.

>>> from dataclasses import dataclass
>>> from tablewright.game.scene import Participant, Scene
>>> @dataclass(frozen=True)
... class Status:
...     ap: int = 3
...     stamina: int = 2
...     character_points: int = 5
...     spent: Ranks = Ranks()
>>> ann = Participant(id="ann", name="Ann", side="a", seat="ann", character=None, status=Status())
>>> scene = Scene("demo", (ann,))
>>> stage = Purses({"ap": "AP"})
>>> strike = Price.of(ap=2) + Price.of(stamina=1)
>>> stage.words(strike), stage.short(scene, "ann", strike), stage.short(scene, "ann", strike + Price.of(stamina=2))
('2 AP, 1 stamina', None, 'costs 3 stamina, 2 left')
>>> stage.paid(scene, "ann", strike)["ann"].status.ap
1
>>> purses = Purses()
>>> purses.words(Price.of(character_points=2)), purses.short(scene, "ann", Price.of(character_points=6))
('2 character points', 'costs 6 character points, 5 left')

A turn of Renaissance is one of two patterns, a standard and a quick action or three quick ones; what was spent of it is
counted in the status under ``spent``. Märchen's turn (significant, minor) is the same with other words.

>>> renaissance = Allotment(({"standard": 1, "quick": 1}, {"quick": 3}))
>>> standard, quick = Price.of(standard=1), Price.of(quick=1)
>>> renaissance.words(standard), renaissance.left(scene, "ann")
('1 standard action', {'standard': 1, 'quick': 3})
>>> once = renaissance.paid(scene, "ann", quick)
>>> twice = renaissance.paid(once, "ann", quick)
>>> renaissance.short(once, "ann", standard), renaissance.short(twice, "ann", standard)
(None, 'no standard action is left')
>>> renaissance.short(renaissance.paid(once, "ann", standard), "ann", quick)
'no quick action is left'
>>> renaissance.short(scene, "ann", quick + Price.of(stamina=3))
'costs 3 stamina, 2 left'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache

from tablewright.game.events import OWNER, Apply, Event, Unseen, shown
from tablewright.game.frozen import Ranks
from tablewright.game.scene import Scene


@dataclass(frozen=True, slots=True)
class Price:
    """What something takes: so much from each of some purses. ``Price()`` is nothing, which is a price too."""

    amounts: tuple[tuple[str, int], ...] = ()

    @staticmethod
    def of(**amounts: int) -> Price:
        """A price by the names of its purses; what is 0 is left out."""
        return Price(tuple([(name, amount) for name, amount in amounts.items() if amount]))

    def __add__(self, more: Price) -> Price:
        total = dict(self.amounts)
        for name, amount in more.amounts:
            total[name] = total.get(name, 0) + amount
        return Price.of(**total)

    def instead(self, **amounts: int) -> Price:
        """The same with other amounts from the purses named."""
        return Price.of(**(dict(self.amounts) | amounts))

    def __getitem__(self, purse: str) -> int:
        return dict(self.amounts).get(purse, 0)

    def to_json(self) -> dict[str, int]:
        """The amounts by purse."""
        return dict(self.amounts)


class Purses:
    """Purses that are whole numbers in the status, by the names of its fields. ``called`` are words for people."""

    def __init__(self, called: Mapping[str, str] | None = None) -> None:
        self.called = dict(called or {})

    def words(self, price: Price) -> str:
        """A price for people to read."""
        return ", ".join([f"{amount} {self._name(purse, amount)}" for purse, amount in price.amounts]) or "nothing"

    def words_for(self, scene: Scene, who: str, price: Price) -> str:
        """A price as somebody would pay it now: where a purse can run over into another, both are said."""
        return self.words(price)

    def _name(self, purse: str, amount: int) -> str:
        return self.called.get(purse) or purse.replace("_", " ")

    def knows(self, purse: str, status: type) -> bool:
        """Whether there is such a purse where statuses are of this kind."""
        return purse in {entry.name for entry in fields(status)}

    def short(self, scene: Scene, who: str, price: Price) -> str | None:
        """Why somebody cannot pay a price now; None if they can."""
        status = scene[who].status
        for purse, amount in price.amounts:
            left = getattr(status, purse)
            if amount > left:
                return f"costs {amount} {self._name(purse, amount)}, {left} left"
        return None

    def paid(self, scene: Scene, who: str, price: Price) -> Scene:
        """The scene after somebody has paid a price."""
        if not price.amounts:
            return scene
        status = scene[who].status
        return scene.change(who, **{purse: getattr(status, purse) - amount for purse, amount in price.amounts})


class Allotment(Purses):
    """What a turn allows: one of several patterns of so many actions of every kind; other purses are as they were.

    What was spent of a turn stands in the status as ``spent``; whatever begins a turn empties it.
    """

    def __init__(self, patterns: tuple[Mapping[str, int], ...], called: Mapping[str, str] | None = None) -> None:
        super().__init__(called)
        self.patterns = patterns
        self.kinds = tuple(dict.fromkeys([kind for pattern in patterns for kind in pattern]))
        self._asked = lru_cache(maxsize=1_024)(self._refused)  # asked for every way to do anything

    def _name(self, purse: str, amount: int) -> str:
        known = super()._name(purse, amount)
        if purse not in self.kinds or purse in self.called:
            return known
        return f"{known} action" if amount == 1 else f"{known} actions"

    def knows(self, purse: str, status: type) -> bool:
        """Whether there is such a purse, in the turn or in a status of this kind."""
        return purse in self.kinds or super().knows(purse, status)

    def fits(self, spent: Mapping[str, int]) -> bool:
        """Whether so much can be done in one turn."""
        return any(all(pattern.get(kind, 0) >= count for kind, count in spent.items()) for pattern in self.patterns)

    def left(self, scene: Scene, who: str) -> dict[str, int]:
        """How many actions of every kind could still be taken, each by itself."""
        return self._left(scene[who].status.spent)

    def _left(self, spent: Ranks) -> dict[str, int]:
        fitting = [one for one in self.patterns if all(one.get(kind, 0) >= count for kind, count in spent.items())]
        return {kind: max([one.get(kind, 0) - spent.get(kind, 0) for one in fitting], default=0) for kind in self.kinds}

    def short(self, scene: Scene, who: str, price: Price) -> str | None:
        """Why somebody cannot pay a price now; None if they can."""
        refused, rest = self._asked(scene[who].status.spent, price)
        return super().short(scene, who, rest) if refused is None and rest.amounts else refused

    def _refused(self, spent: Ranks, price: Price) -> tuple[str | None, Price]:
        """Why a turn of which so much is spent does not allow a price, if so, and what of it other purses pay."""
        turn, rest = self._parts(price)
        if not turn or self.fits(self._more(spent, turn)):
            return None, rest
        left = self._left(spent)
        kind, count = next(((kind, count) for kind, count in turn if left[kind] < count), ("", 0))
        if not kind:
            return "more than a turn allows", rest
        if not left[kind]:
            return f"no {self._name(kind, 1)} is left", rest
        return f"costs {count} {self._name(kind, count)}, {left[kind]} left", rest

    def paid(self, scene: Scene, who: str, price: Price) -> Scene:
        """The scene after somebody has paid a price."""
        turn, rest = self._parts(price)
        if turn:
            scene = scene.change(who, spent=self._more(scene[who].status.spent, turn))
        return super().paid(scene, who, rest)

    def _parts(self, price: Price) -> tuple[tuple[tuple[str, int], ...], Price]:
        """What of a price is paid from the turn, and what from other purses."""
        turn = tuple([one for one in price.amounts if one[0] in self.kinds])
        return turn, Price(tuple([one for one in price.amounts if one[0] not in self.kinds]))

    @staticmethod
    def _more(spent: Ranks, turn: tuple[tuple[str, int], ...]) -> Ranks:
        for kind, count in turn:
            spent = spent.put(kind, spent.get(kind, 0) + count)
        return spent


PURSES = Purses()
"""Whole numbers in the status by the names of their fields."""


@dataclass(frozen=True, kw_only=True)
class Paid(Event):
    """Somebody has paid for what they are about to do; what costs nothing is paid for too, if it has a price at all."""

    who: str = shown()
    use: str = shown(OWNER)
    price: Price = shown(OWNER)

    def in_words(self) -> str:
        """What was paid; nothing is said where that was nothing, or nothing that the hearer may know."""
        try:
            return f"{self.who} pays {PURSES.words(self.price)}" if self.price.amounts else ""
        except Unseen:
            return ""


paying: Apply[Scene] = Apply()
"""How payment changes a scene; a system with other purses applies it ``instead``."""


@paying.on(Paid)
def _paid(scene: Scene, event: Paid) -> Scene:
    return PURSES.paid(scene, event.who, event.price)
