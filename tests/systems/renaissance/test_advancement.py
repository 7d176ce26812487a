"""Advancement: what an adventure earns, what Rez points buy at which price, limits, and the way back."""

from __future__ import annotations

from typing import Any

import pytest

from systems.renaissance.folk import LEDGER, library, person, session_of
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.advancement import award_tally
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.character.costs import before_all, rank_cost, steps_back
from tablewright.systems.renaissance.character.record import RenaissanceCharacter
from tablewright.systems.renaissance.options import RenaissanceOptions

REZ = "renaissance.gap.advancement.rez_points"


def rich(points: int = 100, **changes: Any) -> Session:
    """Hrask with Rez points to spend."""
    return session_of({"ann": person("soldier", rez=points, opportunity=1, **changes)})


def ann(session: Session) -> RenaissanceCharacter:
    """Hrask as he is now."""
    found: RenaissanceCharacter = session.scene["ann"].character
    return found


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
        (1, 0, 2, 0, 6),
    ],
)
def test_award_of_an_adventure(sessions: int, goal: int, motivation: int, play: int, total: int) -> None:
    assert award_tally(sessions, goal, motivation, play).total == total
    session = session_of({"ann": person("soldier")})
    words = {"sessions": sessions, "goal": goal, "motivation": motivation, "good_play": play}
    session.do("renaissance.award", who="ann", **words)
    assert (session.result, ann(session).rez, ann(session).opportunity) == (total, total, 1)


def test_the_figures_of_the_award() -> None:
    data = LEDGER["renaissance.gap.advancement.award"].data
    assert award_tally(1).total == data["session"]
    assert award_tally(5, 1).total - award_tally(5).total == data["goal"]
    assert award_tally(5, 0, 1).total - award_tally(5).total == data["motivation"]
    assert award_tally(5, 0, 0, 1).total - award_tally(5).total == data["play"]
    assert award_tally(1, -1, -5).total == data["least"]


@pytest.mark.rule("renaissance.gap.advancement.rez_points")
@pytest.mark.parametrize(
    ("what", "name", "ranks", "cost"),
    [
        ("skill", "medicine", 1, 2),  # from the 31st rank on
        ("skill", "fray", 1, 2),  # the limit of creation has lapsed
        ("skill", "deception", 10, 10),
        ("skill", "knowledge:law", 31, 32),
        ("specialization", "fray", 1, 5),
        ("trait", "tough", 1, 10),
        ("class", "warrior", 1, 10),
        ("power", "jump", 1, None),
        ("luck", "", 1, 15),
    ],
)
def test_prices_are_those_of_creation(what: str, name: str, ranks: int, cost: int | None) -> None:
    session = rich()
    words = {
        "who": "ann",
        "what": what,
        "name": name,
        "ranks": ranks,
        "detail": "crowds" if what == "specialization" else "",
    }
    if cost is None:
        with pytest.raises(IllegalActionError, match="needs Spellcraft 10"):
            session.do("renaissance.advance", **words)
        return
    before = ann(session)
    session.do("renaissance.advance", **words)
    assert ann(session).available == 100 - cost
    assert rulebook.legality(ann(session), session.scene.options, library()).ok
    assert before_all(ann(session), tuple(steps_back(ann(session)))).changed(rez=100) == before
    session.do("renaissance.step_back", who="ann")
    assert ann(session) == before


@pytest.mark.rule("renaissance.gap.advancement.rez_points", "renaissance.gap.creation.global_limits")
def test_global_limits_stay() -> None:
    session = rich(500)
    session.do("renaissance.advance", who="ann", what="skill", name="fray", ranks=20)
    assert ann(session).skills["fray"] == 70
    with pytest.raises(IllegalActionError) as error:
        session.do("renaissance.advance", who="ann", what="skill", name="fray")
    assert error.value.rule == "renaissance.gap.creation.global_limits"
    for _ in range(7):
        session.do("renaissance.advance", who="ann", what="luck")
    with pytest.raises(IllegalActionError, match="10 is the most"):
        session.do("renaissance.advance", who="ann", what="luck")
    assert session.scene["ann"].status.luck == 3  # points come back with time


