"""Projection of a session for one viewer: scene, log and open question."""

from __future__ import annotations

from typing import Any

from tablewright.game.narration.projection import project_line, project_question, project_scene
from tablewright.game.play.common_events import TimePassed
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.session import Session


def project_session(session: Session, viewer: str) -> dict[str, Any]:
    """The scene, the log and the open question as a viewer may see them."""
    return {
        "scene": project_scene(session.scene, session.rulebook, viewer),
        "log": project_log(session, viewer),
        "question": project_question(session.playing, session.scene, viewer),
    }


def project_log(session: Session, viewer: str) -> list[dict[str, Any]]:
    """Lines of the log that a viewer may see, numbered for that viewer.

    Visibility is decided at the time of an event: a line that was seen stays visible, and one that was hidden stays
    hidden. The clock stops at each timer. A stop at a secret timer is secret too, so time without visible events in
    between becomes one line.
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
