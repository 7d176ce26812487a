"""Mounts and vehicles.

A craft is a participant that does nothing by itself: it moves, dodges and fires by who is at the controls, loses
Integrity Points instead of tracks, and does not count for its side.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.game.play.action_kinds import only_if
from tablewright.game.play.actions import ActionUse, each_use, once
from tablewright.game.play.common_events import ChangedSides, Checked, Moved
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import Effect, EffectGained
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.stage.actions.aim import Way
from tablewright.systems.stage.actions.hands import check
from tablewright.systems.stage.actions.move import TWICE
from tablewright.systems.stage.actions.requirements import ADJACENT, able, end_of_next_turn, foes, one_ap
from tablewright.systems.stage.actions.strike import strike
from tablewright.systems.stage.character.figures import furthest
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.content import Vehicle
from tablewright.systems.stage.events.fight import ApChanged, Spent
from tablewright.systems.stage.events.turn import Mounted, Paced, Slipped
from tablewright.systems.stage.now import arm_named, arms, by_name, distance, price_in_fight
from tablewright.systems.stage.status import Status, adjacent, carrier, handling_of, most, same_cube, stands
from tablewright.systems.stage.values import ACTION_POINTS, titled

CONTROL = "stage.mount.control"


def craft(scene: Scene, who: str) -> Vehicle | None:
    """The vehicle that a participant is; None for anything alive."""
    name = scene[who].character.vehicle
    return scene.library.get(Vehicle, name) if scene.library.has(Vehicle, name) else None


# ---------------------------------------------------------------------- on and off


def _mounts(scene: Scene, who: str) -> Iterator[ActionUse]:
    if carrier(scene, who):
        return
    for one in scene.participants:
        tame = one.side == scene[who].side and one.character.is_creature and "mind" in one.status.lacks
        if one.id != who and tame and stands(one):
            verb = "Mount" if craft(scene, one.id) is None else "Board"
            yield ActionUse("mount", one.id, label=f"{verb} {scene.display_name(one.id)}")


def _large_enough(scene: Scene, who: str, use: ActionUse) -> str | None:
    """A mount is at least as large as its rider, a craft at most one category smaller (stage.mount.size_limit)."""
    mount = str(use.target)
    smaller = 0 if craft(scene, mount) is None else 1
    if most(scene, mount).size < most(scene, who).size - smaller:
        return f"{scene.display_name(mount)} is too small"
    riders = [one for one in scene.participants if one.status.rides == mount and stands(one)]
    return "ridden already" if riders else None


def _riding(scene: Scene, who: str, use: ActionUse) -> str | None:
    mount = scene[who].status.rides
    return None if mount and mount in scene and stands(scene[mount]) else "rides nothing"


def _in_control(scene: Scene, who: str) -> str | None:
    held = scene[scene[who].status.rides].status.held("controlled") if scene[who].status.rides else None
    return None if held is not None and held.by == who else "not under control"


RIDING = once(_riding, CONTROL)


@one_ap(
    "Mount",
    ("stage.mount.control", "stage.mount.size_limit"),
    (ADJACENT, each_use(_large_enough, "stage.mount.size_limit")),
    _mounts,
    price_rule="stage.movement.cubes",
)
async def _mount(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Mounted(who=who, mount=str(use.target), cause=CONTROL))


@one_ap(
    "Get off",
    "stage.mount.control",
    (RIDING,),
    only_if(lambda scene, who: scene[who].status.rides, "Get off"),
    price_rule="stage.movement.cubes",
)
async def _dismount(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Mounted(who=who, mount=None, cause=CONTROL))


# ---------------------------------------------------------------------- control


def ride_difficulty(scene: Scene, mount: str) -> int:
    """Will and Spirit of the animal, as they are or at their most (stage.mount.control)."""
    source = most(scene, mount) if scene.options.pair_difficulty == "maximum" else scene[mount].status
    return int(source.will + source.spirit)


def team(scene: Scene, mount: str) -> list[str]:
    """The animals that could draw a cart: of its side and in its cube, and not ridden."""
    ridden = {one.status.rides for one in scene.participants}
    return [
        one.id
        for one in scene.participants
        if one.side == scene[mount].side
        and stands(one)
        and one.id not in ridden
        and one.character.is_creature
        and "mind" in one.status.lacks
        and craft(scene, one.id) is None
        and same_cube(scene, mount, one.id)
    ]


def _drawn(scene: Scene, who: str, use: ActionUse) -> str | None:
    vehicle = craft(scene, scene[who].status.rides)
    return (
        "nothing draws it"
        if vehicle is not None and vehicle.drawn and not team(scene, scene[who].status.rides)
        else None
    )


def _fit_to_control(scene: Scene, who: str, use: ActionUse) -> str | None:
    """A mount or craft may ask for skill levels and hours of practice (stage.mount.properties)."""
    mount = scene[who].status.rides
    handling, rider = handling_of(scene, mount), scene[who].character
    missing = [f"{titled(skill)} {level}" for skill, level in handling.needs.items() if rider.level(skill) < level]
    if hours_of_practice(scene, who, mount) < handling.practice:
        missing.append(f"{handling.practice} hours of practice")
    return f"needs {' and '.join(missing)}" if missing else None


SCHOOLED = "vehicle"
"""The choice of Schooling that stands for all practice with craft (stage.power_effect.grant_ability)."""


def hours_of_practice(scene: Scene, who: str, mount: str) -> int:
    """Hours of practice with a mount or craft; Schooling in a craft counts as all that it asks for."""
    handling = handling_of(scene, mount)
    rider: StageCharacter = scene[who].character
    schooled = craft(scene, mount) is not None and SCHOOLED in rider.choices.get("schooling", ())
    return max(rider.practised.get(handling.kind, 0), handling.practice if schooled else 0)


def _control_key(scene: Scene, mount: str) -> str:
    """Application that controls a mount or craft: those that are drawn go by their animals."""
    vehicle = craft(scene, mount)
    return "survival.ride" if vehicle is None or vehicle.drawn else "operate.control"


def _control_price(scene: Scene, who: str, use: ActionUse) -> Cost:
    return price_in_fight(scene, _control_key(scene, scene[who].status.rides))


@able(
    "Control the mount",
    ("stage.mount.control", "stage.survival.ride", "stage.operate.control"),
    (RIDING, each_use(_drawn, "stage.gap.mount.vehicles"), each_use(_fit_to_control, "stage.mount.properties")),
    lambda scene, who: iter([ActionUse("control", label="Control the mount")] if scene[who].status.rides else []),
    cost=_control_price,
    price_rule="stage.operate.control",
)
async def _control(game: Game, who: str, use: ActionUse) -> None:
    """Survival (ride) or Operate (control): the rider decides how mount or craft spends its turn.

    After two failures in a row an animal turns away, and a craft is out of control.
    """
    mount, rule = game[who].status.rides, CONTROL
    vehicle, key = craft(game.scene, mount), _control_key(game.scene, mount)
    if vehicle is None:
        difficulty = ride_difficulty(game.scene, mount)
    elif vehicle.drawn:
        difficulty = max([ride_difficulty(game.scene, one) for one in team(game.scene, mount)])
    else:
        difficulty = vehicle.control or 1
    if await check(game, who, mount, key, difficulty, rule, ap=_control_price(game.scene, who, use)["ap"]):
        if game[mount].status.failures:
            game.emit(Slipped(who=mount, failures=0, cause=rule))
        missing = ACTION_POINTS - game[mount].status.ap
        if missing:
            game.emit(ApChanged(who=mount, amount=missing, cause=rule))
        if vehicle is not None or handling_of(game.scene, mount).keeps_pace:
            game.emit(Paced(who=mount, pace=pace_now(game.scene, mount), cause="stage.mount.properties"))
        held = Effect("controlled", end_of_next_turn(game.scene, who), by=who)
        game.emit(EffectGained(who=mount, what=held, cause=rule))
        return
    failures = game[mount].status.failures + 1
    game.emit(Slipped(who=mount, failures=failures % TWICE if vehicle is not None else failures, cause=rule))
    if failures < TWICE:
        what = "does as it likes" if vehicle is None else "does not respond"
        game.emit(Checked(who=mount, what=what, cause=rule))
    elif vehicle is None:
        game.emit(Mounted(who=who, mount=None, cause=rule))
        game.emit(ChangedSides(who=mount, side=f"{mount} alone", cause=rule))
    else:
        game.emit(Checked(who=mount, what="out of control", result="something goes wrong", cause=rule))


def pace_now(scene: Scene, mount: str) -> int:
    """Pace of a mount or craft at the start of a round: as far as it went, or slower if no one let it go on."""
    status: Status = scene[mount].status
    if status.went is not None:
        return status.went
    slower = handling_of(scene, mount).acceleration
    return max(0, status.pace - (status.pace if slower is None else slower))


# ---------------------------------------------------------------------- what it does


SPURRED = ("move", "attack", "power_attack", "charge")


def _spurs(scene: Scene, who: str) -> Iterator[ActionUse]:
    mount = scene[who].status.rides
    if not mount or _in_control(scene, who) is not None:
        return
    from tablewright.systems.stage.actions.index import ACTIONS  # noqa: PLC0415 - all actions are known only there

    vehicle = craft(scene, mount)
    for use in ACTIONS.options(scene, mount, among=SPURRED if vehicle is None else ("move",)):
        if isinstance(use, ActionUse):
            detail = f"{use.action}/{use.detail or ''}"
            yield ActionUse(
                "spur", use.target, detail, label=f"{scene.display_name(mount)}: {use.label}", cost=use.cost_text
            )
    if vehicle is None or scene[mount].status.ap < 1:
        return
    for arm in by_name(arms(scene, mount)).values():
        far = furthest(arm.weapon.increment or 1, scene.options.max_increments)
        for foe in foes(scene, who):
            near = adjacent(scene, mount, foe.id) if arm.melee else distance(scene, mount, foe.id) <= far
            if near:
                label = (
                    f"{scene.display_name(mount)}: attack {scene.display_name(foe.id)} with {arm.weapon.name.lower()}"
                )
                yield ActionUse("spur", foe.id, f"attack/{arm.id}", label=label, cost="1 AP of the craft")


@able("Ride", "stage.mount.attack", (RIDING,), _spurs)
async def _spur(game: Game, who: str, use: ActionUse) -> None:
    """Act with the mount's own AP: an animal by its own skill, a craft's weapon by its operator's."""
    mount = game[who].status.rides
    vehicle = craft(game.scene, mount)
    action, _, detail = str(use.detail).partition("/")
    if vehicle is not None and action == "attack":
        arm = arm_named(game.scene, mount, detail)
        if arm is not None:
            rule = "stage.mount.attack"
            game.emit(Spent(who=mount, price=Cost.of(ap=1), on=arm.weapon.name, cause=rule))
            await strike(game, who, str(use.target), Way(arm, skill="operate"), rule)
        return
    here = game[mount].position
    await game.rulebook.actions.perform(game, mount, ActionUse(action, use.target, detail or None))
    position = game[mount].position
    if position is not None and position != game[who].position:
        game.emit(Moved(who=who, position=position, cause=CONTROL))
    paced = vehicle is not None or handling_of(game.scene, mount).keeps_pace
    if paced and position is not None and here is not None:
        status: Status = game[mount].status
        went = max(status.went or 0, int(game.scene.ground.distance(here, position)))
        game.emit(Paced(who=mount, pace=status.pace, went=went, cause="stage.mount.properties"))


RIDES = (_mount, _dismount, _control, _spur)
