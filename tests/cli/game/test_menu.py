"""Options at the keyboard: many on few lines, each taken by what stands before it, by its id, or by words."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from tablewright.cli.arguments.scenarios import open_fight
from tablewright.cli.play.keyboard import keys_of, picked
from tablewright.cli.play.menu import FEW, Menu, MenuRow, menu_of
from tablewright.engine import Choice, Roll, choose
from tablewright.errors import InvalidInputError
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.policies import careful

NAMES = {"wolf": "Wolf", "orc-1": "Orc 1", "orc-2": "Orc 2", "hag": "Old Hag"}
PLAIN = ("Dodge", "Crouch", "Look around", "Draw the dagger", "Shout", "Wait", "Flee", "End the turn")


def uses() -> list[ActionUse]:
    found = [
        ActionUse("attack", who, weapon, f"{verb} {name}: {weapon.title()}", "1 action")
        for weapon, verb in (("bow", "Shoot at"), ("axe", "Attack"))
        for who, name in NAMES.items()
    ]
    found += [ActionUse("move", detail=f"{x},3", label=f"Move to {x},3", cost="2 s") for x in range(3)]
    return found + [ActionUse(label.partition(" ")[0].lower(), label=label, cost="free") for label in PLAIN]


def menu(options: list[Any] | None = None) -> Menu:
    return Menu(choose("me", "what now?", options or uses()), str.title, lambda who: NAMES.get(who, who))


def drawn(shown: Menu, width: int = 80, closed: int = 0) -> list[str]:
    written = io.StringIO()
    shut = [{"id": f"closed_{number}", "reason": "no", "rule": "demo.rule"} for number in range(closed)]
    shown.draw(Console(width=width, file=written, color_system=None, highlight=False), shut)
    return written.getvalue().splitlines()


def test_few_options_stand_one_below_the_other() -> None:
    few = menu(uses()[:FEW])
    assert few.rows == ()
    assert few.keys == [str(place) for place in range(1, FEW + 1)]
    assert drawn(few)[1].split() == ["2", "Shoot", "at", "Orc", "1:", "Bow", "1", "action"]


def test_many_options_share_the_line_of_their_action() -> None:
    many = menu()
    assert [(row.title, row.names, row.cost) for row in many.rows[:3]] == [
        ("Shoot at ...: Bow", tuple(NAMES.values()), "1 action"),
        ("Attack ...: Axe", tuple(NAMES.values()), "1 action"),
        ("Move to ...", ("0,3", "1,3", "2,3"), "2 s"),
    ]
    lines = drawn(many, closed=7)
    assert lines[0].split("... is ")[1].split(" .") == [".1 Wolf", "2 Orc 1", "3 Orc 2", "4 Old Hag"]  # said once
    assert "7 actions unavailable" in " ".join(lines)
    assert len(lines) == 8  # of 19 options
    assert max(map(len, lines)) <= 80


def test_whatever_stands_before_an_option_takes_it_and_so_does_its_id() -> None:
    many = menu()
    assert sorted([place for row in many.rows for place in row.ways]) == list(range(len(many.ids)))
    for place, (key, id_) in enumerate(zip(many.keys, many.ids, strict=True)):
        assert many.exactly(key) == place
        assert many.exactly(key.replace(".", " ")) == place
        assert many.exactly(id_) == place
    assert many.exactly("1") == many.rows[0]
    assert many.of_row(many.rows[0], "4") == many.ids.index("attack:hag:bow")
    for wrong in ("0", "99", "12345", "1.5", "1.0", "2 9"):
        with pytest.raises(InvalidInputError, match=r"There is no .*1 to \d+"):
            many.exactly(wrong)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("shoot wolf", "attack:wolf:bow"),
        ("attack wolf axe", "attack:wolf:axe"),
        ("sho hag", "attack:hag:bow"),
        ("bow orc 2", "attack:orc-2:bow"),
        ("shot wolf bow", "attack:wolf:bow"),
        ("dodeg", "dodge"),
        ("look", "look"),
        ("end", "end"),
    ],
)
def test_words_take_the_one_option_that_they_can_mean(typed: str, meant: str) -> None:
    many = menu()
    assert many.meant(typed) == many.ids.index(meant)


def test_words_that_could_mean_several_take_none() -> None:
    many = menu()
    with pytest.raises(InvalidInputError, match=r'"orc 1" could be 1\.2 Shoot at Orc 1: Bow, 2\.2 Attack Orc 1: Axe'):
        many.meant("orc 1")
    assert many.meant("move") == many.rows[2]  # all of a line: it is opened
    assert many.meant("zzzz") is None
    assert many.meant("d") is None  # one letter is not a word
    assert many.meant("1.1") is None  # nor is a number alone
    assert many.meant("shoot at the moon") is None


def test_the_end_of_an_id_is_enough_where_it_is_the_only_one() -> None:
    many = menu()
    assert many.exactly("2,3") == many.ids.index("move::2,3")
    assert many.exactly("bow") is None
    squares = menu([ActionUse("go", detail=f"{x},{y}", label=f"To {x},{y}") for x in range(10) for y in range(5)])
    assert squares.rows == ()  # one line for all of them would be no help
    assert squares.exactly("9,4") == 49
    assert len(drawn(squares)) < 10


def test_options_of_one_name_are_told_apart() -> None:
    daggers = [ActionUse("throw", "wolf", hand, "Throw at Wolf: Dagger") for hand in ("dagger", "dagger_2")]
    assert menu(daggers).labels == ["Throw at Wolf: Dagger", "Throw at Wolf: Dagger, the second"]


def test_a_number_that_is_an_option_itself_is_never_a_place() -> None:
    dice = Menu(choose("me", "how many dice?", [3, 2, 1]))
    assert dice.keys == ["3", "2", "1"]
    assert [dice.exactly(typed) for typed in ("3", "2", "1")] == [0, 1, 2]
    assert drawn(dice) == ["  3  2  1"]
    some = Menu(choose("me", "spend?", ["keep", "1", "2"]))
    assert some.keys == ["keep", "1", "2"]
    assert (some.exactly("1"), some.exactly("keep")) == (1, 0)
    with pytest.raises(InvalidInputError, match="There is no 3; there are keep, 1, 2"):
        some.exactly("3")
    assert keys_of(["ann", "bob"], ["2", "1"]) == ["2", "1"]
    assert picked("1", ["ann", "bob"], "?", ["2", "1"]) == 1


def test_a_line_that_is_too_long_is_cut_and_can_be_opened() -> None:
    squares = [ActionUse("jump", detail=f"{x},{y}", label=f"Jump to {x},{y}") for x in range(10) for y in range(5)]
    shown = menu(squares + uses())
    lines = drawn(shown)
    assert len(lines) < 15
    assert any("more" in line or "[50]" in line for line in lines)
    row = shown.exactly("1")
    assert isinstance(row, MenuRow)
    assert shown.of_row(row, "50") == 49


@pytest.mark.parametrize("system", ["mars", "stage", "opend6", "renaissance", "marchen"])
def test_a_turn_of_an_even_fight_fits_a_terminal(system: str) -> None:
    session = open_fight([f"{system}:even"], seats=["party=me"], seed=3)
    most = asked = 0
    while session.question is not None and asked < 20:
        question = session.question
        if isinstance(question, Roll):
            session.roll()
            continue
        assert isinstance(question, Choice)
        if session.seat == "me":
            asked += 1
            most = max(most, len(question.options))
            shown = menu_of(session, question)
            lines = drawn(shown, closed=len(question.closed)) if shown.rows else []
            assert len(lines) <= 21, lines  # with the status, the question and the prompt 24
            assert not [line for line in lines if len(line) > 80]
        session.choose(question.ids[careful(session, question)])
    assert most > FEW
