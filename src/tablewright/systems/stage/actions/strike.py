"""One strike against one target or several, with the moves that follow a defence."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from tablewright.engine import Call, Role, choose
from tablewright.engine.tally import Part
from tablewright.game.character.belongings import Belongings, remove_item
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import BelongingsChanged, Checked, Moved, Scheduled
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import Effect, EffectGained
from tablewright.game.play.movement import ask_place, has_place
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem, Scene
from tablewright.systems.stage import now
from tablewright.systems.stage.actions.aim import Blocking, Forming, Way, blocks, forms
from tablewright.systems.stage.actions.defences import Answering, defences
from tablewright.systems.stage.actions.requirements import ambushes, end_of_next_turn, foes, show_up, use_up
from tablewright.systems.stage.actions.resolution import (
    Met,
    Resolved,
    closed_dice,
    declare,
    meet,
    read_back,
    resolve,
    suffer,
    use_up_answers,
)
from tablewright.systems.stage.actions.turn import assisted, backing
from tablewright.systems.stage.character.figures import figures, first_increment, range_penalty
from tablewright.systems.stage.effects import Adjust, At, Deed, Do, Trigger, Usable, deeds
from tablewright.systems.stage.effects import Lasting as Lasts
from tablewright.systems.stage.events.fight import ApChanged, FellUnconscious, Refreshed, Spent
from tablewright.systems.stage.events.turn import CameBeside
from tablewright.systems.stage.harm import land
from tablewright.systems.stage.mechanics.attack import Answer, Protection, Purse, attack, deflecting, second_roll_of
from tablewright.systems.stage.mechanics.checks import SetResult, even_chance, parts_of, set_difficulty
from tablewright.systems.stage.mechanics.forms import Blow, Defence, Form, is_opposed
from tablewright.systems.stage.mechanics.harm import Attack, SoFar
from tablewright.systems.stage.mechanics.turn import dice
from tablewright.systems.stage.status import Gift, Status, adjacent, pay, same_cube, stands
from tablewright.systems.stage.values import ATTRIBUTES, HOUR, Attribute

MOMENTS: dict[str, At] = {"dodge": "dodged", "parry": "parried", "counter": "countered"}

STRIKES: list[Callable[[Game, str, str], Awaitable[None]]] = []
"""The plain attack of the power Counter; `actions/attack` sets it, to avoid an import cycle."""
DODGE_EXTRA = "stage.power_effect.dodge_extra"


async def after_defence(
    game: Game, target: str, by: str, answered: Answering | None, *, success: bool, school: str = ""
) -> None:
    """Effects after a defence: a step within the cube after a dodge, and powers triggered by it.

    The one who defended for another has the benefit of their own powers, but no free move.
    (stage.power_effect.defend_other) A trap is no one, so that nothing happens to who attacked: ``by`` is empty.
    """
    if answered is None or answered.who not in game.scene or not stands(game[answered.who]):
        return
    who = answered.who
    if answered.kind == "dodge" and who == target:
        await _step(game, who, by)
    if success and stands(game[who]):
        for one, trigger in now.triggers(game.scene, who, MOMENTS[answered.kind]):
            if not trigger.of or {school, answered.key} & {*trigger.of}:
                await _happen(game, who, by, one, trigger)


async def _happen(game: Game, who: str, by: str, power: Usable, trigger: Trigger) -> None:
    """One power that follows a successful defence (stage.power_effect.on_defend)."""
    rule = "stage.power_effect.on_defend"
    if not by and any(getattr(then, "to", "") == "attacker" for then in trigger.then):
        return
    price = now.price_of(power.power)
    if price.amounts:
        if not now.affordable(game.scene, who, price):
            return
        use, leave = ActionUse("power", by, power.id, label=power.power.name), ActionUse("pass", label="Leave it")
        taken = await choose(
            game.seat(who), f"{power.power.name}?", [leave, use], details={"who": who, "kind": "window"}
        )
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
            endure(game, by, who, power.power.name.lower(), attribute, suffered, rule)
        elif isinstance(then, Do) and then.what == "teleport":
            _shift(game, by if then.to == "attacker" else gains, rule)


async def _instead(game: Game, who: str) -> str:
    """The beneficiary: the user, or an ally in the same cube (stage.power_effect.bestow)."""
    side = game[who].side
    allies = [
        one.id
        for one in game.scene.participants
        if one.id != who and one.side == side and stands(one) and same_cube(game.scene, who, one.id)
    ]
    return await choose(game.seat(who), "who has the benefit?", [who, *allies], details={"of": who})


async def _lasts(game: Game, who: str, user: str, power: Usable, then: Lasts) -> None:
    for each in then.gives:
        if isinstance(each, Adjust):
            flat, pool = each.amount.flat, each.amount.dice
            held = game[who].status.held(power.id)
            if then.accumulates and held is not None and isinstance(held.data, Gift):
                flat += held.data.flat
            gift = Gift(each.on, pool, flat, each.stack, once=then.once or then.accumulates, rule=power.power.rule)
            lasting = Effect(power.id, end_of_next_turn(game.scene, user), by=user, source=power.id, data=gift)
            if held is not None:
                lasting = Effect(
                    power.id,
                    lasting.until,
                    degree=held.degree + 1,
                    by=user,
                    source=power.id,
                    stacks="strongest",
                    data=gift,
                )
            game.emit(EffectGained(who=who, what=lasting, cause=power.power.rule))


def _shift(game: Game, who: str, rule: str) -> None:
    """A character is put elsewhere in the same cube: out of everyone's reach."""
    if game[who].status.beside:
        game.emit(CameBeside(who=who, others=(), cause=rule))


