"""Encounters: awareness, turn order, rounds, turns and the end."""

from __future__ import annotations

from typing import Annotated

from tablewright.engine import Param, process
from tablewright.errors import IllegalActionError, refuse_if
from tablewright.game.play.common_events import OrderSet
from tablewright.game.play.turns import Causes, play_rounds, take_turn, winning_side
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.systems.marchen.actions.attack import go_on
from tablewright.systems.marchen.character.figures import figures
from tablewright.systems.marchen.events.fight import ALLOTMENT, EnteredTheFray, FightOver, ObjectiveChanged
from tablewright.systems.marchen.mechanics.turn import Entered, ambushing, enter_the_fray, round_ticks
from tablewright.systems.marchen.now import how_checked, readied
from tablewright.systems.marchen.status import Objective, Status, chronicle, rank, stands
from tablewright.systems.marchen.tasks import count

FRAY, SURPRISE = "marchen.puncti.enter_the_fray", "marchen.gap.fight.surprise"
ROUND, TURN, END = "marchen.time.combat_round", "marchen.time.combat_actions", "marchen.gap.fight.end"


def unaware(scene: Scene, one: Participant) -> bool:
    """True if a participant is taken by surprise: named so, or all foes are hidden."""
    if one.id in scene.setup.surprised:
        return True
    foes = [foe for foe in scene.enemies(one.id) if stands(foe)]
    return bool(foes) and all(foe.hidden for foe in foes)


def ambushes(scene: Scene, one: Participant) -> bool:
    """True if a participant takes others by surprise and is not surprised."""
    return any(unaware(scene, foe) for foe in scene.enemies(one.id) if stands(foe)) and not unaware(scene, one)


async def enter_one(game: Game, who: str, *, ambushing_now: bool, surprised: bool) -> None:
    """Let a participant enter the fray: by a check, as an ambusher, or taken by surprise."""
    scene = game.scene
    one = scene[who]
    audience = one.seat if one.hidden else "everyone"
    made = readied(scene, who, "agility")
    tally = made.tally
    core, table = how_checked(scene.options)
    if surprised:
        lowest = -figures(one.character, scene.options).movement * 100
        result, cause = Entered(lowest, False, True), SURPRISE
    elif ambushing_now:
        result, cause = ambushing(core, tally.total, table), SURPRISE
    else:
        call = enter_the_fray(tally.total, made.luck, core, table)
        result = await call.by(one.seat, audience=audience, tallies={"modifier": tally})
        count(game, who, made, to=audience)
        cause = FRAY
    event = EnteredTheFray(
        who=who,
        effect=result.effect,
        control=result.in_control,
        loses_round=result.loses_round,
        surprised=surprised,
        to=audience,
        cause=cause,
    )
    game.emit(event)


async def begin(game: Game) -> None:
    """Let everyone on their feet enter the fray, and set the turn order."""
    scene = game.scene
    surprised = {one.id for one in scene.present if unaware(scene, one)}
    lurking = {one.id for one in scene.present if ambushes(scene, one)}
    for one in scene.present:
        if stands(one) and one.status.effect is None:
            await enter_one(game, one.id, ambushing_now=one.id in lurking, surprised=one.id in surprised)
    set_order(game)


def _rank(scene: Scene, one: Participant) -> tuple[int, int, int]:
    """The higher effect first, then the higher agility; those who act at the same moment in the order of listing."""
    return *rank(scene, one), scene.participants.index(one)


def set_order(game: Game) -> None:
    """Set the turn order: first the one that everyone sees, then the one with the hidden."""
    scene = game.scene
    entered = [one for one in scene.present if one.status.effect is not None]
    seen = sorted([one for one in entered if not one.hidden], key=lambda one: _rank(scene, one))
    order = tuple([one.id for one in seen])
    if order != tuple([who for who in scene.order if who in order]) or not scene.order:
        game.emit(OrderSet(order=order, cause=FRAY))
    if len(seen) != len(entered):
        whole = tuple([one.id for one in sorted(entered, key=lambda one: _rank(scene, one))])
        if whole != game.scene.order:
            game.emit(OrderSet(order=whole, to=GAME_MASTER, cause=FRAY))


