"""Movement, stances and ground."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tablewright.errors import IllegalActionError
from tablewright.game.character import belongings as goods
from tablewright.game.ground.bands import Together
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Position
from tablewright.game.play.action_kinds import Each, action, with_each
from tablewright.game.play.actions import ActionUse, each_use, needs
from tablewright.game.play.common_events import BelongingsChanged, Moved
from tablewright.game.play.movement import ask_destination
from tablewright.game.play.targeting import destinations, free_neighbours, occupied, path_toward
from tablewright.game.scene.caching import MOST_REMEMBERED, cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.marchen.actions.requirements import AS_MINOR, FIGHTING, FREE, TURN, foes_of, friends_of, minor
from tablewright.systems.marchen.character.figures import figures
from tablewright.systems.marchen.character.gear import drawn, is_wielded
from tablewright.systems.marchen.character.record import HAND, PACK
from tablewright.systems.marchen.content import find_item
from tablewright.systems.marchen.events.fight import Aimed, Reloaded, StanceChanged
from tablewright.systems.marchen.now import TOUCH, arms_of, metres_to
from tablewright.systems.marchen.status import Status, stands
from tablewright.systems.marchen.values import METRES

MOVE, MINOR_RULE, AIM = "marchen.gap.movement.metres", "marchen.gap.fight.minor_actions", "marchen.gap.fight.aim"
MOST_AIM = 6
ELSEWHERE = "elsewhere"
AWAY_FROM = METRES["reach"]
"""Metres within which a foe is near enough to step away from."""


def pace(scene: Scene, who: str) -> int:
    """Metres of one minor action of moving: half when crouched or on difficult ground."""
    metres = figures(scene[who].character, scene.options).movement
    status: Status = scene[who].status
    difficult = scene.facts.entries and scene.facts.get("terrain", who) == "difficult"
    return metres // 2 if status.stance == "crouched" or difficult else metres


@cached_on_scene
def reach_of(scene: Scene, who: str) -> int:
    """Distance from which a participant can strike."""
    return max([TOUCH + arms.reach for arms in arms_of(scene, who).values() if arms.melee], default=TOUCH)


def _budget(scene: Scene, who: str) -> int:
    return int(pace(scene, who) // getattr(scene.ground, "step", 1))


def _steps(scene: Scene, metres: int) -> int:
    return max(1, int(metres // getattr(scene.ground, "step", 1)))


@cached_on_scene
def away(scene: Scene, who: str) -> Position | None:
    """The place in one move's distance that is farthest from the nearest foe, if it is farther than here."""
    foes = [one.position for one in foes_of(scene, who) if one.position is not None]
    here = scene[who].position
    if here is None or not foes:
        return None
    taken = occupied(scene, who, stands)
    ground, budget = scene.ground, _budget(scene, who)

    def gap(at: Position) -> int:
        return min([int(ground.distance(at, foe)) for foe in foes])

    if isinstance(ground, Grid) and not ground.difficult and ground.diagonal == "one":  # the quick way
        places = [at for line in _straight_on(ground, here, budget, foes) for at in line if at not in taken]
    else:
        places = destinations(scene, who, budget, stands)
    found = max(places, key=gap, default=None)
    return found if found is not None and gap(found) > gap(here) else None


def _straight_on(ground: Grid, here: Position, budget: int, foes: list[Position]) -> Iterator[list[Position]]:
    """Places a whole move away on eight straight lines that no obstacle and no foe blocks."""
    for dx, dy in EIGHT:
        line: list[Position] = []
        at = here
        for _ in range(budget):
            step = Position(at.x + dx, at.y + dy, *at[2:])
            if ground.trouble(step) is not None or step in foes:
                break
            if ground.blocked and step not in ground.neighbours(at):
                break
            line.append(step)
            at = step
        yield line[-1:]


EIGHT = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


MOVE_AWAY = ActionUse("move", detail="away", label="Move away", cost=AS_MINOR)
MOVE_ELSEWHERE = ActionUse("move", detail=ELSEWHERE, label="Move elsewhere", cost=AS_MINOR)


def _moves(scene: Scene, who: str) -> list[ActionUse]:
    """Towards foes, towards friends who are far off, away from foes who are near, and wherever one move leads."""
    if isinstance(scene.ground, Together):
        return []
    reach, apart = reach_of(scene, who), {foe.id: metres_to(scene, who, foe.id) for foe in foes_of(scene, who)}
    towards = [foe for foe in foes_of(scene, who) if apart[foe.id] > reach]
    towards += [friend for friend in friends_of(scene, who) if metres_to(scene, who, friend.id) > METRES["reach"]]
    found = [_towards(one.id, scene.display_name(one.id)) for one in towards]
    pressed = any(metres <= AWAY_FROM for metres in apart.values())
    if pressed:
        found.append(MOVE_AWAY)
    return [*found, MOVE_ELSEWHERE]


