"""What harm does to somebody: what is lost, going down, dying and living, burning, being stunned, waking up.

Everything here reads the scene anew after every event, so that it can go on from any scene.
"""

from __future__ import annotations

from typing import Any

from tablewright.engine import Call, choose
from tablewright.engine.asks import EVERYONE
from tablewright.game.remembering import by_identity
from tablewright.game.scene import Live, Participant, Scene
from tablewright.systems.mars.aiming import ruled
from tablewright.systems.mars.character import Effect, EffectKind, MarsCharacter, figures, grants_of
from tablewright.systems.mars.content import DiehardGrant, PainToleranceGrant, RageGrant
from tablewright.systems.mars.damage import (
    DEFAULT_DIFFICULTY,
    DYING_COUNT,
    DyingCheck,
    Fate,
    Harm,
    burning,
    concentration,
    dying_check,
    fate_of,
    fate_of_loss,
    lose,
)
from tablewright.systems.mars.effects import due, overdue
from tablewright.systems.mars.events import (
    BurnedDown,
    ConcentrationChanged,
    Died,
    DyingChecked,
    EffectEnded,
    EffectGained,
    Fell,
    HealthLost,
    Hit,
    Hurt,
    Stabilised,
    Tolerated,
    TollPaid,
    Woke,
)
from tablewright.systems.mars.mechanics import DiceRules
from tablewright.systems.mars.now import Throw, now
from tablewright.systems.mars.status import Incoming, Status
from tablewright.systems.mars.values import Degree

THRESHOLDS, DYING, BURNING = "mars.damage.thresholds", "mars.effect.dying", "mars.effect.burning"
NONLETHAL = "nonlethal"


def dice_rules(scene: Scene) -> DiceRules:
    """How this table reads dice: the last arguments of every mechanic that rolls."""
    return _dice_rules(scene.options)


_dice_rules = by_identity(DiceRules.of)


def as_rolled(scene: Scene, who: str, throw: Throw, *, defending: bool = False) -> Throw:
    """What is rolled, or the passive value that stands in for it at tables that do so for creatures."""
    passive = scene.options.passive_rolls
    if passive == "none" or not scene[who].character.is_creature:
        return throw
    return throw.passive(scene.options.odd_roll_values) if defending or passive == "all_npc" else throw


def seen_by(participant: Participant) -> str:
    """Who sees what somebody rolls when nobody else has a part in it: whoever is hidden does so unseen."""
    return participant.seat if participant.hidden else EVERYONE


# ---------------------------------------------------------------------- losing endurance and health


class Loss:
    """What damage takes from somebody: endurance, then health; pain tolerance may spare the rest.

    ``numbed`` is so the first time that the endurance of who tolerates pain is used up, whether or not it spares any.
    """

    __slots__ = ("endurance", "health", "numbed", "spared")

    def __init__(self, scene: Scene, who: str, damage: int) -> None:
        status: Status = scene[who].status
        endurance, health = lose(damage, status.endurance, status.health)
        self.endurance = status.endurance - endurance
        self.health = status.health - health
        first = 0 < status.endurance == self.endurance and not status.tolerated
        self.numbed = first and _tolerates(scene, who)
        self.spared = self.numbed and self.health > 0
        if self.spared:
            self.health = 0


def _tolerates(scene: Scene, who: str) -> bool:
    return any(grants_of(scene[who].character, scene.library, PainToleranceGrant))


async def suffer(game: Live, blow: Incoming, degree: Degree, harm: Harm, *, item: str = "") -> None:
    """Somebody was hit: what is lost, and what becomes of them."""
    loss = Loss(game.scene, blow.target, harm.character)
    game.emit(
        Hit(
            who=blow.target,
            by=blow.attacker,
            degree=degree,
            damage=harm.character,
            shield=harm.shield,
            item=item,
            endurance=loss.endurance,
            health=loss.health,
            cause="mars.attack.damage_by_outcome",
        )
    )
    if loss.numbed:
        game.emit(Tolerated(who=blow.target, spared=loss.spared, cause="mars.gap.ancestry.abilities"))
    if harm.character:
        simple = game.scene.options.simple_enemies_one_hit and is_simple(game.scene, blow.target)
        await after_damage(game, blow.target, nonlethal=blow.nonlethal, felled=simple)


def is_simple(scene: Scene, who: str) -> bool:
    """Whether somebody is a simple enemy: by rank, or because the game master says so."""
    character: MarsCharacter = scene[who].character
    return character.rank == "simple" or scene.facts.get("simple", who) is not None


