"""Mechanics of an attack, from the roll to the damage.

In a scene the steps are asked one by one, because others may step in between; :data:`attack` is all of them in a row,
with the defender's choices, for odds and advice.
"""

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
    yes_no,
)
from tablewright.engine.settings import flatten_settings
from tablewright.errors import InvalidInputError
from tablewright.systems.mars.mechanics.checks import PLAIN, Advantage, DiceRules, Disadvantage, total_of
from tablewright.systems.mars.mechanics.harm import (
    Block,
    BlockMin,
    CriticalBonus,
    CritIgnoresBlock,
    Durability,
    Fate,
    Harm,
    Kind,
    Mix,
    Reduction,
    TypelessIgnoresBlock,
    damage,
    fate_of,
    lose,
)
from tablewright.systems.mars.options import DefenceDeclaration
from tablewright.systems.mars.values import THRESHOLD, Degree, RollValue, Speed, degree_of

Defence: TypeAlias = Literal["deflect", "evade", "parry"]
SECONDS: dict[str, int] = {  # mars.action.speeds
    "full-round": 6,
    "standard": 4,
    "swift": 2,
    "free": 0,
    "reaction": 0,
    "free_reaction": 0,
}
SLOWER = {"free": "swift", "swift": "standard", "standard": "full-round"}  # mars.maneuver.improvise
TURN_SECONDS = 6
MULTIPLE_ATTACK_PENALTY, SWIFT_PENALTY = 4, 3
IMPROVISED, IMPROVISED_STAMINA = -2, 1

ToHit: TypeAlias = Annotated[RollValue, Param("roll to hit: DEX and skill with all modifiers")]
Defending: TypeAlias = Annotated[RollValue, Param("roll of the defender, which is the difficulty")]
Threshold: TypeAlias = Annotated[int, Param("margin above the difficulty for a critical hit", 1, 20)]
Grazing: TypeAlias = Annotated[bool, Param("whether a graze hits; not against evade or parry")]
Resist: TypeAlias = Annotated[RollValue | None, Param("roll of the target against a maneuver's effect; none without")]
Damaging: TypeAlias = Annotated[RollValue, Param("the damage, weapon and STR merged, such as r18+1")]


class Turned(NamedTuple):
    """Advantage and disadvantage of defence and resist."""

    defence_advantage: Advantage = 0
    defence_disadvantage: Disadvantage = 0
    resist_advantage: Advantage = 0
    resist_disadvantage: Disadvantage = 0

    @property
    def defence(self) -> tuple[int, int]:
        """Advantage and disadvantage of the defence."""
        return self.defence_advantage, self.defence_disadvantage

    @property
    def resist(self) -> tuple[int, int]:
        """Advantage and disadvantage of the resist."""
        return self.resist_advantage, self.resist_disadvantage


NEITHER = Turned()


class Strike(NamedTuple):
    """Degree of an attack, and of the same total against the resist where there is one."""

    degree: Degree
    resisted: Degree | None = None


def hit_degree(margin: int, threshold: int = THRESHOLD, grazing: bool = True) -> Degree:
    """The degree of an attack that beats the defence by ``margin``.

    >>> hit_degree(6, threshold=6), hit_degree(-2, grazing=False)
    (<Degree.CRITICAL: 'critical'>, <Degree.FAILURE: 'failure'>)
    """
    if margin >= 0:
        return Degree.CRITICAL if margin >= threshold else Degree.SUCCESS
    degree = degree_of(margin)
    return degree if grazing else Degree.FAILURE


@chance
def _hits(strike: Strike) -> int:
    return int(strike.degree is not Degree.FAILURE)


STRIKE_OBJECTIVES = {
    "hit": _hits,
    "success": chance(lambda strike: int(strike.degree.succeeds)),
    "critical": chance(lambda strike: int(strike.degree is Degree.CRITICAL)),
    "effect": chance(lambda strike: int(strike.resisted is not None and strike.resisted.succeeds)),
}


@mechanic(
    rules=["mars.attack.hit", "mars.opposed.difficulty_setting", "mars.maneuver.resist"], objectives=STRIKE_OBJECTIVES
)
@flatten_settings
async def defend(
    total: Annotated[int, Param("the total of the attack", -999, 999)],
    defence: Defending,
    threshold: Threshold = THRESHOLD,
    grazing: Grazing = True,
    resist: Resist = None,
    turned: Turned = NEITHER,
    dice: DiceRules = PLAIN,
) -> Strike:
    """An attack has come to a total: roll the defence against it and, if it hits, the resist against the same total."""
    defending = total_of(defence, *turned.defence, *dice).by_opponent()
    if resist is None:
        return await finish(defending.map(lambda against: Strike(hit_degree(total - against, threshold, grazing))))
    degree = await defending.map(lambda against: hit_degree(total - against, threshold, grazing))
    if degree is Degree.FAILURE:
        return Strike(degree)
    resisting = total_of(resist, *turned.resist, *dice).by_opponent()
    return await finish(resisting.map(lambda against: Strike(degree, degree_of(total - against))))


