"""Time frames, working faster or slower, how long tasks take, the calendar."""

from __future__ import annotations

from fractions import Fraction

import pytest

from systems.marchen.acts import ann, done, season, told
from systems.marchen.people import DAY, PUNCTI, alone, book, data, hero, options, somebody, together
from systems.playing import examples
from tablewright.dice import TypedDice
from tablewright.engine import odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.systems.marchen.mechanics.turn import (
    CALENDAR,
    FRAMES,
    PERCENT,
    SUB_UNITS,
    calendar_of,
    duration,
    month_ticks,
    round_ticks,
    season_ticks,
    seconds_of,
    shifted,
    ticks_of,
    took,
)


@pytest.mark.rule("marchen.time.frames")
@pytest.mark.parametrize("days", [28, 30, 31])
def test_frames(days: int) -> None:
    rows = data("marchen.time.frames")
    assert tuple(row["frame"] for row in rows) == FRAMES
    for row in rows:
        if "seconds" in row:
            assert seconds_of(row["frame"], days) == Fraction(str(row["seconds"]))
    assert seconds_of("month", days) == 86_400 * days
    assert seconds_of("season", days) == 3 * seconds_of("month", days)
    using = options(month_days=days)
    assert (month_ticks(using), season_ticks(using)) == (DAY * days, 3 * DAY * days)
    session = alone(hero(treasure=9), month_days=days)
    session.do("table.pass_time", amount="1 month")
    assert session.scene.clock.now == days * DAY
    assert book().calendar_of(session.scene.options).show(session.scene.clock.now) == "1 month"
    session.do("table.pass_time", amount="1 season")
    assert session.scene.clock.now == 4 * days * DAY
    assert ann(season(session, "standard_of_living:1")).treasure == 6  # 3 for as many months
    assert session.scene.clock.now == 7 * days * DAY


@pytest.mark.rule("marchen.time.additional")
def test_additional_units_can_be_typed_and_are_told_in_the_usual_ones() -> None:
    for row in data("marchen.time.additional"):
        assert round(seconds_of(row["unit"]), 2) == Fraction(str(row["seconds"]))
        unit = {"personal combat round": "round"}.get(row["unit"], row["unit"])
        if unit != "atom":
            assert CALENDAR.parse(f"2 {unit}") == 2 * ticks_of(row["unit"])
    assert seconds_of("atom") == seconds_of("ounce") / 47
    assert CALENDAR.show(CALENDAR.parse("1 quadrant")) == "1 watch 8 puncti"
    with pytest.raises(InvalidInputError, match='no unit of time "atom"'):
        CALENDAR.parse("1 atom")
    for amount, ticks, said in (
        ("1 momenta and 2 lunar puncti", (90 + 1440) * 8, ""),
        ("1 puncti", PUNCTI, "One puncti passes."),
        ("1 bell", 2 * PUNCTI, "Two puncti pass."),
    ):
        session = together(somebody())
        session.do("table.pass_time", amount=amount)
        assert session.scene.clock.now == ticks
        assert said in told(session)


@pytest.mark.rule("marchen.time.shift")
def test_rows() -> None:
    for given, expect in examples("marchen.time.shift"):
        if expect.get("allowed") is False:
            with pytest.raises(IllegalActionError, match=r"marchen\.time\.shift"):
                shifted(given["frame"], given["rows"])
        else:
            assert shifted(given["frame"], given["rows"]) == (expect["frame"], expect["dm"])
    assert shifted("hourglass", -1) == ("bell", -1)
    assert shifted("hourglass", -1, "skipped") == ("puncti", -1)
    assert shifted("puncti", 1, "skipped") == ("hourglass", 1)
    assert shifted("bell", 1, "skipped") == ("hourglass", 1)
    assert shifted("hour", 1) == ("watch", 1)
    assert shifted("minute", 0).dm == 0
    for frame, rows in (("season", 1), ("month", 2), ("puncti", -2), ("watch", 3), ("watch", -3), ("second", 1)):
        with pytest.raises(IllegalActionError):
            shifted(frame, rows)


@pytest.mark.rule("marchen.time.duration", "marchen.time.task_time", "marchen.time.combat_round")
def test_durations_by_dice_and_by_sigma_and_the_length_of_a_round() -> None:
    for given, expect in examples("marchen.time.duration"):
        assert play(duration(given["increment"]), TypedDice([given["d6"]])).result == expect["seconds"]
    assert odds(duration("ounce")).mean == Fraction(7, 2) * Fraction(15, 2)
    for given, expect in examples("marchen.time.task_time"):
        ((unit, count),) = expect.items()
        call = duration(given["frame"], given["sigma"], given["task_time"])
        assert list(odds(call).outcomes) == [Fraction({"hours": 3_600, "bells": 1_800}[unit] * count)]
    for length, seconds in data("marchen.time.combat_round")["values"].items():
        assert round_ticks(length) == Fraction(str(seconds)) * 8


@pytest.mark.rule("marchen.time.task_time")
def test_the_tables_of_task_time() -> None:
    found = data("marchen.time.task_time")
    assert {frame: (row["unit"], row["count"]) for frame, row in found["sub_units"].items()} == SUB_UNITS
    assert {int(sigma): percent for sigma, percent in found["percent_by_sigma"].items()} == PERCENT
    assert took("watch", -4, "sigma_units") == 8 * 3_600
    assert took("watch", 4, "sigma_units") == 3_600
    assert [took(frame, 3, "sigma_units") for frame in ("ounce", "puncti", "bell")] == [Fraction(15, 2), 900, 1_800]
    assert took("season", 2, "sigma_units", 28) == 28 * 86_400
    assert took("ounce", 4, "percent") * 8 == 15


@pytest.mark.rule("marchen.time.duration", "marchen.time.shift")
@pytest.mark.parametrize(
    ("task_time", "rows", "dice", "ticks"),
    [
        ("d6", 0, [5, 5, 3], 3 * 14_400 * 8),
        ("d6", -1, [5, 5, 3], 3 * 3_600 * 8),
        ("sigma_units", 0, [6, 6], 1 * 3_600 * 8),
        ("percent", 0, [6, 6], 14_400 * 8 // 2),
    ],
)
def test_work_takes_time(task_time: str, rows: int, dice: list[int], ticks: int) -> None:
    session = together(somebody(muscle=1), task_time=task_time)
    result = done(session, "work", dice, who="ann", what="muscle", frame="watch", rows=rows)
    assert result.effect == sum(dice[:2]) + 1 + rows - 8
    assert session.scene.clock.now == ticks


def test_the_calendar() -> None:
    assert CALENDAR.parse("1 season 2 watches") == ticks_of("season") + ticks_of("watch", 2)
    assert CALENDAR.show(ticks_of("day", 3) + ticks_of("ounce", 4)) == "3 days 4 ounces"
    assert calendar_of(28).parse("1 month") == ticks_of("day", 28)
    assert CALENDAR.parse("2 hours") == ticks_of("hourglass", 2)
    with pytest.raises(IllegalActionError):
        ticks_of("atom")
