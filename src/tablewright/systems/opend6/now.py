"""Figures of a participant at this moment of a scene: rolls, weapons and their modifiers.

Everything that the book counts stands here as one row of a table or one part of a tally; the rolls are in `attack.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from tablewright.engine import Call, Role, Tally, choose
from tablewright.engine.request import EVERYONE
from tablewright.engine.tally import Part
from tablewright.game.character.belongings import Belongings
from tablewright.game.content.library import Library
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.checks import Subject
from tablewright.game.play.reactions import open_reaction_window
from tablewright.game.scene.caching import MOST_REMEMBERED, cached_by_identity, cached_by_value, cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.systems.opend6.chapters.points import PointsSpent, fate_of, note_use
from tablewright.systems.opend6.character.figures import armour, code, figures, hampered
from tablewright.systems.opend6.character.gear import SKILLS_OF_AGILITY, unskilled
from tablewright.systems.opend6.character.record import OpenD6Character
from tablewright.systems.opend6.content import Skill, Weapon
from tablewright.systems.opend6.events.attack import Complicated, Unbalanced
from tablewright.systems.opend6.events.turn import CameBetween
from tablewright.systems.opend6.mechanics.dice import NotPossible, assembled, fate_factor, penalty_dice, prepared_dice
from tablewright.systems.opend6.mechanics.harm import Body, Kept, Protection, ease, injure, resist
from tablewright.systems.opend6.mechanics.points import (
    NOTHING,
    Aimed,
    Before,
    Mended,
    Purse,
    Terms,
    Throw,
    mend,
    skill_roll,
)
from tablewright.systems.opend6.mechanics.rolls import How, simplification_for
from tablewright.systems.opend6.mechanics.turn import success
from tablewright.systems.opend6.options import CriticalFailureRule, OpenD6Options, Simplification
from tablewright.systems.opend6.status import Status, is_here, level, stands, wound_penalty
from tablewright.systems.opend6.values import DieCode, Severity

MOST_RESISTANCE = DieCode(6)  # opend6.gap.resistance.max


# ---------------------------------------------------------------------- numbers


@cached_on_scene
def lost(scene: Scene, who: str) -> int:
    """Dice that other actions of the round and wounds take from skills and attributes."""
    status: Status = scene[who].status
    dice = penalty_dice(status.declared, 1 + status.quick) if status.declared > 1 else 0
    return dice + wound_penalty(scene, who)


def lost_parts(scene: Scene, who: str, *, agility: bool = False, spared: bool = False) -> Tally:
    """The same, part by part; an Agility roll while off balance lacks more, and from one that is ``spared`` injuries
    take nothing."""
    status: Status = scene[who].status
    tally = Tally.of("lost dice", 0, "opend6.map.penalty")
    tally = tally.add(f"{status.declared} actions", penalty_dice(status.declared or 1, 1 + status.quick), MAP)
    if not spared:
        tally = tally.add("wounds", wound_penalty(scene, who), "opend6.gap.wound.penalties")
    return tally.add("off balance", status.unbalanced, "opend6.gap.manoeuvre.list") if agility else tally


MAP = "opend6.map.penalty"


def terms(scene: Scene, who: str = "", other: str = "") -> Terms:
    """Settings of rolls in a fight, for actor and target. [opend6.simplify.quick]"""
    found = _terms(scene.options)
    if scene.options.simplification != "quick" or not (who or other):
        return found
    if who:
        found = found._replace(simplification=_fewer(scene, who), ought_to_succeed=ought(scene[who].character))
    if other:
        theirs = ought(scene[other].character)
        found = found._replace(their_simplification=_fewer(scene, other), they_ought_to_succeed=theirs)
    return _same_terms(*found)


def ought(character: OpenD6Character) -> bool:
    """True if a quick conversion takes 4 a die for a character: a player's character, or an important one."""
    return not character.is_creature or character.important


def how_of(subject: Subject, critical_failure: CriticalFailureRule | None, asked: bool | None) -> How:
    """Settings of a check of a character; whether it ought to succeed may be said for one roll."""
    character: OpenD6Character = subject.character
    succeeds_quickly = ought(character) if asked is None else asked
    return How.of(subject.options, critical_failure, succeeds_quickly, creature=character.is_creature)


def _fewer(scene: Scene, who: str) -> Simplification:
    return simplification_for(scene.options, creature=scene[who].character.is_creature)


@cached_by_identity
def _terms(options: Any) -> Terms:
    """The settings of a table, shared by all tables that roll alike, so that caches serve them all."""
    return _same_terms(
        options.critical_failure,
        options.cancel_scope,
        options.cancel_reaches_cp_dice,
        options.normalise_rolled_pips,
        options.simplification,
        options.challenge_level,
        options.allow_mixing,
        options.zero_rule,
        "wounds" if options.injury_system == "wounds" else "body_points",
        options.negative_resistance,
        options.killing_blow,
        options.stacking if options.allow_stacking else "off",
    )


