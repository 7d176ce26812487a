"""Preparation of an attack: from a scene to the arguments of the mechanic.

Everything that the book counts stands here as one row of a table or one part of a tally; the rolls are in `attack.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from tablewright.engine import Call, Tally
from tablewright.engine.tally import Part
from tablewright.game.content.library import Library
from tablewright.game.play.targeting import distance
from tablewright.game.rules.ledger import table
from tablewright.game.scene.caching import cached_by_identity, cached_on_scene
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.opend6.chapters.points import fate_of
from tablewright.systems.opend6.character.figures import figures
from tablewright.systems.opend6.character.gear import SKILLS_OF_AGILITY, Arm, Manner, arms_by_id, means_of
from tablewright.systems.opend6.content import Location, Manoeuvre, Weapon
from tablewright.systems.opend6.mechanics.attack import Dealt, aim, attack, deal
from tablewright.systems.opend6.mechanics.blows import LEAST_DIFFICULTY, THEIRS, Against, Blow, TheirPurse
from tablewright.systems.opend6.mechanics.blows import Struck as Result
from tablewright.systems.opend6.mechanics.harm import Protection
from tablewright.systems.opend6.mechanics.points import EMPTY, Aimed, Purse, Throw
from tablewright.systems.opend6.now import (
    _NOUGHT,
    body_of,
    burden,
    larger_by,
    lost,
    lost_parts,
    prepared_for,
    purse_of,
    resistance_of,
    sturdier,
    terms,
)
from tablewright.systems.opend6.status import Defence, is_out
from tablewright.systems.opend6.values import DieCode

PASSIVE = 10  # opend6.gap.defence.passive
FULL = 10  # opend6.gap.defence.full
MELEE = 3  # metres: point blank

COVER: dict[str, int] = table("opend6.gap.cover.list")
HIDDEN = "hidden_100"
COVER_FACTS = ("cover", "light", "smoke")
BANDS = {"point_blank": -5, "short": 0, "medium": 5, "long": 10}  # opend6.gap.range.bands
BLINDED, FROM_BEHIND = 12, -12  # opend6.gap.attack.circumstances
CROUCHED, CROUCHED_MOVING, PRONE_NEAR, PRONE_FAR = 3, 6, -6, 6
SURPRISE_DICE = 1


def reach_of(weapon: Weapon, extra_cm: int = 0) -> int:
    """Reach of a weapon used hand to hand, in centimetres."""
    return 100 * (MELEE + weapon.reach) + extra_cm


def ranges(scene: Scene, who: str, weapon: Weapon) -> tuple[int, int, int]:
    """Limits of short, medium and long range. [opend6.gap.range.physique]

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
    """At which range a character is; None where a weapon does not go that far."""
    return band_at(scene, who, distance(scene, who, target), weapon, extra_cm)


def band_at(scene: Scene, who: str, metres: int, weapon: Weapon, extra_cm: int = 0) -> str | None:
    """Range band of a distance; None beyond the reach of the weapon. A limit belongs to the nearer band."""
    if metres <= MELEE:
        return "point_blank"
    if weapon.ranges is None:
        return "short" if 100 * metres <= reach_of(weapon, extra_cm) else None
    for name, limit in zip(("short", "medium", "long"), ranges(scene, who, weapon), strict=True):
        if metres <= limit:
            return name
    return None


@cached_by_identity
def reaches(library: Library) -> tuple[int, ...]:
    """Centimetres that manoeuvres reach beyond a weapon, in order."""
    return tuple(sorted({0, *[manoeuvre.reach_cm for manoeuvre in library.of(Manoeuvre)]}))


@cached_on_scene
def bands_at(scene: Scene, who: str, metres: int) -> tuple[str | None, ...]:
    """Range bands of a distance: for each arm in order, at each of the reaches."""
    mine = arms_by_id(scene, who)
    known = _known_bands(mine, scene.library)
    key = (metres, *[ranges(scene, who, arm.weapon) for arm in mine.values()])
    found = known.get(key)
    if found is None:
        if len(known) >= MOST_BANDS:
            known.clear()
        farther = reaches(scene.library)
        bands = [band_at(scene, who, metres, arm.weapon, cm) for arm in mine.values() for cm in farther]
        found = known[key] = tuple(bands)
    return found


