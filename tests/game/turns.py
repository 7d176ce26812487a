"""A table for the tests of rounds, windows, prices and what lasts: three people, and as few rules as possible."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from coinfolk.book import rulebook

from tablewright.engine import Process
from tablewright.game.actions import Action, Actions, Requirement, Use
from tablewright.game.checks import Subject
from tablewright.game.common import common
from tablewright.game.events import Apply, Event, shown
from tablewright.game.frozen import Ranks
from tablewright.game.lasting import Lasting
from tablewright.game.rulebook import Rulebook
from tablewright.game.scene import Live, Participant, Scene, Start
from tablewright.game.session import Header, Session

RULE = "demo.rule.all"


@dataclass(frozen=True, slots=True)
class Status:
    ap: int = shown(default=3)
    stamina: int = shown(default=2)
    up: bool = shown(default=True)
    spent: Ranks = shown(default=Ranks())
    lasting: tuple[Lasting, ...] = shown(default=())


@dataclass(frozen=True, kw_only=True)
class Did(Event):
    """Somebody did something."""

    who: str = shown()
    what: str = shown()


@dataclass(frozen=True, kw_only=True)
class Fell(Event):
    who: str = shown()


apply: Apply[Scene] = Apply(common)


@apply.on(Did)
def _did(scene: Scene, event: Did) -> Scene:
    return scene


@apply.on(Fell)
def _fell(scene: Scene, event: Fell) -> Scene:
    return scene.change(event.who, up=False)


def up(one: Participant) -> bool:
    return one.present and bool(one.status.up)


def person(id_: str, **more: Any) -> Participant:
    places = {"name": id_.title(), "side": id_, "seat": id_, "character": None, "status": Status()}
    return Participant(id=id_, **(places | more))


def scene_of(*people: str | Participant, **more: Any) -> Scene:
    everybody = tuple([person(one) if isinstance(one, str) else one for one in people])
    return Scene("demo", everybody, **({"order": tuple([one.id for one in everybody])} | more))


def doing(what: str, *requires: Requirement, **more: Any) -> Action:
    async def perform(game: Live, who: str, use: Use) -> None:
        game.emit(Did(who=who, what=use.id, cause=RULE))

    return Action(what, what.title(), (RULE,), perform, requires, **more)


def entered(subject: Subject) -> Status:
    return Status()


def book_of(actions: Sequence[Action] | Actions = (), **more: Any) -> Rulebook:
    own = actions if isinstance(actions, Actions) else Actions([*actions, doing("rest")])
    given: dict[str, Any] = {"actions": own, "apply": apply, "processes": (), "idle": "rest", "enter": entered}
    return replace(rulebook, **(given | more))


def session_of(
    scene: Scene, run: Callable[[Live], Awaitable[None]], actions: Sequence[Action] | Actions = (), **more: Any
) -> Session:
    """A session in which a process was started."""

    async def go(game: Live) -> None:
        await run(game)

    session = Session(Header("demo", "1", scene, 1), book_of(actions, encounter=Process("demo.go", go, ()), **more))
    session.do("demo.go")
    return session


def told(session: Session, *kinds: str) -> list[str]:
    """What happened, in short: the kinds of events with whom and what."""
    lines = []
    for line in session.facts:
        if line.get("event") in kinds:
            number = line.get("number", line.get("what", line.get("order", "")))
            what = number["id"] if isinstance(number, dict) else number
            lines.append(" ".join([str(part) for part in (line["event"], line.get("who", ""), what) if part != ""]))
    return lines


def started(rounds: int, ends: str = "game_master") -> Start:
    return Start(rounds=rounds, ends=ends)
