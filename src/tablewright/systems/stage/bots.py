"""Ratings for bots: the value of a scene, the promise of an option, vitals.

Promises are whole numbers of a small part of a point of harm, so that they are quickly added and compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from tablewright.engine.odds import expected_value
from tablewright.game.ground.position import Position
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.loose_items import items_in_reach
from tablewright.game.play.vitals import Attribution, Vitals
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.session.ratings import BestFirst, Number, RatingBound, Score, rating_table, side_value
from tablewright.game.system.rulebook import Rating
from tablewright.systems.stage.actions.aim import Way, use_of, way_of, ways_of
from tablewright.systems.stage.actions.attack import charged_at
from tablewright.systems.stage.actions.index import ACTIONS
from tablewright.systems.stage.actions.requirements import fallen, foes
from tablewright.systems.stage.actions.turn import STANDS_BY
from tablewright.systems.stage.chapters.spells import casting_of, known_spells
from tablewright.systems.stage.character.figures import is_whole
from tablewright.systems.stage.character.record import BELT, HAND, HANDS, PACK
from tablewright.systems.stage.content import Spell, Weapon
from tablewright.systems.stage.effects import Do, deeds
from tablewright.systems.stage.events.fight import Attacked, Hurt
from tablewright.systems.stage.mechanics.attack import Target, attack
from tablewright.systems.stage.mechanics.checks import flat
from tablewright.systems.stage.mechanics.forms import Form
from tablewright.systems.stage.now import (
    UNARMED,
    ammunition_left,
    arms,
    distance,
    minds_opponents,
    most_defense_points,
    pool,
    resistance_of,
)
from tablewright.systems.stage.status import PURSES, Status, adjacent, ap_of, health, most, stands
from tablewright.systems.stage.values import ACTION_POINTS, ATTRIBUTE_OF, CORE, SURFACE

UNIT = 240_000
"""Value of one point of harm; promises are rounded to whole numbers of this."""
HURT = {"badly wounded": UNIT * 6 // 10, "wounded": UNIT * 4 // 10, "tired": UNIT * 2 // 10}
NO_NEED, HALF, QUARTER = -UNIT, UNIT // 2, UNIT // 4
NEVER, POOR, LITTLE = Rating(harm=-9 * UNIT), Rating(harm=-HALF), Rating(harm=QUARTER)
STANCE = {"standing": 0, "crouching": 3, "prone": 6}
EASIEST = 3
"""Estimated Hit Difficulty of a target that can do nothing about it."""
MOST_DRAWN = max(HURT.values())
Rate = Callable[[Scene, str, ActionUse], Rating]


# ---------------------------------------------------------------------- what a scene is worth


AP_TO_COME, AP_OF_TURN = Fraction(1, 4), Fraction(1, 32)
"""Value of an AP for reactions and the next turn, and of one that is lost at the end of this turn (stage.action.ap)."""


def _points(one: Participant) -> Fraction:
    """Surface points once, core points twice, and standing at all; a little for what is in the hands.

    The one who stands by has promised something: that weighs next to nothing, but what is free is not done for nothing.
    """
    status: Status = one.status
    if not stands(one):
        return Fraction(0)
    core = status.vitality + status.sanity + status.spirit
    surface = status.stamina + status.intellect + status.will
    ready = len([thing for thing in status.belongings if thing.place in (HAND, HANDS)])
    promised = status.held(STANDS_BY) is not None
    return 10 + surface + 2 * core + status.ap * AP_TO_COME + Fraction(ready, 8) - Fraction(promised, 16)


BOWSHOT = 5
"""Cubes that a bow and most spells reach without a penalty."""


def _gap(scene: Scene, one: Participant) -> Fraction:
    """Cost of the distance to the nearest foe; archers and casters mind only the cubes beyond a bowshot."""
    if not stands(one):
        return Fraction(0)
    near = [
        0 if adjacent(scene, one.id, foe.id) else 1 + distance(scene, one.id, foe.id) for foe in foes(scene, one.id)
    ]
    cubes = min(near, default=0)
    return Fraction(max(0, cubes - BOWSHOT) if cubes and _shoots(scene, one.id) else cubes, 4)


# ---------------------------------------------------------------------- what is at hand is worth


USUAL = 5
"""Hit Difficulty of a character of human size who defends a little."""
READY = {HAND: 0, HANDS: 0, BELT: 1, PACK: 2}
"""AP to have something in hand (stage.equipment.retrieve)."""


def _arms(scene: Scene, side: str) -> Number:
    """Value of weapons to a side, its own less those of the others: so no one throws the only one away lightly,
    and what is knocked out of a character's hand counts."""
    total: Number = 0
    for one in scene.participants:
        if stands(one) and (one.status.belongings or scene.loose_items):
            total += arms_worth(scene, one) if one.side == side else -arms_worth(scene, one)
    return total


