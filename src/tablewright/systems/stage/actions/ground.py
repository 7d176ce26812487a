"""Uncertain ground, where every action needs a check first; and riding, where an animal acts on its rider's turn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

from tablewright.engine import Closed
from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.common import ChangedSides, Checked, Moved
from tablewright.game.lasting import Lasting, TookHold
from tablewright.game.prices import Price
from tablewright.game.scene import Live, Scene
from tablewright.game.windows import window
from tablewright.systems.stage.actions.checking import against
from tablewright.systems.stage.actions.common import ABLE, ADJACENT, ap_price, end_of_next_turn
from tablewright.systems.stage.actions.handling import check
from tablewright.systems.stage.chances import falling
from tablewright.systems.stage.events.fighting import ApChanged, Hurt
from tablewright.systems.stage.events.moving import Mounted, Slipped, StanceChanged, WentUnder
from tablewright.systems.stage.harm import most
from tablewright.systems.stage.now import pool
from tablewright.systems.stage.status import Status, stands
from tablewright.systems.stage.values import ACTION_POINTS

Perform = Callable[[Live, str, Use], Awaitable[None]]
GROUNDS = {
    "climbing": ("athletics.climb", "stage.athletics.climb"),
    "swimming": ("athletics.swim", "stage.environment.swimming"),
    "balancing": ("agility.balance", "stage.agility.balance"),
}
TWICE = 2
CUBE = 10


def fall_dice(metres: int) -> int:
    """Dice of damage for a fall: one from half a cube, doubled for every full cube beyond the first.

    >>> [fall_dice(metres) for metres in (4, 5, 10, 19, 20, 30, 40)]
    [0, 1, 1, 1, 2, 4, 8]
    """
    if 2 * metres < CUBE:
        return 0
    return int(2 ** (max(1, metres // CUBE) - 1))  # stage.environment.falling


def sure_footed(action: Action) -> Action:
    """An action that fails on uncertain ground where the check for it fails; its AP are spent all the same."""
    if action.id in ("end_turn", "yield", "drop"):
        return action

    async def perform(game: Live, who: str, use: Use) -> None:
        if not game.scene.facts.entries or await _keeps_hold(game, who):
            await action.perform(game, who, use)
        if game.scene.turn == who:
            await interruptions(game)

    return replace(action, perform=perform)


async def interruptions(game: Live) -> None:
    """Between deeds, whoever has prepared an interruption may take it (stage.action.interruption)."""
    if not any(one.status.held("prepared") is not None for one in game.scene.participants):
        return

    def asked(now: Scene) -> list[str]:
        ready = [one.id for one in now.present if one.id != now.turn and one.status.held("prepared") is not None]
        return [who for who in ready if stands(now[who])]

    def offers(now: Scene, who: str) -> list[Use | Closed]:
        return [
            one for one in game.book.actions.offers(now, who) if isinstance(one, Use) and one.action != game.book.idle
        ]

    await window(game, "interrupt?", asked, offers, idle=Use("pass", label="Let it pass"))


def _difficulty(scene: Scene, who: str, ground: str) -> int:
    said = scene.facts.get(ground, who)
    return int(str(said)) if str(said).isdigit() else 0


async def _keeps_hold(game: Live, who: str) -> bool:
    for ground, (key, rule) in GROUNDS.items():
        difficulty = _difficulty(game.scene, who, ground)
        if not difficulty:
            continue
        made = pool(game.scene, who, key)
        result = await against(game, who, made, difficulty)
        status: Status = game[who].status
        if result.success:
            if status.failures:
                game.emit(Slipped(who=who, failures=0, cause=rule))
            if status.under and ground == "swimming":
                game.emit(WentUnder(who=who, rounds=0, cause="stage.environment.drowning"))
            continue
        game.emit(Slipped(who=who, failures=status.failures + 1, cause=rule))
        if game[who].status.failures >= TWICE:
            await _loses_hold(game, who, ground)
        return False
    return True


async def _loses_hold(game: Live, who: str, ground: str) -> None:
    """Twice in a row: under water, or down."""
    game.emit(Slipped(who=who, failures=0, cause="stage.environment.drowning"))
    if ground == "swimming":
        game.emit(WentUnder(who=who, rounds=1, cause="stage.environment.drowning"))
        return
    metres = int(str(game.scene.facts.get("height", who) or 0))
    damage = await falling(fall_dice(metres)).by(game.seat(who))
    if damage:
        game.emit(Hurt(who=who, damage=damage, source=f"a fall of {metres} m", cause="stage.environment.falling"))
    game.emit(StanceChanged(who=who, stance="prone", cause="stage.environment.falling"))


# ---------------------------------------------------------------------- riding


def _mounts(scene: Scene, who: str) -> Iterator[Use]:
    if scene[who].status.rides:
        return
    for one in scene.participants:
        tame = one.side == scene[who].side and one.character.is_creature and "mind" in one.status.lacks
        if one.id != who and tame and stands(one):
            yield Use("mount", one.id, label=f"Mount {one.name}")


def _large_enough(scene: Scene, who: str, use: Use) -> str | None:
    """A mount is at least as large as its rider (stage.mount.size_limit)."""
    mount = str(use.target)
    if most(scene, mount).size < most(scene, who).size:
        return f"{mount} is too small"
    return "ridden already" if any(one.status.rides == mount for one in scene.participants) else None


def _riding(scene: Scene, who: str, use: Use) -> str | None:
    mount = scene[who].status.rides
    return None if mount and mount in scene and stands(scene[mount]) else "rides nothing"


def _in_control(scene: Scene, who: str, use: Use) -> str | None:
    held = scene[scene[who].status.rides].status.held("controlled") if scene[who].status.rides else None
    return None if held is not None and held.by == who else "not under control"


RIDING = Requirement("stage.mount.control", _riding, once=True)


async def _mount(game: Live, who: str, use: Use) -> None:
    game.emit(Mounted(who=who, mount=str(use.target), cause="stage.mount.control"))


async def _dismount(game: Live, who: str, use: Use) -> None:
    game.emit(Mounted(who=who, mount=None, cause="stage.mount.control"))


def ride_difficulty(scene: Scene, mount: str) -> int:
    """Will and Spirit of the animal, as they are or at their most (stage.mount.control)."""
    source = most(scene, mount) if scene.options.pair_difficulty == "maximum" else scene[mount].status
    return int(source.will + source.spirit)


async def _control(game: Live, who: str, use: Use) -> None:
    """Survival (ride): the rider decides how the animal spends its turn; after two failures in a row it turns away."""
    mount, rule = game[who].status.rides, "stage.mount.control"
    if await check(game, who, mount, "survival.ride", ride_difficulty(game.scene, mount), rule):
        if game[mount].status.failures:
            game.emit(Slipped(who=mount, failures=0, cause=rule))
        missing = ACTION_POINTS - game[mount].status.ap
        if missing:
            game.emit(ApChanged(who=mount, amount=missing, cause=rule))
        held = Lasting("controlled", end_of_next_turn(game.scene, who), by=who)
        game.emit(TookHold(who=mount, what=held, cause=rule))
        return
    failures = game[mount].status.failures + 1
    game.emit(Slipped(who=mount, failures=failures, cause=rule))
    if failures >= TWICE:
        game.emit(Mounted(who=who, mount=None, cause=rule))
        game.emit(ChangedSides(who=mount, side=f"{mount} alone", cause=rule))
    else:
        game.emit(Checked(who=mount, what="does as it likes", cause=rule))


SPURRED = ("move", "attack", "power_attack", "charge")


def _spurs(scene: Scene, who: str) -> Iterator[Use]:
    mount = scene[who].status.rides
    if not mount or _in_control(scene, who, Use("spur")) is not None:
        return
    from tablewright.systems.stage.actions import ACTIONS  # noqa: PLC0415 - all actions are known only there

    for use in ACTIONS.offers(scene, mount, among=SPURRED):
        if isinstance(use, Use):
            detail = f"{use.action}/{use.detail or ''}"
            yield Use("spur", use.target, detail, label=f"{scene[mount].name}: {use.label}", cost=use.cost)


async def _spur(game: Live, who: str, use: Use) -> None:
    """What the animal does, with its own AP and its own skill (stage.mount.attack); the rider goes along."""
    mount = game[who].status.rides
    action, _, detail = str(use.detail).partition("/")
    await game.book.actions.perform(game, mount, Use(action, use.target, detail or None))
    position = game[mount].position
    if position is not None and position != game[who].position:
        game.emit(Moved(who=who, position=position, cause="stage.mount.control"))


def _control_price(scene: Scene, who: str, use: Use) -> Price:
    return ap_price(scene, who, use, 3)


RIDES = (
    Action(
        "mount",
        "Mount",
        ("stage.mount.control", "stage.mount.size_limit"),
        _mount,
        (ABLE, ADJACENT, Requirement("stage.mount.size_limit", _large_enough)),
        _mounts,
        "1 AP",
        price=Price.of(ap=1),
        price_rule="stage.movement.cubes",
    ),
    Action(
        "dismount",
        "Get off",
        ("stage.mount.control",),
        _dismount,
        (ABLE, RIDING),
        lambda scene, who: iter([Use("dismount", label="Get off")] if scene[who].status.rides else []),
        "1 AP",
        price=Price.of(ap=1),
        price_rule="stage.movement.cubes",
    ),
    Action(
        "control",
        "Control the mount",
        ("stage.mount.control", "stage.survival.ride"),
        _control,
        (ABLE, RIDING),
        lambda scene, who: iter([Use("control", label="Control the mount")] if scene[who].status.rides else []),
        price=_control_price,
        price_rule="stage.mount.control",
    ),
    Action("spur", "Ride", ("stage.mount.attack",), _spur, (ABLE, RIDING), _spurs),
)
