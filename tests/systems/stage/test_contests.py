"""Checks of two against each other: who sets the Difficulty, who wins a tie, and who is best of several."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.stage.people import library, person, plan, scene_of, session_of, somebody
from tablewright.engine import odds
from tablewright.errors import IllegalActionError
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.chapters.pursuits import ranking
from tablewright.systems.stage.modifiers import applications
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.values import HOUR

LEDGER = Ledger.load("stage")
CONTESTS = [
    pytest.param("guile.bluff", "perception.intuition", marks=pytest.mark.rule("stage.guile.bluff")),
    pytest.param("intimidate.bully", "intimidate.bully", marks=pytest.mark.rule("stage.intimidate.bully")),
    pytest.param("intimidate.interrogate", "manipulation.lie", marks=pytest.mark.rule("stage.intimidate.interrogate")),
    pytest.param("manipulation.brag", "perception.intuition", marks=pytest.mark.rule("stage.manipulation.brag")),
    pytest.param(
        "manipulation.distract", "manipulation.distract", marks=pytest.mark.rule("stage.manipulation.distract")
    ),
    pytest.param("manipulation.insult", "perception.intuition", marks=pytest.mark.rule("stage.manipulation.insult")),
    pytest.param("manipulation.lie", "manipulation.lie", marks=pytest.mark.rule("stage.manipulation.lie")),
    pytest.param("speechcraft.persuade", "speechcraft.persuade", marks=pytest.mark.rule("stage.speechcraft.persuade")),
]


def _contest(key: str, other: str, mine: int = 3, theirs: int = 2, **situation: Any) -> Any:
    scene = scene_of({"ann": somebody(mine, name="Ann"), "bob": somebody(theirs, name="Bob")})
    kinds = [rulebook.check(name) for name in (key, other)]
    subjects = [rulebook.subject(scene[who], scene) for who in ("ann", "bob")]
    against = kinds[0].against
    assert against is not None
    return against(kinds[0].contender(subjects[0], situation), kinds[1].contender(subjects[1], {}))


@pytest.mark.rule("stage.opposed.basic", "stage.check.flat")
@pytest.mark.parametrize(("key", "other"), CONTESTS)
def test_the_target_sets_the_difficulty(key: str, other: str) -> None:
    planned = _contest(key, other)
    assert planned.call.mechanic.name == "stage.opposed"
    assert planned.call.arguments[:5] == (3, 2, 0, 0, 0)
    one, data = applications(library())[key], LEDGER[f"stage.{key}"].data
    assert (one.check, one.ap_defender, one.ap) == (data["check"], 0, data.get("ap"))
    assert [name for name in data["opposed_by"] if name not in one.opposed_by] == []
    with pytest.raises(IllegalActionError, match=r"is opposed by .*, not by Agility \(balance\)"):
        _contest(key, "agility.balance")


@pytest.mark.rule("stage.opposed.basic")
@pytest.mark.parametrize(
    ("key", "other"),
    [
        ("guile.sneak", "perception.detect"),
        ("guile.conceal", "perception.investigate"),
        ("guile.pick_pocket", "perception.detect"),
        ("survival.conceal_tracks", "survival.track"),
    ],
)
def test_a_character_who_hides_sets_the_difficulty_and_ties_favour_the_observer(key: str, other: str) -> None:
    planned = _contest(key, other, 1, 1)
    assert planned.call.mechanic.name == "stage.unnoticed"
    assert odds(planned.call).chance(lambda result: result.success) == Fraction(15, 36)
    seeking = {"survival.track": "guile.sneak"}.get(other)
    if seeking is None:
        back = _contest(other, key, 1, 1)
        assert odds(back.call).chance(lambda result: result.success) == Fraction(21, 36)


@pytest.mark.rule("stage.survival.track", "stage.survival.conceal_tracks")
def test_following_tracks_takes_an_hour() -> None:
    session = session_of({who: somebody(1, name=who.title()) for who in ("ann", "bob")})
    session.do("table.contest", who="ann", what="survival.track", against="bob", with_what="survival.conceal_tracks")
    session.type_in([3])
    session.type_in([3])
    assert session.result.success
    assert session.scene.clock.now == HOUR


@pytest.mark.rule("stage.athletics.pursue")
def test_the_pursued_has_a_die_more() -> None:
    planned = _contest("athletics.pursue", "athletics.pursue", 3, 3)
    assert planned.call.arguments[:2] == (3, 4)
    assert (
        applications(library())["athletics.pursue"].ap_defender == applications(library())["athletics.pursue"].ap == 3
    )


@pytest.mark.rule("stage.athletics.compete", "stage.speechcraft.discuss")
@pytest.mark.parametrize("key", ["athletics.compete", "speechcraft.discuss"])
def test_the_highest_wins_and_ties_are_rolled_again(key: str) -> None:
    planned = _contest(key, key, 2, 2)
    assert planned.call.mechanic.name == "stage.compete"
    exact = odds(planned.call)
    assert exact[True] == Fraction(1, 2)
    assert exact.again > 0
    session = session_of({who: somebody(1, name=who.title()) for who in ("ann", "bob", "cy")})
    session.do(ranking.name, who=["ann", "bob", "cy"], what=key)
    for face in (4, 6, 6, 2, 5):  # bob and cy are tied and roll again
        session.type_in([face])
    assert session.result == ("cy", "bob", "ann")


def test_without_magic_nobody_casts() -> None:
    with pytest.raises(IllegalActionError, match="no magic"):
        plan(person("ysolt"), "projection.detect", StageOptions(magic="off"), circle=1)
