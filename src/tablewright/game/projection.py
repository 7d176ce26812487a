"""What a viewer may see: scenes, log lines, traces and questions with everything else taken out, part by part."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import Any

from tablewright.engine import Choose, Chosen, Closed, Playing, Roll, Rolled, Tally, Trace
from tablewright.engine.asks import EVERYONE
from tablewright.engine.values import to_json
from tablewright.game.common import TimePassed
from tablewright.game.events import GAME_MASTER, Event, undeclared, visible
from tablewright.game.ground import ANYONE, Bands, Position
from tablewright.game.rulebook import Rulebook
from tablewright.game.scene import Participant, Scene
from tablewright.game.session import Session


def project_session(session: Session, viewer: str) -> dict[str, Any]:
    """The scene, the log and the open question as one seat may see them."""
    return {
        "scene": project_scene(session.scene, session.book, viewer),
        "log": project_log(session, viewer),
        "question": project_question(session.playing, session.scene, viewer),
    }


def project_scene(scene: Scene, book: Rulebook, viewer: str) -> dict[str, Any]:
    """The scene as one seat may see it: hidden participants are not there, hidden numbers are words."""
    known = [one for one in scene.participants if scene.knows_of(viewer, one.id)]
    ids = {one.id for one in known}
    unknown = frozenset([one.id for one in scene.participants if one.id not in ids])
    secret = secret_spots(scene, viewer)
    return {
        "round": scene.round,
        "turn": scene.turn if scene.turn is None or scene.turn in ids else "somebody",
        "order": [who for who in scene.order if who in ids],
        "acted": [who for who in scene.acted if who in ids],
        "ended": scene.ended,
        "now": scene.clock.now,
        "participants": [_participant(one, book, viewer, unknown) for one in known],
        "modifiers": [to_json(modifier) for modifier in scene.modifiers if modifier.who is None or modifier.who in ids],
        "lying": [
            to_json(one) if one.owner in ids else to_json(one) | {"owner": ""}
            for one in scene.lying
            if one.position not in secret
        ],
        "facts": [to_json(fact) for fact in scene.facts.entries if {fact.who, fact.against} <= ids | {ANYONE}],
        "options": {} if scene.options is None else scene.options.changed(),
        "extra": _without(unknown, _extra(scene.extra, viewer)),
        "ground": _ground(scene, secret),
    }


def _ground(scene: Scene, secret: frozenset[Position]) -> dict[str, Any]:
    """The ground without what is said of secret spots."""
    ground = scene.ground
    if secret and isinstance(ground, Bands):
        names = {at.place for at in secret}
        ground = replace(ground, between=tuple([pair for pair in ground.between if names.isdisjoint(pair[:2])]))
    return ground.to_json()


def _extra(extra: Any, viewer: str) -> dict[str, Any]:
    """What the system's own part of the scene shows; one that says of no field who may see it shows nothing."""
    if not is_dataclass(extra) or isinstance(extra, type) or len(undeclared(type(extra))) == len(fields(extra)):
        return {}
    return visible(extra, owned=False, all_seeing=viewer == GAME_MASTER)


def _participant(one: Participant, book: Rulebook, viewer: str, unknown: frozenset[str]) -> dict[str, Any]:
    all_seeing, owned = viewer == GAME_MASTER, one.seat == viewer
    status = visible(one.status, owned=owned, all_seeing=all_seeing)
    shown = {
        "id": one.id,
        "name": one.name,
        "side": one.side,
        "seat": one.seat,
        "position": None if one.position is None else str(one.position),
        "present": one.present,
        "health": book.health(one),
        "status": _without(unknown, status) if unknown else status,
    }
    return shown | {"hidden": one.hidden} if all_seeing or owned else shown


def _without(unknown: frozenset[str], value: Any) -> Any:
    """Plain data without the names of participants that are hidden from a viewer."""
    if not unknown:
        return value
    if isinstance(value, dict):
        return {name: _without(unknown, part) for name, part in value.items() if name not in unknown}
    if isinstance(value, list):
        return [_without(unknown, part) for part in value if not (isinstance(part, str) and part in unknown)]
    return "somebody" if isinstance(value, str) and value in unknown else value


