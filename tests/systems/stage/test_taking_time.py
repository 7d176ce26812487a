"""AP of assistance, and of actions that take several turns."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.playing import events, go, status
from systems.stage.fights import act, closed, duel, fighter, offered, place, session_with
from systems.stage.people import somebody
from tablewright.engine import Choice
from tablewright.game.ground.facts import Facts
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.effects import OPEN_END, Effect
from tablewright.systems.stage.actions.index import ACTIONS, LONG
from tablewright.systems.stage.status import Progress

ONE = {"dice for the first roll": "1"}


def helped(own: Any, helper: Any, helper_ap: int = 3, **bob: Any) -> Any:
    """Ann with cat standing by, against bob; dan lies about hurt."""
    stands_by = (Effect("stands_by", OPEN_END, source="ann"),)
    return duel(
        own,
        fighter(),
        place(helper, "party", who="cat", lasting=stands_by, ap=helper_ap),
        place(fighter(), "party", who="dan", stamina=1, vitality=1),
        mine={"stamina": 9},
        theirs={**bob},
    )


@pytest.mark.rule("stage.check.assist")
@each_case(
    ("use", "ap"),
    [
        ("attack:bob:spear", 1),
        ("attack:bob:spear+crippling_attack", 2),
        ("attack:bob:spear+rapid_attack", 0),
        ("non_lethal:bob:spear", 2),
        ("non_lethal:bob:unarmed", 1),
        ("power_attack:bob:spear", 2),
        ("disarm:bob", 2),
        ("trip:bob", 2),
        ("push:bob", 2),
        ("cast:bob:flare=fire", 2),
        ("cast:dan:healing_touch", 2),
        ("first_aid:dan", 3),
        ("treat:dan", 3),
        ("bluff:bob", 1),
        ("insult:bob", 3),
    ],
)
def test_a_character_who_helps_pays_as_many_ap_as_it_takes(use: str, ap: int) -> None:
    own = somebody(
        3,
        powers=("crippling_attack", "rapid_attack"),
        spells=("flare", "healing_touch"),
        has=["spear@hand", "medicine_kit"],
    )
    paid = next(
        ACTIONS.by_id[each.action].price_of(session.scene, "ann", each)["ap"]
        for session in [helped(own, somebody(3))]
        for each in ACTIONS.options(session.scene, "ann")
        if isinstance(each, ActionUse) and each.id == use
    )
    assert paid == ap
    for left, asked in ((ap, True), (ap - 1, False)):
        if left < 0:
            continue
        session = helped(own, somebody(3), left)
        session.do("stage.perform", who="ann", use=use)
        question = session.question
        assert (isinstance(question, Choice) and question.question == "assist?") is asked
        if asked:
            session.choose("assist:ann")
            assert status(session, "cat").ap == 0


@pytest.mark.rule("stage.check.assist")
@pytest.mark.parametrize(("helps", "dice"), [("assist:ann", 4), ("pass", 3)])
def test_help_is_a_die_more_in_every_kind_of_check(helps: str, dice: int) -> None:
    own = somebody(3, spells=("soul_sting",), has=["medicine_kit"])
    for use, before, more in (
        ("trip:bob", [], []),
        ("first_aid:dan", [], []),
        ("cast:bob:soul_sting", [], [[1]]),
        ("bluff:bob", [[6]], []),
    ):
        session = helped(own, somebody(3))
        ap, choices = status(session, "cat").ap, {"assist?": helps}
        if use[0] in "tc":
            choices["how to defend"] = "nothing"
        go(session, "stage.perform", who="ann", use=use, faces=[*before, [1] * dice, *more], choices=choices)
        assert (status(session, "cat").ap < ap) is (helps != "pass")


@pytest.mark.rule("stage.terrain.high_ground", "stage.attack.trip_push")
@pytest.mark.parametrize(("high", "success"), [(True, True), (False, False)])
def test_high_ground_counts_for_special_attacks(high: bool, success: bool) -> None:
    own = somebody(brawl=2, perception=1, academics=1)
    facts = Facts().set("high_ground", "ann", high, against="bob")
    session = duel(own, fighter(), facts=facts)
    act(session, "trip:bob", faces=[[1, 1]], choices={"how to defend": "nothing"})
    assert events(session, "Tried")[0].success is success


# ---------------------------------------------------------------------- over several turns


@pytest.mark.rule("stage.action.multi_turn")
@each_case(
    ("use", "left"),
    [
        ("cast:bob:flare=fire", 1),
        ("power_attack:bob:spear", 1),
        ("disarm:bob", 1),
        ("trip:bob", 1),
        ("attack:bob:spear+crippling_attack", 1),
        ("grapple:bob", 2),
        ("detect::", 1),
        ("prepare", 2),
        ("draw::dagger", 1),
        ("power::war_cry", 1),
        ("tumble", 1),
    ],
)
def test_whatever_takes_longer_can_be_begun_and_finished(use: str, left: int) -> None:
    own = somebody(
        6, spells=("flare",), powers=("crippling_attack", "war_cry"), has=["spear@hand", "dagger@pack"], projection=6
    )
    session = duel(own, fighter(), mine={"ap": left})
    action, _, rest = use.partition(":")
    target, _, detail = rest.partition(":")
    ids = [one for one in offered(session) if one.startswith(f"begin:{target}:{action}/{detail}")]
    assert ids, [one for one in offered(session) if one.startswith("begin")]
    act(session, ids[0])
    progress = status(session).progress
    assert progress is not None
    assert (progress.ap, status(session).ap) == (left, 0)
    whole = next(
        ACTIONS.by_id[each.action].price_of(fresh.scene, "ann", each)["ap"]
        for fresh in [duel(own, fighter())]
        for each in ACTIONS.options(fresh.scene, "ann")
        if isinstance(each, ActionUse) and each.id == progress.use
    )
    again = duel(own, fighter(), mine={"ap": whole - left, "progress": progress})
    assert progress.use in offered(again)
    short = duel(own, fighter(), mine={"ap": whole - left})
    assert progress.use not in offered(short)
    assert whole > left


@pytest.mark.rule("stage.action.multi_turn")
def test_an_action_begun_says_what_is_left_to_pay_and_nothing_else_is_cheaper() -> None:
    begun = Progress("power_attack:bob:spear", 1)
    session = duel(fighter(brawl=1), fighter(), mine={"ap": 2, "progress": begun})
    costs = {use.id: use.cost_text for use in ACTIONS.options(session.scene, "ann") if isinstance(use, ActionUse)}
    told = {name: cost() if callable(cost) else cost for name, cost in costs.items()}
    assert told["power_attack:bob:spear"] == "1 AP"
    assert told["power_attack:bob:unarmed"] == "2 AP"
    one = duel(fighter(brawl=1), fighter(), mine={"ap": 1, "progress": begun})
    assert "power_attack:bob:spear" in offered(one)
    assert "power_attack:bob:unarmed" not in offered(one)
    assert closed(duel(fighter(), fighter(), mine={"ap": 1}), "power_attack") == (
        "costs 2 AP, 1 left",
        "stage.action.ap",
    )


@pytest.mark.rule("stage.action.multi_turn")
def test_nothing_is_begun_out_of_turn_nor_what_can_be_done_at_once() -> None:
    session = duel(fighter(), fighter(), turn="bob", mine={"ap": 1})
    assert not [use for use in offered(session) if use.startswith("begin")]
    mine = duel(fighter(), fighter(), mine={"ap": 2})
    begins = [use for use in offered(mine) if use.startswith("begin")]
    assert not any("power_attack" in use or "/attack" in use for use in begins)
    assert set(LONG) <= set(ACTIONS.by_id)


@pytest.mark.rule("stage.action.multi_turn")
def test_helping_another_loses_what_was_begun() -> None:
    begun = Progress("grapple:ann", 1)
    cat = fighter(defense=3, has=["mail_shirt@worn"])
    people = [
        place(fighter(), "foes", who="ann"),
        place(fighter(), "party", who="bob", progress=begun),
        place(cat, "party", who="cat", progress=begun),
    ]
    session = session_with(people)
    choices = {**ONE, "how to defend": "nothing", "deflect": "deflect"}
    act(session, "attack:bob:spear", faces=[[6], [1, 1], [1, 1, 1]], choices=choices)
    assert status(session, "cat").progress is None
    assert status(session, "bob").progress == begun
    stands_by = (Effect("stands_by", OPEN_END, source="ann"),)
    people = [
        place(fighter(), "party", who="ann"),
        place(fighter(), "party", who="cat", lasting=stands_by, progress=begun),
        place(fighter(), "foes", who="bob"),
    ]
    session = session_with(people)
    act(session, "attack:bob:spear", faces=[[1]], choices={**ONE, "assist?": "assist:ann", "how to defend": "nothing"})
    assert status(session, "cat").progress is None


@pytest.mark.rule("stage.action.multi_turn")
def test_resisting_a_trick_loses_what_was_begun() -> None:
    session = duel(somebody(2), fighter(), theirs={"progress": Progress("grapple:ann", 1)})
    act(session, "bluff:bob", faces=[[6], [1, 1]])
    assert status(session, "bob").progress is None
