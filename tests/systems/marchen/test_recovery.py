"""Getting well, telling stories and travelling: rest, aid, camps, danger, words, battles, magic, other dice."""

from __future__ import annotations

import json
from typing import Any

import pytest

from systems.marchen.people import ann, book, data, done, library, somebody, template, together, told
from systems.marchen.test_seasons import alone, hero, hurt
from systems.playing import examples
from tablewright.cli.program import run
from tablewright.dice import TypedDice
from tablewright.engine import play
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.narration.entries import entries
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.session import Session
from tablewright.systems.marchen.chapters.cores import TYPICAL, OddsMoved, chance
from tablewright.systems.marchen.chapters.magic import adept_in
from tablewright.systems.marchen.chapters.story import MILES, best_arms
from tablewright.systems.marchen.character.record import Condition, Journey, Wounds
from tablewright.systems.marchen.content import ConditionKind
from tablewright.systems.marchen.mechanics.magic import cast, day_of_rest, treat
from tablewright.systems.marchen.now import body, readied
from tablewright.systems.marchen.options import Core, MarchenOptions
from tablewright.systems.marchen.status import chronicle, journey
from tablewright.systems.marchen.values import ASPECTS

PUNCTI, WATCH = 15 * 60 * 8, 4 * 3600 * 8


def refused(session: Session, process: str, **given: Any) -> str | None:
    """The rule by which something is refused."""
    with pytest.raises(IllegalActionError) as no:
        session.do(f"marchen.{process}", **given)
    return no.value.rule


# ---------------------------------------------------------------------- rest


@pytest.mark.rule("marchen.gap.healing.rest")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.gap.healing.rest"))
def test_a_day_heals_by_a_die_and_stamina(given: Any, expect: Any) -> None:
    call = day_of_rest(given["stamina"], given.get("active", False))
    assert play(call, TypedDice([given["die"]] if "die" in given else [])).result == expect["healed"]
    assert play(day_of_rest(2), TypedDice([3])).result == 5
    assert play(day_of_rest(2, True), TypedDice([])).result == 3


@pytest.mark.rule("marchen.gap.healing.rest")
def test_days_in_one_step_are_as_day_by_day() -> None:
    wounds = hurt(physical=9, mental=2, social=1, spiritual=4)
    whole = alone(hero(wounds=wounds))
    done(whole, "rest", [3, 4], days=2)
    single = alone(hero(wounds=wounds))
    done(single, "rest", [3], days=1)
    done(single, "rest", [4], days=1)
    assert dict(whole.scene["ann"].status.damage) == {"physical": 2, "mental": 0, "social": 0, "spiritual": 2}
    assert whole.scene == single.scene
    active = alone(hero(wounds=wounds))
    done(active, "rest", days=1, active=True)
    assert dict(active.scene["ann"].status.damage) == {"physical": 8, "mental": 2, "social": 1, "spiritual": 4}


@pytest.mark.rule("marchen.gap.healing.rest")
def test_a_down_character_gets_up_at_the_threshold_again() -> None:
    wounds = Wounds.model_validate({"damage": {"physical": 15}, "down": True})
    session = alone(hero(wounds=wounds))
    done(session, "rest", [2], days=1)
    assert (session.scene["ann"].status.physical, session.scene["ann"].status.down) == (13, True)
    done(session, "rest", [1], days=1)
    assert (session.scene["ann"].status.physical, session.scene["ann"].status.down) == (12, False)


@pytest.mark.rule("marchen.gap.face.outcomes")
@pytest.mark.parametrize("steps", [["4 hours"], ["1 hour"] * 4, ["3 hours", "30 minutes", "30 minutes"]])
def test_the_fallen_rise_after_a_watch_in_however_many_steps(steps: list[str]) -> None:
    session = alone(hero(wounds=Wounds(down=True)))
    for step in steps:
        assert session.scene["ann"].status.down
        session.do("table.pass_time", amount=step)
    assert not session.scene["ann"].status.down


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_the_time_that_a_character_has_lain_is_carried_from_scene_to_scene() -> None:
    session = alone(hero(wounds=Wounds(down=True)))
    session.do("table.pass_time", amount="3 hours")
    later = alone(book().export_character(session.scene, "ann"))
    later.do("table.pass_time", amount="1 hour")
    assert not later.scene["ann"].status.down


