"""Consequences of damage in play: falling, dying, burning, recovering consciousness."""

from __future__ import annotations

from tablewright.engine import Tally
from tablewright.game.play.effects import Effect, EffectGained, for_rounds
from tablewright.game.play.time_passage import restart_timer
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.opend6 import now
from tablewright.systems.opend6.chapters.points import PointsSpent, fate_of
from tablewright.systems.opend6.character.figures import figures
from tablewright.systems.opend6.events.attack import Hurt, Released
from tablewright.systems.opend6.events.harm import Died, DyingWentOn, Endured, SenselessFor
from tablewright.systems.opend6.mechanics.attack import Dealt, deal, deepen
from tablewright.systems.opend6.mechanics.checks import total
from tablewright.systems.opend6.mechanics.harm import MINUTE_ROUNDS, Kept, Protection
from tablewright.systems.opend6.mechanics.points import NOTHING, Mended
from tablewright.systems.opend6.status import (
    SHAKEN,
    Status,
    body_points_of,
    is_dying,
    is_here,
    is_out,
    level,
    most_body_points,
    uses_points,
)
from tablewright.systems.opend6.values import DieCode, WoundLevel

INCAPACITATED, DYING = "opend6.gap.wound.incapacitated", "opend6.gap.wound.mortally"
ZERO, KILLING, MASSIVE = "opend6.gap.body_points.zero", "opend6.gap.damage.killing_blow", "opend6.gap.damage.massive"
ENDURE, EASY = 15, 10
MOST_DYING = 15
"""Minutes after which no one who is dying can be saved."""

WAKES = "wakes"
_NOUGHT = Tally.of("rulings", 0)
MINUTE = 60
UNCONSCIOUS, UNKNOWN = DieCode(10), 100_000
"""Dice for the minutes of unconsciousness, and the mark for minutes not rolled yet."""


async def hurt(
    game: Game, who: str, damage: int, by: str, *, cause: str, stun: bool = False, sturdier: int = 0
) -> None:
    """Damage that is no attack's: resisted like any other, with everything that follows.

    ``sturdier`` is a plain number on the resistance, such as for being larger than who does it.
    """
    against = _protection(game.scene, who, sturdier, stun=stun)
    kept = await now.resisted(game, who, damage, against, stun=stun)
    if not is_here(game.scene, who):
        return
    game.emit(
        Hurt(
            who=who,
            by=by,
            level="healthy" if uses_points(game.scene) else kept.level,
            harm=kept.over > 0,
            loss=0 if stun or not uses_points(game.scene) else kept.over,
            stunned=kept.over if stun else 0,
            points=kept.points,
            fate=kept.fate,
            cause=cause,
        )
    )
    await settle(game, who, 0 if stun else kept.over, kept.over if stun else 0)


def _protection(scene: Scene, who: str, sturdier: int, *, stun: bool = False) -> Protection:
    """Resistance to damage other than an attack's: no shield counts. [opend6.gap.armour.shields]"""
    found = now.resistance_of(scene, who, stun=stun)
    return found._replace(resistance_plain=found.resistance_plain + sturdier)


async def squeeze(game: Game, who: str, holder: str, *, cause: str) -> None:
    """Deal Strength Damage to a gripped participant, with all modifiers of the one who grips."""
    one = game[holder]
    status: Status = one.status
    found, rolling = figures(one.character, game.scene.library), now.terms(game.scene, holder)
    strength = DieCode(max(1, found.strength_damage))
    fate = fate_of(game.scene, holder) if rolling.may_add_fate(status.climactic) else 0
    larger = now.larger_by(game.scene, holder, who)
    plain = max(0, larger) + game.scene.apply_rulings(_NOUGHT, "damage", holder).total
    sturdier = max(0, -larger)
    if not status.points and not fate:
        factor = rolling.factor(0, status.climactic)
        more = found.strength_bonus * factor + plain
        code = DieCode(strength.dice * factor)
        await hurt_by_roll(game, who, code, holder, holder, plain=more, sturdier=sturdier, cause=cause)
        return
    call = deal(strength, NOTHING, plain, found.strength_bonus, fate, status.climactic, rolling)
    dealt: Dealt = await call.by(one.seat, private=now.OWN_FATE, audience=now.seen_by(one))
    raised = Mended()
    left = now.left_after(game.scene, holder, dealt.fate)
    if left > 0:
        raised = await deepen(left).by(one.seat, private=now.OWN_LEFT, audience=now.seen_by(one))
    if not is_here(game.scene, who, holder):
        return
    if raised.points or dealt.fate:
        paid = PointsSpent(
            who=holder, character_points=raised.points, fate_points=dealt.fate, on="damage", cause=now.SPENT
        )
        game.emit(paid)
    await hurt(game, who, dealt.total + raised.gain, holder, sturdier=sturdier, cause=cause)


