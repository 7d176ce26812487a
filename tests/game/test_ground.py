"""Ground: distances and ways against brute force, and every text and JSON form there and back."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise, product
from math import sqrt
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_case import each_case
from tablewright.errors import InvalidInputError
from tablewright.game.ground.bands import HERE, Band, Bands, Together, spot
from tablewright.game.ground.facts import ANYONE, Facts
from tablewright.game.ground.grid import COMPASS, Diagonal, Grid
from tablewright.game.ground.parser import read_ground
from tablewright.game.ground.position import Exact, Ground, Position, Walk, WrongGroundError, cell
from tablewright.game.ground.zones import Link, Zones, zone

RULES: tuple[Diagonal, ...] = get_args(Diagonal)
SIDE = 6

cells = st.builds(cell, st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))
far_cells = st.builds(cell, st.integers(-9, 9), st.integers(-9, 9), st.integers(-3, 3))
factors = st.sampled_from([1, 2, 3, Fraction(3, 2)])
grids = st.builds(
    Grid,
    step=st.sampled_from([1, 2, Fraction(3, 2)]),
    diagonal=st.sampled_from(RULES),
    measure=st.sampled_from(["steps", "straight"]),
    size=st.just((SIDE, SIDE)),
    difficult=st.dictionaries(cells, factors, max_size=10).map(lambda table: tuple(table.items())),
    blocked=st.frozensets(cells, max_size=12).map(tuple),
    corners=st.booleans(),
    shared=st.booleans(),
)


def brute_costs(grid: Grid, start: Position, avoid: frozenset[Position]) -> dict[Position, Exact]:
    """The cheapest cost to every square by relaxing all steps until nothing changes (Bellman and Ford)."""
    assert grid.size is not None
    open_cells = [
        cell(x, y)
        for x, y in product(range(grid.size[0]), range(grid.size[1]))
        if cell(x, y) not in grid.blocked and cell(x, y) not in avoid
    ]
    factor = dict(grid.difficult)
    best: dict[tuple[Position, int], Exact] = {(start, 0): 0}
    changed = True
    while changed:
        changed = False
        for (at, odd), cost in list(best.items()):
            for dx, dy in COMPASS.values():
                to = cell(at.x + dx, at.y + dy)
                if to not in open_cells:
                    continue
                diagonal = dx != 0 and dy != 0
                if diagonal and not grid.corners and {cell(at.x, to.y), cell(to.x, at.y)} & set(grid.blocked):
                    continue
                turned = odd
                price: Exact = 1
                if diagonal:
                    if grid.diagonal == "none":
                        continue
                    if grid.diagonal == "alternating":
                        price, turned = 1 + odd, 1 - odd
                    else:
                        price = {"one": Fraction(1), "one_and_a_half": Fraction(3, 2), "two": Fraction(2)}[
                            grid.diagonal
                        ]
                total = cost + price * factor.get(to, 1) * grid.step
                if total < best.get((to, turned), total + 1):
                    best[to, turned] = total
                    changed = True
    costs: dict[Position, Exact] = {}
    for (at, _), cost in best.items():
        costs[at] = min(cost, costs.get(at, cost))
    return costs


@given(grids, cells, cells, st.frozensets(cells, max_size=4))
def test_paths_cost_what_brute_force_finds(
    grid: Grid, start: Position, goal: Position, others: frozenset[Position]
) -> None:
    others -= {start}
    costs = brute_costs(grid, start, others)
    path = grid.path(start, goal, Walk(avoid=others))
    if goal != start and goal not in costs:
        assert path is None
        return
    assert path is not None
    assert path.cost == costs[goal]
    assert path.steps[0] == start
    assert path.end == goal
    for at, to in pairwise(path.steps):
        assert to in grid.neighbours(at)
        assert to not in others
    assert grid.path(start, goal, Walk(avoid=others), budget=path.cost) == path
    if path.cost:
        assert grid.path(start, goal, Walk(avoid=others), budget=path.cost - Fraction(1, 100)) is None


@given(grids, cells, st.integers(0, 20), st.frozensets(cells, max_size=4), st.frozensets(cells, max_size=4))
def test_reachable_squares_are_those_of_brute_force(
    grid: Grid, start: Position, budget: int, others: frozenset[Position], friends: frozenset[Position]
) -> None:
    others -= {start}
    costs = brute_costs(grid, start, others)
    expected = {
        at: cost for at, cost in costs.items() if cost <= Fraction(budget, 2) and (at == start or at not in friends)
    }
    found = grid.reachable(start, Fraction(budget, 2), Walk(others, friends))
    assert found == expected
    assert list(found.values()) == sorted(found.values())


@given(grids, st.tuples(cells, cells), st.integers(0, 12), st.integers(0, 3), st.frozensets(cells, max_size=4))
def test_approach_goes_towards_the_nearest_square_in_reach(
    grid: Grid, ends_of_way: tuple[Position, Position], budget: int, reach: int, friends: frozenset[Position]
) -> None:
    start, goal = ends_of_way
    costs = brute_costs(grid, start, frozenset())
    ends = [
        cost for at, cost in costs.items() if grid.distance(at, goal) <= reach and (at == start or at not in friends)
    ]
    path = grid.approach(start, goal, budget, Walk(no_stop=friends), reach=reach)
    if not ends:
        assert path is None
        return
    assert path is not None
    assert path.cost <= budget
    assert path.end == start or path.end not in friends
    if min(ends) <= budget:
        assert path.cost == min(ends)
        assert grid.distance(path.end, goal) <= reach


@given(st.sampled_from(RULES), far_cells, far_cells)
def test_distance_is_the_cheapest_way_over_open_ground(rule: Diagonal, a: Position, b: Position) -> None:
    grid = Grid(diagonal=rule)
    path = grid.path(a, b, Walk(vertical=True))
    assert path is not None
    assert path.cost == grid.distance(a, b) == grid.steps(a, b) == grid.distance(b, a)
    assert Grid(diagonal=rule, step=Fraction(3, 2)).distance(a, b) == grid.distance(a, b) * Fraction(3, 2)


@given(grids, far_cells, far_cells, st.integers(0, 6))
def test_positions_within_reach_are_not_farther_than_it(grid: Grid, a: Position, b: Position, reach: int) -> None:
    near = Position(a.x + b.x % 8, a.y - b.y % 8, a.z)
    for there in (a, near, b):
        assert grid.within(a, there, reach) == (grid.distance(a, there) <= reach)
        assert Grid().within(a, there, reach) == (Grid().distance(a, there) <= reach)


@given(far_cells, far_cells)
def test_straight_distance_is_rounded_to_the_nearest_metre(a: Position, b: Position) -> None:
    length = sqrt(sum((p - q) ** 2 for p, q in zip(a.point, b.point, strict=True)))
    assert Grid(measure="straight").distance(a, b) == round(length)
    assert abs(Grid(measure="straight", step=10).distance(a, b) - 10 * length) <= Fraction(1, 2)


@given(far_cells, far_cells)
def test_a_line_is_the_same_from_both_ends_and_has_no_gaps(a: Position, b: Position) -> None:
    grid = Grid()
    line = grid.line(a, b)
    assert line[0] == a
    assert line[-1] == b
    assert line == grid.line(b, a)[::-1]
    assert len(line) == grid.distance(a, b) + 1
    assert all(grid.adjacent(p, q) for p, q in pairwise(line))


def test_the_figures_of_a_grid_with_diagonals_at_one_and_a_half() -> None:
    grid = Grid(diagonal="one_and_a_half", measure="straight")
    path = grid.path(cell(0, 0), cell(3, 3))
    assert path is not None
    assert path.cost == Fraction(9, 2)
    assert grid.path(cell(0, 0), cell(3, 3), budget=4) is None
    assert grid.distance(cell(0, 0), cell(3, 3)) == 4
    assert all(grid.within(cell(5, 5), at, 1) for at in grid.neighbours(cell(5, 5)))
    assert type(Grid(diagonal="one_and_a_half").distance(cell(0, 0), cell(2, 2))) is int


def test_scattering_lands_where_the_table_says() -> None:
    landed = [Grid().offset(cell(0, 0), "southeast", metres).x for metres in range(1, 11)]
    assert landed == [1, 1, 2, 3, 4, 4, 5, 6, 6, 7]
    assert Grid().offset(cell(2, 2), "west", 3) == cell(-1, 2)
    with pytest.raises(InvalidInputError, match='did you mean "north"'):
        Grid().offset(cell(0, 0), "nort", 1)


def test_only_exactly_opposite_squares_flank() -> None:
    grid, middle = Grid(), cell(5, 5)
    around = grid.neighbours(middle)
    assert len(around) == 8
    for a in around:
        assert [b for b in around if grid.opposite(middle, a, b)] == [cell(10 - a.x, 10 - a.y)]
    assert not grid.opposite(middle, middle, middle)
    assert not grid.opposite(middle, cell(4, 5), cell(7, 5))


def test_cubes_have_levels_and_are_shared() -> None:
    cubes = Grid(step=10, size=(4, 4, 2), shared=True)
    assert cubes.shares
    assert cubes.path(cell(0, 0), cell(0, 0, 1)) is None
    climb = cubes.path(cell(0, 0), cell(1, 1, 1), Walk(vertical=True))
    assert climb is not None
    assert climb.cost == 10
    assert len(cubes.neighbours(cell(1, 1), vertical=True)) == 17
    assert len(cubes.area(cell(1, 1), 10)) == 18
    assert cubes.trouble(cell(0, 0, 2)) is not None


def test_an_area_holds_every_square_within_the_radius() -> None:
    grid = Grid(diagonal="one_and_a_half", size=(20, 20))
    expected = [cell(x, y) for x, y in product(range(20), range(20)) if grid.distance(cell(10, 9), cell(x, y)) <= 3]
    assert list(grid.area(cell(10, 9), 3)) == expected
    with pytest.raises(InvalidInputError, match="too large"):
        Grid().area(cell(0, 0), 10_000)


def test_difficult_ground_can_be_ignored() -> None:
    grid = Grid(size=(3, 1), difficult=((cell(1, 0), 3),))
    on_foot, flying = grid.path(cell(0, 0), cell(2, 0)), grid.path(cell(0, 0), cell(2, 0), Walk(difficult=False))
    assert on_foot is not None
    assert flying is not None
    assert (on_foot.cost, flying.cost) == (4, 2)


def test_a_walled_goal_on_endless_ground_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablewright.game.ground.grid.MOST_VISITED", 5_000)
    walls = tuple(Grid().neighbours(cell(0, 0)))
    grid = Grid(blocked=walls)
    assert grid.path(cell(20, 0), cell(0, 0)) is None
    assert grid.approach(cell(20, 0), cell(0, 0), 5, reach=0) is None
    assert grid.approach(cell(20, 0), cell(0, 0), 5, reach=2) is not None
    far = Grid(blocked=(*walls, cell(9_000, 9_000)))
    with pytest.raises(InvalidInputError, match="give the grid a size"):
        far.path(cell(20, 0), cell(0, 0))


def test_a_way_around_on_endless_ground_is_found() -> None:
    grid = Grid(blocked=tuple(cell(1, y) for y in range(-10, 11)))
    path = grid.path(cell(0, 0), cell(2, 0))
    assert path is not None
    assert path.cost == 22


INN = Zones(
    ("hall", "stairs", "loft", "yard"),
    (Link("hall", "stairs"), Link("stairs", "loft", 2), Link("hall", "yard", Fraction(1, 2), passable=False)),
)


def test_zones() -> None:
    assert INN.distance(zone("loft"), zone("yard")) == Fraction(7, 2)
    assert INN.distance(zone("hall"), zone("hall")) == 0
    assert INN.neighbours(zone("hall")) == (zone("stairs"),)
    assert INN.path(zone("hall"), zone("yard")) is None
    assert INN.reachable(zone("hall"), 2) == {zone("hall"): 0, zone("stairs"): 1}
    assert INN.reachable(zone("hall"), 3, Walk(no_stop={zone("stairs")})) == {zone("hall"): 0, zone("loft"): 3}
    assert INN.path(zone("hall"), zone("loft"), Walk(avoid={zone("stairs")})) is None
    part = INN.approach(zone("hall"), zone("loft"), 2, reach=0)
    assert part is not None
    assert (part.end, part.cost) == (zone("stairs"), 1)
    assert INN.parse("hall") == INN.parse("zone:hall") == zone("hall")
    with pytest.raises(InvalidInputError, match='no zone "hal"; did you mean "hall"'):
        INN.parse("hal")
    with pytest.raises(InvalidInputError, match='there is no zone "attic"'):
        INN.distance(zone("hall"), zone("attic"))
    assert not INN.opposite(zone("hall"), zone("loft"), zone("stairs"))


def brute_zone_distance(zones: Zones, a: str, b: str) -> Exact:
    best: dict[str, Exact] = {a: 0}
    for _ in zones.names:
        for link in zones.links:
            for p, q in ((link.a, link.b), (link.b, link.a)):
                if p in best:
                    best[q] = min(best.get(q, 10**9), best[p] + link.steps)
    return best[b]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 5)), max_size=12))
def test_zone_distances_against_brute_force(extra: list[tuple[int, int, int]]) -> None:
    names = tuple("abcdefg")
    chain = [Link(names[n], names[n + 1], 4) for n in range(6)]
    more = [Link(names[a], names[b], steps) for a, b, steps in extra if a != b]
    zones = Zones(names, (*chain, *more))
    for a, b in product(names, names):
        assert zones.distance(zone(a), zone(b)) == brute_zone_distance(zones, a, b)
        path = zones.path(zone(a), zone(b))
        assert path is not None
        assert path.cost == zones.distance(zone(a), zone(b))


def test_bands() -> None:
    field = Bands((Band("touch", 2), Band("reach", 10), Band("see", 100)), usual="see")
    archers, wolf, rider = spot("archers"), spot("wolf"), spot("rider")
    nearer = field.put(archers, wolf, "reach")
    assert nearer.band(wolf, archers) == "reach"
    assert nearer.distance(archers, wolf) == 10
    assert nearer.band(wolf, rider) == "see"
    assert nearer.band(wolf, wolf) == "touch"
    assert nearer.put(wolf, archers, "see") == field
    assert nearer.within(archers, wolf, 10)
    assert not nearer.within(archers, wolf, 9)
    assert nearer.reachable(wolf, 10) == {wolf: 0, archers: 10}
    assert nearer.path(wolf, archers, budget=9) is None
    with pytest.raises(InvalidInputError, match='did you mean "touch"'):
        field.put(archers, wolf, "tuch")
    with pytest.raises(InvalidInputError, match="of itself"):
        field.put(wolf, wolf, "see")


def test_together() -> None:
    ground = Together()
    assert ground.distance(HERE, HERE) == 1
    assert ground.within(HERE, HERE, 0)
    assert ground.parse("3,4") == ground.parse("zone:gate") == HERE
    assert ground.reachable(HERE, 5) == {HERE: 0}


GROUNDS: list[Ground] = [
    Grid(),
    Grid(step=Fraction(3, 2), diagonal="alternating", size=(4, 5, 6), corners=False, shared=True),
    Grid(measure="straight", difficult=((cell(1, 2), Fraction(5, 2)), (cell(0, 1), 2)), blocked=(cell(3, 3),)),
    INN,
    Bands((Band("near", 2), Band("far", Fraction(61, 2))), "far", (("wolf", "anna", "near"),)),
    Together(),
    Together(0),
]


@pytest.mark.parametrize("ground", GROUNDS, ids=lambda ground: type(ground).__name__)
def test_every_kind_goes_through_json_and_pickle_unchanged(ground: Ground) -> None:
    again = read_ground(json.loads(json.dumps(ground.to_json())))
    assert again == ground
    assert hash(again) == hash(ground)
    copy = pickle.loads(pickle.dumps(ground))
    assert copy == ground
    assert hash(copy) == hash(ground)
    assert {ground: 1}[again] == 1


@given(grids)
def test_grids_go_through_json_unchanged(grid: Grid) -> None:
    assert read_ground(json.loads(json.dumps(grid.to_json()))) == grid


@given(st.one_of(far_cells, st.sampled_from([zone("gate"), zone("old gate"), spot("Zoë"), HERE])))
def test_positions_go_through_text_unchanged(at: Position) -> None:
    assert Position.parse(str(at)) == at
    assert at.json_text() == str(at)


@given(st.text(max_size=30))
def test_any_other_text_is_refused(text: str) -> None:
    try:
        at = Position.parse(text)
    except InvalidInputError:
        return
    assert Position.parse(str(at)) == at


def test_positions_of_another_kind_are_refused() -> None:
    small = Grid(size=(3, 3), blocked=(cell(1, 1),))
    for text, complaint in (
        ("3,1", "columns and rows 0 to 2, 0 to 2"),
        ("1,1", "blocked"),
        ("zone:gate", "not a square"),
        ("1;2", "not a position"),
        ("99999,1", "too far out"),
        ("1,2,3,4", "not a position"),
        ("zone:", "not a position"),
    ):
        with pytest.raises(InvalidInputError, match=complaint):
            small.parse(text)
    assert small.parse(" 1 , 2 ") == cell(1, 2)
    with pytest.raises(InvalidInputError):
        Bands((Band("near", 1),)).parse("a,b")


KINDS = "grid, zones, bands, together"


@each_case(
    ("data", "problems"),
    [
        (7, [f": a ground is a mapping with a kind, or one of {KINDS}"]),
        ({}, [f": the kind is missing; allowed are {KINDS}"]),
        ({"kind": "gird"}, [f'kind: "gird" is not a kind of ground; allowed are {KINDS}; did you mean "grid"?']),
        ({"kind": "grid", "step": 0}, ["step: 0 metres a step; allowed is more than 0 and at most 1,000"]),
        ({"kind": "grid", "step": True}, ["step: True is not a number; allowed are numbers and fractions"]),
        ({"kind": "grid", "size": [3, 0]}, ["size: allowed are columns and rows (and levels), each from 1 to 1,000"]),
        (
            {
                "kind": "grid",
                "diagonal": "on",
                "size": [9, 9],
                "blocked": ["1,1..1,3", "1,2"],
                "difficult": {"9,1": 2, "x": 1, "2,2": 0.5},
            },
            [
                'blocked.1: "1,2" is given twice',
                'diagonal: "on" is not known; allowed are one, one_and_a_half, alternating, two, none; did you mean',
                "difficult.2,2: 2,2 has the factor 1/2; allowed is 1 to 100",
                'difficult.9,1: "9,1" is outside of the grid',
                'difficult.x: "x" is not a position; allowed are a square "3,4"',
            ],
        ),
        ({"kind": "grid", "blocked": ["0,0..9000,9000"]}, ['blocked.0: "0,0..9000,9000" has more than 20,000 squares']),
        ({"kind": "zones"}, ["zones: 0 zones; allowed are 1 to 500"]),
        (
            {
                "kind": "zones",
                "zones": ["a", "b", "a:b"],
                "links": [["a", "c"], {"between": ["a", "b"], "steps": -1}, "x"],
            },
            [
                'links.0: there is no zone "c"',
                "links.1: -1 steps; allowed is more than 0 and at most 1,000",
                'links.2: "x" is not a mapping with between, steps, passable',
                "links.2: a link needs the two zones it joins: between: [hall, stairs]",
                'zones.2: "a:b" is not a name: 1 to 60 characters without commas and colons',
            ],
        ),
        ({"kind": "zones", "zones": ["a", "b"]}, ['links: no link joins "b" to "a"; give one, or an impassable one']),
        (
            {
                "kind": "bands",
                "bands": ["near", {"name": "far", "limit": 0}],
                "usual": "fra",
                "between": [{"spots": ["a", "a"], "band": "far"}],
            },
            [
                "bands.1: far ends at 0, not beyond the band before it (0)",
                'between.0: a pair is two spots, not "a" twice',
                'usual: there is no band "fra"; did you mean "far"?',
            ],
        ),
        ({"kind": "together", "apart": -1}, ["apart: -1; allowed is a distance from 0 to 1,000"]),
    ],
)
def test_a_wrong_ground_is_refused_with_every_problem_and_its_path(data: Any, problems: list[str]) -> None:
    with pytest.raises(WrongGroundError) as refusal:
        read_ground(data)
    found = sorted(f"{'.'.join(map(str, path))}: {message}" for path, message in refusal.value.placed)
    assert len(found) == len(problems)
    for message, expected in zip(found, problems, strict=True):
        assert message.startswith(expected)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
fields = ["step", "diagonal", "measure", "size", "difficult", "blocked", "corners", "shared", "zones", "links"]
fields += ["bands", "usual", "between", "apart"]


@given(
    st.sampled_from(["grid", "zones", "bands", "together"]),
    st.dictionaries(st.sampled_from(fields), json_values, max_size=4),
)
def test_nonsense_is_refused_or_read_and_never_breaks(kind: str, nonsense: dict[str, Any]) -> None:
    try:
        ground = read_ground({"kind": kind, **nonsense})
    except WrongGroundError:
        return
    assert read_ground(ground.to_json()) == ground


def test_ground_and_clock_load_nothing_heavy() -> None:
    program = """
