"""Exact forecast of an action: chance to hit, mean damage, chance to fell an enemy, and risk.

All figures come from the scenes that the action can lead to, each with its exact probability. Damage is defined by the
system's vitals. Forecasts use only what the acting side may know.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from tablewright.engine import Choice
from tablewright.engine.exact.tree import MOST_RUNS
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.ground.bands import Together
from tablewright.game.play.actions import ActionUse
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.scene.scene import Scene
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import QUICK_WAYS, outcomes_of
from tablewright.game.session.session import Session
from tablewright.game.system.rulebook import Rating, Rulebook
from tablewright.lab.deadline import NEVER, Deadline

MOST_WAYS = MOST_RUNS - 1
"""Upper bound for the ways through one action; below that of the engine, which then soon gives up a hopeless one."""

MOST_ROUNDS = 2
"""Upper bound for rounds in which every participant has had a turn."""


class ActionForecast(NamedTuple):
    """Exact forecast of one action.

    ``hits`` is the chance to damage an enemy, ``harm`` the mean damage, ``fells`` the chance that a standing enemy
    falls, ``risk`` the chance to damage the own side. ``value`` is the mean of the system's scene score for the side
    afterwards.
    """

    hits: Fraction
    harm: Fraction
    fells: Fraction
    risk: Fraction
    value: Fraction

    @staticmethod
    def of_nothing(value: Fraction) -> ActionForecast:
        """Forecast of an action that leaves a scene of this value unchanged."""
        return ActionForecast(Fraction(0), Fraction(0), Fraction(0), Fraction(0), value)

    def to_json(self) -> dict[str, Any]:
        """The forecast as JSON: numbers, with exact fractions for all but the value."""
        told = {name: float(part) for name, part in self._asdict().items()}
        exact = {name: str(part) for name, part in self._asdict().items() if name != "value"}
        return told | {"exact": exact}


def ways_within(deadline: Deadline) -> int:
    """Upper bound for the ways through one action that is weighed within a time limit: none is left half-way.

    >>> ways_within(Deadline(None)), ways_within(Deadline(0.1)), ways_within(Deadline(5))
    (19999, 500, 5000)
    """
    return MOST_WAYS if deadline.seconds is None else min(MOST_WAYS, max(QUICK_WAYS, int(1_000 * deadline.seconds)))


def prospect(
    book: Rulebook, scene: Scene, who: str, use: ActionUse, most: int = MOST_RUNS, *, menus: set[str] | None = None
) -> ActionForecast:
    """Forecast an action in the given scene, without hiding anything; see :func:`as_known_to`.

    An action with more than ``most`` ways to go is refused. ``menus`` as in :func:`outcomes_of`.
    """
    side, reckoning = scene[who].side, book.vitals
    foes = [one for one in scene.participants if one.side != side]
    own = [one for one in scene.participants if one.side == side]
    ways = outcomes_of(book, scene, who, use, most, menus=menus)
    total = sum([weight for _, weight in ways])
    hits = harm = fells = risk = 0
    value = Fraction(0)
    for after, weight in ways:
        value += weight * Fraction(book.score_scene(after, side))
        if after.participants is scene.participants:
            continue
        lost = [
            max(0, reckoning.health_points(one) - reckoning.health_points(after[one.id]))
            for one in foes
            if one.id in after
        ]
        hits += weight * any(lost)
        harm += weight * sum(lost)
        fells += weight * any(
            reckoning.is_standing(one) and not reckoning.is_standing(after[one.id]) for one in foes if one.id in after
        )
        risk += weight * any(
            reckoning.health_points(after[one.id]) < reckoning.health_points(one) for one in own if one.id in after
        )
    shares = Fraction(hits, total), Fraction(harm, total), Fraction(fells, total), Fraction(risk, total)
    return ActionForecast(*shares, value / total)


def as_known_to(book: Rulebook, scene: Scene, side: str, seat: str | None) -> Scene:
    """The scene as a seat may know it: guesses for hidden numbers of others, no hidden participants.

    Without a seat all participants are included.
    """
    return book.supposed_by(scene if seat is None else scene.visible_to(seat), side)


# ---------------------------------------------------------------------- at the open question of a session


@dataclass(frozen=True)
class OptionForecast:
    """Forecasts of the actions of a turn; ``now`` is the score of the present scene.

    ``best`` is the recommended option. ``left_out`` lists options that took too long or could not be forecast.
    """

    question: str
    now: Fraction
    offers: Mapping[str, ActionForecast]
    best: str | None
    left_out: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The forecasts as JSON; ``change`` is the gain in score."""
        return {
            "question": self.question,
            "basis": "value",
            "options": [
                {"id": name, "value": str(one.value), "change": float(one.value - self.now), "best": name == self.best}
                | {"odds": one.to_json()}
                for name, one in self.offers.items()
            ],
            "left_out": list(self.left_out),
        }


