"""Maneuvers in a scene: each of the list does what its row says; limits, improvising, resisting, boosting."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import BOOK, act, closed, duel, effect, fighter, offered, place, session_with
from systems.mars.people import library, person
from systems.playing import events, last, status
from tablewright.engine import Choice, Roll, Trace
from tablewright.errors import IllegalActionError
from tablewright.game.ground.bands import Together
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.rules.ledger import Ledger
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.aim import aim
from tablewright.systems.mars.actions.index import ACTIONS
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.content import Maneuver
from tablewright.systems.mars.events.attack import AttackDeclared, Hit, Intercepted, Missed
from tablewright.systems.mars.events.turn import ManeuverUsed
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Turn
from tablewright.systems.mars.values import RollValue

LEDGER = Ledger.load("mars")
FOE = fighter("Bob", STR="r10", DEX="r10", RES="r10")
STILL: dict[str, Any] = {"stamina": 0}


def knight(*maneuvers: str, hold: str = "mace", rank: str = "r8", **fields: Any) -> Any:
    """A character who knows maneuvers and every combat skill."""
    skills = dict.fromkeys(("martial", "finesse", "unarmed", "ranged"), rank) | fields.pop("skills", {})
    return fighter("Ann", [hold], skills=skills, maneuvers=maneuvers, DEX="r10", **fields)


HIT = [(9, 8), (5,), (4, 4)]
"""17 against 5, then 8 damage: hits whatever the modifiers."""


# ---------------------------------------------------------------------- the list, row by row


ROWS = LEDGER["mars.gap.maneuver.list"].data


@pytest.mark.rule("mars.gap.maneuver.list", "mars.maneuver.overview")
@each_case("name", ROWS)
def test_the_pack_says_what_the_list_says(name: str) -> None:
    row, maneuver = ROWS[name], library().get(Maneuver, name)
    assert (maneuver.stamina, maneuver.speed, maneuver.skills) == (row["stamina"], row["speed"], row["skills"])
    assert maneuver.resist == row.get("resist")
    assert maneuver.type in LEDGER["mars.maneuver.overview"].data["types"]


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
def test_concussive_strike() -> None:
    def strike(hold: str, resist: tuple[int, int] = (1, 1), **theirs: Any) -> Session:
        session = duel(knight("concussive_strike", hold=hold), FOE, theirs={**STILL, **theirs})
        act(session, f"maneuver:bob:concussive_strike/{hold}", faces=[(5, 5), (5,), resist, (4, 4)])
        return session

    blunt, sharp = strike("mace"), strike("straight_sword")
    assert (last(blunt, AttackDeclared).blow.attack.modifier, last(blunt, AttackDeclared).blow.damage.modifier) == (
        0,
        0,
    )
    assert (last(sharp, AttackDeclared).blow.attack.modifier, last(sharp, AttackDeclared).blow.damage.modifier) == (
        -1,
        -1,
    )
    assert last(sharp, AttackDeclared).blow.kind == "bludgeoning"
    fists = duel(knight("concussive_strike"), FOE, theirs=STILL)
    act(fists, "maneuver:bob:concussive_strike/unarmed", faces=[(5, 5), (5,), (1, 1), (4,)])
    assert (last(fists, AttackDeclared).blow.attack.modifier, last(fists, AttackDeclared).blow.damage.modifier) == (
        -1,
        -1,
    )
    assert effect(blunt, "bob", "stunned")
    assert not effect(strike("mace", (10, 3)), "bob", "stunned")  # a graze loses what has no duration
    out = strike("mace", endurance=5)
    assert effect(out, "bob", "unconscious")  # no endurance is left after the damage
    assert not effect(out, "bob", "stunned")
    shot = duel(knight("concussive_strike", hold="shortbow@hands", pack={"arrow": 1}), FOE, theirs=STILL)
    assert not [use for use in offered(shot) if "concussive_strike/shortbow" in use]  # only in melee


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
    session = duel(knight(), FOE, mine={"effects": cry}, theirs=STILL)
    act(session, "attack:bob:mace", faces=[(1, 1), (9,), (1, 1)])
    assert last(session, AttackDeclared).blow.attack.modifier == 2
    assert status(session).effects == ()
    session = duel(knight(), FOE, theirs={**STILL, "effects": cry})
    act(session, "attack:bob:mace", faces=[(1, 1), (9,)])
    assert status(session, "bob").effects == ()  # that was his first deflection


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


@pytest.mark.rule("mars.gap.maneuver.list", "mars.attack.multiple_attack_penalty")
def test_double_shot() -> None:
    archer = knight("double_shot", hold="shortbow@hands", pack={"arrow": 5})
    people = [
        place(archer, "party", (1, 1), who="ann"),
        place(FOE, "foes", (9, 1), who="bob", **STILL),
        place(FOE, "foes", (9, 5), who="dot", **STILL),
        place(FOE, "foes", (9, 9), who="eve", **STILL),
    ]
    session = session_with(people)
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
    trace = next(line for line in session.log if isinstance(line, Trace) and line.call.mechanic.name == "mars.opposed")
    assert trace.call.named_arguments()["roll_value"] == RollValue(12, 1)  # STR instead of RES
    assert trace.call.named_arguments()["against"] == RollValue(20, 2)  # RES +1 by birth, and +1 against intimidation
    halfling = duel(strong, fighter("Bob", ancestry="halfling", size="small"), theirs=STILL)
    act(halfling, "maneuver:bob:intimidating_strike/mace", faces=[(9,), (1, 1, 5), *HIT])
    trace = next(line for line in halfling.log if isinstance(line, Trace) and line.call.mechanic.name == "mars.opposed")
    assert trace.call.named_arguments()["against_advantage"] == 1  # brave


@pytest.mark.rule("mars.gap.maneuver.list", "mars.action.reaction")
def test_intercept() -> None:
    people = [
        place(knight(), "party", (10, 10), who="ann"),
        place(FOE, "foes", (11, 10), who="bob"),
        place(
            fighter("Cid", ["small_shield"], maneuvers=("intercept",), skills={"martial": "r4"}),
            "foes",
            (11, 11),
            who="cid",
        ),
    ]
    session = session_with(people)
    choices = {"react": "intercept:bob:intercept", "how to defend": "parry::small_shield", "block": "block"}
    act(session, "attack:bob:mace", faces=[(9, 8), (4, 3), (4, 4)], choices=choices)
    stepped = events(session, Intercepted)[-1]
    assert (stepped.who, stepped.ally, stepped.stamina) == ("cid", "bob", 1)
    assert [str(session.scene[who].position) for who in ("bob", "cid")] == ["11,11", "11,10"]
    trace = next(line for line in session.log if isinstance(line, Trace) and line.call.mechanic.name == "mars.attack")
    given = trace.call.named_arguments()
    assert (given["deflection"], given["parry"]) == (RollValue(10, 2), RollValue(6))  # +2 for stepping in
    assert events(session, Hit)[-1].who == "cid"
    assert status(session, "cid").stamina == 8  # the parry cost nothing then, to block as well costs as usual
    assert not status(session, "cid").turn.reaction
    again = [use for use in offered(session, "cid", reactions=True) if use.startswith("intercept")]
    assert not again
    crowd = session_with([*people, replace(people[2], id="dot", seat="dot", position=cell(12, 10))])
    act(crowd, "attack:bob:mace", faces=[(9, 8), (4, 3), (4, 4)], choices=choices)
    assert [one.who for one in events(crowd, Intercepted)] == ["cid"], "one alone steps in"
    for how, left in (("deflect", 9), ("evade", 8)):  # without a parry it is the block that costs nothing
        alone = session_with(people)
        fate = {**choices, "how to defend": how}
        act(alone, "attack:bob:mace", faces=[(9, 8), (1,), (4, 4)], choices=fate)
        assert status(alone, "cid").stamina == left


@pytest.mark.rule("mars.gap.maneuver.list", "mars.attack.sneak")
def test_escape() -> None:
    people = [
        place(knight("escape", hold="knife"), "party", (10, 10), who="ann"),
        place(FOE, "foes", (15, 10), who="bob", **STILL),
        place(FOE, "foes", (15, 12), who="dot", **STILL),
    ]
    session = session_with(people)
    act(session, "maneuver::escape", faces=[(7,), (4,), (9,)])  # 7 against 4 and 9
    assert effect(session, "bob", "unsighted")
    assert not effect(session, "dot", "unsighted")
    wielded = now(session.scene, "ann").wielded[0]
    assert not aim(session.scene, "ann", wielded, "thrown", "bob").blow.sneak  # a Move has to follow
    act(session, "step", choices={"step where": "destination::10,9"})
    scene = session.scene
    assert aim(scene, "ann", wielded, "thrown", "bob").blow.sneak
    assert not aim(scene, "ann", wielded, "thrown", "dot").blow.sneak


@pytest.mark.rule("mars.gap.maneuver.list", "mars.attack.sneak")
@pytest.mark.parametrize("instead", ["attack:bob:knife/thrown", "brandish", "end of the turn"])
def test_a_character_who_does_something_else_has_not_escaped(instead: str) -> None:
    people = [
        place(knight("escape", hold="knife", pack={"knife": 1}), "party", (10, 10), who="ann"),
        place(FOE, "foes", (15, 10), who="bob", **STILL),
    ]
    session = session_with(people)
    act(session, "maneuver::escape", faces=[(7,), (4,)])
    if instead == "end of the turn":
        session.do("mars.encounter")
        session.choose("end_turn")
    else:
        act(session, instead, faces=[(1, 1), (10,)] if instead.startswith("attack") else ())
    assert not effect(session, "bob", "unsighted")


@pytest.mark.rule("mars.gap.maneuver.list")
def test_no_move_follows_an_escape_where_everyone_is_in_reach() -> None:
    people = [place(knight("escape", hold="knife"), "party", None, who="ann"), place(FOE, "foes", None, who="bob")]
    session = session_with(people, ground=Together())
    act(session, "maneuver::escape", faces=[(7,), (4,)])
    assert aim(session.scene, "ann", now(session.scene, "ann").wielded[0], "melee", "bob").blow.sneak


# ---------------------------------------------------------------------- rules for all of them


@pytest.mark.rule("mars.maneuver.use_limit")
def test_each_maneuver_once_a_round() -> None:
    session = duel(knight("heavy_strike", "wild_strike"), FOE, theirs=STILL)
    act(session, "maneuver:bob:heavy_strike/mace", faces=[(1, 1), (9,)])
    assert not [use for use in offered(session) if "heavy_strike" in use]
    with pytest.raises(IllegalActionError, match=r"used in this round already \[mars.maneuver.use_limit\]"):
        act(session, "maneuver:bob:heavy_strike/mace")
    act(session, "maneuver:bob:wild_strike/mace", faces=[(1, 1), (9,)])
    single = duel(
        knight("heavy_strike", "wild_strike"), FOE, theirs=STILL, options=MarsOptions(maneuver_limit="one_per_round")
    )
    act(single, "maneuver:bob:heavy_strike/mace", faces=[(1, 1), (9,)])
    with pytest.raises(IllegalActionError, match="one maneuver a round"):
        act(single, "maneuver:bob:wild_strike/mace")


@pytest.mark.rule("mars.maneuver.use_limit", "mars.stat.resource_behaviour")
def test_maneuvers_need_stamina_and_time() -> None:
    tired = duel(knight("penetrating_strike", hold="thrusting_sword"), FOE, mine={"stamina": 1})
    with pytest.raises(IllegalActionError, match=r"costs 2 stamina, 1 left \[mars.maneuver.use_limit\]"):
        act(tired, "maneuver:bob:penetrating_strike/thrusting_sword")
    late = duel(knight("knock_down"), FOE)
    late = Session(
        replace(late.header, scene=late.scene.with_status("ann", turn=Turn.begun(0)._replace(seconds=2))), late.rulebook
    )
    with pytest.raises(IllegalActionError, match=r"takes 4 s, 2 s are left \[mars.action.speeds\]"):
        act(late, "maneuver:bob:knock_down/mace")


@pytest.mark.rule("mars.maneuver.cross_skill")
def test_a_maneuver_goes_with_every_skill_that_could_learn_it() -> None:
    (example,) = LEDGER["mars.maneuver.cross_skill"].examples
    given = example["given"]
    both = fighter("Ann", ["mace"], skills=dict.fromkeys(given["trained"], "r4"), maneuvers=("heavy_strike",))
    uses = [use for use in offered(duel(both, FOE)) if "heavy_strike" in use]
    assert uses == ["maneuver:bob:heavy_strike/mace", "maneuver:bob:heavy_strike/unarmed"]
    one = fighter("Ann", ["mace"], skills={"unarmed": "r4"}, maneuvers=("heavy_strike",))
    uses = [use for use in offered(duel(one, FOE)) if "heavy_strike" in use]
    assert uses == ["maneuver:bob:heavy_strike/unarmed"]
    swordsman = fighter(
        "Ann", ["straight_sword"], skills={"finesse": "r8", "martial": "r4"}, maneuvers=("heavy_strike",)
    )
    session = duel(swordsman, FOE, theirs=STILL)
    act(session, "maneuver:bob:heavy_strike/straight_sword", faces=[(1, 1), (9,)])
    assert (
        last(session, AttackDeclared).blow.attack.n == 14
    )  # martial, although finesse is better: finesse cannot learn it


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


@pytest.mark.rule("mars.gap.maneuver.list")
def test_a_double_shot_needs_two_targets() -> None:
    archer = knight("double_shot", hold="shortbow@hands", pack={"arrow": 5})
    session = session_with([place(archer, "party", (1, 1), who="ann"), place(FOE, "foes", (9, 1), who="bob")])
    with pytest.raises(IllegalActionError, match="needs 2 targets, there is 1"):
        act(session, "maneuver:bob:double_shot/shortbow")
    assert not [one for one in offered(session) if "double_shot" in one]


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.weapon.ranged")
def test_of_a_double_shot_range_counts_for_each_target() -> None:
    archer = knight("double_shot", hold="shortbow@hands", pack={"arrow": 5})
    people = [
        place(archer, "party", (0, 0), who="ann", turn=Turn.begun(0)._replace(attacks=1, attacked=("bob",))),
        place(FOE, "foes", (10, 0), who="bob", stamina=0),
        place(FOE, "foes", (30, 0), who="eve", stamina=0),
    ]
    session = session_with(people)
    session = Session(replace(session.header, scene=session.scene.with_status("ann", turn=people[0].status.turn)), BOOK)
    session.do("mars.perform", who="ann", use="maneuver:bob:double_shot/shortbow")
    while session.question is not None:
        session.roll() if isinstance(session.question, Roll) else session.choose(session.question.ids[0])
    near, far = [one.blow for one in events(session, AttackDeclared)]
    assert (near.target, far.target) == ("bob", "eve")
    assert (far.attack.modifier, far.total) == (near.attack.modifier - 1, near.total - 1)  # the second multiple of 25 m
    assert status(session).turn.attacks == 2


@pytest.mark.rule("mars.gap.maneuver.list", "mars.dice.passive_use")
def test_a_creature_shoots_twice_by_its_passive_value_where_nothing_is_rolled() -> None:
    options = MarsOptions(passive_rolls="all_npc")
    archer = knight("double_shot", hold="shortbow@hands", pack={"arrow": 5}).changed(kind="creature")
    people = [
        place(archer, "party", (1, 1), who="ann", options=options),
        place(FOE, "foes", (9, 1), who="bob", options=options, stamina=0),
        place(FOE, "foes", (9, 3), who="eve", options=options, stamina=0),
    ]
    session = session_with(people, options=options)
    session.do("mars.perform", who="ann", use="maneuver:bob:double_shot/shortbow")
    question: Any = session.question
    assert isinstance(question, Roll)
    dice: Any = question.dice
    assert dice.dice == ()


@pytest.mark.rule("mars.gap.maneuver.list")
@pytest.mark.parametrize("unseen", ["hidden", "slipped away"])
def test_nobody_strikes_at_who_passes_unseen(unseen: str) -> None:
    lost = (MarsEffect("unsighted", stat="ann", turn_of="ann", until=2),) if unseen == "slipped away" else ()
    people = [
        place(knight(), "party", (10, 10), who="ann", hidden=unseen == "hidden"),
        place(knight("opportunity_strike"), "foes", (11, 10), who="bob", effects=lost),
    ]
    session = session_with(people)
    session.do("mars.perform", who="ann", use="move")
    session.choose("destination::13,11")
    assert session.question is None  # no one is asked
    assert str(session.scene["ann"].position) == "13,11"


@pytest.mark.rule("mars.gap.maneuver.list", "mars.attack.sneak")
def test_a_foe_who_lost_sight_of_another_still_strikes_at_who_passes() -> None:
    lost = (MarsEffect("unsighted", stat="cid", turn_of="cid", until=2),)
    people = [
        place(knight(), "party", (10, 10), who="ann"),
        place(knight("opportunity_strike"), "foes", (11, 10), who="bob", effects=lost),
    ]
    session = session_with(people)
    session.do("mars.perform", who="ann", use="move")
    session.choose("destination::13,11")
    assert isinstance(session.question, Choice)
    assert session.question.details["who"] == "bob"


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.weapon.reach")
@pytest.mark.parametrize("apart", [1, 2])
def test_a_feint_is_for_melee(apart: int) -> None:
    session = duel(knight("feint"), FOE, apart=apart, theirs=STILL)
    assert ("maneuver:bob:feint" in offered(session)) is (apart == 1)


@pytest.mark.rule("mars.gap.maneuver.list")
@pytest.mark.parametrize("apart", [1, 2])
def test_only_who_is_next_to_an_ally_intercepts(apart: int) -> None:
    guard = fighter("Cid", maneuvers=("intercept",), skills={"martial": "r4"})
    people = [
        place(knight(), "party", (10, 10), who="ann"),
        place(FOE, "foes", (11, 10), who="bob"),
        place(guard, "foes", (11, 10 + apart), who="cid"),
    ]
    session = session_with(people)
    session.do("mars.perform", who="ann", use="attack:bob:mace")
    assert (isinstance(session.question, Choice) and session.question.details["who"] == "cid") is (apart == 1)