# ---------------------------------------------------------------------- the free move of a dodge


async def _step(game: Game, who: str, by: str) -> None:
    """Move within the cube after a dodge; powers allow a longer move, or a counter attack instead."""
    stay = ActionUse("stay", label="Stay")
    options = [stay, *_steps(game.scene, who, by)]
    if len(options) == 1:
        return
    told = {"who": who, "kind": "window"}
    taken = await choose(game.seat(who), "move after the dodge?", options, details=told, default=stay)
    rule = "stage.agility.dodge_rules"
    if taken.action == "step":
        others = (taken.target,) if taken.target else ()
        game.emit(CameBeside(who=who, others=others, cause=rule))
    elif taken.action == "retreat":
        price = _extra_price(game.scene, who, "move")
        game.emit(Spent(who=who, price=price, on="Retreat", cause=DODGE_EXTRA))
        position = game.scene.ground.parse(str(taken.detail))
        game.emit(Moved(who=who, position=position, cause=DODGE_EXTRA))
    elif taken.action == "strike_back":
        price = _extra_price(game.scene, who, "attack")
        game.emit(Spent(who=who, price=price, on="Counter", cause=DODGE_EXTRA))
        await STRIKES[0](game, who, str(taken.target))


def _steps(scene: Scene, who: str, by: str) -> list[ActionUse]:
    status: Status = scene[who].status
    found: list[ActionUse] = []
    grid = has_place(scene, who)
    if grid and status.held("held") is None:
        if status.beside:
            found.append(ActionUse("step", label="Step away"))
        found += [
            ActionUse("step", one.id, label=f"Step next to {scene.display_name(one.id)}")
            for one in scene.participants
            if one.id != who and not one.hidden and stands(one) and one.position == scene[who].position
            if not adjacent(scene, who, one.id)
        ]
    for one, trigger in now.triggers(scene, who, "dodging"):
        if not now.affordable(scene, who, now.price_of(one.power)):
            continue
        what = [each.what for each in trigger.then if isinstance(each, Do)]
        if "move" in what and grid and status.held("held") is None:
            speed = figures(scene[who].character, scene.options, scene.library).speed
            here = scene[who].position
            found += [
                ActionUse("retreat", detail=str(at), label=f"Retreat to {at}")
                for at in scene.ground.reachable(here, speed)
                if at != here
            ]
        elif "attack" in what and scene.turn != who and arm_to_strike(scene, who) is not None:
            near = [foe for foe in foes(scene, who) if adjacent(scene, who, foe.id)]
            near.sort(key=lambda foe: foe.id != by)  # the one who has attacked comes first
            found += [
                ActionUse("strike_back", foe.id, label=f"Strike back at {scene.display_name(foe.id)}") for foe in near
            ]
    return found


