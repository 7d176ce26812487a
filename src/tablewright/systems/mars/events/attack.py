"""Events of attacks: declared, rolled, defended, missed or landed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tablewright.game.character.belongings import Belongings
from tablewright.game.play.loose_items import drop_items
from tablewright.game.scene.events import ParticipantEvent
from tablewright.game.scene.evolve import evolve, evolver
from tablewright.game.scene.scene import LooseItem, Scene, with_position, with_status
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.systems.mars import status
from tablewright.systems.mars.character.gear import item
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.content import Weapon
from tablewright.systems.mars.events.turn import Costly, apply, paid
from tablewright.systems.mars.mechanics.attack import Defence
from tablewright.systems.mars.status import Backswing, Fight, Incoming, Status, Turn, fight
from tablewright.systems.mars.values import Degree, Manner


class AttackDeclared(Costly):
    """Declaration of an attack: weapon, manner and the numbers settled so far."""

    mentions = ("who", "target")
    target: str = visible()
    weapon: str = visible()
    manner: Manner = visible(default="melee")
    maneuver: str = visible(default="")
    counted: bool = visible(default=True)
    blow: Incoming = visible()
    belongings: Belongings | None = visible(OWNER, default=None)
    lying: tuple[LooseItem, ...] = visible(default=())


@apply.on(AttackDeclared)
def _attack_declared(scene: Scene, event: AttackDeclared) -> Scene:
    status: Status = scene[event.who].status
    turn = status.turn
    if event.counted:
        last = event.weapon if event.manner != "thrown" else ""  # what comes next is another one
        turn = _with_attack(turn, turn.attacks + 1, (*turn.attacked, event.target), last)
    if event.maneuver:
        turn = evolve(turn, maneuvers=(*turn.maneuvers, event.maneuver))
    changes: dict[str, Any] = {"turn": turn}
    if event.belongings is not None:
        changes["belongings"] = event.belongings
    used = _after_the_first_roll(status.effects)
    used = _after_the_opening(used, event.target) if event.manner == "melee" else used
    if used is not status.effects:
        changes["effects"] = used
    known = fight(scene)
    under_way = _with_incoming(known, (*known.incoming, event.blow))
    return drop_items(paid(scene, event, under_way, **changes), *event.lying)


_with_attack = evolver(Turn, "attacks", "attacked", "weapon")
_with_incoming = evolver(Fight, "incoming")
_with_fight = evolver(Scene, "system_state")
_with_harm = evolver(Status, "endurance", "health", "belongings", "effects")


def _after_the_first_roll(effects: tuple[MarsEffect, ...]) -> tuple[MarsEffect, ...]:
    """A battle cry helps the first roll only."""
    return status.end(effects, "rally") if effects and any(one.kind == "rally" for one in effects) else effects


def _after_the_opening(effects: tuple[MarsEffect, ...], target: str) -> tuple[MarsEffect, ...]:
    """A feint helps the next melee attack only."""
    if not effects or not any(effect.kind == "opening" and effect.stat == target for effect in effects):
        return effects
    return status.end(effects, "opening", stat=target)


def _with_blow(scene: Scene, blow: Incoming | None) -> Scene:
    """The innermost attack changed, or over."""
    known = fight(scene)
    kept = known.incoming[:-1]
    return _with_fight(scene, _with_incoming(known, kept if blow is None else (*kept, blow)))


def _changed_fight(scene: Scene, **changes: Any) -> Fight:
    """The encounter after something about the innermost attack has changed."""
    known = fight(scene)
    assert known.blow is not None
    return _with_incoming(known, (*known.incoming[:-1], evolve(known.blow, **changes)))


def _changed_blow(scene: Scene, **changes: Any) -> Scene:
    """The scene after something about the innermost attack has changed."""
    return _with_fight(scene, _changed_fight(scene, **changes))


@apply.by(lambda scene, event: _changed_blow(scene, total=event.total))
class AttackRolled(ParticipantEvent):
    """An attack came to a total before the defence was declared or met."""

    total: int = visible()


@apply.by(lambda scene, event: _with_blow(scene, event.blow))
class AimedAnew(ParticipantEvent):
    """The target has moved, dropped or taken cover since the attack was declared; it counts as it is now."""

    mentions = ("who", "target")
    target: str = visible()
    blow: Incoming = visible()


@apply.by(
    lambda scene, event: paid(
        scene, event, _changed_fight(scene, defence=event.how, with_item=event.item, then=event.then)
    )
)
class Defended(Costly):
    """Declared defence: evade, parry or deflect; ``then`` is the step or drop after an evasion."""

    how: Defence = visible()
    item: str = visible(default="")
    then: str = visible(default="")


@apply.by(lambda scene, event: _changed_blow(paid(scene, event), block=event.item))
class Blocked(Costly):
    """Block of a blow with a shield."""

    item: str = visible()


class Intercepted(Costly):
    """Interception: the participant changes places with an ally and becomes the target of the blow."""

    mentions = ("who", "ally")
    ally: str = visible()
    rating: int = visible()
    maneuver: str = visible()
    blow: Incoming = visible()


@apply.on(Intercepted)
def _intercepted(scene: Scene, event: Intercepted) -> Scene:
    turn: Turn = scene[event.who].status.turn
    scene = paid(scene, event, turn=evolve(turn, maneuvers=(*turn.maneuvers, event.maneuver)))
    stepped_in = evolve(event.blow, rating=event.rating, cost_free=True, intercepted=True, defence=None)
    return _with_blow(exchanged(scene, event.who, event.ally), stepped_in)


def exchanged(scene: Scene, who: str, ally: str) -> Scene:
    """The scene after two have changed places."""
    one, other = scene[who], scene[ally]
    scene = scene.with_participant(with_position(one, other.position))
    return scene.with_participant(with_position(other, one.position))


@apply.by(lambda scene, event: _changed_blow(scene, degree=event.degree, effect=event.effect))
class WouldHit(ParticipantEvent):
    """An attack would hit; the shield may still come between."""

    mentions = ("who", "by")
    by: str = visible()
    degree: Degree = visible()
    effect: Degree | None = visible(default=None)


class Missed(ParticipantEvent):
    """An attack came to nothing."""

    mentions = ("who", "by")
    by: str = visible()
    reason: str = visible(default="")


@apply.on(Missed)
def _missed(scene: Scene, event: Missed) -> Scene:
    blow = fight(scene).blow
    assert blow is not None
    scene = _with_blow(scene, None)
    if event.reason:
        return scene
    effects = scene[event.who].status.effects
    used = _after_the_first_roll(effects)
    scene = scene if used is effects else scene.with_status(event.who, effects=used)
    turn: Turn = scene[event.by].status.turn
    weapon = item(blow.weapon.partition("#")[0], scene.library)
    if blow.reaction or not isinstance(weapon, Weapon) or not weapon.features.backswing:
        return scene
    swung = Backswing(blow.weapon, turn.swung(blow.weapon) + 2)
    return scene.with_status(event.by, turn=evolve(turn, backswing=(*_others(turn, blow.weapon), swung)))


def _others(turn: Turn, weapon: str) -> tuple[Backswing, ...]:
    """Backswing bonuses of other weapons."""
    return tuple([one for one in turn.backswing if one.weapon != weapon])


class Hit(ParticipantEvent):
    """An attack hit: its degree, the damage, and the losses; a shield may have taken some or all of it."""

    mentions = ("who", "by")
    by: str = visible()
    degree: Degree = visible()
    damage: int = visible()
    shield: int = visible(default=0)
    item: str = visible(default="")
    endurance: int = visible(OWNER, default=0)
    health: int = visible(OWNER, default=0)


@apply.on(Hit)
def _hit(scene: Scene, event: Hit) -> Scene:
    blow = fight(scene).blow
    assert blow is not None
    known, target = fight(scene), scene[event.who]
    status: Status = target.status
    belongings = status.belongings
    if event.item:
        belongings = tuple(
            [
                replace(one, left=max(0, (one.left or 0) - event.shield))
                if one.item == event.item and one.place in ("hand", "hands")
                else one
                for one in belongings
            ]
        )
    status = _with_harm(
        status,
        status.endurance - event.endurance,
        status.health - event.health,
        belongings,
        _after_the_first_roll(status.effects),
    )
    over = _with_incoming(known, known.incoming[:-1])
    scene = scene.with_participant(with_status(target, status), system_state=over)
    turn: Turn = scene[event.by].status.turn
    if not blow.reaction and turn.backswing:
        turn = evolve(turn, backswing=_others(turn, blow.weapon))
    if event.who not in turn.hit:
        turn = evolve(turn, hit=(*turn.hit, event.who))
    return scene if turn is scene[event.by].status.turn else scene.with_status(event.by, turn=turn)
