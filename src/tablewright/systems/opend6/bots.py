"""Ratings for bots: the value of a scene, the promise of an option, vitals.

Harm is counted in hundredths of the worths of `attack.py`: a Wound is worth 8. A bot knows of its foes what anyone can
see: how they look and what they wear and wield.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from tablewright.engine.odds import expected_value
from tablewright.game.character.belongings import count_of
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.targeting import distance
from tablewright.game.play.vitals import Attribution, Vitals
from tablewright.game.scene.caching import MOST_REMEMBERED, cached_on_scene
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.session.ratings import RatingBound, distance_to_nearest_enemy, rating_table, side_value
from tablewright.game.system.rulebook import Rating
from tablewright.systems.opend6.actions.aim import (
    BANDS,
    PASSIVE,
    band_at,
    cannot_be_hit,
    defence_of,
    from_target,
    lowness,
)
from tablewright.systems.opend6.actions.foresight import attack_tables, chances_to_reach
from tablewright.systems.opend6.actions.requirements import foes_here, within_reach
from tablewright.systems.opend6.character.figures import body_points, figures
from tablewright.systems.opend6.character.gear import (
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
from tablewright.systems.opend6.events.attack import Hurt, Struck
from tablewright.systems.opend6.mechanics.attack import aim
from tablewright.systems.opend6.mechanics.blows import LEAST_DIFFICULTY
from tablewright.systems.opend6.mechanics.dice import penalty_dice
from tablewright.systems.opend6.mechanics.harm import RANK, Body, Protection, injure, level_of_points
from tablewright.systems.opend6.mechanics.points import EMPTY, FATE_PRICE, POINT_PRICE, WORTH, Terms, Throw
from tablewright.systems.opend6.now import body_of, lost, prepared_for, resistance_of, sturdier, terms
from tablewright.systems.opend6.status import Status, fight, is_out, level, stands
from tablewright.systems.opend6.values import WOUND_LEVELS, DieCode

HUNDRED = 100
STANDS = 20
MOST_SPARED = 60
"""Largest worth of a defence: defence alone wins nothing."""
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
    """Visible condition of a participant."""
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


class Promise(NamedTuple):
    """Promise of an attack: chance to hit in thousandths, and worth of a hit in hundredths."""

    hits: int
    harm: int

    @property
    def worth(self) -> int:
        """Average worth."""
        return self.hits * self.harm // 1_000


_NO_PROMISE = Promise(0, 0)


class _Mark(NamedTuple):
    """A participant as a target, the attacker: the defence, what resists damage, and what makes it hard to hit."""

    defence: int
    against_missiles: int
    protection: Protection
    body: Body
    low_near: int
    low_far: int
    position: Any
    scale: int
    stands: bool


def _mark(scene: Scene, target: str) -> _Mark:
    """The mark of a participant, kept with it as long as nothing happens to it; a ruling can change it."""
    them = scene[target]
    known = them.answers.get(_Mark)
    if known is not None and known[1] is scene.options and known[2] is scene.library and not scene.modifiers:
        found: _Mark = known[0]
        return found
    made = _same_mark(
        defence_of(scene, target, missile=False).changed,
        defence_of(scene, target, missile=True).changed,
        resistance_of(scene, target, shield=True),
        body_of(scene, target),
        sum([part.changed for part in lowness(them, "short")]),
        sum([part.changed for part in lowness(them, "long")]),
        them.position,
        them.character.scale,
        stands(them),
    )
    if not scene.modifiers:
        them.answers[_Mark] = (made, scene.options, scene.library)
    return made


@lru_cache(maxsize=MOST_REMEMBERED)
def _same_mark(*numbers: Any) -> _Mark:
    """The very same mark for equal numbers."""
    return _Mark(*numbers)


class _Fighter:
    """A participant as an attacker of any target, with a cache of prospects."""

    __slots__ = (
        "aim",
        "aim_at",
        "arms",
        "lost",
        "means",
        "off_balance",
        "prepared",
        "prospects",
        "rolling",
        "scale",
        "tables",
    )

    def __init__(self, scene: Scene, who: str) -> None:
        me = scene[who]
        status: Status = me.status
        self.arms: Mapping[str, Arm] = arms_by_id(scene, who)
        self.means: Mapping[Manner, Means] = known_means(scene, who)
        self.rolling = terms(scene, who)
        self.tables = attack_tables(self.rolling)
        self.lost, self.off_balance = lost(scene, who), status.unbalanced
        self.aim, self.aim_at = min(3, status.aim), status.aim_at
        self.prepared = prepared_for(scene, who).dice if status.prepared else 0
        self.scale = me.character.scale
        self.prospects: dict[tuple[int, Manner, bool], tuple[_Prospect, _Mark]] = {}


_fighters: dict[tuple[Any, ...], tuple[_Fighter, Any]] = {}


@cached_on_scene
def _fighter(scene: Scene, who: str) -> _Fighter:
    """The very same fighter as long as nothing changes that counts for attacks."""
    if scene.facts.entries or scene.modifiers:
        return _Fighter(scene, who)
    me = scene[who]
    status: Status = me.status
    kept = (me.character, status.belongings, scene.options, scene.library)
    moving = (me.position, status.aim, status.aim_at, status.prepared, status.unbalanced, status.thrown)
    key = (*map(id, kept), lost(scene, who), *moving)
    known = _fighters.get(key)
    if known is None:
        if len(_fighters) >= MOST_REMEMBERED:
            _fighters.clear()
        known = _fighters[key] = (_Fighter(scene, who), kept)  # kept, so that no id is used again
    return known[0]


class _Prospect(NamedTuple):
    """An attack as it stands: what is rolled for it, what it needs, and what it promises."""

    dice: int
    pips: int
    needed: int
    promise: Promise
    rating: Rating


_NO_PROSPECT = _Prospect(0, 0, 0, _NO_PROMISE, Rating())


def promise(scene: Scene, who: str, target: str, manner: Manner) -> Promise:
    """Promise of an attack, none without its weapon.

    [opend6.gap.attack.hit, opend6.gap.resistance.tie, opend6.gap.resistance.body_points]
    """
    return prospect(scene, who, target, manner, _mark(scene, target)).promise


def prospect(scene: Scene, who: str, target: str, manner: Manner, mark: _Mark) -> _Prospect:
    """The same with what is rolled for it; cached with the attacker."""
    me = _fighter(scene, who)
    key = (id(mark), manner, bool(me.aim) and me.aim_at == target)
    known = me.prospects.get(key)
    if known is None:
        if len(me.prospects) >= MOST_REMEMBERED:
            me.prospects.clear()
        known = me.prospects[key] = (_prospect(scene, who, target, manner, me, mark), mark)
    return known[0]


def _prospect(scene: Scene, who: str, target: str, manner: Manner, me: _Fighter, mark: _Mark) -> _Prospect:
    arm = me.arms.get(manner.weapon)
    if arm is None:
        return _NO_PROSPECT
    means = me.means.get(manner) or means_of(scene, who, arm.weapon, manner)
    near = band_at(scene, who, distance(scene, who, target), arm.weapon, means.extra_cm) or "long"
    missile = arm.weapon.ranges is not None
    needed = mark.against_missiles if missile else mark.defence
    needed += mark.low_near if near in ("point_blank", "short") else mark.low_far
    needed += sum([part.changed for part in from_target(scene, who, target)]) + BANDS[near] + means.harder
    larger = me.scale - mark.scale
    needed = max(LEAST_DIFFICULTY, needed) - means.bonus - max(0, -larger)
    dice = means.code.dice - me.lost
    if me.off_balance and means.skill in SKILLS_OF_AGILITY:
        dice -= me.off_balance
    if not missile:
        dice += me.prepared
    elif me.aim_at == target:
        dice += me.aim
    hits = _hits(dice, means.code.pips, needed, me)
    if not hits:
        return _NO_PROSPECT
    plus = means.damage_plain + means.strength_bonus + TYPICAL_BONUS + max(0, larger)
    harm = _harm(means.dealt, sturdier(mark.protection, -larger), mark.body, plus, terms(scene, who, target))
    found = Promise(hits, harm)
    rating = Rating(harm=found.worth + RANK[mark.body.level] * hits // 10)
    return _Prospect(dice, means.code.pips, needed, found, rating)


TYPICAL_BONUS = 1
"""Addition to the damage that a typical hit has from its result points."""


def _hits(dice: int, pips: int, needed: int, me: _Fighter) -> int:
    """Chance in thousandths that an attack roll reaches a difficulty; 0 for a code that is used up."""
    if dice < 1:
        return 0
    if needed <= 0:
        return 1_000
    table = me.tables.get((dice, pips))
    if table is None:
        table = me.tables[dice, pips] = chances_to_reach(aim(Throw(DieCode(dice, pips)), 0, EMPTY, me.rolling))
    return table[needed] if needed < len(table) else 0


@lru_cache(maxsize=16_384)
def _harm(damage: DieCode, protection: Protection, body: Body, plus: int, rolling: Terms) -> int:
    """Average worth of a hit, in hundredths."""
    spared = expected_value(injure(damage, protection, body, False, plus, rolling))
    return int(HUNDRED * (-spared - WORTH[body.level]))


@cached_on_scene
def best_promise(scene: Scene, who: str, extra: int = 0) -> Promise:
    """Promise of the best attack that is open now, with some dice less."""
    best, most = _NO_PROMISE, 0
    if extra and not best_promise(scene, who, extra - 1).worth:
        return best  # with fewer dice nothing gets better
    me = _fighter(scene, who)
    for unarmed, prospects in _open_prospects(scene, who):
        if unarmed and most:
            continue
        for prospect in prospects:
            found = prospect.promise
            hits = _hits(prospect.dice - extra, prospect.pips, prospect.needed, me) if extra else found.hits
            if hits * found.harm // 1_000 > most:
                best, most = Promise(hits, found.harm), hits * found.harm // 1_000
    return best


@cached_on_scene
def _open_prospects(scene: Scene, who: str) -> list[tuple[bool, Iterable[_Prospect]]]:
    """Different prospects of plain attacks that are open now, by weapon, and whether that is the bare hand."""
    found: list[tuple[bool, Iterable[_Prospect]]] = []
    for arm in arms(scene, who):
        if _has_shots(scene, who, arm):
            manner, foes = Manner(arm.weapon.id), within_reach(scene, who, arm.weapon.id, 0)
            hit = [foe.id for foe in foes if not cannot_be_hit(scene, who, foe.id)]
            prospects = [prospect(scene, who, foe, manner, _mark(scene, foe)) for foe in hit]
            found.append((arm.weapon.id == "unarmed", dict.fromkeys(prospects)))
    return found


def best_attack(scene: Scene, who: str, extra: int = 0) -> int:
    """Worth of the best attack that is open now, with some dice less."""
    return best_promise(scene, who, extra).worth


@cached_on_scene
def threat(scene: Scene, who: str) -> int:
    """Number of foes that are near enough to strike."""
    return len([foe for foe in foes_here(scene, who) if distance(scene, who, foe.id) <= 4 or _shoots(scene, foe.id)])


@cached_on_scene
def _shoots(scene: Scene, who: str) -> bool:
    return any(arm.weapon.ranges is not None and arm.held and _has_shots(scene, who, arm) for arm in arms(scene, who))


def _has_shots(scene: Scene, who: str, arm: Arm) -> bool:
    """True if there is still something to shoot with a weapon, where it takes something."""
    return not arm.weapon.ammunition or count_of(scene[who].status.belongings, arm.weapon.ammunition) > 0


def worth_of_actions(scene: Scene, who: str, count: int) -> int:
    """Worth of declaring some actions: as many of the best attack, each with fewer dice.

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
    total_worth = -HUNDRED * WORTH["dead" if out else wounds.level]  # further blows change nothing once out
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
    """Distance that a melee fighter still has to cover."""
    return 10 * distance_to_nearest_enemy(scene, one.id, stands) if stands(one) and not _shoots(scene, one.id) else 0


