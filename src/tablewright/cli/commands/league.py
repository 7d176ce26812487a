"""``tablewright league``: let policies play against each other, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tablewright.cli.arguments.flags import Anyway, AsJson, Cluster, Rounds, Workers
from tablewright.cli.arguments.jobs import against, open_executor, progress_teller
from tablewright.cli.arguments.text import rounds_given, seed_or_drawn, validate_words, whole_number
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.problems import report_problems
from tablewright.cli.output.progress import bar
from tablewright.cli.output.streams import print_json
from tablewright.errors import InvalidInputError

if TYPE_CHECKING:
    from tablewright.lab.fights.intervals import Interval
    from tablewright.lab.fights.league import League

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCENARIO | PARTY FOES", help="SYSTEM:NAME, a scenario's file, or characters separated by commas."
        ),
    ] = None,
    *,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POLICY",
            help="A policy of the league: random, aggressive, careful, best, an installed one, or module:function. "
            "Repeat it; without it the first three play.",
        ),
    ] = None,
    runs: Annotated[str, typer.Option(metavar="N", help="Fights of each pair, half of them with sides exchanged.")] = (
        "200"
    ),
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of the dice.")] = "1",
    rounds: Rounds = None,
    anyway: Anyway = False,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Play policies against each other.

    Every policy meets every other one, on both sides of the fight and with the same dice.
    """
    with report_problems(as_json=as_json):
        from dataclasses import replace  # noqa: PLC0415

        from tablewright.cli.arguments.scenarios import load_typed_policy, scenario_of  # noqa: PLC0415
        from tablewright.game.scenario.cast import SIDES  # noqa: PLC0415
        from tablewright.lab.fights.job import MOST_RUNS  # noqa: PLC0415
        from tablewright.lab.fights.league import play_league  # noqa: PLC0415

        number, limit = whole_number(runs, "--runs", 2, MOST_RUNS), rounds_given(rounds)
        if number % 2:
            raise InvalidInputError(f"--runs is {number}; allowed is an even number, since sides are exchanged")
        policies = policy or ["random", "aggressive", "careful"]
        for name in policies:
            load_typed_policy(name)
        scenario, _ = scenario_of(against(validate_words(words or ())), (), (), SIDES)
        if limit is not None:
            scenario = replace(scenario, rounds=limit)
        with open_executor(workers, cluster) as staff, bar(scenario.title) as told:
            found = play_league(
                scenario,
                policies,
                staff,
                runs=number,
                seed=seed_or_drawn(seed),
                anyway=anyway,
                progress=progress_teller(told),
            )
        if as_json:
            print_json(found.to_json())
        else:
            _tell(found)


def _tell(league: League) -> None:
    from tablewright.cli.output.console import heading, make_console, table  # noqa: PLC0415  (loads rich)

    console = make_console()
    each = league.pairings[0].fights
    console.print(heading(league.title, f"{each} fights of each pair  seed {league.seed}"))
    standings = table(("policy", "name"), ("wins", "number"), ("19 times in 20", "number"), ("draws", "number"))
    for row in league.standings:
        value, spread = _percents(row.chance)
        standings.add_row(row.policy, value, spread, f"{100 * row.drawn / row.fights:.0f}%")
    console.print(standings)
    console.print()
    pairs = table(("against each other", "name"), ("wins", "number"), ("19 times in 20", "number"), ("draws", "number"))
    for one in league.pairings:
        shown = one if one.won >= one.lost else one.reversed()
        value, spread = _percents(shown.chance)
        pairs.add_row(f"{shown.first} against {shown.second}", value, spread, f"{100 * one.drawn / one.fights:.0f}%")
    console.print(pairs)


def _percents(chance: Interval) -> tuple[str, str]:
    return f"{100 * chance.value:.1f}%", f"{100 * chance.low:.1f}% to {100 * chance.high:.1f}%"
