"""Mechanics of an attack, from the roll to the damage.

:data:`attack` goes from the targets of both sides through to what is lost: the ordered check (:mod:`.clash`) and
:data:`hurt`, from the dice of damage to lying on the ground.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.engine import Call, Mechanic, Param, Request, Role, chance, choose, finish, mechanic
from tablewright.errors import InvalidInputError
from tablewright.systems.renaissance.mechanics.checks import Daring, LuckLimit, Penalties, Target, luck_for_one
from tablewright.systems.renaissance.mechanics.clash import clash, met
from tablewright.systems.renaissance.mechanics.defences import Clash, Defences, Luck, Sides, TheirLuck
from tablewright.systems.renaissance.mechanics.harm import (
    CHECK_20,
    LUCK_POINT,
    MAIMED,
    NO_RESERVE,
    PLAIN,
    PLAIN_ATTACK,
    PLAIN_INJURY,
    PRECISE,
    SOUND,
    Blow,
    Body,
    FightRules,
    Hurt,
    InjuryRules,
    Piercing,
    Strike,
    Vulnerability,
    fresh_penalty,
    hurt,
    keep_up,
    means_of,
    multiple_penalty,
    worth,
)
from tablewright.systems.renaissance.values import DV, Regrade

# ---------------------------------------------------------------------- the whole attack


class Attacked(NamedTuple):
    """Result of an attack, including losses and points spent.

    ``strike`` is the special attack that was tried, ``effect`` whether its result came about; ``holds`` is so where a
    target is grabbed instead of hurt.
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
    holds: bool = False


class Striking(NamedTuple):
    """A strike as an option that can be read, with or without Luck to ignore all penalties and to dare.

    ``target`` is that of the attack then, where it is known.
    """

    strike: Strike
    ignores: bool = False
    dares: bool = False
    target: int | None = None

    @property
    def id(self) -> str:
        """Id of the option."""
        words = [self.strike.id, "ignore_penalties" * self.ignores, "dare" * self.dares]
        return ":".join([word for word in words if word])

    @property
    def label(self) -> str:
        """With its target, or with its penalty."""
        named = self.strike.id.replace("_", " ") if self.strike.result else "a plain attack"
        told = f" at {self.target}" if self.target is not None else ""
        if not told and self.strike.result:
            told = f" ({self.strike.penalty})"
        return f"{named}{told}{', ignoring penalties' * self.ignores}{', daring it' * self.dares}"

    @property
    def spent(self) -> int:
        """The points of Luck that it takes."""
        return int(self.ignores) + int(self.dares)

    @property
    def cost(self) -> str:
        """Points of Luck, or nothing."""
        return f"{self.spent} Luck" if self.spent else ""


def strikable(
    strikes: tuple[Strike, ...],
    penalties: int,
    luck: int,
    *,
    plain: bool = True,
    daring: int = 0,
    target: int | None = None,
) -> list[Striking]:
    """A plain attack and the strikes as options, those with penalties also with a point to ignore them.

    Daredevils can do each of it with one more point (renaissance.gap.class.daredevil). Each option tells its target
    where that of the plain attack is given.
    """
    return list(_strikable(strikes, penalties, luck, plain, daring, target))


@lru_cache(maxsize=16_384)
def _strikable(
    strikes: tuple[Strike, ...], penalties: int, luck: int, plain: bool, daring: int, target: int | None
) -> list[Striking]:
    offered = (PLAIN_ATTACK, *strikes) if plain or not strikes else strikes

    def aimed(strike: Strike, ignores: bool, dares: bool) -> int | None:
        return None if target is None else target + aimed_by(strike, penalties, ignores, daring * dares)

    found = [
        Striking(Strike(*one), ignores, dares, aimed(one, ignores, dares))
        for one in offered
        for dares in ((False, True) if daring and luck else (False,))
        for ignores in ((False, True) if luck and penalties - one.penalty > 0 else (False,))
    ]
    return [one for one in found if one.spent <= luck]


