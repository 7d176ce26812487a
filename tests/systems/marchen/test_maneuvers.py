"""Maneuvers in a fight: ground, advantages, defence, objectives, words, help for an ally."""

from __future__ import annotations

import pytest

from systems.marchen.fights import (
    SWORD,
    begun,
    closed,
    duel,
    fighter,
    objective,
    offered,
    on_a_line,
    parts,
    ruled,
    three,
)
from systems.playing import answer as go_on
from systems.playing import asked, status
from tablewright.engine.options import ClosedOption
from tablewright.game.character.belongings import ItemStack
from tablewright.systems.marchen.actions.index import ACTIONS
from tablewright.systems.marchen.actions.maneuvers import BODILY, CLEVER, FORCEFUL, best_of
from tablewright.systems.marchen.now import arms_of, attack_dm


@pytest.mark.rule("marchen.fight.control", "marchen.ounces.gain_ground", "marchen.ounces.secure_advantage")
def test_one_does_it_with_what_one_is_best_at() -> None:
    skills = {"athletics": 0, "acrobatics": 1, "stealth": 0, "insight": 1, "deception": 0}
    session = begun(duel(fighter("Ann", agility=2, skills=skills)))
    best = [best_of(session.scene, "ann", group) for group in (BODILY, CLEVER, FORCEFUL)]
    assert best == ["acrobatics", "acrobatics", "intimidation"]
    go_on(session, "gain_ground::position", [3, 2])  # 2 + 1 + 5
    assert [one.dm for one in status(session).nexts] == [1]


@pytest.mark.rule("marchen.ounces.gain_ground")
def test_ground_gained_helps_the_next_check_or_the_objective() -> None:
    for faces, dms in (([5, 4], [1]), ([6, 5], [2]), ([3, 4], [])):
        session = go_on(begun(duel()), "gain_ground::position", faces)
        assert [one.dm for one in status(session).nexts] == dms
    bridge = begun(duel())
    bridge.do("marchen.set_objective", name="the bridge", steps=2)
    go_on(bridge, "gain_ground::objective", [4, 4])
    begun_with = objective(bridge)
    assert (begun_with.of("party"), begun_with.taken_by) == (1, "")
    go_on(bridge, "hold", "gain_ground::position", [5, 4])  # Bob has his own ends
    assert [one.dm for one in status(bridge, "bob").nexts] == [1]
    assert objective(bridge) == begun_with
    go_on(bridge, "hold", "gain_ground::objective", [4, 4], "hold")
    assert (objective(bridge).of("party"), objective(bridge).taken_by) == (2, "party")
    assert "gain_ground::position" in asked(bridge)
    assert "gain_ground::objective" not in asked(bridge)  # it is won


@pytest.mark.rule("marchen.ounces.secure_advantage")
@pytest.mark.parametrize(("faces", "dm"), [([6, 5], 2), ([1, 3], -2)])
def test_an_advantage_is_the_sigma_for_the_next_check_of_oneself_or_a_friend(faces: list[int], dm: int) -> None:
    session = go_on(begun(duel(fighter("Ann", skills={"perception": 0}))), "secure_advantage:ann", faces)
    assert [one.dm for one in status(session).nexts] == [dm]
    sword = arms_of(session.scene, "ann")["sword"]
    assert attack_dm(session.scene, "ann", "bob", sword) == sword.base + dm


@pytest.mark.rule("marchen.ounces.take_defensive_action", "marchen.ounces.face_defeat")
def test_a_defensive_action_guards_and_takes_the_objective_until_it_is_lost() -> None:
    session = begun(duel())
    session.do("marchen.set_objective", name="the gate", steps=1)
    go_on(session, "take_defensive_action", [4, 4])
    taken = objective(session)
    assert taken.taken_by == "party"
    assert parts(session, "bob", "ann", "sword") == {"guarded": -1}
    go_on(session, "hold", "take_defensive_action", [4, 4, 4, 4])  # he has lost momentum
    assert objective(session) == taken  # what is taken stays taken
    go_on(session, "hold")
    assert parts(session, "bob", "ann", "sword") == {}  # until the next turn
    session.do("marchen.lose_objective", side="party")
    assert (objective(session).taken_by, objective(session).lost_by) == ("", ("party",))


@pytest.mark.rule("marchen.ounces.take_defensive_action", "marchen.ounces.gain_ground")
def test_an_objective_takes_its_steps_and_is_worth_taking() -> None:
    session = begun(duel())
    session.do("marchen.set_objective", name="the gate", steps=2)
    go_on(session, "take_defensive_action", [4, 4], "hold")
    assert (objective(session).taken_by, objective(session).of("party")) == ("", 0)  # it is still two steps away
    go_on(session, "hold", "gain_ground::objective", [4, 4], "hold", "hold", "take_defensive_action", [4, 4])
    assert objective(session).taken_by == "party"
    assert [(one.name, one.dm) for one in status(session).nexts] == [("the gate", 1)]
    assert status(session, "bob").hindered


