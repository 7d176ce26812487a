"""Reactions of hidden participants, asked for before the walker reaches the place.

A walk is one event for those who do not see the hidden participant, unless it reacts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

from tablewright.game.ground.position import Position
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.mars.status import fight

Perform: TypeAlias = Callable[[Game, str, ActionUse], Awaitable[None]]


class Lookahead(NamedTuple):
    """A place on a way that the walker has not reached yet; ``arrive`` takes the walker there."""

    walker: str
    place: Position
    arrive: Callable[[], object]

    def scene(self, scene: Scene) -> Scene:
        """The scene as if the walker stood at the place."""
        there = scene.with_participant(evolve(scene[self.walker], position=self.place))
        return evolve(there, system_state=evolve(fight(scene), mover=self.walker))

    def before(self, perform: Perform) -> Perform:
        """Perform a reaction after the walker has arrived."""

        async def react(game: Game, who: str, use: ActionUse) -> None:
            self.arrive()
            await perform(game, who, use)

        return react
