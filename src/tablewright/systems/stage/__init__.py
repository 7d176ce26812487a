"""The Stage as a system."""

from __future__ import annotations

from tablewright.game.system import System

system = System(
    id="stage",
    title="The Stage",
    summary="Pools of six-sided dice split between hitting and effect, with powers and six tracks of harm.",
    version="0.1.0",
    package=__name__,
    status="building",
    mechanics=(),
)
