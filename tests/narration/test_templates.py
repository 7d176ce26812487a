"""Sayings as data: templates with alternatives, cases, patterns and consequences."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.game.narration.common_sayings import COMMON
from tablewright.game.narration.draft import EntryDraft, LineSeen
from tablewright.game.narration.sayings import Sayings
from tablewright.game.narration.voice import Voice

VOICE = Voice(names={"ann": "Ann", "guard-1": "Guard 1", "guard-2": "Guard 2"})


def told(sayings: Sayings, *facts: dict[str, Any]) -> Any:
    """The entry of some facts; None if there is nothing to say."""
    people = ("who", "by", "target")
    lines = [LineSeen(at, 1, fact, "", {}, people) for at, fact in enumerate(facts)]
    return EntryDraft(lines, VOICE, sayings).tell()


def headline(sayings: Sayings, *facts: dict[str, Any]) -> str:
    entry = told(sayings, *facts)
    return "" if entry is None else str(entry.headline)


@pytest.mark.parametrize(
    ("template", "values", "wanted"),
    [
        ("{who} [mounts {mount:name}|dismounts].", {"who": "ann", "mount": ""}, "Ann dismounts."),
        ("{who} [mounts {mount:name}|dismounts].", {"who": "ann", "mount": "guard-1"}, "Ann mounts Guard 1."),
        ("[{over:if}|{who} waits.]", {"who": "ann", "over": True}, ""),
        ("[{over:if}|{who} waits.]", {"who": "ann", "over": False}, "Ann waits."),
        ("{far:count mile}, {far:words mile}", {"far": 1}, "1 mile, one mile"),
        ("{days:count day of food}", {"days": "3"}, "3 days of food"),
        ("{what:low a} and {what:low the}", {"what": "Oak Shield"}, "an oak shield and the oak shield"),
        ("{what:low a}", {"what": "12"}, "a 12"),
        ("because {why:clause}.", {"why": "it rains."}, "because it rains."),
        ("{ill.name:text}, level {ill.level}", {"ill": {"name": "fever", "level": 2}}, "fever, level 2"),
    ],
)
def test_a_template_is_filled(template: str, values: dict[str, Any], wanted: str) -> None:
    assert str(VOICE.fill(template, values, ["who"])) == wanted


@pytest.mark.parametrize("values", [{"ill": {"level": 2}}, {"ill": "fever"}, {}])
def test_a_part_that_is_missing_leaves_a_template_unfilled(values: dict[str, Any]) -> None:
    assert VOICE.fill("{ill.name:text}", values) is None


def test_forms_that_read_the_same_fields_are_tried_in_turn() -> None:
    sayings = Sayings(COMMON)
    sayings.say("Rose", "{slowly:if}{who} struggles up.", "{who} gets up.", reads=["who", "slowly"])
    assert headline(sayings, {"event": "Rose", "who": "ann", "slowly": True}) == "Ann struggles up."
    assert headline(sayings, {"event": "Rose", "who": "ann", "slowly": False}) == "Ann gets up."
    assert headline(sayings, {"event": "Rose", "who": "ann"}) == ""  # the viewer may not see how


def test_cases_consequences_and_what_is_told_already() -> None:
    sayings = Sayings(COMMON)
    sayings.say("Stood", "{who} is {how}.", cases=("how", {"prone": "{who} drops."}), after=("state", "{how:text}"))
    sayings.say("Drank", "{who} drinks.", after=("heal", "{points} health", "points"), unless="Stood")
    sayings.say("Waited", "{who} waits.", lead=True)
    entry = told(sayings, {"event": "Stood", "who": "ann", "how": "prone"}, {"event": "Waited", "who": "ann"})
    assert str(entry.headline) == "Ann drops."
    assert [(one.sort, one.text, one.amount) for one in entry.after] == [("state", "prone", None)]
    assert headline(sayings, {"event": "Stood", "who": "ann", "how": "upright"}) == "Ann is upright."
    entry = told(sayings, {"event": "Drank", "who": "ann", "points": 3})
    assert (str(entry.headline), [one.text for one in entry.after]) == ("Ann drinks.", ["3 health"])
    assert told(sayings, {"event": "Drank", "who": "ann", "points": 0}).after == ()
    assert headline(sayings, {"event": "Stood", "who": "ann", "how": "up"}, {"event": "Drank", "who": "ann"}) == (
        "Ann is up."
    )


def test_patterns_come_before_the_inherited_saying() -> None:
    sayings = Sayings(COMMON)
    sayings.match("CharacterChanged", "what", (r"(?P<n>\d+) gold", "{who} finds {n:count coin}."), (r"nothing", ""))
    for what, wanted in (("3 gold", "Ann finds 3 coins."), ("nothing", ""), ("3 golden", "Ann: 3 golden.")):
        assert headline(sayings, {"event": "CharacterChanged", "who": "ann", "what": what}) == wanted


def test_the_same_event_of_several_is_told_once() -> None:
    sayings = Sayings(COMMON)
    sayings.share("Caught", "is caught", "are caught", "by")
    caught = [{"event": "Caught", "who": who, "by": "ann"} for who in ("guard-1", "guard-2")]
    assert headline(sayings, *caught) == "Guards 1 and 2 are caught."
    assert headline(sayings, caught[0]) == "Guard 1 is caught."
    assert headline(sayings, caught[0], caught[1] | {"by": "x"}) == "Guard 1 is caught. Guard 2 is caught."


def test_throws_are_named_by_their_mechanics() -> None:
    sayings = Sayings(COMMON, system="dice")
    sayings.name_throws({"roll": "check contest", "initiative": "order"})
    assert sayings.labels == {"dice.check": "roll", "dice.contest": "roll", "dice.order": "initiative"}