@lru_cache(maxsize=MOST_REMEMBERED)
def _same_terms(*settings: Any) -> Terms:
    return Terms(*settings)


def purse_of(scene: Scene, who: str) -> Purse:
    """Points of a character who wants to be asked for them, and whether all rolls of the round are doubled."""
    status: Status = scene[who].status
    return _same_purse(status.points, fate_of(scene, who), status.climactic)


def body_of(scene: Scene, who: str) -> Body:
    """Wound level of a character, and the number of its levels."""
    return _same_body(level(scene, who), scene[who].character.wound_levels)


_same_purse, _same_body = lru_cache(maxsize=MOST_REMEMBERED)(Purse), lru_cache(maxsize=MOST_REMEMBERED)(Body)


@cached_on_scene
def resistance_of(scene: Scene, who: str, *, stun: bool = False, shield: bool = False) -> Protection:
    """Resistance of a participant to damage; a shield that is held counts where it is between them and an attacker.

    Against a stun weapon, where Body Points are in use, it is the better of Physique and stamina.
    """
    one = scene[who]
    found = figures(one.character, scene.library)
    worn = (armour_of if shield else suit_of)(one.status.belongings, scene.library)
    physique = found.codes["physique"]
    if stun and scene.options.injury_system != "wounds":  # opend6.gap.damage.stun
        physique = max(physique, found.codes["stamina"], key=lambda one: one.in_pips)
    if scene.options.max_resistance:  # opend6.gap.resistance.max
        physique = DieCode.of_pips(min(physique.in_pips, MOST_RESISTANCE.in_pips))
        beside = physique.in_pips if stun or scene.options.injury_system == "wounds" else 0
        worn = DieCode.of_pips(min(worn.in_pips, MOST_RESISTANCE.in_pips - beside))
    return Protection(physique, worn, found.resistance_bonus, scene.apply_rulings(_NOUGHT, "resistance", who).total)


def sturdier(found: Protection, by: int) -> Protection:
    """Resistance with a bonus for a target that is larger than its attacker."""
    return found._replace(resistance_plain=found.resistance_plain + by) if by > 0 else found


def larger_by(scene: Scene, who: str, other: str) -> int:
    """Difference in size between two participants. [opend6.gap.attack.scale]"""
    difference: int = scene[who].character.scale - scene[other].character.scale
    return difference


_NOUGHT = Tally.of("rulings", 0)


def burden(scene: Scene, who: str) -> int:
    """Addition to all difficulties from a resistance below zero. [opend6.gap.resistance.negative]"""
    if scene.options.negative_resistance != "add_to_all_difficulties":
        return 0
    found = resistance_of(scene, who)
    return (
        max(0, -(found.resistance_bonus + found.resistance_plain + found.armour.pips)) if found.armour.dice < 1 else 0
    )


def handicap(scene: Scene, who: str, *, agility: bool) -> int:
    """Reduction of a total by burdens on every roll, or on every roll of Agility."""
    layered = agility and scene.options.armour_layering == "layers"
    worn = hampered(scene[who].status.belongings, scene.library) if layered else 0
    return worn + burden(scene, who)


@cached_by_value
def armour_of(belongings: Belongings, library: Library) -> DieCode:
    """Armour worn, and a shield in hand."""
    return code(armour(belongings, library))


@cached_by_value
def suit_of(belongings: Belongings, library: Library) -> DieCode:
    """Armour worn, without a shield."""
    return code(armour(belongings, library, shield=False))


WAIT, STOP = "opend6.turn.waiting", "stop"
LET_BE = ActionUse("let_be", label="Let it be")
NEVER_FIRST = frozenset(
    ["step", "posture", "let_go", "speak", "glance", "fast_reactions", "use_points", "yield", "wait", STOP]
)
"""Actions that do not interrupt others: those that take no action, and waiting, which goes on anyway."""


def waiters(scene: Scene, who: str) -> list[str]:
    """Participants who have waited, have an action left, and may interrupt another character."""
    return [
        one.id
        for one in scene.participants
        if one.status.waiting and one.id != who and one.status.left > 0 and stands(one)
    ]


def open_between(game: Game, who: str) -> list[ActionUse]:
    """Actions open to a participant who has waited; none after leaving."""
    if not is_here(game.scene, who):
        return []
    among = [action.id for action in game.rulebook.actions if action.id not in NEVER_FIRST]
    offered = game.rulebook.actions.options(game.scene, who, among=among)
    return [use for use in offered if isinstance(use, ActionUse)]


