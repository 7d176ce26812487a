"""Status of a participant: everything that play changes, as immutable values.

Everything here is a pure function of a status; events call it when they are applied.

What has hold of a character for a time is in ``lasting``: its ``data`` is a :class:`Gift` where it changes checks or
Hit Difficulty. What is known of a character alone is never kept here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from tablewright.game.character.belongings import Belongings
from tablewright.game.content.library import Library
from tablewright.game.ground.bands import Together
from tablewright.game.ids import free_id
from tablewright.game.play.checks import Subject
from tablewright.game.play.costs import Cost, Resources
from tablewright.game.play.effects import Affected, Effect
from tablewright.game.play.tracks import describe_level, remaining, shared_fields, to_saved
from tablewright.game.scene.arrival import with_pending_timers
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.game.time.timers import PendingTimer
from tablewright.game.values import Frozen, Ranks
from tablewright.systems.stage.character.figures import Figures, figures
from tablewright.systems.stage.character.record import Day, Sickness, StageCharacter, Wounds
from tablewright.systems.stage.content import Vehicle
from tablewright.systems.stage.values import (
    ACTION_POINTS,
    ATTRIBUTE_OF,
    ATTRIBUTES,
    CORE,
    DAY,
    SURFACE,
    TRACKS,
    Attribute,
)


def most(scene: Scene, who: str) -> Figures:
    """The maxima of a character's tracks, and other plain figures."""
    return figures(scene[who].character, scene.options, scene.library)


def demand_able(scene: Scene, who: str) -> None:
    """Refuse what takes a character who is awake and alive (stage.encounter.flow)."""
    if not scene[who].status.able:
        raise scene.cannot(who, "can do nothing", "stage.encounter.flow")


# ---------------------------------------------------------------------- losing


def after_loss(status: Status, attribute: Attribute, amount: int, *, keeps: int = 0, now: int = 0) -> dict[str, Any]:
    """The fields that change when a character loses points: temporary ones, the surface track, then the core track.

    (stage.resource.damage_overflow)
    No track goes below 0, nothing crosses over to another attribute, and who lacks the attribute loses nothing. The
    core track does not fall below ``keeps``. ``now`` is the moment, for the dead.
    """
    if amount <= 0 or attribute in status.lacks:
        return {}
    surface, core = SURFACE[attribute], CORE[attribute]
    changed: dict[str, Any] = {}
    spare = status.temporary.get(surface, 0)
    if spare:
        taken = min(spare, amount)
        changed["temporary"] = status.temporary.put(surface, spare - taken)
        amount -= taken
    had = getattr(status, surface)
    changed[surface] = had - min(had, amount)
    rest = amount - min(had, amount)
    if rest:
        before = getattr(status, core)
        after = max(min(before, keeps), before - rest)
        changed[core] = after
        if attribute == "body" and before > 0 and after == 0:
            changed["died"] = now
    return changed


def arriving(status: Status, attribute: Attribute, damage: int) -> int:
    """Damage that arrives: half of Soul damage while a Soul Anchor is in force (stage.gap.magic.enchantments)."""
    anchored = attribute == "soul" and status.held(ANCHOR) is not None
    return damage // 2 if anchored else damage


ANCHOR = "soul_anchor"


# ---------------------------------------------------------------------- paying


class Tracks(Resources):
    """Purses of The Stage: AP, and tracks that are paid from the surface first and then from the core."""

    def short(self, scene: Scene, who: str, price: Cost) -> str | None:
        """Reason against a payment: too few AP, or the track and its core are too low together."""
        status: Status = scene[who].status
        for purse, amount in price.amounts:
            if purse == "ap":
                if amount > ap_of(scene, who):
                    return f"costs {amount} AP, {ap_of(scene, who)} left"
            elif purse in ATTRIBUTE_OF and not payable(scene, who, ATTRIBUTE_OF[purse], amount):
                return f"costs {amount} {purse}, {status.left(ATTRIBUTE_OF[purse])} left"
        return None

    def words_for(self, scene: Scene, who: str, price: Cost) -> str:
        """A price as it would be paid: what the surface track does not have is taken from the core track.

        (stage.resource.spend)
        """
        status: Status = scene[who].status
        if all(purse == "ap" or getattr(status, purse) >= amount for purse, amount in price.amounts):
            return _words(price)
        paid: dict[str, int] = {}
        last = False
        for purse, amount in price.amounts:
            beyond, core = 0, purse
            if purse in ATTRIBUTE_OF:
                core = CORE[ATTRIBUTE_OF[purse]]
                beyond = max(0, amount - status.left(ATTRIBUTE_OF[purse]) + getattr(status, core))
                last = last or beyond == getattr(status, core) > 0
            paid[purse] = paid.get(purse, 0) + amount - beyond
            paid[core] = paid.get(core, 0) + beyond
        return _words(Cost.of(**paid)) + (", the last of it" if last else "")

    def paid(self, scene: Scene, who: str, price: Cost) -> Scene:
        """The scene after a character has paid; a cost beyond the surface track takes core points."""
        return pay(scene, who, price.amounts)


