"""Consequences of damage in play: falling, dying, burning, recovering consciousness.

Everything here reads the scene again after every event, so that it can go on from any scene.
"""

from __future__ import annotations

from tablewright.engine import Role
from tablewright.engine.request import EVERYONE
from tablewright.game.ground.position import Position
from tablewright.game.play.common_events import Revealed, TimePassed
from tablewright.game.play.effects import Duration, Effect, EffectEnded, EffectGained, for_ticks, until_turn_of
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.renaissance.character.figures import given, of_kind
from tablewright.systems.renaissance.content import Condition, StressSource, Weapon
from tablewright.systems.renaissance.effects import FastHealing
from tablewright.systems.renaissance.events.fight import Hurt, Stressed, apply
from tablewright.systems.renaissance.events.recovery import Healed
from tablewright.systems.renaissance.mechanics.attack import Table
from tablewright.systems.renaissance.mechanics.harm import Blow, Body, FightRules, InjuryRules, Means, hurt
from tablewright.systems.renaissance.mechanics.turn import Mind, Strained, stress
from tablewright.systems.renaissance.now import Now, adjacent, now, now_of, vulnerability_of
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.status import (
    ASSISTED,
    BURNING,
    COVERED,
    GRABBED,
    PRONE,
    STUNNED,
    UNAWARE,
    Status,
    numbers_with,
    stands,
)
from tablewright.systems.renaissance.values import DV

STRESS = "renaissance.stress.track"
UNNOTICED = "renaissance.attack.unaware"
TURN_SECONDS = 3  # renaissance.combat.turn_length
FAST_HEALING, GRAB_ENDS = "renaissance.gap.state.fast_healing", "renaissance.gap.state.grabbed"


def seen_by(participant: Participant) -> str:
    """Audience of a participant's own rolls: everyone, or the owner alone while hidden."""
    return participant.seat if participant.hidden else EVERYONE


@cached_by_identity
def injury_rules_of(options: RenaissanceOptions) -> InjuryRules:
    """Options of a table about damage."""
    return InjuryRules(*[getattr(options, name) for name in InjuryRules._fields])


def clash_rules(scene: Scene) -> FightRules:
    """Options of the table about an attack that meets a defence."""
    return table_of(scene.options).rules


@cached_by_identity
def table_of(options: RenaissanceOptions) -> Table:
    """Options of a table about attacks."""
    rules = FightRules(*[getattr(options, name) for name in FightRules._fields])
    return Table(options.luck_per_check, rules, injury_rules_of(options))


def is_dead(scene: Scene, who: str, damage: int) -> bool:
    """True if so much damage kills (renaissance.injury.damage_track); those who are down sustain nothing."""
    one = scene[who]
    status: Status = one.status
    if damage < status.durability:
        return False
    down = evolve(status, sustained=()) if status.sustained else status
    return damage >= numbers_with(one.character, down, scene.library).DR


async def suffer(
    game: Game,
    who: str,
    dv: DV,
    by: str,
    *,
    cause: str,
    armor: bool = False,
    ap: int = 0,
    less: int = 0,
    vulnerability: int = 0,
    doer: str | None = None,
) -> int:
    """Deal damage that is no attack, perhaps by another participant's doing; returns the damage taken.

    Whatever its source, it follows the rules of injury (renaissance.injury.uniform).
    """
    participant = game[who]
    status: Status = participant.status
    if status.dead:
        return 0
    me = now(game.scene, who)
    balance = me.number("SOM*3")
    body = Body(
        me.numbers.armor if armor else 0,
        me.numbers.WT,
        None if status.has(PRONE) else balance.total,
        balance.penalties,
        me.wounds_to_negate,
        max(0, status.durability - status.damage),
    )
    means = Means(me.felt.luck, me.daring, game.scene.options.luck_per_check)
    call = hurt(Blow(dv, ap, False, vulnerability), body, means, less, False, injury_rules_of(game.scene.options))
    private = {"luck": Role.ACTOR, "left": Role.ACTOR}
    result = await call.by(participant.seat, audience=seen_by(participant), private=private)
    status = game[who].status
    dead = is_dead(game.scene, who, status.damage + result.damage)
    game.emit(
        Hurt(
            who=who,
            by=by,
            damage=result.damage,
            wounds=result.wounds,
            prone=result.prone,
            dead=dead,
            luck=result.luck,
            doer=doer,
            to=seen_by(game[who]),
            cause=cause,
        )
    )
    return int(result.damage)


