"""What all actions share: what must be so before anything is done, and who may come between."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.game.actions import Refused, Requirement, Use
from tablewright.game.lasting import holds
from tablewright.game.remembering import of_scene
from tablewright.game.scene import Participant, Scene
from tablewright.game.standing import distance
from tablewright.game.standing import targets as known_targets
from tablewright.systems.opend6.aiming import band_at
from tablewright.systems.opend6.status import SHAKEN, STUNNED, Status, is_out, stands
from tablewright.systems.opend6.wielding import arms_by_id

CARRY = "opend6.turn.no_extra_no_carry"
TACKLE, GRAB, PIN = "opend6.action.tackle", "opend6.action.grab", "opend6.action.pin"
DISABLED = "opend6.initiative.disabled_loses_action"
LISTED, FREE = "opend6.action.list", "opend6.free.definition"
WHOLE, HOLDING = "opend6.gap.attack.aiming", "opend6.gap.manoeuvre.holding"


def _able(scene: Scene, who: str, use: Use) -> str | None:
    return "unable to act" if is_out(scene[who]) else None


def _left(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene[who].status.left > 0 else "every declared action is used up"


def _unhindered(scene: Scene, who: str, use: Use) -> Refused | None:
    status: Status = scene[who].status
    grip = status.grip
    if grip is not None and grip.how == "tackled":
        return Refused(f"{scene.called(grip.by)} has them on the ground: only speaking and escaping are left", TACKLE)
    if status.tangled:
        return Refused("entangled: it must be broken or slipped out of first", "opend6.gap.manoeuvre.entangle")
    return None


def _hands_free(scene: Scene, who: str, use: Use) -> Refused | None:
    return held_by(scene, who, "arm")


def _legs_free(scene: Scene, who: str, use: Use) -> Refused | None:
    return held_by(scene, who, "leg")


def held_by(scene: Scene, who: str, part: str) -> Refused | None:
    """Why a part of the body cannot be used, if somebody has hold of it."""
    grip = scene[who].status.grip
    if grip is None or grip.part != part:
        return None
    return Refused(f"the {part} cannot be used", PIN if grip.how == "pinned" else GRAB)


def _feet_free(scene: Scene, who: str, use: Use) -> Refused | None:
    """Whoever is held stays where they are, by whatever part. [opend6.gap.manoeuvre.holding]"""
    grip = scene[who].status.grip
    if grip is not None:
        return Refused(f"{scene.called(grip.by)} has hold of them", PIN if grip.how == "pinned" else HOLDING)
    return None


def _composed(scene: Scene, who: str, use: Use) -> Refused | None:
    status: Status = scene[who].status
    if not status.lasting:
        return None
    if holds(status.lasting, SHAKEN) is not None:
        return Refused("shaken: only defence and flight are left", "opend6.gap.damage.massive")
    if scene.options.stunned_effect == "defend_only" and holds(status.lasting, STUNNED) is not None:
        return Refused("stunned: only defence and retreat are left", "opend6.gap.wound.stunned")
    return None


def _whole_round(scene: Scene, who: str, use: Use) -> str | None:
    status: Status = scene[who].status
    if status.taken:
        return "it takes the whole round, and something was done already"
    return "it takes the whole round: only one action may be declared" if status.declared > 1 else None


ABLE = Requirement(DISABLED, _able, always=True)
LEFT = Requirement(CARRY, _left, always=True)
UNHINDERED = Requirement(TACKLE, _unhindered, always=True)
HANDS = Requirement(GRAB, _hands_free, always=True)
LEGS = Requirement(GRAB, _legs_free, always=True)
FEET = Requirement(HOLDING, _feet_free, always=True)
COMPOSED = Requirement("opend6.gap.wound.stunned", _composed, always=True)
WHOLE_ROUND = Requirement(WHOLE, _whole_round, always=True)
ACTING = (ABLE, LEFT, UNHINDERED, COMPOSED)
DEFENDING = (ABLE, LEFT, UNHINDERED)


def targets(scene: Scene, who: str) -> list[Participant]:
    """Whom somebody could attack: foes who are here, known to be, and neither dead nor down for good."""
    return known_targets(scene, who, stands)


def fallen(scene: Scene, who: str) -> list[Participant]:
    """Foes who are down and not dead: nothing keeps anybody from striking them."""
    return known_targets(scene, who, _is_down)


def _is_down(one: Participant) -> bool:
    return is_out(one) and one.status.wounds.level != "dead"


@of_scene
def apart(scene: Scene, who: str) -> list[tuple[Participant, int]]:
    """Whom somebody could attack, and how many metres away each of them is."""
    return [(foe, distance(scene, who, foe.id)) for foe in targets(scene, who)]


@of_scene
def within_reach(scene: Scene, who: str, weapon: str, extra_cm: int) -> list[Participant]:
    """The targets that a weapon in somebody's hands reaches, used in a way that goes so much further."""
    arm = arms_by_id(scene, who)[weapon]
    away = apart(scene, who)
    return [foe for foe, metres in away if band_at(scene, who, metres, arm.weapon, extra_cm) is not None]


@of_scene
def fallen_within_reach(scene: Scene, who: str, weapon: str) -> list[Participant]:
    """The same of those who have fallen."""
    arm = arms_by_id(scene, who)[weapon]
    away = [(foe, distance(scene, who, foe.id)) for foe in fallen(scene, who)]
    return [foe for foe, metres in away if band_at(scene, who, metres, arm.weapon) is not None]


def foes_here(scene: Scene, who: str) -> Iterator[Participant]:
    """Foes of somebody who could do something about it."""
    side = scene[who].side
    return (one for one in scene.participants if one.side != side and not one.hidden and stands(one))
