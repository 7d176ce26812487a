"""Games that a language model plays: a fight in this process, or a seat at a live table, behind one interface."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Protocol

from tablewright.agents.mcp.pages import MOST_TEXT, last_lines, options_json, options_text
from tablewright.api.advice import Advice
from tablewright.api.fight import Fight
from tablewright.api.live import LiveSeat
from tablewright.api.live_protocol import APPROVAL_SECONDS
from tablewright.api.odds import Odds
from tablewright.api.turn import Turn
from tablewright.errors import InvalidInputError, did_you_mean

MOST_GAMES = 100
"""Games that a server keeps; a new one then replaces the one that was used least recently."""

MOST_PEOPLE = 12
MOST_WAIT = 60.0
"""Upper bound for the seconds of one wait for a turn at a live table."""


class PlayedGame(Protocol):
    """A game as one seat plays it."""

    id: str
    lock: threading.RLock

    @property
    def turn(self) -> Turn | None:
        """The open choice of the seat; None if it is not asked."""

    @property
    def scene(self) -> Mapping[str, Any]:
        """The scene as the seat may see it."""

    @property
    def ended(self) -> str | None:
        """The end in words; None while the game goes on."""

    @property
    def side(self) -> str:
        """Side of the seat."""

    @property
    def mark(self) -> int:
        """Place in the log; :meth:`lines` takes it."""

    def lines(self, since: int = 0) -> list[str]:
        """The story from a mark on in sentences, as the seat may know it."""

    def choose(self, option: str) -> None:
        """Answer the open choice."""

    def wait(self, seconds: float) -> None:
        """Wait until the seat is asked or the game ends."""

    def close(self) -> None:
        """Leave the game."""


class LocalGame:
    """A fight in this process; one side is the model's, bots play the others."""

    def __init__(self, fight: Fight, side: str) -> None:
        self.id = f"fight-{secrets.token_hex(4)}"
        self.lock = threading.RLock()
        self.side = side
        self._fight = fight
        self._seats = {one["seat"] for one in fight.people if one["side"] == side}
        self._settle()

    def _settle(self) -> None:
        """Answer choices of other seats by default: rulings of the game master are not the model's to see."""
        fight = self._fight
        while not fight.over and (turn := fight.seen_by(fight.asked or "")).seat not in self._seats:
            fight.choose(turn.default)

    @property
    def turn(self) -> Turn | None:
        """The open choice of the side; None at the end."""
        return None if self._fight.over else self._fight.seen_by(self._fight.asked or "")

    @property
    def scene(self) -> Mapping[str, Any]:
        """The scene as the side may see it."""
        return self._fight.scene_of(self.side)

    @property
    def ended(self) -> str | None:
        """The end in words; None while the fight goes on."""
        return (self._fight.ended or "it is over") if self._fight.over else None

    @property
    def mark(self) -> int:
        """Place in the log."""
        return self._fight.lines

    def lines(self, since: int = 0) -> list[str]:
        """The story from a mark on as the side may know it."""
        return [line.strip() for line in self._fight.narrate(since, viewer=self.side).splitlines()]

    def choose(self, option: str) -> None:
        """Answer; bots and dice go on until the side is asked again."""
        turn = self.turn
        if turn is None:
            raise InvalidInputError("this fight is over; start another one")
        closed = next((one for one in turn.closed if one.id == option), None)
        if closed is not None:
            raise InvalidInputError(f'"{option:.60}" cannot be taken: {closed.reason}', rule=closed.rule)
        self._fight.choose(turn.option(option))
        self._settle()

    def wait(self, seconds: float) -> None:
        """Return at once: bots have answered already."""

    def close(self) -> None:
        """Drop nothing: a fight holds no connection."""


class TableGame:
    """A seat at a live table, with that seat's rights only."""

    def __init__(self, seat: LiveSeat) -> None:
        self.id = f"seat-{secrets.token_urlsafe(9)}"
        self.lock = threading.RLock()
        self._seat = seat

    @property
    def turn(self) -> Turn | None:
        """The open choice of the seat; None if another seat is asked."""
        return self._seat.turn if self._seat.view else None

    @property
    def scene(self) -> Mapping[str, Any]:
        """The scene as the seat may see it; empty between scenes."""
        return self._seat.view.get("scene") or {}

    @property
    def ended(self) -> str | None:
        """The end of the scene in words; None while it goes on or none is played."""
        ended: str | None = self.scene.get("ended")
        return ended

    @property
    def side(self) -> str:
        """Side of the seat's characters; empty if it has none here."""
        mine = self._seat.view.get("you", {}).get("characters", ())
        return next((one["side"] for one in self.scene.get("participants", ()) if one["id"] in mine), "")

    @property
    def mark(self) -> int:
        """Number of the last line that the seat has seen."""
        return int(self._seat.view.get("cursor", 0))

    def lines(self, since: int = 0) -> list[str]:
        """The log from a mark on in sentences as the seat may know it."""
        return self._seat.narrate(since).splitlines()

    def choose(self, option: str) -> None:
        """Answer at the table, and wait a moment for the next lines."""
        if self.turn is None:
            raise InvalidInputError(f'this seat is not asked now; call wait("{self.id}")')
        self._seat.choose(option)
        self._seat.wait(1.0)

    def wait(self, seconds: float) -> None:
        """Follow the table until the seat is asked or the scene ends; a seat that is not approved is only looked at."""
        end = time.monotonic() + seconds
        while not self._seat.is_approved():
            if time.monotonic() + APPROVAL_SECONDS > end:
                return
            time.sleep(APPROVAL_SECONDS)
        self._seat.wait(max(0.0, end - time.monotonic()))

    def close(self) -> None:
        """Leave the table; the seat stays."""
        self._seat.close()


