"""Healing and down-time by the clock: natural healing, care, binding wounds, treatment, stress, tasks and jobs.

Days are reckoned one by one as time passes, by the plans that stand: a week in one step is seven days.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from tablewright.engine import Param, Process, process
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.belongings import take_away
from tablewright.game.clock import Due
from tablewright.game.common import Scheduled
from tablewright.game.lasting import Lasting, TookHold
from tablewright.game.passing import demand_peace, let_time_pass
from tablewright.game.scene import Live, Scene, replaced
from tablewright.systems.renaissance import effects
from tablewright.systems.renaissance.actions.other import coat
from tablewright.systems.renaissance.character.giving import given, of_kind
from tablewright.systems.renaissance.character.wearing import HELD
from tablewright.systems.renaissance.coating import in_hand
from tablewright.systems.renaissance.content import Chemical, Disease, StressSource, Tradition, Weapon
from tablewright.systems.renaissance.effects import DAY, MINUTE
from tablewright.systems.renaissance.events import Died, HandsChanged, Healed, LuckChanged, Planned
from tablewright.systems.renaissance.grants import NoHealing
from tablewright.systems.renaissance.harm import fast_healing, strain, stun, suffer
from tablewright.systems.renaissance.now import Goal, Piece, now
from tablewright.systems.renaissance.status import BLEEDING, DISEASE, Plan, Status, on_the_clock, stands
from tablewright.systems.renaissance.tasks import Attempt, able, day_of_work, do_task, in_free_play, skilled, tend
from tablewright.systems.renaissance.trials import Steps
from tablewright.systems.renaissance.values import DV

NATURAL, MIND = "renaissance.healing.natural_damage", "renaissance.healing.natural_stress"
CARE, CARE_MIND = "renaissance.healing.care_physical", "renaissance.healing.care_mental"
BINDING, TREATMENT = "renaissance.healing.binding", "renaissance.disease.treatment"
RECKON = "reckon"
"""What falls due for everybody at the end of each day."""

WOUND_PARTS, TRAUMA_PARTS = 28, 210
"""A wound heals in 28ths (a seventh or a quarter a day), a trauma in 210ths (a thirtieth or a seventh a day)."""

Who = Annotated[str, Param("whose")]
By = Annotated[str, Param("who does it")]


# ---------------------------------------------------------------------- days


def arrives(scene: Scene, who: str) -> Scene:
    """Somebody has come: what has hold of them goes on by this scene's clock, and their days will be reckoned."""
    scene = on_the_clock(scene, who)
    if not scene[who].present or scene.clock.left(RECKON, who=who) is not None:
        return scene
    return replaced(scene, clock=scene.clock.schedule(RECKON, after=DAY, who=who, every=DAY, rank=10))


async def fall_due(game: Live, due: Due) -> None:
    """What happens when its time has come."""
    if due.what == RECKON:
        reckon(game, due.who)
    else:
        await effects.fall_due(game, due)


def reckon(game: Live, who: str) -> None:
    """The end of somebody's day: what has healed, and what was worked on."""
    status: Status = game[who].status
    if status.dead:
        return
    if not any(True for _ in of_kind(NoHealing, given(game[who].character, game.scene.library))):
        changes = {**_body(game.scene, who, status), **_mind(game.scene, who, status)}
        if changes:
            cause = CARE if status.plan.body or status.plan.mind else NATURAL
            game.emit(Healed.of(who, status, "a day of rest", cause, **changes))
    day_of_work(game, who)


def _rests(scene: Scene, status: Status, carer: str) -> bool:
    """Whether somebody has spent the day resting under care, and not on tasks; who is down cares for nobody."""
    return bool(carer) and not status.tasked and (carer not in scene or stands(scene[carer]))


def _body(scene: Scene, who: str, status: Status) -> dict[str, Any]:
    """A day of healing for the body (renaissance.healing.natural_damage, renaissance.healing.care_physical)."""
    care = _rests(scene, status, status.plan.body)
    if status.damage or status.wounds:
        fast = fast_healing(now(scene, who), scene, who)
        if fast:
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
    game: Live,
    who: Who,
    job: Annotated[str, Param("the job that is worked on every day, if any")] = "",
    body: Annotated[str, Param("who cares for the body, if anybody does")] = "",
    mind: Annotated[str, Param("who cares for the mind, if anybody does")] = "",
) -> None:
    """How somebody spends their days from now on: working on a job, resting under care for body, mind or both."""
    if job and (body or mind):
        raise RulesSayNo("whoever rests under care does not work", rule=CARE)
    status: Status = game[who].status
    if job and job not in [one.name for one in status.jobs]:
        raise BadInput(f'{game.scene.called(who)} has no job "{job:.40}"; begin it first', field="job")
    words = [job] if job else []
    for what, carer in (("body", body), ("mind", mind)):
        if carer == who:
            raise RulesSayNo("nobody cares for themselves", rule=CARE)
        if carer in game.scene:
            able(game, carer)
        if carer:
            words.append(f"{what} cared for by {game.scene.called(carer) if carer in game.scene else carer}")
    game.emit(Planned(who=who, what=" and ".join(words) or "nothing", plan=Plan(job, body, mind), cause=CARE))


