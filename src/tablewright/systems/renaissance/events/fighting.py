"""What happens in fights: attacks and harm, turns, what is in the hands; and what every change of state entails."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tablewright.game.belongings import Belongings
from tablewright.game.common import CharacterChanged, Ruled, SceneEnded, TurnStarted, common
from tablewright.game.events import OWNER, Apply, Event, shown
from tablewright.game.frozen import Ranks
from tablewright.game.lasting import Lasting, TookHold, WoreOff, gain
from tablewright.game.lying import Lying, lay_down
from tablewright.game.prices import Allotment, Paid
from tablewright.game.scene import Scene, replaced
from tablewright.systems.renaissance.character.active import Sustained
from tablewright.systems.renaissance.coating import laid_down, without
from tablewright.systems.renaissance.status import (
    CHEMICAL,
    DISEASE,
    FRESH,
    PRONE,
    UNCONSCIOUS,
    Status,
    with_durability,
)

apply: Apply[Scene] = Apply(common)

ALLOTMENT = Allotment(({"standard": 1, "quick": 1}, {"quick": 3}))
"""What a turn in combat allows (renaissance.combat.allotment)."""


@apply.on(Paid, instead=True)
def _paid(scene: Scene, event: Paid) -> Scene:
    return ALLOTMENT.paid(scene, event.who, event.price)


@apply.after(TurnStarted)
def _turn_started(scene: Scene, event: TurnStarted) -> Scene:
    """A new turn: everything can be spent again, but for the quick action that sustaining takes."""
    status: Status = scene[event.who].status
    sustains = bool(status.sustained) and scene.options.sustain_costs_quick_action
    spent = Ranks({"quick": 1}) if sustains else Ranks()
    if status.spent == spent and status.turn is FRESH:
        return scene
    return scene.change(event.who, spent=spent, turn=FRESH)


@apply.after(SceneEnded)
def _scene_ended(scene: Scene, event: SceneEnded) -> Scene:
    """Combat is over: what was counted in turns is so too, for nobody takes one any more."""
    for one in scene.participants:
        left = tuple([held for held in one.status.lasting if not held.until.in_rounds])
        if len(left) < len(one.status.lasting):
            scene = scene.change(one.id, lasting=left)
    return scene


@apply.after(TookHold)
def _took_hold(scene: Scene, event: TookHold) -> Scene:
    """Whatever changes Durability shows; who is unconscious sustains nothing."""
    if event.what.id == UNCONSCIOUS and scene[event.who].status.sustained:
        return with_durability(scene.change(event.who, sustained=()), event.who)
    return with_durability(scene, event.who) if event.what.id in (CHEMICAL, DISEASE) else scene


@apply.after(WoreOff)
def _wore_off(scene: Scene, event: WoreOff) -> Scene:
    return with_durability(scene, event.who) if event.what.id in (CHEMICAL, DISEASE) else scene


@apply.after(CharacterChanged)
def _character_changed(scene: Scene, event: CharacterChanged) -> Scene:
    return with_durability(scene, event.who)


@apply.after(Ruled)
def _ruled(scene: Scene, event: Ruled) -> Scene:
    """What follows from a ruling: a lower Durability shows, nothing is more than there can be."""
    if event.who is None:
        return scene
    return with_durability(scene, event.who) if event.field == "dur_lost" else scene


# ---------------------------------------------------------------------- attacks


@dataclass(frozen=True, kw_only=True)
class Declared(Event):
    """Somebody is about to do something to somebody: said before the dice are thrown (renaissance.strike.declare).

    ``part`` is what a called shot or a maiming blow goes for.
    """

    about = ("who", "against")
    words = "{who}: {what} against {against}"
    who: str = shown()
    against: str = shown()
    what: str = shown()
    part: str = shown(default="")


@apply.on(Declared)
def _declared(scene: Scene, event: Declared) -> Scene:
    turn = scene[event.who].status.turn
    return scene if turn.part == event.part else scene.change(event.who, turn=turn._replace(part=event.part))


@dataclass(frozen=True, kw_only=True)
class Attacked(Event):
    """An attack from the first roll to what is lost: damage, wounds, who falls, and the Luck that both spent.

    ``strike`` is the special attack that was tried, ``part`` what it went for, ``effect`` whether its result came
    about; ``poisoned`` is what was on the blade and took hold, ``coating`` the weapon that is coated no more;
    ``volley`` are the attacks of several that are still to be made.
    """

    about = ("who", "by")
    who: str = shown()
    by: str = shown()
    weapon: str = shown()
    result: str = shown()
    strike: str = shown(default="")
    part: str = shown(default="")
    effect: bool = shown(default=False)
    special: bool = shown(default=False)
    critical: bool = shown(default=False)
    damage: int = shown(default=0)
    wounds: int = shown(default=0)
    prone: bool = shown(default=False)
    felled: bool = shown(default=False)
    dead: bool = shown(default=False)
    lost: str = shown(default="")
    luck: int = shown(default=0)
    their_luck: int = shown(default=0)
    poisoned: str = shown(default="")
    coating: str = shown(OWNER, default="")
    intimidates: bool = shown(default=False)
    volley: str = shown(default="")
    belongings: Belongings | None = shown(OWNER, default=None)
    lying: tuple[Lying, ...] = shown(default=())

    def in_words(self) -> str:
        """Who, with what and how; what came of it, and how whoever was hit is left."""
        aimed = f" at the {self.part}" if self.part else ""
        tried = f" ({spoken(self.strike)}{aimed}{'' if self.effect else ' tried'})" if self.strike else ""
        lost = f", the {self.lost} is lost" if self.lost else ""
        left = ", dead" if self.dead else ", disabled" if self.felled else ", falls" if self.prone else ""
        harm = harm_words(self.damage, self.wounds)
        return f"{self.by} attacks {self.who} with {spoken(self.weapon)}{tried}: {self.result}{harm}{lost}{left}"


def spoken(word: str) -> str:
    """An id of the content as it is said: without where it is held and how it is used.

    >>> spoken("throwing_knife@off~thrown_weapons")
    'throwing knife'
    """
    return re.split("[@~]", word, maxsplit=1)[0].replace("_", " ")


def harm_words(damage: int, wounds: int) -> str:
    """Damage and wounds as they follow what has happened.

    >>> harm_words(12, 1), harm_words(0, 0)
    (', 12 damage, 1 wound', '')
    """
    told = f", {damage} damage" if damage else ""
    return told + (f", {wounds} wound{'' if wounds == 1 else 's'}" if wounds else "")


_ON_THE_GROUND = Lasting(PRONE)


@apply.on(Attacked)
def _attacked(scene: Scene, event: Attacked) -> Scene:
    by: Status = scene[event.by].status
    changes: dict[str, Any] = {}
    if by.turn.part:
        by = replaced(by, turn=by.turn._replace(part=""))
        changes["turn"] = by.turn
    if event.luck:
        changes["luck"] = max(0, by.luck - event.luck)
    if event.coating:
        stays = event.lying and not event.poisoned  # it lies there with what is on it
        changes["coated"] = (laid_down if stays else without)(by.coated, event.coating)
    if event.volley:
        left = list(by.turn.volley)
        if event.volley in left:
            left.remove(event.volley)
        done = not left
        turn = by.turn._replace(volley=tuple(left), against=(*by.turn.against, event.who))
        changes["turn"] = turn._replace(volley_of=0, against=(), spread=False, sweeps=False) if done else turn
    if event.intimidates:
        changes["turn"] = changes.get("turn", by.turn)._replace(free=(*by.turn.free, event.who))
    if event.belongings is not None:
        changes["belongings"] = event.belongings
    if changes:
        scene = scene.change(event.by, **changes)
    if event.lying:
        scene = lay_down(scene, *event.lying)
    return _hurt(scene, event.who, event.damage, event.wounds, event.prone, event.dead, event.their_luck, event.lost)


def _hurt(
    scene: Scene, who: str, damage: int, wounds: int, prone: bool, dead: bool, luck: int = 0, lost: str = ""
) -> Scene:
    status: Status = scene[who].status
    changes: dict[str, Any] = {}
    if damage:
        changes["damage"] = status.damage + damage
        changes["mending"] = 0
        changes["hurt_in"] = scene.round
    if wounds:
        changes["wounds"] = status.wounds + wounds
    if prone and not status.has(PRONE):
        changes["lasting"] = gain(status.lasting, _ON_THE_GROUND)
    if dead:
        changes["dead"] = True
    if luck:
        changes["luck"] = max(0, status.luck - luck)
    if lost:
        changes["lost"] = (*status.lost, lost)
    if changes and ("damage" in changes or dead) and status.sustained:
        felled = dead or status.damage + damage >= status.durability
        if felled:
            changes["sustained"] = ()
    if not changes:
        return scene
    scene = scene.change(who, **changes)
    return with_durability(scene, who) if "sustained" in changes else scene


@dataclass(frozen=True, kw_only=True)
class Hurt(Event):
    """Somebody takes damage from something else than an attack; ``doer`` is whose doing it is, if anybody's."""

    who: str = shown()
    by: str = shown()
    damage: int = shown()
    wounds: int = shown(default=0)
    prone: bool = shown(default=False)
    dead: bool = shown(default=False)
    luck: int = shown(default=0)
    doer: str | None = shown(default=None)

    def in_words(self) -> str:
        """The damage with what it comes from, and how it leaves somebody."""
        left = ", dead" if self.dead else ", falls" if self.prone else ""
        return f"{self.who}: {self.damage} damage from {self.by}{harm_words(0, self.wounds)}{left}"


