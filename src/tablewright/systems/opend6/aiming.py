"""An attack before its dice: with what, how, against which difficulty, and what a hit would do.

Everything that the book counts stands here as one row of a table or one part of a tally; the rolls are in `attack.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from tablewright.engine import Tally
from tablewright.engine.tally import Part
from tablewright.game.belongings import Belongings
from tablewright.game.content import Library
from tablewright.game.remembering import by_identity, of_scene, remembered
from tablewright.game.scene import Participant, Scene
from tablewright.game.standing import distance
from tablewright.systems.opend6.attack import LEAST_DIFFICULTY, NOTHING
from tablewright.systems.opend6.character import HAND, HANDS, armour, code, figures, hampered, items
from tablewright.systems.opend6.content import Location, Manoeuvre, Weapon
from tablewright.systems.opend6.points import fate_of
from tablewright.systems.opend6.pools import NotPossible, assembled, penalty_dice
from tablewright.systems.opend6.status import Status, wound_penalty
from tablewright.systems.opend6.terms import Terms
from tablewright.systems.opend6.values import DieCode

PASSIVE = 10  # opend6.gap.defence.passive
FULL = 10  # opend6.gap.defence.full
MELEE = 3  # metres: point blank
SKILLS_OF_AGILITY = ("fighting", "melee_combat", "dodge")
EXEMPT = ("fighting", "dodge")  # opend6.untrained.exempt

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
UNWIELDY, IMPROVISED = 5, 5
SIZES = {"50cm": 0, "25cm": 3, "10cm": 3, "5cm": 12, "1cm": 12, "tiny": 24}
"""What a called shot at something of a size adds. [opend6.gap.attack.called_shot]"""
CALLED_DICE = 1
SURPRISE_DICE = 1
MOST_RESISTANCE = 6  # opend6.gap.resistance.max


# ---------------------------------------------------------------------- with what


@dataclass(frozen=True, slots=True)
class Arm:
    """A weapon that somebody can use now: in hand, or a part of them."""

    weapon: Weapon
    held: bool = False


class _Armed(NamedTuple):
    belongings: Belongings
    natural: tuple[str, ...]


@remembered
def _arms(armed: _Armed, library: Library) -> tuple[Arm, ...]:
    known = items(library)
    found = [
        Arm(weapon, True)
        for carried in armed.belongings
        if carried.place in (HAND, HANDS) and isinstance(weapon := known.get(carried.item), Weapon)
    ]
    natural = [Arm(weapon) for name in armed.natural if isinstance(weapon := known.get(name), Weapon)]
    unarmed = known.get("unarmed")
    bare = [Arm(unarmed)] if isinstance(unarmed, Weapon) and not natural else []
    unique = {arm.weapon.id: arm for arm in (*found, *natural, *bare)}
    return tuple(unique.values())


_seen: dict[int, tuple[object, tuple[Arm, ...]]] = {}


def arms(scene: Scene, who: str) -> tuple[Arm, ...]:
    """What somebody could attack with: what is in hand, then what is a part of them, or else bare hands."""
    one = scene[who]
    status: Status = one.status
    kept = _seen.get(id(status.belongings))
    if kept is not None and kept[0] is status.belongings and status.belongings:
        return kept[1]
    found = _arms(_Armed(status.belongings, one.character.natural_weapons), scene.library)
    if status.belongings and not one.character.natural_weapons:
        if len(_seen) > 4_096:
            _seen.clear()
        _seen[id(status.belongings)] = (status.belongings, found)
    return found


def arm_of(scene: Scene, who: str, weapon: str) -> Arm | None:
    """The weapon of this id, if somebody has it ready."""
    for one in arms(scene, who):
        if one.weapon.id == weapon:
            return one
    return None


class Manner(NamedTuple):
    """How an attack is made: a weapon, a manoeuvre, something that is aimed at."""

    weapon: str
    manoeuvre: str = ""
    at: str = ""

    @staticmethod
    def parse(detail: str) -> Manner:
        """From the detail of a use: ``long_sword``, ``long_sword/all_out``, ``long_sword/called/head``.

        >>> Manner.parse("long_sword/called/head")
        Manner(weapon='long_sword', manoeuvre='called', at='head')
        """
        weapon, _, rest = detail.partition("/")
        manoeuvre, _, at = rest.partition("/")
        return Manner(weapon, manoeuvre, at)

    def __str__(self) -> str:
        return "/".join([part for part in self if part])


# ---------------------------------------------------------------------- numbers


@of_scene
def lost(scene: Scene, who: str) -> int:
    """Dice that other actions of the round and wounds take from skills and attributes."""
    status: Status = scene[who].status
    dice = penalty_dice(status.declared, 1 + status.quick) if status.declared > 1 else 0
    return dice + wound_penalty(scene, who)


def lost_parts(scene: Scene, who: str, *, agility: bool = False) -> Tally:
    """The same, part by part; an Agility roll while off balance lacks more."""
    status: Status = scene[who].status
    tally = Tally.of("lost dice", 0, "opend6.map.penalty")
    tally = tally.add(f"{status.declared} actions", penalty_dice(status.declared or 1, 1 + status.quick), MAP)
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
        thrown = scene[who].status.thrown or 6 * best.dice + best.pips
    return (thrown + found.short, thrown + found.medium, thrown + found.long)


def band(scene: Scene, who: str, target: str, weapon: Weapon, extra_cm: int = 0) -> str | None:
    """At which range somebody is; None where a weapon does not go that far. A limit belongs to the nearer band."""
    metres = distance(scene, who, target)
    if weapon.ranges is None:
        if metres <= MELEE:
            return "point_blank"
        return "short" if 100 * metres <= reach_of(weapon, extra_cm) else None
    if metres <= MELEE:
        return "point_blank"
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
    me, them = scene[who], scene[target]
    options, library = scene.options, scene.library
    found: list[Part] = []
    manoeuvre = library.get(Manoeuvre, manner.manoeuvre) if library.has(Manoeuvre, manner.manoeuvre) else None
    near = band(scene, who, target, weapon, manoeuvre.reach_cm if manoeuvre is not None else 0) or "long"
    if BANDS[near]:
        found.append(Part(near.replace("_", " "), BANDS[near], "opend6.gap.range.bands"))
    if manoeuvre is not None:
        found.append(Part(manoeuvre.name, manoeuvre.difficulty, "opend6.gap.manoeuvre.list", "dice"))
    if manner.at:
        if options.hit_locations and library.has(Location, manner.at):
            place = library.get(Location, manner.at)
            found.append(Part(place.name, place.difficulty, "opend6.gap.attack.hit_location", "dice"))
        elif manner.at in SIZES:
            found.append(Part(f"called shot, {manner.at}", SIZES[manner.at], "opend6.gap.attack.called_shot", "dice"))
    if weapon.unwieldy and options.unwieldy:
        found.append(Part("unwieldy", UNWIELDY, "opend6.gap.attack.unwieldy"))
    if weapon.improvised:
        found.append(Part("improvised", IMPROVISED, "opend6.gap.attack.circumstances"))
    skill = skill_of(weapon, manoeuvre)
    mine = figures(me.character, library)
    special = skill == weapon.skill and weapon.id in mine.weapons
    if skill not in EXEMPT and skill not in mine.trained and not special:
        found.append(Part("unskilled", options.untrained_modifier, "opend6.untrained.modifier"))
    if options.armour_layering == "layers" and skill in SKILLS_OF_AGILITY:
        worn = hampered(me.status.belongings, library)
        found += [Part("layers of armour", worn, "opend6.gap.armour.layering")] if worn else []
    scale = me.character.scale - them.character.scale
    if scale > 0:
        found.append(Part("larger than the target", scale, "opend6.gap.attack.scale"))
    found += _posture(them, near)
    if scene.facts.entries:
        found += _facts(scene, who, target)
    return found


def _posture(them: Participant, near: str) -> list[Part]:
    posture = them.status.posture
    if posture == "crouched":
        harder = CROUCHED_MOVING if them.status.moved or them.status.running else CROUCHED
        return [Part("crouched", harder, "opend6.gap.attack.circumstances", "dice")]
    if posture == "prone":
        easier = PRONE_NEAR if near == "point_blank" else PRONE_FAR
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


def skill_of(weapon: Weapon, manoeuvre: Manoeuvre | None) -> str:
    """The skill of an attack: the weapon's, unless the manoeuvre has its own. [opend6.action.list]"""
    if manoeuvre is not None and manoeuvre.skill == "fighting":
        return "fighting"
    return weapon.skill


