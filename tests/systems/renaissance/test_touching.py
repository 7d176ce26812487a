"""Rules that touch each other: hands that hold, weapons that reach, who can assist and care, the light of an ambush."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, events, last
from systems.playing import asked as offered
from systems.renaissance.fights import defended, fighter, held, playing, scene_with, went
from tablewright.engine import Choice, Roll, odds
from tablewright.errors import IllegalActionError
from tablewright.game.ground.facts import ANYONE
from tablewright.game.play.effects import until_turn_of
from tablewright.game.scene.scene import Modifier, Scene
from tablewright.systems.renaissance.actions.aim import all_defences
from tablewright.systems.renaissance.actions.maneuvers import own_goal, their_goal
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.gear import coating_of
from tablewright.systems.renaissance.character.record import RenaissanceCharacter
from tablewright.systems.renaissance.content import CombatManeuver
from tablewright.systems.renaissance.mechanics.attack import attack
from tablewright.systems.renaissance.mechanics.harm import Defence
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.recovery import arrives
from tablewright.systems.renaissance.status import Status
from tablewright.systems.renaissance.values import DV

SWORD = ("short_sword", "main")


def human(name: str, *items: tuple[str, str], **more: Any) -> RenaissanceCharacter:
    return fighter(name, *items, race="human", **more)


ANN, BOB, CID = human("Ann", SWORD), human("Bob", ("mace", "main")), human("Cid")


def calm(*people: tuple[RenaissanceCharacter, int, int], **options: Any) -> Scene:
    """A scene in which no one takes turns, with everyone's days on the clock."""
    scene = replace(scene_with(*people, **options), order=(), turn=None, round=0)
    for one in scene.participants:
        scene = arrives(scene, one.id)
    return scene


# ---------------------------------------------------------------------- attacks and maneuvers


@pytest.mark.rule("renaissance.resistance.option_2", "renaissance.luck.ignore_penalties")
def test_luck_ignores_what_vulnerability_takes_from_a_defence() -> None:
    def call(*defences: Defence, vulnerability: int) -> Any:
        more: dict[str, Any] = {"resistance_rule": "check_20", "luck_per_check": 1}
        return attack(60, DV(2), defences, their_luck=1, vulnerability=vulnerability, **more)

    weak = odds(call(Defence("fray", 50), vulnerability=1), objective="worth")
    same = odds(call(Defence("fray", 30, 20), vulnerability=0), objective="worth")
    assert dict(weak.items()) == dict(same.items())


@pytest.mark.rule("renaissance.unarmed.attack", "renaissance.gap.state.grabbed")
@pytest.mark.parametrize("items", [(), (SWORD,)])
def test_a_hand_that_holds_a_character_strikes_nobody_besides(items: tuple[tuple[str, str], ...]) -> None:
    scene = scene_with((human("Ann", *items), 5, 5), (CID, 6, 5))
    assert "attack_with_all:cid" in offered(playing(scene))
    holding = offered(playing(held(scene, "cid", "grabbed", by="ann", source="ann")))
    assert "attack_with_all:cid" not in holding
    assert "attack:cid:unarmed" in holding


@pytest.mark.rule("renaissance.maneuver.trip", "renaissance.grid.squares")
def test_a_maneuver_is_tried_with_a_weapon_that_reaches() -> None:
    pike = fighter("Ann", ("halberd", "both"), skills={"pole_arms": 10, "unarmed_combat": 60})
    near, far = scene_with((pike, 5, 5), (BOB, 6, 5)), scene_with((pike, 5, 5), (BOB, 7, 5))
    trip = near.library.get(CombatManeuver, "trip")
    assert own_goal(near, "ann", "bob", trip).total == 80
    assert own_goal(far, "ann", "bob", trip).total == 30


