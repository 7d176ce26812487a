"""Actions over several turns: begun with too few AP, finished later, or lost."""

from __future__ import annotations

import pytest

from each_case import each_case
from systems.playing import go, status
from systems.stage.fights import ONE, act, ap_of, closed, duel, fighter, next_round, offered, place
from systems.stage.people import somebody
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.effects import OPEN_END, Effect
from tablewright.systems.stage.actions.index import ACTIONS, LONG
from tablewright.systems.stage.events.fight import Attacked, Tried
from tablewright.systems.stage.status import Progress


@pytest.mark.rule("stage.action.multi_turn", "stage.environment.darkness", "stage.environment.gravity")
def test_a_move_of_more_ap_than_a_turn_has_is_begun_and_finished() -> None:
    """A cube in the dark under high gravity takes 4 AP: three in this turn, one in the next."""
    facts = Facts().set("darkness", "ann", "yes").set("gravity", "ann", "high")
    session = duel(fighter(), fighter(), apart=3, facts=facts)
    assert "begin::move/6,5" in offered(session)
    assert "begin:bob:insult/" not in offered(session)  # 3 AP are enough for it
    act(session, "begin::move/6,5")
    assert (status(session).ap, status(session).progress) == (0, ("move::6,5", 3))
    later = act(next_round(session), "move::6,5")
    assert (later.scene["ann"].position, status(later).ap) == (cell(6, 5), 2)


@pytest.mark.rule("stage.action.multi_turn", "stage.action.prepare_interruption")
def test_nothing_is_begun_with_what_was_prepared_for_an_interruption() -> None:
    found = offered(act(duel(fighter(), fighter()), "prepare"))
    assert "attack:bob:spear" in found  # it may be used in one's own turn
    assert not [one for one in found if one.startswith("begin")]


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
    powers = ("crippling_attack", "war_cry")
    own = somebody(6, spells=("flare",), powers=powers, has=["spear@hand", "dagger@pack"])
    session = duel(own, fighter(), mine={"ap": left})
    action, _, rest = use.partition(":")
    target, _, detail = rest.partition(":")
    begun, *_ = [one for one in offered(session) if one.startswith(f"begin:{target}:{action}/{detail}")]
    act(session, begun)
    progress = status(session).progress
    assert progress is not None
    assert (progress.ap, status(session).ap) == (left, 0)
    whole = ap_of(duel(own, fighter()), progress.use)
    assert whole > left
    for known, open_ in ((progress, True), (None, False)):
        again = duel(own, fighter(), mine={"ap": whole - left, "progress": known})
        assert (progress.use in offered(again)) is open_


@pytest.mark.rule("stage.action.multi_turn")
def test_an_action_begun_says_what_is_left_to_pay_and_nothing_else_is_cheaper() -> None:
    begun = Progress("power_attack:bob:spear", 1)
    session = duel(fighter(brawl=1), fighter(), mine={"ap": 2, "progress": begun})
    told = {use.id: use.cost_text for use in ACTIONS.options(session.scene, "ann") if isinstance(use, ActionUse)}
    assert (told["power_attack:bob:spear"], told["power_attack:bob:unarmed"]) == ("1 AP", "2 AP")
    last = duel(fighter(brawl=1), fighter(), mine={"ap": 1, "progress": begun})
    assert "power_attack:bob:spear" in offered(last)
    assert "power_attack:bob:unarmed" not in offered(last)
    price = ("costs 2 AP, 1 left", "stage.action.ap")
    assert closed(duel(fighter(), fighter(), mine={"ap": 1}), "power_attack") == price


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
    session = duel(fighter(), fighter(), place(cat, "foes", who="cat", progress=begun), theirs={"progress": begun})
    choices = {**ONE, "how to defend": "nothing", "deflect": "deflect"}
    act(session, "attack:bob:spear", faces=[[6], [1, 1], [1, 1, 1]], choices=choices)
    assert [status(session, who).progress for who in ("bob", "cat")] == [begun, None]
    stands_by = (Effect("stands_by", OPEN_END, source="ann"),)
    session = duel(fighter(), fighter(), place(cat, "party", who="cat", lasting=stands_by, progress=begun))
    act(session, "attack:bob:spear", faces=[[1]], choices={**ONE, "assist?": "assist:ann", "how to defend": "nothing"})
    assert status(session, "cat").progress is None


@pytest.mark.rule("stage.action.multi_turn")
def test_resisting_a_trick_loses_what_was_begun() -> None:
    session = duel(somebody(2), fighter(), theirs={"progress": Progress("grapple:ann", 1)})
    act(session, "bluff:bob", faces=[[6], [1, 1]])
    assert status(session, "bob").progress is None


@pytest.mark.rule("stage.action.multi_turn")
def test_an_action_is_begun_with_too_few_ap_and_finished_later() -> None:
    session = act(duel(fighter(brawl=2), fighter(), mine={"ap": 1}), "begin:bob:grapple/")
    assert status(session).ap == 0
    go(session, "table.rule", who="ann", field="ap", value="2", reason="the next turn")
    assert "grapple:bob" in offered(session)
    act(session, "grapple:bob", faces=[[1]], choices=ONE)
    assert (status(session).ap, status(session).progress) == (0, None)


@pytest.mark.rule("stage.action.multi_turn")
@pytest.mark.parametrize(("defence", "goes_on"), [("", True), ("nothing", True), ("dodge", False)])
def test_a_long_action_ends_with_a_defence_and_not_without(defence: str, goes_on: bool) -> None:
    begun = Progress("attack:ann:spear", 1)
    session = duel(fighter(), fighter(), theirs={"progress": begun})
    tried = Tried(who="bob", by="ann", what="guile.bluff", success=True, defence=defence)
    hit = Attacked(who="bob", by="ann", what="close_combat.attack", hit=True, defence=defence)
    for event in (tried, hit):
        after = session.rulebook.apply(session.scene, event)["bob"].status.progress
        assert after == (begun if goes_on else None)