async def hurt(game: Live, who: str, damage: int, by: str, *, cause: str, nonlethal: bool = False) -> None:
    """Somebody takes damage from something else than an attack."""
    loss = Loss(game.scene, who, damage)
    game.emit(Hurt(who=who, damage=damage, by=by, endurance=loss.endurance, health=loss.health, cause=cause))
    if loss.numbed:
        game.emit(Tolerated(who=who, spared=loss.spared, cause="mars.gap.ancestry.abilities"))
    await after_damage(game, who, nonlethal=nonlethal)


async def after_damage(game: Live, who: str, *, nonlethal: bool = False, felled: bool = False) -> None:
    """What has become of somebody after damage: nothing, unconscious, or dying."""
    participant = game[who]
    status: Status = participant.status
    if status.dead:
        return
    most = figures(participant.character, game.scene.library).health
    fate = fate_of(status.endurance, status.health, nonlethal=nonlethal, most_health=most)
    out = felled or (participant.character.rank == "common" and status.endurance == 0)
    if fate is Fate.STANDS and out:
        fate = Fate.UNCONSCIOUS
    await become(game, who, fate, THRESHOLDS, source=NONLETHAL if nonlethal else "")


async def become(
    game: Live, who: str, fate: Fate, cause: str, *, source: str = "", turn_of: str = "", until: int | None = None
) -> None:
    """Somebody goes down, unless they lie there already for as long."""
    status: Status = game[who].status
    if fate is Fate.STANDS or status.dead:
        return
    if status.has("dying") and (fate is Fate.DYING or not status.conscious):
        return  # who stays conscious while dying can still be knocked out
    lies = status.effect("unconscious")
    if fate is Fate.UNCONSCIOUS and lies is not None and lies.lasts_as_long(until):
        return
    awake = False
    if (
        fate is Fate.DYING
        and status.conscious
        and any(grants_of(game[who].character, game.scene.library, DiehardGrant))
    ):
        awake = await choose(game.seat(who), "stay conscious while dying?", [True, False], about={"who": who})
    game.emit(Fell(who=who, fate=fate, awake=awake, source=source, turn_of=turn_of, until=until, cause=cause))


async def lose_health(game: Live, who: str, amount: int, why: str, *, cause: str) -> None:
    """Somebody loses health without damage; endurance does not count then."""
    if amount <= 0 or game[who].status.dead:
        return
    game.emit(HealthLost(who=who, amount=amount, why=why, cause=cause))
    if game.scene.options.health_loss_thresholds == "apply":
        await become(game, who, fate_of_loss(game[who].status.health), THRESHOLDS)


# ---------------------------------------------------------------------- effects that act by themselves


_FALLS: dict[EffectKind, Fate] = {"unconscious": Fate.UNCONSCIOUS, "dying": Fate.DYING}


async def take_hold(
    game: Live, who: str, effect: Effect, *, cause: str, difficulty: int | None = None, other: str | None = None
) -> None:
    """An effect takes hold of somebody, with whatever follows from it at once."""
    if effect.kind in _FALLS:
        lasting: dict[str, Any] = {"turn_of": effect.turn_of, "until": effect.until}
        await become(game, who, _FALLS[effect.kind], cause, source=effect.source, **lasting)
        return
    game.emit(EffectGained(who=who, effect=effect, other=other, cause=cause))
    if effect.kind == "stunned" and game[who].status.concentration:
        for _ in range(effect.degree):
            await keep_concentration(game, who, difficulty)


async def keep_concentration(game: Live, who: str, difficulty: int | None = None) -> None:
    """Who is stunned while concentrating rolls WILL for it."""
    participant = game[who]
    if not participant.status.concentration:
        return
    throw = as_rolled(game.scene, who, ruled(game.scene, who, "WILL", now(game.scene, who).roll("WILL")))
    against = DEFAULT_DIFFICULTY if difficulty is None else difficulty
    call = Call(concentration, (throw.value, against, throw.advantage, throw.disadvantage, *dice_rules(game.scene)))
    if not await call.by(participant.seat, audience=seen_by(participant), tallies=throw.tallies("willpower")):
        game.emit(ConcentrationChanged(who=who, cause="mars.concentration.break"))


def waits(scene: Scene, who: str) -> bool:
    """Whether something will happen as soon as somebody's turn begins."""
    status: Status = scene[who].status
    if status.ready is not None or status.work is not None:
        return True
    if status.effects and any(effect.kind in ("burning", "dying", "stunned") for effect in status.effects):
        return True
    return any(due(one.status.effects, who, scene.round) for one in scene.participants if one.status.effects)


def expire(game: Live, who: str) -> None:
    """Whatever lasts until just before somebody's turn is over now."""
    for one in game.scene.participants:
        for effect in due(one.status.effects, who, game.scene.round):
            _expire(game, one.id, effect)