# ---------------------------------------------------------------------- words that give something away


def secret_spots(scene: Scene, viewer: str) -> frozenset[Position]:
    """Spots between range bands that are hidden from a viewer: no participant they know stands there."""
    if viewer == GAME_MASTER or not isinstance(scene.ground, Bands):
        return frozenset()
    there = {one.position for one in scene.participants if one.position is not None} | {*scene.ground.spots()}
    return frozenset(there - {one.position for one in scene.participants if scene.knows_of(viewer, one.id)})


def secret_words(scene: Scene, viewer: str) -> frozenset[str]:
    """The ids and names of those whom a viewer may not know of, and of where they stand; not what others share."""
    known, unknown = set[str](), set[str]()
    for one in scene.participants:
        (known if scene.knows_of(viewer, one.id) else unknown).update((one.id.casefold(), one.name.casefold()))
    return frozenset((unknown | {str(at).casefold() for at in secret_spots(scene, viewer)}) - known)


def names_any(words: frozenset[str], *texts: str) -> bool:
    """Whether a text has one of some words in it, as a whole word.

    >>> names_any(frozenset({"old rat"}), "bite the Old Rat"), names_any(frozenset({"rat"}), "rate of fire")
    (True, False)
    """
    return bool(words) and any(_pattern(words).search(text.casefold()) for text in texts)


@lru_cache(maxsize=256)
def _pattern(words: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join([re.escape(word) for word in sorted(words)])})(?![\w-])")


def project_log(session: Session, viewer: str) -> list[dict[str, Any]]:
    """The lines of the log that a seat may see, numbered by what that seat sees.

    Who may know of whom is decided when something happens: what was seen stays seen, and what was not does not appear
    later. The clock stops wherever something falls due. Where that is a secret, the stop is one too: time that passed
    without anything to be seen in between is one line.
    """
    lines: list[dict[str, Any]] = []
    for number, line in enumerate(session.log):
        before, after = session.live.scenes_of(number)
        seen = project_line(line, after, viewer, before)
        if seen is None:
            continue
        if isinstance(line, TimePassed) and viewer != GAME_MASTER:
            if lines and lines[-1].get("event") == line.kind:
                lines[-1]["amount"] += line.amount
                continue
            if line.amount == 0:
                continue
        lines.append({"line": len(lines) + 1} | seen)
    return lines


def project_line(
    line: Event | Trace | Any, scene: Scene, viewer: str, before: Scene | None = None
) -> dict[str, Any] | None:
    """One line of the log as a seat may see it; None where it may not know of it at all.

    ``scene`` is the scene after it; who is known in it or in the one ``before`` is known.
    """
    if isinstance(line, Event):
        return _event(line, scene, viewer, before or scene)
    if isinstance(line, Trace):
        return _trace(line, viewer)
    shown: dict[str, Any] = line.to_json()
    return None if isinstance(line, Chosen) and viewer not in (GAME_MASTER, line.seat) else shown


def _event(event: Event, scene: Scene, viewer: str, before: Scene) -> dict[str, Any] | None:
    if viewer == GAME_MASTER:
        return event.to_json()
    if event.to not in (EVERYONE, viewer):
        return None
    concerned = list(event.participants())
    if not all(scene.knows_of(viewer, who) or (who in before and before.knows_of(viewer, who)) for who in concerned):
        return None
    owned = bool(concerned) and concerned[0] in scene and scene[concerned[0]].seat == viewer
    seen = visible(event, owned=owned, all_seeing=False)
    if "order" in seen:
        seen["order"] = [who for who in seen["order"] if scene.knows_of(viewer, who)]
    return {"event": event.kind} | seen


def _trace(trace: Trace, viewer: str) -> dict[str, Any] | None:
    if viewer == GAME_MASTER:
        return trace.to_json()
    if trace.audience not in (EVERYONE, viewer):
        return None
    whole = trace.to_json()
    known = [name for name in whole["arguments"] if trace.known_to(viewer, name)]
    if len(known) < len(whole["arguments"]):
        whole["arguments"] = {name: whole["arguments"][name] for name in known}
        whole["steps"] = [step.to_json() for step in _open_steps(trace, dice_only=bool(trace.hide))]
    if trace.hide:
        whole.pop("result", None)
    if trace.tallies:
        whole["tallies"] = {name: project_tally(tally) for name, tally in trace.tallies.items() if name in known}
    return whole


