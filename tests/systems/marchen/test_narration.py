"""Narration: fights and events as players read them, announcements, costs of options."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.marchen.acts import told
from systems.marchen.fights import begun, duel, fighter, ruled
from systems.marchen.people import template
from systems.playing import answer as go_on
from tablewright.engine import Choice, Roll, odds
from tablewright.game.narration.draft import EntryDraft, LineSeen
from tablewright.game.narration.narrator import status_words
from tablewright.game.narration.voices import voice_for
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.events import Event
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import open_session
from tablewright.systems.marchen.bots import health
from tablewright.systems.marchen.encounter import left_of_turn
from tablewright.systems.marchen.events.fight import (
    Aimed,
    Compelled,
    Ended,
    EnteredTheFray,
    Harmed,
    Healed,
    HelpGained,
    Maneuvered,
    Reloaded,
    Struck,
    TideTurned,
)
from tablewright.systems.marchen.mechanics.checks import Winner, opposed
from tablewright.systems.marchen.mechanics.clash import battle
from tablewright.systems.marchen.mechanics.harm import Suffered
from tablewright.systems.marchen.narration import sayings
from tablewright.systems.marchen.status import Status


def reads(*happened: Event, **options: Any) -> str:
    """Headline of one entry of events that happen to Ann and Bob."""
    session = duel(fighter("Ann"), fighter("Bob"), **options)
    voice = voice_for(session.scene, session.rulebook, GAME_MASTER)
    lines = [LineSeen(number, 1, event.to_json(), "", {}, event.mentions) for number, event in enumerate(happened)]
    entry = EntryDraft(lines, voice, sayings).tell()
    return "" if entry is None else str(entry.headline)


def struck(**more: Any) -> Struck:
    """A blow with a thrown spear, unless said otherwise."""
    usual: dict[str, Any] = {"who": "bob", "by": "ann", "arms": "spear/thrown", "how": "strike", "aspect": "physical"}
    return Struck(**usual | {"control": True} | more)


FEAR = {"arms": "fright", "aspect": "mental"}
FALLEN = Suffered(damage=9, condition=True, face="minor_fail")


@pytest.mark.rule("marchen.ounces.strike", "marchen.puncti.end_the_fight", "marchen.ounces.clash")
@each_case(
    ("event", "headline"),
    [
        (struck(**FEAR, degree="tie", hurt=Suffered(damage=6)), "Ann frightens Bob: a tie, 6 mental damage."),
        (struck(**FEAR, degree="fail", control=False), "Ann fails to frighten Bob, and is in a bad spot."),
        (
            struck(degree="succeed", arms="snub", aspect="social", hurt=Suffered(damage=6, face="fail")),
            "Ann snubs Bob: a success, 6 social damage. It is too much: Bob faces the end, fails and is down.",
        ),
        (
            struck(degree="won", how="clash", arms="bow", hurt=Suffered(damage=8)),
            "Ann and Bob clash; Ann's bow wins. Bob takes 8 physical damage.",
        ),
        (struck(degree="fail", arms="sword", reaction="parry"), "Bob parries Ann's sword."),
        (struck(degree="fail", control=False), "Ann's thrown spear misses Bob, and Ann is in a bad spot."),
        (
            struck(degree="costly", reaction="parry", back=Suffered(damage=2)),
            "Bob parries Ann's thrown spear. Bob strikes back for 2 physical damage.",
        ),
        (
            struck(degree="catastrophic", back=FALLEN, control=False),
            (
                "A catastrophe: Ann's thrown spear goes wide of Bob. Bob strikes back for 9 physical damage. "
                "Ann suffers a condition. It is too much: Ann faces the end, fails and is down, dying."
            ),
        ),
        (
            struck(degree="won", answered=True, aspect="social", hurt=Suffered(damage=9, face="catastrophic")),
            (
                "Ann and Bob clash; Ann's thrown spear wins. Bob takes 9 social damage. "
                "It is too much: Bob faces the end and is an outcast."
            ),
        ),
        (struck(degree="lost", answered=True, control=False), "Ann and Bob clash; Bob wins."),
        (struck(degree="nobody wins", answered=True, control=False), "Ann and Bob clash; neither gives way."),
        (
            struck(degree="succeed", how="end_the_fight", hurt=Suffered(damage=2), control=False),
            (
                "Ann tries to end it with the thrown spear against Bob: only a success, 2 physical damage. "
                "Ann is in a bad spot."
            ),
        ),
        (
            struck(degree="won", answered=True, how="end_the_fight", out="felled", hurt=Suffered(damage=2)),
            "Ann ends it in a clash with Bob; Ann's thrown spear wins. Bob takes 2 physical damage and falls.",
        ),
        (Harmed(who="bob", aspect="physical", suffered=Suffered(damage=4)), "Bob takes 4 physical damage."),
        (
            Harmed(who="bob", aspect="physical", suffered=Suffered(face="tie")),
            "Bob faces the end and stays up, by a tie.",
        ),
        (Ended(who="bob"), "Bob dies."),
        (Healed(who="bob", aspect="physical", amount=3), "3 physical damage of Bob heals."),
        (Maneuvered(who="ann", what="gains ground", degree="costly", control=False), "Ann fails to gain ground."),
        (HelpGained(who="bob", name="a plan", dm=2), "Bob has +2 on the next check: a plan."),
        (Aimed(who="ann", aim=1), "Ann takes aim: +1."),
        (Aimed(who="ann", aim=0), "Ann loses the aim."),
        (Reloaded(who="ann", arms="crossbow"), "Ann loads the crossbow."),
        (Compelled(who="bob", by="ann", degree="failure"), "Ann tells Bob to stand down. Bob does not."),
        (
            EnteredTheFray(who="bob", effect=-5, control=False, loses_round=True),
            "Bob is caught in a bad spot and loses the first round.",
        ),
        (
            EnteredTheFray(who="bob", effect=-600, control=False, loses_round=True, surprised=True),
            "Bob is taken by surprise and loses the first round.",
        ),
        (TideTurned(who="ann", foe="bob"), "Ann turns the tide and takes the initiative from Bob."),
        (TideTurned(who="ann"), "Ann turns the tide."),
    ],
)
def test_an_event_reads(event: Event, headline: str) -> None:
    assert reads(event) == headline


def test_all_who_enter_the_fray_are_one_entry() -> None:
    both = [EnteredTheFray(who=who, effect=1, control=who == "ann") for who in ("ann", "bob")]
    assert reads(*both) == "Ann is in control; Bob is in a bad spot."


def test_every_kind_of_event_has_a_saying() -> None:
    session = duel(fighter("Ann"), fighter("Bob"))
    assert sorted(set(session.rulebook.apply.kinds) - set(sayings.events)) == []


@pytest.mark.rule("marchen.aspect.list")
def test_the_log_calls_aspects_as_the_table_does() -> None:
    blow = struck(**FEAR, degree="tie", hurt=Suffered(damage=6))
    assert reads(blow, aspect_names="fame") == "Ann frightens Bob: a tie, 6 academic damage."


def test_a_fall_follows_a_decisive_blow_even_if_the_end_was_survived() -> None:
    hurt = Suffered(damage=20, face="succeed")
    text = reads(struck(degree="critical", how="end_the_fight", out="felled", hurt=hurt))
    assert text.endswith("Bob faces the end and stays up, but falls all the same.")


@pytest.mark.rule("marchen.ounces.strike", "marchen.ounces.clash")
def test_a_blow_is_announced_before_anybody_rolls() -> None:
    session = begun(duel(fighter("Ann", skills={"persuasion": 0}), fighter("Bob", identity=1)))
    go_on(session, "strike:bob:snub")
    assert isinstance(session.question, Roll)
    assert told(session).endswith("Ann attacks Bob with a snub ...")
    go_on(session, [4, 4], [5], [1, 6])
    assert "Ann snubs Bob: a tie, 3 social damage." in told(session)
    clash = go_on(begun(duel(), 3, 1), "clash:bob:sword")
    assert told(clash).endswith("Ann clashes with Bob with the sword ...")


def test_options_say_what_they_hurt_and_what_they_cost() -> None:
    session = begun(duel(template("healer").changed(name="Ann")))
    assert isinstance(session.question, Choice)
    found = {one.id: (one.label, one.cost_text) for one in session.question.options}
    assert found["strike:bob:minor_curse"][0] == "Strike Bob with a minor curse (spiritual)"
    assert found["strike:bob:cudgel"][0] == "Strike Bob with the cudgel"
    assert found["cast_harm:bob:shape"][1] == "significant action, 1 spiritual damage"
    assert found["cast_harm:bob:sense"][1] == "significant action"
    assert list(found)[-2:] == ["surrender", "hold"]  # no one gives up by typing 1


def test_a_state_is_told_once_in_the_words_of_the_book() -> None:
    session = begun(duel(fighter("Ann", stamina=2)), 3, 1)
    ruled(session, "ann", physical=5, social=3)
    about = left_of_turn(session.scene, "ann")
    assert about["position"] == "a bad spot"
    assert about["harm"] == "physical 5 of 14, social 3 of 12"
    assert "harm" not in left_of_turn(session.scene, "bob")
    assert status_words({"in_control": False, "conscious": True}, Status) == "in a bad spot"
    assert status_words({"fate": "dead", "down": True, "conscious": False}, Status) == "down, unconscious"
    assert health(session.scene["ann"]) == "scratched"  # where the fate is told


@pytest.mark.rule("marchen.opposed.resolve")
def test_the_other_side_throws_its_own_dice() -> None:
    session = open_session(load_scenario("marchen:together"), seed=1)
    session.do("marchen.encounter")
    for one in session.scene.participants:
        go_on(session, [6, 6] if one.side == "party" else [2, 2])
    first = session.seat
    assert first in ("roland", "gretel", "agnes", "morwen")
    go_on(session, "compel:knight")
    assert session.seat == first
    go_on(session, [3, 3])
    assert session.seat == session.scene["knight"].seat != first


@pytest.mark.rule("marchen.opposed.resolve")
def test_a_chance_to_win_is_told_as_a_chance() -> None:
    call = opposed(a_modifier=2, a_characteristic=1)
    found = odds(call)
    chance = sum([weight for result, weight in found.items() if result.winner is Winner.A])
    assert found.expected(call.mechanic.objectives["win"]) * found.total == chance
    fought = odds(battle(modifier=2, characteristic=1))
    assert fought.expected(battle.objectives["win"]) == found.expected(call.mechanic.objectives["win"])
