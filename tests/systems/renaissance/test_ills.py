"""Chemicals by the clock, what a character takes along from scene to scene, blood on the trail, tasks in turn order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer
from systems.renaissance.fights import fighter, held, playing, scene_with, went, with_status
from systems.renaissance.folk import OPTIONS, library
from tablewright.errors import InvalidInputError
from tablewright.game.content.packs import read_pack
from tablewright.game.play.checks import Subject
from tablewright.game.play.common_events import ParticipantJoined
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.game.time.clock import Clock
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.content import KINDS
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import Job

ANN = fighter("Ann", race="human")
BOB = fighter("Bob", ("mace", "main"), race="human")
HOUR, DAY = 3_600, 86_400


def at_home(*people: Any, **options: Any) -> Scene:
    """A scene in which no one fights."""
    scene = scene_with(*[(one, 5 + at, 5) for at, one in enumerate(people or (ANN, BOB))], **options)
    return rulebook.open_scene(replace(scene, order=(), round=0, turn=None))


def dosed(chemical: str, *answers: Any, **status: Any) -> Session:
    """Ann has something in her blood."""
    scene = with_status(at_home(), "ann", **status)
    return answer(playing(scene, "renaissance.dose", who="ann", chemical=chemical), *answers)


def passes(session: Session, amount: str, *answers: Any) -> Any:
    """Ann's status some time later."""
    session.do("table.pass_time", amount=amount)
    answer(session, *answers)
    assert session.question is None
    return session.scene["ann"].status


# ---------------------------------------------------------------------- potions


@pytest.mark.rule("renaissance.gap.chemical.list", "renaissance.chemical.potion")
def test_stim_quickens_for_an_hour() -> None:
    def initiative(scene: Scene) -> int:
        return now(scene, "ann").numbers.INIT

    usual, session = initiative(at_home()), dosed("stim")
    assert initiative(session.scene) - usual == 2
    passes(session, "59 minutes")
    assert initiative(session.scene) - usual == 2
    passes(session, "1 minute")
    assert initiative(session.scene) - usual == 0


@pytest.mark.rule("renaissance.gap.chemical.list")
def test_a_healing_draught_heals_a_point_in_a_day_and_helps_against_disease() -> None:
    def resists(session: Session) -> int:
        subject = rulebook.subject(session.scene["ann"], session.scene)
        return rulebook.check("resist_disease").read(subject, {}).tallies["target"].total

    session = dosed("healing_draught", damage=9)
    assert resists(session) == 2 * 30 + 10
    assert passes(session, "23 hours").damage == 9
    assert passes(session, "1 hour").damage == 9 - 1 - 1  # and a day of rest
    assert resists(session) == 2 * 30


@pytest.mark.rule("renaissance.gap.chemical.list", "renaissance.injury.negate")
def test_the_numbing_draught_lets_forget_a_wound() -> None:
    hurt = with_status(at_home(), "ann", wounds=2)
    session = dosed("numbing", wounds=2)
    assert now(session.scene, "ann").skill("fray").total == now(hurt, "ann").skill("fray").total + 10
    assert now(session.scene, "ann").numbers.INIT == now(hurt, "ann").numbers.INIT - 2
    passes(session, "1 hour")
    assert now(session.scene, "ann").skill("fray").total == now(hurt, "ann").skill("fray").total


@pytest.mark.rule("renaissance.gap.chemical.list")
def test_the_healing_potion_heals_by_the_hour_and_then_a_wound() -> None:
    session = dosed("healing_potion", damage=8, wounds=2)
    for hour in range(1, 9):
        assert passes(session, "1 hour").damage == 8 - hour
    status = passes(session, "3 hours")
    assert (status.damage, status.wounds) == (0, 2)
    assert passes(session, "1 hour").wounds == 1  # after twelve hours
    worse = dosed("healing_potion", damage=20, wounds=2)
    status = passes(worse, "12 hours")
    assert (status.damage, status.wounds) == (8, 2)  # only once the damage is gone


@pytest.mark.rule("renaissance.gap.chemical.list", "renaissance.chemical.framework")
def test_scour_in_the_cup_eats_for_ten_turns() -> None:
    session = dosed("swallowed_scour", (1, 1, 1))
    assert session.scene["ann"].status.damage == 3
    for turn in range(2, 11):
        status = passes(session, "3 seconds", (1, 1, 1))
        assert status.damage == 3 * turn
        if status.damage >= 30:
            break
    assert passes(session, "1 minute").damage == 30  # ten times 3 and no more


# ---------------------------------------------------------------------- what a passed check spares

PACK = """pack: {id: own, title: Own, version: '1', origin: house}
system: renaissance
chemicals:
  - id: gloom
    name: Gloom
    nature: poison
    duration: 3600
    resist: WIL
    spares: %s
    grants: [{grant: bonus, what: any, value: -15}, {grant: figure, figure: INIT, value: -1}]
    tolls: [{dv: 1d10+1, every: 60, first: true}]
"""


