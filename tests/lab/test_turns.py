"""Advice at the open question of a session: by the system's value, by the rule, by what follows, in every system."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import count
from typing import Any

import pytest

from tablewright.engine import Choice, HiddenDependencyError, Roll
from tablewright.errors import InvalidInputError
from tablewright.game.play.actions import ActionUse
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.scene import Scene
from tablewright.game.session import policies
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import best, careful
from tablewright.game.session.session import Session
from tablewright.game.system.rulebook import Rating
from tablewright.lab import Deadline, advise_turn
from tablewright.lab.fights import forecast, turn_advice


def opened(name: str, seed: int = 1) -> Session:
    session = open_session(load_scenario(name), seed=seed)
    session.do(f"{session.header.system}.encounter")
    return session


def play_to(session: Session, wanted: Callable[[Choice[object]], bool], most: int = 300) -> Choice[object]:
    """Answer carefully until the wanted question is asked."""
    for _ in range(most):
        question = session.question
        if isinstance(question, Choice):
            if wanted(question):
                return question
            session.choose(question.ids[careful(session, question)])
        elif isinstance(question, Roll):
            session.roll()
        else:
            break
    raise AssertionError("nobody was asked")


def test_an_action_is_worth_the_average_of_where_it_leads() -> None:
    """A strike is played to its end for every way in which the coins can fall, and the values are averaged."""
    session = opened("coinfolk:together", seed=3)
    asked = play_to(session, lambda question: question.question == "what now?")
    assert session.seat is not None
    who = asked.details["who"]
    side = session.scene[who].side
    advice = advise_turn(session)
    assert advice.basis == "value"
    offers = {offer.id: offer for offer in advice.offers}
    strike = next(name for name in offers if name.startswith("strike:"))
    total = Fraction(0)
    open_ways: list[tuple[tuple[object, ...], Fraction]] = [((strike,), Fraction(1))]
    while open_ways:
        answers, chance = open_ways.pop()
        apart = Session(session.header, session.rulebook, [*session.entries, *answers])  # type: ignore[list-item]
        question = apart.question
        if isinstance(question, Roll):
            dice = question.dice
            faces = len(dice.dice)  # type: ignore[attr-defined]
            for number in range(2**faces):
                shown = tuple([1 + (number >> place & 1) for place in range(faces)])
                open_ways.append(((*answers, shown), chance / 2**faces))
        elif isinstance(question, Choice) and question.question != "what now?":
            open_ways.append(((*answers, question.ids[question.default]), chance))
        else:
            total += chance * Fraction(session.rulebook.score_scene(apart.scene, side))
    assert session.rulebook.supposed_by(session.scene, side) == session.scene  # nothing is hidden before the first blow
    assert offers[strike].value == total
    assert offers[strike].change == total - Fraction(session.rulebook.score_scene(session.scene, side))
    assert len({offer.value for offer in advice.offers}) > 1


def test_it_is_what_the_policy_best_plays() -> None:
    session = opened("coinfolk:together", seed=5)
    for _ in range(25):
        question = session.question
        if question is None:
            break
        if isinstance(question, Roll):
            session.roll()
            continue
        try:
            advice = advise_turn(session)
        except HiddenDependencyError:
            session.choose(question.ids[question.default])
            continue
        assert advice.best.id == question.ids[best(session, question)]
        assert [offer.id for offer in advice.offers] == list(question.ids)
        assert advice.ranked[0] is advice.best
        session.choose(advice.best.id)


@pytest.mark.parametrize("system", [name for name in system_ids() if name != "coinfolk"])
def test_every_system_has_advice_for_a_turn(system: str) -> None:
    session = opened(f"{system}:together")
    question = play_to(session, lambda asked: asked.question == "what now?")
    entries = list(session.entries)
    steps: list[int] = []
    advice = advise_turn(session, progress=lambda done, _: steps.append(done))
    assert advice.basis in ("value", "rating")
    assert [offer.id for offer in advice.offers] == list(question.ids)
    assert sum(offer.best for offer in advice.offers) == 1
    assert advice.best.value == max(offer.value for offer in advice.offers)
    others = sorted([offer.value for offer in advice.offers], reverse=True)
    assert advice.margin == others[0] - others[1]
    assert steps
    assert session.entries == entries  # nothing has happened
    told = advice.to_json()
    assert [one["option"] for one in told["options"] if one["best"]] == [advice.best.id]


def test_a_choice_inside_a_rule_goes_by_its_objective() -> None:
    session = opened("coinfolk:together", seed=3)
    play_to(session, lambda question: bool(session.playing and session.playing.calls))
    advice = advise_turn(session)
    assert advice.basis == "rule"
    assert {offer.id for offer in advice.offers} <= {"True", "False", "yes", "no"}


def test_too_little_time_gives_the_rating() -> None:
    session = opened("coinfolk:together", seed=3)
    question = play_to(session, lambda asked: asked.question == "what now?")
    advice = advise_turn(session, deadline=Deadline(5, clock=count(0, 10).__next__))
    assert advice.basis == "rating"
    assert "5 seconds" in advice.why
    assert advice.best.id == question.ids[careful(session, question)]


def test_a_turn_that_is_asked_again_goes_on_from_ratings_to_exact_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each action is played once: the second answer has the values that the first had no time for."""
    session = opened("coinfolk:together", seed=3)
    question = play_to(session, lambda asked: asked.question == "what now?")
    usual = policies.outcomes_of
    played: list[str] = []

    def outcomes_of(book: Any, scene: Scene, who: str, use: ActionUse, *rest: Any, **more: Any) -> Any:
        played.append(use.id)
        return usual(book, scene, who, use, *rest, **more)

    monkeypatch.setattr(turn_advice, "outcomes_of", outcomes_of)
    first = advise_turn(session, deadline=Deadline(5, clock=iter([0, 1, 9]).__next__))
    assert (first.basis, played) == ("rating", [question.ids[0]])
    assert first.why == f"1 of {len(question.ids)} options took 5 seconds"
    again = advise_turn(session)
    assert (again.basis, played) == ("value", list(question.ids))
    assert again == advise_turn(session)
    assert len(played) == len(question.ids)
    session.choose(again.best.id)
    question = play_to(session, lambda asked: asked.question == "what now?")
    assert advise_turn(session).best.id in question.ids
    assert len(played) > len(again.offers)


