"""Windows: who may come between is asked once, with the scene as it is then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from game.turns import RULE, Did, Fell, doing, scene_of, session_of, told, up
from tablewright.engine import Choose, Closed
from tablewright.game.actions import Use
from tablewright.game.common import SceneEnded
from tablewright.game.scene import Live, Scene
from tablewright.game.session import Session
from tablewright.game.windows import window

LET_BE = Use("let_be", label="Let it be")


def others(scene: Scene) -> Iterable[str]:
    return [one.id for one in scene.participants if one.id != "ann" and up(one)]


def jabs(scene: Scene, who: str) -> Sequence[Use | Closed]:
    if not scene[who].status.ap:
        return [Closed("jab", "out of breath", RULE)]
    return [Use("jab", "ann")]


def opened(scene: Scene, **more: Any) -> Session:
    async def run(game: Live) -> None:
        given = {"asked": others, "offers": jabs} | more
        await window(game, "react?", given.pop("asked"), given.pop("offers"), idle=LET_BE, **given)
        game.emit(Did(who="ann", what="went on", cause=RULE))

    ann = doing("jab", uses=lambda scene, who: [Use("jab", "ann")], reaction=True)
    return session_of(scene, run, [ann])


def asked(session: Session) -> tuple[str | None, tuple[str, ...]]:
    assert isinstance(session.question, Choose)
    return session.seat, session.question.ids


def test_everybody_who_could_is_asked_once() -> None:
    session = opened(scene_of("ann", "bob", "cid", "dan").change("cid", ap=0), about={"mover": "ann"})
    assert asked(session) == ("bob", ("let_be", "jab:ann"))
    assert isinstance(session.question, Choose)
    assert dict(session.question.about) == {"who": "bob", "kind": "window", "mover": "ann"}
    assert session.question.default == 0
    session.choose("jab:ann")
    assert asked(session)[0] == "dan", "cid has nothing to offer and is not asked"
    session.choose("let_be")
    assert told(session, "Did") == ["Did bob jab:ann", "Did ann went on"]


def test_the_scene_is_read_anew_after_every_answer() -> None:
    async def trip(game: Live, who: str, use: Use) -> None:
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


def test_what_is_not_to_be_done_stands_where_the_offers_put_it() -> None:
    session = opened(scene_of("ann", "bob"), offers=lambda scene, who: [*jabs(scene, who), LET_BE])
    assert asked(session)[1] == ("jab:ann", "let_be")
    assert isinstance(session.question, Choose)
    assert session.question.default == 1
    session = opened(scene_of("ann", "bob"), offers=lambda scene, who: [LET_BE])
    assert session.question is None, "to let it be is nothing that one could do instead"


def test_a_window_inside_a_window() -> None:
    async def jab(game: Live, who: str, use: Use) -> None:
        def friends(scene: Scene) -> Iterable[str]:
            return [one for one in others(scene) if one != who]

        async def guard(game: Live, friend: str, use: Use) -> None:
            game.emit(Fell(who=who, cause=RULE))

        await window(game, "guard?", friends, jabs, idle=LET_BE, perform=guard)
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
    async def end(game: Live, who: str, use: Use) -> None:
        game.emit(SceneEnded(outcome="a truce", cause=RULE))

    session = opened(scene_of("ann", "bob", "cid"), perform=end)
    session.choose("jab:ann")
    assert session.question is None
