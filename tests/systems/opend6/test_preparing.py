"""Aiming and preparing: dice for a later roll, what ends them, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from systems.opend6.fights import BOW, FOE, MISS, begin, fact, field, person, pool
from systems.playing import answer, asked

READY = person(skills={"acrobatics": "4D", "jumping": "4D"})
ARCHER = person(READY, belongings=BOW)


@pytest.mark.rule("opend6.gap.attack.aiming", "opend6.prepare.bonus")
def test_aiming_gives_a_shot_a_die_and_takes_the_round_and_shots_are_not_prepared() -> None:
    for deed, dice in (("aim:b", "5D"), ("prepare", "4D")):
        session = answer(begin(ARCHER, FOE), "1", deed, "1", "stop", "1", "shoot:b:short_bow")
        assert pool(session) == dice
    assert "aim:b" not in asked(answer(begin(ARCHER, FOE), "2"))


@pytest.mark.rule("opend6.map.zero_rule", "opend6.gap.attack.aiming")
@pytest.mark.parametrize("rule", ["own_code_below_1d", "net_pool_below_1d"])
def test_dice_of_aiming_count_where_the_whole_pool_does(rule: str) -> None:
    archer = person(skills={"marksmanship": "3D"}, belongings=BOW, wounds={"level": "incapacitated"})
    session = begin(archer, FOE, options={"dice.zero_rule": rule}, statuses={"a": {"aim": 2, "aim_at": "b"}})
    answer(session, "1")
    assert ("shoot:b:short_bow" in asked(session)) is (rule == "net_pool_below_1d")


@pytest.mark.rule("opend6.prepare.bonus")
@pytest.mark.parametrize(
    ("deed", "dice"),
    [
        ("use_skill::acrobatics nobody total", "5D"),
        ("run_away", "4D"),
        ("vehicle_maneuver::charioteering", "4D"),
        ("catch::9", "5D"),
        ("dodge", "5D"),
        ("slash:b:short_sword", "5D"),
        ("punch:b:unarmed", "5D"),
    ],
)
def test_a_preparation_serves_every_roll(deed: str, dice: str) -> None:
    session = begin(READY, FOE)
    fact(session, "a", "vehicle", "9")
    fact(session, "a", "thrown", "9")
    answer(session, "1", "prepare", "1", "stop", "1", *deed.split())
    assert pool(session) == dice
    for _ in range(3 if deed.startswith(("slash", "punch")) else 1):  # the attack, the damage and the resistance
        answer(session, [4] * int(pool(session)[:-1]))
    assert session.scene["a"].status.prepared == 0


@pytest.mark.rule("opend6.prepare.bonus")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("slash:a:short_sword", MISS), ()),  # beset by blows, even where they miss
        (("stop",), ("1", "slash:b:short_sword", [1, 1, 1, 1, 1])),
        (("stop",), ("1", "dodge", [3, 3, 3, 3, 3])),
        (("stop",), ("2", "wait")),
    ],
)
def test_a_character_who_is_distracted_or_does_something_else_has_prepared_nothing(
    before: tuple[Any, ...], after: tuple[Any, ...]
) -> None:
    session = answer(begin(READY, FOE), "1", "prepare")
    assert session.scene["a"].status.prepared == 1
    answer(session, "1", *before)
    assert session.scene["a"].status.prepared == int(bool(after))
    answer(session, *after)
    assert session.scene["a"].status.prepared == 0


@pytest.mark.rule("opend6.gap.attack.aiming", "opend6.prepare.bonus")
@pytest.mark.parametrize(("deed", "held"), [("aim:b", "aim"), ("prepare", "prepared")])
def test_a_few_words_or_another_posture_distract_nobody_and_a_plan_or_a_step_does(deed: str, held: str) -> None:
    for after, kept in (("speak", 1), ("communicate", 0), ("posture::crouched", 1)):
        session = answer(begin(ARCHER, FOE), "1", deed, "1", "stop", "1", after)
        assert getattr(session.scene["a"].status, held) == kept
        if after == "speak":
            assert getattr(answer(session, deed).scene["a"].status, held) == 2
    apart = field(a="0,1", b="20,1")
    stepped = answer(begin(ARCHER, FOE, **apart), "1", "step:b")
    assert deed not in asked(stepped)
    later = answer(begin(ARCHER, FOE, **apart), "1", deed, "step:b")
    assert getattr(later.scene["a"].status, held) == 0
