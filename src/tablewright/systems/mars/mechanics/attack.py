"""Mechanics of an attack, from the roll to the damage.

:data:`attack` is the whole rule in two stages: it rolls to hit, and a hit goes on as :data:`landed`. Play runs the same
call and stops before the second stage, where the target may block; odds, advice and bots ask for its value.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.engine import (
    Call,
    Mechanic,
    Param,
    Request,
    Role,
    certain,
    chance,
    choose,
    finish,
    mechanic,
    minus,
    yes_no,
)
from tablewright.systems.mars.mechanics.checks import EVEN, PLAIN, Advantage, DiceRules, Disadvantage, Luck, total_of
from tablewright.systems.mars.mechanics.harm import (
    NO_SHIELD,
    UNSCALED,
    USUAL_DAMAGE,
    Blocking,
    Blow,
    CriticalBonus,
    DamageRules,
    Fate,
    Harm,
    Kind,
    Reduction,
    Scaling,
    damage,
    fate_of,
    harm_rolled,
    lose,
)
from tablewright.systems.mars.options import DefenceDeclaration, MarsOptions
from tablewright.systems.mars.values import THRESHOLD, Degree, RollValue, degree_of

Defence: TypeAlias = Literal["deflect", "evade", "parry"]
Declared: TypeAlias = Literal["open", "deflect", "evade", "parry"]
Blocks: TypeAlias = Literal["open", "yes", "no"]
_new = tuple.__new__
"""Faster than the constructor of a record, for results made by the dozen in every attack."""
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


class HitTerms(NamedTuple):
    """Terms of a hit: the critical threshold, grazes, and the resist against the effect of a maneuver."""

    threshold: Threshold = THRESHOLD
    grazing: Grazing = True
    resist: Resist = None


NEITHER, USUAL_TERMS = Turned(), HitTerms()


class Strike(NamedTuple):
    """Degree of an attack, and of the same total against the resist where there is one."""

    degree: Degree
    resisted: Degree | None = None


STRIKES = {degree: Strike(degree) for degree in Degree}
"""Strikes of each degree without a resist."""


def hit_degree(margin: int, threshold: int = THRESHOLD, grazing: bool = True) -> Degree:
    """The degree of an attack that beats the defence by ``margin``.

    >>> hit_degree(6, threshold=6), hit_degree(-2, grazing=False)
    (<Degree.CRITICAL: 'critical'>, <Degree.FAILURE: 'failure'>)
    """
    if margin >= 0:
        return Degree.CRITICAL if margin >= threshold else Degree.SUCCESS
    return degree_of(margin) if grazing else Degree.FAILURE


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
async def defend(
    total: Annotated[int, Param("the total of the attack", -999, 999)],
    defence: Defending,
    terms: HitTerms = USUAL_TERMS,
    turned: Turned = NEITHER,
    dice: DiceRules = PLAIN,
) -> Strike:
    """An attack has come to a total: roll the defence against it and, if it hits, the resist against the same total."""
    threshold, grazing, resist = terms
    defending = total_of(defence, *turned.defence, dice).by_opponent()
    if resist is None:
        return await finish(defending.map(lambda against: STRIKES[hit_degree(total - against, threshold, grazing)]))
    degree = await defending.map(lambda against: hit_degree(total - against, threshold, grazing))
    if degree is Degree.FAILURE:
        return Strike(degree)
    resisting = total_of(resist, *turned.resist, dice).by_opponent()
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
async def to_hit(
    attack: ToHit,
    defence: Defending,
    terms: HitTerms = USUAL_TERMS,
    luck: Luck = EVEN,
    turned: Turned = NEITHER,
    dice: DiceRules = PLAIN,
) -> Strike:
    """Attack: the defender's total is the difficulty. A graze or better hits, but who evades or parries is not grazed.

    Where a maneuver has a resist, a target that was hit rolls it against the same attack total.
    """
    acting = total_of(attack, *luck, dice)
    threshold, grazing, resist = terms
    if resist is None:
        apart = minus(acting, total_of(defence, *turned.defence, dice).by_opponent())
        return await finish(apart.map(lambda margin: STRIKES[hit_degree(margin, threshold, grazing)]))
    return await acting.into(lambda total: defend(total, defence, terms, turned, dice))


# ---------------------------------------------------------------------- the whole attack


class Attempt(NamedTuple):
    """The roll of the attacker."""

    attack: ToHit
    threshold: Threshold = THRESHOLD
    luck: Luck = EVEN


class Target(NamedTuple):
    """The rolls of the target: its defences, and its resist against the effect of a maneuver."""

    deflection: Annotated[RollValue, Param("DEF of the target")]
    evasion: Annotated[RollValue | None, Param("EVA of the target, if it can evade")] = None
    parry: Annotated[RollValue | None, Param("parry value of the target, added to DEF; none without")] = None
    resist: Resist = None
    turned: Turned = NEITHER

    def ways(self, stamina: int) -> list[Defence]:
        """The defences that the target can choose from."""
        ways: list[Defence] = ["deflect"]
        if stamina > 0:
            ways += ["evade"] if self.evasion is not None else []
            ways += ["parry"] if self.parry is not None else []
        return ways

    def against(self, how: Defence) -> RollValue:
        """The roll of a defence."""
        if how == "evade" and self.evasion is not None:
            return self.evasion
        if how == "parry" and self.parry is not None:
            return RollValue.merge([self.deflection, self.parry])
        return self.deflection


class Wound(NamedTuple):
    """The damage that a hit would do."""

    damage_roll: Damaging
    critical_bonus: CriticalBonus = 0
    category: Kind = "physical"
    nonlethal: Annotated[bool, Param("whether the weapon is nonlethal")] = False
    damage_advantage: Advantage = 0
    damage_disadvantage: Disadvantage = 0
    scaling: Scaling = UNSCALED


class Body(NamedTuple):
    """The target of a hit: armour, shield and strength that is left."""

    reduction: Reduction = 0
    shield: Blocking = NO_SHIELD
    stamina: Annotated[int, Param("stamina of the target; every defence but deflection costs 1", 0, 99)] = 99
    endurance: Annotated[int, Param("endurance of the target", 0, 999)] = 0
    health: Annotated[int, Param("health of the target", -999, 999)] = 999
    max_health: Annotated[int, Param("the most health of the target, for nonlethal weapons", 0, 999)] = 999


class Settled(NamedTuple):
    """Parts of an attack that are settled already: the total rolled, the defence declared, the block decided."""

    total: Annotated[int | None, Param("total of the attack, if it was rolled before", -999, 999)] = None
    declared: Annotated[Declared, Param("the defence, if it is declared already")] = "open"
    blocks: Annotated[Blocks, Param("whether the shield takes the blow, if that is decided already")] = "open"


class AttackRules(NamedTuple):
    """Settings of a table for attacks, with those for damage and dice."""

    defence_declaration: Annotated[DefenceDeclaration, Param("when the defence is declared")] = "before_rolls"
    damage: DamageRules = USUAL_DAMAGE

    @staticmethod
    def of(options: MarsOptions) -> AttackRules:
        """Settings that a table has chosen."""
        return AttackRules(options.defence_declaration, DamageRules.of(options))


SOUND, OPEN, USUAL = Body(), Settled(), AttackRules()


class Attacked(NamedTuple):
    """Outcome of an attack, through to the losses."""

    degree: Degree
    defence: Defence = "deflect"
    blocked: bool = False
    damage: int = 0
    shield: int = 0
    stamina: int = 0
    fate: Fate = Fate.STANDS
    resisted: Degree | None = None

    @property
    def hits(self) -> bool:
        """True if it was a hit."""
        return self.degree is not Degree.FAILURE


FALLS = 10
"""Value of bringing a foe down, in points of damage."""


def _worth(attacked: Attacked) -> int:
    felled = 0 if attacked.fate is Fate.STANDS else FALLS
    return 2 * (attacked.damage + felled) + attacked.shield + 2 * attacked.stamina


DAMAGE_OBJECTIVES = {
    "worth": _worth,
    "damage": lambda attacked: attacked.damage,
    "shield": lambda attacked: attacked.shield,
}
ATTACK_OBJECTIVES = {
    **DAMAGE_OBJECTIVES,
    "hit": chance(lambda attacked: int(attacked.hits)),
    "critical": chance(lambda attacked: int(attacked.degree is Degree.CRITICAL)),
    "effect": chance(lambda attacked: int(attacked.resisted is not None and attacked.resisted.succeeds)),
    "felled": chance(lambda attacked: int(attacked.fate is not Fate.STANDS)),
}


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
    objectives=ATTACK_OBJECTIVES,
)
async def attack(
    attempt: Attempt,
    target: Target,
    wound: Wound,
    body: Body = SOUND,
    settled: Settled = OPEN,
    rules: AttackRules = USUAL,
) -> Attacked:
    """A whole attack: the target deflects, evades or parries, perhaps blocks what hits, and loses endurance and health.

    To evade, to parry and to block cost 1 stamina each; the target weighs that against the damage.
    """
    dice = rules.damage.dice
    total = settled.total
    if total is None and rules.defence_declaration == "after_attack_roll":
        total = await total_of(attempt.attack, *attempt.luck, dice)
    ways = target.ways(body.stamina) if settled.declared == "open" else [settled.declared]
    how = ways[0] if len(ways) == 1 else await choose(Role.OPPONENT, "how to defend", ways)

    def after(strike: Strike) -> Call[Attacked]:
        if strike.degree is Degree.FAILURE:
            return certain(Attacked(strike.degree, how, stamina=int(how != "deflect")))
        return landed(strike, how, wound, body, settled.blocks, rules.damage)

    return await meeting(attempt, target, how, total, dice).into(after)


@lru_cache(maxsize=4_096)
def meeting(attempt: Attempt, target: Target, how: Defence, total: int | None, dice: DiceRules) -> Call[Strike]:
    """The attack against a defence, rolled now or as a total that is known."""
    against, terms = target.against(how), HitTerms(attempt.threshold, how == "deflect", target.resist)
    if total is None:
        return to_hit(attempt.attack, against, terms, attempt.luck, target.turned, dice)
    return defend(total, against, terms, target.turned, dice)


@mechanic(
    rules=["mars.attack.procedure", "mars.defence.block", "mars.damage.pipeline", "mars.damage.thresholds"],
    objectives=DAMAGE_OBJECTIVES,
)
async def landed(
    strike: Strike, defence: Defence, wound: Wound, body: Body, blocks: Blocks, rules: DamageRules
) -> Attacked:
    """An attack has hit: a shield may come between, then damage is rolled and endurance and health are lost."""
    spent = int(defence != "deflect")
    shield = body.shield
    blocking = blocks == "yes"
    if blocks == "open" and shield.block is not None and shield.durability > 0 and body.stamina > spent:
        blocking = await yes_no(Role.OPPONENT, "block", cost_text="1 stamina")
    spent += blocking
    hurt = wounding(strike.degree, wound, body.reduction, shield if blocking else NO_SHIELD, rules)

    (degree, resisted), endurance, health = strike, body.endurance, body.health
    nonlethal, most_health, durability = wound.nonlethal, body.max_health, shield.durability
    bearable = endurance + max(0, health)  # less damage than this leaves the target standing

    def lost(harm: Harm) -> Attacked:
        through, dealt = harm
        fate = Fate.STANDS
        if through and through >= bearable:
            fate = fate_of(*lose(through, endurance, health), nonlethal, most_health)
        to_shield = min(dealt, durability) if dealt else 0
        return _new(Attacked, (degree, defence, blocking, through, to_shield, spent, fate, resisted))

    return await finish(hurt.map(lost))


def wounding(degree: Degree, wound: Wound, reduction: int, shield: Blocking, rules: DamageRules) -> Request[Harm]:
    """The damage roll of a hit: a call of its own where it is played, and where it is weighed a part of this rule."""
    blow = Blow(degree, reduction, wound.critical_bonus, wound.category)
    luck = Luck(wound.damage_advantage, wound.damage_disadvantage)
    given = wound.damage_roll, blow, shield, luck, wound.scaling, rules
    return harm_rolled(*given).played_as(lambda: damage(*given))


# ---------------------------------------------------------------------- maneuvers


class Resisted(NamedTuple):
    """Remaining effect of a maneuver: whether it applies, and its rounds (None: no duration)."""

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
    against = total_of(roll_value, advantage, disadvantage, dice).by_opponent()
    return await finish(against.map(lambda shown: resisted(degree_of(total - shown), rounds)))


ATTACK_MECHANICS: tuple[Mechanic[..., Any], ...] = (attack, to_hit, defend, resist)
