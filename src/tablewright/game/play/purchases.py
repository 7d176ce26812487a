"""Spending of earned points: one purchase after the other until the player stops, and taking the last one back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from tablewright.engine import Choice, ClosedOption, Process, Roll, choose, process
from tablewright.errors import IllegalActionError
from tablewright.game.character.creation import CreationOption
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.play.time_passage import AtLeisure
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene

KEEP_THE_REST = CreationOption("done", "Done", note="keep the rest")
PURCHASE = "purchase"
"""Kind of the question that offers purchases, in its details."""


async def buy_step_by_step(
    game: Game,
    who: str,
    left: Callable[[], str],
    purchases: Callable[[], Iterable[CreationOption | ClosedOption]],
    buy: Callable[[Any], Awaitable[None]],
) -> None:
    """Offer purchases until the player stops; ``left`` gives the remaining budget in words, such as "4 experience".

    The default answer buys nothing. Others may know who is choosing, unless the character is hidden.
    """
    details = {"who": who, "kind": PURCHASE} | ({} if game[who].hidden else {"open": True})
    while True:
        taken = await choose(
            game.seat(who),
            f"spend {left()} on what?",
            lambda: [*purchases(), KEEP_THE_REST],
            default=KEEP_THE_REST,
            details=details | {"budget": left()},
        )
        if taken.id == KEEP_THE_REST.id:
            return
        await buy(taken)


def is_purchase(question: Choice[Any] | Roll[Any] | None) -> bool:
    """True if a question offers purchases."""
    return isinstance(question, Choice) and question.details.get("kind") == PURCHASE


class Record(Protocol):
    """Function that records a changed character."""

    def __call__(self, game: Game, who: str, what: str, character: Any, *, cause: str) -> None: ...


def record_change(game: Game, who: str, what: str, character: Any, *, cause: str) -> None:
    """Record a changed character as an event."""
    game.emit(CharacterChanged(who=who, what=what, character=character, cause=cause))


def _nothing(game: Game, who: str, last: Any) -> None:
    """Nothing more to check or to do."""


@dataclass(frozen=True, kw_only=True)
class Advancement:
    """Purchases of a system with earned points; a character lists them in `advances`.

    ``points`` is the name of the points, ``returned`` their name in the sentence that they come back (empty: no such
    sentence), and ``left`` how many a participant has. ``offers`` are the purchases, open and
    closed, and ``buy`` makes one of them. ``lower`` gives the character as it was before the last purchase. Purchases
    stay once the character's counter of ``period`` has moved on, such as with the next award; ``keeps`` may refuse to
    take others back. ``taken_back`` follows a purchase that was. ``rules`` are cited by spending besides ``rule``.
    """

    rule: str
    rules: tuple[str, ...] = ()
    points: str
    returned: str = ""
    left: Callable[[Scene, str], int]
    offers: Callable[[Scene, str], Iterable[CreationOption | ClosedOption]]
    buy: Callable[[Game, str, Any], Awaitable[None]]
    lower: Callable[[Scene, Any, Any], Any]
    period: str = "award"
    counter: str = "opportunity"
    keeps: Callable[[Game, str, Any], None] = _nothing
    taken_back: Callable[[Game, str, Any], None] = _nothing
    record: Record = record_change


def purchasing(by: Advancement) -> tuple[Process[..., Any], Process[..., Any]]:
    """Build the processes of a system that spend points and take the last purchase back."""

    @process(rules=[by.rule])
    async def step_back(game: Game, who: AtLeisure) -> None:
        """Take back the last thing that was bought; its points come back."""
        character = game[who].character
        if not character.advances:
            raise IllegalActionError(f"{game.scene.display_name(who)} has bought nothing yet", rule=by.rule)
        last = character.advances[-1]
        name = last.name or last.what
        if by.counter and getattr(last, by.counter) != getattr(character, by.counter):
            raise IllegalActionError(f"{name} was bought before the last {by.period}; it stays", rule=by.rule)
        by.keeps(game, who, last)
        words = f"{name} taken back" + (f", {last.cost} {by.returned} returned" if by.returned else "")
        by.record(game, who, words, by.lower(game.scene, character, last), cause=by.rule)
        by.taken_back(game, who, last)

    @process(rules=[by.rule, *by.rules])
    async def spend(game: Game, who: AtLeisure) -> None:
        """Spend points step by step: all that can be bought is shown with its cost, the rest with the reason."""
        await buy_step_by_step(
            game,
            who,
            lambda: f"{by.left(game.scene, who)} {by.points}",
            lambda: by.offers(game.scene, who),
            lambda taken: by.buy(game, who, taken),
        )

    return step_back, spend
