"""Ratings for bots: the value of a scene, the promise of an option, vitals.

Harm is counted in hundredths of the worths of `attack.py`: a Wound is worth 8. A bot knows of its foes what anyone can
see: how they look and what they wear and wield.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from operator import itemgetter
from typing import Any

from tablewright.game.play.actions import ActionUse
from tablewright.game.play.targeting import distance
from tablewright.game.play.vitals import Attribution, Vitals
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.session.ratings import (
    BestFirst,
    Rate,
    RatingBound,
    Score,
    distance_to_nearest_enemy,
    rating_table,
    side_value,
)
from tablewright.game.system.rulebook import Rating
from tablewright.systems.opend6.actions.aim import (
    PASSIVE,
)
from tablewright.systems.opend6.actions.attack import KINDS, unready, use_of, ways_with
from tablewright.systems.opend6.actions.requirements import fallen
from tablewright.systems.opend6.character.figures import body_points, figures
from tablewright.systems.opend6.character.gear import (
    Manner,
    arms,
    arms_by_id,
    unskilled,
)
from tablewright.systems.opend6.events.attack import Hurt, Struck
from tablewright.systems.opend6.mechanics.harm import RANK, level_of_points
from tablewright.systems.opend6.mechanics.points import FATE_PRICE, POINT_PRICE, WORTH
from tablewright.systems.opend6.now import lost
from tablewright.systems.opend6.prospects import (
    Ranked,
    best_attack,
    facing,
    has_shots,
    on_the_fallen,
    prospect,
    shoots,
    threat,
)
from tablewright.systems.opend6.status import Status, fight, is_out, level, stands
from tablewright.systems.opend6.values import WOUND_LEVELS

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
    return 10 * distance_to_nearest_enemy(scene, one.id, stands) if stands(one) and not shoots(scene, one.id) else 0


value = side_value(_worth, apart=_apart)


# ---------------------------------------------------------------------- what an option promises


def _attack(scene: Scene, who: str, use: ActionUse) -> Rating:
    if use.target is None:
        return Rating()
    if use.target not in facing(scene, who).against and not stands(scene[use.target]):
        return _ON_THE_FALLEN
    return prospect(scene, who, use.target, use.detail).rating


_ON_THE_FALLEN = Rating(harm=-HUNDRED)
"""Rating of attacks on the fallen."""


def _all_out(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(harm=_attack(scene, who, use).harm, safety=-30 * threat(scene, who))


def _aimed_shot(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(harm=_attack(scene, who, use).harm * 8 // 10)


def _harmless(share: int) -> Rate:
    def rate(scene: Scene, who: str, use: ActionUse) -> Rating:
        if use.target is None:
            return Rating()
        return Rating(harm=prospect(scene, who, use.target, use.detail).promise.hits * share // 1_000)

    return rate


def _defend(scene: Scene, who: str, use: ActionUse) -> Rating:
    """Rate a defence by the harm it prevents, more with many foes near."""
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
    if scene[who].status.unloaded and shoots(scene, who):
        return Rating(harm=-15)
    return Rating(harm=300 - min(200, distance(scene, who, use.target)) + 50 * (use.action == "step"))


def _most_of_approach(scene: Scene, who: str) -> Rating:
    return Rating(harm=-15 if best_attack(scene, who, 0) else 350)


@cached_on_scene
def _can_strike(scene: Scene, who: str) -> bool:
    """True if a character has dice left for an attack. [opend6.map.zero_rule]"""
    found, lacking = figures(scene[who].character, scene.library), lost(scene, who)
    return any(found.with_weapon(arm.weapon.skill, arm.weapon).dice > lacking for arm in arms(scene, who))


def _ready(scene: Scene, who: str, use: ActionUse) -> Rating:
    status: Status = scene[who].status
    if use.detail in status.unloaded:
        return Rating(harm=120)
    armed = any(arm.held and has_shots(scene, who, arm) for arm in arms(scene, who))
    return Rating(harm=-10 if armed else 150)


def _aim(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(harm=-20 if scene[who].status.aim else 20)


def _spending(scene: Scene, who: str) -> Rating:
    """Start spending points once hurt or at bad odds."""
    status: Status = scene[who].status
    hurt = RANK[level(scene, who)] >= RANK["wounded"]
    return Rating(harm=1_000 if hurt and not status.spending else -100)


def _burning(scene: Scene, who: str) -> Rating:
    """Spend a Fate Point in the first round with a target in reach; sooner when hurt."""
    status: Status = scene[who].status
    if status.taken or not best_attack(scene, who, 0):
        return Rating(harm=-200)
    return Rating(harm=500 if RANK[level(scene, who)] else -20)


def _quickening(scene: Scene, who: str) -> Rating:
    """One more action where there is something to hit."""
    return Rating(harm=500 if best_attack(scene, who, 0) else -40)


def attacks(scene: Scene, who: str, score: Score, able: AbstractSet[str]) -> Iterator[tuple[ActionUse, Rating]]:
    """Uses of attacks, best first: the best one at once, the others only if that one cannot be made."""
    now = facing(scene, who)
    ready = {weapon for weapon in arms_by_id(scene, who) if unready(scene, who, weapon) is None}
    best: tuple[str, Ranked] | None = None
    rows: list[tuple[str, list[Ranked]]] = []
    for foe, against in now.against.items():
        row = against.ranked.get((score, now.threat))
        if row is None:
            row = against.ranked[score, now.threat] = _rank(scene, who, foe, against.bands, score)
        rows.append((foe, row))
        for one in row:
            if best is not None and one[0] <= best[1][0]:
                break
            if one[1].id in able and one[2].id in ready:
                best = foe, one
                break
    if best is not None:
        yield _attack_on(scene, *best)
    for down in fallen(scene, who):
        against = on_the_fallen(scene, who, down.id)
        if (score, 0) not in against.ranked:
            ranked = _rank(scene, who, down.id, against.bands, score)
            against.ranked[score, 0] = [one for one in ranked if one[1].plain]
        rows.append((down.id, against.ranked[score, 0]))
    others = [(one[0], foe, one) for foe, row in rows for one in row if one[1].id in able and one[2].id in ready]
    for _, foe, one in sorted(others, key=itemgetter(0), reverse=True):
        yield _attack_on(scene, foe, one)


def _attack_on(scene: Scene, foe: str, found: Ranked) -> tuple[ActionUse, Rating]:
    _, kind, weapon, rating = found
    return use_of(kind, weapon, foe, scene.display_name(foe)), rating


def _rank(scene: Scene, who: str, foe: str, bands: tuple[str | None, ...], score: Score) -> list[Ranked]:
    """Attacks on one foe with every arm that reaches so far, best first."""
    found: list[Ranked] = []
    mine = arms_by_id(scene, who)
    places = {weapon: -place for place, weapon in enumerate(mine)}
    for at, arm, kind, manner in ways_with(mine, scene.library):
        if bands[at] is not None:
            rating = rate(scene, who, ActionUse(kind.id, foe, manner))
            found.append(((score(rating), -PLACES[kind.id], places[arm.weapon.id]), kind, arm.weapon, rating))
    return sorted(found, key=itemgetter(0), reverse=True)


PLACES = {kind.id: place for place, kind in enumerate(KINDS)}

rate = rating_table(
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
    },
    BestFirst(frozenset(PLACES), attacks),
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
    whole=lambda scene, one: {"wound levels": RANK["dead"]},
    damage_events={
        Struck: lambda scene, event: Attribution(event.by, event.weapon),
        Hurt: lambda scene, event: Attribution(None, event.by),
    },
    lessened=_lessened,
)
