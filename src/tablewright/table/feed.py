"""Feed of each viewer: the bodies of a line, computed once from what the viewer may know at that time.

A body never changes later: visible facts stay visible and hidden facts stay hidden. Items are numbered per viewer, and
the numbers reveal nothing about hidden lines. The clock stops at every timer. A stop at a secret timer must stay secret
too, and elapsed time is therefore reported with the next visible event, or when no question is open.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tablewright.game.narration.entries import Ways, about_number
from tablewright.game.narration.narrator import Called, in_words, names_in, narrate_line
from tablewright.game.narration.projection import project_line
from tablewright.game.play.common_events import TimePassed
from tablewright.game.scene.events import Event
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.session import Session
from tablewright.table.campaign import Campaign
from tablewright.table.events import CharacterAdded, CharacterHanded, CharacterReplaced, TableEvent
from tablewright.table.tokens import looks

Body = dict[str, Any]
"""One feed item as JSON: ``kind``, ``fact`` and, if there is a narration, ``text``.

In a scene also ``act``, ``new`` for the first item of an action and ``same`` for one that belongs to the action of the
item before, ``names``, the display names of the participants in the fact, and ``about``, what the scene adds to the
fact; each only where there is something to say.
"""


@dataclass(frozen=True, slots=True)
class LineBodies:
    """Bodies of a line as JSON texts, the game master's first, and the indexes that each viewer sees, in order."""

    bodies: tuple[str, ...] = ()
    places: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def gathered(by_viewer: Mapping[str, Sequence[Body]]) -> LineBodies:
    """Merge the bodies of all viewers; equal ones are stored once."""
    known: dict[str, int] = {}
    places: dict[str, tuple[int, ...]] = {}
    bodies: list[str] = []
    texts: dict[int, str] = {}
    for viewer in sorted(by_viewer, key=lambda name: name != GAME_MASTER):
        found: list[int] = []
        for body in by_viewer[viewer]:
            text = texts.get(id(body)) or texts.setdefault(id(body), json.dumps(body, separators=(",", ":")))
            if viewer == GAME_MASTER or text not in known:
                known[text] = len(bodies)
                bodies.append(text)
            found.append(known[text])
        places[viewer] = tuple(found)
    return LineBodies(tuple(bodies), places)


def of_event(event: TableEvent, before: Campaign, campaign: Campaign) -> LineBodies:
    """Bodies of an event of the campaign for all viewers; names are those from before the event.

    Viewers who see the same of it, and know everybody by the same names, share one body.
    """
    bodies: dict[str, list[Body]] = {}
    told: list[tuple[dict[str, Any], _Names, Body]] = []
    states = (before, campaign) if _have_other_names(before, campaign) else (campaign,)
    for viewer in campaign.viewers():
        owned = isinstance(event, CharacterAdded | CharacterReplaced) and _owns(event, viewer, campaign)
        seen = event.as_seen_by(viewer, owned=owned)
        if seen is None:
            bodies[viewer] = []
            continue
        names = _names_in(event, viewer, states)
        shared = [body for one, known, body in told if one == seen and known == names]
        if not shared:
            people = {name: _Person(seen[name]) for name in ("seat", "by") if isinstance(seen.get(name), str)}
            body = _body("table", seen, words_of(event, seen | people, names.called))
            shared = [body | {"played": True} if event.played else body]
            told.append((seen, names, shared[0]))
        bodies[viewer] = shared[:1]
    return gathered(bodies)


def words_of(event: TableEvent, seen: Mapping[str, Any], called: Called) -> str:
    """An event of the campaign as a sentence; empty if the sentence would reveal more than is seen."""
    return in_words(event, seen, called, is_silent=True)


class _Person(str):
    """Id of a seat, as distinct from a character with the same id."""

    __slots__ = ()


class _Names(NamedTuple):
    """Display names of seats and of characters, by id."""

    people: dict[str, str]
    heroes: dict[str, str]

    def called(self, id_: str) -> str:
        """Display name of a seat or of a character; the id itself if it is unknown."""
        return (self.people if isinstance(id_, _Person) else self.heroes).get(id_, id_)


def _have_other_names(before: Campaign, after: Campaign) -> bool:
    """True if an event may have changed a name, or who knows it."""
    return not (
        before.seats is after.seats
        and before.owners is after.owners
        and before.play.characters is after.play.characters
    )


