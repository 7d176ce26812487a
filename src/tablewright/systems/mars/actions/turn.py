"""Other actions of a turn: wait, ready, help, use a skill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, get_args

from tablewright.engine import ClosedOption, choose
from tablewright.game.free_text import FreeTextChoice
from tablewright.game.ground.facts import ANYONE
from tablewright.game.play.action_kinds import on_each
from tablewright.game.play.actions import Actions, ActionUse, each_use, needs, once
from tablewright.game.play.common_events import Checked
from tablewright.game.play.reactions import open_reaction_window
from tablewright.game.play.targeting import within_reach
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.systems.mars.actions.aim import is_out_of_sight
from tablewright.systems.mars.actions.defences import Lookahead
from tablewright.systems.mars.actions.requirements import (
    EXTENDED,
    ONE_CHECK,
    awake,
    for_nothing,
    standard,
    time_spent,
    unhurried,
    why_no_reaction,
)
from tablewright.systems.mars.character.figures import can_use
from tablewright.systems.mars.character.gear import grants_of
from tablewright.systems.mars.checks import difficulties
from tablewright.systems.mars.content import RageGrant, SecondWindGrant, Skill, When
from tablewright.systems.mars.events.encounter import Delayed
from tablewright.systems.mars.events.harm import Stabilised
from tablewright.systems.mars.events.turn import Acted, GotReady, ReadyTaken, WorkedOn
from tablewright.systems.mars.harm import as_rolled, dice_rules
from tablewright.systems.mars.mechanics.attack import SECONDS, TURN_SECONDS
from tablewright.systems.mars.mechanics.checks import check, opposed
from tablewright.systems.mars.mechanics.dice import MOST_REROLLS
from tablewright.systems.mars.mechanics.harm import stabilise
from tablewright.systems.mars.now import SOURCES, circumstances, now, ruled, rulings
from tablewright.systems.mars.status import READY_TRIGGERS, Ready, ReadyTrigger, Status, Work, stands
from tablewright.systems.mars.values import Degree

READY, DELAY, EXTENDED_ACTION = "mars.action.ready", "mars.action.delay", "mars.action.extended"
READIABLE: dict[str, str] = {
    "attack": "attack",
    "maneuver": "use a maneuver",
    "move": "move",
    "step": "step aside",
    "seek_cover": "seek cover",
    "drop_prone": "drop prone",
    "rise": "rise",
    "brandish": "change what is in hand",
    "second_wind": "get a second wind",
    "rage": "rage",
    "trip": "trip someone",
    "hurl": "hurl what is in hand",
    "improvise": "improvise a maneuver",
    "stabilise": "stabilise someone",
    "use_skill": "use a skill",
    "reload": "reload",
    "take": "pick something up",
    "interact": "use something here",
    "douse": "douse the fire",
}


# ---------------------------------------------------------------------- readied actions


def waiting_for(scene: Scene, trigger: ReadyTrigger, actor: str) -> list[str]:
    """Participants with an action readied for a trigger that they can see."""
    return [
        one.id
        for one in scene.participants
        if one.status.ready is not None
        and one.status.ready.trigger == trigger
        and (trigger == "other" or (one.side != scene[actor].side and not is_out_of_sight(scene, actor, one.id)))
    ]


def chances(actions: Actions, scene: Scene, who: str, actor: str) -> list[ActionUse]:
    """Uses of the readied action that are possible now, those against the actor first; empty if there is none."""
    status: Status = scene[who].status
    if status.ready is None or not stands(scene[who]) or why_no_reaction(scene, who, free=False) is not None:
        return []
    reacting = scene.with_status(who, turn=status.turn._replace(reacting=True))
    found = actions.options(reacting, who, among=(status.ready.action,))
    return sorted([use for use in found if isinstance(use, ActionUse)], key=lambda use: use.target != actor)


async def set_off_by_word(game: Game, actor: str) -> None:
    """Ask the game master whether this is what others wait for who chose a trigger of their own.

    A trigger that was typed is shown, and where no person is the game master its owner judges it.
    """
    for one in game.scene.participants:
        ready: Ready | None = one.status.ready
        if ready is None or ready.trigger != "other" or one.id == actor or is_out_of_sight(game.scene, actor, one.id):
            continue
        if not chances(game.rulebook.actions, game.scene, one.id, actor):
            continue
        about = {"who": one.id, "actor": actor} | ({"words": ready.words} if ready.words else {})
        usual = "yes" if ready.words else "no"
        asked = choose(GAME_MASTER, "is this what they wait for?", ["no", "yes"], default=usual, details=about)
        if await asked == "yes":
            await set_off(game, "other", actor, (one.id,), words=ready.words)


async def set_off(
    game: Game,
    trigger: ReadyTrigger,
    actor: str,
    whom: Sequence[str] | None = None,
    *,
    words: str = "",
    ahead: Lookahead | None = None,
) -> None:
    """Offer readied actions for a trigger at once, as reactions; ``words`` are those of a typed trigger."""
    if not waiting_for(game.scene, trigger, actor):  # as a rule no one waits
        return
    actions = game.rulebook.actions

    def waiting(scene: Scene) -> list[str]:
        return [who for who in waiting_for(scene, trigger, actor) if whom is None or who in whom]

    def moment(scene: Scene, who: str) -> list[ActionUse]:
        ready: Ready | None = scene[who].status.ready
        if ready is None or not chances(actions, scene if ahead is None else ahead.scene(scene), who, actor):
            return []
        now = ActionUse("go_ahead", actor, ready.action, label=f"Now: {READIABLE[ready.action]}", cost="reaction")
        return [now, _WAIT_ON]

    about = {"actor": actor} | ({"words": words} if words else {})
    perform = _carry_out if ahead is None else ahead.before(_carry_out)
    await open_reaction_window(
        game, "is this the moment?", waiting, moment, idle=_WAIT_ON, perform=perform, about=about
    )


_WAIT_ON = ActionUse("wait_on", label="Wait on")


async def _carry_out(game: Game, who: str, moment: ActionUse) -> None:
    game.emit(ReadyTaken(who=who, cause=READY))
    actions, action, actor = game.rulebook.actions, str(moment.detail), moment.target

    def offers() -> list[ActionUse]:
        found = actions.options(game.scene, who, among=(action,))
        return sorted([use for use in found if isinstance(use, ActionUse)], key=lambda use: use.target != actor)

    about = {"who": who, "actor": actor}
    use = await choose(game.seat(who), "what exactly?", offers, details=about, lapse=_WAIT_ON)
    if use != _WAIT_ON:
        await actions.perform(game, who, use)
    game.emit(ReadyTaken(who=who, over=True, cause=READY))


_NOT_READIED = needs(lambda scene, who: not scene[who].status.turn.reacting, "a readied action readies no other")


@standard("Ready an action", READY, (_NOT_READIED,))
async def _ready(game: Game, who: str, use: ActionUse) -> None:
    triggers = [ActionUse("ready_for", detail=name, label=words) for name, words in READY_TRIGGERS.items()]
    trigger = await FreeTextChoice[ActionUse | str](
        game.seat(who), "wait for what?", triggers, in_words=str, details={"who": who}
    )
    deeds: list[ActionUse] = []
    closed: list[ClosedOption] = []
    for name, words in READIABLE.items():
        deed = ActionUse("ready_to", detail=name, label=words)
        reason = why_never(game.scene, who, name)
        if reason is None:
            deeds.append(deed)
        else:
            closed.append(ClosedOption(deed.id, reason, READY, words))
    deed = await choose(game.seat(who), "to do what?", deeds, closed=closed, details={"who": who})
    known: dict[str | None, ReadyTrigger] = {name: name for name in READY_TRIGGERS}
    typed = trigger.strip() if isinstance(trigger, str) else ""
    kind: ReadyTrigger = "other" if isinstance(trigger, str) else known[trigger.detail]
    cost = time_spent(game[who].status, "standard")
    game.emit(GotReady(who=who, trigger=kind, action=str(deed.detail), words=typed, cause=READY, **cost))


def why_never(scene: Scene, who: str, action: str) -> str | None:
    """Reason why an action can never be readied by a participant; None if it can."""
    me = now(scene, who)
    character, library = me.character, me.library
    never = {
        "maneuver": (not any(one.speed in SHORT for one in me.maneuvers), "no such maneuver is known"),
        "move": (me.metres == 0, "cannot move at all"),
        "step": (me.metres == 0, "cannot move at all"),
        "second_wind": (not any(grants_of(character, library, SecondWindGrant)), "no such talent"),
        "rage": (not any(grants_of(character, library, RageGrant)), "no such talent"),
        "trip": (not any(one.weapon.features.trip for one in me.wielded), "nothing in hand to trip with"),
        "hurl": (all(one.bare or one.manners != ("melee",) for one in me.wielded), "nothing in hand to throw"),
        "stabilise": (not can_use(character, "medicine", library), "not trained in medicine"),
        "use_skill": (
            not any(_is_short(scene, one) for one in usable_skills(scene, who)),
            "every skill takes too long",
        ),
        "reload": (
            not any(one.weapon.features.reload in SHORT for one in me.wielded),
            "nothing in hand to reload so quickly",
        ),
    }
    impossible, reason = never.get(action, (False, ""))
    return reason if impossible else None


# ---------------------------------------------------------------------- delay


def later(scene: Scene, who: str) -> list[str]:
    """Participants after whom this one could still act in the round."""
    at = scene.order.index(who) if who in scene.order else len(scene.order)
    return [
        other
        for other in scene.order[at + 1 :]
        if other not in scene.acted
        and other in scene
        and scene[other].present
        and not scene[other].status.dead
        and scene.can_see(scene[who].seat, other)
    ]


def _may_delay(scene: Scene, who: str, use: ActionUse) -> str | None:
    status: Status = scene[who].status
    if status.delayed:
        return "delayed once in this round already"
    if not status.turn.fresh and scene.turn == who and status.earlier is not None:
        return "the turn has begun already"
    return None if later(scene, who) else "nobody acts later in this round"


@for_nothing("Delay", DELAY, (once(_may_delay),))
async def _delay(game: Game, who: str, use: ActionUse) -> None:
    others = [
        ActionUse("delay_after", other, label=f"After {game.scene.display_name(other)}")
        for other in later(game.scene, who)
    ]
    taken = await choose(game.seat(who), "act after whom?", others, details={"who": who})
    game.emit(Delayed(who=who, after=str(taken.target), cause=DELAY))


# ---------------------------------------------------------------------- extended actions


def time_for_work(scene: Scene, who: str) -> int:
    """The seconds of this turn that go into an extended action."""
    return int(scene[who].status.turn.seconds)


def rounded(scene: Scene, seconds: int) -> int:
    """Length of an extended action in seconds; whole turns where the table counts so."""
    if scene.options.extended_action_mode == "accumulate_seconds":
        return seconds
    return -(-seconds // TURN_SECONDS) * TURN_SECONDS


def may_start(scene: Scene, who: str) -> str | None:
    """Reason against starting an extended action now; None if it can be started."""
    left = time_for_work(scene, who)
    if scene.options.extended_action_mode == "whole_turns" and left < TURN_SECONDS:
        return "it starts with a full turn"
    return None if left > 0 else "no time is left"


def start_work(game: Game, who: str, action: str, detail: str, seconds: int) -> Work:
    """Begin an extended action with the rest of this turn; return its progress."""
    needed = rounded(game.scene, seconds)
    spent = min(time_for_work(game.scene, who), needed)
    work = Work(action, detail, needed, spent)
    game.emit(WorkedOn(who=who, work=work, seconds=spent, cause=EXTENDED_ACTION))
    return work


def _work_uses(scene: Scene, who: str) -> Iterator[ActionUse]:
    work: Work | None = scene[who].status.work
    what = work.detail.replace("_", " ") if work is not None else ""
    yield ActionUse("work_on", label=f"Go on with {what}" if what else "Go on")


_HAS_TIME = needs(lambda scene, who: time_for_work(scene, who) > 0, "no time is left")


_IS_BUSY = needs(lambda scene, who: scene[who].status.work is not None, "nothing is under way", EXTENDED_ACTION)


@awake("Go on", EXTENDED_ACTION, (_IS_BUSY, _HAS_TIME), _work_uses, "all the time left")
async def _work_on(game: Game, who: str, use: ActionUse) -> None:
    work: Work | None = game[who].status.work
    assert work is not None
    spent = min(time_for_work(game.scene, who), work.needed - work.done)
    further = work._replace(done=work.done + spent)
    if further.done < further.needed:
        game.emit(WorkedOn(who=who, work=further, seconds=spent, cause=EXTENDED_ACTION))
        return
    game.emit(WorkedOn(who=who, work=None, seconds=spent, cause=EXTENDED_ACTION))
    if further.action == "use_skill":
        await roll_skill(game, who, further.detail)


_OWN_TURN = needs(lambda scene, who: scene.turn == who, "only on your own turn")


@awake("Give it up", EXTENDED_ACTION, (_IS_BUSY, _OWN_TURN), cost_text="nothing")
async def _give_up(game: Game, who: str, use: ActionUse) -> None:
    game.emit(WorkedOn(who=who, work=None, given_up=True, cause=EXTENDED_ACTION))


@for_nothing("End the turn", "mars.time.round")
async def _end_turn(game: Game, who: str, use: ActionUse) -> None:
    """Nothing more is done in this turn."""


WAITING = (_end_turn, _ready, _delay, _work_on, _give_up)


USE_SKILL, GATE = "mars.action.use_skill", "mars.skill.complex_gate"
DYING, STABILISE = "mars.effect.dying", "mars.gap.recovery.stabilise"
STABILISING = 10
SHORT = ("standard", "swift", "free")


def usable_skills(scene: Scene, who: str) -> list[Skill]:
    """Skills that a participant can use; combat skills need no training."""
    character = scene[who].character
    return [
        skill
        for skill in scene.library.of(Skill)
        if skill.group == "combat" or can_use(character, skill.id, scene.library)
    ]


def seconds_for(scene: Scene, skill: Skill) -> int:
    """Length of a use of a skill in seconds."""
    options = scene.options
    return int(options.complex_skill_seconds if skill.group == "complex" else options.basic_skill_seconds)


def _is_short(scene: Scene, skill: Skill) -> bool:
    """True if a skill takes no longer than a standard action."""
    return seconds_for(scene, skill) <= SECONDS["standard"]


def timely_skills(scene: Scene, who: str) -> list[Skill]:
    """Skills that a participant can begin to use now; a readied one takes no longer than a standard action."""
    found = usable_skills(scene, who)
    turn = scene[who].status.turn
    if scene.options.encounter_mode == "complex_challenge":
        return found
    if turn.reacting:
        return [skill for skill in found if _is_short(scene, skill)]
    extended = may_start(scene, who) is None
    return [skill for skill in found if extended or seconds_for(scene, skill) <= turn.seconds]


def _untimely(scene: Scene, who: str) -> list[ClosedOption]:
    """The skills that take too long to begin with now."""
    able = timely_skills(scene, who)
    reason = may_start(scene, who) or "takes too long to be readied"
    late = [one for one in usable_skills(scene, who) if one not in able]
    return [ClosedOption(ActionUse("which_skill", detail=one.id).id, reason, EXTENDED, one.name) for one in late]


def _some_time(scene: Scene, who: str, use: ActionUse) -> str | None:
    turn = scene[who].status.turn
    if not turn.reacting and not turn.seconds:
        return "no time is left"
    return None if timely_skills(scene, who) else "nothing so long can be readied"


@unhurried(
    "Use a skill",
    (USE_SKILL, "mars.check.duration"),
    (ONE_CHECK, once(_some_time, "mars.action.speeds")),
    cost_text="the time of the skill",
)
async def _use_skill(game: Game, who: str, use: ActionUse) -> None:
    options = [
        ActionUse("which_skill", detail=one.id, label=one.name, cost=f"{seconds_for(game.scene, one)} s")
        for one in timely_skills(game.scene, who)
    ]
    taken = await choose(
        game.seat(who), "which skill?", options, closed=_untimely(game.scene, who), details={"who": who}
    )
    skill = game.scene.library.get(Skill, str(taken.detail))
    seconds = seconds_for(game.scene, skill)
    challenge = game.scene.options.encounter_mode == "complex_challenge"
    if challenge or seconds <= game[who].status.turn.seconds or game[who].status.turn.reacting:
        cost = 0 if challenge or game[who].status.turn.reacting else seconds
        game.emit(Acted(who=who, action="use_skill", detail=skill.id, check=True, seconds=cost, cause=USE_SKILL))
        await roll_skill(game, who, skill.id)
    else:
        start_work(game, who, "use_skill", skill.id, seconds)


class SkillTask(NamedTuple):
    """Task that the game master sets for a skill: a difficulty, or a target that resists with a roll."""

    difficulty: int = 0
    target: str = ""
    resists: str = ""
    when: tuple[When, ...] = ()
    advantage: int = 0
    disadvantage: int = 0


RESISTING = ("DEF", "EVA", "FORT", "WILL")
CIRCUMSTANCES: tuple[When, ...] = get_args(When)
HIGHEST = 40


async def _set_task(game: Game, who: str, skill_id: str) -> SkillTask:
    """Ask the game master for the target of a skill; advantage and circumstances can be named first."""
    task = SkillTask()
    about = {"who": who, "skill": skill_id}
    while True:
        others = [one.id for one in game.scene.present if one.id != who and not one.status.dead and not one.hidden]
        rest = [word for word in CIRCUMSTANCES if word not in task.when]
        options = [*(known := difficulties()), "number", *(["target"] if others else [])]
        options += [word for word in ("advantage", "disadvantage") if getattr(task, word) < MOST_REROLLS]
        options += ["circumstance"] if rest else []
        said = await choose(GAME_MASTER, "how hard is it?", options, default="moderate", details=about)
        if said in known:
            return task._replace(difficulty=known[said])
        if said == "number":
            numbers = [str(number) for number in range(HIGHEST + 1)]
            number = await choose(GAME_MASTER, "which number?", numbers, default="10", details=about)
            return task._replace(difficulty=int(number))
        if said == "target":
            whom = [ActionUse("against", one, label=game.scene.display_name(one)) for one in others]
            taken = await choose(GAME_MASTER, "against whom?", whom, details=about)
            target = str(taken.target)
            ways = [*RESISTING, *[skill.id for skill in usable_skills(game.scene, target)]]
            resists = await choose(GAME_MASTER, "resisted with what?", ways, details={**about, "target": target})
            return task._replace(target=target, resists=resists)
        if said == "circumstance":
            word = await choose(GAME_MASTER, "which circumstance?", rest, details=about)
            task = task._replace(when=(*task.when, word))
        elif said == "advantage":
            task = task._replace(advantage=task.advantage + 1)
        else:
            task = task._replace(disadvantage=task.disadvantage + 1)


async def roll_skill(game: Game, who: str, skill_id: str) -> Degree:
    """Ask the game master for the difficulty, then roll; the degree is told, the difficulty is not."""
    task = await _set_task(game, who, skill_id)
    scene = game.scene
    game.purpose = scene.library.get(Skill, skill_id).name
    pros, cons = circumstances(scene, who, task.target or ANYONE)
    pros += (("circumstances", task.advantage, SOURCES),) if task.advantage else ()
    cons += (("circumstances", task.disadvantage, SOURCES),) if task.disadvantage else ()
    throw = now(scene, who).skill(skill_id, task.when, aimed=bool(task.target))
    throw = as_rolled(scene, who, throw.with_parts(rulings(scene, skill_id, who), pros, cons))
    degree: Degree
    if task.target:
        them = now(scene, task.target)
        against = them.roll(task.resists) if task.resists in RESISTING else them.skill(task.resists)  # type: ignore[arg-type]
        against = as_rolled(scene, task.target, ruled(scene, task.target, task.resists, against), defending=True)
        luck = (throw.advantage, throw.disadvantage, against.advantage, against.disadvantage)
        resisted = opposed(throw.value, against.value, *luck, dice_rules(scene))
        tallies = {**throw.tallies("roll_value"), **against.tallies("against", "against_")}
        degree = await resisted.by(game.seat(who), game.seat(task.target), tallies=tallies)
    else:
        call = check(throw.value, task.difficulty, throw.advantage, throw.disadvantage, dice_rules(scene))
        degree = await call.by(game.seat(who), tallies=throw.tallies("roll_value"), hide=("difficulty",))
    game.emit(Checked(who=who, what=skill_id, result=degree.value, against=task.target or None, cause=USE_SKILL))
    return degree


# ---------------------------------------------------------------------- first aid


def _dying(scene: Scene, who: str) -> list[Participant]:
    others = [one for one in scene.present if one.id != who and not one.hidden]
    return [one for one in others if one.status.has("dying") and not one.status.dead]


_KNOWS_MEDICINE = needs(
    lambda scene, who: can_use(scene[who].character, "medicine", scene.library), "not trained in medicine", GATE
)


def _beside(scene: Scene, who: str, use: ActionUse) -> str | None:
    return None if within_reach(scene, who, str(use.target)) else "not within 1 m"


@standard(
    "Stabilise",
    (STABILISE, DYING),
    (ONE_CHECK, each_use(_beside), _KNOWS_MEDICINE),
    on_each(_dying, "Stabilise {}"),
)
async def _stabilise(game: Game, who: str, use: ActionUse) -> None:
    patient = str(use.target)
    cost = time_spent(game[who].status, "standard")
    game.emit(Acted(who=who, action="stabilise", target=patient, check=True, cause=STABILISE, **cost))
    me = now(game.scene, who)
    throw = me.skill("medicine").with_parts(rulings(game.scene, "medicine", who), cons=me.groping)
    throw = as_rolled(game.scene, who, throw)
    call = stabilise(throw.value, STABILISING, throw.advantage, throw.disadvantage, dice_rules(game.scene))
    if await call.by(game.seat(who), tallies=throw.tallies("medicine")):
        game.emit(Stabilised(who=patient, cause=STABILISE))


SKILLS = (_use_skill, _stabilise)
