"""Sayings of Märchen Engine: fights and events as players read them."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.marchen.fights import duel, fighter
from tablewright.game.narration.draft import EntryDraft, LineSeen
from tablewright.game.narration.voices import voice_for
from tablewright.game.scene.events import Event
from tablewright.game.scene.visibility import GAME_MASTER
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
from tablewright.systems.marchen.mechanics.harm import Suffered
from tablewright.systems.marchen.narration import sayings


def told(*happened: Event, **options: Any) -> str:
    """Headline of one entry of events that happen to Ann and Bob."""
    session = duel(fighter("Ann"), fighter("Bob"), **options)
    voice = voice_for(session.scene, session.rulebook, GAME_MASTER)
    lines = [LineSeen(number, 1, event.to_json(), "", {}, event.mentions) for number, event in enumerate(happened)]
    entry = EntryDraft(lines, voice, sayings).tell()
    return "" if entry is None else str(entry.headline)


def struck(**more: Any) -> Struck:
    usual: dict[str, Any] = {
        "who": "bob",
        "by": "ann",
        "arms": "fright",
        "how": "strike",
        "aspect": "mental",
        "control": True,
    }
    return Struck(**usual | more)


@each_case(
    ("event", "headline"),
    [
        (struck(degree="tie", hurt=Suffered(damage=6)), "Ann frightens Bob: a tie, 6 mental damage."),
        (struck(degree="fail", control=False), "Ann fails to frighten Bob, and is in a bad spot."),
        (
            struck(degree="succeed", arms="snub", aspect="social", hurt=Suffered(damage=6, face="fail")),
            "Ann snubs Bob: a success, 6 social damage. It is too much: Bob faces the end, fails and is down.",
        ),
        (
            struck(degree="won", how="clash", arms="bow", aspect="physical", hurt=Suffered(damage=8)),
            "Ann and Bob clash; Ann's bow wins. Bob takes 8 physical damage.",
        ),
        (struck(degree="fail", arms="sword", aspect="physical", reaction="parry"), "Bob parries Ann's sword."),
        (Harmed(who="bob", aspect="physical", suffered=Suffered(damage=4)), "Bob takes 4 physical damage."),
        (
            Harmed(who="bob", aspect="physical", suffered=Suffered(face="tie")),
            "Bob faces the end and stays up, by a tie.",
        ),
        (Ended(who="bob"), "Bob dies."),
        (Healed(who="bob", aspect="physical", amount=3), "3 physical damage of Bob heals."),
        (
            Maneuvered(who="ann", what="gains ground", degree="costly", control=False),
            "Ann fails to gain ground.",
        ),
        (HelpGained(who="bob", name="a plan", dm=2), "Bob has +2 on the next check: a plan."),
        (Aimed(who="ann", aim=1), "Ann takes aim: +1."),
        (Aimed(who="ann", aim=0), "Ann loses the aim."),
        (Reloaded(who="ann", arms="crossbow"), "Ann loads the crossbow."),
        (Compelled(who="bob", by="ann", degree="failure"), "Ann tells Bob to stand down. Bob does not."),
        (
            EnteredTheFray(who="bob", effect=-5, control=False, loses_round=True),
            "Bob is caught in a bad spot and loses the first round.",
        ),
    ],
)
def test_an_event_reads(event: Event, headline: str) -> None:
    assert told(event) == headline


def test_all_who_enter_the_fray_are_one_entry() -> None:
    both = [EnteredTheFray(who=who, effect=1, control=who == "ann") for who in ("ann", "bob")]
    assert told(*both) == "Ann is in control; Bob is in a bad spot."


def test_every_kind_of_event_has_a_saying() -> None:
    session = duel(fighter("Ann"), fighter("Bob"))
    assert sorted(set(session.rulebook.apply.kinds) - set(sayings.events)) == []


@pytest.mark.rule("marchen.aspect.list")
def test_the_log_calls_aspects_as_the_table_does() -> None:
    blow = struck(degree="tie", hurt=Suffered(damage=6))
    assert told(blow, aspect_names="fame") == "Ann frightens Bob: a tie, 6 academic damage."


@pytest.mark.rule("marchen.ounces.turn_the_tide")
def test_the_log_says_from_whom_the_initiative_is_taken() -> None:
    assert told(TideTurned(who="ann", foe="bob")) == "Ann turns the tide and takes the initiative from Bob."
    assert told(TideTurned(who="ann")) == "Ann turns the tide."


SPEAR = {"arms": "spear/thrown", "aspect": "physical"}
FALLEN = Suffered(damage=9, condition=True, face="minor_fail")


@pytest.mark.rule("marchen.ounces.strike", "marchen.puncti.end_the_fight", "marchen.ounces.clash")
@pytest.mark.parametrize(
    ("fields", "headline"),
    [
        ({"degree": "fail", "control": False}, "Ann's thrown spear misses Bob, and Ann is in a bad spot."),
        (
            {"degree": "costly", "reaction": "parry", "back": Suffered(damage=2)},
            "Bob parries Ann's thrown spear. Bob strikes back for 2 physical damage.",
        ),
        (
            {"degree": "catastrophic", "back": FALLEN, "control": False},
            (
                "A catastrophe: Ann's thrown spear goes wide of Bob. Bob strikes back for 9 physical damage. "
                "Ann suffers a condition. It is too much: Ann faces the end, fails and is down, dying."
            ),
        ),
        (
            {"degree": "won", "answered": True, "aspect": "social", "hurt": Suffered(damage=9, face="catastrophic")},
            (
                "Ann and Bob clash; Ann's thrown spear wins. Bob takes 9 social damage. "
                "It is too much: Bob faces the end and is an outcast."
            ),
        ),
        ({"degree": "lost", "answered": True, "control": False}, "Ann and Bob clash; Bob wins."),
        ({"degree": "nobody wins", "answered": True, "control": False}, "Ann and Bob clash; neither gives way."),
        (
            {"degree": "succeed", "how": "end_the_fight", "hurt": Suffered(damage=2), "control": False},
            (
                "Ann tries to end it with the thrown spear against Bob: only a success, 2 physical damage. "
                "Ann is in a bad spot."
            ),
        ),
        (
            {"degree": "won", "answered": True, "how": "end_the_fight", "out": "felled", "hurt": Suffered(damage=2)},
            "Ann ends it in a clash with Bob; Ann's thrown spear wins. Bob takes 2 physical damage and falls.",
        ),
    ],
)
def test_a_blow_reads(fields: dict[str, Any], headline: str) -> None:
    assert told(struck(**SPEAR | fields)) == headline


def test_a_fall_follows_a_decisive_blow_even_if_the_end_was_survived() -> None:
    hurt = Suffered(damage=20, face="succeed")
    text = told(struck(**SPEAR, degree="critical", how="end_the_fight", out="felled", hurt=hurt))
    assert text.endswith("Bob faces the end and stays up, but falls all the same.")
