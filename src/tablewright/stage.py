"""Mechanics of The Stage as typed functions; the stub beside this file holds their signatures."""

from tablewright.api.mechanics import lazy_mechanics

__getattr__, __dir__ = lazy_mechanics(__name__)
