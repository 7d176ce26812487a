"""Tasks of several checks or several characters: aid, groups, chains, work over time."""

from __future__ import annotations

from typing import Annotated, Any

from tablewright.engine import Param, Process, Role, process
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.play.common_events import Checked
from tablewright.game.play.time_passage import advance_time
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.renaissance.character.figures import key_of
from tablewright.systems.renaissance.content import Tradition
from tablewright.systems.renaissance.events.fight import LuckChanged
from tablewright.systems.renaissance.events.recovery import Planned, TimeSpent, Worked
from tablewright.systems.renaissance.mechanics.turn import (
    ONE_DIE,
    Bound,
    Reading,
    Steps,
    Task,
    Timing,
    bind,
    retry_penalty,
    task,
    timeframe,
)
from tablewright.systems.renaissance.now import Goal, Piece, now
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.status import Job, Status, helpless, stands
from tablewright.systems.renaissance.values import DAY, DV, MINUTE, SHIFT, in_shifts

JOB, TASK, TASKS_OF_A_DAY = "renaissance.action.job", "renaissance.action.task", "renaissance.mode.down_time_tasks"
Attempt = Annotated[int, Param("number of the attempt, 1 for the first", 1, 20)]


# ---------------------------------------------------------------------- who can, and how well


def able(game: Game, who: str, *, overwhelmed: bool = False) -> None:
    """Refuse actions of a character who is disabled, unconscious, overwhelmed or dead."""
    one = game[who]
    game.refuse_if(helpless(one), who, "cannot act", "renaissance.injury.damage_track")
    if one.status.insane or (one.status.overwhelmed and not overwhelmed):
        raise game.scene.cannot(who, "cannot act", "renaissance.stress.track")


def skilled(scene: Scene, who: str, tradition: Tradition) -> None:
    """Refuse magic of a tradition to characters without the ranks for it (renaissance.magic.one_off)."""
    ranks = scene[who].character.skills.get(tradition.skill, 0)
    if ranks < tradition.ranks:
        needs = f"{tradition.name} magic takes {tradition.ranks} ranks in {tradition.skill}, not {ranks}"
        raise IllegalActionError(needs, rule="renaissance.magic.one_off")


def in_free_play(scene: Scene) -> None:
    """Refuse tasks while turns are taken in combat: no progress is tracked, and the turn would be lost."""
    if scene.turn is not None and scene.ended is None:
        raise IllegalActionError("tasks and jobs make no progress in combat", rule="renaissance.turn.task_allotment")


def _require_ready(game: Game, who: str, rule: str) -> None:
    able(game, who)
    in_free_play(game.scene)


Able = Annotated[str, Param("a participant of the scene", guard=lambda game, who, _: able(game, who))]
"""Parameter of a process for a character who can act; others are refused before the process starts."""
Ready = Annotated[str, Param("a participant of the scene", guard=_require_ready)]
"""The same, outside of combat."""


def prepared(scene: Scene, goal: Goal, steps: int, attempt: int = 1) -> Goal:
    """The target of a task with the time that is taken for it, and with what further attempts cost."""
    more: list[Piece] = []
    if steps:
        label, rule = ("taking time", "taking_time") if steps > 0 else ("rushing", "rushing")
        more.append(Piece(label, 10 * steps, f"renaissance.modifier.{rule}"))
    if attempt > 1:
        less = retry_penalty(attempt, scene.options.retry_penalty)
        more.append(Piece("trying again", less, "renaissance.modifier.retry"))
    return goal.plus(more)


def spend(game: Game, who: str, points: int, why: str) -> None:
    """Luck that a task has taken."""
    if points:
        game.emit(LuckChanged(who=who, change=-points, why=why, cause="renaissance.luck.stat"))


def read_by(options: RenaissanceOptions) -> Reading:
    """Options of the table about exceptional results."""
    return Reading(options.exceptional_boundary, options.critical_counts_as_exceptional)


async def rolled_task(
    game: Game,
    who: str,
    goal: Goal,
    minutes: int,
    steps: int = 0,
    attempt: int = 1,
    *,
    why: str = "task",
    unseen: str = "",
    skill: str = "",
) -> Task:
    """The check of a task, which says how long it takes; ``unseen`` is who rolls it in secret, without Luck.

    ``skill`` is the skill where a gift may let it be rolled again.
    """
    in_free_play(game.scene)
    goal, me, options = prepared(game.scene, goal, steps, attempt), now(game.scene, who), game.scene.options
    luck, daring = (0, 0) if unseen else (me.luck, me.daring)
    timing, again = Timing(minutes, steps, options.exceptional_halves_time), bool(luck) and me.rolls_twice(skill)
    call = task(goal.total, timing, goal.penalties, luck, daring, read_by(options), again)
    tallies = {"target": goal.tally()}
    if unseen:
        secret: Task = await call.by(unseen, audience=unseen, tallies=tallies)
        return secret
    done: Task = await call.by(game.seat(who), private={"luck": Role.ACTOR}, tallies=tallies)
    spend(game, who, done.luck, why)
    return done


