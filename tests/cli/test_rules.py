"""`tablewright rules`: browse, search, open, options."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tablewright
from tablewright.cli.views.rules import impact_sentence
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.rules.ledger import Ledger
from tablewright.game.system.option_impact import typical_odds
from tablewright.game.system.registry import load_system

if TYPE_CHECKING:
    from cli.conftest import Runner

OWN = system_ids()


def test_all_books_with_their_topics(tw: Runner) -> None:
    books = tw("rules", "--json").json["systems"]
    assert [book["id"] for book in books] == list(system_ids())
    for book in books:
        assert book["rules"] == len(Ledger.load(book["id"]))
        assert sum(topic["rules"] for topic in book["topics"]) == book["rules"]
    drawn = tw("rules").out
    for book in books:
        assert book["id"] in drawn
        assert str(book["rules"]) in drawn


@pytest.mark.parametrize("system", OWN)
def test_a_book_a_topic_and_every_kind_of_rule_can_be_opened(tw: Runner, system: str) -> None:
    ledger = Ledger.load(system)
    topics = tw("rules", system).out
    for topic in ledger.topics():
        assert topic in topics
    topic = ledger.rules[0].topic
    assert [rule["id"] for rule in tw("rules", topic, "--json").json["rules"]] == [r.id for r in ledger.under(topic)]
    longest = max(ledger.rules, key=lambda rule: len(str(rule.data)))
    for rule in {rule.kind: rule for rule in ledger.rules}.values(), [longest]:
        for one in rule:
            for columns in (40, 100):
                page = tw("rules", one.id, columns=columns)
                assert page.status == 0
                assert " ".join(one.title.split()[:1]) in page.out


def test_one_rule_in_full(tw: Runner) -> None:
    rule = tw("rules", "penny.toss.heads", "--json").json
    assert rule["title"] == "Counting heads"
    assert rule["citation"] == "Penny & Größer, Tossing"
    assert rule["data"] == {"coins": {"1": "one", "2": "two"}, "list": [1, 2]}
    assert rule["examples"] == [{"coins": 2, "heads": 1}]
    assert rule["mechanics"] == ["penny.toss", "penny.total", "penny.bet"]
    assert [user["name"] for user in rule["users"]] == rule["mechanics"]
    assert all(user["where"].startswith("__init__.py:") for user in rule["users"])
    page = tw("rules", "penny.toss.heads").out
    for word in ("Counting heads", "Penny & Größer, Tossing", "Coins are tossed", "one", "penny.total"):
        assert word in page
    assert "A coin on its edge" in tw("rules", "penny.toss.tie").out


def test_a_search_goes_over_all_books_and_can_be_narrowed(tw: Runner) -> None:
    everywhere = tw("rules", "critical", "failure", "--json").json["rules"]
    assert len({rule["system"] for rule in everywhere}) >= 4
    assert tw("rules", "critical failure", "--json").json["rules"] == everywhere
    one = tw("rules", "critical", "failure", "--system", "mars", "--json").json["rules"]
    assert one == [rule for rule in everywhere if rule["system"] == "mars"]
    assert tw("rules", "mars", "critical", "failure", "--json").json["rules"] == one
    tables = tw("rules", "damage", "--kind", "table", "--json").json["rules"]
    assert {rule["kind"] for rule in tables} == {"table"}
    drawn = tw("rules", "critical", "failure").out
    assert everywhere[0]["id"] in drawn


def test_a_single_hit_is_opened_with_what_was_found_in_its_data(tw: Runner) -> None:
    page = tw("rules", "sheer wall").out
    assert "marchen.skill.athletics" in page.splitlines()[0]
    assert page.index("the lower rating") < page.index("tasks / formidable: climb a sheer wall")
    assert "tasks / heroic: climb a sheer surface" in page
    (one,) = tw("rules", "sheer wall", "--json").json["rules"]
    assert one["found"][0] == {"where": "tasks / formidable", "what": "climb a sheer wall"}


def test_case_and_accents_do_not_matter(tw: Runner) -> None:
    found = tw("rules", "ZWEIHANDER", "--json").json["rules"]
    assert [rule["id"] for rule in found] == ["penny.bet.place"]


def test_nothing_found_is_an_answer(tw: Runner) -> None:
    ran = tw("rules", "qqqqq", "--json")
    assert ran.status == 0
    assert ran.json["rules"] == []
    assert tw("rules", "qqqqq").status == 0


def test_from_a_rule_to_everything_that_follows_it(tw: Runner) -> None:
    users = tw("rules", "mars.action.drop_prone", "--code", "--json").json["users"]
    assert {(user["kind"], user["name"]) for user in users} >= {
        ("action", "drop_prone"),
        ("requirement of", "drop_prone"),
    }
    for user in users:
        file, _, line = user["where"].partition(":")
        assert file.startswith("systems/mars/")
        source = Path(tablewright.__file__).parent.joinpath(file).read_text(encoding="utf-8").splitlines()
        wanted = '@free("Drop prone", ' if user["kind"] == "action" else "needs(lambda scene, who: "
        assert "def " in source[int(line) - 1] or wanted in source[int(line) - 1]
    told = tw("rules", "mars.advantage.die_choice", "--code").out
    assert "option advantage_die_choice" in " ".join(told.split())
    assert "systems/mars/mechanics/checks.py:" in told


def test_options_with_default_values_rule_and_words(tw: Runner) -> None:
    (penny,) = tw("rules", "--options", "penny", "--json").json["systems"]
    assert penny["options"] == [
        {
            "name": "edge",
            "default": "again",
            "choices": ["again", "lost"],
            "rule": "penny.toss.tie",
            "about": "what a coin on its edge means",
            "typical": [],
        },
        {
            "name": "limit",
            "default": 2,
            "low": 1,
            "high": 5,
            "rule": "penny.bet.place",
            "about": "the most that may be staked",
            "typical": [
                {"value": value, "check": "penny.bet purse=p3", "objective": "money"}
                | {"expected": float(expected), "expected_exact": str(expected), "chance": False}
                for value, expected in ((2, Fraction(7, 2)), (1, Fraction(13, 4)), (5, Fraction(15, 4)))
            ],
        },
    ]
    for columns in (40, 100):
        drawn = tw("rules", "penny", "--options", columns=columns).out
        for word in ("edge", "again", "lost", "penny.toss.tie", "shows in play", "3.5", "3.25", "3.75"):
            assert word in drawn
    described = {system: len(load_system(system).options.describe()) for system in system_ids()}
    listed = tw("rules", "--options", "--json").json["systems"]
    assert {system["id"]: len(system["options"]) for system in listed} == described


def test_every_option_of_the_games_says_what_it_changes() -> None:
    silent = [
        f"{system}.{option.name}"
        for system in ("marchen", "mars", "opend6", "renaissance", "stage")
        for option in load_system(system).options.describe()
        if option.typical is None and not option.effect.endswith(".")
    ]
    assert silent == []


@pytest.mark.parametrize("system", ["marchen", "mars", "opend6", "renaissance", "stage"])
def test_figures_of_options_are_sentences_without_ids(system: str) -> None:
    loaded = load_system(system)
    for option in loaded.options.describe():
        if values := typical_odds(loaded, option):
            told = impact_sentence(values, option.attribute)
            assert re.fullmatch(r"[A-Z][^_=]*[0-9][^_=]*\.", told), told
            assert not re.search(rf"\b({system}\.|thrifty|worth|None|True|False)", told) or "stamina" in told


def test_an_option_with_the_check_each_value_makes_of_it() -> None:
    opend6 = load_system("opend6")
    told = {
        name: impact_sentence(typical_odds(opend6, field), field.attribute)
        for name in ("initiative.bonus", "result.damage_bonus", "wild.critical_failure", "opposed.fallback")
        for field in (opend6.options.field(name),)
    }
    assert told == {
        "initiative.bonus": "Average total 10.29 with off, 12.29 with cumulative (bonus 2), 11.29 with best only "
        "(bonus 1); acumen 3D each time.",
        "result.damage_bonus": "Average harm 7.551 with all, 6.25 with important characters or off (fifth no); "
        "code 4D, difficulty 10, damage 2D, weapon 2D, resistance 3D each time.",
        "wild.critical_failure": "Success 61.54% with cancel or ask, 67.79% with complication "
        "(code 4D, difficulty 13).",
        "opposed.fallback": "Success 85.42% with derived (check: code 4D, difficulty 8), 61.02% with free reaction "
        "(opposed: initiator 4D, resister 3D+2).",
    }
