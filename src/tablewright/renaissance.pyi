"""Mechanics of Renaissance. Written by tools/stubs.py."""

from typing import Literal

from tablewright.engine.mechanic import Call, Mechanic
from tablewright.systems.renaissance.mechanics.attack import Attacked, FurtherArm, Volleyed
from tablewright.systems.renaissance.mechanics.defences import Clash
from tablewright.systems.renaissance.mechanics.harm import Defence, Hurt, Kept, Strike
from tablewright.systems.renaissance.mechanics.luck import Contest, Done, _Ends
from tablewright.systems.renaissance.mechanics.turn import Bound, Initiative, Landing, Strained, Task
from tablewright.systems.renaissance.values import (
    Checked,
    DV,
    Grade,
    Lucky,
    LuckyMargin,
    Quality,
    Regrade,
    Side,
    Variable,
    Won,
)

class _Check(Mechanic[..., Grade]):
    def __call__(
        self,
        target: int,
        exceptional_boundary: Literal["over", "at_least"] = ...,
        regrade: Regrade | str = ...,
        regrade_limit: Literal["one_each_cancel", "one_total"] = ...,
        downgrade_critical: Literal["to_exceptional", "to_normal"] = ...,
    ) -> Call[Grade]:
        """Roll D% under or equal to the target; the result is one of six grades."""

class _Margin(Mechanic[..., Checked]):
    def __call__(
        self,
        target: int,
        exceptional_boundary: Literal["over", "at_least"] = ...,
        regrade: Regrade | str = ...,
        regrade_limit: Literal["one_each_cancel", "one_total"] = ...,
        downgrade_critical: Literal["to_exceptional", "to_normal"] = ...,
    ) -> Call[Checked]:
        """Roll D% under or equal to the target: the grade together with the Margin of Success or of Failure."""

class _SuccessMargin(Mechanic[..., int]):
    def __call__(self, target: int) -> Call[int]:
        """The Margin of Success that opposed checks compare; -1, below all of them, for a failure."""

class _SimpleCheck(Mechanic[..., Quality]):
    def __call__(self, target: int) -> Call[Quality]:
        """Roll D% where success is assumed: up to the target it is done well, above it clumsily, never with a grade."""

class _CommonKnowledge(Mechanic[..., bool]):
    def __call__(self, ranks: int) -> Call[bool]:
        """Common knowledge of a skill: with 10 ranks or more, without a roll."""

class _Opposed(Mechanic[..., Side]):
    def __call__(self, a: int, b: int) -> Call[Side]:
        """Two sides make a check each: the one success wins, of two successes the higher; otherwise both roll again."""

class _OpposedMargin(Mechanic[..., Won]):
    def __call__(self, a: int, b: int, exceptional_boundary: Literal["over", "at_least"] = ...) -> Call[Won]:
        """An opposed check with the winner's grade and Margin of Success; of several rolls the last ones count."""

class _Ordered(Mechanic[..., Side]):
    def __call__(self, a: int, b: int, ordered_first_failure: Literal["lose", "reroll"] = ...) -> Call[Side]:
        """One side rolls first and, failing, loses; if it succeeds the other side has to beat it; on a tie both roll again."""

class _Variable(Mechanic[..., Variable]):
    def __call__(self, a: int, b: int) -> Call[Variable]:
        """An opposed check in which both sides can succeed, each in part; margins are not compared."""

class _LuckyCheck(Mechanic[..., Lucky]):
    def __call__(
        self,
        target: int,
        luck: int,
        penalties: int = ...,
        luck_per_check: int | None = ...,
        exceptional_boundary: Literal["over", "at_least"] = ...,
        regrade: Regrade | str = ...,
        regrade_limit: Literal["one_each_cancel", "one_total"] = ...,
        downgrade_critical: Literal["to_exceptional", "to_normal"] = ...,
    ) -> Call[Lucky]:
        """A check on which Luck points are spent by choice, one for each use."""

class _LuckyMargin(Mechanic[..., LuckyMargin]):
    def __call__(
        self,
        target: int,
        luck: int,
        penalties: int = ...,
        luck_per_check: int | None = ...,
        exceptional_boundary: Literal["over", "at_least"] = ...,
        regrade: Regrade | str = ...,
        regrade_limit: Literal["one_each_cancel", "one_total"] = ...,
        downgrade_critical: Literal["to_exceptional", "to_normal"] = ...,
    ) -> Call[LuckyMargin]:
        """A check with Luck as in `renaissance.lucky_check`, together with the margin of the number that counts."""

