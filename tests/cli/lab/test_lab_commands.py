"""The commands of the lab: figures, one change, one fight, a grid, a balance; bad input; no more loaded than needed."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from each_case import each_case
from patience import LIMIT
from tablewright.cli.program import run
from tablewright.lab.fights.job import Job


def answered(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    """Exit status, output and errors of a command."""
    status = run(argv)
    out, err = capsys.readouterr()
    return status, out, err


DUEL = ("coinfolk:ann", "coinfolk:rat", "--workers", "1")


def test_simulate_tells_figures_with_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = answered(capsys, "simulate", *DUEL, "--runs", "20", "--sampled")
    assert status == 0
    assert err == ""
    assert "coinfolk:ann vs coinfolk:rat  Coinfolk  20 fights  seed 1" in out
    assert re.search(r"(every time|\d+% of the time) \(\d+% to \d+%, from 20 fights\)", " ".join(out.split()))
    assert "Ranges hold 19 times in 20" in out
    status, out, _ = answered(capsys, "simulate", *DUEL, "--runs", "20", "--sampled", "--json")
    told = json.loads(out)
    assert status == 0
    assert told["fights"] == 20
    assert set(told["won"]) == {"party", "foes"}
    assert told["won"]["party"]["low"] < told["won"]["party"]["value"] <= told["won"]["party"]["high"]
    assert told["people"]["ann"]["left"]["health"]["median"]["value"] <= 9
    assert told["people"]["ann"]["by_source"]["knife"]["value"] > 0
    assert told["policies"] == {"ann": "careful", "rat": "careful"}


def test_the_same_seed_gives_the_same_answer(capsys: pytest.CaptureFixture[str]) -> None:
    one, two, other = [
        json.loads(answered(capsys, "simulate", *DUEL, "--runs", "8", "--sampled", "--json", "--seed", seed)[1])[
            "digest"
        ]
        for seed in ("5", "5", "6")
    ]
    assert one == two != other


def test_one_change_is_told_with_its_difference(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = answered(capsys, "simulate", *DUEL, "--runs", "12", "--change", "policy:party=random")
    assert status == 0
    assert "the change: policy:party=random" in out
    assert "difference" in out
    status, out, _ = answered(capsys, "simulate", *DUEL, "--runs", "6", "--change", "modify:ann.wit+1", "--json")
    told = json.loads(out)
    assert told["alike"] == 6
    assert told["difference"]["won"]["party"]["value"] == 0


def test_one_fight_is_told_in_full_and_replays(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = tmp_path / "fight.json"
    status, out, _ = answered(capsys, "simulate", *DUEL, "--runs", "30", "--show", "lost", "--save", str(kept))
    assert status == 0
    assert "Round 1" in out
    assert "strikes" in out
    assert "foes won after" in out
    status, out, _ = answered(capsys, "fight", "--replay", str(kept))
    assert status == 0
    assert "the same as when they were played" in out
    status, out, _ = answered(capsys, "simulate", *DUEL, "--runs", "30", "--show", "3", "--json")
    assert json.loads(out)["number"] == 3
    status, _, err = answered(capsys, "simulate", *DUEL, "--runs", "30", "--show", "3", "--save", str(kept))
    assert (status, "is there already" in err) == (2, True)


def test_a_small_fight_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    short = ("--rounds", "1", "--option", "ducking=never")
    status, out, _ = answered(capsys, "simulate", *DUEL, *short)
    assert status == 0
    assert "Coinfolk  exact" in out
    status, out, _ = answered(capsys, "simulate", *DUEL, *short, "--exact", "--json")
    told = json.loads(out)
    assert told["exact"] is True
    assert told["won"]["draw"] == {"value": 1.0, "exact": "1"}
    status, _, err = answered(capsys, "simulate", "mars:together", "--exact")
    assert status == 1
    assert "fights of more than 4 are too large to be solved exactly" in err


def test_solving_is_given_up_in_the_end(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a single turn takes, no one waits for ever."""
    from tablewright.lab.fights import exact as solving

    set_to: list[float] = []

    def solve_for_ever(_job: object, told: object) -> None:
        signal.raise_signal(signal.SIGALRM)
        raise AssertionError("nobody heard the alarm")

    monkeypatch.setattr(signal, "setitimer", lambda _which, seconds: set_to.append(seconds))
    monkeypatch.setattr(solving, "solve", solve_for_ever)
    status, out, err = answered(capsys, "simulate", *DUEL, "--exact", "--seconds", "1")
    assert (status, out) == (1, "")
    assert set_to == [1, 0], "the alarm is set, and taken back"
    assert "it is not solved after 1 seconds" in err
    assert "without --exact" in err
    status, _, err = answered(capsys, "simulate", *DUEL, "--seconds", "1")
    assert status == 2
    assert "--seconds limits --exact" in err


