"""Attacks that need only a touch or a pointing finger: by the rules of every attack, with no blow after them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from tablewright.engine import Param, Process, Seat, process
from tablewright.errors import RulesSayNo
from tablewright.game.scene import Live
from tablewright.systems.renaissance.actions.lucky_aim import lucky_aim
from tablewright.systems.renaissance.aiming import MOST_LUCK, adjacent, clash_rules, near_defences, near_goal
from tablewright.systems.renaissance.clashing import clash
from tablewright.systems.renaissance.events import Contested
from tablewright.systems.renaissance.harm import come_into_view, has_been_attacked
from tablewright.systems.renaissance.meeting import Clash
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import stands
from tablewright.systems.renaissance.values import Regrade

Range = Literal["short", "medium", "long", "extreme"]


async def _near_attack(game: Live, who: str, target: str, *, touch: bool, category: str = "short") -> bool:
    """An attack that needs only contact or a gaze: whether it reaches its target."""
    if not stands(game[who]):
        raise RulesSayNo(f"{game.scene.called(who)} cannot act", rule="renaissance.injury.damage_track")
    goal, spent = await lucky_aim(
        game, who, target, lambda: near_goal(game.scene, who, target, touch=touch, category=category)
    )
    scene = game.scene
    against = near_defences(scene, who, target, touch=touch)
    luck, their_luck = min(now(scene, who).luck, MOST_LUCK) - spent, min(now(scene, target).luck, MOST_LUCK)
    call = clash(goal.total, against, luck, their_luck, Regrade.NONE, False, spent, 0, *clash_rules(scene))
    private = {"luck": Seat.ACTOR, "their_luck": Seat.OPPONENT}
    tallies = {"target": goal.tally()}
    found: Clash = await call.by(game.seat(who), game.seat(target), private=private, tallies=tallies)
    come_into_view(game, who)
    game.emit(
        Contested(
            who=who,
            against=target,
            what="touch" if touch else "point at",
            result="won" if found.hit else "lost",
            luck=found.luck,
            their_luck=found.their_luck,
            cause="renaissance.touch.attack" if touch else "renaissance.indicate.attack",
        )
    )
    has_been_attacked(game, target, by=who)
    return found.hit


@process(rules=["renaissance.touch.attack", "renaissance.touch.rule_option"])
async def touch(game: Live, who: Annotated[str, Param("who touches")], target: Annotated[str, Param("whom")]) -> bool:
    """A touch-only attack for an effect that needs contact; what the effect is, its power says."""
    if not adjacent(game.scene, who, target):
        raise RulesSayNo(f"{game.scene.called(target)} is out of reach", rule="renaissance.touch.attack")
    return await _near_attack(game, who, target, touch=True)


@process(rules=["renaissance.indicate.attack", "renaissance.indicate.rule_option"])
async def indicate(
    game: Live,
    who: Annotated[str, Param("who points or gazes")],
    target: Annotated[str, Param("at whom")],
    category: Annotated[Range, Param("the range by the categories of the power")] = "short",
) -> bool:
    """An indicate-only attack for an effect that needs a pointing finger or a gaze."""
    return await _near_attack(game, who, target, touch=False, category=category)


PROCESSES: tuple[Process[..., Any], ...] = (touch, indicate)
