"""The log of a fight at the terminal: entries as headlines with one quiet line each, and the end as a summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from rich.console import Console
from rich.text import Text

from tablewright.cli.output.console import BAR, GOOD, HEAD, NAME, QUIET, indented
from tablewright.cli.output.streams import writes_unicode
from tablewright.game.narration.entries import entries
from tablewright.game.narration.entry import Entry, Reason
from tablewright.game.narration.phrases import and_list, together
from tablewright.game.narration.voices import sayings_of
from tablewright.game.scene.scene import Participant
from tablewright.game.session.session import Session

_STYLES = {"round": HEAD, "turn": BAR, "end": f"{HEAD} {GOOD}"}
_BETWEEN = " · "
_STANDING = "Standing"
_UNSETTLED = ("turn", "order")
_WORDS = {"well": "unhurt", "unharmed": "unhurt", "fine": "unhurt", "healthy": "unhurt"}


class Story:
    """Entries of a session's log as one viewer hears them, told as they come.

    An action is told when it is finished. ``brief`` leaves out the quiet lines.
    """

    def __init__(self, session: Session, viewer: str, console: Console, *, brief: bool = False) -> None:
        self.session = session
        self.viewer = viewer
        self.console = console
        self.brief = brief
        self._told = 0
        self._ahead: set[int] = set()
        """First lines of the entries that were told before an action which began earlier was finished."""

    def skip(self) -> None:
        """Skip everything that is in the log so far."""
        self._told = len(self.session.log)
        self._ahead.clear()

    def tell(self, *, is_settled: bool = True) -> None:
        """Print the entries that are new; unless ``is_settled``, keep back what the next lines may still change."""
        draw_entries(self.console, self._new(is_settled), brief=self.brief)

    def last(self, most: int) -> list[Entry]:
        """The last entries of the whole log."""
        session = self.session
        return entries(session.live, session.rulebook, self.viewer)[-most:]

    def _new(self, is_settled: bool) -> list[Entry]:
        session, live = self.session, self.session.live
        if self._told >= len(session.log):
            return []
        found = [
            entry
            for entry in entries(live, session.rulebook, self.viewer, self._told, unfinished=False)
            if entry.lines[0] not in self._ahead
        ]
        under_way = [number for number in range(self._told, len(session.log)) if live.act_of(number) in live.acting]
        upto = under_way[0] if live.acting and under_way else len(session.log)
        if not is_settled:
            while found and (found[-1].kind in _UNSETTLED or found[-1].may_grow or found[-1].lines[0] >= upto):
                upto = min(upto, found.pop().lines[0])
        elif found and found[-1].kind == "order" and not self._is_decided(found[-1]):
            upto = found.pop().lines[0]  # some have not rolled yet
        self._told = upto
        self._ahead.update([entry.lines[0] for entry in found if entry.lines[0] >= upto])
        return found

    def _is_decided(self, order: Entry) -> bool:
        """True if an entry holds the order itself, and not only what some of those in it have rolled."""
        first, last = order.lines
        return any(hasattr(line, "order") for line in self.session.log[first : last + 1])


def draw_entries(console: Console, told: Sequence[Entry], *, brief: bool = False) -> None:
    """Print entries in one call."""
    lines: list[Text] = []
    for entry in told:
        lines += _lines_of(entry, console, brief=brief)
    if lines:
        console.print(Text("\n").join(lines), soft_wrap=True)


def _lines_of(entry: Entry, console: Console, *, brief: bool) -> Iterator[Text]:
    if entry.kind == "round":
        yield Text()
    depth = 0 if entry.kind in _STYLES else 2
    text = Text(str(entry.headline), style=_STYLES.get(entry.kind, ""))
    quiet = "" if brief or depth == 0 else entry.quiet
    if quiet and not entry.dice and not entry.notes:
        text.append(f" ({quiet})", style=QUIET)
        quiet = ""
    yield from _wrapped(text, console, depth, depth)
    if quiet:
        yield from _parted(quiet, console, depth + 2, depth + 4)


def _wrapped(text: Text, console: Console, depth: int, more: int) -> Iterator[Text]:
    """A text as indented lines; those after the first are indented by ``more``."""
    width = max(10, console.width - more)
    for number, line in enumerate(text.wrap(console, width) if text.cell_len > width else [text]):
        line.rstrip()
        yield Text(" " * (more if number else depth)).append_text(line)


def _parted(quiet: str, console: Console, depth: int, more: int) -> Iterator[Text]:
    """A quiet line as indented lines, broken between its parts; a part that is too long is wrapped."""
    width, line = max(10, console.width - more - 2), ""
    for part in quiet.split(_BETWEEN):
        if line and len(line) + len(_BETWEEN) + len(part) > width:
            yield from _wrapped(Text(_spelled(f"{line}{_BETWEEN}".rstrip()), style=QUIET), console, depth, more)
            depth, line = more, part
        else:
            line = f"{line}{_BETWEEN}{part}" if line else part
    yield from _wrapped(Text(_spelled(line), style=QUIET), console, depth, more)


def _spelled(quiet: str) -> str:
    """A quiet line in letters that the terminal can write."""
    return quiet if writes_unicode() else quiet.replace(" ·", " |")


# ---------------------------------------------------------------------- reasons


def draw_reason(console: Console, reason: Reason, depth: int = 0, *, rules: bool = True) -> None:
    """Print the tree behind a result; ``rules`` adds the titles of its rules."""
    if reason.text:
        line = f"{reason.text} {reason.amount}".strip()
        title = f"  {reason.title}" if rules and reason.title else ""
        console.print(indented(f"{line}{title}", depth))
    for part in reason.parts:
        draw_reason(console, part, depth + 2 if reason.text else depth, rules=rules)


# ---------------------------------------------------------------------- the end


def draw_fates(console: Console, session: Session, viewer: str) -> None:
    """Print who stands and who does not, by side."""
    rows: dict[str, dict[str, list[tuple[str, str]]]] = {}
    scene = session.scene
    for one in scene.participants:
        if scene.can_see(viewer, one.id):
            fate, health = _fate(one, session)
            rows.setdefault(fate, {}).setdefault(one.side, []).append((scene.display_name(one.id), health))
    width = max([len(fate) for fate in rows], default=0)
    for fate in sorted(rows, key=lambda name: name != _STANDING):
        line = _BETWEEN.join([part for people in rows[fate].values() for part in _alike(people)])
        text = Text(f"{fate:<{width}}  ", style=NAME).append(_spelled(line))
        console.print(Text("\n").join([*_wrapped(text, console, 2, width + 4)]), soft_wrap=True)


def _alike(people: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Names of one side, those in a row with the same health together."""
    for health, group in groupby(people, key=itemgetter(1)):
        names = together([name for name, _ in group])
        yield f"{and_list(names)}, {health}" if health else ", ".join(names)


def health_words(health: str, session: Session) -> str:
    """A state of health in the system's words."""
    health = health.replace("_", " ")
    return sayings_of(session.scene.system).words.get(health) or _WORDS.get(health, health)


def _fate(one: Participant, session: Session) -> tuple[str, str]:
    """The heading under which a participant is told at the end, and how they are."""
    book = session.rulebook
    health = health_words(book.health(one), session)
    if not one.present:
        return "Gone", ""
    if book.vitals.is_standing(one):
        return _STANDING, "" if health == "unknown" else health
    return ("Out" if health in ("unknown", "unhurt") else health[:1].upper() + health[1:]), ""
