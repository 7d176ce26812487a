"""Gate: the tests of a finished system show every action, event, condition and process of it, without a seed.

A test with typed faces and named options is a script: it shows the same whatever the generator of random faces does.
This plugin records what the tests in a system's folder show, leaves out tests that drew a random face, and fails the
run when something is never shown. It judges a system only if its whole folder was run and nothing failed there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

import pytest

from conformance.extents import Extent, conditions_of, extent_of, lasting_ids
from conformance.places import folder_of_tests
from tablewright import game
from tablewright.dice.source import SeededDice
from tablewright.engine import Choice
from tablewright.engine.process import Process
from tablewright.game.play.actions import Actions, ActionUse
from tablewright.game.play.common_apply import common_reducer
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.scenario.loader import load_scenario, scenario_names
from tablewright.game.scene.events import Event
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.opening import open_session
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_system
from tablewright.game.system.system import System

Seen: TypeAlias = dict[str, set[str]]
"""Names that occurred, by kind: actions, events, conditions, processes."""


# ---------------------------------------------------------------------- required names


def required(system: System, extent: Extent) -> dict[str, tuple[str, ...]]:
    """Names that the tests of a system must show, by kind."""
    book = system.rulebook
    names = {
        "actions": [action.id for action in book.actions],
        "events": [kind.kind for kind in book.apply.by_kind if kind not in common_reducer.by_kind],
        "conditions": [*_status_values(system.id), *extent.more_conditions],
        "processes": [process.name for process in book.processes if not _is_shared(process)],
    }
    if extent.conditions is None:
        names["conditions"] += sorted(lasting_ids(system.id))
    return {
        kind: tuple(dict.fromkeys([name for name in found if f"{kind}:{name}" not in extent.exempt]))
        for kind, found in names.items()
    }


def _is_shared(process: Process[..., Any]) -> bool:
    """Tell whether a process belongs to the game layer, such as trade; the tests of that layer show it."""
    return process.function.__module__.startswith(f"{game.__name__}.")


def missing(system: System, extent: Extent, seen: Mapping[str, set[str]]) -> dict[str, tuple[str, ...]]:
    """Required names that did not occur, by kind."""
    lacking = {
        kind: tuple([name for name in names if name not in seen.get(kind, ())])
        for kind, names in required(system, extent).items()
    }
    return {kind: names for kind, names in lacking.items() if names}


@cache
def _status_values(system_id: str) -> tuple[str, ...]:
    """Named values of the status fields of a system: ``prone`` for a flag, ``pace=run`` for a field of named values."""
    kinds = dict.fromkeys(
        [
            type(participant.status)
            for name in scenario_names(system_id)
            for participant in open_session(load_scenario(f"{system_id}:{name}"), seed=0).scene.participants
        ]
    )
    return tuple(
        [
            field.name if value is True else f"{field.name}={value}"
            for kind in kinds
            for hints in [get_type_hints(kind)]
            for field in fields(kind)
            for value in _named_values(hints[field.name])
        ]
    )


def _named_values(annotation: Any) -> tuple[Any, ...]:
    if annotation is bool:
        return (True,)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return tuple([member.value for member in annotation])
    return get_args(annotation) if get_origin(annotation) is Literal else ()


# ---------------------------------------------------------------------- recording


class Recorder:
    """Record of everything that occurs in the scenes of one system while it is active."""

    def __init__(self, system_id: str, extent: Extent) -> None:
        self.system_id = system_id
        self.extent = extent
        self.seen: Seen = {}
        self.drew = False
        """True after a random face was drawn."""

    def note(self, kind: str, name: str) -> None:
        self.seen.setdefault(kind, set()).add(name)

    def look(self, scene: Scene, before: Scene | None) -> None:
        """Note the conditions of every status that is new in a scene."""
        if scene.system != self.system_id or (before is not None and before.participants is scene.participants):
            return
        old = {one.id: one.status for one in before.participants} if before is not None else {}
        for one in scene.participants:
            if old.get(one.id) is not one.status and is_dataclass(one.status):
                for name in conditions_of(one.status, self.extent):
                    self.note("conditions", name)


@contextmanager
def recording(recorder: Recorder) -> Iterator[None]:
    """Watch scenes, actions, processes and random faces for a while."""
    emit, start, perform = Game.emit, Game.__init__, Actions.perform
    read, call, word, choose = Process.read, Process.__call__, SeededDice._word, Session.choose

    def watched_emit(self: Game, event: Event) -> None:
        before = self.state
        emit(self, event)
        if before.system == recorder.system_id:
            recorder.note("events", event.kind)
            recorder.look(self.state, before)

    def watched_start(self: Game, scene: Scene, *more: Any, **named: Any) -> None:
        start(self, scene, *more, **named)
        recorder.look(scene, None)

    async def watched_perform(self: Actions, game: Game, who: str, use: ActionUse) -> None:
        await perform(self, game, who, use)
        if game.scene.system == recorder.system_id:
            recorder.note("actions", use.action)

    def watched_choose(self: Session, option: str) -> None:
        question = self.question
        choose(self, option)
        if isinstance(question, Choice) and self.header.system == recorder.system_id:
            use = question.option(option)
            if isinstance(use, ActionUse):
                recorder.note("actions", use.action)

    async def finished(name: str, rule: Any) -> Any:
        result = await rule
        recorder.note("processes", name)
        return result

    def watched_read(self: Process[..., Any], game: Any, given: Mapping[str, object]) -> Any:
        return finished(self.name, read(self, game, given))

    def watched_call(self: Process[..., Any], game: Any, *more: Any, **named: Any) -> Any:
        return finished(self.name, call(self, game, *more, **named))

    def watched_word(self: SeededDice) -> int:
        recorder.drew = True
        return word(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Game, "emit", watched_emit)
        patch.setattr(Game, "__init__", watched_start)
        patch.setattr(Actions, "perform", watched_perform)
        patch.setattr(Process, "read", watched_read)
        patch.setattr(Process, "__call__", watched_call)
        patch.setattr(Session, "choose", watched_choose)
        patch.setattr(SeededDice, "_word", watched_word)
        yield


# ---------------------------------------------------------------------- the plugin

KEY = "tablewright_occurrences"
JUDGED = "TABLEWRIGHT_JUDGED"
_seen: dict[str, Seen] = {}
"""Names that occurred in tests with typed faces, by system and kind."""


@cache
def _folders() -> dict[Path, str]:
    """Test folders of all systems."""
    folders = [(folder_of_tests(system_id), system_id) for system_id in system_ids()]
    return {folder.resolve(): system_id for folder, system_id in folders if folder is not None}


@cache
def _system_of(path: Path) -> str | None:
    return next((_folders()[folder] for folder in path.resolve().parents if folder in _folders()), None)


def _add(occurred: Mapping[str, Mapping[str, Any]]) -> None:
    for system_id, kinds in occurred.items():
        for kind, names in kinds.items():
            _seen.setdefault(system_id, {}).setdefault(kind, set()).update(names)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Record one test of a system."""
    system_id = _system_of(item.path)
    if system_id is None:
        return (yield)
    recorder = Recorder(system_id, extent_of(system_id))
    with recording(recorder):
        yield
    if not recorder.drew:
        _add({system_id: recorder.seen})


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the record of a worker process to the main one."""
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[KEY] = json.dumps(_seen, default=sorted)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over the record of a worker process."""
    _add(json.loads(getattr(node, "workeroutput", {}).get(KEY, "{}")))