@pytest.mark.rule("renaissance.gap.power.list", "renaissance.maneuver.disarm")
def test_a_ball_of_fire_that_is_struck_from_the_hand_goes_out() -> None:
    mage = human("Bob", ("ball_of_fire", "main"), powers=("fireball",), skills={"spellcraft": 40})
    session = went(scene_with((ANN, 5, 5), (mage, 6, 5)), "maneuver:bob:disarm/ball_of_fire", 40, 99)
    assert last(session, "HandsChanged").what == "drops ball of fire"
    assert session.scene.clock.left("gutters", who="bob") == 15


@pytest.mark.rule("renaissance.grab.mos_over_str", "renaissance.multi.off_hand")
def test_a_character_who_has_the_main_hand_full_grabs_with_the_other() -> None:
    scene = scene_with((ANN, 5, 5), (CID, 6, 5), grab_rule="mos_over_str")
    session = went(scene, "maneuver:cid:grab", 41)  # 20 + 30 - 10
    assert isinstance(session.question, Choice)
    assert last(session, "Attacked").result == "miss"
    free = scene_with((CID, 5, 5), (human("Dan"), 6, 5), grab_rule="mos_over_str")
    assert isinstance(went(free, "maneuver:dan:grab", 41).question, Roll)  # the defence


@pytest.mark.rule("renaissance.gap.race.social_animal", "renaissance.maneuver.feint")
def test_a_human_who_reads_a_feint_may_roll_again() -> None:
    feints = fighter("Ann", SWORD, skills={"deception": 60})
    reads = human("Bob", luck=1, skills={"read": 60})
    session = went(scene_with((feints, 5, 5), (reads, 6, 5)), "maneuver:bob:feint", 50, 99)
    assert set(offered(session)) == {"yes", "no"}
    answer(session, "yes", 60)
    assert not session.scene["bob"].status.has("feinted")
    assert session.scene["bob"].status.luck == 0


@pytest.mark.rule("renaissance.gap.class.list", "renaissance.core.stacking")
def test_being_cowed_is_told_by_its_name_and_adds_up() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5))
    scene = held(scene, "bob", "cowed", degree=-10, by="ann", source="ann")
    scene = held(held(scene, "bob", "cowed", degree=-10, by="cid", source="cid"), "bob", "guarded", degree=10)
    assert defended(scene, "short_sword")["fray"] == 50 - 10 - 10 + 10
    arm = now(scene, "ann").arm("short_sword")
    assert arm is not None
    goal = dict(all_defences(scene, "ann", "bob", arm))["fray"]
    assert [(part.label, part.value) for part in goal.parts[-3:]] == [
        ("cowed", -10),
        ("cowed", -10),
        ("full defense", 10),
    ]


@pytest.mark.rule("renaissance.gap.class.list")
def test_a_warrior_cows_anyone_who_was_struck_well() -> None:
    warrior = human("Ann", SWORD, classes=("warrior",), skills={"intimidate": 50})
    session = went(scene_with((warrior, 5, 5), (BOB, 6, 5)), "attack:bob:short_sword", "plain", 40, 99, (1, 1), 0)
    answer(session, "intimidate:bob", 60, 99)
    found = session.scene["bob"].status.held("cowed")
    assert found is not None
    assert (found.degree, found.by, found.stacks) == (-10, "ann", "apart")
    assert "intimidates Bob" in [one.what for one in events(session, "Acted")]


# ---------------------------------------------------------------------- the beginning of a fight


@pytest.mark.rule("renaissance.turn.initiative")
def test_a_ruling_on_initiative_counts_for_whom_it_names() -> None:
    scene = replace(calm((ANN, 5, 5), (BOB, 6, 5)), modifiers=(Modifier("initiative", 20, "swift", "ann"),))
    session = went(scene, 5, 5)
    assert [one.status.initiative for one in session.scene.participants] == [5 + 8 + 20, 5 + 8]
    all_of_them = replace(scene, modifiers=(Modifier("initiative", 2, "swift"),))
    assert [one.status.initiative for one in went(all_of_them, 5, 4).scene.participants] == [15, 14]