def ap_of(scene: Scene, who: str) -> int:
    """The AP that a character can spend now: those of the turn, or after them the one prepared for an interruption."""
    status: Status = scene[who].status
    if (scene.turn not in (None, who) or not status.ap) and status.held("prepared") is not None:
        return 1  # stage.action.prepare_interruption
    return status.ap


def payable(scene: Scene, who: str, attribute: Attribute, amount: int) -> bool:
    """True if points can be paid from an attribute; the last core point only where the table allows it."""
    left = scene[who].status.left(attribute)
    return amount <= 0 or amount < left or (amount == left and scene.options.spend_last_core == "allow")


def pay(scene: Scene, who: str, amounts: Iterable[tuple[str, int]]) -> Scene:
    """The scene after a character has paid AP and points."""
    for purse, amount in amounts:
        status: Status = scene[who].status
        if purse == "ap":
            scene = scene.with_status(who, ap=max(0, status.ap - amount))
        elif amount:
            changed = after_loss(status, ATTRIBUTE_OF[purse], amount, now=scene.clock.now)
            if changed:
                scene = scene.with_status(who, **changed)
    return scene


PURSES = Tracks({"ap": "AP"})


@lru_cache(maxsize=256)
def _words(price: Cost) -> str:
    return PURSES.words(price)


# ---------------------------------------------------------------------- coming back


def after_restoring(status: Status, figure: Figures, track: str, amount: int) -> dict[str, Any]:
    """The fields that change when points of a track come back: not above its maximum, nor what is held back.

    What cold, thirst and the like have taken stays lost until the cause is gone.
    """
    held_back = sum([lost.get(track, 0) for lost in status.blocked.values()])
    highest = max(getattr(status, track), getattr(figure, track) - held_back)
    return {track: min(highest, getattr(status, track) + max(0, amount))}


def lost(scene: Scene, who: str, track: str) -> int:
    """Number of points missing on a track."""
    return max(0, int(getattr(most(scene, who), track)) - int(getattr(scene[who].status, track)))


def health(one: Participant) -> str:
    """Visible health of a participant: a word, never a number."""
    status: Status = one.status
    if status.dead:
        return "dead"
    if status.comatose:
        return "comatose"
    if status.unconscious:
        return "unconscious"
    if status.integrity is not None:
        return "wrecked" if not status.integrity else "well"
    stamina, vitality = status.whole
    if status.vitality < vitality:
        return describe_level(status.vitality, vitality, {Fraction(1, 2): "badly wounded"}, "wounded")
    return describe_level(status.stamina, stamina, {Fraction(1, 2): "tired"}, "well")


Stance: TypeAlias = Literal["standing", "crouching", "prone"]


class Gift(NamedTuple):
    """A change by a lasting effect: numbers by the words of the powers, in dice or flat.

    ``once``: the first check it counts for uses it up. ``against``: only in opposed checks against this one.
    ``light``: only while the load is a light one.
    """

    on: tuple[str, ...]
    dice: int = 0
    flat: int = 0
    stack: str = "mundane"
    once: bool = False
    against: str = ""
    cap: int = 0
    rule: str = ""
    light: bool = False


class Progress(NamedTuple):
    """An action that was begun with too few AP: which use of it, and how many AP have gone into it."""

    use: str
    ap: int


