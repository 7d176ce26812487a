"""Advice at the open question of a session: what each offered option is worth, the best one, and by how much.

Three kinds of questions are asked at a table. A choice inside a rule is worth the rule's objective, exactly, when
everything after it is done well. A question that says what it leads to is worth that. An action of a turn is worth what
the system's own value function makes of the scenes that it can lead to, each with its exact chance: one action ahead,
as the policy ``best`` plays. Where that is too much for one of the actions, all are told by the system's rating, as the
policy ``careful`` plays. All of it is told as far as the seat that is asked may know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from tablewright.engine import Choose, Situation, TooMuch
from tablewright.engine.advice import advise_now, weigh_options
from tablewright.engine.values import to_json
from tablewright.errors import BadInput
from tablewright.game.actions import Use
from tablewright.game.policies import outcomes_of
from tablewright.game.rulebook import Rating
from tablewright.game.scene import Scene
from tablewright.game.session import Session
from tablewright.lab.deadline import NEVER, Deadline
from tablewright.lab.prospects import foremost, usual_in

Basis: TypeAlias = Literal["rule", "leads to", "value", "rating"]


@dataclass(frozen=True)
class Offer:
    """One option of the open question, and what it is worth by what the advice goes by.

    ``change`` is how much better the scene is than it is now, by the system's value; ``rating`` is what the system
    thinks of the option at a glance.
    """

    id: str
    label: str
    value: Fraction
    best: bool = False
    change: Fraction | None = None
    rating: Rating | None = None

    def to_json(self) -> dict[str, Any]:
        """The offer as JSON."""
        told: dict[str, Any] = {"option": self.id, "label": self.label, "best": self.best}
        told |= {"value": float(self.value), "exact": str(self.value)}
        if self.change is not None:
            told["change"] = float(self.change)
        if self.rating is not None:
            told["rating"] = {name: to_json(Fraction(part)) for name, part in self.rating._asdict().items()}
        return told


@dataclass(frozen=True)
class TurnAdvice:
    """What the options of one question are worth to whoever is asked; ``basis`` says by what.

    ``why`` says what was too much where options are told by ratings instead of by exact values, ``in_chances`` that the
    values are declared to be chances.
    """

    seat: str
    question: str
    basis: Basis
    objective: str
    offers: tuple[Offer, ...]
    wants_least: bool = False
    why: str = ""
    in_chances: bool = False

    @property
    def best(self) -> Offer:
        """The option to take."""
        return next(offer for offer in self.offers if offer.best)

    @property
    def margin(self) -> Fraction:
        """By how much the best option is better than the next best; 0 where several are equally good."""
        best = self.best
        return min([abs(best.value - offer.value) for offer in self.offers if offer is not best], default=Fraction(0))

    @property
    def ranked(self) -> tuple[Offer, ...]:
        """The offers, best first."""
        sign = 1 if self.wants_least else -1
        return tuple(sorted(self.offers, key=lambda offer: (not offer.best, sign * offer.value)))

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
    """What each option of the open question of a session is worth, as far as ``seat`` (who is asked) may know.

    Where the time is not enough for all actions of a turn, they are told by their ratings.

    >>> from tablewright.game.opening import open_session
    >>> from tablewright.game.scenario import load_scenario
    >>> session = open_session(load_scenario("stage:together"), seed=1)
    >>> session.do("stage.encounter")
    >>> while not isinstance(session.question, Choose):
    ...     session.roll()
    >>> advice = advise_turn(session)
    >>> advice.basis, len(advice.offers) == len(session.question.ids), advice.best in advice.offers
    ('value', True, True)
    """
    playing, question = session.playing, session.question
    if playing is None or session.seat is None or not isinstance(question, Choose):
        raise BadInput("advice is for choices, and none is open")
    viewer = seat or session.seat
    if playing.calls:
        mechanic = playing.calls[0].mechanic
        situation = replace(_now(session, viewer), in_chances=mechanic.is_chance())
        return _by_situation(session.seat, question, situation, "rule", mechanic.objective(None)[0])
    weighed = weigh_options(question, viewer)
    if weighed is not None:
        return _by_situation(session.seat, question, weighed, "leads to", question.objective or "what is rolled next")
    who = question.about.get("who")
    if who is None or not any(isinstance(option, Use) for option in question.options):
        raise BadInput(f'nothing says what the options of "{question.question}" are worth')
    return _by_value(session, question, who, deadline, progress)


def _now(session: Session, viewer: str) -> Situation:
    assert session.playing is not None
    choices = advise_now(session.playing, seat=viewer).choices
    if not choices:
        raise BadInput("nothing is known about what these options are worth")
    return choices[0]


def _by_situation(seat: str, question: Choose[Any], situation: Situation, basis: Basis, objective: str) -> TurnAdvice:
    labels = dict(zip(question.ids, map(question.label, question.options), strict=True))
    offers = tuple([Offer(one.id, labels.get(one.id, one.id), one.value, one.best) for one in situation.options])
    best = situation.best.value
    least = all(best <= one.value for one in situation.options) and any(best < one.value for one in situation.options)
    chances = situation.in_chances
    return TurnAdvice(seat, situation.question, basis, objective, offers, wants_least=least, in_chances=chances)


def _by_value(
    session: Session,
    question: Choose[Any],
    who: str,
    deadline: Deadline,
    progress: Callable[[int, int], None] | None,
) -> TurnAdvice:
    """Each action one step ahead, by the exact average of the system's value over where it can lead."""
    book, side = session.book, session.scene[who].side
    scene = book.supposed_by(session.scene, side)
    now = Fraction(book.value(scene, side))
    values: list[Fraction] = []
    why = ""
    for option in question.options:
        try:
            values.append(_worth(session, scene, who, side, option))
        except TooMuch as problem:
            why = str(problem)
        if progress is not None:
            progress(len(values), len(question.ids))
        if not why and len(values) < len(question.ids) and deadline.passed:
            why = f"{len(values)} of {len(question.ids)} options took {deadline}"
        if why:
            break
    changes: list[Fraction | None] = [value - now for value in values]
    ratings = [book.rate(session.scene, who, one) if isinstance(one, Use) else Rating() for one in question.options]
    if why:
        values = [Fraction(rating.harm) + Fraction(rating.safety) - Fraction(rating.cost) for rating in ratings]
        changes = [None] * len(values)
    worth, looks = dict(zip(question.ids, values, strict=True)), dict(zip(question.ids, ratings, strict=True))
    best = foremost(worth, looks, usual_in(session, question))
    labels = map(question.label, question.options)
    offers = [
        Offer(name, label, value, name == best, change, rating)
        for name, label, value, change, rating in zip(question.ids, labels, values, changes, ratings, strict=True)
    ]
    assert session.seat is not None
    objective = "harm and safety at a glance, less the cost" if why else "the system's value of the scene after it"
    basis: Basis = "rating" if why else "value"
    return TurnAdvice(session.seat, question.question, basis, objective, tuple(offers), why=why)


def _worth(session: Session, scene: Scene, who: str, side: str, option: Any) -> Fraction:
    book = session.book
    if not isinstance(option, Use) or option.action not in book.actions.by_id:
        return Fraction(book.value(scene, side))
    after = outcomes_of(book, scene, who, option)
    total = sum([weight * Fraction(book.value(outcome, side)) for outcome, weight in after], Fraction(0))
    return total / sum([weight for _, weight in after])