async def come_between(game: Game, who: str, use: ActionUse) -> None:
    """A character who has waited does something: the wait is over, unless it was a Fate Point for the whole round."""
    if use.action != "burn_fate":
        game.emit(CameBetween(who=who, cause=WAIT))
    await game.rulebook.actions.perform(game, who, use)


async def let_interrupt(game: Game, actor: str, *, goes_on: Callable[[Scene], bool] = lambda _: True) -> None:
    """Let waiting participants act between a roll and its result, once each.

    [opend6.turn.interrupt]
    """
    if not waiters(game.scene, actor):
        return
    await open_reaction_window(
        game,
        "interrupt it?",
        lambda scene: waiters(scene, actor) if goes_on(scene) else [],
        lambda scene, who: open_between(game, who),
        idle=LET_BE,
        perform=come_between,
        about={"actor": actor},
    )


def last_between(scene: Scene, after: str | None = None) -> str | None:
    """The participant who interrupted last, after a given turn, and has declared actions left."""
    above = 0 if after is None else scene[after].status.between
    found = [one for one in scene.participants if one.status.between > above and goes_on_between(scene, one.id)]
    return max(found, key=lambda one: one.status.between).id if found else None


def goes_on_between(scene: Scene, who: str) -> bool:
    """True if a character who has come between has something left to do."""
    status: Status = scene[who].status
    return status.between > 0 and status.left > 0 and stands(scene[who])


OWN_POINTS = {"points": Role.ACTOR, "fate": Role.ACTOR}
OWN_FATE = {"fate": Role.ACTOR}
OWN_LEFT = {"left": Role.ACTOR}


def injure_call(
    scene: Scene, who: str, damage: DieCode, against: Protection, plain: int = 0, roller: str = ""
) -> Call[Kept]:
    """Rolled damage and the resistance of its target as one rule."""
    climactic = scene[who].status.climactic
    return injure(damage, against, body_of(scene, who), climactic, plain, terms(scene, roller, who))


def left_after(scene: Scene, who: str, fate: int, points: int = 0) -> int:
    """Character Points that may still be spent after a roll, given those spent before it."""
    return purse_of(scene, who).left_after(Before(points, fate), terms(scene))


ASSEMBLY, FATE = "opend6.check.roll_assembly", "opend6.fate.double"
BONUS, EXTERNAL = "opend6.dice.bonus_number", "opend6.fate.external_not_doubled"


class Pool(NamedTuple):
    """A roll before its dice: the own code in pips, dice lost, dice from outside, numbers on the total.

    ``abilities`` are the numbers that belong to the character, ``bonus`` all others.
    """

    own: Tally
    lost: Tally
    outside: Tally
    bonus: Tally
    abilities: Tally

    def rolled(self, options: OpenD6Options, fate_points: int = 0) -> DieCode | NotPossible:
        """Code with a number of Fate Points, or the reason against it."""
        return assembled(
            code(self.own),
            factor=fate_factor(fate_points, options.stacking),
            penalty=self.lost.total,
            bonus=DieCode(self.outside.total),
            zero_rule=options.zero_rule,
        )

    def added(self, options: OpenD6Options, fate_points: int = 0) -> Tally:
        """The numbers on the total: Fate doubles what belongs to the character. [opend6.fate.external_not_doubled]"""
        more = self.abilities.total * (fate_factor(fate_points, options.stacking) - 1)
        tally = Tally.of("bonus", 0, BONUS).add_parts(self.abilities.parts).add("Fate on abilities", more, EXTERNAL)
        return tally.add_parts(self.bonus.parts)

    def tallies(self, fate_points: int, options: OpenD6Options) -> dict[str, Tally]:
        """Tallies of the roll: the own code in pips, the dice, and the number on the total."""
        own, factor = code(self.own), fate_factor(fate_points, options.stacking)
        dice = Tally.of(f"own dice of {own}", own.dice, ASSEMBLY).add("Fate", own.dice * (factor - 1), FATE)
        dice = dice.add_parts([Part(one.label, -one.changed, one.rule, one.kind) for one in self.lost.parts])
        bonus = Tally.of("own pips", own.pips * factor, ASSEMBLY).add_parts(self.added(options, fate_points).parts)
        return {"code_pips": self.own, "dice": dice.add_parts(self.outside.parts), "added": bonus}


SPENT, COMPLICATION = "opend6.cp.spent_and_earned", "opend6.wild.cf_complication"


def better(scene: Scene, who: str, names: Iterable[str]) -> str:
    """The better of some attributes and skills of a character; the first of equal ones."""
    codes = figures(scene[who].character, scene.library).codes
    return max(names, key=lambda name: codes[name].in_pips)


def is_of_agility(scene: Scene, name: str) -> bool:
    """True if something is an Agility roll."""
    if name == "agility" or name in SKILLS_OF_AGILITY:
        return True
    return bool(scene.library.has(Skill, name) and scene.library.get(Skill, name).attribute == "agility")


