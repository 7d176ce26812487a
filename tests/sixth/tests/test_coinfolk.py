"""Coinfolk's own rules, and the parts of the game layer as it uses them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from coinfolk import CoinfolkOptions, check, heads, strike, system
from coinfolk.book import Coinling, Folk, Struck, Weapon, create, most_health, rulebook, up

from game.opened import open_characters
from tablewright.dice import SeededDice, TypedDice
from tablewright.engine import Choice, advise, odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.creation import CharacterCreation, at_random
from tablewright.game.character.sheet import sheet_markdown, sheet_text
from tablewright.game.play.checks import Subject
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import open_session, resume_session
from tablewright.game.session.policies import careful, play_to_end
from tablewright.game.session.session import Session
from tablewright.game.session.views import project_session
from tablewright.game.system.shipped_content import shipped_library

LIBRARY = shipped_library(system)
OPTIONS = system.options()


def making(name: str = "Ann") -> CharacterCreation[Coinling]:
    scene = Scene("coinfolk", options=OPTIONS, library=LIBRARY)
    return CharacterCreation(lambda: create(Game(scene, rulebook), name))


def fight(word: str = "coinfolk:even", seed: int = 1) -> Session:
    session = open_session(load_scenario(word), seed=seed)
    session.do("coinfolk.encounter")
    return session


# ---------------------------------------------------------------------- rules


@pytest.mark.rule("coinfolk.coins.toss")
def test_heads_are_counted() -> None:
    assert odds(heads(3))[2] == Fraction(3, 8)
    assert play(heads(3), TypedDice([2, 1, 2])).result == 2


@pytest.mark.rule("coinfolk.coins.check")
def test_a_check_needs_as_many_heads_as_its_difficulty() -> None:
    assert odds(check(3, 2))[True] == Fraction(1, 2)
    plan = rulebook.check("wit").read(
        Subject(Coinling(name="A", wit=2), OPTIONS, LIBRARY), {"helpers": "1", "difficulty": "2"}
    )
    assert plan.call == check(3, 2)
    assert plan.tallies["coins"].total == 3


@pytest.mark.rule("coinfolk.stat.health")
def test_health_is_three_and_twice_the_grit() -> None:
    assert most_health(Coinling(name="A", grit=4)).total == 11


@pytest.mark.rule("coinfolk.fight.strike", "coinfolk.power.flip", "coinfolk.fight.duck")
def test_a_strike_with_a_flip_and_a_duck() -> None:
    struck = play(strike(3, 1, 1, 2), TypedDice([2, 1, 1, 2, 1, 2, 1]), lambda ask: 1)
    assert struck.result == (2, 1, 1)
    assert play(strike(2, 2), TypedDice([1, 1])).result.harm == 0
    assert advise(strike(2, 0, 1)).choices[0].best.option is True


@pytest.mark.rule("coinfolk.fight.duck")
def test_ducking_is_an_option_of_the_table() -> None:
    scenario = load_scenario("coinfolk:together")
    never = CoinfolkOptions(ducking="never")
    for options, asked in ((OPTIONS, True), (never, False)):
        session = open_session(replace(scenario, options=options), seed=5)
        session.do("coinfolk.encounter")
        play_to_end(session, {}, otherwise=careful)
        assert any("duck?" in str(line) for line in session.facts) is asked


@pytest.mark.rule("coinfolk.fight.daze", "coinfolk.fight.reach", "coinfolk.fight.walk")
def test_impossible_actions_say_why() -> None:
    session = fight()
    question = session.question
    assert isinstance(question, Choice)
    (closed,) = question.closed
    assert (closed.id, closed.rule) == ("strike", "coinfolk.fight.reach")
    assert all(
        session.scene.ground.distance(session.scene["cat"].position, session.scene.ground.parse(name[6:])) <= 2
        for name in question.ids
        if name.startswith("walk")
    )
    session.do("table.rule", who="cat", field="dazed", value="true", reason="a blow")
    question = session.question
    assert isinstance(question, Choice)
    assert question.ids == ("wait",)
    assert {closed.rule for closed in question.closed} == {"coinfolk.fight.daze"}
    with pytest.raises(IllegalActionError, match="dazed"):
        session.choose("strike")
    session.choose("wait")
    assert session.scene["cat"].status.dazed is False


@pytest.mark.rule("coinfolk.fight.walk")
def test_a_walk_takes_the_turn_and_ends_where_it_was_said() -> None:
    session = fight()
    assert isinstance(session.question, Choice)
    walk = next(name for name in session.question.ids if name.startswith("walk"))
    session.choose(walk)
    assert str(session.scene["cat"].position) == walk.removeprefix("walk::")
    assert session.scene.turn != "cat"


@pytest.mark.rule("coinfolk.fight.turn")
def test_the_quickest_wit_goes_first() -> None:
    assert fight().scene.order == ("cat", "ann", "rat", "bob")


@pytest.mark.rule("coinfolk.rest.heal")
def test_rest_heals_and_takes_time() -> None:
    session = open_characters(system, [("ann", Coinling(name="Ann", grit=3))], seed=1)
    session.do("table.rule", who="ann", field="health", value="2", reason="a fall")
    session.do("coinfolk.rest", who="ann", hours=9)
    assert (session.scene["ann"].status.health, session.scene.clock.now) == (4, 9)


@pytest.mark.rule("coinfolk.advancement.marks", "coinfolk.advancement.raise")
def test_marks_buy_stats_and_can_be_taken_back() -> None:
    session = open_characters(system, [("ann", Coinling(name="Ann", grit=3, wit=3))], seed=1)
    session.do("coinfolk.award", who="ann", marks=4)
    session.do("coinfolk.advance", who="ann", stat="grit")
    raised = session.scene["ann"].character
    assert (raised.grit, raised.marks) == (4, 0)
    assert rulebook.legality(raised, OPTIONS, LIBRARY).ok
    with pytest.raises(IllegalActionError, match="costs 4 marks") as refused:
        session.do("coinfolk.advance", who="ann", stat="wit")
    assert refused.value.rule == "coinfolk.advancement.raise"
    session.undo()
    assert session.scene["ann"].character.marks == 4


# ---------------------------------------------------------------------- characters


@pytest.mark.rule("coinfolk.creation.points", "coinfolk.creation.gear")
def test_made_step_by_step_and_back() -> None:
    step = making()
    for stat in ("grit", "grit", "grit", "grit"):
        step.answer(stat)
    assert step.step is not None
    assert step.step.id == "gear"
    step.back()
    assert step.budget is not None
    assert step.budget.left == 1
    step.answer("wit")
    assert {closed.id for closed in step.closed} == set()
    step.answer("poker")
    made = step.result
    assert (made.grit, made.wit, made.pennies, made.belongings[0].item) == (4, 2, 0, "poker")
    assert rulebook.legality(made, OPTIONS, LIBRARY).ok


def test_made_at_random_is_legal_and_repeatable() -> None:
    start = making()._start
    made = [at_random(start, SeededDice(seed, "creation")) for seed in range(20)]
    assert all(rulebook.legality(one, OPTIONS, LIBRARY).ok for one in made)
    assert made == [at_random(start, SeededDice(seed, "creation")) for seed in range(20)]
    assert len({one.grit for one in made}) > 1


def test_every_violation_is_named() -> None:
    report = rulebook.legality(Coinling(name="A", grit=5, wit=5, belongings=(ItemStack("spoon"),)), OPTIONS, LIBRARY)
    assert [violation.rule for violation in report.violations] == ["coinfolk.creation.points", "coinfolk.creation.gear"]


def test_the_sheet_explains_itself() -> None:
    sheet = rulebook.sheet(rulebook.character_of("ann", LIBRARY), OPTIONS, LIBRARY)
    assert sheet.why("health").splitlines()[-1] == "= 9"
    assert "knife" in sheet_text(sheet)
    assert "Ann" in sheet_markdown(sheet)


def test_content_is_checked() -> None:
    assert [entry.id for entry in LIBRARY.of(Weapon)] == ["knife", "poker"]
    assert LIBRARY.get(Folk, "ann").origin == "house"
    with pytest.raises(InvalidInputError, match='did you mean "knife"'):
        LIBRARY.get(Weapon, "knif")


# ---------------------------------------------------------------------- sessions


def test_a_fight_by_hand_saved_resumed_undone_and_replayed(tmp_path: Path) -> None:
    session = fight("coinfolk:together", seed=3)
    session.choose("strike:ann")
    session.type_in([2, 1])
    file = tmp_path / "fight.json"
    session.save(file)
    again = resume_session(file)
    assert again.facts == session.facts
    assert repr(again.question) == repr(session.question)
    entries = len(again.entries)
    again.undo()
    assert len(again.entries) == entries - 1
    play_to_end(again, {}, otherwise=careful)
    assert again.scene.ended is not None
    again.save(file)
    assert resume_session(file).facts == again.facts


def test_a_wrong_answer_changes_nothing() -> None:
    session = fight("coinfolk:together")
    before = session.to_json()
    for wrong in ("strike:nobody", "", "walk::9,9"):
        with pytest.raises((InvalidInputError, IllegalActionError)):
            session.choose(wrong)
    with pytest.raises(InvalidInputError):
        session.type_in([1])
    assert session.to_json() == before


def test_free_play_anyone_rolls_and_the_game_master_calls_for_checks() -> None:
    session = open_session(load_scenario("coinfolk:even"), seed=1)
    session.do("table.check", who="ann", what="wit", situation=["difficulty=1"])
    session.roll()
    assert session.facts[-1]["event"] == "Checked"
    session.do("table.call_for_check", who=["ann", "bob"], what="grit", situation=["difficulty=2"], secret=True)
    while session.question is not None:
        session.roll()
    assert [line.get("who") for line in session.facts if line.get("event") == "Checked"] == ["ann", "ann", "bob"]
    seen = project_session(session, "ann")["log"]
    assert "difficulty" not in str(seen[-2:])
    assert "result" not in seen[-2]


def test_rulings_modify_join_leave_and_end() -> None:
    session = fight("coinfolk:together")
    session.do("table.modify", what="strike", value=2, reason="higher ground", who="cat")
    session.choose("strike:ann")
    assert session.playing is not None
    assert session.playing.calls[0].arguments[0] == 4
    session.set_outcome("1", "the game master says so")
    session.join({"character": "rat", "id": "late", "side": "vermin", "name": "Late Rat"})
    session.do("table.change_sides", who="late", side="folk")
    assert session.scene["late"].side == "folk"
    session.do("table.end", outcome="a truce", reason="supper")
    assert session.scene.ended == "a truce"
    assert "supper" in str(session.facts)


def test_a_hidden_one_is_known_to_its_own_side_alone() -> None:
    session = fight("coinfolk:together")
    session.do("table.hide", who="rat")
    for viewer, there in (("ann", False), ("vermin", True), (GAME_MASTER, True)):
        seen = project_session(session, viewer)["scene"]
        assert ("rat" in [one["id"] for one in seen["participants"]]) is there
        assert ("rat" in seen["order"]) is there


# ---------------------------------------------------------------------- figure by figure


def struck(session: Session, *faces: Sequence[int], by: str = "cat", at: str = "ann") -> Session:
    """A strike with these coins, without flips or ducking."""
    session.choose(f"strike:{at}")
    for shown in faces:
        while isinstance(session.question, Choice) and session.playing is not None and session.playing.calls:
            session.choose("no")
        session.type_in(shown)
    while isinstance(session.question, Choice) and session.playing is not None and session.playing.calls:
        session.choose("no")
    return session


@pytest.mark.rule("coinfolk.coins.toss")
def test_no_coins_no_heads() -> None:
    assert odds(heads(0)) == odds(heads(0)).of(0)


@pytest.mark.rule("coinfolk.fight.strike", "coinfolk.power.flip", "coinfolk.fight.duck")
@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        ((2, 0, 0, 0), []),
        ((2, 0, 1, 0), ["flip the tails?"]),
        ((2, 0, 0, 1), ["duck?"]),
        ((2, 0, 1, 1), ["flip the tails?", "duck?"]),
    ],
)
def test_recipient_of_a_question(arguments: tuple[int, int, int, int], asked: list[str]) -> None:
    questions = {situation.question for situation in advise(strike(*arguments)).choices}
    assert questions == set(asked)
    assert strike(2).arguments == (2, 0, 0, 0)


@pytest.mark.rule("coinfolk.power.flip", "coinfolk.fight.duck")
def test_nothing_to_flip_and_nothing_to_duck() -> None:
    whole = play(strike(2, 0, 1, 1), TypedDice([2, 2, 2]), lambda ask: 1)
    assert whole.result == (1, 0, 1), "without tails nobody is asked to flip"
    nothing = play(strike(2, 0, 0, 1), TypedDice([1, 1]), lambda ask: 1)
    assert nothing.result == (0, 0, 0), "without heads nobody is asked to duck"
    missed = play(strike(1, 2, 0, 3), TypedDice([2, 2, 2, 2]), lambda ask: 1)
    assert missed.result == (0, 0, 1), "more cancelled than hit is no harm, and a weapon adds to hits only"
    assert play(strike(1, 2), TypedDice([2])).result.harm == 3


@pytest.mark.rule("coinfolk.fight.strike", "coinfolk.fight.duck", "coinfolk.power.flip")
def test_parts_of_a_strike_in_a_scene() -> None:
    session = fight("coinfolk:together")
    session.choose("strike:ann")
    assert session.playing is not None
    assert session.playing.calls[0] == strike(2, 0, 1, 3)
    session.undo()
    session.do("table.rule", who="ann", field="breath", value="0", reason="winded")
    session.do("table.modify", what="strike", value=-9, reason="asleep", who="cat")
    session.choose("strike:ann")
    assert not session.scene["cat"].status.dazed
    (trace,) = [line for line in session.facts if line.get("mechanic") == "coinfolk.strike"]
    assert trace["arguments"] == {"coins": 0, "edge": 0, "luck": 1, "dodge": 0}


@pytest.mark.rule("coinfolk.fight.strike")
def test_the_best_edge_counts() -> None:
    session = fight("coinfolk:together")
    armed_scene = session.scene.with_status("cat", belongings=(ItemStack("knife"), ItemStack("poker")))
    session = Session(replace(session.header, scene=armed_scene), rulebook)
    session.do("coinfolk.encounter")
    session.choose("strike:ann")
    assert session.playing is not None
    assert session.playing.calls[0].arguments[1] == 2
    assert (LIBRARY.get(Weapon, "knife").edge, LIBRARY.get(Weapon, "poker").edge) == (1, 2)


@pytest.mark.rule("coinfolk.fight.strike", "coinfolk.fight.daze")
def test_harm_is_taken_and_three_at_once_daze() -> None:
    session = struck(fight("coinfolk:together"), [2, 2])
    assert session.scene["ann"].status.health == 9 - 2
    scene = session.scene
    for harm, before, dazed in ((2, False, False), (3, False, True), (4, False, True), (1, True, True)):
        blow = Struck(who="ann", by="cat", harm=harm, luck=1, breath=1)
        after = rulebook.apply(scene.with_status("ann", dazed=before), blow)
        assert (after["ann"].status.dazed, after["ann"].status.health) == (dazed, 7 - harm)
        assert (after["ann"].status.breath, after["cat"].status.luck) == (2, 0)


@pytest.mark.rule("coinfolk.rest.heal", "coinfolk.stat.health")
def test_rest_stops_at_the_most_and_is_a_night_by_default() -> None:
    session = open_characters(system, [("ann", Coinling(name="Ann", grit=1, wit=2))], seed=1)
    session.do("table.rule", who="ann", field="health", value="4", reason="a scratch")
    session.do("coinfolk.rest", who="ann")
    assert (session.scene["ann"].status.health, session.scene.clock.now) == (5, 8)
    assert rulebook.calendar.parse("1 day 1 hour") == 25


@pytest.mark.rule("coinfolk.rest.heal")
def test_visible_state_of_wounds() -> None:
    session = fight()
    words = []
    for left in (9, 5, 4, 1, 0):
        session.do("table.rule", who="ann", field="health", value=str(left), reason="a look")
        words.append(rulebook.health(session.scene["ann"]))
    assert words == ["well", "well", "hurt", "hurt", "down"]
    assert not up(session.scene["ann"])


@pytest.mark.rule("coinfolk.creation.points", "coinfolk.stat.health", "coinfolk.creation.gear")
def test_a_plain_coinling() -> None:
    plain = Coinling(name="Nobody")
    assert (plain.grit, plain.wit, plain.marks, plain.pennies, plain.raised) == (1, 1, 0, 3, 0)
    assert most_health(plain).total == 5
    over = Coinling(name="A", grit=4, wit=3)
    assert not rulebook.legality(over, OPTIONS, LIBRARY).ok
    assert rulebook.legality(over.changed(raised=1), OPTIONS, LIBRARY).ok


@pytest.mark.rule("coinfolk.advancement.raise")
def test_nine_is_the_most() -> None:
    session = open_characters(system, [("ann", Coinling(name="Ann", grit=9, marks=99, raised=9))], seed=1)
    with pytest.raises(IllegalActionError):
        session.do("coinfolk.advance", who="ann", stat="grit")
    session = open_characters(system, [("ann", Coinling(name="Ann", grit=8, marks=9, raised=9))], seed=1)
    session.do("coinfolk.advance", who="ann", stat="grit")
    assert session.scene["ann"].character.grit == 9


@pytest.mark.rule("coinfolk.fight.strike")
def test_a_hidden_foe_cannot_be_struck() -> None:
    session = fight("coinfolk:together")
    session.do("table.hide", who="ann")
    assert isinstance(session.question, Choice)
    assert "strike:ann" not in session.question.ids


@pytest.mark.rule("coinfolk.fight.winded")
def test_a_character_who_ducks_strikes_with_one_coin_less_until_their_next_turn_is_over() -> None:
    session = fight("coinfolk:together")
    session.choose("strike:ann")
    session.type_in([2, 1])
    session.choose("no")
    session.choose("yes")
    session.type_in([1, 1, 1])
    (winded,) = session.scene["ann"].status.lasting
    assert (winded.id, winded.degree, session.seat) == ("winded", 1, "ann")
    session.choose("strike:rat")
    assert session.playing is not None
    assert session.playing.calls[0].arguments[0] == session.scene["ann"].character.grit - 1
    while session.scene.turn == "ann":
        if isinstance(session.question, Choice):
            session.choose("no")
        else:
            session.type_in([1] * (session.scene["ann"].character.grit - 1))
    assert session.scene["ann"].status.lasting == ()
    assert [line["who"] for line in session.facts if line.get("event") == "WoreOff"] == ["ann"]
