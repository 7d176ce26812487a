"""Fights by the ounce: who enters how, what may be done in which position, and what it does to the scene."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.fights import SWORD, begun, closed, duel, fighter, offered, parts, ruled
from systems.marchen.people import book, data, done, followed, library, template, together
from systems.playing import answer as go_on
from tablewright.engine import Choice, Roll, odds
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.game import Game
from tablewright.systems.marchen.actions.attack import hit_chances, reactions_to, ready
from tablewright.systems.marchen.actions.maneuvers import BODILY, CLEVER, FORCEFUL, best_of
from tablewright.systems.marchen.character.figures import handling
from tablewright.systems.marchen.content import Assault, Weapon
from tablewright.systems.marchen.mechanics.harm import SUCCEEDED
from tablewright.systems.marchen.now import (
    advantage_now,
    arms_of,
    attack_dm,
    attack_tally,
    body,
    hurt_anywhere,
    readied,
    skill_total,
)
from tablewright.systems.marchen.status import UnderWay, chronicle
from tablewright.systems.marchen.values import SKILLS

STRUCK, STRUCK_BACK = UnderWay("ann", "bob", "sword", "strike"), UnderWay("bob", "ann", "sword", "strike")


# ---------------------------------------------------------------------- positions


@pytest.mark.rule("marchen.puncti.enter_the_fray", "marchen.fight.control")
def test_positions_and_order_follow_from_entering() -> None:
    session = begun(duel(fighter("Ann"), fighter("Bob", agility=1)), 3, 4)
    ann, bob = session.scene["ann"].status, session.scene["bob"].status
    assert (ann.effect, ann.in_control, bob.effect, bob.in_control) == (-2, False, 1, True)
    assert session.scene.order == ("bob", "ann")
    equal = begun(duel(fighter("Ann"), fighter("Bob", agility=1)), 4, 4)
    assert equal.scene.order == ("bob", "ann")
    tied = duel(fighter("Ann"), fighter("Bob", agility=2))
    tied.do("marchen.encounter")
    go_on(tied, [4, 4], [3, 3])
    assert tied.scene.order == ("bob", "ann")  # both at 0: the more agile one acts first


@pytest.mark.rule("marchen.puncti.enter_the_fray")
def test_a_costly_entry_loses_the_first_round() -> None:
    session = duel()
    session.do("marchen.encounter")
    go_on(session, [1, 2], [3, 3])
    assert session.scene["ann"].status.loses_round
    go_on(session, "hold")
    assert (session.scene.round, session.scene.turn) == (2, "bob")
    go_on(session, "hold")
    assert session.scene.turn == "ann"


@pytest.mark.rule("marchen.fight.control")
def test_open_actions_by_position() -> None:
    said = data("marchen.fight.control")
    control = begun(duel())
    assert set(said["in_control"]) <= set(offered(control))
    assert not set(said["bad_spot"]) & set(offered(control))
    assert closed(control)["clash"] == "marchen.fight.control"
    spot = begun(duel(), 3, 1)
    assert set(said["bad_spot"]) <= set(offered(spot))
    assert not set(said["in_control"]) & set(offered(spot))
    with pytest.raises(InvalidInputError):
        spot.choose("strike:bob:sword")
    live = Game(spot.scene, book())
    with pytest.raises(IllegalActionError, match="bad spot") as refused:
        book().actions.check(live.scene, "ann", ActionUse("strike", "bob", "sword"))
    assert refused.value.rule == "marchen.fight.control"


@pytest.mark.rule("marchen.gap.fight.surprise")
def test_the_surprised_are_in_a_bad_spot_and_lose_the_round() -> None:
    session = duel()
    session.do("table.hide", who="bob")
    session.do("marchen.encounter")
    ann, bob = session.scene["ann"].status, session.scene["bob"].status
    assert (ann.in_control, ann.loses_round, bob.in_control, bob.effect) == (False, 1, True, 4)
    assert session.scene.turn == "bob"
    assert reactions_to(session.scene, STRUCK_BACK, arms_of(session.scene, "bob")["sword"]) == (0, 0)


@pytest.mark.rule("marchen.time.combat_actions")
def test_a_turn_has_one_significant_and_one_minor_action_or_three_minor_ones() -> None:
    session = go_on(begun(duel()), "aim", "aim")
    assert "strike" not in offered(session)
    assert closed(session)["strike"] == "marchen.time.combat_actions"
    go_on(session, "aim")
    assert session.scene.turn == "bob"
    acted = go_on(begun(duel()), "gain_ground::position", [4, 4])
    assert "aim" in offered(acted)
    assert closed(acted)["strike"] == "marchen.time.combat_actions"
    assert go_on(acted, "aim").scene.turn == "bob"


@pytest.mark.rule("marchen.time.combat_round")
@pytest.mark.parametrize(("length", "ticks"), [("ounce", 60), ("six_seconds", 48)])
def test_a_round_takes_its_time(length: str, ticks: int) -> None:
    session = go_on(begun(duel(combat_round=length)), "hold", "hold")
    assert (session.scene.round, session.scene.clock.now) == (2, ticks)


@pytest.mark.rule("marchen.gap.fight.end")
def test_a_fight_is_over_when_one_side_is_left() -> None:
    session = go_on(begun(duel()), "surrender")
    assert session.scene.ended == "foes win"
    assert not session.scene["ann"].present
    down = ruled(begun(duel()), "bob", down=True)
    assert go_on(down, "hold").scene.ended == "party win"


# ---------------------------------------------------------------------- blows


@pytest.mark.rule("marchen.ounces.strike")
def test_a_strike_hurts_and_a_bad_one_costs_the_initiative() -> None:
    session = go_on(begun(duel()), "strike:bob:sword", "none", [4, 4], [2, 2, 2], [1, 2])
    assert (session.scene["bob"].status.physical, session.scene["ann"].status.in_control) == (6, True)
    styled = go_on(begun(duel()), "strike:bob:sword", "none", [4, 3])
    assert styled.scene["ann"].status.in_control  # Fail in Style keeps the position
    minor = go_on(begun(duel()), "strike:bob:sword", "none", [3, 3])
    assert not minor.scene["ann"].status.in_control
    costly = go_on(begun(duel()), "strike:bob:sword", "none", [1, 2], [2, 2, 2], [1, 2])
    assert (costly.scene["ann"].status.physical, costly.scene["ann"].status.in_control) == (6, False)
    assert costly.scene["ann"].status.belongings[0].left is None


@pytest.mark.rule("marchen.ounces.strike")
def test_a_catastrophic_strike_costs_a_condition_of_the_weapon() -> None:
    session = go_on(begun(duel()), "strike:bob:sword", "none", [1, 1], [1, 1, 1], [1, 2])
    assert session.scene["ann"].status.belongings[0].left == 3
    assert arms_of(session.scene, "ann")["sword"].base == -1


@pytest.mark.rule("marchen.gap.fight.reactions")
def test_reactions_are_asked_for_and_cost_until_the_next_turn() -> None:
    ready = fighter("Bob", skills={"melee_combat": 2}, belongings=(*SWORD, ItemStack("shield", 1, "hand")))
    session = go_on(begun(duel(bob=ready)), "strike:bob:sword")
    assert isinstance(session.question, Choice)
    assert session.question.ids == ("none", "dodge", "parry")
    scene = session.scene
    assert reactions_to(scene, STRUCK, arms_of(scene, "ann")["sword"]) == (1, 3)
    go_on(session, "parry", [4, 4])
    assert session.scene["bob"].status.reactions == 1
    before = arms_of(session.scene, "bob")["sword"].base
    assert attack_dm(session.scene, "bob", "ann", arms_of(session.scene, "bob")["sword"]) == before - 1
    go_on(session, "hold")
    assert session.scene["bob"].status.reactions == 0  # his own turn has come


@pytest.mark.rule("marchen.gap.fight.reactions")
def test_characters_who_cannot_dodge_or_parry() -> None:
    scene = begun(duel()).scene
    sword = arms_of(scene, "ann")["sword"]
    assert reactions_to(scene, STRUCK, sword) == (1, 0)  # level 0 takes nothing off
    session = ruled(duel(), "bob", stance="prone")
    assert reactions_to(session.scene, STRUCK, sword) == (0, 0)
    session = duel()
    session.do("table.set_fact", who="bob", fact="cover_near", value="yes")
    assert reactions_to(session.scene, STRUCK, sword)[0] == 2
    for trouble in ("down", "surprised"):
        assert reactions_to(ruled(duel(), "bob", **{trouble: True}).scene, STRUCK, sword) == (0, 0)
    unseen = duel()
    unseen.do("table.hide", who="ann")
    assert reactions_to(unseen.scene, STRUCK._replace(unseen=True), sword) == (0, 0)
    speaker = duel(fighter("Ann", skills={"persuasion": 1}), fighter("Bob", skills={"melee_combat": 3}))
    assert reactions_to(speaker.scene, STRUCK, arms_of(speaker.scene, "ann")["snub"]) == (
        0,
        0,
    )


@pytest.mark.rule("marchen.ounces.clash")
def test_a_clasher_who_wins_is_in_control() -> None:
    session = go_on(begun(duel(), 3, 1), "clash:bob:sword", [4, 4], [1, 2], [2, 2, 2], [1, 2])
    assert (session.scene["bob"].status.physical, session.scene["ann"].status.in_control) == (6, True)
    lost = go_on(begun(duel(), 3, 1), "clash:bob:sword", [1, 2], [4, 4], [2, 2, 2], [1, 2])
    assert (lost.scene["ann"].status.physical, lost.scene["ann"].status.in_control) == (6, False)


@pytest.mark.rule("marchen.ounces.turn_the_tide")
def test_the_tide_is_turned_with_a_dm_and_but_once() -> None:
    session = go_on(begun(duel(), 3, 2), "turn_the_tide:bob:sword", "none", [4, 3], [2, 2, 2], [1, 2])
    assert session.scene["ann"].status.in_control
    assert session.scene["bob"].status.physical == 6  # 7 + 1: a tie
    assert session.scene["ann"].status.turned
    again = ruled(begun(duel(), 3, 2), "ann", turned=True)
    assert closed(again)["turn_the_tide"] == "marchen.ounces.turn_the_tide"


@pytest.mark.rule("marchen.puncti.end_the_fight")
def test_ending_the_fight_takes_a_hurt_foe_and_risks_the_position() -> None:
    assert closed(begun(duel()))["end_the_fight"] == "marchen.puncti.end_the_fight"
    hurt = ruled(begun(duel()), "bob", physical=6)
    go_on(hurt, "end_the_fight:bob:sword", "flees", "none", [6, 5], [1, 1, 1], [1, 2], [4, 4])
    assert not hurt.scene["bob"].present
    assert hurt.scene.ended == "party win"
    weak = ruled(begun(duel()), "bob", physical=6)
    go_on(weak, "end_the_fight:bob:sword", "flees", "none", [4, 4], [1, 1, 1], [1, 2])
    assert weak.scene["bob"].present
    assert not weak.scene["ann"].status.in_control


@pytest.mark.rule("marchen.gap.threshold.hurt")
def test_being_hurt_hampers_checks_of_that_aspect() -> None:
    session = begun(duel())
    sword = arms_of(session.scene, "ann")["sword"]
    dms = [attack_dm(ruled(session, "ann", physical=damage).scene, "ann", "bob", sword) for damage in (5, 6)]
    assert dms == [0, -1]
    assert [hurt_anywhere(session.scene, who) for who in ("ann", "bob")] == [True, False]


@pytest.mark.rule("marchen.gap.assault.levels")
def test_assaults_take_levels_in_the_skill_itself() -> None:
    def dice(**skills: int) -> dict[str, int]:
        one = fighter("Ann", skills=skills, specials=[(next(iter(skills)), "Deep", 3)])
        scene = duel(one).scene
        return {arms.id: arms.dice for arms in arms_of(scene, "ann").values() if arms.aspect != "physical"}

    assert dice(persuasion=0) == {"snub": 1}
    assert dice(persuasion=1) == {"snub": 1}
    assert dice(persuasion=2) == {"public_insult": 2}
    assert dice(theurgy=3) == {"damnation": 3}
    assert dice(intimidation=2) == {"public_insult": 2, "terror": 2}
    said = data("marchen.gap.assault.levels")["dice"]
    library = duel().scene.library
    assert {one.id: one.dice for one in library.of(Assault)} == said


@pytest.mark.rule("marchen.gap.assault.levels", "marchen.check.skill")
def test_an_assault_is_a_check_of_its_skill_and_nothing_else() -> None:
    gifted = fighter("Ann", social=1, personality=2, muscle=3, skills={"persuasion": 1, "etiquette": 1, "deception": 0})
    arms = arms_of(duel(gifted, fighter("Bob", skills={"persuasion": 0})).scene, "ann")["snub"]
    assert [(label, value) for label, value, _ in arms.parts] == [("social", 1), ("personality", 2), ("Persuasion", 1)]
    assert (arms.skill, arms.base, arms.plus, arms.reach, arms.band) == ("persuasion", 4, 0, 0, "catch")
    assert (arms.melee, arms.thrown, arms.reload, arms.parries, arms.item) == (False, False, False, False, "")
    plain = arms_of(duel(bob=fighter("Bob", skills={"deception": 0, "etiquette": 0})).scene, "bob")["snub"]
    assert (plain.skill, plain.base, plain.parts) == ("deception", 0, ())  # of equals the first that is listed


@pytest.mark.rule("marchen.gap.assault.levels", "marchen.interrupted.face_depression")
def test_words_hurt_the_social_aspect() -> None:
    ann = fighter("Ann", skills={"persuasion": 1})
    session = ruled(begun(duel(ann)), "bob", social=9)
    go_on(session, "strike:bob:snub", [4, 3], [5], [1, 2], [3, 3])
    status = session.scene["bob"].status
    assert (status.social, status.down, status.physical) == (14, True, 0)
    assert [one.aspect for one in status.conditions] == ["social"]
    assert not status.dying


# ---------------------------------------------------------------------- facing the end


@pytest.mark.rule("marchen.interrupted.face_death", "marchen.gap.face.outcomes")
def test_facing_death_costly_leaves_a_scar_and_little_time() -> None:
    session = ruled(begun(duel(bob=fighter("Bob", muscle=1))), "bob", physical=13)
    go_on(session, "strike:bob:sword", "none", [4, 4], [1, 1, 1], [1, 2], [2, 1])
    bob = session.scene["bob"]
    assert (bob.status.down, bob.status.conscious, bob.status.dying) == (True, False, "puncti")
    assert [(one.what, one.value) for one in bob.character.changes] == [("muscle", -1)]
    assert session.scene.clock.left("dies", who="bob") == 15 * 60 * 8
    session.do("table.pass_time", amount="1 puncti")
    assert session.scene["bob"].status.fate == "dead"


@pytest.mark.rule("marchen.gap.face.outcomes")
@pytest.mark.parametrize(
    ("faces", "physical", "weight", "down"),
    [
        ((4, 4), 15, 2, False),
        ((5, 4), 15, 1, False),
        ((6, 5), 12, 0, False),
        ((6, 6), 12, 0, False),
        ((4, 3), 15, 0, True),
    ],
)
def test_other_ends_of_facing_death(faces: tuple[int, int], physical: int, weight: int, down: bool) -> None:
    session = ruled(begun(duel()), "bob", physical=12)
    go_on(session, "strike:bob:sword", "none", [4, 4], [1, 1, 1], [1, 2], faces)
    status = session.scene["bob"].status
    assert (status.physical, status.weight.get("physical", 0), status.down) == (physical, weight, down)
    if weight:
        sword = arms_of(session.scene, "bob")["sword"]
        assert attack_dm(session.scene, "bob", "ann", sword) == -1 - weight  # hurt as well


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_the_end_of_each_aspect() -> None:
    for aspect, fate in {"mental": "mind gone", "spiritual": "soul lost", "physical": "dead"}.items():
        session = together(fighter("Ann"))
        done(session, "hurt", [6, 6, 6, 6, 1, 2], who="ann", dice=4, aspect=aspect)
        assert session.scene["ann"].status.fate == fate
    outcast = together(fighter("Ann", connections={"uncle": 3, "cousin": -3}))
    done(outcast, "hurt", [6, 6, 6, 6, 1, 2], who="ann", dice=4, aspect="social")
    character = outcast.scene["ann"].character
    assert outcast.scene["ann"].status.fate == "outcast"
    assert dict(character.connections) == {"uncle": 1, "cousin": -4}
    assert [(one.what, one.value) for one in character.changes] == [("social", -2)]


@pytest.mark.rule("marchen.interrupted.face_duress", "marchen.interrupted.face_desolation")
@pytest.mark.parametrize("aspect", ["mental", "spiritual"])
def test_the_aspect_concerned_is_what_is_checked(aspect: str) -> None:
    session = ruled(together(fighter("Ann", **{aspect: 2})), "ann", **{aspect: 14})
    done(session, "hurt", [1, 1, 2, 3, 3], who="ann", dice=1, aspect=aspect)  # 15 of 14; 6 + 2 is a tie
    assert session.scene["ann"].status.weight[aspect] == 2


# ---------------------------------------------------------------------- stunts


@pytest.mark.rule("marchen.ounces.gain_ground")
def test_ground_gained_helps_the_next_check_or_the_objective() -> None:
    session = go_on(begun(duel()), "gain_ground::position", [5, 4])
    assert [one.dm for one in session.scene["ann"].status.nexts] == [1]
    strong = go_on(begun(duel()), "gain_ground::position", [6, 5])
    assert [one.dm for one in strong.scene["ann"].status.nexts] == [2]
    failed = go_on(begun(duel()), "gain_ground::position", [3, 4])
    assert failed.scene["ann"].status.nexts == ()
    bridge = begun(duel())
    bridge.do("marchen.set_objective", name="the bridge", steps=2)
    go_on(bridge, "gain_ground::objective", [4, 4])
    objective = chronicle(bridge.scene).objective
    assert objective is not None
    assert (objective.of("party"), objective.taken_by) == (1, "")
    go_on(bridge, "hold", "gain_ground::position", [5, 4])  # Bob has his own ends
    assert [one.dm for one in bridge.scene["bob"].status.nexts] == [1]
    assert chronicle(bridge.scene).objective == objective
    go_on(bridge, "hold", "gain_ground::objective", [4, 4], "hold")
    taken = chronicle(bridge.scene).objective
    assert taken is not None
    assert (taken.of("party"), taken.taken_by) == (2, "party")
    assert isinstance(bridge.question, Choice)
    assert "gain_ground::position" in bridge.question.ids
    assert "gain_ground::objective" not in bridge.question.ids  # it is won


@pytest.mark.rule("marchen.ounces.secure_advantage")
def test_an_advantage_is_the_sigma_for_the_next_check_of_oneself_or_a_friend() -> None:
    session = go_on(begun(duel(fighter("Ann", skills={"perception": 0}))), "secure_advantage:ann", [6, 5])
    assert [one.dm for one in session.scene["ann"].status.nexts] == [2]
    unarmed = arms_of(session.scene, "ann")["sword"]
    plain = unarmed.base
    assert attack_dm(session.scene, "ann", "bob", unarmed) == plain + 2
    bad = go_on(begun(duel(fighter("Ann", skills={"perception": 0}))), "secure_advantage:ann", [1, 3])
    assert [one.dm for one in bad.scene["ann"].status.nexts] == [-2]


@pytest.mark.rule("marchen.ounces.take_defensive_action")
def test_a_defensive_action_guards_and_takes_the_objective() -> None:
    session = begun(duel())
    session.do("marchen.set_objective", name="the gate", steps=1)
    go_on(session, "take_defensive_action", [4, 4])
    objective = chronicle(session.scene).objective
    assert objective is not None
    assert objective.taken_by == "party"
    assert parts(session, "bob", "ann", "sword") == {"guarded": -1}
    go_on(session, "hold", "take_defensive_action", [4, 4, 4, 4])  # he has lost momentum
    assert chronicle(session.scene).objective == objective  # what is taken stays taken
    go_on(session, "hold")
    assert parts(session, "bob", "ann", "sword") == {}  # until the next turn


@pytest.mark.rule("marchen.ounces.take_defensive_action", "marchen.ounces.gain_ground")
def test_an_objective_takes_its_steps_and_is_worth_taking() -> None:
    session = begun(duel())
    session.do("marchen.set_objective", name="the gate", steps=2)
    go_on(session, "take_defensive_action", [4, 4], "hold")
    objective = chronicle(session.scene).objective
    assert objective is not None
    assert (objective.taken_by, objective.of("party")) == ("", 0)  # it is still two steps away
    go_on(session, "hold", "gain_ground::objective", [4, 4], "hold", "hold", "take_defensive_action", [4, 4])
    objective = chronicle(session.scene).objective
    assert objective is not None
    assert objective.taken_by == "party"
    assert [(one.name, one.dm) for one in session.scene["ann"].status.nexts] == [("the gate", 1)]
    assert session.scene["bob"].status.hindered


@pytest.mark.rule("marchen.ounces.face_defeat")
def test_a_side_that_loses_the_objective_loses_what_it_had_taken() -> None:
    session = begun(duel())
    session.do("marchen.set_objective", name="the gate", steps=1)
    go_on(session, "take_defensive_action", [4, 4])
    session.do("marchen.lose_objective", side="party")
    objective = chronicle(session.scene).objective
    assert objective is not None
    assert (objective.taken_by, objective.lost_by) == ("", ("party",))


@pytest.mark.rule("marchen.puncti.react_under_fire")
def test_reacting_under_fire_guards_and_a_strong_success_brings_control() -> None:
    guarded = go_on(begun(duel(), 3, 1), "react_under_fire", [4, 4])
    assert not guarded.scene["ann"].status.in_control
    assert parts(guarded, "bob", "ann", "sword") == {"guarded": -1}
    strong = go_on(begun(duel(), 3, 1), "react_under_fire", [6, 5])
    assert strong.scene["ann"].status.in_control
    failed = go_on(begun(duel(fighter("Ann", supply=0, treasure=0)), 3, 1), "react_under_fire", [3, 3])
    assert [one.dm for one in failed.scene["ann"].status.nexts] == [-1]


@pytest.mark.rule("marchen.puncti.compel")
def test_compelling_takes_a_weak_foe_and_is_tried_but_once() -> None:
    assert closed(begun(duel()))["compel"] == "marchen.puncti.compel"
    session = begun(duel(fighter("Ann", skills={"intimidation": 0})), 6, 3)
    go_on(session, "compel:bob", [4, 4], [3, 4])
    assert not session.scene["bob"].present
    kept = begun(duel(fighter("Ann", skills={"intimidation": 0})), 6, 3)
    go_on(kept, "compel:bob", [3, 3], [3, 4], "hold", "hold")
    assert kept.scene["bob"].status.compelled
    assert closed(kept)["compel"] == "marchen.puncti.compel"
    hurt = ruled(begun(duel()), "bob", physical=6)
    assert "compel" in offered(hurt)


@pytest.mark.rule("marchen.ounces.face_defeat")
def test_facing_defeat_takes_a_way_out_and_gives_the_objective_up() -> None:
    assert closed(begun(duel()))["face_defeat"] == "marchen.ounces.face_defeat"
    session = begun(duel())
    session.do("marchen.set_objective", name="the well", steps=2)
    ruled(session, "bob", hidden=True)  # no one that Ann knows of bars the way
    go_on(session, "face_defeat")
    objective = chronicle(session.scene).objective
    assert objective is not None
    assert objective.lost_by == ("party",)
    assert not session.scene["ann"].present
    winning = begun(duel())
    winning.do("marchen.set_objective", name="the well", steps=1)
    go_on(winning, "gain_ground::objective", [4, 4], "hold", "hold")
    ruled(winning, "bob", hidden=True)
    go_on(winning, "face_defeat")
    kept = chronicle(winning.scene).objective
    assert kept is not None
    assert (kept.taken_by, kept.lost_by) == ("party", ())  # what one has taken is not given up by going


@pytest.mark.rule("marchen.puncti.aid_your_ally", "marchen.aid.helper_dm")
@pytest.mark.parametrize(("faces", "dm"), [([2, 2], 1), ([1, 2], -1)])
def test_an_ally_is_aided_by_the_combat_skill_that_one_knows_best(faces: list[int], dm: int) -> None:
    able = fighter(
        "Ann", skills={"melee_combat": 4, "ranged_combat": 0}, belongings=(*SWORD, ItemStack("bow", 1, "hand"))
    )
    session = together(able, fighter("Cid"), fighter("Bob"))
    session.do("table.change_sides", who="bob", side="foes")
    session.do("marchen.encounter")
    go_on(session, [6, 6], [4, 4], [4, 4])
    go_on(session, "aid_your_ally:cid")
    assert isinstance(session.question, Roll)
    assert str(session.question.dice) == "2d6"
    go_on(session, faces)  # with 4 for the sword 8 or 7; the bow would fail either way
    assert [one.dm for one in session.scene["cid"].status.nexts] == [dm]


@pytest.mark.rule("marchen.puncti.aid_your_ally", "marchen.aid.helper_dm")
def test_aiding_an_ally_takes_level_two_and_counts_for_the_next_check() -> None:
    able = fighter("Ann", skills={"melee_combat": 2})
    session = together(able, fighter("Cid"), fighter("Bob"))
    session.do("table.change_sides", who="bob", side="foes")
    session.do("marchen.encounter")
    go_on(session, [6, 6], [4, 4], [4, 4])
    go_on(session, "aid_your_ally:cid", [3, 3])
    assert [one.dm for one in session.scene["cid"].status.nexts] == [1]


@pytest.mark.rule("marchen.gap.fight.reactions", "marchen.tech.difference_dm", "marchen.gap.weapon.list")
def test_only_items_in_hand_have_conditions() -> None:
    ann = fighter("Ann", belongings=(), natural=("claws",))
    arms = arms_of(begun(duel(ann)).scene, "ann")
    claws = library().get(Weapon, "claws")
    assert handling(ann, claws) == handling(ann, claws, 0) != handling(ann, claws, 1)
    assert not [part for part in arms["claws"].parts if "conditions" in part[0]]
    assert (
        Weapon(id="stick", name="Stick", origin="house", tl=0, dice=1, band="touch", skill="melee_combat", price=0).tier
        == 1
    )


@pytest.mark.rule("marchen.skill.level_gates")
@pytest.mark.parametrize(("special", "may"), [(None, False), (("Broadsword", 1), False), (("Broadsword", 2), True)])
def test_the_specialization_of_what_one_fights_with_opens_the_gate_too(special: Any, may: bool) -> None:
    known = {"specials": [("melee_combat", *special)]} if special else {}
    able = fighter("Ann", skills={"melee_combat": 1}, **known)
    session = together(able, fighter("Cid"), fighter("Bob"))
    session.do("table.change_sides", who="bob", side="foes")
    session.do("marchen.encounter")
    go_on(session, [6, 6], [4, 4], [4, 4])
    assert ("aid_your_ally" in offered(session)) is may
    assert closed(session).get("aid_your_ally") == (None if may else "marchen.skill.level_gates")


@pytest.mark.rule("marchen.ounces.lose_momentum")
def test_lost_momentum_is_a_disadvantage_once() -> None:
    session = begun(duel())
    session.do("marchen.lose_momentum", who="ann")
    assert advantage_now(session.scene, "ann", arms_of(session.scene, "ann")["sword"]) == "disadvantage"
    go_on(session, "strike:bob:sword", "none", [6, 6, 4, 4], [1, 1, 1], [1, 2])
    assert session.scene["bob"].status.physical == 3
    assert not session.scene["ann"].status.hindered


@pytest.mark.rule("marchen.ounces.lose_momentum", "marchen.puncti.face_danger", "marchen.chain.dm")
def test_lost_momentum_counts_for_the_next_check_outside_of_fights_too() -> None:
    session = together(fighter("Ann"))
    session.do("marchen.lose_momentum", who="ann")
    assert done(session, "face_danger", [6, 6, 4, 3], who="ann", skill="athletics").dm == 0  # the worse: Fail in Style
    assert "ann: fails" in followed(session)
    assert not session.scene["ann"].status.hindered
    done(session, "face_danger", [4, 4], who="ann", skill="athletics")  # two dice again
    assert session.scene["ann"].status.nexts == ()


@pytest.mark.rule("marchen.ounces.lose_momentum")
@pytest.mark.parametrize("process", ["marchen.lose_momentum", "marchen.sing"])
def test_a_check_at_the_table_uses_up_what_waited_for_it(process: str) -> None:
    session = together(fighter("Ann", songs=("The Ford",)))
    session.do(process, who="ann", **({"song": "The Ford"} if process == "marchen.sing" else {}))
    before = session.scene["ann"].status
    assert (bool(before.nexts), before.hindered) == (process == "marchen.sing", process != "marchen.sing")
    session.do("table.check", who="ann", what="athletics")
    session.roll()
    after = session.scene["ann"].status
    assert (after.nexts, after.hindered) == ((), False)


@pytest.mark.rule("marchen.fight.control", "marchen.ounces.gain_ground", "marchen.ounces.secure_advantage")
def test_one_does_it_with_what_one_is_best_at() -> None:
    able = fighter(
        "Ann", agility=2, skills={"athletics": 0, "acrobatics": 1, "stealth": 0, "insight": 1, "deception": 0}
    )
    session = begun(duel(able))
    scene = session.scene
    assert [best_of(scene, "ann", skills) for skills in (BODILY, CLEVER, FORCEFUL)] == [
        "acrobatics",
        "acrobatics",
        "intimidation",
    ]
    go_on(session, "gain_ground::position", [3, 2])  # 2 + 1 + 5
    assert [one.dm for one in session.scene["ann"].status.nexts] == [1]


# ---------------------------------------------------------------------- the whole


def test_tiers_wear_armour_down_for_the_length_of_a_fight() -> None:
    bob = fighter("Bob", belongings=(*SWORD, ItemStack("mail", 1, "worn")))
    session = begun(duel(bob=bob, damage_model="tiers"))
    assert body(session.scene, "bob", "physical")[:2] == (0, 2)
    go_on(session, "strike:bob:sword", "none", [4, 4], [1, 2])
    status = session.scene["bob"].status
    assert (status.physical, status.soaked) == (1, 2)


def test_tallies_of_attacks_add_up() -> None:
    session = begun(duel(template("soldier")))
    for arms in arms_of(session.scene, session.scene.participants[0].id).values():
        who = session.scene.participants[0].id
        assert attack_tally(session.scene, who, "bob", arms).total == attack_dm(session.scene, who, "bob", arms)


@pytest.mark.rule("marchen.gap.fight.end")
def test_effects_of_a_fight_are_gone_after_it() -> None:
    session = begun(duel())
    go_on(session, "gain_ground::position", [6, 6], "aim", "strike:ann:sword", "dodge", [3, 3])
    ruled(session, "ann", hindered=True, aim=3)
    before = session.scene["ann"].status
    assert (before.aim, before.reactions, before.hindered, before.effect) == (3, 1, True, 4)
    assert before.nexts
    go_on(session, "surrender")
    assert session.scene.ended == "party win"
    after = session.scene["ann"].status
    assert (after.aim, after.reactions, after.hindered, after.effect) == (0, 0, False, None)
    assert (after.nexts, dict(after.spent)) == ((), {})


def test_newcomers_enter_the_fray_at_the_next_round() -> None:
    session = begun(duel())
    go_on(session, "hold", "hold")
    assert isinstance(session.question, Choice | Roll)
    assert session.scene.order == ("ann", "bob")


def test_the_quick_totals_are_those_of_the_tallies() -> None:
    session = ruled(together(template("mystic")), "morwen", spiritual=9, reactions=1)
    session.do("table.modify", what="arcana", value=2, reason="a charm", who="morwen")
    for skill in SKILLS:
        assert skill_total(session.scene, "morwen", skill) == readied(session.scene, "morwen", skill).tally.total


def test_a_ruling_in_the_middle_of_a_blow_is_heeded() -> None:
    session = go_on(begun(duel()), "strike:bob:sword")
    ruled(session, "bob", physical=3)
    go_on(session, "none", [4, 4], [2, 2, 2], [1, 2])
    assert session.scene["bob"].status.physical == 9
    gone = go_on(begun(duel()), "strike:bob:sword")
    ruled(gone, "bob", down=True)
    go_on(gone, "none")
    assert gone.scene.ended == "party win"
    assert gone.scene["bob"].status.physical == 0


@pytest.mark.rule("marchen.gap.fight.reactions")
@pytest.mark.parametrize("tide", [False, True])
def test_the_chances_of_a_reaction_are_those_of_the_blow(tide: bool) -> None:
    session = begun(duel(bob=fighter("Bob", skills={"melee_combat": 2})), 3 if tide else 6, 2 if tide else 4)
    session.choose("turn_the_tide:bob:sword" if tide else "strike:bob:sword")
    blow = chronicle(session.scene).blow
    assert blow is not None
    found = hit_chances(session.scene, blow)
    assert set(found) == {"none", "dodge", "parry"}
    for way, chance in found.items():
        call, _ = ready(session.scene, blow, way)  # type: ignore[arg-type]
        assert chance == odds(call).expected(lambda struck: int(struck.degree in SUCCEEDED))