def arm_to_strike(scene: Scene, who: str) -> now.Arm | None:
    """The first weapon in hand for melee that has an attack left (stage.equipment.attack_rating)."""
    made = scene[who].status.attacks
    for arm in now.arms(scene, who):
        rating = arm.weapon.attack_rating
        if arm.melee and (rating is None or made.get(arm.weapon.id, 0) < rating):
            return arm
    return None


def _extra_price(scene: Scene, who: str, what: Deed) -> Cost:
    for one, trigger in now.triggers(scene, who, "dodging"):
        if deeds(trigger.then, what):
            return now.price_of(one.power)
    return Cost()


Lent = tuple[tuple[Part, ...], tuple[Part, ...]]


class Aimed(NamedTuple):
    """An attack ready to be made: its forms, and what it meets."""

    forming: Forming
    met: Met


def aimed(scene: Scene, who: str, target: str, way: Way, lent: Lent = ((), ()), helpers: tuple[str, ...] = ()) -> Aimed:
    """An attack ready to resolve: its forms, and the target's side; ``lent`` are dice and flat bonuses of helpers.

    ``helpers`` are those who assist the target.
    """
    arm, apart, ambush = way.arm, now.distance(scene, who, target), ambushes(scene, who, target)
    added: list[Part] = [*lent[0], *[part for part in way.extra if part.kind != "penalty"]]
    flat: list[Part] = [*lent[1], *[part for part in way.extra if part.kind == "penalty"]]
    if not arm.melee:
        increment = arm.weapon.increment or 1
        doubled = now.doublings(scene, who, arm, target)
        far = Part("range", -range_penalty(apart, increment, doubled), "stage.equipment.range_increment", "penalty")
        added.append(far)
        ambush = ambush and apart <= first_increment(increment, doubled)
    if now.higher(scene, who, target):
        flat.append(Part("high ground", 1, "stage.terrain.high_ground", "mundane"))
    if way.second is not None:
        bonus = way.second.weapon.bonus
        added.append(Part(way.second.weapon.name, bonus.dice, "stage.power_effect.attack_form", "mundane"))
        flat.append(Part(way.second.weapon.name, bonus.flat, "stage.power_effect.attack_form", "mundane"))
    forming = forms(
        scene,
        who,
        arm,
        target,
        dice=tuple(added),
        flat=tuple(flat),
        moments=(*way.moments, "ambush_hit") if ambushes(scene, who, target) else way.moments,
        bonus=way.bonus or arm.weapon.non_lethal,
        skill=way.skill,
    )
    hard = now.hit_difficulty(scene, target, who, missile=not arm.melee)
    in_melee = arm.melee or adjacent(scene, who, target)
    defending = defences(scene, target, who, melee=in_melee, ambush=ambush, cover=hard.cover, helpers=helpers)
    blocking = Blocking() if way.carries else blocks(scene, target, way.attribute, ambush=ambush, helpers=helpers)
    return Aimed(forming, Met(hard, defending, blocking, now.resistance_of(scene, target, way.attribute)))


async def strike(game: Game, who: str, target: str, way: Way, cause: str) -> Attack | None:
    """One attack, from the forms it can take to what is lost; None where the dark made it fail."""
    if await fails_in_the_dark(game, who, way.arm.key):
        return None
    lent = await assisted(game, who, way.arm.key, way.ap, target, skill=way.skill)
    declare(game, who, target, way.arm.weapon.name.lower(), cause)
    helpers = await backing(game, target)
    forming, met = aimed(game.scene, who, target, way, lent, helpers)
    offered = forming.forms
    if way.carries:  # all dice reach for the victim, who is moved rather than hurt (stage.brawl.grapple)
        offered = tuple([form._replace(own_second=0, extra=0, other=0) for form in offered])
    skill = forming.rolled.skill
    resolved = await resolve(game, game.seat(who), target, offered, met, by=who, skill=skill)
    chosen = forming.powers.get(resolved.announced, ())
    before = await _land(game, who, target, way, chosen, resolved, cause)
    use_up(game, who, (forming.opposed if is_opposed(resolved.result.defence) else forming.rolled).once, cause)
    await _afterwards(game, who, target, way, resolved, before)
    return resolved.result


