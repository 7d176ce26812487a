"""Events of a turn besides attacks: moves, costs, stances, preparations."""

from __future__ import annotations

from dataclasses import replace

from tablewright.game.character.belongings import Belongings, with_one
from tablewright.game.play.common_apply import common_reducer
from tablewright.game.play.common_events import BelongingsChanged, Moved, ParticipantLeft, TurnEnded, TurnStarted
from tablewright.game.play.effects import EffectEnded
from tablewright.game.play.trade import after_trade
from tablewright.game.scene.arrival import leave_scene
from tablewright.game.scene.events import ParticipantEvent, Reducer
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.systems.stage.character.figures import figures
from tablewright.systems.stage.events import fight
from tablewright.systems.stage.status import Stance, Status, carrier, most
from tablewright.systems.stage.values import ACTION_POINTS, TRACKS

happens: Reducer[Scene] = Reducer(fight.happens)


def apart(scene: Scene, who: str) -> Scene:
    """The scene in which a character is next to no one."""
    for other in scene[who].status.beside:
        if other in scene:
            near = scene[other].status.beside
            scene = scene.with_status(other, beside=tuple([one for one in near if one != who]))
    return scene.with_status(who, beside=()) if scene[who].status.beside else scene


class CameBeside(ParticipantEvent):
    """A character is next to these in the same cube from now on, and to no one else there."""

    others: tuple[str, ...] = visible(default=())

    def narrate(self) -> str:
        """Neighbours in the cube."""
        return f"{self.who} is next to {', '.join(self.others)}" if self.others else f"{self.who} steps away"


@happens.on(CameBeside)
def _came_beside(scene: Scene, event: CameBeside) -> Scene:
    scene = apart(scene, event.who)
    for other in event.others:
        scene = scene.with_status(other, beside=(*scene[other].status.beside, event.who))
    return scene.with_status(event.who, beside=event.others)


@happens.after(Moved)
def _moved(scene: Scene, event: Moved) -> Scene:
    """Move a participant: it leaves its neighbours, gives up held ground, and takes its mount along."""
    scene = apart(scene, event.who)
    status: Status = scene[event.who].status
    if any(one.id == "stationary" for one in status.lasting):
        scene = scene.with_status(event.who, lasting=tuple([one for one in status.lasting if one.id != "stationary"]))
    if status.rides and not carrier(scene, event.who):
        return scene.with_status(event.who, rides="")  # what has fallen stays behind
    if status.rides and scene[status.rides].position != event.position:
        scene = _moved(
            common_reducer(scene, Moved(who=status.rides, position=event.position)),
            Moved(who=status.rides, position=event.position),
        )
    return scene


@happens.after(ParticipantLeft)
def _left(scene: Scene, event: ParticipantLeft) -> Scene:
    return apart(scene, event.who)


SUMMONED = "summoned"
"""The source of what holds the one who a spell has called: they are gone when it is over (stage.encounter.flow)."""


@happens.after(EffectEnded)
def _wore_off(scene: Scene, event: EffectEnded) -> Scene:
    return apart(leave_scene(scene, event.who), event.who) if event.what.source == SUMMONED else scene


@happens.after(TurnStarted)
def _turn_started(scene: Scene, event: TurnStarted) -> Scene:
    """Count a further round under water, and note whether Stamina is left."""
    status: Status = scene[event.who].status
    if status.under and not status.dead:
        scene = drowning(scene, event.who)
    braced = status.stamina > 0  # whether it is decided that this turn no one runs (stage.gap.encounter.flight)
    return scene if braced == status.braced else scene.with_status(event.who, braced=braced)


def drowning(scene: Scene, who: str) -> Scene:
    """Count a round without air; after Body-level rounds come unconsciousness and 1 Body damage a turn."""
    status: Status = scene[who].status
    scene = scene.with_status(who, under=status.under + 1)
    if status.under < most(scene, who).body:
        return scene
    return fight.harmed(scene.with_status(who, unconscious="drowning"), who, "body", 1)  # stage.environment.drowning


