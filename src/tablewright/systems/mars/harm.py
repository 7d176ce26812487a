"""Consequences of damage in play: falling, dying, burning, recovering consciousness.

Everything here reads the scene again after every event, so that it can go on from any scene.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from tablewright.engine import Param, choose, process
from tablewright.engine.request import EVERYONE
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.play.time_passage import Who
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.mars import content
from tablewright.systems.mars.character.figures import figures
from tablewright.systems.mars.character.gear import grants_of
from tablewright.systems.mars.character.record import Change, EffectKind, MarsCharacter, MarsEffect
from tablewright.systems.mars.events.attack import Hit
from tablewright.systems.mars.events.effects import BurnedDown, ConcentrationChanged, MarsEffectEnded, MarsEffectGained
from tablewright.systems.mars.events.encounter import effect_named
from tablewright.systems.mars.events.harm import Died, DyingChecked, Fell, HealthLost, Hurt, Stabilised, Tolerated, Woke
from tablewright.systems.mars.events.recovery import change
from tablewright.systems.mars.events.turn import TollPaid
from tablewright.systems.mars.mechanics.attack import Attacked, AttackRules
from tablewright.systems.mars.mechanics.checks import DiceRules, check
from tablewright.systems.mars.mechanics.harm import (
    DEFAULT_DIFFICULTY,
    DYING_COUNT,
    Blow,
    DyingCheck,
    Fall,
    Fate,
    Reduced,
    Scaling,
    burning,
    category_of,
    concentration,
    dying_check,
    fate_of,
    fate_of_loss,
    lose,
)
from tablewright.systems.mars.mechanics.harm import damage as roll_damage
from tablewright.systems.mars.mechanics.harm import fall as land
from tablewright.systems.mars.now import now, ruled, rulings
from tablewright.systems.mars.status import Incoming, Status, due, lasting, overdue
from tablewright.systems.mars.values import Degree, RollValue, Throw

THRESHOLDS, DYING, BURNING = "mars.damage.thresholds", "mars.effect.dying", "mars.effect.burning"
NONLETHAL = "nonlethal"


def dice_rules(scene: Scene) -> DiceRules:
    """Dice settings of the table, for every mechanic that rolls."""
    return _dice_rules(scene.options)


_dice_rules = cached_by_identity(DiceRules.of)


def attack_rules(scene: Scene) -> AttackRules:
    """Settings of the table for attacks and damage."""
    return _attack_rules(scene.options)


_attack_rules = cached_by_identity(AttackRules.of)


def as_rolled(scene: Scene, who: str, throw: Throw, *, defending: bool = False) -> Throw:
    """The throw, or a passive value in its place where the table uses them for creatures."""
    passive = scene.options.passive_rolls
    if passive == "none" or not scene[who].character.is_creature:
        return throw
    return throw.passive(scene.options.odd_roll_values) if defending or passive == "all_npc" else throw


async def tested(game: Game, who: str, throw: Throw, difficulty: int) -> Degree:
    """Check a throw of a participant against a difficulty."""
    throw = as_rolled(game.scene, who, throw)
    call = check(throw.value, difficulty, throw.advantage, throw.disadvantage, dice_rules(game.scene))
    degree: Degree = await call.by(game.seat(who), tallies=throw.tallies("roll_value"))
    return degree


def seen_by(participant: Participant) -> str:
    """Audience of a roll without an opponent; only the owner sees the rolls of hidden participants."""
    return participant.seat if participant.hidden else EVERYONE


# ---------------------------------------------------------------------- losing endurance and health


class Loss:
    """Losses by damage: endurance, then health; pain tolerance may spare the rest.

    ``numbed`` is so the first time that the endurance of who tolerates pain is used up, whether or not it spares any.
    """

    __slots__ = ("endurance", "health", "numbed", "spared")

    def __init__(self, scene: Scene, who: str, damage: int) -> None:
        status: Status = scene[who].status
        endurance, health = lose(damage, status.endurance, status.health)
        self.endurance = status.endurance - endurance
        self.health = status.health - health
        first = 0 < status.endurance == self.endurance and not status.tolerated
        self.numbed = first and any(grants_of(scene[who].character, scene.library, content.PainToleranceGrant))
        self.spared = self.numbed and self.health > 0
        if self.spared:
            self.health = 0


async def suffer(game: Game, blow: Incoming, result: Attacked, *, item: str = "") -> None:
    """Apply a hit: losses, then unconsciousness or dying."""
    loss = Loss(game.scene, blow.target, result.damage)
    game.emit(
        Hit(
            who=blow.target,
            by=blow.attacker,
            degree=result.degree,
            damage=result.damage,
            shield=result.shield,
            item=item,
            endurance=loss.endurance,
            health=loss.health,
            cause="mars.attack.damage_by_outcome",
        )
    )
    if loss.numbed:
        game.emit(Tolerated(who=blow.target, spared=loss.spared, cause="mars.gap.ancestry.abilities"))
    if result.damage:
        simple = game.scene.options.simple_enemies_one_hit and is_simple(game.scene, blow.target)
        await after_damage(game, blow.target, nonlethal=blow.nonlethal, felled=simple)


def is_simple(scene: Scene, who: str) -> bool:
    """True if a participant is a simple enemy, by rank or by a ruling."""
    character: MarsCharacter = scene[who].character
    return character.rank == "simple" or scene.facts.get("simple", who) is not None


async def hurt(game: Game, who: str, damage: int, by: str, *, cause: str, nonlethal: bool = False) -> None:
    """Apply damage that does not come from an attack."""
    loss = Loss(game.scene, who, damage)
    status: Status = game[who].status
    had = (status.endurance, status.health)
    game.emit(Hurt(who=who, damage=damage, by=by, endurance=loss.endurance, health=loss.health, had=had, cause=cause))
    if loss.numbed:
        game.emit(Tolerated(who=who, spared=loss.spared, cause="mars.gap.ancestry.abilities"))
    await after_damage(game, who, nonlethal=nonlethal)


async def after_damage(game: Game, who: str, *, nonlethal: bool = False, felled: bool = False) -> None:
    """Fate after damage: still standing, unconscious or dying."""
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
    game: Game, who: str, fate: Fate, cause: str, *, source: str = "", turn_of: str = "", until: int | None = None
) -> None:
    """Let a participant go down, unless the same state lasts as long already."""
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
        and any(grants_of(game[who].character, game.scene.library, content.DiehardGrant))
    ):
        awake = await choose(game.seat(who), "stay conscious while dying?", [True, False], details={"who": who})
    game.emit(Fell(who=who, fate=fate, awake=awake, source=source, turn_of=turn_of, until=until, cause=cause))


async def lose_health(game: Game, who: str, amount: int, why: str, *, cause: str) -> None:
    """Take health without damage; endurance does not count then."""
    if amount <= 0 or game[who].status.dead:
        return
    game.emit(HealthLost(who=who, amount=amount, why=why, cause=cause))
    if game.scene.options.health_loss_thresholds == "apply":
        await become(game, who, fate_of_loss(game[who].status.health), THRESHOLDS)


# ---------------------------------------------------------------------- effects that act by themselves


_FALLS: dict[EffectKind, Fate] = {"unconscious": Fate.UNCONSCIOUS, "dying": Fate.DYING}


async def take_hold(
    game: Game, who: str, effect: MarsEffect, *, cause: str, difficulty: int | None = None, other: str | None = None
) -> None:
    """Apply an effect with its immediate consequences."""
    if effect.kind in _FALLS:
        lasting: dict[str, Any] = {"turn_of": effect.turn_of, "until": effect.until}
        await become(game, who, _FALLS[effect.kind], cause, source=effect.source, **lasting)
        return
    game.emit(MarsEffectGained(who=who, effect=effect, other=other, cause=cause))
    if effect.kind == "stunned" and game[who].status.concentration:
        for _ in range(effect.degree):
            await keep_concentration(game, who, difficulty)


async def keep_concentration(game: Game, who: str, difficulty: int | None = None) -> None:
    """Roll WILL to keep concentration through a stun."""
    participant = game[who]
    if not participant.status.concentration:
        return
    throw = as_rolled(game.scene, who, ruled(game.scene, who, "WILL", now(game.scene, who).roll("WILL")))
    against = DEFAULT_DIFFICULTY if difficulty is None else difficulty
    call = concentration(throw.value, against, throw.advantage, throw.disadvantage, dice_rules(game.scene))
    if not await call.by(participant.seat, audience=seen_by(participant), tallies=throw.tallies("willpower")):
        game.emit(ConcentrationChanged(who=who, cause="mars.concentration.break"))


def waits(scene: Scene, who: str) -> bool:
    """True if something happens as soon as a turn begins."""
    status: Status = scene[who].status
    if status.ready is not None or status.work is not None:
        return True
    if status.effects and any(
        effect.kind in ("burning", "dying", "stunned", "unconscious") for effect in status.effects
    ):
        return True
    return any(due(one.status.effects, who, scene.round) for one in scene.participants if one.status.effects)


def expire(game: Game, who: str) -> None:
    """End every effect that lasts until just before this turn."""
    for one in game.scene.participants:
        for effect in due(one.status.effects, who, game.scene.round):
            _expire(game, one.id, effect)


def expire_overdue(game: Game) -> None:
    """End effects whose turn never comes, because its participant is gone."""
    for one in game.scene.participants:
        for effect in overdue(one.status.effects, game.scene.round):
            _expire(game, one.id, effect)


def _expire(game: Game, who: str, effect: MarsEffect) -> None:
    which: dict[str, Any] = {"stat": effect.stat, "source": effect.source, "value": effect.value}
    game.emit(MarsEffectEnded(who=who, effect=effect.kind, **which, cause="mars.time.duration"))


async def burn(game: Game, who: str) -> None:
    """Burn a participant: damage that nothing reduces, then a degree less."""
    fire = game[who].status.effect("burning")
    if fire is None or game[who].status.dead:
        return
    _, tie, odd = dice_rules(game.scene)
    damage = await burning(fire.degree, tie, odd).by(game.seat(who), audience=seen_by(game[who]))
    game.emit(BurnedDown(who=who, cause=BURNING))
    await hurt(game, who, damage, "burning", cause=BURNING)


async def struggle(game: Game, who: str) -> None:
    """A dying character's check at the start of the turn: three successes and it is over, three failures and all is."""
    participant = game[who]
    status: Status = participant.status
    if status.dead or not status.has("dying"):
        return
    if status.health >= 0:
        game.emit(Stabilised(who=who, cause=DYING))
        return
    throw = as_rolled(game.scene, who, ruled(game.scene, who, "FORT", now(game.scene, who).roll("FORT", ("dying",))))
    lucky = any(grants_of(participant.character, game.scene.library, content.DiehardGrant))
    advantage = min(10, throw.advantage + lucky)
    call = dying_check(throw.value, status.health, advantage, throw.disadvantage, dice_rules(game.scene))
    seat = participant.seat
    count: DyingCheck = await call.by(seat, audience=seat, tallies=throw.tallies("fortitude"))
    before = status.effect("dying")
    assert before is not None
    game.emit(
        DyingChecked(
            who=who,
            successes=count.successes,
            failures=count.failures,
            all_successes=before.successes + count.successes,
            all_failures=before.failures + count.failures,
            to=seat,
            cause=DYING,
        )
    )
    dying = game[who].status.effect("dying")
    if dying is None:
        return
    if dying.successes >= DYING_COUNT:
        game.emit(Stabilised(who=who, cause=DYING))
    elif dying.failures >= DYING_COUNT:
        game.emit(Died(who=who, cause=DYING))


