"""What can happen in The Stage: one kind of event for each kind of fact, and how it changes the scene."""

from __future__ import annotations

from tablewright.game.events import Apply
from tablewright.game.scene import Scene
from tablewright.systems.stage.events import afterwards

apply: Apply[Scene] = Apply(afterwards.happens)