def test_wounds_are_carried_from_scene_to_scene() -> None:
    session = alone(hero(wounds=hurt(physical=5)))
    done(session, "hurt", [3, 1, 2], who="ann", dice=1)
    left = book().export_character(session.scene, "ann")
    assert dict(left.wounds.damage) == {"physical": 8}
    assert alone(left).scene["ann"].status.physical == 8


# ---------------------------------------------------------------------- aid


@pytest.mark.rule("marchen.watch.first_aid")
def test_first_aid_heals_two_for_each_level_and_is_difficult_on_oneself() -> None:
    assert play(treat(0), TypedDice([6, 5])).result == 4
    assert play(treat(0, True), TypedDice([6, 5])).result == 2
    assert play(treat(0), TypedDice([3, 4])).result == 0
    assert play(treat(0), TypedDice([1, 1])).result == -1


@pytest.mark.rule("marchen.watch.first_aid", "marchen.month.collect_herbs")
def test_first_aid_is_given_once_for_each_fight_and_herbs_help() -> None:
    healer = hero("Bob", skills={"life_sciences": 0}, belongings=(ItemStack("herbs"),))
    session = together(hero(wounds=hurt(physical=9)), healer)
    done(session, "first_aid", [6, 4], who="bob", patient="ann", herbs=True)  # 10 + 1: great
    assert (session.scene["ann"].status.physical, session.scene.clock.now) == (5, WATCH)
    assert session.scene["bob"].status.belongings == ()
    assert refused(session, "first_aid", who="bob", patient="ann") == "marchen.watch.first_aid"
    worse = together(hero(wounds=hurt(physical=5)), healer)
    done(worse, "first_aid", [1, 1], who="bob", patient="ann")
    assert worse.scene["ann"].status.physical == 6
    failed = together(hero(wounds=hurt(physical=5)), healer)
    assert done(failed, "first_aid", [3, 4], who="bob", patient="ann") == 0
    assert (failed.scene["ann"].status.physical, failed.scene["ann"].status.treated) == (5, True)
    assert refused(together(hero(), healer), "first_aid", who="bob", patient="ann") == "marchen.watch.first_aid"


@pytest.mark.rule("marchen.resource.tracks")
def test_only_the_condition_that_is_named_is_relieved_and_no_scar() -> None:
    kinds = [one for one in library().of(ConditionKind) if one.aspect == "physical"][:2]
    held = [Condition(name=one.name, aspect="physical") for one in kinds]
    scar = held[1].changed(permanent=True)
    session = together(hero(wounds=Wounds(conditions=(*held, scar))))
    done(session, "relieve", who="ann", condition=kinds[1].id)
    assert session.scene["ann"].status.conditions == (held[0], scar)
    assert refused(session, "relieve", who="ann", condition=kinds[1].id) == "marchen.resource.tracks"


@pytest.mark.rule("marchen.gap.fight.battle")
def test_a_leader_fights_with_what_he_is_best_at() -> None:
    both = (ItemStack("dagger", 1, "hand"), ItemStack("crossbow", 1, "hand"), ItemStack("spear"))
    for level, weapon in (({"melee_combat": 0, "ranged_combat": 1}, "crossbow"), ({"melee_combat": 1}, "dagger")):
        session = together(hero(skills=level, home_tl=1, belongings=both))
        assert best_arms(session.scene, "ann").id == weapon
    equal = (ItemStack("dagger", 1, "hand"), ItemStack("spear", 1, "hand"))
    same = together(hero(skills={"melee_combat": 0}, home_tl=0, belongings=equal))
    assert best_arms(same.scene, "ann").id == "spear"  # more dice


DYING = {"damage": {"physical": 13}, "down": True, "dying": "puncti"}


