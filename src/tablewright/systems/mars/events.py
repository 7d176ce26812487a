"""Everything that can happen in a MARS scene, as small facts, and how each of them changes the scene."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tablewright.game import common as table
from tablewright.game.belongings import Belongings
from tablewright.game.common import CharacterChanged, Joined, RoundStarted, Ruled, TurnEnded, common
from tablewright.game.events import OWNER, Apply, Event, shown
from tablewright.game.ground import Position
from tablewright.game.scene import Scene
from tablewright.systems.mars import effects as stack
from tablewright.systems.mars.attack import Defence
from tablewright.systems.mars.character import Effect, EffectKind
from tablewright.systems.mars.damage import Fate
from tablewright.systems.mars.status import Fight, Incoming, Lying, Manner, Ready, ReadyTrigger, Status, Turn, Work, fight
from tablewright.systems.mars.values import Degree

apply: Apply[Scene] = Apply(common)


# ---------------------------------------------------------------------- what an action costs


@dataclass(frozen=True, kw_only=True)
class Costly(Event):
    """Somebody did something that takes time or strength."""

    who: str = shown()
    seconds: int = shown(default=0)
    free: bool = shown(default=False)
    stamina: int = shown(default=0)
    focus: int = shown(default=0)
    reaction: bool = shown(default=False)


def paid(scene: Scene, event: Costly, **changes: Any) -> Scene:
    """The scene after somebody paid for what they did, with further changes of their status."""
    participant = scene[event.who]
    status: Status = participant.status
    turn: Turn = changes.pop("turn", status.turn)
    turn = turn._replace(
        seconds=turn.seconds - event.seconds,
        free=turn.free and not event.free,
        reaction=turn.reaction and not event.reaction,
        fresh=turn.fresh and event.reaction,
    )
    status = replace(
        status, turn=turn, stamina=status.stamina - event.stamina, focus=status.focus - event.focus, **changes
    )
    return scene.with_participant(replace(participant, status=status))


def told(event: Event, words: str) -> str:
    """A line about an event with what it cost."""
    cost = []
    if isinstance(event, Costly):
        cost = [f"{event.seconds} s"] if event.seconds else []
        cost += ["reaction"] if event.reaction else []
        cost += [f"{event.stamina} stamina"] if event.stamina else []
        cost += [f"{event.focus} focus"] if event.focus else []
    return f"{words} ({', '.join(cost)})" if cost else words


# ---------------------------------------------------------------------- the encounter


@dataclass(frozen=True, kw_only=True)
class OrderDecided(Event):
    """Who acts when, delays left aside, and whether it begins with a surprise round."""

    about: ClassVar[tuple[str, ...]] = ()
    order: tuple[str, ...] = shown()
    surprise: bool = shown(default=False)

    def in_words(self) -> str:
        """The order."""
        return f"{'surprise! ' if self.surprise else ''}order: {', '.join(self.order)}"


@apply.on(OrderDecided)
def _order_decided(scene: Scene, event: OrderDecided) -> Scene:
    known = fight(scene)
    return replace(
        scene, order=event.order, extra=replace(known, begun=True, surprise=event.surprise, order=event.order)
    )


@dataclass(frozen=True, kw_only=True)
class InitiativeRolled(Event):
    """Somebody rolled initiative."""

    who: str = shown()
    total: int = shown()

    def in_words(self) -> str:
        """Who, and how much."""
        return f"{self.who} rolls initiative {self.total}"


@apply.on(InitiativeRolled)
def _initiative_rolled(scene: Scene, event: InitiativeRolled) -> Scene:
    return scene.change(event.who, initiative=event.total)


@dataclass(frozen=True, kw_only=True)
class WasSurprised(Event):
    """Somebody is unaware of all opponents."""

    who: str = shown()

    def in_words(self) -> str:
        """Who."""
        return f"{self.who} is surprised"


@apply.on(WasSurprised)
def _was_surprised(scene: Scene, event: WasSurprised) -> Scene:
    return scene.change(event.who, surprised=True)


@dataclass(frozen=True, kw_only=True)
class SurpriseOver(Event):
    """The surprise round is over: everybody is aware, and everybody has a place in the order."""

    about: ClassVar[tuple[str, ...]] = ()
    order: tuple[str, ...] = shown()

    def in_words(self) -> str:
        """The order from now on."""
        return f"the surprise is over; order: {', '.join(self.order)}"


@apply.on(SurpriseOver)
def _surprise_over(scene: Scene, event: SurpriseOver) -> Scene:
    for one in scene.participants:
        if one.status.surprised:
            scene = scene.change(one.id, surprised=False)
    return replace(scene, order=event.order, extra=replace(fight(scene), surprise=False, order=event.order))


@apply.on(RoundStarted, instead=True)
def _round_started(scene: Scene, event: RoundStarted) -> Scene:
    options = scene.options
    known = fight(scene)
    everybody = []
    for one in scene.participants:
        status: Status = one.status
        if status.delayed or (options.reaction_refresh == "round_start" and not status.turn.reaction):
            fresh = options.reaction_refresh == "round_start"
            turn = status.turn._replace(reaction=True) if fresh else status.turn
            one = replace(one, status=replace(status, delayed=False, turn=turn))
        everybody.append(one)
    order = scene.order if options.delay_persists or not known.begun else known.order
    return replace(scene, round=event.number, acted=(), turn=None, order=order, participants=tuple(everybody))


@dataclass(frozen=True, kw_only=True)
class TurnBegan(Event):
    """Somebody's turn has truly begun: time, the free action and the reaction are there again, stuns take their toll."""

    who: str = shown()
    stuns: int = shown(default=0)

    def in_words(self) -> str:
        """Whose turn, and what stuns took of it."""
        lost = f", {self.stuns} times stunned" if self.stuns else ""
        return f"{self.who} begins{lost}"