@mechanic(
    rules=[
        "mars.attack.procedure",
        "mars.attack.hit",
        "mars.opposed.difficulty_setting",
        "mars.defence.deflection_default",
        "mars.defence.evade",
        "mars.defence.parry",
        "mars.maneuver.resist",
    ],
    objectives=STRIKE_OBJECTIVES,
)
@flatten_settings
async def to_hit(
    attack: ToHit,
    defence: Defending,
    threshold: Threshold = THRESHOLD,
    grazing: Grazing = True,
    resist: Resist = None,
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    turned: Turned = NEITHER,
    dice: DiceRules = PLAIN,
) -> Strike:
    """Attack: the defender's total is the difficulty. A graze or better hits, but who evades or parries is not grazed.

    Where a maneuver has a resist, a target that was hit rolls it against the same attack total.
    """
    acting = total_of(attack, advantage, disadvantage, *dice)
    if resist is None:
        defending = total_of(defence, *turned.defence, *dice).by_opponent()
        return await finish(minus(acting, defending).map(lambda margin: Strike(hit_degree(margin, threshold, grazing))))
    return await acting.into(lambda total: defend(total, defence, threshold, grazing, resist, *turned, *dice))


# ---------------------------------------------------------------------- the whole attack


class Attacked(NamedTuple):
    """Outcome of an attack, through to the losses."""

    degree: Degree
    defence: Defence = "deflect"
    blocked: bool = False
    damage: int = 0
    shield: int = 0
    stamina: int = 0
    fate: Fate = Fate.STANDS


FALLS = 10
"""Value of bringing a foe down, in points of damage."""


def _worth(attacked: Attacked) -> int:
    felled = 0 if attacked.fate is Fate.STANDS else FALLS
    return 2 * (attacked.damage + felled) + attacked.shield + 2 * attacked.stamina


@mechanic(
    rules=[
        "mars.attack.procedure",
        "mars.defence.deflection_default",
        "mars.defence.evade",
        "mars.defence.parry",
        "mars.defence.block",
        "mars.damage.pipeline",
        "mars.damage.endurance_first",
        "mars.damage.thresholds",
        "mars.damage.nonlethal",
    ],
    objectives={
        "worth": _worth,
        "damage": lambda attacked: attacked.damage,
        "hit": chance(lambda attacked: int(attacked.degree is not Degree.FAILURE)),
        "felled": chance(lambda attacked: int(attacked.fate is not Fate.STANDS)),
    },
)
@flatten_settings
async def attack(
    attack: ToHit,
    deflection: Annotated[RollValue, Param("DEF of the target")],
    damage_roll: Damaging,
    reduction: Reduction = 0,
    critical_bonus: CriticalBonus = 0,
    evasion: Annotated[RollValue | None, Param("EVA of the target, if it can evade")] = None,
    parry: Annotated[RollValue | None, Param("parry value of the target, added to DEF; none without")] = None,
    block: Block = None,
    durability: Durability = 0,
    stamina: Annotated[int, Param("stamina of the target; every defence but deflection costs 1", 0, 99)] = 99,
    endurance: Annotated[int, Param("endurance of the target", 0, 999)] = 0,
    health: Annotated[int, Param("health of the target", -999, 999)] = 999,
    max_health: Annotated[int, Param("the most health of the target, for nonlethal weapons", 0, 999)] = 999,
    nonlethal: Annotated[bool, Param("whether the weapon is nonlethal")] = False,
    threshold: Threshold = THRESHOLD,
    category: Kind = "physical",
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    defence_declaration: Annotated[DefenceDeclaration, Param("when the defence is declared")] = "before_rolls",
    half_double_mix: Mix = "ladder",
    block_min_damage: BlockMin = 1,
    crit_ignores_block: CritIgnoresBlock = False,
    typeless_ignores_block: TypelessIgnoresBlock = True,
    dice: DiceRules = PLAIN,
) -> Attacked:
    """A whole attack: the target deflects, evades or parries, perhaps blocks what hits, and loses endurance and health.

    To evade, to parry and to block cost 1 stamina each; the target weighs that against the damage.
    """
    ways: list[Defence] = ["deflect"]
    if stamina > 0:
        ways += ["evade"] if evasion is not None else []
        ways += ["parry"] if parry is not None else []
    total: int | None = None
    if defence_declaration == "after_attack_roll":
        total = await total_of(attack, advantage, disadvantage, *dice)
    how = ways[0] if len(ways) == 1 else await choose(Role.OPPONENT, "how to defend", ways)
    defence = deflection
    if how == "evade" and evasion is not None:
        defence = evasion
    elif how == "parry" and parry is not None:
        defence = RollValue.merge([deflection, parry])
    grazing = how == "deflect"
    if total is None:
        situation = {"advantage": advantage, "disadvantage": disadvantage}
        strike = await to_hit(attack, defence, threshold, grazing, **situation, **dice._asdict())
    else:
        strike = await defend(total, defence, threshold, grazing, **dice._asdict())
    spent = int(how != "deflect")
    if strike.degree is Degree.FAILURE:
        return Attacked(strike.degree, how, stamina=spent)
    blocking = False
    if block is not None and durability > 0 and stamina > spent:
        blocking = await yes_no(Role.OPPONENT, "block", cost_text="1 stamina")
        spent += blocking
    hurt = damage(
        damage_roll,
        strike.degree,
        reduction,
        critical_bonus,
        category,
        block if blocking else None,
        durability,
        half_double_mix=half_double_mix,
        block_min_damage=block_min_damage,
        crit_ignores_block=crit_ignores_block,
        typeless_ignores_block=typeless_ignores_block,
        **dice._asdict(),
    )

    def lost(harm: Harm) -> Attacked:
        fate = Fate.STANDS
        if harm.character:
            left = lose(harm.character, endurance, health)
            fate = fate_of(*left, nonlethal=nonlethal, most_health=max_health)
        return Attacked(strike.degree, how, blocking, harm.character, min(harm.shield, durability), spent, fate)

    return await finish(hurt.map(lost))


