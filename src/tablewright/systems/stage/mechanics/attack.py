"""Mechanics of an attack, from the roll to the damage.

An attack is one mechanic. The attacker chooses among *forms* (plain, or with a power for its cost) and splits the
pool; the target chooses among *defences* and *blocks*, and an ally may step in; all of them are plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Annotated, Any, NamedTuple, TypeAlias

from tablewright.dice import Sum
from tablewright.engine import (
    Call,
    Mechanic,
    Param,
    Request,
    Role,
    become,
    certain,
    chance,
    choose,
    d,
    finish,
    mechanic,
    plus,
    versus,
    yes_no,
)
from tablewright.errors import InvalidInputError
from tablewright.systems.stage.mechanics.checks import (
    PLAIN,
    SIX,
    Botches,
    CheckRules,
    FlatResult,
    Flats,
    OpposedResult,
    Pool,
    TheEmptySecondRoll,
    Untrained,
    botches_any,
    distribute,
    even_chance,
    flat,
    opposed,
    set_difficulty,
    sum_of,
    without_dice,
)
from tablewright.systems.stage.mechanics.forms import FORMS, NO_BLOCK, NOTHING, Block, Blow, Defence, Form, Shield
from tablewright.systems.stage.mechanics.harm import (
    NO_REROLLS,
    Attack,
    Damage,
    Rerolls,
    SoFar,
    affordable,
    done,
    last_of,
    payable,
    stopped_by,
)
from tablewright.systems.stage.mechanics.rerolls import (
    HitDifficulty,
    Raised,
    Swung,
    defended_again,
    hit_again,
    set_against,
)
from tablewright.systems.stage.options import EmptySecondRoll
from tablewright.systems.stage.values import FEWEST_DICE, LOWEST_RESULT

AP_WORTH = 1
"""Value of an AP in points of damage, for exact advice."""
LAST_POINT = 40
"""Value of the last point of a core track."""


def _defense_points(way: Block, shield: Shield) -> Request[int]:
    """Defense Points of a block or deflection: at most the armour's maximum, and the minimum after a botch."""
    return _points_made(way.dice, way.flat, way.most, shield.can_be_botched(way))


@lru_cache(maxsize=4_096)
def _points_made(dice: int, flat: int, most: int, botched: bool) -> Request[int]:
    botches = (True, True, "any_check") if botched else ()
    return set_difficulty(dice, flat, *botches).by_opponent().map(lambda made: min(made.result, most))


Forms: TypeAlias = Annotated[tuple[Form, ...], Param("forms of the attack to choose from, the plain one first")]
Announced: TypeAlias = Annotated[
    tuple[Form, ...], Param("the same with powers announced for it: dice, f for the whole modifier, c for the cost")
]
Defences: TypeAlias = Annotated[
    tuple[Defence, ...], Param("defences of the target or its ally that set Hit Difficulty")
]
Blocks: TypeAlias = Annotated[tuple[Block, ...], Param("ways of the target to block")]
Deflections: TypeAlias = Annotated[tuple[Block, ...], Param("ways of an adjacent ally to deflect the damage")]
Absorptions: TypeAlias = Annotated[tuple[Block, ...], Param("powers that absorb damage last of all")]
Bonuses: TypeAlias = Annotated[int, Param("the part of the Hit Difficulty that is Size and cover", -30, 99)]
Resistance: TypeAlias = Annotated[int, Param("Resistance of the target against this damage", 0, 50)]
Left: TypeAlias = Annotated[
    int, Param("points of Stamina and Vitality that the target has left to pay with", 0, 99, unseen=9)
]
Ap: TypeAlias = Annotated[int, Param("AP that the target has left to pay with", 0, 99)]
Others: TypeAlias = Annotated[
    int, Param("points of another attribute that the target has left to pay with", 0, 99, unseen=9)
]
AllyAp: TypeAlias = Annotated[int, Param("AP that the ally who comes between has left", 0, 99)]
MayPayLast: TypeAlias = Annotated[bool, Param("whether the last core point may be paid")]


class Target(NamedTuple):
    """A target's Hit Difficulty and its ways to raise it."""

    difficulty: HitDifficulty = 3
    bonuses: Bonuses = 0
    defences: Defences = ()