@apply.on(TurnBegan)
def _turn_began(scene: Scene, event: TurnBegan) -> Scene:
    status: Status = scene[event.who].status
    turn = Turn.begun(event.stuns)
    if scene.options.reaction_refresh == "round_start":
        turn = turn._replace(reaction=status.turn.reaction)
    lapses = scene.options.ready_expiry == "next_own_turn"
    return scene.change(
        event.who,
        turn=turn,
        earlier=status.turn,
        ready=None if lapses else status.ready,
        effects=stack.end(status.effects, "stunned") if event.stuns else status.effects,
    )


@apply.on(TurnEnded, instead=True)
def _turn_ended(scene: Scene, event: TurnEnded) -> Scene:
    scene = replace(scene, turn=None, acted=(*scene.acted, event.who))
    if event.who not in scene:
        return scene
    turn: Turn = scene[event.who].status.turn
    return scene.change(event.who, turn=turn._replace(seconds=0, free=False, fresh=False), earlier=None)


@dataclass(frozen=True, kw_only=True)
class Delayed(Event):
    """Somebody acts later in this round."""

    about = ("who", "after")
    who: str = shown()
    after: str = shown()

    def in_words(self) -> str:
        """After whom."""
        return f"{self.who} waits until after {self.after}"


@apply.on(Delayed)
def _delayed(scene: Scene, event: Delayed) -> Scene:
    status: Status = scene[event.who].status
    turn = status.earlier if status.earlier is not None else status.turn
    scene = scene.change(event.who, delayed=True, turn=turn, earlier=None)
    others = [who for who in scene.order if who != event.who]
    at = others.index(event.after) + 1
    order = (*others[:at], event.who, *others[at:])
    known = fight(scene)
    base = order if scene.options.delay_persists else known.order
    return replace(scene, turn=None, order=order, extra=replace(known, order=base))


@apply.on(Joined, instead=True)
def _joined(scene: Scene, event: Joined) -> Scene:
    came = event.participant
    changed = replace(event, participant=replace(came, status=replace(came.status, initiative=None)))
    return table._joined(scene, changed)  # noqa: SLF001 - the table's own way, with a clean status


# ---------------------------------------------------------------------- attacks


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
        by = f", {self.maneuver.replace('_', ' ')}" if self.maneuver else ""
        return told(self, f"{self.who} {how} {self.target} with {self.weapon.replace('_', ' ')}{by}")


