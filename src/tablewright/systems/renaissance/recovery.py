"""Rest, care, sickness and everything that happens by the clock.

Days are reckoned one by one as time passes, by the plans that stand: a week in one step is seven days.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from tablewright.engine import Param, Process, process
from tablewright.errors import IllegalActionError, InvalidInputError, refuse_if
from tablewright.game.character.belongings import remove_item
from tablewright.game.play.common_events import Scheduled
from tablewright.game.play.time_passage import Who, advance_time, require_no_encounter
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.time.clock import Timer
from tablewright.systems.renaissance.actions.turn import coat
from tablewright.systems.renaissance.chapters import ailments
from tablewright.systems.renaissance.character.figures import has_grant
from tablewright.systems.renaissance.character.gear import HELD, in_hand
from tablewright.systems.renaissance.content import Chemical, Condition, Disease, StressSource, Tradition, Weapon
from tablewright.systems.renaissance.effects import NoHealing
from tablewright.systems.renaissance.events.fight import Died, HandsChanged, LuckChanged
from tablewright.systems.renaissance.events.recovery import Healed, Planned
from tablewright.systems.renaissance.harm import fast_healing, strain, suffer
from tablewright.systems.renaissance.mechanics.turn import Bound, Steps
from tablewright.systems.renaissance.now import Goal, Piece, now
from tablewright.systems.renaissance.status import BLEEDING, DISEASE, Plan, Status, on_the_clock, stands
from tablewright.systems.renaissance.tasks import Able, Attempt, able, day_of_work, do_task, in_free_play, skilled, tend
from tablewright.systems.renaissance.values import DAY, DV, MINUTE

NATURAL, STRESS = "renaissance.healing.natural_damage", "renaissance.healing.natural_stress"
CARE, CARE_MIND = "renaissance.healing.care_physical", "renaissance.healing.care_mental"
BINDING, TREATMENT = "renaissance.healing.binding", "renaissance.disease.treatment"
FRAMEWORK = "renaissance.condition.framework"
FOLLOWS = {"healing": "damage or stress", "escape": "a grab"}
"""Origins of conditions that no one can inflict, by how they end."""
RECKON = "reckon"
"""Timer that ends the day of each participant."""


class Track(NamedTuple):
    """Fields of harm to body or mind: it heals first, then what it left behind, in parts of a whole each day."""

    harm: str
    left: str
    healing: str
    tried: str
    negated: str
    whole: int
    alone: int
    cared: int


BODY = Track("damage", "wounds", "mending", "tried", "bound", 28, 28 // 7, 28 // 4)
MIND = Track("stress", "traumas", "easing", "meditated", "soothed", 210, 210 // 30, 210 // 7)


# ---------------------------------------------------------------------- days


def arrives(scene: Scene, who: str) -> Scene:
    """Take in a newcomer: its effects go on by the clock of this scene, and its days will be reckoned."""
    scene = on_the_clock(scene, who)
    if not scene[who].present or scene.clock.left(RECKON, who=who) is not None:
        return scene
    return evolve(scene, clock=scene.clock.schedule(RECKON, after=DAY, who=who, every=DAY, rank=10))


async def fall_due(game: Game, due: Timer) -> None:
    """Handle a timer that has run out."""
    if due.what == RECKON:
        reckon(game, due.who)
    else:
        await ailments.fall_due(game, due)


def reckon(game: Game, who: str) -> None:
    """End the day of a participant: healing and work."""
    status: Status = game[who].status
    if status.dead:
        return
    if not has_grant(NoHealing, game[who].character, game.scene.library):
        if (status.damage or status.wounds) and fast_healing(now(game.scene, who), game.scene, who):
            body = {"damage": 0, "wounds": max(0, status.wounds - 1)}
        else:
            body = _healed_in_a_day(game.scene, status, BODY, status.plan.body)
        changes = body | _healed_in_a_day(game.scene, status, MIND, status.plan.mind)
        if changes:
            cause = CARE if status.plan.body or status.plan.mind else NATURAL
            game.emit(Healed.of(who, status, "a day of rest", cause, **_steadied(game, who, changes)))
    day_of_work(game, who)


def _healed_in_a_day(scene: Scene, status: Status, track: Track, carer: str) -> dict[str, int]:
    """A day of healing; a carer who stands helps one who rests all day, without tasks."""
    care = carer and not status.tasked and (carer not in scene or stands(scene[carer]))
    harm, left = getattr(status, track.harm), getattr(status, track.left)
    healed = getattr(status, track.healing) + (track.cared if care else track.alone)
    if harm:
        return {track.harm: max(0, harm - (3 if care else 1))}
    if left and healed >= track.whole:
        return {track.healing: 0, track.left: left - 1}
    return {track.healing: healed} if left else {}


def _steadied(game: Game, who: str, changes: dict[str, int]) -> dict[str, int]:
    """The changes, and that a participant is not overwhelmed any more if the stress that is left is low enough."""
    over = game[who].status.overwhelmed and changes.get("stress", 0) < now(game.scene, who).numbers.LUC
    return changes | {"overwhelmed": False} if over and "stress" in changes else changes


def _tended(game: Game, who: str, track: Track, done: Bound, why: str, cause: str) -> bool:
    """The one attempt at a wound or a trauma has been made: a success heals, and negates it."""
    status: Status = game[who].status
    if status.dead or not getattr(status, track.left):
        return False
    changes = {track.tried: getattr(status, track.tried) + 1}
    if done.succeeds:
        changes[track.harm] = max(0, getattr(status, track.harm) - done.healed)
        changes[track.negated] = getattr(status, track.negated) + 1
    game.emit(Healed.of(who, status, why, cause, **_steadied(game, who, changes)))
    return done.succeeds


# ---------------------------------------------------------------------- plans


@process(rules=["renaissance.healing.care_scope", CARE, CARE_MIND, "renaissance.mode.down_time"])
async def plan(
    game: Game,
    who: Who,
    job: Annotated[str, Param("the job to work on every day, if any")] = "",
    body: Annotated[str, Param("the carer for the body, if there is one")] = "",
    mind: Annotated[str, Param("the carer for the mind, if there is one")] = "",
) -> None:
    """Plan the days of a character: work on a job, or rest under care for body, mind or both."""
    refuse_if(job and (body or mind), "a character who rests under care does not work", rule=CARE)
    status: Status = game[who].status
    if job and job not in [one.name for one in status.jobs]:
        raise InvalidInputError(f'{game.scene.display_name(who)} has no job "{job:.40}"; begin it first', field="job")
    words = [job] if job else []
    for what, carer in (("body", body), ("mind", mind)):
        refuse_if(carer == who, "characters cannot care for themselves", rule=CARE)
        if carer in game.scene:
            able(game, carer)
        if carer:
            words.append(f"{what} cared for by {game.scene.display_name(carer) if carer in game.scene else carer}")
    game.emit(Planned(who=who, what=" and ".join(words) or "nothing", plan=Plan(job, body, mind), cause=CARE))


@process(rules=[NATURAL, STRESS, CARE, CARE_MIND, "renaissance.mode.down_time"])
async def rest(game: Game, days: Annotated[int, Param("how many days pass", 1, 10_000)] = 1) -> int:
    """Let days pass for everyone, as they have planned them."""
    require_no_encounter(game.scene, "renaissance.mode.down_time")
    return await advance_time(game, days * DAY, cause="renaissance.mode.down_time")


# ---------------------------------------------------------------------- wounds


def medicine(game: Game, by: str, modifier: int = 0) -> Goal:
    """Target of a Medicine check."""
    goal = now(game.scene, by).skill("medicine")
    return goal.plus([Piece("situation", modifier, "renaissance.modifier.situational")]) if modifier else goal


@process(rules=[BINDING, "renaissance.action.failed_task_time"])
async def bind_wounds(
    game: Game,
    who: Who,
    by: Able,
    modifier: Annotated[int, Param("modifier of the situation", -200, 200)] = 0,
    steps: Steps = 0,
) -> Any:
    """Bind a wound: ten minutes and a Medicine check heal 1d10 damage and negate it; one attempt for each wound."""
    status: Status = game[who].status
    game.refuse_if(status.dead, who, "is dead", BINDING)
    game.refuse_if(status.wounds <= status.tried, who, "has no wound left to bind", BINDING)
    immune = has_grant(NoHealing, game[who].character, game.scene.library)
    game.refuse_if(immune, who, "is not healed by Medicine", "renaissance.gap.class.list")
    result = await tend(game, by, medicine(game, by, modifier), 10, steps, "binding wounds", cause=BINDING)
    why = "a wound is bound" if result.succeeds else "a wound could not be bound"
    return _tended(game, who, BODY, result, why, BINDING)


@process(rules=[ailments.BLEEDS, "renaissance.condition.framework", "renaissance.modifier.retry"])
async def stop_bleeding(
    game: Game,
    who: Who,
    by: Able,
    steps: Steps = 0,
    attempt: Attempt = 1,
    condition: Annotated[str, Param("the condition to end, by its id")] = BLEEDING,
) -> Any:
    """End bleeding with a minute of work and a Medicine check; or another condition with the check it names."""
    entry = game.scene.library.get(Condition, condition)
    refuse_if(entry.ends != "check", f"no check ends {entry.name.lower()}", rule=FRAMEWORK)
    if not game[who].status.has(condition):
        words = "does not bleed" if condition == BLEEDING else f"is not {entry.name.lower()}"
        raise game.scene.cannot(who, words, ailments.BLEEDS if condition == BLEEDING else FRAMEWORK)
    goal = now(game.scene, by).skill(entry.check or "medicine")
    done = await do_task(game, by, goal, max(1, entry.minutes), steps, attempt)
    if done.succeeds:
        ailments.end_condition(game, who, condition)
    return done.succeeds


@process(rules=[ailments.BLEEDS, "renaissance.condition.framework"])
async def inflict(
    game: Game, who: Who, condition: Annotated[str, Param("the condition, by its id: bleeding, burning, prone ...")]
) -> None:
    """Let a condition of the content take hold of a character, as the game master decides."""
    entry = game.scene.library.get(Condition, condition)
    if entry.ends in FOLLOWS:
        raise IllegalActionError(
            f"{entry.name} cannot be inflicted: it follows from {FOLLOWS[entry.ends]}", rule=FRAMEWORK
        )
    ailments.inflict(game, who, entry)


# ---------------------------------------------------------------------- diseases and stress


@process(rules=[ailments.COURSE, "renaissance.disease.framework", "renaissance.disease.exposure"])
async def expose(
    game: Game,
    who: Who,
    disease: Annotated[str, Param("the disease, by its id")],
    weapon: Annotated[str, Param("the weapon in hand to coat with it; if empty, the character is exposed")] = "",
) -> None:
    """Expose a character to a disease, or coat their weapon with it; only the game master learns the result."""
    game.scene.library.get(Disease, disease)
    if not weapon:
        await ailments.expose(game, who, disease)
        return
    require_no_encounter(game.scene, "renaissance.disease.exposure")
    able(game, who)
    coat(game, who, disease, _to_coat(game.scene, who, weapon), game[who].status.belongings)


@process(rules=[TREATMENT])
async def treat(
    game: Game, who: Who, by: Able, disease: Annotated[str, Param("the disease, by its id")], steps: Steps = 0
) -> Any:
    """Treat a disease for an hour, once a day: after a Medicine check its treatment takes effect."""
    entry = game.scene.library.get(Disease, disease)
    ill = any(held.id == DISEASE and held.source == disease for held in game[who].status.lasting)
    game.refuse_if(not ill, who, f"shows no sign of {entry.name}", TREATMENT)
    treated = f"treated:{disease}"
    refuse_if(game.scene.clock.left(treated, who=who) is not None, "once a day", rule=TREATMENT)
    goal = medicine(game, by)
    in_free_play(game.scene)
    game.emit(Scheduled(who=who, what=treated, after=DAY, cause=TREATMENT))
    done = await do_task(game, by, goal, 60, steps)
    return done.succeeds and await ailments.treated(game, who, entry)


@process(rules=["renaissance.chemical.framework", "renaissance.chemical.potion", "renaissance.chemical.poison"])
async def dose(
    game: Game,
    who: Who,
    chemical: Annotated[str, Param("the chemical, by its id")],
    own: Annotated[bool, Param("whether to use up one of their own")] = False,
    weapon: Annotated[str, Param("the weapon in hand to coat, if any")] = "",
) -> None:
    """Give a character a potion or a poison, in food, in drink or by force, or coat a weapon before a fight."""
    cause = "renaissance.chemical.poison"
    entry, status = game.scene.library.get(Chemical, chemical), game[who].status
    if own or weapon:
        require_no_encounter(game.scene, cause)
    if weapon:
        able(game, who)
        refuse_if(not entry.coats, f"{entry.name} is not for weapons", rule="renaissance.chemical.weapon_poison")
        weapon = _to_coat(game.scene, who, weapon)
    place = next((one.place for one in status.belongings if one.item == chemical), "")
    game.refuse_if(own and not place, who, f"has no {entry.name}", cause)
    left = remove_item(status.belongings, chemical, 1, place, rule=cause) if own else status.belongings
    if weapon:
        coat(game, who, chemical, weapon, left)
        return
    if own:
        game.emit(HandsChanged(who=who, what=f"takes {entry.name.lower()}", belongings=left, cause=cause))
    await ailments.take_chemical(game, who, chemical, cause=cause)


def _to_coat(scene: Scene, who: str, weapon: str) -> str:
    """The weapon in the hand that is meant, with the hand where it is the other one."""
    rule = "renaissance.chemical.weapon_poison"
    hands = [one for one in scene[who].status.belongings if one.place in HELD and scene.library.has(Weapon, one.item)]
    held = [in_hand(one.item, one.place) for one in hands]
    meant = [key for key in held if key == weapon] or [key for key in held if key.partition("@")[0] == weapon]
    if not meant:
        known = f"; in hand: {', '.join(held)}" if held else ""
        raise scene.cannot(who, f'holds no "{weapon:.40}"{known}', rule)
    return meant[0]


@process(rules=["renaissance.stress.track", "renaissance.stress.resist"])
async def stress(game: Game, who: Who, source: Annotated[str, Param("the source of stress, by its id")]) -> None:
    """Let a source of stress wear on a character."""
    await strain(game, who, game.scene.library.get(StressSource, source))


@process(rules=["renaissance.magic.psion_scale", "renaissance.action.failed_task_time"])
async def soothe(game: Game, who: Who, steps: Steps = 0) -> Any:
    """Soothe a trauma in a psion's trance: 1d10 stress healed and the trauma negated; one attempt for each trauma."""
    rule = "renaissance.magic.psion_scale"
    status: Status = game[who].status
    game.refuse_if(status.traumas <= status.meditated, who, "has no trauma to soothe", rule)
    able(game, who, overwhelmed=True)
    skilled(game.scene, who, game.scene.library.get(Tradition, "psion"))
    goal = now(game.scene, who).skill("control")
    result = await tend(game, who, goal, DAY // MINUTE, steps, "trance", cause=rule)
    return _tended(game, who, MIND, result, "soothed" if result.succeeds else "finds no peace", rule)


# ---------------------------------------------------------------------- hazards


@process(rules=["renaissance.gap.hazard.falling"])
async def fall(
    game: Game,
    who: Who,
    metres: Annotated[int, Param("how far", 1, 1_000)],
    rolling: Annotated[bool, Param("whether an Athletics check to roll was made")] = False,
) -> int:
    """Let a character fall: unhurt up to 3 m, then more and more dice, dead beyond 10 m; armor does not help."""
    far = max(0, metres - 2) if rolling else metres
    rule = "renaissance.gap.hazard.falling"
    if far <= 3 or game[who].status.dead:
        return 0
    if far > 10:
        game.emit(Died(who=who, metres=metres, cause=rule))
        return 0
    return await suffer(game, who, DV(far - 3 if far <= 6 else far), "a fall", cause=rule)


# ---------------------------------------------------------------------- luck


@process(rules=["renaissance.luck.regain", "renaissance.luck.lose", "renaissance.luck.stat"])
async def luck(
    game: Game,
    who: Who,
    why: Annotated[
        Literal["session", "motivation", "roleplaying", "failed_motivation", "poor_roleplaying"],
        Param("a session begins, a major success or failure of a motivation, role-playing"),
    ],
) -> int:
    """Gain or lose a Luck point, between none and the Luck stat."""
    status: Status = game[who].status
    most = now(game.scene, who).numbers.luck
    gains = why in ("session", "motivation", "roleplaying")
    change = min(1, most - status.luck) if gains else -min(1, status.luck)
    if change:
        rule = "renaissance.luck.regain" if gains else "renaissance.luck.lose"
        game.emit(LuckChanged(who=who, change=change, why=why.replace("_", " "), cause=rule))
    return change


PROCESSES: tuple[Process[..., Any], ...] = (
    plan,
    rest,
    bind_wounds,
    stop_bleeding,
    inflict,
    expose,
    treat,
    dose,
    stress,
    soothe,
    fall,
    luck,
)
