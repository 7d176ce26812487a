"""Options of a choice, as policies and fights take them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """One answer that a choice offers: its id for programs, its label for people, and its cost in words.

    >>> import tablewright as tw
    >>> print(tw.Fight("mars:fighter", "mars:goblin", seed=1, bots={"foes": "careful"}).options[0])
    Attack Goblin with the straight sword
    """

    id: str
    label: str = ""
    cost: str = ""

    def __str__(self) -> str:
        return self.label or self.id
