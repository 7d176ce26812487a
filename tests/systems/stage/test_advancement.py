"""Character Points earned and spent, and taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from systems.playing import answer, words
from systems.stage.fights import playing
from systems.stage.people import OPTIONS, library, person, scene_of, session_of, somebody
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.character import Frozen
from tablewright.game.character.creation import CreationOption
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.stage.advancement import lowered_by, purchases, session_award
from tablewright.systems.stage.character.costs import points_left
from tablewright.systems.stage.character.record import Advance
from tablewright.systems.stage.legality import legality
from tablewright.systems.stage.options import StageOptions

LEDGER = Ledger.load("stage")


@pytest.mark.rule("stage.gap.advancement.awards")
def test_value_of_a_session() -> None:
    data = LEDGER["stage.gap.advancement.awards"].data
    assert session_award(0).total == data["session"]
    assert session_award(3, 4).total == data["session"] + 3 * data["challenge"] + 4


@pytest.mark.rule("stage.advancement.award", "stage.gap.advancement.awards")
def test_points_are_awarded_and_spent_at_the_prices_of_creation() -> None:
    session = session_of({"arlef": person("arlef"), "guard": person("guard")})
    session.do("stage.award", challenges=4)
    assert session.scene["arlef"].character.awarded == 40
    assert session.scene["guard"].character.awarded == 0
    session.do("stage.advance", who="arlef", what="skill", name="perception")
    arlef, status = session.scene["arlef"].character, session.scene["arlef"].status
    assert arlef.level("perception") == 1
    assert points_left(arlef, library()) == 0
    assert (status.will, status.spirit) == (3 + 1, 1 + 1)  # a level adds to both tracks, and to what is left of them
    assert status.stamina == 4
    assert legality(arlef, OPTIONS, library()).ok
    with pytest.raises(IllegalActionError, match="Thieves costs 10 Character Points and Arlef has 0"):
        session.do("stage.advance", who="arlef", what="power", name="thieves")
    session.do("stage.step_back", who="arlef")
    back, status = session.scene["arlef"].character, session.scene["arlef"].status
    assert (back.level("perception"), points_left(back, library())) == (0, 40)
    assert (status.will, status.spirit) == (3, 1)
    session.do("stage.advance", who="arlef", what="power", name="thieves")  # tier 1 for a quick mind
    assert points_left(session.scene["arlef"].character, library()) == 30
    assert "Thieves for 10 Character Points" in words(session)[-1]


@pytest.mark.rule("stage.advancement.award")
def test_losses_remain_when_a_level_is_gained() -> None:
    hurt = person("arlef").changed(awarded=100, wounds=person("arlef").wounds.changed(stamina=1))
    session = session_of({"arlef": hurt})
    session.do("stage.advance", who="arlef", what="skill", name="brawl")
    assert session.scene["arlef"].status.stamina == 2
    assert session.scene["arlef"].status.vitality == 5


@pytest.mark.rule("stage.advancement.award", "stage.character.skill_cost")
@pytest.mark.parametrize("limit", ["6", "none"])
def test_raising_a_level_costs_as_much_as_at_creation(limit: str) -> None:
    rich = person("arlef").changed(awarded=5_000)
    session = session_of({"arlef": rich}, StageOptions(max_skill_level=limit))  # type: ignore[arg-type]
    for level, cost in ((3, 80), (4, 100), (5, 120), (6, 140)):
        before = points_left(session.scene["arlef"].character, library())
        session.do("stage.advance", who="arlef", what="skill", name="guile")
        assert before - points_left(session.scene["arlef"].character, library()) == cost
        assert session.scene["arlef"].character.level("guile") == level
    if limit == "none":
        session.do("stage.advance", who="arlef", what="skill", name="guile")
        assert session.scene["arlef"].character.level("guile") == 7
    else:
        with pytest.raises(IllegalActionError, match="6 is the highest level"):
            session.do("stage.advance", who="arlef", what="skill", name="guile")


@pytest.mark.rule("stage.advancement.award")
def test_points_are_not_spent_inside_an_encounter() -> None:
    scene = replace(scene_of({"arlef": person("arlef").changed(awarded=100)}), round=1)
    session = playing(scene)
    for name, given in (
        ("stage.advance", {"what": "skill", "name": "guile"}),
        ("stage.step_back", {}),
        ("stage.spend", {}),
    ):
        with pytest.raises(IllegalActionError, match="not in the middle of an encounter"):
            session.do(name, who="arlef", **given)


@pytest.mark.rule("stage.power.prerequisites", "stage.advancement.award")
def test_powers_are_bought_with_what_they_need_and_what_is_chosen() -> None:
    session = session_of({"arlef": person("arlef").changed(awarded=500)})
    with pytest.raises(IllegalActionError, match="needs Guile 4, it is 2"):
        session.do("stage.advance", who="arlef", what="power", name="assassin")
    with pytest.raises(IllegalActionError, match="known already"):
        session.do("stage.advance", who="arlef", what="power", name="thief")
    with pytest.raises(IllegalActionError, match="there is no power"):
        session.do("stage.advance", who="arlef", what="power", name="thieve")
    with pytest.raises(IllegalActionError, match="there is no skill"):
        session.do("stage.advance", who="arlef", what="skill", name="guiles")
    with pytest.raises(InvalidInputError, match="stamina, intellect, will"):
        session.do("stage.advance", who="arlef", what="power", name="resilience")
    session.do("stage.advance", who="arlef", what="power", name="resilience", choice="will")
    assert session.scene["arlef"].status.will == 5
    session.do("stage.advance", who="arlef", what="power", name="schooling", choice="literacy")
    session.do("stage.advance", who="arlef", what="power", name="schooling", choice="language")
    assert session.scene["arlef"].character.choices["schooling"] == ("literacy", "language")
    session.do("stage.step_back", who="arlef")
    assert session.scene["arlef"].character.choices["schooling"] == ("literacy",)
    with pytest.raises(InvalidInputError, match="nothing is chosen"):
        session.do("stage.advance", who="arlef", what="power", name="thieves", choice="bow")


@pytest.mark.rule("stage.advancement.award")
def test_only_what_was_bought_last_is_taken_back() -> None:
    last = Advance(what="power", name="thieves", cost=10)
    mixed = person("arlef").changed(powers=("thief", "thieves", "nimble", "acrobat"), advances=(last,))
    assert lowered_by(mixed, last).powers == ("thief", "nimble", "acrobat")
    raised = person("arlef").changed(skills=person("arlef").skills.put("brawl", 2))
    level = Advance(what="skill", name="brawl", cost=60)
    assert lowered_by(raised, level).level("brawl") == 1
    assert "brawl" not in lowered_by(lowered_by(raised, level), level).skills


def test_a_level_that_a_power_needs_is_not_taken_back_before_it() -> None:
    session = session_of({"arlef": person("arlef").changed(awarded=500)})
    session.do("stage.advance", who="arlef", what="skill", name="guile")
    session.do("stage.advance", who="arlef", what="power", name="expert_thieves")
    session.do("stage.step_back", who="arlef")
    session.do("stage.step_back", who="arlef")
    assert session.scene["arlef"].character == person("arlef").changed(awarded=500)
    with pytest.raises(IllegalActionError, match="has bought nothing"):
        session.do("stage.step_back", who="arlef")
    mixed = person("arlef").changed(points=80, awarded=500)
    session = session_of({"arlef": mixed})
    session.do("stage.advance", who="arlef", what="skill", name="guile")
    changed = session.scene["arlef"].character.changed(powers=("expert_thieves",))
    session = session_of({"arlef": changed})
    with pytest.raises(IllegalActionError, match="Expert Thieves needs Guile 3, it is 2"):
        session.do("stage.step_back", who="arlef")


def test_spending_shows_everything_with_its_cost() -> None:
    session = session_of({"arlef": person("arlef").changed(awarded=100)})
    offered = {one.id: one for one in purchases(session.scene, "arlef") if isinstance(one, CreationOption)}
    assert offered["skill:guile"].cost == 80
    assert offered["power:thieves"].cost == 10
    assert "power:assassin" not in offered
    session.do("stage.spend", who="arlef")
    answer(session, "power:resilience", "intellect", "done")
    assert session.scene["arlef"].character.choices == Frozen({"resilience": ("intellect",)})
    assert session.scene["arlef"].status.intellect == 5


@pytest.mark.rule("stage.option.magic")
def test_without_magic_its_skills_are_not_for_sale() -> None:
    scene = scene_of({"one": somebody(guile=1, academics=1, perception=1, awarded=900)}, StageOptions(magic="off"))
    offered = [one.id for one in purchases(scene, "one") if isinstance(one, CreationOption)]
    assert "skill:infusion" not in offered
    assert "skill:medicine" in offered
    assert "power:focus" not in offered
