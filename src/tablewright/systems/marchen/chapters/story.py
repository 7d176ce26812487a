"""Moves of a puncti or a watch: danger, gear, words, battles, travel, songs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from tablewright.engine import Param, Tally, choose, process
from tablewright.errors import InvalidInputError, refuse_if
from tablewright.game.play.common_events import BelongingsChanged, ParticipantLeft
from tablewright.game.play.time_passage import Living, Who, advance_time, each_named
from tablewright.game.play.trade import ItemId
from tablewright.game.scene.events import Event, ParticipantEvent
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import visible
from tablewright.systems.marchen import now
from tablewright.systems.marchen.actions.maneuvers import COMPEL, resist
from tablewright.systems.marchen.actions.requirements import weakened
from tablewright.systems.marchen.chapters.seasons.activities import ON_THE_WAY, add_supply
from tablewright.systems.marchen.character.figures import score
from tablewright.systems.marchen.character.gear import worse
from tablewright.systems.marchen.character.record import MOST_NAME, Journey
from tablewright.systems.marchen.events.fight import Compelled, Harmed, HelpGained, MomentumLost, apply
from tablewright.systems.marchen.events.recovery import Followed
from tablewright.systems.marchen.harm import PRIVATE, aftermath, harm, pay
from tablewright.systems.marchen.mechanics.attack import least_of
from tablewright.systems.marchen.mechanics.checks import CheckResult, GroupResult, OpposedResult, Winner, group
from tablewright.systems.marchen.mechanics.clash import Leaders, Met, battle
from tablewright.systems.marchen.mechanics.dice import Difficulty, advantage_of
from tablewright.systems.marchen.mechanics.harm import (
    Damage,
    FailureCost,
    Suffered,
    Wound,
    hazard,
    levels_of_success,
    plain_check,
    suffer,
    terms_of,
    tiered,
    withstand,
)
from tablewright.systems.marchen.mechanics.turn import ticks_of
from tablewright.systems.marchen.modifiers import CIRCUMSTANCE, circumstance, waiting
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.status import company, journey, lives, stands, sung, with_people
from tablewright.systems.marchen.tasks import (
    OUTCOMES,
    Alive,
    AtEase,
    OwnBoon,
    able,
    aware,
    contended,
    count,
    rolled,
    takes_time,
)
from tablewright.systems.marchen.values import CHARACTERISTIC_OF, SKILL_ASPECT, Aspect, SkillId, several

DANGER, GEAR, TALK = "marchen.puncti.face_danger", "marchen.puncti.check_gear", "marchen.puncti.negotiate"
BATTLE, TRAVEL, JOURNEY = "marchen.puncti.battle", "marchen.watch.travel_modes", "marchen.month.journey"
MILES = {"prowl": 4, "adventure": 8, "travel": 16}
"""Miles that a watch of travelling covers (marchen.watch.travel_modes)."""

Skill = Annotated[SkillId, Param("the fitting skill")]


@process(rules=["marchen.puncti.face_danger", "marchen.ounces.pay_the_price", "marchen.ounces.sacrifice_resource"])
async def face_danger(
    game: Game,
    who: AtEase,
    skill: Skill,
    difficulty: Annotated[Difficulty, Param("difficulty")] = "average",
    stake: Annotated[Aspect | None, Param("the aspect at stake; none for the skill's own")] = None,
    specialization: Annotated[str, Param("the specialization that is used")] = "",
    boon: OwnBoon = "",
) -> FailureCost:
    """Make a risky attempt against an obstacle or a threat; a failure costs a price. It takes a puncti."""
    result = await rolled(game, who, skill, difficulty=difficulty, specialization=specialization, boon=boon)
    cost = await pay(game, who, stake or SKILL_ASPECT[skill], result, DANGER)
    outcome = "comes through" if result.success else "fails" if cost.retry else "fails, and cannot try again"
    game.emit(Followed(who=who, what=outcome, cause=DANGER))
    await advance_time(game, ticks_of("puncti"), cause=DANGER)
    return cost


def by_supply(scene: Scene, who: str) -> now.Ready:
    """The check of one's gear: supply, and whatever waits for the next check, whichever it is."""
    status, supply = scene[who].status, scene[who].character.supply
    reasons, parts, _ = waiting(status)
    helps = circumstance(reasons, 0, scene.options.circumstance_stack)
    tally = Tally.of("supply", supply, GEAR).add("circumstances", helps, CIRCUMSTANCE).add_all(parts)
    return now.Ready(scene.apply_rulings(tally, "supply", who), advantage_of(0, int(status.hindered)))


