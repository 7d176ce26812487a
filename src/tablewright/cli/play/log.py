"""The open question of a fight, as one viewer at the terminal may know it."""

from __future__ import annotations

from tablewright.engine import Choice, ClosedOption
from tablewright.engine.request import EVERYONE
from tablewright.game.narration.narrator import names_in
from tablewright.game.narration.projection import project_question
from tablewright.game.narration.question import word_question
from tablewright.game.scene.scene import ActingSeat
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.session import Session


def closed_to(session: Session, viewer: str) -> list[ClosedOption]:
    """Closed options of the open choice, with the reasons that the viewer may see, in words."""
    asked = project_question(session.playing, session.scene, viewer)
    if not asked or not asked.get("closed"):
        return []
    key = session.question.key if isinstance(session.question, Choice) else ""
    worded = word_question(key, asked, session.scene, session.rulebook, viewer, game=session.live)
    return [ClosedOption(one["id"], one["sentence"], one["rule"], one["label"]) for one in worded.to_json()["closed"]]


def who_is_asked(session: Session, viewer: str) -> str:
    """Name of the participant who rolls or chooses now, as the viewer may know it."""
    assert session.playing is not None
    return _name_of(session, session.playing.seat, viewer)


def may_see_dice(session: Session, viewer: str) -> bool:
    """True if the viewer may see the dice of the open roll."""
    return session.playing is not None and (viewer == GAME_MASTER or session.playing.audience in (EVERYONE, viewer))


def _name_of(session: Session, seat: str, viewer: str) -> str:
    scene = session.scene
    if not isinstance(seat, ActingSeat):
        alone = [one.id for one in scene.present if one.seat == seat]
        return scene.display_name(alone[0]) if len(alone) == 1 else seat
    return names_in(scene, viewer=viewer)(seat)
