"""The escape from the keep, as the book tells it: one story through five scenes, all of its dice typed in.

Where the book gives only a total the faces are ours, as the ledger says (stage.example.story); what becomes of somebody
in one scene goes along into the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from systems.playing import go
from systems.stage.fights import BOOK, events, place, scene_with, status
from systems.stage.people import library, person
from tablewright.engine import Choose, Roll
from tablewright.game.ledger import Ledger
from tablewright.game.scene import Start
from tablewright.game.session import Header, Session
from tablewright.systems.stage.actions.move import move_ap
from tablewright.systems.stage.character.costs import spent
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.content import Lock
from tablewright.systems.stage.rolling import counters_of

STEPS = {step["step"]: step for step in Ledger.load("stage")["stage.example.story"].data["steps"]}
Told = str | Sequence[int]


class Story:
    """Those who escape, as they go from one scene into the next."""

    def __init__(self) -> None:
        self.people: dict[str, StageCharacter] = {name: person(name) for name in ("arlef", "brynh", "guard", "priest")}

    def scene(self, sides: dict[str, str], at: dict[str, tuple[int, int]] | None = None, **start: Any) -> Session:
        """A scene with some of them, each on a side."""
        people = [
            place(self.people[who], side, None if at is None else at[who], who=who) for who, side in sides.items()
        ]
        scene = scene_with(people, begun=False, start=Start(more=tuple(start.items())))
        return Session(Header("stage", "0.1.0", scene, 1), BOOK)

    def goes_on(self, session: Session) -> None:
        """Everybody takes along what has become of them."""
        for one in session.scene.participants:
            kept = BOOK.leave(session.scene, one.id)
            assert isinstance(kept, StageCharacter)
            self.people[one.id] = kept


def answers(session: Session, *told: Told) -> None:
    """Answers in the order in which they are asked for: options by id, rolls by their faces."""
    for one in told:
        if isinstance(one, str):
            assert isinstance(session.question, Choose), (one, session.question)
            session.choose(one)
        else:
            assert isinstance(session.question, Roll), (one, session.question)
            session.type_in(list(one))


@pytest.mark.rule("stage.example.story")
def test_two_prisoners_break_out_of_the_keep() -> None:
    story = Story()

    # Step 1: Arlef is made for 440 Character Points.
    arlef = story.people["arlef"]
    prices = spent(arlef, library()).total
    assert (prices, arlef.points - prices) == (440, 0)
    assert STEPS[1]["expect"]["skill_cp"] + STEPS[1]["expect"]["power_cp"] == 440

    # Steps 2 to 5: two locks of Complexity 8, and a guard in the corridor.
    keep = story.scene({"arlef": "heroes", "brynh": "heroes", "guard": "foes"})
    assert (library().get(Lock, "good_lock").complexity, library().get(Lock, "good_lock").size) == (8, 2)
    go(keep, "table.check", who="arlef", what="guile.disable", situation=("thing=good_lock",), faces=[[5, 3]])
    assert keep.result.success
    words = ("thing=good_lock", "improvised=yes")
    choices = {"dice for the first roll": "2"}
    go(keep, "table.check", who="brynh", what="crafts.sabotage", situation=words, faces=[[6, 5]], choices=choices)
    assert (keep.result.success, keep.result.effect) == (False, 0)  # 11 less 2 is not 10: no second roll
    assert keep.scene.clock.now == 300  # an hour
    go(
        keep,
        "table.contest",
        who="arlef",
        what="guile.sneak",
        against="guard",
        with_what="perception.detect",
        situation=("when=bad_visibility",),
        faces=[[4, 3, 3], [3]],
    )
    assert keep.result.success  # 3 does not reach 10
    go(keep, "table.check", who="arlef", what="guile.disable", situation=("thing=good_lock",), faces=[[4, 4]])
    assert keep.result.success
    assert move_ap(keep.scene, "arlef", "guile.sneak") == 1  # Stalker
    assert move_ap(keep.scene, "brynh", "guile.sneak") == 2

    # Steps 6 and 7: an ambush at the door, which this guard does not survive.
    story.people["guard"] = person("guard")
    door = story.scene({"arlef": "heroes", "brynh": "heroes", "guard": "foes"}, ambush="heroes")
    door.do("stage.encounter")
    answers(door, [2, 1], [5])
    assert (status(door, "arlef").initiative, door.scene.order) == (6, ("arlef", "brynh", "guard"))
    answers(door, "attack:guard:bow", "1", [6], [6], [6], "no")
    struck = events(door, "Attacked")[0]
    assert (struck.hit, struck.damage, status(door, "guard").dead) == (True, 11, True)
    assert door.scene.ended == "heroes win"
    story.goes_on(door)

    # Steps 8 to 15: the third guard outside.
    story.people["guard"] = person("guard")
    at = {"arlef": (5, 5), "brynh": (5, 5), "guard": (6, 5)}
    outside = story.scene({"arlef": "heroes", "brynh": "heroes", "guard": "foes"}, at)
    outside.do("stage.encounter")
    answers(outside, [4, 3], [5])
    assert outside.scene.order == ("arlef", "brynh", "guard")
    stamina = [status(outside, "guard").stamina]
    for first, second, block in ((3, 5, (2, 1)), (4, 3, (2, 2)), (4, 3, (2, 2))):
        answers(outside, "attack:guard:bow", "1", "nothing", [first], [second], "block", block)
        stamina.append(status(outside, "guard").stamina)
    assert [one.damage for one in events(outside, "Attacked")] == [1, 0, 0]
    assert (status(outside, "arlef").ap, status(outside, "guard").ap) == (0, 3)
    answers(outside, "end_turn")
    assert status(outside, "arlef").ap == 3
    answers(outside, "charge:guard:spear", "2", "parry", [3, 3], [4, 2])
    stamina.append(status(outside, "guard").stamina)
    assert (events(outside, "Attacked")[-1].hit, status(outside, "brynh").ap) == (False, 1)
    answers(outside, "attack:guard:spear", "1", "dodge", [1], [3], "step")
    stamina.append(status(outside, "guard").stamina)
    assert stamina == [5, 3, 2, 1, 0, 0]
    assert (status(outside, "brynh").ap, status(outside, "guard").ap) == (0, 2)
    assert status(outside, "guard").beside == ()
    answers(outside, "end_turn")
    assert (outside.scene.turn, status(outside, "guard").ap, status(outside, "brynh").ap) == ("guard", 2, 3)
    answers(outside, [4])  # the guard is out of Stamina and runs
    assert outside.scene.ended == "heroes win"
    story.goes_on(outside)
    assert story.people["guard"].wounds.stamina == 0

    # Steps 16 to 19: the priest, five cubes away.
    at = {"priest": (1, 1), "guard": (1, 1), "arlef": (6, 1), "brynh": (6, 1)}
    temple = story.scene({"priest": "foes", "guard": "foes", "arlef": "heroes", "brynh": "heroes"}, at)
    temple.do("stage.encounter")
    answers(temple, [5], [3, 1])
    assert temple.scene.order == ("priest", "guard", "arlef", "brynh")
    assert status(temple, "guard").stamina == 0
    answers(temple, "move:guard", "cast:guard:healing_touch", [5], [6])
    assert (status(temple, "guard").stamina, status(temple, "priest").stamina) == (5, 2)
    assert status(temple, "priest").ap == 0  # a step to the guard and 2 AP for the spell
    answers(temple, "end_turn", "end_turn", "end_turn", "end_turn")
    temple.do("table.rule", who="brynh", field="stamina", value="1", reason="a round of blows is not told")
    answers(temple, "cast:brynh:flare=fire", "dodge", [2], [4, 2], [3])
    burnt = events(temple, "Attacked")[-1]
    assert (burnt.hit, burnt.damage, burnt.attribute, burnt.what) == (True, 4, "body", "Flare (fire)")
    brynh = status(temple, "brynh")
    assert (brynh.stamina, brynh.vitality, brynh.ap) == (0, 1, 2)
    assert (status(temple, "priest").intellect, status(temple, "priest").ap) == (2, 1)
    assert counters_of(BOOK.subject(temple.scene["brynh"], temple.scene)).total == 3
