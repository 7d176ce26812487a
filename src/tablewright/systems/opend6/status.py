"""Status of a participant: everything that play changes, as immutable values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from tablewright.engine.tally import Part
from tablewright.game.character.belongings import Belongings
from tablewright.game.ground.position import Exact
from tablewright.game.play.checks import Subject
from tablewright.game.play.effects import Affected, Effect
from tablewright.game.play.time_passage import require_alive
from tablewright.game.play.tracks import shared_fields
from tablewright.game.scene.arrival import with_pending_timers
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import OWNER, secret, visible
from tablewright.systems.opend6.character.figures import figures
from tablewright.systems.opend6.character.record import FateSpent, OpenD6Character, Wounds
from tablewright.systems.opend6.mechanics.dice import penalty_dice
from tablewright.systems.opend6.mechanics.harm import PENALTY, RANK, level_of_points
from tablewright.systems.opend6.values import WoundLevel

Posture: TypeAlias = Literal["standing", "crouched", "prone"]
Hold: TypeAlias = Literal["held", "choked", "tackled", "pinned"]
PENALTIES, ACTIONS = "opend6.gap.wound.penalties", "opend6.map.penalty"
STUNNED, SHAKEN = "stunned", "shaken"
Moment: TypeAlias = Literal["ordinary", "story", "climactic"]
"""Moment of a roll: nothing special, the story line, or a climax of the campaign."""


class Defence(NamedTuple):
    """An active defence until the next turn: its total and skill, whether it is a full one, and the weapon, if any.

    [opend6.gap.defence.lasts]
    """

    total: int
    skill: str
    full: bool = False
    weapon: str = ""


class Grip(NamedTuple):
    """A hold on a participant: the holder, the kind, and the part if it is only one.

    Where a missile or a blade holds it is ``fast``, also when the one who did it has let go.
    """

    by: str
    how: Hold
    part: str = ""
    fast: bool = False


MOST_ASKED = 1_000
"""Most points that any one roll counts with."""


@dataclass(frozen=True, slots=True)
class Status(Affected):
    """Status of a participant in a scene. Points and their use are known to the owner alone.

    ``spending`` says that a character wants to be asked for points before and after rolls. ``used`` are the skills used
    since the last time between adventures; ``climactic`` is so in a round in which a Fate Point was spent for all of
    its rolls. ``declared`` is how many actions were declared for this round, ``taken`` how many of them are used up,
    ``quick`` how many may be taken beyond the first without penalty; ``moved`` are the metres covered in this round,
    ``running`` says that an action went into it, ``leapt`` that one went into a jump.
    ``between`` says as the how many-th a character has come between others after waiting, and acts now; 0 otherwise.
    ``unloaded`` are weapons that have to be readied, ``fired`` those used in this round, once for each use, ``loaded``
    those readied in it, ``freely`` what was done for free. ``aim`` are the rounds spent aiming at ``aim_at``,
    ``prepared`` those spent preparing. ``fast`` is so in a round of haste, ``raced`` counts such rounds in a row,
    ``run_up`` those of a running start; ``missed`` are the swimming rolls missed in this water, ``thrown`` how far
    a throw goes whose range was rolled. ``dying_rounds`` are rounds at death's door, ``levels_lost`` and
    ``points_lost`` what was lost in this round, ``enduring`` that it is not yet clear whether a character stays
    conscious, ``unbalanced`` the dice that the next Agility roll lacks, ``tangled`` what has to be beaten to get
    free.
    """

    character_points: int = visible(OWNER)
    fate_points: int = visible(OWNER)
    belongings: Belongings = visible(default=())
    fate_spent: tuple[FateSpent, ...] = visible(OWNER, default=())
    climactic_used: bool = visible(OWNER, default=False)
    climactic: bool = visible(default=False, until="round")
    used: tuple[str, ...] = visible(OWNER, default=(), told=False)
    wounds: Wounds = visible(OWNER, default=Wounds())
    fast_reactions_used: int = visible(OWNER, default=0, told=False)
    spending: bool = visible(OWNER, default=False)
    initiative: int = visible(default=0, told=False)
    declared: int = visible(default=0, told=False, until="round")
    taken: int = visible(default=0, told=False, until="round")
    quick: int = visible(default=0, told=False, until="round")
    waiting: bool = visible(default=False, until="round")
    between: int = visible(default=0, told=False, until="round")
    defence: Defence | None = visible(default=None, until="turn")
    moved: Exact = visible(default=0, told=False, until="round")
    running: bool = visible(default=False, until="round")
    leapt: bool = visible(default=False, told=False, until="round")
    fast: bool = visible(default=False)
    raced: int = visible(default=0, told=False)
    run_up: int = visible(default=0, told=False)
    missed: int = visible(default=0, told=False)
    thrown: int = visible(default=0, told=False)
    posture: Posture = visible(default="standing")
    unbalanced: int = visible(default=0)
    grip: Grip | None = visible(default=None, until="encounter")
    tangled: int = visible(default=0)
    unloaded: tuple[str, ...] = visible(default=())
    fired: tuple[str, ...] = visible(default=(), told=False, until="round")
    loaded: tuple[str, ...] = visible(default=(), told=False, until="round")
    freely: tuple[str, ...] = visible(default=(), told=False, until="round")
    aim: int = visible(default=0, until="encounter")
    aim_at: str = visible(default="", until="encounter")
    prepared: int = visible(default=0, until="encounter")
    surprised: bool = visible(default=False)
    dying_rounds: int = visible(default=0, told=False)
    levels_lost: int = visible(default=0, told=False, until="round")
    points_lost: int = visible(default=0, told=False, until="round")
    enduring: bool = visible(default=False)
    lasting: tuple[Effect, ...] = visible(default=())

    @property
    def points(self) -> int:
        """Character Points that may be asked for: a roll takes no more of a great hoard than it has figures for."""
        return min(self.character_points, MOST_ASKED) if self.spending else 0

    @property
    def fate(self) -> int:
        """Fate Points that may be asked for."""
        return min(self.fate_points, MOST_ASKED) if self.spending else 0

    @property
    def left(self) -> int:
        """Declared actions that are left."""
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
    """State of a fight: attacks under way, complications kept for later, and its moment.

    ``swings`` are attacks whose roll is made, each but the first of a character who interrupts the one before.
    ``moment`` is what the scene is about: nothing special, the story line, or a climactic moment of the campaign.
    """

    begun: bool = visible(default=False)
    swings: tuple[Swing, ...] = secret(default=())
    complications: tuple[str, ...] = secret(default=())
    moment: Moment = visible(default="story")

    @property
    def swing(self) -> Swing | None:
        """The attack that is decided next."""
        return self.swings[-1] if self.swings else None


_NO_FIGHT = Fight()


def fight(scene: Scene) -> Fight:
    """The scene's own part."""
    found: Fight = _NO_FIGHT if scene.system_state is None else scene.system_state
    return found


