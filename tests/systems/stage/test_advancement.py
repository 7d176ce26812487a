"""Character Points earned and spent, and taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, words
from systems.stage.fights import asked, playing
from systems.stage.people import OPTIONS, library, person, refused, scene_of, session_of, somebody
from systems.stage.test_creation import arlef, caster, new, wrong
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Frozen, Ranks
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
    more: dict[str, Any] = {"who": "arlef", "what": "skill", "name": "guile"}
    for level, cost in ((3, 80), (4, 100), (5, 120), (6, 140)):
        before = points_left(arlef(session), library())
        session.do("stage.advance", **more)
        assert (before - points_left(arlef(session), library()), arlef(session).level("guile")) == (cost, level)
    if limit == "none":
        session.do("stage.advance", **more)
        assert arlef(session).level("guile") == 7
    else:
        refused("6 is the highest level", session.do, "stage.advance", **more)


@pytest.mark.rule("stage.advancement.award")
def test_points_are_not_spent_inside_an_encounter() -> None:
    session = playing(replace(scene_of({"arlef": person("arlef").changed(awarded=100)}), round=1))
    guile = {"what": "skill", "name": "guile"}
    for name, given in (("stage.advance", guile), ("stage.step_back", {}), ("stage.spend", {})):
        refused("not in the middle of an encounter", session.do, name, who="arlef", **given)


@pytest.mark.rule("stage.power.prerequisites", "stage.advancement.award")
def test_powers_are_bought_with_what_they_need_and_what_is_chosen() -> None:
    session = session_of({"arlef": person("arlef").changed(awarded=500)})
    refused("needs Guile 4, it is 2", session.do, "stage.advance", who="arlef", what="power", name="assassin")
    refused("known already", session.do, "stage.advance", who="arlef", what="power", name="thief")
    refused("there is no power", session.do, "stage.advance", who="arlef", what="power", name="thieve")
    refused("there is no skill", session.do, "stage.advance", who="arlef", what="skill", name="guiles")
    refused("stamina, intellect, will", session.do, "stage.advance", who="arlef", what="power", name="resilience")
    session.do("stage.advance", who="arlef", what="power", name="resilience", choice="will")
    assert session.scene["arlef"].status.will == 5
    session.do("stage.advance", who="arlef", what="power", name="schooling", choice="literacy")
    session.do("stage.advance", who="arlef", what="power", name="schooling", choice="language")
    assert session.scene["arlef"].character.choices["schooling"] == ("literacy", "language")
    session.do("stage.step_back", who="arlef")
    assert session.scene["arlef"].character.choices["schooling"] == ("literacy",)
    refused("nothing is chosen", session.do, "stage.advance", who="arlef", what="power", name="thieves", choice="bow")


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
    for _ in range(2):
        session.do("stage.step_back", who="arlef")
    assert arlef(session) == person("arlef").changed(awarded=500)
    refused("has bought nothing", session.do, "stage.step_back", who="arlef")
    session = session_of({"arlef": person("arlef").changed(points=80, awarded=500)})
    session.do("stage.advance", who="arlef", what="skill", name="guile")
    session = session_of({"arlef": arlef(session).changed(powers=("expert_thieves",))})
    refused("Expert Thieves needs Guile 3, it is 2", session.do, "stage.step_back", who="arlef")


@pytest.mark.rule("stage.character.power_cost", "stage.advancement.award")
def test_spending_shows_everything_with_its_cost_and_takes_your_own_words() -> None:
    session = session_of({"arlef": person("arlef", awarded=500, skills=Ranks({**person("arlef").skills, "art": 1}))})
    offered = {one.id: one for one in purchases(session.scene, "arlef") if isinstance(one, CreationOption)}
    assert (offered["skill:guile"].cost, offered["power:thieves"].cost) == (80, 10)
    assert "power:assassin" not in offered
    session.do("stage.spend", who="arlef")
    answer(session, "power:resilience", "intellect", "power:schooling", "Norse", "power:schooling")
    assert {one.id: one.reason for one in asked(session).closed}["Norse"] == "was chosen before"
    answer(session, "literacy")
    for choice in ("language", "vehicle", "instrument"):
        answer(session, "power:schooling", choice)
    answer(session, "power:schooling")
    assert asked(session).ids == ("instrument 6",)
    answer(session, "lute", "done")
    assert arlef(session).choices["schooling"] == ("Norse", "literacy", "language", "vehicle", "instrument", "lute")
    assert arlef(session).choices["resilience"] == ("intellect",)
    assert session.scene["arlef"].status.intellect == 5


@pytest.mark.rule("stage.option.magic")
def test_without_magic_its_skills_are_not_for_sale() -> None:
    scene = scene_of({"one": somebody(guile=1, academics=1, perception=1, awarded=900)}, StageOptions(magic="off"))
    offered = [one.id for one in purchases(scene, "one") if isinstance(one, CreationOption)]
    assert "skill:infusion" not in offered
    assert "skill:medicine" in offered
    assert "power:focus" not in offered


@pytest.mark.rule("stage.character.power_cost")
def test_schooling_is_for_any_ability_and_each_once() -> None:
    session = session_of({"arlef": person("arlef", awarded=500)})
    for choice in ("literacy", "language", "vehicle", "instrument", "Norse", "sailing ship"):
        session.do("stage.advance", who="arlef", what="power", name="schooling", choice=choice)
    for again in ("literacy", " Literacy ", "norse", "Sailing Ship"):
        with pytest.raises(IllegalActionError, match="was bought for") as error:
            session.do("stage.advance", who="arlef", what="power", name="schooling", choice=again)
        assert error.value.rule == "stage.character.power_cost"
    refused("literacy, language", session.do, "stage.advance", who="arlef", what="power", name="schooling", choice=" ")
    session.do("stage.advance", who="arlef", what="power", name="schooling", choice="x" * 60)
    session.do("stage.step_back", who="arlef")
    with pytest.raises(InvalidInputError, match="61 letters are too many; at most 60"):
        session.do("stage.advance", who="arlef", what="power", name="schooling", choice="x" * 61)
    grown = arlef(session)
    assert grown.choices["schooling"][-2:] == ("Norse", "sailing ship")
    assert wrong(grown) == []
    twice = grown.changed(choices=Frozen({"schooling": (*grown.choices["schooling"][:-1], "norse")}))
    assert wrong(twice) == ['choices.schooling: "norse" stands there 2 times']


@pytest.mark.rule("stage.advancement.award")
def test_purchases_before_the_last_award_stay() -> None:
    session = session_of({"arlef": person("arlef", awarded=500)})
    session.do("stage.advance", who="arlef", what="skill", name="guile")
    session.do("stage.award")
    assert arlef(session).opportunity == 1
    refused("guile was bought before the last award; it stays", session.do, "stage.step_back", who="arlef")
    session.do("stage.advance", who="arlef", what="skill", name="guile")
    session.do("stage.step_back", who="arlef")
    refused("it stays", session.do, "stage.step_back", who="arlef")


@pytest.mark.rule("stage.magic.learn_limit", "stage.advancement.award")
def test_a_level_that_a_spell_needs_is_not_taken_back() -> None:
    session = session_of({"arlef": person("arlef", awarded=500, **caster(animation=1))})
    session.do("stage.advance", who="arlef", what="skill", name="animation")
    learned = arlef(session).changed(spells=("stoneskin",))
    session = session_of({"arlef": learned})
    with pytest.raises(IllegalActionError, match="Stoneskin needs Animation 2") as error:
        session.do("stage.step_back", who="arlef")
    assert error.value.rule == "stage.magic.learn_limit"
    session = session_of({"arlef": learned.changed(spells=())})
    session.do("stage.step_back", who="arlef")
    assert arlef(session).level("animation") == 1


@pytest.mark.rule("stage.encumbrance.loads", "stage.advancement.award")
def test_a_level_that_carries_the_load_is_not_taken_back() -> None:
    session = session_of({"arlef": new(awarded=500)})
    session.do("stage.advance", who="arlef", what="power", name="porter")
    count = 1
    while not wrong(new(awarded=500, belongings=(ItemStack("long_sword", count),))):
        count += 1
    session.do("stage.gain", who="arlef", item="long_sword", count=count)
    refused("cannot be carried", session.do, "stage.step_back", who="arlef")
