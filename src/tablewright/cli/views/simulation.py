"""Simulation results on the screen: win chances, rounds, falls, remaining resources, damage by source."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rich.text import Text

from tablewright.cli.output.console import HEAD, QUIET, heading, indented, make_console, table
from tablewright.cli.output.numbers import fraction, percent
from tablewright.game.narration.common_sayings import wins
from tablewright.game.narration.phrases import and_list, average, count, percents, sentence
from tablewright.game.narration.phrases import percent as spoken_percent
from tablewright.game.narration.voices import sayings_of, side_name
from tablewright.game.system.registry import load_system
from tablewright.lab.fights.intervals import Interval, share
from tablewright.lab.fights.job import ring_of
from tablewright.lab.fights.totals import NOBODY, Count, FightTotals, ParticipantTotals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.game.narration.sayings import Sayings
    from tablewright.lab.fights.balance import Balance
    from tablewright.lab.fights.exact import ExactResult
    from tablewright.lab.fights.job import Job
    from tablewright.lab.fights.paired import Difference
    from tablewright.lab.fights.simulation import Result
    from tablewright.lab.fights.sweep import SweepCase

_ABOUT_HALF = 0.05
"""Distance from a half up to which a fight is called even."""
_ROUGH = 0.05
"""Half-width of an interval above which more fights are advised."""
MANY_RUNS = 1000


def chance(found: Interval) -> str:
    """A chance in whole percent with its interval, which never leaves 0% to 100%.

    >>> chance(Interval(0.5, 0.4, 0.6)), chance(Interval(0.02, -0.01, 0.05)), chance(Interval(1, 1, 1))
    ('50% (40% to 60%)', '2% (0% to 5%)', '100%')
    """
    low, high = [min(1.0, max(0.0, edge)) for edge in (found.low, found.high)]
    value = spoken_percent(found.value)
    return value if low == high else f"{value} ({low * 100:.0f}% to {high * 100:.0f}%)"


def number(found: Interval, least: float | None = None) -> str:
    """A number with its interval; alone if the interval is empty or unknown. No edge is below ``least``.

    >>> number(Interval(3.0, 2.5, 3.5)), number(Interval(4, 4, 4)), number(Interval(0.1, -0.1, 0.3), 0)
    ('3 (2.5 to 3.5)', '4', '0.1 (0 to 0.3)')
    """
    if found.low == found.high or found.half == float("inf"):
        return average(found.value)
    low = found.low if least is None else max(least, found.low)
    return f"{average(found.value)} ({average(low)} to {average(found.high)})"


def points(found: Interval) -> str:
    """A difference of two chances in percentage points, with its interval.

    >>> points(Interval(0.05, 0.01, 0.09))
    '+5 (+1 to +9)'
    """
    low, high = max(-1.0, found.low), min(1.0, found.high)
    return f"{found.value * 100:+.0f} ({low * 100:+.0f} to {high * 100:+.0f})"


def tell_result(result: Result, *, details: bool = False) -> None:
    """Print the result of a job in sentences and one table; ``details`` adds ranges and sources of damage."""
    console, counts, job = make_console(), result.counts, result.job
    console.print(heading(job.title, f"{load_system(job.system).title}  {counts.fights:,} fights  seed {job.seed}"))
    shown = ResultView(job)
    console.print(Text(_verdict(result, shown)))
    console.print(Text(_rounds(counts) + _closer(result)))
    console.print()
    everybody = [(shown.called(who), counts.people[who]) for who in result.people]
    _tell_people(counts, everybody, details=details)
    console.print()
    _tell_what_is_left(job, everybody, details=details)
    sources = _sources(counts, everybody, shown) if details else []
    if sources:
        console.print()
        console.print(Text("by source, on average", style=HEAD))
        done = table(("", "name"), ("", "text"), head=False)
        for who, by_source in sources:
            done.add_row(Text(who), Text(by_source))
        console.print(done)
    console.print()
    tell_end(result, shown, details=details)


def _verdict(result: Result, shown: ResultView) -> str:
    """The chance of each side to win, in a sentence or two."""
    said = []
    shares = percents([Fraction(found.value).limit_denominator(10**6) for found in result.wins.values()])
    for place, (side, found) in enumerate(result.wins.items()):
        fights = f", from {result.counts.fights:,} fights" if not place else ""
        low, high = [min(1.0, max(0.0, edge)) for edge in (found.low, found.high)]
        told = f" ({low * 100:.0f}% to {high * 100:.0f}%{fights})" if not place else ""
        winning = _capital(wins(shown.side(side))) if side else "Nobody wins"
        if not found.value:
            subject, _, verb = winning.rpartition(" ")
            said.append(f"{subject} never {verb}{told}.")
        elif found.value == 1:
            said.append(f"{winning} every time{told}.")
        elif not place and abs(found.value - 0.5) <= _ABOUT_HALF:
            said.append(f"An even fight. {winning} about half the time{told}.")
        else:
            said.append(f"{winning} {shares[place]} of the time{told}.")
    return " ".join(said)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _tell_people(counts: FightTotals, everybody: Sequence[tuple[str, ParticipantTotals]], *, details: bool) -> None:
    """Print how often each falls and dies, and the damage each deals and takes."""
    fates = [("falls", "fell"), ("dies", "died")]
    if any(person.gone for _, person in everybody):
        fates.append(("leaves", "gone"))
    parts = [("deals", "dealt"), ("takes", "taken")]
    if any(person.own.of for _, person in everybody):
        parts.insert(1, ("to own side", "own"))
    console = make_console()
    people, harm = [
        table(("", "names"), *[(name, "number") for name, _ in row])
        for row in ((fates, parts) if details else ([*fates, *parts], ()))
    ]
    for who, person in everybody:
        shares = [share(getattr(person, fate), counts.fights) for _, fate in fates]
        means = [getattr(person, part).filled(counts.fights).mean(0) for _, part in parts]
        if details:
            people.add_row(Text(who), *[Text(chance(found)) for found in shares])
            harm.add_row(Text(who), *[Text(number(mean, 0)) for mean in means])
        else:
            often = [spoken_percent(found.value) if found.value else "never" for found in shares]
            people.add_row(Text(who), *map(Text, often), *[Text(average(mean.value)) for mean in means])
    console.print(people)
    if details:
        console.print()
        console.print(harm)


def _tell_what_is_left(job: Job, everybody: Sequence[tuple[str, ParticipantTotals]], *, details: bool) -> None:
    """Print the usual remaining resources of each participant."""
    resources = load_system(job.system).rulebook.vitals.left
    sayings = sayings_of(job.system)
    left = table(("", "name"), ("", "text"), head=False)
    for who, person in everybody:
        told = []
        for name in resources:
            if name in person.left:
                mean = person.left[name].mean()
                seen = person.left[name].seen or {}
                within = mean._replace(low=max(mean.low, min(seen, default=mean.low)))
                shown = number(within) if details else average(round(mean.value))
                told.append(_left_in_words(name, shown, sayings))
        counted = all(part[:1].isdigit() for part in told)
        left.add_row(Text(who), Text(f"usually ends {'with' if counted else 'at'} {', '.join(told)}"))
    make_console().print(left)


def _left_in_words(name: str, shown: str, sayings: Sayings) -> str:
    """An amount that is left: "health 4", or in the system's own form, such as "4 Character Points"."""
    known = sayings.resources.get(name.replace(" ", "_"), "")
    if "|" in known:
        one, _, many = known.partition("|")
        return f"{shown} {one if shown == '1' else many}"
    return f"{sayings.status_words.get(name, name.replace('_', ' '))} {shown}"


