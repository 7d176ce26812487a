"""Rituals, bargains with spirits, and trances that heal a psyche."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import answer, last
from systems.renaissance.fights import at_home, duel, fighter, kinds, playing, then, went, with_status
from systems.renaissance.folk import library, refused
from tablewright.engine import Roll
from tablewright.errors import IllegalActionError
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.chapters.magic import step_goal
from tablewright.systems.renaissance.content import Tradition
from tablewright.systems.renaissance.status import Status
from tablewright.systems.renaissance.values import Grade

PRIEST = fighter(
    "Ann", race="human", skills={"research": 30, "profession:priest": 30, "knowledge:theology": 30, "persuasion": 40}
)
PSION = fighter("Ann", race="human", skills={"control": 40})
BOB = fighter("Bob", race="human")


def working(*people: Any) -> Session:
    """A session of people who have all the time that rituals take."""
    return playing(at_home(*people), "renaissance.luck", who="bob", why="session")


def ritual(session: Session, step: str, *answers: Any, work: str = "glade_spirit") -> Session:
    """One step of the ritual that calls a spirit."""
    return then(session, "ritual", *answers, step=step, who="ann", tradition="priest", work=work)


def aimed(session: Session) -> Any:
    """The arguments of the check that is open."""
    assert session.playing is not None
    return session.playing.calls[0].named_arguments()


@pytest.mark.rule(
    "renaissance.magic.priest_research", "renaissance.magic.priest_design", "renaissance.magic.priest_perform"
)
def test_a_spirit_is_called_and_bargained_with_in_four_steps() -> None:
    session = working(PRIEST, BOB)
    refused(session, "ritual", "research", step="design", who="ann", tradition="priest", work="glade_spirit")
    ritual(session, "research", 45)  # 55 + 20 for related ranks: exceptional
    assert session.scene.clock.now == 8 * 3_600
    ritual(session, "design")
    assert session.seat == "game master"  # no one sees it
    answer(session, 40)
    assert session.scene.clock.now == 12 * 3_600
    ritual(session, "perform", 40)
    assert session.scene.clock.now == 13 * 3_600
    then(session, "bargain", 50, 30, who="ann", spirit="glade_spirit")
    assert "green_hand" in session.scene["ann"].character.powers


@pytest.mark.rule("renaissance.magic.priest_design", "renaissance.magic.priest_research")
@pytest.mark.parametrize(("rolled", "more"), [(20, 0), (45, 10), (44, 20)])
def test_good_research_helps_to_design_the_ritual(rolled: int, more: int) -> None:
    session = ritual(ritual(working(PRIEST, BOB), "research", rolled), "design")
    assert aimed(session)["target"] == 25 + 30 + 20 + more  # Cognition, ranks, a related skill


@pytest.mark.rule("renaissance.gap.magic.spirits")
@pytest.mark.parametrize(
    ("spirit", "less", "will"), [("river_spirit", (10, 10, 10), 60), ("mountain_spirit", (20, 30, 30), 80)]
)
def test_greater_spirits_are_harder_to_find_to_call_and_to_win(spirit: str, less: tuple[int, ...], will: int) -> None:
    def targets(work: str) -> list[int]:
        session, found = working(PRIEST, BOB), []
        for step in ("research", "design", "perform"):
            ritual(session, step, work=work)
            found.append(aimed(session)["target"])
            answer(session, 20)
        then(session, "bargain", who="ann", spirit=work)
        return [*found, aimed(session)["a"], aimed(session)["b"]]

    usual, hard = targets("glade_spirit"), targets(spirit)
    assert [usual[at] - hard[at] for at in (0, 2, 3)] == list(less)
    assert (usual[4], hard[4]) == (40, will)


@pytest.mark.rule("renaissance.magic.priest_bargain")
def test_a_ritual_that_went_wrong_shows_only_when_nobody_comes() -> None:
    session = working(PRIEST, BOB)
    for step, rolled in (("research", 20), ("design", 97), ("perform", 20)):
        ritual(session, step, rolled)
    then(session, "bargain", who="ann", spirit="glade_spirit")
    assert session.question is None
    assert last(session, "Checked").result == "nobody comes"
    refused(session, "bargain", who="ann", spirit="glade_spirit")


@pytest.mark.rule("renaissance.magic.priest_design", "renaissance.magic.priest_perform")
def test_a_comparable_profession_serves_for_rituals() -> None:
    for profession in ("priest", "cleric", "monk", "shaman"):
        scene = duel(fighter("Ann", skills={f"profession:{profession}": 50}), BOB)
        for step in scene.library.get(Tradition, "priest").steps[1:3]:
            assert step_goal(scene, "ann", step)[0] == f"profession:{profession}"


@pytest.mark.rule("renaissance.magic.one_off", "renaissance.magic.mage", "renaissance.magic.mage_scale")
def test_a_mage_designs_and_performs_with_forty_ranks() -> None:
    session = working(fighter("Ann", race="human", skills={"spellcraft": 40}), BOB)
    fireball = {"tradition": "mage", "work": "great fireball"}
    refused(session, "ritual", "40 ranks", who="bob", step="design", **fireball)
    for step in ("design", "perform"):
        then(session, "ritual", 30, who="ann", step=step, **fireball)
    assert dict(session.scene["ann"].status.work)["great fireball/mage/perform"] == Grade.NORMAL_SUCCESS.rank
    assert "great fireball" in library().get(Tradition, "mage").hours


# ---------------------------------------------------------------------- trances


def soothed(*rolled: int, **status: Any) -> Session:
    """A trance in which Ann heals her psyche."""
    scene = with_status(at_home(PSION, BOB), "ann", **{"stress": 10, "traumas": 1} | status)
    return went(scene, *rolled, process="renaissance.soothe", who="ann")


@pytest.mark.rule("renaissance.magic.psion", "renaissance.magic.psion_scale", "renaissance.magic.one_off")
def test_a_psion_heals_the_psyche_in_a_trance() -> None:
    session = soothed(30, 6)
    status = session.scene["ann"].status
    assert (status.stress, status.traumas, status.soothed) == (10 - 6 - 1, 1, 1)
    then(session, "ritual", 30, who="ann", tradition="psion", step="trance", work="hear nearby thoughts")
    assert "Worked" in kinds(session)
    failed = soothed(98).scene["ann"].status
    assert (failed.traumas, failed.soothed, failed.stress, failed.meditated) == (1, 0, 10, 1)  # half a day has passed
    scene = at_home(fighter("Ann", race="human"), BOB).with_status("ann", traumas=1)
    with pytest.raises(IllegalActionError, match="40 ranks in control, not 0"):
        went(scene, process="renaissance.soothe", who="ann")
    assert isinstance(soothed().question, Roll)


@pytest.mark.rule("renaissance.magic.psion_scale", "renaissance.healing.binding")
def test_one_trance_for_each_trauma() -> None:
    def trances(found: Status) -> tuple[int, int]:
        return found.meditated, found.soothed

    session = soothed(41, traumas=2, stress=9)
    assert trances(session.scene["ann"].status) == (1, 0)
    assert session.scene.clock.now == 86_400 // 4
    then(session, "soothe", 40, 4, who="ann")
    assert trances(session.scene["ann"].status) == (2, 1)
    refused(session, "soothe", "no trauma to soothe", who="ann")
    kept = rulebook.export_character(session.scene, "ann").harm
    assert (kept.meditated, kept.soothed) == (2, 1)


@pytest.mark.rule("renaissance.magic.psion_scale", "renaissance.stress.track")
@pytest.mark.parametrize(("stress", "left", "still"), [(60, 53, True), (47, 40, True), (46, 39, False)])
def test_a_character_who_is_below_lucidity_again_is_no_longer_overwhelmed(stress: int, left: int, still: bool) -> None:
    status = soothed(30, 6, stress=stress, overwhelmed=True).scene["ann"].status  # a point heals by itself
    assert (status.stress, status.overwhelmed) == (left, still)
