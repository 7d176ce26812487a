"""Rest, care, sickness and everything that happens by the clock."""

from __future__ import annotations

from typing import Annotated, Literal

from tablewright.engine import Param, choose, process
from tablewright.errors import refuse_if
from tablewright.game.character import belongings as goods
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.play.time_passage import Who, advance_time, cancel_timer, each_named
from tablewright.game.scene.events import Event, ParticipantEvent
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant
from tablewright.game.scene.visibility import visible
from tablewright.game.time.clock import Timer
from tablewright.systems.marchen.chapters.seasons import season
from tablewright.systems.marchen.chapters.seasons.activities import add_supply, heal
from tablewright.systems.marchen.character.figures import figures
from tablewright.systems.marchen.character.record import Condition
from tablewright.systems.marchen.content import ConditionKind
from tablewright.systems.marchen.events.fight import (
    ConditionGained,
    ConditionLost,
    Ended,
    Harmed,
    Healed,
    Stabilised,
    TreatedInVain,
    apply,
    with_chronicle,
)
from tablewright.systems.marchen.harm import DIES, face_now, harm
from tablewright.systems.marchen.mechanics.harm import Suffered
from tablewright.systems.marchen.mechanics.magic import day_of_rest, treat
from tablewright.systems.marchen.mechanics.turn import SECONDS, TICKS_PER_SECOND, ticks_of
from tablewright.systems.marchen.now import how_checked, readied
from tablewright.systems.marchen.status import Status, chronicle
from tablewright.systems.marchen.tasks import Alive, AtEase, OwnBoon, count, rolled, takes_time
from tablewright.systems.marchen.values import ASPECTS, Aspect

REST, POOL = "marchen.gap.healing.rest", "marchen.gap.healing.company_pool"
AID, TRIAGE, CAMP = "marchen.watch.first_aid", "marchen.puncti.triage", "marchen.watch.make_camp"
CAMPS_A_DAY = 2
FIRST_AID = "First Aid"
"""The specialization that fits, for who has it (marchen.check.specialization)."""

OTHERS: tuple[Aspect, ...] = ("mental", "social", "spiritual")
DAY = int(SECONDS["day"]) * TICKS_PER_SECOND


# ---------------------------------------------------------------------- rest


@process(rules=["marchen.gap.healing.rest"])
async def rest(
    game: Game,
    who: Annotated[tuple[str, ...], Param("ids of those who rest; empty for everyone")] = (),
    days: Annotated[int, Param("number of days", 1, 400)] = 1,
    active: Annotated[bool, Param("whether the days are active ones")] = False,
) -> None:
    """Rest for days, fully or actively: physical damage heals each day, other aspects by 1 for a day of full rest."""
    takes_time(game)
    named = each_named(game, who, lambda one: one.present)
    for _ in range(days):
        await advance_time(game, DAY, cause=REST)
        for one in named:
            await _day(game, one, active)


async def _day(game: Game, who: str, active: bool) -> None:
    one = game[who]
    status: Status = one.status
    if status.fate or not one.present or not any(status.damage.values()):
        return
    if status.physical:
        stamina = figures(one.character, game.scene.options).modifiers["stamina"]
        amount = await day_of_rest(stamina, active).by(game.seat(who))
        heal(game, who, "physical", amount, REST)
    if not active:
        for aspect in OTHERS:
            heal(game, who, aspect, 1, REST)


# ---------------------------------------------------------------------- first aid and triage


def _use_herbs(game: Game, healer: str, herbs: bool, cause: str) -> tuple[tuple[str, int, str | None], ...]:
    if not herbs:
        return ()
    mine = game[healer].status.belongings
    game.refuse_if(not goods.count_of(mine, "herbs"), healer, "has no herbs", "marchen.month.collect_herbs")
    left = goods.remove_item(mine, "herbs")
    game.emit(BelongingsChanged(who=healer, what="uses a dose of herbs", belongings=left, cause=cause))
    return (("herbs", 1, "marchen.month.collect_herbs"),)


Herbs = Annotated[bool, Param("whether a dose of herbs is used")]


