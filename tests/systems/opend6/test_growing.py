"""Purchases of experienced characters, new intervals, and limits that only creatures may pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.opend6.people import OPTIONS, C, after, do, library, making, person, session_of
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.character import Ranks
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.opend6.advancement import purchases
from tablewright.systems.opend6.book import rulebook
from tablewright.systems.opend6.character.costs import first_disadvantages, spent
from tablewright.systems.opend6.character.record import Advance, OpenD6Character, OwnAbility, Specialisation
from tablewright.systems.opend6.legality import legality
from tablewright.systems.opend6.options import OpenD6Options


def wrong(character: OpenD6Character) -> list[str]:
    """Violations of the rules by a character."""
    return [f"{one.where}: {one.message}" for one in legality(character, OPTIONS, library()).violations]


def grown(*advances: dict[str, Any], **changes: Any) -> OpenD6Character:
    """A ranger after an adventure, with things that were bought."""
    bought = tuple([Advance(**{"interval": 1, **one}) for one in advances])
    return person("ranger", **{"interval": 1, "advances": bought, **changes})


def improving(**changes: Any) -> Session:
    """A ranger between two adventures, with points to spend and everything used."""
    known = tuple([one.id for one in library().of("skills")])
    usual = {"interval": 1, "character_points": 500, "improvable": known}
    return session_of({"ann": person("ranger", **{**usual, **changes})})


def buy(session: Session, what: str, name: str, *answers: Any, **more: Any) -> OpenD6Character:
    """Ann after she has bought something."""
    do(session, "advance", *answers, who="ann", what=what, name=name, **more)
    found: OpenD6Character = after(session, "ann")
    return found


@pytest.mark.rule("opend6.cp.spent_and_earned")
@pytest.mark.parametrize(
    ("name", "given"), [("advance", {"what": "skill", "name": "dodge"}), ("spend", {}), ("step_back", {})]
)
def test_nobody_improves_in_the_middle_of_a_fight(name: str, given: dict[str, str]) -> None:
    scene = replace(improving().scene, round=1)
    session = Session(SessionHeader("opend6", "0.1.0", scene, 1), rulebook)
    with pytest.raises(IllegalActionError, match="in the middle of an encounter") as error:
        session.do(f"opend6.{name}", who="ann", **given)
    assert error.value.rule == "opend6.cp.spent_and_earned"


# ---------------------------------------------------------------------- what was paid


@pytest.mark.rule("opend6.gap.advancement.skill", "opend6.gap.advancement.ability", "opend6.gap.advancement.attribute")
def test_everything_that_was_bought_is_priced_again() -> None:
    session = improving(disadvantages=Ranks({"Debt": 2}))
    before = wrong(after(session, "ann"))
    for what, name, more in (
        ("skill", "dodge", {}),
        ("skill", "swimming", {}),
        ("specialisation", "climbing", {"subject": "walls"}),
        ("funds", "funds", {}),
        ("ability", "hardiness", {}),
        ("ability", "increased_attribute", {"concerning": ("agility",)}),
        ("advantage", "Fame", {"rank": 2}),
        ("disadvantage", "Enemy", {"rank": 2}),
        ("bought_off", "Debt", {}),
    ):
        buy(session, what, name, **more)
    buy(session, "attribute", "agility", [5, 5, 5, 5], [2, 2, 2])
    do(session, "end_adventure", who="ann")
    one = after(session, "ann").changed(improvable=("dodge", "climbing"))
    session = session_of({"ann": one})
    for what, name, more in (
        ("skill", "dodge", {}),
        ("specialisation", "climbing", {"subject": "Walls"}),
        ("ability", "hardiness", {}),
        ("bought_off", "Enemy", {}),
    ):
        buy(session, what, name, **more)
    one = after(session, "ann")
    assert wrong(one) == before
    for at, advance in enumerate(one.advances):
        for by in (-1, 1):
            paid = advance.changed(cost=advance.cost + by)
            cheap = one.changed(advances=(*one.advances[:at], paid, *one.advances[at + 1 :]))
            found = [problem for problem in wrong(cheap) if problem.startswith(f"advances[{at}]")]
            assert [problem.partition(", ")[2] for problem in found] == [f"{paid.cost} were paid"], advance


@pytest.mark.rule("opend6.gap.advancement.upper_limit")
def test_half_is_paid_where_the_upper_limit_test_failed() -> None:
    session = improving()
    one = buy(session, "attribute", "agility", [2, 2, 2, 2], [5, 5, 5])
    assert one.advances[-1].pips == 0
    assert wrong(one) == wrong(person("ranger"))
    cheap = one.changed(advances=(one.advances[0].changed(cost=one.advances[0].cost - 1),))
    assert len(wrong(cheap)) == len(wrong(one)) + 1


@pytest.mark.rule("opend6.gap.advancement.skill", "opend6.gap.advancement.not_both")
def test_one_step_between_two_adventures_and_not_skill_and_specialisation() -> None:
    own = person("ranger").skills["dodge"]
    twice = person("ranger").skills.put("dodge", type(own).of_pips(own.in_pips + 2))
    pip = {"what": "skill", "name": "dodge", "cost": own.dice}
    next_cost = type(own).of_pips(own.in_pips + 1).dice
    found = wrong(grown(pip, {**pip, "cost": next_cost}, skills=twice))
    assert found == ["advances[1]: dodge was improved before in the same time"]
    assert wrong(grown(pip, {**pip, "cost": next_cost, "interval": 2}, skills=twice, interval=2)) == []
    later = wrong(grown(pip, {**pip, "cost": next_cost, "interval": 2}, skills=twice))
    assert later == ["advances[1]: there was no time 2 between adventures"]
    first = wrong(grown({**pip, "interval": 0}, {**pip, "cost": next_cost}, skills=twice))
    assert first == ["advances[0]: there was no time 0 between adventures"]
    once = person("ranger").skills.put("dodge", type(own).of_pips(own.in_pips + 1))
    special = {"what": "specialisation", "name": "dodge", "subject": "arrows", "cost": -(-next_cost // 2)}
    arrows = (*person("ranger").specialisations, Specialisation(skill="dodge", subject="arrows", adds=C("0D+1")))
    both = wrong(grown(pip, special, skills=once, specialisations=arrows))
    assert both == ["advances[1]: dodge and a specialisation were both improved"]


@pytest.mark.rule("opend6.gap.advancement.disadvantage")
def test_two_disadvantages_in_one_time_and_more_than_ten_ranks_are_told() -> None:
    gained = [{"what": "disadvantage", "name": name, "cost": -3} for name in ("Enemy", "Fear")]
    ranks = Ranks({"Enemy": 1, "Fear": 1})
    found = wrong(grown(*gained, disadvantages=ranks))
    assert found == ["advances[1]: another disadvantage was gained in the same time"]
    assert wrong(grown(gained[0], {**gained[1], "interval": 2}, disadvantages=ranks, interval=2)) == []
    many = {"what": "disadvantage", "name": "Enemy", "cost": -33}
    held = "disadvantages: 11 is out of range"
    assert any(one.startswith(held) for one in wrong(grown(many, disadvantages=Ranks({"Enemy": 11}))))


@pytest.mark.rule("opend6.cp.spent_and_earned")
@each_case(
    ("advance", "changes"),
    [
        ({"what": "skill", "name": "swimming"}, {}),
        ({"what": "skill", "name": "flying_high"}, {}),
        ({"what": "specialisation", "name": "dodge", "subject": "arrows"}, {}),
        ({"what": "attribute", "name": "magic"}, {}),
        ({"what": "funds", "name": "funds"}, {}),
        ({"what": "ability", "name": "hardiness"}, {}),
        ({"what": "ability", "name": "nothing"}, {"abilities": (OwnAbility(id="nothing"),)}),
        ({"what": "advantage", "name": "Fame"}, {}),
        ({"what": "disadvantage", "name": "Enemy"}, {}),
        ({"what": "bought_off", "name": "Debt"}, {"disadvantages": Ranks({"Debt": 1})}),
        ({"what": "bought_off", "name": "Debt", "cost": 9}, {}),
    ],
)
def test_missing_items_were_not_bought(advance: dict[str, Any], changes: dict[str, Any]) -> None:
    found = wrong(grown({"cost": 10, **advance}, **changes))
    assert f"advances[0]: {advance['name']} is not there as it was bought" in found


@pytest.mark.rule("opend6.gap.advancement.disadvantage", "opend6.gap.creation.skill_dice")
def test_a_disadvantage_that_came_and_went_was_none_of_the_beginning() -> None:
    session = improving()
    before = spent(after(session, "ann"), library())
    assert wrong(buy(session, "disadvantage", "Enemy", rank=2)) == []
    do(session, "end_adventure", who="ann")
    one = buy(session, "bought_off", "Enemy")
    assert wrong(one) == []
    assert spent(one, library()) == before
    debt = person("ranger", disadvantages=Ranks({"Debt": 2}))
    assert first_disadvantages(debt) == 2
    off = {"what": "bought_off", "name": "Debt", "cost": 20}
    again = {"what": "disadvantage", "name": "Debt", "cost": -3}
    assert first_disadvantages(grown(off)) == 2
    assert first_disadvantages(grown(off, again, disadvantages=Ranks({"Debt": 1}))) == 2
    assert first_disadvantages(grown(off, again, {**off, "cost": 10})) == 2
    assert first_disadvantages(grown(again, {**off, "cost": 10}, disadvantages=Ranks({"Fear": 3}))) == 3


@pytest.mark.rule("opend6.gap.advancement.specialisation", "opend6.gap.advancement.skill")
def test_a_specialisation_is_one_however_it_is_written() -> None:
    session = improving()
    one = buy(session, "specialisation", "melee_combat", subject=" Long  Swords ")
    assert one.specialisations[-1].subject == "Long Swords"
    with pytest.raises(IllegalActionError, match="was improved already"):
        buy(session, "specialisation", "melee_combat", subject="long swords")
    do(session, "end_adventure", who="ann")
    do(session, "train", who="ann", skill="melee_combat")
    one = buy(session, "specialisation", "melee_combat", subject="LONG SWORDS")
    own = [each for each in one.specialisations if each.skill == "melee_combat"]
    assert [(each.subject, each.adds) for each in own] == [("Long Swords", C("0D+2"))]
    assert wrong(one) == []


@pytest.mark.rule("opend6.gap.creation.move")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("move", 40),
        ("move", 9),
        ("scale", 10),
        ("natural_weapons", ("bite",)),
        ("wound_levels", 4),
        ("important", True),
    ],
)
def test_figures_of_their_own_are_for_those_of_the_game_master(name: str, value: Any) -> None:
    said = f"{name}: is written for those of the game master alone"
    assert said in wrong(person("ranger", **{name: value}))
    assert said not in wrong(person("ranger", kind="npc", **{name: value}))


# ---------------------------------------------------------------------- what is begun again


@pytest.mark.rule("opend6.gap.advancement.specialisation", "opend6.gap.advancement.needs")
def test_a_new_specialisation_of_whatever_was_used() -> None:
    session = improving(improvable=("stealth", "dodge"))
    offered = [one.id for one in purchases(session.scene, "ann") if one.id.startswith("new_specialisation")]
    assert offered == ["new_specialisation:stealth", "new_specialisation:dodge"]
    session.do("opend6.spend", who="ann")
    session.choose("new_specialisation:stealth")
    session.choose("in the snow")
    session.choose("done")
    one = after(session, "ann")
    assert one.specialisations[-1] == Specialisation(skill="stealth", subject="in the snow", adds=C("0D+1"))
    assert wrong(one) == []


@pytest.mark.rule("opend6.gap.advancement.ability", "opend6.gap.advancement.increased_attribute")
def test_a_new_ability_with_what_it_concerns() -> None:
    session = improving()
    offered = {one.id: one for one in purchases(session.scene, "ann")}
    assert "new_ability:increased_attribute" not in offered
    assert "new_ability:increased_attribute:agility" in offered
    session.do("opend6.spend", who="ann")
    for taken in ("new_ability:increased_attribute:agility", "new_ability:hardiness", "new_ability:skill_bonus"):
        session.choose(taken)
    for skill in ("hide", "search", "stealth"):
        session.choose(skill)
    session.choose("done")
    one = after(session, "ann")
    assert one.abilities == (
        OwnAbility(id="increased_attribute", attribute="agility"),
        OwnAbility(id="hardiness"),
        OwnAbility(id="skill_bonus", skills=("hide", "search", "stealth")),
    )
    assert wrong(one) == []
    assert "new_ability:hardiness" not in [each.id for each in purchases(session.scene, "ann")]


@pytest.mark.rule("opend6.gap.advancement.advantage", "opend6.gap.advancement.disadvantage")
def test_new_advantages_and_disadvantages_by_any_name() -> None:
    session = improving(character_points=16)
    session.do("opend6.spend", who="ann")
    session.choose("new_advantage")
    session.choose("Friend of the queen")
    assert isinstance(session.question, Choice)
    assert session.question.ids == ("1", "2", "3")
    session.choose("2")
    session.choose("new_disadvantage")
    session.choose("Debt")
    assert isinstance(session.question, Choice)
    assert len(session.question.ids) == 10
    session.choose("3")
    session.choose("done")
    one = after(session, "ann")
    assert (dict(one.advantages), dict(one.disadvantages)) == ({"Friend of the queen": 2}, {"Debt": 3})
    assert one.character_points == 16 - 10 + 9
    assert wrong(one) == []


# ---------------------------------------------------------------------- making one in one's own words


POINTS = OpenD6Options(creation_method="creation_points")


@pytest.mark.rule("opend6.gap.creation.specialisations", "opend6.gap.creation.skill_limits")
def test_all_dice_may_go_into_specialisations_of_any_subject() -> None:
    made = making("Ann")
    made.follow({"calling": "wanderer", "options": "done"})
    assert [one.id for one in made.options] == [f"{dice}D" for dice in range(8)]
    made.answer("1D")
    assert made.budget is not None
    assert made.budget.total == 9
    for words in ("new", "tracking", "  wild   beasts"):
        made.answer(words)
    made.answer("tracking: wild beasts+3")
    made.answer("tracking: wild beasts+3")
    assert {one.id: one.reason for one in made.closed}["tracking: wild beasts+9"] == "9 is the most"
    made.answer("new")
    made.answer("tracking")
    assert {one.id: one.reason for one in made.closed}["wild beasts"] == "is there already"
    with pytest.raises(InvalidInputError, match="60 letters are the most, these are 61"):
        made.answer("x" * 61)
    made.answer("x" * 60)
    made.answer("speaking: Elvish+3")
    assert made.step is not None
    assert made.step.id == "skills"
    assert made.budget is not None
    assert made.budget.total == 18


@pytest.mark.rule("opend6.gap.creation.disadvantages")
def test_advantages_and_disadvantages_in_your_own_words() -> None:
    made = making("Ann")
    made.follow({"calling": "wanderer"})
    for words in ("disadvantage", "Hunted by the moon", "8"):
        made.answer(words)
    assert made.budget is not None
    assert (made.budget.total, made.budget.left) == (15, 15)
    shut = {one.id: one.reason for one in made.closed}
    assert "disadvantage:Enemy" not in shut
    made.answer("disadvantage")
    made.answer("Vain")
    assert [one.id for one in made.options] == ["1", "2"]
    made.answer("1")
    shut = {one.id: one.reason for one in made.closed}
    assert shut["disadvantage:Enemy"] == "at most 10 ranks of disadvantages"
    made.answer("disadvantage:Debt")
    assert {one.id: one.reason for one in made.closed}["disadvantage"] == "at most 10 ranks of disadvantages"
    made.answer("advantage")
    made.answer("Friend of crows")
    assert [one.id for one in made.options] == [str(rank) for rank in range(1, 11)]
    made.answer("10")
    assert made.budget is not None
    assert made.budget.left == 7
    made.answer("advantage")
    made.answer("Wealth")
    assert [one.id for one in made.options] == [str(rank) for rank in range(1, 8)]


@pytest.mark.rule("opend6.gap.creation.points", "opend6.gap.creation.disadvantages")
def test_the_points_of_disadvantages_reach_attributes() -> None:
    made = making("Ann", options=POINTS)
    for words in ("own", "more", "Vain", "9", "more", "Hunted"):  # one rank is left, so that it is not asked
        made.answer(words)
    assert made.budget is not None
    assert made.budget.total == 89
    assert made.options[-1].id == "22D"
    made.answer("22D")
    made.answer("none")
    for name in ("agility", "coordination", "physique", "intellect"):
        for _ in range(4):
            made.answer(f"{name}+3")
    assert made.budget is not None
    assert made.budget.left == 1  # 89 points less 88 for the attributes
    assert {one.id: one.reason for one in made.closed}["disadvantage"] == "at most 10 ranks of disadvantages"


@pytest.mark.rule("opend6.gap.creation.attribute_limits", "opend6.gap.creation.experienced")
def test_an_extranormal_attribute_holds_what_the_others_cannot() -> None:
    made = making("Ann", options=POINTS, years=4)
    for words in ("own", "more", "Vain", "10", "done"):
        made.answer(words)
    assert made.options[-1].id == "37D"
    made.answer("30D")
    assert "none" in [one.id for one in made.options]
    made.back()
    made.answer("31D")
    assert [one.id for one in made.options] == ["magic", "miracles"]
    made.answer("magic")
    assert made.options[0].id == "1D"


@pytest.mark.rule("opend6.gap.advancement.needs")
def test_nobody_trains_in_the_middle_of_an_encounter() -> None:
    scene = replace(improving(improvable=()).scene, round=1)
    session = Session(SessionHeader("opend6", "0.1.0", scene, 1), rulebook)
    with pytest.raises(IllegalActionError, match="in the middle of an encounter"):
        session.do("opend6.train", who="ann", skill="stealth")


@pytest.mark.rule("opend6.gap.creation.disadvantages", "opend6.gap.advancement.disadvantage")
def test_disadvantages_that_were_bought_off_count_among_those_of_the_beginning() -> None:
    off = {"what": "bought_off", "name": "Enemy", "cost": 20}
    many = grown(off, disadvantages=Ranks({"Debt": 9}))
    assert any(one.startswith("disadvantages") for one in wrong(many))
    assert not any(one.startswith("disadvantages") for one in wrong(grown(off, disadvantages=Ranks({"Debt": 8}))))
