"""What bots go by: what somebody is worth, and what each action promises, from what a character could see."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from tablewright.game.actions import Use
from tablewright.game.bots import rated, worth
from tablewright.game.rulebook import Rating
from tablewright.game.scene import Participant, Scene
from tablewright.systems.stage.actions.aiming import way_of
from tablewright.systems.stage.actions.common import foes
from tablewright.systems.stage.actions.magic import casting_of
from tablewright.systems.stage.content import Spell
from tablewright.systems.stage.harm import health
from tablewright.systems.stage.now import ammunition_left, arms, distance, pool
from tablewright.systems.stage.powers import Do
from tablewright.systems.stage.status import Status, adjacent, stands
from tablewright.systems.stage.values import ATTRIBUTE_OF

HURT = {"badly wounded": 6, "wounded": 4, "tired": 2}
NO_NEED = Fraction(-1)
NEVER, POOR = Rating(harm=-9), Rating(harm=Fraction(-1, 2))
STANCE = {"standing": 0, "crouching": 3, "prone": 6}
Rate = Callable[[Scene, str, Use], Rating]


# ---------------------------------------------------------------------- what a scene is worth


def _points(one: Participant) -> Fraction:
    """Surface points once, core points twice, and standing at all."""
    status: Status = one.status
    if not stands(one):
        return Fraction(0)
    core = status.vitality + status.sanity + status.spirit
    surface = status.stamina + status.intellect + status.will
    return Fraction(10 + surface + 2 * core) + Fraction(status.ap, 4)


def _gap(scene: Scene, one: Participant) -> Fraction:
    if not stands(one):
        return Fraction(0)
    near = [
        0 if adjacent(scene, one.id, foe.id) else 1 + distance(scene, one.id, foe.id) for foe in foes(scene, one.id)
    ]
    return Fraction(min(near, default=0), 4)


value = worth(_points, apart=_gap)


# ---------------------------------------------------------------------- what an option promises


@lru_cache(maxsize=4_096)
def promise(dice: int, bonus: int, difficulty: int) -> Fraction:
    """About what an attack does, by its best split: the chance to reach the Difficulty times the dice that are left."""
    best = Fraction(0)
    for first in range(1, max(1, dice) + 1):
        reach = Fraction(7 * first, 2) + bonus
        chance = min(Fraction(1), max(Fraction(0), Fraction(1, 2) + (reach - difficulty) / (2 * first + 2)))
        best = max(best, chance * (Fraction(7 * (dice - first), 2) if dice > first else 1))
    return best


def _difficulty(scene: Scene, target: str) -> int:
    """What somebody is hit at who may dodge or parry, as far as one can see."""
    status: Status = scene[target].status
    return 3 + (2 if status.ap else 0) + STANCE[status.stance]


def _look(scene: Scene, target: str) -> Fraction:
    return Fraction(HURT.get(health(scene[target]), 0), 10)


def _attacking(extra: int, ap: int, *, bonus: bool = True, times: Fraction = Fraction(1)) -> Rate:
    """Harm for each AP, the hurt first; what adds dice adds them for all its AP."""

    def rate(scene: Scene, who: str, use: Use) -> Rating:
        way = way_of(scene, who, use)
        if way is None:
            return POOR
        made = pool(scene, who, way.arm.key, weapon=way.arm.weapon if bonus else None, against=str(use.target))
        harm = promise(made.dice.total + extra, made.flat.total, _difficulty(scene, str(use.target)))
        cost = Fraction(1, 2) if way.power is not None else Fraction(0)
        if way.arm.thrown and "close_combat.attack" in way.arm.weapon.uses:
            cost += 1  # it would be gone
        return Rating(harm=1 + times * harm / ap + _look(scene, str(use.target)), cost=cost)

    return rate


def _charging(scene: Scene, who: str, use: Use) -> Rating:
    """As good as a power attack, and it saves the move."""
    return _attacking(1, 2)(scene, who, use)._replace(cost=Fraction(-3, 4))


def _casting(scene: Scene, who: str, use: Use) -> Rating:
    """Spells that hurt as attacks, spells that heal as what is missing, by how somebody looks."""
    casting = casting_of(scene, who, use)
    if casting is None or casting.power is not None:
        return POOR
    spell: Spell = casting.spell
    status: Status = scene[who].status
    cost = Fraction(sum(spell.cost.values()), 4)
    if any(status.left(ATTRIBUTE_OF[track]) <= 2 * points for track, points in spell.cost.items()):
        return POOR
    made = pool(scene, who, f"{casting.school}.cast")
    harm = next((one for one in spell.effects if isinstance(one, Do) and one.what == "damage"), None)
    if harm is not None and use.target is not None:
        if spell.check == "leveled":
            done = promise(made.dice.total, made.flat.total, _difficulty(scene, use.target))
        else:
            reach = Fraction(7 * made.dice.total, 2) + made.flat.total
            chance = min(Fraction(1), max(Fraction(0), Fraction(1, 2) + (reach - _difficulty(scene, use.target)) / 6))
            done = chance * (Fraction(7 * harm.amount.dice, 2) + harm.amount.flat + 1)
        return Rating(harm=1 + done / max(1, spell.ap) + _look(scene, use.target), cost=cost)
    restores = any(isinstance(one, Do) and one.what == "restore" for one in spell.effects)
    if restores and use.target is not None:
        missing = {"badly wounded": Fraction(5, 2), "wounded": Fraction(2)}.get(health(scene[use.target]), NO_NEED)
        if use.target == who and status.stamina > 1:
            missing = NO_NEED
        return Rating(safety=missing, cost=cost)
    return POOR


def _shoots(scene: Scene, who: str) -> bool:
    """Whether somebody can still do harm from afar: with ammunition, or a spell that can be paid."""
    for arm in arms(scene, who):
        if arm.key == "ranged_combat.attack" and ammunition_left(scene, who, arm.weapon) != 0:
            return True
    status: Status = scene[who].status
    for id_ in scene[who].character.spells:
        spell = scene.library.get(Spell, id_)
        hurts = spell.cubes and any(isinstance(one, Do) and one.what == "damage" for one in spell.effects)
        if hurts and all(status.left(ATTRIBUTE_OF[track]) > 2 * points for track, points in spell.cost.items()):
            return True
    return False


def _moving(scene: Scene, who: str, use: Use) -> Rating:
    """Towards foes for those who fight hand to hand; others stay."""
    near = foes(scene, who)
    if not near or any(adjacent(scene, who, foe.id) for foe in near) or _shoots(scene, who):
        return POOR
    if use.target is not None:
        foe = scene[use.target].side != scene[who].side
        return Rating(harm=Fraction(3, 2) + _look(scene, use.target)) if foe else POOR
    if use.detail == "away":
        return POOR
    here, there = scene[who].position, scene.ground.parse(str(use.detail))
    if here is None:
        return POOR
    now = min([scene.ground.distance(here, foe.position) for foe in near if foe.position is not None], default=0)
    then = min([scene.ground.distance(there, foe.position) for foe in near if foe.position is not None], default=0)
    return Rating(harm=1, cost=Fraction(then, 100)) if then < now else POOR


def _drawing(scene: Scene, who: str, use: Use) -> Rating:
    """A weapon for those who have none."""
    armed = any(arm.carried is not None or not arm.weapon.id.startswith("unarmed") for arm in arms(scene, who))
    return POOR if armed else Rating(harm=1)


def _getting_up(scene: Scene, who: str, use: Use) -> Rating:
    return Rating(safety=2) if scene[who].status.stance == "prone" else Rating(safety=Fraction(1, 10))


def _keeping_up(scene: Scene, who: str, use: Use) -> Rating:
    return Rating(safety=Fraction(1, 2))


def _power(scene: Scene, who: str, use: Use) -> Rating:
    """Powers for oneself and one's own are now and then worth it; they cost."""
    return Rating(harm=Fraction(1, 4), cost=Fraction(1, 2))


