"""Earning and spending Character Points: every cost, limit and order, and the way back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, begin
from systems.opend6.fights import person as fighter
from systems.opend6.people import LEDGER, OPTIONS, C, after, buy, buy_all, do, improving, library, session_of, somebody
from systems.playing import answer, asked
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError
from tablewright.game.character.character import Ranks
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.opend6.advancement import purchases, reward
from tablewright.systems.opend6.book import rulebook
from tablewright.systems.opend6.character.costs import later_ranks
from tablewright.systems.opend6.character.figures import code
from tablewright.systems.opend6.character.figures import skill as skill_code
from tablewright.systems.opend6.character.growth import price
from tablewright.systems.opend6.character.record import OpenD6Character, OwnAbility, Specialisation, Wounds
from tablewright.systems.opend6.legality import legality
from tablewright.systems.opend6.options import OpenD6Options


def refused(rule: str, session: Session, what: str, name: str, **more: Any) -> None:
    """Assert that Ann cannot buy something by a rule, and that the try changes nothing."""
    before = after(session, "ann")
    with pytest.raises(IllegalActionError) as caught:
        buy(session, what, name, **more)
    assert caught.value.rule == f"opend6.{rule}", caught.value
    assert after(session, "ann") == before


def cost(character: OpenD6Character, what: Any, name: str, **more: Any) -> int:
    """The cost of a purchase."""
    return price(character, what, name, library(), OPTIONS, **more).cost.total


def special(skill: str, subject: str, adds: str) -> tuple[Specialisation, ...]:
    """A specialisation."""
    return (Specialisation(skill=skill, subject=subject, adds=C(adds)),)


def offered(session: Session, kind: str) -> list[str]:
    """Purchases of a kind that Ann may make."""
    return [one.id for one in purchases(session.scene, "ann") if one.id.startswith(kind)]


# ---------------------------------------------------------------------- earning


@pytest.mark.rule("opend6.gap.reward.obstacles", "opend6.gap.reward.playing", "opend6.gap.reward.goal")
def test_rewards() -> None:
    assert (reward(easy=3).total, reward(somewhat_difficult=2, challenging=3).total) == (0, 8)
    session = session_of({"ann": somebody("Ann", character_points=0, fate_points=0)})
    given = {"somewhat_difficult": 1, "challenging": 1, "individual": "3", "group": "4", "fun": "2", "goal": True}
    do(session, "award", who="ann", **given)
    kept = after(session, "ann")
    assert (kept.character_points, kept.fate_points) == (1 + 2 + 3 + 4 + 2, 1)
    playing = LEDGER["opend6.gap.reward.playing"].data
    assert [playing[name] for name in ("individual", "group", "fun")] == [(2, 3), (3, 4), (1, 2)]
    do(session, "award", who="ann", easy=1)
    assert after(session, "ann").character_points == 12  # an easy obstacle is worth nothing


@pytest.mark.rule("opend6.gap.reward.default")
def test_default_awards_and_the_end_of_an_adventure() -> None:
    ann = somebody("Ann", character_points=1, fate_points=0, fast_reactions_used=2, climactic_used=True)
    session = do(session_of({"ann": ann}), "award", who="ann")
    assert (after(session, "ann").character_points, after(session, "ann").fate_points) == (6, 1)
    kept = after(do(session, "end_adventure", who="ann"), "ann")
    assert (kept.interval, kept.fast_reactions_used, kept.climactic_used) == (1, 0, False)


# ---------------------------------------------------------------------- when, and for how many points


@pytest.mark.rule("opend6.cp.spent_and_earned", "opend6.gap.advancement.needs")
@each_case(
    ("name", "given"),
    [
        ("advance", {"what": "skill", "name": "dodge"}),
        ("spend", {}),
        ("step_back", {}),
        ("train", {"skill": "stealth"}),
    ],
)
def test_nobody_improves_in_the_middle_of_a_fight(name: str, given: dict[str, str]) -> None:
    scene = replace(improving(improvable=("dodge",)).scene, round=1)
    session = Session(SessionHeader("opend6", "0.1.0", scene, 1), rulebook)
    with pytest.raises(IllegalActionError, match="in the middle of an encounter") as error:
        session.do(f"opend6.{name}", who="ann", **given)
    assert error.value.rule == ("opend6.gap.advancement.needs" if name == "train" else "opend6.cp.spent_and_earned")


@pytest.mark.rule("opend6.cp.spent_and_earned")
def test_points_and_times_to_spend_them() -> None:
    refused("cp.spent_and_earned", improving(interval=0), "skill", "dodge")
    refused("cp.spent_and_earned", improving(character_points=1), "skill", "dodge")
    assert buy(improving(character_points=2), "skill", "dodge").character_points == 0


@pytest.mark.rule("opend6.gap.advancement.needs")
def test_only_what_was_used_or_trained() -> None:
    people = {
        "ann": somebody("Ann", agility="3D", dodge="4D", interval=1, character_points=50),
        "master": somebody("Master", agility="3D", dodge="4D+1"),
        "peer": somebody("Peer", agility="3D", dodge="4D"),
    }
    session = session_of(people)
    refused("gap.advancement.needs", session, "skill", "dodge")
    with pytest.raises(IllegalActionError, match="not above"):
        do(session, "train", who="ann", skill="dodge", teacher="peer")
    do(session, "train", who="ann", skill="dodge", teacher="master")
    assert buy(session, "skill", "dodge").skills["dodge"] == C("4D+1")
    refused("gap.advancement.needs", session, "skill", "stealth")
    session.do("table.check", who="ann", what="stealth")
    session.roll()
    refused("gap.advancement.needs", session, "skill", "stealth")  # it counts when the adventure is over
    do(session, "end_adventure", who="ann")
    refused("gap.advancement.needs", session, "skill", "dodge")
    assert buy(session, "skill", "stealth").skills["stealth"] == C("3D+1")
    with pytest.raises(IllegalActionError, match="already"):
        do(session, "train", who="ann", skill="stealth")


@pytest.mark.rule("opend6.gap.advancement.needs")
def test_skills_used_in_a_fight_can_be_improved() -> None:
    quick = fighter(attributes={"acumen": "5D"}, skills={"acrobatics": "5D", "running": "4D"})
    session = begin(quick, FOE)
    answer(session, "4", "slash:b:short_sword", [1], "dodge", [3], "use_skill::acrobatics", "nobody", "total", [3, 3])
    assert session.scene["a"].status.used == ("melee_combat", "dodge", "acrobatics")
    answer(session, "run_away", [5])
    assert session.scene["a"].status.used[3:] == ("running",)
    assert session.scene["b"].status.used == ()  # creatures learn nothing
    twice = begin(fighter(character_points=1), FOE, options={"points.asked": "always"})
    answer(twice, "1", "slash:b:short_sword", "nothing", [1, 1, 1, 1], "no")
    assert twice.scene["a"].status.used == ("melee_combat",)


# ---------------------------------------------------------------------- skills and specialisations


@pytest.mark.rule("opend6.gap.advancement.new_skill", "opend6.gap.advancement.skill")
def test_cost_of_skills() -> None:
    kept = buy(improving(intellect="3D"), "skill", "reading_writing")
    assert (kept.skills["reading_writing"], kept.character_points) == (C("3D+1"), 497)
    session = improving(agility="3D", dodge="4D+2")
    kept = buy(session, "skill", "dodge")
    assert (kept.skills["dodge"], kept.character_points) == (C("5D"), 496)
    refused("gap.advancement.skill", session, "skill", "dodge")  # one pip between two adventures
    session.do("table.check", who="ann", what="dodge")
    session.roll()
    do(session, "end_adventure", who="ann")
    kept = buy(session, "skill", "dodge")
    assert (kept.skills["dodge"], kept.character_points) == (C("5D+1"), 491)


@pytest.mark.rule("opend6.gap.advancement.specialisation", "opend6.gap.advancement.not_both")
def test_cost_of_specialisations() -> None:
    session = improving(coordination="3D", marksmanship="6D")
    kept = buy(session, "specialisation", "marksmanship", subject="bows")
    assert (kept.character_points, kept.specialisations) == (497, special("marksmanship", "bows", "0D+1"))
    refused("gap.advancement.not_both", session, "skill", "marksmanship")
    buy(session, "specialisation", "marksmanship", subject="slings")
    refused("gap.advancement.skill", session, "specialisation", "marksmanship", subject="slings")
    do(session, "end_adventure", who="ann")
    do(session, "train", who="ann", skill="marksmanship")
    buy(session, "skill", "marksmanship")
    refused("gap.advancement.not_both", session, "specialisation", "marksmanship", subject="bows")
    odd = somebody(agility="3D", dodge="4D+2", specialisations=special("dodge", "arrows", "0D+1"))
    assert cost(odd, "specialisation", "dodge", subject="arrows") == 3  # half of 5D, rounded up
    assert cost(odd, "specialisation", "stealth", subject="woods") == 2  # half of Agility 3D, rounded up
    assert price(odd, "specialisation", "dodge", library(), OPTIONS, subject="arrows").to == "5D+1"
    refused("gap.creation.specialisations", session, "specialisation", "dodge")


@pytest.mark.rule("opend6.gap.advancement.specialisation", "opend6.gap.advancement.skill")
def test_a_specialisation_is_one_however_it_is_written() -> None:
    session = improving()
    assert buy(session, "specialisation", "bluff", subject=" Old  Women ").specialisations[-1].subject == "Old Women"
    with pytest.raises(IllegalActionError, match="was improved already"):
        buy(session, "specialisation", "bluff", subject="old women")
    do(session, "end_adventure", who="ann")
    do(session, "train", who="ann", skill="bluff")
    one = buy(session, "specialisation", "bluff", subject="OLD WOMEN")
    assert one.specialisations == special("bluff", "Old Women", "0D+2")


@pytest.mark.rule("opend6.gap.advancement.extranormal")
def test_extranormal_skills_cost_double() -> None:
    wizard = somebody(extranormal="magic", extranormal_code="2D", alteration="3D+1")
    assert [cost(wizard, "skill", name) for name in ("alteration", "divination")] == [6, 4]
    assert cost(wizard, "specialisation", "alteration", subject="fire") == 4
    refused("gap.creation.extranormal_skills", improving(), "skill", "alteration")


@pytest.mark.rule("opend6.gap.advancement.skill", "opend6.gap.wound.dying_rescue")
def test_a_character_who_was_weakened_loses_nothing_by_learning() -> None:
    walls = special("climbing", "walls", "1D")
    session = improving(agility="3D", climbing="5D", wounds=Wounds(weakened=1), specialisations=walls)
    assert cost(after(session, "ann"), "skill", "climbing") == 5
    assert cost(after(session, "ann"), "specialisation", "climbing", subject="walls") == 3
    better = buy(session, "skill", "climbing")
    assert (better.skills["climbing"], better.character_points) == (C("5D+1"), 495)
    assert code(skill_code(better, "climbing", library())) == C("4D+1")


@pytest.mark.rule("opend6.gap.advancement.skill_upper_limit")
def test_an_upper_limit_for_skills_where_the_table_has_it() -> None:
    high: dict[str, Any] = {"agility": "5D", "dodge": "8D", "stealth": "7D+2"}
    assert buy(improving(**high), "skill", "dodge").skills["dodge"] == C("8D+1")
    session = improving(options=OpenD6Options(skill_upper_limit=True), **high)
    assert buy(session, "skill", "stealth").skills["stealth"] == C("8D")  # below 8D nothing is rolled
    dice = [2, 6, 6, 6, 6, 6, 6], [2, 3, 3, 3, 3, 3, 3, 3]  # the game master's 7D are 38
    assert buy(session, "skill", "dodge", *dice).skills["dodge"] == C("8D+1")


# ---------------------------------------------------------------------- attributes


@pytest.mark.rule("opend6.gap.advancement.attribute", "opend6.gap.advancement.upper_limit")
def test_raising_an_attribute() -> None:
    session = improving(agility="3D+1", dodge="4D+1", stealth="3D+2")
    kept = buy(session, "attribute", "agility", [3, 4, 4, 4], [2, 2, 2])  # 15 against 8
    assert (kept.attributes.agility, kept.character_points) == (C("3D+2"), 470)
    assert (kept.skills["dodge"], kept.skills["stealth"]) == (C("4D+2"), C("4D"))  # adds stay adds
    refused("gap.advancement.skill", session, "attribute", "agility")
    do(session, "end_adventure", who="ann")
    failed = buy(session, "attribute", "agility", [2, 2, 2, 2], [5, 5, 5, 5])  # 8 against 20
    assert (failed.attributes.agility, failed.character_points) == (C("3D+2"), 455)  # half comes back
    do(session, "end_adventure", who="ann")
    refused("gap.advancement.upper_limit", session, "attribute", "agility")
    assert [one.pips for one in failed.advances] == [1, 0]


@pytest.mark.rule("opend6.gap.advancement.upper_limit", "opend6.gap.advancement.attribute")
def test_extranormal_attributes_and_funds_have_no_upper_limit() -> None:
    session = improving(extranormal="magic", extranormal_code="2D", alteration="3D")
    kept = buy(session, "attribute", "magic")
    assert (kept.attributes.extranormal, kept.skills["alteration"]) == (C("2D+1"), C("3D+1"))
    assert kept.character_points == 480
    kept = buy(session, "funds", "funds")
    assert (kept.funds_adds, kept.character_points) == (C("0D+1"), 450)
    assert price(kept, "funds", "funds", library(), OPTIONS).to == "3D+2"
    refused("gap.advancement.attribute", session, "attribute", "miracles")


@pytest.mark.rule("opend6.gap.advancement.body_points")
@each_case(
    ("physique", "before", "dice", "after_it"),
    [
        ("3D+2", 30, ([2, 2, 2, 2], [6, 3]), 39),
        ("3D+1", 30, ([2, 2, 2],), 30),
        ("3D+2", None, ([2, 2, 2, 2],), None),
    ],
)
def test_a_new_die_of_physique_adds_body_points(
    physique: str, before: int | None, dice: tuple[list[int], ...], after_it: int | None
) -> None:
    session = improving(physique=physique, body_points=before)
    kept = buy(session, "attribute", "physique", [5, 5, 5, 5], *dice)
    assert (kept.attributes.physique.in_pips, kept.body_points) == (C(physique).in_pips + 1, after_it)


# ---------------------------------------------------------------------- abilities, advantages and disadvantages


@pytest.mark.rule("opend6.gap.advancement.ability", "opend6.gap.advancement.increased_attribute")
def test_cost_of_abilities() -> None:
    fast = somebody(abilities=(OwnAbility(id="fast_reactions"),))
    assert [cost(fast, "ability", name) for name in ("fast_reactions", "hardiness")] == [20, 5]
    strong = somebody(agility="4D+2", abilities=(OwnAbility(id="increased_attribute", ranks=3, attribute="agility"),))
    assert cost(strong, "ability", "increased_attribute") == 4 * 4 + 3
    session = improving(agility="4D")
    with pytest.raises(IllegalActionError, match="concerns"):
        buy(session, "ability", "increased_attribute")
    kept = buy(session, "ability", "increased_attribute", concerning=["agility"])
    assert kept.character_points == 500 - 16
    assert kept.abilities == (OwnAbility(id="increased_attribute", attribute="agility"),)
    kept = buy(session, "ability", "skill_bonus", concerning=["hide", "search", "stealth"])
    assert kept.abilities[-1].skills == ("hide", "search", "stealth")
    do(session, "end_adventure", who="ann")
    assert buy(session, "ability", "skill_bonus").abilities[-1].ranks == 2
    buy(session, "ability", "combat_sense")
    do(session, "end_adventure", who="ann")
    refused("gap.ability.cost", session, "ability", "combat_sense")


@pytest.mark.rule("opend6.gap.advancement.ability", "opend6.gap.advancement.increased_attribute")
def test_each_ability_is_raised_by_what_it_concerns() -> None:
    agile = OwnAbility(id="increased_attribute", attribute="agility")
    strong = OwnAbility(id="increased_attribute", attribute="physique")
    session = improving(agility="2D", physique="3D", abilities=(agile,))
    others = ("coordination", "physique", "intellect", "acumen", "charisma")
    assert offered(session, "new_ability:incr") == [f"new_ability:increased_attribute:{one}" for one in others]
    kept = buy(session, "ability", "increased_attribute", concerning=["physique"])
    assert (kept.abilities, kept.character_points) == ((agile, strong), 500 - 4 * 3)
    refused("gap.advancement.skill", session, "ability", "increased_attribute", concerning=["physique"])
    refused("gap.advancement.ability", session, "ability", "increased_attribute")
    kept = buy(session, "ability", "increased_attribute", concerning=["agility"])
    assert (kept.abilities, kept.character_points) == ((agile.changed(ranks=2), strong), 500 - 12 - 4 * 2 - 1)
    assert after(do(session, "step_back", who="ann"), "ann").abilities == (agile, strong)
    before = after(do(session, "step_back", who="ann"), "ann")
    assert (before.abilities, before.character_points) == ((agile,), 500)


@pytest.mark.rule("opend6.gap.advancement.ability")
def test_two_skill_bonuses_are_two_abilities() -> None:
    first = OwnAbility(id="skill_bonus", skills=("hide", "search", "stealth"))
    second = OwnAbility(id="skill_bonus", skills=("climbing", "jumping", "running"))
    session = improving(abilities=(first, second))
    which = ["ability:skill_bonus:hide,search,stealth", "ability:skill_bonus:climbing,jumping,running"]
    assert offered(session, "ability:") == which
    do(session, "spend", which[1], "done", who="ann")
    kept = after(session, "ann")
    assert kept.abilities == (first, second.changed(ranks=2))
    before = cost(somebody(abilities=(first,)), "ability", "skill_bonus")
    assert cost(kept, "ability", "skill_bonus", concerning=("hide", "search", "stealth")) == before
    assert [later_ranks(kept, one) for one in kept.abilities] == [0, 1]


@pytest.mark.rule("opend6.gap.advancement.advantage", "opend6.gap.advancement.disadvantage")
def test_advantages_and_disadvantages() -> None:
    session = improving(disadvantages=Ranks({"Debt": 2}))
    kept = buy(session, "advantage", "Patron", rank=2)
    assert (kept.advantages["Patron"], kept.character_points) == (2, 490)
    kept = buy(session, "bought_off", "Debt")
    assert (dict(kept.disadvantages), kept.character_points) == ({}, 470)
    kept = buy(session, "disadvantage", "Enemy", rank=3)
    assert (kept.disadvantages["Enemy"], kept.character_points) == (3, 479)
    refused("gap.advancement.disadvantage", session, "bought_off", "Fame")
    refused("gap.advancement.advantage", session, "advantage", "Patron")
    assert buy(session, "advantage", "x" * 60).advantages["x" * 60] == 1
    refused("gap.advancement.advantage", session, "advantage", "x" * 61)
    refused("gap.advancement.advantage", session, "advantage", " ")


@pytest.mark.rule("opend6.gap.advancement.disadvantage")
def test_one_disadvantage_between_two_adventures_and_ten_ranks_in_all() -> None:
    session = improving(disadvantages=Ranks({"Debt": 6}))
    refused("gap.advancement.disadvantage", session, "disadvantage", "Enemy", rank=5)
    assert buy(session, "disadvantage", "Enemy", rank=3).character_points == 509
    refused("gap.advancement.disadvantage", session, "disadvantage", "Fear")
    do(session, "end_adventure", who="ann")
    assert buy(session, "disadvantage", "Fear").character_points == 512
    do(session, "end_adventure", who="ann")
    refused("gap.advancement.disadvantage", session, "disadvantage", "Hunted")
    buy(session, "bought_off", "Fear")
    assert buy(session, "disadvantage", "Hunted").disadvantages["Hunted"] == 1


# ---------------------------------------------------------------------- one purchase after the other


@pytest.mark.rule("opend6.gap.advancement.specialisation", "opend6.gap.advancement.needs")
def test_a_new_specialisation_of_whatever_was_used() -> None:
    session = improving("ranger", improvable=("stealth", "dodge"))
    assert offered(session, "new_spec") == ["new_specialisation:stealth", "new_specialisation:dodge"]
    do(session, "spend", "new_specialisation:stealth", "in the snow", "done", who="ann")
    assert after(session, "ann").specialisations[-1:] == special("stealth", "in the snow", "0D+1")


@pytest.mark.rule("opend6.gap.advancement.ability", "opend6.gap.advancement.increased_attribute")
def test_a_new_ability_with_what_it_concerns() -> None:
    session = improving("ranger")
    assert "new_ability:increased_attribute" not in offered(session, "new_ability")
    taken = ("new_ability:increased_attribute:agility", "new_ability:hardiness", "new_ability:skill_bonus")
    do(session, "spend", *taken, "hide", "search", "stealth", "done", who="ann")
    one = after(session, "ann")
    assert one.abilities == (
        OwnAbility(id="increased_attribute", attribute="agility"),
        OwnAbility(id="hardiness"),
        OwnAbility(id="skill_bonus", skills=("hide", "search", "stealth")),
    )
    assert legality(one, OPTIONS, library()).ok
    assert "new_ability:hardiness" not in offered(session, "new_ability")


@pytest.mark.rule("opend6.gap.advancement.advantage", "opend6.gap.advancement.disadvantage")
def test_new_advantages_and_disadvantages_by_any_name() -> None:
    session = do(improving("ranger", character_points=16), "spend", "new_advantage", "Friend of the queen", who="ann")
    assert asked(session) == ("1", "2", "3")
    answer(session, "2", "new_disadvantage", "Debt")
    assert len(asked(session)) == 10
    answer(session, "3", "done")
    one = after(session, "ann")
    assert (dict(one.advantages), dict(one.disadvantages)) == ({"Friend of the queen": 2}, {"Debt": 3})
    assert one.character_points == 16 - 10 + 9


@pytest.mark.rule("opend6.gap.advancement.disadvantage", "opend6.cp.spent_and_earned")
def test_buying_step_by_step_comes_to_an_end() -> None:
    """The one who takes whatever gives points is offered no more of it."""
    session = improving(character_points=0, disadvantages=Ranks({"Debt": 6}))
    do(session, "spend", "new_disadvantage", "Enemy", who="ann")
    assert asked(session) == ("1", "2", "3", "4")
    assert "new_disadvantage" not in asked(answer(session, "4"))


@pytest.mark.rule("opend6.cp.spent_and_earned", "opend6.gap.creation.extranormal_skills")
def test_everything_that_can_be_bought_is_offered_with_its_cost() -> None:
    session = improving(agility="3D", dodge="4D+2", character_points=4)
    session.do("opend6.spend", who="ann")
    assert isinstance(session.question, Choice)
    assert {one.id: one.cost for one in session.question.options}["skill:dodge"] == 4
    closed = {one.id: one.rule for one in session.question.closed}
    assert closed["attribute:agility"] == "opend6.cp.spent_and_earned"
    assert closed["skill:alteration"] == "opend6.gap.creation.extranormal_skills"
    answer(session, "skill:dodge")  # nothing else can be paid for, so that is all
    assert after(session, "ann").skills["dodge"] == C("5D")


# ---------------------------------------------------------------------- the way back


@pytest.mark.rule("opend6.cp.spent_and_earned")
def test_stepping_back() -> None:
    held = (OwnAbility(id="hardiness"),)
    session = improving(agility="3D", dodge="4D", disadvantages=Ranks({"Debt": 2}), abilities=held)
    before = after(session, "ann")
    buy_all(
        session,
        ("skill", "dodge"),
        ("skill", "stealth"),
        ("specialisation", "climbing", {"subject": "walls"}),
        ("funds", "funds"),
        ("ability", "hardiness"),
        ("ability", "fast_reactions"),
        ("advantage", "Fame", {"rank": 2}),
        ("disadvantage", "Enemy"),
        ("bought_off", "Debt"),
    )
    for _ in range(9):
        do(session, "step_back", who="ann")
    assert after(session, "ann") == before
    with pytest.raises(IllegalActionError, match="nothing yet"):
        do(session, "step_back", who="ann")


@pytest.mark.rule("opend6.cp.spent_and_earned")
def test_purchases_that_cannot_be_taken_back() -> None:
    session = improving()
    buy(session, "skill", "dodge")
    do(session, "end_adventure", who="ann")
    with pytest.raises(IllegalActionError, match="before the last adventure"):
        do(session, "step_back", who="ann")
    buy(session, "attribute", "agility", [5, 5, 5, 5], [2, 2])
    with pytest.raises(IllegalActionError, match="rolled for"):
        do(session, "step_back", who="ann")
    poor = improving(character_points=0)
    buy_all(poor, ("disadvantage", "Enemy"), ("skill", "dodge"))
    do(poor, "step_back", who="ann")
    poor.do("table.check", who="ann", what="agility", situation=["character_points=3"])
    poor.roll()
    with pytest.raises(IllegalActionError, match="are spent"):
        do(poor, "step_back", who="ann")
