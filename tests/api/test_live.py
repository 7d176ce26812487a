"""Seats at a live table: bots play a fight while the server dies again and again, and nothing is lost or doubled."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import tablewright as tw
from conformance.places import at_length
from patience import LIMIT
from server.serving import Served, serving
from server.test_kill_servers import DyingServer
from table.playing import Group, group
from tablewright.agents import LinearPolicy
from tablewright.api.fight import turn_of
from tablewright.api.live import advised
from tablewright.table import open_store
from tablewright.table.advice import session_for

ROOT = Path(__file__).parents[2]
EXAMPLE, PAGE = ROOT / "examples" / "live_bot.py", ROOT / "docs" / "programs.md"
KILLS = 20 if at_length() else 8


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("live")) as running:
        yield running


def invited(g: Group) -> list[str]:
    """Tokens of two players, who play Ann and Bob; the vermin play by themselves."""
    tokens = []
    for name, who in (("One", "ann"), ("Two", "bob")):
        invitation = g.table.invite(g.gm, name=name)
        g.act(g.gm, "seat.hand", who=who, seat=invitation.seat)
        tokens.append(invitation.token)
    g.begin(bots={"vermin": "careful"})
    return tokens


def brawler(turn: tw.Turn) -> tw.Option:
    """Strike a foe, else take the usual answer."""
    return next((option for option in turn.options if option.id.startswith("strike:")), turn.default)


def check_what_was_seen(g: Group, name: str, seat: object, answers: int) -> None:
    """The seat saw every line once, and every answer that was acknowledged happened once."""
    assert isinstance(seat, tuple)
    assert [line["number"] for line in seat] == [line["number"] for line in g.table.lines(name, 0)]
    assert [line["fact"] for line in seat] == [line["fact"] for line in g.table.lines(name, 0)]
    g.table.view(g.gm)
    assert g.table._sitting is not None
    own = [one for one in g.table._sitting.record if one.by == name and not one.event.unasked]
    assert len(own) == answers > 0
    assert g.table.is_as_the_log_says()


def test_two_bots_play_a_fight_while_the_server_dies(tmp_path: Path) -> None:
    where = str(tmp_path / "tables.db")
    with open_store(where) as store:
        g = group(store)
        first, second = invited(g)
        campaign = g.table.id
    server = DyingServer(where)
    server.start()
    address = f"http://127.0.0.1:{server.port}"
    killing = threading.Lock()
    kills = 0

    def kill() -> None:
        nonlocal kills
        with killing:
            if kills < KILLS:
                kills += 1
                server.kill()
                server.start()

    def striker(turn: tw.Turn) -> tw.Option:
        """Have the server die while the answer is under way."""
        threads.append(threading.Thread(target=kill))
        threads[-1].start()
        return brawler(turn)

    async def waiter(turn: tw.Turn) -> tw.Option:
        """Have the server die before the answer is sent."""
        await asyncio.to_thread(kill)
        return brawler(turn)

    threads: list[threading.Thread] = []
    seen = {}

    def play() -> str:
        with tw.connect(f"{address}/#{first}", patience=LIMIT) as seat:
            ended = seat.play(striker)
            seen[seat.seat] = seat.lines, seat.answers
            return ended

    async def play_async() -> str:
        async with tw.connect_async(f"{address}/#{second}", patience=LIMIT) as seat:
            ended = await seat.play(waiter)
            seen[seat.seat] = seat.lines, seat.answers
            return ended

    async def both() -> list[str]:
        return list(await asyncio.gather(asyncio.to_thread(play), play_async()))

    try:
        ends = asyncio.run(both())
    finally:
        for thread in threads:
            thread.join()
        server.stop()
    assert kills == KILLS
    with open_store(where) as store:
        g.store, g.table = store, store.table(campaign)
        assert set(ends) == {g.table.view(g.gm)["scene"]["ended"]}
        for name, (lines, answers) in seen.items():
            check_what_was_seen(g, name, lines, answers)


@pytest.mark.parametrize("odds", [True, False])
def test_a_learned_policy_answers_as_in_a_fight_of_this_program(served: Served, odds: bool) -> None:
    g = group(served.store)
    first, second = invited(g)
    learned = LinearPolicy({"harm": 1.0, "chance": 0.5, "cost": -0.3, "group": 0.1}, odds=odds)
    compared = 0

    def same(turn: tw.Turn) -> tw.Option:
        nonlocal compared
        here = turn_of(session_for(g.table.question_wanted(turn.seat)))
        assert turn.features(odds=odds).ids == list(here.features(odds=odds).ids)
        chosen = learned(turn)
        assert chosen.id == learned(here).id
        compared += 1
        return chosen

    def play() -> None:
        with tw.connect(f"{served.url}/#{second}") as seat:
            seat.play(learned)

    other = threading.Thread(target=play)
    other.start()
    with tw.connect(f"{served.url}/#{first}") as seat:
        assert seat.play(same) == g.table.view(g.gm)["scene"]["ended"]
    other.join()
    assert compared > 2


def test_a_seat_gives_its_turns_one_by_one(served: Served) -> None:
    g = group(served.store)
    first, second = invited(g)

    def play() -> None:
        with tw.connect(f"{served.url}/#{second}") as seat:
            seat.play(brawler)

    other = threading.Thread(target=play)
    other.start()
    with tw.connect(f"{served.url}/#{first}", keep=None) as seat:
        assert (seat.seat, seat.system) == ("one", "coinfolk")
        turns = 0
        for turn in seat:
            turns += 1
            assert turn.seat == "one"
            assert turn.round >= 1
            assert "ann" in [one["id"] for one in turn.people]
            assert turn.default in turn.options
            assert turn.heading
            with pytest.raises(tw.TablewrightError, match="gives no odds"):
                turn.odds(turn.default)
            with pytest.raises(tw.BadInput, match="unknown option"):
                seat.choose("nonsense")
            seat.choose(brawler(turn))
        assert turns == seat.answers
        with pytest.raises(tw.BadInput, match="is not asked"):
            seat.choose("wait")
        assert seat.view["scene"]["ended"] is not None
        seat.act(do="note.write", text="Well fought", to="everyone")
    other.join(LIMIT)
    assert g.table.view(g.gm)["notes"][-1]["text"] == "Well fought"


def test_a_seat_goes_by_the_advice_of_the_server_and_comes_back_by_its_cookie(served: Served, tmp_path: Path) -> None:
    g = group(served.store)
    invitation = g.table.invite(g.gm, name="Both")
    for who in ("ann", "bob"):
        g.act(g.gm, "seat.hand", who=who, seat=invitation.seat)
    g.act(g.gm, "seat.set", seat=invitation.seat, dice="ask")
    g.begin(bots={"vermin": "careful"})
    link, kept = f"{served.url}/#{invitation.token}", tmp_path / "seat.cookie"
    with tw.connect(link, keep=kept) as seat:
        turn = seat.next_turn()
        assert turn is not None
        assert advised(turn) in turn.options
        seat.choose(turn.default)
    with tw.connect(link, keep=kept) as seat:
        ended = seat.play()
    assert ended == g.table.view(g.gm)["scene"]["ended"]
    with tw.connect(link, keep=kept) as seat:
        assert seat.next_turn() is None, "the end is told once more to a program that comes back"


def test_the_example_plays_a_seat_and_stands_on_the_page(served: Served) -> None:
    code = EXAMPLE.read_text(encoding="utf-8")
    assert f"```py\n{code.partition(chr(34) * 3 + chr(10) * 2)[2]}```" in PAGE.read_text(encoding="utf-8")
    g = group(served.store)
    invitation = g.table.invite(g.gm, name="Both")
    for who in ("ann", "bob"):
        g.act(g.gm, "seat.hand", who=who, seat=invitation.seat)
    g.begin(bots={"vermin": "careful"})
    command = [sys.executable, str(EXAMPLE), f"{served.url}/#{invitation.token}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.stderr == ""
    ended, _, answers = done.stdout.rstrip().partition(" after ")
    assert ended == g.table.view(g.gm)["scene"]["ended"]
    assert int(answers.split()[0]) > 2


def test_a_wrong_link_is_refused(served: Served) -> None:
    for link in ("", "here", served.url, "ftp://x/#y"):
        with pytest.raises(tw.BadInput, match="is not a link to a table"):
            tw.connect(link)
    with pytest.raises(tw.BadInput), tw.connect(f"{served.url}/#nonsense"):
        pass
    g = group(served.store)
    first, _ = invited(g)
    with tw.connect(f"{served.url}/#{first}"):
        pass
    with pytest.raises(tw.BadInput), tw.connect(f"{served.url}/#{first}"):
        pass


def test_a_table_that_does_not_answer_is_given_up(served: Served) -> None:
    with (
        pytest.raises(tw.TablewrightError, match="does not answer for 0 seconds"),
        tw.connect("http://127.0.0.1:9/#token", patience=0),
    ):
        pass


def test_a_seat_that_is_gone_is_told(served: Served) -> None:
    g = group(served.store)
    first, _ = invited(g)
    with tw.connect(f"{served.url}/#{first}") as seat:
        g.act(g.gm, "seat.remove", seat=seat.seat)
        with pytest.raises(tw.TablewrightError):
            seat.play(brawler)
