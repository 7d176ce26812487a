"""Actions as declarations: candidates, costs, requirements and the rules behind them.

One legality check serves the open options, the closed options with their reasons, and the errors for illegal attempts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeAlias

from tablewright.engine import ClosedOption, OptionList
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean
from tablewright.game.play.costs import PURSES, Cost, CostPaid, Resources
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene


class ActionUse:
    """One use of an action: its target and its detail (weapon, destination).

    ``label`` and ``cost_text`` are for display; they do not take part in equality. The cost text may be a function,
    which is called on first access. A fight creates thousands of uses and reads few of them. This is therefore a
    hand-written frozen class: it takes a third of the time of a frozen dataclass to create.
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

    def __reduce__(self) -> tuple[type[ActionUse], tuple[Any, ...]]:
        return ActionUse, (self.action, self.target, self.detail, self.label, self.cost_text)

    @property
    def cost_text(self) -> str:
        """The cost in words, computed on first access."""
        cost = self._cost
        if not isinstance(cost, str):
            cost = cost()
            _write_cost(self, cost)
        return cost

    @property
    def id(self) -> str:
        """The stable id of the option, such as ``attack:goblin-2:club``.

        >>> ActionUse("attack", "goblin", "club").id, ActionUse("rest").id, ActionUse("draw", detail="club").id
        ('attack:goblin:club', 'rest', 'draw::club')
        """
        if self.detail is not None:
            return f"{self.action}:{self.target or ''}:{self.detail}"
        return self.action if self.target is None else f"{self.action}:{self.target}"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ActionUse):
            return NotImplemented
        return self.action == other.action and self.detail == other.detail and self.target == other.target

    def __hash__(self) -> int:
        return hash((self.action, self.target, self.detail))

    def __repr__(self) -> str:
        return f"Use({self.id!r}, label={self.label!r})"


_write_action, _write_target, _write_detail, _write_label, _write_cost = [
    ActionUse.__dict__[name].__set__ for name in ("action", "target", "detail", "label", "_cost")
]
"""Slot setters that bypass the frozen ``__setattr__``."""


class Refusal(NamedTuple):
    """The reason for a refusal, and its rule where that differs from the rule of the requirement."""

    reason: str
    rule: str


Holds: TypeAlias = Callable[[Scene, str, ActionUse], "str | Refusal | None"]
"""Function that returns None if a requirement is met, otherwise the reason in words."""

Asked: TypeAlias = dict[Any, Any]
"""Cached results of the ``always`` requirements of one actor in one scene, by identity of the requirement."""

_BARRING = "barring"
"""Key of the identities of those that are not met, as far as they are known."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A condition of an action, with the rule that demands it.

    A ``once`` requirement depends on the actor alone and is checked once for all uses of an action. An ``always``
    requirement does not depend on the action either: all actions that share the same object share one check.
    """

    rule: str
    refuse: Holds
    once: bool = False
    always: bool = False


def needs(
    holds: Callable[[Scene, str], object], otherwise: str, rule: str = "", *, always: bool = False
) -> Requirement:
    """A condition of the actor alone, with the reason where it does not hold; by default by the action's first rule."""

    def refuse(scene: Scene, who: str, use: ActionUse) -> str | None:
        return None if holds(scene, who) else otherwise

    refuse.__wrapped__ = holds  # type: ignore[attr-defined]  # the place of the rule, for `rules --code`
    return Requirement(rule, refuse, once=not always, always=always)


def of_target(holds: Callable[[Scene, str], object], otherwise: str, rule: str = "") -> Requirement:
    """A condition of the target alone, with the reason where it does not hold; ``{}`` in it stands for the name."""

    def refuse(scene: Scene, who: str, use: ActionUse) -> str | None:
        target = str(use.target)
        return None if holds(scene, target) else otherwise.format(scene.display_name(target))

    refuse.__wrapped__ = holds  # type: ignore[attr-defined]  # the place of the rule, for `rules --code`
    return Requirement(rule, refuse)


def once(refuse: Holds, rule: str = "") -> Requirement:
    """A requirement of the actor alone, by default by the first rule of the action."""
    return Requirement(rule, refuse, once=True)


def each_use(refuse: Holds, rule: str = "") -> Requirement:
    """A requirement of each use, by default by the first rule of the action."""
    return Requirement(rule, refuse)


Performed: TypeAlias = Callable[[Game, str, ActionUse], Awaitable[None]]
_OfActor: TypeAlias = tuple["int | None", Holds, Requirement]
"""A requirement of the actor alone, after its identity if it is an ``always`` one."""


