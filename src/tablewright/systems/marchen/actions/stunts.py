"""What else is done in a fight: gaining ground, advantages, defence, making foes stand down, helping, giving up."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.engine import Seat
from tablewright.errors import RulesSayNo
from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.common import Left, Revealed
from tablewright.game.lasting import Lasting, TookHold, until_turn
from tablewright.game.scene import Live, Scene
from tablewright.systems.marchen.actions.common import (
    AS_SIGNIFICANT,
    BAD_SPOT,
    FIGHTING,
    FREE,
    IN_CONTROL,
    SIGNIFICANT,
    TIDE_DM,
    TURN,
    UP,
    foes_of,
    friends_of,
    weakened,
)
from tablewright.systems.marchen.character import score
from tablewright.systems.marchen.checks import may
from tablewright.systems.marchen.degrees import strong_hit
from tablewright.systems.marchen.events import Compelled, HelpGained, Maneuvered, ObjectiveChanged, TideTurned
from tablewright.systems.marchen.harm import pay
from tablewright.systems.marchen.mechanics import CheckResult, OpposedResult, Winner, helper_dm, opposed
from tablewright.systems.marchen.now import Arms, arms_of, readied, skill_total, threatened
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.status import chronicle
from tablewright.systems.marchen.suffering import all_or_nothing, word_of
from tablewright.systems.marchen.tables import Degree
from tablewright.systems.marchen.trying import count, rolled
from tablewright.systems.marchen.values import CHARACTERISTIC_OF, SkillId

GROUND, SECURE = "marchen.ounces.gain_ground", "marchen.ounces.secure_advantage"
DEFEND, REACT = "marchen.ounces.take_defensive_action", "marchen.puncti.react_under_fire"
COMPEL, DEFEAT, AID = "marchen.puncti.compel", "marchen.ounces.face_defeat", "marchen.puncti.aid_your_ally"
GATE, TIDE = "marchen.skill.level_gates", "marchen.ounces.turn_the_tide"
TURNING = ("turning the tide", TIDE_DM, TIDE)
GUARDED = "guarded"
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
    """The fitting skill with which somebody is best; the first of equals."""
    return max(skills, key=lambda skill: skill_total(scene, who, skill))


async def _tried(game: Live, who: str, skills: tuple[SkillId, ...], tide: bool = False) -> CheckResult:
    """A check of the fitting skill with which somebody is best; it may be the one that turns the tide."""
    skill = best_of(game.scene, who, skills)
    if not tide:
        return await rolled(game, who, skill)
    game.emit(TideTurned(who=who, cause=TIDE))
    return all_or_nothing(await rolled(game, who, skill, TURNING))


def _kept(result: CheckResult, tide: bool) -> bool | None:
    """Whether somebody is in control afterwards: as before, but where the tide was to be turned all depends on it."""
    return result.success if tide else None


def _done(game: Live, who: str, what: str, result: CheckResult, cause: str, control: bool | None = None) -> None:
    keeps = game[who].status.in_control if control is None else control
    game.emit(Maneuvered(who=who, what=what, degree=word_of(result), control=keeps, cause=cause))


# ---------------------------------------------------------------------- ground and advantages


def grounds(scene: Scene, who: str) -> Iterator[Use]:
    """What ground could be gained."""
    yield Use("gain_ground", detail="position", label="Gain ground")
    objective = chronicle(scene).objective
    if objective is not None and not objective.taken_by:
        yield Use("gain_ground", detail="objective", label=f"Press towards {objective.name}")


async def gain_ground(game: Live, who: str, about: str | None, *, tide: bool = False) -> None:
    """Come nearer to an objective, or into a better position."""
    result = await _tried(game, who, BODILY, tide)
    _done(game, who, "gains ground", result, GROUND, _kept(result, tide))
    if not result.success:
        return
    objective = chronicle(game.scene).objective
    if about == "objective" and objective is not None:
        game.emit(ObjectiveChanged(objective=objective.advanced(game[who].side), cause=GROUND))
    else:
        game.emit(HelpGained(who=who, name="ground gained", dm=2 if strong_hit(result.sigma) else 1, cause=GROUND))


def _for_whom(action: str, verb: str) -> object:
    def uses(scene: Scene, who: str) -> Iterator[Use]:
        yield Use(action, who, label=f"{verb} oneself", cost=AS_SIGNIFICANT)
        for one in friends_of(scene, who):
            yield Use(action, one.id, label=f"{verb} {scene.called(one.id)}", cost=AS_SIGNIFICANT)

    return uses


async def secure(game: Live, who: str, whose: str, *, tide: bool = False) -> None:
    """Outwit the foe: the sigma is the DM of the next check, one's own or a friend's."""
    result = await _tried(game, who, CLEVER, tide)
    _done(game, who, "secures an advantage", result, SECURE, _kept(result, tide))
    if result.sigma:
        game.emit(HelpGained(who=whose, name="an advantage", dm=result.sigma, cause=SECURE))


async def defend(game: Live, who: str, *, tide: bool = False) -> None:
    """Hold one's own; an objective is taken by it."""
    result = await _tried(game, who, BODILY, tide)
    _done(game, who, "takes a defensive action", result, DEFEND, _kept(result, tide))
    if not result.success:
        return
    _guard(game, who, DEFEND)
    objective = chronicle(game.scene).objective
    if objective is not None and not objective.taken_by:
        side = game[who].side
        game.emit(ObjectiveChanged(objective=objective.advanced(side, objective.steps), cause=DEFEND))