class Protection(NamedTuple):
    """Resistance of a target, and the ways of its side to stop damage."""

    resistance: Resistance = 0
    blocks: Blocks = ()
    deflections: Deflections = ()
    absorptions: Absorptions = ()


class Payer(NamedTuple):
    """Points that a target has left to pay for its defence."""

    left: Left = 9
    may_pay_last: MayPayLast = True


class Purse(NamedTuple):
    """Points and AP that a target and its ally have left to pay for defences and blocks."""

    left: Left = 9
    may_pay_last: MayPayLast = True
    ap: Ap = 9
    others: Others = 9
    ally_ap: AllyAp = 9


class Opposition(NamedTuple):
    """Changes of a roll once the target defends."""

    opposed_dice: Annotated[int, Param("dice more or less once the target defends", -20, 30)] = 0
    opposed_flat: Annotated[int, Param("the bonus to the roll once the target defends", -60, 60)] = 0


AT_REST, UNPROTECTED, PLENTY_LEFT, FULL_PURSE, UNCHANGED = Target(), Protection(), Payer(), Purse(), Opposition()


def attack_worth(result: Attack) -> int:
    """Damage, and what each side spent on it: an AP and a point count as a point of damage, the last one far more."""
    spent = AP_WORTH * result.ap + result.points + LAST_POINT * bool(result.last)
    return result.damage + result.other + spent - result.own_points


def _damage(result: Attack) -> int:
    return result.damage + result.other


@chance
def _hit(result: Attack) -> int:
    return int(result.hit)


ATTACK_OBJECTIVES: dict[str, Callable[[Any], int | Fraction]] = {"worth": attack_worth, "damage": _damage, "hit": _hit}


# ---------------------------------------------------------------------- the attack


@mechanic(
    rules=[
        "stage.attack.procedure",
        "stage.attack.hit_difficulty",
        "stage.attack.defensive",
        "stage.check.distribution",
        "stage.damage.order",
        "stage.defense.block",
        "stage.defense.deflect",
        "stage.power.announce",
    ],
    objectives=ATTACK_OBJECTIVES,
)
async def attack(
    forms: Forms,
    target: Target = AT_REST,
    protection: Protection = UNPROTECTED,
    purse: Purse = FULL_PURSE,
    rules: CheckRules = PLAIN,
) -> Attack:
    """Split the pool, let the target defend, roll to hit and, after a hit, the damage; Resistance and blocks stop it.

    The attacker fixes form and split before the defender rolls. Hit Difficulty is set once, by one defence; a block
    follows when damage has got past Resistance, a power that absorbs comes last. The book works through it five times:
    stage.attack.example_ranged, stage.attack.example_armour, stage.attack.example_parry, stage.attack.example_dodge,
    stage.attack.example_end.
    """
    if not forms:
        raise InvalidInputError(f"an attack has at least one form; write forms={FORMS.sample}", field="forms")
    form = forms[0] if len(forms) == 1 else await choose(Role.ACTOR, "how to attack", forms)
    pool = max(FEWEST_DICE, form.dice)
    if form.own_second >= 0:
        free, against = sum(form.bonuses), sum(form.penalties)
        first_dice, second_dice, first, second = pool, form.own_second, form.first + free - against, form.second
    else:
        flats = Flats(form.first, form.second, form.bonuses, form.penalties)
        known = _hit_difficulty(target.difficulty)
        first_dice, second_dice, first, second = await distribute(pool, flats, rules.flat_penalty_roll, known)
    blow = Blow(form, first_dice, second_dice, first, second)
    shield = Shield._make((*protection, *purse, botches_any(rules.botch_fails, rules.botch_scope)))
    return await become(defended(blow, target, shield, rules))