def _rounds(counts: FightTotals) -> str:
    rounds = counts.rounds
    low, high = rounds.quantile(0.1), rounds.quantile(0.9)
    if low is None or high is None:
        return f"Fights last {average(rounds.mean().value)} rounds on average."
    return most_last(int(low.value), int(high.value))


def _closer(result: Result) -> str:
    """A hint at more fights while the chances are known only roughly."""
    rough = any((found.high - found.low) / 2 > _ROUGH for found in result.wins.values())
    few = result.counts.fights < MANY_RUNS and not result.why_no_end
    return f" For a closer figure: --runs {MANY_RUNS}" if rough and few else ""


def most_last(low: int, high: int) -> str:
    """Length of most fights.

    >>> most_last(3, 3), most_last(3, 4), most_last(2, 6), most_last(1, 1)
    ('Most fights last 3 rounds.', 'Most fights last 3 or 4 rounds.', 'Most fights last 2 to 6 rounds.', \
'Most fights last 1 round.')
    """
    if low == high:
        return f"Most fights last {count(low, 'round')}."
    return f"Most fights last {low} {'or' if high == low + 1 else 'to'} {high} rounds."


class ResultView:
    """Display names of a job's participants and damage sources."""

    def __init__(self, job: Job) -> None:
        self._scene = ring_of(job.to_text()).header.scene

    def called(self, who: str) -> str:
        """Display name of a participant."""
        return self._scene.display_name(who)

    def side(self, side: str) -> str:
        """Display name of a side, with its article."""
        return side_name(self._scene, side)

    def source(self, source: str) -> str:
        """Name of a damage source: a content entry's name, else its id in words."""
        if not source:
            return "bare hands"
        thing, _, way = source.partition("/")
        library = self._scene.library
        found = () if library is None else library.find(thing)
        name = found[0][1].name if found else thing.replace("_", " ")
        return f"{name} ({way.replace('_', ' ')})" if way else name