def weigh_turn(session: Session, *, seat: str | None, deadline: Deadline = NEVER) -> OptionForecast:
    """Forecast each action of the open choice with what a seat may know; without a seat, with full knowledge.

    If the deadline passes, the actions with the lowest ratings are left out.

    >>> from tablewright.game.scenario.loader import load_scenario
    >>> session = open_session(load_scenario("stage:together"), seed=1)
    >>> session.do("stage.encounter")
    >>> while session.scene.turn is None:  # powers that serve initiative are left alone
    ...     session.choose("pass") if isinstance(session.question, Choice) else session.roll()
    >>> weighed = weigh_turn(session, seat=session.seat)
    >>> weighed.left_out, str(weighed.offers["attack:guard-1:bow"].hits)
    ((), '5/9')
    """
    question, book = session.question, session.rulebook
    who = question.details.get("who") if isinstance(question, Choice) else None
    if (
        not isinstance(question, Choice)
        or who is None
        or not any(isinstance(one, ActionUse) for one in question.options)
    ):
        raise InvalidInputError("only actions of a turn are weighed so, and none is asked for")
    scene, side = session.scene, session.scene[who].side
    if seat is not None:
        scene = as_known_to(book, scene, side, seat)
    options = dict(zip(question.ids, question.options, strict=True))
    ratings = {
        name: book.rate_use(scene, who, one) if isinstance(one, ActionUse) else Rating()
        for name, one in options.items()
    }
    now = Fraction(book.score_scene(scene, side))
    found: dict[str, ActionForecast] = {}
    menus: set[str] = set()
    for name in sorted(options, key=lambda name: -(ratings[name].harm + ratings[name].safety)):
        if deadline.passed:
            break
        use = options[name]
        try:
            found[name] = (
                prospect(book, scene, who, use, ways_within(deadline), menus=menus)
                if isinstance(use, ActionUse)
                else ActionForecast.of_nothing(now)
            )
        except TablewrightError:
            continue
    ordered = {name: found[name] for name in question.ids if name in found}
    usual = usual_in(session, question)
    best = foremost(weighed_wholly({name: one.value for name, one in ordered.items()}, menus), ratings, usual)
    left_out = tuple([name for name in question.ids if name not in found])
    return OptionForecast(question.question, now, ordered, best, left_out)


def foremost(values: Mapping[str, Fraction], ratings: Mapping[str, Rating], usual: str) -> str | None:
    """The option with the highest value; ties go to the best rating, then to the usual option.

    >>> foremost({"drop": Fraction(3), "end": Fraction(3)}, {"drop": Rating(), "end": Rating()}, "end")
    'end'
    """

    def order(name: str) -> tuple[Fraction, Fraction, bool]:
        rating = ratings[name]
        return values[name], Fraction(rating.harm) + Fraction(rating.safety) - Fraction(rating.cost), name == usual

    return max(values, key=order, default=None)


def weighed_wholly(values: Mapping[str, Fraction], menus: Collection[str]) -> Mapping[str, Fraction]:
    """The values without those of menus, behind which only the default was weighed; all of them if nothing is left.

    >>> weighed_wholly({"improvise": Fraction(9), "strike": Fraction(5)}, ["improvise"])
    {'strike': Fraction(5, 1)}
    """
    return {name: value for name, value in values.items() if name not in menus} or values


