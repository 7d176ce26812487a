"""Encounters from their start to their end: initiative, surprise, order, rounds, challenges, coming and going."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import BOOK, duel, effect, fighter, offered, place, scene_with, session_with
from systems.playing import asked, events, go, status
from tablewright.engine import Choice, Roll
from tablewright.errors import InvalidInputError
from tablewright.game.ground.grid import Grid
from tablewright.game.play.common_events import RoundStarted, SceneEnded, TimePassed, TurnStarted
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.scene import Participant, SceneSetup
from tablewright.game.session.policies import POLICIES, play_to_end
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.encounter import order_of_acting, outcome
from tablewright.systems.mars.events.encounter import InitiativeRolled, OrderDecided, SurpriseOver, WasSurprised
from tablewright.systems.mars.events.turn import TaskDone
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Fight, Turn, fight

LEDGER = Ledger.load("mars")
HERO = fighter("Ann", ["club"], DEX="r10", RES="r10")
BEAST = fighter("Bob", ["club"], DEX="r10", RES="r10", kind="creature")


def fresh(people: list[Participant], options: MarsOptions | None = None, **how: Any) -> Session:
    """A fight in which nothing has happened yet."""
    table = options or MarsOptions()
    scene = scene_with(people, options=table, **how)
    for one in people:
        scene = scene.with_status(one.id, turn=Turn(), earlier=None, initiative=one.status.initiative)
    scene = replace(scene, round=0, order=(), turn=None, system_state=None)
    return Session(SessionHeader("mars", "0.1.0", scene, 1), BOOK)


def begin(session: Session, rolls: dict[str, tuple[int, ...]] | None = None, **arguments: Any) -> Session:
    """Start the encounter; initiative and awareness are typed by who rolls."""
    typed = dict(rolls or {})
    session.do("mars.encounter", **arguments)
    while isinstance(session.question, Roll):
        session.type_in(typed.pop(str(session.seat)))
    return session


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


# ---------------------------------------------------------------------- order


@pytest.mark.rule("mars.initiative.teams")
def test_teams_alternate() -> None:
    (example,) = LEDGER["mars.initiative.teams"].examples
    people = [
        place(HERO, side, (number, 1), who=who, initiative=rolled)
        for side, team in example["given"].items()
        for number, (who, rolled) in enumerate(team.items())
    ]
    scene = session_with(people).scene
    assert list(order_of_acting(scene, [one.id for one in people])) == list(example["expect"])


@pytest.mark.rule("mars.initiative.roll", "mars.encounter.sequence")
def test_everybody_rolls_initiative_first() -> None:
    session = begin(four(), {"ann": (9, 2), "cid": (3, 3), "bob": (8, 1), "dot": (4, 1)})
    assert {one.who: one.total for one in events(session, InitiativeRolled)} == {
        "ann": 11,
        "cid": 6,
        "bob": 9,
        "dot": 5,
    }
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
def test_the_same_order_every_round_and_a_team_without_members_is_skipped() -> None:
    session = begin(four(), {"ann": (9, 2), "cid": (3, 3), "bob": (8, 1), "dot": (4, 1)})
    for _ in range(8):
        session.choose("end_turn")
    turns = [one.who for one in events(session, TurnStarted)]
    assert turns == ["ann", "bob", "cid", "dot"] * 2 + ["ann"]


@pytest.mark.rule("mars.initiative.individual")
def test_individual_order() -> None:
    session = begin(four(initiative_mode="individual"), {"ann": (9, 2), "cid": (8, 2), "bob": (8, 1), "dot": (4, 1)})
    assert session.scene.order == ("ann", "cid", "bob", "dot")
    alone = session_with([place(HERO, "party", (n, 1), who=who, initiative=n) for n, who in enumerate("abc")])
    assert order_of_acting(alone.scene, "abc") == ("c", "b", "a")


@pytest.mark.rule("mars.initiative.ties")
def test_players_with_equal_results_decide_who_goes_first() -> None:
    session = begin(four(), {"ann": (5, 3), "cid": (5, 3), "bob": (4, 1), "dot": (4, 1)})
    assert (asked(session), session.seat) == (("goes_first:ann", "goes_first:cid"), "ann")
    session.choose("goes_first:cid")
    assert session.scene.order == ("cid", "bob", "ann", "dot")  # creatures are not asked
    for _ in range(4):
        session.choose("end_turn")
    assert session.scene.order == ("cid", "bob", "ann", "dot")  # in every round


@pytest.mark.rule("mars.initiative.ties")
def test_ties_between_teams() -> None:
    def order(**options: Any) -> tuple[str, ...]:
        table = MarsOptions(**options)
        people = [
            place(fighter("Bob", DEX="r12", kind="creature"), "foes", (1, 1), who="bob", initiative=9, options=table),
            place(HERO, "party", (2, 1), who="ann", initiative=9, options=table),
        ]
        scene = session_with(people, options=table).scene
        return order_of_acting(scene, ["bob", "ann"])

    assert order() == ("ann", "bob")  # players first
    assert order(initiative_tie="higher_max") == ("bob", "ann")
    tied = four(initiative_tie="reroll")
    tied.do("mars.encounter")
    for faces in ((5, 5), (1, 1), (5, 5), (1, 1)):
        tied.type_in(faces)
    tied.type_in((3, 3))  # ann and bob again
    tied.type_in((4, 3))
    assert tied.scene.order == ("bob", "ann", "dot", "cid")


@pytest.mark.rule("mars.initiative.ties")
def test_a_hidden_participant_rolls_no_tie_again() -> None:
    """Ann rolled a second time for a tie with someone in hiding, so that everyone could tell."""
    table = MarsOptions(initiative_tie="reroll")
    people = [
        place(HERO, "party", (1, 1), who="ann", options=table),
        place(BEAST, "foes", (20, 1), who="bob", hidden=True, options=table),
    ]
    tied = fresh(people, table)
    tied.do("mars.encounter")
    for faces in ((5, 5), (5, 5)):
        tied.type_in(faces)
    assert not isinstance(tied.question, Roll)


@pytest.mark.rule("mars.initiative.ties")
def test_ties_within_a_team_follow_the_list() -> None:
    people = [place(HERO, "party", (n, 1), who=who, initiative=9) for n, who in enumerate("abc")]
    assert order_of_acting(session_with(people).scene, "abc") == ("a", "b", "c")


@pytest.mark.rule("mars.initiative.teams", "mars.encounter.sequence", "mars.surprise.who_acts")
def test_a_hidden_character_does_not_change_the_order_of_others() -> None:
    people = [
        place(HERO, "party", (1, 1), who="ann", initiative=20),
        place(HERO, "party", (1, 2), who="cid", initiative=10),
        place(BEAST, "foes", (9, 1), who="bob", initiative=15),
        place(BEAST, "foes", (9, 2), who="lurker", initiative=18, hidden=True),
    ]
    scene = session_with(people).scene
    assert order_of_acting(scene, [one.id for one in people]) == ("ann", "lurker", "bob", "cid")
    level = scene.with_status("lurker", initiative=15)  # as fast as bob, who is listed first
    assert order_of_acting(level, [one.id for one in people]) == ("ann", "bob", "cid", "lurker")
    last = scene.with_status("lurker", initiative=None)
    assert order_of_acting(last, [one.id for one in people]) == ("ann", "bob", "cid", "lurker")


@pytest.mark.rule("mars.initiative.teams", "mars.initiative.ties")
def test_teams_of_different_numbers_alternate_while_they_last() -> None:
    results = {"a": ("party", 9), "b": ("party", 8), "c": ("party", 1), "x": ("foes", 10), "y": ("wolves", 9)}
    people = [
        place(HERO if side == "party" else BEAST, side, (number, 1), who=who, initiative=result)
        for number, (who, (side, result)) in enumerate(results.items())
    ]
    assert order_of_acting(session_with(people).scene, "abcxy") == ("x", "a", "y", "b", "c")
    individually = MarsOptions(initiative_mode="individual")
    people = [replace(one, side=results[one.id][0]) for one in people]
    assert order_of_acting(session_with(people, options=individually).scene, "abcxy") == ("x", "a", "y", "b", "c")


# ---------------------------------------------------------------------- surprise


@pytest.mark.rule("mars.surprise.who_acts")
@pytest.mark.parametrize("example", LEDGER["mars.surprise.who_acts"].examples)
def test_the_surprise_round(example: Any) -> None:
    given, expect = example["given"], example["expect"]
    sides = {"a": "party", "b": "party", "c": "foes", "d": "foes"}
    people = [
        place(HERO, sides[who], (number, 1), who=who) for number, who in enumerate((*given["aware"], *given["unaware"]))
    ]
    session = fresh(people, start=SceneSetup(surprised=tuple(given["unaware"])))
    rolled: dict[str, tuple[int, ...]] = {
        who: (9 - number, 5) for number, who in enumerate((*given["aware"], *given["unaware"]))
    }
    begin(session, rolled)
    decided = events(session, OrderDecided)[0]
    assert decided.surprise is expect["surprise_round"]
    if expect["surprise_round"]:
        assert sorted(decided.order) == sorted(expect["acting"])
        for _ in expect["acting"]:
            assert session.seat in expect["acting"]
            session.choose("end_turn")
        assert events(session, SurpriseOver)
        assert sorted(session.scene.order) == sorted(rolled)
        assert not any(one.status.surprised for one in session.scene.participants)


@pytest.mark.rule("mars.surprise.who_acts", "mars.action.reaction")
@pytest.mark.parametrize("allowed", [False, True])
def test_the_surprised_do_not_react(allowed: bool) -> None:
    options = MarsOptions(surprised_reactions=allowed)
    session = duel(HERO, BEAST, options=options, theirs={"surprised": True})
    session.do("mars.perform", who="ann", use="attack:bob:club")
    question = session.question
    asked = isinstance(question, Choice) and "evade" in question.ids
    assert asked is allowed


@pytest.mark.rule("mars.gap.talent.senses", "mars.surprise.who_acts")
def test_danger_sense_is_never_surprised() -> None:
    alert = fighter("Cid", talents={"danger_sense": 1})
    people = [
        place(HERO, "party", (1, 1), who="ann"),
        place(alert, "party", (1, 2), who="cid"),
        place(BEAST, "foes", (5, 1), who="bob"),
    ]
    session = fresh(people, start=SceneSetup(surprised=("ann", "cid")))
    begin(session, {"ann": (5, 5), "cid": (4, 4), "bob": (9, 9)})
    assert [one.who for one in events(session, WasSurprised)] == ["ann"]
    asleep = [*people]
    asleep[1] = place(alert, "party", (1, 2), who="cid", effects=(MarsEffect("unconscious", source="sleep"),))
    session = fresh(asleep, start=SceneSetup(surprised=("ann", "cid")))
    begin(session, {"ann": (5, 5), "cid": (4, 4), "bob": (9, 9)})
    assert [one.who for one in events(session, WasSurprised)] == ["ann", "cid"]


@pytest.mark.rule("mars.gap.check.awareness", "mars.encounter.sequence")
def test_sneaking_up_on_a_character() -> None:
    session = four()
    session.do("mars.encounter", sneaking="foes")
    for faces in ((5, 5), (4, 4), (3, 3), (2, 2)):
        session.type_in(faces)
    # agility 9 and 8, rolled once; against the worse of them ann's perception is 7 and cid's 8
    for face in (9, 8, 7, 8):
        session.type_in((face,))
    assert [one.who for one in events(session, WasSurprised)] == ["ann"]
    assert fight(session.scene).surprise
    with pytest.raises(InvalidInputError, match='nobody is on the side "fos"; sides: party, foes; did you mean "foes"'):
        four().do("mars.encounter", sneaking="fos")  # before the first dice


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
    session = begin(four(), {"ann": (9, 2), "cid": (3, 3), "bob": (8, 1), "dot": (4, 1)})
    data = LEDGER["mars.time.round"].data
    for number in range(1, data["rounds_per_minute"] + 1):
        assert session.scene.round == number
        for _ in range(4):
            session.choose("end_turn")
    assert session.scene.clock.now == 60
    assert {one.amount for one in events(session, TimePassed)} == {data["round_seconds"]}


@pytest.mark.rule("mars.action.reaction")
@pytest.mark.parametrize("refresh", ["own_turn", "round_start"])
def test_when_the_reaction_is_renewed(refresh: Any) -> None:
    session = four(reaction_refresh=refresh)
    begin(session, {"ann": (9, 2), "cid": (3, 3), "bob": (8, 1), "dot": (4, 1)})
    assert status(session, "cid").turn.reaction  # from the start of the encounter
    used = session.scene.with_status("cid", turn=status(session, "cid").turn._replace(reaction=False))
    session = Session(replace(session.header, scene=used), BOOK)
    session.do("mars.encounter")
    session.choose("end_turn")
    session.choose("end_turn")
    assert session.seat == "cid"
    assert status(session, "cid").turn.reaction is (refresh == "own_turn")
    session.choose("end_turn")
    session.choose("end_turn")
    assert session.scene.round == 2
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
    session = four()
    session = Session(replace(session.header, scene=replace(session.scene, setup=SceneSetup(rounds=2))), BOOK)
    begin(session, {"ann": (9, 2), "cid": (3, 3), "bob": (8, 1), "dot": (4, 1)})
    for _ in range(8):
        session.choose("end_turn")
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
    session = begin(four(), {"ann": (9, 2), "cid": (3, 3), "bob": (8, 1), "dot": (4, 1)})
    session.join({"character": HERO.to_json(), "id": "eve", "side": "third", "seat": "eve", "position": "10,10"})
    assert "eve" not in session.scene.order
    for _ in range(4):
        session.choose("end_turn")
    assert session.seat == "eve"
    session.type_in((10, 10))
    assert session.scene.order == ("eve", "ann", "bob", "cid", "dot")
    assert session.scene.turn == "eve"


def test_a_character_leaves_in_their_own_turn() -> None:
    session = begin(four(), {"ann": (9, 2), "cid": (3, 3), "bob": (8, 1), "dot": (4, 1)})
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
    session.choose("task::sleight:10")
    session.type_in((9, 2))
    session.choose("task::athletics:7")
    session.type_in((6,))  # a graze is no success
    session.choose("end_turn")
    session.choose("task::athletics:7")
    session.type_in((7,))
    assert [one.task for one in events(session, TaskDone)] == ["sleight:10", "athletics:7"]
    assert session.scene.ended == "all is done"
    assert session.scene.clock.now == 60
    slow = session_with(people)
    go(
        slow,
        "mars.complex_challenge",
        tasks=["sleight:10"],
        turns=1,
        faces=[(1, 1)],
        choices={"which": ["task::sleight:10"]},
    )
    assert slow.scene.ended == "time is up"
    with pytest.raises(InvalidInputError, match="is not a task"):
        go(session_with(people), "mars.complex_challenge", tasks=["sleight"])


@pytest.mark.rule("mars.encounter.complex_challenge")
def test_a_fight_as_a_complex_challenge_has_one_check_a_turn() -> None:
    session = duel(HERO, BEAST, options=MarsOptions(encounter_mode="complex_challenge"), theirs={"stamina": 0})
    session.do("mars.encounter")
    session.choose("attack:bob:club")
    session.type_in((1,))
    session.type_in((9,))
    uses = [use.partition(":")[0] for use in offered(session)]
    assert "attack" not in uses
    assert "use_skill" not in uses
    assert "drop_prone" in uses  # minor actions go on


# ---------------------------------------------------------------------- whole fights


@pytest.mark.parametrize("policy", ["random", "aggressive", "careful"])
@pytest.mark.parametrize(
    "options", [{}, {"defence_declaration": "after_attack_roll"}, {"initiative_mode": "individual"}]
)
def test_bots_fight_to_the_end(policy: str, options: Any) -> None:
    session = four(**options)
    near = replace(session.scene, ground=Grid(size=(24, 6)), setup=SceneSetup(rounds=40))
    session = Session(replace(session.header, scene=near), BOOK)
    session.do("mars.encounter")
    assert play_to_end(session, {}, otherwise=POLICIES[policy], most=20_000)
    assert session.scene.ended is not None
    for one in session.scene.participants:
        assert one.status.endurance >= 0
        assert one.status.stamina >= 0
        assert one.status.focus >= 0
    assert not effect(session, "ann", "rating")