# ---------------------------------------------------------------------- maneuvers


class Resisted(NamedTuple):
    """Remaining effect of a maneuver: whether it takes hold, and its rounds (none: without duration)."""

    takes_hold: bool
    rounds: int | None = None


def resisted(degree: Degree | None, rounds: int | None) -> Resisted:
    """Effect after the resist: all of it, half of its duration, or nothing.

    >>> resisted(Degree.GRAZE, 2), resisted(Degree.GRAZE, None)
    (Resisted(takes_hold=True, rounds=1), Resisted(takes_hold=False, rounds=None))
    """
    if degree is None or degree is Degree.FAILURE:
        return Resisted(False)
    if degree is not Degree.GRAZE:
        return Resisted(True, rounds)
    half = (rounds or 0) // 2
    return Resisted(True, half) if half else Resisted(False)


@mechanic(rules=["mars.maneuver.resist"], objectives={"effect": chance(lambda result: int(result.takes_hold))})
@flatten_settings
async def resist(
    total: Annotated[int, Param("the total of the attack or check", -999, 999)],
    roll_value: Annotated[RollValue, Param("roll of the target to resist")],
    rounds: Annotated[int | None, Param("rounds of the effect; none for one without duration", 1, 1000)] = None,
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    dice: DiceRules = PLAIN,
) -> Resisted:
    """The target of a maneuver resists: a success of the attacker has the full effect, a graze half of its duration.

    An effect without duration is lost on a graze.
    """
    against = total_of(roll_value, advantage, disadvantage, *dice).by_opponent()
    return await finish(against.map(lambda shown: resisted(degree_of(total - shown), rounds)))


# ---------------------------------------------------------------------- what to make of a turn


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
async def attack_routine(
    attack: ToHit,
    defence: Annotated[RollValue, Param("roll of the target, usually DEF")],
    damage_roll: Damaging,
    reduction: Reduction = 0,
    critical_bonus: CriticalBonus = 0,
    threshold: Threshold = THRESHOLD,
    penalty: Annotated[int, Param("the penalty for each attack before, 4 or 3 with a swift weapon", 0, 20)] = 4,
    seconds: Annotated[int, Param("seconds of the turn that are left", 0, 6)] = TURN_SECONDS,
    left: Annotated[int, Param("endurance and health that the target has left", 1, 200)] = 100,
    stamina: Annotated[int, Param("stamina of the attacker", 0, 99)] = 0,
    maneuver_hit: Annotated[int, Param("modifier of the maneuver to hit", -20, 20)] = 0,
    maneuver_damage: Annotated[int, Param("modifier of the maneuver to damage", -50, 50)] = 0,
    maneuver_threshold: Annotated[int, Param("modifier of the maneuver to the critical threshold", -6, 6)] = 0,
    maneuver_stamina: Annotated[int, Param("stamina that the maneuver costs", 0, 20)] = 1,
    maneuver_speed: Annotated[ActionSpeed, Param("action speed of the maneuver")] = "standard",
    improvised: Annotated[bool, Param("whether the maneuver is improvised")] = False,
    maneuver_resist: Resist = None,
    effect_worth: Annotated[int, Param("value of the maneuver's effect in points of damage", 0, 99)] = 0,
) -> Routine:
    """A turn against one target: attack as often as time allows, each time with more penalty, or do a maneuver once.

    One strong blow or three with the penalty; a maneuver that is known, or one that is improvised. Its effect counts as
    so many points of damage as it is said to be worth.
    """
    takes, costs = time_and_cost(maneuver_speed, maneuver_stamina, improvised)
    strong_hit = maneuver_hit + IMPROVISED * improvised
    strong = (strong_hit, maneuver_damage, maneuver_threshold, takes, costs, maneuver_resist, effect_worth)
    always = (attack, defence, damage_roll, reduction, critical_bonus, threshold, penalty, *strong)
    return await become(routine_from(*always, seconds, stamina, left, 0, 0, 0, False, False))


