"""Two AP and a bow: one shot with care, or two. A rule of its own, so that its two ways can be weighed exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from tablewright.engine import Call, Mechanic, Param, Seat, become, choose, finish, mechanic
from tablewright.engine.settings import spelled_out
from tablewright.systems.stage.blows import Block, Defence, Form
from tablewright.systems.stage.fighting import (
    AP_WORTH,
    LAST_POINT,
    PLAIN,
    Blocks,
    CheckRules,
    HitDifficulty,
    Left,
    MayPayLast,
    Resistance,
    attack,
)
from tablewright.systems.stage.hurting import Attack
from tablewright.systems.stage.mechanics import Bonuses, Penalties, Pool

SNIPE, TWICE = "snipe", "twice"
SNIPED_DICE = 1  # stage.attack.snipe

DodgeDice = Annotated[int, Param("dice of the target's dodge; 0 for one who cannot dodge", 0, 30)]
TargetAp = Annotated[int, Param("AP that the target has left for dodging", 0, 3)]
SnipeDice = Annotated[int, Param("dice of damage that powers add to a snipe that hits", 0, 10)]


class Shots(NamedTuple):
    """What two AP of shooting did, how, and what the target spent on it, perhaps its ``last`` point."""

    how: str
    damage: int
    ap: int = 0
    points: int = 0
    last: str = ""


def shots_worth(shots: Shots) -> Fraction:
    """Damage, and what the target spent."""
    return Fraction(shots.damage + AP_WORTH * shots.ap + shots.points + LAST_POINT * bool(shots.last))


OBJECTIVES: dict[str, Any] = {"worth": shots_worth, "damage": lambda shots: shots.damage}


@mechanic(rules=["stage.attack.snipe", "stage.ranged_combat.attack", "stage.action.ap"], objectives=OBJECTIVES)
@spelled_out
async def shooting(
    dice: Pool,
    bonuses: Bonuses = (),
    penalties: Penalties = (),
    difficulty: HitDifficulty = 3,
    dodge: DodgeDice = 0,
    ap: TargetAp = 3,
    resistance: Resistance = 0,
    blocks: Blocks = (),
    sniper: SnipeDice = 0,
    left: Left = 9,
    may_pay_last: MayPayLast = True,
    rules: CheckRules = PLAIN,
) -> Shots:
    """Snipe with a die more, or shoot twice; the target dodges as long as it has AP, and blocks what gets through."""
    how = await choose(Seat.ACTOR, "how to shoot", (SNIPE, TWICE))
    target = _Target(difficulty, dodge, resistance, blocks, may_pay_last)
    if how == SNIPE:
        form = Form(SNIPE, dice + SNIPED_DICE, bonuses, penalties, extra=sniper)
        return await finish(target.shot_at(form, ap, left, rules).map(lambda made: _shots(SNIPE, made)))
    form = Form("plain", dice, bonuses, penalties)
    first = await target.shot_at(form, ap, left, rules).map(_lost)
    spent, points, damage, _ = first
    rest = max(0, left - points - damage)
    numbers = dice, bonuses, penalties, difficulty, dodge, ap - spent, resistance, blocks
    return await become(second_shot(*numbers, rest, may_pay_last, first, *rules))


class _Target(NamedTuple):
    difficulty: int
    dodge: int
    resistance: int
    blocks: tuple[Block, ...]
    may_pay_last: bool

    def shot_at(self, form: Form, ap: int, left: int, rules: CheckRules) -> Call[Attack]:
        ways = (Defence("dodge", self.dodge, ap=1),) if self.dodge and ap > 0 else ()
        return attack(
            (form,),
            self.difficulty,
            self.difficulty,
            ways,
            self.resistance,
            self.blocks,
            (),
            (),
            left,
            self.may_pay_last,
            *rules,
        )


def _lost(made: Attack) -> tuple[int, int, int, int]:
    return made.ap, made.points, made.damage, int(bool(made.last))


def _shots(how: str, made: Attack, before: tuple[int, ...] = (0, 0, 0, 0)) -> Shots:
    ap, points, damage, last = before
    paid = made.last or ("paid" if last else "")
    return Shots(how, made.damage + damage, made.ap + ap, made.points + points, paid)


@mechanic(rules=["stage.ranged_combat.attack"], objectives=OBJECTIVES)
@spelled_out
async def second_shot(
    dice: Pool,
    bonuses: Bonuses,
    penalties: Penalties,
    difficulty: HitDifficulty,
    dodge: DodgeDice,
    ap: TargetAp,
    resistance: Resistance,
    blocks: Blocks,
    left: Left,
    may_pay_last: MayPayLast,
    first: Annotated[tuple[int, ...], Param("AP, points, damage and last points of the first shot", 0, 999)],
    rules: CheckRules = PLAIN,
) -> Shots:
    """The second of two shots, at a target that may have spent something on the first."""
    target = _Target(difficulty, dodge, resistance, blocks, may_pay_last)
    made = target.shot_at(Form("plain", dice, bonuses, penalties), ap, left, rules)
    return await finish(made.map(lambda made: _shots(TWICE, made, first)))


SHOOTING: tuple[Mechanic[..., Any], ...] = (shooting,)