@process(rules=["marchen.watch.first_aid"])
async def first_aid(game: Game, who: AtEase, patient: Who, herbs: Herbs = False, boon: OwnBoon = "") -> int:
    """Treat injuries in the wild for a watch: once for each patient and fight."""
    status: Status = game[patient].status
    game.refuse_if(status.treated, patient, "was treated since the last fight", AID)
    game.refuse_if(not status.physical or status.fate, patient, "has nothing to treat", AID)
    more = _use_herbs(game, who, herbs, AID)
    made = readied(game.scene, who, "life_sciences", *more, specialization=FIRST_AID, boon=boon)
    core, table = how_checked(game.scene.options)
    call = treat(made.tally.total, who == patient, core, made.luck, table)
    amount: int = await call.by(game.seat(who), tallies={"modifier": made.tally})
    count(game, who, made)
    if amount < 0:
        game.emit(Harmed(who=patient, aspect="physical", suffered=Suffered(1), cause=AID))
        await _beyond(game, patient)
    if amount > 0 and game[patient].status.dying == "watch":
        stable(game, patient, AID)
    healed = min(max(0, amount), game[patient].status.physical)
    if healed:
        left = game[patient].status.physical - healed
        game.emit(Healed(who=patient, aspect="physical", amount=healed, treated=True, left=left, cause=AID))
    else:
        game.emit(TreatedInVain(who=patient, cause=AID))
    await advance_time(game, ticks_of("watch"), cause=AID)
    return amount


async def _beyond(game: Game, who: str) -> None:
    """Let a participant face the end if new damage leaves it beyond the threshold, also when down already."""
    one = game[who]
    if one.status.physical > figures(one.character, game.scene.options).thresholds["physical"]:
        await face_now(game, who, "physical")


@process(rules=["marchen.puncti.triage"])
async def triage(game: Game, who: AtEase, patient: Who, herbs: Herbs = False, boon: OwnBoon = "") -> bool:
    """Stabilise a dying character; no damage is healed. It takes a puncti."""
    game.refuse_if(not game[patient].status.dying, patient, "is not dying", TRIAGE)
    more = _use_herbs(game, who, herbs, TRIAGE)
    result = await rolled(game, who, "life_sciences", *more, specialization=FIRST_AID, boon=boon)
    if result.success:
        stable(game, patient, TRIAGE)
    await advance_time(game, ticks_of("puncti"), cause=TRIAGE)
    return result.success


def stable(game: Game, who: str, cause: str) -> None:
    """Make a dying participant stable."""
    game.emit(Stabilised(who=who, cause=cause))
    cancel_timer(game, DIES, who, cause=cause)


# ---------------------------------------------------------------------- camps and the pool


@apply.sets(camped=lambda status, event: (event.day, status.camped[1] + 1 if status.camped[0] == event.day else 1))
class Camped(ParticipantEvent):
    """A rest in a camp."""

    day: int = visible()


def camps_today(game: Game, one: Participant) -> int:
    """Number of camps of a participant on this day."""
    day, count = one.status.camped
    return int(count) if day == game.scene.clock.now // DAY + 1 else 0


