"""Limits of those who are down, unconscious or at an end."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.marchen.fights import begun, duel, fighter, ruled
from systems.marchen.people import done, somebody, together
from systems.marchen.test_seasons import hero, hurt
from systems.playing import answer as go_on
from tablewright.errors import IllegalActionError
from tablewright.game.session.session import Session

OUTCOMES = "marchen.gap.face.outcomes"
DEAD: dict[str, Any] = {"fate": "dead", "down": True, "conscious": False}
OUT: dict[str, Any] = {"down": True, "conscious": False}
LYING: dict[str, Any] = {"down": True}
TRIED: dict[str, dict[str, Any]] = {
    "forage": {"who": "bob"},
    "face_danger": {"who": "bob", "skill": "athletics"},
    "check_gear": {"who": "bob", "item": "rope"},
    "month": {"plans": ("bob=go_riding",)},
    "week": {"plans": ("bob=honor_your_people",)},
    "group_check": {"who": ("ann", "bob"), "what": "athletics"},
    "aid": {"who": ("ann", "bob"), "what": "stamina"},
    "pool": {"who": ("ann", "bob"), "what": "stamina"},
    "chain": {"tasks": ("ann:stamina", "bob:stamina")},
    "work": {"who": "bob", "what": "athletics"},
    "attempt": {"who": "bob", "what": "athletics", "obstacle": "a wall"},
    "cast_deed": {"who": "bob", "skill": "arcana"},
}


def company(**bob: Any) -> Session:
    """Three people, one of whom is in some state."""
    return ruled(together(hero(), hero("Bob"), hero("Cid")), "bob", **bob)


def refused(session: Session, process: str, **given: Any) -> str:
    """The refusal by the outcomes of facing the end, or of the dead by the process itself; nothing changes."""
    before = session.scene
    with pytest.raises(IllegalActionError) as no:
        session.do(f"marchen.{process}", **given)
    own = next((one.rules[0] for one in session.rulebook.processes if one.name == f"marchen.{process}"), OUTCOMES)
    assert no.value.rule in (OUTCOMES, own)
    assert session.scene == before
    return str(no.value.message)


@pytest.mark.rule("marchen.gap.face.outcomes")
@each_case("process", TRIED)
def test_a_down_character_does_nothing(process: str) -> None:
    assert refused(company(**DEAD), process, **TRIED[process]) == "Bob is dead"
    assert refused(company(**LYING), process, **TRIED[process]) == "Bob is down"


@pytest.mark.rule("marchen.gap.face.outcomes", "marchen.puncti.negotiate", "marchen.puncti.compel")
@pytest.mark.parametrize("process", ["negotiate", "compel"])
def test_words_need_a_character_who_hears_them(process: str) -> None:
    for who, against in (("ann", "bob"), ("bob", "ann")):
        assert refused(company(**DEAD), process, who=who, against=against) == "Bob is dead"
        assert refused(company(**OUT), process, who=who, against=against) == "Bob is unconscious"
    done(company(**LYING), process, [3, 3, 4, 4], who="ann", against="bob")


@pytest.mark.rule("marchen.gap.face.outcomes", "marchen.season.recover")
def test_the_dead_have_no_season_but_the_fallen_recover() -> None:
    assert refused(company(**DEAD), "season", plans=("bob=recovery",)) == "Bob is dead"
    assert refused(company(**DEAD), "undertake", who="bob", plan="recovery") == "Bob is dead"
    session = ruled(company(**OUT), "bob", physical=20)
    done(session, "season", plans=("ann=rest", "bob=recovery", "cid=rest"))
    assert (session.scene["bob"].status.physical, session.scene["bob"].status.down) == (0, False)


@pytest.mark.rule("marchen.gap.face.outcomes", "marchen.interrupted.face_death", "marchen.ounces.endure")
def test_a_character_who_has_come_to_an_end_has_nothing_more_to_face() -> None:
    assert refused(company(**DEAD), "face_the_end", who="bob") == "Bob is dead"
    assert refused(company(**DEAD), "hurt", who="bob") == "Bob is dead"
    done(company(**OUT), "face_the_end", [4, 4], who="bob")


# ---------------------------------------------------------------------- time

LONG: dict[str, dict[str, Any]] = {
    "rest": {},
    "first_aid": {"who": "ann", "patient": "bob"},
    "triage": {"who": "ann", "patient": "bob"},
    "make_camp": {"payer": "ann"},
    "forage": {"who": "ann"},
    "face_danger": {"who": "ann", "skill": "athletics"},
    "check_gear": {"who": "ann", "item": "rope"},
    "negotiate": {"who": "ann", "against": "bob"},
    "work": {"who": "ann", "what": "athletics"},
    "travel": {"mode": "travel"},
    "undertake_journey": {},
    "fight_battle": {"side": "party", "against": "foes"},
    "week": {"plans": ("ann=honor_your_people",)},
    "month": {"plans": ("ann=go_riding",)},
    "season": {},
    "overcome_destruction": {"who": "ann"},
    "raise_standing": {"who": "ann"},
    "cast_deed": {"who": "ann", "skill": "arcana", "depth": "weave"},
}


@pytest.mark.rule("marchen.action.scales")
@each_case("process", LONG)
def test_a_fight_has_no_time_for_what_takes_longer_than_an_ounce(process: str) -> None:
    session = duel(fighter("Ann", skills={"arcana": 3}, treasure=90), fighter("Bob", wounds=hurt(physical=5)))
    ruled(begun(session), "bob", dying="watch")
    before = session.scene
    with pytest.raises(IllegalActionError, match="not in the middle of an encounter") as no:
        session.do(f"marchen.{process}", **LONG[process])
    assert (no.value.rule, session.scene) == ("marchen.action.scales", before)


@pytest.mark.rule("marchen.action.scales", "marchen.gap.casting.depths")
def test_momentary_acts_are_done_in_a_fight_too() -> None:
    session = begun(duel(fighter("Ann", skills={"arcana": 3})))
    session.do("marchen.cast_deed", who="ann", skill="arcana", depth="sense")
    go_on(session, [4, 4])
    assert session.scene["ann"].status.spiritual == 0


# ---------------------------------------------------------------------- journeys


@pytest.mark.rule("marchen.month.journey", "marchen.gap.face.outcomes")
def test_nobody_travels_where_all_are_dead() -> None:
    assert refused(ruled(together(hero()), "ann", **DEAD), "undertake_journey") == "nobody is left who could travel"


@pytest.mark.rule("marchen.month.journey", "marchen.group.check")
def test_the_dead_stay_behind_and_the_fallen_are_carried() -> None:
    people = [hero(skills={"physical_sciences_survival": 0}), *[somebody(name, supply=1) for name in ("Bob", "Cid")]]
    dead = ruled(ruled(together(*people), "bob", **DEAD), "cid", **DEAD)
    assert done(dead, "undertake_journey", [4, 4]) == 1  # Ann alone is half of one who travels
    assert done(dead, "undertake_journey", [3, 3], ["supply"]) == 0
    assert [dead.scene[who].character.supply for who in ("ann", "bob", "cid")] == [2, 1, 1]
    assert refused(dead, "undertake_journey", who=("ann", "bob")) == "Bob is dead"
    carried = ruled(ruled(together(*people), "bob", physical=20, **OUT), "cid", physical=20, **OUT)
    assert done(carried, "undertake_journey", [4, 4]) == 1
    assert done(carried, "undertake_journey", [3, 3], ["supply"] * 3) == 0
    assert [carried.scene[who].character.supply for who in ("ann", "bob", "cid")] == [2, 0, 0]
    assert refused(carried, "undertake_journey", who=("bob", "cid")) == "Bob is down"


@pytest.mark.rule("marchen.month.journey")
def test_a_journey_is_over_when_nobody_can_go_on() -> None:
    session = ruled(together(hero(supply=0)), "ann", physical=11)
    faces = [3, 3, 6, 3, 3, 1, 1]  # the month, the damage, what is endured, death
    assert done(session, "undertake_journey", faces, months=3) == 0
    assert session.scene["ann"].status.down
    assert session.scene.clock.now == 30 * 24 * 3600 * 8
