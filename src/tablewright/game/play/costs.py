"""Costs of actions, declared once; the requirement, the payment and the text follow from the declaration.

A cost is an amount of one or more *resources*. :class:`Resources` reads and spends them. By default a resource is a
whole number in the status, such as the action points and the stamina of The Stage or the character points of
OpenD6.

>>> from dataclasses import dataclass
>>> from tablewright.game.scene.scene import Participant, Scene
>>> @dataclass(frozen=True)
... class Status:
...     ap: int = 3
...     stamina: int = 2
...     character_points: int = 5
...     spent: Ranks = Ranks()
>>> ann = Participant(id="ann", name="Ann", side="a", seat="ann", character=None, status=Status())
>>> scene = Scene("demo", (ann,))
>>> stage = Resources({"ap": "AP"})
>>> strike = Cost.of(ap=2) + Cost.of(stamina=1)
>>> stage.words(strike), stage.short(scene, "ann", strike), stage.short(scene, "ann", strike + Cost.of(stamina=2))
('2 AP, 1 stamina', None, 'costs 3 stamina, 2 left')
>>> stage.paid(scene, "ann", strike)["ann"].status.ap
1
>>> purses = Resources()
>>> purses.words(Cost.of(character_points=2)), purses.short(scene, "ann", Cost.of(character_points=6))
('2 character points', 'costs 6 character points, 5 left')

A turn of Renaissance is one of two patterns: a standard and a quick action, or three quick ones. The status counts the
spent actions under ``spent``. Märchen's turn (significant, minor) works the same with other words.

>>> renaissance = ActionEconomy(({"standard": 1, "quick": 1}, {"quick": 3}))
>>> standard, quick = Cost.of(standard=1), Cost.of(quick=1)
>>> renaissance.words(standard), renaissance.left(scene, "ann")
('1 standard action', {'standard': 1, 'quick': 3})
>>> once = renaissance.paid(scene, "ann", quick)
>>> twice = renaissance.paid(once, "ann", quick)
>>> renaissance.short(once, "ann", standard), renaissance.short(twice, "ann", standard)
(None, 'no standard action is left')
>>> renaissance.short(renaissance.paid(once, "ann", standard), "ann", quick)
'no quick action is left'
>>> renaissance.short(scene, "ann", quick + Cost.of(stamina=3))
'costs 3 stamina, 2 left'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache

from tablewright.game.scene.events import ParticipantEvent, Reducer
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import OWNER, NotVisible, visible
from tablewright.game.values import Ranks


@dataclass(frozen=True, slots=True)
class Cost:
    """Amounts taken from named resources; ``Cost()`` is free."""

    amounts: tuple[tuple[str, int], ...] = ()

    @staticmethod
    def of(**amounts: int) -> Cost:
        """A cost by resource name; zero amounts are left out."""
        return Cost(tuple([(name, amount) for name, amount in amounts.items() if amount]))

    def __add__(self, more: Cost) -> Cost:
        total = dict(self.amounts)
        for name, amount in more.amounts:
            total[name] = total.get(name, 0) + amount
        return Cost.of(**total)

    def instead(self, **amounts: int) -> Cost:
        """Return the cost with other amounts for the named resources."""
        return Cost.of(**(dict(self.amounts) | amounts))

    def __getitem__(self, purse: str) -> int:
        return dict(self.amounts).get(purse, 0)

    def to_json(self) -> dict[str, int]:
        """The amounts by resource."""
        return dict(self.amounts)


class Resources:
    """Resources that are whole numbers in the status, by field name; ``called`` gives their display names."""

    def __init__(self, called: Mapping[str, str] | None = None) -> None:
        self.called = dict(called or {})

    def words(self, price: Cost) -> str:
        """The cost as text."""
        return ", ".join([f"{amount} {self._name(purse, amount)}" for purse, amount in price.amounts]) or "nothing"

    def words_for(self, scene: Scene, who: str, price: Cost) -> str:
        """The cost as text for this participant now; a subclass may show an overflow into another resource."""
        return self.words(price)

    def _name(self, purse: str, amount: int) -> str:
        return self.called.get(purse) or purse.replace("_", " ")

    def knows(self, purse: str, status: type) -> bool:
        """True if a status of this type has the resource."""
        return purse in {entry.name for entry in fields(status)}

    def short(self, scene: Scene, who: str, price: Cost) -> str | None:
        """The reason why the participant cannot pay, or None if they can."""
        status = scene[who].status
        for purse, amount in price.amounts:
            left = getattr(status, purse)
            if amount > left:
                return f"costs {amount} {self._name(purse, amount)}, {left} left"
        return None

    def paid(self, scene: Scene, who: str, price: Cost) -> Scene:
        """The scene after the participant has paid."""
        if not price.amounts:
            return scene
        status = scene[who].status
        return scene.with_status(who, **{purse: getattr(status, purse) - amount for purse, amount in price.amounts})


class ActionEconomy(Resources):
    """The actions that one turn allows: one of several patterns of counts by kind; other resources work as usual.

    The status counts the spent actions in ``spent``; the start of a turn must reset it.
    """

    def __init__(self, patterns: tuple[Mapping[str, int], ...], called: Mapping[str, str] | None = None) -> None:
        super().__init__(called)
        self.patterns = patterns
        self.kinds = tuple(dict.fromkeys([kind for pattern in patterns for kind in pattern]))
        self._asked = lru_cache(maxsize=1_024)(self._refused)  # hot: called for every candidate use

    def _name(self, purse: str, amount: int) -> str:
        known = super()._name(purse, amount)
        if purse not in self.kinds or purse in self.called:
            return known
        return f"{known} action" if amount == 1 else f"{known} actions"

    def knows(self, purse: str, status: type) -> bool:
        """True if the turn or a status of this type has the resource."""
        return purse in self.kinds or super().knows(purse, status)

    def fits(self, spent: Mapping[str, int]) -> bool:
        """True if these counts fit into one turn."""
        return any(all(pattern.get(kind, 0) >= count for kind, count in spent.items()) for pattern in self.patterns)

    def left(self, scene: Scene, who: str) -> dict[str, int]:
        """Remaining actions of each kind, each counted as if no other kind were used."""
        return self._left(scene[who].status.spent)

    def _left(self, spent: Ranks) -> dict[str, int]:
        fitting = [one for one in self.patterns if all(one.get(kind, 0) >= count for kind, count in spent.items())]
        return {kind: max([one.get(kind, 0) - spent.get(kind, 0) for one in fitting], default=0) for kind in self.kinds}

    def short(self, scene: Scene, who: str, price: Cost) -> str | None:
        """The reason why the participant cannot pay, or None if they can."""
        refused, rest = self._asked(scene[who].status.spent, price)
        return super().short(scene, who, rest) if refused is None and rest.amounts else refused

    def _refused(self, spent: Ranks, price: Cost) -> tuple[str | None, Cost]:
        """The reason why a partly spent turn does not allow the cost, or None; and the share of other resources."""
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

    def paid(self, scene: Scene, who: str, price: Cost) -> Scene:
        """The scene after the participant has paid."""
        turn, rest = self._parts(price)
        if turn:
            scene = scene.with_status(who, spent=self._more(scene[who].status.spent, turn))
        return super().paid(scene, who, rest)

    def _parts(self, price: Cost) -> tuple[tuple[tuple[str, int], ...], Cost]:
        """Split a cost into the actions of the turn and the other resources."""
        turn = tuple([one for one in price.amounts if one[0] in self.kinds])
        return turn, Cost(tuple([one for one in price.amounts if one[0] not in self.kinds]))

    @staticmethod
    def _more(spent: Ranks, turn: tuple[tuple[str, int], ...]) -> Ranks:
        for kind, count in turn:
            spent = spent.put(kind, spent.get(kind, 0) + count)
        return spent


PURSES = Resources()
"""Default resources: whole numbers in the status by field name."""


class CostPaid(ParticipantEvent, kind="Paid"):
    """A participant paid for an action; also emitted for a cost of nothing."""

    use: str = visible(OWNER)
    price: Cost = visible(OWNER)

    def narrate(self) -> str:
        """The cost; empty if nothing was paid or the viewer may not see it."""
        try:
            return f"{self.who} pays {PURSES.words(self.price)}" if self.price.amounts else ""
        except NotVisible:
            return ""


paying: Reducer[Scene] = Reducer()
"""Reducer for payments; a system with other resources replaces it."""


@paying.on(CostPaid)
def _paid(scene: Scene, event: CostPaid) -> Scene:
    return PURSES.paid(scene, event.who, event.price)
