"""What comes after a defence: the free move of a dodge, and what powers make of a dodge, a parry or a counter."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tablewright.engine import choose
from tablewright.game.actions import Use
from tablewright.game.common import Moved
from tablewright.game.ground import Together
from tablewright.game.lasting import Lasting, TookHold
from tablewright.game.prices import Price
from tablewright.game.scene import Live, Scene
from tablewright.systems.stage.actions.common import end_of_next_turn, foes
from tablewright.systems.stage.actions.landing import land
from tablewright.systems.stage.actions.resolving import suffer, use_up_answers
from tablewright.systems.stage.chances import dice
from tablewright.systems.stage.character.figures import figures
from tablewright.systems.stage.events.fighting import Attacked, Refreshed, Spent
from tablewright.systems.stage.events.moving import CameBeside
from tablewright.systems.stage.now import Arm, affordable, arms, effects, price_of
from tablewright.systems.stage.powers import Adjust, Do, Trigger, Usable
from tablewright.systems.stage.powers import Lasting as Lasts
from tablewright.systems.stage.status import Gift, Status, adjacent, same_cube, stands
from tablewright.systems.stage.values import ATTRIBUTES
from tablewright.systems.stage.ways import Answering

MOMENTS = {"dodge": "dodged", "parry": "parried", "counter": "countered"}

STRIKES: list[Callable[[Live, str, str], Awaitable[None]]] = []
"""How a plain attack is made for the power Counter; the room of attacks puts it here, as it needs this one."""


async def after_defence(
    game: Live, target: str, by: str, answered: Answering | None, *, success: bool, school: str = ""
) -> None:
    """What follows a defence: who dodged may step within the cube, and powers that wait for it happen.

    Whoever defended for another has the benefit of their own powers, but no free move.
    (stage.power_effect.defend_other) A trap is nobody, so that nothing happens to who attacked: ``by`` is empty.
    """
    if answered is None or answered.who not in game.scene or not stands(game[answered.who]):
        return
    who = answered.who
    if answered.kind == "dodge" and who == target:
        await _step(game, who, by)
    if success and stands(game[who]):
        for one, trigger in effects(game.scene, who, Trigger):
            if trigger.at == MOMENTS[answered.kind] and (not trigger.of or {school, answered.key} & {*trigger.of}):
                await _happen(game, who, by, one, trigger)


async def _happen(game: Live, who: str, by: str, power: Usable, trigger: Trigger) -> None:
    """One power that follows a successful defence (stage.power_effect.on_defend)."""
    rule = "stage.power_effect.on_defend"
    if not by and any(getattr(then, "to", "") == "attacker" for then in trigger.then):
        return
    price = price_of(power.power)
    if price.amounts:
        if not affordable(game.scene, who, price):
            return
        use, leave = Use("power", by, power.id, label=power.power.name), Use("pass", label="Leave it")
        taken = await choose(game.seat(who), f"{power.power.name}?", [leave, use], about={"who": who, "kind": "window"})
        if taken == leave:
            return
        game.emit(Spent(who=who, price=price, on=power.power.name, cause=rule))
    gains = who
    if power.instead:
        gains = await _instead(game, who)
    for then in trigger.then:
        if isinstance(then, Lasts):
            receiver = by if then.to == "attacker" else gains
            await _lasts(game, receiver, who, power, then)
        elif isinstance(then, Do) and then.what == "temporary":
            amount = await dice(then.amount.dice, then.amount.flat).by(game.seat(who))
            game.emit(Refreshed(who=gains, track=then.of[0], amount=amount, cause=rule))
        elif isinstance(then, Do) and then.what == "damage":
            amount = await dice(then.amount.dice, then.amount.flat).by(game.seat(who))
            attribute = next(one for one in ATTRIBUTES if one in then.of)
            suffered = await suffer(game, game.seat(who), by, amount, attribute)
            result = suffered.result
            struck = Attacked(
                who=by,
                by=who,
                what=power.power.name.lower(),
                hit=True,
                damage=result.damage,
                attribute=attribute,
                block=suffered.stopped,
                ally=suffered.ally,
                paid=suffered.paid,
                lent=suffered.lent,
                cause=rule,
            )
            land(game, struck)
            use_up_answers(game, by, suffered, rule)
        elif isinstance(then, Do) and then.what == "teleport":
            await _shift(game, by if then.to == "attacker" else gains, who, rule)


async def _instead(game: Live, who: str) -> str:
    """Who has the benefit: oneself, or an ally in the same cube (stage.power_effect.bestow)."""
    side = game[who].side
    allies = [
        one.id
        for one in game.scene.participants
        if one.id != who and one.side == side and stands(one) and same_cube(game.scene, who, one.id)
    ]
    return await choose(game.seat(who), "who has the benefit?", [who, *allies], about={"of": who})


async def _lasts(game: Live, who: str, user: str, power: Usable, then: Lasts) -> None:
    for each in then.gives:
        if isinstance(each, Adjust):
            flat, pool = each.amount.flat, each.amount.dice
            held = game[who].status.held(power.id)
            if then.accumulates and held is not None and isinstance(held.data, Gift):
                flat += held.data.flat
            gift = Gift(each.on, pool, flat, each.stack, once=then.once or then.accumulates, rule=power.power.rule)
            lasting = Lasting(power.id, end_of_next_turn(game.scene, user), by=user, source=power.id, data=gift)
            if held is not None:
                lasting = Lasting(
                    power.id,
                    lasting.until,
                    degree=held.degree + 1,
                    by=user,
                    source=power.id,
                    stacks="strongest",
                    data=gift,
                )
            game.emit(TookHold(who=who, what=lasting, cause=power.power.rule))


async def _shift(game: Live, who: str, user: str, rule: str) -> None:
    """Somebody is put elsewhere in the same cube: out of everybody's reach."""
    if game[who].status.beside:
        game.emit(CameBeside(who=who, others=(), cause=rule))


