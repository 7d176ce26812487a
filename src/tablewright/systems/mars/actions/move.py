"""Movement, stances and ground."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Literal, NamedTuple

from tablewright.game.ground.bands import Together
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Path, Position, Walk
from tablewright.game.play.actions import Actions, ActionUse, Refusal, Requirement, each_use, needs, once
from tablewright.game.play.common_events import Moved
from tablewright.game.play.movement import ask_destination, has_place
from tablewright.game.play.targeting import free_neighbours, movement_of, occupied, path_toward, within_reach
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.mars.actions.aim import is_out_of_sight
from tablewright.systems.mars.actions.attack import beside_an_obstacle
from tablewright.systems.mars.actions.defences import Lookahead, offer_reaction
from tablewright.systems.mars.actions.requirements import (
    EXTENDED,
    SWIFTLY,
    awake,
    cost_words,
    free,
    swift,
    time_spent,
    unhurried,
    why_no_time,
    why_too_busy,
)
from tablewright.systems.mars.actions.turn import chances, set_off, set_off_by_word, waiting_for
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.events.effects import MarsEffectEnded, MarsEffectGained
from tablewright.systems.mars.events.turn import Acted, Walked
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Status, stands, until_own_turn

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
    """True if the ground is difficult: for the blind everywhere, else where the map or the game master says so.

    mars.move.difficult_terrain, mars.effect.blind
    """
    if scene[who].status.has("blind") or scene.facts.get("terrain", who) == "difficult":
        return True
    if at is None or not isinstance(scene.ground, Grid):
        return False
    return any(place == at for place, _ in scene.ground.difficult)


def budget(scene: Scene, who: str) -> int:
    """Metres of open ground in a Move: half where everything is difficult, but at least one."""
    speed = speed_of(scene, who)
    return min(speed, max(1, speed // DIFFICULT)) if is_difficult(scene, who) else speed


def reach_of(scene: Scene, who: str) -> int:
    """Reach of the longest melee weapon in hand."""
    return now(scene, who).reach


def approach(scene: Scene, who: str, foe: str) -> Path | None:
    """The way towards a participant, as far as one Move goes; None where none leads there."""
    metres, reach = budget(scene, who), reach_of(scene, who)
    if not is_difficult(scene, who):
        return path_toward(scene, who, foe, metres, stands, reach=reach)
    here, there = scene[who].position, scene[foe].position
    if here is None or there is None or isinstance(scene.ground, Together):
        return None
    return scene.ground.approach(here, there, metres, walking(scene, who), reach=reach)


def walking(scene: Scene, who: str) -> Walk:
    """Way of walking; where everything is difficult, difficult squares cost no more than others."""
    walk = movement_of(scene, who, stands)
    return walk._replace(difficult=False) if is_difficult(scene, who) else walk


def destinations(scene: Scene, who: str) -> list[Position]:
    """Everywhere that one Move leads to, nearest first, without where one stands."""
    metres, here = budget(scene, who), scene[who].position
    if here is None or isinstance(scene.ground, Together):
        return []
    found = [at for at in scene.ground.reachable(here, metres, walking(scene, who)) if at != here]
    if metres == 1:  # a Move always covers 1 m, also over difficult ground
        found += [at for at in free_neighbours(scene, who, stands) if at not in found]
    return found


# ---------------------------------------------------------------------- requirements and costs


def _can_move(scene: Scene, who: str, use: ActionUse) -> str | None:
    if not has_place(scene, who):
        return "there is nowhere to go"
    if scene[who].status.turn.stopped:
        return "stopped for this turn"
    return None if speed_of(scene, who) > 0 else "cannot move at all"


def move_stamina(scene: Scene, who: str) -> int:
    """Stamina cost of a Move: none the first time in a turn, then 1 each."""
    turn = scene[who].status.turn
    return 0 if turn.moves == 0 or (turn.reacting and scene.turn != who) else 1


def _has_stamina(scene: Scene, who: str, use: ActionUse) -> str | None:
    needed = move_stamina(scene, who)
    left = scene[who].status.stamina
    return None if left >= needed else "a second Move costs 1 stamina, none is left"


def _somewhere_else(scene: Scene, who: str, use: ActionUse) -> str | None:
    if use.target is None:
        return None
    if within_reach(scene, who, use.target, reach_of(scene, who)):
        return "already there"
    path = approach(scene, who, use.target)
    if path is None:
        return "no way leads there"
    return None if len(path.steps) > 1 else "others stand in the way"


CAN_MOVE = Requirement(SPEED, _can_move, always=True)
MOVE_STAMINA = Requirement(MOVE, _has_stamina, always=True)


def step_speed(scene: Scene, who: str, there: Position | None = None) -> str:
    """True if a step of a metre to a place is free: not for who is too slow for the ground there."""
    speed = speed_of(scene, who)
    return "swift" if speed <= 1 or (speed == DIFFICULT and is_difficult(scene, who, there)) else "free"


def steps_aside(scene: Scene, who: str) -> list[Position]:
    """Squares that a step of a metre may reach now; a free step goes on beside an extended action."""
    free = free_neighbours(scene, who, stands)
    return [at for at in free if _why_no_step(scene, who, step_speed(scene, who, at)) is None]


def _why_no_step(scene: Scene, who: str, speed: str) -> Refusal | None:
    busy, late = why_too_busy(scene, who, speed), why_no_time(scene, who, speed)
    if busy is not None:
        return Refusal(busy, EXTENDED)
    return None if late is None else Refusal(late, STEP_LIMIT)


def _step_time(scene: Scene, who: str, use: ActionUse) -> Refusal | None:
    speeds = dict.fromkeys([step_speed(scene, who, at) for at in free_neighbours(scene, who, stands) or (None,)])
    reasons = [_why_no_step(scene, who, speed) for speed in speeds]
    return None if None in reasons else reasons[0]


_PLAIN = ActionUse("move")


def _move_uses(scene: Scene, who: str) -> Iterator[ActionUse]:
    if not has_place(scene, who):
        yield ActionUse("move", label="Move")
        return
    if why_no_time(scene, who, "swift") is None and _has_stamina(scene, who, _PLAIN) is None:
        side = scene[who].side
        for one in scene.participants:
            if one.side != side and stands(one) and not one.hidden and one.position is not None:
                yield ActionUse("move", one.id, label=f"Move toward {scene.display_name(one.id)}")
    yield ActionUse("move", label="Move elsewhere")


def _way_cost(scene: Scene, who: str, steps: Sequence[Position]) -> str:
    """Cost of a way in metres."""
    seconds = time_spent(scene[who].status, way_speed(scene, who, steps))["seconds"]
    return cost_words(seconds, move_stamina(scene, who), free=not seconds)


def way_speed(scene: Scene, who: str, steps: Sequence[Position]) -> str:
    """Speed of a way as an action: a single metre is a step."""
    return step_speed(scene, who, steps[-1]) if len(steps) == 2 else "swift"


def _move_cost(scene: Scene, who: str, use: ActionUse) -> str:
    path = approach(scene, who, use.target) if use.target is not None else None
    return _way_cost(scene, who, path.steps if path is not None else ())


def _step_cost(scene: Scene, who: str, use: ActionUse) -> str:
    here = scene[who].position
    costs = [_way_cost(scene, who, (here, at)) for at in steps_aside(scene, who)] if here is not None else []
    return min(costs, key=lambda words: not words.startswith("free"), default="free")


# ---------------------------------------------------------------------- moving


@unhurried(
    "Move", (MOVE, TERRAIN, SPEED), (CAN_MOVE, SWIFTLY, MOVE_STAMINA, each_use(_somewhere_else)), _move_uses, _move_cost
)
async def _move(game: Game, who: str, use: ActionUse) -> None:
    scene = game.scene
    if use.target is not None:
        path = approach(scene, who, use.target)
        assert path is not None
        await walk(game, who, path.steps)
        return
    there = await ask_destination(game, who, lambda: destinations(scene, who))
    if there is not None:
        await walk(game, who, _way(game.scene, who, there))


@awake("Step 1 m", (MOVE, STEP_LIMIT), (CAN_MOVE, once(_step_time, STEP_LIMIT), MOVE_STAMINA), cost_text=_step_cost)
async def _step(game: Game, who: str, use: ActionUse) -> None:
    scene = game.scene
    here = scene[who].position
    assert here is not None
    there = await ask_destination(
        game,
        who,
        lambda: steps_aside(scene, who),
        question="step where?",
        cost=lambda at: _way_cost(scene, who, (here, at)),
    )
    if there is not None:
        await walk(game, who, (here, there))


def _way(scene: Scene, who: str, there: Position) -> tuple[Position, ...]:
    here = scene[who].position
    path = scene.ground.path(here, there, walking(scene, who))
    return path.steps if path is not None else (here, there)


class Halt(NamedTuple):
    """Places on a way where others may react, with the trigger and the participant."""

    at: int
    trigger: Literal["opportunity", "moves", "enters_reach"]
    who: str


async def walk(game: Game, who: str, steps: Sequence[Position]) -> None:
    """Go along a way; enemies on the way and readied actions may interrupt."""
    await set_off_by_word(game, who)
    if not stands(game[who]) or game[who].position != steps[0]:
        return
    status: Status = game[who].status
    cost: dict[str, Any] = {
        **time_spent(status, way_speed(game.scene, who, steps)),
        "stamina": move_stamina(game.scene, who),
    }
    halts = _halts(game.rulebook.actions, game.scene, who, steps)
    has_left = False

    def go_to(at: int) -> bool:
        nonlocal has_left
        if has_left:
            return _goes_to(game, who, steps[at])
        has_left = True
        game.emit(Walked(who=who, position=steps[at], metres=len(steps) - 1, sets_out=not at, cause=MOVE, **cost))
        return True

    end = len(steps) - 1
    for at, trigger, other in halts:
        if at > end:
            break
        ahead = Lookahead(who, steps[at], partial(go_to, at)) if game[other].hidden else None
        if ahead is None and not go_to(at):
            return
        if trigger == "opportunity":
            await offer_reaction(game, _only(other), trigger, about={"mover": who}, ahead=ahead)
        else:
            await set_off(game, trigger, who, (other,), ahead=ahead)
        if game[who].status.turn.stopped or not stands(game[who]):
            return
        if has_left:
            end = max(at, min(end, _carried(game.scene, who, steps)))
    go_to(end)


def _goes_to(game: Game, who: str, there: Position) -> bool:
    """Go on to a place, unless it is taken by now or the participant was moved on the way."""
    if game[who].position == there:
        return True
    if there in _seen_to_be_taken(game.scene, who):
        return False
    game.emit(Moved(who=who, position=there, cause=MOVE))
    return True


def _carried(scene: Scene, who: str, steps: Sequence[Position]) -> int:
    """Part of a way that the present speed covers; who has fallen on the way crawls on."""
    left, at = Fraction(speed_of(scene, who)), 0
    taken, rough = _seen_to_be_taken(scene, who), is_difficult(scene, who)
    factors = dict(scene.ground.difficult) if isinstance(scene.ground, Grid) else {}
    for number, step in enumerate(steps[1:], 1):
        left -= DIFFICULT if rough else factors.get(step, 1)
        if left < 0 and number > 1:  # a Move always covers 1 m
            break
        at = number if step not in taken else at
    return at if speed_of(scene, who) else 0


def _seen_to_be_taken(scene: Scene, who: str) -> frozenset[Position]:
    """Places where others stand for all to see; if a hidden comrade kept one free of halts, foes could tell."""
    return occupied(scene, who, lambda one: stands(one) and not one.hidden)


def _only(who: str) -> Callable[[Scene], tuple[str, ...]]:
    return lambda scene: (who,)


def _halts(actions: Actions, scene: Scene, who: str, steps: Sequence[Position]) -> list[Halt]:
    """Every halt on a way, in its order; no one is halted in a place where others stand."""
    if isinstance(scene.ground, Together):
        return []
    taken = _seen_to_be_taken(scene, who)
    places = [at for at, step in enumerate(steps) if at == 0 or step not in taken]
    found = [halt for halt in _opportunities(scene, who, steps) if halt.at in places]
    for other in waiting_for(scene, "moves", who):
        at = _first_chance(actions, scene, who, steps, places, other)
        found += [] if at is None else [Halt(at, "moves", other)]
    for other in waiting_for(scene, "enters_reach", who):
        near_at = _in_reach(scene, other, steps)
        entered = [at for at in places if near_at[at] and not all(near_at[:at])]
        found += [Halt(at, "enters_reach", other) for at in entered[:1]]
    return sorted(found, key=lambda halt: halt.at)


def _in_reach(scene: Scene, other: str, steps: Sequence[Position]) -> list[bool]:
    """Places of a way within a participant's reach."""
    here, reach = scene[other].position, reach_of(scene, other)
    return [here is not None and scene.ground.within(here, step, reach) for step in steps]


