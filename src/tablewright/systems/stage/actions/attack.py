"""Attacks: plain ones, power attacks, charges, snipes, non-lethal ones, grapples; one mechanic and one event each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tablewright.engine import choose
from tablewright.engine.tally import Part
from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.belongings import Belongings, take_away
from tablewright.game.common import BelongingsChanged, Checked, Moved, Scheduled
from tablewright.game.ground import Position, Together
from tablewright.game.lasting import Lasting, TookHold
from tablewright.game.lying import Lying
from tablewright.game.scene import Live, Scene
from tablewright.systems.stage.actions.after import STRIKES, after_defence
from tablewright.systems.stage.actions.aiming import (
    LOADED,
    MELEE,
    MISSILES,
    RATING,
    REACH,
    TWO,
    TWO_WEAPONS,
    Way,
    attack_price,
    plain_attacks,
    price_to_subdue,
    price_words,
    second_arm,
    split_detail,
    three_ap,
    way_of,
    ways_with,
)
from tablewright.systems.stage.actions.assisting import assisted
from tablewright.systems.stage.actions.common import (
    ABLE,
    ADJACENT,
    EXPOSED,
    STANDS,
    ambushes,
    end_of_next_turn,
    foes,
    show_up,
    use_up,
)
from tablewright.systems.stage.actions.resolving import Met, resolve
from tablewright.systems.stage.chances import dice, even_chance
from tablewright.systems.stage.character.figures import figures, first_increment, range_penalty
from tablewright.systems.stage.events.fighting import ApChanged, Attacked, FellUnconscious
from tablewright.systems.stage.events.moving import CameBeside
from tablewright.systems.stage.fighting import Attack
from tablewright.systems.stage.harm import most
from tablewright.systems.stage.now import (
    Arm,
    announced,
    arms,
    distance,
    doublings,
    effects,
    higher,
    hit_difficulty,
    powers,
    resistance_of,
)
from tablewright.systems.stage.powers import Do, Permit, Trigger, Usable
from tablewright.systems.stage.status import Status, adjacent
from tablewright.systems.stage.times import HOUR
from tablewright.systems.stage.values import ATTRIBUTES, CORE, SURFACE, Attribute
from tablewright.systems.stage.ways import blocks, defences, forms

# ---------------------------------------------------------------------- doing it


async def _attack(game: Live, who: str, use: Use) -> None:
    way = way_of(game.scene, who, use)
    if way is None:
        return
    everybody = False
    if way.power is not None:
        for effect in way.power.effects:
            if isinstance(effect, Permit) and effect.what == "attack_all_in_reach":
                everybody = True
            elif isinstance(effect, Permit) and effect.what == "two_weapons":
                second = second_arm(game.scene, who, way.arm)
                rule = "stage.power_effect.attack_form"
                penalty = Part(way.power.power.name, -effect.penalty_flat, rule, "penalty")
                way = way._replace(second=second, extra=(penalty,))
        chosen = split_detail(use.detail)[1].partition("=")[2]
        if chosen in ("mind", "soul"):
            way = way._replace(attribute=chosen)  # type: ignore[arg-type]
    if everybody:
        for target in [
            one.id for one in game.scene.participants if one.id != who and adjacent(game.scene, who, one.id)
        ]:
            if game[target].present and game[target].status.able and game[who].status.able:
                await strike(game, who, target, way, "stage.power_effect.attack_form")
        return
    await strike(game, who, str(use.target), way, "stage.attack.procedure")


async def strike(game: Live, who: str, target: str, way: Way, cause: str) -> Attack | None:
    """One attack, from the forms it can take to what is lost; None where the dark made it fail."""
    if await fails_in_the_dark(game, who, target, way.arm.key):
        return None
    helping, lent_flat = await assisted(game, who, target, way.arm, way.ap)
    scene = game.scene
    arm, me, foe = way.arm, scene[who], scene[target]
    apart = distance(scene, who, target)
    ambush = ambushes(scene, who)
    added: list[Part] = [*helping, *[part for part in way.extra if part.kind != "penalty"]]
    flat: list[Part] = [*lent_flat, *[part for part in way.extra if part.kind == "penalty"]]
    if not arm.melee:
        increment = arm.weapon.increment or 1
        doubled = doublings(scene, who, arm, target)
        far = Part("range", -range_penalty(apart, increment, doubled), "stage.equipment.range_increment", "penalty")
        added.append(far)
        ambush = ambush and apart <= first_increment(increment, doubled)
    if higher(scene, who, target):
        flat.append(Part("high ground", 1, "stage.terrain.high_ground", "mundane"))
    if way.second is not None:
        bonus = way.second.weapon.bonus
        added.append(Part(way.second.weapon.name, bonus.dice, "stage.power_effect.attack_form", "mundane"))
        flat.append(Part(way.second.weapon.name, bonus.flat, "stage.power_effect.attack_form", "mundane"))
    moments = (*way.moments, "ambush_hit") if ambushes(scene, who) else way.moments
    forming = forms(
        scene,
        who,
        arm,
        target,
        dice=tuple(added),
        flat=tuple(flat),
        moments=moments,
        ambush=ambush,
        bonus=way.bonus or arm.weapon.non_lethal,
    )
    hard = hit_difficulty(scene, target, who, missile=not arm.melee)
    in_melee = arm.melee or adjacent(scene, who, target)
    defending = defences(scene, target, who, melee=in_melee, ambush=ambush, cover=hard.cover)
    blocking = blocks(scene, target, way.attribute, ambush=ambush)
    met = Met(hard, defending, blocking, resistance_of(scene, target, way.attribute))
    skill = forming.rolled.skill
    result, paid, lent, ally, again = await resolve(game, me.seat, target, forming.forms, met, by=who, skill=skill)
    chosen = forming.powers.get(result.form, ())
    other: Attribute = await _other_kind(game, who, chosen) if result.other else "mind"
    game.emit(
        Attacked(
            who=target,
            by=who,
            what=arm.weapon.name.lower(),
            hit=result.hit,
            damage=result.damage,
            attribute=way.attribute,
            other=result.other,
            other_attribute=other,
            form="" if result.form == "plain" else result.form,
            defence=result.defence,
            block="+".join([word for word in (result.deflected, result.block, result.absorbed) if word]),
            ally=ally,
            weapon=arm.weapon.id,
            paid=paid,
            spent=announced(chosen) + again,
            lent=lent,
            non_lethal=way.non_lethal,
            survived=survives(game.scene, target, way.attribute, result.damage),
            botch=result.botch,
            cause=cause,
        )
    )
    show_up(game, who, "stage.attack.ambush")
    use_up(game, who, arm.key, target, cause)
    await _afterwards(game, who, target, way, result, foe.status)
    return result


async def _other_kind(game: Live, who: str, chosen: tuple[Usable, ...]) -> Attribute:
    """Which of the kinds of damage a power deals besides: the attacker chooses."""
    kinds: set[str] = set()
    for one in chosen:
        for effect in one.effects:
            if isinstance(effect, Trigger):
                kinds.update([kind for each in effect.then if isinstance(each, Do) for kind in each.of])
    offered: list[Attribute] = [kind for kind in ATTRIBUTES if kind in kinds and kind != "body"] or ["mind"]
    return await choose(game.seat(who), "which damage?", offered, about={"of": who})


def survives(scene: Scene, who: str, attribute: Attribute, damage: int) -> str:
    """The power that keeps the last core point this once today, where damage would take it."""
    status: Status = scene[who].status
    core, surface = CORE[attribute], SURFACE[attribute]
    through = damage - getattr(status, surface) - status.temporary.get(surface, 0)
    if through < getattr(status, core) or getattr(status, core) <= 0:
        return ""
    for one, trigger in effects(scene, who, Trigger):
        spare = status.day.used.get(one.id, 0) < max(1, trigger.per_day)
        if trigger.at == "would_reach_zero" and core in trigger.of and spare:
            return one.id
    return ""


async def fails_in_the_dark(game: Live, who: str, target: str, what: str) -> bool:
    """In darkness what needs sight fails on 1 to 3 of a die (stage.environment.darkness)."""
    if not game.scene.facts.get("darkness", who):
        return False
    if await even_chance().by(game.seat(who)):
        game.emit(Checked(who=who, what=what, result="it is too dark", cause="stage.environment.darkness"))
        return True
    return False


async def _afterwards(game: Live, who: str, target: str, way: Way, result: Attack, before: Status) -> None:
    """What an attack leaves behind: ammunition and thrown weapons, a knock-out, lost AP, a hold; then the defender."""
    _spend_ammunition(game, who, target, way.arm)
    if result.hit and way.non_lethal and result.damage and not before.unconscious:
        overflow = result.damage > before.stamina and game.scene.options.knockout_on_overflow
        if (before.stamina <= 0 or overflow) and not game[target].status.dead:
            hours = await dice(1).by(game.seat(who))
            rule = "stage.attack.non_lethal_rules"
            game.emit(FellUnconscious(who=target, how="knocked out", cause=rule))
            game.emit(Scheduled(what="wake", who=target, after=hours * HOUR, cause=rule))
    if result.hit and way.power is not None and _strips(way.power) and game[target].status.able:
        rule = "stage.power_effect.ap_strip"
        game.emit(ApChanged(who=target, amount=-game[target].status.ap, cause=rule))
    if result.hit and way.held and game[target].status.able:
        await _hold(game, who, target)
    if target in game.scene and game[target].present:
        await after_defence(game, target, who, result.defence, success=not result.hit)


def _strips(power: Usable) -> bool:
    return any(
        isinstance(each, Do) and each.what == "lose_ap"
        for effect in power.effects
        if isinstance(effect, Trigger)
        for each in effect.then
    )


async def _hold(game: Live, who: str, target: str) -> None:
    """A grapple: the victim's AP are gone and it is held in place through the end of its next turn."""
    rule = "stage.brawl.grapple"
    if game[target].status.ap:
        game.emit(ApChanged(who=target, amount=-game[target].status.ap, cause=rule))
    held = Lasting("held", end_of_next_turn(game.scene, target), by=who)
    game.emit(TookHold(who=target, what=held, cause=rule))


