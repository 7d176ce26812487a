"""Renaissance as a system."""

from __future__ import annotations

from tablewright.game.system import System

system = System(
    id="renaissance",
    title="Renaissance",
    summary="Percentile checks where the highest success wins, with wounds, trauma and luck.",
    version="0.1.0",
    package=__name__,
    status="building",
    mechanics=(),
)