@pytest.mark.rule("marchen.puncti.triage")
def test_triage_stabilises_and_heals_nothing() -> None:
    healer = hero("Bob", skills={"life_sciences": 0})
    session = together(hero(wounds=Wounds.model_validate(DYING)), healer)
    done(session, "triage", [3, 4], who="bob", patient="ann")
    assert session.scene["ann"].status.dying == "puncti"
    done(session, "triage", [4, 4], who="bob", patient="ann")
    status = session.scene["ann"].status
    assert (status.dying, status.physical, status.down) == ("", 13, True)
    assert refused(session, "triage", who="bob", patient="ann") == "marchen.puncti.triage"


@pytest.mark.rule("marchen.puncti.triage", "marchen.gap.face.outcomes")
def test_a_stable_character_does_not_die() -> None:
    session = together(hero(wounds=hurt(physical=12)), hero("Bob", skills={"life_sciences": 0}))
    done(session, "hurt", [1, 1, 2, 1, 3], who="ann", dice=1)  # 13 of 12: Fail
    assert session.scene["ann"].status.dying == "watch"
    done(session, "triage", [4, 4], who="bob", patient="ann")
    session.do("table.pass_time", amount="2 watches")
    assert session.scene["ann"].status.fate == ""
    late = together(hero(wounds=hurt(physical=12)), hero("Bob"))
    done(late, "hurt", [1, 1, 2, 1, 3], who="ann", dice=1)
    late.do("table.pass_time", amount="1 watch")
    assert late.scene["ann"].status.fate == "dead"


@pytest.mark.rule("marchen.watch.make_camp")
def test_a_camp_costs_supply_and_heals_twice_a_day() -> None:
    session = together(hero(supply=3, wounds=hurt(physical=5, mental=2)), hero("Bob"))
    done(session, "make_camp", answers=["mental"], payer="ann")
    assert (session.scene["ann"].status.mental, ann(session).supply) == (1, 2)
    done(session, "make_camp", answers=["physical"], payer="ann")
    done(session, "make_camp", payer="ann")  # the third time today: no one is asked
    assert (session.scene["ann"].status.physical, session.scene.clock.now) == (4, 3 * WATCH)
    assert refused(session, "make_camp", payer="ann") == "marchen.watch.make_camp"


@pytest.mark.rule("marchen.gap.healing.company_pool")
def test_the_company_pool_behind_its_option() -> None:
    session = together(hero(wounds=hurt(social=2, physical=1)), hero("Bob"), company_pool=True)
    session.do("marchen.refill_pool")
    assert chronicle(session.scene).pool == 2
    done(session, "use_pool", who="ann", aspect="social")
    assert (session.scene["ann"].status.social, chronicle(session.scene).pool) == (1, 1)
    done(session, "use_pool", who="ann", aspect="social")
    assert refused(session, "use_pool", who="ann", aspect="social") == "marchen.gap.healing.company_pool"
    assert refused(alone(), "refill_pool") == "marchen.gap.healing.company_pool"


@pytest.mark.rule("marchen.puncti.companion_takes_hit")
def test_a_companion_endures_with_its_own_scores() -> None:
    session = together(somebody("Dog", stamina=3))
    done(session, "hurt", [5, 6, 5], who="dog", dice=1)  # 11 + 3: extraordinary
    assert session.scene["dog"].status.physical == 5 - 4


@pytest.mark.rule("marchen.interrupted.face_death")
def test_the_referee_may_call_for_facing_death_without_damage() -> None:
    session = alone()
    done(session, "face_the_end", [5, 6], who="ann")
    assert not session.scene["ann"].status.down
    done(session, "face_the_end", [1, 1], who="ann")
    assert session.scene["ann"].status.fate == "dead"


CONDITIONS = ("wounded", "poisoned", "sick", "shaken", "exhausted", "shamed", "disgraced", "haunted", "desolate")


