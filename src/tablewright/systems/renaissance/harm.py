"""What harm does to somebody: damage, wounds and falling, stress and traumas, burning, bleeding, Fast Healing.

Everything here reads the scene anew after every event, so that it can go on from any scene.
"""

from __future__ import annotations

from tablewright.engine import Call, Seat
from tablewright.engine.asks import EVERYONE
from tablewright.game.common import Revealed, TimePassed
from tablewright.game.ground import Position
from tablewright.game.lasting import Lasting, TookHold, Until, WoreOff, for_time, until_turn
from tablewright.game.scene import Live, Participant, Scene, replaced
from tablewright.systems.renaissance.aiming import adjacent, vulnerability_of
from tablewright.systems.renaissance.attack import hurt
from tablewright.systems.renaissance.character.giving import given, of_kind
from tablewright.systems.renaissance.content import StressSource, Weapon
from tablewright.systems.renaissance.events import Healed, Hurt, Stressed, apply
from tablewright.systems.renaissance.grants import FastHealing
from tablewright.systems.renaissance.now import Now, now, now_of
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
from tablewright.systems.renaissance.trials import Strained, stress
from tablewright.systems.renaissance.values import DV

DAMAGE, STRESS = "renaissance.injury.uniform", "renaissance.stress.track"
UNNOTICED = "renaissance.attack.unaware"
TURN_SECONDS = 3  # renaissance.combat.turn_length
FAST_HEALING, GRAB_ENDS = "renaissance.gap.state.fast_healing", "renaissance.gap.state.grabbed"


def seen_by(participant: Participant) -> str:
    """Who sees what somebody rolls when nobody else has a part in it: whoever is hidden does so unseen."""
    return participant.seat if participant.hidden else EVERYONE


def injury_rules(scene: Scene) -> tuple[str, str, str, str]:
    """How this table reads damage: the last arguments of the mechanic."""
    options = scene.options
    return options.critical_attack, options.resistance_rule, options.wound_boundary, options.wound_check


def is_dead(scene: Scene, who: str, damage: int) -> bool:
    """Whether damage as high as this kills (renaissance.injury.damage_track): whoever is down sustains nothing."""
    one = scene[who]
    status: Status = one.status
    if damage < status.durability:
        return False
    down = replaced(status, sustained=()) if status.sustained else status
    return damage >= numbers_with(one.character, down, scene.library).DR


async def suffer(
    game: Live,
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
    """Somebody takes damage from something that is no attack, perhaps by somebody's doing; how much it was."""
    participant = game[who]
    status: Status = participant.status
    if status.dead:
        return 0
    me = now(game.scene, who)
    balance = me.number("SOM*3")
    call = Call(
        hurt,
        (
            dv,
            me.numbers.armor if armor else 0,
            ap,
            False,
            vulnerability,
            less,
            me.numbers.WT,
            None if status.has(PRONE) else balance.total,
            balance.penalties,
            me.wounds_to_negate,
            None,
            max(0, status.durability - status.damage),
            me.felt.luck,
            me.daring,
            game.scene.options.luck_per_check,
            False,
            *injury_rules(game.scene),
        ),
    )
    private = {"luck": Seat.ACTOR, "left": Seat.ACTOR}
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


async def strain(game: Live, who: str, source: StressSource, *, cause: str = STRESS) -> Strained | None:
    """Something wears on somebody's mind: resisted, taken, and what becomes of it (renaissance.stress.resist)."""
    participant = game[who]
    status: Status = participant.status
    me = now(game.scene, who)
    if "stress" in me.numbers.immune or status.dead:
        return None
    goal = me.number(str(source.resist), "stress", source.id).plus(me.hardened(source.id))
    nerves = me.number("WIL*3")  # against being stunned: that is no resisting of stress
    call = Call(
        stress,
        (
            source.sv,
            goal.total,
            source.on_success == "half",
            me.numbers.TT,
            nerves.total,
            goal.penalties,
            me.traumas_to_negate,
            me.felt.luck,
            game.scene.options.stress_boundary,
            game.scene.options.wound_check,
            me.daring,
            game.scene.options.luck_per_check,
        ),
    )
    private = {"luck": Seat.ACTOR}
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
            cause=cause,
        )
    )
    if result.stunned:
        held = Lasting(STUNNED, stun(game.scene, who))
        game.emit(TookHold(who=who, what=held, cause="renaissance.stress.trauma_stun"))
    return result


