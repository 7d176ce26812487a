"""Magic: spells and rituals as actions and processes."""

from __future__ import annotations

from typing import Annotated, Any

from tablewright.engine import Param, Process, Role, process
from tablewright.errors import IllegalActionError, InvalidInputError, refuse_if
from tablewright.game.play.common_events import CharacterChanged, Checked
from tablewright.game.play.effects import Effect, EffectGained
from tablewright.game.play.time_passage import advance_time
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.systems.renaissance.actions.maneuvers import contest
from tablewright.systems.renaissance.character.figures import meant
from tablewright.systems.renaissance.checks import related_bonus
from tablewright.systems.renaissance.content import Power, RitualStep, Spirit, Tradition
from tablewright.systems.renaissance.effects import Befriend
from tablewright.systems.renaissance.events.fight import LuckChanged, spoken
from tablewright.systems.renaissance.events.recovery import Worked
from tablewright.systems.renaissance.mechanics.luck import lucky_contest
from tablewright.systems.renaissance.mechanics.turn import Steps, minutes_lost, timeframe
from tablewright.systems.renaissance.now import Goal, Now, Piece, now
from tablewright.systems.renaissance.status import CHARMED, Status, helpless
from tablewright.systems.renaissance.tasks import Able, Attempt, Ready, prepared, rolled_task, skilled
from tablewright.systems.renaissance.values import MINUTE, Grade, Variable

ONE_OFF = "renaissance.magic.one_off"
STEP_RULES = {
    ("mage", "design"): "renaissance.magic.mage",
    ("mage", "perform"): "renaissance.magic.mage",
    ("psion", "trance"): "renaissance.magic.psion",
    ("priest", "research"): "renaissance.magic.priest_research",
    ("priest", "design"): "renaissance.magic.priest_design",
    ("priest", "perform"): "renaissance.magic.priest_perform",
    ("priest", "bargain"): "renaissance.magic.priest_bargain",
}


def _rule(tradition: str, step: str) -> str:
    return STEP_RULES.get((tradition, step), ONE_OFF)


def step_goal(scene: Scene, who: str, step: RitualStep, more: int = 0, before: int = 0) -> tuple[str, Goal]:
    """The best skill for a step with its best related skill, what an earlier step gives and what the spirit adds."""
    me: Now = now(scene, who)
    skills = [one for one in step.skills if one.partition(":")[0]]
    best = max(skills, key=lambda one: me.skill(one).total)
    goal = me.skill(best)
    helped = [
        (related_bonus(me.character.skills.get(one, 0), scene.options), one) for one in step.related if one != best
    ]
    bonus, name = max(helped, default=(0, ""))
    pieces = [Piece(name, bonus, "renaissance.modifier.related_skill")] if bonus else []
    if before:
        pieces.append(Piece("what was learnt before", before, "renaissance.magic.priest_design"))
    if more:
        pieces.append(Piece("the spirit", more, "renaissance.modifier.difficulty"))
    return best, goal.plus(pieces)


def _step(tradition: Tradition, step: str) -> RitualStep:
    for one in tradition.steps:
        if one.id == step:
            return one
    known = ", ".join([one.id for one in tradition.steps])
    raise InvalidInputError(f'{tradition.name} magic has no step "{step:.40}"; its steps are: {known}', field="step")


def _done(status: Status, key: str) -> int:
    return dict(status.work).get(key, -1)


def _key(work: str, tradition: str, step: str) -> str:
    return f"{work}/{tradition}/{step}"


@process(
    rules=[
        ONE_OFF,
        "renaissance.magic.mage",
        "renaissance.magic.psion",
        "renaissance.magic.priest_research",
        "renaissance.magic.priest_design",
        "renaissance.magic.priest_perform",
    ]
)
async def ritual(
    game: Game,
    who: Able,
    tradition: Annotated[str, Param("mage, psion or priest")],
    step: Annotated[str, Param("the step: design, perform, trance, research")],
    work: Annotated[str, Param("the purpose in words, or the spirit's id")],
    steps: Steps = 0,
    attempt: Attempt = 1,
) -> Any:
    """Take one step of a magical work: a task of hours with its check, in the order of the tradition.

    Of a secret roll the player learns that it was made, not its result.
    """
    kind = game.scene.library.get(Tradition, tradition)
    one = _step(kind, step)
    rule = _rule(tradition, step)
    status: Status = game[who].status
    skilled(game.scene, who, kind)
    refuse_if(one.social, "a spirit is bargained with in words: use renaissance.bargain", rule=rule)
    for other in list(kind.steps[: kind.steps.index(one)]):
        if _done(status, _key(work, tradition, other.id)) < 0:
            raise IllegalActionError(f"first {other.name}", rule=_rule(tradition, other.id))
    spirit = game.scene.library.get(Spirit, work) if game.scene.library.has(Spirit, work) else None
    more = getattr(spirit, step, 0) if spirit is not None else 0
    helped = 0
    if one.helped_by:
        earlier = _done(status, _key(work, tradition, one.helped_by))
        helped = (
            one.critical
            if earlier == Grade.CRITICAL_SUCCESS.rank
            else one.exceptional
            if earlier == Grade.EXCEPTIONAL_SUCCESS.rank
            else 0
        )
    _, goal = step_goal(game.scene, who, one, int(more), helped)
    unseen = GAME_MASTER if one.secret else ""
    done = await rolled_task(game, who, goal, one.minutes, steps, attempt, why=one.name, unseen=unseen)
    minutes = timeframe(one.minutes, steps) if one.secret else done.minutes
    await advance_time(game, minutes * MINUTE, cause=rule)
    if done.succeeds or one.secret:
        left = dict(game[who].status.work) | {_key(work, tradition, step): done.grade.rank}
        told = "" if one.secret else done.grade.value
        to = GAME_MASTER if one.secret else "everyone"
        game.emit(Worked(who=who, what=f"{one.name}: {work}", told=told, work=tuple(left.items()), to=to, cause=rule))
    game.emit(Checked(who=who, what=one.name, result="" if one.secret else done.grade.value, cause=rule))
    return None if one.secret else done.succeeds


