"""Prospects of attacks and maneuvers, for bots: what each promises, and the best of them at once.

What follows from two who face each other is kept with them, so that it serves every scene in which they do so alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from tablewright.engine.odds import expected_value
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.targeting import distance
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.session.ratings import Score, by_look
from tablewright.game.system.rulebook import Rating
from tablewright.systems.mars.actions.aim import aim
from tablewright.systems.mars.actions.attack import Reach, attack_on, attacks, reaches, wielded_in
from tablewright.systems.mars.actions.maneuver_uses import (
    Form,
    Usable,
    attack_step,
    check_step,
    forms,
    legal_uses,
    maneuver_on,
    of_use,
    stamina_of,
    steps_of,
    usable,
    uses_of,
)
from tablewright.systems.mars.actions.maneuvers import check_throw, circumstances, resist_throw
from tablewright.systems.mars.character.gear import Wielded, item
from tablewright.systems.mars.content import (
    AttackStep,
    CheckStep,
    InflictStep,
    Maneuver,
    ManeuverStep,
    OpeningStep,
    RallyStep,
    RatingStep,
    Weapon,
)
from tablewright.systems.mars.expectations import Expected, face_to_face, facing, foresee, kept
from tablewright.systems.mars.harm import dice_rules
from tablewright.systems.mars.mechanics.checks import opposed
from tablewright.systems.mars.now import Now, now
from tablewright.systems.mars.status import Incoming, Status, stands
from tablewright.systems.mars.values import Manner

STAMINA = 100
UNTIL_FETCHED = 2
"""Attacks before a thrown weapon is fetched."""

EFFECT_WORTH = {
    "prone": -250,
    "stunned": -300,
    "burning": -350,
    "blind": -600,
    "halved_speed": -80,
    "shaken": -150,
    "debilitation": -200,
    "enhancement": 200,
    "unsighted": -150,
    "rally": 90,
    "opening": 150,
    "cover": 40,
    "rage": 250,
}
RATING_WORTH = 50
LOOKS = {"fresh": 0, "hurt": 60, "badly hurt": 140}


def health(participant: Participant) -> str:
    """Visible condition of a participant."""
    status: Status = participant.status
    if status.dead:
        return "dead"
    if status.has("dying"):
        return "dying"
    if not status.conscious:
        return "unconscious"
    if status.health < status.most.health:
        return "badly hurt"
    return "hurt" if 2 * status.endurance <= status.most.endurance else "fresh"


look = by_look(health, LOOKS, -10_000)
"""Value of a blow by the state of its target: more for the hurt, hardly any for the fallen."""


def rate_attack(scene: Scene, who: str, use: ActionUse) -> Rating:
    found = wielded_in(scene, who, use.detail)
    if found is None:
        return Rating()
    wielded, manner = found
    target = str(use.target)
    seen = look(scene, target)
    if seen < 0:
        return NOTHING_GAINED
    return _of_attack(scene, who, str(use.detail), target, seen, face_to_face(scene, who, target, wielded, manner))


def _of_attack(scene: Scene, who: str, detail: str, target: str, seen: int, known: dict[Any, Any]) -> Rating:
    """The rating of an attack on a target that looks worth so much more, remembered by those who face each other."""
    rating: Rating | None = known.get((detail, seen))
    if rating is None:
        wielded, manner = now(scene, who).arms[detail]
        promise = _plainly(scene, who, wielded, manner, target, known)
        lost = given_away(scene, who, wielded, target) if manner == "thrown" else 0
        rating = known[detail, seen] = Rating(promise.harm + seen * promise.hits // 1_000, 0, lost)
    return rating


def given_away(scene: Scene, who: str, thrown: Wielded, target: str) -> int:
    """Cost of throwing a weapon: the fight goes on with the next best one."""
    known = facing(scene, who, target, melee=True, away=distance(scene, who, target))
    return kept(known, (_loss, thrown.key), lambda: _loss(scene, who, thrown, target))


def _loss(scene: Scene, who: str, thrown: Wielded, target: str) -> int:
    others = [one for one in now(scene, who).wielded if one.key != thrown.key]
    for carried in scene[who].status.belongings:
        known = item(carried.item, scene.library) if carried.place == "pack" else None
        if isinstance(known, Weapon) and known.features.ranged is None:
            others.append(Wielded(known.id, known, 2 if known.features.two_handed else 1, carried.left))
    left = [plainly(scene, who, one, "melee", target).harm for one in others if one.manners[0] == "melee"]
    return UNTIL_FETCHED * max(0, plainly(scene, who, thrown, "melee", target).harm - max(left, default=0))


def plainly(scene: Scene, who: str, wielded: Wielded, manner: Manner, target: str) -> Expected:
    """Expectation of a plain attack."""
    return _plainly(scene, who, wielded, manner, target, face_to_face(scene, who, target, wielded, manner))


def _plainly(scene: Scene, who: str, wielded: Wielded, manner: Manner, target: str, known: dict[Any, Any]) -> Expected:
    key = (wielded.key, wielded.hands, manner)
    return foresee(scene, known, key, lambda: aim(scene, who, wielded, manner, target).blow)


def second_attack(harm: int) -> int:
    """Value of the time of a standard action: about another attack with its penalty."""
    return harm // 2


NOTHING_GAINED = Rating(harm=-1)
"""Rating of a useless action, such as a blow at the fallen."""


class _Plan(NamedTuple):
    """A form of a maneuver, as far as it is the same against every target."""

    maneuver: Maneuver
    steps: tuple[ManeuverStep, ...]
    attack: AttackStep | None
    check: CheckStep | None
    arm: tuple[Wielded, Manner] | None
    skill: str | None
    cost: int
    braces: bool
    """True if it counts how many foes are close."""
    rallies: bool
    """True if it counts the allies."""
    most: Rating | None
    """Highest rating without the effects on allies; None if it is not known in advance."""
    for_allies: int
    """Highest rating of the effects on each ally."""

    @staticmethod
    def of(scene: Scene, me: Now, detail: str, improvised: bool) -> _Plan:
        """The form of a maneuver that a use names."""
        maneuver, way = of_use(scene, detail)
        steps = steps_of(maneuver, way.boosted)
        arm = me.arms.get(way.arm)
        skill = None if improvised or arm is None else me.skill_for(maneuver, arm[0].weapon, way.boosted)
        cost = STAMINA * stamina_of(maneuver, way.boosted, improvised)
        braces = any(isinstance(step, RatingStep) for step in steps)
        rallies = sum([isinstance(step, RallyStep) for step in steps])
        attack, check = attack_step(steps), check_step(steps)
        most = _most(steps, cost) if attack is None else None
        for_allies = EFFECT_WORTH["rally"] * rallies
        return _Plan(maneuver, steps, attack, check, arm, skill or None, cost, braces, rallies > 0, most, for_allies)


def _most(steps: Sequence[ManeuverStep], cost: int) -> Rating:
    """Highest rating of a maneuver without an attack."""
    harm = safety = 0
    for step in steps:
        if isinstance(step, InflictStep):
            harm += max(0, -EFFECT_WORTH.get(step.effect, 0))
        elif isinstance(step, OpeningStep):
            harm += EFFECT_WORTH["opening"]
        elif isinstance(step, RatingStep):
            safety += max(0, RATING_WORTH * step.value * MOST_CLOSE)
    return Rating(harm, safety, cost)


MOST_CLOSE = 2
"""Foes nearby that count at most for a better armour rating."""


def _plan(scene: Scene, me: Now, detail: str, improvised: bool) -> _Plan:
    return me.remember((_Plan, detail, improvised), lambda: _Plan.of(scene, me, detail, improvised))


def rate_maneuver(scene: Scene, who: str, use: ActionUse) -> Rating:
    me, improvised, target = now(scene, who), use.action == "improvising", use.target
    plan = _plan(scene, me, str(use.detail), improvised)
    if target is None or (plan.attack is None and plan.rallies):
        return _promised(scene, who, use, plan, 0)
    if plan.attack is None:
        seen, known = 0, facing(scene, who, target, melee=True, away=None)
    else:
        seen = look(scene, target)
        if plan.arm is None or seen < 0:
            return NOTHING_GAINED
        if plan.rallies:
            return _promised(scene, who, use, plan, seen)
        known = face_to_face(scene, who, target, *plan.arm)
    return _of_maneuver(scene, who, use, plan, seen, known)


def _of_maneuver(scene: Scene, who: str, use: ActionUse, plan: _Plan, seen: int, known: dict[Any, Any]) -> Rating:
    """The rating of a maneuver, remembered by those who face each other."""
    key = (use.detail, use.action, seen, pressed(scene, who) if plan.braces else 0)
    rating: Rating | None = known.get(key)
    if rating is None:
        rating = known[key] = _promised(scene, who, use, plan, seen, known)
    return rating


def _promised(
    scene: Scene, who: str, use: ActionUse, plan: _Plan, seen: int, known: dict[Any, Any] | None = None
) -> Rating:
    """The promise of a maneuver on a target that looks worth so much more."""
    maneuver, steps, attack, check, found, _, cost, *_ = plan
    improvised = use.action == "improvising"
    harm = safety = 0
    success = 1_000
    if check is not None and not check.observers and use.target is not None:
        success = _success(scene, who, maneuver, use.target, improvised)
    if attack is not None and use.target is not None:
        assert found is not None
        memory = face_to_face(scene, who, use.target, *found) if known is None else known
        promise = _with_step(scene, who, use, plan, memory)
        harm += promise.harm * attack.targets + seen * promise.hits // 1_000
        cost += given_away(scene, who, found[0], use.target) if found[1] == "thrown" else 0
        success = promise.effect if check is None else success
        if maneuver.speed in ("standard", "full-round") or improvised:
            cost += second_attack(promise.harm)
    for step in steps:
        if isinstance(step, InflictStep) and use.target is not None:
            fresh = not scene[use.target].status.has(step.effect)
            harm -= EFFECT_WORTH.get(step.effect, 0) * success // 1_000 if fresh else 0
        elif isinstance(step, OpeningStep):
            harm += EFFECT_WORTH["opening"] * success // 1_000
        elif isinstance(step, RatingStep):
            safety += RATING_WORTH * step.value * pressed(scene, who)
        elif isinstance(step, RallyStep):
            allies = [one for one in scene.allies(who) if stands(one) and not one.status.has("rally")]
            harm += EFFECT_WORTH["rally"] * len(allies) if _engaged(scene) else 0
    return Rating(harm, safety, cost)


def _with_step(scene: Scene, who: str, use: ActionUse, plan: _Plan, known: dict[Any, Any]) -> Expected:
    """Expectation of the attack of a maneuver."""
    found, target, step, improvised = plan.arm, str(use.target), plan.attack, use.action == "improvising"
    assert found is not None
    assert step is not None

    def blow() -> Incoming:
        maneuver = plan.maneuver
        resist = maneuver.resist or "" if plan.check is None else ""
        how = {"maneuver": maneuver.id, "resist": resist, "skill": plan.skill, "improvised": improvised}
        return aim(scene, who, *found, target, step=step, **how).blow  # type: ignore[arg-type]

    return foresee(scene, known, (use.detail, improvised), blow)


def _success(scene: Scene, who: str, maneuver: Maneuver, target: str, improvised: bool) -> int:
    """Chance of a maneuver's check in thousandths."""
    known = facing(scene, who, target, melee=True, away=None)
    return kept(known, (_chance, maneuver.id, improvised), lambda: _chance(scene, who, maneuver, target, improvised))