MOST_BANDS = 1_024


@cached_by_identity
def _known_bands(mine: Mapping[str, Arm], library: Library) -> dict[tuple[Any, ...], tuple[str | None, ...]]:
    return {}


def passive_bonus(scene: Scene, who: str) -> int:
    """Bonus to the passive defence from a high Agility or dodge, where the table has it so: 1 for each 2D above 4D."""
    codes = figures(scene[who].character, scene.library).codes
    best = max(codes["agility"].in_pips, codes["dodge"].in_pips)
    above = max(0, best - 12)
    bonus = -(-above // 6)
    for own in scene[who].character.abilities:
        if own.attribute == "agility" or "dodge" in own.skills:
            bonus += own.ranks // 6
    return bonus


def modifiers(scene: Scene, who: str, target: str, weapon: Weapon, manner: Manner) -> list[Part]:
    """Modifiers of an attack, without the defence."""
    means = means_of(scene, who, weapon, manner)
    near = band(scene, who, target, weapon, means.extra_cm) or "long"
    found = [Part(near.replace("_", " "), BANDS[near], "opend6.gap.range.bands")] if BANDS[near] else []
    return [*found, *means.modifiers, *from_target(scene, who, target), *lowness(scene[target], near)]


def from_target(scene: Scene, who: str, target: str) -> list[Part]:
    """Modifiers of an attack from its target, at any range."""
    larger = larger_by(scene, who, target)
    found = [Part("larger than the target", larger, "opend6.gap.attack.scale")] if larger > 0 else []
    if scene.facts.entries:
        found += _facts(scene, who, target)
    return found


def lowness(them: Participant, near: str) -> list[Part]:
    """Modifier from a target's posture: a prone target is easier to hit up to short range, harder beyond it."""
    posture = them.status.posture
    if posture == "crouched":
        harder = CROUCHED_MOVING if them.status.moved or them.status.running else CROUCHED
        return [Part("crouched", harder, "opend6.gap.attack.circumstances", "dice")]
    if posture == "prone":
        easier = PRONE_NEAR if near in ("point_blank", "short") else PRONE_FAR
        return [Part("prone", easier, "opend6.gap.attack.circumstances", "dice")]
    return []


def _facts(scene: Scene, who: str, target: str) -> list[Part]:
    """Modifiers from the game master's facts about sight and cover."""
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
    """True if a character is wholly behind cover."""
    return bool(scene.facts.entries) and scene.facts.get("cover", target, who) == HIDDEN


def defence_of(scene: Scene, target: str, *, missile: bool) -> Part:
    """The base of a combat difficulty: an active defence, or the passive one.

    A block or a parry meets no missile. [opend6.gap.defence.skills]
    """
    defence: Defence | None = scene[target].status.defence
    if defence is not None and not is_out(scene[target]) and (defence.skill == "dodge" or not missile):
        return _base("active defence", defence.total, "opend6.gap.defence.partial")
    bonus = passive_bonus(scene, target) if scene.options.passive_bonus else 0
    return _base("passive defence", PASSIVE + bonus, "opend6.gap.defence.passive")


_base = lru_cache(maxsize=1_024)(Part)


class Difficulty(NamedTuple):
    """The combat difficulty as a tally and as the attack takes it.

    Where dice are rolled for it the tally alone may be below the least; the whole is not.
    """

    tally: Tally
    against: Against


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
    tally = scene.apply_rulings(tally, "combat difficulty", target)
    if not harder and not easier:
        tally = tally.limit(LEAST_DIFFICULTY, rule="opend6.gap.attack.least")
    return Difficulty(tally, Against(tally.total, harder, easier))


# ---------------------------------------------------------------------- the whole


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack ready to be rolled, with the records that `opend6.attack` takes."""

    who: str
    target: str
    weapon: Weapon
    manner: Manner
    skill: str
    penalty: Tally
    difficulty: Tally
    throw: Throw
    against: Against
    blow: Blow
    protection: Protection

    def possible(self, scene: Scene) -> bool:
        """True if the attack can be rolled at all, perhaps with Fate Points."""
        rolling = terms(scene)
        fate = rolling.most_fate(fate_of(scene, self.who))
        return self.throw.rolled(fate, scene[self.who].status.climactic, rolling) is not None


def between_them(scene: Scene, who: str, target: str) -> bool:
    """True if a held shield stands between the character and the attacker. [opend6.gap.armour.shields]"""
    return not (scene.facts.entries and scene.facts.get("from_behind", who, target))


_plans: dict[tuple[int, str, str, str, Manner], tuple[Scene, Attack]] = {}
MOST_PLANS = 512


def planned(scene: Scene, who: str, target: str, weapon: Weapon, manner: Manner) -> Attack:
    """Inputs of an attack, cached per scene."""
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
    if weapon.ranges is None:
        bonus = bonus.add("prepared", prepared_for(scene, who).dice, "opend6.prepare.bonus")
    surprised = them.status.surprised and options.surprise_rule == "bonus_die"
    bonus = bonus.add("surprise", SURPRISE_DICE if surprised else 0, "opend6.gap.attack.surprise")
    larger = larger_by(scene, who, target)
    plain = scene.apply_rulings(_NOUGHT, "attack", who).total + max(0, -larger) - burden(scene, who)
    against = resistance_of(scene, target, stun=weapon.stun, shield=between_them(scene, who, target))
    place = library.get(Location, manner.at) if options.hit_locations and library.has(Location, manner.at) else None
    important = options.damage_bonus == "all" or (
        options.damage_bonus == "important_characters" and (not me.character.is_creature or me.character.important)
    )
    penalty = lost_parts(scene, who, agility=skill in SKILLS_OF_AGILITY)
    found = difficulty(scene, who, target, weapon, manner)
    more = max(0, larger) + scene.apply_rulings(_NOUGHT, "damage", who).total
    return Attack(
        who=who,
        target=target,
        weapon=weapon,
        manner=manner,
        skill=skill,
        penalty=penalty,
        difficulty=found.tally,
        throw=Throw(means.code, penalty.total, DieCode(bonus.total), plain, means.bonus),
        against=found.against,
        blow=Blow(
            means.damage,
            means.added,
            means.damage_plain + more,
            means.strength_bonus,
            fifth=important and (place is None or place.result_bonus),  # opend6.result.fifth_damage
            halved=manner.manoeuvre == "flat",
            stun=weapon.stun,
            harmless=manner.manoeuvre in HARMLESS or (manoeuvre is not None and manoeuvre.damage == "none"),
        ),
        protection=sturdier(against, -larger),
    )


DOUBLED, THEIRS_DOUBLED = Purse(doubled=True), TheirPurse(their_doubled=True)
HARMLESS = ("disarm", "entangle", "pin_part")


def attack_call(scene: Scene, plan: Attack) -> Call[Result]:
    """The whole attack as one rule, for sides that cannot spend points."""
    return attack(
        plan.throw,
        plan.against,
        plan.blow,
        plan.protection,
        body_of(scene, plan.target),
        DOUBLED if scene[plan.who].status.climactic else EMPTY,
        THEIRS_DOUBLED if scene[plan.target].status.climactic else THEIRS,
        terms(scene, plan.who, plan.target),
    )


def aim_call(scene: Scene, plan: Attack, assumed: int) -> Call[Aimed]:
    """The attack roll alone."""
    return aim(plan.throw, assumed, purse_of(scene, plan.who), terms(scene, plan.who))


def deal_call(scene: Scene, plan: Attack, extra: int) -> Call[Dealt]:
    """The damage roll alone."""
    blow, purse = plan.blow, purse_of(scene, plan.who)
    plain, more = blow.damage_plain + extra, blow.strength_bonus
    return deal(blow.damage, blow.weapon, plain, more, purse.fate, purse.doubled, terms(scene, plan.who))