@process(rules=["renaissance.magic.priest_bargain"])
async def bargain(
    game: Game,
    who: Able,
    spirit: Annotated[str, Param("the spirit, by its id")],
    skill: Annotated[str, Param("the social skill that is used")] = "persuasion",
    offer: Annotated[int, Param("modifier for the offer or for good words", -30, 30)] = 0,
) -> Any:
    """Bargain with a spirit, which comes if design and ritual went well: a contest of a social skill."""
    rule = "renaissance.magic.priest_bargain"
    entry = game.scene.library.get(Spirit, spirit)
    kind = game.scene.library.get(Tradition, "priest")
    step, skill = _step(kind, "bargain"), meant(skill)
    if skill not in step.skills:
        raise InvalidInputError(f'"{skill:.40}" wins no spirit; try {", ".join(step.skills)}', field="skill")
    status: Status = game[who].status
    grades = [_done(status, _key(spirit, "priest", one.id)) for one in kind.steps if not one.social]
    refuse_if(min(grades, default=-1) < 0, "the ritual has not been researched, designed and performed yet", rule=rule)
    came = all(grade >= Grade.NORMAL_SUCCESS.rank for grade in grades)
    left = tuple([(name, grade) for name, grade in status.work if not name.startswith(f"{spirit}/priest/")])
    game.emit(Worked(who=who, what=f"bargaining with {entry.name}", work=left, told="", cause=rule))
    if not came:
        game.emit(Checked(who=who, what="bargain", result="nobody comes", cause=rule))
        return False
    goal = now(game.scene, who).skill(skill)
    for label, value in (("the spirit", entry.bargain), ("what is offered", offer)):
        goal = goal.plus([Piece(label, value, rule)]) if value else goal
    against = entry.will
    me = now(game.scene, who)
    call = lucky_contest(
        goal.total, against, me.luck, a_penalties=goal.penalties, a_daring=me.daring, a_again=me.rolls_twice(skill)
    )
    result = await call.by(game.seat(who), GAME_MASTER, private={"a_luck": Role.ACTOR}, tallies={"a": goal.tally()})
    if result.a_spent:
        game.emit(LuckChanged(who=who, change=-result.a_spent, why="bargain", cause="renaissance.luck.flip"))
    won = result.result is Variable.A_WINS
    game.emit(Checked(who=who, what="bargain", result="won" if won else "lost", cause=rule))
    character = game[who].character
    fresh = [boon for boon in entry.boons if boon not in character.powers]
    if won and fresh:
        changed = character.changed(powers=(*character.powers, *fresh))
        told = f"is granted {', '.join(map(spoken, fresh))}"
        game.emit(CharacterChanged(who=who, what=told, character=changed, cause=rule))
    return won


@process(rules=["renaissance.gap.power.list", "renaissance.action.check_at_start", "renaissance.modifier.retry"])
async def charm(
    game: Game,
    who: Ready,
    target: Annotated[str, Param("the target")],
    power: Annotated[str, Param("the power")] = "charm",
    steps: Steps = 0,
    attempt: Attempt = 1,
) -> Any:
    """Charm a target: a contest at the start; if it is won, the target is a friend when the minutes are over."""
    entry = game.scene.library.get(Power, power)
    rule = "renaissance.gap.power.list"
    game.refuse_if(power not in game[who].character.powers, who, f"does not have {entry.name}", rule)
    game.refuse_if(helpless(game[target]), target, "hears nothing", rule)
    effect = next((one for one in entry.effects if isinstance(one, Befriend)), None)
    if effect is None:
        raise InvalidInputError(f"{entry.name} is not a power to befriend with", field="power")
    mine = prepared(game.scene, now(game.scene, who).skill(effect.skill), steps, attempt)
    theirs = now(game.scene, target).special(effect.against)
    skills = (effect.skill, "")
    won = await contest(game, who, target, mine, theirs, power, cause=rule, way="opposed", skills=skills)
    whole = timeframe(entry.minutes, steps)
    await advance_time(game, (whole if won else minutes_lost(whole, exceptional=False)) * MINUTE, cause=rule)
    if won:
        game.emit(EffectGained(who=target, what=Effect(CHARMED, by=who, source=who), cause=rule))
    return won


PROCESSES: tuple[Process[..., Any], ...] = (ritual, bargain, charm)
