"""Jobs: the same seed gives the same on one worker, on two and after a kill; what cannot be fought is refused first."""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lab.scenes import coin_flip, duel, folk, scenario
from lab.tasks import after, always_killed, kill_once
from patience import LIMIT, wait_until
from tablewright.engine import Choice, odds
from tablewright.engine.advice import outlook
from tablewright.errors import InvalidInputError, ProblemListError, TablewrightError
from tablewright.extras import MissingExtraError
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.policies import careful, play_to_end, register_policy
from tablewright.game.session.preview import preview_option
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_system
from tablewright.lab.fights import executors as staffing
from tablewright.lab.fights.executors import ProcessExecutor, SerialExecutor, workers_for
from tablewright.lab.fights.job import Job, fight_chunk, job_of
from tablewright.lab.fights.replay import look_for, replay_fight
from tablewright.lab.fights.simulation import Progress, gather, no_end, simulate
from tablewright.lab.fights.totals import FightTotals
from tablewright.lab.fights.trial import NEW_OBJECTS, rarely_collecting


def test_one_worker_and_two_give_the_same_digest(pool: ProcessExecutor) -> None:
    job = duel(runs=50)
    one, two = simulate(job), simulate(job, pool)
    assert one.counts.fights == 50
    assert one.digest == two.digest
    assert one.digest != simulate(duel(runs=50, seed=2)).digest


def test_a_policy_may_ask_for_the_odds_of_a_choice_inside_a_rule() -> None:
    """The rest of the rule after an option is the same, whether a copy of the fight is played on or the rule alone."""
    compared: list[str] = []

    def asking(session: Session, question: Choice[Any]) -> int:
        playing = session.playing
        if playing is not None and playing.calls:
            for name in question.ids:
                try:
                    rest = preview_option(session, name, GAME_MASTER).subject
                except InvalidInputError as problem:
                    assert "nothing more is rolled" in str(problem)  # noqa: PT017
                else:
                    assert dict(odds(rest).fractions()) == dict(outlook(playing, name).fractions())
                    compared.append(name)
        return careful(session, question)

    name = register_policy(asking, "asking")
    fight = load_scenario("coinfolk:together")
    asked = job_of(fight, runs=1, policies={one.id: name for one in fight.entrants}).ring()
    plain = job_of(fight, runs=1).ring()
    assert asked.play(0).entries == plain.play(0).entries
    assert compared


def test_seeds_repeat_and_a_prefix_is_a_smaller_job() -> None:
    many, few = simulate(duel(runs=24)), simulate(duel(runs=12))
    assert simulate(duel(runs=24)).digest == many.digest
    parts = FightTotals()
    ring = duel(runs=24).ring()
    parts.merge(ring.count(range(12)))
    assert parts.to_json() == few.counts.to_json()
    parts.merge(ring.count(range(12, 24)))
    assert parts.to_json() == many.counts.to_json()


def test_until_stops_at_the_same_chunk_on_one_worker_and_on_two(pool: ProcessExecutor) -> None:
    job = duel(runs=2_000)
    one, two = simulate(job, until=0.08), simulate(job, pool, until=0.08)
    assert one.stopped == two.stopped == "until"
    assert 100 <= one.counts.fights < 400
    assert one.counts.fights % job.chunk == 0
    assert one.digest == two.digest
    widest = max(interval.half for interval in one.wins.values())
    assert widest <= 0.08


def test_an_interrupt_keeps_what_is_done_in_order() -> None:
    job = duel(runs=40)
    ring = job.ring()

    def chunks() -> Iterator[FightTotals]:
        for chunk in range(12):
            yield ring.count(job.numbers(chunk))
        raise KeyboardInterrupt

    counts, stopped, _ = gather(job, chunks())
    assert stopped == "cancelled"
    assert counts.to_json() == ring.count(range(12)).to_json()


def test_progress_is_told_with_rate_and_interval() -> None:
    heard: list[Progress] = []
    simulate(duel(runs=20), progress=heard.append)
    assert [progress.counts.fights for progress in heard[-1:]] == [20]
    assert len(heard) == 20
    assert heard[-1].rate > 0


def test_a_fight_of_the_lab_is_a_session_that_replays() -> None:
    job = duel(runs=10)
    seen = replay_fight(job, 7)
    again = replay_fight(job, 7)
    assert seen.trial.facts == again.trial.facts
    assert seen.trial.scene.ended is not None
    from tablewright.game.session.session import Session

    replayed = Session(seen.trial.header, seen.trial.rulebook, seen.trial.entries)
    assert replayed.facts == seen.trial.facts
    assert replayed.scene == seen.trial.scene


