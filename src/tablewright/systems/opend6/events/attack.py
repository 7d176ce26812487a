"""Events of attacks: declared, rolled, defended, missed or landed."""

from __future__ import annotations

from typing import Any

from tablewright.game.play.common_events import ParticipantLeft
from tablewright.game.play.effects import Effect, add_effect, for_rounds
from tablewright.game.scene.events import ParticipantEvent, Reducer, unchanged
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import secret, visible
from tablewright.systems.opend6.character.record import FateSpent
from tablewright.systems.opend6.events.turn import ENDED, doing, used_up
from tablewright.systems.opend6.mechanics.harm import RANK, level_of_points
from tablewright.systems.opend6.status import (
    STUNNED,
    Defence,
    Grip,
    Hold,
    Status,
    Swing,
    body_points_of,
    fight,
    most_body_points,
    with_body_points,
)
from tablewright.systems.opend6.values import WoundLevel

blows: Reducer[Scene] = Reducer(doing)


class Swung(ParticipantEvent):
    """Stage of an attack under way.

    An attack begins, with its weapon and ``how``; it is paid for; or its roll is made (``swing``) and the result is not
    declared yet. Without any of these the attack has ended without a result.
    """

    mentions = ("who", "target")
    target: str | None = visible(default=None)
    swing: Swing | None = secret(default=None)
    points: int = visible(default=0)
    fate: int = visible(default=0)
    how: str = visible(default="")


@blows.sets(thrown=lambda _, event: event.metres)
class RangeRolled(ParticipantEvent):
    """Range of a throw that was rolled for."""

    metres: int = visible()


class Struck(ParticipantEvent):
    """A character was attacked: whether it hit, what was lost, what both spent, and the actions it took.

    ``harm`` says that something is lost, ``loss`` how many Body Points; ``weapon`` is what it was done with, ``at``
    what was aimed at, ``shot`` that it went off, ``spends`` that it has to be readied again.
    """

    mentions = ("who", "by")
    by: str = visible()
    hit: bool = visible()
    level: WoundLevel = visible()
    harm: bool = visible(default=False)
    loss: int = visible(default=0)
    damage: int = visible(default=0)
    stunned: int = visible(default=0)
    points: int = visible(default=0)
    fate: int = visible(default=0)
    their_points: int = visible(default=0)
    their_fate: int = visible(default=0)
    actions: int = visible(default=1)
    manoeuvre: str = visible(default="")
    weapon: str = visible(default="")
    at: str = visible(default="")
    shot: bool = visible(default=False)
    spends: bool = visible(default=False)


class Hurt(ParticipantEvent):
    """A character is hurt by something that is no attack, or by a weapon that they met barehanded."""

    by: str = visible()
    level: WoundLevel = visible()
    harm: bool = visible(default=False)
    loss: int = visible(default=0)
    stunned: int = visible(default=0)
    points: int = visible(default=0)
    fate: int = visible(default=0)


class Defended(ParticipantEvent):
    """A character defends actively: the total counts in the place of the passive defence until the next turn."""

    defence: Defence = visible()
    points: int = visible(default=0)
    fate: int = visible(default=0)
    actions: int = visible(default=1)


@blows.sets(grip=lambda _, event: Grip(event.by, event.how, event.part, event.fast))
class Gripped(ParticipantEvent):
    """A participant gripped another one."""

    mentions = ("who", "by")
    by: str = visible()
    how: Hold = visible()
    part: str = visible(default="")
    fast: bool = visible(default=False)


class Released(ParticipantEvent):
    """A character is free again: of a grip, let go ``by`` whoever held them, or of an entanglement (``net``)."""

    mentions = ("who", "by")
    actions: int = visible(default=0)
    net: bool = visible(default=False)
    by: str = visible(default="")


@blows.sets(tangled=lambda _, event: event.strength)
class Tangled(ParticipantEvent):
    """A character is caught in something that has to be broken or slipped out of."""

    strength: int = visible()


@blows.sets(
    unbalanced=lambda _, event: event.dice, posture=lambda status, event: "prone" if event.down else status.posture
)
class Unbalanced(ParticipantEvent):
    """The next Agility roll lacks some dice, or is over (0)."""

    dice: int = visible(default=0)
    down: bool = visible(default=False)


@blows.by(unchanged)
class Dropped(ParticipantEvent):
    """A disarming attempt: the thing was knocked out of the hand, or kept."""

    item: str = visible()


class Complicated(ParticipantEvent):
    """A complication came with a character's roll; the game master may hold it back and use it later."""

    severity: str = visible(default="")
    deferred: bool = secret(default=False)


def manner_in_words(weapon: str, manoeuvre: str, at: str) -> str:
    """Weapon, manner and aim of an attack."""
    return ", ".join([part.replace("_", " ") for part in (weapon, manoeuvre, at) if part])


