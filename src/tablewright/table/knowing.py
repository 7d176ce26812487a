"""What a seat may know of who is here and of the content: scenes without the rest, and refusals that do not name it.

Whoever names somebody they do not know of is told just what they would be told if there was nobody of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from tablewright.dice import Dice
from tablewright.engine import Choose, Playing
from tablewright.errors import RulesSayNo, TablewrightError
from tablewright.game.content import Entry, Library
from tablewright.game.projection import as_offered, names_any, secret_words
from tablewright.game.registry import load_system
from tablewright.game.rulebook import Rulebook
from tablewright.game.scene import Live, NobodyHere, Participant, Scene
from tablewright.table import scenes
from tablewright.table.campaign import Seat
from tablewright.table.scenes import Same, texts_in
from tablewright.table.sitting import Sitting

R = TypeVar("R")

MOST_TRIED = 60
"""How many answers are supposed when a process is tried out."""


# ---------------------------------------------------------------------- content


def library_known_to(sitting: Sitting, seat: Seat) -> Library:
    """The content that a seat may know of: all for the game master; for others known packs, and what is their own."""
    campaign = sitting.campaign
    system, packs = load_system(campaign.system), campaign.play.packs
    if seat.role == "gm" or all(pack.known for pack in packs):
        return scenes.library_for(system, packs)
    own = [who for who in campaign.play.characters if seat.role == "player" and campaign.owner(who) == seat.id]
    sheets = [sitting.campaign.play.characters[who].character for who in own]
    if sitting.has_scene:
        here = sitting.session.scene
        sheets += [sitting.session.book.leave(here, who).to_json() for who in own if who in here]
    texts = {text for sheet in sheets for text in texts_in({name: sheet[name] for name in sheet if name != "name"})}
    return scenes.library_without(system, packs, frozenset(texts))


def _content_words(sitting: Sitting, seat: Seat) -> frozenset[str]:
    """The ids and names in packs that a seat may not know of, unless it knows them from elsewhere."""
    campaign = sitting.campaign
    if seat.role == "gm" or all(pack.known for pack in campaign.play.packs):
        return frozenset()
    known = library_known_to(sitting, seat)
    words = _words_beyond(Same(known), Same(scenes.library_for(load_system(campaign.system), campaign.play.packs)))
    packs = {word.casefold() for pack in campaign.play.packs if not pack.known for word in (pack.id, pack.title)}
    people = [(one.id, one.name) for one in campaign.play.characters.values() if one.known]
    if sitting.has_scene:
        people += [(one.id, one.name) for one in _known(sitting, seat)]
    return (words | packs) - {word.casefold() for pair in people for word in pair}


@lru_cache(maxsize=64)
def _words_beyond(known: Same, whole: Same) -> frozenset[str]:
    familiar_places: dict[tuple[str, str], Entry] = known.value.by_id
    beyond = [entry for place, entry in whole.value.by_id.items() if place not in familiar_places]
    familiar = {word.casefold() for entry in familiar_places.values() for word in (entry.id, entry.name)}
    return frozenset([word.casefold() for entry in beyond for word in (entry.id, entry.name)]) - familiar


def as_far_as_known(sitting: Sitting, seat: Seat, scene: Scene, said: Any, find: Callable[[Scene], R]) -> R:
    """Find something out in a scene for a seat; whatever is refused of it names no content that the seat may not know.

    Where the seat ``said`` the name of such content, it is told what it would be told if there was no such thing.
    """
    secret = _content_words(sitting, seat)
    if not secret:
        return find(scene)
    people = tuple([replace(one) for one in scene.participants])  # nothing that is found out is remembered of them
    narrow = replace(scene, participants=people, library=library_known_to(sitting, seat))
    texts = texts_in(said)
    if names_any(secret, *texts):
        secret = frozenset([word for word in secret if not _says(word, texts)])
        scene = narrow
    try:
        return find(scene)
    except TablewrightError as error:
        if not names_any(secret, str(error)):
            raise
    try:
        return find(narrow)
    except TablewrightError as error:
        if not names_any(secret, str(error)):
            raise
    raise RulesSayNo("this cannot be done now")


def secrets_of(sitting: Sitting, seat: Seat) -> frozenset[str]:
    """The words that a seat must not read: whom it does not know of, where they stand, and secret content."""
    if seat.role == "gm":
        return frozenset()
    people = secret_words(sitting.session.scene, seat.viewer) if sitting.has_scene else frozenset()
    return people | _content_words(sitting, seat)


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
        words, texts = secrets_of(sitting, seat), texts_in(said)
        if not words:
            raise
        secret = frozenset([word for word in words if not _says(word, texts)])
        if isinstance(error, NobodyHere) and sitting.has_scene and error.who.casefold() not in secret:
            raise NobodyHere(error.who, [one.id for one in _known(sitting, seat)]) from None
        if names_any(secret, str(error)):
            raise RulesSayNo("this cannot be done now") from None
        raise


def _says(word: str, texts: list[str]) -> bool:
    return names_any(frozenset([word]), *texts)


def _known(sitting: Sitting, seat: Seat) -> tuple[Participant, ...]:
    return sitting.session.scene.known_to(seat.viewer).participants


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