@pytest.mark.rule("renaissance.gap.state.ambush", "renaissance.gap.race.senses")
@pytest.mark.parametrize(("light", "race", "seen"), [("dark", "human", 10), ("dim", "human", 30), ("dim", "orc", 40)])
def test_a_character_who_watches_in_the_dark_sees_less(light: str, race: str, seen: int) -> None:
    watches = fighter("Bob", race=race, skills={"perception": 40})
    scene = calm((human("Ann", skills={"stealth": 40}), 5, 5), (watches, 15, 5))
    scene = replace(scene, facts=scene.facts.set("light", ANYONE, light))

    def unaware(shown: int) -> bool:
        return bool(went(scene, 60, shown, sneaking="party").scene["bob"].status.has("unaware"))

    assert [unaware(seen), unaware(seen + 1)] == [False, True]


# ---------------------------------------------------------------------- help and care


def assisted(scene: Scene, *assistants: str) -> int:
    subject = rulebook.subject(scene["ann"], scene)
    check = rulebook.check("medicine")
    given = check.contender(subject, {"assistants": assistants}).situation
    return check.plan(subject, **given).tallies["target"].total


@pytest.mark.rule("renaissance.modifier.assist")
def test_a_character_who_assists_can_act_and_does_it_once() -> None:
    scene = calm((ANN, 5, 5), (BOB, 6, 5), (CID, 7, 5))
    assert assisted(scene) == 55
    assert assisted(scene, "bob", "cid=First Aid") == 75
    assert assisted(scene, "bob=Athletics") == 65
    with pytest.raises(IllegalActionError, match="everybody assists once"):
        assisted(scene, "bob", "bob=athletics")
    with pytest.raises(IllegalActionError, match="Bob cannot act"):
        assisted(scene.with_status("bob", damage=30), "bob")


@pytest.mark.rule("renaissance.healing.care_physical")
def test_nobody_is_cared_for_by_the_dead() -> None:
    scene = calm((ANN, 5, 5), (BOB, 6, 5)).with_status("ann", damage=10)
    session = went(scene, process="renaissance.plan", who="ann", body="bob")
    assert last(session, "Planned").what == "body cared for by Bob"
    session.do("renaissance.rest", days=1)
    assert session.scene["ann"].status.damage == 7
    session.do("renaissance.fall", who="bob", metres=20)
    session.do("renaissance.rest", days=1)
    assert session.scene["ann"].status.damage == 6
    with pytest.raises(IllegalActionError, match="Bob cannot act"):
        session.do("renaissance.plan", who="ann", mind="bob")
    session.do("renaissance.plan", who="ann", body="the temple")
    session.do("renaissance.rest", days=1)
    assert session.scene["ann"].status.damage == 3


@pytest.mark.rule("renaissance.gap.hazard.falling")
def test_the_dead_do_not_die_again() -> None:
    session = went(calm((ANN, 5, 5)), process="renaissance.fall", who="ann", metres=20)
    session.do("renaissance.fall", who="ann", metres=20)
    assert len(events(session, "Died")) == 1


# ---------------------------------------------------------------------- minds and magic


@pytest.mark.rule("renaissance.magic.psion_scale", "renaissance.magic.one_off")
def test_healing_their_own_psyche_takes_a_psion() -> None:
    scene = calm((ANN, 5, 5), (human("Bob", skills={"control": 40}), 6, 5))
    scene = scene.with_status("ann", traumas=1).with_status("bob", traumas=1)
    with pytest.raises(IllegalActionError, match="40 ranks in control, not 0"):
        went(scene, process="renaissance.soothe", who="ann")
    assert isinstance(went(scene, process="renaissance.soothe", who="bob").question, Roll)


