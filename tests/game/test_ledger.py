from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from each_case import each_case
from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.rules.ledger import Ledger, Rule, found_in_data, numbered
from tablewright.game.system.registry import load_all

MARS = Ledger.load("mars")


def entry(rule_id: str, **more: Any) -> dict[str, Any]:
    return {"id": rule_id, "title": "A rule", "section": "One", "kind": "mechanic", "rule": "Roll.", **more}


def ledger_of(*entries: dict[str, Any]) -> Ledger:
    return Ledger.from_content({"system": "coin", "title": "Coinfolk", "rules": list(entries)})


@pytest.mark.parametrize("system_id", system_ids())
def test_a_ledger_of_every_system(system_id: str) -> None:
    ledger = Ledger.load(system_id)
    assert ledger.system == system_id
    assert len(ledger) == len(ledger.rules) > 0
    assert list(ledger) == [rule.id for rule in ledger.rules]
    assert all(rule.text and rule.citation.startswith(ledger.book) for rule in ledger.values())
    assert ledger.source
    assert ledger.licence


@pytest.mark.parametrize(
    ("system_id", "rules"), [("marchen", 240), ("mars", 184), ("opend6", 107), ("renaissance", 239), ("stage", 368)]
)
def test_no_rule_of_a_book_gets_lost(system_id: str, rules: int) -> None:
    assert sum(rule.origin == "seed" for rule in Ledger.load(system_id).rules) >= rules


def test_the_title_of_a_system_is_the_title_of_its_book() -> None:
    assert {system.id: system.title for system in load_all().systems} == {
        system_id: Ledger.load(system_id).book for system_id in system_ids()
    }


def test_no_shipped_text_points_outside_the_package() -> None:
    for system_id in system_ids():
        for rule in Ledger.load(system_id).values():
            text = json.dumps(rule.to_json())
            assert not re.search(r"\.\./|\w/\w+\.\w|\.(?:txt|md|yaml)\b|gaps file", text), rule.id


def test_a_rule_has_what_the_file_says() -> None:
    ledger = ledger_of(
        entry(
            "coin.toss",
            data={"4": ["a", {"x": 1}]},
            examples=[{"given": 1}],
            ruling="Ours.",
            origin="house",
            changed="line 3",
            at=[3, 4],
        )
    )
    assert ledger["coin.toss"] == Rule(
        id="coin.toss",
        book="Coinfolk",
        title="A rule",
        section="One",
        kind="mechanic",
        text="Roll.",
        data={"4": ("a", {"x": 1})},
        examples=({"given": 1},),
        ruling="Ours.",
        origin="house",
        changed="line 3",
        at=(3, 4),
    )
    assert ledger["coin.toss"].to_json()["data"] == {"4": ["a", {"x": 1}]}
    assert ledger_of(entry("coin.toss"))["coin.toss"].origin == "seed"


def test_nothing_of_a_ledger_can_be_changed() -> None:
    rule = next(rule for rule in MARS.rules if rule.data)
    with pytest.raises(TypeError):
        rule.data["new"] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        rule.title = "x"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        MARS.book = "x"  # type: ignore[misc]
    assert hash(MARS) == hash(Ledger.load("mars"))


def test_an_unknown_rule_is_refused_with_the_nearest() -> None:
    with pytest.raises(
        InvalidInputError, match=r'MARS has no rule "mars.chek.outcomes"; did you mean "mars.check.outcomes"\?'
    ):
        MARS.rule("mars.chek.outcomes")
    with pytest.raises(InvalidInputError, match=r'did you mean "mars.advantage.cancel"'):
        MARS.rule("cancel")
    with pytest.raises(InvalidInputError):
        MARS.rule("")
    with pytest.raises(KeyError):
        MARS["mars.chek"]
    assert "mars.chek" not in MARS
    assert MARS.get("mars.chek") is None


def test_topics_and_what_is_under_them() -> None:
    assert "mars.check" in MARS.topics()
    under = MARS.under("mars.check")
    assert under
    assert {rule.topic for rule in under} == {"mars.check"}
    assert MARS.under("mars") == MARS.rules
    assert sum(len([rule for rule in MARS.rules if rule.topic == topic]) for topic in MARS.topics()) == len(MARS)
    with pytest.raises(InvalidInputError, match=r'no rules under "mars.chec"; did you mean "mars.check"'):
        MARS.under("mars.chec")


@pytest.fixture
def searched() -> Ledger:
    return ledger_of(
        entry("coin.a.first", title="Tossing", rule="Use the purse when you can."),
        entry("coin.b.second", title="The purse", rule="Nothing."),
        entry("coin.purse.third", title="Money", rule="Nothing."),
        entry("coin.c.fourth", title="Zoë's Rule", rule="A purseful of coins; rounds down."),
        entry("coin.d.fifth", title="Other", rule="Again the purse."),
    )


def test_search_ranks_id_before_title_before_text_and_is_stable(searched: Ledger) -> None:
    found = [rule.id for rule in searched.search("purse")]
    assert found == ["coin.purse.third", "coin.b.second", "coin.a.first", "coin.d.fifth", "coin.c.fourth"]