@pytest.mark.rule("marchen.resource.tracks")
@pytest.mark.parametrize("id_", CONDITIONS)
def test_every_condition_hampers_checks_of_its_aspect_by_one(id_: str) -> None:
    session = alone()
    kind = session.scene.library.get(ConditionKind, id_)
    session.do("marchen.afflict", who="ann", condition=id_)
    for aspect in ASPECTS:
        total = readied(session.scene, "ann", aspect).tally.total
        assert total == (-1 if aspect == kind.aspect else 0)
        assert body(session.scene, "ann", aspect).bearing.face_modifier == total
    session.do("marchen.relieve", who="ann", condition=id_)
    assert session.scene["ann"].status.conditions == ()
    assert refused(session, "relieve", who="ann", condition=id_) == "marchen.resource.tracks"


def test_the_tests_know_every_condition_of_the_pack() -> None:
    assert {one.id for one in alone().scene.library.of(ConditionKind)} == set(CONDITIONS)


# ---------------------------------------------------------------------- stories


@pytest.mark.rule("marchen.puncti.face_danger", "marchen.ounces.pay_the_price")
def test_danger_is_paid_for_from_minor_fail_on() -> None:
    poor = hero(skills={"athletics": 0}, supply=0, treasure=0)
    session = alone(poor)
    done(session, "face_danger", [3, 3], who="ann", skill="athletics")
    assert [one.dm for one in session.scene["ann"].status.nexts] == [-1]
    assert session.scene.clock.now == PUNCTI
    free = alone(poor)
    done(free, "face_danger", [3, 4], who="ann", skill="athletics")  # Fail in Style
    assert free.scene["ann"].status.nexts == ()
    costly = alone(poor)
    done(costly, "face_danger", [1, 2, 5, 1, 2], who="ann", skill="athletics", stake="mental")
    assert costly.scene["ann"].status.mental == 5


@pytest.mark.rule("marchen.ounces.sacrifice_resource")
def test_supply_buys_a_price_off() -> None:
    session = alone(hero(skills={"athletics": 0}, supply=1, treasure=0))
    done(session, "face_danger", [3, 3], ["supply"], who="ann", skill="athletics")
    assert (ann(session).supply, session.scene["ann"].status.nexts) == (0, ())


@pytest.mark.rule("marchen.puncti.check_gear")
@pytest.mark.parametrize(("faces", "there", "supply"), [((3, 3), True, 1), ((4, 3), True, 2), ((3, 2), False, 2)])
def test_gear_is_there_by_supply_and_a_tie_uses_some(faces: tuple[int, int], there: bool, supply: int) -> None:
    session = alone(hero(supply=2))
    assert done(session, "check_gear", faces, who="ann", item="a rope") is there
    assert ann(session).supply == supply


@pytest.mark.rule("marchen.puncti.negotiate")
def test_negotiations_are_opposed() -> None:
    session = together(hero(skills={"persuasion": 0}), hero("Bob", skills={"insight": 0}))
    result = done(session, "negotiate", [4, 4, 3, 4], who="ann", against="bob")
    assert result.winner.value == "a"
    assert session.scene.clock.now == PUNCTI
    lost = done(session, "negotiate", [4, 3, 4, 4], who="ann", against="bob", skill="deception", with_what="etiquette")
    assert lost.winner.value == "b"


@pytest.mark.rule("marchen.puncti.compel")
def test_compelling_outside_of_a_fight() -> None:
    session = together(hero(skills={"intimidation": 0}), hero("Bob", identity=1))
    assert done(session, "compel", [4, 4, 3, 3], who="ann", against="bob") is True
    assert session.scene["bob"].present
    assert done(session, "compel", [4, 4, 4, 4], who="ann", against="bob") is False