@apply.on(AttackDeclared)
def _attack_declared(scene: Scene, event: AttackDeclared) -> Scene:
    status: Status = scene[event.who].status
    turn = status.turn
    if event.counted:
        turn = turn._replace(
            attacks=turn.attacks + 1, attacked=(*turn.attacked, event.target), weapon=event.weapon
        )
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
    lying = (*known.lying, *event.lying)
    return replace(scene, extra=replace(known, incoming=(*known.incoming, event.blow), lying=lying))


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
    return replace(scene, extra=replace(known, incoming=kept if blow is None else (*kept, blow)))


@dataclass(frozen=True, kw_only=True)
class AttackRolled(Event):
    """An attack came to a total before the defence was declared or met."""

    who: str = shown()
    total: int = shown()


@apply.on(AttackRolled)
def _attack_rolled(scene: Scene, event: AttackRolled) -> Scene:
    blow = fight(scene).blow
    assert blow is not None
    return _with_blow(scene, blow._replace(total=event.total))


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
    """Somebody changes places with an ally and becomes the target."""

    about = ("who", "ally")
    ally: str = shown()
    rating: int = shown()
    maneuver: str = shown()

    def in_words(self) -> str:
        """For whom."""
        return told(self, f"{self.who} steps in for {self.ally}")


@apply.on(Intercepted)
def _intercepted(scene: Scene, event: Intercepted) -> Scene:
    turn: Turn = scene[event.who].status.turn
    scene = paid(scene, event, turn=turn._replace(maneuvers=(*turn.maneuvers, event.maneuver)))
    one, other = scene[event.who], scene[event.ally]
    scene = scene.with_participant(replace(one, position=other.position))
    scene = scene.with_participant(replace(other, position=one.position))
    blow = fight(scene).blow
    assert blow is not None
    return _with_blow(
        scene, blow._replace(target=event.who, rating=event.rating, cost_free=True, intercepted=True, defence=None)
    )


@dataclass(frozen=True, kw_only=True)
class WouldHit(Event):
    """An attack would hit; the shield may still come between."""

    about = ("who", "by")
    who: str = shown()
    by: str = shown()
    degree: Degree = shown()
    effect: Degree | None = shown(default=None)


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
    if blow.reaction:
        return scene
    _, bonus = turn.backswing if turn.backswing[0] == blow.weapon else ("", 0)
    return scene.change(event.by, turn=turn._replace(backswing=(blow.weapon, bonus + 2)))


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
        how = {Degree.GRAZE: "grazes", Degree.SUCCESS: "hits", Degree.CRITICAL: "hits critically"}[self.degree]
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
    if not blow.reaction:
        turn = turn._replace(backswing=("", 0)) if turn.backswing[0] == blow.weapon else turn
    if event.who not in turn.hit:
        turn = turn._replace(hit=(*turn.hit, event.who))
    return scene.change(event.by, turn=turn)


# ---------------------------------------------------------------------- harm


@dataclass(frozen=True, kw_only=True)
class Hurt(Event):
    """Somebody took damage from something else than an attack."""

    who: str = shown()
    damage: int = shown()
    by: str = shown()
    endurance: int = shown(OWNER, default=0)
    health: int = shown(OWNER, default=0)

    def in_words(self) -> str:
        """How much, and from what."""
        return f"{self.who} takes {self.damage} damage ({self.by})"


@apply.on(Hurt)
def _hurt(scene: Scene, event: Hurt) -> Scene:
    status: Status = scene[event.who].status
    return scene.change(
        event.who, endurance=status.endurance - event.endurance, health=status.health - event.health
    )


@dataclass(frozen=True, kw_only=True)
class HealthLost(Event):
    """Somebody lost health without damage."""

    who: str = shown()
    amount: int = shown(OWNER)
    why: str = shown()


@apply.on(HealthLost)
def _health_lost(scene: Scene, event: HealthLost) -> Scene:
    return scene.change(event.who, health=scene[event.who].status.health - event.amount)


@dataclass(frozen=True, kw_only=True)
class Tolerated(Event):
    """Pain tolerance: what went beyond the last endurance is lost, once in an encounter."""

    who: str = shown()