@dataclass(frozen=True, slots=True)
class Status(Affected):
    """Status of a participant. The owner sees the numbers of the tracks, others a word for health.

    ``beside`` are those within reach in the same cube; ``attacks`` counts attacks by weapon since the start of one's
    turn; ``under`` are rounds under water, ``misses`` says that the next turn is lost; ``failures`` are failed checks
    in a row of climbing, swimming or balancing; ``lacks`` are attributes that are missing altogether. ``died``
    is the moment of death, ``whole`` what Stamina and Vitality are when full, by which others see how hurt it looks.
    A craft has ``integrity`` left, the ``pace`` of its last round in cubes, and how far it ``went`` in this one.
    ``player`` is the seat that has lost control to the game master. ``away`` are enchanted things of one's own that lie
    somewhere: what lies on the ground says nothing of what is in it. An ``ambush`` counts against everyone but those
    whom one is ``seen_by``.
    """

    stamina: int = visible(OWNER)
    vitality: int = visible(OWNER)
    intellect: int = visible(OWNER)
    sanity: int = visible(OWNER)
    will: int = visible(OWNER)
    spirit: int = visible(OWNER)
    ap: int = visible(default=ACTION_POINTS)
    belongings: Belongings = visible(OWNER, default=())
    stance: Stance = visible(default="standing")
    beside: tuple[str, ...] = visible(default=())
    lasting: tuple[Effect, ...] = visible(default=())
    temporary: Ranks = visible(OWNER, default=Ranks())
    counters: int = visible(default=0)
    first_aid: bool = visible(OWNER, default=False)
    unconscious: str = visible(default="")
    died: int | None = visible(OWNER, default=None, told=False)
    ambush: bool = visible(OWNER, default=False)
    seen_by: tuple[str, ...] = visible(OWNER, default=(), told=False)
    progress: Progress | None = visible(default=None)
    attacks: Ranks = visible(default=Ranks(), told=False, until="turn")
    failures: int = visible(default=0)
    under: int = visible(default=0, told=False)
    misses: bool = visible(default=False)
    braced: bool = visible(default=False, told=False)
    rides: str = visible(default="")
    integrity: int | None = visible(default=None)
    pace: int = visible(default=0, told=False)
    went: int | None = visible(default=None, told=False)
    player: str = visible(default="", told=False)
    away: Belongings = visible(OWNER, default=())
    initiative: int | None = visible(default=None, told=False)
    blocked: Frozen[Ranks] = visible(OWNER, default=Frozen())
    sicknesses: tuple[Sickness, ...] = visible(OWNER, default=())
    day: Day = visible(OWNER, default=Day())
    lacks: tuple[Attribute, ...] = visible(default=(), told=False)
    whole: tuple[int, int] = visible(OWNER, default=(1, 1), told=False)

    @property
    def dead(self) -> bool:
        """Without Vitality one is dead (stage.resource.death); who has no body cannot lose it."""
        return self.vitality <= 0 and "body" not in self.lacks

    @property
    def insane(self) -> bool:
        """Without Sanity one is insane (stage.resource.insanity); who has no mind cannot lose it."""
        return self.sanity <= 0 and "mind" not in self.lacks

    @property
    def comatose(self) -> bool:
        """Without Spirit one is comatose (stage.resource.coma)."""
        return self.spirit <= 0 and "soul" not in self.lacks

    @property
    def able(self) -> bool:
        """True if a character can do anything at all."""
        return not self.unconscious and not self.dead and not self.comatose and self.integrity != 0

    @property
    def tumbled(self) -> int:
        """Hit Difficulty set by the best tumble that still counts; 0 for none.

        (stage.agility.tumble)
        """
        return max([one.degree for one in self.lasting if one.id == "tumbling"], default=0)

    def left(self, attribute: Attribute) -> int:
        """Points of an attribute left to pay with: temporary points, the surface track and the core track."""
        surface, core = SURFACE[attribute], CORE[attribute]
        return int(self.temporary.get(surface, 0) + getattr(self, surface) + getattr(self, core))


def stands(one: Participant) -> bool:
    """True if a character is still in it: present, alive, awake, not comatose."""
    status: Status = one.status
    return one.present and status.able


def carrier(scene: Scene, who: str) -> str:
    """The mount or craft that carries a character; empty for none, or one that has fallen (stage.mount.control)."""
    mount: str = scene[who].status.rides
    return mount if mount and mount in scene and stands(scene[mount]) else ""


class Handling(NamedTuple):
    """Properties of a mount or craft under control: speeds in cubes a round, skill levels and hours it asks for.

    ``kind`` is the key of practice: the id of the craft, or the name of the animal (stage.mount.properties).
    """

    kind: str
    least_speed: int
    acceleration: int | None
    needs: Ranks
    practice: int

    @property
    def keeps_pace(self) -> bool:
        """True if its speed of one round limits that of the next."""
        return bool(self.least_speed or self.acceleration)


