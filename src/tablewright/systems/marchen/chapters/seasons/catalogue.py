"""The catalogue of activities by kind and length."""

from __future__ import annotations

from tablewright.game.play.actions import Actions
from tablewright.systems.marchen.chapters.seasons import pastimes  # noqa: F401 - it declares activities
from tablewright.systems.marchen.chapters.seasons.requirements import CATALOGUE

SEASONAL, MONTHLY, WEEKLY = [tuple(activities) for activities in CATALOGUE.values()]
OWN_WORDS = {one.id: one.asks for one in SEASONAL if one.asks}
"""Questions about the subject of a season; the options are suggestions."""

SCALES: dict[str, Actions] = {
    scale: Actions([one.action() for one in activities]) for scale, activities in CATALOGUE.items()
}
GROUPS = {one.id: one.group for one in SEASONAL}
