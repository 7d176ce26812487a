"""Figures of many fights as people read them: chances, rounds, who falls, what is left, who did what with what."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rich.text import Text

from tablewright.cli.numbers import fraction, percent
from tablewright.cli.paper import BAR, HEAD, QUIET, heading, indented, paper, table, width_of
from tablewright.cli.screen import writes_unicode
from tablewright.game.registry import load_system
from tablewright.lab.counts import NOBODY, Count, Counts, Person
from tablewright.lab.intervals import Interval, share
from tablewright.lab.jobs import ring_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.lab.balancing import Balance
    from tablewright.lab.jobs import Job
    from tablewright.lab.pairs import Difference
    from tablewright.lab.simulating import Result
    from tablewright.lab.solving import Solved
    from tablewright.lab.sweeping import Case

WIDTH = 24


def chance(found: Interval, places: int = 1) -> str:
    """A chance with its bounds.

    >>> chance(Interval(0.5, 0.4, 0.6)), chance(Interval(0.5, 0.4, 0.6), 0)
    ('50.0% (40.0 to 60.0)', '50% (40 to 60)')
    """
    return f"{found.value:.{places}%} ({found.low * 100:.{places}f} to {found.high * 100:.{places}f})"


def number(found: Interval) -> str:
    """A number with its bounds; where nothing is known of them, alone.

    >>> number(Interval(3.0, 2.5, 3.5)), number(Interval(4, 4, 4))
    ('3 (2.5 to 3.5)', '4')
    """
    if found.low == found.high or found.half == float("inf"):
        return f"{found.value:.3g}"
    return f"{found.value:.3g} ({found.low:.3g} to {found.high:.3g})"


def points(found: Interval, places: int = 1) -> str:
    """A difference of two chances, in points of percent.

    >>> points(Interval(0.05, 0.01, 0.09))
    '+5.0 (+1.0 to +9.0)'
    """
    return f"{found.value * 100:+.{places}f} ({found.low * 100:+.{places}f} to {found.high * 100:+.{places}f})"


def tell_result(result: Result) -> None:
    """Everything that was counted of a job."""
    console, counts, job = paper(), result.counts, result.job
    console.print(heading(job.title, f"{job.system}  {counts.fights:,} fights  seed {job.seed}"))
    _tell_wins(result)
    console.print(Text(_rounds(counts)))
    console.print()
    fates = [("falls", "fell"), ("dies", "died")]
    if any(person.gone for person in counts.people.values()):
        fates.append(("leaves", "gone"))
    people = table(("", "names"), *[(name, "number") for name, _ in fates])
    parts = ["dealt", *(["own"] if any(person.own.of for person in counts.people.values()) else []), "taken"]
    heads = {"dealt": "deals", "own": "to own side", "taken": "takes"}
    harm = table((f"{_harm(job)} on average", "names"), *[(heads[part], "number") for part in parts])
    shown = Shown(job)
    everybody = [(shown.called(who), counts.people[who]) for who in result.people]
    for who, person in everybody:
        shares = [share(getattr(person, fate), counts.fights) for _, fate in fates]
        people.add_row(Text(who), *[Text(chance(found)) for found in shares])
        numbers = [number(getattr(person, part).filled(counts.fights).mean(0)) for part in parts]
        harm.add_row(Text(who), *[Text(cell) for cell in numbers])
    console.print(people)
    console.print()
    console.print(harm)
    console.print()
    console.print(Text("left on average", style=HEAD))
    resources = load_system(job.system).book.reckoning.left
    left = table(("", "name"), ("", "text"), head=False)
    for who, person in everybody:
        told = [f"{name} {number(person.left[name].mean())}" for name in resources if name in person.left]
        left.add_row(Text(who), Text(", ".join(told)))
    console.print(left)
    sources = _sources(counts, everybody, shown)
    if sources:
        console.print()
        console.print(Text("by source, on average", style=HEAD))
        done = table(("", "name"), ("", "text"), head=False)
        for who, by_source in sources:
            done.add_row(Text(who), Text(by_source))
        console.print(done)
    console.print()
    tell_end(result)


def _harm(job: Job) -> str:
    """What the system calls what blows do."""
    return load_system(job.system).book.reckoning.harm


def _tell_wins(result: Result) -> None:
    wins = table(("", "name"), ("", "number"), ("", "text"), head=False)
    full = "█" if writes_unicode() else "#"
    for side, found in result.wins.items():
        drawn = Text(full * round(found.value * WIDTH), style=BAR)
        wins.add_row(Text(f"{side} win" if side else "nobody wins"), Text(chance(found)), drawn)
    paper().print(wins)


def _rounds(counts: Counts) -> str:
    rounds = counts.rounds
    median, low, high = rounds.quantile(0.5), rounds.quantile(0.1), rounds.quantile(0.9)
    words = f"rounds: {number(rounds.mean())} on average"
    if median is not None and low is not None and high is not None:
        words += f", median {number(median)}, 10 to 90 percent: {low.value:g} to {high.value:g}"
    return words


class Shown:
    """What people and things of a job are called, by id."""

    def __init__(self, job: Job) -> None:
        self._scene = ring_of(job.to_text()).header.scene

    def called(self, who: str) -> str:
        """What somebody is called, as in the telling of a fight."""
        return self._scene.called(who)

    def source(self, source: str) -> str:
        """What harm comes from: a thing of the content by its name, else in words."""
        if not source:
            return "bare hands"
        thing, _, way = source.partition("/")
        library = self._scene.library
        found = () if library is None else library.find(thing)
        name = found[0][1].name if found else thing.replace("_", " ")
        return f"{name} ({way.replace('_', ' ')})" if way else name


def _sources(counts: Counts, everybody: Sequence[tuple[str, Person]], shown: Shown) -> list[tuple[str, str]]:
    def told(found: dict[str, Count]) -> str:
        ranked = sorted(found.items(), key=lambda pair: (-pair[1].total, pair[0]))
        named = [(shown.source(name), count) for name, count in ranked]
        return ", ".join([f"{name} {number(count.filled(counts.fights).mean(0))}" for name, count in named])

    rows = [(who, told(person.by_source)) for who, person in everybody if person.by_source]
    return rows + ([("nobody in particular", told(counts.nobody))] if counts.nobody else [])


def _tactics(job: Job) -> dict[str, list[str]]:
    """The policies of each side."""
    played: dict[str, list[str]] = {}
    for given in job.scenario["participants"]:
        names = played.setdefault(str(given["side"]), [])
        if given["policy"] not in names:
            names.append(given["policy"])
    return played


def tell_tactics(job: Job, which: str = "") -> None:
    """By which policies each side plays, and what they do."""
    words = "; ".join([f"{side}: {', '.join(names)}" for side, names in _tactics(job).items()])
    paper().print(Text(f"{which}played by policies: {words}", style=QUIET))
    for name, meaning in job.tactics.items():
        paper().print(indented(f"{name}: {meaning}", 2, style=QUIET))


def tell_end(result: Result) -> None:
    """How it was done: by whom the fights were played, why it stopped, and the digest."""
    console, job = paper(), result.job
    tell_tactics(job)
    lines = []
    if result.stopped == "until":
        lines.append(
            f"stopped after {result.counts.fights:,} of {job.runs:,} fights: the chances are known well enough"
        )
    if result.stopped == "cancelled":
        lines.append(f"cancelled: {result.counts.fights:,} of {job.runs:,} fights are counted")
    if result.why_no_end:
        lines.append(result.why_no_end)
    lost = [numbers[0] for side, numbers in result.counts.examples.items() if side != job.sides[0] and numbers]
    if lost:
        lines.append(f"--show {min(lost)} tells the first fight that {job.sides[0]} did not win")
    lines.append(f"95 of 100 intervals in brackets hold the true figure; digest {result.digest}")
    for line in lines:
        console.print(Text(line, style=QUIET))


def tell_difference(difference: Difference, words: str) -> None:
    """What a change does, beside both results."""
    console, before, after = paper(), difference.before, difference.after
    fights = before.counts.fights
    console.print(heading(before.job.title, f"{before.job.system}  {fights:,} pairs of fights  seed {before.job.seed}"))
    console.print(Text(f"the change: {words}"))
    if difference.pairs.alike == fights:
        console.print(Text("no fight came out differently: the change does nothing here"))
    wins = [
        (side or "nobody", before.counts.share_won(side), after.counts.share_won(side), found)
        for side, found in difference.won.items()
    ]
    _compare("wins", wins)
    console.print()
    shown = Shown(after.job)
    for name, fate, found in (("falls", "fell", difference.pairs.fell), ("dies", "died", difference.pairs.died)):
        rows = []
        for who in [who for who in before.people if who in found]:
            was, now = [share(getattr(one.counts.people[who], fate), fights) for one in (before, after)]
            rows.append((shown.called(who), was, now, found[who].difference()))
        if fate == "fell" or any(was.value or now.value for _, was, now, _ in rows):
            _compare(name, rows)
            console.print()
    _tell_left(difference, shown)
    rounds = difference.pairs.rounds.mean()
    console.print(Text(f"rounds: {rounds.value:+.3g} ({rounds.low:+.3g} to {rounds.high:+.3g})"))
    if difference.stopped:
        console.print(Text(f"{difference.stopped}: {fights:,} of {before.job.runs:,} pairs are counted", style=QUIET))
    for name, result in (("as it is", before), ("changed", after)):
        if result.why_no_end:
            console.print(Text(f"{name}: {result.why_no_end}", style=QUIET))
    tell_tactics(before.job)
    if _tactics(after.job) != _tactics(before.job):
        tell_tactics(after.job, "changed, ")
    same = "95 of 100 intervals in brackets hold the true figure; both were fought with the same dice"
    console.print(indented(same, 0, style=QUIET))


def _tell_left(difference: Difference, shown: Shown) -> None:
    """By how much more or less is left to everybody on average, where anything is different at all."""
    rows = table(("left, the difference", "name"), ("", "text"))
    names = load_system(difference.before.job.system).book.reckoning.left
    left = difference.pairs.left
    for who in [who for who in difference.before.people if who in left]:
        counts = left[who]
        found = [(name, counts[name].mean()) for name in names if name in counts and counts[name].squares]
        told = [f"{name} {by.value:+.3g} ({by.low:+.3g} to {by.high:+.3g})" for name, by in found]
        if told:
            rows.add_row(Text(shown.called(who)), Text(", ".join(told)))
    if rows.row_count:
        paper().print(rows)
        paper().print()


def _compare(what: str, rows: Sequence[tuple[str, Interval, Interval, Interval]]) -> None:
    """A chance before and after, with the difference, one a line; in whole percent where there is no room for more."""

    def written(places: int) -> list[tuple[str, ...]]:
        return [(name, chance(was, places), chance(now, places), points(by, places)) for name, was, now, by in rows]

    console, cells = paper(), written(1)
    if sum([width_of(column) + 2 for column in zip(*cells, strict=True)]) - 2 > console.width:
        cells = written(0)
    drawn = table((what, "names"), ("as it is", "number"), ("changed", "number"), ("difference", "number"))
    for row in cells:
        drawn.add_row(*[Text(cell) for cell in row])
    console.print(drawn)


def tell_solved(solved: Solved) -> None:
    """Exact chances."""
    console = paper()
    console.print(heading(solved.job.title, f"{solved.job.system}  exact"))
    wins = table(("", "name"), ("", "number"), ("", "text"), head=False)
    for side, found in solved.won.items():
        if side or found:
            wins.add_row(
                Text(f"{side} win" if side else "nobody wins"), Text(percent(found)), Text(fraction(found), style=QUIET)
            )
    console.print(wins)
    mean = sum([at * weight for at, weight in solved.rounds.items()], Fraction(0))
    low, median, high = [solved.rounds_within(below) for below in (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))]
    console.print(Text(f"rounds: {float(mean):.4g} on average, median {median}, 10 to 90 percent: {low} to {high}"))
    people = table(("", "names"), ("falls", "number"), ("dies", "number"), ("left on average", "text"))
    shown = Shown(solved.job)
    for who in solved.fell:
        left = ", ".join([f"{name} {float(value):.3g}" for name, value in solved.left[who].items()])
        people.add_row(
            Text(shown.called(who)), Text(percent(solved.fell[who])), Text(percent(solved.died[who])), Text(left)
        )
    console.print(people)
    for who in solved.fell if solved.harms else ():
        harm = solved.harms_of(who)
        named = [(shown.source(source), mean) for source, mean in harm["by_source"].items()]
        by = f" ({', '.join([f'{source} {mean:.3g}' for source, mean in named])})" if named else ""
        dealt, taken = f"{harm['dealt']:.3g}", f"{harm['taken']:.3g}"
        console.print(Text(f"{shown.called(who)} deals {dealt}{by} and takes {taken} on average"))
    others = solved.harms_of(NOBODY)["by_source"]
    if others:
        words = ", ".join([f"{shown.source(source)} {mean:.3g}" for source, mean in others.items()])
        console.print(Text(f"nobody in particular: {words} on average"))
    tell_tactics(solved.job)
    cut = f"; a chance of {float(solved.remainder):.1e} was not followed to its end" if solved.remainder else ""
    console.print(Text(f"solved in {solved.ways:,} ways through {solved.scenes:,} scenes{cut}", style=QUIET))


def tell_sweep(title: str, results: Sequence[tuple[Case, Result]]) -> None:
    """A grid, one case a line."""
    console = paper()
    done = sum([result.counts.fights for _, result in results])
    if not results:
        console.print(heading(title, "0 cases"))
        return
    seed = results[0][1].job.seed
    console.print(heading(title, f"{len(results)} cases  {done:,} fights  seed {seed}"))
    labels = list(results[0][0].labels)
    side = results[0][1].job.sides[0]
    heads = [(f"{side} win", "number"), ("rounds", "number")]
    unlike = len({result.counts.fights for _, result in results}) > 1
    rows = table(*[(label, "text") for label in labels], *heads, *([("fights", "number")] if unlike else []))
    for case, result in results:
        fights = [Text(f"{result.counts.fights:,}")] if unlike else []
        won = chance(result.counts.share_won(result.job.sides[0])) if result.counts.fights else "-"
        rounds = number(result.counts.rounds.mean()) if result.counts.fights else "-"
        rows.add_row(*[Text(case.labels[label]) for label in labels], Text(won), Text(rounds), *fights)
    console.print(rows)
    for case, result in results:
        if result.why_no_end:
            endless = "this fight cannot end: " if result.stopped == "endless" else ""
            words = f"{', '.join(case.labels.values()) or case.job.title}: {endless}{result.why_no_end}"
            console.print(Text(words, style=QUIET))
    missing = sum([result.stopped == "cancelled" for _, result in results])
    if missing:
        console.print(Text(f"{missing} cases are not done; the same command goes on with them", style=QUIET))


def _how_near(balance: Balance) -> str:
    """Whether what is wanted can be had, and why not."""
    if balance.reached:
        return "what is wanted lies within its interval"
    words = "what is wanted does not lie within its interval"
    if balance.cancelled:
        return words
    if balance.between is not None and not balance.why:
        low, high = sorted(balance.between)
        return f"{words}: it lies between {low} and {high}, and no number gives it"
    return f"{words}; {balance.why}" if balance.why else f"{words}: no number that was tried gives it"


def tell_balance(balance: Balance) -> None:
    """What was tried, and what comes nearest."""
    console, job = paper(), balance.job
    console.print(heading(job.title, f"{job.system}  seed {job.seed}"))
    console.print(Text(f"{balance.side} to win {balance.target * 100:g}%: {balance.lever.words}"))
    rows = table(("", "number"), (f"{balance.side} win", "number"), ("fights", "number"), ("", "text"))
    for at in sorted(balance.tried):
        marks = ["nearest"] * (at == balance.best) + ["as it is"] * (at == balance.lever.now)
        fights = f"{balance.tried[at].counts.fights:,}"
        rows.add_row(*[Text(cell) for cell in (str(at), chance(balance.chance(at)), fights, ", ".join(marks))])
    console.print(rows)
    console.print(Text(f"nearest is {balance.best}; {_how_near(balance)}", style=QUIET))
    tell_tactics(job)
    if balance.cancelled:
        console.print(Text("cancelled before the search was over", style=QUIET))
