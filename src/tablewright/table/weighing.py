"""Odds and advice for a seat: exact, and from nothing else than what that seat may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tablewright.engine import Choose, Tally
from tablewright.engine.advice import DependsOnHidden, advise_now, as_seen_by, weigh_options
from tablewright.engine.asks import InContext
from tablewright.engine.mechanic import Call
from tablewright.engine.reporting import answer_for, odds_json
from tablewright.errors import BadInput, RulesSayNo, TablewrightError
from tablewright.game.checks import Check
from tablewright.game.events import GAME_MASTER
from tablewright.game.projection import names_any, project_tally
from tablewright.game.registry import load_system
from tablewright.game.scene import NobodyHere
from tablewright.game.session import Entry, Session
from tablewright.game.table_processes import with_plus
from tablewright.table import scenes, seeing
from tablewright.table.campaign import Campaign, Seat
from tablewright.table.doing import setting
from tablewright.table.knowing import as_far_as_known, secrets_of
from tablewright.table.refusals import Forbidden, NotFound
from tablewright.table.scenes import texts_in
from tablewright.table.sitting import Sitting


class Wanted(NamedTuple):
    """A check whose odds are asked for, as the seat may suppose it. Working it out needs the table no more."""

    check: Check
    call: Call[Any]
    tallies: Mapping[str, Tally]
    all_seeing: bool
    hint: str = ""


def check_of(
    sitting: Sitting, seat: Seat, who: str, what: str, situation: Mapping[str, Any], *, plus: int = 0
) -> Wanted:
    """A check of a character in a situation, before anything is rolled, in the open scene or between scenes.

    ``plus`` is what the game master would add.
    """
    campaign = sitting.campaign
    _check_allowed(campaign, seat)
    scene = sitting.session.scene if sitting.has_scene else None
    in_scene = scene is not None and who in scene and scene.knows_of(seat.viewer, who)
    owner = scene[who].seat if scene is not None and in_scene else campaign.owner(who)
    if (not in_scene and who not in campaign.play.characters) or (seat.role != "gm" and owner != seat.viewer):
        raise NotFound("there is no such character of yours")
    if scene is not None and in_scene:
        now = scene.known_to(seat.viewer)
    else:
        now = scenes.together(campaign, seeing.known_heroes(campaign, seat)).scene
    book = load_system(campaign.system).book
    kind = book.check(what)
    if plus and seat.role != "gm":
        raise Forbidden("only the game master adds something to a roll")
    now = with_plus(book, now, who, kind.id, plus=plus, because="the game master says so")
    try:
        plan = as_far_as_known(
            sitting, seat, now, situation, lambda known: kind.read(book.subject(known[who], known), situation)
        )
    except NobodyHere as error:
        if seat.role == "gm" or any(error.who in text for text in texts_in(situation)):
            raise
        raise RulesSayNo("this depends on what only the game master knows") from None
    context = plan.call.by(now[who].seat, hide=plan.hide, private=plan.private, tallies=plan.tallies)
    assert isinstance(context, InContext)
    try:
        call = as_seen_by(plan.call, context, None if seat.role == "gm" else now[who].seat)
    except DependsOnHidden:
        raise RulesSayNo("this depends on what only the game master knows") from None
    unknown = () if seat.role == "gm" else context.unknown_to(now[who].seat)
    tallies = {name: tally for name, tally in plan.tallies.items() if name not in unknown}
    return Wanted(kind, call, tallies, seat.role == "gm", plan.hint if seat.role == "gm" else "")


def _check_allowed(campaign: Campaign, seat: Seat) -> None:
    if seat.role == "spectator":
        raise Forbidden("spectators only watch")
    if seat.role != "gm" and not setting(campaign, "odds"):
        raise Forbidden("at this table players are not shown odds")


def odds_of(wanted: Wanted) -> dict[str, Any]:
    """The exact odds of a check, and where its numbers come from; this may take up to about a second."""
    return told(wanted, odds_json(answer_for(wanted.call)))


def told(wanted: Wanted, exact: Mapping[str, Any]) -> dict[str, Any]:
    """A check with its odds, wherever they were worked out, as the seat is told of it."""
    return {
        "check": wanted.check.id,
        "title": wanted.check.title,
        "rules": list(wanted.check.rules),
        "tallies": {
            name: tally.to_json() if wanted.all_seeing else project_tally(tally)
            for name, tally in wanted.tallies.items()
        },
        "odds": dict(exact),
        "hint": wanted.hint,
    }


class Asked(NamedTuple):
    """A question on which advice is asked for: what is needed to come to it again, apart from the table."""

    id: str
    campaign: Campaign
    entries: tuple[Entry, ...]
    all_seeing: bool
    secret: frozenset[str] = frozenset()

    def told(self, options: list[Any]) -> list[Any]:
        """Weighed options without those that the seat is not offered."""
        return [one for one in options if not names_any(self.secret, *texts_in(one))]


def question_of(sitting: Sitting, seat: Seat) -> Asked:
    """The open question, where the seat may answer it."""
    _check_allowed(sitting.campaign, seat)
    asked = sitting.asked if sitting.has_scene else None
    if asked is None or not isinstance(sitting.session.question, Choose):
        raise RulesSayNo("nobody has to choose now")
    if seat.role != "gm" and asked != seat.viewer:
        raise Forbidden("somebody else is asked now, or nobody")
    entries = tuple([one.entry for one in sitting.entries()])
    shown = seeing.question(sitting, seat) or {}
    all_seeing = seat.role == "gm" and asked == GAME_MASTER
    return Asked(shown.get("id", ""), sitting.campaign, entries, all_seeing, secrets_of(sitting, seat))


def session_for(wanted: Asked) -> Session:
    """The session at whose open question advice is asked for, apart from the table."""
    return scenes.session_of(wanted.campaign, wanted.entries)


def advice_on(wanted: Asked) -> dict[str, Any]:
    """What each option of the open question is worth, as far as the one who is asked may know."""
    session = session_for(wanted)
    question, playing = session.question, session.playing
    if not isinstance(question, Choose) or playing is None:
        raise BadInput("nobody has to choose now")
    eyes = None if wanted.all_seeing else session.seat
    nothing: dict[str, Any] = {"id": wanted.id, "question": question.question, "options": []}
    try:
        if playing.calls:
            situation = advise_now(playing, seat=eyes).choices[0]
        else:
            found = weigh_options(question, eyes)
            if found is None:
                return nothing
            situation = found
    except (DependsOnHidden, IndexError):
        return nothing
    except TablewrightError as error:
        why = f": {error}" if wanted.all_seeing else ""
        raise RulesSayNo(f"there is no advice on this{why}") from None
    options = [{"id": one.id, "value": str(one.value), "best": one.best} for one in situation.options]
    return nothing | {"options": wanted.told(options)}