def _chance(scene: Scene, who: str, maneuver: Maneuver, target: str, improvised: bool) -> int:
    step = check_step(maneuver.steps)
    assert step is not None
    when = circumstances(maneuver.steps)
    throw, against = check_throw(scene, who, step, when, improvised), resist_throw(scene, target, maneuver, when)
    sources = (throw.advantage, throw.disadvantage, against.advantage, against.disadvantage)
    return int(expected_value(opposed(throw.value, against.value, *sources, dice_rules(scene)), "success") * 1_000)


@cached_on_scene
def close_foes(scene: Scene, who: str) -> int:
    """Number of foes within three metres."""
    return sum([1 for foe in scene.enemies(who) if stands(foe) and distance(scene, who, foe.id) <= 3])


def pressed(scene: Scene, who: str) -> int:
    """Number of close foes, as far as they count for a better armour rating."""
    return min(MOST_CLOSE, close_foes(scene, who))


@cached_on_scene
def _engaged(scene: Scene) -> bool:
    """True if anyone is near an enemy."""
    return any(close_foes(scene, one.id) for one in scene.participants if stands(one))


# ---------------------------------------------------------------------- the best at once


PLACES = {"attack": 0, "maneuver": -1}
"""Actions whose uses are found best first; of equal ones an attack counts more."""

