"""Two rules at once: a fall in the middle of a way, a knock-out while dying, rulings on numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import (
    BOOK,
    act,
    aimed,
    closed,
    duel,
    effect,
    fighter,
    offered,
    place,
    scene_with,
    session_with,
)
from systems.mars.people import alone, do, library, person, session_of, somebody
from systems.playing import events, status
from systems.playing import status as status_of
from tablewright.engine import Choice, Roll, Trace
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.scene import Scene
from tablewright.game.session.policies import POLICIES
from tablewright.game.session.session import Session, SessionHeader
from tablewright.game.values import Ranks
from tablewright.systems.mars.actions.aim import aim, defending
from tablewright.systems.mars.actions.move import _carried
from tablewright.systems.mars.bots import rate
from tablewright.systems.mars.character.record import MarsEffect, Wounds
from tablewright.systems.mars.events.attack import AttackDeclared, Hit, Missed
from tablewright.systems.mars.events.recovery import DayWentOn
from tablewright.systems.mars.events.turn import HandsChanged
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.sheet import sheet
from tablewright.systems.mars.status import Ready, fight

DOWN = (MarsEffect("unconscious"), MarsEffect("prone"))
DYING = (MarsEffect("dying"), *DOWN)
DUTY = {"martial": "r8", "medicine": "r4", "craft": "r4"}
HERO = fighter("Ann", ["mace"], skills=DUTY, maneuvers=("concussive_strike", "knock_down"))
STAFF = fighter("Ann", ["staff@hands"], skills={"martial": "r8"})
BOB = fighter("Bob", ["club"])


def modified(session: Session, what: str, value: int = 3, who: str | None = None) -> Session:
    """The game master adds a number to something."""
    session.do("table.modify", what=what, value=value, reason="a blessing", who=who)
    return session


def rolled(session: Session, mechanic: str) -> Any:
    """The arguments of the last roll of a mechanic."""
    traces = [line for line in session.log if isinstance(line, Trace) and line.call.mechanic.name == mechanic]
    return traces[-1].call.named_arguments()


@pytest.mark.rule("mars.advantage.sources")
@pytest.mark.parametrize(
    ("process", "given", "told"),
    [
        ("table.modify", {"what": "advantage", "value": 1, "reason": "high ground"}, "no rule reads a modifier of"),
        ("table.modify", {"what": "agilty", "value": 1, "reason": "high ground"}, 'did you mean "agility"'),
        ("table.set_fact", {"who": "ann", "fact": "high_ground", "value": "yes"}, "no rule reads the fact"),
        ("table.set_fact", {"who": "ann", "fact": "advantag", "value": "1"}, 'did you mean "advantage"'),
    ],
)
def test_unread_modifiers_are_refused(process: str, given: dict[str, Any], told: str) -> None:
    session = duel(HERO, BOB)
    with pytest.raises(InvalidInputError, match=told):
        session.do(process, **given)


@pytest.mark.rule("mars.advantage.sources", "mars.advantage.advantage")
@pytest.mark.parametrize(("fact", "value", "pair"), [("advantage", "2", (2, 0)), ("disadvantage", "rain", (0, 1))])
def test_the_game_master_grants_advantage_to_an_attack(fact: str, value: str, pair: tuple[int, int]) -> None:
    session = duel(HERO, BOB)
    session.do("table.set_fact", who="ann", other="bob", fact=fact, value=value)
    blow = aimed(session.scene)
    assert (blow.advantage, blow.disadvantage) == pair
    assert aimed(session.scene, "bob", "ann").advantage == 0
    session.do("table.set_fact", who="ann", other="bob", fact=fact)  # it is over
    assert aimed(session.scene).advantage == 0


@pytest.mark.rule("mars.advantage.sources")
@pytest.mark.parametrize(("what", "situation"), [("agility", ()), ("skill", ("name=agility",))])
def test_a_modifier_of_one_check_counts_under_either_name(what: str, situation: tuple[str, ...]) -> None:
    session = duel(HERO, BOB)
    session.do("table.check", who="ann", what=what, situation=situation, plus=3, because="a blessing")
    session.roll()
    assert rolled(session, "mars.check")["roll_value"].modifier == 3


# ---------------------------------------------------------------------- in the middle of a way


def passing(at: tuple[int, int] = (6, 10), ground: Grid | None = None) -> Session:
    """Bob is about to move from 5,10, and ann has waited to trip him."""
    people = [
        place(BOB, "foes", (5, 10), who="bob"),
        place(STAFF, "party", at, who="ann", ready=Ready("moves", "trip")),
    ]
    return session_with(people, turn="bob", ground=ground or Grid(size=(40, 40)))


def tripped(session: Session, *, resists: int, to: str = "5,16") -> Session:
    """Bob moves, and ann trips him at once; bob resists with a die."""
    faces = [(9, 8), (1,), (resists,), (1, 1, 1)]
    choices = {"where to?": f"destination::{to}", "is this": "go_ahead:bob:trip"}
    return act(session, "move", who="bob", faces=faces, choices=choices)


@pytest.mark.rule("mars.move.speed_modifiers", "mars.effect.prone")
def test_a_character_who_is_tripped_on_the_way_crawls_on() -> None:
    there = tripped(passing(), resists=10).scene["bob"].position
    assert there is not None
    assert there.y == 13  # half of 6 metres
    walked = passing()
    faces = [(1, 1), (10,)]
    choices = {"where to?": "destination::5,16", "is this": "go_ahead:bob:trip"}
    act(walked, "move", who="bob", faces=faces, choices=choices)
    assert walked.scene["bob"].position == cell(5, 16)


@pytest.mark.rule("mars.move.speed_modifiers", "mars.move.difficult_terrain")
def test_a_path_ends_where_the_current_speed_does() -> None:
    way = [cell(5, y) for y in range(10, 17)]

    def carried(ground: Grid | None = None, **changes: Any) -> int:
        scene: Scene = passing(ground=ground).scene.with_status("bob", **changes)
        return _carried(scene, "bob", way)

    halves = (MarsEffect("prone"), MarsEffect("halved_speed", until=9, turn_of="ann"), MarsEffect("blind"))
    assert carried() == 6
    assert carried(effects=halves[:1]) == 3
    assert carried(effects=halves[:2]) == 1
    assert carried(effects=halves) == 1  # a Move always covers 1 m
    assert carried(effects=halves[:1], ground=Grid(size=(40, 40), difficult=((cell(5, 12), 2),))) == 2
    assert carried(effects=(*halves, MarsEffect("overencumbered"))) == 0
    full = passing(at=(5, 13)).scene.with_status("bob", effects=halves[:1])
    assert _carried(full, "bob", way) == 2  # a character stands where the third metre ends


@pytest.mark.rule("mars.gap.maneuver.list", "mars.move.action")
def test_a_character_who_was_relieved_on_the_way_does_not_walk_into_the_other() -> None:
    guard = fighter("Ann", ["mace"], skills={"martial": "r4"}, maneuvers=("opportunity_strike",))
    people = [
        place(BOB, "foes", (9, 9), who="bob"),
        place(guard, "party", (10, 10), who="ann"),
        place(fighter("Cid", maneuvers=("intercept",), skills={"martial": "r4"}), "foes", (11, 12), who="cid"),
    ]
    session = session_with(people, turn="bob")
    choices = {
        "where to?": "destination::10,11",
        "react?": ["opportunity:bob:opportunity_strike/mace", "intercept:bob:intercept"],
    }
    act(session, "move", who="bob", faces=[(1, 1), (10,)], choices=choices)
    assert [str(session.scene[who].position) for who in ("bob", "cid")] == ["11,12", "10,11"]


@pytest.mark.rule("mars.gap.weapon.trip")
def test_a_trip_is_declared_with_its_rule_and_cost() -> None:
    (declared,) = events(tripped(passing(), resists=10), AttackDeclared)
    assert (declared.cause, declared.weapon, declared.stamina) == ("mars.gap.weapon.trip", "staff", 1)


# ---------------------------------------------------------------------- dying and awake


@pytest.mark.rule("mars.effect.unconscious", "mars.gap.talent.senses")
def test_a_character_who_stays_awake_while_dying_can_be_knocked_out() -> None:
    tough = fighter("Bob", RES="r14", talents=Ranks({"diehard": 1}))
    session = duel(HERO, tough, theirs={"health": -3, "endurance": 0, "effects": (MarsEffect("dying"),)})
    act(session, "maneuver:bob:concussive_strike/mace", faces=[(10, 8), (1, 1), (1, 1, 1), (1, 1)])
    assert not status(session, "bob").conscious
    assert effect(session, "bob", "dying") is not None  # still dying
    again = duel(HERO, tough, theirs={"health": -3, "endurance": 0, "effects": (MarsEffect("dying"),)})
    act(again, "attack:bob:mace", faces=[(10, 8), (1, 1), (1, 1)])
    assert status(again, "bob").conscious  # wounds alone do not do it


# ---------------------------------------------------------------------- what the game master adds


@pytest.mark.rule("mars.effect.dying", "mars.effect.sickness_end", "mars.concentration.break")
@pytest.mark.parametrize(
    ("what", "process", "mechanic", "arguments"),
    [
        ("FORT", "mars.hold_on", "mars.dying_check", {"who": "bob"}),
        ("FORT", "mars.fall_sick", "mars.check", {"who": "ann", "degree": 1, "resisted": True}),
        ("WILL", "mars.afflict", "mars.concentration", {"who": "ann", "effect": "stunned"}),
    ],
)
def test_numbers_of_the_game_master_count_in_what_is_endured(
    what: str, process: str, mechanic: str, arguments: dict[str, Any]
) -> None:
    names = {"mars.dying_check": "fortitude", "mars.check": "roll_value", "mars.concentration": "willpower"}
    found = []
    for value in (0, 3):
        session = session_of({"ann": HERO, "bob": BOB.changed(wounds=Wounds(health=-1, endurance=0, effects=DYING))})
        do(session, "mars.concentrate", who="ann", on="a song")
        session = modified(session, what, value) if value else session
        do(session, process, faces=[(10, 10), (10, 10)][: 2 if mechanic == "mars.dying_check" else 1], **arguments)
        found.append(rolled(session, mechanic)[names[mechanic]].modifier)
    assert found == [0, 3]


@pytest.mark.rule("mars.rest.treatment", "mars.gap.recovery.stabilise", "mars.gap.armour.repair")
@pytest.mark.parametrize("process", ["long_rest", "stabilise", "repair"])
def test_numbers_of_the_game_master_count_in_help_and_in_repair(process: str) -> None:
    hurt = Wounds(health=-1, endurance=0, effects=DYING) if process == "stabilise" else Wounds(health=3)
    worn = person("fighter").belongings
    battered = tuple([one if one.item != "small_shield" else type(one)(one.item, 1, "pack", 2) for one in worn])
    session = session_of({"ann": HERO.changed(belongings=battered), "bob": BOB.changed(wounds=hurt)})
    modified(session, "craft" if process == "repair" else "medicine", who="ann")
    how: dict[str, dict[str, Any]] = {
        "long_rest": {"who": ["bob"], "healer": "ann"},
        "stabilise": {"who": "bob", "healer": "ann"},
        "repair": {"who": "ann", "item": "small_shield", "workshop": True},
    }
    do(session, f"mars.{process}", faces=[(9, 2)], **how[process])
    assert str(rolled(session, "mars.check")["roll_value"]) == "r14+3"


@pytest.mark.rule("mars.maneuver.resist", "mars.attack.procedure", "mars.initiative.roll")
def test_numbers_of_the_game_master_count_by_whatever_is_rolled() -> None:
    session = duel(HERO, BOB)
    plain = aim(session.scene, "ann", now(session.scene, "ann").wielded[0], "melee", "bob").blow
    act(session, "maneuver:bob:knock_down/mace", faces=[(9, 8), (1,), (9, 9), (1, 1)])
    assert str(rolled(session, "mars.attack")["resist"]) == "r20"
    for what in ("FORT", "martial", "DEF", "EVA"):
        modified(session, what)
    blow = aim(session.scene, "ann", now(session.scene, "ann").wielded[0], "melee", "bob").blow
    assert blow.attack.modifier - plain.attack.modifier == 3 - 4  # an earlier attack
    both = [defending(session.scene, blow._replace(defence=how)).value.modifier for how in (None, "evade")]
    assert both == [3, 3]
    fresh = modified(duel(HERO, BOB), "FORT")
    act(fresh, "maneuver:bob:knock_down/mace", faces=[(9, 8), (1,), (9, 9), (1, 1)])
    assert str(rolled(fresh, "mars.attack")["resist"]) == "r20+3"


# ---------------------------------------------------------------------- the unconscious and the dead


@pytest.mark.rule("mars.effect.unconscious", "mars.concentration.break")
@pytest.mark.parametrize(
    ("process", "arguments"),
    [
        ("mars.concentrate", {"on": "a song"}),
        ("mars.find", {"item": "rope"}),
        ("mars.eat", {"meals": 1}),
        ("mars.fill", {}),
        ("table.check", {"what": "athletics"}),
        ("table.check", {"what": "medicine"}),
    ],
)
def test_the_unconscious_do_nothing_outside_fights_either(process: str, arguments: dict[str, Any]) -> None:
    asleep = Wounds(health=0, endurance=0, effects=DOWN)
    session = alone(person("magister", wounds=asleep))
    before = session.scene
    with pytest.raises(IllegalActionError, match="conscious"):
        session.do(process, who="ann", **arguments)
    assert session.scene == before


@pytest.mark.rule("mars.effect.unconscious", "mars.effect.dying")
def test_unconscious_characters_roll_what_happens_to_them() -> None:
    session = alone(person("magister", wounds=Wounds(health=0, endurance=0, effects=DOWN)))
    do(session, "table.check", who="ann", what="FORT", faces=[(5, 5)])
    do(session, "table.check", who="ann", what="perception", faces=[(5,)])  # a noise may be heard
    assert len([line for line in session.log if isinstance(line, Trace)]) == 2


@pytest.mark.rule("mars.advancement.spending", "mars.advancement.checkpoints")
@pytest.mark.parametrize(
    ("process", "arguments"),
    [
        ("advance", {"what": "skill", "name": "craft"}),
        ("checkpoint", {"stat": "STR"}),
        ("spend", {}),
        ("step_back", {}),
    ],
)
def test_the_dead_learn_nothing(process: str, arguments: dict[str, Any]) -> None:
    session = alone(person("magister", wounds=Wounds(dead=True), experience=60, opportunity=1))
    with pytest.raises(IllegalActionError, match="Fenn is dead"):
        session.do(f"mars.{process}", who="ann", **arguments)


@pytest.mark.rule("mars.effect.dying")
def test_the_sheet_says_who_is_dead() -> None:
    def states(**wounds: Any) -> list[str]:
        shown = sheet(person("fighter", wounds=Wounds(**wounds)), MarsOptions(), library())
        return [entry.label for entry in shown.sections[1].entries][4:]

    assert states(effects=DYING) == ["Dying", "Unconscious", "Prone"]
    assert states(effects=DYING, dead=True) == ["Dead"]


@pytest.mark.rule("mars.rest.treatment")
def test_a_character_who_is_not_hurt_needs_no_treatment() -> None:
    whole, hurt = person("fighter"), person("fighter", wounds=Wounds(health=5))
    session = session_of({"ann": person("magister"), "bob": whole, "cat": hurt})
    do(session, "mars.long_rest", who=["ann", "bob", "cat"], healer="ann", faces=[(9, 8)])
    assert [status_of(session, who).health for who in ("bob", "cat")] == [13, 7]
    assert ("cat", "wounds treated by Fenn") in [(line.who, line.what) for line in events(session, DayWentOn)]


@pytest.mark.rule("mars.check.group_action", "mars.skill.complex_gate")
def test_a_group_of_which_one_cannot_do_it_does_not_roll() -> None:
    session = session_of({"ann": person("magister"), "bob": person("fighter")})
    with pytest.raises(IllegalActionError, match="is not trained in Sleight"):
        session.do("mars.group_check", who=["ann", "bob"], skill="sleight")
    assert session.question is None
    dead = session_of({"ann": person("magister"), "bob": person("fighter", wounds=Wounds(dead=True))})
    for process in ("group_check", "compete_all"):
        with pytest.raises(IllegalActionError, match="is dead"):
            dead.do(f"mars.{process}", who=["bob", "ann"], skill="athletics")
    do(session, "mars.group_check", who=["ann", "ann", "bob"], skill="athletics", faces=[(9,), (9, 8)])  # each once


@pytest.mark.rule("mars.dice.passive_use")
@pytest.mark.parametrize(("option", "rolled_"), [("none", "r20+1"), ("all_npc", "r0+11")])
def test_an_attack_that_is_taken_up_again_is_rolled_as_it_would_have_been(option: Any, rolled_: str) -> None:
    options = MarsOptions(passive_rolls=option)
    people = [
        place(person("bandit"), "foes", (10, 10), who="bob", options=options),
        place(HERO, "party", (11, 10), who="ann", options=options, stamina=0),
    ]
    scene = scene_with(people, options=options)
    blow = aim(scene, "bob", now(scene, "bob").wielded[0], "melee", "ann").blow
    under_way = replace(scene, system_state=replace(fight(scene), incoming=(blow,)))
    session = Session(SessionHeader("mars", "0.1.0", under_way, 1), BOOK)
    session.do("mars.encounter")
    while isinstance(session.question, Roll) and not events(session, Missed) and not events(session, Hit):
        session.roll()
    assert str(rolled(session, "mars.attack")["attack"]) == rolled_


# ---------------------------------------------------------------------- in words


@pytest.mark.rule("mars.action.brandish", "mars.gap.fatigue.degrees", "mars.gap.talent.always_prepared")
def test_events_of_hands_and_meals_say_what_was_done() -> None:
    session = duel(fighter("Ann", pack={"crude_knife": 1}), BOB)
    act(session, "brandish")
    assert [line.what for line in events(session, HandsChanged)] == ["wields crude knife"]
    fed = do(alone(person("magister")), "mars.eat", who="ann", meals=1, litres=2)
    assert [line.what for line in events(fed, DayWentOn)] == ["1 meal, 2 litres"]
    do(fed, "mars.find", who="ann", item="rope")
    with pytest.raises(IllegalActionError, match="Fenn has used it once since"):
        fed.do("mars.find", who="ann", item="torch")


@pytest.mark.rule("mars.maneuver.improvise")
def test_improvised_maneuvers_say_their_cost() -> None:
    session = duel(BOB, HERO)
    session.do("mars.perform", who="ann", use="improvise")
    assert session.question is not None
    costs = {use.detail: use.cost_text for use in session.question.options}  # type: ignore[union-attr]
    assert costs["feint"] == "4 s, 3 stamina"
    assert costs["heavy_strike/club"] == "4 s, 2 stamina"
    assert costs["knock_down/club"] == "6 s, 2 stamina"


# ---------------------------------------------------------------------- throwing anything


def hurling(hero: Any, *, apart: int = 2, faces: Any = ((5, 5), (1,), (1, 1)), **how: Any) -> Session:
    """Ann throws what is in her hand at bob."""
    return act(duel(hero, BOB, apart=apart, **how), "hurl", faces=faces)


@pytest.mark.rule("mars.gap.weapon.improvised", "mars.gap.weapon.thrown")
@pytest.mark.parametrize(("apart", "range_"), [(1, 0), (2, 0), (3, -1), (4, -1), (5, -2), (20, -9)])
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
    far = duel(fighter("Ann", ["club"]), BOB, apart=21)
    assert closed(far, "hurl") == ("nobody is near enough", rule)
    for hold in ([], ["knife"], ["shortbow@hands"], ["crossbow@hands"], ["small_shield"]):
        session = duel(fighter("Ann", hold), BOB)
        assert closed(session, "hurl") == ("nothing in hand to throw", rule), hold
    wolf = place(person("wolf"), "party", (10, 10), who="ann")
    assert closed(session_with([wolf, place(BOB, "foes", (11, 10), who="bob")]), "hurl")[1] == rule


@pytest.mark.rule("mars.gap.weapon.improvised", "mars.attack.multiple_attack_penalty")
def test_to_throw_something_is_an_attack_like_others() -> None:
    session = duel(fighter("Ann", ["club", "mace"], skills={"martial": "r8"}), BOB)
    act(session, "attack:bob:club", faces=[(5, 5), (1,), (1, 1)])
    choices = {"throw what": "hurling:bob:mace"}
    act(session, "hurl", faces=[(5, 5), (1,), (1, 1)], choices=choices)
    assert events(session, AttackDeclared)[-1].blow.attack.modifier == -4
    assert status(session).turn.attacks == 2
    assert status(session).turn.seconds == 2


@pytest.mark.rule("mars.gap.weapon.improvised")
def test_bots_keep_what_they_fight_with() -> None:
    session = duel(fighter("Ann", ["mace"], skills={"martial": "r8"}), BOB, apart=5)
    assert "hurl" in offered(session)
    session.do("mars.encounter")
    assert isinstance(session.question, Choice)
    assert not session.question.ids[POLICIES["careful"](session, session.question)].startswith("hurl")
    assert not session.question.ids[POLICIES["best"](session, session.question)].startswith("hurl")
    thrown = rate(session.scene, "ann", ActionUse("hurling", "bob", "mace"))
    assert thrown.cost > thrown.harm > 0


# ---------------------------------------------------------------------- stepping in


def stepping_in(**cid: Any) -> Session:
    """Ann attacks bob, and cid, who stands beside him, is asked."""
    people = [
        place(fighter("Ann", ["mace"], skills={"martial": "r12"}), "party", (10, 10), who="ann"),
        place(fighter("Bob", ["club"], RES="r8"), "foes", (11, 10), who="bob"),
        place(fighter("Cid", **cid), "foes", (11, 11), who="cid"),
    ]
    session = session_with(people)
    session.do("mars.perform", who="ann", use="attack:bob:mace")
    return session


@pytest.mark.rule("mars.action.reaction")
def test_a_blow_that_is_let_be_costs_no_reaction() -> None:
    session = stepping_in(maneuvers=("intercept",), skills={"martial": "r4"})
    before = session.scene["cid"].status
    session.choose("let_be")
    after = session.scene["cid"].status
    assert (after.stamina, after.turn.reaction) == (before.stamina, True)


@pytest.mark.rule("mars.gap.maneuver.list", "mars.gap.fight.map")
def test_nobody_steps_in_where_a_character_stands_over_the_fallen() -> None:
    guard = fighter("Cid", maneuvers=("intercept",), skills={"martial": "r4"})
    for over, asked in (((11, 10), False), ((12, 11), True)):
        people = [
            place(HERO, "party", (10, 10), who="ann"),
            place(BOB, "foes", (11, 10), who="bob", effects=DOWN, health=0, endurance=0),
            place(guard, "foes", (11, 11), who="cid"),
            place(BOB, "party", over, who="dan"),
        ]
        session = session_with(people)
        session.do("mars.perform", who="ann", use="attack:bob:mace")
        assert (session.seat == "cid") is asked
        assert isinstance(session.question, Choice) is asked


@pytest.mark.rule("mars.gap.maneuver.list", "mars.defence.parry")
def test_bots_step_in_where_it_spares_more_than_it_costs() -> None:
    strong: dict[str, Any] = {"hold": ["buckler"], "wear": ["chainmail"], "STR": "r12", "maneuvers": ("intercept",)}
    session = stepping_in(skills={"martial": "r4"}, **strong)
    assert session.seat == "cid"
    assert isinstance(session.question, Choice)
    use = ActionUse("intercept", "bob", "intercept")
    promise = rate(session.scene, "cid", use)
    assert promise.safety > promise.cost == 200  # stamina and the reaction
    assert session.question.ids[POLICIES["careful"](session, session.question)] == use.id
    weak = stepping_in(RES="r8")
    assert rate(weak.scene, "cid", use).cost == 300  # improvised
    assert rate(weak.scene, "cid", use).safety < 300
    assert isinstance(weak.question, Choice)
    assert weak.question.ids[POLICIES["careful"](weak, weak.question)] == "let_be"


@pytest.mark.rule("mars.gap.weapon.stray_shot", "mars.attack.multiple_attack_penalty")
def test_both_arrows_of_a_double_shot_go_astray_as_they_were_shot() -> None:
    archer = fighter("Ann", ["shortbow@hands"], pack={"arrow": 5}, skills={"ranged": "r4"}, maneuvers=("double_shot",))
    people = [
        place(archer, "party", (1, 1), who="ann"),
        place(BOB, "foes", (9, 1), who="bob", stamina=0),
        place(BOB, "foes", (9, 5), who="eve", stamina=0),
        place(BOB, "party", (10, 1), who="cid", stamina=0),
        place(BOB, "party", (10, 5), who="dan", stamina=0),
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


@pytest.mark.rule("mars.dice.odd_values", "mars.dice.passive_use")
@pytest.mark.parametrize(("odd", "expected"), [("literal", 5), ("even_plus_one", 6)])
def test_the_passive_value_of_an_odd_roll_value_follows_its_reading(odd: Any, expected: int) -> None:
    options = MarsOptions(odd_roll_values=odd, passive_rolls="npc_defence", helpless_defence="passive")
    beast = somebody("Beast", RES="r11")
    for effects in ((), DOWN):
        people = [
            place(HERO, "party", (10, 10), who="ann", options=options),
            place(beast, "foes", (11, 10), who="bob", options=options, effects=effects),
        ]
        scene = scene_with(people, options=options)
        blow = aim(scene, "ann", now(scene, "ann").wielded[0], "melee", "bob").blow
        assert str(defending(scene, blow).value) == f"r0+{expected}"
    asked = session_of({"ann": beast}, options)
    do(asked, "table.check", who="ann", what="RES", situation=["passive=yes"], faces=[()])
    assert str(rolled(asked, "mars.check")["roll_value"]) == f"r0+{expected}"