def expire_overdue(game: Live) -> None:
    """Whatever should have ended with the turn of somebody who is gone ends with the round."""
    for one in game.scene.participants:
        for effect in overdue(one.status.effects, game.scene.round):
            _expire(game, one.id, effect)


def _expire(game: Live, who: str, effect: Effect) -> None:
    which: dict[str, Any] = {"stat": effect.stat, "source": effect.source, "value": effect.value}
    game.emit(EffectEnded(who=who, effect=effect.kind, **which, cause="mars.time.duration"))


async def burn(game: Live, who: str) -> None:
    """A fire on somebody: damage that nothing reduces, then a degree less."""
    fire = game[who].status.effect("burning")
    if fire is None or game[who].status.dead:
        return
    _, tie, odd = dice_rules(game.scene)
    damage = await Call(burning, (fire.degree, tie, odd)).by(game.seat(who), audience=seen_by(game[who]))
    game.emit(BurnedDown(who=who, cause=BURNING))
    await hurt(game, who, damage, "burning", cause=BURNING)


async def struggle(game: Live, who: str) -> None:
    """A dying character's check at the start of the turn: three successes and it is over, three failures and all is."""
    participant = game[who]
    status: Status = participant.status
    if status.dead or not status.has("dying"):
        return
    if status.health >= 0:
        game.emit(Stabilised(who=who, cause=DYING))
        return
    throw = as_rolled(game.scene, who, ruled(game.scene, who, "FORT", now(game.scene, who).roll("FORT", ("dying",))))
    lucky = any(grants_of(participant.character, game.scene.library, DiehardGrant))
    advantage = min(10, throw.advantage + lucky)
    call = Call(dying_check, (throw.value, status.health, advantage, throw.disadvantage, *dice_rules(game.scene)))
    seat = participant.seat
    count: DyingCheck = await call.by(seat, audience=seat, tallies=throw.tallies("fortitude"))
    game.emit(DyingChecked(who=who, successes=count.successes, failures=count.failures, to=seat, cause=DYING))
    dying = game[who].status.effect("dying")
    if dying is None:
        return
    if dying.successes >= DYING_COUNT:
        game.emit(Stabilised(who=who, cause=DYING))
    elif dying.failures >= DYING_COUNT:
        game.emit(Died(who=who, cause=DYING))


async def end_of_round(game: Live) -> None:
    """Whoever is dying loses one more health."""
    for one in game.scene.participants:
        if one.present and game[one.id].status.has("dying") and not game[one.id].status.dead:
            game.emit(HealthLost(who=one.id, amount=1, why="dying", cause=DYING))


async def end_of_turn(game: Live, who: str) -> None:
    """Rage takes its toll from the end of the next turn on: stamina, or damage that nothing prevents."""
    status: Status = game[who].status
    rage = status.effect("rage")
    if rage is None or not status.conscious:
        return
    if "rage" in status.turn.talents:  # the turn in which it began
        return
    tolls = [grant.toll for grant, *_ in grants_of(game[who].character, game.scene.library, RageGrant)]
    toll = tolls[0] if tolls else 1
    pay = [True, False] if status.stamina >= toll else [False]
    if await choose(game.seat(who), "pay for the rage with stamina?", pay, about={"who": who}):
        game.emit(TollPaid(who=who, stamina=toll, cause="mars.gap.talent.rage"))
    else:
        await hurt(game, who, toll, "rage", cause="mars.gap.talent.rage")


def calm_down(game: Live) -> None:
    """Rage is paid for turn by turn; where there are no more turns, it ends."""
    for one in game.scene.participants:
        if one.status.has("rage"):
            game.emit(ConcentrationChanged(who=one.id, cause="mars.gap.talent.rage"))


# ---------------------------------------------------------------------- waking up


def can_wake(scene: Scene, who: str) -> str | None:
    """Why somebody who lies unconscious cannot be woken by a disturbance; None if it is possible."""
    status: Status = scene[who].status
    if status.dead:
        return "dead"
    if not status.has("unconscious"):
        return "awake already"
    if status.has("dying"):
        return "dying"
    if scene.options.wake_rule == "recovery" and status.health <= 0 and status.endurance <= 0:
        return "nothing but recovery helps"
    return None


def wake_if_recovered(game: Live, who: str) -> None:
    """Who has endurance or health again, and is not dying, wakes up. Health of 0 or more ends dying."""
    status: Status = game[who].status
    if status.dead or not status.has("unconscious"):
        return
    if status.has("dying") and status.health >= 0:
        game.emit(Stabilised(who=who, cause=DYING))
        status = game[who].status
    if not status.has("dying") and (status.endurance >= 1 or status.health >= 1):
        game.emit(Woke(who=who, cause="mars.effect.unconscious"))