@lru_cache(maxsize=MOST_REMEMBERED)
def _towards(who: str, name: str) -> ActionUse:
    return ActionUse("move", who, label=f"Move toward {name}", cost=AS_MINOR)


def _way_there(scene: Scene, who: str, use: ActionUse) -> str | None:
    if use.detail in ("away", ELSEWHERE) and not free_neighbours(scene, who, stands):
        return "others stand all around"
    if use.detail == "away":
        return None if away(scene, who) is not None else "no place is farther from the foes"
    if use.detail == ELSEWHERE:
        return None
    return None if _end_of(scene, who, use) is not None else f"no way leads to {scene.display_name(str(use.target))}"


def _end_of(scene: Scene, who: str, use: ActionUse) -> Position | None:
    if use.detail == "away":
        return away(scene, who)
    target = str(use.target)
    reach = _steps(scene, reach_of(scene, who) if scene[target].side != scene[who].side else TOUCH)
    path = path_toward(scene, who, target, _budget(scene, who), stands, reach=reach)
    return None if path is None or path.end == scene[who].position else path.end


_MAY_MOVE = needs(lambda scene, who: scene[who].status.stance != "prone", "lies on the ground")


async def _elsewhere(game: Game, who: str) -> Position | None:
    """Ask where to; every place is offered that one move leads to, the nearest first."""
    return await ask_destination(game, who, lambda: destinations(game.scene, who, _budget(game.scene, who), stands))


@minor("Move", MOVE, (_MAY_MOVE, each_use(_way_there)), _moves)
async def _move(game: Game, who: str, use: ActionUse) -> None:
    end = await _elsewhere(game, who) if use.detail == ELSEWHERE else _end_of(game.scene, who, use)
    if end is None:
        raise IllegalActionError("there is nowhere to go", rule=MOVE)
    game.emit(Moved(who=who, position=end, cause=MOVE))
    if game[who].status.aim:
        game.emit(Aimed(who=who, aim=0, cause=AIM))


def _arms_in(place: str, words: str) -> Each:
    def arms(scene: Scene, who: str) -> list[tuple[str, str]]:
        found = [find_item(one.item, scene.library) for one in scene[who].status.belongings if one.place == place]
        return [(one.id, one.name) for one in found if one is not None and is_wielded(one)]

    return with_each(arms, words)


def _room(scene: Scene, who: str, use: ActionUse) -> str | None:
    try:
        drawn(scene[who].status.belongings, str(use.detail), scene.library)
    except IllegalActionError as error:
        return error.message
    return None


@minor("Draw", MINOR_RULE, (each_use(_room, "marchen.gap.belongings.hands"),), _arms_in(PACK, "Draw {}"))
async def _draw(game: Game, who: str, use: ActionUse) -> None:
    now = drawn(game[who].status.belongings, str(use.detail), game.scene.library)
    game.emit(BelongingsChanged(who=who, what=f"draws {use.detail}", belongings=now, cause=MINOR_RULE))


@minor("Stow", MINOR_RULE, uses=_arms_in(HAND, "Stow {}"))
async def _stow(game: Game, who: str, use: ActionUse) -> None:
    now = goods.move(game[who].status.belongings, str(use.detail), PACK, place=HAND, rule=MINOR_RULE)
    game.emit(BelongingsChanged(who=who, what=f"stows {use.detail}", belongings=now, cause=MINOR_RULE))


def _unloaded(scene: Scene, who: str) -> list[tuple[str, str]]:
    return [(arms, arms) for arms in scene[who].status.unloaded]


@minor("Reload", MINOR_RULE, uses=with_each(_unloaded, "Load {}"))
async def _reload(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Reloaded(who=who, arms=str(use.detail), cause=MINOR_RULE))


def _stances(scene: Scene, who: str) -> list[str]:
    return [one for one in ("standing", "crouched", "prone") if one != scene[who].status.stance]


@minor("Change stance", MINOR_RULE, (FIGHTING,), with_each(_stances, "Stance: {}"))
async def _stance(game: Game, who: str, use: ActionUse) -> None:
    game.emit(StanceChanged(who=who, stance=str(use.detail), cause=MINOR_RULE))  # type: ignore[arg-type]


_CAN_AIM = needs(lambda scene, who: scene[who].status.aim < MOST_AIM, f"aim goes up to {MOST_AIM}")


@minor("Take aim", AIM, (FIGHTING, _CAN_AIM))
async def _aim(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Aimed(who=who, aim=game[who].status.aim + 1, cause=AIM))


@action("End the turn", TURN, cost=FREE)
async def _hold(game: Game, who: str, use: ActionUse) -> None:
    return None


MOVES = (_move, _draw, _stow, _reload, _stance, _aim)
HOLD = _hold