# ---------------------------------------------------------------------- the free move of a dodge


async def _step(game: Live, who: str, by: str) -> None:
    """Who dodged may move within the cube; powers let them go further, or strike back instead."""
    stay = Use("stay", label="Stay")
    options = [stay, *_steps(game.scene, who, by)]
    if len(options) == 1:
        return
    told = {"who": who, "kind": "window"}
    taken = await choose(game.seat(who), "move after the dodge?", options, about=told, default=stay)
    rule = "stage.agility.dodge_rules"
    if taken.action == "step":
        others = (taken.target,) if taken.target else ()
        game.emit(CameBeside(who=who, others=others, cause=rule))
    elif taken.action == "retreat":
        game.emit(
            Spent(
                who=who,
                price=_extra_price(game.scene, who, "move"),
                on="Retreat",
                cause="stage.power_effect.dodge_extra",
            )
        )
        position = game.scene.ground.parse(str(taken.detail))
        game.emit(Moved(who=who, position=position, cause="stage.power_effect.dodge_extra"))
    elif taken.action == "strike_back":
        game.emit(
            Spent(
                who=who,
                price=_extra_price(game.scene, who, "attack"),
                on="Counter",
                cause="stage.power_effect.dodge_extra",
            )
        )
        await STRIKES[0](game, who, str(taken.target))


def _steps(scene: Scene, who: str, by: str) -> list[Use]:
    status: Status = scene[who].status
    found: list[Use] = []
    grid = scene[who].position is not None and not isinstance(scene.ground, Together)
    if grid and status.held("held") is None:
        if status.beside:
            found.append(Use("step", label="Step away"))
        found += [
            Use("step", one.id, label=f"Step next to {scene.called(one.id)}")
            for one in scene.participants
            if one.id != who and not one.hidden and stands(one) and one.position == scene[who].position
            if not adjacent(scene, who, one.id)
        ]
    for one, trigger in effects(scene, who, Trigger):
        if trigger.at != "dodging" or not affordable(scene, who, price_of(one.power)):
            continue
        what = [each.what for each in trigger.then if isinstance(each, Do)]
        if "move" in what and grid and status.held("held") is None:
            speed = figures(scene[who].character, scene.options, scene.library).speed
            here = scene[who].position
            found += [
                Use("retreat", detail=str(at), label=f"Retreat to {at}")
                for at in scene.ground.reachable(here, speed)
                if at != here
            ]
        elif "attack" in what and scene.turn != who and arm_to_strike(scene, who) is not None:
            near = [foe for foe in foes(scene, who) if adjacent(scene, who, foe.id)]
            near.sort(key=lambda foe: foe.id != by)  # whoever has attacked comes first
            found += [Use("strike_back", foe.id, label=f"Strike back at {scene.called(foe.id)}") for foe in near]
    return found


def arm_to_strike(scene: Scene, who: str) -> Arm | None:
    """The first weapon in hand for melee that has an attack left (stage.equipment.attack_rating)."""
    made = scene[who].status.attacks
    for arm in arms(scene, who):
        rating = arm.weapon.attack_rating
        if arm.melee and (rating is None or made.get(arm.weapon.id, 0) < rating):
            return arm
    return None


def _extra_price(scene: Scene, who: str, what: str) -> Price:
    for one, trigger in effects(scene, who, Trigger):
        if trigger.at == "dodging" and any(isinstance(each, Do) and each.what == what for each in trigger.then):
            return price_of(one.power)
    return Price()
