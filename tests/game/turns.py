"""A table for the tests of rounds, windows, prices and what lasts: three people, and as few rules as possible."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from coinfolk.book import rulebook

from tablewright.engine import Process
from tablewright.game.play.actions import Action, Actions, ActionUse, Requirement
from tablewright.game.play.checks import Subject
from tablewright.game.play.common_apply import common_reducer
from tablewright.game.play.effects import Effect
from tablewright.game.scene.events import Event, Reducer
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene, SceneSetup
from tablewright.game.scene.visibility import visible
from tablewright.game.session.session import Session, SessionHeader
from tablewright.game.system.rulebook import Rulebook
from tablewright.game.values import Ranks

RULE = "demo.rule.all"


@dataclass(frozen=True, slots=True)
class Status:
    ap: int = visible(default=3)
    stamina: int = visible(default=2)
    up: bool = visible(default=True)
    spent: Ranks = visible(default=Ranks())
    lasting: tuple[Effect, ...] = visible(default=())


class Did(Event):
    """An action of a participant."""

    who: str = visible()
    what: str = visible()


class Fell(Event):
    who: str = visible()


apply: Reducer[Scene] = Reducer(common_reducer)


@apply.on(Did)
def _did(scene: Scene, event: Did) -> Scene:
    return scene


@apply.on(Fell)
def _fell(scene: Scene, event: Fell) -> Scene:
    return scene.with_status(event.who, up=False)


def up(one: Participant) -> bool:
    return one.present and bool(one.status.up)


def person(id_: str, **more: Any) -> Participant:
    places = {"name": id_.title(), "side": id_, "seat": id_, "character": None, "status": Status()}
    return Participant(id=id_, **(places | more))


def scene_of(*people: str | Participant, **more: Any) -> Scene:
    everybody = tuple([person(one) if isinstance(one, str) else one for one in people])
    return Scene("demo", everybody, **({"order": tuple([one.id for one in everybody])} | more))


def doing(what: str, *requires: Requirement, **more: Any) -> Action:
    async def perform(game: Game, who: str, use: ActionUse) -> None:
        game.emit(Did(who=who, what=use.id, cause=RULE))

    return Action(what, what.title(), (RULE,), perform, requires, **more)


def entered(subject: Subject) -> Status:
    return Status()


def book_of(actions: Sequence[Action] | Actions = (), **more: Any) -> Rulebook:
    own = actions if isinstance(actions, Actions) else Actions([*actions, doing("rest")])
    given: dict[str, Any] = {
        "actions": own,
        "apply": apply,
        "processes": (),
        "pass_action": "rest",
        "make_status": entered,
    }
    return replace(rulebook, **(given | more))


def session_of(
    scene: Scene, run: Callable[[Game], Awaitable[None]], actions: Sequence[Action] | Actions = (), **more: Any
) -> Session:
    """A session in which a process was started."""

    async def go(game: Game) -> None:
        await run(game)

    session = Session(
        SessionHeader("demo", "1", scene, 1), book_of(actions, encounter=Process("demo.go", go, ()), **more)
    )
    session.do("demo.go")
    return session


def told(session: Session, *kinds: str) -> list[str]:
    """Events in short: kind, participant and object."""
    lines = []
    for line in session.facts:
        if line.get("event") in kinds:
            number = line.get("number", line.get("what", line.get("order", "")))
            what = number["id"] if isinstance(number, dict) else number
            lines.append(" ".join([str(part) for part in (line["event"], line.get("who", ""), what) if part != ""]))
    return lines


def started(rounds: int, ends: str = "game_master") -> SceneSetup:
    return SceneSetup(rounds=rounds, ends=ends)
