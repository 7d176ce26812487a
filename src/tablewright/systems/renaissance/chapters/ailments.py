"""Poisons, diseases and other ailments by the clock.

Everything that goes on is on the clock: an onset, a toll, the end. No one but the game master knows of what is to come.
"""

from __future__ import annotations

from typing import Any

from tablewright.engine import Role
from tablewright.game.play.common_events import BelongingsChanged, Cancelled, Scheduled
from tablewright.game.play.effects import OPEN_END, Duration, Effect, EffectEnded, EffectGained, for_ticks
from tablewright.game.play.time_passage import cancel_timer
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem, Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.time.clock import Timer
from tablewright.systems.renaissance.character.figures import HALF
from tablewright.systems.renaissance.content import Chemical, Condition, Disease, Toll
from tablewright.systems.renaissance.events.fight import Died, LuckChanged
from tablewright.systems.renaissance.events.recovery import Healed, Infected, Wasted
from tablewright.systems.renaissance.harm import seen_by, stun, suffer
from tablewright.systems.renaissance.mechanics.turn import resist
from tablewright.systems.renaissance.now import Piece, now
from tablewright.systems.renaissance.status import BLEEDING, BURNING, CHEMICAL, DISEASE, UNCONSCIOUS, Status
from tablewright.systems.renaissance.values import DAY

CHEMICALS, COURSE, BLEEDS = (
    "renaissance.chemical.framework",
    "renaissance.disease.course",
    "renaissance.condition.bleeding",
)
TREATMENT = "renaissance.disease.treatment"
ONSET, TOLL, SICKENS, SICK, WASTES, DRIPS = "onset", "toll", "sickens", "sick", "wastes", "drips"
IN_THE_BODY = (ONSET, TOLL, SICKENS, SICK, WASTES, DRIPS)
GUTTERS = "gutters"
"""Names of timers: a chemical's onset and toll, a disease's onset, its daily damage, its monthly loss, blood; and the
end of a ball of fire that has left the hand."""


async def _resists(game: Game, who: str, formula: str, *words: str, bonus: int = 0, blind: bool = False) -> bool:
    """True if a participant resists a chemical or a disease."""
    me = now(game.scene, who)
    goal = me.number(formula, *words)
    if bonus:
        goal = goal.plus([Piece("treatment", bonus, "renaissance.disease.treatment")])
    participant = game[who]
    luck = 0 if blind else me.luck
    call = resist(goal.total, goal.penalties, luck, me.daring)
    audience = GAME_MASTER if blind else seen_by(participant)
    seat = GAME_MASTER if blind else participant.seat
    kept = await call.by(seat, audience=audience, private={"luck": Role.ACTOR}, tallies={"target": goal.tally()})
    if kept.luck:
        game.emit(LuckChanged(who=who, change=-kept.luck, why="resisting", cause="renaissance.luck.flip"))
    return bool(kept.passed)


# ---------------------------------------------------------------------- chemicals


async def take_coating(game: Game, who: str, coating: str, *, cause: str) -> None:
    """The coating of a weapon comes into a wound: a poison, or a disease (renaissance.disease.exposure)."""
    if is_disease(game.scene, coating):
        await expose(game, who, coating)
    else:
        await take_chemical(game, who, coating, cause=cause)


def is_disease(scene: Scene, coating: str) -> bool:
    """True if a weapon is coated with a disease, which shows on no one at once."""
    return bool(coating) and not scene.library.has(Chemical, coating) and bool(scene.library.has(Disease, coating))


async def take_chemical(game: Game, who: str, chemical: str, *, cause: str) -> None:
    """A chemical begins: at once, or after its onset."""
    entry = game.scene.library.get(Chemical, chemical)
    if entry.nature == "poison" and "poison" in now(game.scene, who).numbers.immune:
        return
    if entry.onset:
        game.emit(Scheduled(who=who, what=ONSET, after=entry.onset, data=chemical, cause=cause))
        return
    await _takes_hold(game, who, entry)


