"""Mechanics of an attack, from the roll to the damage.

:data:`attack` goes from the targets of both sides through to what is lost: the ordered check (:mod:`.clashing`) and
:data:`hurt`, from the dice of damage to lying on the ground.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.dice import BestOf, Sum
from tablewright.dice.source import Die
from tablewright.engine import Call, Mechanic, Param, Request, Role, become, chance, choose, finish, mechanic, yes_no
from tablewright.engine import roll as throw
from tablewright.engine.settings import flatten_settings
from tablewright.systems.renaissance.mechanics.checks import (
    Daring,
    LuckLimit,
    Penalties,
    Target,
    before_roll,
    luck_for_one,
)
from tablewright.systems.renaissance.mechanics.clash import Defences, Luck, TheirLuck, clash, met
from tablewright.systems.renaissance.mechanics.defences import Clash
from tablewright.systems.renaissance.mechanics.harm import (
    CHECK_20,
    NO_RESERVE,
    PLAIN,
    PLAIN_ATTACK,
    PLAIN_INJURY,
    PRECISE,
    FightRules,
    Hurt,
    Injuries,
    InjuryRules,
    Strike,
    damage_of,
    fresh_penalty,
    multiple_penalty,
    wounds_of,
)
from tablewright.systems.renaissance.values import D_PERCENT, DV, Regrade, flipped

# ---------------------------------------------------------------------- what a hit does


class Kept(NamedTuple):
    """Result of a target's own check, and the Luck that was spent on it."""

    passed: bool
    luck: int


@mechanic(
    rules=[
        "renaissance.injury.knockdown",
        "renaissance.luck.ignore_penalties",
        "renaissance.luck.flip",
        "renaissance.luck.limit",
        "renaissance.gap.class.daredevil",
    ],
    objectives={"worth": lambda kept: 3 * kept.passed - kept.luck, "passed": chance(lambda kept: int(kept.passed))},
)
async def keep_up(
    target: Target,
    penalties: Penalties = 0,
    luck: Annotated[int, Param("Luck points that may be spent", 0, 20, unseen=0)] = 0,
    checks: Annotated[int, Param("how many checks there are; one failure is enough", 1, 50)] = 1,
    daring: Daring = 0,
    luck_per_check: LuckLimit = None,
    spent: Annotated[int, Param("Luck points spent already", 0, 20)] = 0,
) -> Kept:
    """A check that is passed or failed, such as SOM x3 against falling, with Luck before the roll or to flip it."""
    points = luck_for_one(luck, luck_per_check)
    asked = "ignore the penalties on the check"
    goal, taken = await before_roll(Role.ACTOR, points, target, penalties, daring, asked)
    if taken == points:
        passed = await throw(D_PERCENT).map(lambda rolled: rolled <= goal)
    else:
        passed, could = await throw(D_PERCENT).map(lambda rolled: (rolled <= goal, flipped(rolled) <= goal))
        if not passed and could and await yes_no(Role.ACTOR, "flip the failed check", cost_text="1 Luck"):
            passed, taken = True, taken + 1
    if passed and checks > 1:
        further = (luck - taken, checks - 1, daring, luck_per_check, spent + taken)
        return await become(Call(keep_up, (target, penalties, *further)))
    return Kept(passed, spent + taken)


def damage_dice(dice: int, extra: int, seat: Role) -> Request[int]:
    """The dice of damage, rolled more than once where the best or the worst total counts."""
    rolled = Sum.copies(dice, Die(10), 0)
    return throw(rolled if not extra else BestOf(rolled, abs(extra) + 1, highest=extra > 0), seat)


