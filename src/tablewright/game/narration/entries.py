"""Entries of a log: lines that belong together, told as one, for one viewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tablewright.engine import ChoiceStep, Trace
from tablewright.game.narration.draft import EntryDraft, LineSeen
from tablewright.game.narration.entry import Entry
from tablewright.game.narration.narrator import narrate_line
from tablewright.game.narration.projection import project_line
from tablewright.game.narration.sayings import Sayings
from tablewright.game.narration.voice import Voice
from tablewright.game.narration.voices import sayings_of, voice_for
from tablewright.game.play.common_events import TimePassed
from tablewright.game.play.costs import CostPaid
from tablewright.game.scene.events import Event
from tablewright.game.scene.scene import ActingSeat, Participant, Scene
from tablewright.game.scene.visibility import GAME_MASTER

if TYPE_CHECKING:
    from tablewright.game.scene.game import Game
    from tablewright.game.system.rulebook import Rulebook

ALONE = frozenset({"RoundStarted", "TurnStarted", "TurnEnded", "SceneEnded"})
"""Kinds of events that always stand by themselves."""
FIRST_ROUND = "Round 1"
"""Heading of the round before which the order is told as part of the beginning."""


# ---------------------------------------------------------------------- lines as a viewer sees them


class Ways:
    """Positions before each move of a log, followed line by line."""

    def __init__(self, scene: Scene, book: Rulebook) -> None:
        self._stands = book.vitals.is_standing
        self._at: dict[str, Any] = {one.id: one.position for one in scene.participants}
        self._line = 0

    def follow(self, log: Sequence[Any], upto: int) -> None:
        """Follow the moves of a log up to a line, exclusively."""
        for line in log[self._line : upto]:
            if isinstance(line, Event) and line.is_move:
                self._at[line.who] = line.position  # type: ignore[attr-defined]
        self._line = max(self._line, upto)

    def of(self, move: Any, scene: Scene, viewer: str, aim: str = "") -> dict[str, Any]:
        """Length of a move, and the target it leads ``toward`` or up to (``reached``); empty if unknown.

        A move leads toward the participant of the chosen option, its ``aim``. Without one, a standing foe in sight is
        named only if the move comes beside them, if there is no other, or if it leads straight to the nearest one.
        """
        ground, start, end = scene.ground, self._at.get(move.who), move.position
        if start is None or start == end or move.who not in scene:
            return {}
        try:
            way: dict[str, Any] = {"far": int(ground.distance(start, end))}
            people = [scene[aim]] if aim in scene else self._standing_foes(scene, move.who)
            near = [
                (now, one.id)
                for one in people
                if scene.can_see(viewer, one.id) and (at := self._at.get(one.id)) is not None
                if (now := ground.distance(end, at)) < ground.distance(start, at)
            ]
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return {}
        nearest = min(near)[0] if near else 0
        alone = len([now for now, _ in near if now == nearest]) == 1
        is_straight = alone and int(ground.distance(start, self._at[min(near)[1]])) - int(nearest) == way["far"]
        if near and (aim or len(people) == 1 or nearest <= 1 or is_straight):
            now, who = min(near)
            way["reached" if now <= 1 else "toward"] = who
        return way

    def _standing_foes(self, scene: Scene, who: str) -> list[Participant]:
        return [one for one in scene.enemies(who) if self._stands(one)]


def chosen_uses(game: Game, act: int, upto: int) -> dict[str, str]:
    """The last option with a target that each participant chose in an action before a line, by participant."""
    found: dict[str, str] = {}
    for number in range(upto - 1, -1, -1):
        if not act or game.act_of(number) != act:
            break
        line = game.log[number]
        if isinstance(line, CostPaid):
            who, use = line.who, line.use
        elif isinstance(line, ChoiceStep):
            who, use = getattr(line.seat, "who", ""), line.option
        else:
            continue
        target = f"{use}:".split(":")[1]
        if target not in ("", who) and target in game.scene:
            found.setdefault(who, use)
    return found


def aim_of(game: Game, move: int) -> str:
    """Target named by the option behind a move at a line of the log; empty if it names none."""
    use = chosen_uses(game, game.act_of(move), move).get(getattr(game.log[move], "who", ""), "")
    return f"{use}:".split(":")[1]


def about_line(line: Any, scene: Scene, viewer: str, ways: Ways | None = None, aim: str = "") -> dict[str, Any]:
    """Additions of the scene to a line for a viewer: people behind seats, the way of a move."""
    if isinstance(line, Event) and line.is_move:
        return {} if ways is None else ways.of(line, scene, viewer, aim)
    if isinstance(line, Trace):
        seats = {"actor": line.actor, "opponent": line.opponent}
        return {
            role: seat.who
            for role, seat in seats.items()
            if isinstance(seat, ActingSeat) and seat.who in scene and scene.can_see(viewer, seat.who)
        }
    return {}


def times_before(game: Game, number: int, viewer: str, sayings: Sayings) -> int:
    """Number of events that the one at a line repeats in its turn, as far as the viewer sees them."""
    now = game.log[number]
    alike, times, key = sayings.repeats.get(getattr(now, "kind", ""), ()), 0, None
    for earlier in range(number, -1, -1) if alike else ():
        line = game.log[earlier]
        if not isinstance(line, Event) or line.kind in ("TurnStarted", "RoundStarted"):
            if isinstance(line, Event):
                break
            continue
        if line.kind != now.kind:
            continue
        before, after = game.scenes_of(earlier)
        seen = project_line(line, after, viewer, before) or {}
        found = tuple([seen.get(name) for name in alike])
        if key is None:
            key = found
        elif found != key:
            break
        else:
            times += 1
    return times


def about_number(game: Game, number: int, viewer: str, ways: Ways) -> dict[str, Any]:
    """Additions of the scene to the line of a log: people, the way of a move, how often an attempt was made before."""
    line, aim, times = game.log[number], "", 0
    if isinstance(line, Event):
        aim = aim_of(game, number) if line.is_move else ""
        times = times_before(game, number, viewer, sayings_of(game.scene.system))
    about = about_line(line, game.scene_of_move(number), viewer, ways, aim)
    return about | {"again": times} if times else about


def people_in(kind: str, book: Rulebook) -> tuple[str, ...]:
    """Fields of a kind of event that hold participant ids."""
    known = book.apply.kinds.get(kind)
    return known.mentions if known is not None else ()


def lines_seen(game: Game, book: Rulebook, viewer: str, since: int = 0, upto: int | None = None) -> Iterator[LineSeen]:
    """Lines of a log as a viewer may see them; time between visible lines is one line."""
    log, ways = game.log, Ways(game.scenes_of(0)[0], book)
    held, held_from = 0, 0
    for number in range(since, len(log) if upto is None else upto):
        line = log[number]
        before, after = game.scenes_of(number)
        seen = project_line(line, after, viewer, before)
        if seen is None:
            continue
        if isinstance(line, TimePassed) and viewer != GAME_MASTER:
            held_from = held_from if held else number
            held += line.amount
            continue
        if held:
            yield LineSeen(held_from, game.act_of(held_from), TimePassed(amount=held).to_json())
            held = 0
        ways.follow(log, number)
        if isinstance(line, Event):
            told = narrate_line(line, after, viewer, before, by_name=True)
            text = told.text if told is not None else ""
            people = people_in(line.kind, book)
        else:
            text, people = "", ()
        about = about_number(game, number, viewer, ways)
        yield LineSeen(number, game.act_of(number), seen, text, about, people)
    if held:
        yield LineSeen(held_from, game.act_of(held_from), TimePassed(amount=held).to_json())


# ---------------------------------------------------------------------- lines that belong together


def groups_of(lines: Iterable[LineSeen], sayings: Sayings) -> list[list[LineSeen]]:
    """Lines by entry: those of one action, dice with the event that they lead to, and others by themselves."""
    groups: list[list[LineSeen]] = []
    by_act: dict[int, list[LineSeen]] = {}
    pending: list[LineSeen] = []
    ordering: list[LineSeen] | None = None

    def flush() -> None:
        nonlocal pending, ordering
        if pending:
            groups.append(pending)
        pending, ordering = [], None

    for line in _without_rounds(list(lines), sayings):
        if line.act and line.kind not in ALONE:
            if line.act not in by_act:
                flush()
                by_act[line.act] = []
                groups.append(by_act[line.act])
            by_act[line.act].append(line)
        elif not line.kind:
            pending.append(line)
        elif line.kind in sayings.orders:
            if ordering is None:
                ordering = []
                groups.append(ordering)
            ordering += [*pending, line]
            pending = []
        elif line.kind in ALONE:
            flush()
            groups.append([line])
        else:
            groups.append([*pending, line])
            pending, ordering = [], None
    flush()
    return _joined_moves(_joined_alike(groups, sayings), sayings)


def _without_rounds(lines: Sequence[LineSeen], sayings: Sayings) -> Iterator[LineSeen]:
    """Lines without the time that a round takes: the next round says it."""
    for at, line in enumerate(lines):
        if line.kind == "TimePassed" and not line.act:
            later = (one.kind for one in lines[at + 1 :] if one.kind and one.kind not in sayings.orders)
            if next(later, "") in ("RoundStarted", "SceneEnded"):
                continue
        yield line


def _joined_alike(groups: Iterable[list[LineSeen]], sayings: Sayings) -> list[list[LineSeen]]:
    """Groups in which events that happen to several people in a row are one."""
    found: list[list[LineSeen]] = []
    for group in groups:
        shared = _shared_by_people(group, sayings)
        if shared and found and _shared_by_people(found[-1], sayings) == shared:
            found[-1] = [*found[-1], *group]
        else:
            found.append(group)
    return found


def _shared_by_people(group: Sequence[LineSeen], sayings: Sayings) -> tuple[Any, ...]:
    """Kind and fields of an event that several people may share; empty if it is told by itself."""
    first = group[0]
    if first.act or first.kind not in sayings.alike or "who" not in first.fact:
        return ()
    return (first.kind, *[first.fact.get(name) for name in sayings.alike[first.kind]])


def _joined_moves(groups: Iterable[list[LineSeen]], sayings: Sayings) -> list[list[LineSeen]]:
    """Groups in which the plain moves of one participant in a row are one."""
    found: list[list[LineSeen]] = []
    for group in groups:
        who = _plain_mover(group, sayings)
        if who and found and _plain_mover(found[-1], sayings) == who:
            found[-1] = [*found[-1], *group]
        else:
            found.append(group)
    return found


def _plain_mover(group: Sequence[LineSeen], sayings: Sayings) -> str:
    """Participant of a group that is only a move; empty for any other group."""
    kinds = [line.kind for line in group if line.kind]
    if (
        not sayings.walks.intersection(kinds)
        or not set(kinds) <= sayings.moves
        or any("mechanic" in line.fact for line in group)
    ):
        return ""
    movers = {str(line.fact.get("who")) for line in group if line.kind in sayings.walks}
    return movers.pop() if len(movers) == 1 else ""


def tell(lines: Iterable[LineSeen], voice: Voice, sayings: Sayings, scene: str = "") -> list[Entry]:
    """Entries of lines, in order of their first line."""
    found: list[Entry] = []
    for group in groups_of(lines, sayings):
        told = EntryDraft(group, voice, sayings, scene).tell()
        if told is not None:
            may_grow = bool(_plain_mover(group, sayings) or _shared_by_people(group, sayings))
            found.append(told._replace(may_grow=may_grow))
    found.sort(key=lambda entry: entry.lines[0])
    found = _orders_in_their_rounds(found)
    following = [*[entry.kind for entry in found], ""][1:]
    return [
        entry
        for entry, after in zip(found, following, strict=True)
        if entry.kind != "turn" or after not in ("turn", "round", "end")  # a turn in which nothing happened
    ]


def _orders_in_their_rounds(told: Sequence[Entry]) -> list[Entry]:
    """Entries in which an order that is rolled between two rounds stands below the heading of its round."""
    found: list[Entry] = []
    for entry in told:
        found.append(entry)
        if entry.kind == "round" and str(entry.headline) != FIRST_ROUND:
            at = len(found) - 1
            while at and found[at - 1].kind == "order":
                at -= 1
            found.insert(at, found.pop())
    return found


def entries(game: Game, book: Rulebook, viewer: str, since: int = 0, *, unfinished: bool = True) -> list[Entry]:
    """Entries of a log for a viewer that hold a line from ``since`` on; ``unfinished`` includes actions under way."""
    sayings = sayings_of(game.scene.system)
    start = since
    while start > 0 and game.act_of(start) and game.act_of(start - 1) == game.act_of(start):
        start -= 1
    while 0 < start < len(game.log) and _is_of_order(game, start, sayings) and _is_of_order(game, start - 1, sayings):
        start -= 1
    found = list(lines_seen(game, book, viewer, start))
    if not unfinished:
        found = [line for line in found if line.act not in game.acting]
    voice = voice_for(game.scene, book, viewer, _names_along(game, viewer))
    return [one for one in tell(found, voice, sayings) if one.lines[1] >= since]


def _is_of_order(game: Game, number: int, sayings: Sayings) -> bool:
    """True for a line of no action that may belong to a rolled order: a total, the order itself, dice and choices."""
    line = game.log[number]
    if game.act_of(number) or not isinstance(line, Event):
        return not game.act_of(number)
    return line.kind in sayings.orders and (hasattr(line, "total") or hasattr(line, "order"))


def _names_along(game: Game, viewer: str) -> dict[str, str]:
    """Names of the participants that the viewer could see at any time of the log."""
    names: dict[str, str] = {}
    for scene in game.scenes_along():
        for one in scene.participants:
            if one.id not in names and scene.can_see(viewer, one.id):
                names[one.id] = scene.display_name(one.id)
    return names
