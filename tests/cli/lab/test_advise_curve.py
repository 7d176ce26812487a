"""`tablewright advise` over unknown values: the best option at each, where it changes, and without knowing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from each_case import each_case

if TYPE_CHECKING:
    from cli.conftest import Runner

WORDS = ("advise", "stage.leveled", "dice=6", "difficulty=5..20")


def test_the_best_number_of_dice_by_difficulty(tw: Runner) -> None:
    told = tw(*WORDS, "--json").json
    (question,) = told["questions"]
    assert question["best"] == [*["2"] * 2, *["3"] * 4, *["4"] * 5, *["5"] * 5]
    assert [(one["from"], one["to"], one["at"]) for one in question["switches"]] == [
        ("2", "3", 7),
        ("3", "4", 11),
        ("4", "5", 16),
    ]
    lines = tw(*WORDS).out.splitlines()
    assert "difficulty 7 to 10: 3 is best" in lines
    row = next(line for line in lines if line.split()[:1] == ["12"])
    assert [cell for cell in row.split() if cell.endswith("*")] == ["5.326*"]
    assert row.split()[-2:] == ["4", "1.388"]


def test_without_knowing_one_option_is_the_best(tw: Runner) -> None:
    told = tw(*WORDS, "--weights", "even", "--json").json["not_knowing"]
    (choice,) = told["choices"]
    assert [option["option"] for option in choice["options"] if option["best"]] == [4]
    assert Fraction(told["worth"]["exact"]) == max(Fraction(option["exact"]) for option in choice["options"])
    drawn = tw(*WORDS, "--weights", "even").out
    assert "to know difficulty beforehand would be worth 1.023" in drawn


def test_two_unknown_values_give_a_map(tw: Runner) -> None:
    ran = tw("advise", "stage.leveled", "dice=4..5", "difficulty=5..11..3")
    assert [line.split() for line in ran.out.splitlines()[-3:]] == [
        ["5", "8", "11"],
        ["4", "2", "3", "3"],
        ["5", "2", "3", "3"],
    ]


def test_every_kind_of_value_may_be_unknown(tw: Runner) -> None:
    told = tw("advise", "penny.bet", "purse=p0..p3", "--json").json
    first = told["questions"][0]
    assert first["question"] == "how much to stake"
    assert first["best"] == ["0", "1", "2", "2"]
    assert [entry["value"] for entry in first["options"][2]["worth"]] == [None, None, 2.5, 3.5]


@each_case("columns", [40, 80, 160])
@each_case(
    "words",
    [
        WORDS[1:],
        (*WORDS[1:], "--weights", "even"),
        ("stage.leveled", "dice=2..12", "difficulty=5..20"),
        ("renaissance.lucky_check", "target=10..90..20", "luck=1", "--weights", "even"),
        ("penny.bet", "purse=p0..p9", "--objective", "loss"),
    ],
)
def test_everything_fits(tw: Runner, words: tuple[str, ...], columns: int) -> None:
    for encoding in ("utf-8", "ascii"):
        ran = tw("advise", *words, columns=columns, encoding=encoding)
        assert (ran.status, ran.err) == (0, "")
        assert max(cell_len(line) for line in ran.out.splitlines()) <= columns


def test_files(tw: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert tw(*WORDS, "-o", "best.png", "-o", "best.csv").status == 0
    assert Path("best.png").read_bytes().startswith(b"\x89PNG")
    assert Path("best.csv").read_text().splitlines()[0] == "question,given,difficulty,option,worth,worth (exact),best"
    assert tw(*WORDS, "-o", "best.png").status == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["stage.leveled", "dice=6", "difficulty=12", "--weights", "even"], "nothing is unknown"),
        (["stage.leveled", "dice=6", "difficulty=5..9", "--weights", "1,2"], "2 weights were given for 5 values"),
        (["stage.leveled", "dice=6", "difficulty=5..9", "--weights", "huh"], "weights are whole numbers with commas"),
        (["stage.leveled", "dice=6", "difficulty=5..9", "--objective", "efect"], 'did you mean "effect"'),
        (["stage.leveled", "dice=6", "difficulty=5..999"], "allowed is a whole number from 1 to 250"),
        (["penny.total", "coins=1..3"], "nobody chooses anything in penny.total"),
        (["penny.toss", "coins=1..3", "--weights", "even"], "nobody chooses anything"),
        (["2d6", "--weights", "even"], "2d6"),
        (["--weights", "even"], "name a mechanic"),
    ],
)
def test_errors_are_told_in_one_line(tw: Runner, words: list[str], said: str) -> None:
    ran = tw("advise", *words)
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.startswith("error: ")
    assert said in ran.err


def test_a_saved_fight(tw: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tablewright.engine import Choice
    from tablewright.game.scenario.loader import load_scenario
    from tablewright.game.session.opening import open_session
    from tablewright.lab import advise_turn

    monkeypatch.chdir(tmp_path)
    session = open_session(load_scenario("coinfolk:together"), seed=3)
    session.do("coinfolk.encounter")
    assert isinstance(session.question, Choice)
    session.save(Path("fight.json"))
    before = Path("fight.json").read_bytes()
    told = tw("advise", "fight.json", "--json").json
    assert told == advise_turn(session).to_json()
    assert [one["option"] for one in told["options"]] == list(session.question.ids)
    drawn = tw("advise", "fight.json").out.splitlines()
    assert drawn[0].startswith("Best for Cat: strike ")
    assert Path("fight.json").read_bytes() == before
    for columns in (40, 160):
        assert max(map(cell_len, tw("advise", "fight.json", columns=columns).out.splitlines())) <= columns
    for words, said in (
        (["none.json"], "cannot be read"),
        (["fight.json", "dice=3"], "is too much"),
        (["fight.json", "--weights", "even"], "--weights is for mechanics"),
    ):
        ran = tw("advise", *words)
        assert ran.status == 2
        assert said in ran.err


def test_advice_for_an_action_at_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    from tablewright.cli.play.explain import advise
    from tablewright.game.scenario.loader import load_scenario
    from tablewright.game.session.opening import open_session

    session = open_session(load_scenario("coinfolk:together"), seed=3)
    session.do("coinfolk.encounter")
    assert session.seat is not None
    advise(session, session.seat, "")
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0][:5] == ["Best", "for", "Cat:", "strike", "Ann,"]
    assert lines[1][:2] == ["Strike", "Ann"]
    assert lines[1][3] == "harm"


def test_nothing_of_a_saved_fight_is_cut_short(tw: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tablewright.game.scenario.loader import load_scenario
    from tablewright.game.session.opening import open_session

    monkeypatch.chdir(tmp_path)
    long = "the very old rat from under the larder of the mill"
    plain = load_scenario("coinfolk:together")
    people = [replace(one, name=long) if one.id == "ann" else one for one in plain.entrants]
    session = open_session(replace(plain, entrants=tuple(people)), seed=3)
    session.do("coinfolk.encounter")
    session.save(Path("fight.json"))
    out = tw("advise", "fight.json", columns=60).out
    lines = [line.split() for line in out.splitlines()]
    assert all(word in [one for line in lines for one in line] for word in long.split())
    assert "..." not in out
    assert "rated the same" in " ".join(out.split())