def test_search_wants_every_word_and_ignores_case_and_accents(searched: Ledger) -> None:
    assert [rule.id for rule in searched.search("PURSE again")] == ["coin.d.fifth"]
    assert [rule.id for rule in searched.search("zoe rounds")] == ["coin.c.fourth"]
    assert [rule.id for rule in searched.search("Zoë")] == ["coin.c.fourth"]
    assert searched.search("purse dragon") == ()
    assert searched.search("  ") == ()
    assert searched.search("?!") == ()


def test_search_looks_into_data_last() -> None:
    def entry(name: str, text: str, data: object) -> dict[str, object]:
        return {"id": f"coin.{name}", "title": "T", "section": "S", "kind": "table", "rule": text, "data": data}

    data = {"tasks": {"hard": ["climb a sheer wall", "run"], "harder": ["climb anything sheer"]}, "of": {"wall": [3]}}
    rules = [entry("deep.one", "Nothing.", data), entry("text.two", "A wall that is sheer.", None)]
    ledger = Ledger.from_content({"system": "coin", "title": "Coin", "rules": rules})
    assert [rule.id for rule in ledger.search("sheer wall")] == ["coin.text.two", "coin.deep.one"]
    assert [rule.id for rule in ledger.search("climb any")] == ["coin.deep.one"]
    assert ledger.search("sheer dragon") == ()
    assert found_in_data(ledger["coin.deep.one"], "a sheer Wall") == (
        ("tasks / hard", "climb a sheer wall"),
        ("tasks / harder", "climb anything sheer"),
    )
    assert found_in_data(ledger["coin.text.two"], "sheer") == ()


def test_search_by_a_whole_id_finds_that_rule_first() -> None:
    for rule in MARS.rules:
        assert MARS.search(rule.id)[0] == rule


@each_case(
    ("spoil", "complaint"),
    [
        (lambda rules: rules.append(entry("coin.toss")), "coin.toss: the id is given twice"),
        (lambda rules: rules[0].pop("title"), "coin.toss: title is missing or not text"),
        (lambda rules: rules[0].update(kind="mechanik"), 'kind is "mechanik", allowed are mechanic, procedure'),
        (lambda rules: rules[0].update(origin="own"), 'origin is "own", allowed are seed, upstream, house'),
        (lambda rules: rules[0].update(rulling="x"), 'unknown field "rulling"; did you mean "ruling"?'),
        (lambda rules: rules[0].update(examples={"a": 1}), "examples is not a list"),
        (lambda rules: rules[0].update(ruling=3), "ruling is not text"),
        (lambda rules: rules.append("x"), "rule 2 is not a mapping"),
        (lambda rules: rules.append(entry("mars.x")), 'begins with "coin."'),
        (lambda rules: rules.append(entry("coin.Toss")), "lower-case"),
    ],
)
def test_a_wrong_ledger_is_refused(spoil: Callable[[list[Any]], object], complaint: str) -> None:
    rules: list[Any] = [entry("coin.toss")]
    spoil(rules)
    with pytest.raises(ProblemListError) as refusal:
        ledger_of(*rules)
    assert complaint in str(refusal.value)


def test_all_problems_of_a_ledger_come_at_once() -> None:
    with pytest.raises(ProblemListError) as refusal:
        ledger_of(entry("coin.a", kind="x"), entry("coin.a", origin="y"))
    assert len(refusal.value.problems) == 3
    contents: list[Any] = [None, [], {"system": "coin"}, {"system": 1, "title": 2, "rules": 3}]
    for content in contents:
        with pytest.raises(ProblemListError):
            Ledger.from_content(content)


def test_a_ledger_of_an_unregistered_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "loose_rules"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InvalidInputError, match=r'"loose_rules" has no ledger\.yaml'):
        Ledger.load("loose_rules")
    source = package / "ledger.yaml"
    source.write_text("system: loose\ntitle: [\n")
    with pytest.raises(InvalidInputError, match=r"ledger\.yaml:3: "):
        Ledger.load("loose_rules")
    source.write_text(
        "system: loose\ntitle: Loose\nrules:\n- {id: loose.a, title: A, section: B, kind: table, rule: C, data: {1: x}}"
    )
    ledger = Ledger.load("loose_rules")
    assert numbered(ledger["loose.a"].data) == {1: "x"}


@pytest.mark.parametrize(
    "name", ["mras", "", "no.such.package", "..", ".mars", "tablewright.errors", "mars\0", "é" * 5000]
)
def test_an_unknown_system_is_refused(name: str) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        Ledger.load(name)
    assert "\n" not in str(refusal.value)


def test_importing_and_loading_stay_light() -> None:
    program = """
import sys
from tablewright.game.rules.ledger import Ledger
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
import tablewright.game.system.system
assert not [path for path in opened if "ledger.yaml" in path or "compiled.json" in path], opened
Ledger.load("mars")
assert [path for path in opened if path.endswith("ledger.compiled.json")], opened
heavy = {"yaml", "tablewright.systems.mars", "numpy", "pydantic"} & set(sys.modules)
assert not heavy, heavy
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