def _spend_ammunition(game: Live, who: str, target: str, arm: Arm) -> None:
    """A shot uses up its ammunition; a thrown weapon lies where the target is."""
    mine: Belongings = game[who].status.belongings
    if arm.key == "ranged_combat.attack" and arm.weapon.ammunition is not None:
        left = take_away(mine, arm.weapon.ammunition, rule="stage.ranged_combat.attack")
        what = f"uses up {arm.weapon.ammunition.replace('_', ' ')}"
        game.emit(BelongingsChanged(who=who, what=what, belongings=left, cause="stage.ranged_combat.attack"))
    elif arm.thrown and arm.carried is not None and arm.carried in mine:
        left = take_away(mine, arm.weapon.id, place=arm.carried.place, rule="stage.athletics.throw")
        lying = Lying(arm.weapon.id, who, arm.carried.left, game[target].position)
        what = f"throws {arm.weapon.name.lower()}"
        game.emit(
            BelongingsChanged(who=who, what=what, belongings=left, laid_down=(lying,), cause="stage.athletics.throw")
        )


# ---------------------------------------------------------------------- special attacks


def _speed(scene: Scene, who: str) -> int:
    return most(scene, who).speed


def _power_dice(scene: Scene, who: str, arm: Arm) -> Part:
    """As many dice as the speed score, at most the level in the skill (stage.attack.charge)."""
    level = scene[who].character.level(arm.key.partition(".")[0])
    return Part("power attack", min(_speed(scene, who), level), "stage.attack.charge", "mundane")


