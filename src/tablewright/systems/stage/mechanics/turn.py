"""Mechanics of initiative and other rolls about a whole turn."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

from tablewright.dice import Sum
from tablewright.engine import (
    Call,
    Mechanic,
    Param,
    Role,
    again,
    become,
    both,
    chance,
    choose,
    d,
    finish,
    mechanic,
    roll,
    versus,
)
from tablewright.systems.stage.mechanics.attack import (
    AP_WORTH,
    LAST_POINT,
    PLENTY_LEFT,
    Blocks,
    Payer,
    Protection,
    Purse,
    Resistance,
    Target,
    attack,
)
from tablewright.systems.stage.mechanics.checks import (
    PLAIN,
    SIX,
    Bonuses,
    CheckRules,
    Penalties,
    Pool,
    even_chance,
    sum_of,
)
from tablewright.systems.stage.mechanics.forms import Defence, Form
from tablewright.systems.stage.mechanics.harm import Attack
from tablewright.systems.stage.mechanics.rerolls import HitDifficulty
from tablewright.systems.stage.values import FEWEST_DICE, LOWEST_RESULT


@mechanic(rules=["stage.agility.initiative", "stage.initiative.simultaneous", "stage.initiative.one_sided"])
async def initiative(
    dice: Pool,
    modifier: Annotated[int, Param("flat modifiers of the check", -60, 60)] = 0,
    opens: Annotated[bool, Param("whether this group opened hostilities, so that every die counts 6")] = False,
) -> int:
    """Agility (initiative) of a group's first member; the group that opens hostilities has every die at 6."""
    pool = max(FEWEST_DICE, dice)
    if opens:
        return max(LOWEST_RESULT, SIX.sides * pool + modifier)
    return await finish(sum_of(pool).map(lambda total: max(LOWEST_RESULT, total + modifier)))


@mechanic(rules=["stage.initiative.simultaneous", "stage.initiative.one_sided", "stage.initiative.ambush"])
async def acts_first(
    dice: Pool,
    against: Annotated[int, Param("dice of the other group", -20, 30)],
    situation: Annotated[
        Literal["simultaneous", "opens", "opened_on", "ambushes", "ambushed"], Param("the start of hostilities")
    ] = "simultaneous",
) -> bool:
    """Roll if a group acts before another: the higher result does, equals roll again, an ambush always does."""
    if situation in ("ambushes", "ambushed"):
        return situation == "ambushes"
    mine = initiative(dice, 0, situation == "opens")
    sign = await versus(mine, initiative(against, 0, situation == "opened_on").by_opponent())
    if sign == 0:
        await again()
    return sign > 0


# ---------------------------------------------------------------------- smaller rolls


@mechanic(rules=["stage.dice.notation"])
async def dice(
    dice: Annotated[int, Param("the number of dice", 0, 200)],
    plus: Annotated[int, Param("the number to add", -60, 60)] = 0,
) -> int:
    """The sum of some dice, never below 0: points that a spell restores, hours of a knock-out."""
    if not dice:
        return max(0, plus)
    return await finish(sum_of(dice).map(lambda total: max(0, total + plus)))


