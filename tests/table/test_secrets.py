"""Nothing leaves the table that is not for the viewer: twins that differ in one hidden fact give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import pytest

from conformance.places import at_length
from table.drawing import drawn
from table.playing import Group, any_system, group, ready_store
from tablewright.engine import Param, choose, process
from tablewright.errors import TablewrightError
from tablewright.game.play.common_events import TimePassed
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import UnknownParticipantError
from tablewright.game.scene.visibility import GAME_MASTER, hidden_numbers
from tablewright.game.session.opening import open_session
from tablewright.game.session.record import Entry, StartEntry
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_all
from tablewright.table import Store, Table
from tablewright.table.feed import Feed
from tablewright.table.pictures import encode_picture

SYSTEMS = [system.id for system in load_all().systems if system.rulebook_module is not None]
WRONG: list[dict[str, Any]] = [
    {"do": "answer", "option": "no such thing"},
    {"do": "answer", "faces": [1]},
    {"do": "start", "process": "table.check", "with": {"who": "rat", "what": "wit"}},
    {"do": "start", "process": "table.check", "with": {"who": "npc-spy", "what": "wit"}},
    {"do": "start", "process": "table.check", "with": {"who": "ann", "what": "nothing"}},
    {"do": "start", "process": "table.contest", "with": {"who": "ann", "what": "wit", "against": "lurker"}},
    {"do": "start", "process": "table.contest", "with": {"who": "ann", "what": "wit", "against": "nobody"}},
    {"do": "character.drop", "who": "npc-spy"},
    {"do": "note.remove", "id": "gwen-1"},
    {"do": "note.write", "id": "gwen-1", "text": "mine"},
    {"do": "undo.ask", "line": 10**6},
    {"do": "undo", "line": 3},
    {"do": "seat.hand", "who": "npc-spy", "seat": "anna"},
]


def seen_by(g: Group, seat: str) -> bytes:
    """Everything that a seat can get from a table, as bytes: lines, state, refusals."""
    told: list[Any] = [g.table.view(seat), g.table.lines(seat), g.table.cursor(seat), g.table.seat(seat)]
    told.append([g.table.view(seat, after) for after in (1, 5, 10**6)])
    for look in WRONG:
        told.append(refusal(partial(g.table.act, seat, look, key="wrong")))
        told.append(refusal(partial(g.table.preview, seat, look)))
        told.append(refusal(partial(g.table.act, seat, look, expected=10**6)))
    told += [refusal(partial(sheet, g, seat, who)) for who in ("ann", "npc-spy", "rat", "lurker")]
    told += [refusal(partial(g.table.odds, seat, who, "wit")) for who in ("ann", "npc-spy", "rat", "lurker")]
    told.append(refusal(partial(g.table.preview, seat, {"do": "take_back"})))
    return json.dumps(told).encode()


def sheet(g: Group, seat: str, who: str) -> str:
    return g.table.sheet(seat, who).title


def refusal(what: Callable[[], Any]) -> Any:
    try:
        return what()
    except TablewrightError as error:
        return [type(error).__name__, str(error), error.field, error.rule, getattr(error, "cursor", None)]


Difference = Callable[[Group, bool], None]


def other_health(g: Group, twin: bool) -> None:
    rule(g, "rat", "health", 8 if twin else 9)


def rule(g: Group, who: str, field: str, value: int) -> None:
    ruling = {"who": who, "field": field, "value": str(value), "reason": "older than it looks"}
    g.act(g.gm, "start", process="table.rule", **{"with": ruling})


def hidden_dice(g: Group, twin: bool) -> None:
    for _ in range(3 if twin else 0):
        g.act(g.gm, "throw", dice="2d6", audience="blind")
        g.act(g.gm, "start", process="table.check", **{"with": {"who": "rat", "what": "wit", "audience": "blind"}})
        while g.question() is not None and (g.question() or {}).get("about", {}).get("who") is None:
            g.answer()


def a_note(g: Group, twin: bool) -> None:
    for _ in range(2 if twin else 0):
        g.act(g.gm, "note.write", text="the cat is the queen", to="self")


def a_spy(g: Group, twin: bool) -> None:
    if twin:
        g.act(g.gm, "character.add", character="bob", known=False, id="spy")


def hidden_and_undone(g: Group, twin: bool) -> None:
    if twin:
        number = g.table.cursor(g.gm) + 1
        g.act(g.gm, "start", process="table.check", **{"with": {"who": "rat", "what": "wit", "audience": "blind"}})
        while (g.question() or {}).get("about", {}).get("who") is None:
            g.answer()
        g.undo(number)


def hidden_undone_and_redone(g: Group, twin: bool) -> None:
    """A line that only the game master sees is undone, done again, and undone."""
    if twin:
        number = g.table.cursor(g.gm) + 1
        hidden_and_undone(g, twin)
        g.redo()
        g.undo(number)


def somebody_waits(g: Group, twin: bool) -> None:
    if twin:
        g.store.exchange(g.table.invite(g.gm).token, name="Zoe")


def a_private_throw(g: Group, twin: bool) -> None:
    if twin:
        g.act(g.ben, "throw", dice="5d6", audience="self")
        g.act(g.ben, "note.write", text="hm", to="gm")


def a_spy_in_the_scene(g: Group, twin: bool) -> None:
    if twin:
        g.act(g.gm, "character.add", character="bob", known=False)
        g.act(g.gm, "join", entrant={"character": g.state()["characters"][-1]["id"], "side": "folk"})


def a_hidden_rat(g: Group, twin: bool) -> None:
    if twin:
        g.act(g.gm, "join", entrant={"character": "rat", "side": "vermin", "hidden": True})


def a_secret_pack(g: Group, twin: bool) -> None:
    g.act(g.gm, "scene.end", anyway=True)
    if twin:
        weapon = {"id": "lurker", "name": "Npc spy", "edge": 1, "price": 2, "origin": "house"}
        about = {"id": "gwen", "title": "What Gwen knows", "version": "1"}
        g.act(g.gm, "pack.add", pack={"pack": about, "system": "coinfolk", "weapons": [weapon]})
    g.begin()
    g.until(g.anna)


def then_in_public(g: Group) -> None:
    """Make one of every kind that has an id: earlier hidden ones must not show in it."""
    g.act(g.gm, "note.write", text="here we go")
    g.act(g.ben, "note.write", text="indeed")
    g.act(g.ben, "character.add", character="bob")
    g.act(g.gm, "character.add", character="cat")
    g.table.invite(g.gm, name="Zoe")
    g.act(g.gm, "join", entrant={"character": "rat", "side": "vermin"})
    g.act(g.gm, "throw", dice="3d6")


HIDDEN_PICTURE = encode_picture(drawn("maroon")).id


def a_whisper(g: Group, twin: bool) -> None:
    """The game master and Ben whisper."""
    g.act(g.gm, "say", text="the cellar is open" if twin else "the cellar is shut", to=g.ben)
    if twin:
        g.act(g.ben, "say", text="which cellar?", to="gm")


def a_handout(g: Group, twin: bool) -> None:
    """A handout with a picture goes to Ben, or to no one."""
    if twin:
        picture = g.table.add_picture(g.gm, encode_picture(drawn("maroon")))["id"]
        g.act(g.gm, "handout.keep", title="A map", text="dig here", picture=picture)
        g.act(g.gm, "handout.show", id=g.table.view(g.gm)["handouts"][0]["id"], seats=[g.ben])


DIFFERENCES = [
    a_whisper,
    a_handout,
    other_health,
    hidden_dice,
    a_note,
    a_spy,
    a_spy_in_the_scene,
    a_hidden_rat,
    a_secret_pack,
    hidden_and_undone,
    hidden_undone_and_redone,
    somebody_waits,
    a_private_throw,
]


def few_plays(differences: Sequence[Difference]) -> list[Difference]:
    """All differences in one play, except those that end the scene; `make soak` plays each by itself."""
    if at_length():
        return [*differences]
    alone = [one for one in differences if one is a_secret_pack]
    rest = [one for one in differences if one is not a_secret_pack]

    def all_at_once(g: Group, twin: bool) -> None:
        for one in rest:
            one(g, twin)

    return [all_at_once, *alone]


@pytest.mark.parametrize("difference", few_plays(DIFFERENCES), ids=lambda one: one.__name__)
def test_twins_cannot_be_told_apart(tmp_path: Path, difference: Difference) -> None:
    twins = [twin(tmp_path / f"{number}.db") for number in range(2)]
    for g, is_other in zip(twins, (False, True), strict=True):
        g.begin()
        g.until(g.anna)
        difference(g, is_other)
        then_in_public(g)
    eyes = (twins[0].anna, twins[0].watcher)
    same = False
    for step in range(8):
        for g in twins:
            let_hidden_wait(g)
        for seat in eyes:
            assert seen_by(twins[0], seat) == seen_by(twins[1], seat), f"{seat} after {step}"
        asked = [g.question() for g in twins]
        if asked[0] is None or asked[1] is None:
            break
        same = (asked[0]["kind"], asked[0]["seat"]) == (asked[1]["kind"], asked[1]["seat"])
        assert same
        answers = [answer_of(g) for g in twins]
        assert json.dumps(answers[0]) == json.dumps(answers[1])
        thrown = [g.act(g.anna, "throw", dice="d100", key=f"t{step}") for g in twins]
        assert json.dumps(thrown[0]) == json.dumps(thrown[1]), "hidden dice are not seen in public ones"
    assert same
    assert twins[0].table.view(twins[0].gm) != twins[1].table.view(twins[1].gm), "the game master can tell them apart"
    for g in twins:
        assert g.table.is_as_the_log_says()
        g.store.close()


def let_hidden_wait(g: Group) -> None:
    """Hidden characters do nothing on their turn."""
    hidden = [one["id"] for one in g.state()["scene"]["participants"] if one["hidden"]]
    while (g.question() or {}).get("about", {}).get("who") in hidden:
        g.answer("wait")


def answer_of(g: Group) -> Any:
    """Anna's view of an answer, hers or another's."""
    before = g.table.cursor(g.anna)
    asked = g.asked()
    told = g.answer()
    let_hidden_wait(g)
    return told if asked == g.anna else g.table.lines(g.anna, before)


def twin(path: Path) -> Group:
    """A campaign that comes out the same every time: its clock stands still, its name and seed are given."""
    store = ready_store(path, now=lambda: "2026-03-04T05:06:07Z")
    return group(store, id="twin", seed=99)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_hidden_number_is_not_seen_in_any_system(tmp_path: Path, system: str) -> None:
    stores = [ready_store(tmp_path / f"{number}.db", now=lambda: "2026-03-04T05:06:07Z") for number in range(2)]
    tables = [any_system(store, system, bots="random") for store in stores]
    session = tables[0][0]._sitting.session  # type: ignore[union-attr]
    player = tables[0][2]
    mine = next(one for one in session.scene.participants if one.seat == player)
    foe = session.scene.enemies(mine.id)[0]
    numbers = hidden_numbers(foe.status)
    assert numbers
    compared = 0
    for name in numbers:
        value = getattr(foe.status, name)
        for (table, gm, _), new in zip(tables, (value + 1, value + 2), strict=True):
            ruling = {"who": foe.id, "field": name, "value": str(new), "reason": "as it is"}
            table.act(gm, {"do": "start", "process": "table.rule", "with": ruling})
        words = [looks(table, foe.id) for table, _, _ in tables]
        if words[0] != words[1]:
            continue  # what anyone can see
        compared += 1
        views = [json.dumps(as_any_campaign(table.view(player), table.id)) for table, _, _ in tables]
        assert views[0] == views[1], name
        assert json.dumps(tables[0][0].view(tables[0][1])["scene"]) != json.dumps(
            tables[1][0].view(tables[1][1])["scene"]
        )
    assert compared > len(numbers) // 2, "most numbers can differ without anybody seeing it"
    for store in stores:
        store.close()


def looks(table: Table, who: str) -> str:
    sitting = table._sitting
    assert sitting is not None
    return sitting.session.rulebook.health(sitting.session.scene[who])


def as_any_campaign(view: dict[str, Any], name: str) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(view).replace(name, "campaign"))
    return plain


def test_no_seat_sees_the_seed(quick: Store) -> None:
    g = group(quick, seed=0xABCDEF0123456789ABCDEF0123456789)
    g.begin()
    g.answer()
    sitting = g.table._sitting
    assert sitting is not None
    assert sitting.campaign.play.scene is not None
    seeds = [sitting.campaign.seed, sitting.campaign.play.scene.seed]
    seeds += [str(int(seed, 16)) for seed in seeds]
    for seat in (g.gm, g.anna, g.watcher):
        told = json.dumps(g.table.view(seat))
        assert not [seed for seed in seeds if seed in told]


@pytest.mark.parametrize(
    ("audience", "viewers"),
    [("public", "gabw"), ("gm", "ga"), ("self", "ga"), ("blind", "g")],
)
def test_visibility_of_a_throw(quick: Store, audience: str, viewers: str) -> None:
    g = group(quick)
    answer = g.act(g.anna, "throw", dice="3d6", audience=audience)
    seats = {"g": g.gm, "a": g.anna, "b": g.ben, "w": g.watcher}
    for letter, seat in seats.items():
        thrown = [line for line in g.table.lines(seat) if line["fact"]["event"] == "Thrown"]
        assert bool(thrown) is (letter in viewers), seat
    assert bool(answer["lines"]) is ("a" in viewers)


@pytest.mark.parametrize(("audience", "viewers"), [("public", "gabw"), ("gm", "ga"), ("self", "ga"), ("blind", "g")])
def test_visibility_of_a_check(quick: Store, audience: str, viewers: str) -> None:
    g = group(quick)
    g.act(g.gm, "scene.begin", form="time")
    marks = {seat: g.table.cursor(seat) for seat in (g.gm, g.anna, g.ben, g.watcher)}
    g.act(g.anna, "start", process="table.check", **{"with": {"who": "ann", "what": "wit", "audience": audience}})
    while g.question() is not None:
        g.answer()
    for letter, seat in {"g": g.gm, "a": g.anna, "b": g.ben, "w": g.watcher}.items():
        told = g.table.lines(seat, marks[seat])
        checked = [line for line in told if line["fact"].get("event") == "Checked"]
        dice = [line for line in told if "steps" in line["fact"]]
        assert bool(checked) is (letter in viewers), seat
        assert bool(dice) is (letter in viewers), seat


def test_a_secret_difficulty_stays_with_the_game_master(tmp_path: Path) -> None:
    seen: list[bytes] = []
    for number, difficulty in enumerate(("1", "3")):
        g = twin(tmp_path / f"{number}.db")
        g.act(g.gm, "scene.begin", form="time")
        called = {"who": ["ann"], "what": "wit", "situation": [f"difficulty={difficulty}"], "secret": True}
        g.act(g.gm, "start", process="table.call_for_check", **{"with": called})
        while g.question() is not None:
            g.answer()
        assert f'"difficulty": {difficulty}' in json.dumps(g.table.view(g.gm))
        seen.append(seen_by(g, g.anna) + seen_by(g, g.watcher))
        g.store.close()
    assert seen[0] == seen[1]


def test_a_hidden_foe_is_not_there_for_players(tmp_path: Path) -> None:
    both: list[list[bytes]] = []
    for number in range(2):
        seen: list[bytes] = []
        both.append(seen)
        g = twin(tmp_path / f"{number}.db")
        people = [{"character": "ann", "side": "folk"}, {"character": "rat", "side": "vermin"}]
        lurker = {"character": "cat", "id": "lurker", "name": "Lurker", "side": "vermin", "hidden": True}
        scenario = {"title": "Quiet", "participants": [*people, *([lurker] if number else [])]}
        g.act(g.gm, "scene.begin", scenario=scenario | {"ends": "game_master"})
        while len(seen) < 5:
            question = g.question()
            assert question is not None
            if question["about"].get("who") == "lurker":
                g.answer("wait")
                continue
            seen.append(seen_by(g, g.anna))
            g.answer("wait")
        g.store.close()
    assert both[0] == both[1]


def test_a_hidden_foe_is_named_in_no_refusal(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "setting.set", name="players_start", value=["table.check", "table.contest"])
    people = [
        {"character": "ann", "side": "folk"},
        {"character": "cat", "id": "lurker", "side": "vermin", "hidden": True},
    ]
    g.act(g.gm, "scene.begin", form="time", scenario={"title": "Quiet", "participants": people, "ends": "game_master"})
    for whom in ("lurker", "nobody"):
        contest = {"who": "ann", "what": "wit", "against": whom}
        command = {"do": "start", "process": "table.contest", "with": contest}
        told = refusal(partial(g.table.act, g.anna, command))
        assert told[:2] == ["UnknownParticipantError", f'nobody here is called "{whom}"; here are: ann']


# ---------------------------------------------------------------------- naming an unknown character


def watched(path: Path, system: str, mine: str, hidden: dict[str, str]) -> tuple[Table, str, str]:
    """Anna's character and a friend in a quiet scene in which others hide, by id and character."""
    store = ready_store(path, now=lambda: "2026-03-04T05:06:07Z")
    made = store.make_campaign("A table", system, seed=7, id="twin")
    _, (table, gm) = store.exchange(made.invitation.token)
    _, (_, player) = store.exchange(table.invite(gm, name="Anna").token)
    table.act(gm, {"do": "character.add", "character": mine, "id": "ann", "seat": player})
    people: list[dict[str, Any]] = [
        {"character": "ann", "side": "folk"},
        {"character": mine, "id": "mia", "name": "Mia", "side": "folk"},
    ]
    people += [
        {"character": what, "id": who, "name": who.title(), "side": "others", "hidden": True}
        for who, what in hidden.items()
    ]
    scenario = {"title": "Quiet", "participants": people, "ends": "game_master"}
    table.act(gm, {"do": "scene.begin", "form": "time", "scenario": scenario})
    return table, gm, player