@mechanic(rules=["mars.attack.multiple_attack_penalty", "mars.maneuver.use_limit"], objectives=ROUTINE_OBJECTIVES)
async def routine_from(
    attack: RollValue,
    defence: RollValue,
    damage_roll: RollValue,
    reduction: int,
    critical_bonus: int,
    threshold: int,
    penalty: int,
    strong_hit: int,
    strong_damage: int,
    strong_threshold: int,
    takes: int,
    costs: int,
    strong_resist: RollValue | None,
    effect_worth: int,
    seconds: int,
    stamina: int,
    left: int,
    made: int,
    dealt: int,
    spent: int,
    used: bool,
    effect: bool,
) -> Routine:
    """A turn of attacks from any point of it on."""
    options: list[Doing] = []
    if seconds >= SECONDS["swift"]:
        options.append("attack")
    if not used and seconds >= takes and stamina >= costs:
        options.append("maneuver")
    if left == 0 or not options:
        return Routine(dealt, spent, effect, left == 0)
    doing = options[0] if len(options) == 1 else await choose(Role.ACTOR, "what next", options, details={"made": made})
    strong = doing == "maneuver"
    rolled = RollValue(attack.n, attack.modifier - penalty * made + (strong_hit if strong else 0))
    wound = RollValue(damage_roll.n, damage_roll.modifier + (strong_damage if strong else 0))
    edge = max(1, threshold + strong_threshold) if strong else threshold
    against = strong_resist if strong else None
    strike = await to_hit(rolled, defence, edge, True, against)
    took, paid = (takes, costs) if strong else (SECONDS["swift"], 0)
    holds = strong and bool(_hits(strike)) and (strike.resisted is None or strike.resisted.succeeds)
    always = (attack, defence, damage_roll, reduction, critical_bonus, threshold, penalty)
    maneuver = (strong_hit, strong_damage, strong_threshold, takes, costs, strong_resist, effect_worth)

    def following(harm: Harm) -> Call[Routine]:
        hurt = min(harm.character, left)
        return routine_from(
            *always,
            *maneuver,
            seconds - took,
            stamina - paid,
            left - hurt,
            made + 1,
            dealt + hurt + (effect_worth if holds else 0),
            spent + paid,
            used or strong,
            effect or holds,
        )

    return await damage(wound, strike.degree, reduction, critical_bonus).into(following)


@mechanic(
    rules=["mars.check.group_action", "mars.surprise.who_acts", "mars.gap.check.awareness"], objectives={"aware": int}
)
@flatten_settings
async def awareness(
    perception: Annotated[RollValue, Param("perception and DEX of the observer")],
    agilities: Annotated[
        tuple[RollValue, ...],
        Param("agility and DEX of each one who sneaks, or a total as r0+8; the worst counts"),
    ],
    advantage: Advantage = 0,
    disadvantage: Disadvantage = 0,
    dice: DiceRules = PLAIN,
) -> bool:
    """Whether an observer notices those who sneak up: perception against the worst of their agility totals."""
    if not 1 <= len(agilities) <= MOST_SNEAKING:
        raise InvalidInputError(f"{len(agilities)} sneak up; 1 to {MOST_SNEAKING} can", field="agilities")
    noticing = total_of(perception, advantage, disadvantage, *dice)
    if not any(agility.n for agility in agilities):  # all is known: nothing is rolled for it
        known = min([agility.modifier for agility in agilities])
        return await finish(noticing.map(lambda shown: shown >= known))
    worst: Request[int] = total_of(agilities[0], 0, 0, *dice)
    for agility in agilities[1:]:
        worst = both(worst, total_of(agility, 0, 0, *dice), min)
    return await finish(minus(noticing, worst.by_opponent()).map(lambda margin: margin >= 0))


MOST_SNEAKING = 20

ATTACK_MECHANICS: tuple[Mechanic[..., Any], ...] = (
    attack,
    to_hit,
    defend,
    resist,
    attack_routine,
    awareness,
)