def _besides(scene: Scene, side: str) -> Number:
    """Value of weapons, less the AP that the acting participant loses at the end of the turn."""
    total = _arms(scene, side)
    acting = scene[scene.turn] if scene.turn is not None and scene.turn in scene else None
    if acting is not None and stands(acting):
        lost = acting.status.ap * (AP_TO_COME - AP_OF_TURN)
        total -= lost if acting.side == side else -lost
    return total


def arms_worth(scene: Scene, one: Participant) -> Fraction:
    """Advantage of the best weapon over bare hands in one turn, after the AP to draw it.

    An own item in the same cube can be taken up for 1 AP. What can only be thrown, or has nothing to shoot,
    adds nothing.
    """
    lying = [each for each in items_in_reach(scene, one.id, 0) if each.owner == one.id] if scene.loose_items else []
    known = one.answers.get(arms_worth) if not lying else None
    if known is not None:
        found: Fraction = known
        return found
    mine = [
        (carried.item, READY.get(carried.place, ACTION_POINTS))
        for carried in one.status.belongings
        if is_whole(carried)
    ]
    mine += [(thing.item, 1) for thing in lying]
    bare = _strikes(scene, one, scene.library.get(Weapon, UNARMED))
    best = Fraction(0)
    for item, ap in mine:
        if scene.library.has(Weapon, item) and ap < ACTION_POINTS:
            more = _strikes(scene, one, scene.library.get(Weapon, item)) - bare
            best = max(best, more * (ACTION_POINTS - ap))
    if not lying:
        one.answers[arms_worth] = best
    return best


def _strikes(scene: Scene, one: Participant, weapon: Weapon) -> Fraction:
    """About what one attack with a weapon does that stays in the hand."""
    if ammunition_left(scene, one.id, weapon) == 0:
        return Fraction(0)
    uses = [key for key in weapon.uses if key != "athletics.throw"]
    skills = [one.character.level(key.partition(".")[0]) for key in uses]
    return max(
        [promise(max(1, level + weapon.bonus.dice), weapon.bonus.flat, USUAL) for level in skills], default=Fraction(0)
    )


value = side_value(_points, apart=_gap, more=_besides)