def _sources(
    counts: FightTotals, everybody: Sequence[tuple[str, ParticipantTotals]], shown: ResultView
) -> list[tuple[str, str]]:
    def told(found: dict[str, Count]) -> str:
        ranked = sorted(found.items(), key=lambda pair: (-pair[1].total, pair[0]))
        named = [(shown.source(name), count) for name, count in ranked]
        return ", ".join([f"{name} {number(count.filled(counts.fights).mean(0))}" for name, count in named])

    rows = [(who, told(person.by_source)) for who, person in everybody if person.by_source]
    return rows + ([("nobody in particular", told(counts.nobody))] if counts.nobody else [])


def _tactics(job: Job) -> dict[str, list[str]]:
    """Policies of each side."""
    played: dict[str, list[str]] = {}
    for given in job.scenario["participants"]:
        names = played.setdefault(str(given["side"]), [])
        if given["policy"] not in names:
            names.append(given["policy"])
    return played


_MANNERS = {"careful": "carefully", "random": "at random", "aggressive": "aggressively", "best": "as well as they can"}


def tell_tactics(job: Job, which: str = "") -> None:
    """Print how each side plays."""
    shown, played = ResultView(job), _tactics(job)
    manners = {side: and_list([_MANNERS.get(name, name) for name in names]) for side, names in played.items()}
    if len(set(manners.values())) == 1 and len(manners) > 1:
        words = f"{'Both' if len(manners) == 2 else 'All'} sides play {next(iter(manners.values()))}."
    else:
        words = " ".join([f"{_capital(shown.side(side))}: {manner}." for side, manner in manners.items()])
    make_console().print(Text(f"{which}{words}", style=QUIET))
    own = {name: meaning for name, meaning in job.tactics.items() if name not in _MANNERS}
    for name, meaning in own.items():
        make_console().print(indented(f"{name}: {meaning}", 2, style=QUIET))


def tell_end(result: Result, shown: ResultView, *, details: bool = False) -> None:
    """Print policies, stop reason and an example fight; with ``details`` also the digest."""
    console, job = make_console(), result.job
    tell_tactics(job)
    lines = []
    if result.stopped == "until":
        lines.append(f"The chances are known well enough after {result.counts.fights:,} of {job.runs:,} fights.")
    if result.stopped == "cancelled":
        lines.append(f"Cancelled: {result.counts.fights:,} of {job.runs:,} fights are counted.")
    if result.why_no_end:
        lines.append(sentence(result.why_no_end))
    lost = [numbers[0] for side, numbers in result.counts.examples.items() if side != job.sides[0] and numbers]
    last = ["Ranges hold 19 times in 20."]
    if lost:
        last.append(f"To read a fight that {shown.side(job.sides[0])} did not win: --show lost")
    lines.append(" ".join(last))
    lines.append(f"Digest {result.digest}." if details else "For ranges and sources of damage: --details")
    for line in lines:
        console.print(Text(line, style=QUIET))


def tell_difference(difference: Difference, words: str) -> None:
    """Print the effect of a change, beside both results."""
    console, before, after = make_console(), difference.before, difference.after
    fights = before.counts.fights
    console.print(
        heading(
            before.job.title,
            f"{load_system(before.job.system).title}  {fights:,} pairs of fights  seed {before.job.seed}",
        )
    )
    console.print(Text(f"the change: {words}"))
    if difference.pairs.alike == fights:
        console.print(Text("no fight came out differently: the change does nothing here"))
    shown = ResultView(after.job)
    rows_won = [
        (shown.side(side) if side else "nobody", before.counts.share_won(side), after.counts.share_won(side), found)
        for side, found in difference.won.items()
    ]
    _compare("wins", rows_won)
    console.print()
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
    console.print(Text(f"rounds: {rounds.value:+.2g} ({rounds.low:+.2g} to {rounds.high:+.2g})"))
    if difference.stopped:
        console.print(Text(f"{difference.stopped}: {fights:,} of {before.job.runs:,} pairs are counted", style=QUIET))
    for name, result in (("as it is", before), ("changed", after)):
        if result.why_no_end:
            console.print(Text(f"{name}: {result.why_no_end}", style=QUIET))
    tell_tactics(before.job)
    if _tactics(after.job) != _tactics(before.job):
        tell_tactics(after.job, "Changed: ")
    same = "Ranges hold 19 times in 20; both were fought with the same dice."
    console.print(Text(same, style=QUIET))


