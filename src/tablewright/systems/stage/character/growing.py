"""What a changed character means for somebody in a scene: where a maximum has grown or shrunk, so has what is left."""

from __future__ import annotations

from tablewright.game.common import CharacterChanged, common
from tablewright.game.events import Apply
from tablewright.game.scene import Scene
from tablewright.systems.stage.character.figures import figures
from tablewright.systems.stage.values import TRACKS

growing: Apply[Scene] = Apply()


@growing.on(CharacterChanged)
def _grown(scene: Scene, event: CharacterChanged) -> Scene:
    """A gained level adds 1 to the maxima and to what is left of both tracks (stage.advancement.award)."""
    status = scene[event.who].status
    before = figures(scene[event.who].character, scene.options, scene.library)
    after = figures(event.character, scene.options, scene.library)
    scene = common(scene, event)
    changed = {}
    for track in TRACKS:
        more = getattr(after, track) - getattr(before, track)
        if more:
            changed[track] = max(0, min(getattr(status, track) + more, getattr(after, track)))
    return scene.change(event.who, **changed) if changed else scene
