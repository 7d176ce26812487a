"""What is rolled in a fight: entering it, striking and clashing down to what is lost, enduring, facing the end.

A blow is one rule: the defender's reaction, the check, the damage, what is endured and whether somebody falls. Whoever
suffers in it does so by :func:`suffer`, from either side.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.dice import Die, Sum
from tablewright.engine import Ask, Mechanic, Param, Seat, again, both, choose, mechanic, roll
from tablewright.engine.settings import spelled_out
from tablewright.systems.marchen.mechanics import (
    MODIFIER_SCALE,
    PLAIN,
    CheckResult,
    Modifier,
    Table,
    TheAdvantage,
    TheCore,
    Winner,
    _rolled,
    check,
    exceptionally,
)
from tablewright.systems.marchen.options import DamageBonus, DamageModel, OpposedTie
from tablewright.systems.marchen.tables import Advantage, Core, Degree, Difficulty, dice_of

REACTION_WORTH, DOWN_WORTH, END_WORTH, CONDITION_WORTH = 1, 12, 20, 2
"""What it is worth, in points of damage, that somebody spends a reaction, falls, comes to an end, is hampered."""

Reaction: TypeAlias = Literal["none", "dodge", "parry"]
Out: TypeAlias = Literal["", "yields", "flees", "felled"]
OUTS: tuple[Out, ...] = ("felled", "yields", "flees")
FAILED_BADLY = (Degree.CATASTROPHIC, Degree.COSTLY)
BAD_SPOT = (Degree.CATASTROPHIC, Degree.COSTLY, Degree.FAIL, Degree.MINOR_FAIL)
"""The degrees of a strike after which the foe has the initiative (marchen.ounces.strike)."""

Dice = Annotated[int, Param("D6 of damage; the points of the tier where damage goes by tiers", 0, 20)]
Plus = Annotated[int, Param("what is added to the damage: muscle, a fine weapon", 0, 20)]
ArmourRating = Annotated[int, Param("what armour takes off", 0, 40)]
Soak = Annotated[int, Param("points of armour that are used up first, where damage goes by tiers", 0, 40)]
Endure = Annotated[int, Param("the modifier of the characteristic that pushes oneself", -60, 60, unseen=0)]
Taken = Annotated[int, Param("damage of this aspect so far", 0, 1_000, unseen=0)]
Threshold = Annotated[int, Param("how much of it can be taken", 1, 1_000, unseen=14)]
Face = Annotated[int, Param("the modifier of the check that faces the end", -60, 60, unseen=0)]
Foes: TypeAlias = Annotated[int, Param("the opponent's modifier", -60, 60)]


class Outcome(NamedTuple):
    """What a degree of the Face check means: how somebody is afterwards (marchen.gap.face.outcomes)."""

    end: bool = False
    down: bool = False
    conscious: bool = True
    dying: Literal["", "puncti", "watch"] = ""
    condition: bool = False
    scar: bool = False
    weight: int = 0
    recovers: Literal["", "threshold", "half"] = ""


OUTCOMES: dict[Degree, Outcome] = {
    Degree.CATASTROPHIC: Outcome(end=True, down=True, conscious=False),
    Degree.COSTLY: Outcome(down=True, conscious=False, dying="puncti", scar=True),
    Degree.FAIL: Outcome(down=True, conscious=False, dying="watch", condition=True),
    Degree.MINOR_FAIL: Outcome(down=True, conscious=False, dying="watch", condition=True),
    Degree.FAIL_IN_STYLE: Outcome(down=True, condition=True),
    Degree.TIE: Outcome(weight=-2),
    Degree.SUCCEED: Outcome(weight=-1),
    Degree.SUCCEED_IN_STYLE: Outcome(recovers="threshold"),
    Degree.CRITICAL: Outcome(recovers="threshold"),
    Degree.SERENDIPITOUS: Outcome(recovers="half"),
}


def levels_of_success(result: CheckResult) -> int:
    """How many levels of success a check has: its sigma, at least one on a success (marchen.action.success_levels)."""
    return max(1, result.sigma) if result.success else 0


class Grade(Enum):
    """How well an activity went, in the words of the activities (marchen.action.success_levels)."""

    FAILURE = "failure"
    SUCCESS = "success"
    GREAT_SUCCESS = "great_success"
    EXTRAORDINARY_SUCCESS = "extraordinary_success"


def grade_of(result: CheckResult) -> Grade:
    """Success for sigma 0 and 1, a great one for 2, an extraordinary one for 3 and 4."""
    if not result.success:
        return Grade.FAILURE
    if result.sigma >= 3:
        return Grade.EXTRAORDINARY_SUCCESS
    return Grade.GREAT_SUCCESS if result.sigma == 2 else Grade.SUCCESS


def plain_check(core: Core, modifier: int, table: Table, difficulty: Difficulty = "average") -> Ask[CheckResult]:
    """A check with nothing but a modifier."""
    return check(core, difficulty, modifier, "none", 0, 0, False, *table, "per_die")


# ---------------------------------------------------------------------- suffering


class Suffered(NamedTuple):
    """What somebody suffered: damage that counts, points of armour used up, a condition, how the end was faced."""

    damage: int = 0
    soaked: int = 0
    condition: bool = False
    face: Degree | None = None

    @property
    def outcome(self) -> Outcome | None:
        """What facing the end came to, where it had to be faced."""
        return None if self.face is None else OUTCOMES[self.face]

    def after(self, taken: int, threshold: int) -> int:
        """The damage of the aspect afterwards."""
        outcome = self.outcome
        if outcome is None or not outcome.recovers:
            return taken + self.damage
        return threshold if outcome.recovers == "threshold" else threshold // 2


NOTHING = Suffered()


def worth(suffered: Suffered) -> int:
    """How bad it is, in points of damage."""
    bad = suffered.damage + CONDITION_WORTH * suffered.condition
    outcome = suffered.outcome
    if outcome is None:
        return bad
    bad += END_WORTH * outcome.end + DOWN_WORTH * outcome.down
    return bad - outcome.weight


def _spared(suffered: Suffered) -> int:
    return -worth(suffered)


def over_dm(damage: int, threshold: int) -> int:
    """The DM for damage beyond the threshold: one off for every full 4 points (marchen.gap.face.check)."""
    return -((damage - threshold) // 4)


@mechanic(
    rules=[
        "marchen.interrupted.face_death",
        "marchen.interrupted.face_duress",
        "marchen.interrupted.face_depression",
        "marchen.interrupted.face_desolation",
    ],
    objectives={"stay_up": lambda degree: -DOWN_WORTH * OUTCOMES[degree].down - END_WORTH * OUTCOMES[degree].end},
)
@spelled_out
async def face(
    damage: Annotated[int, Param("damage of the aspect", 0, 1_000)],
    threshold: Threshold,
    modifier: Face = 0,
    core: TheCore = "2d6",
    table: Table = PLAIN,
) -> Degree:
    """Face death, duress, depression or desolation: an aspect check that is harder for damage beyond the threshold.

    At twice the threshold there is nothing to roll for any more.
    """
    if damage >= 2 * threshold:
        return Degree.CATASTROPHIC  # marchen.gap.threshold.end
    over = min(0, over_dm(damage, threshold))
    return await plain_check(core, modifier + over, table).map(lambda result: result.degree)


@mechanic(rules=["marchen.ounces.endure", "marchen.interrupted.trigger"], objectives={"spared": _spared})
@spelled_out
async def suffer(
    damage: Annotated[int, Param("damage after armour", 0, 1_000)],
    endure: Endure = 0,
    taken: Taken = 0,
    threshold: Threshold = 14,
    face_modifier: Face = 0,
    core: TheCore = "2d6",
    enduring: Annotated[bool, Param("whether it can be endured at all")] = True,
    table: Table = PLAIN,
) -> Suffered:
    """Endure what one suffers, once: a success takes off its levels, a catastrophe adds a condition.

    If the damage then exceeds the threshold, the end has to be faced.
    """
    if damage <= 0:
        return NOTHING
    condition = False
    if enduring:
        levels, condition = await plain_check(core, endure, table).map(
            lambda result: (levels_of_success(result), result.degree is Degree.CATASTROPHIC)
        )
        damage = max(0, damage - levels)
    now = taken + damage
    if damage == 0 or now <= threshold:
        return Suffered(damage, 0, condition)
    faced = await face(now, threshold, face_modifier, core, *table)
    return Suffered(damage, 0, condition, faced)


def thrown(dice: int, damage_model: DamageModel) -> Ask[int] | None:
    """What is thrown for damage; nothing where it goes by tiers, or where there are no dice."""
    return roll(Sum.copies(dice, Die(6))) if dice and damage_model == "dice" else None


class Wound(NamedTuple):
    """Damage that is left after armour, and points of armour that are used up."""

    damage: int
    soaked: int


async def _wound(dice: int, plus: int, armour: int, soak: int, least: int, damage_model: DamageModel) -> Wound:
    """Throw for damage and take armour off."""
    if damage_model == "tiers":  # marchen.gap.damage.tiers
        used = min(soak, dice)
        return Wound(max(dice - used, least), used)
    asked = thrown(dice, damage_model)
    off = plus - armour
    damage = max(off, least) if asked is None else await asked.map(lambda shown: max(shown + off, least))
    return Wound(max(0, damage), 0)


@mechanic(rules=["marchen.ounces.endure", "marchen.gap.damage.formula"], objectives={"spared": _spared})
@spelled_out
async def hazard(
    dice: Dice,
    plus: Plus = 0,
    armour: ArmourRating = 0,
    endure: Endure = 0,
    taken: Taken = 0,
    threshold: Threshold = 14,
    face_modifier: Face = 0,
    core: TheCore = "2d6",
    enduring: Annotated[bool, Param("whether it can be endured at all")] = True,
    table: Table = PLAIN,
) -> Suffered:
    """Damage that nobody deals: a fall, a fire, the price of a failure, a hit of a battle."""
    wound = await _wound(dice, plus, armour, 0, 0, "dice")
    return await suffer(wound.damage, endure, taken, threshold, face_modifier, core, enduring, *table)


# ---------------------------------------------------------------------- blows


class Blow(NamedTuple):
    """What came of an attack: how well it went, how it was met, what both suffered, whether the foe is out of it."""

    degree: Degree
    reaction: Reaction
    out: Out
    hurt: Suffered
    back: Suffered


def harm(blow: Blow) -> int:
    """What a blow is worth to whoever strikes it, in points of damage."""
    gain = worth(blow.hurt) + REACTION_WORTH * (blow.reaction != "none") + (DOWN_WORTH if blow.out else 0)
    return gain - worth(blow.back) - 2 * (blow.degree in BAD_SPOT)


def damage_of(blow: Blow) -> int:
    """The damage that counts."""
    return blow.hurt.damage


class Defence(NamedTuple):
    """What a defender has against a blow, and what it would do to him."""

    armour: ArmourRating = 0
    soak: Soak = 0
    endure: Endure = 0
    taken: Taken = 0
    threshold: Threshold = 14
    face_modifier: Face = 0


def bonus_of(result: CheckResult, damage_bonus: DamageBonus, damage_model: DamageModel) -> int:
    """What a good hit adds to damage: twice the sigma or the effect, never less than nothing."""
    if damage_model == "tiers":
        return 0
    return max(0, 2 * result.sigma if damage_bonus == "sigma" else result.effect)  # marchen.gap.damage.formula


class Landed(NamedTuple):
    """As much of a check as a blow needs: its degree, and what it adds to damage."""

    degree: Degree
    bonus: int
    sigma: int


@mechanic(
    rules=[
        "marchen.ounces.strike",
        "marchen.attack.is_skill_check",
        "marchen.puncti.end_the_fight",
        "marchen.ounces.turn_the_tide",
        "marchen.gap.damage.formula",
    ],
    objectives={"harm": harm, "damage": damage_of},
)
@spelled_out
async def strike(
    modifier: Modifier = 0,
    dice: Dice = 3,
    plus: Plus = 0,
    advantage: TheAdvantage = "none",
    dodge: Annotated[int, Param("what dodging takes off the attack; 0 where it cannot be dodged", 0, 10)] = 0,
    parry: Annotated[int, Param("what parrying takes off the attack; 0 where it cannot be parried", 0, 20)] = 0,
    decisive: Annotated[bool, Param("whether it is to end the fight")] = False,
    tide: Annotated[bool, Param("whether it is to turn the tide: a failure counts as Costly at least")] = False,
    armour: ArmourRating = 0,
    soak: Soak = 0,
    endure: Endure = 0,
    taken: Taken = 0,
    threshold: Threshold = 14,
    face_modifier: Face = 0,
    back_dice: Annotated[int, Param("the dice of the foe's weapon, for a costly failure", 0, 20)] = 0,
    own_armour: Annotated[int, Param("what the attacker's armour takes off", 0, 40)] = 0,
    own_soak: Annotated[int, Param("points of the attacker's armour, where damage goes by tiers", 0, 40)] = 0,
    own_endure: Endure = 0,
    own_taken: Taken = 0,
    own_threshold: Threshold = 14,
    own_face: Face = 0,
    core: TheCore = "2d6",
    damage_bonus: Annotated[DamageBonus, Param("what a good hit adds to damage")] = "sigma",
    damage_model: Annotated[DamageModel, Param("damage by dice or by tiers")] = "dice",
    table: Table = PLAIN,
) -> Blow:
    """Attack while in control: a skill check that the foe may dodge or parry, and what comes of it for both.

    A success, a tie too, deals damage. A costly failure lets the foe deal its weapon's damage. A decisive strike with
    a strong hit puts the foe out of the fight, in a way that the attacker chooses.
    """
    reaction = await _reaction(dodge, parry)
    off = dodge if reaction == "dodge" else parry if reaction == "parry" else 0
    landed = await check(core, "average", modifier - off, advantage, 0, 0, False, *table, "per_die").map(
        lambda result: _landed(result, damage_bonus, damage_model, tide)
    )
    out: Out = ""
    hurt = back = NOTHING
    if landed.sigma >= 0:
        if decisive and landed.sigma >= 2:
            out = await choose(Seat.ACTOR, "what becomes of the foe?", OUTS)
        least = int(landed.degree is Degree.SERENDIPITOUS)
        wound = await _wound(dice, plus + landed.bonus, armour, soak, least, damage_model)
        hurt = await suffer(wound.damage, endure, taken, threshold, face_modifier, core, True, *table).across()
        hurt = hurt._replace(soaked=wound.soaked)
    elif landed.degree in FAILED_BADLY and back_dice:
        returned = await _wound(back_dice, 0, own_armour, own_soak, 0, damage_model)
        back = await suffer(returned.damage, own_endure, own_taken, own_threshold, own_face, core, True, *table)
        back = back._replace(soaked=returned.soaked)
    return Blow(landed.degree, reaction, out, hurt, back)


async def _reaction(dodge: int, parry: int) -> Reaction:
    """What the one who is attacked does about it, before anything is rolled; each reaction costs a DM later."""
    ways: list[Reaction] = ["none"]
    if dodge:
        ways.append("dodge")
    if parry:
        ways.append("parry")
    if len(ways) == 1:
        return "none"
    return await choose(Seat.OPPONENT, "react?", ways)  # marchen.gap.fight.reactions


def _landed(result: CheckResult, damage_bonus: DamageBonus, damage_model: DamageModel, tide: bool) -> Landed:
    if result.success:
        return Landed(result.degree, bonus_of(result, damage_bonus, damage_model), result.sigma)
    if tide and result.degree not in FAILED_BADLY:
        return Landed(Degree.COSTLY, 0, -3)  # marchen.ounces.turn_the_tide
    return Landed(result.degree, 0, result.sigma)


class Clashed(NamedTuple):
    """Who won a clash, how strong the winner's hit was, and what the loser suffered."""

    winner: Winner
    sigma: int
    out: Out
    hurt: Suffered
    back: Suffered


