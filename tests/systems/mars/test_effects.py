"""Effects: how they stack, how long they last, what each of them does to rolls, turns and lives; concentration."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    FOE,
    HERO,
    act,
    at_turn_start,
    before_turn,
    closed,
    duel,
    effect,
    fighter,
    place,
    session_with,
)
from systems.mars.people import LEDGER
from systems.playing import events, go, status
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.ground.facts import Facts
from tablewright.systems.mars.character.record import EFFECTS, EffectKind, MarsEffect
from tablewright.systems.mars.events.effects import BurnedDown, MarsEffectEnded
from tablewright.systems.mars.events.encounter import effect_named
from tablewright.systems.mars.events.harm import Hurt
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Ready, Work, due, end, gain, lasting, overdue, until_own_turn
from tablewright.systems.mars.values import RollValue


def under(*effects: MarsEffect, **how: Any) -> Any:
    """Figures of a character under effects."""
    return now(duel(HERO, FOE, mine={"effects": effects}, **how).scene, "ann")


# ---------------------------------------------------------------------- stacking


@pytest.mark.rule("mars.effect.list", "mars.effect.no_stacking")
@each_case(("kind", "row"), LEDGER["mars.effect.list"].data.items())
def test_stacking_of_effects(kind: EffectKind, row: dict[str, Any]) -> None:
    short = MarsEffect(kind, stat="STR", degree=1, source="one", turn_of="ann", until=3)
    long = MarsEffect(kind, stat="STR", degree=1, source="one", turn_of="ann", until=5)
    both = gain(gain((), short), long)
    assert kind in EFFECTS
    if row["stacking"] in ("add_degrees", "count"):
        assert [one.degree for one in both] == [2]
    elif row["stacking"] == "once_per_stat":
        assert len(both) == 1
        assert both[0].until == 5  # the longer duration counts
        assert len(gain(both, replace(long, stat="DEX"))) == 2
    elif row["stacking"] == "strongest":
        assert [one.degree for one in gain(both, replace(long, degree=3))] == [3]
        assert len(gain(both, replace(long, source="two"))) == 2
    else:
        assert len(both) == 1
        assert both[0].until == (3 if kind == "dying" else 5)


@pytest.mark.rule("mars.effect.no_stacking", "mars.effect.overencumbered")
def test_overencumbered_takes_the_place_of_encumbered() -> None:
    assert [one.kind for one in gain((MarsEffect("encumbered"),), MarsEffect("overencumbered"))] == ["overencumbered"]
    assert [one.kind for one in gain((MarsEffect("overencumbered"),), MarsEffect("encumbered"))] == ["overencumbered"]


@pytest.mark.rule("mars.gap.talent.rage", "mars.effect.no_stacking")
def test_the_stronger_rage_counts() -> None:
    for degrees in ((2, 3), (3, 2)):
        first, second = [MarsEffect("rage", degree=degree, source="rage") for degree in degrees]
        assert [one.degree for one in gain((first,), second)] == [3]


@pytest.mark.rule("mars.effect.duration", "mars.time.duration")
def test_without_a_duration_an_effect_stays() -> None:
    scene = duel(HERO, FOE).scene
    assert lasting(scene, MarsEffect("blind"), None) == MarsEffect("blind")
    assert end((MarsEffect("blind"), MarsEffect("prone")), "blind") == (MarsEffect("prone"),)
    session = duel(HERO, FOE)
    go(session, "mars.afflict", who="bob", effect="blind")
    assert effect(session, "bob", "blind") == MarsEffect("blind")
    go(session, "mars.relieve", who="bob", effect="blind")
    assert effect(session, "bob", "blind") is None
    with pytest.raises(IllegalActionError):
        go(session, "mars.relieve", who="bob", effect="blind")


@pytest.mark.rule("mars.time.duration")
@pytest.mark.parametrize("example", LEDGER["mars.time.duration"].examples)
def test_durations_run_from_turn_to_turn(example: Any) -> None:
    given = example["given"]
    people = [place(HERO, "party", (1, 1), who="A"), place(FOE, "foes", (9, 9), who="B")]
    scene = session_with(people, round_=given["round"]).scene
    blind = lasting(scene, MarsEffect("blind"), given["rounds"])
    last = given["round"] + given["rounds"]
    assert f"before A's turn in round {last}" == example["expect"]["expires"]
    assert due([blind], "A", last - 1) == []
    assert due([blind], "B", last) == []
    assert due([blind], "A", last) == [blind]


@pytest.mark.rule("mars.time.duration", "mars.time.round")
def test_an_effect_ends_just_before_the_turn_in_which_it_began() -> None:
    session = duel(HERO, FOE)
    go(session, "mars.afflict", who="bob", effect="blind", rounds=1)
    session.do("mars.encounter")
    session.choose("end_turn")  # ann's
    assert effect(session, "bob", "blind")
    assert session.seat == "bob"
    session.choose("end_turn")
    assert session.scene.round == 2
    assert session.seat == "ann"
    assert effect(session, "bob", "blind")  # she may still delay
    session.choose("begin_turn")
    assert effect(session, "bob", "blind") is None
    ended = events(session, MarsEffectEnded)[-1]
    assert (ended.who, ended.cause) == ("bob", "mars.time.duration")


@pytest.mark.rule("mars.time.duration", "mars.time.round")
def test_an_effect_of_a_character_who_is_gone_ends_with_the_round() -> None:
    gone = MarsEffect("blind", turn_of="nobody", until=2)
    assert overdue([gone], 2) == []
    assert overdue([gone], 3) == [gone]
    adrift = MarsEffect("blind", turn_of="", until=2)
    assert overdue([adrift], 2) == [adrift]
    scene = duel(HERO, FOE).scene
    assert until_own_turn(scene, "ann", MarsEffect("cover")).until == 2
    assert until_own_turn(scene, "bob", MarsEffect("cover")).until == 1  # his turn of this round is still to come


@pytest.mark.rule("mars.effect.list")
@each_case(
    ("word", "effect"),
    [
        ("prone", MarsEffect("prone")),
        ("burning", MarsEffect("burning", degree=1)),
        ("burning:0", MarsEffect("burning", degree=1)),
        ("burning:3", MarsEffect("burning", degree=3)),
        ("sickness:2", MarsEffect("sickness", degree=2)),
        ("stunned:1", MarsEffect("stunned", degree=1)),
        ("fatigue:4", MarsEffect("fatigue", degree=4)),
        ("debilitation:STR", MarsEffect("debilitation", stat="STR")),
        ("stat_change:STR:2", MarsEffect("stat_change", stat="STR", value=2)),
        ("stat_change:DEX:-3", MarsEffect("stat_change", stat="DEX", value=-3)),
    ],
)
def test_effects_as_a_game_master_writes_them(word: str, effect: MarsEffect) -> None:
    found = effect_named(word)
    assert (found.degree, found.value, found.stat) == (effect.degree, effect.value, effect.stat)
    session = duel(HERO, FOE)
    session.do("table.rule", who="bob", field="effects", value=f'["{word}"]', reason="so be it")
    assert [one.kind for one in status(session, "bob").effects] == [effect.kind]


@pytest.mark.rule("mars.effect.stat_changes", "mars.effect.debilitation", "mars.effect.enhancement")
@pytest.mark.parametrize("word", ["stat_change:speed:-3", "stat_change:athletics:2", "debilitation", "enhancement:foo"])
def test_an_effect_on_no_stat_is_refused(word: str) -> None:
    session = duel(HERO, FOE)
    with pytest.raises(InvalidInputError, match="concerns a stat"):
        go(session, "mars.afflict", who="ann", effect=word, rounds=3)
    for right in ("debilitation:EVA", "enhancement:athletics", "stat_change:STR:2"):
        go(session, "mars.afflict", who="ann", effect=right, rounds=3)
    assert len(status(session).effects) == 3


# ---------------------------------------------------------------------- what they do to rolls


ROLLS = ("INIT", "DEF", "EVA", "FORT", "WILL")


@pytest.mark.rule("mars.effect.encumbered")
@pytest.mark.parametrize("kind", ["encumbered", "overencumbered"])
def test_encumbered(kind: EffectKind) -> None:
    me = under(MarsEffect(kind))
    assert {name: me.roll(name).disadvantage for name in ROLLS} == {"INIT": 1, "DEF": 0, "EVA": 1, "FORT": 1, "WILL": 0}
    assert me.attack(me.wielded[0], "melee").disadvantage == 1
    assert me.damage(me.wielded[0], "melee").disadvantage == 1
    assert (me.skill("athletics").disadvantage, me.skill("charisma").disadvantage) == (1, 0)


@pytest.mark.rule("mars.effect.overencumbered")
def test_overencumbered_does_not_move() -> None:
    session = duel(HERO, FOE, apart=9, mine={"effects": (MarsEffect("overencumbered"),)})
    assert closed(session, "move") == ("cannot move at all", "mars.move.speed_modifiers")
    assert closed(session, "step")[0] == "cannot move at all"


@pytest.mark.rule("mars.carry.optional", "mars.carry.encumbrance")
def test_weight_counts_where_it_is_tracked() -> None:
    loaded = fighter("Ann", STR="r8", pack={"full_plate": 2})
    for tracked in (False, True):
        me = now(duel(loaded, FOE, options=MarsOptions(weight_tracking=tracked)).scene, "ann")
        assert me.encumbered == ("encumbered" if tracked else "none")


@pytest.mark.rule("mars.effect.debilitation", "mars.effect.enhancement")
@each_case(
    ("stat", "concerned"),
    [
        ("STR", ["FORT"]),
        ("DEX", ["INIT", "EVA"]),
        ("INT", ["WILL"]),
        ("RES", ["INIT", "DEF", "FORT", "WILL"]),
        ("FORT", ["FORT"]),
        ("DEF", ["DEF"]),
    ],
)
def test_debilitation_and_enhancement(stat: str, concerned: list[str]) -> None:
    weak, keen = MarsEffect("debilitation", stat=stat), MarsEffect("enhancement", stat=stat)
    assert [name for name in ROLLS if under(weak).roll(name).disadvantage] == concerned
    assert [name for name in ROLLS if under(keen).roll(name).advantage] == concerned
    twice = gain((replace(weak, source="one"),), replace(weak, source="two"))
    assert max(under(*twice).roll(name).disadvantage for name in ROLLS) == 1
    roll = under(weak, keen).roll(concerned[0])
    assert (roll.advantage, roll.disadvantage) == (1, 1)  # which cancel


@pytest.mark.rule("mars.effect.debilitation")
def test_two_debilitated_stats_in_one_roll_count_twice() -> None:
    me = under(MarsEffect("debilitation", stat="STR"), MarsEffect("debilitation", stat="RES"))
    assert me.roll("FORT").disadvantage == 2


@pytest.mark.rule("mars.effect.sickness_penalty", "mars.effect.sickness_multiple")
def test_sickness_weighs_on_every_roll() -> None:
    well, sick = (
        under(),
        under(MarsEffect("sickness", degree=3, source="fever"), MarsEffect("sickness", degree=1, source="cold")),
    )
    for name in ROLLS:
        assert sick.roll(name).value.modifier - well.roll(name).value.modifier == -3
    wielded = sick.wielded[0]
    assert sick.attack(wielded, "melee").value.modifier == -3
    assert sick.damage(wielded, "melee").value.modifier == -3
    assert sick.skill("perception").value.modifier == -3
    assert sick.roll("DEF").passive().value == RollValue(0, 5 - 3)
    assert status(duel(HERO, FOE, mine={"effects": (MarsEffect("sickness", degree=3),)})).sickness == 3


@pytest.mark.rule("mars.effect.stat_changes")
@pytest.mark.parametrize("example", LEDGER["mars.effect.stat_changes"].examples)
def test_changes_of_stats(example: Any) -> None:
    change = example["given"]["effect"]
    if not change["temporary"]:
        return  # a permanent change is the character's own
    session = duel(fighter("Ann", ["club"], STR="r12"), FOE)
    go(session, "mars.afflict", who="ann", effect=f"stat_change:STR:{change['STR']}", rounds=3, source="potion")
    me = now(session.scene, "ann")
    assert str(me.stat("STR").value) == example["expect"]["STR"]
    assert status(session).health == example["expect"]["max_health"]
    changed = [me.skill("athletics"), me.roll("FORT"), me.damage(me.wielded[0], "melee")]
    assert [throw.value.modifier for throw in changed] == [2, 2, 2]


# ---------------------------------------------------------------------- fire


@pytest.mark.rule("mars.effect.burning", "mars.damage.elemental")
def test_fire_burns_at_the_start_of_the_turn_through_armour() -> None:
    clad = fighter("Ann", ["club"], ["full_plate"], STR="r20")
    session = at_turn_start(before_turn(clad, FOE, effects=(MarsEffect("burning", degree=2),)), faces=[(5,)])
    assert events(session, Hurt)[-1].damage == 5
    assert status(session).endurance == 5
    burning = effect(session, "ann", "burning")
    assert burning is not None
    assert burning.degree == 1
    out = at_turn_start(before_turn(HERO, FOE, effects=(MarsEffect("burning", degree=1),)), faces=[(3,)])
    assert effect(out, "ann", "burning") is None
    assert len(events(out, BurnedDown)) == 1


@pytest.mark.rule("mars.effect.burning")
def test_water_puts_a_fire_out() -> None:
    session = go(duel(HERO, FOE), "mars.ignite", who="ann", degree=3)
    assert closed(session, "douse") == ("no water here", "mars.effect.burning")
    assert status(go(session, "mars.douse", who="ann")).effects == ()
    fire = {"effects": (MarsEffect("burning", degree=4),)}
    wet = duel(HERO, FOE, mine=fire, facts=Facts().set("water", "ann", "yes"))
    assert status(act(wet, "douse")).effects == ()


# ---------------------------------------------------------------------- stuns


@pytest.mark.rule("mars.effect.stunned")
@pytest.mark.parametrize("example", LEDGER["mars.effect.stunned"].examples)
def test_stuns_take_time_of_the_next_turn(example: Any) -> None:
    stuns = example["given"]["stuns"]
    session = at_turn_start(before_turn(HERO, FOE, effects=(MarsEffect("stunned", degree=stuns),)), faces=[])
    turn = status(session).turn
    assert turn.seconds == example["expect"]["seconds_left"]
    assert turn.free is example["expect"]["free_action"]
    assert bool(effect(session, "ann", "stunned")) is example["expect"]["stunned_after"]


@pytest.mark.rule("mars.effect.stun_interrupts")
def test_a_stun_interrupts_what_was_planned() -> None:
    planned = {"ready": Ready("moves", "attack"), "work": Work("use_skill", "medicine", 180, 6)}
    session = go(duel(HERO, FOE, theirs=planned), "mars.afflict", who="bob", effect="stunned")
    assert (status(session, "bob").ready, status(session, "bob").work) == (None, None)
    go(session, "mars.afflict", who="bob", effect="stunned:2")
    stunned = effect(session, "bob", "stunned")
    assert stunned is not None
    assert stunned.degree == 3


# ---------------------------------------------------------------------- concentration


@pytest.mark.rule("mars.concentration.single")
def test_one_concentration_at_a_time() -> None:
    session = duel(HERO, FOE)
    go(session, "mars.concentrate", who="ann", on="a light")
    session.do("mars.concentrate", who="ann", on="a shield")
    session.choose("a light")
    assert status(session).concentration == "a light"
    go(session, "mars.concentrate", who="ann", on="a shield")  # by default the newest is kept
    assert status(session).concentration == "a shield"


@pytest.mark.rule("mars.concentration.single")
@pytest.mark.parametrize(
    ("before", "on", "left"),
    [("", "a light", ["prone", "rating"]), ("song", "song", ["prone", "rating"]), ("song", "a light", ["prone"])],
)
def test_only_what_the_old_concentration_kept_up_ends_with_it(before: str, on: str, left: list[str]) -> None:
    kept = (MarsEffect("prone"), MarsEffect("rating", value=1, source="song"))
    session = duel(HERO, FOE, mine={"concentration": before, "effects": kept})
    go(session, "mars.concentrate", who="ann", on=on)
    assert [one.kind for one in status(session).effects] == left


@pytest.mark.rule("mars.concentration.break")
@pytest.mark.parametrize(("faces", "kept"), [((5, 5), True), ((5, 4), False)])
def test_a_stun_may_break_concentration(faces: tuple[int, ...], kept: bool) -> None:
    session = duel(HERO, FOE, mine={"concentration": "rage", "effects": (MarsEffect("rage", source="rage"),)})
    go(session, "mars.afflict", who="ann", effect="stunned", faces=[faces])
    assert bool(status(session).concentration) is kept
    assert bool(effect(session, "ann", "rage")) is kept


@pytest.mark.rule("mars.concentration.break")
def test_one_check_for_every_stun_and_against_the_source() -> None:
    session = duel(HERO, FOE, mine={"concentration": "a light"})
    go(session, "mars.afflict", who="ann", effect="stunned:2", difficulty=14, faces=[(7, 7), (7, 6)])
    assert not status(session).concentration
    down = duel(HERO, FOE, mine={"concentration": "a light", "endurance": 1, "health": 1})
    go(down, "mars.hazard", who="ann", damage="r0+2", faces=[()])
    assert not status(down).concentration  # unconsciousness ends it without a roll
    hurt = duel(HERO, FOE, mine={"concentration": "a light"})
    go(hurt, "mars.hazard", who="ann", damage="r0+2", faces=[()])
    assert status(hurt).concentration  # damage alone does not
