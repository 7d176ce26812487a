"""An attack as one rule: strike or plain attack, Luck before and after the rolls, the defence, the damage, the wounds.

:data:`attack` goes from the targets of both sides through to what is lost. :data:`clash` is its first half, the ordered
check with Luck on both sides; :data:`hurt` its second, from the dice of damage to lying on the ground.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.dice import BestOf, Sum
from tablewright.dice.source import Die
from tablewright.engine import Ask, Mechanic, Param, Seat, again, become, choose, finish, mechanic, yes_no
from tablewright.engine import roll as throw
from tablewright.engine.settings import spelled_out
from tablewright.errors import BadInput
from tablewright.systems.renaissance.fight_options import (
    AttackBonusBasis,
    CriticalAttack,
    ResistanceRule,
    WoundBoundary,
    WoundCheck,
)
from tablewright.systems.renaissance.luck import LuckUse, uses_of_luck
from tablewright.systems.renaissance.mechanics import Boundary, Downgraded, Limit, LuckLimit, Penalties, Target
from tablewright.systems.renaissance.options import OrderedFirstFailure
from tablewright.systems.renaissance.values import (
    D_PERCENT,
    DV,
    Checked,
    Grade,
    Regrade,
    counts_as_exceptional,
    flipped,
    is_exceptional_margin,
    judge,
    limited,
    regraded,
)

DEFENCES = ("fray", "parry", "movement", "resist", "none")
STRIKES = ("location", "knock_down", "maim", "damage_bonus", "ap_bonus")
BONUS, BONUS_MARGIN = 5, 60  # renaissance.attack.mos_bonus
WOUND_PENALTY = 10  # renaissance.injury.wound_penalty
NO_RESERVE = 9_999

StrikeResult: TypeAlias = Literal["location", "knock_down", "maim", "damage_bonus", "ap_bonus"]


def _words(text: str, kind: str) -> tuple[str, int, int]:
    """`word:number` or `word:number-penalties`, as defences and strikes are written."""
    name, _, number = text.replace(" ", "").partition(":")
    target, _, penalties = number.lstrip("-").partition("-")
    if not name or not target.isdigit() or (penalties and not penalties.isdigit()):
        raise BadInput(f'"{text:.40}" is no {kind}; write {name or "fray"}:50 or {name or "fray"}:50-10')
    return name, int(target) * (-1 if number.startswith("-") else 1), int(penalties or 0)


class Defence(NamedTuple):
    """One way to defend: by what it is called, its target, and how much of that its penalties take away.

    >>> Defence.parse("parry:50-10"), str(Defence("fray", 60))
    (Defence(name='parry', target=50, penalties=10), 'fray:60')
    """

    name: str
    target: int
    penalties: int = 0

    @staticmethod
    def parse(text: str) -> Defence:
        """Read `fray:60` or `parry:50-10`."""
        return Defence(*_words(text, "defence"))

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return f"{self.name}:{self.target}" + (f"-{self.penalties}" if self.penalties else "")


class Strike(NamedTuple):
    """A special attack: what an exceptional success brings, what it costs on the check, whether it needs precision.

    >>> Strike.parse("knock_down:-10"), str(Strike("maim", -20))
    (Strike(result='knock_down', penalty=-10), 'maim:-20')
    """

    result: str
    penalty: int

    @staticmethod
    def parse(text: str) -> Strike:
        """Read `maim:-20`."""
        name, penalty, more = _words(text, "strike")
        if name not in STRIKES or more:
            raise BadInput(f'"{text:.40}" is no strike; strikes are {", ".join(STRIKES)}, such as maim:-20')
        return Strike(name, penalty)

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return f"{self.result}:{self.penalty}" if self.result else "plain"


PLAIN_ATTACK = Strike("", 0)
PRECISE = ("location", "maim", "ap_bonus")
"""The strikes that give the attack the Precision tag."""


class FightRules(NamedTuple):
    """How a table reads attacks."""

    exceptional_boundary: Boundary = "over"
    critical_counts_as_exceptional: Annotated[bool, Param("whether a critical serves as an exceptional result")] = True
    attack_bonus_basis: Annotated[AttackBonusBasis, Param("what the extra damage goes by")] = "either"
    ordered_first_failure: Annotated[OrderedFirstFailure, Param("what a failed attack roll means")] = "lose"
    regrade_limit: Limit = "one_each_cancel"
    downgrade_critical: Downgraded = "to_exceptional"


PLAIN = FightRules()


class InjuryRules(NamedTuple):
    """How a table reads damage."""

    critical_attack: Annotated[CriticalAttack, Param("what a critical attack does")] = "roll_twice_best"
    resistance_rule: Annotated[ResistanceRule, Param("what resistance and vulnerability change")] = "scale_dv"
    wound_boundary: Annotated[WoundBoundary, Param("whether damage equal to the Wound Threshold wounds")] = "literal"
    wound_check: Annotated[WoundCheck, Param("how many checks several wounds ask for")] = "per_event"


PLAIN_INJURY = InjuryRules()


# ---------------------------------------------------------------------- numbers


def attack_bonus(margin: int, grade: Grade, rules: FightRules = PLAIN) -> int:
    """The extra DV of an attack, by its margin and its final grade (renaissance.attack.mos_bonus).

    >>> attack_bonus(21, Grade.EXCEPTIONAL_SUCCESS), attack_bonus(45, Grade.NORMAL_SUCCESS), attack_bonus(61, Grade.NORMAL_SUCCESS)
    (5, 5, 10)
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
    """How many wounds damage at one time makes (renaissance.injury.wounds).

    >>> wounds_of(15, 6), wounds_of(6, 6), wounds_of(6, 6, "at_least"), wounds_of(12, 6)
    (2, 0, 1, 2)
    """
    threshold = max(1, threshold)
    if damage == threshold and boundary == "literal":
        return 0
    return damage // threshold


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

    >>> off_hand_penalty("off", True, False), off_hand_penalty("off", False, False), off_hand_penalty("off", False, True)
    (-10, -20, 0)
    """
    if hand != "off" or ambidextrous:
        return 0
    return -10 if tagged else -20


# ---------------------------------------------------------------------- to hit

Defences: TypeAlias = Annotated[
    tuple[Defence, ...], Param("how the target can defend, such as fray:60, parry:50-10; nothing if it cannot")
]
Luck: TypeAlias = Annotated[int, Param("Luck points of the attacker", 0, 20, unseen=0)]
TheirLuck: TypeAlias = Annotated[int, Param("Luck points of the target", 0, 20, unseen=0)]
Change: TypeAlias = Annotated[Regrade, Param("what upgrades or downgrades the attack check")]


class Way(NamedTuple):
    """A defence with or without ignoring its penalties for a point of Luck, as an option that can be read."""

    defence: Defence
    ignores: int = 0

    @property
    def id(self) -> str:
        """What it is called."""
        return self.defence.name + (":ignore_penalties" if self.ignores else "")

    @property
    def label(self) -> str:
        """With its target."""
        return f"{self.defence.name.replace('_', ' ')} {self.defence.target + self.defence.penalties * self.ignores}"

    @property
    def cost(self) -> str:
        """A point of Luck, or nothing."""
        return "1 Luck" if self.ignores else ""


class Clash(NamedTuple):
    """How attack and defence met: whether it hits, with what extra DV, and the Luck that is left on both sides.

    ``special`` is an exceptional success or better, as strikes ask for it; ``critical`` a critical one; ``margin`` is
    kept only where it is asked for.
    """

    hit: bool
    bonus: int = 0
    special: bool = False
    critical: bool = False
    luck: int = 0
    their_luck: int = 0
    margin: int = 0


class _Lies(NamedTuple):
    """An attack roll that lies on the table: its margin (-1 for a failure) as it is and with its digits swapped."""

    natural: int
    swapped: int


class _Answer(NamedTuple):
    """A defence roll against it: ahead of natural and of swapped attack, with and without swapping itself."""

    ahead: int
    ahead_swapped: int
    flipped: int
    flipped_swapped: int


def _sign(first: int, second: int) -> int:
    return (first > second) - (first < second)


def _read_attack(goal: int, luck: bool) -> Any:
    def read(rolled: int) -> _Lies:
        natural = rolled if rolled <= goal else -1
        swapped = flipped(rolled)
        return _Lies(natural, (swapped if swapped <= goal else -1) if luck else natural)

    return read


def _read_defence(goal: int, lies: _Lies, luck: bool) -> Any:
    def read(rolled: int) -> _Answer:
        mine = rolled if rolled <= goal else -1
        ahead, ahead_swapped = _sign(lies.natural, mine), _sign(lies.swapped, mine)
        if not luck:
            return _Answer(ahead, ahead_swapped, ahead, ahead_swapped)
        swapped = flipped(rolled)
        mine = swapped if swapped <= goal else -1
        return _Answer(ahead, ahead_swapped, _sign(lies.natural, mine), _sign(lies.swapped, mine))

    return read


def _outcome(margin: int, regrade: Regrade, rules: FightRules) -> tuple[int, bool, bool]:
    """Extra DV, whether it serves as exceptional, whether it is critical."""
    natural = judge(margin, margin, rules.exceptional_boundary).grade
    grade = regraded(natural, regrade, rules.regrade_limit, rules.downgrade_critical)
    special = counts_as_exceptional(
        Checked(grade, margin), rules.critical_counts_as_exceptional, rules.exceptional_boundary
    )
    return attack_bonus(margin, grade, rules), special, grade is Grade.CRITICAL_SUCCESS


def _worthwhile(uses: list[LuckUse], result: Any) -> list[LuckUse]:
    """The uses of Luck that change something; of several with one result the cheapest."""
    seen: list[Any] = []
    kept: list[LuckUse] = []
    for use in sorted(uses, key=lambda use: use.cost):
        found = result(use)
        if found not in seen:
            seen.append(found)
            kept.append(use)
    return kept


@mechanic(
    rules=[
        "renaissance.attack.procedure",
        "renaissance.opposed.ordered",
        "renaissance.attack.mos_bonus",
        "renaissance.defense.fray",
        "renaissance.defense.parry",
        "renaissance.luck.flip",
        "renaissance.luck.upgrade",
    ],
    objectives={"hit": lambda clash: int(clash.hit), "bonus": lambda clash: clash.bonus},
)
@spelled_out
async def clash(
    target: Target,
    defences: Defences = (),
    luck: Luck = 0,
    their_luck: TheirLuck = 0,
    regrade: Change = Regrade.NONE,
    margins: Annotated[bool, Param("whether the margin is part of the result")] = False,
    rules: FightRules = PLAIN,
) -> Clash:
    """Attack against defence: the attacker rolls first; a success has to be beaten, and ties are rolled again.

    A failed attack can only be flipped before the target would roll. Once both rolls are known the attacker spends Luck
    first, then the target. Without defences a success hits.
    """
    goal = limited(target)
    lies = await throw(D_PERCENT).map(_read_attack(goal, luck > 0))
    loses = rules.ordered_first_failure == "lose" or not defences
    flips = False
    if lies.natural < 0 and loses:
        flips = luck > 0 and lies.swapped >= 0 and await yes_no(Seat.ACTOR, "flip the failed roll", cost="1 Luck")
        if not flips:
            return Clash(False, luck=luck, their_luck=their_luck)
        lies = _Lies(lies.swapped, lies.swapped)
    left, theirs = luck - flips, their_luck
    answer, chosen = _Answer(1, 1 if lies.swapped >= 0 else -1, 1, 1), defences
    if defences:
        ways = [Way(one, no) for one in defences for no in ((0, 1) if their_luck and one.penalties else (0,))]
        how, ignores = ways[0] if len(ways) == 1 else await choose(Seat.OPPONENT, "how to defend", ways)
        theirs -= ignores
        chosen = (Defence(how.name, how.target + how.penalties * ignores, how.penalties * (1 - ignores)),)
        answer = await throw(D_PERCENT).across().map(_read_defence(limited(chosen[0].target), lies, theirs > 0))

    def after(use: LuckUse) -> Any:
        ahead, margin = (answer.ahead_swapped, lies.swapped) if use.flips else (answer.ahead, lies.natural)
        return ahead if ahead <= 0 else _outcome(margin, use.regrade(regrade), rules)

    uses = _worthwhile(uses_of_luck(left, regrade, can_flip=lies.swapped != lies.natural), after) if left else []
    use = await choose(Seat.ACTOR, "spend Luck on the attack", uses) if len(uses) > 1 else LuckUse.KEEP
    ahead, back = (answer.ahead_swapped, answer.flipped_swapped) if use.flips else (answer.ahead, answer.flipped)
    left -= use.cost
    if theirs and back < ahead and ahead > 0 and await yes_no(Seat.OPPONENT, "flip the defence", cost="1 Luck"):
        ahead, theirs = back, theirs - 1
    if ahead == 0:
        if left == luck and theirs == their_luck and chosen == defences:
            await again()
        return await become(clash(target, chosen, left, theirs, regrade, margins, **rules._asdict()))
    if ahead < 0:
        return Clash(False, luck=left, their_luck=theirs)
    margin = lies.swapped if use.flips else lies.natural
    bonus, special, critical = _outcome(margin, use.regrade(regrade), rules)
    return Clash(True, bonus, special, critical, left, theirs, margin if margins else 0)


# ---------------------------------------------------------------------- what a hit does


class Hurt(NamedTuple):
    """What damage does to somebody: damage after armor, wounds, whether they fall, and the Luck that is left."""

    damage: int
    wounds: int = 0
    prone: bool = False
    felled: bool = False
    luck: int = 0


class Kept(NamedTuple):
    """Whether somebody passed a check of their own, and the Luck that is left."""

    passed: bool
    luck: int = 0


@mechanic(
    rules=["renaissance.injury.knockdown", "renaissance.luck.ignore_penalties", "renaissance.luck.flip"],
    objectives={"worth": lambda kept: 3 * kept.passed + kept.luck, "passed": lambda kept: int(kept.passed)},
)
async def keep_up(
    target: Target,
    penalties: Penalties = 0,
    luck: Annotated[int, Param("Luck points that may be spent", 0, 20, unseen=0)] = 0,
    checks: Annotated[int, Param("how many checks there are; one failure is enough", 1, 50)] = 1,
) -> Kept:
    """A check that is passed or failed, such as SOM x3 against falling, with Luck to ignore penalties or to flip."""
    ignores = luck > 0 and penalties > 0 and await yes_no(Seat.ACTOR, "ignore the penalties", cost="1 Luck")
    left = luck - ignores
    goal = limited(target + penalties) if ignores else limited(target)
    if not left:
        passed = await throw(D_PERCENT).map(lambda rolled: rolled <= goal)
    else:
        passed, could = await throw(D_PERCENT).map(lambda rolled: (rolled <= goal, flipped(rolled) <= goal))
        if not passed and could and await yes_no(Seat.ACTOR, "flip the roll", cost="1 Luck"):
            passed, left = True, left - 1
    if passed and checks > 1:
        return await become(keep_up(target, penalties, left, checks - 1))
    return Kept(passed, left)


def damage_dice(dice: int, extra: int) -> Ask[int]:
    """The dice of damage, rolled more than once where the best or the worst total counts."""
    if not dice:
        return _NOTHING
    rolled = Sum.copies(dice, Die(10), 0)
    return throw(rolled if not extra else BestOf(rolled, abs(extra) + 1, highest=extra > 0))


_NOTHING: Ask[int] = throw(Sum((), 0))

Armor: TypeAlias = Annotated[int, Param("the total Armor of the target", 0, 99)]
Piercing: TypeAlias = Annotated[int, Param("armor penetration (AP)", 0, 99)]
Threshold: TypeAlias = Annotated[int, Param("the Wound Threshold (WT) of the target", 0, 99)]
Vulnerability: TypeAlias = Annotated[
    int, Param("vulnerabilities less resistances of the target that match the attack", -5, 5)
]
Balance: TypeAlias = Annotated[int, Param("SOM x3 of the target with its present penalties", -500, 500)]
BalancePenalties: TypeAlias = Annotated[int, Param("how much of that its penalties take away", 0, 500)]
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
        "renaissance.strike.knock_down",
    ],
    objectives={
        "worth": lambda hurt: worth(hurt.damage, hurt.wounds, hurt.prone, hurt.felled) - 60 * hurt.luck,
        "damage": lambda hurt: hurt.damage,
        "wounds": lambda hurt: hurt.wounds,
    },
)
@spelled_out
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
    footing: Footing = None,
    left: Left = NO_RESERVE,
    luck: Annotated[int, Param("Luck points of whoever is hurt", 0, 20, unseen=0)] = 0,
    rules: InjuryRules = PLAIN_INJURY,
) -> Hurt:
    """Damage from the dice to the wounds: dice, flat bonuses, blast, resistance, armor; then who is wounded may fall.

    SOM x3 is checked for a wound, and SOM x2 where a blow knocks down; new wounds count for both.
    """
    ignores_armor = critical and rules.critical_attack == "ignore_armor"
    extra = int(critical and not ignores_armor)
    if rules.resistance_rule == "reroll_damage":
        extra += vulnerability
    scale = vulnerability if rules.resistance_rule == "scale_dv" else 0
    worn = 0 if ignores_armor else armor

    def taken(shown: int) -> int:
        full = (shown + dv.plus) // 2 if dv.half else shown + dv.plus
        return after_armor(scaled(max(0, full - less), scale), worn, ap)

    damage = await damage_dice(dv.dice, extra).map(taken)
    wounds = wounds_of(damage, wound_threshold, rules.wound_boundary)
    felled = damage >= left
    if felled or (not wounds and footing is None):
        return Hurt(damage, wounds, False, felled, luck)
    penalty = WOUND_PENALTY * wounds
    stands = Kept(True, luck)
    if wounds:
        checks = wounds if rules.wound_check == "per_wound" else 1
        stands = await keep_up(balance - penalty, balance_penalties + penalty, luck, checks)
    if footing is not None and stands.passed:
        stands = await keep_up(footing - penalty, balance_penalties + penalty, stands.luck)
    return Hurt(damage, wounds, not stands.passed, False, stands.luck)


# ---------------------------------------------------------------------- the whole attack


class Attacked(NamedTuple):
    """What an attack came to, through to what is lost and spent.

    ``strike`` is the special attack that was tried, ``effect`` whether its result came about.
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
    margin: int = 0


