"""Events in words: what a viewer may not see is neither said nor hinted at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tablewright.game.narration.narrator import in_words, names_in, narrate_line, status_words
from tablewright.game.play.common_events import Checked, OrderSet, Ruled, TurnEnded
from tablewright.game.scene.events import Event
from tablewright.game.scene.scene import ActingSeat, Participant, Scene
from tablewright.game.scene.visibility import OWNER, visible, visible_fields

SCENE = Scene(
    "demo",
    tuple(
        Participant(id=who, name=who.title(), side=side, seat=who, character=None, status=None, hidden=hidden)
        for who, side, hidden in [("ann", "folk", False), ("rat", "vermin", False), ("lurker", "vermin", True)]
    ),
)


class Poisoned(Event):
    """A poisoning; only the owner knows how bad it is."""

    who: str = visible()
    doses: int = visible(OWNER)
    antidote: str = ""

    def narrate(self) -> str:
        """With a figure that not everyone may know."""
        return f"{self.who} is poisoned" + (f" {self.doses} times" if self.doses > 1 else "")


def test_a_sentence_that_would_say_too_much_is_not_finished() -> None:
    event = Poisoned(who="ann", doses=3, antidote="garlic")
    told = {who: narrate_line(event, SCENE, who) for who in ("ann", "rat", "game master")}
    assert told["ann"] is not None
    assert told["ann"].text == "ann is poisoned 3 times"
    assert told["rat"] is not None
    assert told["rat"].text == "ann: poisoned"
    assert told["game master"] is not None
    assert told["game master"].text == "ann is poisoned 3 times"


def test_hidden_ones_are_not_in_the_order() -> None:
    order = OrderSet(order=("rat", "lurker", "ann"))
    seen, all_of_it = narrate_line(order, SCENE, "ann"), narrate_line(order, SCENE, "rat")
    assert seen is not None
    assert seen.text == "order: rat, ann"
    assert all_of_it is not None
    assert all_of_it.text == "order: rat, lurker, ann"


def test_an_unknown_character_is_called_someone() -> None:
    """In the steps of a rule, too, where a choice says whose it was."""
    called = {viewer: names_in(SCENE, viewer=viewer) for viewer in ("ann", "rat", "game master")}
    assert [name(ActingSeat("lurker", "lurker")) for name in called.values()] == ["somebody", "Lurker", "Lurker"]
    assert [name("rat") for name in called.values()] == ["Rat", "Rat", "Rat"]
    left = Scene("demo", SCENE.participants[:1])
    assert names_in(left, SCENE, "ann")("lurker") == "somebody"
    assert names_in(left, SCENE, "ann")("rat") == "Rat"
    assert names_in(left)("nobody") == "nobody"


def test_the_result_of_a_check_is_told_in_words() -> None:
    told = narrate_line(Checked(who="ann", what="sleight_of_hand", result="success True, level None"), SCENE, "rat")
    assert told is not None
    assert told.text == "ann checks sleight of hand: success yes, level nothing"


def test_rulings_are_told_to_the_owner_alone() -> None:
    ruling = Ruled(who="rat", field="health", value=1, reason="a trap")
    other = narrate_line(ruling, SCENE, "ann")
    assert other is not None
    assert other.text == "rat: ruled"
    own = narrate_line(ruling, SCENE, "rat")
    assert own is not None
    assert "health is 1 (a trap)" in own.text


def test_words_of_last_resort() -> None:
    class FellAsleep(Event):
        who: str = visible()
        hours: int = visible()
        dream: str = visible(default="")

    event = FellAsleep(who="ann", hours=8)
    assert in_words(event, visible_fields(event, owned=True, all_seeing=False)) == "ann: fell asleep, hours 8"
    assert narrate_line(TurnEnded(who="ann"), SCENE, "ann") is None
    assert status_words({"health": 0, "dazed": True, "asleep": False, "luck": None}) == "health 0, dazed"


def test_a_status_leaves_out_what_goes_without_saying() -> None:
    @dataclass(frozen=True)
    class Status:
        health: int = visible()
        awake: bool = visible(default=True)
        tries: int = visible(default=0)
        order: int = visible(default=0, told=False)
        free: bool = visible(default=True, told="in chains")

    def told(**status: Any) -> str:
        return status_words(status, Status)

    assert told(health=0, awake=True, tries=0, order=3) == "health 0"
    assert told(health=2, awake=False, tries=1, order=0) == "health 2, not awake, tries 1"
    assert told(health=2, free=True) == "health 2"
    assert told(health=2, free=False) == "health 2, in chains"
    lasting = [{"id": "off_guard", "degree": 1}, {"kind": "dazed"}, {"what": "a song"}, {"left": 3}]
    assert told(health=2, lasting=lasting) == "health 2, off guard, dazed, a song"
    names = {"ann": "Ann of the Hill"}
    assert status_words({"beside": ["ann", "bob"]}, called=lambda who: names.get(who, who)) == (
        "beside Ann of the Hill and bob"
    )


class Bitten(Event):
    """A bite; only the owner knows how bad it is."""

    mentions = ("who", "by")
    template = "{by} bites {who}[, {depth} deep][ and {marks:+d}][: {kinds}]"
    who: str = visible()
    by: str = visible()
    depth: int = visible(OWNER)
    marks: int = visible(default=0)
    kinds: tuple[str, ...] = visible(default=())


def test_words_say_what_a_viewer_may_see() -> None:
    event = Bitten(who="ann", by="rat", depth=2, marks=3, kinds=("left", "right"))
    texts = {who: told.text for who in ("ann", "rat") if (told := narrate_line(event, SCENE, who)) is not None}
    assert texts == {
        "ann": "rat bites ann, 2 deep and +3: left, right",
        "rat": "rat bites ann and +3: left, right",
    }
    assert event.narrate() == texts["ann"]
    assert Bitten(who="ann", by="rat", depth=0).narrate() == "rat bites ann"


class Weighed(Event):
    """Words that cannot do without what only the owner knows."""

    template = "{who} weighs {weight}"
    who: str = visible()
    weight: int = visible(OWNER)


def test_words_that_would_say_too_much_are_not_said() -> None:
    told = narrate_line(Weighed(who="ann", weight=7), SCENE, "rat")
    assert told is not None
    assert told.text == "ann: weighed"


def test_words_name_fields_and_are_none() -> None:
    with pytest.raises(TypeError, match='template names "whom"'):
        type("Wrong", (Event,), {"template": "{whom} is wrong", "__annotations__": {"who": str}})
    with pytest.raises(TypeError, match="template belongs to the kind of event"):
        type("Wrong", (Event,), {"__annotations__": {"template": "str"}})


def test_people_are_called_by_name_where_that_is_wanted() -> None:
    event = Bitten(who="ann", by="rat", depth=2)
    told = narrate_line(event, SCENE, "ann", by_name=True)
    assert told is not None
    assert told.text == "Rat bites Ann, 2 deep"
    order = narrate_line(OrderSet(order=("rat", "lurker", "ann")), SCENE, "ann", by_name=True)
    assert order is not None
    assert order.text == "order: Rat, Ann"
    hidden = narrate_line(Poisoned(who="ann", doses=3), SCENE, "rat", by_name=True)
    assert hidden is not None
    assert hidden.text == "Ann: poisoned"


@pytest.mark.parametrize(
    ("people", "called"),
    [
        ({"wolf": "Wolf", "ann": "Ann"}, ["Wolf", "Ann"]),
        ({"wolf": "Wolf", "wolf-2": "Wolf"}, ["Wolf 1", "Wolf 2"]),
        ({"knight": "Robber", "robber": "Robber"}, ["Robber 1", "Robber 2"]),
    ],
)
def test_nobody_is_taken_for_another_of_the_same_name(people: dict[str, str], called: list[str]) -> None:
    scene = Scene(
        "demo",
        tuple(
            Participant(id=who, name=name, side="a", seat=who, character=None, status=None)
            for who, name in people.items()
        ),
    )
    assert [scene.display_name(who) for who in people] == called
    assert scene.display_name("somebody else") == "somebody else"


def test_an_event_may_check_its_fields_when_it_is_made() -> None:
    class Stung(Event):
        """Poison in small doses."""

        doses: int = visible(default=1)

        def __post_init__(self) -> None:
            if self.doses < 1:
                raise ValueError("nobody is stung less than once")

    assert Stung(cause="sixth.poison").doses == 1
    with pytest.raises(ValueError, match="less than once"):
        Stung(doses=0, cause="sixth.poison")
