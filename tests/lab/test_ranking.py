"""Options of a ranking policy: fewer than all, and always including its choice."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from coinfolk.book import rulebook

from conformance.places import at_length
from each_case import each_case
from game.turns import doing, scene_of
from tablewright.engine import OptionList
from tablewright.game.play.actions import Actions, ActionUse, Requirement
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.policies import SCORES, aggressive, at_random, best, careful
from tablewright.game.session.ratings import Rated, RatingBound, rating_table
from tablewright.game.system.rulebook import Rating, Rulebook
from tablewright.lab.fights.job import job_of
from tablewright.lab.fights.ranking import Ranking, ranking_of
from tablewright.lab.fights.trial import Trial, TrialGame

SCENARIOS = ("easy", "even", "hard", "together")
WHOLE = (
    [*product(SCENARIOS, ("careful", "aggressive"))]
    if at_length()
    else [("even", "careful"), ("together", "aggressive")]
)
FIGHTS = [*product(("even", "together"), ("careful", "random"))] if at_length() else [("even", "random")]
NUMBERS = (2, 3) if at_length() else (2,)
"""Fights that are played to compare two ways; `make soak` plays more."""


class Asked:
    """A book of some actions that notes of which it is asked whether they may be taken."""

    def __init__(self, hit: int, *, shut: tuple[str, ...] = (), **fixed: int) -> None:
        self.asked: list[str] = []

        def holds(scene: Scene, who: str, use: ActionUse) -> str | None:
            self.asked.append(use.action)
            return "shut" if use.action in shut else None

        able = Requirement("demo.able", holds)
        promises: dict[str, Any] = {name: Rating(harm=harm) for name, harm in fixed.items()}
        promises["hit"] = lambda scene, who, use: Rating(harm=hit)
        actions = Actions([doing(name, able) for name in ("nod", "hit", "kick", "rest")])
        self.book: Rulebook = replace(rulebook, actions=actions, pass_action="rest", rate_use=rating_table(promises))

    def offered(self) -> list[str]:
        ranking = ranking_of(self.book, careful)
        assert ranking is not None
        offer, _ = ranking.open_to(scene_of("ann"), "ann")
        return [use.id for use in offer.open]


def test_worse_options_are_not_searched() -> None:
    table = Asked(5, nod=4, kick=6)
    assert table.offered() == ["kick", "rest"]
    assert "nod" not in table.asked


def test_equal_options_are_searched_because_the_first_is_taken() -> None:
    assert Asked(5, nod=5, kick=4).offered() == ["nod", "rest"]
    table = Asked(5, nod=4, kick=5)
    assert table.offered() == ["hit", "rest"]
    assert "kick" not in table.asked, "it comes after what is as good"


def test_the_best_is_offered_where_nothing_has_to_be_worked_out() -> None:
    assert Asked(5, shut=("hit",), nod=1, kick=4).offered() == ["kick", "rest"]
    assert Asked(5, shut=("hit", "kick"), nod=1, kick=4).offered() == ["nod", "rest"]


def test_doing_nothing_is_offered_before_something_else_where_it_is_the_best() -> None:
    assert Asked(-2, nod=-3, kick=-4).offered() == ["rest", "hit"]


def test_single_options_are_offered_with_others_where_there_are_any() -> None:
    assert Asked(5, shut=("rest",), nod=4, kick=1).offered() == ["hit", "nod"]
    assert Asked(5, shut=("rest", "nod"), nod=4, kick=1).offered() == ["hit", "kick"]
    assert Asked(5, shut=("rest", "nod", "kick")).offered() == ["hit"]


def test_offered_options_may_be_taken_and_others_are_closed_with_their_reason() -> None:
    table = Asked(5, shut=("kick",), nod=4, kick=9)
    ranking, scene = ranking_of(table.book, careful), scene_of("ann")
    assert ranking is not None
    offer, ratings = ranking.open_to(scene, "ann")
    assert ratings == {ActionUse("hit"): Rating(harm=5)}
    asked = len(table.asked)
    assert [table.book.actions.check(scene, "ann", use).id for use in offer.open] == ["hit", "rest"]
    assert len(table.asked) == asked, "it need not be checked again"
    assert [(shut.id, shut.reason) for shut in offer.closed()] == [("kick", "shut")]


@pytest.mark.parametrize(
    ("most", "harm", "taken", "looked_for"),
    [(4, 4, "hit", False), (5, 5, "hit", False), (6, 5, "hit", True), (6, 6, "kick", True)],
)
def test_ratings_are_skipped_where_they_cannot_be_the_best(most: int, harm: int, taken: str, looked_for: bool) -> None:
    table = Asked(5)
    rated_so: list[ActionUse] = []

    def rate(scene: Scene, who: str, use: ActionUse) -> Rating:
        rated_so.append(use)
        return Rating(harm=harm)

    promises: dict[str, Any] = {
        "hit": lambda scene, who, use: Rating(5),
        "kick": RatingBound(lambda scene, who: Rating(most), rate),
    }
    table.book = replace(table.book, rate_use=rating_table(promises))
    assert table.offered()[0] == taken
    assert ("kick" in table.asked, bool(rated_so)) == (looked_for, looked_for)


def test_a_tied_option_is_searched_if_it_comes_first() -> None:
    table = Asked(5)
    promises: dict[str, Any] = {
        "hit": lambda scene, who, use: Rating(5),
        "nod": RatingBound(Rating(5), lambda scene, who, use: Rating(5)),
    }
    table.book = replace(table.book, rate_use=rating_table(promises))
    assert table.offered() == ["nod", "rest"]


@pytest.mark.parametrize(("shut", "taken", "asked"), [((), "c", ["c"]), (("c",), "b", ["c", "b"])])
def test_options_that_are_rated_first_are_checked_best_first(
    shut: tuple[str, ...], taken: str, asked: list[str]
) -> None:
    checked: list[str] = []

    def holds(scene: Scene, who: str, use: ActionUse) -> str | None:
        checked.append(str(use.detail))
        return "shut" if use.detail in shut else None

    def ways(scene: Scene, who: str) -> list[ActionUse]:
        return [ActionUse("step", detail=place) for place in "abcd"]

    harm = {"a": 1, "b": 2, "c": 3, "d": 2}
    step = replace(doing("step", Requirement("demo.able", holds)), candidates=ways)
    bound = RatingBound(Rating(3), lambda scene, who, use: Rating(harm[str(use.detail)]), rated_first=True)
    actions = Actions([doing("hit"), step, doing("rest")])
    promises: dict[str, Any] = {"hit": lambda scene, who, use: Rating(1), "step": bound}
    ranking = ranking_of(replace(rulebook, actions=actions, rate_use=rating_table(promises)), careful)
    assert ranking is not None
    offer, _ = ranking.open_to(scene_of("ann"), "ann")
    assert (offer.open[0].detail, checked) == (taken, asked)


def test_only_policies_that_go_by_ratings_rank() -> None:
    book = Asked(5).book
    assert [isinstance(ranking_of(book, policy), Ranking) for policy in (careful, aggressive, best, at_random)] == [
        True,
        True,
        False,
        False,
    ]
    assert ranking_of(replace(book, rate_use=lambda scene, who, use: Rating()), careful) is None


def test_ratings_count_for_the_scene_and_the_one_they_were_found_for() -> None:
    found: list[str] = []

    def promise(scene: Scene, who: str, use: ActionUse) -> Rating:
        found.append(who)
        return Rating(harm=scene["ann"].status.ap)

    plain = Asked(5).book
    book = replace(plain, rate_use=rating_table({"hit": promise}))
    scene, ranking = scene_of("ann", "bob"), ranking_of(book, careful)
    live = TrialGame(scene, book)
    assert ranking is not None
    live.rankings = {"ann": ranking}
    live.legal_uses("ann")
    assert (live.rate(scene, "ann", ActionUse("hit")).harm, found) == (3, ["ann"])
    assert live.rate(scene.with_status("ann", ap=1), "ann", ActionUse("hit")).harm == 1
    assert (live.rate(scene, "bob", ActionUse("hit")).harm, found) == (3, ["ann", "ann", "bob"])


class Everything(TrialGame):
    """A scene under way in which everything is offered, and nothing may promise more than its action does at most."""

    def legal_uses(self, who: str) -> OptionList[ActionUse]:
        return Game.legal_uses(self, who)

    def rate(self, scene: Scene, who: str, use: ActionUse) -> Rating:
        rating = super().rate(scene, who, use)
        known = self.rulebook.rate_use
        assert isinstance(known, Rated)
        most = known.most(use.action)
        if most is not None:
            said = most if isinstance(most, Rating) else most(scene, who)
            assert said is not None, use
            assert max(rating.harm, said.harm) == said.harm, use
            assert max(rating.safety, said.safety) == said.safety, use
            assert min(rating.cost, said.cost) == said.cost, use
        return rating


class Whole(Trial):
    """A fight in which everything is offered."""

    def _begin(self) -> None:
        super()._begin()
        self.live = Everything(self.header.scene, self.rulebook)


@each_case(("scenario", "policy"), WHOLE)
@each_case("system", [name for name in system_ids() if name != "coinfolk"])
def test_a_fight_is_the_same_as_if_everything_were_offered(system: str, scenario: str, policy: str) -> None:
    ring = job_of(load_scenario(f"{system}:{scenario}"), policies={"*": policy}).ring()
    narrowed, whole = ring.play(3), ring.play(3, Whole)
    assert narrowed.entries == whole.entries
    assert narrowed.facts == whole.facts
    assert whole.scene.ended


class Listed(TrialGame):
    """A scene under way in which the uses that actions list as legal are checked one by one.

    Uses that the system finds best first are compared with all legal ones by rank.
    """

    def legal_uses(self, who: str) -> OptionList[ActionUse]:
        for action in self.rulebook.actions:
            if action.legal is not None and action.refusal_of_actor(self.state, who) is None:
                assert list(action.legal(self.state, who)) == list(action.checked_ways(self.state, who)), action.id
        found, legal = self._best_first(who)
        assert found == legal
        return super().legal_uses(who)

    def _best_first(self, who: str) -> tuple[list[ActionUse], list[ActionUse]]:
        scene, actions, rate = self.state, self.rulebook.actions, self.rulebook.rate_use
        assert isinstance(rate, Rated)
        assert rate.best_first is not None
        every, score = rate.best_first.actions, SCORES[careful]
        able = {id_ for id_ in every if actions.by_id[id_].refusal_of_actor(scene, who) is None}
        found = [use for use, _ in rate.best_first.uses(scene, who, score, able)]
        if not rate.best_first.all_legal:
            found = [use for use in found if actions.by_id[use.action].refusal_of_way(scene, who, use) is None]
        legal = [use for use in actions.legal_uses(scene, who).open if use.action in every]
        order = list(actions.by_id)
        legal.sort(key=lambda use: (score(rate(scene, who, use)), -order.index(use.action)), reverse=True)
        return list(dict.fromkeys(found)), legal


class Listing(Trial):
    """A fight in which legal uses are exactly those that meet every requirement, and are found best first."""

    def _begin(self) -> None:
        super()._begin()
        self.live = Listed(self.header.scene, self.rulebook)


@each_case(("scenario", "policy"), FIGHTS)
@each_case("system", ["marchen", "mars", "opend6", "renaissance", "stage"])
def test_listed_uses_meet_every_requirement_and_are_found_best_first(system: str, scenario: str, policy: str) -> None:
    fight = load_scenario(f"{system}:{scenario}")
    ring = job_of(fight, policies={entrant.id: policy for entrant in fight.entrants}).ring()
    assert [ring.play(number, Listing).scene.ended for number in NUMBERS]


def test_a_list_of_legal_uses_serves_offers_and_ratings_alike() -> None:
    checked: list[str] = []

    def holds(scene: Scene, who: str, use: ActionUse) -> str | None:
        checked.append(use.id)
        return None if use.detail == "b" else "shut"

    every = [ActionUse("step", detail=place) for place in "abc"]
    step = replace(
        doing("step", Requirement("demo.able", holds)),
        candidates=lambda scene, who: every,
        legal=lambda scene, who: every[1:2],
    )
    scene = scene_of("ann")
    assert list(step.open_ways(scene, "ann", {})) == list(step.checked_ways(scene, "ann")) == every[1:2]
    checked.clear()
    assert [use.id for use in Actions([step]).legal_uses(scene, "ann").open] == ["step::b"]
    assert not checked
    shut = replace(step, candidates=lambda scene, who: every[:1], legal=lambda scene, who: [])
    assert [one.reason for one in Actions([shut]).legal_uses(scene, "ann").closed()] == ["shut"]