@apply.on(Hurt)
def _was_hurt(scene: Scene, event: Hurt) -> Scene:
    return _hurt(scene, event.who, event.damage, event.wounds, event.prone, event.dead, event.luck)


@dataclass(frozen=True, kw_only=True)
class Died(Event):
    """Somebody is dead."""

    words = "{who} is dead"
    who: str = shown()


@apply.on(Died)
def _died(scene: Scene, event: Died) -> Scene:
    return scene.change(event.who, dead=True, sustained=())


@dataclass(frozen=True, kw_only=True)
class Stressed(Event):
    """Something wears on somebody's mind."""

    who: str = shown()
    by: str = shown()
    stress: int = shown()
    traumas: int = shown(default=0)
    overwhelmed: bool = shown(default=False)
    insane: bool = shown(default=False)
    luck: int = shown(default=0)

    def in_words(self) -> str:
        """The stress with what it comes from, and how it leaves somebody."""
        traumas = f", {self.traumas} trauma{'' if self.traumas == 1 else 's'}" if self.traumas else ""
        left = ", insane" if self.insane else ", overwhelmed" if self.overwhelmed else ""
        return f"{self.who}: {self.stress} stress from {spoken(self.by)}{traumas}{left}"


@apply.on(Stressed)
def _stressed(scene: Scene, event: Stressed) -> Scene:
    status: Status = scene[event.who].status
    scene = scene.change(
        event.who,
        stress=status.stress + event.stress,
        traumas=status.traumas + event.traumas,
        easing=0 if event.stress else status.easing,
        overwhelmed=status.overwhelmed or event.overwhelmed,
        insane=status.insane or event.insane,
        luck=max(0, status.luck - event.luck),
        sustained=() if event.overwhelmed or event.insane else status.sustained,
    )
    return with_durability(scene, event.who) if status.sustained else scene


