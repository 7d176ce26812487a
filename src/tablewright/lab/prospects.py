"""What an action promises, exactly: the chance that it harms a foe, how much, whom it fells, and what it may cost.

All of it is counted from the scenes that the action can lead to, each with its exact chance; what counts as harm is
what the system's own reckoning counts. Nothing else is supposed than what the side of the one who acts may know.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from tablewright.engine import Choose
from tablewright.errors import BadInput, TablewrightError
from tablewright.game.actions import Use
from tablewright.game.ground import Together
from tablewright.game.opening import open_session
from tablewright.game.policies import outcomes_of
from tablewright.game.rulebook import Rating, Rulebook
from tablewright.game.scenario import Scenario
from tablewright.game.scene import Scene
from tablewright.game.session import Session
from tablewright.lab.deadline import NEVER, Deadline

MOST_ROUNDS = 2
"""In so many rounds everybody has had a turn, or has none."""


class Prospect(NamedTuple):
    """What one action promises.

    ``hits`` is the chance that a foe is harmed by it, ``harm`` how much of it on average, ``fells`` the chance that a
    foe who stood stands no more, ``risk`` that somebody of one's own side is harmed. ``value`` is what the scene is
    worth to the side after it, by the system's own value.
    """

    hits: Fraction
    harm: Fraction
    fells: Fraction
    risk: Fraction
    value: Fraction

    @staticmethod
    def of_nothing(value: Fraction) -> Prospect:
        """What it promises to change nothing in a scene of some value."""
        return Prospect(Fraction(0), Fraction(0), Fraction(0), Fraction(0), value)

    def to_json(self) -> dict[str, Any]:
        """As JSON: chances as numbers and as exact fractions."""
        told = {name: float(part) for name, part in self._asdict().items()}
        exact = {name: str(part) for name, part in self._asdict().items() if name != "value"}
        return told | {"exact": exact}


def prospect(book: Rulebook, scene: Scene, who: str, use: Use) -> Prospect:
    """What an action promises to whoever takes it in a scene as it is given; see :func:`as_known_to`."""
    side, reckoning = scene[who].side, book.reckoning
    foes = [one for one in scene.participants if one.side != side]
    own = [one for one in scene.participants if one.side == side]
    ways = outcomes_of(book, scene, who, use)
    total = sum([weight for _, weight in ways])
    hits = harm = fells = risk = 0
    value = Fraction(0)
    for after, weight in ways:
        value += weight * Fraction(book.value(after, side))
        if after.participants is scene.participants:
            continue
        lost = [max(0, reckoning.vigour(one) - reckoning.vigour(after[one.id])) for one in foes if one.id in after]
        hits += weight * any(lost)
        harm += weight * sum(lost)
        fells += weight * any(
            reckoning.stands(one) and not reckoning.stands(after[one.id]) for one in foes if one.id in after
        )
        risk += weight * any(reckoning.vigour(after[one.id]) < reckoning.vigour(one) for one in own if one.id in after)
    shares = Fraction(hits, total), Fraction(harm, total), Fraction(fells, total), Fraction(risk, total)
    return Prospect(*shares, value / total)


def as_known_to(book: Rulebook, scene: Scene, side: str, seat: str | None) -> Scene:
    """The scene as somebody may suppose it: hidden numbers of others are guesses, and whom the seat does not know of
    is not there. Without a seat nobody is unknown.
    """
    return book.supposed_by(scene if seat is None else scene.known_to(seat), side)


# ---------------------------------------------------------------------- at the open question of a session


@dataclass(frozen=True)
class Weighed:
    """The actions of a turn, each with what it promises; ``now`` is what the scene is worth as it is.

    ``best`` is the option to take, ``left_out`` are those that took too long or that nothing is known about.
    """

    question: str
    now: Fraction
    offers: Mapping[str, Prospect]
    best: str | None
    left_out: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As JSON; ``change`` is by how much better the scene becomes."""
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


def weigh_turn(session: Session, *, seat: str | None, deadline: Deadline = NEVER) -> Weighed:
    """What each action of the open question promises, as far as a seat may know; without a seat as it really is.

    Actions for which there is no time are left out, those that look worst first.

    >>> from tablewright.game.scenario import load_scenario
    >>> session = open_session(load_scenario("stage:together"), seed=1)
    >>> session.do("stage.encounter")
    >>> while session.scene.turn is None:  # powers that serve initiative are left alone
    ...     session.choose("pass") if isinstance(session.question, Choose) else session.roll()
    >>> weighed = weigh_turn(session, seat=session.seat)
    >>> weighed.left_out, str(weighed.offers["attack:guard-1:bow"].hits)
    ((), '5/9')
    """
    question, book = session.question, session.book
    who = question.about.get("who") if isinstance(question, Choose) else None
    if not isinstance(question, Choose) or who is None or not any(isinstance(one, Use) for one in question.options):
        raise BadInput("only actions of a turn are weighed so, and none is asked for")
    scene, side = session.scene, session.scene[who].side
    if seat is not None:
        scene = as_known_to(book, scene, side, seat)
    options = dict(zip(question.ids, question.options, strict=True))
    ratings = {name: book.rate(scene, who, one) if isinstance(one, Use) else Rating() for name, one in options.items()}
    now = Fraction(book.value(scene, side))
    found: dict[str, Prospect] = {}
    for name in sorted(options, key=lambda name: -(ratings[name].harm + ratings[name].safety)):
        if deadline.passed:
            break
        use = options[name]
        try:
            found[name] = prospect(book, scene, who, use) if isinstance(use, Use) else Prospect.of_nothing(now)
        except TablewrightError:
            continue
    ordered = {name: found[name] for name in question.ids if name in found}
    best = foremost({name: one.value for name, one in ordered.items()}, ratings, usual_in(session, question))
    left_out = tuple([name for name in question.ids if name not in found])
    return Weighed(question.question, now, ordered, best, left_out)


