"""Traps that are seen, disarmed or strike, and ailments from infection to cure."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.playing import answer, events, go, status, words
from systems.stage.fights import duel, fighter, place, session_with, undisturbed
from systems.stage.people import OPTIONS, ordinary, refused, session_of, somebody
from tablewright.engine import odds
from tablewright.systems.stage.mechanics.turn import ailment_course
from tablewright.systems.stage.values import HOUR

DODGE = {"how to defend": "dodge"}


@pytest.mark.rule("stage.poison.cure", "stage.poison.attack")
def test_odds_to_be_cured_over_time() -> None:
    """Level 2 against 9: an attack succeeds in 10 of 36 cases; two in a row withstood are a cure."""
    withstands = Fraction(26, 36)

    def cured(attacks: int) -> Fraction:
        return odds(ailment_course(2, 9, attacks)).chance(lambda course: course.cured)

    assert [cured(attacks) for attacks in (1, 2, 3)] == [0, withstands**2, withstands**2 * (2 - withstands)]
    before = [Fraction(1), Fraction(1)]  # not cured so far: the last attack failed, or only one was withstood
    for _ in range(2, 31):
        before.append((1 - withstands) * (before[-1] + withstands * before[-2]))
    assert cured(30) == 1 - before[30]


@pytest.mark.rule("stage.poison.effect", "stage.poison.attack")
def test_damage_makes_the_next_attack_of_an_ailment_easier() -> None:
    exact = odds(ailment_course(1, 4, 2, damage=1))
    strikes = Fraction(3, 6)
    assert exact.chance(lambda course: course.cured and course.attacks == 1) == 1 - strikes
    assert exact.chance(lambda course: course.succumbed and course.attacks == 1) == strikes * Fraction(3, 6)
    cured_then = sum([Fraction(4 - damage - 1, 6) for damage in (1, 2, 3)], Fraction(0)) / 6
    assert exact.chance(lambda course: course.cured and course.attacks == 2) == strikes * cured_then


@pytest.mark.rule("stage.trap.attack", "stage.action.ap")
def test_traps_outside_of_encounters_take_no_ap() -> None:
    session = session_of({"ann": somebody(2)})
    for _ in range(4):
        go(session, "stage.trap", who="ann", kind="arrow_trap", looks=False, faces=[[6, 6], [1]], choices=DODGE)
    assert (status(session).ap, words(session)[-1]) == (3, "arrow trap misses ann; dodge")


@pytest.mark.rule("stage.trap.attack", "stage.power_effect.on_defend")
def test_a_trap_that_was_dodged_gives_what_a_dodge_gives_and_hurts_nobody_back() -> None:
    flanker = somebody(agility=5, brawl=6, academics=1, perception=1, powers=("flank", "turnaround"))
    session = duel(flanker, fighter())
    go(session, "stage.trap", who="ann", kind="arrow_trap", looks=False, faces=[[6] * 5, [1]], choices=DODGE)
    assert status(session).held("flank") is not None
    assert status(session).ap == 2  # in an encounter it is counted
    parry = {"how to defend": "parry"}
    go(session, "stage.trap", who="ann", kind="landmine", looks=False, faces=[[6] * 6, [1, 1, 1]], choices=parry)
    assert [one.by for one in events(session, "Attacked")] == ["ann", "ann"]


@pytest.mark.rule("stage.trap.disarm", "stage.crafts.sabotage", "stage.power_effect.time_factor")
@pytest.mark.parametrize(
    ("told", "helpers", "done", "hours"),
    [
        (("3", [3, 3, 4], [1]), [], False, 1),
        (("3", [3, 3, 4], [2]), [], True, 1),
        (("1", [6]), ["bob"], False, Fraction(1, 2)),
    ],
    ids=["too little", "its Integrity", "failed with the help of a squad"],
)
def test_a_trap_is_spoilt_once_its_integrity_is_gone(
    told: tuple[Any, ...], helpers: list[str], done: bool, hours: Fraction
) -> None:
    people = {"ann": somebody(4, name="Ann", has=["crafts_kit"]), "bob": somebody(2, powers=("engineering_squad",))}
    session = session_of(people)
    session.do("stage.disarm_trap", who="ann", kind="arrow_trap", spoil=True, helped_by=helpers)
    answer(session, *told)  # Size 5, Complexity 5, Integrity 2
    assert session.result is done
    assert session.scene.clock.now == hours * HOUR


def together(*options: Any, **patient: Any) -> Any:
    doctor = ordinary(has=["medicine_kit"])
    people = [place(doctor, "party", who="ann"), place(ordinary(), "party", who="bob", **patient)]
    return session_with(people, begun=False, **({"options": options[0]} if options else {}))


@pytest.mark.rule("stage.trap.spot", "stage.trap.attack", "stage.trap.table")
def test_a_character_who_does_not_notice_a_trap_is_attacked_with_its_split() -> None:
    session = go(undisturbed(ordinary()), "stage.trap", who="ann", kind="arrow_trap", faces=[[4]])
    assert session.result is False
    go(session, "stage.trap", who="ann", kind="arrow_trap", faces=[[3], [3], [5]], choices={"how to defend": "nothing"})
    assert (events(session, "Attacked")[0].damage, session.result) == (5, True)
    mine = undisturbed(ordinary(agility=1))
    go(mine, "stage.trap", who="ann", kind="landmine", faces=[[5], [6], [1, 1, 1]], choices={"how to defend": "dodge"})
    assert not events(mine, "Attacked")[0].hit


@pytest.mark.rule("stage.trap.attack")
@pytest.mark.parametrize("ambush", [False, True])
def test_a_trap_that_was_not_noticed_may_count_as_an_ambush(ambush: bool) -> None:
    options = OPTIONS.put("trap_ambush", ambush)
    session = session_with(
        [place(ordinary(agility=1), "party", who="ann", options=options)], begun=False, options=options
    )
    choices = {} if ambush else {"how to defend": "nothing"}
    go(session, "stage.trap", who="ann", kind="arrow_trap", looks=False, faces=[[1]], choices=choices)
    assert [one.who for one in events(session, "Attacked")] == ["ann"]


@pytest.mark.rule("stage.trap.disarm", "stage.guile.disable")
@pytest.mark.parametrize(("face", "springs"), [(3, True), (4, False)])
def test_a_failed_disarming_sets_it_off_half_the_time(face: int, springs: bool) -> None:
    session = undisturbed(ordinary(guile=1, has=["lockpicks"]))
    choices = {"how to defend": "nothing"} if springs else {}
    faces = [[4], [face], *([[1]] if springs else [])]
    go(session, "stage.disarm_trap", who="ann", kind="arrow_trap", faces=faces, choices=choices)
    assert bool(events(session, "Attacked")) is springs
    go(session, "stage.disarm_trap", who="ann", kind="arrow_trap", faces=[[5]])
    assert session.result is True
    refused("cannot be disarmed", go, session, "stage.disarm_trap", who="ann", kind="cave_in")


@pytest.mark.rule("stage.poison.incubation", "stage.poison.attack", "stage.poison.effect")
def test_an_ailment_attacks_after_its_incubation_and_then_by_its_interval() -> None:
    session = undisturbed(ordinary(perception=2))
    refused("has a level from 2 to 5, not 6", session.do, "stage.infect", who="ann", ailment="nerve_agent", level=6)
    go(session, "stage.infect", who="ann", ailment="blackheart_disease", faces=[[2]])  # will 2 + spirit 2
    go(session, "table.pass_time", amount="2 hours", faces=[[2, 1]])
    assert status(session).sicknesses[0].withstood == 1
    go(session, "table.pass_time", amount="1 day", faces=[[2, 2], [3]])
    assert (status(session).will, status(session).spirit) == (0, 1)
    (case,) = status(session).sicknesses
    assert (case.withstood, dict(case.harm)) == (0, {"spirit": 1, "will": 2})


@pytest.mark.rule("stage.poison.cure", "stage.poison.effect")
def test_as_many_attacks_withstood_as_its_level_cure_it_and_its_effects_fade() -> None:
    session = go(undisturbed(ordinary()), "stage.infect", who="ann", ailment="skinflake_disease", faces=[[1]])
    go(session, "table.pass_time", amount="1 day", faces=[[6, 6]])
    assert status(session).counters == 1
    go(session, "table.pass_time", amount="2 days", faces=[[1, 1], [1, 1]])
    assert status(session).sicknesses[0].cured
    assert status(session).counters == 1
    go(session, "table.pass_time", amount="1 day")
    assert (status(session).counters, status(session).sicknesses) == (0, ())


@pytest.mark.rule("stage.medicine.cure")
@pytest.mark.parametrize(("stacking", "helped"), [("add", 7), ("best", 4)])
def test_treatment_adds_to_the_difficulty(stacking: str, helped: int) -> None:
    session = together(OPTIONS.put("cure_stacking", stacking))
    go(session, "stage.infect", who="bob", ailment="skinflake_disease", faces=[[6]])
    for faces in ([2, 2], [2, 1]):
        go(session, "stage.cure", healer="ann", patient="bob", ailment="skinflake_disease", faces=[faces])
    assert status(session, "bob").sicknesses[0].helped == helped
