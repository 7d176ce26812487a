"""Sneaking up and being surprised: one roll for each who sneaks, and a surprise that ends with its round."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import BOOK, fighter, place, scene_with, session_with
from systems.mars.people import OPTIONS
from systems.playing import events, go, status
from tablewright.engine import Choice, Roll, Trace, odds
from tablewright.errors import IllegalActionError
from tablewright.game.scene.scene import Modifier, Participant, SceneSetup
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.mars.actions.requirements import why_no_reaction
from tablewright.systems.mars.events.encounter import WasSurprised
from tablewright.systems.mars.events.turn import Gathered, TaskDone
from tablewright.systems.mars.mechanics.checks import roll
from tablewright.systems.mars.mechanics.turn import awareness
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Turn
from tablewright.systems.mars.values import RollValue

PLAIN = fighter("Somebody", ["club"])


def fresh(people: list[Participant], *, options: MarsOptions | None = None, **how: Any) -> Session:
    """A fight in which everyone has rolled initiative and nothing else has happened."""
    scene = scene_with(people, options=options or OPTIONS, **how)
    for one in people:
        scene = scene.with_status(one.id, turn=Turn(), earlier=None)
    return Session(
        SessionHeader("mars", "0.1.0", replace(scene, round=0, order=(), turn=None, system_state=None), 1), BOOK
    )


def rolled(session: Session, rule: Any) -> list[dict[str, Any]]:
    """The arguments of every roll by a rule."""
    return [
        line.call.named_arguments() for line in session.log if isinstance(line, Trace) and line.call.mechanic is rule
    ]


def sneak(sneaks: list[Any], observers: int, *faces: tuple[int, ...], **how: Any) -> Session:
    """Some sneak up on others, with typed dice."""
    people = [place(one, "foes", (1, at), who=f"foe{at}") for at, one in enumerate(sneaks)]
    people += [place(PLAIN, "party", (9, at), who=f"ann{at}") for at in range(observers)]
    session = fresh(people)
    if "modifiers" in how:
        scene = replace(session.scene, modifiers=how["modifiers"])
        session = Session(replace(session.header, scene=scene), BOOK)
    session.do("mars.encounter", sneaking="foes")
    for one in faces:
        assert isinstance(session.question, Roll)
        session.type_in(one)
    assert not isinstance(session.question, Roll)
    return session


@pytest.mark.rule("mars.gap.check.awareness", "mars.check.group_action")
def test_a_character_who_sneaks_rolls_once_and_the_worst_counts_for_everybody() -> None:
    session = sneak([PLAIN, PLAIN], 3, (6,), (5,), (4,), (5,), (10,))
    assert len(rolled(session, roll)) == 2
    assert [one["agilities"] for one in rolled(session, awareness)] == [rolled(session, awareness)[0]["agilities"]] * 3
    assert str(rolled(session, awareness)[0]["agilities"][0]) == "r0+5"
    assert [one.who for one in events(session, WasSurprised)] == ["ann0"]


@pytest.mark.rule("mars.gap.check.awareness")
@pytest.mark.parametrize(("totals", "noticed"), [((7, 9), True), ((9, 7), True), ((8, 9), True), ((9, 9), False)])
def test_the_worst_of_known_totals_counts(totals: tuple[int, ...], noticed: bool) -> None:
    sneaking = tuple([RollValue(0, total) for total in totals])
    assert odds(awareness(RollValue(0, 8), sneaking))[noticed] == 1


@pytest.mark.rule("mars.gap.armour.noisy", "mars.gap.check.awareness")
def test_noisy_armour_and_everything_else_hinders_the_sneak() -> None:
    noisy = fighter("Nell", ["club"], ["vambraces"])
    session = sneak([noisy, PLAIN], 1, (6, 5), (9,), (5,))
    assert [one["disadvantage"] for one in rolled(session, roll)] == [1, 0]
    assert not events(session, WasSurprised)  # 5 of two dice, and 5 notices it
    team = fighter("Tim", skills={"agility": "r4"}, talents={"teamwork": 1})
    novice = fighter("Tom", talents={"teamwork": 1})
    session = sneak([team, novice], 1, (6, 2, 8), (9,), (9,))
    assert [one["advantage"] for one in rolled(session, roll)] == [1, 0]


@pytest.mark.rule("mars.gap.check.awareness")
def test_rulings_count_for_those_who_sneak_and_those_who_notice() -> None:
    ruled = (Modifier("agility", 3, "fog", "foe0"), Modifier("perception", 1, "lamps"))
    session = sneak([PLAIN], 2, (5,), (6,), (7,), modifiers=ruled)
    assert str(rolled(session, roll)[0]["roll_value"]) == "r10+3"
    assert [one.who for one in events(session, WasSurprised)] == ["ann0"]  # 7 and 8 against 8


@pytest.mark.rule("mars.gap.check.awareness", "mars.dice.passive_use")
def test_creatures_sneak_and_notice_passively_where_the_table_says_so() -> None:
    beast = fighter("Bob", ["club"], kind="creature")
    options = MarsOptions(passive_rolls="all_npc")
    people = [place(beast, "foes", (1, 1), who="bob"), place(beast, "party", (9, 1), who="ann")]
    session = fresh(people, options=options)
    session.do("mars.encounter", sneaking="foes")
    while isinstance(session.question, Roll):
        session.type_in(())
    assert str(rolled(session, roll)[0]["roll_value"]) == "r0+5"
    assert str(rolled(session, awareness)[0]["perception"]) == "r0+5"
    assert not events(session, WasSurprised)


@pytest.mark.rule("mars.surprise.who_acts")
def test_nobody_is_surprised_for_longer_than_the_surprise_round() -> None:
    people = [place(PLAIN, "party", (1, 1), who="ann"), place(PLAIN, "foes", (2, 1), who="bob")]
    session = fresh(people, start=SceneSetup(surprised=("ann", "bob")))
    session.do("mars.encounter")
    assert [one.who for one in events(session, WasSurprised)] == ["ann", "bob"]
    assert not status(session, "ann").surprised
    assert not status(session, "bob").surprised
    assert why_no_reaction(session.scene, "bob", free=True) is None
    one = fresh(people, start=SceneSetup(surprised=("bob",)))
    one.do("mars.encounter")
    assert status(one, "bob").surprised
    assert why_no_reaction(one.scene, "bob", free=True) == "surprised"


@pytest.mark.rule("mars.surprise.who_acts", "mars.encounter.sequence")
def test_a_surprise_ends_with_the_encounter() -> None:
    people = [
        place(PLAIN, "party", (1, 1), who="ann"),
        place(PLAIN, "foes", (2, 1), who="bob", endurance=0, health=0, stamina=0),
    ]
    session = fresh(people, start=SceneSetup(surprised=("bob",)))
    session.do("mars.encounter")
    session.choose("attack:bob:club")
    for faces in ((9, 9), (1,), (10, 6)):
        session.type_in(faces)
    assert events(session, Gathered)
    assert not status(session, "bob").conscious
    assert not status(session, "bob").surprised


def asked(session: Session) -> Choice[Any]:
    """The open choice of a seat."""
    assert isinstance(session.question, Choice)
    return session.question


@pytest.mark.rule("mars.encounter.complex_challenge", "mars.skill.complex_gate")
def test_a_complex_challenge_asks_for_training_in_complex_skills() -> None:
    rogue = fighter("Ann", skills={"sleight": "r4"})
    people = [place(rogue, "party", (1, 1), who="ann"), place(PLAIN, "party", (1, 2), who="cid")]
    session = session_with(people)
    tasks = ["sleight:11", "martial:1", "agility:1"]
    session.do("mars.complex_challenge", tasks=tasks, turns=1)
    assert asked(session).ids == ("task::sleight:11", "task::martial:1", "task::agility:1", "end_turn")
    session.choose("end_turn")
    assert asked(session).ids == ("task::martial:1", "task::agility:1", "end_turn")
    (closed,) = asked(session).closed
    assert (closed.reason, closed.rule) == ("not trained in sleight", "mars.skill.complex_gate")
    with pytest.raises(IllegalActionError):
        session.choose("task::sleight:11")


@pytest.mark.rule("mars.encounter.complex_challenge")
def test_rulings_count_in_a_complex_challenge() -> None:
    people = [place(PLAIN, "party", (1, 1), who="ann")]
    for plus, done in ((3, 1), (2, 0)):
        session = session_with(people)
        scene = replace(session.scene, modifiers=(Modifier("agility", plus, "a rope"),))
        session = Session(replace(session.header, scene=scene), BOOK)
        go(
            session,
            "mars.complex_challenge",
            tasks=["agility:8"],
            turns=1,
            faces=[(5,)],
            choices={"which": "task::agility:8"},
        )
        assert len(events(session, TaskDone)) == done