Armor: TypeAlias = Annotated[int, Param("the total Armor of the target", 0, 99)]
Piercing: TypeAlias = Annotated[int, Param("armor penetration (AP)", 0, 99)]
Threshold: TypeAlias = Annotated[int, Param("the Wound Threshold (WT) of the target", 0, 99)]
Vulnerability: TypeAlias = Annotated[
    int, Param("vulnerabilities less resistances of the target that match the attack", -5, 5)
]
Balance: TypeAlias = Annotated[
    int | None, Param("SOM x3 of the target with its present penalties; none if it lies already", -500, 500)
]
BalancePenalties: TypeAlias = Annotated[int, Param("how much of that its penalties take away", 0, 500)]
Negated: TypeAlias = Annotated[int, Param("how many wounds to come give the target no penalty", 0, 50)]
Footing: TypeAlias = Annotated[int | None, Param("SOM x2 of the target where it can be knocked down", -500, 500)]
Left: TypeAlias = Annotated[
    int, Param("how much damage the target can still take before it is disabled", 0, NO_RESERVE, unseen=NO_RESERVE)
]


@mechanic(
    rules=[
        "renaissance.armor.damage",
        "renaissance.attack.critical",
        "renaissance.resistance.option_1",
        "renaissance.resistance.option_4",
        "renaissance.injury.wounds",
        "renaissance.injury.knockdown",
        "renaissance.injury.negate",
        "renaissance.strike.knock_down",
    ],
    objectives={
        "worth": lambda hurt: worth(hurt.damage, hurt.wounds, hurt.prone, hurt.felled) + 60 * hurt.luck,
        "damage": lambda hurt: hurt.damage,
        "wounds": lambda hurt: hurt.wounds,
    },
    closed=Injuries,
)
@flatten_settings
async def hurt(
    dv: Annotated[DV, Param("the DV with every flat bonus, such as 2d10+6")],
    armor: Armor = 0,
    ap: Piercing = 0,
    critical: Annotated[bool, Param("whether the attack was critical")] = False,
    vulnerability: Vulnerability = 0,
    less: Annotated[int, Param("how much the DV is less because of the distance from a blast", 0, 999)] = 0,
    wound_threshold: Threshold = 6,
    balance: Balance = 60,
    balance_penalties: BalancePenalties = 0,
    negated: Negated = 0,
    footing: Footing = None,
    left: Left = NO_RESERVE,
    luck: Annotated[int, Param("Luck points of the target", 0, 20, unseen=0)] = 0,
    daring: Daring = 0,
    luck_per_check: LuckLimit = None,
    struck: Annotated[bool, Param("whether an attacker throws the dice of damage")] = False,
    rules: InjuryRules = PLAIN_INJURY,
) -> Hurt:
    """Damage from the dice to the wounds: dice, flat bonuses, blast, resistance, armor; then who is wounded may fall.

    SOM x3 is checked for a wound, and SOM x2 where a blow knocks down; new wounds count for both, but for those
    that are negated. Who lies on the ground already has nothing to check.
    """
    ignores_armor = critical and rules.critical_attack == "ignore_armor"
    extra = int(critical and not ignores_armor)
    if rules.resistance_rule == "reroll_damage":
        extra += vulnerability
    scale = vulnerability if rules.resistance_rule == "scale_dv" else 0
    taken = damage_of(dv, less, scale, 0 if ignores_armor else armor, ap)
    thrower = Role.OPPONENT if struck else Role.ACTOR
    damage = await damage_dice(dv.dice, extra, thrower).map(taken) if dv.dice else taken(0)
    wounds = wounds_of(damage, wound_threshold, rules.wound_boundary)
    felled = damage >= left
    if felled or balance is None or (not wounds and footing is None):
        return Hurt(damage, wounds, False, felled)
    penalty = fresh_penalty(wounds, negated)
    stands, less = Kept(True, 0), balance_penalties + penalty
    if wounds:
        checks = wounds if rules.wound_check == "per_wound" else 1
        stands = await keep_up(balance - penalty, less, luck, checks, daring, luck_per_check)
    if footing is not None and stands.passed:
        spent = stands.luck
        stands = await keep_up(footing - penalty, less, luck - spent, 1, daring, luck_per_check, spent)
    return Hurt(damage, wounds, not stands.passed, False, stands.luck)