@process(rules=[NATURAL, MIND, CARE, CARE_MIND, "renaissance.mode.down_time"])
async def rest(game: Live, days: Annotated[int, Param("how many days pass", 1, 10_000)] = 1) -> int:
    """Days pass for everybody, as they have planned them."""
    demand_peace(game.scene, "renaissance.mode.down_time")
    return await let_time_pass(game, days * DAY, cause="renaissance.mode.down_time")


# ---------------------------------------------------------------------- wounds


def medicine(game: Live, by: str, modifier: int = 0) -> Goal:
    """A Medicine check of somebody."""
    able(game, by)
    goal = now(game.scene, by).skill("medicine")
    return goal.plus([Piece("situation", modifier, "renaissance.modifier.situational")]) if modifier else goal


@process(rules=[BINDING, "renaissance.action.failed_task_time"])
async def bind_wounds(
    game: Live,
    who: Who,
    by: By,
    modifier: Annotated[int, Param("what the situation adds", -200, 200)] = 0,
    steps: Steps = 0,
) -> Any:
    """Ten minutes with a Medicine check: 1d10 damage healed and one wound negated; one attempt for each wound."""
    status: Status = game[who].status
    if status.dead:
        raise RulesSayNo(f"{game.scene.called(who)} is dead", rule=BINDING)
    if status.wounds <= status.tried:
        raise RulesSayNo(f"{game.scene.called(who)} has no wound that nobody has tried to bind", rule=BINDING)
    if any(True for _ in of_kind(NoHealing, given(game[who].character, game.scene.library))):
        raise RulesSayNo(f"Medicine does nothing for {game.scene.called(who)}", rule="renaissance.gap.class.list")
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


@process(rules=[effects.BLEEDS, "renaissance.modifier.retry"])
async def stop_bleeding(game: Live, who: Who, by: By, steps: Steps = 0, attempt: Attempt = 1) -> Any:
    """A minute with a Medicine check stops the blood."""
    if not game[who].status.has(BLEEDING):
        raise RulesSayNo(f"{game.scene.called(who)} does not bleed", rule=effects.BLEEDS)
    done = await do_task(game, by, medicine(game, by), 1, steps, attempt)
    if done.succeeds:
        effects.stop_bleeding(game, who)
    return done.succeeds


@process(rules=[effects.BLEEDS, "renaissance.condition.framework"])
async def inflict(
    game: Live,
    who: Who,
    condition: Annotated[Literal["bleeding", "burning", "stunned", "prone"], Param("what takes hold")],
) -> None:
    """The game master lets a condition take hold of somebody."""
    if condition == "bleeding":
        effects.bleed(game, who)
        return
    until = stun(game.scene, who) if condition == "stunned" else Lasting(condition).until
    game.emit(TookHold(who=who, what=Lasting(condition, until), cause="renaissance.condition.framework"))


# ---------------------------------------------------------------------- diseases and stress


@process(rules=[effects.COURSE, "renaissance.disease.framework"])
async def expose(game: Live, who: Who, disease: Annotated[str, Param("the disease, by its id")]) -> None:
    """Somebody is exposed to a disease; only the game master learns what comes of it."""
    game.scene.library.get(Disease, disease)
    await effects.expose(game, game[who].id, disease)


@process(rules=[TREATMENT])
async def treat(
    game: Live, who: Who, by: By, disease: Annotated[str, Param("the disease, by its id")], steps: Steps = 0
) -> Any:
    """An hour with a Medicine check allows one more resistance check, once a day."""
    entry = game.scene.library.get(Disease, disease)
    if not any(held.id == DISEASE and held.source == disease for held in game[who].status.lasting):
        called = game.scene.called(who)
        raise RulesSayNo(f"{called} does not have {entry.name}, as far as anybody can see", rule=TREATMENT)
    treated = f"treated:{disease}"
    if game.scene.clock.left(treated, who=who) is not None:
        raise RulesSayNo("once a day", rule=TREATMENT)
    goal = medicine(game, by)
    in_free_play(game.scene)
    game.emit(Scheduled(who=who, what=treated, after=DAY, cause=TREATMENT))
    done = await do_task(game, by, goal, 60, steps)
    return done.succeeds and await effects.resist_again(game, who, disease, entry.treatment_bonus)


