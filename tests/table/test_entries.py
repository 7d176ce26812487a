"""Entries of a view: one for each action, made from the lines, without what a seat may not know."""

from __future__ import annotations

import json
from typing import Any

from table.playing import group
from tablewright.table import Store


def headline(entry: dict[str, Any]) -> str:
    return "".join([part["text"] for part in entry["headline"]])


def fought(store: Store, answers: int = 25) -> Any:
    """A group in the middle of a fight in which everyone strikes."""
    g = group(store)
    g.begin()
    for _ in range(answers):
        question = g.question()
        assert question is not None
        strikes = [one["id"] for one in question.get("options", ()) if one["id"].startswith("strike:")]
        g.answer(strikes[0] if strikes else None)
    return g


def test_every_action_is_one_entry_that_stands_for_its_lines(quick: Store) -> None:
    g = fought(quick)
    view = g.table.view(g.gm, 0)
    numbers = [line["number"] for line in view["lines"]]
    entries = [entry for entry in view["entries"] if entry["kind"] != "talk"]
    assert any("strikes" in headline(entry) and entry["dice"] for entry in entries)
    for entry in entries:
        first, last = entry["lines"]
        assert first in numbers
        assert first <= last <= numbers[-1]
        assert headline(entry)[:1].isupper()
    starts = [entry["lines"][0] for entry in view["entries"]]
    assert starts == sorted(set(starts))


def test_an_action_that_goes_on_comes_again_with_its_first_line(quick: Store) -> None:
    g = fought(quick)
    whole = {entry["lines"][0]: entry for entry in g.table.view(g.gm, 0)["entries"]}
    after = 0
    pieces: dict[int, dict[str, Any]] = {}
    last = g.table.cursor(g.gm)
    while after < last:
        view = g.table.view(g.gm, after, most=1)
        pieces |= {entry["lines"][0]: entry for entry in view["entries"]}
        after = view["cursor"]
    told = [entry for entry in whole.values() if entry["kind"] == "action"]
    assert told
    for entry in told:
        assert pieces[entry["lines"][0]] == entry


def test_an_action_with_answers_in_its_middle_is_told_as_a_whole(quick: Store) -> None:
    """Answers that come one by one, as those to a defender, do not cut an action in two."""
    made = quick.make_campaign("In pieces", "renaissance", game_master="Gwen", seed=1)
    table = made.table
    table.act("gwen", {"do": "scene.begin", "scenario": "together"})
    after, pieces, asked = 0, dict[int, dict[str, Any]](), 0
    for _ in range(40):
        view = table.view("gwen", after)
        pieces |= {entry["lines"][0]: entry for entry in view["entries"]}
        asked += any(line["kind"] == "entry" for line in view["lines"])
        after, question = view["cursor"], view["question"]
        attacks = [one["id"] for one in question.get("options", ()) if one["id"].startswith("attack:")]
        option = attacks[0] if attacks else question.get("pass") or question.get("default")
        table.act("gwen", {"do": "answer", **({"roll": True} if question["kind"] == "roll" else {"option": option})})
    pieces |= {entry["lines"][0]: entry for entry in table.view("gwen", after)["entries"]}
    whole = [entry for entry in table.view("gwen", 0)["entries"] if entry["kind"] == "action"]
    assert asked
    assert [headline(entry) for entry in pieces.values() if entry["kind"] == "action"] == [
        headline(entry) for entry in whole
    ]


def test_entries_hold_nothing_that_a_seat_may_not_know(quick: Store) -> None:
    g = group(quick)
    foe = {"character": "cat", "id": "lurker", "name": "Lurking Cat", "side": "vermin", "hidden": True}
    g.begin()
    g.act(g.gm, "join", entrant=foe)
    for _ in range(20):
        g.answer()
    seen = json.dumps(g.table.view(g.anna, 0))
    assert "urking" not in seen
    assert "lurker" not in seen


def test_a_stretch_of_the_past_has_its_entries(quick: Store) -> None:
    g = fought(quick)
    past = g.table.history(g.anna, 0, most=12)
    assert len(past["lines"]) == 12
    assert all(entry["lines"][0] <= past["lines"][-1]["number"] for entry in past["entries"])


def test_dice_beside_the_game_are_dice(quick: Store) -> None:
    g = group(quick)
    g.act(g.anna, "throw", dice="2d6")
    entry = g.table.view(g.anna, 0)["entries"][-1]
    assert entry["kind"] == "talk"
    assert len(entry["dice"][0]["faces"]) == 2
    assert entry["dice"][0]["total"] == sum([face["value"] for face in entry["dice"][0]["faces"]])


def test_a_question_is_worded_for_people(quick: Store) -> None:
    g = group(quick)
    g.begin()
    question = g.until(g.anna)
    assert "".join([part["text"] for part in question["heading"]]) == "What does Ann do?"
    assert all({"label", "gives", "costs", "chance", "group"} <= set(option) for option in question["options"])


def test_the_cost_of_an_advancement_is_told(quick: Store) -> None:
    made = quick.make_campaign("The lessons", "mars", game_master="Gwen")
    for command in (
        {"do": "character.add", "character": "fighter", "id": "aldith"},
        {"do": "scene.begin", "form": "time", "who": ["aldith"]},
        {"do": "start", "process": "mars.award", "with": {"bonus": 30}},
        {"do": "start", "process": "mars.spend", "with": {"who": "aldith"}},
    ):
        made.table.act("gwen", command)
    options = {one["id"]: one for one in made.table.view("gwen")["question"]["options"]}
    assert options["skill:agility"]["costs"] == str(options["skill:agility"]["cost"])
    assert not options["done"].get("costs")


def test_each_players_character_is_told_once(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "scene.begin", form="time", who=["ann", "bob"])
    before = g.table.view(g.gm)["last"]
    g.act(g.gm, "seat.hand", who="ann", seat=g.ben)
    for seat in (g.gm, g.anna, g.ben, g.watcher):
        view = g.table.view(seat, before)
        assert [headline(one) for one in view["entries"]] == ["Ann is played by Ben."], seat
        assert len(view["lines"]) == 2, "the scene has a line of its own"
    g.act(
        g.gm, "start", process="table.rule", **{"with": {"who": "ann", "field": "health", "value": "1", "reason": "a"}}
    )
    assert "Ann" in headline(g.table.view(g.gm)["entries"][-1]), "any other ruling is told"
