"""``tablewright odds`` for ranges, comparisons and files: typed words to an odds table."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablewright.cli.arguments.text import (
    MOST_LETTERS,
    arguments_of,
    names_mechanic,
    subject_of,
    validate_words,
    whole_number,
)
from tablewright.cli.output.errors import note
from tablewright.cli.output.progress import MOST_SECONDS, waiting
from tablewright.cli.output.streams import print_json
from tablewright.cli.views.changes import near
from tablewright.engine import Call
from tablewright.engine.report import answer_for, answer_for_dice
from tablewright.errors import InvalidInputError
from tablewright.game.system.registry import find_mechanic, load_system
from tablewright.lab.deadline import Deadline
from tablewright.lab.odds.charts import check_file, write_file
from tablewright.lab.odds.columns import How, View
from tablewright.lab.odds.comparison import MOST_CASES, beside, option_cases, typical_cases
from tablewright.lab.odds.ranges import Axis, Ranges, read_ranges
from tablewright.lab.odds.table import Case, case_of, tabulate

MOST_FILES = 8


@dataclass(frozen=True)
class OddsTableQuestion:
    """Options of the command: view, comparison and output."""

    objective: str | None = None
    at_least: bool = False
    at_most: bool = False
    degrees: bool = False
    of: str | None = None
    at: str | None = None
    versus: Sequence[str] = ()
    option: str | None = None
    output: Sequence[str] = ()
    replace: bool = False
    seconds: str | None = None
    as_csv: bool = False
    as_json: bool = False

    @property
    def view(self) -> View:
        """The selected view; conflicting flags are refused."""
        views: tuple[tuple[bool, str, How], ...] = (
            (self.at_least, "--at-least", "at_least"),
            (self.at_most, "--at-most", "at_most"),
            (self.degrees, "--degrees", "exactly"),
        )
        wanted = [(typed, how) for flag, typed, how in views if flag]
        if len(wanted) > 1:
            raise InvalidInputError(f"{wanted[0][0]} and {wanted[1][0]} cannot be told at once")
        if self.as_csv and self.as_json:
            raise InvalidInputError("--csv and --json cannot be told at once")
        outcomes = tuple([part for part in (self.at or "").split(",") if part.strip()])
        return View(wanted[0][1] if wanted else None, self.of, outcomes, self.objective)


def has_ranges(words: Sequence[str]) -> bool:
    """True if an argument of a mechanic ranges; errors are left to the later parse."""
    read = _read(words)
    return read is not None and bool(read.axes)


def _read(words: Sequence[str]) -> Ranges | None:
    if not words or not names_mechanic(words[0]):
        return None
    mechanic = find_mechanic(words[0][:100])
    return read_ranges(mechanic, arguments_of(validate_words(words)[1:], mechanic))


def answer_table(words: Sequence[str], asked: OddsTableQuestion) -> None:
    """Compute a table; print it, its JSON or its CSV, and write files."""
    view = asked.view
    paths = paths_of(asked.output, replace=asked.replace)
    seconds = seconds_of(asked.seconds)
    cases, axes, objective = _cases(words, asked)
    if objective is not None and view.objective is None:
        view = View(view.how, view.of, view.at, objective)
    with waiting("Working out odds") as progress:
        table = tabulate(cases, axes, view, progress=progress, deadline=Deadline(seconds))
    for path in paths:
        write_file(path, table, replace=asked.replace)
    if asked.as_json:
        print_json(table.to_json())
    elif asked.as_csv:
        sys.stdout.write(table.to_csv())
    elif len(cases) == 1 and not axes and view == View():
        from tablewright.cli.views.odds_chart import draw_odds  # noqa: PLC0415  (loads rich)

        subject = subject_of(words)
        draw_odds(answer_for(subject) if isinstance(subject, Call) else answer_for_dice(subject))
    else:
        from tablewright.cli.views.odds_table import draw_table  # noqa: PLC0415  (loads rich)

        draw_table(table)
    if paths:
        note(f"written to {', '.join([near(path.absolute()) for path in paths])}")


def seconds_of(typed: str | None, otherwise: float = MOST_SECONDS) -> float:
    """Time limit in seconds."""
    return otherwise if typed is None else whole_number(typed, "--seconds", 1, 86_400)


def paths_of(output: Sequence[str], *, replace: bool) -> list[Path]:
    """Output paths; existing files are refused before any computation."""
    paths = [Path(name) for name in output]
    if len(paths) > MOST_FILES:
        raise InvalidInputError(f"{len(paths)} files are too many, at most {MOST_FILES} are written at once")
    for path in paths:
        if paths.count(path) > 1:
            raise InvalidInputError(f"{path} is named twice")
        check_file(path, replace=True)
        if path.exists() and not replace:
            raise InvalidInputError(f"{path} is there already; name another file, or replace it by --force")
    return paths


def _cases(words: Sequence[str], asked: OddsTableQuestion) -> tuple[list[Case], tuple[Axis, ...], str | None]:
    """Cases to compare, their axes, and the objective of a rule option's typical check."""
    if asked.option is not None and asked.versus:
        raise InvalidInputError("--versus and --option cannot be compared at once")
    if asked.option is not None:
        return _by_option(words, asked.option)
    if len(asked.versus) + 1 > MOST_CASES:
        raise InvalidInputError(
            f"{len(asked.versus) + 1} sets of arguments are too many, at most {MOST_CASES} are compared"
        )
    others = [_split(text) for text in asked.versus]
    read = _read(words)
    if read is None or any(names_mechanic(other[0]) is False and "=" not in other[0] for other in others):
        return _of_dice(words, read, others), (), None
    if not others:
        return [case_of(read)], read.axes, None
    pairs = []
    for other in others:
        named = names_mechanic(other[0])
        mechanic = find_mechanic(other[0][:100]) if named else read.mechanic
        pairs.append((mechanic, arguments_of(other[1:] if named else other, mechanic)))
    return beside(read, pairs), read.axes, None


