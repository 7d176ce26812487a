"""Events in words: what a viewer may not see is neither said nor hinted at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tablewright.game.common import Checked, OrderSet, Ruled, TurnEnded
from tablewright.game.events import OWNER, Event, shown, visible
from tablewright.game.scene import Participant, Scene, SeatOf
from tablewright.game.telling import in_words, names_in, status_words, tell

SCENE = Scene(
    "demo",
    tuple(
        Participant(id=who, name=who.title(), side=side, seat=who, character=None, status=None, hidden=hidden)
        for who, side, hidden in [("ann", "folk", False), ("rat", "vermin", False), ("lurker", "vermin", True)]
    ),
)


@dataclass(frozen=True, kw_only=True)
class Poisoned(Event):
    """Somebody was poisoned; how badly is for the owner to know."""

    who: str = shown()
    doses: int = shown(OWNER)
    antidote: str = ""

    def in_words(self) -> str:
        """With a figure that not everybody may know."""
        return f"{self.who} is poisoned" + (f" {self.doses} times" if self.doses > 1 else "")


def test_a_sentence_that_would_say_too_much_is_not_finished() -> None:
    event = Poisoned(who="ann", doses=3, antidote="garlic")
    told = {who: tell(event, SCENE, who) for who in ("ann", "rat", "game master")}
    assert told["ann"] is not None
    assert told["ann"].text == "ann is poisoned 3 times"
    assert told["rat"] is not None
    assert told["rat"].text == "ann: poisoned"
    assert told["game master"] is not None
    assert told["game master"].text == "ann is poisoned 3 times"


def test_hidden_ones_are_not_in_the_order() -> None:
    order = OrderSet(order=("rat", "lurker", "ann"))
    seen, all_of_it = tell(order, SCENE, "ann"), tell(order, SCENE, "rat")
    assert seen is not None
    assert seen.text == "order: rat, ann"
    assert all_of_it is not None
    assert all_of_it.text == "order: rat, lurker, ann"


def test_whom_a_viewer_knows_nothing_of_is_somebody() -> None:
    """In the steps of a rule, too, where a choice says whose it was."""
    called = {viewer: names_in(SCENE, viewer=viewer) for viewer in ("ann", "rat", "game master")}
    assert [name(SeatOf("lurker", "lurker")) for name in called.values()] == ["somebody", "Lurker", "Lurker"]
    assert [name("rat") for name in called.values()] == ["Rat", "Rat", "Rat"]
    left = Scene("demo", SCENE.participants[:1])
    assert names_in(left, SCENE, "ann")("lurker") == "somebody"
    assert names_in(left, SCENE, "ann")("rat") == "Rat"
    assert names_in(left)("nobody") == "nobody"


def test_the_result_of_a_check_is_told_in_words() -> None:
    told = tell(Checked(who="ann", what="sleight_of_hand", result="success True, level None"), SCENE, "rat")
    assert told is not None
    assert told.text == "ann checks sleight of hand: success yes, level nothing"


def test_rulings_are_told_to_the_owner_alone() -> None:
    ruling = Ruled(who="rat", field="health", value=1, reason="a trap")
    other = tell(ruling, SCENE, "ann")
    assert other is not None
    assert other.text == "rat: ruled"
    own = tell(ruling, SCENE, "rat")
    assert own is not None
    assert "health is 1 (a trap)" in own.text


def test_words_of_last_resort() -> None:
    @dataclass(frozen=True, kw_only=True)
    class FellAsleep(Event):
        who: str = shown()
        hours: int = shown()
        dream: str = shown(default="")

    event = FellAsleep(who="ann", hours=8)
    assert in_words(event, visible(event, owned=True, all_seeing=False)) == "ann: fell asleep, hours 8"
    assert tell(TurnEnded(who="ann"), SCENE, "ann") is None
    assert status_words({"health": 0, "dazed": True, "asleep": False, "luck": None}) == "health 0, dazed"


def test_a_status_leaves_out_what_goes_without_saying() -> None:
    @dataclass(frozen=True)
    class Status:
        health: int = shown()
        awake: bool = shown(default=True)
        tries: int = shown(default=0)
        order: int = shown(default=0, told=False)
        free: bool = shown(default=True, told="in chains")

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


@dataclass(frozen=True, kw_only=True)
class Bitten(Event):
    """Somebody was bitten; how badly is for the owner to know."""

    about = ("who", "by")
    words = "{by} bites {who}[, {depth} deep][ and {marks:+d}][: {kinds}]"
    who: str = shown()
    by: str = shown()
    depth: int = shown(OWNER)
    marks: int = shown(default=0)
    kinds: tuple[str, ...] = shown(default=())


def test_words_say_what_a_viewer_may_see() -> None:
    event = Bitten(who="ann", by="rat", depth=2, marks=3, kinds=("left", "right"))
    texts = {who: told.text for who in ("ann", "rat") if (told := tell(event, SCENE, who)) is not None}
    assert texts == {
        "ann": "rat bites ann, 2 deep and +3: left, right",
        "rat": "rat bites ann and +3: left, right",
    }
    assert event.in_words() == texts["ann"]
    assert Bitten(who="ann", by="rat", depth=0).in_words() == "rat bites ann"


@dataclass(frozen=True, kw_only=True)
class Weighed(Event):
    """Words that cannot do without what only the owner knows."""

    words = "{who} weighs {weight}"
    who: str = shown()
    weight: int = shown(OWNER)


def test_words_that_would_say_too_much_are_not_said() -> None:
    told = tell(Weighed(who="ann", weight=7), SCENE, "rat")
    assert told is not None
    assert told.text == "ann: weighed"


def test_words_name_fields_and_are_none() -> None:
    with pytest.raises(TypeError, match='words name "whom"'):
        type("Wrong", (Event,), {"words": "{whom} is wrong", "__annotations__": {"who": str}})
    with pytest.raises(TypeError, match="words is said of the kind of event"):
        type("Wrong", (Event,), {"__annotations__": {"words": "str"}})


def test_people_are_called_by_name_where_that_is_wanted() -> None:
    event = Bitten(who="ann", by="rat", depth=2)
    told = tell(event, SCENE, "ann", by_name=True)
    assert told is not None
    assert told.text == "Rat bites Ann, 2 deep"
    order = tell(OrderSet(order=("rat", "lurker", "ann")), SCENE, "ann", by_name=True)
    assert order is not None
    assert order.text == "order: Rat, Ann"
    hidden = tell(Poisoned(who="ann", doses=3), SCENE, "rat", by_name=True)
    assert hidden is not None
    assert hidden.text == "Ann: poisoned"


@pytest.mark.parametrize(
    ("people", "called"),
    [
        ({"wolf": "Wolf", "ann": "Ann"}, ["Wolf", "Ann"]),
        ({"wolf": "Wolf", "wolf-2": "Wolf"}, ["wolf", "wolf-2"]),
        ({"knight": "Robber", "robber": "Robber"}, ["Robber (knight)", "Robber (robber)"]),
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
    assert [scene.called(who) for who in people] == called
    assert scene.called("somebody else") == "somebody else"
