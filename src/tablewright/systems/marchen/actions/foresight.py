"""Outcomes of an attack without playing it, for policies that look ahead.

An attack has hundreds of ends, most of which make the same scene: how well it went is told, but only what it did stays.
Each such scene is made once, by the very events of the attack; a test holds it to what playing gives.
"""

from __future__ import annotations

from tablewright.engine import odds
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import Revealed
from tablewright.game.play.costs import CostPaid
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.system.rulebook import Rulebook
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
from tablewright.systems.marchen.actions.maneuvers import move_of
from tablewright.systems.marchen.mechanics.attack import Reaction, reactions
from tablewright.systems.marchen.mechanics.harm import FAILED_BADLY
from tablewright.systems.marchen.now import arms_of
from tablewright.systems.marchen.status import UnderWay


def foreseen(book: Rulebook, scene: Scene, who: str, use: ActionUse) -> list[tuple[Scene, int]] | None:
    """Every scene that an attack can lead to, with its weight; None for whatever is no attack."""
    if use.action not in CAUSES or move_of(use):
        return None
    action = book.actions.by_id[use.action]
    game = Game(scene, book)
    game.emit(CostPaid(who=who, use=use.id, price=action.price_of(scene, who, use), cause=action.price_rule))
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
    """The reaction to expect from a target: the best one by what can be known."""
    arms = arms_of(scene, blow.by)[blow.arms]
    ways = tuple(reactions(*reactions_to(scene, blow, arms)))
    if fights_back(scene, blow) or len(ways) == 1:
        return "none"
    return max(ways, key=worth_of_reactions(scene, blow, arms))


def plainly(came: Came) -> Came:
    """A result without the parts that leave no trace in the scene."""
    return came if came.degree in FAILED_BADLY else came._replace(degree="")


def _after(scene: Scene, book: Rulebook, blow: UnderWay, came: Came) -> Scene:
    game = Game(scene, book)
    happens(game, blow, came)
    return game.scene
