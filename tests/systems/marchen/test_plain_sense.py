"""Plain sense of the table: the fallen get up, the departed keep their things, names are names."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.marchen.fights import SWORD, begun, duel, fighter, ruled
from systems.marchen.people import (
    OPTIONS,
    book,
    done,
    followed,
    library,
    options,
    plan,
    somebody,
    together,
    told,
    total,
)
from systems.marchen.test_seasons import hero
from systems.playing import answer as go_on
from systems.playing import words
from tablewright.engine import Choice, odds
from tablewright.engine.advice import value_options
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Ranks
from tablewright.game.character.sheet import sheet_text
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.systems.marchen.chapters.seasons.catalogue import SCALES
from tablewright.systems.marchen.chapters.seasons.requirements import in_sanctuary
from tablewright.systems.marchen.character.record import FOR_GOOD, Condition, Journey, Raise, Study, Wounds
from tablewright.systems.marchen.events.fight import EnteredTheFray
from tablewright.systems.marchen.events.recovery import ObstacleMet
from tablewright.systems.marchen.mechanics.clash import Clashed, Met, battle, clash
from tablewright.systems.marchen.mechanics.harm import Suffered
from tablewright.systems.marchen.now import arms_of, body
from tablewright.systems.marchen.status import Status, falls, journey


def status(session: Session, who: str = "ann") -> Status:
    found: Status = session.scene[who].status
    return found


# ---------------------------------------------------------------------- down, and up again


@pytest.mark.rule("marchen.gap.face.outcomes")
@pytest.mark.parametrize("faces", [[4, 4], [5, 4]])
def test_facing_the_end_without_damage_leaves_no_weight(faces: list[int]) -> None:
    session = together(somebody("Ann"))
    done(session, "face_the_end", faces, who="ann")  # a tie, a success
    assert not status(session).down
    assert not status(session).weight
    assert total(session.scene["ann"].character, "stamina") == 0


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_with_damage_beyond_the_threshold_it_weighs_until_it_is_down() -> None:
    session = ruled(together(somebody("Ann")), "ann", physical=13)
    done(session, "face_the_end", [4, 4], who="ann")
    assert dict(status(session).weight) == {"physical": 2}
    done(session, "rest", [1], who=("ann",))
    assert not status(session).weight


@pytest.mark.rule("marchen.gap.healing.rest")
def test_a_character_who_was_put_down_without_damage_is_up_a_watch_later() -> None:
    session = together(somebody("Ann"))
    done(session, "face_the_end", [4, 3], who="ann")  # fail in style: down, but conscious
    assert status(session).down
    session.do("table.pass_time", amount="1 puncti")
    assert status(session).down
    session.do("table.pass_time", amount="1 watch")
    assert not status(session).down


@pytest.mark.rule("marchen.gap.healing.rest")
def test_a_character_who_has_more_than_they_can_take_stays_down_however_long() -> None:
    session = ruled(together(somebody("Ann")), "ann", physical=13, down=True)
    session.do("table.pass_time", amount="1 month")
    assert status(session).down


@pytest.mark.rule("marchen.puncti.triage", "marchen.gap.healing.rest")
def test_a_character_who_is_healed_while_dying_gets_up_with_the_triage() -> None:
    session = together(somebody("Ann"), somebody("Bob", skills={"life_sciences": 0}))
    ruled(session, "ann", physical=3, down=True, conscious=False, dying="watch")
    assert done(session, "triage", [4, 4], who="bob", patient="ann")
    assert (status(session).down, status(session).conscious, status(session).dying) == (False, True, "")


def fallen(*falling: str, **fields: Any) -> Status:
    scene: Scene = together(somebody("Ann")).scene.with_status("ann", falling=falling, **fields)
    found: Status = falls(scene, "ann")["ann"].status
    return found


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_a_second_fall_wakes_nobody_and_undoes_no_end() -> None:
    both = fallen("physical fail", "mental fail_in_style")
    assert (both.down, both.conscious, both.dying) == (True, False, "watch")
    assert fallen("mental fail_in_style").conscious
    assert fallen("physical catastrophic", "mental catastrophic").fate == "dead"
    dead = fallen("physical catastrophic", "physical fail")
    assert (dead.fate, dead.dying, dead.conscious) == ("dead", "", False)


# ---------------------------------------------------------------------- who is gone, who has no life any more


@pytest.mark.rule("marchen.puncti.end_the_fight")
@pytest.mark.parametrize("how", ["yields", "flees"])
def test_a_character_who_flees_keeps_what_they_have(how: str) -> None:
    session = ruled(begun(duel()), "bob", physical=6)
    go_on(session, "end_the_fight:bob:sword", how, "none", [6, 5], [1, 1, 1], [1, 2], [4, 4])
    if how == "flees":
        with pytest.raises(IllegalActionError, match="Bob is gone and keeps it"):
            session.do("marchen.loot", who="ann", fallen="bob", item="sword")
    else:
        session.do("marchen.loot", who="ann", fallen="bob", item="sword")
        assert [one.item for one in session.scene["ann"].belongings] == ["sword", "sword"]


ACTS: dict[str, dict[str, Any]] = {
    "overcome_destruction": {"who": "ann"},
    "make_connection": {"who": "ann", "person": "Udo"},
    "forge_bond": {"who": "ann", "person": "Otto"},
    "aid_connection": {"who": "ann", "person": "Otto"},
    "compel_connection": {"who": "ann", "person": "Otto"},
    "test_connection": {"who": "ann", "person": "Otto"},
    "take_patron": {"who": "ann", "person": "Udo"},
    "raise_standing": {"who": "ann"},
    "name_heir": {"who": "ann", "heir": "Udo"},
    "write_epilogue": {"who": "ann"},
    "withstand_damage": {"who": "ann", "item": "sword"},
}


@pytest.mark.rule("marchen.gap.face.outcomes")
@each_case("process", ACTS)
def test_the_dead_have_no_life_left_to_live(process: str) -> None:
    ann = somebody("Ann", connections={"Otto": 1}, treasure=40, belongings=SWORD)
    session = ruled(together(ann), "ann", fate="dead", down=True)
    with pytest.raises(IllegalActionError, match="Ann is dead") as error:
        session.do(f"marchen.{process}", **ACTS[process])
    assert error.value.rule == "marchen.gap.face.outcomes"


@pytest.mark.rule("marchen.season.epilogue")
def test_the_retired_have_no_season() -> None:
    session = together(somebody("Ann", heir="Udo", retired="sage"))
    with pytest.raises(IllegalActionError, match="Ann has retired"):
        session.do("marchen.undertake", who="ann", plan="epilogue:sage")


# ---------------------------------------------------------------------- words


@pytest.mark.rule("marchen.check.specialization", "marchen.skill.aliases")
def test_a_specialization_counts_however_it_is_written() -> None:
    ann = fighter("Ann", skills={"ranged_combat": 1}, belongings=(ItemStack("bow", 1, "hand"),), experience=4)
    session = together(ann)
    before = arms_of(session.scene, "ann")["bow"].base
    session.do("marchen.advance", who="ann", what="specialization", name="bow", skill="ranged_combat")
    assert arms_of(session.scene, "ann")["bow"].base == before + 1
    character = session.scene["ann"].character
    assert total(character, "skill", name="Bows") == 2


@pytest.mark.rule("marchen.gap.advancement.costs")
def test_scores_are_bought_however_they_are_written() -> None:
    session = together(somebody("Ann", experience=60))
    session.do("marchen.advance", who="ann", what="characteristic", name="Agility")
    session.do("marchen.advance", who="ann", what="aspect", name=" Social ")
    assert [one.name for one in session.scene["ann"].character.advances] == ["agility", "social"]
    session.do("marchen.step_back", who="ann")
    session.do("marchen.step_back", who="ann")
    assert session.scene["ann"].character.changes == ()


@pytest.mark.rule("marchen.gap.fight.surprise")
def test_a_surprised_character_has_no_effect_to_tell() -> None:
    session = duel()
    session.live.emit(
        EnteredTheFray(who="bob", effect=-600, control=False, loses_round=True, surprised=True, cause="x")
    )
    assert told(session).endswith("Bob is taken by surprise and loses the first round.")


@pytest.mark.rule("marchen.season.sojourn")
def test_a_season_says_who_did_what() -> None:
    session = together(somebody("Ann"))
    done(session, "season", [4, 4], plans=("ann=research_lore:old kings",))
    assert told(session).endswith("Season 1 is over. Ann chose Research Lore (old kings).")


@pytest.mark.rule("marchen.interrupted.trigger")
def test_a_season_that_was_interrupted_says_so() -> None:
    session = together(hero(), hero("Bob"))
    session.do("marchen.season", plans=("ann=research_lore:old kings",))  # Bob still has to say what he does
    ruled(session, "ann", interrupted=True)
    session.choose("rest")
    assert "ann: Research Lore comes to nothing: the season was interrupted" in followed(session)


@pytest.mark.rule("marchen.gap.casting.depths")
def test_a_deed_outside_of_a_fight_says_what_it_did() -> None:
    session = together(somebody("Ann", skills={"arcana": 2}), somebody("Bob"))
    deed = {"skill": "arcana", "depth": "shape", "purpose": "harm", "target": "bob"}
    done(session, "cast_deed", [4, 4, 1, 1, 6, 5], who="ann", **deed)
    assert told(session).startswith("Ann shapes Arcana against Bob: a success. Bob takes no physical damage.")
    assert "in control" not in told(session)


@pytest.mark.rule("marchen.watch.travel_modes")
def test_miles_are_told_where_no_journey_was_named() -> None:
    session = together(somebody("Ann"))
    assert done(session, "travel", mode="adventure", watches=3) == 24
    assert "The company covers 24 miles." in told(session)


# ---------------------------------------------------------------------- standing abroad


@pytest.mark.rule("marchen.sojourn.receive_title", "marchen.recover.resupply")
@pytest.mark.parametrize(("culture", "titles", "supply"), [("", (), 4), ("Hanse", (), 3), ("Hanse", ("Hanse",), 4)])
def test_a_strangers_standing_brings_no_supplies(culture: str, titles: tuple[str, ...], supply: int) -> None:
    session = together(somebody("Ann", culture="Rhineland", social=2, supply=3, titles=titles))
    session.do("marchen.arrive", place="here", culture=culture)
    done(session, "season", [3, 3], plans=("ann=resupply",))  # 6 and 2 are enough, 6 alone is not
    assert session.scene["ann"].character.supply == supply


# ---------------------------------------------------------------------- refusals and small print


@pytest.mark.rule("marchen.sojourn.meet_patron", "marchen.connection.ranks")
@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ("meet_patron", "say which: the Abbess"),
        ("meet_patron:the Abess", 'Ann has no patron the Abess; there are the Abbess; did you mean "the Abbess"?'),
        ("forge_bond:Udo", "Ann has no connection Udo; there are Otto"),
        ("tend_holding:a mill", "Ann has no holding a mill"),
        ("treasury:crown", "Ann has no thing crown; there are sword"),
        ("confer_with_sage:hobby/chess", "chess is a trait of Ann already"),
        ("repair", "Ann has nothing to repair"),
        ("repair:sword", "Ann has nothing to repair: sword"),
        ("write_song:The Toll", "the company has a song The Toll already"),
    ],
)
def test_a_plan_is_refused_with_what_there_is(plan: str, reason: str) -> None:
    fields: dict[str, Any] = {
        "patrons": ("the Abbess",),
        "connections": {"Otto": 1},
        "traits": ("chess",),
        "belongings": SWORD,
    }
    session = together(hero(**fields), hero("Bob", songs=("The Toll",)))
    with pytest.raises(IllegalActionError) as error:
        session.do("marchen.undertake", who="ann", plan=plan)
    title = SCALES["season"].by_id[plan.partition(":")[0]].title
    assert error.value.message == f"{title}: {reason}"


@pytest.mark.rule("marchen.puncti.negotiate", "marchen.puncti.compel")
@pytest.mark.parametrize("process", ["negotiate", "compel"])
def test_nobody_talks_themselves_over(process: str) -> None:
    with pytest.raises(IllegalActionError, match="would only talk to themselves"):
        together(hero()).do(f"marchen.{process}", who="ann", against="ann")


@pytest.mark.rule("marchen.check.retry")
def test_an_obstacle_is_told_of_in_whole_sentences() -> None:
    found = []
    for state in ("solved", "shut", ""):
        session = together(hero())
        session.live.emit(ObstacleMet(who="ann", obstacle="wall", state=state, what="and more", cause="x"))
        found.append(told(session))
    assert found == [
        "Wall is overcome. And more.",
        "Wall cannot be tried again. And more.",
        "Wall is still in the way. And more.",
    ]


@pytest.mark.rule("marchen.gap.advancement.earning")
def test_a_retired_character_earns_nothing() -> None:
    session = together(hero(), hero("Bob"), hero("Cid", heir="Udo", retired="sage"))
    ruled(session, "bob", fate="dead", down=True)
    session.do("marchen.award")
    assert [session.scene[who].character.experience for who in ("ann", "bob", "cid")] == [1, 0, 0]
    session.do("marchen.award", who=("bob",))
    assert session.scene["bob"].character.experience == 1


@pytest.mark.rule("marchen.puncti.end_the_fight")
def test_there_is_advice_on_what_becomes_of_the_foe() -> None:
    session = go_on(ruled(begun(duel()), "bob", physical=6), "end_the_fight:bob:sword")
    assert isinstance(session.question, Choice)
    weighed = value_options(session.question)
    assert weighed is not None
    assert {one.id: (int(one.value), one.best) for one in weighed.options} == {
        "felled": (12, True),
        "yields": (12, False),
        "flees": (11, False),
    }


@pytest.mark.rule("marchen.month.sparring", "marchen.degree.sigma_method")
@pytest.mark.parametrize("method", ["table", "sigma"])
@pytest.mark.parametrize(("less", "standing"), [(0, 1), (-1, 0)])
def test_a_plain_18_is_18_however_degrees_are_read(method: str, less: int, standing: int) -> None:
    strong = hero(physical=3, muscle=3, skills={"athletics": 0})
    session = together(strong, sparring_difficulty="literal_18", degree_method=method)
    session.do("marchen.gain_help", who="ann", dm=less)
    done(session, "month", [6, 6], plans=("ann=sparring",))
    assert len(session.scene["ann"].character.raises) == standing


@pytest.mark.rule("marchen.ounces.endure", "marchen.month.sparring")
def test_standing_in_a_society_helps_to_endure_where_the_aspect_counts() -> None:
    raised = Raise(aspect="social", value=2, phases=100, issue="this society", source="sparring")
    for adds in (False, True):
        session = together(somebody("Ann", raises=(raised,)), characteristic_check_adds_aspect=adds)
        assert body(session.scene, "ann", "social").bearing.endure == (2 if adds else 0)


@pytest.mark.rule("marchen.month.sparring", "marchen.sojourn.raise_standard_of_living")
def test_standing_that_was_fought_for_does_not_wear_off() -> None:
    fought = Raise(aspect="social", value=1, phases=FOR_GOOD, issue="this society", source="sparring")
    bought = Raise(aspect="social", value=2, phases=2, source="standard of living")
    session = together(hero(raises=(fought, bought)))
    for left in (1, None):
        done(session, "season", plans=("ann=rest",))
        found = {one.source: one.phases for one in session.scene["ann"].character.raises}
        assert found.pop("sparring") == FOR_GOOD
        assert found.get("standard of living") == left


@pytest.mark.rule("marchen.resource.tracks", "marchen.gap.face.outcomes")
def test_a_sheet_tells_what_weighs_and_what_raises() -> None:
    scar = Condition(name="social scar", aspect="social", permanent=True)
    wounds = Wounds(conditions=(scar,), down=True, conscious=False, dying="watch", weight=Ranks({"physical": 2}))
    raised = Raise(aspect="social", value=1, phases=1, issue="the trial", source="support")
    fought = Raise(aspect="social", value=2, phases=FOR_GOOD, issue="Hanse", source="sparring")
    study = Study(skill="stealth", seasons=3)
    one = hero(wounds=wounds, raises=(raised, fought), studies=(study,), discount=6)
    text = " ".join(sheet_text(book().sheet(one, options(aspect_names="fame"), library())).split())
    for part in (
        "Social Scar -1 on emotional checks (for good)",
        "Faced the end -2 on everything (until the damage is down)",
        "State down, unconscious, dying within a watch",
        "social +1 in the trial for 1 season (support), social +2 in Hanse (sparring)",
        "In training Stealth, 3 seasons",
        "Off the next raise of standing 6",
    ):
        assert part in text
    dead = hero(wounds=Wounds(fate="dead", down=True, conscious=False))
    text = " ".join(sheet_text(book().sheet(dead, OPTIONS, library())).split())
    assert "Fate dead" in text
    assert "State" not in text


@pytest.mark.rule("marchen.gap.threshold.size")
def test_a_character_who_has_grown_can_take_more_at_once() -> None:
    session = together(somebody("Ann", experience=20))
    assert status(session).limits == (12, 12, 12, 12)
    ruled(session, "ann", physical=13)
    done(session, "face_the_end", [4, 4], who="ann")
    assert dict(status(session).weight) == {"physical": 2}
    session.do("marchen.advance", who="ann", what="characteristic", name="muscle")
    assert status(session).limits == (13, 12, 12, 12)
    assert not status(session).weight


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_a_character_who_comes_with_a_weight_and_no_such_damage_is_rid_of_it() -> None:
    for damage, weighs in ((12, False), (13, True)):
        wounds = Wounds(damage=Ranks({"physical": damage}), weight=Ranks({"physical": 2}))
        assert bool(status(together(somebody("Ann", wounds=wounds))).weight) is weighs


@pytest.mark.rule("marchen.resource.tracks")
def test_a_condition_is_named_to_whom_it_concerns() -> None:
    session = together(somebody("Ann"))
    session.do("marchen.afflict", who="ann", condition="sick")
    session.do("marchen.relieve", who="ann", condition="sick")
    assert told(session) == "Ann suffers a condition: Sick. Ann gets rid of a condition: Sick."


@pytest.mark.rule("marchen.season.training")
def test_seasons_of_training_add_up_however_it_is_written() -> None:
    session = together(hero(skills={"ranged_combat": 1}), training_seasons_per_level=8)
    for name in ("Bow", "bow", " BOW "):
        session.do("marchen.train", who="ann", skill="ranged_combat", specialization=name)
    assert [one.seasons for one in session.scene["ann"].character.studies] == [3]


# ---------------------------------------------------------------------- what outlasts a scene


def later(session: Session, **changed: Any) -> Session:
    """The next scene of the same people, as they go out of the last one."""
    return together(*[book().export_character(session.scene, one.id) for one in session.scene.present], **changed)


@pytest.mark.rule("marchen.sojourn.open_sanctuary", "marchen.recover.heal_corruption")
def test_a_sanctuary_is_one_in_the_next_scene_too() -> None:
    session = together(hero())
    session.do("marchen.arrive", place="Rivendell", sanctuary=True)
    again = later(session)
    again.do("marchen.arrive", place="Rivendell")
    assert in_sanctuary(again.scene)
    again.do("marchen.arrive", place="Bree")
    assert not in_sanctuary(again.scene)


@pytest.mark.rule("marchen.watch.travel_modes", "marchen.watch.reach_destination")
def test_a_journey_goes_on_in_the_next_scene() -> None:
    session = together(hero(), hero("Bob"))
    session.do("marchen.set_out", to="Bree", miles=20)
    done(session, "travel", mode="adventure")
    again = later(session)
    assert journey(again.scene) == Journey(to="Bree", miles=20, gone=8)
    text = " ".join(sheet_text(book().sheet(again.scene["ann"].character, OPTIONS, library())).split())
    assert "On the way to Bree (8 of 20 miles)" in text
    assert done(again, "travel", mode="travel", watches=3) == 16
    assert journey(again.scene) is None
    assert journey(later(again).scene) is None


@pytest.mark.rule("marchen.watch.travel_modes")
def test_a_character_who_travels_with_others_stays_on_their_own_journey() -> None:
    session = together(hero())
    session.do("marchen.set_out", to="Bree", miles=20)
    mixed = together(book().export_character(session.scene, "ann"), hero("Bob"))
    done(mixed, "travel", mode="adventure")
    assert mixed.scene["ann"].character.journey == Journey(to="Bree", miles=20)


@pytest.mark.rule("marchen.month.go_to_market")
def test_items_not_for_sale_are_told_with_similar_ones() -> None:
    session = together(hero())
    for detail, reason in (("swrd", 'swrd is not for sale; did you mean "sword"?'), ("", "say what")):
        with pytest.raises(IllegalActionError) as error:
            session.do("marchen.month", plans=(f"ann=go_to_market:{detail}",))
        assert error.value.message == f"Go to Market: {reason}"


@pytest.mark.rule("marchen.sojourn.write_song")
def test_a_song_helps_once_until_the_next_season_in_whatever_scene() -> None:
    session = together(hero(songs=("The Toll",)))
    session.do("marchen.sing", who="ann", song="The Toll")
    again = later(session)
    with pytest.raises(IllegalActionError, match="sung since the last season"):
        again.do("marchen.sing", who="ann", song="The Toll")
    done(again, "season", plans=("ann=rest",))
    again.do("marchen.sing", who="ann", song="The Toll")


@pytest.mark.rule("marchen.time.frames")
def test_four_seasons_are_a_year_in_however_many_scenes() -> None:
    session = together(hero(age=20))
    for season in range(1, 9):
        session = later(session)
        done(session, "season", plans=("ann=rest",))
        assert session.scene["ann"].character.age == 20 + season // 4


@pytest.mark.rule("marchen.ounces.pay_the_price", "marchen.ounces.lose_momentum")
def test_pending_help_waits_in_the_next_scene_too() -> None:
    session = together(hero(supply=0, treasure=0, skills={"athletics": 0}))
    done(session, "face_danger", [3, 3], who="ann", skill="athletics")  # a minor failure: -1 on the next check
    session.do("marchen.lose_momentum", who="ann")
    again = later(session)
    character = again.scene["ann"].character
    assert total(character, "stamina") == -1
    assert plan(character, "stamina").call.named_arguments()["advantage"] == "disadvantage"
    text = " ".join(sheet_text(book().sheet(character, OPTIONS, library())).split())
    assert "On the next check the price -1, a disadvantage" in text
    again.do("table.check", who="ann", what="stamina")
    again.type_in([4, 5, 4, 4])
    assert "degree fail in style" in words(again)[-1]  # 8 - 1
    assert later(again).scene["ann"].status.nexts == ()
    assert not later(again).scene["ann"].status.hindered


@pytest.mark.rule("marchen.puncti.aid_your_ally")
def test_help_of_any_name_is_taken_along() -> None:
    session = together(hero())
    session.do("marchen.gain_help", who="ann", dm=2, reason=" " * 70)
    session.do("marchen.gain_help", who="ann", dm=1, reason="x" * 90)
    assert [(one.name, one.dm) for one in later(session).scene["ann"].status.nexts] == [("help", 2), ("x" * 60, 1)]


@pytest.mark.rule("marchen.skill.task_tables")
def test_a_task_that_is_the_same_as_another_says_which() -> None:
    session = together(hero())
    session.do("marchen.look_up", words="one's own crimes")
    king = "make a king or high priest step down for his own crimes"
    assert f"Godly (-12): the same for one's own crimes ({king}), with Intimidation" in words(session)[-1]


@pytest.mark.rule("marchen.skill.level_gates")
def test_a_seat_that_knows_too_little_hears_only_that_something_happened() -> None:
    session = together(hero(skills={"stealth": 0}))
    with pytest.raises(IllegalActionError, match="Ann has level 0 in Stealth; to start a task chain takes level 3"):
        session.do("marchen.chain", tasks=("ann:stealth",))


@pytest.mark.rule("marchen.month.go_hunting", "marchen.puncti.aid_your_ally")
def test_a_refusal_names_its_rule_once() -> None:
    with pytest.raises(IllegalActionError) as error:
        together(hero()).do("marchen.month", plans=("ann=go_hunting:luck",))
    assert str(error.value) == "Go Hunting: Ann has no boon luck [marchen.sojourn.patrol_wild]"
    session = together(fighter("Ann"), fighter("Cid"), fighter("Bob"))
    session.do("table.change_sides", who="bob", side="foes")
    session.do("marchen.encounter")
    go_on(session, [6, 6], [5, 5], [4, 4])
    assert isinstance(session.question, Choice)
    reasons = {one.id: one.reason for one in session.question.closed}
    assert reasons["aid_your_ally"] == "Ann has level 0 in Melee Combat; to aid another takes level 2"


@pytest.mark.rule("marchen.play.basic_process", "marchen.check.passive", "marchen.ounces.lose_momentum")
@pytest.mark.parametrize(
    ("words", "helps", "hindered"),
    [(("automatic=success",), 1, True), (("passive=yes",), 0, True), ((), 0, False)],
)
def test_pending_help_is_used_by_checks_it_can_change(words: tuple[str, ...], helps: int, hindered: bool) -> None:
    session = together(hero())
    session.do("marchen.gain_help", who="ann", dm=2)
    session.do("marchen.lose_momentum", who="ann")
    session.do("table.check", who="ann", what="stamina", situation=words)
    if not words:
        session.type_in([3, 3, 4, 4])
    assert (len(status(session).nexts), status(session).hindered) == (helps, hindered)


@pytest.mark.rule("marchen.opposed.tie", "marchen.gap.fight.battle", "marchen.ounces.clash")
def test_nothing_is_won_without_a_winner() -> None:
    fought = [met for met in odds(battle(opposed_tie="fail_in_style")).outcomes if met.winner == "nobody"]
    assert fought == [Met("nobody", 0, 0)]
    clashed = [met for met in odds(clash(back_dice=3, opposed_tie="fail_in_style")).outcomes if met.winner == "nobody"]
    assert clashed == [Clashed("nobody", 0, "", Suffered(), Suffered())]
