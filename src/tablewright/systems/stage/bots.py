"""What bots go by: what somebody is worth, and what each action promises, from what a character could see."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tablewright.game.actions import Use
from tablewright.game.bots import rated, worth
from tablewright.game.rulebook import Rating
from tablewright.game.scene import Participant, Scene
from tablewright.systems.stage.actions.attack import way_of
from tablewright.systems.stage.actions.common import foes
from tablewright.systems.stage.harm import health
from tablewright.systems.stage.now import arms, distance, pool
from tablewright.systems.stage.status import Status, adjacent, stands

HURT = {"dead": 0, "unconscious": 0, "comatose": 0, "badly wounded": 3, "wounded": 2, "tired": 1}


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


@lru_cache(maxsize=4_096)
def _promise(dice: int, bonus: int, difficulty: int) -> Fraction:
    """About what an attack does: dice over what they must reach, halves for half of them."""
    best = Fraction(0)
    for first in range(1, dice + 1):
        reach = Fraction(7 * first, 2) + bonus
        chance = min(Fraction(1), max(Fraction(0), (reach - difficulty + Fraction(5, 2)) / (reach + 1)))
        best = max(best, chance * (Fraction(7 * (dice - first), 2) if dice > first else 1))
    return best


def _attack(extra: int, ap: int, times: Fraction = Fraction(1)):  # type: ignore[no-untyped-def]
    def rate(scene: Scene, who: str, use: Use) -> Rating:
        way = way_of(scene, who, use)
        if way is None:
            return Rating()
        made = pool(scene, who, way.arm.key, weapon=way.arm.weapon, against=str(use.target))
        more = made.dice.total + extra
        harm = _promise(more, made.flat.total, _difficulty(scene, str(use.target)))
        look = HURT.get(health(scene[str(use.target)]), 0)
        return Rating(harm=times * harm / ap + 1 + Fraction(look, 10))

    return rate


def _difficulty(scene: Scene, target: str) -> int:
    status: Status = scene[target].status
    return 3 + (3 if status.ap else 0) + {"standing": 0, "crouching": 3, "prone": 6}[status.stance]


def _shoots(scene: Scene, who: str) -> bool:
    return any(not arm.melee for arm in arms(scene, who))


def _moving(scene: Scene, who: str, use: Use) -> Rating:
    near = foes(scene, who)
    if not near or any(adjacent(scene, who, foe.id) for foe in near):
        return Rating(harm=Fraction(-1, 10))
    if use.target is not None:
        return Rating(harm=Fraction(3, 2) if scene[use.target].side != scene[who].side else Fraction(-1))
    if use.detail == "away" or _shoots(scene, who):
        return Rating(harm=Fraction(-1))
    here, there = scene[who].position, scene.ground.parse(str(use.detail))
    now = min([scene.ground.distance(here, foe.position) for foe in near if foe.position is not None], default=0)
    then = min([scene.ground.distance(there, foe.position) for foe in near if foe.position is not None], default=0)
    return Rating(harm=Fraction(then < now), cost=Fraction(then, 100))


def _getting_up(scene: Scene, who: str, use: Use) -> Rating:
    return Rating(safety=2) if scene[who].status.stance == "prone" else Rating(safety=Fraction(1, 10))


rate = rated(
    {
        "attack": _attack(0, 1),
        "power_attack": _attack(1, 2),
        "charge": _attack(1, 1),
        "snipe": _attack(1, 2),
        "non_lethal": _attack(-1, 1, Fraction(1, 2)),
        "grapple": Rating(harm=Fraction(1, 2)),
        "move": _moving,
        "get_up": _getting_up,
        "crouch": Rating(harm=Fraction(-1)),
        "lie_down": Rating(harm=Fraction(-1)),
        "tumble": Rating(harm=Fraction(-1), safety=Fraction(1, 2)),
        "prepare": Rating(harm=Fraction(-1)),
        "begin": Rating(harm=Fraction(-1)),
        "yield": Rating(harm=-9),
        "flee": Rating(harm=-5),
        "step": Rating(harm=Fraction(-1)),
    }
)
