"""Effects: how they stack, how long they last, what each of them does to rolls, turns and lives; concentration."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import act, closed, duel, effect, fighter, place, session_with
from systems.mars.people import OPTIONS, person
from systems.playing import events, go, status
from tablewright.engine import Trace
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.ground.facts import Facts
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.aim import aim
from tablewright.systems.mars.character.record import EFFECTS, EffectKind, MarsEffect
from tablewright.systems.mars.events.effects import BurnedDown, MarsEffectEnded
from tablewright.systems.mars.events.encounter import effect_named
from tablewright.systems.mars.events.harm import Died, Fell, HealthLost, Hurt, Stabilised, Tolerated, Woke
from tablewright.systems.mars.mechanics.harm import burning_damage
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Turn, due, end, gain, lasting, leave, overdue, until_own_turn
from tablewright.systems.mars.values import RollValue

LEDGER = Ledger.load("mars")
HERO = fighter("Ann", ["club"], STR="r10", DEX="r10", RES="r10")
FOE = fighter("Bob", STR="r10", DEX="r10", RES="r10")
STILL: dict[str, Any] = {"stamina": 0}
DYING = (MarsEffect("dying"), MarsEffect("unconscious"), MarsEffect("prone"))


def under(*effects: MarsEffect, **how: Any) -> Any:
    """Figures of a character under effects."""
    return now(duel(HERO, FOE, mine={"effects": effects}, **how).scene, "ann")


def at_turn_start(session: Session, *, faces: list[tuple[int, ...]], **choices: Any) -> Session:
    """The encounter up to the next question about an action."""
    session.do("mars.encounter")
    rolls = list(faces)
    while session.question is not None and getattr(session.question, "question", "") != "what now?":
        if hasattr(session.question, "dice"):
            session.type_in(rolls.pop(0))
        else:
            question = session.question.question
            session.choose(choices.get(question.split()[0], session.question.ids[session.question.default]))
    assert not rolls
    return session


def waiting(attacker: Any, target: Any, **mine: Any) -> Session:
    """A fight in which the turn of `ann` is about to begin; a friend of hers is far away."""
    people = [
        place(attacker, "party", (10, 10), who="ann", **mine),
        place(target, "foes", (11, 10), who="bob"),
        place(HERO, "party", (30, 30), who="cid"),
    ]
    session = session_with(people)
    scene = session.scene.with_status("ann", earlier=None, turn=Turn())
    return Session(replace(session.header, scene=scene), session.rulebook)


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
@pytest.mark.parametrize("stat", ["STR", "DEX", "INT", "RES", "FORT", "DEF"])
def test_debilitation_and_enhancement(stat: str) -> None:
    concerned = {
        "STR": ["FORT"],
        "DEX": ["INIT", "EVA"],
        "INT": ["WILL"],
        "RES": ["INIT", "DEF", "FORT", "WILL"],
        "FORT": ["FORT"],
        "DEF": ["DEF"],
    }
    weak, keen = under(MarsEffect("debilitation", stat=stat)), under(MarsEffect("enhancement", stat=stat))
    assert [name for name in ROLLS if weak.roll(name).disadvantage] == concerned[stat]
    assert [name for name in ROLLS if keen.roll(name).advantage] == concerned[stat]
    twice = gain(
        (MarsEffect("debilitation", stat=stat, source="one"),), MarsEffect("debilitation", stat=stat, source="two")
    )
    assert max(under(*twice).roll(name).disadvantage for name in ROLLS) == 1
    both = under(MarsEffect("debilitation", stat=stat), MarsEffect("enhancement", stat=stat))
    roll = both.roll(concerned[stat][0])
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


@pytest.mark.rule("mars.effect.blind", "mars.attack.sneak")
def test_blindness() -> None:
    session = duel(HERO, FOE, mine={"effects": (MarsEffect("blind"),)})
    scene = session.scene
    wielded = now(scene, "ann").wielded[0]
    assert aim(scene, "ann", wielded, "melee", "bob").blow.disadvantage == 1
    other = now(scene, "bob").wielded[0]
    assert aim(scene, "bob", other, "melee", "ann").blow.sneak


@pytest.mark.rule("mars.effect.prone")
def test_prone() -> None:
    scene = duel(HERO, FOE, theirs={"effects": (MarsEffect("prone"),)}).scene
    wielded = now(scene, "ann").wielded[0]
    assert aim(scene, "ann", wielded, "melee", "bob").blow.advantage == 1
    assert aim(scene, "bob", now(scene, "bob").wielded[0], "melee", "ann").blow.disadvantage == 0  # no penalty for him


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


@pytest.mark.rule("mars.effect.burning")
@pytest.mark.parametrize("example", LEDGER["mars.effect.burning"].examples)
def test_burning_by_degrees(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    effects = gain((), MarsEffect("burning", degree=given["degree"]))
    if "added" in given:
        effects = gain(effects, MarsEffect("burning", degree=given["added"]))
    degree = effects[0].degree
    assert degree == expect.get("degree", given["degree"])
    assert str(burning_damage(degree)) == expect["damage"]


@pytest.mark.rule("mars.effect.burning", "mars.damage.elemental")
def test_fire_burns_at_the_start_of_the_turn_through_armour() -> None:
    clad = fighter("Ann", ["club"], ["full_plate"], STR="r20")
    session = at_turn_start(waiting(clad, FOE, effects=(MarsEffect("burning", degree=2),)), faces=[(5,)])
    assert events(session, Hurt)[-1].damage == 5
    assert status(session).endurance == 5
    burning = effect(session, "ann", "burning")
    assert burning is not None
    assert burning.degree == 1
    out = at_turn_start(waiting(HERO, FOE, effects=(MarsEffect("burning", degree=1),)), faces=[(3,)])
    assert effect(out, "ann", "burning") is None
    assert len(events(out, BurnedDown)) == 1


@pytest.mark.rule("mars.effect.burning")
def test_water_puts_a_fire_out() -> None:
    session = duel(HERO, FOE)
    go(session, "mars.ignite", who="ann", degree=3)
    assert closed(session, "douse") == ("no water here", "mars.effect.burning")
    go(session, "mars.douse", who="ann")
    assert status(session).effects == ()
    wet = duel(
        HERO, FOE, mine={"effects": (MarsEffect("burning", degree=4),)}, facts=Facts().set("water", "ann", "yes")
    )
    act(wet, "douse")
    assert status(wet).effects == ()


# ---------------------------------------------------------------------- stuns


@pytest.mark.rule("mars.effect.stunned")
@pytest.mark.parametrize("example", LEDGER["mars.effect.stunned"].examples)
def test_stuns_take_time_of_the_next_turn(example: Any) -> None:
    stuns = example["given"]["stuns"]
    session = at_turn_start(waiting(HERO, FOE, effects=(MarsEffect("stunned", degree=stuns),)), faces=[])
    turn = status(session).turn
    assert turn.seconds == example["expect"]["seconds_left"]
    assert turn.free is example["expect"]["free_action"]
    assert bool(effect(session, "ann", "stunned")) is example["expect"]["stunned_after"]


@pytest.mark.rule("mars.effect.stun_interrupts")
def test_a_stun_interrupts_what_was_planned() -> None:
    from tablewright.systems.mars.status import Ready, Work

    ready = duel(HERO, FOE, theirs={"ready": Ready("moves", "attack")})
    go(ready, "mars.afflict", who="bob", effect="stunned")
    assert status(ready, "bob").ready is None
    busy = duel(HERO, FOE, theirs={"work": Work("use_skill", "medicine", 180, 6)})
    go(busy, "mars.afflict", who="bob", effect="stunned")
    assert status(busy, "bob").work is None
    go(busy, "mars.afflict", who="bob", effect="stunned:2")
    stunned = effect(busy, "bob", "stunned")
    assert stunned is not None
    assert stunned.degree == 3


# ---------------------------------------------------------------------- unconscious and dying


@pytest.mark.rule("mars.effect.unconscious")
def test_a_character_who_goes_down_is_prone_and_does_nothing() -> None:
    session = duel(HERO, FOE, theirs={**STILL, "endurance": 3, "health": 4})
    go(session, "mars.hazard", who="bob", damage="r0+7", source="a rock", faces=[()])
    assert [one.fate.value for one in events(session, Fell)] == ["unconscious"]
    assert {one.kind for one in status(session, "bob").effects} == {"unconscious", "prone"}
    assert not status(session, "bob").conscious
    assert closed(session, "attack", "bob")[1] == "mars.effect.unconscious"
    assert session.scene.ended is None


@pytest.mark.rule("mars.effect.unconscious")
@pytest.mark.parametrize(("helpless", "defence"), [("roll", "r10"), ("passive", "r0+5"), ("none", "r0")])
def test_helpless_defence(helpless: Any, defence: str) -> None:
    effects = (MarsEffect("unconscious"), MarsEffect("prone"))
    session = duel(HERO, FOE, theirs={"effects": effects}, options=replace(OPTIONS, helpless_defence=helpless))
    faces = [(9, 9, 9), (5,) if helpless == "roll" else (), (4, 4)]
    act(session, "attack:bob:club", faces=faces)
    trace = next(line for line in session.log if isinstance(line, Trace))
    assert trace.call.named_arguments()["advantage"] == 2  # prone, and not seeing anyone
    assert str(trace.call.named_arguments()["deflection"]) == defence


@pytest.mark.rule("mars.effect.unconscious")
@pytest.mark.parametrize("rule", ["recovery", "noise"])
def test_waking_up(rule: Any) -> None:
    down = {"effects": (MarsEffect("unconscious"), MarsEffect("prone")), "health": 0, "endurance": 0}
    session = duel(HERO, FOE, theirs=down, options=MarsOptions(wake_rule=rule))
    if rule == "recovery":
        with pytest.raises(IllegalActionError, match="nothing but recovery helps"):
            go(session, "mars.disturb", who="bob")
    else:
        go(session, "mars.disturb", who="bob")
        assert events(session, Woke)
        assert [one.kind for one in status(session, "bob").effects] == ["prone"]
    asleep = duel(HERO, FOE, theirs={"effects": (MarsEffect("unconscious", source="sleep"),)})
    go(asleep, "mars.disturb", who="bob")
    assert status(asleep, "bob").conscious
    dying = duel(HERO, FOE, theirs={"effects": DYING, "health": -1}, options=MarsOptions(wake_rule=rule))
    with pytest.raises(IllegalActionError, match="dying"):
        go(dying, "mars.disturb", who="bob")


def doomed(health: int, **more: Any) -> Session:
    """A fight in which the turn of `ann`, who is dying, is about to begin."""
    return waiting(HERO, FOE, **{"effects": DYING, "health": health, "endurance": 0, **more})


@pytest.mark.rule("mars.effect.dying")
def test_dying_in_a_scene() -> None:
    session = at_turn_start(doomed(-4), faces=[(6, 5)])  # 11: seven above
    dying = effect(session, "ann", "dying")
    assert dying is not None
    assert (dying.successes, dying.failures) == (2, 0)
    assert session.seat == "bob"
    session.choose("end_turn")
    session.choose("end_turn")  # cid's
    assert [one.amount for one in events(session, HealthLost)] == [1]
    assert status(session).health == -5
    session.choose("begin_turn")
    session.type_in((3, 2))
    assert events(session, Stabilised)
    assert effect(session, "ann", "unconscious")
    assert status(session).health == -5


@pytest.mark.rule("mars.effect.dying")
def test_health_of_zero_ends_dying_without_a_roll() -> None:
    session = at_turn_start(doomed(0), faces=[])
    assert events(session, Stabilised)
    assert effect(session, "ann", "unconscious")


@pytest.mark.rule("mars.effect.dying")
def test_three_failures_are_the_end() -> None:
    session = at_turn_start(doomed(-12, effects=(MarsEffect("dying", failures=2), *DYING[1:])), faces=[(2, 3)])
    assert events(session, Died)
    assert status(session).dead
    graze = at_turn_start(doomed(-12, effects=(MarsEffect("dying", failures=2), *DYING[1:])), faces=[(3, 3)])
    assert not events(graze, Died)


@pytest.mark.rule("mars.effect.dying", "mars.damage.thresholds")
def test_more_damage_raises_the_difficulty_and_nothing_else() -> None:
    session = duel(
        HERO, FOE, theirs={"effects": (MarsEffect("dying", failures=1), *DYING[1:]), "health": -2, "endurance": 0}
    )
    go(session, "mars.hazard", who="bob", damage="r0+5", faces=[()])
    assert status(session, "bob").health == -7
    dying = effect(session, "bob", "dying")
    assert dying is not None
    assert dying.failures == 1
    assert not events(session, Fell)


@pytest.mark.rule("mars.damage.thresholds")
@pytest.mark.parametrize("counts", ["apply", "damage_only"])
def test_health_lost_without_damage(counts: Any) -> None:
    session = duel(HERO, FOE, theirs={"health": 0, "endurance": 5}, options=MarsOptions(health_loss_thresholds=counts))

    async def sicken(game: Any) -> None:
        from tablewright.systems.mars.harm import lose_health

        await lose_health(game, "bob", 2, "sickness", cause="mars.effect.sickness_daily")

    _run(session, sicken)
    assert status(session, "bob").health == -2
    assert status(session, "bob").endurance == 5
    assert bool(effect(session, "bob", "dying")) is (counts == "apply")


def _run(session: Session, deed: Any) -> None:
    """Run a coroutine over the scene of a session; it may not ask for anything."""
    coroutine = deed(session.live)
    with pytest.raises(StopIteration):
        coroutine.send(None)


@pytest.mark.rule("mars.gap.talent.senses", "mars.effect.dying")
def test_diehard() -> None:
    hard = fighter("Bob", RES="r14", talents={"diehard": 1})
    session = duel(HERO, hard, theirs={**STILL, "endurance": 0, "health": 1})
    go(session, "mars.hazard", who="bob", damage="r0+3", faces=[()], choices={"stay conscious": "True"})
    assert effect(session, "bob", "dying")
    assert status(session, "bob").conscious
    limp = duel(HERO, hard, theirs={**STILL, "endurance": 0, "health": 1})
    go(limp, "mars.hazard", who="bob", damage="r0+3", faces=[()], choices={"stay conscious": "False"})
    assert not status(limp, "bob").conscious
    own = waiting(hard, FOE, effects=DYING, health=-4, endurance=0)
    own.do("mars.encounter")
    own.choose("begin_turn")
    assert own.playing is not None
    assert own.playing.calls[0].named_arguments()["advantage"] == 1


@pytest.mark.rule("mars.gap.ancestry.abilities")
def test_pain_tolerance() -> None:
    orc = person("berserker")
    session = duel(HERO, orc, theirs={**STILL, "endurance": 4})
    go(session, "mars.hazard", who="bob", damage="r0+12", faces=[()])
    assert (status(session, "bob").endurance, status(session, "bob").health) == (0, status(session, "bob").most.health)
    assert events(session, Tolerated)
    go(session, "mars.hazard", who="bob", damage="r0+5", faces=[()])
    assert status(session, "bob").health == status(session, "bob").most.health - 3  # once, and 2 are stopped by armour


@pytest.mark.rule("mars.gap.creature.ranks", "mars.damage.thresholds")
@pytest.mark.parametrize(("rank", "down"), [("", False), ("common", True)])
def test_common_creatures_are_out_without_endurance(rank: Any, down: bool) -> None:
    session = duel(HERO, FOE.changed(rank=rank), theirs={**STILL, "endurance": 4})
    go(session, "mars.hazard", who="bob", damage="r0+4", faces=[()])
    assert status(session, "bob").conscious is not down


@pytest.mark.rule("mars.encounter.simple_enemies")
@pytest.mark.parametrize("counts", [False, True])
def test_simple_enemies_fall_to_any_hit(counts: bool) -> None:
    options = MarsOptions(simple_enemies_one_hit=counts)
    session = duel(HERO, FOE.changed(rank="simple"), theirs=STILL, options=options)
    act(session, "attack:bob:club", faces=[(2,), (8,), (1, 1)])  # a graze
    assert status(session, "bob").conscious is not counts
    flagged = duel(HERO, FOE, theirs=STILL, options=options, facts=Facts().set("simple", "bob", "yes"))
    act(flagged, "attack:bob:club", faces=[(2,), (8,), (1, 1)])
    assert status(flagged, "bob").conscious is not counts


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


@pytest.mark.rule("mars.effect.list")
def test_effects_by_their_names() -> None:
    assert effect_named("stat_change:STR:2") == MarsEffect("stat_change", stat="STR", value=2)
    session = duel(HERO, FOE)
    session.do("table.rule", who="bob", field="effects", value='["prone", "burning:3"]', reason="a fire arrow")
    assert {one.kind: one.degree for one in status(session, "bob").effects} == {"prone": 0, "burning": 3}
    scene: Scene = session.scene
    assert scene["bob"].status.has("burning")


@pytest.mark.rule("mars.effect.stat_changes", "mars.effect.debilitation", "mars.effect.enhancement")
@pytest.mark.parametrize("word", ["stat_change:speed:-3", "stat_change:athletics:2", "debilitation", "enhancement:foo"])
def test_an_effect_on_no_stat_is_refused(word: str) -> None:
    session = duel(HERO, FOE)
    with pytest.raises(InvalidInputError, match="concerns a stat"):
        go(session, "mars.afflict", who="ann", effect=word, rounds=3)
    for right in ("debilitation:EVA", "enhancement:athletics", "stat_change:STR:2"):
        go(session, "mars.afflict", who="ann", effect=right, rounds=3)
    assert len(status(session).effects) == 3


@pytest.mark.rule("mars.effect.unconscious", "mars.effect.prone")
def test_a_character_who_is_carried_away_unconscious_still_lies() -> None:
    down = (MarsEffect("unconscious"), MarsEffect("prone"))
    session = duel(HERO, FOE, mine={"effects": down}, theirs={"effects": (MarsEffect("prone"),)})
    assert leave(session.scene, "ann").wounds.effects == down
    assert leave(session.scene, "bob").wounds.effects == ()