@pytest.mark.rule("renaissance.stress.trauma_stun", "renaissance.gap.race.list")
def test_resisting_stress_well_does_not_help_against_being_stunned() -> None:
    calls = []
    for race in ("human", "halfling"):
        scene = calm((fighter("Ann", race=race, WIL=15 if race == "human" else 10), 5, 5))
        session = went(scene, process="renaissance.stress", who="ann", source="failed_motivation")
        answer(session, 90, 9, 40)
        calls.append(session.scene["ann"].status.has("stunned"))
    assert calls == [True, True]  # WIL x3 of 45, less 10 for the trauma


@pytest.mark.rule("renaissance.stress.track", "renaissance.stress.trauma")
@pytest.mark.parametrize(("before", "overwhelmed", "insane"), [(0, False, False), (30, True, False), (70, True, True)])
def test_stress_tells_how_it_leaves_a_character(before: int, overwhelmed: bool, insane: bool) -> None:
    scene = calm((human("Ann", WIL=15), 5, 5)).with_status("ann", stress=before)
    session = went(scene, 90, 9, 0, process="renaissance.stress", who="ann", source="failed_motivation")
    stressed = last(session, "Stressed")
    assert (stressed.stress, stressed.traumas, stressed.by) == (10, 1, "failed_motivation")
    assert (stressed.overwhelmed, stressed.insane) == (overwhelmed, insane)


@pytest.mark.rule("renaissance.gap.power.list")
def test_nobody_charms_the_dead() -> None:
    mage = human("Ann", powers=("charm",), skills={"persuasion": 40, "spellcraft": 40})
    scene = calm((mage, 5, 5), (BOB, 6, 5)).with_status("bob", dead=True)
    with pytest.raises(IllegalActionError, match="Bob hears nothing"):
        went(scene, process="renaissance.charm", who="ann", target="bob")


@pytest.mark.rule("renaissance.gap.class.companions", "renaissance.gap.state.grid")
def test_a_corpse_that_rises_has_a_square_of_its_own() -> None:
    herder = human("Ann", classes=("corpse_herder",), skills={"spellcraft": 60, "knowledge:theology": 10})
    session = went(
        calm((herder, 5, 5), (BOB, 6, 5)), process="renaissance.raise_corpse", who="ann", skills=("fray=30",)
    )
    answer(session, 10)
    places = [one.position for one in session.scene.participants]
    assert len(places) == len(set(places)) == 3
    assert None not in places


@pytest.mark.rule("renaissance.stress.trauma_stun", "renaissance.combat.turn_length")
def test_a_character_who_is_stunned_outside_of_combat_is_so_for_three_seconds() -> None:
    scene = calm((human("Ann", WIL=15), 5, 5), (BOB, 6, 5))
    session = went(scene, 90, 9, 40, process="renaissance.stress", who="ann", source="failed_motivation")
    assert session.scene["ann"].status.has("stunned")
    session.do("renaissance.rest", days=1)
    assert not session.scene["ann"].status.has("stunned")


@pytest.mark.rule("renaissance.core.synonyms", "renaissance.action.task", "renaissance.action.job")
def test_tasks_and_jobs_take_a_skill_by_any_of_its_names() -> None:
    scene = calm((human("Ann", skills={"craft:smith": 40}), 5, 5), (BOB, 6, 5))
    session = went(scene, 50, process="renaissance.work", who="ann", skill="First Aid", minutes=60)
    assert last(session, "Checked").what == "medicine"
    job = {"who": "ann", "job": "a gate", "skill": "Craft: Smith", "shifts": 2}
    assert isinstance(went(scene, process="renaissance.begin_job", **job).question, Roll)


