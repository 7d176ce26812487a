"""Every playable system is played until everything in it has occurred; what never does is found and named."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from coinfolk import book

from conformance.choosing import few_of
from conformance.counting import write_counts
from conformance.drawing import Below
from conformance.exhaustive import main, missing, play_out, plays, report
from conformance.extents import Extent, extent_of
from conformance.places import NAMED, at_length, folder_of_tests, folders_of_tests, golden_of
from conformance.playing import Failed, Play, Tale, play
from tablewright.game.actions import Action, Actions, Requirement, Use
from tablewright.game.common import Checked
from tablewright.game.events import Event
from tablewright.game.registry import load_all, load_system
from tablewright.game.rulebook import Rulebook
from tablewright.game.scenario import scenario_names
from tablewright.game.scene import Live, Scene
from tablewright.game.session import Session

SHARE = 6
"""How many plays a system gets where there is not much time; `make soak` plays all, and demands that all occurs."""

PLAYABLE = [system.id for system in load_all().systems if system.rulebook is not None and scenario_names(system.id)]


@pytest.mark.parametrize("system_id", PLAYABLE)
def test_everything_occurs(system_id: str) -> None:
    system = load_system(system_id)
    whole = system.is_finished and (at_length() or system_id == "coinfolk")
    tale, extent = play_out(system, most=None if whole else SHARE)
    assert tale.plays > 0
    if whole:
        assert missing(system, extent, tale) == {}, report(system, extent, tale)


def test_the_counts_are_true() -> None:
    tale = Tale()
    session = play(Play("coinfolk:together", "careful", 3), tale)
    struck = sum(line.kind == "Struck" for line in session.log if isinstance(line, book.Struck))
    assert tale.seen("events")["Struck"] == struck > 0
    assert tale.seen("options") == {'ducking="after"': 1}
    assert tale.seen("checks") == {"grit": 1, "wit": 1}


def test_every_value_of_every_option_and_every_policy_is_played() -> None:
    system = load_system("coinfolk")
    first = [one for one, _ in zip(plays(system, Extent()), range(60), strict=False)]
    assert {(one.scenario, one.policy) for one in first} >= {
        (f"coinfolk:{name}", policy)
        for name in ("easy", "even", "hard", "together")
        for policy in ("random", "aggressive", "careful")
    }
    assert {one.options for one in first} >= {(("ducking", "after"),), (("ducking", "never"),)}
    assert "best" in {one.policy for one in first}
    assert {one.cast.partition(":")[0] for one in first} == {"own", "people", "random"}


def test_a_system_says_how_a_check_is_made_and_what_has_occurred() -> None:
    def wit(session: Session, below: Below) -> dict[str, Any]:
        return {"who": "rat", "situation": ["difficulty=0"]}

    def hard(scene: Scene, event: Event | None) -> list[str]:
        return ["start"] if event is None else ["hard"] if isinstance(event, book.Struck) and event.harm > 1 else []

    extent = Extent(
        checks={"wit": wit},
        conditions=lambda status: ["hurt"] if status.health < 9 else [],
        shows={"blows": hard, "weapons": hard},
        more={"blows": ("start", "hard"), "conditions": ("hurt", "flying")},
    )
    tale = Tale()
    session = play(Play("coinfolk:together", "aggressive", 2), tale, extent)
    made = [line for line in session.log if isinstance(line, Checked)]
    assert [(one.who, one.result) for one in made if one.what == "wit"] == [("rat", "yes")]
    struck = [line.harm > 1 for line in session.log if isinstance(line, book.Struck)]
    assert tale.seen("blows") == {"start": 1, "hard": sum(struck)}
    hurt = {line.who for line in session.log if isinstance(line, book.Struck) and line.harm}
    assert tale.seen("conditions")["hurt"] == len(hurt)  # once for each, when it begins
    assert "flying" in missing(load_system("coinfolk"), extent, tale)["conditions"]
    assert "knife" in missing(load_system("coinfolk"), extent, tale)["weapons"]  # nobody says that it was used


def test_what_lasts_is_a_condition_by_itself() -> None:
    tale = Tale()
    play(Play("coinfolk:together", "careful", 3), tale)
    assert tale.seen("conditions")["winded"] > 0
    assert "winded" in missing(load_system("coinfolk"), extent_of("coinfolk"), Tale())["conditions"]
    own = Extent(conditions=lambda status: [])
    assert "winded" not in missing(load_system("coinfolk"), own, Tale())["conditions"]


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
    (tests / "extent.py").write_text("from conformance.extents import Extent\nEXTENT = Extent(carried=('stones',))\n")
    (tests / "plays.txt").write_text("pebbles:even --policy random --seed 4\n")
    (tests / "golden").mkdir()
    (tests / "golden" / "campaign.txt").write_text("$ tablewright mechanics\n")
    assert extent_of("pebbles") == Extent(carried=("stones",), first=("pebbles:even --policy random --seed 4",))
    assert golden_of("pebbles") == (tests / "golden" / "campaign.txt",)
    assert tests in folders_of_tests()
    monkeypatch.setenv(NAMED, str(tmp_path / "elsewhere"))
    (tmp_path / "elsewhere" / "pebbles").mkdir(parents=True)
    assert folder_of_tests("pebbles") == tmp_path / "elsewhere" / "pebbles"
    assert folder_of_tests("coinfolk") == folder_of_tests("coinfolk") != folder_of_tests("pebbles"), (
        "nobody is given another's tests"
    )


def test_the_chosen_plays_come_first_and_show_what_all_show() -> None:
    system, extent = load_system("coinfolk"), extent_of("coinfolk")
    many = [one for one, _ in zip(plays(system, extent), range(24), strict=False)]
    few, tale = few_of(system, extent, many, [])
    assert 0 < len(few) < 12
    assert tale.plays == len([one for one in many if one.policy != "best"])
    again = Tale()
    for one in few:
        assert Play.parse(one.words) == one
        play(one, again, extent)
    assert missing(system, extent, again) == missing(system, extent, tale)
    first = replace(extent, first=tuple([one.words for one in few]))
    assert tuple([one for one, _ in zip(plays(system, first), few, strict=False)]) == few


def test_the_counts_are_put_in_the_place_of_the_old_ones(tmp_path: Path) -> None:
    system, extent, tale = load_system("coinfolk"), extent_of("coinfolk"), Tale()
    play(next(iter(plays(system, extent))), tale, extent)
    page = tmp_path / "coinfolk.md"
    assert not write_counts(page, system, extent, tale)
    head = "# Coinfolk\n\n## What has been played\n\nAll of it. After\n"
    page.write_text(f"{head}9,000 plays, long ago:\n\n| a |\n|---|\n\nThe end.\n")
    assert write_counts(page, system, extent, tale)
    found = page.read_text()
    assert found.startswith(f"{head}1 plays:\n\n| | occurred |")
    assert found.endswith(" |\n\nThe end.\n")
    acted = tale.seen("actions")
    rarest = min(acted, key=lambda name: acted[name])
    assert f" | {sum(acted.values()):,} | {rarest.replace('_', ' ')}, {acted[rarest]:,} |" in found


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put parts of another rulebook in the place of coinfolk's."""

    def put(**parts: Any) -> None:
        mutant: Rulebook = replace(book.rulebook, **parts)
        monkeypatch.setattr(book, "rulebook", mutant)

    return put