async def _land(
    game: Game,
    who: str,
    target: str,
    way: Way,
    chosen: tuple[Usable, ...],
    resolved: Resolved,
    cause: str,
    *,
    first: bool = True,
) -> Status:
    """Record the result of an attack and its prices; returns the target's state when the damage arrived.

    The ``first`` target of a swing counts as one more attack with the weapon (stage.equipment.attack_rating), and
    what was announced for it is paid there.
    """
    result, ambush = resolved.result, ambushes(game.scene, who, target)
    struck = resolved.attacked(
        target,
        who,
        way.arm.weapon.name.lower(),
        cause,
        damage=0 if way.carries else result.damage,
        attribute=way.attribute,
        form=result.form.removeprefix("plain").removeprefix("+"),
        defence=result.defence,
        weapon=way.arm.weapon.id if first else "",
        spent=(now.announced(chosen) if first else Cost()) + resolved.again,
        non_lethal=way.non_lethal,
        botch=result.botch,
    )
    before = land(game, struck)
    if result.other and not game[target].status.dead:
        await _besides(game, who, target, chosen, result, ambush=ambush)
    show_up(game, who, "stage.attack.ambush")
    use_up_answers(game, target, resolved, cause)
    return before


async def _besides(
    game: Game, who: str, target: str, chosen: tuple[Usable, ...], result: Attack, *, ambush: bool
) -> None:
    """Damage of another kind that a power deals besides: a packet of its own (stage.power_effect.extra_damage)."""
    attribute = await _other_kind(game, who, chosen)
    suffered = await suffer(game, game.seat(who), target, result.other, attribute, result, ambush=ambush)
    what = " and ".join([one.power.name.lower() for one in chosen])
    endure(game, target, who, what, attribute, suffered, "stage.power_effect.extra_damage")


def endure(game: Game, who: str, by: str, what: str, attribute: Attribute, suffered: Resolved, cause: str) -> None:
    """Damage lands that was blocked as far as it could be, and is a hit without a roll."""
    land(game, suffered.attacked(who, by, what, cause, hit=True, attribute=attribute))
    use_up_answers(game, who, suffered, cause)


# ---------------------------------------------------------------------- one swing for everyone in reach


