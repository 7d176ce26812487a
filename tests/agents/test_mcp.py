"""The MCP server: a client plays by tool calls alone, every refusal can be acted on, and no secret reaches a seat."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from conformance.places import at_length
from forked import Forked
from patience import LIMIT, wait_until
from server.serving import Served, free_port, serving
from server.test_planted import HERO, WORDS, Hunt, found_in, whole_of
from table.playing import group
from table.test_secrets import SYSTEMS
from tablewright.agents.mcp.pages import groups_of, options_json, options_text
from tablewright.agents.mcp.server import TOOLS, make_server
from tablewright.api.option import Option
from tablewright.cli.program import run
from tablewright.game.rules.entry_points import system_ids

MOST_TOKENS = 2_000
MOST_CALLS = 600
ROUNDS = 8 if at_length() else 2
HUNTED = [one for one in SYSTEMS if one != "coinfolk"] if at_length() else ["mars", "stage"]
"""Games in which words are planted; those of the server are looked for in every game."""
TESTS = Path(__file__).parents[1]

Call = Callable[..., Awaitable[Any]]


def tokens(text: str) -> int:
    """Upper bound for the tokens of a text: pieces of at most four letters, single digits, single other characters."""
    return len(re.findall(r"[A-Za-z]{1,4}|\d|[^\sA-Za-z\d]", text))


def calling(client: Client, seen: list[str] | None = None) -> Call:
    """Function that calls a tool and gives its structured content; refusals are errors."""

    async def call(tool: str, /, **arguments: Any) -> Any:
        found = await client.call_tool(tool, arguments)
        text = found.content[0].text  # type: ignore[union-attr]
        if seen is not None:
            seen.append(f"{text}\n{json.dumps(found.structured_content)}")
        assert not found.is_error, text
        assert text
        assert tokens(text) <= MOST_TOKENS
        assert tokens(json.dumps(found.structured_content)) <= MOST_TOKENS, tool
        return found.structured_content

    return call


def first_option(told: dict[str, Any]) -> str:
    """The first option of an answer, whether listed or grouped."""
    rows = told["options"] if "options" in told else told["groups"][0]["examples"]
    return str(rows[0]["id"])


async def play(call: Call, told: dict[str, Any]) -> dict[str, Any]:
    """Play a game to its end by its first options; a closed step is never offered."""
    for _ in range(MOST_CALLS):
        if told["state"] == "over":
            return told
        if told["state"] == "waiting":
            told = await call("wait", game=told["game"], seconds=5)
        else:
            told = await call("choose", game=told["game"], option=first_option(told))
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("system", system_ids())
def test_a_client_plays_a_fight_of_each_system_to_its_end(system: str) -> None:
    async def fight() -> dict[str, Any]:
        async with Client(make_server()) as client:
            call = calling(client)
            began = await call("start_fight", scenario=f"{system}:together", bots="aggressive", seed=1, rounds=ROUNDS)
            assert began["state"] == "your turn"
            ended = await play(call, began)
            again = await call("look", game=began["game"])
            assert again["ended"] == ended["ended"]
            whole = await call("story", game=began["game"])
            assert whole["total"] >= 5
            for tool, told in (("choose", "this fight is over"), ("option_odds", "the game is over")):
                refused = await client.call_tool(tool, {"game": began["game"], "option": "wait"})
                assert refused.is_error
                assert told in refused.content[0].text  # type: ignore[union-attr]
            return ended

    assert asyncio.run(fight())["ended"]


def test_every_tool_answers_with_text_and_data() -> None:
    async def ask() -> None:
        async with Client(make_server()) as client:
            listed = await client.list_tools()
            assert tuple([tool.name for tool in listed.tools]) == TOOLS
            assert all(tool.description for tool in listed.tools)
            call = calling(client)
            games = await call("list_games")
            assert [one["id"] for one in games["systems"]] == list(system_ids())
            found = await call("search_rules", words="falling damage")
            assert "mars.gap.fight.falling" in [one["id"] for one in found["rules"]]
            assert (await call("search_rules", words="attack", page=2))["page"] == 2
            assert (await call("read_rule", id="mars.check.outcomes"))["title"]
            resource = await client.read_resource("rule://mars.check.outcomes")
            assert "margin" in resource.contents[0].text  # type: ignore[union-attr]
            for system in system_ids():
                page = await call("mechanics", system=system)
                for one in page["mechanics"][:2]:
                    assert await call("mechanics", system=system, name=one["name"])
                assert (await call("list_characters", system=system))["total"] > 0
            check = await call("odds", what="mars.check", arguments={"roll_value": "r16", "difficulty": 14})
            assert {one["outcome"]: one["chance"] for one in check["outcomes"]} == {
                "failure": "7/20",
                "graze": "11/20",
                "success": "1/10",
            }
            assert (await call("odds", what="4d6kh3"))["mean"] == pytest.approx(12.2446)
            assert (await call("advise", mechanic="stage.leveled", arguments={"dice": 6, "difficulty": 10}))[
                "best"
            ] == "3"
            made = await call("make_character", system="mars", name="Wren", seed=7)
            sheet = await call("read_character", character=made["id"])
            assert sheet["name"] == "Wren"
            assert sheet["problems"] == []
            assert (
                await call("check_odds", character=made["id"], check="athletics", situation={"difficulty": "hard"})
            )["total"]
            began = await call("start_fight", party=[made["id"]], foes=["mars:goblin*2"], seed=3)
            assert any(one["name"] == "Wren" for one in began["people"])
            listed_options = await call("options", game=began["game"])
            assert listed_options["total"] >= 1
            assert (await call("advice", game=began["game"]))["best"]
            await call("leave", game=began["game"])

    asyncio.run(ask())


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("odds", {"what": "mars.chekc"}, 'did you mean "mars.check"'),
    ("odds", {"what": "4d6kx"}, "4d6kx"),
    ("odds", {"what": "mars.check", "arguments": {"difficulty": 14}}, "roll_value"),
    ("search_rules", {"words": ""}, "1 to 200 characters"),
    ("search_rules", {"words": "attack", "page": 999}, "allowed are 1 to"),
    ("read_rule", {"id": "mars.check.outcoms"}, 'did you mean "mars.check.outcomes"'),
    ("mechanics", {"system": "marz"}, 'did you mean "mars"'),
    ("read_character", {"character": "/etc/passwd"}, "is neither SYSTEM:ID"),
    ("read_character", {"character": "mars:fightr"}, "fighter"),
    ("make_character", {"system": "mars", "answers": {"packs": "/etc"}}, '"packs" is not a step of creation'),
    ("start_fight", {"scenario": "mars:evn"}, 'did you mean "even"'),
    ("start_fight", {"scenario": "../secret.yaml"}, "is neither SYSTEM:ID"),
    ("start_fight", {"scenario": "mars:even", "bots": "os:system"}, "is not a policy; allowed are random"),
    ("start_fight", {"scenario": "mars:even", "side": "partie"}, 'did you mean "party"'),
    ("start_fight", {}, "give either a scenario, or both party and foes"),
    ("start_fight", {"party": ["mars:fighter"], "foes": ["stage:guard"]}, ""),
    ("choose", {"game": "fight-1", "option": "wait"}, "start_fight or join_table"),
    ("join_table", {"link": "nowhere"}, "is not a link to a table"),
    ("wait", {"game": "x", "seconds": 1e9}, "less than or equal to 60"),
    ("odds", {"dice": "2d6"}, "odds needs what (it takes what, arguments, objective)"),
    ("od", {}, 'there is no tool "od"; did you mean "odds"?'),
]


@pytest.mark.parametrize("system", system_ids())
def test_every_list_and_every_mechanic_fits_into_an_answer(system: str) -> None:
    async def ask() -> None:
        async with Client(make_server()) as client:
            call = calling(client)
            pages = 1
            for page in range(1, MOST_CALLS):
                listed = await call("mechanics", system=system, page=page)
                for one in listed["mechanics"]:
                    shown = await call("mechanics", system=system, name=one["name"])
                    assert all(shown["parameters"].values())
                pages = listed["pages"]
                if page >= pages:
                    break
            await call("list_characters", system=system)
            await call("make_character", system=system, seed=1)

    asyncio.run(ask())


def test_odds_of_many_dice_fit_into_an_answer() -> None:
    async def ask() -> None:
        async with Client(make_server()) as client:
            shown = await calling(client)("odds", what="1000d6")
            assert shown["total"] == 5001
            assert "chance" not in shown["outcomes"][0]

    asyncio.run(ask())


def test_every_refusal_says_what_to_do() -> None:
    async def ask() -> None:
        async with Client(make_server()) as client:
            for name, arguments, told in REFUSED:
                found = await client.call_tool(name, arguments)
                text = found.content[0].text  # type: ignore[union-attr]
                assert found.is_error, name
                assert told in text
                assert len(text) > 10, "the reason is there"
                assert "Error executing" not in text
                assert "pydantic" not in text
                assert "Traceback" not in text
            began = (
                await client.call_tool("start_fight", {"scenario": "coinfolk:together", "seed": 1})
            ).structured_content
            assert began is not None
            wrong = await client.call_tool("choose", {"game": began["game"], "option": "nonsense"})
            assert wrong.is_error
            assert "choose one of" in wrong.content[0].text  # type: ignore[union-attr]
            same = (await client.call_tool("look", {"game": began["game"]})).structured_content
            assert same is not None
            assert same["question"] == began["question"]

    asyncio.run(ask())


def test_a_turn_with_many_options_fits_into_two_thousand_tokens() -> None:
    options = [
        Option(
            f"action-{number % 40}:commonwealth-soldier-{number}:thrown_dagger@off",
            f"Attack Soldier {number}: Dagger",
            "1 AP",
        )
        for number in range(400)
    ]
    told = options_json(options)
    assert sum([len(group.options) for group in groups_of(options)]) == 400
    assert len(told["groups"]) + len(told["more_groups"]) == 40
    assert tokens(options_text(told, "fight-12345678")) <= 0.75 * MOST_TOKENS
    few = options_json(options[:3])
    assert [one["id"] for one in few["options"]] == [one.id for one in options[:3]]


# ---------------------------------------------------------------------- over both transports


def environment() -> dict[str, str]:
    return {"PYTHONPATH": f"{TESTS / 'sixth'}:{TESTS.parent / 'src'}"}


async def ask_a_little(server: Any) -> None:
    async with Client(server, read_timeout_seconds=LIMIT) as client:
        found = await client.call_tool("odds", {"what": "2d6"})
        assert found.structured_content is not None
        assert found.structured_content["mean"] == 7
        refused = await client.call_tool("odds", {"what": "coinfolk.nothing"})
        assert refused.is_error


def test_it_serves_standard_input() -> None:
    words = ["-m", "tablewright.cli", "mcp"]
    asyncio.run(ask_a_little(StdioServerParameters(command=sys.executable, args=words, env=environment())))


def answers(port: int) -> bool:
    """Tell whether a port of this machine is open."""
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


def test_it_serves_http() -> None:
    port = free_port()
    hearing, said = os.pipe()
    with open(hearing, encoding="utf-8") as lines, open(os.devnull) as nothing:  # noqa: PTH123
        server = Forked(
            ["mcp", "--http", "--port", str(port)], streams=(nothing.fileno(), said, said), env=environment()
        )
        os.close(said)
        try:
            assert f"http://127.0.0.1:{port}/mcp" in lines.readline()
            wait_until(lambda: answers(port) or server.poll() is not None, "the server listens")
            asyncio.run(ask_a_little(f"http://127.0.0.1:{port}/mcp"))
        finally:
            server.kill()
            server.wait()


def test_the_command_refuses_a_port_without_http(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mcp", "--port", "8000"]) != 0
    assert "--host and --port go with --http" in capsys.readouterr().err


# ---------------------------------------------------------------------- at a live table


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("mcp")) as running:
        yield running


def test_a_client_plays_a_seat_of_a_live_table(served: Served) -> None:
    g = group(served.store)
    invitation = g.table.invite(g.gm, name="Both")
    for who in ("ann", "bob"):
        g.act(g.gm, "seat.hand", who=who, seat=invitation.seat)
    g.begin(bots={"vermin": "careful"})

    async def fight() -> dict[str, Any]:
        async with Client(make_server()) as client:
            call = calling(client)
            joined = await call("join_table", link=f"{served.url}/#{invitation.token}")
            assert joined["game"].startswith("seat-")
            while "duck" in str(joined["question"]).lower():  # a foe has the first turn, and advice is on turns
                joined = await call("choose", game=joined["game"], option=first_option(joined))
            assert (await call("advice", game=joined["game"]))["values"]
            odds = await client.call_tool("option_odds", {"game": joined["game"], "option": first_option(joined)})
            assert odds.is_error
            assert "ask for advice" in odds.content[0].text  # type: ignore[union-attr]
            used = await client.call_tool("join_table", {"link": f"{served.url}/#{invitation.token}"})
            assert used.is_error
            ended = await play(call, joined)
            await call("leave", game=joined["game"])
            return ended

    assert asyncio.run(fight())["ended"] == g.table.view(g.gm)["scene"]["ended"]


def test_a_seat_that_waits_at_the_door_is_told_so(served: Served) -> None:
    g = group(served.store)
    open_invitation = g.table.invite(g.gm)

    async def knock() -> None:
        async with Client(make_server()) as client:
            call = calling(client)
            joined = await call("join_table", link=f"{served.url}/#{open_invitation.token}", name="Zoe")
            assert joined["state"] == "waiting"
            assert "people" not in joined
            refused = await client.call_tool("choose", {"game": joined["game"], "option": "wait"})
            assert refused.is_error

    asyncio.run(knock())


@pytest.mark.parametrize("system", HUNTED)
def test_no_planted_word_reaches_a_seat_through_the_tools(served: Served, system: str) -> None:
    hunt = Hunt(served, system)
    link = f"{served.url}/#{hunt.table.renew(hunt.gm, hunt.player).token}"
    seen: list[str] = []

    async def look() -> None:
        async with Client(make_server()) as client:
            call = calling(client, seen)
            game = (await call("join_table", link=link))["game"]
            await asyncio.to_thread(hunt.plant)
            await asyncio.to_thread(hunt.check_secretly)
            await call("wait", game=game, seconds=0)
            await asyncio.to_thread(hunt.fight)
            told = await call("wait", game=game, seconds=1)
            assert told["people"], "the fight is seen"
            pages = (await call("story", game=game))["pages"]
            for page in range(2, pages + 1):
                await call("story", game=game, page=page)
            for name in ("look", "options", "advice"):
                found = await client.call_tool(name, {"game": game})
                seen.append(found.content[0].text)  # type: ignore[union-attr]
            if told["state"] == "your turn":
                for group_ in [one["group"] for one in told.get("groups", ())]:
                    await call("options", game=game, group=group_)
                await call("choose", game=game, option=first_option(told))
            for word in [*WORDS.values(), "qq"]:
                for name, key in (("choose", "option"), ("option_odds", "option"), ("options", "group")):
                    found = await client.call_tool(name, {"game": game, key: word})
                    text = found.content[0].text  # type: ignore[union-attr]
                    seen.append(text.replace(word, ""))  # their own word is repeated to them

    asyncio.run(look())
    people = hunt.table.view(hunt.gm, 10**9)["scene"]["participants"]
    shown = [one["id"] for one in people if not one.get("hidden") and WORDS["a place"] in str(one["position"])]
    found = [one for one in found_in("\n".join(seen)) if not (shown and one.startswith("a place:"))]  # a bot went there
    assert found == []
    assert HERO in "\n".join(seen)
    whole = whole_of(hunt.table, hunt.gm)
    assert [kind for kind, word in WORDS.items() if word not in whole] == [], "the game master has all of it"
