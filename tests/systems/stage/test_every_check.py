"""Every check of an encounter and of care: who stands by may help with it, and powers can be announced for it."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import answer, events, go, status
from systems.stage.fights import act, asked, duel, offered, place, session_with
from systems.stage.people import OPTIONS, person, session_of, somebody
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import Facts
from tablewright.game.play.effects import OPEN_END, Effect
from tablewright.game.values import freeze
from tablewright.systems.stage.values import SCHOOLS

BY = (Effect("stands_by", OPEN_END, source="ann"),)


def scene_for(use: str, powers: tuple[str, ...] = (), level: int = 1) -> Any:
    """Ann, whom cat stands by, in a place where an action can be taken; bob is against them."""
    ann = somebody(level, powers=powers, has=["medicine_kit"])
    at = (5, 5) if use.startswith("pursue") else None
    rides: dict[str, Any] = {"rides": "horse"} if use == "control" else {}
    people = [
        place(ann, "party", at, who="ann", beside=("cat",) if at else (), ap=6, **rides),
        place(somebody(1), "party", at, who="cat", beside=("ann",) if at else (), lasting=BY, ap=3),
        place(somebody(1), "party", at, who="dan", stamina=1, vitality=1),
        place(somebody(1), "foes", (6, 5) if at else None, who="bob"),
        *([place(person("riding_horse"), "party", who="horse")] if use == "control" else []),
    ]
    facts = Facts().set("cover", "ann", "1/2") if use == "hide" else None
    return session_with(people, facts=facts)


ASSISTED = [
    ("tumble", 2),
    ("hide", 1),
    ("detect::projection", 3),
    ("pursue:bob", 3),
    ("control", 3),
    ("power::catstep", 2),
    ("power::rage", 1),
    ("power:bob:infuriate", 2),
]


@pytest.mark.rule("stage.check.assist")
@pytest.mark.parametrize(("use", "ap"), ASSISTED)
def test_a_character_who_stands_by_may_assist_any_check(use: str, ap: int) -> None:
    power = use.rpartition(":")[2] if use.startswith("power") else ""
    session = scene_for(use, (power,) if power else ())
    session.do("stage.perform", who="ann", use=use)
    asked = []
    while isinstance(session.question, Choice):
        asked.append(session.question.question)
        session.choose(
            "assist:ann" if session.question.question == "assist?" else session.question.ids[session.question.default]
        )
    assert "assist?" in asked
    assert status(session, "cat").ap == 3 - ap


ANNOUNCED = [
    ("tumble", "acrobat", [[1, 1]]),
    ("hide", "thief", [[6, 6], [1]]),
    ("bluff:bob", "thief", [[1], [1, 1]]),
    ("insult:bob", "manipulator", [[1], [1, 1]]),
    ("bully:bob", "gangster", [[1], [1, 1]]),
    ("pursue:bob", "athlete", [[6, 6], [1, 1]]),
    ("first_aid:dan", "physician", [[1, 1]]),
    ("detect::projection", "blaze", [[1, 1]]),
    ("control", "outdoorsman", [[1, 1]]),
]


@pytest.mark.rule("stage.power_effect.skill_die", "stage.power.announce", "stage.power.payment")
@pytest.mark.parametrize(("use", "power", "faces"), ANNOUNCED)
def test_a_power_can_be_announced_for_any_check(use: str, power: str, faces: list[list[int]]) -> None:
    session = scene_for(use, (power,))
    before = sum([getattr(status(session), track) for track in ("stamina", "intellect", "will")])
    act(session, use, faces=faces, choices={"announce a power?": f"announce::{power}"})
    spent = [event for event in events(session, "Spent") if event.who == "ann"]
    assert sum([amount for event in spent for _, amount in event.price.amounts]) == 1
    after = sum([getattr(status(session), track) for track in ("stamina", "intellect", "will")])
    assert before - after >= 1


@pytest.mark.rule("stage.power_effect.skill_die", "stage.opposed.basic")
def test_a_character_who_is_tricked_may_announce_a_power_too() -> None:
    session = duel(somebody(1), somebody(1, powers=("watchful",)))
    act(session, "bluff:bob", faces=[[1, 1], [2]], choices={"announce a power?": "announce::watchful"})
    assert (status(session, "bob").will, status(session, "bob").ap) == (7, 2)


@pytest.mark.rule("stage.power_effect.skill_die", "stage.athletics.climb", "stage.athletics.land")
def test_powers_for_hold_and_for_landing() -> None:
    ann = somebody(1, powers=("athlete",))
    session = duel(ann, somebody(1), facts=Facts().set("climbing", "ann", 4))
    act(session, "crouch", faces=[[2, 2]], choices={"announce a power?": "announce::athlete"})
    assert status(session).stance == "crouching"
    falling = session_of({"ann": ann})
    falling.do("stage.fall", who="ann", metres=10)
    answer(falling, "yes", "announce::athlete", [5], [2, 2])
    assert falling.scene["ann"].status.stamina == 8 - 1 - 1


@pytest.mark.rule("stage.power_effect.skill_die", "stage.power_effect.skill_level_flat", "stage.medicine.surgery")
def test_powers_and_helpers_in_surgery() -> None:
    doctor = somebody(3, name="Doc", powers=("physician", "infusers_touch"), has=["medicine_kit"])
    hurt = somebody(2, name="Pat")
    hurt = hurt.changed(wounds=hurt.wounds.changed(vitality=6))
    people = {"doc": doctor, "pat": hurt, "nurse": somebody(1, name="Nurse")}
    session = session_of(people)
    session.do("stage.surgery", healer="doc", patient="pat", helped_by=["nurse"])
    answer(session, "announce::physician+infusers_touch")
    assert asked(session).details["pool"] == 5
    answer(session, "4", "3", [2, 2, 2, 2], [4])
    assert session.scene["pat"].status.vitality == 16
    assert session.scene["doc"].status.stamina == 24 - 1
    assert session.scene["doc"].status.intellect == 24 - 2
    with pytest.raises(IllegalActionError, match="does not know Medicine"):
        session_of({**people, "nurse": somebody(agility=1)}).do(
            "stage.first_aid", healer="doc", patient="pat", helped_by=["nurse"]
        )


@pytest.mark.rule("stage.check.assist", "stage.encounter.flow")
def test_nobody_is_helped_by_the_dead() -> None:
    dead = somebody(2, name="Dead")
    dead = dead.changed(wounds=dead.wounds.changed(vitality=0, dead=True))
    session = session_of({"ann": somebody(2, name="Ann"), "dead": dead})
    with pytest.raises(IllegalActionError, match="can do nothing"):
        session.do("table.check", who="ann", what="guile.sneak", situation=["helped_by=dead"])


@pytest.mark.rule("stage.power_effect.substitute_skill", "stage.trap.spot")
def test_a_trap_is_seen_by_another_skill() -> None:
    scholar = somebody(academics=4, agility=1, perception=1, name="Ann", powers=("tactical_perception",))
    session = session_of({"ann": scholar})
    session.do("stage.trap", who="ann", kind="landmine")
    answer(session, "announce::tactical_perception", [1, 1, 2, 2])
    assert session.result is False
    assert session.scene["ann"].status.intellect == 3


# ---------------------------------------------------------------------- detecting magic


@pytest.mark.rule("stage.magic.app_detect", "stage.check.minimum", "stage.check.botch")
@pytest.mark.parametrize(("face", "fails", "found"), [(1, True, "nothing"), (1, False, "magic"), (3, True, "Ward")])
def test_magic_is_detected_without_a_level_too(face: int, fails: bool, found: str) -> None:
    options = OPTIONS.put("botch_fails", fails)
    ward = (Effect("ward", OPEN_END, by="bob", source="spell:ward"),)
    ann = somebody(agility=1, perception=1, academics=1)
    session = duel(ann, somebody(1), options=options, theirs={"lasting": ward})
    assert {f"detect::{school}" for school in SCHOOLS} <= set(offered(session))
    act(session, "detect::projection", faces=[[face]])
    assert events(session, "Checked")[-1].result.partition(" on ")[0] == found
    assert not [use for use in offered(duel(ann, ann, options=OPTIONS.put("magic", "off"))) if "detect" in use]


@pytest.mark.rule("stage.magic.app_detect")
def test_enchantments_are_magic_as_well() -> None:
    more = freeze({"enchantments": ["keen_edge"], "energy": {"vitality": 1}})
    bob = somebody(1).changed(belongings=(ItemStack("dagger", place="pack", more=more),))
    session = duel(somebody(1), bob)
    act(session, "detect::animation", faces=[[3]])
    assert events(session, "Checked")[-1].result == "Keen Edge in dagger on Somebody 2"
    act(duel(somebody(1), bob), "detect::psionics", faces=[[3]])


# ---------------------------------------------------------------------- moving in hiding


def hidden(*powers: str, **fields: Any) -> Any:
    ann = place(somebody(2, powers=powers), "party", (5, 5), who="ann", hidden=True, ambush=True)
    return session_with([ann, place(somebody(1), "foes", (8, 5), who="bob", **fields)])


@pytest.mark.rule("stage.guile.sneak", "stage.power_effect.normal_move_cost")
@pytest.mark.parametrize(("powers", "left"), [((), 1), (("stalker",), 2)])
def test_sneaking_doubles_what_a_move_costs(powers: tuple[str, ...], left: int) -> None:
    session = hidden(*powers)
    act(session, "move::6,5", faces=[[3, 3], [6]])
    assert status(session).ap == left


@pytest.mark.rule("stage.guile.sneak", "stage.opposed.basic")
@pytest.mark.parametrize(("face", "seen"), [(3, False), (4, True)])
def test_a_character_who_moves_in_hiding_may_be_noticed(face: int, seen: bool) -> None:
    session = hidden()
    act(session, "move::6,5", faces=[[1, 1], [face]])  # 2, and 2 cubes away
    assert session.scene["ann"].hidden is not seen
    assert status(session).ambush is not seen


@pytest.mark.rule("stage.guile.sneak", "stage.manipulation.distract")
def test_a_distracted_character_notices_nobody() -> None:
    session = hidden(lasting=(Effect("distracted", OPEN_END),))
    act(session, "move::6,5", faces=[[1, 1]])
    assert session.scene["ann"].hidden
    session = duel(somebody(1), somebody(1), apart=2)
    act(session, "move::6,5")  # who is seen anyway rolls nothing
    assert status(session).ap == 2


@pytest.mark.rule("stage.check.assist")
def test_it_is_asked_for_nothing_where_nobody_could() -> None:
    session = duel(somebody(1), somebody(1))
    go(session, "stage.perform", who="ann", use="tumble", faces=[[1]])
    assert not events(session, "Spent")
