"""Projection of scenes, log lines, traces and questions to what a viewer may see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import Any

from tablewright.engine import Choice, ChoiceStep, ClosedOption, Playthrough, Roll, RollStep, Tally, Trace
from tablewright.engine.json_values import to_json
from tablewright.engine.request import EVERYONE, OPPOSING_DICE
from tablewright.game.ground.bands import Bands
from tablewright.game.ground.facts import ANYONE
from tablewright.game.ground.position import Position
from tablewright.game.scene.events import Event
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import GAME_MASTER, undeclared_fields, visible_fields
from tablewright.game.system.rulebook import Rulebook


def project_scene(scene: Scene, book: Rulebook, viewer: str) -> dict[str, Any]:
    """The scene as a viewer may see it: without hidden participants, and with words instead of hidden numbers."""
    known = [one for one in scene.participants if scene.can_see(viewer, one.id)]
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
            for one in scene.loose_items
            if one.position not in secret
        ],
        "facts": [to_json(fact) for fact in scene.facts.entries if {fact.who, fact.against} <= ids | {ANYONE}],
        "options": {} if scene.options is None else scene.options.changed(),
        "extra": _without(unknown, _extra(scene.system_state, viewer)),
        "ground": _ground(scene, secret),
    }


def _ground(scene: Scene, secret: frozenset[Position]) -> dict[str, Any]:
    """The ground without the distances of secret spots."""
    ground = scene.ground
    if secret and isinstance(ground, Bands):
        names = {at.place for at in secret}
        ground = replace(ground, between=tuple([pair for pair in ground.between if names.isdisjoint(pair[:2])]))
    return ground.to_json()


def _extra(extra: Any, viewer: str) -> dict[str, Any]:
    """Visible fields of the system's own state; empty if no field declares a visibility."""
    if not is_dataclass(extra) or isinstance(extra, type) or len(undeclared_fields(type(extra))) == len(fields(extra)):
        return {}
    return visible_fields(extra, owned=False, all_seeing=viewer == GAME_MASTER)


def _participant(one: Participant, book: Rulebook, viewer: str, unknown: frozenset[str]) -> dict[str, Any]:
    all_seeing, owned = viewer == GAME_MASTER, one.seat == viewer
    status = visible_fields(one.status, owned=owned, all_seeing=all_seeing)
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
    """Plain data without the ids of participants hidden from the viewer."""
    if not unknown:
        return value
    if isinstance(value, dict):
        return {name: _without(unknown, part) for name, part in value.items() if name not in unknown}
    if isinstance(value, list):
        return [_without(unknown, part) for part in value if not (isinstance(part, str) and part in unknown)]
    return "somebody" if isinstance(value, str) and value in unknown else value


# ---------------------------------------------------------------------- secret words


def secret_spots(scene: Scene, viewer: str) -> frozenset[Position]:
    """Spots on range bands hidden from a viewer: no participant visible to them stands there."""
    if viewer == GAME_MASTER or not isinstance(scene.ground, Bands):
        return frozenset()
    there = {one.position for one in scene.participants if one.position is not None} | {*scene.ground.spots()}
    return frozenset(there - {one.position for one in scene.participants if scene.can_see(viewer, one.id)})


def secret_words(scene: Scene, viewer: str) -> frozenset[str]:
    """Ids, names and spots of participants hidden from a viewer, except words shared with a visible one."""
    known, unknown = set[str](), set[str]()
    for one in scene.participants:
        (known if scene.can_see(viewer, one.id) else unknown).update((one.id.casefold(), one.name.casefold()))
    return frozenset((unknown | {str(at).casefold() for at in secret_spots(scene, viewer)}) - known)


def names_any(words: frozenset[str], *texts: str) -> bool:
    """True if a text contains one of the words as a whole word, ignoring case.

    >>> names_any(frozenset({"old rat"}), "bite the Old Rat"), names_any(frozenset({"rat"}), "rate of fire")
    (True, False)
    """
    return bool(words) and any(_pattern(words).search(text.casefold()) for text in texts)


@lru_cache(maxsize=256)
def _pattern(words: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join([re.escape(word) for word in sorted(words)])})(?![\w-])")


def project_line(
    line: Event | Trace | Any, scene: Scene, viewer: str, before: Scene | None = None
) -> dict[str, Any] | None:
    """One log line as a viewer may see it, or None if it is hidden from them.

    ``scene`` is the scene after the line. A participant is visible if visible in it or in the one ``before``.
    """
    if isinstance(line, Event):
        return _event(line, scene, viewer, before or scene)
    if isinstance(line, Trace):
        return _trace(line, viewer)
    shown: dict[str, Any] = line.to_json()
    return None if isinstance(line, ChoiceStep) and viewer not in (GAME_MASTER, line.seat) else shown


