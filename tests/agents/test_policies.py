"""Policies by name, as module:function and by entry point: in fights, simulations, leagues and at a table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import tablewright as tw
from agents.bots import brawler
from server.serving import serving
from table.playing import group
from tablewright.agents import LinearPolicy
from tablewright.cli.program import run
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scenario.schema import policy_names
from tablewright.game.session import policies
from tablewright.lab.fights.executors import SerialExecutor
from tablewright.lab.fights.league import League, Pairing, play_league
from tablewright.server.routes.reference import _system_text
from tablewright.table import open_store

POINTS = (
    "[tablewright.policies]\nbrawler = agents.bots:brawler\nbroken = agents.bots:broken\ncareful = agents.bots:broken\n"
)


@pytest.fixture
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package that registers two policies, and tries to replace a built-in one.

    A server remembers what it tells of a system, and so would those of other tests in this process.
    """
    info = tmp_path / "brawlers-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brawlers\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(policies, "POLICIES", dict(policies.POLICIES))
    _system_text.cache_clear()
    yield
    _system_text.cache_clear()


def test_a_function_of_a_module_plays_in_fights_and_in_worker_processes() -> None:
    alone = tw.Fight("coinfolk:together", seed=3, bots="agents.bots:brawler")
    named = tw.Fight("coinfolk:together", seed=3, bots=brawler)
    assert alone.over
    assert alone.narrate() == named.narrate()
    one = tw.simulate("coinfolk:together", runs=20, workers=1, bots="agents.bots:brawler")
    two = tw.simulate("coinfolk:together", runs=20, workers=2, bots="agents.bots:brawler")
    assert one == two
    assert one != tw.simulate("coinfolk:together", runs=20, workers=1, bots="random")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("agents.bots:brawlr", 'has no function "brawlr"; did you mean "brawler"'),
        ("agents.botz:brawler", 'no module "agents.botz"'),
        (":brawler", "write module:function"),
        ("carefull", 'did you mean "careful"'),
    ],
)
def test_a_policy_that_is_not_there_is_refused(name: str, told: str) -> None:
    with pytest.raises(tw.BadInput, match=told):
        tw.Fight("coinfolk:together", bots=name)


def test_a_saved_fight_imports_no_module_that_it_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "fight.json"
    words = ["fight", "coinfolk:together", "--seed", "3", "--save", str(kept)]
    assert run([*words, "--policy", "agents.bots:brawler"]) == 0
    saved = kept.read_text(encoding="utf-8")
    assert '"agents.bots:brawler"' in saved
    kept.write_text(saved.replace("agents.bots:brawler", "agents.bots:passive"), encoding="utf-8")
    capsys.readouterr()
    assert run(["fight", "--resume", str(kept)]) != 0
    assert 'there is no policy "agents.bots:passive"' in capsys.readouterr().err
    kept.write_text(saved, encoding="utf-8")
    assert run(["fight", "--resume", str(kept), "--policy", "agents.bots:brawler"]) == 0


@pytest.mark.usefixtures("registered")
def test_a_registered_policy_is_offered_and_replaces_no_built_in_one() -> None:
    assert policy_names() == ("random", "aggressive", "careful", "best", "brawler", "broken")
    assert policies.find_policy("careful") is policies.careful
    assert set(policies.usable_policies()) == set(policy_names())
    fight = tw.Fight("coinfolk:together", seed=3, bots="brawler")
    assert fight.narrate() == tw.Fight("coinfolk:together", seed=3, bots="agents.bots:brawler").narrate()
    with pytest.raises(RuntimeError, match="out of order"):
        tw.Fight("coinfolk:together", seed=3, bots="broken")


@pytest.mark.usefixtures("registered")
def test_a_table_takes_registered_policies_only_and_survives_a_broken_one(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "tables.db")) as store:
        g = group(store)
        with pytest.raises(
            tw.BadInput, match="is not a policy; allowed are random, aggressive, careful, best, brawler"
        ):
            g.begin(bots={"vermin": "agents.bots:brawler"})
        g.begin(bots={"vermin": "broken"})
        for _ in range(8):
            if g.question() is None:
                break
            g.answer()
        assert g.table._sitting is not None
        assert [one for one in g.table._sitting.record if one.event.unasked], "the bots have answered"