value = side_value(_worth, apart=_apart)


# ---------------------------------------------------------------------- what an option promises


def _attack(scene: Scene, who: str, use: ActionUse) -> Rating:
    if use.target is None:
        return Rating()
    mark = _mark(scene, use.target)
    if not mark.stands:
        return _ON_THE_FALLEN
    return prospect(scene, who, use.target, Manner.parse(str(use.detail)), mark).rating


_ON_THE_FALLEN = Rating(harm=-HUNDRED)
"""The one who has fallen is left alone."""
_ATTACK = RatingBound(None, _attack, rated_first=True)


def _all_out(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(harm=_attack(scene, who, use).harm, safety=-30 * threat(scene, who))


def _aimed_shot(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(harm=_attack(scene, who, use).harm * 8 // 10)


def _harmless(share: int) -> RatingBound:
    def rate(scene: Scene, who: str, use: ActionUse) -> Rating:
        if use.target is None:
            return Rating()
        return Rating(harm=promise(scene, who, use.target, Manner.parse(str(use.detail))).hits * share // 1_000)

    return RatingBound(Rating(harm=share), rate)


def _defend(scene: Scene, who: str, use: ActionUse) -> Rating:
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
    """True if something was shot or thrown at a character that has not come down yet."""
    swing = fight(scene).swing
    if swing is None or swing.target != who:
        return False
    arm = arms_by_id(scene, swing.who).get(Manner.parse(swing.detail).weapon)
    return arm is not None and arm.weapon.ranges is not None


def _approach(scene: Scene, who: str, use: ActionUse) -> Rating:
    if use.target is None:
        return Rating(harm=-50)
    if best_attack(scene, who, 0) or not _can_strike(scene, who):
        return Rating(harm=-20)
    if scene[who].status.unloaded and _shoots(scene, who):
        return Rating(harm=-15)
    return Rating(harm=300 - min(200, distance(scene, who, use.target)) + 50 * (use.action == "step"))


def _most_of_approach(scene: Scene, who: str) -> Rating:
    return Rating(harm=-15 if best_attack(scene, who, 0) else 350)


@cached_on_scene
def _can_strike(scene: Scene, who: str) -> bool:
    """True if anything is left of what a character could strike or shoot with. [opend6.map.zero_rule]"""
    found, lacking = figures(scene[who].character, scene.library), lost(scene, who)
    return any(found.with_weapon(arm.weapon.skill, arm.weapon).dice > lacking for arm in arms(scene, who))


def _ready(scene: Scene, who: str, use: ActionUse) -> Rating:
    status: Status = scene[who].status
    if use.detail in status.unloaded:
        return Rating(harm=120)
    armed = any(arm.held and _has_shots(scene, who, arm) for arm in arms(scene, who))
    return Rating(harm=-10 if armed else 150)


def _aim(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(harm=-20 if scene[who].status.aim else 20)


def _spending(scene: Scene, who: str) -> Rating:
    """The one who is hurt, or fights at bad odds, minds the points from now on."""
    status: Status = scene[who].status
    hurt = RANK[level(scene, who)] >= RANK["wounded"]
    return Rating(harm=1_000 if hurt and not status.spending else -100)


def _burning(scene: Scene, who: str) -> Rating:
    """The first action of a round in which there is something to hit; sooner for the one who is hurt."""
    status: Status = scene[who].status
    if status.taken or not best_attack(scene, who, 0):
        return Rating(harm=-200)
    return Rating(harm=500 if RANK[level(scene, who)] else -20)


def _quickening(scene: Scene, who: str) -> Rating:
    """One more action where there is something to hit."""
    return Rating(harm=500 if best_attack(scene, who, 0) else -40)


rate = rating_table(
    {
        "slash": _ATTACK,
        "bash": _ATTACK,
        "flat": _ATTACK,
        "punch": _ATTACK,
        "kick": _ATTACK,
        "shoot": _ATTACK,
        "throw": _ATTACK,
        "lunge": _ATTACK,
        "sweep": _ATTACK,
        "all_out": RatingBound(None, _all_out, rated_first=True),
        "called_shot": RatingBound(None, _aimed_shot, rated_first=True),
        "grab": _harmless(150),
        "choke": _harmless(250),
        "flip": _ATTACK,
        "tackle": _harmless(300),
        "pin": _harmless(250),
        "pin_part": _harmless(100),
        "push": _harmless(60),
        "trip": _harmless(180),
        "disarm": _harmless(150),
        "entangle": _harmless(250),
        "dodge": RatingBound(Rating(safety=MOST_SPARED // 2), _defend),
        "parry": RatingBound(Rating(safety=MOST_SPARED // 2), _defend),
        "block": RatingBound(Rating(safety=MOST_SPARED // 2), _defend),
        "full_dodge": RatingBound(Rating(safety=MOST_SPARED), _defend),
        "full_parry": RatingBound(Rating(safety=MOST_SPARED), _defend),
        "full_block": RatingBound(Rating(safety=MOST_SPARED), _defend),
        "step": RatingBound(_most_of_approach, _approach),
        "move": RatingBound(_most_of_approach, _approach),
        "swim": RatingBound(_most_of_approach, _approach),
        "climb": RatingBound(_most_of_approach, _approach),
        "run": Rating(harm=-60),
        "leap": Rating(harm=-80),
        "run_away": Rating(harm=-1_000),
        "posture": Rating(harm=-30),
        "stand_up": Rating(harm=140, safety=100),
        "ready_weapon": RatingBound(Rating(harm=150), _ready),
        "take_up": Rating(harm=-20),
        "aim": RatingBound(Rating(harm=20), _aim),
        "prepare": Rating(harm=-60),
        "escape": Rating(harm=120, safety=120),
        "let_go": Rating(harm=-100),
        "communicate": Rating(harm=-50),
        "use_skill": Rating(harm=-50),
        "vehicle_maneuver": Rating(harm=-50),
        "catch": Rating(harm=10),
        "speak": Rating(harm=-70),
        "glance": Rating(harm=-70),
        "burn_fate": RatingBound(_burning, lambda scene, who, use: _burning(scene, who)),
        "use_points": RatingBound(_spending, lambda scene, who, use: _spending(scene, who)),
        "fast_reactions": RatingBound(_quickening, lambda scene, who, use: _quickening(scene, who)),
        "wait": Rating(harm=-40),
        "yield": Rating(harm=-2_000),
        "stop": Rating(harm=-10),
    }
)


def _levels(one: Participant) -> int:
    """Wound levels that are left before death."""
    return RANK["dead"] - RANK[one.status.wounds.level]


def _vigour(one: Participant) -> int:
    """Wound levels; where Body Points are lost, those, counted from where a character unhurt has all levels."""
    points = one.status.wounds.body_points
    return _levels(one) if points is None else RANK["dead"] + points - body_points(one.character).total


def _lessened(before: Participant, after: Participant, lost: int) -> Any:
    """Copy of a character with fewer wound levels, or fewer Body Points where those are used."""
    wounds = before.status.wounds
    if after.status.wounds.body_points is not None:
        most = body_points(before.character).total
        left = (most if wounds.body_points is None else wounds.body_points) - lost
        return evolve(before.status, wounds=wounds.changed(body_points=left, level=level_of_points(left, most)))
    level = WOUND_LEVELS[min(RANK[wounds.level] + lost, RANK["dead"])]
    return evolve(before.status, wounds=wounds.changed(level=level))


RECKONING = Vitals(
    is_standing=stands,
    dead=lambda one: one.status.wounds.level == "dead",
    health_points=_vigour,
    harm="wound levels or Body Points",
    left={
        "wound levels": _levels,
        "character points": lambda one: one.status.character_points,
        "fate points": lambda one: one.status.fate_points,
    },
    damage_events={
        Struck: lambda scene, event: Attribution(event.by, event.weapon),
        Hurt: lambda scene, event: Attribution(None, event.by),
    },
    lessened=_lessened,
)
