"""Potions, poisons and diseases: what takes hold when, what it does again and again, and how it ends.

Everything that goes on is on the clock: an onset, a toll, the end. Nobody but the game master knows of what is to come.
"""

from __future__ import annotations

from typing import Any

from tablewright.engine import Call, Seat
from tablewright.game.clock import Due
from tablewright.game.common import BelongingsChanged, Cancelled, Scheduled
from tablewright.game.events import GAME_MASTER
from tablewright.game.lasting import OPEN_END, Lasting, TookHold, WoreOff, for_time
from tablewright.game.lying import Lying
from tablewright.game.scene import Live, Scene
from tablewright.systems.renaissance.character.active import HALF
from tablewright.systems.renaissance.content import Chemical, Disease, Toll
from tablewright.systems.renaissance.events import Died, Healed, Infected, LuckChanged, Wasted
from tablewright.systems.renaissance.harm import seen_by, suffer
from tablewright.systems.renaissance.now import Piece, now
from tablewright.systems.renaissance.status import BLEEDING, CHEMICAL, DISEASE, UNCONSCIOUS, Status
from tablewright.systems.renaissance.trials import resist
from tablewright.systems.renaissance.values import DV

DAY, MONTH, MINUTE = 86_400, 2_592_000, 60
CHEMICALS, COURSE, BLEEDS = (
    "renaissance.chemical.framework",
    "renaissance.disease.course",
    "renaissance.condition.bleeding",
)
ONSET, TOLL, SICKENS, SICK, WASTES, DRIPS = "onset", "toll", "sickens", "sick", "wastes", "drips"
IN_THE_BODY = (ONSET, TOLL, SICKENS, SICK, WASTES, DRIPS)
GUTTERS = "gutters"
"""What falls due: a chemical's onset and toll, a disease's onset, its daily damage, its monthly loss, blood; and the
end of a ball of fire that has left the hand."""


async def _resists(game: Live, who: str, formula: str, *words: str, bonus: int = 0, blind: bool = False) -> bool:
    """Whether somebody resists a chemical or a disease."""
    me = now(game.scene, who)
    goal = me.number(formula, *words)
    if bonus:
        goal = goal.plus([Piece("treatment", bonus, "renaissance.disease.treatment")])
    participant = game[who]
    luck = 0 if blind else me.luck
    call = Call(resist, (goal.total, goal.penalties, luck, me.daring))
    audience = GAME_MASTER if blind else seen_by(participant)
    seat = GAME_MASTER if blind else participant.seat
    kept = await call.by(seat, audience=audience, private={"luck": Seat.ACTOR}, tallies={"target": goal.tally()})
    if kept.luck:
        game.emit(LuckChanged(who=who, change=-kept.luck, why="resisting", cause="renaissance.luck.flip"))
    return bool(kept.passed)


# ---------------------------------------------------------------------- chemicals


async def poisoned(game: Live, who: str, chemical: str, *, cause: str) -> None:
    """A poison has come into somebody's blood."""
    await take_chemical(game, who, chemical, cause=cause)


async def take_chemical(game: Live, who: str, chemical: str, *, cause: str) -> None:
    """A chemical begins: at once, or after its onset."""
    entry = game.scene.library.get(Chemical, chemical)
    if entry.nature == "poison" and "poison" in now(game.scene, who).numbers.immune:
        return
    if entry.onset:
        game.emit(Scheduled(who=who, what=ONSET, after=entry.onset, data=chemical, cause=cause))
        return
    await _takes_hold(game, who, entry)


async def _takes_hold(game: Live, who: str, entry: Chemical) -> None:
    resisted = entry.resist is not None and await _resists(game, who, str(entry.resist), "poison")
    if resisted and entry.spares == "all":
        return
    if entry.duration and entry.grants:
        until, data = for_time(game.scene, entry.duration), HALF if resisted else None
        held = Lasting(CHEMICAL, until, source=entry.id, stacks="apart", data=data)  # renaissance.core.stacking
        game.emit(TookHold(who=who, what=held, cause=CHEMICALS))
    for at, toll in enumerate(entry.tolls):
        await _toll(game, who, entry, at, toll.times, resisted=resisted, first=True)


async def _toll(
    game: Live, who: str, entry: Chemical, at: int, times: int, *, resisted: bool, first: bool = False
) -> None:
    """One toll of a chemical, and the next one on the clock."""
    toll: Toll = entry.tolls[at]
    if not first or toll.first:
        await _pay(game, who, entry, toll, resisted=resisted)
        times -= 1
    if times > 0 and not game[who].status.dead:
        data = (entry.id, at, times, resisted)
        game.emit(Scheduled(who=who, what=TOLL, after=toll.every, data=data, cause=CHEMICALS))


async def _pay(game: Live, who: str, entry: Chemical, toll: Toll, *, resisted: bool) -> None:
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
        left = status.wounds - cured
        game.emit(
            Healed.of(
                who,
                status,
                entry.name,
                CHEMICALS,
                damage=status.damage - healed,
                wounds=left,
                bound=min(status.bound, left),
                tried=min(status.tried, left),
            )
        )


# ---------------------------------------------------------------------- diseases


async def expose(game: Live, who: str, disease: str) -> bool:
    """Somebody is exposed to a disease: one check that nobody sees; whether they have caught it."""
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
    """What a check against a disease goes by."""
    return ("disease", "food_borne") if entry.food_borne else ("disease",)


