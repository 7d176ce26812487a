"""Index of every action in an encounter (mars.action.list)."""

from __future__ import annotations

from tablewright.game.play.actions import Actions
from tablewright.systems.mars.actions.attack import attack_actions
from tablewright.systems.mars.actions.defences import defence_actions
from tablewright.systems.mars.actions.hands import hand_actions, hurling_actions
from tablewright.systems.mars.actions.maneuvers import maneuver_actions
from tablewright.systems.mars.actions.move import move_actions
from tablewright.systems.mars.actions.turn import skill_actions, waiting_actions
from tablewright.systems.mars.chapters.talents import talent_actions

IDLE = "end_turn"

ACTIONS = Actions(
    [
        *defence_actions(),
        *attack_actions(),
        *maneuver_actions(),
        *move_actions(),
        *hand_actions(),
        *hurling_actions(),
        *skill_actions(),
        *talent_actions(),
        *waiting_actions(),
    ]
)
