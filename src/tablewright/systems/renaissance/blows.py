"""The words of an attack as values: defences, strikes, how a table reads attacks and damage, and the plain numbers."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from tablewright.engine import Param
from tablewright.errors import BadInput, whole
from tablewright.systems.renaissance.fight_options import (
    AttackBonusBasis,
    CriticalAttack,
    ResistanceRule,
    WoundBoundary,
    WoundCheck,
)
from tablewright.systems.renaissance.mechanics import Boundary, CriticalCounts, Downgraded, Limit
from tablewright.systems.renaissance.options import OrderedFirstFailure
from tablewright.systems.renaissance.values import (
    Checked,
    Grade,
    counts_as_exceptional,
    is_exceptional_margin,
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
    aimed, lost, daring = whole(target), whole(penalties or "0"), whole(dared or "0")
    if not name or aimed is None or lost is None or daring is None:
        raise BadInput(f'"{text:.40}" is no {kind}; write {name or "fray"}:50 or {name or "fray"}:50-10')
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
    """A special attack: what an exceptional success brings, what it costs on the check, whether it needs precision.

    >>> Strike.parse("knock_down:-10"), str(Strike("maim", -20))
    (Strike(result='knock_down', penalty=-10), 'maim:-20')
    """

    result: str
    penalty: int

    @staticmethod
    def parse(text: str) -> Strike:
        """Read `maim:-20`."""
        name, penalty, *more = _words(text, "strike")
        if name not in STRIKES or any(more):
            raise BadInput(f'"{text:.40}" is no strike; strikes are {", ".join(STRIKES)}, such as maim:-20')
        return Strike(name, penalty)

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return f"{self.result}:{self.penalty}" if self.result else "plain"


PLAIN_ATTACK = Strike("", 0)
PRECISE = ("called_shot", "maim", "armor_gap")
"""The strikes that give the attack the Precision tag."""


class FightRules(NamedTuple):
    """How a table reads attacks."""

    exceptional_boundary: Boundary = "over"
    critical_counts_as_exceptional: CriticalCounts = True
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
    """How many wounds damage at one time makes (renaissance.injury.wounds).

    >>> wounds_of(15, 6), wounds_of(6, 6), wounds_of(6, 6, "at_least"), wounds_of(12, 6)
    (2, 0, 1, 2)
    """
    threshold = max(1, threshold)
    if damage == threshold and boundary == "literal":
        return 0
    return damage // threshold


def fresh_penalty(fresh: int, negated: int) -> int:
    """What new wounds or traumas take from every check, those that are negated as they come aside.

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