def clash_harm(clashed: Clashed) -> int:
    """What a clash is worth to whoever started it, in points of damage."""
    gain = worth(clashed.hurt) + (DOWN_WORTH if clashed.out else 0) + 2 * (clashed.winner is Winner.A)
    return gain - worth(clashed.back)


class _Met(NamedTuple):
    winner: Winner | None
    bonus: int
    sigma: int


@mechanic(
    rules=["marchen.ounces.clash", "marchen.opposed.resolve", "marchen.puncti.end_the_fight"],
    objectives={"harm": clash_harm, "damage": lambda clashed: clashed.hurt.damage},
)
@spelled_out
async def clash(
    modifier: Modifier = 0,
    foe_modifier: Foes = 0,
    dice: Dice = 3,
    plus: Plus = 0,
    advantage: TheAdvantage = "none",
    foe_advantage: TheAdvantage = "none",
    characteristic: Annotated[int, Param("the score that decides ties", -10, 40)] = 0,
    foe_characteristic: Annotated[int, Param("the foe's", -10, 40)] = 0,
    decisive: Annotated[bool, Param("whether it is to end the fight")] = False,
    armour: ArmourRating = 0,
    soak: Soak = 0,
    endure: Endure = 0,
    taken: Taken = 0,
    threshold: Threshold = 14,
    face_modifier: Face = 0,
    back_dice: Annotated[int, Param("the dice of the foe's weapon; 0 where it cannot reach", 0, 20)] = 0,
    back_plus: Plus = 0,
    own_armour: Annotated[int, Param("what the attacker's armour takes off", 0, 40)] = 0,
    own_soak: Annotated[int, Param("points of the attacker's armour, where damage goes by tiers", 0, 40)] = 0,
    own_endure: Endure = 0,
    own_taken: Taken = 0,
    own_threshold: Threshold = 14,
    own_face: Face = 0,
    core: TheCore = "2d6",
    damage_bonus: Annotated[DamageBonus, Param("what a good hit adds to damage")] = "sigma",
    damage_model: Annotated[DamageModel, Param("damage by dice or by tiers")] = "dice",
    opposed_tie: Annotated[OpposedTie, Param("who wins when both effects are equal")] = "characteristic",
    table: Table = PLAIN,
) -> Clashed:
    """Fight back from a bad spot: an opposed check whose winner deals damage."""
    measure, scale = table.measure(core, "average"), MODIFIER_SCALE[core]

    def meet(mine: int, theirs: int) -> _Met:
        first = mine + modifier * scale + measure.dm
        second = theirs + foe_modifier * scale + measure.dm
        decisive_by = first - second
        if decisive_by == 0 and opposed_tie == "characteristic":
            decisive_by = characteristic - foe_characteristic
            if decisive_by == 0:
                return _Met(None, 0, 0)
        if decisive_by == 0:
            return _Met(Winner.NOBODY, 0, 0)
        result = table.judge(first if decisive_by > 0 else second, core, measure)
        winner = Winner.A if decisive_by > 0 else Winner.B
        return _Met(winner, bonus_of(result, damage_bonus, damage_model), max(0, result.sigma))

    met = await both(_rolled(core, advantage), _rolled(core, foe_advantage).across(), meet)
    if met.winner is None:
        await again()
    out: Out = ""
    hurt = back = NOTHING
    least = int(met.sigma == 4)
    if met.winner is Winner.A:
        if decisive and met.sigma >= 2:
            out = await choose(Seat.ACTOR, "what becomes of the foe?", OUTS)
        wound = await _wound(dice, plus + met.bonus, armour, soak, least, damage_model)
        hurt = await suffer(wound.damage, endure, taken, threshold, face_modifier, core, True, *table).across()
        hurt = hurt._replace(soaked=wound.soaked)
    elif met.winner is Winner.B and back_dice:
        returned = await _wound(back_dice, back_plus + met.bonus, own_armour, own_soak, least, damage_model)
        back = await suffer(returned.damage, own_endure, own_taken, own_threshold, own_face, core, True, *table)
        back = back._replace(soaked=returned.soaked)
    assert met.winner is not None
    return Clashed(met.winner, met.sigma, out, hurt, back)


