"""Rule marks are honest: known ids only, and a finished system has every rule tested."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablewright.game.ledger import Ledger
from tablewright.game.registry import load_all

pytest_plugins = ["pytester"]

TESTS = Path(__file__).parents[1]


def marked_rules(folder: Path) -> Iterator[tuple[str, str]]:
    """Every rule id in a `pytest.mark.rule(...)` anywhere below the folder, with where it stands."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                for argument in node.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield argument.value, f"{path.relative_to(folder)}:{node.lineno}"


def untested(ledger: Ledger, marked: set[str]) -> list[str]:
    return [rule.id for rule in ledger.values() if not rule.is_guidance and rule.id not in marked]


def test_every_rule_of_a_finished_system_has_a_test() -> None:
    marked = {rule_id for rule_id, _ in marked_rules(TESTS)}
    systems = load_all().systems
    assert systems
    gaps = {system.id: untested(system.ledger, marked) for system in systems if system.is_finished}
    assert gaps == {system_id: [] for system_id in gaps}


def test_guidance_needs_no_test_but_everything_else_does() -> None:
    ledger = Ledger.load("mars")
    everything = untested(ledger, set())
    assert set(everything) == {rule.id for rule in ledger.values() if rule.kind != "guidance"}
    assert untested(ledger, {everything[0]}) == everything[1:]


def test_marks_are_found_in_the_sources(tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text("import pytest\n@pytest.mark.rule('a.b', 'a.c')\ndef test_x(): ...\n")
    assert list(marked_rules(tmp_path)) == [("a.b", "test_x.py:2"), ("a.c", "test_x.py:2")]


@pytest.mark.parametrize(
    ("mark", "complaint"),
    [
        ('"mars.check.outcome"', 'did you mean "mars.check.outcomes"?'),
        ('"morse.check.outcomes"', 'there is no system "morse"'),
        ('"mars.check.outcomes", "mars.dice.merge", "mars.dice.table", "mars.dice.maximum"', "one to 3 rules, not 4"),
        ("", "one to 3 rules, not 0"),
        ("7", "rule ids and nothing else"),
    ],
)
def test_a_wrong_mark_stops_the_run(pytester: pytest.Pytester, mark: str, complaint: str) -> None:
    pytester.makeconftest((TESTS / "conftest.py").read_text(encoding="utf-8"))
    pytester.makeini("[pytest]\nmarkers = rule(*ids): the rules")
    pytester.makepyfile(f"import pytest\n\n@pytest.mark.rule({mark})\ndef test_it():\n    pass\n")
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert complaint in result.stderr.str()


def test_a_right_mark_runs(pytester: pytest.Pytester) -> None:
    pytester.makeconftest((TESTS / "conftest.py").read_text(encoding="utf-8"))
    pytester.makeini("[pytest]\nmarkers = rule(*ids): the rules")
    pytester.makepyfile('import pytest\n\n@pytest.mark.rule("mars.check.outcomes")\ndef test_it():\n    pass\n')
    pytester.runpytest_inprocess().assert_outcomes(passed=1)