def foremost(values: Mapping[str, Fraction], ratings: Mapping[str, Rating], usual: str) -> str | None:
    """The option that is worth most; of those that are worth the same the one that looks best, or else the usual one.

    >>> foremost({"drop": Fraction(3), "end": Fraction(3)}, {"drop": Rating(), "end": Rating()}, "end")
    'end'
    """

    def order(name: str) -> tuple[Fraction, Fraction, bool]:
        rating = ratings[name]
        return values[name], Fraction(rating.harm) + Fraction(rating.safety) - Fraction(rating.cost), name == usual

    return max(values, key=order, default=None)


def usual_in(session: Session, question: Choose[Any]) -> str:
    """What somebody does who does nothing in particular: the idle action, or else what a question takes for granted."""
    idle = session.book.idle
    return idle if idle in question.ids else question.ids[question.default]


# ---------------------------------------------------------------------- two sides before they meet


class Meeting(NamedTuple):
    """How well somebody hits each of the others in a first turn, if everybody is within reach.

    ``by_target`` has for each foe the option that looks most harmful, in words, and what it promises exactly; of foes
    who are alike one stands for all of them.
    """

    who: str
    side: str
    by_target: Mapping[str, tuple[str, Prospect]]

    @property
    def hits(self) -> Fraction:
        """The chance to harm whoever comes first, all foes being alike likely."""
        return sum([one.hits for _, one in self.by_target.values()], Fraction(0)) / len(self.by_target)

    @property
    def harm(self) -> Fraction:
        """The mean harm, all foes being alike likely."""
        return sum([one.harm for _, one in self.by_target.values()], Fraction(0)) / len(self.by_target)

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "who": self.who,
            "side": self.side,
            "hits": float(self.hits),
            "harm": float(self.harm),
            "by_target": {target: {"label": label, **one.to_json()} for target, (label, one) in self.by_target.items()},
        }


def meet(scenario: Scenario, known: Collection[str] = (), *, deadline: Deadline = NEVER) -> tuple[list[Meeting], bool]:
    """How well everybody hits everybody, exactly, with everybody in reach; and whether there was time for all.

    The encounter is really begun, from one seed, and those whose turn it is do nothing after they were looked at. Of
    those who are alike on one side the first stands for all. Whoever is ``known`` already is not looked at again, and
    at least one of the others is.
    """
    near = [replace(entrant, position=None, hidden=False) for entrant in scenario.entrants]
    session = open_session(replace(scenario, ground=Together(), entrants=tuple(near), surprised=()), seed=1)
    alike = _alike(session.scene)
    session.do(session.book.encounter.name)
    found: dict[str, Meeting] = {}
    seen = set(known)
    while session.question is not None and session.scene.round <= MOST_ROUNDS and not set(alike.values()) <= seen:
        question = session.question
        if not isinstance(question, Choose):
            session.roll()
            continue
        who = question.about.get("who")
        uses = [option for option in question.options if isinstance(option, Use)]
        if isinstance(who, str) and uses and alike.get(who) == who and who not in seen:
            if found and deadline.passed:
                break
            seen.add(who)
            targets = _looked_at(session, who, uses, alike)
            if targets:
                found[who] = Meeting(who, session.scene[who].side, targets)
        session.choose(usual_in(session, question))
    complete = session.question is None or session.scene.round > MOST_ROUNDS or set(alike.values()) <= seen
    return list(found.values()), complete


def _alike(scene: Scene) -> dict[str, str]:
    """For everybody the first of their side who is just the same."""
    first: dict[tuple[str, str], str] = {}
    names: dict[str, str] = {}
    for one in scene.participants:
        plain = {**one.character.to_json(), "name": ""}
        names[one.id] = first.setdefault((one.side, json.dumps(plain, sort_keys=True)), one.id)
    return names


def _looked_at(
    session: Session, who: str, uses: Sequence[Use], alike: Mapping[str, str]
) -> dict[str, tuple[str, Prospect]]:
    """For each foe of a kind of their own the option that looks most harmful, and what it promises."""
    book, scene = session.book, session.scene
    foes = [one.id for one in scene.foes(who) if alike.get(one.id) == one.id]
    found: dict[str, tuple[str, Prospect]] = {}
    for foe in foes:
        ways = [(book.rate(scene, who, use).harm, use) for use in uses if use.target == foe]
        if not ways or max(harm for harm, _ in ways) <= 0:
            continue
        use = max(ways, key=lambda pair: pair[0])[1]
        try:
            found[foe] = (use.label, prospect(book, scene, who, use))
        except TablewrightError:
            continue
    return found