def _opportunities(scene: Scene, who: str, steps: Sequence[Position]) -> Iterator[Halt]:
    """Places on a way that lie more than 1 m inside an enemy's reach, with the enemy."""
    if len(steps) < 3:
        return
    side = scene[who].side
    for one in scene.participants:
        if one.side == side or one.position is None or not stands(one) or not one.status.turn.reaction:
            continue
        if is_out_of_sight(scene, who, one.id):
            continue
        near_at, metres = _in_reach(scene, one.id, steps), 0
        for at in range(1, len(steps)):
            metres += near_at[at - 1]
            if metres > 1:
                yield Halt(at if near_at[at] else at - 1, "opportunity", one.id)
                break


def _first_chance(
    actions: Actions, scene: Scene, who: str, steps: Sequence[Position], places: Sequence[int], other: str
) -> int | None:
    """First place on a way where a readied action is possible."""
    anything: int | None = None
    for at in places:
        there = scene.with_participant(evolve(scene[who], position=steps[at]))
        able = chances(actions, there, other, who)
        if able and able[0].target == who:
            return at
        anything = at if able and anything is None else anything
    return anything


# ---------------------------------------------------------------------- prone and cover


_IS_UPRIGHT = needs(lambda scene, who: not scene[who].status.has("prone"), "prone already")