async def end_of_round(game: Game) -> None:
    """Take one health from everyone who is dying."""
    for one in game.scene.participants:
        if one.present and game[one.id].status.has("dying") and not game[one.id].status.dead:
            game.emit(HealthLost(who=one.id, amount=1, why="dying", cause=DYING))


async def end_of_turn(game: Game, who: str) -> None:
    """Rage takes its toll from the end of the next turn on: stamina, or damage that nothing prevents."""
    status: Status = game[who].status
    if status.effect("rage") is None or not status.conscious:
        return
    if "rage" in status.turn.talents:  # the turn in which it began
        return
    tolls = [grant.toll for grant, *_ in grants_of(game[who].character, game.scene.library, content.RageGrant)]
    toll = tolls[0] if tolls else 1
    pay = [True, False] if status.stamina >= toll else [False]
    if await choose(game.seat(who), "pay for the rage with stamina?", pay, details={"who": who}):
        game.emit(TollPaid(who=who, stamina=toll, cause="mars.gap.talent.rage"))
    else:
        await hurt(game, who, toll, "rage", cause="mars.gap.talent.rage")


def calm_down(game: Game) -> None:
    """Rage is paid for turn by turn; where there are no more turns, it ends."""
    for one in game.scene.participants:
        if one.status.has("rage"):
            game.emit(ConcentrationChanged(who=one.id, cause="mars.gap.talent.rage"))


