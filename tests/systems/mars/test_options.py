"""Every option of a table reaches the rules in a scene, in each of its values."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from systems.mars.fights import BOOK, act, duel, fighter, place, scene_with
from systems.mars.people import OPTIONS
from systems.playing import events, go, status
from tablewright.engine import Choice, Trace
from tablewright.game.play.common_events import Checked
from tablewright.game.session.policies import careful
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Turn

HERO = fighter("Ann", ["club"], DEX="r14")
FOE = fighter("Bob", ["small_shield"], ["padded"], RES="r10", kind="creature")
STILL: dict[str, Any] = {"stamina": 0}


def traces(session: Session, mechanic: str) -> list[Trace]:
    return [line for line in session.log if isinstance(line, Trace) and line.call.mechanic.name == mechanic]


@pytest.mark.rule("mars.defence.block_damage", "mars.damage.typeless", "mars.damage.half_double_stacking")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("half_double_mix", "multiply"),
        ("block_min_damage", 0),
        ("crit_ignores_block", True),
        ("typeless_ignores_block", False),
        ("advantage_die_choice", "lowest_die"),
        ("disadvantage_tie", "fewer_sides"),
        ("odd_roll_values", "even_plus_one"),
    ],
)
def test_options_reach_the_damage_of_an_attack(name: str, value: Any) -> None:
    session = duel(HERO, FOE, theirs=STILL, options=MarsOptions(**{name: value}))
    act(session, "attack:bob:club", faces=[(9, 4), (5,), (4, 4)])
    (rolled,) = traces(session, "mars.landed")
    assert rolled.call.named_arguments()[name] == value
    default = duel(HERO, FOE, theirs=STILL)
    act(default, "attack:bob:club", faces=[(9, 4), (5,), (4, 4)])
    assert traces(default, "mars.landed")[0].call.named_arguments()[name] == getattr(OPTIONS, name)


@pytest.mark.rule("mars.advantage.die_choice", "mars.advantage.disadvantage")
def test_the_roller_is_asked_which_die_to_reroll() -> None:
    options = MarsOptions(advantage_die_choice="ask", disadvantage_tie="ask")
    session = duel(HERO, FOE, theirs={**STILL, "effects": (MarsEffect("prone"),)}, options=options)
    session.do("mars.perform", who="ann", use="attack:bob:club")
    session.type_in((3, 1))
    question = session.question
    assert isinstance(question, Choice)
    assert (question.question, session.seat) == ("which die is rerolled", "ann")
    session.choose("d4:1")
    session.type_in((4,))
    session.type_in((5,))
    assert session.question is not None  # 7 against 5: a hit
    weak = duel(HERO, FOE, mine={"effects": (MarsEffect("blind"),)}, theirs=STILL, options=options)
    weak.do("mars.perform", who="ann", use="attack:bob:club")
    weak.type_in((4, 4))
    assert weak.seat == "ann"
    weak.choose("d10:4")


@pytest.mark.rule("mars.advantage.die_choice")
def test_a_table_asks_for_the_die_unless_it_says_otherwise() -> None:
    session = duel(fighter("Ann", STR="r14"), FOE, options=MarsOptions())
    session.do("table.check", who="ann", what="athletics", situation=["difficulty=11", "advantage=1"])
    session.type_in((6, 1))
    assert isinstance(session.question, Choice)
    assert (session.question.question, session.question.ids) == ("which die is rerolled", ("d4:1", "d10:6"))


@pytest.mark.rule("mars.advantage.die_choice")
@pytest.mark.parametrize(("faces", "best"), [((6, 1), "d10:6"), ((9, 1), "d4:1")])
def test_a_bot_rerolls_the_die_that_serves_its_roll(faces: tuple[int, int], best: str) -> None:
    session = duel(fighter("Ann", STR="r14"), FOE, options=MarsOptions(advantage_die_choice="ask"))
    session.do("table.check", who="ann", what="athletics", situation=["difficulty=11", "advantage=1"])
    session.type_in(faces)
    question = session.question
    assert isinstance(question, Choice)
    assert question.ids[careful(session, question)] == best  # of 6 and 1 only the d10 can reach 11


@pytest.mark.rule("mars.check.duration", "mars.action.extended")
@pytest.mark.parametrize(("seconds", "at_once"), [(2, True), (6, True), (7, False), (86_400, False)])
def test_time_of_complex_skills(seconds: int, at_once: bool) -> None:
    healer = fighter("Ann", skills={"medicine": "r4"})
    session = duel(healer, FOE, options=MarsOptions(complex_skill_seconds=seconds))
    faces = [(5, 4)] if at_once else []
    act(session, "use_skill", choices={"which skill": "which_skill::medicine"}, faces=faces)
    assert (status(session).work is None) is at_once


@pytest.mark.rule("mars.action.use_skill", "mars.check.outcomes", "mars.skill.combat")
@pytest.mark.parametrize(
    ("said", "faces", "result"),
    [
        ({"how hard": "easy"}, [(5, 2)], "success"),
        ({"how hard": "number", "which number": "14"}, [(9, 4)], "graze"),
        ({"how hard": ["advantage", "hard"]}, [(9, 4, 10)], "success"),
        (
            {"how hard": ["disadvantage", "circumstance", "absurd"], "which circumstance": "fear"},
            [(9, 4, 9)],
            "failure",
        ),
        ({"how hard": "target", "resisted": "WILL"}, [(9, 4), (2, 2)], "critical"),
    ],
)
def test_a_skill_in_a_fight_ends_in_a_degree(said: dict[str, Any], faces: list[tuple[int, ...]], result: str) -> None:
    session = duel(fighter("Ann", ["club"], DEX="r10", skills={"martial": "r4"}), FOE)
    act(session, "use_skill", choices={"which skill": "which_skill::martial", **said}, faces=faces)
    (checked,) = events(session, Checked)
    assert (checked.what, checked.result) == ("martial", result)
    assert checked.against == ("bob" if "resisted" in said else None)
    assert status(session).turn.seconds == 4  # like an attack, no complex skill


def test_options_are_saved_with_a_session() -> None:
    changed = {"defence_declaration": "after_attack_roll", "delay_persists": True, "skill_hard_cap": 30}
    options = MarsOptions.from_mapping(changed)
    assert options.changed() == changed
    people = [place(HERO, "party", (1, 1), who="ann", options=options), place(FOE, "foes", (2, 1), who="bob")]
    session = Session(SessionHeader("mars", "0.1.0", scene_with(people, options=options), 1), BOOK)
    session.do("mars.encounter")
    again = Session(session.header, BOOK, session.entries)
    assert again.scene == session.scene
    assert again.scene.options == options


def test_every_status_field_can_be_ruled() -> None:
    session = duel(HERO, FOE)
    for entry in fields(status(session)):
        present = getattr(status(session), entry.name)
        if type(present) is int:
            go(session, "table.rule", who="ann", field=entry.name, value=str(present + 1), reason="so be it")
            assert getattr(status(session), entry.name) == present + 1
    with_turn = replace(session.scene, turn="bob").with_status("bob", turn=Turn.begun(0))
    assert with_turn["bob"].status.turn.seconds == 6
