"""Rest, care, sickness and everything that happens by the clock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from tablewright.engine import Param, process
from tablewright.errors import IllegalActionError, InvalidInputError, refuse_if
from tablewright.game.play.common_events import BelongingsChanged, Cancelled, Checked, Scheduled
from tablewright.game.play.time_passage import (
    AtLeisure,
    advance_time,
    cancel_timer,
    require_alive,
    restart_timer,
)
from tablewright.game.rules.ledger import table
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.time.clock import Timer
from tablewright.systems.opend6.chapters.points import PointsSpent, fate_of
from tablewright.systems.opend6.character.figures import figures
from tablewright.systems.opend6.checks import used_once
from tablewright.systems.opend6.content import Gear, Hazard, Toughness
from tablewright.systems.opend6.events.attack import Hurt
from tablewright.systems.opend6.events.harm import CameTo, Died, Healed, Rescued, SenselessFor, Treated
from tablewright.systems.opend6.events.turn import PointsAsked
from tablewright.systems.opend6.harm import DYING, WAKES, die_slowly, hurt, let_go, wakes_later
from tablewright.systems.opend6.mechanics.checks import total
from tablewright.systems.opend6.mechanics.dice import broken_fall
from tablewright.systems.opend6.mechanics.harm import (
    MINUTE_ROUNDS,
    NATURALLY,
    RANK,
    break_object,
    healed_by,
    natural_healing,
    points_for,
    points_of,
    regained,
)
from tablewright.systems.opend6.mechanics.points import Aimed, Purse, Throw, skill_roll
from tablewright.systems.opend6.mechanics.rolls import How
from tablewright.systems.opend6.now import (
    OWN_POINTS,
    SPENT,
    better,
    mended,
    rolled,
    seen_by,
    succeeds,
    terms,
    unskilled_by,
)
from tablewright.systems.opend6.status import (
    Status,
    body_points_of,
    is_dying,
    is_here,
    is_out,
    level,
    most_body_points,
    uses_points,
)
from tablewright.systems.opend6.values import WOUND_LEVELS, DieCode, WoundLevel

NATURAL_POINTS, NATURAL = "opend6.gap.healing.natural_body_points", "opend6.gap.healing.natural_wounds"
CARE, CARE_POINTS = "opend6.gap.healing.assisted_wounds", "opend6.gap.healing.assisted_body_points"
RESCUE, HAZARDS = "opend6.gap.wound.dying_rescue", "opend6.gap.damage.hazards"
FIAT, LEVELS, LOSS = "opend6.meta.gm_fiat", "opend6.gap.wound.levels", "opend6.gap.body_points.loss"
OBJECTS, INCAPACITATED = "opend6.gap.damage.objects", "opend6.gap.wound.incapacitated"
TIMING = "opend6.cp.timing"
DAY, HOUR, MINUTE = 86_400, 3_600, 60
RESTED, HEALS, NEW_DAY = "rested", "heals", "new day"
Activity: TypeAlias = Literal["full_rest", "light_activity", "strenuous"]
ACTIVITY_DICE: Mapping[str, int] = table("opend6.gap.healing.natural_body_points")


CARED: Mapping[str, int] = table("opend6.gap.healing.assisted_wounds")
BROKEN_FALL, GIVES_POINTS = 10, 11
MOST_METRES = 300
"""Upper bound for the metres of a fall; half of it is always deadly."""
UNHARMED, ONE_DIE, TWO_DICE = 4, 10, 15  # minutes; opend6.gap.wound.dying_rescue


def _require_here(game: Game, who: str, rule: str) -> None:
    game.refuse_if(not is_here(game.scene, game[who].id), who, "has left", rule)


Here = Annotated[str, Param("a participant of the scene", guard=_require_here)]
"""Parameter of a process for a participant who has not left."""


# ---------------------------------------------------------------------- rest


def how(scene: Scene, who: str = "") -> How:
    """Settings of a roll of a participant."""
    return terms(scene, who).how()


@process(rules=[NATURAL, NATURAL_POINTS])
async def rest(
    game: Game,
    who: AtLeisure,
    days: Annotated[int, Param("how many days", 1, 3_650)] = 1,
    activity: Annotated[Activity, Param("activity during the rest")] = "full_rest",
    double: Annotated[bool, Param("whether each level is given twice the rest it takes, for a die more")] = False,
    spend: Annotated[bool, Param("whether they are asked for Character and Fate Points on the rolls")] = False,
) -> int:
    """Rest for days: Body Points come back every day, Wound levels after the days that each of them takes."""
    if spend and not game[who].status.spending:
        game.emit(PointsAsked(who=who, asked=True, cause=TIMING))
    _begin(game, who, activity, double)
    return await advance_time(game, days * DAY, cause=NATURAL)


def _begin(game: Game, who: str, activity: str, double: bool) -> None:
    """Set the timer of a rest, unless one for the same kind of rest is set."""
    clock, now = game.scene.clock, level(game.scene, who)
    if clock.left(RESTED, who=who, data=activity) is None:
        restart_timer(game, RESTED, who, after=DAY, every=DAY, data=activity, cause=NATURAL_POINTS)
    begun = clock.waiting(HEALS, who=who)
    was, worked, times = _rest_of(begun[0]) if begun else ("", "", "")
    if uses_points(game.scene):
        return
    if was != now:
        _schedule_healing(game, who, now, activity, double)
        return
    hard = "strenuous" if "strenuous" in (worked, activity) else activity
    if now in NATURALLY and (hard, double) != (worked, times == "double"):
        more = NATURALLY[now].days * DAY * (double - (times == "double"))
        _schedule_healing(game, who, now, hard, double, after=max(1, begun[0].at - clock.now + more))


def _rest_of(due: Timer) -> tuple[str, str, str]:
    """The level that a rest heals, the activity meanwhile, and whether the rest takes twice as long."""
    was, _, more = str(due.data).partition("/")
    activity, _, times = more.partition("/")
    return was, activity, times


def _schedule_healing(
    game: Game, who: str, now: WoundLevel, activity: str, double: bool, *, after: int | None = None
) -> None:
    """Set the timer for the end of the rest that a level needs; none for the unhurt."""
    if now == "stunned":
        restart_timer(game, HEALS, who, after=MINUTE, data="stunned", cause=NATURAL)
    elif now in NATURALLY:
        ticks = NATURALLY[now].days * (2 if double else 1) * DAY if after is None else after
        data = f"{now}/{activity}/{'double' if double else 'single'}"
        restart_timer(game, HEALS, who, after=ticks, data=data, cause=NATURAL)
    else:
        cancel_timer(game, HEALS, who, cause=NATURAL)


def _rests_anew(game: Game, who: str) -> None:
    """Replace the rest of a patient that care has improved by the rest of the new level."""
    begun = game.scene.clock.waiting(HEALS, who=who)
    if begun:
        _, activity, times = _rest_of(begun[0])
        _schedule_healing(game, who, level(game.scene, who), activity or "full_rest", times == "double")


async def fall_due(game: Game, due: Timer) -> None:
    """Handle a timer: a day of rest, the end of a rest, waking up, poison."""
    who = due.who
    if not is_here(game.scene, who):
        return
    wounds = game[who].status.wounds
    if wounds.level == "dead":
        if due.every:
            game.emit(Cancelled(who=who, what=due.what, cause=NATURAL))
        return
    if due.what == WAKES:
        if wounds.unconscious and not is_dying(game[who]):
            game.emit(CameTo(who=who, cause=INCAPACITATED))
    elif due.what == RESTED:
        await _day_of_rest(game, who, str(due.data))
    elif due.what == NEW_DAY:
        _day_begins(game, who)
    elif due.what == HEALS:
        await _heals(game, who, due)
    elif due.what.startswith("hazard:"):
        await _harm(game, who, due.what.partition(":")[2])


def _day_begins(game: Game, who: str) -> None:
    """Every healer may try again."""
    if game[who].status.wounds.treated_by:
        game.emit(Treated(who=who, by="", cause=CARE))


async def _day_of_rest(game: Game, who: str, activity: str) -> None:
    _day_begins(game, who)
    if not uses_points(game.scene):
        return
    status: Status = game[who].status
    most = most_body_points(game[who], game.scene)
    left = body_points_of(status, most)
    if left >= most or is_dying(game[who]):
        return
    found = figures(game[who].character, game.scene.library)
    physique = found.codes["physique"]
    dice = ACTIVITY_DICE.get(activity, 0)
    one = game[who]
    if _may_spend(game, who):
        total = (await _physique_roll(game, who, dice, GIVES_POINTS)).total
        one = game[who]
        call = points_of(points_for(total), how(game.scene, who))
    else:
        code = DieCode(max(1, physique.dice + dice), physique.pips)
        call = regained(code, found.bonus("physique"), how(game.scene, who))
    points = await call.by(one.seat, audience=seen_by(one))
    if is_here(game.scene, who) and points:
        now = min(most, left + points)
        game.emit(Healed(who=who, body_points=None if now >= most else now, had=left, cause=NATURAL_POINTS))


def _may_spend(game: Game, who: str) -> bool:
    """True if a character is asked for points, and has some."""
    return game[who].status.points > 0 or fate_of(game.scene, who) > 0


async def _physique_roll(game: Game, who: str, dice: int, needed: int, *, known: bool = False) -> Aimed:
    """A Physique roll for getting better, with points before it and after it. [opend6.cp.timing, opend6.fate.timing]

    A Critical Failure adds all dice and is told. Injuries take nothing from it. ``known`` says that more than what is
    needed is of no use.
    """
    scene, one = game.scene, game[who]
    found = figures(one.character, scene.library)
    physique = found.codes["physique"]
    lacking = min(max(0, -dice), max(0, physique.dice - 1))
    throw = Throw(physique, lacking, DieCode(max(0, dice)), 0, found.bonus("physique"))
    rolling = terms(scene, who)._replace(critical_failure="complication") if known else terms(scene, who)
    call = skill_roll(throw, needed, Purse(one.status.points, fate_of(scene, who)), rolling)
    aimed: Aimed = await call.by(one.seat, private=OWN_POINTS, audience=seen_by(one))
    if not (known and aimed.complication):
        aimed = await mended(game, who, aimed, needed, known=known)
    if is_here(game.scene, who) and (aimed.points or aimed.fate):
        spent = PointsSpent(who=who, character_points=aimed.points, fate_points=aimed.fate, on="physique", cause=SPENT)
        game.emit(spent)
    return aimed


async def _heals(game: Game, who: str, due: Timer) -> None:
    """The rest that a level takes is over."""
    now = level(game.scene, who)
    was, activity, times = _rest_of(due)
    if uses_points(game.scene) or now not in WOUND_LEVELS or now == "healthy":
        return
    if now == "stunned":
        game.emit(Healed(who=who, level="healthy", was=now, cause=NATURAL))
        return
    if was == now:
        found = figures(game[who].character, game.scene.library)
        dice = (1 if times == "double" else 0) - (1 if activity == "strenuous" else 0)
        one = game[who]
        if _may_spend(game, who):
            aimed = await _physique_roll(game, who, dice, NATURALLY[now].heals_at, known=True)
            after = healed_by(now, aimed.total, failed=aimed.complication)
        else:
            call = natural_healing(found.codes["physique"], now, dice, found.bonus("physique"), how(game.scene, who))
            after = await call.by(one.seat, audience=seen_by(one))
        if not is_here(game.scene, who):
            return
        if after == "dead":
            game.emit(Died(who=who, cause=NATURAL))
            return
        if after != now:
            game.emit(Healed(who=who, level=after, was=now, cause=NATURAL))
    now = level(game.scene, who)
    if now in NATURALLY and game.scene.clock.left(HEALS, who=who) is None:
        _schedule_healing(game, who, now, activity or "full_rest", times == "double")


# ---------------------------------------------------------------------- care


def healers_dice(game: Game, healer: str) -> tuple[DieCode, Gear | None]:
    """Bonus of a healer's pack with uses left, and the pack."""
    for carried in game[healer].belongings:
        if game.scene.library.has(Gear, carried.item) and carried.left != 0:
            found = game.scene.library.get(Gear, carried.item)
            if "healing" in found.skills:
                return found.bonus, found
    return DieCode(0), None


