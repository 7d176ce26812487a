"""Odds and advice at the table use only what the seat may know."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from table.playing import group
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.server import tasks
from tablewright.table import ForbiddenError, NotFoundError, Store, advice


def chance(told: dict[str, Any], outcome: object) -> Fraction:
    found = [Fraction(one["exact"]) for one in told["odds"]["outcomes"] if one["outcome"] == outcome]
    return sum(found, Fraction(0))


def test_odds_before_anything_is_rolled(quick: Store) -> None:
    g = group(quick)
    between = g.table.odds(g.anna, "ann", "wit", {"difficulty": 2, "helpers": 1})
    assert chance(between, True) + chance(between, False) == 1
    assert between["tallies"]["coins"]["total"] == 4
    g.act(g.gm, "scene.begin", form="time")
    before = g.table.view(g.gm)
    assert g.table.odds(g.anna, "ann", "wit", {"difficulty": 2, "helpers": 1}) == between
    g.act(
        g.gm, "start", process="table.modify", **{"with": {"what": "wit", "value": 1, "reason": "rested", "who": "ann"}}
    )
    assert chance(g.table.odds(g.anna, "ann", "wit", {"difficulty": 2, "helpers": 1}), True) > chance(between, True)
    assert g.table.view(g.gm)["lines"][: before["last"]] == before["lines"]


def test_odds_are_for_those_whose_character_it_is(quick: Store) -> None:
    g = group(quick)
    g.begin()
    assert g.table.odds(g.gm, "rat", "wit")["check"] == "wit"
    for seat, who in ((g.ben, "ann"), (g.anna, "rat"), (g.anna, "nobody")):
        with pytest.raises(NotFoundError, match="of yours"):
            g.table.odds(seat, who, "wit")
    with pytest.raises(ForbiddenError):
        g.table.odds(g.watcher, "ann", "wit")
    with pytest.raises(InvalidInputError, match="no check"):
        g.table.odds(g.anna, "ann", "witt")
    g.act(g.gm, "setting.set", name="odds", value=False)
    with pytest.raises(ForbiddenError, match="not shown odds"):
        g.table.odds(g.anna, "ann", "wit")


def test_advice_is_for_the_seat_asked(quick: Store) -> None:
    g = group(quick)
    g.begin()
    for _ in range(60):
        question = g.question()
        assert question is not None
        if question["kind"] == "choice" and "so_far" in question:
            break
        strikes = [one["id"] for one in question.get("options", ()) if one["id"].startswith("strike")]
        g.answer(strikes[0] if strikes else None)
    asked = g.asked()
    told = g.table.advice(asked)
    assert told["id"] == g.table.view(asked)["question"]["id"]
    assert [one["id"] for one in told["options"]] == [one["id"] for one in (g.question(asked) or {})["options"]]
    assert [one["best"] for one in told["options"]].count(True) >= 1
    others = {g.anna, g.ben} - {asked}
    for seat in others:
        with pytest.raises(ForbiddenError):
            g.table.advice(seat)
    g.act(g.gm, "scene.end", anyway=True)
    with pytest.raises(IllegalActionError, match="choose"):
        g.table.advice(g.gm)


def test_the_game_masters_modifiers_of_one_roll(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "scene.begin", form="time")
    plain = advice.odds_of(g.table.check_wanted(g.gm, "ann", "wit", {"difficulty": 2}))
    more = advice.odds_of(g.table.check_wanted(g.gm, "ann", "wit", {"difficulty": 2}, plus=2))
    assert more["tallies"]["coins"]["total"] == plain["tallies"]["coins"]["total"] + 2
    assert chance(more, True) > chance(plain, True)
    with pytest.raises(ForbiddenError, match="adds"):
        g.table.check_wanted(g.anna, "ann", "wit", {"difficulty": 2}, plus=2)
    roll = {"who": "ann", "what": "wit", "plus": 2}
    with pytest.raises(InvalidInputError, match="reason"):
        g.act(g.gm, "start", process="table.check", **{"with": roll})
    with pytest.raises(ForbiddenError, match="adds"):
        g.act(g.anna, "start", process="table.check", **{"with": roll | {"because": "I say so"}})
    g.act(g.gm, "start", process="table.check", **{"with": roll | {"because": "I say so"}})
    trace = next(line["fact"] for line in g.table.lines(g.anna) if "mechanic" in line["fact"])
    assert ("I say so", 2) in [(part["label"], part["changed"]) for part in trace["tallies"]["coins"]["parts"]]
    assert g.state()["scene"]["modifiers"] == [], "it was for this roll alone"


def test_a_first_answer_leaves_out_what_takes_longer_and_the_next_one_has_it(
    quick: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    g = group(quick)
    g.begin()
    while "turn" not in str((g.question() or {}).get("about")) and "what now" not in str(g.question()):
        g.answer(None)
    wanted = g.table.question_wanted(g.asked())
    body = {"asked": wanted, "seconds": None}
    monkeypatch.setattr(tasks, "FIRST_SECONDS", -1.0)
    first = tasks.advice_at_table(body | {"first": True})
    assert first["options"] == []
    assert first["left_out"] == [one["id"] for one in (g.question() or {})["options"]]
    whole = tasks.advice_at_table(body | {"first": False})
    assert [one["id"] for one in whole["options"]] == first["left_out"]
    assert whole["left_out"] == []
