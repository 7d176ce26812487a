"""Plays a system until everything that can occur has occurred, counts it, and says how to repeat whatever fails.

    python -m conformance.exhaustive SYSTEM [--plays N] [--seed N] [--on] [--jobs N]
    python -m conformance.exhaustive SYSTEM:SCENARIO --policy P --seed N [--cast C] [--option NAME=VALUE ...]

The first form plays a system out and reports; the second repeats one play. (`make soak` runs it for long.)
"""

from __future__ import annotations

import itertools
import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import fields
from enum import Enum
from functools import cache
from time import monotonic
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from conformance.drawing import seeded
from conformance.extents import Extent, extent_of, lasting_ids
from conformance.playing import OWN, Failed, Play, Tale, entries, parser, play, play_from
from tablewright.game.common import common
from tablewright.game.opening import open_session
from tablewright.game.options import OptionField, Options
from tablewright.game.policies import POLICIES
from tablewright.game.registry import load_all, load_system
from tablewright.game.scenario import load_scenario, scenario_names
from tablewright.game.system import System

MOST_SHOWN = 16
"""How many of the answers inside rules a report shows: those given most often."""

SLOW = "best"
"""The policy that weighs every option exactly: every promise is kept by it too, but here it has few plays."""

NEWS = 10
"""Seconds between two lines on how far a long run is."""

Heard: TypeAlias = Callable[[Tale], None]
"""Is told what has occurred, after every play."""

Played: TypeAlias = tuple[Play, Tale, Failed | None]
"""A play, what occurred in it, and how it failed."""

# ---------------------------------------------------------------------- what must occur


def wanted(system: System, extent: Extent, tale: Tale) -> dict[str, tuple[str, ...]]:
    """Everything that must occur, by kind. A kind of content counts as soon as one entry shows in a fight."""
    book = system.book
    must: dict[str, tuple[str, ...]] = {
        "actions": tuple([action.id for action in book.actions]),
        "events": tuple([kind.__name__ for kind in book.apply.by_kind if kind not in common.by_kind]),
        "conditions": (*_conditions(system.id), *_lasting(system, extent, tale)),
        "options": tuple([_option_value(*pair) for pair in option_values(system.options)]),
        "checks": tuple([check.id for check in book.checks]),
        "processes": tuple([process.name for process in book.processes]),
    }
    seen = {*extent.carried, *extent.shows, *tale.shown}
    must |= {kind: ids for kind, ids in entries(system).items() if kind in seen}
    for kind, words in extent.more.items():
        must[kind] = (*must.get(kind, ()), *words)
    return {
        kind: tuple([name for name in names if not {f"{kind}:{name}", f"{kind}:*"} & set(extent.exempt)])
        for kind, names in must.items()
    }


def missing(system: System, extent: Extent, tale: Tale) -> dict[str, tuple[str, ...]]:
    """What must occur and has not, by kind."""
    lacking = {
        kind: tuple([name for name in names if not tale.seen(kind)[name]])
        for kind, names in wanted(system, extent, tale).items()
    }
    return {kind: names for kind, names in lacking.items() if names}


def option_values(options: type[Options]) -> list[tuple[OptionField, Any]]:
    """Every value of every option; of a number the two ends, the usual value and what lies beside it."""
    return [(described, value) for described in options.describe() for value in _values(described)]


def _values(described: OptionField) -> list[Any]:
    if described.choices:
        return list(described.choices)
    usual = described.default if isinstance(described.default, int) else 0
    low = usual - 5 if described.low is None else described.low
    high = usual + 5 if described.high is None else described.high
    numbers = sorted({low, max(low, min(usual, high)), high})
    return [None, *numbers] if described.or_none else numbers


def _option_value(described: OptionField, value: Any) -> str:
    return f"{described.name}={json.dumps(value)}"


@cache
def _conditions(system_id: str) -> tuple[str, ...]:
    """The conditions that a status names: what is true or false, and what has one of several names."""
    kinds = dict.fromkeys(
        [
            type(one.status)
            for name in scenario_names(system_id)
            for one in open_session(load_scenario(f"{system_id}:{name}"), seed=0).scene.participants
        ]
    )
    hints = {kind: get_type_hints(kind) for kind in kinds}
    return tuple(
        [
            entry.name if value is True else f"{entry.name}={value}"
            for kind in kinds
            for entry in fields(kind)
            for value in _named_values(hints[kind][entry.name])
        ]
    )


def _lasting(system: System, extent: Extent, tale: Tale) -> list[str]:
    """The ids of what lasts, as far as the code writes them out or somebody was seen with them."""
    return sorted(lasting_ids(system.id) | tale.lasting) if extent.conditions is None else []


def _named_values(annotation: Any) -> tuple[Any, ...]:
    if annotation is bool:
        return (True,)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return tuple([member.value for member in annotation])
    return get_args(annotation) if get_origin(annotation) is Literal else ()


# ---------------------------------------------------------------------- all plays


