"""Things in hand: loose items, shields, the skill of an attack, intercepted blows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import act, closed, duel, fighter, place, session_with
from systems.mars.people import OPTIONS, alone, do, library, rolled, session_of, somebody
from systems.playing import events, status
from tablewright.engine import Choice, Trace
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.creation import CreationOption
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.scene import LooseItem
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.aim import aim, turned
from tablewright.systems.mars.actions.hands import grips, in_hand, taken_up
from tablewright.systems.mars.actions.maneuver_uses import why_not
from tablewright.systems.mars.advancement import called, purchases, refusal
from tablewright.systems.mars.bots import rate
from tablewright.systems.mars.character.figures import armour_penalty, attack, secondary, weapon_skills
from tablewright.systems.mars.character.gear import natural_place, slots_taken
from tablewright.systems.mars.character.record import MarsCharacter, MarsEffect, OwnTrait
from tablewright.systems.mars.content import Armour, Maneuver, Weapon
from tablewright.systems.mars.events.attack import AttackDeclared, Hit, Intercepted
from tablewright.systems.mars.events.turn import HandsChanged
from tablewright.systems.mars.legality import legality
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Backswing, Turn, fight
from tablewright.systems.mars.values import RollValue

EMPTY, FOE = fighter("Ann"), fighter("Bob", ["club"])


def with_lying(session: Session, *things: LooseItem) -> Session:
    return Session(replace(session.header, scene=replace(session.scene, loose_items=things)), session.rulebook)


# ---------------------------------------------------------------------- what lies around


@pytest.mark.rule("mars.action.brandish")
def test_items_within_reach_are_taken_in_hand_for_free() -> None:
    near, far = LooseItem("club", "bob", None, cell(11, 11)), LooseItem("mace", "bob", None, cell(12, 10))
    session = with_lying(duel(EMPTY, FOE), near, far)
    session.do("mars.perform", who="ann", use="brandish")  # the club is all there is
    assert session.question is None
    (changed,) = events(session, HandsChanged)
    assert (changed.picked_up, changed.seconds, changed.free) == ((near,), 0, True)
    assert status(session).belongings == (ItemStack("club", 1, "hand"),)
    assert (status(session).turn.seconds, status(session).turn.free) == (6, False)
    assert session.scene.loose_items == (far,)
    assert closed(with_lying(duel(EMPTY, FOE), far), "brandish") == ("nothing else to wield", "mars.action.brandish")


@pytest.mark.rule("mars.action.brandish")
def test_things_from_the_pack_and_from_the_ground_together() -> None:
    first, second = LooseItem("knife", "bob", None, cell(10, 10)), LooseItem("knife", "ann", None, cell(10, 11))
    hero = fighter("Ann", ["mace"], pack={"small_shield": 1})
    session = with_lying(duel(hero, FOE), first, second)
    held = {str(grip) for grip in grips(session.scene, "ann")}
    assert {"knife and knife", "knife and small shield", "knife and mace", "mace in both hands"} <= held
    pair = next(grip for grip in grips(session.scene, "ann") if str(grip) == "knife and knife")
    belongings, lifted = taken_up(session.scene, "ann", pair)
    assert lifted == (first, second)
    assert str(in_hand(belongings)) == "knife and knife"
    assert [one.place for one in belongings if one.item == "mace"] == ["pack"]
    gone = with_lying(session, first)
    assert taken_up(gone.scene, "ann", pair)[1] == (first,)
    shield = LooseItem("small_shield", "bob", 4, cell(10, 10))
    session = with_lying(duel(EMPTY, FOE), shield)
    session.do("mars.perform", who="ann", use="brandish")
    assert status(session).belongings == (ItemStack("small_shield", 1, "hand", 4),)


@pytest.mark.rule("mars.action.brandish")
def test_an_unarmed_bot_takes_up_what_lies_there() -> None:
    lies = LooseItem("club", "bob", None, cell(10, 10))
    assert rate(with_lying(duel(EMPTY, FOE), lies).scene, "ann", ActionUse("brandish")).harm == 450
    far = LooseItem("club", "bob", None, cell(20, 10))
    assert rate(with_lying(duel(EMPTY, FOE), far).scene, "ann", ActionUse("brandish")).harm == -40


# ---------------------------------------------------------------------- shields


def holding(*shields: tuple[str, int], **fields: Any) -> MarsCharacter:
    things = tuple([ItemStack(name, place="hand", left=left) for name, left in shields])
    return somebody(belongings=things, **fields)


@pytest.mark.rule("mars.defence.block", "mars.defence.parry", "mars.gap.armour.shields")
def test_a_broken_shield_parries_and_does_not_block() -> None:
    for left, blocks in ((1, True), (0, False)):
        people = [
            place(FOE, "foes", (1, 1), who="bob"),
            place(holding(("small_shield", left)), "party", (1, 2), who="ann"),
        ]
        me = now(session_with(people).scene, "ann")
        assert [name for name, _ in me.parries] == ["small_shield"]
        assert (me.blocking is not None) is blocks


@pytest.mark.rule("mars.equipment.armour_penalty", "mars.gap.armour.shields")
def test_a_broken_shield_weighs_as_much() -> None:
    for left in (15, 0):
        assert armour_penalty(holding(("large_shield", left), STR="r8"), library()).total == -2
    stowed = somebody(STR="r8", belongings=(ItemStack("large_shield", left=15),))
    assert armour_penalty(stowed, library()).total == 0


@pytest.mark.rule("mars.equipment.armour_slots")
def test_there_is_one_slot_for_shields() -> None:
    both = holding(("medium_shield", 12), ("large_shield", 15), STR="r12")
    assert secondary(both, "DEF", library()).value.modifier == 1
    assert slots_taken(both.belongings, library())["shield"] == 2
    assert "2 things are in the slot shield" in legality(both, OPTIONS, library()).explain()
    for pair in ((("small_shield", 9), ("large_shield", 15)), (("large_shield", 15), ("small_shield", 9))):
        assert secondary(holding(*pair, STR="r12"), "DEF", library()).value.modifier == 1
    one = holding(("small_shield", 0), ("large_shield", 15), STR="r12")
    assert secondary(one, "DEF", library()).value.modifier == 1
    shield, helm = library().get(Armour, "small_shield"), library().get(Armour, "half_helm")
    assert natural_place(holding(("buckler", 0)).belongings, shield, library()) == "pack"
    assert natural_place((), shield, library()) == "hand"
    assert natural_place(both.belongings, helm, library()) == "worn"


@pytest.mark.rule("mars.equipment.armour_slots", "mars.action.brandish")
def test_nobody_takes_two_shields_in_hand() -> None:
    hero = fighter("Ann", pack={"small_shield": 1, "buckler": 1, "club": 1})
    held = [str(grip) for grip in grips(duel(hero, FOE).scene, "ann")]
    assert "buckler and small shield" not in held
    assert {"buckler", "buckler and club", "club and small shield"} <= set(held)
    session = alone(hero)
    with pytest.raises(IllegalActionError, match="one shield can be held at a time"):
        do(session, "mars.brandish", who="ann", wielded=("small_shield", "buckler"))
    do(session, "mars.brandish", who="ann", wielded=("club", "buckler"))
    for mine, where in ((["buckler"], "pack"), (["club"], "hand"), ([], "hand"), (["club", "knife"], "pack")):
        lying = with_lying(duel(fighter("Ann", mine), FOE), LooseItem("small_shield", "bob", 3, cell(10, 10)))
        act(lying, "take::small_shield")
        assert [one.place for one in status(lying).belongings if one.item == "small_shield"] == [where]


# ---------------------------------------------------------------------- the skill of an attack


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


@pytest.mark.rule("mars.gap.maneuver.boost", "mars.maneuver.cross_skill")
def test_the_skill_that_is_high_enough_boosts() -> None:
    for finesse, martial, able in (("r4", "r12", True), ("r12", "r4", True), ("r4", "r10", False)):
        hero = fighter("Ann", ["straight_sword"], skills={"finesse": finesse, "martial": martial}, maneuvers=("brace",))
        scene = duel(hero, FOE).scene
        refused = why_not(scene, "ann", ActionUse("maneuver", None, "brace+"), improvised=False)
        assert (refused is None) is able
        assert why_not(scene, "ann", ActionUse("maneuver", None, "brace"), improvised=False) is None


@pytest.mark.rule("mars.gap.maneuver.boost", "mars.skill.cross_skill_weapons")
def test_a_boosted_attack_goes_with_the_skill_that_boosts_it() -> None:
    skills = {"martial": rolled("r12"), "unarmed": rolled("r12+0")}
    hero = fighter("Ann", ["club"], maneuvers=("heavy_strike",)).changed(
        ancestry="human", ancestry_skill="unarmed", skills={**skills, "unarmed": rolled("r10")}
    )
    hero = hero.changed(changes=({"what": "unarmed", "value": 3},))
    me = now(duel(hero, FOE).scene, "ann")
    heavy, club = library().get(Maneuver, "heavy_strike"), library().get(Weapon, "club")
    assert me.skill_for(heavy, club) == "unarmed"  # 14 at most
    assert me.skill_for(heavy, club, True) == "martial"
    session = duel(hero, FOE, theirs={"stamina": 0})
    act(session, "maneuver:bob:heavy_strike+/club", faces=[(1, 1), (9,)])
    assert str(events(session, AttackDeclared)[0].blow.attack) == "r22-2"


# ---------------------------------------------------------------------- stepping in


def stepping_in(
    *, bob: Any = None, cid: Any = None, clad: Any = (), attacker: MarsCharacter | None = None, use: str = ""
) -> Session:
    """Ann attacks bob, and cid, who stands beside him, steps in."""
    friend = fighter("Cid", ["club"], clad, maneuvers=("intercept",), skills={"martial": "r4"})
    people = [
        place(attacker or fighter("Ann", ["club"]), "party", (10, 10), who="ann"),
        place(FOE, "foes", (11, 10), who="bob", **(bob or {})),
        place(friend, "foes", (11, 11), who="cid", **(cid or {})),
    ]
    session = session_with(people)
    session.do("mars.perform", who="ann", use=use or "attack:bob:club")
    session.choose("intercept:bob:intercept")
    return session


def like_aimed(session: Session) -> Any:
    """The blow under way as if it had been aimed at cid from the beginning."""
    scene = session.scene.with_status("ann", turn=session.header.scene["ann"].status.turn)
    wielded = now(scene, "ann").wielded[0]
    return aim(scene, "ann", wielded, "melee", "cid").blow


PRONE = {"effects": (MarsEffect("prone"),)}


@pytest.mark.rule("mars.gap.maneuver.list", "mars.effect.prone", "mars.gap.armour.critical_defense")
@pytest.mark.parametrize(
    ("bob", "cid", "clad", "advantage", "threshold"),
    [
        (PRONE, None, ("half_helm",), 0, 8),
        (None, PRONE, (), 1, 7),
        ({"surprised": True}, None, (), 0, 7),
        (None, {"effects": (MarsEffect("blind"),)}, (), 1, 7),
    ],
)
def test_a_character_who_steps_in_is_attacked_as_they_stand(
    bob: Any, cid: Any, clad: Any, advantage: int, threshold: int
) -> None:
    session = stepping_in(bob=bob, cid=cid, clad=clad)
    blow = fight(session.scene).blow
    assert blow is not None
    assert (blow.target, blow.advantage, blow.threshold, blow.rating) == ("cid", advantage, threshold, 2)
    wanted = like_aimed(session)
    for name in ("attack", "damage", "advantage", "disadvantage", "threshold", "kind", "sneak"):
        assert getattr(blow, name) == getattr(wanted, name), name
    if session.question is not None and isinstance(session.question, Choice):
        session.choose("deflect")
    session.type_in((5, 5) if advantage else (5,))
    session.type_in((4,))
    session.type_in((3, 3))
    trace = next(line for line in session.log if isinstance(line, Trace) and line.call.mechanic.name == "mars.attack")
    given = trace.call.named_arguments()
    assert (given["advantage"], given["threshold"]) == (advantage, threshold)
    assert events(session, Hit)[0].who == "cid"


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.weapon.momentum", "mars.gap.weapon.cleave")
def test_earlier_attacks_count_for_the_interceptor() -> None:
    once = Turn.begun(0)._replace(seconds=4, attacks=1, attacked=("bob",), hit=("bob",), weapon="club")
    session = stepping_in()
    again = session_with(list(session.header.scene.participants))
    scene = again.scene.with_status("ann", turn=once)
    again = Session(replace(again.header, scene=scene), again.rulebook)
    again.do("mars.perform", who="ann", use="attack:bob:club")
    again.choose("intercept:bob:intercept")
    declared, blow = events(again, AttackDeclared)[0].blow, fight(again.scene).blow
    assert blow is not None
    assert (declared.damage.modifier, blow.damage.modifier) == (2, 0)
    assert (declared.attack.modifier, blow.attack.modifier) == (-3, -3)
    axe = fighter("Ann", ["battleaxe"])
    people = [replace(one, character=axe) if one.id == "ann" else one for one in scene.participants]
    cleaving = session_with(people)
    things = tuple([replace(one, item="battleaxe") for one in scene["ann"].status.belongings])
    scene = cleaving.scene.with_status("ann", turn=once._replace(weapon="battleaxe"), belongings=things)
    cleaving = Session(replace(cleaving.header, scene=scene), cleaving.rulebook)
    cleaving.do("mars.perform", who="ann", use="attack:bob:battleaxe")
    cleaving.choose("intercept:bob:intercept")
    declared, blow = events(cleaving, AttackDeclared)[0].blow, fight(cleaving.scene).blow
    assert blow is not None
    assert (declared.attack.modifier, blow.attack.modifier) == (-4, 0)
    anew = scene.with_status("ann", turn=once._replace(weapon="battleaxe", attacked=("dot",)))
    others = Session(replace(cleaving.header, scene=anew), cleaving.rulebook)
    others.do("mars.perform", who="ann", use="attack:bob:battleaxe")
    others.choose("intercept:bob:intercept")
    declared, blow = events(others, AttackDeclared)[0].blow, fight(others.scene).blow
    assert blow is not None
    assert (declared.attack.modifier, blow.attack.modifier) == (0, 0)
    better = blow._replace(attack=RollValue(blow.attack.n, blow.attack.modifier + 2))
    assert turned(blow._replace(total=9), blow, better).total == 11


@pytest.mark.rule("mars.gap.maneuver.list", "mars.damage.types")
def test_a_maneuver_keeps_what_it_does_against_who_steps_in() -> None:
    knight = fighter(
        "Ann", ["straight_sword"], skills={"martial": "r8"}, maneuvers=("concussive_strike", "heavy_strike")
    )
    session = stepping_in(attacker=knight, use="maneuver:bob:concussive_strike/straight_sword")
    declared, blow = events(session, AttackDeclared)[0].blow, fight(session.scene).blow
    assert blow is not None
    assert blow.kind == "bludgeoning"
    assert (blow.attack, blow.damage, blow.maneuver) == (declared.attack, declared.damage, "concussive_strike")
    heavy = stepping_in(attacker=knight, use="maneuver:bob:heavy_strike/straight_sword")
    declared, blow = events(heavy, AttackDeclared)[0].blow, fight(heavy.scene).blow
    assert blow is not None
    assert (blow.attack, blow.damage) == (declared.attack, declared.damage)
    assert blow.damage.modifier == 2
    assert events(heavy, Intercepted)[0].blow.target == "cid"


@pytest.mark.rule("mars.gap.maneuver.list")
def test_a_character_who_steps_in_stands_before_a_thrown_weapon_that_has_left_the_hand() -> None:
    thrower = fighter("Ann", ["knife"])
    session = stepping_in(attacker=thrower, use="attack:bob:knife/thrown", cid=PRONE)
    blow = fight(session.scene).blow
    assert blow is not None
    assert (blow.target, blow.disadvantage, blow.advantage) == ("cid", 1, 0)


# ---------------------------------------------------------------------- backswing and momentum


@pytest.mark.rule("mars.gap.weapon.backswing")
def test_a_miss_with_another_weapon_leaves_the_backswing() -> None:
    session = duel(fighter("Ann", ["staff"], DEX="r10"), FOE, theirs={"stamina": 0})
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
        scene = duel(hero, FOE, turn=whose).scene
        scene = scene.with_status("ann", turn=scene["ann"].status.turn._replace(hit=("bob",)))
        assert aim(scene, "ann", now(scene, "ann").wielded[0], "melee", "bob").blow.damage.modifier == more


# ---------------------------------------------------------------------- languages and rests


def learner(**fields: Any) -> MarsCharacter:
    return somebody("Ann", kind="character", native=("common",), experience=20, opportunity=1, **fields)


@pytest.mark.rule("mars.skill.languages", "mars.advancement.language_cost")
def test_new_languages_can_be_bought() -> None:
    session = alone(learner(languages={"Old Tongue": rolled("r4")}))
    found = [one.id for one in purchases(session.scene, "ann") if one.id.startswith("language:")]
    assert found[0] == "language:Old Tongue"
    assert "language:elven" in found
    assert "language:common" not in found
    offer = next(one for one in purchases(session.scene, "ann") if one.id == "language:elven")
    assert isinstance(offer, CreationOption)
    assert (offer.label, offer.cost) == ("Elven to r4", 2)
    do(session, "mars.advance", who="ann", what="language", name=" Elven ")
    assert session.scene["ann"].character.languages["elven"] == rolled("r4")


@pytest.mark.rule("mars.skill.languages")
def test_a_language_is_the_same_however_it_is_written() -> None:
    session = alone(learner(languages={"Old Tongue": rolled("r4")}))
    assert refusal(session.scene, "ann", "language", "COMMON") == ("common is native", "mars.skill.languages")
    assert called(session.scene["ann"].character, "language", "old  tongue") == "Old Tongue"
    assert called(session.scene["ann"].character, "skill", "Martial") == "Martial"
    do(session, "mars.advance", who="ann", what="language", name="old tongue")
    assert dict(session.scene["ann"].character.languages) == {"Old Tongue": rolled("r6")}


@pytest.mark.rule("mars.rest.limits", "mars.gap.rest.one_a_day")
def test_days_of_rest_wait_until_everybody_may_sleep() -> None:
    sleeper = learner(traits=(OwnTrait(id="efficient_sleeper"),))
    session = session_of({"ann": sleeper, "bob": somebody("Bob")})
    do(session, "mars.long_rest", who=["ann"])
    assert session.scene.clock.now == 4 * 3_600
    do(session, "mars.days_of_rest", who=["ann", "bob"], days=1)
    assert session.scene["ann"].character.day.rested_at == 24 * 3_600
    assert session.scene["bob"].character.day.rested_at == 24 * 3_600
    assert session.scene.clock.now == 32 * 3_600
    with pytest.raises(IllegalActionError, match="8 hours ago"):
        do(session, "mars.long_rest", who=["bob"])