@pytest.mark.rule("marchen.puncti.battle", "marchen.gap.fight.battle")
def test_a_battle_hits_all_losers_and_narrowly_the_winners_too() -> None:
    armed = {"skills": {"melee_combat": 0}, "belongings": (ItemStack("sword", 1, "hand"),), "home_tl": 1}
    session = together(hero("Ann", **armed), hero("Bob", **armed), hero("Cid", **armed))
    for who in ("bob", "cid"):
        session.do("table.change_sides", who=who, side="foes")
    done(session, "fight_battle", [4, 4, 1, 2, 2, 2, 2, 1, 1, 1, 3, 3, 3], side="party", against="foes")
    damage = {one.id: one.status.physical for one in session.scene.participants}
    assert damage == {"bob": 6, "cid": 3, "ann": 4}  # half of nine, no one endures
    clear = together(hero("Ann", **armed), hero("Bob", **armed))
    clear.do("table.change_sides", who="bob", side="foes")
    done(clear, "fight_battle", [6, 5, 1, 2, 1, 1, 1], side="party", against="foes")
    assert {one.id: one.status.physical for one in clear.scene.participants} == {"ann": 0, "bob": 3 + 4}
    assert clear.scene.clock.now == PUNCTI


@pytest.mark.rule("marchen.puncti.battle")
def test_a_battle_is_fought_by_the_command_line_with_two_sides(capsys: pytest.CaptureFixture[str]) -> None:
    battle = ["do", "marchen.fight_battle", "marchen:soldier", "vs", "marchen:bandit"]
    words = [*battle, "--faces", "6,6,1,1,6,6,6,6,6", "--json"]  # far apart: the winners are not hurt
    assert run(words) == 0
    facts = json.loads(capsys.readouterr().out)["facts"]
    assert [fact["who"] for fact in facts if fact.get("event") == "Harmed"] == ["bandit"]
    assert run(["do", "marchen.fight_battle", "marchen:soldier", "marchen:bandit"]) == 1
    assert "marchen.puncti.battle" in capsys.readouterr().err


@pytest.mark.rule("marchen.ounces.withstand_damage")
def test_a_thing_withstands_or_not() -> None:
    session = alone(hero(belongings=(ItemStack("lute"),), skills={"engineering": 0, "drive_ride_pilot": 0}))
    done(session, "withstand_damage", [3, 4], who="ann", item="lute")
    assert session.scene["ann"].status.belongings[0].left == 3
    done(session, "withstand_damage", [1, 2], who="ann", item="lute", vehicle=True)
    assert session.scene["ann"].status.belongings[0].left == 1
    done(session, "withstand_damage", [3, 4], who="ann", item="lute")
    assert session.scene["ann"].status.belongings == ()  # four conditions destroy it


# ---------------------------------------------------------------------- travelling


@pytest.mark.rule("marchen.watch.travel_modes")
def test_miles_by_the_watch() -> None:
    said = data("marchen.watch.travel_modes")
    assert {mode: row["miles_per_watch"] for mode, row in said.items()} == MILES
    for given, expect in examples("marchen.watch.travel_modes"):
        session = alone()
        assert done(session, "travel", mode=given["mode"], watches=given["watches"]) == expect["miles"]
        assert session.scene.clock.now == given["watches"] * WATCH


@pytest.mark.rule("marchen.watch.reach_destination")
def test_a_journey_ends_where_it_leads() -> None:
    session = alone()
    session.do("marchen.set_out", to="Bree", miles=9)
    done(session, "travel", mode="adventure", watches=1)
    assert journey(session.scene) == Journey(to="Bree", miles=9, gone=8)
    assert done(session, "travel", mode="adventure", watches=5) == 8
    assert journey(session.scene) is None
    assert "The journey to Bree is over." in told(session)


@pytest.mark.rule("marchen.watch.resupply")
def test_foraging() -> None:
    session = alone(hero(supply=1, skills={"physical_sciences_survival": 0}))
    assert done(session, "forage", [6, 5], who="ann") == 2
    assert (ann(session).supply, session.scene.clock.now) == (3, WATCH)


# ---------------------------------------------------------------------- magic


