"""Status of a participant: everything that play changes, as immutable values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tablewright.game.character.belongings import Belongings
from tablewright.game.play.checks import Subject
from tablewright.game.play.effects import OPEN_END, WEARS_OFF, Affected, Duration, Effect
from tablewright.game.play.tracks import shared_fields
from tablewright.game.scene.arrival import with_pending_timers
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import OWNER, secret, visible
from tablewright.game.values import Ranks
from tablewright.systems.renaissance.character.figures import Numbers, Sustained, active_for, numbers
from tablewright.systems.renaissance.character.gear import at_home
from tablewright.systems.renaissance.character.record import Harm, Held, RenaissanceCharacter
from tablewright.systems.renaissance.content import Condition

PRONE, GRABBED, STUNNED, BLEEDING, BURNING = "prone", "grabbed", "stunned", "bleeding", "burning"
HURRIED, GUARDED, BRACED, FEINTED, WEAVING = "hurried", "guarded", "braced", "feinted", "weaving"
UNAWARE, ASSISTED, RIVAL, CHEMICAL, DISEASE, COVERED = "unaware", "assisted", "rival", "chemical", "disease", "covered"
UNCONSCIOUS, CHARMED, COWED = "unconscious", "charmed", "cowed"


class Turn(NamedTuple):
    """Deeds of a participant since the start of its turn.

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
    """Plan for the days of down-time: rest under care for body and mind, or work on a job."""

    what: str = ""
    body: str = ""
    mind: str = ""


class Job(NamedTuple):
    """Work under way: the minutes that are left of it, and whether it is then clear that it fails.

    A ``task`` is continued in turn order if the game master allots time for it; a job waits for down-time.
    """

    name: str
    minutes: int
    fails: bool = False
    task: bool = False


@dataclass(frozen=True, slots=True)
class TurnOrder:
    """Allotment of a turn outside combat, as the game master fixes it (renaissance.turn.allotment).

    ``minutes`` are what one turn contributes to a task; 0 where tasks are not part of the allotment.
    """

    standard: int = visible(default=1)
    quick: int = visible(default=1)
    minutes: int = visible(default=0)


def task_minutes(scene: Scene) -> int:
    """Minutes that a turn under way contributes to a task (renaissance.turn.task_allotment)."""
    return scene.system_state.minutes if isinstance(scene.system_state, TurnOrder) else 0


@dataclass(frozen=True, slots=True)
class Status(Affected):
    """State of a participant. Others see the amount of damage and stress only as a word.

    Of the ``wounds``, ``bound`` ones are negated and ``tried`` ones had their one attempt at binding; ``mending`` and
    ``easing`` are the parts of the next wound and trauma that have healed; ``incubating`` diseases do not show yet.
    Of the ``traumas``, ``soothed`` ones are negated and ``meditated`` ones had their one attempt. ``work`` are steps of
    rituals that are done, ``tasked`` the minutes of tasks in this day, ``hurt_in`` the round of the last harm.
    ``durability`` is kept up with whatever changes it, so that anyone can be looked at without the content.
    """

    damage: int = visible(OWNER)
    wounds: int = visible(default=0)
    bound: int = visible(default=0, told=False)
    tried: int = visible(default=0, told=False)
    stress: int = visible(OWNER, default=0)
    traumas: int = visible(default=0)
    soothed: int = visible(default=0, told=False)
    meditated: int = visible(default=0, told=False)
    mending: int = visible(OWNER, default=0, told=False)
    easing: int = visible(OWNER, default=0, told=False)
    luck: int = visible(OWNER, default=0)
    dur_lost: int = visible(default=0)  # a wasted body is plain to see, and what wounds it shows in every attack
    durability: int = visible(OWNER, default=30, told=False)
    overwhelmed: bool = visible(default=False)
    dead: bool = visible(default=False)
    insane: bool = visible(default=False)
    lost: tuple[str, ...] = visible(default=())
    lasting: tuple[Effect, ...] = visible(default=())
    incubating: tuple[str, ...] = secret(default=())
    sustained: tuple[Sustained, ...] = visible(default=())
    belongings: Belongings = visible(OWNER, default=())
    coated: tuple[tuple[str, str], ...] = visible(OWNER, default=())
    spent: Ranks = visible(default=Ranks(), until="turn")
    turn: Turn = visible(default=FRESH, until="turn")
    initiative: int | None = visible(default=None, told=False)
    plan: Plan = visible(OWNER, default=Plan())
    work: tuple[tuple[str, int], ...] = visible(OWNER, default=())
    jobs: tuple[Job, ...] = visible(OWNER, default=())
    tasked: int = visible(OWNER, default=0, told=False)
    hurt_in: int = visible(default=0, told=False)


