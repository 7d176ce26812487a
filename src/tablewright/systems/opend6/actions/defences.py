"""Defences that a participant has at this moment, with their costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tablewright.game.play.actions import Action, ActionUse, Refusal, Requirement, needs
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.opend6.actions.aim import FULL, PASSIVE, modifiers
from tablewright.systems.opend6.actions.requirements import DEFENDING, HANDS, LISTED, WHOLE_ROUND
from tablewright.systems.opend6.character.figures import figures
from tablewright.systems.opend6.character.gear import Manner, arm_of, arms, unskilled
from tablewright.systems.opend6.content import Weapon
from tablewright.systems.opend6.events.attack import Defended
from tablewright.systems.opend6.now import prepared_for, rolled, why_not
from tablewright.systems.opend6.status import Defence, Status, fight, is_here
from tablewright.systems.opend6.values import lower_first

PARTIAL, WHOLLY, SKILLS = "opend6.gap.defence.partial", "opend6.gap.defence.full", "opend6.gap.defence.skills"
LEAST = 3  # opend6.gap.attack.least
WANTED = PASSIVE + 2
"""Total that a defence aims for: less is hardly better than none."""
SKILL = {"dodge": "dodge", "block": "fighting", "parry": "melee_combat"}


def _can_roll(skill: str) -> Callable[[Scene, str, ActionUse], Refusal | None]:
    def can(scene: Scene, who: str, use: ActionUse) -> Refusal | None:
        arm = arm_of(scene, who, str(use.detail)) if use.detail else None
        found = why_not(scene, who, skill, None if arm is None else arm.weapon)
        return None if found is None else Refusal(found.reason, found.rule)

    return can


def _with_weapon(scene: Scene, who: str) -> Iterator[ActionUse]:
    """A parry takes something in hand."""
    for arm in arms(scene, who):
        if arm.held and arm.weapon.ranges is None:
            yield ActionUse("parry", detail=arm.weapon.id, label=f"Parry with the {lower_first(arm.weapon.name)}")
            return


def _fully_with_weapon(scene: Scene, who: str) -> Iterator[ActionUse]:
    for use in _with_weapon(scene, who):
        yield ActionUse("full_parry", detail=use.detail, label=f"Full defence: {use.label.lower()}")


def _defence(skill: str, *, full: bool) -> Callable[[Game, str, ActionUse], object]:
    async def defend(game: Game, who: str, use: ActionUse) -> None:
        status: Status = game[who].status
        plus = FULL if full else 0
        arm = arm_of(game.scene, who, str(use.detail)) if use.detail else None
        with_it = None if arm is None else arm.weapon
        wanted = wanted_against(game.scene, who, skill) or WANTED + plus
        ready = prepared_for(game.scene, who)
        plus -= untaught(game.scene, who, skill, with_it)
        found = await rolled(game, who, skill, wanted, outside=ready, plain=plus, pays=False, weapon=with_it)
        if not is_here(game.scene, who):
            return
        defence = Defence(max(LEAST, found.total), skill, full, str(use.detail or ""))
        game.emit(
            Defended(
                who=who,
                defence=defence,
                points=found.points,
                fate=found.fate,
                actions=max(1, status.left) if full else 1,
                cause=WHOLLY if full else PARTIAL,
            )
        )

    return defend


def untaught(scene: Scene, who: str, skill: str, weapon: Weapon | None) -> int:
    """Reduction of a defence total for want of the skill. [opend6.untrained.modifier]"""
    mine = figures(scene[who].character, scene.library)
    special = weapon is not None and weapon.skill == skill and weapon.id in mine.weapons
    return 0 if special else unskilled(scene.options, mine, skill)


def wanted_against(scene: Scene, who: str, skill: str) -> int:
    """The defence that an attack under way needs to miss, whose roll everyone has seen; 0 where there is none."""
    swing = fight(scene).swing
    if swing is None or swing.target != who or scene[swing.who].hidden:
        return 0
    manner = Manner.parse(swing.detail)
    arm = arm_of(scene, swing.who, manner.weapon)
    if arm is None or (arm.weapon.ranges is not None and skill != "dodge"):
        return 0
    parts = modifiers(scene, swing.who, who, arm.weapon, manner)
    if scene.options.rolled_modifiers:
        parts = [part for part in parts if part.kind != "dice"]
    return max(LEAST, swing.total + 1 - swing.more - sum([part.changed for part in parts]))


def _action(name: str, title: str, *, full: bool) -> Action:
    skill = SKILL[name]
    weapon = name == "parry"
    uses = None if not weapon else _fully_with_weapon if full else _with_weapon
    return Action(
        f"full_{name}" if full else name,
        f"Full defence: {title.lower()}" if full else title,
        (WHOLLY if full else PARTIAL, SKILLS, LISTED),
        _defence(skill, full=full),  # type: ignore[arg-type]
        (
            *DEFENDING,
            *((WHOLE_FOR_DEFENCE,) if full else ()),
            NOT_YET,
            *((HANDS,) if weapon else ()),
            Requirement("opend6.map.zero_rule", _can_roll(skill), once=not weapon),
        ),
        uses,
        "all actions" if full else "1 action",
    )


NOT_YET = needs(lambda scene, who: scene[who].status.defence is None, "there is an active defence already", PARTIAL)
WHOLE_FOR_DEFENCE = Requirement(WHOLLY, WHOLE_ROUND.refuse, once=True)
DEFENCES = tuple(
    [
        _action(name, title, full=full)
        for full in (False, True)
        for name, title in (("dodge", "Dodge"), ("parry", "Parry"), ("block", "Block"))
    ]
)
