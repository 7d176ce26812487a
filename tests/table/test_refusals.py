"""Refusals say what to do next."""

from __future__ import annotations

import pytest

from table.playing import Group, group
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.table import Store
from tablewright.table.commands import read_command
from tablewright.table.errors import ConflictError


@pytest.fixture
def played(quick: Store) -> Group:
    """A small group at a table."""
    return group(quick)


def refused(there: Group, seat: str, do: str, /, **more: object) -> str:
    """The words of a refusal."""
    with pytest.raises(TablewrightError) as problem:
        there.act(seat, do, **more)
    return str(problem.value)


def test_an_answer_to_an_old_question_is_sent_to_the_open_one(played: Group) -> None:
    played.begin()
    played.until(played.anna)
    told = refused(played, played.anna, "answer", option="x", question="0" * 12)
    assert told == "this question is not open any more; answer the one that is asked now"
    told = refused(played, played.ben, "answer", option="x", question="0" * 12)
    assert told == "this question is not open any more; wait until you are asked again"


def test_a_command_after_something_new_says_to_read_it_first(played: Group) -> None:
    with pytest.raises(ConflictError, match="read what is new, then try again"):
        played.act(played.anna, "throw", dice="2d6", expected=1)


def test_a_refusal_names_the_seat_to_ask(played: Group) -> None:
    assert refused(played, played.anna, "scene.begin", form="time") == (
        "only the game master can do this; ask them for it"
    )
    assert refused(played, played.watcher, "throw", dice="2d6") == (
        "spectators only watch; ask the game master for a player's seat"
    )
    assert refused(played, played.gm, "scene.end") == "no scene is open; begin one first"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ({"do": "notewrite"}, r'do: "notewrite" is not allowed, .*; did you mean "note.write"\?'),
        ({}, "do: missing"),
        ({"do": "answer", "option": "wait", "roll": True}, "do: give exactly one of option, roll, faces and set"),
        ({"do": "say", "text": [[]] * 1_000_000}, "the command has more than .* values"),
    ],
)
def test_a_command_that_cannot_be_read_says_what_is_allowed(command: dict[str, object], words: str) -> None:
    """The first two were told in the words of the library that reads them."""
    with pytest.raises(InvalidInputError, match=words):
        read_command(command)