@pytest.mark.rule("renaissance.movement.move_quickly", "renaissance.turn.combat_is_turn_order")
def test_effects_in_turns_end_with_the_fight() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 10, 5)).with_status("bob", damage=29)
    scene = held(held(scene, "ann", "prone"), "ann", "guarded", until=until_turn_of(scene, "ann"), degree=10)
    session = went(scene, "stand", "move_quickly", "toward:bob")
    assert now(session.scene, "ann").skill("medicine").total == 45
    session = went(scene.with_status("ann", lasting=scene["ann"].status.lasting[1:]), "move_quickly", "toward:bob")
    answer(session, "attack:bob:short_sword", "plain", 40, 99, (10, 10))
    assert session.scene.ended is not None
    assert session.scene["ann"].status.lasting == ()
    assert now(session.scene, "ann").skill("medicine").total == 55


# ---------------------------------------------------------------------- what is on a blade

VENOM = (("dagger", "blade_venom"),)
DAGGERS = human("Ann", ("dagger", "main"), ("dagger", "pack"))


@pytest.mark.rule("renaissance.chemical.weapon_poison")
def test_a_coated_blade_that_wounds_nobody_is_coated_where_it_lies() -> None:
    scene = scene_with((DAGGERS, 5, 5), (CID, 7, 5)).with_status("ann", coated=VENOM)
    session = went(scene, "attack:cid:dagger~thrown_weapons", "plain", 99)
    assert session.scene["ann"].status.coated == (("dagger@ground", "blade_venom"),)
    answer(session, "draw::dagger", "end_turn")
    assert coating_of_the_hand(session.scene) == ""  # the other one of the kind
    answer(session, "pick_up::dagger")
    assert session.scene["ann"].status.coated == ()
    assert session.scene["cid"].status.coated == VENOM
    assert (session.scene.loose_items, [one.item for one in session.scene["cid"].status.belongings]) == ((), ["dagger"])


def coating_of_the_hand(scene: Scene) -> str:
    status = scene["ann"].status
    return coating_of(status.coated, status.belongings, "dagger", "main")[1]


@pytest.mark.rule("renaissance.chemical.weapon_poison")
def test_a_coated_blade_that_is_dropped_or_struck_from_the_hand_keeps_its_coating() -> None:
    scene = scene_with((human("Ann", ("dagger", "off")), 5, 5), (BOB, 6, 5))
    scene = scene.with_status("ann", coated=(("dagger@off", "blade_venom"),))
    session = went(scene, "drop_item::dagger@off")
    assert session.scene["ann"].status.coated == (("dagger@ground", "blade_venom"),)
    answer(session, "pick_up::dagger")
    assert session.scene["ann"].status.coated == VENOM
    assert coating_of_the_hand(session.scene) == "blade_venom"
    struck = scene_with((BOB, 5, 5), (DAGGERS, 6, 5)).with_status("ann", coated=VENOM)
    session = went(struck, "maneuver:ann:disarm/dagger", 40, 99)
    assert session.scene["ann"].status.coated == (("dagger@ground", "blade_venom"),)


@pytest.mark.rule("renaissance.chemical.weapon_poison")
def test_a_coated_blade_that_wounds_is_coated_no_more_where_it_lies() -> None:
    scene = scene_with((DAGGERS, 5, 5), (CID, 7, 5)).with_status("ann", coated=VENOM)
    session = went(scene, "attack:cid:dagger~thrown_weapons", "plain", 40, 99, 9, 0)
    assert last(session, "Attacked").poisoned == "blade_venom"
    assert session.scene["ann"].status.coated == ()


@pytest.mark.rule("renaissance.chemical.weapon_poison")
def test_coatings_go_along_on_what_is_taken_along() -> None:
    scene = scene_with((DAGGERS, 5, 5), (BOB, 6, 5))
    ground = (("dagger@ground", "blade_venom"), ("mace@ground", "blade_venom"))
    character = rulebook.export_character(scene.with_status("ann", coated=ground), "ann")
    again = rulebook.participant(character, scene.options, scene.library, id="ann", side="party", seat="ann")
    assert again.status.coated == VENOM


