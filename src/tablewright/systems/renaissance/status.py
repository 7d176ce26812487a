"""What becomes of somebody in a scene, as an immutable value: harm, Luck, what lasts, what the turn has left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from tablewright.game.belongings import Belongings
from tablewright.game.checks import Subject
from tablewright.game.events import OWNER, secret, shown
from tablewright.game.frozen import Ranks
from tablewright.game.lasting import OPEN_END, WEARS_OFF, Lasting, Until
from tablewright.game.pending import taken_along
from tablewright.game.scene import Participant, Scene, replaced
from tablewright.systems.renaissance.character.active import Sustained, active_for
from tablewright.systems.renaissance.character.figures import Numbers, numbers
from tablewright.systems.renaissance.character.record import Harm, Held, RenaissanceCharacter
from tablewright.systems.renaissance.coating import at_home

PRONE, GRABBED, STUNNED, BLEEDING, BURNING = "prone", "grabbed", "stunned", "bleeding", "burning"
HURRIED, GUARDED, BRACED, FEINTED, WEAVING = "hurried", "guarded", "braced", "feinted", "weaving"
UNAWARE, ASSISTED, RIVAL, CHEMICAL, DISEASE, COVERED = "unaware", "assisted", "rival", "chemical", "disease", "covered"
UNCONSCIOUS, CHARMED, COWED = "unconscious", "charmed", "cowed"


class Turn(NamedTuple):
    """What somebody has done since the start of their turn.

    ``moved`` is so after a movement action; ``charged`` after a charge, ``far`` if it went far enough for its bonus;
    ``answered`` are the braced foes who had their moment against it, ``stopped`` whether one of them ended it.
    ``volley`` are the attacks that are still to be made of several, ``volley_of`` how many they were, ``against`` whom
    they went for so far, ``spread`` whether they were declared against several targets, ``sweeps`` whether one weapon
    goes for all of them; ``free`` are free attempts that were earned, such as to intimidate. ``part`` is what the
    strike under way goes for, where it was named.
    """

    moved: bool = False
    charged: bool = False
    far: bool = False
    answered: tuple[str, ...] = ()
    volley: tuple[str, ...] = ()
    volley_of: int = 0
    against: tuple[str, ...] = ()
    spread: bool = False
    free: tuple[str, ...] = ()
    begun: bool = False
    sweeps: bool = False
    stopped: bool = False
    part: str = ""


FRESH = Turn()


class Plan(NamedTuple):
    """How somebody spends the days of down-time: resting, under whose care for body and mind, or working on a job."""

    what: str = ""
    body: str = ""
    mind: str = ""


class Job(NamedTuple):
    """A job in down-time: the minutes of work that are left of it, and whether it is then clear that it fails."""

    name: str
    minutes: int
    fails: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """What has become of somebody. How much damage and stress there is, others see only as a word.

    Of the ``wounds``, ``bound`` ones are negated and ``tried`` ones had their one attempt at binding; ``mending`` and
    ``easing`` are the parts of the next wound and trauma that have healed; ``incubating`` diseases do not show yet.
    Of the ``traumas``, ``soothed`` ones are negated and ``meditated`` ones had their one attempt. ``work`` are steps of
    rituals that are done, ``tasked`` the minutes of tasks in this day, ``hurt_in`` the round of the last harm.
    ``durability`` is kept up with whatever changes it, so that anybody can be looked at without the content.
    """

    damage: int = shown(OWNER)
    wounds: int = shown(default=0)
    bound: int = shown(default=0, told=False)
    tried: int = shown(default=0, told=False)
    stress: int = shown(OWNER, default=0)
    traumas: int = shown(default=0)
    soothed: int = shown(default=0, told=False)
    meditated: int = shown(default=0, told=False)
    mending: int = shown(OWNER, default=0, told=False)
    easing: int = shown(OWNER, default=0, told=False)
    luck: int = shown(OWNER, default=0)
    dur_lost: int = shown(default=0)  # a wasted body is plain to see, and what wounds it shows in every attack
    durability: int = shown(OWNER, default=30, told=False)
    overwhelmed: bool = shown(default=False)
    dead: bool = shown(default=False)
    insane: bool = shown(default=False)
    lost: tuple[str, ...] = shown(default=())
    lasting: tuple[Lasting, ...] = shown(default=())
    incubating: tuple[str, ...] = secret(default=())
    sustained: tuple[Sustained, ...] = shown(default=())
    belongings: Belongings = shown(OWNER, default=())
    coated: tuple[tuple[str, str], ...] = shown(OWNER, default=())
    spent: Ranks = shown(default=Ranks())
    turn: Turn = shown(default=FRESH)
    initiative: int | None = shown(default=None, told=False)
    plan: Plan = shown(OWNER, default=Plan())
    work: tuple[tuple[str, int], ...] = shown(OWNER, default=())
    jobs: tuple[Job, ...] = shown(OWNER, default=())
    tasked: int = shown(OWNER, default=0, told=False)
    hurt_in: int = shown(default=0, told=False)

    def has(self, id_: str) -> bool:
        """Whether something of a kind has hold of somebody."""
        for held in self.lasting:  # noqa: SIM110 - asked for many times in every turn
            if held.id == id_:
                return True
        return False

    def held(self, id_: str) -> Lasting | None:
        """The first thing of a kind that has hold of somebody."""
        for held in self.lasting:
            if held.id == id_:
                return held
        return None


# ---------------------------------------------------------------------- numbers in a scene


def numbers_of(scene: Scene, one: Participant) -> Numbers:
    """The numbers of somebody as they are armed and affected now."""
    return numbers_with(one.character, one.status, scene.library)


def numbers_with(character: RenaissanceCharacter, status: Status, library: object) -> Numbers:
    """The numbers of a character with a status."""
    active = active_for(character, status, library)  # type: ignore[arg-type]
    return numbers(character, library, status.belongings, active)  # type: ignore[arg-type]


def with_durability(scene: Scene, who: str) -> Scene:
    """The scene with somebody's Durability as it is now: whatever changes it is applied with this.

    Damage that was borne before may disable or kill now (renaissance.injury.damage_track); then nothing is sustained.
    """
    one = scene[who]
    now = numbers_of(scene, one)
    if one.status.durability == now.DUR:
        return scene
    scene = scene.change(who, durability=now.DUR)
    status: Status = scene[who].status
    if status.sustained and status.damage >= now.DUR:
        return with_durability(scene.change(who, sustained=()), who)
    return scene.change(who, dead=True, sustained=()) if status.damage >= now.DR else scene


def helpless(one: Participant) -> bool:
    """Whether somebody cannot defend at all: dead, disabled, unconscious (renaissance.injury.damage_track)."""
    status: Status = one.status
    return status.dead or status.damage >= status.durability or status.has(UNCONSCIOUS)


def stands(one: Participant) -> bool:
    """Whether somebody is still in the fight: present, neither helpless nor overwhelmed nor insane."""
    status: Status = one.status
    return one.present and not (status.overwhelmed or status.insane) and not helpless(one)


def upright(one: Participant) -> bool:
    """Whether somebody stands in the way: the prone and the disabled are stepped over (renaissance.gap.state.grid)."""
    return one.present and not helpless(one) and not one.status.has(PRONE)


# ---------------------------------------------------------------------- coming and going


def enter(subject: Subject) -> Status:
    """The status of somebody who comes into a scene, with the harm of before."""
    character: RenaissanceCharacter = subject.character
    harm = character.harm
    luck = numbers(character, subject.library, character.belongings, ()).luck
    held = tuple([_held(one) for one in harm.held if one.id not in _OTHERWISE])
    status = Status(
        damage=harm.damage,
        wounds=harm.wounds,
        bound=harm.bound,
        tried=harm.tried,
        stress=harm.stress,
        traumas=harm.traumas,
        soothed=harm.soothed,
        meditated=harm.meditated,
        mending=harm.mending,
        easing=harm.easing,
        overwhelmed=harm.overwhelmed,
        luck=luck if harm.luck is None else min(harm.luck, luck),
        dur_lost=harm.dur_lost,
        dead=harm.dead,
        insane=harm.insane,
        lost=harm.lost,
        lasting=held,
        incubating=tuple([one.source for one in harm.held if one.id == _INCUBATING]),
        coated=tuple([(str(one.data), one.source) for one in harm.held if one.id == _COATED]),
        work=tuple([(one.source, one.degree) for one in harm.held if one.id == _WORK]),
        jobs=tuple([Job(one.source, *one.data) for one in harm.held if one.id == _JOB]),
        plan=next((Plan(one.source, *one.data) for one in harm.held if one.id == _PLAN), Plan()),
        belongings=character.belongings,
    )
    return replaced(status, durability=numbers_with(character, status, subject.library).DUR)


_INCUBATING, _COATED, _WORK, _JOB, _PLAN = _OTHERWISE = "incubating", "coated", "work", "job", "plan"
"""What is carried along among what has hold of somebody, and stands elsewhere in a scene."""


def _held(one: Held) -> Lasting:
    """What has hold of somebody who comes; what ends by the clock is put on it by :func:`on_the_clock`."""
    until = OPEN_END if one.left is None else Until(moment=one.left)
    return Lasting(one.id, until, one.degree, source=one.source, data=one.data)


def on_the_clock(scene: Scene, who: str) -> Scene:
    """The scene in which the time that is left of what somebody brings along runs on."""
    clock, lasting = scene.clock, []
    for held in scene[who].status.lasting:
        moment = held.until.moment
        if moment is not None:
            clock = clock.schedule(WEARS_OFF, after=max(1, moment))
            held = replaced(held, until=Until(moment=clock.now + max(1, moment)))  # noqa: PLW2901
        lasting.append(held)
    return scene if clock is scene.clock else replaced(scene.change(who, lasting=tuple(lasting)), clock=clock)


def leave(scene: Scene, who: str) -> RenaissanceCharacter:
    """The character that goes out of a scene, with its harm, what has hold of it and what is due for it."""
    participant = scene[who]
    character: RenaissanceCharacter = participant.character
    status: Status = participant.status
    most = numbers(character, scene.library, status.belongings, ()).luck
    held = [
        Held(id=one.id, degree=one.degree, left=_left(one.until, scene), source=one.source, data=one.data)
        for one in status.lasting
        if not one.until.in_rounds and one.id in _KEPT
    ]
    held += [Held(id=_INCUBATING, source=one) for one in status.incubating]
    on_blades = at_home(status.coated, status.belongings)
    held += [Held(id=_COATED, source=poison, data=weapon) for weapon, poison in on_blades]
    held += [Held(id=_WORK, source=what, degree=much) for what, much in status.work]
    held += [Held(id=_JOB, source=one.name, data=(one.minutes, one.fails)) for one in status.jobs]
    if status.plan != Plan():
        held.append(Held(id=_PLAN, source=status.plan.what, data=(status.plan.body, status.plan.mind)))
    harm = Harm(
        damage=status.damage,
        wounds=status.wounds,
        bound=status.bound,
        tried=status.tried,
        stress=status.stress,
        traumas=status.traumas,
        soothed=status.soothed,
        meditated=status.meditated,
        mending=status.mending,
        easing=status.easing,
        overwhelmed=status.overwhelmed,
        luck=None if status.luck >= most else status.luck,
        dur_lost=status.dur_lost,
        lost=status.lost,
        held=tuple(held),
        dead=status.dead,
        insane=status.insane,
    )
    changed = character.changed(harm=harm, belongings=_real(status.belongings, scene.library))
    return taken_along(scene, who, changed)  # type: ignore[no-any-return]


_KEPT = (BLEEDING, CHEMICAL, DISEASE, UNCONSCIOUS, CHARMED)


def _real(belongings: Belongings, library: Any) -> Belongings:
    """What is no mere magic: a ball of fire lasts as long as it is held, and nobody holds it for hours."""
    return tuple([one for one in belongings if not is_made_of_magic(one.item, library)])


def is_made_of_magic(item: str, library: Any) -> bool:
    """Whether something is neither made nor sold, but held by a power."""
    return bool(library.has("weapons", item)) and library.get("weapons", item).price is None


def _left(until: Until, scene: Scene) -> int | None:
    return None if until.moment is None else max(0, until.moment - scene.clock.now)
