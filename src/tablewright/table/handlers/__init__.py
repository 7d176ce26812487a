"""Handlers of commands; importing this package registers all of them."""

from tablewright.table.handlers import (
    characters,
    encounters,
    handouts,
    history,
    notes,
    pictures,
    play,
    seats,
    settings,
    talk,
)

__all__ = ["characters", "encounters", "handouts", "history", "notes", "pictures", "play", "seats", "settings", "talk"]