@pytest.mark.rule("renaissance.chemical.potion", "renaissance.chemical.poison")
def test_potions_and_poisons_of_your_own_are_used_up_outside_of_combat() -> None:
    items = (("dagger", "off"), ("stim", "pack"), ("blade_venom", "pack"))
    session = went(calm((human("Ann", *items), 5, 5)), process="renaissance.dose", who="ann", chemical="stim", own=True)
    assert session.scene["ann"].status.has("chemical")
    with pytest.raises(IllegalActionError, match="Ann has no Stim"):
        session.do("renaissance.dose", who="ann", chemical="stim", own=True)
    with pytest.raises(IllegalActionError, match='holds no "mace"; in hand: dagger@off'):
        session.do("renaissance.dose", who="ann", chemical="blade_venom", weapon="mace", own=True)
    with pytest.raises(IllegalActionError, match="Stim is not for weapons"):
        session.do("renaissance.dose", who="ann", chemical="stim", weapon="dagger@off")
    session.do("renaissance.dose", who="ann", chemical="blade_venom", weapon="dagger", own=True)
    status = session.scene["ann"].status
    assert status.coated == (("dagger@off", "blade_venom"),)
    assert [one.item for one in status.belongings] == ["dagger"]
    assert not status.has("prone")
    with pytest.raises(IllegalActionError):
        went(
            scene_with((human("Ann", *items), 5, 5), (BOB, 6, 5)),
            process="renaissance.dose",
            who="ann",
            chemical="stim",
            own=True,
        )


# ---------------------------------------------------------------------- duels


@pytest.mark.rule("renaissance.gap.class.list")
def test_a_rival_counts_for_every_combat_skill_that_is_opposed() -> None:
    scene = scene_with((ANN, 5, 5), (BOB, 6, 5))
    rival = held(scene, "bob", "rival", degree=10, by="ann", data=-10)
    other = held(scene, "bob", "rival", degree=10, by="cid", data=-10)
    for known, more in ((scene, 0), (rival, 10), (other, -10)):
        weaving = held(known, "bob", "weaving", degree=20, source="athletics")
        assert defended(weaving, "short_sword") == {
            "fray": 50 + 20 + more,
            "mace": 20 + 20 + more,
            "unarmed": 50 + 20 - 10 + more,
            "athletics": 50 + 20,
        }
        for name, mine, theirs in (("trip", more, more), ("grab", more, more), ("feint", 0, 0)):
            entry = known.library.get(CombatManeuver, name)
            assert own_goal(known, "bob", "ann", entry).total == own_goal(scene, "bob", "ann", entry).total + mine
            against = their_goal(known, "bob", "ann", entry).total
            assert against == their_goal(scene, "bob", "ann", entry).total + theirs


@pytest.mark.rule("renaissance.action.sustained")
def test_powers_are_told_in_words() -> None:
    scene = calm((human("Ann", powers=("stone_skin",)), 5, 5))
    session = went(scene, process="renaissance.sustain", who="ann", what="stone_skin")
    session.do("renaissance.stop_sustaining", who="ann", what="stone_skin")
    assert [one.what for one in events(session, "SustainChanged")] == ["begins stone skin", "ends stone skin"]


@pytest.mark.rule("renaissance.combat.turn_length")
def test_twenty_turns_make_a_minute() -> None:
    calendar = rulebook.calendar
    assert calendar.parse("1 turn") == 3
    assert calendar.parse("20 turns") == calendar.parse("1 minute")


@pytest.mark.rule("renaissance.stress.track", "renaissance.injury.wounds", "renaissance.stress.trauma")
def test_a_character_who_comes_unhurt_into_a_scene_is_as_a_status_without_anything_says() -> None:
    (ann,) = scene_with((ANN, 1, 1)).participants
    status = ann.status
    assert (status.damage, status.wounds, status.stress, status.traumas) == (0, 0, 0, 0)
    bare = Status(damage=0, luck=status.luck, durability=status.durability, belongings=ANN.belongings)
    assert status == bare
