"""Rest, care, sickness and everything that happens by the clock.

Days are reckoned one by one as time passes, by the plans that stand: a week in one step is seven days.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

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
from tablewright.systems.renaissance.mechanics.turn import Steps
from tablewright.systems.renaissance.now import Goal, Piece, now
from tablewright.systems.renaissance.status import BLEEDING, DISEASE, Plan, Status, on_the_clock, stands
from tablewright.systems.renaissance.tasks import Attempt, able, day_of_work, do_task, in_free_play, skilled, tend
from tablewright.systems.renaissance.values import DAY, DV, MINUTE

NATURAL, MIND = "renaissance.healing.natural_damage", "renaissance.healing.natural_stress"
CARE, CARE_MIND = "renaissance.healing.care_physical", "renaissance.healing.care_mental"
BINDING, TREATMENT = "renaissance.healing.binding", "renaissance.disease.treatment"
FRAMEWORK = "renaissance.condition.framework"
FOLLOWS = {"healing": "damage or stress", "escape": "a grab"}
"""Origins of conditions that no one can inflict, by how they end."""
RECKON = "reckon"
"""Timer that ends the day of each participant."""

WOUND_PARTS, TRAUMA_PARTS = 28, 210
"""A wound heals in 28ths (a seventh or a quarter a day), a trauma in 210ths (a thirtieth or a seventh a day)."""

By = Annotated[str, Param("the character who does it")]


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
        changes = {**_body(game.scene, who, status), **_mind(game.scene, who, status)}
        if changes:
            cause = CARE if status.plan.body or status.plan.mind else NATURAL
            game.emit(Healed.of(who, status, "a day of rest", cause, **changes))
    day_of_work(game, who)


def _rests(scene: Scene, status: Status, carer: str) -> bool:
    """True if a participant has rested under care all day, without tasks, and the carer stands."""
    return bool(carer) and not status.tasked and (carer not in scene or stands(scene[carer]))


def _body(scene: Scene, who: str, status: Status) -> dict[str, Any]:
    """A day of healing for the body (renaissance.healing.natural_damage, renaissance.healing.care_physical)."""
    care = _rests(scene, status, status.plan.body)
    if (status.damage or status.wounds) and fast_healing(now(scene, who), scene, who):
        left = max(0, status.wounds - 1)
        return {"damage": 0, "wounds": left, **_kept(status, left)}
    if status.damage:
        return {"damage": max(0, status.damage - (3 if care else 1))}
    if not status.wounds:
        return {}
    mending = status.mending + (WOUND_PARTS // 4 if care else WOUND_PARTS // 7)
    if mending < WOUND_PARTS:
        return {"mending": mending}
    left = status.wounds - 1
    return {"mending": 0, "wounds": left, **_kept(status, left)}


def _kept(status: Status, wounds: int) -> dict[str, int]:
    """Wounds that are not negated heal first."""
    return {"bound": min(status.bound, wounds), "tried": min(status.tried, wounds)}


def _mind(scene: Scene, who: str, status: Status) -> dict[str, Any]:
    """A day of healing for the mind (renaissance.healing.natural_stress, renaissance.healing.care_mental)."""
    care = _rests(scene, status, status.plan.mind)
    if status.stress:
        left = max(0, status.stress - (3 if care else 1))
        changes: dict[str, Any] = {"stress": left}
        if status.overwhelmed and left < now(scene, who).numbers.LUC:
            changes["overwhelmed"] = False
        return changes
    if not status.traumas:
        return {}
    easing = status.easing + (TRAUMA_PARTS // 7 if care else TRAUMA_PARTS // 30)
    if easing < TRAUMA_PARTS:
        return {"easing": easing}
    left = status.traumas - 1
    kept = {"soothed": min(status.soothed, left), "meditated": min(status.meditated, left)}
    return {"easing": 0, "traumas": left, **kept}


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


@process(rules=[NATURAL, MIND, CARE, CARE_MIND, "renaissance.mode.down_time"])
async def rest(game: Game, days: Annotated[int, Param("how many days pass", 1, 10_000)] = 1) -> int:
    """Let days pass for everyone, as they have planned them."""
    require_no_encounter(game.scene, "renaissance.mode.down_time")
    return await advance_time(game, days * DAY, cause="renaissance.mode.down_time")


# ---------------------------------------------------------------------- wounds


def medicine(game: Game, by: str, modifier: int = 0) -> Goal:
    """Target of a Medicine check."""
    able(game, by)
    goal = now(game.scene, by).skill("medicine")
    return goal.plus([Piece("situation", modifier, "renaissance.modifier.situational")]) if modifier else goal


@process(rules=[BINDING, "renaissance.action.failed_task_time"])
async def bind_wounds(
    game: Game,
    who: Who,
    by: By,
    modifier: Annotated[int, Param("modifier of the situation", -200, 200)] = 0,
    steps: Steps = 0,
) -> Any:
    """Bind a wound: ten minutes and a Medicine check heal 1d10 damage and negate it; one attempt for each wound."""
    status: Status = game[who].status
    game.refuse_if(status.dead, who, "is dead", BINDING)
    game.refuse_if(status.wounds <= status.tried, who, "has no wound left to bind", BINDING)
    if has_grant(NoHealing, game[who].character, game.scene.library):
        raise IllegalActionError(
            f"Medicine does nothing for {game.scene.display_name(who)}", rule="renaissance.gap.class.list"
        )
    result = await tend(game, by, medicine(game, by, modifier), 10, steps, "binding wounds", cause=BINDING)
    status = game[who].status
    if status.dead or not status.wounds:
        return False
    changes: dict[str, Any] = {"tried": min(status.wounds, status.tried + 1)}
    if result.succeeds:
        changes |= {"damage": max(0, status.damage - result.healed), "bound": min(status.wounds, status.bound + 1)}
    why = "a wound is bound" if result.succeeds else "a wound could not be bound"
    game.emit(Healed.of(who, status, why, BINDING, **changes))
    return result.succeeds


@process(rules=[ailments.BLEEDS, "renaissance.condition.framework", "renaissance.modifier.retry"])
async def stop_bleeding(
    game: Game,
    who: Who,
    by: By,
    steps: Steps = 0,
    attempt: Attempt = 1,
    condition: Annotated[str, Param("the condition to end, by its id")] = BLEEDING,
) -> Any:
    """End bleeding with a minute of work and a Medicine check; or another condition with the check it names."""
    entry = game.scene.library.get(Condition, condition)
    name = game.scene.display_name(who)
    refuse_if(entry.ends != "check", f"no check ends {entry.name.lower()}", rule=FRAMEWORK)
    if not game[who].status.has(condition):
        words = "does not bleed" if condition == BLEEDING else f"is not {entry.name.lower()}"
        raise IllegalActionError(f"{name} {words}", rule=ailments.BLEEDS if condition == BLEEDING else FRAMEWORK)
    able(game, by)
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
    who = game[who].id
    if not weapon:
        await ailments.expose(game, who, disease)
        return
    require_no_encounter(game.scene, "renaissance.disease.exposure")
    able(game, who)
    coat(game, who, disease, _to_coat(game.scene, who, weapon), game[who].status.belongings)


@process(rules=[TREATMENT])
async def treat(
    game: Game, who: Who, by: By, disease: Annotated[str, Param("the disease, by its id")], steps: Steps = 0
) -> Any:
    """Treat a disease for an hour, once a day: after a Medicine check its treatment takes effect."""
    entry = game.scene.library.get(Disease, disease)
    if not any(held.id == DISEASE and held.source == disease for held in game[who].status.lasting):
        called = game.scene.display_name(who)
        raise IllegalActionError(f"{called} shows no sign of {entry.name}", rule=TREATMENT)
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
    who, cause = game[who].id, "renaissance.chemical.poison"
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
    status = game[who].status
    if status.dead or not status.traumas:
        return False
    changes: dict[str, Any] = {"meditated": min(status.traumas, status.meditated + 1)}
    if result.succeeds:
        left = max(0, status.stress - result.healed)
        changes |= {"stress": left, "soothed": min(status.traumas, status.soothed + 1)}
        if status.overwhelmed and left < now(game.scene, who).numbers.LUC:
            changes["overwhelmed"] = False
    game.emit(Healed.of(who, status, "soothed" if result.succeeds else "finds no peace", rule, **changes))
    return result.succeeds


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
