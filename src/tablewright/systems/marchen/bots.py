"""Ratings for bots: the value of a scene, the promise of an option, vitals.

One point of damage counts 10. A bot knows of its foes what anyone can see: how they look, not their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from tablewright.game.content.library import Library
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.vitals import Attribution, Vitals
from tablewright.game.scene.caching import MOST_REMEMBERED, cached_by_identity, cached_on_scene
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
from tablewright.systems.marchen.actions.attack import Named, answer_of, crossing_with, use_of
from tablewright.systems.marchen.actions.maneuvers import BODILY, FORCEFUL, best_of, move_of, other_ways
from tablewright.systems.marchen.actions.move import AWAY_FROM, away, reach_of
from tablewright.systems.marchen.actions.requirements import TIDE_DM, foes_by_name, foes_of
from tablewright.systems.marchen.chapters.magic import deepest, depth_named, ways_of
from tablewright.systems.marchen.character.figures import hurt_at
from tablewright.systems.marchen.content import Depth
from tablewright.systems.marchen.events.fight import Harmed, Struck
from tablewright.systems.marchen.mechanics.attack import NO_ANSWER, FightTable, Swing, averaged, ways_of_strike
from tablewright.systems.marchen.mechanics.checks import Table
from tablewright.systems.marchen.mechanics.clash import Answer, ClashTable, Crossing, ways_of_clash
from tablewright.systems.marchen.mechanics.dice import strong_hit
from tablewright.systems.marchen.mechanics.harm import BAD_SPOT, FAILED_BADLY, Bearing, Body, grouped, hurting, tier_of
from tablewright.systems.marchen.now import (
    FOUR,
    TOUCH,
    Arms,
    advantage_now,
    arms_of,
    attack_dm,
    body,
    clash_table,
    dice_of_damage,
    fight_table,
    how_checked,
    hurt_anywhere,
    in_melee,
    limit,
    metres_to,
    passing_dm,
    protection,
    range_dm,
    ranges_of,
    readied,
    skill_total,
    threatened,
)
from tablewright.systems.marchen.options import Core, MarchenOptions
from tablewright.systems.marchen.status import NOTHING, Status, stands
from tablewright.systems.marchen.values import Aspect, SkillId

POINT = 10
DOWN, CONTROL, CONDITION = 140, 15, 15
BAD_FAILURE = 5
"""Points of damage that a costly failure counts, for all that may come of it."""

SUPPOSED_THRESHOLD = 14
FALLS_ANYWAY = Rating(harm=1)
TURNED_OTHERWISE = Rating(harm=2, safety=2, cost=8)
NOT_THERE = Rating(harm=-3)
AWAY_FIRST = Rating(harm=200, safety=200)
"""Rating of a step away that frees a shot afterwards."""

LOOKS = {"unhurt": 0, "scratched": 4, "hurt": 9, "badly hurt": 15}
"""Damage that a bot supposes by the looks of a participant."""


@lru_cache(maxsize=4_096)
def _look(taken: int, threshold: int) -> str:
    if taken > threshold:
        return "badly hurt"
    if taken >= hurt_at(threshold):
        return "hurt"
    return "scratched" if taken else "unhurt"


_WORSE = ("unhurt", "scratched", "hurt", "badly hurt")


def health(participant: Participant) -> str:
    """Health in one word: the worst of the four aspects."""
    status: Status = participant.status
    if status.fate:
        return status.fate
    if status.dying:
        return "dying"
    if status.down:
        return "down"
    damage = status.damage
    if not any(damage.values()):
        return "unhurt"
    return max(
        [_look(damage[aspect], most) for aspect, most in zip(FOUR, status.limits, strict=True)], key=_WORSE.index
    )


def supposed(scene: Scene, side: str) -> Scene:
    """The scene as a side supposes it to be: of others it knows how they look, and takes it for harm to the body.

    A participant who looks hurt is supposed to have just enough damage for it (marchen.gap.threshold.hurt).
    """
    for one in scene.participants:
        if one.side != side:
            status: Status = one.status
            hidden = evolve(
                status,
                physical=_taken_for(health(one), limit(scene, one, "physical")),
                mental=0,
                social=0,
                spiritual=0,
                conditions=(),
                weight=NOTHING,
                nexts=(),
                hindered=False,
                plan="",
            )
            scene = scene.with_participant(evolve(one, status=hidden))
    return scene


def _taken_for(look: str, threshold: int) -> int:
    """Damage to assume by a look; the fallen have more than they can take."""
    if look in ("unhurt", "scratched"):
        return 0 if look == "unhurt" else max(1, hurt_at(threshold) // 2)
    return hurt_at(threshold) if look == "hurt" else threshold + 1


# ---------------------------------------------------------------------- what is to be expected


@lru_cache(maxsize=65_536)
def _strike_promise(swing: Swing, meets: Body, table: FightTable) -> tuple[int, int, int]:
    """Promise of a strike in tenths, the chance of a bad spot and of a strong hit in thousandths."""
    ways = ways_of_strike(swing, meets, NO_ANSWER, table)
    every = sum([way.weight for way in ways])
    badly = sum([way.weight for way in ways if way.degree in FAILED_BADLY])
    spoiled = sum([way.weight for way in ways if way.degree in BAD_SPOT])
    strong = sum([way.weight for way in ways if strong_hit(way.sigma)])
    harm = averaged([(way.weight, way.hurt) for way in ways], every) - Fraction(BAD_FAILURE * badly, every)
    return int(POINT * harm), 1_000 * spoiled // every, 1_000 * strong // every


@lru_cache(maxsize=65_536)
def _clash_promise(crossing: Crossing, meets: Body, answer: Answer, table: ClashTable) -> tuple[int, int, int]:
    """Promise and threat of a clash in tenths, and the chance to be in control in thousandths."""
    ways = ways_of_clash(crossing, 0, meets, answer, table)
    every = sum([way.weight for way in ways])
    good = averaged([(way.weight, way.hurt) for way in ways], every)
    bad = averaged([(way.weight, way.back) for way in ways], every)
    won = sum([way.weight for way in ways if way.degree == "a"])
    return int(POINT * good), int(POINT * bad), 1_000 * won // every


def taken_for(scene: Scene, target: str, aspect: Aspect) -> Body:
    """A foe as a bot sees it: armour as worn, damage as it looks; remembered until the foe changes."""
    one = scene[target]
    answers, key = one.answers, (taken_for, aspect)
    known: tuple[Any, Any, Body] | None = answers.get(key)
    if known is None or known[0] is not scene.options or known[1] is not scene.library:
        found = _body_supposed(*protection(scene, one, aspect), LOOKS.get(health(one), 0))
        known = answers[key] = scene.options, scene.library, found
    return known[2]


@lru_cache(maxsize=MOST_REMEMBERED)
def _body_supposed(armour: int, soak: int, taken: int) -> Body:
    return Body(armour, soak, Bearing(0, taken, SUPPOSED_THRESHOLD))


@cached_on_scene
def _striking(scene: Scene, who: str, target: str, weapon: str, tide: bool = False) -> tuple[int, int, int]:
    """Promise of a strike now; an attack that is to end the fight is the same strike."""
    arms = arms_of(scene, who)[weapon]
    modifier = attack_dm(scene, who, target, arms) + (TIDE_DM if tide else 0)
    swing = Swing(modifier, dice_of_damage(scene, arms), arms.plus, advantage_now(scene, who, arms), tide=tide)
    return _strike_promise(swing, taken_for(scene, target, arms.aspect), fight_table(scene.options))


@cached_on_scene
def _clashing(scene: Scene, who: str, target: str, weapon: str) -> tuple[int, int, int]:
    """Promise and threat of a clash now; an attack that is to end the fight may be the same clash."""
    arms = arms_of(scene, who)[weapon]
    crossing, answer, _ = crossing_with(scene, who, target, arms, attack_dm(scene, who, target, arms))
    return _clash_promise(crossing, taken_for(scene, target, arms.aspect), answer, clash_table(scene.options))


def _strike(scene: Scene, who: str, use: ActionUse) -> Rating:
    return _attack_rating(scene, who, use)


def _tide(scene: Scene, who: str, use: ActionUse) -> Rating:
    if move_of(use):
        return TURNED_OTHERWISE
    return _attack_rating(scene, who, use, tide=True)._replace(cost=8)


def _attack_rating(scene: Scene, who: str, use: ActionUse, *, tide: bool = False, decisive: bool = False) -> Rating:
    target, weapon = str(use.target), str(use.detail)
    if scene[target].status.falling:
        return FALLS_ANYWAY
    harm, spoiled, strong = _striking(scene, who, target, weapon, tide)
    if decisive:
        harm += strong * DOWN // 1_000
        spoiled = 1_000 - strong
    cost = CONTROL * spoiled // 1_000 + (6 if arms_of(scene, who)[weapon].thrown else 0)
    return Rating(harm, 0, cost)


def _clash(scene: Scene, who: str, use: ActionUse, *, decisive: bool = False) -> Rating:
    target = str(use.target)
    if scene[target].status.falling:
        return FALLS_ANYWAY
    good, bad, won = _clashing(scene, who, target, str(use.detail))
    if decisive:
        good += won * DOWN // 2_000
        won //= 2
    return Rating(good, CONTROL * won // 1_000, bad)


def _end(scene: Scene, who: str, use: ActionUse) -> Rating:
    rate = _attack_rating if scene[who].status.in_control else _clash
    return rate(scene, who, use, decisive=True)


RATES: dict[str, Rate] = {
    "strike": _strike,
    "clash": _clash,
    "end_the_fight": _end,
    "turn_the_tide": _tide,
}
"""Ratings of attacks, in the order of their actions."""

Ranked: TypeAlias = tuple[tuple[int | Fraction, ...], int, str, str, Rating]
"""An attack on a foe: its score, the negated place of its action, the ids of the action and of the arms, its rating."""


class Rows(NamedTuple):
    """Skills and aspects of a participant's arms, whether any can be aimed, and what is known of attacks with them.

    ``bands`` are the DMs of all arms by the distance, ``known`` the attacks by everything that their ratings read.
    """

    skills: tuple[SkillId, ...]
    aspects: tuple[Aspect, ...]
    aims: bool
    bands: dict[int, tuple[int | None, ...]]
    known: dict[tuple[Any, ...], list[Ranked]]


@cached_by_identity
def _rows(arms: dict[str, Arms], options: MarchenOptions, library: Library) -> Rows:
    every = arms.values()
    skills, aspects = dict.fromkeys([one.skill for one in every]), dict.fromkeys([one.aspect for one in every])
    aims = any(not one.melee and one.aspect == "physical" for one in every)
    return Rows(tuple(skills), tuple(aspects), aims, {}, {})


def attacks(scene: Scene, who: str, score: Score, able: AbstractSet[str]) -> Iterator[tuple[ActionUse, Rating]]:
    """Attacks on foes in reach, best first; those on foes who stand alike are rated once for all fights."""
    one, arms = scene[who], arms_of(scene, who)
    status: Status = one.status
    rows = _rows(arms, scene.options, scene.library)
    passing = tuple([passing_dm(scene, who, skill) for skill in rows.skills])
    frayed = rows.aims and threatened(scene, who)
    mine = score, frozenset(able), passing, status.unloaded, status.aim, status.hindered, status.in_control, frayed
    ranked: list[tuple[Named, list[Ranked]]] = []
    best: tuple[Named, Ranked] | None = None
    for foe in foes_by_name(scene, who):
        row = _row(scene, who, foe[0], rows, mine)
        if row:
            ranked.append((foe, row))
            if best is None or row[0][:2] > best[1][:2]:
                best = foe, row[0]
    turned = (score(TURNED_OTHERWISE), -len(RATES) + 1) if "turn_the_tide" in able else None
    if best is not None and (turned is None or best[1][:2] >= turned):
        yield use_of(best[1][2], best[0], best[1][3], arms), best[1][4]
    others = [(*found[:2], foe, found) for foe, row in ranked for found in row]
    rest = [(place, use_of(found[2], foe, found[3], arms), found[4]) for *place, foe, found in others]
    if turned is not None:
        rest += [([*turned], use, TURNED_OTHERWISE) for use in other_ways(scene, who)]
    for _, use, rating in sorted(rest, key=itemgetter(0), reverse=True):
        yield use, rating


def _row(scene: Scene, who: str, foe: str, rows: Rows, mine: tuple[Any, ...]) -> list[Ranked]:
    """Attacks on one foe with everything loaded that reaches it, best first; remembered unless a ruling counts."""
    score, able = mine[0], mine[1]
    if scene.modifiers or scene.facts.entries:
        return _rank(scene, who, foe, score, able)
    status: Status = scene[foe].status
    metres = metres_to(scene, who, foe)
    bands = rows.bands.get(metres)
    if bands is None:
        every = arms_of(scene, who).values()
        bands = rows.bands[metres] = tuple([range_dm(one, metres) for one in every])
    key = (
        mine,
        bands,
        bool(status.falling),
        None if status.stance != "prone" else metres,
        tuple([held.degree for held in status.lasting if held.id == "guarded"]),
        hurt_anywhere(scene, foe),
        rows.aims and in_melee(scene, who, foe),
        tuple([taken_for(scene, foe, aspect) for aspect in rows.aspects]),
        None if status.falling or mine[6] else tuple([answer_of(scene, foe, who, aspect) for aspect in rows.aspects]),
    )
    known = rows.known.get(key)
    if known is None:
        if len(rows.known) >= MOST_REMEMBERED:
            rows.known.clear()
        known = rows.known[key] = _rank(scene, who, foe, score, able)
    return known


def _rank(scene: Scene, who: str, foe: str, score: Score, able: AbstractSet[str]) -> list[Ranked]:
    metres, unloaded, hurt = metres_to(scene, who, foe), scene[who].status.unloaded, hurt_anywhere(scene, foe)
    reaching = [
        one.id for one in arms_of(scene, who).values() if one.id not in unloaded and range_dm(one, metres) is not None
    ]
    found: list[Ranked] = []
    for place, (action, rate) in enumerate(RATES.items()):
        if action in able and (hurt or action != "end_the_fight"):
            rated = [(weapon, rate(scene, who, ActionUse(action, foe, weapon))) for weapon in reaching]
            found += [(score(rating), -place, action, weapon, rating) for weapon, rating in rated]
    return sorted(found, key=itemgetter(0, 1), reverse=True)


@cached_on_scene
def _deed(scene: Scene, who: str, deed: str) -> tuple[Depth, int, int]:
    """A deed of the spirit, its chance in thousandths, and what it costs: most of all where it would be too much."""
    character = scene[who].character
    depth = depth_named(deed, scene.library)
    skill = dict(ways_of(character, scene.library))[depth.id]
    modifier = readied(scene, who, skill, specialization=deepest(character, skill)).tally.total
    own = body(scene, who, "spiritual").bearing
    too_much = depth.cost and own.taken + depth.cost > own.threshold
    cost = POINT * depth.cost // 2 + (DOWN // 2 if too_much else 0)
    return depth, _chance(modifier, *how_checked(scene.options), depth.difficulty), cost


def _size(scene: Scene, depth: Depth) -> int:
    """Size of a deed: its dice, or its tier with damage by tiers."""
    return tier_of(depth.depth) if scene.options.damage_model == "tiers" else depth.depth


def _cast_harm(scene: Scene, who: str, use: ActionUse) -> Rating:
    depth, hit, cost = _deed(scene, who, str(use.detail))
    meets = taken_for(scene, str(use.target), "physical")
    core, table = how_checked(scene.options)
    hurt = hurting(_size(scene, depth), 0, 0, meets, core, scene.options.damage_model, table)
    return Rating(harm=POINT * hit * hurt.severity // hurt.total // 1_000, cost=cost)


def _cast_heal(scene: Scene, who: str, use: ActionUse) -> Rating:
    depth, hit, cost = _deed(scene, who, str(use.detail))
    one = scene[str(use.target)]
    size = _size(scene, depth)
    mean = min(size if scene.options.damage_model == "tiers" else 7 * size // 2, one.status.physical)
    urgent = 30 if one.status.down else 0
    return Rating(safety=(POINT * mean // 2 + urgent) * hit // 1_000, cost=cost)


@lru_cache(maxsize=4_096)
def _chance(modifier: int, core: Core, table: Table, difficulty: str = "average") -> int:
    """The chance of a success in thousandths; the difficulty's own DM is what it is."""
    measure, average = table.measure(core, difficulty), table.measure(core, "average")  # type: ignore[arg-type]
    found = grouped(core, modifier, "none", table, lambda result: result.effect)
    shift = measure.dm - average.dm - (measure.target - average.target)
    return 1_000 * sum([weight for effect, weight in found.items() if effect + shift >= 0]) // sum(found.values())


