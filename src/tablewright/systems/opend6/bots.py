"""What bots go by: what a scene is worth to a side, what an option promises at a glance, how hurt somebody looks.

Harm is counted in hundredths of the worths of `attack.py`: a Wound is worth 8. A bot knows of its foes what anybody can
see: how they look and what they wear and wield.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from tablewright.engine import odds
from tablewright.game.actions import Use
from tablewright.game.belongings import count_of
from tablewright.game.bots import UpTo, gap, rated, worth
from tablewright.game.remembering import by_identity, of_scene
from tablewright.game.rulebook import Rating
from tablewright.game.scene import Participant, Scene
from tablewright.game.standing import distance
from tablewright.systems.opend6.actions.common import foes_here, within_reach
from tablewright.systems.opend6.aiming import (
    BANDS,
    PASSIVE,
    band_at,
    cannot_be_hit,
    defence_of,
    from_target,
    lost,
    lowness,
    resistance_of,
    terms,
)
from tablewright.systems.opend6.attack import FATE_PRICE, POINT_PRICE, WORTH, Dicing, Resistance, damage_roll
from tablewright.systems.opend6.character import body_points, figures
from tablewright.systems.opend6.injury import RANK, wounded_by
from tablewright.systems.opend6.mechanics import total
from tablewright.systems.opend6.pools import penalty_dice
from tablewright.systems.opend6.status import Status, fight, is_out, level, stands
from tablewright.systems.opend6.terms import Terms
from tablewright.systems.opend6.values import DieCode, WoundLevel
from tablewright.systems.opend6.wielding import (
    SKILLS_OF_AGILITY,
    Arm,
    Manner,
    Means,
    arms,
    arms_by_id,
    known_means,
    means_of,
    unskilled,
)

HUNDRED = 100
STANDS = 20
MOST_SPARED = 60
"""What a defence is worth at most: whoever only defends wins nothing."""
WORDS = {
    "healthy": "unhurt",
    "stunned": "stunned",
    "wounded": "wounded",
    "severely_wounded": "badly wounded",
    "incapacitated": "barely standing",
    "mortally_wounded": "dying",
    "dead": "dead",
}
SHARES = ((0, "dying"), (20, "barely standing"), (40, "badly hurt"), (80, "hurt"))


def health(participant: Participant) -> str:
    """How somebody looks."""
    wounds = participant.status.wounds
    if wounds.level == "dead":
        return "dead"
    if wounds.body_points is not None and wounds.level == "healthy":
        most = body_points(participant.character).total
        word = next((word for share, word in SHARES if 100 * wounds.body_points <= share * most), "unhurt")
        return "unconscious" if wounds.unconscious and word != "dying" else word
    if wounds.level == "mortally_wounded":
        return "dying"
    return "unconscious" if wounds.unconscious else WORDS[wounds.level]


# ---------------------------------------------------------------------- what is to be expected


def _at_least(code: DieCode, found: Terms) -> tuple[int, ...]:
    """How often of a thousand a code reaches each total."""
    reached: list[int] = []
    left = Fraction(1)
    by_total = dict(odds(total(code, 0, 0, *found.how())).fractions())
    for shown in range(max(by_total) + 1):
        reached.append(int(left * 1_000))
        left -= by_total.get(shown, 0)
        if not reached[-1]:
            break
    return tuple(reached)


_Tables: TypeAlias = dict[tuple[int, int], tuple[int, ...]]


@by_identity
def _tables(found: Terms) -> _Tables:
    """What was asked so far about a table's dice: how often of a thousand each code reaches each total."""
    return {}


@lru_cache(maxsize=16_384)
def harm_of(damage: DieCode, plus: int, resistance: Resistance, now: WoundLevel, levels: int, found: Terms) -> int:
    """What a hit is worth on average, in hundredths. [opend6.gap.resistance.tie]"""
    if damage.dice < 1:
        return HUNDRED * max(0, damage.pips + plus - 4) // 2
    worth = Fraction(0)
    for shown, likely in odds(damage_roll(damage, resistance, Dicing(found.how()))).fractions():
        over = max(0, shown + plus)
        if found.injury == "wounds":
            worth += likely * (WORTH[wounded_by(now, over, levels)] - WORTH[now])
        else:
            worth += likely * over
    return int(worth * HUNDRED)