def _caring(scene: Scene, who: str, use: Use) -> Rating:
    quiet = not any(adjacent(scene, who, foe.id) for foe in foes(scene, who))
    return Rating(safety=Fraction(1, 2) if quiet else Fraction(-1))


rate = rated(
    {
        "attack": _attacking(0, 1),
        "power_attack": _attacking(1, 2),
        "charge": _charging,
        "snipe": _attacking(1, 2),
        "non_lethal": _attacking(-1, 2, bonus=False, times=Fraction(1, 2)),
        "grapple": Rating(harm=Fraction(1, 4)),
        "disarm": Rating(harm=Fraction(1, 4)),
        "trip": Rating(harm=Fraction(1, 4)),
        "push": POOR,
        "cast": _casting,
        "concentrate": _keeping_up,
        "power": _power,
        "activate": _power,
        "move": _moving,
        "draw": _drawing,
        "store": POOR,
        "drop": POOR,
        "take_up": _drawing,
        "get_up": _getting_up,
        "crouch": POOR,
        "lie_down": POOR,
        "tumble": POOR,
        "hurry": POOR,
        "pursue": POOR,
        "prepare": POOR,
        "begin": POOR,
        "bluff": Rating(harm=Fraction(1, 8)),
        "distract": POOR,
        "insult": POOR,
        "bully": POOR,
        "detect": POOR,
        "hide": POOR,
        "mount": POOR,
        "dismount": POOR,
        "control": POOR,
        "spur": Rating(harm=1),
        "stand_by": POOR,
        "assist": POOR,
        "first_aid": _caring,
        "treat": _caring,
        "reanimate": _caring,
        "yield": NEVER,
        "flee": NEVER,
        "step": POOR,
        "retreat": POOR,
        "strike_back": Rating(harm=1),
    }
)
