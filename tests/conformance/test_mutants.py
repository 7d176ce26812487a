"""A broken coinfolk for each promise: conformance must notice, and say which promise was broken."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import coinfolk
import pytest
from coinfolk import book

from conformance import promises
from golden.campaign import lacking
from golden.runner import played
from tablewright.engine import ClosedOption, Role, choose, mechanic, process
from tablewright.game.character.legality import Legality, Violation
from tablewright.game.play.actions import Actions, ActionUse, Requirement
from tablewright.game.play.checks import Check, CheckPlan, Subject
from tablewright.game.play.common_events import Moved, OrderSet, SceneEnded
from tablewright.game.play.turns import play_rounds, winning_side
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.scene.events import Event, Reducer
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.system.rulebook import Rating, Rulebook

Promise = Callable[[Scenario], None]


MISQUOTED = Requirement("coinfolk.fight.dazed", lambda scene, who, use: None)


@pytest.fixture(autouse=True)
def _nothing_is_played_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promises, "PLAYED", {})


@pytest.fixture
def scenario() -> Scenario:
    return load_scenario("coinfolk:even")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put parts of a broken rulebook in the place of coinfolk's."""

    def put(**parts: Any) -> None:
        mutant: Rulebook = replace(book.rulebook, **parts)
        monkeypatch.setattr(book, "rulebook", mutant)

    return put


def fails(promise: Promise, scenario: Scenario, name: str) -> None:
    with pytest.raises(promises.Broken, match=name):
        promise(scenario)


def test_a_whole_system_breaks_no_promise(scenario: Scenario) -> None:
    for promise in promises.PROMISES:
        promise(scenario)


class Lenient(Actions):
    """Offers everything, allowed or not."""

    def options(self, scene: Scene, who: str, **_: Any) -> list[ActionUse | ClosedOption]:
        return [use for action in self for use in action.uses_for(scene, who)]


def encounter_with(turn: Any) -> Any:
    @process(rules=["coinfolk.fight.turn"])
    async def encounter(game: Game) -> None:
        """A fight with another turn."""
        if not game.scene.order:
            game.emit(OrderSet(order=tuple(sorted([one.id for one in game.scene.present]))))
        await play_rounds(game, turn, lambda scene: winning_side(scene, book.up), cause="coinfolk.fight.turn", most=20)

    return encounter


def turn_with(actions: Actions) -> Any:
    async def turn(game: Game, who: str) -> None:
        if book.up(game[who]):
            use = await choose(
                game.seat(who), "what now?", lambda: actions.options(game.scene, who), details={"who": who}
            )
            await game.rulebook.actions.by_id[use.action].perform(game, who, use)

    return turn


def test_an_illegal_action_that_is_accepted(scenario: Scenario, broken: Callable[..., None]) -> None:
    broken(encounter=encounter_with(turn_with(Lenient(list(book.ACTIONS)))))
    fails(promises.only_what_is_legal_is_offered, scenario, "only what is legal is offered")


class Whispered(Event):
    """An event that does not say who may see what it says."""

    who: str
    text: str


def test_an_event_without_visibility(scenario: Scenario, broken: Callable[..., None]) -> None:
    apply: Reducer[Scene] = Reducer(book.apply)
    apply.on(Whispered)(lambda scene, event: scene)
    broken(apply=apply)
    fails(promises.every_field_says_who_may_see_it, scenario, "every field says who may see it: Whispered: who, text")


def test_a_status_changed_without_an_event(scenario: Scenario, broken: Callable[..., None]) -> None:
    async def turn(game: Game, who: str) -> None:
        await turn_with(book.ACTIONS)(game, who)
        game.state = game.state.with_status(who, breath=0)

    broken(encounter=encounter_with(turn))
    fails(promises.state_changes_only_by_events, scenario, "state changes only by events")


def test_global_random(scenario: Scenario, broken: Callable[..., None]) -> None:
    async def turn(game: Game, who: str) -> None:
        await turn_with(book.ACTIONS)(game, who)
        game.emit(Moved(who=who, position=random.choice(list(game.scene.ground.reachable(game[who].position, 1)))))

    broken(encounter=encounter_with(turn))
    fails(promises.the_log_replays, scenario, "the log replays")


