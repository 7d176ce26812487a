"""Random legal play with interventions, on every playable system; scripts that failed once are files in `found/`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from conformance.fuzzing import STEPS, Table, fuzz, take
from conformance.promises import Broken
from each_case import each_case
from tablewright.errors import InvalidInputError
from tablewright.game.scenario.loader import load_scenario, scenario_names
from tablewright.game.session.opening import open_session
from tablewright.game.session.views import project_session
from tablewright.game.system.registry import load_all, load_system

SOAKING = "FUZZ_SCRIPTS" in os.environ
EXAMPLES = int(os.environ.get("FUZZ_SCRIPTS", "20"))
"""Scripts that hypothesis tries for each system; `make soak` tries many more, and other ones each time."""

FOUND = sorted((Path(__file__).parent / "found").glob("*.json"))
PLAYABLE = [
    system.id for system in load_all().systems if system.rulebook_module is not None and scenario_names(system.id)
]


@pytest.mark.parametrize("system_id", PLAYABLE)
def test_random_play_with_interventions_breaks_nothing(system_id: str) -> None:
    share = EXAMPLES if load_system(system_id).is_finished or SOAKING else min(EXAMPLES, 10)
    fuzz(system_id, share, always_the_same=not SOAKING)


@pytest.mark.parametrize("file", FOUND, ids=lambda file: file.stem)
def test_first_failures(file: Path) -> None:
    found = json.loads(file.read_text(encoding="utf-8"))
    assert take(found["scenario"], [(name, number) for name, number in found["script"]], found["seed"]).done


def test_a_script_does_the_same_again() -> None:
    script = [("several", 5), ("check", 3), ("join", 2), ("undo", 1), ("several", 8), ("save", 0)]
    once, again = take("coinfolk:even", script, 7), take("coinfolk:even", script, 7)
    assert once.done == again.done == ["several", "check", "join", "undo", "several", "save"]
    assert once.session.to_json() == again.session.to_json()


@each_case("name", STEPS)
def test_every_step_can_be_done(name: str) -> None:
    """A step that is always refused would test nothing."""
    done: list[str] = []
    for number in range(12):
        table = take("coinfolk:together", [("several", number), (name, number)], number)
        done += table.done[1:]
        if name in done:
            break
    if name == "wrong":
        assert len({line.partition(":")[2] for line in done}) > 3, done
        assert name not in done
    else:
        assert name in done


def test_a_changed_scene_is_noticed() -> None:
    table = Table("coinfolk:even")
    table.session.live.state = table.session.scene.with_status("ann", breath=0)
    with pytest.raises(Broken, match="the log leads to the scene"):
        table.look("a change")


def test_a_pool_below_zero_is_noticed() -> None:
    table = Table("coinfolk:even")
    table.session.do("table.rule", who="ann", field="luck", value="-1", reason="a test")
    with pytest.raises(Broken, match="no pool is below zero: ann has luck -1"):
        table.look("a ruling")


# ---------------------------------------------------------------------- found by the above, in the game layer


def test_a_character_that_changed_can_be_shown_to_its_owner() -> None:
    session = open_session(load_scenario("coinfolk:even"), seed=1)
    before = json.dumps(project_session(session, "ann"))
    session.do("coinfolk.award", who="ann", marks=1)
    assert json.dumps(project_session(session, "ann")) != before


@each_case(
    ("who", "field", "value"),
    [
        (None, "round", "word"),
        (None, "order", "7"),
        (None, "order", "null"),
        (None, "acted", "true"),
        (None, "turn", "nobody"),
        (None, "turn", "7"),
        (None, "ended", "7"),
        ("ann", "position", "7"),
        ("ann", "hidden", "word"),
        ("ann", "side", "7"),
        ("ann", "seat", "null"),
        ("ann", "present", "null"),
        ("ann", "health", "null"),
        ("ann", "dazed", "null"),
    ],
)
def test_a_ruling_of_the_wrong_kind_is_refused(who: str | None, field: str, value: str) -> None:
    session = open_session(load_scenario("coinfolk:even"), seed=1)
    with pytest.raises(InvalidInputError):
        session.do("table.rule", who=who, field=field, value=value, reason="a test")