@process(rules=["renaissance.chemical.framework", "renaissance.chemical.potion", "renaissance.chemical.poison"])
async def dose(
    game: Live,
    who: Who,
    chemical: Annotated[str, Param("the chemical, by its id")],
    own: Annotated[bool, Param("whether it is one that they carry, which is used up")] = False,
    weapon: Annotated[str, Param("the weapon in their hand that it is put on, if on one")] = "",
) -> None:
    """A potion or a poison comes into somebody, in food, in drink or by force, or onto a weapon before a fight."""
    who, cause = game[who].id, "renaissance.chemical.poison"
    entry, status = game.scene.library.get(Chemical, chemical), game[who].status
    if own or weapon:
        demand_peace(game.scene, cause)
    if weapon:
        able(game, who)
        weapon = _to_coat(game.scene, who, entry, weapon)
    place = next((one.place for one in status.belongings if one.item == chemical), "")
    if own and not place:
        raise RulesSayNo(f"{game.scene.called(who)} has no {entry.name}", rule=cause)
    left = take_away(status.belongings, chemical, 1, place, rule=cause) if own else status.belongings
    if weapon:
        coat(game, who, chemical, weapon, left)
        return
    if own:
        game.emit(HandsChanged(who=who, what=f"takes {entry.name.lower()}", belongings=left, cause=cause))
    await effects.take_chemical(game, who, chemical, cause=cause)


def _to_coat(scene: Scene, who: str, entry: Chemical, weapon: str) -> str:
    """The weapon in the hand that is meant, with the hand where it is the other one."""
    rule = "renaissance.chemical.weapon_poison"
    if not entry.coats:
        raise RulesSayNo(f"{entry.name} is not for weapons", rule=rule)
    hands = [one for one in scene[who].status.belongings if one.place in HELD and scene.library.has(Weapon, one.item)]
    held = [in_hand(one.item, one.place) for one in hands]
    meant = [key for key in held if key == weapon] or [key for key in held if key.partition("@")[0] == weapon]
    if not meant:
        known = f"; in hand: {', '.join(held)}" if held else ""
        raise RulesSayNo(f'{scene.called(who)} holds no "{weapon:.40}"{known}', rule=rule)
    return meant[0]


@process(rules=["renaissance.stress.track", "renaissance.stress.resist"])
async def stress(game: Live, who: Who, source: Annotated[str, Param("the source of stress, by its id")]) -> None:
    """Something wears on somebody's mind."""
    await strain(game, who, game.scene.library.get(StressSource, source))


@process(rules=["renaissance.magic.psion_scale", "renaissance.action.failed_task_time"])
async def soothe(game: Live, who: Who, steps: Steps = 0) -> Any:
    """A psion heals the own psyche in a trance: 1d10 stress recovered and one trauma negated; one attempt for each."""
    rule = "renaissance.magic.psion_scale"
    status: Status = game[who].status
    if status.traumas <= status.meditated:
        raise RulesSayNo(f"{game.scene.called(who)} has no trauma to soothe", rule=rule)
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
    game: Live,
    who: Who,
    metres: Annotated[int, Param("how far", 1, 1_000)],
    rolling: Annotated[bool, Param("whether an Athletics check to roll was made")] = False,
) -> int:
    """A fall: none up to 3 m, then more and more dice, and death beyond 10 m; armor does not help."""
    far = max(0, metres - 2) if rolling else metres
    rule = "renaissance.gap.hazard.falling"
    if far <= 3 or game[who].status.dead:
        return 0
    if far > 10:
        game.emit(Died(who=who, cause=rule))
        return 0
    return await suffer(game, who, DV(far - 3 if far <= 6 else far), "a fall", cause=rule)


# ---------------------------------------------------------------------- luck


@process(rules=["renaissance.luck.regain", "renaissance.luck.lose", "renaissance.luck.stat"])
async def luck(
    game: Live,
    who: Who,
    why: Annotated[
        Literal["session", "motivation", "roleplaying", "failed_motivation", "poor_roleplaying"],
        Param("a session begins, a major success or failure of a motivation, role-playing"),
    ],
) -> int:
    """A Luck point is gained or lost; never more than the Luck stat, never less than none."""
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