def _is_whole(config: pytest.Config, folder: Path) -> bool:
    """Tell whether the run was asked for a whole folder."""
    if config.option.keyword or config.option.markexpr or config.option.collectonly or getattr(config.option, "lf", 0):
        return False
    asked = [(config.invocation_params.dir / argument).resolve() for argument in config.args if "::" not in argument]
    return any(path == folder or path in folder.parents for path in asked)


def problems(config: pytest.Config) -> list[str]:
    """One line for every kind of thing that the tests of a system never show."""
    return [
        f"{system_id}: no test with typed faces shows these {kind}: {', '.join(names)}"
        for folder, system_id in _folders().items()
        if _is_whole(config, folder)
        if load_system(system_id).is_finished or system_id == os.environ.get(JUDGED)
        for kind, names in missing(load_system(system_id), extent_of(system_id), _seen.get(system_id, {})).items()
    ]


@pytest.hookimpl(wrapper=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> Iterator[None]:
    """List what is never shown, below the failures."""
    yield
    if found := config.stash.get(_PROBLEMS, []):
        terminalreporter.section("never shown by a test")
        for line in found:
            terminalreporter.line(line)


_PROBLEMS = pytest.StashKey[list[str]]()


class Judge:
    """Last word of the main process: fail the run when something is never shown."""

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if exitstatus != pytest.ExitCode.OK or hasattr(session.config, "workeroutput"):
            return
        found = problems(session.config)
        if found:
            session.config.stash[_PROBLEMS] = found
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_configure(config: pytest.Config) -> None:
    """Register the judge once."""
    config.pluginmanager.register(Judge(), "occurrences-judge")