@pytest.mark.rule("marchen.puncti.react_under_fire")
@pytest.mark.parametrize(
    ("faces", "control", "guarded", "dms"),
    [([4, 4], False, {"guarded": -1}, []), ([6, 5], True, {"guarded": -1}, []), ([3, 3], False, {}, [-1])],
)
def test_reacting_under_fire_guards_and_a_strong_success_brings_control(
    faces: list[int], control: bool, guarded: dict[str, int], dms: list[int]
) -> None:
    session = go_on(begun(duel(fighter("Ann", supply=0, treasure=0)), 3, 1), "react_under_fire", faces)
    assert status(session).in_control is control
    assert parts(session, "bob", "ann", "sword") == guarded
    assert [one.dm for one in status(session).nexts] == dms


@pytest.mark.rule("marchen.puncti.compel")
def test_compelling_takes_a_weak_foe_and_is_tried_but_once() -> None:
    assert closed(begun(duel()))["compel"] == "marchen.puncti.compel"
    assert "compel" in offered(ruled(begun(duel()), "bob", physical=6))
    won, kept = [begun(duel(fighter("Ann", skills={"intimidation": 0})), 6, 3) for _ in range(2)]
    assert not go_on(won, "compel:bob", [4, 4], [3, 4]).scene["bob"].present
    assert go_on(kept, "compel:bob", [3, 3], [3, 4], "hold", "hold").scene["bob"].present
    assert status(kept, "bob").compelled
    assert closed(kept)["compel"] == "marchen.puncti.compel"


@pytest.mark.rule("marchen.ounces.face_defeat")
def test_facing_defeat_takes_a_way_out_and_gives_the_objective_up() -> None:
    assert closed(begun(duel()))["face_defeat"] == "marchen.ounces.face_defeat"
    session = begun(duel())
    session.do("marchen.set_objective", name="the well", steps=2)
    ruled(session, "bob", hidden=True)  # no one that Ann knows of bars the way
    go_on(session, "face_defeat")
    assert objective(session).lost_by == ("party",)
    assert not session.scene["ann"].present
    winning = begun(duel())
    winning.do("marchen.set_objective", name="the well", steps=1)
    go_on(winning, "gain_ground::objective", [4, 4], "hold", "hold")
    ruled(winning, "bob", hidden=True)
    go_on(winning, "face_defeat")
    kept = objective(winning)
    assert (kept.taken_by, kept.lost_by) == ("party", ())  # what one has taken is not given up by going
    for metres, bars in ((1, True), (2, True), (3, False)):
        scene = on_a_line(begun(duel()), ann=20, bob=20 + metres)
        reasons = [one.reason for one in ACTIONS.options(scene, "ann") if isinstance(one, ClosedOption)]
        assert ("a foe in touch bars the way out" in reasons) is bars


@pytest.mark.rule("marchen.gap.casting.depths", "marchen.puncti.compel", "marchen.gap.fight.reactions")
@pytest.mark.parametrize(
    ("use", "faces"), [("cast_harm:ann:sense", [[4, 4], [1], [1, 1]]), ("compel:ann", [[1, 1], [6, 6]])]
)
def test_a_character_who_harms_or_threatens_from_hiding_is_seen(use: str, faces: list[list[int]]) -> None:
    session = duel(fighter("Ann"), fighter("Bob", skills={"arcana": 1, "intimidation": 0}))
    session.do("table.hide", who="bob")
    session.do("marchen.encounter")
    go_on(session, use, *faces)
    assert not session.scene["bob"].hidden


# ---------------------------------------------------------------------- help for an ally


@pytest.mark.rule("marchen.puncti.aid_your_ally", "marchen.skill.level_gates", "marchen.aid.helper_dm")
@pytest.mark.parametrize(
    ("skills", "more", "faces", "dm"),
    [
        ({"melee_combat": 4, "ranged_combat": 0}, {}, [2, 2], 1),
        ({"melee_combat": 4, "ranged_combat": 0}, {}, [1, 2], -1),  # the bow would fail either way
        ({"melee_combat": 2}, {}, [3, 3], 1),
        ({"melee_combat": 1}, {}, [], None),
        ({"melee_combat": 1, "athletics": 0}, {"special": 2, "muscle": 4}, [1, 1], 1),
        ({"melee_combat": 1}, {"special": 1}, [], None),
        ({"melee_combat": 2, "persuasion": 0}, {"social": 4, "personality": 4}, [3, 3], 1),
        ({"melee_combat": 1, "persuasion": 0}, {"social": 4, "personality": 4}, [], None),  # no one taught her words
    ],
)
def test_an_ally_is_aided_with_the_arms_that_are_known_well_enough(
    skills: dict[str, int], more: dict[str, int], faces: list[int], dm: int | None
) -> None:
    specials = [("melee_combat", "Broadsword", level) for name, level in more.items() if name == "special"]
    scores = {name: value for name, value in more.items() if name != "special"}
    held = (*SWORD, ItemStack("bow", 1, "hand"))
    able = fighter("Ann", skills=skills, specials=specials, belongings=held, **scores)
    session = three(able, fighter("Bob"), fighter("Cid"))
    session.do("marchen.encounter")
    go_on(session, [6, 6], [4, 4], [4, 4])
    assert closed(session).get("aid_your_ally") == ("marchen.skill.level_gates" if dm is None else None)
    if dm is not None:
        go_on(session, "aid_your_ally:cid", faces)
        assert [one.dm for one in status(session, "cid").nexts] == [dm]