# ---------------------------------------------------------------------- turns


@dataclass(frozen=True, kw_only=True)
class InitiativeRolled(Event):
    """Somebody's place in the order."""

    words = "{who}: initiative {total}"
    who: str = shown()
    total: int = shown()
    luck: int = shown(default=0)


@apply.on(InitiativeRolled)
def _initiative_rolled(scene: Scene, event: InitiativeRolled) -> Scene:
    status: Status = scene[event.who].status
    return scene.change(event.who, initiative=event.total, luck=max(0, status.luck - event.luck))


@dataclass(frozen=True, kw_only=True)
class TurnBegan(Event):
    """What happens by itself at the beginning of a turn happens now."""

    who: str = shown()

    def in_words(self) -> str:
        """Nothing: what happens is told by itself."""
        return ""


@apply.on(TurnBegan)
def _turn_began(scene: Scene, event: TurnBegan) -> Scene:
    return scene.change(event.who, turn=scene[event.who].status.turn._replace(begun=True))


@dataclass(frozen=True, kw_only=True)
class Walked(Event):
    """Somebody moves: how, and with what consequences for the turn."""

    words = "{who} moves to {position}[ ({how})]"
    who: str = shown()
    how: str = shown(default="")
    position: Any = shown()
    charged: bool = shown(default=False)
    far: bool = shown(default=False)
    counts: bool = shown(default=True)


@apply.on(Walked)
def _walked(scene: Scene, event: Walked) -> Scene:
    turn = scene[event.who].status.turn
    turn = turn._replace(
        moved=turn.moved or event.counts, charged=turn.charged or event.charged, far=turn.far or event.far
    )
    scene = scene.change(event.who, turn=turn)
    return scene.with_participant(replaced(scene[event.who], position=event.position))


@dataclass(frozen=True, kw_only=True)
class Answered(Event):
    """A braced foe had its moment against a charge."""

    about = ("who", "by")
    words = "{by} meets the charge of {who}"
    who: str = shown()
    by: str = shown()


@apply.on(Answered)
def _answered(scene: Scene, event: Answered) -> Scene:
    turn = scene[event.who].status.turn
    return scene.change(event.who, turn=turn._replace(answered=(*turn.answered, event.by)))


