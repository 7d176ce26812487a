"""Outcomes of an attack without playing it, for policies that look ahead.

An attack on which no one can spend Luck is one rule; each of its results becomes a scene once, by the very events that
it has in play. A test holds it to what playing gives.
"""

from __future__ import annotations

from typing import Any

from tablewright.engine import Call, Choice, Role, odds
from tablewright.engine.advice import value_options
from tablewright.engine.request import Attributed, Request
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.system.rulebook import Rulebook
from tablewright.systems.renaissance.actions.aim import NO_DEFENCE_TAGS, aim
from tablewright.systems.renaissance.actions.attack import ATTACK, MULTIPLE, made_with, struck, volley_of
from tablewright.systems.renaissance.mechanics.attack import Arms, FurtherArm, attack, two_weapons
from tablewright.systems.renaissance.now import now

Ends = list[tuple[Scene, int]]
ATTACKS = ("attack", "attack_with_all", "next_attack")


def foreseen(book: Rulebook, scene: Scene, who: str, use: ActionUse) -> Ends | None:
    """Every scene that an attack can lead to, with its weight; None for other actions."""
    if use.action not in ATTACKS:
        return None
    made = made_with(scene, who, use)
    game = Game(scene, book)
    call = _first_roll(book.actions.perform(game, who, use))
    if call is None or call.mechanic is not attack or made is None or _with_luck(call):
        return None
    arm, key = made
    ends: Ends = []
    for result, weight in odds(call).items():
        after = Game(game.scene, book)
        cause = MULTIPLE if key else ATTACK
        if _first_roll(struck(after, who, str(use.target), arm, result, cause=cause, volley=key)) is not None:
            return None  # something more is rolled: played from the beginning
        ends.append((after.scene, weight))
    return ends


def whole_attack(scene: Scene, who: str, use: ActionUse) -> Request[Any] | None:
    """All blows of an attack with every weapon as one rule, without strikes and Luck; None for anything else.

    Blows that meet different defences or resistances are told by their first one.
    """
    if use.action != "attack_with_all" or use.target is None:
        return None
    arms = [arm for key in volley_of(scene, who, use.target) if (arm := now(scene, who).arm(key)) is not None]
    if any(arm.weapon.has(tag) for arm in arms for tag in NO_DEFENCE_TAGS):
        return None
    aimed = [aim(scene, who, use.target, arm, told=False).call.arguments for arm in arms]
    blows, (_, body, _, _, _, table) = [arguments[0] for arguments in aimed], aimed[0]
    main, off, *further = blows
    if any(one.defences != main.defences or one.vulnerability or not one.graded for one in blows):
        return None
    beside = tuple([FurtherArm(one.target, one.dv, one.ap) for one in further])
    every = Arms(main.target, main.dv, off.target, off.dv, main.ap, off.ap, beside)
    call = two_weapons(every, main.defences, body, table.rules, table.injury, "both")
    return call.by(scene[who].seat, scene[use.target].seat, private={"left": Role.OPPONENT})


def _with_luck(call: Call[Any]) -> bool:
    given = call.named_arguments()
    return bool(given["luck"] or given["their_luck"])


def _first_roll(rule: Any) -> Call[Any] | None:
    """The first rule that is called; what is asked before goes by what follows, else by default. None if it is over."""
    answer: Any = None
    try:
        while True:
            asked = rule.send(answer)
            if not isinstance(asked, Choice):
                return _called(asked)
            answer = _chosen(asked)
    except StopIteration:
        return None
    finally:
        rule.close()


def _called(asked: Request[Any]) -> Call[Any]:
    call = asked.ask if isinstance(asked, Attributed) else asked
    assert isinstance(call, Call), "only rules are called"
    return call


def _chosen(asked: Choice[Any]) -> Any:
    weighed = value_options(asked, asked.seat if isinstance(asked.seat, str) else None)
    if weighed is None:
        return asked.options[asked.default]
    return next(one.option for one in weighed.options if one.best)
