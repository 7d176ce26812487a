"""Experience: earning and spending it, training, sages, demigods and deities, steps taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.marchen.acts import ann, done, why_not
from systems.marchen.fights import ruled
from systems.marchen.people import DEAD, OPTIONS, book, data, hero, library, options, somebody, template, together
from systems.playing import asked, examples
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.marchen.advancement import highest_level, moved, purchases, session_experience
from tablewright.systems.marchen.chapters.life import lost, permanently
from tablewright.systems.marchen.character.costs import cost_of, lowered_by, study_skill
from tablewright.systems.marchen.character.figures import score
from tablewright.systems.marchen.character.record import Advance, Change, MarchenCharacter
from tablewright.systems.marchen.content import Skill
from tablewright.systems.marchen.values import SKILLS


@pytest.mark.rule("marchen.gap.advancement.earning")
def test_experience_for_a_session() -> None:
    row = data("marchen.gap.advancement.earning")
    assert session_experience(goal=False, remarkable=False).total == row["session"]
    assert session_experience(goal=True, remarkable=False).total == row["session"] + row["goal"]
    assert session_experience(goal=True, remarkable=True).total == 3 * row["session"]
    assert session_experience(goal=False, remarkable=False, lost_sparring=2).total == 1 + 2 * row["lost_sparring"]
    retired = hero("Cid", heir="Udo", retired="sage")
    session = ruled(together(template("soldier"), template("wolf"), hero("Bob"), retired), "bob", **DEAD)
    for given, wolf in (({"goal": True, "bonus": 4}, 0), ({"who": ("wolf", "bob"), "remarkable": True}, 2)):
        session.do("marchen.award", **given)
        experience = {one.id: one.character.experience for one in session.scene.participants}
        assert experience == {"roland": 6, "wolf": wolf, "bob": wolf, "cid": 0}


@pytest.mark.rule("marchen.gap.advancement.costs")
def test_costs() -> None:
    for given, expect in examples("marchen.gap.advancement.costs"):
        what, new = given["what"], given["to"]
        if what == "specialization":
            one = somebody(skills={"stealth": 1}, specials=[("stealth", "Shadowing", new - 1)])
            cost = cost_of(one, what, "Shadowing", "stealth", OPTIONS)
        else:
            name = "faith" if what == "characteristic" else "social"
            cost = cost_of(somebody(**{name: new - 1}), what, name, "", OPTIONS)
        assert cost.total == expect["cost"]


@pytest.mark.rule("marchen.gap.advancement.costs")
def test_buying_step_by_step() -> None:
    row = data("marchen.gap.advancement.costs")
    session = together(somebody(kind="character", age=40, experience=100, muscle=1, physical=0))
    steps = (
        ("skill", "stealth", "", row["new_skill"]),
        ("skill", "Stealth", "", 6),
        ("specialization", "Shadowing", "stealth", 10),
        ("characteristic", "Muscle", "", 40),
        ("aspect", " Physical ", "", 80),
    )
    for what, name, skill, spent in steps:
        done(session, "advance", who="ann", what=what, name=name, skill=skill)
        assert (ann(session).spent, ann(session).available) == (spent, 100 - spent)
    assert (ann(session).skills["stealth"], ann(session).specializations[0].level) == (1, 1)
    assert [score(ann(session), name, OPTIONS).total for name in ("muscle", "physical")] == [2, 1]
    for what, name, skill, reason in (
        ("characteristic", "muscle", "", "costs 40 experience and Ann has 20"),
        ("skill", "stealth", "", "marchen.specialization.study"),
        ("specialization", "Fire", "arcana", "marchen.specialization.unlock"),
        ("aspect", "muscle", "", "is no aspect"),
    ):
        assert reason in why_not(session, "advance", who="ann", what=what, name=name, skill=skill)
    for _ in steps:
        done(session, "step_back", who="ann")
    assert (ann(session).spent, dict(ann(session).skills)) == (0, {})
    assert (ann(session).specializations, ann(session).changes) == ((), ())
    assert "nothing yet" in why_not(session, "step_back", who="ann")


@pytest.mark.rule("marchen.aspect.current_and_maximum")
def test_a_score_at_its_maximum_cannot_be_bought() -> None:
    full = "marchen.aspect.current_and_maximum"
    direct = together(somebody(faith=4, experience=500))
    assert full in why_not(direct, "advance", who="ann", what="characteristic", name="faith")
    long = together(somebody(faith=9, experience=500), score_scale="cepheus")
    mean = why_not(long, "advance", who="ann", what="aspect", name="spiritual")
    assert "marchen.gap.score.cepheus_aspect" in mean
    done(long, "advance", who="ann", what="characteristic", name="faith")
    assert score(ann(long), "faith", options(score_scale="cepheus")).total == 10


@pytest.mark.rule("marchen.specialization.master_bonus", "marchen.gap.advancement.costs")
def test_mastery_and_current_scores_by_experience_and_back() -> None:
    session = together(somebody(skills={"stealth": 1}, specials=[("stealth", "Shadowing", 3)], experience=16))
    done(session, "advance", who="ann", what="specialization", name="shadowing", skill="stealth")
    assert (ann(session).skills["stealth"], ann(session).advances[0].lifted) == (2, True)
    assert "Stealth rises to 2" in session.log[-1].narrate()  # type: ignore[union-attr]
    done(session, "step_back", who="ann")
    assert (ann(session).skills["stealth"], ann(session).specializations[0].level) == (1, 3)
    session = together(lost(somebody(social=1, experience=100), "social", OPTIONS))
    assert ann(session).current == {"social": 0}
    done(session, "advance", who="ann", what="aspect", name="social")
    assert ann(session).current == {"social": 1}
    done(session, "step_back", who="ann")
    assert ann(session).current == {"social": 0}


@pytest.mark.rule("marchen.gap.advancement.costs")
def test_spending_shows_everything_with_its_price() -> None:
    session = together(somebody(skills={"stealth": 1}, specials=[("stealth", "Shadowing", 1)], experience=8, faith=4))
    found = {entry.id: entry for entry in purchases(session.scene, "ann")}
    assert set(found) >= {f"skill:{skill}" for skill in SKILLS}
    assert found["skill:arcana"].cost == 2  # type: ignore[union-attr]
    assert found["specialization:Shadowing:stealth"].cost == 8  # type: ignore[union-attr]
    assert "further study" in found["skill:stealth"].reason  # type: ignore[union-attr]
    assert found["characteristic:muscle"].reason == "costs 20 and Ann has 8"  # type: ignore[union-attr]
    assert "the most" in found["characteristic:faith"].reason  # type: ignore[union-attr]
    done(session, "spend", answers=["skill:arcana", "skill:arcana", "done"], who="ann")
    assert (ann(session).skills["arcana"], ann(session).available) == (1, 2)


# ---------------------------------------------------------------------- training


@pytest.mark.rule("marchen.season.training")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.season.training"))
@pytest.mark.parametrize("seasons", [1, 8])
def test_training(given: dict[str, Any], expect: dict[str, Any], seasons: int) -> None:
    level, special = given["skill_level"], given.get("specialization_level")
    specials = [] if special is None else [("stealth", "Shadowing", special)]
    one = somebody(skills={} if level is None else {"stealth": level}, specials=specials)
    session = together(one, training_seasons_per_level=seasons)
    for season in range(seasons):
        assert ann(session).level("stealth") == level
        assert [study.seasons for study in ann(session).studies] == ([season] if season else [])
        done(session, "train", who="ann", skill="stealth", specialization="Shadowing" if special else "")
    assert (ann(session).level("stealth"), ann(session).studies) == (expect["skill_level"], ())
    if special:
        assert ann(session).specializations[0].level == expect["specialization_level"]
    assert ann(session).available == 0
    done(session, "step_back", who="ann")
    assert ann(session).level("stealth") == level


@pytest.mark.rule("marchen.season.training", "marchen.option.mythic_levels")
def test_training_beyond_four_takes_mythic_levels() -> None:
    one = somebody(skills={"stealth": 2}, specials=[("stealth", "Shadowing", 4)])
    trained: dict[str, Any] = {"who": "ann", "skill": "stealth", "specialization": "Shadowing"}
    assert "marchen.specialization.cap" in why_not(together(one), "train", **trained)
    session = together(one, mythic_levels=True)
    done(session, "train", **trained)
    assert ann(session).specializations[0].level == 5


@pytest.mark.rule("marchen.sojourn.confer_with_sage")
def test_a_sage_teaches_for_half() -> None:
    session = together(somebody(skills={"social_sciences": 1, "physical_sciences_survival": 0}, experience=10))
    done(session, "confer_with_sage", who="ann", lore="travel")
    assert (ann(session).skills["physical_sciences_survival"], ann(session).spent) == (1, 2)
    done(session, "confer_with_sage", who="ann", lore="Explore")
    assert [(one.name, one.level) for one in ann(session).specializations] == [("Survival", 1)]
    assert ann(session).spent == 4
    assert "sages teach" in why_not(session, "confer_with_sage", who="ann", lore="Sword")
    ((given, expect),) = examples("marchen.sojourn.confer_with_sage")
    assert -(-given["normal_cost"] // 2) == expect["advancement_points"]


# ---------------------------------------------------------------------- demigods and deities


MYTHIC = options(mythic_levels=True)


@pytest.mark.rule("marchen.mythic.burn_for_success", "marchen.option.mythic_levels")
def test_burning_points() -> None:
    demigod = somebody(muscle=3, skills={"stealth": 2}, specials=[("stealth", "Shadowing", 5)])
    session = together(demigod, mythic_levels=True)
    burnt: dict[str, Any] = {"who": "ann", "score_name": "muscle", "skill": "stealth"}
    assert done(session, "burn", **burnt, points=2) == 2
    assert score(ann(session), "muscle", MYTHIC).total == 1
    assert "only 5 points" in why_not(session, "burn", **burnt, points=6)
    assert done(session, "burn", **burnt, points=5) == 5  # all there is
    assert score(ann(session), "muscle", MYTHIC).total == -4
    assert "only 0 points" in why_not(session, "burn", **burnt)
    assert "neither an aspect" in why_not(session, "burn", **burnt | {"score_name": "hat"})
    assert "marchen.mythic.burn_for_success" in why_not(session, "burn", **burnt | {"skill": "arcana"})
    assert "marchen.option.mythic_levels" in why_not(together(somebody(muscle=3)), "burn", **burnt)


@pytest.mark.rule("marchen.mythic.apotheosis")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.mythic.apotheosis"))
def test_deities_move_levels(given: dict[str, Any], expect: dict[str, int]) -> None:
    deity = somebody("Zeus", faith=4, skills={"arcana": 2}, specials=[("arcana", "Storms", 6)])
    target = somebody(skills={"stealth": 4}, specials=[("stealth", f"Art {n}", 4) for n in range(3)])
    session = together(deity, target, mythic_levels=True)
    points = given["points_burnt"] * (1 if given["direction"] == "up" else -1)
    level = {"who": "zeus", "target": "ann", "skill": "stealth", "score_name": "faith", "points": points}
    done(session, "move_level", **level)
    assert ann(session).skills["stealth"] == expect["target_level"]
    assert score(session.scene["zeus"].character, "faith", MYTHIC).total == 3
    assert book().legality(ann(session), MYTHIC, library()).ok
    mortal = why_not(session, "move_level", **level | {"who": "ann", "target": "zeus", "skill": "arcana", "points": 1})
    assert "not a deity" in mortal
    for wrong in ({"skill": "order", "points": 1}, {"points": 0}):
        assert "marchen.mythic.apotheosis" in why_not(session, "move_level", **level | wrong)


@pytest.mark.rule("marchen.mythic.apotheosis")
def test_levels_stay_between_nothing_and_six() -> None:
    one = somebody(skills={"stealth": 1})
    assert (moved(one, "stealth", 9).skills["stealth"], moved(one, "stealth", -9).skills["stealth"]) == (6, 0)
    assert moved(somebody(skills={"stealth": 0}), "stealth", -1).changes == ()
    assert (highest_level(somebody()), highest_level(one)) == (0, 1)
    assert highest_level(somebody(skills={"arcana": 2}, specials=[("arcana", "Storms", 6)])) == 6
    assert moved(one, "stealth", 1).changes == (Change(what="stealth", value=1, source="a deity"),)


def test_a_skill_taken_by_a_deity_can_be_learned_again() -> None:
    for masters in (0, 1):
        one = somebody(skills={"stealth": 1 + masters}, specials=[("stealth", "Shadowing", 4)][:masters])
        low = moved(one, "stealth", -1 - masters)
        assert low.skills["stealth"] == 0
        again = study_skill(low, "stealth")
        assert again.skills["stealth"] == 1
        assert book().legality(again, OPTIONS, library()).ok


# ---------------------------------------------------------------------- steps back, and what was learned


@pytest.mark.rule("marchen.gap.advancement.costs")
def test_stepping_back_takes_the_last_of_equal_steps_and_no_other_change() -> None:
    bought = Change(what="faith", value=1, source="advancement")
    gift = Change(what="faith", value=1, source="gift")
    last = Advance(what="characteristic", name="faith", cost=10)
    one = somebody(changes=(bought, gift, bought), advances=(last, last))
    assert lowered_by(one, last, OPTIONS).changes == (bought, gift)
    session = together(somebody(experience=100, changes=(gift,)))
    done(session, "advance", who="ann", what="characteristic", name="faith")
    assert lowered_by(ann(session), ann(session).advances[-1], OPTIONS).changes == (gift,)


COSTS = "marchen.gap.advancement.costs"


def wrong(character: MarchenCharacter) -> list[str]:
    """Violations of the costs of advancement."""
    found = book().legality(character, OPTIONS, library()).violations
    return [f"{one.where}: {one.message}" for one in found if one.rule == COSTS]


def learned(**changes: Any) -> MarchenCharacter:
    """A soldier with experience."""
    return template("soldier").changed(name="Ann", experience=500, **changes)


@pytest.mark.rule("marchen.gap.advancement.costs", "marchen.sojourn.confer_with_sage", "marchen.season.training")
def test_everything_that_was_learned_is_priced_again() -> None:
    session = together(learned())
    for what, name, skill in (
        ("skill", "arcana", ""),
        ("skill", "arcana", ""),
        ("specialization", "Circles", "arcana"),
        ("specialization", "circles", "arcana"),
        ("characteristic", "muscle", ""),
        ("characteristic", "muscle", ""),
        ("aspect", "mental", ""),
    ):
        done(session, "advance", who="ann", what=what, name=name, skill=skill)
    done(session, "confer_with_sage", who="ann", lore="Lore")
    done(session, "train", who="ann", skill="arcana", specialization="Circles")
    grown = ann(session)
    assert wrong(grown) == []
    for at, advance in enumerate(grown.advances):
        for by in (-1, 1):
            if advance.cost + by < 0:
                continue
            paid = advance.changed(cost=advance.cost + by)
            cheap = grown.changed(advances=(*grown.advances[:at], paid, *grown.advances[at + 1 :]))
            message = f"advances[{at}]: {advance.name} costs {advance.cost}, {paid.cost} were paid"
            assert wrong(cheap) == [message]


@pytest.mark.rule("marchen.gap.advancement.costs")
def test_later_changes_of_a_score_do_not_change_its_price() -> None:
    session = together(learned())
    for what, name in (("characteristic", "muscle"), ("skill", "arcana"), ("skill", "arcana")):
        done(session, "advance", who="ann", what=what, name=name)
    assert wrong(permanently(ann(session), "muscle", -2, "age", OPTIONS)) == []
    assert wrong(moved(ann(session), "arcana", -1)) == []


@pytest.mark.rule("marchen.gap.advancement.costs")
@pytest.mark.parametrize(
    "advance",
    [
        Advance(what="skill", name="arcana", cost=2),
        Advance(what="specialization", name="Circles", skill="melee_combat", cost=4),
        Advance(what="specialization", name="Circles", skill="arcana", cost=4),
        Advance(what="characteristic", name="muscle", cost=10),
        Advance(what="aspect", name="muscle", cost=10),
    ],
)
def test_missing_skills_were_not_learned(advance: Advance) -> None:
    gift = Change(what="muscle", value=1, source="a gift")  # it was not bought
    for changes in ((), (gift,)):
        one = learned(changes=changes, advances=(advance,))
        assert wrong(one) == [f"advances[0]: {advance.name} is not there as it was learned"]


@pytest.mark.rule("marchen.specialization.study", "marchen.skill.specialization_scope")
def test_a_new_specialization_is_begun_by_any_name() -> None:
    session = together(somebody(skills={"athletics": 1, "arcana": 0}, experience=16))
    found = {entry.id: entry for entry in purchases(session.scene, "ann")}
    assert found["specialization:athletics"].cost == 4  # type: ignore[union-attr]
    assert "specialization:arcana" not in found
    done(session, "spend", answers=["specialization:athletics", "Wall Climbing", "done"], who="ann")
    assert [(one.name, one.level) for one in ann(session).specializations] == [("Wall Climbing", 1)]
    session.do("marchen.spend", who="ann")
    session.choose("specialization:athletics")
    assert isinstance(session.question, Choice)
    assert {one.id: one.reason for one in session.question.closed}["Wall Climbing"] == "is studied already"
    with pytest.raises((InvalidInputError, IllegalActionError)):
        session.choose("wall climbing")
    session.choose("Law: Roman")
    session.choose("specialization:Law: Roman:athletics")
    assert {one.name: one.level for one in ann(session).specializations} == {"Wall Climbing": 1, "Law: Roman": 2}
    assert ann(session).available == 0
    found = {entry.id: entry for entry in purchases(session.scene, "ann")}
    assert found["specialization:athletics"].reason == "costs 4 and Ann has 0"  # type: ignore[union-attr]


@pytest.mark.rule("marchen.skill.specialization_scope")
def test_a_new_name_is_begun_where_all_names_are_taken() -> None:
    named = library().get(Skill, "athletics").named
    session = together(
        somebody(skills={"athletics": 1}, specials=[("athletics", name, 1) for name in named], experience=16)
    )
    session.do("marchen.spend", who="ann")
    session.choose("specialization:athletics")
    assert asked(session) == (f"Athletics {len(named) + 1}",)
    session.choose("Tumbling with Bears")
    assert ann(session).specializations[-1].name == "Tumbling with Bears"


@pytest.mark.rule("marchen.gap.advancement.costs", "marchen.season.training", "marchen.sojourn.confer_with_sage")
def test_nothing_is_learned_in_the_middle_of_an_encounter() -> None:
    scene = together(learned()).scene
    session = Session(SessionHeader("marchen", "0.1.0", replace(scene, round=1), 1), book())
    for name, given, rule in (
        ("advance", {"what": "skill", "name": "arcana"}, COSTS),
        ("spend", {}, COSTS),
        ("step_back", {}, COSTS),
        ("train", {"skill": "arcana"}, "marchen.season.training"),
        ("confer_with_sage", {"lore": "Lore"}, "marchen.sojourn.confer_with_sage"),
    ):
        told = why_not(session, name, who="ann", **given)
        assert "in the middle of an encounter" in told
        assert rule in told
    assert ann(session) == learned()