@mechanic(
    rules=["stage.attack.defensive", "stage.attack.hit_difficulty", "stage.power_effect.defend_other"],
    objectives=ATTACK_OBJECTIVES,
)
async def defended(blow: Blow, target: Target, shield: Shield, rules: CheckRules) -> Attack:
    """An attack whose split is fixed: the target chooses how to defend, then the first roll is made."""
    form, (difficulty, bonuses, defences) = blow.form, target
    way = await _seeing(await _way(blow, defences, shield, blow.words | _hit_difficulty(difficulty)))
    blow = blow.against(way)
    if way.bare:
        difficulty -= bonuses
    times = 0
    needed: int | None = None
    if _can_be_rolled_again(way, shield):
        needed, times = await _set_again(way, difficulty, shield, rules)
    elif not way.dice:
        needed = max(LOWEST_RESULT, difficulty + way.flat)
    elif form.rerolls or (way.least and form.untrained):
        needed = await _rolled(way, difficulty, rules)
    swing: Request[Swung]
    if needed is not None and form.rerolls:  # stage.power_effect.reroll
        luck = form.reroll, form.rerolls
        swing = hit_again(blow.first_dice, needed, blow.first, form.untrained, rules.botch_fails, *luck)
    elif needed is not None:
        swing = flat(blow.first_dice, needed, blow.first, form.untrained, rules.botch_fails).map(_swung)
    elif way.least:
        own = sum_of(blow.first_dice).map(lambda total: max(LOWEST_RESULT, total + blow.first))
        swing = versus(_rolled(way, difficulty, rules), own).map(lambda sign: Swung(sign <= 0, False))
    else:
        swing = _reached(blow.first_dice, blow.first, form, way, difficulty, rules)
    again_for = times * way.reroll
    points = way.others + way.points + again_for
    last = "" if way.ally else last_of(way.points + again_for, shield)

    def after(swung: Swung) -> Call[Attack]:
        hit, botch, used = swung
        spent = way.ap, points, form.points + used * form.reroll, times, used, last
        so_far = SoFar(hit, 0, 0, form.name, way.name, "", "", "", botch, *spent)
        if not hit:
            return certain(done(so_far, 0))
        left = shield.after_ally(way) if way.ally else shield.after(way, again_for)
        damage = Damage(blow.second_dice, blow.second, form.extra, form.other, form.ignores)
        more = Rerolls(form.reroll, form.rerolls - used)
        return hurt(damage, left, rules.empty_second_roll, so_far, more)

    return await swing.into(after)


def _can_be_rolled_again(way: Defence, shield: Shield) -> bool:
    """True if a defence could be rolled again at least once, by the one who made it."""
    if way.ally:
        return bool(way.dice and way.rerolls)
    return bool(way.dice and way.reroll) and payable(way.points + way.reroll, shield.left, shield.may_pay_last)


def _set_again(way: Defence, difficulty: int, shield: Shield, rules: CheckRules) -> Request[Raised]:
    """Hit Difficulty by a defence that may be rolled again; what does not count for that is left out."""
    payer = Shield(left=shield.left, may_pay_last=shield.may_pay_last)
    return defended_again(way, difficulty, payer, rules)


def _rolled(way: Defence, difficulty: int, rules: CheckRules) -> Request[int]:
    """Hit Difficulty as a defence sets it, seen from the attacker's side."""
    made = set_difficulty(way.dice, way.flat, way.untrained, rules.botch_fails, rules.botch_scope).by_opponent()
    return made.map(lambda made: set_against(way, made.result, difficulty))


def _hit_difficulty(difficulty: int) -> dict[str, str]:
    return {"Hit Difficulty": str(difficulty)}


async def _way(blow: Blow, defences: tuple[Defence, ...], shield: Shield, about: dict[str, str]) -> Defence:
    """Set Hit Difficulty: by the target, or by an ally if the target does nothing; once, with any skill."""
    own, allies = [NOTHING], [NOTHING]
    for way in defences:
        if (blow.form.no_parry and way.kind == "parry") or (blow.form.no_dodge and way.kind == "dodge"):
            continue
        if way.ally:
            allies.append(way)
        elif payable(way.points, shield.left, shield.may_pay_last):
            own.append(way)
    mine = about | _last_points(own, shield)
    way = NOTHING if len(own) == 1 else await choose(Role.OPPONENT, "how to defend", own, details=mine)
    if way is NOTHING and len(allies) > 1:
        way = await choose(Role.OPPONENTS_ALLY, "defend your neighbour", allies, details=about)
    return way


