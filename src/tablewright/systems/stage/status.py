"""What becomes of somebody in a scene, as an immutable value: tracks, action points, stance, who is next to whom.

What has hold of somebody for a time is in ``lasting``: its ``data`` is a :class:`Gift` where it changes checks or
Hit Difficulty. What is known of a character alone is never kept here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from tablewright.game.belongings import Belongings
from tablewright.game.checks import Subject
from tablewright.game.content import Library
from tablewright.game.events import OWNER, shown
from tablewright.game.frozen import Frozen, Ranks
from tablewright.game.ground import Together
from tablewright.game.lasting import Lasting
from tablewright.game.pending import Pending, taken_along
from tablewright.game.scene import Participant, Scene
from tablewright.game.tracks import left_of, to_keep
from tablewright.systems.stage.character.figures import figures
from tablewright.systems.stage.character.record import Day, Sickness, StageCharacter, Wounds
from tablewright.systems.stage.content import Vehicle
from tablewright.systems.stage.times import DAY
from tablewright.systems.stage.values import ACTION_POINTS, ATTRIBUTES, CORE, SURFACE, TRACKS, Attribute

Stance: TypeAlias = Literal["standing", "crouching", "prone"]


class Gift(NamedTuple):
    """What something that lasts changes: numbers by the words of the powers, in dice or flat.

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
class Status:
    """What has become of somebody. The numbers of the tracks are the owner's; others see how somebody looks.

    ``beside`` are those within reach in the same cube; ``attacks`` counts attacks by weapon since the start of one's
    turn; ``under`` are rounds under water, ``misses`` says that the next turn is lost; ``failures`` are failed checks
    in a row of climbing, swimming or balancing; ``lacks`` are attributes that somebody does not have at all. ``died``
    is the moment of death, ``whole`` what Stamina and Vitality are when full, by which others see how somebody looks.
    A craft has ``integrity`` left, the ``pace`` of its last round in cubes, and how far it ``went`` in this one.
    ``player`` is the seat that has lost control to the game master. ``away`` are enchanted things of one's own that lie
    somewhere: what lies on the ground says nothing of what is in it.
    """

    stamina: int = shown(OWNER)
    vitality: int = shown(OWNER)
    intellect: int = shown(OWNER)
    sanity: int = shown(OWNER)
    will: int = shown(OWNER)
    spirit: int = shown(OWNER)
    ap: int = shown(default=ACTION_POINTS)
    belongings: Belongings = shown(OWNER, default=())
    stance: Stance = shown(default="standing")
    beside: tuple[str, ...] = shown(default=())
    lasting: tuple[Lasting, ...] = shown(default=())
    temporary: Ranks = shown(OWNER, default=Ranks())
    counters: int = shown(default=0)
    first_aid: bool = shown(OWNER, default=False)
    unconscious: str = shown(default="")
    died: int | None = shown(OWNER, default=None, told=False)
    ambush: bool = shown(OWNER, default=False)
    progress: Progress | None = shown(default=None)
    attacks: Ranks = shown(default=Ranks(), told=False)
    failures: int = shown(default=0)
    under: int = shown(default=0, told=False)
    misses: bool = shown(default=False)
    braced: bool = shown(default=False, told=False)
    rides: str = shown(default="")
    integrity: int | None = shown(default=None)
    pace: int = shown(default=0, told=False)
    went: int | None = shown(default=None, told=False)
    player: str = shown(default="", told=False)
    away: Belongings = shown(OWNER, default=())
    initiative: int | None = shown(default=None, told=False)
    blocked: Frozen[Ranks] = shown(OWNER, default=Frozen())
    sicknesses: tuple[Sickness, ...] = shown(OWNER, default=())
    day: Day = shown(OWNER, default=Day())
    lacks: tuple[Attribute, ...] = shown(default=(), told=False)
    whole: tuple[int, int] = shown(OWNER, default=(1, 1), told=False)

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
        """Whether somebody can do anything at all."""
        return not self.unconscious and not self.dead and not self.comatose and self.integrity != 0

    def held(self, id_: str) -> Lasting | None:
        """Something that has hold, if it does."""
        for one in self.lasting:
            if one.id == id_:
                return one
        return None

    @property
    def tumbled(self) -> int:
        """What a tumble has set Hit Difficulty to, the best of those that still count; 0 for none.

        (stage.agility.tumble)
        """
        return max([one.degree for one in self.lasting if one.id == "tumbling"], default=0)

    def left(self, attribute: Attribute) -> int:
        """What there is to pay with from an attribute: temporary points, the surface track and the core track."""
        surface, core = SURFACE[attribute], CORE[attribute]
        return int(self.temporary.get(surface, 0) + getattr(self, surface) + getattr(self, core))