# ---------------------------------------------------------------------- waking up


def can_wake(scene: Scene, who: str) -> str | None:
    """Reason why a disturbance does not wake a participant; None if it does."""
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


def wake_if_recovered(game: Game, who: str) -> None:
    """Wake those who have endurance or health again and are not dying; health of 0 or more ends dying."""
    status: Status = game[who].status
    if status.dead or not status.has("unconscious"):
        return
    if status.has("dying") and status.health >= 0:
        game.emit(Stabilised(who=who, cause=DYING))
        status = game[who].status
    if not status.has("dying") and (status.endurance >= 1 or status.health >= 1):
        game.emit(Woke(who=who, cause="mars.effect.unconscious"))


PIPELINE, FIRE, EFFECTS = "mars.damage.pipeline", "mars.effect.burning", "mars.effect.list"
CHANGES = "mars.effect.stat_changes"
MOST_CHANGE = 50


@process(rules=[PIPELINE, "mars.damage.types"])
async def hazard(
    game: Game,
    who: Who,
    damage: Annotated[RollValue, Param("the damage, such as r8+1")],
    kind: Annotated[content.DamageType, Param("the type of damage")] = "bludgeoning",
    reduced: Annotated[Reduced, Param("whether damage reduction counts: by the type, always or never")] = "by_type",
    halvings: Annotated[int, Param("number of halvings", 0, 9)] = 0,
    doublings: Annotated[int, Param("number of doublings", 0, 9)] = 0,
    nonlethal: Annotated[bool, Param("whether the damage is nonlethal")] = False,
    source: Annotated[str, Param("source of the damage: a trap, a spell, a rockfall")] = "hazard",
) -> int:
    """Deal damage from a trap, a spell or another hazard."""
    less = now(game.scene, who).reduction(kind)
    call = roll_damage(
        damage,
        Blow(reduction=max(0, less.total), category=category_of(kind)),
        scaling=Scaling(reduced, halvings, doublings),
        rules=attack_rules(game.scene).damage,
    )
    harm = await call.by("game master", game.seat(who), tallies={"reduction": less})
    await hurt(game, who, harm.character, source, cause=PIPELINE, nonlethal=nonlethal)
    return harm.character


