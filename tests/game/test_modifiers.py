"""Parts gathered from sources, how they go together, and the game master's rulings at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from coinfolk import system
from coinfolk.book import Coinling, rulebook
from pydantic import ValidationError

from game.opened import open_characters
from tablewright.engine import Tally
from tablewright.engine.tally import Part
from tablewright.errors import TablewrightError
from tablewright.game.play.checks import Subject
from tablewright.game.play.common_events import Modified
from tablewright.game.play.modifiers import Bonus, Modifiers
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session

LAMP = Bonus(what="wit", value=2, when="dark", kind="tool")
CAP = Bonus(what="wit", value=1, kind="tool")


def gear(subject: Subject, words: frozenset[str]) -> Iterator[Part]:
    yield from LAMP.parts("lamp", "demo.gear.lamp", words)
    yield from CAP.parts("cap", "demo.gear.cap", words)


def mood(subject: Subject, words: frozenset[str]) -> Iterator[Part]:
    yield Part("mood", subject.character.wit - 3, "demo.mood.bad")


def test_sources_in_order_and_only_what_counts() -> None:
    ann = Subject(Coinling(name="Ann", wit=2), None, None)
    modified = Modifiers(gear, mood)
    assert [part.label for part in modified(Tally.of("wit", 2), ann, "wit").parts] == ["cap", "mood"]
    assert modified(Tally.of("wit", 2), ann, "wit", "dark").total == 2 + 2 + 1 - 1
    assert modified(Tally.of("grit", 2), ann, "grit", "dark").total == 2 - 1
    calm = Subject(Coinling(name="Bob", wit=3), None, None)
    assert modified(Tally.of("grit", 2), calm, "grit").parts == ()  # nothing of nothing is not shown


def test_rulings_come_last_and_no_rule_settles_them() -> None:
    session = open_characters(system, [("ann", Coinling(name="Ann", wit=2)), ("bob", Coinling(name="Bob"))], seed=1)
    session.do("table.modify", what="wit", value=5, reason="a hint", who="ann")
    session.do("table.modify", what="dark", value=-1, reason="new moon")
    ann, bob = [rulebook.subject(session.scene[who], session.scene) for who in ("ann", "bob")]
    modified = Modifiers(gear, settle=lambda tally: tally.only_best("tool").limit(0, 4, "demo.most"))
    tally = modified(Tally.of("wit", 3), ann, "wit", "dark")
    assert [(part.label, part.counts) for part in tally.parts] == [
        ("lamp", True),
        ("cap", False),
        ("at most 4", True),
        ("a hint", True),
        ("new moon", True),
    ]
    assert tally.total == 4 + 5 - 1
    assert modified(Tally.of("wit", 1), bob, "wit").total == 2
    assert modified(Tally.of("wit", 1), bob, "wit", "wit").total == 2


def test_a_bonus_is_plain_data() -> None:
    assert [part.changed for part in CAP.parts("caps", None, frozenset(["wit"]), times=3)] == [3]
    assert Bonus.model_validate({"what": "climb", "value": -2, "when": "rain"}).when == "rain"
    for wrong in ({"what": "climb"}, {"what": "", "value": 1}, {"what": "climb", "value": "1"}, {"what": "a", "v": 1}):
        with pytest.raises(ValidationError):
            Bonus.model_validate(wrong)


@pytest.mark.parametrize("system_id", ["coinfolk", "marchen", "mars", "opend6", "renaissance", "stage"])
def test_the_game_masters_modifiers_count_in_every_check(system_id: str) -> None:
    session = open_session(load_scenario(f"{system_id}:together"), seed=1)
    book, who = session.rulebook, session.scene.participants[0].id
    plain = book.subject(session.scene[who], session.scene)
    tried = 0
    for check in book.checks:
        try:
            before = check.read(plain, {})
        except TablewrightError:
            continue  # one that needs more to be said, or that this one cannot make
        ruled = book.apply(session.scene, Modified(who=who, what=check.id, value=2, reason="I say so", cause="ruling"))
        after = check.read(book.subject(ruled[who], ruled), {})
        assert after.call != before.call, check.id
        assert any(part.label == "I say so" for tally in after.tallies.values() for part in tally.parts), check.id
        tried += 1
    assert tried > 1
