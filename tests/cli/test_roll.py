"""`tablewright roll`: seeds repeat, typed faces are used up, choices are made by the seat that may."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from patience import LIMIT

if TYPE_CHECKING:
    from cli.conftest import Runner


def test_a_seed_repeats_a_roll_and_is_shown_so_that_it_can_be_repeated(tw: Runner) -> None:
    drawn = tw("roll", "penny.total", "coins=20", "--json").json
    again = tw("roll", "penny.total", "coins=20", "--seed", str(drawn["seed"]), "--json").json
    assert again == drawn
    spoken = tw("roll", "penny.total", "coins=20", "--seed", "12345")
    assert "12345" in spoken.out


def test_the_shape_of_a_played_mechanic(tw: Runner) -> None:
    answer = tw("roll", "penny.total", "coins=2", "--faces", "1,2", "--json").json
    assert answer["mechanic"] == "penny.total"
    assert answer["arguments"] == {"coins": 2}
    assert answer["seed"] is None
    (roll,) = answer["rolls"]
    assert roll["result"] == 3
    assert roll["record"] == [[1, 2]]
    assert roll["trace"]["steps"] == [{"roll": "2d2", "faces": [1, 2], "outcome": 3}]


def test_typed_faces_are_used_up_exactly(tw: Runner) -> None:
    assert tw("roll", "penny.duel", "--faces", "1,1 2,1", "--json").json["rolls"][0]["result"] == "fine"
    for faces in ("1,1", "2,1,1", "9,1", "x", "", ",", "1.5", "٣"):
        ran = tw("roll", "penny.duel", "--faces", faces)
        assert ran.status == 2, faces
        assert len(ran.err.splitlines()) == 1


def test_a_trace_shows_the_titles_of_the_rules(tw: Runner) -> None:
    out = tw("roll", "penny.total", "coins=3", "--seed", "1").out
    assert "Rules: Counting heads" in out


def test_many_rolls_differ_and_begin_like_one(tw: Runner) -> None:
    many = tw("roll", "penny.total", "coins=20", "--times", "30", "--seed", "4", "--json").json["rolls"]
    one = tw("roll", "penny.total", "coins=20", "--seed", "4", "--json").json["rolls"]
    assert len(many) == 30
    assert many[0] == one[0]
    assert len({roll["result"] for roll in many}) > 1
    assert tw("roll", "penny.total", "coins=20", "--times", "30", "--seed", "4").status == 0


@pytest.mark.parametrize("times", ["0", "-1", "1001", "10000000000", "x", "", "1.5", "٣"])
def test_the_number_of_rolls_is_bounded(tw: Runner, times: str) -> None:
    ran = tw("roll", "penny.total", "coins=2", "--times", times)
    assert ran.status == 2
    assert len(ran.err.splitlines()) == 1


def test_choices_are_given_by_question_and_option(tw: Runner) -> None:
    answer = tw(
        "roll",
        "penny.bet",
        "purse=p10",
        "--faces",
        "2,4",
        "--choose",
        "how much=2",
        "--choose",
        "Double=DOUBLE",
        "--json",
    ).json
    assert answer["choices"] == [
        {"question": "how much to stake", "option": "2", "by": "given"},
        {"question": "double or stop", "option": "double", "by": "given"},
    ]
    assert answer["rolls"][0]["result"] == 14


def test_without_a_terminal_the_default_is_taken_and_said(tw: Runner) -> None:
    answer = tw("roll", "penny.bet", "purse=p10", "--faces", "1", "--json").json
    assert [choice["by"] for choice in answer["choices"]] == ["default"]
    spoken = tw("roll", "penny.bet", "purse=p10", "--faces", "1").out
    assert "how much to stake" in spoken
    assert "default" in spoken


def test_an_answer_that_nobody_asked_for_is_reported_and_a_wrong_one_refused(tw: Runner) -> None:
    ran = tw("roll", "penny.bet", "purse=p10", "--faces", "1", "--choose", "double=stop")
    assert ran.status == 0
    assert ran.err.startswith("note: ")
    for choice in ("how much=7", "how much", "=2", "how much=", ""):
        assert tw("roll", "penny.bet", "purse=p10", "--choose", choice).status == 2


def test_a_person_at_a_terminal_is_asked() -> None:
    ours, theirs = pty.openpty()
    program = [
        sys.executable,
        "-m",
        "tablewright.cli",
        "roll",
        "stage.leveled",
        "dice=3",
        "difficulty=1",
        "--seed",
        "1",
    ]
    with subprocess.Popen(program, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True) as process:
        os.close(theirs)
        os.write(ours, b"nine\n2\n")
        shown = b""
        while select.select([ours], [], [], LIMIT)[0]:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
        assert process.wait(LIMIT) == 0
    os.close(ours)
    text = shown.decode()
    assert "dice for the first roll" in text
    assert "actor chose 2" in text


def test_dice_are_rolled_with_their_faces_kept(tw: Runner) -> None:
    answer = tw("roll", "4d6kh3", "--faces", "6,1,5,3", "--json").json
    assert answer["notation"] == "4d6kh3"
    assert answer["rolls"] == [{"result": 14, "faces": [6, 1, 5, 3]}]
    assert "14" in tw("roll", "4d6kh3", "--faces", "6,1,5,3").out
    assert tw("roll", "4d6kh3", "--choose", "a=b").status == 2
    assert tw("roll", "2d6", "--times", "3", "--seed", "1").status == 0


def test_seed_and_faces_exclude_each_other(tw: Runner) -> None:
    assert tw("roll", "penny.duel", "--faces", "1,2", "--seed", "1").status == 2
    assert tw("roll", "penny.duel", "--faces", "1,2", "--times", "2").status == 2
