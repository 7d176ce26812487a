"""The trait Ready, under each of its readings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from systems.renaissance.folk import LEDGER, scene_of, somebody
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.renaissance.book import rulebook
from tablewright.systems.renaissance.options import ReadyTrait, RenaissanceOptions


def beginning(how: ReadyTrait) -> Session:
    """A fight that is about to begin: Ann is ready, Bob is not; both have INIT 6."""
    people = {"ann": somebody("Ann", luck=1, traits={"ready": ""}), "bob": somebody("Bob", luck=0)}
    scene = scene_of(people, RenaissanceOptions(ready_trait=how))
    scene = scene.with_participant(replace(scene["bob"], side="foes"))
    session = Session(SessionHeader("renaissance", "0.1.0", scene, 1), rulebook)
    session.do("renaissance.encounter")
    return session


@pytest.mark.rule("renaissance.gap.trait.ready")
@pytest.mark.parametrize(("answer", "total", "luck"), [("yes", 15, 0), ("no", 8, 1)])
def test_a_luck_point_rolls_initiative_again(answer: str, total: int, luck: int) -> None:
    session = beginning("luck_reroll")
    session.type_in([2])
    session.choose(answer)
    if answer == "yes":
        session.type_in([9])
    session.type_in([5])
    status = session.scene["ann"].status
    assert (status.initiative, status.luck) == (total, luck)
    assert session.scene.order == (("ann", "bob") if answer == "yes" else ("bob", "ann"))


@pytest.mark.rule("renaissance.gap.trait.ready")
def test_the_better_of_two_rolls() -> None:
    session = beginning("best_of_two")
    session.type_in([2])
    session.type_in([9])
    session.type_in([5])
    assert (session.scene["ann"].status.initiative, session.scene["ann"].status.luck) == (15, 1)
    assert session.scene["bob"].status.initiative == 11


@pytest.mark.rule("renaissance.gap.trait.ready")
def test_at_the_head_of_the_order() -> None:
    session = beginning("head_of_order")
    session.type_in([1])
    session.type_in([10])
    assert session.scene.order == ("ann", "bob")
    assert list(LEDGER["renaissance.gap.trait.ready"].data["values"]) == ["luck_reroll", "best_of_two", "head_of_order"]