@free("Drop prone", ("mars.action.drop_prone", "mars.effect.prone"), (_IS_UPRIGHT,))
async def _drop_prone(game: Game, who: str, use: ActionUse) -> None:
    cost = time_spent(game[who].status, "free")
    game.emit(Acted(who=who, action="drop_prone", cause="mars.action.drop_prone", **cost))
    game.emit(MarsEffectGained(who=who, effect=MarsEffect("prone"), cause="mars.action.drop_prone"))


_IS_PRONE = needs(lambda scene, who: scene[who].status.has("prone"), "not prone")


@swift("Rise from prone", ("mars.action.rise", "mars.effect.prone"), (_IS_PRONE,))
async def _rise(game: Game, who: str, use: ActionUse) -> None:
    cost = time_spent(game[who].status, "swift")
    game.emit(Acted(who=who, action="rise", cause="mars.action.rise", **cost))
    game.emit(MarsEffectEnded(who=who, effect="prone", cause="mars.action.rise"))


def _cover_speed(scene: Scene, who: str) -> str:
    return "free" if scene[who].status.turn.moves > 1 else "swift"


def _cover(scene: Scene, who: str, use: ActionUse) -> str | None:
    if scene[who].status.turn.moves > 1 or beside_an_obstacle(scene, who):
        return None
    return "nothing to hide behind, and not moved more than once"


