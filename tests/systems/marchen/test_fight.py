"""Fights by the ounce: who enters how, what a turn holds, who acts at the same moment, when a fight ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.marchen.acts import followed
from systems.marchen.fights import STRUCK_BACK, begun, closed, duel, fighter, offered, ruled, three
from systems.marchen.people import book, data, hurt, together
from systems.playing import answer as go_on
from systems.playing import status
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.character import Ranks
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.costs import ActionEconomy, Cost
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.systems.marchen.actions.attack import reactions_to
from tablewright.systems.marchen.actions.requirements import foes_of
from tablewright.systems.marchen.bots import FALLS_ANYWAY, rate, value
from tablewright.systems.marchen.events.fight import TurnOfAnOunce
from tablewright.systems.marchen.now import arms_of
from tablewright.systems.marchen.status import at_the_same_moment

# ---------------------------------------------------------------------- positions and turns


@pytest.mark.rule("marchen.puncti.enter_the_fray", "marchen.fight.control")
def test_positions_and_order_follow_from_entering() -> None:
    session = begun(duel(fighter("Ann"), fighter("Bob", agility=1)), 3, 4)
    assert (status(session).effect, status(session).in_control) == (-2, False)
    assert (status(session, "bob").effect, status(session, "bob").in_control) == (1, True)
    assert session.scene.order == ("bob", "ann")
    for agility, first, second in ((1, 4, 4), (2, 4, 3)):  # better, and equal but more agile
        equal = begun(duel(fighter("Ann"), fighter("Bob", agility=agility)), first, second)
        assert equal.scene.order == ("bob", "ann")


@pytest.mark.rule("marchen.puncti.enter_the_fray", "marchen.gap.fight.reactions")
def test_a_costly_entry_loses_the_first_round_but_not_the_reactions() -> None:
    session = duel()
    session.do("marchen.encounter")
    go_on(session, [1, 2], [4, 4])
    assert (status(session).loses_round, status(session).surprised) == (1, False)
    go_on(session, "strike:ann:sword")
    assert reacts(session)
    go_on(session, "none", [1, 4], "hold")
    assert (session.scene.round, session.scene.turn) == (2, "bob")
    assert go_on(session, "hold").scene.turn == "ann"


@pytest.mark.rule("marchen.puncti.enter_the_fray")
def test_a_character_who_comes_later_and_badly_loses_the_round_of_coming() -> None:
    session = three()
    session.do("table.leave", who="cid")
    session.do("marchen.encounter")
    go_on(session, [5, 5], [4, 4])
    session.do("table.rule", who="cid", field="present", value="true", reason="comes back")
    go_on(session, "hold", "hold", [1, 2])
    assert (session.scene.round, status(session, "cid").loses_round) == (2, 2)
    go_on(session, "hold", "hold")
    assert (session.scene.round, session.scene.turn) == (3, "ann")
    assert go_on(session, "hold", "hold").scene.turn == "cid"


@pytest.mark.rule("marchen.fight.control")
def test_open_actions_by_position() -> None:
    said = data("marchen.fight.control")
    control = begun(duel())
    assert set(said["in_control"]) <= set(offered(control))
    assert not set(said["bad_spot"]) & set(offered(control))
    assert closed(control)["clash"] == "marchen.fight.control"
    spot = begun(duel(), 3, 1)
    assert set(said["bad_spot"]) <= set(offered(spot))
    assert not set(said["in_control"]) & set(offered(spot))
    with pytest.raises(InvalidInputError):
        spot.choose("strike:bob:sword")
    live = Game(spot.scene, book())
    with pytest.raises(IllegalActionError, match="bad spot") as refused:
        book().actions.check(live.scene, "ann", ActionUse("strike", "bob", "sword"))
    assert refused.value.rule == "marchen.fight.control"


@pytest.mark.rule("marchen.time.combat_actions")
def test_a_turn_has_one_significant_and_one_minor_action_or_three_minor_ones() -> None:
    session = go_on(begun(duel()), "aim", "aim")
    assert closed(session)["strike"] == "marchen.time.combat_actions"
    assert go_on(session, "aim").scene.turn == "bob"
    acted = go_on(begun(duel()), "gain_ground::position", [4, 4])
    assert "aim" in offered(acted)
    assert closed(acted)["strike"] == "marchen.time.combat_actions"
    assert go_on(acted, "aim").scene.turn == "bob"


@pytest.mark.rule("marchen.time.combat_actions")
def test_the_rest_of_a_turn_is_cached_by_everything_spent() -> None:
    session = together(fighter("Ann"))
    patterns = ({"significant": 1, "minor": 1}, {"minor": 3})
    quick, plain = TurnOfAnOunce(patterns), ActionEconomy(patterns)
    for spent in ({}, {"minor": 1}, {"minor": 2}, {"minor": 3}, {"significant": 1}, {"significant": 1, "minor": 1}):
        scene = session.scene.with_status("ann", spent=Ranks(spent))
        for price in (Cost.of(significant=1), Cost.of(minor=1)):
            assert quick.short(scene, "ann", price) == plain.short(scene, "ann", price), (spent, price)


@pytest.mark.rule("marchen.time.combat_round")
@pytest.mark.parametrize(("length", "ticks"), [("ounce", 60), ("six_seconds", 48)])
def test_a_round_takes_its_time(length: str, ticks: int) -> None:
    session = go_on(begun(duel(combat_round=length)), "hold", "hold")
    assert (session.scene.round, session.scene.clock.now) == (2, ticks)


@pytest.mark.rule("marchen.action.scales", "marchen.gap.casting.depths")
def test_momentary_acts_are_done_in_a_fight_too() -> None:
    session = begun(duel(fighter("Ann", skills={"arcana": 3})))
    session.do("marchen.cast_deed", who="ann", skill="arcana", depth="sense")
    go_on(session, [4, 4])
    assert status(session).spiritual == 0


LONG: dict[str, dict[str, Any]] = {
    "rest": {},
    "first_aid": {"who": "ann", "patient": "bob"},
    "triage": {"who": "ann", "patient": "bob"},
    "make_camp": {"payer": "ann"},
    "forage": {"who": "ann"},
    "face_danger": {"who": "ann", "skill": "athletics"},
    "check_gear": {"who": "ann", "item": "rope"},
    "negotiate": {"who": "ann", "against": "bob"},
    "work": {"who": "ann", "what": "athletics"},
    "travel": {"mode": "travel"},
    "undertake_journey": {},
    "fight_battle": {"side": "party", "against": "foes"},
    "week": {"plans": ("ann=honor_your_people",)},
    "month": {"plans": ("ann=go_riding",)},
    "season": {},
    "overcome_destruction": {"who": "ann"},
    "raise_standing": {"who": "ann"},
    "cast_deed": {"who": "ann", "skill": "arcana", "depth": "weave"},
}


@pytest.mark.rule("marchen.action.scales")
@each_case("process", LONG)
def test_a_fight_has_no_time_for_what_takes_longer_than_an_ounce(process: str) -> None:
    session = duel(fighter("Ann", skills={"arcana": 3}, treasure=90), fighter("Bob", wounds=hurt(physical=5)))
    ruled(begun(session), "bob", dying="watch")
    before = session.scene
    with pytest.raises(IllegalActionError, match="not in the middle of an encounter") as no:
        session.do(f"marchen.{process}", **LONG[process])
    assert (no.value.rule, session.scene) == ("marchen.action.scales", before)


def test_of_two_who_are_called_alike_an_option_says_which() -> None:
    session = three(foes=("bob", "cid"))
    twins = replace(session.scene["cid"], name="Bob")
    scene = session.scene.with_participant(twins)

    def labels(scene: Scene) -> set[str]:
        return {scene.display_name(one.id) for one in foes_of(scene, "ann")}

    assert labels(scene) == {"Bob 1", "Bob 2"}
    assert labels(session.scene) == {"Bob", "Cid"}
    assert labels(scene.with_participant(replace(twins, hidden=True))) == {"Bob"}  # no one learns of who is hidden


# ---------------------------------------------------------------------- surprise


def reacts(session: Session) -> bool:
    """True if a participant is asked for a reaction."""
    return isinstance(session.question, Choice) and session.question.question == "react?"


@pytest.mark.rule("marchen.gap.fight.surprise", "marchen.gap.fight.reactions")
def test_the_surprised_are_in_a_bad_spot_lose_the_round_and_react_from_the_second_on() -> None:
    session = duel()
    session.do("table.hide", who="bob")
    session.do("marchen.encounter")
    assert (status(session).in_control, status(session).loses_round, status(session).surprised) == (False, 1, True)
    assert (status(session, "bob").in_control, status(session, "bob").effect) == (True, 4)
    assert session.scene.turn == "bob"
    assert reactions_to(session.scene, STRUCK_BACK, arms_of(session.scene, "bob")["sword"]) == (0, 0)
    session.do("table.reveal", who="bob")
    go_on(session, "strike:ann:sword")
    assert not reacts(session)
    go_on(session, [3, 4], "hold")
    assert (session.scene.round, session.scene.turn) == (2, "bob")
    assert (status(session).surprised, status(session).loses_round) == (False, 0)
    go_on(session, "strike:ann:sword")
    assert reacts(session)


# ---------------------------------------------------------------------- the same moment


FELLING = ["strike:bob:sword", "none", [4, 4], [2, 2, 2], [1, 3]]


def tied() -> Session:
    """A duel of two who act at the same moment, in which Ann is listed first and Bob has taken all he can."""
    return ruled(begun(duel(), 4, 4), "bob", physical=12)


@pytest.mark.rule("marchen.puncti.enter_the_fray")
def test_a_character_who_falls_to_one_of_the_same_rank_acts_first() -> None:
    session = go_on(tied(), *FELLING, [1, 4])  # Fail: down and out with a condition
    bob = status(session, "bob")
    assert (bob.falling, bob.down, bob.dying) == (("physical fail",), False, "")
    assert "bob: acts at the same moment, and falls then" in followed(session)
    for how in ("strike", "clash"):
        assert rate(session.scene, "ann", ActionUse(how, "bob", "sword")) == FALLS_ANYWAY
    standing = session.scene.with_status("bob", falling=())
    assert value(session.scene, "party") > value(standing, "party")
    assert go_on(session, "hold").scene.turn == "bob"
    go_on(session, "strike:ann:sword", "none", [5, 5], [2, 2, 2], [1, 2], "hold")
    assert status(session).physical == 6
    bob = status(session, "bob")
    assert (bob.down, bob.conscious, bob.dying, bob.falling) == (True, False, "watch", ())
    assert session.scene.ended == "party win"


@pytest.mark.rule("marchen.puncti.enter_the_fray", "marchen.gap.fight.end")
def test_two_who_tie_may_both_fall() -> None:
    session = ruled(go_on(tied(), *FELLING, [1, 1], "hold"), "ann", physical=12)
    go_on(session, "strike:ann:sword", "none", [5, 4], [2, 2, 2], [1, 3], [1, 4])
    assert status(session).down
    assert (status(session, "bob").fate, session.scene.ended) == ("dead", "nobody stands")


@pytest.mark.rule("marchen.puncti.enter_the_fray")
@pytest.mark.parametrize("agile", [-1, 1])
def test_a_character_who_is_slower_or_has_acted_falls_at_once(agile: int) -> None:
    session = duel(bob=fighter("Bob", agility=agile))
    session.do("marchen.encounter")
    go_on(session, [5, 4], [5, 5] if agile < 0 else [4, 4])
    ruled(session, "bob", physical=12)
    assert [session.scene[who].status.effect for who in ("ann", "bob")] == [1, 1]
    if session.scene.turn == "bob":
        go_on(session, "hold")
    go_on(session, *FELLING, [1, 4])
    assert (status(session, "bob").down, status(session, "bob").falling) == (True, ())


@pytest.mark.rule("marchen.puncti.enter_the_fray", "marchen.puncti.end_the_fight")
def test_the_felled_act_first_as_well_and_those_who_leave_fall() -> None:
    session = tied()
    go_on(session, "end_the_fight:bob:sword", "felled", "none", [6, 5], [1, 1, 1], [6, 6], [6, 6], "hold")
    assert status(session, "bob").falling == ("felled",)
    assert not status(session, "bob").down
    go_on(session, "surrender")
    assert status(session, "bob").down


@pytest.mark.rule("marchen.puncti.enter_the_fray")
def test_characters_who_share_a_moment() -> None:
    scene = tied().scene
    assert at_the_same_moment(scene, "bob")
    assert not at_the_same_moment(scene, "ann")  # whose turn it is
    for field, word in (("down", True), ("loses_round", 1), ("effect", 1)):
        assert not at_the_same_moment(scene.with_status("bob", **{field: word}), "bob")
    assert at_the_same_moment(scene.with_status("bob", loses_round=2), "bob")
    assert not at_the_same_moment(duel().scene, "bob")


# ---------------------------------------------------------------------- the end of a fight


@pytest.mark.rule("marchen.gap.fight.end")
def test_a_fight_is_over_when_one_side_is_left_and_its_effects_are_gone() -> None:
    assert go_on(ruled(begun(duel()), "bob", down=True), "hold").scene.ended == "party win"
    assert go_on(begun(duel()), "surrender").scene.ended == "foes win"
    session = begun(duel())
    go_on(session, "gain_ground::position", [6, 6], "aim", "strike:ann:sword", "dodge", [3, 3])
    ruled(session, "ann", hindered=True, aim=3, surprised=True, loses_round="1")
    before = status(session)
    assert (before.aim, before.reactions, before.hindered, before.effect) == (3, 1, True, 4)
    assert before.nexts
    go_on(session, "surrender")
    assert session.scene.ended == "party win"
    after = status(session)
    assert (after.aim, after.reactions, after.hindered, after.effect) == (0, 0, False, None)
    assert (after.nexts, dict(after.spent), after.surprised, after.loses_round) == ((), {}, False, 0)
