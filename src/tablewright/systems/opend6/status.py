"""What becomes of somebody in a scene, as immutable values, and what they keep of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from tablewright.engine.tally import Part
from tablewright.errors import RulesSayNo
from tablewright.game.belongings import Belongings
from tablewright.game.checks import Subject
from tablewright.game.events import OWNER, secret, shown
from tablewright.game.lasting import Lasting, holds
from tablewright.game.passing import demand_alive
from tablewright.game.pending import taken_along
from tablewright.game.scene import Live, Participant, Scene
from tablewright.systems.opend6.character.figures import figures
from tablewright.systems.opend6.character.record import FateSpent, OpenD6Character, Wounds
from tablewright.systems.opend6.injury import PENALTY, RANK, level_of_points
from tablewright.systems.opend6.pools import penalty_dice
from tablewright.systems.opend6.values import WoundLevel

Posture: TypeAlias = Literal["standing", "crouched", "prone"]
Hold: TypeAlias = Literal["held", "choked", "tackled", "pinned"]
PENALTIES, ACTIONS = "opend6.gap.wound.penalties", "opend6.map.penalty"
STUNNED, SHAKEN, WEAKENED = "stunned", "shaken", "weakened"
Moment: TypeAlias = Literal["ordinary", "story", "climactic"]
"""What a roll is about: nothing special, the story line, a climactic moment of the campaign."""


class Defence(NamedTuple):
    """An active defence: its total, the skill, whether it is a full one, and with which weapon, if with one."""

    total: int
    skill: str
    full: bool = False
    weapon: str = ""


class Grip(NamedTuple):
    """Who has hold of somebody, how, and of which part, where it is only one.

    Where a missile or a blade holds it is ``fast``, also when whoever did it has let go.
    """

    by: str
    how: Hold
    part: str = ""
    fast: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """What becomes of somebody here. Points and what they were spent on are the owner's to know.

    ``spending`` says that somebody wants to be asked for points before and after rolls. ``used`` are the skills used
    since the last time between adventures; ``climactic`` is so in a round in which a Fate Point was spent for all of
    its rolls. ``declared`` is how many actions were declared for this round, ``taken`` how many of them are used up,
    ``quick`` how many may be taken beyond the first without penalty; ``moved`` are the metres covered in this round,
    ``running`` says that an action went into it, ``leapt`` that one went into a jump.
    ``between`` says as the how many-th somebody has come between others after waiting, and acts now; 0 otherwise.
    ``unloaded`` are weapons that have to be readied, ``fired`` those used in this round, once for each use, ``loaded``
    those readied in it, ``freely`` what was done for free. ``aim`` are the rounds spent aiming at ``aim_at``,
    ``prepared`` those spent preparing. ``fast`` is so in a round of haste, ``raced`` counts such rounds in a row,
    ``run_up`` those of a running start; ``missed`` are the swimming rolls missed in this water, ``thrown`` how far
    a throw goes whose range was rolled. ``dying_rounds`` are rounds at death's door, ``levels_lost`` and
    ``points_lost`` what was lost in this round, ``enduring`` that it is not yet clear whether somebody stays
    conscious, ``unbalanced`` the dice that the next Agility roll lacks, ``tangled`` what has to be beaten to get
    free.
    """

    character_points: int = shown(OWNER)
    fate_points: int = shown(OWNER)
    belongings: Belongings = shown(default=())
    fate_spent: tuple[FateSpent, ...] = shown(OWNER, default=())
    climactic_used: bool = shown(OWNER, default=False)
    climactic: bool = shown(default=False)
    used: tuple[str, ...] = shown(OWNER, default=())
    wounds: Wounds = shown(OWNER, default=Wounds())
    fast_reactions_used: int = shown(OWNER, default=0, told=False)
    spending: bool = shown(OWNER, default=False)
    initiative: int = shown(default=0, told=False)
    declared: int = shown(default=0, told=False)
    taken: int = shown(default=0, told=False)
    quick: int = shown(default=0, told=False)
    waiting: bool = shown(default=False)
    between: int = shown(default=0, told=False)
    defence: Defence | None = shown(default=None)
    moved: int = shown(default=0, told=False)
    running: bool = shown(default=False)
    leapt: bool = shown(default=False, told=False)
    fast: bool = shown(default=False)
    raced: int = shown(default=0, told=False)
    run_up: int = shown(default=0, told=False)
    missed: int = shown(default=0, told=False)
    thrown: int = shown(default=0, told=False)
    posture: Posture = shown(default="standing")
    unbalanced: int = shown(default=0)
    grip: Grip | None = shown(default=None)
    tangled: int = shown(default=0)
    unloaded: tuple[str, ...] = shown(default=())
    fired: tuple[str, ...] = shown(default=(), told=False)
    loaded: tuple[str, ...] = shown(default=(), told=False)
    freely: tuple[str, ...] = shown(default=(), told=False)
    aim: int = shown(default=0)
    aim_at: str = shown(default="")
    prepared: int = shown(default=0)
    surprised: bool = shown(default=False)
    dying_rounds: int = shown(default=0, told=False)
    levels_lost: int = shown(default=0, told=False)
    points_lost: int = shown(default=0, told=False)
    enduring: bool = shown(default=False)
    lasting: tuple[Lasting, ...] = shown(default=())

    @property
    def points(self) -> int:
        """Character Points that may be asked for."""
        return self.character_points if self.spending else 0

    @property
    def fate(self) -> int:
        """Fate Points that may be asked for."""
        return self.fate_points if self.spending else 0

    @property
    def left(self) -> int:
        """How many of the declared actions are left."""
        return self.declared - self.taken


class Swing(NamedTuple):
    """An attack whose roll is made and whose result is not declared yet: who may interrupt it does so now.

    ``more`` is what was rolled for the difficulty, where the table rolls modifiers.
    """

    who: str
    use: str
    target: str
    detail: str
    total: int
    complication: bool
    more: int = 0


@dataclass(frozen=True, slots=True)
class Fight:
    """What the scene itself holds: attacks under way, complications that are kept for later, and how it stands.

    ``swings`` are attacks whose roll is made, each but the first of somebody who interrupts the one before.
    ``moment`` is what the scene is about: nothing special, the story line, or a climactic moment of the campaign.
    """

    begun: bool = shown(default=False)
    swings: tuple[Swing, ...] = secret(default=())
    complications: tuple[str, ...] = secret(default=())
    moment: Moment = shown(default="story")

    @property
    def swing(self) -> Swing | None:
        """The attack that is decided next."""
        return self.swings[-1] if self.swings else None


_NO_FIGHT = Fight()


def fight(scene: Scene) -> Fight:
    """The scene's own part."""
    found: Fight = _NO_FIGHT if scene.extra is None else scene.extra
    return found


