"""Mechanics of MARS. Written by tools/stubs.py."""

from typing import Literal

from tablewright.engine.mechanic import Call, Mechanic
from tablewright.systems.mars.mechanics.attack import Attacked, Resisted, Strike
from tablewright.systems.mars.mechanics.checks import Competition
from tablewright.systems.mars.mechanics.harm import DyingCheck, Fall, Harm, Struggle
from tablewright.systems.mars.mechanics.turn import Routine
from tablewright.systems.mars.values import Contested, Degree, RollValue, Shown

class _Check(Mechanic[..., Degree]):
    def __call__(
        self,
        roll_value: RollValue | str,
        difficulty: int,
        advantage: int = ...,
        disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[Degree]:
        """Roll against a difficulty: the total decides whether it is a failure, a graze, a success or a critical success."""

class _Roll(Mechanic[..., int]):
    def __call__(
        self,
        roll_value: RollValue | str,
        advantage: int = ...,
        disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[int]:
        """Roll a roll value and add everything up."""

class _Reroll(Mechanic[..., Degree]):
    def __call__(
        self,
        dice: tuple[Shown, ...] | str,
        difficulty: int,
        rerolls: int = ...,
        modifier: int = ...,
        keep: Literal["better", "worse"] = ...,
    ) -> Call[Degree]:
        """The dice are thrown and lie on the table: choose which die to reroll, once for each reroll that is left."""

class _Opposed(Mechanic[..., Degree]):
    def __call__(
        self,
        roll_value: RollValue | str,
        against: RollValue | str,
        advantage: int = ...,
        disadvantage: int = ...,
        against_advantage: int = ...,
        against_disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[Degree]:
        """One side acts and the other resists: the total of the resisting side is the difficulty; a tie is a success."""

class _Contest(Mechanic[..., Contested]):
    def __call__(
        self,
        a: RollValue | str,
        b: RollValue | str,
        contest_tie: Literal["no_winner", "reroll"] = ...,
        a_advantage: int = ...,
        a_disadvantage: int = ...,
        b_advantage: int = ...,
        b_disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[Contested]:
        """A contest that only one side can win: the strictly higher total succeeds, seven higher is critical."""

class _ContestOfSeveral(Mechanic[..., Competition]):
    def __call__(
        self,
        roll_values: tuple[RollValue, ...] | str,
        contest_tie: Literal["no_winner", "reroll"] = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[Competition]:
        """A contest of several that only one can win: the one highest total succeeds, seven above the next is critical."""

class _GroupAction(Mechanic[..., Degree]):
    def __call__(
        self,
        roll_values: tuple[RollValue, ...] | str,
        difficulty: int,
        mode: Literal["best", "worst"] = ...,
        advantage: int = ...,
        disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[Degree]:
        """Several characters make the same check, and only the best or only the worst result counts."""

class _Attack(Mechanic[..., Attacked]):
    def __call__(
        self,
        attack: RollValue | str,
        *,
        threshold: int = ...,
        advantage: int = ...,
        disadvantage: int = ...,
        deflection: RollValue | str,
        evasion: RollValue | str | None = ...,
        parry: RollValue | str | None = ...,
        resist: RollValue | str | None = ...,
        defence_advantage: int = ...,
        defence_disadvantage: int = ...,
        resist_advantage: int = ...,
        resist_disadvantage: int = ...,
        damage_roll: RollValue | str,
        critical_bonus: int = ...,
        category: Literal["physical", "elemental", "typeless"] = ...,
        nonlethal: bool = ...,
        damage_advantage: int = ...,
        damage_disadvantage: int = ...,
        reduced: Literal["by_type", "always", "never"] = ...,
        halvings: int = ...,
        doublings: int = ...,
        reduction: int = ...,
        block: int | None = ...,
        durability: int = ...,
        stamina: int = ...,
        endurance: int = ...,
        health: int = ...,
        max_health: int = ...,
        total: int | None = ...,
        declared: Literal["open", "deflect", "evade", "parry"] = ...,
        blocks: Literal["open", "yes", "no"] = ...,
        defence_declaration: Literal["before_rolls", "after_attack_roll"] = ...,
        half_double_mix: Literal["ladder", "multiply"] = ...,
        block_min_damage: Literal[1, 0] = ...,
        crit_ignores_block: bool = ...,
        typeless_ignores_block: bool = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[Attacked]:
        """A whole attack: the target deflects, evades or parries, perhaps blocks what hits, and loses endurance and health."""

class _ToHit(Mechanic[..., Strike]):
    def __call__(
        self,
        attack: RollValue | str,
        defence: RollValue | str,
        threshold: int = ...,
        grazing: bool = ...,
        resist: RollValue | str | None = ...,
        advantage: int = ...,
        disadvantage: int = ...,
        defence_advantage: int = ...,
        defence_disadvantage: int = ...,
        resist_advantage: int = ...,
        resist_disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[Strike]:
        """Attack: the defender's total is the difficulty. A graze or better hits, but who evades or parries is not grazed."""

class _Defend(Mechanic[..., Strike]):
    def __call__(
        self,
        total: int,
        defence: RollValue | str,
        threshold: int = ...,
        grazing: bool = ...,
        resist: RollValue | str | None = ...,
        defence_advantage: int = ...,
        defence_disadvantage: int = ...,
        resist_advantage: int = ...,
        resist_disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[Strike]:
        """An attack has come to a total: roll the defence against it and, if it hits, the resist against the same total."""

class _Resist(Mechanic[..., Resisted]):
    def __call__(
        self,
        total: int,
        roll_value: RollValue | str,
        rounds: int | None = ...,
        advantage: int = ...,
        disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[Resisted]:
        """The target of a maneuver resists: a success of the attacker has the full effect, a graze half of its duration."""

class _AttackRoutine(Mechanic[..., Routine]):
    def __call__(
        self,
        attack: RollValue | str,
        defence: RollValue | str,
        damage_roll: RollValue | str,
        reduction: int = ...,
        critical_bonus: int = ...,
        threshold: int = ...,
        penalty: int = ...,
        seconds: int = ...,
        left: int = ...,
        stamina: int = ...,
        maneuver_hit: int = ...,
        maneuver_damage: int = ...,
        maneuver_threshold: int = ...,
        maneuver_stamina: int = ...,
        maneuver_speed: Literal["full-round", "standard", "swift", "free"] = ...,
        improvised: bool = ...,
        maneuver_resist: RollValue | str | None = ...,
        effect_worth: int = ...,
    ) -> Call[Routine]:
        """A turn against one target: attack as often as time allows, each time with more penalty, or do a maneuver once."""

class _Awareness(Mechanic[..., bool]):
    def __call__(
        self,
        perception: RollValue | str,
        agilities: tuple[RollValue, ...] | str,
        advantage: int = ...,
        disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[bool]:
        """Check if an observer notices a sneaking group: perception against the worst of their agility totals."""

class _Damage(Mechanic[..., Harm]):
    def __call__(
        self,
        roll_value: RollValue | str,
        degree: Degree | str = ...,
        reduction: int = ...,
        critical_bonus: int = ...,
        category: Literal["physical", "elemental", "typeless"] = ...,
        block: int | None = ...,
        durability: int = ...,
        advantage: int = ...,
        disadvantage: int = ...,
        reduced: Literal["by_type", "always", "never"] = ...,
        halvings: int = ...,
        doublings: int = ...,
        half_double_mix: Literal["ladder", "multiply"] = ...,
        block_min_damage: Literal[1, 0] = ...,
        crit_ignores_block: bool = ...,
        typeless_ignores_block: bool = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[Harm]:
        """Roll the damage of a hit and reduce it; a graze is halved, a critical hit adds its bonus and ignores reduction."""

class _Burning(Mechanic[..., int]):
    def __call__(
        self,
        degree: int,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[int]:
        """Fire damage at the start of the turn: r4, and r2 more for each further degree; nothing reduces it."""

class _BurningOut(Mechanic[..., int]):
    def __call__(self, degree: int, so_far: int = ...) -> Call[int]:
        """All damage of a fire that nobody puts out: it falls by one degree each turn until it is out."""

class _Fall(Mechanic[..., Fall]):
    def __call__(
        self,
        agility: RollValue | str,
        metres: int,
        advantage: int = ...,
        disadvantage: int = ...,
        helpless: bool = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[Fall]:
        """Fall: from 3 metres on it hurts, r2 for each metre, whatever is worn. To land well halves or spares it."""

class _DyingCheck(Mechanic[..., DyingCheck]):
    def __call__(
        self,
        fortitude: RollValue | str,
        health: int,
        advantage: int = ...,
        disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[DyingCheck]:
        """At the start of the turn a dying character rolls FORT against the health that is missing to 0."""

class _Dying(Mechanic[..., bool]):
    def __call__(
        self,
        fortitude: RollValue | str,
        health: int,
        successes: int = ...,
        failures: int = ...,
        advantage: int = ...,
        disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[bool]:
        """Roll if a dying character survives without help: three successes before three failures."""

class _DyingChecks(Mechanic[..., Struggle]):
    def __call__(
        self,
        fortitude: RollValue | str,
        health: int,
        made: int = ...,
        successes: int = ...,
        failures: int = ...,
        advantage: int = ...,
        disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[Struggle]:
        """Count the checks of a dying character without help, and tell whether it survives."""

class _Stabilise(Mechanic[..., bool]):
    def __call__(
        self,
        medicine: RollValue | str,
        difficulty: int = ...,
        advantage: int = ...,
        disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[bool]:
        """Help a dying neighbour: a success ends dying."""

class _SicknessCheck(Mechanic[..., bool]):
    def __call__(
        self,
        fortitude: RollValue | str,
        difficulty: int = ...,
        advantage: int = ...,
        disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[bool]:
        """Roll FORT at the end of a sickness: a success lowers its degree by 1, anything else leaves it as it is."""

class _Concentration(Mechanic[..., bool]):
    def __call__(
        self,
        willpower: RollValue | str,
        difficulty: int = ...,
        advantage: int = ...,
        disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[bool]:
        """Roll WILL to keep concentration through a stun; only a success keeps it."""

class _Initiative(Mechanic[..., int]):
    def __call__(
        self,
        roll_value: RollValue | str,
        advantage: int = ...,
        disadvantage: int = ...,
        advantage_die_choice: Literal["ask", "max_gain", "lowest_die"] = ...,
        disadvantage_tie: Literal["more_sides", "fewer_sides", "ask"] = ...,
        odd_roll_values: Literal["literal", "even_plus_one", "reject"] = ...,
    ) -> Call[int]:
        """Roll initiative: DEX and RES together, the higher total acts earlier."""

check: _Check
roll: _Roll
reroll: _Reroll
opposed: _Opposed
contest: _Contest
contest_of_several: _ContestOfSeveral
group_action: _GroupAction
attack: _Attack
to_hit: _ToHit
defend: _Defend
resist: _Resist
attack_routine: _AttackRoutine
awareness: _Awareness
damage: _Damage
burning: _Burning
burning_out: _BurningOut
fall: _Fall
dying_check: _DyingCheck
dying: _Dying
dying_checks: _DyingChecks
stabilise: _Stabilise
sickness_check: _SicknessCheck
concentration: _Concentration
initiative: _Initiative
