"""Exact odds and advice for a seat, computed only from what that seat may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tablewright.engine import Choice, Tally
from tablewright.engine.advice import advise_open_choice, call_as_seen_by, value_options
from tablewright.engine.mechanic import Call
from tablewright.engine.progress import HiddenDependencyError
from tablewright.engine.report import answer_for, odds_json
from tablewright.engine.request import Attributed
from tablewright.errors import IllegalActionError, InvalidInputError, TablewrightError
from tablewright.game.narration.projection import names_any, project_tally
from tablewright.game.narration.voices import sayings_of, titled
from tablewright.game.play.checks import Check
from tablewright.game.scene.scene import UnknownParticipantError
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.processes import with_plus
from tablewright.game.session.promises import promises
from tablewright.game.session.record import Entry
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_system
from tablewright.table import scenes
from tablewright.table import view as seeing
from tablewright.table.campaign import Campaign, Seat
from tablewright.table.errors import NOT_YOURS, ONLY_WATCH, ForbiddenError, NotFoundError
from tablewright.table.handlers.settings import setting
from tablewright.table.loaded_campaign import LoadedCampaign
from tablewright.table.scenes import texts_in
from tablewright.table.secrecy import as_far_as_known, secrets_of


class Wanted(NamedTuple):
    """A check whose odds a seat requested, built from what the seat may know. Its odds need no access to the table."""

    check: Check
    call: Call[Any]
    tallies: Mapping[str, Tally]
    all_seeing: bool
    hint: str = ""


def check_of(
    sitting: LoadedCampaign, seat: Seat, who: str, what: str, situation: Mapping[str, Any], *, plus: int = 0
) -> Wanted:
    """Build a check of a character in a situation without rolling, in the open scene or between scenes.

    ``plus`` is the modifier that the game master would add; other seats may not set it.
    """
    campaign = sitting.campaign
    _check_allowed(campaign, seat)
    scene = sitting.session.scene if sitting.has_scene else None
    in_scene = scene is not None and who in scene and scene.can_see(seat.viewer, who)
    owner = scene[who].seat if scene is not None and in_scene else campaign.owner(who)
    if (not in_scene and who not in campaign.play.characters) or (seat.role != "gm" and owner != seat.viewer):
        raise NotFoundError(NOT_YOURS)
    if scene is not None and in_scene:
        now = scene.visible_to(seat.viewer)
    else:
        now = scenes.together(campaign, seeing.known_heroes(campaign, seat)).scene
    book = load_system(campaign.system).rulebook
    kind = titled(book.check(what), campaign.system, now.options)
    if plus and seat.role != "gm":
        raise ForbiddenError("only the game master adds something to a roll")
    now = with_plus(book, now, who, kind.id, plus=plus, because="the game master says so")
    try:
        plan = as_far_as_known(
            sitting, seat, now, situation, lambda known: kind.read(book.subject(known[who], known), situation)
        )
    except UnknownParticipantError as error:
        if seat.role == "gm" or any(error.who in text for text in texts_in(situation)):
            raise
        raise IllegalActionError(
            "the answer would give away what only the game master knows; decide without it"
        ) from None
    context = plan.call.by(now[who].seat, hide=plan.hide, private=plan.private, tallies=plan.tallies)
    assert isinstance(context, Attributed)
    try:
        call = call_as_seen_by(plan.call, context, None if seat.role == "gm" else now[who].seat)
    except HiddenDependencyError:
        raise IllegalActionError(
            "the answer would give away what only the game master knows; decide without it"
        ) from None
    unknown = () if seat.role == "gm" else context.unknown_to(now[who].seat)
    tallies = {name: tally for name, tally in plan.tallies.items() if name not in unknown}
    return Wanted(kind, call, tallies, seat.role == "gm", plan.hint if seat.role == "gm" else "")


def _check_allowed(campaign: Campaign, seat: Seat) -> None:
    if seat.role == "spectator":
        raise ForbiddenError(ONLY_WATCH)
    if seat.role != "gm" and not setting(campaign, "odds"):
        raise ForbiddenError("at this table players are not shown odds; the game master can allow it")


def odds_of(wanted: Wanted) -> dict[str, Any]:
    """Exact odds of a check and the tallies behind them; takes up to about a second."""
    return told(wanted, odds_json(answer_for(wanted.call)))


def told(wanted: Wanted, exact: Mapping[str, Any]) -> dict[str, Any]:
    """Payload of a check for the seat: its title, rules, visible tallies and odds that were computed anywhere."""
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


class OpenQuestion(NamedTuple):
    """An open question with the data needed to replay the session up to it, without the table."""

    id: str
    campaign: Campaign
    entries: tuple[Entry, ...]
    all_seeing: bool
    secret: frozenset[str] = frozenset()

    def told(self, options: list[Any]) -> list[Any]:
        """Remove the valued options that name a participant hidden from the seat."""
        return [option for option in options if not names_any(self.secret, *texts_in(option))]


def question_of(sitting: LoadedCampaign, seat: Seat, *, odds: bool = True) -> OpenQuestion:
    """The open question, if the seat may answer it; refuse any other seat.

    With ``odds`` a player is refused where the table shows players no odds.
    """
    if odds:
        _check_allowed(sitting.campaign, seat)
    asked = sitting.asked if sitting.has_scene else None
    if asked is None or not isinstance(sitting.session.question, Choice):
        raise IllegalActionError("nobody has to choose now; ask again when a choice is open")
    if seat.role != "gm" and asked != seat.viewer:
        raise ForbiddenError("it is not your question; wait for your turn")
    entries = tuple([entry.entry for entry in sitting.entries()])
    shown = seeing.question(sitting, seat) or {}
    all_seeing = seat.role == "gm" and asked == GAME_MASTER
    return OpenQuestion(shown.get("id", ""), sitting.campaign, entries, all_seeing, secrets_of(sitting, seat))


def session_for(wanted: OpenQuestion) -> Session:
    """A separate session, replayed up to the open question."""
    return scenes.session_of(wanted.campaign, wanted.entries)


def advice_on(wanted: OpenQuestion) -> dict[str, Any]:
    """The value of each option of the open question, as far as the deciding seat may know it."""
    session = session_for(wanted)
    question, playing = session.question, session.playing
    if not isinstance(question, Choice) or playing is None:
        raise InvalidInputError("nobody has to choose now; ask again when a choice is open")
    eyes = None if wanted.all_seeing else session.seat
    nothing: dict[str, Any] = {"id": wanted.id, "question": question.question, "options": []}
    try:
        if playing.calls:
            situation = advise_open_choice(playing, seat=eyes).choices[0]
        else:
            found = value_options(question, eyes)
            if found is None:
                return nothing
            situation = found
    except (HiddenDependencyError, IndexError):
        return nothing
    except TablewrightError as error:
        why = f": {error}" if wanted.all_seeing else ""
        raise IllegalActionError(f"there is no advice on this{why}") from None
    told = promises(session, eyes or GAME_MASTER, sayings_of(wanted.campaign.system))
    options = [
        {"id": option.id, "value": str(option.value), "best": option.best, "chance": told.get(option.id, "")}
        for option in situation.options
    ]
    return nothing | {"options": wanted.told(options)}
