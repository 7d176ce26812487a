"""Trade, gifts and loot: processes for every system with belongings, built from one declaration.

In a running scene belongings are in the status (field ``belongings``) and money is in the character (the field that
``Trade.purse`` names). ``Rulebook.leave`` writes the belongings back; a system overrides it only to save more. Every
change is one common event, ``BelongingsChanged``.

>>> trade = Trade(find=lambda id, library: library[id], price=lambda found, count: found * count,
...               owning="demo.gear.owning", prices="demo.gear.prices")
>>> [process.name for process in trading(trade)]
['demo.buy', 'demo.sell', 'demo.earn', 'demo.pay', 'demo.gain', 'demo.lose', 'demo.give', 'demo.drop', 'demo.take_up']
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Annotated, Any, NamedTuple, TypeAlias

from tablewright.engine import Param, Process, process
from tablewright.errors import IllegalActionError, InvalidInputError, refuse
from tablewright.game.character import belongings as goods
from tablewright.game.character.belongings import Belongings
from tablewright.game.content.library import Library
from tablewright.game.play.actions import Refusal
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.play.loose_items import nearest_lying
from tablewright.game.play.time_passage import Living, Who
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem, Participant, Scene

Amount: TypeAlias = int | Fraction

MOST_COUNT = 10_000
ItemId: TypeAlias = Annotated[str, Param("the item, by its id")]
Count: TypeAlias = Annotated[int, Param("how many", 1, MOST_COUNT)]


class Money(NamedTuple):
    """An amount of money as people write it: a number, and a currency where it is not the usual one.

    >>> Money.parse("2.5"), Money.parse("12 gold")
    (Money(amount=Fraction(5, 2), currency=''), Money(amount=Fraction(12, 1), currency='gold'))
    """

    amount: Fraction
    currency: str = ""

    @staticmethod
    def parse(text: str) -> Money:
        """Parse `12`, `2.5`, `1/4` or `3 copper`."""
        found = _NOTATION.match(text.lower())
        if found is None:
            raise InvalidInputError(f'"{text[:40]}" is not an amount of money; write 12, 2.5 or 3 copper')
        return Money(Fraction(found[1]), found[2])

    def json_text(self) -> str:
        """The amount in its notation."""
        return str(self)

    def __str__(self) -> str:
        return f"{in_figures(self.amount)} {self.currency}".strip()


_NOTATION = re.compile(r"\s*([0-9]{1,9}(?:\.[0-9]{1,6}|/[1-9][0-9]{0,3})?)\s*([a-z_]{0,40})\s*\Z")


def in_figures(amount: Amount) -> str:
    """Format an amount of money: decimals up to two places, otherwise a fraction.

    >>> in_figures(Fraction(5, 2)), in_figures(10), in_figures(Fraction(1, 3))
    ('2.5', '10', '1/3')
    """
    cents = Fraction(amount) * 100
    if cents.denominator != 1:
        return str(amount)
    whole, rest = divmod(int(cents), 100)
    return f"{whole}.{rest:02d}".rstrip("0").rstrip(".") if rest else str(whole)


class Loading(NamedTuple):
    """Ammunition of a weapon and the number of pieces it holds."""

    ammunition: str
    capacity: int = 1


def _into_the_pack(belongings: Belongings, item: str, count: int, library: Any) -> Belongings:
    return goods.add_item(belongings, item, count)


def _bundle(found: Any) -> int:
    return int(getattr(found, "bundle", 1))


def _no_currency(name: str, library: Any) -> Amount:
    raise InvalidInputError(f'there is no currency "{name:.40}" here; give the amount alone')


@dataclass(frozen=True, slots=True, kw_only=True)
class Trade:
    """Declaration of a system's trade; its functions raise `IllegalActionError` for breaches of the rules.

    ``find`` returns the content entry of an item id. ``price`` returns the price of a number of items and refuses items
    not for sale (default: by ``price`` and ``bundle`` of the entry). ``put`` adds new items to belongings where they
    belong. ``lot`` is the number of items sold together.
    ``purse`` is the character's money field, ``currency`` the value of a named coin, ``sells_for`` the fraction of the
    price paid to a seller (rounded down where the purse holds whole numbers). ``keeps`` says why a participant cannot
    be looted; ``loads`` says what a weapon is loaded with. Without these two there is no such process.

    Rules: ``owning`` for having, giving and taking; ``prices`` for buying, with further rules in ``bought``; and
    ``selling``, ``paying`` and ``loading`` where the book has them.
    """

    find: Callable[[str, Any], Any]
    price: Callable[[Any, int], Amount] | None = None
    owning: str
    prices: str
    selling: str = ""
    paying: str = ""
    loading: str = ""
    bought: tuple[str, ...] = ()
    purse: str = "money"
    sells_for: Fraction = Fraction(1, 2)
    put: Callable[[Belongings, str, int, Any], Belongings] = _into_the_pack
    lot: Callable[[Any], int] = _bundle
    currency: Callable[[str, Any], Amount] = _no_currency
    keeps: Callable[[Participant], Refusal | None] | None = None
    loads: Callable[[Any], Loading | None] | None = None

    def price_of(self, found: Any, count: int) -> Amount:
        """Price of a number of items; an item without a price is refused."""
        if self.price is not None:
            return self.price(found, count)
        if found.price is None:
            raise IllegalActionError(f"{found.name} is not for sale", rule=self.prices)
        return Fraction(found.price * count, found.bundle)

    def worth(self, money: Money, library: Library) -> Fraction:
        """Convert an amount of money to units of the purse."""
        return money.amount * (self.currency(money.currency, library) if money.currency else 1)

    def money_of(self, participant: Participant) -> Amount:
        """Money in the participant's purse."""
        found: Amount = getattr(participant.character, self.purse)
        return found

    def after_paying(self, participant: Participant, price: Amount, what: str) -> Amount:
        """Money left after paying; refuses if there is not enough."""
        money = self.money_of(participant)
        if price > money:
            bill = f"{what} costs {in_figures(price)} and {participant.name} has {in_figures(money)}"
            raise IllegalActionError(bill, rule=self.prices)
        return money - price

    def change(
        self, game: Game, who: str, what: str, belongings: Belongings, money: Amount | None = None, *, cause: str
    ) -> None:
        """Emit new belongings and, if given, new money for a participant, with a reason in a few words."""
        had = self.money_of(game[who])
        if isinstance(had, int) and isinstance(money, Fraction):
            if money.denominator != 1:
                raise IllegalActionError(f"{in_figures(money)} is not a whole number of {self.purse}", rule=cause)
            money = int(money)
        paid = None if money is None else had - money
        game.emit(
            BelongingsChanged(
                who=who, what=what, belongings=belongings, money=money, purse=self.purse, paid=paid, cause=cause
            )
        )