# ---------------------------------------------------------------------- the whole attack


class Attacked(NamedTuple):
    """Result of an attack, including losses and points spent.

    ``strike`` is the special attack that was tried, ``effect`` whether its result came about; ``holds`` is so where a
    target is grabbed instead of hurt.
    """

    hit: bool
    strike: str = ""
    effect: bool = False
    special: bool = False
    critical: bool = False
    damage: int = 0
    wounds: int = 0
    prone: bool = False
    felled: bool = False
    luck: int = 0
    their_luck: int = 0
    holds: bool = False


class Striking(NamedTuple):
    """A strike as an option that can be read, with or without Luck to ignore all penalties and to dare.

    ``target`` is that of the attack then, where it is known.
    """

    strike: Strike
    ignores: bool = False
    dares: bool = False
    target: int | None = None

    @property
    def id(self) -> str:
        """Id of the option."""
        words = [self.strike.id, "ignore_penalties" * self.ignores, "dare" * self.dares]
        return ":".join([word for word in words if word])

    @property
    def label(self) -> str:
        """With its target, or with its penalty."""
        named = self.strike.id.replace("_", " ") if self.strike.result else "a plain attack"
        told = f" at {self.target}" if self.target is not None else ""
        if not told and self.strike.result:
            told = f" ({self.strike.penalty})"
        return f"{named}{told}{', ignoring penalties' * self.ignores}{', daring it' * self.dares}"

    @property
    def spent(self) -> int:
        """The points of Luck that it takes."""
        return int(self.ignores) + int(self.dares)

    @property
    def cost(self) -> str:
        """Points of Luck, or nothing."""
        return f"{self.spent} Luck" if self.spent else ""


def strikable(
    strikes: tuple[Strike, ...],
    penalties: int,
    luck: int,
    *,
    plain: bool = True,
    daring: int = 0,
    target: int | None = None,
) -> list[Striking]:
    """A plain attack and the strikes as options, those with penalties also with a point to ignore them.

    Daredevils can do each of it with one more point (renaissance.gap.class.daredevil). Each option tells its target
    where that of the plain attack is given.
    """
    return list(_strikable(strikes, penalties, luck, plain, daring, target))


@lru_cache(maxsize=16_384)
def _strikable(
    strikes: tuple[Strike, ...], penalties: int, luck: int, plain: bool, daring: int, target: int | None
) -> list[Striking]:
    offered = (PLAIN_ATTACK, *strikes) if plain or not strikes else strikes

    def aimed(strike: Strike, ignores: bool, dares: bool) -> int | None:
        return None if target is None else target + aimed_by(strike, penalties, ignores, daring * dares)

    found = [
        Striking(Strike(*one), ignores, dares, aimed(one, ignores, dares))
        for one in offered
        for dares in ((False, True) if daring and luck else (False,))
        for ignores in ((False, True) if luck and penalties - one.penalty > 0 else (False,))
    ]
    return [one for one in found if one.spent <= luck]


def aimed_by(strike: Strike, penalties: int, ignores: bool, dared: int) -> int:
    """Target of an attack after its strike and the Luck spent before the roll."""
    return (penalties if ignores else strike.penalty) + dared


FELLED, WOUND, PRONE, LUCK_POINT, MAIMED = 120, 30, 25, 60, 60
"""Worth of bringing down, a wound, a fall, a point of Luck and a lost limb; a point of damage is worth 10."""


def worth(damage: int, wounds: int, prone: bool, felled: bool) -> int:
    """Worth of harm to the attacker."""
    return 10 * damage + WOUND * wounds + PRONE * prone + FELLED * felled


def _attack_worth(attacked: Attacked) -> int:
    done = worth(attacked.damage, attacked.wounds, attacked.prone, attacked.felled)
    maimed = MAIMED if attacked.strike == "maim" and attacked.effect else 0
    return done + maimed + LUCK_POINT * (attacked.their_luck - attacked.luck)


