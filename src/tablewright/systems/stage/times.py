"""Time: a round of about 12 seconds is the smallest unit; five of them are a minute (stage.encounter.round)."""

from __future__ import annotations

from tablewright.game.clock import Calendar, Unit

ROUND = 1
MINUTE = 5 * ROUND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
WEEK = 7 * DAY

CALENDAR = Calendar(
    (Unit("round", ROUND), Unit("minute", MINUTE), Unit("hour", HOUR), Unit("day", DAY), Unit("week", WEEK))
)