@dataclass(frozen=True, slots=True)
class Action:
    """Declaration of an action: its candidates, requirements, cost and performance.

    ``candidates`` lists the possible uses (targets, weapons, destinations), legal or not; without it there is exactly
    one use. ``requires`` are checked in order, those of the actor first; the first unmet one gives the reason. A
    ``reaction`` is offered when something triggers it, not on the participant's own turn.

    ``cost_text`` is only text. A ``cost`` is enforced: the action is refused by ``price_rule`` (default: the first of
    ``rules``) if the actor cannot pay, the cost is paid before anything else happens, and it supplies the cost text. A
    cost that is the same for all uses is checked once.

    ``legal`` lists the uses that meet every requirement, in the order of the candidates, for an actor who meets its
    own. It saves bots the check of each use; without it the candidates are checked one by one.
    """

    id: str
    title: str
    rules: tuple[str, ...]
    perform: Performed
    requires: tuple[Requirement, ...] = ()
    candidates: Callable[[Scene, str], Iterable[ActionUse]] | None = None
    cost_text: Callable[[Scene, str, ActionUse], str] | str = ""
    reaction: bool = False
    cost: Cost | Callable[[Scene, str, ActionUse], Cost] | None = None
    price_rule: str = ""
    legal: Callable[[Scene, str], Iterable[ActionUse]] | None = None
    _of_actor: tuple[_OfActor, ...] = field(init=False, repr=False, compare=False)
    _of_way: tuple[Requirement, ...] = field(init=False, repr=False, compare=False)
    _shared: frozenset[int] = field(init=False, repr=False, compare=False)
    plain: ActionUse = field(init=False, repr=False, compare=False)
    """The use without a target and a detail."""

    def __post_init__(self) -> None:
        requires = tuple([one if one.rule else replace(one, rule=self.rules[0]) for one in self.requires])
        object.__setattr__(self, "requires", requires)
        of_actor = [one for one in self.requires if one.once or one.always]
        by_key = [(id(one) if one.always else None, one.refuse, one) for one in of_actor]
        object.__setattr__(self, "_of_actor", tuple(by_key))
        object.__setattr__(self, "_shared", frozenset([known for known, _, _ in by_key if known is not None]))
        object.__setattr__(self, "_of_way", tuple([one for one in self.requires if one not in of_actor]))
        words = self.cost_text if isinstance(self.cost_text, str) else ""
        object.__setattr__(self, "plain", ActionUse(self.id, label=self.title, cost=words))

    def price_of(self, scene: Scene, who: str, use: ActionUse) -> Cost:
        """The cost of this use in this scene; an empty cost if the action has none."""
        if self.cost is None or isinstance(self.cost, Cost):
            return self.cost or _NOTHING
        return self.cost(scene, who, use)

    def priced(self, purses: Resources, payable: Callable[[str, Cost], Requirement]) -> Action:
        """Return the action with the requirement and the text that follow from its cost.

        ``payable`` builds the requirement for a constant cost; actions with equal costs share it.
        """
        price = self.cost
        if price is None:
            return self
        rule = self.price_rule or self.rules[0]

        def short(scene: Scene, who: str, use: ActionUse) -> str | None:
            return purses.short(scene, who, self.price_of(scene, who, use))

        def words(scene: Scene, who: str, use: ActionUse) -> str:
            return purses.words_for(scene, who, self.price_of(scene, who, use))

        required = payable(rule, price) if isinstance(price, Cost) else Requirement(rule, short)
        return replace(self, requires=(*self.requires, required), cost_text=self.cost_text or words, price_rule=rule)

    def uses_for(self, scene: Scene, who: str) -> Iterator[ActionUse]:
        """All candidate uses, legal or not, with label and cost text."""
        for use in self._uses(scene, who):
            yield self.told(scene, who, use)

    def _uses(self, scene: Scene, who: str) -> Iterable[ActionUse]:
        return (self.plain,) if self.candidates is None else self.candidates(scene, who)

    def told(self, scene: Scene, who: str, use: ActionUse) -> ActionUse:
        """Add label and cost text to a use that lacks them."""
        cost = use._cost  # noqa: SLF001 - `cost_text` would make the words
        if use.label and (cost or not self.cost_text):
            return use
        if not cost:
            words = self.cost_text
            cost = words if isinstance(words, str) else partial(words, scene, who, use)
        return ActionUse(use.action, use.target, use.detail, use.label or self.title, cost)

    def refusal(self, scene: Scene, who: str, use: ActionUse) -> Refusal | None:
        """The first unmet requirement of a use, or None if it is legal."""
        return self.refusal_of_actor(scene, who) or self.refusal_of_way(scene, who, use)

    def refusal_of_actor(self, scene: Scene, who: str) -> Refusal | None:
        """The first unmet requirement that depends on the actor alone, or None."""
        unmet = self.unmet_by_actor(scene, who, {})
        return None if unmet is None else _by(*unmet)

    def refusal_of_way(self, scene: Scene, who: str, use: ActionUse) -> Refusal | None:
        """The first unmet requirement of this use that does not depend on the actor alone, or None."""
        for requirement in self._of_way:
            refused = requirement.refuse(scene, who, use)
            if refused is not None:
                return _by(requirement, refused)
        return None

    def unmet_by_actor(self, scene: Scene, who: str, asked: Asked) -> Unmet | None:
        """The first requirement that bars the actor from every use, or None.

        ``asked`` caches the ``always`` requirements across actions.
        """
        for known, refuse, requirement in self._of_actor:
            if known is None:
                refused = refuse(scene, who, self.plain)
            elif known in asked:
                refused = asked[known]
            else:
                refused = asked[known] = refuse(scene, who, self.plain)
            if refused is not None:
                return requirement, refused
        return None

    def is_barred(self, scene: Scene, who: str, asked: Asked) -> bool:
        """True if the actor is barred from every use; the reason is not looked up.

        Most actions are barred by what has barred another one, such as the lack of time; that is looked up first.
        """
        barring = asked.get(_BARRING)
        if barring is not None and not self._shared.isdisjoint(barring):
            return True
        for known, refuse, _ in self._of_actor:
            if known is None:
                if refuse(scene, who, self.plain) is not None:
                    return True
            elif known not in asked:
                asked[known] = refused = refuse(scene, who, self.plain)
                if refused is not None:
                    asked[_BARRING] = (known,) if barring is None else (*barring, known)
                    return True
            elif asked[known] is not None:
                return True
        return False

    def allowed(self, scene: Scene, who: str) -> tuple[list[ActionUse], Unmet | None]:
        """Legal uses for an actor that meets its own requirements, and what the first illegal use does not meet."""
        found: list[ActionUse] = []
        first: Unmet | None = None
        if self.legal is not None:
            found += [self.told(scene, who, use) for use in self.legal(scene, who)]
            if found:
                return found, None
        required = self._of_way
        for use in self._uses(scene, who):
            for requirement in required:
                refused = requirement.refuse(scene, who, use)
                if refused is not None:
                    first = first or (requirement, refused)
                    break
            else:
                found.append(self.told(scene, who, use))
        return found, first

    def open_to(self, scene: Scene, who: str, asked: Asked) -> tuple[list[ActionUse], Unmet | None, bool]:
        """Legal uses; without any, what is not met, and whether that bars the actor from every use."""
        unmet = self.unmet_by_actor(scene, who, asked)
        if unmet is not None:
            return [], unmet, True
        found, unmet = self.allowed(scene, who)
        return found, None if found else unmet, False

    def closed_by(self, scene: Scene, who: str, unmet: Unmet, *, of_actor: bool) -> list[ClosedOption]:
        """The action as a closed option; none if it has no candidates."""
        if of_actor and not any(True for _ in self._uses(scene, who)):
            return []
        reason, rule = _by(*unmet)
        return [ClosedOption(self.id, reason, rule, self.title)]

    def open_ways(self, scene: Scene, who: str, asked: Asked) -> Iterable[ActionUse]:
        """Legal uses without label and cost text, for callers that display nothing."""
        if self._of_actor and self.is_barred(scene, who, asked):
            return ()
        return self.checked_ways(scene, who) if self.legal is None else self.legal(scene, who)

    def unchecked_ways(self, scene: Scene, who: str, asked: Asked) -> Iterable[ActionUse]:
        """Candidates of an actor that meets its own requirements, legal or not."""
        if self._of_actor and self.is_barred(scene, who, asked):
            return ()
        return self._uses(scene, who)

    def checked_ways(self, scene: Scene, who: str) -> Iterable[ActionUse]:
        """Candidates that meet the requirements of a use, checked one by one."""
        uses, required = self._uses(scene, who), self._of_way
        return self._met(scene, who, uses) if required else uses

    def _met(self, scene: Scene, who: str, uses: Iterable[ActionUse]) -> Iterator[ActionUse]:
        required = self._of_way
        for use in uses:
            for requirement in required:
                if requirement.refuse(scene, who, use) is not None:
                    break
            else:
                yield use