def plays(system: System, extent: Extent, seed: int = 1) -> Iterator[Play]:
    """Plays without end, the ones that show most first: the chosen, each scenario and policy, each option, mixtures."""
    yield from map(Play.parse, extent.first)
    scenarios = [f"{system.id}:{name}" for name in scenario_names(system.id)]
    casts = [OWN, "people", "random", *extent.casts]
    if not scenarios:
        return
    quick = [policy for policy in POLICIES if policy != SLOW]
    for scenario in scenarios:
        for policy in quick:
            yield Play(scenario, policy, seed)
    values = option_values(system.options)
    for place, (described, value) in enumerate(values):
        yield Play(
            scenarios[place % len(scenarios)], "random", seed, _numbered(casts, place), ((described.name, value),)
        )
    below = seeded(system.id, seed)
    for number in itertools.count(len(values)):
        mixed = [pair for pair in values if below(3) == 0]
        yield Play(
            scenarios[below(len(scenarios))],
            SLOW if number % 40 == 0 else (*quick, "random", "random")[below(len(quick) + 2)],
            seed + number,
            _numbered(casts, number),
            tuple({described.name: value for described, value in mixed}.items()),
        )


def _numbered(casts: Sequence[str], number: int) -> str:
    """One cast after the other, each with a number of its own where it has several."""
    name = casts[number % len(casts)]
    return OWN if name == OWN else f"{name}:{number // len(casts)}"


def play_out(
    system: System,
    *,
    most: int | None = None,
    seed: int = 1,
    stop: bool = True,
    failures: list[Failed] | None = None,
    jobs: int = 1,
    heard: Heard | None = None,
) -> tuple[Tale, Extent]:
    """Play a system until everything has occurred (or on to the end, if it is not to stop), at most so many times.

    The first failure is raised; where a list is given, failures are put there instead and play goes on.
    """
    extent, tale = extent_of(system.id), Tale()
    candidates = itertools.islice(plays(system, extent, seed), most or extent.plays)
    for _, part, failed in played(candidates, jobs):
        if failed is not None and failures is None:
            raise failed
        if failed is not None and failures is not None:
            failures.append(failed)
        tale.add(part)
        if heard is not None:
            heard(tale)
        if stop and tale.plays >= 12 and not missing(system, extent, tale):
            break
    return tale, extent


def played(candidates: Iterable[Play], jobs: int) -> Iterator[Played]:
    """What occurred in each play and whether it failed, in the order of the plays, whoever plays them."""
    if jobs == 1:
        yield from map(_alone, candidates)
        return
    pool, under_way = ProcessPoolExecutor(jobs), deque[Future[Played]]()
    try:
        for one in candidates:
            under_way.append(pool.submit(_alone, one))
            if len(under_way) > 2 * jobs:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _alone(one: Play) -> Played:
    tale = Tale()
    try:
        play(one, tale)
    except Failed as failed:
        return one, tale, failed
    return one, tale, None


def report(system: System, extent: Extent, tale: Tale) -> str:
    """What occurred and how often, and what never did, as Markdown."""
    lines = [f"{system.title}: {tale.plays} plays", ""]
    lacking = missing(system, extent, tale)
    for kind, names in wanted(system, extent, tale).items():
        counts = tale.seen(kind)
        shown = ", ".join([f"{name} {counts[name]}" for name in names if counts[name]])
        lines.append(f"- {kind}, {len(names) - len(lacking.get(kind, ()))} of {len(names)}: {shown or 'none'}")
    answers = tale.seen("answers")
    often = ", ".join([f"{name} {count}" for name, count in sorted(answers.most_common(MOST_SHOWN))])
    lines.append(f"- answers inside rules, {len(answers)} different: {often}")
    lines += [f"- never: {kind}: {', '.join(names)}" for kind, names in lacking.items()]
    lines += [f"- exempt: {name}: {why}" for name, why in extent.exempt.items()]
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    """Play out a system, all of them, or one play; the status says whether anything never occurred."""
    given = parser(__doc__).parse_args(argv)
    if ":" in given.what:
        session = play(play_from(given))
        sys.stdout.write(f"{session.scene.ended}: {len(session.log)} lines, round {session.scene.round}\n")
        return 0
    playable = [system for system in load_all().systems if system.rulebook is not None]
    lacking = False
    for system in playable if given.what == "all" else [load_system(given.what)]:
        failures: list[Failed] = []
        tale, extent = play_out(
            system,
            most=given.plays,
            seed=given.seed,
            stop=not given.on,
            failures=failures,
            jobs=given.jobs,
            heard=news(system, failures),
        )
        sys.stdout.write(report(system, extent, tale) + "\n\n" + told(failures))
        lacking |= bool(failures) or (system.is_finished and bool(missing(system, extent, tale)))
    return int(lacking)


def news(system: System, failures: Sequence[Failed]) -> Heard:
    """Says now and then on the error stream how far it is."""
    began = said = monotonic()

    def heard(tale: Tale) -> None:
        nonlocal said
        now = monotonic()
        if now - said >= NEWS:
            said = now
            lacking = sum([len(names) for names in missing(system, extent_of(system.id), tale).values()])
            lines = (
                f"{tale.plays} plays in {now - began:.0f} s, {lacking} things still to occur, {len(failures)} failures"
            )
            sys.stderr.write(f"{system.id}: {lines}\n")

    return heard


def told(failures: Sequence[Failed]) -> str:
    """What went wrong, how often, and the first command that repeats each."""
    return "".join(
        [f"{len(found)} times {problem}\n  {found[0].play.command}\n\n" for problem, found in _alike(failures).items()]
    )


def _alike(failures: Sequence[Failed]) -> dict[str, list[Failed]]:
    """Failures by what went wrong, names and numbers aside."""
    found: dict[str, list[Failed]] = {}
    for failed in failures:
        at = failed.problem.rpartition(" (")[2]
        known = next((problem for problem in found if problem.rpartition(" (")[2] == at), failed.problem)
        found.setdefault(known, []).append(failed)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
