"""Events of fights: attacks, damage, turns and gear in hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from tablewright.game.play.common_apply import common_reducer
from tablewright.game.play.costs import Cost, CostPaid
from tablewright.game.play.effects import Effect
from tablewright.game.scene.events import ParticipantEvent, Reducer, unchanged
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.systems.stage.status import (
    ANCHOR,
    PURSES,
    Gift,
    Progress,
    Status,
    after_loss,
    after_restoring,
    arriving,
    health,
    most,
    pay,
    stands,
)
from tablewright.systems.stage.values import CORE, SURFACE, Attribute

NOTHING = Cost()
FAINTS = ("cold", "extreme cold", "heat", "extreme heat", "radiation low", "radiation high", "drowning")
"""Causes of fainting; one wakes when a surface point is restored after the cause has ended."""

happens: Reducer[Scene] = Reducer(common_reducer)


@happens.by(unchanged)
class AttackDeclared(ParticipantEvent):
    """A character attacks another, with what; what comes of it is not known yet."""

    mentions = ("who", "by")
    template = "{by} attacks {who}: {what}"
    by: str = visible()
    what: str = visible()


class Attacked(ParticipantEvent):
    """A character was attacked: how, whether it hit, what got through, and what everyone spent on it.

    ``paid`` is what the target spent, ``spent`` the attacker beyond AP, ``lent`` an ally of the target. ``survived`` is
    the power that kept the last core point; ``fallen`` says who is out of it by what was lost or paid.
    """

    mentions = ("who", "by")
    by: str = visible()
    what: str = visible()
    hit: bool = visible()
    damage: int = visible(default=0)
    attribute: Attribute = visible(default="body")
    form: str = visible(default="")
    defence: str = visible(default="")
    block: str = visible(default="")
    ally: str = visible(default="")
    weapon: str = visible(default="")
    paid: Cost = visible(default=NOTHING)
    spent: Cost = visible(default=NOTHING)
    lent: Cost = visible(default=NOTHING)
    non_lethal: bool = visible(default=False)
    survived: str = visible(default="")
    botch: bool = visible(default=False)
    fallen: str = visible(default="")

    def narrate(self) -> str:
        """The attack in one line."""
        did = "hits" if self.hit else "botches against" if self.botch else "misses"
        trap = self.by == self.who  # no one is behind it
        what = "bare hands" if self.what == "unarmed" else self.what
        how = f"{what} {did} {self.who}" if trap else f"{self.by} {did} {self.who} with {what}"
        if self.form and self.form != "plain":
            how += f" ({self.form.replace('_', ' ')})"
        if self.defence and self.defence != "nothing":
            how += f"; {self.ally + ': ' if self.ally and not self.block else ''}{self.defence.replace('_', ' ')}"
        end = f"; {self.survived.replace('_', ' ')} keeps the last point" if self.survived else ""
        end += f"; {self.fallen}" if self.fallen else ""
        if not self.hit:
            return how + end
        how += f"; {self.block.replace('_', ' ')}" if self.block else ""
        return how + (f": {self.damage} {self.attribute.title()} damage" if self.damage else ": no damage") + end


def harmed(
    scene: Scene, who: str, attribute: Attribute, damage: int, *, keeps: int = 0, non_lethal: bool = False
) -> Scene:
    """A character takes damage: surface first, then core; Body damage ends first aid, core damage a suppression.

    (stage.resource.damage_overflow, stage.resource.death)
    """
    status: Status = scene[who].status
    if damage <= 0:
        return scene
    if status.integrity is not None and attribute == "body":  # stage.mount.properties
        return scene.with_status(who, integrity=max(0, status.integrity - damage))
    if attribute in status.lacks:
        return scene
    arrives = arriving(status, attribute, damage)
    if arrives != damage:
        status = replace(status, lasting=tuple([one for one in status.lasting if one.id != ANCHOR]))
        scene = scene.with_status(who, lasting=status.lasting)
        damage = arrives
    if non_lethal:
        damage = min(damage, getattr(status, SURFACE[attribute]) + status.temporary.get(SURFACE[attribute], 0))
    changed = after_loss(status, attribute, damage, keeps=keeps, now=scene.clock.now)
    if attribute == "body" and status.first_aid:
        changed["first_aid"] = False  # stage.medicine.first_aid
    if CORE[attribute] in changed and status.held("war_cry") is not None:
        changed["lasting"] = tuple([one for one in status.lasting if not _suppresses(one)])
    return scene.with_status(who, **changed) if changed else scene


def _suppresses(held: Effect) -> bool:
    """True if a War Cry keeps Disability Counters from counting (stage.power_effect.war_cry)."""
    return held.id == "war_cry" and isinstance(held.data, Gift) and "disability" in held.data.on


def paid_for(scene: Scene, event: Attacked | Tried) -> Scene:
    """The scene after everyone has paid for an attack and against it; the one who helps breaks off what was begun.

    (stage.damage.order, stage.action.multi_turn)
    """
    if event.spent.amounts:
        scene = pay(scene, event.by, event.spent.amounts)
    if event.paid.amounts:
        scene = pay(scene, event.who, event.paid.amounts)
    if event.lent.amounts:
        scene = pay(scene, event.ally, event.lent.amounts)
        if scene[event.ally].status.progress is not None:
            scene = scene.with_status(event.ally, progress=None)
    return scene


@happens.on(Attacked)
def _attacked(scene: Scene, event: Attacked) -> Scene:
    scene = paid_for(scene, event)
    keeps = int(bool(event.survived))
    scene = harmed(scene, event.who, event.attribute, event.damage, keeps=keeps, non_lethal=event.non_lethal)
    status: Status = scene[event.who].status
    defended = event.defence not in ("", "nothing") and not event.ally
    if status.progress is not None and (defended or event.paid.amounts):
        scene = scene.with_status(event.who, progress=None)  # stage.action.multi_turn
    if event.survived:  # stage.power_effect.survive
        day = status.day.changed(used=status.day.used.put(event.survived, status.day.used.get(event.survived, 0) + 1))
        scene = scene.with_status(event.who, day=day)
    if event.by == event.who or event.by not in scene:
        return scene
    by: Status = scene[event.by].status
    if event.weapon:
        return scene.with_status(
            event.by, ambush=False, attacks=by.attacks.put(event.weapon, by.attacks.get(event.weapon, 0) + 1)
        )
    return scene.with_status(event.by, ambush=False) if by.ambush else scene


class Tried(ParticipantEvent):
    """A character tried something against another in one roll: whether it came off, and what the other spent."""

    mentions = ("who", "by")
    by: str = visible()
    what: str = visible()
    success: bool = visible()
    defence: str = visible(default="")
    ally: str = visible(default="")
    paid: Cost = visible(default=NOTHING)
    lent: Cost = visible(default=NOTHING)
    spent: Cost = visible(default=NOTHING)
    weapon: str = visible(default="")
    reveals: bool = visible(default=True)
    fallen: str = visible(default="")

    def narrate(self) -> str:
        """The attempt in one line.

        >>> print(Tried(who="guard", by="ann", what="guile.bluff", success=True, defence="dodge").narrate())
        ann tries bluff on guard; dodge: it works
        """
        how = f"{self.by} tries {self.what.rpartition('.')[2].replace('_', ' ')}"
        how += f" on {self.who}" if self.by != self.who else ""
        how += f"; {self.defence.replace('_', ' ')}" if self.defence else ""
        how += ": it works" if self.success else ": it fails"
        return how + (f"; {self.fallen}" if self.fallen else "")


@happens.on(Tried)
def _tried(scene: Scene, event: Tried) -> Scene:
    scene = paid_for(scene, event)
    if event.defence not in ("", "nothing") and not event.ally and scene[event.who].status.progress is not None:
        scene = scene.with_status(event.who, progress=None)
    by: Status = scene[event.by].status
    if event.weapon:
        scene = scene.with_status(event.by, attacks=by.attacks.put(event.weapon, by.attacks.get(event.weapon, 0) + 1))
    return scene.with_status(event.by, ambush=False) if by.ambush and event.reveals else scene


class Spent(ParticipantEvent):
    """A character has spent points or AP on something that has no price of its own."""

    price: Cost = visible(OWNER)
    on: str = visible(default="")

    def narrate(self) -> str:
        """The price in one line."""
        return f"{self.who} spends {PURSES.words(self.price)}" + (f" on {self.on}" if self.on else "")


@happens.on(Spent)
def _spent(scene: Scene, event: Spent) -> Scene:
    """Abandon an action in progress when AP are spent on something else (stage.action.multi_turn)."""
    scene = PURSES.paid(scene, event.who, event.price)
    return scene if scene[event.who].status.progress is None else scene.with_status(event.who, progress=None)


@happens.on(CostPaid, instead=True)
def _paid(scene: Scene, event: CostPaid) -> Scene:
    """AP and points; an interruption uses the AP prepared for it, and anything else breaks what was begun."""
    status: Status = scene[event.who].status
    amounts = event.price.amounts
    prepared = status.held("prepared") is not None and (scene.turn not in (None, event.who) or not status.ap)
    if prepared and event.price["ap"]:
        scene = scene.with_status(event.who, lasting=tuple([one for one in status.lasting if one.id != "prepared"]))
        amounts = tuple([one for one in amounts if one[0] != "ap"])
    scene = pay(scene, event.who, amounts)
    return scene if status.progress is None else scene.with_status(event.who, progress=None)


class Begun(ParticipantEvent):
    """A character has begun an action that takes more AP than are left; it goes on in the next turn."""

    template = "{who} begins {use}: {ap} AP so far"
    use: str = visible()
    ap: int = visible()


@happens.on(Begun)
def _begun(scene: Scene, event: Begun) -> Scene:
    status: Status = scene[event.who].status
    before = status.progress.ap if status.progress is not None and status.progress.use == event.use else 0
    return scene.with_status(event.who, ap=0, progress=Progress(event.use, before + event.ap))


@happens.sets(ap=lambda status, event: max(0, status.ap + event.amount))
class ApChanged(ParticipantEvent):
    """A character has gained or lost AP by something other than doing things."""

    template = "{who}: {amount} AP"
    amount: int = visible()


class Hurt(ParticipantEvent):
    """Damage from a source other than an attack. Points ``held_back`` by it are not restored before it ends."""

    template = "{who}: {damage} {attribute} damage, {source}[; {fallen}]"
    damage: int = visible()
    attribute: Attribute = visible(default="body")
    source: str = visible(default="")
    held_back: str = visible(default="")
    ailment: str = visible(default="")
    fallen: str = visible(default="")


@happens.on(Hurt)
def _hurt(scene: Scene, event: Hurt) -> Scene:
    before: Status = scene[event.who].status
    scene = harmed(scene, event.who, event.attribute, event.damage)
    after: Status = scene[event.who].status
    surface, core = SURFACE[event.attribute], CORE[event.attribute]
    lost = {track: getattr(before, track) - getattr(after, track) for track in (surface, core)}
    if event.held_back:
        held = after.blocked.get(event.held_back) or type(after.attacks)()
        for track, points in lost.items():
            if points:
                held = held.put(track, held.get(track, 0) + points)
        scene = scene.with_status(event.who, blocked=after.blocked.put(event.held_back, held))
    if event.ailment:
        scene = scene.with_status(event.who, sicknesses=_harmed_by(after, event.ailment, lost))
    return scene


def _harmed_by(status: Status, ailment: str, lost: Mapping[Any, int]) -> tuple[object, ...]:
    found = []
    for one in status.sicknesses:
        if one.ailment == ailment:
            harm = one.harm
            for track, points in lost.items():
                if points:
                    harm = harm.put(track, harm.get(track, 0) + points)
            one = one.changed(harm=harm)  # noqa: PLW2901
        found.append(one)
    return tuple(found)


class Restored(ParticipantEvent):
    """Points of a track have come back, as far as they can."""

    template = "{who}: {amount} {track} restored"
    track: str = visible()
    amount: int = visible()


def fainted(status: Status) -> bool:
    """True if a character has fainted from something that is over: a point that comes back wakes them."""
    return status.unconscious in FAINTS and not any(cause.replace("_", " ") in FAINTS for cause in status.blocked)


@happens.on(Restored)
def _restored(scene: Scene, event: Restored) -> Scene:
    status: Status = scene[event.who].status
    changed = after_restoring(status, most(scene, event.who), event.track, event.amount)
    if event.track == "vitality" and changed["vitality"] >= most(scene, event.who).vitality:
        changed["first_aid"] = False  # its counters are gone (stage.medicine.first_aid)
    if fainted(status) and event.track in SURFACE.values() and changed[event.track] > getattr(status, event.track):
        changed["unconscious"] = ""  # stage.gap.recovery.waking
    return scene.with_status(event.who, **changed)


class Refreshed(ParticipantEvent):
    """Temporary points, which are used first and end with the encounter; the higher number counts."""

    template = "{who}: {amount} temporary {track}"
    track: str = visible()
    amount: int = visible()


@happens.on(Refreshed)
def _refreshed(scene: Scene, event: Refreshed) -> Scene:
    status: Status = scene[event.who].status
    now = max(status.temporary.get(event.track, 0), event.amount)
    return scene.with_status(event.who, temporary=status.temporary.put(event.track, now))


@happens.sets(unconscious=lambda _, event: event.how, progress=None)
class FellUnconscious(ParticipantEvent):
    """A character has lost consciousness, and by what."""

    template = "{who} is unconscious: {how}"
    how: str = visible()


@happens.sets(unconscious="", under=0)
class Woke(ParticipantEvent):
    """A character is awake again."""

    template = "{who} comes to"


@happens.sets(
    day=lambda status, event: status.day.changed(
        used=status.day.used.put(event.what, status.day.used.get(event.what, 0) + 1)
    )
)
class Used(ParticipantEvent):
    """A character has used what can be done only so often a day."""

    template = "{who} has used {what} today"
    what: str = visible(OWNER)


# ---------------------------------------------------------------------- who falls

Harmful = TypeVar("Harmful", Attacked, Tried, Hurt)


def emit_harm(game: Game, event: Harmful) -> None:
    """Let it happen, saying who is out of it by damage or by what was paid (stage.resource.death)."""
    after = happens(game.scene, event)
    people = dict.fromkeys([getattr(event, name, "") for name in ("who", "by", "ally")])
    fallen = [who for who in people if who in after and stands(game[who]) and not stands(after[who])]
    words = ", ".join([f"{game.scene.display_name(who)} is {health(after[who])}" for who in fallen])
    game.emit(replace(event, fallen=words) if words else event)