async def _seeing(way: Defence) -> Defence:
    """A defence as it counts: in darkness half of them are as none, though they are paid for.

    (stage.environment.darkness)
    """
    if way.dark and await even_chance().by_opponent():
        return way._replace(dice=0, flat=0, least=0, reroll=0, bare=False)
    return way


def _reached(dice: int, modifier: int, form: Form, way: Defence, difficulty: int, rules: CheckRules) -> Request[Swung]:
    """A roll against the dice of who defends."""
    botches = Botches(form.untrained, way.untrained, rules.botch_fails, rules.botch_scope)
    return opposed(dice, way.dice, modifier, way.flat, difficulty, botches).map(_swung)


def _swung(made: FlatResult | OpposedResult) -> Swung:
    return Swung(made.success, made.botch)


def _last_points(ways: Sequence[Defence | Block], shield: Shield) -> dict[str, str]:
    """Points left to pay with, if some way would take the last one (stage.resource.death)."""
    return {"left before death": str(shield.left)} if any(way.points >= shield.left for way in ways) else {}


@mechanic(
    rules=[
        "stage.damage.order",
        "stage.check.leveled",
        "stage.defense.deflect",
        "stage.power_effect.extra_damage",
        "stage.power_effect.ignore_armour",
    ],
    objectives=ATTACK_OBJECTIVES,
)
async def hurt(
    damage: Damage, shield: Shield, empty_second_roll: TheEmptySecondRoll, so_far: SoFar, more: Rerolls = NO_REROLLS
) -> Attack:
    """The second roll of an attack that hit: an ally may deflect it, Resistance is subtracted, the rest arrives."""
    dice, modifier, extra, other, ignores = damage
    if other:
        so_far = so_far._replace(other=await d(SIX.sides, other))
    resistance, ignored = max(0, shield.resistance - ignores), max(0, ignores - shield.resistance)
    if not dice and not extra:
        return await become(deflecting(without_dice(modifier, empty_second_roll), ignores, shield, so_far))
    rolled = second_roll(dice, modifier, extra, empty_second_roll)
    if more.rerolls:
        dealt, price = await rolled, more.reroll
        if await yes_no(Role.ACTOR, "roll the damage again", cost_text=f"{price} points", details={"damage": dealt}):
            again = so_far.rolled_again(price), Rerolls(price, more.rerolls - 1)
            return await become(hurt(damage._replace(other=0), shield, empty_second_roll, *again))
        return await become(deflecting(dealt, ignores, shield, so_far))
    if shield.deflections:
        return await rolled.into(lambda dealt: deflecting(dealt, ignores, shield, so_far))
    through = rolled.map(lambda dealt: max(0, dealt - resistance))
    if not shield.blocks and not shield.absorptions:
        return await finish(through.map(partial(done, so_far)))
    return await through.into(lambda dealt: blocking(dealt, ignored, shield, so_far))


def second_roll(dice: int, modifier: int, extra: int, empty_second_roll: EmptySecondRoll) -> Request[int]:
    """The second roll of a leveled check, or of a spell, and dice besides: at least 1, and 1 where it has no dice."""
    if not dice:
        fixed = without_dice(modifier, empty_second_roll)
        return sum_of(extra).map(lambda total: total + fixed)
    rolled = sum_of(dice).map(lambda total: max(LOWEST_RESULT, total + modifier))
    return plus(rolled, sum_of(extra)) if extra else rolled


@mechanic(rules=["stage.defense.deflect"], objectives=ATTACK_OBJECTIVES)
async def deflecting(
    damage: Annotated[int, Param("the damage before Resistance", 0, 600)],
    ignores: Annotated[int, Param("Resistance and Defense Points that are ignored", 0, 20)],
    shield: Shield,
    so_far: SoFar,
) -> Attack:
    """An ally next to the target may take the damage on armour of their own, before it reaches the target."""
    way = NO_BLOCK
    if shield.deflections:
        options = (NO_BLOCK, *shield.deflections)
        way = await choose(Role.OPPONENTS_ALLY, "deflect", options, details={"damage": damage})
    resistance, ignored = max(0, shield.resistance - ignores), max(0, ignores - shield.resistance)
    if way is NO_BLOCK:
        return await become(blocking(max(0, damage - resistance), ignored, shield, so_far))
    stopped = so_far.deflected_by(way)
    after = _defense_points(way, shield).map(lambda made: max(0, damage - way.resistance - made))
    return await after.into(lambda dealt: blocking(max(0, dealt - resistance), ignored, shield, stopped))