def _guard(game: Live, who: str, cause: str) -> None:
    held = Lasting(GUARDED, until_turn(game.scene, who), 1, by=who)
    game.emit(TookHold(who=who, what=held, cause=cause))


async def _react(game: Live, who: str, use: Use) -> None:
    result = await _tried(game, who, BODILY)
    _done(game, who, "reacts under fire", result, REACT, control=strong_hit(result.sigma))
    if result.success:
        _guard(game, who, REACT)
    else:
        await pay(game, who, "physical", result, REACT)


# ---------------------------------------------------------------------- others


def _foes(action: str, verb: str) -> object:
    def uses(scene: Scene, who: str) -> Iterator[Use]:
        for one in foes_of(scene, who):
            yield Use(action, one.id, label=f"{verb} {scene.called(one.id)}", cost=AS_SIGNIFICANT)

    return uses


def weak(scene: Scene, who: str, use: Use) -> str | None:
    target = str(use.target)
    return None if weakened(scene, target) else f"{scene.called(target)} is neither hurt, outnumbered nor in a bad spot"


def untried(scene: Scene, who: str, use: Use) -> str | None:
    target = str(use.target)
    return f"{scene.called(target)} was asked to stand down already" if scene[target].status.compelled else None


async def press(game: Live, who: str, target: str, *, tide: bool = False) -> None:
    """Make a foe stand down, who hears by it where one is."""
    if game[who].hidden:
        game.emit(Revealed(who=who, cause=COMPEL))
    if tide:
        game.emit(TideTurned(who=who, cause=TIDE))
    result = await resist(game, who, target, *([TURNING] if tide else []))
    won = result.winner is Winner.A
    game.emit(Compelled(who=target, by=who, degree="success" if won else "failure", cause=COMPEL))
    if won:
        game.emit(Left(who=target, how="yields", cause=COMPEL))
    elif tide:
        costly = Degree.COSTLY.value
        game.emit(Maneuvered(who=who, what="turns the tide", degree=costly, control=False, cause=TIDE))


async def resist(game: Live, who: str, target: str, *more: tuple[str, int, str | None]) -> OpposedResult:
    """Force of words against the other's identity."""
    scene = game.scene
    options: MarchenOptions = scene.options
    skill = best_of(scene, who, FORCEFUL)
    mine, theirs = readied(scene, who, skill, *more), readied(scene, target, "identity")
    call = opposed(
        options.core,
        mine.tally.total,
        theirs.tally.total,
        a_characteristic=score(scene[who].character, CHARACTERISTIC_OF[skill], options).total,
        b_characteristic=score(scene[target].character, "identity", options).total,
        a_advantage=mine.luck,
        b_advantage=theirs.luck,
        target_rule=options.target_rule,
        d20_scale=options.d20_scale,
        opposed_tie=options.opposed_tie,
        degree_method=options.degree_method,
    )
    result: OpposedResult = await call.by(
        game.seat(who),
        game.seat(target),
        tallies={"a_modifier": mine.tally, "b_modifier": theirs.tally},
        private={"b_modifier": Seat.OPPONENT, "b_characteristic": Seat.OPPONENT},
    )
    count(game, who, mine)
    count(game, target, theirs)
    return result


async def _surrender(game: Live, who: str, use: Use) -> None:
    game.emit(Left(who=who, how="yields", cause=COMPEL))


