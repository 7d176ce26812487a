"""The table's own events, where this system has something to add."""

from __future__ import annotations

from tablewright.errors import BadInput, nearest, whole
from tablewright.game.common import CharacterChanged, Ruled, common
from tablewright.game.scene import Scene
from tablewright.systems.mars.character import Effect, EffectKind, figures
from tablewright.systems.mars.character.record import EFFECTS
from tablewright.systems.mars.events.costs import apply
from tablewright.systems.mars.status import (
    Most,
)


@apply.on(CharacterChanged, instead=True)
def _character_changed(scene: Scene, event: CharacterChanged) -> Scene:
    """Belongings that were bought or sold are in the scene as well."""
    before = scene[event.who]
    scene = common(scene, event)
    if event.character.belongings != before.character.belongings:
        scene = scene.change(event.who, belongings=event.character.belongings)
    most = figures(event.character, scene.library)
    return scene.change(event.who, most=Most(most.health, most.endurance))


@apply.on(Ruled, instead=True)
def _ruled(scene: Scene, event: Ruled) -> Scene:
    """Effects are ruled by their names, such as prone or burning:3."""
    if event.field != "effects" or event.who is None:
        return common(scene, event)
    given = (event.value,) if isinstance(event.value, str) else tuple(event.value or ())
    return scene.change(event.who, effects=tuple([effect_named(str(word)) for word in given]))


def effect_named(word: str) -> Effect:
    """An effect as a game master writes it: prone, burning:3, debilitation:STR, stat_change:STR:2.

    >>> effect_named("debilitation:STR").stat, effect_named("burning:3").degree
    ('STR', 3)
    """
    name, *rest = word.split(":")
    kinds: dict[str, EffectKind] = {kind: kind for kind in EFFECTS}
    if name not in kinds:
        raise BadInput(f'"{name:.40}" is no effect; there are: {", ".join(EFFECTS)}{nearest(name, EFFECTS)}')
    stat, number = "", 0
    for part in rest:
        size = whole(part.lstrip("+-"))
        if size is not None:
            number = -size if part.startswith("-") else size
        else:
            stat = part
    kind = kinds[name]
    counted = kind in ("burning", "sickness", "stunned", "fatigue")
    return Effect(kind, stat=stat, degree=max(1, number) if counted else 0, value=0 if counted else number)
