"""Moving: the Move action with its stamina, steps of a metre, difficult ground, cover, dropping prone and rising."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tablewright.engine import choose
from tablewright.game import standing
from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.common import Moved
from tablewright.game.ground import Grid, Path, Position, Together
from tablewright.game.scene import Live, Scene
from tablewright.game.standing import beside, near, occupied, toward, walk_of
from tablewright.systems.mars.actions.attack import beside_an_obstacle
from tablewright.systems.mars.actions.costs import AWAKE, FREE, NOT_BUSY, SWIFTLY, cost_words, time_spent, why_no_time
from tablewright.systems.mars.actions.defend import offer_reaction
from tablewright.systems.mars.actions.ready import set_off
from tablewright.systems.mars.character import Effect
from tablewright.systems.mars.effects import until_own_turn
from tablewright.systems.mars.events import Acted, EffectEnded, EffectGained, Walked
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Status, stands

MOVE, TERRAIN, STEP_LIMIT = "mars.move.action", "mars.move.difficult_terrain", "mars.move.free_step_limit"
SPEED = "mars.move.speed_modifiers"
COVER, COVER_MOVING = "mars.action.seek_cover", "mars.action.seek_cover_moving"
HALF_SPEED = ("climb", "swim", "fly")
DIFFICULT = 2


def speed_of(scene: Scene, who: str) -> int:
    """Metres that one Move covers now; climbing, swimming and flying are facts of the game master."""
    me = now(scene, who)
    if not scene.facts.entries:
        return me.metres
    how = scene.facts.get("movement", who)
    return me.speed_with((str(how),) if how in HALF_SPEED else ()).total


def is_difficult(scene: Scene, who: str, at: Position | None = None) -> bool:
    """Whether the ground is difficult: for the blind everywhere, else where the map or the game master says so.

    mars.move.difficult_terrain, mars.effect.blind
    """
    if scene[who].status.has("blind") or scene.facts.get("terrain", who) == "difficult":
        return True
    if at is None or not isinstance(scene.ground, Grid):
        return False
    return any(place == at for place, _ in scene.ground.difficult)


def budget(scene: Scene, who: str) -> int:
    """How many metres of open ground a Move is worth: half where everything is difficult, but at least one."""
    speed = speed_of(scene, who)
    return min(speed, max(1, speed // DIFFICULT)) if is_difficult(scene, who) else speed


def reach_of(scene: Scene, who: str) -> int:
    """How far the longest melee weapon in hand reaches."""
    return now(scene, who).reach


def approach(scene: Scene, who: str, foe: str) -> Path | None:
    """The way towards somebody, as far as one Move goes; None where none leads there."""
    return toward(scene, who, foe, budget(scene, who), stands, reach=reach_of(scene, who))


def destinations(scene: Scene, who: str) -> list[Position]:
    """Everywhere that one Move leads to, nearest first, without where one stands."""
    metres = budget(scene, who)
    found = standing.destinations(scene, who, metres, stands)
    if metres == 1:  # a Move always covers 1 m, also over difficult ground
        found += [at for at in beside(scene, who, stands) if at not in found]
    return found


# ---------------------------------------------------------------------- requirements and costs


def _can_move(scene: Scene, who: str, use: Use) -> str | None:
    if scene[who].position is None or isinstance(scene.ground, Together):
        return "there is nowhere to go"
    if scene[who].status.turn.stopped:
        return "stopped for this turn"
    return None if speed_of(scene, who) > 0 else "cannot move at all"


def move_stamina(scene: Scene, who: str) -> int:
    """What a Move costs: nothing the first time in a turn, then 1 each."""
    turn = scene[who].status.turn
    return 0 if turn.moves == 0 or (turn.reacting and scene.turn != who) else 1


def _has_stamina(scene: Scene, who: str, use: Use) -> str | None:
    needed = move_stamina(scene, who)
    left = scene[who].status.stamina
    return None if left >= needed else "a second Move costs 1 stamina, none is left"


def _somewhere_else(scene: Scene, who: str, use: Use) -> str | None:
    if use.target is None:
        return None
    if near(scene, who, use.target, reach_of(scene, who)):
        return "already there"
    path = approach(scene, who, use.target)
    if path is None:
        return "no way leads there"
    return None if len(path.steps) > 1 else "others stand in the way"


CAN_MOVE = Requirement(SPEED, _can_move, always=True)
MOVE_STAMINA = Requirement(MOVE, _has_stamina, always=True)


def step_speed(scene: Scene, who: str) -> str:
    """Whether a step of a metre is free now: not for who is too slow."""
    speed = speed_of(scene, who)
    difficult = is_difficult(scene, who, scene[who].position)
    return "swift" if speed <= (2 if difficult else 1) else "free"


def _step_time(scene: Scene, who: str, use: Use) -> str | None:
    return why_no_time(scene, who, step_speed(scene, who))


_PLAIN = Use("move")


def _move_uses(scene: Scene, who: str) -> Iterator[Use]:
    if isinstance(scene.ground, Together) or scene[who].position is None:
        yield Use("move", label="Move")
        return
    if why_no_time(scene, who, "swift") is None and _has_stamina(scene, who, _PLAIN) is None:
        side = scene[who].side
        for one in scene.participants:
            if one.side != side and stands(one) and not one.hidden and one.position is not None:
                yield Use("move", one.id, label=f"Move towards {scene.called(one.id)}")
    yield Use("move", label="Move elsewhere")


def _move_cost(scene: Scene, who: str, use: Use) -> str:
    return "2 s, 1 stamina" if move_stamina(scene, who) else "2 s"


def _step_cost(scene: Scene, who: str, use: Use) -> str:
    seconds = time_spent(scene[who].status, step_speed(scene, who))["seconds"]
    return cost_words(seconds, move_stamina(scene, who), free=not seconds)


# ---------------------------------------------------------------------- moving


async def _move(game: Live, who: str, use: Use) -> None:
    scene = game.scene
    if use.target is not None:
        path = approach(scene, who, use.target)
        assert path is not None
        await walk(game, who, path.steps, "swift")
        return
    places = destinations(scene, who)
    if not places:
        return
    options = [Use("destination", detail=str(at), label=f"To {at}") for at in places]
    taken = await choose(game.seat(who), "where to?", options, about={"who": who})
    await walk(game, who, _way(game.scene, who, game.scene.ground.parse(str(taken.detail))), "swift")


async def _step(game: Live, who: str, use: Use) -> None:
    scene = game.scene
    here = scene[who].position
    assert here is not None
    options = [Use("destination", detail=str(at), label=f"To {at}") for at in beside(scene, who, stands)]
    if not options:
        return
    chosen = await choose(game.seat(who), "step where?", options, about={"who": who})
    await walk(game, who, (here, game.scene.ground.parse(str(chosen.detail))), step_speed(game.scene, who))


def _way(scene: Scene, who: str, there: Position) -> tuple[Position, ...]:
    here = scene[who].position
    path = scene.ground.path(here, there, walk_of(scene, who, stands))
    return path.steps if path is not None else (here, there)


async def walk(game: Live, who: str, steps: Sequence[Position], speed: str) -> None:
    """Go along a way; whoever it leads past may have something to say about it."""
    status: Status = game[who].status
    cost: dict[str, Any] = {**time_spent(status, speed), "stamina": move_stamina(game.scene, who)}
    halts = _halts(game.scene, who, steps)
    first = halts[0][0] if halts else len(steps) - 1
    game.emit(Walked(who=who, position=steps[first], metres=len(steps) - 1, cause=MOVE, **cost))
    for at, foe in halts:
        if game[who].position != steps[at]:
            game.emit(Moved(who=who, position=steps[at], cause=MOVE))
        await offer_reaction(game, _only(foe), "opportunity", about={"mover": who})
        if game[who].status.turn.stopped or not stands(game[who]):
            return
    if game[who].position != steps[-1]:
        game.emit(Moved(who=who, position=steps[-1], cause=MOVE))
    await set_off(game, "moves", who)
    if stands(game[who]):
        near_now = _reached_by(game.scene, who, steps[0])
        if near_now:
            await set_off(game, "enters_reach", who, near_now)


def _only(who: str) -> Callable[[Scene], tuple[str, ...]]:
    return lambda scene: (who,)


def _halts(scene: Scene, who: str, steps: Sequence[Position]) -> list[tuple[int, str]]:
    """Where on a way somebody has gone more than 1 m through an enemy's reach, and whose."""
    if len(steps) < 3 or isinstance(scene.ground, Together):
        return []
    side = scene[who].side
    found: list[tuple[int, str]] = []
    for one in scene.participants:
        if one.side == side or one.position is None or not stands(one) or not one.status.turn.reaction:
            continue
        reach, metres = reach_of(scene, one.id), 0
        for at in range(1, len(steps)):
            metres += scene.ground.within(one.position, steps[at - 1], reach)
            if metres > 1:
                found.append((at if scene.ground.within(one.position, steps[at], reach) else at - 1, one.id))
                break
    taken = occupied(scene, who, stands)
    return sorted([(at, foe) for at, foe in found if steps[at] not in taken])