async def sweep(game: Game, who: str, targets: list[str], way: Way, cause: str) -> None:
    """One first roll against everyone's Hit Difficulty, one second roll for all who are hit.

    Form and split are fixed first, then everyone defends, then the dice are rolled (stage.power_effect.attack_form).
    """
    if not targets or await fails_in_the_dark(game, who, way.arm.key):
        return
    lent = await assisted(game, who, way.arm.key, way.ap, targets[0])
    forming, first = aimed(game.scene, who, targets[0], way, lent)
    unaware = [target for target in targets if ambushes(game.scene, who, target)]
    rules = now.check_rules(game.scene)
    for target in targets:
        declare(game, who, target, way.arm.weapon.name.lower(), cause)
    blow = await _swung(game, who, forming.forms, first)
    answers: dict[str, Answer] = {}
    meetings: dict[str, Met] = {}
    backed: dict[str, tuple[str, ...]] = {}
    for target in targets:
        backed[target] = helpers = await backing(game, target)
        owing = _owing(game.scene, meetings, answers)
        meetings[target] = met = aimed(owing, who, target, way, helpers=helpers).met
        answers[target] = await meet(game, game.seat(who), target, blow, met)
    resisted = any(is_opposed(answer.defence) for answer in answers.values())
    if resisted:  # one check for all: the defender makes it an opposed one
        blow = blow.against(Defence("dodge", 1))
    swing = set_difficulty(blow.first_dice, blow.first, blow.form.untrained, rules.botch_fails, "any_check")
    rolled: SetResult = await swing.by(game.seat(who))
    fails = rolled.botch and rules.botch_fails
    hit = [target for target in targets if rolled.result >= answers[target].needed and not fails]
    dealt = other = 0
    if hit:
        damage = second_roll_of(blow.second_dice, blow.second, blow.form.extra, rules.empty_second_roll)
        dealt = await damage.by(game.seat(who))
        if blow.form.other:  # stage.power_effect.extra_damage
            other = await dice(blow.form.other).by(game.seat(who))
    chosen = forming.powers.get(blow.form.name, ())
    for target in targets:
        answer, owing = answers[target], _owing(game.scene, meetings, answers)
        met = meetings.pop(target)
        if met.blocking.ally or met.blocking.blocks or met.blocking.absorptions:
            stopping = blocks(owing, target, way.attribute, ambush=target in unaware, helpers=backed[target])
            met = met._replace(blocking=stopping)
        so_far = SoFar(target in hit, 0, 0, blow.form.name, answer.defence, botch=rolled.botch, ap=answer.ap)
        so_far = so_far._replace(other=other if target in hit else 0, rerolled=answer.rerolled)
        result: Attack = so_far
        if target in hit:
            shield = met.shield(owing, target, Answer(0, "", 0, 0))
            helper = game.seat(met.helper) if met.helper else None
            private = dict.fromkeys(closed_dice(game.scene, target), Role.OPPONENT)
            result = await deflecting(dealt, blow.form.ignores, shield, so_far).by(
                game.seat(who), game.seat(target), against_ally=helper, private=private
            )
        resolved = read_back(game.scene, result, met)
        first_of_all = target == targets[0]
        before = await _land(game, who, target, way, chosen, resolved, cause, first=first_of_all)
        await _afterwards(game, who, target, way, resolved, before)
    use_up(game, who, (forming.opposed if resisted else forming.rolled).once, cause)


def _owing(scene: Scene, meetings: Mapping[str, Met], answers: Mapping[str, Answer]) -> Scene:
    """The scene as it is once those who have answered a swing and are not reached yet have paid for that."""
    for target, met in meetings.items():
        if target in answers:
            scene = pay(scene, met.payer(target, answers[target]), met.price(scene, target, answers[target]).amounts)
    return scene


async def _swung(game: Game, who: str, offered: tuple[Form, ...], met: Met) -> Blow:
    """The form and the split of a swing, chosen by what it would do to the first target."""
    rules = now.check_rules(game.scene)
    seat, about = game.seat(who), {"of": who}

    def alone(form: Form) -> Call[Any]:
        target = met.target._replace(defences=())
        return attack((form,), target, Protection(met.resistance), Purse(left=0), rules)

    form = offered[0]
    if len(offered) > 1:
        form = await choose(seat, "how to attack", offered, details=about, leads_to=alone)
    pool, lost = max(1, form.dice), sum(form.penalties)
    first, second = form.first, form.second
    if rules.flat_penalty_roll == "second":
        second -= lost
    else:
        first -= lost
    on_first = sum(form.bonuses)
    if form.bonuses:
        on_first = await choose(
            seat, "flat bonuses on the first roll", parts_of(form.bonuses), details=about, default=on_first
        )
    first, second = first + on_first, second + sum(form.bonuses) - on_first

    def split(number: int) -> Call[Any]:
        rest = {"bonuses": (), "penalties": (), "first": first, "second": second}
        return alone(form._replace(dice=number, own_second=pool - number, **rest))  # type: ignore[arg-type]

    first_dice = await choose(seat, "dice for the first roll", range(1, pool + 1), details=about, leads_to=split)
    return Blow(form, first_dice, pool - first_dice, first, second)


# ---------------------------------------------------------------------- what it leaves behind


async def _other_kind(game: Game, who: str, chosen: tuple[Usable, ...]) -> Attribute:
    """Let the attacker choose the kind of additional damage of a power."""
    kinds: set[str] = set()
    for one in chosen:
        for effect in one.effects:
            if isinstance(effect, Trigger):
                kinds.update([kind for each in effect.then if isinstance(each, Do) for kind in each.of])
    offered: list[Attribute] = [kind for kind in ATTRIBUTES if kind in kinds and kind != "body"] or ["mind"]
    return await choose(game.seat(who), "which damage?", offered, details={"of": who})


