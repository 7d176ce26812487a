"""Mechanics of a whole turn: how often to attack, and noticing those who sneak up."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.engine import (
    Call,
    Mechanic,
    Param,
    Request,
    Role,
    become,
    both,
    chance,
    choose,
    finish,
    mechanic,
    minus,
)
from tablewright.errors import InvalidInputError
from tablewright.systems.mars.mechanics.attack import (
    FALLS,
    IMPROVISED,
    IMPROVISED_STAMINA,
    SECONDS,
    SLOWER,
    TURN_SECONDS,
    Attacked,
    Attempt,
    Body,
    Damaging,
    Resist,
    Settled,
    Target,
    Threshold,
    ToHit,
    Wound,
    attack,
)
from tablewright.systems.mars.mechanics.checks import PLAIN, Advantage, DiceRules, Disadvantage, total_of
from tablewright.systems.mars.mechanics.harm import CriticalBonus, Reduction
from tablewright.systems.mars.values import THRESHOLD, RollValue, Speed


class Routine(NamedTuple):
    """Outcome of a turn of attacks: damage, stamina spent, the maneuver's effect and the foe's fall."""

    damage: int
    stamina: int = 0
    effect: bool = False
    felled: bool = False


ActionSpeed: TypeAlias = Literal["full-round", "standard", "swift", "free"]
Doing: TypeAlias = Literal["attack", "maneuver"]


def time_and_cost(speed: Speed, stamina: int, improvised: bool) -> tuple[int, int]:
    """The seconds and the stamina that a maneuver takes; improvised it is slower and dearer, a reaction only dearer.

    >>> time_and_cost("swift", 2, True)
    (4, 3)
    """
    if not improvised:
        return SECONDS[speed], stamina
    return SECONDS[SLOWER.get(speed, speed)], stamina + IMPROVISED_STAMINA


def _routine_worth(routine: Routine) -> int:
    return 2 * routine.damage - 2 * routine.stamina + 2 * FALLS * routine.felled


ROUTINE_OBJECTIVES = {
    "worth": _routine_worth,
    "damage": lambda routine: routine.damage,
    "felled": chance(lambda routine: int(routine.felled)),
    "effect": chance(lambda routine: int(routine.effect)),
}


class Blows(NamedTuple):
    """The plain attacks of a turn against one target."""

    attack: ToHit
    defence: Annotated[RollValue, Param("roll of the target, usually DEF")]
    damage_roll: Damaging
    reduction: Reduction = 0
    critical_bonus: CriticalBonus = 0
    threshold: Threshold = THRESHOLD
    penalty: Annotated[int, Param("the penalty for each attack before, 4 or 3 with a swift weapon", 0, 20)] = 4


class Remaining(NamedTuple):
    """Time and strength that is left of a turn."""

    seconds: Annotated[int, Param("seconds of the turn that are left", 0, 6)] = TURN_SECONDS
    left: Annotated[int, Param("endurance and health that the target has left", 1, 200)] = 100
    stamina: Annotated[int, Param("stamina of the attacker", 0, 99)] = 0


class StrongBlow(NamedTuple):
    """A maneuver that may take the place of one attack."""

    maneuver_hit: Annotated[int, Param("modifier of the maneuver to hit", -20, 20)] = 0
    maneuver_damage: Annotated[int, Param("modifier of the maneuver to damage", -50, 50)] = 0
    maneuver_threshold: Annotated[int, Param("modifier of the maneuver to the critical threshold", -6, 6)] = 0
    maneuver_stamina: Annotated[int, Param("stamina that the maneuver costs", 0, 20)] = 1
    maneuver_speed: Annotated[ActionSpeed, Param("action speed of the maneuver")] = "standard"
    improvised: Annotated[bool, Param("whether the maneuver is improvised")] = False
    maneuver_resist: Resist = None
    effect_worth: Annotated[int, Param("value of the maneuver's effect in points of damage", 0, 99)] = 0

    @property
    def price(self) -> tuple[int, int]:
        """Seconds and stamina that it takes."""
        return time_and_cost(self.maneuver_speed, self.maneuver_stamina, self.improvised)

    def struck(self, blows: Blows) -> Blows:
        """The blow with the maneuver's modifiers."""
        more = self.maneuver_hit + IMPROVISED * self.improvised
        return blows._replace(
            attack=RollValue(blows.attack.n, blows.attack.modifier + more),
            damage_roll=RollValue(blows.damage_roll.n, blows.damage_roll.modifier + self.maneuver_damage),
            threshold=max(1, blows.threshold + self.maneuver_threshold),
        )


