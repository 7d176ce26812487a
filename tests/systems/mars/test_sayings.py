"""Sayings of MARS: fights and events as players read them."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import RIVAL, SKILLED, act, duel, fighter, with_status
from systems.mars.people import alone, do, person, session_of
from systems.playing import events
from tablewright.errors import IllegalActionError
from tablewright.game.narration.draft import EntryDraft, LineSeen
from tablewright.game.narration.entries import entries
from tablewright.game.narration.projection import project_question
from tablewright.game.narration.question import word_question
from tablewright.game.narration.voices import voice_for
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.scene.events import Event
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.events.effects import BurnedDown, ConcentrationChanged, MarsEffectEnded, MarsEffectGained
from tablewright.systems.mars.events.encounter import Delayed, TurnBegan, WasSurprised
from tablewright.systems.mars.events.harm import Died, DyingChecked, Fell, HealthLost, Hurt, Stabilised, Woke
from tablewright.systems.mars.events.recovery import DayWentOn, FatigueChanged, SicknessChanged
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


def told(*happened: Event) -> str:
    """Headline of one entry of events that happen to Ann and Bob."""
    session = duel(SKILLED, RIVAL)
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
    session = act(duel(SKILLED, RIVAL), "attack:bob:club", faces=faces)
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
        *[
            (HandsChanged(who="bob", belongings=(), what=what), headline)
            for what, headline in (
                ("wields battleaxe in both hands", "Bob wields a battleaxe in both hands."),
                ("wields dagger and small shield", "Bob wields a dagger and a small shield."),
                ("wields nothing", "Bob wields nothing."),
                ("reloads crossbow", "Bob reloads a crossbow."),
            )
        ],
        (
            WorkedOn(who="bob", seconds=4, work=Work("skill", "wild_empathy", 180, 4)),
            "Bob begins to use Wild Empathy: 4 of 180 seconds.",
        ),
    ],
)
def test_an_event_reads(event: Event, headline: str) -> None:
    assert told(event) == headline


@pytest.mark.rule("mars.effect.list")
@each_case(
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
@each_case(
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
    session = duel(SKILLED, RIVAL)
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


@pytest.mark.parametrize(
    ("choice", "situation", "faces", "picked", "told_"),
    [
        ("max_gain", "advantage=1", [(3, 4, 9)], [], "[3>9 4]+1 = 14 against 11, with advantage"),
        ("max_gain", "advantage=1", [(3, 4, 2)], [], "[3 4]+1 = 8 against 11, with advantage"),
        ("lowest_die", "advantage=1", [(9, 1, 4)], [], "[9 1>4]+1 = 14 against 11, with advantage"),
        ("ask", "advantage=1", [(9, 1), (3,)], ["d4:1"], "[9 1>3]+1 = 13 against 11, with advantage"),
        ("ask", "advantage=1", [(9, 1), (10,)], ["d10:9"], "[9>10 1]+1 = 12 against 11, with advantage"),
        ("max_gain", "disadvantage=2", [(9, 3, 4, 2)], [], "[9>2 3]+1 = 6 against 11, with disadvantage"),
    ],
)
def test_the_rerolled_die_is_the_one_that_is_named(
    choice: Any, situation: str, faces: Any, picked: list[str], told_: str
) -> None:
    session = session_of({"ann": fighter("Ann", STR="r14+1")}, MarsOptions(advantage_die_choice=choice))
    how = {"situation": ["difficulty=11", situation], "faces": faces, "choices": picked}
    do(session, "table.check", who="ann", what="athletics", **how)
    (throw,) = entries(session.live, session.rulebook, GAME_MASTER)[-1].dice
    assert throw.text() == f"Athletics {told_}"


def test_the_question_for_the_die_names_what_it_shows() -> None:
    session = session_of({"ann": fighter("Ann", STR="r14")}, MarsOptions())
    session.do("table.check", who="ann", what="athletics", situation=["difficulty=11", "advantage=1"])
    session.type_in((6, 1))
    worded = _worded(session, "which die is rerolled", "ann")
    assert str(worded.heading) == "Which die does Ann roll again?"
    assert [(one.label, one.gives) for one in worded.options] == [
        ("The d4 that shows 1", "+1.5 on average"),
        ("The d10 that shows 6", "+1 on average"),
    ]


def test_the_halving_of_a_graze_is_told_apart_from_the_armour() -> None:
    session = act(duel(SKILLED, fighter("Bob", wear=["padded"])), "attack:bob:club", faces=[(3, 3), (7,), (8, 3)])
    (entry,) = entries(session.live, session.rulebook, GAME_MASTER)
    assert "armour stops 2, the graze halves the rest" in str(entry.quiet)


def test_bare_hands_strike_with_a_fist() -> None:
    session = act(duel(SKILLED, RIVAL), "attack:bob:unarmed", faces=[(1,), (9,)])
    (entry,) = entries(session.live, session.rulebook, GAME_MASTER)
    assert str(entry.headline).startswith("Ann's fist ")


def _worded(session: Any, key: str, who: str) -> Any:
    """The open question in words."""
    seen = project_question(session.playing, session.scene, who)
    assert seen is not None
    return word_question(key, seen, session.scene, session.rulebook, who, game=session.live)


def test_the_start_of_a_turn_is_asked_in_words() -> None:
    session = duel(SKILLED, RIVAL, mine={"effects": (MarsEffect("burning", degree=1),)})
    session = with_status(session, initiative=20, earlier=None, turn=Turn())
    session.do("mars.encounter")
    worded = _worded(session, "begin the turn?", "ann")
    assert str(worded.heading) == "Ann is up. Act now?"
    assert [one.label for one in worded.options] == ["Act now", "Wait until after someone else"]


def test_a_closed_defence_names_what_is_missing() -> None:
    session = duel(SKILLED, fighter("Bob"))
    session.do("mars.perform", who="ann", use="attack:bob:club")
    worded = _worded(session, "how to defend?", "bob")
    assert {one.label: one.sentence for one in worded.closed}["Parry"] == "Bob holds nothing to parry with."


@each_case(
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
    event = CharacterChanged(who="ann", what=what, character=SKILLED).to_json()
    session = duel(SKILLED, RIVAL)
    voice = voice_for(session.scene, session.rulebook, GAME_MASTER)
    seen = {name: value for name, value in event.items() if name != "character"}
    entry = EntryDraft([LineSeen(0, 1, seen, "", {}, ("who",))], voice, sayings).tell()
    assert str(entry.headline if entry else "") == headline


def test_a_character_who_defends_is_not_said_to_roll_to_hit() -> None:
    session = duel(SKILLED, RIVAL)
    session.do("mars.perform", who="ann", use="attack:bob:club")
    session.choose("deflect")
    assert str(_worded(session, "", "ann").heading) == "Ann rolls d10+d8 to hit."
    session.type_in((5, 5))
    assert str(_worded(session, "", "bob").heading) == "Bob rolls d10 for defence."


@pytest.mark.rule("mars.action.brandish", "mars.gap.fatigue.degrees", "mars.gap.talent.always_prepared")
def test_events_of_hands_and_meals_say_what_was_done() -> None:
    session = duel(fighter("Ann", pack={"crude_knife": 1}), RIVAL)
    act(session, "brandish")
    assert [line.what for line in events(session, HandsChanged)] == ["wields crude knife"]
    fed = do(alone(person("magister")), "mars.eat", who="ann", meals=1, litres=2)
    assert [line.what for line in events(fed, DayWentOn)] == ["1 meal, 2 litres"]
    do(fed, "mars.find", who="ann", item="rope")
    with pytest.raises(IllegalActionError, match="Fenn has used it once since"):
        fed.do("mars.find", who="ann", item="torch")
