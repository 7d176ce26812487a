"""What a seat may know of who is here: scenes without the others, and refusals that do not name them.

Whoever names somebody they do not know of is told just what they would be told if there was nobody of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tablewright.dice import Dice
from tablewright.engine import Choose, Playing
from tablewright.errors import RulesSayNo, TablewrightError
from tablewright.game.projection import as_offered, secret_words
from tablewright.game.rulebook import Rulebook
from tablewright.game.scene import Live, NobodyHere, Participant, Scene
from tablewright.table.campaign import Seat
from tablewright.table.sitting import Sitting

MOST_TRIED = 60
"""How many answers are supposed when a process is tried out."""


def texts_in(given: Any) -> list[str]:
    """Every single value in plain data as text, the names of values too."""
    found: list[str] = []
    stack = [given]
    while stack:
        one = stack.pop()
        if isinstance(one, Mapping):
            stack += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple):
            stack += one
        else:
            found.append(str(one))
    return found


def secrets_of(sitting: Sitting, seat: Seat) -> frozenset[str]:
    """The words of the open scene that a seat must not read: whom it does not know of, and where they stand."""
    return frozenset() if seat.role == "gm" else secret_words(sitting.session.scene, seat.viewer)


def check_offered(sitting: Sitting, seat: Seat, option: str) -> None:
    """Refuse an option that a seat is not offered, in the words in which one that is not there is refused."""
    question, secret = sitting.session.question, secrets_of(sitting, seat)
    if not secret or not isinstance(question, Choose):
        return
    offered = as_offered(question, secret)
    if offered is None:
        raise RulesSayNo("the game master has to answer this")
    offered.option(option)


# ---------------------------------------------------------------------- refusals


@contextmanager
def as_told_to(sitting: Sitting, seat: Seat, said: Any = None) -> Iterator[None]:
    """Whatever is refused in here is refused without naming anybody whom the seat may not know of.

    What the seat ``said`` itself is no secret: it is repeated to them whether somebody is called so or not.
    """
    try:
        yield
    except TablewrightError as error:
        unknown = [] if seat.role == "gm" or not sitting.has_scene else _unknown(sitting, seat)
        if not unknown:
            raise
        texts = texts_in(said)
        unsaid = [one for one in unknown if not any(_names(one, text) for text in texts)]
        if isinstance(error, NobodyHere) and error.who not in [one.id for one in unsaid]:
            raise NobodyHere(error.who, [one.id for one in _known(sitting, seat)]) from None
        if any(_names(one, str(error)) for one in unsaid):
            raise RulesSayNo("this cannot be done now") from None
        raise


def _known(sitting: Sitting, seat: Seat) -> tuple[Participant, ...]:
    return sitting.session.scene.known_to(seat.viewer).participants


def _unknown(sitting: Sitting, seat: Seat) -> list[Participant]:
    """Those in the open scene whom a seat may not know of."""
    scene = sitting.session.scene
    return [one for one in scene.participants if not scene.knows_of(seat.viewer, one.id)]


def _names(one: Participant, text: str) -> bool:
    """Whether a text has somebody's id or name in it."""
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) for name in (one.id, one.name))


# ---------------------------------------------------------------------- trying out


def check_named(book: Rulebook, scene: Scene, process: str, arguments: Mapping[str, Any]) -> None:
    """Refuse a process that cannot be started in a scene, or that comes to name somebody who is not there.

    It is tried out apart from the table: dice and choices come out somehow, and nobody hears of it.
    """
    live = Live(scene, book)
    rule = book.process(process).read(live, arguments)
    is_begun = False
    try:
        playing: Playing[Any] = Playing(rule, live.log)
        is_begun = True
        for number in range(MOST_TRIED):
            question = playing.question
            if question is None:
                return
            if isinstance(question, Choose):
                playing.choose(question.default)
            else:
                playing.roll(Dice(0, "tried out", 0, number))
    except NobodyHere as error:
        if any(error.who in text for text in texts_in(arguments)):
            raise
    except TablewrightError:
        if not is_begun:
            raise  # later on it may be for the answers that were supposed
