"""Encounters from their start to their end: initiative, surprise, order, rounds, challenges, coming and going."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    BOOK,
    STILL,
    act,
    duel,
    fighter,
    fresh,
    offered,
    place,
    session_with,
    with_scene,
    with_status,
)
from systems.mars.people import LEDGER
from systems.playing import answer, asked, events, go, status
from tablewright.engine import Choice, Roll
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.play.common_events import RoundStarted, SceneEnded, TimePassed, TurnStarted
from tablewright.game.scene.scene import Modifier, SceneSetup
from tablewright.game.session.session import Session
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.encounter import order_of_acting, outcome
from tablewright.systems.mars.events.encounter import InitiativeRolled, OrderDecided, SurpriseOver, WasSurprised
from tablewright.systems.mars.events.turn import TaskDone
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Fight

HERO = fighter("Ann", ["club"], DEX="r10", RES="r10")
BEAST = fighter("Bob", ["club"], DEX="r10", RES="r10", kind="creature")


def begin(session: Session, rolls: Mapping[str, tuple[int, ...]] | None = None, **arguments: Any) -> Session:
    """Start the encounter; initiative and awareness are typed by who rolls."""
    typed = dict(rolls or {})
    session.do("mars.encounter", **arguments)
    while isinstance(session.question, Roll):
        session.type_in(typed.pop(str(session.seat)))
    return session


ROLLS = {"ann": (9, 2), "cid": (3, 3), "bob": (8, 1), "dot": (4, 1)}


def four(**options: Any) -> Session:
    """Two heroes and two beasts."""
    table = MarsOptions(**options)
    people = [
        place(HERO, "party", (1, 1), who="ann", options=table),
        place(HERO, "party", (1, 2), who="cid", options=table),
        place(BEAST, "foes", (20, 1), who="bob", options=table),
        place(BEAST, "foes", (20, 2), who="dot", options=table),
    ]
    return fresh(people, table)


def end_turns(session: Session, number: int) -> Session:
    """Pass a number of turns without an action."""
    return answer(session, *["end_turn"] * number)


# ---------------------------------------------------------------------- order


def order(
    results: Mapping[str, tuple[str, int | None]], *, hidden: str = "", mode: Any = "team_alternating"
) -> list[str]:
    """The order of acting of people with these sides and results of initiative."""
    people = [
        place(HERO if side == "party" else BEAST, side, (number, 1), who=who, hidden=who == hidden)
        for number, (who, (side, _)) in enumerate(results.items())
    ]
    scene = session_with(people, options=MarsOptions(initiative_mode=mode)).scene
    for who, (_, result) in results.items():
        scene = scene.with_status(who, initiative=result)
    return list(order_of_acting(scene, list(results)))


@pytest.mark.rule("mars.initiative.teams")
def test_teams_alternate() -> None:
    (example,) = LEDGER["mars.initiative.teams"].examples
    results = {who: (side, rolled) for side, team in example["given"].items() for who, rolled in team.items()}
    assert order(results) == list(example["expect"])


@pytest.mark.rule("mars.initiative.roll", "mars.encounter.sequence")
def test_everybody_rolls_initiative_first() -> None:
    session = begin(four(), ROLLS)
    totals = {one.who: one.total for one in events(session, InitiativeRolled)}
    assert totals == {"ann": 11, "cid": 6, "bob": 9, "dot": 5}
    assert session.scene.order == ("ann", "bob", "cid", "dot")
    assert session.scene.round == 1
    assert session.seat == "ann"
    again = fresh([place(HERO, "party", (1, 1), who="ann", initiative=12), place(BEAST, "foes", (20, 1), who="bob")])
    begin(again, {"bob": (8, 1)})
    assert [one.who for one in events(again, InitiativeRolled)] == ["bob"], "whoever has rolled already does not again"
    dead = [place(BEAST, "foes", (20, 2), who="dot", dead=True)]
    dead += [place(one, side, (1, 1), who=who) for one, side, who in ((HERO, "party", "ann"), (BEAST, "foes", "bob"))]
    assert begin(fresh(dead), {"ann": (9, 2), "bob": (8, 1)}).scene.order == ("ann", "bob"), "nor do the dead"
    kinds = [type(line) for line in session.log if not hasattr(line, "call")]
    assert kinds.index(OrderDecided) < kinds.index(RoundStarted) < kinds.index(TurnStarted)


@pytest.mark.rule("mars.initiative.teams")
def test_the_same_order_every_round() -> None:
    session = end_turns(begin(four(), ROLLS), 8)
    turns = [one.who for one in events(session, TurnStarted)]
    assert turns == ["ann", "bob", "cid", "dot"] * 2 + ["ann"]


@pytest.mark.rule("mars.initiative.individual")
def test_individual_order() -> None:
    session = begin(four(initiative_mode="individual"), {"ann": (9, 2), "cid": (8, 2), "bob": (8, 1), "dot": (4, 1)})
    assert session.scene.order == ("ann", "cid", "bob", "dot")


@pytest.mark.rule("mars.initiative.ties")
def test_players_with_equal_results_decide_who_goes_first() -> None:
    session = begin(four(), {"ann": (5, 3), "cid": (5, 3), "bob": (4, 1), "dot": (4, 1)})
    assert (asked(session), session.seat) == (("goes_first:ann", "goes_first:cid"), "ann")
    session.choose("goes_first:cid")
    assert session.scene.order == ("cid", "bob", "ann", "dot")  # creatures are not asked
    assert end_turns(session, 4).scene.order == ("cid", "bob", "ann", "dot")  # in every round


@pytest.mark.rule("mars.initiative.ties")
@each_case(("mode", "expected"), [("players_first", ("ann", "bob")), ("higher_max", ("bob", "ann"))])
def test_ties_between_teams(mode: Any, expected: tuple[str, ...]) -> None:
    table = MarsOptions(initiative_tie=mode)
    people = [
        place(fighter("Bob", DEX="r12", kind="creature"), "foes", (1, 1), who="bob", initiative=9, options=table),
        place(HERO, "party", (2, 1), who="ann", initiative=9, options=table),
    ]
    assert order_of_acting(session_with(people, options=table).scene, ["bob", "ann"]) == expected


@pytest.mark.rule("mars.initiative.ties")
def test_a_tie_between_teams_is_rolled_again_where_nobody_hides() -> None:
    """Ann rolled a second time for a tie with someone in hiding, so that everyone could tell."""
    tied = four(initiative_tie="reroll")
    tied.do("mars.encounter")
    answer(tied, (5, 5), (1, 1), (5, 5), (1, 1), (3, 3), (4, 3))  # the last two are ann and bob again
    assert tied.scene.order == ("bob", "ann", "dot", "cid")
    table = MarsOptions(initiative_tie="reroll")
    people = [
        place(HERO, "party", (1, 1), who="ann", options=table),
        place(BEAST, "foes", (20, 1), who="bob", hidden=True, options=table),
    ]
    lurking = fresh(people, table)
    lurking.do("mars.encounter")
    answer(lurking, (5, 5), (5, 5))
    assert not isinstance(lurking.question, Roll)


@pytest.mark.rule("mars.initiative.teams", "mars.initiative.ties", "mars.initiative.individual")
def test_ties_follow_the_list_and_teams_alternate_while_they_last() -> None:
    assert order(dict.fromkeys("abc", ("party", 9))) == ["a", "b", "c"]
    assert order({who: ("party", number) for number, who in enumerate("abc")}) == ["c", "b", "a"]
    results = {"a": ("party", 9), "b": ("party", 8), "c": ("party", 1), "x": ("foes", 10), "y": ("wolves", 9)}
    assert order(results) == order(results, mode="individual") == ["x", "a", "y", "b", "c"]


@pytest.mark.rule("mars.initiative.teams", "mars.encounter.sequence", "mars.surprise.who_acts")
@each_case(
    ("rolled", "expected"),
    [
        (18, ["ann", "lurker", "bob", "cid"]),
        (15, ["ann", "bob", "cid", "lurker"]),  # as fast as bob, who is listed first
        (None, ["ann", "bob", "cid", "lurker"]),
    ],
)
def test_a_hidden_character_does_not_change_the_order_of_others(rolled: int | None, expected: list[str]) -> None:
    results = {"ann": ("party", 20), "cid": ("party", 10), "bob": ("foes", 15), "lurker": ("foes", rolled)}
    assert order(results, hidden="lurker") == expected


# ---------------------------------------------------------------------- surprise


@pytest.mark.rule("mars.surprise.who_acts")
@pytest.mark.parametrize("example", LEDGER["mars.surprise.who_acts"].examples)
def test_the_surprise_round(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    sides = {"a": "party", "b": "party", "c": "foes", "d": "foes"}
    everyone = (*given["aware"], *given["unaware"])
    people = [place(HERO, sides[who], (number, 1), who=who) for number, who in enumerate(everyone)]
    session = fresh(people, start=SceneSetup(surprised=tuple(given["unaware"])))
    begin(session, {who: (9 - number, 5) for number, who in enumerate(everyone)})
    decided = events(session, OrderDecided)[0]
    assert decided.surprise is expect["surprise_round"]
    if expect["surprise_round"]:
        assert sorted(decided.order) == sorted(expect["acting"])
        for _ in expect["acting"]:
            assert session.seat in expect["acting"]
            session.choose("end_turn")
        assert events(session, SurpriseOver)
        assert sorted(session.scene.order) == sorted(everyone)
        assert not any(one.status.surprised for one in session.scene.participants)


@pytest.mark.rule("mars.surprise.who_acts", "mars.action.reaction")
@pytest.mark.parametrize("allowed", [False, True])
def test_the_surprised_do_not_react(allowed: bool) -> None:
    options = MarsOptions(surprised_reactions=allowed)
    session = duel(HERO, BEAST, options=options, theirs={"surprised": True})
    session.do("mars.perform", who="ann", use="attack:bob:club")
    assert (isinstance(session.question, Choice) and "evade" in session.question.ids) is allowed


@pytest.mark.rule("mars.gap.talent.senses", "mars.surprise.who_acts")
@each_case(("asleep", "surprised"), [(False, ["ann"]), (True, ["ann", "cid"])])
def test_danger_sense_is_never_surprised_awake(asleep: bool, surprised: list[str]) -> None:
    effects = (MarsEffect("unconscious", source="sleep"),) if asleep else ()
    people = [
        place(HERO, "party", (1, 1), who="ann"),
        place(fighter("Cid", talents={"danger_sense": 1}), "party", (1, 2), who="cid", effects=effects),
        place(BEAST, "foes", (5, 1), who="bob"),
    ]
    session = fresh(people, start=SceneSetup(surprised=("ann", "cid")))
    begin(session, {"ann": (5, 5), "cid": (4, 4), "bob": (9, 9)})
    assert [one.who for one in events(session, WasSurprised)] == surprised


@pytest.mark.rule("mars.gap.check.awareness", "mars.encounter.sequence")
def test_nobody_sneaks_up_on_an_unknown_side() -> None:
    session = four()
    with pytest.raises(InvalidInputError, match='nobody is on the side "fos"; sides: party, foes; did you mean "foes"'):
        session.do("mars.encounter", sneaking="fos")  # before the first dice
    assert session.question is None


def test_a_character_who_is_faced_with_hidden_enemies_alone_is_surprised() -> None:
    people = [
        place(HERO, "party", (1, 1), who="ann"),
        place(BEAST, "foes", (5, 1), who="bob", hidden=True),
    ]
    session = begin(fresh(people), {"ann": (9, 9), "bob": (1, 1)})
    assert [one.who for one in events(session, WasSurprised)] == ["ann"]
    assert session.seat == "bob"


# ---------------------------------------------------------------------- rounds and the end


@pytest.mark.rule("mars.time.round")
def test_a_round_takes_six_seconds() -> None:
    session = begin(four(), ROLLS)
    data = LEDGER["mars.time.round"].data
    for number in range(1, data["rounds_per_minute"] + 1):
        assert session.scene.round == number
        end_turns(session, 4)
    assert session.scene.clock.now == 60
    assert {one.amount for one in events(session, TimePassed)} == {data["round_seconds"]}


@pytest.mark.rule("mars.action.reaction")
@pytest.mark.parametrize("refresh", ["own_turn", "round_start"])
def test_when_the_reaction_is_renewed(refresh: Any) -> None:
    session = begin(four(reaction_refresh=refresh), ROLLS)
    assert status(session, "cid").turn.reaction  # from the start of the encounter
    session = with_status(session, "cid", turn=status(session, "cid").turn._replace(reaction=False))
    session.do("mars.encounter")
    assert end_turns(session, 2).seat == "cid"
    assert status(session, "cid").turn.reaction is (refresh == "own_turn")
    assert end_turns(session, 2).scene.round == 2
    assert status(session, "cid").turn.reaction


@pytest.mark.rule("mars.action.reaction", "mars.action.delay")
@pytest.mark.parametrize("refresh", ["own_turn", "round_start"])
@pytest.mark.parametrize("reaction", [False, True])
def test_a_new_round_touches_only_those_whom_it_gives_something(refresh: Any, reaction: bool) -> None:
    scene = four(reaction_refresh=refresh).scene
    turn = status(four(), "ann").turn._replace(reaction=reaction)
    before = scene.with_status("ann", turn=turn, delayed=False).with_status("cid", turn=turn, delayed=True)
    after = BOOK.apply(before, RoundStarted(number=2))
    assert (after["ann"] is before["ann"]) == (reaction or refresh == "own_turn")
    assert after["ann"].status.turn.reaction == after["cid"].status.turn.reaction == (reaction or refresh != "own_turn")
    assert not after["cid"].status.delayed


@pytest.mark.rule("mars.gap.fight.end")
def test_end_of_the_fight() -> None:
    people = [
        place(HERO, "party", (1, 1), who="ann"),
        place(BEAST, "foes", (5, 1), who="bob"),
        place(BEAST, "third", (9, 1), who="dot"),
    ]
    scene = session_with(people).scene
    assert outcome(scene) is None
    asleep = scene.with_status("bob", effects=(MarsEffect("unconscious"),))
    assert outcome(asleep) is None  # three sides: two are left
    assert outcome(asleep.with_status("dot", dead=True)) == "party win"
    fled = session_with(people)
    fled.do("table.leave", who="bob", how="fled")
    fled.do("table.leave", who="dot", how="surrendered")
    fled.do("mars.encounter")
    assert fled.scene.ended == "party win"
    assert outcome(asleep.with_status("dot", dead=True).with_status("ann", dead=True)) == "nobody stands"


@pytest.mark.rule("mars.time.round")
def test_after_so_many_rounds_it_is_a_draw() -> None:
    session = begin(with_scene(four(), setup=SceneSetup(rounds=2)), ROLLS)
    end_turns(session, 8)
    assert [one.outcome for one in events(session, SceneEnded)] == ["draw"]
    assert session.question is None


def test_effects_in_rounds_end_with_the_encounter() -> None:
    people = [
        place(
            HERO,
            "party",
            (1, 1),
            who="ann",
            effects=(MarsEffect("rating", value=1, turn_of="ann", until=9), MarsEffect("blind")),
        ),
        place(BEAST, "foes", (5, 1), who="bob"),
    ]
    session = session_with(people)
    session.do("mars.encounter")
    session.do("table.end", outcome="peace")
    while session.question is not None:
        session.choose("end_turn")
    assert [one.kind for one in status(session).effects] == ["blind"]
    assert session.scene.system_state == Fight()


def test_a_character_joins_in_the_middle() -> None:
    session = begin(four(), ROLLS)
    session.join({"character": HERO.to_json(), "id": "eve", "side": "third", "seat": "eve", "position": "10,10"})
    assert "eve" not in session.scene.order
    assert end_turns(session, 4).seat == "eve"
    session.type_in((10, 10))
    assert session.scene.order == ("eve", "ann", "bob", "cid", "dot")
    assert session.scene.turn == "eve"


def test_a_character_leaves_in_their_own_turn() -> None:
    session = begin(four(), ROLLS)
    session.do("table.leave", who="ann", how="fled")
    session.choose("end_turn")
    for _ in range(3):
        assert session.seat != "ann"
        session.choose("end_turn")
    assert session.scene.round == 2


# ---------------------------------------------------------------------- complex challenges


@pytest.mark.rule("mars.encounter.complex_challenge")
def test_a_complex_challenge() -> None:
    rogue = fighter("Ann", DEX="r10", skills={"sleight": "r4"})
    people = [place(rogue, "party", (1, 1), who="ann"), place(HERO, "party", (1, 2), who="cid")]
    session = session_with(people)
    session.do("mars.complex_challenge", tasks=["sleight:10", "athletics:7"], turns=3, seconds=30)
    answer(session, "task::sleight:10", (9, 2), "task::athletics:7", 6)  # a graze is no success
    answer(session, "end_turn", "task::athletics:7", 7)
    assert [one.task for one in events(session, TaskDone)] == ["sleight:10", "athletics:7"]
    assert session.scene.ended == "all is done"
    assert session.scene.clock.now == 60
    slow = session_with(people)
    choices = {"which": ["task::sleight:10"]}
    go(slow, "mars.complex_challenge", tasks=["sleight:10"], turns=1, faces=[(1, 1)], choices=choices)
    assert slow.scene.ended == "time is up"
    with pytest.raises(InvalidInputError, match="is not a task"):
        go(session_with(people), "mars.complex_challenge", tasks=["sleight"])


@pytest.mark.rule("mars.encounter.complex_challenge")
def test_a_fight_as_a_complex_challenge_has_one_check_a_turn() -> None:
    session = duel(HERO, BEAST, options=MarsOptions(encounter_mode="complex_challenge"), theirs=STILL)
    assert {"attack:bob:club", "use_skill"} <= set(offered(session))
    act(session, "attack:bob:club", faces=[(1,), (9,)])
    uses = {use.partition(":")[0] for use in offered(session)}
    assert not {"attack", "use_skill"} & uses
    assert "drop_prone" in uses  # minor actions go on


@pytest.mark.rule("mars.encounter.complex_challenge", "mars.skill.complex_gate")
def test_a_complex_challenge_asks_for_training_in_complex_skills() -> None:
    rogue = fighter("Ann", skills={"sleight": "r4"})
    session = session_with([place(rogue, "party", (1, 1), who="ann"), place(HERO, "party", (1, 2), who="cid")])
    session.do("mars.complex_challenge", tasks=["sleight:11", "martial:1"], turns=1)
    assert asked(session) == ("task::sleight:11", "task::martial:1", "end_turn")
    session.choose("end_turn")
    question = session.question
    assert isinstance(question, Choice)
    assert question.ids == ("task::martial:1", "end_turn")
    (closed,) = question.closed
    assert (closed.reason, closed.rule) == ("not trained in sleight", "mars.skill.complex_gate")
    with pytest.raises(IllegalActionError):
        session.choose("task::sleight:11")


@pytest.mark.rule("mars.encounter.complex_challenge")
@each_case(("plus", "done"), [(3, 1), (2, 0)])
def test_rulings_count_in_a_complex_challenge(plus: int, done: int) -> None:
    session = session_with([place(HERO, "party", (1, 1), who="ann")])
    session = with_scene(session, modifiers=(Modifier("agility", plus, "a rope"),))
    choices = {"which": "task::agility:8"}
    go(session, "mars.complex_challenge", tasks=["agility:8"], turns=1, faces=[(5,)], choices=choices)
    assert len(events(session, TaskDone)) == done


@pytest.mark.rule("mars.encounter.complex_challenge")
def test_a_task_that_is_named_twice_is_done_twice() -> None:
    session = session_with([place(HERO, "party", (1, 1), who="ann")])
    choices = {"which task": ["task::athletics:0"] * 2}
    tasks = ["athletics:0"] * 2
    go(session, "mars.complex_challenge", tasks=tasks, turns=3, faces=[(9,), (9,)], choices=choices)
    assert len(events(session, TaskDone)) == 2
    assert session.scene.ended == "all is done"