# ---------------------------------------------------------------------- coming and going


def enter(subject: Subject) -> Status:
    """Somebody who has just come, with the points, wounds and belongings of the character."""
    character: OpenD6Character = subject.character
    return Status(
        character_points=character.character_points,
        fate_points=character.fate_points,
        belongings=character.belongings,
        fate_spent=character.fate_spent,
        climactic_used=character.climactic_used,
        used=character.used_skills,
        wounds=_brought_along(subject),
        fast_reactions_used=character.fast_reactions_used,
        spending=_is_asked(subject),
        dying_rounds=12 * character.wounds.dying_minutes,
    )


def _brought_along(subject: Subject) -> Wounds:
    """The wounds of somebody who comes; where Body Points go with levels, the level is theirs."""
    character: OpenD6Character = subject.character
    wounds = character.wounds
    system = "wounds" if subject.options is None else subject.options.injury_system
    if system != "body_points_with_levels" or wounds.body_points is None:
        return wounds
    most = figures(character, subject.library).body_points
    return wounds.changed(level=level_of(character, None, most, system))


def _is_asked(subject: Subject) -> bool:
    """Whether somebody is asked for points from the beginning, as the table has it. [opend6.gap.points.asked]"""
    return subject.options is not None and subject.options.points_asked == "always"


def leave(scene: Scene, who: str) -> OpenD6Character:
    """The character that goes out of a scene, with what is left of its points, its wounds and its belongings."""
    participant: Participant = scene[who]
    character: OpenD6Character = participant.character
    status: Status = participant.status
    kept = character.changed(
        character_points=status.character_points,
        fate_points=status.fate_points,
        belongings=status.belongings,
        fate_spent=status.fate_spent,
        climactic_used=status.climactic_used,
        used_skills=status.used,
        wounds=status.wounds,
        fast_reactions_used=status.fast_reactions_used,
    )
    along: OpenD6Character = taken_along(scene, who, kept)
    return along


# ---------------------------------------------------------------------- how somebody is


def uses_points(scene_or_subject: Scene | Subject) -> bool:
    """Whether Body Points are lost here."""
    options = scene_or_subject.options
    return options is not None and options.injury_system != "wounds"


def most_body_points(one: Participant, scene: Scene) -> int:
    """The most Body Points that somebody can have."""
    return figures(one.character, scene.library).body_points


def body_points_of(status: Status, most: int) -> int:
    """What is left of Body Points."""
    left = status.wounds.body_points
    return most if left is None else left