def _way_out(scene: Scene, who: str, use: Use) -> str | None:
    return "a foe in touch bars the way out" if threatened(scene, who) else None


async def _flee(game: Live, who: str, use: Use) -> None:
    objective = chronicle(game.scene).objective
    side = game[who].side
    if objective is not None and objective.taken_by != side and side not in objective.lost_by:
        lost = objective._replace(lost_by=(*objective.lost_by, side))
        game.emit(ObjectiveChanged(objective=lost, cause=DEFEAT))
    game.emit(Left(who=who, how="flees", cause=DEFEAT))


def _friends(scene: Scene, who: str) -> Iterator[Use]:
    for one in friends_of(scene, who):
        yield Use("aid_your_ally", one.id, label=f"Aid {scene.called(one.id)}", cost=AS_SIGNIFICANT)


def _may_aid(scene: Scene, who: str, use: Use) -> str | None:
    return _too_low(scene, who, _own_arms(scene, who))


def _too_low(scene: Scene, who: str, arms: Arms) -> str | None:
    """Why somebody does not know enough of what they fight with to aid others by it."""
    try:
        may(scene[who].character, "aid_another", arms.skill, arms.specialization, scene.options)
    except RulesSayNo as error:
        return error.message
    return None


def _own_arms(scene: Scene, who: str) -> Arms:
    """What somebody fights with best, of what they know well enough to aid others if there is any such."""
    every = list(arms_of(scene, who).values())
    known = [arms for arms in every if _too_low(scene, who, arms) is None]
    return max(known or every, key=lambda arms: arms.base)


async def _aid(game: Live, who: str, use: Use) -> None:
    arms = _own_arms(game.scene, who)
    result = await rolled(game, who, arms.skill, specialization=arms.specialization)
    _done(game, who, "aids an ally", result, AID)
    game.emit(HelpGained(who=str(use.target), name=f"aid by {game.scene.called(who)}", dm=helper_dm(result), cause=AID))


STUNTS = (
    Action(
        "gain_ground",
        "Gain ground",
        (GROUND,),
        lambda game, who, use: gain_ground(game, who, use.detail),
        (UP, FIGHTING, IN_CONTROL),
        grounds,
        cost=AS_SIGNIFICANT,
        price=SIGNIFICANT,
        price_rule=TURN,
    ),
    Action(
        "secure_advantage",
        "Secure an advantage",
        (SECURE,),
        lambda game, who, use: secure(game, who, str(use.target)),
        (UP, FIGHTING),
        _for_whom("secure_advantage", "Secure an advantage for"),  # type: ignore[arg-type]
        cost=AS_SIGNIFICANT,
        price=SIGNIFICANT,
        price_rule=TURN,
    ),
    Action(
        "take_defensive_action",
        "Take defensive action",
        (DEFEND,),
        lambda game, who, use: defend(game, who),
        (UP, FIGHTING, IN_CONTROL),
        cost=AS_SIGNIFICANT,
        price=SIGNIFICANT,
        price_rule=TURN,
    ),
    Action(
        "react_under_fire",
        "React under fire",
        (REACT,),
        _react,
        (UP, FIGHTING, BAD_SPOT),
        cost=AS_SIGNIFICANT,
        price=SIGNIFICANT,
        price_rule=TURN,
    ),
    Action(
        "compel",
        "Compel",
        (COMPEL,),
        lambda game, who, use: press(game, who, str(use.target)),
        (UP, FIGHTING, Requirement(COMPEL, untried), Requirement(COMPEL, weak)),
        _foes("compel", "Compel"),  # type: ignore[arg-type]
        cost=AS_SIGNIFICANT,
        price=SIGNIFICANT,
        price_rule=TURN,
    ),
    Action(
        "aid_your_ally",
        "Aid your ally",
        (AID, "marchen.aid.helper_dm"),
        _aid,
        (UP, FIGHTING, Requirement(GATE, _may_aid, once=True)),
        _friends,
        cost=AS_SIGNIFICANT,
        price=SIGNIFICANT,
        price_rule=TURN,
    ),
    Action(
        "face_defeat",
        "Face defeat",
        (DEFEAT,),
        _flee,
        (UP, FIGHTING, Requirement(DEFEAT, _way_out, once=True)),
        cost=AS_SIGNIFICANT,
        price=SIGNIFICANT,
        price_rule=TURN,
    ),
)
SURRENDER = Action("surrender", "Surrender", (COMPEL,), _surrender, (UP, FIGHTING), price=FREE)