def after_trade(scene: Scene, event: BelongingsChanged, before: Belongings) -> Scene:
    """Set ``traded`` once a participant gains items or its money changes; the creation budget then no longer applies.

    Only for systems whose characters have a field ``traded``.
    """
    participant, has = scene[event.who], event.belongings
    got = any(goods.count_of(has, one.item) > goods.count_of(before, one.item) for one in has)
    if participant.character.traded or not (got or event.money is not None):
        return scene
    return scene.with_participant(evolve(participant, character=participant.character.changed(traded=True)))


def some(found: Any, count: int) -> str:
    """Count and name of an item in words."""
    return str(found.name) if count == 1 else f"{count} {found.name}"


def trading(trade: Trade) -> tuple[Process[..., Any], ...]:
    """Build the trade processes of a system."""
    made = [*_with_money(trade), *_without_money(trade)]
    if trade.keeps is not None:
        made.append(_looting(trade, trade.keeps))
    if trade.loads is not None:
        made.append(_loading(trade, trade.loads))
    return tuple(made)


# ---------------------------------------------------------------------- money


def _with_money(trade: Trade) -> list[Process[..., Any]]:
    selling, paying = trade.selling or trade.prices, trade.paying or trade.prices

    @process(rules=[trade.prices, *trade.bought])
    async def buy(
        game: Game,
        who: Living,
        item: ItemId,
        count: Annotated[int | None, Param("how many; none for as many as are sold together", 1, MOST_COUNT)] = None,
    ) -> None:
        """Buy an item for its listed price; it goes where it belongs if there is room."""
        library = game.scene.library
        found = trade.find(item, library)
        number = trade.lot(found) if count is None else count
        left = trade.after_paying(game[who], trade.price_of(found, number), some(found, number))
        got = trade.put(game[who].belongings, item, number, library)
        trade.change(game, who, f"buys {some(found, number)}", got, left, cause=trade.prices)

    @process(rules=[selling])
    async def sell(
        game: Game,
        who: Living,
        item: ItemId,
        count: Count = 1,
        price: Annotated[Money | None, Param("for each; none for the usual part of the listed price")] = None,
    ) -> None:
        """Sell an item for the usual part of its listed price, or for an agreed price."""
        library = game.scene.library
        found = trade.find(item, library)
        money = trade.money_of(game[who])
        gain = trade.price_of(found, count) * trade.sells_for if price is None else trade.worth(price, library) * count
        kept = goods.remove_item(game[who].belongings, item, count, rule=selling)
        money += floor(gain) if price is None and isinstance(money, int) else gain
        trade.change(game, who, f"sells {some(found, count)}", kept, money, cause=selling)

    @process(rules=[paying])
    async def earn(game: Game, who: Who, amount: Annotated[Money, Param("how much, such as 12 or 3 copper")]) -> None:
        """Receive money: a reward, wages, a find."""
        money = trade.money_of(game[who]) + trade.worth(amount, game.scene.library)
        trade.change(game, who, f"gets {amount}", game[who].belongings, money, cause=paying)

    @process(rules=[paying])
    async def pay(game: Game, who: Living, amount: Annotated[Money, Param("how much, such as 12 or 3 copper")]) -> None:
        """Pay for anything that is not an item: a room, a bribe, a ferry."""
        left = trade.after_paying(game[who], trade.worth(amount, game.scene.library), "it")
        trade.change(game, who, f"pays {amount}", game[who].belongings, left, cause=paying)

    return [buy, sell, earn, pay]