def _split(text: str) -> list[str]:
    """Split an argument set typed as one text."""
    if len(text) > MOST_LETTERS:
        raise InvalidInputError(
            f'--versus: "{text[:20]}..." is {len(text):,} characters long, at most {MOST_LETTERS:,}'
        )
    try:
        words = shlex.split(text)
    except ValueError:
        words = text.split()
    if not words:
        raise InvalidInputError(
            "--versus is empty; write what is different, such as difficulty=20, or another rule or dice"
        )
    return list(validate_words(words))


def _of_dice(words: Sequence[str], read: Ranges | None, others: Sequence[Sequence[str]]) -> list[Case]:
    """Cases of dice compared with each other or with a mechanic; ranges are refused."""
    if read is not None and read.axes:
        raise InvalidInputError("dice cannot stand beside a rule whose arguments range")
    cases = []
    for typed in (words, *others):
        subject: Any = subject_of(typed)
        if isinstance(subject, Call):
            cases.append(Case(" ".join(typed), subject.mechanic, subject.named_arguments()))
        else:
            cases.append(Case(str(subject), dice=subject))
    return cases


def _by_option(words: Sequence[str], typed: str) -> tuple[list[Case], tuple[Axis, ...], str | None]:
    """Cases for the values of a rule option, in the named mechanic or the option's typical check."""
    name, equals, listed = typed.partition("=")
    values = [part.strip() for part in listed.split(",") if part.strip()]
    if equals and not values:
        raise InvalidInputError(
            f"--option {name:.60} names no values; write {name:.60}=A,B, or leave = out for all of them"
        )
    if words:
        read = _read(words)
        if read is None:
            raise InvalidInputError("--option is for mechanics; dice have no options")
        own = f"{read.mechanic.system}."
        return option_cases(read, name.strip().removeprefix(own), values), read.axes, None
    system, dot, option = name.strip().partition(".")
    if not dot:
        raise InvalidInputError("name a mechanic, or the option with its system: --option SYSTEM.NAME=A,B")
    cases, objective = typical_cases(load_system(system[:100]), option, values)
    return cases, (), objective