@happens.after(TurnEnded)
def _turn_ended(scene: Scene, event: TurnEnded) -> Scene:
    """All AP are back at the end of one's turn, whatever was left (stage.action.ap)."""
    status: Status = scene[event.who].status
    if status.ap == ACTION_POINTS and not status.misses and not status.braced:
        return scene
    return scene.with_status(event.who, ap=ACTION_POINTS, misses=False, braced=False)


@happens.sets(braced=True)
class Braced(ParticipantEvent):
    """A character has not lost heart this turn."""

    template = "{who} stays"


@happens.sets("stance")
class StanceChanged(ParticipantEvent):
    """A character stands, crouches or lies."""

    template = "{who} is {stance}"
    stance: Stance = visible()


class InitiativeRolled(ParticipantEvent):
    """The first of a group has rolled for it; in an ambush it counts for more."""

    template = "{who} has initiative {total} for {side}"
    side: str = visible()
    total: int = visible()


@happens.on(InitiativeRolled)
def _initiative_rolled(scene: Scene, event: InitiativeRolled) -> Scene:
    for one in scene.participants:
        if one.side == event.side and one.present:
            scene = scene.with_status(one.id, initiative=event.total)
    return scene


@happens.sets("seen_by", ambush=lambda _, event: event.now)
class LiesInWait(ParticipantEvent):
    """An Ambush advantage for the next attack, gained or lost; ``seen_by`` are those aware of it."""

    template = "{who} has an Ambush advantage: {now}"
    now: bool = visible(default=True)
    seen_by: tuple[str, ...] = visible(OWNER, default=())


@happens.sets("failures")
class Slipped(ParticipantEvent):
    """A check to climb, swim or balance failed or succeeded: two failures in a row have consequences."""

    template = "{who}: {failures} failed in a row"
    failures: int = visible()


@happens.sets(under=lambda _, event: event.rounds)
class WentUnder(ParticipantEvent):
    """Rounds that a character has been under water."""

    template = "{who} is under water, round {rounds}"
    rounds: int = visible()


@happens.sets(misses=True)
class TurnLost(ParticipantEvent):
    """A character will miss the next turn, lying still for treatment."""

    template = "{who} will miss a turn"


@happens.sets(rides=lambda _, event: event.mount or "")
class Mounted(ParticipantEvent):
    """A character has mounted an animal, or got off it."""

    mentions = ("who", "mount")
    template = "{who} rides {mount}"
    mount: str | None = visible(default=None)


@happens.sets("pace", "went")
class Paced(ParticipantEvent):
    """Pace of a mount or craft: its speed in the last round, and its distance in this one."""

    template = "{who} goes at {pace}"
    pace: int = visible()
    went: int | None = visible(default=None)


# ---------------------------------------------------------------------- things that change hands


def _enchanted(scene: Scene, who: str) -> Scene:
    """Adjust what is left of a track when wielded enchantments lengthen or shorten it.

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
    scene = scene.with_participant(evolve(one, character=wields))
    return scene.with_status(who, **{track: left[track] for track, more in longer.items() if more})


@happens.on(BelongingsChanged, instead=True)
def _changed_hands(scene: Scene, event: BelongingsChanged) -> Scene:
    """Remember the enchantments of a dropped item with its owner, and restore them when it is taken up."""
    before: Belongings = scene[event.who].status.belongings
    scene = after_trade(common_reducer(scene, event), event, before)
    if any(one.more for one in (*before, *event.belongings)):
        scene = _enchanted(scene, event.who)
    for lying in event.laid_down:
        after = scene[event.who].status.belongings
        gone = [one for one in before if one.item == lying.item and one.more and one not in after]
        if gone and lying.owner in scene:
            away = scene[lying.owner].status.away
            scene = scene.with_status(lying.owner, away=(*away, replace(gone[0], count=1)))
    for lying in event.taken_up:
        away = scene[lying.owner].status.away if lying.owner in scene else ()
        found = next((one for one in away if one.item == lying.item), None)
        if found is None:
            continue
        scene = scene.with_status(lying.owner, away=tuple([one for one in away if one is not found]))
        mine = scene[event.who].status.belongings
        plain = next((one for one in reversed(mine) if one.item == lying.item and not one.more), None)
        if plain is not None:
            again = with_one(mine, mine.index(plain), replace(plain, count=1, more=found.more))
            scene = scene.with_status(event.who, belongings=again)
    return scene
