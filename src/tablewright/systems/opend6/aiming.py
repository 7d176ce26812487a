"""An attack before its dice: with what, how, against which difficulty, and what a hit would do.

Everything that the book counts stands here as one row of a table or one part of a tally; the rolls are in `attack.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from tablewright.engine import Tally
from tablewright.engine.tally import Part
from tablewright.game.belongings import Belongings
from tablewright.game.content import Library
from tablewright.game.remembering import MOST_REMEMBERED, by_identity, of_scene, remembered
from tablewright.game.scene import Participant, Scene
from tablewright.game.standing import distance
from tablewright.systems.opend6.attack import LEAST_DIFFICULTY
from tablewright.systems.opend6.character import armour, code, figures, hampered
from tablewright.systems.opend6.content import Location, Weapon
from tablewright.systems.opend6.points import fate_of
from tablewright.systems.opend6.pools import NotPossible, assembled, penalty_dice
from tablewright.systems.opend6.status import Defence, Status, is_out, wound_penalty
from tablewright.systems.opend6.terms import Terms
from tablewright.systems.opend6.values import DieCode
from tablewright.systems.opend6.wielding import SKILLS_OF_AGILITY, Manner, means_of

PASSIVE = 10  # opend6.gap.defence.passive
FULL = 10  # opend6.gap.defence.full
MELEE = 3  # metres: point blank

COVER = {
    "light_smoke": 3,
    "thick_smoke": 6,
    "very_thick_smoke": 12,
    "poor_light": 3,
    "moonlight": 6,
    "darkness": 12,
    "hidden_25": 3,
    "hidden_50": 6,
    "hidden_75": 12,
}  # opend6.gap.cover.list
HIDDEN = "hidden_100"
COVER_FACTS = ("cover", "light", "smoke")
BANDS = {"point_blank": -5, "short": 0, "medium": 5, "long": 10}  # opend6.gap.range.bands
BLINDED, FROM_BEHIND = 12, -12  # opend6.gap.attack.circumstances
CROUCHED, CROUCHED_MOVING, PRONE_NEAR, PRONE_FAR = 3, 6, -6, 6
SURPRISE_DICE = 1
MOST_RESISTANCE = DieCode(6)  # opend6.gap.resistance.max


# ---------------------------------------------------------------------- numbers


@of_scene
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


def reach_of(weapon: Weapon, extra_cm: int = 0) -> int:
    """How far something goes that is used hand to hand, in centimetres."""
    return 100 * (MELEE + weapon.reach) + extra_cm


def ranges(scene: Scene, who: str, weapon: Weapon) -> tuple[int, int, int]:
    """How far short, medium and long range are. [opend6.gap.range.physique]

    Where a throw is rolled for, that is what was rolled; before the roll, as far as it can go without a further six.
    """
    found = weapon.ranges
    if found is None:
        return (MELEE, MELEE, MELEE)
    if not found.physique:
        return (found.short, found.medium, found.long)
    codes = figures(scene[who].character, scene.library).codes
    best = max(codes["physique"], codes["lifting"], key=lambda one: one.in_pips)
    thrown = 4 * best.dice + best.pips
    if scene.options.thrown_range == "rolled":
        thrown = scene[who].status.thrown or 6 * max(0, best.dice - lost(scene, who)) + best.pips
    return (thrown + found.short, thrown + found.medium, thrown + found.long)


def band(scene: Scene, who: str, target: str, weapon: Weapon, extra_cm: int = 0) -> str | None:
    """At which range somebody is; None where a weapon does not go that far."""
    return band_at(scene, who, distance(scene, who, target), weapon, extra_cm)


def band_at(scene: Scene, who: str, metres: int, weapon: Weapon, extra_cm: int = 0) -> str | None:
    """Which range a distance is; None where a weapon does not go that far. A limit belongs to the nearer band."""
    if metres <= MELEE:
        return "point_blank"
    if weapon.ranges is None:
        return "short" if 100 * metres <= reach_of(weapon, extra_cm) else None
    for name, limit in zip(("short", "medium", "long"), ranges(scene, who, weapon), strict=True):
        if metres <= limit:
            return name
    return None


def passive_bonus(scene: Scene, who: str) -> int:
    """What a high Agility or dodge adds to the passive defence, where the table has it so: 1 for each 2D above 4D."""
    codes = figures(scene[who].character, scene.library).codes
    best = max(codes["agility"].in_pips, codes["dodge"].in_pips)
    above = max(0, best - 12)
    bonus = -(-above // 6)
    for own in scene[who].character.abilities:
        if own.attribute == "agility" or "dodge" in own.skills:
            bonus += own.ranks // 6
    return bonus


def modifiers(scene: Scene, who: str, target: str, weapon: Weapon, manner: Manner) -> list[Part]:
    """Everything that makes an attack harder or easier, but for the defence."""
    means = means_of(scene, who, weapon, manner)
    near = band(scene, who, target, weapon, means.extra_cm) or "long"
    found = [Part(near.replace("_", " "), BANDS[near], "opend6.gap.range.bands")] if BANDS[near] else []
    return [*found, *means.modifiers, *from_target(scene, who, target), *lowness(scene[target], near)]


def from_target(scene: Scene, who: str, target: str) -> list[Part]:
    """What makes an attack harder or easier because of whom it is aimed at, from however far."""
    larger = larger_by(scene, who, target)
    found = [Part("larger than the target", larger, "opend6.gap.attack.scale")] if larger > 0 else []
    if scene.facts.entries:
        found += _facts(scene, who, target)
    return found


def lowness(them: Participant, near: str) -> list[Part]:
    """What a target's posture does at a range: whoever lies down is easier to hit up to short range, else harder."""
    posture = them.status.posture
    if posture == "crouched":
        harder = CROUCHED_MOVING if them.status.moved or them.status.running else CROUCHED
        return [Part("crouched", harder, "opend6.gap.attack.circumstances", "dice")]
    if posture == "prone":
        easier = PRONE_NEAR if near in ("point_blank", "short") else PRONE_FAR
        return [Part("prone", easier, "opend6.gap.attack.circumstances", "dice")]
    return []