@apply.on(Tolerated)
def _tolerated(scene: Scene, event: Tolerated) -> Scene:
    return scene.change(event.who, tolerated=True)


@dataclass(frozen=True, kw_only=True)
class Fell(Event):
    """Somebody went down: unconscious, or dying as well. ``awake`` is who stays conscious while dying."""

    who: str = shown()
    fate: Fate = shown()
    awake: bool = shown(default=False)
    source: str = shown(default="")

    def in_words(self) -> str:
        """What has become of them."""
        awake = ", but stays conscious" if self.awake else ""
        return f"{self.who} is {self.fate.value}{awake}"


@apply.on(Fell)
def _fell(scene: Scene, event: Fell) -> Scene:
    status: Status = scene[event.who].status
    effects = status.effects
    if event.fate is Fate.DYING:
        effects = stack.end(effects, "unconscious", source="nonlethal")
        effects = stack.gain(effects, Effect("dying"))
    if event.awake:
        return scene.change(event.who, effects=effects)
    effects = stack.gain(stack.gain(effects, Effect("unconscious", source=event.source)), Effect("prone"))
    effects = stack.end_source(effects, status.concentration) if status.concentration else effects
    return scene.change(event.who, effects=effects, concentration="", ready=None, work=None)


@dataclass(frozen=True, kw_only=True)
class DyingChecked(Event):
    """A dying character's check was counted."""

    who: str = shown()
    successes: int = shown(OWNER)
    failures: int = shown(OWNER)


@apply.on(DyingChecked)
def _dying_checked(scene: Scene, event: DyingChecked) -> Scene:
    status: Status = scene[event.who].status
    effects = tuple(
        [
            replace(one, successes=one.successes + event.successes, failures=one.failures + event.failures)
            if one.kind == "dying"
            else one
            for one in status.effects
        ]
    )
    return scene.change(event.who, effects=effects)


@dataclass(frozen=True, kw_only=True)
class Stabilised(Event):
    """Somebody is no longer dying; who was unconscious stays so."""

    who: str = shown()

    def in_words(self) -> str:
        """Who."""
        return f"{self.who} is stable"


@apply.on(Stabilised)
def _stabilised(scene: Scene, event: Stabilised) -> Scene:
    return scene.change(event.who, effects=stack.end(scene[event.who].status.effects, "dying"))


@dataclass(frozen=True, kw_only=True)
class Died(Event):
    """Somebody is dead."""

    who: str = shown()

    def in_words(self) -> str:
        """Who."""
        return f"{self.who} dies"


@apply.on(Died)
def _died(scene: Scene, event: Died) -> Scene:
    return scene.change(event.who, dead=True, concentration="", ready=None, work=None)


@dataclass(frozen=True, kw_only=True)
class Woke(Event):
    """Somebody is conscious again, still lying where they fell."""

    who: str = shown()

    def in_words(self) -> str:
        """Who."""
        return f"{self.who} wakes up"


@apply.on(Woke)
def _woke(scene: Scene, event: Woke) -> Scene:
    return scene.change(event.who, effects=stack.end(scene[event.who].status.effects, "unconscious"))


# ---------------------------------------------------------------------- effects


@dataclass(frozen=True, kw_only=True)
class EffectGained(Event):
    """An effect has taken hold of somebody."""

    who: str = shown()
    effect: Effect = shown()

    def in_words(self) -> str:
        """Who has what."""
        effect = self.effect
        what = " ".join([part for part in (effect.kind.replace("_", " "), effect.stat) if part])
        number = f" {effect.degree}" if effect.degree > 1 else f" {effect.value:+d}" if effect.value else ""
        return f"{self.who}: {what}{number}"


@apply.on(EffectGained)
def _effect_gained(scene: Scene, event: EffectGained) -> Scene:
    status: Status = scene[event.who].status
    changes: dict[str, Any] = {"effects": stack.gain(status.effects, event.effect)}
    if event.effect.kind == "stunned":  # it interrupts: mars.effect.stun_interrupts
        changes |= {"ready": None, "work": None}
    return scene.change(event.who, **changes)


