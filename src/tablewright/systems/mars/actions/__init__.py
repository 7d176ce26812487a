"""What can be done in an encounter (mars.action.list): actions, reactions, maneuvers, talents, room by room."""

from __future__ import annotations

from tablewright.game.actions import Actions
from tablewright.systems.mars.actions.attack import attack_actions
from tablewright.systems.mars.actions.defend import defence_actions
from tablewright.systems.mars.actions.hands import hand_actions
from tablewright.systems.mars.actions.hurling import hurling_actions
from tablewright.systems.mars.actions.maneuvers import maneuver_actions
from tablewright.systems.mars.actions.move import move_actions
from tablewright.systems.mars.actions.ready import waiting_actions
from tablewright.systems.mars.actions.skills import skill_actions
from tablewright.systems.mars.actions.talents import talent_actions

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

__all__ = ["ACTIONS", "IDLE"]