def aimed_by(strike: Strike, penalties: int, ignores: bool, dared: int) -> int:
    """Target of an attack after its strike and the Luck spent before the roll."""
    return (penalties if ignores else strike.penalty) + dared


class Attempt(NamedTuple):
    """An attack before its roll: the chance to hit, the damage, and the defences that it meets."""

    target: Target
    dv: Annotated[DV, Param("the DV with every flat bonus, such as 2d10+6")]
    defences: Defences = ()
    ap: Piercing = 0
    penalties: Penalties = 0
    vulnerability: Vulnerability = 0
    precision: Annotated[int, Param("the same for attacks with the Precision tag besides", -5, 5)] = 0
    graded: Annotated[bool, Param("whether the attack can be exceptional or critical")] = True


class Attacker(NamedTuple):
    """The attacker's Luck, the bonus of daring, and the DB that strikes may add."""

    luck: Luck = 0
    daring: Daring = 0
    damage_bonus: Annotated[int, Param("DB of the attacker, for strikes", 0, 99)] = 0


class Foe(NamedTuple):
    """The target's Luck, the bonus of daring, and its footing."""

    their_luck: TheirLuck = 0
    their_daring: Annotated[int, Param("bonus of a point before a roll for a target who is a daredevil", 0, 100)] = 0
    footing: Annotated[int, Param("SOM x2 of the target, against being knocked down", -500, 500)] = 40


class Declared(NamedTuple):
    """An attack as it is declared before the roll; what is none is still to be chosen."""

    strikes: Annotated[tuple[Strike, ...], Param("the strikes that may be tried, such as maim:-20")] = ()
    plain: Annotated[bool, Param("whether a plain attack is possible besides the strikes")] = True
    holds: Annotated[int | None, Param("the STR that the margin exceeds to grab instead of to hurt", 0, 500)] = None
    ignoring: Annotated[bool | None, Param("whether a Luck point ignores the penalties; none to choose")] = None
    dares: Annotated[bool | None, Param("whether such a point is spent; none to choose")] = None

    def open_to(self, penalties: int, luck: int, daring: int) -> list[Striking]:
        """The ways to attack that are left to choose from."""
        offered = strikable(self.strikes, penalties, luck, plain=self.plain, daring=daring)
        if self.ignoring is not None:
            offered = [one for one in offered if one.ignores is self.ignoring] or offered
        if self.dares is not None:
            offered = [one for one in offered if one.dares is self.dares] or offered
        return offered


class Table(NamedTuple):
    """Options of a table about attacks and damage."""

    luck_per_check: LuckLimit = None
    rules: FightRules = PLAIN
    injury: InjuryRules = PLAIN_INJURY


PLAIN_ATTACKER, PLAIN_FOE, UNDECLARED, PLAIN_TABLE = Attacker(), Foe(), Declared(), Table()


def prize(strike: str, effect: bool) -> int:
    """Worth of a strike that comes about, besides its harm."""
    return MAIMED if effect and strike == "maim" else 0


def _attack_worth(attacked: Attacked) -> int:
    done = worth(attacked.damage, attacked.wounds, attacked.prone, attacked.felled)
    return done + prize(attacked.strike, attacked.effect) + LUCK_POINT * (attacked.their_luck - attacked.luck)


