"""Attacks: declared, rolled, met, missed or landed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tablewright.game.belongings import Belongings
from tablewright.game.events import OWNER, Event, shown
from tablewright.game.lying import Lying, lay_down
from tablewright.game.scene import Scene, replaced
from tablewright.systems.mars import effects as stack
from tablewright.systems.mars.attack import Defence
from tablewright.systems.mars.character import Effect, item
from tablewright.systems.mars.content import Weapon
from tablewright.systems.mars.events.costs import Costly, apply, paid, told
from tablewright.systems.mars.status import (
    Backswing,
    Incoming,
    Manner,
    Status,
    Turn,
    fight,
)
from tablewright.systems.mars.values import Degree


@dataclass(frozen=True, kw_only=True)
class AttackDeclared(Costly):
    """Somebody attacks: with what, how, and everything that was settled by then."""

    about = ("who", "target")
    target: str = shown()
    weapon: str = shown()
    manner: Manner = shown(default="melee")
    maneuver: str = shown(default="")
    counted: bool = shown(default=True)
    blow: Incoming = shown()
    belongings: Belongings | None = shown(OWNER, default=None)
    lying: tuple[Lying, ...] = shown(default=())

    def in_words(self) -> str:
        """Who attacks whom with what."""
        how = {"melee": "attacks", "shot": "shoots at", "thrown": "throws at"}[self.manner]
        if self.blow.stray:  # mars.gap.weapon.stray_shot
            how = {"melee": "strikes astray at", "shot": "shoots astray at", "thrown": "throws astray at"}[self.manner]
        maneuver = self.maneuver or ("trip" if self.cause == "mars.gap.weapon.trip" else "")
        by = f", {maneuver.replace('_', ' ')}" if maneuver else ""
        return told(self, f"{self.who} {how} {self.target} with {self.weapon.replace('_', ' ')}{by}")


@apply.on(AttackDeclared)
def _attack_declared(scene: Scene, event: AttackDeclared) -> Scene:
    status: Status = scene[event.who].status
    turn = status.turn
    if event.counted:
        last = event.weapon if event.manner != "thrown" else ""  # what comes next is another one
        turn = turn._replace(attacks=turn.attacks + 1, attacked=(*turn.attacked, event.target), weapon=last)
    if event.maneuver:
        turn = turn._replace(maneuvers=(*turn.maneuvers, event.maneuver))
    changes: dict[str, Any] = {"turn": turn}
    if event.belongings is not None:
        changes["belongings"] = event.belongings
    used = _after_the_first_roll(status.effects)
    used = _after_the_opening(used, event.target) if event.manner == "melee" else used
    if used is not status.effects:
        changes["effects"] = used
    scene = paid(scene, event, **changes)
    known = fight(scene)
    return lay_down(replaced(scene, extra=replaced(known, incoming=(*known.incoming, event.blow))), *event.lying)


def _after_the_first_roll(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """A battle cry helps the first roll only."""
    return effects if not any(effect.kind == "rally" for effect in effects) else stack.end(effects, "rally")


def _after_the_opening(effects: tuple[Effect, ...], target: str) -> tuple[Effect, ...]:
    """A feint helps the next melee attack only."""
    if not any(effect.kind == "opening" and effect.stat == target for effect in effects):
        return effects
    return stack.end(effects, "opening", stat=target)


def _rallied(scene: Scene, who: str) -> Scene:
    """The defence was a first roll as well."""
    effects = scene[who].status.effects
    used = _after_the_first_roll(effects)
    return scene if used is effects else scene.change(who, effects=used)


def _with_blow(scene: Scene, blow: Incoming | None) -> Scene:
    """The innermost attack changed, or over."""
    known = fight(scene)
    kept = known.incoming[:-1]
    return replaced(scene, extra=replaced(known, incoming=kept if blow is None else (*kept, blow)))


@dataclass(frozen=True, kw_only=True)
class AttackRolled(Event):
    """An attack came to a total before the defence was declared or met."""

    who: str = shown()
    total: int = shown()

    def in_words(self) -> str:
        """The total."""
        return f"{self.who} attacks with {self.total}"


@apply.on(AttackRolled)
def _attack_rolled(scene: Scene, event: AttackRolled) -> Scene:
    blow = fight(scene).blow
    assert blow is not None
    return _with_blow(scene, blow._replace(total=event.total))


@dataclass(frozen=True, kw_only=True)
class AimedAnew(Event):
    """The target has moved, dropped or taken cover since the attack was declared; it counts as it is now."""

    about = ("who", "target")
    who: str = shown()
    target: str = shown()
    blow: Incoming = shown()

    def in_words(self) -> str:
        """At whom."""
        return f"{self.who} aims anew at {self.target}"


@apply.on(AimedAnew)
def _aimed_anew(scene: Scene, event: AimedAnew) -> Scene:
    return _with_blow(scene, event.blow)


@dataclass(frozen=True, kw_only=True)
class Defended(Costly):
    """Somebody evades or parries, or leaves it to deflection; who evades may drop or step aside afterwards."""

    how: Defence = shown()
    item: str = shown(default="")
    then: str = shown(default="")

    def in_words(self) -> str:
        """How."""
        words = {"deflect": "deflects", "evade": "evades", "parry": f"parries with {self.item.replace('_', ' ')}"}
        return told(self, f"{self.who} {words[self.how]}")


@apply.on(Defended)
def _defended(scene: Scene, event: Defended) -> Scene:
    scene = paid(scene, event)
    blow = fight(scene).blow
    assert blow is not None
    return _with_blow(scene, blow._replace(defence=event.how, with_item=event.item, then=event.then))


@dataclass(frozen=True, kw_only=True)
class Blocked(Costly):
    """Somebody holds a shield against the blow."""

    item: str = shown()

    def in_words(self) -> str:
        """With what."""
        return told(self, f"{self.who} blocks with {self.item.replace('_', ' ')}")


@apply.on(Blocked)
def _blocked(scene: Scene, event: Blocked) -> Scene:
    scene = paid(scene, event)
    blow = fight(scene).blow
    assert blow is not None
    return _with_blow(scene, blow._replace(block=event.item))


@dataclass(frozen=True, kw_only=True)
class Intercepted(Costly):
    """Somebody changes places with an ally and becomes the target of the blow, as it is against them."""

    about = ("who", "ally")
    ally: str = shown()
    rating: int = shown()
    maneuver: str = shown()
    blow: Incoming = shown()

    def in_words(self) -> str:
        """For whom."""
        return told(self, f"{self.who} steps in for {self.ally}")


@apply.on(Intercepted)
def _intercepted(scene: Scene, event: Intercepted) -> Scene:
    turn: Turn = scene[event.who].status.turn
    scene = paid(scene, event, turn=turn._replace(maneuvers=(*turn.maneuvers, event.maneuver)))
    stepped_in = event.blow._replace(rating=event.rating, cost_free=True, intercepted=True, defence=None)
    return _with_blow(exchanged(scene, event.who, event.ally), stepped_in)


def exchanged(scene: Scene, who: str, ally: str) -> Scene:
    """The scene after two have changed places."""
    one, other = scene[who], scene[ally]
    scene = scene.with_participant(replaced(one, position=other.position))
    return scene.with_participant(replaced(other, position=one.position))


@dataclass(frozen=True, kw_only=True)
class WouldHit(Event):
    """An attack would hit; the shield may still come between."""

    about = ("who", "by")
    who: str = shown()
    by: str = shown()
    degree: Degree = shown()
    effect: Degree | None = shown(default=None)

    def in_words(self) -> str:
        """How well."""
        return f"{self.by} would hit {self.who}: {self.degree.value}"


@apply.on(WouldHit)
def _would_hit(scene: Scene, event: WouldHit) -> Scene:
    blow = fight(scene).blow
    assert blow is not None
    return _with_blow(scene, blow._replace(degree=event.degree, effect=event.effect))


@dataclass(frozen=True, kw_only=True)
class Missed(Event):
    """An attack came to nothing."""

    about = ("who", "by")
    who: str = shown()
    by: str = shown()
    reason: str = shown(default="")

    def in_words(self) -> str:
        """Who missed whom."""
        return f"{self.by} misses {self.who}" + (f" ({self.reason})" if self.reason else "")


@apply.on(Missed)
def _missed(scene: Scene, event: Missed) -> Scene:
    blow = fight(scene).blow
    assert blow is not None
    scene = _with_blow(scene, None)
    if event.reason:
        return scene
    scene = _rallied(scene, event.who)
    turn: Turn = scene[event.by].status.turn
    weapon = item(blow.weapon.partition("#")[0], scene.library)
    if blow.reaction or not isinstance(weapon, Weapon) or not weapon.features.backswing:
        return scene
    swung = Backswing(blow.weapon, turn.swung(blow.weapon) + 2)
    return scene.change(event.by, turn=turn._replace(backswing=(*_others(turn, blow.weapon), swung)))


def _others(turn: Turn, weapon: str) -> tuple[Backswing, ...]:
    """What misses with other weapons have brought."""
    return tuple([one for one in turn.backswing if one.weapon != weapon])


@dataclass(frozen=True, kw_only=True)
class Hit(Event):
    """An attack hit: how well, the damage, and what was lost; a shield may have taken some or all of it."""

    about = ("who", "by")
    who: str = shown()
    by: str = shown()
    degree: Degree = shown()
    damage: int = shown()
    shield: int = shown(default=0)
    item: str = shown(default="")
    endurance: int = shown(OWNER, default=0)
    health: int = shown(OWNER, default=0)

    def in_words(self) -> str:
        """How well, and what it did."""
        how = {Degree.GRAZE: "grazes", Degree.SUCCESS: "hits", Degree.CRITICAL: "critically hits"}[self.degree]
        shield = f", {self.item.replace('_', ' ')} takes {self.shield}" if self.item else ""
        return f"{self.by} {how} {self.who}: {self.damage} damage{shield}"


@apply.on(Hit)
def _hit(scene: Scene, event: Hit) -> Scene:
    blow = fight(scene).blow
    assert blow is not None
    scene = _with_blow(scene, None)
    status: Status = scene[event.who].status
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
    scene = scene.change(
        event.who,
        endurance=status.endurance - event.endurance,
        health=status.health - event.health,
        belongings=belongings,
        effects=_after_the_first_roll(status.effects),
    )
    turn: Turn = scene[event.by].status.turn
    if not blow.reaction and turn.backswing:
        turn = turn._replace(backswing=_others(turn, blow.weapon))
    if event.who not in turn.hit:
        turn = turn._replace(hit=(*turn.hit, event.who))
    return scene.change(event.by, turn=turn)
