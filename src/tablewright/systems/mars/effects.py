"""Effects as values: how they stack, how long they last, and when they expire. What they do at a turn is in harm.py."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import inf

from tablewright.game.scene import Scene
from tablewright.systems.mars.character import Effect, EffectKind

Effects = tuple[Effect, ...]

ONE_OF_A_KIND: tuple[EffectKind, ...] = (
    "blind",
    "dying",
    "encumbered",
    "overencumbered",
    "prone",
    "unconscious",
    "halved_speed",
    "cover",
    "rage",
)
ONE_OF_A_STAT: tuple[EffectKind, ...] = ("debilitation", "enhancement")
ADDED: tuple[EffectKind, ...] = ("burning", "stunned")
STRONGEST: tuple[EffectKind, ...] = ("sickness", "fatigue", "rage")
HARMFUL_ON_THE_GROUND = ("unconscious", "dying")


def gain(effects: Effects, new: Effect) -> Effects:
    """What somebody has when one more effect takes hold: the same kind does not stack unless its rule says so.

    >>> gain((Effect("burning", degree=2),), Effect("burning", degree=3))[0].degree
    5
    """
    if new.kind == "encumbered" and any(effect.kind == "overencumbered" for effect in effects):
        return effects
    if new.kind == "overencumbered":
        effects = tuple([effect for effect in effects if effect.kind != "encumbered"])
    for at, effect in enumerate(effects):
        if _same(effect, new):
            return (*effects[:at], _joined(effect, new), *effects[at + 1 :])
    return (*effects, new)


def _same(known: Effect, new: Effect) -> bool:
    if known.kind != new.kind:
        return False
    if new.kind in {*ONE_OF_A_KIND, *ADDED}:
        return True
    if new.kind in ONE_OF_A_STAT:
        return known.stat == new.stat
    if known.stat != new.stat or known.source != new.source:  # every source by itself
        return False
    return new.kind in STRONGEST or known.value == new.value  # of other strengths each runs for its own time


def _joined(known: Effect, new: Effect) -> Effect:
    if new.kind in ADDED:
        return replace(known, degree=known.degree + new.degree)
    if new.kind in STRONGEST:
        return new if new.degree >= known.degree else known
    if new.kind == "dying":
        return known
    return max(known, new, key=_length)


def _length(effect: Effect) -> tuple[float, float]:
    return (inf if effect.until is None else effect.until, inf if effect.left is None else effect.left)


def end(
    effects: Effects,
    kind: EffectKind,
    *,
    stat: str | None = None,
    source: str | None = None,
    value: int | None = None,
) -> Effects:
    """Without the effects of a kind; of a stat, a source or a strength where one is given."""
    return tuple(
        [
            effect
            for effect in effects
            if effect.kind != kind
            or stat not in (None, effect.stat)
            or source not in (None, effect.source)
            or value not in (None, effect.value)
        ]
    )


def end_source(effects: Effects, source: str) -> Effects:
    """Without anything that came from one source."""
    return tuple([effect for effect in effects if effect.source != source])


def due(effects: Iterable[Effect], turn_of: str, round_: int) -> list[Effect]:
    """What expires immediately before somebody's turn in a round (mars.time.duration)."""
    return [
        effect
        for effect in effects
        if effect.until is not None and effect.turn_of == turn_of and effect.until <= round_
    ]


def overdue(effects: Iterable[Effect], round_: int) -> list[Effect]:
    """What should have expired in an earlier round, or expires with no turn: its anchor is gone or never was.

    No effect outlasts its duration (mars.time.duration).
    """
    return [
        effect
        for effect in effects
        if effect.until is not None and (effect.until < round_ or (not effect.turn_of and effect.until <= round_))
    ]


def lasting(scene: Scene, effect: Effect, rounds: int | None) -> Effect:
    """The same for so many rounds from the turn that is under way; without rounds it stays until something ends it.

    It expires immediately before the same turn that many rounds later.
    """
    if rounds is None:
        return effect
    return replace(effect, turn_of=scene.turn or "", until=scene.round + rounds)


def until_own_turn(scene: Scene, who: str, effect: Effect) -> Effect:
    """The same until somebody's own next turn begins."""
    yet_to_come = scene.turn != who and who not in scene.acted and who in scene.order
    return replace(effect, turn_of=who, until=scene.round + (0 if yet_to_come else 1))


def after_encounter(effects: Effects) -> Effects:
    """What goes on when the encounter is over: nothing that is counted in rounds, or ends with the next turn."""
    return tuple([effect for effect in effects if effect.lasts and effect.kind != "stunned"])
