"""What attacks and blasts lead to, without playing them from the beginning each time: for bots that weigh every option.

An attack on which nobody can spend Luck is one rule; each of its results becomes a scene once, by the very events that
it has in play. A test holds it to what playing gives.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from tablewright.engine import Call, Choose, odds
from tablewright.engine.advice import weigh_options
from tablewright.engine.asks import Ask, InContext
from tablewright.game.actions import Use
from tablewright.game.scene import Live, Scene
from tablewright.systems.renaissance.actions.attack import ATTACK, MULTIPLE, made_with, struck
from tablewright.systems.renaissance.attack import attack
from tablewright.systems.renaissance.trials import amount

if TYPE_CHECKING:
    from tablewright.game.rulebook import Rulebook

Ends = list[tuple[Scene, int]]
ATTACKS = ("attack", "attack_with_all", "next_attack")


def foreseen(book: Rulebook, scene: Scene, who: str, use: Use) -> Ends | None:
    """Every scene that an attack or a blast can lead to, with its weight; None for whatever else."""
    if use.action in ATTACKS:
        return _attacked(book, scene, who, use)
    return _exploded(book, scene, who, use) if use.action == "explode" else None


def _attacked(book: Rulebook, scene: Scene, who: str, use: Use) -> Ends | None:
    made = made_with(scene, who, use)
    game = Live(scene, book)
    call = _first_roll(book.actions.perform(game, who, use))
    if call is None or call.mechanic is not attack or made is None or _with_luck(call):
        return None
    arm, key = made
    ends: Ends = []
    for result, weight in odds(call).items():
        after = Live(game.scene, book)
        cause = MULTIPLE if key else ATTACK
        if _first_roll(struck(after, who, str(use.target), arm, result, cause=cause, volley=key)) is not None:
            return None  # something more is rolled: played from the beginning
        ends.append((after.scene, weight))
    return ends


def _with_luck(call: Call[Any]) -> bool:
    given = call.named_arguments()
    return bool(given["luck"] or given["their_luck"])


def _first_roll(rule: Any) -> Call[Any] | None:
    """The first rule that is called; what is asked before goes by what follows, else by default. None if it is over."""
    answer: Any = None
    try:
        while True:
            asked = rule.send(answer)
            if not isinstance(asked, Choose):
                return _called(asked)
            answer = _chosen(asked)
    except StopIteration:
        return None
    finally:
        rule.close()


def _called(asked: Ask[Any]) -> Call[Any]:
    call = asked.ask if isinstance(asked, InContext) else asked
    assert isinstance(call, Call), "only rules are called"
    return call


def _chosen(asked: Choose[Any]) -> Any:
    weighed = weigh_options(asked, asked.seat if isinstance(asked.seat, str) else None)
    if weighed is None:
        return asked.options[asked.default]
    return next(one.option for one in weighed.options if one.best)


def _exploded(book: Rulebook, scene: Scene, who: str, use: Use) -> Ends | None:
    """A blast: for every amount, one number for all decides who falls.

    What a scene is worth is added up over those in it, so that it makes no difference whether they fall together or
    each by itself; and of so few scenes each can be looked at.
    """
    call = _first_roll(book.actions.perform(Live(scene, book), who, use))
    if call is None or call.mechanic is not amount:
        return None
    found: list[tuple[Scene, Fraction]] = []
    for total, weight in odds(call).items():
        at = Fraction(0)
        while at < 1:
            game = Live(scene, book)
            upto = _at_once(book.actions.perform(game, who, use), total, at)
            found.append((game.scene, weight * (upto - at)))
            at = upto
    whole = lcm(*[weight.denominator for _, weight in found])
    return [(after, int(weight * whole)) for after, weight in found]


def _at_once(rule: Any, total: int, at: Fraction) -> Fraction:
    """Play a blast with everybody's roll at one place between 0 and 1; gives how far that place reaches."""
    upto, answer = Fraction(1), None
    try:
        while True:
            asked = rule.send(answer)
            if isinstance(asked, Choose):
                answer = _chosen(asked)
                continue
            call, end = _called(asked), Fraction(0)
            if call.mechanic is amount:
                answer = total
                continue
            results = odds(call)
            for outcome, weight in results.items():
                answer, end = outcome, end + Fraction(weight, results.total)
                if end > at:
                    break
            upto = min(upto, end)
    except StopIteration:
        return upto