_Rank: TypeAlias = tuple[Any, int, int]
"""A score, the place of the action, and the negated place of the weapon or the form."""


class _Armed:
    """Forms of maneuvers to be used with one weapon on one foe; the same object for the same ones."""

    __slots__ = ("braces", "forms")

    def __init__(self, forms: tuple[Form, ...], braces: bool) -> None:
        self.forms = forms
        self.braces = braces


class _Repertoire(NamedTuple):
    """The forms of maneuvers that can be used now: by weapon, and those that take more than a foe in reach."""

    armed: Mapping[str, _Armed]
    others: tuple[Usable, ...]

    @staticmethod
    def of(scene: Scene, who: str, able: tuple[Usable, ...]) -> _Repertoire:
        """The repertoire of these forms."""
        me = now(scene, who)
        armed: dict[str, list[Form]] = {arm: [] for arm in me.arms}
        others = []
        braced = set()
        for one in able:
            plan = _plan(scene, me, one.form.detail, improvised=False)
            if plan.arm is None or plan.rallies or plan.attack is None or plan.attack.targets > 1:
                others.append(one)
                continue
            armed[one.way.arm].append(one.form)
            if plan.braces:
                braced.add(one.way.arm)
        return _Repertoire({arm: _armed(me, tuple(rows), arm in braced) for arm, rows in armed.items()}, tuple(others))