def _moving(scene: Scene, who: str, use: ActionUse) -> Rating:
    """Towards a foe out of reach is good for those who fight hand to hand, away for those who shoot."""
    if use.detail == "away":
        return _moving_away(scene, who)
    if use.target is None or scene[use.target].side == scene[who].side:
        return NOT_THERE
    metres = metres_to(scene, who, use.target)
    return NOT_THERE if metres <= _covered(arms_of(scene, who))[0] else _nearing(metres)


def _moving_away(scene: Scene, who: str) -> Rating:
    if _shoots_better_there(scene, who):
        return AWAY_FIRST
    shoots = _covered(arms_of(scene, who))[1]
    near = shoots and distance_to_nearest_enemy(scene, who, stands) <= reach_of(scene, who)
    return Rating(safety=4 if near else -2)


def _most_of_moving(scene: Scene, who: str) -> Rating:
    """At least the best rating of any step, in whole numbers, without looking for the ways that lead there."""
    side, covered = scene[who].side, _covered(arms_of(scene, who))[0]
    apart = [metres_to(scene, who, one.id) for one in scene.participants if one.side != side]
    nearest = min([metres for metres in apart if metres > covered], default=None)
    towards = NOT_THERE if nearest is None else Rating(harm=11 + 30 // (1 + nearest))
    if min(apart, default=AWAY_FROM + 1) > AWAY_FROM:
        return towards
    from_here = _moving_away(scene, who)
    return Rating(harm=max(towards.harm, from_here.harm), safety=max(towards.safety, from_here.safety))


def _shoots_better_there(scene: Scene, who: str) -> bool:
    """True if a step away from foes in touch frees a shot to come (marchen.gap.range.threatened)."""
    status: Status = scene[who].status
    if status.spent or not threatened(scene, who):
        return False
    if not any(not arms.melee and not arms.thrown and arms.id not in status.unloaded for arms in _bodily(scene, who)):
        return False
    there = away(scene, who)
    foes = [one.position for one in foes_of(scene, who) if one.position is not None]
    return there is not None and all(scene.ground.distance(there, foe) > TOUCH for foe in foes)


@cached_by_identity
def _covered(every: dict[str, Arms]) -> tuple[int, bool]:
    """Metres within which a participant need not come nearer, and whether it shoots.

    Those who shoot are content with any arms of some weight that reach without a DM, others with bodily ones.
    """
    shoots = any(not arms.melee and not arms.thrown for arms in every.values() if arms.aspect == "physical")
    content = [
        arms for arms in every.values() if arms.aspect == "physical" or (shoots and (arms.dice > 1 or arms.melee))
    ]
    return max([ranges_of(arms.band, arms.reach, arms.melee)[0] for arms in content], default=-1), shoots


def _bodily(scene: Scene, who: str) -> list[Arms]:
    return [arms for arms in arms_of(scene, who).values() if arms.aspect == "physical"]


@lru_cache(maxsize=MOST_REMEMBERED)
def _nearing(metres: int) -> Rating:
    return Rating(harm=10 + Fraction(30, 1 + metres))


def _aiming(scene: Scene, who: str, use: ActionUse) -> Rating:
    """Aim with what is left of a turn."""
    status: Status = scene[who].status
    shoots = any(not arms.melee and not arms.thrown for arms in arms_of(scene, who).values() if arms.item)
    return Rating(harm=2 if status.aim < 3 and (shoots or status.spent.get("significant", 0)) else -1)


def _drawing(scene: Scene, who: str, use: ActionUse) -> Rating:
    """Rating of drawing a weapon: high with bare hands."""
    armed = any(arms.item and arms.id != "unarmed" for arms in arms_of(scene, who).values())
    return Rating(harm=-1 if armed else 25)


def _standing(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(safety=20 if use.detail == "standing" else -5)


def _compelling(scene: Scene, who: str, use: ActionUse) -> Rating:
    """Only the hurt are worth talking to: it is tried but once."""
    if not hurt_anywhere(scene, str(use.target)):
        return Rating(harm=1)
    return Rating(harm=_forceful(scene, who))


@cached_on_scene
def _forceful(scene: Scene, who: str) -> int:
    return max(0, 40 + 12 * max([skill_total(scene, who, skill) for skill in FORCEFUL]))


def _most_of_compelling(scene: Scene, who: str) -> Rating:
    return Rating(harm=max(1, _forceful(scene, who)))


def _reacting(scene: Scene, who: str, use: ActionUse) -> Rating:
    skill = best_of(scene, who, BODILY)
    chance = _chance(skill_total(scene, who, skill) - 3, *how_checked(scene.options))
    return Rating(safety=CONTROL * chance // 1_000)


def _securing(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(harm=3 if use.target == who else 2)


def _worth(one: Participant) -> int:
    status: Status = one.status
    if status.fate:
        return -DOWN // 2
    total = 0 if status.down or status.falling else DOWN + (CONTROL if status.in_control else 0)
    total -= POINT * (status.physical + status.mental + status.social + status.spiritual) // 2
    total -= CONDITION * len(status.conditions) + POINT * sum(status.weight.values())
    total += 8 * sum([help_.dm for help_ in status.nexts]) + 2 * status.aim - 5 * status.reactions
    return total


def _apart(scene: Scene, one: Participant) -> int:
    """Metres that a fighter still has to go to strike hand to hand."""
    if not stands(one) or one.position is None:
        return 0
    reach = max([40 if not arms.melee else 2 for arms in arms_of(scene, one.id).values() if arms.dice > 1], default=2)
    return max(0, distance_to_nearest_enemy(scene, one.id, stands) - reach)


value = side_value(_worth, apart=_apart)
rate = rating_table(
    {
        **RATES,
        "cast_harm": _cast_harm,
        "cast_heal": _cast_heal,
        "move": RatingBound(_most_of_moving, _moving, rated_first=True),
        "aim": RatingBound(Rating(harm=2), _aiming),
        "draw": RatingBound(Rating(harm=25), _drawing),
        "reload": Rating(harm=20),
        "stance": RatingBound(Rating(safety=20), _standing),
        "stow": Rating(harm=-10),
        "compel": RatingBound(_most_of_compelling, _compelling),
        "react_under_fire": RatingBound(Rating(safety=CONTROL), _reacting),
        "secure_advantage": RatingBound(Rating(harm=3), _securing),
        "gain_ground": Rating(harm=6),
        "take_defensive_action": Rating(safety=5),
        "aid_your_ally": Rating(harm=3),
        "face_defeat": Rating(harm=-50),
        "surrender": Rating(harm=-500),
        "hold": Rating(),
    },
    BestFirst(frozenset(RATES), attacks),
)


ASPECTS = ("physical", "mental", "social", "spiritual")


def _vigour(one: Participant) -> int:
    status = one.status
    return -int(status.physical + status.mental + status.social + status.spiritual)


def _left(place: int) -> Callable[[Participant], int]:
    aspect = ASPECTS[place]
    return lambda one: int(one.status.limits[place] - getattr(one.status, aspect))


RECKONING = Vitals(
    is_standing=stands,
    dead=lambda one: one.status.fate == "dead",
    health_points=_vigour,
    left={f"{aspect} threshold": _left(place) for place, aspect in enumerate(ASPECTS)},
    whole=lambda scene, one: {f"{aspect} threshold": one.status.limits[place] for place, aspect in enumerate(ASPECTS)},
    damage_events={
        Struck: lambda scene, event: Attribution(event.by, event.arms),
        Harmed: lambda scene, event: Attribution(None, event.cause),
    },
)