@process(rules=["marchen.puncti.check_gear"])
async def check_gear(game: Game, who: AtEase, item: Annotated[str, Param("item to look for")]) -> bool:
    """Check for a helpful item among the gear: core dice and supply; a tie uses up supply."""
    core, table = now.how_checked(game.scene.options)
    made = by_supply(game.scene, who)
    call = plain_check(core, made.tally.total, table, advantage=made.luck)
    result: CheckResult = await call.by(game.seat(who), tallies={"modifier": made.tally})
    count(game, who, made)
    if result.success and result.sigma == 0:
        add_supply(game, who, -1, GEAR)
    found = "is there" if result.success else "is not there"
    game.emit(Followed(who=who, what=f"{item} {found}", cause=GEAR))
    await advance_time(game, ticks_of("puncti"), cause=GEAR)
    return result.success


def _of_two(game: Game, who: str, other: str, rule: str) -> None:
    game.refuse_if(who == other, who, "would only talk to themselves", rule)


@process(rules=["marchen.puncti.negotiate"])
async def negotiate(
    game: Game,
    who: Who,
    against: Annotated[str, Param("character to negotiate with")],
    skill: Annotated[Literal["persuasion", "deception"], Param("skill used")] = "persuasion",
    with_what: Annotated[Literal["insight", "etiquette"], Param("skill of the other")] = "insight",
    boon: OwnBoon = "",
) -> OpposedResult:
    """Persuade a character or make an offer: an opposed check. It takes a puncti."""
    other = game[against].id
    _of_two(game, who, other, TALK)
    aware(game, who, other)
    takes_time(game)
    result = await contended(game, who, skill, other, with_what, boon=boon)
    words = {Winner.A: "is persuasive", Winner.B: "does not get through", Winner.NOBODY: "gets no answer"}
    game.emit(Followed(who=who, what=f"{words[result.winner]} with {game.scene.display_name(other)}", cause=TALK))
    await advance_time(game, ticks_of("puncti"), cause=TALK)
    return result


@process(rules=["marchen.puncti.compel"])
async def compel(game: Game, who: Who, against: Annotated[str, Param("character to compel")]) -> bool:
    """Coerce a character to stand down, or negotiate a truce, in a fight or outside."""
    other = game[against].id
    _of_two(game, who, other, COMPEL)
    aware(game, who, other)
    fighting = bool(game.scene.order) and game.scene.ended is None
    game.refuse_if(fighting and game[other].status.compelled, other, "was asked to stand down already", COMPEL)
    if fighting and not weakened(game.scene, other):
        raise game.scene.cannot(other, "is neither hurt, outnumbered nor in a bad spot", COMPEL)
    won = (await resist(game, who, other)).winner is Winner.A
    game.emit(Compelled(who=other, by=who, degree="success" if won else "failure", cause=COMPEL))
    if won and fighting:
        game.emit(ParticipantLeft(who=other, how="yields", cause=COMPEL))
    if not fighting:
        await advance_time(game, ticks_of("puncti"), cause=COMPEL)
    return won


@process(rules=["marchen.ounces.lose_momentum"])
async def lose_momentum(game: Game, who: Living) -> None:
    """Put a character at a disadvantage on the next check."""
    game.emit(MomentumLost(who=who, cause="marchen.ounces.lose_momentum"))


@process(rules=["marchen.puncti.aid_your_ally"])
async def gain_help(
    game: Game,
    who: Living,
    dm: Annotated[int, Param("the DM on the next check", -10, 10)] = 1,
    reason: Annotated[str, Param("source of the help")] = "help",
) -> None:
    """Give a character a DM on the next check, as the Referee."""
    game.emit(HelpGained(who=who, name=reason, dm=dm, cause="marchen.puncti.aid_your_ally"))


