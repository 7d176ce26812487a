"""What attacks lead to, without playing them: for bots that weigh every option exactly.

An attack has hundreds of ends, most of which make the same scene: how well it went is told, but only what it did stays.
Each such scene is made once, by the very events of the attack; a test holds it to what playing gives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.engine import odds
from tablewright.game.actions import Use
from tablewright.game.common import Revealed
from tablewright.game.prices import Paid
from tablewright.game.scene import Live, Scene
from tablewright.systems.marchen.actions.attack import (
    CAUSES,
    Came,
    came_of,
    fights_back,
    happens,
    outs_by,
    reactions_to,
    ready,
    worth_of_reactions,
)
from tablewright.systems.marchen.actions.tide import move_of
from tablewright.systems.marchen.blows import Reaction, reactions
from tablewright.systems.marchen.now import arms_of
from tablewright.systems.marchen.status import UnderWay
from tablewright.systems.marchen.suffering import FAILED_BADLY

if TYPE_CHECKING:
    from tablewright.game.rulebook import Rulebook


def foreseen(book: Rulebook, scene: Scene, who: str, use: Use) -> list[tuple[Scene, int]] | None:
    """Every scene that an attack can lead to, with its weight; None for whatever is no attack."""
    if use.action not in CAUSES or move_of(use):
        return None
    action = book.actions.by_id[use.action]
    game = Live(scene, book)
    game.emit(Paid(who=who, use=use.id, price=action.price_of(scene, who, use), cause=action.price_rule))
    aspect = arms_of(scene, who)[str(use.detail)].aspect
    fate = outs_by(aspect)[0] if use.action == "end_the_fight" else ""
    blow = UnderWay(who, str(use.target), str(use.detail), use.action, fate, game[who].hidden)
    if blow.unseen:
        game.emit(Revealed(who=who, cause=CAUSES[use.action]))
    scene = game.scene
    call, _ = ready(scene, blow, likely(scene, blow))
    found: dict[Came, int] = {}
    for result, weight in odds(call).items():
        came = plainly(came_of(blow, aspect, result))
        found[came] = found.get(came, 0) + weight
    return [(_after(scene, book, blow, came), weight) for came, weight in found.items()]


def likely(scene: Scene, blow: UnderWay) -> Reaction:
    """What the one who is attacked does about it, as far as can be known: what is best for them."""
    arms = arms_of(scene, blow.by)[blow.arms]
    ways = tuple(reactions(*reactions_to(scene, blow, arms)))
    if fights_back(scene, blow) or len(ways) == 1:
        return "none"
    return max(ways, key=worth_of_reactions(scene, blow, arms))


def plainly(came: Came) -> Came:
    """The same without what leaves no trace in a scene: how good or bad it was beyond what it did."""
    return came if came.degree in FAILED_BADLY else came._replace(degree="")


def _after(scene: Scene, book: Rulebook, blow: UnderWay, came: Came) -> Scene:
    game = Live(scene, book)
    happens(game, blow, came)
    return game.scene