def start(table: Table, seat: str, process: str, **given: Any) -> Any:
    return refusal(partial(table.act, seat, {"do": "start", "process": process, "with": {"who": "ann", **given}}))


def named(table: Table, seat: str, whom: str) -> str:
    """All that a player of Renaissance is told on naming a character in a check or its odds."""
    told: list[Any] = []
    for situation in ({"assistants": f"mia,{whom}"}, {"assistants": f"{whom}=perception"}, {"follows": whom}):
        for check in ("perception", "athletics", whom):
            words = ["luck=0", *[f"{name}={value}" for name, value in situation.items()]]
            told.append(refusal(partial(table.odds, seat, "ann", check, situation)))
            told.append(start(table, seat, "table.check", what=check, situation=words, audience="self"))
    told.append(start(table, seat, "table.contest", what="perception", against=whom))
    told.append(
        start(table, seat, "table.check", what="perception", situation=["luck=0"], because=whom, audience="self")
    )
    told.append(start(table, seat, whom))
    told.append(refusal(partial(table.act, seat, {"do": "answer", "option": whom})))
    told.append(refusal(partial(table.act, seat, {"do": "character.add", "character": whom})))
    return json.dumps(told, ensure_ascii=False)


@pytest.mark.parametrize("whom", ["spy", "jörg", "soldier"])
def test_naming_a_hidden_character_is_refused_like_an_unknown_name(tmp_path: Path, whom: str) -> None:
    told = []
    for number, hidden in enumerate(({}, {whom: "archer"})):
        table, gm, player = watched(tmp_path / f"{number}.db", "renaissance", "soldier", hidden)
        allowed = ["table.check", "table.contest"]
        table.act(gm, {"do": "setting.set", "name": "players_start", "value": allowed})
        told.append(named(table, player, whom))
        told.append(named(table, player, "nobody"))
    assert told[0] == told[2], "as if there was nobody"
    assert told[1] == told[3]
    assert f'nobody here is called \\"{whom}\\"; here are: ann, mia' in told[2]
    assert '"tallies"' in told[2], "something was told at all"
    assert "a question is open;" not in told[2]


