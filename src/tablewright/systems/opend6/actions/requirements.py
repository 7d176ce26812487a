"""Requirements and costs that several actions share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from tablewright.engine import choose, yes_no
from tablewright.game.narration.phrases import percent
from tablewright.game.play.action_kinds import ActionKind
from tablewright.game.play.actions import ActionUse, Refusal, Requirement, needs, once
from tablewright.game.play.targeting import distances
from tablewright.game.play.targeting import targets as known_targets
from tablewright.game.play.turns import MOST_DEEDS
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.opend6.actions.aim import band_at
from tablewright.systems.opend6.chapters.points import climactic_refused
from tablewright.systems.opend6.character.figures import figures
from tablewright.systems.opend6.character.gear import arms_by_id
from tablewright.systems.opend6.events.turn import Declared, FateBurned
from tablewright.systems.opend6.mechanics.dice import penalty_dice
from tablewright.systems.opend6.status import (
    SHAKEN,
    STUNNED,
    Status,
    fight,
    is_here,
    is_out,
    level,
    stands,
    wound_penalty,
)

CARRY = "opend6.turn.no_extra_no_carry"
TACKLE, GRAB, PIN = "opend6.action.tackle", "opend6.action.grab", "opend6.action.pin"
DISABLED = "opend6.initiative.disabled_loses_action"
LISTED, FREE = "opend6.action.list", "opend6.free.definition"
WHOLE, HOLDING = "opend6.gap.attack.aiming", "opend6.gap.manoeuvre.holding"


def _unhindered(scene: Scene, who: str, use: ActionUse) -> Refusal | None:
    status: Status = scene[who].status
    grip = status.grip
    if grip is not None and grip.how == "tackled":
        return Refusal(
            f"{scene.display_name(grip.by)} has them on the ground: only speaking and escaping are left", TACKLE
        )
    if status.tangled:
        return Refusal("entangled: it must be broken or slipped out of first", "opend6.gap.manoeuvre.entangle")
    return None


def held_by(scene: Scene, who: str, part: str) -> Refusal | None:
    """Refusal to use a part of the body that is held."""
    grip = scene[who].status.grip
    if grip is None or grip.part != part:
        return None
    return Refusal(f"the {part} cannot be used", PIN if grip.how == "pinned" else GRAB)


def _feet_free(scene: Scene, who: str, use: ActionUse) -> Refusal | None:
    """Refuse movement of a held participant, whatever part is held. [opend6.gap.manoeuvre.holding]"""
    grip = scene[who].status.grip
    if grip is not None:
        return Refusal(f"{scene.display_name(grip.by)} has hold of them", PIN if grip.how == "pinned" else HOLDING)
    return None


def _composed(scene: Scene, who: str, use: ActionUse) -> Refusal | None:
    status: Status = scene[who].status
    if not status.lasting:
        return None
    if status.has(SHAKEN):
        return Refusal("shaken: only defence and flight are left", "opend6.gap.damage.massive")
    if scene.options.stunned_effect == "defend_only" and status.has(STUNNED):
        return Refusal("stunned: only defence and retreat are left", "opend6.gap.wound.stunned")
    return None


def _whole_round(scene: Scene, who: str, use: ActionUse) -> str | None:
    status: Status = scene[who].status
    if status.taken:
        return "it takes the whole round, and something was done already"
    return "it takes the whole round: only one action may be declared" if status.declared > 1 else None


def _acting(scene: Scene, who: str, use: ActionUse) -> Refusal | None:
    """Refusal of any action of a fight: unable to act, no action left, held or entangled, shaken or stunned."""
    if is_out(scene[who]):
        return Refusal("unable to act", DISABLED)
    if scene[who].status.left <= 0:
        return Refusal("every declared action is used up", CARRY)
    return _unhindered(scene, who, use) or _composed(scene, who, use)


ABLE = needs(lambda scene, who: not is_out(scene[who]), "unable to act", DISABLED, always=True)
LEFT = needs(lambda scene, who: scene[who].status.left > 0, "every declared action is used up", CARRY, always=True)
UNHINDERED = Requirement(TACKLE, _unhindered, always=True)
HANDS = Requirement(GRAB, lambda scene, who, _: held_by(scene, who, "arm"), always=True)
LEGS = Requirement(GRAB, lambda scene, who, _: held_by(scene, who, "leg"), always=True)
FEET = Requirement(HOLDING, _feet_free, always=True)
COMPOSED = Requirement("opend6.gap.wound.stunned", _composed, always=True)
WHOLE_ROUND = Requirement(WHOLE, _whole_round, always=True)
ACTING = (Requirement(DISABLED, _acting, always=True),)
DEFENDING = (ABLE, LEFT, UNHINDERED)


def _not_yet(scene: Scene, who: str, use: ActionUse) -> str | None:
    return "once a round" if use.action in scene[who].status.freely else None


acting = ActionKind(ACTING, rules=(LISTED,), cost_text="1 action")
able = ActionKind((ABLE, LEFT), cost_text="1 action")
moving = ActionKind((ABLE, LEFT, UNHINDERED, FEET), cost_text="1 action")
freely = ActionKind((ABLE,), cost_text="free")
once_a_round = ActionKind((ABLE, once(_not_yet, FREE)), cost_text="free")
"""Kinds of actions: those that count as one, and free ones."""


def targets(scene: Scene, who: str) -> list[Participant]:
    """Possible targets of an attack: foes who are present, known, and standing."""
    return known_targets(scene, who, stands)


def fallen(scene: Scene, who: str) -> list[Participant]:
    """Foes who are down and not dead: nothing keeps anyone from striking them."""
    return known_targets(scene, who, _is_down)


def _is_down(one: Participant) -> bool:
    return is_out(one) and one.status.wounds.level != "dead"


@cached_on_scene
def apart(scene: Scene, who: str) -> list[tuple[Participant, int]]:
    """Possible targets of an attack, and the distance to each in metres."""
    return distances(scene, who, stands)


@cached_on_scene
def within_reach(scene: Scene, who: str, weapon: str, extra_cm: int) -> list[Participant]:
    """Targets in reach of a wielded weapon, whose reach grows by ``extra_cm`` centimetres."""
    arm = arms_by_id(scene, who)[weapon]
    away = apart(scene, who)
    return [foe for foe, metres in away if band_at(scene, who, metres, arm.weapon, extra_cm) is not None]


def foes_here(scene: Scene, who: str) -> Iterator[Participant]:
    """Foes of a character who could do something about it."""
    side = scene[who].side
    return (one for one in scene.participants if one.side != side and not one.hidden and stands(one))


COUNT = "opend6.turn.declare_count"


MANY_ACTIONS = 12
"""Upper bound for the actions of a round that are offered, however many dice there are."""


def most_actions(scene: Scene, who: str) -> int:
    """Largest number of actions to declare: far more than the dice allow, since waiting and drawing need none.

    Those in which a die of the best code is left are always among them, and one in which none is.
    """
    status: Status = scene[who].status
    best = figures(scene[who].character, scene.library).most_dice * (2 if status.fate or status.climactic else 1)
    return min(MOST_DEEDS, max(MANY_ACTIONS, best + status.quick + 1))


class Number(NamedTuple):
    """A number of actions that can be declared, and the dice that each of their rolls then lacks.

    ``hits`` tells the chance in thousandths that the best attack hits with some dice less, where one is open at all.
    """

    actions: int
    less: int
    hits: Callable[[int], int] | None = None

    @property
    def id(self) -> str:
        """The number."""
        return str(self.actions)

    @property
    def label(self) -> str:
        """The number in words."""
        return f"{self.actions} action{'s' if self.actions > 1 else ''}"

    @property
    def cost(self) -> str:
        """Dice that every roll of the round loses, and the remaining dice of the best attack."""
        less = f"-{self.less}D" if self.less else "full dice"
        return less if self.hits is None else f"{less}, an attack hits {percent(Fraction(self.hits(self.less), 1_000))}"


async def declare(game: Game, who: str, *, moved_up: bool = False) -> None:
    """Ask for the number of actions in this round, once, before the first of them."""
    from tablewright.systems.opend6.prospects import best_promise, worth_of_actions  # noqa: PLC0415 - it builds on this

    scene = game.scene
    allotment = 1 + scene[who].status.quick

    def hits(less: int) -> int:
        return best_promise(scene, who, less).hits

    told, worth = hits if hits(0) else None, worth_of_actions(scene, who)
    numbers = [Number(count, less, told) for count, less in _counts(most_actions(scene, who), allotment)]
    taken = await choose(
        game.seat(who),
        "how many actions this round?",
        numbers,
        details={"who": who, **_hurt(scene, who)},
        leads_to=lambda number: worth(number.actions),
    )
    if is_here(game.scene, who):
        game.emit(Declared(who=who, actions=taken.actions, moved_up=moved_up, cause=COUNT))


@lru_cache(maxsize=1_024)
def _counts(most: int, allotment: int) -> tuple[tuple[int, int], ...]:
    """Numbers of actions, each with the dice that every roll then lacks."""
    return tuple([(count, penalty_dice(count, allotment)) for count in range(1, most + 1)])


def _hurt(scene: Scene, who: str) -> dict[str, Any]:
    """Dice that injuries take from every roll, as details of a question."""
    dice = wound_penalty(scene, who)
    return {level(scene, who).replace("_", " "): f"-{dice}D"} if dice else {}


CLIMACTIC = "opend6.fate.climactic"


def burn_refused(scene: Scene, who: str) -> Refusal | None:
    """The reason why a character may not spend a Fate Point for all rolls of this round, if there is one."""
    one = scene[who]
    return climactic_refused(one.character, one.status, scene.options, moment=fight(scene).moment)


def burn(game: Game, who: str) -> None:
    """Double all rolls of a character for this round; in the climax it may not count as the one of the session."""
    counted = not (fight(game.scene).moment == "climactic" and game.scene.options.unlimited_in_climax)
    game.emit(FateBurned(who=who, counted=counted, cause=CLIMACTIC))


async def offer_fate(game: Game, who: str, attacker: str) -> None:
    """Offer a Fate Point for the whole round before a hit; only in the climax, to characters who use points."""
    scene = game.scene
    if fight(scene).moment != "climactic" or not is_here(scene, who) or not scene[who].status.fate:
        return
    if not stands(scene[who]) or burn_refused(scene, who) is not None:
        return
    asked = yes_no(
        scene[who].seat,
        "a Fate Point for the whole round?",
        cost_text="1 Fate Point",
        details={"who": who, "by": attacker},
    )
    if await asked and is_here(game.scene, who):
        burn(game, who)
