"""Months and weeks: what each activity needs and gives."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.acts import ann, done, followed, month, refused, season, week
from systems.marchen.people import OPTIONS, alone, data, hero, hurt, somebody, together
from systems.playing import examples, status
from tablewright.errors import IllegalActionError
from tablewright.systems.marchen.character.figures import current
from tablewright.systems.marchen.character.record import FOR_GOOD, Raise
from tablewright.systems.marchen.now import arms_of, attack_dm, attack_tally, body, readied, skill_total

# ---------------------------------------------------------------------- months


@pytest.mark.rule("marchen.month.gather_information", "marchen.month.collect_herbs", "marchen.month.go_riding")
def test_clues_herbs_and_a_clear_mind() -> None:
    session = month(alone(hero(skills={"investigation": 0})), "gather_information:the theft", [6, 5])
    assert "ann: 2 clues about the theft" in followed(session)
    session = month(alone(hero(skills={"life_sciences": 0})), "collect_herbs", [6, 5])
    assert [(one.item, one.count) for one in status(session).belongings] == [("herbs", 2)]
    assert status(month(alone(), "collect_herbs", [4, 4])).belongings == ()  # untrained
    rider = hero(wounds=hurt(mental=5), skills={"athletics": 0})
    assert status(month(alone(rider), "go_riding", [6, 5])).mental == 3


@pytest.mark.rule("marchen.month.field_of_heroes")
@pytest.mark.parametrize(("faces", "off"), [((4, 3), 0), ((4, 4), 3), ((6, 5), 6), ((6, 6), 6)])
def test_discounts_do_not_add_up(faces: tuple[int, int], off: int) -> None:
    session = month(alone(hero(skills={"athletics": 0})), "field_of_heroes:Athletics", faces)
    assert ann(session).discount == off
    better = alone(hero(skills={"athletics": 1}, muscle=1, discount=3))
    assert ann(month(better, "field_of_heroes:Athletics", [6, 6])).discount == 12
    assert ann(month(better, "field_of_heroes:Athletics", [3, 3])).discount == 12


@pytest.mark.rule("marchen.month.go_hunting", "marchen.month.climb_mountains")
def test_hunters_and_climbers_bring_something_home_or_are_hurt() -> None:
    hunter = hero(supply=1, skills={"physical_sciences_survival": 0})
    assert ann(month(alone(hunter), "go_hunting", [6, 5])).supply == 3
    mauled = month(alone(hunter), "go_hunting", [1, 1, 5, 1, 2])
    assert (ann(mauled).supply, status(mauled).physical) == (1, 5)
    climber = hero(skills={"athletics": 0})
    assert [one.name for one in ann(month(alone(climber), "climb_mountains", [4, 4])).boons] == ["a view"]
    assert status(month(alone(climber), "climb_mountains", [1, 2, 3, 3, 1, 2])).physical == 6


@pytest.mark.rule("marchen.month.go_to_market")
def test_the_market_sells_what_is_named_where_there_is_one() -> None:
    session = month(alone(hero(treasure=3)), "go_to_market:lute")
    assert (ann(session).treasure, [one.item for one in status(session).belongings]) == (1, ["lute"])
    assert refused(session, "go_to_market:lute", "month") == "marchen.month.go_to_market"
    for detail, reason in (("swrd", 'swrd is not for sale; did you mean "sword"?'), ("", "say what")):
        with pytest.raises(IllegalActionError) as error:
            session.do("marchen.month", plans=(f"ann=go_to_market:{detail}",))
        assert error.value.message == f"Go to Market: {reason}"
    wild = alone(hero(treasure=3))
    wild.do("marchen.arrive", place="the wild")
    assert refused(wild, "go_to_market:lute", "month") == "marchen.month.go_to_market"


@pytest.mark.rule("marchen.month.delve")
def test_delving_counts_the_first_time_only() -> None:
    low = alone(hero(spiritual=2, current={"spiritual": 1}))
    assert "spiritual" not in ann(month(low, "delve:gain")).current
    assert refused(low, "delve:gain", "month") == "marchen.month.delve"
    healed = month(alone(hero(wounds=hurt(spiritual=5))), "delve:heal")
    assert status(healed).spiritual == 3
    assert "spiritual" not in ann(month(alone(hero(spiritual=2)), "delve:gain")).current  # never above the maximum


@pytest.mark.rule("marchen.month.sparring")
@pytest.mark.parametrize(
    ("mode", "faces", "gain"),
    [("very_difficult", (6, 6), 1), ("average", (4, 4), 1), ("average", (6, 5), 2), ("literal_18", (6, 6), 0)],
)
def test_sparring(mode: str, faces: tuple[int, int], gain: int) -> None:
    session = month(alone(hero(skills={"athletics": 0}), sparring_difficulty=mode), "sparring:Athletics", faces)
    assert [one.value for one in ann(session).raises] == [gain] * bool(gain)
    if not gain:
        status = session.scene["ann"].status
        (_, expect), *_ = examples("marchen.month.sparring")
        assert (status.physical, status.mental) == (expect["physical_damage"], expect["mental_damage"])
        assert ann(session).experience == expect["experience"]


@pytest.mark.rule("marchen.month.sparring", "marchen.core.d100_scale", "marchen.degree.sigma_method")
@pytest.mark.parametrize(
    ("core", "method", "faces"),
    [
        ("D100", "table", [18]),
        ("D20", "table", [18]),
        ("4d7", "table", [4, 4, 4, 6]),
        ("2d6", "table", [6, 6]),
        ("2d6", "sigma", [6, 6]),
    ],
)
def test_a_plain_18_is_18_on_every_core_however_degrees_are_read(core: str, method: str, faces: list[int]) -> None:
    scores: dict[str, Any] = {"physical": 3, "muscle": 3} if core == "2d6" else {}
    assert sum(faces) + sum(scores.values()) == data("marchen.month.sparring")["tn"]
    for last, raises in ((faces[-1], 1), (faces[-1] - 1, 0)):
        session = alone(
            hero(skills={"athletics": 0}, **scores), core=core, degree_method=method, sparring_difficulty="literal_18"
        )
        month(session, "sparring:Athletics", [*faces[:-1], last])
        assert len(ann(session).raises) == raises


@pytest.mark.rule("marchen.month.sparring")
def test_matches_that_are_won_add_up_and_count_in_that_society() -> None:
    strong = hero(skills={"athletics": 1, "persuasion": 0}, physical=4, muscle=4)
    session = alone(strong)
    session.do("marchen.arrive", place="Köln", culture="Rhineland", features=["guards"])
    assert skill_total(session.scene, "ann", "persuasion") == 0
    month(session, "sparring:Athletics", [5, 5])
    month(session, "sparring:Athletics", [1, 2])
    assert [(one.value, one.issue) for one in ann(session).raises] == [(4, "Rhineland")]
    assert readied(session.scene, "ann", "social").tally.total == 4
    assert skill_total(session.scene, "ann", "persuasion") == 4
    assert body(session.scene, "ann", "social").bearing.face_modifier == 4
    assert done(session, "table.check", [2, 2], who="ann", what="social").effect == 0
    arms = arms_of(session.scene, "ann")["snub"]
    assert (attack_dm(session.scene, "ann", "ann", arms), attack_tally(session.scene, "ann", "ann", arms).total) == (
        4,
        4,
    )
    session.do("marchen.arrive", place="Gent", culture="Brabant", features=["guards"])
    assert readied(session.scene, "ann", "social").tally.total == 0
    assert attack_dm(session.scene, "ann", "ann", arms) == 0


@pytest.mark.rule("marchen.month.sparring", "marchen.sojourn.raise_standard_of_living")
def test_a_society_knows_a_fencer_up_to_ten_and_for_good() -> None:
    fought = Raise(aspect="social", value=9, phases=FOR_GOOD, issue="this society", source="sparring")
    bought = Raise(aspect="social", value=2, phases=2, source="standard of living")
    strong = hero(skills={"athletics": 1}, physical=4, muscle=4, raises=(fought, bought))
    session = month(alone(strong), "sparring", [5, 5])
    for left in (2, 1, None):
        found = {one.source: (one.value, one.phases) for one in ann(session).raises}
        assert found.pop("sparring") == (10, FOR_GOOD)
        assert found.get("standard of living") == (None if left is None else (2, left))
        season(session, "rest")


@pytest.mark.rule("marchen.ounces.endure", "marchen.month.sparring")
def test_standing_in_a_society_helps_to_endure_where_the_aspect_counts() -> None:
    raised = Raise(aspect="social", value=2, phases=100, issue="this society", source="sparring")
    for adds in (False, True):
        session = together(somebody("Ann", raises=(raised,)), characteristic_check_adds_aspect=adds)
        assert body(session.scene, "ann", "social").bearing.endure == (2 if adds else 0)


# ---------------------------------------------------------------------- weeks


@pytest.mark.rule("marchen.week.honoring_the_fallen")
def test_the_fallen_are_honoured_once_by_each_also_beyond_the_maximum() -> None:
    session = week(alone(hero(spiritual=2)), "honoring_the_fallen:Otto")
    assert ann(session).current["spiritual"] == 3
    assert refused(session, "honoring_the_fallen:otto", "week") == "marchen.week.honoring_the_fallen"
    week(session, "honoring_the_fallen:Rosa")
    assert current(ann(session), "spiritual", OPTIONS).total == 4


@pytest.mark.rule("marchen.week.honor_your_people")
@pytest.mark.parametrize(("faces", "left"), [((4, 3), 10), ((4, 4), 7), ((6, 5), 4)])
def test_songs_for_the_ancestors(faces: tuple[int, int], left: int) -> None:
    singer = hero(skills={"performance": 0}, wounds=hurt(spiritual=10))
    assert week(alone(singer), "honor_your_people", faces).scene["ann"].status.spiritual == left


@pytest.mark.rule("marchen.week.feast_with_lord")
def test_a_feast_takes_a_sanctuary_with_a_lord() -> None:
    session = alone()
    session.do("marchen.arrive", place="Rivendell", features=["lord"])
    assert refused(session, "feast_with_lord", "week") == "marchen.week.feast_with_lord"
    session.do("marchen.arrive", place="Rivendell", features=["lord"], sanctuary=True)
    week(session, "feast_with_lord")
    session.do("marchen.arrive", place="Bree", sanctuary=True)
    assert refused(session, "feast_with_lord", "week") == "marchen.week.feast_with_lord"
