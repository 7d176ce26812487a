"""Special attacks and other maneuvers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from tablewright.errors import IllegalActionError
from tablewright.game.play.action_kinds import action, on_each
from tablewright.game.play.actions import ActionUse, Refusal, each_use, needs, once
from tablewright.game.play.common_events import ParticipantLeft, Revealed
from tablewright.game.play.effects import Effect, EffectGained, until_turn_of
from tablewright.game.play.targeting import distance
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.marchen.actions.attack import RANGE, RELOAD, TIDE, attack, in_range, legal_ways, loaded, ways
from tablewright.systems.marchen.actions.requirements import (
    AS_SIGNIFICANT,
    BAD_SPOT,
    FIGHTING,
    FREE,
    IN_CONTROL,
    TIDE_DM,
    UP,
    foes_by_name,
    foes_of,
    friends_of,
    significant,
    weakened,
)
from tablewright.systems.marchen.checks import may
from tablewright.systems.marchen.events.fight import (
    Compelled,
    HelpGained,
    Maneuvered,
    MomentumLost,
    ObjectiveChanged,
    TideTurned,
)
from tablewright.systems.marchen.harm import pay
from tablewright.systems.marchen.mechanics.checks import CheckResult, OpposedResult, Winner, helper_dm
from tablewright.systems.marchen.mechanics.dice import Degree, strong_hit
from tablewright.systems.marchen.mechanics.harm import all_or_nothing, word_of
from tablewright.systems.marchen.now import Arms, arms_of, skill_total, threatened
from tablewright.systems.marchen.status import Objective, chronicle
from tablewright.systems.marchen.tasks import contended, rolled
from tablewright.systems.marchen.values import SkillId

GROUND, SECURE = "marchen.ounces.gain_ground", "marchen.ounces.secure_advantage"
DEFEND, REACT = "marchen.ounces.take_defensive_action", "marchen.puncti.react_under_fire"
COMPEL, DEFEAT, AID = "marchen.puncti.compel", "marchen.ounces.face_defeat", "marchen.puncti.aid_your_ally"
GATE, TIDE_RULE = "marchen.skill.level_gates", "marchen.ounces.turn_the_tide"
TURNING = ("turning the tide", TIDE_DM, TIDE_RULE)
GUARDED = "guarded"
TAKEN_DM = 1
"""The DM on the next check of everyone whose side takes an objective."""

BODILY: tuple[SkillId, ...] = ("athletics", "acrobatics", "melee_combat", "unarmed_combat", "stealth", "ruggedness")
CLEVER: tuple[SkillId, ...] = (
    "perception",
    "insight",
    "deception",
    "leadership",
    "stealth",
    "intimidation",
    "acrobatics",
)
FORCEFUL: tuple[SkillId, ...] = ("intimidation", "persuasion")


def best_of(scene: Scene, who: str, skills: tuple[SkillId, ...]) -> SkillId:
    """The best fitting skill of a participant; the first of equals."""
    return max(skills, key=lambda skill: skill_total(scene, who, skill))


async def _tried(game: Game, who: str, skills: tuple[SkillId, ...], tide: bool = False) -> CheckResult:
    """A check of the best fitting skill; it may be the one that turns the tide."""
    skill = best_of(game.scene, who, skills)
    if not tide:
        return await rolled(game, who, skill)
    game.emit(TideTurned(who=who, foe=_leading(game.scene, who), cause=TIDE_RULE))
    return all_or_nothing(await rolled(game, who, skill, TURNING))


def _leading(scene: Scene, who: str) -> str | None:
    """The foe who loses the initiative to a move against no one in particular: the nearest of those who have it."""
    leading = [one.id for one in foes_of(scene, who) if one.status.in_control]
    return min(leading, key=lambda foe: distance(scene, who, foe), default=None)


def _kept(result: CheckResult, tide: bool) -> bool | None:
    """The position after a maneuver; None leaves it as it was, and turning the tide depends on success."""
    return result.success if tide else None


def _done(game: Game, who: str, what: str, result: CheckResult, cause: str, control: bool | None = None) -> None:
    keeps = game[who].status.in_control if control is None else control
    game.emit(Maneuvered(who=who, what=what, degree=word_of(result), control=keeps, cause=cause))


# ---------------------------------------------------------------------- ground and advantages


def grounds(scene: Scene, who: str) -> Iterator[ActionUse]:
    """Uses of gaining ground: a better position, or a step toward the objective."""
    yield ActionUse("gain_ground", detail="position", label="Gain ground")
    objective = chronicle(scene).objective
    if objective is not None and not objective.taken_by:
        yield ActionUse("gain_ground", detail="objective", label=f"Press toward {objective.name}")


async def gain_ground(game: Game, who: str, about: str | None, *, tide: bool = False) -> None:
    """Come nearer to an objective, or into a better position."""
    result = await _tried(game, who, BODILY, tide)
    _done(game, who, "gains ground", result, GROUND, _kept(result, tide))
    if not result.success:
        return
    objective = chronicle(game.scene).objective
    if about == "objective" and objective is not None:
        _step(game, who, objective, GROUND)
    else:
        game.emit(HelpGained(who=who, name="ground gained", dm=2 if strong_hit(result.sigma) else 1, cause=GROUND))


def _step(game: Game, who: str, objective: Objective, cause: str) -> None:
    """A step towards an objective; with the last one it is taken, which lifts one side and sets the other back."""
    side = game[who].side
    now = objective.advanced(side)
    game.emit(ObjectiveChanged(objective=now, cause=cause))
    if now.taken_by != side or objective.taken_by:
        return
    for one in (game[who], *friends_of(game.scene, who)):
        game.emit(HelpGained(who=one.id, name=now.name, dm=TAKEN_DM, cause=cause))
    for foe in foes_of(game.scene, who):
        game.emit(MomentumLost(who=foe.id, cause=DEFEAT))


def _own_side(scene: Scene, who: str) -> list[Participant]:
    return [scene[who], *friends_of(scene, who)]


async def secure(game: Game, who: str, whose: str, *, tide: bool = False) -> None:
    """Outwit the foe: the sigma is the DM of the next check, the character's own or a friend's."""
    result = await _tried(game, who, CLEVER, tide)
    _done(game, who, "secures an advantage", result, SECURE, _kept(result, tide))
    if result.sigma:
        game.emit(HelpGained(who=whose, name="an advantage", dm=result.sigma, cause=SECURE))


async def defend(game: Game, who: str, *, tide: bool = False) -> None:
    """Take up a defence; it seizes an objective of which all steps but the last are taken."""
    result = await _tried(game, who, BODILY, tide)
    _done(game, who, "takes a defensive action", result, DEFEND, _kept(result, tide))
    if not result.success:
        return
    _guard(game, who, DEFEND)
    objective = chronicle(game.scene).objective
    if objective is not None and not objective.taken_by and objective.of(game[who].side) + 1 >= objective.steps:
        _step(game, who, objective, DEFEND)


def _guard(game: Game, who: str, cause: str) -> None:
    held = Effect(GUARDED, until_turn_of(game.scene, who), 1, by=who)
    game.emit(EffectGained(who=who, what=held, cause=cause))


@significant("React under fire", REACT, (BAD_SPOT,))
async def _react_under_fire(game: Game, who: str, use: ActionUse) -> None:
    result = await _tried(game, who, BODILY)
    _done(game, who, "reacts under fire", result, REACT, control=strong_hit(result.sigma))
    if result.success:
        _guard(game, who, REACT)
    else:
        await pay(game, who, "physical", result, REACT)


# ---------------------------------------------------------------------- others


def weak(scene: Scene, who: str, use: ActionUse) -> str | None:
    target = str(use.target)
    return (
        None
        if weakened(scene, target)
        else f"{scene.display_name(target)} is neither hurt, outnumbered nor in a bad spot"
    )


def untried(scene: Scene, who: str, use: ActionUse) -> str | None:
    target = str(use.target)
    return f"{scene.display_name(target)} was asked to stand down already" if scene[target].status.compelled else None


async def press(game: Game, who: str, target: str, *, tide: bool = False) -> None:
    """Make a foe stand down, who hears by it where one is."""
    if game[who].hidden:
        game.emit(Revealed(who=who, cause=COMPEL))
    if tide:
        game.emit(TideTurned(who=who, foe=target, cause=TIDE_RULE))
    result = await resist(game, who, target, *([TURNING] if tide else []))
    won = result.winner is Winner.A
    game.emit(Compelled(who=target, by=who, degree="success" if won else "failure", cause=COMPEL))
    if won:
        game.emit(ParticipantLeft(who=target, how="yields", cause=COMPEL))
    elif tide:
        costly = Degree.COSTLY.value
        game.emit(Maneuvered(who=who, what="turns the tide", degree=costly, control=False, cause=TIDE_RULE))


async def resist(game: Game, who: str, target: str, *more: tuple[str, int, str | None]) -> OpposedResult:
    """Force of words against the other's identity."""
    return await contended(game, who, best_of(game.scene, who, FORCEFUL), target, "identity", *more)


