"""Checks and contests at any table, what they cost, and changing rule options in the middle of play."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Literal

import pytest
from coinfolk import book, check
from coinfolk.book import Coinling

from tablewright.engine import Role, Tally, choose, mechanic
from tablewright.errors import IllegalActionError, InvalidInputError, ProblemListError
from tablewright.game.character.legality import Legality, overspent
from tablewright.game.narration.projection import project_scene
from tablewright.game.play.checks import Check, CheckPlan, Contender, Subject
from tablewright.game.play.common_events import CharacterChanged, Checked, OptionsChanged
from tablewright.game.rules.options import RuleOptions, rule_option
from tablewright.game.scenario.loader import read_scenario
from tablewright.game.scene.game import Game
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import open_session, resume_session
from tablewright.game.session.session import Session
from tablewright.game.session.views import project_log

RULE = "coinfolk.coins.check"


def table(*people: Coinling, **more: Any) -> Session:
    entrants = [
        {"id": one.name.casefold(), "side": "party", "seat": one.name.casefold(), "character": one.to_json()}
        for one in people or (Coinling(name="Ann", grit=3), Coinling(name="Bob", grit=2, wit=4))
    ]
    scenario = read_scenario({"title": "table", "system": "coinfolk", "participants": entrants, **more})
    return open_session(scenario, seed=1)


def told(session: Session) -> list[tuple[str, str, str]]:
    return [(one.who, one.what, one.result) for one in session.log if isinstance(one, Checked)]


# ---------------------------------------------------------------------- checks that cost something


@mechanic(rules=["coinfolk.coins.check"])
async def daring(luck: int) -> int:
    """Luck spent."""
    return await choose(Role.ACTOR, "how much?", list(range(luck + 1)))


async def pay(game: Game, who: str, result: int) -> None:
    spent = game[who].status.luck - result
    game.emit(book.Struck(who=who, by=who, harm=0, luck=result, breath=0))
    assert game[who].status.luck == spent


def _daring(subject: Subject) -> CheckPlan:
    luck = 0 if subject.status is None else subject.status.luck
    return CheckPlan(daring(luck), {"luck": Tally.of("luck", luck)}, private={"luck": Role.ACTOR}, then=pay)


@pytest.fixture
def daring_folk(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = (*book.CHECKS, Check("daring", "Daring", (), _daring))
    monkeypatch.setattr(book, "rulebook", replace(book.rulebook, checks=kinds))


@pytest.mark.usefixtures("daring_folk")
def test_a_check_is_paid_for_before_it_is_told() -> None:
    session = table()
    session.do("table.check", who="ann", what="daring")
    session.choose("1")
    assert session.scene["ann"].status.luck == 0
    assert [line["event"] for line in session.facts if "event" in line] == ["Struck", "Checked"]
    session.undo()
    assert session.scene["ann"].status.luck == 1


@pytest.mark.usefixtures("daring_folk")
def test_remaining_pools_stay_private() -> None:
    views: dict[str, list[Any]] = {"ann": [], "bob": []}
    for luck in (1, 2):
        session = table()
        scene = session.header.scene.with_status("ann", luck=luck)
        session = Session(replace(session.header, scene=scene), session.rulebook)
        session.do("table.check", who="ann", what="daring")
        session.choose("1")
        for seat, seen in views.items():
            seen.append([line for line in project_log(session, seat) if "mechanic" in line])
    assert views["bob"][0] == views["bob"][1]
    assert views["ann"][0] != views["ann"][1]


def test_the_game_masters_modifiers_reach_a_check() -> None:
    session = table()
    session.do("table.modify", what="grit", value=2, reason="a good night", who="ann")
    session.do("table.check", who="ann", what="grit")
    session.type_in([2, 2, 2, 1, 1])
    assert session.result is True
    session.do("table.check", who="bob", what="grit")
    session.type_in([1, 1])
    assert session.result is False


# ---------------------------------------------------------------------- contests


def test_two_against_each_other() -> None:
    session = table()
    session.do("table.contest", who="ann", what="grit", against="bob", with_what="wit", situation=["helpers=1"])
    session.type_in([2, 2, 2, 2])  # four heads against a wit of 4
    assert told(session) == [("ann", "grit", "yes"), ("bob", "wit", "")]
    first = next(one for one in session.log if isinstance(one, Checked))
    assert first.narrate() == "ann checks grit against bob: yes"
    session.do("table.contest", who="ann", what="grit", against="bob", with_what="wit")
    session.type_in([2, 2, 2])
    assert told(session)[2:] == [("ann", "grit", "no"), ("bob", "wit", "")]


def test_a_contest_needs_two_and_a_check_that_can_be_opposed(monkeypatch: pytest.MonkeyPatch) -> None:
    session = table()
    with pytest.raises(InvalidInputError, match="ann cannot oppose themselves"):
        session.do("table.contest", who="ann", what="grit", against="ann")
    grit, wit = book.CHECKS
    monkeypatch.setattr(book, "rulebook", replace(book.rulebook, checks=(replace(grit, against=None), wit)))
    with pytest.raises(IllegalActionError, match="grit cannot be opposed; try wit"):
        table().do("table.contest", who="ann", what="grit", against="bob")


@pytest.mark.parametrize(
    ("process", "given"),
    [
        ("check", {"who": "bob"}),
        ("contest", {"who": "ann", "against": "bob"}),
        ("contest", {"who": "bob", "against": "ann"}),
        ("call_for_check", {"who": ["ann", "bob"]}),
    ],
)
def test_the_dead_make_no_checks(monkeypatch: pytest.MonkeyPatch, process: str, given: dict[str, Any]) -> None:
    reckoning = replace(book.rulebook.vitals, dead=lambda one: one.id == "bob")
    monkeypatch.setattr(book, "rulebook", replace(book.rulebook, vitals=reckoning))
    session = table()
    with pytest.raises(IllegalActionError, match="Bob is dead"):
        session.do(f"table.{process}", what="grit", **given)
    assert session.question is None
    assert not session.log


def test_a_contest_says_what_came_of_it_for_each_and_what_it_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    paid: list[str] = []

    async def then(game: Game, who: str, result: bool) -> None:
        paid.append(who)

    def against(one: Contender, other: Contender) -> CheckPlan:
        assert (one.subject.who, other.subject.who) == ("ann", "bob")
        assert (one.what, other.what) == ("grit", "wit")
        coins = one.situation["helpers"] + other.situation["helpers"]
        return CheckPlan(check(coins, 1), then=then, each=lambda won: ("up", "down") if won else ("down", "up"))

    kinds = tuple([replace(one, against=against) for one in book.CHECKS])
    monkeypatch.setattr(book, "rulebook", replace(book.rulebook, checks=kinds))
    session = table()
    session.do(
        "table.contest",
        who="ann",
        what="grit",
        against="bob",
        with_what="wit",
        situation=["helpers=1"],
        other_situation=["helpers=2"],
    )
    session.type_in([1, 1, 1])
    assert told(session) == [("ann", "grit", "down"), ("bob", "wit", "up")]
    assert paid == ["ann"]


def test_a_blind_contest_is_the_game_masters() -> None:
    session = table()
    session.do("table.contest", who="ann", what="grit", against="bob", blind=True)
    session.roll()
    assert project_log(session, "ann") == project_log(session, "bob") == []
    assert len(project_log(session, GAME_MASTER)) == 3


def test_a_contest_against_a_hidden_character_does_not_reveal_them() -> None:
    session = table()
    session.do("table.change_sides", who="bob", side="foes")
    session.do("table.hide", who="bob")
    session.do("table.contest", who="ann", what="wit", against="bob")
    session.roll()
    assert "bob" not in str([line for line in project_log(session, "ann") if line.get("event") == "Checked"])


# ---------------------------------------------------------------------- options


@dataclass(frozen=True, kw_only=True)
class Variants(RuleOptions):
    """Options of every kind."""

    ducking: Literal["after", "never"] = rule_option("after", rule=RULE, description="as in coinfolk")
    points: int = rule_option(6, rule=RULE, description="points to begin with", low=2, high=10)
    most: int | None = rule_option(None, rule=RULE, description="the most of a stat", low=1, high=9)
    scale: Literal["small", "large"] = rule_option(
        "small", rule=RULE, description="how stats count", changes="between_scenes"
    )
    core: bool = rule_option(False, rule=RULE, description="other dice", changes="never")


@pytest.fixture
def various(monkeypatch: pytest.MonkeyPatch) -> Session:
    def legality(character: Coinling, options: Variants, library: Any) -> Legality:
        spent = character.grit + character.wit
        return Legality.of(overspent("stats", spent, options.points, rule="coinfolk.creation.points"))

    def converted(character: Coinling, old: Variants, new: Variants) -> Coinling:
        factor = {"small": 1, "large": 2}
        grit = character.grit * factor[new.scale] // factor[old.scale]
        return character.changed(grit=grit)

    monkeypatch.setattr(book, "rulebook", replace(book.rulebook, legality=legality, convert_character=converted))
    session = table()
    return Session(replace(session.header, scene=replace(session.scene, options=Variants())), session.rulebook)


def test_an_option_changes_in_the_middle(various: Session) -> None:
    various.do("table.set_option", name="most", value="4", reason="too strong")
    assert various.scene.options.most == 4
    assert various.log == [OptionsChanged(name="most", value=4, reason="too strong", cause="ruling")]
    assert various.log[0].narrate() == "from now on: most is 4 (too strong)"
    assert project_scene(various.scene, various.rulebook, "ann")["options"] == {"most": 4}
    various.do("table.set_option", name="most", value="none", reason="it was not")
    assert various.scene.options.most is None
    various.undo(2)
    assert various.scene.options == Variants()


def test_every_participant_must_be_legal(various: Session) -> None:
    with pytest.raises(IllegalActionError) as refused:
        various.do("table.set_option", name="points", value="3", reason="poor times")
    assert str(refused.value).splitlines()[1:] == [
        "ann: stats: 4 spent, there are 3: 1 too many [coinfolk.creation.points]",
        "bob: stats: 6 spent, there are 3: 3 too many [coinfolk.creation.points]",
    ]
    assert various.scene.options == Variants()
    assert various.log == []
    various.do("table.leave", who="bob")
    various.do("table.set_option", name="points", value="4", reason="poor times")


def test_earlier_errors_are_no_reason_to_refuse(various: Session) -> None:
    scene = replace(various.scene, options=Variants(points=2))
    session = Session(replace(various.header, scene=scene), various.rulebook)
    session.do("table.set_option", name="most", value="5", reason="to see")
    assert session.scene.options.most == 5


def test_characters_are_converted(various: Session) -> None:
    various.do("table.set_option", name="points", value="9", reason="larger")
    various.do("table.set_option", name="scale", value="large", reason="larger")
    assert various.scene["ann"].character.grit == 6
    assert [one.who for one in various.log if isinstance(one, CharacterChanged)] == ["ann", "bob"]


@pytest.mark.parametrize(
    ("name", "value", "under_way", "why"),
    [
        ("core", "yes", False, "core cannot change once a game has begun"),
        ("scale", "large", True, "scale cannot change while a scene is under way"),
    ],
)
def test_not_every_option_changes_at_any_time(
    various: Session, name: str, value: str, under_way: bool, why: str
) -> None:
    if under_way:
        various.do("table.change_sides", who="bob", side="foes")
        various.do(various.rulebook.encounter.name)
    with pytest.raises(IllegalActionError, match=why):
        various.do("table.set_option", name=name, value=value, reason="so")


@pytest.mark.parametrize(
    ("name", "value", "reason", "why"),
    [
        ("pionts", "3", "so", 'option "pionts" is unknown; did you mean "points"'),
        ("points", "many", "so", 'option "points" is "many", allowed are whole numbers from 2 to 10'),
        ("most", "0", "so", 'option "most" is 0, allowed are null or whole numbers from 1 to 9'),
        ("most", "3", " ", "a ruling names its reason"),
    ],
)
def test_wrong_options_are_refused(various: Session, name: str, value: str, reason: str, why: str) -> None:
    with pytest.raises(InvalidInputError, match=why):
        various.do("table.set_option", name=name, value=value, reason=reason)


def test_a_number_or_none() -> None:
    field = Variants.field("most")
    assert (field.or_none, field.choices, field.to_json()["none"]) == (True, (), True)
    assert Variants.from_mapping({"most": None}) == Variants()
    assert Variants(most=3).changed() == {"most": 3}
    with pytest.raises(ProblemListError, match="points"):
        Variants.from_mapping({"points": None})
    changes = [Variants.field(name).changes for name in ("most", "scale", "core")]
    assert changes == ["anytime", "between_scenes", "never"]


def test_a_saved_file_keeps_every_option(tmp_path: Any) -> None:
    session = table()
    assert session.to_json()["source"]["scenario"]["options"] == {"ducking": "after"}
    session.save(tmp_path / "new.json")
    assert resume_session(tmp_path / "new.json").scene == session.scene
    old = session.to_json()
    del old["source"]["scenario"]["options"]  # as it was written where all options had their defaults
    (tmp_path / "old.json").write_text(json.dumps(old))
    assert resume_session(tmp_path / "old.json").scene == session.scene