OBJECTIVES = {
    "worth": _attack_worth,
    "damage": lambda attacked: attacked.damage,
    "hit": chance(lambda attacked: int(attacked.hit)),
    "wounds": lambda attacked: attacked.wounds,
    "prone": chance(lambda attacked: int(attacked.prone)),
    "felled": chance(lambda attacked: int(attacked.felled)),
    "effect": chance(lambda attacked: int(attacked.effect)),
}


@mechanic(
    rules=[
        "renaissance.attack.procedure",
        "renaissance.attack.mos_bonus",
        "renaissance.attack.critical",
        "renaissance.strike.procedure",
        "renaissance.strike.declare",
        "renaissance.strike.luck",
        "renaissance.strike.mighty_blow",
        "renaissance.strike.armor_gap",
        "renaissance.grab.mos_over_str",
        "renaissance.luck.ignore_penalties",
        "renaissance.luck.limit",
        "renaissance.gap.class.daredevil",
        "renaissance.gap.class.intuitive_fighter",
        "renaissance.resistance.option_2",
        "renaissance.resistance.option_3",
    ],
    objectives=OBJECTIVES,
)
@flatten_settings
async def attack(
    target: Target,
    dv: Annotated[DV, Param("the DV with every flat bonus, such as 2d10+6")],
    defences: Defences = (),
    armor: Armor = 0,
    ap: Piercing = 0,
    wound_threshold: Threshold = 6,
    balance: Balance = 60,
    balance_penalties: BalancePenalties = 0,
    negated: Negated = 0,
    footing: Annotated[int, Param("SOM x2 of the target, against being knocked down", -500, 500)] = 40,
    left: Left = NO_RESERVE,
    penalties: Penalties = 0,
    luck: Luck = 0,
    their_luck: TheirLuck = 0,
    strikes: Annotated[tuple[Strike, ...], Param("the strikes that may be tried, such as maim:-20")] = (),
    damage_bonus: Annotated[int, Param("DB of the attacker, for strikes", 0, 99)] = 0,
    vulnerability: Vulnerability = 0,
    precision: Annotated[int, Param("the same for attacks with the Precision tag besides", -5, 5)] = 0,
    holds: Annotated[int | None, Param("the STR that the margin exceeds to grab instead of to hurt", 0, 500)] = None,
    plain: Annotated[bool, Param("whether a plain attack is possible besides the strikes")] = True,
    ignoring: Annotated[bool | None, Param("whether a Luck point ignores the penalties; none to choose")] = None,
    daring: Daring = 0,
    dares: Annotated[bool | None, Param("whether such a point is spent; none to choose")] = None,
    their_daring: Annotated[int, Param("bonus of a point before a roll for a target who is a daredevil", 0, 100)] = 0,
    graded: Annotated[bool, Param("whether the attack can be exceptional or critical")] = True,
    luck_per_check: LuckLimit = None,
    rules: FightRules = PLAIN,
    injury: InjuryRules = PLAIN_INJURY,
) -> Attacked:
    """A whole attack: strike or plain, Luck before and after, the target's defence, damage, wounds and falling.

    A strike has its penalty in any case, and its result besides the hit where the attack is an exceptional success.
    """
    mine, theirs = luck_for_one(luck, luck_per_check), luck_for_one(their_luck, luck_per_check)
    offered = strikable(strikes, penalties, mine, plain=plain, daring=daring)
    if ignoring is not None:
        offered = [one for one in offered if one.ignores is ignoring] or offered
    if dares is not None:
        offered = [one for one in offered if one.dares is dares] or offered
    how = offered[0] if len(offered) == 1 else await choose(Role.ACTOR, "which strike", offered)
    strike = how.strike
    aimed = target + aimed_by(strike, penalties, how.ignores, daring * how.dares)
    matching = vulnerability + (precision if strike.result in PRECISE else 0)
    regrade = Regrade.NONE if graded else Regrade.UNGRADED
    met = tuple([one._replace(daring=their_daring) for one in defences]) if their_daring else defences
    if graded and matching and injury.resistance_rule == "regrade":
        regrade = Regrade.UPGRADE if matching > 0 else Regrade.DOWNGRADE
    elif matching and injury.resistance_rule == "check_20":
        met = tuple([one.lessened(CHECK_20 * matching) for one in met])
    result = strike.result

    def then(clashed: Clash) -> Call[Attacked]:
        spent: dict[str, int] = {"luck": clashed.luck, "their_luck": clashed.their_luck}
        if not clashed.hit:
            return landed(False, dv, result, **spent)
        if holds is not None and clashed.margin > holds:
            return landed(True, DV(0), **spent, holds=True)
        effect = clashed.special and result != ""
        plus = clashed.bonus + (damage_bonus if effect and result == "mighty_blow" else 0)
        hit = (
            True,
            dv._replace(plus=dv.plus + plus),
            result,
            effect,
            clashed.special,
            clashed.critical,
            armor,
            ap + (damage_bonus if effect and result == "armor_gap" else 0),
            wound_threshold,
            balance,
            balance_penalties,
            negated,
            footing if effect and result == "knock_down" else None,
            left,
            *spent.values(),
            their_luck - clashed.their_luck,
            matching,
            False,
            their_daring,
            luck_per_check,
            *injury,
        )
        return Call(landed, hit)

    sides = (aimed, met, mine - how.spent, theirs, regrade, holds is not None, how.spent, 0)
    return await Call(clash, (*sides, *rules)).into(then)