class Promise(NamedTuple):
    """What an attack promises: how often of a thousand it hits, and what a hit is worth in hundredths."""

    hits: int
    harm: int

    @property
    def worth(self) -> int:
        """What it is worth on average."""
        return self.hits * self.harm // 1_000


class _Mark(NamedTuple):
    """Somebody as a target, whoever attacks: the defence, what resists damage, and how hurt they are."""

    defence: int
    against_missiles: int
    against: DieCode
    bonus: int
    level: WoundLevel
    levels: int
    options: Any
    library: Any


def _mark(scene: Scene, target: str) -> _Mark:
    """Kept with the participant, who stays the same as long as nothing happens to them; a ruling can change it."""
    them = scene[target]
    known: _Mark | None = them.answers.get(_Mark)
    if known is None or known.options is not scene.options or known.library is not scene.library or scene.modifiers:
        found = resistance_of(scene, target, shield=True)
        own, worn = found.physique if terms(scene).injury == "wounds" else DieCode(0), found.armour
        against = DieCode(own.dice + worn.dice, own.pips + worn.pips)
        known = _Mark(
            defence_of(scene, target, missile=False).changed,
            defence_of(scene, target, missile=True).changed,
            against,
            found.bonus + found.plain,
            level(scene, target),
            them.character.wound_levels,
            scene.options,
            scene.library,
        )
        if not scene.modifiers:
            them.answers[_Mark] = known
    return known


class _Fighter(NamedTuple):
    """Somebody as an attacker, whomever they attack and in whatever manner."""

    arms: Mapping[str, Arm]
    means: Mapping[Manner, Means]
    rolling: Terms
    tables: _Tables
    lost: int
    off_balance: int


@of_scene
def _fighter(scene: Scene, who: str) -> _Fighter:
    rolling = terms(scene)
    off_balance: int = scene[who].status.unbalanced
    return _Fighter(
        arms_by_id(scene, who), known_means(scene, who), rolling, _tables(rolling), lost(scene, who), off_balance
    )


class _Facing(NamedTuple):
    """Two who face each other, in whatever manner the one attacks the other.

    ``needed`` is what the attack must reach but for its own modifiers and its range, ``missile`` what one that is shot
    or thrown needs more, ``plus`` what is added to damage.
    """

    metres: int
    needed: int
    missile: int
    smaller: int
    plus: int
    aimed: int
    resistance: Resistance
    level: WoundLevel
    levels: int


@of_scene
def _facing(scene: Scene, who: str, target: str) -> _Facing:
    me, mark = scene[who], _mark(scene, target)
    metres = distance(scene, who, target)
    needed = mark.defence
    for part in from_target(scene, who, target):
        needed += part.changed
    scale = scene[target].character.scale - me.character.scale
    aimed = min(3, me.status.aim) if me.status.aim_at == target else 0
    resistance = Resistance(mark.against, mark.bonus + max(0, scale), 0)
    missile = mark.against_missiles - mark.defence
    return _Facing(
        metres, needed, missile, max(0, scale), 1 + max(0, -scale), aimed, resistance, mark.level, mark.levels
    )


class _Prospect(NamedTuple):
    """An attack as it stands: what is rolled for it, what it needs, and what it promises."""

    dice: int
    pips: int
    needed: int
    promise: Promise


_NO_PROMISE = Promise(0, 0)
_NO_PROSPECT = _Prospect(0, 0, 0, _NO_PROMISE)


def promise(scene: Scene, who: str, target: str, manner: Manner, extra: int = 0) -> Promise:
    """What an attack promises, nothing without its weapon; ``extra`` are dice that it lacks besides.

    [opend6.gap.attack.hit, opend6.gap.resistance.tie, opend6.gap.resistance.body_points]
    """
    found = _prospect(scene, who, target, manner)
    if not extra or not found.promise.hits:
        return found.promise
    hits = _chance(found.dice - extra, found.pips, found.needed, _fighter(scene, who))
    return Promise(hits, found.promise.harm) if hits else _NO_PROMISE