async def _fly(game: Live, who: str, use: Use) -> None:
    raise AssertionError("nobody can fly")


def _never(scene: Scene, who: str, use: Use) -> str:
    return "folk have no wings"


def test_what_never_occurs_is_named(broken: Callable[..., None]) -> None:
    flying = Action("fly", "Fly", ("coinfolk.fight.walk",), _fly, (Requirement("coinfolk.fight.walk", _never),))
    broken(actions=Actions([*book.ACTIONS, flying]))
    system = load_system("coinfolk")
    tale, extent = play_out(system, most=3)
    assert missing(system, extent, tale)["actions"] == ("fly",)
    assert "never: actions: fly" in report(system, extent, tale)
    exempt = replace(extent, exempt={"actions:fly": "they have no wings"})
    assert "actions" not in missing(system, exempt, tale)
    assert "exempt: actions:fly: they have no wings" in report(system, exempt, tale)


def test_content_that_shows_in_options_must_occur_entry_by_entry() -> None:
    tale = Tale()
    for seed in (1, 2):
        play(Play("coinfolk:easy", "careful", seed), tale, Extent())
    assert missing(load_system("coinfolk"), Extent(), tale)["folk"] == ("cat",)


def test_what_a_system_adds_must_occur_too() -> None:
    extent = Extent(more={"blows": ("Struck", "Headbutted")})
    tale = Tale()
    play(Play("coinfolk:easy", "careful", 1), tale, extent)
    assert missing(load_system("coinfolk"), extent, tale)["blows"] == ("Headbutted",)


def test_a_failure_says_how_to_repeat_it(broken: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    def stumble(scene: Scene, event: book.Struck) -> Scene:
        assert event.luck == 0, "a flip breaks it"
        return struck(scene, event)

    apply = type(book.apply)(book.apply)
    struck = apply.by_kind[book.Struck]
    apply.on(book.Struck, instead=True)(stumble)
    broken(apply=apply)
    with pytest.raises(Failed, match="a flip breaks it") as failed:
        play_out(load_system("coinfolk"), seed=4)
    command = re.search(r"conformance\.exhaustive (.*)$", str(failed.value))
    assert command is not None
    with pytest.raises(Failed, match="a flip breaks it") as again:
        main(shlex.split(command.group(1)))
    assert again.value.play == failed.value.play
    monkey = Play("coinfolk:easy", "random", 7, "random:2", (("ducking", "never"),))
    assert "--cast random:2 --option" in monkey.command


def test_two_processes_play_what_one_plays(broken: Callable[..., None]) -> None:
    system = load_system("coinfolk")
    alone, together = [play_out(system, most=20, stop=False, jobs=jobs)[0] for jobs in (1, 2)]
    assert alone == together
    assert alone.plays == 20
    apply = type(book.apply)(book.apply)

    def stumble(scene: Scene, event: book.Struck) -> Scene:
        raise AssertionError("every blow breaks it")

    apply.on(book.Struck, instead=True)(stumble)
    broken(apply=apply)
    failures: list[Failed] = []
    tale, _ = play_out(system, most=5, stop=False, failures=failures, jobs=2)
    assert (tale.plays, len(failures)) == (0, 5)
    assert {failed.problem.partition(" (")[0] for failed in failures} == {"AssertionError: every blow breaks it"}


def test_a_pool_below_zero_is_noticed() -> None:
    extent = replace(extent_of("coinfolk"), never_negative=("health",))
    with pytest.raises(Failed, match="has health -"):
        play(Play("coinfolk:together", "aggressive", 1), Tale(), extent)


def test_the_command_repeats_one_play_and_reports_on_a_system(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coinfolk:easy", "--policy", "careful", "--seed", "2", "--option", "ducking=never"]) == 0
    assert "folk win" in capsys.readouterr().out
    assert main(["coinfolk", "--plays", "3"]) == 1
    assert "never: " in capsys.readouterr().out
