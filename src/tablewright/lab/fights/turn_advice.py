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
from typing import Any, Literal, TypeAlias

from tablewright.engine import Choice, DecisionPoint, TooComplexError
from tablewright.engine.advice import advise_open_choice, value_options
from tablewright.engine.json_values import to_json
from tablewright.errors import InvalidInputError
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.scene import Scene
from tablewright.game.session.policies import outcomes_of
from tablewright.game.session.session import Session
from tablewright.game.system.rulebook import Rating
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

    ``seat`` defaults to the deciding seat. If the deadline passes before all actions are valued, all get their ratings.

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


def _by_value(
    session: Session,
    question: Choice[Any],
    who: str,
    deadline: Deadline,
    progress: Callable[[int, int], None] | None,
) -> TurnAdvice:
    """Value each action one step ahead by the exact mean of the system's scene score."""
    book, side = session.rulebook, session.scene[who].side
    scene = book.supposed_by(session.scene, side)
    now = Fraction(book.score_scene(scene, side))
    most = ways_within(deadline)
    values: list[Fraction] = []
    menus: set[str] = set()
    why = ""
    for option in question.options:
        try:
            values.append(_worth(session, scene, (who, side), option, most, menus))
        except TooComplexError as problem:
            why = str(problem)
        if progress is not None:
            progress(len(values), len(question.ids))
        if not why and len(values) < len(question.ids) and deadline.passed:
            why = f"{len(values)} of {len(question.ids)} options took {deadline}"
        if why:
            break
    changes: list[Fraction | None] = [value - now for value in values]
    ratings = [
        book.rate_use(session.scene, who, one) if isinstance(one, ActionUse) else Rating() for one in question.options
    ]
    if why:
        values = [Fraction(rating.harm) + Fraction(rating.safety) - Fraction(rating.cost) for rating in ratings]
        changes = [None] * len(values)
    worth, looks = dict(zip(question.ids, values, strict=True)), dict(zip(question.ids, ratings, strict=True))
    best = foremost(weighed_wholly(worth, menus), looks, usual_in(session, question))
    labels = map(question.label, question.options)
    offers = [
        OptionAdvice(name, label, value, name == best, change, rating, is_menu=name in menus)
        for name, label, value, change, rating in zip(question.ids, labels, values, changes, ratings, strict=True)
    ]
    assert session.seat is not None
    objective = "harm and safety at a glance, less the cost" if why else "the system's value of the scene after it"
    basis: Basis = "rating" if why else "value"
    return TurnAdvice(session.seat, question.question, basis, objective, tuple(offers), why=why)


def _worth(  # noqa: PLR0917
    session: Session, scene: Scene, whose: tuple[str, str], option: Any, most: int, menus: set[str]
) -> Fraction:
    book, (who, side) = session.rulebook, whose
    if not isinstance(option, ActionUse) or option.action not in book.actions.by_id:
        return Fraction(book.score_scene(scene, side))
    after = outcomes_of(book, scene, who, option, most, menus=menus)
    total = sum([weight * Fraction(book.score_scene(outcome, side)) for outcome, weight in after], Fraction(0))
    return total / sum([weight for _, weight in after])