@action("Surrender", COMPEL, (UP, FIGHTING), cost=FREE)
async def _surrender(game: Game, who: str, use: ActionUse) -> None:
    game.emit(ParticipantLeft(who=who, how="yields", cause=COMPEL))


_WAY_OUT = needs(lambda scene, who: not threatened(scene, who), "a foe in touch bars the way out")


@significant("Face defeat", DEFEAT, (_WAY_OUT,))
async def _face_defeat(game: Game, who: str, use: ActionUse) -> None:
    objective = chronicle(game.scene).objective
    side = game[who].side
    if objective is not None and objective.taken_by != side and side not in objective.lost_by:
        lost = objective._replace(lost_by=(*objective.lost_by, side))
        game.emit(ObjectiveChanged(objective=lost, cause=DEFEAT))
    game.emit(ParticipantLeft(who=who, how="flees", cause=DEFEAT))


def _too_low(scene: Scene, who: str, arms: Arms) -> str | None:
    """Reason why a participant may not aid others with these arms; None if it may."""
    try:
        may(scene[who].character, "aid_another", arms.skill, arms.specialization, scene.options)
    except IllegalActionError as error:
        return error.message
    return None


def _own_arms(scene: Scene, who: str) -> Arms:
    """The best arms of a participant, preferably of those that it may aid others with."""
    every = list(arms_of(scene, who).values())
    known = [arms for arms in every if _too_low(scene, who, arms) is None]
    return max(known or every, key=lambda arms: arms.base)