@of_scene
def _prospect(scene: Scene, who: str, target: str, manner: Manner) -> _Prospect:
    me, facing = _fighter(scene, who), _facing(scene, who, target)
    arm = me.arms.get(manner.weapon)
    if arm is None:
        return _NO_PROSPECT
    means = me.means.get(manner) or means_of(scene, who, arm.weapon, manner)
    near = band_at(scene, who, facing.metres, arm.weapon, means.extra_cm) or "long"
    base = facing.needed + (facing.missile if arm.weapon.ranges is not None else 0)
    if scene[target].status.posture != "standing":
        base += sum([part.changed for part in lowness(scene[target], near)])
    needed = max(3, base + BANDS[near] + means.harder) - means.bonus - facing.smaller
    dice, pips = means.code.dice - me.lost, means.code.pips
    if me.off_balance and means.skill in SKILLS_OF_AGILITY:
        dice -= me.off_balance
    if facing.aimed and arm.weapon.ranges is not None:
        dice += facing.aimed
    hits = _chance(dice, pips, needed, me)
    if not hits:
        return _NO_PROSPECT
    plus = means.damage_plain + means.strength_bonus + facing.plus
    harm = harm_of(means.dealt, plus, facing.resistance, facing.level, facing.levels, me.rolling)
    return _Prospect(dice, pips, needed, Promise(hits, harm))


def _chance(dice: int, pips: int, needed: int, me: _Fighter) -> int:
    """How often of a thousand a roll reaches a difficulty; a code that is used up never does."""
    if dice < 1:
        return 0
    if needed <= 0:
        return 1_000
    table = me.tables.get((dice, pips))
    if table is None:
        table = me.tables[dice, pips] = _at_least(DieCode(dice, pips), me.rolling)
    return table[needed] if needed < len(table) else 0


@of_scene
def best_attack(scene: Scene, who: str, extra: int = 0) -> int:
    """What the best attack is worth that somebody could make now, with so many dice less."""
    best = 0
    for arm in arms(scene, who):
        if (arm.weapon.id == "unarmed" and best) or not _has_shots(scene, who, arm):
            continue
        manner = Manner(arm.weapon.id)
        for foe in within_reach(scene, who, arm.weapon.id, 0):
            if not cannot_be_hit(scene, who, foe.id):
                best = max(best, promise(scene, who, foe.id, manner, extra).worth)
    return best


@of_scene
def threat(scene: Scene, who: str) -> int:
    """How many foes are near enough to strike somebody."""
    return len([foe for foe in foes_here(scene, who) if distance(scene, who, foe.id) <= 4 or _shoots(scene, foe.id)])


@of_scene
def _shoots(scene: Scene, who: str) -> bool:
    return any(arm.weapon.ranges is not None and arm.held and _has_shots(scene, who, arm) for arm in arms(scene, who))


def _has_shots(scene: Scene, who: str, arm: Arm) -> bool:
    """Whether there is still something to shoot with a weapon, where it takes something."""
    return not arm.weapon.ammunition or count_of(scene[who].status.belongings, arm.weapon.ammunition) > 0


def worth_of_actions(scene: Scene, who: str, count: int) -> int:
    """What declaring so many actions is worth: so many of the best attack, each with fewer dice.

    What has to be loaded takes an action for it before each further shot, or a round; what is too far away to be struck
    is worth one action and no more. [opend6.turn.declare_count]
    """
    status: Status = scene[who].status
    less = penalty_dice(count, 1 + status.quick)
    if status.grip is not None or status.tangled or status.posture == "prone":
        return -less
    attack = best_attack(scene, who, less)
    if not attack:
        return -less
    weapon = arms(scene, who)[0].weapon
    if weapon.reload != "none":
        loaded = weapon.id not in status.unloaded
        shots = (count + loaded) // 2 if weapon.reload == "action" else int(loaded)
        return attack * shots - less
    if status.unloaded:
        return -less
    return attack * count - 40 * less * min(2, threat(scene, who))


# ---------------------------------------------------------------------- what a scene is worth


