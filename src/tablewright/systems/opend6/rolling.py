"""Rolls of people in a scene: an attribute or a skill with everything that counts now, and the points spent on it."""

from __future__ import annotations

from collections.abc import Iterable

from tablewright.engine import Call, choose
from tablewright.engine.asks import EVERYONE
from tablewright.game.events import GAME_MASTER
from tablewright.game.remembering import of_scene
from tablewright.game.scene import Live, Participant, Scene
from tablewright.systems.opend6.aiming import Protection, handicap, lost_parts, terms
from tablewright.systems.opend6.attack_parts import Aimed, Kept, Mended, ease, mend, skill_roll
from tablewright.systems.opend6.between import let_interrupt
from tablewright.systems.opend6.calls import OWN_FATE, OWN_LEFT, OWN_POINTS, left_after, resist_call
from tablewright.systems.opend6.character import figures
from tablewright.systems.opend6.content import Skill, Weapon
from tablewright.systems.opend6.events import Complicated, Unbalanced
from tablewright.systems.opend6.points import PointsSpent, fate_of, note_use
from tablewright.systems.opend6.pools import NotPossible, assembled, prepared_dice
from tablewright.systems.opend6.spending import NOTHING
from tablewright.systems.opend6.status import Status, is_here, level, stands
from tablewright.systems.opend6.turns import success
from tablewright.systems.opend6.values import DieCode, Severity
from tablewright.systems.opend6.wielding import SKILLS_OF_AGILITY, unskilled

SPENT, COMPLICATION = "opend6.cp.spent_and_earned", "opend6.wild.cf_complication"


def better(scene: Scene, who: str, names: Iterable[str]) -> str:
    """The better of some attributes and skills of somebody; the first of equal ones."""
    codes = figures(scene[who].character, scene.library).codes
    return max(names, key=lambda name: codes[name].in_pips)


def is_of_agility(scene: Scene, name: str) -> bool:
    """Whether something is an Agility roll."""
    if name == "agility" or name in SKILLS_OF_AGILITY:
        return True
    return bool(scene.library.has(Skill, name) and scene.library.get(Skill, name).attribute == "agility")


def why_not(
    scene: Scene, who: str, name: str, weapon: Weapon | None = None, *, spared: bool = False, outside: DieCode = NOTHING
) -> NotPossible | None:
    """Why nothing can be done with a skill now, with some dice from outside; None if something can."""
    own = figures(scene[who].character, scene.library).with_weapon(name, weapon)
    lacking = _lacking(scene, who, name, spared=spared)
    factor = _most_fate(scene, who)
    if own.dice * factor - lacking >= 1:
        return None
    found = assembled(own, factor=factor, penalty=lacking, bonus=outside, zero_rule=scene.options.zero_rule)
    return found if isinstance(found, NotPossible) else None


def _lacking(scene: Scene, who: str, name: str, *, spared: bool) -> int:
    """The dice that a roll lacks: for other actions of the round, for injuries unless it is spared, off balance."""
    return lost_parts(scene, who, agility=is_of_agility(scene, name), spared=spared).total


@of_scene
def _most_fate(scene: Scene, who: str) -> int:
    """By how much Fate Points can multiply what is somebody's own."""
    rolling = terms(scene)
    return rolling.factor(rolling.most_fate(fate_of(scene, who)), scene[who].status.climactic)


def roll_call(
    scene: Scene,
    who: str,
    name: str,
    assumed: int,
    *,
    outside: DieCode = NOTHING,
    plain: int = 0,
    spared: bool = False,
    weapon: Weapon | None = None,
) -> Call[Aimed]:
    """The roll of an attribute or a skill; from one that is ``spared`` injuries take nothing."""
    status: Status = scene[who].status
    found = figures(scene[who].character, scene.library)
    agility = is_of_agility(scene, name)
    lacking = _lacking(scene, who, name, spared=spared)
    return Call(
        skill_roll,
        (
            found.with_weapon(name, weapon),
            lacking,
            outside,
            plain - handicap(scene, who, agility=agility),
            found.bonus(name),
            assumed,
            status.points,
            fate_of(scene, who),
            status.climactic,
            *terms(scene),
        ),
    )


async def rolled(
    game: Live,
    who: str,
    name: str,
    assumed: int,
    *,
    outside: DieCode = NOTHING,
    plain: int = 0,
    spared: bool = False,
    pays: bool = True,
    weapon: Weapon | None = None,
    known: bool = False,
) -> Aimed:
    """Let somebody roll an attribute or a skill; what is spent on it is paid at once, unless somebody else does.

    ``known`` says that ``assumed`` is the difficulty; otherwise there is none, and points may be spent at any time.
    """
    if why_not(game.scene, who, name, weapon, spared=spared, outside=outside) is not None:
        return Aimed(0, False)  # nothing is left of the code [opend6.map.zero_rule]
    call = roll_call(game.scene, who, name, assumed, outside=outside, plain=plain, spared=spared, weapon=weapon)
    one = game[who]
    found: Aimed = await call.by(one.seat, private=OWN_POINTS, audience=seen_by(one))
    found = await mended(game, who, found, assumed, known=known)
    if not is_here(game.scene, who):
        return found
    note_use(game, who, name)
    if pays and (found.points or found.fate):
        game.emit(PointsSpent(who=who, character_points=found.points, fate_points=found.fate, on=name, cause=SPENT))
    if game[who].status.unbalanced and is_of_agility(game.scene, name):
        game.emit(Unbalanced(who=who, cause="opend6.gap.manoeuvre.list"))
    if found.complication:
        await complicate(game, who, found.total - assumed if known else None)
    return found


