"""What somebody at a terminal hears of a fight: people by their names, checks with what they were made against."""

from __future__ import annotations

from tablewright.engine import Closed, Trace
from tablewright.engine.asks import EVERYONE
from tablewright.game.common import Checked, TimePassed, TurnEnded, TurnStarted
from tablewright.game.events import GAME_MASTER
from tablewright.game.projection import project_line, project_question
from tablewright.game.scene import SeatOf
from tablewright.game.session import Session
from tablewright.game.telling import Told, names_in, tell
from tablewright.game.wording import shown


def hear(session: Session, number: int, viewer: str) -> Told | None:
    """A line of the log as its viewer heard it when it happened; None where it is not worth a word."""
    line = session.log[number]
    if isinstance(line, TimePassed) or is_idle_turn(session, number):
        return None  # rounds tell the time of a fight
    before, after = session.live.scenes_of(number)
    told = tell(line, after, viewer, before, by_name=True)
    if told is not None and isinstance(line, Checked):
        return told._replace(text=told.text + _made_against(session, number, line, viewer))
    return told


def is_idle_turn(session: Session, number: int) -> bool:
    """Whether a line begins the turn of somebody who is out of it, and nothing happens in that turn."""
    line, following = session.log[number], session.log[number + 1 : number + 2]
    if not isinstance(line, TurnStarted) or not following or line.who not in session.scene:
        return False
    ends = isinstance(following[0], TurnEnded) and following[0].who == line.who
    return ends and not session.book.reckoning.stands(session.scene[line.who])


def _made_against(session: Session, number: int, check: Checked, viewer: str) -> str:
    """The unusual arguments of a check's roll, as far as the viewer may know; of a roll of several people once."""
    at = next((at for at in range(number - 1, -1, -1) if isinstance(session.log[at], Trace)), None)
    rolled, since = (session.log[at], session.log[at + 1 : number]) if at is not None else (None, [])
    if not isinstance(rolled, Trace) or (since and rolled.call.mechanic.rules[0] != check.cause):
        return ""
    if any(isinstance(line, Checked) and line.against != check.who for line in since):
        return ""
    seen = project_line(rolled, session.scene, viewer)
    if seen is None:
        return ""
    given = zip(rolled.call.mechanic.params, rolled.call.arguments, strict=True)
    told = [
        f"{one.name.replace('_', ' ')} {shown(value)}"
        for one, value in given
        if one.name in seen["arguments"] and (one.required or value != one.default)
    ]
    return f" ({', '.join(told)})" if told else ""


def closed_to(session: Session, viewer: str) -> list[Closed]:
    """What cannot be chosen now, with reasons as far as the viewer may know them."""
    asked = project_question(session.playing, session.scene, viewer)
    closed = asked.get("closed", ()) if asked else ()
    return [Closed(one["id"], one["reason"], one["rule"], one["label"]) for one in closed]


def who_is_asked(session: Session, viewer: str) -> str:
    """The name of whoever rolls or chooses now, as far as the viewer may know of them."""
    assert session.playing is not None
    return _name_of(session, session.playing.seat, viewer)


def what_for(session: Session, viewer: str) -> str:
    """What is rolled for, in words: the rule under way, the rule inside it, and against whom."""
    playing = session.playing
    assert playing is not None
    context = playing.context
    if not playing.calls or (context is not None and context.hide and viewer != GAME_MASTER):
        return ""
    names = list(dict.fromkeys([spoken(call.mechanic.name) for call in (playing.calls[0], playing.calls[-1])]))
    other = None
    if context is not None:
        other = context.actor if playing.seat is context.opponent else context.opponent
    against = f", against {_name_of(session, other, viewer)}" if isinstance(other, SeatOf) else ""
    return ": ".join(names) + against


def may_see_dice(session: Session, viewer: str) -> bool:
    """Whether the dice that are asked for are thrown in the open, or by the viewer's own hand."""
    return session.playing is not None and (viewer == GAME_MASTER or session.playing.audience in (EVERYONE, viewer))


def _name_of(session: Session, seat: str, viewer: str) -> str:
    scene = session.scene
    if not isinstance(seat, SeatOf):
        alone = [one.id for one in scene.present if one.seat == seat]
        return scene.called(alone[0]) if len(alone) == 1 else seat
    return names_in(scene, viewer=viewer)(seat)


def spoken(name: str) -> str:
    """What a mechanic or an argument is called at the table: without its system."""
    return name.rpartition(".")[2].replace("_", " ").lower()
