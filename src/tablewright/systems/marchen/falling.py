"""What becomes of somebody who suffers: damage, conditions, facing the end; and who falls when.

Whoever falls to somebody of the same rank, whose turn comes at the same moment as their own, acts first and falls then.
"""

from __future__ import annotations

from typing import Any

from tablewright.game.frozen import Ranks
from tablewright.game.scene import Participant, Scene
from tablewright.systems.marchen.character import figures, score
from tablewright.systems.marchen.character.record import Condition
from tablewright.systems.marchen.content import ConditionKind
from tablewright.systems.marchen.status import FATES, Status
from tablewright.systems.marchen.suffering import OUTCOMES, Outcome, Suffered
from tablewright.systems.marchen.values import ASPECTS, Aspect

FELLED = "felled"
NOT_ENTERED = -10_000


def rank(scene: Scene, one: Participant) -> tuple[int, int]:
    """Who acts when: the higher effect first, then the higher agility (marchen.puncti.enter_the_fray)."""
    status: Status = one.status
    effect = status.effect if status.effect is not None else NOT_ENTERED
    return -effect, -score(one.character, "agility", scene.options).total


def at_the_same_moment(scene: Scene, who: str) -> bool:
    """Whether somebody still acts in this round, and at the same moment as the one whose turn it is."""
    turn = scene.turn
    if turn is None or turn == who or turn not in scene or who in scene.acted or who not in scene.order:
        return False
    status: Status = scene[who].status
    if status.down or status.loses_round == scene.round:
        return False
    return rank(scene, scene[who]) == rank(scene, scene[turn])


def condition_of(scene: Scene, who: str, aspect: Aspect) -> Condition:
    """The condition that somebody gets: the first of the aspect's kinds that they do not have yet, or another."""
    held = [one.name for one in scene[who].status.conditions]
    kinds = [one for one in scene.library.of(ConditionKind) if one.aspect == aspect]
    kind = next((one for one in kinds if one.name not in held), kinds[0] if kinds else None)
    return Condition(name=kind.name if kind else f"{aspect} trouble", aspect=aspect)


def hurt_by(scene: Scene, who: str, aspect: Aspect, suffered: Suffered) -> Scene:
    """The scene after somebody has suffered something."""
    one = scene[who]
    status: Status = one.status
    if suffered.damage == 0 and not suffered.condition and not suffered.soaked and not suffered.face:
        return scene
    limit = figures(one.character, scene.options).thresholds[aspect]
    now = suffered.after(getattr(status, aspect), limit)
    changed: dict[str, Any] = {aspect: now, "soaked": status.soaked + suffered.soaked, "aim": 0}
    outcome = suffered.outcome
    weight = status.weight
    if now <= limit and aspect in weight:
        weight = without(weight, aspect)
    conditions = status.conditions
    if suffered.condition:
        conditions = (*conditions, condition_of(scene, who, aspect))
    if outcome is not None:
        changed["interrupted"] = True
        if outcome.weight and now > limit:  # it weighs until the damage is down, and else not at all
            weight = weight.put(aspect, max(outcome.weight, weight.get(aspect, 0)))
        if outcome.condition:
            scene = scene.change(who, conditions=conditions)
            conditions = (*conditions, condition_of(scene, who, aspect))
        if outcome.down and at_the_same_moment(scene, who):
            changed["falling"] = (*status.falling, f"{aspect} {suffered.face}")
        else:
            changed |= _down(status, aspect, outcome)
    return scene.change(who, conditions=conditions, weight=weight, **changed)


def _down(status: Status, aspect: Aspect, outcome: Outcome) -> dict[str, Any]:
    """What changes for somebody who falls, if they do."""
    changed: dict[str, Any] = {}
    if outcome.down:
        awake = outcome.conscious and (status.conscious or not status.down)  # a second fall wakes nobody
        changed |= {"down": True, "conscious": awake, "in_control": False}
    if outcome.dying and aspect == "physical" and not status.fate:
        changed["dying"] = status.dying if status.dying == "puncti" else outcome.dying
    if outcome.end:
        changed |= {"fate": status.fate or FATES[aspect], "dying": ""}
    return changed


def felled(scene: Scene, who: str) -> Scene:
    """The scene after somebody was put out of the fight, whatever harm was done."""
    if at_the_same_moment(scene, who):
        return scene.change(who, falling=(*scene[who].status.falling, FELLED))
    return scene.change(who, down=True, in_control=False)


def falls(scene: Scene, who: str) -> Scene:
    """The scene after somebody has acted who was to fall then."""
    if not scene[who].status.falling:
        return scene
    for fall in scene[who].status.falling:
        word, _, degree = fall.partition(" ")
        for aspect in ASPECTS:
            if aspect == word:
                scene = scene.change(who, **_down(scene[who].status, aspect, OUTCOMES[degree]))
        scene = scene.change(who, down=True, in_control=False)
    return scene.change(who, falling=())


def risen(scene: Scene, who: str) -> Scene:
    """Whoever is down gets up once no damage is beyond its threshold, nobody is dying and nothing has ended."""
    one = scene[who]
    status: Status = one.status
    if not status.down or status.fate or status.dying:
        return scene
    limits = figures(one.character, scene.options).thresholds
    if any(amount > limits[aspect] for aspect, amount in status.damage.items()):  # type: ignore[index]
        return scene
    return scene.change(who, down=False, conscious=True)


def without(ranks: Ranks, name: str) -> Ranks:
    """Ranks without one of them."""
    return Ranks({key: value for key, value in ranks.items() if key != name})
