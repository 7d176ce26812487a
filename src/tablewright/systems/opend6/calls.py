"""The calls of the rules of an attack: from numbers that are gathered to the arguments of the mechanics."""

from __future__ import annotations

from tablewright.engine import Call, Seat
from tablewright.game.scene import Scene
from tablewright.systems.opend6.aiming import Attack, Protection, terms
from tablewright.systems.opend6.attack import Struck as Result
from tablewright.systems.opend6.attack import attack
from tablewright.systems.opend6.attack_parts import Aimed, Dealt, Kept, aim, deal, injure, resist
from tablewright.systems.opend6.points import fate_of
from tablewright.systems.opend6.status import Status, level
from tablewright.systems.opend6.values import DieCode, most_character_points

OWN_POINTS = {"points": Seat.ACTOR, "fate": Seat.ACTOR}
OWN_FATE = {"fate": Seat.ACTOR}
OWN_LEFT = {"left": Seat.ACTOR}


def attack_call(scene: Scene, plan: Attack, points: int = 0, fate: int = 0) -> Call[Result]:
    """The whole attack as one rule."""
    return Call(
        attack,
        (
            plan.own,
            plan.difficulty.tally.total,
            plan.damage,
            plan.added,
            plan.physique,
            plan.armour,
            plan.penalty.total,
            DieCode(plan.bonus.total),
            plan.plain,
            plan.own_bonus,
            plan.damage_plain,
            plan.strength_bonus,
            plan.resistance_bonus,
            plan.resistance_plain,
            plan.difficulty.harder,
            plan.difficulty.easier,
            level(scene, plan.target),
            plan.levels,
            plan.fifth,
            plan.halved,
            plan.weapon.stun,
            plan.harmless,
            points,
            fate,
            0,
            0,
            scene[plan.who].status.climactic,
            scene[plan.target].status.climactic,
            *terms(scene),
        ),
    )


def aim_call(scene: Scene, plan: Attack, assumed: int) -> Call[Aimed]:
    """The attack roll alone."""
    status: Status = scene[plan.who].status
    return Call(
        aim,
        (
            plan.own,
            plan.penalty.total,
            DieCode(plan.bonus.total),
            plan.plain,
            plan.own_bonus,
            assumed,
            status.points,
            fate_of(scene, plan.who),
            status.climactic,
            *terms(scene),
        ),
    )


def deal_call(scene: Scene, plan: Attack, extra: int) -> Call[Dealt]:
    """The damage roll alone."""
    status: Status = scene[plan.who].status
    return Call(
        deal,
        (
            plan.damage,
            plan.added,
            plan.damage_plain + extra,
            plan.strength_bonus,
            fate_of(scene, plan.who),
            status.climactic,
            *terms(scene),
        ),
    )


def resist_call(scene: Scene, who: str, damage: int, against: Protection, *, stun: bool = False) -> Call[Kept]:
    """The resistance roll of whoever is hurt, by an attack or by anything else."""
    one = scene[who]
    status: Status = one.status
    return Call(
        resist,
        (
            damage,
            *against,
            level(scene, who),
            one.character.wound_levels,
            stun,
            fate_of(scene, who),
            status.climactic,
            *terms(scene),
        ),
    )


def injure_call(scene: Scene, who: str, damage: DieCode, against: Protection, plain: int = 0) -> Call[Kept]:
    """Damage that is rolled, and the resistance of whoever it hurts, as one rule."""
    one = scene[who]
    return Call(
        injure,
        (
            damage,
            *against,
            level(scene, who),
            one.character.wound_levels,
            one.status.climactic,
            plain,
            *terms(scene),
        ),
    )


def left_after(scene: Scene, who: str, fate: int, points: int = 0) -> int:
    """How many Character Points may go on a roll that is made, on which so much was spent before."""
    status: Status = scene[who].status
    if not terms(scene).may_add_points(fate, status.climactic):
        return 0
    owned = status.points
    return most_character_points(owned, scene.options.challenge_level) - points