class _GiftedCheck(Mechanic[..., Lucky]):
    def __call__(
        self,
        target: int,
        luck: int,
        penalties: int = ...,
        daring: int = ...,
        second_roll: bool = ...,
        graded: bool = ...,
        luck_per_check: int | None = ...,
        exceptional_boundary: Literal["over", "at_least"] = ...,
        regrade: Regrade | str = ...,
        regrade_limit: Literal["one_each_cancel", "one_total"] = ...,
        downgrade_critical: Literal["to_exceptional", "to_normal"] = ...,
    ) -> Call[Lucky]:
        """A check with Luck and the gifts that use it."""

class _LuckySimple(Mechanic[..., Done]):
    def __call__(
        self,
        target: int,
        luck: int,
        penalties: int = ...,
        daring: int = ...,
        second_roll: bool = ...,
        luck_per_check: int | None = ...,
    ) -> Call[Done]:
        """A simple check with Luck: before the roll as in every check; after it what was clumsy may be turned."""

class _TwoRolls(Mechanic[..., _Ends]):
    def __call__(self, a: int, b: int, partly: bool = ...) -> Call[_Ends]:
        """Both sides roll: who wins if nobody, one, or both swap the digits; 2 is a success of both, 0 rolls again."""

class _LuckyContest(Mechanic[..., Contest]):
    def __call__(
        self,
        a: int,
        b: int,
        a_luck: int = ...,
        b_luck: int = ...,
        a_penalties: int = ...,
        b_penalties: int = ...,
        way: Literal["opposed", "ordered", "variable"] = ...,
        luck_per_check: int | None = ...,
        ordered_first_failure: Literal["lose", "reroll"] = ...,
        a_daring: int = ...,
        b_daring: int = ...,
        a_again: bool = ...,
        b_again: bool = ...,
    ) -> Call[Contest]:
        """Two checks against each other, with Luck on both sides; the first side decides first."""

class _RolledContest(Mechanic[..., Contest]):
    def __call__(
        self,
        a: int,
        b: int,
        a_luck: int,
        b_luck: int,
        way: Literal["opposed", "ordered", "variable"] = ...,
        ordered_first_failure: Literal["lose", "reroll"] = ...,
        a_spent: int = ...,
        b_spent: int = ...,
        a_again: bool = ...,
        b_again: bool = ...,
    ) -> Call[Contest]:
        """The rolls of a contest and the Luck spent on them, repeated until one side has won."""

class _TurnedContest(Mechanic[..., Contest]):
    def __call__(
        self,
        first: bool,
        natural: int,
        swapped: int,
        a: int,
        b: int,
        a_luck: int,
        b_luck: int,
        way: Literal["opposed", "ordered", "variable"] = ...,
        ordered_first_failure: Literal["lose", "reroll"] = ...,
        a_spent: int = ...,
        b_spent: int = ...,
        a_again: bool = ...,
        b_again: bool = ...,
    ) -> Call[Contest]:
        """A second roll, bought with a Luck point, against a roll that stays; the other side may answer in kind."""

class _Clash(Mechanic[..., Clash]):
    def __call__(
        self,
        target: int,
        defences: tuple[Defence, ...] | str = ...,
        luck: int = ...,
        their_luck: int = ...,
        regrade: Regrade | str = ...,
        margins: bool = ...,
        spent: int = ...,
        their_spent: int = ...,
        exceptional_boundary: Literal["over", "at_least"] = ...,
        critical_counts_as_exceptional: bool = ...,
        attack_bonus_basis: Literal["either", "mos", "grade"] = ...,
        ordered_first_failure: Literal["lose", "reroll"] = ...,
        regrade_limit: Literal["one_each_cancel", "one_total"] = ...,
        downgrade_critical: Literal["to_exceptional", "to_normal"] = ...,
    ) -> Call[Clash]:
        """Attack against defence: the attacker rolls first; a success has to be beaten, and ties are rolled again."""

class _Met(Mechanic[..., Clash]):
    def __call__(
        self,
        natural: int,
        swapped: int,
        target: int,
        defences: tuple[Defence, ...] | str = ...,
        luck: int = ...,
        their_luck: int = ...,
        regrade: Regrade | str = ...,
        margins: bool = ...,
        spent: int = ...,
        their_spent: int = ...,
        exceptional_boundary: Literal["over", "at_least"] = ...,
        critical_counts_as_exceptional: bool = ...,
        attack_bonus_basis: Literal["either", "mos", "grade"] = ...,
        ordered_first_failure: Literal["lose", "reroll"] = ...,
        regrade_limit: Literal["one_each_cancel", "one_total"] = ...,
        downgrade_critical: Literal["to_exceptional", "to_normal"] = ...,
    ) -> Call[Clash]:
        """An attack roll lies on the table: the target defends, and both may spend Luck, the attacker first."""

