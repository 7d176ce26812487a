"""Choices that an option leads to before any dice are told ahead, change nothing, and name no one who is hidden."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from table.playing import ready_store
from tablewright.errors import InvalidInputError
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.values import thaw
from tablewright.server.tasks import follow_ups_at_table
from tablewright.table import ForbiddenError, Table
from tablewright.table.follow_ups import follow_ups

GM = "gwen"


def at_table(path: Path, system: str) -> Table:
    """A fight in which everyone is within reach, at a turn of the party; the other side acts by itself."""
    made = ready_store(path / "table.db").make_campaign("Ahead", system, game_master="Gwen")
    scenario = load_scenario(f"{system}:together")
    for entrant in scenario.on(scenario.sides[0]):
        made.table.act(GM, {"do": "character.add", "character": thaw(entrant.character), "id": entrant.id})
    made.table.act(GM, {"do": "scene.begin", "scenario": "together", "bots": {scenario.sides[1]: "careful"}})
    return made.table


def until(table: Table, begins: str) -> dict[str, Any]:
    """Pass until an action is offered; gives the question."""
    for _ in range(100):
        question = table.view(GM, 10**9)["question"]
        assert question is not None
        if any(one["id"].startswith(begins) for one in question.get("options", ())):
            return dict(question)
        option = question.get("pass") or question.get("default")
        table.act(GM, {"do": "answer", **({"roll": True} if question["kind"] == "roll" else {"option": option})})
    raise AssertionError(f"{begins} is never offered")


def test_a_choice_of_dice_is_told_with_the_attack_that_leads_to_it(tmp_path: Path) -> None:
    table = at_table(tmp_path, "stage")
    question = until(table, "attack:")
    attack = next(one["id"] for one in question["options"] if one["id"].startswith("attack:"))
    before = table.view(GM, 10**9)
    (steps,) = follow_ups(table.question_wanted(GM), [attack])["next"].values()
    assert table.view(GM, 10**9) == before, "nothing has happened"
    table.act(GM, {"do": "answer", "option": attack})
    for step in steps:
        asked = table.view(GM, 10**9)["question"]
        assert [one["id"] for one in step["options"]] == [one["id"] for one in asked["options"]]
        assert step["question"] == asked["question"]
        table.act(GM, {"do": "answer", "option": step.get("best", step["default"])})
    assert table.view(GM, 10**9)["question"].get("question") != steps[-1]["question"]


def test_a_declaration_is_told_with_the_turn_that_follows_and_its_advice(tmp_path: Path) -> None:
    table = at_table(tmp_path, "opend6")
    question: dict[str, Any] = {}
    for _ in range(50):
        question = table.view(GM, 10**9)["question"]
        if question["question"] == "how many actions this round?":
            break
        table.act(GM, {"do": "answer", "option": question.get("pass") or question["default"]})
    body = {"asked": table.question_wanted(GM), "options": [question["default"]], "seconds": None}
    (turn,) = follow_ups_at_table(body)["next"][question["default"]]
    assert turn["pass"] in [one["id"] for one in turn["options"]]
    assert sum(one["best"] for one in turn["advice"]) == 1
    table.act(GM, {"do": "answer", "option": question["default"]})
    asked = table.view(GM, 10**9)["question"]
    assert [one["id"] for one in asked["options"]] == [one["id"] for one in turn["options"]]


def test_unoffered_options_are_refused(tmp_path: Path) -> None:
    table = at_table(tmp_path, "stage")
    until(table, "attack:")
    wanted = table.question_wanted(GM)
    with pytest.raises(InvalidInputError, match='"attack:nobody" is not offered'):
        follow_ups(wanted, ["attack:nobody"])
    with pytest.raises(InvalidInputError, match="at most 12"):
        follow_ups(wanted, ["end_turn"] * 13)


def test_only_anyone_who_is_asked_may_look_ahead_and_hidden_people_are_unknown(tmp_path: Path) -> None:
    table = at_table(tmp_path, "stage")
    table.invite(GM, role="player", name="Ann")
    heroes = [one["id"] for one in table.view(GM)["characters"]]
    for hero in heroes:
        table.act(GM, {"do": "seat.hand", "who": hero, "seat": "ann"})
    entrant = {"character": "guard", "id": "sneak", "side": "watch", "hidden": True}
    question = until(table, "attack:")
    table.act(GM, {"do": "join", "entrant": entrant})
    table.invite(GM, role="spectator", name="Wim")
    with pytest.raises(ForbiddenError):
        table.question_wanted("wim")
    attack = next(one["id"] for one in question["options"] if one["id"].startswith("attack:"))
    hidden = ":".join(["attack", "sneak", *attack.split(":")[2:]])
    with pytest.raises(InvalidInputError, match="is not offered"):
        follow_ups(table.question_wanted("ann"), [hidden])


def test_the_view_says_what_ends_a_turn_who_stands_and_what_is_left(tmp_path: Path) -> None:
    table = at_table(tmp_path, "mars")
    table.invite(GM, role="player", name="Ann")
    table.act(GM, {"do": "seat.hand", "who": "aldith", "seat": "ann"})
    until(table, "attack")
    seen = table.view(GM, 10**9)
    assert seen["question"]["pass"] in [one["id"] for one in seen["question"]["options"]]
    for one in seen["scene"]["participants"]:
        assert isinstance(one["standing"], bool)
        assert all(part["now"] <= part["most"] for part in one["left"].values())
    own = {one["id"]: one for one in table.view("ann", 10**9)["scene"]["participants"]}
    assert own["aldith"]["left"]["health"]["most"] > 0
    assert [one for one in own if "left" in own[one]] == ["aldith"], "of others a player knows no number"


HURT = {
    "marchen": ("physical", "5", "physical threshold"),
    "mars": ("health", "3", "health"),
    "renaissance": ("damage", "7", "durability"),
    "stage": ("stamina", "1", "stamina"),
}
"""A field of each system, a value for it, and the resource that is less by it."""


@pytest.mark.parametrize("system", HURT)
def test_the_whole_of_a_resource_is_that_of_the_unhurt_in_the_next_scene_too(tmp_path: Path, system: str) -> None:
    field, value, resource = HURT[system]
    table = at_table(tmp_path, system)
    hero = table.view(GM)["characters"][0]["id"]

    def left() -> dict[str, int]:
        people = {one["id"]: one for one in table.view(GM)["scene"]["participants"]}
        found: dict[str, int] = people[hero]["left"][resource]
        return found

    unhurt = left()
    assert unhurt["now"] == unhurt["most"]
    given = {"who": hero, "field": field, "value": value, "reason": "a fall"}
    table.act(GM, {"do": "start", "process": "table.rule", "with": given})
    table.act(GM, {"do": "scene.end", "anyway": True})
    table.act(GM, {"do": "scene.begin", "form": "time", "who": [hero]})
    assert left()["now"] < left()["most"] == unhurt["most"]


def test_the_game_master_reads_the_sheet_of_anyone_in_the_scene(tmp_path: Path) -> None:
    table = at_table(tmp_path, "mars")
    table.invite(GM, role="player", name="Ann")
    foe = next(one for one in table.view(GM)["scene"]["participants"] if one["side"] != "party")
    assert table.sheet(GM, foe["id"]).title == foe["name"]
    with pytest.raises(Exception, match="no character of yours"):
        table.sheet("ann", foe["id"])


def test_a_question_is_answered_in_a_players_own_words(tmp_path: Path) -> None:
    table = at_table(tmp_path, "mars")
    until(table, "ready")
    table.act(GM, {"do": "answer", "option": "ready"})
    asked = table.view(GM, 10**9)["question"]
    assert asked["about"]["own_words"] is True
    with pytest.raises(InvalidInputError, match="1 to 200 letters"):
        table.act(GM, {"do": "answer", "option": " "})
    table.act(GM, {"do": "answer", "option": "the bell rings", "question": asked["id"]})
    assert table.view(GM, 10**9)["question"]["question"] == "to do what?"
    table.act(GM, {"do": "answer", "option": "ready_to::drop_prone"})
    told = ["".join([part["text"] for part in entry["headline"]]) for entry in table.view(GM, 0)["entries"]]
    assert any("the bell rings" in text for text in told)