async def fails_in_the_dark(game: Game, who: str, what: str) -> bool:
    """In darkness what needs sight fails on 1 to 3 of a die (stage.environment.darkness)."""
    if not game.scene.facts.get("darkness", who):
        return False
    if await even_chance().by(game.seat(who)):
        game.emit(Checked(who=who, what=what, result="it is too dark", cause="stage.environment.darkness"))
        return True
    return False


async def _afterwards(game: Game, who: str, target: str, way: Way, resolved: Resolved, before: Status) -> None:
    """Aftermath of an attack: ammunition, thrown weapons, a knock-out, lost AP, a hold; then the defender's reactions.

    ``before`` is how the target was when the damage arrived, after it had paid for defending itself.
    """
    result = resolved.result
    spend_ammunition(game, who, target, way.arm)
    if result.hit and way.non_lethal and result.damage and not before.unconscious:
        stamina = before.stamina + before.temporary.get("stamina", 0)
        overflow = result.damage > stamina and game.scene.options.knockout_on_overflow
        if (stamina <= 0 or overflow) and not game[target].status.dead:
            hours = await dice(1).by(game.seat(who))
            rule = "stage.attack.non_lethal_rules"
            game.emit(FellUnconscious(who=target, how="knocked out", cause=rule))
            game.emit(Scheduled(what="wake", who=target, after=hours * HOUR, cause=rule))
    if result.hit and way.power is not None and _strips(way.power) and game[target].status.able:
        rule = "stage.power_effect.ap_strip"
        game.emit(ApChanged(who=target, amount=-game[target].status.ap, cause=rule))
    if result.hit and way.held and game[target].status.able:
        await _hold(game, who, target, carried=way.carries)
    if target in game.scene and game[target].present:
        await after_defence(game, target, who, resolved.answered, success=not result.hit)


def _strips(power: Usable) -> bool:
    return any(isinstance(effect, Trigger) and deeds(effect.then, "lose_ap") for effect in power.effects)


async def _hold(game: Game, who: str, target: str, *, carried: bool) -> None:
    """A grapple: the victim's AP are gone and it is held through the end of its next turn, here or a cube away."""
    rule = "stage.brawl.grapple"
    if game[target].status.ap:
        game.emit(ApChanged(who=target, amount=-game[target].status.ap, cause=rule))
    held = Effect("held", end_of_next_turn(game.scene, target), by=who)
    game.emit(EffectGained(who=target, what=held, cause=rule))
    here = game[target].position
    if not carried or here is None or not has_place(game.scene, target):
        return
    there = await ask_place(game, who, game.scene.ground.reachable(here, 1), {"of": target}, last=True)
    if there != here:
        for one in (target, who):
            game.emit(Moved(who=one, position=there, cause=rule))
    game.emit(CameBeside(who=who, others=(target,), cause=rule))


def spend_ammunition(game: Game, who: str, target: str, arm: now.Arm) -> None:
    """A shot uses up its ammunition, but for a craft's weapon; a thrown weapon lies where the target is."""
    mine: Belongings = game[who].status.belongings
    if arm.carried is not None and arm.key == "ranged_combat.attack" and arm.weapon.ammunition is not None:
        left = remove_item(mine, arm.weapon.ammunition, rule="stage.ranged_combat.attack")
        what = f"uses up {arm.weapon.ammunition.replace('_', ' ')}"
        game.emit(BelongingsChanged(who=who, what=what, belongings=left, cause="stage.ranged_combat.attack"))
    elif arm.thrown and arm.carried is not None and arm.carried in mine:
        left = remove_item(mine, arm.weapon.id, place=arm.carried.place, rule="stage.athletics.throw")
        lying = LooseItem(arm.weapon.id, who, arm.carried.left, game[target].position)
        what = f"throws {arm.weapon.name.lower()}"
        game.emit(
            BelongingsChanged(who=who, what=what, belongings=left, laid_down=(lying,), cause="stage.athletics.throw")
        )
