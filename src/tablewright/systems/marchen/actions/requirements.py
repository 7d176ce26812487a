"""Requirements and costs that several actions share.

What is refused, and by which rule, is listed in marchen.gap.refusal.list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tablewright.game.play.action_kinds import ActionKind
from tablewright.game.play.actions import ActionUse, needs
from tablewright.game.play.costs import Cost
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.marchen.now import hurt_anywhere
from tablewright.systems.marchen.status import stands

SIGNIFICANT, MINOR, FREE = Cost.of(significant=1), Cost.of(minor=1), Cost()
AS_SIGNIFICANT, AS_MINOR = "significant action", "minor action"
TIDE_DM = 1
TURN, CONTROL = "marchen.time.combat_actions", "marchen.fight.control"

IN_CONTROL = needs(lambda scene, who: scene[who].status.in_control, "in a bad spot", CONTROL, always=True)
BAD_SPOT = needs(lambda scene, who: not scene[who].status.in_control, "in control", CONTROL, always=True)
FIGHTING = needs(
    lambda scene, _: scene.round or scene.order, "there is no fight", "marchen.puncti.enter_the_fray", always=True
)
UP = needs(lambda scene, who: stands(scene[who]), "down", "marchen.gap.face.outcomes", always=True)
minor = ActionKind((UP,), cost_text=AS_MINOR, cost=MINOR, price_rule=TURN)
significant = ActionKind((UP, FIGHTING), cost_text=AS_SIGNIFICANT, cost=SIGNIFICANT, price_rule=TURN)


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
    """True if a side has fewer participants on their feet than the others, as everyone sees it."""
    side = scene[who].side
    standing = [one.side for one in scene.participants if one.present and not one.status.down and not one.hidden]
    return 2 * standing.count(side) < len(standing)


def weakened(scene: Scene, who: str) -> bool:
    """True if a foe may be made to stand down: hurt, outnumbered or in a bad spot (marchen.puncti.compel)."""
    return not scene[who].status.in_control or hurt_anywhere(scene, who) or outnumbered(scene, who)


Ways = Callable[[Scene, str], Iterable[ActionUse]]