@mechanic(
    rules=["stage.defense.block", "stage.power_effect.armour_use", "stage.power_effect.absorb_damage"],
    objectives=ATTACK_OBJECTIVES,
)
async def blocking(
    damage: Annotated[int, Param("the damage past Resistance", 0, 600)],
    ignored: Annotated[int, Param("Defense Points that are ignored", 0, 20)],
    shield: Shield,
    so_far: SoFar,
) -> Attack:
    """Damage has got past Resistance: the target may block once and then absorb, each for its cost."""
    offered = affordable(shield.blocks, shield)
    if not damage or not offered:
        return await become(absorbing(damage, shield, so_far))
    about = {"damage": damage} | _last_points(offered, shield)
    way = await choose(Role.OPPONENT, "block", (NO_BLOCK, *offered), details=about)
    if way is NO_BLOCK:
        return await become(absorbing(damage, shield, so_far))
    so_far = stopped_by(so_far, way, shield, block=way.name)
    made = _defense_points(way, shield)
    if way.times > 1:
        made = plus(made, made)
    through = made.map(lambda stopped: max(0, damage - max(0, stopped - ignored)))
    if not shield.absorptions:
        return await finish(through.map(partial(done, so_far)))
    after = shield.after(way)
    return await through.into(lambda dealt: absorbing(dealt, after, so_far))


@mechanic(rules=["stage.power_effect.absorb_damage"], objectives=ATTACK_OBJECTIVES)
async def absorbing(
    damage: Annotated[int, Param("the damage past armour", 0, 600)], shield: Shield, so_far: SoFar
) -> Attack:
    """Absorb damage that got past the armour by a power, once."""
    offered = affordable(shield.absorptions, shield)
    way = NO_BLOCK
    if damage and offered:
        about = {"damage": damage} | _last_points(offered, shield)
        way = await choose(Role.OPPONENT, "absorb it", (NO_BLOCK, *offered), details=about)
    if way is NO_BLOCK:
        return done(so_far, damage)
    return done(stopped_by(so_far, way, shield, absorbed=way.name), max(0, damage - way.absorbs))


@mechanic(rules=["stage.check.leveled"])
async def second_roll_of(
    dice: Annotated[int, Param("dice of the second roll", 0, 60)],
    modifier: Annotated[int, Param("flat modifiers of the second roll", -60, 60)],
    extra: Annotated[int, Param("dice of damage besides the second roll", 0, 20)] = 0,
    empty_second_roll: TheEmptySecondRoll = "fixed_one",
) -> int:
    """The second roll by itself: one swing that reaches many is rolled once for all of them."""
    if not dice and not extra:
        return without_dice(modifier, empty_second_roll)
    return await finish(second_roll(dice, modifier, extra, empty_second_roll))


class Answer(NamedTuple):
    """A target's answer to a swing: Hit Difficulty, its cost, and the swing's average damage."""

    needed: int
    defence: str
    ap: int
    points: int
    harm: Fraction = Fraction(0)
    last: str = ""
    rerolled: int = 0


def answer_worth(answer: Answer) -> Fraction:
    """Average damage of a swing, and the points spent against it."""
    return answer.harm + AP_WORTH * answer.ap + answer.points + LAST_POINT * bool(answer.last)