async def _newcomers(game: Game) -> None:
    """Let newcomers enter the fray at the beginning of a round."""
    missing = [one.id for one in game.scene.present if one.id not in game.scene.order and stands(one)]
    if not missing:
        return
    for who in missing:
        await enter_one(game, who, ambushing_now=False, surprised=False)
    set_order(game)


def may_act(scene: Scene, who: str) -> bool:
    """True if a participant has a turn in this round: not down, and the round is not lost."""
    return not scene[who].status.down and scene[who].status.loses_round != scene.round


async def turn(game: Game, who: str) -> None:
    """Play a turn: one significant and one minor action, or three minor ones."""
    await take_turn(game, who, goes_on=goes_on, about=left_of_turn)


def left_of_turn(scene: Scene, who: str) -> dict[str, str]:
    """The actions left in a turn, and the position of the participant."""
    status: Status = scene[who].status
    significant, minor = status.spent.get("significant", 0), status.spent.get("minor", 0)
    if significant:
        left = "1 minor action"
    elif minor == 0:
        left = "1 significant and 1 minor action, or 3 minor ones"
    else:
        left = "1 significant action, or 2 minor ones" if minor == 1 else "1 minor action"
    about = {"left": left, "position": "in control" if status.in_control else "a bad spot"}
    taken = zip(status.damage.items(), status.limits, strict=True)
    harm = [f"{aspect} {amount} of {most}" for (aspect, amount), most in taken if amount]
    return about | {"harm": ", ".join(harm)} if harm else about


def goes_on(scene: Scene, who: str) -> bool:
    """True if a turn goes on."""
    if scene.ended is not None or scene.turn != who or not stands(scene[who]):
        return False
    return any(ALLOTMENT.left(scene, who).values()) and outcome(scene) is None


@cached_on_scene
def outcome(scene: Scene) -> str | None:
    """The outcome of a fight: a side that is alone left standing; None before."""
    return winning_side(scene, stands)


@process(rules=["marchen.puncti.enter_the_fray", "marchen.time.combat_round", "marchen.fight.control"])
async def encounter(game: Game) -> None:
    """A fight by the ounce: enter the fray, then round after round until one side is left."""
    if not game.scene.order:
        await begin(game)
    length = round_ticks(game.scene.options.combat_round)
    causes = Causes(TURN, ROUND, END)
    await play_rounds(
        game, turn, outcome, cause=causes, length=length, round_begins=_newcomers, may_act=may_act, go_on=go_on
    )
    game.emit(FightOver(cause=END))


@process(rules=["marchen.ounces.gain_ground", "marchen.ounces.face_defeat"])
async def set_objective(
    game: Game,
    name: Annotated[str, Param("name of the objective")],
    steps: Annotated[int, Param("number of steps to take it", 1, 20)] = 2,
) -> None:
    """Set the objective of a fight, as the Referee."""
    refuse_if(not name.strip(), "an objective has a name", rule="marchen.ounces.gain_ground")
    game.emit(ObjectiveChanged(objective=Objective(name, steps), cause="marchen.ounces.gain_ground"))


@process(rules=["marchen.ounces.face_defeat"])
async def lose_objective(game: Game, side: Annotated[str, Param("the side that is deprived of it")]) -> None:
    """Mark the objective as lost to a side."""
    objective = chronicle(game.scene).objective
    if objective is None:
        raise IllegalActionError("there is no objective", rule="marchen.ounces.face_defeat")
    taken = "" if objective.taken_by == side else objective.taken_by
    lost = objective._replace(taken_by=taken, lost_by=tuple(dict.fromkeys([*objective.lost_by, side])))
    game.emit(ObjectiveChanged(objective=lost, cause="marchen.ounces.face_defeat"))


PROCESSES = (set_objective, lose_objective)