def defence_of(scene: Scene, target: str) -> Part:
    """What has to be beaten before anything else counts: an active defence, or the passive one."""
    status: Status = scene[target].status
    if status.defence is not None:
        return Part("active defence", status.defence.total, "opend6.gap.defence.partial")
    bonus = passive_bonus(scene, target) if scene.options.passive_bonus else 0
    return Part("passive defence", PASSIVE + bonus, "opend6.gap.defence.passive")


class Difficulty(NamedTuple):
    """The combat difficulty: its tally, and the dice that are rolled for it where the table rolls modifiers."""

    tally: Tally
    harder: int = 0
    easier: int = 0


def difficulty(scene: Scene, who: str, target: str, weapon: Weapon, manner: Manner) -> Difficulty:
    """The combat difficulty of an attack, at least 3. [opend6.gap.attack.least]"""
    base = defence_of(scene, target)
    parts = modifiers(scene, who, target, weapon, manner)
    harder = easier = 0
    if scene.options.rolled_modifiers:
        dice = [part.changed // 3 for part in parts if part.kind == "dice"]
        harder, easier = sum([one for one in dice if one > 0]), -sum([one for one in dice if one < 0])
        parts = [part for part in parts if part.kind != "dice"]
    tally = Tally.of(base.label, base.changed, base.rule).add_parts(parts)
    tally = scene.with_rulings(tally, "combat difficulty", target)
    return Difficulty(tally.limit(LEAST_DIFFICULTY, rule="opend6.gap.attack.least"), harder, easier)


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
    fifth: bool
    halved: bool
    harmless: bool
    levels: int

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
    return Terms(
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


@of_scene
def resistance_of(scene: Scene, who: str, *, stun: bool = False) -> tuple[DieCode, DieCode, int]:
    """What somebody resists damage with: Physique, armour, and what abilities add.

    Against a stun weapon, where Body Points are in use, it is the better of Physique and stamina.
    """
    one = scene[who]
    found = figures(one.character, scene.library)
    worn = armour_of(one.status.belongings, scene.library)
    physique = found.codes["physique"]
    if stun and scene.options.injury_system != "wounds":  # opend6.gap.damage.stun
        physique = max(physique, found.codes["stamina"], key=lambda one: one.in_pips)
    if scene.options.max_resistance:  # opend6.gap.resistance.max
        physique = DieCode(min(physique.dice, MOST_RESISTANCE), physique.pips)
        worn = DieCode(min(worn.dice, max(0, MOST_RESISTANCE - physique.dice)), worn.pips)
    bonus = found.resistance_bonus + scene.with_rulings(_NOUGHT, "resistance", who).total
    return physique, worn, bonus


_NOUGHT = Tally.of("rulings", 0)


def burden(scene: Scene, who: str) -> int:
    """What a resistance below zero adds to all difficulties, if it does so. [opend6.gap.resistance.negative]"""
    if scene.options.negative_resistance != "add_to_all_difficulties":
        return 0
    _, worn, bonus = resistance_of(scene, who)
    return max(0, -(bonus + worn.pips)) if worn.dice < 1 else 0


def handicap(scene: Scene, who: str, *, agility: bool) -> int:
    """What is taken from a total for what makes everything harder, or everything that takes Agility."""
    layered = agility and scene.options.armour_layering == "layers"
    worn = hampered(scene[who].status.belongings, scene.library) if layered else 0
    return worn + burden(scene, who)


@remembered
def armour_of(belongings: Belongings, library: Library) -> DieCode:
    """What is worn, and a shield that is held."""
    return code(armour(belongings, library))


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
    found = figures(me.character, library)
    manoeuvre = library.get(Manoeuvre, manner.manoeuvre) if library.has(Manoeuvre, manner.manoeuvre) else None
    skill = skill_of(weapon, manoeuvre)
    bonus = Tally.of("bonus dice", 0, "opend6.dice.bonus_die_code")
    if me.status.aim and me.status.aim_at == target and weapon.ranges is not None:
        bonus = bonus.add("aimed", min(3, me.status.aim), "opend6.gap.attack.aiming")
    surprised = them.status.surprised and options.surprise_rule == "bonus_die"
    bonus = bonus.add("surprise", SURPRISE_DICE if surprised else 0, "opend6.gap.attack.surprise")
    scale = them.character.scale - me.character.scale  # opend6.gap.attack.scale
    plain = scene.with_rulings(_NOUGHT, "attack", who).total + max(0, scale) - burden(scene, who)
    physique, worn, resistance_bonus = resistance_of(scene, target, stun=weapon.stun)
    own, added, damage_plain = damage_parts(scene, who, weapon, manner, manoeuvre)
    place = library.get(Location, manner.at) if options.hit_locations and library.has(Location, manner.at) else None
    important = options.damage_bonus == "all" or (
        options.damage_bonus == "important_characters" and (not me.character.is_creature or me.character.important)
    )
    strength = found.strength_bonus if own.dice else 0
    return Attack(
        who=who,
        target=target,
        weapon=weapon,
        manner=manner,
        skill=skill,
        own=found.with_weapon(skill, weapon),
        penalty=lost_parts(scene, who, agility=skill in SKILLS_OF_AGILITY),
        bonus=bonus,
        plain=plain,
        own_bonus=found.bonus(skill),
        difficulty=difficulty(scene, who, target, weapon, manner),
        damage=own,
        strength_bonus=strength,
        added=added,
        damage_plain=damage_plain + max(0, -scale) + scene.with_rulings(_NOUGHT, "damage", who).total,
        physique=physique,
        armour=worn,
        resistance_bonus=resistance_bonus + max(0, scale),
        fifth=important and (place is None or place.result_bonus),  # opend6.result.fifth_damage
        halved=manner.manoeuvre == "flat",
        harmless=manner.manoeuvre in HARMLESS or (manoeuvre is not None and manoeuvre.damage == "none"),
        levels=them.character.wound_levels,
    )


HARMLESS = ("disarm", "entangle", "pin_part")


def damage_parts(
    scene: Scene, who: str, weapon: Weapon, manner: Manner, manoeuvre: Manoeuvre | None
) -> tuple[DieCode, DieCode, int]:
    """The damage of an attack: the attacker's own part, what is added to it, and plain numbers."""
    own = DieCode(figures(scene[who].character, scene.library).strength_damage)
    added, plain = weapon.damage, 0
    if weapon.natural:  # natural weapons belong to the character and are doubled with it
        own, added = DieCode(own.dice + added.dice, own.pips + added.pips), NOTHING
    if not weapon.strength:
        own = NOTHING
    if manoeuvre is not None:
        if manoeuvre.damage == "none":
            return NOTHING, NOTHING, 0
        if manoeuvre.damage == "strength":
            own, added = DieCode(figures(scene[who].character, scene.library).strength_damage), NOTHING
        elif manoeuvre.damage == "instead":
            added = manoeuvre.code
        added = DieCode(added.dice + manoeuvre.dice, added.pips)
    if manner.at:
        if scene.options.hit_locations and scene.library.has(Location, manner.at):
            plain = scene.library.get(Location, manner.at).damage
        elif manner.manoeuvre == "called" and SIZES.get(manner.at):
            added = DieCode(added.dice + CALLED_DICE, added.pips)
    return own, added, plain