def test_an_empty_list_of_options(scenario: Scenario, broken: Callable[..., None]) -> None:
    class Forbidding(Actions):
        def options(self, scene: Scene, who: str, **_: Any) -> list[ActionUse | ClosedOption]:
            return []

    broken(encounter=encounter_with(turn_with(Forbidding(list(book.ACTIONS)))))
    fails(promises.something_can_always_be_done, scenario, "something can always be done")


def test_play_that_does_not_end(
    scenario: Scenario, broken: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(promises, "MOST_ANSWERS", 500)

    async def turn(game: Game, who: str) -> None:
        await choose(game.seat(who), "well?", ["yes", "no"])

    @process(rules=["coinfolk.fight.turn"])
    async def encounter(game: Game) -> None:
        """A fight without end."""
        game.emit(OrderSet(order=tuple([one.id for one in game.scene.present])))
        await play_rounds(game, turn, lambda scene: None, cause="coinfolk.fight.turn", most=10**9)

    broken(encounter=encounter)
    fails(promises.play_ends, scenario, "play ends")


def test_a_hidden_number_that_shows(scenario: Scenario, broken: Callable[..., None]) -> None:
    async def strike(game: Game, who: str, use: ActionUse) -> None:
        me, foe = game[who], game[str(use.target)]
        result = await coinfolk.strike(me.character.grit, 0, me.status.luck, 0).by(me.seat, foe.seat)
        game.emit(book.Struck(who=foe.id, by=who, **result._asdict()))

    leaking = [replace(action, perform=strike) if action.id == "strike" else action for action in book.ACTIONS]
    broken(actions=Actions(leaking), encounter=encounter_with(turn_with(Actions(leaking))))
    fails(promises.hidden_numbers_stay_hidden, load_scenario("coinfolk:together"), "can tell the luck")


def test_a_newcomer_who_never_acts(scenario: Scenario, broken: Callable[..., None]) -> None:
    async def nobody_new(game: Game) -> None:
        return None

    @process(rules=["coinfolk.fight.turn"])
    async def encounter(game: Game) -> None:
        """A fight among those who were there at its beginning."""
        game.emit(OrderSet(order=tuple([one.id for one in game.scene.present])))
        over = partial(winning_side, stands=book.up)
        await play_rounds(game, book.turn, over, cause="coinfolk.fight.turn", round_begins=nobody_new)

    broken(encounter=encounter)
    fails(promises.somebody_who_joins_gets_a_turn, scenario, "somebody who joins gets a turn")


def test_an_order_that_is_announced_for_a_hidden_newcomer(scenario: Scenario, broken: Callable[..., None]) -> None:
    async def round_begins(game: Game) -> None:
        order = tuple([one.id for one in game.scene.present])
        if order != game.scene.order:
            game.emit(OrderSet(order=order))

    @process(rules=["coinfolk.fight.turn"])
    async def encounter(game: Game) -> None:
        """A fight that tells of everyone who comes."""
        over = partial(winning_side, stands=book.up)
        await play_rounds(game, book.turn, over, cause="coinfolk.fight.turn", round_begins=round_begins)

    broken(encounter=encounter)
    fails(promises.a_hidden_newcomer_stays_hidden, scenario, "a hidden newcomer stays hidden")


def test_a_question_that_a_ruling_leaves_without_options(scenario: Scenario, broken: Callable[..., None]) -> None:
    async def turn(game: Game, who: str) -> None:
        if book.up(game[who]):
            await choose(game.seat(who), "well?", lambda: ["yes", "no"] if book.up(game[who]) else [])

    broken(encounter=encounter_with(turn))
    fails(promises.the_game_master_can_rule_at_any_question, scenario, "any question: .*offers no option")


def test_a_python_error_after_a_ruling(scenario: Scenario, broken: Callable[..., None]) -> None:
    async def turn(game: Game, who: str) -> None:
        luck = game[who].status.luck
        await choose(game.seat(who), "well?", ["yes", "no"])
        {luck: "as it was"}[game[who].status.luck]

    broken(encounter=encounter_with(turn))
    fails(promises.the_game_master_can_rule_at_any_question, scenario, "KeyError")


def test_a_question_that_names_the_hidden_seat_it_asks(scenario: Scenario, broken: Callable[..., None]) -> None:
    async def turn(game: Game, who: str) -> None:
        if book.up(game[who]):
            await choose(game.seat(who), "well?", ["yes", "no"], details={"who": who, "open": True})

    broken(encounter=encounter_with(turn))
    fails(promises.a_hidden_reactor_is_not_betrayed, scenario, "a hidden reactor is not betrayed")


@mechanic(rules=["coinfolk.coins.check"])
async def second_try(coins: int, difficulty: int) -> bool:
    """A check that may be tried again where it missed."""
    if await coinfolk.heads(coins) >= difficulty:
        return True
    return await choose(Role.ACTOR, "once more?", [True, False]) and await coinfolk.heads(coins) >= difficulty


def test_a_check_that_asks_after_a_miss_alone(scenario: Scenario, broken: Callable[..., None]) -> None:
    def plan(subject: Subject, difficulty: int, helpers: int) -> CheckPlan:
        return CheckPlan(second_try(subject.character.grit, difficulty))

    broken(checks=tuple([replace(check, plan=plan) for check in book.CHECKS]))
    fails(promises.a_secret_difficulty_asks_nothing, scenario, "can tell the difficulty by what is asked; ask whatever")


def test_a_bot_that_counts_hidden_luck(scenario: Scenario, broken: Callable[..., None]) -> None:
    def rate(scene: Scene, who: str, use: ActionUse) -> Rating:
        luck = sum([foe.status.luck for foe in scene.enemies(who)])
        return Rating(harm=luck % 2 if use.action == "wait" else Fraction(1, 2))

    broken(rate_use=rate)
    fails(promises.bots_do_not_know_hidden_numbers, scenario, "aggressive .* by the luck")


def test_an_encounter_with_a_memory_of_its_own(scenario: Scenario, broken: Callable[..., None]) -> None:
    @process(rules=["coinfolk.fight.turn"])
    async def encounter(game: Game) -> None:
        """Give turns by a local list that no scene holds."""
        while game.scene.ended is None:
            for one in game.scene.present:
                if book.up(game[one.id]):
                    await book.turn(game, one.id)
            ended = winning_side(game.scene, book.up)
            if ended is not None:
                game.emit(SceneEnded(outcome=ended, cause="coinfolk.fight.turn"))

    broken(encounter=encounter)
    fails(promises.an_encounter_goes_on_from_the_scene, scenario, "goes on from the scene")


def test_a_tally_that_leaves_something_out(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scene, "apply_rulings", lambda scene, tally, what, who=None: tally.add("a forgotten one", 1))
    monkeypatch.setattr(book, "strike", lambda coins, *more: coinfolk.strike(max(0, coins - 1), *more))
    fails(promises.tallies_explain_the_numbers, scenario, "strike coins is")


@mechanic(rules=["coinfolk.coins.chekc"])
async def misquoted(coins: int) -> bool:
    """A check by a rule that nobody has written."""
    return await coinfolk.heads(coins) > 0


def _misquoted(check: Check) -> Check:
    return replace(check, rules=("coinfolk.coins.chekc",))


def _violations(*found: Violation) -> Any:
    return lambda character, options, library: Legality(found if character.grit > 5 else ())


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        ({"actions": Actions([replace(one, rules=("coinfolk.fight.wlak",)) for one in book.ACTIONS])}, "action strike"),
        ({"actions": Actions([replace(one, requires=(MISQUOTED,)) for one in book.ACTIONS])}, "a requirement of"),
        ({"checks": tuple([_misquoted(check) for check in book.CHECKS])}, "the check grit"),
        ({"processes": (replace(book.rest, rules=("coinfolk.rest.hael",)),)}, "the process coinfolk.rest"),
        ({"legality": _violations(Violation("coinfolk.creation.point", "grit", "x"))}, "grit: x"),
        ({"legality": _violations(Violation("stats.grit", "coinfolk.creation.points", "x"))}, "cites stats.grit"),
    ],
)
def test_a_rule_that_is_not_in_the_ledger(
    parts: dict[str, Any], named: str, scenario: Scenario, broken: Callable[..., None]
) -> None:
    broken(**parts)
    fails(promises.every_rule_cited_is_in_the_ledger, scenario, f"every rule cited is in the ledger: .*{named}")


