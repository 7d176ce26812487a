"""Limits of new characters, choices of powers, and purchases that stay."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.playing import answer
from systems.stage.fights import asked
from systems.stage.people import OPTIONS, library, person, session_of
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Frozen, Ranks
from tablewright.game.session.session import Session
from tablewright.systems.stage.advancement import purchases
from tablewright.systems.stage.character.record import Advance, StageCharacter
from tablewright.systems.stage.content import Spell
from tablewright.systems.stage.creation import STARTING_MONEY, starting_kit, unpaid_spells, worth
from tablewright.systems.stage.legality import legality


def wrong(character: StageCharacter) -> list[str]:
    """Violations of a character."""
    return [f"{one.where}: {one.message}" for one in legality(character, OPTIONS, library()).violations]


def new(**changes: Any) -> StageCharacter:
    """Arlef, who has got nothing since he was made, with nothing but what everyone has."""
    return person("arlef", **{"belongings": starting_kit(library()), "money": Fraction(0), **changes})


def caster(**levels: int) -> dict[str, Any]:
    """Skills of magic beside those of Arlef, and the points for them."""
    return {"skills": Ranks({**person("arlef").skills, **levels}), "points": 5_000}


def arlef(session: Session) -> StageCharacter:
    """Arlef as he is now."""
    found: StageCharacter = session.scene["arlef"].character
    return found


# ---------------------------------------------------------------------- what a character has in the beginning


@pytest.mark.rule("stage.gap.character.starting_equipment")
def test_a_new_character_has_things_and_money_for_a_hundred_coins() -> None:
    assert wrong(new(money=Fraction(STARTING_MONEY))) == []
    assert wrong(new(money=Fraction(STARTING_MONEY) + 1)) == [
        "money: belongings and money are worth 101, there were 100"
    ]
    sword = (*starting_kit(library()), ItemStack("long_sword", place="hand"))
    price = worth(new(belongings=sword), library())
    assert price > 0
    assert wrong(new(belongings=sword, money=100 - price)) == []
    assert len(wrong(new(belongings=sword, money=101 - price))) == 1
    for change in ({"traded": True}, {"awarded": 1}, {"opportunity": 1}):
        assert wrong(new(money=Fraction(100_000), **change)) == []


@pytest.mark.rule("stage.gap.character.starting_equipment")
def test_ammunition_is_worth_its_part_of_a_bundle_and_clothes_nothing() -> None:
    kit = starting_kit(library())
    assert worth(new(), library()) == 0
    twice = tuple([ItemStack(one.item, 2 * one.count, one.place) for one in kit])
    each = worth(new(belongings=twice), library())
    assert each == worth(new(belongings=(*kit, *kit)), library())
    bundle = worth(new(belongings=(ItemStack("arrow", 20),)), library())
    assert worth(new(belongings=(ItemStack("arrow", 10),)), library()) == bundle / 2 > 0


@pytest.mark.rule("stage.gap.character.starting_equipment")
def test_a_character_who_has_got_something_is_no_longer_measured_by_the_beginning() -> None:
    session = session_of({"arlef": new(money=Fraction(50))})
    session.do("stage.earn", who="arlef", amount="1000")
    assert arlef(session).traded
    assert wrong(arlef(session)) == []
    session = session_of({"arlef": new(money=Fraction(50))})
    session.do("stage.gain", who="arlef", item="long_sword")
    assert arlef(session).traded
    session = session_of({"arlef": new(money=Fraction(50))})
    session.do("stage.lose", who="arlef", item=starting_kit(library())[0].item)
    assert not arlef(session).traded


@pytest.mark.rule("stage.gap.magic.starting_spells")
def test_one_spell_for_each_level_and_none_twice() -> None:
    one = new(**caster(infusion=1), spells=("healing_touch",))
    assert wrong(one) == []
    assert wrong(one.changed(spells=("healing_touch",) * 3)) == ['spells: "healing_touch" stands there 3 times']
    spells = [spell.id for spell in library().of(Spell) if spell.schools == ("infusion",) and spell.circle == 1]
    two = one.changed(spells=tuple(spells[:2]))
    assert wrong(two) == ["spells: 1 spells more than one for each level, 0 were learned"]
    assert wrong(two.changed(learned=1)) == []
    assert wrong(two.changed(**caster(infusion=2))) == []
    later = (Advance(what="skill", name="infusion", cost=60),)
    assert unpaid_spells(two.changed(**caster(infusion=2), advances=later), library()) == 1


@pytest.mark.rule("stage.gap.magic.starting_spells")
def test_a_spell_of_two_skills_takes_the_place_of_either() -> None:
    both = next(one for one in library().of(Spell) if len(one.schools) == 2)
    for school in both.schools:
        other = next(name for name in both.schools if name != school)
        single = next(one for one in library().of(Spell) if one.schools == (school,))
        known = new(**caster(**{school: 1, other: 1}), spells=(both.id, single.id))
        assert unpaid_spells(known, library()) == 0
        assert unpaid_spells(known.changed(**caster(**{school: 1})), library()) == 1


@pytest.mark.rule("stage.gap.character.races")
@pytest.mark.parametrize(
    ("name", "value"),
    [("size", 14), ("speed", 5), ("resistance", 9), ("weapons", ("bite",)), ("tricks", ("sit",)), ("vehicle", "cart")],
)
def test_figures_of_their_own_are_for_creatures(name: str, value: Any) -> None:
    assert wrong(new(**{name: value})) == [f"{name}: is written for creatures alone"]
    assert wrong(new(kind="creature", **{name: value})) == []


# ---------------------------------------------------------------------- what is chosen with powers


@pytest.mark.rule("stage.character.power_cost")
def test_schooling_is_for_any_ability_and_each_once() -> None:
    session = session_of({"arlef": person("arlef", awarded=500)})
    for choice in ("literacy", "language", "vehicle", "instrument", "Norse", "sailing ship"):
        session.do("stage.advance", who="arlef", what="power", name="schooling", choice=choice)
    for again in ("literacy", " Literacy ", "norse", "Sailing Ship"):
        with pytest.raises(IllegalActionError, match="was bought for") as error:
            session.do("stage.advance", who="arlef", what="power", name="schooling", choice=again)
        assert error.value.rule == "stage.character.power_cost"
    with pytest.raises(InvalidInputError, match="literacy, language"):
        session.do("stage.advance", who="arlef", what="power", name="schooling", choice=" ")
    session.do("stage.advance", who="arlef", what="power", name="schooling", choice="x" * 60)
    session.do("stage.step_back", who="arlef")
    with pytest.raises(InvalidInputError, match="61 letters are too many; at most 60"):
        session.do("stage.advance", who="arlef", what="power", name="schooling", choice="x" * 61)
    grown = arlef(session)
    assert grown.choices["schooling"][-2:] == ("Norse", "sailing ship")
    assert wrong(grown) == []
    twice = grown.changed(choices=Frozen({"schooling": (*grown.choices["schooling"][:-1], "norse")}))
    assert wrong(twice) == ['choices.schooling: "norse" stands there 2 times']


@pytest.mark.rule("stage.character.power_cost", "stage.advancement.award")
def test_spending_takes_your_own_words() -> None:
    session = session_of({"arlef": person("arlef", awarded=500, skills=Ranks({**person("arlef").skills, "art": 1}))})
    offered = [one.id for one in purchases(session.scene, "arlef")]
    assert "power:schooling" in offered
    session.do("stage.spend", who="arlef")
    answer(session, "power:schooling", "Norse", "power:schooling")
    assert {one.id: one.reason for one in asked(session).closed}["Norse"] == "was chosen before"
    answer(session, "literacy")
    for choice in ("language", "vehicle", "instrument"):
        answer(session, "power:schooling", choice)
    answer(session, "power:schooling")
    assert asked(session).ids == ("instrument 6",)
    answer(session, "lute", "done")
    assert arlef(session).choices["schooling"] == ("Norse", "literacy", "language", "vehicle", "instrument", "lute")


# ---------------------------------------------------------------------- what stays


@pytest.mark.rule("stage.advancement.award")
def test_purchases_before_the_last_award_stay() -> None:
    session = session_of({"arlef": person("arlef", awarded=500)})
    session.do("stage.advance", who="arlef", what="skill", name="guile")
    session.do("stage.award")
    assert arlef(session).opportunity == 1
    with pytest.raises(IllegalActionError, match="guile was bought before the last award; it stays"):
        session.do("stage.step_back", who="arlef")
    session.do("stage.advance", who="arlef", what="skill", name="guile")
    session.do("stage.step_back", who="arlef")
    with pytest.raises(IllegalActionError, match="it stays"):
        session.do("stage.step_back", who="arlef")


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
    with pytest.raises(IllegalActionError, match="cannot be carried"):
        session.do("stage.step_back", who="arlef")
