"""Bots: what they foresee of an attack, how they rate actions; one rule for play, odds, advice and bots."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from systems.playing import asked as offered
from systems.playing import chances, last
from systems.renaissance.fights import arm, duel, fighter, held, hidden, playing, scene_with, went, with_status
from tablewright.engine import Choice, advise, odds
from tablewright.engine.odds import forget
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.effects import Effect
from tablewright.game.play.loose_items import drop_items
from tablewright.game.scene.scene import LooseItem, Scene
from tablewright.game.session.policies import after_action
from tablewright.game.session.preview import preview_option, preview_rule
from tablewright.game.session.promises import figures_of_call
from tablewright.game.system.rulebook import Rating
from tablewright.systems.renaissance.actions.aim import aim_as_seen
from tablewright.systems.renaissance.actions.attack import PLAINLY
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.bots import FALLEN, rate
from tablewright.systems.renaissance.character.record import RenaissanceCharacter
from tablewright.systems.renaissance.mechanics import defences, harm
from tablewright.systems.renaissance.mechanics.attack import attack
from tablewright.systems.renaissance.mechanics.harm import NO_RESERVE
from tablewright.systems.renaissance.status import Turn
from tablewright.systems.renaissance.values import DV

SWORD = ("short_sword", "main")
ANN, BOB, CAT = fighter("Ann", SWORD), fighter("Bob", ("mace", "main")), fighter("Cat")
TWO = fighter("Ann", SWORD, ("dagger", "off"))
NEAR = duel(TWO, BOB)
STRIKE = ActionUse("attack", "bob", "short_sword")


def rated(scene: Scene, action: str, detail: str | None = None) -> int:
    """The harm that Ann's bot expects of an action."""
    return int(rate(scene, "ann", ActionUse(action, None, detail)).harm)


# ---------------------------------------------------------------------- foresight


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.multi.attacks")
@pytest.mark.parametrize(
    ("scene", "use"),
    [
        (NEAR, STRIKE),
        (with_status(NEAR, "bob", damage=25), ActionUse("attack", "bob", "dagger@off")),
        (hidden(NEAR, "ann"), STRIKE),
        (with_status(duel(TWO, fighter("Bob", race="human")), "ann", coated=(("short_sword", "blade_venom"),)), STRIKE),
        (NEAR, ActionUse("attack_with_all", "bob")),
        (
            with_status(NEAR, "ann", turn=Turn(volley=("dagger@off",), volley_of=2, against=("bob",))),
            ActionUse("next_attack", "bob", "dagger@off"),
        ),
    ],
)
def test_an_attack_leads_where_playing_it_leads(scene: Scene, use: ActionUse) -> None:
    known = rulebook.foresee(scene, "ann", use)
    assert known is not None
    assert chances(known) == chances(after_action(rulebook, scene, "ann", use))


@pytest.mark.rule("renaissance.attack.procedure")
def test_open_figures_and_other_acts_are_left_to_play() -> None:
    mage = fighter("Ann", ("ball_of_fire", "main"), powers=("fireball", "exploding_fireball"))
    for scene, use in (
        (with_status(NEAR, "bob", luck=1), STRIKE),
        (duel(fighter("Ann", ("grenade", "main")), BOB, 4), ActionUse("attack", "bob", "grenade")),
        (scene_with((TWO, 5, 5), (BOB, 6, 5), (CAT, 5, 6)), ActionUse("attack_with_all", None, "spread")),
        (NEAR, ActionUse("full_defense")),
        (duel(mage, BOB), ActionUse("explode", None, "ball_of_fire")),
    ):
        assert rulebook.foresee(scene, "ann", use) is None


