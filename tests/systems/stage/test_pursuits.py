"""Skills outside fights."""

from __future__ import annotations

import pytest

from systems.playing import answer
from systems.stage.people import library, person, session_of, somebody
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.stage.character.figures import figures
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.values import HOUR

LEDGER = Ledger.load("stage")


@pytest.mark.rule("stage.survival.train")
def test_a_wolf_learns_a_trick() -> None:
    session = session_of({"ann": somebody(3, name="Ann"), "wolf": person("wolf")})
    session.do("stage.train", who="ann", animal="wolf", trick="fetch")  # Will 3 and Spirit 3
    answer(session, "2", [3, 3], [5])
    assert session.result
    assert session.scene["wolf"].character.tricks == ("fetch",)
    assert session.scene.clock.now == 3 * HOUR
    assert session.scene["ann"].status.will == 24 - 1
    with pytest.raises(IllegalActionError, match="knows fetch already"):
        session.do("stage.train", who="ann", animal="wolf", trick="fetch")
    with pytest.raises(InvalidInputError, match='" " names no trick; write a word or two, such as fetch'):
        session.do("stage.train", who="ann", animal="wolf", trick=" ")
    session.do("stage.train", who="ann", animal="wolf", trick="sit")
    answer(session, "2", [2, 3])
    assert not session.result
    assert session.scene["wolf"].character.tricks == ("fetch",)
    assert figures(person("wolf"), StageOptions(), library()).soul == 3


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
    with pytest.raises(IllegalActionError, match="no Bow is whole"):
        session.do("stage.sabotage", who="ann", owner="bob", item="bow")


@pytest.mark.rule("stage.athletics.pursue")
def test_a_chase() -> None:
    session = session_of({"wolf": person("wolf"), "bob": person("bandit")})
    session.do("stage.pursue", who="wolf", pursued="bob", cubes=3)
    answer(session, [3, 2], [3, 2])  # one die, and one for being pursued; a tie goes to the pursuer
    assert session.result == 3 - 2
    session.do("stage.pursue", who="wolf", pursued="bob", cubes=1)
    answer(session, [6, 2], [3, 2])
    assert session.result == 1 + 1
