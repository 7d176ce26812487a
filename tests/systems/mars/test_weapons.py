"""Weapons in use: every feature changes an attack by the amount in its rule; ammunition, loading, throwing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    DOWN,
    FOE,
    HERO,
    RIVAL,
    STILL,
    act,
    closed,
    duel,
    effect,
    fighter,
    offered,
    place,
    session_with,
    with_scene,
    with_turn,
)
from systems.mars.people import LEDGER, library, person, rolled
from systems.playing import events, last, status
from tablewright.engine import Choice, odds
from tablewright.errors import IllegalActionError
from tablewright.game.content.entries import ContentEntry
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.scene import LooseItem
from tablewright.game.session.policies import POLICIES
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.aim import Aim, aim
from tablewright.systems.mars.bots import rate
from tablewright.systems.mars.character.figures import attack, weapon_skills
from tablewright.systems.mars.character.gear import Wielded
from tablewright.systems.mars.character.record import MarsCharacter
from tablewright.systems.mars.content import Weapon
from tablewright.systems.mars.events.attack import AttackDeclared, Hit, Missed
from tablewright.systems.mars.mechanics.attack import to_hit
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Backswing, Turn
from tablewright.systems.mars.values import Degree, Manner, RollValue


def aimed(
    hold: str, *, apart: int = 1, manner: Manner = "melee", target: Any = FOE, turn: Turn | None = None, **mine: Any
) -> Aim:
    """An attack with one weapon at a foe so many metres away."""
    item, _, grip = hold.partition("@")
    session = duel(fighter("Ann", [f"{item}@{grip or 'hand'}"], **mine), target, apart=apart)
    scene = session.scene if turn is None else session.scene.with_status("ann", turn=turn)
    wielded = now(scene, "ann").weapon(item)
    assert wielded is not None
    return aim(scene, "ann", wielded, manner, "bob")


def made(**counts: Any) -> Turn:
    """A turn in which something was done already."""
    return Turn.begun(0)._replace(**counts)


# ---------------------------------------------------------------------- the lists


@pytest.mark.rule("mars.gap.weapon.list", "mars.attack.damage_roll")
@each_case("weapon", library().of(Weapon))
def test_every_weapon_hurts_by_its_figures(weapon: Weapon) -> None:
    """The damage merges with STR where the weapon says so, a critical hit adds its bonus, the type is its own."""
    strong = fighter("Ann", STR="r12+1", DEX="r12")
    scene = duel(strong, fighter("Bob", wear=["leather"])).scene
    manner: Manner = "shot" if weapon.features.ranged else "melee"
    wielded = Wielded(weapon.id, weapon, 2 if weapon.features.two_handed else 1)
    blow = aim(scene, "ann", wielded, manner, "bob").blow
    n, modifier = weapon.damage
    assert blow.damage == RollValue(n + 12 * weapon.strength, modifier + weapon.strength)
    assert (blow.critical, blow.kind in weapon.types) == (weapon.critical, True)
    assert blow.threshold == 7 - weapon.features.bypass
    assert blow.nonlethal is weapon.features.nonlethal
    assert blow.attack == RollValue(12, weapon.hit - (2 if weapon.features.unfit else 0))


# ---------------------------------------------------------------------- features


@pytest.mark.rule("mars.gap.weapon.backswing")
def test_backswing_adds_up_until_it_hits() -> None:
    session = duel(fighter("Ann", ["staff"], DEX="r10"), FOE, theirs=STILL)
    act(session, "attack:bob:staff", faces=[(1,), (9,)])
    act(session, "attack:bob:staff", faces=[(1,), (9,)])
    assert events(session, AttackDeclared)[-1].blow.attack.modifier == -4 + 2
    assert status(session).turn.backswing == (("staff", 4),)
    act(session, "attack:bob:staff", faces=[(9,), (1,), (4, 4)])
    assert events(session, AttackDeclared)[-1].blow.attack.modifier == -8 + 4
    assert status(session).turn.backswing == ()


@pytest.mark.rule("mars.gap.weapon.backswing")
def test_a_miss_with_another_weapon_leaves_the_backswing() -> None:
    session = duel(fighter("Ann", ["staff"], DEX="r10"), RIVAL, theirs={"stamina": 0})
    for use in ("staff", "unarmed", "staff"):
        act(session, f"attack:bob:{use}", faces=[(1,), (9,)])
    assert [one.blow.attack.modifier for one in events(session, AttackDeclared)] == [0, -3, -8 + 2]
    assert status(session).turn.backswing == (("staff", 4),)


@pytest.mark.rule("mars.gap.weapon.backswing")
def test_each_of_two_staves_has_its_own_swing() -> None:
    turn = Turn.begun(0)._replace(backswing=(Backswing("staff", 2), Backswing("staff#2", 4)))
    assert (turn.swung("staff"), turn.swung("staff#2"), turn.swung("club")) == (2, 4, 0)


@pytest.mark.rule("mars.gap.weapon.momentum")
def test_momentum_counts_in_their_own_turn_alone() -> None:
    hero = fighter("Ann", ["club"])
    for whose, more in (("ann", 2), ("bob", 0)):
        scene = duel(hero, RIVAL, turn=whose).scene
        scene = scene.with_status("ann", turn=scene["ann"].status.turn._replace(hit=("bob",)))
        assert aim(scene, "ann", now(scene, "ann").wielded[0], "melee", "bob").blow.damage.modifier == more


@pytest.mark.rule("mars.gap.weapon.bypass", "mars.gap.armour.critical_defense", "mars.gap.armour.threshold")
def test_changes_of_the_critical_threshold() -> None:
    assert aimed("mace").blow.threshold == 6
    helmed = fighter("Bob", wear=["half_helm"])
    assert aimed("mace", target=helmed).blow.threshold == 7
    assert aimed("club", target=helmed).blow.threshold == 8
    for example in LEDGER["mars.gap.armour.threshold"].examples:
        given = example["given"]
        assert max(1, 7 - given["bypass"] + given["critical_defense"] + given["maneuver"]) == example["expect"]
    mean = odds(to_hit(RollValue(20), RollValue(10)))
    easier = odds(to_hit(RollValue(20), RollValue(10), 6))
    critical = [sum([w for s, w in one.fractions() if s.degree is Degree.CRITICAL]) for one in (mean, easier)]
    assert critical[1] > critical[0]


@pytest.mark.rule("mars.gap.weapon.two_handed")
def test_two_handed_weapons() -> None:
    assert aimed("shortbow@hands", apart=5, manner="shot").blow.damage_advantage == 1
    session = duel(fighter("Ann", ["shortbow"], pack={"arrow": 3}), FOE, apart=5)
    assert closed(session, "attack")[1] in ("mars.gap.weapon.reach", "mars.gap.weapon.two_handed")
    assert not [use for use in offered(session) if use.startswith("attack")]


@pytest.mark.rule("mars.gap.weapon.versatile", "mars.gap.weapon.two_handed")
@each_case(
    ("weapon", "hands", "helps", "spoils"),
    [("mace", 1, [], []), ("mace", 2, ["two hands"], []), ("greatsword", 1, [], ["one hand"])],
)
def test_damage_names_the_grip_of_a_weapon(weapon: str, hands: int, helps: list[str], spoils: list[str]) -> None:
    scene = duel(fighter("Ann", [weapon]), fighter("Bob")).scene
    thrown = now(scene, "ann").damage(Wielded(weapon, library().get(Weapon, weapon), hands), "melee")
    assert [label for label, _, _ in thrown.pros] == helps
    assert [label for label, _, _ in thrown.cons] == spoils


@pytest.mark.rule("mars.gap.weapon.versatile")
@each_case(("hands", "hit", "helps"), [(1, -2, 0), (2, 0, 1)])
def test_a_versatile_ranged_weapon_is_worse_in_one_hand(hands: int, hit: int, helps: int) -> None:
    bow = library().get(Weapon, "shortbow")
    sling = bow.model_copy(
        update={"features": bow.features.model_copy(update={"two_handed": False, "versatile": True})}
    )
    scene = duel(fighter("Ann"), FOE, apart=5).scene
    shot = aim(scene, "ann", Wielded("sling", sling, hands), "shot", "bob").blow
    assert (shot.attack.modifier, shot.damage_advantage) == (hit, helps)


@pytest.mark.rule("mars.gap.weapon.mechanical", "mars.gap.weapon.reload", "mars.gap.weapon.ammunition")
def test_a_crossbow_is_loaded_shot_and_loaded_again() -> None:
    session = duel(fighter("Ann", ["crossbow@hands"], STR="r20", pack={"bolt": 2}), FOE, apart=10, theirs=STILL)
    blow = aimed("crossbow@hands", apart=10, manner="shot", STR="r20").blow
    assert (str(blow.damage), blow.damage_advantage) == ("r20+6", 0)  # neither STR nor two hands
    act(session, "attack:bob:crossbow", faces=[(1,), (9,)])  # it was loaded beforehand
    assert closed(session, "attack")[0] in ("not loaded", "10 m away, Unarmed reaches 1 m")
    assert closed(session, "reload") == ("takes 6 s, 4 s are left", "mars.action.speeds")
    rested = act(with_turn(session), "reload::crossbow")
    assert status(rested).turn.seconds == 0
    assert [(one.item, one.count, one.left) for one in status(rested).belongings] == [
        ("crossbow", 1, 1),
        ("bolt", 1, None),
    ]


@pytest.mark.rule("mars.gap.weapon.ammunition")
def test_arrows_are_used_up() -> None:
    session = duel(fighter("Ann", ["shortbow@hands"], pack={"arrow": 1}), FOE, apart=10, theirs=STILL)
    act(session, "attack:bob:shortbow", faces=[(1,), (9,)])
    assert [one.item for one in status(session).belongings] == ["shortbow"]
    session = duel(fighter("Ann", ["shortbow@hands"]), FOE, apart=1, theirs=STILL)
    assert not [use for use in offered(session) if use.endswith("shortbow")]


@pytest.mark.rule("mars.gap.weapon.ranged", "mars.gap.fight.map")
@pytest.mark.parametrize("example", LEDGER["mars.gap.weapon.ranged"].examples)
def test_range(example: Any) -> None:
    metres = example["given"]["metres"]
    people = [
        place(fighter("Ann", ["shortbow@hands"], pack={"arrow": 1}), "party", (0, 0), who="ann"),
        place(FOE, "foes", (metres, metres), who="bob"),  # a diagonal step is 1 m
    ]
    session = session_with(people, ground=Grid())
    if example["expect"] == "out of range":
        assert not [use for use in offered(session) if use.endswith("shortbow")]
        return
    wielded = now(session.scene, "ann").wielded[0]
    assert aim(session.scene, "ann", wielded, "shot", "bob").blow.attack.modifier == example["expect"]


@pytest.mark.rule("mars.gap.weapon.reach", "mars.gap.fight.map")
@each_case(("item", "reach"), [("spear", 2), ("longsword", 1)])
def test_reach(item: str, reach: int) -> None:
    for apart in (reach, reach + 1):
        session = duel(fighter("Ann", [f"{item}@hands"]), FOE, apart=apart)
        assert (f"attack:bob:{item}" in offered(session)) is (apart == reach)


@pytest.mark.rule("mars.gap.weapon.large")
def test_large_weapons() -> None:
    session = duel(fighter("Ann", ["greatsword@hands"], DEX="r10"), FOE, theirs=STILL)
    sword = library().get(Weapon, "greatsword")
    large = sword.model_copy(update={"features": sword.features.model_copy(update={"large": True})})
    session = with_scene(session, library=_with(large))
    scene = session.scene
    assert aim(scene, "ann", now(scene, "ann").wielded[0], "melee", "bob").blow.attack.modifier == -2
    hemmed = with_scene(session, ground=Grid(size=(40, 40), blocked=(cell(9, 10),)))
    assert not [use for use in offered(hemmed) if use.endswith("greatsword")]
    told = with_scene(session, facts=Facts().set("obstacle", "ann", "wall"))
    assert not [use for use in offered(told) if use.endswith("greatsword")]
    beside = place(FOE, "party", (11, 11), who="cid")
    session = with_scene(session, participants=(*scene.participants, beside), order=("ann", "bob", "cid"))
    act(session, "attack:bob:greatsword", faces=[(1,), (9,), (9, 9), (2,), (4, 4, 1)])
    assert [one.who for one in events(session, Hit)] == ["cid"]


def _with(weapon: Weapon) -> Any:
    """The starter pack with one weapon changed."""
    shipped = library()
    (pack,) = shipped.packs
    changed: list[tuple[str, tuple[ContentEntry, ...]]] = [
        (kind, tuple([weapon if one.id == weapon.id else one for one in entries])) for kind, entries in pack.entries
    ]
    return replace(shipped, packs=(replace(pack, entries=tuple(changed)),))


@pytest.mark.rule("mars.gap.weapon.thrown")
def test_a_thrown_weapon_has_to_be_fetched() -> None:
    session = duel(fighter("Ann", ["knife"]), FOE, apart=3, theirs=STILL)
    act(session, "attack:bob:knife/thrown", faces=[(1,), (9,)])
    assert session.scene.loose_items == (LooseItem("knife", "ann", None, cell(13, 10)),)
    assert [one.key for one in now(session.scene, "ann").wielded] == ["unarmed"]
    assert closed(session, "take")[0] == "not within reach"
    act(session, "move:bob")
    act(session, "take::knife")
    assert [one.key for one in now(session.scene, "ann").wielded] == ["knife", "unarmed"]
    assert len(session.scene.loose_items) == 0


@pytest.mark.rule("mars.gap.weapon.stray_shot")
def test_a_shot_that_misses_may_hit_a_friend() -> None:
    def shot(at: tuple[int, int], *faces: tuple[int, ...], **dot: Any) -> Session:
        people = [
            place(fighter("Ann", ["shortbow@hands"], pack={"arrow": 5}), "party", (0, 0), who="ann"),
            place(FOE, "foes", (9, 0), who="bob", **STILL),
            place(FOE, "party", (9, 1), who="cid"),
            place(FOE, "party", at, who="dot", **dot),
        ]
        return act(session_with(people), "attack:bob:shortbow", faces=[(1,), (9,), *faces])

    session = shot((12, 0), (9, 8), (2,), (4, 4, 1))
    stray = last(session, AttackDeclared)
    assert (stray.target, stray.blow.disadvantage, stray.seconds, stray.counted) == ("cid", 1, 0, False)
    assert [one.who for one in events(session, Hit)] == ["cid"]
    assert status(session).turn.attacks == 1
    lurking = shot((8, 1), (9, 8), (2,), (4, 4, 1), hidden=True)
    assert last(lurking, AttackDeclared).target == "cid", "no die chooses between them"
    two = shot((8, 1), (2,), (9, 1), (9,))  # a coin: the second of them
    assert [one.who for one in events(two, Missed)] == ["bob", "dot"]


@pytest.mark.rule("mars.gap.weapon.trip")
@each_case(("resist", "falls"), [(4, True), (10, False)])
def test_tripping(resist: int, falls: bool) -> None:
    session = duel(fighter("Ann", ["staff@hands"], DEX="r12"), FOE, theirs=STILL)
    act(session, "trip:bob:staff", faces=[(12,), (5,), (resist,), (8, 6, 1)])
    # 12 - 2 - 1 against 5: a success; against agility 4 as well, a graze against 10; 14 damage, halved
    assert last(session, Hit).damage == 7
    assert bool(effect(session, "bob", "prone")) is falls
    assert (status(session).turn.seconds, status(session).stamina) == (2, 11)


@pytest.mark.rule("mars.damage.nonlethal")
def test_fists_do_not_kill() -> None:
    session = duel(fighter("Ann", DEX="r20", STR="r20"), FOE, theirs={**STILL, "endurance": 0, "health": 3})
    act(session, "attack:bob:unarmed", faces=[(9, 9), (5,), (5, 4)])
    assert status(session, "bob").health == -8
    assert effect(session, "bob", "unconscious")
    assert not effect(session, "bob", "dying")
    armed = duel(fighter("Ann", ["club"]), FOE, theirs={**STILL, "endurance": 0, "health": -8, "effects": DOWN})
    act(armed, "attack:bob:club", faces=[(9, 1, 9), (5,), (1, 1)])
    assert effect(armed, "bob", "dying")  # any later lethal damage


@pytest.mark.rule("mars.gap.talent.senses")
@pytest.mark.parametrize("steps", [1, 4])
def test_ambidexterity_helps_the_second_of_two_alike(steps: int) -> None:
    twins = fighter("Ann", ["dagger", "dagger"], talents={"ambidexterity": steps})
    scene = duel(twins, FOE).scene.with_status("ann", turn=made(attacks=1, weapon="dagger", attacked=("bob",)))
    dagger, other, _ = now(scene, "ann").wielded
    assert aim(scene, "ann", dagger, "melee", "bob").blow.attack.modifier == -3
    assert aim(scene, "ann", other, "melee", "bob").blow.attack.modifier == -3 + steps


@pytest.mark.rule("mars.gap.talent.senses", "mars.gap.weapon.thrown")
def test_after_a_throw_any_weapon_is_another_one() -> None:
    juggler = fighter("Ann", ["dagger", "dagger"], talents={"ambidexterity": 2})
    session = act(duel(juggler, FOE, theirs=STILL), "attack:bob:dagger/thrown", faces=[(1,), (10,)])
    (left, *_) = now(session.scene, "ann").wielded
    assert (left.key, aim(session.scene, "ann", left, "melee", "bob").blow.attack.modifier) == ("dagger", -3 + 2)


@pytest.mark.rule("mars.gap.talent.senses", "mars.attack.sneak")
def test_danger_sense_spoils_sneak_attacks() -> None:
    alert = fighter("Bob", talents={"danger_sense": 1})
    session = duel(fighter("Ann", ["club"]), alert, theirs={"effects": (), "surprised": True})
    wielded = now(session.scene, "ann").wielded[0]
    assert aim(session.scene, "ann", wielded, "melee", "bob").blow.advantage == 0


def test_the_type_that_is_reduced_least_is_taken() -> None:
    wolf = fighter("Wolf", kind="creature", printed={"reduction": 2, "reduction_against": {"slashing": 1}})
    blow = aimed("straight_sword", target=wolf).blow
    assert blow.kind == "slashing"


@pytest.mark.rule("mars.skill.cross_skill_weapons")
def test_the_skill_with_the_highest_maximum_is_used_bonuses_and_all() -> None:
    sword = library().get(Weapon, "straight_sword")
    both = {"finesse": rolled("r8"), "martial": rolled("r8")}
    human = MarsCharacter(name="Ann", ancestry="human", ancestry_skill="martial", skills=both)  # type: ignore[arg-type]
    assert weapon_skills(human, sword, library())[0] == "martial"
    assert str(attack(human, sword, library()).value) == "r18+1"
    better = human.changed(skills={"finesse": rolled("r10"), "martial": rolled("r8")})
    assert weapon_skills(better, sword, library())[0] == "finesse"
    assert weapon_skills(human.changed(ancestry_skill="medicine"), sword, library())[0] == "finesse"  # as listed


@pytest.mark.rule("mars.gap.weapon.thrown")
def test_of_two_alike_weapons_each_can_be_used() -> None:
    session = duel(fighter("Two", hold=("knife", "knife")), FOE)
    ways = [one for one in offered(session) if one.startswith("attack:bob:knife")]
    assert ways == [
        "attack:bob:knife",
        "attack:bob:knife/thrown",
        "attack:bob:knife#2",
        "attack:bob:knife#2/thrown",
    ]
    assert len(set(offered(session))) == len(offered(session))
    act(session, "attack:bob:knife#2/thrown", faces=[(1,), (10,)], choices={"how": "deflect"})
    assert [one.item for one in status(session).belongings] == ["knife"]


@pytest.mark.rule("mars.gap.weapon.reach", "mars.gap.weapon.list")
def test_a_character_who_is_too_far_away_and_what_is_not_wielded() -> None:
    session = duel(fighter("Ann", ["knife"]), FOE, apart=41)
    with pytest.raises(IllegalActionError, match="41 m away, Knife reaches 1 m") as stab:
        act(session, "attack:bob:knife")
    with pytest.raises(IllegalActionError, match="41 m away, Knife reaches 40 m") as throw:
        act(session, "attack:bob:knife/thrown")
    assert (stab.value.rule, throw.value.rule) == ("mars.gap.weapon.reach", "mars.gap.weapon.ranged")
    with pytest.raises(IllegalActionError, match="club is not wielded"):
        act(session, "attack:bob:club")


# ---------------------------------------------------------------------- throwing anything


def hurling(hero: Any, *, apart: int = 2, faces: Any = ((5, 5), (1,), (1, 1)), **how: Any) -> Session:
    """Ann throws what is in her hand at bob."""
    return act(duel(hero, RIVAL, apart=apart, **how), "hurl", faces=faces)


@pytest.mark.rule("mars.gap.weapon.improvised", "mars.gap.weapon.thrown")
@each_case(("apart", "range_"), [(1, 0), (2, 0), (3, -1), (4, -1), (5, -2), (20, -9)])
def test_any_weapon_can_be_thrown(apart: int, range_: int) -> None:
    session = hurling(fighter("Ann", ["club"], skills={"martial": "r8"}), apart=apart, faces=[(10, 8), (1,), (1, 1)])
    (declared,) = events(session, AttackDeclared)
    assert (declared.manner, declared.seconds, declared.blow.attack.modifier) == ("thrown", 2, range_)
    assert str(declared.blow.damage) == "r16"  # its own figures
    assert [one.item for one in session.scene.loose_items] == ["club"]
    assert status(session).belongings == ()


@pytest.mark.rule("mars.gap.weapon.improvised")
def test_items_that_cannot_be_thrown() -> None:
    rule = "mars.gap.weapon.improvised"
    assert closed(duel(HERO, RIVAL, apart=21), "hurl") == ("nobody is near enough", rule)
    for hold in ([], ["knife"], ["shortbow@hands"], ["crossbow@hands"], ["small_shield"]):
        assert closed(duel(fighter("Ann", hold), RIVAL), "hurl") == ("nothing in hand to throw", rule), hold
    assert closed(duel(person("wolf"), RIVAL), "hurl")[1] == rule


@pytest.mark.rule("mars.gap.weapon.improvised", "mars.attack.multiple_attack_penalty")
def test_to_throw_something_is_an_attack_like_others() -> None:
    session = duel(fighter("Ann", ["club", "mace"], skills={"martial": "r8"}), RIVAL)
    act(session, "attack:bob:club", faces=[(5, 5), (1,), (1, 1)])
    choices = {"throw what": "hurling:bob:mace"}
    act(session, "hurl", faces=[(5, 5), (1,), (1, 1)], choices=choices)
    assert events(session, AttackDeclared)[-1].blow.attack.modifier == -4
    assert status(session).turn.attacks == 2
    assert status(session).turn.seconds == 2


@pytest.mark.rule("mars.gap.weapon.improvised")
def test_bots_keep_what_they_fight_with() -> None:
    session = duel(fighter("Ann", ["mace"], skills={"martial": "r8"}), RIVAL, apart=5)
    assert "hurl" in offered(session)
    session.do("mars.encounter")
    assert isinstance(session.question, Choice)
    assert not session.question.ids[POLICIES["careful"](session, session.question)].startswith("hurl")
    assert not session.question.ids[POLICIES["best"](session, session.question)].startswith("hurl")
    thrown = rate(session.scene, "ann", ActionUse("hurling", "bob", "mace"))
    assert thrown.cost > thrown.harm > 0