def _has(status: Status, disease: str) -> bool:
    return any(held.id == DISEASE and held.source == disease for held in status.lasting)


async def _sickens(game: Live, who: str, entry: Disease) -> None:
    """The onset is over: the effects begin."""
    status: Status = game[who].status
    left = tuple([one for one in status.incubating if one != entry.id])
    game.emit(Infected(who=who, incubating=left, to=GAME_MASTER, cause=COURSE))
    until = OPEN_END if entry.duration is None else for_time(game.scene, entry.duration * DAY)
    game.emit(TookHold(who=who, what=Lasting(DISEASE, until, source=entry.id), cause=COURSE))
    if entry.unconscious:
        game.emit(TookHold(who=who, what=Lasting(UNCONSCIOUS, until, source=entry.id), cause=COURSE))
    if entry.dv is not None:
        await _sick(game, who, entry, entry.duration or 0)
    if entry.dur_loss:
        game.emit(Scheduled(who=who, what=WASTES, after=entry.dur_every * DAY, data=entry.id, cause=COURSE))


async def _sick(game: Live, who: str, entry: Disease, days: int) -> None:
    """A day's damage of a disease; the first when the onset is over."""
    if entry.dv is not None:
        await suffer(game, who, entry.dv, entry.name, cause=f"renaissance.disease.{entry.id}")
    if days > 1 and not game[who].status.dead:
        game.emit(Scheduled(who=who, what=SICK, after=DAY, data=(entry.id, days - 1), cause=COURSE))


async def _wastes(game: Live, who: str, entry: Disease) -> None:
    """A month's loss of Durability; at nothing left it kills (renaissance.disease.raking_cough)."""
    status: Status = game[who].status
    game.emit(Wasted(who=who, dur_lost=status.dur_lost + entry.dur_loss, cause=f"renaissance.disease.{entry.id}"))
    status = game[who].status
    if status.durability <= 0 or status.damage >= now(game.scene, who).numbers.DR:
        game.emit(Died(who=who, cause=f"renaissance.disease.{entry.id}"))
        return
    game.emit(Scheduled(who=who, what=WASTES, after=entry.dur_every * DAY, data=entry.id, cause=COURSE))


def cure(game: Live, who: str, disease: str, *, cause: str) -> None:
    """A disease is over; the damage it did stays."""
    status: Status = game[who].status
    for held in status.lasting:
        if held.source == disease and held.id in (DISEASE, UNCONSCIOUS):
            game.emit(WoreOff(who=who, what=held, cause=cause))
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


async def resist_again(game: Live, who: str, disease: str, bonus: int) -> bool:
    """One more resistance check that a treatment allows; passed, the disease is over."""
    entry = game.scene.library.get(Disease, disease)
    if not await _resists(game, who, str(entry.resist), *_words(entry), bonus=bonus):
        return False
    cure(game, who, disease, cause="renaissance.disease.treatment")
    return True


# ---------------------------------------------------------------------- bleeding


def bleed(game: Live, who: str) -> None:
    """Somebody bleeds from now on, if the table keeps conditions."""
    if game.scene.options.conditions_system and not game[who].status.has(BLEEDING):
        game.emit(TookHold(who=who, what=Lasting(BLEEDING), cause=BLEEDS))
        game.emit(Scheduled(who=who, what=DRIPS, after=MINUTE, cause=BLEEDS))


def stop_bleeding(game: Live, who: str) -> None:
    """The blood is stopped."""
    held = game[who].status.held(BLEEDING)
    if held is not None:
        game.emit(WoreOff(who=who, what=held, cause=BLEEDS))
        game.emit(Cancelled(who=who, what=DRIPS, cause=BLEEDS))


async def _drips(game: Live, who: str) -> None:
    if not game[who].status.has(BLEEDING) or game[who].status.dead:
        return
    await suffer(game, who, DV(0, 1), "bleeding", cause=BLEEDS)
    if not game[who].status.dead:
        game.emit(Scheduled(who=who, what=DRIPS, after=MINUTE, cause=BLEEDS))


# ---------------------------------------------------------------------- fire that was made


def own_fire(scene: Scene, who: str, item: str) -> Lying | None:
    """What somebody has made by magic and let go of, where it lies."""
    return next((one for one in scene.lying if one.item == item and one.owner == who), None)


def put_away(game: Live, who: str, lies: Lying, what: str, *, cause: str) -> None:
    """What lay on the ground by magic is there no more."""
    has = game[who].status.belongings
    game.emit(BelongingsChanged(who=who, what=what, belongings=has, taken_up=(lies,), cause=cause))
    if own_fire(game.scene, who, lies.item) is None:
        game.emit(Cancelled(who=who, what=GUTTERS, data=lies.item, cause=cause))


def _goes_out(game: Live, who: str, item: str) -> None:
    lies = own_fire(game.scene, who, item)
    if lies is not None:
        what = f"{item.replace('_', ' ')} goes out"
        has = game[who].status.belongings
        game.emit(
            BelongingsChanged(who=who, what=what, belongings=has, taken_up=(lies,), cause="renaissance.gap.power.list")
        )


# ---------------------------------------------------------------------- the clock


async def fall_due(game: Live, due: Due) -> bool:
    """What a chemical, a disease or a wound does when its time has come; whether it was one of these."""
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
        await _drips(game, who)
    elif due.what == GUTTERS:
        _goes_out(game, who, str(data))
    else:
        return False
    return True
