"""Checks of two against each other: who sets the Difficulty, who wins a tie, and who is best of several."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.playing import answer
from systems.stage.people import library, person, plan, refused, scene_of, session_of, somebody
from tablewright.engine import odds
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.chapters.pursuits import ranking
from tablewright.systems.stage.modifiers import applications
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.values import HOUR

LEDGER = Ledger.load("stage")


def _contest(key: str, other: str, mine: int = 3, theirs: int = 2, **situation: Any) -> Any:
    scene = scene_of({"ann": somebody(mine, name="Ann"), "bob": somebody(theirs, name="Bob")})
    kinds = [rulebook.check(name) for name in (key, other)]
    subjects = [rulebook.subject(scene[who], scene) for who in ("ann", "bob")]
    against = kinds[0].against
    assert against is not None
    return against(kinds[0].contender(subjects[0], situation), kinds[1].contender(subjects[1], {}))


CONTESTS = {
    "guile.bluff": "perception.intuition",
    "intimidate.bully": "intimidate.bully",
    "intimidate.interrogate": "manipulation.lie",
    "manipulation.brag": "perception.intuition",
    "manipulation.distract": "manipulation.distract",
    "manipulation.insult": "perception.intuition",
    "manipulation.lie": "manipulation.lie",
    "speechcraft.persuade": "speechcraft.persuade",
}


@pytest.mark.rule("stage.opposed.basic", "stage.check.flat")
@pytest.mark.rule("stage.guile.bluff", "stage.intimidate.bully", "stage.intimidate.interrogate")
@pytest.mark.rule("stage.manipulation.brag", "stage.manipulation.distract", "stage.manipulation.insult")
@pytest.mark.rule("stage.manipulation.lie", "stage.speechcraft.persuade")
@each_case(("key", "other"), CONTESTS.items())
def test_the_target_sets_the_difficulty(key: str, other: str) -> None:
    planned = _contest(key, other)
    assert planned.call.mechanic.name == "stage.opposed"
    assert planned.call.arguments[:5] == (3, 2, 0, 0, 0)
    one, data = applications(library())[key], LEDGER[f"stage.{key}"].data
    assert (one.check, one.ap_defender, one.ap) == (data["check"], 0, data.get("ap"))
    assert [name for name in data["opposed_by"] if name not in one.opposed_by] == []
    refused(r"is opposed by .*, not by Agility \(balance\)", _contest, key, "agility.balance")


@pytest.mark.rule("stage.opposed.basic")
@each_case(
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
    if other != "survival.track":
        assert odds(_contest(other, key, 1, 1).call).chance(lambda result: result.success) == Fraction(21, 36)


@pytest.mark.rule("stage.survival.track", "stage.survival.conceal_tracks")
def test_following_tracks_takes_an_hour() -> None:
    session = session_of({who: somebody(1, name=who.title()) for who in ("ann", "bob")})
    session.do("table.contest", who="ann", what="survival.track", against="bob", with_what="survival.conceal_tracks")
    answer(session, [3], [3])
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
    refused("no magic", plan, person("ysolt"), "projection.detect", StageOptions(magic="off"), circle=1)


@pytest.mark.rule("stage.survival.train")
def test_a_wolf_learns_a_trick() -> None:
    session = session_of({"ann": somebody(3, name="Ann"), "wolf": person("wolf")})
    lesson = {"who": "ann", "animal": "wolf"}
    session.do("stage.train", trick="fetch", **lesson)  # Will 3 and Spirit 3
    answer(session, "2", [3, 3], [5])
    assert session.result
    assert session.scene["wolf"].character.tricks == ("fetch",)
    assert session.scene.clock.now == 3 * HOUR
    assert session.scene["ann"].status.will == 24 - 1
    refused("knows fetch already", session.do, "stage.train", trick="fetch", **lesson)
    refused('" " names no trick; write a word or two, such as fetch', session.do, "stage.train", trick=" ", **lesson)
    session.do("stage.train", trick="sit", **lesson)
    answer(session, "2", [2, 3])
    assert not session.result
    assert session.scene["wolf"].character.tricks == ("fetch",)


@pytest.mark.rule("stage.survival.forage_gather_hunt")
def test_food_and_water_for_a_day() -> None:
    session = session_of({"ann": somebody(3, name="Ann")})
    session.do("stage.forage", who="ann", situation=["difficulty=average", "when=on_the_move"])
    answer(session, "1", [4], [6])
    assert [str(one) for one in session.scene["ann"].belongings] == ["ration (pack)", "water (pack)"]
    assert session.scene.clock.now == 2 * HOUR
    session.do("stage.forage", who="ann", situation=["difficulty=average"])
    answer(session, "1", [3])
    assert len(session.scene["ann"].belongings) == 2
    assert session.scene.clock.now == 10 * HOUR


@pytest.mark.rule("stage.crafts.sabotage")
def test_a_mail_shirt_is_spoilt() -> None:
    assert LEDGER["stage.crafts.sabotage"].data["bypass_armour"]
    session = session_of({"ann": somebody(4, name="Ann", has=["crafts_kit"]), "bob": person("guard")})
    session.do("stage.sabotage", who="ann", owner="bob", item="mail_shirt")  # Size 6, Complexity 8
    answer(session, "3", [5, 5, 4], [4])
    assert session.result == 4  # its Resistance does not help
    assert {one.item: one.left for one in session.scene["bob"].belongings}["mail_shirt"] == 9 - 4
    session.do("stage.sabotage", who="ann", owner="bob", item="mail_shirt")
    answer(session, "3", [5, 5, 3])
    assert session.result == 0
    refused("no Bow is whole", session.do, "stage.sabotage", who="ann", owner="bob", item="bow")


@pytest.mark.rule("stage.athletics.pursue")
def test_a_chase() -> None:
    session = session_of({"wolf": person("wolf"), "bob": person("bandit")})
    session.do("stage.pursue", who="wolf", pursued="bob", cubes=3)
    answer(session, [3, 2], [3, 2])  # one die, and one for being pursued; a tie goes to the pursuer
    assert session.result == 3 - 2
    session.do("stage.pursue", who="wolf", pursued="bob", cubes=1)
    answer(session, [6, 2], [3, 2])
    assert session.result == 1 + 1