def _event(event: Event, scene: Scene, viewer: str, before: Scene) -> dict[str, Any] | None:
    if viewer == GAME_MASTER:
        return event.to_json()
    if event.to not in (EVERYONE, viewer):
        return None
    concerned = list(event.participants())
    if not all(scene.can_see(viewer, who) or (who in before and before.can_see(viewer, who)) for who in concerned):
        return None
    owned = bool(concerned) and concerned[0] in scene and scene[concerned[0]].seat == viewer
    seen = visible_fields(event, owned=owned, all_seeing=False)
    if "order" in seen:
        seen["order"] = [who for who in seen["order"] if scene.can_see(viewer, who)]
    return {"event": event.kind} | seen


def _trace(trace: Trace, viewer: str) -> dict[str, Any] | None:
    if viewer == GAME_MASTER:
        return trace.to_json()
    if trace.audience not in (EVERYONE, viewer):
        return None
    whole = trace.to_json()
    known = [name for name in whole["arguments"] if trace.known_to(viewer, name)]
    closed = None if trace.known_to(viewer, OPPOSING_DICE) else trace.opponent
    if len(known) < len(whole["arguments"]) or closed is not None:
        whole["arguments"] = {name: whole["arguments"][name] for name in known}
        whole["steps"] = list(_open_steps(trace, dice_only=bool(trace.hide), closed=closed))
    if trace.hide:
        whole.pop("result", None)
    if trace.tallies:
        whole["tallies"] = {name: project_tally(tally) for name, tally in trace.tallies.items() if name in known}
    return whole


def _open_steps(
    trace: Trace, *, dice_only: bool, inside: bool = False, closed: str | None = None
) -> Iterator[dict[str, Any]]:
    """Steps visible at the table: the dice and, unless ``dice_only``, the open choices.

    The dice of a rule inside the rule have its name as ``of``; those that the seat ``closed`` throws are left out.
    """
    for step in trace.steps:
        if isinstance(step, RollStep):
            yield step.to_json() | ({"of": trace.call.mechanic.name} if inside and not dice_only else {})
        elif isinstance(step, ChoiceStep) and not dice_only:
            yield step.to_json()
        elif isinstance(step, Trace) and (closed is None or step.actor != closed):
            yield from _open_steps(step, dice_only=dice_only, inside=True, closed=closed)


def project_tally(tally: Tally) -> dict[str, Any]:
    """A tally for players: without its secret parts and, if there are any, without the total."""
    shown = tally.to_json()
    if any(part.secret for part in tally.parts):
        shown["parts"] = [raw for raw, part in zip(shown["parts"], tally.parts, strict=True) if not part.secret]
        del shown["total"]
        shown.pop("reads", None)
    return shown


def project_question(
    playing: Playthrough[Any] | None, scene: Scene, viewer: str, secret: frozenset[str] | None = None
) -> dict[str, Any] | None:
    """The open question: in full for its seat and the game master, for others only the seat that all wait for.

    In the middle of a rule the seat also gets the visible steps so far. Options that name a ``secret`` word are left
    out; by default these are the words of participants hidden from the viewer. If the caller passes ``secret`` and no
    option is left, the game master has to answer.
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
    assert isinstance(question, Choice)
    unknown = frozenset([one.id for one in scene.participants if not scene.can_see(viewer, one.id)])
    offered = as_offered(question, words)
    if offered is None and secret is not None:
        return {"waiting": "somebody"}
    question = offered or question
    return {
        "kind": "choice",
        "seat": seat,
        "question": question.question,
        "about": _without(unknown, {key: to_json(value) for key, value in question.details.items()}),
        "options": [
            {
                "id": name,
                "label": question.label(option),
                "cost": question.cost_text(option),
            }
            for name, option in zip(question.ids, question.options, strict=True)
        ],
        "closed": [to_json(_as_known(closed, words)) for closed in question.closed],
        "default": question.ids[question.default],
    } | under_way


def as_offered(question: Choice[Any], secret: frozenset[str]) -> Choice[Any] | None:
    """The question without options that name a secret word, or None if no option is left."""
    if not secret:
        return question
    return question.narrowed(lambda id_, label: not names_any(secret, id_, label))


def _is_open(playing: Playthrough[Any], scene: Scene, viewer: str) -> bool:
    """True if others may know which seat is being waited for.

    The seat is known if it is the turn of a participant visible to the viewer. The seat that a rule or a reaction asks
    may depend on hidden facts, so such a question must declare itself open: ``details={"open": True}``.
    """
    question = playing.question
    if playing.calls or playing.audience != EVERYONE:
        return False
    if isinstance(question, Choice) and question.details.get("open") is True:
        return True
    turn = scene.turn
    return turn is not None and turn in scene and scene[turn].seat == playing.seat and scene.can_see(viewer, turn)


def _as_known(closed: ClosedOption, secret: frozenset[str]) -> ClosedOption:
    """The closed option, with a neutral reason if its own names a secret word."""
    return replace(closed, reason="cannot be done now") if names_any(secret, closed.reason) else closed