@dataclass(frozen=True, kw_only=True)
class Stopped(Event):
    """A braced weapon has wounded a charger and thrown it to the ground: it does not get to attack."""

    about = ("who", "by")
    words = "{by} stops the charge of {who}"
    who: str = shown()
    by: str = shown()


@apply.on(Stopped)
def _stopped(scene: Scene, event: Stopped) -> Scene:
    return scene.change(event.who, turn=scene[event.who].status.turn._replace(stopped=True))


@dataclass(frozen=True, kw_only=True)
class Volley(Event):
    """Somebody is about to attack with several weapons."""

    who: str = shown()
    weapons: tuple[str, ...] = shown()
    spread: bool = shown(default=False)
    sweeps: bool = shown(default=False)

    def in_words(self) -> str:
        """With what; nothing where the attacks that were left are given up."""
        return f"{self.who} attacks with {' and '.join(map(spoken, self.weapons))}" if self.weapons else ""


@apply.on(Volley)
def _volley(scene: Scene, event: Volley) -> Scene:
    turn = scene[event.who].status.turn
    turn = turn._replace(
        volley=event.weapons, volley_of=len(event.weapons), spread=event.spread, against=(), sweeps=event.sweeps
    )
    return scene.change(event.who, turn=turn)


@dataclass(frozen=True, kw_only=True)
class Acted(Event):
    """Somebody did something that needs no more words, or the turn takes what it took."""

    words = "{who}: {what}"
    who: str = shown()
    what: str = shown()
    whom: str = shown(default="")
    free: str = shown(default="")


@apply.on(Acted)
def _acted(scene: Scene, event: Acted) -> Scene:
    if not event.free:
        return scene
    turn = scene[event.who].status.turn
    return scene.change(event.who, turn=turn._replace(free=tuple([one for one in turn.free if one != event.free])))


@dataclass(frozen=True, kw_only=True)
class Contested(Event):
    """Somebody tried something against somebody: who won, and the Luck that both spent."""

    about = ("who", "against")
    words = "{who}: {what} against {against}: {result}"
    who: str = shown()
    against: str = shown()
    what: str = shown()
    result: str = shown()
    luck: int = shown(default=0)
    their_luck: int = shown(default=0)


@apply.on(Contested)
def _contested(scene: Scene, event: Contested) -> Scene:
    if event.luck:
        scene = scene.change(event.who, luck=max(0, scene[event.who].status.luck - event.luck))
    if event.their_luck:
        scene = scene.change(event.against, luck=max(0, scene[event.against].status.luck - event.their_luck))
    return scene


@dataclass(frozen=True, kw_only=True)
class LuckChanged(Event):
    """Luck points were spent, gained or lost."""

    words = "{who}: Luck {change}[ ({why})]"
    who: str = shown()
    change: int = shown()
    why: str = shown(default="")


@apply.on(LuckChanged)
def _luck_changed(scene: Scene, event: LuckChanged) -> Scene:
    return scene.change(event.who, luck=max(0, scene[event.who].status.luck + event.change))


@dataclass(frozen=True, kw_only=True)
class HandsChanged(Event):
    """Somebody holds other things than before: drawn, stowed, dropped, thrown, made by magic."""

    words = "{who}: {what}"
    who: str = shown()
    what: str = shown()
    belongings: Belongings = shown(OWNER)
    lying: tuple[Lying, ...] = shown(default=())
    coated: tuple[tuple[str, str], ...] | None = shown(OWNER, default=None)


@apply.on(HandsChanged)
def _hands_changed(scene: Scene, event: HandsChanged) -> Scene:
    scene = scene.change(event.who, belongings=event.belongings)
    if event.coated is not None:
        scene = scene.change(event.who, coated=event.coated)
    return lay_down(scene, *event.lying) if event.lying else scene


@dataclass(frozen=True, kw_only=True)
class SustainChanged(Event):
    """Somebody sustains other things than before."""

    words = "{who}: {what}"
    who: str = shown()
    what: str = shown()
    sustained: tuple[Sustained, ...] = shown()
    luck: int = shown(default=0)


@apply.on(SustainChanged)
def _sustain_changed(scene: Scene, event: SustainChanged) -> Scene:
    status: Status = scene[event.who].status
    mine = scene.turn == event.who and len(event.sustained) > len(status.sustained)
    turn = status.turn._replace(begun=True) if mine else status.turn  # what it begins with has been
    left = max(0, status.luck - event.luck)
    scene = scene.change(event.who, sustained=event.sustained, luck=left, turn=turn)
    return with_durability(scene, event.who)