FULL_TURN, NO_MANEUVER, NOTHING_YET = Remaining(), StrongBlow(), Routine(0)
_DEFLECTED = Settled(declared="deflect", blocks="no")


@mechanic(
    rules=[
        "mars.attack.multiple_attack_penalty",
        "mars.action.speeds",
        "mars.maneuver.use_limit",
        "mars.maneuver.improvise",
        "mars.maneuver.resist",
    ],
    objectives=ROUTINE_OBJECTIVES,
)
async def attack_routine(blows: Blows, remaining: Remaining = FULL_TURN, maneuver: StrongBlow = NO_MANEUVER) -> Routine:
    """A turn against one target: attack as often as time allows, each time with more penalty, or do a maneuver once.

    One strong blow or three with the penalty; a maneuver that is known, or one that is improvised. Its effect counts as
    so many points of damage as it is said to be worth.
    """
    return await become(routine_from(blows, maneuver, *remaining, 0, False, NOTHING_YET))


@mechanic(rules=["mars.attack.multiple_attack_penalty", "mars.maneuver.use_limit"], objectives=ROUTINE_OBJECTIVES)
async def routine_from(
    blows: Blows, maneuver: StrongBlow, seconds: int, left: int, stamina: int, made: int, used: bool, so_far: Routine
) -> Routine:
    """A turn of attacks from any point of it on."""
    takes, costs = maneuver.price
    options: list[Doing] = []
    if seconds >= SECONDS["swift"]:
        options.append("attack")
    if not used and seconds >= takes and stamina >= costs:
        options.append("maneuver")
    if left == 0 or not options:
        return so_far._replace(felled=left == 0)
    doing = options[0] if len(options) == 1 else await choose(Role.ACTOR, "what next", options, details={"made": made})
    strong = doing == "maneuver"
    blow = maneuver.struck(blows) if strong else blows
    struck = attack(
        Attempt(RollValue(blow.attack.n, blow.attack.modifier - blows.penalty * made), blow.threshold),
        Target(blow.defence, resist=maneuver.maneuver_resist if strong else None),
        Wound(blow.damage_roll, blow.critical_bonus),
        Body(blow.reduction),
        _DEFLECTED,
    )
    took, paid = (takes, costs) if strong else (SECONDS["swift"], 0)

    def following(result: Attacked) -> Call[Routine]:
        hurt = min(result.damage, left)
        holds = strong and result.hits and (result.resisted is None or result.resisted.succeeds)
        dealt = so_far.damage + hurt + (maneuver.effect_worth if holds else 0)
        return routine_from(
            blows,
            maneuver,
            seconds - took,
            left - hurt,
            stamina - paid,
            made + 1,
            used or strong,
            Routine(dealt, so_far.stamina + paid, so_far.effect or holds),
        )

    return await struck.into(following)


@mechanic(
    rules=["mars.check.group_action", "mars.surprise.who_acts", "mars.gap.check.awareness"], objectives={"aware": int}
)
async def awareness(
    perception: Annotated[RollValue, Param("perception and DEX of the observer")],
    agilities: Annotated[
        tuple[RollValue, ...], Param("agility and DEX of each one who sneaks, or a total as r0+8; the worst counts")
    ],
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    dice: DiceRules = PLAIN,
) -> bool:
    """Check if an observer notices a sneaking group: perception against the worst of their agility totals."""
    if not 1 <= len(agilities) <= MOST_SNEAKING:
        raise InvalidInputError(f"{len(agilities)} sneak up; 1 to {MOST_SNEAKING} can", field="agilities")
    noticing = total_of(perception, advantage, disadvantage, dice)
    if not any(agility.n for agility in agilities):  # all is known: nothing is rolled for it
        known = min([agility.modifier for agility in agilities])
        return await finish(noticing.map(lambda shown: shown >= known))
    worst: Request[int] = total_of(agilities[0], 0, 0, dice)
    for agility in agilities[1:]:
        worst = both(worst, total_of(agility, 0, 0, dice), min)
    return await finish(minus(noticing, worst.by_opponent()).map(lambda margin: margin >= 0))


MOST_SNEAKING = 20

TURN_MECHANICS: tuple[Mechanic[..., Any], ...] = (attack_routine, awareness)