def spent(scene: Scene, who: str, points: int, fate: int, on: str) -> Scene:
    """The scene after a character has spent points on a roll. [opend6.cp.spent_and_earned]"""
    if not points and not fate:
        return scene
    status: Status = scene[who].status
    noted = tuple([FateSpent(on=on) for _ in range(fate)])
    return scene.with_status(
        who,
        character_points=max(0, status.character_points - points),
        fate_points=max(0, status.fate_points - fate),
        fate_spent=status.fate_spent + noted,
    )


def injured(scene: Scene, who: str, level: WoundLevel, loss: int, stunned: int) -> Scene:
    """The scene after a character was hurt: a level or Body Points are lost, a Stun lasts, aiming is over."""
    status: Status = scene[who].status
    wounds, lasting, lost_levels, lost_points = status.wounds, status.lasting, 0, 0
    enduring = status.enduring
    if scene.options.injury_system == "wounds":
        if level != wounds.level:
            lost_levels = RANK[level] - RANK[wounds.level]
            enduring = level == "incapacitated"
            wounds = wounds.changed(level=level)
        if level == "stunned" and (lost_levels or stunned):
            lasting = add_effect(lasting, Effect(STUNNED, for_rounds(scene, 2)))
    elif loss and not stunned:
        most = most_body_points(scene[who], scene)
        before = level_of_points(body_points_of(status, most), most)
        left = body_points_of(status, most) - loss  # opend6.gap.body_points.loss
        lost_points, wounds = loss, with_body_points(scene, who, wounds, left)
        now = level_of_points(left, most)
        lost_levels = max(0, RANK[now] - RANK[before])
        if scene.options.injury_system == "body_points_with_levels" and lost_levels:
            enduring = now == "incapacitated"
            if now == "stunned":
                lasting = add_effect(lasting, Effect(STUNNED, for_rounds(scene, 2)))
    if stunned:
        wounds = wounds.changed(unconscious=max(wounds.unconscious, stunned))
    hurt = bool(lost_levels or lost_points or stunned)
    return scene.with_status(
        who,
        wounds=wounds,
        lasting=lasting,
        enduring=enduring,
        levels_lost=status.levels_lost + lost_levels,
        points_lost=status.points_lost + lost_points,
        aim=0 if hurt else status.aim,
        aim_at="" if hurt else status.aim_at,
        prepared=0 if hurt else status.prepared,
    )


@blows.on(Swung)
def _swung(scene: Scene, event: Swung) -> Scene:
    scene = spent(scene, event.who, event.points, event.fate, "an attack")
    if event.swing is not None:
        return evolve(scene, system_state=evolve(fight(scene), swings=(*fight(scene).swings, event.swing)))
    return scene if event.points or event.fate or event.how else _decided(scene, event.who)


def _decided(scene: Scene, who: str) -> Scene:
    """The scene in which a character's attack is under way no more."""
    found = fight(scene)
    if all(swing.who != who for swing in found.swings):
        return scene
    return evolve(scene, system_state=evolve(found, swings=tuple([one for one in found.swings if one.who != who])))


@blows.on(Struck)
def _struck(scene: Scene, event: Struck) -> Scene:
    scene = spent(scene, event.by, event.points, event.fate, "an attack")
    scene = spent(scene, event.who, event.their_points, event.their_fate, "damage resistance")
    by: Status = scene[event.by].status
    scene = scene.with_status(
        event.by,
        **(used_up(by, event.actions) | ENDED),
        thrown=0,
        fired=(*by.fired, event.weapon) if event.shot else by.fired,
        unloaded=(*by.unloaded, event.weapon) if event.spends else by.unloaded,
    )
    scene = _decided(scene, event.by)
    if scene[event.who].status.prepared:
        scene = scene.with_status(event.who, prepared=0)
    if not event.hit:
        return scene
    return injured(scene, event.who, event.level, event.loss, event.stunned)


@blows.on(Hurt)
def _hurt(scene: Scene, event: Hurt) -> Scene:
    scene = spent(scene, event.who, event.points, event.fate, "damage resistance")
    return injured(scene, event.who, event.level, event.loss, event.stunned)


@blows.on(Defended)
def _defended(scene: Scene, event: Defended) -> Scene:
    scene = spent(scene, event.who, event.points, event.fate, "a defence")
    return scene.with_status(event.who, defence=event.defence, **used_up(scene[event.who].status, event.actions))


@blows.after(ParticipantLeft)
def _gone(scene: Scene, event: ParticipantLeft) -> Scene:
    """Release everyone gripped by a participant that left."""
    for one in scene.participants:
        if one.status.grip is not None and one.status.grip.by == event.who and not one.status.grip.fast:
            scene = scene.with_status(one.id, grip=None)
    return scene


@blows.on(Released)
def _released(scene: Scene, event: Released) -> Scene:
    freed: dict[str, Any] = {"tangled": 0} if event.net else {"grip": None}
    return scene.with_status(event.who, **freed, **used_up(scene[event.who].status, event.actions))


@blows.on(Complicated)
def _complicated(scene: Scene, event: Complicated) -> Scene:
    if not event.deferred:
        return scene
    found = fight(scene)
    kept = (*found.complications, f"{event.who}: {event.severity or 'of unknown weight'}")
    return evolve(scene, system_state=evolve(found, complications=kept))