def why_not(
    scene: Scene, who: str, name: str, weapon: Weapon | None = None, *, spared: bool = False, outside: DieCode = NOTHING
) -> NotPossible | None:
    """Reason why a skill cannot be rolled now, with some dice from outside; None if it can."""
    one = scene[who]
    own = figures(one.character, scene.library).with_weapon(name, weapon)
    if own.dice > lost(scene, who) + one.status.unbalanced:
        return None  # the common case, without the parts
    lacking = _lacking(scene, who, name, spared=spared)
    factor = _most_fate(scene, who)
    if own.dice * factor - lacking >= 1:
        return None
    found = assembled(own, factor=factor, penalty=lacking, bonus=outside, zero_rule=scene.options.zero_rule)
    return found if isinstance(found, NotPossible) else None


def _lacking(scene: Scene, who: str, name: str, *, spared: bool) -> int:
    """The dice that a roll lacks: for other actions of the round, for injuries unless it is spared, off balance."""
    return lost_parts(scene, who, agility=is_of_agility(scene, name), spared=spared).total


@cached_on_scene
def _most_fate(scene: Scene, who: str) -> int:
    """Highest multiplier of a character's own code by Fate Points."""
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
    found = figures(scene[who].character, scene.library)
    lacking = _lacking(scene, who, name, spared=spared)
    number = plain - handicap(scene, who, agility=is_of_agility(scene, name))
    throw = Throw(found.with_weapon(name, weapon), lacking, outside, number, found.bonus(name))
    return skill_roll(throw, assumed, purse_of(scene, who), terms(scene, who))


async def rolled(
    game: Game,
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
    """Let a character roll an attribute or a skill; what is spent on it is paid at once, unless another character does.

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
    """The dice that a character has prepared, for the next action but a shot or a throw. [opend6.prepare.bonus]"""
    return DieCode(prepared_dice(1 + scene[who].status.prepared))


def unskilled_by(scene: Scene, who: str, name: str) -> int:
    """Addition to a difficulty for a participant without the skill."""
    return unskilled(scene.options, figures(scene[who].character, scene.library), name)


async def succeeds(
    game: Game, who: str, name: str, difficulty: int, *, free: bool = False, spared: bool = False, offered: bool = False
) -> bool:
    """True if a character's roll reaches a difficulty, with points if they spend any and with preparation.

    The untrained find it harder, unless the roll is ``free``, the attribute is ``offered`` beside the skill, or the
    difficulty derives from an opponent. [opend6.untrained.exempt] Several actions take dice from a free roll too;
    injuries do not if it is ``spared`` them. [opend6.map.penalty]
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
        call = success(code, difficulty, bonus, terms(scene, who).how())
        reached = await call.by(one.seat, audience=seen_by(one))
        if is_here(game.scene, who):
            note_use(game, who, name)
    if agility and is_here(game.scene, who) and game[who].status.unbalanced:
        game.emit(Unbalanced(who=who, cause="opend6.gap.manoeuvre.list"))
    return await _stands(game, who, reached, free)


async def _stands(game: Game, who: str, reached: bool, free: bool) -> bool:
    """Result of a roll after interruptions: a failure if the actor has fallen or left."""
    if free or not is_here(game.scene, who):
        return reached
    await let_interrupt(game, who)
    return reached and stands(game[who])


async def complicate(game: Game, who: str, result_points: int | None) -> None:
    """A complication: the game master says whether it happens now or is held back. [opend6.wild.cf_complication]

    Without a difficulty there are no result points, and nothing is said of how grave it is.
    """
    severity = "" if result_points is None else Severity.of(result_points).value
    about = {"who": who, "rule": COMPLICATION} | ({"severity": severity} if severity else {})
    question = f"{game.scene.display_name(who)}: a complication now or later?"
    when = await choose(GAME_MASTER, question, ["now", "later"], details=about)
    if is_here(game.scene, who):
        game.emit(Complicated(who=who, severity=severity, deferred=when == "later", cause=COMPLICATION))


async def mended(game: Game, who: str, found: Aimed, assumed: int, *, known: bool = True) -> Aimed:
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


async def resisted(game: Game, who: str, damage: int, against: Protection, *, stun: bool = False) -> Kept:
    """A character resists damage, with a Fate Point before the roll and Character Points after it.

    It is no action of theirs. [opend6.free.player_actions, opend6.map.exempt_rolls]
    """
    one, body, purse = game[who], body_of(game.scene, who), purse_of(game.scene, who)
    call = resist(damage, against, body, stun, purse.fate, purse.doubled, terms(game.scene, who, who))
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
    """The audience of a participant's dice."""
    return one.seat if one.hidden else EVERYONE