# ---------------------------------------------------------------------- stress


async def strain(game: Game, who: str, source: StressSource) -> Strained | None:
    """Apply a source of stress: the check to resist it, the stress and its consequences (renaissance.stress.resist)."""
    participant = game[who]
    status: Status = participant.status
    me = now(game.scene, who)
    if "stress" in me.numbers.immune or status.dead:
        return None
    goal = me.number(str(source.resist), "stress", source.id).plus(me.hardened(source.id))
    nerves = me.number("WIL*3")  # against being stunned: it is no resistance to stress
    options = game.scene.options
    mind = Mind(me.numbers.TT, nerves.total, goal.penalties, me.traumas_to_negate)
    means = Means(me.felt.luck, me.daring, options.luck_per_check)
    halved = source.on_success == "half"
    call = stress(source.sv, goal.total, halved, mind, means, options.stress_boundary, options.wound_check)
    private = {"luck": Role.ACTOR}
    result: Strained = await call.by(
        participant.seat, audience=seen_by(participant), private=private, tallies={"target": goal.tally()}
    )
    status = game[who].status
    total = status.stress + result.stress
    numbers = now(game.scene, who).numbers
    strict = game.scene.options.stress_boundary == "over"
    game.emit(
        Stressed(
            who=who,
            by=source.id,
            stress=result.stress,
            traumas=result.traumas,
            overwhelmed=result.stress > 0 and (total > numbers.LUC if strict else total >= numbers.LUC),
            insane=result.stress > 0 and (total > numbers.IR if strict else total >= numbers.IR),
            luck=result.luck,
            to=seen_by(game[who]),
            cause=STRESS,
        )
    )
    if result.stunned:
        held = Effect(STUNNED, stun(game.scene, who))
        game.emit(EffectGained(who=who, what=held, cause="renaissance.stress.trauma_stun"))
    return result


def stun(scene: Scene, who: str) -> Duration:
    """Until the end of the own next turn; where no one takes turns, for the three seconds of one."""
    return until_turn_of(scene, who, edge="end") if in_combat(scene) else for_ticks(scene, TURN_SECONDS)


def in_combat(scene: Scene) -> bool:
    """True if turns are taken."""
    return bool(scene.order) and scene.ended is None


# ---------------------------------------------------------------------- what every attack ends


def come_into_view(game: Game, who: str) -> None:
    """Reveal an attacker who was hidden."""
    if game[who].hidden:
        game.emit(Revealed(who=who, cause=UNNOTICED))


def has_been_attacked(game: Game, who: str, *, by: str = "") -> None:
    """Make the target of an attack aware, and use up the assistance of the attacker."""
    for id_, whom, cause in ((UNAWARE, who, UNNOTICED), (ASSISTED, by, "renaissance.modifier.assist")):
        for held in game[whom].status.lasting if whom else ():
            if held.id == id_:
                game.emit(EffectEnded(who=whom, what=held, cause=cause))


# ---------------------------------------------------------------------- what happens by itself


def settle(game: Game) -> None:
    """End holds whose holder cannot hold any more, and cover for those who have left the smoke.

    The rules are renaissance.gap.state.grabbed and renaissance.gap.hazard.cover.
    """
    scene = game.scene
    for one in scene.participants:
        if not one.status.lasting:
            continue
        for held in one.status.lasting:
            if held.id == GRABBED and not _holds(scene, held.by, one.id):
                game.emit(EffectEnded(who=one.id, what=held, cause=GRAB_ENDS))
            elif held.id == COVERED and not _in_smoke(scene, one, str(held.data or "")):
                game.emit(EffectEnded(who=one.id, what=held, cause="renaissance.gap.hazard.cover"))