@dataclass(frozen=True, kw_only=True)
class EffectEnded(Event):
    """An effect is over."""

    who: str = shown()
    effect: EffectKind = shown()
    stat: str | None = shown(default=None)
    source: str | None = shown(default=None)

    def in_words(self) -> str:
        """Who is rid of what."""
        return f"{self.who}: {self.effect.replace('_', ' ')} ends"


@apply.on(EffectEnded)
def _effect_ended(scene: Scene, event: EffectEnded) -> Scene:
    left = stack.end(scene[event.who].status.effects, event.effect, stat=event.stat, source=event.source)
    return scene.change(event.who, effects=left)


@dataclass(frozen=True, kw_only=True)
class BurnedDown(Event):
    """A fire on somebody lost a degree."""

    who: str = shown()


@apply.on(BurnedDown)
def _burned_down(scene: Scene, event: BurnedDown) -> Scene:
    effects = tuple(
        [
            replace(one, degree=one.degree - 1) if one.kind == "burning" else one
            for one in scene[event.who].status.effects
            if one.kind != "burning" or one.degree > 1
        ]
    )
    return scene.change(event.who, effects=effects)


@dataclass(frozen=True, kw_only=True)
class ConcentrationChanged(Event):
    """Somebody concentrates on something else, or on nothing; what was kept up by it ends."""

    who: str = shown()
    on: str = shown(default="")

    def in_words(self) -> str:
        """On what."""
        return f"{self.who} concentrates on {self.on}" if self.on else f"{self.who} loses concentration"


@apply.on(ConcentrationChanged)
def _concentration_changed(scene: Scene, event: ConcentrationChanged) -> Scene:
    status: Status = scene[event.who].status
    effects = status.effects
    if status.concentration and status.concentration != event.on:
        effects = stack.end_source(effects, status.concentration)
    return scene.change(event.who, concentration=event.on, effects=effects)


# ---------------------------------------------------------------------- what is done


@dataclass(frozen=True, kw_only=True)
class Walked(Costly):
    """Somebody moves: where to, and how far."""

    position: Position = shown()
    metres: int = shown(default=0)

    def in_words(self) -> str:
        """Where to."""
        return told(self, f"{self.who} moves to {self.position}")


@apply.on(Walked)
def _walked(scene: Scene, event: Walked) -> Scene:
    turn: Turn = scene[event.who].status.turn
    scene = paid(scene, event, turn=turn._replace(moves=turn.moves + 1))
    scene = scene.with_participant(replace(scene[event.who], position=event.position))
    return replace(scene, extra=replace(fight(scene), mover=event.who))


@dataclass(frozen=True, kw_only=True)
class Stopped(Event):
    """Somebody's movement is over for this turn."""

    who: str = shown()


@apply.on(Stopped)
def _stopped(scene: Scene, event: Stopped) -> Scene:
    turn: Turn = scene[event.who].status.turn
    return scene.change(event.who, turn=turn._replace(stopped=True))


@dataclass(frozen=True, kw_only=True)
class Acted(Costly):
    """Somebody did something: what, on whom or with what, and what became of it."""

    action: str = shown()
    target: str | None = shown(default=None)
    detail: str = shown(default="")
    check: bool = shown(default=False)

    about = ("who", "target")

    def in_words(self) -> str:
        """What."""
        on = f" {self.target}" if self.target else ""
        detail = f" {self.detail.replace('_', ' ')}" if self.detail else ""
        return told(self, f"{self.who}: {self.action.replace('_', ' ')}{on}{detail}")


@apply.on(Acted)
def _acted(scene: Scene, event: Acted) -> Scene:
    turn: Turn = scene[event.who].status.turn
    return paid(scene, event, turn=turn._replace(checks=turn.checks + event.check))


@dataclass(frozen=True, kw_only=True)
class ManeuverUsed(Costly):
    """Somebody uses a maneuver that is more than an attack."""

    maneuver: str = shown()
    target: str | None = shown(default=None)

    about = ("who", "target")

    def in_words(self) -> str:
        """Which one."""
        on = f" on {self.target}" if self.target else ""
        return told(self, f"{self.who}: {self.maneuver.replace('_', ' ')}{on}")


