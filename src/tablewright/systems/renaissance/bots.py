"""Ratings for bots: the value of a scene, the promise of an option, vitals.

One point of damage counts 10. A bot knows of its foes what anyone can see: how they look, not their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any

from tablewright.game.ground.position import Position
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.vitals import Attribution, Vitals
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.session.ratings import (
    BestFirst,
    RatingBound,
    Score,
    by_look,
    distance_to_nearest_enemy,
    expected,
    rating_table,
    side_value,
)
from tablewright.game.system.rulebook import Rating
from tablewright.systems.renaissance.actions.aim import aim_as_seen, can_attack, metres
from tablewright.systems.renaissance.actions.attack import PLAINLY, attack_on, promise, reached, swept, volley_of
from tablewright.systems.renaissance.actions.maneuvers import is_defenceless, own_goal, their_goal
from tablewright.systems.renaissance.actions.move import far_foes
from tablewright.systems.renaissance.actions.requirements import targets
from tablewright.systems.renaissance.chapters.ailments import own_fire
from tablewright.systems.renaissance.character.gear import GROUND, items
from tablewright.systems.renaissance.content import CombatManeuver, Power, Weapon
from tablewright.systems.renaissance.effects import HeldWeapon, Sweep, Weaving
from tablewright.systems.renaissance.events.fight import Attacked, Hurt
from tablewright.systems.renaissance.mechanics.checks import opposed
from tablewright.systems.renaissance.now import Arm, in_reach, now
from tablewright.systems.renaissance.status import BURNING, GRABBED, PRONE, STUNNED, Status, is_made_of_magic, stands
from tablewright.systems.renaissance.values import limited

POINT, LUCK, WOUND, DOWN, PENDING = 10, 60, 40, 250, 60
"""Worth of a point of damage, a point of Luck, a wound, a standing participant and an attack still to be made."""

MOST_BONUS = 10  # DV for a margin of success above 60: renaissance.attack.mos_bonus

LASTING_WORTH = {
    PRONE: -30,
    STUNNED: -60,
    BURNING: -60,
    GRABBED: -50,
    "guarded": 12,
    "weaving": 20,
    "feinted": -30,
    "cowed": -12,
}
LOOKS = {"unhurt": 0, "hurt": 15, "bloodied": 40}


def health(participant: Participant) -> str:
    """Visible health of a participant (renaissance.combat.bloodied)."""
    status: Status = participant.status
    if status.dead:
        return "dead"
    if status.insane:
        return "insane"
    if status.damage >= status.durability:
        return "disabled"
    if status.overwhelmed:
        return "overwhelmed"
    if is_bloodied(status.damage, status.durability):
        return "bloodied"
    return "hurt" if status.damage else "unhurt"


def is_bloodied(damage: int, durability: int) -> bool:
    """True if damage exceeds half of Durability; exactly half does not.

    >>> is_bloodied(12, 25), is_bloodied(13, 25)
    (False, True)
    """
    return 2 * damage > durability


# ---------------------------------------------------------------------- what a scene is worth


def _worth(one: Participant) -> int:
    status: Status = one.status
    if status.dead:
        return -DOWN // 2
    total = POINT * max(0, status.durability - status.damage) - WOUND * status.wounds + LUCK * status.luck
    total += (DOWN if stands(one) else 0) + PENDING * len(status.turn.volley)
    for held in status.lasting:
        total += LASTING_WORTH.get(held.id, 0)
    return total


def _apart(scene: Scene, one: Participant) -> int:
    """Cost of the distance to the nearest foe, for those who fight hand to hand."""
    return 4 * distance_to_nearest_enemy(scene, one.id, stands) if stands(one) and not _shoots(scene, one.id) else 0


def _shoots(scene: Scene, who: str) -> bool:
    return any(arm.ranged for arm in now(scene, who).arms)


value = side_value(_worth, apart=_apart)


def supposed(scene: Scene, side: str) -> Scene:
    """The scene as a side supposes it to be when it weighs what to do: others are hurt as they look.

    No one is supposed to have Luck, friends neither: the turn that a point may give a roll is left aside.
    """
    for one in scene.participants:
        status: Status = one.status
        changes: dict[str, int] = {"luck": 0} if status.luck else {}
        if one.side != side:
            share = SUPPOSED.get(health(one))
            if share is not None and status.damage != status.durability * share // 4:
                changes["damage"] = status.durability * share // 4
            if status.stress:
                changes["stress"] = 0
        if changes:
            scene = scene.with_status(one.id, **changes)
    return scene


SUPPOSED = {"unhurt": 0, "hurt": 1, "bloodied": 3}
"""Quarters of Durability that are assumed lost, by visible health."""

FALLEN = Rating(harm=-1_000)
"""Rating of an attack on a participant who is out of the fight."""

_look = by_look(health, LOOKS, -10_000)


# ---------------------------------------------------------------------- what an option promises


def harm_of(scene: Scene, who: str, target: str, arm: Arm, less: int = 0) -> int:
    """Expected worth of an attack by what the attacker knows, without strikes and Luck."""
    return promise(aim_as_seen(scene, who, target, arm, PLAINLY, less=less))


def _attack(scene: Scene, who: str, use: ActionUse) -> Rating:
    target = str(use.target)
    arm = now(scene, who).arm(str(use.detail))
    return FALLEN if arm is None else _attack_with(scene, who, target, arm)


def _attack_with(scene: Scene, who: str, target: str, arm: Arm) -> Rating:
    seen = _look(scene, target)
    if seen < 0 or not stands(scene[target]):
        return FALLEN
    if arm.weapon.has("blast") or arm.weapon.has("splash"):
        return Rating(harm=_scorched(scene, who, scene[target].position, arm, target))
    return Rating(harm_of(scene, who, target, arm) + seen)


def attacks(scene: Scene, who: str, score: Score, able: AbstractSet[str]) -> Iterator[tuple[ActionUse, Rating]]:
    """Attacks that reach their targets, best first; only what is taken is put in words."""
    rated = [(foe.id, arm, _attack_with(scene, who, foe.id, arm)) for foe, arm in reached(scene, who) if able]
    for foe, arm, rating in sorted(rated, key=lambda one: score(one[2]), reverse=True):
        yield attack_on(scene, foe, arm), rating


def _scorched(scene: Scene, who: str, centre: Position | None, arm: Arm, target: str = "") -> int:
    """Harm of an average blast to foes, less that to friends, which counts three times; its maker is spared.

    A blast that could bring down a friend is left alone, however many foes are in it.
    """
    if arm.weapon.area is not None:
        average, less, most = 8, 0, 0
    else:
        average, less, most = arm.dv.dice * 11 // 2 + arm.dv.plus, 2, arm.dv.dice * 10 + arm.dv.plus + MOST_BONUS
    harm = 0
    for one in scene.present:
        if one.status.dead or (one.id == who and is_made_of_magic(arm.weapon.id, scene.library)):
            continue
        if not stands(one) and one.side != scene[who].side:
            continue
        if centre is None or one.position is None:
            reach = average if one.id == target else 0
        else:
            apart = int(scene.ground.distance(centre, one.position))
            if one.side == scene[who].side and _could_fall(scene, one, most - 2 * apart, arm.ap):
                return -1_000
            reach = average - less * apart if apart * 2 <= average else 0
        if reach > 0 and stands(one):
            harm += -24 * reach if one.side == scene[who].side else 0 if one.hidden else 8 * reach
    return harm


def _could_fall(scene: Scene, one: Participant, damage: int, ap: int) -> bool:
    """True if so much damage would bring down a friend who stands, or kill one who is down."""
    numbers, status = now(scene, one.id).numbers, one.status
    least = status.durability if stands(one) else numbers.DR
    taken = damage - max(0, numbers.armor - ap)
    return bool(taken > 0 and status.damage + taken >= least)


def _volley(scene: Scene, who: str, use: ActionUse) -> Rating:
    if use.target is None:
        return Rating(harm=2)
    seen = _look(scene, use.target)
    if seen < 0 or not stands(scene[use.target]):
        return FALLEN
    me = now(scene, who)
    total = 0
    for key in volley_of(scene, who, use.target):
        arm = me.arm(key)
        if arm is not None:
            total += harm_of(scene, who, use.target, arm, 10)
    return Rating(harm=total + seen)


@cached_on_scene
def _some_in_range(scene: Scene, who: str) -> bool:
    """True if any foe can be attacked from here."""
    return any(can_attack(scene, who, foe.id) for foe in targets(scene, who))


def _approach(scene: Scene, who: str, use: ActionUse) -> Rating:
    """Going towards the nearest foe, where no one can be attacked from here."""
    foes = far_foes(scene, who)
    if not foes:
        return Rating(harm=-30)
    if _some_in_range(scene, who):
        return Rating(harm=-20)
    if scene[who].status.turn.moved or scene[who].status.spent.get("standard", 0):
        return Rating(harm=5)
    near = metres(scene, who, foes[0].id)
    base = {"move": 40, "move_quickly": 30, "charge": 45, "crawl": 3}[use.action]
    numbers = now(scene, who).numbers
    reach = max(1, now(scene, who).reach)
    rate = numbers.base if use.action in ("move", "crawl") else numbers.full
    arrives = near - reach <= rate
    if use.action == "move" and not arrives:
        return Rating(harm=20 - min(15, near // 4))
    if use.action == "move_quickly" and arrives:
        base = 33
    if use.action == "charge" and not (arrives and near - reach >= 2 * numbers.base):
        base = 28
    if not arrives and use.action == "charge":
        base = 10
    return Rating(harm=base - min(20, near // 2))


def _most_of_approach(scene: Scene, who: str) -> Rating | None:
    if scene[who].status.turn.moved:
        return None
    return Rating(harm=-20 if _some_in_range(scene, who) else 45)


def _toward(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(harm=_look(scene, str(use.target)) // 5 - metres(scene, who, str(use.target)))


def _raise(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(safety={"DUR": 12, "SOM": 10}.get(str(use.detail), 0))


def _rival(scene: Scene, who: str, use: ActionUse) -> Rating:
    near = in_reach(scene, who, str(use.target), 2)
    return Rating(harm=(10 if near else 0) - metres(scene, who, str(use.target)))


def _name_rival(scene: Scene, who: str, use: ActionUse) -> Rating:
    """A rival is worth something where few others are near: against all of them it hampers, in defence too."""
    others = sum([1 for foe in targets(scene, who) if in_reach(scene, who, foe.id, 2)]) - 1
    return Rating(harm=12 - 10 * max(0, others))


def _destination(scene: Scene, who: str, use: ActionUse) -> Rating:
    if use.detail == "here":
        return Rating(harm=-100)
    return Rating(harm=-1 - distance_to_nearest_enemy(scene, who, stands, scene.ground.parse(str(use.detail))))


def _full_defense(scene: Scene, who: str, use: ActionUse) -> Rating:
    close = sum([1 for foe in targets(scene, who) if in_reach(scene, who, foe.id, 2)])
    return Rating(safety=8 * close)


def _brace(scene: Scene, who: str, use: ActionUse) -> Rating:
    far = [metres(scene, who, foe.id) for foe in targets(scene, who)]
    return Rating(harm=25 if far and 4 <= min(far) <= 14 and not _some_in_range(scene, who) else -5)


def _maneuver(scene: Scene, who: str, use: ActionUse) -> Rating:
    """Rating of a maneuver: its chance, times the worth of a foe on the ground, held or disarmed."""
    entry = scene.library.get(CombatManeuver, str(use.detail).partition("/")[0])
    target = str(use.target)
    if _look(scene, target) < 0:
        return Rating(harm=-1)
    foe: Status = scene[target].status
    worth_it = {"disarmed": 60, "feinted": 25, "grabbed": 45, "prone": 30}[entry.result]
    if entry.result == "feinted" and (foe.has("feinted") or not _feints(scene, who, target)):
        return Rating(harm=-1)
    if entry.result == "grabbed" and not scene[who].character.is_creature:
        worth_it = 10
    mine = own_goal(scene, who, target, entry).total
    if is_defenceless(scene, who, target, entry):
        won = 10 * (limited(mine) + 1)
    else:
        won = _chance(mine, their_goal(scene, target, who, entry).total)
    return Rating(harm=worth_it * won // 1_000)


def _feints(scene: Scene, who: str, target: str) -> bool:
    """True if a feint is followed by an attack: a standard action is left, and the foe is in reach."""
    status: Status = scene[who].status
    if status.spent.get("standard", 0) or status.spent.get("quick", 0):
        return False
    return in_reach(scene, who, target, max(1, now(scene, who).reach))


@lru_cache(maxsize=16_384)
def _chance(mine: int, theirs: int) -> int:
    """Wins of a contest out of a thousand."""
    return int(expected(opposed(limited(mine), limited(theirs)), "win") * 1_000)


def _draw(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(harm=-10 if now(scene, who).numbers.worn.weapons or scene[who].character.is_creature else 45)


def _pick_up(scene: Scene, who: str, use: ActionUse) -> Rating:
    found = items(scene.library).get(str(use.detail))
    if not isinstance(found, Weapon) or found.used_up:
        return Rating(harm=-12)
    return Rating(harm=-12 if now(scene, who).armed else 40)


def _drink(scene: Scene, who: str, use: ActionUse) -> Rating:
    status: Status = scene[who].status
    useful = use.detail == "monster" or (use.detail == "numbing" and now(scene, who).wounds_felt > 0)
    return Rating(safety=15 if useful and not status.has("chemical") else -15)


def _coat(scene: Scene, who: str, use: ActionUse) -> Rating:
    coated = dict(scene[who].status.coated)
    weapon = str(use.detail).partition("/")[2]
    return Rating(harm=30 if weapon not in coated and not _some_in_range(scene, who) else -5)


def _power(scene: Scene, who: str, use: ActionUse) -> Rating:
    """Fire for those who have nothing better in hand; weaving for those who are beset."""
    power = scene.library.get(Power, str(use.detail))
    for effect in power.effects:
        if isinstance(effect, HeldWeapon):
            return Rating(harm=35 if not now(scene, who).numbers.worn.weapons else -5)
        if isinstance(effect, Sweep):
            arm, foes = swept(scene, who, effect.targets)
            return Rating(harm=sum([harm_of(scene, who, foe, arm) for foe in foes]) if arm is not None else -20)
        if isinstance(effect, Weaving):
            close = sum([1 for foe in targets(scene, who) if in_reach(scene, who, foe.id, 2)])
            return Rating(safety=14 * close - 10)
    return Rating(harm=-20)


def _sustain(scene: Scene, who: str, use: ActionUse) -> Rating:
    """One thing is worth sustaining before the blows fall: what heals or protects."""
    status: Status = scene[who].status
    if status.sustained:
        return Rating(safety=-10)
    word = str(use.detail)
    good = word in ("stone_skin", "fortify") or (word == "heal" and status.damage > 4)
    return Rating(safety=12 if good else -8)


def _explode(scene: Scene, who: str, use: ActionUse) -> Rating:
    item = str(use.detail).removesuffix(GROUND)
    lies = own_fire(scene, who, item) if str(use.detail).endswith(GROUND) else None
    centre = scene[who].position if lies is None else lies.position
    return Rating(harm=_scorched(scene, who, centre, now(scene, who).magic_arm(item)) - 20)


PROMISES: dict[str, Any] = {
    "attack": _attack,
    "next_attack": _attack,
    "attack_with_all": _volley,
    "move": RatingBound(_most_of_approach, _approach),
    "move_quickly": RatingBound(_most_of_approach, _approach),
    "charge": RatingBound(_most_of_approach, _approach),
    "crawl": RatingBound(Rating(harm=5), _approach),
    "toward": _toward,
    "elsewhere": Rating(harm=-1_000),
    "destination": _destination,
    "raise": _raise,
    "rival": _rival,
    "stunt": Rating(harm=-25),
    "stand": Rating(safety=35),
    "drop_prone": Rating(safety=-60),
    "touch": Rating(harm=-30),
    "indicate": Rating(harm=-30),
    "full_defense": RatingBound(lambda scene, who: Rating(safety=8 * len(targets(scene, who))), _full_defense),
    "brace": RatingBound(Rating(harm=25), _brace),
    "meet_charge": Rating(harm=60),
    "let_pass": Rating(),
    "maneuver": RatingBound(Rating(harm=60), _maneuver),
    "escape": Rating(safety=50),
    "let_go": Rating(harm=-40),
    "rake": Rating(harm=150),
    "draw": RatingBound(Rating(harm=45), _draw),
    "stow": Rating(harm=-30),
    "drop_item": Rating(harm=-50),
    "pick_up": RatingBound(Rating(harm=40), _pick_up),
    "drink": RatingBound(Rating(safety=15), _drink),
    "coat": RatingBound(Rating(harm=30), _coat),
    "continue_task": Rating(safety=20),
    "put_out": Rating(safety=60),
    "shake_off": Rating(safety=35),
    "warn": Rating(safety=60),
    "assist": Rating(harm=8),
    "name_rival": RatingBound(Rating(harm=12), _name_rival),
    "intimidate": Rating(harm=20),
    "change_shape": Rating(harm=-10),
    "use_power": _power,
    "sustain": RatingBound(Rating(safety=12), _sustain),
    "stop_sustaining": Rating(safety=-40),
    "improve_power": Rating(safety=6),
    "explode": _explode,
}
rate = rating_table(PROMISES, BestFirst(frozenset(["attack"]), attacks))


RECKONING = Vitals(
    is_standing=stands,
    dead=lambda one: one.status.dead,
    health_points=lambda one: -one.status.damage,
    left={
        "durability": lambda one: one.status.durability - one.status.damage,
        "luck": lambda one: one.status.luck,
    },
    whole=lambda scene, one: {"durability": one.status.durability, "luck": now(scene, one.id).numbers.luck},
    damage_events={
        Attacked: lambda scene, event: Attribution(event.by, event.weapon),
        Hurt: lambda scene, event: Attribution(event.doer, event.by),
    },
)