@process(rules=["mars.gap.fight.falling", PIPELINE])
async def fall(game: Game, who: Who, metres: Annotated[int, Param("depth of the fall in metres", 1, 100)]) -> Fall:
    """Fall from a height; the conscious try to land well."""
    throw = now(game.scene, who).skill("agility").with_parts(rulings(game.scene, "agility", who))
    throw = as_rolled(game.scene, who, throw)
    helpless = not game[who].status.conscious  # mars.effect.unconscious
    call = land(throw.value, metres, throw.advantage, throw.disadvantage, helpless, dice_rules(game.scene))
    result = await call.by(game.seat(who), tallies=throw.tallies("agility"))
    if result.damage:
        await hurt(game, who, result.damage, f"a fall of {metres} m", cause="mars.gap.fight.falling")
    return result


@process(rules=[FIRE])
async def ignite(game: Game, who: Who, degree: Annotated[int, Param("the degree of the fire", 1, 20)] = 1) -> None:
    """Set a participant on fire, or feed the fire."""
    await take_hold(game, who, MarsEffect("burning", degree=degree), cause=FIRE)


@process(rules=[FIRE])
async def douse(game: Game, who: Who) -> None:
    """Water puts a fire out entirely."""
    game.refuse_if(not game[who].status.has("burning"), who, "is not burning", FIRE)
    game.emit(MarsEffectEnded(who=who, effect="burning", cause=FIRE))