@pytest.mark.rule("renaissance.multi.attacks", "renaissance.multi.off_hand")
@pytest.mark.parametrize(
    ("hero", "bob"),
    [(TWO, {}), (fighter("Ann", SWORD, ("dagger", "off"), ("mace", "main")), {"damage": 20, "wounds": 1})],
)
def test_the_odds_of_an_attack_with_every_weapon_are_of_all_blows(hero: RenaissanceCharacter, bob: Any) -> None:
    scene = with_status(duel(hero, BOB, strikes_and_maneuvers=False), "bob", **bob)
    before = scene["bob"].status.damage
    call = preview_option(playing(scene), "attack_with_all:bob", "game master").subject
    told = {one.objective: one.mean for one in figures_of_call(call)}
    open_ = [(scene, Fraction(1), ActionUse("attack_with_all", "bob"))]
    damage, fallen = Fraction(0), Fraction(0)
    while open_:
        at, share, use = open_.pop()
        for after, part in _shares(at, use):
            status, left = after["bob"].status, after["ann"].status.turn.volley
            if status.damage >= status.durability or not left:
                damage += share * part * (status.damage - before)
                fallen += share * part * (status.damage >= status.durability)
            else:
                open_.append((after, share * part, ActionUse("next_attack", "bob", left[0])))
    assert told == {"damage": damage, "felled": fallen}


def _shares(scene: Scene, use: ActionUse) -> list[tuple[Scene, Fraction]]:
    """Every scene after a plain attack, with its chance."""
    found = rulebook.foresee(scene, "ann", use)
    assert found is not None
    whole = sum([weight for _, weight in found])
    return [(after, Fraction(weight, whole)) for after, weight in found]


@pytest.mark.rule("renaissance.attack.procedure", "renaissance.attack.unaware", "renaissance.gap.state.helpless")
def test_an_attacker_sees_who_is_down_and_nothing_else_of_reserves() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5), (CAT, 15, 15))
    sword = arm(scene, "ann", "short_sword")
    for damage, left in ((29, NO_RESERVE), (30, 0)):
        hurt = with_status(with_status(scene, "bob", damage=damage, luck=2), "ann", luck=3)
        for how in (PLAINLY, PLAINLY._replace(ignores=True), PLAINLY._replace(ignores=True, dares=True)):
            seen = aim_as_seen(hurt, "ann", "bob", sword, how).named_arguments()
            assert (seen["left"], seen["their_luck"], seen["luck"]) == (left, 0, how.spent)


@pytest.mark.rule("renaissance.strike.declare")
def test_the_odds_of_an_attack_are_those_of_a_plain_one() -> None:
    session = playing(duel(ANN, BOB))
    assert isinstance(session.question, Choice)
    behind = preview_rule(session, "ann", session.question.option("attack:bob:short_sword"), "ann")
    assert behind.presumed == ("which strike? a plain attack at 50",)
    told = behind.subject.named_arguments()
    assert (told["strikes"], told["target"]) == ((), 50)


# ---------------------------------------------------------------------- ratings


@pytest.mark.rule("renaissance.injury.damage_track")
def test_bots_leave_the_fallen_alone() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5), (CAT, 15, 15))
    for down in ({"damage": 30}, {"overwhelmed": True}, {"lasting": (Effect("unconscious"),)}):
        for use in (STRIKE, ActionUse("attack_with_all", "bob")):
            assert rate(scene, "ann", use).harm > 1
            assert rate(with_status(scene, "bob", **down), "ann", use) == Rating(harm=-1_000)


def test_bots_take_up_only_weapons_that_last_and_that_are_better_than_theirs() -> None:
    for race, item, takes in (
        ("corpse", "javelin", True),
        ("frozen_horror", "javelin", False),
        ("corpse", "grenade", False),
        ("corpse", "leather", False),
        ("corpse", "rope", False),
    ):
        lies = drop_items(duel(fighter("Ann", race=race), BOB, 10), LooseItem(item, "bob"))
        assert (rated(lies, "pick_up", item) > 0) is takes, (race, item)


def test_bots_drink_what_helps_and_only_once() -> None:
    scene = duel(ANN, BOB)
    dosed = with_status(scene, "ann", lasting=(Effect("chemical", source="stim"),))
    hurt = with_status(scene, "ann", wounds=1)
    for where, draught, helps in (
        (scene, "monster", True),
        (dosed, "monster", False),
        (scene, "numbing", False),
        (hurt, "numbing", True),
        (scene, "stim", False),
    ):
        assert (rate(where, "ann", ActionUse("drink", None, draught)).safety > 0) is helps, draught


@pytest.mark.rule("renaissance.charge.bonus")
@pytest.mark.parametrize(("near", "better"), [(7, "move_quickly"), (9, "charge")])
def test_bots_charge_where_the_way_is_long_enough_for_the_bonus(near: int, better: str) -> None:
    """A charge adds damage from twice the base rate of 4 on; a shorter way is better run."""
    scene = duel(ANN, BOB, near)
    assert max(("move_quickly", "charge"), key=lambda way: rate(scene, "ann", ActionUse(way)).harm) == better


