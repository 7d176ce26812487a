"""Time: durations there and back, and one long step that equals many short ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_case import each_case
from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.game.time.calendar import MOST_TICKS, Calendar, Unit
from tablewright.game.time.clock import MOST_DUE, Clock, Data, Timer, run

MODERN = Calendar(
    (
        Unit("second", 1, short=("s",)),
        Unit("round", 6, spoken=False),
        Unit("minute", 60, short=("min",)),
        Unit("hour", 3_600, short=("h",)),
        Unit("day", 86_400),
        Unit("week", 604_800),
    ),
    counted=("day",),
)
# Half seconds: an ounce has seven and a half seconds.
OLD = Calendar(
    (
        Unit("second", 2, spoken=False),
        Unit("ounce", 15),
        Unit("minute", 120, spoken=False),
        Unit("punctum", 1_800, plural="puncti"),
        Unit("bell", 3_600),
        Unit("hourglass", 7_200, plural="hourglasses", short=("hour", "hours")),
        Unit("canonical hour", 21_600, spoken=False),
        Unit("watch", 28_800, plural="watches"),
        Unit("day", 172_800),
        Unit("week", 1_209_600),
        Unit("month", 5_184_000),
        Unit("season", 15_552_000),
    ),
    counted=("day", "month", "season"),
)
CALENDARS = st.sampled_from([MODERN, OLD])


@each_case(
    ("calendar", "text", "ticks"),
    [
        (MODERN, "3 days 4 hours", 3 * 86_400 + 4 * 3_600),
        (MODERN, "1 day, 2 hours and 5 min", 86_400 + 7_200 + 300),
        (MODERN, "1 week, and 1 second", 604_801),
        (MODERN, "90min", 5_400),
        (MODERN, "1.5 Hours", 5_400),
        (MODERN, "1/2 hour + 10 rounds", 1_860),
        (MODERN, "2h30min", 9_000),
        (MODERN, "0 days", 0),
        (OLD, "1 ounce", 15),
        (OLD, "2 canonical hours 3 puncti", 48_600),
        (OLD, "1 season 2 watches", 15_609_600),
    ],
)
def test_durations_are_read(calendar: Calendar, text: str, ticks: int) -> None:
    assert calendar.parse(text) == ticks


@each_case(
    ("text", "complaint"),
    [
        ("", "is not a duration; a duration is written like 1 week 1 second"),
        ("   ", "is not a duration"),
        ("3", "is not a duration"),
        ("days 3", "is not a duration"),
        ("-3 days", "is not a duration"),
        ("3 days tomorrow", 'there is no unit of time "days tomorrow"'),
        ("3 dais", 'there is no unit of time "dais"; did you mean "days"?'),
        ("1/7 minute", "1/7 minutes cannot be counted, the smallest time is 1 second"),
        ("1/0 minute", "is not a duration"),
        ("9999999999999 weeks", "is too long, at most"),
        ("1 day " * 100, "is too long"),
        ("٣ days", "is not a duration"),
    ],
)
def test_wrong_durations_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        MODERN.parse(text)
    assert complaint in str(refusal.value)
    assert len(str(refusal.value)) < 300


def test_all_wrong_units_come_at_once() -> None:
    with pytest.raises(ProblemListError) as refusal:
        MODERN.parse("3 dais 2 huors 1 minute")
    assert len(refusal.value.problems) == 2


@given(CALENDARS, st.integers(0, MOST_TICKS))
def test_durations_are_written_and_read_back(calendar: Calendar, ticks: int) -> None:
    assert calendar.parse(calendar.show(ticks)) == ticks
    assert sum(Fraction(count) * unit.ticks for unit, count in calendar.split(ticks)) == ticks


@given(CALENDARS, st.text(max_size=30))
def test_any_text_is_read_or_refused(calendar: Calendar, text: str) -> None:
    try:
        ticks = calendar.parse(text)
    except InvalidInputError:
        return
    assert 0 <= ticks <= MOST_TICKS


def test_the_words_of_durations() -> None:
    assert MODERN.show(0) == "0 seconds"
    assert MODERN.show(86_400) == "1 day"
    assert MODERN.show(10 * 86_400) == "1 week 3 days"
    assert OLD.show(15) == "1 ounce"
    assert OLD.show(20) == "4/3 ounces"
    assert OLD.show(28_800 * 2 + 1_800 + 3) == "2 watches 1 punctum 1/5 ounce"


def test_moments_are_counted_from_one() -> None:
    assert MODERN.moment(0) == "day 1"
    assert MODERN.moment(86_400 * 9 + 3_661) == "day 10, 1 hour 1 minute 1 second"
    assert OLD.moment(15_552_000 + 172_800 * 31) == "season 2, month 2, day 2"
    assert Calendar((Unit("turn", 1),)).moment(3) == "3 turns"
    assert MODERN.number(86_400 * 9 + 1, "days") == 9


@pytest.mark.parametrize(
    ("units", "counted", "complaint"),
    [
        ((), (), "1 to 60 units"),
        ((Unit("day", 2), Unit("hour", 1)), (), "not longer than the unit before it"),
        ((Unit("day", 0),), (), "0 ticks"),
        ((Unit("day", 1), Unit("date", 2, short=("day",))), (), '"day" is both day and date'),
        ((Unit("day 2", 1),), (), "cannot be the name of a unit"),
        ((Unit("day", 1, spoken=False),), (), "no unit is spoken"),
        ((Unit("day", 1),), ("dya",), 'did you mean "day"?'),
        ((Unit("day", 1), Unit("week", 7)), ("week", "day"), "from the smallest to the largest"),
    ],
)
def test_wrong_calendars_are_refused(units: tuple[Unit, ...], counted: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(ProblemListError) as refusal:
        Calendar(units, counted)
    assert complaint in str(refusal.value)


# ---------------------------------------------------------------- the clock

things = st.lists(
    st.tuples(st.integers(1, 40), st.integers(0, 12), st.sampled_from(["wound", "fever", "torch"])), max_size=8
)


def make_clock(entries: list[tuple[int, int, str]]) -> Clock:
    clock = Clock(now=5)
    for number, (after, every, what) in enumerate(entries):
        clock = clock.schedule(what, after=after, every=every, who=f"p{number}")
    return clock


@given(things, st.integers(0, 60), st.data())
def test_one_long_step_equals_any_short_ones(entries: list[tuple[int, int, str]], by: int, data: st.DataObject) -> None:
    clock = make_clock(entries)
    whole, fallen = clock.advance(by)
    pieces: list[Timer] = []
    stepped, left = clock, by
    while left:
        part = data.draw(st.integers(1, left))
        stepped, some = stepped.advance(part)
        pieces += some
        left -= part
    assert stepped == whole
    assert tuple(pieces) == fallen
    assert whole.now == clock.now + by
    assert [due.at for due in fallen] == sorted(due.at for due in fallen)


def handle(clock: Clock, due: Timer) -> Clock:
    """A fever spreads, wounds heal one another away, a torch is lit again: things that change what is to come."""
    if due.what == "fever":
        return clock.schedule("fever", after=due.at % 7 + 1, who=due.who + "x") if len(due.who) < 8 else clock
    if due.what == "wound":
        return clock.cancel("fever", who="p0").schedule("torch", after=1, who=due.who)
    return clock.cancel("wound") if due.at % 5 == 0 else clock


@given(things, st.integers(0, 60))
def test_things_that_schedule_others_fall_due_alike_day_by_day(entries: list[tuple[int, int, str]], by: int) -> None:
    def record(log: list[Timer]) -> Callable[[Clock, Timer], Clock]:
        def noted(clock: Clock, due: Timer) -> Clock:
            log.append(due)
            return handle(clock, due)

        return noted

    at_once: list[Timer] = []
    whole = run(make_clock(entries), by, record(at_once))
    daily: list[Timer] = []
    clock = make_clock(entries)
    for _ in range(by):
        clock = run(clock, 1, record(daily))
    assert clock == whole
    assert daily == at_once


@given(things, st.integers(0, 60))
def test_moving_and_taking_by_events_is_the_same(entries: list[tuple[int, int, str]], by: int) -> None:
    clock = make_clock(entries)
    until, fallen = clock.now + by, []
    while due := clock.next(until):
        fallen.append(due)
        clock = clock.moved(due.at - clock.now)
        assert clock.next() == due
        clock = clock.taken()
    assert (clock.moved(until - clock.now), tuple(fallen)) == make_clock(entries).advance(by)


def test_skipped_purchases_are_made_late_and_in_order() -> None:
    clock = Clock().schedule("b", after=3).schedule("a", after=2, every=4).moved(10)
    later, fallen = clock.advance(0)
    assert [(due.at, due.what) for due in fallen] == [(2, "a"), (3, "b"), (6, "a"), (10, "a")]
    assert later.now == 10
    assert later.due == (Timer(14, "a", every=4),)
    with pytest.raises(InvalidInputError, match="nothing is due"):
        later.taken()
    assert Clock.from_json(clock.to_json()) == clock


def test_things_of_one_moment_keep_the_order_of_scheduling() -> None:
    clock = (
        Clock().schedule("b", after=3).schedule("a", after=3).schedule("first", after=1, every=2).schedule("c", after=3)
    )
    _, fallen = clock.advance(3)
    assert [due.what for due in fallen] == ["first", "b", "a", "c", "first"]


def test_waiting_cancelling_and_what_is_left() -> None:
    clock = Clock(10).schedule("wound", after=5, who="anna").schedule("wound", after=3, who="bert")
    clock = clock.schedule("torch", after=9)
    assert [due.who for due in clock.waiting("wound")] == ["bert", "anna"]
    assert clock.left("wound", who="anna") == 5
    assert clock.left("torch") == 9
    assert clock.left("poison") is None
    assert clock.cancel("wound", who="bert").waiting("wound") == (Timer(15, "wound", "anna"),)
    assert clock.cancel(who="anna").waiting(who="anna") == ()
    assert clock.cancel("nothing") is clock


def test_time_does_not_go_back_and_now_is_not_later() -> None:
    with pytest.raises(InvalidInputError, match="go back"):
        Clock(10).advance(-1)
    with pytest.raises(InvalidInputError, match="go back"):
        Clock(10).step(9)
    with pytest.raises(InvalidInputError, match="at least 1"):
        Clock().schedule("now", after=0)
    with pytest.raises(InvalidInputError, match="out of range"):
        Clock(-1)
    with pytest.raises(InvalidInputError, match="1 to 200 characters"):
        Clock().schedule("", after=1)
    assert Clock(10).step(10) == (Clock(10), None)


def test_sizes_are_bounded() -> None:
    with pytest.raises(InvalidInputError, match="smaller steps"):
        Clock().schedule("tick", after=1, every=1).advance(10**6)
    full = Clock(0, tuple([Timer(1, "x")] * MOST_DUE))
    with pytest.raises(InvalidInputError, match="no more can be kept"):
        full.schedule("one more", after=1)


data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=5,
)


@given(things, data)
def test_clocks_go_through_json_unchanged(entries: list[tuple[int, int, str]], carried: Data) -> None:
    clock = make_clock(entries).schedule("carried", after=7, data=carried)
    again = Clock.from_json(json.loads(json.dumps(clock.to_json())))
    assert again == clock
    assert hash(again) == hash(clock)


def test_a_wrong_clock_is_refused_with_every_problem() -> None:
    wrong = {
        "now": 5,
        "due": [
            {"at": -5, "what": "a"},
            {"at": 9, "what": 3},
            {"at": 8, "what": "a"},
            7,
            {"at": 10, "what": "a", "every": -1},
        ],
    }
    with pytest.raises(ProblemListError) as refusal:
        Clock.from_json(wrong)
    assert len(refusal.value.problems) == 5
    for nonsense in ({}, {"now": True}, {"now": 1, "due": 7}):
        with pytest.raises(ProblemListError):
            Clock.from_json(nonsense)