def _cover_time(scene: Scene, who: str, use: ActionUse) -> str | None:
    return why_no_time(scene, who, _cover_speed(scene, who))


def _cover_busy(scene: Scene, who: str, use: ActionUse) -> str | None:
    return why_too_busy(scene, who, _cover_speed(scene, who))


_NOT_COVERED = needs(lambda scene, who: not scene[who].status.has("cover"), "in cover already")


def _cover_cost(scene: Scene, who: str, use: ActionUse) -> str:
    seconds = time_spent(scene[who].status, _cover_speed(scene, who))["seconds"]
    return cost_words(seconds, free=not seconds)


@awake(
    "Seek cover",
    (COVER, COVER_MOVING),
    (once(_cover_busy, EXTENDED), once(_cover), once(_cover_time), _NOT_COVERED),
    cost_text=_cover_cost,
)
async def _seek_cover(game: Game, who: str, use: ActionUse) -> None:
    moving = game[who].status.turn.moves > 1
    rule = COVER_MOVING if moving else COVER
    cost = time_spent(game[who].status, _cover_speed(game.scene, who))
    game.emit(Acted(who=who, action="seek_cover", cause=rule, **cost))
    effect = until_own_turn(game.scene, who, MarsEffect("cover"))
    game.emit(MarsEffectGained(who=who, effect=effect, cause=rule))


MOVES = (_move, _step, _rise, _drop_prone, _seek_cover)
