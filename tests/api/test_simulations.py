"""Simulations as values, on any number of processes, with policies of the caller's program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tablewright as tw
from tablewright.lab.fights.executors import ProcessExecutor

FEW: dict[str, Any] = {"runs": 12, "workers": 1}


def test_a_script_without_a_guard_uses_processes_and_runs_once(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import tablewright as tw\n"
        "print('once')\n"
        "two, one = [tw.simulate('marchen:even', runs=4, rounds=2, workers=workers) for workers in (2, 1)]\n"
        "print(two.workers, one.workers, two.digest == one.digest, two == one)\n",
        encoding="utf-8",
    )
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("once\n2 processes one process True True\n", "")


def test_the_main_module_is_back_after_a_worker_has_started() -> None:
    executor = ProcessExecutor(1)
    try:
        main = sys.modules["__main__"]
        assert list(executor.in_order(str, [("x",)])) == ["x"]
        assert sys.modules["__main__"] is main
    finally:
        executor.close()


def test_a_simulation_has_wins_rows_and_its_fights() -> None:
    many = tw.simulate("coinfolk:together", **FEW)
    assert many.fights == 12
    assert abs(sum([interval.value for interval in many.wins.values()]) - 1) < 1e-9
    assert many.won("folk") == many.wins["folk"]
    assert many.table.columns == ("who", "side", "falls", "falls_low", "falls_high", "dies", "dealt", "taken")
    assert len(many.to_dict()["who"]) == len(many.table)
    fight = many.fight(3)
    assert fight.over
    assert fight.winner in (None, "folk", "vermin")
    assert many.fight("won").winner == "folk"
    assert len(many.plot().containers) >= 1
    assert many.rounds.low <= many.rounds.value <= many.rounds.high
    with pytest.raises(tw.BadInput, match="there is no side"):
        many.won("foes")
    with pytest.raises(tw.BadInput, match="there is no fight 12"):
        many.fight(12)
    with pytest.raises(tw.BadInput, match="is not a fight"):
        many.fight("best")


def test_a_function_plays_in_this_process() -> None:
    asked: list[str] = []

    def patient(turn: tw.Turn) -> tw.Option:
        asked.append(turn.who)
        return turn.default

    many = tw.simulate("coinfolk:together", runs=3, workers=2, rounds=3, bots={"folk": patient})
    assert asked
    assert many.workers == "one process, since patient is a function of this program"
    again = tw.simulate("coinfolk:together", runs=3, rounds=3, bots={"folk": patient})
    assert again == many
    assert many.fight(0).over
    change = tw.what_if("coinfolk:together", change="rounds=2", runs=3, rounds=3, bots={"folk": patient})
    assert change.workers == many.workers


def test_a_change_is_fought_in_pairs() -> None:
    change = tw.what_if("coinfolk:together", change="rounds=1", **FEW)
    assert set(change.wins) == {"draw", "folk", "vermin"}
    assert change.before == tw.simulate("coinfolk:together", **FEW)
    for side, found in change.wins.items():
        before = change.before.wins[side].value if side in change.before.wins else 0
        after = change.after.wins[side].value if side in change.after.wins else 0
        assert abs(found.value - (after - before)) < 1e-9
    assert change.table.column("side") == tuple(change.wins)
    assert repr(change).startswith("<Change rounds=1: ")
    change.plot()


def test_balance_finds_a_number() -> None:
    found = tw.balance("coinfolk:together", target=0.6, runs=12, workers=1)
    assert found.best in found.table.column("number")
    assert repr(found).startswith("<Balance how many like ")
    assert found.chance.low <= found.chance.value
    found.plot()
    with pytest.raises(tw.BadInput, match="give one of them"):
        tw.balance("coinfolk:together", like="rat", by="modify:folk.attack+1", runs=12)


def test_a_sweep_simulates_every_combination(tmp_path: Path) -> None:
    axes = {"limit": ["", "rounds=1"], "tactics": ["", "policy:folk=random"]}
    found = tw.sweep("coinfolk:together", axes=axes, output=tmp_path / "kept.sweep", **FEW)
    assert len(found) == 4
    assert found.table.column("limit") == ("as it is", "as it is", "rounds=1", "rounds=1")
    assert found.simulations[0].digest == tw.simulate("coinfolk:together", **FEW).digest
    assert (tmp_path / "kept.sweep").is_file()
    told: list[tuple[int, int]] = []
    again = tw.sweep(
        "coinfolk:together", axes=axes, output=tmp_path / "kept.sweep", progress=lambda *n: told.append(n), **FEW
    )
    assert again.table == found.table
    assert told == []
    wrong_axes: list[dict[str, Any]] = [{"limit": "rounds=1"}, {"limit": []}]
    for wrong in wrong_axes:
        with pytest.raises(tw.BadInput, match=r"axis|axes"):
            tw.sweep("coinfolk:together", axes=wrong, **FEW)
    with pytest.raises(tw.BadInput, match="name axes of changes"):
        tw.sweep("coinfolk:together", "coinfolk:together")


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    tw.simulate("coinfolk:together", progress=lambda done, of: told.append((done, of)), **FEW)
    assert told[-1] == (12, 12)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"runs": 0}, "runs is 0"),
        ({"runs": 1.5}, "runs is 1.5"),
        ({"seed": "x"}, "seed is 'x'"),
        ({"workers": 0}, "workers is 0"),
        ({"until": 2}, "until is 2"),
        ({"rnds": 3}, 'did you mean "rounds"'),
        ({"bots": {"foes": "careful"}}, "nobody is called"),
        ({"options": {"nonsense": 1}}, "nonsense"),
    ],
)
def test_a_wrong_simulation_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(tw.BadInput, match=message):
        tw.simulate("coinfolk:together", **{**FEW, **given})
