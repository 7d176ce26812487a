"""Those who have fallen and those who lie down, what a flip does, and what ends aiming and preparing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.opend6.fights import BOW, FOE, HERO, HIT, begin, meeting, needed, person, plan, ruled
from systems.playing import answer, asked
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.session import Session
from tablewright.systems.opend6.bots import rate, value
from tablewright.systems.opend6.prospects import prospect
from tablewright.systems.opend6.status import Defence, level
from tablewright.systems.opend6.values import DieCode

C = DieCode.parse
DYING = person(FOE, wounds={"level": "mortally_wounded"})


@pytest.mark.rule("opend6.gap.wound.adding")
@pytest.mark.parametrize(
    ("wounds", "after"),
    [({"level": "mortally_wounded"}, "dead"), ({"level": "incapacitated", "unconscious": 9}, "mortally_wounded")],
)
def test_a_character_who_has_fallen_can_still_be_struck(wounds: dict[str, Any], after: str) -> None:
    session = begin(HERO, person(FOE, wounds=wounds), FOE)
    answer(session, "1")
    found = {name.partition(":")[0] for name in asked(session) if ":b:" in name}
    assert found == {"slash", "punch", "kick"}  # there is nothing to trip, to disarm or to hold
    answer(session, "slash:b:short_sword", HIT, [2, 2, 2], [3, 3, 3])
    assert level(session.scene, "b") == after


@pytest.mark.rule("opend6.gap.wound.adding")
def test_the_dead_are_beyond_that() -> None:
    session = begin(HERO, person(FOE, wounds={"level": "dead"}), FOE)
    answer(session, "1")
    assert not [name for name in asked(session) if ":b:" in name]


@pytest.mark.rule("opend6.gap.defence.lasts", "opend6.gap.defence.passive")
def test_nobody_dodges_who_has_fallen() -> None:
    for foe, difficulty in ((FOE, 20), (DYING, 5)):
        ready = meeting(HERO, foe, FOE)
        dodging = ready.scene.with_status("b", defence=Defence(25, "dodge"))
        session = Session(replace(ready.header, scene=dodging), ready.rulebook)
        assert needed(session, "short_sword") == difficulty


@pytest.mark.rule("opend6.gap.encounter.end")
def test_bots_leave_the_fallen_alone() -> None:
    scene = begin(HERO, DYING, FOE).scene
    slash, stop = (rate(scene, "a", use) for use in (ActionUse("slash", "b", "short_sword"), ActionUse("stop")))
    assert slash.harm < stop.harm
    dead = scene.with_status("b", wounds=scene["b"].status.wounds.changed(level="dead"))
    assert value(scene, "a") == value(dead, "a")


# ---------------------------------------------------------------------- lying down


@pytest.mark.rule("opend6.gap.attack.circumstances", "opend6.gap.range.bands")
@pytest.mark.parametrize(("metres", "difficulty"), [(3, 3), (4, 4), (10, 4), (11, 21)])
def test_a_character_who_lies_down_is_easier_to_hit_up_to_short_range(metres: int, difficulty: int) -> None:
    session = begin(
        person(belongings=BOW),
        FOE,
        ground={"kind": "grid", "size": [40, 3]},
        places={"a": {"position": "0,1"}, "b": {"position": f"{metres},1"}},
    )
    ruled(session, "b", "posture", "prone")
    assert needed(session, "short_bow") == difficulty
    table = prospect(session.scene, "a", "b", "short_bow").promise.hits
    ruled(session, "b", "posture", "standing")
    assert (table > prospect(session.scene, "a", "b", "short_bow").promise.hits) is (metres <= 10)


@pytest.mark.rule("opend6.gap.manoeuvre.list", "opend6.fate.external_not_doubled")
@pytest.mark.parametrize("physique", ["2D", "5D"])
def test_a_flip_does_what_the_ground_does(physique: str) -> None:
    session = begin(person(attributes={"physique": physique}), FOE)
    found = plan(session, "unarmed/flip")
    assert (found.blow.damage, found.blow.weapon, found.blow.strength_bonus) == (C("0D"), C("3D"), 0)


# ---------------------------------------------------------------------- aiming and preparing


@pytest.mark.rule("opend6.gap.attack.aiming", "opend6.prepare.bonus")
@pytest.mark.parametrize("deed", ["aim:b", "prepare"])
@pytest.mark.parametrize(
    ("after", "kept"), [(("speak",), True), (("communicate",), False), (("posture::crouched",), True)]
)
def test_a_character_who_does_something_else_aims_and_prepares_no_more(
    deed: str, after: tuple[str, ...], kept: bool
) -> None:
    session = begin(person(belongings=BOW), FOE)
    answer(session, "1", deed, "1", "stop", "1", *after)
    status = session.scene["a"].status
    assert bool(status.aim or status.prepared) is kept


@pytest.mark.rule("opend6.gap.attack.aiming", "opend6.prepare.bonus")
@pytest.mark.parametrize("deed", ["aim:b", "prepare"])
def test_a_step_ends_aiming_and_takes_it_from_the_round(deed: str) -> None:
    places = {"a": {"position": "0,1"}, "b": {"position": "20,1"}}
    ground = {"kind": "grid", "size": [40, 3]}
    session = begin(person(belongings=BOW), FOE, ground=ground, places=places)
    answer(session, "1", "step:b")
    assert deed not in asked(session)
    other = begin(person(belongings=BOW), FOE, ground=ground, places=places)
    answer(other, "1", deed, "step:b")
    assert (other.scene["a"].status.aim, other.scene["a"].status.prepared) == (0, 0)


@pytest.mark.rule("opend6.map.zero_rule")
@pytest.mark.parametrize(("hurt", "goes"), [("wounded", True), ("incapacitated", False)])
def test_bots_who_cannot_strike_go_near_nobody(hurt: str, goes: bool) -> None:
    places = {"a": {"position": "0,1"}, "b": {"position": "20,1"}}
    feeble = person(skills={"melee_combat": "3D", "fighting": "3D"}, wounds={"level": hurt})
    session = begin(feeble, FOE, ground={"kind": "grid", "size": [40, 3]}, places=places)
    answer(session, "1")
    move, stop = (rate(session.scene, "a", use) for use in (ActionUse("move", "b"), ActionUse("stop")))
    assert (move.harm > stop.harm) is goes
