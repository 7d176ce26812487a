"""Powers as actions, step by step from their data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from tablewright.engine import Param, Process, Role, choose, process
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import add_item, remove_item
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Position
from tablewright.game.play.action_kinds import action, with_each
from tablewright.game.play.actions import ActionUse, each_use
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import Effect, EffectGained, until_turn_of
from tablewright.game.play.movement import ask_destination, has_place
from tablewright.game.play.targeting import occupied
from tablewright.game.play.time_passage import Who
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.renaissance.actions.attack import sweep, swept
from tablewright.systems.renaissance.actions.move import STAY, walk
from tablewright.systems.renaissance.actions.requirements import (
    AWAKE,
    FREE_MIND,
    NOTHING,
    QUICK,
    STANDARD,
    able,
    awake,
    room_for,
)
from tablewright.systems.renaissance.actions.throw import burst
from tablewright.systems.renaissance.chapters.ailments import own_fire, put_away
from tablewright.systems.renaissance.character.figures import Sustained
from tablewright.systems.renaissance.character.record import BOTH, MAIN, OFF
from tablewright.systems.renaissance.content import Power, Weapon
from tablewright.systems.renaissance.effects import (
    Explodes,
    FastHealing,
    HeldWeapon,
    Raise,
    Sweep,
    Teleport,
    Weaving,
    While,
)
from tablewright.systems.renaissance.events.fight import HandsChanged, SustainChanged, Walked, spoken
from tablewright.systems.renaissance.harm import settle
from tablewright.systems.renaissance.mechanics.luck import gifted_check
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import PRONE, WEAVING, Status, stands, upright
from tablewright.systems.renaissance.tasks import Able

GROUND = "@ground"
POWER, SUSTAIN = "renaissance.power.definition", "renaissance.action.sustained"


def _powers(scene: Scene, who: str) -> list[Power]:
    return now(scene, who).powers


def _at_once(scene: Scene, who: str) -> list[tuple[str, str]]:
    return [(one.id, _told(one)) for one in _powers(scene, who) if one.action in ("quick", "standard")]


def _told(power: Power) -> str:
    return f"{power.name}: {power.text}" if power.text else str(power.name)


def _entry(scene: Scene, use: ActionUse) -> Power:
    return scene.library.get(Power, str(use.detail).partition("/")[0])  # type: ignore[no-any-return]


def _price(scene: Scene, who: str, use: ActionUse) -> Cost:
    return STANDARD if _entry(scene, use).action == "standard" else QUICK


def _usable(scene: Scene, who: str, use: ActionUse) -> str | None:
    status: Status = scene[who].status
    for effect in _entry(scene, use).effects:
        if isinstance(effect, HeldWeapon):
            found = scene.library.get(Weapon, effect.weapon)
            return None if room_for(scene, who, found) is not None else "no hand is free"
        if isinstance(effect, Teleport) and not has_place(scene, who):
            return "nowhere to go"
        if isinstance(effect, Sweep) and status.turn.stopped:
            return "the charge was stopped"
        if isinstance(effect, Sweep) and swept(scene, who, effect.targets)[0] is None:
            return "nobody is in reach of a melee weapon"
    return None


@able(
    "Use a power", (POWER, "renaissance.power.categories"), (each_use(_usable),), with_each(_at_once, "{}"), cost=_price
)
async def _use_power(game: Game, who: str, use: ActionUse) -> None:
    for effect in _entry(game.scene, use).effects:
        if isinstance(effect, HeldWeapon):
            _hold(game, who, effect.weapon)
        elif isinstance(effect, Teleport):
            await _teleport(game, who, effect.full_rates)
        elif isinstance(effect, Sweep):
            await sweep(game, who, effect.targets)
        elif isinstance(effect, Weaving):
            held = Effect(WEAVING, until_turn_of(game.scene, who), effect.value, source=effect.skill)
            game.emit(EffectGained(who=who, what=held, cause="renaissance.defense.movement_skill"))
            status = game[who].status  # only crawling moves the prone, and no one moves twice
            stays = status.has(PRONE) or status.turn.moved
            if not stays and has_place(game.scene, who):
                await walk(game, who, ActionUse("move_quickly"), how="weaving", cause=POWER, towards=False)


def _hold(game: Game, who: str, weapon: str) -> None:
    status: Status = game[who].status
    place = room_for(game.scene, who, game.scene.library.get(Weapon, weapon))
    if place is not None:
        has = add_item(status.belongings, weapon, 1, place)
        game.emit(HandsChanged(who=who, what=f"holds {weapon.replace('_', ' ')}", belongings=has, cause=POWER))


async def _teleport(game: Game, who: str, rates: int) -> None:
    """Be elsewhere at once; no movement action."""

    def find() -> list[Position]:
        here, ground = game[who].position, game.scene.ground
        if here is None or not isinstance(ground, Grid):
            return []
        reach, taken = rates * now(game.scene, who).numbers.full, occupied(game.scene, who, upright)
        squares = [at for at in ground.area(here, reach) if at != here and at not in taken]
        return [at for at in squares if ground.trouble(at) is None][:900]

    there = await ask_destination(game, who, find, question="jump where?", label="{}", stay=STAY)
    if there is not None and stands(game[who]):
        game.emit(Walked(who=who, how="jump", position=there, counts=False, cause=POWER))
        settle(game)


# ---------------------------------------------------------------------- sustaining


def _sustainable(scene: Scene, who: str) -> list[tuple[str, str]]:
    sustained = [one.what for one in scene[who].status.sustained]
    able = [one for one in _powers(scene, who) if one.action == "sustained" and one.id not in sustained]
    return [(one.id, _told(one)) for one in able]


@awake(
    "Begin to sustain",
    (SUSTAIN, "renaissance.combat.sustain_cost"),
    (FREE_MIND,),
    with_each(_sustainable, "Begin {}"),
    cost=lambda scene, _, use: STANDARD if _entry(scene, use).start == "standard" else QUICK,
)
async def _sustain(game: Game, who: str, use: ActionUse) -> None:
    power, choice = str(use.detail), ""
    raised = next((one for one in game.scene.library.get(Power, power).effects if isinstance(one, Raise)), None)
    if raised is not None:
        figures = [ActionUse("raise", None, figure, f"{figure} +{raised.value}") for figure in raised.of]
        choice = str((await choose(game.seat(who), "which figure is raised?", figures, details={"who": who})).detail)
    sustained = (*game[who].status.sustained, Sustained(power, choice=choice))
    game.emit(SustainChanged(who=who, what=f"begins {spoken(power)}", sustained=sustained, cause=SUSTAIN))


def _power_name(scene: Scene, what: str) -> str:
    return str(scene.library.get(Power, what).name) if scene.library.has(Power, what) else what.replace("_", " ")


def _sustained(scene: Scene, who: str) -> list[tuple[str, str]]:
    return [(one.what, _power_name(scene, one.what)) for one in scene[who].status.sustained]


@action("Stop sustaining", SUSTAIN, (AWAKE,), with_each(_sustained, "Stop sustaining {}"), cost=NOTHING)
async def _stop_sustaining(game: Game, who: str, use: ActionUse) -> None:
    left = tuple([one for one in game[who].status.sustained if one.what != use.detail])
    game.emit(SustainChanged(who=who, what=f"ends {spoken(str(use.detail))}", sustained=left, cause=SUSTAIN))


def _improvable(scene: Scene, who: str) -> list[tuple[str, str]]:
    plain = [one for one in scene[who].status.sustained if one.power and not one.better]
    return [(one.what, _power_name(scene, one.what)) for one in plain if improved_by(scene, one.what) is not None]


def improved_by(scene: Scene, power: str) -> FastHealing | None:
    """Grant of a power that a check improves; outside combat without a check (renaissance.gap.power.list)."""
    if not scene.library.has(Power, power):
        return None
    for effect in scene.library.get(Power, power).effects:
        if isinstance(effect, While) and isinstance(effect.gives, FastHealing) and effect.gives.better:
            return effect.gives
    return None


@awake("Improve a power", SUSTAIN, (FREE_MIND,), with_each(_improvable, "Improve {}"), cost=QUICK)
async def _improve_power(game: Game, who: str, use: ActionUse) -> None:
    """A check makes a sustained power stronger until it is no longer sustained."""
    gives = improved_by(game.scene, str(use.detail))
    if gives is None:
        return
    me = now(game.scene, who)
    goal = me.skill(gives.check)
    call = gifted_check(goal.total, me.luck, goal.penalties, me.daring)
    result = await call.by(game.seat(who), private={"luck": Role.ACTOR}, tallies={"target": goal.tally()})
    won = result.grade.succeeds
    sustained = tuple(
        [
            Sustained(one.what, one.power, one.choice, one.better or (won and one.what == use.detail))
            for one in game[who].status.sustained
        ]
    )
    what = f"{spoken(str(use.detail))}: {'better' if won else 'no better'}"
    game.emit(SustainChanged(who=who, what=what, sustained=sustained, luck=result.spent, cause=SUSTAIN))


# ---------------------------------------------------------------------- what is held by magic


def _magic_in_hand(scene: Scene, who: str) -> Iterable[ActionUse]:
    made = [effect.weapon for power in _powers(scene, who) for effect in power.effects if isinstance(effect, Explodes)]
    made = [item for item in dict.fromkeys(made) if now(scene, who).explodes(item)]
    if not made:
        return
    held = [one.item for one in scene[who].status.belongings if one.place in (MAIN, OFF, BOTH)]
    for item in made:  # one in each hand are the same to let go
        name = scene.library.get(Weapon, item).name.lower()
        if item in held:
            yield ActionUse("explode", None, item, f"Let the {name} explode in the hand")
        lies = own_fire(scene, who, item)
        if lies is not None:
            place = "where it lies" if lies.position is None else f"at {lies.position}"
            yield ActionUse("explode", None, item + GROUND, f"Let the {name} explode {place}")


@action("Let it explode", POWER, (AWAKE,), _magic_in_hand, cost=NOTHING)
async def _explode(game: Game, who: str, use: ActionUse) -> None:
    """A ball of fire ends in a blast with its DV at the centre, in the hand or where it lies; its maker is spared.

    No one has thrown it at anyone: each person in the blast opposes the check (renaissance.power.guidelines).
    """
    status: Status = game[who].status
    item, where = str(use.detail).removesuffix(GROUND), game[who].position
    arm, lies = now(game.scene, who).magic_arm(item), own_fire(game.scene, who, item)
    if str(use.detail).endswith(GROUND):
        if lies is None:
            return
        where = lies.position
        put_away(game, who, lies, "lets it explode", cause=POWER)
    else:
        held = next((one for one in status.belongings if one.item == item and one.place in (MAIN, OFF, BOTH)), None)
        if held is None:
            return
        left = remove_item(status.belongings, held.item, 1, held.place, rule=POWER)
        game.emit(HandsChanged(who=who, what="lets it explode", belongings=left, cause=POWER))
    await burst(game, who, who, arm, where, 0, spared=who, opposed=True)
    settle(game)


POWERS = (_use_power, _sustain, _stop_sustaining, _improve_power, _explode)


SUSTAINED, COST = "renaissance.action.sustained", "renaissance.combat.sustain_cost"


def _out_of_turns(scene: Scene) -> None:
    if scene.turn is not None and scene.ended is None:
        raise IllegalActionError("in combat this takes a quick action of the user's turn", rule=COST)


def _power(game: Game, who: str, what: str, figure: str) -> Sustained:
    """The sustained action to begin: a power of the character, or anything else in words."""
    if not game.scene.library.has(Power, what):
        return Sustained(what, power=False)
    entry = game.scene.library.get(Power, what)
    if what not in game[who].character.powers or entry.action != "sustained":
        raise game.scene.cannot(who, f"cannot sustain {entry.name}", SUSTAINED)
    raised = next((one.of for one in entry.effects if isinstance(one, Raise)), ())
    if raised and figure not in raised:
        raise InvalidInputError(f"{entry.name} raises one of {', '.join(raised)}", field="figure")
    better = improved_by(game.scene, what) is not None  # no check is needed outside of combat
    return Sustained(what, choice=figure if raised else "", better=better)


@process(rules=["renaissance.action.sustained", "renaissance.action.sustain_penalty"])
async def sustain(
    game: Game,
    who: Able,
    what: Annotated[str, Param("a power by its id, or what is done, in words")],
    figure: Annotated[str, Param("the figure that the power raises, if it raises one")] = "",
) -> None:
    """Begin a sustained action; each one beyond the first hampers every check."""
    _out_of_turns(game.scene)
    status: Status = game[who].status
    game.refuse_if(any(one.what == what for one in status.sustained), who, "sustains that already", SUSTAINED)
    begun = (*status.sustained, _power(game, who, what, figure))
    game.emit(SustainChanged(who=who, what=f"begins {spoken(what)}", sustained=begun, cause=SUSTAINED))


@process(rules=["renaissance.action.sustained"])
async def stop_sustaining(
    game: Game, who: Who, what: Annotated[str, Param("the sustained action, by its id or in words")]
) -> None:
    """End a sustained action."""
    _out_of_turns(game.scene)
    status: Status = game[who].status
    left = tuple([one for one in status.sustained if one.what != what])
    if left == status.sustained:
        raise InvalidInputError(f'{game.scene.display_name(who)} sustains no "{what:.40}"', field="what")
    game.emit(SustainChanged(who=who, what=f"ends {spoken(what)}", sustained=left, cause=SUSTAINED))


PROCESSES: tuple[Process[..., Any], ...] = (sustain, stop_sustaining)