def test_the_game_master_may_name_hidden_characters(tmp_path: Path) -> None:
    table, gm, _ = watched(tmp_path / "one.db", "renaissance", "soldier", {"spy": "archer"})
    alone = table.odds(gm, "ann", "perception")["tallies"]["target"]["total"]
    helped = table.odds(gm, "ann", "perception", {"assistants": "spy"})["tallies"]["target"]["total"]
    assert helped > alone
    with pytest.raises(UnknownParticipantError, match="here are: ann, mia, spy"):
        table.odds(gm, "ann", "perception", {"assistants": "nobody"})


@pytest.mark.parametrize("dice", ["auto", "ask"])
def test_naming_a_character_for_later_reveals_nothing(tmp_path: Path, dice: str) -> None:
    """The second of two who help is looked for when the first has rolled."""
    told = []
    for number, hidden in enumerate(({}, {"spy": "soldier"})):
        table, gm, player = watched(tmp_path / f"{number}.db", "opend6", "soldier", hidden)
        table.act(player, {"do": "seat.set", "dice": dice})
        table.act(gm, {"do": "setting.set", "name": "players_start", "value": ["opend6.helped_check"]})
        both = [["mia", whom] for whom in ("spy", "nobody")]
        told += [start(table, player, "opend6.helped_check", what="search", helpers=helpers) for helpers in both]
        assert start(table, player, "opend6.helped_check", what="search", helpers=["mia"])["lines"]
    assert told[:2] == told[2:]
    assert [one[:2] for one in told[2:]] == [
        ["UnknownParticipantError", f'nobody here is called "{whom}"; here are: ann, mia'] for whom in ("spy", "nobody")
    ]