def _worth(one: Participant) -> int:
    status: Status = one.status
    wounds = status.wounds
    out = is_out(one)
    total_worth = -HUNDRED * WORTH["dead" if out else wounds.level]  # who is out is no worse off for further blows
    if wounds.body_points is not None:
        total_worth -= HUNDRED * (body_points(one.character).total - wounds.body_points)
    if not out:
        total_worth += HUNDRED * STANDS
    total_worth += 20 * POINT_PRICE * status.character_points + 20 * FATE_PRICE * status.fate_points
    total_worth += 15 * (status.defence.total - PASSIVE) if status.defence is not None else 0
    total_worth -= 150 * (status.posture == "prone") + 60 * status.unbalanced + 300 * (status.grip is not None)
    total_worth -= 200 * bool(status.tangled) + 100 * len(set(status.unloaded))
    total_worth -= status.spending + 20 * status.waiting + len(status.freely)
    return total_worth + 90 * status.aim + 30 * status.prepared


def _apart(scene: Scene, one: Participant) -> int:
    """How far somebody who fights hand to hand still has to go."""
    return 10 * gap(scene, one.id, stands) if stands(one) and not _shoots(scene, one.id) else 0


value = worth(_worth, apart=_apart)


# ---------------------------------------------------------------------- what an option promises