def test_a_fight_that_cannot_end_is_an_error_with_the_reason(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import tablewright.cli.commands.simulate as module

    def harmless(*args: object, **more: object) -> Job:
        from lab.scenes import folk, scenario
        from tablewright.lab.fights.job import job_of

        people = folk("ann", "folk", 3, 3), folk("rat", "vermin", 3, 3)
        return job_of(scenario(*people, rounds=3), runs=100, modifiers=[("strike", -9, "ann"), ("strike", -9, "rat")])

    monkeypatch.setattr(module, "job_from", harmless)
    status, out, err = answered(capsys, "simulate", "x", "--sampled", "--workers", "1")
    assert status == 2
    assert "Nobody wins every time." in " ".join(out.split())
    assert "this fight cannot end" in err
    assert "the limit of 3 rounds; nobody was hurt" in err


def test_a_grid_is_told_one_case_a_line_and_gone_on_with(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    grid = tmp_path / "grid.yaml"
    text = "scenarios: [coinfolk:easy]\nruns: 2\naxes: {tactics: ['', 'policy:folk=random']}\n"
    grid.write_text(text, encoding="utf-8")
    status, out, _ = answered(capsys, "sweep", str(grid), "--workers", "1")
    assert status == 0
    assert "2 cases  4 fights" in out
    assert (tmp_path / "grid.sweep").exists()
    again = answered(capsys, "sweep", str(grid), "--workers", "1")
    assert again == (0, out, "")
    told = json.loads(answered(capsys, "sweep", str(grid), "--workers", "1", "--json")[1])
    assert [case["labels"]["tactics"] for case in told["cases"]] == ["as it is", "policy:folk=random"]


def test_balance_tells_what_was_tried(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("coinfolk:ann,coinfolk:bob", "coinfolk:cat", "--target", "50%", "--runs", "10", "--workers", "1")
    status, out, _ = answered(capsys, "balance", *words)
    assert status == 0
    assert "to win 50%: how many like Cat" in out
    assert "nearest is" in out
    told = json.loads(answered(capsys, "balance", *words, "--json")[1])
    assert str(told["best"]) in told["tried"]


@each_case(
    ("argv", "said"),
    [
        (("simulate",), "name a scenario"),
        (("simulate", "coinfolk:evn"), 'did you mean "even"'),
        (("simulate", "a", "b", "c"), "3 words were given"),
        (("simulate", "coinfolk:even", "--runs", "many"), '--runs is "many"'),
        (("simulate", "coinfolk:even", "--runs", "0"), "from 1 to"),
        (("simulate", "coinfolk:even", "--until", "2"), "a share such as 1% or 0.01"),
        (("simulate", "coinfolk:even", "--until", "100%"), "a share such as 1% or 0.01"),
        (("simulate", "coinfolk:even", "--policy", "folk=carful"), 'did you mean "careful"'),
        (("simulate", "coinfolk:even", "--policy", "fork=careful"), 'did you mean "folk"'),
        (("simulate", "coinfolk:even", "--workers", "0"), "from 1 to 256"),
        (("simulate", "coinfolk:even", "--show", "lots"), "won, lost, draw or a number"),
        (("simulate", "coinfolk:even", "--show", "won", "--change", "add:rat"), "cannot be used together"),
        (("simulate", "coinfolk:even", "--save", "x"), "say which"),
        (("simulate", "coinfolk:even", "--exact", "--sampled"), "--exact goes with none"),
        (("simulate", "coinfolk:rat", "coinfolk:rat*101"), "1 to 100 of one kind"),
        (("simulate", "coinfolk:rat", "coinfolk:rta"), 'did you mean "rat"'),
        (("simulate", "coinfolk:even", "--option", "duck=never"), "duck"),
        (("balance", "coinfolk:even", "--target", "maybe"), '--target is "maybe"'),
        (("balance", "coinfolk:even", "--who", "dog"), 'nobody is called "dog"'),
        (("balance", "coinfolk:even", "--who", "rat", "--by", "x"), "say one of them"),
        (("balance", "coinfolk:even", "--side", "fork"), 'there is no side "fork"'),
        (("sweep", "nothing.yaml"), "there is no such file"),
        (("sweep", "grid.txt"), "grid.txt"),
    ],
)
def test_bad_input_is_told_in_one_line(
    argv: tuple[str, ...],
    said: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = answered(capsys, *argv)
    assert status == 2
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_simulate_loads_no_arrays_pictures_databases_or_clusters() -> None:
    program = (
        "import sys\nfrom tablewright.cli.program import run\n"
        "duel = ['simulate', 'mars:goblin', 'mars:goblin', '--runs', '1', '--sampled', '--workers', '1']\n"
        "status = run([*duel, '--json'])\n"
        "print(status, *sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT, check=True)
    status, *modules = done.stderr.split()
    assert status == "0"
    assert not {"numpy", "matplotlib", "dask", "distributed", "sqlalchemy", "fastapi", "sqlite3", "rich"} & set(modules)


class Screen(io.StringIO):
    """An error stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_bar_tells_the_time_left_and_the_running_interval(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("TERM", "xterm")
    status, out, _ = answered(capsys, "simulate", *DUEL, "--runs", "6", "--sampled", "--json")
    assert status == 0
    assert json.loads(out)["fights"] == 6
    told = screen.getvalue()
    assert "6 of 6, about 0 s left. Ann wins 100% so far (61% to 100%)" in told


def test_an_interrupt_tells_what_is_done(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from tablewright.lab.fights.job import fight_chunk as played

    place = "tablewright.lab.fights.simulation.fight_chunk"

    def interrupted(text: str, chunk: int) -> str:
        if chunk == 3:
            raise KeyboardInterrupt
        return played(text, chunk)

    monkeypatch.setattr(place, interrupted)
    status, out, _ = answered(capsys, "simulate", *DUEL, "--runs", "9", "--sampled")
    assert status == 130
    assert "Cancelled: 3 of 9 fights are counted" in out
    monkeypatch.setattr(place, lambda text, chunk: interrupted(text, 3))
    assert answered(capsys, "simulate", *DUEL, "--runs", "9", "--sampled")[:2] == (130, "")