def test_a_player_starts_for_several_of_their_own_and_for_nobody_else(tmp_path: Path) -> None:
    table, gm, player = watched(tmp_path / "one.db", "stage", "arlef", {})
    table.act(gm, {"do": "setting.set", "name": "players_start", "value": ["stage.rest"]})
    for others in (["ann", "mia"], [], ["nobody"]):
        kind, why, *_ = start(table, player, "stage.rest", who=others)
        assert (kind, why) == ("ForbiddenError", "name a character of your own: ann")
    assert start(table, player, "stage.rest", who=["ann"])["lines"]


def test_a_process_started_by_a_player_is_tried_without_a_trace(tmp_path: Path) -> None:
    """Nothing of the trial is in the record, and the dice are those that would have been thrown without it."""
    faces = []
    for seat in (1, 2):
        table, *seats = watched(tmp_path / f"{seat}.db", "renaissance", "soldier", {"spy": "archer"})
        start(table, seats[seat - 1], "table.check", what="perception")
        sitting = table._sitting
        assert sitting is not None
        faces.append([one.entry for one in sitting.entries()])
        assert table.is_as_the_log_says()
    assert faces[0] == faces[1]
    assert len(faces[0]) > 1


def test_between_scenes_players_see_no_unknown_characters(tmp_path: Path) -> None:
    told = []
    for number in range(2):
        table, gm, player = watched(tmp_path / f"{number}.db", "renaissance", "soldier", {})
        table.act(gm, {"do": "scene.end"})
        table.act(gm, {"do": "character.add", "character": "archer", "id": "pip"})
        if number:
            table.act(gm, {"do": "character.add", "character": "archer", "id": "spy", "known": False})
        asked = [{"assistants": whom} for whom in ("npc-spy", "nobody", "pip")]
        told += [refusal(partial(table.odds, player, "ann", "perception", situation)) for situation in asked]
    assert told[:3] == told[3:]
    assert told[3][:2] == ["UnknownParticipantError", 'nobody here is called "npc-spy"; here are: ann, pip']
    assert "odds" in told[5]


