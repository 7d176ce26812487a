"""``tablewright advise FILE``: values of the options of a saved fight's open choice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from tablewright.cli.output.progress import waiting
from tablewright.cli.output.streams import print_json
from tablewright.cli.views.odds_answer import seconds_of
from tablewright.engine import Choice
from tablewright.game.narration.phrases import sentence, small
from tablewright.game.scene.scene import ActingSeat

if TYPE_CHECKING:
    from tablewright.game.session.promises import Figure
    from tablewright.game.session.session import Session
    from tablewright.lab.fights.turn_advice import TurnAdvice

MOST_OFFERS = 12
LEAST_GRADED = 3
"""Fewest numbers that are graded in one sentence instead of a table."""
MOST_SECONDS = 20
"""Default limit in seconds for all options of one choice (``--seconds``)."""


def answer_turn(path: Path, *, seconds: str | None, as_json: bool) -> None:
    """Resume a saved fight and print advice on its open choice; nothing is written."""
    from tablewright.game.session.opening import resume_session  # noqa: PLC0415  (loads a whole system)

    allowed = seconds_of(seconds, MOST_SECONDS)
    session = resume_session(path)
    if as_json:
        print_json(_within(allowed, session).to_json())
    else:
        weigh_and_draw(session, session.seat or "", allowed)


def weigh_and_draw(session: Session, viewer: str, seconds: float) -> None:
    """Draw advice on the open choice of a turn: soon by ratings, and once more when all exact values are there."""
    from tablewright.lab.deadline import FIRST_SECONDS  # noqa: PLC0415  (loads the lab)

    advice = _within(min(seconds, FIRST_SECONDS), session, viewer)
    if advice.why and seconds > FIRST_SECONDS:
        draw_turn(advice, session, viewer)
        _say("At a glance, while the exact values are worked out.")
        advice = _within(seconds - FIRST_SECONDS, session, viewer)
        if advice.why:
            _say(f"It stays at a glance: {sentence(advice.why)}")
            return
    draw_turn(advice, session, viewer)
    if advice.why:
        _say(f"At a glance only: {sentence(advice.why)}")


def _within(seconds: float, session: Session, viewer: str | None = None) -> TurnAdvice:
    """Advice within some processor seconds, with its progress."""
    from tablewright.lab.deadline import Deadline  # noqa: PLC0415
    from tablewright.lab.fights.turn_advice import advise_turn  # noqa: PLC0415

    with waiting("Weighing options") as progress:
        return advise_turn(session, seat=viewer, deadline=Deadline(seconds, clock=process_time), progress=progress)


def _say(words: str) -> None:
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.output.console import QUIET, make_console  # noqa: PLC0415

    make_console().print(Text(words, style=QUIET))


class RankedOption(NamedTuple):
    """An option as advice shows it, with its value; ``told`` is what its value is seen by, if it is seen at all."""

    label: str
    promise: str
    cost: str
    value: float
    told: str = ""
    figures: tuple[Figure, ...] = ()
    is_menu: bool = False
    """True if a choice follows the option; such an option is not compared with the others."""


def draw_turn(advice: TurnAdvice, session: Session, viewer: str) -> None:
    """Draw the options, best first, with their chances and costs; the values only sort them."""
    from tablewright.game.narration.projection import project_question  # noqa: PLC0415
    from tablewright.game.narration.question import word_question  # noqa: PLC0415
    from tablewright.game.narration.voices import sayings_of  # noqa: PLC0415
    from tablewright.game.session.promises import figures_of_options, promise_words  # noqa: PLC0415

    question = session.question
    seen = project_question(session.playing, session.scene, viewer)
    assert isinstance(question, Choice)
    assert seen is not None
    worded = word_question(question.key, seen, session.scene, session.rulebook, viewer, game=session.live)
    figures, sayings = figures_of_options(session, viewer), sayings_of(session.scene.system)
    rows = []
    for one in advice.ranked:
        known, told = figures.get(one.id, ()), worded.option(one.id)
        if told is not None:  # others name what is hidden from the viewer
            promise = promise_words(known, sayings)
            seen_by = f"{promise}|{told.costs}"
            rows.append(
                RankedOption(told.label, promise, told.costs, float(one.value), seen_by, known, is_menu=one.is_menu)
            )
    draw_ranked(name_of(session), rows, wants_least=advice.wants_least)


def name_of(session: Session) -> str:
    """Display name of the participant who is asked; empty if a seat plays several."""
    question, scene = session.question, session.scene
    who = question.details.get("who") if isinstance(question, Choice) else None
    if who is None:
        seat = session.seat
        own = [one.id for one in scene.present if one.seat == seat]
        who = seat.who if isinstance(seat, ActingSeat) else own[0] if len(own) == 1 else None
    return scene.display_name(who) if who is not None and who in scene else ""


def how_clearly(margin: float, spread: float, *, alike: bool = True) -> str:
    """Distance of the best option from the next, in words; ``alike`` if what is told of both is the same.

    >>> how_clearly(3, 10), how_clearly(0.1, 10), how_clearly(1, 10), how_clearly(0, 10)
    (', clearly', ', by a little', '', ', or another that is as good')
    >>> how_clearly(0, 10, alike=False)
    ', with another rated the same'
    """
    if not margin:
        return ", or another that is as good" if alike else ", with another rated the same"
    share = margin / spread
    return ", clearly" if share >= 0.25 else ", by a little" if share < 0.05 else ""


def how_good(value: float, best: float, spread: float, *, alike: bool = True) -> str:
    """An option beside the best one, in words; ``spread`` is the distance from the best to the worst.

    Of two options with one value but different figures neither is called as good as the other.

    >>> [how_good(value, 10, 10) for value in (10, 9.8, 8, 0)]
    ['as good', 'a little worse', 'worse', 'much worse']
    >>> how_good(10, 10, 10, alike=False)
    'rated the same'
    """
    behind = abs(best - value) / spread if spread else 0
    if not behind:
        return "as good" if alike else "rated the same"
    return "a little worse" if behind < 0.05 else "worse" if behind < 0.25 else "much worse"


def grades_of_numbers(labels: Sequence[str], words: Sequence[str]) -> str:
    """Grades of numbers, where all options are numbers of something; empty for other options.

    >>> labels = ["Two actions", "One action", "Three actions", "Four actions", "Five actions"]
    >>> grades_of_numbers(labels, ["best", "a little worse", "worse", "much worse", "much worse"])
    'One is a little worse; three are worse; four or more are much worse.'
    """
    numbers = {small(number): number for number in range(1, 13)}
    found = [numbers.get(label.partition(" ")[0].lower()) for label in labels]
    if len(found) < LEAST_GRADED or None in found or len(words) != len(found):
        return ""
    runs: list[tuple[str, list[int]]] = []
    for number, word in sorted([(number or 0, word) for number, word in zip(found, words, strict=True)]):
        if runs and runs[-1][0] == word:
            runs[-1][1].append(number)
        else:
            runs.append((word, [number]))
    told = [_graded(run, word, last=run[-1] == len(found)) for word, run in runs if word != "best"]
    return sentence("; ".join(told))


def _graded(run: Sequence[int], word: str, *, last: bool) -> str:
    """Numbers in a row that are equally good."""
    first = small(run[0])
    if len(run) == 1:
        return f"{first} {'is' if run[0] == 1 else 'are'} {word}"
    if last:
        return f"{first} or more are {word}"
    return f"{first} {'or' if len(run) == 2 else 'to'} {small(run[-1])} are {word}"


def promises_more(one: RankedOption, best: RankedOption, *, wants_least: bool) -> bool:
    """True if an option shows better figures than the best one, and none that is worse, at the same cost."""
    mine = {(known.mechanic, known.objective): known.mean for known in one.figures}
    its = {(known.mechanic, known.objective): known.mean for known in best.figures}
    if mine.keys() != its.keys() or mine == its or one.cost != best.cost:
        return False
    return all(mine[name] <= its[name] if wants_least else mine[name] >= its[name] for name in mine)


def draw_ranked(who: str, rows: Sequence[RankedOption], *, wants_least: bool = False) -> None:
    """Print the best option in a sentence, and the first options with their promises, costs and how good they are.

    The best option comes first. Where another one shows better figures, the words say that more than these counts.
    """
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.output.console import GOOD, HEAD, QUIET, make_console, table  # noqa: PLC0415

    console = make_console()
    best, whom = rows[0], f" for {who}" if who else ""
    others = [row for row in rows[1:] if best.is_menu or not row.is_menu]
    menus = rows[1 + len(others) :]
    values = [best.value, *[row.value for row in others]]
    spread = max(values) - min(values)
    if others and not spread and any(row.told != best.told for row in others):
        console.print(Text("The rules do not say which of these is better. Your call.", style=HEAD))
        words = [""] * (1 + len(others))
    else:
        worse = [row for row in others if row.value != best.value]
        beaten = [row for row in worse if promises_more(row, best, wants_least=wants_least)]
        tied = [row for row in others if row.value == best.value]
        alike = all(row.told == best.told for row in tied)
        clearly = how_clearly(min([abs(best.value - value) for value in values[1:]], default=0), spread, alike=alike)
        balance = ", on balance" if beaten else ""
        console.print(Text(f"Best{whom}{balance}: {best.label[:1].lower()}{best.label[1:]}{clearly}.", style=HEAD))
        words = ["best"]
        for row in others:
            word = how_good(row.value, best.value, spread, alike=row.told == best.told)
            words.append(f"{word} on balance" if row in beaten else word)
        graded = grades_of_numbers([row.label for row in rows], words)
        if graded and not any(row.promise for row in rows):
            console.print(Text(graded))
            return
    words += ["depends on what follows"] * len(menus)
    listed = table(("", "names"), ("", "names"), ("", "names"), ("", "text"), head=False)
    for place, (row, beside) in enumerate(zip(rows[:MOST_OFFERS], words, strict=False)):
        style = GOOD if not place and beside else ""
        listed.add_row(
            Text(row.label, style=style), Text(row.promise), Text(row.cost, style=QUIET), Text(beside, style=style)
        )
    console.print(listed)
    if len(rows) > MOST_OFFERS:
        none = "" if menus else ", none of them better"
        console.print(Text(f"{len(rows) - MOST_OFFERS} more{none}.", style=QUIET))
