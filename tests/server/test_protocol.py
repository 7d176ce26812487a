"""docs/protocol.md is true: its examples run against a real server, and a bot written from it plays a whole fight."""

from __future__ import annotations

import ast
import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from patience import LIMIT
from server.serving import Served
from table.playing import Group, group
from tablewright.server.settings import Limits
from tablewright.table import Store

ROOT = Path(__file__).parents[2]
PAGE, BOT = ROOT / "docs" / "protocol.md", ROOT / "examples" / "bot.py"


def invited(store: Store, name: str) -> tuple[Group, str]:
    """A group in a fight, and a link for a player of Ann and Bob in it; the vermin play by themselves."""
    g = group(store)
    link = g.table.invite(g.gm, name=name)
    assert link.seat is not None
    for who in ("ann", "bob"):
        g.act(g.gm, "seat.hand", who=who, seat=link.seat)
    g.begin(bots={"vermin": "careful"})
    return g, link.token


def test_the_examples_of_the_page_run(served: Served) -> None:
    g, token = invited(served.store, "Robbie")
    question = g.question()
    assert question is not None
    while question["question"] != "what now?":  # the page begins where Ann may do something
        g.answer()
        question = g.question()
        assert question is not None
    given = {"ADDRESS": served.url, "LINK": f"{served.url}/#{token}"}
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, globs=given)
    assert tried > 20
    assert failed == 0


def test_the_limits_on_the_page_are_those_of_the_server() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## Limits")[2].replace("\n", " ")
    limits = Limits()
    for words in (
        f"| body | {limits.body_bytes // 1_000} kB; an act {limits.act_bytes // 1_000} kB;",
        f"simulations {limits.content_bytes // 1_000_000} MB",
        f"| {limits.body_values:,}, {limits.body_depth}, {limits.body_seconds:g} seconds",
        f"or {limits.least_bytes_a_second / 1_000:g} kB a second",
        f"{limits.requests_a_second:g} requests a second ({limits.burst} at once)",
        f"{limits.bytes_a_second / 1_000_000:g} MB a second ({limits.burst_bytes // 1_000_000} MB at once)",
        f"counts as {limits.value_bytes} more bytes",
        f"{limits.messages_a_second:g} messages a second over the WebSocket ({limits.messages_at_once} at once)",
        f"{limits.frame_bytes // 1_000} kB each; {limits.sockets_of_seat} connections",
        f"{limits.waiting_of_table} per table, {limits.waiting} in all, each for {limits.waiting_seconds:g} seconds",
        f"; refused at once if it would wait for more than {limits.expected_seconds:g} |",
        f"| {limits.odds_seconds:g} seconds, {limits.answer_bytes // 1_000_000} MB; ",
        f"{limits.odds_at_once} waiting per caller",
        f"{limits.odds_of_address} per address, {limits.odds_of_strangers} without a seat",
        f"| simulations | {limits.jobs_at_once} per client",
    ):
        assert words in text


def test_the_bot_knows_nothing_of_the_program() -> None:
    imported = list(ast.walk(ast.parse(BOT.read_text(encoding="utf-8"))))
    names = [node.module or "" for node in imported if isinstance(node, ast.ImportFrom)]
    names += [one.name for node in imported if isinstance(node, ast.Import) for one in node.names]
    assert {name.partition(".")[0] for name in names} <= {*sys.stdlib_module_names, "websockets"}


@pytest.mark.parametrize("asks", [False, True], ids=["dice are thrown", "it is asked for dice"])
def test_the_bot_plays_a_fight_to_its_end(served: Served, tmp_path: Path, asks: bool) -> None:
    g, token = invited(served.store, "Robbie")
    if asks:
        g.act(g.gm, "seat.set", seat="robbie", dice="ask")
    done = subprocess.run(
        [sys.executable, str(BOT), f"{served.url}/#{token}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )
    assert done.returncode == 0, done.stderr
    seen = g.table.view("robbie")
    assert seen["scene"]["ended"] is not None
    assert done.stdout.splitlines() == [
        *[line["text"] for line in seen["lines"] if "text" in line],
        *re.findall(r".+; \d+ answers given\Z", done.stdout.rstrip("\n"), re.MULTILINE),
    ]
    last = re.search(r"^(.+); (\d+) answers given$", done.stdout, re.MULTILINE)
    assert last is not None
    assert last[1] == seen["scene"]["ended"]
    assert g.table._sitting is not None
    own = [one for one in g.table._sitting.record if one.by == "robbie" and not one.event.unasked]
    assert len(own) == int(last[2]) > 2
    assert g.table.is_as_the_log_says()
