"""Mechanics of Märchen Engine. Written by tools/stubs.py."""

from fractions import Fraction
from typing import Literal

from tablewright.engine.mechanic import Call, Mechanic
from tablewright.systems.marchen.mechanics.attack import Blow
from tablewright.systems.marchen.mechanics.checks import CheckResult, GroupResult, OpposedResult, Task
from tablewright.systems.marchen.mechanics.clash import Clashed, Met
from tablewright.systems.marchen.mechanics.harm import FailureCost, Suffered
from tablewright.systems.marchen.mechanics.magic import Cast
from tablewright.systems.marchen.mechanics.tasks import BurnResult, PoolResult
from tablewright.systems.marchen.mechanics.turn import Entered, Timed

class _Check(Mechanic[..., CheckResult]):
    def __call__(
        self,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        difficulty: Literal[
            "trivial",
            "simple",
            "easy",
            "routine",
            "average",
            "difficult",
            "very_difficult",
            "formidable",
            "heroic",
            "nearly_impossible",
            "godly",
        ] = ...,
        modifier: int = ...,
        advantage: Literal["none", "advantage", "disadvantage"] = ...,
        steps: int = ...,
        dm: int = ...,
        contest: bool = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
        dice_chain_mode: Literal["per_die", "core_swap"] = ...,
    ) -> Call[CheckResult]:
        """Roll the core's dice, add all modifiers and the difficulty's DM, and read the degree from what passes the target."""

class _Passive(Mechanic[..., CheckResult]):
    def __call__(
        self,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        difficulty: Literal[
            "trivial",
            "simple",
            "easy",
            "routine",
            "average",
            "difficult",
            "very_difficult",
            "formidable",
            "heroic",
            "nearly_impossible",
            "godly",
        ] = ...,
        modifier: int = ...,
        dm: int = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
        passive_base: Literal["mean", "ten"] = ...,
        contest: bool = ...,
    ) -> Call[CheckResult]:
        """A check without a roll: a fixed figure stands in for the dice, everything else is as in any check."""