@process(rules=["marchen.ounces.withstand_damage"])
async def withstand_damage(
    game: Game, who: Alive, item: ItemId, vehicle: Annotated[bool, Param("whether it is a vehicle in motion")] = False
) -> int:
    """Let an item face a damaging situation: it takes a condition on a failure, two on a costly one."""
    rule = "marchen.ounces.withstand_damage"
    game.refuse_if(not any(one.item == item for one in game[who].status.belongings), who, f"has no {item}", rule)
    made = now.readied(game.scene, who, "drive_ride_pilot" if vehicle else "engineering")
    core, table = now.how_checked(game.scene.options)
    call = withstand(made.tally.total, core, made.luck, table)
    conditions: int = await call.by(game.seat(who), tallies={"modifier": made.tally})
    count(game, who, made)
    if conditions:
        worn = worse(game[who].status.belongings, item, conditions)
        what = f"{item}: {several(conditions, 'condition')}"
        game.emit(BelongingsChanged(who=who, what=what, belongings=worn, cause=rule))
    return conditions


# ---------------------------------------------------------------------- a battle in a blur


def best_arms(scene: Scene, who: str) -> now.Arms:
    """The best arms of a participant, hand to hand or at a distance."""
    own = [arms for arms in now.arms_of(scene, who).values() if arms.aspect == "physical" and not arms.thrown]
    return max(own, key=lambda arms: (arms.base, arms.dice))


def leader_of(scene: Scene, side: str) -> str:
    """The leader of a side: the best with weapons of those on their feet."""
    able = [one.id for one in scene.present if one.side == side and stands(one)]
    refuse_if(not able, f'nobody of "{side}" can fight', rule=BATTLE)
    return max(able, key=lambda who: best_arms(scene, who).base)


def _two_sides(scene: Scene, side: str, against: str) -> tuple[str, str]:
    """The sides of a battle: as they are named, else the first two that are there."""
    there = list(dict.fromkeys([one.side for one in scene.present]))
    side = side or next((one for one in there if one != against), "")
    against = against or next((one for one in there if one != side), "")
    refuse_if(not against or side == against, "a battle takes two sides", rule=BATTLE)
    return side, against


def led(scene: Scene, who: str, arms: now.Arms) -> now.Ready:
    """The check of a leader: with the arms in hand, as in any fight."""
    luck = advantage_of(0, int(scene[who].status.hindered))
    return now.Ready(now.arms_tally(scene, who, arms), luck, now.prepared(scene[who], arms.skill))


@process(rules=["marchen.puncti.battle", "marchen.gap.fight.battle"])
async def fight_battle(
    game: Game,
    side: Annotated[str, Param("side that attacks; empty for the first")] = "",
    against: Annotated[str, Param("the other side; empty for the next one")] = "",
) -> Met:
    """Fight a battle as one opposed check of the leaders; the losers are hit, after a narrow win the winners too."""
    takes_time(game)
    scene = game.scene
    options: MarchenOptions = scene.options
    side, against = _two_sides(scene, side, against)
    first, second = leader_of(scene, side), leader_of(scene, against)
    mine, theirs = best_arms(scene, first), best_arms(scene, second)
    a, b = led(scene, first, mine), led(scene, second, theirs)
    core, table = now.how_checked(options)
    leaders = Leaders(
        a.tally.total,
        b.tally.total,
        score(scene[first].character, CHARACTERISTIC_OF[mine.skill], options).total,
        score(scene[second].character, CHARACTERISTIC_OF[theirs.skill], options).total,
    )
    call = battle(leaders, core, options.damage_bonus, options.opposed_tie, a.luck, b.luck, table)
    tallies = {"modifier": a.tally, "foe_modifier": b.tally}
    met: Met = await call.by(game.seat(first), game.seat(second), tallies=tallies)
    count(game, first, a)
    count(game, second, b)
    if met.winner in ("a", "b"):
        won, lost, arms, other = (side, against, mine, theirs) if met.winner == "a" else (against, side, theirs, mine)
        game.emit(Followed(who=first if won == side else second, what=f"{won} win the battle", cause=BATTLE))
        for one in [one.id for one in game.scene.present if one.side == lost and stands(one)]:
            await _hit(game, one, arms, met.bonus, least_of(met.sigma))
        if met.narrow:
            for one in [one.id for one in game.scene.present if one.side == won and stands(one)]:
                await _hit(game, one, other, half=True)
    await advance_time(game, ticks_of("puncti"), cause=BATTLE)
    return met


