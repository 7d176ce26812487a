"""Access to seats: links, roles, and the refusals of each role."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text

from table.playing import Group, any_system, group
from table.test_secrets import SYSTEMS
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.values import thaw
from tablewright.table import ForbiddenError, NotFoundError, Store, Table
from tablewright.table.database import queries


def test_a_link_opens_a_seat_once(store: Store) -> None:
    g = group(store)
    invitation = g.table.invite(g.gm, name="Cora")
    cookie, entry = store.exchange(invitation.token)
    assert entry.seat == invitation.seat == "cora"
    assert store.enter(cookie) == entry
    with pytest.raises(NotFoundError, match="used already"):
        store.exchange(invitation.token)
    with pytest.raises(NotFoundError):
        store.enter(invitation.token)
    with pytest.raises(NotFoundError):
        store.exchange(cookie)


@pytest.mark.parametrize("wrong", ["", "x", "a" * 32, "a" * 1_000, "ä" * 32, "a b" * 10, "' OR 1=1 --"])
def test_a_wrong_token_opens_nothing(quick: Store, wrong: str) -> None:
    group(quick)
    with pytest.raises(NotFoundError):
        quick.exchange(wrong)
    with pytest.raises(NotFoundError):
        quick.enter(wrong)


def test_tokens_are_nowhere_in_the_database(store: Store) -> None:
    g = group(store)
    tokens = [*g.cookies.values()]
    tokens.append(g.table.invite(g.gm, name="Cora").token)
    tokens.append(g.table.invite(g.gm).token)
    tokens.append(g.table.host_link().token)
    assert all(len(token) >= 32 for token in tokens)
    with queries.reading(store.engine) as connection:
        everything = ""
        for table in ("campaigns", "lines", "feed", "snapshots", "requests", "links"):
            everything += str(connection.execute(text(f'SELECT * FROM "{table}"')).all())
    assert not [token for token in tokens if token in everything]
    assert tokens[0] not in repr(g.table.invite(g.gm, name="Dora"))


def test_a_guest_by_invitation_waits_for_the_game_master(store: Store) -> None:
    g = group(store)
    invitation = g.table.invite(g.gm)
    with pytest.raises(InvalidInputError, match="a name for your seat"):
        store.exchange(invitation.token)
    cookie, entry = store.exchange(invitation.token, name="Cora")
    assert g.table.seat(entry.seat) == {
        "campaign": "The pantry",
        "system": "coinfolk",
        "seat": entry.seat,
        "name": "Cora",
        "role": "player",
        "approved": False,
    }
    looks: list[Callable[[], Any]] = [
        lambda: g.table.view(entry.seat),
        lambda: g.table.lines(entry.seat),
        lambda: g.act(entry.seat, "throw", dice="d6"),
    ]
    for look in looks:
        with pytest.raises(ForbiddenError, match="not approved"):
            look()
    assert entry.seat not in [one["id"] for one in g.state(g.anna)["seats"]]
    assert entry.seat in [one["id"] for one in g.state()["seats"]]
    g.act(g.gm, "seat.approve", seat=entry.seat)
    assert g.table.view(store.enter(cookie).seat)["you"]["role"] == "player"
    with pytest.raises(InvalidInputError, match='"Cora" is taken at this table'):
        store.exchange(invitation.token, name="Cora")


def test_a_late_seat_sees_what_the_public_saw(store: Store) -> None:
    g = group(store)
    g.act(g.gm, "scene.begin", form="time")
    g.act(g.anna, "throw", dice="2d6", audience="gm")
    g.act(g.anna, "throw", dice="3d6")
    public = g.table.lines(g.watcher)
    _, entry = store.exchange(g.table.invite(g.gm, name="Cora").token)
    assert g.table.lines(entry.seat)[: len(public)] == public
    g.act(g.ben, "throw", dice="4d6")
    lines = g.table.lines(entry.seat)
    assert [line["number"] for line in lines] == list(range(1, len(lines) + 1))
    assert g.table.view(entry.seat, len(public))["lines"] == lines[len(public) :]
    assert g.table.lines(entry.seat, 2, most=3) == lines[2:5]
    g.table.forget()
    assert g.table.lines(entry.seat) == lines


def test_a_seat_is_renewed_revoked_and_removed(store: Store) -> None:
    g = group(store)
    renewed = g.table.renew(g.gm, g.anna)
    with pytest.raises(NotFoundError):
        store.enter(g.cookies[g.anna])
    cookie, entry = store.exchange(renewed.token)
    assert entry.seat == g.anna
    g.table.revoke(g.gm, g.anna)
    with pytest.raises(NotFoundError):
        store.enter(cookie)
    invitation = g.table.invite(g.gm)
    g.table.revoke(g.gm, "")
    with pytest.raises(NotFoundError):
        store.exchange(invitation.token, name="Cora")
    g.act(g.gm, "seat.remove", seat=g.ben)
    with pytest.raises(NotFoundError):
        store.enter(g.cookies[g.ben])
    with pytest.raises(NotFoundError):
        g.table.view(g.ben)
    with pytest.raises(NotFoundError):
        g.table.renew(g.gm, g.ben)
    with pytest.raises(NotFoundError, match="no such seat"):
        g.table.revoke(g.gm, "nobody")
    with pytest.raises(IllegalActionError, match="last game master"):
        g.act(g.gm, "seat.remove", seat=g.gm)
    store.leave(g.cookies[g.watcher])
    with pytest.raises(NotFoundError):
        store.enter(g.cookies[g.watcher])


def test_the_host_gets_a_new_link_when_it_was_lost(store: Store) -> None:
    g = group(store)
    _, entry = store.exchange(g.table.host_link().token)
    assert entry.seat == g.gm
    assert store.enter(g.cookies[g.gm]).seat == g.gm
    _, waiting = store.exchange(g.table.host_link("spectator").token, name="Vera")
    assert g.table.seat(waiting.seat)["role"] == "spectator"


def test_renamed_is_not_another_one(quick: Store) -> None:
    g = group(quick)
    g.act(g.anna, "seat.rename", seat=g.anna, name="Annika")
    g.act(g.gm, "seat.rename", seat=g.ben, name="Benno")
    assert [(one["id"], one["name"]) for one in g.state(g.watcher)["seats"]][1:3] == [
        ("anna", "Annika"),
        ("ben", "Benno"),
    ]
    with pytest.raises(ForbiddenError):
        g.act(g.anna, "seat.rename", seat=g.ben, name="Bello")


def test_a_character_is_handed_over_in_the_middle_of_a_fight(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.until(g.anna)
    assert "options" in (g.question(g.anna) or {})
    g.act(g.gm, "seat.hand", who="ann", seat=g.ben)
    assert g.question(g.anna) == {"waiting": "somebody"}
    assert "options" in (g.question(g.ben) or {})
    assert [one["id"] for one in g.state(g.ben)["characters"] if "character" in one] == ["ann", "bob"]
    assert [one["id"] for one in g.state(g.anna)["characters"] if "character" in one] == []
    with pytest.raises(ForbiddenError):
        g.act(g.anna, "answer", option="wait")
    number = g.answered("wait")
    g.undo(number)
    assert "options" in (g.question(g.ben) or {})
    g.act(g.gm, "seat.remove", seat=g.ben)
    assert g.asked() == g.gm
    assert g.table.is_as_the_log_says()
    start = next(line["number"] for line in g.table.lines(g.gm) if line["fact"].get("event") == "TurnStarted")
    g.undo(start)
    assert {one["seat"] for one in g.state()["scene"]["participants"]} == {"game master"}, "as it is now, not then"


def seats_of(table: Table, seat: str) -> dict[str, str]:
    return {one["id"]: one["seat"] for one in table.view(seat)["scene"]["participants"]}


@pytest.mark.parametrize("what", ["approve", "remove", "hand", "undo"])
def test_insane_characters_stay_with_the_game_master(quick: Store, what: str) -> None:
    """Changes of seats return no character that the rules took (stage.resource.insanity)."""
    table, gm, player = any_system(quick, "stage", bots="random")
    mine = next(who for who, seat in seats_of(table, gm).items() if seat == player)
    _, ben = quick.exchange(table.invite(gm, name="Ben").token)
    table.act(gm, {"do": "character.add", "character": "bandit", "id": "ally"})

    def rule(value: int) -> None:
        ruling = {"who": mine, "field": "sanity", "value": str(value), "reason": "what they saw"}
        table.act(gm, {"do": "start", "process": "table.rule", "with": ruling})

    sanity = table._present().session.scene[mine].status.sanity
    rule(0)
    assert seats_of(table, gm)[mine] == GAME_MASTER
    if what == "approve":
        _, cora = quick.exchange(table.invite(gm).token, name="Cora")
        table.act(gm, {"do": "seat.approve", "seat": cora.seat})
    elif what == "remove":
        table.act(gm, {"do": "seat.remove", "seat": ben.seat})
    elif what == "hand":
        table.act(gm, {"do": "seat.hand", "who": "ally", "seat": ben.seat})
    else:
        number = table.cursor(gm) + 1
        rule(0)
        command = {"do": "undo", "line": number}
        table.act(gm, command | {"confirm": table.preview(gm, command)["confirm"]})
    assert seats_of(table, gm)[mine] == GAME_MASTER
    assert table.is_as_the_log_says()
    rule(sanity)
    assert seats_of(table, gm)[mine] == player


def test_the_insane_who_are_handed_on_go_there_when_they_come_to_their_senses(quick: Store) -> None:
    """Until then the character has no player (stage.resource.insanity)."""
    table, gm, player = any_system(quick, "stage", bots="random")
    mine = next(who for who, seat in seats_of(table, gm).items() if seat == player)
    _, ben = quick.exchange(table.invite(gm, name="Ben").token)
    sanity = table._present().session.scene[mine].status.sanity
    ruling = {"who": mine, "field": "sanity", "reason": "what they saw"}
    table.act(gm, {"do": "start", "process": "table.rule", "with": ruling | {"value": "0"}})
    table.act(gm, {"do": "seat.hand", "who": mine, "seat": ben.seat})
    assert seats_of(table, gm)[mine] == GAME_MASTER
    assert table.is_as_the_log_says()
    table.act(gm, {"do": "start", "process": "table.rule", "with": ruling | {"value": str(sanity)}})
    assert seats_of(table, gm)[mine] == ben.seat


def test_a_character_that_the_game_master_took_in_a_scene_is_given_back_by_handing_it(quick: Store) -> None:
    g = group(quick)
    g.begin()
    ruling = {"who": "ann", "field": "seat", "value": '"game master"', "reason": "she sleepwalks"}
    g.act(g.gm, "start", process="table.rule", **{"with": ruling})
    g.act(g.gm, "seat.hand", who="bob", seat=g.anna)
    assert seats_of(g.table, g.gm) | {"ann": GAME_MASTER, "bob": g.anna} == seats_of(g.table, g.gm)
    g.act(g.gm, "seat.hand", who="ann", seat=g.ben)
    assert seats_of(g.table, g.gm)["ann"] == g.ben
    g.act(g.gm, "seat.remove", seat=g.anna)
    assert (seats_of(g.table, g.gm)["ann"], seats_of(g.table, g.gm)["bob"]) == (g.ben, GAME_MASTER)


FOR_THE_GAME_MASTER: list[dict[str, Any]] = [
    {"do": "join", "entrant": {"character": "rat"}},
    {"do": "go_on"},
    {"do": "encounter.keep", "title": "x", "scenario": {}},
    {"do": "encounter.drop", "id": "x"},
    {"do": "handout.keep", "title": "x"},
    {"do": "handout.show", "id": "x", "seats": "everyone"},
    {"do": "handout.hide", "id": "x"},
    {"do": "handout.drop", "id": "x"},
    {"do": "map.set"},
    {"do": "proposal.apply"},
    {"do": "proposal.dismiss"},
    {"do": "scene.begin", "form": "time"},
    {"do": "scene.end", "anyway": True},
    {"do": "character.replace", "who": "ann", "character": {}},
    {"do": "character.drop", "who": "ann"},
    {"do": "option.set", "name": "ducking", "value": "never", "reason": "mine"},
    {"do": "pack.add", "pack": {}},
    {"do": "pack.remove", "pack": "x"},
    {"do": "seat.approve", "seat": "ben"},
    {"do": "seat.remove", "seat": "ben"},
    {"do": "seat.hand", "who": "bob", "seat": "anna"},
    {"do": "setting.set", "name": "odds", "value": False},
    {"do": "undo", "line": 1, "confirm": "x"},
    {"do": "redo", "confirm": "x"},
    {"do": "change", "line": 1, "answer": {"option": "wait"}, "confirm": "x"},
    {"do": "seat.set", "seat": "ben", "dice": "ask"},
    {"do": "start", "process": "table.rule", "with": {"who": "ann", "field": "health", "value": "99", "reason": "!"}},
    {"do": "start", "process": "table.reveal", "with": {"who": "rat"}},
    {"do": "start", "process": "coinfolk.award", "with": {"who": "ann", "marks": 5}},
    {"do": "start", "process": "table.check", "with": {"who": "bob", "what": "wit"}},
    {"do": "start", "process": "table.check", "with": {"who": "ann", "what": "wit", "secret": True}},
]


@pytest.mark.parametrize("command", FOR_THE_GAME_MASTER, ids=lambda one: one["do"])
def test_a_player_does_nothing_of_the_game_masters(quick: Store, command: dict[str, Any]) -> None:
    g = group(quick)
    g.act(g.gm, "scene.begin", form="time")
    before = g.table.view(g.gm)
    for seat in (g.anna, g.watcher):
        with pytest.raises(ForbiddenError):
            g.table.act(seat, command)
    assert g.table.view(g.gm) == before


def test_every_command_says_who_may_give_it(quick: Store) -> None:
    """A spectator changes nothing at all."""
    g = group(quick)
    g.begin()
    more: list[dict[str, Any]] = [
        {"do": "answer", "option": "wait"},
        {"do": "throw", "dice": "d6"},
        {"do": "character.add", "character": "ann"},
        {"do": "note.write", "text": "hello"},
        {"do": "note.remove", "id": "anna-1"},
        {"do": "seat.rename", "seat": "walt", "name": "Walter"},
        {"do": "say", "text": "hello"},
        {"do": "portrait.set", "who": "ann"},
        {"do": "token.place", "who": "ann", "x": 1, "y": 1},
        {"do": "take_back"},
        {"do": "undo.ask", "line": 1},
    ]
    from tablewright.table.handlers.registry import _handlers

    assert {one["do"] for one in more} | {one["do"] for one in FOR_THE_GAME_MASTER} == {
        kind.model_fields["do"].annotation.__args__[0]  # type: ignore[union-attr]
        for kind in _handlers
    }
    before = g.table.view(g.gm)
    for command in [*more, *FOR_THE_GAME_MASTER]:
        with pytest.raises(ForbiddenError):
            g.table.act(g.watcher, command)
    for look in (g.table.invite, lambda seat: g.table.renew(seat, g.ben), lambda seat: g.table.revoke(seat, g.ben)):
        for seat in (g.watcher, g.anna):
            with pytest.raises(ForbiddenError):
                look(seat)
    assert g.table.view(g.gm) == before


def test_players_start_what_the_table_lets_them_start(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "scene.begin", form="time")
    drop = {"with": {"who": "ann", "item": "knife"}}
    with pytest.raises(ForbiddenError, match="started by the game master"):
        g.act(g.anna, "start", process="coinfolk.drop", **drop)
    g.act(g.gm, "setting.set", name="players_start", value=["table.check", "coinfolk.drop"])
    g.act(g.anna, "start", process="coinfolk.drop", **drop)
    with pytest.raises(InvalidInputError, match="no process"):
        g.act(g.gm, "setting.set", name="players_start", value=["coinfolk.cheat"])
    with pytest.raises(InvalidInputError, match="list"):
        g.act(g.gm, "setting.set", name="players_start", value="all")
    with pytest.raises(InvalidInputError, match="players_add"):
        g.act(g.gm, "setting.set", name="players_fly", value=True)


def test_players_bring_characters_of_their_own(quick: Store) -> None:
    g = group(quick)
    plain = g.state(g.anna)["characters"][0]["character"]
    g.act(g.anna, "character.add", character=plain | {"name": "Nell"})
    assert g.state(g.anna)["you"]["characters"] == ["ann", "nell"]
    assert [one["id"] for one in g.state(g.ben)["characters"] if "character" in one] == ["bob"]
    g.act(g.gm, "setting.set", name="players_add", value=False)
    with pytest.raises(ForbiddenError):
        g.act(g.anna, "character.add", character=plain)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_demo_party_is_within_the_rules(quick: Store, system: str) -> None:
    """Players may also add characters of the shipped content."""
    made = quick.make_campaign("A table", system, seed=7)
    _, (table, gm) = quick.exchange(made.invitation.token)
    _, (_, player) = quick.exchange(table.invite(gm, name="Anna").token)
    scenario = load_scenario(f"{system}:even")
    party = scenario.on(scenario.sides[0])
    for entrant in party:
        table.act(player, {"do": "character.add", "character": thaw(entrant.character)})
    assert len(table.view(player)["you"]["characters"]) == len(party)


def test_real_dice_are_typed_in_by_the_seat_asked(quick: Store) -> None:
    g = group(quick)
    g.dice_asked()
    assert g.question(g.ben) == {"waiting": "somebody"}
    with pytest.raises(ForbiddenError):
        g.act(g.ben, "answer", roll=True)
    with pytest.raises(InvalidInputError, match="face"):
        g.act(g.anna, "answer", faces=[7])
    with pytest.raises(ForbiddenError, match="set the outcome of dice"):
        g.act(g.anna, "answer", set="1", reason="lucky")
    count = g.state(g.anna)["characters"][0]["character"]["wit"]
    g.act(g.anna, "answer", faces=[1] * count)
    assert str([1] * count) in str(g.table.lines(g.ben)) or g.question() is not None


def fights(g: Group) -> None:
    g.begin()
    g.until(g.anna)


def test_an_answer_is_for_the_question_that_was_seen(quick: Store) -> None:
    from tablewright.table import ConflictError

    g = group(quick)
    fights(g)
    question = g.question(g.anna)
    assert question is not None
    with pytest.raises(ConflictError, match="not open any more"):
        g.act(g.anna, "answer", option="wait", question="0" * 18)
    g.act(g.anna, "answer", option="wait", question=question["id"])


def test_a_restart_in_the_middle_of_a_turn_asks_the_same(where: str) -> None:
    from tablewright.table import open_store

    with open_store(where, serve=True) as store:
        g = group(store)
        fights(g)
        strike = next(one["id"] for one in (g.question() or {})["options"] if one["id"].startswith("strike"))
        g.answer(strike)
        asked = [g.question(seat) for seat in (g.gm, g.anna, g.ben, g.watcher)]
        assert asked[0] is not None
        name = g.table.id
    with open_store(where, serve=True) as store:
        g.table, g.store = store.table(name), store
        assert [g.question(seat) for seat in (g.gm, g.anna, g.ben, g.watcher)] == asked
        g.answer()
        assert g.table.is_as_the_log_says()