OBJECTIVES = {
    "worth": _attack_worth,
    "damage": lambda attacked: attacked.damage,
    "hit": chance(lambda attacked: int(attacked.hit)),
    "wounds": lambda attacked: attacked.wounds,
    "prone": chance(lambda attacked: int(attacked.prone)),
    "felled": chance(lambda attacked: int(attacked.felled)),
    "effect": chance(lambda attacked: int(attacked.effect)),
}


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
        "renaissance.grab.mos_over_str",
        "renaissance.luck.ignore_penalties",
        "renaissance.luck.limit",
        "renaissance.gap.class.daredevil",
        "renaissance.gap.class.intuitive_fighter",
        "renaissance.resistance.option_2",
        "renaissance.resistance.option_3",
    ],
    objectives=OBJECTIVES,
)
async def attack(
    attempt: Attempt,
    body: Body = SOUND,
    attacker: Attacker = PLAIN_ATTACKER,
    foe: Foe = PLAIN_FOE,
    declared: Declared = UNDECLARED,
    table: Table = PLAIN_TABLE,
) -> Attacked:
    """A whole attack: strike or plain, Luck before and after, the target's defence, damage, wounds and falling.

    A strike has its penalty in any case, and its result besides the hit where the attack is an exceptional success.
    """
    mine = luck_for_one(attacker.luck, table.luck_per_check)
    offered = declared.open_to(attempt.penalties, mine, attacker.daring)
    how = offered[0] if len(offered) == 1 else await choose(Role.ACTOR, "which strike", offered)
    sides, _, then = exchange(how, attempt, body, attacker, foe, declared, table)
    return await clash(sides, table.rules).into(then)


def exchange(
    how: Striking, attempt: Attempt, body: Body, attacker: Attacker, foe: Foe, declared: Declared, table: Table
) -> tuple[Sides, Callable[[Clash], tuple[Blow, Manner]], Callable[[Clash], Call[Attacked]]]:
    """An attack that is declared: the sides of its clash, the blow that a hit is, and the stage that follows."""
    injury, most = table.injury, table.luck_per_check
    strike, result = how.strike, how.strike.result
    aimed = attempt.target + aimed_by(strike, attempt.penalties, how.ignores, attacker.daring * how.dares)
    matching = attempt.vulnerability + (attempt.precision if result in PRECISE else 0)
    regrade, met = Regrade.NONE if attempt.graded else Regrade.UNGRADED, attempt.defences
    if foe.their_daring:
        met = tuple([one._replace(daring=foe.their_daring) for one in met])
    if attempt.graded and matching and injury.resistance_rule == "regrade":
        regrade = Regrade.UPGRADE if matching > 0 else Regrade.DOWNGRADE
    elif matching and injury.resistance_rule == "check_20":
        met = tuple([one.lessened(CHECK_20 * matching) for one in met])

    def struck(clashed: Clash) -> tuple[Blow, Manner]:
        effect = clashed.special and result != ""
        more = attacker.damage_bonus if effect else 0
        footing = foe.footing if effect and result == "knock_down" else None
        blow = blow_of(attempt.dv, attempt.ap, result, clashed.bonus, more, clashed.critical, matching, footing)
        return blow, manner_of(result, effect, clashed.special)

    def then(clashed: Clash) -> Call[Attacked]:
        spent = clashed.luck, clashed.their_luck
        if not clashed.hit:
            return landed(False, NO_BLOW, manner_of(result, False, False), SOUND, points_of(*spent), PLAIN_INJURY)
        if declared.holds is not None and clashed.margin > declared.holds:
            return landed(True, NO_BLOW, HELD, SOUND, points_of(*spent), PLAIN_INJURY)
        points = points_of(*spent, foe.their_luck - clashed.their_luck, foe.their_daring, most)
        return landed(True, *struck(clashed), body, points, injury)

    mine, theirs = luck_for_one(attacker.luck, most), luck_for_one(foe.their_luck, most)
    return Sides(aimed, met, mine - how.spent, theirs, regrade, declared.holds is not None, how.spent), struck, then


class Manner(NamedTuple):
    """The manner of a hit: its strike, whether that comes about, and whether it grabs instead of hurting."""

    strike: Annotated[str, Param("the result of the strike that was declared; nothing for a plain attack")] = ""
    effect: Annotated[bool, Param("whether the strike comes about")] = False
    special: Annotated[bool, Param("whether the attack serves as an exceptional success")] = False
    holds: Annotated[bool, Param("whether it grabs instead of hurting")] = False


