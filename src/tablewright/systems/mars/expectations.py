"""Expectation of attacks, for bots that weigh them: exact, and remembered by the numbers that it follows from."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias, TypeVar

from tablewright.engine import Call, odds
from tablewright.engine.cache import BoundedCache
from tablewright.engine.odds import expected_value
from tablewright.game.play.targeting import distance
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.scene import Scene
from tablewright.systems.mars.actions.aim import (
    Faced,
    aimed_at,
    attack_call,
    is_too_close,
    landed_call,
    ranges_beyond,
    sight,
    struck_with,
    uncounted,
)
from tablewright.systems.mars.character.gear import Wielded
from tablewright.systems.mars.mechanics.attack import (
    STRIKES,
    Attacked,
    AttackRules,
    Attempt,
    Body,
    Settled,
    Target,
    Wound,
    landed,
    meeting,
)
from tablewright.systems.mars.now import as_target, now, of_participant
from tablewright.systems.mars.status import Incoming
from tablewright.systems.mars.values import Degree, Manner

T = TypeVar("T")

POINT = 100


class Expected(NamedTuple):
    """Expectation of an attack: hundredths of damage, and chances of a hit and of the effect in thousandths."""

    harm: int
    hits: int
    effect: int = 0


@lru_cache(maxsize=65_536)
def _expected(
    attempt: Attempt, target: Target, wound: Wound, body: Body, settled: Settled, rules: AttackRules
) -> Expected:
    """Expectation of an attack with a declared defence: its hits, each with its expected damage."""
    how = "deflect" if settled.declared == "open" else settled.declared
    known = odds(meeting(attempt, target, how, settled.total, rules.damage.dice))
    hits = effect = 0
    harm = Fraction(0)
    for strike, weight in known.items():
        if strike.degree is not Degree.FAILURE:
            plain = landed(STRIKES[strike.degree], "deflect", wound, body, "no", rules.damage)  # it hurts as much
            harm += weight * expected_value(plain, "damage")
            hits += weight
            effect += weight if strike.resisted is None or strike.resisted.succeeds else 0
    total = known.total
    return Expected(int(POINT * harm / total), 1_000 * hits // total, 1_000 * effect // total)


def mean(call: Call[Attacked], objective: str = "damage") -> int:
    """Hundredths of damage to the target or its shield."""
    return int(expected_value(call, objective) * POINT)


_expectations: BoundedCache[tuple[object, ...], Any] = BoundedCache(65_536)
"""Cached expectations: of blows, and in one memory each for all attacks of those who face each other alike."""


_numbers = attrgetter(
    *("attack", "threshold", "advantage", "disadvantage", "total", "defence", "with_item", "rating", "resist"),
    *("damage", "critical", "category", "kind", "nonlethal", "halvings", "damage_advantage", "damage_disadvantage"),
    *("degree", "effect", "block"),
)
"""Parts of a blow that its expectation follows from."""


def expect(scene: Scene, blow: Incoming) -> Expected:
    """Expectation of a blow as declared or with its known degree; cached where no ruling counts."""
    return remembered(scene, blow, (), lambda: _expect(scene, blow))


def remembered(scene: Scene, blow: Incoming, more: tuple[object, ...], work_out: Callable[[], T]) -> T:
    """A value that follows from a blow, its target and ``more``; cached where no ruling counts."""
    if scene.modifiers or scene.options.passive_rolls == "all_npc":  # then it counts who attacks
        return work_out()
    target = scene[blow.target]
    them = of_participant(scene, target) if blow.block else as_target(scene, target)
    key = (_numbers(blow), them, target.status.conscious, more)
    known: T | None = _expectations.peek(key)
    if known is None:
        known = work_out()
        _expectations.put(key, known)
    return known


def _expect(scene: Scene, blow: Incoming) -> Expected:
    if blow.degree is not None:
        return Expected(mean(landed_call(scene, blow, now(scene, blow.target).blocking if blow.block else None)), 1_000)
    return _expected(*attack_call(scene, blow, Faced.of(scene, blow)).arguments)


# ---------------------------------------------------------------------- attacks that could be made


def foresee(scene: Scene, known: dict[Any, Any], way: tuple[object, ...], blow: Callable[[], Incoming]) -> Expected:
    """Expectation of an attack that could be made in some ``way``, remembered in the memory of those who face it."""
    return kept(known, way, lambda: expect(scene, blow()))


def kept(known: dict[Any, Any], key: object, work_out: Callable[[], T]) -> T:
    """A value in the memory of two who face each other."""
    found: T | None = known.get(key)
    if found is None:
        found = known[key] = work_out()
    return found


def face_to_face(scene: Scene, who: str, target: str, wielded: Wielded, manner: Manner) -> dict[Any, Any]:
    """Memory for attacks with a weapon on a target (see :func:`facing`)."""
    return facing(scene, who, target, manner == "melee", away(scene, who, target, wielded, manner))


def like(scene: Scene, blow: Incoming, target: str) -> Incoming:
    """A plain attack on a target like a blow under way; the ids in it may be those of others who face each other so."""
    attacker, manner = scene[blow.attacker], blow.manner
    me = of_participant(scene, attacker)
    wielded = me.weapon(blow.weapon) or struck_with(scene, blow)
    assert wielded is not None
    known = face_to_face(scene, attacker.id, target, wielded, manner)
    again = me.cleaves and target in uncounted(scene, blow).attacked
    key = (like, blow.weapon, manner, blow.reaction, blow.stray, again)
    return kept(known, key, lambda: aimed_at(scene, blow, target).blow)


Away: TypeAlias = "int | tuple[int, bool] | None"
"""Relevant part of a distance: all, or the ranges beyond the first and whether it is too close; None for none."""


def away(scene: Scene, who: str, target: str, wielded: Wielded, manner: Manner) -> Away:
    """Relevant part of the distance for an attack in reach."""
    features = wielded.weapon.features
    if manner == "melee" and not features.unfit and not features.large:
        return None
    metres = distance(scene, who, target)
    if manner == "thrown":  # then the fight goes on at this distance without the weapon
        return metres
    further = 0 if manner == "melee" else ranges_beyond(wielded.weapon, manner, metres)
    return further, is_too_close(wielded.weapon, metres)


@cached_on_scene
def facing(scene: Scene, who: str, target: str, melee: bool, away: Away) -> dict[Any, Any]:
    """Memory for what follows from two who face each other; scenes in which they do alike share it.

    It goes by everything that an attack reads of a scene: the figures of both, what counts of their distance, the
    attacks of this turn, what the two can see, and rulings.
    """
    foe, mine = scene[target], scene[who]
    turn = mine.status.turn
    me = of_participant(scene, mine)
    again = turn.attacks and me.cleaves and target in turn.attacked
    hit = me.gathers_momentum and scene.turn == who and target in turn.hit
    acts = (turn.attacks, again, turn.weapon if me.other_weapon else "", turn.backswing, turn.reacting, hit)
    seen = sight(scene, who, target, "melee" if melee else "shot")
    key = (me, as_target(scene, foe), foe.status.conscious, away, acts, seen, scene.modifiers)
    known: dict[Any, Any] | None = _expectations.peek(key)
    if known is None:
        known = {}
        _expectations.put(key, known)
    return known