def _armed(me: Now, able: tuple[Form, ...], braces: bool) -> _Armed:
    return me.remember((_Armed, able), lambda: _Armed(able, braces))


_Ranked: TypeAlias = tuple[_Rank, "Form | None", Rating]
"""An attack or a maneuver with its rating, after its rank."""


def best_blows(scene: Scene, who: str, score: Score, able: AbstractSet[str]) -> Iterator[tuple[ActionUse, Rating]]:
    """Uses of attacks and maneuvers, best first: the best one at once, the others only if it cannot be made."""
    ready = usable(scene, who)
    armed, others = now(scene, who).remember((_Repertoire, id(ready)), lambda: _Repertoire.of(scene, who, ready))
    best: tuple[_Ranked, Reach, str] | None = None
    attacking, maneuvering = "attack" in able, "maneuver" in able
    for reach in reaches(scene, who) if attacking or ready else ():
        with_it = armed[reach.detail]
        if not attacking and not with_it.forms:
            continue
        wielded, manner = reach.wielded, reach.manner
        close = pressed(scene, who) if with_it.braces else 0
        for foe in reach.foes:
            seen = look(scene, foe.id)
            if seen < 0:
                continue
            known = face_to_face(scene, who, foe.id, wielded, manner)
            key = (score, seen, close, reach.detail, with_it)
            row: list[_Ranked] | None = known.get(key)
            if row is None:
                row = known[key] = _rank(scene, who, reach.detail, with_it, foe.id, score, known)
            for one in row:
                if best is not None and one[0] <= best[0][0]:
                    break
                if attacking if one[1] is None else maneuvering:
                    best = one, reach, foe.id
                    break
    found = None
    if best is not None:
        (rank, form, rating), reach, foe_id = best
        use = attack_on(scene, who, reach, foe_id) if form is None else maneuver_on(scene, who, form, foe_id)
        found = rank, use, rating
    if others and maneuvering:
        places, me = _places(scene, who), now(scene, who)
        for other in others:
            if found is not None and _cannot_win(
                scene, who, _plan(scene, me, other.form.detail, False), score, found[0]
            ):
                continue
            for use in uses_of(scene, who, other):
                rating = rate_maneuver(scene, who, use)
                rank = score(rating), PLACES["maneuver"], -places[other.form.detail]
                if found is None or rank > found[0]:
                    found = rank, use, rating
    if found is not None and found[0][0] > score(NOTHING_GAINED):
        yield found[1:]
    every = attacks(scene, who) if attacking else []
    every += legal_uses(scene, who) if maneuvering and ready else ()
    rates = {"attack": rate_attack, "maneuver": rate_maneuver}
    rated = [(use, rates[use.action](scene, who, use)) for use in every]
    yield from sorted(rated, key=lambda one: (score(one[1]), PLACES[one[0].action]), reverse=True)


def _cannot_win(scene: Scene, who: str, plan: _Plan, score: Score, rank: _Rank) -> bool:
    """True if a maneuver that needs no weapon promises less at most than what is known already."""
    most = plan.most
    if most is None:
        return False
    if plan.for_allies:
        side = scene[who].side
        allies = sum([one.side == side for one in scene.participants]) - 1
        most = Rating(most.harm + plan.for_allies * allies, most.safety, most.cost)
    return bool(score(most) < rank[0])


def _rank(
    scene: Scene, who: str, detail: str, armed: _Armed, foe: str, score: Score, known: dict[Any, Any]
) -> list[_Ranked]:
    """The attack on one foe with one weapon and the maneuvers with it, best first."""
    me, places, seen = now(scene, who), _places(scene, who), look(scene, foe)
    rating = _of_attack(scene, who, detail, foe, seen, known)
    found: list[_Ranked] = [((score(rating), PLACES["attack"], -places[detail]), None, rating)]
    for form in armed.forms:
        use, plan = ActionUse("maneuver", foe, form.detail), _plan(scene, me, form.detail, improvised=False)
        rating = _of_maneuver(scene, who, use, plan, seen, known)
        found.append(((score(rating), PLACES["maneuver"], -places[form.detail]), form, rating))
    return sorted(found, key=itemgetter(0), reverse=True)


def _places(scene: Scene, who: str) -> Mapping[str, int]:
    """The places of weapons and of forms of known maneuvers in the order in which they are offered."""
    me = now(scene, who)

    def make() -> dict[str, int]:
        every = [form.detail for one in me.maneuvers for form in forms(scene, who, one, improvised=False)]
        return {detail: place for place, detail in enumerate([*me.arms, *every])}

    return me.remember(_places, make)