def test_unseen_events_do_not_appear_later(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "scene.begin", form="time")
    g.act(g.gm, "start", process="table.check", **{"with": {"who": "ann", "what": "wit", "audience": "blind"}})
    while g.question() is not None:
        g.answer()
    seen = g.table.lines(g.ben)
    g.act(g.gm, "seat.hand", who="ann", seat=g.ben)
    assert g.table.lines(g.ben)[: len(seen)] == seen
    g.table.forget()
    assert g.table.lines(g.ben)[: len(seen)] == seen


def test_another_seats_key_gives_nothing_of_its_answer(quick: Store) -> None:
    g = group(quick)
    secret = g.act(g.anna, "throw", dice="9d6", audience="self", key="same")
    mine = g.act(g.ben, "throw", dice="9d6", audience="self", key="same")
    assert mine["lines"][0]["fact"]["by"] == "ben"
    assert mine["lines"][0]["fact"]["faces"] != secret["lines"][0]["fact"]["faces"]


@process(rules=["coinfolk.rest.heal"])
async def doze(game: Game, stops: Annotated[bool, Param("whether the game master is asked in between")]) -> None:
    """Time passes, perhaps with a stop that only the game master knows of."""
    game.emit(TimePassed(amount=20))
    if stops:
        await choose(GAME_MASTER, "does the cat come?", ["no", "yes"])
    game.emit(TimePassed(amount=4))


def test_time_that_stops_for_a_secret_is_told_as_one() -> None:
    """The lines do not tell whether the game master was asked something while time passed."""
    told: list[dict[str, list[str]]] = []
    for stops in (False, True):
        plain = open_session(load_scenario("coinfolk:together"), seed=2)
        session = Session(plain.header, replace(plain.rulebook, processes=(*plain.rulebook.processes, doze)))
        feed, viewers = Feed("scene-1"), ("ann", GAME_MASTER)
        lines: dict[str, list[str]] = {viewer: [] for viewer in viewers}
        entries: list[Entry] = [StartEntry(doze.name, {"stops": stops}), *(["no"] if stops else [])]
        for entry in entries:
            before = len(session.log)
            session.enter(entry)
            new = feed.of_log(session, before, viewers)
            for viewer in viewers:
                lines[viewer] += [new.bodies[place] for place in new.places[viewer]]
            if session.question is not None:
                assert lines["ann"] == [], "nothing is told in the middle"
        told.append(lines)
    assert told[0]["ann"] == told[1]["ann"]
    assert [json.loads(body)["text"] for body in told[0]["ann"]] == ["time passes: 1 day"]
    assert told[0][GAME_MASTER] != told[1][GAME_MASTER]