async def _power_attack(game: Live, who: str, use: Use) -> None:
    way = way_of(game.scene, who, use)
    if way is not None:
        extra = (_power_dice(game.scene, who, way.arm),)
        special = way._replace(extra=extra, moments=("hit", "charge_hit"), ap=2)
        await strike(game, who, str(use.target), special, "stage.attack.charge")


def charge_cubes(scene: Scene, who: str) -> int:
    """How far somebody charges: the speed score, and what powers add."""
    one = scene[who]
    more = 0
    for power in powers(scene, who).values():
        for effect in power.effects:
            if getattr(effect, "on", ()) == ("charge_cubes",):
                more += effect.amount.flat  # type: ignore[union-attr]
    return figures(one.character, scene.options, scene.library).speed + more


def _charge_way(scene: Scene, who: str, use: Use) -> str | None:
    """A straight way to the target that nothing slows."""
    here, there = scene[who].position, scene[str(use.target)].position
    if here is None or there is None or isinstance(scene.ground, Together):
        return "there is no way to go" if adjacent(scene, who, str(use.target)) else None
    if scene[who].status.stance != "standing":
        return f"{scene[who].status.stance}"
    if adjacent(scene, who, str(use.target)):
        return "adjacent already: that is a power attack"
    if distance(scene, who, str(use.target)) > charge_cubes(scene, who):
        return f"{use.target} is too far away"
    slowed = dict(getattr(scene.ground, "difficult", ()))
    line: tuple[Position, ...] = scene.ground.line(here, there)
    walls = getattr(scene.ground, "blocked", ())
    if any(at in slowed or at in walls for at in line):
        return "the ground is difficult"
    return "held in place" if scene[who].status.held("held") is not None else None


async def _charge(game: Live, who: str, use: Use) -> None:
    target = str(use.target)
    there = game[target].position
    if there is not None and game[who].position != there:
        game.emit(Moved(who=who, position=there, cause="stage.attack.charge"))
    game.emit(CameBeside(who=who, others=(target,), cause="stage.attack.charge"))
    await _power_attack(game, who, use)


