"""MARS as a system."""

from __future__ import annotations

from tablewright.game.system import System

system = System(
    id="mars",
    title="MARS",
    summary="Stats and skills as roll values against a difficulty, with degrees, maneuvers and concentration.",
    version="0.1.0",
    package=__name__,
    status="building",
    mechanics=(),
)