def _facts(scene: Scene, who: str, target: str) -> list[Part]:
    """What the game master has said of sight and cover."""
    found = []
    for fact in COVER_FACTS:
        word = scene.facts.get(fact, target, who)
        if isinstance(word, str) and word in COVER:
            found.append(Part(word.replace("_", " "), COVER[word], "opend6.gap.cover.list", "dice"))
    if scene.facts.get("blinded", who):
        found.append(Part("blinded", BLINDED, "opend6.gap.attack.circumstances", "dice"))
    if scene.facts.get("blinded", target) or scene.facts.get("from_behind", who, target):
        found.append(Part("the target does not see it", FROM_BEHIND, "opend6.gap.attack.circumstances", "dice"))
    return found


def cannot_be_hit(scene: Scene, who: str, target: str) -> bool:
    """Whether somebody is wholly behind cover."""
    return bool(scene.facts.entries) and scene.facts.get("cover", target, who) == HIDDEN


def defence_of(scene: Scene, target: str, *, missile: bool) -> Part:
    """What has to be beaten before anything else counts: an active defence, or the passive one.

    A block or a parry meets no missile. [opend6.gap.defence.skills]
    """
    defence: Defence | None = scene[target].status.defence
    if defence is not None and not is_out(scene[target]) and (defence.skill == "dodge" or not missile):
        return Part("active defence", defence.total, "opend6.gap.defence.partial")
    bonus = passive_bonus(scene, target) if scene.options.passive_bonus else 0
    return Part("passive defence", PASSIVE + bonus, "opend6.gap.defence.passive")


