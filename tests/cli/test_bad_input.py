"""Bad input, whatever it is: exit status 2, one line that names what is wrong and what is allowed, no traceback."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from each_case import each_case
from patience import LIMIT, at_most_calls

if TYPE_CHECKING:
    from cli.conftest import Ran, Runner

MOST_CALLS = 5_000_000
"""A bound on the work of one question, far above what any of them takes."""

HUGE = "9" * 5_000
ODD = [
    "",
    " ",
    "\t\n",
    "ü",
    "日本",
    "\x00",
    "\x1b[31m",
    "٣",
    "\ud800",
    HUGE,
    "=",
    "==",
    "a=b=c",
    "-",
    "--",
    "{}",
    "[x]",
    "..",
    ".",
]


def assert_refused(ran: Ran) -> None:
    assert ran.status == 2
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 1, ran.err
    assert ran.err.startswith("error: ")
    assert len(ran.err) < 1_200
    assert "Traceback" not in ran.err
    assert all(character.isprintable() for character in ran.err.rstrip("\n"))


@each_case(
    ("words", "named"),
    [
        (("odds", "pany.toss"), '"penny"'),
        (("odds", "penny.tos", "coins=1"), '"penny.toss"'),
        (("odds", "penny.toss", "coin=1"), '"coins"'),
        (("odds", "penny.toss", "coins"), '"coins"'),
        (("odds", "penny.toss"), "coins"),
        (("odds", "penny.toss", "coins=21"), "1 to 20"),
        (("odds", "penny.toss", "coins=two"), "1 to 20"),
        (("odds", "penny.toss", "coins=1.5"), "1 to 20"),
        (("odds", "penny.toss", "coins="), "1 to 20"),
        (("odds", "penny.toss", "coins=1", "coins=2"), "twice"),
        (("odds", "penny.toss", "coins=1", "--objective", "haeds"), '"heads"'),
        (("odds", "penny.duel", "mode=fairr"), '"fair"'),
        (("odds", "penny.bet", "purse=12"), "p12"),
        (("odds", "penny"), "penny.toss"),
        (("odds", "penny.never"), "never"),
        (("odds",), "SYSTEM.MECHANIC"),
        (("odds", "check", "coins=1"), "SYSTEM.MECHANIC"),
        (("odds", "penny.toss", "coins=1", "--jsn"), "--jsn"),
        (("odds", "penny.toss", "coins=1", "--objective"), "--objective"),
        (("roll", "penny.tos"), '"penny.toss"'),
        (("roll", "penny.toss", "coins=1", "--seed", "x"), "--seed"),
        (("roll", "penny.toss", "coins=1", "--seed", HUGE), "--seed"),
        (("roll", "penny.never"), "end"),
        (("advise", "penny.bte", "purse=p1"), '"penny.bet"'),
        (("advise", "4d6"), "SYSTEM.MECHANIC"),
        (("advise",), "SYSTEM.MECHANIC"),
        (("mechanics", "pany"), '"penny"'),
        (("mechanics", "penny.tos"), '"penny.toss"'),
        (("mechanics", "penny", "mars"), "one"),
        (("rules", "penny.tos"), "penny.toss"),
        (("rules", "penny.toss.haeds"), '"penny.toss.heads"'),
        (("rules", "pany.toss"), '"penny"'),
        (("rules", "--system", "pany"), '"penny"'),
        (("rules", "--kind", "tabel"), '"table"'),
        (("rules", "--options", "pany"), '"penny"'),
        (("rules", "penny.toss", "--system", "mars"), "mars"),
        (("ruels",), '"rules"'),
        (("--versoin",), "--versoin"),
    ],
)
def test_errors_are_named_with_the_allowed_values(tw: Runner, words: tuple[str, ...], named: str) -> None:
    ran = tw(*words)
    assert_refused(ran)
    assert named in ran.err


@each_case("word", ODD)
@each_case("before", [("odds",), ("roll",), ("advise",), ("mechanics",)])
def test_odd_words_are_refused(tw: Runner, before: tuple[str, ...], word: str) -> None:
    if word == "--" and before == ("mechanics",):
        return  # the end of options, and then nothing: a list of all
    assert_refused(tw(*before, word))


@each_case("word", ODD)
def test_odd_values_and_odd_keys_are_refused(tw: Runner, word: str) -> None:
    if word != "..":  # every value there is
        assert_refused(tw("odds", "penny.toss", f"coins={word}"))
    assert_refused(tw("roll", "penny.toss", f"coins={word}"))
    assert_refused(tw("odds", "penny.toss", "coins=1", f"{word}=1"))
    assert_refused(tw("odds", f"penny.{word}"))
    assert_refused(tw("roll", "penny.toss", "coins=1", "--seed", word))


@pytest.mark.parametrize("word", ["", " ", HUGE])
def test_empty_and_huge_searches_are_refused(tw: Runner, word: str) -> None:
    assert_refused(tw("rules", word))


def test_too_many_words_are_refused(tw: Runner) -> None:
    for command in ("odds", "roll", "advise", "mechanics", "rules"):
        assert_refused(tw(command, "penny.toss", *["coins=1"] * 5_000))


@each_case(
    "dice",
    [
        "1000000000d6",
        "d1000000",
        "d1000000000000000000000",
        "999999999999999999999999999d999999999999999999",
        "(" * 400 + "d6" + ")" * 400,
        "d1!",
        "d6!>=1",
        "d6r<7",
        "2000d10000",
        "*".join(["100d100"] * 30),
        "+".join(["d6"] * 300),
        "4d6kh",
        "d",
        "4x6",
        "4d6 4d6",
    ],
)
def test_dice_out_of_bounds_are_refused_at_once(tw: Runner, dice: str) -> None:
    for command in ("odds", "roll"):
        with at_most_calls(MOST_CALLS):
            ran = tw(command, dice)
        assert ran.status in (0, 2)
        assert "Traceback" not in ran.err
        if ran.status == 2:
            assert_refused(ran)


def test_errors_are_json_where_json_was_asked_for(tw: Runner) -> None:
    ran = tw("odds", "penny.toss", "coins=99", "--json")
    assert ran.status == 2
    assert ran.out == ""
    told = json.loads(ran.err)
    assert told["field"] == "coins"
    assert told["status"] == 2
    assert "1 to 20" in told["error"]


def test_the_rules_say_no_with_status_one(tw: Runner) -> None:
    for command in ("odds", "roll", "advise"):
        ran = tw(command, "penny.forbidden")
        assert ran.status == 1
        assert "[penny.bet.place]" in ran.err
    told = json.loads(tw("odds", "penny.forbidden", "--json").err)
    assert told["rule"] == "penny.bet.place"


def test_a_bug_is_one_line_and_its_place_is_shown_on_demand(tw: Runner) -> None:
    quiet = tw.process("odds", "penny.broken")
    assert quiet.status == 70
    assert len(quiet.err.splitlines()) == 1
    assert "ZeroDivisionError" in quiet.err
    assert 'this is a bug in the system "penny": penny_rules/__init__.py line' in quiet.err
    assert "Traceback" in tw.interpreter("odds", "penny.broken", env={"TABLEWRIGHT_DEBUG": "1"}).err


def test_exit_statuses_of_real_processes(tw: Runner) -> None:
    assert tw.process("odds", "penny.duel").status == 0
    assert tw.interpreter("odds", "penny.forbidden").status == 1
    refused = tw.process("odds", "penny.toss", "coins=ü")
    assert_refused(refused)
    plain = tw.interpreter("mechanics", "penny", env={"PYTHONIOENCODING": "ascii"})
    assert plain.status == 0
    assert plain.out.startswith("Penny & Gro?er  penny")  # what cannot be written is one letter, so that columns hold


def test_a_reader_who_has_seen_enough_is_no_error(tw: Runner) -> None:
    program = f"{sys.executable} -m tablewright.cli rules critical --json | head -c 20"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", program], capture_output=True, timeout=LIMIT, check=False)
    assert done.stderr == b""
    assert done.returncode == 0


def test_an_interrupt_ends_quietly(tw: Runner) -> None:
    program = (
        "import os, signal, sys; from tablewright.cli.output.errors import run_command;"
        "signal.signal(signal.SIGINT, signal.default_int_handler);"
        "sys.exit(run_command(lambda: os.kill(os.getpid(), signal.SIGINT) or signal.pause()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=LIMIT, check=False)
    assert done.returncode == 128 + signal.SIGINT
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("ignored", [False, True])
def test_sigterm_ends_it_as_ctrl_c_does(*, ignored: bool) -> None:
    """Also where SIGINT was ignored when the program began, which it goes on ignoring."""
    program = (
        "import os, signal, sys; import tablewright.cli, tablewright.cli.program as program;"
        "from tablewright.cli.output.errors import run_command;"
        "signals = [signal.SIGINT, signal.SIGTERM] if sys.argv[1:] else [signal.SIGTERM];"
        "stop = lambda: [os.kill(os.getpid(), one) for one in signals] and signal.pause();"
        "program.run = lambda _: run_command(stop);"
        "sys.exit(tablewright.cli.main())"
    )
    trap = "trap '' INT; " if ignored else ""
    command = ["bash", "-c", f'{trap}exec "$@"', "bash", sys.executable, "-c", program]
    done = subprocess.run([*command, *["both"] * ignored], capture_output=True, timeout=LIMIT, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"\n")


def test_output_that_cannot_be_written_is_one_line() -> None:
    program = f"{sys.executable} -m tablewright.cli rules > /dev/full"
    done = subprocess.run(["bash", "-c", program], capture_output=True, timeout=LIMIT, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