async def hurt_by_roll(
    game: Game, who: str, damage: DieCode, by: str, roller: str, *, plain: int = 0, sturdier: int = 0, cause: str
) -> None:
    """The same with damage that a character rolls; where no one minds points it is one roll with the resistance."""
    if not is_here(game.scene, who):
        return
    status: Status = game[who].status
    if not status.points and not status.fate:
        one, me = game[who], game[roller]
        call = now.injure_call(game.scene, who, damage, _protection(game.scene, who, sturdier), plain, roller)
        kept: Kept = await call.by(me.seat, one.seat, audience=now.seen_by(me))
        if is_here(game.scene, who):
            loss = kept.over if uses_points(game.scene) else 0
            found: WoundLevel = "healthy" if uses_points(game.scene) else kept.level
            harm = loss > 0 or kept.level != level(game.scene, who)
            game.emit(Hurt(who=who, by=by, level=found, harm=harm, loss=loss, cause=cause))
            await settle(game, who, kept.over)
        return
    me = game[roller]
    shown = max(0, damage.pips + plain)  # less than 1D cannot be rolled
    if damage.dice:
        shown = await total(damage, plain, 0, now.terms(game.scene, roller).how()).by(me.seat, audience=now.seen_by(me))
    if is_here(game.scene, who):
        await hurt(game, who, shown, by, sturdier=sturdier, cause=cause)


async def settle(game: Game, who: str, loss: int = 0, senseless: int = 0) -> None:
    """Apply the consequences of an injury right after it; ``senseless`` are minutes of a stun weapon."""
    scene = game.scene
    options = scene.options
    status: Status = scene[who].status
    if status.wounds.level == "dead":
        return
    left = status.wounds.body_points if options.injury_system != "wounds" else None
    if left is not None and left <= -most_body_points(scene[who], scene):
        _die(game, who, ZERO)
        return
    if options.killing_blow and _kills(scene, who, loss):
        _die(game, who, KILLING)
        return
    shaken = options.massive_damage and status.levels_lost >= 2 and not is_out(scene[who])
    if shaken and not status.has(SHAKEN):
        game.emit(EffectGained(who=who, what=Effect(SHAKEN, for_rounds(game.scene, 3)), cause=MASSIVE))
    if game[who].status.enduring:
        await endure(game, who)
        if not is_here(game.scene, who):
            return
    wakes_later(game, who, senseless)
    if is_out(game[who]):
        let_go(game, who)


def wakes_later(game: Game, who: str, again: int = 0) -> None:
    """Schedule waking up; ``again`` are minutes from now, which count if they end later than the present timer."""
    minutes, left = game[who].status.wounds.unconscious, game.scene.clock.left(WAKES, who=who)
    if minutes in (0, UNKNOWN) or (left is not None and left >= again * MINUTE):
        return
    restart_timer(game, WAKES, who, after=(minutes if left is None else again) * MINUTE, cause=INCAPACITATED)


def let_go(game: Game, who: str, cause: str = "opend6.gap.manoeuvre.escape") -> None:
    """Release everyone gripped by a participant that falls or leaves, except grips that hold by themselves."""
    for one in game.scene.participants:
        if one.status.grip is not None and one.status.grip.by == who and not one.status.grip.fast:
            game.emit(Released(who=one.id, by=who, cause=cause))


def _die(game: Game, who: str, cause: str) -> None:
    game.emit(Died(who=who, cause=cause))
    let_go(game, who)


def _kills(scene: Scene, who: str, loss: int) -> bool:
    """True if the loss of Body Points kills at once, where the table has it so; of Wounds the roll itself says it."""
    status: Status = scene[who].status
    if scene.options.injury_system == "wounds":
        return False
    most = most_body_points(scene[who], scene)
    return 100 * loss >= 91 * most or status.points_lost >= most


async def endure(game: Game, who: str) -> None:
    """A stamina or mettle roll against 15 decides whether a character who is incapacitated stays conscious."""
    if is_out(game[who]):
        game.emit(Endured(who=who, awake=False, cause=INCAPACITATED))
        return
    skill = now.better(game.scene, who, ("stamina", "mettle"))
    awake = await now.succeeds(game, who, skill, ENDURE, free=True, spared=True)
    if is_here(game.scene, who):
        game.emit(Endured(who=who, awake=awake, cause=INCAPACITATED))


async def find_out_how_long(game: Game) -> None:
    """For how many minutes those are out who have lost consciousness: 10D, rolled when the round closes."""
    for one in game.scene.present:
        unknown = one.status.wounds.unconscious == UNKNOWN and one.status.wounds.level != "dead"
        if unknown and is_here(game.scene, one.id):
            call = total(UNCONSCIOUS, 0, 0, now.terms(game.scene, one.id).how())
            minutes = await call.by(one.seat, audience=now.seen_by(one))
            if is_here(game.scene, one.id):
                game.emit(SenselessFor(who=one.id, minutes=max(1, minutes), cause=INCAPACITATED))
                wakes_later(game, one.id, max(1, minutes))


async def die_slowly(game: Game, who: str) -> None:
    """One round at death's door: a Physique roll below the completed minutes is death. [opend6.gap.wound.minutes]"""
    game.emit(DyingWentOn(who=who, cause=DYING))
    minutes = game[who].status.dying_rounds // MINUTE_ROUNDS
    if minutes >= MOST_DYING and uses_points(game.scene) and body_points(game.scene, who) <= 0:
        _die(game, who, ZERO)
        return
    if not minutes:
        return
    lives = await now.succeeds(game, who, "physique", minutes, free=True, spared=True)
    if not lives and is_here(game.scene, who):
        _die(game, who, DYING)


async def end_of_round(game: Game) -> None:
    """Settle the time of unconsciousness, and roll for the lives of the dying."""
    await find_out_how_long(game)
    for one in game.scene.present:
        if is_dying(one) and is_here(game.scene, one.id):
            await die_slowly(game, one.id)


def body_points(scene: Scene, who: str) -> int:
    """Body Points that a participant has left."""
    return body_points_of(scene[who].status, most_body_points(scene[who], scene))