# ---------------------------------------------------------------------- entering a fight, and whole battles


class Entered(NamedTuple):
    """How somebody enters a fight: the effect that orders turns, who has the initiative, whether a round is lost."""

    effect: int
    in_control: bool
    loses_round: bool


def entered(result: CheckResult) -> Entered:
    """What the check to enter the fray comes to: costly or worse, the first round is lost as well."""
    return Entered(result.effect, result.success, result.degree in FAILED_BADLY)


def ambushing(core: Core, agility: int, table: Table = PLAIN) -> Entered:
    """How somebody enters who takes the others by surprise: as if the dice showed their most.

    >>> ambushing("2d6", 1)
    Entered(effect=5, in_control=True, loses_round=False)
    """
    number, sides = dice_of(core)
    measure = table.measure(core, "average")
    total = number * sides + agility * MODIFIER_SCALE[core] + measure.dm
    return Entered(total - measure.target, True, False)  # marchen.gap.fight.surprise


@mechanic(
    rules=["marchen.puncti.enter_the_fray"],
    objectives={"control": lambda entered: int(entered.in_control) - int(entered.loses_round)},
)
@spelled_out
async def enter_the_fray(
    modifier: Modifier = 0, advantage: TheAdvantage = "none", core: TheCore = "2d6", table: Table = PLAIN
) -> Entered:
    """Come into a fight: an agility check says who acts when, and who begins in control."""
    return await check(core, "average", modifier, advantage, 0, 0, False, *table, "per_die").map(entered)