class Points(NamedTuple):
    """Luck that both sides have spent on an attack, and what the target may still do with its own."""

    luck: Annotated[int, Param("Luck that the attacker has spent", 0, 20)] = 0
    their_luck: Annotated[int, Param("Luck that the target has spent", 0, 20)] = 0
    luck_left: Annotated[int, Param("Luck points that the target may still spend", 0, 20, unseen=0)] = 0
    their_daring: Daring = 0
    luck_per_check: LuckLimit = None


@lru_cache(maxsize=4_096)
def blow_of(
    dv: DV, ap: int, strike: str, bonus: int, damage_bonus: int, critical: bool, matching: int, footing: int | None
) -> Blow:
    """A hit with what its margin and its strike add; the same one is the same object."""
    plus = dv.plus + bonus + (damage_bonus if strike == "mighty_blow" else 0)
    return Blow(
        dv._replace(plus=plus), ap + (damage_bonus if strike == "armor_gap" else 0), critical, matching, footing
    )


points_of, manner_of = lru_cache(maxsize=512)(Points), lru_cache(maxsize=512)(Manner)
PLAINLY, HELD, NO_POINTS, NO_BLOW = Manner(), Manner(holds=True), Points(), Blow(DV(0))


@mechanic(rules=["renaissance.attack.procedure", "renaissance.armor.damage"], objectives=OBJECTIVES)
async def landed(
    hit: Annotated[bool, Param("whether it hits")],
    blow: Blow,
    manner: Manner = PLAINLY,
    body: Body = SOUND,
    points: Points = NO_POINTS,
    injury: InjuryRules = PLAIN_INJURY,
) -> Attacked:
    """An attack that has met its defence: the effect of a hit on the target."""
    strike, effect, special, holds = manner
    luck, their_luck, left, *further = points
    if not hit:
        return Attacked(False, strike, luck=luck, their_luck=their_luck)
    if holds:
        return Attacked(True, luck=luck, their_luck=their_luck, holds=True)

    def done(hurt: Hurt) -> Attacked:
        spent = their_luck + hurt.luck
        taken = (hurt.damage, hurt.wounds, hurt.prone, hurt.felled)
        return _attacked(True, strike, effect, special, blow.critical, *taken, luck, spent)

    return await finish(hurt(blow, body, means_of(left, *further), 0, True, injury).by_opponent().map(done))


@lru_cache(maxsize=65_536)
def _attacked(*parts: Any) -> Attacked:
    """Result of an attack; equal results are one object, which is quicker to compare."""
    return Attacked(*parts)


MECHANICS: tuple[Mechanic[..., Any], ...] = (clash, met, keep_up, hurt, landed, attack)


Weapons: TypeAlias = Literal["main", "off", "both"]
WEAPONS: tuple[Weapons, ...] = ("main", "off", "both")
AGAINST_PRONE = 10  # renaissance.prone.effects


_FURTHER = re.compile(r"(?P<target>-?\d{1,3}):(?P<dv>[^/@]+(?:/2)?)(?:@(?P<ap>\d{1,2}))?")


class FurtherArm(NamedTuple):
    """A weapon beside the two: its target, its DV and its armor penetration.

    >>> FurtherArm.parse("45:1d10+3@2"), str(FurtherArm(45, DV(1, 3)))
    (FurtherArm(target=45, dv=DV(dice=1, plus=3, bonus=False, half=False), ap=2), '45:1d10+3')
    """

    target: int
    dv: DV
    ap: int = 0

    @staticmethod
    def parse(text: str) -> FurtherArm:
        """Read `45:1d10+3` or, with armor penetration, `45:1d10+3@2`."""
        found = _FURTHER.fullmatch(text.replace(" ", ""))
        if found is None:
            raise InvalidInputError(
                f'"{text:.40}" is not a weapon; write target and DV, such as 45:1d10+3 or 45:1d10@2'
            )
        return FurtherArm(int(found["target"]), DV.parse(found["dv"]), int(found["ap"] or 0))

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return f"{self.target}:{self.dv}{f'@{self.ap}' if self.ap else ''}"