class _KeepUp(Mechanic[..., Kept]):
    def __call__(
        self,
        target: int,
        penalties: int = ...,
        luck: int = ...,
        checks: int = ...,
        daring: int = ...,
        luck_per_check: int | None = ...,
        spent: int = ...,
    ) -> Call[Kept]:
        """A check that is passed or failed, such as SOM x3 against falling, with Luck before the roll or to flip it."""

class _Hurt(Mechanic[..., Hurt]):
    def __call__(
        self,
        dv: DV | str,
        ap: int = ...,
        critical: bool = ...,
        vulnerability: int = ...,
        footing: int | None = ...,
        armor: int = ...,
        wound_threshold: int = ...,
        balance: int | None = ...,
        balance_penalties: int = ...,
        negated: int = ...,
        left: int = ...,
        luck: int = ...,
        daring: int = ...,
        luck_per_check: int | None = ...,
        less: int = ...,
        struck: bool = ...,
        critical_attack: Literal["roll_twice_best", "ignore_armor"] = ...,
        resistance_rule: Literal["scale_dv", "check_20", "regrade", "reroll_damage"] = ...,
        wound_boundary: Literal["literal", "at_least"] = ...,
        wound_check: Literal["per_event", "per_wound"] = ...,
    ) -> Call[Hurt]:
        """Damage from the dice to the wounds: dice, flat bonuses, blast, resistance, armor; then who is wounded may fall."""

class _Landed(Mechanic[..., Attacked]):
    def __call__(
        self,
        hit: bool,
        dv: DV | str,
        ap: int = ...,
        critical: bool = ...,
        vulnerability: int = ...,
        footing: int | None = ...,
        strike: str = ...,
        effect: bool = ...,
        special: bool = ...,
        holds: bool = ...,
        armor: int = ...,
        wound_threshold: int = ...,
        balance: int | None = ...,
        balance_penalties: int = ...,
        negated: int = ...,
        left: int = ...,
        luck: int = ...,
        their_luck: int = ...,
        luck_left: int = ...,
        their_daring: int = ...,
        luck_per_check: int | None = ...,
        critical_attack: Literal["roll_twice_best", "ignore_armor"] = ...,
        resistance_rule: Literal["scale_dv", "check_20", "regrade", "reroll_damage"] = ...,
        wound_boundary: Literal["literal", "at_least"] = ...,
        wound_check: Literal["per_event", "per_wound"] = ...,
    ) -> Call[Attacked]:
        """An attack that has met its defence: the effect of a hit on the target."""

class _Attack(Mechanic[..., Attacked]):
    def __call__(
        self,
        target: int,
        dv: DV | str,
        defences: tuple[Defence, ...] | str = ...,
        ap: int = ...,
        penalties: int = ...,
        vulnerability: int = ...,
        precision: int = ...,
        graded: bool = ...,
        armor: int = ...,
        wound_threshold: int = ...,
        balance: int | None = ...,
        balance_penalties: int = ...,
        negated: int = ...,
        left: int = ...,
        luck: int = ...,
        daring: int = ...,
        damage_bonus: int = ...,
        their_luck: int = ...,
        their_daring: int = ...,
        footing: int = ...,
        strikes: tuple[Strike, ...] | str = ...,
        plain: bool = ...,
        holds: int | None = ...,
        ignoring: bool | None = ...,
        dares: bool | None = ...,
        luck_per_check: int | None = ...,
        exceptional_boundary: Literal["over", "at_least"] = ...,
        critical_counts_as_exceptional: bool = ...,
        attack_bonus_basis: Literal["either", "mos", "grade"] = ...,
        ordered_first_failure: Literal["lose", "reroll"] = ...,
        regrade_limit: Literal["one_each_cancel", "one_total"] = ...,
        downgrade_critical: Literal["to_exceptional", "to_normal"] = ...,
        critical_attack: Literal["roll_twice_best", "ignore_armor"] = ...,
        resistance_rule: Literal["scale_dv", "check_20", "regrade", "reroll_damage"] = ...,
        wound_boundary: Literal["literal", "at_least"] = ...,
        wound_check: Literal["per_event", "per_wound"] = ...,
    ) -> Call[Attacked]:
        """A whole attack: strike or plain, Luck before and after, the target's defence, damage, wounds and falling."""