@process(rules=[CARE, CARE_POINTS, RESCUE])
async def treat(game: Game, who: Here, healer: Here) -> bool:
    """Treat the wounds of another: one level better, or Body Points back; each healer once a day."""
    game.refuse_if(is_out(game[healer]), healer, "cannot treat anybody now", CARE)
    require_alive(game, who, CARE)
    wounds = game[who].status.wounds
    patient = game.scene.display_name(who)
    game.refuse_if(healer in wounds.treated_by, healer, f"has treated {patient} today already", CARE)
    hurt_at_all = level(game.scene, who) != "healthy" or wounds.body_points is not None or wounds.unconscious
    refuse_if(not hurt_at_all, f"{patient} is not hurt", rule=CARE)
    bonus, pack = healers_dice(game, healer)
    points = uses_points(game.scene)
    game.emit(Treated(who=who, by=healer, cause=CARE_POINTS if points else CARE))
    clock = game.scene.clock
    if clock.left(RESTED, who=who) is None and clock.left(NEW_DAY, who=who) is None:
        game.emit(Scheduled(what=NEW_DAY, who=who, after=DAY, cause=CARE))
    if pack is not None and pack.uses is not None:
        left = used_once(game[healer].belongings, pack)
        game.emit(BelongingsChanged(who=healer, what=f"uses {pack.name}", belongings=left, cause=CARE))
    if points:
        return await _give_points(game, who, healer, bonus)
    now = level(game.scene, who)
    needed = CARED["unconscious"] if wounds.unconscious and now == "healthy" else CARED.get(now, 10)
    needed += unskilled_by(game.scene, healer, "healing")
    outside, plain = DieCode(bonus.dice), bonus.pips
    found = await rolled(game, healer, "healing", needed - plain, outside=outside, known=True)
    helps = found.total + plain >= needed
    if is_here(game.scene, healer):
        game.emit(Checked(who=healer, what="healing", result="success" if helps else "failure", cause=CARE))
    if not helps or not is_here(game.scene, who):
        return False
    if now == "mortally_wounded":
        return await _rescue(game, who, WOUND_LEVELS[RANK[now] - 1], None)
    better_now: WoundLevel = WOUND_LEVELS[max(0, RANK[now] - 1)]
    game.emit(Healed(who=who, level=better_now, was=now, cause=CARE))
    _bring_round(game, who)
    _rests_anew(game, who)
    return True


