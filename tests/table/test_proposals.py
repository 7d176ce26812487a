"""Harm to others is applied at once, or proposed and applied by the game master, as the table is set."""

from __future__ import annotations

import json
from typing import Any

import pytest

from table.playing import Group, group
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.table import Store


def struck(g: Group) -> dict[str, Any]:
    """Strike until damage is proposed; return the statuses from before."""
    g.act(g.gm, "setting.set", name="harm", value="game master")
    g.begin()
    first = health(g)
    for _ in range(80):
        if g.state()["proposal"] is not None:
            return first
        question = g.question()
        assert question is not None
        strikes = [one["id"] for one in question.get("options", ()) if one["id"].startswith("strike")]
        g.answer(strikes[0] if strikes else None)
    raise AssertionError("nobody was harmed")


def health(g: Group) -> dict[str, Any]:
    return {one["id"]: one["status"]["health"] for one in g.state()["scene"]["participants"]}


def proposed(g: Group, seat: str) -> list[dict[str, Any]]:
    return [line for line in g.table.lines(seat) if line["kind"] == "proposed"]


def test_a_proposal_is_one_sentence_with_its_dice(quick: Store) -> None:
    g = group(quick)
    struck(g)
    for seat in (g.gm, g.anna):
        entries = g.table.view(seat, 0)["entries"]
        told = [entry for entry in entries if entry["kind"] == "proposed"]
        assert len(told) == 1
        text = "".join(part["text"] for part in told[0]["headline"])
        assert text.endswith(".")
        assert "strike" in text
        assert told[0]["dice"], "its dice stand beside it"
        lines = [line["number"] for line in proposed(g, seat)]
        assert told[0]["lines"][0] in lines
        before = entries[entries.index(told[0]) - 1]
        assert not "".join(part["text"] for part in before["headline"]).endswith("..."), "told once"


def test_harm_is_proposed_and_applied(quick: Store) -> None:
    g = group(quick)
    first = struck(g)
    assert health(g) == first, "nothing has happened yet"
    told = proposed(g, g.gm)
    blow = next(line["fact"] for line in told if line["fact"].get("event") == "Struck")
    assert proposed(g, g.anna), "everybody sees what is proposed, as they will see it"
    for seat in (g.anna, g.ben, g.watcher):
        assert g.question(seat) == {"waiting": "somebody"}
        assert g.state(seat)["proposal"] is None
    with pytest.raises(IllegalActionError, match="a proposal is open"):
        g.act(g.gm, "answer", option="wait")
    g.table.forget()
    assert g.state()["proposal"] is not None, "it waits, whatever happens to the server"
    g.act(g.gm, "proposal.apply")
    assert health(g)[blow["who"]] == first[blow["who"]] - blow["harm"]
    happened = [line["fact"] for line in g.table.lines(g.gm) if line["kind"] != "proposed"]
    assert blow in happened
    assert g.table.is_as_the_log_says()
    with pytest.raises(IllegalActionError, match="nothing is proposed"):
        g.act(g.gm, "proposal.apply")


def test_dismissed_proposals_do_not_happen_and_dice_stay(quick: Store) -> None:
    g = group(quick)
    first = struck(g)
    told = [json.dumps(line["fact"]) for line in proposed(g, g.gm)]
    g.act(g.gm, "proposal.dismiss", reason="the table is in the way")
    assert health(g) == first
    assert g.texts(g.ben)[-1] == "what was proposed does not happen: the table is in the way"
    assert g.table.is_as_the_log_says()
    g.table.forget()
    question = g.question()
    assert question is not None
    if question["kind"] == "roll":
        g.act(g.gm, "go_on")
        assert [json.dumps(line["fact"]) for line in proposed(g, g.gm)][len(told) :] == told


def test_an_undo_takes_what_is_proposed_with_it(quick: Store) -> None:
    g = group(quick)
    struck(g)
    number = next(line["number"] for line in g.table.lines(g.gm) if line["fact"].get("event") == "TurnStarted")
    g.undo(number)
    assert g.state()["proposal"] is None
    assert g.table.is_as_the_log_says()


def test_harmless_acts_need_no_target(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "setting.set", name="harm", value="game master")
    g.begin()
    for _ in range(8):
        if g.question() is not None:
            g.answer("wait")
    assert g.state()["proposal"] is None
    assert proposed(g, g.gm) == []


def test_a_table_says_how_harm_is_applied(quick: Store) -> None:
    g = group(quick)
    assert g.state(g.anna)["settings"]["harm"] == "at once"
    with pytest.raises(InvalidInputError, match="at once or by the game master"):
        g.act(g.gm, "setting.set", name="harm", value="never")


@pytest.mark.parametrize("harm", ["half", "none"])
def test_half_of_what_is_proposed_counts_or_nothing(quick: Store, harm: str) -> None:
    g = group(quick)
    first = struck(g)
    blow = next(line["fact"] for line in proposed(g, g.gm) if line["fact"].get("event") == "Struck")
    g.act(g.gm, "proposal.apply", harm=harm)
    kept = blow["harm"] // 2 if harm == "half" else 0
    assert health(g)[blow["who"]] == first[blow["who"]] - kept
    called = g.table.view(g.watcher)["scene"]["participants"]
    name = next(one["name"] for one in called if one["id"] == blow["who"])
    assert any(text == f"{harm} of it counts for {name}" for text in g.texts(g.watcher))
    g.table.forget()
    assert health(g)[blow["who"]] == first[blow["who"]] - kept
    assert g.table.is_as_the_log_says()
    number = next(line["number"] for line in g.table.lines(g.gm) if line["fact"].get("event") == "Spared")
    g.undo(number)
    assert health(g) == first
    assert g.table.is_as_the_log_says()
