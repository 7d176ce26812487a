"""Fights as a PettingZoo environment, for every system and Coinfolk."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

import tablewright as tw
from patience import LIMIT
from tablewright.agents import FEATURES, FightEnv, VectorRunner, env, scenario_ids, vector
from tablewright.agents.menu import SLOTS, ActionMenu, menu_of, slot_rows
from tablewright.engine import Choice
from tablewright.game.play.actions import ActionUse
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.scene.scene import ActingSeat
from tablewright.game.scene.visibility import visible_fields
from tablewright.game.session.session import Session
from tablewright.lab.fights.executors import WorkerContext
from tablewright.lab.fights.option_features import OptionFeatures

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # where pygame is installed, this import loads a game that warns about itself
    from pettingzoo.test import api_test, seed_test

WHOLE = os.environ.get("CONFORMANCE") == "all"
STEPS = 2_000


def steps(made: Any, seed: int, most: int = STEPS) -> Iterator[tuple[str, dict[str, Any], float, dict[str, Any]]]:
    """Play by masked random actions; give each agent, what it saw, its reward and its info."""
    dice = np.random.default_rng(seed)
    made.reset(seed=seed)
    for _, agent in zip(range(most), made.agent_iter(most), strict=False):
        seen, reward, ended, cut, info = made.last()
        yield agent, seen, reward, info
        made.step(None if ended or cut else int(dice.choice(np.flatnonzero(seen["action_mask"]))))


@pytest.mark.parametrize("system", system_ids())
def test_pettingzoo_accepts_the_environment(system: str, capsys: pytest.CaptureFixture[str]) -> None:
    odds = WHOLE or system == "coinfolk"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about observations that are a dictionary, as all of its classic games have
        api_test(env(f"{system}:together", odds=odds), num_cycles=1_000 if WHOLE else 60)
        seed_test(lambda: env(f"{system}:together", odds=odds), num_cycles=500 if WHOLE else 30)
    assert "Passed API test" in capsys.readouterr().out


def test_every_scenario_of_every_system_is_an_environment() -> None:
    assert {name.partition(":")[0] for name in scenario_ids()} == set(system_ids())
    for name in scenario_ids():
        made = env(name, odds=False)
        for agent, seen, _, info in steps(made, seed=1, most=STEPS if WHOLE else 25):
            assert agent in made.possible_agents
            shown = int(seen["action_mask"].sum())
            assert shown == len(info.get("options", ())), name


@pytest.mark.parametrize(
    ("winner", "rewards"), [("folk", [1.0, -1.0]), ("vermin", [-1.0, 1.0]), ("", [0.0, 0.0]), (None, None)]
)
def test_the_winner_gets_one_and_the_others_lose_one(
    winner: str | None, rewards: list[float] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = env("coinfolk:together", odds=False)
    if winner is not None:
        monkeypatch.setattr("tablewright.agents.environment.winner_of", lambda *_: winner)
    last = {agent: (reward, info) for agent, _, reward, info in steps(made, seed=1)}
    assert {info["winner"] for _, info in last.values()} == {winner or last["folk_0"][1]["winner"]}
    if rewards is None:
        won = made.unwrapped.fight.scene.ended.removesuffix(" win")
        rewards = [1.0 if side == won else -1.0 for side in made.unwrapped.sides]
    assert [last[agent][0] for agent in made.possible_agents] == rewards


def test_a_finished_fight_can_be_replayed() -> None:
    made = env("coinfolk:together", odds=False)
    for _ in steps(made, seed=1):
        pass
    fight = made.unwrapped.fight
    again = Session(fight.header, fight.rulebook, fight.entries)
    assert again.scene.ended == fight.scene.ended is not None
    assert again.facts == fight.facts


def test_a_side_with_a_bot_is_no_agent() -> None:
    made = env("coinfolk:together", bots={"vermin": "careful"}, odds=False)
    assert made.possible_agents == ["folk_0"]
    assert {agent for agent, *_ in steps(made, 1)} == {"folk_0"}
    with pytest.raises(tw.BadInput, match="every participant has a bot"):
        env("coinfolk:together", bots="careful")


def test_the_same_seed_and_actions_give_the_same_fight() -> None:
    made = env("coinfolk:together", render_mode="ansi")
    told = []
    for seed in (5, 5, 6):
        for _ in steps(made, seed):
            pass
        told.append(made.render())
    assert told[0] == told[1] != told[2]


def test_rendering_tells_what_happened_since_the_last_call_and_the_question() -> None:
    made = env("coinfolk:together", render_mode="ansi")
    made.reset(seed=1)
    first = made.render()
    assert first == made.render() or "?" in first
    made.step(0)
    assert made.render() != ""
    assert env("coinfolk:together").unwrapped.render_mode is None
    with pytest.raises(tw.BadInput, match=r'"ansy".*did you mean "ansi"'):
        env("coinfolk:together", render_mode="ansy")  # type: ignore[arg-type]


def test_a_closed_slot_is_refused_and_the_fight_goes_on() -> None:
    made = env("coinfolk:together", odds=False)
    made.reset(seed=1)
    shown = int(made.last()[0]["action_mask"].sum())
    with pytest.raises(tw.BadInput, match=f"{shown} is not an open slot; open are 0 to {shown - 1}"):
        made.step(shown)
    made.step(0)


def test_an_agent_that_is_not_asked_sees_nothing() -> None:
    made = env("coinfolk:together")
    made.reset(seed=1)
    (other,) = [agent for agent in made.agents if agent != made.agent_selection]
    seen = made.observe(other)
    assert not seen["observation"].any()
    assert not seen["action_mask"].any()


# ---------------------------------------------------------------------- features


def column(rows: Any, name: str) -> list[float]:
    return [float(row[FEATURES.index(name)]) for row in rows]


def test_features_tell_targets_chances_and_costs() -> None:
    made = env("mars:fighter", "mars:goblin*2", bots={"foes": "careful"})
    made.reset(seed=0)
    while made.last()[4]["question"] != "what now?":
        made.step(0)
    seen, _, _, _, info = made.last()
    rows, options = seen["observation"], info["options"]
    attacks = [place for place, name in enumerate(options) if name.startswith("attack:")]
    assert attacks
    for place in attacks:
        assert column(rows, "at foe")[place] == 1
        assert column(rows, "target fresh")[place] == 1
        chance = made.unwrapped.turn.odds(options[place]).of("degree") >= "graze"
        assert 0 < column(rows, "chance")[place] <= float(chance) + 1e-6
    passing = options.index(made.unwrapped.fight.rulebook.pass_action)
    assert column(rows, "pass")[passing] == 1
    assert column(rows, "chance")[passing] == 0
    assert max(column(rows[: len(options)], "harm")) > 0


def shown_rows(made: FightEnv) -> list[list[float]]:
    """Features of the open menu, worked out again."""
    described = OptionFeatures(made.fight, made._question, made._looks, odds=False)
    return slot_rows(described, made._menu)


@pytest.mark.parametrize("system", system_ids())
def test_features_do_not_depend_on_hidden_numbers(system: str) -> None:
    made = FightEnv(f"{system}:together")
    compared = 0
    for number, (_, seen, _, _) in enumerate(steps(made, seed=2, most=12 if WHOLE else 5)):
        fight, question = made.fight, made.fight.question
        if number % 4 or not isinstance(question, Choice) or not seen["action_mask"].any():
            continue
        before = fight.live.state
        rows = shown_rows(made)
        for one in before.participants:
            if one.seat == fight.seat or one.side == before[fight.scene.turn or one.id].side:
                continue
            shown = visible_fields(one.status, owned=False, all_seeing=False)
            for field in fields(one.status):
                value = getattr(one.status, field.name)
                if field.name in shown or type(value) is not int:
                    continue
                other = before.with_status(one.id, **{field.name: value + 1})
                if fight.rulebook.health(other[one.id]) != fight.rulebook.health(one):
                    continue
                fight.live.state = other
                try:
                    told = shown_rows(made)
                finally:
                    fight.live.state = before
                assert told == rows, field.name
                compared += 1
    assert compared


@pytest.mark.parametrize("system", system_ids())
def test_features_do_not_tell_of_a_hidden_foe(system: str) -> None:
    made = FightEnv(f"{system}:together")
    made.reset(seed=2)
    fight, before = made.fight, made.fight.live.state
    foe = next(one for one in before.participants if one.seat != fight.seat)
    lurker = replace(foe, id="lurker", name="Lurker", seat=ActingSeat("lurking", "lurker"), hidden=True)
    rows = shown_rows(made)
    fight.live.state = replace(before, participants=(*before.participants, lurker))
    assert shown_rows(made) == rows


# ---------------------------------------------------------------------- menus


def reached(menu: ActionMenu) -> list[int]:
    """Every option that some path through a menu answers with."""
    found: list[int] = []
    for slot in menu.slots:
        found += reached(menu.opened(slot)) if slot.is_group else slot.options
    return found


def test_places_are_a_second_question() -> None:
    squares = [ActionUse("move", detail=f"{x},{y}") for x in range(9) for y in range(31)]
    uses = [ActionUse("attack", "rat", "club"), *squares, ActionUse("run", detail="1,1"), ActionUse("wait")]
    menu = menu_of(uses)
    assert [slot.action for slot in menu.slots] == ["attack", "move", "run", "wait"]
    assert [slot.is_group for slot in menu.slots] == [False, True, False, False]
    assert len(menu.opened(menu.slots[1]).slots) == SLOTS
    assert sorted(reached(menu)) == list(range(len(uses)))


def test_many_options_are_grouped_by_action_and_then_paged() -> None:
    uses = [ActionUse(f"act{number % 5}", f"rat-{number}") for number in range(200)]
    menu = menu_of(uses)
    assert len(menu.slots) == 5
    assert sorted(reached(menu)) == list(range(200))
    plain = menu_of(list(range(200)))
    assert len(plain.slots) == SLOTS
    assert sorted(reached(plain)) == list(range(200))
    only_places = menu_of([ActionUse("destination", detail=f"{number},0") for number in range(277)])
    assert sorted(reached(only_places)) == list(range(277))


# ---------------------------------------------------------------------- many at once


def test_the_runner_gives_the_same_for_any_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """One worker is spawned; two are forked where this process has no other threads."""
    seen = []
    for workers in (1, 2):
        if workers == 1:
            monkeypatch.setattr(vector, "worker_context", WorkerContext)
        else:
            monkeypatch.undo()
        dice, told, ends = np.random.default_rng(3), [], 0
        with VectorRunner("coinfolk:together", environments=4, workers=workers, odds=False) as runner:
            batch = runner.reset()
            assert batch.observations.shape == (4, SLOTS, len(FEATURES))
            for _ in range(120):
                batch = runner.step([int(dice.choice(np.flatnonzero(mask))) for mask in batch.masks])
                told.append((batch.observations.tobytes(), batch.agents.tolist(), batch.rewards.tolist()))
                for place in np.flatnonzero(batch.ended):
                    ends += 1
                    assert sorted(batch.rewards[place].tolist()) == [-1.0, 1.0]
                assert not batch.rewards[~batch.ended].any()
        assert ends > 2
        seen.append(told)
    assert seen[0] == seen[1]


def test_runners_are_closed_in_any_order() -> None:
    """A forked worker holds the lines of the runners before it open."""
    runners = [VectorRunner("coinfolk:together", environments=1, workers=1, odds=False) for _ in range(2)]
    for runner in runners:
        runner.reset()
        closing = threading.Thread(target=runner.close, daemon=True)
        closing.start()
        closing.join(LIMIT)
        assert not closing.is_alive(), "it waits for its workers"


def test_the_runner_refuses_what_cannot_be_done() -> None:
    with pytest.raises(tw.BadInput, match="environments is 0"):
        VectorRunner("coinfolk:together", environments=0)
    with pytest.raises(tw.BadInput, match="no scenario"):
        VectorRunner("coinfolk:togethr")
    with VectorRunner("coinfolk:together", environments=2, workers=1, odds=False) as runner:
        runner.reset()
        with pytest.raises(tw.BadInput, match="1 actions were given; there are 2"):
            runner.step([0])
        with pytest.raises(tw.BadInput, match="is not an open slot"):
            runner.step([0, SLOTS - 1])
