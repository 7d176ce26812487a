"""Reactions: everyone who may react is asked once, with the scene as it is at that moment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from game.turns import RULE, Did, Fell, doing, scene_of, session_of, told, up
from tablewright.engine import Choice, ClosedOption
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import SceneEnded
from tablewright.game.play.reactions import open_reaction_window
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session

LET_BE = ActionUse("let_be", label="Let it be")


def others(scene: Scene) -> Iterable[str]:
    return [one.id for one in scene.participants if one.id != "ann" and up(one)]


def jabs(scene: Scene, who: str) -> Sequence[ActionUse | ClosedOption]:
    if not scene[who].status.ap:
        return [ClosedOption("jab", "out of breath", RULE)]
    return [ActionUse("jab", "ann")]


def opened(scene: Scene, **more: Any) -> Session:
    async def run(game: Game) -> None:
        given = {"asked": others, "offers": jabs} | more
        await open_reaction_window(game, "react?", given.pop("asked"), given.pop("offers"), idle=LET_BE, **given)
        game.emit(Did(who="ann", what="went on", cause=RULE))

    ann = doing("jab", candidates=lambda scene, who: [ActionUse("jab", "ann")], reaction=True)
    return session_of(scene, run, [ann])


def asked(session: Session) -> tuple[str | None, tuple[str, ...]]:
    assert isinstance(session.question, Choice)
    return session.seat, session.question.ids


def test_everyone_who_may_react_is_asked_once() -> None:
    session = opened(scene_of("ann", "bob", "cid", "dan").with_status("cid", ap=0), about={"mover": "ann"})
    assert asked(session) == ("bob", ("let_be", "jab:ann"))
    assert isinstance(session.question, Choice)
    assert dict(session.question.details) == {"who": "bob", "kind": "window", "mover": "ann"}
    assert session.question.default == 0
    session.choose("jab:ann")
    assert asked(session)[0] == "dan", "cid has nothing to offer and is not asked"
    session.choose("let_be")
    assert told(session, "Did") == ["Did bob jab:ann", "Did ann went on"]


def test_the_scene_is_read_again_after_every_answer() -> None:
    async def trip(game: Game, who: str, use: ActionUse) -> None:
        game.emit(Fell(who="cid", cause=RULE))

    session = opened(scene_of("ann", "bob", "cid"), perform=trip)
    session.choose("jab:ann")
    assert session.question is None, "cid fell and is not asked"
    session = opened(scene_of("ann", "bob", "cid"), perform=trip)
    session.choose("let_be")
    assert asked(session)[0] == "cid"


def test_a_question_whose_options_a_ruling_takes_away_lapses() -> None:
    session = opened(scene_of("ann", "bob", "cid"))
    session.do("table.rule", who="bob", field="ap", value="0", reason="winded")
    assert asked(session)[0] == "cid"
    session.undo()
    assert asked(session) == ("bob", ("let_be", "jab:ann"))


def test_closed_options_stand_where_the_offers_put_them() -> None:
    session = opened(scene_of("ann", "bob"), offers=lambda scene, who: [*jabs(scene, who), LET_BE])
    assert asked(session)[1] == ("jab:ann", "let_be")
    assert isinstance(session.question, Choice)
    assert session.question.default == 1
    session = opened(scene_of("ann", "bob"), offers=lambda scene, who: [LET_BE])
    assert session.question is None, "to let it be is nothing that one could do instead"


def test_a_window_inside_a_window() -> None:
    async def jab(game: Game, who: str, use: ActionUse) -> None:
        def friends(scene: Scene) -> Iterable[str]:
            return [one for one in others(scene) if one != who]

        async def guard(game: Game, friend: str, use: ActionUse) -> None:
            game.emit(Fell(who=who, cause=RULE))

        await open_reaction_window(game, "guard?", friends, jabs, idle=LET_BE, perform=guard)
        if up(game[who]):
            game.emit(Did(who=who, what="jabbed", cause=RULE))

    session = opened(scene_of("ann", "bob", "cid"), perform=jab)
    session.choose("jab:ann")
    assert (asked(session)[0], str(session.question)) == ("cid", "choose guard?")
    session.choose("jab:ann")
    assert (asked(session)[0], str(session.question)) == ("cid", "choose react?")
    session.choose("let_be")
    assert told(session, "Did", "Fell") == ["Fell bob", "Did ann went on"]


def test_nobody_is_asked_once_the_scene_has_ended() -> None:
    async def end(game: Game, who: str, use: ActionUse) -> None:
        game.emit(SceneEnded(outcome="a truce", cause=RULE))

    session = opened(scene_of("ann", "bob", "cid"), perform=end)
    session.choose("jab:ann")
    assert session.question is None