@significant(
    "Aid your ally",
    (AID, "marchen.aid.helper_dm"),
    (once(lambda scene, who, _: _too_low(scene, who, _own_arms(scene, who)), GATE),),
    on_each(friends_of, "Aid {}"),
)
async def _aid_your_ally(game: Game, who: str, use: ActionUse) -> None:
    arms = _own_arms(game.scene, who)
    result = await rolled(game, who, arms.skill, specialization=arms.specialization)
    _done(game, who, "aids an ally", result, AID)
    game.emit(
        HelpGained(who=str(use.target), name=f"aid by {game.scene.display_name(who)}", dm=helper_dm(result), cause=AID)
    )


@significant("Gain ground", GROUND, (IN_CONTROL,), grounds)
async def _gain_ground(game: Game, who: str, use: ActionUse) -> None:
    await gain_ground(game, who, use.detail)


@significant("Secure an advantage", SECURE, uses=on_each(_own_side, "Secure an advantage for {}"))
async def _secure_advantage(game: Game, who: str, use: ActionUse) -> None:
    await secure(game, who, str(use.target))


@significant("Take defensive action", DEFEND, (IN_CONTROL,))
async def _take_defensive_action(game: Game, who: str, use: ActionUse) -> None:
    await defend(game, who)


@significant("Compel", COMPEL, (each_use(untried), each_use(weak)), on_each(foes_of, "Compel {}"))
async def _compel(game: Game, who: str, use: ActionUse) -> None:
    await press(game, who, str(use.target))