def handling_of(scene: Scene, who: str) -> Handling:
    """The handling of a craft, by its entry, or of an animal, by its own record."""
    animal: StageCharacter = scene[who].character
    if scene.library.has(Vehicle, animal.vehicle):
        craft = scene.library.get(Vehicle, animal.vehicle)
        needs = Ranks({one.skill: one.level for one in craft.needs})
        return Handling(craft.id, craft.least_speed, craft.acceleration, needs, craft.practice)
    return Handling(free_id(animal.name, ()), animal.least_speed, animal.acceleration, animal.needs, animal.practice)


def fights(one: Participant) -> bool:
    """True if a character still counts for their side: a craft by itself does not."""
    return stands(one) and one.status.integrity is None


def enter(subject: Subject) -> Status:
    """A character comes into a scene with what was kept of wounds, and with all AP (stage.action.ap)."""
    who: StageCharacter = subject.character
    most = figures(who, subject.options, subject.library)
    wounds = who.wounds
    lacks = tuple([attribute for attribute in ATTRIBUTES if most.level(attribute) == 0])
    return Status(
        **remaining(wounds, most, TRACKS),
        belongings=who.belongings,
        **shared_fields(Status, wounds, but=(*TRACKS, "integrity")),
        died=-wounds.dead_for if wounds.dead else None,
        day=who.day,
        lacks=lacks,
        whole=(most.stamina, most.vitality),
        integrity=_integrity(who, subject.library),
    )


def _integrity(who: StageCharacter, library: Library) -> int | None:
    if not library.has(Vehicle, who.vehicle):
        return None
    whole = library.get(Vehicle, who.vehicle).integrity
    return whole if who.wounds.integrity is None else min(whole, who.wounds.integrity)


def leave(scene: Scene, who: str) -> StageCharacter:
    """The character that goes out of a scene, with its wounds, its day and its belongings."""
    one = scene[who]
    status: Status = one.status
    character: StageCharacter = one.character
    most = figures(character, scene.options, scene.library)
    dead_for = 0 if status.died is None else max(0, scene.clock.now - status.died)
    wounds = Wounds(
        **to_saved(status, most, TRACKS),
        **shared_fields(Wounds, status, but=(*TRACKS, "integrity")),
        dead=status.dead,
        dead_for=dead_for,
        integrity=None if status.integrity == _integrity(_new(character), scene.library) else status.integrity,
    )
    changed = character.changed(wounds=wounds, day=status.day, belongings=status.belongings)
    kept: StageCharacter = with_pending_timers(scene, who, changed)
    return _with_midnight(scene, who, kept)


MIDNIGHT = "midnight"
"""Name of the timer at the end of a day: of the scene, or of a participant with a day of its own."""


def to_midnight(scene: Scene, who: str) -> int:
    """The ticks until a new day begins for a character: their own one, or with the clock of the scene.

    (stage.gap.time.day_change)
    """
    for whose in (who, ""):
        found = [due.at for due in scene.clock.waiting(MIDNIGHT, who=whose)]
        if found:
            return min(found) - scene.clock.now
    return DAY - scene.clock.now % DAY


def _with_midnight(scene: Scene, who: str, kept: StageCharacter) -> StageCharacter:
    """A character who has used up something of a day takes along when that day ends; no one else does."""
    others = tuple([one for one in kept.pending if one.what != MIDNIGHT])
    if kept.day.used or kept.day.travelled:
        others = (*others, PendingTimer(what=MIDNIGHT, left=to_midnight(scene, who), every=DAY))
    found: StageCharacter = kept if others == kept.pending else kept.changed(pending=others)
    return found


def _new(craft: StageCharacter) -> StageCharacter:
    found: StageCharacter = craft.changed(wounds=Wounds())
    return found


def adjacent(scene: Scene, who: str, other: str) -> bool:
    """True if two are next to each other (stage.movement.cubes): named so, or in one cube where the table says so.

    Where no one has a place everyone is next to everyone.
    """
    if isinstance(scene.ground, Together):
        return True
    one, two = scene[who], scene[other]
    if one.position is None or two.position is None:
        return True
    if one.position != two.position:
        return False
    return (
        scene.options.adjacency == "same_cube"
        or other in one.status.beside
        or other == one.status.rides
        or who == two.status.rides
    )


def same_cube(scene: Scene, who: str, other: str) -> bool:
    """True if two are in the same cube of the ground."""
    one, two = scene[who].position, scene[other].position
    return one is None or two is None or one == two or isinstance(scene.ground, Together)
