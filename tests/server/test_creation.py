"""Character creation over the network: the next question is the same with and without the cached steps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from conformance.places import at_length
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.server import creation, tasks
from tablewright.server.tasks import making

MOST = 60
EACH = 1 if at_length() else 5
"""Steps of a creation from one whose previews are looked at to the next."""


def asked(system: str, answers: Sequence[Any], **more: Any) -> dict[str, Any]:
    """The question after some answers."""
    usual = {"system": system, "options": {}, "packs": [], "seed": 5, "name": None, "arguments": {}}
    return making({**usual, "answers": [*answers], **more})


@cache
def walked(system: str) -> tuple[Any, ...]:
    """Answers that make a character: by turns something else, and done as soon as that is possible."""
    answers: list[Any] = []
    for number in range(MOST):
        told = asked(system, answers)
        if told["done"]:
            return tuple(answers)
        ids = [option["id"] for option in told["options"]]
        answers.append("done" if "done" in ids and number > 10 else ids[(7 * number) % len(ids)])
    raise AssertionError("it does not end")


@pytest.mark.parametrize("system", ["coinfolk", "opend6", "mars"])
def test_cached_answers_change_nothing(system: str) -> None:
    answers = walked(system)
    told = asked(system, answers)
    assert [one["id"] for one in told["taken"]] == [*answers]
    creation._lately.clear()
    assert asked(system, answers) == told
    middle = asked(system, answers[:-2])  # a step back is gone to from the beginning
    creation._lately.clear()
    assert asked(system, answers[:-2]) == middle
    other = asked(system, [], seed=6)["options"]
    assert other == asked(system, [], seed=6)["options"]


def test_refusals_leave_nothing_behind() -> None:
    answers = walked("mars")
    before = asked("mars", answers[:3])
    with pytest.raises(TablewrightError):
        asked("mars", [*answers[:3], "nonsense"])
    assert asked("mars", answers[:3]) == before
    with pytest.raises(InvalidInputError, match="is finished before this answer") as refused:
        asked("mars", [*answers, "more"])
    assert refused.value.field == f"answers.{len(answers)}"


def test_only_so_many_are_remembered() -> None:
    for seed in range(3 * creation.MOST_REMEMBERED):
        asked("coinfolk", [], seed=seed)
    assert len(creation._lately) == creation.MOST_REMEMBERED


def test_everything_has_a_name() -> None:
    """Options that have no more than an id, and what is closed: by name, or in words."""
    told = asked("opend6", ["bard", "done"])
    labels = {option["id"]: option["label"] for option in [*told["options"], *told["closed"]]}
    assert labels, told
    for found in (told, asked("renaissance", ["weal", "done"])):
        for option in [*found["options"], *found["closed"]]:
            assert "_" not in option["label"] + option.get("note", "") + option.get("reason", "")
    shut = asked("renaissance", ["heartland_gnoll", "done"])["closed"]
    assert {"Ash Elf", "Dwarf"} <= {one["label"] for one in shut}
    assert "cannot pronounce Heartland Gnoll" in {one["reason"] for one in shut}


@pytest.mark.parametrize("system", ["mars", "stage"])
def test_the_sheet_keeps_what_earlier_steps_have_shown(system: str) -> None:
    """A step that shows other figures does not empty the sheet beside it, and previews tell only what changes."""
    answers = walked(system)
    most: set[tuple[str, str]] = set()
    tried = 0
    for place in range(len(answers)):
        told = asked(system, answers[:place], previews=place % EACH == 0, seconds=None)
        figures = {(one["group"], one["name"]): one["value"] for one in told["figures"]}
        single = {key for key in figures if not key[0]}
        assert {key for key in most if not key[0]} <= single
        most |= set(figures)
        for changes in told.get("previews", {}).values():
            tried += 1
            assert all(figures.get((one["group"], one["name"]), "") == one["before"] for one in changes)
            assert all(one["before"] != one["value"] or not one["value"] for one in changes)
    assert most
    assert tried > 20


SHOPS = {"mars": "buy what?", "opend6": "buy what?", "stage": "buy what?", "marchen": "take which arms?"}


def offered(system: str, answers: Sequence[Any]) -> dict[str, Any]:
    """The question after some answers with the figures of all things, and with no previews of other options."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(creation, "PREVIEW_SECONDS", -1.0)
        return asked(system, answers, previews=True, seconds=None)