def _tell_left(difference: Difference, shown: ResultView) -> None:
    """Print the mean differences of remaining resources, where there are any."""
    rows = table(("what is left, the difference", "name"), ("", "text"))
    names = load_system(difference.before.job.system).rulebook.vitals.left
    left = difference.pairs.left
    for who in [who for who in difference.before.people if who in left]:
        counts = left[who]
        found = [(name, counts[name].mean()) for name in names if name in counts and counts[name].squares]
        told = [f"{name} {by.value:+.1f} ({by.low:+.1f} to {by.high:+.1f})" for name, by in found]
        if told:
            rows.add_row(Text(shown.called(who)), Text(", ".join(told)))
    if rows.row_count:
        make_console().print(rows)
        make_console().print()


def _compare(what: str, rows: Sequence[tuple[str, Interval, Interval, Interval]]) -> None:
    """Print chances before and after with the difference."""
    console = make_console()
    drawn = table((what, "names"), ("as it is", "number"), ("changed", "number"), ("difference", "number"))
    for name, was, now, by in rows:
        drawn.add_row(*[Text(cell) for cell in (name, chance(was), chance(now), points(by))])
    console.print(drawn)


def tell_solved(solved: ExactResult) -> None:
    """Print exact chances."""
    console = make_console()
    shown = ResultView(solved.job)
    console.print(heading(solved.job.title, f"{load_system(solved.job.system).title}  exact"))
    rows = table(("", "name"), ("", "number"), ("", "text"), head=False)
    for side, found in solved.won.items():
        if side or found:
            told = _capital(wins(shown.side(side))) if side else "Nobody wins"
            rows.add_row(Text(told), Text(percent(found)), Text(fraction(found), style=QUIET))
    console.print(rows)
    low, high = [solved.rounds_within(below) for below in (Fraction(1, 10), Fraction(9, 10))]
    console.print(Text(most_last(low, high)))
    people = table(("", "names"), ("falls", "number"), ("dies", "number"), ("left on average", "text"))
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


def tell_sweep(title: str, results: Sequence[tuple[SweepCase, Result]]) -> None:
    """Print a grid, one line per case."""
    console = make_console()
    done = sum([result.counts.fights for _, result in results])
    if not results:
        console.print(heading(title, "0 cases"))
        return
    seed = results[0][1].job.seed
    console.print(heading(title, f"{len(results)} cases  {done:,} fights  seed {seed}"))
    labels = list(results[0][0].labels)
    side = results[0][1].job.sides[0]
    heads = [(wins(ResultView(results[0][1].job).side(side)), "number"), ("rounds", "number")]
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
    """True if the target can be reached, and why not."""
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
    """Print the tried numbers and the nearest one."""
    console, job = make_console(), balance.job
    console.print(heading(job.title, f"{load_system(job.system).title}  seed {job.seed}"))
    side_name = ResultView(job).side(balance.side)
    console.print(Text(f"{_capital(side_name)} to win {balance.target * 100:g}%: {balance.lever.words}"))
    rows = table(("", "number"), (wins(side_name), "number"), ("fights", "number"), ("", "text"))
    for at in sorted(balance.tried):
        marks = ["nearest"] * (at == balance.best) + ["as it is"] * (at == balance.lever.now)
        fights = f"{balance.tried[at].counts.fights:,}"
        found = balance.chance(at)
        side = "above" if found.value >= balance.target else "below"
        told = chance(found) if at in balance.measured or balance.cancelled else f"{side} {balance.target * 100:g}%"
        rows.add_row(*[Text(cell) for cell in (str(at), told, fights, ", ".join(marks))])
    console.print(rows)
    console.print(Text(f"The nearest is {balance.best}; {_how_near(balance)}.", style=QUIET))
    tell_tactics(job)
    if balance.cancelled:
        console.print(Text("cancelled before the search was over", style=QUIET))