@pytest.mark.rule("renaissance.chemical.framework")
@pytest.mark.parametrize(
    ("spares", "rolled", "less", "slower", "damage"),
    [("half", 21, 15, 1, 6), ("half", 20, 7, 0, 3), ("all", 20, 0, 0, 0), ("all", 21, 15, 1, 6)],
)
def test_a_character_who_resists_is_spared_half_or_all(
    spares: str, rolled: int, less: int, slower: int, damage: int
) -> None:
    own = library().with_pack(read_pack(PACK % spares, KINDS, library()))
    scene = replace(at_home(), library=own)
    before = now(scene, "ann")
    session = answer(playing(scene, "renaissance.dose", who="ann", chemical="gloom"), rolled, *([5] if damage else []))
    if session.question is not None:
        answer(session, 0)  # stays upright
    after = now(session.scene, "ann")
    wounds = 10 * session.scene["ann"].status.wounds
    assert after.skill("fray").total == before.skill("fray").total - less - wounds
    initiative = after.numbers.INIT - before.numbers.INIT
    assert initiative == -slower
    assert session.scene["ann"].status.damage == damage


# ---------------------------------------------------------------------- from scene to scene


def elsewhere(session: Session, who: str = "ann", when: int = 500_000) -> Session:
    """Another scene, at another time, into which a character comes as they left the first."""
    character = session.rulebook.export_character(session.scene, who)
    other = replace(at_home(BOB), clock=Clock(when))
    new = playing(rulebook.open_scene(other), "renaissance.luck", who="bob", why="session")
    comes = rulebook.participant(character, other.options, library(), id="ann", side="party", seat="ann")
    scene = rulebook.apply(new.scene, ParticipantJoined(who="ann", name="Ann", side="party", participant=comes))
    return playing(scene, "renaissance.luck", who="bob", why="session")


@pytest.mark.rule("renaissance.chemical.framework")
def test_a_potion_ends_after_its_time_also_where_a_character_goes_elsewhere() -> None:
    session = dosed("stim")
    passes(session, "20 minutes")
    there = elsewhere(session)
    assert there.scene["ann"].status.has("chemical")
    assert passes(there, "39 minutes").has("chemical")
    assert not passes(there, "1 minute").has("chemical")


@pytest.mark.rule("renaissance.disease.course", "renaissance.disease.black_death")
def test_a_disease_goes_on_elsewhere_and_ends_on_its_day() -> None:
    session = went(at_home(), 31, process="renaissance.expose", who="ann", disease="black_death")
    passes(session, "4 days", 4, 4)  # three of onset, and two of seven
    there = elsewhere(session)
    assert there.scene["ann"].status.has("unconscious")
    status = passes(there, "5 days", *[4] * 5)
    assert status.has("disease")
    status = passes(there, "1 day")
    assert not status.has("disease")
    assert not status.has("unconscious")


@pytest.mark.rule("renaissance.disease.flu")
def test_an_infection_that_does_not_show_yet_goes_along() -> None:
    session = went(at_home(), 61, process="renaissance.expose", who="ann", disease="flu")
    there = elsewhere(session)
    assert there.scene["ann"].status.incubating == ("flu",)
    assert passes(there, "1 day").has("disease")
    assert not passes(there, "3 days").has("disease")


@pytest.mark.rule("renaissance.chemical.weapon_poison", "renaissance.action.job")
def test_coated_blades_and_unfinished_work_go_along() -> None:
    jobs = (Job("a wall", 1_200, True), Job("a chair", 480_000))
    scene = with_status(
        at_home(), "ann", coated=(("dagger", "blade_venom"),), work=(("rain/mage/design", 3),), jobs=jobs
    )
    session = playing(scene, "renaissance.plan", who="ann", job="a wall")
    status = elsewhere(session).scene["ann"].status
    assert (status.coated, status.work) == ((("dagger", "blade_venom"),), (("rain/mage/design", 3),))
    assert (status.jobs, status.plan.what) == (jobs, "a wall")


def test_effects_in_rounds_stay_behind() -> None:
    scene = held(scene_with((ANN, 5, 5), (BOB, 6, 5)), "ann", "burning", "bleeding")
    kept = rulebook.export_character(scene, "ann").harm.held
    assert [one.id for one in kept] == ["bleeding"]


# ---------------------------------------------------------------------- blood, tasks


@pytest.mark.rule("renaissance.condition.bleeding")
@pytest.mark.parametrize(("skill", "more"), [("search", 20), ("perception", 20), ("stealth", 0)])
def test_blood_shows_the_way_to_pursuers(skill: str, more: int) -> None:
    scene = at_home()
    bleeds = held(scene, "bob", "bleeding")

    def goal(where: Scene, **situation: Any) -> int:
        subject = rulebook.subject(where["ann"], where)
        return rulebook.check(skill).read(subject, situation).tallies["target"].total

    assert goal(bleeds, follows="bob") == goal(bleeds) + more
    assert goal(scene, follows="bob") == goal(scene)
    with pytest.raises(InvalidInputError, match="needs a scene"):
        rulebook.check(skill).read(Subject(ANN, OPTIONS, library()), {"follows": "bob"})