class Games:
    """Games of one server by id."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, PlayedGame] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, game: PlayedGame) -> None:
        """Keep a game; the least recently used one is left if there are too many."""
        left = []
        with self._lock:
            self._games[game.id] = game
            while len(self._games) > MOST_GAMES:
                left.append(self._games.popitem(last=False)[1])
        for one in left:
            one.close()

    def find(self, name: str) -> PlayedGame:
        """A game by its id; an unknown one is refused, and the ids of others are not told."""
        with self._lock:
            if name not in self._games:
                near = did_you_mean(name, [known for known in self._games if known.startswith("fight-")])
                raise InvalidInputError(f'there is no game "{name:.40}"{near}; start_fight or join_table gives its id')
            self._games.move_to_end(name)
            return self._games[name]

    def drop(self, name: str) -> None:
        """Leave a game."""
        game = self.find(name)
        with self._lock:
            self._games.pop(name, None)
        game.close()

    def close(self) -> None:
        """Leave all games."""
        for name in list(self._games):
            self.drop(name)


class GameView:
    """State of a game in text and as plain data: what happened, who is here, and what may be chosen."""

    def __init__(self, game: PlayedGame, since: int = 0) -> None:
        self.data: dict[str, Any] = {"game": game.id}
        told, before = last_lines(game.lines(since))
        parts = []
        if before:
            parts.append(f'({before} earlier lines: story(game="{game.id}"))')
        parts += told
        self.data["told"] = last_lines(told, MOST_TEXT // 4)[0]
        scene = game.scene
        if scene:
            people, more = _people(scene, game.side)
            self.data |= {"round": scene["round"], "people": people}
            parts += ["", f"Round {scene['round']}. You play {game.side or 'no side'}.", *_people_lines(people, more)]
        turn = game.turn
        if game.ended is not None:
            self.data |= {"state": "over", "ended": game.ended}
            parts += ["", f"It is over: {game.ended}."]
        elif turn is None:
            self.data["state"] = "waiting"
            parts += ["", f'This seat is not asked now. Call wait(game="{game.id}").']
        else:
            self.data |= {"state": "your turn", "question": turn.question, "who": turn.who, "default": turn.default.id}
            options = options_json(turn.options)
            self.data |= options
            asked = f"Asked: {turn.heading or turn.question}"
            closing = f'Answer with choose(game="{game.id}", option=ID). The usual answer is `{turn.default.id}`.'
            parts += ["", asked, options_text(options, game.id), closing]
        self.text = "\n".join(parts).strip()


def _people(scene: Mapping[str, Any], side: str) -> tuple[list[dict[str, Any]], int]:
    """Participants in short, the own side first, and the number of those left out."""
    present = [one for one in scene["participants"] if one["present"]]
    present.sort(key=lambda one: one["side"] != side)
    shown = [
        {name: participant[name] for name in ("id", "name", "side", "health")}
        | ({"position": participant["position"]} if participant.get("position", "here") != "here" else {})
        for participant in present[:MOST_PEOPLE]
    ]
    return shown, len(present) - len(shown)


def _people_lines(people: list[dict[str, Any]], more: int) -> list[str]:
    rows = [
        f"- {one['name']} (`{one['id']}`, {one['side']}): {one['health']}"
        + (f", at {one['position']}" if "position" in one else "")
        for one in people
    ]
    return [*rows, f"- and {more} more"] if more else rows


def demand_turn(game: PlayedGame) -> Turn:
    """The open choice of a game; without one, an error says what to do."""
    turn = game.turn
    if turn is None:
        over = game.ended is not None
        raise InvalidInputError("the game is over" if over else f'this seat is not asked now; call wait("{game.id}")')
    return turn


def turn_odds(game: PlayedGame, option: str) -> Odds[Any]:
    """Exact odds behind an option of the open choice, by what the seat may know."""
    return demand_turn(game).odds(option)


def turn_advice(game: PlayedGame) -> Advice[Any]:
    """Values of the options of the open choice, by what the seat may know."""
    return demand_turn(game).advice()
