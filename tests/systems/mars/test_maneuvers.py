"""Maneuvers in a scene: each of the list does what its row says; limits, improvising, resisting, boosting."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    CAPTAIN,
    FOE,
    RIVAL,
    STILL,
    act,
    calls,
    closed,
    duel,
    effect,
    fighter,
    knight,
    offered,
    place,
    session_with,
    with_turn,
)
from systems.mars.people import LEDGER, OPTIONS, library, person
from systems.playing import dice_in, events, last, status
from tablewright.engine import Roll, Trace
from tablewright.errors import IllegalActionError
from tablewright.game.ground.bands import Together
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.scene import Participant
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.aim import aim
from tablewright.systems.mars.actions.index import ACTIONS
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.content import Maneuver, Weapon
from tablewright.systems.mars.events.attack import AttackDeclared, Hit, Missed
from tablewright.systems.mars.events.turn import ManeuverUsed
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.values import RollValue

HIT = [(9, 8), (5,), (4, 4)]
"""17 against 5, then 8 damage: hits whatever the modifiers."""


# ---------------------------------------------------------------------- the list, row by row


ROWS = LEDGER["mars.gap.maneuver.list"].data


@pytest.mark.rule("mars.gap.maneuver.list")
@pytest.mark.parametrize("name", ["heavy_strike", "precise_strike", "wild_strike", "penetrating_strike"])
@pytest.mark.parametrize("boosted", [False, True])
def test_strikes_that_change_the_attack(name: str, boosted: bool) -> None:
    row = ROWS[name]
    hold = "mace" if "martial" in row["skills"] else "thrusting_sword"
    session = duel(knight(name, hold=hold, rank="r12"), FOE, theirs=STILL)
    plain = aim(session.scene, "ann", now(session.scene, "ann").wielded[0], "melee", "bob").blow
    before = now(session.scene, "ann").roll("DEF").value.modifier
    act(session, f"maneuver:bob:{name}{'+' if boosted else ''}/{hold}", faces=[(12, 8), (1,), (4, 4)])
    changes = row["boost"] if boosted else row
    blow = last(session, AttackDeclared).blow
    assert blow.attack.modifier - plain.attack.modifier == changes.get("hit", 0)
    assert blow.damage.modifier - plain.damage.modifier == changes.get("damage", 0)
    assert blow.threshold - plain.threshold == changes.get("threshold", 0)
    assert last(session, AttackDeclared).stamina == row["stamina"] + (row["boost"]["stamina"] if boosted else 0)
    assert last(session, AttackDeclared).seconds == 2
    rating = now(session.scene, "ann").roll("DEF").value.modifier - before
    assert rating == changes.get("own_rating", 0)


@pytest.mark.rule("mars.gap.maneuver.boost")
def test_boosting_needs_r12_in_the_skill_that_is_used() -> None:
    session = duel(knight("heavy_strike", skills={"martial": "r10", "unarmed": "r14"}), FOE)
    assert "maneuver:bob:heavy_strike/mace" in offered(session)
    assert "maneuver:bob:heavy_strike+/mace" not in offered(session)
    assert "maneuver:bob:heavy_strike+/unarmed" in offered(session)
    with pytest.raises(IllegalActionError, match=r"needs martial r12 \[mars"):
        ACTIONS.check(session.scene, "ann", ActionUse("maneuver", "bob", "heavy_strike+/mace"))


@pytest.mark.rule("mars.gap.maneuver.boost", "mars.skill.cross_skill_weapons")
def test_a_boosted_attack_goes_with_the_skill_that_boosts_it() -> None:
    hero = fighter("Ann", ["club"], skills={"martial": "r12", "unarmed": "r10"}, maneuvers=("heavy_strike",))
    hero = hero.changed(ancestry="human", ancestry_skill="unarmed", changes=({"what": "unarmed", "value": 3},))
    me = now(duel(hero, FOE).scene, "ann")
    heavy, club = library().get(Maneuver, "heavy_strike"), library().get(Weapon, "club")
    assert me.skill_for(heavy, club) == "unarmed"  # 14 at most
    assert me.skill_for(heavy, club, True) == "martial"
    session = duel(hero, FOE, theirs=STILL)
    act(session, "maneuver:bob:heavy_strike+/club", faces=[(1, 1), (9,)])
    assert str(last(session, AttackDeclared).blow.attack) == "r22-2"


@pytest.mark.rule("mars.gap.maneuver.list", "mars.maneuver.resist")
@pytest.mark.parametrize(
    ("resist", "rounds"), [((1, 1), 2), ((10, 8), 1), ((10, 10), None)], ids=["success", "graze", "failure"]
)
def test_crippling_strike(resist: tuple[int, int], rounds: int | None) -> None:
    session = duel(knight("crippling_strike"), FOE, theirs=STILL)
    act(session, "maneuver:bob:crippling_strike/mace", faces=[(8, 5), (5,), resist, (4, 4)])  # 13
    assert (last(session, AttackDeclared).seconds, last(session, AttackDeclared).stamina) == (4, 2)
    crippled = effect(session, "bob", "halved_speed")
    assert (crippled and crippled.until and crippled.until - 1) == rounds
    assert events(session, Hit)  # the damage stands, whatever the resist
    assert now(session.scene, "bob").speed.total == (6 if rounds is None else 3)


@pytest.mark.rule("mars.gap.maneuver.list", "mars.maneuver.resist", "mars.effect.stunned")
@pytest.mark.parametrize(
    ("arm", "less", "resist", "endurance", "effects"),
    [
        ("mace", 0, (1, 1), 10, {"stunned"}),
        ("straight_sword", -1, (1, 1), 10, {"stunned"}),
        ("unarmed", -1, (1, 1), 10, {"stunned"}),
        ("mace", 0, (10, 3), 10, set()),  # a graze loses what has no duration
        ("mace", 0, (1, 1), 5, {"unconscious", "prone"}),  # no endurance is left after the damage
    ],
)
def test_concussive_strike(arm: str, less: int, resist: tuple[int, int], endurance: int, effects: set[str]) -> None:
    hold = "mace" if arm == "unarmed" else arm
    session = duel(knight("concussive_strike", hold=hold), FOE, theirs={**STILL, "endurance": endurance})
    hurts = (4,) if arm == "unarmed" else (4, 4)
    act(session, f"maneuver:bob:concussive_strike/{arm}", faces=[(5, 5), (5,), resist, hurts])
    blow = last(session, AttackDeclared).blow
    assert (blow.attack.modifier, blow.damage.modifier, blow.kind) == (less, less, "bludgeoning")
    assert {one.kind for one in status(session, "bob").effects} == effects


@pytest.mark.rule("mars.gap.maneuver.list")
def test_a_strike_is_for_melee() -> None:
    archer = knight("concussive_strike", hold="shortbow@hands", pack={"arrow": 1})
    assert not [use for use in offered(duel(archer, FOE)) if "concussive_strike/shortbow" in use]


@pytest.mark.rule("mars.gap.maneuver.list", "mars.effect.prone")
def test_knock_down() -> None:
    session = duel(knight("knock_down"), FOE, theirs=STILL)
    act(session, "maneuver:bob:knock_down/mace", faces=[(9, 8), (5,), (5, 4), (4, 4)])
    assert last(session, AttackDeclared).blow.attack.modifier == -2
    assert effect(session, "bob", "prone")
    assert status(session, "bob").effects[0].until is None  # until he rises


@pytest.mark.rule("mars.gap.maneuver.list", "mars.maneuver.resist")
@pytest.mark.parametrize(("resist", "open_"), [((5, 2), True), ((8, 5), False)])
def test_feint(resist: tuple[int, int], open_: bool) -> None:
    session = duel(knight("feint", RES="r12"), FOE, theirs=STILL)
    act(session, "maneuver:bob:feint", faces=[(8,), resist])
    assert (status(session).turn.seconds, status(session).stamina) == (4, 8)
    opening = effect(session, "ann", "opening")
    assert (opening is not None) is open_
    if opening is not None:
        assert (opening.stat, opening.until) == ("bob", 2)
        act(session, "attack:bob:mace", faces=[(3, 2, 9), (5,), (4, 4)])
        assert last(session, AttackDeclared).blow.advantage == 1
        assert effect(session, "ann", "opening") is None  # the next attack only
    assert status(session).turn.attacks == int(open_)  # the feint itself is no attack


@pytest.mark.rule("mars.gap.maneuver.list")
def test_battle_cry() -> None:
    people = [
        place(knight("battle_cry"), "party", (1, 1), who="ann"),
        place(knight(), "party", (31, 1), who="cid"),
        place(knight(), "party", (32, 1), who="dot"),
        place(FOE, "foes", (32, 2), who="bob", **STILL),
    ]
    session = session_with(people)
    calm = now(session.scene, "cid")
    act(session, "maneuver::battle_cry")
    assert [bool(effect(session, who, "rally")) for who in ("ann", "cid", "dot", "bob")] == [False, True, False, False]
    rally = effect(session, "cid", "rally")
    assert rally is not None
    assert rally.until == session.scene.round + 1
    heartened = now(session.scene, "cid")
    for name in ("DEF", "EVA"):
        assert heartened.roll(name).value.modifier - calm.roll(name).value.modifier == 2
    wielded = heartened.wielded[0]
    assert heartened.attack(wielded, "melee").value.modifier - calm.attack(wielded, "melee").value.modifier == 2
    assert heartened.roll("FORT").value == calm.roll("FORT").value


@pytest.mark.rule("mars.gap.maneuver.list")
def test_a_battle_cry_helps_the_first_roll_alone() -> None:
    cry = (MarsEffect("rally", value=2, source="battle_cry"),)
    session = duel(knight(), FOE, mine={"effects": cry}, theirs={**STILL, "effects": cry})
    act(session, "attack:bob:mace", faces=[(1, 1), (9,)])
    assert last(session, AttackDeclared).blow.attack.modifier == 2
    assert status(session).effects == status(session, "bob").effects == ()  # her first attack, his first deflection


@pytest.mark.rule("mars.gap.maneuver.list")
@pytest.mark.parametrize(("detail", "value", "cost"), [("brace", 1, 0), ("brace+", 2, 1)])
def test_brace(detail: str, value: int, cost: int) -> None:
    session = duel(knight("brace", rank="r12"), FOE)
    before = now(session.scene, "ann").roll("DEF").value.modifier
    act(session, f"maneuver::{detail}")
    assert now(session.scene, "ann").roll("DEF").value.modifier - before == value
    assert (status(session).stamina, status(session).turn.seconds) == (10 - cost, 4)
    braced = effect(session, "ann", "rating")
    assert braced is not None
    assert (braced.turn_of, braced.until) == ("ann", 2)


def two_targets(
    *more: Participant, eve: tuple[int, int] = (9, 9), options: MarsOptions = OPTIONS, **ann: Any
) -> Session:
    """Ann with a bow against bob and eve."""
    archer = knight("double_shot", hold="shortbow@hands", pack={"arrow": 5}, **ann)
    people = [
        place(archer, "party", (1, 1), who="ann", options=options),
        place(FOE, "foes", (9, 1), who="bob", options=options, **STILL),
        place(FOE, "foes", eve, who="eve", options=options, **STILL),
    ]
    return session_with([*people, *more], options=options)


@pytest.mark.rule("mars.gap.maneuver.list", "mars.attack.multiple_attack_penalty")
def test_double_shot() -> None:
    session = two_targets(place(FOE, "foes", (9, 5), who="dot", **STILL))
    faces = [(9, 4), (5,), (4, 4, 1), (2,), (4, 4, 1)]
    act(session, "maneuver:bob:double_shot/shortbow", faces=faces, choices={"who else": "another_target:eve"})
    declared = events(session, AttackDeclared)
    assert [(one.target, one.blow.attack.modifier, one.blow.total) for one in declared] == [
        ("bob", -2, 11),
        ("eve", -2, 11),
    ]
    assert [one.who for one in events(session, Hit)] == ["bob", "eve"]
    assert (status(session).turn.attacks, status(session).stamina) == (1, 9)
    assert sum(one.count for one in status(session).belongings if one.item == "arrow") == 3


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.weapon.ranged")
def test_of_a_double_shot_range_counts_for_each_target() -> None:
    session = with_turn(two_targets(eve=(31, 1)), attacks=1, attacked=("bob",))
    act(session, "maneuver:bob:double_shot/shortbow", faces=[(1, 1), (10,), (10,)])
    near, far = [one.blow for one in events(session, AttackDeclared)]
    assert (near.target, far.target) == ("bob", "eve")
    assert (far.attack.modifier, far.total) == (near.attack.modifier - 1, near.total - 1)  # the second multiple of 25 m
    assert status(session).turn.attacks == 2


@pytest.mark.rule("mars.gap.maneuver.list", "mars.dice.passive_use")
def test_a_creature_shoots_twice_by_its_passive_value_where_nothing_is_rolled() -> None:
    session = two_targets(options=MarsOptions(passive_rolls="all_npc"), kind="creature")
    session.do("mars.perform", who="ann", use="maneuver:bob:double_shot/shortbow")
    assert isinstance(session.question, Roll)
    assert dice_in(session.question) == []


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.weapon.thrown", "mars.gap.weapon.ammunition")
@pytest.mark.rule("mars.gap.weapon.reload")
@pytest.mark.parametrize(
    ("hold", "pack", "arm", "able"),
    [
        (["handaxe", "handaxe"], {"handaxe": 3}, "handaxe/thrown", True),
        (["handaxe"], {"handaxe": 3}, "handaxe/thrown", False),  # it throws only what is in hand
        (["shortbow@hands"], {"arrow": 2}, "shortbow", True),
        (["shortbow@hands"], {"arrow": 1}, "shortbow", False),
        (["crossbow@hands"], {"bolt": 9}, "crossbow", False),  # only one of them is loaded
    ],
)
def test_a_double_shot_needs_two_shots(hold: list[str], pack: dict[str, int], arm: str, able: bool) -> None:
    archer = fighter("Ann", hold, skills={"ranged": "r12", "martial": "r12"}, pack=pack, maneuvers=("double_shot",))
    people = [
        place(archer, "party", (1, 1), who="ann"),
        place(FOE, "foes", (3, 1), who="bob", **STILL),
        place(FOE, "foes", (3, 3), who="eve", **STILL),
    ]
    session = session_with(people)
    if able:
        act(session, f"maneuver:bob:double_shot/{arm}", faces=[(1, 1), (10,), (10,)])
        assert [one.target for one in events(session, AttackDeclared)] == ["bob", "eve"]
    else:
        with pytest.raises(IllegalActionError, match="needs 2 shots, there is 1"):
            act(session, f"maneuver:bob:double_shot/{arm}")
    against_one = session_with(people[:2])
    assert not [one for one in offered(against_one) if "double_shot" in one]
    with pytest.raises(IllegalActionError, match="needs 2 targets, there is 1" if able else "needs 2"):
        act(against_one, f"maneuver:bob:double_shot/{arm}")


@pytest.mark.rule("mars.gap.weapon.stray_shot", "mars.attack.multiple_attack_penalty")
def test_both_arrows_of_a_double_shot_go_astray_as_they_were_shot() -> None:
    archer = fighter("Ann", ["shortbow@hands"], pack={"arrow": 5}, skills={"ranged": "r4"}, maneuvers=("double_shot",))
    people = [
        place(archer, "party", (1, 1), who="ann"),
        place(RIVAL, "foes", (9, 1), who="bob", stamina=0),
        place(RIVAL, "foes", (9, 5), who="eve", stamina=0),
        place(RIVAL, "party", (10, 1), who="cid", stamina=0),
        place(RIVAL, "party", (10, 5), who="dan", stamina=0),
    ]
    session = session_with(people)
    act(session, "attack:bob:shortbow", faces=[(1, 1), (10,), (1, 1, 1), (10,)])
    faces = [(1, 1), (10,), (1, 1, 1), (10,), (10,), (1, 1, 1), (10,)]
    act(session, "maneuver:bob:double_shot/shortbow", faces=faces)
    shots = [(one.target, one.blow.attack.modifier, one.counted) for one in events(session, AttackDeclared)]
    assert shots == [
        ("bob", 0, True),
        ("cid", 0, False),
        ("bob", -6, True),
        ("cid", -4, False),
        ("eve", -6, False),
        ("dan", -4, False),
    ]
    assert status(session).turn.attacks == 2


@pytest.mark.rule("mars.gap.maneuver.list", "mars.maneuver.resist")
@pytest.mark.parametrize(("resist", "shaken"), [((1, 1), True), ((10, 9), False)])
def test_intimidating_strike(resist: tuple[int, int], shaken: bool) -> None:
    session = duel(knight("intimidating_strike", RES="r12"), FOE, theirs=STILL)
    act(session, "maneuver:bob:intimidating_strike/mace", faces=[(9,), resist, *HIT])
    assert events(session, Hit)  # the attack comes either way
    afraid = effect(session, "bob", "shaken")
    assert (afraid is not None) is shaken
    assert (status(session).stamina, status(session).turn.seconds, status(session).turn.attacks) == (8, 2, 1)
    if shaken:
        bob = now(session.scene, "bob")
        assert bob.attack(bob.wielded[0], "melee").value.modifier == -2
        assert bob.skill("charisma", aimed=True).value.modifier == -2
        assert bob.roll("DEF").value.modifier == 0  # only what is aimed at his enemies


@pytest.mark.rule("mars.gap.talent.other_stat", "mars.gap.ancestry.abilities")
def test_talents_and_ancestries_count_in_intimidation() -> None:
    strong = knight("intimidating_strike", STR="r12+1", RES="r8", talents={"intimidation": 1})
    orc = fighter("Bob", INT="r10", RES="r10", ancestry="orc")
    session = duel(strong, orc, theirs=STILL)
    act(session, "maneuver:bob:intimidating_strike/mace", faces=[(9,), (1, 1), *HIT])
    (given,) = calls(session, "mars.opposed")
    assert given["roll_value"] == RollValue(12, 1)  # STR instead of RES
    assert given["against"] == RollValue(20, 2)  # RES +1 by birth, and +1 against intimidation
    halfling = duel(strong, fighter("Bob", ancestry="halfling", size="small"), theirs=STILL)
    act(halfling, "maneuver:bob:intimidating_strike/mace", faces=[(9,), (1, 1, 5), *HIT])
    (given,) = calls(halfling, "mars.opposed")
    assert given["against_advantage"] == 1  # brave


@pytest.mark.rule("mars.gap.maneuver.list", "mars.attack.sneak")
def test_escape() -> None:
    people = [
        place(knight("escape", hold="knife"), "party", (10, 10), who="ann"),
        place(FOE, "foes", (15, 10), who="bob", **STILL),
        place(FOE, "foes", (15, 12), who="dot", **STILL),
    ]

    def unseen_by(whom: str, manner: Any = "thrown") -> bool:
        return bool(aim(session.scene, "ann", now(session.scene, "ann").wielded[0], manner, whom).blow.sneak)

    session = act(session_with(people), "maneuver::escape", faces=[(7,), (4,), (9,)])  # 7 against 4 and 9
    assert effect(session, "bob", "unsighted")
    assert not effect(session, "dot", "unsighted")
    assert not unseen_by("bob")  # a Move has to follow
    act(session, "step", choices={"step where": "destination::10,9"})
    assert (unseen_by("bob"), unseen_by("dot")) == (True, False)
    together = [replace(one, position=None) for one in people[:2]]
    session = act(session_with(together, ground=Together()), "maneuver::escape", faces=[(7,), (4,)])
    assert unseen_by("bob", "melee")  # no Move follows where everyone is in reach


@pytest.mark.rule("mars.gap.maneuver.list", "mars.attack.sneak")
@pytest.mark.parametrize("instead", ["attack:bob:knife/thrown", "brandish", "end of the turn"])
def test_a_character_who_does_something_else_has_not_escaped(instead: str) -> None:
    session = duel(knight("escape", hold="knife", pack={"knife": 1}), FOE, apart=5, theirs=STILL)
    act(session, "maneuver::escape", faces=[(7,), (4,)])
    if instead == "end of the turn":
        session.do("mars.encounter")
        session.choose("end_turn")
    else:
        act(session, instead, faces=[(1, 1), (10,)] if instead.startswith("attack") else ())
    assert not effect(session, "bob", "unsighted")


# ---------------------------------------------------------------------- rules for all of them


@pytest.mark.rule("mars.maneuver.use_limit")
@pytest.mark.parametrize("limit", ["each_once_per_round", "one_per_round"])
def test_each_maneuver_once_a_round(limit: Any) -> None:
    options = MarsOptions() if limit == "each_once_per_round" else MarsOptions(maneuver_limit=limit)
    session = duel(knight("heavy_strike", "wild_strike"), FOE, theirs=STILL, options=options)
    act(session, "maneuver:bob:heavy_strike/mace", faces=[(1, 1), (9,)])
    assert not [use for use in offered(session) if "heavy_strike" in use]
    with pytest.raises(IllegalActionError, match=r"\[mars.maneuver.use_limit\]"):
        act(session, "maneuver:bob:heavy_strike/mace")
    if limit == "one_per_round":
        with pytest.raises(IllegalActionError, match="one maneuver a round"):
            act(session, "maneuver:bob:wild_strike/mace")
    else:
        act(session, "maneuver:bob:wild_strike/mace", faces=[(1, 1), (9,)])


@pytest.mark.rule("mars.maneuver.use_limit", "mars.stat.resource_behaviour")
def test_maneuvers_need_stamina_and_time() -> None:
    tired = duel(knight("penetrating_strike", hold="thrusting_sword"), FOE, mine={"stamina": 1})
    with pytest.raises(IllegalActionError, match=r"costs 2 stamina, 1 left \[mars.maneuver.use_limit\]"):
        act(tired, "maneuver:bob:penetrating_strike/thrusting_sword")
    with pytest.raises(IllegalActionError, match=r"takes 4 s, 2 s are left \[mars.action.speeds\]"):
        act(with_turn(duel(knight("knock_down"), FOE), seconds=2), "maneuver:bob:knock_down/mace")


@pytest.mark.rule("mars.maneuver.cross_skill")
def test_a_maneuver_goes_with_every_skill_that_could_learn_it() -> None:
    def arms(*trained: str) -> list[str]:
        one = fighter("Ann", ["mace"], skills=dict.fromkeys(trained, "r4"), maneuvers=("heavy_strike",))
        return [use.rpartition("/")[2] for use in offered(duel(one, FOE)) if "heavy_strike" in use]

    (example,) = LEDGER["mars.maneuver.cross_skill"].examples
    assert arms(*example["given"]["trained"]) == ["mace", "unarmed"]
    assert arms("unarmed") == ["unarmed"]
    skills = {"finesse": "r8", "martial": "r4"}
    session = duel(fighter("Ann", ["straight_sword"], skills=skills, maneuvers=("heavy_strike",)), FOE, theirs=STILL)
    act(session, "maneuver:bob:heavy_strike/straight_sword", faces=[(1, 1), (9,)])
    assert last(session, AttackDeclared).blow.attack.n == 14  # martial: finesse, which is better, cannot learn it


@pytest.mark.rule("mars.maneuver.improvise")
def test_improvising() -> None:
    untrained = fighter("Ann", ["mace"], DEX="r10")
    session = duel(untrained, FOE, theirs=STILL)
    choices = {"improvise what": "improvising:bob:knock_down/mace"}
    act(session, "improvise", choices=choices, faces=[(9,), (2,), (3, 2), (4, 4)])
    assert last(session, AttackDeclared).blow.attack.modifier == -2 - 2
    assert last(session, AttackDeclared).blow.damage.modifier == 0  # not damage
    assert (last(session, AttackDeclared).stamina, last(session, AttackDeclared).seconds) == (2, 6)
    assert effect(session, "bob", "prone")  # 5 against 5
    feint = duel(untrained, FOE, theirs=STILL)
    act(feint, "improvise", choices={"improvise what": "improvising:bob:feint"}, faces=[(9,), (3, 2)])
    used = events(feint, ManeuverUsed)[-1]
    (example,) = LEDGER["mars.maneuver.improvise"].examples
    assert (used.stamina, used.seconds) == (example["expect"]["stamina"], 4)
    trace = next(line for line in feint.log if isinstance(line, Trace))
    assert trace.call.named_arguments()["roll_value"].modifier == example["expect"]["check_modifier"]


@pytest.mark.rule("mars.maneuver.improvise")
def test_improvised_maneuvers_depend_on_time_and_strength() -> None:
    session = duel(fighter("Ann", ["mace"]), FOE, mine={"stamina": 0})
    assert closed(session, "improvise") == ("nothing can be improvised now", "mars.maneuver.improvise")
    session = duel(knight("heavy_strike"), FOE)
    session.do("mars.perform", who="ann", use="improvise")
    question: Any = session.question
    assert "improvising:bob:knock_down/mace" in question.ids
    assert not [one for one in question.ids if "heavy_strike" in one]  # that one is known


@pytest.mark.rule("mars.maneuver.improvise", "mars.action.speeds")
@each_case(("seconds", "open_"), [(6, True), (5, True), (4, True), (3, False), (2, False), (0, False)])
def test_improvising_takes_four_seconds_at_least(seconds: int, open_: bool) -> None:
    session = duel(fighter("Ann", ["mace"]), FOE)
    assert ("improvise" in offered(with_turn(session, seconds=seconds))) is open_


@pytest.mark.rule("mars.maneuver.improvise")
def test_improvised_maneuvers_say_their_cost() -> None:
    session = duel(RIVAL, CAPTAIN)
    session.do("mars.perform", who="ann", use="improvise")
    assert session.question is not None
    costs = {use.detail: use.cost_text for use in session.question.options}  # type: ignore[union-attr]
    assert costs["feint"] == "4 s, 3 stamina"
    assert costs["heavy_strike/club"] == "4 s, 2 stamina"
    assert costs["knock_down/club"] == "6 s, 2 stamina"


@pytest.mark.rule("mars.gap.creature.printed")
def test_a_creature_uses_its_maneuvers_with_its_own_weapons() -> None:
    session = duel(person("wolf"), FOE, theirs=STILL)
    act(session, "maneuver:bob:crippling_strike/wolf_bite", faces=[(9, 8), (5,), (1, 1), (4, 4)])
    assert effect(session, "bob", "halved_speed")


def test_a_maneuver_that_misses_has_no_effect() -> None:
    session = duel(knight("knock_down"), FOE, theirs=STILL)
    act(session, "maneuver:bob:knock_down/mace", faces=[(1, 1), (9,)])
    assert events(session, Missed)
    assert not effect(session, "bob", "prone")


@pytest.mark.rule("mars.gap.maneuver.list", "mars.attack.sneak")
@pytest.mark.parametrize(
    ("hidden", "lost", "strikes"), [(True, "", False), (False, "ann", False), (False, "cid", True)], ids=str
)
def test_nobody_strikes_at_who_passes_unseen(hidden: bool, lost: str, strikes: bool) -> None:
    effects = (MarsEffect("unsighted", stat=lost, turn_of=lost, until=2),) if lost else ()
    people = [
        place(knight(), "party", (10, 10), who="ann", hidden=hidden),
        place(knight("opportunity_strike"), "foes", (11, 10), who="bob", effects=effects),
    ]
    session = session_with(people)
    session.do("mars.perform", who="ann", use="move")
    session.choose("destination::13,11")
    assert (session.question is not None and session.seat == "bob") is strikes
    assert (str(session.scene["ann"].position) == "13,11") is not strikes


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.weapon.reach")
@pytest.mark.parametrize("apart", [1, 2])
def test_a_feint_is_for_melee(apart: int) -> None:
    session = duel(knight("feint"), FOE, apart=apart, theirs=STILL)
    assert ("maneuver:bob:feint" in offered(session)) is (apart == 1)