@process(rules=["marchen.watch.make_camp"])
async def make_camp(game: Game, payer: Who) -> None:
    """Camp for a watch: 1 Supply for the party; everyone heals 1 damage of one aspect, twice a day at most."""
    takes_time(game)
    game.refuse_if(game[payer].character.supply < 1, payer, "has no supply; a camp without it gives nothing", CAMP)
    add_supply(game, payer, -1, CAMP)
    side = game[payer].side
    for one in [one.id for one in game.scene.present if one.side == side]:
        status: Status = game[one].status
        hurt = [aspect for aspect in ASPECTS if status.damage[aspect]]
        if not hurt or status.fate or camps_today(game, game[one]) >= CAMPS_A_DAY:
            continue
        aspect = await choose(game.seat(one), "which aspect heals?", hurt, details={"who": one})
        heal(game, one, aspect, 1, CAMP)
        game.emit(Camped(who=one, day=game.scene.clock.now // DAY + 1, cause=CAMP))
    await advance_time(game, ticks_of("watch"), cause=CAMP)


@apply.by(lambda scene, event: with_chronicle(scene, pool=event.points))
class PoolChanged(Event):
    """The company's pool is refilled or used."""

    mentions = ()
    points: int = visible()


def _needs_pool(game: Game) -> None:
    refuse_if(not game.scene.options.company_pool, "this table plays without a company pool", rule=POOL)


@process(rules=["marchen.gap.healing.company_pool"])
async def refill_pool(game: Game) -> None:
    """Refill the company's pool at the beginning of a session: one point for each hero."""
    _needs_pool(game)
    heroes = [one for one in game.scene.present if not one.character.is_creature]
    game.emit(PoolChanged(points=len(heroes), cause=POOL))


@process(rules=["marchen.gap.healing.company_pool"])
async def use_pool(
    game: Game, who: Who, aspect: Annotated[Literal["social", "spiritual"], Param("which aspect heals")]
) -> None:
    """Use a point of the company's pool to heal 1 social or spiritual damage."""
    _needs_pool(game)
    points = chronicle(game.scene).pool
    refuse_if(points < 1, "the pool is empty", rule=POOL)
    game.refuse_if(not getattr(game[who].status, aspect), who, f"has no {aspect} damage", POOL)
    game.emit(PoolChanged(points=points - 1, cause=POOL))
    heal(game, who, aspect, 1, POOL)


# ---------------------------------------------------------------------- what the Referee calls for


@process(rules=["marchen.ounces.endure", "marchen.puncti.companion_takes_hit"])
async def hurt(
    game: Game,
    who: Alive,
    dice: Annotated[int, Param("D6 of damage", 0, 20)] = 1,
    aspect: Annotated[Aspect, Param("which aspect is hurt")] = "physical",
    plus: Annotated[int, Param("points of damage besides", 0, 100)] = 0,
) -> None:
    """Let hardship befall a character or companion, who endures it with its own scores."""
    await harm(game, who, aspect, dice, plus, cause="marchen.puncti.companion_takes_hit")


@process(
    rules=[
        "marchen.interrupted.face_death",
        "marchen.interrupted.face_duress",
        "marchen.interrupted.face_depression",
        "marchen.interrupted.face_desolation",
    ]
)
async def face_the_end(
    game: Game, who: Alive, aspect: Annotated[Aspect, Param("death, duress, depression, desolation")] = "physical"
) -> None:
    """Call for facing the end as the Referee, also without damage beyond the threshold."""
    await face_now(game, who, aspect)


@process(rules=["marchen.resource.tracks"])
async def afflict(
    game: Game, who: Who, condition: Annotated[str, Param("a condition of the content, by its id")] = "wounded"
) -> None:
    """Give a character a condition as the Referee: poison, a sickness, shame; each is -1 on checks of its aspect."""
    kind = game.scene.library.get(ConditionKind, condition)
    given = Condition(name=kind.name, aspect=kind.aspect)
    game.emit(ConditionGained(who=who, condition=given, name=given.name, cause="marchen.resource.tracks"))


@process(rules=["marchen.resource.tracks"])
async def relieve(
    game: Game, who: Who, condition: Annotated[str, Param("a condition of the content, by its id")] = "wounded"
) -> None:
    """Take a condition away as the Referee."""
    kind = game.scene.library.get(ConditionKind, condition)
    for one in game[who].status.conditions:
        if one.name == kind.name and not one.permanent:
            game.emit(ConditionLost(who=who, condition=one, name=one.name, cause="marchen.resource.tracks"))
            return
    raise game.scene.cannot(who, f"is not {kind.name.lower()}", "marchen.resource.tracks")


# ---------------------------------------------------------------------- the clock


async def fall_due(game: Game, due: Timer) -> None:
    """Run a timer that falls due: the dying die, months and seasons end."""
    if due.what == DIES:
        if due.who and game[due.who].status.dying:
            game.emit(Ended(who=due.who, cause="marchen.gap.face.outcomes"))
    else:
        await season.fall_due(game, due)


PROCESSES = (triage, first_aid, rest, make_camp, refill_pool, use_pool, hurt, face_the_end, afflict, relieve)