# ---------------------------------------------------------------------- numbers in a scene


def numbers_of(scene: Scene, one: Participant) -> Numbers:
    """Figures of a participant as it is armed and affected now."""
    return numbers_with(one.character, one.status, scene.library)


def numbers_with(character: RenaissanceCharacter, status: Status, library: object) -> Numbers:
    """The numbers of a character with a status."""
    active = active_for(character, status, library)  # type: ignore[arg-type]
    return numbers(character, library, status.belongings, active)  # type: ignore[arg-type]


def with_durability(scene: Scene, who: str) -> Scene:
    """The scene with a participant's Durability updated; to be called after every change to it.

    Damage that was borne before may disable or kill now (renaissance.injury.damage_track); then nothing is sustained.
    """
    one = scene[who]
    now = numbers_of(scene, one)
    if one.status.durability == now.DUR:
        return scene
    scene = scene.with_status(who, durability=now.DUR)
    status: Status = scene[who].status
    if status.sustained and status.damage >= now.DUR:
        return with_durability(scene.with_status(who, sustained=()), who)
    return scene.with_status(who, dead=True, sustained=()) if status.damage >= now.DR else scene


def helpless(one: Participant) -> bool:
    """True if a participant cannot defend: dead, disabled, unconscious (renaissance.injury.damage_track)."""
    status: Status = one.status
    return status.dead or status.damage >= status.durability or status.has(UNCONSCIOUS)


def hands_left(lost: Sequence[str]) -> int:
    """Number of hands that are left after the limbs that are lost (renaissance.strike.maim).

    >>> hands_left(()), hands_left(("hand", "eye")), hands_left(("arm", "hand", "arm"))
    (2, 1, 0)
    """
    return max(0, 2 - sum([part in ("hand", "arm") for part in lost])) if lost else 2


def conditions_of(status: Status, library: Any) -> list[Condition]:
    """Active conditions that the content has entries for."""
    if not status.lasting:
        return []
    return [library.get(Condition, one.id) for one in status.lasting if library.has(Condition, one.id)]


def stands(one: Participant) -> bool:
    """True if a participant is still in the fight: present, neither helpless nor overwhelmed nor insane."""
    status: Status = one.status
    return one.present and not (status.overwhelmed or status.insane) and not helpless(one)


def upright(one: Participant) -> bool:
    """True if a participant blocks its square: not the prone and the disabled (renaissance.gap.state.grid)."""
    return one.present and not helpless(one) and not one.status.has(PRONE)


# ---------------------------------------------------------------------- coming and going


def enter(subject: Subject) -> Status:
    """Status of a character who enters a scene, with the harm of before."""
    character: RenaissanceCharacter = subject.character
    harm = character.harm
    luck = numbers(character, subject.library, character.belongings, ()).luck
    held = tuple([_held(one) for one in harm.held if one.id not in _OTHERWISE])
    status = Status(
        **shared_fields(Status, harm, but=("luck",)),
        luck=luck if harm.luck is None else min(harm.luck, luck),
        lasting=held,
        incubating=tuple([one.source for one in harm.held if one.id == _INCUBATING]),
        coated=tuple([(str(one.data), one.source) for one in harm.held if one.id == _COATED]),
        work=tuple([(one.source, one.degree) for one in harm.held if one.id == _WORK]),
        jobs=tuple([Job(one.source, *one.data) for one in harm.held if one.id == _JOB]),
        plan=next((Plan(one.source, *one.data) for one in harm.held if one.id == _PLAN), Plan()),
        belongings=character.belongings,
    )
    return evolve(status, durability=numbers_with(character, status, subject.library).DUR)


