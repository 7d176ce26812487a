"""Differences from the book that a second reading found."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from systems.marchen.fights import ruled
from systems.marchen.people import ann, data, done, library, plan, somebody, together
from systems.marchen.test_seasons import alone, hero, refused, season
from tablewright.errors import IllegalActionError
from tablewright.game.content.library import Pack
from tablewright.systems.marchen.chapters.magic import ways_of
from tablewright.systems.marchen.content import Depth, Skill
from tablewright.systems.marchen.events.recovery import Followed
from tablewright.systems.marchen.status import sanctuaries


@pytest.mark.rule("marchen.connection.make", "marchen.connection.ranks")
def test_a_connection_is_made_with_the_indifferent_too() -> None:
    for met in (None, 0):
        session = alone(hero(connections={} if met is None else {"Otto": met}))
        done(session, "make_connection", who="ann", person="Otto")
        assert ann(session).connections["Otto"] == 1
        session = alone(hero(connections={} if met is None else {"Otto": met}))
        assert ann(season(session, "make_connection:Otto")).connections["Otto"] == 1
    for rank in (-4, -1, 1, 4):
        assert refused(alone(hero(connections={"Otto": rank})), "make_connection:Otto") == "marchen.connection.make"


@pytest.mark.rule("marchen.sojourn.open_sanctuary")
def test_a_sanctuary_that_not_all_wanted_is_told_as_none() -> None:
    session = together(hero(), hero("Bob"))
    session.do("marchen.arrive", place="The mill")
    done(session, "season", plans=["ann=open_sanctuary", "bob=rest"])
    assert sanctuaries(session.scene) == ()
    told = [(line.who, line.what) for line in session.log if isinstance(line, Followed)]
    assert told == [("ann", "Open New Sanctuary comes to nothing: not all companions have chosen it")]


@pytest.mark.rule("marchen.time.frames", "marchen.gap.face.outcomes")
def test_the_dead_grow_no_older() -> None:
    session = ruled(together(hero(age=30), hero("Bob", age=30)), "bob", fate="dead", down=True)
    for _ in range(4):
        done(session, "season", plans=["ann=rest"])
    assert (ann(session).age, session.scene["bob"].character.age) == (31, 30)


@pytest.mark.rule("marchen.time.shift")
def test_working_faster_needs_the_usual_time_of_the_task() -> None:
    frames = ", ".join([row["frame"] for row in data("marchen.time.frames")])
    with pytest.raises(IllegalActionError, match=f"say how long the task usually takes: {frames}"):
        plan(somebody(), "agility", rows=-1)


@pytest.mark.rule("marchen.gap.casting.depths")
def test_the_time_of_a_depth_decides_whether_it_fits_into_a_turn() -> None:
    adept = somebody(skills={"arcana": 4})
    assert [depth for depth, _ in ways_of(adept, library())] == ["shape", "sense"]
    slow = [depth.model_copy(update={"time": "watch"}) for depth in library().of(Depth) if depth.id == "shape"]
    quick = [depth.model_copy(update={"time": "significant"}) for depth in library().of(Depth) if depth.id == "weave"]
    own = library().with_pack(Pack("own", "Own", "1", "marchen", entries=(("depths", (*slow, *quick)),)))
    assert [depth for depth, _ in ways_of(adept, own)] == ["weave", "sense"]


@pytest.mark.rule("marchen.skill.tree")
def test_a_pack_cannot_move_a_skill_to_another_characteristic() -> None:
    athletics = library().get(Skill, "athletics").model_dump()
    assert Skill.model_validate(athletics).id == "athletics"
    for wrong in ({"aspect": "social"}, {"characteristic": "agility"}):
        with pytest.raises(ValidationError, match="athletics belongs to physical and muscle"):
            Skill.model_validate(athletics | wrong)