class _TwoWeapons(Mechanic[..., Volleyed]):
    def __call__(
        self,
        target: int,
        dv: DV | str,
        off_target: int,
        off_dv: DV | str,
        ap: int = ...,
        off_ap: int = ...,
        further: tuple[FurtherArm, ...] | str = ...,
        defences: tuple[Defence, ...] | str = ...,
        armor: int = ...,
        wound_threshold: int = ...,
        balance: int | None = ...,
        balance_penalties: int = ...,
        negated: int = ...,
        left: int = ...,
        exceptional_boundary: Literal["over", "at_least"] = ...,
        critical_counts_as_exceptional: bool = ...,
        attack_bonus_basis: Literal["either", "mos", "grade"] = ...,
        ordered_first_failure: Literal["lose", "reroll"] = ...,
        regrade_limit: Literal["one_each_cancel", "one_total"] = ...,
        downgrade_critical: Literal["to_exceptional", "to_normal"] = ...,
        critical_attack: Literal["roll_twice_best", "ignore_armor"] = ...,
        resistance_rule: Literal["scale_dv", "check_20", "regrade", "reroll_damage"] = ...,
        wound_boundary: Literal["literal", "at_least"] = ...,
        wound_check: Literal["per_event", "per_wound"] = ...,
        weapons: Literal["main", "off", "both"] | None = ...,
    ) -> Call[Volleyed]:
        """Attack with one weapon, or with all of them at -10 each; nobody spends Luck and no strike is tried."""

class _Initiative(Mechanic[..., Initiative]):
    def __call__(self, modifier: int, reroll: bool = ..., luck: int = ..., best_of_two: bool = ...) -> Call[Initiative]:
        """1d10 and the initiative modifier."""

class _Stress(Mechanic[..., Strained]):
    def __call__(
        self,
        sv: DV | str,
        target: int,
        half: bool = ...,
        trauma_threshold: int = ...,
        nerves: int = ...,
        penalties: int = ...,
        negated: int = ...,
        luck: int = ...,
        daring: int = ...,
        luck_per_check: int | None = ...,
        stress_boundary: Literal["over", "at_least"] = ...,
        wound_check: Literal["per_event", "per_wound"] = ...,
    ) -> Call[Strained]:
        """Stress: resisted with WIL x3 or taken in full; more than the threshold at once is a trauma, which may stun."""

class _Amount(Mechanic[..., int]):
    def __call__(self, dv: DV | str, twice: bool = ...) -> Call[int]:
        """Roll an amount once: a radius, or damage that is the same for everyone in an area."""

class _Resist(Mechanic[..., Kept]):
    def __call__(self, target: int, penalties: int = ..., luck: int = ..., daring: int = ...) -> Call[Kept]:
        """Resist a disease or a chemical: passed, one is not infected, or is spared a part."""

class _Bind(Mechanic[..., Bound]):
    def __call__(
        self,
        target: int,
        penalties: int = ...,
        luck: int = ...,
        heals: DV | str = ...,
        daring: int = ...,
        minutes: int = ...,
        steps: int = ...,
        exceptional_halves_time: bool = ...,
        exceptional_boundary: Literal["over", "at_least"] = ...,
        critical_counts_as_exceptional: bool = ...,
    ) -> Call[Bound]:
        """Bind a wound, or soothe a trauma, as a task: on a success one is negated and 1d10 is recovered."""

class _Task(Mechanic[..., Task]):
    def __call__(
        self,
        target: int,
        minutes: int,
        steps: int = ...,
        exceptional_halves_time: bool = ...,
        penalties: int = ...,
        luck: int = ...,
        daring: int = ...,
        exceptional_boundary: Literal["over", "at_least"] = ...,
        critical_counts_as_exceptional: bool = ...,
        second_roll: bool = ...,
    ) -> Call[Task]:
        """A task or a job: the check is made at the start, and says how long it takes, or when it is given up."""

class _Scatter(Mechanic[..., Landing]):
    def __call__(self, scatter_method: Literal["two_d10", "drop_die"] = ...) -> Call[Landing]:
        """Scatter of an area attack that misses: one of eight directions and 1 to 10 metres, or any of 360 degrees."""

check: _Check
margin: _Margin
success_margin: _SuccessMargin
simple_check: _SimpleCheck
common_knowledge: _CommonKnowledge
opposed: _Opposed
opposed_margin: _OpposedMargin
ordered: _Ordered
variable: _Variable
lucky_check: _LuckyCheck
lucky_margin: _LuckyMargin
gifted_check: _GiftedCheck
lucky_simple: _LuckySimple
two_rolls: _TwoRolls
lucky_contest: _LuckyContest
rolled_contest: _RolledContest
turned_contest: _TurnedContest
clash: _Clash
met: _Met
keep_up: _KeepUp
hurt: _Hurt
landed: _Landed
attack: _Attack
two_weapons: _TwoWeapons
initiative: _Initiative
stress: _Stress
amount: _Amount
resist: _Resist
bind: _Bind
task: _Task
scatter: _Scatter
