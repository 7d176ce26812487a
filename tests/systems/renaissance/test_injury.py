"""Injury in play: wounds and traumas that are negated, Durability that falls, the disabled, the dead, lost limbs."""

from __future__ import annotations

import pytest

from systems.playing import answer, last
from systems.playing import asked as offered
from systems.renaissance.fights import (
    at_home,
    before_turns,
    defended,
    duel,
    fighter,
    held,
    playing,
    scene_with,
    went,
    with_status,
)
from systems.renaissance.folk import library
from tablewright.errors import IllegalActionError
from tablewright.game.scene.scene import Scene
from tablewright.game.values import Ranks
from tablewright.systems.renaissance.actions.requirements import room_for
from tablewright.systems.renaissance.bots import health, is_bloodied
from tablewright.systems.renaissance.character.figures import Sustained
from tablewright.systems.renaissance.content import Weapon
from tablewright.systems.renaissance.harm import is_dead
from tablewright.systems.renaissance.now import now

ANN = fighter("Ann", ("short_sword", "main"))
BOB, CAT = fighter("Bob", ("mace", "main")), fighter("Cat", ("mace", "main"))
HIT = ("attack:bob:short_sword", "plain", 29)  # 29 is a plain success: no bonus


@pytest.mark.rule("renaissance.injury.negate", "renaissance.injury.knockdown")
@pytest.mark.parametrize(("before", "bound", "goal"), [(0, 0, 90), (1, 0, 80), (1, 1, 90), (2, 1, 80)])
def test_a_character_who_negates_a_wound_falls_without_its_penalty(before: int, bound: int, goal: int) -> None:
    gnoll = fighter("Bob", race="gnoll")
    scene = with_status(duel(ANN, gnoll), "bob", wounds=before, bound=bound)
    assert now(scene, "bob").wounds_to_negate == (0 if goal == 80 else 1)
    for rolled in (goal, goal + 1):
        session = went(held(scene, "bob", "unaware"), *HIT, (2, 3), rolled)
        assert last(session, "Attacked").wounds == 1
        assert session.scene["bob"].status.has("prone") is (rolled > goal)


@pytest.mark.rule("renaissance.stress.stack_negate", "renaissance.stress.trauma_stun")
@pytest.mark.parametrize(("before", "soothed", "goal"), [(0, 0, 60), (1, 0, 50), (1, 1, 60)])
def test_a_character_who_negates_a_trauma_is_stunned_without_its_penalty(before: int, soothed: int, goal: int) -> None:
    elf = fighter("Elf", race="ash_elf", WIL=10)
    scene = with_status(at_home(elf, ANN), "elf", traumas=before, soothed=soothed)
    assert now(scene, "elf").number("WIL*3").total == 60
    for rolled in (goal, goal + 1):
        session = went(scene, 99, 10, rolled, process="renaissance.stress", who="elf", source="torture")
        assert session.scene["elf"].status.traumas == before + 1
        assert session.scene["elf"].status.has("stunned") is (rolled > goal)


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.vital.durability", "renaissance.vital.death_rating")
@pytest.mark.parametrize(("damage", "dead"), [(59, False), (60, True)])
def test_a_character_who_bore_more_under_a_draught_dies_as_it_ends(damage: int, dead: bool) -> None:
    strong = playing(at_home(fighter("Bob"), ANN), "renaissance.dose", who="bob", chemical="monster").scene
    assert strong["bob"].status.durability == 40
    later = playing(with_status(strong, "bob", damage=damage), "renaissance.rest", days=1).scene
    assert (later["bob"].status.durability, later["bob"].status.dead) == (30, dead)


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.vital.death_rating")
@pytest.mark.parametrize(("damage", "dice", "left"), [(33, (10, 9), (60, True)), (33, (9, 9), (59, False))])
def test_a_felled_character_loses_the_durability_of_a_sustained_power(
    damage: int, dice: tuple[int, int], left: tuple[int, bool]
) -> None:
    scene = scene_with((ANN, 5, 5), (fighter("Bob", powers=("fortify",)), 6, 5), (fighter("Cat"), 30, 5))
    fortified = {"sustained": (Sustained("fortify", choice="DUR"),), "durability": 35, "damage": damage}
    session = went(with_status(scene, "bob", **fortified), *HIT, 99, dice)
    status = session.scene["bob"].status
    assert (status.damage, status.dead) == left
    assert (status.durability, status.sustained) == (30, ())
    assert last(session, "Attacked").dead is left[1]


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.vital.durability")
@pytest.mark.parametrize(("damage", "sustained"), [(29, 1), (30, 0)])
def test_a_character_who_gives_up_a_power_may_be_disabled_by_it(damage: int, sustained: int) -> None:
    bob = fighter("Bob", powers=("fortify", "blur"))
    both = (Sustained("fortify", choice="DUR"), Sustained("blur"))
    scene = with_status(duel(bob, ANN), "bob", sustained=both, durability=35, damage=damage)
    status = went(scene, "stop_sustaining::fortify").scene["bob"].status
    assert (status.durability, len(status.sustained), status.dead) == (30, sustained, False)


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.gap.state.helpless", "renaissance.attack.unaware")
@pytest.mark.parametrize(("dice", "dead"), [((10, 9), True), ((9, 9), False)])
def test_a_disabled_character_can_be_struck_without_defence(dice: tuple[int, int], dead: bool) -> None:
    scene = with_status(scene_with((ANN, 5, 5), (BOB, 6, 5), (CAT, 5, 6)), "bob", damage=33)
    session = playing(scene)
    attacks = [one for one in offered(session) if one.startswith("attack:")]
    assert attacks.index("attack:cat:short_sword") < attacks.index("attack:bob:short_sword")
    struck = last(answer(session, *HIT, dice), "Attacked")
    assert (struck.damage, struck.wounds, struck.prone) == (sum(dice) + 8, 4, False)
    assert (struck.dead, session.scene["bob"].status.dead) == (dead, dead)
    again = playing(session.scene.with_status("ann", spent=Ranks()))
    assert any(one.startswith("attack:bob") for one in offered(again)) is not dead


