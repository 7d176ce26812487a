"""Rule marks are honest: known ids only, and a finished system has every rule tested."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.demands import all_marked_rules, marked_rules, unmarked, untested
from tablewright.game.rules.ledger import Ledger
from tablewright.game.system.registry import load_all, load_system

pytest_plugins = ["pytester"]

TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def marked() -> dict[str, str]:
    return all_marked_rules()


def test_every_rule_of_a_finished_system_has_a_test(marked: dict[str, str]) -> None:
    systems = load_all().systems
    assert systems
    gaps = {system.id: untested(system.ledger, set(marked)) for system in systems if system.is_finished}
    assert gaps == {system_id: [] for system_id in gaps}


def test_the_tests_of_a_third_party_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "test_x.py").write_text("import pytest\n@pytest.mark.rule('a.b')\ndef test_x(): ...\n")
    monkeypatch.setattr("conformance.demands.folders_of_tests", lambda: [TESTS / "sixth", tmp_path])
    assert all_marked_rules()["a.b"] == "test_x.py:2"
    assert "coinfolk.rest.heal" in all_marked_rules()


def test_a_rule_without_a_test_and_a_mark_without_a_rule_are_named(
    marked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = dict(marked)
    monkeypatch.setattr("conformance.demands.all_marked_rules", lambda: own)
    system = load_system("coinfolk")
    assert unmarked(system) == []
    del own["coinfolk.rest.heal"]
    own["coinfolk.rest.hael"] = "test_it.py:3"
    assert unmarked(system) == [
        "no test is marked with coinfolk.rest.heal",
        "test_it.py:3 is marked with coinfolk.rest.hael, which the ledger does not have",
    ]


def test_guidance_needs_no_test_but_everything_else_does() -> None:
    ledger = Ledger.load("mars")
    everything = untested(ledger, set())
    assert set(everything) == {rule.id for rule in ledger.values() if rule.kind != "guidance"}
    assert untested(ledger, {everything[0]}) == everything[1:]


def test_marks_are_found_in_the_sources(tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text("import pytest\n@pytest.mark.rule('a.b', 'a.c')\ndef test_x(): ...\n")
    assert list(marked_rules(tmp_path)) == [("a.b", "test_x.py:2"), ("a.c", "test_x.py:2")]


COMPLAINTS = {
    '"mars.check.outcome"': 'did you mean "mars.check.outcomes"?',
    '"morse.check.outcomes"': 'there is no system "morse"',
    '"mars.check.outcomes", "mars.dice.merge", "mars.dice.table", "mars.dice.maximum"': "one to 3 rules, not 4",
    "": "one to 3 rules, not 0",
    "7": "rule ids and nothing else",
}


def run_marked(pytester: pytest.Pytester, *marks: str) -> pytest.RunResult:
    """Run one empty test for each mark, under the settings of this suite."""
    pytester.makeconftest((TESTS / "conftest.py").read_text(encoding="utf-8"))
    pytester.makeini("[pytest]\nmarkers = rule(*ids): the rules")
    tests = [
        f"@pytest.mark.rule({mark})\ndef test_{number}():\n    pass\n" for number, mark in enumerate(marks, start=1)
    ]
    pytester.makepyfile(test_marked="\n".join(["import pytest\n", *tests]))
    return pytester.runpytest_inprocess()


def test_wrong_marks_stop_the_run_and_each_is_named(pytester: pytest.Pytester) -> None:
    result = run_marked(pytester, '"mars.check.outcomes"', *COMPLAINTS)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = result.stderr.str()
    for number, complaint in enumerate(COMPLAINTS.values(), start=2):
        (line,) = [line for line in told.splitlines() if f"::test_{number}:" in line]
        assert complaint in line
    assert "::test_1:" not in told


def test_a_right_mark_runs(pytester: pytest.Pytester) -> None:
    run_marked(pytester, '"mars.check.outcomes"').assert_outcomes(passed=1)
