"""Advice on the open choice of a session: the value of each option, the best one and its margin.

A choice inside a mechanic gets the exact value of the mechanic's objective, given best play afterwards. A choice that
declares what it leads to gets the value of that. An action of a turn gets the exact mean of the system's scene score
over all scenes it can lead to: one action ahead, as the policy ``best`` plays. If one action is too complex or time
runs out, all actions get the system's rating instead, as the policy ``careful`` plays. Advice uses only what the
deciding seat may know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias
from weakref import WeakKeyDictionary

from tablewright.engine import Choice, DecisionPoint, TooComplexError
from tablewright.engine.advice import advise_open_choice, value_options
from tablewright.engine.json_values import to_json
from tablewright.errors import InvalidInputError
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.scene import Scene
from tablewright.game.session.policies import outcomes_of
from tablewright.game.session.session import Session
from tablewright.game.system.rulebook import Rating, Rulebook
from tablewright.lab.deadline import NEVER, Deadline
from tablewright.lab.fights.forecast import foremost, usual_in, ways_within, weighed_wholly

Basis: TypeAlias = Literal["rule", "leads to", "value", "rating"]


@dataclass(frozen=True)
class OptionAdvice:
    """One option of the open choice with its value.

    ``change`` is the gain over the present scene by the system's score; ``rating`` is the system's quick estimate.
    ``is_menu`` marks an action behind which further ones are chosen: its value is that of the default, and it is never
    the best one.
    """

    id: str
    label: str
    value: Fraction
    best: bool = False
    change: Fraction | None = None
    rating: Rating | None = None
    is_menu: bool = False

    def to_json(self) -> dict[str, Any]:
        """The option as JSON."""
        told: dict[str, Any] = {"option": self.id, "label": self.label, "best": self.best}
        told |= {"value": float(self.value), "exact": str(self.value)}
        if self.change is not None:
            told["change"] = float(self.change)
        if self.rating is not None:
            told["rating"] = {name: to_json(Fraction(part)) for name, part in self.rating._asdict().items()}
        return told


@dataclass(frozen=True)
class TurnAdvice:
    """Values of all options of one choice; ``basis`` names their source.

    ``why`` explains a fallback from exact values to ratings. ``in_chances`` marks values that are probabilities.
    """

    seat: str
    question: str
    basis: Basis
    objective: str
    offers: tuple[OptionAdvice, ...]
    wants_least: bool = False
    why: str = ""
    in_chances: bool = False

    @property
    def best(self) -> OptionAdvice:
        """The recommended option."""
        return next(offer for offer in self.offers if offer.best)

    @property
    def margin(self) -> Fraction:
        """Distance from the best option to the next best; 0 for a tie."""
        best = self.best
        others = [offer for offer in self.offers if offer is not best and (best.is_menu or not offer.is_menu)]
        return min([abs(best.value - offer.value) for offer in others], default=Fraction(0))

    @property
    def ranked(self) -> tuple[OptionAdvice, ...]:
        """Options, best first, and menus last."""
        sign = 1 if self.wants_least else -1
        return tuple(sorted(self.offers, key=lambda offer: (not offer.best, offer.is_menu, sign * offer.value)))

    def to_json(self) -> dict[str, Any]:
        """The advice as JSON."""
        return {
            "seat": self.seat,
            "question": self.question,
            "basis": self.basis,
            "objective": self.objective,
            "better_by": {"value": float(self.margin), "exact": str(self.margin)},
            "options": [offer.to_json() for offer in self.offers],
        } | ({"why": self.why} if self.why else {})


def advise_turn(
    session: Session,
    *,
    seat: str | None = None,
    deadline: Deadline = NEVER,
    progress: Callable[[int, int], None] | None = None,
) -> TurnAdvice:
    """Value each option of the open choice, using what ``seat`` may know.

    ``seat`` defaults to the deciding seat. If the deadline passes before all actions are valued, all get their ratings;
    asked again at the same question, it goes on, and gives exact values once all are there.

    >>> from tablewright.game.session.opening import open_session
    >>> from tablewright.game.scenario.loader import load_scenario
    >>> session = open_session(load_scenario("stage:together"), seed=1)
    >>> session.do("stage.encounter")
    >>> while not isinstance(session.question, Choice):
    ...     session.roll()
    >>> advice = advise_turn(session)
    >>> advice.basis, len(advice.offers) == len(session.question.ids), advice.best in advice.offers
    ('value', True, True)
    """
    playing, question = session.playing, session.question
    if playing is None or session.seat is None or not isinstance(question, Choice):
        raise InvalidInputError("advice is for choices, and none is open; ask again at the next one")
    viewer = seat or session.seat
    if playing.calls:
        mechanic = playing.calls[0].mechanic
        situation = replace(_now(session, viewer), in_chances=mechanic.is_chance())
        return _by_situation(session.seat, question, situation, "rule", mechanic.objective(None)[0])
    weighed = value_options(question, viewer)
    if weighed is not None:
        return _by_situation(session.seat, question, weighed, "leads to", question.objective or "what is rolled next")
    who = question.details.get("who")
    if who is None or not any(isinstance(option, ActionUse) for option in question.options):
        raise InvalidInputError(f'nothing says what the options of "{question.question}" are worth')
    return _by_value(session, question, who, deadline, progress)


def _now(session: Session, viewer: str) -> DecisionPoint:
    assert session.playing is not None
    choices = advise_open_choice(session.playing, seat=viewer).choices
    if not choices:
        raise InvalidInputError("nothing is known about what these options are worth")
    return choices[0]


def _by_situation(
    seat: str, question: Choice[Any], situation: DecisionPoint, basis: Basis, objective: str
) -> TurnAdvice:
    labels = dict(zip(question.ids, map(question.label, question.options), strict=True))
    offers = tuple([OptionAdvice(one.id, labels.get(one.id, one.id), one.value, one.best) for one in situation.options])
    best = situation.best.value
    least = all(best <= one.value for one in situation.options) and any(best < one.value for one in situation.options)
    chances = situation.in_chances
    return TurnAdvice(seat, situation.question, basis, objective, offers, wants_least=least, in_chances=chances)


class _WeighedTurn:
    """Actions of one turn, valued one after the other; asked again, it goes on where it stopped."""

    def __init__(self, session: Session, question: Choice[Any], who: str) -> None:
        self.question, self.before, self.who = question, session.scene, who
        self._book, self._side = session.rulebook, session.scene[who].side
        self._scene = self._book.supposed_by(self.before, self._side)
        self._values: dict[str, Fraction] = {}
        self._menus: set[str] = set()

    @cached_property
    def _ratings(self) -> dict[str, Rating]:
        rate, options = self._book.rate_use, zip(self.question.ids, self.question.options, strict=True)
        return {
            name: rate(self.before, self.who, one) if isinstance(one, ActionUse) else Rating() for name, one in options
        }

    def go_on(self, deadline: Deadline, progress: Callable[[int, int], None] | None) -> str:
        """Value further actions; gives why some are left, which is empty if none is."""
        most, names = ways_within(deadline), self.question.ids
        for name, option in zip(names, self.question.options, strict=True):
            if name in self._values:
                continue
            if deadline.passed:
                return f"{len(self._values)} of {len(names)} options took {deadline}"
            try:
                self._values[name] = _worth(self._book, self._scene, (self.who, self._side), option, most, self._menus)
            except TooComplexError as problem:
                return str(problem)
            if progress is not None:
                progress(len(self._values), len(names))
        return ""

    def advice(self, seat: str, usual: str, why: str) -> TurnAdvice:
        """Exact values, or ratings if there is a reason for them."""
        ratings, now = self._ratings, Fraction(self._book.score_scene(self._scene, self._side))
        values = {name: _at_a_glance(rating) for name, rating in ratings.items()} if why else self._values
        best = foremost(weighed_wholly(values, self._menus), ratings, usual)
        offers = [
            OptionAdvice(
                name,
                self.question.label(option),
                values[name],
                name == best,
                None if why else values[name] - now,
                ratings[name],
                is_menu=name in self._menus,
            )
            for name, option in zip(self.question.ids, self.question.options, strict=True)
        ]
        objective = "harm and safety at a glance, less the cost" if why else "the system's value of the scene after it"
        basis: Basis = "rating" if why else "value"
        return TurnAdvice(seat, self.question.question, basis, objective, tuple(offers), why=why)


_under_way: WeakKeyDictionary[Session, _WeighedTurn] = WeakKeyDictionary()
"""The turn last weighed in a session; exact values that are missing are added when it is asked again."""


def _by_value(
    session: Session,
    question: Choice[Any],
    who: str,
    deadline: Deadline,
    progress: Callable[[int, int], None] | None,
) -> TurnAdvice:
    """Value each action one step ahead by the exact mean of the system's scene score."""
    turn = _under_way.get(session)
    if turn is None or turn.question is not question or turn.before is not session.scene:
        turn = _under_way[session] = _WeighedTurn(session, question, who)
    why = turn.go_on(deadline, progress)
    assert session.seat is not None
    return turn.advice(session.seat, usual_in(session, question), why)


def _at_a_glance(rating: Rating) -> Fraction:
    return Fraction(rating.harm) + Fraction(rating.safety) - Fraction(rating.cost)


def _worth(  # noqa: PLR0917
    book: Rulebook, scene: Scene, whose: tuple[str, str], option: Any, most: int, menus: set[str]
) -> Fraction:
    who, side = whose
    if not isinstance(option, ActionUse) or option.action not in book.actions.by_id:
        return Fraction(book.score_scene(scene, side))
    after = outcomes_of(book, scene, who, option, most, menus=menus)
    total = sum([weight * Fraction(book.score_scene(outcome, side)) for outcome, weight in after], Fraction(0))
    return total / sum([weight for _, weight in after])