def stands(one: Participant) -> bool:
    """Whether somebody is still in it: present, alive, awake, not comatose."""
    status: Status = one.status
    return one.present and status.able


def carrier(scene: Scene, who: str) -> str:
    """The mount or craft that carries somebody; empty for none, or one that has fallen (stage.mount.control)."""
    mount: str = scene[who].status.rides
    return mount if mount and mount in scene and stands(scene[mount]) else ""


def fights(one: Participant) -> bool:
    """Whether somebody still counts for their side: a craft by itself does not."""
    return stands(one) and one.status.integrity is None


def enter(subject: Subject) -> Status:
    """Somebody comes into a scene with what was kept of wounds, and with all AP (stage.action.ap)."""
    who: StageCharacter = subject.character
    most = figures(who, subject.options, subject.library)
    wounds = who.wounds
    lacks = tuple([attribute for attribute in ATTRIBUTES if most.level(attribute) == 0])
    return Status(
        **left_of(wounds, most, TRACKS),
        belongings=who.belongings,
        counters=wounds.counters,
        first_aid=wounds.first_aid,
        unconscious=wounds.unconscious,
        died=-wounds.dead_for if wounds.dead else None,
        blocked=wounds.blocked,
        sicknesses=wounds.sicknesses,
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
        **to_keep(status, most, TRACKS),
        counters=status.counters,
        first_aid=status.first_aid,
        dead=status.dead,
        dead_for=dead_for,
        unconscious=status.unconscious,
        integrity=None if status.integrity == _integrity(_new(character), scene.library) else status.integrity,
        blocked=status.blocked,
        sicknesses=status.sicknesses,
    )
    changed = character.changed(wounds=wounds, day=status.day, belongings=status.belongings)
    kept: StageCharacter = taken_along(scene, who, changed)
    return _with_midnight(scene, who, kept)


MIDNIGHT = "midnight"
"""What falls due when a day is over: of a scene, or of who has brought a day along that is not."""


def to_midnight(scene: Scene, who: str) -> int:
    """The ticks until a new day begins for somebody: their own one, or with the clock of the scene.

    (stage.gap.time.day_change)
    """
    for whose in (who, ""):
        found = [due.at for due in scene.clock.waiting(MIDNIGHT, who=whose)]
        if found:
            return min(found) - scene.clock.now
    return DAY - scene.clock.now % DAY


def _with_midnight(scene: Scene, who: str, kept: StageCharacter) -> StageCharacter:
    """A character who has used up something of a day takes along when that day ends; nobody else does."""
    others = tuple([one for one in kept.pending if one.what != MIDNIGHT])
    if kept.day.used or kept.day.travelled:
        others = (*others, Pending(what=MIDNIGHT, left=to_midnight(scene, who), every=DAY))
    found: StageCharacter = kept if others == kept.pending else kept.changed(pending=others)
    return found


def _new(craft: StageCharacter) -> StageCharacter:
    found: StageCharacter = craft.changed(wounds=Wounds())
    return found


def adjacent(scene: Scene, who: str, other: str) -> bool:
    """Whether two are next to each other (stage.movement.cubes): named so, or in one cube where the table says so.

    Where nobody has a place everybody is next to everybody.
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
    """Whether two are in the same cube of the ground."""
    one, two = scene[who].position, scene[other].position
    return one is None or two is None or one == two or isinstance(scene.ground, Together)