def _reached_by(scene: Scene, who: str, before: Position) -> tuple[str, ...]:
    """The enemies into whose reach somebody has just come."""
    side, here = scene[who].side, scene[who].position
    return tuple(
        [
            one.id
            for one in scene.participants
            if one.side != side
            and one.position is not None
            and stands(one)
            and scene.ground.within(one.position, here, reach_of(scene, one.id))
            and not scene.ground.within(one.position, before, reach_of(scene, one.id))
        ]
    )


# ---------------------------------------------------------------------- prone and cover


async def _drop_prone(game: Live, who: str, use: Use) -> None:
    cost = time_spent(game[who].status, "free")
    game.emit(Acted(who=who, action="drop_prone", cause="mars.action.drop_prone", **cost))
    game.emit(EffectGained(who=who, effect=Effect("prone"), cause="mars.action.drop_prone"))


async def _rise(game: Live, who: str, use: Use) -> None:
    cost = time_spent(game[who].status, "swift")
    game.emit(Acted(who=who, action="rise", cause="mars.action.rise", **cost))
    game.emit(EffectEnded(who=who, effect="prone", cause="mars.action.rise"))


def _is_prone(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene[who].status.has("prone") else "not prone"


def _is_upright(scene: Scene, who: str, use: Use) -> str | None:
    return "prone already" if scene[who].status.has("prone") else None


def _cover_speed(scene: Scene, who: str) -> str:
    return "free" if scene[who].status.turn.moves > 1 else "swift"


def _cover(scene: Scene, who: str, use: Use) -> str | None:
    if scene[who].status.turn.moves > 1 or beside_an_obstacle(scene, who):
        return None
    return "nothing to hide behind, and not moved more than once"


def _cover_time(scene: Scene, who: str, use: Use) -> str | None:
    return why_no_time(scene, who, _cover_speed(scene, who))


def _not_covered(scene: Scene, who: str, use: Use) -> str | None:
    return "in cover already" if scene[who].status.has("cover") else None


def _cover_cost(scene: Scene, who: str, use: Use) -> str:
    seconds = time_spent(scene[who].status, _cover_speed(scene, who))["seconds"]
    return cost_words(seconds, free=not seconds)


async def _seek_cover(game: Live, who: str, use: Use) -> None:
    moving = game[who].status.turn.moves > 1
    rule = COVER_MOVING if moving else COVER
    cost = time_spent(game[who].status, _cover_speed(game.scene, who))
    game.emit(Acted(who=who, action="seek_cover", cause=rule, **cost))
    effect = until_own_turn(game.scene, who, Effect("cover"))
    game.emit(EffectGained(who=who, effect=effect, cause=rule))


def move_actions() -> Sequence[Action]:
    """The actions of this room."""
    return (
        Action(
            "move",
            "Move",
            (MOVE, TERRAIN, SPEED),
            _move,
            (AWAKE, NOT_BUSY, CAN_MOVE, SWIFTLY, MOVE_STAMINA, Requirement(MOVE, _somewhere_else)),
            _move_uses,
            _move_cost,
        ),
        Action(
            "step",
            "Step 1 m",
            (MOVE, STEP_LIMIT),
            _step,
            (AWAKE, NOT_BUSY, CAN_MOVE, Requirement(STEP_LIMIT, _step_time, once=True), MOVE_STAMINA),
            None,
            _step_cost,
        ),
        Action(
            "rise",
            "Rise from prone",
            ("mars.action.rise", "mars.effect.prone"),
            _rise,
            (AWAKE, NOT_BUSY, Requirement("mars.action.rise", _is_prone, once=True), SWIFTLY),
            None,
            "2 s",
        ),
        Action(
            "drop_prone",
            "Drop prone",
            ("mars.action.drop_prone", "mars.effect.prone"),
            _drop_prone,
            (AWAKE, Requirement("mars.action.drop_prone", _is_upright, once=True), FREE),
            None,
            "free",
        ),
        Action(
            "seek_cover",
            "Seek cover",
            (COVER, COVER_MOVING),
            _seek_cover,
            (
                AWAKE,
                NOT_BUSY,
                Requirement(COVER, _cover, once=True),
                Requirement(COVER, _cover_time, once=True),
                Requirement(COVER, _not_covered, once=True),
            ),
            None,
            _cover_cost,
        ),
    )
