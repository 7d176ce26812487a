"""Outcomes of an attack without playing it, for policies that look ahead.

An attack on which no one spends anything, as is the default, is one rule; each of its few results is made a scene once,
by the very events that it has in play. A test holds it to what playing gives.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any

from tablewright.engine import Call, Choice, odds
from tablewright.engine.request import Attributed, Request
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.system.rulebook import Rulebook
from tablewright.systems.opend6.actions.aim import attack_call, planned
from tablewright.systems.opend6.actions.attack import ATTACKS, declare, places_to_aim_at, settled
from tablewright.systems.opend6.character.gear import Manner, arm_of
from tablewright.systems.opend6.mechanics.points import Aimed, Terms

STRIKES = frozenset([action.id for action in ATTACKS])
MOST_WAYS = 200


def foreseen(book: Rulebook, scene: Scene, who: str, use: ActionUse) -> list[tuple[Scene, int]] | None:
    """Weighted scenes after an attack; None for other actions and where too much is open."""
    if use.action not in STRIKES or scene.options.free_partial == "ask" or scene.options.thrown_range == "rolled":
        return None
    manner, target = Manner.parse(str(use.detail)), str(use.target)
    arm = arm_of(scene, who, manner.weapon)
    if arm is None:
        return None
    places = places_to_aim_at(scene, manner, target)
    if places and not manner.at:
        manner = manner._replace(at=places[0])
    plan = planned(scene, who, target, arm.weapon, manner)
    if not settled(scene, plan):
        return None
    ends: list[tuple[list[tuple[Scene, int]], int]] = []
    for result, weight in odds(attack_call(scene, plan)).items():
        after = _ends(lambda: Game(scene, book), lambda game, result=result: declare(game, plan, result))  # type: ignore[misc]
        if after is None:
            return None
        ends.append((after, weight))
    whole = lcm(*[sum([part for _, part in after]) for after, _ in ends])
    return [
        (found, weight * part * (whole // sum([each for _, each in after])))
        for after, weight in ends
        for found, part in after
    ]


def _ends(begin: Callable[[], Game], step: Callable[[Game], Any]) -> list[tuple[Scene, int]] | None:
    """Every end of a step with its weight: run again for every way of the rolls in it; choices go by their default."""
    ends: list[tuple[Scene, int, int]] = []
    ways: list[tuple[tuple[Any, ...], int, int]] = [((), 1, 1)]
    for _ in range(MOST_WAYS):
        if not ways:
            break
        answers, weight, total = ways.pop()
        game = begin()
        asked = _run(step(game), answers)
        if asked is None:
            ends.append((game.scene, weight, total))
        elif isinstance(asked, Choice):
            ways.append(((*answers, asked.options[asked.default]), weight, total))
        else:
            call = asked.ask if isinstance(asked, Attributed) else asked
            if not isinstance(call, Call):
                return None
            found = odds(call)
            for outcome, part in found.items():
                ways.append(((*answers, outcome), weight * part, total * found.total))
    if ways:
        return None
    whole = lcm(*[total for _, _, total in ends])
    return [(scene, weight * (whole // total)) for scene, weight, total in ends]


def _run(step: Any, answers: tuple[Any, ...]) -> Request[Any] | None:
    """The next request of a step after some answers; None if it is over."""
    try:
        asked: Request[Any] = step.send(None)
        for answer in answers:
            asked = step.send(answer)
    except StopIteration:
        return None
    step.close()
    return asked


@cached_by_identity
def attack_tables(rolling: Terms) -> dict[tuple[int, int], list[int]]:
    """Cache of a table's attack rolls: the chance in thousandths that each code reaches each total."""
    return {}


def chances_to_reach(call: Call[Aimed]) -> list[int]:
    """Chance in thousandths that a roll reaches each total."""
    left, reached = Fraction(1), list[int]()
    by_total: dict[int, Fraction] = {}
    for aimed, share in odds(call).fractions():
        by_total[aimed.total] = by_total.get(aimed.total, Fraction(0)) + share
    for shown in range(max(by_total) + 1):
        reached.append(int(left * 1_000))
        left -= by_total.get(shown, Fraction(0))
        if not reached[-1]:
            break
    return reached