@apply.on(ManeuverUsed)
def _maneuver_used(scene: Scene, event: ManeuverUsed) -> Scene:
    turn: Turn = scene[event.who].status.turn
    return paid(scene, event, turn=turn._replace(maneuvers=(*turn.maneuvers, event.maneuver)))


@dataclass(frozen=True, kw_only=True)
class HandsChanged(Costly):
    """Somebody wields other things now, has reloaded or picked something up."""

    belongings: Belongings = shown(OWNER)
    what: str = shown()
    picked_up: str = shown(default="")

    def in_words(self) -> str:
        """What."""
        return told(self, f"{self.who}: {self.what}")


@apply.on(HandsChanged)
def _hands_changed(scene: Scene, event: HandsChanged) -> Scene:
    scene = paid(scene, event, belongings=event.belongings)
    if not event.picked_up:
        return scene
    known = fight(scene)
    lying = list(known.lying)
    at = next(at for at, one in enumerate(lying) if one.item == event.picked_up)
    del lying[at]
    return replace(scene, extra=replace(known, lying=tuple(lying)))


@dataclass(frozen=True, kw_only=True)
class GotReady(Costly):
    """Somebody waits for a trigger with an action."""

    trigger: ReadyTrigger = shown(OWNER)
    action: str = shown(OWNER)

    def in_words(self) -> str:
        """For what."""
        return told(self, f"{self.who} readies {self.action} for: {self.trigger.replace('_', ' ')}")


@apply.on(GotReady)
def _got_ready(scene: Scene, event: GotReady) -> Scene:
    return paid(scene, event, ready=Ready(event.trigger, event.action))


@dataclass(frozen=True, kw_only=True)
class ReadyTaken(Event):
    """Somebody's readied action is carried out now, as a reaction; ``over`` when it has been."""

    who: str = shown()
    over: bool = shown(default=False)

    def in_words(self) -> str:
        """Who."""
        return f"{self.who} has done it" if self.over else f"{self.who} was ready for that"


@apply.on(ReadyTaken)
def _ready_taken(scene: Scene, event: ReadyTaken) -> Scene:
    turn: Turn = scene[event.who].status.turn
    if event.over:
        return scene.change(event.who, turn=turn._replace(reacting=False))
    return scene.change(event.who, ready=None, turn=turn._replace(reacting=True, reaction=False))


@dataclass(frozen=True, kw_only=True)
class WorkedOn(Costly):
    """Somebody goes on with an extended action; without work it is given up or done."""

    work: Work | None = shown(default=None)
    given_up: bool = shown(default=False)

    def in_words(self) -> str:
        """How far it has come."""
        if self.work is None:
            return f"{self.who} {'gives it up' if self.given_up else 'is done'}"
        return told(self, f"{self.who} works on {self.work.detail}: {self.work.done} of {self.work.needed} s")


@apply.on(WorkedOn)
def _worked_on(scene: Scene, event: WorkedOn) -> Scene:
    return paid(scene, event, work=event.work)


@dataclass(frozen=True, kw_only=True)
class CaughtBreath(Costly):
    """A second wind: endurance is back."""

    endurance: int = shown(OWNER)

    def in_words(self) -> str:
        """Who."""
        return told(self, f"{self.who} gets a second wind")


@apply.on(CaughtBreath)
def _caught_breath(scene: Scene, event: CaughtBreath) -> Scene:
    status: Status = scene[event.who].status
    used = status.used.put("second_wind", status.used.get("second_wind", 0) + 1)
    return paid(
        scene,
        event,
        endurance=status.endurance + event.endurance,
        used=used,
        turn=status.turn._replace(talents=(*status.turn.talents, "second_wind")),
    )


@dataclass(frozen=True, kw_only=True)
class FlewIntoRage(Costly):
    """Somebody rages: stronger and tougher, easier to hit."""

    strength: int = shown()
    reduction: int = shown()
    rating: int = shown()

    def in_words(self) -> str:
        """Who."""
        return told(self, f"{self.who} flies into a rage")


