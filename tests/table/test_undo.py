"""Undo to here, redo, and changing a line: shown first, done when confirmed, and nothing leaves the log."""

from __future__ import annotations

import json
from typing import Any

import pytest

from table.playing import Group, group
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.table import ConflictError, ForbiddenError, NotFoundError, Store
from tablewright.table.database import queries


def logged(g: Group) -> int:
    return g.store.campaigns()[0].last


def last_number(g: Group, event: str, seat: str | None = None) -> int:
    """The number of the last line that tells of an event."""
    found = [line["number"] for line in g.table.lines(seat or g.gm) if line["fact"].get("event") == event]
    return int(found[-1])


def number_of_choice(g: Group, option: str) -> int:
    found = [line["number"] for line in g.table.lines(g.gm) if line["fact"].get("option") == option]
    return int(found[-1])


def test_undo_goes_back_and_redo_comes_back(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    before = g.state(), g.state(g.ben)
    number = g.answered("wait")
    g.answer()
    after = g.state(), g.state(g.ben)
    lines = logged(g)
    g.undo(number)
    assert g.state() == {**before[0], "can": {"redo": True, "take_back": False}}
    assert g.state(g.ben) == before[1]
    assert g.table.is_as_the_log_says()
    g.redo()
    assert g.state(g.ben) == after[1]
    assert {**g.state(), "can": None} == {**after[0], "can": None}
    assert logged(g) == lines + 2, "undo and redo are lines, and nothing is gone"
    g.table.forget()
    assert g.state(g.ben) == after[1]
    assert g.table.is_as_the_log_says()


def test_redo_is_gone_when_something_new_is_done(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    g.answer("wait")
    g.undo(number_of_choice(g, "wait"))
    g.answer("wait")
    with pytest.raises(IllegalActionError, match="nothing to redo"):
        g.redo()


def test_several_undos_are_redone_in_turn(quick: Store) -> None:
    g = group(quick)
    for text in ("ann", "bob"):
        plain = next(one["character"] for one in g.state()["characters"] if one["id"] == text)
        g.act(g.gm, "character.replace", who=text, character=plain | {"notes": "wet"})
    states = [g.state()]
    g.undo(last_number(g, "CharacterReplaced"))
    states.append(g.state())
    g.undo(min(n["number"] for n in g.table.lines(g.gm) if n["fact"]["event"] == "CharacterReplaced"))
    assert [one["character"]["notes"] for one in g.state()["characters"]] == ["", ""]
    g.redo()
    assert g.state()["characters"] == states[1]["characters"]
    g.redo()
    assert g.state()["characters"] == states[0]["characters"]
    assert g.table.is_as_the_log_says()


def test_undo_reopens_a_scene_that_was_over(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    before = g.state(g.anna)
    g.answer("wait")
    g.act(g.gm, "scene.end", anyway=True)
    g.act(g.gm, "scene.begin", form="time")
    g.undo(number_of_choice(g, "wait"))
    assert g.state(g.anna) == before
    g.table.forget()
    assert g.state(g.anna) == before
    assert g.table.is_as_the_log_says()
    g.redo()
    assert g.state(g.anna)["scene"]["id"] == "scene-2"


def test_undo_before_a_scene_takes_it_away(quick: Store) -> None:
    g = group(quick)
    before = g.state(g.anna)
    g.begin()
    g.undo(last_number(g, "SceneBegan"))
    assert g.state(g.anna) == before
    assert g.table.is_as_the_log_says()


def test_seats_and_notes_are_not_undone(quick: Store) -> None:
    g = group(quick)
    g.begin()
    start = last_number(g, "SceneBegan")
    g.act(g.gm, "note.write", text="remember the cheese")
    g.act(g.gm, "seat.remove", seat=g.ben)
    g.undo(start)
    assert [note["text"] for note in g.state(g.anna)["notes"]] == ["remember the cheese"]
    with pytest.raises(NotFoundError):
        g.store.enter(g.cookies[g.ben])
    with pytest.raises(IllegalActionError, match="cannot be undone"):
        g.undo(last_number(g, "NoteWritten"))


def test_the_same_roll_shows_the_same_faces_and_another_does_not(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    strikes = [one["id"] for one in g.question()["options"] if one["id"].startswith("strike")]  # type: ignore[index]

    def faces(option: str) -> list[object]:
        start = g.table.cursor(g.gm)
        g.answer(option)
        return [json.dumps(line["fact"].get("steps")) for line in g.table.lines(g.gm, start) if "steps" in line["fact"]]

    first = faces(strikes[0])
    thrown = first or [json.dumps((g.question() or {}).get("so_far"))]
    for _ in range(2):  # also when it is undone twice, line by line
        g.undo(number_of_choice(g, strikes[0]))
        g.table.forget()
        again = faces(strikes[0])
        assert (again or [json.dumps((g.question() or {}).get("so_far"))]) == thrown


def test_undone_and_redone_rolls_are_not_rolled_again(quick: Store) -> None:
    """Otherwise a player could undo and redo to learn the next dice of the same kind."""
    g = group(quick)
    g.act(g.gm, "scene.begin", form="time")

    def thrown() -> str:
        before = g.table.cursor(g.gm)
        g.act(g.anna, "start", process="table.check", **{"with": {"who": "ann", "what": "wit"}})
        while g.question() is not None:
            g.answer()
        return json.dumps([line["fact"].get("steps") for line in g.table.lines(g.gm, before)])

    number = g.table.cursor(g.gm) + 1
    first = [thrown() for _ in range(4)]
    g.undo(number)
    g.redo()
    assert g.table._sitting is not None
    assert g.table._sitting.campaign.remembered == {}
    later = [thrown() for _ in range(4)]
    assert later != first
    g.undo(number)
    assert [thrown() for _ in range(4)] == first


def test_an_undo_is_shown_first_and_done_when_confirmed(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    g.answer("wait")
    number = number_of_choice(g, "wait")
    command = {"do": "undo", "line": number}
    seen = g.table.preview(g.gm, command)
    dropped = [line["number"] for line in seen["lines"]]
    assert {line["fate"] for line in seen["lines"]} == {"drops"}
    assert dropped[0] <= number
    assert dropped[-1] == g.table.cursor(g.gm)
    with pytest.raises(InvalidInputError, match="look at what it does first"):
        g.table.act(g.gm, command)
    g.answer()
    with pytest.raises(ConflictError, match="look at what it does again"):
        g.table.act(g.gm, command | {"confirm": seen["confirm"]})


def test_a_process_is_previewed_on_a_copy(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    who = g.table.view(g.gm)["scene"]["participants"][0]["id"]
    command = {"do": "start", "process": "table.hide", "with": {"who": who}}
    before = g.table.view(g.gm, 0)
    seen = g.table.preview(g.gm, command)
    assert g.table.view(g.gm, 0) == before, "a preview changes nothing"
    assert [line["fate"] for line in seen["lines"]] == ["comes"]
    told = g.table.act(g.gm, command)["lines"]
    assert [line["text"] for line in seen["lines"]] == [line["text"] for line in told if line.get("text")]


def test_everybody_is_told_which_of_their_lines_are_gone(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    cursors = {seat: g.table.cursor(seat) for seat in (g.gm, g.anna, g.ben, g.watcher)}
    g.answer("wait")
    ends = {seat: g.table.cursor(seat) for seat in cursors}
    g.undo(number_of_choice(g, "wait"))
    for seat, start in cursors.items():
        told = g.table.lines(seat, ends[seat])
        assert [line["kind"] for line in told] == ["undone"]
        assert told[0]["fact"]["lines"] == [[start + 1, ends[seat]]]
        assert set(told[0]["fact"]) == {"event", "lines", "by", "why", "reason", "cause"} | (
            {"to"} if seat == g.gm else set()
        )


def test_a_seat_that_saw_nothing_is_not_told_that_it_is_gone(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "scene.begin", form="time")
    seen = g.table.view(g.ben), g.table.view(g.watcher)
    number = g.table.cursor(g.gm) + 1
    blind = {"who": "ann", "what": "wit", "audience": "blind"}
    g.act(g.gm, "start", process="table.check", **{"with": blind})
    while (asked := g.question()) is not None:
        g.act(g.gm, "answer", option=asked["default"])
    assert "Checked" in [line["fact"].get("event") for line in g.table.lines(g.gm, number - 1)]
    assert (g.table.view(g.ben), g.table.view(g.watcher)) == seen
    g.undo(number)
    assert (g.table.view(g.ben), g.table.view(g.watcher)) == seen


def test_only_the_game_master_undoes_but_players_can_ask(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    g.answer("wait")
    number = g.table.cursor(g.anna)
    with pytest.raises(ForbiddenError):
        g.table.preview(g.anna, {"do": "undo", "line": number})
    with pytest.raises(ForbiddenError):
        g.act(g.anna, "undo", line=number, confirm="x")
    g.act(g.anna, "undo.ask", line=number, reason="I misread it")
    asked = g.table.lines(g.gm)[-1]
    assert asked["fact"]["reason"] == "I misread it"
    (own,) = g.table.lines(g.anna, number - 1)[:1]
    assert asked["text"] == f"Anna asks to undo “{own['text']}”: I misread it"
    g.undo(asked["fact"]["line"])
    assert g.table.lines(g.ben)[-1]["kind"] == "undone"


# ---------------------------------------------------------------------- changing a line


def test_a_changed_line_runs_the_later_answers_again(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    number = g.answered("wait")
    g.answer("wait")
    option = next(one for one in options_at(g, number) if one.startswith("walk"))
    command = {"do": "change", "line": number, "answer": {"option": option}}
    lines, before = logged(g), g.table.view(g.gm)
    seen = g.table.preview(g.gm, command)
    fates = [line["fate"] for line in seen["lines"]]
    assert fates[0] == "changes"
    assert set(fates) <= {"changes", "stays"}, "the other waits all the same"
    assert (g.table.view(g.gm), logged(g)) == (before, lines), "a preview changes nothing"
    g.table.act(g.gm, command | {"confirm": seen["confirm"]})
    chosen = [line["fact"]["option"] for line in counting(g) if "option" in line["fact"]]
    assert chosen[-2:] == [option, "wait"]
    assert g.table.is_as_the_log_says()
    g.table.forget()
    assert g.table.is_as_the_log_says()
    assert g.table.lines(g.gm)[: before["last"]] == before["lines"]


def test_a_preview_says_what_is_told_otherwise(quick: Store) -> None:
    """Faces that are typed again change their own line; a later line with the same result stays."""
    g = group(quick)
    g.begin()
    strike = next(one["id"] for one in g.until(g.anna)["options"] if one["id"].startswith("strike"))
    g.answer(strike)
    rolled = next(line for line in g.table.lines(g.gm) if isinstance(line["fact"].get("entry"), list))
    faces = rolled["fact"]["entry"]

    def first(answer: list[int]) -> dict[str, Any]:
        command = {"do": "change", "line": rolled["number"], "answer": {"faces": answer}}
        found: dict[str, Any] = g.table.preview(g.gm, command)["lines"][0]
        return found

    assert first(faces)["fate"] == "stays"
    lowest = faces == [1] * len(faces)
    other = first([2 if lowest else 1] * len(faces))
    assert (other["fate"], len(other["becomes"])) == ("changes", 1)
    assert other["becomes"][0] != rolled["text"]


def options_at(g: Group, number: int) -> list[str]:
    """The options that were there at a choice: undone for a moment, and redone."""
    g.undo(number)
    question = g.question()
    assert question is not None
    options = [one["id"] for one in question["options"]]
    g.redo()
    return options


def counting(g: Group) -> list[dict[str, Any]]:
    """The lines that count now, as the game master sees them."""
    lines = {line["number"]: line for line in g.table.lines(g.gm)}
    gone: set[int] = set()
    for line in lines.values():
        stretch = [n for low, high in line["fact"].get("lines", []) for n in range(low, high + 1)]
        gone = gone | set(stretch) if line["kind"] == "undone" else gone - set(stretch)
    return [line for number, line in lines.items() if number not in gone]


def test_the_run_ends_at_the_first_answer_that_fits_no_more(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    g.answer("wait")
    number = number_of_choice(g, "wait")
    for _ in range(6):
        g.answer()
    options = options_at(g, number)
    strike = next(one for one in options if one.startswith("strike"))
    command = {"do": "change", "line": number, "answer": {"option": strike}}
    seen = g.table.preview(g.gm, command)
    fates = [line["fate"] for line in seen["lines"]]
    first = fates.index("drops")
    assert set(fates[first:]) == {"drops"}, "a strike asks other questions; nothing after them stays"
    g.table.act(g.gm, command | {"confirm": seen["confirm"]})
    assert g.table.is_as_the_log_says()


def test_past_questions_can_be_looked_up_by_line(quick: Store) -> None:
    g = group(quick)
    g.begin()
    question = g.until(g.anna)
    number = g.answered("wait")
    g.answer()
    found = g.table.asked_at(g.gm, number)
    assert found["options"] == question["options"]
    assert found["answer"] == "wait"
    with pytest.raises(ForbiddenError):
        g.table.asked_at(g.anna, 1)
    with pytest.raises(IllegalActionError):
        g.table.asked_at(g.gm, 1)


def test_a_changed_roll_takes_typed_faces_only(quick: Store) -> None:
    g = group(quick)
    question = g.dice_asked()
    count = int(question["dice"].partition("d")[0] or "1")
    g.act(g.anna, "answer", faces=[1] * count)
    while (asked := g.question()) is not None:
        g.act(g.gm, "answer", **({"roll": True} if asked["kind"] == "roll" else {"option": asked["default"]}))
    number = next(line["number"] for line in g.table.lines(g.gm) if "mechanic" in line["fact"])
    with pytest.raises(InvalidInputError, match="not thrown again"):
        g.table.preview(g.gm, {"do": "change", "line": number, "answer": {"roll": True}})


# ---------------------------------------------------------------------- a player's own


def test_a_player_takes_back_their_last_answer(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    before = g.state(g.anna), g.state(g.ben)
    g.act(g.anna, "answer", option="wait")
    if g.asked() == g.anna:
        pytest.skip("anna is asked again at once")
    assert g.state(g.anna)["can"]["take_back"] is True
    assert g.state(g.ben)["can"]["take_back"] is False
    with pytest.raises(IllegalActionError, match="nothing of yours"):
        g.act(g.ben, "take_back")
    g.act(g.anna, "take_back")
    assert g.state(g.anna) == before[0]
    assert g.state(g.ben) == before[1]
    assert g.table.is_as_the_log_says()


def test_nothing_is_taken_back_after_another_seat_has_acted(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    g.act(g.anna, "answer", option="wait")
    g.answer("wait")
    with pytest.raises(IllegalActionError, match="another seat has acted"):
        g.act(g.anna, "take_back")


def test_nothing_is_taken_back_when_dice_were_shown(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "scene.begin", form="time")
    g.act(g.anna, "start", process="table.check", **{"with": {"who": "ann", "what": "wit"}})
    with pytest.raises(IllegalActionError, match="dice were shown"):
        g.act(g.anna, "take_back")


def test_the_game_masters_unseen_acts_survive_an_undo_by_a_player(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    g.act(g.anna, "answer", option="wait")
    g.act(g.gm, "start", process="table.hide", **{"with": {"who": "rat"}})
    g.act(g.anna, "take_back")
    hidden = {one["id"]: one["hidden"] for one in g.state()["scene"]["participants"]}
    assert hidden["rat"] is True
    assert g.asked() == g.anna


def test_nothing_ever_leaves_the_log(quick: Store) -> None:
    g = group(quick)

    def everything() -> list[str]:
        with queries.reading(g.store.engine) as connection:
            return [repr(row.line) for row in queries.rows_between(connection, g.table.id, 1, 10**9)]

    g.begin()
    g.until(g.anna)
    number = g.answered("wait")
    before = everything()
    g.undo(number)
    g.redo()
    g.undo(number)
    g.answer("wait")
    assert everything()[: len(before)] == before
