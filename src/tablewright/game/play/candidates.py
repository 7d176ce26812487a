"""Uses that actions offer: one on each of some participants, one with each of some things."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.scene import Participant, Scene

Candidates: TypeAlias = Callable[[Scene, str], Iterator[ActionUse]]


def on_each(whom: Callable[[Scene, str], Iterable[Participant]], action: str, words: str, cost: str = "") -> Candidates:
    """Build the uses of an action on each of some participants; ``{}`` in the words stands for the name."""

    def uses(scene: Scene, who: str) -> Iterator[ActionUse]:
        for one in whom(scene, who):
            yield ActionUse(action, one.id, label=words.format(scene.display_name(one.id)), cost=cost)

    return uses


def with_each(
    things: Callable[[Scene, str], Iterable[str | tuple[str, str]]], action: str, words: str, cost: str = ""
) -> Candidates:
    """Build the uses of an action with each of some things, each once: ids, or ids with names for ``{}``.

    >>> drops = with_each(lambda scene, who: ("hand_axe", "hand_axe"), "drop", "Drop the {}")
    >>> [use.label for use in drops(Scene("demo"), "ann")]
    ['Drop the hand axe']
    """

    def uses(scene: Scene, who: str) -> Iterator[ActionUse]:
        for one in dict.fromkeys(things(scene, who)):
            thing, name = (one, one.replace("_", " ")) if isinstance(one, str) else one
            yield ActionUse(action, detail=thing, label=words.format(name), cost=cost)

    return uses
