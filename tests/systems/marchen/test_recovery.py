"""Getting well: rest, first aid, triage, camps, the pool of a company, conditions."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.acts import ann, done, later, refused_by, told, why_not
from systems.marchen.fights import ruled
from systems.marchen.people import WATCH, alone, book, hero, hurt, library, somebody, together
from systems.playing import examples, status
from tablewright.dice import TypedDice
from tablewright.engine import Playthrough, play
from tablewright.game.character.belongings import ItemStack
from tablewright.game.scene.game import Game
from tablewright.systems.marchen.chapters.seasons.activities import lose_condition
from tablewright.systems.marchen.character.record import Condition, Wounds
from tablewright.systems.marchen.content import ConditionKind
from tablewright.systems.marchen.mechanics.magic import day_of_rest, treat
from tablewright.systems.marchen.now import body, readied
from tablewright.systems.marchen.status import chronicle
from tablewright.systems.marchen.values import ASPECTS


@pytest.mark.rule("marchen.gap.healing.rest")
def test_a_day_heals_by_a_die_and_stamina() -> None:
    for given, expect in examples("marchen.gap.healing.rest"):
        call = day_of_rest(given["stamina"], given.get("active", False))
        assert play(call, TypedDice([given["die"]] if "die" in given else [])).result == expect["healed"]
    assert play(day_of_rest(2), TypedDice([3])).result == 5
    assert play(day_of_rest(2, True), TypedDice([])).result == 3


@pytest.mark.rule("marchen.gap.healing.rest")
def test_days_in_one_step_are_as_day_by_day() -> None:
    wounded = hero(wounds=hurt(physical=9, mental=2, social=1, spiritual=4))
    whole, single, active = alone(wounded), alone(wounded), alone(wounded)
    done(whole, "rest", [3, 4], days=2)
    for face in (3, 4):
        done(single, "rest", [face], days=1)
    assert dict(status(whole).damage) == {"physical": 2, "mental": 0, "social": 0, "spiritual": 2}
    assert whole.scene == single.scene
    assert dict(ann(later(whole)).wounds.damage) == {"physical": 2, "spiritual": 2}  # from scene to scene
    assert status(later(whole)).physical == 2
    done(active, "rest", days=1, active=True)
    assert dict(status(active).damage) == {"physical": 8, "mental": 2, "social": 1, "spiritual": 4}


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
    assert (status(session).physical, session.scene.clock.now) == (5, WATCH)
    assert status(session, "bob").belongings == ()
    assert refused_by(session, "first_aid", who="bob", patient="ann") == "marchen.watch.first_aid"
    worse, failed = [together(hero(wounds=hurt(physical=5)), healer) for _ in range(2)]
    for treated, faces, healed, damage in ((worse, [1, 1], -1, 6), (failed, [3, 4], 0, 5)):
        assert done(treated, "first_aid", faces, who="bob", patient="ann") == healed
        assert (status(treated).physical, status(treated).treated) == (damage, True)
    assert "The treatment does not help Ann." in told(failed)
    assert "heals" not in told(failed)
    assert "was treated" in why_not(failed, "first_aid", who="bob", patient="ann")
    assert refused_by(together(hero(), healer), "first_aid", who="bob", patient="ann") == "marchen.watch.first_aid"


@pytest.mark.rule("marchen.watch.first_aid", "marchen.gap.face.check", "marchen.gap.face.outcomes")
@pytest.mark.parametrize(
    ("before", "faces", "damage", "fate", "conditions", "dying"),
    [
        ({"physical": 23}, [1, 1], 24, "dead", [], ""),  # a bad treatment may be the end
        ({"physical": 12}, [1, 1, 4, 3], 13, "", ["Wounded"], ""),  # faced: Fail in Style
        ({"physical": 11}, [1, 1], 12, "", [], ""),
        ({"physical": 20, "dying": "watch"}, [4, 3], 20, "", [], "watch"),
        ({"physical": 20, "dying": "watch"}, [4, 4], 18, "", [], ""),  # a success saves the dying
    ],
)
def test_first_aid_may_save_or_end_those_who_are_down(
    before: dict[str, Any], faces: list[int], damage: int, fate: str, conditions: list[str], dying: str
) -> None:
    session = together(hero(skills={"life_sciences": 0}), somebody("Bob"))
    ruled(session, "bob", down=True, **before)
    done(session, "first_aid", faces, who="ann", patient="bob")
    bob = status(session, "bob")
    assert (bob.physical, bob.fate, bob.dying) == (damage, fate, dying)
    assert [one.name for one in bob.conditions] == conditions


@pytest.mark.rule("marchen.puncti.triage", "marchen.gap.face.outcomes")
def test_triage_stabilises_and_heals_nothing() -> None:
    session = together(hero(wounds=hurt(physical=12)), hero("Bob", skills={"life_sciences": 0}))
    done(session, "hurt", [1, 1, 2, 1, 3], who="ann", dice=1)  # 13 of 12: Fail
    for faces, dying in (([3, 4], "watch"), ([4, 4], "")):
        done(session, "triage", faces, who="bob", patient="ann")
        assert (status(session).dying, status(session).physical, status(session).down) == (dying, 13, True)
    assert refused_by(session, "triage", who="bob", patient="ann") == "marchen.puncti.triage"
    session.do("table.pass_time", amount="2 watches")
    assert status(session).fate == ""
    late = together(hero(wounds=hurt(physical=12)))
    done(late, "hurt", [1, 1, 2, 1, 3], who="ann", dice=1)
    late.do("table.pass_time", amount="1 watch")
    assert status(late).fate == "dead"


@pytest.mark.rule("marchen.watch.make_camp")
def test_a_camp_costs_supply_and_heals_twice_a_day() -> None:
    session = together(hero(supply=3, wounds=hurt(physical=5, mental=2)), hero("Bob"))
    done(session, "make_camp", answers=["mental"], payer="ann")
    assert (status(session).mental, ann(session).supply) == (1, 2)
    done(session, "make_camp", answers=["physical"], payer="ann")
    done(session, "make_camp", payer="ann")  # the third time today: no one is asked
    assert (status(session).physical, session.scene.clock.now) == (4, 3 * WATCH)
    assert refused_by(session, "make_camp", payer="ann") == "marchen.watch.make_camp"


@pytest.mark.rule("marchen.gap.healing.company_pool")
def test_the_company_pool_behind_its_option() -> None:
    session = together(hero(wounds=hurt(social=2, physical=1)), hero("Bob"), company_pool=True)
    session.do("marchen.refill_pool")
    assert chronicle(session.scene).pool == 2
    done(session, "use_pool", who="ann", aspect="social")
    assert (status(session).social, chronicle(session.scene).pool) == (1, 1)
    done(session, "use_pool", who="ann", aspect="social")
    assert refused_by(session, "use_pool", who="ann", aspect="social") == "marchen.gap.healing.company_pool"
    assert refused_by(alone(), "refill_pool") == "marchen.gap.healing.company_pool"


@pytest.mark.rule("marchen.puncti.companion_takes_hit")
def test_a_companion_endures_with_its_own_scores() -> None:
    session = together(somebody("Dog", stamina=3))
    done(session, "hurt", [5, 6, 5], who="dog", dice=1)  # 11 + 3: extraordinary
    assert status(session, "dog").physical == 5 - 4


# ---------------------------------------------------------------------- conditions


@pytest.mark.rule("marchen.resource.tracks")
@pytest.mark.parametrize("kind", library().of(ConditionKind), ids=lambda kind: kind.id)
def test_every_condition_hampers_checks_of_its_aspect_by_one(kind: ConditionKind) -> None:
    session = alone()
    session.do("marchen.afflict", who="ann", condition=kind.id)
    for aspect in ASPECTS:
        total = readied(session.scene, "ann", aspect).tally.total
        assert total == (-1 if aspect == kind.aspect else 0)
        assert body(session.scene, "ann", aspect).bearing.face_modifier == total
    session.do("marchen.relieve", who="ann", condition=kind.id)
    assert status(session).conditions == ()
    assert refused_by(session, "relieve", who="ann", condition=kind.id) == "marchen.resource.tracks"
    assert told(session) == f"Ann suffers a condition: {kind.name}. Ann gets rid of a condition: {kind.name}."


@pytest.mark.rule("marchen.resource.tracks")
def test_only_the_condition_that_is_named_is_relieved_and_no_scar() -> None:
    kinds = [one for one in library().of(ConditionKind) if one.aspect == "physical"][:2]
    held = [Condition(name=one.name, aspect="physical") for one in kinds]
    scar = held[1].changed(permanent=True)
    session = together(hero(wounds=Wounds(conditions=(*held, scar))))
    done(session, "relieve", who="ann", condition=kinds[1].id)
    assert status(session).conditions == (held[0], scar)
    assert refused_by(session, "relieve", who="ann", condition=kinds[1].id) == "marchen.resource.tracks"


@pytest.mark.rule("marchen.resource.tracks")
def test_recovering_takes_a_condition_of_the_aspect_and_no_scar() -> None:
    scar = Condition(name="Lamed", aspect="physical", permanent=True)
    shame = Condition(name="Ashamed", aspect="social")
    wound = Condition(name="Wounded", aspect="physical")
    game = Game(together(somebody(wounds=Wounds(conditions=(scar, shame, wound)))).scene, book())
    for _ in range(2):
        Playthrough(lose_condition(game, "ann", ("physical",), "x"), game.log)
        assert game["ann"].status.conditions == (scar, shame)