def _in_smoke(scene: Scene, one: Participant, smoke: str) -> bool:
    """True if a participant is still in the smoke, given as x,y,radius."""
    if not smoke or one.position is None:
        return True
    x, y, radius = map(int, smoke.split(","))
    return int(scene.ground.distance(Position(x, y), one.position)) <= radius


def _holds(scene: Scene, by: str, who: str) -> bool:
    if by not in scene or not stands(scene[by]) or not scene[who].present:
        return False
    return not scene[by].status.has(STUNNED) and adjacent(scene, by, who)


def begins_with_something(scene: Scene, who: str) -> bool:
    """True if anything happens by itself as a turn begins that has not happened yet."""
    status: Status = scene[who].status
    if status.dead or status.turn.begun or sum(status.spent.values()) > bool(status.sustained):
        return False
    if status.lasting and status.has(BURNING):
        return True
    return status.damage > 0 and fast_healing(now(scene, who), scene, who) > 0


FLAMES = ("fire",)


def burns_with(scene: Scene, held: Effect) -> Weapon | None:
    """The thrown weapon behind a burning effect; None for a plain fire."""
    found: Weapon | None = scene.library.get(Weapon, held.source) if scene.library.has(Weapon, held.source) else None
    return found


def is_washed_off(weapon: Weapon) -> bool:
    """True if it is an acid, which is washed off, and no fire."""
    return weapon.area is not None and weapon.area.put_out == "washed"


async def turn_begins(game: Game, who: str) -> None:
    """Apply the start of a turn: fire and acid do their damage, Fast Healing heals."""
    status: Status = game[who].status
    for held in status.lasting:
        if held.id == BURNING:
            weapon = burns_with(game.scene, held)
            name = weapon.name.lower() if weapon is not None and is_washed_off(weapon) else "fire"
            tags = FLAMES if weapon is None else weapon.tags
            matching = vulnerability_of(now(game.scene, who), tags)
            dv, cause = _fire_damage(game.scene, held), "renaissance.gap.hazard.fire"
            await suffer(game, who, dv, name, cause=cause, vulnerability=matching, doer=held.by or None)
    _fast_heal(game, who)


def _fire_damage(scene: Scene, held: Effect) -> DV:
    """DV of a fire: its own, or that of the condition in the content."""
    if held.data:
        return DV.parse(str(held.data))
    known = scene.library.get(Condition, BURNING).dv if scene.library.has(Condition, BURNING) else None
    return DV(1) if known is None else known


def _fast_heal(game: Game, who: str) -> None:
    """Fast Healing: so much damage for each turn (renaissance.healing.fast_healing_ref)."""
    status: Status = game[who].status
    if not status.damage or status.dead:
        return
    amount = fast_healing(now(game.scene, who), game.scene, who)
    if amount:
        left = max(0, status.damage - amount)
        game.emit(Healed.of(who, status, "heals", FAST_HEALING, damage=left))


@apply.after(TimePassed)
def _time_passed(scene: Scene, event: TimePassed) -> Scene:
    """Fast Healing goes on outside of combat, a turn's worth every three seconds; in combat it waits for the turn."""
    if in_combat(scene):
        return scene
    turns = scene.clock.now // TURN_SECONDS - (scene.clock.now - event.amount) // TURN_SECONDS
    for one in scene.participants:
        status: Status = one.status
        if status.damage and not status.dead and one.present:
            amount = turns * fast_healing(now_of(scene, one), scene, one.id)
            if amount:
                scene = scene.with_status(one.id, damage=max(0, status.damage - amount))
    return scene


def fast_healing(me: Now, scene: Scene, who: str) -> int:
    """Damage healed each turn; some creatures heal only while they are buried."""
    amount = me.numbers.fast_healing
    if scene.facts.entries and scene.facts.get("buried", who) is not None:
        amount += sum([one.amount for one, _ in of_kind(FastHealing, given(me.character, me.library)) if one.buried])
    return amount
