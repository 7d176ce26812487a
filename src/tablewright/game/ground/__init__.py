"""Ground: where everybody stands and what distance means. One value, four kinds, the same questions to each.

A `Grid` of squares or cubes, `Zones` with ways between them, `Bands` of range between spots, and `Together`, where
everyone is in reach of everyone. Cover and sight are not computed: they are `Facts` that the game master sets.

>>> yard = Grid(diagonal="one_and_a_half", size=(12, 8), blocked=(cell(3, 0), cell(3, 1)))
>>> yard.distance(cell(0, 0), cell(2, 3))
4
>>> print(yard.path(cell(2, 0), cell(4, 0)))
2,0 > 2,1 > 3,2 > 4,1 > 4,0 (5)
>>> read_ground(yard.to_json()) == yard
True
"""

from __future__ import annotations

from tablewright.game.ground.facts import ANYONE, Fact, Facts
from tablewright.game.ground.grid import COMPASS, Diagonal, Grid
from tablewright.game.ground.places import HERE, Band, Bands, Link, Together, Zones, spot, zone
from tablewright.game.ground.position import WALK, Exact, Ground, Path, Position, Walk, WrongGround, cell
from tablewright.game.ground.reading import read_ground

__all__ = [
    "ANYONE",
    "COMPASS",
    "HERE",
    "WALK",
    "Band",
    "Bands",
    "Diagonal",
    "Exact",
    "Fact",
    "Facts",
    "Grid",
    "Ground",
    "Link",
    "Path",
    "Position",
    "Together",
    "Walk",
    "WrongGround",
    "Zones",
    "cell",
    "read_ground",
    "spot",
    "zone",
]
