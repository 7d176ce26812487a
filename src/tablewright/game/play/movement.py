"""Movement: places that count, and the question for a destination."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tablewright.engine import choose
from tablewright.game.ground.bands import Together
from tablewright.game.ground.position import Position
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene


def has_place(scene: Scene, who: str) -> bool:
    """True if it counts where a participant is: not on ground where all are together."""
    return scene[who].position is not None and not isinstance(scene.ground, Together)


async def ask_destination(
    game: Game,
    who: str,
    find: Callable[[], Iterable[Position]],
    *,
    question: str = "where to?",
    label: str = "To {}",
    cost: Callable[[Position], str] | None = None,
    stay: ActionUse | None = None,
) -> Position | None:
    """Ask a participant where to go; None for ``stay``, the default where given, or if no place is left.

    ``find`` returns the places in the present scene; it is called again if something else happens meanwhile.
    """

    def offers() -> list[ActionUse]:
        price = cost or (lambda at: "")
        uses = [ActionUse("destination", None, str(at), label.format(at), price(at)) for at in find()]
        return uses if stay is None else [stay, *uses]

    taken = await choose(game.seat(who), question, offers, details={"who": who}, lapse=stay)
    return None if taken is None or taken == stay else game.scene.ground.parse(str(taken.detail))


async def ask_place(
    game: Game, who: str, places: Iterable[Position | str], about: dict[str, str], *, last: bool = False
) -> Position:
    """Ask for one of some places by their texts; the default is the first, or the ``last``."""
    names = [str(at) for at in places]
    chosen = await choose(game.seat(who), "where to?", names, details=about, default=names[-1 if last else 0])
    return game.scene.ground.parse(chosen)