@cache
def shop(system: str) -> dict[str, Any]:
    """The first question of a new character's shop; it is only read."""
    answers: list[Any] = []
    for number in range(MOST):
        told = asked(system, answers)
        if told["question"] == SHOPS[system]:
            return offered(system, answers)
        ids = [option["id"] for option in told["options"]]
        answers.append("done" if "done" in ids and number > 10 else ids[(7 * number) % len(ids)])
    raise AssertionError("there is no shop")


@pytest.mark.parametrize("system", SHOPS)
def test_a_shop_tells_what_a_thing_does_in_these_hands(system: str) -> None:
    told = shop(system)
    things = told["things"]
    assert {"Weapons", "Armour"} <= {one["title"] for one in things.values()}
    weapons = [one for one in things.values() if one["title"] == "Weapons"]
    assert all(one["rows"] and all(len(row) == len(one["columns"]) for row in one["rows"]) for one in weapons)
    assert len({str(one["rows"]) for one in weapons}) > 3, "each has figures of its own"
    armour = [one for one in things.values() if one["title"] == "Armour"]
    assert any(one["rows"] or one["changes"] for one in armour)
    shut = {one["id"] for one in told["closed"]} & {*things}
    assert shut or system == "marchen", "also what is too dear"


def test_beyond_the_deadline_a_thing_keeps_its_place_in_the_shop(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, things = [one["id"] for one in shop("stage")["taken"]], shop("stage")["things"]
    monkeypatch.setattr(tasks, "PREVIEW_SECONDS", -1.0)
    later = offered("stage", answers)["things"]
    assert [*later] == [*things]
    assert {one["title"] for one in things.values()} == {one["title"] for one in later.values()}
    assert 0 < len([one for one in later.values() if one["rows"]]) <= len({one["title"] for one in later.values()})


def test_the_figures_of_a_weapon_are_those_of_the_finished_sheet() -> None:
    told = shop("mars")
    answers = [one["id"] for one in told["taken"]] + ["club", "done"]
    sheet = asked("mars", answers)["made"]["sheet"]
    weapons = next(section for section in sheet["sections"] if section["title"] == "Weapons")
    row = next(row for row in weapons["rows"] if row[0]["value"] == "Club")
    figures = {column: str(cell["value"]) for column, cell in zip(weapons["columns"], row, strict=True)}
    club = told["things"]["club"]
    assert dict(zip(club["columns"], club["rows"][0], strict=True)).items() <= figures.items()


def test_a_warning_blocks_nothing_and_names_its_remedies() -> None:
    told = shop("mars")
    [warning] = told["warnings"]
    assert (warning["id"], warning["text"]) == ("done", "You have no weapon that you are trained with.")
    assert "done" in {option["id"] for option in told["options"]}
    answers = [one["id"] for one in told["taken"]]
    assert asked("mars", [*answers, warning["remedies"][0]])["warnings"] == []
    assert asked("mars", [*answers, "done"])["done"]


def test_a_price_too_high_is_told_with_the_money_that_is_short() -> None:
    reasons = {one["id"]: one["reason"] for one in shop("mars")["closed"]}
    assert reasons["chainmail"] == "costs 65, 15 more than is left"


def test_every_raise_of_a_skill_shows_its_figure_before_and_after() -> None:
    answers = ["bard", "done", "0D"]
    told = asked("opend6", answers, previews=True, seconds=None)
    assert told["question"] == "raise which skill?"
    assert len(told["previews"]) == len(told["options"]) > 60
    assert {"group": "Skills", "name": "Artist", "before": "4D", "value": "4D+1"} in told["previews"]["artist+1"]
    assert ("Attributes", "Acumen", "4D") in {(one["group"], one["name"], one["value"]) for one in told["figures"]}


def test_previews_leave_out_figures_that_come_with_every_option() -> None:
    """Figures that the next step shows whatever is chosen are not told as what a native language gives."""
    told = asked("renaissance", [], previews=True, seconds=None)
    assert told["question"] == "which native language?"
    assert len(told["previews"]) > 2
    assert not any(told["previews"].values())
    callings = asked("opend6", [], previews=True, seconds=None)["previews"]
    assert callings["bard"], "what differs from calling to calling stays"


def test_a_language_gives_nothing_of_the_people_it_is_called_after() -> None:
    answers = ["human", "small", "DEX", "STR"]
    told = asked("mars", answers)
    assert told["question"] == "which other language?"
    orc = next(option for option in told["options"] if option["id"] == "orc")
    assert orc["label"] == "Orc"
    assert "gives" not in orc
    ancestries = {option["id"]: option for option in asked("mars", [])["options"]}
    assert ancestries["orc"]["gives"]
    assert "Sizes: Medium, Large" in ancestries["orc"]["gives"]


def test_figures_keep_their_place_beside_the_steps() -> None:
    """A later step that shows one group alone does not move it behind the others."""
    first: list[str] = []
    for place in range(len(answers := walked("opend6"))):
        groups = list(dict.fromkeys(one["group"] for one in asked("opend6", answers[:place])["figures"]))
        assert [group for group in groups if group in first] == first, (place, groups)
        first = groups


def test_mars_shows_what_ancestry_and_size_do_to_the_stats() -> None:
    told = asked("mars", ["human"])
    assert {one["id"]: one["note"] for one in told["options"]}["small"] == "-1 STR, +1 DEX"
    figures = {(one["group"], one["name"]): one["value"] for one in asked("mars", ["human", "small", "DEX"])["figures"]}
    assert figures["Stats", "DEX"] == "+2"
    assert figures["Stats", "STR"] == "-1"
    assert figures["", "Size"] == "small"
    whole = walked("mars")
    shops = [asked("mars", whole[:place]) for place in range(len(whole))]
    shop = next(told for told in shops if told["question"] == "buy what?")
    stats = {one["name"]: one["value"] for one in shop["figures"] if one["group"] == "Stats"}
    assert set(stats) == {"STR", "DEX", "INT", "RES"}
    assert all(value.startswith("r") for value in stats.values()), stats


def test_a_preview_starts_from_what_the_last_answer_gave() -> None:
    """In Märchen Engine a connection changes no figure, and a score that a benefit raises is on the sheet at once."""
    answers: list[Any] = []
    while (told := asked("marchen", answers))["question"] != "which score?":
        ids = [option["id"] for option in told["options"]]
        if told["question"] == "which benefit?":
            told = asked("marchen", answers, previews=True, seconds=None)
            assert told["previews"]["connection"] == []
            answers.append("score")
        else:
            answers.append(ids[(7 * len(answers)) % len(ids)])
    told = asked("marchen", answers, previews=True, seconds=None)
    placed = {one["label"] for one in told["taken"] if one["step"] == "Scores"}
    assert placed <= {one["name"] for one in told["figures"]}, "the last score that was placed is there too"
    for id_, changes in told["previews"].items():
        raised = next(one for one in changes if one["name"].lower() == id_)
        assert int(raised["value"]) == int(raised["before"] or 0) + 1


def test_weapons_of_renaissance_tell_the_target_in_these_hands() -> None:
    """Five more ranks of a skill are five more with the weapons that it is for, and with no other."""
    answers: list[Any] = []
    while (told := asked("renaissance", answers))["question"] != "spend creation points on what?":
        ids = [option["id"] for option in told["options"]]
        answers.append("done" if "done" in ids else ids[0])

    def targets(found: dict[str, Any]) -> dict[str, int]:
        dagger = found["things"]["item:dagger"]
        assert dagger["columns"][:2] == ["Skill", "Target"]
        return {row[0]: int(row[1]) for row in dagger["rows"]}

    before = targets(offered("renaissance", answers))
    after = targets(offered("renaissance", [*answers, "skill:thrown_weapons+5"]))
    assert after == before | {"Thrown Weapons": before["Thrown Weapons"] + 5}
