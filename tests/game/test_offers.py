"""What is offered: the open at once, the closed when somebody looks, and requirements asked as often as needed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from game.turns import doing, scene_of
from tablewright.engine import Choose, Closed, Offer
from tablewright.errors import RulesSayNo
from tablewright.game.actions import Action, Actions, Requirement, Use
from tablewright.game.prices import Price
from tablewright.game.scene import Scene


def noting(asked: list[str], word: str | None, *, once: bool = False, always: bool = False) -> Requirement:
    """A requirement that notes for which action it is asked."""

    def holds(scene: Scene, who: str, use: Use) -> str | None:
        asked.append(use.action)
        return word

    return Requirement("demo.noted", holds, once=once, always=always)


def test_what_is_asked_always_is_asked_once_for_all_actions() -> None:
    always: list[str] = []
    once: list[str] = []
    able, own = noting(always, None, always=True), noting(once, None, once=True)
    actions = Actions([doing("hit", able, own), doing("kick", able, own), doing("nod", able)])
    assert [use.id for use in actions.open_to(scene_of("ann"), "ann").open] == ["hit", "kick", "nod"]
    assert (always, once) == (["hit"], ["hit", "kick"])
    actions.open_to(scene_of("ann"), "ann")
    assert always == ["hit", "hit"], "of another scene it is asked anew"


def test_what_is_asked_always_still_refuses_each_of_them() -> None:
    stunned = noting([], "stunned", always=True)
    actions = Actions([doing("hit", stunned), doing("nod")])
    found = actions.offers(scene_of("ann"), "ann")
    assert [(one.id, isinstance(one, Closed)) for one in found] == [("hit", True), ("nod", False)]
    with pytest.raises(RulesSayNo, match="stunned"):
        actions.check(scene_of("ann"), "ann", Use("hit"))


def test_actions_of_one_price_share_what_it_requires() -> None:
    actions = Actions([doing("hit", price=Price.of(ap=2)), doing("kick", price=Price.of(ap=2)), doing("nod")])
    paid = [action.requires[-1] for action in actions if action.requires]
    assert paid[0] is paid[1]
    assert [use.id for use in actions.open_to(scene_of("ann").change("ann", ap=1), "ann").open] == ["nod"]


def test_what_is_closed_is_found_when_somebody_looks() -> None:
    looked: list[str] = []

    def ways(scene: Scene, who: str) -> Iterator[Use]:
        looked.append(who)
        yield Use("hit", "bob")

    bound = Requirement("demo.bound", lambda scene, who, use: "bound", once=True)
    hit = Action("hit", "Hit", ("demo.hit",), doing("hit").perform, (bound,), ways)
    offer = Actions([hit, doing("nod")]).open_to(scene_of("ann", "bob"), "ann")
    assert ([use.id for use in offer.open], looked) == (["nod"], [])
    question: Choose[Use] = Choose("ann", "what now?", lambda: offer)
    assert (question.ids, looked) == (("nod",), [])
    assert question.closed == question.closed == (Closed("hit", "bound", "demo.bound", "Hit"),)
    assert looked == ["ann"], "and once is enough"
    with pytest.raises(RulesSayNo, match="bound"):
        question.option("hit")


def test_what_nobody_could_do_in_any_way_is_not_closed() -> None:
    bound = Requirement("demo.bound", lambda scene, who, use: "bound", once=True)
    hit = Action("hit", "Hit", ("demo.hit",), doing("hit").perform, (bound,), lambda scene, who: ())
    assert Actions([hit]).offers(scene_of("ann"), "ann") == []


def test_an_offer_is_made_anew_with_the_question() -> None:
    offers = [Offer(["stay"], lambda: [Closed("go", "no way")]), Offer(["stay", "go"], list)]
    question: Choose[str] = Choose("ann", "where to?", lambda: offers.pop(0), even_alone=True)
    assert (question.ids, [shut.id for shut in question.closed]) == (("stay",), ["go"])
    question.renew()
    assert (question.ids, question.closed) == (("stay", "go"), ())