@mechanic(rules=["stage.environment.falling", "stage.athletics.land", "stage.environment.gravity"])
async def falling(
    dice: Annotated[int, Param("dice of damage: 1, 2, 4, 8 ...", 0, 200)],
    landing: Annotated[int, Param("dice of Athletics (land); 0 for none", 0, 30)] = 0,
    modifier: Annotated[int, Param("flat modifiers of Athletics (land)", -60, 60)] = 0,
    factor: Annotated[int, Param("the factor of gravity on the damage", 0, 10)] = 1,
    divisor: Annotated[int, Param("by how much gravity divides it", 1, 10)] = 1,
) -> int:
    """Damage of a fall, less the result of Athletics (land); gravity counts before that."""
    if not dice or not factor:
        return 0
    damage = sum_of(dice).map(lambda total: total * factor // divisor)
    if not landing:
        return await finish(damage)
    landed = sum_of(landing).map(lambda total: max(LOWEST_RESULT, total + modifier))
    return await finish(both(damage, landed, lambda dealt, less: max(0, dealt - less)))


@mechanic(rules=["stage.poison.attack", "stage.medicine.cure"])
async def ailment_attacks(
    level: Annotated[int, Param("the level of the poison or disease", 1, 50)],
    difficulty: Annotated[int, Param("two tracks of the carrier, and the bonus of treatment", 0, 250)],
) -> bool:
    """A poison or disease rolls its level in dice; at least the Difficulty, and its carrier suffers the effect."""
    return await sum_of(level).map(lambda total: total >= difficulty)


class Course(NamedTuple):
    """End of a poison or disease: cured, with the carrier's tracks empty, or neither, after a number of attacks."""

    cured: bool
    succumbed: bool
    attacks: int


@mechanic(
    rules=["stage.poison.cure", "stage.poison.attack", "stage.poison.effect"],
    objectives={"cured": chance(lambda course: int(course.cured))},
)
async def ailment_course(
    level: Annotated[int, Param("the level of the poison or disease", 1, 50)],
    difficulty: Annotated[int, Param("two tracks of the carrier, and the bonus of treatment each time", 1, 250)],
    attacks: Annotated[int, Param("the number of attacks to follow", 1, 100)] = 10,
    damage: Annotated[int, Param("dice of damage to these tracks by an attack that succeeds", 0, 10)] = 0,
    withstood: Annotated[int, Param("attacks in a row that were withstood already", 0, 50)] = 0,
    used: Annotated[int, Param("attacks that are over", 0, 100)] = 0,
) -> Course:
    """Follow a poison or disease attack by attack: withstood as often in a row as its level, it is cured.

    Damage that it does lowers the Difficulty of its next attacks; without damage the Difficulty stays the same.
    """
    if await ailment_attacks(level, difficulty):
        withstood, difficulty = 0, difficulty - (await d(SIX.sides, damage) if damage else 0)
    else:
        withstood += 1
    used += 1
    if withstood >= level or difficulty <= 0 or used >= attacks:
        return Course(withstood >= level, difficulty <= 0, used)
    return await become(ailment_course(level, difficulty, attacks, damage, withstood, used))


@mechanic(rules=["stage.environment.radiation_low"])
async def radiation() -> bool:
    """A day in weak radiation: 1 in 6 to fall sick."""
    return await d(SIX.sides) == 1


@mechanic(rules=["stage.gap.encounter.flight"])
async def loses_heart() -> bool:
    """A creature of the game master without Stamina flees on 4 or more."""
    return await roll(Sum((SIX,)), worth=_worth_of_staying) > SIX.sides // 2


def _worth_of_staying(face: int) -> int:
    """Worth of each face for statistics of luck: who flees is lost, which counts twice as much as the worst face.

    The weight comes from a regression on a thousand fights; any other would be as unbiased, and correct less.
    """
    return -200 * (face > SIX.sides // 2)


CHANCES: tuple[Mechanic[..., Any], ...] = (
    initiative,
    acts_first,
    dice,
    even_chance,
    falling,
    ailment_attacks,
    ailment_course,
    radiation,
    loses_heart,
)


SNIPE, TWICE = "snipe", "twice"
SNIPED_DICE = 1  # stage.attack.snipe

DodgeDice = Annotated[int, Param("dice of the target's dodge; 0 for none", 0, 30)]
TargetAp = Annotated[int, Param("AP that the target has left for dodging", 0, 3)]
SnipeDice = Annotated[int, Param("dice of damage that powers add to a snipe that hits", 0, 10)]


class Shots(NamedTuple):
    """Result of two AP of shooting, and the target's costs, perhaps its ``last`` point."""

    how: str
    damage: int
    ap: int = 0
    points: int = 0
    last: str = ""


def shots_worth(shots: Shots) -> Fraction:
    """Damage, and what the target spent."""
    return Fraction(shots.damage + AP_WORTH * shots.ap + shots.points + LAST_POINT * bool(shots.last))


OBJECTIVES: dict[str, Any] = {"worth": shots_worth, "damage": lambda shots: shots.damage}


class Shot(NamedTuple):
    """Dice and free flat modifiers of a shot."""

    dice: Pool
    bonuses: Bonuses = ()
    penalties: Penalties = ()


class Mark(NamedTuple):
    """A target of shots: its dodge, AP and armour."""

    difficulty: HitDifficulty = 3
    dodge: DodgeDice = 0
    ap: TargetAp = 3
    resistance: Resistance = 0
    blocks: Blocks = ()

    def shot_at(self, form: Form, payer: Payer, rules: CheckRules) -> Call[Attack]:
        """One shot, which the target dodges if it has AP."""
        ways = (Defence("dodge", self.dodge, ap=1),) if self.dodge and self.ap > 0 else ()
        target = Target(self.difficulty, self.difficulty, ways)
        return attack((form,), target, Protection(self.resistance, self.blocks), Purse(*payer), rules)


STILL = Mark()


@mechanic(rules=["stage.attack.snipe", "stage.ranged_combat.attack", "stage.action.ap"], objectives=OBJECTIVES)
async def shooting(
    shot: Shot, mark: Mark = STILL, sniper: SnipeDice = 0, payer: Payer = PLENTY_LEFT, rules: CheckRules = PLAIN
) -> Shots:
    """Snipe with a die more, or shoot twice; the target dodges as long as it has AP, and blocks what gets through."""
    how = await choose(Role.ACTOR, "how to shoot", (SNIPE, TWICE))
    dice, bonuses, penalties = shot
    if how == SNIPE:
        form = Form(SNIPE, dice + SNIPED_DICE, bonuses, penalties, extra=sniper)
        return await finish(mark.shot_at(form, payer, rules).map(lambda made: _shots(SNIPE, made)))
    first = await mark.shot_at(Form("plain", dice, bonuses, penalties), payer, rules).map(_lost)
    spent, points, damage, _ = first
    rest = payer._replace(left=max(0, payer.left - points - damage))
    return await become(second_shot(shot, mark._replace(ap=mark.ap - spent), rest, first, rules))


def _lost(made: Attack) -> tuple[int, int, int, int]:
    return made.ap, made.points, made.damage, int(bool(made.last))


def _shots(how: str, made: Attack, before: tuple[int, ...] = (0, 0, 0, 0)) -> Shots:
    ap, points, damage, last = before
    paid = made.last or ("paid" if last else "")
    return Shots(how, made.damage + damage, made.ap + ap, made.points + points, paid)


@mechanic(rules=["stage.ranged_combat.attack"], objectives=OBJECTIVES)
async def second_shot(
    shot: Shot,
    mark: Mark,
    payer: Payer,
    first: Annotated[tuple[int, ...], Param("AP, points, damage and last points of the first shot", 0, 999)],
    rules: CheckRules = PLAIN,
) -> Shots:
    """The second of two shots, at a target that may have spent something on the first."""
    made = mark.shot_at(Form("plain", *shot), payer, rules)
    return await finish(made.map(lambda made: _shots(TWICE, made, first)))


SHOOTING: tuple[Mechanic[..., Any], ...] = (shooting,)
