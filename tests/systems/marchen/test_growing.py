"""Lessons and costs of a grown character, and steps taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.marchen.people import OPTIONS, ann, book, done, library, somebody, template, together
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.marchen.advancement import moved, purchases
from tablewright.systems.marchen.chapters.life import permanently
from tablewright.systems.marchen.character.record import Advance, Change, MarchenCharacter
from tablewright.systems.marchen.content import Skill

COSTS = "marchen.gap.advancement.costs"


def wrong(character: MarchenCharacter) -> list[str]:
    """Violations of the costs of advancement."""
    found = book().legality(character, OPTIONS, library()).violations
    return [f"{one.where}: {one.message}" for one in found if one.rule == COSTS]


def learned(**changes: Any) -> MarchenCharacter:
    """A soldier with experience."""
    return template("soldier").changed(name="Ann", experience=500, **changes)


@pytest.mark.rule("marchen.gap.advancement.costs")
def test_nothing_is_learned_in_the_middle_of_an_encounter() -> None:
    scene = together(learned()).scene
    session = Session(SessionHeader("marchen", "0.1.0", replace(scene, round=1), 1), book())
    for name, given in (
        ("marchen.advance", {"what": "skill", "name": "arcana"}),
        ("marchen.spend", {}),
        ("marchen.step_back", {}),
    ):
        with pytest.raises(IllegalActionError, match="in the middle of an encounter") as error:
            session.do(name, who="ann", **given)
        assert error.value.rule == COSTS


@pytest.mark.rule("marchen.season.training", "marchen.sojourn.confer_with_sage")
def test_nobody_trains_or_confers_in_the_middle_of_an_encounter() -> None:
    scene = together(learned()).scene
    session = Session(SessionHeader("marchen", "0.1.0", replace(scene, round=1), 1), book())
    for name, given, rule in (
        ("marchen.train", {"skill": "arcana"}, "marchen.season.training"),
        ("marchen.confer_with_sage", {"lore": "Lore"}, "marchen.sojourn.confer_with_sage"),
    ):
        with pytest.raises(IllegalActionError, match="in the middle of an encounter") as error:
            session.do(name, who="ann", **given)
        assert error.value.rule == rule
    assert ann(session) == learned()


@pytest.mark.rule("marchen.gap.advancement.costs", "marchen.sojourn.confer_with_sage", "marchen.season.training")
def test_everything_that_was_learned_is_priced_again() -> None:
    session = together(learned())
    for what, name, skill in (
        ("skill", "arcana", ""),
        ("skill", "arcana", ""),
        ("specialization", "Circles", "arcana"),
        ("specialization", "circles", "arcana"),
        ("characteristic", "muscle", ""),
        ("characteristic", "muscle", ""),
        ("aspect", "mental", ""),
    ):
        done(session, "advance", who="ann", what=what, name=name, skill=skill)
    done(session, "confer_with_sage", who="ann", lore="Lore")
    done(session, "train", who="ann", skill="arcana", specialization="Circles")
    grown = ann(session)
    assert wrong(grown) == []
    for at, advance in enumerate(grown.advances):
        for by in (-1, 1):
            if advance.cost + by < 0:
                continue
            paid = advance.changed(cost=advance.cost + by)
            cheap = grown.changed(advances=(*grown.advances[:at], paid, *grown.advances[at + 1 :]))
            message = f"advances[{at}]: {advance.name} costs {advance.cost}, {paid.cost} were paid"
            assert wrong(cheap) == [message]


@pytest.mark.rule("marchen.gap.advancement.costs")
def test_later_changes_of_a_score_do_not_change_its_price() -> None:
    session = together(learned())
    done(session, "advance", who="ann", what="characteristic", name="muscle")
    older = permanently(ann(session), "muscle", -2, "age", OPTIONS)
    assert wrong(older) == []
    session = together(learned())
    done(session, "advance", who="ann", what="skill", name="arcana")
    done(session, "advance", who="ann", what="skill", name="arcana")
    assert wrong(moved(ann(session), "arcana", -1)) == []


@pytest.mark.rule("marchen.gap.advancement.costs")
@pytest.mark.parametrize(
    "advance",
    [
        Advance(what="skill", name="arcana", cost=2),
        Advance(what="specialization", name="Circles", skill="melee_combat", cost=4),
        Advance(what="specialization", name="Circles", skill="arcana", cost=4),
        Advance(what="characteristic", name="muscle", cost=10),
        Advance(what="aspect", name="muscle", cost=10),
    ],
)
def test_missing_skills_were_not_learned(advance: Advance) -> None:
    one = learned(advances=(advance,))
    assert wrong(one) == [f"advances[0]: {advance.name} is not there as it was learned"]


@pytest.mark.rule("marchen.gap.advancement.costs")
def test_a_change_of_another_source_was_not_bought() -> None:
    gift = Change(what="muscle", value=1, source="a gift")
    one = learned(changes=(gift,), advances=(Advance(what="characteristic", name="muscle", cost=10),))
    assert wrong(one) == ["advances[0]: muscle is not there as it was learned"]


@pytest.mark.rule("marchen.specialization.study", "marchen.skill.specialization_scope")
def test_a_new_specialization_is_begun_by_any_name() -> None:
    session = together(somebody(skills={"athletics": 1, "arcana": 0}, experience=16))
    found = {entry.id: entry for entry in purchases(session.scene, "ann")}
    assert found["specialization:athletics"].cost == 4  # type: ignore[union-attr]
    assert "specialization:arcana" not in found
    done(session, "spend", answers=["specialization:athletics", "Wall Climbing", "done"], who="ann")
    assert [(one.name, one.level) for one in ann(session).specializations] == [("Wall Climbing", 1)]
    session.do("marchen.spend", who="ann")
    session.choose("specialization:athletics")
    assert isinstance(session.question, Choice)
    assert {one.id: one.reason for one in session.question.closed}["Wall Climbing"] == "is studied already"
    with pytest.raises((InvalidInputError, IllegalActionError)):
        session.choose("wall climbing")
    session.choose("Law: Roman")
    session.choose("specialization:Law: Roman:athletics")
    assert {one.name: one.level for one in ann(session).specializations} == {"Wall Climbing": 1, "Law: Roman": 2}
    assert ann(session).available == 0
    found = {entry.id: entry for entry in purchases(session.scene, "ann")}
    assert found["specialization:athletics"].reason == "costs 4 and Ann has 0"  # type: ignore[union-attr]


@pytest.mark.rule("marchen.skill.specialization_scope")
def test_a_new_name_is_begun_where_all_names_are_taken() -> None:
    named = library().get(Skill, "athletics").named
    known = [("athletics", name, 1) for name in named]
    session = together(somebody(skills={"athletics": 1}, specials=known, experience=16))
    session.do("marchen.spend", who="ann")
    session.choose("specialization:athletics")
    assert isinstance(session.question, Choice)
    assert session.question.ids == (f"Athletics {len(named) + 1}",)
    session.choose("Tumbling with Bears")
    assert ann(session).specializations[-1].name == "Tumbling with Bears"
