"""The basic actions in a scene: time and costs, the attack from declaration to loss, defences, and everything else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import act, aimed, closed, duel, effect, fighter, offered, on_field, place, session_with
from systems.mars.people import library, person
from systems.playing import events, last, status
from tablewright.engine import Trace
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.bands import Together
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.rules.ledger import Ledger
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.aim import aim, is_flanked
from tablewright.systems.mars.actions.index import ACTIONS
from tablewright.systems.mars.actions.requirements import time_needed
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.content import Weapon
from tablewright.systems.mars.events.attack import AttackDeclared, Hit, Missed
from tablewright.systems.mars.events.turn import Acted
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Status, Turn, fight
from tablewright.systems.mars.values import Degree, RollValue

LEDGER = Ledger.load("mars")
HERO = fighter("Ann", ["club"], STR="r10", DEX="r10", RES="r10", skills={"martial": "r8"})
FOE = fighter("Bob", STR="r10", DEX="r10", RES="r10")
STILL: dict[str, Any] = {"stamina": 0}
"""Without stamina no one evades or parries, so no question is asked."""


def parts(session: Session, name: str, mechanic: str = "mars.attack") -> dict[str, int]:
    """The parts of a tally in the last played call of a mechanic."""
    traces = [line for line in session.log if isinstance(line, Trace) and line.call.mechanic.name == mechanic]
    tally = traces[-1].tallies[name]
    return {tally.label: tally.base} | {part.label: part.changed for part in tally.parts}


# ---------------------------------------------------------------------- time


@pytest.mark.rule("mars.action.speeds", "mars.action.free")
@pytest.mark.parametrize(
    "example", [*LEDGER["mars.action.speeds"].examples, *LEDGER["mars.action.free"].examples], ids=str
)
def test_actions_with_enough_time(example: Any) -> None:
    turn, legal = Turn.begun(0), True
    status_now = Status(1, 1, 1, 1, turn=turn)
    for speed in example["given"]:
        seconds, free = time_needed(status_now, speed)
        legal = legal and seconds <= status_now.turn.seconds
        turn = status_now.turn
        status_now = replace(
            status_now, turn=turn._replace(seconds=turn.seconds - seconds, free=turn.free and not free)
        )
    assert legal is example["expect"]["legal"]
    if legal:
        assert status_now.turn.seconds == example["expect"]["seconds_left"]


@pytest.mark.rule("mars.action.speeds", "mars.time.round")
def test_a_turn_has_six_seconds() -> None:
    session = duel(HERO, FOE, theirs=STILL)
    for _ in range(3):
        act(session, "attack:bob:club", faces=[(1, 1), (9,)])
    assert status(session).turn.seconds == 0
    assert closed(session, "attack") == ("takes 2 s, no time is left", "mars.action.speeds")
    with pytest.raises(IllegalActionError, match=r"no time is left \[mars.action.speeds\]"):
        act(session, "attack:bob:club")


@pytest.mark.rule("mars.action.free")
def test_the_second_free_action_takes_two_seconds() -> None:
    session = duel(HERO, FOE, theirs=STILL)
    act(session, "drop_prone")
    assert (status(session).turn.seconds, status(session).turn.free) == (6, False)
    act(session, "brandish")  # empty hands are all there is besides the club
    assert status(session).turn.seconds == 4


@pytest.mark.rule("mars.action.list")
@each_case(("name", "row"), LEDGER["mars.action.list"].data.items())
def test_every_basic_action_is_there_with_its_speed(name: str, row: dict[str, Any]) -> None:
    action = ACTIONS.by_id["rise" if name == "rise_from_prone" else name]
    speeds = row["speed"] if isinstance(row["speed"], list) else [row["speed"]]
    assert action.reaction is any("reaction" in speed for speed in speeds)
    words = {"swift": "2 s", "standard": "4 s", "free": "free", "none": "nothing", "free_reaction": "1 stamina"}
    if isinstance(action.cost_text, str) and row["speed"] != "variable":
        assert words[speeds[0]] in action.cost_text
    assert all(rule in LEDGER for rule in action.rules)


def test_every_rule_that_an_action_cites_exists() -> None:
    for action in ACTIONS:
        for rule in (*action.rules, *[requirement.rule for requirement in action.requires]):
            assert rule in LEDGER, f"{action.id}: {rule}"


# ---------------------------------------------------------------------- attacking


@pytest.mark.rule("mars.attack.procedure", "mars.defence.deflection_default")
def test_an_attack_in_a_scene() -> None:
    session = duel(HERO, FOE, theirs=STILL)
    act(session, "attack:bob:club", faces=[(9, 4), (7,), (8, 3)])
    # 13 against 7: a success by 6; 11 damage, no armour; endurance 10, then health
    assert [(one.degree, one.damage) for one in events(session, Hit)] == [(Degree.SUCCESS, 11)]
    assert (status(session, "bob").endurance, status(session, "bob").health) == (0, 9)
    assert status(session).turn.seconds == 4
    assert fight(session.scene).incoming == ()


@pytest.mark.rule("mars.attack.hit", "mars.attack.procedure")
def test_a_graze_is_a_hit_and_a_failure_a_miss() -> None:
    session = duel(HERO, FOE, theirs=STILL)
    act(session, "attack:bob:club", faces=[(2, 1), (9,), (8, 3)])
    assert [(one.degree, one.damage) for one in events(session, Hit)] == [(Degree.GRAZE, 5)]
    session = duel(HERO, FOE, theirs=STILL)
    act(session, "attack:bob:club", faces=[(1, 1), (9,)])
    assert len(events(session, Missed)) == 1


@pytest.mark.rule("mars.attack.multiple_attack_penalty")
@pytest.mark.parametrize("example", LEDGER["mars.attack.multiple_attack_penalty"].examples)
def test_the_multiple_attack_penalty(example: Any) -> None:
    given = example["given"]
    session = duel(fighter(hold=["mace"], skills={"martial": "r8"}), FOE)
    scene = session.scene.with_status(
        "ann", turn=Turn.begun(0)._replace(attacks=given["attack_number"] - 1, weapon="mace")
    )
    me = now(scene, "ann")
    aimed = aim(scene, "ann", me.wielded[0], "melee", "bob", reaction=given.get("reaction", False))
    assert aimed.blow.attack.modifier == example["expect"]


@pytest.mark.rule("mars.attack.multiple_attack_penalty")
def test_misses_count_and_maneuvers_too() -> None:
    session = duel(fighter(hold=["mace"], skills={"martial": "r8"}, maneuvers=("heavy_strike",)), FOE, theirs=STILL)
    act(session, "attack:bob:mace", faces=[(1, 1), (9,)])
    assert last(session, AttackDeclared).blow.attack == RollValue(18)
    act(session, "maneuver:bob:heavy_strike/mace", faces=[(1, 1), (9,)])
    assert last(session, AttackDeclared).blow.attack == RollValue(18, -5)
    assert parts(session, "attack")["an earlier attack"] == -4
    act(session, "attack:bob:mace", faces=[(1, 1), (9,)])
    assert last(session, AttackDeclared).blow.attack == RollValue(18, -8)
    assert parts(session, "attack")["2 earlier attacks"] == -8


@pytest.mark.rule("mars.attack.sneak")
def test_a_character_who_is_not_seen_attacks_with_advantage() -> None:
    def advantage(**theirs: Any) -> int:
        return int(aimed(duel(HERO, FOE, theirs=theirs).scene).advantage)

    assert advantage() == 0
    assert advantage(effects=(MarsEffect("blind"),)) == 1
    assert advantage(surprised=True) == 1
    assert advantage(effects=(MarsEffect("unsighted", stat="ann"),)) == 1
    assert advantage(effects=(MarsEffect("unsighted", stat="somebody else"),)) == 0
    assert advantage(effects=(MarsEffect("unconscious"),)) == 1
    hidden = [place(HERO, "party", (1, 1), who="ann", hidden=True), place(FOE, "foes", (2, 1), who="bob", **STILL)]
    session = session_with(hidden)
    act(session, "attack:bob:club", faces=[(1, 1, 9), (9,), (4, 4)])
    assert last(session, AttackDeclared).blow.sneak
    assert not session.scene["ann"].hidden  # seen now


@pytest.mark.rule("mars.attack.flanking", "mars.gap.fight.flanked")
def test_flanking() -> None:
    def flanked(*others: tuple[int, int], facts: Facts | None = None, **changes: Any) -> bool:
        people = [place(FOE, "foes", (10, 10), who="bob")]
        people += [place(HERO, "party", at, who=f"hero{at}", **changes) for at in others]
        return is_flanked(session_with(people, facts=facts).scene, "bob")

    assert flanked((9, 10), (11, 10))
    assert flanked((9, 9), (11, 11))
    assert not flanked((9, 10), (11, 11))
    assert not flanked((8, 10), (12, 10))  # two metres away
    assert not flanked((9, 10), (11, 10), effects=(MarsEffect("unconscious"),))
    assert flanked((9, 10), facts=Facts().set("flanked", "bob", "yes"))
    people = [
        place(HERO, "party", (9, 10), who="ann"),
        place(HERO, "party", (11, 10), who="cid"),
        place(fighter(hold=["shortbow@hands"], pack={"arrow": 3}), "party", (3, 3), who="dot"),
        place(FOE, "foes", (10, 10), who="bob", effects=(MarsEffect("blind"),)),
    ]
    scene = session_with(people).scene
    assert aimed(scene, "dot").advantage == 2  # flanked by the others, and unseen as well


@pytest.mark.rule("mars.attack.flanking", "mars.gap.fight.flanked")
def test_a_hidden_enemy_flanks_in_its_own_attack_alone() -> None:
    """The advantage of the others told that someone hides on the far side."""
    people = [
        place(HERO, "party", (9, 10), who="ann"),
        place(HERO, "party", (11, 10), who="cid", hidden=True),
        place(FOE, "foes", (10, 10), who="bob"),
    ]
    scene = session_with(people).scene
    assert aimed(scene, "ann").advantage == 0
    assert aimed(scene, "cid").advantage == 2  # flanking with Ann, and unseen


@pytest.mark.rule("mars.attack.flanking")
def test_flanking_without_a_map_is_a_flag() -> None:
    people = [place(HERO, "party", None, who="ann"), place(FOE, "foes", None, who="bob")]
    assert not is_flanked(session_with(people, ground=Together()).scene, "bob")
    flagged = session_with(people, ground=Together(), facts=Facts().set("flanked", "bob", "yes"))
    assert aimed(flagged.scene).advantage == 1


@pytest.mark.rule("mars.attack.sneak", "mars.attack.flanking", "mars.action.seek_cover")
def test_every_source_of_advantage_counts_once_and_can_be_named() -> None:
    archer = fighter("Ann", ["shortbow@hands"], pack={"arrow": 5})
    people = [
        place(HERO, "party", (9, 10), who="ann", effects=(MarsEffect("blind"), MarsEffect("opening", stat="bob"))),
        place(archer, "party", (11, 10), who="cid"),
        place(
            FOE, "foes", (10, 10), who="bob", effects=(MarsEffect("prone"), MarsEffect("cover"), MarsEffect("blind"))
        ),
    ]
    scene = session_with(people).scene
    for who, pros, cons in (("ann", 4, 1), ("cid", 2, 2)):
        wielded = now(scene, who).wielded[0]
        aimed = aim(scene, who, wielded, wielded.manners[0], "bob")
        tallies = aimed.to_hit.tallies("attack")
        assert (tallies["advantage"].total, tallies["disadvantage"].total) == (pros, cons)
        assert (aimed.blow.advantage, aimed.blow.disadvantage) == (pros, cons)
        assert all(rule in LEDGER for tally in tallies.values() for rule in tally.rules)


# ---------------------------------------------------------------------- the others


@pytest.mark.rule("mars.action.brandish")
def test_brandishing() -> None:
    session = duel(fighter(hold=["club"], pack={"mace": 1, "spear": 1, "small_shield": 1}), FOE)
    act(session, "brandish", choices={"wield": "wield::mace@hand+small_shield@hand"})
    held = {(one.item, one.place) for one in status(session).belongings if one.place != "pack"}
    assert held == {("mace", "hand"), ("small_shield", "hand")}
    assert status(session).turn.seconds == 6
    act(session, "brandish", choices={"wield": "wield::spear@hands"})
    assert [one.key for one in now(session.scene, "ann").wielded] == ["spear", "unarmed"]
    assert [one for one in status(session).belongings if one.item == "small_shield"] == [
        ItemStack("small_shield", left=10)
    ]


@pytest.mark.rule("mars.action.drop_prone", "mars.action.rise")
def test_dropping_prone_and_rising() -> None:
    session = duel(HERO, FOE)
    speed = now(session.scene, "ann").speed.total
    act(session, "drop_prone")
    assert effect(session, "ann", "prone")
    assert now(session.scene, "ann").speed.total == speed // 2
    assert "drop_prone" not in offered(session)
    act(session, "rise")
    assert not effect(session, "ann", "prone")
    assert now(session.scene, "ann").speed.total == speed
    assert status(session).turn.seconds == 4
    assert closed(session, "rise") == ("not prone", "mars.action.rise")


@pytest.mark.rule("mars.action.seek_cover", "mars.action.seek_cover_moving")
@pytest.mark.parametrize("example", LEDGER["mars.action.seek_cover_moving"].examples)
def test_seeking_cover(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    wall = Grid(size=(40, 40), blocked=(cell(9, 9),) if given["obstacle"] else ())
    session = duel(HERO, FOE, ground=wall)
    moved = replace(
        session.header,
        scene=session.scene.with_status("ann", turn=Turn.begun(0)._replace(moves=given["moves_this_turn"])),
    )
    session = Session(moved, session.rulebook)
    if not expect["allowed"]:
        assert closed(session, "seek_cover")[1] == "mars.action.seek_cover"
        return
    act(session, "seek_cover")
    assert status(session).turn.seconds == {"free": 6, "swift": 4}[expect["speed"]]
    cover = effect(session, "ann", "cover")
    assert cover is not None
    assert (cover.turn_of, cover.until) == ("ann", 2)


@pytest.mark.rule("mars.action.seek_cover", "mars.effect.prone")
def test_cover_and_lying_down_help_against_shots() -> None:
    archer = fighter(hold=["shortbow@hands"], pack={"arrow": 3})

    def sources(*effects: MarsEffect, facts: Facts | None = None) -> tuple[int, int]:
        blow = aimed(duel(archer, FOE, apart=5, theirs={"effects": effects}, facts=facts).scene)
        return blow.advantage, blow.disadvantage

    assert sources() == (0, 0)
    assert sources(MarsEffect("cover")) == (0, 1)
    assert sources(MarsEffect("prone")) == (0, 1)
    assert sources(MarsEffect("prone"), MarsEffect("cover")) == (0, 2)
    assert sources(facts=Facts().set("cover", "bob", "wall")) == (0, 1)
    melee = duel(HERO, FOE, theirs={"effects": (MarsEffect("cover"), MarsEffect("prone"))})
    assert (aimed(melee.scene).advantage, aimed(melee.scene).disadvantage) == (1, 0)


@pytest.mark.rule("mars.action.interact")
def test_interacting() -> None:
    session = duel(HERO, FOE, facts=Facts().set("object", "*", "lever"))
    act(session, "interact::lever")
    assert status(session).turn.seconds == 4
    assert events(session, Acted)[-1].detail == "lever"


@pytest.mark.rule("mars.action.use_skill", "mars.check.duration")
def test_using_a_skill() -> None:
    session = duel(HERO, FOE)
    choices = {"which skill": "which_skill::athletics", "how hard": "hard"}
    act(session, "use_skill", faces=[(9,)], choices=choices)
    assert status(session).turn.seconds == 4
    trace = [line for line in session.log if isinstance(line, Trace)][-1]
    assert trace.call.named_arguments()["difficulty"] == 14
    assert trace.result is Degree.GRAZE
    slow = duel(HERO, FOE, options=MarsOptions(basic_skill_seconds=6))
    act(slow, "use_skill", faces=[(9,)], choices={"which skill": "which_skill::athletics"})
    assert status(slow).turn.seconds == 0


@pytest.mark.rule("mars.action.special", "mars.gap.talent.second_wind")
def test_second_wind() -> None:
    tough = fighter("Ann", ["club"], RES="r12+1", talents={"second_wind": 2})
    session = duel(tough, FOE, mine={"endurance": 2})
    act(session, "second_wind")
    assert status(session).endurance == 2 + 7  # half of 13, rounded up
    assert status(session).turn.seconds == 4
    assert closed(session, "second_wind") == ("once a turn", "mars.gap.talent.second_wind")
    session = duel(tough, FOE, mine={"endurance": 12, "used": status(session).used})
    act(session, "second_wind")
    assert status(session).endurance == 13  # not above the maximum
    session = duel(tough, FOE, mine={"endurance": 2, "used": status(session).used})
    assert closed(session, "second_wind")[0] == "used up until the next rest"


@pytest.mark.rule("mars.action.special", "mars.gap.talent.rage")
@pytest.mark.parametrize("steps", [1, 2, 3, 4])
@pytest.mark.parametrize("clad", [False, True])
def test_rage(steps: int, clad: bool) -> None:
    gained = LEDGER["mars.gap.talent.rage"].data[str(steps)]
    wear = ["padded"] if clad else []
    session = duel(fighter("Ann", ["club"], wear, STR="r12", INT="r8", talents={"rage": steps}), FOE)
    before = now(session.scene, "ann")
    act(session, "rage")
    after = now(session.scene, "ann")
    assert status(session).focus == 8 - 2
    assert after.stat("STR").value.modifier - before.stat("STR").value.modifier == gained
    assert after.damage(after.wielded[0], "melee").value.modifier == gained
    less = after.reduction("slashing").total - before.reduction("slashing").total
    assert less == ((gained + 1) // 2 if clad else gained)
    assert after.roll("DEF").value.modifier - before.roll("DEF").value.modifier == -2
    assert after.roll("EVA").value.modifier - before.roll("EVA").value.modifier == -2
    assert status(session).concentration == "rage"
    assert status(session).health == 12  # a temporary change leaves the maxima alone


@pytest.mark.rule("mars.gap.talent.rage", "mars.concentration.single")
def test_rage_takes_its_toll_and_ends_with_the_concentration() -> None:
    raging = fighter("Ann", ["club"], STR="r12", talents={"rage": 1})
    session = duel(raging, FOE, mine={"stamina": 1, "endurance": 5})
    session.do("mars.encounter")
    session.choose("rage")
    session.choose("end_turn")  # no toll in the turn in which it began
    assert status(session).stamina == 1
    _next_turn_of_ann(session)
    session.choose("end_turn")
    assert session.question is not None
    session.choose("True")
    assert status(session).stamina == 0
    _next_turn_of_ann(session)
    session.choose("end_turn")
    assert status(session).endurance == 4  # no stamina: 1 damage that nothing prevents
    _next_turn_of_ann(session)
    session.choose("let_go")
    assert status(session).effects == ()


def _next_turn_of_ann(session: Session) -> None:
    assert session.seat == "bob"
    session.choose("end_turn")
    assert session.seat == "ann"


@pytest.mark.rule("mars.gap.recovery.stabilise", "mars.effect.dying")
def test_stabilising_a_neighbour() -> None:
    healer = fighter("Ann", INT="r12", skills={"medicine": "r6"})
    dying: dict[str, Any] = {
        "health": -3,
        "endurance": 0,
        "effects": (MarsEffect("dying", failures=2), MarsEffect("unconscious"), MarsEffect("prone")),
    }
    people = [
        place(healer, "party", (5, 5), who="ann"),
        place(HERO, "party", (6, 5), who="cid", **dying),
        place(FOE, "foes", (20, 20), who="bob"),
    ]
    session = session_with(people)
    act(session, "stabilise:cid", faces=[(5, 4)])  # r18: 9
    assert effect(session, "cid", "dying")
    assert status(session).turn.seconds == 2
    session = session_with(people)
    act(session, "stabilise:cid", faces=[(6, 4)])
    assert not effect(session, "cid", "dying")
    assert effect(session, "cid", "unconscious")
    assert status(session, "cid").health == -3
    untrained = [place(HERO, "party", (5, 5), who="ann"), *people[1:]]
    assert closed(session_with(untrained), "stabilise") == ("not trained in medicine", "mars.skill.complex_gate")
    far = [place(healer, "party", (9, 5), who="ann"), *people[1:]]
    assert closed(session_with(far), "stabilise")[1] == "mars.gap.recovery.stabilise"


def test_the_weapons_of_the_starter_pack_can_all_be_used() -> None:
    """Every weapon can be taken in hand and gives a way to attack, once a foe is near enough."""
    for weapon in library().of(Weapon):
        hold = f"{weapon.id}@{'hands' if weapon.features.two_handed else 'hand'}"
        natural = {"weapons": (weapon.id,)} if weapon.natural else {"hold": [hold]}
        pack = {weapon.ammunition: 5} if weapon.ammunition else {}
        session = duel(fighter("Ann", pack=pack, **natural), FOE)
        ways = [use for use in offered(session) if use.startswith(f"attack:bob:{weapon.id}")]
        assert len(ways) == 1 + (weapon.features.thrown is not None), weapon.id


def test_a_creature_attacks_as_printed() -> None:
    for name, row in LEDGER["mars.gap.creature.list"].data.items():
        creature = person(name)
        held = tuple([replace(one, place="hand") if one.place == "pack" else one for one in creature.belongings])
        scene = duel(creature.changed(belongings=held), FOE).scene
        me = now(scene, "ann")
        for weapon, (to_hit, damage) in row["attacks"].items():
            wielded = me.weapon(weapon)
            assert wielded is not None, weapon
            two_handed = wielded.weapon.features.two_handed
            held_right = wielded._replace(hands=2) if two_handed else wielded
            assert str(me.attack(held_right, held_right.manners[0]).value) == to_hit, (name, weapon)
            assert str(me.damage(held_right, held_right.manners[0]).value) == damage, (name, weapon)


def test_a_bystander_in_the_way_does_not_matter_together() -> None:
    people = [place(HERO, "party", None, who="ann"), place(FOE, "foes", None, who="bob", **STILL)]
    session = session_with(people, ground=Together())
    act(session, "attack:bob:club", faces=[(9, 4), (7,), (8, 3)])
    assert events(session, Hit)
    assert closed(session, "move") == ("there is nowhere to go", "mars.move.speed_modifiers")


def test_loot_of_a_fight_is_gathered() -> None:
    thrower = fighter("Ann", ["javelin"], DEX="r20")
    session = on_field(("ann", thrower, "party", (1, 1)), ("bob", FOE, "foes", (5, 1)))
    session = Session(
        replace(session.header, scene=session.scene.with_status("bob", stamina=0, endurance=0, health=1)),
        session.rulebook,
    )
    session.do("mars.encounter")
    session.choose("attack:bob:javelin/thrown")
    for faces in ((9, 9), (1,), (9, 6)):
        session.type_in(faces)
    assert session.scene.ended == "party win"
    assert [one.item for one in status(session).belongings] == ["javelin"]
