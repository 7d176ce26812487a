"""A session: one scene played by people and bots, recorded so that it can be saved, resumed, undone and replayed.

Everything that comes from outside is an *entry*: a process that was started, somebody who joined, the faces of a roll,
the id of an option. The header and the entries bring about the same facts again, byte for byte; the facts are kept
beside them, so that a changed rule is noticed instead of silently applied.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from tablewright.dice import Dice, Die
from tablewright.engine import Answer, Choose, Playing, Roll, Set, Trace
from tablewright.engine.asks import EVERYONE
from tablewright.errors import BadInput, TablewrightError
from tablewright.game.actions import Use
from tablewright.game.character import read_character
from tablewright.game.common import Joined
from tablewright.game.events import GAME_MASTER, Event
from tablewright.game.files import write_atomically
from tablewright.game.rulebook import Rating, Rulebook
from tablewright.game.scene import Live, Scene
from tablewright.game.sparing import tempering

FORMAT = 1
MOST_ENTRIES = 1_000_000
MOST_PARTICIPANTS = 200

Entry: TypeAlias = "Answer | Started | Came | Tempered"
Line: TypeAlias = "Event | Trace | Any"


@dataclass(frozen=True, slots=True)
class Started:
    """A process was started by name."""

    process: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Came:
    """Somebody joined: the character and the place, as plain data."""

    entrant: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tempered:
    """Something else that was taken, with harm to others counting only in part: ``half`` or ``none`` of it."""

    entry: Answer | Started
    part: str


@dataclass(frozen=True, slots=True)
class Header:
    """What a session starts from. The seed is the game master's for ever: it is in no projection."""

    system: str
    version: str
    scene: Scene
    seed: int
    source: Mapping[str, Any] = field(default_factory=dict)


class RulesChanged(TablewrightError):
    """A saved session no longer gives the same facts: the rules or the content have changed since."""

    exit_status = 1


