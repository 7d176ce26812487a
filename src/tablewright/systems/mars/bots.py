"""Ratings for bots: the value of a scene, the promise of an option, vitals.

One point of damage counts 100. A bot knows of its foes what anyone can see: how they look, not their numbers.
"""

from __future__ import annotations

from typing import NamedTuple

from tablewright.engine.odds import expected_value
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.loose_items import items_in_reach
from tablewright.game.play.targeting import distance
from tablewright.game.play.vitals import Attribution, Vitals
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.evolve import evolve_record
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.session.ratings import (
    RatingBound,
    by_look,
    distance_to_nearest_enemy,
    rating_table,
    side_value,
)
from tablewright.game.system.rulebook import Rating
from tablewright.systems.mars.actions.aim import TRIP, aim, aimed_at, landed_call, turned
from tablewright.systems.mars.actions.attack import (
    reaches,
    why_not_usable,
    wielded_in,
)
from tablewright.systems.mars.actions.defences import can_defend, price
from tablewright.systems.mars.actions.foresight import POINT, Expected, expect, facing, foresee, is_near, mean
from tablewright.systems.mars.actions.hands import Grip, grip_worth, unarmed
from tablewright.systems.mars.actions.maneuver_uses import (
    Way,
    attack_step,
    check_step,
    intercept_step,
    of_use,
    stamina_of,
    steps_of,
)
from tablewright.systems.mars.actions.maneuvers import check_throw, circumstances, resist_throw
from tablewright.systems.mars.actions.requirements import why_no_reaction
from tablewright.systems.mars.chapters.talents import rage_of
from tablewright.systems.mars.character.figures import figures
from tablewright.systems.mars.character.gear import Wielded, item
from tablewright.systems.mars.character.record import counting
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
from tablewright.systems.mars.events.attack import Hit, exchanged
from tablewright.systems.mars.events.harm import HealthLost, Hurt
from tablewright.systems.mars.harm import dice_rules
from tablewright.systems.mars.mechanics.checks import opposed
from tablewright.systems.mars.now import Now, now
from tablewright.systems.mars.status import Incoming, Status, fight, stands
from tablewright.systems.mars.values import Manner

STAMINA, FOCUS, SHIELD, REACTION = 100, 30, 30, 100
UNTIL_FETCHED = 2
"""Attacks before a thrown weapon is fetched."""

DOWN = 1_000
"""Value of a participant who still stands."""

DISARMED = 1_500
"""Cost of fighting with bare hands: more than the damage of a thrown weapon."""

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


