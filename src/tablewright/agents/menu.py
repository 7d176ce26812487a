"""Menu of a choice in a fixed number of slots.

Places are a second question: all squares that one action could lead to take one slot. If the options are still too
many, every action takes one slot; whatever is left over comes on further pages, so that each option can be reached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablewright.game.play.actions import ActionUse
from tablewright.lab.fights.option_features import FEATURES, DescribedOptions, place_of

SLOTS = 64
"""Number of slots of every menu, and so of actions of a learning agent."""

_GROUP = FEATURES.index("group")


@dataclass(frozen=True, slots=True)
class ActionSlot:
    """One slot of a menu: an option, or several that a second question tells apart.

    ``options`` are indices into the options of the choice. ``page`` marks the slot that turns to the next page.
    """

    options: tuple[int, ...]
    action: str = ""
    page: bool = False

    @property
    def is_group(self) -> bool:
        """True if the slot opens another menu instead of answering."""
        return self.page or len(self.options) > 1


@dataclass(frozen=True)
class ActionMenu:
    """Slots of one step: the first question about a choice, a second one, or a further page."""

    slots: tuple[ActionSlot, ...]
    rest: tuple[ActionSlot, ...] = field(default=())

    def opened(self, slot: ActionSlot) -> ActionMenu:
        """Menu behind a slot that is a group."""
        if slot.page:
            return in_pages(self.rest)
        return in_pages(tuple([ActionSlot((index,), slot.action) for index in slot.options]))


def menu_of(options: Sequence[Any]) -> ActionMenu:
    """Menu of all options of a choice."""
    uses = {index: option for index, option in enumerate(options) if isinstance(option, ActionUse)}
    places = [index for index, use in uses.items() if place_of(use) is not None]
    grouped = _grouped(options, uses, set(places) if len(places) < len(options) else set())
    if len(grouped) > SLOTS:
        grouped = _grouped(options, uses, set(uses))
    return in_pages(tuple(grouped))


def _grouped(options: Sequence[Any], uses: Mapping[int, ActionUse], joined: set[int]) -> list[ActionSlot]:
    """One slot for each option, but one for all ``joined`` options of the same action."""
    by_action: dict[str, list[int]] = {}
    for index in sorted(joined):
        by_action.setdefault(uses[index].action, []).append(index)
    slots: list[ActionSlot] = []
    for index in range(len(options)):
        use = uses.get(index)
        action = "" if use is None else use.action
        if index not in joined:
            slots.append(ActionSlot((index,), action))
        elif by_action[action][0] == index:
            slots.append(ActionSlot(tuple(by_action[action]), action))
    return slots


def in_pages(slots: tuple[ActionSlot, ...]) -> ActionMenu:
    """Menu with the first page of these slots; its last slot turns the page if there are more."""
    if len(slots) <= SLOTS:
        return ActionMenu(slots)
    first, rest = slots[: SLOTS - 1], slots[SLOTS - 1 :]
    return ActionMenu((*first, ActionSlot(tuple([one for slot in rest for one in slot.options]), page=True)), rest)


def slot_rows(described: DescribedOptions, menu: ActionMenu) -> list[list[float]]:
    """One row of features for each slot of a menu; those of a group are its best rated option's."""
    return [_slot_row(described, slot) for slot in menu.slots]


def _slot_row(described: DescribedOptions, slot: ActionSlot) -> list[float]:
    if not slot.is_group:
        return described.row(slot.options[0])
    row = described.row(max(slot.options, key=described.worth))
    row[_GROUP] = 1.0
    return row
