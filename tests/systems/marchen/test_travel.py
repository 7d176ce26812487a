"""Travelling: miles, journeys by the month, foraging, who stays behind."""

from __future__ import annotations

import pytest

from systems.marchen.acts import ann, done, later, refusal, told
from systems.marchen.fights import ruled
from systems.marchen.people import DAY, DEAD, OPTIONS, OUT, WATCH, alone, book, data, hero, library, somebody, together
from systems.playing import examples, status
from tablewright.game.character.sheet import sheet_text
from tablewright.systems.marchen.chapters.story import MILES
from tablewright.systems.marchen.character.record import Journey
from tablewright.systems.marchen.status import journey


@pytest.mark.rule("marchen.watch.travel_modes")
def test_miles_by_the_watch() -> None:
    said = data("marchen.watch.travel_modes")
    assert {mode: row["miles_per_watch"] for mode, row in said.items()} == MILES
    for given, expect in examples("marchen.watch.travel_modes"):
        session = alone()
        assert done(session, "travel", mode=given["mode"], watches=given["watches"]) == expect["miles"]
        assert session.scene.clock.now == given["watches"] * WATCH
        assert f"The company covers {expect['miles']} miles." in told(session)


@pytest.mark.rule("marchen.watch.travel_modes", "marchen.watch.reach_destination")
def test_a_journey_goes_on_in_the_next_scene_and_ends_where_it_leads() -> None:
    session = together(hero(), hero("Bob"))
    session.do("marchen.set_out", to="Bree", miles=20)
    mixed = together(ann(later(session)), hero("Bob"))  # with Bob, who goes nowhere, she stays on her own journey
    done(mixed, "travel", mode="adventure")
    assert ann(mixed).journey == Journey(to="Bree", miles=20)
    done(session, "travel", mode="adventure")
    assert told(session).endswith("The company is on the way to Bree: 8 of 20 miles.")
    again = later(session)
    assert journey(again.scene) == Journey(to="Bree", miles=20, gone=8)
    text = " ".join(sheet_text(book().sheet(ann(again), OPTIONS, library())).split())
    assert "On the way to Bree (8 of 20 miles)" in text
    assert done(again, "travel", mode="travel", watches=3) == 16
    assert journey(again.scene) is None
    assert "The journey to Bree is over." in told(again)
    assert journey(later(again).scene) is None
    again.do("marchen.set_out", to="Bree", miles=9)
    done(again, "travel", mode="adventure", watches=1)
    assert done(again, "travel", mode="adventure", watches=5) == 8


@pytest.mark.rule("marchen.month.journey")
def test_a_journey_by_the_month_costs_supply_or_harm_where_it_goes_wrong() -> None:
    walker = {"skills": {"physical_sciences_survival": 0}, "supply": 1}
    session = together(hero("Ann", **walker), hero("Bob", **walker))
    done(session, "undertake_journey", [4, 4, 1, 1], months=1)
    assert session.scene.clock.now == 30 * DAY
    done(session, "undertake_journey", [3, 3, 1, 1, 4, 1, 2], ["supply", "harm"], months=1)
    assert (ann(session).supply, status(session, "bob").physical) == (0, 4)


@pytest.mark.rule("marchen.month.journey", "marchen.gap.face.outcomes")
def test_a_journey_is_over_when_nobody_can_go_on() -> None:
    assert refusal(ruled(together(hero()), "ann", **DEAD), "undertake_journey") == "nobody is left who could travel"
    session = ruled(together(hero(supply=0)), "ann", physical=11)
    faces = [3, 3, 6, 3, 3, 1, 1]  # the month, the damage, what is endured, death
    assert done(session, "undertake_journey", faces, months=3) == 0
    assert (status(session).down, session.scene.clock.now) == (True, 30 * DAY)


@pytest.mark.rule("marchen.month.journey", "marchen.group.check")
def test_the_dead_stay_behind_and_the_fallen_are_carried() -> None:
    people = [hero(skills={"physical_sciences_survival": 0}), *[somebody(name, supply=1) for name in ("Bob", "Cid")]]
    dead = ruled(ruled(together(*people), "bob", **DEAD), "cid", **DEAD)
    assert done(dead, "undertake_journey", [4, 4]) == 1  # Ann alone is half of one who travels
    assert done(dead, "undertake_journey", [3, 3], ["supply"]) == 0
    assert [dead.scene[who].character.supply for who in ("ann", "bob", "cid")] == [2, 1, 1]
    assert refusal(dead, "undertake_journey", who=("ann", "bob")) == "Bob is dead"
    carried = ruled(ruled(together(*people), "bob", physical=20, **OUT), "cid", physical=20, **OUT)
    assert done(carried, "undertake_journey", [4, 4]) == 1
    assert done(carried, "undertake_journey", [3, 3], ["supply"] * 3) == 0
    assert [carried.scene[who].character.supply for who in ("ann", "bob", "cid")] == [2, 0, 0]
    assert refusal(carried, "undertake_journey", who=("bob", "cid")) == "Bob is down"


@pytest.mark.rule("marchen.watch.resupply")
def test_foraging() -> None:
    session = alone(hero(supply=1, skills={"physical_sciences_survival": 0}))
    assert done(session, "forage", [6, 5], who="ann") == 2
    assert (ann(session).supply, session.scene.clock.now) == (3, WATCH)