@mechanic(
    rules=["stage.power_effect.attack_form", "stage.attack.defensive", "stage.attack.hit_difficulty"],
    objectives={"worth": answer_worth},
)
async def meeting(blow: Blow, target: Target, payer: Payer = PLENTY_LEFT, rules: CheckRules = PLAIN) -> Answer:
    """One of several targets of the same swing defends, before the dice of the swing are rolled."""
    difficulty, bonuses, defences = target
    shield = Shield(left=payer.left, may_pay_last=payer.may_pay_last)
    way = await _seeing(await _way(blow, defences, shield, blow.words | _hit_difficulty(difficulty)))
    if way.bare:
        difficulty -= bonuses
    needed, times = max(LOWEST_RESULT, difficulty + way.flat), 0
    if _can_be_rolled_again(way, shield):
        needed, times = await _set_again(way, difficulty, shield, rules)
    elif way.dice:
        needed = await _rolled(way, difficulty, rules)
    points = way.points + times * way.reroll
    last = "" if way.ally else last_of(points, shield)
    harm = _harm(blow.against(way), needed)
    return Answer(needed, way.name, way.ap, way.others + points, harm, last, times)


def _harm(blow: Blow, needed: int) -> Fraction:
    """Average damage of a swing to one target."""
    rolled = Sum.copies(blow.first_dice, SIX, blow.first).weigh()
    chance: Fraction = rolled.map(lambda total: total >= needed)[True]
    second = Fraction(7 * blow.second_dice, 2) + blow.second if blow.second_dice else Fraction(1)
    return chance * (second + Fraction(7 * blow.form.extra, 2))


# ---------------------------------------------------------------------- attacks in one roll


class Maneuver(NamedTuple):
    """Result of a special attack or spell in one roll."""

    success: bool
    defence: str = ""
    botch: bool = False
    ap: int = 0
    points: int = 0
    form: str = ""
    own_points: int = 0
    last: str = ""
    rerolled: int = 0


def maneuver_worth(result: Maneuver) -> int:
    """A success counts as two points of damage, what each side spent as what it is, the last point far more."""
    spent = AP_WORTH * result.ap + result.points + LAST_POINT * bool(result.last)
    return 2 * result.success + spent - result.own_points


@mechanic(
    rules=[
        "stage.attack.disarm",
        "stage.attack.trip_push",
        "stage.magic.cast_check",
        "stage.magic.app_cast",
        "stage.magic.app_counter",
        "stage.attack.hit_difficulty",
    ],
    objectives={"worth": maneuver_worth, "success": chance(lambda made: int(made.success))},
)
async def maneuver(
    dice: Pool,
    modifier: Annotated[int, Param("flat modifiers of the roll", -60, 60)] = 0,
    target: Target = AT_REST,
    payer: Payer = PLENTY_LEFT,
    untrained: Untrained = False,
    rules: CheckRules = PLAIN,
    announced: Announced = (),
    opposition: Opposition = UNCHANGED,
) -> Maneuver:
    """Hit a target with one roll and without damage: disarm, trip, push, or a spell; the target defends as usual."""
    difficulty, bonuses, defences = target
    shield = Shield(left=payer.left, may_pay_last=payer.may_pay_last)
    more, flat_more = opposition
    form = Form("plain", dice, first=modifier, untrained=untrained, opposed=more, opposed_flat=flat_more)
    if announced:
        form = await choose(Role.ACTOR, "announce a power", (form, *announced))
    blow = Blow(form, max(FEWEST_DICE, form.dice), 0, form.first)
    about = {"to hit": blow.words["to hit"]} | _hit_difficulty(difficulty)
    way = await _seeing(await _way(blow, defences, shield, about))
    blow = blow.against(way)
    if way.bare:
        difficulty -= bonuses
    times, rolled = 0, (blow.first_dice, blow.first)
    if _can_be_rolled_again(way, shield):
        against, times = await _set_again(way, difficulty, shield, rules)
        hit, botch = await flat(rolled[0], against, rolled[1], form.untrained, rules.botch_fails)
    elif way.dice and not way.least:
        hit, botch, _ = await _reached(*rolled, form, way, difficulty, rules)
    else:
        against = max(LOWEST_RESULT, difficulty + way.flat)
        if way.dice:  # after a tumble the higher of both counts
            against = await _rolled(way, difficulty, rules)
        hit, botch = await flat(rolled[0], against, rolled[1], form.untrained, rules.botch_fails)
    points = way.points + times * way.reroll
    last = "" if way.ally else last_of(points, shield)
    return Maneuver(hit, way.name, botch, way.ap, way.others + points, form.name, form.points, last, times)


FIGHTING: tuple[Mechanic[..., Any], ...] = (attack, maneuver)