@pytest.mark.rule("renaissance.injury.damage_track", "renaissance.stress.track")
def test_an_overwhelmed_character_can_be_struck_and_defends() -> None:
    scene = with_status(scene_with((ANN, 5, 5), (BOB, 6, 5), (CAT, 5, 6)), "bob", overwhelmed=True)
    assert defended(scene, "short_sword")["fray"] == 50
    assert "attack:bob:short_sword" in offered(playing(scene))


@pytest.mark.rule("renaissance.combat.bloodied", "renaissance.injury.damage_track", "renaissance.injury.uniform")
def test_damage_adds_up_to_bloodied_disabled_and_dead() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5), (CAT, 20, 5))  # Durability 30
    looks = {damage: health(with_status(scene, "bob", damage=damage)["bob"]) for damage in (29, 30)}
    assert looks == {29: "bloodied", 30: "disabled"}
    for before, word, rolled in ((0, "bloodied", (10,)), (10, "disabled", ())):
        blow = ("attack:bob:short_sword", "plain", 20, 60, (10, 2), *rolled)  # 2d10+3+5 = 20
        assert health(went(with_status(scene, "bob", damage=before), *blow).scene["bob"]) == word
    assert [is_dead(scene, "bob", damage) for damage in (59, 60)] == [False, True]
    assert [is_bloodied(damage, 25) for damage in (12, 13)] == [False, True]


@pytest.mark.rule("renaissance.injury.negate", "renaissance.strike.maim")
@pytest.mark.parametrize("part", ["hand", "arm"])
def test_a_lost_hand_wields_no_two_handed_weapon(part: str) -> None:
    def maimed(*items: tuple[str, str]) -> Scene:
        return with_status(duel(fighter("Ann", *items), BOB), "ann", lost=(part,))

    halberd = maimed(("halberd", "both"))
    assert "attack:bob:halberd" in offered(playing(with_status(halberd, "ann", lost=())))
    assert not [one for one in offered(playing(halberd)) if one.startswith("attack:bob:halberd")]
    assert "halberd" not in defended(halberd, "mace", "bob", "ann")
    assert room_for(maimed(), "ann", library().get(Weapon, "halberd")) is None
    assert room_for(maimed(), "ann", library().get(Weapon, "mace")) == "main"
    assert "unarmed@off" not in [one.key for one in now(maimed(), "ann").arms]
    with pytest.raises(IllegalActionError, match="lacks the hands for Halberd"):
        went(before_turns(maimed(("halberd", "pack"))), process="renaissance.draw", who="ann", item="halberd")