STUNTS = (
    *(_gain_ground, _secure_advantage, _take_defensive_action),
    *(_react_under_fire, _compel, _aid_your_ally, _face_defeat),
)


ID = "turn_the_tide"
GAIN_GROUND, DEFENCE, ADVANTAGE, FORCE = "gain_ground", "take_defensive_action", "secure_advantage", "compel"
MOVES = (GAIN_GROUND, DEFENCE, ADVANTAGE, FORCE)
"""The moves besides attacks by which the tide can be turned."""

_attacks, _legal_attacks, _strike = ways(ID), legal_ways(ID), attack(ID)


def move_of(use: ActionUse) -> str:
    """The move by which the tide is to be turned; empty for an attack."""
    move = str(use.detail).partition("/")[0]
    return move if move in MOVES else ""


def _ways(scene: Scene, who: str) -> Sequence[ActionUse]:
    return (*_attacks(scene, who), *other_ways(scene, who))


def _legal(scene: Scene, who: str) -> Sequence[ActionUse]:
    """Ways to turn the tide that meet every requirement of a use."""
    moves = [use for use in other_ways(scene, who) if _able_to_turn(scene, who, use) is None]
    return (*_legal_attacks(scene, who), *moves)


def other_ways(scene: Scene, who: str) -> Sequence[ActionUse]:
    """Ways to turn the tide without an attack."""
    friends = [(one.id, scene.display_name(one.id)) for one in friends_of(scene, who)]
    own = ((who, scene.display_name(who)), *friends)
    return _other_ways(tuple([str(ground.label) for ground in grounds(scene, who)]), own, foes_by_name(scene, who))


@lru_cache(maxsize=256)
def _other_ways(
    grounds: tuple[str, ...], own: tuple[tuple[str, str], ...], foes: tuple[tuple[str, str], ...]
) -> tuple[ActionUse, ...]:
    """Ways to turn the tide without an attack; the same ones come up turn after turn."""
    places = zip(("position", "objective"), grounds, strict=False)
    return (
        *[_use(f"{GAIN_GROUND}/{place}", label) for place, label in places],
        _use(DEFENCE, "take defensive action"),
        *[_use(ADVANTAGE, f"secure an advantage for {name}", one) for one, name in own],
        *[_use(FORCE, f"compel {name}", one) for one, name in foes],
    )


def _use(detail: str, what: str, target: str | None = None) -> ActionUse:
    return ActionUse(ID, target, detail, f"Turn the tide: {what[:1].lower()}{what[1:]}", AS_SIGNIFICANT)


def _able_to_turn(scene: Scene, who: str, use: ActionUse) -> str | Refusal | None:
    """Check the requirements of the attack or the move itself; each has a rule of its own."""
    move = move_of(use)
    if move == FORCE:
        refused = untried(scene, who, use) or weak(scene, who, use)
        return None if refused is None else Refusal(refused, COMPEL)
    if move:
        return None
    refused = loaded(scene, who, use)
    return in_range(scene, who, use) or (None if refused is None else Refusal(refused, RELOAD))


_NOT_TURNED = needs(lambda scene, who: not scene[who].status.turned, "the tide can be turned only once in a fight")


@significant("Turn the tide", TIDE, (BAD_SPOT, _NOT_TURNED, each_use(_able_to_turn, RANGE)), _ways, legal=_legal)
async def _turn_the_tide(game: Game, who: str, use: ActionUse) -> None:
    move = move_of(use)
    if move == GAIN_GROUND:
        await gain_ground(game, who, str(use.detail).partition("/")[2], tide=True)
    elif move == DEFENCE:
        await defend(game, who, tide=True)
    elif move == ADVANTAGE:
        await secure(game, who, str(use.target), tide=True)
    elif move == FORCE:
        await press(game, who, str(use.target), tide=True)
    else:
        await _strike(game, who, use)


SURRENDER, TURN_THE_TIDE = _surrender, _turn_the_tide
