"""Powers in a turn: made weapons, leaps through space, sustained magic, weaving between blows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tablewright.engine import Seat, choose
from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.belongings import add, take_away
from tablewright.game.ground import Grid, Together
from tablewright.game.lasting import Lasting, TookHold, until_turn
from tablewright.game.prices import Price
from tablewright.game.scene import Live, Scene
from tablewright.game.standing import occupied
from tablewright.systems.renaissance.actions.attack import sweep, swept
from tablewright.systems.renaissance.actions.common import (
    ABLE,
    ALLOTMENT_RULE,
    AWAKE,
    FREE_MIND,
    NOTHING,
    QUICK,
    STANDARD,
    room_for,
)
from tablewright.systems.renaissance.actions.move import walk
from tablewright.systems.renaissance.actions.throwing import burst
from tablewright.systems.renaissance.character.active import Sustained
from tablewright.systems.renaissance.character.record import BOTH, MAIN, OFF
from tablewright.systems.renaissance.content import Power, Weapon
from tablewright.systems.renaissance.effects import own_fire, put_away
from tablewright.systems.renaissance.events import HandsChanged, SustainChanged, Walked, spoken
from tablewright.systems.renaissance.grants import (
    Explodes,
    FastHealing,
    HeldWeapon,
    Raise,
    Sweep,
    Teleport,
    Weaving,
    While,
)
from tablewright.systems.renaissance.harm import settle
from tablewright.systems.renaissance.lucky import gifted_check
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import PRONE, WEAVING, Status, stands, upright

GROUND = "@ground"
POWER, SUSTAIN = "renaissance.power.definition", "renaissance.action.sustained"


def _powers(scene: Scene, who: str) -> list[Power]:
    return now(scene, who).powers


def _uses(scene: Scene, who: str) -> Iterable[Use]:
    for power in _powers(scene, who):
        if power.action in ("quick", "standard"):
            yield Use("use_power", None, power.id, _told(power))


def _told(power: Power) -> str:
    return f"{power.name}: {power.text}" if power.text else str(power.name)


def _entry(scene: Scene, use: Use) -> Power:
    return scene.library.get(Power, str(use.detail).partition("/")[0])  # type: ignore[no-any-return]


def _price(scene: Scene, who: str, use: Use) -> Price:
    return STANDARD if _entry(scene, use).action == "standard" else QUICK


def _usable(scene: Scene, who: str, use: Use) -> str | None:
    status: Status = scene[who].status
    for effect in _entry(scene, use).effects:
        if isinstance(effect, HeldWeapon):
            found = scene.library.get(Weapon, effect.weapon)
            return None if room_for(scene, who, found) is not None else "no hand is free"
        if isinstance(effect, Teleport) and (scene[who].position is None or isinstance(scene.ground, Together)):
            return "nowhere to go"
        if isinstance(effect, Sweep) and status.turn.stopped:
            return "the charge was stopped"
        if isinstance(effect, Sweep) and swept(scene, who, effect.targets)[0] is None:
            return "nobody is in reach of a melee weapon"
    return None


async def _use_power(game: Live, who: str, use: Use) -> None:
    power = _entry(game.scene, use)
    for effect in power.effects:
        if isinstance(effect, HeldWeapon):
            _hold(game, who, effect.weapon)
        elif isinstance(effect, Teleport):
            await _teleport(game, who, effect.full_rates)
        elif isinstance(effect, Sweep):
            await sweep(game, who, effect.targets)
        elif isinstance(effect, Weaving):
            held = Lasting(WEAVING, until_turn(game.scene, who), effect.value, source=effect.skill)
            game.emit(TookHold(who=who, what=held, cause="renaissance.defense.movement_skill"))
            status = game[who].status  # only crawling moves the prone, and nobody moves twice
            stays = status.has(PRONE) or status.turn.moved
            if not stays and game[who].position is not None and not isinstance(game.scene.ground, Together):
                await walk(game, who, Use("move_quickly"), how="weaving", cause=POWER, towards=False)


def _hold(game: Live, who: str, weapon: str) -> None:
    status: Status = game[who].status
    place = room_for(game.scene, who, game.scene.library.get(Weapon, weapon))
    if place is not None:
        has = add(status.belongings, weapon, 1, place)
        game.emit(HandsChanged(who=who, what=f"holds {weapon.replace('_', ' ')}", belongings=has, cause=POWER))


async def _teleport(game: Live, who: str, rates: int) -> None:
    """Be elsewhere at once; no movement action."""

    def find() -> list[Use]:
        here = game[who].position
        if here is None:
            return []
        reach = rates * now(game.scene, who).numbers.full
        taken = occupied(game.scene, who, upright)
        if not isinstance(game.scene.ground, Grid):
            return []
        squares = [at for at in game.scene.ground.area(here, reach) if at != here and at not in taken]
        return [Use("destination", None, str(at), str(at)) for at in squares if game.scene.ground.trouble(at) is None][
            :900
        ]

    stay = Use("destination", None, "here", "stay here")
    use = await choose(
        game.seat(who), "jump where?", lambda: [stay, *find()], about={"who": who}, default=stay, lapse=stay
    )
    if use.detail != "here" and stands(game[who]):
        there = game.scene.ground.parse(str(use.detail))
        game.emit(Walked(who=who, how="jump", position=there, counts=False, cause=POWER))
        settle(game)


# ---------------------------------------------------------------------- sustaining


def _sustainable(scene: Scene, who: str) -> Iterable[Use]:
    sustained = [one.what for one in scene[who].status.sustained]
    for power in _powers(scene, who):
        if power.action != "sustained" or power.id in sustained:
            continue
        yield Use("sustain", None, power.id, f"Begin {_told(power)}")


async def _sustain(game: Live, who: str, use: Use) -> None:
    power, choice = str(use.detail), ""
    raised = next((one for one in game.scene.library.get(Power, power).effects if isinstance(one, Raise)), None)
    if raised is not None:
        figures = [Use("raise", None, figure, f"{figure} +{raised.value}") for figure in raised.of]
        choice = str((await choose(game.seat(who), "which figure is raised?", figures, about={"who": who})).detail)
    sustained = (*game[who].status.sustained, Sustained(power, choice=choice))
    game.emit(SustainChanged(who=who, what=f"begins {spoken(power)}", sustained=sustained, cause=SUSTAIN))


def _power_name(scene: Scene, what: str) -> str:
    return str(scene.library.get(Power, what).name) if scene.library.has(Power, what) else what.replace("_", " ")


def _sustained(scene: Scene, who: str) -> Iterable[Use]:
    for one in scene[who].status.sustained:
        yield Use("stop_sustaining", None, one.what, f"Stop sustaining {_power_name(scene, one.what)}")


async def _stop(game: Live, who: str, use: Use) -> None:
    left = tuple([one for one in game[who].status.sustained if one.what != use.detail])
    game.emit(SustainChanged(who=who, what=f"ends {spoken(str(use.detail))}", sustained=left, cause=SUSTAIN))


def _improvable(scene: Scene, who: str) -> Iterable[Use]:
    for one in scene[who].status.sustained:
        if one.power and not one.better and improved_by(scene, one.what) is not None:
            yield Use("improve_power", None, one.what, f"Improve {_power_name(scene, one.what)}")


def improved_by(scene: Scene, power: str) -> FastHealing | None:
    """What a power gives that a check makes stronger; out of combat without one (renaissance.gap.power.list)."""
    if not scene.library.has(Power, power):
        return None
    for effect in scene.library.get(Power, power).effects:
        if isinstance(effect, While) and isinstance(effect.gives, FastHealing) and effect.gives.better:
            return effect.gives
    return None


async def _improve(game: Live, who: str, use: Use) -> None:
    """A check makes a sustained power stronger until it is no longer sustained."""
    gives = improved_by(game.scene, str(use.detail))
    if gives is None:
        return
    me = now(game.scene, who)
    goal = me.skill(gives.check)
    call = gifted_check(goal.total, me.luck, goal.penalties, me.daring)
    result = await call.by(game.seat(who), private={"luck": Seat.ACTOR}, tallies={"target": goal.tally()})
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


def _magic_in_hand(scene: Scene, who: str) -> Iterable[Use]:
    made = [effect for power in _powers(scene, who) for effect in power.effects if isinstance(effect, Explodes)]
    if not made:
        return
    held = dict.fromkeys([one.item for one in scene[who].status.belongings if one.place in (MAIN, OFF, BOTH)])
    for item in held:  # one in each hand are the same to let go
        if any(effect.weapon == item for effect in made):
            yield Use("explode", None, item, f"Let {item.replace('_', ' ')} explode in the hand")
    for effect in made:
        lies = own_fire(scene, who, effect.weapon)
        if lies is not None:
            place = "where it lies" if lies.position is None else f"at {lies.position}"
            words = f"Let {effect.weapon.replace('_', ' ')} explode {place}"
            yield Use("explode", None, effect.weapon + GROUND, words)


async def _explode(game: Live, who: str, use: Use) -> None:
    """A ball of fire ends in a blast with its DV at the centre, in the hand or where it lies; its maker is spared."""
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
        left = take_away(status.belongings, held.item, 1, held.place, rule=POWER)
        game.emit(HandsChanged(who=who, what="lets it explode", belongings=left, cause=POWER))
    await burst(game, who, who, arm, where, 0, spared=who)
    settle(game)


def power_actions() -> Sequence[Action]:
    """The actions of this room."""
    return (
        Action(
            "use_power",
            "Use a power",
            (POWER, "renaissance.power.categories"),
            _use_power,
            (*ABLE, Requirement(POWER, _usable)),
            _uses,
            price=_price,
            price_rule=ALLOTMENT_RULE,
        ),
        Action(
            "sustain",
            "Begin to sustain",
            (SUSTAIN, "renaissance.combat.sustain_cost"),
            _sustain,
            (AWAKE, FREE_MIND),
            _sustainable,
            price=QUICK,
            price_rule=ALLOTMENT_RULE,
        ),
        Action("stop_sustaining", "Stop sustaining", (SUSTAIN,), _stop, (AWAKE,), _sustained, price=NOTHING),
        Action(
            "improve_power",
            "Improve a power",
            (SUSTAIN,),
            _improve,
            (AWAKE, FREE_MIND),
            _improvable,
            price=QUICK,
            price_rule=ALLOTMENT_RULE,
        ),
        Action("explode", "Let it explode", (POWER,), _explode, (AWAKE,), _magic_in_hand, price=NOTHING),
    )
