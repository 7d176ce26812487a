"""Handlers for notes."""

from __future__ import annotations

from tablewright.engine.request import EVERYONE
from tablewright.errors import IllegalActionError
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.table import commands as given
from tablewright.table import events as happened
from tablewright.table import scenes
from tablewright.table.campaign import (
    MOST_NOTES,
    MOST_NOTES_OF_PLAYER,
    Seat,
)
from tablewright.table.errors import NotFoundError
from tablewright.table.handlers.registry import handles
from tablewright.table.loaded_campaign import LoadedCampaign


@handles(given.WriteNote, "player")
def _write_note(sitting: LoadedCampaign, seat: Seat, command: given.WriteNote) -> None:
    notes = sitting.campaign.notes
    if command.id is not None:
        note = notes.get(command.id)
        if note is None or (note.by != seat.id and seat.role != "gm"):
            raise NotFoundError("you have no such note; it may have been deleted")
    elif len(notes) >= MOST_NOTES:
        raise IllegalActionError(f"a campaign has at most {MOST_NOTES:,} notes")
    own = len([value for value in notes.values() if value.by == seat.id])
    if command.id is None and seat.role != "gm" and own >= MOST_NOTES_OF_PLAYER:
        raise IllegalActionError(f"a player has at most {MOST_NOTES_OF_PLAYER:,} notes; remove or rewrite one")
    to = {"everyone": EVERYONE, "gm": GAME_MASTER}.get(command.to, seat.viewer)
    if command.to == "gm" and seat.role == "player":
        to = seat.viewer  # the writer sees it too; the game master sees everything
    id_ = command.id or scenes.new_id(sitting.campaign, "note", to, notes)
    sitting.add(happened.NoteWritten(note=id_, by=seat.id, text=command.text, to=to), seat.id)


@handles(given.RemoveNote, "player")
def _remove_note(sitting: LoadedCampaign, seat: Seat, command: given.RemoveNote) -> None:
    note = sitting.campaign.notes.get(command.id)
    if note is None or (note.by != seat.id and seat.role != "gm"):
        raise NotFoundError("you have no such note; it may have been deleted")
    sitting.add(happened.NoteRemoved(note=note.id, to=note.to), seat.id)
