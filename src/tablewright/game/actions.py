"""Actions as declarations: what can be done, what it costs, what it requires and by which rule.

One check serves everything: what is offered, what is greyed with a reason, and what an illegal attempt is told.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeAlias

from tablewright.engine import Closed, Offer
from tablewright.errors import BadInput, RulesSayNo, nearest
from tablewright.game.prices import PURSES, Paid, Price, Purses
from tablewright.game.scene import Live, Scene


class Use:
    """One way to take an action now: on whom, with what. ``label`` and ``cost`` are for people to read.

    The words for a cost may be given as a function: they are then found when somebody looks. Ways are made by the
    thousand in every fight and few of them are ever read or taken, so this is a frozen class written out by hand: it is
    made in a third of the time that a frozen dataclass takes.
    """

    __slots__ = ("_cost", "action", "detail", "label", "target")

    action: str
    target: str | None
    detail: str | None
    label: str
    _cost: str | Callable[[], str]

    def __init__(
        self,
        action: str,
        target: str | None = None,
        detail: str | None = None,
        label: str = "",
        cost: str | Callable[[], str] = "",
    ) -> None:
        _write_action(self, action)
        _write_target(self, target)
        _write_detail(self, detail)
        _write_label(self, label)
        _write_cost(self, cost)

    def __setattr__(self, name: str, value: object) -> None:
        raise TypeError("a way to take an action does not change; make another one")

    def __reduce__(self) -> tuple[type[Use], tuple[Any, ...]]:
        return Use, (self.action, self.target, self.detail, self.label, self.cost)

    @property
    def cost(self) -> str:
        """What it takes, in words."""
        cost = self._cost
        if not isinstance(cost, str):
            cost = cost()
            _write_cost(self, cost)
        return cost

    @property
    def id(self) -> str:
        """The stable id of the option, such as ``attack:goblin-2:club``.

        >>> Use("attack", "goblin", "club").id, Use("rest").id, Use("draw", detail="club").id
        ('attack:goblin:club', 'rest', 'draw::club')
        """
        if self.detail is not None:
            return f"{self.action}:{self.target or ''}:{self.detail}"
        return self.action if self.target is None else f"{self.action}:{self.target}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Use):
            return NotImplemented
        return self.action == other.action and self.detail == other.detail and self.target == other.target

    def __hash__(self) -> int:
        return hash((self.action, self.target, self.detail))

    def __repr__(self) -> str:
        return f"Use({self.id!r}, label={self.label!r})"


_write_action, _write_target, _write_detail, _write_label, _write_cost = [
    Use.__dict__[name].__set__ for name in ("action", "target", "detail", "label", "_cost")
]
"""How the parts of a way are written once, past its refusal of changes."""


class Refused(NamedTuple):
    """Why something is not allowed, and by which rule, where that is not the rule of the requirement itself."""

    reason: str
    rule: str


Holds: TypeAlias = Callable[[Scene, str, Use], "str | Refused | None"]
"""Gives None when a requirement is met, and the reason in words when it is not."""

Asked: TypeAlias = dict[int, "str | Refused | None"]
"""What was asked of one actor in one scene whatever it does, by the requirement's identity."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something that must be so before an action may be taken, with the rule that demands it.

    What is asked of the actor alone, to whomever it does something, is asked ``once`` for all ways to do it; what is
    asked of it ``always``, whatever it does, once for all actions that have this very requirement.
    """

    rule: str
    holds: Holds
    once: bool = False
    always: bool = False


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
    _plain: Use = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        of_actor = [one for one in self.requires if one.once or one.always]
        object.__setattr__(self, "_of_actor", tuple(of_actor))
        object.__setattr__(self, "_of_way", tuple([one for one in self.requires if one not in of_actor]))
        object.__setattr__(self, "_plain", Use(self.id, label=self.title))

    def price_of(self, scene: Scene, who: str, use: Use) -> Price:
        """What this way to take it costs now."""
        if self.price is None or isinstance(self.price, Price):
            return self.price or _NOTHING
        return self.price(scene, who, use)

    def priced(self, purses: Purses, payable: Callable[[str, Price], Requirement]) -> Action:
        """The same with what follows from its price: the requirement that it can be paid, and the words for it.

        ``payable`` is that requirement for a price that is always the same: one for all actions that cost so much.
        """
        price = self.price
        if price is None:
            return self
        rule = self.price_rule or self.rules[0]

        def short(scene: Scene, who: str, use: Use) -> str | None:
            return purses.short(scene, who, self.price_of(scene, who, use))

        def words(scene: Scene, who: str, use: Use) -> str:
            return purses.words_for(scene, who, self.price_of(scene, who, use))

        required = payable(rule, price) if isinstance(price, Price) else Requirement(rule, short)
        return replace(self, requires=(*self.requires, required), cost=self.cost or words, price_rule=rule)

    def ways(self, scene: Scene, who: str) -> Iterator[Use]:
        """Every way to take it, with what people read of it."""
        for use in self._uses(scene, who):
            yield self.told(scene, who, use)

    def _uses(self, scene: Scene, who: str) -> Iterable[Use]:
        return (self._plain,) if self.uses is None else self.uses(scene, who)

    def told(self, scene: Scene, who: str, use: Use) -> Use:
        """A way with what people read of it."""
        if not isinstance(self.cost, str):
            cost: str | Callable[[], str] = partial(self.cost, scene, who, use)
        elif use.label and use.cost == self.cost:
            return use
        else:
            cost = self.cost
        return Use(use.action, use.target, use.detail, use.label or self.title, cost)

    def refusal(self, scene: Scene, who: str, use: Use) -> Refused | None:
        """Why this use is not allowed now; None if it is."""
        return self.refusal_of_actor(scene, who) or self.refusal_of_way(scene, who, use)

    def refusal_of_actor(self, scene: Scene, who: str) -> Refused | None:
        """Why somebody cannot take the action in any way; None as far as the actor is concerned."""
        unmet = self.unmet_by_actor(scene, who, {})
        return None if unmet is None else _by(*unmet)

    def refusal_of_way(self, scene: Scene, who: str, use: Use) -> Refused | None:
        """Why an able actor cannot take the action in this way; None if it can."""
        for requirement in self._of_way:
            refused = requirement.holds(scene, who, use)
            if refused is not None:
                return _by(requirement, refused)
        return None

    def unmet_by_actor(self, scene: Scene, who: str, asked: Asked) -> Unmet | None:
        """What keeps somebody from taking the action in any way; None as far as the actor is concerned."""
        for requirement in self._of_actor:
            if not requirement.always:
                refused = requirement.holds(scene, who, self._plain)
            elif (known := id(requirement)) in asked:
                refused = asked[known]
            else:
                refused = asked[known] = requirement.holds(scene, who, self._plain)
            if refused is not None:
                return requirement, refused
        return None

    def allowed(self, scene: Scene, who: str) -> tuple[list[Use], Unmet | None]:
        """The ways that an able actor may take it now, and what the first of the others does not meet."""
        found: list[Use] = []
        first: Unmet | None = None
        required = self._of_way
        for use in self._uses(scene, who):
            for requirement in required:
                refused = requirement.holds(scene, who, use)
                if refused is not None:
                    first = first or (requirement, refused)
                    break
            else:
                found.append(self.told(scene, who, use))
        return found, first

    def open_ways(self, scene: Scene, who: str, asked: Asked) -> Iterator[Use]:
        """The ways in which it may be taken now, without the words that people read, for whoever needs none of them."""
        if self._of_actor and self.unmet_by_actor(scene, who, asked) is not None:
            return
        required = self._of_way
        for use in self._uses(scene, who):
            for requirement in required:
                if requirement.holds(scene, who, use) is not None:
                    break
            else:
                yield use


Unmet: TypeAlias = tuple[Requirement, "str | Refused"]
"""A requirement that is not met, and what it says."""


def _by(requirement: Requirement, refused: str | Refused) -> Refused:
    """A refusal with its rule: the requirement's own where it names no other."""
    return Refused(refused, requirement.rule) if isinstance(refused, str) else refused