def stun(scene: Scene, who: str) -> Until:
    """Until the end of the own next turn; where nobody takes turns, for the three seconds of one."""
    return until_turn(scene, who, edge="end") if in_combat(scene) else for_time(scene, TURN_SECONDS)


def in_combat(scene: Scene) -> bool:
    """Whether turns are taken."""
    return bool(scene.order) and scene.ended is None


# ---------------------------------------------------------------------- what every attack ends


def come_into_view(game: Live, who: str) -> None:
    """Whoever attacks from hiding is hidden no more."""
    if game[who].hidden:
        game.emit(Revealed(who=who, cause=UNNOTICED))


def has_been_attacked(game: Live, who: str, *, by: str = "") -> None:
    """Once attacked, people are aware; whoever was assisted in it has had that help."""
    for id_, whom, cause in ((UNAWARE, who, UNNOTICED), (ASSISTED, by, "renaissance.modifier.assist")):
        for held in game[whom].status.lasting if whom else ():
            if held.id == id_:
                game.emit(WoreOff(who=whom, what=held, cause=cause))


# ---------------------------------------------------------------------- what happens by itself


def settle(game: Live) -> None:
    """Let go of whoever is held by somebody who cannot hold them any more, and of whoever has left the smoke.

    The rules are renaissance.gap.state.grabbed and renaissance.gap.hazard.cover.
    """
    scene = game.scene
    for one in scene.participants:
        if not one.status.lasting:
            continue
        for held in one.status.lasting:
            if held.id == GRABBED and not _holds(scene, held.by, one.id):
                game.emit(WoreOff(who=one.id, what=held, cause=GRAB_ENDS))
            elif held.id == COVERED and not _in_smoke(scene, one, str(held.data or "")):
                game.emit(WoreOff(who=one.id, what=held, cause="renaissance.gap.hazard.cover"))


def _in_smoke(scene: Scene, one: Participant, smoke: str) -> bool:
    """Whether somebody is still within the smoke, whose middle and radius are written so: x,y,radius."""
    if not smoke or one.position is None:
        return True
    x, y, radius = map(int, smoke.split(","))
    return int(scene.ground.distance(Position(x, y), one.position)) <= radius


def _holds(scene: Scene, by: str, who: str) -> bool:
    if by not in scene or not stands(scene[by]) or not scene[who].present:
        return False
    return not scene[by].status.has(STUNNED) and adjacent(scene, by, who)


def begins_with_something(scene: Scene, who: str) -> bool:
    """Whether anything happens by itself as a turn begins that has not happened yet."""
    status: Status = scene[who].status
    if status.dead or status.turn.begun or sum(status.spent.values()) > bool(status.sustained):
        return False
    if status.lasting and status.has(BURNING):
        return True
    return status.damage > 0 and fast_healing(now(scene, who), scene, who) > 0


FLAMES = ("fire",)


def burns_with(scene: Scene, held: Lasting) -> Weapon | None:
    """What burns or eats on somebody, where it came from something that was thrown."""
    found: Weapon | None = scene.library.get(Weapon, held.source) if scene.library.has(Weapon, held.source) else None
    return found


def is_washed_off(weapon: Weapon) -> bool:
    """Whether it is an acid, which is washed off, and no fire."""
    return weapon.area is not None and weapon.area.put_out == "washed"


async def turn_begins(game: Live, who: str) -> None:
    """What happens as somebody's turn begins: everything burns that does, Fast Healing closes wounds."""
    status: Status = game[who].status
    for held in status.lasting:
        if held.id == BURNING:
            weapon = burns_with(game.scene, held)
            name = weapon.name.lower() if weapon is not None and is_washed_off(weapon) else "fire"
            tags = FLAMES if weapon is None else weapon.tags
            matching = vulnerability_of(now(game.scene, who), tags)
            dv, cause = DV.parse(str(held.data or "1d10")), "renaissance.gap.hazard.fire"
            await suffer(game, who, dv, name, cause=cause, vulnerability=matching, doer=held.by or None)
    _fast_heal(game, who)


def _fast_heal(game: Live, who: str) -> None:
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
                scene = scene.change(one.id, damage=max(0, status.damage - amount))
    return scene


def fast_healing(me: Now, scene: Scene, who: str) -> int:
    """How much damage heals each turn; some heal only while they are buried."""
    amount = me.numbers.fast_healing
    if scene.facts.entries and scene.facts.get("buried", who) is not None:
        amount += sum([one.amount for one, _ in of_kind(FastHealing, given(me.character, me.library)) if one.buried])
    return amount
