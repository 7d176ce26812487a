"""Where somebody is and how: next to whom, in which stance, in whose order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tablewright.game.belongings import Belongings
from tablewright.game.common import BelongingsChanged, Left, Moved, TurnEnded, TurnStarted, common
from tablewright.game.events import Apply, Event, shown
from tablewright.game.frozen import Ranks
from tablewright.game.lasting import WoreOff
from tablewright.game.pending import gone
from tablewright.game.scene import Scene, replaced
from tablewright.game.trading import after_trade
from tablewright.systems.stage.character.figures import figures
from tablewright.systems.stage.events import fighting
from tablewright.systems.stage.harm import most
from tablewright.systems.stage.status import Stance, Status, carrier
from tablewright.systems.stage.values import ACTION_POINTS, TRACKS

happens: Apply[Scene] = Apply(fighting.happens)


def apart(scene: Scene, who: str) -> Scene:
    """The scene in which somebody is next to nobody."""
    for other in scene[who].status.beside:
        if other in scene:
            near = scene[other].status.beside
            scene = scene.change(other, beside=tuple([one for one in near if one != who]))
    return scene.change(who, beside=()) if scene[who].status.beside else scene


@dataclass(frozen=True, kw_only=True)
class CameBeside(Event):
    """Somebody is next to these in the same cube from now on, and to nobody else there."""

    who: str = shown()
    others: tuple[str, ...] = shown(default=())

    def in_words(self) -> str:
        """Next to whom."""
        return f"{self.who} is next to {', '.join(self.others)}" if self.others else f"{self.who} steps away"


@happens.on(CameBeside)
def _came_beside(scene: Scene, event: CameBeside) -> Scene:
    scene = apart(scene, event.who)
    for other in event.others:
        scene = scene.change(other, beside=(*scene[other].status.beside, event.who))
    return scene.change(event.who, beside=event.others)


@happens.after(Moved)
def _moved(scene: Scene, event: Moved) -> Scene:
    """Who goes elsewhere is next to nobody, a place that was held is given up, and a mount goes along."""
    scene = apart(scene, event.who)
    status: Status = scene[event.who].status
    if any(one.id == "stationary" for one in status.lasting):
        scene = scene.change(event.who, lasting=tuple([one for one in status.lasting if one.id != "stationary"]))
    if status.rides and not carrier(scene, event.who):
        return scene.change(event.who, rides="")  # what has fallen stays behind
    if status.rides and scene[status.rides].position != event.position:
        scene = _moved(
            common(scene, Moved(who=status.rides, position=event.position)),
            Moved(who=status.rides, position=event.position),
        )
    return scene


@happens.after(Left)
def _left(scene: Scene, event: Left) -> Scene:
    return apart(scene, event.who)


SUMMONED = "summoned"
"""The source of what holds whoever a spell has called: they are gone when it is over (stage.encounter.flow)."""


@happens.after(WoreOff)
def _wore_off(scene: Scene, event: WoreOff) -> Scene:
    return apart(gone(scene, event.who), event.who) if event.what.source == SUMMONED else scene


@happens.after(TurnStarted)
def _turn_started(scene: Scene, event: TurnStarted) -> Scene:
    """Attack ratings count from here (stage.equipment.attack_rating), and who is under water is so a round longer."""
    status: Status = scene[event.who].status
    if status.under and not status.dead:
        scene = drowning(scene, event.who)
    braced = status.stamina > 0  # whether it is decided that this turn nobody runs (stage.gap.encounter.flight)
    if not status.attacks and not braced:
        return scene
    return scene.change(event.who, attacks=Ranks(), braced=braced)


def drowning(scene: Scene, who: str) -> Scene:
    """One holds one's breath for Body-level rounds; then one is unconscious and takes 1 Body damage each turn."""
    status: Status = scene[who].status
    scene = scene.change(who, under=status.under + 1)
    if status.under < most(scene, who).body:
        return scene
    return fighting.harmed(scene.change(who, unconscious="drowning"), who, "body", 1)  # stage.environment.drowning


@happens.after(TurnEnded)
def _turn_ended(scene: Scene, event: TurnEnded) -> Scene:
    """All AP are back at the end of one's turn, whatever was left (stage.action.ap)."""
    status: Status = scene[event.who].status
    if status.ap == ACTION_POINTS and not status.misses and not status.braced:
        return scene
    return scene.change(event.who, ap=ACTION_POINTS, misses=False, braced=False)


@dataclass(frozen=True, kw_only=True)
class Braced(Event):
    """Somebody has not lost heart this turn."""

    words = "{who} stays"
    who: str = shown()


@happens.on(Braced)
def _braced(scene: Scene, event: Braced) -> Scene:
    return scene.change(event.who, braced=True)


@dataclass(frozen=True, kw_only=True)
class StanceChanged(Event):
    """Somebody stands, crouches or lies."""

    words = "{who} is {stance}"
    who: str = shown()
    stance: Stance = shown()


@happens.on(StanceChanged)
def _stance_changed(scene: Scene, event: StanceChanged) -> Scene:
    return scene.change(event.who, stance=event.stance)