class Session:
    """A scene under way with its record. ``result`` is what the process that ended last gave.

    Whoever keeps the record elsewhere makes a new session of a shorter record instead of calling :meth:`undo`, and says
    how often that has happened (``branch``: new dice come from there) and which rolls are ``remembered``.
    """

    def __init__(
        self,
        header: Header,
        book: Rulebook,
        entries: Iterable[Entry] = (),
        *,
        branch: int = 0,
        remembered: Mapping[str, Sequence[tuple[int, ...]]] | None = None,
    ) -> None:
        self.header = header
        self.book = book
        self.undone: list[tuple[Entry, ...]] = []
        self._earlier_branches = branch
        self._forgotten = {key: list(rolls) for key, rolls in (remembered or {}).items()}
        self._begin()
        for entry in entries:
            self.enter(entry)

    def _begin(self) -> None:
        self.live = Live(self.header.scene, self.book)
        self.entries: list[Entry] = []
        self._stack: list[Playing[Any]] = []
        self.result: Any = None
        self._counts: dict[str, int] = {}

    # ------------------------------------------------------------------ reading

    @property
    def scene(self) -> Scene:
        """The present scene."""
        return self.live.scene

    @property
    def log(self) -> list[Line]:
        """Everything that happened: events, and traces of the rules that were played, in order."""
        return self.live.log

    @property
    def facts(self) -> list[dict[str, Any]]:
        """The log as JSON."""
        return [line.to_json() for line in self.live.log]

    @property
    def playing(self) -> Playing[Any] | None:
        """The rule that waits for an answer, if any."""
        return self._stack[-1] if self._stack else None

    @property
    def question(self) -> Roll[Any] | Choose[Any] | None:
        """What is asked now; None when nothing is under way."""
        return self._stack[-1].question if self._stack else None

    @property
    def seat(self) -> str | None:
        """Who is asked."""
        return self._stack[-1].seat if self._stack else None

    @property
    def rate(self) -> Callable[[Scene, str, Use], Rating]:
        """What options promise at a glance: what bots go by."""
        return self.book.rate

    @property
    def branch(self) -> int:
        """How often something was taken back: dice that are new since come from another branch of their stream."""
        return self._earlier_branches + len(self.undone)

    @property
    def remembered(self) -> dict[str, list[tuple[int, ...]]]:
        """The faces of rolls that were taken back, by what was rolled: the same roll shows them again."""
        return {key: list(rolls) for key, rolls in self._forgotten.items() if rolls}

    @property
    def roll_key(self) -> str | None:
        """What makes another roll the same as the one that is asked for now; None where no roll is."""
        return _key(self._stack[-1]) if isinstance(self.question, Roll) else None

    # ------------------------------------------------------------------ answering

    def do(self, process: str, **arguments: Any) -> None:
        """Start a process by name; a question that is open waits until the new one has ended."""
        self.enter(Started(process, arguments))

    def join(self, entrant: Mapping[str, Any]) -> None:
        """Somebody comes in the middle: ``character`` as plain data, ``id``, ``side``, ``seat``, ``position``."""
        self.enter(Came(entrant))

    def choose(self, option: str) -> None:
        """Take an option by its id."""
        self.enter(option)

    def type_in(self, faces: Sequence[int]) -> None:
        """Answer a roll with the faces of real dice."""
        self.enter(tuple(faces))

    def set_outcome(self, outcome: str, reason: str) -> None:
        """The game master sets what a roll comes out as."""
        self.enter(Set(outcome, reason))

    def roll(self) -> None:
        """Throw the dice that are asked for; the same roll as before an undo gets the same dice."""
        playing = self._waiting()
        if not isinstance(playing.question, Roll):
            raise BadInput("no roll is asked for now")
        remembered = self._forgotten.get(_key(playing)) if self._forgotten else None
        if remembered:
            self.enter(remembered[0])
            remembered.pop(0)
            return
        self._answer(playing, self._dice(playing))
        self._keep(playing.record[-1])

    def faces(self) -> tuple[int, ...]:
        """What the dice that are asked for will show when they are thrown; asking changes nothing."""
        playing = self._waiting()
        if not isinstance(playing.question, Roll):
            raise BadInput("no roll is asked for now")
        remembered = self._forgotten.get(_key(playing)) if self._forgotten else None
        if remembered:
            return remembered[0]
        dice, shown = self._dice(playing), list[int]()

        def keep(die: Die) -> int:
            shown.append(dice.face(die))
            return shown[-1]

        playing.question.dice.read(keep)
        return tuple(shown)

    def _dice(self, playing: Playing[Any]) -> Dice:
        """Where the faces of the roll that is asked for come from."""
        stream = _stream(playing)
        return Dice(self.header.seed, stream, self.branch, self._counts.get(stream, 0))

    def forget(self, key: str) -> None:
        """Forget the next remembered roll of a kind: somebody took its faces from elsewhere."""
        if self._forgotten.get(key):
            self._forgotten[key].pop(0)

    def enter(self, entry: Entry) -> None:
        """Take something from outside, as it stands in a record; refused entries change nothing."""
        if len(self.entries) >= MOST_ENTRIES:
            raise TablewrightError(f"a session holds at most {MOST_ENTRIES:,} entries")
        if isinstance(entry, Tempered):
            self._tempered(entry)
        elif isinstance(entry, Started):
            self._start(entry)
        elif isinstance(entry, Came):
            self._come(entry)
        else:
            self._answer(self._waiting(), entry)
        self._keep(entry)

    def _tempered(self, entry: Tempered) -> None:
        """Take something while harm to others counts only in part."""
        live = self.live
        live.temper = tempering(entry.part)
        try:
            if isinstance(entry.entry, Started):
                self._start(entry.entry)
            else:
                self._answer(self._waiting(), entry.entry)
        finally:
            live.temper = None

    def _answer(self, playing: Playing[Any], entry: Answer | Dice) -> None:
        """Give an answer to the rule that waits; if the rule fails on it, everything is as it was before."""
        counted = _stream(playing) if isinstance(playing.question, Roll) else f"choice:{playing.seat}"
        try:
            if isinstance(entry, Dice):
                playing.roll(entry)
            else:
                playing.answer(entry)
        except Exception:
            if playing.broken:
                self._again(self.entries)
            raise
        self._counts[counted] = self._counts.get(counted, 0) + 1

    def _keep(self, entry: Entry) -> None:
        """Keep what was taken from outside; if what it uncovers fails, it is taken back and everything is as before."""
        self.entries.append(entry)
        try:
            self._settle(stale=isinstance(entry, Came))
        except Exception:
            self._again(self.entries[:-1])
            raise

    def _again(self, entries: Sequence[Entry]) -> None:
        """Begin anew and take the same entries."""
        self._begin()
        for entry in entries:
            self.enter(entry)

    def _waiting(self) -> Playing[Any]:
        if not self._stack:
            raise BadInput("nothing is asked now; start a process first")
        return self._stack[-1]

    def _start(self, entry: Started) -> None:
        process = self.book.process(entry.process)
        rule = process.read(self.live, entry.arguments)
        scene, lines = self.scene, len(self.log)
        try:
            playing: Playing[Any] = Playing(rule, self.live.log)
        except Exception:
            self.live.take_back(scene, lines)
            raise
        self._stack.append(playing)

    def _come(self, entry: Came) -> None:
        if len(self.scene.participants) >= MOST_PARTICIPANTS:
            raise BadInput(f"a scene holds at most {MOST_PARTICIPANTS} participants")
        participant = entrant(self.book, self.scene, entry.entrant)
        event = Joined(
            who=participant.id, name=participant.name, side=participant.side, participant=participant, cause="table"
        )
        self.live.emit(event)

    def _settle(self, *, stale: bool) -> None:
        """Leave processes that have ended; renew a question that something else happened to, or let it lapse."""
        uncovered = stale
        while self._stack:
            question = self._stack[-1].question
            if question is None:
                self.result = self._stack.pop().result
                uncovered = True
                continue
            if not uncovered or not isinstance(question, Choose):
                return
            question.renew()
            if not question.lapsed:
                return
            self._stack[-1].choose(0)
            uncovered = False

    def dice_for_choices(self, seat: str) -> Dice:
        """Dice for a bot that chooses at random: a stream of its seat, at the place of its next choice."""
        return Dice(self.header.seed, f"bot:{seat}", self.branch, self._counts.get(f"choice:{seat}", 0))

    # ------------------------------------------------------------------ undo

    def undo(self, count: int = 1, rolls: Mapping[str, Sequence[tuple[int, ...]]] | None = None) -> None:
        """Take back the last entries. What was rolled is remembered for the same roll; other rolls get new dice.

        Whoever has noted the ``rolls`` of these entries (see :attr:`roll_key`) spares finding them by playing again.
        """
        if not 1 <= count <= len(self.entries):
            raise BadInput(f"{count} entries cannot be undone; there are {len(self.entries)}")
        kept, gone = self.entries[:-count], self.entries[-count:]
        if rolls is None:
            self._again(kept)
            rolls = self.rolls_of(gone)
        self._forgotten = {key: list(faces) for key, faces in rolls.items()}
        self.undone.append(tuple(gone))
        self._again(kept)

    def rolls_of(self, entries: Sequence[Entry]) -> dict[str, list[tuple[int, ...]]]:
        """Take some entries and note the faces of every roll by what was rolled."""
        rolls: dict[str, list[tuple[int, ...]]] = {}
        for entry in entries:
            faces = entry.entry if isinstance(entry, Tempered) else entry
            if isinstance(faces, tuple) and self.playing is not None:
                rolls.setdefault(_key(self.playing), []).append(faces)
            self.enter(entry)
        return rolls

    # ------------------------------------------------------------------ files

    def to_json(self) -> dict[str, Any]:
        """The whole session as JSON: header, entries and facts. It holds the seed and all secrets."""
        return {
            "tablewright": "session",
            "format": FORMAT,
            "system": self.header.system,
            "version": self.header.version,
            "seed": self.header.seed,
            "source": dict(self.header.source),
            "entries": [entry_to_json(entry) for entry in self.entries],
            "undone": [[entry_to_json(entry) for entry in gone] for gone in self.undone],
            "forgotten": {key: [list(faces) for faces in rolls] for key, rolls in self._forgotten.items()},
            "facts": self.facts,
        }

    def save(self, path: Path) -> None:
        """Write the session; a file that was there is replaced in one step or not at all."""
        write_atomically(path, json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":")))

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Bring a new session to the state of a saved one, and compare the facts."""
        self.undone = [tuple(map(entry_from_json, gone)) for gone in saved.get("undone", [])]
        for entry in saved["entries"]:
            self.enter(entry_from_json(entry))
        self._forgotten = {key: [tuple(faces) for faces in rolls] for key, rolls in saved.get("forgotten", {}).items()}
        for position, (now, then) in enumerate(zip(self.facts, saved["facts"], strict=False)):
            if not is_same_fact(now, then):
                raise RulesChanged(
                    f"line {position + 1} of the log comes out differently than when it was played "
                    f"({then.get('event', then.get('mechanic'))}): the rules or the content have changed since"
                )
        if len(self.facts) != len(saved["facts"]):
            raise RulesChanged(f"the log has {len(self.facts)} lines, but {len(saved['facts'])} were played")


def is_same_fact(now: Mapping[str, Any], then: Mapping[str, Any]) -> bool:
    """Whether two records of a line agree; the cause may differ, because it names a rule and changes no state.

    >>> is_same_fact({"event": "Rested", "cause": "demo.rest.night"}, {"event": "Rested", "cause": "demo.rest"})
    True
    """
    return now == then or {**now, "cause": None} == {**then, "cause": None}


def _stream(playing: Playing[Any]) -> str:
    """Hidden rolls have a stream of their own, so that their number cannot be read from public dice."""
    return "scene" if playing.audience == EVERYONE else f"to:{playing.audience}"


def _key(playing: Playing[Any]) -> str:
    """What makes two rolls the same roll: who rolls what for which rule."""
    call = repr(playing.calls[-1]) if playing.calls else ""
    return f"{playing.seat}|{call}|{playing.question!r}|{playing.audience}"


JOINED = "players"
"""The side of somebody who joins where nothing else is said."""


def entrant(book: Rulebook, scene: Scene, given: Mapping[str, Any]) -> Any:
    """Somebody who comes into a scene, from plain data."""
    known = {"character", "id", "name", "side", "seat", "position", "hidden"}
    unknown = sorted(set(given) - known)
    if unknown:
        raise BadInput(f'"{unknown[0]:.40}" is unknown; allowed are: {", ".join(sorted(known))}', field=unknown[0])
    character = given.get("character")
    if isinstance(character, Mapping):
        character = read_character(character, book.character).character
    elif isinstance(character, str):
        character = book.character_of(character, scene.library)
    if character is None:
        raise BadInput("somebody who joins needs a character", field="character")
    who = str(given.get("id") or free_id(scene, character.name))
    if who in scene and scene[who].present:
        raise BadInput(f'somebody called "{who}" is here already', field="id")
    position = given.get("position")
    return book.participant(
        character,
        scene.options,
        scene.library,
        id=who,
        name=str(given.get("name") or character.name),
        side=str(given.get("side", JOINED)),
        seat=str(given.get("seat", GAME_MASTER)),
        position=scene.ground.parse(position) if isinstance(position, str) else position,
        hidden=bool(given.get("hidden", False)),
    )


def free_id(scene: Scene, name: str) -> str:
    """An id for a newcomer made of the name, with a number where it is taken.

    >>> free_id(Scene("demo"), "Old Tom")
    'old-tom'
    """
    words = "".join([letter if letter.isalnum() else " " for letter in name.casefold()]).split()
    base = "-".join(words) or "somebody"
    wanted, number = base, 1
    while wanted in scene:
        number += 1
        wanted = f"{base}-{number}"
    return wanted


def entry_to_json(entry: Entry) -> Any:
    """An entry as it stands in a saved record."""
    if isinstance(entry, str):
        return entry
    if isinstance(entry, Started):
        return {"do": entry.process, "with": dict(entry.arguments)}
    if isinstance(entry, Came):
        return {"join": dict(entry.entrant)}
    if isinstance(entry, Set):
        return {"set": entry.outcome, "reason": entry.reason}
    if isinstance(entry, Tempered):
        return {"counts": entry.part, "of": entry_to_json(entry.entry)}
    return list(entry)


def entry_from_json(raw: Any) -> Entry:
    """The entry that a saved record holds."""
    if isinstance(raw, str):
        return raw
    if isinstance(raw, list):
        return tuple(raw)
    if isinstance(raw, dict):
        if "do" in raw:
            return Started(raw["do"], raw.get("with", {}))
        if "join" in raw:
            return Came(raw["join"])
        if "set" in raw:
            return Set(raw["set"], raw.get("reason", ""))
        if "counts" in raw:
            inner = entry_from_json(raw.get("of"))
            if not isinstance(inner, Came | Tempered):
                return Tempered(inner, str(raw["counts"]))
    raise BadInput(f"{raw!r:.60} is no entry of a session")