@pytest.mark.rule("marchen.gap.casting.level")
def test_depths_take_levels_of_skill_or_specialization() -> None:
    adept = hero(skills={"arcana": 1}, specials=[("arcana", "Fire", 3)])
    assert [adept_in(adept, depth) for depth in (1, 3, 4)] == ["arcana", "arcana", None]
    assert adept_in(hero(), 1) is None
    session = alone(hero(skills={"arcana": 1}))
    assert refused(session, "cast_deed", who="ann", skill="arcana", depth="shape") == "marchen.gap.casting.level"
    assert refused(session, "cast_deed", who="ann", skill="athletics") == "marchen.gap.casting.depths"


@pytest.mark.rule("marchen.gap.casting.depths")
@pytest.mark.parametrize("depth", ["sense", "shape", "weave", "govern"])
def test_depths_are_as_hard_as_long_and_as_strong_as_the_ledger_says(depth: str) -> None:
    said = data("marchen.gap.casting.depths")[depth]
    master = hero(skills={"arcana": 4}, wounds=hurt(physical=11))
    session = alone(master)
    dice = [1] * said["depth"]
    needed = 8 - 4 - {"routine": 2, "average": 0, "difficult": -2, "very_difficult": -4}[said["difficulty"]]
    faces = [min(6, needed - 1), needed - min(6, needed - 1)]
    done(session, "cast_deed", [*faces, *dice], who="ann", skill="arcana", depth=depth, purpose="heal", target="ann")
    assert session.scene["ann"].status.physical == 11 - said["depth"]
    assert session.scene["ann"].status.spiritual == said["depth"] - 1
    assert session.scene.clock.now == {"significant": 0, "puncti": PUNCTI, "watch": WATCH}[said["time"]]


@pytest.mark.rule("marchen.gap.casting.price")
def test_costs_of_failures_to_the_caster() -> None:
    assert play(cast(0, 2), TypedDice([1, 2, 4])).result.price.damage == 4
    assert play(cast(0, 2), TypedDice([1, 1, 4, 5])).result.price.damage == 9
    assert play(cast(0, 2), TypedDice([1, 4])).result.price.damage == 0
    won = play(cast(0, 2, purpose="heal"), TypedDice([4, 4, 3, 4])).result
    assert (won.healed, won.price.damage) == (7, 1)
    harmed = play(cast(0, 2, armour=2, threshold=50), TypedDice([4, 4, 3, 4, 1, 2])).result
    assert harmed.hurt.damage == 5


def test_a_caster_can_fall_by_the_price() -> None:
    session = alone(hero(skills={"arcana": 2}, wounds=hurt(spiritual=12)))
    done(session, "cast_deed", [4, 3, 4, 3], who="ann", skill="arcana", depth="shape")  # hurt: DM-1
    assert session.scene["ann"].status.spiritual == 13
    assert session.scene["ann"].status.down


# ---------------------------------------------------------------------- other dice


@pytest.mark.rule("marchen.core.selection")
@pytest.mark.parametrize("core", ["D10", "D20", "D100", "3d6", "4d7", "8D4"])
def test_a_campaign_changes_its_core_and_sees_the_odds_move(core: Core) -> None:
    session = together(template("soldier"))
    who = session.scene.participants[0].id
    before = session.scene[who].character
    session.do("marchen.change_core", core=core)
    assert session.scene.options.core == core
    assert session.scene[who].character == before
    assert book().legality(before, session.scene.options, session.scene.library).violations == ()
    (moved,) = [line for line in session.log if isinstance(line, OddsMoved)]
    assert len(moved.moved) == len(TYPICAL)
    for (difficulty, modifier), (_, old, new) in zip(TYPICAL, moved.moved, strict=True):
        assert old == round(1_000 * chance("2d6", difficulty, modifier, MarchenOptions()))
        assert new == round(1_000 * chance(core, difficulty, modifier, MarchenOptions()))
    session.undo()
    assert session.scene.options.core == "2d6"


@pytest.mark.rule("marchen.core.selection")
def test_comparing_changes_nothing() -> None:
    session = together(template("soldier"))
    session.do("marchen.compare_core", core="D20")
    assert session.scene.options.core == "2d6"
    [entry] = entries(session.live, session.rulebook, GAME_MASTER)
    assert entry.quiet.startswith("average +0 42% to 50%")
