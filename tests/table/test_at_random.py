"""Random commands in random order: memory equals the log, and every seat counts lines without a gap."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from conformance.places import at_length
from table.playing import Group, group
from tablewright.errors import TablewrightError
from tablewright.table import Store
from tablewright.table.audit import differences

DEEDS = 60


def deed(g: Group, chance: random.Random) -> tuple[str, dict[str, Any]]:
    """An action that a seat might try now, sensible or not."""
    view = g.table.view(g.gm, 10**9)
    question = view["question"]
    line = chance.randrange(max(1, view["last"] - 12), view["last"] + 1)
    seat = chance.choice((g.anna, g.ben))
    option = chance.choice(question["options"])["id"] if question and question["kind"] == "choice" else "wait"
    answer = {"roll": True} if question and question["kind"] == "roll" else {"option": option}
    asked = g.asked() if question is not None else g.gm
    everything: list[tuple[int, str, dict[str, Any]]] = [
        (12, asked, {"do": "answer", **answer}),
        (1, seat, {"do": "answer", **answer}),
        (2, g.gm, {"do": "undo", "line": line}),
        (2, g.gm, {"do": "redo"}),
        (3, g.gm, {"do": "change", "line": line, "answer": {"option": chance.choice(("wait", "yes", "no", option))}}),
        (2, seat, {"do": "take_back"}),
        (1, seat, {"do": "throw", "dice": "2d6", "audience": chance.choice(("public", "gm", "blind", "self"))}),
        (1, seat, {"do": "note.write", "text": "hm"}),
        (
            1,
            g.gm,
            {"do": "seat.hand", "who": chance.choice(("ann", "bob")), "seat": chance.choice((g.anna, g.ben, None))},
        ),
        (1, seat, {"do": "seat.set", "dice": chance.choice(("ask", "auto"))}),
        (1, g.gm, {"do": "go_on"}),
        (1, g.gm, {"do": "proposal.apply"}),
        (1, g.gm, {"do": "proposal.dismiss"}),
        (1, g.gm, {"do": "setting.set", "name": "harm", "value": chance.choice(("at once", "game master"))}),
        (1, g.gm, {"do": "start", "process": "table.hide", "with": {"who": "rat"}}),
        (1, g.gm, {"do": "start", "process": "table.reveal", "with": {"who": "rat"}}),
        (1, seat, {"do": "start", "process": "table.check", "with": {"who": "ann", "what": "wit", "audience": "gm"}}),
        (1, g.gm, {"do": "join", "entrant": {"character": "rat", "side": "vermin"}}),
        (1, g.gm, {"do": "scene.end", "anyway": True}),
        (2 if view["scene"] else 20, g.gm, {"do": "scene.begin", "scenario": "together"}),
        (1, g.gm, {"do": "option.set", "name": "ducking", "value": chance.choice(("after", "never")), "reason": "so"}),
    ]
    _, who, command = chance.choices(everything, [weight for weight, _, _ in everything])[0]
    return who, command


@pytest.mark.parametrize("seed", range(12 if at_length() else 2))
def test_anything_in_any_order(quick: Store, seed: int) -> None:
    chance, g = random.Random(seed), group(quick)
    g.begin()
    done: dict[str, int] = {}
    for number in range(DEEDS):
        who, command = deed(g, chance)
        before = {seat: g.table.lines(seat, after=0) for seat in (g.anna, g.watcher)}
        try:
            if command["do"] in ("undo", "redo", "change"):
                command["confirm"] = g.table.preview(who, command)["confirm"]
            g.table.act(who, command, key=f"{number}")
        except TablewrightError:
            assert {seat: g.table.lines(seat) for seat in before} == before, command
        else:
            done[command["do"]] = done.get(command["do"], 0) + 1
            for seat, lines in before.items():
                now = g.table.lines(seat)
                assert now[: len(lines)] == lines, command
                assert [line["number"] for line in now] == list(range(1, len(now) + 1))
        if number % 6 == 0:
            check(g)
    check(g)
    assert len(done) > 8, done


def check(g: Group) -> None:
    seats = (g.gm, g.anna, g.ben, g.watcher)
    seen = [json.dumps(g.table.view(seat)) for seat in seats]
    assert g.table._sitting is not None
    assert list(differences(g.table._sitting)) == []
    g.table.forget()
    assert [json.dumps(g.table.view(seat)) for seat in seats] == seen
