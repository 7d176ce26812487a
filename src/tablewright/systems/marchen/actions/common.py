"""What actions have in common: prices of a turn, and the requirements that hold for many of them.

What is refused, and by which rule, is listed in marchen.gap.refusal.list.
"""

from __future__ import annotations

from collections.abc import Callable

from tablewright.game.actions import Requirement, Use
from tablewright.game.prices import Price
from tablewright.game.remembering import of_scene
from tablewright.game.scene import Participant, Scene
from tablewright.systems.marchen.now import hurt_anywhere
from tablewright.systems.marchen.status import stands

SIGNIFICANT, MINOR, FREE = Price.of(significant=1), Price.of(minor=1), Price()
AS_SIGNIFICANT, AS_MINOR = "significant action", "minor action"
TIDE_DM = 1
TURN, CONTROL = "marchen.time.combat_actions", "marchen.fight.control"


def _in_control(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene[who].status.in_control else "in a bad spot"


def _in_a_bad_spot(scene: Scene, who: str, use: Use) -> str | None:
    return "in control" if scene[who].status.in_control else None


def _fighting(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene.round or scene.order else "there is no fight"


def _up(scene: Scene, who: str, use: Use) -> str | None:
    return None if stands(scene[who]) else "down"


IN_CONTROL = Requirement(CONTROL, _in_control, always=True)
BAD_SPOT = Requirement(CONTROL, _in_a_bad_spot, always=True)
FIGHTING = Requirement("marchen.puncti.enter_the_fray", _fighting, always=True)
UP = Requirement("marchen.gap.face.outcomes", _up, always=True)


@of_scene
def foes_of(scene: Scene, who: str) -> list[Participant]:
    """Foes that stand and that somebody knows of."""
    side = scene[who].side
    return [
        one for one in scene.participants if one.side != side and one.present and not one.hidden and not one.status.down
    ]


@of_scene
def friends_of(scene: Scene, who: str) -> list[Participant]:
    """Others of one's own side who stand."""
    side = scene[who].side
    return [
        one for one in scene.participants if one.side == side and one.id != who and one.present and not one.status.down
    ]


@of_scene
def outnumbered(scene: Scene, who: str) -> bool:
    """Whether somebody's side has fewer on their feet than the others, as far as everybody sees."""
    side = scene[who].side
    standing = [one.side for one in scene.participants if one.present and not one.status.down and not one.hidden]
    return 2 * standing.count(side) < len(standing)


def weakened(scene: Scene, who: str) -> bool:
    """Whether somebody may be made to stand down: hurt, outnumbered or in a bad spot (marchen.puncti.compel)."""
    one = scene[who]
    return not one.status.in_control or hurt_anywhere(scene, one) or outnumbered(scene, who)


Ways = Callable[[Scene, str], list[Use]]
