"""Sayings of Renaissance: fights and events as players read them."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.renaissance.fights import duel, fighter, went
from systems.renaissance.folk import library
from tablewright.game.narration.draft import EntryDraft, LineSeen
from tablewright.game.narration.entries import entries
from tablewright.game.narration.entry import Entry
from tablewright.game.narration.projection import project_question
from tablewright.game.narration.question import word_question
from tablewright.game.narration.voices import voice_for
from tablewright.game.play.common_events import BelongingsChanged, CharacterChanged, Checked
from tablewright.game.play.effects import Effect, EffectEnded, EffectGained
from tablewright.game.scene.events import Event
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.content import Strike
from tablewright.systems.renaissance.events.fight import (
    Acted,
    Answered,
    Attacked,
    Contested,
    Declared,
    Died,
    HandsChanged,
    Hurt,
    InitiativeRolled,
    LuckChanged,
    Stopped,
    Stressed,
    SustainChanged,
    TurnBegan,
    Volley,
)
from tablewright.systems.renaissance.events.recovery import Infected, TimeSpent, Wasted
from tablewright.systems.renaissance.narration import sayings
from tablewright.systems.renaissance.narration.words import STRIKES

ANN = fighter("Ann", ("short_sword", "main"), luck=2)
BOB = fighter("Bob", ("dagger", "main"))
SCENE = duel(ANN, BOB)


def entry_of(*happened: Event) -> Entry | None:
    """One entry of events that happen to Ann and Bob."""
    voice = voice_for(SCENE, rulebook, GAME_MASTER)
    lines = [LineSeen(number, 1, event.to_json(), "", {}, event.mentions) for number, event in enumerate(happened)]
    return EntryDraft(lines, voice, sayings).tell()


def told(*happened: Event) -> str:
    """Headline of one entry of events."""
    entry = entry_of(*happened)
    return "" if entry is None else str(entry.headline)


def hit(**more: Any) -> Attacked:
    """Ann hits Bob."""
    given: dict[str, Any] = {"who": "bob", "by": "ann", "weapon": "mace", "result": "hit", "damage": 6, **more}
    return Attacked(**given)


# ---------------------------------------------------------------------- attacks


@each_case(
    ("event", "ends"),
    [
        (hit(), "Bob: 6 damage."),
        (hit(special=True, damage=21, wounds=3, prone=True), "Bob hard: 21 damage, 3 wounds, knocked prone."),
        (hit(damage=12, wounds=1, felled=True), "Bob: 12 damage, 1 wound. Bob is disabled and out of the fight."),
        (hit(damage=60, wounds=9, felled=True, dead=True), "Bob: 60 damage, 9 wounds. Bob dies."),
        (hit(damage=0), "Bob, and the armour stops it."),
        (hit(strike="maim", part="arm"), "Bob but does not maim the arm: 6 damage."),
        (hit(strike="armor_gap"), "Bob but finds no gap in the armour: 6 damage."),
        (hit(strike="mighty_blow"), "Bob, without the Mighty Blow: 6 damage."),
        (hit(strike="knock_down"), "Bob but does not knock Bob down: 6 damage."),
        (hit(strike="called_shot", part="head"), "Bob, though not in the head: 6 damage."),
    ],
)
def test_a_hit_is_told_with_its_harm(event: Attacked, ends: str) -> None:
    assert told(event) in {f"Ann's mace {verb} {ends}" for verb in ("strikes", "hits", "catches")}


@pytest.mark.parametrize(
    ("event", "headline"),
    [
        (
            hit(strike="mighty_blow", effect=True, damage=26, wounds=3, prone=True),
            "Ann's mace lands a Mighty Blow on Bob: 26 damage, 3 wounds, knocked prone.",
        ),
        (
            hit(weapon="long_bow", strike="maim", effect=True, part="hand", lost="hand", damage=18, wounds=2),
            "Ann's arrow maims Bob's hand: 18 damage, 2 wounds. The hand is useless.",
        ),
        (
            hit(weapon="bear_claws", strike="armor_gap", effect=True),
            "Ann's claws find a gap in Bob's armour: 6 damage.",
        ),
        (
            hit(critical=True, strike="called_shot", effect=True, part="throat"),
            "A critical hit. Ann's mace hits Bob in the throat: 6 damage.",
        ),
        (
            hit(strike="knock_down", effect=True, prone=True, poisoned="blade_venom"),
            (
                "Ann's mace hits Bob with the force of a Knock Down: 6 damage, knocked prone. "
                "The blade venom gets into the blood."
            ),
        ),
    ],
)
def test_a_strike_that_comes_off_is_named(event: Attacked, headline: str) -> None:
    assert told(event) == headline


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.luck.flip")
def test_an_attack_is_one_entry_with_its_dice_and_costs() -> None:
    session = went(SCENE, "attack:bob:short_sword", "plain", (40,), (99,), "keep the result", (5, 6), 0)
    found = entries(session.live, rulebook, GAME_MASTER)[-1]
    assert [throw.what for throw in found.dice][:3] == ["attack", "defence", "damage"]
    assert found.dice[0].dice == "d100"
    assert [str(cost) for cost in found.costs] == ["1 standard action"]
    assert str(found.headline).startswith("Ann's short sword ")
    session = went(SCENE, "attack:bob:short_sword", "plain", (14,), (99,), "flip", (5, 6), 0)
    found = entries(session.live, rulebook, GAME_MASTER)[-1]
    assert found.dice[0].came == "flipped to 41"
    assert [str(cost) for cost in found.costs] == ["1 standard action", "1 Luck"]


# ---------------------------------------------------------------------- other events


@each_case(
    ("event", "headline"),
    [
        (Died(who="bob"), "Bob dies."),
        (Died(who="bob", cause="renaissance.gap.hazard.falling"), "Bob falls to the death."),
        (Hurt(who="bob", by="a fall", damage=9, wounds=1), "Bob falls: 9 damage, 1 wound."),
        (Hurt(who="bob", by="bleeding", damage=1), "Bob loses blood: 1 damage."),
        (Hurt(who="bob", by="scour", damage=0), "The scour does Bob no harm."),
        (Stressed(who="bob", by="torture", stress=8, traumas=1), "Torture weighs on Bob: 8 stress, 1 trauma."),
        (
            Stressed(who="bob", by="torture", stress=30, overwhelmed=True),
            "Torture weighs on Bob: 30 stress. Bob is overwhelmed.",
        ),
        (InitiativeRolled(who="bob", total=13), "Bob rolls 13 for initiative."),
        (TurnBegan(who="bob"), ""),
        (TimeSpent(who="bob", minutes=60), ""),
        (Answered(who="bob", by="ann"), "Ann meets Bob's charge."),
        (Stopped(who="bob", by="ann"), "Ann stops Bob's charge."),
        (Volley(who="ann", weapons=("bear_claws", "bear_bite")), "Ann attacks with claws and bite."),
        (Volley(who="ann", weapons=()), ""),
        (Acted(who="bob", what="shouts a warning"), "Bob shouts a warning."),
        (Contested(who="ann", against="bob", what="feint", result="lost"), "Bob sees through Ann's feint."),
        (Contested(who="ann", against="bob", what="grab", result="won"), "Ann grabs Bob and holds on."),
        (Contested(who="ann", against="bob", what="trip", result="won"), "Ann trips Bob."),
        (Contested(who="ann", against="bob", what="stealth", result="noticed"), "Bob notices Ann."),
        (LuckChanged(who="bob", change=1, why="session"), "Bob gains 1 Luck: a session begins."),
        (LuckChanged(who="bob", change=-1, why="a check"), ""),
        (HandsChanged(who="bob", what="draws Short Sword", belongings=()), "Bob draws a short sword."),
        (HandsChanged(who="bob", what="drops short sword", belongings=()), "Bob drops the short sword."),
        (HandsChanged(who="bob", what="holds ball of fire", belongings=()), "Bob conjures a ball of fire."),
        (BelongingsChanged(who="bob", what="ball of fire goes out", belongings=()), "Bob's ball of fire goes out."),
        (SustainChanged(who="bob", what="begins master", sustained=()), "Bob begins to sustain Master."),
        (SustainChanged(who="bob", what="ends stone skin", sustained=()), "Bob lets Stone Skin go."),
        (Infected(who="bob", incubating=("black_death",)), "Bob carries Black Death, and nothing shows yet."),
        (Wasted(who="bob", dur_lost=5), "Bob wastes away."),
        (
            Checked(who="bob", what="athletics", result="exceptional_success"),
            "Bob succeeds exceptionally at Athletics.",
        ),
        (Declared(who="ann", against="bob", what="attack with mace"), "Ann attacks Bob with a mace ..."),
    ],
)
def test_an_event_reads(event: Event, headline: str) -> None:
    assert told(event) == headline


@pytest.mark.parametrize(
    ("what", "headline"),
    [
        ("12 Rez points", "Ann earns 12 Rez points."),
        ("bladed_weapons for 10 Rez points", "Ann raises Bladed Weapons for 10 Rez points."),
        (
            "bladed_weapons taken back, 10 Rez points returned",
            "Ann takes Bladed Weapons back and has 10 Rez points again.",
        ),
        ("changes into hybrid form", "Ann changes into hybrid form."),
        ("Green Hand is granted", "Green Hand is granted to Ann."),
        ("Green Hand is taken back", "Ann loses Green Hand."),
    ],
)
def test_experience_reads(what: str, headline: str) -> None:
    assert told(CharacterChanged(who="ann", what=what, character=ANN)) == headline


def test_an_explosion_tells_everyone_in_one_sentence() -> None:
    burst = [
        Hurt(who="bob", by="ball_of_fire", damage=17, wounds=2, prone=True, doer="ann"),
        Hurt(who="ann", by="ball_of_fire", damage=3, doer="ann"),
    ]
    assert told(*burst) == (
        "Ann's ball of fire bursts: Bob takes 17 damage and 2 wounds and is knocked prone; Ann takes 3 damage."
    )


@pytest.mark.parametrize(
    ("id_", "begins", "ends"),
    [
        ("prone", "Bob goes down, prone.", "Bob gets up."),
        ("guarded", "Bob goes on full defence: +10 until Bob's next turn.", ""),
        ("stunned", "Bob is stunned.", "Bob is clear-headed again."),
        ("bleeding", "Bob is bleeding.", "Bob stops bleeding."),
        ("burning", "Bob is on fire.", "The fire on Bob is out."),
        ("grabbed", "Ann holds on to Bob.", "Bob is free."),
        ("rival", "Bob singles out Ann as a rival.", ""),
        ("hurried", "", ""),
    ],
)
def test_a_condition_begins_and_ends(id_: str, begins: str, ends: str) -> None:
    effect = Effect(id_, degree=10, by="ann")
    assert told(EffectGained(who="bob", what=effect)) == begins
    assert told(EffectEnded(who="bob", what=effect)) == ends


def test_every_event_and_every_strike_has_words() -> None:
    assert sorted(set(rulebook.apply.kinds) - set(sayings.events)) == []
    assert {one.id for one in library().of(Strike)} <= set(STRIKES)


# ---------------------------------------------------------------------- questions


def asked(session: Session) -> Any:
    """The open question in words."""
    seen = project_question(session.playing, session.scene, GAME_MASTER)
    assert seen is not None
    return word_question(str(seen.get("question", "")), seen, session.scene, rulebook, GAME_MASTER)


def test_questions_say_what_is_at_stake() -> None:
    question = asked(went(SCENE))
    assert str(question.heading) == "What does Ann do?"
    assert question.stakes == "one standard and one quick action, or three quick actions left"
    question = asked(went(SCENE, "attack:bob:short_sword"))
    assert str(question.heading) == "Ann attacks Bob with a short sword. What kind of attack?"
    first = question.options[0]
    assert (first.label, first.gives[:7]) == ("Plain attack", "target ")
    question = asked(went(SCENE, "attack:bob:short_sword", "plain", (14,), (99,)))
    assert str(question.heading) == "Ann rolls 14 and hits. Spend Luck?"
    assert "Flip to 41: an exceptional hit" in [option.label for option in question.options]