@dataclass(frozen=True, kw_only=True)
class InitiativeRolled(Event):
    """The first of a group has rolled for it; in an ambush it counts for more."""

    words = "{who} has initiative {total} for {side}"
    who: str = shown()
    side: str = shown()
    total: int = shown()


@happens.on(InitiativeRolled)
def _initiative_rolled(scene: Scene, event: InitiativeRolled) -> Scene:
    for one in scene.participants:
        if one.side == event.side and one.present:
            scene = scene.change(one.id, initiative=event.total)
    return scene


@dataclass(frozen=True, kw_only=True)
class LiesInWait(Event):
    """Somebody has an Ambush advantage for the next attack, or has it no longer."""

    words = "{who} has an Ambush advantage: {now}"
    who: str = shown()
    now: bool = shown(default=True)


@happens.on(LiesInWait)
def _lies_in_wait(scene: Scene, event: LiesInWait) -> Scene:
    return scene.change(event.who, ambush=event.now)


@dataclass(frozen=True, kw_only=True)
class Slipped(Event):
    """A check to climb, swim or balance failed or succeeded: two failures in a row have consequences."""

    words = "{who}: {failures} failed in a row"
    who: str = shown()
    failures: int = shown()


@happens.on(Slipped)
def _slipped(scene: Scene, event: Slipped) -> Scene:
    return scene.change(event.who, failures=event.failures)


@dataclass(frozen=True, kw_only=True)
class WentUnder(Event):
    """Rounds that somebody has been under water."""

    words = "{who} is under water, round {rounds}"
    who: str = shown()
    rounds: int = shown()


@happens.on(WentUnder)
def _went_under(scene: Scene, event: WentUnder) -> Scene:
    return scene.change(event.who, under=event.rounds)


@dataclass(frozen=True, kw_only=True)
class TurnLost(Event):
    """Somebody will miss the next turn, lying still for treatment."""

    words = "{who} will miss a turn"
    who: str = shown()


@happens.on(TurnLost)
def _turn_lost(scene: Scene, event: TurnLost) -> Scene:
    return scene.change(event.who, misses=True)


@dataclass(frozen=True, kw_only=True)
class Mounted(Event):
    """Somebody has mounted an animal, or got off it."""

    about = ("who", "mount")
    words = "{who} rides {mount}"
    who: str = shown()
    mount: str | None = shown(default=None)


@happens.on(Mounted)
def _mounted(scene: Scene, event: Mounted) -> Scene:
    return scene.change(event.who, rides=event.mount or "")


@dataclass(frozen=True, kw_only=True)
class Paced(Event):
    """How fast a craft is: its pace of the last round, and how far it has gone in this one."""

    words = "{who} goes at {pace}"
    who: str = shown()
    pace: int = shown()
    went: int | None = shown(default=None)


@happens.on(Paced)
def _paced(scene: Scene, event: Paced) -> Scene:
    return scene.change(event.who, pace=event.pace, went=event.went)


# ---------------------------------------------------------------------- things that change hands


def _enchanted(scene: Scene, who: str) -> Scene:
    """Where what is wielded now makes a track longer or shorter, what is left of it changes by as much.

    (stage.magic.enchantment_types, stage.gap.magic.enchantments)
    """
    one = scene[who]
    wields = one.character.changed(belongings=one.status.belongings)
    was, now = most(scene, who), figures(wields, scene.options, scene.library)
    longer = {track: getattr(now, track) - getattr(was, track) for track in TRACKS}
    if not any(longer.values()):
        return scene
    left = {
        track: max(0, min(getattr(one.status, track) + more, getattr(now, track))) for track, more in longer.items()
    }
    scene = scene.with_participant(replaced(one, character=wields))
    return scene.change(who, **{track: left[track] for track, more in longer.items() if more})


@happens.on(BelongingsChanged, instead=True)
def _changed_hands(scene: Scene, event: BelongingsChanged) -> Scene:
    """What is in a thing that is laid down is remembered by its owner, and is in it again for whoever takes it up."""
    before: Belongings = scene[event.who].status.belongings
    scene = after_trade(common(scene, event), event, before)
    if any(one.more for one in (*before, *event.belongings)):
        scene = _enchanted(scene, event.who)
    for lying in event.laid_down:
        after = scene[event.who].status.belongings
        gone = [one for one in before if one.item == lying.item and one.more and one not in after]
        if gone and lying.owner in scene:
            away = scene[lying.owner].status.away
            scene = scene.change(lying.owner, away=(*away, replace(gone[0], count=1)))
    for lying in event.taken_up:
        away = scene[lying.owner].status.away if lying.owner in scene else ()
        found = next((one for one in away if one.item == lying.item), None)
        if found is None:
            continue
        scene = scene.change(lying.owner, away=tuple([one for one in away if one is not found]))
        mine = scene[event.who].status.belongings
        plain = next((one for one in reversed(mine) if one.item == lying.item and not one.more), None)
        if plain is not None:
            rest = [replace(plain, count=plain.count - 1)] if plain.count > 1 else []
            again = [replace(plain, count=1, more=found.more), *rest]
            kept = [each for one in mine for each in (again if one is plain else [one])]
            scene = scene.change(event.who, belongings=tuple(kept))
    return scene
