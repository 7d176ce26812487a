"""What each viewer is told of a line: computed once, when it happens, from what that viewer may know then.

What was seen stays seen, and what was not does not appear later. Viewers count facts, not lines: whether something
unseen happened between two of them cannot be told by their numbers. The clock stops wherever something falls due; where
that is a secret the stop is one too, so time that passed is told when the next thing is, or when nothing is under way.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tablewright.game.common import TimePassed
from tablewright.game.events import GAME_MASTER
from tablewright.game.projection import project_line
from tablewright.game.session import Session
from tablewright.game.telling import Called, in_words, tell
from tablewright.table.campaign import Campaign
from tablewright.table.events import CharacterAdded, CharacterHanded, CharacterReplaced, TableEvent
from tablewright.table.seats import looks

Body = dict[str, Any]
"""What is told of one fact: ``kind``, ``fact`` and, where it goes into words, ``text``."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a line tells: the bodies as text, the game master's first, and for every viewer which of them, in order."""

    bodies: tuple[str, ...] = ()
    places: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def gathered(by_viewer: Mapping[str, Sequence[Body]]) -> Told:
    """Every body once."""
    known: dict[str, int] = {}
    places: dict[str, tuple[int, ...]] = {}
    bodies: list[str] = []
    for viewer in sorted(by_viewer, key=lambda name: name != GAME_MASTER):
        found: list[int] = []
        for body in by_viewer[viewer]:
            text = json.dumps(body, separators=(",", ":"))
            if viewer == GAME_MASTER or text not in known:
                known[text] = len(bodies)
                bodies.append(text)
            found.append(known[text])
        places[viewer] = tuple(found)
    return Told(tuple(bodies), places)


def of_event(event: TableEvent, before: Campaign, campaign: Campaign) -> Told:
    """What everybody is told of an event of the campaign itself; people are called as they were when it happened."""
    bodies: dict[str, list[Body]] = {}
    for viewer in campaign.viewers():
        owned = isinstance(event, CharacterAdded | CharacterReplaced) and _owns(event, viewer, campaign)
        seen = event.as_seen_by(viewer, owned=owned)
        if seen is not None:
            people = {name: _Person(seen[name]) for name in ("seat", "by") if isinstance(seen.get(name), str)}
            called = _names_in(event, viewer, before, campaign)
            body = _body("table", seen, in_words(event, seen | people, called))
            bodies[viewer] = [body | {"played": True} if event.played else body]
        else:
            bodies[viewer] = []
    return gathered(bodies)


class _Person(str):
    """The id of a seat: a character may have the same."""

    __slots__ = ()


def _names_in(event: TableEvent, viewer: str, *campaigns: Campaign) -> Called:
    """What the people and characters of a campaign are called; of several moments the first counts.

    Where several have the same name, as far as the viewer may know of them, their ids stand beside it.
    """
    people: dict[str, str] = {}
    heroes: dict[str, str] = {}
    for campaign in campaigns:
        all_, all_heroes = campaign.seats.values(), campaign.play.characters.values()
        people = {one.id: one.name for one in all_ if one.approved or viewer == GAME_MASTER} | people
        known = [one for one in all_heroes if one.known or viewer in (GAME_MASTER, campaign.owner(one.id))]
        heroes = {one.id: one.name for one in known} | heroes
    if isinstance(event, CharacterHanded) and event.name:
        heroes.setdefault(event.who, event.name)
    told_apart = (_told_apart(people), _told_apart(heroes))
    return lambda id_: told_apart[not isinstance(id_, _Person)].get(id_, id_)


def _told_apart(names: Mapping[str, str]) -> dict[str, str]:
    """Names as people read them: with the id beside them where another name looks the same."""
    often = Counter([looks(name) for name in names.values()])
    return {id_: f"{name} ({id_})" if often[looks(name)] > 1 else name for id_, name in names.items()}


def _owns(event: CharacterAdded | CharacterReplaced, viewer: str, campaign: Campaign) -> bool:
    return campaign.owner(event.who) == viewer


def _body(kind: str, fact: Any, text: str) -> Body:
    return {"kind": kind, "fact": fact, "text": text} if text else {"kind": kind, "fact": fact}


class Entered(NamedTuple):
    """What came from outside: who did it (empty for nobody), what was asked, and the entry as a record has it."""

    by: str
    asked: str
    entry: Any

    def body(self) -> Body:
        """What is told of it where nothing else is."""
        if isinstance(self.entry, dict):
            words = _plainly(self.entry.get("do")) or self.entry.get("set") or "somebody comes"
        else:
            words = " ".join(map(str, self.entry)) if isinstance(self.entry, list) else self.entry
        fact = {"asked": self.asked, "entry": self.entry}
        return _body("entry", fact, f"{self.asked}: {words}" if self.asked else str(words))


def _plainly(process: str | None) -> str:
    """What a process is called, without where it is from."""
    return (process or "").rpartition(".")[2].replace("_", " ")


class Feed:
    """What the viewers of one scene have been told of its log so far: ``held`` is time they have not heard of yet."""

    def __init__(self, scene: str) -> None:
        self.scene = scene
        self.held: dict[str, int] = {}

    def of_log(self, session: Session, start: int, viewers: Sequence[str], entered: Entered | None = None) -> Told:
        """What everybody is told of the log of a session from one of its lines on.

        Where what ``entered`` shows nothing to the game master or to whoever did it, they are told that alone: it can
        be undone, so it has a number. Whether somebody is told goes by what they themselves see, and by nothing else.
        """
        bodies = {viewer: self._of_viewer(session, start, viewer) for viewer in viewers}
        for viewer in (GAME_MASTER, entered.by) if entered is not None else ():
            if entered is not None and not bodies.get(viewer, [viewer]):
                bodies[viewer].append({"scene": self.scene} | entered.body())
        return gathered(bodies)

    def _of_viewer(self, session: Session, start: int, viewer: str) -> list[Body]:
        bodies: list[Body] = []
        held = self.held.get(viewer, 0)
        for number in range(start, len(session.log)):
            line = session.log[number]
            before, after = session.live.scenes_of(number)
            seen = project_line(line, after, viewer, before)
            if seen is None:
                continue
            if isinstance(line, TimePassed):
                if viewer == GAME_MASTER:
                    bodies.append(self._time(line, session, viewer))
                else:
                    held += line.amount
                continue
            if held:
                bodies.append(self._time(TimePassed(amount=held), session, viewer))
                held = 0
            told = tell(line, after, viewer, before, by_name=True)
            kind, text = told or ("event", "")
            bodies.append({"scene": self.scene} | _body(kind, seen, text))
        if held and session.question is None:
            bodies.append(self._time(TimePassed(amount=held), session, viewer))
            held = 0
        self.held = {**self.held, viewer: held}
        return bodies

    def _time(self, passed: TimePassed, session: Session, viewer: str) -> Body:
        seen = project_line(passed, session.scene, viewer)
        calendar = session.book.calendar_of(session.scene.options)
        return {"scene": self.scene} | _body("event", seen, f"time passes: {calendar.show(passed.amount)}")