async def do_task(
    game: Game,
    who: str,
    goal: Goal,
    minutes: int,
    steps: int = 0,
    attempt: int = 1,
    *,
    why: str = "task",
    cause: str = TASK,
) -> Task:
    """A task: the check at its start says how long it takes; that time passes."""
    done = await rolled_task(game, who, goal, minutes, steps, attempt, why=why)
    await advance_time(game, done.minutes * MINUTE, cause=cause)
    return done


async def tend(
    game: Game, who: str, goal: Goal, minutes: int, steps: int, why: str, *, cause: str, heals: DV = ONE_DIE
) -> Bound:
    """A task that heals: its check, what it recovers, and the time that passes before it does."""
    in_free_play(game.scene)
    goal, me, options = prepared(game.scene, goal, steps), now(game.scene, who), game.scene.options
    timing = Timing(minutes, steps, options.exceptional_halves_time)
    call = bind(goal.total, goal.penalties, me.luck, heals, me.daring, timing, read_by(options))
    done: Bound = await call.by(game.seat(who), private={"luck": Role.ACTOR}, tallies={"target": goal.tally()})
    spend(game, who, done.luck, why)
    await advance_time(game, done.minutes * MINUTE, cause=cause)
    return done


# ---------------------------------------------------------------------- tasks


def fits_today(game: Game, who: str, minutes: int) -> None:
    """Refuse a task for which the eight hours of a day do not suffice any more."""
    left = SHIFT - game[who].status.tasked
    game.refuse_if(minutes > left, who, f"has {left} minutes left for tasks today", TASKS_OF_A_DAY)


async def spend_on_task(game: Game, who: str, minutes: int, *, cause: str) -> None:
    """The time of a task passes, and counts among the tasks of the day."""
    game.emit(TimeSpent(who=who, minutes=game[who].status.tasked + minutes, cause=TASKS_OF_A_DAY))
    await advance_time(game, minutes * MINUTE, cause=cause)


@process(
    rules=[
        "renaissance.action.task",
        "renaissance.action.check_at_start",
        "renaissance.mode.unstructured",
        "renaissance.mode.down_time_tasks",
        "renaissance.turn.task_allotment",
        "renaissance.modifier.retry",
    ]
)
async def work(
    game: Game,
    who: Ready,
    skill: Annotated[str, Param("the skill, with its field where it has one")],
    minutes: Annotated[int, Param("the timeframe in minutes", 1, 480)],
    steps: Steps = 0,
    modifier: Annotated[int, Param("modifier of the situation", -200, 200)] = 0,
    attempt: Attempt = 1,
) -> Any:
    """Do a task outside combat; at most eight hours a day."""
    fits_today(game, who, timeframe(minutes, steps))
    skill = key_of(skill)
    goal = now(game.scene, who).skill(skill)
    if modifier:
        goal = goal.plus([Piece("situation", modifier, "renaissance.modifier.situational")])
    done = await rolled_task(game, who, goal, minutes, steps, attempt, skill=skill)
    await spend_on_task(game, who, done.minutes, cause=TASK)
    game.emit(Checked(who=who, what=skill, result=done.grade.value, cause=TASK))
    return done


# ---------------------------------------------------------------------- jobs


def _with(jobs: tuple[Job, ...], job: Job) -> tuple[Job, ...]:
    """The jobs with one of them begun or gone on with."""
    if any(one.name == job.name for one in jobs):
        return tuple([job if one.name == job.name else one for one in jobs])
    return (*jobs, job)