FELLED, WOUND, PRONE, LUCK_POINT, MAIMED = 120, 30, 25, 60, 60
"""What bringing down, a wound, a fall, a point of Luck and a lost limb are worth; a point of damage is worth 10."""


def worth(damage: int, wounds: int, prone: bool, felled: bool) -> int:
    """What harm is worth to whoever does it."""
    return 10 * damage + WOUND * wounds + PRONE * prone + FELLED * felled


def _attack_worth(attacked: Attacked) -> int:
    done = worth(attacked.damage, attacked.wounds, attacked.prone, attacked.felled)
    maimed = MAIMED if attacked.strike == "maim" and attacked.effect else 0
    return done + maimed + LUCK_POINT * (attacked.their_luck - attacked.luck)


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
        "renaissance.luck.ignore_penalties",
        "renaissance.luck.limit",
        "renaissance.resistance.option_2",
        "renaissance.resistance.option_3",
    ],
    objectives={
        "worth": _attack_worth,
        "damage": lambda attacked: attacked.damage,
        "hit": lambda attacked: int(attacked.hit),
        "wounds": lambda attacked: attacked.wounds,
        "prone": lambda attacked: int(attacked.prone),
        "felled": lambda attacked: int(attacked.felled),
        "effect": lambda attacked: int(attacked.effect),
    },
)
@spelled_out
async def attack(
    target: Target,
    dv: Annotated[DV, Param("the DV with every flat bonus, such as 2d10+6")],
    defences: Defences = (),
    armor: Armor = 0,
    ap: Piercing = 0,
    wound_threshold: Threshold = 6,
    balance: Balance = 60,
    balance_penalties: BalancePenalties = 0,
    footing: Annotated[int, Param("SOM x2 of the target, against being knocked down", -500, 500)] = 40,
    left: Left = NO_RESERVE,
    penalties: Penalties = 0,
    luck: Luck = 0,
    their_luck: TheirLuck = 0,
    strikes: Annotated[tuple[Strike, ...], Param("the strikes that may be tried, such as maim:-20")] = (),
    damage_bonus: Annotated[int, Param("DB of the attacker, for strikes", 0, 99)] = 0,
    vulnerability: Vulnerability = 0,
    precision: Annotated[int, Param("the same for attacks with the Precision tag besides", -5, 5)] = 0,
    margins: Annotated[bool, Param("whether the margin is part of the result")] = False,
    luck_per_check: LuckLimit = None,
    rules: FightRules = PLAIN,
    critical_attack: Annotated[CriticalAttack, Param("what a critical attack does")] = "roll_twice_best",
    resistance_rule: Annotated[ResistanceRule, Param("what resistance and vulnerability change")] = "scale_dv",
    wound_boundary: Annotated[WoundBoundary, Param("whether damage equal to WT wounds")] = "literal",
    wound_check: Annotated[WoundCheck, Param("how many checks several wounds ask for")] = "per_event",
) -> Attacked:
    """A whole attack: strike or plain, Luck before and after, the target's defence, damage, wounds and falling.

    A strike has its penalty in any case, and its result besides the hit where the attack is an exceptional success.
    """
    strike = PLAIN_ATTACK
    if strikes:
        strike = await choose(Seat.ACTOR, "which strike", [_Striking(*one) for one in (PLAIN_ATTACK, *strikes)])
    mine = luck if luck_per_check is None else min(luck, luck_per_check)
    theirs = their_luck if luck_per_check is None else min(their_luck, luck_per_check)
    against = penalties - strike.penalty
    ignores = mine > 0 and against > 0 and await yes_no(Seat.ACTOR, "ignore the penalties", cost="1 Luck")
    aimed = target + (penalties if ignores else strike.penalty)
    matching = vulnerability + (precision if strike.result in PRECISE else 0)
    regrade, met = Regrade.NONE, defences
    if matching and resistance_rule == "regrade":
        regrade = Regrade.UPGRADE if matching > 0 else Regrade.DOWNGRADE
    elif matching and resistance_rule == "check_20":
        met = tuple([one._replace(target=one.target - 20 * matching) for one in defences])
    injury = (critical_attack, resistance_rule, wound_boundary, wound_check)
    first = clash(aimed, met, mine - ignores, theirs, regrade, margins, *rules)
    met_with = await first
    spent, their_spent = mine - met_with.luck, theirs - met_with.their_luck
    if not met_with.hit:
        return Attacked(False, strike.result, luck=spent, their_luck=their_spent)
    effect = met_with.special and strike.result != ""
    plus, piercing, shaken = dv.plus + met_with.bonus, ap, None
    if effect:
        plus += damage_bonus if strike.result == "damage_bonus" else 0
        piercing += damage_bonus if strike.result == "ap_bonus" else 0
        shaken = footing if strike.result == "knock_down" else None
    harm = hurt(
        dv._replace(plus=plus),
        armor,
        piercing,
        met_with.critical,
        matching,
        0,
        wound_threshold,
        balance,
        balance_penalties,
        shaken,
        left,
        met_with.their_luck,
        *injury,
    ).across()

    def done(hurt: Hurt) -> Attacked:
        return Attacked(
            True,
            strike.result,
            effect,
            met_with.special,
            met_with.critical,
            hurt.damage,
            hurt.wounds,
            hurt.prone,
            hurt.felled,
            spent,
            theirs - hurt.luck,
            met_with.margin,
        )

    return await finish(harm.map(done))


class _Striking(Strike):
    """A strike as an option that can be read."""

    __slots__ = ()

    @property
    def id(self) -> str:
        """What it is called."""
        return self.result or "plain"

    @property
    def label(self) -> str:
        """With its penalty."""
        return f"{self.result.replace('_', ' ')} ({self.penalty})" if self.result else "a plain attack"


MECHANICS: tuple[Mechanic[..., Any], ...] = (clash, keep_up, hurt, attack)
