"""Change of the dice core in the middle of a campaign."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from tablewright.engine import Param, odds, process
from tablewright.game.scene.events import Event, unchanged
from tablewright.game.scene.game import Game
from tablewright.game.scene.visibility import visible
from tablewright.game.session.processes import set_option
from tablewright.systems.marchen.events.fight import apply
from tablewright.systems.marchen.mechanics.checks import Attempt, check, succeeded
from tablewright.systems.marchen.mechanics.dice import Difficulty
from tablewright.systems.marchen.modifiers import table_of
from tablewright.systems.marchen.options import Core, MarchenOptions

SELECTION = "marchen.core.selection"
TYPICAL: tuple[tuple[Difficulty, int], ...] = (("average", 0), ("average", 3), ("difficult", 3), ("formidable", 5))
"""Checks by which a table can see what other dice mean: how hard, and with what modifier."""


def chance(core: Core, difficulty: Difficulty, modifier: int, options: MarchenOptions) -> Fraction:
    """The chance of success of a plain check with some dice.

    >>> str(chance("2d6", "average", 3, MarchenOptions())), str(chance("D20", "average", 3, MarchenOptions()))
    ('5/6', '13/20')
    """
    call = check(core, Attempt(difficulty, modifier), table_of(options), options.dice_chain_mode)
    return odds(call).expected(succeeded)


@apply.by(unchanged)
class OddsMoved(Event):
    """Odds of typical checks with two kinds of dice, in thousandths."""

    mentions = ()
    before: str = visible()
    after: str = visible()
    moved: tuple[tuple[str, int, int], ...] = visible()


def moved(before: Core, after: Core, options: MarchenOptions) -> tuple[tuple[str, int, int], ...]:
    """The chances of typical checks with two kinds of dice, in thousandths."""
    found = []
    for difficulty, modifier in TYPICAL:
        old, new = [round(1_000 * chance(core, difficulty, modifier, options)) for core in (before, after)]
        found.append((f"{difficulty} {modifier:+d}", old, new))
    return tuple(found)


@process(rules=["marchen.core.selection"])
async def change_core(
    game: Game,
    core: Annotated[Core, Param("the new dice")],
    reason: Annotated[str, Param("why")] = "the table wants other dice",
) -> None:
    """Change the dice of the campaign; characters stay as they are, and the odds of typical checks are told."""
    options: MarchenOptions = game.scene.options
    before = options.core
    await set_option(game, "core", core, reason)
    game.emit(OddsMoved(before=before, after=core, moved=moved(before, core, options), cause=SELECTION))


@process(rules=["marchen.core.selection"])
async def compare_core(game: Game, core: Annotated[Core, Param("the dice to compare with those in use")]) -> None:
    """Compare the odds of typical checks with other dice; nothing changes."""
    options: MarchenOptions = game.scene.options
    found = moved(options.core, core, options)
    game.emit(OddsMoved(before=options.core, after=core, moved=found, cause=SELECTION))


PROCESSES = (change_core, compare_core)
