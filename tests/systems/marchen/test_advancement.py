"""Earning and spending experience, training, sages, demigods and deities, stepping back."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.people import OPTIONS, ann, book, data, done, library, options, somebody, template, together
from systems.playing import examples
from tablewright.errors import IllegalActionError
from tablewright.systems.marchen.advancement import (
    highest_level,
    moved,
    purchases,
    session_experience,
)
from tablewright.systems.marchen.chapters.life import lost
from tablewright.systems.marchen.character.costs import cost_of, lowered_by, study_skill
from tablewright.systems.marchen.character.figures import score
from tablewright.systems.marchen.character.record import Change
from tablewright.systems.marchen.values import SKILLS


@pytest.mark.rule("marchen.gap.advancement.earning")
def test_experience_for_a_session() -> None:
    row = data("marchen.gap.advancement.earning")
    assert session_experience(goal=False, remarkable=False).total == row["session"]
    assert session_experience(goal=True, remarkable=False).total == row["session"] + row["goal"]
    assert session_experience(goal=True, remarkable=True).total == 3 * row["session"]
    assert session_experience(goal=False, remarkable=False, lost_sparring=2).total == 1 + 2 * row["lost_sparring"]
    session = together(template("soldier"), template("wolf"))
    done(session, "award", goal=True, bonus=4)
    assert session.scene["roland"].character.experience == 6
    assert session.scene["wolf"].character.experience == 0
    done(session, "award", who=("wolf",), remarkable=True)
    assert session.scene["wolf"].character.experience == 2


@pytest.mark.rule("marchen.gap.advancement.costs")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.gap.advancement.costs"))
def test_costs(given: dict[str, Any], expect: dict[str, int]) -> None:
    what, new = given["what"], given["to"]
    if what == "specialization":
        one = somebody(skills={"stealth": 1}, specials=[("stealth", "Shadowing", new - 1)])
        assert cost_of(one, what, "Shadowing", "stealth", OPTIONS).total == expect["cost"]
    else:
        name = "faith" if what == "characteristic" else "social"
        assert cost_of(somebody(**{name: new - 1}), what, name, "", OPTIONS).total == expect["cost"]


@pytest.mark.rule("marchen.gap.advancement.costs")
def test_buying_step_by_step() -> None:
    row = data("marchen.gap.advancement.costs")
    session = together(somebody(kind="character", age=40, experience=100, muscle=1, physical=0))
    done(session, "advance", who="ann", what="skill", name="stealth")
    assert (ann(session).skills["stealth"], ann(session).spent) == (0, row["new_skill"])
    done(session, "advance", who="ann", what="skill", name="Stealth")
    assert (ann(session).skills["stealth"], ann(session).spent) == (1, 6)
    done(session, "advance", who="ann", what="specialization", name="Shadowing", skill="stealth")
    assert (ann(session).specializations[0].level, ann(session).spent) == (1, 10)
    done(session, "advance", who="ann", what="characteristic", name="muscle")
    assert (score(ann(session), "muscle", OPTIONS).total, ann(session).spent) == (2, 40)
    done(session, "advance", who="ann", what="aspect", name="physical")
    assert (score(ann(session), "physical", OPTIONS).total, ann(session).spent) == (1, 80)
    assert ann(session).available == 20
    with pytest.raises(IllegalActionError, match="costs 40 experience and Ann has 20"):
        session.do("marchen.advance", who="ann", what="characteristic", name="muscle")
    with pytest.raises(IllegalActionError, match=r"marchen\.specialization\.study"):
        session.do("marchen.advance", who="ann", what="skill", name="stealth")
    with pytest.raises(IllegalActionError, match=r"marchen\.specialization\.unlock"):
        session.do("marchen.advance", who="ann", what="specialization", name="Fire", skill="arcana")
    with pytest.raises(IllegalActionError, match="is no aspect"):
        session.do("marchen.advance", who="ann", what="aspect", name="muscle")
    for _ in range(5):
        done(session, "step_back", who="ann")
    assert (ann(session).spent, dict(ann(session).skills)) == (0, {})
    assert (ann(session).specializations, ann(session).changes) == ((), ())
    with pytest.raises(IllegalActionError, match="nothing yet"):
        session.do("marchen.step_back", who="ann")


@pytest.mark.rule("marchen.aspect.current_and_maximum")
def test_a_score_at_its_maximum_cannot_be_bought() -> None:
    session = together(
        somebody(faith=4, experience=500), somebody("Bob", faith=9, experience=500), score_scale="direct"
    )
    with pytest.raises(IllegalActionError, match=r"marchen\.aspect\.current_and_maximum"):
        session.do("marchen.advance", who="ann", what="characteristic", name="faith")
    long = together(somebody(faith=9, experience=500), score_scale="cepheus")
    with pytest.raises(IllegalActionError, match=r"marchen\.gap\.score\.cepheus_aspect"):
        long.do("marchen.advance", who="ann", what="aspect", name="spiritual")
    done(long, "advance", who="ann", what="characteristic", name="faith")
    assert score(ann(long), "faith", options(score_scale="cepheus")).total == 10


def test_stepping_back_keeps_the_current_score_in_step() -> None:
    session = together(lost(somebody(social=1, experience=100), "social", OPTIONS))
    before = ann(session)
    done(session, "advance", who="ann", what="aspect", name="social")
    assert ann(session).current == {"social": 1}
    done(session, "step_back", who="ann")
    assert ann(session).current == before.current == {"social": 0}


@pytest.mark.rule("marchen.specialization.master_bonus", "marchen.gap.advancement.costs")
def test_mastery_by_experience_and_back() -> None:
    session = together(somebody(skills={"stealth": 1}, specials=[("stealth", "Shadowing", 3)], experience=16))
    done(session, "advance", who="ann", what="specialization", name="shadowing", skill="stealth")
    assert (ann(session).skills["stealth"], ann(session).advances[0].lifted) == (2, True)
    assert "Stealth rises to 2" in session.log[-1].narrate()  # type: ignore[union-attr]
    done(session, "step_back", who="ann")
    assert (ann(session).skills["stealth"], ann(session).specializations[0].level) == (1, 3)


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
    level = given["skill_level"]
    special = given.get("specialization_level")
    one = somebody(
        skills={} if level is None else {"stealth": level},
        specials=[] if special is None else [("stealth", "Shadowing", special)],
    )
    session = together(one, training_seasons_per_level=seasons)
    for season in range(seasons):
        assert ann(session).level("stealth") == level
        assert [study.seasons for study in ann(session).studies] == ([season] if season else [])
        done(session, "train", who="ann", skill="stealth", specialization="Shadowing" if special else "")
    assert ann(session).level("stealth") == expect["skill_level"]
    assert not ann(session).studies
    if special:
        assert ann(session).specializations[0].level == expect["specialization_level"]
    assert ann(session).available == 0
    done(session, "step_back", who="ann")
    assert ann(session).level("stealth") == level


@pytest.mark.rule("marchen.season.training", "marchen.option.mythic_levels")
def test_training_beyond_four_takes_mythic_levels() -> None:
    one = somebody(skills={"stealth": 2}, specials=[("stealth", "Shadowing", 4)])
    with pytest.raises(IllegalActionError, match=r"marchen\.specialization\.cap"):
        together(one).do("marchen.train", who="ann", skill="stealth", specialization="Shadowing")
    session = together(one, mythic_levels=True)
    done(session, "train", who="ann", skill="stealth", specialization="Shadowing")
    assert ann(session).specializations[0].level == 5


@pytest.mark.rule("marchen.sojourn.confer_with_sage")
def test_a_sage_teaches_for_half() -> None:
    session = together(somebody(skills={"social_sciences": 1, "physical_sciences_survival": 0}, experience=10))
    done(session, "confer_with_sage", who="ann", lore="travel")
    assert (ann(session).skills["physical_sciences_survival"], ann(session).spent) == (1, 2)
    done(session, "confer_with_sage", who="ann", lore="Explore")
    assert [(one.name, one.level) for one in ann(session).specializations] == [("Survival", 1)]
    assert ann(session).spent == 4
    with pytest.raises(IllegalActionError, match="sages teach"):
        session.do("marchen.confer_with_sage", who="ann", lore="Sword")
    ((given, expect),) = examples("marchen.sojourn.confer_with_sage")
    assert -(-given["normal_cost"] // 2) == expect["advancement_points"]


# ---------------------------------------------------------------------- demigods and deities


MYTHIC = options(mythic_levels=True)


@pytest.mark.rule("marchen.mythic.burn_for_success", "marchen.option.mythic_levels")
def test_burning_points() -> None:
    demigod = somebody(muscle=3, skills={"stealth": 2}, specials=[("stealth", "Shadowing", 5)])
    session = together(demigod, mythic_levels=True)
    assert done(session, "burn", who="ann", score_name="muscle", skill="stealth", points=2) == 2
    assert score(ann(session), "muscle", MYTHIC).total == 1
    with pytest.raises(IllegalActionError, match="only 5 points"):
        session.do("marchen.burn", who="ann", score_name="muscle", skill="stealth", points=6)
    assert done(session, "burn", who="ann", score_name="muscle", skill="stealth", points=5) == 5  # all there is
    assert score(ann(session), "muscle", MYTHIC).total == -4
    with pytest.raises(IllegalActionError, match="only 0 points"):
        session.do("marchen.burn", who="ann", score_name="muscle", skill="stealth")
    with pytest.raises(IllegalActionError, match="neither an aspect"):
        session.do("marchen.burn", who="ann", score_name="hat", skill="stealth")
    with pytest.raises(IllegalActionError, match=r"marchen\.mythic\.burn_for_success"):
        session.do("marchen.burn", who="ann", score_name="muscle", skill="arcana")
    with pytest.raises(IllegalActionError, match=r"marchen\.option\.mythic_levels"):
        together(somebody(muscle=3)).do("marchen.burn", who="ann", score_name="muscle", skill="stealth")


@pytest.mark.rule("marchen.mythic.apotheosis")
@pytest.mark.parametrize(("given", "expect"), examples("marchen.mythic.apotheosis"))
def test_deities_move_levels(given: dict[str, Any], expect: dict[str, int]) -> None:
    deity = somebody("Zeus", faith=4, skills={"arcana": 2}, specials=[("arcana", "Storms", 6)])
    target = somebody(skills={"stealth": 4}, specials=[("stealth", f"Art {n}", 4) for n in range(3)])
    session = together(deity, target, mythic_levels=True)
    points = given["points_burnt"] * (1 if given["direction"] == "up" else -1)
    done(session, "move_level", who="zeus", target="ann", skill="stealth", score_name="faith", points=points)
    assert ann(session).skills["stealth"] == expect["target_level"]
    assert score(session.scene["zeus"].character, "faith", MYTHIC).total == 3
    assert book().legality(ann(session), MYTHIC, library()).ok
    with pytest.raises(IllegalActionError, match="not a deity"):
        session.do("marchen.move_level", who="ann", target="zeus", skill="arcana", score_name="faith", points=1)
    for wrong in ({"skill": "order"}, {"points": 0}):
        given_wrong = {"who": "zeus", "target": "ann", "skill": "stealth", "score_name": "faith", "points": 1} | wrong
        with pytest.raises(IllegalActionError, match=r"marchen\.mythic\.apotheosis"):
            session.do("marchen.move_level", **given_wrong)


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


def test_purchases_are_found_again_among_other_changes() -> None:
    one = somebody(experience=100, changes=(Change(what="faith", value=1, source="gift"),))
    session = together(one)
    done(session, "advance", who="ann", what="characteristic", name="faith")
    last = ann(session).advances[-1]
    assert lowered_by(ann(session), last, OPTIONS).changes == one.changes
