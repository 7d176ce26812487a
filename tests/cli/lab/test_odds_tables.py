"""`tablewright odds` over ranges: tables that fit, comparisons, files, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.cells import cell_len

from each_case import each_case
from tablewright.cli.output import progress as module

if TYPE_CHECKING:
    from cli.conftest import Ran, Runner


def exact(ran: Ran, column: int = 0) -> list[Fraction]:
    """The numbers of one column, in the order of the cells."""
    return [Fraction(cell["values"][column]["exact"]) for cell in ran.json["cells"]]


def test_a_range_gives_a_cell_for_each_value(tw: Runner) -> None:
    ran = tw("odds", "penny.total", "coins=1..4", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.json["ranges"] == [{"parameter": "coins", "values": [1, 2, 3, 4]}]
    assert ran.json["view"] == "expected"
    assert exact(ran) == [Fraction(3 * coins, 2) for coins in range(1, 5)]


def test_the_table_shows_value_number_and_bar(tw: Runner) -> None:
    lines = tw("odds", "penny.total", "coins=1..6").out.splitlines()
    assert lines[0].split() == ["penny.total", "mean"]
    assert lines[1].split() == ["coins", "mean"]
    rows = [line.split() for line in lines[2:8]]
    assert [row[:2] for row in rows] == [[str(coins), f"{1.5 * coins:g}"] for coins in range(1, 7)]
    assert [len(row[2]) for row in rows] == sorted([len(row[2]) for row in rows])
    assert rows[0][3] == "3/2"
    curve = [line for line in lines[8:] if "●" in line]
    assert sum(line.count("●") for line in curve) == 6
    assert lines[-1].split() == ["1", "coins", "6"]


def test_at_least_of_numbers_that_are_named(tw: Runner) -> None:
    ran = tw("odds", "penny.total", "coins=2..3", "--at-least", "--at", "4,5", "--json")
    assert [column["label"] for column in ran.json["columns"]] == ["≥ 4", "≥ 5"]
    assert exact(ran, 0) == [Fraction(1, 4), Fraction(7, 8)]
    assert exact(ran, 1) == [0, Fraction(1, 2)]
    most = tw("odds", "penny.total", "coins=2..3", "--at-most", "--at", "4", "--json")
    assert exact(most) == [1, Fraction(1, 2)]


def test_degrees_and_fields(tw: Runner) -> None:
    ran = tw("odds", "penny.toss", "coins=1..2", "--degrees", "--json")
    assert ran.json["of"] == "grade"
    assert [column["label"] for column in ran.json["columns"]] == ["poor", "fine", "größer"]
    assert [[value["exact"] for value in cell["values"]] for cell in ran.json["cells"]] == [
        ["1/2", "1/2", "0"],
        ["1/4", "1/2", "1/4"],
    ]
    assert exact(tw("odds", "penny.toss", "coins=1..3", "--of", "won", "--json")) == [
        Fraction(1, 2),
        Fraction(3, 4),
        Fraction(7, 8),
    ]


def test_two_ranges_give_a_grid(tw: Runner) -> None:
    ran = tw("odds", "penny.toss", "coins=1..3", "wanted=1..2", "--of", "won", "--json")
    assert [list(cell["at"].values()) for cell in ran.json["cells"]] == [[c, w] for c in (1, 2, 3) for w in (1, 2)]
    assert exact(ran) == [Fraction(n, 8) for n in (4, 0, 6, 2, 7, 4)]
    lines = tw("odds", "penny.toss", "coins=1..3", "wanted=1..2", "--of", "won").out.splitlines()
    assert [line.split() for line in lines[2:]] == [
        ["1", "2"],
        ["1", "50.00%", "0%"],
        ["2", "75.00%", "25.00%"],
        ["3", "87.50%", "50.00%"],
    ]


def test_argument_sets_stand_side_by_side(tw: Runner) -> None:
    ran = tw(
        "odds", "penny.toss", "coins=2..4", "--versus", "wanted=2", "--versus", "wanted=3", "--of", "won", "--json"
    )
    assert [case["label"] for case in ran.json["cases"]] == ["wanted=1", "wanted=2", "wanted=3"]
    apart = [cell["differences"][0]["exact"] for cell in ran.json["cells"] if cell["case"]]
    assert apart[:2] == ["-1/2", "-3/4"]
    drawn = tw("odds", "penny.toss", "coins=2..4", "--versus", "wanted=2", "--of", "won").out
    assert (
        "wanted=2 against wanted=1: from -50.00 at coins=2 to -25.00 at coins=4, on average -37.50 points"
        in " ".join(drawn.split())
    )


def test_another_rule_or_dice_beside_it(tw: Runner) -> None:
    ran = tw("odds", "penny.total", "coins=1..3", "--versus", "penny.toss", "--objective", "heads")
    assert ran.status == 2  # the first has no such objective
    ran = tw("odds", "penny.total", "coins=1..3", "--versus", "penny.toss", "--json")
    assert [case["label"] for case in ran.json["cases"]] == ["penny.total", "penny.toss"]
    assert exact(ran) == [
        Fraction(3 * coins, 2) if rule else Fraction(coins, 2) for coins in (1, 2, 3) for rule in (1, 0)
    ]
    dice = tw("odds", "2d4", "--versus", "1d8", "--at-least", "--at", "5", "--json")
    assert exact(dice) == [Fraction(10, 16), Fraction(1, 2)]
    mixed = tw("odds", "penny.total", "coins=2", "--versus", "2d2", "--json")
    assert exact(mixed, 1) == [Fraction(1, 2)] * 2


def test_an_option_says_what_it_costs(tw: Runner) -> None:
    ran = tw("odds", "penny.bet", "purse=p1..p5", "--option", "limit=2,5", "--json")
    assert [case["label"] for case in ran.json["cases"]] == ["limit=2", "limit=5"]
    # half of the time the stake is lost, else 3/4 for twice of it and 1/4 for none of it: a quarter of it is won
    staked = [[min(purse, 2), min(purse, 5)] for purse in range(1, 6)]
    assert exact(ran) == [
        purse + Fraction(stake, 4) for purse, stakes in zip(range(1, 6), staked, strict=True) for stake in stakes
    ]
    typical = tw("odds", "--option", "penny.limit", "--json")
    assert [case["label"] for case in typical.json["cases"]] == ["limit=2", "limit=1", "limit=5"]


@each_case("columns", [40, 80, 160])
@each_case(
    "words",
    [
        ("penny.total", "coins=1..20"),
        ("penny.toss", "coins=1..20", "--degrees"),
        ("penny.toss", "coins=1..20", "--degrees", "--versus", "wanted=2"),
        ("penny.toss", "coins=1..20", "wanted=1..20", "--of", "won", "--versus", "wanted=2"),
        ("penny.bet", "purse=p1..p9", "--option", "limit"),
        ("mars.check", "roll_value=r8..r20", "difficulty=8..20", "--objective", "success"),
        ("renaissance.check", "target=10..90..10", "--at-least", "--versus", "regrade=upgrade"),
        ("2d6", "--versus", "1d12"),
    ],
)
def test_everything_fits(tw: Runner, words: tuple[str, ...], columns: int) -> None:
    for encoding in ("utf-8", "ascii"):
        ran = tw("odds", *words, columns=columns, encoding=encoding)
        assert (ran.status, ran.err) == (0, "")
        assert max(cell_len(line) for line in ran.out.splitlines()) <= columns


def test_files_are_written_and_kept(tw: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["odds.png", "odds.svg", "odds.csv", "odds.json"]
    words = ["penny.total", "coins=1..4", *[part for name in names for part in ("-o", name)]]
    ran = tw("odds", *words)
    assert ran.status == 0
    assert ran.err == "note: written to odds.png, odds.svg, odds.csv, odds.json\n"
    assert Path("odds.png").read_bytes().startswith(b"\x89PNG")
    assert Path("odds.svg").read_text().startswith("<?xml")
    told = tw("odds", "penny.total", "coins=1..4", "--json").json
    assert json.loads(Path("odds.json").read_text()) == told
    assert Path("odds.csv").read_text() == tw("odds", "penny.total", "coins=1..4", "--csv").out
    rows = list(csv.reader(io.StringIO(Path("odds.csv").read_text())))
    assert rows[:2] == [["coins", "mean", "mean (exact)"], ["1", "1.5", "3/2"]]
    again = tw("odds", *words)
    assert again.status == 2
    assert "odds.png is there already; name another file, or replace it by --force" in again.err
    assert again.out == ""
    assert tw("odds", *words, "--force").status == 0


def test_a_single_rule_can_go_into_a_file(tw: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = tw("odds", "mars.check", "roll_value=r16", "difficulty=14", "-o", "one.csv", "--json")
    assert ran.status == 0
    assert [column["label"] for column in ran.json["columns"]] == ["failure", "graze", "success"]
    assert Path("one.csv").read_text().splitlines()[1].split(",")[1] == "7/20"


@each_case(
    ("words", "said"),
    [
        (
            ["penny.total", "coins=1..21"],
            'penny.total: coins: "21" is not allowed; allowed is a whole number from 1 to 20',
        ),
        (["penny.total", "coins=1..x"], '"x" is not allowed'),
        (["penny.total", "coin=1..3"], 'did you mean "coins"'),
        (["penny.toss", "coins=1..3", "--of", "heat"], 'did you mean "heads"'),
        (["penny.toss", "coins=1..3", "--degrees", "--at", "fin"], 'did you mean "fine"'),
        (["penny.total", "coins=1..3", "--degrees", "--at-least"], "cannot be told at once"),
        (["penny.total", "coins=1..3", "-o", "odds.gif"], "ends in none of .png, .svg, .csv, .json"),
        (["penny.total", "coins=1..3", "-o", "no/odds.png"], "there is no folder"),
        (["penny.total", "coins=1..3", "-o", "a.csv", "-o", "a.csv"], "named twice"),
        (["penny.total", "coins=1..3", "--seconds", "0"], "allowed is a whole number from 1 to 86400"),
        (["penny.total", "coins=1..3", "--versus", ""], "--versus is empty"),
        (["penny.total", "coins=1..3", "--versus", "2d6"], "dice cannot stand beside a rule whose arguments range"),
        (["penny.total", "coins=1..3", "--versus", "coins=9..12"], "1 arguments range"),
        (["penny.total", "coins=1..3", "--versus", "penny.bet purse=p3"], 'penny.bet has no parameter "coins"'),
        (["penny.bet", "purse=p3", "--option", "limits"], 'did you mean "limit"'),
        (["penny.bet", "purse=p3", "--option", "limit=9"], "allowed are whole numbers from 1 to 5"),
        (["penny.bet", "purse=p3", "--option", "edge"], "penny.bet does not depend on the option edge"),
        (["penny.bet", "purse=p3", "--option", "limit", "--versus", "limit=3"], "cannot be compared at once"),
        (["--option", "limit"], "--option SYSTEM.NAME=A,B"),
        (["--option", "penny.edge"], "not in the odds of one roll"),
        (["2d6", "--option", "limit"], "dice have no options"),
        (
            ["penny.toss", "coins=1..20", "wanted=0..20", "--of", "grade", "--at-most", "--at", "9"],
            "is not an outcome here",
        ),
        (["penny.never", "--at-most"], "penny.never"),
        (["penny.forbidden", "--degrees"], "the bank is closed"),
    ],
)
def test_errors_are_told_in_one_line(
    tw: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = tw("odds", *words)
    assert ran.status in (1, 2)
    assert ran.out == ""
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert list(tmp_path.iterdir()) == []


def test_one_answer_has_one_form(tw: Runner) -> None:
    ran = tw("odds", "penny.total", "coins=1..3", "--csv", "--json")
    assert ran.status == 2
    assert json.loads(ran.err) == {"error": "--csv and --json cannot be told at once", "status": 2}


def test_a_list_of_a_list_is_no_range(tw: Runner) -> None:
    one = tw("odds", "marchen.group", "members=1,2,3", "core=2d6", "--json")
    assert one.status == 0
    assert "outcomes" in one.json
    several = tw("odds", "marchen.group", "members=1,2|1,2,3", "core=2d6", "--json")
    assert several.json["ranges"] == [{"parameter": "members", "values": [[1, 2], [1, 2, 3]]}]


@pytest.mark.parametrize(
    "words",
    [
        ["odds", "mars.check", "roll_value=r16", "difficulty=8..12"],
        ["advise", "stage.leveled", "dice=3", "difficulty=5..9"],
    ],
)
def test_no_more_time_is_taken_than_was_allowed(tw: Runner, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.setattr("tablewright.lab.deadline.monotonic", count(0, 10).__next__)
    ran = tw(*words, "--seconds", "25")
    assert (ran.status, ran.out) == (2, "")
    assert "3 of 5" in ran.err
    assert "took 25 seconds, which is all that was allowed" in ran.err


def test_a_waiting_player_sees_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    shown: list[Any] = []

    @contextmanager
    def bar(what: str) -> Iterator[Callable[..., None]]:
        yield lambda done, total, seconds, word: shown.append((what, done, total, seconds))
        shown.append("gone")

    monkeypatch.setattr(module, "monotonic", lambda: clock[0])
    monkeypatch.setattr(module, "bar", bar)
    with module.waiting("odds") as step:
        step(1, 4)
        clock[0] = 2.0
        step(2, 4)
        step(3, 4)
    assert shown == [("odds", 2, 4, 2.0), ("odds", 3, 4, 2.0), "gone"]


def test_tables_load_neither_arrays_nor_pictures(tw: Runner) -> None:
    program = (
        "import json, sys; from tablewright.cli.program import run; "
        "status = [run(words) for words in json.loads(sys.argv[1])]; "
        "heavy = {'numpy', 'matplotlib', 'pydantic', 'sqlalchemy', 'fastapi'}; "
        "print(status, sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    import subprocess
    import sys

    commands = [
        ["odds", "mars.check", "roll_value=r16", "difficulty=8..12", "--versus", "advantage=1"],
        ["advise", "stage.leveled", "dice=4", "difficulty=5..9", "--weights", "even"],
    ]
    call = [sys.executable, "-c", program, json.dumps(commands)]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    assert done.stderr == "[0, 0] []\n"
