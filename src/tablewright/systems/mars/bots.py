"""Ratings for bots: the value of a scene, the promise of an option, vitals.

One point of damage counts 100. A bot knows of its foes what anyone can see: how they look, not their numbers.
"""

from __future__ import annotations

from tablewright.game.play.actions import ActionUse
from tablewright.game.play.loose_items import items_in_reach
from tablewright.game.play.targeting import distance
from tablewright.game.play.vitals import Attribution, Vitals
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.evolve import evolver
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.session.ratings import (
    BestFirst,
    RatingBound,
    distance_to_nearest_enemy,
    rating_table,
    side_value,
)
from tablewright.game.system.rulebook import Rating
from tablewright.systems.mars.actions.aim import TRIP, aim, landed_call, turned
from tablewright.systems.mars.actions.attack import (
    reaches,
    why_not_usable,
    wielded_in,
)
from tablewright.systems.mars.actions.defences import can_defend, price
from tablewright.systems.mars.actions.hands import Grip, grip_worth, unarmed
from tablewright.systems.mars.actions.maneuver_uses import (
    Way,
    attack_step,
    intercept_step,
    stamina_of,
)
from tablewright.systems.mars.actions.requirements import why_no_reaction
from tablewright.systems.mars.chapters.talents import rage_of
from tablewright.systems.mars.character.figures import figures
from tablewright.systems.mars.character.gear import item
from tablewright.systems.mars.character.record import counting
from tablewright.systems.mars.content import (
    Maneuver,
    Weapon,
)
from tablewright.systems.mars.events.attack import Hit, exchanged
from tablewright.systems.mars.events.harm import HealthLost, Hurt
from tablewright.systems.mars.expectations import POINT, expect, like, mean, remembered
from tablewright.systems.mars.now import now
from tablewright.systems.mars.prospects import (
    EFFECT_WORTH,
    NOTHING_GAINED,
    PLACES,
    RATING_WORTH,
    STAMINA,
    best_blows,
    close_foes,
    given_away,
    health,
    look,
    plainly,
    rate_attack,
    rate_maneuver,
    second_attack,
)
from tablewright.systems.mars.status import Incoming, Status, fight, stands

FOCUS, SHIELD, REACTION = 30, 30, 100
DOWN = 1_000
"""Value of a participant who still stands."""

UNBOUNDED = 1_000_000
"""More than any blow promises."""

DISARMED = 1_500
"""Cost of fighting with bare hands: more than the damage of a thrown weapon."""


def supposed(scene: Scene, side: str) -> Scene:
    """The others as they appear: the hurt with half of their endurance, the badly hurt with none."""
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


def _hurling(scene: Scene, who: str, use: ActionUse) -> Rating:
    thrown = now(scene, who).weapon(str(use.detail))
    if thrown is None or look(scene, str(use.target)) < 0:
        return NOTHING_GAINED
    promise = plainly(scene, who, thrown, "thrown", str(use.target))
    return Rating(harm=promise.harm, cost=given_away(scene, who, thrown, str(use.target)))


def _most_of_trip(scene: Scene, who: str) -> Rating | None:
    able = any(one.weapon.features.trip for one in now(scene, who).wielded)
    return Rating(harm=UNBOUNDED, cost=STAMINA) if able else None


def _trip(scene: Scene, who: str, use: ActionUse) -> Rating:
    found = wielded_in(scene, who, use.detail)
    if found is None or look(scene, str(use.target)) < 0 or scene[str(use.target)].status.has("prone"):
        return NOTHING_GAINED
    blow = aim(scene, who, *found, str(use.target), step=TRIP, resist="agility", halvings=1).blow
    promise = expect(scene, blow)
    return Rating(harm=promise.harm + 250 * promise.effect // 1_000, cost=STAMINA + second_attack(promise.harm))


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
    return Rating(safety=200 if close_foes(scene, who) or not can_attack(scene, who) else 20)


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


def _breath(scene: Scene, who: str) -> Rating:
    status: Status = scene[who].status
    gained = min((status.most.endurance + 1) // 2, status.most.endurance - status.endurance)
    return Rating(safety=POINT * gained if 2 * gained >= status.most.endurance else -1)


def _rage(scene: Scene, who: str, use: ActionUse) -> Rating:
    found = rage_of(scene, who)
    return Rating(harm=600 if found is not None and close_foes(scene, who) and can_attack(scene, who) else -10)


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
    how = _defended(blow, "parry", item) if item else _defended(blow, "evade", blow.with_item)
    return _meant(scene) - expect(scene, how).harm


_defended = evolver(Incoming, "defence", "with_item")


@cached_on_scene
def _meant(scene: Scene) -> int:
    """The harm to expect of the blow under way as it is."""
    blow = fight(scene).blow
    assert blow is not None
    return expect(scene, blow).harm


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
    mine = turned(blow, before, like(there, blow, who))
    mine = _stepped_in(mine, who, step.rating, True, True, None)
    spared = meant - _at_best(there, mine)
    return Rating(safety=spared, cost=REACTION + STAMINA * stamina_of(maneuver, False, improvised))


_stepped_in = evolver(Incoming, "target", "rating", "cost_free", "intercepted", "defence")


@cached_on_scene
def _unspared(scene: Scene) -> tuple[int, Incoming]:
    """The harm to expect of the blow under way if no one steps in, and a plain attack like it."""
    blow = fight(scene).blow
    assert blow is not None
    return _at_best(scene, blow), like(scene, blow, blow.target)


def _at_best(scene: Scene, blow: Incoming) -> int:
    """Expected harm of a blow against the best defence, including the cost of that defence."""
    able = can_defend(scene, blow) and why_no_reaction(scene, blow.target, free=True) is None
    parried, evading = price(blow), scene[blow.target].status.stamina > 0

    def work_out() -> int:
        every = [expect(scene, blow).harm]
        if able:
            best = now(scene, blow.target).parries[:1]  # the best comes first
            ways = [(_defended(blow, "parry", item), parried) for item, _ in best]
            ways += [(_defended(blow, "evade", blow.with_item), 1)] if evading else []
            every += [expect(scene, one).harm + STAMINA * cost for one, cost in ways]
        return min(every)

    return remembered(scene, blow, (able, parried, evading), work_out)


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
        "attack": rate_attack,
        "hurl": Rating(harm=-60),
        "hurling": _hurling,
        "trip": RatingBound(_most_of_trip, _trip),
        "maneuver": rate_maneuver,
        "improvising": rate_maneuver,
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
        "second_wind": RatingBound(_breath, lambda scene, who, use: _breath(scene, who)),
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
    },
    BestFirst(frozenset(PLACES), best_blows, all_legal=True),
)


def _hit(scene: Scene, event: Hit) -> Attribution:
    blow = fight(scene).blow
    return Attribution(event.by, blow.weapon if blow is not None else "")


def _vigour(one: Participant) -> int:
    return int(one.status.endurance + one.status.health)


def _whole(scene: Scene, one: Participant) -> dict[str, int]:
    most = figures(one.character, scene.library)
    return {"health": most.health, "endurance": most.endurance, "stamina": most.stamina, "focus": most.focus}


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
    whole=_whole,
    damage_events={
        Hit: _hit,
        Hurt: lambda scene, event: Attribution(None, event.by),
        HealthLost: lambda scene, event: Attribution(None, event.why),
    },
)
