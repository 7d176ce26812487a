"""Events between fights: rest, care, sickness, trade, experience."""

from __future__ import annotations

from typing import Any

from tablewright.game.play.common_apply import common_reducer
from tablewright.game.play.common_events import CharacterChanged, Ruled
from tablewright.game.play.costs import CostPaid
from tablewright.game.scene.events import Event, ParticipantEvent, Reducer
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import GAME_MASTER, OWNER, visible
from tablewright.game.values import Frozen
from tablewright.systems.stage.character.figures import figures
from tablewright.systems.stage.character.record import Day, Sickness
from tablewright.systems.stage.events import turn
from tablewright.systems.stage.events.fight import Attacked, Hurt, Restored, Spent, Tried, fainted
from tablewright.systems.stage.status import Status, after_restoring, most
from tablewright.systems.stage.values import SURFACE, TRACKS

growing: Reducer[Scene] = Reducer()


@growing.on(CharacterChanged)
def _grown(scene: Scene, event: CharacterChanged) -> Scene:
    """A gained level adds 1 to the maxima and to what is left of both tracks (stage.advancement.award)."""
    status = scene[event.who].status
    before = figures(scene[event.who].character, scene.options, scene.library)
    after = figures(event.character, scene.options, scene.library)
    scene = common_reducer(scene, event)
    changed = {}
    for track in TRACKS:
        more = getattr(after, track) - getattr(before, track)
        if more:
            changed[track] = max(0, min(getattr(status, track) + more, getattr(after, track)))
    return scene.with_status(event.who, **changed) if changed else scene


happens: Reducer[Scene] = Reducer(turn.happens)


class Rested(ParticipantEvent):
    """A character has rested eight hours, or as good as that: the surface tracks are full, as far as they can be."""

    template = "{who} is rested"


@happens.on(Rested)
def _rested(scene: Scene, event: Rested) -> Scene:
    figure = most(scene, event.who)
    status: Status = scene[event.who].status
    changed: dict[str, object] = {}
    for track in SURFACE.values():
        changed |= after_restoring(status, figure, track, getattr(figure, track))
    if fainted(status) and any(changed[track] for track in SURFACE.values()):
        changed["unconscious"] = ""  # stage.gap.recovery.waking
    return scene.with_status(event.who, **changed)


@happens.sets(first_aid=True)
class FirstAidGiven(ParticipantEvent):
    """The counters of Body damage are suppressed until Body damage comes again."""

    template = "{who}: first aid"


class Reanimated(ParticipantEvent):
    """A character dead lives again, with the tracks that the table sets."""

    template = "{who} lives again"
    core: tuple[str, ...] = visible()


@happens.on(Reanimated)
def _reanimated(scene: Scene, event: Reanimated) -> Scene:
    figure = most(scene, event.who)
    changed: dict[str, object] = {"died": None, "unconscious": ""}
    for track in event.core:
        changed[track] = min(1, getattr(figure, track))
    if len(event.core) > 1:
        changed |= dict.fromkeys(SURFACE.values(), 0)
    else:
        changed["stamina"] = 0
    return scene.with_status(event.who, **changed)


@happens.sets("day")
class DayChanged(ParticipantEvent):
    """A participant's day has changed: needs, uses, distances."""

    template = "{who}: {what}"
    what: str = visible(OWNER, default="")
    day: Day = visible(OWNER)


@happens.sets(
    blocked=lambda status, event: Frozen({name: lost for name, lost in status.blocked.items() if name != event.what})
)
class Released(ParticipantEvent):
    """Points lost to cold, heat or thirst can be restored from now on."""

    template = "{who} recovers from {what}"
    what: str = visible(OWNER)


@happens.sets(sicknesses=lambda status, event: (*status.sicknesses, event.sickness))
class Infected(Event):
    """A character carries a poison or a disease; others do not know before it shows."""

    who: str = visible(OWNER)
    sickness: Sickness = visible(OWNER)

    def narrate(self) -> str:
        """Carrier and ailment in a sentence.

        >>> print(Infected(who="ann", sickness=Sickness(ailment="mind_fever", level=5, incubation=9)).narrate())
        ann carries mind fever, level 5
        """
        return f"{self.who} carries {self.sickness.ailment.replace('_', ' ')}, level {self.sickness.level}"


class SicknessChanged(ParticipantEvent):
    """A poison or disease has attacked, was withstood, was treated, or is cured; ``gone`` ends it and what it did."""

    template = "{who}: {what}"
    what: str = visible(OWNER, default="")
    sickness: Sickness = visible(OWNER)
    counters: int = visible(OWNER, default=0)
    gone: bool = visible(OWNER, default=False)


@happens.on(SicknessChanged)
def _sickness_changed(scene: Scene, event: SicknessChanged) -> Scene:
    status: Status = scene[event.who].status
    found = [event.sickness if one.ailment == event.sickness.ailment else one for one in status.sicknesses]
    if not event.gone:
        return scene.with_status(event.who, sicknesses=tuple(found), counters=max(0, status.counters + event.counters))
    rest = tuple([one for one in status.sicknesses if one.ailment != event.sickness.ailment])
    scene = scene.with_status(event.who, sicknesses=rest, counters=max(0, status.counters - event.sickness.counters))
    figure = most(scene, event.who)
    for track, points in event.sickness.harm.items():
        scene = scene.with_status(event.who, **after_restoring(scene[event.who].status, figure, track, points))
    return scene


# ---------------------------------------------------------------------- who decides for the insane


def minded(scene: Scene, who: str) -> Scene:
    """Give an insane participant to the game master until Sanity is restored (stage.resource.insanity).

    The one who is handed to another player in the meantime goes to that one then.
    """
    if who not in scene:
        return scene
    one = scene[who]
    status: Status = one.status
    if status.insane and one.seat != GAME_MASTER:
        scene = scene.with_participant(evolve(one, seat=GAME_MASTER))
        return scene.with_status(who, player=one.seat)
    if status.player and not status.insane:
        scene = scene.with_participant(evolve(one, seat=status.player))
        return scene.with_status(who, player="")
    return scene


def _minded(scene: Scene, event: Any) -> Scene:
    scene = minded(scene, event.who)
    return minded(scene, event.by) if isinstance(event, Attacked | Tried) else scene


for kind in (Attacked, Tried, Hurt, Spent, CostPaid, Restored, Reanimated, SicknessChanged, Ruled):
    happens.after(kind)(_minded)


apply: Reducer[Scene] = Reducer(happens)
