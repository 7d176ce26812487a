"""Requirements and costs that several actions share."""

from __future__ import annotations

from typing import Any

from tablewright.game.play.action_kinds import ActionKind
from tablewright.game.play.actions import ActionUse, Requirement
from tablewright.game.scene.scene import Scene
from tablewright.systems.mars.mechanics.attack import SECONDS
from tablewright.systems.mars.status import Status, fight

SWIFT = SECONDS["swift"]
EXTENDED = "mars.action.extended"


def time_needed(status: Status, speed: str) -> tuple[int, bool]:
    """The seconds that an action of a speed takes now, and whether it uses up the free action of the turn.

    The first free action takes no time, any further one counts as swift; a readied action takes none either.
    """
    turn = status.turn
    if turn.reacting:
        return 0, False
    if speed == "free":
        return (0, True) if turn.free else (SWIFT, False)
    return SECONDS[speed], False


def time_spent(status: Status, speed: str) -> dict[str, Any]:
    """The cost in time as fields of an event."""
    seconds, free = time_needed(status, speed)
    return {"seconds": seconds, "free": free}


def why_no_time(scene: Scene, who: str, speed: str) -> str | None:
    """Reason why there is no time for an action of a speed; None if there is."""
    status: Status = scene[who].status
    if status.turn.reacting:
        return "a full round cannot be readied" if speed == "full-round" else None
    needed, _ = time_needed(status, speed)
    left = status.turn.seconds
    if needed <= left:
        return None
    return f"takes {needed} s, {left} s are left" if left else f"takes {needed} s, no time is left"


def time(speed: str) -> Requirement:
    """There is time for an action of a speed."""
    rule = "mars.action.free" if speed == "free" else "mars.action.speeds"
    return Requirement(rule, lambda scene, who, use: why_no_time(scene, who, speed), always=True)


def _awake(scene: Scene, who: str, use: ActionUse) -> str | None:
    status: Status = scene[who].status
    if status.conscious:
        return None
    return "dead" if status.dead else "unconscious"


def _why_busy(scene: Scene, who: str) -> str | None:
    status: Status = scene[who].status
    if status.work is None or status.turn.reacting:
        return None
    return f"busy with {status.work.detail.replace('_', ' ')}"


def why_too_busy(scene: Scene, who: str, speed: str) -> str | None:
    """Reason why an extended action leaves no time for an action of a speed; free actions go on beside it."""
    needed, _ = time_needed(scene[who].status, speed)
    return _why_busy(scene, who) if needed else None


def why_no_stamina(scene: Scene, who: str, amount: int) -> str | None:
    """Reason why the stamina does not suffice; None if it does."""
    left = scene[who].status.stamina
    return None if left >= amount else f"costs {amount} stamina, {left} left"


def stamina(amount: int, rule: str) -> Requirement:
    """There is enough stamina."""
    return Requirement(rule, lambda scene, who, use: why_no_stamina(scene, who, amount), always=True)


def why_no_reaction(scene: Scene, who: str, *, free: bool) -> str | None:
    """Reason against a reaction now; ``free`` reactions are not limited to one."""
    status: Status = scene[who].status
    if status.has("stunned"):
        return "stunned"
    if status.surprised and not scene.options.surprised_reactions:
        return "surprised"
    if not free and not status.turn.reaction:
        return "the reaction of this round is used up"
    return None


def reaction(*, free: bool) -> Requirement:
    """Requirement that a reaction is possible now."""
    rule = "mars.action.free_reaction" if free else "mars.action.reaction"
    return Requirement(rule, lambda scene, who, use: why_no_reaction(scene, who, free=free), always=True)


def _own_turn(scene: Scene, who: str, use: ActionUse) -> str | None:
    if scene.turn != who or scene.options.own_turn_defence:
        return None
    return "it is your own turn"


def _under_attack(scene: Scene, who: str, use: ActionUse) -> str | None:
    blow = fight(scene).blow
    return None if blow is not None and blow.target == who else "nobody attacks you"


def _one_check(scene: Scene, who: str, use: ActionUse) -> str | None:
    """In a complex challenge there is one check a turn."""
    if scene.options.encounter_mode != "complex_challenge" or scene[who].status.turn.reacting:
        return None
    turn = scene[who].status.turn
    return "one check a turn in a complex challenge" if turn.checks + turn.attacks else None


AWAKE = Requirement("mars.effect.unconscious", _awake, always=True)
NOT_BUSY = Requirement(EXTENDED, lambda scene, who, use: _why_busy(scene, who), always=True)
NOT_TOO_BUSY = Requirement(EXTENDED, lambda scene, who, use: why_too_busy(scene, who, "free"), always=True)
OWN_TURN = Requirement("mars.action.reaction", _own_turn, always=True)
UNDER_ATTACK = Requirement("mars.attack.procedure", _under_attack, always=True)
ONE_CHECK = Requirement("mars.encounter.complex_challenge", _one_check, always=True)
STANDARD, SWIFTLY, FREE = time("standard"), time("swift"), time("free")
REACTION, FREE_REACTION = reaction(free=False), reaction(free=True)

awake, unhurried = ActionKind((AWAKE,)), ActionKind((AWAKE, NOT_BUSY))
standard = ActionKind((AWAKE, NOT_BUSY), (STANDARD,), cost_text="4 s")
swift = ActionKind((AWAKE, NOT_BUSY), (SWIFTLY,), cost_text="2 s")
free = ActionKind((AWAKE, NOT_TOO_BUSY), (FREE,), cost_text="free")
for_nothing, reacting = ActionKind(cost_text="nothing"), ActionKind((AWAKE,), reaction=True)
"""Kinds of actions: by the time they take (mars.action.speeds), and reactions."""


def cost_words(seconds: int, points: int = 0, *, free: bool = False, reaction: bool = False) -> str:
    """A cost for people to read.

    >>> cost_words(2, 1)
    '2 s, 1 stamina'
    """
    words = ["free"] if free else ["reaction"] if reaction else [f"{seconds} s"] if seconds else []
    words += [f"{points} stamina"] if points else []
    return ", ".join(words) or "nothing"