def _attack(scene: Scene, who: str, use: Use) -> Rating:
    if use.target is None:
        return Rating()
    if not stands(scene[use.target]):
        return Rating(harm=-HUNDRED)  # whoever has fallen is left alone
    found = promise(scene, who, use.target, Manner.parse(str(use.detail)))
    hurt = RANK[level(scene, use.target)]
    return Rating(harm=found.worth + hurt * found.hits // 10)


def _all_out(scene: Scene, who: str, use: Use) -> Rating:
    return Rating(harm=_attack(scene, who, use).harm, safety=-30 * threat(scene, who))


def _aimed_shot(scene: Scene, who: str, use: Use) -> Rating:
    return Rating(harm=_attack(scene, who, use).harm * 8 // 10)


def _harmless(share: int) -> UpTo:
    def rate(scene: Scene, who: str, use: Use) -> Rating:
        if use.target is None:
            return Rating()
        return Rating(harm=promise(scene, who, use.target, Manner.parse(str(use.detail))).hits * share // 1_000)

    return UpTo(Rating(harm=share), rate)


def _defend(scene: Scene, who: str, use: Use) -> Rating:
    """A defence is worth what it spares: more where many foes are near."""
    skill = {"dodge": "dodge", "block": "fighting", "parry": "melee_combat"}[use.action.removeprefix("full_")]
    full = use.action.startswith("full_")
    if skill != "dodge" and _shot_at(scene, who):
        return Rating(safety=-HUNDRED)
    found = figures(scene[who].character, scene.library)
    dice = found.codes[skill].dice - lost(scene, who)
    if dice < 1:
        return Rating(safety=-HUNDRED)
    mean = 7 * dice // 2 + found.codes[skill].pips + found.bonus(skill) + (10 if full else 0)
    mean -= unskilled(scene.options, found, skill)
    hurt = RANK[level(scene, who)]
    spared = (mean - PASSIVE) * (2 + hurt) * min(3, threat(scene, who))
    return Rating(safety=min(spared, MOST_SPARED if full else MOST_SPARED // 2))


def _shot_at(scene: Scene, who: str) -> bool:
    """Whether something was shot or thrown at somebody that has not come down yet."""
    swing = fight(scene).swing
    if swing is None or swing.target != who:
        return False
    arm = arms_by_id(scene, swing.who).get(Manner.parse(swing.detail).weapon)
    return arm is not None and arm.weapon.ranges is not None


def _approach(scene: Scene, who: str, use: Use) -> Rating:
    if use.target is None:
        return Rating(harm=-50)
    if best_attack(scene, who, 0) or not _can_strike(scene, who):
        return Rating(harm=-20)
    if scene[who].status.unloaded and _shoots(scene, who):
        return Rating(harm=-15)
    return Rating(harm=300 - min(200, distance(scene, who, use.target)) + 50 * (use.action == "step"))


def _most_of_approach(scene: Scene, who: str) -> Rating:
    return Rating(harm=-15 if best_attack(scene, who, 0) else 350)


@of_scene
def _can_strike(scene: Scene, who: str) -> bool:
    """Whether anything is left of what somebody could strike or shoot with. [opend6.map.zero_rule]"""
    found, lacking = figures(scene[who].character, scene.library), lost(scene, who)
    return any(found.with_weapon(arm.weapon.skill, arm.weapon).dice > lacking for arm in arms(scene, who))


def _ready(scene: Scene, who: str, use: Use) -> Rating:
    status: Status = scene[who].status
    if use.detail in status.unloaded:
        return Rating(harm=120)
    armed = any(arm.held and _has_shots(scene, who, arm) for arm in arms(scene, who))
    return Rating(harm=-10 if armed else 150)


def _aim(scene: Scene, who: str, use: Use) -> Rating:
    return Rating(harm=-20 if scene[who].status.aim else 20)


def _use_points(scene: Scene, who: str, use: Use) -> Rating:
    """Whoever is hurt, or fights at bad odds, minds the points from now on."""
    status: Status = scene[who].status
    hurt = RANK[level(scene, who)] >= RANK["wounded"]
    return Rating(harm=1_000 if hurt and not status.spending else -100)


def _burn(scene: Scene, who: str, use: Use) -> Rating:
    """The first action of a round in which there is something to hit; sooner for whoever is hurt."""
    status: Status = scene[who].status
    if status.taken or not best_attack(scene, who, 0):
        return Rating(harm=-200)
    return Rating(harm=500 if RANK[level(scene, who)] else -20)


def _quicken(scene: Scene, who: str, use: Use) -> Rating:
    """One more action where there is something to hit."""
    return Rating(harm=500 if best_attack(scene, who, 0) else -40)


rate = rated(
    {
        "slash": _attack,
        "bash": _attack,
        "flat": _attack,
        "punch": _attack,
        "kick": _attack,
        "shoot": _attack,
        "throw": _attack,
        "lunge": _attack,
        "sweep": _attack,
        "all_out": _all_out,
        "called_shot": _aimed_shot,
        "grab": _harmless(150),
        "choke": _harmless(250),
        "flip": _attack,
        "tackle": _harmless(300),
        "pin": _harmless(250),
        "pin_part": _harmless(100),
        "push": _harmless(60),
        "trip": _harmless(180),
        "disarm": _harmless(150),
        "entangle": _harmless(250),
        "dodge": UpTo(Rating(safety=MOST_SPARED // 2), _defend),
        "parry": UpTo(Rating(safety=MOST_SPARED // 2), _defend),
        "block": UpTo(Rating(safety=MOST_SPARED // 2), _defend),
        "full_dodge": UpTo(Rating(safety=MOST_SPARED), _defend),
        "full_parry": UpTo(Rating(safety=MOST_SPARED), _defend),
        "full_block": UpTo(Rating(safety=MOST_SPARED), _defend),
        "step": UpTo(_most_of_approach, _approach),
        "move": UpTo(_most_of_approach, _approach),
        "swim": UpTo(_most_of_approach, _approach),
        "climb": UpTo(_most_of_approach, _approach),
        "run": Rating(harm=-60),
        "leap": Rating(harm=-80),
        "run_away": Rating(harm=-1_000),
        "posture": Rating(harm=-30),
        "stand_up": Rating(harm=140, safety=100),
        "ready_weapon": UpTo(Rating(harm=150), _ready),
        "take_up": Rating(harm=-20),
        "aim": UpTo(Rating(harm=20), _aim),
        "prepare": Rating(harm=-60),
        "escape": Rating(harm=120, safety=120),
        "let_go": Rating(harm=-100),
        "communicate": Rating(harm=-50),
        "use_skill": Rating(harm=-50),
        "vehicle_maneuver": Rating(harm=-50),
        "catch": Rating(harm=10),
        "speak": Rating(harm=-70),
        "glance": Rating(harm=-70),
        "burn_fate": _burn,
        "use_points": _use_points,
        "fast_reactions": _quicken,
        "wait": Rating(harm=-40),
        "yield": Rating(harm=-2_000),
        "stop": Rating(harm=-10),
    }
)