def prepared_for(scene: Scene, who: str) -> DieCode:
    """The dice that somebody has prepared, for the next action that is no attack. [opend6.prepare.bonus]"""
    return DieCode(prepared_dice(1 + scene[who].status.prepared))


def unskilled_by(scene: Scene, who: str, name: str) -> int:
    """What a difficulty has on top for somebody without the skill."""
    return unskilled(scene.options, figures(scene[who].character, scene.library), name)


async def succeeds(
    game: Live,
    who: str,
    name: str,
    difficulty: int,
    *,
    free: bool = False,
    spared: bool = False,
    offered: bool = False,
) -> bool:
    """Whether somebody's roll reaches a difficulty; with points where they mind them, and what they have prepared.

    Those without the skill find it harder, unless it is a ``free`` roll, or the attribute is ``offered`` beside the
    skill or the difficulty derived from somebody. [opend6.untrained.exempt] Several actions take dice from a free roll
    too, injuries not where it is ``spared`` them. [opend6.map.penalty]
    """
    if not free and not offered:
        difficulty += unskilled_by(game.scene, who, name)
    outside = NOTHING if free else prepared_for(game.scene, who)
    status: Status = game[who].status
    if status.points or fate_of(game.scene, who) or game.scene.options.critical_failure != "cancel":
        found = await rolled(game, who, name, difficulty, outside=outside, spared=spared, known=True)
        return await _stands(game, who, found.total >= difficulty, free)
    scene = game.scene
    own = figures(scene[who].character, scene.library)
    agility = is_of_agility(scene, name)
    lacking = _lacking(scene, who, name, spared=spared)
    factor = 2 if status.climactic else 1
    code = assembled(own.codes[name], factor=factor, penalty=lacking, bonus=outside, zero_rule=scene.options.zero_rule)
    reached = False
    if not isinstance(code, NotPossible):
        one = scene[who]
        bonus = own.bonus(name) * factor - handicap(scene, who, agility=agility)
        call = success(code, difficulty, bonus, *terms(scene).how())
        reached = await call.by(one.seat, audience=seen_by(one))
        if is_here(game.scene, who):
            note_use(game, who, name)
    if agility and is_here(game.scene, who) and game[who].status.unbalanced:
        game.emit(Unbalanced(who=who, cause="opend6.gap.manoeuvre.list"))
    return await _stands(game, who, reached, free)


async def _stands(game: Live, who: str, reached: bool, free: bool) -> bool:
    """What comes of a roll after whoever has waited has had their say: nothing for those who have fallen or left."""
    if free or not is_here(game.scene, who):
        return reached
    await let_interrupt(game, who)
    return reached and stands(game[who])


async def complicate(game: Live, who: str, result_points: int | None) -> None:
    """A complication: the game master says whether it happens now or is held back. [opend6.wild.cf_complication]

    Without a difficulty there are no result points, and nothing is said of how grave it is.
    """
    severity = "" if result_points is None else Severity.of(result_points).value
    about = {"who": who, "rule": COMPLICATION} | ({"severity": severity} if severity else {})
    question = f"{game.scene.called(who)}: a complication now or later?"
    when = await choose(GAME_MASTER, question, ["now", "later"], about=about)
    if is_here(game.scene, who):
        game.emit(Complicated(who=who, severity=severity, deferred=when == "later", cause=COMPLICATION))


async def mended(game: Live, who: str, found: Aimed, assumed: int, *, known: bool = True) -> Aimed:
    """A roll with the Character Points that are spent on it after it was made.

    Where no difficulty is known nothing says when it is enough. [opend6.cp.timing]
    """
    if (known and found.total >= assumed) or not is_here(game.scene, who):
        return found
    left = left_after(game.scene, who, found.fate, found.points)
    if left <= 0:
        return found
    one = game[who]
    mending = mend(max(0, assumed - found.total), left, 0, 0, not known)
    more: Mended = await mending.by(one.seat, private=OWN_LEFT, audience=seen_by(one))
    total = found.total + more.gain
    return found._replace(total=total, enough=total >= assumed, points=found.points + more.points)


async def resisted(game: Live, who: str, damage: int, against: Protection, *, stun: bool = False) -> Kept:
    """Somebody resists damage, with a Fate Point before the roll and Character Points after it.

    It is no action of theirs. [opend6.free.player_actions, opend6.map.exempt_rolls]
    """
    one = game[who]
    call = resist_call(game.scene, who, damage, against, stun=stun)
    found: Kept = await call.by(one.seat, private=OWN_FATE, audience=seen_by(one))
    if not found.over or not is_here(game.scene, who):
        return found
    left = left_after(game.scene, who, found.fate)
    if left <= 0:
        return found
    one = game[who]
    levels = one.character.wound_levels if game.scene.options.injury_system == "wounds" else 0
    easing = ease(found.over, left, level(game.scene, who), levels, stun, game.scene.options.killing_blow)
    eased: Kept = await easing.by(one.seat, private=OWN_LEFT, audience=seen_by(one))
    return eased._replace(fate=found.fate)


def seen_by(one: Participant) -> str:
    """Who sees somebody's dice."""
    return one.seat if one.hidden else EVERYONE