@pytest.mark.rule("renaissance.gap.advancement.rez_points")
def test_forbidden_purchases() -> None:
    session = rich(5)
    before = session.scene
    for words, reason in (
        ({"what": "luck"}, "costs 15 Rez points and Hrask has 5"),
        ({"what": "trait", "name": "high_pain_tolerance"}, "is there already"),
        ({"what": "specialization", "name": "pole_arms", "detail": "Spear"}, "one specialization is the most"),
        ({"what": "power", "name": "green_hand"}, "granted by a spirit"),
        ({"what": "class", "name": "mage"}, "needs Spellcraft 20"),
    ):
        with pytest.raises(IllegalActionError, match=reason):
            session.do("renaissance.advance", who="ann", **words)
    for words in ({"what": "skill", "name": "swimming"}, {"what": "trait", "name": "toughest"}):
        with pytest.raises(InvalidInputError):
            session.do("renaissance.advance", who="ann", **words)
    assert session.scene == before


@pytest.mark.rule("renaissance.gap.advancement.buy_off")
def test_buying_off_a_negative_trait() -> None:
    traits = {"high_pain_tolerance": "", "wanted": "the duke"}
    session = rich(20, traits=traits)
    session.do("renaissance.advance", who="ann", what="buy_off", name="wanted")
    assert "wanted" not in ann(session).traits
    assert ann(session).available == 10
    session.do("renaissance.step_back", who="ann")
    assert ann(session).traits["wanted"] == "the duke"
    options = RenaissanceOptions(buy_off_traits=False)
    strict = session_of({"ann": person("soldier", rez=20, traits=traits)}, options)
    with pytest.raises(IllegalActionError) as error:
        strict.do("renaissance.advance", who="ann", what="buy_off", name="wanted")
    assert error.value.rule == "renaissance.gap.advancement.buy_off"
    with pytest.raises(InvalidInputError):
        session.do("renaissance.advance", who="ann", what="buy_off", name="high_pain_tolerance")


@pytest.mark.rule("renaissance.gap.advancement.rez_points")
def test_stepping_back_ends_with_the_next_award() -> None:
    session = rich()
    with pytest.raises(IllegalActionError, match="has bought nothing yet"):
        session.do("renaissance.step_back", who="ann")
    for name in ("deception", "read"):
        session.do("renaissance.advance", who="ann", what="skill", name=name, ranks=5)
    session.do("renaissance.step_back", who="ann")
    assert "read" not in ann(session).skills
    assert ann(session).skills["deception"] == 5
    session.do("renaissance.award", who="ann")
    with pytest.raises(IllegalActionError, match="before the last award"):
        session.do("renaissance.step_back", who="ann")


def test_spending_step_by_step() -> None:
    session = rich(30)
    session.do("renaissance.spend", who="ann")
    closed = {one.id: one for one in session.question.closed}  # type: ignore[union-attr]
    assert closed["skill:athletics+20"].reason == "costs 40, 30 left"
    session.choose("skill:art")
    session.choose("music")
    session.choose("special:art:music")
    session.choose("the lute")
    session.choose("trait:enemy")
    session.choose("the duke")
    session.choose("done")
    one = ann(session)
    assert (one.skills["art:music"], one.specializations["art:music"], one.traits["enemy"]) == (
        10,
        "the lute",
        "the duke",
    )
    assert one.available == 30 - 10 - 5 + 10
    assert rank_cost(10) == 10


def test_luck_bought_later_is_the_stat_not_the_points() -> None:
    session = rich()
    session.do("renaissance.advance", who="ann", what="luck")
    assert (ann(session).luck, session.scene["ann"].status.luck) == (4, 3)
    session.do("renaissance.luck", who="ann", why="session")
    assert session.scene["ann"].status.luck == 4