@pytest.mark.rule("renaissance.area.blast", "renaissance.power.guidelines")
@pytest.mark.parametrize(("damage", "explodes"), [(0, True), (14, False), (31, True), (45, False)])
def test_a_bot_brings_down_no_friend_with_an_explosion(damage: int, explodes: bool) -> None:
    mage = fighter("Ann", ("ball_of_fire", "main"), powers=("fireball", "exploding_fireball"))
    foes = [(fighter(name), 6, 4 + at) for at, name in enumerate(("Bob", "Eve", "Fay"))]
    around = [(fighter(name), 4, 4 + at) for at, name in enumerate(("Gus", "Hal"))]
    scene = scene_with((mage, 5, 5), *foes, *around, (fighter("Cid"), 5, 7))
    scene = scene.with_participant(replace(scene["cid"], side="party")).with_status("cid", damage=damage)
    found = rated(scene, "explode", "ball_of_fire")  # at most 30 with a great success, 26 two metres away
    assert (found > 0) is explodes
    assert explodes or found <= FALLEN.harm


@pytest.mark.rule("renaissance.area.blast")
@pytest.mark.parametrize("friends", [0, 2])
def test_a_bot_throws_no_exploding_fire_among_its_own(friends: int) -> None:
    mage = fighter("Ann", powers=("fireball", "exploding_fireball"))
    others = [(fighter(name), 9 + at, 9) for at, name in enumerate(("Cid", "Dot"))]  # four metres from Bob
    scene = scene_with((mage, 5, 5), (BOB, 9, 5), *others)
    for one in ("cid", "dot")[:friends]:
        scene = scene.with_participant(replace(scene[one], side="party"))
    session = went(scene, "use_power::fireball")
    assert "attack:bob:ball_of_fire~explodes" in offered(session)
    blast = ActionUse("attack", "bob", "ball_of_fire~explodes")
    assert (rate(session.scene, "ann", blast).harm < 0) is bool(friends)


# ---------------------------------------------------------------------- one rule for all


def _forget_all() -> None:
    forget()
    for name, module in list(sys.modules.items()):
        if name.startswith("tablewright.systems.renaissance"):
            for found in vars(module).values():
                if hasattr(found, "cache_clear"):
                    found.cache_clear()


@pytest.fixture
def _forgetful() -> Iterator[None]:
    """Nothing that was worked out by another rule is remembered."""
    _forget_all()
    yield
    _forget_all()


def _seen() -> dict[str, Any]:
    """The damage of a played hit, of the odds, of the advised option, and what a bot expects of it."""
    scene = held(duel(ANN, fighter("Bob")), "bob", "unaware")
    session = went(scene, "attack:bob:short_sword", "plain", 29, (2, 3), 0)
    call = attack(60, DV(1, 6), strikes="maim:-20", wound_threshold=99)
    [asked] = advise(call, "damage").choices
    bob = aim_as_seen(scene, "ann", "bob", arm(scene, "ann", "short_sword"), PLAINLY)
    return {
        "play": last(session, "Attacked").damage,
        "odds": odds(call, "damage").expected(lambda done: done.damage),
        "advice": asked.best.value,
        "expected": odds(bob).expected(lambda done: done.damage),
        "bot": rate(scene, "ann", STRIKE).harm,
    }


def _more_damage(rule: Callable[..., int]) -> Callable[..., int]:
    return lambda *given: rule(*given) + 4


@pytest.mark.rule("renaissance.armor.damage", "renaissance.attack.mos_bonus", "renaissance.attack.procedure")
@pytest.mark.usefixtures("_forgetful")
@pytest.mark.parametrize(("module", "name"), [(harm, "after_armor"), (defences, "attack_bonus")])
def test_an_edit_of_the_rule_is_seen_everywhere(module: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _seen()
    with monkeypatch.context() as edited:
        edited.setattr(module, name, _more_damage(getattr(module, name)))
        _forget_all()
        after = _seen()
    assert all(after[place] > before[place] for place in before), (before, after)
    assert after["play"] == before["play"] + 4
    _forget_all()
    assert _seen() == before, "nothing but the edit makes a difference"
