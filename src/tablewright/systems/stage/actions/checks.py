"""Checks in the middle of an encounter."""

from __future__ import annotations

from typing import Any, NamedTuple

from tablewright.engine import Role, choose
from tablewright.engine.request import EVERYONE
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.costs import Cost
from tablewright.game.scene.game import Game
from tablewright.systems.stage.actions.defences import Make, announcing, rerolling, rerolls_left, substituted
from tablewright.systems.stage.actions.requirements import use_up
from tablewright.systems.stage.effects import Usable
from tablewright.systems.stage.events.fight import Spent
from tablewright.systems.stage.mechanics.checks import (
    FlatResult,
    Flats,
    LeveledResult,
    OpposedResult,
    SetResult,
    flat,
    leveled,
    opposed,
    set_difficulty,
)
from tablewright.systems.stage.mechanics.rerolls import RerolledResult, ReSetResult, flat_again, set_again
from tablewright.systems.stage.modifiers import Rolled
from tablewright.systems.stage.now import check_rules, pool, powers, price_of
from tablewright.systems.stage.status import PURSES
from tablewright.systems.stage.values import titled

RULE = "stage.power_effect.reroll"
ONCE = "stage.power.announce"
OWN = {"rerolls": Role.ACTOR}
NOTHING = Cost()
HARDEST = 250
"""No pool reaches more than this, so nothing needs to be harder."""


async def with_powers(game: Game, who: str, key: str, make: Make, price: Cost = NOTHING) -> Rolled:
    """The dice pool of a check after powers were announced and paid (stage.power.announce).

    ``price`` is what the check itself still costs.
    """
    once = announcing(game.scene, who, key, make, price)
    if not once.forms:
        return make(())
    options = [ActionUse("pass", label="Announce no power")]
    names = {one.id: one.power.name for one in powers(game.scene, who).values()}
    for form in once.forms:
        label = " and ".join([names[power] for power in form.name.split("+")])
        cost = PURSES.words_for(game.scene, who, once.prices[form.name])
        options.append(ActionUse("announce", detail=form.name, label=f"Announce {label}", cost=cost))
    about = {"who": who, "kind": "window", "for": titled(key)}
    taken = await choose(game.seat(who), "announce a power?", options, details=about)
    if taken.detail is None:
        return make(())
    able = powers(game.scene, who)
    bundle = tuple([able[power] for power in taken.detail.split("+")])
    made = make(bundle)
    on = f"{titled(key)} ({' and '.join([one.power.name for one in bundle])})"
    game.emit(Spent(who=who, price=once.prices[taken.detail], on=on, cause=ONCE))
    return made


def plainly(game: Game, who: str, key: str, **how: Any) -> Make:
    """A check as it is rolled now, with whatever powers are announced for it, perhaps by another skill."""

    def make(bundle: tuple[Usable, ...]) -> Rolled:
        return pool(game.scene, who, key, announced=bundle, skill=substituted(key, bundle), **how)

    return make


async def against(
    game: Game, who: str, made: Rolled, difficulty: int, *, secret: bool = False, audience: str = EVERYONE
) -> FlatResult:
    """A flat check against a known Difficulty; ``secret`` where others must not learn it from the call.

    The dice are for the ``audience`` to see.
    """
    fails = check_rules(game.scene).botch_fails
    hide = ("difficulty",) if secret else ()
    numbers = made.dice.total, min(HARDEST, max(1, difficulty)), made.flat.total, made.untrained, fails
    times = rerolls_left(game.scene, who, made.skill)
    if not times:
        call = flat(*numbers)
        result: FlatResult = await call.by(game.seat(who), hide=hide, tallies=made.tallies, audience=audience)
        use_up(game, who, made.once, ONCE)
        return result
    again: RerolledResult = await flat_again(*numbers, times).by(
        game.seat(who), hide=hide, tallies=made.tallies, private=OWN, audience=audience
    )
    _pay(game, who, made.skill, again.rerolls)
    use_up(game, who, made.once, ONCE)
    return FlatResult(again.success, again.botch)


async def beats(game: Game, who: str, other: str, mine: Rolled, theirs: Rolled) -> bool:
    """True if a character's check reaches the Difficulty that another's check sets (stage.opposed.basic)."""
    if rerolls_left(game.scene, who, mine.skill) or rerolls_left(game.scene, other, theirs.skill):
        needed = await result_of(game, other, theirs)  # stage.power_effect.reroll
        return (await against(game, who, mine, needed.result)).success
    rules = check_rules(game.scene)
    botches = mine.untrained, theirs.untrained, rules.botch_fails, rules.botch_scope
    call = opposed(mine.dice.total, theirs.dice.total, mine.flat.total, theirs.flat.total, 0, *botches)
    tallies = {"dice": mine.dice, "modifier": mine.flat, "opposing": theirs.dice, "opposing_modifier": theirs.flat}
    result: OpposedResult = await call.by(game.seat(who), game.seat(other), tallies=tallies)
    use_up(game, who, mine.once, ONCE)
    use_up(game, other, theirs.once, ONCE)
    return result.success


async def result_of(game: Game, who: str, made: Rolled, *, audience: str = EVERYONE) -> SetResult:
    """A check whose result sets a Difficulty, or gives points."""
    rules = check_rules(game.scene)
    numbers = made.dice.total, made.flat.total, made.untrained, rules.botch_fails, rules.botch_scope
    times = rerolls_left(game.scene, who, made.skill)
    if not times:
        call = set_difficulty(*numbers)
        result: SetResult = await call.by(game.seat(who), tallies=made.tallies, audience=audience)
        use_up(game, who, made.once, ONCE)
        return result
    luck = set_again(*numbers, times)
    again: ReSetResult = await luck.by(game.seat(who), tallies=made.tallies, private=OWN, audience=audience)
    _pay(game, who, made.skill, again.rerolls)
    use_up(game, who, made.once, ONCE)
    return SetResult(again.result, again.botch)


class OneForAll(NamedTuple):
    """A check that was rolled once against several Difficulties; a botch fails against all of them."""

    result: int
    fails: bool = False

    def reaches(self, difficulty: int) -> bool:
        """True if it reaches one of them."""
        return not self.fails and self.result >= difficulty


async def once_for_all(game: Game, who: str, made: Rolled) -> OneForAll:
    """One roll that is compared with several Difficulties (stage.check.basic, stage.check.botch)."""
    fails = check_rules(game.scene).botch_fails
    call = set_difficulty(made.dice.total, made.flat.total, made.untrained, fails, "any_check")
    rolled: SetResult = await call.by(game.seat(who), tallies=made.tallies)
    use_up(game, who, made.once, ONCE)
    return OneForAll(rolled.result, rolled.botch and fails)


async def in_two_rolls(game: Game, who: str, made: Rolled, difficulty: int) -> LeveledResult:
    """A leveled check against a known Difficulty: the pool is split, the second roll is the size of the effect."""
    rules = check_rules(game.scene)
    call = leveled(
        made.dice.total,
        difficulty,
        Flats(bonuses=made.bonuses, penalties=made.penalties),
        made.untrained,
        rules.botch_fails,
        rules.empty_second_roll,
        rules.flat_penalty_roll,
    )
    result: LeveledResult = await call.by(game.seat(who), tallies={"dice": made.dice})
    use_up(game, who, made.once, ONCE)
    return result


def _pay(game: Game, who: str, skill: str, times: int) -> None:
    luck = rerolling(game.scene, who, skill)
    for _ in range(times if luck is not None else 0):
        assert luck is not None
        game.emit(Spent(who=who, price=price_of(luck.power), on=luck.power.name, cause=RULE))
