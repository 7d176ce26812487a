"""Light and the senses: what dimness and darkness take from checks and attacks that need sight."""

from __future__ import annotations

from tablewright.game.ledger import Ledger

SENSES = "renaissance.gap.race.senses"


def sees_in(light: str, has: tuple[str, ...], *, warm: bool = False) -> bool:
    """Whether somebody with these senses is not hampered by dim light or darkness."""
    if "blind_sight" in has or ("infrared" in has and warm):
        return True
    return light == "dim" and "low_light" in has


def light_penalty(light: str) -> int:
    """What dim light or darkness takes from checks and attacks that need sight."""
    return int(Ledger.load("renaissance")[SENSES].data.get(light, 0))


def in_words(light: str) -> str:
    """What a penalty for light is called."""
    return "darkness" if light == "dark" else f"{light} light"
