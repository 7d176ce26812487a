"""Vitals: how a system reads standing, dead, remaining resources and damage.

The rest of the program collects these numbers over many fights. Events do not state their damage here: it is the
difference in health points before and after the event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from tablewright.game.scene.events import Event
from tablewright.game.scene.scene import Participant, Scene


class Attribution(NamedTuple):
    """Author of an event, None if there is none, and the source (weapon, spell).

    ``paid`` maps participant ids to health points that they spent willingly; these are no damage.
    """

    by: str | None
    source: str
    paid: Mapping[str, int] = MappingProxyType({})


class Damage(NamedTuple):
    """Health points a participant lost by one event, with author and source.

    ``paid`` is the amount they spent willingly in the same event; it is not part of ``amount``.
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


def _as_begun(scene: Scene, one: Participant) -> Mapping[str, int]:
    return {}


@dataclass(frozen=True, kw_only=True)
class Vitals:
    """A system's declaration of its vitals.

    ``is_standing`` says whether a participant is still in the fight, ``dead`` whether they are out for good.
    ``health_points`` is what damage reduces, as one whole number in units of ``harm``. ``left`` maps resource names to
    remaining amounts; more is better. ``whole`` gives the amounts of a participant unhurt and rested, as far as the
    system sets them. ``damage_events`` maps the events that take health points to their attribution,
    which is computed from the scene before the event. ``lessened`` returns the status after reduced damage (arguments:
    participant before, participant after, amount), for systems where that is more than scaled numbers.
    """

    is_standing: Callable[[Participant], bool] = _present
    dead: Callable[[Participant], bool] = _not_known
    health_points: Number = _nothing
    harm: str = "damage"
    left: Mapping[str, Number] = field(default_factory=dict)
    whole: Callable[[Scene, Participant], Mapping[str, int]] = _as_begun
    damage_events: Mapping[type[Event], Callable[[Scene, Any], Attribution]] = field(default_factory=dict)
    lessened: Callable[[Participant, Participant, int], Any] | None = None

    def damage_from(self, before: Scene, event: Event, after: Scene) -> Iterator[Damage]:
        """Damage of one event, without what participants paid; self-inflicted damage is credited to the other one.

        >>> from dataclasses import dataclass
        >>> from tablewright.game.scene.visibility import visible
        >>> class Struck(Event):
        ...     mentions = ("who", "by")
        ...     who: str = visible()
        ...     by: str = visible()
        >>> by_fist = {Struck: lambda scene, event: Attribution("bob", "fist")}
        >>> counts = Vitals(health_points=lambda one: one.status, damage_events=by_fist)
        >>> def scene(ann: int, bob: int) -> Scene:
        ...     people = {"ann": ann, "bob": bob}.items()
        ...     return Scene("demo", tuple([Participant(id=id, name=id, side=id, seat=id, character=None, status=status)
        ...                                 for id, status in people]))
        >>> for harm in counts.damage_from(scene(9, 9), Struck(who="ann", by="bob"), scene(7, 8)):
        ...     print(harm)
        Damage(who='ann', amount=2, by='bob', source='fist', paid=0)
        Damage(who='bob', amount=1, by='ann', source='fist', paid=0)
        """
        told = self.damage_events.get(type(event))
        if told is None or before.participants is after.participants:
            return
        blow: Attribution | None = None
        concerned = tuple(dict.fromkeys(event.participants()))
        for who in concerned:
            if who not in before or who not in after:
                continue
            lost = self.health_points(before[who]) - self.health_points(after[who])
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
            yield Damage(who, lost - paid, by, blow.source, paid)