_NOTHING = Price()


def _payable(purses: Purses, rule: str, price: Price) -> Requirement:
    """The requirement that a price can be paid which is the same for all ways."""
    return Requirement(rule, lambda scene, who, use: purses.short(scene, who, price), always=True)


MOST_AMONG = 1_024
"""For how many selections of a system's actions it is known which they are."""


class Actions:
    """All actions of a system, the one check on them, and the purses from which their prices are paid."""

    def __init__(self, actions: Sequence[Action], purses: Purses = PURSES) -> None:
        self.by_id: dict[str, Action] = {}
        self.purses = purses
        payable = lru_cache(maxsize=None)(partial(_payable, purses))
        for action in actions:
            if action.id in self.by_id:
                raise BadInput(f'two actions are called "{action.id}"')
            self.by_id[action.id] = action.priced(purses, payable)
        self._offered: tuple[Scene | None, str, Sequence[Use]] = (None, "", ())
        self._by_among: dict[tuple[bool, tuple[str, ...]], list[Action]] = {}

    def __iter__(self) -> Iterator[Action]:
        return iter(self.by_id.values())

    def offers(
        self, scene: Scene, who: str, *, reactions: bool = False, among: Iterable[str] = ()
    ) -> list[Use | Closed]:
        """Everything that may be done now, and for each action that cannot be taken at all the reason why.

        ``among`` narrows it to some actions, for example the reactions that a trigger allows.
        """
        found: list[Use | Closed] = []
        for action in self._among(reactions, among):
            found += self.offered_by(action, scene, who)
        self.vouch(scene, who, [one for one in found if isinstance(one, Use)])
        return found

    def offered_by(self, action: Action, scene: Scene, who: str) -> Sequence[Use | Closed]:
        """The ways in which one action may be taken now, or the reason why there is none."""
        found = self._open_to(scene, who, (action,))
        return found.open or tuple(found.closed())

    def open_to(self, scene: Scene, who: str, *, reactions: bool = False, among: Iterable[str] = ()) -> Offer[Use]:
        """Everything that may be done now; what cannot, and why, is found out when somebody looks."""
        found = self._open_to(scene, who, self._among(reactions, among))
        self.vouch(scene, who, found.open)
        return found

    def vouch(self, scene: Scene, who: str, uses: Sequence[Use]) -> None:
        """Keep in mind that all these ways were found to be allowed in this scene: they need not be checked again."""
        self._offered = scene, who, uses

    def _among(self, reactions: bool, among: Iterable[str]) -> list[Action]:
        """The actions that are turned to on one's turn or as reactions, all or some: the same whenever it is asked."""
        wanted = (reactions, tuple(among))
        known = self._by_among.get(wanted)
        if known is None:
            kind = [action for action in self.by_id.values() if action.reaction is reactions]
            known = [action for action in kind if action.id in wanted[1]] if wanted[1] else kind
            if len(self._by_among) < MOST_AMONG:
                self._by_among[wanted] = known
        return known

    @staticmethod
    def _open_to(scene: Scene, who: str, actions: Iterable[Action]) -> Offer[Use]:
        allowed: list[Use] = []
        shut: list[tuple[Action, Unmet, bool]] = []
        asked: Asked = {}
        for action in actions:
            unmet = action.unmet_by_actor(scene, who, asked)
            of_actor = unmet is not None
            if unmet is None:
                found, unmet = action.allowed(scene, who)
                if found:
                    allowed += found
                    continue
            if unmet is not None:
                shut.append((action, unmet, of_actor))

        def closed() -> Iterator[Closed]:
            for action, unmet, of_actor in shut:
                if not of_actor or any(True for _ in action.ways(scene, who)):  # else nothing is there to be refused
                    reason, rule = _by(*unmet)
                    yield Closed(action.id, reason, rule, action.title)

        return Offer(allowed, closed)

    def check(self, scene: Scene, who: str, use: Use) -> Action:
        """The action of a use that is allowed; raises :class:`RulesSayNo` with the reason and rule if it is not."""
        action = self.by_id.get(use.action)
        if action is None:
            raise BadInput(f'there is no action "{use.action:.40}"{nearest(use.action, self.by_id)}')
        offered_in, to, offered = self._offered
        if offered_in is scene and to == who and use in offered:  # as a rule the very object, and so found at once
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