def rates_passing_highest(monkeypatch: pytest.MonkeyPatch, session: Session) -> None:
    """Let bots rate passing above everything else."""

    def rate(_scene: Scene, _who: str, use: ActionUse) -> Rating:
        return Rating(harm=int(use.action == session.rulebook.pass_action))

    monkeypatch.setattr(Session, "rate", property(lambda _: rate))


def test_the_best_bot_plays_no_further_option_once_its_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The options with the best ratings are played first, and passing is weighed in any case."""
    session = opened("coinfolk:together", seed=3)
    question = play_to(session, lambda asked: asked.question == "what now?")
    usual = policies.after_action
    played: list[str] = []

    def after_action(book: Any, scene: Scene, who: str, use: ActionUse, most: int, *, budget: Any) -> Any:
        played.append(use.id)
        return usual(book, scene, who, use, most, budget=budget)

    monkeypatch.setattr(policies, "after_action", after_action)
    best(session, question)
    assert sorted(played) == sorted(question.ids)
    played.clear()
    monkeypatch.setattr(policies, "QUICK_RUNS", 1)
    best(session, question)
    assert played == [question.ids[careful(session, question)], session.rulebook.pass_action]
    played.clear()
    monkeypatch.setattr(policies, "QUICK_RUNS", 0)
    assert question.ids[best(session, question)] == session.rulebook.pass_action
    assert played == [session.rulebook.pass_action]


def test_an_action_with_too_many_ways_counts_by_its_rating(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without looking into coins, the best action is the one with the best rating."""
    session = opened("coinfolk:together", seed=3)
    question = play_to(session, lambda asked: asked.question == "what now?")
    assert question.ids[careful(session, question)].startswith("strike:")
    monkeypatch.setattr(policies, "QUICK_WAYS", 1)
    assert best(session, question) == careful(session, question)
    rates_passing_highest(monkeypatch, session)
    assert not question.ids[best(session, question)].startswith("strike:")
    monkeypatch.setattr(forecast, "QUICK_WAYS", 1)
    advice = advise_turn(session, deadline=Deadline(0.001, clock=lambda: 0.0))
    assert advice.basis == "rating"
    assert "more than 1 ways" in advice.why
    assert advise_turn(session).basis == "value"


def test_without_a_question_there_is_no_advice() -> None:
    session = open_session(load_scenario("coinfolk:together"), seed=1)
    with pytest.raises(InvalidInputError, match="none is open"):
        advise_turn(session)