def usual_in(session: Session, question: Choice[Any]) -> str:
    """The pass action if it is offered, else the default option of the choice."""
    idle = session.rulebook.pass_action
    return idle if idle in question.ids else question.ids[question.default]


# ---------------------------------------------------------------------- two sides before they meet


class ForecastRequest(NamedTuple):
    """First-turn forecasts of one participant against each enemy, all within reach.

    ``by_target`` maps each enemy to the label and forecast of the option rated most harmful. Of identical enemies only
    one is listed.
    """

    who: str
    side: str
    by_target: Mapping[str, tuple[str, ActionForecast]]

    @property
    def hits(self) -> Fraction:
        """Mean chance to hit over all listed enemies."""
        return sum([one.hits for _, one in self.by_target.values()], Fraction(0)) / len(self.by_target)

    @property
    def harm(self) -> Fraction:
        """Mean damage over all listed enemies."""
        return sum([one.harm for _, one in self.by_target.values()], Fraction(0)) / len(self.by_target)

    def to_json(self) -> dict[str, Any]:
        """The forecasts as JSON."""
        return {
            "who": self.who,
            "side": self.side,
            "hits": float(self.hits),
            "harm": float(self.harm),
            "by_target": {target: {"label": label, **one.to_json()} for target, (label, one) in self.by_target.items()},
        }


def meet(
    scenario: Scenario, known: Collection[str] = (), *, deadline: Deadline = NEVER
) -> tuple[list[ForecastRequest], bool]:
    """First-turn forecasts of all participants against all enemies, and whether the deadline allowed all of them.

    The real encounter starts from one seed with everyone in reach; each participant passes after its forecast. Of
    identical participants on one side only the first is examined. Those in ``known`` are skipped, and at least one of
    the others is examined regardless of the deadline.
    """
    near = [replace(entrant, position=None, hidden=False) for entrant in scenario.entrants]
    session = open_session(replace(scenario, ground=Together(), entrants=tuple(near), surprised=()), seed=1)
    alike = _alike(session.scene)
    session.do(session.rulebook.encounter.name)
    found: dict[str, ForecastRequest] = {}
    seen = set(known)
    while session.question is not None and session.scene.round <= MOST_ROUNDS and not set(alike.values()) <= seen:
        question = session.question
        if not isinstance(question, Choice):
            session.roll()
            continue
        who = question.details.get("who")
        uses = [option for option in question.options if isinstance(option, ActionUse)]
        if isinstance(who, str) and uses and alike.get(who) == who and who not in seen:
            if found and deadline.passed:
                break
            seen.add(who)
            targets = _looked_at(session, who, uses, alike)
            if targets:
                found[who] = ForecastRequest(who, session.scene[who].side, targets)
        session.choose(usual_in(session, question))
    complete = session.question is None or session.scene.round > MOST_ROUNDS or set(alike.values()) <= seen
    return list(found.values()), complete


def _alike(scene: Scene) -> dict[str, str]:
    """Map each participant to the first identical one of its side."""
    first: dict[tuple[str, str], str] = {}
    names: dict[str, str] = {}
    for one in scene.participants:
        plain = {**one.character.to_json(), "name": ""}
        names[one.id] = first.setdefault((one.side, json.dumps(plain, sort_keys=True)), one.id)
    return names


def _looked_at(
    session: Session, who: str, uses: Sequence[ActionUse], alike: Mapping[str, str]
) -> dict[str, tuple[str, ActionForecast]]:
    """For each distinct enemy, the option rated most harmful and its forecast."""
    book, scene = session.rulebook, session.scene
    foes = [one.id for one in scene.enemies(who) if alike.get(one.id) == one.id]
    found: dict[str, tuple[str, ActionForecast]] = {}
    for foe in foes:
        ways = [(book.rate_use(scene, who, use).harm, use) for use in uses if use.target == foe]
        if not ways or max(harm for harm, _ in ways) <= 0:
            continue
        use = max(ways, key=lambda pair: pair[0])[1]
        try:
            found[foe] = (use.label, prospect(book, scene, who, use))
        except TablewrightError:
            continue
    return found