@apply.on(FlewIntoRage)
def _flew_into_rage(scene: Scene, event: FlewIntoRage) -> Scene:
    status: Status = scene[event.who].status
    effects = stack.gain(status.effects, Effect("rage", degree=event.reduction, source="rage"))
    effects = stack.gain(effects, Effect("stat_change", stat="STR", value=event.strength, source="rage"))
    effects = stack.gain(effects, Effect("rating", value=event.rating, source="rage"))
    turn = status.turn._replace(talents=(*status.turn.talents, "rage"))
    return paid(scene, event, effects=effects, turn=turn)


@dataclass(frozen=True, kw_only=True)
class TollPaid(Event):
    """Keeping something up has cost stamina."""

    who: str = shown()
    stamina: int = shown()


@apply.on(TollPaid)
def _toll_paid(scene: Scene, event: TollPaid) -> Scene:
    return scene.change(event.who, stamina=scene[event.who].status.stamina - event.stamina)


@dataclass(frozen=True, kw_only=True)
class Gathered(Event):
    """When it is over, what lay on the ground is with its owners again, and what was counted in rounds has ended."""

    about: ClassVar[tuple[str, ...]] = ()
    items: tuple[str, ...] = shown(default=())


@apply.on(Gathered)
def _gathered(scene: Scene, event: Gathered) -> Scene:
    from tablewright.game.belongings import add  # noqa: PLC0415 - only here

    known = fight(scene)
    for lies in known.lying:
        if lies.owner in scene:
            belongings = add(scene[lies.owner].status.belongings, lies.item, left=lies.left)
            scene = scene.change(lies.owner, belongings=belongings)
    for one in scene.participants:
        status: Status = one.status
        scene = scene.change(
            one.id,
            effects=stack.after_encounter(status.effects),
            turn=Turn(),
            earlier=None,
            ready=None,
            initiative=None,
            tolerated=False,
        )
    return replace(scene, extra=Fight())


@dataclass(frozen=True, kw_only=True)
class TaskDone(Event):
    """One of the checks of a complex challenge succeeded."""

    who: str = shown()
    task: str = shown()

    def in_words(self) -> str:
        """Which one."""
        return f"{self.who}: {self.task} is done"


@apply.on(TaskDone)
def _task_done(scene: Scene, event: TaskDone) -> Scene:
    known = fight(scene)
    return replace(scene, extra=replace(known, done=(*known.done, event.task)))


# ---------------------------------------------------------------------- the table's own events


@apply.on(CharacterChanged, instead=True)
def _character_changed(scene: Scene, event: CharacterChanged) -> Scene:
    """Belongings that were bought or sold are in the scene as well."""
    before = scene[event.who]
    scene = table._character_changed(scene, event)  # noqa: SLF001
    if event.character.belongings != before.character.belongings:
        scene = scene.change(event.who, belongings=event.character.belongings)
    return scene


@apply.on(Ruled, instead=True)
def _ruled(scene: Scene, event: Ruled) -> Scene:
    """Effects are ruled by their names, such as prone or burning:3."""
    if event.field != "effects" or event.who is None:
        return table._ruled(scene, event)  # noqa: SLF001
    given = (event.value,) if isinstance(event.value, str) else tuple(event.value or ())
    return scene.change(event.who, effects=tuple([effect_named(str(word)) for word in given]))


def effect_named(word: str) -> Effect:
    """An effect as a game master writes it: prone, burning:3, debilitation:STR, stat_change:STR:2.

    >>> effect_named("debilitation:STR").stat, effect_named("burning:3").degree
    ('STR', 3)
    """
    from tablewright.errors import BadInput, nearest  # noqa: PLC0415
    from tablewright.systems.mars.character.record import EFFECTS  # noqa: PLC0415

    name, *rest = word.split(":")
    kinds: dict[str, EffectKind] = {kind: kind for kind in EFFECTS}
    if name not in kinds:
        raise BadInput(f'"{name:.40}" is no effect; there are: {", ".join(EFFECTS)}{nearest(name, EFFECTS)}')
    stat, number = "", 0
    for part in rest:
        if part.lstrip("+-").isdigit():
            number = int(part)
        else:
            stat = part
    kind = kinds[name]
    counted = kind in ("burning", "sickness", "stunned", "fatigue")
    return Effect(kind, stat=stat, degree=max(1, number) if counted else 0, value=0 if counted else number)