def supposed(scene: Scene, side: str) -> Scene:
    """The others as they look: the hurt have half of their endurance left, the badly hurt none of it."""
    for one in scene.participants:
        if one.side == side:
            continue
        most = figures(one.character, scene.library)
        word = health(one)
        endurance = {"fresh": most.endurance, "hurt": most.endurance // 2}.get(word, 0)
        left = most.health if word in ("fresh", "hurt") else most.health // 2 if word == "badly hurt" else 0
        scene = scene.with_status(one.id, endurance=endurance, health=left, stamina=most.stamina, focus=most.focus)
    return scene


# ---------------------------------------------------------------------- what a scene is worth


def _worth(one: Participant) -> int:
    status: Status = one.status
    if status.dead:
        return -DOWN // 2
    worth = POINT * (status.endurance + status.health)
    worth += STAMINA * status.stamina // 2 + FOCUS * status.focus
    worth += sum([SHIELD * carried.left for carried in status.belongings if carried.left])
    worth += DOWN if status.conscious else 0
    for effect in counting(status.effects, "rating"):
        worth += RATING_WORTH * effect.value
    for effect in status.effects:
        if effect.kind in EFFECT_WORTH:
            worth += EFFECT_WORTH[effect.kind] * max(1, effect.degree if effect.kind != "rage" else 1)
    return worth


def _apart(scene: Scene, one: Participant) -> int:
    """Distance that a melee fighter still has to go, and the cost of having no weapon in hand."""
    if not stands(one):
        return 0
    far = 8 * distance_to_nearest_enemy(scene, one.id, stands) if not _shoots(scene, one.id) else 0
    return far + (DISARMED if unarmed(scene, one.id) else 0)


def _under_way(scene: Scene, side: str) -> int:
    """The harm to expect of blows that have been declared."""
    total = 0
    for blow in fight(scene).incoming:
        if blow.target in scene:
            harm = expect(scene, blow).harm
            total += -harm if scene[blow.target].side == side else harm
    return total


def _shoots(scene: Scene, who: str) -> bool:
    return any(one.manners[0] == "shot" for one in now(scene, who).wielded)


# ---------------------------------------------------------------------- what an option promises


_look = by_look(health, LOOKS, -10_000)
"""Value of a blow by the state of its target: more for the hurt, hardly any for the fallen."""


def _attack(scene: Scene, who: str, use: ActionUse) -> Rating:
    found = wielded_in(scene, who, use.detail)
    if found is None:
        return Rating()
    wielded, manner = found
    target = str(use.target)
    seen = _look(scene, target)
    if seen < 0:
        return Rating(harm=-1)
    known = facing(scene, who, target, manner == "melee", is_near(wielded, manner))
    rating: Rating | None = known.get((use.detail, seen))
    if rating is None:
        promise = _plainly(scene, who, wielded, manner, target)
        lost = _given_away(scene, who, wielded, target) if manner == "thrown" else 0
        rating = Rating(harm=promise.harm + seen * promise.hits // 1_000, cost=lost)
        known[use.detail, seen] = rating
    return rating


def _hurling(scene: Scene, who: str, use: ActionUse) -> Rating:
    thrown = now(scene, who).weapon(str(use.detail))
    if thrown is None or _look(scene, str(use.target)) < 0:
        return Rating(harm=-1)
    promise = _plainly(scene, who, thrown, "thrown", str(use.target))
    return Rating(harm=promise.harm, cost=_given_away(scene, who, thrown, str(use.target)))


def _given_away(scene: Scene, who: str, thrown: Wielded, target: str) -> int:
    """Cost of throwing a weapon: the fight goes on with the next best one."""
    known = facing(scene, who, target, melee=True, near=False)
    found: int | None = known.get((_loss, thrown.key))
    if found is None:
        found = known[_loss, thrown.key] = _loss(scene, who, thrown, target)
    return found


def _loss(scene: Scene, who: str, thrown: Wielded, target: str) -> int:
    others = [one for one in now(scene, who).wielded if one.key != thrown.key]
    for carried in scene[who].status.belongings:
        known = item(carried.item, scene.library) if carried.place == "pack" else None
        if isinstance(known, Weapon) and known.features.ranged is None:
            others.append(Wielded(known.id, known, 2 if known.features.two_handed else 1, carried.left))
    left = [_by_hand(scene, who, one, target) for one in others if one.manners[0] == "melee"]
    return UNTIL_FETCHED * max(0, _by_hand(scene, who, thrown, target) - max(left, default=0))


def _by_hand(scene: Scene, who: str, wielded: Wielded, target: str) -> int:
    """Expectation of a melee attack, whether or not a target is near."""
    return _plainly(scene, who, wielded, "melee", target).harm


def _plainly(scene: Scene, who: str, wielded: Wielded, manner: Manner, target: str) -> Expected:
    """Expectation of a plain attack."""
    key = (wielded.key, wielded.hands, manner)
    return foresee(scene, who, wielded, manner, target, key, lambda: aim(scene, who, wielded, manner, target).blow)


def _trip(scene: Scene, who: str, use: ActionUse) -> Rating:
    found = wielded_in(scene, who, use.detail)
    if found is None or _look(scene, str(use.target)) < 0 or scene[str(use.target)].status.has("prone"):
        return Rating(harm=-1)
    blow = aim(scene, who, *found, str(use.target), step=TRIP, resist="agility", halvings=1).blow
    promise = expect(scene, blow)
    return Rating(harm=promise.harm + 250 * promise.effect // 1_000, cost=STAMINA + _second_attack(promise.harm))


def _second_attack(harm: int) -> int:
    """Value of the time of a standard action: about another attack with its penalty."""
    return harm // 2


class _Plan(NamedTuple):
    """A form of a maneuver, as far as it is the same against every target."""

    maneuver: Maneuver
    steps: tuple[ManeuverStep, ...]
    attack: AttackStep | None
    check: CheckStep | None
    arm: tuple[Wielded, Manner] | None
    skill: str | None
    cost: int
    of_scene: bool
    """True if it reads more of a scene than the two who face each other."""

    @staticmethod
    def of(scene: Scene, me: Now, detail: str, improvised: bool) -> _Plan:
        """The form of a maneuver that a use names."""
        maneuver, way = of_use(scene, detail)
        steps = steps_of(maneuver, way.boosted)
        arm = me.arms.get(way.arm)
        skill = None if improvised or arm is None else me.skill_for(maneuver, arm[0].weapon, way.boosted)
        cost = STAMINA * stamina_of(maneuver, way.boosted, improvised)
        of_scene = any(isinstance(step, RatingStep | RallyStep) for step in steps)
        return _Plan(maneuver, steps, attack_step(steps), check_step(steps), arm, skill or None, cost, of_scene)


def _maneuver(scene: Scene, who: str, use: ActionUse) -> Rating:
    me, improvised, target = now(scene, who), use.action == "improvising", use.target
    plan = me.remember((_Plan, use.detail, improvised), lambda: _Plan.of(scene, me, str(use.detail), improvised))
    if plan.attack is None or target is None:
        return _promised(scene, who, use, plan, 0)
    seen = _look(scene, target)
    if plan.arm is None or seen < 0:
        return Rating(harm=-1)
    if plan.of_scene:
        return _promised(scene, who, use, plan, seen)
    wielded, manner = plan.arm
    known = facing(scene, who, target, manner == "melee", is_near(wielded, manner))
    key = (use.detail, improvised, seen)
    rating: Rating | None = known.get(key)
    if rating is None:
        rating = known[key] = _promised(scene, who, use, plan, seen)
    return rating


def _promised(scene: Scene, who: str, use: ActionUse, plan: _Plan, seen: int) -> Rating:
    """The promise of a maneuver on a target that looks worth so much more."""
    maneuver, steps, attack, check, found, _, cost, _ = plan
    improvised = use.action == "improvising"
    harm = safety = 0
    success = 1_000
    if check is not None and not check.observers and use.target is not None:
        success = _success(scene, who, maneuver, use.target, improvised)
    if attack is not None and use.target is not None:
        assert found is not None
        promise = _with_step(scene, who, use, plan)
        harm += promise.harm * attack.targets + seen * promise.hits // 1_000
        cost += _given_away(scene, who, found[0], use.target) if found[1] == "thrown" else 0
        success = promise.effect if check is None else success
        if maneuver.speed in ("standard", "full-round") or improvised:
            cost += _second_attack(promise.harm)
    for step in steps:
        if isinstance(step, InflictStep) and use.target is not None:
            fresh = not scene[use.target].status.has(step.effect)
            harm -= EFFECT_WORTH.get(step.effect, 0) * success // 1_000 if fresh else 0
        elif isinstance(step, OpeningStep):
            harm += EFFECT_WORTH["opening"] * success // 1_000
        elif isinstance(step, RatingStep):
            safety += RATING_WORTH * step.value * min(2, _close(scene, who))
        elif isinstance(step, RallyStep):
            allies = [one for one in scene.allies(who) if stands(one) and not one.status.has("rally")]
            harm += EFFECT_WORTH["rally"] * len(allies) if _engaged(scene) else 0
    return Rating(harm, safety, cost)


def _with_step(scene: Scene, who: str, use: ActionUse, plan: _Plan) -> Expected:
    """Expectation of the attack of a maneuver."""
    found, target, step, improvised = plan.arm, str(use.target), plan.attack, use.action == "improvising"
    assert found is not None
    assert step is not None

    def blow() -> Incoming:
        maneuver = plan.maneuver
        resist = maneuver.resist or "" if plan.check is None else ""
        how = {"maneuver": maneuver.id, "resist": resist, "skill": plan.skill, "improvised": improvised}
        return aim(scene, who, *found, target, step=step, **how).blow  # type: ignore[arg-type]

    return foresee(scene, who, *found, target, (use.detail, improvised), blow)


def _success(scene: Scene, who: str, maneuver: Maneuver, target: str, improvised: bool) -> int:
    """Chance of a maneuver's check in thousandths."""
    known, key = facing(scene, who, target, melee=True, near=True), (_chance, maneuver.id, improvised)
    found: int | None = known.get(key)
    if found is None:
        found = known[key] = _chance(scene, who, maneuver, target, improvised)
    return found


def _chance(scene: Scene, who: str, maneuver: Maneuver, target: str, improvised: bool) -> int:
    step = check_step(maneuver.steps)
    assert step is not None
    when = circumstances(maneuver.steps)
    throw, against = check_throw(scene, who, step, when, improvised), resist_throw(scene, target, maneuver, when)
    sources = (throw.advantage, throw.disadvantage, against.advantage, against.disadvantage)
    return int(expected_value(opposed(throw.value, against.value, *sources, dice_rules(scene)), "success") * 1_000)


@cached_on_scene
def _close(scene: Scene, who: str) -> int:
    """Number of foes within three metres."""
    return sum([1 for foe in scene.enemies(who) if stands(foe) and distance(scene, who, foe.id) <= 3])


@cached_on_scene
def _engaged(scene: Scene) -> bool:
    """True if anyone is near an enemy."""
    return any(_close(scene, one.id) for one in scene.participants if stands(one))


@cached_on_scene
def can_attack(scene: Scene, who: str) -> bool:
    """True if anyone can be attacked from here with what serves at that distance.

    Bare hands are left aside where there is something better, and throws of what is better held in the hand.
    """
    for _, wielded, manner, foes in reaches(scene, who):
        if not stands(foes[0]):  # standing ones come first
            continue
        if wielded.bare and not scene[who].character.weapons and not unarmed(scene, who):
            continue
        if manner != "thrown" or wielded.weapon.features.unfit:
            return True
    return False


def _move(scene: Scene, who: str, use: ActionUse) -> Rating:
    if use.target is None:
        return Rating(harm=-50)
    if can_attack(scene, who):
        return Rating(harm=-20)
    tired = STAMINA if scene[who].status.turn.moves else 0
    return Rating(harm=500 - min(300, distance(scene, who, use.target)), cost=tired)


def _most_of_move(scene: Scene, who: str) -> Rating:
    return Rating(harm=-20 if can_attack(scene, who) else 500)


def _destination(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(harm=-1 - distance_to_nearest_enemy(scene, who, stands, scene.ground.parse(str(use.detail))))


def _rise(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(safety=200 if _close(scene, who) or not can_attack(scene, who) else 20)


def _seek_cover(scene: Scene, who: str, use: ActionUse) -> Rating:
    shooters = any(_shoots(scene, foe.id) for foe in scene.enemies(who) if stands(foe))
    return Rating(safety=60 if shooters else -10)


def _brandish(scene: Scene, who: str, use: ActionUse) -> Rating:
    mine = now(scene, who).wielded
    useless = [one.bare or why_not_usable(scene, who, one, one.manners[0]) not in (None, "not loaded") for one in mine]
    armed = not all(useless) or bool(scene[who].character.weapons)
    return Rating(harm=-40 if armed or not _armoury(scene, who) else 450)


def _armoury(scene: Scene, who: str) -> bool:
    """True if there is a weapon to take in hand, in the pack or within reach."""
    held = scene[who].status.belongings
    stowed = [one.item for one in held if one.place == "pack"]
    known = [item(name, scene.library) for name in [*stowed, *[one.item for one in items_in_reach(scene, who)]]]
    return any(
        isinstance(one, Weapon) and (one.ammunition is None or any(other.item == one.ammunition for other in held))
        for one in known
    )


def _wield(scene: Scene, who: str, use: ActionUse) -> Rating:
    held = [one.split("@") for one in str(use.detail).split("+") if one]
    return Rating(harm=grip_worth(scene, who, Grip(tuple([(name, place) for name, place in held]))))


def _second_wind(scene: Scene, who: str, use: ActionUse) -> Rating:
    status: Status = scene[who].status
    gained = min((status.most.endurance + 1) // 2, status.most.endurance - status.endurance)
    return Rating(safety=POINT * gained if 2 * gained >= status.most.endurance else -1)


def _rage(scene: Scene, who: str, use: ActionUse) -> Rating:
    found = rage_of(scene, who)
    return Rating(harm=600 if found is not None and _close(scene, who) and can_attack(scene, who) else -10)


def _stabilise(scene: Scene, who: str, use: ActionUse) -> Rating:
    friend = scene[str(use.target)].side == scene[who].side
    return Rating(safety=700 if friend else -200)


def _defence(scene: Scene, who: str, use: ActionUse) -> Rating:
    blow = fight(scene).blow
    if blow is None or use.action == "deflect":
        return Rating()
    spared = _warded_off(scene, str(use.detail) if use.action == "parry" else "")
    extra = {"drop": 40, "step": 20}.get(str(use.detail), 0) if use.action == "evade" else 0
    free = use.action == "parry" and blow.cost_free
    return Rating(safety=spared, cost=(0 if free else STAMINA) + extra)


@cached_on_scene
def _warded_off(scene: Scene, item: str) -> int:
    """Damage that a parry with an item spares, or an evasion."""
    blow = fight(scene).blow
    assert blow is not None
    how = evolve_record(blow, defence="parry", with_item=item) if item else evolve_record(blow, defence="evade")
    return expect(scene, blow).harm - expect(scene, how).harm


def _block(scene: Scene, who: str, use: ActionUse) -> Rating:
    blow = fight(scene).blow
    if blow is None or blow.degree is None:
        return Rating()
    blocked = landed_call(scene, blow, now(scene, blow.target).blocking)
    spared, shield = mean(landed_call(scene, blow)) - mean(blocked), mean(blocked, "shield")
    return Rating(safety=spared, cost=STAMINA * price(blow) + shield * SHIELD // POINT)


def _intercept(scene: Scene, who: str, use: ActionUse) -> Rating:
    """Damage that stepping in spares an ally with its best defence, less the damage it draws."""
    blow = fight(scene).blow
    if blow is None:
        return Rating()
    maneuver = scene.library.get(Maneuver, Way.parse(str(use.detail)).maneuver)
    improvised = maneuver.id not in scene[who].character.maneuvers
    step = intercept_step(maneuver)
    meant, before = _unspared(scene)
    there = exchanged(scene, who, blow.target)
    mine = turned(blow, before, aimed_at(there, blow, who).blow)
    mine = evolve_record(mine, rating=step.rating, cost_free=True, intercepted=True, defence=None)
    spared = meant - _at_best(there, mine)
    return Rating(safety=spared, cost=REACTION + STAMINA * stamina_of(maneuver, False, improvised))


@cached_on_scene
def _unspared(scene: Scene) -> tuple[int, Incoming]:
    """The harm to expect of the blow under way if no one steps in, and a plain attack like it."""
    blow = fight(scene).blow
    assert blow is not None
    return _at_best(scene, blow), aimed_at(scene, blow, blow.target).blow


def _at_best(scene: Scene, blow: Incoming) -> int:
    """The harm to expect of a blow whose target defends as is best for it, what that costs included."""
    every = [expect(scene, blow).harm]
    if can_defend(scene, blow) and why_no_reaction(scene, blow.target, free=True) is None:
        best = now(scene, blow.target).parries[:1]  # the best comes first
        ways = [(evolve_record(blow, defence="parry", with_item=item), price(blow)) for item, _ in best]
        ways += [(evolve_record(blow, defence="evade"), 1)] if scene[blow.target].status.stamina else []
        every += [expect(scene, one).harm + STAMINA * cost for one, cost in ways]
    return min(every)


def _opportunity(scene: Scene, who: str, use: ActionUse) -> Rating:
    way = Way.parse(str(use.detail))
    maneuver = scene.library.get(Maneuver, way.maneuver)
    improvised = maneuver.id not in scene[who].character.maneuvers
    found = wielded_in(scene, who, way.arm)
    step = attack_step(maneuver.steps)
    if found is None or step is None or use.target is None:
        return Rating()
    blow = aim(scene, who, *found, use.target, step=step, improvised=improvised, reaction=True).blow
    return Rating(harm=expect(scene, blow).harm, cost=STAMINA * stamina_of(maneuver, False, improvised))


value = side_value(_worth, apart=_apart, more=_under_way)
rate = rating_table(
    {
        "attack": _attack,
        "hurl": Rating(harm=-60),
        "hurling": _hurling,
        "trip": _trip,
        "maneuver": _maneuver,
        "improvising": _maneuver,
        "improvise": Rating(harm=-60),
        "move": RatingBound(_most_of_move, _move, rated_first=True),
        "step": Rating(harm=-30),
        "destination": _destination,
        "rise": RatingBound(Rating(safety=200), _rise),
        "drop_prone": Rating(safety=-300),
        "drop_down": Rating(safety=-300),
        "seek_cover": RatingBound(Rating(safety=60), _seek_cover),
        "brandish": RatingBound(Rating(harm=450), _brandish),
        "wield": _wield,
        "reload": Rating(harm=400),
        "take": Rating(harm=-15),
        "interact": Rating(harm=-15),
        "douse": Rating(safety=350),
        "use_skill": Rating(harm=-70),
        "stabilise": RatingBound(Rating(safety=700), _stabilise),
        "second_wind": _second_wind,
        "rage": RatingBound(Rating(harm=600), _rage),
        "let_go": Rating(harm=-400),
        "ready": Rating(harm=-45),
        "delay": Rating(harm=-35),
        "work_on": Rating(harm=20),
        "give_up": Rating(harm=10),
        "evade": _defence,
        "parry": _defence,
        "block": _block,
        "intercept": _intercept,
        "opportunity": _opportunity,
        "go_ahead": Rating(harm=100),
        "delay_after": Rating(),
    }
)


def _hit(scene: Scene, event: Hit) -> Attribution:
    blow = fight(scene).blow
    return Attribution(event.by, blow.weapon if blow is not None else "")


def _vigour(one: Participant) -> int:
    return int(one.status.endurance + one.status.health)


RECKONING = Vitals(
    is_standing=stands,
    dead=lambda one: one.status.dead,
    health_points=_vigour,
    left={
        "health": lambda one: one.status.health,
        "endurance": lambda one: one.status.endurance,
        "stamina": lambda one: one.status.stamina,
        "focus": lambda one: one.status.focus,
    },
    damage_events={
        Hit: _hit,
        Hurt: lambda scene, event: Attribution(None, event.by),
        HealthLost: lambda scene, event: Attribution(None, event.why),
    },
)
