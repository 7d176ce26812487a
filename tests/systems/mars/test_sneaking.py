"""Sneaking up and being surprised: one roll for each who sneaks, and a surprise that ends with its round."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import BOOK, FOE, calls, fighter, fresh, place, scene_with, with_scene
from systems.mars.people import OPTIONS
from systems.playing import answer, events, status
from tablewright.engine import Roll, odds
from tablewright.game.scene.scene import Modifier, Participant, SceneSetup
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.mars.actions.requirements import why_no_reaction
from tablewright.systems.mars.events.encounter import WasSurprised
from tablewright.systems.mars.events.turn import Gathered
from tablewright.systems.mars.mechanics.turn import awareness
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Fight
from tablewright.systems.mars.values import RollValue

PLAIN = fighter("Somebody", ["club"])


def met(people: list[Participant], *, options: MarsOptions = OPTIONS, **how: Any) -> Session:
    """A fight in which everyone has rolled initiative and nothing else has happened."""
    rolled = [replace(one, status=replace(one.status, initiative=10)) for one in people]
    return fresh(rolled, options, **how)


def sneak(sneaks: list[Any], observers: int, *faces: tuple[int, ...], **how: Any) -> Session:
    """Some sneak up on others, with typed dice."""
    people = [place(one, "foes", (1, at), who=f"foe{at}") for at, one in enumerate(sneaks)]
    people += [place(PLAIN, "party", (9, at), who=f"ann{at}") for at in range(observers)]
    session = with_scene(met(people), **how)
    session.do("mars.encounter", sneaking="foes")
    answer(session, *faces)
    assert not isinstance(session.question, Roll)
    return session


@pytest.mark.rule("mars.gap.check.awareness", "mars.check.group_action")
def test_a_character_who_sneaks_rolls_once_and_the_worst_counts_for_everybody() -> None:
    session = sneak([PLAIN, PLAIN], 3, (6,), (5,), (4,), (5,), (10,))
    assert len(calls(session, "mars.roll")) == 2
    assert [one["agilities"] for one in calls(session, "mars.awareness")] == [
        calls(session, "mars.awareness")[0]["agilities"]
    ] * 3
    assert str(calls(session, "mars.awareness")[0]["agilities"][0]) == "r0+5"
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
    assert [one["disadvantage"] for one in calls(session, "mars.roll")] == [1, 0]
    assert not events(session, WasSurprised)  # 5 of two dice, and 5 notices it
    team = fighter("Tim", skills={"agility": "r4"}, talents={"teamwork": 1})
    novice = fighter("Tom", talents={"teamwork": 1})
    session = sneak([team, novice], 1, (6, 2, 8), (9,), (9,))
    assert [one["advantage"] for one in calls(session, "mars.roll")] == [1, 0]


@pytest.mark.rule("mars.gap.check.awareness")
def test_rulings_count_for_those_who_sneak_and_those_who_notice() -> None:
    ruled = (Modifier("agility", 3, "fog", "foe0"), Modifier("perception", 1, "lamps"))
    session = sneak([PLAIN], 2, (5,), (6,), (7,), modifiers=ruled)
    assert str(calls(session, "mars.roll")[0]["roll_value"]) == "r10+3"
    assert [one.who for one in events(session, WasSurprised)] == ["ann0"]  # 7 and 8 against 8


@pytest.mark.rule("mars.gap.check.awareness", "mars.dice.passive_use")
def test_creatures_sneak_and_notice_passively_where_the_table_says_so() -> None:
    beast = fighter("Bob", ["club"], kind="creature")
    options = MarsOptions(passive_rolls="all_npc")
    people = [place(beast, "foes", (1, 1), who="bob"), place(beast, "party", (9, 1), who="ann")]
    session = met(people, options=options)
    session.do("mars.encounter", sneaking="foes")
    while isinstance(session.question, Roll):
        session.type_in(())
    assert str(calls(session, "mars.roll")[0]["roll_value"]) == "r0+5"
    assert str(calls(session, "mars.awareness")[0]["perception"]) == "r0+5"
    assert not events(session, WasSurprised)


@pytest.mark.rule("mars.surprise.who_acts")
def test_nobody_is_surprised_for_longer_than_the_surprise_round() -> None:
    people = [place(PLAIN, "party", (1, 1), who="ann"), place(PLAIN, "foes", (2, 1), who="bob")]
    session = met(people, start=SceneSetup(surprised=("ann", "bob")))
    session.do("mars.encounter")
    assert [one.who for one in events(session, WasSurprised)] == ["ann", "bob"]
    assert not status(session, "ann").surprised
    assert not status(session, "bob").surprised
    assert why_no_reaction(session.scene, "bob", free=True) is None
    one = met(people, start=SceneSetup(surprised=("bob",)))
    one.do("mars.encounter")
    assert status(one, "bob").surprised
    assert why_no_reaction(one.scene, "bob", free=True) == "surprised"


@pytest.mark.rule("mars.surprise.who_acts", "mars.encounter.sequence")
def test_a_surprise_ends_with_the_encounter() -> None:
    people = [
        place(PLAIN, "party", (1, 1), who="ann"),
        place(PLAIN, "foes", (2, 1), who="bob", endurance=0, health=0, stamina=0),
    ]
    session = met(people, start=SceneSetup(surprised=("bob",)))
    session.do("mars.encounter")
    session.choose("attack:bob:club")
    for faces in ((9, 9), (1,), (10, 6)):
        session.type_in(faces)
    assert events(session, Gathered)
    assert not status(session, "bob").conscious
    assert not status(session, "bob").surprised


@pytest.mark.rule("mars.surprise.who_acts")
def test_a_hidden_character_is_not_among_those_who_sneak() -> None:
    def aware(*, hidden: tuple[str, ...]) -> tuple[int, set[str]]:
        people = [
            place(FOE, "party", (1, 1), who="ann"),
            place(FOE, "foes", (9, 1), who="bob", hidden="bob" in hidden),
            place(FOE, "foes", (9, 3), who="eve", hidden="eve" in hidden),
        ]
        scene = replace(scene_with(people), system_state=Fight(), round=0, turn=None, order=())
        session = Session(SessionHeader("mars", "0.1.0", scene, 1), BOOK)
        session.do("mars.encounter", sneaking="foes")
        while isinstance(session.question, Roll):
            session.roll()
        rolls = len(calls(session, "mars.roll"))
        assert len(calls(session, "mars.awareness")) == bool(rolls)
        return rolls, {one.who for one in events(session, WasSurprised)}

    assert aware(hidden=())[0] == 2
    assert aware(hidden=("eve",))[0] == 1
    assert aware(hidden=("bob", "eve")) == (0, {"ann"})
