"""Fights played step by step: options, odds, advice, undo, files, and bots that see only their turn."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import tablewright as tw
from each_case import each_case
from tablewright.engine import Choice
from tablewright.errors import InvalidInputError
from tablewright.game.scenario.loader import scenario_names

ASKED = {"bots": {"foes": "careful"}}


def duel(**given: Any) -> tw.Fight:
    """A duel in which Aldith has the first turn, unless something else than usual is wanted of it."""
    for seed in range(100):
        fight = tw.Fight("mars:fighter", "mars:goblin", **{**ASKED, "seed": seed, **given})
        if given or fight.turn == "aldith":
            return fight
    raise AssertionError("Aldith never has the first turn")


def test_a_fight_stops_where_a_participant_without_a_bot_is_asked() -> None:
    fight = duel()
    assert (fight.system, fight.round, fight.turn, fight.asked) == ("mars", 1, "aldith", "aldith")
    assert fight.question == "what now?"
    assert "Aldith" in fight.heading
    assert repr(fight) == "<Fight mars, round 1, Aldith is asked: what now?>"
    assert not fight.over
    assert fight.winner is None
    assert [one["id"] for one in fight.people] == ["aldith", "goblin"]
    assert all(closed.reason for closed in fight.closed)


def test_bots_on_every_side_play_to_the_end() -> None:
    fight = tw.Fight("mars:fighter", "mars:goblin", seed=0, bots="careful")
    assert fight.over
    assert fight.winner in ("party", "foes")
    assert fight.ended == f"{fight.winner} win"
    assert fight.options == ()
    again = tw.Fight("mars:fighter", "mars:goblin", seed=0, bots="careful")
    assert again.narrate() == fight.narrate()


def test_an_option_is_taken_by_itself_its_id_or_its_label() -> None:
    option = duel().options[0]
    by_each = [duel().choose(how) for how in (option, option.id, option.label)]
    assert len({fight.narrate() for fight in by_each}) == 1


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("attack:gobln:straight_sword", "did you mean"),
        (7, "is not an option"),
        (None, "is not an option"),
        ("", "unknown option"),
    ],
)
def test_a_wrong_answer_is_refused_and_changes_nothing(answer: Any, message: str) -> None:
    fight = duel()
    before = fight.narrate()
    with pytest.raises(tw.BadInput, match=message):
        fight.choose(answer)
    assert fight.narrate() == before


def test_a_closed_option_says_which_rule_closes_it() -> None:
    fight = duel()
    closed = fight.closed[0]
    with pytest.raises(tw.RulesSayNo) as refused:
        fight.choose(closed.id)
    assert refused.value.rule == closed.rule


def test_an_undo_takes_back_your_own_answer_with_all_that_followed() -> None:
    fight = duel()
    first, people = fight.narrate(), fight.people
    fight.choose(fight.advice().best)
    second = fight.narrate()
    fight.choose(fight.options[0])
    fight.undo(2)
    assert (fight.narrate(), fight.people) == (first, people)
    fight.choose(fight.advice().best)
    assert fight.narrate() == second, "the same roll shows the same faces again"
    with pytest.raises(tw.BadInput, match="5 answers cannot be undone; 1 were given"):
        fight.undo(5)


def test_a_fight_is_saved_and_taken_up_with_its_bots(tmp_path: Path) -> None:
    fight = duel()
    fight.choose(fight.options[0])
    fight.save(tmp_path / "fight.json")
    again = tw.Fight.load(tmp_path / "fight.json")
    assert (again.narrate(), again.question, again.asked) == (fight.narrate(), fight.question, fight.asked)
    assert again.choose(again.options[0]).narrate() == fight.choose(fight.options[0]).narrate()
    again.undo(2)
    with pytest.raises(tw.BadInput, match="cannot be undone"):
        again.undo()
    assert tw.Fight.load(tmp_path / "fight.json", bots="careful").over
    with pytest.raises(tw.BadInput, match="cannot be read"):
        tw.Fight.load(tmp_path / "nowhere.json")
    with pytest.raises(tw.BadInput, match="cannot be written"):
        fight.save(tmp_path / "nowhere" / "fight.json")


def test_a_copy_goes_its_own_way() -> None:
    fight = duel()
    copy = fight.copy()
    copy.choose(copy.options[0])
    assert fight.narrate() != copy.narrate()
    assert fight.choose(fight.options[0]).narrate() == copy.narrate()


def test_dice_can_be_asked_for() -> None:
    fight = duel(dice="ask")
    assert fight.options == ()
    dice = fight.question
    with pytest.raises(tw.BadInput, match="is to be rolled"):
        fight.choose("attack")
    with pytest.raises(tw.BadInput, match="shows 1 to"):
        fight.type_in(99, 99)
    typed = fight.copy().type_in(1, 1)
    assert fight.question == dice
    assert fight.roll().narrate() != typed.narrate()
    with pytest.raises(tw.BadInput, match='did you mean "auto"'):
        duel(dice="aut")
    with pytest.raises(tw.BadInput, match="no roll is asked for"):
        duel().roll()


@pytest.mark.parametrize("system", tw.system_ids())
def test_options_of_the_first_turns_have_odds_or_say_why_not(system: str) -> None:
    names = scenario_names(system)
    fight = tw.Fight(f"{system}:{'together' if 'together' in names else names[0]}", seed=1)
    told = 0
    for _ in range(6):
        if fight.over:
            break
        for option in fight.options[:12]:
            with suppress(tw.TablewrightError):
                told += sum([chance.exact for chance in fight.odds(option).values()]) == 1
        fight.choose(fight.options[0])
    assert told


def test_a_choice_inside_a_rule_has_odds_of_its_rest() -> None:
    fight = tw.Fight("stage:together", seed=1)
    for _ in range(40):
        playing = fight._session.playing
        if playing is None or (playing.calls and isinstance(fight._session.question, Choice)):
            break
        fight.choose(next((one for one in fight.options if one.id.startswith("attack")), fight.options[0]))
    if fight.over:
        pytest.fail("no choice inside a rule was met")
    odds = [fight.odds(option) for option in fight.options]
    assert all("from here" in one.label for one in odds)


def test_a_turn_shows_only_what_its_seat_may_see() -> None:
    seen: list[tw.Turn] = []

    @tw.policy
    def watcher(turn: tw.Turn) -> tw.Option:
        seen.append(turn)
        assert turn.me["id"] == turn.who
        foe = next(one for one in turn.people if one["side"] != turn.me["side"])
        assert set(foe["status"]) < set(turn.me["status"])
        assert "seed" not in turn.scene
        assert turn.round >= 1
        assert turn.default in turn.options
        assert turn.option(turn.options[0].label) == turn.options[0]
        return turn.advice().best

    fight = duel(bots={"party": watcher, "foes": "careful"}, rounds=2)
    assert fight.over
    assert seen
    with pytest.raises(tw.TablewrightError, match="this turn is over"):
        seen[0].advice()
    with pytest.raises(tw.BadInput, match="nobody here is called"):
        seen[0].person("nobody")


def test_answers_of_a_policy_are_checked() -> None:
    def lost(turn: tw.Turn) -> str:
        return "attack:nobody"

    def silent(turn: tw.Turn) -> Any:
        return None

    for wrong in (lost, silent):
        with pytest.raises(tw.BadInput, match=f"the policy {wrong.__name__}: .*(unknown|not an) option"):
            duel(bots={"party": wrong, "foes": "careful"})
    with pytest.raises(tw.BadInput, match='did you mean "careful"'):
        duel(bots="carefull")
    with pytest.raises(tw.BadInput, match=r'bots: nobody is called "fos"; .* did you mean "foes"'):
        duel(bots={"fos": "careful"})
    with pytest.raises(tw.BadInput, match="is not a policy"):
        duel(bots={"foes": 7})
    with pytest.raises(tw.BadInput, match="is not a policy"):
        tw.policy(7)  # type: ignore[type-var]


def test_a_seat_sees_its_turn_and_nobody_else_s() -> None:
    fight = duel()
    turn = fight.seen_by("party")
    assert "Aldith" in turn.heading
    assert turn.options == fight.options
    assert turn.odds(turn.options[0]).of("degree")["failure"] >= 0
    with pytest.raises(tw.BadInput, match="Aldith is asked"):
        fight.seen_by("foes")


def test_narration_is_cut_to_its_viewer() -> None:
    fight = duel()
    whole = fight.narrate()
    assert whole
    assert fight.narrate(viewer="party")
    assert len(fight.narrate(dice=True)) > len(whole)
    before = fight.lines
    fight.choose(fight.options[0])
    assert fight.narrate().startswith(whole)
    assert fight.narrate().endswith(fight.narrate(since=before))
    assert "_" not in fight.narrate()
    assert fight.narrate(since=10_000) == ""
    with pytest.raises(tw.BadInput, match="has no seat"):
        fight.narrate(viewer="nobody")


@each_case(
    ("who", "given", "message"),
    [
        ((), {}, "name a scenario"),
        ((["mars:fighter"],), {}, "one side alone"),
        (("mars:evn",), {}, 'did you mean "even"'),
        (("mars:fighter", "mars:goblin*0"), {}, "allowed are 1 to 100"),
        (("mars:fighter", "stage:guard"), {}, "MARS and Guard plays by The Stage"),
        (("mars:fighter", ""), {}, "every side needs"),
        (("mars:fighter", 7), {}, "is not a side of a fight"),
        (("fighter", "goblin"), {}, "name at least one"),
        (("mars:even",), {"options": {"passive_rols": "x"}}, "passive_rolls"),
        (("mars:even",), {"rounds": 0}, "rounds is 0"),
        (("mars:even",), {"seed": -1}, "the seed is -1"),
        (("mars:even",), {"packs": ["x.yaml"]}, "a scenario names its packs itself"),
    ],
)
def test_a_wrong_fight_is_refused(who: tuple[Any, ...], given: dict[str, Any], message: str) -> None:
    with pytest.raises(tw.BadInput, match=message):
        tw.Fight(*who, **given)


def test_sides_are_words_characters_and_lists() -> None:
    ann = tw.Character.load("mars:fighter").changed(name="Ann")
    fight = tw.Fight([ann, "mars:fighter"], "mars:goblin*2, mars:wolf", seed=1)
    assert [one["name"] for one in fight.people] == ["Ann", "Aldith", "Goblin", "Goblin", "Wolf"]
    assert {one["side"] for one in fight.people} == {"party", "foes"}


def test_a_question_is_answered_in_own_words_by_a_caller_and_by_a_policy() -> None:
    fight = duel().choose("ready")
    assert fight.question == "wait for what?"
    with pytest.raises(InvalidInputError, match="1 to 200 letters"):
        fight.choose("  ")
    fight.choose("the bell rings")
    assert fight.question == "to do what?"

    def waits(turn: tw.Turn) -> str:
        if turn.own_words:
            return "the bell rings"
        known = [one.id for one in turn.options]
        return next((one for one in ("ready", "ready_to::drop_prone") if one in known), turn.default.id)

    told = tw.Fight("mars:fighter", "mars:goblin", seed=0, bots={"party": waits, "foes": "careful"}, rounds=1).narrate()
    assert "the bell rings" in told
