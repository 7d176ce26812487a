"""Chases in the middle of an encounter: the pursued sets the Difficulty, the winner gains cubes."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.engine import choose
from tablewright.engine.tally import Part
from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.common import Moved
from tablewright.game.ground import Position, Together
from tablewright.game.prices import Price
from tablewright.game.scene import Live, Scene
from tablewright.systems.stage.actions.aiming import three_ap
from tablewright.systems.stage.actions.assisting import assisted
from tablewright.systems.stage.actions.checking import beats, plainly, with_powers
from tablewright.systems.stage.actions.common import ABLE, STANDS, foes
from tablewright.systems.stage.actions.move import AFOOT, FREE, around
from tablewright.systems.stage.events.fighting import Spent, Tried, emit_harm
from tablewright.systems.stage.events.moving import CameBeside
from tablewright.systems.stage.harm import most
from tablewright.systems.stage.now import distance
from tablewright.systems.stage.rolling import Rolled
from tablewright.systems.stage.ways import OPPOSED

KEY, RULE = "athletics.pursue", "stage.athletics.pursue"
EFFORT = Price.of(ap=3)


def _pursuits(scene: Scene, who: str) -> Iterator[Use]:
    if scene[who].position is None or isinstance(scene.ground, Together):
        return
    for foe in foes(scene, who):
        if foe.position is not None and distance(scene, who, foe.id) >= 1:
            yield Use("pursue", foe.id, label=f"Pursue {scene.called(foe.id)}")


def _runs(scene: Scene, who: str, use: Use) -> str | None:
    target = str(use.target)
    return None if distance(scene, who, target) >= 1 else f"{scene.called(target)} is in the same cube"


async def _pursue(game: Live, who: str, use: Use) -> None:
    """Who is pursued may run for 3 AP, with a die more; the winner gains as many cubes as the speed score."""
    target = str(use.target)
    if not await _runs_away(game, target):
        emit_harm(game, Tried(who=target, by=who, what=KEY, success=True, reveals=False, cause=RULE))
        _close_in(game, who, target)
        return
    game.emit(Spent(who=target, price=EFFORT, on="running", cause=RULE))
    mine = await _running(game, who, target)
    theirs = await _running(game, target, who, Part("pursued", 1, RULE, "mundane"))
    success = await beats(game, who, target, mine, theirs)
    emit_harm(game, Tried(who=target, by=who, what=KEY, success=success, reveals=False, cause=RULE))
    if success:
        _close_in(game, who, target)
    else:
        await _get_ahead(game, who, target)


async def _running(game: Live, who: str, other: str, *more: Part) -> Rolled:
    """What one of the two rolls, with helpers and powers (stage.check.assist)."""
    lent, _ = await assisted(game, who, KEY, EFFORT["ap"])
    make = plainly(game, who, KEY, against=other, words=OPPOSED, dice=(*more, *lent))
    return await with_powers(game, who, KEY, make)


async def _runs_away(game: Live, target: str) -> bool:
    if game[target].status.ap < EFFORT["ap"] or game[target].status.held("held") is not None:
        return False
    stay, run = Use("pass", label="Stay"), Use("run", label="Run", cost="3 AP")
    told = {"who": target, "kind": "window"}
    return await choose(game.seat(target), "run?", [stay, run], about=told, default=run) == run


def _close_in(game: Live, who: str, target: str) -> None:
    """As near as the speed score allows, and next to the one who was caught."""
    scene = game.scene
    here, there = scene[who].position, scene[target].position
    assert here is not None
    assert there is not None
    reach = [here, *[at for at, _ in around(scene.ground, here, most(scene, who).speed)]]
    straight = scene.ground.line(here, there)
    nearest: Position = min(reach, key=lambda at: (scene.ground.distance(at, there), at not in straight))
    if nearest != here:
        game.emit(Moved(who=who, position=nearest, cause=RULE))
    if nearest == there:
        game.emit(CameBeside(who=who, others=(target,), cause=RULE))


async def _get_ahead(game: Live, who: str, target: str) -> None:
    """Away by the speed score, to where the one who runs likes among the furthest places."""
    scene = game.scene
    here, behind = scene[target].position, scene[who].position
    assert here is not None
    assert behind is not None
    far = {
        name: scene.ground.distance(at, behind) for at, name in around(scene.ground, here, most(scene, target).speed)
    }
    furthest = max(far.values(), default=0)
    places = [name for name, cubes in far.items() if cubes == furthest]
    if places and furthest > scene.ground.distance(here, behind):
        to = await choose(game.seat(target), "where to?", places, about={"of": target})
        game.emit(Moved(who=target, position=game.scene.ground.parse(to), cause=RULE))


CHASING = (
    Action(
        "pursue",
        "Pursue",
        (RULE,),
        _pursue,
        (ABLE, STANDS, FREE, AFOOT, Requirement(RULE, _runs)),
        _pursuits,
        price=three_ap,
        price_rule="stage.action.ap",
    ),
)
