"""How rows are measured: ours and the peers' side by side, in one process, from nothing and from memory."""

from __future__ import annotations

import functools
import gc
import multiprocessing
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import icepool.math
from icepool.evaluator.multiset_evaluator_base import MultisetEvaluatorBase

from tablewright.engine import forget

ENOUGH_SECONDS = 0.7
"""A row is measured again and again until so much time is spent on it, or often enough."""

MOST_TIMES = 200
SLOW_SECONDS = 3.0
"""What takes longer than this is measured once."""

_FUNCTION_CACHE = type(functools.lru_cache(len))


class Row(NamedTuple):
    """One question and how each library answers it; ``check`` brings the three answers to one form."""

    name: str
    ours: Callable[[], Any]
    icepool: Callable[[], Any] | None
    dyce: Callable[[], Any] | None
    check: Callable[[Any], Any]
    why: str = ""
    """Said where the row is behind."""


class Measured(NamedTuple):
    """Seconds for one answer."""

    ours: float
    icepool: float | None
    dyce: float | None
    remembered: float
    peers_remembered: float | None
    """The faster of both peers, asked again with its caches warm."""

    @property
    def ratio(self) -> float | None:
        """How many times quicker than the faster peer, from nothing."""
        peers = [seconds for seconds in (self.icepool, self.dyce) if seconds is not None]
        return min(peers) / self.ours if peers else None

    @property
    def ratio_remembered(self) -> float | None:
        """How many times quicker than the faster peer when both are asked again."""
        return None if self.peers_remembered is None else self.peers_remembered / self.remembered


def forget_everything() -> None:
    """Empty the caches of all three libraries: the engine's memory, function caches and icepool's evaluators."""
    forget()
    for found in _caches():
        found.cache_clear()
    icepool.math.comb_row_cache.clear()
    for evaluator in _evaluators():
        getattr(evaluator, "_cache", {}).clear()


@functools.cache
def _caches() -> list[Any]:
    ours_and_theirs = ("tablewright", "icepool", "dyce")
    return [
        found
        for found in gc.get_objects()
        if isinstance(found, _FUNCTION_CACHE) and getattr(found, "__module__", "").startswith(ours_and_theirs)
    ]


@functools.cache
def _evaluators() -> list[Any]:
    return [found for found in gc.get_objects() if isinstance(found, MultisetEvaluatorBase)]


def measure(row: Row) -> Measured:
    """Measure one row in a process of its own, so that no row begins with the memory of those before it."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=lambda: theirs.send(_measured(row)))
    process.start()
    theirs.close()
    try:
        found: Measured = ours.recv()
    except EOFError:
        raise AssertionError(f"{row.name} could not be measured; the reason stands above") from None
    finally:
        process.join()
    return found


def _measured(row: Row) -> Measured:
    """Measure one row; the answers must be the same."""
    answers = {}
    for name, ask in (("tablewright", row.ours), ("icepool", row.icepool), ("dyce", row.dyce)):
        if ask is not None:
            answers[name] = row.check(ask())
    different = [name for name, answer in answers.items() if answer != answers["tablewright"]]
    if different:
        raise AssertionError(f"{row.name}: {', '.join(different)} and tablewright do not give the same answer")
    asks = [ask for ask in (row.ours, row.icepool, row.dyce) if ask is not None]
    cold = dict(zip(asks, _cold(asks), strict=True))
    warm = [_warm(ask) for ask in asks]
    return Measured(
        cold[row.ours],
        None if row.icepool is None else cold[row.icepool],
        None if row.dyce is None else cold[row.dyce],
        warm[0],
        min(warm[1:], default=None),
    )


def _cold(asks: Sequence[Callable[[], Any]]) -> list[float]:
    """With empty caches each time, in turn, again and again; garbage is not collected meanwhile."""
    taken: list[list[float]] = [[] for _ in asks]
    gc.collect()
    gc.disable()
    try:
        while len(taken[0]) < MOST_TIMES:
            for ask, own in zip(asks, taken, strict=True):
                if len(own) < 3 or sum(own) < ENOUGH_SECONDS:
                    if own and own[0] > SLOW_SECONDS:
                        continue
                    forget_everything()
                    own.append(_seconds(ask))
            if all(sum(own) >= ENOUGH_SECONDS for own in taken):
                break
    finally:
        gc.enable()
    return [median(own) for own in taken]


def _warm(ask: Callable[[], Any]) -> float:
    """As :func:`_cold`, but with warm caches; what is very quick is asked many times at once."""
    first = _seconds(ask)
    if first > SLOW_SECONDS:
        return first
    once = _seconds(ask)
    times = max(1, min(2_000, int(0.02 / max(once, 1e-7))))
    taken = []
    for _ in range(5):
        started = time.process_time()
        for _ in range(times):
            ask()
        taken.append((time.process_time() - started) / times)
        if taken[-1] * times > SLOW_SECONDS:
            break
    return median(taken)


def _seconds(ask: Callable[[], Any]) -> float:
    """Processor time, so that what else the machine does counts for nobody."""
    started = time.process_time()
    ask()
    return time.process_time() - started


def seconds(ask: Callable[[], Any], times: int = 7) -> float:
    """The median time of one answer, with warm caches."""
    ask()
    return median([_seconds(ask) for _ in range(times)])


def process_seconds(*words: str, times: int = 7, path: Path | None = None) -> float:
    """The median processor time of a whole Python process, its compiled modules in place as in an installed program."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    taken = []
    for _ in range(times + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(taken[1:])
