"""Requirements and costs that several actions share.

What is refused, and by which rule, is listed in marchen.gap.refusal.list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from tablewright.game.play.actions import Action, ActionUse, Requirement
from tablewright.game.play.costs import Cost
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.marchen.now import hurt_anywhere
from tablewright.systems.marchen.status import stands

SIGNIFICANT, MINOR, FREE = Cost.of(significant=1), Cost.of(minor=1), Cost()
AS_SIGNIFICANT, AS_MINOR = "significant action", "minor action"
TIDE_DM = 1
TURN, CONTROL = "marchen.time.combat_actions", "marchen.fight.control"
minor = partial(Action, cost_text=AS_MINOR, cost=MINOR, price_rule=TURN)
significant = partial(Action, cost_text=AS_SIGNIFICANT, cost=SIGNIFICANT, price_rule=TURN)


def _in_control(scene: Scene, who: str, use: ActionUse) -> str | None:
    return None if scene[who].status.in_control else "in a bad spot"


def _in_a_bad_spot(scene: Scene, who: str, use: ActionUse) -> str | None:
    return "in control" if scene[who].status.in_control else None


def _fighting(scene: Scene, who: str, use: ActionUse) -> str | None:
    return None if scene.round or scene.order else "there is no fight"


def _up(scene: Scene, who: str, use: ActionUse) -> str | None:
    return None if stands(scene[who]) else "down"


IN_CONTROL = Requirement(CONTROL, _in_control, always=True)
BAD_SPOT = Requirement(CONTROL, _in_a_bad_spot, always=True)
FIGHTING = Requirement("marchen.puncti.enter_the_fray", _fighting, always=True)
UP = Requirement("marchen.gap.face.outcomes", _up, always=True)


@cached_on_scene
def foes_of(scene: Scene, who: str) -> list[Participant]:
    """Foes on their feet that a participant knows of."""
    side = scene[who].side
    return [
        one for one in scene.participants if one.side != side and one.present and not one.hidden and not one.status.down
    ]


@cached_on_scene
def foes_by_name(scene: Scene, who: str) -> tuple[tuple[str, str], ...]:
    """Ids and names of the foes that a participant knows of."""
    return tuple([(one.id, scene.display_name(one.id)) for one in foes_of(scene, who)])


@cached_on_scene
def friends_of(scene: Scene, who: str) -> list[Participant]:
    """Others of the same side who are on their feet."""
    side = scene[who].side
    return [
        one for one in scene.participants if one.side == side and one.id != who and one.present and not one.status.down
    ]


@cached_on_scene
def outnumbered(scene: Scene, who: str) -> bool:
    """Return whether a side has fewer participants on their feet than the others, as everyone sees it."""
    side = scene[who].side
    standing = [one.side for one in scene.participants if one.present and not one.status.down and not one.hidden]
    return 2 * standing.count(side) < len(standing)


def weakened(scene: Scene, who: str) -> bool:
    """Return whether a foe may be made to stand down: hurt, outnumbered or in a bad spot (marchen.puncti.compel)."""
    one = scene[who]
    return not one.status.in_control or hurt_anywhere(scene, who) or outnumbered(scene, who)


Ways = Callable[[Scene, str], Iterable[ActionUse]]