def _names_in(event: TableEvent, viewer: str, campaigns: Sequence[Campaign]) -> _Names:
    """Names of the seats and characters of some campaign states as a viewer knows them; the first state has priority.

    Names that look alike to the viewer get their ids appended.
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
    return _Names(_told_apart(people), _told_apart(heroes))


def _told_apart(names: Mapping[str, str]) -> dict[str, str]:
    """Display names by id, with the id appended to names that look alike."""
    often = Counter([looks(name) for name in names.values()])
    return {id_: f"{name} ({id_})" if often[looks(name)] > 1 else name for id_, name in names.items()}


def _owns(event: CharacterAdded | CharacterReplaced, viewer: str, campaign: Campaign) -> bool:
    return campaign.owner(event.who) == viewer


def _body(kind: str, fact: Any, text: str) -> Body:
    return {"kind": kind, "fact": fact, "text": text} if text else {"kind": kind, "fact": fact}


class EnteredBody(NamedTuple):
    """An entry from outside: the acting viewer (empty if automatic), the question, and the entry as recorded."""

    by: str
    asked: str
    entry: Any

    def body(self) -> Body:
        """Body for a viewer who sees no other effect of the entry."""
        if isinstance(self.entry, dict):
            words = _plainly(self.entry.get("do")) or self.entry.get("set") or "someone joins"
        else:
            words = " ".join(map(str, self.entry)) if isinstance(self.entry, list) else self.entry
        fact = {"asked": self.asked, "entry": self.entry}
        return _body("entry", fact, f"{self.asked}: {words}" if self.asked else str(words))


def _plainly(process: str | None) -> str:
    """Readable name of a process, without its system."""
    return (process or "").rpartition(".")[2].replace("_", " ")


class Feed:
    """Feed of one scene; ``held`` is the elapsed time, in ticks, not yet reported to each viewer."""

    def __init__(self, scene: str) -> None:
        self.scene = scene
        self.held: dict[str, int] = {}

    def of_log(
        self, session: Session, start: int, viewers: Sequence[str], entered: EnteredBody | None = None
    ) -> LineBodies:
        """Bodies of a session's log from line ``start`` on, for all viewers.

        If the entry shows nothing to the game master or to the acting viewer, they get the entry itself as a body: it
        can be undone and needs a number. This depends only on what these viewers see themselves.
        """
        bodies = {viewer: self._of_viewer(session, start, viewer) for viewer in viewers}
        for viewer in (GAME_MASTER, entered.by) if entered is not None else ():
            if entered is not None and not bodies.get(viewer, [viewer]):
                bodies[viewer].append({"scene": self.scene} | entered.body())
        return gathered(bodies)

    def _of_viewer(self, session: Session, start: int, viewer: str) -> list[Body]:
        bodies: list[Body] = []
        held = self.held.get(viewer, 0)
        ways = Ways(session.header.scene, session.rulebook)
        last = self._last_act(session, start, viewer)
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
            told = narrate_line(line, after, viewer, before, by_name=True)
            kind, text = told or ("event", "")
            ways.follow(session.log, number)
            act = session.live.act_of(number)
            bodies.append(
                {"scene": self.scene}
                | _body(kind, seen, text)
                | ({"act": "same" if act == last else "new"} if act else {})
                | _context(session, number, viewer, ways)
            )
            last = act
        if held and session.question is None:
            bodies.append(self._time(TimePassed(amount=held), session, viewer))
            held = 0
        self.held = {**self.held, viewer: held}
        return bodies

    @staticmethod
    def _last_act(session: Session, start: int, viewer: str) -> int:
        """Number of the action of the last line before ``start`` that the viewer saw; 0 for none.

        Numbers themselves are not told: they would count hidden actions.
        """
        for number in range(start - 1, -1, -1):
            before, after = session.live.scenes_of(number)
            if project_line(session.log[number], after, viewer, before) is not None:
                return session.live.act_of(number)
        return 0

    def _time(self, passed: TimePassed, session: Session, viewer: str) -> Body:
        seen = project_line(passed, session.scene, viewer)
        calendar = session.rulebook.calendar_of(session.scene.options)
        return {"scene": self.scene} | _body("event", seen, f"time passes: {calendar.show(passed.amount)}")


def _context(session: Session, number: int, viewer: str, ways: Ways) -> Body:
    """Names and further facts of a line of a session, for a viewer."""
    line, (before, after) = session.log[number], session.live.scenes_of(number)
    about = about_number(session.live, number, viewer, ways)
    people = {who for who in about.values() if isinstance(who, str)}
    if isinstance(line, Event):
        people |= {*line.participants(), *getattr(line, "order", ())}
    called = names_in(after, before, viewer)
    known = [who for who in people if any(who in one and one.can_see(viewer, who) for one in (after, before))]
    names = {who: called(who) for who in known}
    found = {"names": dict(sorted(names.items())), "about": about}
    return {name: value for name, value in found.items() if value}