@mechanic(rules=["renaissance.attack.procedure", "renaissance.armor.damage"], objectives=OBJECTIVES)
@flatten_settings
async def landed(
    hit: Annotated[bool, Param("whether it hits")],
    dv: Annotated[DV, Param("the DV with everything that the attack adds")],
    strike: Annotated[str, Param("the result of the strike that was declared; nothing for a plain attack")] = "",
    effect: Annotated[bool, Param("whether the strike comes about")] = False,
    special: Annotated[bool, Param("whether the attack serves as an exceptional success")] = False,
    critical: Annotated[bool, Param("whether it is critical")] = False,
    armor: Armor = 0,
    ap: Piercing = 0,
    wound_threshold: Threshold = 6,
    balance: Balance = 60,
    balance_penalties: BalancePenalties = 0,
    negated: Negated = 0,
    footing: Footing = None,
    left: Left = NO_RESERVE,
    luck: Annotated[int, Param("Luck that the attacker has spent", 0, 20)] = 0,
    their_luck: Annotated[int, Param("Luck that the target has spent", 0, 20)] = 0,
    luck_left: Annotated[int, Param("Luck points that the target may still spend", 0, 20, unseen=0)] = 0,
    vulnerability: Vulnerability = 0,
    holds: Annotated[bool, Param("whether it grabs instead of hurting")] = False,
    their_daring: Daring = 0,
    luck_per_check: LuckLimit = None,
    injury: InjuryRules = PLAIN_INJURY,
) -> Attacked:
    """An attack that has met its defence: the effect of a hit on the target."""
    if not hit:
        return Attacked(False, strike, luck=luck, their_luck=their_luck)
    if holds:
        return Attacked(True, luck=luck, their_luck=their_luck, holds=True)
    body = (wound_threshold, balance, balance_penalties, negated, footing, left)
    lucky = (luck_left, their_daring, luck_per_check)
    harm = Call(hurt, (dv, armor, ap, critical, vulnerability, 0, *body, *lucky, True, *injury)).by_opponent()

    def done(hurt: Hurt) -> Attacked:
        spent = their_luck + hurt.luck
        taken = (hurt.damage, hurt.wounds, hurt.prone, hurt.felled)
        return _attacked(True, strike, effect, special, critical, *taken, luck, spent)

    return await finish(harm.map(done))


