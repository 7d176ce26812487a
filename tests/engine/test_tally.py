"""Tallies: totals that can say where they come from."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.engine import Rounding, Tally
from tablewright.engine.tally import Part
from tablewright.errors import TablewrightError


def test_a_total_is_the_base_and_all_parts_that_count() -> None:
    tally = Tally.of("Stealth", 40, rule="demo.skill.base").add("dark", 20).add("nothing", 0).add("hurt", -15)
    assert tally.total == 45
    assert [part.label for part in tally.parts] == ["dark", "hurt"]
    assert Tally.of("plain").add_all([("a", 1, None), ("b", 2, "demo.b.rule")]).total == 3


def test_tallies_are_values() -> None:
    base = Tally.of("x", 1)
    base.add("more", 5)
    assert base.total == 1
    assert base == Tally.of("x", 1)


@given(st.integers(-50, 50), st.integers(-30, 30), st.integers(0, 30))
def test_limits_keep_the_total_within_and_show_what_they_cut(base: int, low: int, width: int) -> None:
    limited = Tally.of("x", base).limit(low, low + width, rule="demo.limit.both")
    assert limited.total == min(max(base, low), low + width)
    assert len(limited.parts) == int(limited.total != base)
    assert limited.limit(low, low + width) == limited


def test_limits_may_be_on_one_side_but_not_the_wrong_way_round() -> None:
    assert Tally.of("x", 5).limit(low=7).total == 7
    assert Tally.of("x", 5).limit(high=3).total == 3
    assert Tally.of("x", 5).limit().parts == ()
    with pytest.raises(TablewrightError, match="limits of x are the wrong way round: 3 to 2"):
        Tally.of("x", 5).limit(3, 2)


@pytest.mark.parametrize(
    ("base", "factor", "down", "up"),
    [
        (7, Fraction(1, 2), 3, 4),
        (-7, Fraction(1, 2), -4, -3),
        (6, Fraction(1, 2), 3, 3),
        (5, Fraction(3, 2), 7, 8),
        (0, Fraction(1, 3), 0, 0),
    ],
)
def test_scaling_rounds_as_it_is_told(base: int, factor: Fraction, down: int, up: int) -> None:
    """Down is towards less, also below zero."""
    tally = Tally.of("x", base)
    assert tally.scale(factor, "half").total == down
    assert tally.scale(factor, "half", rounding=Rounding.UP).total == up
    part = tally.scale(factor, "half", "demo.half.rule").parts[0]
    assert part.note == ("" if down == up else "rounded down")


def test_scaling_counts_what_came_before_and_not_what_comes_after() -> None:
    assert Tally.of("x", 10).add("a", 4).scale(Fraction(1, 2), "half").add("b", 4).total == 11


def test_only_the_strongest_of_a_kind_counts_and_the_others_stay_visible() -> None:
    tally = (
        Tally.of("dice", 3)
        .add("charm", 2, kind="magic")
        .add("blessing", 2, kind="magic")
        .add("curse", -1, kind="magic")
        .add("hex", -3, kind="magic")
        .add("tool", 1, kind="gear")
    )
    stacked = tally.only_best("magic", rule="demo.stack.magic")
    assert stacked.total == 3 + 2 - 3 + 1
    assert [part.label for part in stacked.parts if not part.counts] == ["blessing", "curse"]
    assert stacked.only_best("magic") == stacked
    assert stacked.only_best("absent") == stacked


def test_explain_shows_every_step_in_order() -> None:
    tally = (
        Tally.of("Blades", 60, rule="demo.skill.base")
        .add("charm", 10, kind="magic")
        .add("blessing", 5, "demo.bless.rule", kind="magic")
        .only_best("magic", rule="demo.stack.magic")
        .scale(Fraction(1, 3), "off hand", "demo.hand.off")
        .limit(30, 98, rule="demo.limit.low")
    )
    assert tally.explain().splitlines() == [
        "Blades 60 [demo.skill.base]",
        "charm +10",
        "(blessing +5), does not stack: only the strongest magic counts [demo.stack.magic] [demo.bless.rule]",
        "off hand -47, rounded down [demo.hand.off]",
        "at least 30: +7 [demo.limit.low]",
        "= 30",
    ]
    assert tally.rules == ("demo.skill.base", "demo.bless.rule", "demo.hand.off", "demo.limit.low")
    written = json.loads(json.dumps(tally.to_json()))
    assert (written["base"], written["total"]) == (60, 30)
    counted = [part["changed"] for part in written["parts"] if part["counts"]]
    assert written["base"] + sum(counted) == written["total"]


def test_parts_of_one_kind_count_up_to_a_limit() -> None:
    tally = Tally.of("flat", 1).add("charm", 3, kind="special").add("focus", 4, kind="special").add("height", 9)
    limited = tally.limit_kind("special", 5, "demo.limit.kind")
    assert limited.total == 1 + 5 + 9
    assert (limited.parts[-1].changed, limited.parts[-1].rule) == (-2, "demo.limit.kind")
    assert tally.limit_kind("special", 7) is tally
    assert tally.limit_kind("other", 0) is tally
    best = tally.only_best("special").limit_kind("special", 4)  # what does not count does not fill the limit
    assert best.total == 1 + 4 + 9


def test_ready_parts_are_added_as_they_are() -> None:
    parts = [Part("a", 2, "demo.a.rule", "magic"), Part("nothing", 0), Part("hidden", -1, secret=True)]
    tally = Tally.of("x", 1).add_parts(parts)
    assert (tally.total, tally.parts) == (2, (parts[0], parts[2]))
    assert tally.add_parts([]) is tally