def level_of(character: OpenD6Character, status: Status | None, most: int, system: str) -> WoundLevel:
    """The Wound level that counts: the one suffered, or the one that goes with what is left of Body Points."""
    wounds = character.wounds if status is None else status.wounds
    if system == "wounds" or wounds.level == "dead":
        return wounds.level
    left = most if wounds.body_points is None else wounds.body_points
    if system == "body_points_with_levels":
        return level_of_points(left, most)
    return "mortally_wounded" if left <= 0 else "healthy"  # opend6.gap.body_points.zero


def with_body_points(scene: Scene, who: str, wounds: Wounds, left: int | None) -> Wounds:
    """Wounds with so many Body Points left, and the level that they are where the table has it so.

    [opend6.gap.body_points.levels]
    """
    level: WoundLevel = "healthy"
    if scene.options.injury_system == "body_points_with_levels":
        most = most_body_points(scene[who], scene)
        level = level_of_points(most if left is None else left, most)
    return wounds.changed(body_points=left, level=level)


def level(scene: Scene, who: str) -> WoundLevel:
    """The Wound level of somebody here."""
    one = scene[who]
    if scene.options.injury_system == "wounds":
        found: WoundLevel = one.status.wounds.level
        return found
    return level_of(one.character, one.status, most_body_points(one, scene), scene.options.injury_system)


def is_out(one: Participant) -> bool:
    """Whether somebody can do nothing: dead, dying or unconscious."""
    wounds = one.status.wounds
    if wounds.unconscious or RANK[wounds.level] >= RANK["mortally_wounded"]:
        return True
    return wounds.body_points is not None and wounds.body_points <= 0


def is_here(scene: Scene, *people: str) -> bool:
    """Whether all of these are in the scene and have not left: anybody may leave while a question is open."""
    return all(who in scene and scene[who].present for who in people)


def demand_able(game: Live, who: str, rule: str) -> None:
    """Refuse what nobody does who is dead, dying or unconscious. [opend6.initiative.disabled_loses_action]"""
    if is_out(demand_alive(game, who, rule)):
        raise RulesSayNo(f"{game.scene.called(who)} cannot do anything now", rule=rule)


def stands(one: Participant) -> bool:
    """Whether somebody is still in the fight. [opend6.gap.encounter.end]"""
    return one.present and not is_out(one)


def is_dying(one: Participant) -> bool:
    """Whether somebody is at death's door."""
    wounds = one.status.wounds
    if wounds.level == "dead":
        return False
    return wounds.level == "mortally_wounded" or (wounds.body_points is not None and wounds.body_points <= 0)


def wound_penalty(scene: Scene, who: str) -> int:
    """The dice that injuries take from somebody's skills and attributes."""
    status: Status = scene[who].status
    wounds = status.wounds
    if scene.options.injury_system == "wounds":
        dice = PENALTY.get(wounds.level, 0) if wounds.level != "stunned" else 0
    elif wounds.body_points is None:
        dice = 0
    else:
        found = level(scene, who)
        dice = PENALTY.get(found, 0) if found != "stunned" else 0
    if dice or not status.lasting or scene.options.stunned_effect != "penalty":
        return dice
    return PENALTY["stunned"] if holds(status.lasting, STUNNED) is not None else 0


def wound_dice(subject: Subject) -> Part | None:
    """The dice that an injury takes from skills and attributes: those of the worst, not all of them together."""
    options = subject.options
    status: Status | None = subject.status
    system = "wounds" if options is None else options.injury_system
    wounds: Wounds = subject.character.wounds if status is None else status.wounds
    if system == "wounds":
        found = wounds.level
    else:
        most = figures(subject.character, subject.library).body_points if wounds.body_points is not None else 1
        found = level_of(subject.character, status, most, system)
    dice = 0 if found == "stunned" else PENALTY.get(found, 0)
    takes = options is None or options.stunned_effect == "penalty"
    if not dice and takes and status is not None and status.lasting and holds(status.lasting, STUNNED) is not None:
        return Part("stunned", PENALTY["stunned"], "opend6.gap.wound.stunned")
    return Part(found.replace("_", " "), dice, PENALTIES) if dice else None


def lost_dice(subject: Subject) -> Iterator[Part]:
    """The dice that somebody has lost on every skill and attribute roll, each with its reason."""
    wound = wound_dice(subject)
    if wound is not None:
        yield wound
    status: Status | None = subject.status
    if status is not None and status.declared:
        dice = penalty_dice(status.declared, 1 + status.quick)
        if dice:
            yield Part(f"{status.declared} actions", dice, ACTIONS)
