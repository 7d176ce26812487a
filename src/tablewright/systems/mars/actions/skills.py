"""Skills in the middle of a fight: any of them by the word of the game master, and first aid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablewright.engine import Call, Closed, choose
from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.common import Checked
from tablewright.game.events import GAME_MASTER
from tablewright.game.scene import Live, Scene
from tablewright.game.standing import near
from tablewright.systems.mars.actions.costs import (
    AWAKE,
    EXTENDED,
    NOT_BUSY,
    ONE_CHECK,
    STANDARD,
    time_spent,
)
from tablewright.systems.mars.actions.ready import may_start, start_work
from tablewright.systems.mars.aiming import rulings
from tablewright.systems.mars.attack import SECONDS
from tablewright.systems.mars.character import can_use
from tablewright.systems.mars.content import Skill
from tablewright.systems.mars.damage import stabilise
from tablewright.systems.mars.events import (
    Acted,
    Stabilised,
)
from tablewright.systems.mars.harm import as_rolled, dice_rules
from tablewright.systems.mars.mechanics import check
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Work
from tablewright.systems.mars.values import Degree

USE_SKILL, GATE = "mars.action.use_skill", "mars.skill.complex_gate"
DYING, STABILISE = "mars.effect.dying", "mars.gap.recovery.stabilise"
DIFFICULTIES = {
    "everyday": 5,
    "easy": 7,
    "moderate": 10,
    "hard": 14,
    "challenging": 19,
    "ambitious": 25,
    "absurd": 32,
    "improbable": 40,
}
STABILISING = 10


def usable_skills(scene: Scene, who: str) -> list[Skill]:
    """The skills that somebody can use, combat skills left out."""
    character = scene[who].character
    return [
        skill
        for skill in scene.library.of(Skill)
        if skill.group != "combat" and can_use(character, skill.id, scene.library)
    ]


def seconds_for(scene: Scene, skill: Skill) -> int:
    """How long a use of a skill takes."""
    options = scene.options
    return int(options.basic_skill_seconds if skill.group == "basic" else options.complex_skill_seconds)


def timely_skills(scene: Scene, who: str) -> list[Skill]:
    """The skills that somebody can begin to use now; what was readied takes no longer than a standard action."""
    found = usable_skills(scene, who)
    turn = scene[who].status.turn
    if scene.options.encounter_mode == "complex_challenge":
        return found
    if turn.reacting:
        return [skill for skill in found if seconds_for(scene, skill) <= SECONDS["standard"]]
    extended = may_start(scene, who) is None
    return [skill for skill in found if extended or seconds_for(scene, skill) <= turn.seconds]


def _untimely(scene: Scene, who: str) -> list[Closed]:
    """The skills that take too long to begin with now."""
    able = timely_skills(scene, who)
    reason = may_start(scene, who) or "takes too long to be readied"
    late = [one for one in usable_skills(scene, who) if one not in able]
    return [Closed(Use("which_skill", detail=one.id).id, reason, EXTENDED, one.name) for one in late]


async def _use_skill(game: Live, who: str, use: Use) -> None:
    options = [
        Use("which_skill", detail=one.id, label=one.name, cost=f"{seconds_for(game.scene, one)} s")
        for one in timely_skills(game.scene, who)
    ]
    taken = await choose(game.seat(who), "which skill?", options, closed=_untimely(game.scene, who), about={"who": who})
    skill = game.scene.library.get(Skill, str(taken.detail))
    seconds = seconds_for(game.scene, skill)
    challenge = game.scene.options.encounter_mode == "complex_challenge"
    if challenge or seconds <= game[who].status.turn.seconds or game[who].status.turn.reacting:
        cost = 0 if challenge or game[who].status.turn.reacting else seconds
        game.emit(Acted(who=who, action="use_skill", detail=skill.id, check=True, seconds=cost, cause=USE_SKILL))
        await roll_skill(game, who, skill.id)
    else:
        start_work(game, who, "use_skill", skill.id, seconds)


async def roll_skill(game: Live, who: str, skill_id: str) -> Degree:
    """The game master says how hard it is, and somebody rolls."""
    words = await choose(
        GAME_MASTER, f"how hard is it for {game[who].name} ({skill_id})?", list(DIFFICULTIES), default="moderate"
    )
    throw = now(game.scene, who).skill(skill_id).with_parts(rulings(game.scene, skill_id, who))
    throw = as_rolled(game.scene, who, throw)
    call = Call(
        check,
        (throw.value, DIFFICULTIES[words], throw.advantage, throw.disadvantage, *dice_rules(game.scene)),
    )
    degree: Degree = await call.by(game.seat(who), tallies=throw.tallies("roll_value"), hide=("difficulty",))
    game.emit(Checked(who=who, what=skill_id, cause=USE_SKILL))
    return degree


async def finish_work(game: Live, who: str, work: Work) -> None:
    """An extended action has taken all its time: now it has its effect."""
    if work.action == "use_skill":
        await roll_skill(game, who, work.detail)


def _some_time(scene: Scene, who: str, use: Use) -> str | None:
    turn = scene[who].status.turn
    if not turn.reacting and not turn.seconds:
        return "no time is left"
    return None if timely_skills(scene, who) else "nothing so long can be readied"


# ---------------------------------------------------------------------- first aid


def _dying_friends(scene: Scene, who: str) -> Iterator[Use]:
    for one in scene.participants:
        if one.present and one.id != who and one.status.has("dying") and not one.status.dead and not one.hidden:
            yield Use("stabilise", one.id, label=f"Stabilise {scene.called(one.id)}")


def _knows_medicine(scene: Scene, who: str, use: Use) -> str | None:
    return None if can_use(scene[who].character, "medicine", scene.library) else "not trained in medicine"


def _beside(scene: Scene, who: str, use: Use) -> str | None:
    return None if near(scene, who, str(use.target)) else "not within 1 m"


async def _stabilise(game: Live, who: str, use: Use) -> None:
    patient = str(use.target)
    cost = time_spent(game[who].status, "standard")
    game.emit(Acted(who=who, action="stabilise", target=patient, check=True, cause=STABILISE, **cost))
    me = now(game.scene, who)
    throw = me.skill("medicine").with_parts(rulings(game.scene, "medicine", who), cons=me.groping)
    throw = as_rolled(game.scene, who, throw)
    call = Call(stabilise, (throw.value, STABILISING, throw.advantage, throw.disadvantage, *dice_rules(game.scene)))
    if await call.by(game.seat(who), tallies=throw.tallies("medicine")):
        game.emit(Stabilised(who=patient, cause=STABILISE))


def skill_actions() -> Sequence[Action]:
    """The actions of this room."""
    return (
        Action(
            "use_skill",
            "Use a skill",
            (USE_SKILL, "mars.check.duration"),
            _use_skill,
            (AWAKE, NOT_BUSY, ONE_CHECK, Requirement("mars.action.speeds", _some_time, once=True)),
            None,
            "the time of the skill",
        ),
        Action(
            "stabilise",
            "Stabilise",
            (STABILISE, DYING),
            _stabilise,
            (
                AWAKE,
                NOT_BUSY,
                ONE_CHECK,
                Requirement(STABILISE, _beside),
                Requirement(GATE, _knows_medicine, once=True),
                STANDARD,
            ),
            _dying_friends,
            "4 s",
        ),
    )
