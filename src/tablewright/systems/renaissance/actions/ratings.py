"""Expected damage of an attack without Luck after the roll, by counting.

The same numbers as the odds of `renaissance.attack` give, in a small part of the time; a test holds the two together.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from tablewright.engine import Call, odds
from tablewright.systems.renaissance.mechanics.attack import LUCK_POINT, MAIMED, attack, worth
from tablewright.systems.renaissance.mechanics.defences import Outcome, outcome_of
from tablewright.systems.renaissance.mechanics.harm import (
    PRECISE,
    FightRules,
    InjuryRules,
    damage_of,
    fresh_penalty,
    shown,
    wounds_of,
)
from tablewright.systems.renaissance.values import DV, Regrade, limited

_AT = {parameter.name: at for at, parameter in enumerate(attack.params)}
_LUCK, _THEIRS, _STRIKES, _PLAIN, _IGNORING, _PENALTIES, _DARING, _DARES, _HOLDS = [
    _AT[name]
    for name in ("luck", "their_luck", "strikes", "plain", "ignoring", "penalties", "daring", "dares", "holds")
]


def is_plain(call: Call[Any]) -> bool:
    """Whether an attack is all decided before the roll: one strike or none, and no Luck but to ignore penalties."""
    given = call.arguments
    strikes, ignoring = given[_STRIKES], given[_IGNORING]
    dares = bool(given[_DARES] and given[_DARING])
    if given[_HOLDS] is not None or given[_THEIRS] or len(strikes) + bool(given[_PLAIN]) != 1 or ignoring is None:
        return False
    if given[_LUCK] != ignoring + dares:
        return False
    return not ignoring or given[_PENALTIES] - (strikes[0].penalty if strikes else 0) > 0


@lru_cache(maxsize=65_536)
def attack_worth(call: Call[Any]) -> Fraction:
    """The average worth of an attack for which :func:`is_plain` holds, as its objective has it."""
    given = dict(zip(_AT, call.arguments, strict=True))
    strike, penalty = given["strikes"][0][:2] if given["strikes"] else ("", 0)
    ignores, dares = bool(given["ignoring"]), bool(given["dares"] and given["daring"])
    goal = limited(given["target"] + (given["penalties"] if ignores else penalty) + given["daring"] * dares)
    matching = given["vulnerability"] + (given["precision"] if strike in PRECISE else 0)
    regrade, less = Regrade.NONE if given["graded"] else Regrade.UNGRADED, 0
    if given["graded"] and matching and given["resistance_rule"] == "regrade":
        regrade = Regrade.UPGRADE if matching > 0 else Regrade.DOWNGRADE
    elif matching and given["resistance_rule"] == "check_20":
        less = 20 * matching
    rules = FightRules(*[given[name] for name in FightRules._fields])
    injury = InjuryRules(*[given[name] for name in InjuryRules._fields])

    def blow(found: Outcome) -> Fraction:
        """Worth of a hit of one kind, independent of the defence."""
        bonus, special, critical = found
        effect = special and strike != ""
        plus = bonus + (given["damage_bonus"] if effect and strike == "mighty_blow" else 0)
        dv: DV = given["dv"]
        harm = harm_worth(
            dv._replace(plus=dv.plus + plus),
            given["armor"],
            given["ap"] + (given["damage_bonus"] if effect and strike == "armor_gap" else 0),
            critical,
            matching,
            given["wound_threshold"],
            given["balance"],
            given["negated"],
            given["footing"] if effect and strike == "knock_down" else None,
            given["left"],
            injury,
        )
        return harm + MAIMED if effect and strike == "maim" else harm

    def against(defence: int | None) -> Fraction:
        counts, out_of = hits(goal, defence, regrade, rules)
        sums: dict[int, int] = {}
        for found, count in counts:
            worth = blow(found)
            sums[worth.denominator] = sums.get(worth.denominator, 0) + count * worth.numerator
        return sum([Fraction(total, each * out_of) for each, total in sums.items()], Fraction(0))

    targets = sorted({limited(one.target - less) for one in given["defences"]})
    worths = [against(target) for target in targets] or [against(None)]
    if len(worths) > 1 and worths[-1] > min(worths):  # a harmless hit is better than a tie, which is rolled again
        return odds(call, "worth").expected(call.mechanic.objective("worth")[1])
    return worths[-1] - LUCK_POINT * (ignores + dares)


@lru_cache(maxsize=16_384)
def hits(
    goal: int, defence: int | None, regrade: Regrade, rules: FightRules
) -> tuple[tuple[tuple[Outcome, int], ...], int]:
    """Every kind of hit with its weight, and the total of all weights."""
    counts: dict[Outcome, int] = {}
    tied = 0
    for margin in range(goal + 1):
        lower = 100 if defence is None else 99 - defence + min(margin, defence + 1)
        found = outcome_of(margin, regrade, rules)
        counts[found] = counts.get(found, 0) + lower
        tied += defence is not None and margin <= defence
    if defence is not None and rules.ordered_first_failure == "reroll":
        tied += (99 - goal) * (99 - defence)
    return tuple([(found, count) for found, count in counts.items() if count]), 10_000 - tied


@lru_cache(maxsize=65_536)
def harm_worth(
    dv: DV,
    armor: int,
    ap: int,
    critical: bool,
    vulnerability: int,
    wound_threshold: int,
    balance: int | None,
    negated: int,
    footing: int | None,
    left: int,
    rules: InjuryRules,
) -> Fraction:
    """The average worth of a hit: damage, wounds, falling, bringing down; nobody spends Luck to stay on their feet."""
    terms: list[tuple[int, int, int, int]] = []  # weight, worth of all of it, how many upright of how many hundreds
    for wounds, felled, weight, harm in _by_wounds(
        dv, armor, ap, critical, vulnerability, wound_threshold, left, rules
    ):
        if felled or balance is None:
            terms.append((weight, harm, 1, 0))
            continue
        fresh = fresh_penalty(wounds, negated)
        checks = wounds if rules.wound_check == "per_wound" else min(1, wounds)
        upright = (limited(balance - fresh) + 1) ** checks
        if footing is not None:
            upright, checks = upright * (limited(footing - fresh) + 1), checks + 1
        terms.append((weight, harm, upright, checks))
    most = max([checks for _, _, _, checks in terms])
    whole, falling = 100**most, worth(0, 0, True, False)
    total = sum(
        [harm * whole + weight * falling * (whole - up * 100 ** (most - checks)) for weight, harm, up, checks in terms]
    )
    return Fraction(total, whole * sum([weight for weight, _, _, _ in terms]))


@lru_cache(maxsize=16_384)
def _by_wounds(
    dv: DV,
    armor: int,
    ap: int,
    critical: bool,
    vulnerability: int,
    wound_threshold: int,
    left: int,
    rules: InjuryRules,
) -> tuple[tuple[int, bool, int, int], ...]:
    """The dice of damage by the wounds they make and by whether they bring down: their weight, and what all that is
    worth, whoever then stays on their feet."""
    ignores_armor = critical and rules.critical_attack == "ignore_armor"
    extra = int(critical and not ignores_armor)
    if rules.resistance_rule == "reroll_damage":
        extra += vulnerability
    scale = vulnerability if rules.resistance_rule == "scale_dv" else 0
    taken = damage_of(dv, 0, scale, 0 if ignores_armor else armor, ap)
    groups: dict[tuple[int, bool], tuple[int, int]] = {}
    for faces, times in shown(dv.dice, extra):
        damage = taken(faces)
        wounds, felled = wounds_of(damage, wound_threshold, rules.wound_boundary), damage >= left
        weight, harm = groups.get((wounds, felled), (0, 0))
        groups[wounds, felled] = weight + times, harm + times * worth(damage, wounds, False, felled)
    return tuple([(*key, *sums) for key, sums in groups.items()])