async def _takes_hold(game: Game, who: str, entry: Chemical) -> None:
    resisted = entry.resist is not None and await _resists(game, who, str(entry.resist), "poison")
    if resisted and entry.spares == "all":
        return
    if entry.duration and entry.grants:
        until, data = for_ticks(game.scene, entry.duration), HALF if resisted else None
        held = Effect(CHEMICAL, until, source=entry.id, stacks="apart", data=data)  # renaissance.core.stacking
        game.emit(EffectGained(who=who, what=held, cause=CHEMICALS))
    for at, toll in enumerate(entry.tolls):
        await _toll(game, who, entry, at, toll.times, resisted=resisted, first=True)


async def _toll(
    game: Game, who: str, entry: Chemical, at: int, times: int, *, resisted: bool, first: bool = False
) -> None:
    """One toll of a chemical, and the next one on the clock."""
    toll: Toll = entry.tolls[at]
    if not first or toll.first:
        await _pay(game, who, entry, toll, resisted=resisted)
        times -= 1
    if times > 0 and not game[who].status.dead:
        data = (entry.id, at, times, resisted)
        game.emit(Scheduled(who=who, what=TOLL, after=toll.every, data=data, cause=CHEMICALS))


async def _pay(game: Game, who: str, entry: Chemical, toll: Toll, *, resisted: bool) -> None:
    status: Status = game[who].status
    if toll.dv is not None:
        dv = toll.dv._replace(half=True) if resisted else toll.dv
        await suffer(game, who, dv, entry.name, cause=CHEMICALS)
        return
    if toll.after_damage and status.damage:
        return
    healed = min(status.damage, toll.heals // 2 if resisted else toll.heals)
    cured = min(status.wounds, toll.heals_wounds // 2 if resisted else toll.heals_wounds)
    if healed or cured:
        left = {"damage": status.damage - healed, "wounds": status.wounds - cured}
        game.emit(Healed.of(who, status, entry.name, CHEMICALS, **left))


# ---------------------------------------------------------------------- diseases


async def expose(game: Game, who: str, disease: str) -> bool:
    """Expose a participant to a disease: one check that no one sees; return whether it was caught."""
    entry = game.scene.library.get(Disease, disease)
    status: Status = game[who].status
    me = now(game.scene, who)
    if "disease" in me.numbers.immune or disease in status.incubating or _has(status, disease):
        return False
    if await _resists(game, who, str(entry.resist), *_words(entry), blind=True):
        return False
    status = game[who].status
    infected = (*status.incubating, disease)
    game.emit(Infected(who=who, incubating=infected, to=GAME_MASTER, cause=COURSE))
    if entry.onset:
        game.emit(Scheduled(who=who, what=SICKENS, after=entry.onset * DAY, data=disease, cause=COURSE))
    else:
        await _sickens(game, who, entry)
    return True


def _words(entry: Disease) -> tuple[str, ...]:
    """Words under which bonuses count against a disease."""
    return ("disease", "food_borne") if entry.food_borne else ("disease",)


def _has(status: Status, disease: str) -> bool:
    return any(held.id == DISEASE and held.source == disease for held in status.lasting)


async def _sickens(game: Game, who: str, entry: Disease) -> None:
    """The onset is over: the effects begin."""
    status: Status = game[who].status
    left = tuple([one for one in status.incubating if one != entry.id])
    game.emit(Infected(who=who, incubating=left, to=GAME_MASTER, cause=COURSE))
    until = OPEN_END if entry.duration is None else for_ticks(game.scene, entry.duration * DAY)
    _fall_ill(game, who, entry, until)
    if entry.dv is not None:
        await _sick(game, who, entry, entry.duration or 0)
    if entry.dur_loss:
        game.emit(Scheduled(who=who, what=WASTES, after=entry.dur_every * DAY, data=entry.id, cause=COURSE))


def _fall_ill(game: Game, who: str, entry: Disease, until: Duration) -> None:
    game.emit(EffectGained(who=who, what=Effect(DISEASE, until, source=entry.id), cause=COURSE))
    if entry.unconscious:
        game.emit(EffectGained(who=who, what=Effect(UNCONSCIOUS, until, source=entry.id), cause=COURSE))


async def _sick(game: Game, who: str, entry: Disease, days: int) -> None:
    """A day's damage of a disease; the first when the onset is over."""
    if entry.dv is not None:
        await suffer(game, who, entry.dv, entry.name, cause=f"renaissance.disease.{entry.id}")
    if days > 1 and not game[who].status.dead:
        game.emit(Scheduled(who=who, what=SICK, after=DAY, data=(entry.id, days - 1), cause=COURSE))


async def _wastes(game: Game, who: str, entry: Disease) -> None:
    """A month's loss of Durability; at nothing left it kills (renaissance.disease.raking_cough)."""
    status: Status = game[who].status
    game.emit(Wasted(who=who, dur_lost=status.dur_lost + entry.dur_loss, cause=f"renaissance.disease.{entry.id}"))
    status = game[who].status
    if status.durability <= 0 or status.damage >= now(game.scene, who).numbers.DR:
        game.emit(Died(who=who, cause=f"renaissance.disease.{entry.id}"))
        return
    game.emit(Scheduled(who=who, what=WASTES, after=entry.dur_every * DAY, data=entry.id, cause=COURSE))


def cure(game: Game, who: str, disease: str, *, cause: str) -> None:
    """A disease is over; the damage it did stays."""
    status: Status = game[who].status
    for held in status.lasting:
        if held.source == disease and held.id in (DISEASE, UNCONSCIOUS):
            game.emit(EffectEnded(who=who, what=held, cause=cause))
    if disease in game[who].status.incubating:
        left = tuple([one for one in game[who].status.incubating if one != disease])
        game.emit(Infected(who=who, incubating=left, to=GAME_MASTER, cause=cause))
    for what, data in _due_of(game.scene, who, disease):
        game.emit(Cancelled(who=who, what=what, data=data, cause=cause))


def _due_of(scene: Scene, who: str, disease: str) -> list[tuple[str, Any]]:
    found = []
    for due in scene.clock.waiting(who=who):
        name = due.data[0] if isinstance(due.data, tuple) and due.data else due.data
        if due.what in (SICKENS, SICK, WASTES) and name == disease:
            found.append((due.what, due.data))
    return found


async def treated(game: Game, who: str, entry: Disease) -> bool:
    """Effect of a treatment that went well, as the disease has it; whether the disease is over."""
    if entry.treatment == "shorten_duration":
        return _shorten(game, who, entry)
    bonus = entry.treatment_bonus
    if entry.treatment == "extra_resistance_check":
        passed = await _resists(game, who, str(entry.resist), *_words(entry), bonus=bonus)
        if not passed:
            return False
    cure(game, who, entry.id, cause=TREATMENT)
    return True


def _shorten(game: Game, who: str, entry: Disease) -> bool:
    """Halve the days that are left of a disease, rounded down; one without an end stays as it is."""
    held = next(one for one in game[who].status.lasting if one.id == DISEASE and one.source == entry.id)
    if held.until.moment is None:
        return False
    days = (held.until.moment - game.scene.clock.now) // DAY // 2
    cure(game, who, entry.id, cause=TREATMENT)
    if days:
        _fall_ill(game, who, entry, for_ticks(game.scene, days * DAY))
        if entry.dv is not None:
            game.emit(Scheduled(who=who, what=SICK, after=DAY, data=(entry.id, days), cause=COURSE))
    return not days


# ---------------------------------------------------------------------- bleeding


def inflict(game: Game, who: str, condition: Condition) -> None:
    """A condition takes hold, if the table keeps conditions or it does no damage; its damage comes by the clock."""
    cause = _rule_of(condition.id)
    if condition.dv is not None and (not game.scene.options.conditions_system or game[who].status.has(condition.id)):
        return
    until = stun(game.scene, who) if condition.ends == "turn" else OPEN_END
    game.emit(EffectGained(who=who, what=Effect(condition.id, until), cause=cause))
    _go_on(game, who, condition)


def _rule_of(condition: str) -> str:
    return BLEEDS if condition == BLEEDING else "renaissance.condition.framework"


def _due_data(condition: str) -> str | None:
    """Data of the timer of a condition: its id, and None for bleeding."""
    return None if condition == BLEEDING else condition


def _go_on(game: Game, who: str, condition: Condition) -> None:
    """The next damage of a condition is on the clock; fire burns at the start of each turn instead."""
    if condition.dv is not None and condition.every and condition.id != BURNING:
        data, cause = _due_data(condition.id), _rule_of(condition.id)
        game.emit(Scheduled(who=who, what=DRIPS, after=condition.every, data=data, cause=cause))


def end_condition(game: Game, who: str, id_: str, *, cause: str = "") -> None:
    """A condition is over, and so is the damage that it does."""
    held, cause = game[who].status.held(id_), cause or _rule_of(id_)
    if held is not None:
        game.emit(EffectEnded(who=who, what=held, cause=cause))
        cancel_timer(game, DRIPS, who, data=_due_data(id_), cause=cause)


async def _drips(game: Game, who: str, id_: str) -> None:
    if not game[who].status.has(id_) or game[who].status.dead or not game.scene.library.has(Condition, id_):
        return
    condition = game.scene.library.get(Condition, id_)
    if condition.dv is not None:
        await suffer(game, who, condition.dv, id_, cause=_rule_of(id_))
    if not game[who].status.dead:
        _go_on(game, who, condition)


# ---------------------------------------------------------------------- fire that was made


def own_fire(scene: Scene, who: str, item: str) -> LooseItem | None:
    """Own weapon of magic on the ground; None if there is none."""
    return next((one for one in scene.loose_items if one.item == item and one.owner == who), None)


def put_away(game: Game, who: str, lies: LooseItem, what: str, *, cause: str) -> None:
    """Remove a weapon of magic from the ground."""
    has = game[who].status.belongings
    game.emit(BelongingsChanged(who=who, what=what, belongings=has, taken_up=(lies,), cause=cause))
    if own_fire(game.scene, who, lies.item) is None:
        game.emit(Cancelled(who=who, what=GUTTERS, data=lies.item, cause=cause))


def _goes_out(game: Game, who: str, item: str) -> None:
    lies = own_fire(game.scene, who, item)
    if lies is not None:
        what = f"{item.replace('_', ' ')} goes out"
        has = game[who].status.belongings
        game.emit(
            BelongingsChanged(who=who, what=what, belongings=has, taken_up=(lies,), cause="renaissance.gap.power.list")
        )


# ---------------------------------------------------------------------- the clock


async def fall_due(game: Game, due: Timer) -> bool:
    """Handle a timer of a chemical, a disease or a wound; whether it was one of these."""
    library, who, data = game.scene.library, due.who, due.data
    if due.what in IN_THE_BODY and game[who].status.dead:
        return True
    if due.what == ONSET:
        await _takes_hold(game, who, library.get(Chemical, str(data)))
    elif due.what == TOLL and isinstance(data, tuple):
        id_, at, times, resisted = data
        entry = library.get(Chemical, str(id_))
        await _toll(game, who, entry, int(at), int(times), resisted=bool(resisted))  # type: ignore[arg-type]
    elif due.what == SICKENS:
        await _sickens(game, who, library.get(Disease, str(data)))
    elif due.what == SICK and isinstance(data, tuple):
        await _sick(game, who, library.get(Disease, str(data[0])), int(data[1]))  # type: ignore[arg-type]
    elif due.what == WASTES:
        await _wastes(game, who, library.get(Disease, str(data)))
    elif due.what == DRIPS:
        await _drips(game, who, str(data or BLEEDING))
    elif due.what == GUTTERS:
        _goes_out(game, who, str(data))
    else:
        return False
    return True