_INCUBATING, _COATED, _WORK, _JOB, _PLAN = _OTHERWISE = "incubating", "coated", "work", "job", "plan"
"""Ids of carried effects that a scene keeps in fields of their own."""


def _held(one: Held) -> Effect:
    """Effect of an arriving participant; :func:`on_the_clock` schedules its end."""
    until = OPEN_END if one.left is None else Duration(moment=one.left)
    return Effect(one.id, until, one.degree, source=one.source, data=one.data)


def on_the_clock(scene: Scene, who: str) -> Scene:
    """The scene with timers for the effects that a participant brings along."""
    clock, lasting = scene.clock, []
    for held in scene[who].status.lasting:
        moment = held.until.moment
        if moment is not None:
            clock = clock.schedule(WEARS_OFF, after=max(1, moment))
            held = evolve(held, until=Duration(moment=clock.now + max(1, moment)))  # noqa: PLW2901
        lasting.append(held)
    return scene if clock is scene.clock else evolve(scene.with_status(who, lasting=tuple(lasting)), clock=clock)


def leave(scene: Scene, who: str) -> RenaissanceCharacter:
    """The character that goes out of a scene, with its harm, what has hold of it and what is due for it."""
    participant = scene[who]
    character: RenaissanceCharacter = participant.character
    status: Status = participant.status
    most = numbers(character, scene.library, status.belongings, ()).luck
    held = [
        Held(id=one.id, degree=one.degree, left=_left(one.until, scene), source=one.source, data=one.data)
        for one in status.lasting
        if not one.until.in_rounds and (one.id in _KEPT or _needs_care(one.id, scene.library))
    ]
    held += [Held(id=_INCUBATING, source=one) for one in status.incubating]
    on_blades = at_home(status.coated, status.belongings)
    held += [Held(id=_COATED, source=poison, data=weapon) for weapon, poison in on_blades]
    held += [Held(id=_WORK, source=what, degree=much) for what, much in status.work]
    held += [Held(id=_JOB, source=name, data=(minutes, fails, task)) for name, minutes, fails, task in status.jobs]
    if status.plan != Plan():
        held.append(Held(id=_PLAN, source=status.plan.what, data=(status.plan.body, status.plan.mind)))
    harm = Harm(
        **shared_fields(Harm, status, but=("luck",)),
        luck=None if status.luck >= most else status.luck,
        held=tuple(held),
    )
    changed = character.changed(harm=harm, belongings=_real(status.belongings, scene.library))
    return with_pending_timers(scene, who, changed)  # type: ignore[no-any-return]


_KEPT = (BLEEDING, CHEMICAL, DISEASE, UNCONSCIOUS, CHARMED)


def _needs_care(id_: str, library: Any) -> bool:
    """True if it is a condition that lasts until a check ends it."""
    return bool(library.has(Condition, id_)) and library.get(Condition, id_).ends == "check"


def _real(belongings: Belongings, library: Any) -> Belongings:
    """Belongings without things of magic: no one holds a ball of fire for hours."""
    return tuple([one for one in belongings if not is_made_of_magic(one.item, library)])


def is_made_of_magic(item: str, library: Any) -> bool:
    """True if something is neither made nor sold, but held by a power."""
    return bool(library.has("weapons", item)) and library.get("weapons", item).price is None


def _left(until: Duration, scene: Scene) -> int | None:
    return None if until.moment is None else max(0, until.moment - scene.clock.now)