# ---------------------------------------------------------------------- coming and going


def enter(subject: Subject) -> Status:
    """A character who has just come, with the points, wounds and belongings of the character."""
    character: OpenD6Character = subject.character
    return Status(
        **shared_fields(Status, character, but=("wounds",)),
        used=character.used_skills,
        wounds=_brought_along(subject),
        spending=subject.options is not None and subject.options.points_asked == "always",
        dying_rounds=12 * character.wounds.dying_minutes,
    )


def _brought_along(subject: Subject) -> Wounds:
    """The wounds of a character who comes; where Body Points go with levels, the level is theirs."""
    character: OpenD6Character = subject.character
    wounds = character.wounds
    system = "wounds" if subject.options is None else subject.options.injury_system
    if system != "body_points_with_levels" or wounds.body_points is None:
        return wounds
    most = figures(character, subject.library).body_points
    return wounds.changed(level=level_of(character, None, most, system))


def leave(scene: Scene, who: str) -> OpenD6Character:
    """The character as it leaves a scene, with its remaining points, wounds and belongings."""
    participant: Participant = scene[who]
    character: OpenD6Character = participant.character
    status: Status = participant.status
    kept = character.changed(**shared_fields(OpenD6Character, status), used_skills=status.used)
    along: OpenD6Character = with_pending_timers(scene, who, kept)
    return along


