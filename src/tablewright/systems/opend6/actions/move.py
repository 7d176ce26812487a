"""Movement, stances and ground."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from typing import Any

from tablewright.engine import choose
from tablewright.game.ground.position import Exact, Position, exact
from tablewright.game.play.action_kinds import only_if
from tablewright.game.play.actions import ActionUse, Refusal, Requirement, needs, once
from tablewright.game.play.common_events import ParticipantLeft
from tablewright.game.play.movement import ask_place, has_place
from tablewright.game.play.targeting import distance, movement_of, path_toward
from tablewright.game.rules.ledger import table
from tablewright.game.scene.caching import MOST_REMEMBERED, cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.opend6.actions.aim import MELEE
from tablewright.systems.opend6.actions.requirements import (
    FEET,
    HOLDING,
    LEGS,
    LISTED,
    UNHINDERED,
    able,
    apart,
    foes_here,
    freely,
    moving,
)
from tablewright.systems.opend6.character.figures import figures
from tablewright.systems.opend6.character.gear import arms
from tablewright.systems.opend6.events.attack import Released
from tablewright.systems.opend6.events.turn import Stood, Taken, Walked
from tablewright.systems.opend6.harm import hurt_by_roll, let_go
from tablewright.systems.opend6.now import succeeds, why_not
from tablewright.systems.opend6.status import Posture, Status, is_here, stands
from tablewright.systems.opend6.values import DieCode

MOVE, FREE, RUN = "opend6.action.move", "opend6.free.movement", "opend6.gap.movement.running"
MOST, LEAP, FLEE = "opend6.gap.movement.maximum", "opend6.gap.movement.jumping", "opend6.gap.encounter.fleeing"
STAND = "opend6.gap.manoeuvre.list"
GROUNDS: Mapping[str, int] = table("opend6.gap.movement.terrain")
SWIM, CLIMB, TIRED = "opend6.gap.movement.swimming", "opend6.gap.movement.climbing", "opend6.gap.movement.fatigue"
PER_MOVE = 5
MOST_MOVES = 4
JUMP, PER_JUMP, JUMP_METRES = 5, 10, 2
RUN_UP, MOST_RUN_UP = 5, 2
IN_WATER, PER_MISS, DROWNING = 5, 3, DieCode(1)
ON_A_WALL, PER_HALF = 5, 10
PER_TIRED_ROUND = 3
ELSEWHERE = "elsewhere"
MOST_WAYS = 4
"""Towards how many foes a way is offered; all other places are somewhere else."""


def manner(scene: Scene, who: str) -> str:
    """Manner of movement by the game master's facts: on foot, swimming or climbing."""
    word = scene.facts.get("movement", who) if scene.facts.entries else None
    return str(word) if word in ("swim", "climb") else ""


