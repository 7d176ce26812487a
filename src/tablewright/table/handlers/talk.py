"""Handlers for table talk: speech, whispers, emotes, and the chat commands inside a text."""

from __future__ import annotations

import re

from tablewright.engine.request import EVERYONE
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.table import commands as given
from tablewright.table import events as happened
from tablewright.table.campaign import Campaign, Seat
from tablewright.table.errors import NO_SEAT, NOT_YOURS, NotFoundError
from tablewright.table.handlers.pictures import is_known_to_all, name_of
from tablewright.table.handlers.play import throw
from tablewright.table.handlers.registry import handles
from tablewright.table.loaded_campaign import LoadedCampaign
from tablewright.table.tokens import looks

CHAT_COMMANDS = ("/roll", "/me", "/w")
_SHORT = {"/r": "/roll", "/whisper": "/w", "/emote": "/me"}
_COMMAND = re.compile(r"(/\w+)(?:\s+(.*))?", re.DOTALL)


@handles(given.Say, "player")
def _say(sitting: LoadedCampaign, seat: Seat, command: given.Say) -> None:
    found = _COMMAND.fullmatch(command.text)
    if found is None:
        _speak(sitting, seat, command)
        return
    word, rest = found[1].lower(), (found[2] or "").strip()
    word = _SHORT.get(word, word)
    if word not in CHAT_COMMANDS:
        allowed = ", ".join(CHAT_COMMANDS)
        raise InvalidInputError(
            f'"{word:.20}" is not a chat command; allowed are {allowed}{did_you_mean(word, CHAT_COMMANDS)}',
            field="text",
        )
    if not rest:
        example = {"/roll": "/roll 2d6+1", "/me": "/me nods", "/w": "/w Anna follow me"}[word]
        raise InvalidInputError(f'"{word}" needs more, such as "{example}"', field="text")
    if word == "/roll":
        _roll(sitting, seat, command, rest)
    elif word == "/me":
        _speak(sitting, seat, command.model_copy(update={"text": rest, "emote": True}))
    else:
        reader, text = _addressed(sitting.campaign, rest)
        _speak(sitting, seat, command.model_copy(update={"text": text, "to": reader.id}))


def _roll(sitting: LoadedCampaign, seat: Seat, command: given.Say, dice: str) -> None:
    if command.to not in ("everyone", "gm"):
        raise InvalidInputError("dice are thrown for everyone or for the game master, not in a whisper", field="to")
    audience: given.Audience = "public" if command.to == "everyone" else "gm"
    if len(dice) > 200:
        raise InvalidInputError("dice in notation have at most 200 letters, such as 2d6+1", field="text")
    throw(sitting, seat, given.Throw(do="throw", dice=dice, audience=audience))


def _addressed(campaign: Campaign, text: str) -> tuple[Seat, str]:
    """Reader and text of a whisper that begins with the reader's name; the longest name that fits counts."""
    people = [value for value in campaign.seats.values() if value.takes_part and value.role != "spectator"]
    words = text.split(" ")
    for count in range(len(words) - 1, 0, -1):
        name = looks(" ".join(words[:count]))
        for one in people:
            if looks(one.name) == name:
                return one, " ".join(words[count:]).strip()
    names = [one.name for one in people]
    if any(looks(text) == looks(name) for name in names):
        raise InvalidInputError("nothing to whisper; write the text after the name", field="text")
    raise InvalidInputError(
        f'"{words[0]:.40}" is nobody at this table; there are: {", ".join(names)}{did_you_mean(words[0], names)}',
        field="text",
    )


def _speak(sitting: LoadedCampaign, seat: Seat, command: given.Say) -> None:
    reader = _reader(sitting.campaign, seat, command.to)
    name = "" if command.who is None else _voice(sitting, seat, command.who)
    if command.emote and command.who is None and seat.role == "player":
        own = [who for who in sitting.campaign.play.characters if sitting.campaign.owner(who) == seat.id]
        if len(own) == 1 and is_known_to_all(sitting, own[0]):
            name, command = sitting.campaign.play.characters[own[0]].name, command.model_copy(update={"who": own[0]})
    sitting.add(
        happened.Said(
            by=seat.id,
            text=command.text,
            who=command.who or "",
            name=name,
            seat="" if reader is None else reader.id,
            emote=command.emote,
            to=EVERYONE if reader is None else reader.viewer,
        ),
        seat.id,
    )


def _reader(campaign: Campaign, seat: Seat, to: str) -> Seat | None:
    """Reader of a whisper; None for everyone."""
    if to == "everyone":
        return None
    if to == "gm":
        found = next(
            (value for value in campaign.seats.values() if value.viewer == GAME_MASTER and value.takes_part), None
        )
    else:
        found = campaign.seats.get(to)
    if found is None or not found.takes_part:
        raise NotFoundError(NO_SEAT)
    if found.role == "spectator":
        raise IllegalActionError("spectators share one view; whisper to a player or to the game master", field="to")
    if found.id == seat.id:
        raise IllegalActionError("whisper to another seat; a note keeps what is for you alone", field="to")
    return found


def _voice(sitting: LoadedCampaign, seat: Seat, who: str) -> str:
    """Name of the character that a seat speaks as; hidden ones stay silent, because their name would give them away."""
    campaign = sitting.campaign
    is_own = seat.role == "gm" or (who in campaign.play.characters and campaign.owner(who) == seat.id)
    name = name_of(sitting, who)
    if name is None or not is_own:
        raise NotFoundError(NOT_YOURS)
    if not is_known_to_all(sitting, who):
        raise IllegalActionError(f"{name} is hidden from players; speak as yourself, or reveal the character first")
    return name