# ---------------------------------------------------------------------- how a character is


def uses_points(scene_or_subject: Scene | Subject) -> bool:
    """True if Body Points are lost here."""
    options = scene_or_subject.options
    return options is not None and options.injury_system != "wounds"


def most_body_points(one: Participant, scene: Scene) -> int:
    """The most Body Points that a character can have."""
    return figures(one.character, scene.library).body_points


def body_points_of(status: Status, most: int) -> int:
    """Body Points left."""
    left = status.wounds.body_points
    return most if left is None else left


def level_of(character: OpenD6Character, status: Status | None, most: int, system: str) -> WoundLevel:
    """The present Wound level: the one suffered, or the one for the remaining Body Points."""
    wounds = character.wounds if status is None else status.wounds
    if system == "wounds" or wounds.level == "dead":
        return wounds.level
    left = most if wounds.body_points is None else wounds.body_points
    if system == "body_points_with_levels":
        return level_of_points(left, most)
    return "mortally_wounded" if left <= 0 else "healthy"  # opend6.gap.body_points.zero


def with_body_points(scene: Scene, who: str, wounds: Wounds, left: int | None) -> Wounds:
    """Wounds at a number of Body Points, with the matching level if the table uses both.

    [opend6.gap.body_points.levels]
    """
    level: WoundLevel = "healthy"
    if scene.options.injury_system == "body_points_with_levels":
        most = most_body_points(scene[who], scene)
        level = level_of_points(most if left is None else left, most)
    return wounds.changed(body_points=left, level=level)


def level(scene: Scene, who: str) -> WoundLevel:
    """The Wound level of a character here."""
    one = scene[who]
    if scene.options.injury_system == "wounds":
        found: WoundLevel = one.status.wounds.level
        return found
    return level_of(one.character, one.status, most_body_points(one, scene), scene.options.injury_system)


_OUT = frozenset([level for level, rank in RANK.items() if rank >= RANK["mortally_wounded"]])


def is_out(one: Participant) -> bool:
    """True if a character can do nothing: dead, dying or unconscious."""
    wounds = one.status.wounds
    if wounds.unconscious or wounds.level in _OUT:
        return True
    return wounds.body_points is not None and wounds.body_points <= 0


def is_here(scene: Scene, *people: str) -> bool:
    """True if all of these are in the scene and have not left: anyone may leave while a question is open."""
    return all(who in scene and scene[who].present for who in people)


def demand_able(game: Game, who: str, rule: str) -> None:
    """Refuse an act of the dead, dying or unconscious. [opend6.initiative.disabled_loses_action]"""
    game.refuse_if(is_out(require_alive(game, who, rule)), who, "cannot do anything now", rule)


def stands(one: Participant) -> bool:
    """True if a character is still in the fight. [opend6.gap.encounter.end]"""
    return one.present and not is_out(one)


def is_dying(one: Participant) -> bool:
    """True if a character is at death's door."""
    wounds = one.status.wounds
    if wounds.level == "dead":
        return False
    return wounds.level == "mortally_wounded" or (wounds.body_points is not None and wounds.body_points <= 0)


def wound_penalty(scene: Scene, who: str) -> int:
    """The dice that injuries take from a character's skills and attributes."""
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
    return PENALTY["stunned"] if status.has(STUNNED) else 0


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
    if not dice and takes and status is not None and status.has(STUNNED):
        return Part("stunned", PENALTY["stunned"], "opend6.gap.wound.stunned")
    return Part(found.replace("_", " "), dice, PENALTIES) if dice else None


def lost_dice(subject: Subject) -> Iterator[Part]:
    """The dice that a character has lost on every skill and attribute roll, each with its reason."""
    wound = wound_dice(subject)
    if wound is not None:
        yield wound
    status: Status | None = subject.status
    if status is not None and status.declared:
        dice = penalty_dice(status.declared, 1 + status.quick)
        if dice:
            yield Part(f"{status.declared} actions", dice, ACTIONS)