@lru_cache(maxsize=65_536)
def _attacked(*parts: Any) -> Attacked:
    """Result of an attack; equal results are one object, which is quicker to compare."""
    return Attacked(*parts)


MECHANICS: tuple[Mechanic[..., Any], ...] = (clash, met, keep_up, hurt, landed, attack)


Weapons: TypeAlias = Literal["main", "off", "both"]
WEAPONS: tuple[Weapons, ...] = ("main", "off", "both")
AGAINST_PRONE = 10  # renaissance.prone.effects


class Volleyed(NamedTuple):
    """Combined result of one or two attacks."""

    hits: int
    damage: int = 0
    wounds: int = 0
    prone: bool = False
    felled: bool = False


def _one(attacked: Attacked) -> Volleyed:
    return Volleyed(int(attacked.hit), attacked.damage, attacked.wounds, attacked.prone, attacked.felled)


@mechanic(
    rules=["renaissance.multi.attacks", "renaissance.multi.off_hand", "renaissance.injury.wound_penalty"],
    objectives={
        "worth": lambda done: worth(done.damage, done.wounds, done.prone, done.felled),
        "damage": lambda done: done.damage,
        "hits": lambda done: done.hits,
        "felled": chance(lambda done: int(done.felled)),
    },
)
@flatten_settings
async def two_weapons(
    target: Target,
    dv: Annotated[DV, Param("the DV of the main hand with every flat bonus, such as 2d10+6")],
    off_target: Annotated[int, Param("the target with the off hand, its penalties included", -500, 500)],
    off_dv: Annotated[DV, Param("the DV of the off hand with every flat bonus")],
    defences: Defences = (),
    armor: Armor = 0,
    ap: Piercing = 0,
    off_ap: Annotated[int, Param("armor penetration of the off hand", 0, 99)] = 0,
    wound_threshold: Threshold = 6,
    balance: Balance = 60,
    balance_penalties: BalancePenalties = 0,
    negated: Negated = 0,
    left: Left = NO_RESERVE,
    rules: FightRules = PLAIN,
    injury: InjuryRules = PLAIN_INJURY,
    weapons: Annotated[Weapons | None, Param("the weapons to use; the attacker chooses if none are given")] = None,
) -> Volleyed:
    """Attack with one weapon, or with both of them at -10 each; nobody spends Luck and no strike is tried.

    What the first attack has done counts for the second: wounds hamper the defence, and who lies is easier to hit.
    """
    hand = weapons or await choose(Role.ACTOR, "with which weapons", WEAPONS)
    main, off = (target, dv, ap), (off_target, off_dv, off_ap)

    def blow(arm: tuple[int, DV, int], less: int, before: Volleyed) -> Request[Volleyed]:
        aimed, strength, piercing = arm
        hampered = fresh_penalty(before.wounds, negated)
        met = tuple(
            [one._replace(target=one.target - hampered, penalties=one.penalties + hampered) for one in defences]
        )
        call = attack(
            aimed + less + (AGAINST_PRONE if before.prone else 0),
            strength,
            met,
            armor,
            piercing,
            wound_threshold,
            None if balance is None or before.prone else balance - hampered,
            balance_penalties + hampered,
            max(0, negated - before.wounds),
            left=left if left == NO_RESERVE else max(0, left - before.damage),
            **rules._asdict(),
            **injury._asdict(),
        )
        return call.map(_one).map(lambda after: _added(before, after))

    nothing = Volleyed(0)
    if hand != "both":
        return await finish(blow(main if hand == "main" else off, 0, nothing))
    several = multiple_penalty(2, 1)
    first = await blow(main, several, nothing)
    return first if first.felled else await finish(blow(off, several, first))


def _added(before: Volleyed, after: Volleyed) -> Volleyed:
    return Volleyed(
        before.hits + after.hits,
        before.damage + after.damage,
        before.wounds + after.wounds,
        before.prone or after.prone,
        after.felled,
    )


VOLLEY_MECHANICS: tuple[Mechanic[..., Any], ...] = (two_weapons,)
