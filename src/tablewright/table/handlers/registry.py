"""Registry of command handlers: who may give a command, and the function that executes it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar

from tablewright.table import commands as given
from tablewright.table.campaign import (
    Seat,
)
from tablewright.table.errors import GAME_MASTERS, ONLY_WATCH, ForbiddenError
from tablewright.table.loaded_campaign import LoadedCampaign
from tablewright.table.secrecy import as_told_to

BESIDE = (given.AddCharacter, given.Say, given.Throw, given.WriteNote, given.RemoveNote, given.RenameSeat)
"""Commands outside the scene; their refusals never concern its participants."""


C = TypeVar("C", bound=given.Command)


Do = Callable[[LoadedCampaign, Seat, Any], None]
_handlers: dict[type[given.Command], tuple[Do, str, Do | None]] = {}


def handles(kind: type[C], who: str, *, check: Do | None = None) -> Callable[[Do], Do]:
    """Declare the handler of a command and who may give it: ``gm``, ``player`` (and the game master) or ``anyone``.

    ``check`` refuses commands of players from what their seat knows, before errors are cut to what it may see.
    """

    def declare(function: Do) -> Do:
        _handlers[kind] = (function, who, check)
        return function

    return declare


def execute(sitting: LoadedCampaign, seat: Seat, command: given.Command) -> None:
    """Execute a command of a seat or refuse it; a refusal names nothing that the seat may not know."""
    function, who, check = _handlers[type(command)]
    allowed = {"gm": ("gm",), "player": ("gm", "player"), "anyone": ("gm", "player", "spectator")}[who]
    if seat.role not in allowed:
        raise ForbiddenError(GAME_MASTERS if who == "gm" else ONLY_WATCH)
    if check is not None and seat.role != "gm":
        check(sitting, seat, command)
    with nullcontext() if isinstance(command, BESIDE) else as_told_to(sitting, seat, command.model_dump()):
        function(sitting, seat, command)