async def _hit(game: Game, who: str, arms: now.Arms, bonus: int = 0, least: int = 0, *, half: bool = False) -> None:
    """Deal one hit of a battle, which is not endured; half a hit does half the damage, rounded down."""
    meets = now.body(game.scene, who, "physical")
    core, table = now.how_checked(game.scene.options)
    if game.scene.options.damage_model == "tiers":
        wound = tiered(arms.tier // 2 if half else arms.tier, meets.soak, least)
        call = suffer(wound.damage, meets.bearing, terms_of(core, False, table))
    else:
        wound = Wound(0, 0)
        call = hazard(
            Damage(arms.dice, arms.plus + bonus, meets.armour), meets.bearing, core, False, half, table, least
        )
    suffered: Suffered = await call.by(game.seat(who), private=PRIVATE)
    suffered = suffered._replace(soaked=wound.soaked)
    game.emit(Harmed(who=who, aspect="physical", suffered=suffered, cause="marchen.gap.fight.battle"))
    aftermath(game, who, "physical", suffered)


# ---------------------------------------------------------------------- travelling


class Travelled(Event):
    """A journey begins, goes on or is over."""

    mentions = ()
    journey: Journey | None = visible()
    arrived: str = visible(default="")
    covered: int = visible(default=0)


@apply.on(Travelled)
def _travelled(scene: Scene, event: Travelled) -> Scene:
    if event.covered:
        return scene  # some of them may be on a journey of their own
    return with_people(scene, company(scene), lambda one: {"journey": event.journey})


@process(rules=["marchen.watch.travel_modes", "marchen.watch.reach_destination"])
async def set_out(
    game: Game, to: Annotated[str, Param("destination")], miles: Annotated[int, Param("distance in miles", 1, 100_000)]
) -> None:
    """Set out on a journey."""
    if not 1 <= len(to.strip()) <= MOST_NAME:
        raise InvalidInputError(f"a destination has a name of 1 to {MOST_NAME} letters", field="to", rule=TRAVEL)
    game.emit(Travelled(journey=Journey(to=to.strip(), miles=miles), cause=TRAVEL))


@process(rules=["marchen.watch.travel_modes", "marchen.watch.reach_destination"])
async def travel(
    game: Game,
    mode: Annotated[Literal["prowl", "adventure", "travel"], Param("with care, through the unknown, on safe roads")],
    watches: Annotated[int, Param("number of watches", 1, 1_000)] = 1,
) -> int:
    """Travel for some watches or until the destination is reached; return the miles covered."""
    takes_time(game)
    covered = 0
    for _ in range(watches):
        await advance_time(game, ticks_of("watch"), cause=TRAVEL)
        covered += MILES[mode]
        under_way = journey(game.scene)
        if under_way is None:
            continue
        gone = under_way.gone + MILES[mode]
        if gone >= under_way.miles:
            cause = "marchen.watch.reach_destination"
            game.emit(Travelled(journey=None, arrived=under_way.to, cause=cause))
            return covered
        game.emit(Travelled(journey=under_way.changed(gone=gone), cause=TRAVEL))
    if journey(game.scene) is None:
        game.emit(Travelled(journey=None, covered=covered, cause=TRAVEL))
    return covered


@process(rules=["marchen.watch.resupply"])
async def forage(game: Game, who: AtEase, boon: OwnBoon = "") -> int:
    """Hunt, forage or scavenge for a watch: supply for each level of success."""
    rule = "marchen.watch.resupply"
    result = await rolled(game, who, "physical_sciences_survival", specialization="Survival", boon=boon)
    levels = levels_of_success(result)
    add_supply(game, who, levels, rule)
    await advance_time(game, ticks_of("watch"), cause=rule)
    return levels


@process(rules=["marchen.month.journey"])
async def undertake_journey(
    game: Game,
    who: Annotated[tuple[str, ...], Param("ids of the travellers; empty for everyone")] = (),
    months: Annotated[int, Param("number of months", 1, 60)] = 1,
    boons: Annotated[tuple[str, ...], Param("boons that are used up for the first month, each as who=boon")] = (),
) -> int:
    """Travel across hazardous lands for months: a group check for each; a failure costs everybody supply or harm.

    The fallen are carried: they make no check, but a bad month is theirs too.
    """
    takes_time(game)
    those = tuple(each_named(game, who, lambda one: one.present and lives(one)))
    if gone := [one for one in those if not lives(game[one])]:
        raise game.scene.cannot(gone[0], f"is {game[gone[0]].status.fate}", OUTCOMES)
    refuse_if(not those, "nobody is left who could travel", rule=OUTCOMES)
    if unclear := [each for each in boons if "=" not in each]:
        raise InvalidInputError(f'"{unclear[0]:.60}" is not of the form who=boon', field="boons")
    used = {game[one.strip()].id: boon.strip() for one, _, boon in [each.partition("=") for each in boons]}
    if absent := [one for one in used if one not in those]:
        raise InvalidInputError(f"{', '.join(absent)} does not travel, but is to use a boon", field="boons")
    good = 0
    for month in range(months):
        afoot = tuple([one for one in those if not game[one].status.down])
        if not afoot and month:
            break  # no one is left who could go on
        able(game, *(() if afoot else those))
        success = await _on_the_way(game, afoot, {} if month else used)
        good += success
        if not success:
            for one in [one for one in those if lives(game[one])]:
                await _toll(game, one)
        await advance_time(game, ticks_of("month", 1, game.scene.options.month_days), cause=JOURNEY)
    return good


async def _on_the_way(game: Game, those: tuple[str, ...], boons: Mapping[str, str]) -> bool:
    """The group check of one month."""
    options: MarchenOptions = game.scene.options
    survival: SkillId = "physical_sciences_survival"
    made = [now.readied(game.scene, one, survival, boon=boons.get(one, ""), matter=ON_THE_WAY) for one in those]
    modifiers = tuple([one.tally.total for one in made])
    rules = (options.target_rule, options.d20_scale, options.degree_method, now.lucks(made))
    result: GroupResult = await group(modifiers, options.core, "average", *rules).by(game.seat(those[0]))
    for one, its in zip(those, made, strict=True):
        count(game, one, its)
    return result.success


async def _toll(game: Game, who: str) -> None:
    ways = ["supply", "harm"] if game[who].character.supply else ["harm"]
    way = await choose(game.seat(who), "what does the journey cost?", ways, details={"who": who})
    if way == "supply":
        add_supply(game, who, -1, JOURNEY)
    else:
        await harm(game, who, "physical", 1, cause=JOURNEY)


# ---------------------------------------------------------------------- songs


@apply.by(lambda scene, event: with_people(scene, company(scene), lambda one: {"sung": (*one.sung, event.song)}))
class Sung(ParticipantEvent):
    """A song of the company that helps a companion, once until the next season."""

    song: str = visible()


@process(rules=["marchen.sojourn.write_song"])
async def sing(game: Game, who: Who, song: Annotated[str, Param("a song of the company")]) -> None:
    """Sing a song of the company: DM+1 on one companion's next check, once until the next season."""
    rule = "marchen.sojourn.write_song"
    known = [each for one in game.scene.present if one.side == game[who].side for each in one.character.songs]
    refuse_if(song not in known, f"the company has no song {song}", rule=rule)
    refuse_if(song in sung(game.scene), f"{song} was sung since the last season", rule=rule)
    game.emit(Sung(who=who, song=song, cause=rule))
    game.emit(HelpGained(who=who, name=song, dm=1, circumstance=True, cause=rule))


PROCESSES = (
    face_danger,
    check_gear,
    negotiate,
    compel,
    lose_momentum,
    gain_help,
    withstand_damage,
    fight_battle,
    set_out,
    travel,
    forage,
    undertake_journey,
    sing,
)
