"""Advancement: what an adventure earns, what Rez points buy at which price, limits, the way back, and legality."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer
from systems.renaissance.fights import then
from systems.renaissance.folk import OPTIONS, library, person, refused, scene_of, session_of
from tablewright.errors import InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Ranks
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.renaissance.advancement import award_tally
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.costs import before_all, steps_back
from tablewright.systems.renaissance.character.record import Advance, RenaissanceCharacter
from tablewright.systems.renaissance.legality import legality
from tablewright.systems.renaissance.options import RenaissanceOptions

REZ = "renaissance.gap.advancement.rez_points"


def rich(points: int = 100, **changes: Any) -> Session:
    """Hrask with Rez points to spend."""
    return session_of({"ann": person("soldier", rez=points, opportunity=1, **changes)})


def ann(session: Session) -> RenaissanceCharacter:
    """Hrask as he is now."""
    found: RenaissanceCharacter = session.scene["ann"].character
    return found


def advance(session: Session, what: str, name: str = "", **more: Any) -> RenaissanceCharacter:
    """Hrask after a purchase."""
    return ann(then(session, "advance", who="ann", what=what, name=name, **more))


def step_back(session: Session) -> RenaissanceCharacter:
    """Hrask after he took a purchase back."""
    return ann(then(session, "step_back", who="ann"))


# ---------------------------------------------------------------------- awards


@pytest.mark.rule("renaissance.gap.advancement.award")
@pytest.mark.parametrize(
    ("sessions", "goal", "motivation", "play", "total"),
    [
        (1, 0, 0, 0, 2),
        (3, 1, 0, 0, 9),
        (3, -1, 0, 0, 3),
        (2, 0, 1, 3, 9),
        (2, 0, -1, 0, 2),
        (1, -1, -1, 0, 1),
        (1, -1, -5, 0, 1),
        (1, 0, 2, 0, 6),
    ],
)
def test_award_of_an_adventure(sessions: int, goal: int, motivation: int, play: int, total: int) -> None:
    assert award_tally(sessions, goal, motivation, play).total == total
    words = {"sessions": sessions, "goal": goal, "motivation": motivation, "good_play": play}
    session = then(session_of({"ann": person("soldier")}), "award", who="ann", **words)
    assert (session.result, ann(session).rez, ann(session).opportunity) == (total, total, 1)


# ---------------------------------------------------------------------- purchases


@pytest.mark.rule("renaissance.gap.advancement.rez_points")
@pytest.mark.parametrize(
    ("what", "name", "more", "cost"),
    [
        ("skill", "medicine", {}, 2),  # from the 31st rank on
        ("skill", "fray", {}, 2),  # the limit of creation has lapsed
        ("skill", "deception", {"ranks": 10}, 10),
        ("skill", "knowledge:law", {"ranks": 31}, 32),
        ("specialization", "fray", {"detail": "crowds"}, 5),
        ("trait", "tough", {}, 10),
        ("class", "warrior", {}, 10),
        ("luck", "", {}, 15),
    ],
)
def test_prices_are_those_of_creation(what: str, name: str, more: dict[str, Any], cost: int) -> None:
    session = rich()
    before = ann(session)
    after = advance(session, what, name, **more)
    assert after.available == 100 - cost
    assert rulebook.legality(after, OPTIONS, library()).ok
    assert before_all(after, tuple(steps_back(after))).changed(rez=100) == before
    assert step_back(session) == before


@pytest.mark.rule("renaissance.gap.advancement.rez_points", "renaissance.gap.creation.global_limits")
def test_global_limits_stay() -> None:
    session = rich(500)
    assert advance(session, "skill", "fray", ranks=20).skills["fray"] == 70
    limit = refused(session, "advance", who="ann", what="skill", name="fray")
    assert limit == "renaissance.gap.creation.global_limits"
    for luck in range(4, 11):
        assert advance(session, "luck").luck == luck
    refused(session, "advance", "10 is the most", who="ann", what="luck")
    assert session.scene["ann"].status.luck == 3  # points come back with time
    then(session, "luck", who="ann", why="session")
    assert session.scene["ann"].status.luck == 4


@pytest.mark.rule("renaissance.gap.advancement.rez_points")
def test_forbidden_purchases() -> None:
    session = rich(5)
    for what, name, reason in (
        ("luck", "", "costs 15 Rez points and Hrask has 5"),
        ("trait", "high_pain_tolerance", "is there already"),
        ("specialization", "pole_arms", "one specialization is the most"),
        ("power", "green_hand", "granted by a spirit"),
        ("power", "jump", "needs Spellcraft 10"),
        ("class", "mage", "needs Spellcraft 20"),
    ):
        refused(session, "advance", reason, who="ann", what=what, name=name, detail="Spear")
    for what, name in (("skill", "swimming"), ("trait", "toughest")):
        with pytest.raises(InvalidInputError):
            advance(session, what, name)


@pytest.mark.rule("renaissance.gap.advancement.rez_points")
def test_nothing_is_bought_or_taken_back_in_the_middle_of_a_fight() -> None:
    scene = scene_of({"ann": person("soldier", rez=100, opportunity=1)})
    session = Session(SessionHeader("renaissance", "0.1.0", replace(scene, round=1), 1), rulebook)
    for process, given in (("advance", {"what": "skill", "name": "fray"}), ("spend", {}), ("step_back", {})):
        assert refused(session, process, "in the middle of an encounter", who="ann", **given) == REZ
    over = Session(SessionHeader("renaissance", "0.1.0", replace(scene, round=1, ended="over"), 1), rulebook)
    assert advance(over, "skill", "fray").skills["fray"] == 51


@pytest.mark.rule("renaissance.gap.advancement.buy_off")
def test_buying_off_a_negative_trait() -> None:
    traits = {"high_pain_tolerance": "", "wanted": "the duke"}
    session = rich(20, traits=traits)
    after = advance(session, "buy_off", "wanted")
    assert ("wanted" in after.traits, after.available) == (False, 10)
    assert step_back(session).traits["wanted"] == "the duke"
    with pytest.raises(InvalidInputError):
        advance(session, "buy_off", "high_pain_tolerance")
    strict = session_of({"ann": person("soldier", rez=20, traits=traits)}, RenaissanceOptions(buy_off_traits=False))
    rule = refused(strict, "advance", who="ann", what="buy_off", name="wanted")
    assert rule == "renaissance.gap.advancement.buy_off"


@pytest.mark.rule("renaissance.gap.advancement.rez_points")
def test_stepping_back_ends_with_the_next_award() -> None:
    session = rich()
    refused(session, "step_back", "has bought nothing yet", who="ann")
    for name in ("deception", "read"):
        advance(session, "skill", name, ranks=5)
    after = step_back(session)
    assert ("read" in after.skills, after.skills["deception"]) == (False, 5)
    then(session, "award", who="ann")
    refused(session, "step_back", "before the last award", who="ann")


def test_spending_step_by_step() -> None:
    session = then(rich(30), "spend", who="ann")
    closed = {one.id: one for one in session.question.closed}  # type: ignore[union-attr]
    assert closed["skill:athletics+20"].reason == "costs 40, 30 left"
    answer(session, "skill:art", "music", "special:art:music", "the lute", "trait:enemy", "the duke", "done")
    one = ann(session)
    assert (one.skills["art:music"], one.specializations["art:music"]) == (10, "the lute")
    assert (one.traits["enemy"], one.available) == ("the duke", 30 - 10 - 5 + 10)


@pytest.mark.rule("renaissance.modifier.field_specialization")
def test_a_field_is_one_skill_however_it_is_spelled() -> None:
    before = person("soldier").skills["knowledge:tactics"]
    after = advance(rich(), "skill", "Knowledge:Tactics", ranks=5)
    assert (after.skills["knowledge:tactics"], after.spent) == (before + 5, 10)  # above 30 ranks each is 2 points
    assert wrong(after) == []
    twice = person("soldier", skills=ranks("knowledge:Tactics", 5))
    assert 'skills: "knowledge:tactics" stands there 2 times' in wrong(twice)


@pytest.mark.rule("renaissance.gap.skill.list")
def test_an_exotic_skill_that_was_taken_back_is_asked_for_its_aptitude_again() -> None:
    session = rich()
    before = ann(session)
    advance(session, "skill", "exotic_skill:whip", ranks=5)
    answer(session, "COO")
    advance(session, "skill", "exotic_skill:whip", ranks=5)
    assert step_back(session).exotic == {"exotic_skill:whip": "COO"}
    assert step_back(session) == before
    advance(session, "skill", "exotic_skill:whip", ranks=5)
    answer(session, "SOM")
    assert ann(session).exotic == {"exotic_skill:whip": "SOM"}


# ---------------------------------------------------------------------- legality of what was bought


def wrong(character: RenaissanceCharacter) -> list[str]:
    """Violations of a character."""
    return [f"{one.where}: {one.message}" for one in legality(character, OPTIONS, library()).violations]


def grown(*advances: dict[str, Any], **changes: Any) -> RenaissanceCharacter:
    """Hrask with things that were bought with Rez points."""
    bought = tuple([Advance(**{"opportunity": 1, **one}) for one in advances])
    return person("soldier", **{"rez": 100, "opportunity": 1, "advances": bought, **changes})


def ranks(name: str, number: int) -> Ranks:
    """The skills of Hrask with one of them changed."""
    return person("soldier").skills.put(name, number)


@pytest.mark.rule("renaissance.gap.advancement.rez_points")
def test_purchases_are_paid_for_again_and_in_order() -> None:
    two = {"what": "skill", "name": "fray", "ranks": 2}
    assert wrong(grown({**two, "cost": 4}, skills=ranks("fray", 52))) == []
    for cost in (0, 3, 5):
        found = wrong(grown({**two, "cost": cost}, skills=ranks("fray", 52)))
        assert found == [f"advances[0]: fray costs 4, {cost} were paid"]
    luck = {"what": "luck", "cost": 15}
    assert wrong(grown(luck, luck, luck=5)) == []
    assert wrong(grown(luck, {**luck, "opportunity": 2}, luck=5)) == ["advances[1]: down-time 2 has not come yet"]
    assert wrong(grown({**luck, "cost": 0}, luck=4)) == ["advances[0]: luck costs 15, 0 were paid"]
    enemy = {"what": "trait", "name": "enemy", "detail": "the duke"}
    with_enemy = person("soldier").traits.put("enemy", "the duke")
    assert wrong(grown({**enemy, "cost": -10}, traits=with_enemy)) == []
    found = wrong(grown({**enemy, "cost": -1000}, traits=with_enemy))
    assert found == ["advances[0]: enemy costs -10, -1000 were paid"]


@pytest.mark.rule("renaissance.gap.advancement.rez_points", "renaissance.gap.power.requirements")
def test_missing_and_unavailable_items_were_not_bought() -> None:
    for advance in (
        {"what": "skill", "name": "fray", "ranks": 51, "cost": 4},
        {"what": "skill", "name": "fray", "ranks": 0, "cost": 0},
        {"what": "skill", "name": "swimming", "ranks": 1, "cost": 1},
        {"what": "specialization", "name": "fray", "cost": 5},
        {"what": "trait", "name": "tough", "cost": 10},
        {"what": "class", "name": "mage", "cost": 10},
        {"what": "power", "name": "jump", "cost": 5},
        {"what": "buy_off", "name": "high_pain_tolerance", "cost": 10},
    ):
        found = wrong(grown(advance))
        assert f"advances[0]: {advance['name']} is not there as it was bought" in found, advance
    assert wrong(grown({"what": "luck", "cost": 15}, luck=0))[-1] == "advances[0]: luck is not there as it was bought"
    whole = {"what": "skill", "name": "deception", "ranks": 10, "cost": 10}
    learned = grown(whole, skills=ranks("deception", 10))
    assert wrong(learned) == []
    assert "deception" not in before_all(learned, tuple(steps_back(learned))).skills
    jump = grown({"what": "power", "name": "jump", "cost": 10}, powers=("jump",))
    rules = {one.rule for one in legality(jump, OPTIONS, library()).violations if one.where == "advances[0]"}
    assert rules == {"renaissance.gap.power.requirements"}
    assert "advances[0]: jump: needs Spellcraft 10, it is 0" in wrong(jump)


@pytest.mark.rule("renaissance.gap.creation.motivations")
def test_the_same_motivation_counts_once() -> None:
    found = wrong(person("soldier", motivations=("+Family", "+Honour", "+family")))
    assert found == ['motivations: "+family" stands there 2 times']
    assert wrong(person("soldier", motivations=("+Family", "-Family", "+Honour"))) == []


@pytest.mark.rule("renaissance.gap.creation.points", "renaissance.gap.money.starting")
def test_a_new_character_has_what_creation_points_bought() -> None:
    hrask = person("soldier")
    more = hrask.changed(belongings=(*hrask.belongings, ItemStack("rope", 2)))
    armed = hrask.changed(belongings=(*hrask.belongings, ItemStack("dagger")))
    for one, found in (
        (hrask, []),
        (hrask.changed(belongings=hrask.belongings[1:]), []),
        (more, ["belongings.rope: 3, creation points and background give 1"]),
        (armed, ["belongings.dagger: 1, creation points and background give 0"]),
        (hrask.changed(copper=1), ["copper: new characters have none"]),
        (more.changed(copper=1, traded=True), []),
        (more.changed(copper=1, rez=1), []),
        (more.changed(copper=1, opportunity=1), []),
    ):
        assert wrong(one) == found


@pytest.mark.rule("renaissance.gap.creation.points")
@pytest.mark.parametrize(
    ("process", "given", "traded"),
    [("gain", {"item": "dagger"}, True), ("earn", {"amount": "5"}, True), ("lose", {"item": "rope"}, False)],
)
def test_a_character_who_has_got_something_is_not_measured_by_creation_points_any_more(
    process: str, given: dict[str, str], traded: bool
) -> None:
    session = then(session_of({"ann": person("soldier")}), process, who="ann", **given)
    assert ann(session).traded is traded
    assert wrong(ann(session).changed(belongings=session.scene["ann"].belongings)) == []