def test_a_mechanic_by_a_rule_that_is_not_in_the_ledger(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(coinfolk.system), "mechanics", (misquoted,))
    fails(promises.every_rule_cited_is_in_the_ledger, scenario, "the mechanic coinfolk.misquoted cites")


def test_an_event_by_an_invented_rule(scenario: Scenario, broken: Callable[..., None]) -> None:
    async def turn(game: Game, who: str) -> None:
        await turn_with(book.ACTIONS)(game, who)
        game.emit(Moved(who=who, position=game[who].position, cause="coinfolk.fight.wlak"))

    broken(encounter=encounter_with(turn))
    fails(promises.every_cause_is_a_rule_of_the_ledger, scenario, 'Moved is caused by "coinfolk.fight.wlak"')


def test_an_event_without_a_cause(scenario: Scenario, broken: Callable[..., None]) -> None:
    async def rest(game: Game, who: str, hours: int = 8) -> None:
        game.emit(Moved(who=who, position=game[who].position))

    resting = process(rules=["coinfolk.rest.heal"])(rest)
    broken(processes=(resting,))
    fails(promises.every_cause_is_a_rule_of_the_ledger, scenario, 'Moved is caused by ""')


def test_a_rule_in_the_code_that_is_not_in_the_ledger(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "book.py").write_text('WALK = "coinfolk.fight.wlak"\n', encoding="utf-8")
    monkeypatch.setattr("conformance.citing.package_folder", lambda system_id: tmp_path)
    fails(promises.every_rule_cited_is_in_the_ledger, scenario, "book.py cites coinfolk.fight.wlak")