def supposed(scene: Scene, side: str) -> Scene:
    """The scene as a side supposes it: the others have lost as much as they look, and those who are down stay down."""
    for one in scene.participants:
        status: Status = one.status
        if one.side == side or not status.able or status.integrity is not None:
            continue
        full = most(scene, one.id)
        stamina, vitality = status.whole
        look = health(one)
        if look in WOUNDED:
            vitality = max(1, vitality * WOUNDED[look] // 4)
        scene = scene.with_status(
            one.id,
            stamina=0 if look in WOUNDED else stamina // 2 if look == "tired" else stamina,
            vitality=vitality,
            intellect=full.intellect,
            sanity=status.sanity if status.insane else full.sanity,
            will=full.will,
            spirit=full.spirit,
        )
    return scene


WOUNDED = {"wounded": 3, "badly wounded": 2}
"""Quarters of their Vitality that people have left who look so."""


# ---------------------------------------------------------------------- what an option promises


@lru_cache(maxsize=4_096)
def promise(dice: int, bonus: int, difficulty: int) -> Fraction:
    """Expected damage of an attack that no one blocks, with its best split, by the rule of attacks itself."""
    free = ((bonus,), ()) if bonus > 0 else ((), (-bonus,)) if bonus < 0 else ((), ())
    return expected_value(attack((Form("plain", dice, *free),), Target(difficulty)), "damage")


def _difficulty(scene: Scene, target: str) -> int:
    """Estimated Hit Difficulty of a target that may dodge or parry."""
    status: Status = scene[target].status
    return EASIEST + (2 if status.ap else 0) + STANCE[status.stance]


@cached_on_scene
def _look(scene: Scene, target: str) -> int:
    """Preference for a target by its look: the hurt first, those in heavy armour last."""
    armour = resistance_of(scene, target, "body") * HALF + most_defense_points(scene, target) * UNIT // 12
    return HURT.get(health(scene[target]), 0) - armour


def _mood(scene: Scene, who: str, target: str) -> int:
    """The provoked go for the one who insulted them, if they can; the intimidated keep off the bully.

    (stage.manipulation.insult, stage.intimidate.bully)
    """
    status: Status = scene[who].status
    if not status.lasting:
        return 0
    return ANGER * (_is_by(status, "provoked", target) - _is_by(status, "intimidated", target))


def _is_by(status: Status, condition: str, target: str) -> bool:
    held = status.held(condition)
    return held is not None and held.by == target


ANGER = 9 * UNIT


def _units(harm: Fraction) -> int:
    return round(harm * UNIT)


@lru_cache(maxsize=4_096)
def harm_per_ap(dice: int, bonus: int, difficulty: int, times: Fraction, ap: int) -> int:
    """Rating of an attack: a part of its expected damage for each AP, and something for attacking at all."""
    return _units(1 + times * promise(dice, bonus, difficulty) / ap)


class Kind(NamedTuple):
    """One kind of attack, as it is rated: dice added for all its AP, the AP, and the part of the damage that counts."""

    action: str
    extra: int = 0
    ap: int = 1
    bonus: bool = True
    times: Fraction = Fraction(1)
    saves: int = 0


KINDS = (
    Kind("attack"),
    Kind("power_attack", 1, 2),
    Kind("charge", 1, 2, saves=3 * QUARTER),
    Kind("snipe", 1, 2),
    Kind("non_lethal", -1, 2, bonus=False, times=Fraction(1, 2)),
)
"""Attacks in the order of their actions; a charge also saves the move."""


def _kind(kind: Kind) -> Rate:
    """Harm for each AP, the hurt first."""

    def rate(scene: Scene, who: str, use: ActionUse) -> Rating:
        way = way_of(scene, who, use)
        return POOR if way is None else _attack(scene, who, kind, way, str(use.target))

    return rate


def _attack(scene: Scene, who: str, kind: Kind, way: Way, target: str) -> Rating:
    if not stands(scene[target]):
        return POOR  # no one strikes at who lies there
    arm = way.arm
    made = pool(scene, who, arm.key, weapon=arm.weapon if kind.bonus else None, against=target)
    roll = made.dice.total + kind.extra, made.flat.total
    return _rating(kind, way, roll, _difficulty(scene, target), _look(scene, target) + _mood(scene, who, target))


def _rating(kind: Kind, way: Way, roll: tuple[int, int], difficulty: int, drawn: int) -> Rating:
    if kind.saves:
        cost = -kind.saves
    else:
        cost = HALF if way.power is not None else 0
        if way.arm.thrown and "close_combat.attack" in way.arm.weapon.uses:
            cost += UNIT  # it would be gone
    return Rating(harm_per_ap(*roll, difficulty, kind.times, kind.ap) + drawn, 0, cost)


def attacks(scene: Scene, who: str, score: Score, able: AbstractSet[str]) -> Iterator[tuple[ActionUse, Rating]]:
    """Attacks that can be paid for on those within reach, best first; the pool of a weapon is found once."""
    status: Status = scene[who].status
    near, far, charged = _in_reach(scene, who)
    each = minds_opponents(status)
    drawn = {
        one.id: (_difficulty(scene, one.id), _look(scene, one.id) + _mood(scene, who, one.id)) if stands(one) else None
        for one in (*far, *charged)
    }
    ranked: list[tuple[tuple[int | Fraction, ...], int, Kind, Way, str, str, Rating]] = []
    for place, kind in enumerate(KINDS):
        if kind.action not in able:
            continue
        for detail, way in ways_of(scene, who, kind.action):
            met = charged if kind.saves else near if way.arm.melee else far
            if not met or (status.progress is None and not _paid(scene, who, kind.action, detail)):
                continue
            roll: tuple[int, int] | None = None
            for one in met:
                seen = drawn[one.id]
                if seen is None:
                    rating = POOR
                else:
                    if roll is None or each:
                        weapon = way.arm.weapon if kind.bonus else None
                        made = pool(scene, who, way.arm.key, weapon=weapon, against=one.id)
                        roll = made.dice.total + kind.extra, made.flat.total
                    rating = _rating(kind, way, roll, *seen)
                ranked.append((score(rating), -place, kind, way, detail, one.id, rating))
    ranked.sort(key=itemgetter(0, 1), reverse=True)
    for _, _, kind, way, detail, target, rating in ranked:
        yield use_of(scene, kind.action, way, detail, target), rating


def _paid(scene: Scene, who: str, action: str, detail: str) -> bool:
    """True if a new attack can be paid for at the price of its action."""
    price = ACTIONS.by_id[action].price_of(scene, who, ActionUse(action, None, detail))
    return PURSES.short(scene, who, price) is None


@cached_on_scene
def _in_reach(scene: Scene, who: str) -> tuple[list[Participant], list[Participant], list[Participant]]:
    """Foes within reach of hands and of missiles, the fallen last, and those within reach of a charge."""
    known, down = foes(scene, who), fallen(scene, who)
    near = [one for one in known if adjacent(scene, who, one.id)]
    lying = [one for one in down if adjacent(scene, who, one.id)]
    return [*near, *lying], [*known, *down], charged_at(scene, who)


def _casting(scene: Scene, who: str, use: ActionUse) -> Rating:
    """Spells that hurt as attacks, spells that heal as what is missing, by how a character looks."""
    casting = casting_of(scene, who, use)
    if casting is None or casting.power is not None:
        return POOR
    spell: Spell = casting.spell
    status: Status = scene[who].status
    cost = QUARTER * sum(spell.cost.values())
    if _exhausts(status, spell):
        return POOR
    harm = _harm_done(spell)
    if harm is not None and use.target is not None:
        made = pool(scene, who, f"{casting.school}.cast")
        rolled = made.dice.total, made.flat.total, _difficulty(scene, use.target)
        own = None if spell.check == "leveled" else (harm.amount.dice, harm.amount.flat)
        drawn = _look(scene, use.target) + _mood(scene, who, use.target)
        return Rating(harm=_spell_harm(rolled, own, max(1, spell.ap)) + drawn, cost=cost)
    restores = any(isinstance(one, Do) and one.what == "restore" for one in spell.effects)
    if restores and use.target is not None:
        missing = {"badly wounded": 5 * HALF, "wounded": 2 * UNIT}.get(health(scene[use.target]), NO_NEED)
        if use.target == who and status.stamina > 1:
            missing = NO_NEED
        return Rating(safety=missing, cost=cost)
    return POOR


def _most_of_casting(scene: Scene, who: str) -> Rating | None:
    """At least the best rating of any spell, whatever its target: only a plain casting that can be paid is worth it."""
    character, status = scene[who].character, scene[who].status
    if not character.spells and not character.powers:
        return None
    harms, safety = [POOR.harm], 0
    most_ap = ACTION_POINTS if status.progress is not None else ap_of(scene, who)
    for spell, _ in known_spells(scene, who) if most_ap else ():
        if spell.ap > most_ap or _exhausts(status, spell):
            continue
        harm = _harm_done(spell)
        if harm is not None:
            own = None if spell.check == "leveled" else (harm.amount.dice, harm.amount.flat)
            for school in spell.schools:
                made = pool(scene, who, f"{school}.cast")
                easiest = made.dice.total, made.flat.total, EASIEST
                harms.append(_spell_harm(easiest, own, max(1, spell.ap)) + MOST_DRAWN + ANGER * bool(status.lasting))
        safety = max(safety, 5 * HALF)
    return Rating(max(harms), safety)


def _exhausts(status: Status, spell: Spell) -> bool:
    return any(status.left(ATTRIBUTE_OF[track]) <= 2 * points for track, points in spell.cost.items())


def _harm_done(spell: Spell) -> Do | None:
    return next((one for one in spell.effects if isinstance(one, Do) and one.what == "damage"), None)


@lru_cache(maxsize=4_096)
def _spell_harm(rolled: tuple[int, int, int], own: tuple[int, int] | None, ap: int) -> Number:
    """Harm for each AP of a spell: by what is left of its own roll, or by dice of its own."""
    dice, modifier, difficulty = rolled
    if own is None:
        return _units(1 + promise(dice, modifier, difficulty) / ap)
    cast = expected_value(flat(dice, difficulty, modifier))
    return _units(1 + cast * (Fraction(7 * own[0], 2) + own[1] + 1) / ap)


def _shoots(scene: Scene, who: str) -> bool:
    """True if a character can still do harm from afar: with ammunition, or a spell that can be paid."""
    for arm in arms(scene, who):
        if arm.key == "ranged_combat.attack" and ammunition_left(scene, who, arm.weapon) != 0:
            return True
    status: Status = scene[who].status
    spells = [scene.library.get(Spell, id_) for id_ in scene[who].character.spells]
    return any(spell.cubes and deeds(spell.effects, "damage") and not _exhausts(status, spell) for spell in spells)


@cached_on_scene
def _stays(scene: Scene, who: str) -> bool:
    """True if a character has no need to go anywhere: no one to go to, a character at hand, or something to shoot with.

    Who is provoked has to go to the one who did that.
    """
    near = foes(scene, who)
    angry = scene[who].status.held("provoked")
    near = [foe for foe in near if angry is not None and foe.id == angry.by] or near
    return not near or any(adjacent(scene, who, foe.id) for foe in near) or _shoots(scene, who)


@cached_on_scene
def _nearest(scene: Scene, who: str, at: Position) -> int | Fraction:
    """Distance of the nearest foe from a position."""
    known = [foe.position for foe in foes(scene, who) if foe.position is not None]
    return min([scene.ground.distance(at, there) for there in known], default=0)


def _moving(scene: Scene, who: str, use: ActionUse) -> Rating:
    """Towards foes for those who fight hand to hand; others stay."""
    if _stays(scene, who):
        return POOR
    if use.target is not None:
        foe = scene[use.target].side != scene[who].side
        drawn = _look(scene, use.target) + _mood(scene, who, use.target)
        return Rating(harm=3 * HALF + drawn) if foe else POOR
    if use.detail == "away":
        return POOR
    here, there = scene[who].position, scene.ground.parse(str(use.detail))
    if here is None:
        return POOR
    then = _nearest(scene, who, there)
    return Rating(harm=UNIT, cost=_units(Fraction(then, 100))) if then < _nearest(scene, who, here) else POOR


def _most_of_moving(scene: Scene, who: str) -> Rating:
    return POOR if _stays(scene, who) else Rating(harm=3 * HALF + MOST_DRAWN + ANGER)


def _drawing(scene: Scene, who: str, use: ActionUse) -> Rating:
    """A weapon for those who have none."""
    if not scene.library.has("weapons", str(use.detail)):
        return POOR
    armed = any(arm.carried is not None or not arm.weapon.id.startswith("unarmed") for arm in arms(scene, who))
    return POOR if armed else Rating(harm=UNIT)


def _getting_up(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(safety=2 * UNIT if scene[who].status.stance == "prone" else UNIT // 10)


def _caring(scene: Scene, who: str, use: ActionUse) -> Rating:
    if not scene[who].character.level("medicine"):
        return POOR
    quiet = not any(adjacent(scene, who, foe.id) for foe in foes(scene, who))
    return Rating(safety=HALF if quiet else -UNIT)


def _bluffing(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(harm=UNIT // 8) if scene[who].character.level("guile") else POOR


def _handling(scene: Scene, who: str, use: ActionUse) -> Rating:
    """Special attacks are now and then worth it, but not on who is feared."""
    return Rating(harm=QUARTER + min(0, _mood(scene, who, str(use.target))))


POWER = Rating(harm=QUARTER, cost=HALF)
"""Powers for oneself and one's own are now and then worth it; they cost."""

rate = rating_table(
    {
        **{kind.action: _kind(kind) for kind in KINDS},
        "grapple": RatingBound(LITTLE, _handling),
        "disarm": RatingBound(LITTLE, _handling),
        "trip": RatingBound(LITTLE, _handling),
        "push": POOR,
        "cast": RatingBound(_most_of_casting, _casting, rated_first=True),
        "concentrate": Rating(safety=HALF),
        "power": POWER,
        "activate": POWER,
        "move": RatingBound(_most_of_moving, _moving, rated_first=True),
        "draw": RatingBound(Rating(harm=UNIT), _drawing),
        "store": POOR,
        "drop": POOR,
        "take_up": RatingBound(Rating(harm=UNIT), _drawing),
        "get_up": RatingBound(Rating(safety=2 * UNIT), _getting_up),
        "crouch": POOR,
        "lie_down": POOR,
        "tumble": POOR,
        "hurry": POOR,
        "pursue": POOR,
        "prepare": POOR,
        "begin": POOR,
        "bluff": RatingBound(Rating(harm=UNIT // 8), _bluffing),
        "distract": POOR,
        "insult": POOR,
        "bully": POOR,
        "detect": POOR,
        "hide": POOR,
        "mount": POOR,
        "dismount": POOR,
        "control": POOR,
        "spur": Rating(harm=UNIT),
        "stand_by": POOR,
        "assist": POOR,
        "first_aid": RatingBound(Rating(safety=HALF), _caring),
        "treat": RatingBound(Rating(safety=HALF), _caring),
        "reanimate": RatingBound(Rating(safety=HALF), _caring),
        "yield": NEVER,
        "flee": NEVER,
        "step": POOR,
        "retreat": POOR,
        "strike_back": Rating(harm=UNIT),
    },
    BestFirst(frozenset([kind.action for kind in KINDS]), attacks),
)


TRACKS = (*SURFACE.values(), *CORE.values())


def _vigour(one: Participant) -> int:
    status = one.status
    left = status.stamina + status.vitality + status.intellect + status.sanity + status.will + status.spirit
    return int(left + sum(status.temporary.values()))


def _attacked(scene: Scene, event: Attacked) -> Attribution:
    """Points that are spent on an attack or a defence are credited to no one."""
    paid: Counter[str] = Counter()
    for who, price in ((event.who, event.paid), (event.by, event.spent), (event.ally, event.lent)):
        paid[who] += sum([amount for purse, amount in price.amounts if purse in TRACKS])
    return Attribution(event.by, event.weapon or event.what, paid)


def _left(track: str) -> Callable[[Participant], int]:
    return lambda one: int(getattr(one.status, track))


RECKONING = Vitals(
    is_standing=stands,
    dead=lambda one: one.status.dead,
    health_points=_vigour,
    left={track: _left(track) for track in TRACKS},
    whole=lambda scene, one: {track: getattr(most(scene, one.id), track) for track in TRACKS},
    damage_events={
        Attacked: _attacked,
        Hurt: lambda scene, event: Attribution(None, event.source),
    },
)