Unmet: TypeAlias = tuple[Requirement, "str | Refusal"]
"""An unmet requirement and its answer."""


def _by(requirement: Requirement, refused: str | Refusal) -> Refusal:
    """Attach the rule to a refusal: the requirement's own unless the refusal names another."""
    return Refusal(refused, requirement.rule) if isinstance(refused, str) else refused


_NOTHING = Cost()


def _payable(purses: Resources, rule: str, price: Cost) -> Requirement:
    """The requirement that a constant cost can be paid."""
    return Requirement(rule, lambda scene, who, use: purses.short(scene, who, price), always=True)


MOST_AMONG = 1_024
"""Upper bound for cached selections of a system's actions."""


class Actions:
    """All actions of a system, their legality check, and the resources that pay their costs."""

    def __init__(self, actions: Sequence[Action], purses: Resources = PURSES) -> None:
        self.by_id: dict[str, Action] = {}
        self.purses = purses
        payable = lru_cache(maxsize=None)(partial(_payable, purses))
        for action in actions:
            if action.id in self.by_id:
                raise InvalidInputError(f'two actions are called "{action.id}"')
            self.by_id[action.id] = action.priced(purses, payable)
        self._offered: tuple[Scene | None, str, Sequence[ActionUse]] = (None, "", ())
        self._by_among: dict[tuple[bool, tuple[str, ...]], list[Action]] = {}

    def __iter__(self) -> Iterator[Action]:
        return iter(self.by_id.values())

    def options(
        self, scene: Scene, who: str, *, reactions: bool = False, among: Iterable[str] = ()
    ) -> list[ActionUse | ClosedOption]:
        """Legal uses, and one closed option for each action that has none.

        ``among`` narrows the actions, for example to the reactions that a trigger allows.
        """
        found: list[ActionUse | ClosedOption] = []
        legal: list[ActionUse] = []
        asked: Asked = {}
        for action in self._among(reactions, among):
            uses, unmet, of_actor = action.open_to(scene, who, asked)
            found += uses
            legal += uses
            if unmet is not None:
                found += action.closed_by(scene, who, unmet, of_actor=of_actor)
        self.mark_legal(scene, who, legal)
        return found

    def legal_uses(
        self, scene: Scene, who: str, *, reactions: bool = False, among: Iterable[str] = ()
    ) -> OptionList[ActionUse]:
        """Legal uses; the closed options are computed only on demand."""
        found = self._open_to(scene, who, self._among(reactions, among))
        self.mark_legal(scene, who, found.open)
        return found

    def mark_legal(self, scene: Scene, who: str, uses: Sequence[ActionUse]) -> None:
        """Remember that these uses are legal in this scene; :meth:`check` then accepts them without checking again."""
        self._offered = scene, who, uses

    def _among(self, reactions: bool, among: Iterable[str]) -> list[Action]:
        """The turn actions or the reactions, all or only those in ``among``; cached."""
        wanted = (reactions, tuple(among))
        known = self._by_among.get(wanted)
        if known is None:
            kind = [action for action in self.by_id.values() if action.reaction is reactions]
            known = [action for action in kind if action.id in wanted[1]] if wanted[1] else kind
            if len(self._by_among) < MOST_AMONG:
                self._by_among[wanted] = known
        return known

    @staticmethod
    def _open_to(scene: Scene, who: str, actions: Iterable[Action]) -> OptionList[ActionUse]:
        allowed: list[ActionUse] = []
        shut: list[tuple[Action, Unmet, bool]] = []
        asked: Asked = {}
        for action in actions:
            found, unmet, of_actor = action.open_to(scene, who, asked)
            allowed += found
            if unmet is not None:
                shut.append((action, unmet, of_actor))

        def closed() -> Iterator[ClosedOption]:
            for action, unmet, of_actor in shut:
                yield from action.closed_by(scene, who, unmet, of_actor=of_actor)

        return OptionList(allowed, closed)

    def check(self, scene: Scene, who: str, use: ActionUse) -> Action:
        """Return the action of a legal use; raise :class:`IllegalActionError` with reason and rule otherwise."""
        action = self.by_id.get(use.action)
        if action is None:
            raise InvalidInputError(f'there is no action "{use.action:.40}"{did_you_mean(use.action, self.by_id)}')
        offered_in, to, offered = self._offered
        if offered_in is scene and to == who and use in offered:  # usually the same object, so the search is short
            return action
        refused = action.refusal(scene, who, use)
        if refused is not None:
            raise IllegalActionError(f"{use.id}: {refused.reason}", rule=refused.rule)
        if use not in list(action.uses_for(scene, who)):
            raise IllegalActionError(f"{use.id} cannot be done now", rule=action.rules[0] if action.rules else None)
        return action

    async def perform(self, game: Game, who: str, use: ActionUse) -> None:
        """Check a use again, pay its cost, and perform it."""
        action = self.check(game.scene, who, use)
        game.begin_act()
        try:
            if action.cost is not None:
                price = action.price_of(game.scene, who, use)
                game.emit(CostPaid(who=who, use=use.id, price=price, cause=action.price_rule))
            await action.perform(game, who, use)
        finally:
            game.end_act()
