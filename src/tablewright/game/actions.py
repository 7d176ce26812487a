"""Actions as declarations: what can be done, what it costs, what it requires and by which rule.

One check serves everything: what is offered, what is greyed with a reason, and what an illegal attempt is told.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from tablewright.engine import Closed
from tablewright.errors import BadInput, RulesSayNo, nearest
from tablewright.game.prices import PURSES, Paid, Price, Purses
from tablewright.game.scene import Live, Scene


@dataclass(frozen=True, slots=True)
class Use:
    """One way to take an action now: on whom, with what. ``cost`` is what it takes, for people to read."""

    action: str
    target: str | None = None
    detail: str | None = None
    label: str = field(default="", compare=False)
    cost: str = field(default="", compare=False)

    @property
    def id(self) -> str:
        """The stable id of the option, such as ``attack:goblin-2:club``.

        >>> Use("attack", "goblin", "club").id, Use("rest").id, Use("draw", detail="club").id
        ('attack:goblin:club', 'rest', 'draw::club')
        """
        if self.detail is not None:
            return f"{self.action}:{self.target or ''}:{self.detail}"
        return self.action if self.target is None else f"{self.action}:{self.target}"


class Refused(NamedTuple):
    """Why something is not allowed, and by which rule, where that is not the rule of the requirement itself."""

    reason: str
    rule: str


Holds: TypeAlias = Callable[[Scene, str, Use], "str | Refused | None"]
"""Gives None when a requirement is met, and the reason in words when it is not."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something that must be so before an action may be taken, with the rule that demands it.

    What is asked of the actor alone, whatever it does and to whom, is asked ``once`` for all ways to do it.
    """

    rule: str
    holds: Holds
    once: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be done in a scene.

    ``uses`` lists the ways in which it could be taken (targets, weapons, destinations), legal or not; without it there
    is one way. ``requires`` are checked in order, first what is asked once of the actor; the first that fails is the
    reason. A ``reaction`` is offered when something triggers it, not on one's turn.

    ``cost`` are words. A ``price`` is more: who cannot pay it is refused by ``price_rule`` (the first of the rules if
    none is named), it is paid before anything else happens, and it gives the words. A price that is the same for
    all ways is asked once.
    """

    id: str
    title: str
    rules: tuple[str, ...]
    perform: Callable[[Live, str, Use], Awaitable[None]]
    requires: tuple[Requirement, ...] = ()
    uses: Callable[[Scene, str], Iterable[Use]] | None = None
    cost: Callable[[Scene, str, Use], str] | str = ""
    reaction: bool = False
    price: Price | Callable[[Scene, str, Use], Price] | None = None
    price_rule: str = ""
    _of_actor: tuple[Requirement, ...] = field(init=False, repr=False, compare=False)
    _of_way: tuple[Requirement, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_of_actor", tuple([one for one in self.requires if one.once]))
        object.__setattr__(self, "_of_way", tuple([one for one in self.requires if not one.once]))

    def price_of(self, scene: Scene, who: str, use: Use) -> Price:
        """What this way to take it costs now."""
        if self.price is None or isinstance(self.price, Price):
            return self.price or _NOTHING
        return self.price(scene, who, use)

    def priced(self, purses: Purses) -> Action:
        """The same with what follows from its price: the requirement that it can be paid, and the words for it."""
        if self.price is None:
            return self
        rule = self.price_rule or self.rules[0]
        once = isinstance(self.price, Price)

        def short(scene: Scene, who: str, use: Use) -> str | None:
            return purses.short(scene, who, self.price_of(scene, who, use))

        def words(scene: Scene, who: str, use: Use) -> str:
            return purses.words_for(scene, who, self.price_of(scene, who, use))

        payable = Requirement(rule, short, once=once)
        return replace(self, requires=(*self.requires, payable), cost=self.cost or words, price_rule=rule)

    def ways(self, scene: Scene, who: str) -> Iterator[Use]:
        """Every way to take it, with its cost."""
        for use in self.uses(scene, who) if self.uses else (Use(self.id, label=self.title),):
            cost = self.cost if isinstance(self.cost, str) else self.cost(scene, who, use)
            yield Use(use.action, use.target, use.detail, use.label or self.title, cost)

    def refusal(self, scene: Scene, who: str, use: Use) -> Refused | None:
        """Why this use is not allowed now; None if it is."""
        return self.refusal_of_actor(scene, who) or self.refusal_of_way(scene, who, use)

    def refusal_of_actor(self, scene: Scene, who: str) -> Refused | None:
        """Why somebody cannot take the action in any way; None as far as the actor is concerned."""
        return _first_refusal(self._of_actor, scene, who, Use(self.id))

    def refusal_of_way(self, scene: Scene, who: str, use: Use) -> Refused | None:
        """Why an able actor cannot take the action in this way; None if it can."""
        return _first_refusal(self._of_way, scene, who, use)

    def allowed(self, scene: Scene, who: str) -> tuple[list[Use], Refused | None]:
        """The ways that an able actor may take it now, and why the first of the others is refused."""
        found: list[Use] = []
        first: Refused | None = None
        for use in self.ways(scene, who):
            refused = self.refusal_of_way(scene, who, use)
            if refused is None:
                found.append(use)
            elif first is None:
                first = refused
        return found, first


def _first_refusal(requirements: tuple[Requirement, ...], scene: Scene, who: str, use: Use) -> Refused | None:
    for requirement in requirements:
        refused = requirement.holds(scene, who, use)
        if refused is not None:
            return Refused(refused, requirement.rule) if isinstance(refused, str) else refused
    return None


_NOTHING = Price()


class Actions:
    """All actions of a system, the one check on them, and the purses from which their prices are paid."""

    def __init__(self, actions: Sequence[Action], purses: Purses = PURSES) -> None:
        self.by_id: dict[str, Action] = {}
        self.purses = purses
        for action in actions:
            if action.id in self.by_id:
                raise BadInput(f'two actions are called "{action.id}"')
            self.by_id[action.id] = action.priced(purses)
        self._offered: tuple[Scene | None, str, list[Use | Closed]] = (None, "", [])

    def __iter__(self) -> Iterator[Action]:
        return iter(self.by_id.values())

    def offers(
        self, scene: Scene, who: str, *, reactions: bool = False, among: Iterable[str] = ()
    ) -> list[Use | Closed]:
        """Everything that may be done now, and for each action that cannot be taken at all the reason why.

        ``among`` narrows it to some actions, for example the reactions that a trigger allows.
        """
        wanted = tuple(among)
        offered: list[Use | Closed] = []
        for action in self.by_id.values():
            if action.reaction is not reactions or (wanted and action.id not in wanted):
                continue
            offered += self.offered_by(action, scene, who)
        self._offered = scene, who, offered
        return offered

    def offered_by(self, action: Action, scene: Scene, who: str) -> Sequence[Use | Closed]:
        """The ways in which one action may be taken now, or the reason why there is none."""
        refused = action.refusal_of_actor(scene, who)
        if refused is None:
            allowed, refused = action.allowed(scene, who)
            if allowed:
                return allowed
        elif next(action.ways(scene, who), None) is None:
            return ()  # there is nothing to be refused
        return () if refused is None else (Closed(action.id, refused.reason, refused.rule, action.title),)

    def check(self, scene: Scene, who: str, use: Use) -> Action:
        """The action of a use that is allowed; raises :class:`RulesSayNo` with the reason and rule if it is not."""
        action = self.by_id.get(use.action)
        if action is None:
            raise BadInput(f'there is no action "{use.action:.40}"{nearest(use.action, self.by_id)}')
        offered_in, to, offered = self._offered
        if offered_in is scene and to == who and use in offered:
            return action
        refused = action.refusal(scene, who, use)
        if refused is not None:
            raise RulesSayNo(f"{use.id}: {refused.reason}", rule=refused.rule)
        if use not in list(action.ways(scene, who)):
            raise RulesSayNo(f"{use.id} cannot be done now", rule=action.rules[0] if action.rules else None)
        return action

    async def perform(self, game: Live, who: str, use: Use) -> None:
        """Take an action after checking it once more, and pay for it first."""
        action = self.check(game.scene, who, use)
        if action.price is not None:
            price = action.price_of(game.scene, who, use)
            game.emit(Paid(who=who, use=use.id, price=price, cause=action.price_rule))
        await action.perform(game, who, use)
