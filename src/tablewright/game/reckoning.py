"""What is counted of a fight: who still stands, who is dead, what is left of everybody, and who took what from whom.

A system says here in its own words what the rest of the program counts over many fights. How much a blow took is never
said a second time: it is what somebody has less of after the event than before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from tablewright.game.events import Event
from tablewright.game.scene import Participant, Scene


class Blow(NamedTuple):
    """Who did it, None where nobody in particular did, and with what.

    ``paid`` is the vigour that somebody gave for it of their own free will, by id: nobody took that from them.
    """

    by: str | None
    source: str
    paid: Mapping[str, int] = MappingProxyType({})


class Harm(NamedTuple):
    """What somebody lost by one event, whose doing it was, and with what it was done.

    ``paid`` is what they lost besides, of their own free will.
    """

    who: str
    amount: int
    by: str | None
    source: str
    paid: int = 0


Number: TypeAlias = Callable[[Participant], int]


def _present(one: Participant) -> bool:
    return one.present


def _not_known(one: Participant) -> bool:
    return False


def _nothing(one: Participant) -> int:
    return 0


@dataclass(frozen=True, kw_only=True)
class Reckoning:
    """How a system counts.

    ``stands`` says whether somebody is still in the fight, ``dead`` whether they will never be again. ``vigour`` is
    what blows take away, as one whole number in units of ``harm``; ``left`` are the resources of somebody by name, more
    being better. ``blows`` are the kinds of events that take vigour, each with whose doing it is; they are asked with
    the scene as it was before. ``lessened`` gives the status of somebody who loses only so much vigour by a
    blow (as they were, as they are after it, how much), where that is more than numbers that go up or down.
    """

    stands: Callable[[Participant], bool] = _present
    dead: Callable[[Participant], bool] = _not_known
    vigour: Number = _nothing
    harm: str = "damage"
    left: Mapping[str, Number] = field(default_factory=dict)
    blows: Mapping[type[Event], Callable[[Scene, Any], Blow]] = field(default_factory=dict)
    lessened: Callable[[Participant, Participant, int], Any] | None = None

    def harms(self, before: Scene, event: Event, after: Scene) -> Iterator[Harm]:
        """What an event took from whom, beyond what they paid. Whoever is hurt by an own blow owes it to the other.

        >>> from dataclasses import dataclass
        >>> from tablewright.game.events import shown
        >>> @dataclass(frozen=True, kw_only=True)
        ... class Struck(Event):
        ...     about = ("who", "by")
        ...     who: str = shown()
        ...     by: str = shown()
        >>> counts = Reckoning(vigour=lambda one: one.status, blows={Struck: lambda scene, event: Blow("bob", "fist")})
        >>> def scene(ann: int, bob: int) -> Scene:
        ...     people = {"ann": ann, "bob": bob}.items()
        ...     return Scene("demo", tuple([Participant(id=id, name=id, side=id, seat=id, character=None, status=status)
        ...                                 for id, status in people]))
        >>> for harm in counts.harms(scene(9, 9), Struck(who="ann", by="bob"), scene(7, 8)):
        ...     print(harm)
        Harm(who='ann', amount=2, by='bob', source='fist', paid=0)
        Harm(who='bob', amount=1, by='ann', source='fist', paid=0)
        """
        told = self.blows.get(type(event))
        if told is None or before.participants is after.participants:
            return
        blow: Blow | None = None
        concerned = tuple(dict.fromkeys(event.participants()))
        for who in concerned:
            if who not in before or who not in after:
                continue
            lost = self.vigour(before[who]) - self.vigour(after[who])
            if lost <= 0:
                continue
            if blow is None:
                blow = told(before, event)
            paid = blow.paid.get(who, 0)
            if lost <= paid:
                continue
            by = blow.by
            if by == who:
                by = next((other for other in concerned if other != who), who)
            yield Harm(who, lost - paid, by, blow.source, paid)