CAMPAIGN = Path(coinfolk.__file__).parents[1] / "tests" / "golden" / "campaign.txt"


def test_a_campaign_whose_commands_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A campaign copied from another system and written again is not whole: nearly all of its commands fail."""
    monkeypatch.setattr("golden.campaign.folder_of_tests", lambda system_id: tmp_path)
    (tmp_path / "golden").mkdir()
    copy = tmp_path / "golden" / "campaign.txt"
    copy.write_text(played(CAMPAIGN.read_text(encoding="utf-8").replace("coinfolk", "marchen")), encoding="utf-8")
    said = lacking("marchen")
    assert len([line for line in said if line.startswith("exits 2, not 0: tablewright ")]) > len(said) / 2
    assert "3 times tablewright check, not 0" in said


PROBE = """
import json
from conformance.promises import answers, start
from tablewright.game.scenario.loader import load_scenario
def tell():
    session = start(load_scenario("coinfolk:even"))
    for _ in answers(session, 60):
        pass
    print(json.dumps(session.facts))
tell()
"""

SET_ORDER = """
from coinfolk import book
from dataclasses import replace
from functools import cache
from tablewright.engine import process
from tablewright.game.play.common_events import OrderSet
from tablewright.game.play.turns import winning_side, play_rounds
@process(rules=["coinfolk.fight.turn"])
async def encounter(game: book.Game) -> None:
    game.emit(OrderSet(order=tuple({one.id for one in game.scene.present})))
    await play_rounds(game, book.turn, lambda scene: winning_side(scene, book.up), cause="coinfolk.fight.turn", most=20)
book.rulebook = replace(book.rulebook, encounter=encounter)
tell()
"""


@cache
def facts_with_hash_seed(seed: int) -> tuple[str, str]:
    """The facts of a fight in an interpreter whose sets have another order, and those of its mutant."""
    tests = Path(coinfolk.__file__).parents[2]
    paths = [str(tests), str(tests / "sixth")]
    code = f"import sys; sys.path[:0] = {paths!r}\n{PROBE}{SET_ORDER}"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    plain, mutant = done.stdout.splitlines()
    return plain, mutant


def test_the_order_of_sets_shows() -> None:
    noticed = any(facts_with_hash_seed(seed)[1] != facts_with_hash_seed(1)[1] for seed in (2, 3, 4))
    assert noticed, "the mutant depends on the order of a set, and nobody noticed"


def test_facts_do_not_depend_on_the_order_of_sets() -> None:
    assert facts_with_hash_seed(1)[0] == facts_with_hash_seed(2)[0]
