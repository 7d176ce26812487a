"""Waiting for the right moment: Ready with its triggers, Delay, and extended actions that go on for turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablewright.engine import choose
from tablewright.game.actions import Action, Actions, Requirement, Use
from tablewright.game.scene import Live, Scene
from tablewright.game.windows import window
from tablewright.systems.mars.actions.costs import AWAKE, NOT_BUSY, STANDARD, time_spent, why_no_reaction
from tablewright.systems.mars.aiming import is_out_of_sight
from tablewright.systems.mars.attack import TURN_SECONDS
from tablewright.systems.mars.events import Delayed, GotReady, ReadyTaken, WorkedOn
from tablewright.systems.mars.status import READY_TRIGGERS, Ready, ReadyTrigger, Status, Work, stands

READY, DELAY, EXTENDED = "mars.action.ready", "mars.action.delay", "mars.action.extended"
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
    "trip": "trip somebody",
    "hurl": "hurl what is in hand",
    "improvise": "improvise a maneuver",
    "stabilise": "stabilise somebody",
    "use_skill": "use a skill",
    "reload": "reload",
    "take": "take something up",
    "interact": "use something here",
    "douse": "douse the fire",
}


# ---------------------------------------------------------------------- readied actions


def waiting_for(scene: Scene, trigger: ReadyTrigger, actor: str) -> list[str]:
    """Those who have readied an action for what an enemy does that they can see."""
    return [
        one.id
        for one in scene.participants
        if one.status.ready is not None
        and one.status.ready.trigger == trigger
        and one.side != scene[actor].side
        and not is_out_of_sight(scene, actor, one.id)
    ]


def chances(actions: Actions, scene: Scene, who: str, actor: str) -> list[Use]:
    """What somebody could do now of what was readied, against who has set it off first; nothing: no moment for it."""
    status: Status = scene[who].status
    if status.ready is None or not stands(scene[who]) or why_no_reaction(scene, who, free=False) is not None:
        return []
    reacting = scene.change(who, turn=status.turn._replace(reacting=True))
    found = actions.offers(reacting, who, among=(status.ready.action,))
    return sorted([use for use in found if isinstance(use, Use)], key=lambda use: use.target != actor)


async def set_off(game: Live, trigger: ReadyTrigger, actor: str, whom: Sequence[str] | None = None) -> None:
    """Whoever has readied an action for what an enemy does may take it now, at once, as a reaction."""
    actions = game.book.actions

    def waiting(scene: Scene) -> list[str]:
        return [who for who in waiting_for(scene, trigger, actor) if whom is None or who in whom]

    def moment(scene: Scene, who: str) -> list[Use]:
        ready: Ready | None = scene[who].status.ready
        if ready is None or not chances(actions, scene, who, actor):
            return []
        now = Use("go_ahead", actor, ready.action, label=f"Now: {READIABLE[ready.action]}", cost="reaction")
        return [now, _WAIT_ON]

    await window(
        game, "is this the moment?", waiting, moment, idle=_WAIT_ON, perform=_carry_out, about={"actor": actor}
    )


_WAIT_ON = Use("wait_on", label="Wait on")


async def _carry_out(game: Live, who: str, moment: Use) -> None:
    game.emit(ReadyTaken(who=who, cause=READY))
    actions, action, actor = game.book.actions, str(moment.detail), moment.target

    def offers() -> list[Use]:
        found = actions.offers(game.scene, who, among=(action,))
        return sorted([use for use in found if isinstance(use, Use)], key=lambda use: use.target != actor)

    about = {"who": who, "actor": actor}
    use = await choose(game.seat(who), "what exactly?", offers, about=about, lapse=_WAIT_ON)
    if use != _WAIT_ON:
        await actions.perform(game, who, use)
    game.emit(ReadyTaken(who=who, over=True, cause=READY))


async def _ready(game: Live, who: str, use: Use) -> None:
    triggers = [Use("ready_for", detail=name, label=words) for name, words in READY_TRIGGERS.items()]
    trigger = await choose(game.seat(who), "wait for what?", triggers, about={"who": who})
    deeds = [Use("ready_to", detail=name, label=words) for name, words in READIABLE.items()]
    deed = await choose(game.seat(who), "to do what?", deeds, about={"who": who})
    known: dict[str, ReadyTrigger] = {name: name for name in READY_TRIGGERS}
    cost = time_spent(game[who].status, "standard")
    game.emit(GotReady(who=who, trigger=known[str(trigger.detail)], action=str(deed.detail), cause=READY, **cost))


def _not_readied(scene: Scene, who: str, use: Use) -> str | None:
    status: Status = scene[who].status
    return "a readied action readies no other" if status.turn.reacting else None


# ---------------------------------------------------------------------- delay


def later(scene: Scene, who: str) -> list[str]:
    """Those after whom somebody could still act in this round."""
    at = scene.order.index(who) if who in scene.order else len(scene.order)
    return [
        other
        for other in scene.order[at + 1 :]
        if other not in scene.acted
        and other in scene
        and scene[other].present
        and not scene[other].status.dead
        and scene.knows_of(scene[who].seat, other)
    ]


def _may_delay(scene: Scene, who: str, use: Use) -> str | None:
    status: Status = scene[who].status
    if status.delayed:
        return "delayed once in this round already"
    if not status.turn.fresh and scene.turn == who and status.earlier is not None:
        return "the turn has begun already"
    return None if later(scene, who) else "nobody acts later in this round"


async def _delay(game: Live, who: str, use: Use) -> None:
    others = [Use("delay_after", other, label=f"After {game.scene.called(other)}") for other in later(game.scene, who)]
    taken = await choose(game.seat(who), "act after whom?", others, about={"who": who})
    game.emit(Delayed(who=who, after=str(taken.target), cause=DELAY))


# ---------------------------------------------------------------------- extended actions


def time_for_work(scene: Scene, who: str) -> int:
    """The seconds of this turn that go into an extended action."""
    return int(scene[who].status.turn.seconds)


def rounded(scene: Scene, seconds: int) -> int:
    """How long an extended action takes: whole turns where the table counts so."""
    if scene.options.extended_action_mode == "accumulate_seconds":
        return seconds
    return -(-seconds // TURN_SECONDS) * TURN_SECONDS


def may_start(scene: Scene, who: str) -> str | None:
    """Why an extended action cannot be started now; None if it can."""
    left = time_for_work(scene, who)
    if scene.options.extended_action_mode == "whole_turns" and left < TURN_SECONDS:
        return "it starts with a full turn"
    return None if left > 0 else "no time is left"


def start_work(game: Live, who: str, action: str, detail: str, seconds: int, target: str | None = None) -> Work:
    """Begin an extended action with what is left of this turn; gives how far it has come."""
    needed = rounded(game.scene, seconds)
    spent = min(time_for_work(game.scene, who), needed)
    work = Work(action, detail, needed, spent, target)
    game.emit(WorkedOn(who=who, work=work, seconds=spent, cause=EXTENDED))
    return work


async def _work_on(game: Live, who: str, use: Use) -> None:
    work: Work | None = game[who].status.work
    assert work is not None
    spent = min(time_for_work(game.scene, who), work.needed - work.done)
    further = work._replace(done=work.done + spent)
    if further.done < further.needed:
        game.emit(WorkedOn(who=who, work=further, seconds=spent, cause=EXTENDED))
        return
    game.emit(WorkedOn(who=who, work=None, seconds=spent, cause=EXTENDED))
    from tablewright.systems.mars.actions.skills import finish_work  # noqa: PLC0415 - it works on things in turn

    await finish_work(game, who, further)


async def _give_up(game: Live, who: str, use: Use) -> None:
    game.emit(WorkedOn(who=who, work=None, given_up=True, cause=EXTENDED))


async def _end_turn(game: Live, who: str, use: Use) -> None:
    """Nothing more is done in this turn."""


def _is_busy(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene[who].status.work is not None else "nothing is under way"


def _has_time(scene: Scene, who: str, use: Use) -> str | None:
    return None if time_for_work(scene, who) > 0 else "no time is left"


def _own_turn(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene.turn == who else "only on the own turn"


def _work_uses(scene: Scene, who: str) -> Iterator[Use]:
    work: Work | None = scene[who].status.work
    what = work.detail.replace("_", " ") if work is not None else ""
    yield Use("work_on", label=f"Go on with {what}" if what else "Go on")


def waiting_actions() -> Sequence[Action]:
    """The actions of this room."""
    busy = Requirement(EXTENDED, _is_busy, once=True)
    return (
        Action("end_turn", "End the turn", ("mars.time.round",), _end_turn, cost="nothing"),
        Action(
            "ready",
            "Ready an action",
            (READY,),
            _ready,
            (AWAKE, NOT_BUSY, Requirement(READY, _not_readied, once=True), STANDARD),
            None,
            "4 s",
        ),
        Action("delay", "Delay", (DELAY,), _delay, (Requirement(DELAY, _may_delay, once=True),), None, "nothing"),
        Action(
            "work_on",
            "Go on",
            (EXTENDED,),
            _work_on,
            (AWAKE, busy, Requirement(EXTENDED, _has_time, once=True)),
            _work_uses,
            "all the time left",
        ),
        Action(
            "give_up",
            "Give it up",
            (EXTENDED,),
            _give_up,
            (AWAKE, busy, Requirement(EXTENDED, _own_turn, once=True)),
            None,
            "nothing",
        ),
    )
