"""Moving: from cube to cube or within one, stances, tumbling, getting away; preparing to interrupt, and waiting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from tablewright.engine import choose
from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.common import Left, Moved
from tablewright.game.ground import Grid, Ground, Position, Together
from tablewright.game.lasting import Lasting, TookHold
from tablewright.game.prices import Price
from tablewright.game.remembering import of_scene
from tablewright.game.scene import Live, Scene
from tablewright.systems.stage.actions.assisting import assisted
from tablewright.systems.stage.actions.checking import plainly, result_of, with_powers
from tablewright.systems.stage.actions.common import ABLE, end_of_next_turn
from tablewright.systems.stage.actions.ground import HASTE
from tablewright.systems.stage.actions.sneaking import stays_hidden
from tablewright.systems.stage.character.figures import ignored
from tablewright.systems.stage.content import Vehicle
from tablewright.systems.stage.events.fighting import Begun
from tablewright.systems.stage.events.moving import CameBeside, StanceChanged
from tablewright.systems.stage.harm import PURSES, ap_of, lost, most
from tablewright.systems.stage.now import distance
from tablewright.systems.stage.status import Stance, Status, adjacent, carrier, stands

FAR_AWAY = 5  # stage.gap.encounter.end
SLOW_MODES = {"climbing": "athletics.climb", "swimming": "athletics.swim", "balancing": "agility.balance"}
GRAVITY = {"very_high": 3, "high": 2}  # stage.environment.gravity


def _held(scene: Scene, who: str, use: Use) -> str | None:
    return "held in place" if scene[who].status.held("held") is not None else None


def _carried(scene: Scene, who: str, use: Use) -> str | None:
    mount = carrier(scene, who)
    return f"on {scene.called(mount)}, which goes where it is ridden" if mount else None


FREE = Requirement("stage.brawl.grapple", _held, once=True)
AFOOT = Requirement("stage.mount.control", _carried, once=True)


# ---------------------------------------------------------------------- what moving costs


def move_ap(scene: Scene, who: str, mode: str = "", *, slow: bool = False, hasty: bool = False) -> int:
    """AP for one move: doubled by stance, by a slow mode or difficult ground, once; gravity and darkness multiply.

    Powers lift the doubling of a mode (stage.power_effect.normal_move_cost), and so does haste.
    """
    status: Status = scene[who].status
    if not slow and not mode and status.stance == "standing" and not scene.facts.entries:
        return 1
    doubled = slow or status.stance != "standing"
    for fact, key in SLOW_MODES.items() if scene.facts.entries and not hasty else ():
        if scene.facts.get(fact, who) and ignored(f"move_cost.{key}", *_character(scene, who)) is not None:
            doubled = True
    if mode and ignored(f"move_cost.{mode}", *_character(scene, who)) is not None:
        doubled = True
    cost = 2 if doubled else 1  # stage.movement.impediments
    cost *= GRAVITY.get(str(scene.facts.get("gravity", who)), 1)
    return cost * (2 if scene.facts.get("darkness", who) else 1)


def _character(scene: Scene, who: str) -> tuple[Any, Any, Any]:
    return scene[who].character, scene.options, scene.library


def _slow(scene: Scene, who: str, use: Use) -> bool:
    """Whether the way leads over difficult ground: there is no other of the same speed."""
    ground, here = scene.ground, scene[who].position
    if not isinstance(ground, Grid) or not ground.difficult or here is None:
        return False
    there = here
    if use.target is not None:
        there = scene[use.target].position or here
    elif use.detail not in (None, "", "away"):
        there = ground.parse(str(use.detail))
    if there == here:
        return here in dict(ground.difficult)
    return there not in _easily(ground, here, most(scene, who).speed)


@lru_cache(maxsize=4_096)
def _easily(ground: Grid, here: Position, cubes: int) -> frozenset[Position]:
    """Where somebody can go for so many cubes without setting foot on difficult ground."""
    walls = {*ground.blocked, *[at for at, _ in ground.difficult]} - {here}
    return frozenset(replace(ground, difficult=(), blocked=tuple(sorted(walls))).reachable(here, cubes))


def _sneaking(scene: Scene, who: str) -> str:
    """The mode in which somebody moves who is hidden (stage.guile.sneak)."""
    return "guile.sneak" if scene[who].hidden else ""


def _move_price(scene: Scene, who: str, use: Use) -> Price:
    return PRICES[move_ap(scene, who, _sneaking(scene, who), slow=_slow(scene, who, use))]


def _move_words(scene: Scene, who: str, use: Use) -> str:
    return _words(move_ap(scene, who, _sneaking(scene, who), slow=_slow(scene, who, use)))


PRICES = [Price.of(ap=ap) for ap in range(30)]


@lru_cache(maxsize=32)
def _words(ap: int) -> str:
    return f"{ap} AP"


def _moves(scene: Scene, who: str) -> Iterator[Use]:
    """To everybody within reach of a move, and to the cubes around; within the own cube away from others."""
    here = scene[who].position
    if here is None or isinstance(scene.ground, Together):
        return
    least, speed = cubes_of(scene, who)
    for one in scene.participants:
        if one.id == who or not stands(one) or (one.hidden and one.side != scene[who].side) or one.position is None:
            continue
        if adjacent(scene, who, one.id) or not scene.ground.within(here, one.position, speed):
            continue
        if not least or distance(scene, who, one.id) >= least:
            yield Use("move", one.id, label=f"Move next to {scene.called(one.id)}")
    if scene[who].status.beside and not least:
        yield Use("move", detail="away", label="Step away within the cube")
    for at, name in around(scene.ground, here, speed):
        if not least or scene.ground.distance(here, at) >= least:
            yield Use("move", detail=name, label=f"Move to {name}")


def cubes_of(scene: Scene, who: str) -> tuple[int, int]:
    """The fewest and the most cubes of a move: up to the speed score; a craft changes its pace by its acceleration.

    (stage.movement.cubes, stage.mount.properties)
    """
    speed, status = most(scene, who).speed, scene[who].status
    if status.integrity is None:
        return 0, speed
    faster = scene.library.get(Vehicle, scene[who].character.vehicle).acceleration
    return (0, speed) if faster is None else (max(0, status.pace - faster), min(speed, status.pace + faster))


@lru_cache(maxsize=4_096)
def around(ground: Ground, here: Position, cubes: int) -> tuple[tuple[Position, str], ...]:
    """Where somebody can go for so many cubes, with how it is written; difficult ground costs AP, not cubes."""
    if isinstance(ground, Grid) and ground.difficult:
        ground = replace(ground, difficult=())
    return tuple([(at, str(at)) for at in ground.reachable(here, cubes) if at != here])


async def _move(game: Live, who: str, use: Use) -> None:
    rule = "stage.movement.cubes"
    if use.target is not None:
        there = game[use.target].position
        if there is not None and there != game[who].position:
            game.emit(Moved(who=who, position=there, cause=rule))
        game.emit(CameBeside(who=who, others=(use.target,), cause=rule))
    elif use.detail == "away":
        game.emit(CameBeside(who=who, others=(), cause=rule))
    else:
        game.emit(Moved(who=who, position=game.scene.ground.parse(str(use.detail)), cause=rule))
    if game[who].hidden:
        await stays_hidden(game, who)


def _hurries(scene: Scene, who: str) -> Iterator[Use]:
    """Moves where one climbs, swims or balances, for the usual AP but with a die less on the check."""
    if scene.facts.entries and move_ap(scene, who) > move_ap(scene, who, hasty=True):
        for use in _moves(scene, who):
            yield Use("hurry", use.target, use.detail, label=f"In haste: {use.label[:1].lower()}{use.label[1:]}")


def _hurry_price(scene: Scene, who: str, use: Use) -> Price:
    return PRICES[move_ap(scene, who, _sneaking(scene, who), slow=_slow(scene, who, use), hasty=True)]


def _hurry_words(scene: Scene, who: str, use: Use) -> str:
    return _words(move_ap(scene, who, _sneaking(scene, who), slow=_slow(scene, who, use), hasty=True))


# ---------------------------------------------------------------------- stances


STANCES: dict[str, Stance] = {"crouch": "crouching", "lie_down": "prone", "get_up": "standing"}


def _other_stance(scene: Scene, who: str, use: Use) -> str | None:
    stance = STANCES[use.action]
    return f"is {stance} already" if scene[who].status.stance == stance else None


async def _change_stance(game: Live, who: str, use: Use) -> None:
    game.emit(StanceChanged(who=who, stance=STANCES[use.action], cause="stage.terrain.stance"))


# ---------------------------------------------------------------------- tumbling


def _tumbles(scene: Scene, who: str) -> Iterator[Use]:
    here = scene[who].position
    if here is None or isinstance(scene.ground, Together):
        yield Use("tumble", label="Tumble")
        return
    yield Use("tumble", detail="away", label="Tumble within the cube")
    for _, name in around(scene.ground, here, most(scene, who).speed):
        yield Use("tumble", detail=name, label=f"Tumble to {name}")


def _tumble_price(scene: Scene, who: str, use: Use) -> Price:
    """At least 2 AP, and what moving so costs (stage.agility.tumble)."""
    return _tumbling(scene, who, _slow(scene, who, use))


@of_scene
def _tumbling(scene: Scene, who: str, slow: bool) -> Price:
    return Price.of(ap=max(2, move_ap(scene, who, "agility.tumble", slow=slow)), stamina=1)


def _tumble_words(scene: Scene, who: str, use: Use) -> str:
    return _tumbling_words(scene, who, _slow(scene, who, use))


@of_scene
def _tumbling_words(scene: Scene, who: str, slow: bool) -> str:
    return PURSES.words_for(scene, who, _tumbling(scene, who, slow))


def _two_ap(scene: Scene, who: str, use: Use) -> str | None:
    begun = scene[who].status.progress
    if begun is not None and begun.use.startswith("tumble"):
        return None
    return None if ap_of(scene, who) >= LEAST_TUMBLE else f"costs {LEAST_TUMBLE} AP, {ap_of(scene, who)} left"


LEAST_TUMBLE = 2


async def _tumble(game: Live, who: str, use: Use) -> None:
    """The result is the Difficulty to hit the tumbler until the end of the next turn."""
    rule, key = "stage.agility.tumble", "agility.tumble"
    dice, _ = await assisted(game, who, key, _tumble_price(game.scene, who, use)["ap"])
    made = await with_powers(game, who, key, plainly(game, who, key, dice=dice))
    result = await result_of(game, who, made)
    if use.detail not in (None, "away"):
        game.emit(Moved(who=who, position=game.scene.ground.parse(str(use.detail)), cause=rule))
    elif game[who].status.beside:
        game.emit(CameBeside(who=who, others=(), cause=rule))
    held = Lasting("tumbling", end_of_next_turn(game.scene, who), degree=result.result, stacks="apart")
    game.emit(TookHold(who=who, what=held, cause=rule))


# ---------------------------------------------------------------------- getting away, giving up


def _flees(scene: Scene, who: str, use: Use) -> str | None:
    near = [one for one in scene.participants if one.side != scene[who].side and stands(one) and not one.hidden]
    if isinstance(scene.ground, Together) or scene[who].position is None:
        return "next to everybody" if near else None
    close = [one for one in near if distance(scene, who, one.id) <= FAR_AWAY]
    return f"{scene.called(close[0].id)} is within {FAR_AWAY} cubes" if close else None


async def _flee(game: Live, who: str, use: Use) -> None:
    game.emit(Left(who=who, how="flees", cause="stage.gap.encounter.end"))


def _hurt(scene: Scene, who: str, use: Use) -> str | None:
    status: Status = scene[who].status
    return None if status.stamina <= 0 or lost(scene, who, "vitality") else "nobody gives up unhurt"


async def _yield(game: Live, who: str, use: Use) -> None:
    game.emit(Left(who=who, how="yields", cause="stage.gap.encounter.end"))


# ---------------------------------------------------------------------- preparing, beginning, waiting


def _not_prepared(scene: Scene, who: str, use: Use) -> str | None:
    return "one is prepared already" if scene[who].status.held("prepared") is not None else None


async def _prepare(game: Live, who: str, use: Use) -> None:
    """One AP for an interruption until the end of the next turn."""
    rule = "stage.action.prepare_interruption"
    game.emit(TookHold(who=who, what=Lasting("prepared", end_of_next_turn(game.scene, who)), cause=rule))


def _beginnings(scene: Scene, who: str) -> Iterator[Use]:
    """Actions for which too few AP are left: they can be begun now and finished in the next turn."""
    left = scene[who].status.ap  # what was prepared for an interruption is no beginning
    if not 0 < left < 3 or scene.turn not in (None, who):
        return
    from tablewright.systems.stage.actions import ACTIONS, LONG  # noqa: PLC0415 - all actions are known only there

    for name in LONG:
        action, alone = ACTIONS.by_id[name], Use(name, label=ACTIONS.by_id[name].title)
        wanting = [each for each in action.requires if each.rule != action.price_rule]
        if any((each.once or each.always) and each.holds(scene, who, alone) is not None for each in wanting):
            continue
        for use in (alone,) if action.uses is None else action.uses(scene, who):
            price = action.price_of(scene, who, use)
            if price["ap"] > left and all(each.holds(scene, who, use) is None for each in wanting):
                yield Use("begin", use.target, f"{use.action}/{use.detail or ''}", label=f"Begin: {use.label}")


def _begun(use: Use) -> Use:
    """The whole action that is begun."""
    action, _, detail = str(use.detail).partition("/")
    return Use(action, use.target, detail or None)


def _begin_words(scene: Scene, who: str, use: Use) -> str:
    """What goes into it now, and what it takes in all (stage.action.multi_turn)."""
    from tablewright.systems.stage.actions import ACTIONS  # noqa: PLC0415 - all actions are known only there

    whole = _begun(use)
    price = ACTIONS.by_id[whole.action].price_of(scene, who, whole)
    return f"{scene[who].status.ap} of {PURSES.words(price)}"


async def _begin(game: Live, who: str, use: Use) -> None:
    whole = _begun(use)
    game.emit(Begun(who=who, use=whole.id, ap=game[who].status.ap, cause="stage.action.multi_turn"))


async def _wait(game: Live, who: str, use: Use) -> None:
    return None


ONE, THREE = Price.of(ap=1), Price.of(ap=3)


def _stance(action: str, title: str) -> Action:
    rule = "stage.terrain.stance"
    other = Requirement(rule, _other_stance, once=True)
    return Action(action, title, (rule,), _change_stance, (ABLE, other), price=ONE, price_rule=rule)


MOVES = (
    Action(
        "move",
        "Move",
        ("stage.movement.cubes", "stage.movement.impediments"),
        _move,
        (ABLE, FREE, AFOOT),
        _moves,
        _move_words,
        price=_move_price,
        price_rule="stage.movement.cubes",
    ),
    Action(
        HASTE,
        "Move in haste",
        ("stage.athletics.climb", "stage.athletics.swim", "stage.agility.balance"),
        _move,
        (ABLE, FREE, AFOOT),
        _hurries,
        _hurry_words,
        price=_hurry_price,
        price_rule="stage.movement.cubes",
    ),
    _stance("crouch", "Crouch"),
    _stance("lie_down", "Go prone"),
    _stance("get_up", "Get up"),
    Action(
        "tumble",
        "Tumble",
        ("stage.agility.tumble",),
        _tumble,
        (ABLE, FREE, AFOOT, Requirement("stage.agility.tumble", _two_ap, once=True)),
        _tumbles,
        _tumble_words,
        price=_tumble_price,
        price_rule="stage.agility.tumble",
    ),
)
OTHERS = (
    Action(
        "prepare",
        "Prepare an interruption",
        ("stage.action.prepare_interruption",),
        _prepare,
        (ABLE, Requirement("stage.action.prepare_interruption", _not_prepared, once=True)),
        price=THREE,
        price_rule="stage.action.prepare_interruption",
    ),
    Action("begin", "Begin", ("stage.action.multi_turn",), _begin, (ABLE,), _beginnings, _begin_words),
    Action(
        "flee",
        "Get away",
        ("stage.gap.encounter.end",),
        _flee,
        (ABLE, FREE, Requirement("stage.gap.encounter.end", _flees, once=True)),
    ),
    Action(
        "yield",
        "Give up",
        ("stage.gap.encounter.end",),
        _yield,
        (ABLE, Requirement("stage.gap.encounter.end", _hurt, once=True)),
    ),
    Action("end_turn", "End the turn", ("stage.encounter.flow",), _wait),
)


async def ask_order(game: Live, members: list[str], seat: str, side: str) -> tuple[str, ...]:
    """The order in which a group acts, fixed before the first round (stage.encounter.member_order)."""
    left, order = list(members), list[str]()
    while len(left) > 1:
        told = {"of": side}
        taken = await choose(seat, f"who of {side} acts next?", left, about=told)
        order.append(taken)
        left.remove(taken)
    return (*order, *left)