async def _snipe(game: Live, who: str, use: Use) -> None:
    way = way_of(game.scene, who, use)
    if way is not None:
        extra = (Part("snipe", 1, "stage.attack.snipe", "mundane"),)
        special = way._replace(extra=extra, moments=("hit", "snipe_hit"), ap=2)
        await strike(game, who, str(use.target), special, "stage.attack.snipe")


async def _subdue(game: Live, who: str, use: Use) -> None:
    way = way_of(game.scene, who, use)
    if way is not None:
        special = way._replace(bonus=way.arm.weapon.natural, non_lethal=True)
        await strike(game, who, str(use.target), special, "stage.attack.non_lethal")


async def _grapple(game: Live, who: str, use: Use) -> None:
    """Damage and a hold; or the victim is carried off instead of hurt, as was said beforehand."""
    scene = game.scene
    arm = next((one for one in arms(scene, who) if one.key == "brawl.attack"), None)
    if arm is None:
        return
    way = Way(arm._replace(key="brawl.grapple"), held=True, ap=3)
    if use.detail == "carry":
        way = way._replace(non_lethal=True)
    await strike(game, who, str(use.target), way, "stage.brawl.grapple")


def _grapples(scene: Scene, who: str) -> Iterator[Use]:
    known = foes(scene, who)
    for foe in [foe for foe in known if adjacent(scene, who, foe.id)] or known[:1]:
        yield Use("grapple", foe.id, label=f"Grapple {foe.name}")


def _charges(scene: Scene, who: str) -> Iterator[Use]:
    """Whom somebody could charge; where nobody can be, one who cannot, to say why not."""
    known = foes(scene, who)
    far = charge_cubes(scene, who)
    able = [foe for foe in known if not adjacent(scene, who, foe.id) and distance(scene, who, foe.id) <= far]
    for foe in able or known[:1]:
        for arm in arms(scene, who):
            if arm.melee:
                yield Use("charge", foe.id, arm.id, label=f"Charge {foe.name}: {arm.weapon.name}")


def _with(action: str, wanted: tuple[str, ...]) -> Callable[[Scene, str], Iterator[Use]]:
    """The ways to take an action with the weapons of some applications."""
    return lambda scene, who: ways_with(action, scene, who, wanted)


ATTACK_ACTIONS = (
    Action(
        "attack",
        "Attack",
        ("stage.attack.procedure", "stage.attack.offensive", "stage.close_combat.attack", "stage.brawl.attack"),
        _attack,
        (ABLE, STANDS, REACH, EXPOSED, LOADED, RATING, TWO_WEAPONS),
        plain_attacks,
        price_words,
        price=attack_price,
        price_rule="stage.action.ap",
    ),
    Action(
        "power_attack",
        "Power attack",
        ("stage.attack.charge", "stage.attack.special"),
        _power_attack,
        (ABLE, STANDS, REACH, EXPOSED, RATING),
        _with("power_attack", MELEE),
        price=TWO,
        cost="2 AP",
        price_rule="stage.action.ap",
    ),
    Action(
        "charge",
        "Charge",
        ("stage.attack.charge",),
        _charge,
        (ABLE, STANDS, Requirement("stage.attack.charge", _charge_way), EXPOSED, RATING),
        _charges,
        price=TWO,
        cost="2 AP",
        price_rule="stage.action.ap",
    ),
    Action(
        "snipe",
        "Snipe",
        ("stage.attack.snipe",),
        _snipe,
        (ABLE, STANDS, REACH, EXPOSED, LOADED, RATING),
        _with("snipe", MISSILES),
        price=TWO,
        cost="2 AP",
        price_rule="stage.action.ap",
    ),
    Action(
        "non_lethal",
        "Subdue",
        ("stage.attack.non_lethal", "stage.attack.non_lethal_rules"),
        _subdue,
        (ABLE, STANDS, REACH, EXPOSED, RATING),
        _with("non_lethal", MELEE),
        price=price_to_subdue,
        price_rule="stage.attack.non_lethal_rules",
    ),
    Action(
        "grapple",
        "Grapple",
        ("stage.brawl.grapple",),
        _grapple,
        (ABLE, STANDS, ADJACENT, EXPOSED),
        _grapples,
        price=three_ap,
        price_rule="stage.brawl.grapple",
    ),
)


async def _strike_back(game: Live, who: str, target: str) -> None:
    """The power Counter: one plain attack with what is best at hand, in melee."""
    able = [arm for arm in arms(game.scene, who) if arm.melee]
    await strike(game, who, target, Way(able[0]), "stage.power_effect.dodge_extra")


STRIKES.append(_strike_back)
