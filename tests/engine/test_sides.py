"""The other side, third seats, and what lies on the table: odds, advice, play and traces of one rule for two sides."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from tablewright.dice import Dist, TypedDice
from tablewright.engine import (
    Answer,
    Choice,
    Playthrough,
    Role,
    Roll,
    Tally,
    Trace,
    World,
    advise,
    both,
    choose,
    d,
    distribution_after,
    mechanic,
    minus,
    odds,
    play,
    replay,
    yes_no,
)
from tablewright.engine.advice import advise_open_choice, best_answer
from tablewright.engine.request import Request
from tablewright.errors import TablewrightError


@mechanic(rules=["demo.point.spend"])
async def pointed(points: int) -> int:
    """Roll a die; a point rerolls it."""
    face = await d(4)
    return await d(4) if points and await yes_no(Role.ACTOR, "spend a point?") else face


@mechanic(rules=["demo.point.contest"])
async def contest(mine: int, yours: int) -> int:
    """Both sides by the same rule."""
    return await minus(pointed(mine), pointed(yours).by_opponent())


@mechanic(rules=["demo.point.spend"])
async def pointed_by(points: int, seat: Role) -> int:
    """The same written by hand: whose die it is stands in an argument."""
    face = await d(4)
    return await d(4) if points and await yes_no(seat, "spend a point?") else face


@mechanic(rules=["demo.point.contest"])
async def contest_by_hand(mine: int, yours: int) -> int:
    """Both sides, each named."""
    return await minus(pointed_by(mine, Role.ACTOR), pointed_by(yours, Role.OPPONENT))


def whole(playing: Playthrough[Any]) -> Trace:
    """The trace of a rule that has been played to its end."""
    (trace,) = playing.steps
    assert isinstance(trace, Trace)
    return trace


WORTHS: list[Any] = [int, lambda margin: int(margin > 0), lambda margin: int(margin >= 2) - int(margin < -1)]


@each_case("mine", [0, 1])
@each_case("yours", [0, 1])
@each_case("worth", WORTHS)
def test_a_contest_is_decided_as_if_both_sides_were_written_by_hand(mine: int, yours: int, worth: Any) -> None:
    assert odds(contest(mine, yours), worth) == odds(contest_by_hand(mine, yours), worth)
    across, by_hand = advise(contest(mine, yours), worth), advise(contest_by_hand(mine, yours), worth)
    assert across.value == by_hand.value
    told = [[(s.seat, s.question, s.chance, s.options) for s in advice.choices] for advice in (across, by_hand)]
    assert told[0] == told[1]


def test_two_equal_sides_are_even() -> None:
    assert odds(contest(1, 1)).mean == 0
    assert {situation.seat for situation in advise(contest(1, 1)).choices} == {"actor", "opponent"}


def test_across_and_back_is_where_one_was() -> None:
    @mechanic(rules=["demo.point.twice"])
    async def twice() -> int:
        """The other side of the other side."""
        return await pointed(1).by_opponent().map(int).by_opponent()

    assert odds(twice()) == odds(pointed(1))
    playing = Playthrough(twice())
    playing.type_in([1])
    assert playing.seat == "actor"


class _Least:
    """The lower or the higher of two, by formula."""

    deciding = True
    remainder = Fraction(0)
    work = 1

    def support(self) -> Sequence[int]:
        return (1, 2)

    def best(self, value: Any) -> Dist[int]:
        return Dist.of(max((1, 2), key=value or int))


@mechanic(rules=["demo.pick.number"], closed=_Least)
async def number() -> int:
    """One or two, as the acting side chooses."""
    return await choose(Role.ACTOR, "which?", [1, 2])


def test_a_closed_form_serves_the_other_side() -> None:
    @mechanic(rules=["demo.pick.against"])
    async def against() -> int:
        """The opponent picks."""
        return await number().by_opponent()

    assert (odds(number()), odds(against())) == (Dist.of(2), Dist.of(1))
    assert odds(against(), lambda picked: -picked) == Dist.of(2)
    (situation,) = advise(against()).choices
    assert (situation.seat, situation.best.id, situation.best.value) == ("opponent", "1", Fraction(1))


# ---------------------------------------------------------------------- in play


def test_dice_and_choices_of_the_other_side_are_the_opponents() -> None:
    async def meet() -> int:
        return await contest(1, 1).by("ann", "bob")

    playing = Playthrough(meet())
    seats = []
    answers: list[Answer] = [(1,), "yes", (4,), (3,), "no"]
    for answer in answers:
        seats.append(playing.seat)
        playing.answer(answer)
    assert seats == ["ann", "ann", "ann", "bob", "bob"]
    trace = whole(playing)
    assert trace.explain().splitlines() == [
        "demo.contest: mine 1, yours 1",
        "  demo.pointed: points 1",
        "    rolled d4: 1 = 1",
        "    ann chose yes (spend a point?)",
        "    rolled d4: 4 = 4",
        "    gives 4",
        "  demo.pointed by bob: points 1",
        "    bob rolled d4: 3 = 3",
        "    bob chose no (spend a point?)",
        "    gives 3",
        "  gives 1",
        "  [demo.point.contest]",
        "  [demo.point.spend]",
    ]
    inner = trace.to_json()["steps"][1]
    assert (inner["actor"], inner["opponent"]) == ("bob", "ann")
    assert inner["steps"][0]["seat"] == "bob"


def test_the_dice_of_a_side_that_nobody_plays_are_thrown_by_anyone_who_acts() -> None:
    async def alone() -> int:
        return await contest(0, 1).by("ann")

    playing = Playthrough(alone())
    playing.type_in([1])
    assert playing.seat == "ann"
    playing.type_in([1])
    assert playing.seat == "opponent"


def test_secrets_of_a_call_stay_with_it_across() -> None:
    async def meet(ask: Request[int]) -> int:
        return await ask

    said = (
        pointed(1)
        .by_opponent()
        .by("ann", "bob", private={"points": Role.OPPONENT}, tallies={"points": Tally.of("p", 1)})
    )
    playing = Playthrough(meet(said))
    assert playing.seat == "bob"
    trace = playing.trace_so_far()
    assert (trace.actor, trace.opponent, trace.tallies["points"].total) == ("bob", "ann", 1)
    assert trace.known_to("bob", "points")
    assert not trace.known_to("ann", "points")


def test_a_narrowed_call_keeps_its_secrets() -> None:
    async def meet() -> int:
        return await pointed(1).map(lambda face: face + 1).by("ann", "bob", hide=["points"])

    playing = Playthrough(meet())
    playing.type_in([3])
    playing.answer("no")
    trace = whole(playing)
    assert (trace.hide, trace.actor) == (("points",), "ann")


def test_advice_in_the_middle_of_the_other_side() -> None:
    playing = Playthrough(contest(1, 1))
    playing.answer((2,))
    playing.answer("no")
    playing.answer((1,))
    now = advise_open_choice(playing).choices[0]
    assert [(worth.id, worth.value, worth.best) for worth in now.options] == [
        ("no", 1, False),
        ("yes", 2 - Fraction(5, 2), True),
    ]
    assert (now.seat, best_answer(playing)) == ("opponent", 1)
    playing.answer("yes")
    assert advise_open_choice(playing).value == 2 - Fraction(5, 2)


# ---------------------------------------------------------------------- third seats


@mechanic(rules=["demo.guard.strike"])
async def guarded(helps: bool) -> int:
    """A blow of three; a friend of the struck may take it, and one of the striker may push."""
    if await choose(Role.OPPONENTS_ALLY, "deflect?", ["no", "yes"]) == "yes":
        return 1
    return 5 if helps and await choose(Role.ALLY, "push?", ["no", "yes"]) == "yes" else 3


def test_allies_want_what_their_side_wants() -> None:
    assert odds(guarded(True)) == Dist.of(1)
    (deflect,) = advise(guarded(True)).choices  # and so it never comes to a push
    assert deflect.seat == "opponent's ally"
    assert [worth.value for worth in deflect.options] == [5, 1]
    assert odds(guarded(True), lambda blow: -blow) == Dist.of(3)


def test_allies_are_named_by_anyone_who_asks_and_are_the_side_itself_without() -> None:
    async def meet(*, named: bool) -> int:
        more = {"ally": "cy", "against_ally": "dot"} if named else {}
        return await guarded(True).by("ann", "bob", **more)  # type: ignore[arg-type]

    for named, expected in ((True, ["dot", "cy"]), (False, ["bob", "ann"])):
        playing = Playthrough(meet(named=named))
        seats = [playing.seat]
        playing.answer("no")
        seats.append(playing.seat)
        assert seats == expected
    alone = Playthrough(guarded(False))
    assert alone.seat == "opponent's ally"


def test_a_name_is_no_seat_inside_a_mechanic() -> None:
    @mechanic(rules=["demo.guard.named"])
    async def named(narrowed: bool) -> int:
        """Asks a seat by name."""
        ask = choose("ally", "deflect?", [1, 5])
        return await (ask.map(int) if narrowed else ask)

    for narrowed in (False, True):
        with pytest.raises(TablewrightError, match=r'"ally" for "deflect\?"; a mechanic asks Seat\.ACTOR'):
            odds(named(narrowed))
        with pytest.raises(TablewrightError, match=r"a mechanic asks Seat\.ACTOR"):
            play(named(narrowed))


def test_a_name_is_a_seat_in_a_process() -> None:
    async def step(game: World[int, int]) -> None:
        game.emit(await choose("ann", "how far?", [1, 2]).map(int))

    assert distribution_after(step, 0, lambda place, far: place + far, lambda ask: 1) == Dist.of(2)
    playing = Playthrough(step(World(0, lambda place, far: place + far)))
    assert playing.seat == "ann"


# ---------------------------------------------------------------------- what lies on the table


def test_everything_thrown_and_chosen_so_far_is_there_in_every_rule_under_way() -> None:
    async def meet() -> int:
        return await contest(1, 1).by("ann", "bob", tallies={"mine": Tally.of("points", 1)}, hide=["yours"])

    playing = Playthrough(meet())
    with_nothing = playing.trace_so_far()
    assert (with_nothing.call, with_nothing.steps[0].call) == (contest(1, 1), pointed(1))  # type: ignore[union-attr]
    answers: list[Answer] = [(1,), "yes", (4,), (3,)]
    for answer in answers:
        playing.answer(answer)
    so_far = playing.trace_so_far()
    assert (so_far.actor, so_far.hide, so_far.tallies["mine"].total) == ("ann", ("yours",), 1)
    told = so_far.to_json()
    assert "result" not in told
    assert [step.get("result") for step in told["steps"]] == [4, None]
    assert told["steps"][1]["steps"] == [{"roll": "d4", "faces": [3], "outcome": 3, "seat": "bob"}]
    assert so_far.explain().count("gives ") == 1
    playing.answer("no")
    with pytest.raises(TablewrightError, match="no mechanic is under way"):
        playing.trace_so_far()


def test_a_joint_ask_shows_its_first_part() -> None:
    @mechanic(rules=["demo.joint.roll"])
    async def joint() -> int:
        """Two rolls at once."""
        return await both(pointed(0), d(6), lambda a, b: a + b)

    playing = Playthrough(joint())
    playing.type_in([2])
    (first,) = playing.trace_so_far().steps
    assert first.result == 2  # type: ignore[union-attr]
    assert playing.record_of_call == ((2,),)


def test_an_outcome_that_was_set_is_part_of_the_record() -> None:
    playing = Playthrough(contest(1, 0))
    playing.set_outcome("4", "the die fell off the table")
    playing.answer("no")
    playing.type_in([1])
    again = replay(contest(1, 0), playing.record)
    assert (again.result, again.record) == (3, tuple(playing.record))
    assert again.trace.explain() == whole(playing).explain()
    assert "was ruled to be 4 (the die fell off the table)" in again.trace.explain()


# ---------------------------------------------------------------------- the questions themselves


def test_yes_or_no() -> None:
    asked = yes_no(Role.ACTOR, "spend it?", cost_text="1 luck")
    assert (asked.ids, asked.options, asked.default) == (("no", "yes"), (False, True), 0)
    assert [(asked.label(option), asked.cost_text(option)) for option in asked.options] == [
        ("no", ""),
        ("yes", "1 luck"),
    ]
    assert yes_no(Role.ACTOR, "really?", default=True).default == 1
    turned = asked.by_opponent()
    assert (turned.seat, turned.ids, turned.cost_text(True)) == (Role.OPPONENT, ("no", "yes"), "1 luck")
    assert asked.seat is Role.ACTOR


def test_a_single_option_is_asked_where_people_should_see_it() -> None:
    @mechanic(rules=["demo.turn.end"])
    async def turn(alone: bool) -> str:
        """Nothing but to end it."""
        return await choose(Role.ACTOR, "what now?", ["end"], even_alone=alone)

    assert play(turn(False)).record == ()
    assert play(turn(True)).record == ("end",)
    assert odds(turn(True), lambda _: 0) == Dist.of("end")
    playing = Playthrough(turn(True))
    assert advise_open_choice(playing, lambda _: 0).choices[0].best.id == "end"


def test_a_question_lapses_when_nothing_is_left() -> None:
    left = ["parry"]
    asked: Choice[str | None] = choose("ann", "how?", lambda: list(left), lapse=None)
    assert not asked.lapsed
    left.clear()
    asked.renew()
    assert (asked.lapsed, asked.options, asked.by_itself) == (True, (None,), True)
    left.append("dodge")
    asked.renew()
    assert (asked.lapsed, asked.ids) == (False, ("dodge",))
    with pytest.raises(TablewrightError, match="offers no option"):
        choose("ann", "how?", [])
    assert choose("ann", "how?", lambda: iter(()), lapse="nothing", even_alone=True).by_itself


def test_dice_can_be_thrown_for_the_other_side() -> None:
    @mechanic(rules=["demo.dice.theirs"])
    async def theirs() -> int:
        """A die of the opponent, and one of the game master's choice."""
        return await d(6).by_opponent() + await choose(Role.GAME_MASTER, "how many?", [1, 2]).by_opponent()

    playing = Playthrough(theirs())
    assert isinstance(playing.question, Roll)
    assert (playing.seat, playing.question.seat) == ("opponent", Role.OPPONENT)
    assert play(theirs(), TypedDice([3])).result == 4
    assert odds(theirs()).mean == Fraction(9, 2)