def test_a_lost_one_is_found_and_kept(tmp_path: Path) -> None:
    from tablewright.game.session.opening import resume_session

    job = duel(runs=50)
    lost = look_for(job, "lost")
    assert lost.winner == "vermin"
    assert lost.number == min(simulate(job).counts.examples["vermin"])
    lost.trial.save(tmp_path / "lost.json")
    assert resume_session(tmp_path / "lost.json").facts == lost.trial.facts
    with pytest.raises(TablewrightError, match="none ended without a winner"):
        look_for(job, "draw")
    with pytest.raises(InvalidInputError, match="0 to 49"):
        replay_fight(job, 50)


def test_counts_are_of_what_happened() -> None:
    """Harm by combatant and source against the statuses in the end, for one fight after the other."""
    ring = duel(runs=30).ring()
    for number in range(30):
        fight = ring.fight(number)
        ann, rat = fight.scene["ann"], fight.scene["rat"]
        taken = {who: sum([harm.amount for harm in fight.harms if harm.who == who]) for who in ("ann", "rat")}
        assert ann.status.health == 9 - taken["ann"]
        assert rat.status.health == 11 - taken["rat"]
        assert fight.fell == {one.id for one in (ann, rat) if one.status.health <= 0}
        assert (fight.winner == "folk") == (rat.status.health <= 0)
        assert {harm.by for harm in fight.harms if harm.who == "rat"} <= {"ann"}


@pytest.mark.parametrize("name", ["mars", "marchen", "opend6", "renaissance", "stage", "coinfolk"])
def test_every_system_says_what_is_counted(name: str) -> None:
    """Harm that was counted blow by blow is what the ones hurt have less of, where no one was healed."""
    book = load_system(name).rulebook
    assert book.vitals.damage_events
    assert book.vitals.left
    job = job_of(load_scenario(f"{name}:together"), runs=2)
    ring = job.ring()
    begin = ring.header.scene
    fight = ring.fight(0)
    assert fight.winner in job.sides
    assert fight.harms
    assert fight.fell
    sides = {one.id: one.side for one in begin.participants}
    assert {harm.who for harm in fight.harms} <= set(sides)
    for one in begin.participants:
        told = sum([harm.amount for harm in fight.harms if harm.who == one.id])
        lost = book.vitals.health_points(one) - book.vitals.health_points(fight.scene[one.id])
        assert told >= min(0, lost)
        if told == 0:
            after = fight.scene[one.id]  # who flees has not fallen
            assert not after.present or book.vitals.is_standing(after) or one.id in fight.fell
        for left in book.vitals.left.values():
            assert isinstance(left(one), int)
    assert any(harm.by in sides for harm in fight.harms)


def test_a_fight_of_the_lab_is_the_fight_that_is_played() -> None:
    """The lab only answers: with the same faces an ordinary session comes to the same end."""
    seen = replay_fight(duel(runs=5), 3)
    from tablewright.game.session.session import Session

    session = Session(seen.trial.header, seen.trial.rulebook)
    session.do("coinfolk.encounter")
    for entry in seen.trial.entries[1:]:
        if isinstance(entry, str):
            assert isinstance(session.question, Choice)
            assert entry == session.question.ids[careful(session, session.question)]
        session.enter(entry)
    assert play_to_end(session, {})
    assert session.scene == seen.trial.scene


# ---------------------------------------------------------------------- refusals


def test_an_illegal_character_is_refused_before_the_first_fight() -> None:
    strong = scenario(folk("ann", "folk", 5, 5), folk("rat", "vermin", 3, 3))
    with pytest.raises(ProblemListError, match=r"ann: .*coinfolk\.creation\.points"):
        job_of(strong)
    assert job_of(strong, anyway=True).runs == 1_000


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"policies": {"folk": "carefull"}}, 'not a policy; allowed are random.*did you mean "careful"'),
        ({"policies": {"folks": "careful"}}, "nobody is called .folks.*did you mean .folk"),
        ({"runs": 0}, "allowed are 1 to"),
        ({"seed": -1}, "the seed is -1"),
        ({"options": {"ducking": "maybe"}}, "ducking"),
    ],
)
def test_bad_input_is_refused_with_what_is_allowed(more: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        job_of(scenario(folk("ann", "folk", 3, 3), folk("rat", "vermin", 3, 3)), **more)  # type: ignore[arg-type]


def test_a_scenario_that_only_a_ruling_ends_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="only by a ruling"):
        job_of(scenario(folk("ann", "folk", 3, 3), folk("rat", "vermin", 3, 3), ends="game_master"))


