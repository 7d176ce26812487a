"""Belongings outside fights: trade, wearing and wielding, repair and craft."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from tablewright.engine import Param, Process, Role, process
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import PACK, Belongings, move
from tablewright.game.content.library import Library
from tablewright.game.play.actions import Refusal
from tablewright.game.play.time_passage import AtLeisure, advance_time
from tablewright.game.play.trade import ItemId, Trade, trading
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant
from tablewright.systems.renaissance.character.figures import key_of
from tablewright.systems.renaissance.character.gear import HELD, items, place_for, worn
from tablewright.systems.renaissance.character.record import BOTH, WORN
from tablewright.systems.renaissance.checks import Asked, penalties_of, standing, target
from tablewright.systems.renaissance.content import Item
from tablewright.systems.renaissance.creation import acquired
from tablewright.systems.renaissance.events.recovery import Planned
from tablewright.systems.renaissance.mechanics.turn import Steps, Task, Timing, task, timeframe
from tablewright.systems.renaissance.status import Plan, hands_left, helpless
from tablewright.systems.renaissance.tasks import (
    Attempt,
    Ready,
    days_of_work,
    fits_today,
    read_by,
    spend,
    spend_on_task,
)
from tablewright.systems.renaissance.values import MINUTE, SHIFT

OWNING, PRICES = "renaissance.gap.weapon.hands", "renaissance.gap.money.prices"
CRAFTING = "renaissance.gap.money.crafting"


def find(item: str, library: Any) -> Item:
    """The content's entry of a thing."""
    known = items(library)
    if item in known:
        return known[item]
    found: Item = library.get("gear", item)  # refuses with the nearest name
    return found


def copper(found: Item, count: int) -> int:
    """Price of a number of things; some things are not for sale."""
    if found.price is None:
        raise IllegalActionError(f"{found.name} is not for sale", rule=PRICES)
    return int(Ledger.load("renaissance")["renaissance.gap.money.prices"].data[found.price]) * count


def _keeps(one: Participant) -> Refusal | None:
    return None if helpless(one) else Refusal(f"{one.name} can object and keeps it", OWNING)


def _put(belongings: Belongings, item: str, count: int, library: Library) -> Belongings:
    return acquired(belongings, find(item, library).id, count, library)


TRADE = Trade(find=find, price=copper, owning=OWNING, prices=PRICES, purse="copper", put=_put, keeps=_keeps)


# ---------------------------------------------------------------------- hands


@process(rules=["renaissance.gap.weapon.hands", "renaissance.gap.armor.one_suit"])
async def draw(
    game: Game,
    who: AtLeisure,
    item: ItemId,
    hand: Annotated[Literal["", "main", "off"], Param("the hand; none for the first free one")] = "",
) -> None:
    """Take something in hand, or put it on; both hands hold one thing each or one together, one suit is worn."""
    library = game.scene.library
    found, mine = find(item, library), game[who].belongings
    place = place_for(found, tuple([one for one in mine if one.item != item or one.place != PACK]), library, hand)
    if place in HELD and hands_left(game[who].status.lost) < worn(mine, library).hands + (2 if place == BOTH else 1):
        reason = f"{game.scene.display_name(who)} lacks the hands for {found.name}"
        raise IllegalActionError(reason, rule="renaissance.strike.maim")
    if place is None or place == PACK:
        rule = "renaissance.gap.weapon.hands" if place == PACK or hand else _why(found)
        reason = f"{found.name} is neither held nor worn" if place == PACK else f"there is no room for {found.name}"
        raise IllegalActionError(reason, rule=rule)
    moved = move(mine, item, place, place=PACK, rule=OWNING)
    TRADE.change(game, who, f"draws {found.name}", moved, cause=OWNING)


def _why(found: Item) -> str:
    suit = getattr(found, "armor", None) is not None and not getattr(found, "shield", False)
    return "renaissance.gap.armor.one_suit" if suit else "renaissance.gap.weapon.hands"


@process(rules=["renaissance.gap.weapon.hands"])
async def stow(game: Game, who: AtLeisure, item: ItemId) -> None:
    """Put something back into the pack, or take it off."""
    found = find(item, game.scene.library)
    mine = game[who].belongings
    places = [one.place for one in mine if one.item == item and one.place in (*HELD, WORN)]
    if not places:
        raise game.scene.cannot(who, f"neither holds nor wears {found.name}", OWNING)
    TRADE.change(game, who, f"stows {found.name}", move(mine, item, PACK, place=places[0], rule=OWNING), cause=OWNING)


# ---------------------------------------------------------------------- making things


@process(rules=["renaissance.gap.money.crafting", "renaissance.action.check_at_start"])
async def craft(
    game: Game,
    who: Ready,
    item: ItemId,
    field: Annotated[str, Param("the field of Craft, such as smith")],
    tools: Annotated[str, Param("the kit or the shop, by its id")] = "craft_kit",
    steps: Steps = 0,
    attempt: Attempt = 1,
) -> Task:
    """Make something with a Craft check: 2 hours, a shift or 25 shifts of work, or less where it fails.

    What fits into a day is a task of it; the rest is a job, a shift a day.
    """
    library = game.scene.library
    found = find(item, library)
    if found.price is None:
        raise IllegalActionError(f"{found.name} cannot be made", rule=CRAFTING)
    minutes = int(Ledger.load("renaissance")["renaissance.gap.money.crafting"].data[found.price])
    whole = timeframe(minutes, steps)
    if whole <= SHIFT:
        fits_today(game, who, whole)
    elif not game.scene.options.shifts_per_day:
        raise IllegalActionError("this table has no time for jobs", rule="renaissance.mode.down_time_gm")
    subject = game.rulebook.subject(game[who], game.scene)
    plan = game.rulebook.check("craft")
    slower, faster = max(0, steps), max(0, -steps)
    words = {"field": field, "tools": tools, "minutes": minutes, "slower": slower, "faster": faster, "attempt": attempt}
    tally = target(subject, Asked(key_of("craft", field)), plan.contender(subject, words).situation)
    options = game.scene.options
    call = task(
        tally.total,
        Timing(minutes, steps, options.exceptional_halves_time),
        min(500, penalties_of(tally)),
        standing(subject).luck,
        standing(subject).daring,
        read_by(options),
    )
    done: Task = await call.by(game.seat(who), private={"luck": Role.ACTOR}, tallies={"target": tally})
    spend(game, who, done.luck, "crafting")
    if whole <= SHIFT:
        await spend_on_task(game, who, done.minutes, cause=CRAFTING)
    else:
        game.emit(Planned(who=who, what=f"making {found.name}", plan=Plan(), cause=CRAFTING))
        await advance_time(game, days_of_work(done.minutes, options.shifts_per_day) * MINUTE, cause=CRAFTING)
    if done.succeeds:
        got = acquired(game[who].belongings, found.id, 1, library)
        TRADE.change(game, who, f"makes {found.name}", got, cause=CRAFTING)
    return done


PROCESSES: tuple[Process[..., Any], ...] = (*trading(TRADE), draw, stow, craft)
