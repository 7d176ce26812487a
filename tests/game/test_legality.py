from __future__ import annotations

import json

import pytest

from each_case import each_case
from tablewright.errors import InvalidInputError
from tablewright.game.character.legality import (
    Found,
    Legality,
    Violation,
    duplicates,
    forbidden,
    not_all_spent,
    out_of_range,
    overspent,
    too_low,
    unknown_id,
    unknown_ids,
    unless,
    wrong_number,
)

RULE = "demo.creation.rule"


@each_case(
    "found",
    [
        overspent("points", 8, 8, rule=RULE),
        not_all_spent("points", 8, 8, rule=RULE),
        out_of_range("brawn", 1, 1, 6, rule=RULE),
        out_of_range("brawn", 6, 1, 6, rule=RULE),
        out_of_range("brawn", -9, high=6, rule=RULE),
        out_of_range("brawn", 99, low=1, rule=RULE),
        wrong_number("talents", ["a", "b"], 2, what="talents", rule=RULE),
        wrong_number("talents", 1, 1, 3, what="talents", rule=RULE),
        wrong_number("talents", 3, 1, 3, what="talents", rule=RULE),
        unknown_id("skills", "climb", {"climb": 1}, rule=RULE),
        unknown_ids("skills", ["climb", "swim"], iter(["swim", "climb"]), rule=RULE),
        too_low("powers", "wits", 3, 3, by="flame", rule=RULE),
        duplicates("talents", ["a", "b"], rule=RULE),
        unless(True, "x", "never", rule=RULE),
    ],
)
def test_legal_characters_give_no_violations(found: Found) -> None:
    assert found == ()


@each_case(
    ("found", "message"),
    [
        (overspent("points", 9, 8, rule=RULE), "points: 9 spent, there are 8: 1 too many"),
        (not_all_spent("points", 9, 8, rule=RULE), "points: 9 spent, there are 8: 1 too many"),
        (not_all_spent("points", 7, 8, rule=RULE), "points: 7 of 8 spent: 1 are left"),
        (out_of_range("brawn", 0, 1, 6, rule=RULE), "brawn: 0 is out of range, allowed are 1 to 6"),
        (out_of_range("brawn", 7, 1, 6, rule=RULE), "brawn: 7 is out of range, allowed are 1 to 6"),
        (out_of_range("brawn", 7, 6, 6, rule=RULE), "brawn: 7 is out of range, allowed are 6"),
        (out_of_range("brawn", 7, high=6, rule=RULE), "brawn: 7 is out of range, allowed are 6 or less"),
        (out_of_range("brawn", 0, low=1, rule=RULE), "brawn: 0 is out of range, allowed are 1 or more"),
        (wrong_number("x", 4, 1, 3, what="talents", rule=RULE), "x: 4 talents, allowed are 1 to 3"),
        (unknown_ids("x", ["clim"], ["climb"], rule=RULE), 'x: "clim" is unknown; did you mean "climb"?'),
        (too_low("x", "wits", 2, 3, by="flame", rule=RULE), "x: flame needs wits 3, it is 2"),
        (duplicates("x", ["a", "b", "a", "a"], rule=RULE), 'x: "a" stands there 3 times'),
        (forbidden("x", "not at sea", rule=RULE), "x: not at sea"),
        (unless(False, "x", "not at sea", rule=RULE), "x: not at sea"),
    ],
)
def test_violations_say_what_and_where(found: Found, message: str) -> None:
    assert [str(violation) for violation in found] == [f"{message} [{RULE}]"]


def test_a_violation_begins_with_its_rule() -> None:
    with pytest.raises(InvalidInputError, match='the id of its rule, not with "belongings"'):
        Violation("belongings", "demo.kit.one", "one weapon each")


def test_the_report_has_every_violation_once_in_order() -> None:
    first, second = Violation("demo.a.b", "x", "wrong"), Violation("demo.a.c", "y", "too")
    report = Legality.of((first, second), (), (first,))
    assert report.violations == (first, second)
    assert not report.ok
    assert report.rules == ("demo.a.b", "demo.a.c")
    assert report.explain() == "x: wrong [demo.a.b]\ny: too [demo.a.c]"
    assert report.explain(lambda rule: f"about {rule}").splitlines()[1] == "  about demo.a.b"
    assert json.loads(json.dumps(report.to_json())) == {
        "ok": False,
        "violations": [
            {"rule": "demo.a.b", "where": "x", "message": "wrong"},
            {"rule": "demo.a.c", "where": "y", "message": "too"},
        ],
    }


def test_a_report_without_violations() -> None:
    report = Legality.of((), ())
    assert report.ok
    assert report.explain() == "within the rules"
    assert report.to_json() == {"ok": True, "violations": []}
