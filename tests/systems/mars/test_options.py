"""Every option of a table reaches the rules in a scene, in each of its values."""

from __future__ import annotations

from typing import Any

import pytest

from systems.mars.fights import STILL, act, calls, duel, fighter
from systems.mars.people import OPTIONS
from systems.playing import events, status
from tablewright.engine import Choice
from tablewright.game.play.common_events import Checked
from tablewright.game.session.policies import careful
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.options import MarsOptions

HERO = fighter("Ann", ["club"], DEX="r14")
FOE = fighter("Bob", ["small_shield"], ["padded"], RES="r10", kind="creature")


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
    for options, expected in ((MarsOptions(**{name: value}), value), (OPTIONS, getattr(OPTIONS, name))):
        session = duel(HERO, FOE, theirs=STILL, options=options)
        act(session, "attack:bob:club", faces=[(9, 4), (5,), (4, 4)])
        (given,) = calls(session, "mars.landed")
        assert given[name] == expected


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
