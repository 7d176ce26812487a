"""Promises of options: the chances and averages that follow from taking them, by what a seat may know.

A promise is the same wherever it is shown: beside an option, in the odds and in advice. An action is valued by the
first rule behind it, with the usual answers before it (see :mod:`preview`); an option inside a rule by the rest of the
rule, if everything after it is done well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from tablewright.engine import Call, Choice, Mechanic
from tablewright.engine.advice import outlook, value_options
from tablewright.engine.progress import HiddenDependencyError
from tablewright.engine.report import answer_for
from tablewright.engine.results import Odds
from tablewright.errors import TablewrightError
from tablewright.game.narration.phrases import average, percent
from tablewright.game.narration.sayings import Sayings
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.preview import preview_rule
from tablewright.game.session.session import Session

AVERAGES = ("damage", "harm", "loss")
"""Objectives that are told as an average, besides chances."""


class Figure(NamedTuple):
    """One figure of a promise: an objective of a mechanic with its mean."""

    mechanic: str
    objective: str
    mean: Fraction
    is_chance: bool


def figures_of_call(call: Call[Any]) -> tuple[Figure, ...]:
    """Chances and average damage of a call, if its choices are made well."""
    mechanic = call.mechanic
    wanted = [name for name in mechanic.objectives if mechanic.is_chance(name) or name in AVERAGES]
    if not wanted:
        return ()
    return tuple(_figures(mechanic, answer_for(call).odds))


def _figures(mechanic: Mechanic[..., Any], exact: Odds[Any]) -> Iterator[Figure]:
    for name, value in mechanic.objectives.items():
        is_chance = mechanic.is_chance(name)
        if is_chance or name in AVERAGES:
            yield Figure(mechanic.name, name, Fraction(exact.expected(value)), is_chance)


def figures_of_use(session: Session, who: str, use: ActionUse, viewer: str) -> tuple[Figure, ...]:
    """Figures of an action; empty if nothing is rolled for it at once, or its odds are not the viewer's to know."""
    try:
        subject = preview_rule(session, who, use, viewer).subject
        return figures_of_call(subject) if isinstance(subject, Call) else ()
    except (TablewrightError, IndexError):
        return ()


def figures_inside(session: Session, viewer: str) -> dict[str, tuple[Figure, ...]]:
    """Figures of the options of a choice inside a rule, by option id; empty if they would give something away."""
    playing, question = session.playing, session.question
    if playing is None or not isinstance(question, Choice):
        return {}
    found: dict[str, list[Figure]] = {}
    try:
        if playing.calls:
            mechanic = playing.calls[0].mechanic
            names = [name for name in mechanic.objectives if mechanic.is_chance(name) or name in AVERAGES]
            for id_ in question.ids if names else ():
                exact = outlook(playing, id_, seat=viewer)
                found[id_] = list(_figures(mechanic, exact))
        else:
            weighed = value_options(question, viewer)
            name = question.objective or "success"
            if weighed is not None and (weighed.in_chances or name in AVERAGES):
                for option in weighed.options:
                    found[option.id] = [Figure("", name, option.value, weighed.in_chances)]
    except (HiddenDependencyError, TablewrightError, IndexError):
        return {}
    return {id_: tuple(row) for id_, row in found.items()}


def promises(
    session: Session, viewer: str, sayings: Sayings, go_on: Callable[[], bool] = lambda: True
) -> dict[str, str]:
    """Promises of the options of the open choice in words, by option id; ``go_on`` stops long work."""
    found = figures_of_options(session, viewer, go_on)
    return {id_: words for id_, row in found.items() if (words := promise_words(row, sayings))}


def figures_of_options(
    session: Session, viewer: str, go_on: Callable[[], bool] = lambda: True
) -> Mapping[str, tuple[Figure, ...]]:
    """Figures of the options of the open choice, by option id; ``go_on`` stops long work."""
    question = session.question
    if not isinstance(question, Choice):
        return {}
    who = question.details.get("who")
    if who is None or not any(isinstance(option, ActionUse) for option in question.options):
        return _that_differ(figures_inside(session, viewer))
    found: dict[str, tuple[Figure, ...]] = {}
    for option in question.options:
        if not go_on():
            break
        if isinstance(option, ActionUse):
            found[option.id] = figures_of_use(session, who, option, viewer)
    return found


def _that_differ(found: Mapping[str, tuple[Figure, ...]]) -> dict[str, tuple[Figure, ...]]:
    """Figures that are not the same for all options."""
    means: dict[str, set[Fraction]] = {}
    for row in found.values():
        for one in row:
            means.setdefault(one.objective, set()).add(one.mean)
    return {id_: tuple([one for one in row if len(means[one.objective]) > 1]) for id_, row in found.items()}


def promise_words(figures: tuple[Figure, ...], sayings: Sayings) -> str:
    """A promise in words: "hits 67%, 0.2 Body on average"."""
    told: list[str] = []
    any_mean = any(one.mean for one in figures)
    for one in sorted(figures, key=lambda one: not one.is_chance):
        shown = percent(one.mean) if one.is_chance else average(one.mean)
        template = sayings.promises.get(f"{one.mechanic}.{one.objective}") or sayings.promises.get(one.objective)
        if template != "" and one.objective == "damage" and not one.mean and told and any_mean:
            told.append("no damage")
        if template == "" or (not one.mean and (told or any_mean)):
            continue
        usual = "{objective} {n}" if one.is_chance else "{n} {objective}"
        told.append((template or usual).format(n=shown, objective=one.objective.replace("_", " ")))
    return ", ".join(told)