class Difficulty(NamedTuple):
    """The combat difficulty: its tally, and the dice that are rolled for it where the table rolls modifiers.

    Where there are such dice the tally alone may be below the least; the whole is not.
    """

    tally: Tally
    harder: int = 0
    easier: int = 0


def difficulty(scene: Scene, who: str, target: str, weapon: Weapon, manner: Manner) -> Difficulty:
    """The combat difficulty of an attack, at least 3 with everything that is rolled. [opend6.gap.attack.least]"""
    base = defence_of(scene, target, missile=weapon.ranges is not None)
    parts = modifiers(scene, who, target, weapon, manner)
    harder = easier = 0
    if scene.options.rolled_modifiers:
        dice = [part.changed // 3 for part in parts if part.kind == "dice"]
        harder, easier = sum([one for one in dice if one > 0]), -sum([one for one in dice if one < 0])
        parts = [part for part in parts if part.kind != "dice"]
    tally = Tally.of(base.label, base.changed, base.rule).add_parts(parts)
    tally = scene.with_rulings(tally, "combat difficulty", target)
    if harder or easier:
        return Difficulty(tally, harder, easier)
    return Difficulty(tally.limit(LEAST_DIFFICULTY, rule="opend6.gap.attack.least"))


# ---------------------------------------------------------------------- the whole


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack ready to be rolled, as the rules in `attack.py` take it."""

    who: str
    target: str
    weapon: Weapon
    manner: Manner
    skill: str
    own: DieCode
    penalty: Tally
    bonus: Tally
    plain: int
    own_bonus: int
    difficulty: Difficulty
    damage: DieCode
    strength_bonus: int
    added: DieCode
    damage_plain: int
    physique: DieCode
    armour: DieCode
    resistance_bonus: int
    resistance_plain: int
    fifth: bool
    halved: bool
    harmless: bool
    levels: int

    @property
    def protection(self) -> Protection:
        """What the target resists damage with."""
        return Protection(self.physique, self.armour, self.resistance_bonus, self.resistance_plain)

    def possible(self, scene: Scene) -> NotPossible | None:
        """Why the attack cannot be rolled at all; None if it can."""
        rolling = terms(scene)
        fate = rolling.factor(rolling.most_fate(fate_of(scene, self.who)), scene[self.who].status.climactic)
        found = assembled(
            self.own,
            factor=fate,
            penalty=self.penalty.total,
            bonus=DieCode(self.bonus.total),
            zero_rule=scene.options.zero_rule,
        )
        return found if isinstance(found, NotPossible) else None


def terms(scene: Scene) -> Terms:
    """How this table rolls in fights."""
    return _terms(scene.options)


@by_identity
def _terms(options: Any) -> Terms:
    """The terms of a table: the very same for all tables that roll alike, so that what follows is worked out once."""
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


class Protection(NamedTuple):
    """What resists damage: Physique, armour, what abilities add to it, and numbers that are nobody's own."""

    physique: DieCode
    armour: DieCode
    bonus: int
    plain: int = 0


@of_scene
def resistance_of(scene: Scene, who: str, *, stun: bool = False, shield: bool = False) -> Protection:
    """What somebody resists damage with; a shield that is held counts where it is between them and an attacker.

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
    return Protection(physique, worn, found.resistance_bonus, scene.with_rulings(_NOUGHT, "resistance", who).total)


def between_them(scene: Scene, who: str, target: str) -> bool:
    """Whether what somebody holds is between them and whoever attacks. [opend6.gap.armour.shields]"""
    return not (scene.facts.entries and scene.facts.get("from_behind", who, target))


def larger_by(scene: Scene, who: str, other: str) -> int:
    """By how much one is larger than another. [opend6.gap.attack.scale]"""
    difference: int = scene[who].character.scale - scene[other].character.scale
    return difference


_NOUGHT = Tally.of("rulings", 0)


def burden(scene: Scene, who: str) -> int:
    """What a resistance below zero adds to all difficulties, if it does so. [opend6.gap.resistance.negative]"""
    if scene.options.negative_resistance != "add_to_all_difficulties":
        return 0
    found = resistance_of(scene, who)
    return max(0, -(found.bonus + found.plain + found.armour.pips)) if found.armour.dice < 1 else 0


def handicap(scene: Scene, who: str, *, agility: bool) -> int:
    """What is taken from a total for what makes everything harder, or everything that takes Agility."""
    layered = agility and scene.options.armour_layering == "layers"
    worn = hampered(scene[who].status.belongings, scene.library) if layered else 0
    return worn + burden(scene, who)


@remembered
def armour_of(belongings: Belongings, library: Library) -> DieCode:
    """What is worn, and a shield that is held."""
    return code(armour(belongings, library))


@remembered
def suit_of(belongings: Belongings, library: Library) -> DieCode:
    """What is worn, without a shield."""
    return code(armour(belongings, library, shield=False))


_plans: dict[tuple[int, str, str, str, Manner], tuple[Scene, Attack]] = {}
MOST_PLANS = 512


def planned(scene: Scene, who: str, target: str, weapon: Weapon, manner: Manner) -> Attack:
    """Everything that goes into an attack; worked out once for a scene, which is kept so that it stays itself."""
    key = (id(scene), who, target, weapon.id, manner)
    known = _plans.get(key)
    if known is not None and known[0] is scene:
        return known[1]
    if len(_plans) >= MOST_PLANS:
        _plans.clear()
    plan = _planned(scene, who, target, weapon, manner)
    _plans[key] = (scene, plan)
    return plan


def _planned(scene: Scene, who: str, target: str, weapon: Weapon, manner: Manner) -> Attack:
    me, them = scene[who], scene[target]
    library, options = scene.library, scene.options
    means = means_of(scene, who, weapon, manner)
    manoeuvre, skill = means.manoeuvre, means.skill
    bonus = Tally.of("bonus dice", 0, "opend6.dice.bonus_die_code")
    if me.status.aim and me.status.aim_at == target and weapon.ranges is not None:
        bonus = bonus.add("aimed", min(3, me.status.aim), "opend6.gap.attack.aiming")
    surprised = them.status.surprised and options.surprise_rule == "bonus_die"
    bonus = bonus.add("surprise", SURPRISE_DICE if surprised else 0, "opend6.gap.attack.surprise")
    larger = larger_by(scene, who, target)
    plain = scene.with_rulings(_NOUGHT, "attack", who).total + max(0, -larger) - burden(scene, who)
    against = resistance_of(scene, target, stun=weapon.stun, shield=between_them(scene, who, target))
    place = library.get(Location, manner.at) if options.hit_locations and library.has(Location, manner.at) else None
    important = options.damage_bonus == "all" or (
        options.damage_bonus == "important_characters" and (not me.character.is_creature or me.character.important)
    )
    return Attack(
        who=who,
        target=target,
        weapon=weapon,
        manner=manner,
        skill=skill,
        own=means.code,
        penalty=lost_parts(scene, who, agility=skill in SKILLS_OF_AGILITY),
        bonus=bonus,
        plain=plain,
        own_bonus=means.bonus,
        difficulty=difficulty(scene, who, target, weapon, manner),
        damage=means.damage,
        strength_bonus=means.strength_bonus,
        added=means.added,
        damage_plain=means.damage_plain + max(0, larger) + scene.with_rulings(_NOUGHT, "damage", who).total,
        physique=against.physique,
        armour=against.armour,
        resistance_bonus=against.bonus,
        resistance_plain=against.plain + max(0, -larger),
        fifth=important and (place is None or place.result_bonus),  # opend6.result.fifth_damage
        halved=manner.manoeuvre == "flat",
        harmless=manner.manoeuvre in HARMLESS or (manoeuvre is not None and manoeuvre.damage == "none"),
        levels=them.character.wound_levels,
    )


HARMLESS = ("disarm", "entangle", "pin_part")
