"""Actions over several turns: begun with too few AP, and finished for what is left of their price."""

from __future__ import annotations

from dataclasses import replace

from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.prices import Price
from tablewright.game.scene import Scene
from tablewright.systems.stage.harm import PURSES, ap_of

RULE = "stage.action.multi_turn"


def _has_begun(scene: Scene, who: str, use: Use) -> int:
    """How many AP have gone into the very same thing before."""
    begun = scene[who].status.progress
    return 0 if begun is None or begun.use != use.id else int(begun.ap)


def continued(action: Action) -> Action:
    """An action that can be finished for the AP that are missing, once it was begun."""
    whole = action.price

    def price(scene: Scene, who: str, use: Use) -> Price:
        found, paid = action.price_of(scene, who, use), _has_begun(scene, who, use)
        return found.instead(ap=max(0, found["ap"] - paid)) if paid else found

    def words(scene: Scene, who: str, use: Use) -> str:
        if not action.cost or _has_begun(scene, who, use):
            return PURSES.words_for(scene, who, price(scene, who, use))
        return action.cost if isinstance(action.cost, str) else action.cost(scene, who, use)

    if not isinstance(whole, Price):
        return replace(action, price=price, cost=words)

    def short(scene: Scene, who: str, use: Use) -> str | None:
        begun, left = scene[who].status.progress, ap_of(scene, who)
        goes_on = begun is not None and begun.use.partition(":")[0] == action.id
        return None if goes_on or left >= whole["ap"] else f"costs {whole['ap']} AP, {left} left"

    enough = Requirement(action.price_rule, short, once=True)
    return replace(action, price=price, cost=words, requires=(*action.requires, enough))
