"""Random play finds what breaks, names the command that repeats it, and needs nothing particular to happen."""

from __future__ import annotations

import itertools
import re
import shlex
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from coinfolk import book

from conformance.extents import Extent, extent_of
from conformance.places import NAMED, at_length, folder_of_tests, folders_of_tests, golden_of
from conformance.random_play import Failed, Play, describe, main, play, play_all, plays
from tablewright.game.scenario.loader import scenario_names
from tablewright.game.scene.scene import Scene
from tablewright.game.system.registry import load_all, load_system
from tablewright.game.system.rulebook import Rulebook

PLAYABLE = [
    system.id for system in load_all().systems if system.rulebook_module is not None and scenario_names(system.id)
]


@pytest.mark.parametrize("system_id", PLAYABLE)
def test_nothing_breaks(system_id: str) -> None:
    extent = extent_of(system_id)
    scenario = f"{system_id}:{scenario_names(system_id)[0]}"
    casts = [*extent.casts][: None if at_length() else 1]
    report = play_all([Play(scenario), *[Play(scenario, "random", 1, f"{name}:1") for name in casts]])
    assert report.plays == len(casts) + 1
    assert report.counts.total() > 0


def test_every_value_of_every_option_and_every_policy_is_played() -> None:
    system = load_system("coinfolk")
    first = list(itertools.islice(plays(system, Extent()), 60))
    assert {(one.scenario, one.policy) for one in first} >= {
        (f"coinfolk:{name}", policy)
        for name in ("easy", "even", "hard", "together")
        for policy in ("random", "aggressive", "careful")
    }
    assert {one.options for one in first} >= {(("ducking", "after"),), (("ducking", "never"),)}
    assert "best" in {one.policy for one in first}
    assert {one.cast.partition(":")[0] for one in first} == {"own", "people", "random"}


def test_actions_checks_and_processes_are_counted() -> None:
    counts = Counter[str]()
    play(Play("coinfolk:together", "careful", 3), counts)
    assert {"grit", "wit", "coinfolk.rest"} <= set(counts)
    assert any(action.id in counts for action in book.rulebook.actions)


@pytest.mark.parametrize("above", ["", "src/"])
def test_a_third_party_has_its_tests_beside_its_package(
    above: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = tmp_path / "tests"
    (tmp_path / above / "pebbles").mkdir(parents=True)
    (tmp_path / above / "pebbles" / "__init__.py").write_text("")
    info = tmp_path / above / "pebbles-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pebbles\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tablewright.systems]\npebbles = pebbles:system\n")
    monkeypatch.syspath_prepend(tmp_path / above)
    monkeypatch.delenv(NAMED, raising=False)
    assert folder_of_tests("pebbles") is None
    assert extent_of("pebbles") == Extent()
    tests.mkdir()
    assert folder_of_tests("pebbles") == tests
    (tests / "extent.py").write_text(
        "from conformance.extents import Extent\nEXTENT = Extent(never_negative=('stones',))\n"
    )
    (tests / "golden").mkdir()
    (tests / "golden" / "campaign.txt").write_text("$ tablewright mechanics\n")
    assert extent_of("pebbles") == Extent(never_negative=("stones",))
    assert golden_of("pebbles") == (tests / "golden" / "campaign.txt",)
    assert tests in folders_of_tests()
    monkeypatch.setenv(NAMED, str(tmp_path / "elsewhere"))
    (tmp_path / "elsewhere" / "pebbles").mkdir(parents=True)
    assert folder_of_tests("pebbles") == tmp_path / "elsewhere" / "pebbles"
    assert folder_of_tests("coinfolk") != folder_of_tests("pebbles")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put parts of another rulebook in the place of coinfolk's."""

    def put(**parts: Any) -> None:
        mutant: Rulebook = replace(book.rulebook, **parts)
        monkeypatch.setattr(book, "rulebook", mutant)

    return put


def failing(message: str) -> Any:
    """Coinfolk's reducer with a blow that always fails."""
    apply = type(book.apply)(book.apply)

    def stumble(scene: Scene, event: book.Struck) -> Scene:
        raise AssertionError(message)

    apply.on(book.Struck, instead=True)(stumble)
    return apply


def test_a_failure_says_how_to_repeat_it(broken: Callable[..., None]) -> None:
    broken(apply=failing("every blow breaks it"))
    with pytest.raises(Failed, match="every blow breaks it") as failed:
        play_all(itertools.islice(plays(load_system("coinfolk"), Extent(), seed=4), 20))
    command = re.search(r"conformance\.random_play (.*)$", str(failed.value))
    assert command is not None
    with pytest.raises(Failed, match="every blow breaks it") as again:
        main(shlex.split(command.group(1)))
    assert again.value.play == failed.value.play
    monkey = Play("coinfolk:easy", "random", 7, "random:2", (("ducking", "never"),))
    assert "--cast random:2 --option" in monkey.command


def test_two_processes_play_what_one_plays(broken: Callable[..., None]) -> None:
    system = load_system("coinfolk")
    alone, together = [play_all(itertools.islice(plays(system, Extent()), 8), jobs=jobs) for jobs in (1, 2)]
    assert alone == together
    assert alone.plays == 8
    broken(apply=failing("every blow breaks it"))
    failures: list[Failed] = []
    report = play_all(itertools.islice(plays(system, Extent()), 5), failures=failures, jobs=2)
    assert (report.plays, len(failures)) == (0, 5)
    assert describe(failures).startswith("5 times AssertionError: every blow breaks it")


def test_a_number_below_zero_is_noticed() -> None:
    extent = replace(extent_of("coinfolk"), never_negative=("health",))
    with pytest.raises(Failed, match="has health -"):
        play(Play("coinfolk:together", "aggressive", 1), extent=extent)


def test_the_command_repeats_one_play_and_plays_a_system(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coinfolk:easy", "--policy", "careful", "--seed", "2", "--option", "ducking=never"]) == 0
    assert re.search(r"win|draw", capsys.readouterr().out)
    assert main(["coinfolk", "--plays", "3"]) == 0
    assert "3 plays" in capsys.readouterr().out