@process(rules=[EFFECTS, "mars.effect.duration", "mars.effect.no_stacking", CHANGES])
async def afflict(
    game: Game,
    who: Who,
    effect: Annotated[str, Param("the effect, such as blind, burning:3, debilitation:STR or stat_change:STR:2")],
    rounds: Annotated[int | None, Param("for how many rounds; none: until something ends it", 1, 1_000)] = None,
    source: Annotated[str, Param("source of the effect")] = "",
    difficulty: Annotated[int | None, Param("difficulty to shake it off", 0, 100)] = None,
) -> None:
    """Apply an effect; a change of a stat without a duration is permanent."""
    named = replace(effect_named(effect), source=source, difficulty=difficulty)
    _demand_stat(game.scene, named)
    if rounds is None and named.kind == "stat_change" and named.stat in content.STATS:
        _for_good(game, who, named)
        return
    await take_hold(game, who, lasting(game.scene, named, rounds), cause=EFFECTS, difficulty=difficulty)


def _demand_stat(scene: Scene, effect: MarsEffect) -> None:
    """Refuse an effect on a stat without a stat that can be changed or rolled."""
    every = (*content.STATS, *content.SECONDARY, *scene.library.ids(content.Skill))
    able = {"stat_change": content.STATS, "debilitation": every, "enhancement": every}.get(effect.kind)
    if able is not None and effect.stat not in able:
        said = f'"{effect.stat:.40}" is none of {", ".join(able)}{did_you_mean(effect.stat, able)}'
        raise InvalidInputError(f"{effect.kind} concerns a stat; {said}", field="effect", rule=CHANGES)


def _for_good(game: Game, who: str, effect: MarsEffect) -> None:
    """A stat changes permanently, and with it the maxima of resources; the same does not stack."""
    if abs(effect.value) > MOST_CHANGE:
        raise InvalidInputError(f"a stat changes by {MOST_CHANGE} at most, not by {effect.value}", field="effect")
    character: MarsCharacter = game[who].character
    new = Change(what=effect.stat, value=effect.value, source=effect.source)
    met = [
        one
        for one in character.changes
        if (one.what, one.source, one.value < 0) == (new.what, new.source, new.value < 0)
    ]
    if any(abs(one.value) >= abs(new.value) for one in met):
        return
    changed = character.changed(changes=(*[one for one in character.changes if one not in met], new))
    change(game, who, f"{new.what} {new.value:+d} for good", changed, cause=CHANGES)


@process(rules=[EFFECTS, CHANGES])
async def relieve(game: Game, who: Who, effect: Annotated[str, Param("the effect that ends, such as prone")]) -> None:
    """End an effect."""
    named = effect_named(effect)
    character: MarsCharacter = game[who].character
    kept = tuple([one for one in character.changes if one.what != named.stat])
    if named.kind == "stat_change" and named.stat in content.STATS and kept != character.changes:
        change(game, who, f"{named.stat} is as before", character.changed(changes=kept), cause=CHANGES)
        if not game[who].status.has(named.kind):
            return
    if not game[who].status.has(named.kind):
        raise game.scene.cannot(who, f"has no such effect: {named.kind.replace('_', ' ')}", EFFECTS)
    game.emit(MarsEffectEnded(who=who, effect=named.kind, stat=named.stat or None, cause=EFFECTS))


@process(rules=["mars.effect.unconscious"])
async def disturb(game: Game, who: Who) -> None:
    """Wake a sleeper by noise or a touch."""
    reason = can_wake(game.scene, who)
    if reason is not None:
        raise game.scene.cannot(who, f"does not wake: {reason}", "mars.effect.unconscious")
    game.emit(Woke(who=who, cause="mars.effect.unconscious"))


async def turn_concentration(game: Game, who: str, on: str) -> bool:
    """Concentrate on a new effect, unless the player prefers the old one; return True for the new one."""
    before = game[who].status.concentration
    if before and before != on:
        keep = await choose(game.seat(who), "concentrate on what?", [on, before], details={"who": who})
        if keep == before:
            return False
    game.emit(ConcentrationChanged(who=who, on=on, cause="mars.concentration.single"))
    return True


@process(rules=["mars.concentration.single", "mars.concentration.break"])
async def concentrate(game: Game, who: Who, on: Annotated[str, Param("ability or effect to keep up")]) -> bool:
    """Concentrate on an effect, and end the one that concentration sustained before."""
    game.refuse_if(not game[who].status.conscious, who, "is not conscious", "mars.concentration.break")
    return await turn_concentration(game, who, on)


HAZARDS = (hazard, fall, ignite, douse, afflict, relieve, disturb, concentrate)
