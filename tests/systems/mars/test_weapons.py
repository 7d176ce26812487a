"""Weapons in use: every feature changes an attack by the amount in its rule; ammunition, loading, throwing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import act, closed, duel, effect, fighter, offered, place, session_with
from systems.mars.people import library
from systems.playing import events, status
from tablewright.engine import odds
from tablewright.game.content.entries import ContentEntry
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.scene import LooseItem
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.aim import Aim, aim
from tablewright.systems.mars.character.gear import Wielded
from tablewright.systems.mars.content import Armour, Weapon
from tablewright.systems.mars.events.attack import AttackDeclared, Hit, Missed
from tablewright.systems.mars.mechanics.attack import to_hit
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Turn
from tablewright.systems.mars.values import Degree, Manner, RollValue

LEDGER = Ledger.load("mars")
FOE = fighter("Bob", STR="r10", DEX="r10", RES="r10")
STILL: dict[str, Any] = {"stamina": 0}


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


FEATURES = {
    "unarmed": "nonlethal swift",
    "cestus": "momentum swift",
    "club": "momentum swift",
    "handaxe": "swift thrown=4/40",
    "knife": "swift thrown=4/40",
    "sap": "nonlethal swift",
    "staff": "backswing trip versatile",
    "dagger": "bypass=1 parry=r4 swift thrown=3/40",
    "thrusting_sword": "bypass=1 parry=r6 swift",
    "battleaxe": "cleave thrown=3/30 versatile",
    "greatsword": "cleave two_handed",
    "mace": "bypass=1 momentum versatile",
    "spear": "bypass=1 reach=2 two_handed",
    "straight_sword": "parry=r6 swift",
    "longsword": "parry=r6 versatile",
    "javelin": "thrown=9/90 unfit=2",
    "shortbow": "ranged=25/275 two_handed",
    "crossbow": "mechanical ranged=25/250 reload=full-round two_handed",
    "shortspear": "thrown=6/60 versatile",
    "crude_knife": "swift thrown=4/40",
    "crude_shortbow": "ranged=25/250 two_handed",
    "wolf_bite": "bypass=1 momentum swift",
    "wolf_claw": "swift",
    "chair_leg": "momentum swift thrown=2/20",
    "broken_bottle": "swift thrown=2/20",
}


@pytest.mark.rule("mars.gap.weapon.list", "mars.gap.creature.list", "mars.gap.weapon.improvised")
@each_case("name", [weapon.id for weapon in library().of(Weapon)])
def test_every_weapon_has_its_features_and_no_others(name: str) -> None:
    features = library().get(Weapon, name).features
    usual = type(features)()
    words = []
    for field in sorted(type(features).model_fields):
        had = getattr(features, field)
        if had != getattr(usual, field):
            shown = f"{had.near}/{had.far}" if field in ("ranged", "thrown") else had
            words.append(field if had is True else f"{field}={shown}")
    assert " ".join(words) == FEATURES[name]


@pytest.mark.rule("mars.gap.armour.list", "mars.equipment.armour_slots")
@each_case("armour", library().of(Armour))
def test_every_armour_protects_by_its_figures(armour: Armour) -> None:
    strong = fighter("Bob", STR="r20")
    clad = fighter("Bob", **{("hold" if armour.is_shield else "wear"): [armour.id]}, STR="r20")
    bare_now, clad_now = now(duel(FOE, strong).scene, "bob"), now(duel(FOE, clad).scene, "bob")
    assert clad_now.roll("DEF").value.modifier - bare_now.roll("DEF").value.modifier == armour.rating
    assert clad_now.roll("EVA").value.modifier - bare_now.roll("EVA").value.modifier == armour.rating
    assert clad_now.reduction("slashing").total - bare_now.reduction("slashing").total == armour.reduction
    if armour.features.parry is not None:
        assert dict(clad_now.parries)[armour.id] == armour.features.parry
    if armour.block is not None:
        assert clad_now.blocking is not None
        assert (clad_now.blocking.armour.block, clad_now.blocking.left) == (armour.block, armour.durability)
    assert clad_now.critical_defense == armour.features.critical_defense
    gained = [armour.rating, armour.reduction, armour.block, armour.features.parry, armour.features.critical_defense]
    assert any(gained)


@pytest.mark.rule("mars.attack.damage_roll")
@pytest.mark.parametrize("example", LEDGER["mars.attack.damage_roll"].examples)
def test_the_damage_roll(example: Any) -> None:
    given = example["given"]
    scene = duel(fighter("Ann", STR=given["STR"]), FOE).scene
    extra = RollValue.parse(given["weapon"].removeprefix("STR+"))
    weapon = library().get(Weapon, "club").model_copy(update={"damage": extra})
    assert str(now(scene, "ann").damage(Wielded("club", weapon, 1), "melee").value) == example["expect"]


# ---------------------------------------------------------------------- features


@pytest.mark.rule("mars.gap.weapon.swift")
def test_swift_weapons_take_three() -> None:
    earlier = made(attacks=2, weapon="club", attacked=("bob",))
    assert aimed("club", turn=earlier).blow.attack.modifier == -6
    assert aimed("mace", turn=earlier).blow.attack.modifier == -8


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


@pytest.mark.rule("mars.gap.weapon.cleave")
def test_cleave_spares_the_penalty_on_new_targets() -> None:
    earlier = made(attacks=1, weapon="battleaxe", attacked=("somebody",))
    assert aimed("battleaxe", turn=earlier).blow.attack.modifier == 0
    again = made(attacks=2, weapon="battleaxe", attacked=("somebody", "bob"))
    assert aimed("battleaxe", turn=again).blow.attack.modifier == -8


@pytest.mark.rule("mars.gap.weapon.momentum")
def test_momentum_hurts_whom_it_hit_before() -> None:
    hit = made(attacks=1, weapon="club", attacked=("bob",), hit=("bob",))
    assert aimed("club", turn=hit).blow.damage.modifier == 2
    assert aimed("club", turn=hit._replace(hit=("cid",))).blow.damage.modifier == 0
    assert aimed("longsword", turn=hit).blow.damage.modifier == 0


@pytest.mark.rule("mars.gap.weapon.two_handed")
def test_two_handed_weapons() -> None:
    both, one = aimed("greatsword@hands").blow, aimed("greatsword").blow
    assert (both.attack.modifier, both.damage_advantage, both.damage_disadvantage) == (0, 1, 0)
    assert (one.attack.modifier, one.damage_advantage, one.damage_disadvantage) == (-1, 0, 1)
    bow = aimed("shortbow@hands", apart=5, manner="shot").blow
    assert bow.damage_advantage == 1
    session = duel(fighter("Ann", ["shortbow"], pack={"arrow": 3}), FOE, apart=5)
    assert closed(session, "attack")[1] in ("mars.gap.weapon.reach", "mars.gap.weapon.two_handed")
    assert not [use for use in offered(session) if use.startswith("attack")]


@pytest.mark.rule("mars.gap.weapon.versatile", "mars.gap.weapon.two_handed")
@pytest.mark.parametrize(
    ("weapon", "hands", "helps", "spoils"),
    [("mace", 1, [], []), ("mace", 2, ["two hands"], []), ("greatsword", 1, [], ["one hand"])],
)
def test_damage_names_the_grip_of_a_weapon(weapon: str, hands: int, helps: list[str], spoils: list[str]) -> None:
    scene = duel(fighter("Ann", [weapon]), fighter("Bob")).scene
    thrown = now(scene, "ann").damage(Wielded(weapon, library().get(Weapon, weapon), hands), "melee")
    assert [label for label, _, _ in thrown.pros] == helps
    assert [label for label, _, _ in thrown.cons] == spoils


@pytest.mark.rule("mars.gap.weapon.versatile")
def test_versatile_weapons() -> None:
    both, one = aimed("longsword@hands").blow, aimed("longsword").blow
    assert (both.attack.modifier, both.damage_advantage) == (-1, 1)
    assert (one.attack.modifier, one.damage_advantage) == (0, 0)
    thrown = aimed("battleaxe@hands", apart=3, manner="thrown").blow
    assert (thrown.attack.modifier, thrown.damage_advantage) == (0, 0)
    sling = library().get(Weapon, "shortbow")
    versatile = sling.model_copy(
        update={"features": sling.features.model_copy(update={"two_handed": False, "versatile": True})}
    )
    scene = duel(fighter("Ann"), FOE, apart=5).scene
    one_hand = aim(scene, "ann", Wielded("sling", versatile, 1), "shot", "bob").blow
    two_hands = aim(scene, "ann", Wielded("sling", versatile, 2), "shot", "bob").blow
    assert (one_hand.attack.modifier, one_hand.damage_advantage) == (-2, 0)
    assert (two_hands.attack.modifier, two_hands.damage_advantage) == (0, 1)


@pytest.mark.rule("mars.gap.weapon.mechanical", "mars.gap.weapon.reload", "mars.gap.weapon.ammunition")
def test_a_crossbow_is_loaded_shot_and_loaded_again() -> None:
    session = duel(fighter("Ann", ["crossbow@hands"], STR="r20", pack={"bolt": 2}), FOE, apart=10, theirs=STILL)
    blow = aimed("crossbow@hands", apart=10, manner="shot", STR="r20").blow
    assert (str(blow.damage), blow.damage_advantage) == ("r20+6", 0)  # neither STR nor two hands
    act(session, "attack:bob:crossbow", faces=[(1,), (9,)])  # it was loaded beforehand
    assert closed(session, "attack")[0] in ("not loaded", "10 m away, Unarmed reaches 1 m")
    assert closed(session, "reload") == ("takes 6 s, 4 s are left", "mars.action.speeds")
    rested = Session(
        replace(session.header, scene=session.scene.with_status("ann", turn=Turn.begun(0))), session.rulebook
    )
    act(rested, "reload::crossbow")
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
def test_reach() -> None:
    def reaches(item: str, apart: int) -> bool:
        session = duel(fighter("Ann", [f"{item}@hands"]), FOE, apart=apart)
        return f"attack:bob:{item}" in offered(session)

    assert reaches("spear", 2)
    assert not reaches("spear", 3)
    assert reaches("longsword", 1)
    assert not reaches("longsword", 2)


@pytest.mark.rule("mars.gap.weapon.unfit")
def test_unfit_weapons() -> None:
    assert aimed("javelin", apart=2, manner="thrown").blow.attack.modifier == -2
    assert aimed("javelin", apart=3, manner="thrown").blow.attack.modifier == 0


@pytest.mark.rule("mars.gap.weapon.large")
def test_large_weapons() -> None:
    session = duel(fighter("Ann", ["greatsword@hands"], DEX="r10"), FOE, theirs=STILL)
    sword = library().get(Weapon, "greatsword")
    large = sword.model_copy(update={"features": sword.features.model_copy(update={"large": True})})
    scene = replace(session.scene, library=_with(large))
    assert aim(scene, "ann", now(scene, "ann").wielded[0], "melee", "bob").blow.attack.modifier == -2
    walled = replace(scene, ground=Grid(size=(40, 40), blocked=(cell(9, 10),)))
    hemmed = Session(replace(session.header, scene=walled), session.rulebook)
    assert not [use for use in offered(hemmed) if use.endswith("greatsword")]
    told = replace(scene, facts=Facts().set("obstacle", "ann", "wall"))
    assert not [
        use for use in offered(Session(replace(session.header, scene=told), session.rulebook)) if "great" in use
    ]
    beside = place(FOE, "party", (11, 11), who="cid")
    crowded = replace(scene, participants=(*scene.participants, beside), order=("ann", "bob", "cid"))
    session = Session(replace(session.header, scene=crowded), session.rulebook)
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
    people = [
        place(fighter("Ann", ["shortbow@hands"], pack={"arrow": 5}), "party", (0, 0), who="ann"),
        place(FOE, "foes", (9, 0), who="bob", **STILL),
        place(FOE, "party", (9, 1), who="cid"),
        place(FOE, "party", (12, 0), who="dot"),
    ]
    session = session_with(people)
    act(session, "attack:bob:shortbow", faces=[(1,), (9,), (9, 8), (2,), (4, 4, 1)])
    stray = events(session, AttackDeclared)[-1]
    assert (stray.target, stray.blow.disadvantage, stray.seconds, stray.counted) == ("cid", 1, 0, False)
    assert [one.who for one in events(session, Hit)] == ["cid"]
    assert status(session).turn.attacks == 1
    lurking = [*people[:3], place(FOE, "party", (8, 1), who="dot", hidden=True)]
    session = session_with(lurking)
    act(session, "attack:bob:shortbow", faces=[(1,), (9,), (9, 8), (2,), (4, 4, 1)])
    assert events(session, AttackDeclared)[-1].target == "cid", "no die chooses between them"
    two = [*people[:3], place(FOE, "party", (8, 1), who="dot")]
    session = session_with(two)
    act(session, "attack:bob:shortbow", faces=[(1,), (9,), (2,), (9, 1), (9,)])  # a coin: the second of them
    assert [one.who for one in events(session, Missed)] == ["bob", "dot"]


@pytest.mark.rule("mars.gap.weapon.trip")
def test_tripping() -> None:
    session = duel(fighter("Ann", ["staff@hands"], DEX="r12"), FOE, theirs=STILL)
    act(session, "trip:bob:staff", faces=[(12,), (5,), (4,), (8, 6, 1)])
    # 12 - 2 - 1 against 5: a success; against agility 4 as well; 14 damage, halved
    assert events(session, Hit)[-1].damage == 7
    assert effect(session, "bob", "prone")
    assert (status(session).turn.seconds, status(session).stamina) == (2, 11)
    session = duel(fighter("Ann", ["staff@hands"], DEX="r12"), FOE, theirs=STILL)
    act(session, "trip:bob:staff", faces=[(12,), (5,), (10,), (8, 6, 1)])
    assert events(session, Hit)
    assert not effect(session, "bob", "prone")  # only a graze against the resist


@pytest.mark.rule("mars.damage.nonlethal")
def test_fists_do_not_kill() -> None:
    session = duel(fighter("Ann", DEX="r20", STR="r20"), FOE, theirs={**STILL, "endurance": 0, "health": 3})
    act(session, "attack:bob:unarmed", faces=[(9, 9), (5,), (5, 4)])
    assert status(session, "bob").health == -8
    assert effect(session, "bob", "unconscious")
    assert not effect(session, "bob", "dying")
    armed = duel(fighter("Ann", ["club"]), FOE, theirs=vars_of(session))
    act(armed, "attack:bob:club", faces=[(9, 1, 9), (5,), (1, 1)])
    assert effect(armed, "bob", "dying")  # any later lethal damage


def vars_of(session: Session) -> dict[str, Any]:
    """Bob after the fight, for another one."""
    bob = status(session, "bob")
    return {"endurance": bob.endurance, "health": bob.health, "stamina": 0, "effects": bob.effects}


@pytest.mark.rule("mars.gap.talent.senses")
@pytest.mark.parametrize("steps", [1, 2, 3, 4])
def test_ambidexterity(steps: int) -> None:
    ready = fighter("Ann", ["dagger", "knife"], talents={"ambidexterity": steps})
    scene = duel(ready, FOE).scene.with_status("ann", turn=made(attacks=1, weapon="dagger", attacked=("bob",)))
    dagger, knife = now(scene, "ann").wielded[:2]
    assert aim(scene, "ann", knife, "melee", "bob").blow.attack.modifier == -3 + steps
    assert aim(scene, "ann", dagger, "melee", "bob").blow.attack.modifier == -3
    twins = fighter("Ann", ["dagger", "dagger"], talents={"ambidexterity": steps})
    scene = duel(twins, FOE).scene.with_status("ann", turn=made(attacks=1, weapon="dagger", attacked=("bob",)))
    other = now(scene, "ann").weapon("dagger#2")
    assert other is not None
    assert aim(scene, "ann", other, "melee", "bob").blow.attack.modifier == -3 + steps


@pytest.mark.rule("mars.gap.talent.senses", "mars.attack.sneak")
def test_danger_sense_spoils_sneak_attacks() -> None:
    alert = fighter("Bob", talents={"danger_sense": 1})
    session = duel(fighter("Ann", ["club"]), alert, theirs={"effects": (), "surprised": True})
    wielded = now(session.scene, "ann").wielded[0]
    assert aim(session.scene, "ann", wielded, "melee", "bob").blow.advantage == 0


@pytest.mark.rule("mars.skill.cross_skill_weapons", "mars.equipment.basic_weapons")
def test_a_weapon_goes_with_the_best_skill() -> None:
    both = fighter("Ann", skills={"finesse": "r4", "martial": "r8"}, hold=["straight_sword"])
    scene = duel(both, FOE).scene
    assert aim(scene, "ann", now(scene, "ann").wielded[0], "melee", "bob").blow.attack == RollValue(18)
    archer = fighter("Ann", skills={"ranged": "r8"}, hold=["club"])
    scene = duel(archer, FOE).scene
    assert aim(scene, "ann", now(scene, "ann").wielded[0], "melee", "bob").blow.attack == RollValue(18)


def test_the_type_that_is_reduced_least_is_taken() -> None:
    wolf = fighter("Wolf", kind="creature", printed={"reduction": 2, "reduction_against": {"slashing": 1}})
    blow = aimed("straight_sword", target=wolf).blow
    assert blow.kind == "slashing"


@pytest.mark.rule("mars.gap.talent.senses", "mars.gap.weapon.thrown")
def test_after_a_throw_any_weapon_is_another_one() -> None:
    juggler = fighter("Ann", ["dagger", "dagger"], talents={"ambidexterity": 2})
    session = duel(juggler, FOE, theirs={"stamina": 0})
    act(session, "attack:bob:dagger/thrown", faces=[(1,), (10,)])
    (left, *_) = now(session.scene, "ann").wielded
    assert (left.key, aim(session.scene, "ann", left, "melee", "bob").blow.attack.modifier) == ("dagger", -3 + 2)


@pytest.mark.rule("mars.gap.weapon.stray_shot", "mars.attack.multiple_attack_penalty")
def test_a_stray_shot_is_no_better_than_it_was_aimed() -> None:
    archer = fighter("Ann", ["shortbow@hands"], pack={"arrow": 5})
    people = [
        place(archer, "party", (1, 1), who="ann"),
        place(FOE, "foes", (9, 1), who="bob", stamina=0),
        place(FOE, "party", (10, 1), who="cid", stamina=0),
    ]
    session = session_with(people)
    for _ in range(2):
        act(session, "attack:bob:shortbow", faces=[(1,), (10,), (1, 1), (10,)])
    first, astray, second, again = [one.blow for one in events(session, AttackDeclared)]
    assert [one.target for one in (first, astray, second, again)] == ["bob", "cid", "bob", "cid"]
    assert [one.attack.modifier for one in (first, astray, second, again)] == [0, 0, -4, -4]
    assert status(session).turn.attacks == 2
