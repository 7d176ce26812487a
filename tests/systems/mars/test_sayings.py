"""Sayings of MARS: fights and events as players read them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import act, duel, fighter
from systems.mars.people import do, person, session_of
from tablewright.game.narration.draft import EntryDraft, LineSeen
from tablewright.game.narration.entries import entries
from tablewright.game.narration.projection import project_question
from tablewright.game.narration.question import word_question
from tablewright.game.narration.voices import voice_for
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.scene.events import Event
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.session import Session
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.events.effects import BurnedDown, ConcentrationChanged, MarsEffectEnded, MarsEffectGained
from tablewright.systems.mars.events.encounter import Delayed, TurnBegan, WasSurprised
from tablewright.systems.mars.events.harm import Died, DyingChecked, Fell, HealthLost, Hurt, Stabilised, Woke
from tablewright.systems.mars.events.recovery import FatigueChanged, SicknessChanged
from tablewright.systems.mars.events.turn import (
    FlewIntoRage,
    Gathered,
    GotReady,
    HandsChanged,
    ReadyTaken,
    Stopped,
    WorkedOn,
)
from tablewright.systems.mars.mechanics.harm import Fate
from tablewright.systems.mars.narration import sayings
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Turn, Work

ANN = fighter("Ann", ["club"], STR="r10", DEX="r10", RES="r10", skills={"martial": "r8"})
BOB = fighter("Bob", ["club"])


def told(*happened: Event) -> str:
    """Headline of one entry of events that happen to Ann and Bob."""
    session = duel(ANN, BOB)
    voice = voice_for(session.scene, session.rulebook, GAME_MASTER)
    lines = [LineSeen(number, 1, event.to_json(), "", {}, event.mentions) for number, event in enumerate(happened)]
    entry = EntryDraft(lines, voice, sayings).tell()
    return "" if entry is None else str(entry.headline)


@pytest.mark.parametrize(
    ("faces", "headlines_", "throws"),
    [
        ([(9, 4), (7,), (8, 3)], {f"Ann's club {verb} Bob for 11." for verb in ("hits", "strikes", "catches")}, 3),
        ([(1, 1), (9,)], {f"Ann's club {verb} Bob." for verb in ("misses", "glances off", "fails to reach")}, 2),
    ],
)
def test_an_attack_is_one_entry_that_names_the_weapon(faces: Any, headlines_: set[str], throws: int) -> None:
    session = act(duel(ANN, BOB), "attack:bob:club", faces=faces)
    (entry,) = entries(session.live, session.rulebook, GAME_MASTER)
    assert str(entry.headline) in headlines_
    assert [throw.what for throw in entry.dice] == ["to hit", "defence", "damage"][:throws]
    assert [cost.text for cost in entry.costs] == ["2 s"]


@each_case(
    ("event", "headline"),
    [
        (Fell(who="bob", fate=Fate.DYING), "Bob falls, unconscious and dying."),
        (Died(who="bob"), "Bob is dead."),
        (Woke(who="bob"), "Bob comes to."),
        (Stabilised(who="bob"), "Bob stops bleeding out: stable, still unconscious."),
        (Hurt(who="bob", damage=21, by="rockfall"), "The rockfall does 21 damage to Bob."),
        (Hurt(who="bob", damage=3, by="burning"), "Bob burns: 3 damage."),
        (HealthLost(who="bob", amount=1, why="dying"), "Bob is bleeding out: 1 health lost."),
        (DyingChecked(who="bob", successes=0, failures=1), "Bob is slipping away."),
        (
            DyingChecked(who="bob", successes=1, failures=0, all_successes=1, all_failures=2),
            "Bob rallies: two failures of three, one success of three.",
        ),
        (
            DyingChecked(who="bob", successes=0, failures=0, all_successes=0, all_failures=2),
            "Bob holds on: two failures of three, no successes.",
        ),
        (BurnedDown(who="bob"), "The fire on Bob burns down."),
        (ConcentrationChanged(who="bob"), "Bob loses concentration."),
        (Delayed(who="bob", after="ann"), "Bob waits for Ann to act."),
        (WasSurprised(who="bob"), "Bob is surprised and does not act yet."),
        (TurnBegan(who="bob", stuns=0), ""),
        (TurnBegan(who="bob", stuns=1), "Bob begins the turn stunned."),
        (Stopped(who="bob"), "Bob is stopped and moves no further."),
        (FlewIntoRage(who="bob", strength=2, reduction=2, rating=-2), "Bob flies into a rage."),
        (ReadyTaken(who="bob"), "Bob was waiting for this."),
        (ReadyTaken(who="bob", over=True), ""),
        (
            GotReady(who="bob", trigger="attacks", action="seek_cover"),
            "Bob gets ready to seek cover when an enemy attacks.",
        ),
        (Gathered(items=("dagger", "battleaxe")), "Everyone gathers their gear: dagger and battleaxe."),
        (SicknessChanged(who="bob", source="", degree=0), "Bob gets over the sickness."),
        (FatigueChanged(who="bob", source="hunger", degree=2), "Bob suffers from hunger, degree 2."),
        (WorkedOn(who="bob", work=None, given_up=True), "Bob breaks off."),
        (
            WorkedOn(who="bob", seconds=4, work=Work("skill", "wild_empathy", 180, 4)),
            "Bob begins to use Wild Empathy: 4 of 180 seconds.",
        ),
    ],
)
def test_an_event_reads(event: Event, headline: str) -> None:
    assert told(event) == headline


@pytest.mark.rule("mars.effect.list")
@pytest.mark.parametrize(
    ("effect", "other", "headline"),
    [
        (MarsEffect("prone"), None, "Bob is knocked prone."),
        (MarsEffect("cover"), None, "Bob takes cover."),
        (MarsEffect("rating", value=-2), None, "Bob is exposed: armour rating -2."),
        (MarsEffect("unsighted", stat="ann"), "ann", "Bob loses sight of Ann."),
        (MarsEffect("opening", stat="ann"), "ann", "Bob has an opening against Ann."),
        (MarsEffect("stunned", degree=2), None, "Bob is stunned 2 times."),
    ],
)
def test_an_effect_begins(effect: MarsEffect, other: str | None, headline: str) -> None:
    assert told(MarsEffectGained(who="bob", effect=effect, other=other)) == headline


@pytest.mark.rule("mars.effect.list")
@pytest.mark.parametrize(
    ("kind", "value", "headline"),
    [
        ("prone", None, "Bob gets up."),
        ("rating", -2, "Bob is no longer exposed."),
        ("burning", None, "The fire on Bob is out."),
    ],
)
def test_an_effect_ends(kind: Any, value: int | None, headline: str) -> None:
    assert told(MarsEffectEnded(who="bob", effect=kind, value=value)) == headline


def test_every_kind_of_event_has_a_saying() -> None:
    session = duel(ANN, BOB)
    assert sorted(set(session.rulebook.apply.kinds) - set(sayings.events)) == []


@pytest.mark.rule("mars.check.group_action")
def test_a_group_check_is_one_sentence_with_everyones_own_dice() -> None:
    people = {"ann": person("fighter").changed(name="Ann"), "bob": person("fighter").changed(name="Bob")}
    session = session_of(people)
    do(session, "mars.group_check", who=["ann", "bob"], skill="athletics", difficulty="hard", faces=[(1, 1), (10, 6)])
    (entry,) = entries(session.live, session.rulebook, GAME_MASTER)
    assert str(entry.headline) == "Together, Ann and Bob succeed at Athletics."
    assert [(throw.whose, [face.value for face in throw.faces]) for throw in entry.dice] == [
        ("Ann", [1, 1]),
        ("Bob", [10, 6]),
    ]


def _thrown(session: Any) -> list[str]:
    """Throws of the last entry as the quiet line has them."""
    return [throw.text() for throw in entries(session.live, session.rulebook, GAME_MASTER)[-1].dice]


@pytest.mark.parametrize(
    ("choice", "faces", "picked", "told_"),
    [
        ("max_gain", [(3, 4, 9)], [], "Athletics [3>9 4] = 13 against 11, with advantage"),
        ("max_gain", [(3, 4, 2)], [], "Athletics [3 4] = 7 against 11, with advantage"),
        ("lowest_die", [(9, 1, 4)], [], "Athletics [9 1>4] = 13 against 11, with advantage"),
        ("ask", [(9, 1), (3,)], ["d4:1"], "Athletics [9 1>3] = 12 against 11, with advantage"),
        ("ask", [(9, 1), (10,)], ["d10:9"], "Athletics [9>10 1] = 11 against 11, with advantage"),
    ],
)
def test_the_rerolled_die_is_the_one_that_is_named(choice: Any, faces: Any, picked: list[str], told_: str) -> None:
    session = session_of({"ann": fighter("Ann", STR="r14")}, MarsOptions(advantage_die_choice=choice))
    situation = ["difficulty=11", "advantage=1"]
    do(session, "table.check", who="ann", what="athletics", situation=situation, faces=faces, choices=picked)
    assert _thrown(session) == [told_]


def test_a_disadvantage_names_the_greatest_die() -> None:
    session = session_of({"ann": fighter("Ann", STR="r14+1")})
    do(session, "table.check", who="ann", what="athletics", situation=["disadvantage=2"], faces=[(9, 3, 4, 2)])
    assert _thrown(session) == ["Athletics [9>2 3]+1 = 6 against 10, with disadvantage"]


def test_the_question_for_the_die_names_what_it_shows() -> None:
    session = session_of({"ann": fighter("Ann", STR="r14")}, MarsOptions())
    session.do("table.check", who="ann", what="athletics", situation=["difficulty=11", "advantage=1"])
    session.type_in((6, 1))
    seen = project_question(session.playing, session.scene, "ann")
    assert seen is not None
    worded = word_question("which die is rerolled", seen, session.scene, session.rulebook, "ann", game=session.live)
    assert str(worded.heading) == "Which die does Ann roll again?"
    assert [(one.label, one.gives) for one in worded.options] == [
        ("The d4 that shows 1", "+1.5 on average"),
        ("The d10 that shows 6", "+1 on average"),
    ]


def test_the_halving_of_a_graze_is_told_apart_from_the_armour() -> None:
    session = act(duel(ANN, fighter("Bob", wear=["padded"])), "attack:bob:club", faces=[(3, 3), (7,), (8, 3)])
    (entry,) = entries(session.live, session.rulebook, GAME_MASTER)
    assert "armour stops 2, the graze halves the rest" in str(entry.quiet)


@pytest.mark.parametrize(
    ("what", "headline"),
    [
        ("wields battleaxe in both hands", "Bob wields a battleaxe in both hands."),
        ("wields dagger and small shield", "Bob wields a dagger and a small shield."),
        ("wields nothing", "Bob wields nothing."),
        ("reloads crossbow", "Bob reloads a crossbow."),
    ],
)
def test_hands_are_told_with_articles(what: str, headline: str) -> None:
    assert told(HandsChanged(who="bob", belongings=(), what=what)) == headline


def test_bare_hands_strike_with_a_fist() -> None:
    session = act(duel(ANN, BOB), "attack:bob:unarmed", faces=[(1,), (9,)])
    (entry,) = entries(session.live, session.rulebook, GAME_MASTER)
    assert str(entry.headline).startswith("Ann's fist ")


def _worded(session: Any, key: str, who: str) -> Any:
    """The open question in words."""
    seen = project_question(session.playing, session.scene, who)
    assert seen is not None
    return word_question(key, seen, session.scene, session.rulebook, who, game=session.live)


def test_the_start_of_a_turn_is_asked_in_words() -> None:
    session = duel(ANN, BOB, mine={"effects": (MarsEffect("burning", degree=1),), "earlier": None})
    scene = session.scene.with_status("ann", initiative=20, earlier=None, turn=Turn())
    session = Session(replace(session.header, scene=scene), session.rulebook)
    session.do("mars.encounter")
    worded = _worded(session, "begin the turn?", "ann")
    assert str(worded.heading) == "Ann is up. Act now?"
    assert [one.label for one in worded.options] == ["Act now", "Wait until after someone else"]


def test_a_closed_defence_names_what_is_missing() -> None:
    session = duel(ANN, fighter("Bob"))
    session.do("mars.perform", who="ann", use="attack:bob:club")
    worded = _worded(session, "how to defend?", "bob")
    assert {one.label: one.sentence for one in worded.closed}["Parry"] == "Bob holds nothing to parry with."


@pytest.mark.parametrize(
    ("what", "headline"),
    [
        ("4 experience", "Ann gains 4 experience."),
        ("50 experience; a checkpoint is due", "Ann gains 50 experience, and a checkpoint is due."),
        ("athletics to r8 for 4", "Ann raises Athletics to r8 for 4 experience."),
        ("athletics taken back, 4 experience returned", "Ann takes back Athletics and has 4 experience more to spend."),
        ("STR +1", "Ann gets +1 STR for good."),
    ],
)
def test_growth_is_told_in_sentences(what: str, headline: str) -> None:
    event = CharacterChanged(who="ann", what=what, character=ANN).to_json()
    session = duel(ANN, BOB)
    voice = voice_for(session.scene, session.rulebook, GAME_MASTER)
    seen = {name: value for name, value in event.items() if name != "character"}
    entry = EntryDraft([LineSeen(0, 1, seen, "", {}, ("who",))], voice, sayings).tell()
    assert str(entry.headline if entry else "") == headline


def test_a_character_who_defends_is_not_said_to_roll_to_hit() -> None:
    session = duel(ANN, BOB)
    session.do("mars.perform", who="ann", use="attack:bob:club")
    session.choose("deflect")
    assert str(_worded(session, "", "ann").heading) == "Ann rolls d10+d8 to hit."
    session.type_in((5, 5))
    assert str(_worded(session, "", "bob").heading) == "Bob rolls d10 for defence."