class Fought(NamedTuple):
    """Who won a battle, with what sigma, and whether it was won so narrowly that the winners are hit as well."""

    winner: Winner
    sigma: int
    narrow: bool


@mechanic(
    rules=["marchen.puncti.battle", "marchen.opposed.resolve"],
    objectives={"win": lambda fought: (fought.winner is Winner.A) - (fought.winner is Winner.B)},
)
@spelled_out
async def battle(
    modifier: Modifier = 0,
    foe_modifier: Foes = 0,
    characteristic: Annotated[int, Param("the score that decides ties", -10, 40)] = 0,
    foe_characteristic: Annotated[int, Param("the foe's", -10, 40)] = 0,
    core: TheCore = "2d6",
    opposed_tie: Annotated[OpposedTie, Param("who wins when both effects are equal")] = "characteristic",
    table: Table = PLAIN,
) -> Fought:
    """A whole fight in a blur: one opposed check of the leaders."""
    measure, scale = table.measure(core, "average"), MODIFIER_SCALE[core]

    def meet(mine: int, theirs: int) -> Fought | None:
        first, second = mine + modifier * scale + measure.dm, theirs + foe_modifier * scale + measure.dm
        ahead = first - second
        if ahead == 0 and opposed_tie == "characteristic":
            ahead = characteristic - foe_characteristic
            if ahead == 0:
                return None
        if ahead == 0:
            return Fought(Winner.NOBODY, 0, True)
        result = table.judge(max(first, second), core, measure)
        winner = Winner.A if ahead > 0 else Winner.B
        return Fought(winner, max(0, result.sigma), result.effect < NARROW * scale)

    fought = await both(_rolled(core, "none"), _rolled(core, "none").across(), meet)
    if fought is None:
        await again()
    assert fought is not None
    return fought