# ---------------------------------------------------------------------- without money


def _without_money(trade: Trade) -> list[Process[..., Any]]:
    owning = trade.owning

    @process(rules=[owning])
    async def gain(game: Game, who: Who, item: ItemId, count: Count = 1) -> None:
        """Receive an item for free: a find, a gift of the game master."""
        library = game.scene.library
        got = trade.put(game[who].belongings, item, count, library)
        trade.change(game, who, f"gets {some(trade.find(item, library), count)}", got, cause=owning)

    @process(rules=[owning])
    async def lose(game: Game, who: Who, item: ItemId, count: Count = 1) -> None:
        """Lose an item for good, or use it up."""
        found = trade.find(item, game.scene.library)
        kept = goods.remove_item(game[who].belongings, item, count, rule=owning)
        trade.change(game, who, f"loses {some(found, count)}", kept, cause=owning)

    @process(rules=[owning])
    async def give(
        game: Game, who: Living, to: Annotated[str, Param("the id of who gets it")], item: ItemId, count: Count = 1
    ) -> None:
        """Give an item to another participant."""
        _hand_over(trade, game, (game[who].id, game[to].id), item, count)

    @process(rules=[owning])
    async def drop(game: Game, who: Living, item: ItemId) -> None:
        """Put an item on the ground, where anyone can pick it up."""
        found = trade.find(item, game.scene.library)
        mine = game[who].belongings
        kept = goods.remove_item(mine, item, rule=owning)
        held = next(one for one in mine if one.item == item)
        lies = LooseItem(item, who, held.left, game[who].position)
        what = f"drops {found.name}"
        game.emit(BelongingsChanged(who=who, what=what, belongings=kept, laid_down=(lies,), cause=owning))

    @process(rules=[owning])
    async def take_up(game: Game, who: Living, item: ItemId) -> None:
        """Pick up an item from the ground nearby."""
        found = trade.find(item, game.scene.library)
        lies = nearest_lying(game.scene, who, item)
        if lies is None:
            raise IllegalActionError(f"no {found.name} lies within {game.scene.display_name(who)}'s reach", rule=owning)
        got = goods.add_item(game[who].belongings, item, left=lies.left)
        what = f"takes up {found.name}"
        game.emit(BelongingsChanged(who=who, what=what, belongings=got, taken_up=(lies,), cause=owning))

    return [gain, lose, give, drop, take_up]


def _hand_over(trade: Trade, game: Game, between: tuple[str, str], item: str, count: int) -> None:
    giver, taker = between
    if giver == taker:
        raise IllegalActionError(f"{giver} has it already", rule=trade.owning)
    found, mine, theirs = trade.find(item, game.scene.library), game[giver].belongings, game[taker].belongings
    kept, got = goods.transfer(mine, theirs, item, count, rule=trade.owning)
    trade.change(game, giver, f"gives {some(found, count)} to {taker}", kept, cause=trade.owning)
    trade.change(game, taker, f"gets {some(found, count)} from {giver}", got, cause=trade.owning)


def _looting(trade: Trade, keeps: Callable[[Participant], Refusal | None]) -> Process[..., Any]:
    paying = trade.paying or trade.prices

    @process(rules=[trade.owning])
    async def loot(
        game: Game,
        who: Living,
        fallen: Annotated[str, Param("the id of who lies there")],
        item: Annotated[str, Param("the item, by its id; empty for everything and the money")] = "",
        count: Count = 1,
    ) -> None:
        """Take an item, or everything, from a participant who cannot object."""
        fallen = game[fallen].id
        if who == fallen:
            raise IllegalActionError(f"{game.scene.display_name(who)} has it already", rule=trade.owning)
        refuse(keeps(game[fallen]))
        if item:
            _hand_over(trade, game, (fallen, who), item, count)
            return
        for carried in game[fallen].belongings:
            _hand_over(trade, game, (fallen, who), carried.item, carried.count)
        money = trade.money_of(game[fallen])
        if money:
            both = trade.money_of(game[who]) + money
            trade.change(game, fallen, "has lost the money", game[fallen].belongings, money - money, cause=paying)
            trade.change(game, who, f"takes {in_figures(money)}", game[who].belongings, both, cause=paying)

    return loot


# ---------------------------------------------------------------------- ammunition


def _loading(trade: Trade, loads: Callable[[Any], Loading | None]) -> Process[..., Any]:
    rule = trade.loading or trade.owning

    @process(rules=[rule])
    async def load(game: Game, who: Living, weapon: Annotated[str, Param("the weapon, by its id")]) -> None:
        """Load a weapon in advance with one piece of its ammunition."""
        found = trade.find(weapon, game.scene.library)
        loading = loads(found)
        if loading is None:
            raise IllegalActionError(f"{found.name} is not loaded beforehand", rule=rule)
        mine = game[who].belongings
        loaded = goods.load(mine, weapon, loading.ammunition, capacity=loading.capacity, rule=rule)
        trade.change(game, who, f"loads {found.name}", loaded, cause=rule)

    return load