import sys
import tablewright.game.time.clock, tablewright.game.ground
assert not {"pydantic", "yaml", "numpy", "rich", "typer"} & set(sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_closest_fact_counts() -> None:
    facts = (
        Facts()
        .set("cover", ANYONE, "none")
        .set("cover", ANYONE, "smoke", against="wolf")
        .set("cover", "anna", "half")
        .set("cover", "anna", "full", against="wolf")
    )
    assert facts.get("cover", "anna", "wolf") == "full"
    assert facts.get("cover", "anna", "bear") == "half"
    assert facts.get("cover", "bert", "wolf") == "smoke"
    assert facts.get("cover", "bert", "bear") == "none"
    assert facts.get("sight", "anna", "wolf") is None
    assert facts.get("sight", "anna", "wolf", default=True) is True
    assert len(facts.about("anna")) == 2
    assert facts.clear() == Facts()
    assert facts.clear("cover", against="wolf").get("cover", "anna", "wolf") == "half"


def test_facts_are_equal_however_they_were_set() -> None:
    one = Facts().set("light", "anna", 3).set("cover", "anna", "half", against="wolf")
    other = Facts().set("cover", "anna", "full", against="wolf").set("cover", "anna", "half", against="wolf")
    other = other.set("light", "anna", 3)
    assert one == other
    assert hash(one) == hash(other)
    assert Facts.from_json(json.loads(json.dumps(one.to_json()))) == one


@pytest.mark.parametrize(
    "wrong", [{"what": "x"}, {"what": "x", "who": "a", "value": 1, "so": 1}, {"what": "x", "who": "a", "value": 1.5}]
)
def test_wrong_facts_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        Facts.from_json([wrong])
    with pytest.raises(InvalidInputError):
        Facts().set("", "a", 1)
    with pytest.raises(InvalidInputError):
        Facts().set("cover", "a", "x" * 1_000)
