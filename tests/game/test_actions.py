"""Offered actions: open options at once, closed ones on request, requirements checked no more often than needed."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pytest

from game.turns import doing, scene_of
from tablewright.engine import Choice, ClosedOption, OptionList
from tablewright.errors import IllegalActionError
from tablewright.game.play.actions import Action, Actions, ActionUse, Requirement
from tablewright.game.play.costs import Cost
from tablewright.game.scene.scene import Scene


def noting(asked: list[str], word: str | None, *, once: bool = False, always: bool = False) -> Requirement:
    """A requirement that notes for which action it is asked."""

    def holds(scene: Scene, who: str, use: ActionUse) -> str | None:
        asked.append(use.action)
        return word

    return Requirement("demo.noted", holds, once=once, always=always)


def test_permanent_questions_are_asked_once_for_all_actions() -> None:
    always: list[str] = []
    once: list[str] = []
    able, own = noting(always, None, always=True), noting(once, None, once=True)
    actions = Actions([doing("hit", able, own), doing("kick", able, own), doing("nod", able)])
    assert [use.id for use in actions.legal_uses(scene_of("ann"), "ann").open] == ["hit", "kick", "nod"]
    assert (always, once) == (["hit"], ["hit", "kick"])
    actions.legal_uses(scene_of("ann"), "ann")
    assert always == ["hit", "hit"], "another scene is asked again"


def test_permanent_questions_still_refuse_each_action() -> None:
    stunned = noting([], "stunned", always=True)
    actions = Actions([doing("hit", stunned), doing("nod")])
    found = actions.options(scene_of("ann"), "ann")
    assert [(one.id, isinstance(one, ClosedOption)) for one in found] == [("hit", True), ("nod", False)]
    with pytest.raises(IllegalActionError, match="stunned"):
        actions.check(scene_of("ann"), "ann", ActionUse("hit"))


def test_actions_of_one_price_share_what_it_requires() -> None:
    actions = Actions([doing("hit", cost=Cost.of(ap=2)), doing("kick", cost=Cost.of(ap=2)), doing("nod")])
    paid = [action.requires[-1] for action in actions if action.requires]
    assert paid[0] is paid[1]
    assert [use.id for use in actions.legal_uses(scene_of("ann").with_status("ann", ap=1), "ann").open] == ["nod"]


def test_closed_options_are_computed_on_request() -> None:
    looked: list[str] = []

    def ways(scene: Scene, who: str) -> Iterator[ActionUse]:
        looked.append(who)
        yield ActionUse("hit", "bob")

    bound = Requirement("demo.bound", lambda scene, who, use: "bound", once=True)
    hit = Action("hit", "Hit", ("demo.hit",), doing("hit").perform, (bound,), ways)
    offer = Actions([hit, doing("nod")]).legal_uses(scene_of("ann", "bob"), "ann")
    assert ([use.id for use in offer.open], looked) == (["nod"], [])
    question: Choice[ActionUse] = Choice("ann", "what now?", lambda: offer)
    assert (question.ids, looked) == (("nod",), [])
    assert question.closed == question.closed == (ClosedOption("hit", "bound", "demo.bound", "Hit"),)
    assert looked == ["ann"], "and once is enough"
    with pytest.raises(IllegalActionError, match="bound"):
        question.option("hit")


def test_actions_impossible_for_everyone_are_not_listed_as_closed() -> None:
    bound = Requirement("demo.bound", lambda scene, who, use: "bound", once=True)
    hit = Action("hit", "Hit", ("demo.hit",), doing("hit").perform, (bound,), lambda scene, who: ())
    assert Actions([hit]).options(scene_of("ann"), "ann") == []


def test_options_are_computed_again_with_each_question() -> None:
    offers = [OptionList(["stay"], lambda: [ClosedOption("go", "no way")]), OptionList(["stay", "go"], list)]
    question: Choice[str] = Choice("ann", "where to?", lambda: offers.pop(0), even_alone=True)
    assert (question.ids, [shut.id for shut in question.closed]) == (("stay",), ["go"])
    question.renew()
    assert (question.ids, question.closed) == (("stay", "go"), ())


def test_cost_texts_are_computed_on_request() -> None:
    said: list[int] = []

    def words(scene: Scene, who: str, use: ActionUse) -> str:
        said.append(scene["ann"].status.ap)
        return f"1 of {scene['ann'].status.ap} AP"

    hit = Action("hit", "Hit", ("demo.hit",), doing("hit").perform, cost_text=words)
    actions, scene = Actions([hit]), scene_of("ann")
    use = actions.legal_uses(scene, "ann").open[0]
    later = actions.legal_uses(scene.with_status("ann", ap=1), "ann").open[0]
    assert (said, use.label) == ([], "Hit")
    assert (later.cost_text, use.cost_text, use.cost_text) == ("1 of 1 AP", "1 of 3 AP", "1 of 3 AP")
    assert said == [1, 3], "as the scene was when it was offered, and once is enough"
    assert (use == later, hash(use) == hash(later)) == (True, True), "words make no other way of it"


def test_a_way_does_not_change_and_can_be_sent() -> None:
    use = ActionUse("hit", "bob", "club", "Hit Bob", lambda: "1 AP")
    with pytest.raises(TypeError, match="does not change"):
        use.target = "cid"
    sent = pickle.loads(pickle.dumps(use))
    assert (sent, sent.label, sent.cost_text) == (use, "Hit Bob", "1 AP")
    assert len({ActionUse("hit", "bob", "club"), sent, ActionUse("hit", "bob"), ActionUse("hit", "cid", "club")}) == 3


def test_options_of_one_scene_are_not_allowed_in_another() -> None:
    able = Requirement("demo.able", lambda scene, who, use: None if scene[who].status.up else "down")
    actions, scene = Actions([doing("hit", able)]), scene_of("ann", "bob")
    use = actions.legal_uses(scene, "ann").open[0]
    assert actions.check(scene, "ann", use).id == "hit"
    with pytest.raises(IllegalActionError, match="down"):
        actions.check(scene.with_status("ann", up=False), "ann", use)
    with pytest.raises(IllegalActionError, match="down"):
        actions.check(scene.with_status("bob", up=False), "bob", use)


def test_some_actions_are_offered_as_often_as_they_are_asked_for() -> None:
    actions = Actions([doing("hit"), doing("kick"), doing("nod")])
    scene = scene_of("ann")
    for among, ids in ((("kick",), ["kick"]), ((), ["hit", "kick", "nod"]), (("nod", "hit"), ["hit", "nod"])) * 2:
        assert [use.id for use in actions.legal_uses(scene, "ann", among=among).open] == ids
        assert not actions.legal_uses(scene, "ann", reactions=True, among=among).open
