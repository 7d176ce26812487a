"""Ground: positions of participants and distances between them, in four kinds with one interface.

`Grid` has squares or cubes, `Zones` have links between them, `Bands` have ranges between spots, and on `Together`
everyone is in reach of everyone. Cover and sight are not computed: they are `Facts` that the game master sets.

>>> from tablewright.game.ground.grid import Grid
>>> from tablewright.game.ground.position import cell
>>> from tablewright.game.ground.parser import read_ground
>>> yard = Grid(diagonal="one_and_a_half", size=(12, 8), blocked=(cell(3, 0), cell(3, 1)))
>>> yard.distance(cell(0, 0), cell(2, 3))
4
>>> print(yard.path(cell(2, 0), cell(4, 0)))
2,0 > 2,1 > 3,2 > 4,1 > 4,0 (5)
>>> read_ground(yard.to_json()) == yard
True
"""