def rate(scene: Scene, who: str) -> int:
    """Metres per round without haste: half of Move in water, and on a wall without the skill."""
    found = figures(scene[who].character, scene.library)
    how = manner(scene, who)
    if how == "swim" or (how == "climb" and "climbing" not in found.trained):
        return -(-found.move // 2)
    return found.move


def tired(scene: Scene, who: str) -> int:
    """Addition to the difficulty of haste after as many rounds as Physique or stamina has dice."""
    codes = figures(scene[who].character, scene.library).codes
    limit = max(codes["physique"].dice, codes["stamina"].dice)
    status: Status = scene[who].status
    return PER_TIRED_ROUND * max(0, status.raced + 1 - limit)


def terrain(scene: Scene, who: str) -> int:
    """Addition to the difficulty of moving over the ground. [opend6.gap.movement.terrain]"""
    word = scene.facts.get("terrain", who) if scene.facts.entries else None
    return GROUNDS.get(str(word), 0)


def free_metres(scene: Scene, who: str) -> Exact:
    """Metres that a character may still go for free: half the Move on easy ground, a metre on any other.

    What an action went into may be as far as the whole Move. [opend6.action.move]
    """
    status: Status = scene[who].status
    if scene.options.always_action or status.posture == "prone":
        return 0
    whole = rate(scene, who)
    half = Fraction(whole, 2) if whole % 2 else whole // 2
    most = 1 if terrain(scene, who) else whole if status.running else half  # opend6.free.movement
    return exact(max(0, most - status.moved))


def left_of(scene: Scene, who: str, metres: Exact) -> Exact:
    """Rest of a distance after the metres covered in this round. [opend6.action.move]"""
    status: Status = scene[who].status
    return exact(max(0, metres - status.moved))


def _reach(scene: Scene, who: str) -> int:
    """Distance from which a participant can attack with the weapon at hand."""
    best = MELEE
    for arm in arms(scene, who):
        if arm.weapon.ranges is None:
            best = max(best, MELEE + arm.weapon.reach)
        else:
            best = max(best, arm.weapon.ranges.short if not arm.weapon.ranges.physique else MELEE)
        break
    return best


def _ways(
    action: str, title: str, how: str = "", most: int = MOST_WAYS, cost: str = "1 action"
) -> Callable[[Scene, str], list[ActionUse]]:
    """Ways to go: towards the nearest foes who are out of reach, or somewhere else, which is asked for then."""
    elsewhere = ActionUse(action, detail=ELSEWHERE, label=f"{title} somewhere else", cost=cost)

    def uses(scene: Scene, who: str) -> list[ActionUse]:
        if not has_place(scene, who) or (how and manner(scene, who) != how):
            return []
        return [*[_towards(action, title, cost, *foe) for foe in _out_of_reach(scene, who)[:most]], elsewhere]

    return uses


@lru_cache(maxsize=MOST_REMEMBERED)
def _towards(action: str, title: str, cost: str, foe: str, name: str, metres: int) -> ActionUse:
    return ActionUse(action, foe, label=f"{title} toward {name}, {metres} m away", cost=cost)


@cached_on_scene
def _out_of_reach(scene: Scene, who: str) -> list[tuple[str, str, int]]:
    """The foes who are out of reach, nearest first: who they are, their names, and how far away they are."""
    near = _reach(scene, who)
    away = [(foe.id, scene.display_name(foe.id), metres) for foe, metres in apart(scene, who) if metres > near]
    return sorted(away, key=itemgetter(2))


_FREE_LEFT = needs(lambda scene, who: free_metres(scene, who) > 0, "no free movement is left")


async def _where(game: Game, who: str, use: ActionUse, budget: Exact) -> tuple[Position, Exact] | None:
    """Last position of a path within a limit in metres, and its length."""
    scene = game.scene
    here = scene[who].position
    if here is None or not is_here(scene, who):
        return None
    if use.target is not None:
        path = path_toward(scene, who, use.target, budget, stands, reach=_reach(scene, who))
        if path is None or path.end == here:
            return None
        return path.end, path.cost
    places = scene.ground.reachable(here, budget, movement_of(scene, who, stands))
    elsewhere = [at for at in places if at != here][:900]
    if not elsewhere:
        return None
    at = await ask_place(game, who, elsewhere, {"who": who})
    return at, places[at]


def _walk(game: Game, who: str, found: tuple[Position, Exact] | None, cause: str, **more: Any) -> None:
    """A character is where a way has led, or has found none and stays; who has left meanwhile goes nowhere.

    The one who goes away from those they have hold of lets go of them. [opend6.action.grab]
    """
    if not is_here(game.scene, who):
        return
    here = game[who].position
    stays = found is None or game[who].status.grip is not None or found[0] == here
    at, metres = (here, 0) if stays or found is None else found
    game.emit(Walked(who=who, position=at, still=stays, cause=cause, **{"metres": metres, **more}))
    for one in game.scene.participants:
        grip = one.status.grip
        if grip is not None and grip.by == who and not grip.fast and distance(game.scene, who, one.id) > MELEE:
            game.emit(Released(who=one.id, by=who, cause=HOLDING))


UPRIGHT = needs(lambda scene, who: scene[who].status.posture != "prone", "lying on the ground", STAND)


@freely("Step", FREE, (UNHINDERED, FEET, UPRIGHT, _FREE_LEFT), _ways("step", "Step", cost="free"))
async def _step(game: Game, who: str, use: ActionUse) -> None:
    found = await _where(game, who, use, free_metres(game.scene, who))
    metres = free_metres(game.scene, who) if found is None else found[1]
    _walk(game, who, found, FREE, metres=metres)


def _times(scene: Scene, least: int = 2) -> range:
    return range(least, MOST_MOVES + 1 if scene.options.movement_maximum else 11)


def _postures(scene: Scene, who: str) -> Iterator[ActionUse]:
    posture = scene[who].status.posture
    if posture == "standing":
        yield ActionUse("posture", detail="crouched", label="Crouch")
        yield ActionUse("posture", detail="prone", label="Drop to the ground")
    elif posture == "crouched":
        yield ActionUse("posture", detail="standing", label="Rise")


_NOT_YET = needs(lambda scene, who: "posture" not in scene[who].status.freely, "once a round", "opend6.free.definition")


@freely("Crouch or lie down", "opend6.gap.attack.circumstances", (UNHINDERED, LEGS, _NOT_YET), _postures)
async def _posture(game: Game, who: str, use: ActionUse) -> None:
    words: dict[str | None, Posture] = {"prone": "prone", "crouched": "crouched"}
    game.emit(Stood(who=who, posture=words.get(use.detail, "standing"), cause="opend6.gap.attack.circumstances"))


_LYING = needs(lambda scene, who: scene[who].status.posture == "prone", "on their feet already")


@able("Stand up", STAND, (UNHINDERED, LEGS, _LYING))
async def _stand_up(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Stood(who=who, posture="standing", actions=1, cause=STAND))


def _can(skill: str) -> Requirement:
    def can(scene: Scene, who: str, use: ActionUse) -> Refusal | None:
        found = why_not(scene, who, skill)
        return None if found is None else Refusal(found.reason, found.rule)

    return once(can, "opend6.map.zero_rule")


def _on_foot(scene: Scene, who: str, use: ActionUse) -> Refusal | None:
    how = manner(scene, who)
    if not how:
        return None
    return Refusal("in the water one swims", SWIM) if how == "swim" else Refusal("here one has to climb", CLIMB)


ON_FOOT = once(_on_foot, SWIM)
RUNNING = _can("running")
ONCE = needs(
    lambda scene, who: not scene[who].status.running,
    "one movement action of a kind in a round",
    "opend6.gap.movement.free",
)


@moving("Move", (MOVE, LISTED), (UPRIGHT, ON_FOOT, ONCE), _ways("move", "Move"))
async def _move(game: Game, who: str, use: ActionUse) -> None:
    """A move as an action: as far as Move, over difficult ground with a running roll."""
    harder = terrain(game.scene, who)
    budget: Exact = rate(game.scene, who)
    if harder:
        over = await succeeds(game, who, "running", harder)
        budget = budget if over else exact(Fraction(budget, 2))
    found = await _where(game, who, use, left_of(game.scene, who, budget))
    _walk(game, who, found, MOVE, actions=1, running=True)


@moving("Run", (RUN, MOST, TIRED), (UPRIGHT, ON_FOOT, ONCE, RUNNING), _ways("run", "Run", most=1))
async def _run(game: Game, who: str, use: ActionUse) -> None:
    """Run further than Move: 5 more for each Move beyond the first; a failure covers Move only."""
    times = await choose(game.seat(who), "how many times your Move?", _times(game.scene), details={"who": who})
    difficulty = max(1, PER_MOVE * (times - 1) + terrain(game.scene, who) + tired(game.scene, who))
    far = await succeeds(game, who, "running", difficulty)
    budget = rate(game.scene, who) * (times if far else 1)
    found = await _where(game, who, use, left_of(game.scene, who, budget))
    run_up = min(MOST_RUN_UP, game[who].status.run_up + 1) if far else 0
    _walk(game, who, found, RUN, actions=1, running=True, fast=True, run_up=run_up)


@moving("Swim", (SWIM, TIRED), (ONCE, _can("swimming")), _ways("swim", "Swim", "swim"))
async def _swim(game: Game, who: str, use: ActionUse) -> None:
    """Swim once or several times the swimming Move; a failure hurts, and makes it harder from then on."""
    times = await choose(game.seat(who), "how many times your Move?", _times(game.scene, 1), details={"who": who})
    scene = game.scene
    missed = scene[who].status.missed
    hasty = tired(scene, who) if times > 1 else 0
    difficulty = IN_WATER + PER_MOVE * (times - 1) + PER_MISS * missed + terrain(scene, who) + hasty
    if await succeeds(game, who, "swimming", difficulty):
        found = await _where(game, who, use, left_of(game.scene, who, rate(game.scene, who) * times))
        _walk(game, who, found, SWIM, actions=1, running=True, fast=times > 1)
        return
    _walk(game, who, None, SWIM, actions=1, running=True, missed=missed + 1)
    await hurt_by_roll(game, who, DROWNING, "water", who, cause=SWIM)


@moving("Climb", (CLIMB, TIRED), (ONCE, _can("climbing")), _ways("climb", "Climb", "climb"))
async def _climb(game: Game, who: str, use: ActionUse) -> None:
    """Climb the climbing Move, or further by halves of it at +10 to the difficulty each."""
    scene = game.scene
    base = rate(scene, who)
    most = 2 * (MOST_MOVES - 1) if scene.options.movement_maximum else 18
    halves = await choose(
        game.seat(who), "how many halves of your Move further?", range(most + 1), details={"who": who}
    )
    hasty = tired(game.scene, who) if halves else 0
    difficulty = ON_A_WALL + PER_HALF * halves + terrain(game.scene, who) + hasty
    found = None
    if await succeeds(game, who, "climbing", difficulty):
        found = await _where(game, who, use, left_of(game.scene, who, base + halves * -(-base // 2)))
    _walk(game, who, found, CLIMB, actions=1, running=True, fast=halves > 0)


ONE_LEAP = needs(
    lambda scene, who: not scene[who].status.leapt,
    "one movement action of a kind in a round",
    "opend6.gap.movement.free",
)


@moving(
    "Leap",
    (LEAP, LISTED),
    (UPRIGHT, ON_FOOT, ONE_LEAP),
    only_if(has_place, "Leap"),
)
async def _leap(game: Game, who: str, use: ActionUse) -> None:
    """Jump a quarter of Move, or further for 10 more a stretch of two metres; a running start helps."""
    base = -(-rate(game.scene, who) // 4)
    more = await choose(game.seat(who), "how many metres further?", (0, 2, 4, 6), details={"who": who})
    run_up = RUN_UP * game[who].status.run_up
    difficulty = max(1, JUMP + PER_JUMP * (more // JUMP_METRES) - run_up)
    over = await succeeds(game, who, "jumping", difficulty)
    found = await _where(game, who, ActionUse("leap", detail=ELSEWHERE), base + more) if over else None
    _walk(game, who, found, LEAP, actions=1, leap=True, metres=0)


@moving("Run away", (LISTED, FLEE), (UPRIGHT, RUNNING))
async def _run_away(game: Game, who: str, use: ActionUse) -> None:
    """Flee the scene: past foes within reach it takes a running roll against the best of them."""
    codes = [
        figures(foe.character, game.scene.library).codes["running"].derived_difficulty
        for foe in foes_here(game.scene, who)
        if distance(game.scene, who, foe.id) <= MELEE
    ]
    away = not codes or await succeeds(game, who, "running", max(codes), offered=True)  # opend6.special.derived
    if not is_here(game.scene, who):
        return
    if not away or game[who].status.grip is not None:
        game.emit(Taken(who=who, on="does not get away", cause=FLEE))
        return
    let_go(game, who, FLEE)
    game.emit(ParticipantLeft(who=who, how="runs away", cause=FLEE))


MOVES = (_step, _move, _run, _swim, _climb, _leap, _run_away, _posture, _stand_up)
