"""Costs: one declaration gives the refusal, the payment and the words."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from game.turns import RULE, Status, apply, book_of, doing, scene_of, session_of, told
from tablewright.engine import Choice, ClosedOption
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.narration.narrator import narrate_line
from tablewright.game.play.actions import Action, Actions, ActionUse, Requirement
from tablewright.game.play.common_events import TurnStarted
from tablewright.game.play.costs import ActionEconomy, Cost, CostPaid, Resources
from tablewright.game.play.turns import play_rounds, take_turn
from tablewright.game.scene.events import Reducer
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.views import project_log
from tablewright.game.values import Ranks

AP = "demo.action.ap"
STAGE = Resources({"ap": "AP"})


def refused(actions: Actions, scene: Scene, action: str) -> tuple[str, str | None] | None:
    found = [one for one in actions.options(scene, "ann") if isinstance(one, ClosedOption) and one.id == action]
    return (found[0].reason, found[0].rule) if found else None


def test_an_unaffordable_act_is_refused_by_the_rule_of_its_price() -> None:
    actions = Actions([doing("hit", cost=Cost.of(ap=2, stamina=1), price_rule=AP), doing("nod", cost=Cost())], STAGE)
    scene = scene_of("ann")
    hit = actions.options(scene, "ann")[0]
    assert isinstance(hit, ActionUse)
    assert (hit.cost_text, refused(actions, scene, "hit")) == ("2 AP, 1 stamina", None)
    poor = scene.with_status("ann", ap=1)
    assert refused(actions, poor, "hit") == ("costs 2 AP, 1 left", AP)
    assert refused(actions, scene.with_status("ann", stamina=0), "hit") == ("costs 1 stamina, 0 left", AP)
    assert refused(actions, poor, "nod") is None
    with pytest.raises(IllegalActionError, match="costs 2 AP, 1 left") as told_why:
        actions.check(poor, "ann", ActionUse("hit"))
    assert told_why.value.rule == AP


def test_a_requirement_comes_before_the_price_and_the_rule_is_the_actions_own_by_default() -> None:
    bound = Requirement("demo.bound", lambda scene, who, use: "bound")
    actions = Actions([doing("hit", bound, cost=Cost.of(ap=9)), doing("kick", cost=Cost.of(ap=9))])
    assert refused(actions, scene_of("ann"), "hit") == ("costs 9 ap, 3 left", RULE), "what is asked once is asked first"
    assert refused(actions, scene_of("ann"), "kick") == ("costs 9 ap, 3 left", RULE)
    dear = Actions([doing("hit", bound, cost=lambda scene, who, use: Cost.of(ap=9))])
    assert refused(dear, scene_of("ann"), "hit") == ("bound", "demo.bound")


def test_a_price_in_a_purse_that_no_status_has_is_found_when_the_book_is_made() -> None:
    with pytest.raises(
        InvalidInputError, match='the price of "hit" is in stamin, which no status has; did you mean "stamina"'
    ):
        book_of([doing("hit", cost=Cost.of(stamin=1))])
    assert book_of([doing("hit", cost=Cost.of(stamina=1))]).actions.by_id["hit"].cost_text
    with pytest.raises(InvalidInputError, match='"hit" is in slow, which no status has'):
        book_of(Actions([doing("hit", cost=Cost.of(slow=1))], RENAISSANCE))
    book_of(Actions([doing("hit", cost=Cost.of(quick=1))], RENAISSANCE))


def swung(action: Action, scene: Scene, own: Reducer[Scene] = apply) -> Any:
    async def run(game: Game) -> None:
        await game.rulebook.actions.perform(game, "ann", next(iter(action.uses_for(game.scene, "ann"))))

    return session_of(scene, run, [action], apply=own)


def test_it_is_paid_before_anything_else_happens() -> None:
    session = swung(doing("hit", cost=Cost.of(ap=2, stamina=1), price_rule=AP), scene_of("ann", "bob"))
    assert [(line["event"], line["cause"]) for line in session.facts] == [("Paid", AP), ("Did", RULE)]
    assert session.facts[0]["price"] == {"ap": 2, "stamina": 1}
    assert session.scene["ann"].status == Status(ap=1, stamina=1)
    assert session.log[0].narrate() == "ann pays 2 ap, 1 stamina"
    seen = project_log(session, "bob")[0]
    assert "price" not in seen, "only the owner knows the rest"
    assert narrate_line(session.log[0], session.scene, "ann") == ("event", "ann pays 2 ap, 1 stamina")
    assert narrate_line(session.log[0], session.scene, "bob") is None, "and nothing is said that says nothing"


def test_free_acts_are_paid_in_the_same_place() -> None:
    own: Reducer[Scene] = Reducer(apply)

    @own.after(CostPaid)
    def _breaks_off(scene: Scene, event: CostPaid) -> Scene:
        return scene.with_status(event.who, up=False)

    assert not swung(doing("nod", cost=Cost()), scene_of("ann"), own).scene["ann"].status.up
    assert swung(doing("nod"), scene_of("ann"), own).scene["ann"].status.up, "without a price nothing is paid"


def test_a_price_may_depend_on_the_way() -> None:
    def price(scene: Scene, who: str, use: ActionUse) -> Cost:
        return Cost.of(ap=len(str(use.target)))

    aimed = doing("hit", candidates=lambda scene, who: [ActionUse("hit", "ox"), ActionUse("hit", "mouse")], cost=price)
    actions = Actions([aimed], STAGE)
    (cheap,) = actions.options(scene_of("ann"), "ann")
    assert isinstance(cheap, ActionUse)
    assert (cheap.id, cheap.cost_text) == ("hit:ox", "2 AP")
    assert swung(aimed, scene_of("ann")).scene["ann"].status.ap == 1


def test_prices_add_up() -> None:
    price = Cost.of(ap=2) + Cost.of(stamina=1, ap=1)
    assert (price["ap"], price["stamina"], price["luck"]) == (3, 1, 0)
    assert price.instead(ap=0) == Cost.of(stamina=1)
    assert Cost.of(ap=0) == Cost()
    assert Resources().words(Cost()) == "nothing"


# ---------------------------------------------------------------------- the allotment of a turn

RENAISSANCE = ActionEconomy(({"standard": 1, "quick": 1}, {"quick": 3}))


def test_a_turn_is_one_of_its_patterns() -> None:
    actions = Actions(
        [
            doing("strike", cost=Cost.of(standard=1)),
            doing("draw", cost=Cost.of(quick=1)),
            doing("cast", cost=Cost.of(quick=1, stamina=2)),
            doing("rest"),
        ],
        RENAISSANCE,
    )
    own: Reducer[Scene] = Reducer(apply)
    own.on(CostPaid, instead=True)(lambda scene, event: RENAISSANCE.paid(scene, event.who, event.price))

    @own.after(TurnStarted)
    def _new_turn(scene: Scene, event: TurnStarted) -> Scene:
        return scene.with_status(event.who, spent=Ranks())

    async def turn(game: Game, who: str) -> None:
        await take_turn(game, who, goes_on=lambda scene, who: scene.turn == who)

    async def run(game: Game) -> None:
        await play_rounds(game, turn, lambda scene: None, cause=RULE, most=2)

    def ids() -> tuple[str, ...]:
        assert isinstance(session.question, Choice)
        return session.question.ids

    session = session_of(scene_of("ann"), run, actions, apply=own)
    assert ids() == ("strike", "draw", "cast", "rest")
    session.choose("cast")
    assert session.scene["ann"].status.stamina == 0
    assert ids() == ("strike", "draw", "rest"), "no stamina is left for another"
    session.choose("strike")
    assert session.scene.round == 2, "nothing is left to be done but to rest"
    assert told(session, "Did") == ["Did ann cast", "Did ann strike", "Did ann rest"]
    assert session.scene["ann"].status.spent == Ranks(), "a new turn"
    session.choose("draw")
    session.choose("draw")
    assert ids() == ("draw", "rest")
    assert isinstance(session.question, Choice)
    assert ("strike", "no standard action is left") in [(one.id, one.reason) for one in session.question.closed]


@each_case(
    ("spent", "price", "why"),
    [
        ({}, Cost.of(standard=1), None),
        ({}, Cost.of(quick=3), None),
        ({}, Cost.of(quick=4), "costs 4 quick actions, 3 left"),
        ({}, Cost.of(standard=1, quick=1), None),
        ({}, Cost.of(standard=1, quick=2), "more than a turn allows"),
        ({"quick": 1}, Cost.of(standard=1), None),
        ({"quick": 1, "standard": 1}, Cost.of(quick=1), "no quick action is left"),
        ({"quick": 2}, Cost.of(quick=1), None),
        ({"quick": 3}, Cost.of(quick=1), "no quick action is left"),
        ({"standard": 1}, Cost.of(standard=1), "no standard action is left"),
    ],
)
def test_short_weapons(spent: dict[str, int], price: Cost, why: str | None) -> None:
    scene = scene_of("ann").with_status("ann", spent=Ranks(spent))
    assert RENAISSANCE.short(scene, "ann", price) == why


def test_the_words_of_an_allotment() -> None:
    assert RENAISSANCE.words(Cost.of(standard=1, stamina=2)) == "1 standard action, 2 stamina"
    assert RENAISSANCE.words(Cost.of(quick=2)) == "2 quick actions"
    assert RENAISSANCE.left(scene_of("ann").with_status("ann", spent=Ranks({"quick": 2})), "ann") == {
        "standard": 0,
        "quick": 1,
    }