@pytest.mark.usefixtures("registered")
def test_the_server_lists_registered_policies_with_their_descriptions(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        told = served.client().get("/v1/systems/coinfolk").json()
        assert told["policies"]["brawler"] == "Strike or attack where that is possible."
        asked = {"scenario": "coinfolk:together", "runs": 2, "policies": {"vermin": "agents.bots:brawler"}}
        refused = served.client().post("/v1/jobs", json=asked, headers={"Idempotency-Key": "a-key-of-this-test"})
        assert refused.status_code == 422
        assert "is not a policy" in refused.json()["detail"]


# ---------------------------------------------------------------------- leagues


def test_a_league_exchanges_sides_and_counts_each_fight_once() -> None:
    scenario = load_scenario("coinfolk:together")
    names = ("random", "careful", "agents.bots:passive")
    league = play_league(scenario, names, SerialExecutor(), runs=20, seed=4)
    assert [(one.first, one.second, one.fights) for one in league.pairings] == [
        ("random", "careful", 20),
        ("random", "agents.bots:passive", 20),
        ("careful", "agents.bots:passive", 20),
    ]
    first = tw.simulate(
        "coinfolk:together", runs=10, seed=4, workers=1, bots={"folk": "random", "vermin": "careful"}
    ).result.counts.won
    second = tw.simulate(
        "coinfolk:together", runs=10, seed=4, workers=1, bots={"folk": "careful", "vermin": "random"}
    ).result.counts.won
    pairing = league.between("random", "careful")
    assert pairing.won == first.get("folk", 0) + second.get("vermin", 0)
    assert pairing.lost == first.get("vermin", 0) + second.get("folk", 0)
    assert league.between("careful", "random") == pairing.reversed()
    assert {one.policy for one in league.standings} == set(names)
    assert sum([one.won for one in league.standings]) == sum([one.won + one.lost for one in league.pairings])


def test_standings_are_ordered_by_wins() -> None:
    pairings = (Pairing("a", "b", 10, 2, 7), Pairing("a", "c", 10, 1, 9), Pairing("b", "c", 10, 5, 5))
    league = League("demo", 1, ("a", "b", "c"), pairings)
    assert [(one.policy, one.won, one.drawn, one.fights) for one in league.standings] == [
        ("c", 14, 0, 20),
        ("b", 12, 1, 20),
        ("a", 3, 1, 20),
    ]
    assert league.pairings[0].chance.low < 0.2 < league.pairings[0].chance.high


@pytest.mark.parametrize(
    ("names", "runs", "told"),
    [
        (("random",), 20, "1 policies are not a league"),
        (("random", "random"), 20, "named twice"),
        (("random", "careful"), 21, "even number"),
        (("random", "carefull"), 20, 'did you mean "careful"'),
    ],
)
def test_a_league_that_cannot_be_played_is_refused(names: tuple[str, ...], runs: int, told: str) -> None:
    with pytest.raises(tw.BadInput, match=told):
        play_league(load_scenario("coinfolk:together"), names, SerialExecutor(), runs=runs)


def test_the_command_shows_standings_and_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["league", "coinfolk:together", "--policy", "random", "--policy", "careful", "--runs", "10"]
    assert run([*words, "--workers", "1"]) == 0
    told = capsys.readouterr().out
    assert "against" in told
    assert told.count("%") == 12
    assert run([*words, "--workers", "1", "--runs", "11"]) != 0
    assert "even number" in capsys.readouterr().err


# ---------------------------------------------------------------------- linear policies


def test_a_linear_policy_goes_by_its_weights_and_keeps_them(tmp_path: Path) -> None:
    eager, idle = LinearPolicy({"at foe": 1.0, "group": -0.1}, odds=False), LinearPolicy({"pass": 1.0}, odds=False)
    first = tw.Fight("coinfolk:together", seed=3)
    while not any(option.id.startswith("strike:") for option in first.options):
        first.choose(first.options[0])
    turn = first.seen_by(first.asked or "")
    assert eager(turn).id.startswith("strike:")
    assert idle(turn).id == tw.system("coinfolk").rulebook.pass_action
    eager.save(tmp_path / "eager.json")
    kept = LinearPolicy.load(tmp_path / "eager.json")
    assert (kept.weights, kept.odds, kept.__name__) == (eager.weights, False, "eager")
    fights = [tw.Fight("coinfolk:together", seed=3, bots=policy).narrate() for policy in (eager, kept, idle)]
    assert fights[0] == fights[1] != fights[2]


def test_weights_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(tw.BadInput, match='did you mean "harm"'):
        LinearPolicy({"harn": 1.0})
    with pytest.raises(tw.BadInput, match="cannot be read"):
        LinearPolicy.load(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("[]", encoding="utf-8")
    with pytest.raises(tw.BadInput, match="holds no weights"):
        LinearPolicy.load(tmp_path / "bad.json")