def _open_steps(trace: Trace, *, dice_only: bool) -> list[Rolled | Chosen]:
    """What can be seen on the table: the dice, and unless the whole is secret what was openly chosen."""
    found: list[Rolled | Chosen] = []
    for step in trace.steps:
        if isinstance(step, Rolled) or (isinstance(step, Chosen) and not dice_only):
            found.append(step)
        elif isinstance(step, Trace):
            found += _open_steps(step, dice_only=dice_only)
    return found


def project_tally(tally: Tally) -> dict[str, Any]:
    """A tally as others than the game master may see it: without its secret parts, and then without the total."""
    shown = tally.to_json()
    if any(part.secret for part in tally.parts):
        shown["parts"] = [raw for raw, part in zip(shown["parts"], tally.parts, strict=True) if not part.secret]
        del shown["total"]
        shown.pop("reads", None)
    return shown


def project_question(
    playing: Playing[Any] | None, scene: Scene, viewer: str, secret: frozenset[str] | None = None
) -> dict[str, Any] | None:
    """The open question: in full for whoever is asked, for others only whom everybody waits for.

    Whoever is asked in the middle of a rule also gets what lies on the table so far. Options that name something
    ``secret`` are left out, by default somebody whom the viewer may not know of. Where a table says what is secret and
    no other option is left, the game master has to answer.
    """
    if playing is None or playing.question is None:
        return None
    question, seat = playing.question, playing.seat
    words = secret_words(scene, viewer) if secret is None else secret
    if viewer not in (seat, GAME_MASTER):
        return {"waiting": seat if _is_open(playing, scene, viewer) else "somebody"}
    so_far = _trace(playing.trace_so_far(), viewer) if playing.calls else None
    under_way = {} if so_far is None else {"so_far": so_far}
    if isinstance(question, Roll):
        return {"kind": "roll", "seat": seat, "dice": str(question.dice)} | under_way
    assert isinstance(question, Choose)
    unknown = frozenset([one.id for one in scene.participants if not scene.knows_of(viewer, one.id)])
    offered = as_offered(question, words)
    if offered is None and secret is not None:
        return {"waiting": "somebody"}
    question = offered or question
    return {
        "kind": "choice",
        "seat": seat,
        "question": question.question,
        "about": _without(unknown, {key: to_json(value) for key, value in question.about.items()}),
        "options": [
            {
                "id": name,
                "label": question.label(option),
                "cost": question.cost(option),
            }
            for name, option in zip(question.ids, question.options, strict=True)
        ],
        "closed": [to_json(_as_known(closed, words)) for closed in question.closed],
        "default": question.ids[question.default],
    } | under_way


def as_offered(question: Choose[Any], secret: frozenset[str]) -> Choose[Any] | None:
    """A question without the options that name something secret; None where no other is left."""
    if not secret:
        return question
    return question.narrowed(lambda id_, label: not names_any(secret, id_, label))


def _is_open(playing: Playing[Any], scene: Scene, viewer: str) -> bool:
    """Whether others may know whom everybody waits for.

    Whose turn it is they know, if they know of that one at all. Whom a rule or a reaction asks may depend on what only
    those asked know, so the question itself must say that it is open: ``about={"open": True}``.
    """
    question = playing.question
    if playing.calls or playing.audience != EVERYONE:
        return False
    if isinstance(question, Choose) and question.about.get("open") is True:
        return True
    turn = scene.turn
    return turn is not None and turn in scene and scene[turn].seat == playing.seat and scene.knows_of(viewer, turn)


def _as_known(closed: Closed, secret: frozenset[str]) -> Closed:
    """Closed options, without reasons that name a secret."""
    return replace(closed, reason="cannot be done now") if names_any(secret, closed.reason) else closed