NARROW = 3
"""An effect below this wins a battle narrowly; five-fold on D100 (marchen.gap.fight.battle)."""


# ---------------------------------------------------------------------- what failures cost


class Price(NamedTuple):
    """What a failure costs: a DM on the next check, damage, whether it may be tried again, what was given up."""

    dm: int = 0
    suffered: Suffered = NOTHING
    retry: bool = True
    given: Literal["", "supply", "treasure"] = ""


def price_worth(price: Price) -> int:
    """How cheaply one came away."""
    return price.dm - worth(price.suffered) - 3 * (price.given == "supply") - 2 * (price.given == "treasure")


PRICE_DICE = {Degree.COSTLY: 1, Degree.CATASTROPHIC: 2}


@mechanic(
    rules=["marchen.ounces.pay_the_price", "marchen.ounces.sacrifice_resource", "marchen.puncti.face_danger"],
    objectives={"cheap": price_worth},
)
@spelled_out
async def pay_the_price(
    degree: Annotated[Degree, Param("how the check failed")],
    supply: Annotated[int, Param("supply that can be given up instead", 0, 5, unseen=0)] = 0,
    treasure: Annotated[int, Param("treasure that can be given up instead", 0, 1_000_000, unseen=0)] = 0,
    armour: ArmourRating = 0,
    endure: Endure = 0,
    taken: Taken = 0,
    threshold: Threshold = 14,
    face_modifier: Face = 0,
    core: TheCore = "2d6",
    table: Table = PLAIN,
) -> Price:
    """Suffer the outcome of a failed move, or give up a resource instead; a catastrophe cannot be bought off."""
    if degree not in BAD_SPOT:
        return Price()
    if degree is not Degree.CATASTROPHIC:
        ways = ["pay", *["supply"] * (supply > 0), *["treasure"] * (treasure > 0)]
        given = ways[0] if len(ways) == 1 else await choose(Seat.ACTOR, "what does it cost?", ways)
        if given == "supply":
            return Price(given="supply")
        if given == "treasure":
            return Price(given="treasure")
    if degree not in PRICE_DICE:
        return Price(dm=-1)
    wound = await _wound(PRICE_DICE[degree], 0, armour, 0, 0, "dice")
    suffered = await suffer(wound.damage, endure, taken, threshold, face_modifier, core, True, *table)
    return Price(0, suffered, retry=degree is not Degree.CATASTROPHIC)