@pytest.mark.parametrize("until", [0.0, 1.0, -3.0])
def test_until_is_a_share(until: float) -> None:
    with pytest.raises(InvalidInputError, match="above 0 and below 1"):
        simulate(duel(runs=1), until=until)


@pytest.mark.parametrize("count", [0, 1_000])
def test_the_number_of_workers_is_bounded(count: int) -> None:
    with pytest.raises(InvalidInputError, match="allowed are 1 to 256"):
        workers_for(count)


# ---------------------------------------------------------------------- fights that do not end


def test_a_fight_that_cannot_end_is_found_and_reported() -> None:
    """A modifier takes all coins, so that no one can strike."""
    job = job_of(
        scenario(folk("ann", "folk", 3, 3), folk("rat", "vermin", 3, 3), rounds=6),
        runs=500,
        modifiers=[("strike", -12, "ann"), ("strike", -12, "rat")],
    )
    result = simulate(job)
    assert result.stopped == "endless"
    assert result.counts.fights == 20
    assert result.why_no_end == (
        "20 of 20 fights were ended by the limit of 6 rounds; nobody was hurt in any of them; "
        "what was done in them: strike 100%"
    )


def test_a_limit_that_only_some_fights_meet_is_told_too() -> None:
    fight = scenario(folk("ann", "folk", 3, 3), folk("rat", "vermin", 3, 3), rounds=6)
    job = job_of(fight, runs=40)
    result = simulate(job)
    assert 0 < result.counts.limited < 40
    assert result.stopped == ""
    assert "were ended by the limit of 6 rounds; people were hurt in them to the end;" in result.why_no_end
    clumsy = job_of(fight, runs=40, modifiers=[("strike", -2, "ann"), ("strike", -2, "rat")])
    told = simulate(clumsy).why_no_end
    assert re.search(r"rounds; nobody was hurt in their last [0-6]\.\d+ rounds on average;", told), told
    assert result.wins[""].value == result.counts.limited / 40
    assert no_end(job, FightTotals()) == ""


def test_a_fight_that_takes_too_many_answers_is_an_error_with_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablewright.lab.fights.trial.MOST_ANSWERS", 5)
    with pytest.raises(TablewrightError, match="fight 0 of seed 1; it does not end: 5 answers"):
        fight_chunk(duel(runs=3).to_text(), 0)


def test_a_rule_that_fails_says_in_which_fight(monkeypatch: pytest.MonkeyPatch) -> None:
    job = duel(runs=3, seed=77)

    def fails(self: object, number: int, trial: object) -> None:
        raise KeyError("coin")

    monkeypatch.setattr("tablewright.lab.fights.trial.Trial.play", fails)
    with pytest.raises(RuntimeError, match="fight 0 of seed 77; KeyError: 'coin'"):
        fight_chunk(job.to_text(), 0)


# ---------------------------------------------------------------------- workers


def test_a_killed_worker_loses_no_chunk(tmp_path: Path) -> None:
    job = duel(runs=12)
    flag = str(tmp_path / "killed")
    pool = ProcessExecutor(2)
    try:
        found = list(pool.in_order(kill_once, [(job.to_text(), chunk, flag) for chunk in range(job.chunks)]))
    finally:
        pool.close()
    assert Path(flag).exists()
    assert found == [fight_chunk(job.to_text(), chunk) for chunk in range(job.chunks)]


def test_work_that_kills_every_worker_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staffing, "MOST_LOST", 1)
    pool = ProcessExecutor(1)
    try:
        with pytest.raises(TablewrightError, match="lost 2 times"):
            list(pool.in_order(always_killed, [("x",)]))
    finally:
        pool.close()


def test_results_come_in_the_order_of_the_tasks(pool: ProcessExecutor) -> None:
    assert list(pool.in_order(after, [(0.3,), (0.0,), (0.1,)])) == ["0.3", "0.0", "0.1"]
    assert list(SerialExecutor().in_order(after, [(0.01,), (0.0,)])) == ["0.01", "0.0"]