@process(
    rules=[
        JOB,
        "renaissance.action.check_at_start",
        "renaissance.action.failed_task_time",
        "renaissance.modifier.retry",
    ]
)
async def begin_job(
    game: Game,
    who: Able,
    job: Annotated[str, Param("the work, in words")],
    skill: Annotated[str, Param("the skill, with its field where it has one")],
    shifts: Annotated[int, Param("how many shifts of eight hours it takes", 1, 1_000)],
    steps: Steps = 0,
    attempt: Attempt = 1,
) -> Any:
    """Begin a job in down-time: the check is made at once, the shifts are done day by day as planned."""
    skill = key_of(skill)
    goal = now(game.scene, who).skill(skill)
    done = await rolled_task(game, who, goal, shifts * SHIFT, steps, attempt, why="job", skill=skill)
    begun = Job(job, done.minutes, not done.succeeds)
    told = in_shifts(begun.minutes) + (" until it is clear that it fails" if begun.fails else "")
    game.emit(Worked(who=who, what=job, told=told, jobs=_with(game[who].status.jobs, begun), cause=JOB))
    game.emit(Planned(who=who, what=job, plan=game[who].status.plan._replace(what=job, body="", mind=""), cause=JOB))
    return done


def days_of_work(minutes: int, shifts_per_day: int = 1) -> int:
    """Minutes until so much work is done, at so many shifts a day (renaissance.mode.down_time).

    >>> days_of_work(480), days_of_work(960) == 1440 + 480, days_of_work(600, 2)
    (480, True, 600)
    """
    days, rest = divmod(minutes - 1, SHIFT * shifts_per_day)
    return DAY // MINUTE * days + rest + 1


def day_of_work(game: Game, who: str) -> None:
    """Work a day's shifts on the planned job, unless the day was spent on tasks."""
    status: Status = game[who].status
    if status.tasked:
        game.emit(TimeSpent(who=who, minutes=0, cause=TASKS_OF_A_DAY))
        return
    job = next((one for one in status.jobs if one.name == status.plan.what), None)
    shifts = game.scene.options.shifts_per_day
    if job is None or not job.minutes or not shifts or not stands(game[who]):
        return
    left = job._replace(minutes=max(0, job.minutes - SHIFT * shifts))
    ended = "it fails" if job.fails else "done"
    told = f"{in_shifts(left.minutes)} left" if left.minutes else ended
    game.emit(
        Worked(who=who, what=job.name, told=told, jobs=_with(status.jobs, left), cause="renaissance.mode.down_time")
    )


# ---------------------------------------------------------------------- tasks in turn order


@process(rules=[TASK, "renaissance.action.check_at_start", "renaissance.turn.task_allotment"])
async def begin_task(
    game: Game,
    who: Able,
    task: Annotated[str, Param("the work, in words")],
    skill: Annotated[str, Param("the skill, with its field where it has one")],
    minutes: Annotated[int, Param("the timeframe in minutes", 1, 480)],
    steps: Steps = 0,
    attempt: Attempt = 1,
) -> Any:
    """Begin a task to be continued turn by turn: the check is made at once and says how long it takes."""
    skill = key_of(skill)
    goal = now(game.scene, who).skill(skill)
    done = await rolled_task(game, who, goal, minutes, steps, attempt, skill=skill)
    begun = Job(task, done.minutes, not done.succeeds, task=True)
    told = f"{in_shifts(begun.minutes)} left"
    game.emit(Worked(who=who, what=task, told=told, jobs=_with(game[who].status.jobs, begun), cause=TASK))
    return done


@process(rules=[TASK, "renaissance.mode.down_time_tasks"])
async def finish_task(game: Game, who: Ready, task: Annotated[str, Param("the task that was begun")]) -> bool:
    """Work on a task that was begun until it is done, or until it is clear that it fails."""
    found = next((one for one in game[who].status.jobs if one.task and one.name == task), None)
    if found is None:
        known = [one.name for one in game[who].status.jobs if one.task]
        words = f"; under way: {', '.join(known)}" if known else ""
        raise InvalidInputError(f'{game.scene.display_name(who)} has begun no task "{task:.40}"{words}', field="task")
    fits_today(game, who, found.minutes)
    await spend_on_task(game, who, found.minutes, cause=TASK)
    contribute(game, who, found, found.minutes)
    return not found.fails


def contribute(game: Game, who: str, task: Job, minutes: int) -> None:
    """Minutes of work on a task; one that is over is struck off (renaissance.turn.task_allotment)."""
    left = task._replace(minutes=max(0, task.minutes - minutes))
    jobs = game[who].status.jobs
    if left.minutes:
        told, jobs = f"{in_shifts(left.minutes)} left", _with(jobs, left)
    else:
        told, jobs = "it fails" if task.fails else "done", tuple([one for one in jobs if one != task])
    cause = "renaissance.turn.task_allotment"
    game.emit(Worked(who=who, what=task.name, told=told, jobs=jobs, cause=cause))


PROCESSES: tuple[Process[..., Any], ...] = (work, begin_job, begin_task, finish_task)
