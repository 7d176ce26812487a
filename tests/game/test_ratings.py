"""The ratings that bots choose by."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from coinfolk import heads, strike
from coinfolk.book import health, rate, rulebook, up, value

from tablewright.errors import InvalidInputError
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.scene import Scene
from tablewright.game.session.opening import open_session
from tablewright.game.session.ratings import by_look, distance_to_nearest_enemy, expected, rating_table, side_value
from tablewright.game.system.rulebook import Rating


def scene_of() -> Scene:
    """Ann and Bob against the rat and the cat, three and seven steps away from Ann."""
    scene = replace(open_session(load_scenario("coinfolk:together"), seed=1).scene, ground=Grid())
    for who, x in (("ann", 0), ("bob", 1), ("rat", 3), ("cat", 7)):
        scene = scene.with_participant(replace(scene[who], position=cell(x, 0)))
    return scene


def test_your_own_less_the_others_and_those_who_left_do_not_count() -> None:
    scene = scene_of()
    plain = side_value(lambda one: one.status.health)
    total = {who: scene[who].status.health for who in ("ann", "bob", "rat", "cat")}
    assert plain(scene, "folk") == total["ann"] + total["bob"] - total["rat"] - total["cat"]
    assert plain(scene, "vermin") == -plain(scene, "folk")
    gone = scene.with_participant(replace(scene["cat"], present=False))
    assert plain(gone, "folk") == plain(scene, "folk") + total["cat"]


def test_separate_counts_are_for_their_own_side_and_more_is_added() -> None:
    scene = scene_of()
    apart = side_value(lambda one: 0, apart=lambda scene, one: distance_to_nearest_enemy(scene, one.id, up))
    assert (apart(scene, "folk"), apart(scene, "vermin")) == (-3 - 2, -2 - 6)
    assert side_value(lambda one: 0, more=lambda scene, side: {"folk": 5}.get(side, -5))(scene, "vermin") == -5


def test_the_distance_is_to_the_nearest_known_enemy() -> None:
    scene = scene_of()
    assert distance_to_nearest_enemy(scene, "ann", up) == 3
    assert distance_to_nearest_enemy(scene, "ann", up, cell(6, 0)) == 1
    hidden = scene.with_participant(replace(scene["rat"], hidden=True))
    assert distance_to_nearest_enemy(hidden, "ann", up) == 7
    assert distance_to_nearest_enemy(scene.with_status("rat", health=0), "ann", up) == 7
    assert distance_to_nearest_enemy(scene.with_status("rat", health=0).with_status("cat", health=0), "ann", up) == 0
    assert distance_to_nearest_enemy(scene.with_participant(replace(scene["ann"], position=None)), "ann", up) == 0


def test_options_are_rated_by_their_action() -> None:
    table = rating_table(
        {"hit": Rating(harm=2), "go": lambda scene, who, use: Rating(safety=len(who), cost=len(use.id))}
    )
    scene = scene_of()
    assert table(scene, "ann", ActionUse("hit", "rat")) == Rating(harm=2)
    assert table(scene, "ann", ActionUse("go", "rat")) == Rating(safety=3, cost=6)
    assert table(scene, "ann", ActionUse("unheard")) == Rating()
    assert rate(scene, "ann", ActionUse("strike", "rat")).harm == 1 + Fraction(3, 2)
    nearer, farther = [rate(scene, "ann", ActionUse("walk", detail=place)).harm for place in ("2,0", "0,1")]
    assert nearer > farther
    assert rulebook.rate_use is rate
    assert value(scene, "folk") > value(scene.with_status("ann", health=1), "folk")


def test_expectations_are_exact_and_cached() -> None:
    assert expected(heads(5)) == Fraction(5, 2)
    assert expected(strike(2, 1), "harm") == Fraction(2 * 2 + 3, 4)
    assert expected(strike(2, 1), _is_hit) == Fraction(3, 4)
    before = expected.cache_info().hits
    assert expected(strike(2, edge=1), "harm") == Fraction(7, 4)
    assert expected.cache_info().hits == before + 1
    with pytest.raises(InvalidInputError, match="has no objective"):
        expected(strike(2), "glory")


def _is_hit(result: object) -> int:
    return int(getattr(result, "harm") > 0)  # noqa: B009


def test_the_hurt_are_worth_more_than_the_well() -> None:
    look = by_look(health, {"well": 0, "hurt": 5}, -9)
    scene = scene_of()
    hurt, down = scene.with_status("rat", health=1), scene.with_status("rat", health=0)
    assert [look(one, "rat") for one in (scene, hurt, down)] == [0, 5, -9]
