"""Sessions: one scene played by people and bots, with a record to save, resume, undo and replay it.

Each input from outside is a record *entry*: a started process, a joining participant, the faces of a roll, the id of an
option. The header and the entries reproduce the log byte for byte. The log is stored beside them as *facts*, which
makes a changed rule an error instead of a silent difference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from tablewright.dice import Die, SeededDice
from tablewright.engine import Answer, Choice, Playthrough, Roll, SetOutcome, Trace
from tablewright.engine.request import EVERYONE
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.character.character import read_character
from tablewright.game.files.atomic import write_atomically
from tablewright.game.ids import free_id
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import ParticipantJoined
from tablewright.game.play.damage_reduction import damage_reducer
from tablewright.game.scene.events import Event
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.processes import find_process
from tablewright.game.session.record import Entry, JoinEntry, ReducedEntry, StartEntry, entry_from_json, entry_to_json
from tablewright.game.system.rulebook import Rating, Rulebook

FORMAT = 1
MOST_ENTRIES = 1_000_000
MOST_PARTICIPANTS = 200
Line: TypeAlias = "Event | Trace | Any"


@dataclass(frozen=True, slots=True)
class SessionHeader:
    """The start of a session. The seed belongs to the game master for ever: no projection contains it."""

    system: str
    version: str
    scene: Scene
    seed: int
    source: Mapping[str, Any] = field(default_factory=dict)


class RulesChangedError(TablewrightError):
    """A saved session no longer reproduces its log: the rules or the content have changed."""

    exit_status = 1


class Session:
    """A scene under way with its record. ``result`` is the result of the last finished process.

    A caller that stores the record itself does not call :meth:`undo` but opens a session with a shorter record. It then
    passes ``branch``, the number of undos so far (new dice come from that branch), and the ``remembered`` rolls.
    """

    def __init__(
        self,
        header: SessionHeader,
        book: Rulebook,
        entries: Iterable[Entry] = (),
        *,
        branch: int = 0,
        remembered: Mapping[str, Sequence[tuple[int, ...]]] | None = None,
    ) -> None:
        self.header = header
        self.rulebook = book
        self.undone: list[tuple[Entry, ...]] = []
        self._earlier_branches = branch
        self._forgotten = {key: list(rolls) for key, rolls in (remembered or {}).items()}
        self._begin()
        for entry in entries:
            self.enter(entry)

    def _begin(self) -> None:
        self.live = Game(self.header.scene, self.rulebook)
        self.entries: list[Entry] = []
        self._stack: list[Playthrough[Any]] = []
        self._one_act: list[bool] = []
        self.result: Any = None
        self._counts: dict[str, int] = {}

    # ------------------------------------------------------------------ reading

    @property
    def scene(self) -> Scene:
        """The current scene."""
        return self.live.scene

    @property
    def log(self) -> list[Line]:
        """Events and traces of played rules, in order."""
        return self.live.log

    @property
    def facts(self) -> list[dict[str, Any]]:
        """The log as JSON."""
        return [line.to_json() for line in self.live.log]

    @property
    def playing(self) -> Playthrough[Any] | None:
        """The rule that waits for an answer, or None."""
        return self._stack[-1] if self._stack else None

    @property
    def question(self) -> Roll[Any] | Choice[Any] | None:
        """The open question, or None if nothing is under way."""
        return self._stack[-1].question if self._stack else None

    @property
    def seat(self) -> str | None:
        """The seat that has to answer, or None."""
        return self._stack[-1].seat if self._stack else None

    @property
    def rate(self) -> Callable[[Scene, str, ActionUse], Rating]:
        """The rulebook's rating of options, as bots use it."""
        return self.rulebook.rate_use

    @property
    def branch(self) -> int:
        """Number of undos; dice rolled since then come from another branch of their stream."""
        return self._earlier_branches + len(self.undone)

    @property
    def remembered(self) -> dict[str, list[tuple[int, ...]]]:
        """Faces of undone rolls by roll key; the same roll shows them again."""
        return {key: list(rolls) for key, rolls in self._forgotten.items() if rolls}

    @property
    def roll_key(self) -> str | None:
        """Key of the roll that is open now, or None if no roll is; equal keys mean the same roll."""
        return _key(self._stack[-1]) if isinstance(self.question, Roll) else None

    # ------------------------------------------------------------------ answering

    def do(self, process: str, **arguments: Any) -> None:
        """Start a process by name; an open question waits until the process has ended."""
        self.enter(StartEntry(process, arguments))

    def join(self, entrant: Mapping[str, Any]) -> None:
        """Add a participant to a running scene from plain data.

        Keys: ``character``, ``id``, ``name``, ``side``, ``seat``, ``position`` and ``hidden``; only ``character`` is
        required.
        """
        self.enter(JoinEntry(entrant))

    def choose(self, option: str) -> None:
        """Take an option by its id."""
        self.enter(option)

    def type_in(self, faces: Sequence[int]) -> None:
        """Answer a roll with the faces of real dice."""
        self.enter(tuple(faces))

    def set_outcome(self, outcome: str, reason: str) -> None:
        """Set the outcome of a roll by a ruling of the game master."""
        self.enter(SetOutcome(outcome, reason))

    def roll(self) -> None:
        """Roll the dice of the open roll; a roll that was undone gets the same faces again."""
        playing = self._waiting()
        if not isinstance(playing.question, Roll):
            raise InvalidInputError("no roll is asked for now; choose an option")
        remembered = self._forgotten.get(_key(playing)) if self._forgotten else None
        if remembered:
            self.enter(remembered[0])
            remembered.pop(0)
            return
        self._answer(playing, self._dice(playing))
        self._keep(playing.record[-1])

    def faces(self) -> tuple[int, ...]:
        """Faces that the open roll will show; this changes nothing."""
        playing = self._waiting()
        if not isinstance(playing.question, Roll):
            raise InvalidInputError("no roll is asked for now; choose an option")
        remembered = self._forgotten.get(_key(playing)) if self._forgotten else None
        if remembered:
            return remembered[0]
        dice, shown = self._dice(playing), list[int]()

        def keep(die: Die) -> int:
            shown.append(dice.face(die))
            return shown[-1]

        playing.question.dice.read(keep)
        return tuple(shown)

    def _dice(self, playing: Playthrough[Any]) -> SeededDice:
        """Dice for the open roll, at the current place of its stream."""
        stream = _stream(playing, self.scene.round)
        return SeededDice(self.header.seed, stream, self.branch, self._counts.get(stream, 0))

    def forget(self, key: str) -> None:
        """Drop the next remembered roll of this key: its faces came from elsewhere."""
        if self._forgotten.get(key):
            self._forgotten[key].pop(0)

    def enter(self, entry: Entry) -> None:
        """Apply one record entry and store it; a refused entry changes nothing."""
        if len(self.entries) >= MOST_ENTRIES:
            raise TablewrightError(f"a session holds at most {MOST_ENTRIES:,} entries")
        if isinstance(entry, ReducedEntry):
            self._tempered(entry)
        elif isinstance(entry, StartEntry):
            self._start(entry)
        elif isinstance(entry, JoinEntry):
            self._come(entry)
        else:
            self._answer(self._waiting(), entry)
        self._keep(entry)

    def _tempered(self, entry: ReducedEntry) -> None:
        """Apply an entry while damage to others is reduced."""
        live = self.live
        live.temper = damage_reducer(entry.part)
        try:
            if isinstance(entry.entry, StartEntry):
                self._start(entry.entry)
            else:
                self._answer(self._waiting(), entry.entry)
        finally:
            live.temper = None

    def _answer(self, playing: Playthrough[Any], entry: Answer | SeededDice) -> None:
        """Answer the waiting rule; restore the session if the rule fails."""
        is_roll = isinstance(playing.question, Roll)
        counted = _stream(playing, self.scene.round) if is_roll else f"choice:{playing.seat}"
        try:
            if isinstance(entry, SeededDice):
                playing.roll(entry)
            else:
                playing.answer(entry)
        except Exception:
            if playing.broken:
                self._again(self.entries)
            raise
        self._counts[counted] = self._counts.get(counted, 0) + 1

    def _keep(self, entry: Entry) -> None:
        """Store an entry; remove it and restore the session if a question below it fails on renewal."""
        self.entries.append(entry)
        try:
            self._settle(stale=isinstance(entry, JoinEntry))
        except Exception:
            self._again(self.entries[:-1])
            raise

    def _again(self, entries: Sequence[Entry]) -> None:
        """Restart from the header and apply these entries."""
        self._begin()
        for entry in entries:
            self.enter(entry)

    def _waiting(self) -> Playthrough[Any]:
        if not self._stack:
            raise InvalidInputError("nothing is asked now; start a process first")
        return self._stack[-1]

    def _start(self, entry: StartEntry) -> None:
        process = find_process(self.rulebook, entry.process)
        rule = process.read(self.live, entry.arguments)
        scene, lines = self.scene, len(self.log)
        one_act = process is not self.rulebook.encounter
        if one_act:
            self.live.begin_act(inside=False)
        try:
            playing: Playthrough[Any] = Playthrough(rule, self.live.log)
        except Exception:
            if one_act:
                self.live.end_act()
            self.live.take_back(scene, lines)
            raise
        self._stack.append(playing)
        self._one_act.append(one_act)

    def _come(self, entry: JoinEntry) -> None:
        if len(self.scene.participants) >= MOST_PARTICIPANTS:
            raise InvalidInputError(f"a scene holds at most {MOST_PARTICIPANTS} participants")
        participant = entrant(self.rulebook, self.scene, entry.entrant)
        event = ParticipantJoined(
            who=participant.id, name=participant.name, side=participant.side, participant=participant, cause="table"
        )
        self.live.emit(event)

    def _settle(self, *, stale: bool) -> None:
        """Pop ended processes; renew the question below them after a change, or let it lapse."""
        uncovered = stale
        while self._stack:
            question = self._stack[-1].question
            if question is None:
                self.result = self._stack.pop().result
                if self._one_act.pop():
                    self.live.end_act()
                uncovered = True
                continue
            if not uncovered or not isinstance(question, Choice):
                return
            question.renew()
            if not question.lapsed:
                return
            self._stack[-1].choose(0)
            uncovered = False

    def dice_for_choices(self, seat: str) -> SeededDice:
        """Dice for a bot that chooses at random: the stream of its seat at the place of its next choice."""
        return SeededDice(self.header.seed, f"bot:{seat}", self.branch, self._counts.get(f"choice:{seat}", 0))

    # ------------------------------------------------------------------ undo

    def undo(self, count: int = 1, rolls: Mapping[str, Sequence[tuple[int, ...]]] | None = None) -> None:
        """Take back the last ``count`` entries. The same roll shows the same faces again; other rolls get new dice.

        ``rolls`` are the faces of the undone rolls by :attr:`roll_key`; without them the entries are replayed to find
        them.
        """
        if not 1 <= count <= len(self.entries):
            raise InvalidInputError(f"{count} entries cannot be undone; there are {len(self.entries)}")
        kept, gone = self.entries[:-count], self.entries[-count:]
        if rolls is None:
            self._again(kept)
            rolls = self.rolls_of(gone)
        self._forgotten = {key: list(faces) for key, faces in rolls.items()}
        self.undone.append(tuple(gone))
        self._again(kept)

    def rolls_of(self, entries: Sequence[Entry]) -> dict[str, list[tuple[int, ...]]]:
        """Apply entries and return the faces of their rolls by roll key."""
        rolls: dict[str, list[tuple[int, ...]]] = {}
        for entry in entries:
            faces = entry.entry if isinstance(entry, ReducedEntry) else entry
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
        """Write the session to a file, replacing an existing one atomically."""
        write_atomically(path, json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":")))

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Bring a new session to the state of a saved one; raise `RulesChangedError` if the logs differ."""
        self.undone = [tuple(map(entry_from_json, gone)) for gone in saved.get("undone", [])]
        for number, entry in enumerate(map(entry_from_json, saved["entries"]), start=1):
            try:
                self.enter(entry)
            except TablewrightError as refused:
                raise RulesChangedError(
                    f"entry {number} of {len(saved['entries'])} does not fit any more ({refused}): "
                    "the rules or the content have changed since"
                ) from None
        self._forgotten = {key: [tuple(faces) for faces in rolls] for key, rolls in saved.get("forgotten", {}).items()}
        for position, (now, then) in enumerate(zip(self.facts, saved["facts"], strict=False)):
            if not is_same_fact(now, then):
                raise RulesChangedError(
                    f"line {position + 1} of the log comes out differently than when it was played "
                    f"({then.get('event', then.get('mechanic'))}): the rules or the content have changed since"
                )
        if len(self.facts) != len(saved["facts"]):
            raise RulesChangedError(f"the log has {len(self.facts)} lines, but {len(saved['facts'])} were played")


def is_same_fact(now: Mapping[str, Any], then: Mapping[str, Any]) -> bool:
    """True if two records of a line agree.

    The cause may differ, because it names a rule and changes no state, and so may the display names in a text. A record
    that lacks a field was made before there was one.

    >>> is_same_fact({"event": "Rested", "cause": "demo.rest.night"}, {"event": "Rested", "cause": "demo.rest"})
    True
    >>> is_same_fact({"event": "Fell", "told": "Guard 1 is dead"}, {"event": "Fell", "told": "guard-1 is dead"})
    True
    """
    if now == then:
        return True
    return all(name == "cause" or (name in now and _is_alike(now[name], value)) for name, value in then.items())


def _is_alike(now: Any, then: Any) -> bool:
    """True if two values are equal, or two texts of several words that differ only in how they number a name."""
    if now == then:
        return True
    if not isinstance(now, str) or not isinstance(then, str) or " " not in then:
        return False
    return _without_numbers(now) == _without_numbers(then)


def _without_numbers(text: str) -> str:
    return re.sub(r"\(.*?\)|[\W\d_]+", "", text.casefold())


def _stream(playing: Playthrough[Any], scene_round: int) -> str:
    """Dice stream of the open roll: its audience, round, seat and rule.

    One more roll of a rule therefore changes no dice of other rules, seats and rounds. Hidden rolls have streams of
    their own, so that public dice do not reveal their number.
    """
    seen = "scene" if playing.audience == EVERYONE else f"to:{playing.audience}"
    rule = playing.calls[0].mechanic.name if playing.calls else ""
    return f"{seen}/{scene_round}/{playing.seat}/{rule}"


def _key(playing: Playthrough[Any]) -> str:
    """Key of the open roll: seat, rule, dice and audience."""
    call = repr(playing.calls[-1]) if playing.calls else ""
    return f"{playing.seat}|{call}|{playing.question!r}|{playing.audience}"


JOINED = "players"
"""Default side of a joining participant."""


def entrant(book: Rulebook, scene: Scene, given: Mapping[str, Any]) -> Any:
    """Create a participant for a scene from plain data; unknown keys and an id in use are refused."""
    known = {"character", "id", "name", "side", "seat", "position", "hidden"}
    unknown = sorted(set(given) - known)
    if unknown:
        raise InvalidInputError(
            f'"{unknown[0]:.40}" is unknown; allowed are: {", ".join(sorted(known))}', field=unknown[0]
        )
    character = given.get("character")
    if isinstance(character, Mapping):
        character = read_character(character, book.character).character
    elif isinstance(character, str):
        character = book.character_of(character, scene.library)
    if character is None:
        raise InvalidInputError("a participant who joins needs a character", field="character")
    who = str(given.get("id") or free_id(character.name, scene, longest=None))
    if who in scene and scene[who].present:
        raise InvalidInputError(f'there is already a participant called "{who}"', field="id")
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
