from __future__ import annotations

import pytest

from tablewright.errors import IllegalActionError, InvalidInputError, ProblemListError, TablewrightError, did_you_mean


def test_exit_statuses() -> None:
    assert (
        InvalidInputError("x").exit_status,
        ProblemListError(["x"]).exit_status,
        IllegalActionError("x").exit_status,
    ) == (2, 2, 1)
    assert all(
        issubclass(error, TablewrightError) for error in (InvalidInputError, ProblemListError, IllegalActionError)
    )


def test_an_error_knows_its_field_and_rule() -> None:
    error = InvalidInputError("too much", field="hero.gold", rule="mars.creation.gold")
    assert (str(error), error.field, error.message) == ("too much [mars.creation.gold]", "hero.gold", "too much")


@pytest.mark.parametrize(
    ("typed", "known", "offered"),
    [
        ("chekc", ["check", "contest"], "check"),
        ("CHECK", ["check"], "check"),
        ("check", ["mars.check", "mars.contest"], "mars.check"),
        ("mars.outcom", ["mars.check", "mars.outcome"], "mars.outcome"),
        ("mras.check", ["mars.check", "mars.contest", "opend6.check"], "mars.check"),
        ("zzz", ["check"], None),
        ("", ["check"], None),
        ("x" * 10**6, ["check"], None),
        ("check", [], None),
    ],
)
def test_nearest(typed: str, known: list[str], offered: str | None) -> None:
    assert did_you_mean(typed, known) == (f'; did you mean "{offered}"?' if offered else "")
