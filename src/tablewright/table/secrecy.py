"""Secrecy: the participants and content that a seat may know, and error messages that name no others.

A seat that names a hidden participant gets the same error as for a name that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from tablewright.dice import SeededDice
from tablewright.engine import Choice, Playthrough
from tablewright.errors import IllegalActionError, TablewrightError
from tablewright.game.content.entries import ContentEntry
from tablewright.game.content.library import Library
from tablewright.game.narration.projection import as_offered, names_any, secret_words
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene, UnknownParticipantError
from tablewright.game.session.processes import find_process
from tablewright.game.system.registry import load_system
from tablewright.game.system.rulebook import Rulebook
from tablewright.table import scenes
from tablewright.table.campaign import Seat
from tablewright.table.loaded_campaign import LoadedCampaign
from tablewright.table.scenes import Same, texts_in

R = TypeVar("R")

MOST_TRIED = 60
"""Upper bound for assumed answers in a trial run of a process."""


# ---------------------------------------------------------------------- content


def library_known_to(sitting: LoadedCampaign, seat: Seat) -> Library:
    """Content library that a seat may know: everything for the game master, else known packs and own entries."""
    campaign = sitting.campaign
    system, packs = load_system(campaign.system), campaign.play.packs
    if seat.role == "gm" or all(pack.known for pack in packs):
        return scenes.library_for(system, packs)
    own = [who for who in campaign.play.characters if seat.role == "player" and campaign.owner(who) == seat.id]
    sheets = [sitting.campaign.play.characters[who].character for who in own]
    if sitting.has_scene:
        here = sitting.session.scene
        sheets += [sitting.session.rulebook.export_character(here, who).to_json() for who in own if who in here]
    texts = {text for sheet in sheets for text in texts_in({name: sheet[name] for name in sheet if name != "name"})}
    return scenes.library_without(system, packs, frozenset(texts))


def _content_words(sitting: LoadedCampaign, seat: Seat) -> frozenset[str]:
    """Ids and names in packs hidden from a seat, without those that the seat knows from elsewhere."""
    campaign = sitting.campaign
    if seat.role == "gm" or all(pack.known for pack in campaign.play.packs):
        return frozenset()
    known = library_known_to(sitting, seat)
    words = _words_beyond(Same(known), Same(scenes.library_for(load_system(campaign.system), campaign.play.packs)))
    packs = {word.casefold() for pack in campaign.play.packs if not pack.known for word in (pack.id, pack.title)}
    people = [(value.id, value.name) for value in campaign.play.characters.values() if value.known]
    if sitting.has_scene:
        people += [(one.id, one.name) for one in _known(sitting, seat)]
    return (words | packs) - {word.casefold() for pair in people for word in pair}


@lru_cache(maxsize=64)
def _words_beyond(known: Same, whole: Same) -> frozenset[str]:
    familiar_places: dict[tuple[str, str], ContentEntry] = known.value.by_id
    beyond = [entry for place, entry in whole.value.by_id.items() if place not in familiar_places]
    familiar = {word.casefold() for entry in familiar_places.values() for word in (entry.id, entry.name)}
    return frozenset([word.casefold() for entry in beyond for word in (entry.id, entry.name)]) - familiar


def as_far_as_known(sitting: LoadedCampaign, seat: Seat, scene: Scene, said: Any, find: Callable[[Scene], R]) -> R:
    """Evaluate a function on a scene for a seat; its errors name no content hidden from the seat.

    If the seat itself ``said`` the name of hidden content, it gets the same error as for an unknown name.
    """
    secret = _content_words(sitting, seat)
    if not secret:
        return find(scene)
    people = tuple(
        [replace(participant) for participant in scene.participants]
    )  # copies: caches by identity must not share results
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
    raise IllegalActionError("this cannot be done now; choose something else")


def secrets_of(sitting: LoadedCampaign, seat: Seat) -> frozenset[str]:
    """Words hidden from a seat: unseen participants, their positions, and secret content."""
    if seat.role == "gm":
        return frozenset()
    people = secret_words(sitting.session.scene, seat.viewer) if sitting.has_scene else frozenset()
    return people | _content_words(sitting, seat)


def check_offered(sitting: LoadedCampaign, seat: Seat, option: str) -> None:
    """Refuse an option hidden from the seat, with the same error as for an unknown option."""
    question, secret = sitting.session.question, secrets_of(sitting, seat)
    if not secret or not isinstance(question, Choice):
        return
    offered = as_offered(question, secret)
    if offered is None:
        raise IllegalActionError("the game master has to answer this; wait until they do")
    offered.option(option)


# ---------------------------------------------------------------------- refusals


@contextmanager
def as_told_to(sitting: LoadedCampaign, seat: Seat, said: Any = None) -> Iterator[None]:
    """Context manager that strips hidden participants from error messages.

    Words that the seat ``said`` itself may be repeated, whether or not they name a participant.
    """
    try:
        yield
    except TablewrightError as error:
        words, texts = secrets_of(sitting, seat), texts_in(said)
        if not words:
            raise
        secret = frozenset([word for word in words if not _says(word, texts)])
        if isinstance(error, UnknownParticipantError) and sitting.has_scene and error.who.casefold() not in secret:
            raise UnknownParticipantError(error.who, [one.id for one in _known(sitting, seat)]) from None
        if names_any(secret, str(error)):
            raise IllegalActionError("this cannot be done now; choose something else") from None
        raise


def _says(word: str, texts: list[str]) -> bool:
    return names_any(frozenset([word]), *texts)


def _known(sitting: LoadedCampaign, seat: Seat) -> tuple[Participant, ...]:
    return sitting.session.scene.visible_to(seat.viewer).participants


# ---------------------------------------------------------------------- trial runs


def check_named(book: Rulebook, scene: Scene, process: str, arguments: Mapping[str, Any]) -> None:
    """Refuse a process that cannot start in a scene, or that names a participant who is not there.

    The check runs it apart from the table with arbitrary dice and default choices, and reports nothing.
    """
    live = Game(scene, book)
    rule = find_process(book, process).read(live, arguments)
    is_begun = False
    try:
        playing: Playthrough[Any] = Playthrough(rule, live.log)
        is_begun = True
        for number in range(MOST_TRIED):
            question = playing.question
            if question is None:
                return
            if isinstance(question, Choice):
                playing.choose(question.default)
            else:
                playing.roll(SeededDice(0, "tried out", 0, number))
    except UnknownParticipantError as error:
        if any(error.who in text for text in texts_in(arguments)):
            raise
    except TablewrightError:
        if not is_begun:
            raise  # a later failure may come from a guessed answer