def test_no_more_is_begun_than_is_looked_at() -> None:
    begun: list[int] = []

    def note(at: int) -> str:
        begun.append(at)
        return str(at)

    for result in SerialExecutor().in_order(note, ((at,) for at in range(100))):
        if result == "3":
            break
    assert begun == [0, 1, 2, 3]


def test_a_cluster_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInputError, match="no cluster answers at nowhere"):
        workers_for(cluster="nowhere")
    with pytest.raises(InvalidInputError, match="--workers is for this machine"):
        workers_for(2, "tcp://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r'pip install "tablewright\[cluster\]"'):
        workers_for(cluster="tcp://127.0.0.1:1")


def test_ctrl_c_in_a_terminal_keeps_what_is_done(tmp_path: Path) -> None:
    """A real process with a pool, interrupted as a terminal does it: the whole group hears it."""
    script = tmp_path / "long.py"
    script.write_text(
        "import os, signal\n"
        "from lab.scenes import duel\n"
        "from tablewright.lab.fights.simulation import simulate\n"
        "from tablewright.lab.fights.executors import ProcessExecutor\n"
        "if __name__ == '__main__':\n"
        "    signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "    pool = ProcessExecutor(2)\n"
        "    result = simulate(duel(runs=5000), pool, progress=lambda told: os.killpg(0, signal.SIGINT))\n"
        "    pool.close()\n"
        "    print(result.stopped, result.counts.fights, result.digest)\n",
        encoding="utf-8",
    )
    tests = Path(__file__).parents[1]
    path = os.pathsep.join([str(tests), str(tests / "sixth")])
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
        start_new_session=True,
    )
    watchdog = threading.Timer(LIMIT, process.kill)
    watchdog.start()
    assert process.stdout is not None
    try:
        last = process.stdout.read().splitlines()[-1]
        assert process.wait() == 0
    finally:
        watchdog.cancel()
        process.stdout.close()
    stopped, fights, digest = last.split()
    assert stopped == "cancelled"
    assert 0 < int(fights) < 5_000
    counted = duel(runs=5_000).ring().count(range(int(fights)))
    from tablewright.lab.fights.simulation import Result

    assert Result(duel(runs=5_000), counted).digest == digest


def test_workers_end_with_a_program_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "long.py"
    script.write_text(
        "from lab.scenes import duel\n"
        "from tablewright.lab.fights.simulation import simulate\n"
        "from tablewright.lab.fights.executors import ProcessExecutor\n"
        "if __name__ == '__main__':\n"
        "    simulate(duel(runs=5000), ProcessExecutor(2), progress=lambda told: print('on', flush=True))\n",
        encoding="utf-8",
    )
    tests = Path(__file__).parents[1]
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tests), str(tests / "sixth")])},
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "on\n"
    process.kill()
    process.wait()
    process.stdout.close()
    wait_until(lambda: not _is_somebody_left(process.pid), "the workers end")


def _is_somebody_left(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_memory_is_flat(pool: ProcessExecutor) -> None:
    """Totals grow with the number of different results, not with the number of fights."""
    few = len(str(coin_flip(1).count(range(40)).to_json()))
    many = len(str(coin_flip(1).count(range(400)).to_json()))
    assert many < 1.5 * few


def test_a_job_is_plain_text() -> None:
    job = duel(runs=7, modifiers=[("strike", 1, "ann")])
    assert Job.from_text(job.to_text()) == job
    assert job.id != duel(runs=7).id
    assert staffing.cores() >= 1


def test_jobs_of_version_0_1_keep_their_ids() -> None:
    """A sweep that was begun by version 0.1 goes on; the path of its jobs is read and makes no difference."""
    job = duel(runs=3)
    assert job.id == "8fc84d5b5f2db22c"
    for path in ("played", "batch"):
        assert Job.from_text(json.dumps(json.loads(job.to_text()) | {"path": path})) == job
    assert simulate(job).to_json()["path"] == "played"


def test_python_looks_for_circles_as_often_as_before_when_fights_are_over() -> None:
    usual = gc.get_threshold()
    try:
        with rarely_collecting():
            assert gc.get_threshold() == (NEW_OBJECTS, *usual[1:])
            raise KeyError
    except KeyError:
        assert gc.get_threshold() == usual
    try:
        gc.set_threshold(0, *usual[1:])  # never
        with rarely_collecting():
            assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*usual)