def _bring_round(game: Game, who: str) -> None:
    """Wake an unconscious participant early."""
    if game[who].status.wounds.unconscious:
        game.emit(CameTo(who=who, cause=CARE))
        cancel_timer(game, WAKES, who, cause=CARE)


async def _give_points(game: Game, who: str, healer: str, bonus: DieCode) -> bool:
    most = most_body_points(game[who], game.scene)
    one = game[healer]
    plain = bonus.pips - unskilled_by(game.scene, healer, "healing")
    found = await rolled(game, healer, "healing", GIVES_POINTS - plain, outside=DieCode(bonus.dice))
    if not is_here(game.scene, who):
        return False
    call = points_of(points_for(found.total + plain), how(game.scene, healer))
    points = await call.by(one.seat, audience=seen_by(one))
    if not points or not is_here(game.scene, who):
        return False
    had = body_points_of(game[who].status, most)
    now = min(most, had + points)
    if is_dying(game[who]):
        if now >= -(-most // 10):
            return await _rescue(game, who, "healthy", now)
        # too few points stay for the next healer, and save no one by themselves [opend6.gap.wound.dying_rescue]
        plainly = game.scene.options.injury_system == "body_points"
        game.emit(Healed(who=who, body_points=min(now, 0) if plainly else now, had=had, cause=CARE_POINTS))
        return False
    game.emit(Healed(who=who, body_points=None if now >= most else now, had=had, cause=CARE_POINTS))
    if found.total + plain >= CARED["unconscious"]:
        _bring_round(game, who)
    return True


@process(rules=[DYING, "opend6.gap.wound.minutes"])
async def dying(
    game: Game, who: Here, minutes: Annotated[int, Param("how many minutes pass without aid", 1, 60)] = 1
) -> bool:
    """Minutes at death's door outside a fight: a Physique roll every round, as long as nobody helps."""
    game.refuse_if(not is_dying(game[who]), who, "is not dying", DYING)
    for _ in range(minutes * MINUTE_ROUNDS):
        if is_here(game.scene, who) and is_dying(game[who]):
            await die_slowly(game, who)
    await advance_time(game, minutes * MINUTE, cause=DYING)
    return is_here(game.scene, who) and is_dying(game[who])


async def _rescue(game: Game, who: str, after: WoundLevel, points: int | None) -> bool:
    """Aid for a character at death's door; the later it comes, the more it costs."""
    minutes = game[who].status.dying_rounds // 12
    if minutes > TWO_DICE:
        game.emit(Died(who=who, cause=RESCUE))
        return False
    dice = 0 if minutes <= UNHARMED else 1 if minutes <= ONE_DIE else 2
    skill = better(game.scene, who, ("physique", "stamina"))
    lives = not dice or await succeeds(game, who, skill, minutes, free=True, spared=True)
    if not is_here(game.scene, who):
        return False
    if not lives:
        game.emit(Died(who=who, cause=RESCUE))
        return False
    game.emit(Rescued(who=who, level=after, body_points=points, dice=dice, cause=RESCUE))
    _bring_round(game, who)
    _rests_anew(game, who)
    return True


# ---------------------------------------------------------------------- what the game master says


@process(rules=["opend6.meta.gm_fiat", LEVELS, LOSS])
async def set_wounds(
    game: Game,
    who: Here,
    level: Annotated[WoundLevel | None, Param("the Wound level from now on, where those are counted; or dead")] = None,
    body_points: Annotated[
        int | None, Param("the Body Points that are left, where those are counted", -500, 500)
    ] = None,
    unconscious: Annotated[
        int | None, Param("for how many minutes they are unconscious; 0 brings them round", 0, 10_000)
    ] = None,
) -> None:
    """Set the wounds of a character past the dice: by magic, by a potion, for the story's sake."""
    points, most = uses_points(game.scene), most_body_points(game[who], game.scene)
    if level is None and body_points is None and unconscious is None:
        raise InvalidInputError(
            "say a Wound level, Body Points, or for how long somebody is unconscious", field="level"
        )
    if points and level not in (None, "dead"):
        raise IllegalActionError("Body Points are counted at this table: say how many are left", rule=LOSS)
    if body_points is not None and not points:
        raise IllegalActionError("Wound levels are counted at this table: say which one", rule=LEVELS)
    if body_points is not None and body_points > most:
        raise game.scene.cannot(who, f"has at most {most} Body Points", LOSS)
    if level == "dead" or (body_points is not None and body_points <= -most):
        game.emit(Died(who=who, cause=FIAT))
    elif level is not None:
        game.emit(Healed(who=who, level=level, cause=FIAT))
    elif body_points is not None:
        game.emit(Healed(who=who, body_points=None if body_points == most else body_points, cause=FIAT))
    if unconscious == 0:
        _bring_round(game, who)
    elif unconscious:
        game.emit(SenselessFor(who=who, minutes=unconscious, cause=FIAT))
        wakes_later(game, who, unconscious)
    if is_out(game[who]):
        let_go(game, who, FIAT)
    _rests_anew(game, who)


# ---------------------------------------------------------------------- what hurts


@process(rules=[HAZARDS])
async def hazard(
    game: Game,
    who: Here,
    what: Annotated[
        str, Param("what it is, by its id: fall, torch_fire, extreme_cold, strong_acid, botulism, nightshade")
    ],
    metres: Annotated[int, Param("how deep, for a fall", 0, MOST_METRES)] = 0,
    acrobatics: Annotated[bool, Param("whether they try to break the fall")] = False,
) -> None:
    """Harm a character by something other than a weapon; some poisons act later."""
    require_alive(game, who, HAZARDS)
    found = game.scene.library.get(Hazard, what)
    if found.after_hours:
        game.emit(Scheduled(what=f"hazard:{what}", who=who, after=found.after_hours * HOUR, cause=HAZARDS))
        return
    await _harm(game, who, what, metres, acrobatics=acrobatics)


async def _harm(game: Game, who: str, what: str, metres: int = 0, *, acrobatics: bool = False) -> None:
    found = game.scene.library.get(Hazard, what)
    code, less = found.damage, 0
    if found.every_cm:
        if 100 * metres < found.from_cm:
            unhurt: WoundLevel = "healthy" if uses_points(game.scene) else level(game.scene, who)
            game.emit(Hurt(who=who, by=what, level=unhurt, cause=HAZARDS))
            return
        times = 100 * metres // found.every_cm
        code = DieCode(code.dice * times, code.pips * times)
        if acrobatics:
            needed = BROKEN_FALL + unskilled_by(game.scene, who, "acrobatics")
            less = broken_fall((await rolled(game, who, "acrobatics", needed, known=True)).total - needed)
    damage = await total(code, 0, 0, how(game.scene, who)).by(game.seat(who))
    if is_here(game.scene, who):
        await hurt(game, who, max(0, damage - less), what, cause=HAZARDS)


@process(rules=[OBJECTS])
async def smash(
    game: Game,
    damage: Annotated[DieCode, Param("the damage code")],
    toughness: Annotated[str, Param("how tough it is, by its id: flimsy, tough, sturdy, very_sturdy, reinforced")],
) -> bool:
    """Try to destroy a thing."""
    if not game.scene.library.has(Toughness, toughness):
        raise InvalidInputError(f'there is no toughness "{toughness:.40}"', field="toughness")
    found = game.scene.library.get(Toughness, toughness)
    destroyed: bool = await break_object(damage, found.code, found.destroyed_at, how(game.scene)).by("game master")
    return destroyed


PROCESSES = (rest, treat, dying, set_wounds, hazard, smash)