class Arms(NamedTuple):
    """Two weapons in hand, or more."""

    target: Target
    dv: Annotated[DV, Param("the DV of the main hand with every flat bonus, such as 2d10+6")]
    off_target: Annotated[int, Param("the target with the off hand, its penalties included", -500, 500)]
    off_dv: Annotated[DV, Param("the DV of the off hand with every flat bonus")]
    ap: Piercing = 0
    off_ap: Annotated[int, Param("armor penetration of the off hand", 0, 99)] = 0
    further: Annotated[tuple[FurtherArm, ...], Param("weapons beside the two, such as 45:1d10+3, 35:1d10@2")] = ()


class Volleyed(NamedTuple):
    """Combined result of the attacks of one action."""

    hits: int
    damage: int = 0
    wounds: int = 0
    prone: bool = False
    felled: bool = False


def _one(attacked: Attacked) -> Volleyed:
    return Volleyed(int(attacked.hit), attacked.damage, attacked.wounds, attacked.prone, attacked.felled)


@mechanic(
    rules=["renaissance.multi.attacks", "renaissance.multi.off_hand", "renaissance.injury.wound_penalty"],
    objectives={
        "worth": lambda done: worth(done.damage, done.wounds, done.prone, done.felled),
        "damage": lambda done: done.damage,
        "hits": lambda done: done.hits,
        "felled": chance(lambda done: int(done.felled)),
    },
)
async def two_weapons(
    arms: Arms,
    defences: Defences = (),
    body: Body = SOUND,
    rules: FightRules = PLAIN,
    injury: InjuryRules = PLAIN_INJURY,
    weapons: Annotated[Weapons | None, Param("the weapons to use; the attacker chooses if none are given")] = None,
) -> Volleyed:
    """Attack with one weapon, or with all of them at -10 each; nobody spends Luck and no strike is tried.

    What an attack has done counts for the next: wounds hamper the defence, and who lies is easier to hit.
    """
    hand = weapons or await choose(Role.ACTOR, "with which weapons", WEAPONS)
    main, off = FurtherArm(arms.target, arms.dv, arms.ap), FurtherArm(arms.off_target, arms.off_dv, arms.off_ap)
    table = Table(None, rules, injury)

    def blow(arm: FurtherArm, less: int, before: Volleyed) -> Request[Volleyed]:
        aimed, strength, piercing = arm
        hampered = fresh_penalty(before.wounds, body.negated)
        met = tuple(
            [one._replace(target=one.target - hampered, penalties=one.penalties + hampered) for one in defences]
        )
        easier = AGAINST_PRONE if before.prone else 0
        then = body._replace(
            balance=None if body.balance is None or before.prone else body.balance - hampered,
            balance_penalties=body.balance_penalties + hampered,
            negated=max(0, body.negated - before.wounds),
            left=body.left if body.left == NO_RESERVE else max(0, body.left - before.damage),
        )
        call = attack(Attempt(aimed + less + easier, strength, met, piercing), then, table=table)
        return call.map(_one).map(lambda after: _added(before, after))

    done = Volleyed(0)
    if hand != "both":
        return await finish(blow(main if hand == "main" else off, 0, done))
    blows = [main, off, *arms.further]
    several = multiple_penalty(len(blows), 1)
    for arm in blows[:-1]:
        done = await blow(arm, several, done)
        if done.felled:
            return done
    return await finish(blow(blows[-1], several, done))


def _added(before: Volleyed, after: Volleyed) -> Volleyed:
    return Volleyed(
        before.hits + after.hits,
        before.damage + after.damage,
        before.wounds + after.wounds,
        before.prone or after.prone,
        after.felled,
    )


VOLLEY_MECHANICS: tuple[Mechanic[..., Any], ...] = (two_weapons,)
