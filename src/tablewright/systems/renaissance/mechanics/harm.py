"""Mechanics of damage, injury and their aftermath."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import Annotated, NamedTuple, TypeAlias

from tablewright.dice import BestOf, Dist, Sum
from tablewright.dice.source import Die
from tablewright.engine import Param, Request, Role, become, chance, mechanic, yes_no
from tablewright.engine import roll as throw
from tablewright.engine.mechanic import Value
from tablewright.errors import InvalidInputError, parse_whole_number
from tablewright.systems.renaissance.mechanics.checks import (
    Boundary,
    CriticalCounts,
    Daring,
    Downgraded,
    Limit,
    LuckLimit,
    Penalties,
    Target,
    before_roll,
    luck_for_one,
    percent_against,
)
from tablewright.systems.renaissance.mechanics.dice import is_more
from tablewright.systems.renaissance.options import (
    AttackBonusBasis,
    CriticalAttack,
    OrderedFirstFailure,
    ResistanceRule,
    WoundBoundary,
    WoundCheck,
)
from tablewright.systems.renaissance.values import (
    DV,
    Checked,
    Grade,
    counts_as_exceptional,
    flipped,
    is_exceptional_margin,
    limited,
)

STRIKES = ("called_shot", "knock_down", "maim", "mighty_blow", "armor_gap")
BONUS, BONUS_MARGIN = 5, 60  # renaissance.attack.mos_bonus
WOUND_PENALTY = 10  # renaissance.injury.wound_penalty
CHECK_20 = 20  # renaissance.resistance.option_2
NO_RESERVE = 9_999


def _words(text: str, kind: str) -> tuple[str, int, int, int]:
    """`word:number`, `word:number-penalties` or with `+daring` besides, as defences and strikes are written."""
    name, _, number = text.replace(" ", "").partition(":")
    figures, _, dared = number.partition("+")
    target, _, penalties = figures.lstrip("-").partition("-")
    aimed, lost, daring = (
        parse_whole_number(target),
        parse_whole_number(penalties or "0"),
        parse_whole_number(dared or "0"),
    )
    if not name or aimed is None or lost is None or daring is None:
        raise InvalidInputError(f'"{text:.40}" is no {kind}; write {name or "fray"}:50 or {name or "fray"}:50-10')
    return name, aimed * (-1 if number.startswith("-") else 1), lost, daring


class Defence(NamedTuple):
    """One way to defend: by what it is called, its target, and how much of that its penalties take away.

    ``daring`` is what a point of Luck before the roll adds, for daredevils (renaissance.gap.class.daredevil).

    >>> Defence.parse("parry:50-10"), str(Defence("fray", 60)), str(Defence("fray", 60, 10, 20))
    (Defence(name='parry', target=50, penalties=10, daring=0), 'fray:60', 'fray:60-10+20')
    """

    name: str
    target: int
    penalties: int = 0
    daring: int = 0

    @staticmethod
    def parse(text: str) -> Defence:
        """Read `fray:60`, `parry:50-10` or `parry:50-10+20`."""
        return Defence(*_words(text, "defence"))

    def lessened(self, less: int) -> Defence:
        """With so much less on the check, which is a penalty; a gain if negative.

        >>> str(Defence("fray", 60).lessened(20)), str(Defence("fray", 60).lessened(-20))
        ('fray:40-20', 'fray:80')
        """
        return self._replace(target=self.target - less, penalties=self.penalties + max(0, less))

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        lost, dared = f"-{self.penalties}" if self.penalties else "", f"+{self.daring}" if self.daring else ""
        return f"{self.name}:{self.target}{lost}{dared}"


class Strike(NamedTuple):
    """A special attack: what an exceptional success brings, and what it costs on the check.

    ``own`` is the id of a strike that is not called by its result, such as a second way to maim.

    >>> Strike.parse("knock_down:-10"), str(Strike("maim", -20)), str(Strike.parse("maim:-30:hew"))
    (Strike(result='knock_down', penalty=-10, own=''), 'maim:-20', 'maim:-30:hew')
    """

    result: str
    penalty: int
    own: str = ""

    @property
    def id(self) -> str:
        """The name by which it is chosen."""
        return self.own or self.result or "plain"

    @staticmethod
    def parse(text: str) -> Strike:
        """Read `maim:-20`, or `maim:-20:hew` for a strike with a name of its own."""
        first, _, second = text.replace(" ", "").partition(":")
        figure, _, own = second.partition(":")
        name, penalty, *more = _words(f"{first}:{figure}" if second else first, "strike")
        if name not in STRIKES or any(more):
            raise InvalidInputError(f'"{text:.40}" is not a strike; strikes are {", ".join(STRIKES)}, such as maim:-20')
        return Strike(name, penalty, own)

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return f"{self.result}:{self.penalty}{f':{self.own}' if self.own else ''}" if self.result else "plain"


PLAIN_ATTACK = Strike("", 0)
PRECISE = ("called_shot", "maim", "armor_gap")
"""The strikes that give the attack the Precision tag."""


class FightRules(NamedTuple):
    """Options of a table about attacks."""

    exceptional_boundary: Boundary = "over"
    critical_counts_as_exceptional: CriticalCounts = True
    attack_bonus_basis: Annotated[AttackBonusBasis, Param("basis of the extra damage")] = "either"
    ordered_first_failure: Annotated[OrderedFirstFailure, Param("effect of a failed attack roll")] = "lose"
    regrade_limit: Limit = "one_each_cancel"
    downgrade_critical: Downgraded = "to_exceptional"


PLAIN = FightRules()


class InjuryRules(NamedTuple):
    """Options of a table about damage."""

    critical_attack: Annotated[CriticalAttack, Param("effect of a critical attack")] = "roll_twice_best"
    resistance_rule: Annotated[ResistanceRule, Param("effect of resistance and vulnerability")] = "scale_dv"
    wound_boundary: Annotated[WoundBoundary, Param("whether damage equal to the Wound Threshold wounds")] = "literal"
    wound_check: Annotated[WoundCheck, Param("how many checks several wounds ask for")] = "per_event"


PLAIN_INJURY = InjuryRules()


# ---------------------------------------------------------------------- numbers


def attack_bonus(margin: int, grade: Grade, rules: FightRules = PLAIN) -> int:
    """The extra DV of an attack, by its margin and its final grade (renaissance.attack.mos_bonus).

    >>> [attack_bonus(21, Grade.EXCEPTIONAL_SUCCESS), *[attack_bonus(over, Grade.NORMAL_SUCCESS) for over in (45, 61)]]
    [5, 5, 10]
    """
    over_60 = margin > BONUS_MARGIN or (rules.exceptional_boundary == "at_least" and margin == BONUS_MARGIN)
    over_30 = is_exceptional_margin(margin, rules.exceptional_boundary)
    special = counts_as_exceptional(
        Checked(grade, margin), rules.critical_counts_as_exceptional, rules.exceptional_boundary
    )
    if rules.attack_bonus_basis == "mos":
        return BONUS * (over_30 + over_60)
    if rules.attack_bonus_basis == "grade":
        return BONUS * (1 + over_60) if special else 0
    return 2 * BONUS if over_60 else BONUS if over_30 or special else 0


def wounds_of(damage: int, threshold: int, boundary: WoundBoundary = "literal") -> int:
    """Number of wounds from damage taken at one time (renaissance.injury.wounds).

    >>> wounds_of(15, 6), wounds_of(6, 6), wounds_of(6, 6, "at_least"), wounds_of(12, 6)
    (2, 0, 1, 2)
    """
    threshold = max(1, threshold)
    if damage == threshold and boundary == "literal":
        return 0
    return damage // threshold


def fresh_penalty(fresh: int, negated: int) -> int:
    """Penalty of new wounds or traumas on every check, without those that are negated as they come.

    >>> fresh_penalty(2, 0), fresh_penalty(2, 1), fresh_penalty(1, 2)
    (20, 10, 0)
    """
    return WOUND_PENALTY * max(0, fresh - negated)


def scaled(dv: int, vulnerability: int) -> int:
    """DV doubled for each vulnerability, halved and rounded down for each resistance.

    >>> scaled(15, 1), scaled(15, -1), scaled(15, -2)
    (30, 7, 3)
    """
    return dv << vulnerability if vulnerability >= 0 else dv >> -vulnerability


def after_armor(dv: int, armor: int, ap: int) -> int:
    """The damage that is left of a DV: neither armor nor damage goes below 0 (renaissance.armor.damage).

    >>> after_armor(14, 6, 2), after_armor(14, 2, 5), after_armor(3, 8, 1)
    (10, 14, 0)
    """
    return max(0, dv - max(0, armor - ap))


def multiple_penalty(attacks: int, targets: int, *, general: bool = False) -> int:
    """The penalty on each of several attacks, and a further one where they go for several targets.

    >>> multiple_penalty(1, 1), multiple_penalty(2, 1), multiple_penalty(2, 2)
    (0, -10, -20)
    """
    several = -10 if attacks > 1 else 0
    return several - (10 if targets > 1 and (attacks > 1 or general) else 0)


def off_hand_penalty(hand: str, tagged: bool, ambidextrous: bool) -> int:
    """The penalty of an attack with the off hand, more without the Off-Hand tag (renaissance.multi.off_hand).

    >>> [off_hand_penalty("off", tagged, both) for tagged, both in ((True, False), (False, False), (False, True))]
    [-10, -20, 0]
    """
    if hand != "off" or ambidextrous:
        return 0
    return -10 if tagged else -20


FELLED, WOUND, PRONE, LUCK_POINT, MAIMED = 120, 30, 25, 60, 60
"""Worth of bringing down, a wound, a fall, a point of Luck and a lost limb; a point of damage is worth 10."""


def worth(damage: int, wounds: int, prone: bool, felled: bool) -> int:
    """Worth of harm to the attacker."""
    return 10 * damage + WOUND * wounds + PRONE * prone + FELLED * felled


class Hurt(NamedTuple):
    """Result of damage: damage after armor, wounds, falling, and the Luck spent."""

    damage: int
    wounds: int = 0
    prone: bool = False
    felled: bool = False
    luck: int = 0


class Body(NamedTuple):
    """The target of a hit: what protects it, what wounds it, and what keeps it on its feet."""

    armor: Annotated[int, Param("the total Armor of the target", 0, 99)] = 0
    wound_threshold: Annotated[int, Param("the Wound Threshold (WT) of the target", 0, 99)] = 6
    balance: Annotated[
        int | None, Param("SOM x3 of the target with its present penalties; none if it lies already", -500, 500)
    ] = 60
    balance_penalties: Annotated[int, Param("how much of that its penalties take away", 0, 500)] = 0
    negated: Annotated[int, Param("how many wounds to come give the target no penalty", 0, 50)] = 0
    left: Annotated[
        int, Param("how much damage the target can still take before it is disabled", 0, NO_RESERVE, unseen=NO_RESERVE)
    ] = NO_RESERVE


SOUND = Body()
Piercing: TypeAlias = Annotated[int, Param("armor penetration (AP)", 0, 99)]
Vulnerability: TypeAlias = Annotated[
    int, Param("vulnerabilities less resistances of the target that match the attack", -5, 5)
]


class Blow(NamedTuple):
    """A hit on its way to the target."""

    dv: Annotated[DV, Param("the DV with everything that the attack adds, such as 2d10+6")]
    ap: Piercing = 0
    critical: Annotated[bool, Param("whether the attack was critical")] = False
    vulnerability: Vulnerability = 0
    footing: Annotated[int | None, Param("SOM x2 of the target where it can be knocked down", -500, 500)] = None


class Means(NamedTuple):
    """Luck for checks: the points left, the bonus of daring, and the most points that one check may take."""

    luck: Annotated[int, Param("Luck points that may be spent", 0, 20, unseen=0)] = 0
    daring: Daring = 0
    luck_per_check: LuckLimit = None

    def before(self, luck: int, penalties: int) -> list[tuple[int, int]]:
        """Every way to spend so much Luck before a roll: whether penalties are ignored, and whether it is dared."""
        points = luck_for_one(luck, self.luck_per_check)
        dared = (0, 1) if self.daring else (0,)
        ways = [(ignores, dares) for ignores in ((0, 1) if penalties else (0,)) for dares in dared]
        return [way for way in ways if sum(way) <= points]


NO_MEANS = Means()
means_of = lru_cache(maxsize=512)(Means)


Checks: TypeAlias = tuple[tuple[int, int], ...]
"""The checks that have to be passed one after the other, each with its target and what its penalties take away."""


@lru_cache(maxsize=256)
def shown(dice: int, extra: int) -> tuple[tuple[int, int], ...]:
    """Totals of damage dice with weights; of several rolls the best or the worst."""
    if not dice:
        return ((0, 1),)
    rolled = Sum.copies(dice, Die(10), 0)
    return tuple((rolled if not extra else BestOf(rolled, abs(extra) + 1, highest=extra > 0)).weigh().items())


@lru_cache(maxsize=100)
def turning(goal: int) -> int:
    """Number of 100 rolls that fail and succeed with their digits swapped."""
    return sum([number > goal >= flipped(number) for number in range(100)])


def damage_of(dv: DV, less: int, scale: int, armor: int, ap: int) -> Callable[[int], int]:
    """From what the dice show to the damage: flat bonuses, the distance of a blast, resistance, armor."""

    def taken(faces: int) -> int:
        full = (faces + dv.plus) // 2 if dv.half else faces + dv.plus
        return after_armor(scaled(max(0, full - less), scale), armor, ap)

    return taken


def reading(blow: Blow, armor: int, less: int, rules: InjuryRules) -> tuple[int, Callable[[int], int]]:
    """Further rolls of the damage dice, of which the best or the worst counts, and the function to the damage."""
    dv, ap, critical, vulnerability, _ = blow
    ignores_armor = critical and rules.critical_attack == "ignore_armor"
    extra = int(critical and not ignores_armor)
    if rules.resistance_rule == "reroll_damage":
        extra += vulnerability
    scale = vulnerability if rules.resistance_rule == "scale_dv" else 0
    return extra if dv.dice else 0, damage_of(dv, less, scale, 0 if ignores_armor else armor, ap)


class Injuries:
    """The odds of `renaissance.hurt`; the target decides about Luck."""

    def __init__(self, blow: Blow, body: Body, means: Means, less: int, struck: bool, rules: InjuryRules) -> None:
        self.blow, self.body, self.less, self.luck, self.means, self.rules = blow, body, less, means.luck, means, rules

    @cached_property
    def _damages(self) -> tuple[tuple[int, int, Checks, int], ...]:
        """Every damage with its wounds, what has to be passed to stay upright, and its weight."""
        body = self.body
        wounding = _wounding(self.blow, body.armor, body.wound_threshold, self.less, self.rules)
        checks = {wounds: self._checks(wounds) for _, wounds, _ in wounding}
        return tuple([(harm, wounds, () if harm >= body.left else checks[wounds], n) for harm, wounds, n in wounding])

    def _checks(self, wounds: int) -> Checks:
        balance, penalties, footing = self.body.balance, self.body.balance_penalties, self.blow.footing
        if balance is None:
            return ()
        fresh = fresh_penalty(wounds, self.body.negated)
        number = wounds if self.rules.wound_check == "per_wound" else min(1, wounds)
        checks = [(balance - fresh, penalties + fresh)] * number
        if footing is not None:
            checks.append((footing - fresh, penalties + fresh))
        return tuple(checks)

    @property
    def deciding(self) -> bool:
        """True if there is Luck, and a check to spend it on."""
        return self.luck > 0 and any(checks for _, _, checks, _ in self._damages)

    @property
    def remainder(self) -> Fraction:
        """Nothing is cut short."""
        return Fraction(0)

    @property
    def work(self) -> int:
        """Some steps for each damage and each point of Luck."""
        return 2 * len(self._damages) * (1 + self.luck)

    def support(self) -> Sequence[Hurt]:
        """Everything that some choices can bring about."""
        found: dict[Hurt, None] = {}
        for damage, wounds, checks, _ in self._damages:
            if not checks:
                found[Hurt(damage, wounds, False, damage >= self.body.left)] = None
                continue
            for prone, luck in _all_kept(checks, self.means):
                found[Hurt(damage, wounds, prone, False, self.luck - luck)] = None
        return tuple(found)

    def best(self, value: Value | None) -> Dist[Hurt]:
        """The distribution when every choice serves ``value``; without one no Luck is spent."""
        most, counts = max([len(checks) for _, _, checks, _ in self._damages]), dict[Hurt, int]()
        for damage, wounds, checks, weight in self._damages:
            times = weight * 100 ** (most - len(checks))
            if not checks:
                counts[Hurt(damage, wounds, False, damage >= self.body.left)] = times
                continue
            worths: tuple[tuple[Ending, float], ...] = ()
            if value is not None:
                kept = _all_kept(checks, self.means)
                ends = [float(value(Hurt(damage, wounds, prone, False, self.luck - luck))) for prone, luck in kept]
                worths = tuple([(end, worth - ends[0]) for end, worth in zip(kept, ends, strict=True)])
            for (prone, luck), count in _ends(checks, self.means, worths):
                counts[Hurt(damage, wounds, prone, False, self.luck - luck)] = count * times
        return Dist(list(counts.items()))


@lru_cache(maxsize=16_384)
def _wounding(blow: Blow, armor: int, threshold: int, less: int, rules: InjuryRules) -> list[tuple[int, int, int]]:
    """Every damage of a blow with its wounds and its weight."""
    extra, taken = reading(blow, armor, less, rules)
    weights: dict[int, int] = {}
    for faces, weight in shown(blow.dv.dice, extra):
        damage = taken(faces)
        weights[damage] = weights.get(damage, 0) + weight
    return [(damage, wounds_of(damage, threshold, rules.wound_boundary), weight) for damage, weight in weights.items()]


Ending: TypeAlias = tuple[bool, int]
"""True if the target has fallen, and the Luck that is left."""

NO_LUCK = [(0, 0)]


@lru_cache(maxsize=4_096)
def _all_kept(checks: Checks, means: Means) -> tuple[Ending, ...]:
    """Every way in which checks can end: each may take a point to flip, one to ignore penalties and one to dare."""
    luck, most = means.luck, means.luck_per_check
    needs = sum([luck_for_one(1 + (less > 0) + (means.daring > 0), most) for _, less in checks])
    return tuple([(prone, left) for left in range(luck, max(0, luck - needs) - 1, -1) for prone in (False, True)])


@lru_cache(maxsize=16_384)
def _ends(checks: Checks, means: Means, worths: tuple[tuple[Ending, float], ...]) -> list[tuple[Ending, int]]:
    """Ends of the checks where each end has a worth, out of as many hundreds; without worths no Luck is spent."""
    valued = dict(worths)

    @cache
    def ends(at: int, luck: int) -> tuple[dict[Ending, int], float]:
        """Ends of the checks from one on, out of as many hundreds, with their worth; Luck is used at its best."""
        if at == len(checks):
            return {(False, luck): 1}, valued.get((False, luck), 0.0)
        target, penalties = checks[at]
        best: dict[Ending, int] = {}
        highest = 0.0
        points = luck_for_one(luck, means.luck_per_check)
        for ignores, dares in means.before(luck, penalties) if valued else NO_LUCK:
            goal, spent = limited(target + penalties * ignores + means.daring * dares), ignores + dares
            left, found = luck - spent, dict[Ending, int]()
            passed, worth = ends(at + 1, left)
            fallen, hundreds = (True, left), 100 ** (len(checks) - at - 1)
            turned = turning(goal) if points > spent and valued else 0
            low = valued.get(fallen, 0.0)
            total = worth * (goal + 1) + low * (99 - goal - turned)
            _add(found, passed, goal + 1)
            found[fallen] = found.get(fallen, 0) + (99 - goal - turned) * hundreds
            if turned:
                saved, high = ends(at + 1, left - 1)
                if is_more(high, low):
                    _add(found, saved, turned)
                    total += high * turned
                else:
                    found[fallen] += turned * hundreds
                    total += low * turned
            if not best or is_more(total / 100, highest):
                best, highest = found, total / 100
        return {end: count for end, count in best.items() if count}, highest

    return list(ends(0, means.luck)[0].items())


def _add(found: dict[Ending, int], ends: dict[Ending, int], times: int) -> None:
    for end, count in ends.items():
        found[end] = found.get(end, 0) + count * times


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
        passed = await percent_against(goal).map(lambda rolled: rolled <= goal)
    else:
        passed, could = await percent_against(goal).map(lambda rolled: (rolled <= goal, flipped(rolled) <= goal))
        if not passed and could and await yes_no(Role.ACTOR, "flip the failed check", cost_text="1 Luck"):
            passed, taken = True, taken + 1
    if passed and checks > 1:
        left = luck - taken
        return await become(keep_up(target, penalties, left, checks - 1, daring, luck_per_check, spent + taken))
    return Kept(passed, spent + taken)


def damage_dice(dice: int, extra: int, seat: Role) -> Request[int]:
    """The dice of damage, rolled more than once where the best or the worst total counts."""
    rolled = Sum.copies(dice, Die(10), 0)
    return throw(rolled if not extra else BestOf(rolled, abs(extra) + 1, highest=extra > 0), seat)


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
        "worth": lambda hurt: worth(hurt.damage, hurt.wounds, hurt.prone, hurt.felled) + LUCK_POINT * hurt.luck,
        "damage": lambda hurt: hurt.damage,
        "wounds": lambda hurt: hurt.wounds,
    },
    closed=Injuries,
)
async def hurt(
    blow: Blow,
    body: Body = SOUND,
    means: Means = NO_MEANS,
    less: Annotated[int, Param("how much the DV is less because of the distance from a blast", 0, 999)] = 0,
    struck: Annotated[bool, Param("whether an attacker throws the dice of damage")] = False,
    rules: InjuryRules = PLAIN_INJURY,
) -> Hurt:
    """Damage from the dice to the wounds: dice, flat bonuses, blast, resistance, armor; then who is wounded may fall.

    SOM x3 is checked for a wound, and SOM x2 where a blow knocks down; new wounds count for both, but for those
    that are negated. Who lies on the ground already has nothing to check.
    """
    extra, taken = reading(blow, body.armor, less, rules)
    dice = damage_dice(blow.dv.dice, extra, Role.OPPONENT if struck else Role.ACTOR)
    damage = await dice.map(taken) if blow.dv.dice else taken(0)
    wounds = wounds_of(damage, body.wound_threshold, rules.wound_boundary)
    felled = damage >= body.left
    if felled or body.balance is None or (not wounds and blow.footing is None):
        return Hurt(damage, wounds, False, felled)
    fresh = fresh_penalty(wounds, body.negated)
    stands, penalties = Kept(True, 0), body.balance_penalties + fresh
    luck, *further = means
    if wounds:
        checks = wounds if rules.wound_check == "per_wound" else 1
        stands = await keep_up(body.balance - fresh, penalties, luck, checks, *further)
    if blow.footing is not None and stands.passed:
        spent = stands.luck
        stands = await keep_up(blow.footing - fresh, penalties, luck - spent, 1, *further, spent)
    return Hurt(damage, wounds, not stands.passed, False, stands.luck)