class _TaskChain(Mechanic[..., CheckResult]):
    def __call__(
        self,
        tasks: tuple[Task, ...] | str,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        carried: int = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[CheckResult]:
        """Linked checks: each gives the next one a DM equal to the sigma of its degree; the last one's result counts."""

class _Opposed(Mechanic[..., OpposedResult]):
    def __call__(
        self,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        a_modifier: int = ...,
        b_modifier: int = ...,
        a_difficulty: Literal[
            "trivial",
            "simple",
            "easy",
            "routine",
            "average",
            "difficult",
            "very_difficult",
            "formidable",
            "heroic",
            "nearly_impossible",
            "godly",
        ] = ...,
        b_difficulty: Literal[
            "trivial",
            "simple",
            "easy",
            "routine",
            "average",
            "difficult",
            "very_difficult",
            "formidable",
            "heroic",
            "nearly_impossible",
            "godly",
        ] = ...,
        a_characteristic: int = ...,
        b_characteristic: int = ...,
        a_advantage: Literal["none", "advantage", "disadvantage"] = ...,
        b_advantage: Literal["none", "advantage", "disadvantage"] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        opposed_tie: Literal["characteristic", "fail_in_style"] = ...,
        a_steps: int = ...,
        b_steps: int = ...,
        a_dm: int = ...,
        b_dm: int = ...,
        dice_chain_mode: Literal["per_die", "core_swap"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[OpposedResult]:
        """Two checks against each other: the higher effect wins, also if both failed."""

class _Aided(Mechanic[..., CheckResult]):
    def __call__(
        self,
        helpers: tuple[int, ...] | str,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        difficulty: Literal[
            "trivial",
            "simple",
            "easy",
            "routine",
            "average",
            "difficult",
            "very_difficult",
            "formidable",
            "heroic",
            "nearly_impossible",
            "godly",
        ] = ...,
        modifier: int = ...,
        max_helpers: int | None = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
        advantage: Literal["none", "advantage", "disadvantage"] = ...,
        steps: int = ...,
        dm: int = ...,
        contest: bool = ...,
        dice_chain_mode: Literal["per_die", "core_swap"] = ...,
        helpers_luck: tuple[Literal["none", "advantage", "disadvantage"], ...] | str = ...,
    ) -> Call[CheckResult]:
        """Every helper rolls the same check first; each success helps the leader, each failure hinders him."""

class _Group(Mechanic[..., GroupResult]):
    def __call__(
        self,
        members: tuple[int, ...] | str,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        difficulty: Literal[
            "trivial",
            "simple",
            "easy",
            "routine",
            "average",
            "difficult",
            "very_difficult",
            "formidable",
            "heroic",
            "nearly_impossible",
            "godly",
        ] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
        luck: tuple[Literal["none", "advantage", "disadvantage"], ...] | str = ...,
    ) -> Call[GroupResult]:
        """Let every member make the check, also a trivial one; the group succeeds if at least half do."""

class _Automatic(Mechanic[..., CheckResult]):
    def __call__(
        self,
        outcome: Literal["success", "failure"] = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
    ) -> Call[CheckResult]:
        """The Referee decides that an approach succeeds or fails by itself: Succeed or Fail, without a roll."""

class _Reroll(Mechanic[..., CheckResult]):
    def __call__(
        self,
        first: tuple[int, ...] | str,
        second: tuple[int, ...] | str,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        advantage: Literal["none", "advantage", "disadvantage"] = ...,
        allows: int = ...,
        difficulty: Literal[
            "trivial",
            "simple",
            "easy",
            "routine",
            "average",
            "difficult",
            "very_difficult",
            "formidable",
            "heroic",
            "nearly_impossible",
            "godly",
        ] = ...,
        modifier: int = ...,
        dm: int = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
        advantage_reroll: Literal["set", "die"] = ...,
    ) -> Call[CheckResult]:
        """Two sets lie on the table and something allows a reroll: it reaches one of them, once; then they are compared."""

class _TaskPool(Mechanic[..., PoolResult]):
    def __call__(
        self,
        members: tuple[int, ...] | str,
        needed: int | None = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        difficulty: Literal[
            "trivial",
            "simple",
            "easy",
            "routine",
            "average",
            "difficult",
            "very_difficult",
            "formidable",
            "heroic",
            "nearly_impossible",
            "godly",
        ] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[PoolResult]:
        """Let members in turn add successes to a pool until there are enough; a catastrophe closes it."""

class _Burning(Mechanic[..., BurnResult]):
    def __call__(
        self,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        difficulty: Literal[
            "trivial",
            "simple",
            "easy",
            "routine",
            "average",
            "difficult",
            "very_difficult",
            "formidable",
            "heroic",
            "nearly_impossible",
            "godly",
        ] = ...,
        modifier: int = ...,
        points: int = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[BurnResult]:
        """Make a check with the skill at level 5: a point burnt for good turns a failure into Succeed."""

class _RolledScore(Mechanic[..., int]):
    def __call__(self) -> Call[int]:
        """Roll one score: 5d8 without the lowest, read from the table."""

class _Duration(Mechanic[..., Fraction]):
    def __call__(
        self,
        frame: Literal[
            "second",
            "minute",
            "hour",
            "ounce",
            "puncti",
            "bell",
            "hourglass",
            "watch",
            "day",
            "week",
            "month",
            "season",
        ] = ...,
        sigma: int = ...,
        task_time: Literal["d6", "sigma_units", "percent"] = ...,
        month_days: int = ...,
    ) -> Call[Fraction]:
        """Seconds of a task: 1D6 times the increment, or a time that follows from the sigma of its check."""

class _TakeTime(Mechanic[..., Timed]):
    def __call__(
        self,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        difficulty: Literal[
            "trivial",
            "simple",
            "easy",
            "routine",
            "average",
            "difficult",
            "very_difficult",
            "formidable",
            "heroic",
            "nearly_impossible",
            "godly",
        ] = ...,
        modifier: int = ...,
        frame: Literal["ounce", "puncti", "bell", "hourglass", "watch", "day", "week", "month", "season"] = ...,
        price: int = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[Timed]:
        """Before the roll, move up to two rows of the time table: DM-1 for each row faster, DM+1 for each row slower."""

class _Lead(Mechanic[..., CheckResult]):
    def __call__(
        self,
        members: tuple[int, ...] | str,
        levels: tuple[int, ...] | str = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        difficulty: Literal[
            "trivial",
            "simple",
            "easy",
            "routine",
            "average",
            "difficult",
            "very_difficult",
            "formidable",
            "heroic",
            "nearly_impossible",
            "godly",
        ] = ...,
        max_helpers: int | None = ...,
        level_gates: bool = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[CheckResult]:
        """Several can do it together: one leads, and the others may roll first to help; or one does it alone."""

class _OrderTasks(Mechanic[..., CheckResult]):
    def __call__(
        self,
        tasks: tuple[Task, ...] | str,
        last: Task | str = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[CheckResult]:
        """Linked tasks whose order is free but for the last: each gives its sigma to the next."""

class _WhichCore(Mechanic[..., CheckResult]):
    def __call__(
        self,
        difficulty: Literal[
            "trivial",
            "simple",
            "easy",
            "routine",
            "average",
            "difficult",
            "very_difficult",
            "formidable",
            "heroic",
            "nearly_impossible",
            "godly",
        ] = ...,
        modifier: int = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[CheckResult]:
        """Make the same check with each of the seven cores: for success, for much swing, or for a steady hand."""

class _EnterTheFray(Mechanic[..., Entered]):
    def __call__(
        self,
        modifier: int = ...,
        advantage: Literal["none", "advantage", "disadvantage"] = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[Entered]:
        """Come into a fight: an agility check says who acts when, and who begins in control."""

class _Strike(Mechanic[..., Blow]):
    def __call__(
        self,
        modifier: int = ...,
        dice: int = ...,
        plus: int = ...,
        advantage: Literal["none", "advantage", "disadvantage"] = ...,
        dodge: int = ...,
        parry: int = ...,
        tide: bool = ...,
        decisive: bool = ...,
        armour: int = ...,
        soak: int = ...,
        endure: int = ...,
        taken: int = ...,
        threshold: int = ...,
        face_modifier: int = ...,
        back_dice: int = ...,
        own_armour: int = ...,
        own_soak: int = ...,
        own_endure: int = ...,
        own_taken: int = ...,
        own_threshold: int = ...,
        own_face: int = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        damage_bonus: Literal["sigma", "effect"] = ...,
        damage_model: Literal["dice", "tiers"] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[Blow]:
        """Attack while in control: a skill check that the foe may dodge or parry, and what comes of it for both."""

class _Struck(Mechanic[..., Blow]):
    def __call__(
        self,
        modifier: int = ...,
        dice: int = ...,
        plus: int = ...,
        advantage: Literal["none", "advantage", "disadvantage"] = ...,
        reaction: Literal["none", "dodge", "parry"] = ...,
        out: Literal["", "yields", "flees", "felled"] = ...,
        tide: bool = ...,
        armour: int = ...,
        soak: int = ...,
        endure: int = ...,
        taken: int = ...,
        threshold: int = ...,
        face_modifier: int = ...,
        back_dice: int = ...,
        own_armour: int = ...,
        own_soak: int = ...,
        own_endure: int = ...,
        own_taken: int = ...,
        own_threshold: int = ...,
        own_face: int = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        damage_bonus: Literal["sigma", "effect"] = ...,
        damage_model: Literal["dice", "tiers"] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[Blow]:
        """A strike after all that could be done about it beforehand: the check, the damage, what is endured."""

class _Clash(Mechanic[..., Clashed]):
    def __call__(
        self,
        modifier: int = ...,
        foe_modifier: int = ...,
        dice: int = ...,
        plus: int = ...,
        advantage: Literal["none", "advantage", "disadvantage"] = ...,
        foe_advantage: Literal["none", "advantage", "disadvantage"] = ...,
        characteristic: int = ...,
        foe_characteristic: int = ...,
        decisive: bool = ...,
        armour: int = ...,
        soak: int = ...,
        endure: int = ...,
        taken: int = ...,
        threshold: int = ...,
        face_modifier: int = ...,
        back_dice: int = ...,
        back_plus: int = ...,
        own_armour: int = ...,
        own_soak: int = ...,
        own_endure: int = ...,
        own_taken: int = ...,
        own_threshold: int = ...,
        own_face: int = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        damage_bonus: Literal["sigma", "effect"] = ...,
        damage_model: Literal["dice", "tiers"] = ...,
        opposed_tie: Literal["characteristic", "fail_in_style"] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[Clashed]:
        """Fight back from a bad spot: an opposed check whose winner deals damage. A clash may be meant to end the fight."""

class _Met(Mechanic[..., Clashed]):
    def __call__(
        self,
        modifier: int = ...,
        foe_modifier: int = ...,
        dice: int = ...,
        plus: int = ...,
        advantage: Literal["none", "advantage", "disadvantage"] = ...,
        foe_advantage: Literal["none", "advantage", "disadvantage"] = ...,
        ahead: int = ...,
        out: Literal["", "yields", "flees", "felled"] = ...,
        armour: int = ...,
        soak: int = ...,
        endure: int = ...,
        taken: int = ...,
        threshold: int = ...,
        face_modifier: int = ...,
        back_dice: int = ...,
        back_plus: int = ...,
        own_armour: int = ...,
        own_soak: int = ...,
        own_endure: int = ...,
        own_taken: int = ...,
        own_threshold: int = ...,
        own_face: int = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        damage_bonus: Literal["sigma", "effect"] = ...,
        damage_model: Literal["dice", "tiers"] = ...,
        opposed_tie: Literal["characteristic", "fail_in_style"] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[Clashed]:
        """A clash after all that could be said about it beforehand: both checks, the winner's damage."""

class _Battle(Mechanic[..., Met]):
    def __call__(
        self,
        modifier: int = ...,
        foe_modifier: int = ...,
        characteristic: int = ...,
        foe_characteristic: int = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        damage_bonus: Literal["sigma", "effect"] = ...,
        opposed_tie: Literal["characteristic", "fail_in_style"] = ...,
        advantage: Literal["none", "advantage", "disadvantage"] = ...,
        foe_advantage: Literal["none", "advantage", "disadvantage"] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[Met]:
        """A whole fight in a blur: one opposed check of the leaders; the winner's sigma says how hard losers are hit."""

class _Suffer(Mechanic[..., Suffered]):
    def __call__(
        self,
        damage: int,
        endure: int = ...,
        taken: int = ...,
        threshold: int = ...,
        face_modifier: int = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        enduring: bool = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[Suffered]:
        """Endure what one suffers, once: a success takes off its levels, a catastrophe adds a condition."""

class _Hazard(Mechanic[..., Suffered]):
    def __call__(
        self,
        dice: int,
        plus: int = ...,
        armour: int = ...,
        endure: int = ...,
        taken: int = ...,
        threshold: int = ...,
        face_modifier: int = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        enduring: bool = ...,
        half: bool = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
        least: int = ...,
        damage_model: Literal["dice", "tiers"] = ...,
    ) -> Call[Suffered]:
        """Damage that nobody deals in person: a fall, a fire, the price of a failure, a hit of a battle."""

class _Face(Mechanic[..., str]):
    def __call__(
        self,
        damage: int,
        threshold: int,
        modifier: int = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[str]:
        """Face death, duress, depression or desolation: an aspect check that is harder for damage beyond the threshold."""

class _PayThePrice(Mechanic[..., FailureCost]):
    def __call__(
        self,
        degree: Literal[
            "catastrophic",
            "costly",
            "fail",
            "minor_fail",
            "fail_in_style",
            "tie",
            "succeed",
            "succeed_in_style",
            "critical",
            "serendipitous",
        ],
        supply: int = ...,
        treasure: int = ...,
        endure: int = ...,
        taken: int = ...,
        threshold: int = ...,
        face_modifier: int = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
        damage_model: Literal["dice", "tiers"] = ...,
    ) -> Call[FailureCost]:
        """Suffer the outcome of a failed move, or give up a resource instead; a catastrophe cannot be bought off."""

class _Withstand(Mechanic[..., int]):
    def __call__(
        self,
        modifier: int = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        advantage: Literal["none", "advantage", "disadvantage"] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[int]:
        """Conditions of an item after a damaging situation: one on a failure, two on a costly one."""

class _Cast(Mechanic[..., Cast]):
    def __call__(
        self,
        modifier: int = ...,
        depth: int = ...,
        difficulty: Literal[
            "trivial",
            "simple",
            "easy",
            "routine",
            "average",
            "difficult",
            "very_difficult",
            "formidable",
            "heroic",
            "nearly_impossible",
            "godly",
        ] = ...,
        purpose: Literal["harm", "heal", "other"] = ...,
        cost: int = ...,
        advantage: Literal["none", "advantage", "disadvantage"] = ...,
        armour: int = ...,
        soak: int = ...,
        endure: int = ...,
        taken: int = ...,
        threshold: int = ...,
        face_modifier: int = ...,
        own_taken: int = ...,
        own_threshold: int = ...,
        own_face: int = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
        damage_model: Literal["dice", "tiers"] = ...,
    ) -> Call[Cast]:
        """A check of a spiritual skill; its depth says how hard it is, how much it does, and what it costs the caster."""

class _DayOfRest(Mechanic[..., int]):
    def __call__(self, stamina: int = ..., active: bool = ...) -> Call[int]:
        """Physical damage that a day heals: 1D6 and stamina, at least 1; an active day 1 and stamina, at least 0."""

class _Treat(Mechanic[..., int]):
    def __call__(
        self,
        modifier: int = ...,
        oneself: bool = ...,
        core: Literal["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"] = ...,
        advantage: Literal["none", "advantage", "disadvantage"] = ...,
        target_rule: Literal["printed", "centre", "match_odds"] = ...,
        d20_scale: Literal["dm", "dc"] = ...,
        trivial: Literal["auto", "roll", "veiled"] = ...,
        exceptional_rule: Literal["sigma4", "flat6"] = ...,
        two_d6_extremes: Literal["sigma4", "clamp"] = ...,
        degree_method: Literal["table", "sigma"] = ...,
    ) -> Call[int]:
        """Physical damage that first aid heals: 2 for each level of success; a catastrophe does 1 more (-1)."""

check: _Check
passive: _Passive
task_chain: _TaskChain
opposed: _Opposed
aided: _Aided
group: _Group
automatic: _Automatic
reroll: _Reroll
task_pool: _TaskPool
burning: _Burning
rolled_score: _RolledScore
duration: _Duration
take_time: _TakeTime
lead: _Lead
order_tasks: _OrderTasks
which_core: _WhichCore
enter_the_fray: _EnterTheFray
strike: _Strike
struck: _Struck
clash: _Clash
met: _Met
battle: _Battle
suffer: _Suffer
hazard: _Hazard
face: _Face
pay_the_price: _PayThePrice
withstand: _Withstand
cast: _Cast
day_of_rest: _DayOfRest
treat: _Treat
