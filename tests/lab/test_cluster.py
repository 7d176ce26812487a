"""A real Dask cluster of two workers on this machine gives what one process gives, also when a worker is killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lab.scenes import duel
from lab.tasks import always_killed, kill_once
from tablewright.errors import TablewrightError
from tablewright.lab.fights.changes import changed
from tablewright.lab.fights.executors import DaskExecutor, workers_for
from tablewright.lab.fights.job import fight_chunk
from tablewright.lab.fights.paired import compare_change
from tablewright.lab.fights.simulation import simulate

dask: Any = pytest.importorskip("dask")
distributed: Any = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[DaskExecutor]:
    """Two workers, each a process with a nanny that restarts it; work that has killed two of them is given up."""
    few = {"distributed.scheduler.allowed-failures": 1, "distributed.worker.multiprocessing-method": "forkserver"}
    with (
        dask.config.set(few),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local,
    ):
        made = workers_for(cluster=local.scheduler_address)
        assert isinstance(made, DaskExecutor)
        yield made
        made.close()


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


def test_the_cluster_gives_the_same_digest(cluster: DaskExecutor) -> None:
    job = duel(runs=20)
    found = simulate(job, cluster)
    assert found.digest == simulate(job).digest
    assert found.workers.startswith("2 workers of tcp://")


def test_until_stops_at_the_same_chunk(cluster: DaskExecutor) -> None:
    job = duel(runs=2_000)
    assert simulate(job, cluster, until=0.12).digest == simulate(job, until=0.12).digest


def test_pairs_too(cluster: DaskExecutor) -> None:
    job = duel(runs=10)
    other = changed(job, "policy:folk=random")
    assert compare_change(job, other, cluster).pairs == compare_change(job, other).pairs


def test_work_that_kills_every_worker_is_given_up(cluster: DaskExecutor) -> None:
    with pytest.raises(TablewrightError, match="was lost"):
        list(cluster.in_order(always_killed, [("x",)]))


def test_a_killed_worker_of_the_cluster_loses_no_chunk(cluster: DaskExecutor, tmp_path: Path) -> None:
    job, flag = duel(runs=8), str(tmp_path / "killed")
    found = list(cluster.in_order(kill_once, [(job.to_text(), chunk, flag) for chunk in range(job.chunks)]))
    assert Path(flag).exists()
    assert found == [fight_chunk(job.to_text(), chunk) for chunk in range(job.chunks)]