@mechanic(rules=["marchen.ounces.withstand_damage"], objectives={"sound": lambda conditions: -conditions})
@spelled_out
async def withstand(modifier: Modifier = 0, core: TheCore = "2d6", table: Table = PLAIN) -> int:
    """How many conditions a thing takes in a damaging situation: one on a failure, two on a costly one."""
    return await plain_check(core, modifier, table).map(
        lambda result: 0 if result.success else 2 if result.degree in FAILED_BADLY else 1
    )


@mechanic(
    rules=["marchen.core.selection"],
    objectives={
        "success": lambda result: int(result.success),
        "exceptional": exceptionally,
        "sigma": lambda r: r.sigma,
    },
)
@spelled_out
async def pick_core(
    cores: Annotated[tuple[Core, ...], Param("the dice that the table thinks of")] = ("2d6", "D20", "4d7"),
    difficulty: Annotated[Difficulty, Param("how hard the typical task is")] = "average",
    modifier: Modifier = 3,
    table: Table = PLAIN,
) -> CheckResult:
    """Choose the dice for a campaign by what a typical check should be like: safe, strong or full of extremes."""
    core = await choose(Seat.ACTOR, "which dice?", cores)
    return await plain_check(core, modifier, table, difficulty)


FIGHT_MECHANICS: tuple[Mechanic[..., Any], ...] = (
    enter_the_fray,
    strike,
    clash,
    suffer,
    hazard,
    face,
    battle,
    pay_the_price,
    withstand,
    pick_core,
)
NO_ADVANTAGE: Advantage = "none"
